/* Graphs of a data set as the public arrays that a network reads, and how many of their labels the network does not
 * know. Costs O(rows) for the graphs, like a batch. */
#include "base/arguments.h"
#include "nn/network.h"
#include <math.h>
#include <string.h>

/* A public batch, and the internal batch that contains its arrays. */
typedef struct encoded {
    leman_batch base;
    lm_batch batch;
    lm_widths widths; /* of the encoding: numbers of types are below them */
    leman_batch_array array[LM_BATCH_ARRAYS];
} encoded;

/* Lists the arrays that the batch has, by name. */
static void list_arrays(encoded *e)
{
    for (const lm_batch_array *a = lm_batch_arrays; a < lm_batch_arrays + LM_BATCH_ARRAYS; a++) {
        if (!a->name || !lm_batch_array_of(&e->batch, a)) continue;
        const size_t columns = a->kind == LM_ARRAY_STARTS ? 1 : lm_batch_row_elements(&e->batch, a);
        e->array[e->base.arrays++] = (leman_batch_array){.name = a->name,
                                                         .rows = lm_batch_count(&e->batch, a) / columns,
                                                         .columns = columns,
                                                         .bytes = a->element,
                                                         .real = a->kind == LM_ARRAY_REALS,
                                                         .data = lm_batch_array_of(&e->batch, a)};
    }
    e->base.array = e->array;
}

void leman_batch_free(leman_batch *batch)
{
    if (!batch) return;
    lm_batch_free(&((encoded *)(void *)batch)->batch);
    lm_release(batch);
}

leman_status leman_network_encode(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                                  leman_batch **batch)
{
    REQUIRE(ctx, network, data, batch);
    SCRATCH_SCOPE(ctx);
    AUTO(leman_dataset_drop) leman_dataset *read = NULL;
    AUTO(lm_inputs_drop) lm_inputs *inputs = NULL;
    AUTO(leman_batch_drop) leman_batch *made = NULL;
    const size_t graphs = leman_dataset_shape(data)->graphs;
    encoded *e;
    uint32_t *all;
    PASS_NEW_ZERO(ctx, e, 1);
    made = &e->base;
    lm_batch_init(ctx, &e->batch);
    PASS_SCRATCH(ctx, all, graphs);
    for (size_t g = 0; g < graphs; g++) all[g] = (uint32_t)g;
    PASS(lm_network_inputs(ctx, network, data, &read));
    PASS(lm_inputs_new(ctx, read ? read : data, network->encoding, &inputs));
    PASS(lm_inputs_batch(inputs, all, graphs, &e->batch));
    e->widths = network->encoding->widths;
    list_arrays(e);
    return HAND_OVER(batch, made);
}

/* Does the batch have the numbers that an embed step looks up? */
static bool has_index(const lm_batch *b, const lm_step *step)
{
    switch (step->index) {
    case LM_INDEX_TUPLE_TYPE: return b->tuple_types;
    case LM_INDEX_COUNT: return step->position < b->counts;
    case LM_INDEX_VERTEX_TYPE: return b->vertex_types;
    case LM_INDEX_ARC_LABEL: return b->arc_labels;
    case LM_INDEX_LISTED_TYPE: return b->listed[step->position].types;
    default: return true;
    }
}

leman_status lm_encoded_batch(leman_context *ctx, const leman_network *network, const leman_batch *batch,
                              const lm_batch **out)
{
    const encoded *e = (const encoded *)(const void *)batch;
    const lm_program *p = network->program;
    bool fits = e->batch.k == p->k && !memcmp(&e->widths, &network->encoding->widths, sizeof e->widths);
    for (size_t s = 0; fits && s < p->steps.count; s++) {
        const lm_step *step = lm_program_step(p, s);
        if (step->operation == LM_OP_EMBED) fits = has_index(&e->batch, step);
        if (step->operation == LM_OP_MESSAGES && lm_program_value(p, step->input[1])->space == LM_LABELS)
            fits = fits && e->batch.arc_labels;
    }
    if (!fits)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "batch: found one of another network, expected what leman_network_encode() gives for this one");
    *out = &e->batch;
    return LEMAN_OK;
}

leman_status leman_network_out_of_vocabulary(leman_context *ctx, const leman_network *network,
                                             const leman_dataset *data, double *share)
{
    AUTO(leman_dataset_drop) leman_dataset *read = NULL;
    AUTO(lm_inputs_drop) lm_inputs *inputs = NULL;
    AUTO(lm_batch_free) lm_batch batch = {0};
    REQUIRE(ctx, network, data, share);
    const size_t graphs = leman_dataset_shape(data)->graphs;
    lm_batch_init(ctx, &batch);
    PASS(lm_network_inputs(ctx, network, data, &read));
    PASS(lm_inputs_new(ctx, read ? read : data, network->encoding, &inputs));
    inputs->out_of_vocabulary = 1; /* suppresses the log message: predicting logs it */
    lm_progress_begin(ctx, graphs, "looking for labels that are not known");
    for (size_t g = 0; g < graphs; g++) {
        const uint32_t which = (uint32_t)g;
        const uint64_t before = inputs->out_of_vocabulary;
        PASS(lm_inputs_batch(inputs, &which, 1, &batch));
        const size_t *rows = batch.extent.rows;
        const size_t all = (batch.tuple_types ? rows[LM_TUPLES] : 0) + (batch.vertex_types ? rows[LM_VERTICES] : 0) +
                           (batch.arc_labels ? rows[LM_ARCS] : 0) + rows[LM_LISTED] + rows[LM_LISTED + 1];
        share[g] = all ? fmin(1, (double)(inputs->out_of_vocabulary - before) / (double)all) : 0;
        PASS(lm_progress_step(ctx, g + 1));
    }
    return LEMAN_OK;
}
