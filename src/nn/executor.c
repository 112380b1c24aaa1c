/* Networks: weights and gradients, memory for values by the plan, and running the events. */
#include "nn/executor.h"
#include "base/random.h"
#include "base/text.h"
#include "nn/plan.h"
#include <string.h>

enum { WEIGHT_STREAM = 0x77656967, DROPOUT_STREAM = 0x64726f70 };

struct lm_executor {
    leman_context *ctx;
    const lm_program *program;
    lm_backend *backend;
    lm_mode mode;
    lm_plan plan;
    lm_real *weights;   /* [numbers] */
    lm_real *gradients; /* [trainable]; NULL where nothing is learned */
    char *values;       /* the pieces of the plan */
    void *workspace;
    lm_extent max; /* that there is memory for */
    lm_executor_size size;
    lm_batch batch;          /* in the memory of the backend */
    bool ready, loss, again; /* there is a batch; it has a loss; it can go back */
    uint64_t seed, tick;
    lm_executor_profile *profile;
};

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* Weights, and gradients where there are any. */
static size_t weight_bytes(const lm_program *program, lm_mode mode)
{
    return (program->numbers + (mode != LM_INFER ? program->trainable : 0)) * sizeof(lm_real);
}

static size_t workspace_bytes(const lm_program *program, const lm_backend *backend, const lm_extent *max)
{
    size_t bytes = 0;
    for (size_t s = 0; s < program->steps.count; s++) {
        const lm_step *step = lm_program_step(program, s);
        const lm_operation_entry *entry = backend->operations + step->operation;
        size_t more = entry->workspace ? entry->workspace(backend, program, step, max) : 0;
        if (more > bytes) bytes = more;
    }
    return bytes;
}

leman_status lm_executor_measure(leman_context *ctx, const lm_program *program, const lm_backend *backend, lm_mode mode,
                                 const lm_extent *max, lm_executor_size *size)
{
    leman_status st = LEMAN_OK;
    lm_plan plan = {0};
    lm_executor_size found = {.parameters = program->trainable, .weight_bytes = weight_bytes(program, mode)};
    TRY(lm_plan_new(ctx, program, mode, &plan));
    TRY(lm_plan_place(&plan, max, &found.activation_bytes));
    found.workspace_bytes = workspace_bytes(program, backend, max);
    *size = found;
done:
    if (plan.ctx) lm_plan_free(&plan);
    return st;
}

/* ---- Making ---------------------------------------------------------------------------------- */

leman_status lm_executor_new(leman_context *ctx, const lm_program *program, lm_backend *backend, lm_mode mode,
                             lm_executor **out)
{
    leman_status st = LEMAN_OK;
    lm_executor *n = NULL;
    if (!program->finished) return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "a network's program is not finished");
    NEW(ctx, n, 1);
    *n = (lm_executor){.ctx = ctx, .program = program, .backend = backend, .mode = mode};
    TRY(lm_plan_new(ctx, program, mode, &n->plan));
    void *block = NULL;
    n->size.parameters = program->trainable;
    n->size.weight_bytes = weight_bytes(program, mode);
    TRY(backend->allocate(backend, n->size.weight_bytes, &block));
    n->weights = block;
    n->gradients = mode != LM_INFER ? n->weights + program->numbers : NULL;
    backend->clear(backend, n->weights, n->size.weight_bytes);
done:
    if (st)
        lm_executor_free(n);
    else
        *out = n;
    return st;
}

void lm_executor_free(lm_executor *n)
{
    if (!n) return;
    n->backend->release(n->backend, n->weights);
    n->backend->release(n->backend, n->values);
    n->backend->release(n->backend, n->workspace);
    if (n->plan.ctx) lm_plan_free(&n->plan);
    lm_free(n->ctx, n);
}

