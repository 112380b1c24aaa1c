/* Executors: weights and gradients, memory for values according to the plan, and running the events. */
#include "nn/executor.h"
#include "base/random.h"
#include "base/text.h"
#include <string.h>

enum { DROPOUT_STREAM = 0x64726f70 };

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* The gradients and the two moments follow the weights, then the copies of weights, each aligned for matrices. */
static size_t aligned(size_t numbers)
{
    return (numbers + 63) / 64 * 64;
}

static size_t copy_offset(const lm_program *program, lm_mode mode)
{
    return aligned(program->numbers) + (mode != LM_INFER ? 3 * aligned(program->trainable) : 0);
}

static size_t weight_bytes(const lm_program *program, const lm_backend *backend, lm_mode mode)
{
    const size_t copies = backend->copy_bytes ? backend->copy_bytes(backend, program, mode != LM_INFER) : 0;
    return lm_saturating_add(copy_offset(program, mode) * sizeof(lm_real), copies);
}

static lm_tensor size_of(const lm_program *program, uint32_t value, const lm_extent *max)
{
    if (value == LM_NONE) return (lm_tensor){0};
    const lm_value *v = lm_program_value(program, value);
    return (lm_tensor){.rows = max->rows[v->space], .width = v->width};
}

static size_t workspace_bytes(const lm_program *program, const lm_backend *backend, const lm_extent *max)
{
    const lm_batch batch = {.extent = *max};
    lm_real weight = 0; /* any address of a weight */
    size_t bytes = 0;
    for (size_t s = 0; s < program->steps.count; s++) {
        const lm_step *step = lm_program_step(program, s);
        const lm_operation_entry *entry = backend->operations + step->operation;
        lm_frame like = {.program = program, .step = step, .batch = &batch};
        for (size_t i = 0; i < LM_STEP_VALUES; i++) {
            like.in[i] = size_of(program, step->input[i], max);
            like.out[i] = size_of(program, step->output[i], max);
        }
        for (size_t i = 0; i < LM_STEP_WEIGHTS; i++) like.weight[i] = step->weight[i] == LM_NONE ? NULL : &weight;
        size_t more = entry->workspace ? entry->workspace(backend, &like) : 0;
        if (more > bytes) bytes = more;
    }
    return bytes;
}

leman_status lm_executor_measure(leman_context *ctx, const lm_program *program, const lm_backend *backend, lm_mode mode,
                                 const lm_extent *max, lm_executor_size *size)
{
    AUTO(lm_plan_free) lm_plan plan = {0};
    lm_executor_size found = {.parameters = program->trainable, .weight_bytes = weight_bytes(program, backend, mode)};
    lm_extent padded = *max;
    if (backend->pad) backend->pad(backend, &padded);
    PASS(lm_plan_new(ctx, program, mode, &plan));
    PASS(lm_plan_place(&plan, backend, &padded, &found.activation_bytes));
    found.workspace_bytes = workspace_bytes(program, backend, &padded);
    *size = found;
    return LEMAN_OK;
}

leman_status lm_executor_choose(leman_context *ctx, const lm_program *program, const lm_backend *backend,
                                const lm_extent *max, size_t enough, lm_mode *mode)
{
    static const lm_mode MODES[] = {LM_TRAIN, LM_LESS, LM_LEAST};
    *mode = LM_TRAIN;
    for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++) {
        lm_executor_size size;
        PASS(lm_executor_measure(ctx, program, backend, MODES[i], max, &size));
        if (size.activation_bytes > enough) continue;
        *mode = MODES[i];
        break;
    }
    return LEMAN_OK;
}

/* ---- Making ---------------------------------------------------------------------------------- */

