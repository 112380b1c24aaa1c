/*
 * Clusters of graphs by exclusion spheres (Taylor 1995, Butina 1999). Every graph is a query; graphs of at least a given
 * similarity are neighbours. Graphs become centres in the order of their numbers of neighbours, and take the neighbours
 * that are left.
 *
 * Memory: features, and the list of neighbours of every graph, 12 bytes each.
 */
#include "base/arguments.h"
#include "kernel/neighbors/search.h"
#include "leman/neighbors.h"

static const uint32_t NONE = UINT32_MAX;

typedef struct clustering {
    leman_context *ctx;
    size_t graphs;
    double least;
    size_t *start;        /* [graphs + 1] graph i has neighbour[start[i]], ..., neighbour[start[i + 1] - 1] */
    lm_vector neighbor;   /* uint32_t, increasing for each graph */
    lm_vector similarity; /* double, of each neighbour */
} clustering;

static void clustering_free(clustering *c)
{
    lm_vector_release(&c->neighbor);
    lm_vector_release(&c->similarity);
}

/* An lm_search_receiver: lists the neighbours of some graphs. */
static leman_status receive(void *state, size_t first, size_t count, const double *similarity)
{
    clustering *c = state;
    for (size_t i = 0; i < count; i++) {
        const double *own = similarity + i * c->graphs;
        PASS(lm_vector_reserve(c->ctx, &c->neighbor, c->graphs, sizeof(uint32_t)));
        PASS(lm_vector_reserve(c->ctx, &c->similarity, c->graphs, sizeof(double)));
        uint32_t *list = c->neighbor.items;
        double *value = c->similarity.items;
        size_t at = c->neighbor.count;
        for (size_t j = 0; j < c->graphs; j++) { /* branch-free: overwritten unless j is a neighbour */
            list[at] = (uint32_t)j;
            value[at] = own[j];
            at += j != first + i && own[j] >= c->least;
        }
        c->neighbor.count = c->similarity.count = at;
        c->start[first + i + 1] = at;
    }
    return LEMAN_OK;
}

/* Returns the number of neighbours of a graph. */
static size_t count_of(const clustering *c, size_t graph)
{
    return c->start[graph + 1] - c->start[graph];
}

/* Writes the graphs in the order of their numbers of neighbours, the most first, and of equal ones in their own order. */
static leman_status sort_graphs(const clustering *c, uint32_t *order)
{
    SCRATCH_SCOPE(c->ctx);
    size_t *place; /* [graphs + 1] where the next graph with graphs - 1 - i neighbours goes */
    PASS_SCRATCH_ZERO(c->ctx, place, c->graphs + 1);
    for (size_t i = 0; i < c->graphs; i++) place[c->graphs - count_of(c, i)]++;
    for (size_t i = 0; i < c->graphs; i++) place[i + 1] += place[i];
    for (size_t i = 0; i < c->graphs; i++) order[place[c->graphs - 1 - count_of(c, i)]++] = (uint32_t)i;
    return LEMAN_OK;
}

/* Makes a graph that no cluster has taken the centre of a cluster. */
static void form(const clustering *c, uint32_t i, uint32_t number, uint32_t *cluster, uint32_t *centre,
                 double *similarity)
{
    const uint32_t *neighbor = c->neighbor.items;
    const double *value = c->similarity.items;
    cluster[i] = number;
    if (centre) centre[i] = i;
    if (similarity) similarity[i] = 1;
    for (size_t e = c->start[i]; e < c->start[i + 1]; e++) {
        const uint32_t j = neighbor[e];
        if (cluster[j] != NONE) continue;
        cluster[j] = number;
        if (centre) centre[j] = i;
        if (similarity) similarity[j] = value[e];
    }
}

leman_status leman_clusters_find(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                 size_t count, double least, uint32_t *cluster, uint32_t *centre, double *similarity,
                                 size_t *clusters)
{
    REQUIRE(ctx, data, kernels, cluster, clusters);
    SCRATCH_SCOPE(ctx);
    AUTO(lm_search_close) lm_search search = {0};
    AUTO(clustering_free) clustering c = {.ctx = ctx, .graphs = data->graphs, .least = least};
    uint32_t *order, formed = 0;
    if (!(least > 0 && least <= 1))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "similarity: found %g, expected a number above 0 and up to 1", least);
    PASS_SCRATCH(ctx, order, c.graphs);
    PASS_SCRATCH_ZERO(ctx, c.start, c.graphs + 1);
    PASS(lm_search_open(ctx, data, kernels, count, &search));
    PASS(lm_search_run(&search, data, receive, &c));
    PASS(sort_graphs(&c, order));
    for (size_t i = 0; i < c.graphs; i++) cluster[i] = NONE;
    for (size_t i = 0; i < c.graphs; i++)
        if (cluster[order[i]] == NONE) form(&c, order[i], formed++, cluster, centre, similarity);
    *clusters = formed;
    return LEMAN_OK;
}