leman_status lm_executor_initialize(lm_executor *n, uint64_t seed)
{
    leman_status st = LEMAN_OK;
    const lm_program *p = n->program;
    lm_real *host = NULL;
    NEW(n->ctx, host, p->numbers);
    for (uint32_t i = 0; i < p->weights.count; i++) {
        const lm_weight *w = lm_program_weight(p, i);
        lm_random random = lm_random_stream(seed, WEIGHT_STREAM, lm_checksum(w->name, strlen(w->name), 0));
        for (size_t x = 0; x < w->rows * w->columns; x++) {
            double share = w->initial == LM_UNIFORM ? 2 * lm_random_real(&random) - 1 : 1;
            host[w->offset + x] = (lm_real)(share * w->value);
        }
    }
    lm_executor_weights_write(n, host);
    n->seed = seed;
done:
    lm_free(n->ctx, host);
    return st;
}

void lm_executor_set_profile(lm_executor *n, lm_executor_profile *profile)
{
    n->profile = profile;
}

/* ---- Memory for values ----------------------------------------------------------------------- */

static leman_status check_budget(lm_executor *n, const lm_extent *max, const lm_executor_size *size)
{
    size_t budget = lm_budget(n->ctx), need;
    if (lm_add(size->activation_bytes, size->workspace_bytes, &need) && lm_add(need, size->weight_bytes, &need) &&
        need <= budget)
        return LEMAN_OK;
    char weights[LM_NUMBER_TEXT], values[LM_NUMBER_TEXT], has[LM_NUMBER_TEXT];
    return lm_fail(n->ctx, LEMAN_ERROR_BUDGET,
                   "a batch of %zu graphs (%zu tuples, %zu vertices) needs %s for weights and %s for values, and the "
                   "memory budget is %s",
                   max->rows[LM_GRAPHS], max->rows[LM_TUPLES], max->rows[LM_VERTICES],
                   lm_bytes_text(size->weight_bytes, weights),
                   lm_bytes_text(lm_saturating_add(size->activation_bytes, size->workspace_bytes), values),
                   lm_bytes_text(budget, has));
}

leman_status lm_executor_reserve(lm_executor *n, const lm_extent *max)
{
    leman_status st = LEMAN_OK;
    lm_executor_size size;
    lm_extent larger = *max;
    void *values = NULL, *workspace = NULL;
    for (size_t s = 0; s < LM_ROW_SPACES; s++)
        if (larger.rows[s] < n->max.rows[s]) larger.rows[s] = n->max.rows[s];
    larger.rows[LM_SINGLE] = 1;
    if (n->values && !memcmp(&larger, &n->max, sizeof larger)) return LEMAN_OK;
    TRY(lm_executor_measure(n->ctx, n->program, n->backend, n->mode, &larger, &size));
    TRY(check_budget(n, &larger, &size));
    n->backend->release(n->backend, n->values); /* before the new ones: both at once may not fit */
    n->backend->release(n->backend, n->workspace);
    n->values = n->workspace = NULL;
    n->ready = n->again = false;
    TRY(n->backend->allocate(n->backend, size.activation_bytes, &values));
    TRY(n->backend->allocate(n->backend, size.workspace_bytes, &workspace));
    TRY(lm_plan_place(&n->plan, &larger, &size.activation_bytes));
    n->values = values;
    n->workspace = workspace;
    n->size = size;
    n->max = larger;
    values = workspace = NULL;
done:
    n->backend->release(n->backend, values);
    n->backend->release(n->backend, workspace);
    return st;
}

lm_executor_size lm_executor_sizes(const lm_executor *n)
{
    return n->size;
}

/* ---- Running --------------------------------------------------------------------------------- */

static lm_tensor tensor_at(const lm_executor *n, uint32_t v, const lm_piece *piece)
{
    const lm_value *value = lm_program_value(n->program, v), *root = lm_program_value(n->program, value->root);
    lm_tensor t = {.rows = n->batch.extent.rows[value->space], .width = value->width, .stride = root->width};
    switch (root->source) {
    case LM_FROM_VERTEX_ATTRIBUTES: t.data = n->batch.vertex_attribute; break;
    case LM_FROM_ARC_ATTRIBUTES: t.data = n->batch.arc_attribute; break;
    case LM_FROM_TUPLE_ATTRIBUTES: t.data = n->batch.tuple_attribute; break;
    default: t.data = (lm_real *)(void *)(n->values + piece->offset);
    }
    if (t.data) t.data += value->column;
    return t;
}