leman_status lm_executor_new(leman_context *ctx, const lm_program *program, lm_backend *backend, lm_mode mode,
                             lm_executor **out)
{
    AUTO(lm_executor_drop) lm_executor *e = NULL;
    if (!program->finished) return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "a program is run that is not finished");
    PASS_NEW(ctx, e, 1);
    *e = (lm_executor){.ctx = ctx, .program = program, .backend = backend, .mode = mode};
    PASS(lm_plan_new(ctx, program, mode, &e->plan));
    void *block = NULL;
    e->size.parameters = program->trainable;
    e->size.weight_bytes = weight_bytes(program, backend, mode);
    PASS(backend->allocate(backend, e->size.weight_bytes, &block));
    e->weights = block;
    if (mode != LM_INFER) {
        e->gradients = e->weights + aligned(program->numbers);
        e->first = e->gradients + aligned(program->trainable);
        e->second = e->first + aligned(program->trainable);
    }
    e->copies = e->weights + copy_offset(program, mode);
    backend->clear(backend, e->weights, e->size.weight_bytes);
    PASS(backend->allocate(backend, sizeof *e->totals, &block));
    e->totals = block;
    lm_executor_clear_totals(e);
    return HAND_OVER(out, e);
}

void lm_executor_free(lm_executor *e)
{
    if (!e) return;
    e->backend->release(e->backend, e->weights);
    e->backend->release(e->backend, e->values);
    e->backend->release(e->backend, e->workspace);
    e->backend->release(e->backend, e->totals);
    e->backend->release(e->backend, e->kept);
    lm_plan_free(&e->plan);
    lm_release(e);
}

/* ---- Memory for values ----------------------------------------------------------------------- */

/* Checks that the values fit into the remaining budget. The weights are allocated already; values that are allocated
 * will be released first. */
static leman_status check_budget(const lm_executor *e, const lm_extent *max, const lm_executor_size *size)
{
    const size_t released = e->values ? e->size.activation_bytes + e->size.workspace_bytes : 0;
    const size_t left = lm_saturating_add(e->backend->budget(e->backend), released);
    if (lm_saturating_add(size->activation_bytes, size->workspace_bytes) <= left) return LEMAN_OK;
    const size_t budget = lm_saturating_add(left, size->weight_bytes);
    char weights[LM_NUMBER_TEXT], values[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT], rows[LM_EXTENT_TEXT];
    return lm_fail(e->ctx, LEMAN_ERROR_BUDGET,
                   "a batch of %zu graph%s (%s, %zu %s) needs %s for weights and %s for values, and the "
                   "memory budget is %s",
                   max->rows[LM_GRAPHS], lm_plural(max->rows[LM_GRAPHS]), lm_extent_text(max, rows),
                   max->rows[LM_VERTICES], lm_plural_of(max->rows[LM_VERTICES], "vertex", "vertices"),
                   lm_bytes_text(size->weight_bytes, weights),
                   lm_bytes_text(lm_saturating_add(size->activation_bytes, size->workspace_bytes), values),
                   lm_backend_budget_text(e->backend, budget, has));
}

void lm_executor_release_values(lm_executor *e)
{
    e->backend->release(e->backend, e->values);
    e->backend->release(e->backend, e->workspace);
    e->values = NULL;
    e->workspace = NULL;
    e->max = (lm_extent){{0}};
    e->size.activation_bytes = e->size.workspace_bytes = 0;
    e->ready = e->again = false;
}

leman_status lm_executor_reserve(lm_executor *e, const lm_extent *max)
{
    lm_executor_size size;
    lm_extent larger = *max;
    void *values = NULL, *workspace = NULL;
    if (e->backend->pad) e->backend->pad(e->backend, &larger);
    for (size_t s = 0; s < LM_ROW_SPACES; s++)
        if (larger.rows[s] < e->max.rows[s]) larger.rows[s] = e->max.rows[s];
    larger.rows[LM_SINGLE] = 1;
    if (e->values && !memcmp(&larger, &e->max, sizeof larger)) return LEMAN_OK;
    PASS(lm_executor_measure(e->ctx, e->program, e->backend, e->mode, &larger, &size));
    PASS(check_budget(e, &larger, &size));
    lm_executor_release_values(e); /* before allocating the new ones: both together may not fit */
    PASS(lm_plan_place(&e->plan, e->backend, &larger, &size.activation_bytes));
    leman_status st = e->backend->allocate(e->backend, size.activation_bytes, &values);
    if (!st) st = e->backend->allocate(e->backend, size.workspace_bytes, &workspace);
    e->values = values;
    e->workspace = workspace;
    e->size = size;
    e->max = larger;
    if (st) lm_executor_release_values(e);
    return st;
}

