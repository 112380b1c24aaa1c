/*
 * Predictions of a network for new graphs, batch by batch: targets in the units of the data, softmax of the outputs, or
 * the sigmoid of each.
 * Values live until their last use, so memory is far below that of training. On every device in FP32.
 * A batch that does not fit into the memory budget is predicted in halves. So a budget suffices if it holds the weights
 * and every graph alone, and a larger budget never fails where a smaller one succeeded.
 */
#include "base/arguments.h"
#include "nn/device.h"
#include "nn/network.h"
#include <math.h>

static void write_targets(const leman_network *network, const lm_real *predicted, size_t graphs, double *output)
{
    for (size_t g = 0; g < graphs; g++)
        for (size_t t = 0; t < network->outputs; t++, predicted++)
            *output++ = lm_scale_out(&network->scale, t, (double)*predicted);
}

static void write_probabilities(const leman_network *network, const lm_real *predicted, size_t graphs, double *output)
{
    const size_t classes = network->outputs;
    for (size_t g = 0; g < graphs; g++, predicted += classes, output += classes) {
        double max = (double)predicted[0], sum = 0;
        for (size_t c = 1; c < classes; c++)
            if ((double)predicted[c] > max) max = (double)predicted[c];
        for (size_t c = 0; c < classes; c++) sum += output[c] = exp((double)predicted[c] - max);
        for (size_t c = 0; c < classes; c++) output[c] /= sum;
    }
}

static void write_tasks(const leman_network *network, const lm_real *predicted, size_t graphs, double *output)
{
    for (size_t i = 0; i < graphs * network->outputs; i++) {
        const double y = (double)predicted[i], small = exp(-fabs(y)) / (1 + exp(-fabs(y)));
        output[i] = y < 0 ? small : 1 - small;
    }
}

/* What a pass over the graphs needs. */
typedef struct predictor {
    lm_inputs *inputs;
    lm_backend *backend;
    lm_executor *executor;
    lm_batch batch;
    size_t capacity; /* graphs that which[] and predicted[] hold */
    uint32_t *which;
    lm_real *predicted; /* [capacity][outputs] */
} predictor;

leman_status lm_network_is_trained(leman_context *ctx, const leman_network *network)
{
    if (network->weights) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "the network is not trained, expected at least one epoch");
}

/* Graphs in the first batch: as many as wanted, or fewer where memory is scarce. The weights are there already. */
static leman_status choose_batch(leman_context *ctx, const leman_network *network, const predictor *p, size_t graphs,
                                 size_t *batch)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    uint32_t *all;
    SCRATCH(ctx, all, graphs);
    for (size_t g = 0; g < graphs; g++) all[g] = (uint32_t)g;
    for (; *batch > 1; *batch = (*batch + 1) / 2) {
        lm_extent max;
        lm_executor_size size;
        TRY(lm_inputs_max(p->inputs, all, graphs, *batch, &max));
        TRY(lm_executor_measure(ctx, network->program, p->backend, LM_INFER, &max, &size));
        const size_t values = lm_saturating_add(size.activation_bytes, size.workspace_bytes);
        if (values <= p->backend->budget(p->backend)) break;
    }
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

static leman_status predictor_new(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                                  size_t *batch, predictor *p)
{
    leman_status st = LEMAN_OK;
    TRY(lm_inputs_new(ctx, data, network->encoding, &p->inputs));
    TRY(lm_backend_new_exact(ctx, ctx->settings.device, 0, NULL, &p->backend));
    TRY(lm_executor_new(ctx, network->program, p->backend, LM_INFER, &p->executor));
    TRY(lm_executor_weights_write(p->executor, network->weights));
    TRY(choose_batch(ctx, network, p, leman_dataset_shape(data)->graphs, batch));
done:
    return st;
}

static void predictor_free(leman_context *ctx, predictor *p)
{
    lm_executor_free(p->executor);
    lm_backend_free(p->backend);
    lm_inputs_free(p->inputs);
    lm_batch_free(&p->batch);
    lm_free(ctx, p->which);
    lm_free(ctx, p->predicted);
}

/* All that is allocated for batches, given back. */
static void release_batches(leman_context *ctx, predictor *p)
{
    if (p->executor) lm_executor_release_values(p->executor);
    lm_batch_free(&p->batch);
    lm_batch_init(ctx, &p->batch);
    lm_free(ctx, p->which);
    lm_free(ctx, p->predicted);
    p->which = NULL;
    p->predicted = NULL;
    p->capacity = 0;
}

