/* Colours of vertices, and what is known of tuples by them. */
#include "kernel/stream/early_vertices.h"
#include "base/thread_pool.h"
#include "refine/space.h"

typedef struct job {
    const leman_dataset *data;
    leman_coloring coloring;
    uint32_t rounds;
    const lm_later_rounds *later; /* NULL: sums are not asked for */
    bool *known;
    lm_triples *triples;
} job;

bool lm_early_vertices_serve(const leman_kernel *kernel)
{
    const leman_coloring coloring = leman_kernel_coloring(kernel);
    return kernel->kind == LEMAN_KERNEL_KIND_COLORS && lm_vertices_tell(&coloring);
}

/* ---- Colours of vertices --------------------------------------------------------------------- */

/* The rounds of 1-WL without labels of edges, sorted: (colour, vertex). In the scratch. */
static leman_status color_vertices(leman_context *ctx, const job *j, const leman_graph *g, lm_pair **sorted)
{
    leman_status st = LEMAN_OK;
    const size_t n = g->vertices;
    uint64_t *color, *next;
    lm_pair *pair, *spare;
    SCRATCH(ctx, pair, n);
    SCRATCH(ctx, spare, n);
    SCRATCH(ctx, color, n);
    SCRATCH(ctx, next, n);
    for (size_t v = 0; v < n; v++) color[v] = lm_vertex_hash(g, v, &j->coloring);
    for (uint32_t round = 0; round < j->rounds; round++) {
        lm_vertex_round(g, color, next);
        uint64_t *swap = color;
        color = next;
        next = swap;
    }
    for (size_t v = 0; v < n; v++) pair[v] = (lm_pair){color[v], v};
    lm_sort_pairs(pair, spare, n, 1);
    *sorted = pair;
done:
    return st;
}

static size_t end_of_color(const lm_pair *pair, size_t n, size_t first)
{
    size_t end = first + 1;
    while (end < n && pair[end].key == pair[first].key) end++;
    return end;
}

/* ---- Classes of tuples ----------------------------------------------------------------------- */

/* Are the vertices of each colour twins? */
static leman_status all_twins(leman_context *ctx, const job *j, const leman_graph *g, const lm_pair *pair, bool *twins)
{
    leman_status st = LEMAN_OK;
    const leman_coloring *c = &j->coloring;
    const bool alike = !g->directed && (!g->edge_labels || c->ignore_edge_labels);
    lm_adjacency out, in;
    uint64_t *label;
    SCRATCH(ctx, label, g->vertices);
    for (size_t v = 0; v < g->vertices; v++) label[v] = lm_vertex_hash(g, v, c);
    TRY(lm_arcs_of(ctx, g, c, &out));
    in = out;
    if (g->directed) TRY(lm_arcs_transposed(ctx, g->vertices, &out, &in));
    *twins = true;
    for (size_t first = 0, end; *twins && first < g->vertices; first = end) {
        end = end_of_color(pair, g->vertices, first);
        for (size_t i = first + 1; *twins && i < end; i++)
            *twins = lm_are_twins(label, &out, &in, alike, (uint32_t)pair[first].payload, (uint32_t)pair[i].payload);
    }
done:
    return st;
}

/* What the pairs add to the kernel of the graph with itself, from sums of powers of the numbers of twins; false: that
 * might not fit. */
static bool squares_of_pairs(const lm_pair *pair, size_t n, uint64_t *value)
{
    uint64_t squares = 0, fourth = 0, inside = 0; /* inside: of pairs within a class */
    for (size_t first = 0, end; first < n; first = end) {
        end = end_of_color(pair, n, first);
        const uint64_t m = end - first;
        squares = lm_saturating_add(squares, lm_saturating_multiply(m, m));
        if (squares >> 32) return false;
        fourth += m * m * m * m;
        inside += m * m + m * (m - 1) * m * (m - 1);
    }
    *value = squares * squares - fourth + inside;
    return true;
}

/* Sums of later rounds, where they are known. */
static leman_status look_at_classes(leman_context *ctx, const job *j, const leman_graph *g, size_t graph,
                                    const lm_pair *pair, size_t colors)
{
    leman_status st = LEMAN_OK;
    const lm_later_rounds *later = j->later;
    const uint64_t tuples = lm_power(g->vertices, j->coloring.k), rounds = j->coloring.rounds - later->exact;
    const bool differ = colors == g->vertices;
    uint64_t value = tuples;
    bool known = differ;
    if (!differ && j->coloring.k == 2) TRY(all_twins(ctx, j, g, pair, &known));
    if (known && !differ && !later->minima) known = squares_of_pairs(pair, g->vertices, &value);
    j->known[graph] = known;
    if (!known) goto done;
    uint64_t *sum = later->sum + graph * (later->each ? rounds : 1);
    if (!later->each) *sum = lm_saturating_add(*sum, lm_saturating_multiply(rounds, value));
    for (uint64_t i = 0; later->each && i < rounds; i++) sum[i] = lm_saturating_add(sum[i], value);
done:
    return st;
}

/* ---- All graphs ------------------------------------------------------------------------------ */

static leman_status look_at(lm_worker *worker, void *state, size_t graph)
{
    leman_status st = LEMAN_OK;
    const job *j = state;
    const leman_graph g = leman_dataset_graph(j->data, graph);
    lm_pair *pair;
    size_t colors = 0;
    TRY(color_vertices(worker->ctx, j, &g, &pair));
    for (size_t first = 0, end; first < g.vertices; first = end, colors++) {
        end = end_of_color(pair, g.vertices, first);
        TRY(lm_triples_add(worker->ctx, j->triples, worker->number, 0, 1, pair[first].key, graph, end - first));
    }
    if (j->later) TRY(look_at_classes(worker->ctx, j, &g, graph, pair, colors));
    TRY(lm_worker_advance(worker, g.arcs));
done:
    return st;
}

leman_status lm_early_vertices(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                               uint32_t rounds, const lm_later_rounds *later, bool *known, lm_triples *triples)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    job j = {data, leman_kernel_coloring(kernel), rounds, later, known, triples};
    uint64_t *cost, all = 0;
    SCRATCH(ctx, cost, data->graphs);
    for (size_t g = 0; g < data->graphs; g++) all += cost[g] = leman_dataset_graph(data, g).arcs;
    lm_progress_begin(ctx, all, "colouring vertices of %s", data->name);
    TRY(lm_thread_pool_run(ctx, cost, data->graphs, 0, look_at, &j));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