/* ---- Running --------------------------------------------------------------------------------- */

static size_t number_bytes(const lm_executor *e, const lm_value *value)
{
    return e->backend->number_bytes(e->backend, value->space);
}

static lm_tensor tensor_at(const lm_executor *e, uint32_t v, const lm_piece *piece)
{
    const lm_value *value = lm_program_value(e->program, v), *root = lm_program_value(e->program, value->root);
    lm_tensor t = {.rows = e->batch.extent.rows[value->space], .width = value->width, .stride = root->width};
    size_t column = value->column;
    switch (root->source) {
    case LM_FROM_VERTEX_ATTRIBUTES: t.data = e->batch.vertex_attribute; break;
    case LM_FROM_ARC_ATTRIBUTES: t.data = e->batch.arc_attribute; break;
    case LM_FROM_TUPLE_ATTRIBUTES: t.data = e->batch.tuple_attribute; break;
    case LM_FROM_LISTED_ATTRIBUTES: t.data = e->batch.listed[0].attribute; break;
    default:
        t.data = (lm_real *)(void *)(e->values + piece->offset);
        t.stride = lm_backend_stride(e->backend, root);
        column += t.stride - root->width;
    }
    if (t.data) t.data = (lm_real *)(void *)((char *)t.data + column * number_bytes(e, value));
    return t;
}

static lm_real *gradient_of(const lm_executor *e, const lm_step *step, size_t i)
{
    const lm_weight *w = step->weight[i] == LM_NONE ? NULL : lm_program_weight(e->program, step->weight[i]);
    const bool learned = w && w->trainable && e->gradients && !(step->idle >> i & 1);
    return learned ? e->gradients + w->offset : NULL;
}

/* Decides which step applies the derivative of an activation: the step itself, or its reader. */
static void fill_derivatives(const lm_executor *e, uint32_t number, lm_frame *f)
{
    const lm_program *p = e->program;
    const lm_backend *b = e->backend;
    f->derived = f->step->reader != LM_NONE && b->derives && b->derives(b, p, lm_program_step(p, f->step->reader));
    if (!b->derives || !b->derives(b, p, f->step)) return;
    for (size_t s = 0; s < p->steps.count; s++) {
        const lm_step *maker = lm_program_step(p, s);
        if (maker->reader != number) continue;
        const lm_value *made = lm_program_value(p, maker->output[0]);
        f->maker[f->makers].input = made->root != f->step->input[0];
        f->maker[f->makers].column = made->column;
        f->maker[f->makers].width = made->width;
        f->maker[f->makers++].bias_gradient = gradient_of(e, maker, lm_operation_bias(maker->operation));
    }
}

/* Sets the tensors of a value that an event uses: its numbers at their place in this phase and, in the backward pass,
 * its gradient. */
static void fill_value(const lm_executor *e, uint32_t v, lm_phase phase, lm_tensor *numbers, lm_tensor *gradient)
{
    if (v == LM_NONE) return;
    const lm_value *value = lm_program_value(e->program, v);
    *numbers = tensor_at(e, v, lm_plan_piece(&e->plan, value->root, phase));
    if (phase == LM_BACKWARD && value->differentiable) *gradient = tensor_at(e, v, e->plan.gradient + value->root);
}

