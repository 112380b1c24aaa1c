/*
 * Predictions of a network for new graphs, batch by batch: targets in the units of the data, softmax of the outputs, or
 * the sigmoid of each. All devices compute in FP32. Values live only until their last use, so far less memory is needed
 * than for training.
 *
 * A batch that does not fit into the memory budget is predicted in halves. So a budget suffices if it holds the weights
 * and every graph alone, and a larger budget never fails if a smaller one succeeds.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "nn/backends.h"
#include "nn/network.h"
#include <math.h>

/* Writes predictions of rows, row[count] by their numbers in the data. */
static void write_outputs(const leman_network *n, const lm_real *predicted, const uint32_t *row, size_t count,
                          double *outputs)
{
    const lm_learned learned = lm_network_learned(n);
    for (size_t r = 0; r < count; r++, predicted += n->outputs) {
        double *output = outputs + row[r] * n->outputs;
        if (learned == LM_LEARN_CLASSES) lm_softmax(predicted, n->outputs, output);
        for (size_t i = 0; learned != LM_LEARN_CLASSES && i < n->outputs; i++) {
            const double y = (double)predicted[i], small = exp(-fabs(y)) / (1 + exp(-fabs(y)));
            output[i] = learned == LM_LEARN_TARGETS ? lm_scale_out(&n->scale, i, y) : y < 0 ? small : 1 - small;
        }
    }
}

struct leman_predictor {
    leman_context *ctx;
    const leman_network *network;
    lm_backend *backend;
    lm_executor *executor;
    lm_batch batch;
    size_t capacity, row_capacity; /* of which[] in graphs, of predicted[] in rows */
    uint32_t *which;
    lm_real *predicted; /* [row_capacity][outputs] */
};

leman_status lm_network_is_trained(leman_context *ctx, const leman_network *network)
{
    if (network->weights) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "the network is not trained, expected at least one epoch");
}

void leman_predictor_free(leman_predictor *p)
{
    if (!p) return;
    lm_executor_free(p->executor);
    lm_backend_free(p->backend);
    lm_batch_free(&p->batch);
    RELEASE(p->which, p->predicted, p);
}

leman_status leman_predictor_new(leman_context *ctx, const leman_network *network, leman_predictor **predictor)
{
    AUTO(leman_predictor_drop) leman_predictor *p = NULL;
    REQUIRE(ctx, network, predictor);
    PASS(lm_network_is_trained(ctx, network));
    PASS_NEW(ctx, p, 1);
    *p = (leman_predictor){.ctx = ctx, .network = network};
    lm_batch_init(ctx, &p->batch);
    PASS(lm_backend_new_exact(ctx, ctx->settings.device, 0, NULL, &p->backend));
    PASS(lm_executor_new(ctx, network->program, p->backend, LM_INFER, &p->executor));
    PASS(lm_executor_weights_write(p->executor, network->weights));
    return HAND_OVER(predictor, p);
}

const leman_network *lm_predictor_network(const leman_predictor *predictor)
{
    return predictor->network;
}

/* Frees everything that was allocated for batches. */
static void release_batches(leman_predictor *p)
{
    lm_executor_release_values(p->executor);
    lm_batch_free(&p->batch);
    RELEASE(p->which, p->predicted);
    p->which = NULL;
    p->predicted = NULL;
    p->capacity = p->row_capacity = 0;
}

/* Computes the outputs of graphs first .. first + count - 1, which have so many rows, into predicted[]. */
static leman_status predict_batch(leman_predictor *p, lm_inputs *inputs, size_t first, size_t count, size_t rows)
{
    size_t predictions;
    if (count > p->capacity || rows > p->row_capacity) {
        release_batches(p);
        PASS_NEW(p->ctx, p->which, count);
        if (!lm_multiply(rows, p->network->outputs, &predictions)) predictions = SIZE_MAX;
        PASS_NEW(p->ctx, p->predicted, predictions);
        p->capacity = count;
        p->row_capacity = rows;
    }
    for (size_t i = 0; i < count; i++) p->which[i] = (uint32_t)(first + i);
    PASS(lm_inputs_batch(inputs, p->which, count, &p->batch));
    PASS(lm_executor_forward(p->executor, &p->batch, false, 0));
    return lm_executor_value(p->executor, p->network->program->prediction, p->predicted);
}

leman_status leman_predictor_run(leman_context *ctx, leman_predictor *p, const leman_dataset *data, size_t batch_size,
                                 double *output)
{
    AUTO(leman_dataset_drop) leman_dataset *made = NULL;
    AUTO(lm_row_list_free) lm_row_list rows = {0};
    AUTO(lm_inputs_drop) lm_inputs *inputs = NULL;
    REQUIRE(ctx, p, data, output);
    if (ctx != p->ctx)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found another context, expected the one that the predictor has");
    const leman_network *network = p->network;
    const size_t graphs = leman_dataset_shape(data)->graphs;
    const size_t wanted = batch_size ? batch_size : network->batch;
    size_t max = wanted < graphs ? wanted : graphs, again = SIZE_MAX;
    PASS(lm_network_inputs(ctx, network, data, &made));
    PASS(lm_inputs_new(ctx, made ? made : data, network->encoding, &inputs));
    PASS(lm_row_list_new(ctx, data, network->level, &rows));
    for (size_t i = 0; rows.space == LM_ARCS && i < data->arcs * network->outputs; i++) output[i] = NAN; /* loops */
    lm_progress_begin(ctx, graphs, "predicting");
    for (size_t at = 0; at < graphs;) {
        const size_t count = graphs - at < max ? graphs - at : max;
        const uint32_t *row = rows.row + rows.start[at];
        const size_t row_count = rows.start[at + count] - rows.start[at];
        const leman_status st = predict_batch(p, inputs, at, count, row_count);
        if (st == LEMAN_ERROR_BUDGET && (count > 1 || again != at)) { /* again, with fewer graphs and all memory */
            release_batches(p);
            max = (count + 1) / 2;
            again = at;
            continue;
        }
        PASS(st);
        write_outputs(network, p->predicted, row, row_count, output);
        at += count;
        PASS(lm_progress_step(ctx, at));
    }
    return LEMAN_OK;
}

leman_status leman_network_predict(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                                   size_t batch_size, double *output)
{
    AUTO(leman_predictor_drop) leman_predictor *p = NULL;
    REQUIRE(ctx, data, output);
    PASS(leman_predictor_new(ctx, network, &p));
    return leman_predictor_run(ctx, p, data, batch_size, output);
}
