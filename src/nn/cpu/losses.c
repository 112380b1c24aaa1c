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

/* ---- Regression ------------------------------------------------------------------------------ */

/* Returns NAN if the target is missing. */
static double target_of(const lm_frame *f, size_t g, size_t i)
{
    return (double)f->batch->target[g * f->in[0].width + i];
}

/* Returns 1 over the number of known targets. */
static double share_of(const lm_frame *f)
{
    size_t known = 0;
    for (size_t g = 0; g < f->in[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) known += isnan(target_of(f, g, i)) == 0;
    return known ? 1 / (double)known : 0;
}

/* Returns 0 if the target is missing. */
static double distance(const lm_frame *f, size_t g, size_t i)
{
    const double target = target_of(f, g, i);
    return isnan(target) ? 0 : (double)lm_row(&f->in[0], g)[i] - target;
}

/* Writes one number of the gradient, scaled by this rank's share of the loss. */
static void put_gradient(lm_backend *backend, const lm_frame *f, size_t g, size_t i, double gradient)
{
    lm_real *to = lm_row(&f->in_gradient[0], g) + i;
    *to = (f->add[0] ? *to : 0) + (lm_real)(lm_cpu_of(backend)->control.share * gradient);
}

void lm_cpu_l1_forward(lm_backend *backend, const lm_frame *f)
{
    double sum = 0;
    (void)backend;
    for (size_t g = 0; g < f->in[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) sum += fabs(distance(f, g, i));
    *f->out[0].data = (lm_real)(sum * share_of(f));
}

void lm_cpu_l1_backward(lm_backend *backend, const lm_frame *f)
{
    double share = share_of(f);
    for (size_t g = 0; g < f->in_gradient[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) {
            double away = distance(f, g, i);
            put_gradient(backend, f, g, i, away > 0 ? share : away < 0 ? -share : 0);
        }
}

void lm_cpu_square_forward(lm_backend *backend, const lm_frame *f)
{
    double sum = 0;
    (void)backend;
    for (size_t g = 0; g < f->in[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) sum += distance(f, g, i) * distance(f, g, i);
    *f->out[0].data = (lm_real)(sum * share_of(f));
}

void lm_cpu_square_backward(lm_backend *backend, const lm_frame *f)
{
    double share = share_of(f);
    for (size_t g = 0; g < f->in_gradient[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) put_gradient(backend, f, g, i, 2 * share * distance(f, g, i));
}

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

/* ---- Several tasks --------------------------------------------------------------------------- */

/* Returns 0 if the label is missing. */
static double label_weight(const lm_frame *f, size_t g, size_t i)
{
    if (isnan(target_of(f, g, i))) return 0;
    return f->batch->target_weight ? f->batch->target_weight[g * f->in[0].width + i] : 1;
}

static double total_label_weight(const lm_frame *f)
{
    double sum = 0;
    for (size_t g = 0; g < f->in[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) sum += label_weight(f, g, i);
    return sum;
}

void lm_cpu_binary_cross_entropy_forward(lm_backend *backend, const lm_frame *f)
{
    const double total = total_label_weight(f);
    double sum = 0;
    (void)backend;
    for (size_t g = 0; g < f->in[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) {
            const double y = (double)lm_row(&f->in[0], g)[i], weight = label_weight(f, g, i);
            if (weight > 0) sum += weight * (fmax(y, 0) - y * target_of(f, g, i) + log1p(exp(-fabs(y))));
        }
    *f->out[0].data = (lm_real)(total > 0 ? sum / total : 0);
}

void lm_cpu_binary_cross_entropy_backward(lm_backend *backend, const lm_frame *f)
{
    const double total = total_label_weight(f);
    for (size_t g = 0; g < f->in_gradient[0].rows; g++)
        for (size_t i = 0; i < f->in[0].width; i++) {
            const double y = (double)lm_row(&f->in[0], g)[i], weight = label_weight(f, g, i);
            const double sigmoid = y < 0 ? exp(y) / (1 + exp(y)) : 1 / (1 + exp(-y));
            put_gradient(backend, f, g, i, weight > 0 ? weight * (sigmoid - target_of(f, g, i)) / total : 0);
        }
}
