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

static leman_status add_classes(leman_context *ctx, void *state, int worker, size_t graph, const lm_refinement *r)
{
    leman_status st = LEMAN_OK;
    const filling *fill = state;
    const lm_histogram *h = &r->histogram;
    size_t block = r->branch ? fill->rounds + r->round : r->round;
    graph += fill->first_graph;
    bool classes = r->space.k <= 3 && !fill->triples->expanded;
    for (size_t i = 0; i < h->count && classes; i++)
        TRY(lm_triples_add(ctx, fill->triples, worker, block, h->orbit[i].colors, h->color[i], graph,
                           h->orbits[i] * h->orbit[i].times));
    for (size_t i = 0; i < h->count && !classes; i++) { /* any orbit fits into the next round's array */
        size_t colors = lm_orbit_colors(&r->space, r->colors, h->tuple[i], r->next);
        for (size_t j = 0; j < colors; j++)
            TRY(lm_triples_add(ctx, fill->triples, worker, block, 1, r->next[j], graph,
                               h->orbits[i] * h->orbit[i].times));
    }
done:
    return st;
}

leman_status lm_triples_of_colors(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                  bool branches, size_t first_graph, lm_triples *triples)
{
    filling fill = {triples, first_graph, coloring->rounds};
    return lm_refine_all(ctx, data, coloring, branches, triples->limit.budget ? &triples->limit : NULL, add_classes,
                         &fill);
}
