/* Passes of one rank over the parts of a data set; trainer.h has the contracts. */
#include "nn/train/trainer.h"
#include "base/random.h"
#include "base/text.h"
#include "nn/backends.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EPOCH_STREAM = 2001, MAX_PLANNED = 1 << 24 };

static const uint32_t *list_of(const leman_parts *parts, lm_data_part part, size_t *count)
{
    const uint32_t *graph = parts->graph;
    for (int i = 0; i < (int)part; i++) graph += parts->count[i];
    *count = parts->count[part];
    return graph;
}

/* The graphs of a part, and their rows. */
static const uint32_t *part_of(const lm_trainer *t, lm_data_part part, size_t *count)
{
    return list_of(t->parts, part, count);
}

static const uint32_t *rows_of_part(const lm_trainer *t, lm_data_part part, size_t *count)
{
    return list_of(t->row_parts, part, count);
}

/* Returns the number of rows of these graphs. */
static size_t rows_of(const lm_trainer *t, const uint32_t *graph, size_t count)
{
    return lm_inputs_extent(t->inputs, graph, count).rows[t->rows.space];
}

const uint32_t *lm_trainer_order(lm_trainer *t, uint64_t epoch)
{
    size_t count;
    const uint32_t *graph = part_of(t, LM_TRAIN_PART, &count);
    lm_random random = lm_random_stream(t->seed, EPOCH_STREAM, epoch);
    lm_random_permutation(&random, t->order, count);
    for (size_t i = 0; i < count; i++) t->order[i] = graph[t->order[i]];
    return t->order;
}

/* Returns the number of graphs in the batch that begins at `at` of count graphs. */
static size_t batch_at(const lm_trainer *t, size_t at, size_t count)
{
    return count - at < t->training->batch_size ? count - at : t->training->batch_size;
}

/* ---- Ranks ----------------------------------------------------------------------------------- */

/* The share of one rank in the graphs of a batch. */
typedef struct piece {
    size_t first, count;
} piece;

static piece piece_of(const lm_trainer *t, size_t count)
{
    const size_t rank = lm_rank(t->ctx), ranks = lm_rank_count(t->ctx), first = count * rank / ranks;
    return (piece){first, count * (rank + 1) / ranks - first};
}

