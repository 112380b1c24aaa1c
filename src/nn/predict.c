/*
 * Predictions of a network for new graphs, batch by batch: targets in the units of the data, softmax of the outputs, or
 * the sigmoid of each. All devices compute in FP32. Values live only until their last use, so far less memory is needed
 * than for training.
 *
 * A batch that does not fit into the memory budget is predicted in halves. So a budget suffices if it holds the weights
 * and every graph alone, and a larger budget never fails if a smaller one succeeds.
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
    for (size_t g = 0; g < graphs; g++) lm_softmax(predicted + g * classes, classes, output + g * classes);
}

static void write_tasks(const leman_network *network, const lm_real *predicted, size_t graphs, double *output)
{
    for (size_t i = 0; i < graphs * network->outputs; i++) {
        const double y = (double)predicted[i], small = exp(-fabs(y)) / (1 + exp(-fabs(y)));
        output[i] = y < 0 ? small : 1 - small;
    }
}

struct leman_predictor {
    leman_context *ctx;
    const leman_network *network;
    lm_backend *backend;
    lm_executor *executor;
    lm_inputs *inputs; /* of the data of the current run */
    lm_batch batch;
    size_t capacity; /* of which[] and predicted[], in graphs */
    uint32_t *which;
    lm_real *predicted; /* [capacity][outputs] */
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
    lm_free(p->ctx, p->which);
    lm_free(p->ctx, p->predicted);
    lm_free(p->ctx, p);
}

leman_status leman_predictor_new(leman_context *ctx, const leman_network *network, leman_predictor **predictor)
{
    leman_status st = LEMAN_OK;
    leman_predictor *p = NULL;
    REQUIRE(ctx, network);
    REQUIRE(ctx, predictor);
    TRY(lm_network_is_trained(ctx, network));
    NEW(ctx, p, 1);
    *p = (leman_predictor){.ctx = ctx, .network = network};
    lm_batch_init(ctx, &p->batch);
    TRY(lm_backend_new_exact(ctx, ctx->settings.device, 0, NULL, &p->backend));
    TRY(lm_executor_new(ctx, network->program, p->backend, LM_INFER, &p->executor));
    TRY(lm_executor_weights_write(p->executor, network->weights));
    *predictor = p;
done:
    if (st) leman_predictor_free(p);
    return st;
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
    lm_free(p->ctx, p->which);
    lm_free(p->ctx, p->predicted);
    p->which = NULL;
    p->predicted = NULL;
    p->capacity = 0;
}

/* Chooses the number of graphs in the first batch: as many as wanted, or fewer if memory is scarce. The weights are
 * allocated already. */
static leman_status choose_batch(leman_predictor *p, size_t graphs, size_t *batch)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = p->ctx;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    uint32_t *all;
    SCRATCH(ctx, all, graphs);
    for (size_t g = 0; g < graphs; g++) all[g] = (uint32_t)g;
    for (; *batch > 1; *batch = (*batch + 1) / 2) {
        lm_extent max;
        lm_executor_size size;
        TRY(lm_inputs_max(p->inputs, all, graphs, *batch, &max));
        TRY(lm_executor_measure(ctx, p->network->program, p->backend, LM_INFER, &max, &size));
        const size_t values = lm_saturating_add(size.activation_bytes, size.workspace_bytes);
        if (values > p->backend->budget(p->backend)) release_batches(p);
        if (values <= p->backend->budget(p->backend)) break;
    }
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* Computes the outputs of graphs first .. first + count - 1 into predicted[]. */
static leman_status predict_batch(leman_predictor *p, size_t first, size_t count)
{
    leman_status st = LEMAN_OK;
    size_t predictions;
    if (count > p->capacity) {
        release_batches(p);
        NEW(p->ctx, p->which, count);
        if (!lm_multiply(count, p->network->outputs, &predictions)) predictions = SIZE_MAX;
        NEW(p->ctx, p->predicted, predictions);
        p->capacity = count;
    }
    for (size_t i = 0; i < count; i++) p->which[i] = (uint32_t)(first + i);
    TRY(lm_inputs_batch(p->inputs, p->which, count, &p->batch));
    TRY(lm_executor_forward(p->executor, &p->batch, false, 0));
    TRY(lm_executor_predictions(p->executor, p->predicted));
done:
    return st;
}

leman_status leman_predictor_run(leman_context *ctx, leman_predictor *p, const leman_dataset *data, size_t batch_size,
                                 double *output)
{
    static void (*const WRITE[])(const leman_network *, const lm_real *, size_t, double *) = {
        [LM_LEARN_TARGETS] = write_targets, [LM_LEARN_CLASSES] = write_probabilities, [LM_LEARN_TASKS] = write_tasks};
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, p);
    REQUIRE(ctx, data);
    REQUIRE(ctx, output);
    if (ctx != p->ctx)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found another context, expected the one that the predictor has");
    const leman_network *network = p->network;
    const size_t graphs = leman_dataset_shape(data)->graphs;
    const size_t wanted = batch_size ? batch_size : network->batch;
    size_t max = wanted < graphs ? wanted : graphs, again = SIZE_MAX;
    TRY(lm_inputs_new(ctx, data, network->encoding, &p->inputs));
    TRY(choose_batch(p, graphs, &max));
    lm_progress_begin(ctx, graphs, "predicting");
    for (size_t at = 0; at < graphs;) {
        const size_t count = graphs - at < max ? graphs - at : max;
        st = predict_batch(p, at, count);
        if (st == LEMAN_ERROR_BUDGET && (count > 1 || again != at)) { /* again, with fewer graphs and all memory */
            release_batches(p);
            max = (count + 1) / 2;
            again = at;
            continue;
        }
        TRY(st);
        WRITE[lm_network_learned(network)](network, p->predicted, count, output + at * network->outputs);
        at += count;
        TRY(lm_progress_step(ctx, at));
    }
