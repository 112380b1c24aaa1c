/* The colours of one graph as a histogram of every round. */
#include "base/arguments.h"
#include "base/context.h"
#include "base/drop.h"
#include "base/sort.h"
#include "refine/refine.h"

enum { SORT_WORDS = sizeof(lm_pair) / sizeof(uint64_t) }; /* of a colour, while a round is sorted */

/* Appends all colours of this round with their counts, increasing. */
static leman_status append_round(leman_context *ctx, const lm_refinement *r, lm_vector *colors)
{
    SCRATCH_SCOPE(ctx);
    const lm_histogram *h = &r->histogram;
    lm_pair *spare;
    size_t count = 0;
    _Static_assert(sizeof(lm_pair) == sizeof(leman_color), "a colour with its count is a pair to sort");
    if (!h->pairs) return LEMAN_OK; /* a graph without vertices has no colours */
    PASS(lm_vector_reserve(ctx, colors, h->pairs, sizeof(leman_color)));
    PASS_SCRATCH(ctx, spare, h->pairs);
    lm_pair *pair = (lm_pair *)colors->items + colors->count;
    for (size_t i = 0; i < h->count; i++) {
        size_t different = lm_orbit_colors(&r->space, r->colors, h->tuple[i], r->next);
        for (size_t j = 0; j < different; j++) pair[count++] = (lm_pair){r->next[j], h->orbits[i] * h->orbit[i].times};
    }
    lm_sort_pairs(pair, spare, count, r->threads);
    colors->count += count;
    return LEMAN_OK;
}

static leman_status count_colors(leman_context *ctx, const leman_graph *graph, const leman_coloring *c,
                                 leman_histogram *histogram)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_vector_release) lm_vector start = {0}, colors = {0};
    lm_refinement r;
    const lm_demand demand = {"the graph", .graphs = 1, .by_classes = true, .tuple_words = SORT_WORDS,
                              .budget = lm_budget(ctx)};
    lm_progress_begin(ctx, c->rounds == LEMAN_STABLE ? 0 : c->rounds, "colouring");
    PASS(lm_refinement_open(ctx, graph, c, true, &demand, &r));
    for (;;) {
        uint64_t first = colors.count;
        PASS(lm_vector_append(ctx, &start, &first, 1, sizeof first));
        PASS(append_round(ctx, &r, &colors));
        PASS(lm_progress_step(ctx, r.round));
        if (r.round == c->rounds || r.round == LM_MAX_ROUNDS) break;
        PASS(lm_refinement_step(&r));
        if (r.stable && c->rounds == LEMAN_STABLE) break;
    }
    uint64_t end = colors.count;
    PASS(lm_vector_append(ctx, &start, &end, 1, sizeof end));
    histogram->rounds = (uint32_t)(start.count - 1);
    histogram->start = start.items;
    histogram->color = colors.items;
    start = colors = (lm_vector){0};
    return LEMAN_OK;
}

leman_status leman_histogram_compute(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                     leman_histogram **histogram)
{
    AUTO(leman_histogram_drop) leman_histogram *computed = NULL;
    leman_coloring c;
    REQUIRE(ctx, graph, histogram);
    PASS(lm_coloring_given(ctx, coloring, &c));
    PASS_NEW_ZERO(ctx, computed, 1);
    PASS(count_colors(ctx, graph, &c, computed));
    return HAND_OVER(histogram, computed);
}

void leman_histogram_free(leman_histogram *histogram)
{
    if (!histogram) return;
    RELEASE(histogram->start, histogram->color, histogram);
}