/* The piece in training. If there are fewer graphs than ranks, every rank works on all of them, with equal shares. */
static piece trained_piece(const lm_trainer *t, size_t count)
{
    return count < lm_rank_count(t->ctx) ? (piece){0, count} : piece_of(t, count);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Raises *max to the largest batches that the graphs form in this order. */
static void raise_extent(const lm_trainer *t, const uint32_t *graph, size_t count, lm_extent *max)
{
    for (size_t at = 0; at < count; at += t->training->batch_size) {
        const piece own = trained_piece(t, batch_at(t, at, count));
        lm_extent extent = lm_inputs_extent(t->inputs, graph + at + own.first, own.count);
        for (int space = 0; space < LM_ROW_SPACES; space++)
            if (extent.rows[space] > max->rows[space]) max->rows[space] = extent.rows[space];
    }
}

/* Raises *max to the largest batches of all parts, in the order in which parts are measured. */
static void raise_to_parts(const lm_trainer *t, lm_extent *max)
{
    for (lm_data_part part = LM_TRAIN_PART; part <= LM_TEST_PART; part++) {
        size_t count;
        const uint32_t *graph = part_of(t, part, &count);
        raise_extent(t, graph, count, max);
    }
}

/* The largest batch of the whole run in every space: O(epochs * graphs), below a second. If there are too many epochs
 * for that, an upper bound for every batch. */
static leman_status largest_batch(lm_trainer *t, lm_extent *max)
{
    size_t graphs;
    const uint32_t *training = part_of(t, LM_TRAIN_PART, &graphs);
    const size_t ranks = lm_rank_count(t->ctx),
                 each = t->training->batch_size / ranks + 1; /* if not fewer than ranks */
    *max = (lm_extent){{0}};
    if (t->training->epochs > MAX_PLANNED / graphs)
        PASS(lm_inputs_max(t->inputs, training, graphs, ranks == 1 ? each - 1 : each > ranks ? each : ranks, max));
    for (uint64_t epoch = 1; epoch <= t->training->epochs && t->training->epochs <= MAX_PLANNED / graphs; epoch++) {
        raise_extent(t, lm_trainer_order(t, epoch), graphs, max);
    }
    raise_to_parts(t, max);
    return LEMAN_OK;
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

/* If the backend copies batches: adds the bytes of batches up to this extent to *bytes or, if that is NULL, reserves
 * them. */
static leman_status reserve_batches(lm_trainer *t, lm_backend *backend, const lm_extent *max, size_t *bytes)
{
    size_t count;
    const uint32_t *graph = part_of(t, LM_TRAIN_PART, &count);
    if (!backend || !backend->batch_bytes) return LEMAN_OK;
    PASS(lm_inputs_labels(t->inputs, graph, 1, &t->batch)); /* determines which arrays a batch has */
    t->batch.extent = *max;
    if (!bytes) return backend->reserve_batch(backend, &t->batch);
    *bytes = lm_saturating_add(*bytes, backend->batch_bytes(backend, &t->batch));
    return LEMAN_OK;
}

/* Returns the rows of the largest part. */
static size_t largest_part(const lm_trainer *t)
{
    const size_t *count = t->row_parts->count;
    const size_t most = count[0] > count[1] ? count[0] : count[1];
    return most > count[2] ? most : count[2];
}

/* Computes the memory of the whole run before anything is allocated; exact: that of the executor that measures. Fails
 * with LEMAN_ERROR_BUDGET if it does not fit, unless the run is only planned. Workspaces of libraries are not included: a backend allocates them when it
 * is created, and its budget is what remains. */
static leman_status within_budget(lm_trainer *t, const lm_extent *max, const lm_extent *measured,
                                  const lm_executor_size *exact)
{
    const lm_executor_size *own = &t->size;
    size_t batch = lm_saturating_multiply(largest_part(t), t->network->outputs * sizeof(lm_real));
    PASS(reserve_batches(t, t->backend, max, &batch));
    PASS(reserve_batches(t, t->exact_backend, measured, &batch));
    batch = lm_saturating_add(batch, lm_saturating_add(own->activation_bytes, own->workspace_bytes));
    const size_t measuring =
        lm_saturating_add(lm_saturating_add(exact->activation_bytes, exact->workspace_bytes), exact->weight_bytes);
    const size_t needed = lm_saturating_add(lm_saturating_add(batch, own->weight_bytes), measuring);
    const size_t budget = t->backend->budget(t->backend);
    t->needed = needed;
    t->budget = budget;
    if (needed <= budget || t->planned) return LEMAN_OK;
    char weights[LM_NUMBER_TEXT], values[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT], bytes[LM_NUMBER_TEXT], more[64] = "";
    if (measuring) snprintf(more, sizeof more, ", validating in FP32 %s", lm_bytes_text(measuring, bytes));
    return lm_fail(
        t->ctx, LEMAN_ERROR_BUDGET,
        "%zu parameter%s with gradients and moments need %s and the largest batch %s%s, the memory budget is %s; "
        "smaller batches or widths need less%s",
        own->parameters, lm_plural(own->parameters), lm_bytes_text(own->weight_bytes, weights),
        lm_bytes_text(batch, values), more, lm_backend_budget_text(t->backend, budget, has),
        t->training->recompute ? "" : ", and so does recomputing");
}

/* Replaces weight[classes], the number of graphs of each class, by all / (classes * graphs of the class); 1 for a class
 * without graphs. */
static void balance(double *weight, size_t classes)
{
    double all = 0, present = 0;
    for (size_t c = 0; c < classes; c++) {
        all += weight[c];
        present += weight[c] > 0;
    }
    for (size_t c = 0; c < classes; c++) weight[c] = weight[c] > 0 ? all / (present * weight[c]) : 1;
}

/* Balances the weights by the training graphs that have a class or, for each task, a label. */
static void balance_weights(lm_trainer *t, size_t outputs, bool tasks)
{
    size_t graphs;
    const uint32_t *graph = part_of(t, LM_TRAIN_PART, &graphs);
    for (size_t i = 0; i < (tasks ? 2 * outputs : outputs); i++) t->class_weight[i] = 0;
    for (size_t i = 0; i < graphs; i++) {
        const double *label = tasks ? t->labels.target + graph[i] * outputs : NULL;
        for (size_t j = 0; tasks && j < outputs; j++)
            if (!isnan(label[j])) t->class_weight[2 * j + (label[j] > 0.5)]++;
        if (!tasks && t->labels.class_id[graph[i]] != LM_NO_TYPE) t->class_weight[t->labels.class_id[graph[i]]]++;
    }
    for (size_t j = 0; tasks && j < outputs; j++) balance(t->class_weight + 2 * j, 2);
    if (!tasks) balance(t->class_weight, outputs);
}

/* Sets the weights of the classes, if the options ask for weights or some graph has no class. */
static leman_status set_up_weights(lm_trainer *t)
{
    const leman_training *o = t->training;
    const size_t outputs = t->network->outputs;
    const bool tasks = t->network->task_label;
    if (!o->class_weight && !o->balanced_weights && !t->labels.missing) return LEMAN_OK;
    const size_t weights = tasks ? 2 * outputs : outputs;
    PASS_NEW(t->ctx, t->class_weight, weights);
    for (size_t i = 0; i < weights; i++) t->class_weight[i] = o->class_weight ? o->class_weight[tasks ? i % 2 : i] : 1;
    if (o->balanced_weights && !o->class_weight) balance_weights(t, outputs, tasks);
    t->inputs->weight = t->class_weight;
    return LEMAN_OK;
}

/* The weight of the batch in the mean over batches: the sum of the weights of its rows or, if it has targets, the sum of
 * the weights of the known targets divided by the number of targets of a row. */
static double weight_of_batch(const lm_batch *b)
{
    const size_t rows = b->extent.rows[b->level];
    double sum = 0;
    for (size_t i = 0; i < rows * b->targets; i++)
        if (!isnan((double)b->target[i])) sum += b->target_weight ? b->target_weight[i] : 1;
    if (b->targets) return sum / (double)b->targets;
    for (size_t r = 0; r < rows; r++) sum += b->graph_weight ? b->graph_weight[r] : 1;
    return sum;
}

static leman_status set_up_inputs(lm_trainer *t)
{
    const leman_network *network = t->network;
    const lm_learned learned = lm_network_learned(network);
    PASS(lm_labels_compute(t->ctx, network, t->data, &t->labels));
    PASS(lm_row_list_new(t->ctx, t->data, network->level, &t->rows));
    PASS(lm_row_list_parts(t->ctx, &t->rows, t->parts, &t->row_parts));
    PASS(lm_network_inputs(t->ctx, network, t->data, &t->read));
    PASS(lm_inputs_new(t->ctx, t->read ? t->read : t->data, network->encoding, &t->inputs));
    t->inputs->rows = &t->rows;
    t->inputs->target = t->labels.target;
    t->inputs->targets = learned == LM_LEARN_CLASSES ? 0 : network->outputs;
    t->inputs->class_id = t->labels.class_id;
    if (learned != LM_LEARN_TARGETS) PASS(set_up_weights(t));
    PASS_NEW(t->ctx, t->order, t->parts->count[LM_TRAIN_PART]);
    return LEMAN_OK;
}

/* Returns true if the device computes with fewer bits than errors are measured with. */
static bool measures_apart(const lm_trainer *t)
{
    return !t->backend->immediate && t->ctx->settings.precision != LEMAN_PRECISION_FP32;
}

/* Allocates everything that the run needs in the memory of its devices, so a run that has begun cannot run out of
 * memory. */
static leman_status allocate_all(lm_trainer *t, lm_mode mode, const lm_extent *max, const lm_extent *measured)
{
    const leman_network *network = t->network;
    const lm_program *program = network->program;
    const size_t most = largest_part(t);
    size_t predictions;
    PASS(lm_executor_new(t->ctx, program, t->backend, mode, &t->executor));
    PASS(lm_executor_reserve(t->executor, max));
    PASS(reserve_batches(t, t->backend, max, NULL));
    if (t->exact_backend) {
        PASS(lm_executor_new(t->ctx, program, t->exact_backend, LM_INFER, &t->exact));
        PASS(lm_executor_reserve(t->exact, measured));
        PASS(reserve_batches(t, t->exact_backend, measured, NULL));
        PASS_NEW(t->ctx, t->weights, program->numbers);
    }
    PASS(lm_executor_keep_predictions(t->exact ? t->exact : t->executor, most));
    if (!lm_multiply(most, network->outputs, &predictions)) predictions = SIZE_MAX;
    PASS_NEW(t->ctx, t->predicted, predictions);
    return LEMAN_OK;
}

static leman_status set_up_executor(lm_trainer *t)
{
    const lm_program *program = t->network->program;
    const size_t enough = (size_t)lm_saturating_multiply(t->training->value_mebibytes, (size_t)1 << 20);
    lm_mode mode = LM_RECOMPUTE;
    lm_extent max, measured = {{0}};
    lm_executor_size exact = {0};
    PASS(lm_backend_new(t->ctx, t->device, lm_rank(t->ctx), &t->backend));
    if (t->backend->number_bytes(t->backend, t->rows.space) != sizeof(lm_real))
        return lm_fail(t->ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found the precision %s and the level %s, expected tf32 or fp32: predictions are not rounded",
                       leman_precision_name(t->ctx->settings.precision), leman_level_name(t->network->level));
    if ((lm_has_ranks(t->ctx) || t->ctx->ranks.stopped) && t->training->epochs && !t->planned)
        PASS(t->backend->join(t->backend));
    PASS(largest_batch(t, &max));
    if (!t->training->recompute) mode = LM_TRAIN;
    if (mode == LM_TRAIN && t->backend->replay) /* a device: on the CPU computing again takes a quarter more time */
        PASS(lm_executor_choose(t->ctx, program, t->backend, &max, enough, &mode));
    PASS(lm_executor_measure(t->ctx, program, t->backend, mode, &max, &t->size));
    if (!t->training->epochs && !t->planned) return LEMAN_OK; /* only the sizes are needed */
    if (measures_apart(t)) {
        raise_to_parts(t, &measured);
        PASS(lm_backend_new_exact(t->ctx, t->device, lm_rank(t->ctx), t->backend, &t->exact_backend));
        PASS(lm_executor_measure(t->ctx, program, t->exact_backend, LM_INFER, &measured, &exact));
    }
    PASS(within_budget(t, &max, &measured, &exact));
    if (t->planned) return LEMAN_OK;
    PASS(allocate_all(t, mode, &max, &measured));
    PASS(lm_executor_initialize(t->executor, t->seed));
    if (!t->backend->immediate)
        lm_log(t->ctx, "computing on %s in %s", t->backend->name, leman_precision_name(t->ctx->settings.precision));
    return LEMAN_OK;
}

void lm_trainer_free(lm_trainer *t)
{
    if (!t) return;
    lm_executor_free(t->executor);
    lm_executor_free(t->exact);
    lm_backend_free(t->backend);
    lm_backend_free(t->exact_backend);
    lm_release(t->weights);
    lm_batch_free(&t->batch);
    lm_batch_free(&t->whole);
    lm_inputs_free(t->inputs);
    leman_dataset_free(t->read);
    lm_row_list_free(&t->rows);
    leman_parts_free(t->row_parts);
    lm_labels_free(&t->labels);
    RELEASE(t->order, t->predicted, t->class_weight, t);
}

leman_status lm_trainer_new(leman_context *ctx, const lm_trainer *given, lm_trainer **out)
{
    AUTO(lm_trainer_drop) lm_trainer *t = NULL;
    PASS_NEW(ctx, t, 1);
    *t = *given;
    t->ctx = ctx;
    lm_batch_init(ctx, &t->batch);
    lm_batch_init(ctx, &t->whole);
    PASS(set_up_inputs(t));
    PASS(set_up_executor(t));
    return HAND_OVER(out, t);
}

/* The multiplications of the linear maps in one pass over graphs of this extent. */
static double multiplications(const lm_program *p, const lm_extent *extent)
{
    double sum = 0;
    for (size_t i = 0; i < p->steps.count; i++) {
        const lm_step *step = lm_program_step(p, i);
        if (step->operation != LM_OP_LINEAR) continue;
        const lm_weight *map = lm_program_weight(p, step->weight[0]);
        const double rows = (double)extent->rows[lm_program_value(p, step->output[0])->space];
        sum += rows * (double)map->rows * (double)map->columns;
    }
    return sum;
}

double lm_trainer_operations(const lm_trainer *t)
{
    static const double PASSES[] = {[LM_TRAIN_PART] = 3, [LM_VAL_PART] = 1}; /* backward is twice the work of forward */
    double sum = 0;
    for (lm_data_part part = LM_TRAIN_PART; part <= LM_VAL_PART; part++) {
        size_t count;
        const uint32_t *graph = part_of(t, part, &count);
        const lm_extent extent = lm_inputs_extent(t->inputs, graph, count);
        sum += 2 * PASSES[part] * multiplications(t->network->program, &extent);
    }
    return sum * (double)t->training->epochs;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* Sets the control numbers of a step for the batch of this rank, which has the piece `own` of `count` graphs. */
static leman_status control_step(lm_trainer *t, const uint32_t *graph, size_t count, piece own, lm_control *control)
{
    control->weight = weight_of_batch(&t->batch);
    control->share = 1;
    if (!lm_has_ranks(t->ctx)) return LEMAN_OK;
    if (own.count == count) { /* all ranks have all graphs */
        control->share = 1 / (double)lm_rank_count(t->ctx);
        control->weight *= control->share;
        return LEMAN_OK;
    }
    PASS(lm_inputs_labels(t->inputs, graph, count, &t->whole));
    const double all = weight_of_batch(&t->whole);
    control->share = all > 0 ? control->weight / all : 0;
    control->before = lm_inputs_extent(t->inputs, graph, own.first);
    control->before.rows[LM_LABELS] = control->before.rows[LM_SINGLE] = 0; /* these rows are common to all ranks */
    return LEMAN_OK;
}

static leman_status step(lm_trainer *t, const uint32_t *graph, size_t count, double learning_rate)
{
    const leman_training *o = t->training;
    const lm_adam rule = lm_adam_rule(o->weight_decay, o->max_gradient_norm);
    const piece own = trained_piece(t, count);
    lm_control control = {.tick = t->steps, .t = t->steps + 1, .rate = learning_rate};
    PASS(lm_inputs_batch(t->inputs, graph + own.first, own.count, &t->batch));
    PASS(control_step(t, graph, count, own, &control));
    PASS(lm_executor_train(t->executor, &t->batch, &control, &rule));
    t->steps++;
    return lm_progress_step(t->ctx, ++t->batches);
}

/* Sums the totals of the executor over all ranks. */
static leman_status sum_totals(lm_trainer *t, lm_executor *executor, lm_totals *totals)
{
    double numbers[4];
    PASS(lm_executor_totals(executor, totals));
    memcpy(numbers, totals, sizeof numbers);
    PASS(lm_ranks_sum(t->ctx, LM_FLOAT64, numbers, 4));
    memcpy(totals, numbers, sizeof numbers);
    return LEMAN_OK;
}
_Static_assert(sizeof(lm_totals) == 4 * sizeof(double), "totals are four numbers");

/* Computes the loss of the epoch so far. A batch whose loss is not finite has changed no weight; it ends the
 * training. */
static leman_status check_losses(lm_trainer *t, uint64_t epoch, double learning_rate, double *loss)
{
    lm_totals totals = {0};
    PASS(sum_totals(t, t->executor, &totals));
    if (totals.failed > 0)
        return lm_fail(
            t->ctx, LEMAN_ERROR_INPUT,
            "the loss is %g in epoch %llu at learning rate %g: training diverged; a lower rate or clipping may help",
            totals.failed_loss, (unsigned long long)epoch, learning_rate);
    *loss = totals.loss / totals.weight;
    return LEMAN_OK;
}

leman_status lm_trainer_epoch(lm_trainer *t, uint64_t epoch, double learning_rate, double *loss)
{
    const size_t graphs = t->parts->count[LM_TRAIN_PART];
    lm_trainer_order(t, epoch);
    lm_executor_clear_totals(t->executor);
    for (size_t at = 0; at < graphs; at += t->training->batch_size) {
        PASS(step(t, t->order + at, batch_at(t, at, graphs), learning_rate));
        if (t->backend->immediate) PASS(check_losses(t, epoch, learning_rate, loss));
    }
    return check_losses(t, epoch, learning_rate, loss);
}

/* Sets predicted[] to the outputs of the rows of a part and totals to their losses, both over all ranks. */
static leman_status predict_part(lm_trainer *t, lm_data_part part, lm_totals *totals)
{
    lm_executor *executor = t->exact ? t->exact : t->executor;
    size_t graphs, rows = 0;
    const uint32_t *graph = part_of(t, part, &graphs);
    if (t->exact) {
        PASS(lm_executor_weights_read(t->executor, t->weights));
        PASS(lm_executor_weights_write(t->exact, t->weights));
    }
    lm_executor_clear_totals(executor);
    for (size_t at = 0; at < graphs; at += t->training->batch_size) {
        const size_t batch = batch_at(t, at, graphs);
        const piece own = piece_of(t, batch);
        if (own.count) {
            PASS(lm_inputs_batch(t->inputs, graph + at + own.first, own.count, &t->batch));
            PASS(lm_executor_measure_batch(executor, &t->batch, weight_of_batch(&t->batch),
                                           rows + rows_of(t, graph + at, own.first)));
        }
        rows += rows_of(t, graph + at, batch);
        PASS(lm_progress_step(t->ctx, ++t->batches));
    }
    PASS(sum_totals(t, executor, totals));
    PASS(lm_executor_kept_predictions(executor, rows, t->predicted));
    return lm_ranks_sum(t->ctx, sizeof(lm_real) == sizeof(float) ? LM_FLOAT32 : LM_FLOAT64, t->predicted,
                        rows * t->network->outputs);
}

leman_status lm_trainer_measure(lm_trainer *t, lm_data_part part, lm_measure *out, double *each)
{
    lm_predicted p = {.learned = lm_network_learned(t->network),
                      .outputs = t->network->outputs,
                      .labels = &t->labels,
                      .output = t->predicted};
    lm_totals totals = {0};
    PASS(predict_part(t, part, &totals));
    p.graph = rows_of_part(t, part, &p.graphs);
    out->error = lm_error_of(&p);
    out->loss = totals.weight > 0 ? totals.loss / totals.weight : NAN;
    PASS(lm_score_by(t->ctx, &p, t->training->score, &out->score));
    for (size_t i = 0; i < p.outputs; i++) {
        if (p.learned == LM_LEARN_TARGETS) each[i] = lm_error_of_target(&p, i);
        if (p.learned == LM_LEARN_TASKS) PASS(lm_score_of_task(t->ctx, &p, LEMAN_SCORE_AUC, i, each + i));
    }
    return LEMAN_OK;
}
