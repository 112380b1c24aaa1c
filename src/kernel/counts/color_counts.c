/*
 * Colourings as feature triples: one block for each round, with the classes of every graph. A class is one triple, with
 * the smallest colour of its orbits as its key, which is enough for products of histograms. If triples are expanded,
 * and for k > 3, every colour is one triple.
 *
 * For local+ with # in the last round only, the vectors for different h are not prefixes of each other: in the vector
 * for h, round h is decorated and all earlier rounds are plain. All h together cost one plain refinement and one
 * decorated round for each h, which branches off the plain round before.
 */
#include "kernel/kernel.h"
#include "refine/refine.h"

typedef struct filling {
    lm_triples *triples;
    size_t first_graph;
    uint32_t rounds;
} filling;

/* Is every colour its own triple? */
static bool is_expanded(unsigned k, const lm_triples *triples)
{
    return k > 3 || triples->expanded;
}

/* A worker's buffer of entries for the triples. */
typedef struct batch {
    leman_context *ctx;
    const filling *fill;
    int worker;
    size_t block, count;
    lm_pair entry[64];
} batch;

static leman_status add_batch(batch *b)
{
    const size_t count = b->count;
    b->count = 0;
    return lm_triples_add_entries(b->ctx, b->fill->triples, b->worker, b->block, b->entry, count);
}

/* Adds every colour of the classes. */
static leman_status add_colors(batch *b, const lm_round_classes *r)
{
    enum { FULL = sizeof b->entry / sizeof *b->entry - 1 }; /* leaves space for the two colours of a pair */
    const bool pairs = r->refinement && r->refinement->space.pairs;
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t graph = b->fill->first_graph + (r->graphs ? r->graphs[i] : r->graph);
        const uint64_t count = r->orbits[i] * r->orbit[i].times, payload = graph << LM_TRIPLE_VALUE_BITS | count;
        const uint64_t *color;
        uint64_t two[2];
        if (count >> LM_TRIPLE_VALUE_BITS) return lm_triples_refuse(b->ctx, graph);
        if (pairs) { /* branch-free: whether both colours are equal cannot be predicted */
            const size_t colors = lm_pair_colors(r, i, two);
            b->entry[b->count] = (lm_pair){two[0], payload};
            b->entry[b->count + 1] = (lm_pair){two[1], payload};
            b->count += colors;
            if (b->count >= FULL) PASS(add_batch(b));
            continue;
        }
        const size_t colors = lm_class_colors(r, i, &color);
        for (size_t j = 0; j < colors; j++) {
            b->entry[b->count++] = (lm_pair){color[j], payload};
            if (b->count >= FULL) PASS(add_batch(b));
        }
    }
    return add_batch(b);
}

static leman_status add_classes(leman_context *ctx, void *state, int worker, const lm_round_classes *r)
{
    const filling *fill = state;
    size_t block = r->branch ? fill->rounds + r->round : r->round;
    if (is_expanded(r->k, fill->triples)) {
        batch b; /* deliberately uninitialised */
        b.ctx = ctx, b.fill = fill, b.worker = worker, b.block = block, b.count = 0;
        return add_colors(&b, r);
    }
    for (size_t i = 0; i < r->count; i++) {
        const size_t graph = fill->first_graph + (r->graphs ? r->graphs[i] : r->graph);
        const uint64_t count = r->orbits[i] * r->orbit[i].times;
        PASS(lm_triples_add(ctx, fill->triples, worker, block, r->orbit[i].colors, r->color[i], graph, count));
    }
    return LEMAN_OK;
}

leman_status lm_triples_of_colors(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                  bool branches, size_t first_graph, lm_triples *triples)
{
    filling fill = {triples, first_graph, coloring->rounds};
    const lm_refine_options options = {.branches = branches,
                                       .expanded = is_expanded(coloring->k, triples),
                                       .shared = triples->shared,
                                       .limit = triples->limit.budget ? &triples->limit : NULL};
    return lm_refine(ctx, data, coloring, &options, add_classes, &fill);
}
