/*
 * The tuples of all graphs as arrays: vertices, colours, neighbours, lines and distances. Neighbours and lines are
 * those of the sparse space (sparse.h), which with as many connected components as vertices has all tuples. Two passes
 * over the graphs: the first counts, so that every array is allocated once.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include "refine/refine.h"
#include <stdio.h>
#include <string.h>

_Static_assert(LEMAN_TUPLES_MAX_K == (int)LM_SPARSE_K, "every sparse space has lists");

/* Numbers of tuples, of links along one component, and of lines. */
typedef struct totals {
    uint64_t tuples, leaving, entering, lines;
} totals;

/* The colouring whose sparse space has the tuples: all tuples if the colouring is dense. */
static leman_coloring listed(const leman_coloring *c)
{
    leman_coloring all = *c;
    if (!all.components) all.components = all.k;
    return all;
}

static leman_status count_graph(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, totals *sum)
{
    SCRATCH_SCOPE(ctx);
    const leman_coloring all = listed(c);
    atomic_bool stop = false;
    const lm_cancellation cancellation = lm_cancellation_of(ctx, &stop);
    lm_sparse_size size = {0};
    if (graph->vertices) PASS(lm_space_measure(ctx, graph, &all, UINT32_MAX - sum->tuples, &cancellation, &size));
    *sum = (totals){sum->tuples + size.tuples, sum->leaving + size.arcs, sum->entering + size.entering,
                    sum->lines + size.prefixes[c->k - 2]};
    if (size.exceeded || sum->tuples >= UINT32_MAX)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "the graphs have more %u-tuples than can be numbered", c->k);
    return LEMAN_OK;
}

static leman_status allocate_links(leman_context *ctx, const totals *sum, uint64_t links, leman_tuple_links *out)
{
    PASS_NEW(ctx, out->start, sum->tuples + 1);
    out->start[0] = 0;
    PASS_NEW(ctx, out->tuple, links);
    return LEMAN_OK;
}

static leman_status allocate_arrays(leman_context *ctx, const totals *sum, bool directed, unsigned wanted,
                                    leman_tuples *t)
{
    t->tuples = sum->tuples;
    t->lines = sum->lines;
    PASS_NEW(ctx, t->vertex, t->tuples * t->k);
    PASS_NEW(ctx, t->color, t->tuples);
    for (unsigned j = 0; wanted & LEMAN_TUPLES_LINKS && j < t->k; j++) {
        PASS(allocate_links(ctx, sum, sum->leaving, t->leaving + j));
        if (directed) PASS(allocate_links(ctx, sum, sum->entering, t->entering + j));
        PASS_NEW(ctx, t->line[j], t->tuples);
    }
    if (wanted & LEMAN_TUPLES_DISTANCES) PASS_NEW(ctx, t->distance, t->tuples * t->k * (t->k - 1) / 2);
    return LEMAN_OK;
}

/* ---- One graph ------------------------------------------------------------------------------- */

/* Returns the tuple with component j and the last one exchanged. */
static uint32_t exchanged(const lm_sparse *s, unsigned j, uint32_t tuple)
{
    return j + 1 < s->k ? s->swap[j][tuple] : tuple;
}

static void write_links(const lm_sparse *s, const lm_sparse_list *list, unsigned j, uint64_t first,
                        leman_tuple_links *out)
{
    uint64_t end = out->start[first];
    for (uint32_t t = 0; t < s->size.tuples; t++) {
        const uint32_t at = exchanged(s, j, t);
        for (uint64_t e = list->start[at]; e < list->start[at + 1]; e++)
            out->tuple[end++] = (uint32_t)first + exchanged(s, j, list->tuple[e]);
        out->start[first + t + 1] = end;
    }
}

static void write_vertices(const lm_space *space, uint64_t first, uint32_t lines, leman_tuples *out)
{
    const unsigned k = out->k;
    uint32_t *const last = out->line[k - 1];
    lm_tuple_row row;
    for (size_t i = 0; i < space->rows; i++) {
        lm_space_row(space, i, &row);
        for (size_t t = row.first; t < row.end; t++) {
            memcpy(out->vertex + (first + t) * k, row.digit, (k - 1) * sizeof *row.digit);
            out->vertex[(first + t) * k + k - 1] = row.last[t];
            if (last) last[first + t] = lines + (uint32_t)i;
        }
    }
    for (unsigned j = 0; last && j + 1 < k; j++)
        for (uint32_t t = 0; t < space->tuples; t++) out->line[j][first + t] = last[first + space->sparse->swap[j][t]];
}

/* distance[n][n] by a breadth-first search from every vertex; queue[n] is workspace. */
static leman_status find_distances(leman_context *ctx, const leman_graph *g, uint32_t *queue, uint32_t *distance)
{
    const size_t n = g->vertices;
    memset(distance, 0xff, n * n * sizeof *distance);
    for (size_t from = 0; from < n; from++) {
        uint32_t *const row = distance + from * n;
        size_t reached = 0;
        queue[reached++] = (uint32_t)from;
        row[from] = 0;
        for (size_t at = 0; at < reached; at++)
            for (uint64_t a = g->start[queue[at]]; a < g->start[queue[at] + 1]; a++)
                if (row[g->head[a]] == UINT32_MAX) {
                    row[g->head[a]] = row[queue[at]] + 1;
                    queue[reached++] = g->head[a];
                }
        PASS(lm_progress_poll(ctx));
    }
    return LEMAN_OK;
}

