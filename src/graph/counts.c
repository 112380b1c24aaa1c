/*
 * Random graphs G(n, p) with exact counts of small subgraphs as targets: how often each pattern occurs in the graph
 * and, if the options ask for it, through each vertex or through each edge.
 *
 *   subgraphs        the subgraphs, induced or not, that are isomorphic to the pattern
 *   homomorphisms    the maps from the pattern to the graph that send edges to edges, different vertices to equal ones
 *                    too; through a vertex or edge: those with this vertex or edge in their image
 *
 * The vertices of a pattern are numbered so that each but the first has an earlier neighbour. The search maps them in
 * this order, each to a neighbour of the image of its first earlier neighbour, and compares the other edges with the
 * adjacency matrix. Every subgraph is found once for each automorphism of its pattern. Time O(n d^(k-1)) for patterns of
 * k vertices and degree d; memory O(n^2).
 */
#include "graph/families.h"

enum { PATTERN_VERTICES = 6, PATTERN_EDGES = 7, NO_EDGE = UINT32_MAX };

static const struct pattern {
    const char *name;
    size_t vertices;
    unsigned earlier[PATTERN_VERTICES]; /* the set of earlier neighbours of each vertex */
    unsigned automorphisms;             /* 0: homomorphisms are counted, not subgraphs */
} PATTERN[LEMAN_COUNTED_PATTERNS] = {
    {"cycle3", 3, {0, 1, 3}, 6},
    {"cycle4", 4, {0, 1, 2, 5}, 8},
    {"cycle5", 5, {0, 1, 2, 4, 9}, 10},
    {"cycle6", 6, {0, 1, 2, 4, 8, 17}, 12},
    {"chordal-cycle4", 4, {0, 1, 3, 5}, 4},
    {"chordal-cycle5", 5, {0, 1, 3, 4, 9}, 2},
    {"tailed-triangle", 4, {0, 1, 3, 1}, 2},
    {"clique4", 4, {0, 1, 3, 7}, 24},
    {"path4", 4, {0, 1, 2, 4}, 2},
    {"star3", 4, {0, 1, 1, 1}, 6},
    {"hom-cycle6", 6, {0, 1, 2, 4, 8, 17}, 0},
    {"hom-chordal-cycle4", 4, {0, 1, 3, 5}, 0},
    {"hom-chordal-cycle5", 5, {0, 1, 3, 4, 9}, 0},
};

const char *leman_counted_pattern_name(size_t i)
{
    return i < LEMAN_COUNTED_PATTERNS ? PATTERN[i].name : NULL;
}

/* ---- The graph ------------------------------------------------------------------------------- */

typedef struct counted {
    size_t n, edges;
    uint32_t *edge;             /* [n][n] number of the edge between two vertices, or NO_EDGE */
    uint32_t *neighbor, *count; /* [n][n], of which the first count[v] of row v are the neighbours of v */
    uint64_t *of_vertex;        /* [n][patterns] */
    uint64_t *of_edge;          /* [edges][patterns] */
    uint64_t of_graph[LEMAN_COUNTED_PATTERNS];
} counted;

