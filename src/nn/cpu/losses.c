/*
 * Losses: the mean over the B graphs of a batch; for regression, the mean over the N known ones of their B T targets
 * (NAN: missing; no loss, no gradient).
 *
 *   L1             |y - t|,           gradient sign(y - t) / N
 *   square         (y - t)^2,         gradient 2 (y - t) / N
 *   cross-entropy  -log softmax(y)_c, gradient (softmax(y) - [class = c]) / B
 *   weighted       sum w l / sum w of cross-entropies l, where w is the weight of the graph's class; 0 if the class is
 *                  missing
 *   binary         several tasks with labels t = 0 or 1 (NAN: missing) and logits y: sum w l / sum w over the known
 *                  labels, l = -log sigmoid(y) if t = 1, -log sigmoid(-y) if t = 0, computed without overflow as
 *                  max(y, 0) - y t + log(1 + exp(-|y|)); gradient w (sigmoid(y) - t) / sum w
 *
 * A batch without any known label has loss 0 and gradient 0. Sums are in double precision and in one thread, since B T
 * is small.
 */
#include "nn/cpu/cpu.h"

/* Writes one number of the gradient, scaled by this rank's share of the loss. */
static void put_gradient(lm_backend *backend, const lm_frame *f, size_t g, size_t i, double gradient)
{
    lm_real *to = lm_row(&f->in_gradient[0], g) + i;
    *to = (f->add[0] ? *to : 0) + (lm_real)(lm_cpu_of(backend)->control.share * gradient);
}

/* ---- Targets and tasks ----------------------------------------------------------------------- */

/* The loss of one output y with the target t, and its derivative by y. */
typedef struct term {
    double loss, derivative;
} term;

static term term_of(lm_operation operation, double y, double t)
{
    const double away = y - t;
    switch (operation) {
    case LM_OP_L1: return (term){fabs(away), (away > 0) - (away < 0)};
    case LM_OP_SQUARE: return (term){away * away, 2 * away};
    default:
        return (term){fmax(y, 0) - y * t + log1p(exp(-fabs(y))),
                      (y < 0 ? exp(y) / (1 + exp(y)) : 1 / (1 + exp(-y))) - t};
    }
}

/* Returns the weight of an output; 0 if its target is missing. Only tasks have weights other than 1. */
static double output_weight(const lm_frame *f, size_t g, size_t i)
{
    const size_t at = g * f->in[0].width + i;
    if (isnan((double)f->batch->target[at])) return 0;
    return f->step->operation == LM_OP_BINARY_CROSS_ENTROPY && f->batch->target_weight ? f->batch->target_weight[at]
                                                                                       : 1;
}

/* Returns sum / total, where the total is the sum of all weights; 0 if it is 0. */
static double mean_of(const lm_frame *f, double sum, double total)
{
    if (total <= 0) return 0;
    return f->step->operation == LM_OP_BINARY_CROSS_ENTROPY ? sum / total : sum * (1 / total);
}

static double total_output_weight(const lm_frame *f)
{
    double sum = 0;
    for (size_t g = 0; g < f->in[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) sum += output_weight(f, g, i);
    return sum;
}

static term term_at(const lm_frame *f, size_t g, size_t i)
{
    const double target = (double)f->batch->target[g * f->in[0].width + i];
    return term_of(f->step->operation, (double)lm_row(&f->in[0], g)[i], target);
}

static void forward(const lm_frame *f)
{
    double sum = 0;
    for (size_t g = 0; g < f->in[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) {
            const double weight = output_weight(f, g, i);
            if (weight > 0) sum += weight * term_at(f, g, i).loss;
        }
    *f->out[0].data = (lm_real)mean_of(f, sum, total_output_weight(f));
}

static void backward(lm_backend *backend, const lm_frame *f)
{
    const double total = total_output_weight(f);
    for (size_t g = 0; g < f->in_gradient[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) {
            const double weight = output_weight(f, g, i);
            put_gradient(backend, f, g, i, weight > 0 ? mean_of(f, weight * term_at(f, g, i).derivative, total) : 0);
        }
}

#define LOSS(name)                                                                                                     \
    void lm_cpu_##name##_forward(lm_backend *backend, const lm_frame *f)                                               \
    {                                                                                                                  \
        (void)backend;                                                                                                 \
        forward(f);                                                                                                    \
    }                                                                                                                  \
    void lm_cpu_##name##_backward(lm_backend *backend, const lm_frame *f)                                              \
    {                                                                                                                  \
        backward(backend, f);                                                                                          \
    }
LOSS(l1)
LOSS(square)
LOSS(binary_cross_entropy)

/* ---- Classes --------------------------------------------------------------------------------- */

/* Writes the softmax of one row to p. Returns -log of the softmax of the class. */
static double soften(const lm_real *y, size_t width, size_t class, lm_real *p)
{
    double max = (double)y[0], total = 0;
    for (size_t i = 1; i < width; i++) max = (double)y[i] > max ? (double)y[i] : max;
    for (size_t i = 0; i < width; i++) total += exp((double)y[i] - max);
    for (size_t i = 0; i < width; i++) p[i] = (lm_real)(exp((double)y[i] - max) / total);
    return log(total) - ((double)y[class] - max); /* cppcheck-suppress invalidFunctionArg ; at least 1 */
}

static double weight_of(const lm_frame *f, size_t g)
{
    return f->batch->graph_weight ? f->batch->graph_weight[g] : 1;
}

/* The sum of the weights of all graphs; exact if every weight is 1. */
static double total_weight(const lm_frame *f, size_t graphs)
{
    double sum = 0;
    for (size_t g = 0; g < graphs; g++) sum += weight_of(f, g);
    return sum;
}

void lm_cpu_cross_entropy_forward(lm_backend *backend, const lm_frame *f)
{
    lm_tensor y = f->in[0];
    double sum = 0;
    (void)backend;
    for (size_t g = 0; g < y.rows; g++)
        sum += weight_of(f, g) * soften(lm_row(&y, g), y.width, f->batch->class_id[g], lm_row(&f->out[1], g));
    const double total = total_weight(f, y.rows);
    *f->out[0].data = (lm_real)(total > 0 ? sum / total : 0);
}

void lm_cpu_cross_entropy_backward(lm_backend *backend, const lm_frame *f)
{
    lm_tensor p = f->out[1];
    const double total = total_weight(f, p.rows);
    for (size_t g = 0; g < f->in_gradient[0].rows; g++)
        for (size_t i = 0; i < p.width; i++) {
            double hit = f->batch->class_id[g] == i;
            const double gradient = weight_of(f, g) * ((double)lm_row(&p, g)[i] - hit);
            put_gradient(backend, f, g, i, total > 0 ? gradient / total : 0);
        }
}
