/*
 * Colourings as feature triples: one block a round, the classes of every graph. A class is one triple, the smallest
 * colour of its orbits, which is enough for products of histograms; where triples are expanded, and beyond k = 3, every
 * colour is one.
 *
 * For local+ with # in the last round only, the vectors for different h are not prefixes of each other: round h of the
 * vector for h is decorated, its rounds before are plain. All h together cost one plain refinement and one decorated
 * round each: a decorated round branches off every plain one.
 */
#include "kernel/kernel.h"
#include "refine/refine.h"

typedef struct filling {
    lm_triples *triples;
    size_t first_graph;
    uint32_t rounds;
} filling;

/* Is every colour a triple of its own? */
static bool is_expanded(unsigned k, const lm_triples *triples)
{
    return k > 3 || triples->expanded;
}

static leman_status add_classes(leman_context *ctx, void *state, int worker, const lm_round_classes *r)
{
    leman_status st = LEMAN_OK;
    const filling *fill = state;
    size_t block = r->branch ? fill->rounds + r->round : r->round;
    bool classes = !is_expanded(r->k, fill->triples);
    for (size_t i = 0; i < r->count; i++) {
        const size_t graph = fill->first_graph + (r->graphs ? r->graphs[i] : r->graph);
        const uint64_t count = r->orbits[i] * r->orbit[i].times, *color;
        if (classes) {
            TRY(lm_triples_add(ctx, fill->triples, worker, block, r->orbit[i].colors, r->color[i], graph, count));
            continue;
        }
        const size_t colors = lm_class_colors(r, i, &color);
        for (size_t j = 0; j < colors; j++)
            TRY(lm_triples_add(ctx, fill->triples, worker, block, 1, color[j], graph, count));
    }
done:
    return st;
}

leman_status lm_triples_of_colors(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                  bool branches, size_t first_graph, lm_triples *triples)
{
    filling fill = {triples, first_graph, coloring->rounds};
    return lm_refine_all(ctx, data, coloring, branches, is_expanded(coloring->k, triples), triples->shared,
                         triples->limit.budget ? &triples->limit : NULL, add_classes, &fill);
}