done:
    if (p) {
        lm_inputs_free(p->inputs);
        p->inputs = NULL;
    }
    return st;
}

leman_status leman_network_predict(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                                   size_t batch_size, double *output)
{
    leman_status st = LEMAN_OK;
    leman_predictor *p = NULL;
    REQUIRE(ctx, data);
    REQUIRE(ctx, output);
    TRY(leman_predictor_new(ctx, network, &p));
    TRY(leman_predictor_run(ctx, p, data, batch_size, output));
done:
    leman_predictor_free(p);
    return st;
}

/* ---- The arrays of a batch ------------------------------------------------------------------- */

/* A public batch, and the internal batch that contains its arrays. */
typedef struct encoded {
    leman_batch base;
    lm_batch batch;
    lm_allocator allocator;
    leman_batch_array array[LM_BATCH_ARRAYS];
} encoded;

#define ARRAY(text, member)                                                                                            \
    {                                                                                                                  \
        text, offsetof(lm_batch, member)                                                                               \
    }
#define LISTED(i)                                                                                                      \
    ARRAY("sets" #i ".start", start[LM_LISTED + i]), ARRAY("sets" #i ".member", listed[i].member),                     \
        ARRAY("sets" #i ".neighbor_start", listed[i].start), ARRAY("sets" #i ".neighbor", listed[i].neighbor),         \
        ARRAY("sets" #i ".type", listed[i].type)

static const struct {
    const char *name;
    size_t pointer;
} PUBLIC_ARRAYS[] = {ARRAY("vertex_start", start[LM_VERTICES]),
                     ARRAY("arc_start", start[LM_ARCS]),
                     ARRAY("tail", tail),
                     ARRAY("head", head),
                     ARRAY("tuple_type", tuple_type),
                     ARRAY("vertex_type", vertex_type),
                     ARRAY("arc_label", arc_label),
                     ARRAY("count", count),
                     ARRAY("vertex_attribute", vertex_attribute),
                     ARRAY("arc_attribute", arc_attribute),
                     ARRAY("tuple_attribute", tuple_attribute),
                     LISTED(0),
                     LISTED(1)};
_Static_assert(LM_LISTS == 2, "the arrays of both");

/* Lists the arrays that the batch has, by name. */
static void list_arrays(encoded *e)
{
    for (size_t i = 0; i < sizeof PUBLIC_ARRAYS / sizeof *PUBLIC_ARRAYS; i++)
        for (const lm_batch_array *a = lm_batch_arrays; a < lm_batch_arrays + LM_BATCH_ARRAYS; a++) {
            if (a->pointer != PUBLIC_ARRAYS[i].pointer || !lm_batch_array_of(&e->batch, a)) continue;
            const size_t columns = a->rows == LM_SINGLE ? 1 : lm_batch_row_elements(&e->batch, a);
            e->array[e->base.arrays++] = (leman_batch_array){.name = PUBLIC_ARRAYS[i].name,
                                                             .rows = a->count(&e->batch) / columns,
                                                             .columns = columns,
                                                             .bytes = a->element,
                                                             .real = a->kind == LM_ARRAY_REALS,
                                                             .data = lm_batch_array_of(&e->batch, a)};
        }
    e->base.array = e->array;
}

void leman_batch_free(leman_batch *batch)
{
    encoded *e = (encoded *)(void *)batch;
    if (!e) return;
    leman_context owner = {.allocator = e->allocator};
    e->batch.ctx = &owner;
    lm_batch_free(&e->batch);
    lm_free(&owner, e);
}

leman_status leman_network_encode(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                                  leman_batch **batch)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = {0};
    lm_inputs *inputs = NULL;
    encoded *e = NULL;
    uint32_t *all;
    REQUIRE(ctx, network);
    REQUIRE(ctx, data);
    REQUIRE(ctx, batch);
    mark = lm_arena_now(&ctx->scratch);
    const size_t graphs = leman_dataset_shape(data)->graphs;
    NEW(ctx, e, 1);
    *e = (encoded){.allocator = ctx->allocator};
    lm_batch_init(ctx, &e->batch);
    SCRATCH(ctx, all, graphs);
    for (size_t g = 0; g < graphs; g++) all[g] = (uint32_t)g;
    TRY(lm_inputs_new(ctx, data, network->encoding, &inputs));
    TRY(lm_inputs_batch(inputs, all, graphs, &e->batch));
    list_arrays(e);
    *batch = &e->base;
done:
    if (ctx) lm_arena_reset(&ctx->scratch, mark);
    lm_inputs_free(inputs);
    if (st && e) leman_batch_free(&e->base);
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
    inputs->out_of_vocabulary = 1; /* suppresses the log message: predicting logs it */
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