static void fill_frame(const lm_executor *e, lm_event event, lm_frame *f)
{
    const lm_program *p = e->program;
    const lm_step *step = lm_program_step(p, event.step);
    f->step = step;
    for (size_t i = 0; i < LM_STEP_VALUES; i++) {
        f->add[i] = step->add >> i & 1;
        fill_value(e, step->input[i], event.phase, f->in + i, f->in_gradient + i);
        fill_value(e, step->output[i], event.phase, f->out + i, f->out_gradient + i);
    }
    for (size_t i = 0; i < LM_STEP_WEIGHTS; i++) {
        const lm_weight *w = step->weight[i] == LM_NONE ? NULL : lm_program_weight(p, step->weight[i]);
        f->weight[i] = w ? e->weights + w->offset : NULL;
        f->weight_gradient[i] = gradient_of(e, step, i);
    }
    if (event.phase == LM_BACKWARD) fill_derivatives(e, event.step, f);
}

/* Sets the numbers or the gradient of a root, in this piece, to zero. */
static void clear_root(lm_executor *e, const lm_value *root, const lm_piece *piece)
{
    const size_t numbers = e->batch.extent.rows[root->space] * lm_backend_stride(e->backend, root);
    e->backend->clear(e->backend, e->values + piece->offset, numbers * number_bytes(e, root));
}

/* Sets gradients to which all readers add to zero, at the first event that uses them. */
static void clear_gradients_of(lm_executor *e, size_t time)
{
    for (uint32_t v = 0; v < e->program->values.count; v++) {
        const lm_value *value = lm_program_value(e->program, v);
        if (value->cleared && e->plan.gradient[v].first == time) clear_root(e, value, e->plan.gradient + v);
    }
}

/* What every forward pass begins with: copies of weights, and values that are zero. */
static void begin_forward(lm_executor *e, bool training)
{
    lm_backend *b = e->backend;
    if (b->copy_weights) b->copy_weights(b, e->program, e->weights, e->copies, training && e->gradients);
    for (uint32_t v = 0; v < e->program->values.count; v++) {
        const lm_value *value = lm_program_value(e->program, v);
        if (value->source == LM_FROM_ZEROS && value->root == v && e->plan.value[v].first != SIZE_MAX)
            clear_root(e, value, e->plan.value + v);
    }
}

/* Runs the events first .. end-1. A batch may take many seconds, so on an immediate backend the caller can cancel
 * between steps. A device only queues the steps, and may be recording them. */
static leman_status run(lm_executor *e, size_t first, size_t end, bool training)
{
    for (size_t time = first; time < end; time++) {
        lm_event event = e->plan.event[time];
        lm_frame frame = {.program = e->program,
                          .batch = &e->batch,
                          .training = training,
                          .copies = e->copies,
                          .workspace = e->workspace};
        fill_frame(e, event, &frame);
        const lm_operation_entry *entry = e->backend->operations + frame.step->operation;
        if (frame.step->output[0] == e->program->loss && !e->loss) continue;
        frame.again = event.phase == LM_AGAIN;
        frame.stream = lm_random_purpose(e->seed, DROPOUT_STREAM + ((uint64_t)event.step << 32));
        if (event.phase == LM_BACKWARD) {
            clear_gradients_of(e, time);
            entry->backward(e->backend, &frame);
        } else {
            entry->forward(e->backend, &frame);
        }
        if (e->backend->immediate) PASS(lm_progress_step(e->ctx, e->ctx->progress.done));
    }
    if (end == e->plan.events && e->gradients && e->backend->end_backward) e->backend->end_backward(e->backend);
    return LEMAN_OK;
}

static bool has_loss(const lm_program *p, const lm_batch *b)
{
    if (p->loss == LM_NONE) return false;
    lm_operation loss = lm_program_step(p, p->steps.count - 1)->operation;
    size_t width = lm_program_value(p, p->prediction)->width;
    return lm_operation_has(loss, LM_RULE_CLASSES) ? b->classes : b->targets == width;
}

