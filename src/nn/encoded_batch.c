/* Graphs of a data set as the public arrays that a network reads, and how many of their labels the network does not
 * know. Costs O(rows) for the graphs, like a batch. */
#include "base/arguments.h"
#include "nn/network.h"
#include <math.h>

/* A public batch, and the internal batch that contains its arrays. */
typedef struct encoded {
    leman_batch base;
    lm_batch batch;
    lm_allocator allocator;
    leman_batch_array array[LM_BATCH_ARRAYS];
} encoded;

/* Lists the arrays that the batch has, by name. */
static void list_arrays(encoded *e)
{
    for (const lm_batch_array *a = lm_batch_arrays; a < lm_batch_arrays + LM_BATCH_ARRAYS; a++) {
        if (!a->name || !lm_batch_array_of(&e->batch, a)) continue;
        const size_t columns = a->rows == LM_SINGLE ? 1 : lm_batch_row_elements(&e->batch, a);
        e->array[e->base.arrays++] = (leman_batch_array){.name = a->name,
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
    lm_release(e);
}

leman_status leman_network_encode(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                                  leman_batch **batch)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = {0};
    lm_inputs *inputs = NULL;
    encoded *e = NULL;
    uint32_t *all;
    REQUIRE(ctx, network, data, batch);
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
    REQUIRE(ctx, network, data, share);
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