/* Pointers for one event: values by their place in this phase, gradients on the way back. */
static void fill_frame(const lm_executor *n, lm_event event, lm_frame *f)
{
    const lm_program *p = n->program;
    const lm_step *step = lm_program_step(p, event.step);
    f->step = step;
    for (size_t i = 0; i < LM_STEP_VALUES; i++) {
        uint32_t in = step->input[i], out = step->output[i];
        f->add[i] = step->add >> i & 1;
        if (in != LM_NONE) {
            const lm_value *value = lm_program_value(p, in);
            f->in[i] = tensor_at(n, in, lm_plan_piece(&n->plan, value->root, event.phase));
            if (event.phase == LM_BACKWARD && value->differentiable)
                f->in_gradient[i] = tensor_at(n, in, n->plan.gradient + value->root);
        }
        if (out != LM_NONE) {
            const lm_value *value = lm_program_value(p, out);
            f->out[i] = tensor_at(n, out, lm_plan_piece(&n->plan, value->root, event.phase));
            if (event.phase == LM_BACKWARD && value->differentiable)
                f->out_gradient[i] = tensor_at(n, out, n->plan.gradient + value->root);
        }
    }
    for (size_t i = 0; i < LM_STEP_WEIGHTS; i++) {
        const lm_weight *w = step->weight[i] == LM_NONE ? NULL : lm_program_weight(p, step->weight[i]);
        f->weight[i] = w ? n->weights + w->offset : NULL;
        f->weight_gradient[i] = w && w->trainable && n->gradients ? n->gradients + w->offset : NULL;
    }
}

/* Gradients that all readers add to begin as zero, at the first event that wants them. */
static void clear_gradients_of(lm_executor *n, size_t time)
{
    for (uint32_t v = 0; v < n->program->values.count; v++) {
        const lm_value *value = lm_program_value(n->program, v);
        if (!value->cleared || n->plan.gradient[v].first != time) continue;
        size_t numbers = n->batch.extent.rows[value->space] * value->width;
        n->backend->clear(n->backend, n->values + n->plan.gradient[v].offset, numbers * sizeof(lm_real));
    }
}

static void clear_zeros(lm_executor *n)
{
    for (uint32_t v = 0; v < n->program->values.count; v++) {
        const lm_value *value = lm_program_value(n->program, v);
        if (value->source != LM_FROM_ZEROS || value->root != v || n->plan.value[v].first == SIZE_MAX) continue;
        size_t numbers = n->batch.extent.rows[value->space] * value->width;
        n->backend->clear(n->backend, n->values + n->plan.value[v].offset, numbers * sizeof(lm_real));
    }
}

static void run(lm_executor *n, size_t first, size_t end, bool training)
{
    const lm_operation_entry *table = n->backend->operations;
    for (size_t time = first; time < end; time++) {
        lm_event event = n->plan.event[time];
        lm_frame frame = {.program = n->program, .batch = &n->batch, .training = training, .workspace = n->workspace};
        double began = n->profile ? lm_now() : 0;
        fill_frame(n, event, &frame);
        lm_operation operation = frame.step->operation;
        if (frame.step->output[0] == n->program->loss && !n->loss) continue;
        frame.again = event.phase == LM_AGAIN;
        frame.key = lm_random_stream(n->seed, DROPOUT_STREAM + ((uint64_t)event.step << 32), n->tick).key;
        if (event.phase == LM_BACKWARD) {
            clear_gradients_of(n, time);
            table[operation].backward(n->backend, &frame);
        } else {
            table[operation].forward(n->backend, &frame);
        }
        if (n->profile) n->profile->seconds[operation][event.phase == LM_BACKWARD] += lm_now() - began;
    }
}

