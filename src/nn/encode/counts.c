/* The counts # of local+, computed from the discrete colouring with refine/refine.h; counts.h has the definition. */
#include "nn/encode/counts.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "graph/dataset.h"
#include "refine/refine.h"
#include <stdio.h>

uint8_t lm_count_bucket(uint32_t count)
{
    enum { EXACT = 16, LAST = LM_COUNT_BUCKETS - 1 };
    if (count <= EXACT) return (uint8_t)(count - 1);
    unsigned octave = 31 - (unsigned)__builtin_clz(count); /* 2^octave <= count */
    uint64_t square = (uint64_t)count * count;             /* upper half of the octave: count^2 >= 2^(2 octave + 1) */
    unsigned bucket = EXACT + 2 * (octave - 4) + (square >> (2 * octave + 1) ? 1 : 0);
    return (uint8_t)(bucket < LAST ? bucket : LAST);
}

typedef struct count_work {
    const leman_dataset *data;
    const leman_coloring *coloring;
    const lm_counts *counts;
} count_work;

static leman_status count_graph(lm_worker *worker, void *state, size_t graph)
{
    const count_work *j = state;
    const leman_graph view = leman_dataset_graph(j->data, graph);
    uint8_t *to = j->counts->bucket + j->counts->start[graph];
    lm_refinement r;
    uint32_t *count;
    uint64_t *scratch;
    if (!view.vertices) return LEMAN_OK;
    const lm_refinement_options options = {.threads = worker->threads, .cancellation = &worker->cancellation};
    PASS(lm_refinement_begin(worker->ctx, &view, j->coloring, &options, &r));
    PASS_SCRATCH(worker->ctx, count, r.space.tuples);
    PASS_SCRATCH(worker->ctx, scratch, lm_line_counts_scratch(&r.space, r.threads));
    for (;; to += r.space.tuples) {
        lm_line_counts(&r.space, r.colors, count, scratch, r.threads);
        PASS(lm_cancellation_status(r.space.cancellation));
        for (size_t i = 0; i < r.space.tuples; i++) to[i] = lm_count_bucket(count[i]);
        PASS(lm_worker_advance(worker, r.space.tuples));
        if (r.round + 1 == j->counts->rounds) break;
        PASS(lm_refinement_step(&r));
    }
    return LEMAN_OK;
}

/* Computes the sizes and the cost of each graph. Fails before any work is done if the counts cannot be stored. */
static leman_status plan_counts(leman_context *ctx, const count_work *j, uint64_t *start, uint64_t *tuples,
                                size_t *alone)
{
    const uint64_t budget = lm_budget(ctx);
    const int threads = lm_thread_pool_workers(ctx);
    char required[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT];
    start[0] = 0;
    *alone = 0;
    for (size_t g = 0; g < j->data->graphs; g++) {
        const leman_graph graph = leman_dataset_graph(j->data, g);
        lm_space_extent extent;
        char name[32];
        snprintf(name, sizeof name, "graph %zu", j->data->first_graph + g);
        const lm_demand demand = {name, .graphs = 1, .tuple_words = 1, .budget = budget};
        PASS(lm_refinement_fits(ctx, &graph, j->coloring, false, &demand, &extent));
        tuples[g] = lm_power(graph.vertices, j->coloring->k);
        *alone += threads > 1 &&
                  lm_refinement_bytes(&extent, j->coloring, false, 1) + 8 * tuples[g] > budget / (uint64_t)threads;
        start[g + 1] = lm_saturating_add(start[g], lm_saturating_multiply(tuples[g], j->counts->rounds));
    }
    if (start[j->data->graphs] > budget)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "# of %zu round%s needs %s, the memory budget is %s", j->counts->rounds,
                       lm_plural(j->counts->rounds), lm_bytes_text(start[j->data->graphs], required),
                       lm_budget_text(ctx, budget, has));
    return LEMAN_OK;
}

leman_status lm_counts_compute(leman_context *ctx, const leman_dataset *data, const lm_encoding *e, lm_counts *out)
{
    SCRATCH_SCOPE(ctx);
    const leman_coloring given = {.algorithm = LEMAN_ALGORITHM_LOCAL_PLUS,
                                  .k = e->options.k,
                                  .rounds = (uint32_t)e->options.rounds,
                                  .count_every_round = true,
                                  .in_arcs = e->options.in_arcs,
                                  .ignore_vertex_labels = e->options.ignore_vertex_labels,
                                  .ignore_edge_labels = e->options.ignore_edge_labels};
    leman_coloring coloring;
    AUTO(lm_counts_free) lm_counts c = {.rounds = e->options.rounds};
    count_work j = {data, &coloring, &c};
    uint64_t *tuples;
    size_t alone;
    PASS(lm_coloring_check(ctx, &given, &coloring));
    PASS_NEW(ctx, c.start, data->graphs + 1);
    PASS_SCRATCH(ctx, tuples, data->graphs);
    PASS(plan_counts(ctx, &j, c.start, tuples, &alone));
    PASS_NEW(ctx, c.bucket, c.start[data->graphs]);
    lm_progress_begin(ctx, c.start[data->graphs], "counting the colours of %s", data->name);
    if (c.rounds) PASS(lm_thread_pool_run(ctx, tuples, data->graphs, alone, count_graph, &j));
    *out = c;
    c = (lm_counts){0};
    return LEMAN_OK;
}

void lm_counts_free(lm_counts *counts)
{
    RELEASE(counts->start, counts->bucket);
    *counts = (lm_counts){0};
}

void lm_counts_read(const lm_counts *counts, size_t graph, size_t n, unsigned k, size_t round, size_t position,
                    uint32_t *to)
{
    const size_t tuples = lm_power(n, k), stride = lm_power(n, (unsigned)(k - 1 - position));
    const uint8_t *from = counts->bucket + counts->start[graph] + round * tuples;
    if (stride == 1) { /* #_k itself: no components are swapped */
        for (size_t i = 0; i < tuples; i++) to[i] = from[i];
        return;
    }
    for (size_t first = 0; first < tuples; first += n * stride) /* components before it, its own, between, the last */
        for (size_t own = 0; own < n; own++)
            for (size_t middle = 0; middle < stride; middle += n)
                for (size_t last = 0; last < n; last++) *to++ = from[first + last * stride + middle + own];
}