/* Checks that the batch has what the program reads from it. */
static leman_status check_batch(lm_executor *e, const lm_batch *b)
{
    for (uint32_t v = 0; v < e->program->values.count; v++) {
        const lm_value *value = lm_program_value(e->program, v);
        size_t width = value->source == LM_FROM_VERTEX_ATTRIBUTES   ? b->vertex_attributes
                       : value->source == LM_FROM_ARC_ATTRIBUTES    ? b->arc_attributes
                       : value->source == LM_FROM_TUPLE_ATTRIBUTES  ? b->tuple_attributes
                       : value->source == LM_FROM_LISTED_ATTRIBUTES ? b->listed[0].attributes
                                                                    : value->width;
        if (value->root == v && width != value->width)
            return lm_fail(e->ctx, LEMAN_ERROR_INTERNAL, "a batch has %zu column%s of attributes, expected %zu", width,
                           lm_plural(width), value->width);
    }
    for (size_t s = 0; s < e->program->steps.count; s++) {
        const lm_step *step = lm_program_step(e->program, s);
        const lm_row_space space = lm_program_value(e->program, step->output[0])->space;
        const bool collects = step->operation == LM_OP_LISTED && !lm_is_listed(space); /* of the places of tuples */
        const lm_row_space rows = collects ? lm_program_value(e->program, step->input[1])->space : space;
        if (!lm_is_listed(rows)) continue;
        const lm_listing *l = b->listed + (rows - LM_LISTED);
        const bool links = step->operation == LM_OP_LISTED || step->operation == LM_OP_LINKED;
        const size_t picked = !l->picks ? 0 : space == LM_ARCS ? 2 : 1;
        const size_t most = !collects ? l->lists : (space == LM_ARCS ? 0 : l->places) + picked;
        if (!l->members || !l->places || (links && step->position >= most) ||
            (step->operation == LM_OP_LINKED && !l->follows))
            return lm_fail(e->ctx, LEMAN_ERROR_INTERNAL, "a batch without sets, expected a list of them");
    }
    if (has_loss(e->program, b) && lm_program_value(e->program, e->program->prediction)->space != b->level)
        return lm_fail(e->ctx, LEMAN_ERROR_INTERNAL,
                       "a batch with targets of other rows than those of the predictions");
    if (e->program->k != b->k)
        return lm_fail(e->ctx, LEMAN_ERROR_INTERNAL, "a batch of %u-tuples, expected %u-tuples", b->k, e->program->k);
    return LEMAN_OK;
}

/* Loads the batch into the memory of the backend and reserves memory for its values. */
static leman_status load(lm_executor *e, const lm_batch *batch, const lm_control *control)
{
    e->ready = e->again = false;
    PASS(check_batch(e, batch));
    PASS(lm_executor_reserve(e, &batch->extent));
    PASS(e->backend->load_batch(e->backend, batch, &e->batch));
    e->backend->control(e->backend, control);
    e->live = batch->extent;
    e->loss = has_loss(e->program, batch);
    return LEMAN_OK;
}

leman_status lm_executor_forward(lm_executor *e, const lm_batch *batch, bool training, uint64_t tick)
{
    PASS(load(e, batch, &(lm_control){.tick = tick, .share = 1}));
    begin_forward(e, training);
    PASS(run(e, 0, e->plan.forward, training));
    PASS(e->backend->status);
    e->ready = true;
    e->again = training && e->loss;
    return LEMAN_OK;
}

/* Returns the address of the loss of the batch. */
static const lm_real *loss_of(const lm_executor *e)
{
    return tensor_at(e, e->program->loss, e->plan.value + e->program->loss).data;
}

/* Launches forward pass, backward pass and a step of Adam. */
static leman_status launch_step(lm_executor *e, const lm_adam *rule)
{
    lm_backend *b = e->backend;
    lm_executor_clear_gradients(e);
    begin_forward(e, true);
    PASS(run(e, 0, e->plan.forward, true));
    b->add_loss(b, loss_of(e), e->totals);
    PASS(run(e, e->plan.forward, e->plan.events, true));
    if (b->shared) b->sum(b, e->gradients, e->program->trainable);
    b->adam(b, rule, e->totals, e->program->trainable, e->weights, e->gradients, e->first, e->second);
    return LEMAN_OK;
}