static leman_status write_distances(leman_context *ctx, const leman_graph *graph, uint64_t first, uint64_t end,
                                    leman_tuples *out)
{
    SCRATCH_SCOPE(ctx);
    const size_t n = graph->vertices;
    uint32_t *distance, *queue, *to = out->distance + first * out->k * (out->k - 1) / 2;
    size_t pairs;
    if (!lm_multiply(n, n, &pairs)) return lm_refuse_size(ctx, n, n);
    PASS_SCRATCH(ctx, distance, pairs);
    PASS_SCRATCH(ctx, queue, n);
    PASS(find_distances(ctx, graph, queue, distance));
    for (const uint32_t *v = out->vertex + first * out->k; v < out->vertex + end * out->k; v += out->k)
        for (unsigned i = 0; i < out->k; i++)
            for (unsigned j = i + 1; j < out->k; j++) *to++ = distance[v[i] * n + v[j]];
    return LEMAN_OK;
}

/* Writes the tuples of a graph, which begin with number `first`; *lines lines are written before. */
static leman_status write_graph(leman_context *ctx, const char *name, const leman_graph *graph, const leman_coloring *c,
                                uint32_t round, uint64_t first, uint32_t *lines, leman_tuples *out)
{
    SCRATCH_SCOPE(ctx);
    const leman_coloring all = listed(c);
    const lm_demand demand = {name, .graphs = 1, .budget = lm_budget(ctx)};
    atomic_bool stop = false;
    const lm_cancellation cancellation = lm_cancellation_of(ctx, &stop);
    lm_refinement r;
    lm_space own, *space = &r.space;
    PASS(lm_refinement_open(ctx, graph, c, false, &demand, &r));
    while (r.round < round) PASS(lm_refinement_step(&r));
    if (!space->sparse) {
        space = &own;
        PASS(lm_space_new(ctx, graph, &all, false, NULL, space));
        PASS(lm_space_restrict(ctx, &all, NULL, 1, &cancellation, space));
    }
    memcpy(out->color + first, r.colors, space->tuples * sizeof *r.colors);
    write_vertices(space, first, *lines, out);
    for (unsigned j = 0; out->line[0] && j < out->k; j++) {
        write_links(space->sparse, &space->sparse->out, j, first, out->leaving + j);
        if (out->entering[j].start) write_links(space->sparse, &space->sparse->in, j, first, out->entering + j);
    }
    *lines += (uint32_t)space->rows;
    return out->distance ? write_distances(ctx, graph, first, first + space->tuples, out) : LEMAN_OK;
}

/* ---- All graphs ------------------------------------------------------------------------------ */

leman_status leman_tuples_compute(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                  uint32_t round, unsigned wanted, leman_tuples **tuples)
{
    AUTO(leman_tuples_drop) leman_tuples *t = NULL;
    leman_coloring c;
    totals sum = {0};
    uint32_t lines = 0;
    char name[32]; /* in messages */
    REQUIRE(ctx, data, tuples);
    PASS(lm_check_round(ctx, coloring, round, &c));
    if (c.k < 2 || c.k > LEMAN_TUPLES_MAX_K)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "k: found %u, expected 2 to %d", c.k, LEMAN_TUPLES_MAX_K);
    if (lm_variant_of(&c)->items.kind != LM_ITEM_NONE)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found %s, expected a colouring of tuples: pairs in order and sets are "
                       "no tuples with neighbours",
                       leman_algorithm_paper_name(c.algorithm));
    if (wanted & ~(LEMAN_TUPLES_LINKS | LEMAN_TUPLES_DISTANCES))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "wanted: found %#x, expected bits LEMAN_TUPLES_...", wanted);
    PASS_NEW_ZERO(ctx, t, 1);
    t->k = c.k;
    t->graphs = data->graphs;
    PASS_NEW(ctx, t->start, t->graphs + 1);
    PASS_NEW(ctx, t->vertex_start, t->graphs + 1);
    lm_progress_begin(ctx, t->graphs, "counting tuples");
    for (size_t g = 0; g < t->graphs; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        t->start[g] = sum.tuples;
        t->vertex_start[g] = data->graph_start[g];
        PASS(count_graph(ctx, &graph, &c, &sum));
        PASS(lm_progress_step(ctx, g + 1));
    }
    t->start[t->graphs] = sum.tuples;
    t->vertex_start[t->graphs] = data->vertices;
    PASS(allocate_arrays(ctx, &sum, c.in_arcs && data->directed, wanted, t));
    lm_progress_begin(ctx, t->graphs, "listing tuples");
    for (size_t g = 0; g < t->graphs; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        snprintf(name, sizeof name, "graph %zu", g);
        if (graph.vertices) PASS(write_graph(ctx, name, &graph, &c, round, t->start[g], &lines, t));
        PASS(lm_progress_step(ctx, g + 1));
    }
    return HAND_OVER(tuples, t);
}

void leman_tuples_free(leman_tuples *t)
{
    if (!t) return;
    for (unsigned j = 0; j < LEMAN_TUPLES_MAX_K; j++)
        RELEASE(t->leaving[j].start, t->leaving[j].tuple, t->entering[j].start, t->entering[j].tuple, t->line[j]);
    RELEASE(t->start, t->vertex_start, t->vertex, t->color, t->distance, t);
}
