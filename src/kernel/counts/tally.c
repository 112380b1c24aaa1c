/* Counting features graph by graph. */
#include "kernel/counts/tally.h"
#include "base/ranks/ranks.h"
#include <string.h>

enum { FIRST_CAPACITY = 64 };

static leman_status set_capacity(leman_context *ctx, size_t capacity, lm_tally *tally)
{
    PASS_SCRATCH_ZERO(ctx, tally->slot, capacity);
    tally->capacity = capacity;
    tally->used = 0;
    return LEMAN_OK;
}

leman_status lm_tally_new(leman_context *ctx, lm_tally *tally)
{
    return set_capacity(ctx, FIRST_CAPACITY, tally);
}

leman_status lm_tally_grow(leman_context *ctx, lm_tally *tally)
{
    lm_tally larger;
    PASS(set_capacity(ctx, 2 * tally->capacity, &larger));
    for (size_t i = 0; i < tally->capacity; i++)
        if (tally->slot[i].key) PASS(lm_tally_add(ctx, &larger, tally->slot[i].key, tally->slot[i].payload));
    *tally = larger;
    return LEMAN_OK;
}

/* ---- Every graph of a data set --------------------------------------------------------------- */

typedef struct filling {
    const leman_dataset *data;
    const lm_counting *counting;
    size_t first_graph, block, blocks; /* block: the first of them */
    lm_triples *triples;
    const bool *mine; /* [graphs] graphs of this rank; NULL: all */
} filling;

static leman_status fill_one(lm_worker *worker, void *state, size_t graph)
{
    const filling *f = state;
    leman_graph view = leman_dataset_graph(f->data, graph);
    lm_tally *tally;
    if (f->mine && !f->mine[graph]) return LEMAN_OK;
    PASS_SCRATCH(worker->ctx, tally, f->blocks);
    for (size_t b = 0; b < f->blocks; b++) PASS(lm_tally_new(worker->ctx, tally + b));
    PASS(f->counting->count(worker, &view, f->counting, tally));
    for (size_t b = 0; b < f->blocks; b++)
        for (size_t i = 0; i < tally[b].capacity; i++)
            if (tally[b].slot[i].payload)
                PASS(lm_triples_add(worker->ctx, f->triples, worker->number, f->block + b, 1, tally[b].slot[i].key,
                                    f->first_graph + graph, tally[b].slot[i].payload));
    return LEMAN_OK;
}

static leman_status count_all(leman_context *ctx, filling f)
{
    SCRATCH_SCOPE(ctx);
    const leman_dataset *data = f.data;
    const lm_counting *counting = f.counting;
    uint64_t *cost, total = 0;
    bool *mine = NULL;
    PASS_SCRATCH(ctx, cost, data->graphs);
    for (size_t g = 0; g < data->graphs; g++) {
        leman_graph view = leman_dataset_graph(data, g);
        cost[g] = counting->cost(&view, counting);
    }
    if (f.triples->shared && lm_has_ranks(ctx)) {
        PASS_SCRATCH(ctx, mine, data->graphs);
        PASS(lm_ranks_deal(ctx, cost, data->graphs, mine));
    }
    f.mine = mine;
    for (size_t g = 0; g < data->graphs; g++) total = lm_saturating_add(total, !mine || mine[g] ? cost[g] : 0);
    lm_progress_begin(ctx, total, "counting %s of %s", counting->what, data->name);
    return lm_thread_pool_run(ctx, cost, data->graphs, 0, fill_one, &f);
}

leman_status lm_triples_count(leman_context *ctx, const leman_dataset *data, const lm_counting *counting,
                              size_t first_graph, size_t block, lm_triples *triples)
{
    return count_all(ctx, (filling){data, counting, first_graph, block, 1, triples, NULL});
}

leman_status lm_triples_count_blocks(leman_context *ctx, const leman_dataset *data, const lm_counting *counting,
                                     size_t first_graph, size_t blocks, lm_triples *triples)
{
    return count_all(ctx, (filling){data, counting, first_graph, 0, blocks, triples, NULL});
}