/* Launches a part of the work on a batch. rule: NULL but for a whole step. */
static leman_status launch(lm_executor *e, lm_recorded part, const lm_adam *rule)
{
    if (part == LM_RECORDED_STEP) return launch_step(e, rule);
    if (part == LM_RECORDED_BACKWARD) {
        lm_executor_clear_gradients(e);
        return run(e, e->plan.forward, e->plan.events, true);
    }
    begin_forward(e, part == LM_RECORDED_FORWARD);
    return run(e, 0, e->plan.forward, part == LM_RECORDED_FORWARD);
}

/* Launches a part, or repeats its recording. */
static leman_status launch_or_replay(lm_executor *e, lm_recorded part, const lm_adam *rule)
{
    lm_backend *b = e->backend;
    if (b->replay && b->replay(b, &e->batch.extent, part)) return b->status;
    PASS(launch(e, part, rule));
    if (b->recorded && !b->recorded(b)) PASS(launch(e, part, rule));
    return b->status;
}

leman_status lm_executor_train(lm_executor *e, const lm_batch *batch, const lm_control *control, const lm_adam *rule)
{
    PASS(load(e, batch, control));
    if (!e->loss) return lm_fail(e->ctx, LEMAN_ERROR_INTERNAL, "a batch without targets has no loss");
    return launch_or_replay(e, LM_RECORDED_STEP, rule);
}

/* ---- Passes with a loss of the caller --------------------------------------------------------- */

/* Copies rows inside the backend. */
static void copy_rows(lm_executor *e, const lm_tensor *to, const lm_tensor *from)
{
    const size_t bytes = from->width * sizeof(lm_real);
    const bool whole = to->stride == from->width && from->stride == from->width;
    const size_t pieces = whole ? 1 : from->rows, each = whole ? from->rows * bytes : bytes;
    for (size_t i = 0; i < pieces; i++)
        e->backend->copy(e->backend, to->data + i * to->stride, from->data + i * from->stride, each);
}

/* Returns the caller's matrix of the live rows of the prediction. */
static lm_tensor callers_rows(const lm_executor *e, const lm_real *data)
{
    const lm_value *y = lm_program_value(e->program, e->program->prediction);
    return (lm_tensor){
        .data = (lm_real *)(uintptr_t)data, .rows = e->live.rows[y->space], .width = y->width, .stride = y->width};
}

leman_status lm_executor_pass_forward(lm_executor *e, const lm_batch *batch, bool training, lm_real *prediction)
{
    const uint32_t y = e->program->prediction;
    PASS(load(e, batch, &(lm_control){.share = 1}));
    e->loss = false;
    PASS(launch_or_replay(e, training ? LM_RECORDED_FORWARD : LM_RECORDED_PREDICTION, NULL));
    const lm_tensor to = callers_rows(e, prediction);
    lm_tensor from = tensor_at(e, y, e->plan.value + lm_program_value(e->program, y)->root);
    from.rows = to.rows;
    copy_rows(e, &to, &from);
    e->again = training && e->gradients;
    return e->backend->status;
}

leman_status lm_executor_pass_backward(lm_executor *e, const lm_real *gradient)
{
    if (!e->again) return lm_fail(e->ctx, LEMAN_ERROR_ARGUMENT, "found no forward pass in training before this one");
    const uint32_t root = lm_program_value(e->program, e->program->prediction)->root;
    const lm_tensor from = callers_rows(e, gradient),
                    to = tensor_at(e, e->program->prediction, e->plan.gradient + root);
    e->again = false;
    clear_root(e, lm_program_value(e->program, root), e->plan.gradient + root); /* padding has no gradient */
    copy_rows(e, &to, &from);
    return launch_or_replay(e, LM_RECORDED_BACKWARD, NULL);
}

/* ---- Sums over batches ----------------------------------------------------------------------- */

leman_status lm_executor_keep_predictions(lm_executor *e, size_t rows)
{
    size_t bytes;
    void *block = NULL;
    if (rows <= e->kept_rows) return LEMAN_OK;
    if (!lm_multiply(rows, lm_program_value(e->program, e->program->prediction)->width * sizeof(lm_real), &bytes))
        return lm_refuse_size(e->ctx, rows, sizeof(lm_real));
    PASS(e->backend->allocate(e->backend, bytes, &block));
    e->backend->release(e->backend, e->kept);
    e->kept = block;
    e->kept_rows = rows;
    return LEMAN_OK;
}

