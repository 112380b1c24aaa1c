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
    const lm_later_rounds *later; /* NULL: all rounds are triples */
} filling;

/* Is every colour a triple of its own? */
static bool is_expanded(unsigned k, const lm_triples *triples)
{
    return k > 3 || triples->expanded;
}

/* Entries on their way to the triples, of one worker. */
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

/* Every colour of the classes. */
static leman_status add_colors(batch *b, const lm_round_classes *r)
{
    leman_status st = LEMAN_OK;
    enum { FULL = sizeof b->entry / sizeof *b->entry - 1 }; /* there is room for the two colours of a pair */
    const bool pairs = r->refinement && r->refinement->space.pairs;
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t graph = b->fill->first_graph + (r->graphs ? r->graphs[i] : r->graph);
        const uint64_t count = r->orbits[i] * r->orbit[i].times, payload = graph << LM_TRIPLE_VALUE_BITS | count;
        const uint64_t *color;
        uint64_t two[2];
        if (count >> LM_TRIPLE_VALUE_BITS) TRY(lm_triples_refuse(b->ctx, graph));
        if (pairs) { /* without a branch: whether both are equal cannot be predicted */
            const size_t colors = lm_pair_colors(r, i, two);
            b->entry[b->count] = (lm_pair){two[0], payload};
            b->entry[b->count + 1] = (lm_pair){two[1], payload};
            b->count += colors;
            if (b->count >= FULL) TRY(add_batch(b));
            continue;
        }
        const size_t colors = lm_class_colors(r, i, &color);
        for (size_t j = 0; j < colors; j++) {
            b->entry[b->count++] = (lm_pair){color[j], payload};
            if (b->count >= FULL) TRY(add_batch(b));
        }
    }
    TRY(add_batch(b));
done:
    return st;
}

/* Classes of a graph are added by one worker, which alone writes to its sums. */
static void add_later(const filling *fill, const lm_round_classes *r)
{
    const lm_later_rounds *later = fill->later;
    const size_t slots = later->each ? fill->rounds - later->exact : 1;
    const uint64_t rounds = r->until > r->round ? r->until - r->round + 1 : 1;
    for (size_t i = 0; i < r->count; i++) {
        const size_t graph = r->graphs ? r->graphs[i] : r->graph;
        uint64_t value = r->orbits[i] * r->orbit[i].times, *sum = later->sum + graph * slots;
        if (later->known && later->known[graph]) continue;
        if (!later->minima) value = lm_saturating_multiply(value, value);
        value = lm_saturating_multiply(r->orbit[i].colors, value);
        if (!later->each) *sum = lm_saturating_add(*sum, lm_saturating_multiply(rounds, value));
        for (size_t j = r->round - later->exact - 1, end = j + rounds; later->each && j < end; j++)
            sum[j] = lm_saturating_add(sum[j], value);
    }
}

static leman_status add_classes(leman_context *ctx, void *state, int worker, const lm_round_classes *r)
{
    leman_status st = LEMAN_OK;
    const filling *fill = state;
    if (fill->later && r->round > fill->later->exact) {
        add_later(fill, r);
        goto done;
    }
    size_t block = r->branch ? fill->rounds + r->round : r->round;
    if (is_expanded(r->k, fill->triples)) {
        batch b; /* not cleared */
        b.ctx = ctx, b.fill = fill, b.worker = worker, b.block = block, b.count = 0;
        return add_colors(&b, r);
    }
    for (size_t i = 0; i < r->count; i++) {
        const size_t graph = fill->first_graph + (r->graphs ? r->graphs[i] : r->graph);
        const uint64_t count = r->orbits[i] * r->orbit[i].times;
        TRY(lm_triples_add(ctx, fill->triples, worker, block, r->orbit[i].colors, r->color[i], graph, count));
    }
done:
    return st;
}

leman_status lm_triples_of_colors(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                  bool branches, size_t first_graph, lm_triples *triples)
{
    filling fill = {triples, first_graph, coloring->rounds, NULL};
    const lm_refine_options options = {.branches = branches,
                                       .expanded = is_expanded(coloring->k, triples),
                                       .shared = triples->shared,
                                       .limit = triples->limit.budget ? &triples->limit : NULL};
    return lm_refine(ctx, data, coloring, &options, add_classes, &fill);
}

leman_status lm_triples_of_early_colors(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                        const lm_later_rounds *later, lm_triples *triples)
{
    filling fill = {triples, 0, coloring->rounds, later};
    const lm_refine_options options = {
        .expanded = is_expanded(coloring->k, triples), .counts = true, .exact = later->exact, .known = later->known};
    return lm_refine(ctx, data, coloring, &options, add_classes, &fill);
}