static leman_status draw_graph(lm_family_builder *builder, counted *g)
{
    leman_context *ctx = builder->ctx;
    const size_t n = builder->options->vertices;
    *g = (counted){.n = n};
    PASS_SCRATCH(ctx, g->edge, n * n);
    PASS_SCRATCH(ctx, g->neighbor, n * n);
    PASS_SCRATCH_ZERO(ctx, g->count, n);
    for (size_t u = 0; u < n; u++) {
        g->edge[u * n + u] = NO_EDGE;
        for (size_t v = 0; v < u; v++) {
            const bool joined = lm_random_real(&builder->random) < builder->options->probability;
            g->edge[u * n + v] = g->edge[v * n + u] = joined ? (uint32_t)g->edges++ : NO_EDGE;
            if (!joined) continue;
            g->neighbor[u * n + g->count[u]++] = (uint32_t)v;
            g->neighbor[v * n + g->count[v]++] = (uint32_t)u;
        }
    }
    PASS_SCRATCH_ZERO(ctx, g->of_vertex, n * LEMAN_COUNTED_PATTERNS);
    PASS_SCRATCH_ZERO(ctx, g->of_edge, g->edges * LEMAN_COUNTED_PATTERNS);
    return LEMAN_OK;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* Returns true if vertex i of the pattern can be mapped to v: all earlier neighbours are mapped to neighbours of v and,
 * in a subgraph, no earlier vertex to v. */
static bool fits(const counted *g, const struct pattern *p, const uint32_t *image, size_t i, uint32_t v)
{
    for (size_t j = 0; j < i; j++) {
        if (p->automorphisms && image[j] == v) return false;
        if ((p->earlier[i] >> j & 1) && g->edge[v * g->n + image[j]] == NO_EDGE) return false;
    }
    return true;
}

/* Adds the image of a pattern to the counts: once to each of its vertices and edges. */
static void add_image(counted *g, size_t pattern, const uint32_t *image)
{
    const struct pattern *p = PATTERN + pattern;
    uint32_t edge[PATTERN_EDGES];
    size_t edges = 0;
    g->of_graph[pattern]++;
    for (size_t i = 0; i < p->vertices; i++) {
        bool again = false;
        for (size_t j = 0; j < i; j++) {
            again |= image[j] == image[i];
            if (p->earlier[i] >> j & 1) edge[edges++] = g->edge[image[i] * g->n + image[j]];
        }
        g->of_vertex[image[i] * LEMAN_COUNTED_PATTERNS + pattern] += !again;
    }
    for (size_t i = 0; i < edges; i++) {
        bool again = false;
        for (size_t j = 0; j < i; j++) again |= edge[j] == edge[i];
        g->of_edge[edge[i] * LEMAN_COUNTED_PATTERNS + pattern] += !again;
    }
}

/* Counts the images of a pattern whose first vertex is mapped to `root`. next[i] is the place, among the neighbours that
 * vertex i may be mapped to, that is tried next. */
static void count_from(counted *g, size_t pattern, uint32_t root)
{
    const struct pattern *p = PATTERN + pattern;
    uint32_t image[PATTERN_VERTICES] = {root}, next[PATTERN_VERTICES + 1] = {0};
    for (size_t i = 1; i;) {
        size_t anchor = 0;
        if (i == p->vertices) {
            add_image(g, pattern, image);
            i--;
            continue;
        }
        while (!(p->earlier[i] >> anchor & 1)) anchor++;
        if (next[i] == g->count[image[anchor]]) {
            i--;
            continue;
        }
        const uint32_t v = g->neighbor[image[anchor] * g->n + next[i]++];
        if (!fits(g, p, image, i, v)) continue;
        image[i++] = v;
        next[i] = 0;
    }
}

/* ---- The family ------------------------------------------------------------------------------ */

leman_status lm_counts_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    if ((unsigned)o->level >= LEMAN_LEVEL_COUNT)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "counts: found level %d, expected 0 to %d", (int)o->level,
                       LEMAN_LEVEL_COUNT - 1);
    plan->columns.targets = LEMAN_COUNTED_PATTERNS;
    plan->columns.vertex_attributes = o->level == LEMAN_LEVEL_VERTEX ? LEMAN_COUNTED_PATTERNS : 0;
    plan->columns.edge_attributes = o->level == LEMAN_LEVEL_EDGE ? LEMAN_COUNTED_PATTERNS : 0;
    plan->target_name = leman_counted_pattern_name;
    return lm_random_plan(ctx, o, plan);
}

/* Writes the number of subgraphs, or of homomorphisms, of each pattern. */
static void numbers(const uint64_t found[LEMAN_COUNTED_PATTERNS], double number[LEMAN_COUNTED_PATTERNS])
{
    for (size_t i = 0; i < LEMAN_COUNTED_PATTERNS; i++)
        number[i] = (double)(PATTERN[i].automorphisms ? found[i] / PATTERN[i].automorphisms : found[i]);
}

leman_status lm_counts_draw(lm_family_builder *b)
{
    counted g;
    double number[LEMAN_COUNTED_PATTERNS];
    PASS(draw_graph(b, &g));
    for (uint32_t v = 0; v < g.n; v++) {
        for (size_t pattern = 0; pattern < LEMAN_COUNTED_PATTERNS; pattern++) count_from(&g, pattern, v);
        PASS(lm_progress_step(b->ctx, b->graph));
    }
    numbers(g.of_graph, number);
    PASS(leman_builder_graph(b->builder, NULL, NULL, number));
    for (size_t v = 0; v < g.n; v++) {
        numbers(g.of_vertex + v * LEMAN_COUNTED_PATTERNS, number);
        PASS(leman_builder_vertex(b->builder, NULL, NULL, number));
    }
    for (size_t u = 0; u < g.n; u++)
        for (size_t v = 0; v < u; v++) {
            const uint32_t edge = g.edge[u * g.n + v];
            if (edge == NO_EDGE) continue;
            numbers(g.of_edge + edge * LEMAN_COUNTED_PATTERNS, number);
            PASS(leman_builder_edge(b->builder, v, u, NULL, number));
        }
    return LEMAN_OK;
}
