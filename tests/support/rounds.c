#include "support/rounds.h"
#include <stdio.h>

leman_coloring test_variant(unsigned variant, unsigned k, uint32_t rounds)
{
    static const leman_algorithm algorithms[TEST_VARIANTS] = {LEMAN_ALGORITHM_WL,       LEMAN_ALGORITHM_DELTA,
                                                              LEMAN_ALGORITHM_LOCAL,    LEMAN_ALGORITHM_LOCAL_PLUS,
                                                              LEMAN_ALGORITHM_FOLKLORE, LEMAN_ALGORITHM_LOCAL_PLUS};
    leman_coloring c = leman_coloring_default();
    c.algorithm = algorithms[variant];
    c.count_every_round = variant == TEST_VARIANTS - 1;
    c.k = k;
    c.rounds = rounds;
    return c;
}

const char *test_coloring_text(const leman_coloring *c, uint32_t round)
{
    static char text[128];
    snprintf(text, sizeof text, "%s%s, k = %u, components %u, round %u%s", leman_algorithm_name(c->algorithm),
             c->count_every_round ? " (# in every round)" : "", c->k, (unsigned)c->components, round,
             c->in_arcs ? ", in-arcs" : "");
    return text;
}

uint64_t *test_tuple_colors(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                            uint32_t round)
{
    size_t tuples = 1;
    for (unsigned i = 0; i < coloring->k; i++) tuples *= graph->vertices;
    uint64_t *colors = malloc(tuples ? tuples * sizeof *colors : 1);
    assert_non_null(colors);
    if (leman_tuple_colors(ctx, graph, coloring, round, colors)) fail_msg("%s", leman_context_message(ctx));
    return colors;
}

leman_histogram *test_histogram(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring)
{
    leman_histogram *histogram = NULL;
    if (leman_histogram_compute(ctx, graph, coloring, &histogram)) fail_msg("%s", leman_context_message(ctx));
    return histogram;
}

leman_census *test_census(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring)
{
    leman_census *census = NULL;
    if (leman_census_compute(ctx, data, coloring, false, &census)) fail_msg("%s", leman_context_message(ctx));
    return census;
}

static int compare(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

bool test_counts_agree(const leman_histogram *h, uint32_t round, const uint64_t *colors, size_t tuples)
{
    uint64_t *sorted = malloc(tuples ? tuples * sizeof *sorted : 1), at = h->start[round];
    bool agree = true;
    assert_non_null(sorted);
    if (tuples) memcpy(sorted, colors, tuples * sizeof *sorted);
    qsort(sorted, tuples, sizeof *sorted, compare);
    size_t first = 0;
    while (first < tuples && !sorted[first]) first++; /* 0: not in the set of tuples */
    for (size_t i = first, end; agree && i < tuples; i = end, at++) {
        for (end = i; end < tuples && sorted[end] == sorted[i];) end++;
        agree = at < h->start[round + 1] && h->color[at].color == sorted[i] && h->color[at].count == end - i;
    }
    free(sorted);
    return agree && at == h->start[round + 1];
}

bool test_same_histogram(const leman_histogram *a, const leman_histogram *b)
{
    if (a->rounds != b->rounds || memcmp(a->start, b->start, (a->rounds + 1) * sizeof *a->start)) return false;
    return !a->start[a->rounds] || !memcmp(a->color, b->color, a->start[a->rounds] * sizeof *a->color);
}

bool test_same_census(const leman_census *a, const leman_census *b)
{
    return a->rounds == b->rounds && a->stable_round == b->stable_round &&
           !memcmp(a->round, b->round, a->rounds * sizeof *a->round);
}