/* The outputs of graphs first .. first + count - 1 in predicted[]. */
static leman_status predict_batch(leman_context *ctx, const leman_network *network, predictor *p, size_t first,
                                  size_t count)
{
    leman_status st = LEMAN_OK;
    size_t predictions;
    if (count > p->capacity) {
        release_batches(ctx, p);
        NEW(ctx, p->which, count);
        if (!lm_multiply(count, network->outputs, &predictions)) predictions = SIZE_MAX;
        NEW(ctx, p->predicted, predictions);
        p->capacity = count;
    }
    for (size_t i = 0; i < count; i++) p->which[i] = (uint32_t)(first + i);
    TRY(lm_inputs_batch(p->inputs, p->which, count, &p->batch));
    TRY(lm_executor_forward(p->executor, &p->batch, false, 0));
    TRY(lm_executor_predictions(p->executor, p->predicted));
done:
    return st;
}

leman_status leman_network_predict(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                                   size_t batch_size, double *output)
{
    static void (*const WRITE[])(const leman_network *, const lm_real *, size_t, double *) = {
        [LM_LEARN_TARGETS] = write_targets, [LM_LEARN_CLASSES] = write_probabilities, [LM_LEARN_TASKS] = write_tasks};
    leman_status st = LEMAN_OK;
    predictor p = {0};
    REQUIRE(ctx, network);
    REQUIRE(ctx, data);
    REQUIRE(ctx, output);
    const size_t graphs = leman_dataset_shape(data)->graphs;
    const size_t wanted = batch_size ? batch_size : network->batch;
    size_t max = wanted < graphs ? wanted : graphs, again = SIZE_MAX;
    lm_batch_init(ctx, &p.batch);
    TRY(lm_network_is_trained(ctx, network));
    TRY(predictor_new(ctx, network, data, &max, &p));
    lm_progress_begin(ctx, graphs, "predicting");
    for (size_t at = 0; at < graphs;) {
        const size_t count = graphs - at < max ? graphs - at : max;
        st = predict_batch(ctx, network, &p, at, count);
        if (st == LEMAN_ERROR_BUDGET && (count > 1 || again != at)) { /* with less, and nothing left of other batches */
            release_batches(ctx, &p);
            max = (count + 1) / 2;
            again = at;
            continue;
        }
        TRY(st);
        WRITE[lm_network_learned(network)](network, p.predicted, count, output + at * network->outputs);
        at += count;
        TRY(lm_progress_step(ctx, at));
    }
done:
    predictor_free(ctx, &p);
    return st;
}

leman_status leman_network_out_of_vocabulary(leman_context *ctx, const leman_network *network,
                                             const leman_dataset *data, double *share)
{
    leman_status st = LEMAN_OK;
    lm_inputs *inputs = NULL;
    lm_batch batch = {0};
    REQUIRE(ctx, network);
    REQUIRE(ctx, data);
    REQUIRE(ctx, share);
    const size_t graphs = leman_dataset_shape(data)->graphs;
    lm_batch_init(ctx, &batch);
    TRY(lm_inputs_new(ctx, data, network->encoding, &inputs));
    inputs->out_of_vocabulary = 1; /* predicting logs that there are some */
    lm_progress_begin(ctx, graphs, "looking for labels that are not known");
    for (size_t g = 0; g < graphs; g++) {
        const uint32_t which = (uint32_t)g;
        const uint64_t before = inputs->out_of_vocabulary;
        TRY(lm_inputs_batch(inputs, &which, 1, &batch));
        const size_t *rows = batch.extent.rows;
        const size_t all = (batch.tuple_types ? rows[LM_TUPLES] : 0) + (batch.vertex_types ? rows[LM_VERTICES] : 0) +
                           (batch.arc_labels ? rows[LM_ARCS] : 0) + rows[LM_LISTED] + rows[LM_LISTED + 1];
        share[g] = all ? fmin(1, (double)(inputs->out_of_vocabulary - before) / (double)all) : 0;
        TRY(lm_progress_step(ctx, g + 1));
    }
done:
    lm_inputs_free(inputs);
    lm_batch_free(&batch);
    return st;
}