/* Does the batch have what the program reads from it? */
static leman_status check_batch(lm_executor *n, const lm_batch *b)
{
    for (uint32_t v = 0; v < n->program->values.count; v++) {
        const lm_value *value = lm_program_value(n->program, v);
        size_t width = value->source == LM_FROM_VERTEX_ATTRIBUTES  ? b->vertex_attributes
                       : value->source == LM_FROM_ARC_ATTRIBUTES   ? b->arc_attributes
                       : value->source == LM_FROM_TUPLE_ATTRIBUTES ? b->tuple_attributes
                                                                   : value->width;
        if (value->root == v && width != value->width)
            return lm_fail(n->ctx, LEMAN_ERROR_INTERNAL, "a batch has %zu columns of attributes, expected %zu", width,
                           value->width);
    }
    if (n->program->k != b->k)
        return lm_fail(n->ctx, LEMAN_ERROR_INTERNAL, "a batch of %u-tuples, expected %u-tuples", b->k, n->program->k);
    return LEMAN_OK;
}

static bool has_loss(const lm_program *p, const lm_batch *b)
{
    if (p->loss == LM_NONE) return false;
    lm_operation loss = lm_program_step(p, p->steps.count - 1)->operation;
    size_t width = lm_program_value(p, p->prediction)->width;
    return loss == LM_OP_CROSS_ENTROPY ? b->classes : b->targets == width;
}

leman_status lm_executor_forward(lm_executor *n, const lm_batch *batch, bool training, uint64_t tick)
{
    leman_status st = LEMAN_OK;
    n->ready = n->again = false;
    TRY(check_batch(n, batch));
    TRY(lm_executor_reserve(n, &batch->extent));
    TRY(n->backend->load_batch(n->backend, batch, &n->batch));
    n->tick = tick;
    n->loss = has_loss(n->program, batch);
    clear_zeros(n);
    run(n, 0, n->plan.forward, training);
    TRY(n->backend->status);
    n->ready = true;
    n->again = training && n->loss;
done:
    return st;
}

leman_status lm_executor_backward(lm_executor *n)
{
    if (!n->again) return lm_fail(n->ctx, LEMAN_ERROR_INTERNAL, "a network goes back without having gone forward");
    n->again = false;
    run(n, n->plan.forward, n->plan.events, true);
    return n->backend->status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

leman_status lm_executor_value(lm_executor *n, uint32_t v, lm_real *out)
{
    const lm_value *value = lm_program_value(n->program, v), *root = lm_program_value(n->program, value->root);
    if (!n->ready || !(root->kept || n->plan.mode == LM_WHOLE))
        return lm_fail(n->ctx, LEMAN_ERROR_INTERNAL, "a value is read that was not kept");
    lm_tensor t = tensor_at(n, v, n->plan.value + value->root);
    size_t pieces = t.stride == t.width ? 1 : t.rows, length = t.stride == t.width ? t.rows * t.width : t.width;
    for (size_t r = 0; r < pieces; r++)
        n->backend->read(n->backend, out + r * length, t.data + r * t.stride, length * sizeof(lm_real));
    return n->backend->status;
}

leman_status lm_executor_loss(lm_executor *n, double *loss)
{
    lm_real value = 0;
    if (!n->loss) return lm_fail(n->ctx, LEMAN_ERROR_INTERNAL, "a batch without targets has no loss");
    leman_status st = lm_executor_value(n, n->program->loss, &value);
    if (!st) *loss = (double)value;
    return st;
}

leman_status lm_executor_predictions(lm_executor *n, lm_real *out)
{
    return lm_executor_value(n, n->program->prediction, out);
}

lm_real *lm_executor_weights(lm_executor *n)
{
    return n->weights;
}

lm_real *lm_executor_gradients(lm_executor *n)
{
    return n->gradients;
}

void lm_executor_weights_read(lm_executor *n, lm_real *out)
{
    n->backend->read(n->backend, out, n->weights, n->program->numbers * sizeof(lm_real));
}

void lm_executor_weights_write(lm_executor *n, const lm_real *weights)
{
    n->backend->write(n->backend, n->weights, weights, n->program->numbers * sizeof(lm_real));
}

void lm_executor_gradients_read(lm_executor *n, lm_real *out)
{
    n->backend->read(n->backend, out, n->gradients, n->program->trainable * sizeof(lm_real));
}

void lm_executor_clear_gradients(lm_executor *n)
{
    if (n->gradients) n->backend->clear(n->backend, n->gradients, n->program->trainable * sizeof(lm_real));
}