leman_status lm_executor_measure_batch(lm_executor *e, const lm_batch *batch, double weight, size_t at)
{
    lm_backend *b = e->backend;
    PASS(lm_executor_forward(e, batch, false, 0));
    b->control(b, &(lm_control){.weight = weight});
    if (e->loss) b->add_loss(b, loss_of(e), e->totals);
    const lm_row_space space = lm_program_value(e->program, e->program->prediction)->space;
    const lm_tensor y = tensor_at(e, e->program->prediction, e->plan.value + e->program->prediction);
    b->copy(b, e->kept + at * y.width, y.data, e->live.rows[space] * y.width * sizeof(lm_real));
    return b->status;
}

leman_status lm_executor_kept_predictions(lm_executor *e, size_t count, lm_real *out)
{
    const size_t width = lm_program_value(e->program, e->program->prediction)->width;
    return e->backend->read(e->backend, out, e->kept, count * width * sizeof(lm_real));
}

void lm_executor_clear_totals(lm_executor *e)
{
    const size_t width = e->kept ? lm_program_value(e->program, e->program->prediction)->width : 0;
    e->backend->clear(e->backend, e->totals, sizeof *e->totals);
    e->backend->clear(e->backend, e->kept, e->kept_rows * width * sizeof *e->kept);
}

leman_status lm_executor_totals(lm_executor *e, lm_totals *totals)
{
    return e->backend->read(e->backend, totals, e->totals, sizeof *totals);
}

leman_status lm_executor_backward(lm_executor *e)
{
    if (!e->again) return lm_fail(e->ctx, LEMAN_ERROR_INTERNAL, "backward without forward");
    e->again = false;
    PASS(run(e, e->plan.forward, e->plan.events, true));
    return e->backend->status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Converts the bfloat16 at the beginning of a row to floats in place. A bfloat16 is the upper half of a float. */
static void widen(lm_real *row, size_t width)
{
    for (size_t i = width; i-- > 0;) {
        uint16_t half;
        float number;
        memcpy(&half, (char *)row + i * sizeof half, sizeof half);
        const uint32_t bits = (uint32_t)half << 16;
        memcpy(&number, &bits, sizeof number);
        row[i] = (lm_real)number;
    }
}

leman_status lm_executor_value(lm_executor *e, uint32_t v, lm_real *out)
{
    const lm_value *value = lm_program_value(e->program, v), *root = lm_program_value(e->program, value->root);
    if (!e->ready || !(root->kept || e->plan.mode == LM_WHOLE))
        return lm_fail(e->ctx, LEMAN_ERROR_INTERNAL, "a value is read that was not kept");
    lm_tensor t = tensor_at(e, v, e->plan.value + value->root);
    const size_t bytes = number_bytes(e, value), rows = e->live.rows[value->space];
    const bool whole = t.stride == t.width && bytes == sizeof(lm_real);
    if (whole) return e->backend->read(e->backend, out, t.data, rows * t.width * bytes);
    for (size_t r = 0; r < rows; r++) {
        const char *row = (const char *)t.data + r * t.stride * bytes;
        PASS(e->backend->read(e->backend, out + r * t.width, row, t.width * bytes));
        if (bytes != sizeof(lm_real)) widen(out + r * t.width, t.width);
    }
    return e->backend->status;
}

leman_status lm_executor_weights_read(lm_executor *e, lm_real *out)
{
    return e->backend->read(e->backend, out, e->weights, e->program->numbers * sizeof(lm_real));
}

leman_status lm_executor_weights_write(lm_executor *e, const lm_real *weights)
{
    return e->backend->write(e->backend, e->weights, weights, e->program->numbers * sizeof(lm_real));
}

void lm_executor_clear_gradients(lm_executor *e)
{
    if (e->gradients) e->backend->clear(e->backend, e->gradients, e->program->trainable * sizeof(lm_real));
}
