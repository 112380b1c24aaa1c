/*
 * The tree kernel of ordered DAG decompositions with subtrees (ODD-STh, Da San Martino, Navarin & Sperduti, SDM 2012). A
 * breadth-first search of depth h from every vertex gives a DAG: its arcs lead from a vertex to the neighbours that are
 * one step farther from the root. Every vertex of every DAG is the root of a tree, the paths of the DAG that begin in
 * the vertex. A feature is such a tree up to isomorphism, and its value the number of vertices of DAGs that have it.
 *
 *   tree(u) = (label of u, the multiset of (label of the arc, tree(w)) over the arcs u -> w of the DAG)
 *
 * A tree is hashed to one word, a multiset to the sum of the hashes of its elements. Time O(n (n + arcs)), less if balls
 * of radius h are small. Memory O(n + arcs + features).
 */
#include "kernel/counts/ball.h"
#include "kernel/counts/tally.h"
#include "refine/variant.h"

typedef struct visiting {
    lm_adjacency arcs;
    uint64_t *label; /* [n] */
    uint64_t *tree;  /* [n] hashes, of the vertices of the current DAG */
    lm_ball dag;
} visiting;

static uint64_t tree_of(const visiting *s, uint32_t u, uint32_t height)
{
    uint64_t children = 0;
    for (uint64_t e = s->arcs.start[u]; e < s->arcs.start[u + 1] && s->dag.depth[u] < height; e++) {
        const uint32_t w = s->arcs.head[e];
        if (s->dag.depth[w] != s->dag.depth[u] + 1) continue;
        children += lm_mix(s->tree[w] * lm_multiplier_of(LM_TREE, 0) + s->arcs.label[e] * lm_multiplier_of(LM_TREE, 1));
    }
    return lm_mix(s->label[u] * lm_multiplier_of(LM_TREE, 2) + children);
}

static leman_status count_trees(lm_worker *worker, const leman_graph *g, const lm_counting *counting, lm_tally *tally)
{
    leman_context *ctx = worker->ctx;
    const leman_kernel *kernel = counting->kernel;
    const uint32_t height = kernel->radius == LM_KERNEL_MAX_RADIUS ? LM_FAR : kernel->radius;
    visiting s;
    PASS(lm_arcs_of(ctx, g, &kernel->coloring, &s.arcs));
    PASS_SCRATCH(ctx, s.label, g->vertices);
    PASS_SCRATCH(ctx, s.tree, g->vertices);
    PASS(lm_ball_new(ctx, g->vertices, &s.arcs, &s.dag));
    for (size_t v = 0; v < g->vertices; v++) s.label[v] = lm_label_hash(g, v, &kernel->coloring);
    for (uint32_t root = 0; root < g->vertices; root++) {
        lm_ball_search(&s.dag, root, height, NULL, 0);
        for (size_t i = s.dag.size; i-- > 0;) { /* children before parents */
            const uint32_t u = s.dag.order[i];
            s.tree[u] = tree_of(&s, u, height);
            PASS(lm_tally_add(ctx, tally, lm_mix(s.tree[u] + lm_multiplier_of(LM_TREE, 3)), 1));
        }
        PASS(lm_worker_advance(worker, g->vertices + g->arcs));
    }
    return LEMAN_OK;
}

static uint64_t cost(const leman_graph *g, const lm_counting *counting)
{
    (void)counting;
    return lm_saturating_multiply(g->vertices, g->vertices + g->arcs);
}

leman_status lm_triples_of_trees(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                 size_t first_graph, size_t block, lm_triples *triples)
{
    const lm_counting counting = {"trees", count_trees, cost, kernel, NULL};
    return lm_triples_count(ctx, data, &counting, first_graph, block, triples);
}
