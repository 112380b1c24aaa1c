/*
 * The contribution of each vertex and edge to the score of a graph: exact for models that are linear in counts of
 * colours. The decision of a model with weights is
 *
 *   bias + sum over rounds r and columns c of weight_rc phi_rc(G) / |phi(G)|
 *
 * where phi_rc counts the tuples whose colour in round r has column c. If a column stands for the m colours of an
 * orbit, phi_rc is sqrt(m) times the count of each. So a tuple contributes weight_rc / (sqrt(m) |phi(G)|), in equal
 * shares to its k components. The bias and the shares of a marked vertex form the rest; all vertices and the rest add
 * up to the score. Edges divide the whole score a second time: the contribution of a tuple goes to its pairs of
 * adjacent components. If there is none, the share of each component is spread evenly over the edges of that vertex.
 * Time: that of the refinement, and k! look-ups of columns for every tuple. Memory for edges if k > 1: a word for each
 * pair of vertices.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include "kernel/features/features.h"
#include "learn/attribution/attribution.h"
#include "refine/items/items.h"
#include "refine/refine.h"
#include <math.h>
#include <string.h>

enum { MAX_ORBIT_K = 3, MAX_ORBIT = 6 };

/* State for one graph. */
typedef struct sharing {
    leman_context *ctx;
    const leman_model *model;
    leman_graph graph; /* as the kernels use it */
    size_t vertices;   /* of the caller's graph; vertices with larger numbers are marks */
    bool expanded;     /* every colour of an orbit has its own column */
    double length;     /* |phi(G)| */
    double *factor;    /* [outputs] factor of each decision in the score */
    double *vertex, *rest;
    lm_edge_sharing *edges;
    uint32_t *edge_of; /* [vertices][vertices] 1 + number of the edge between two, or 0; NULL if every k is 1 */
    double *loose;     /* [vertices] shares from tuples without an edge */
} sharing;

/* ---- Arguments ------------------------------------------------------------------------------- */

leman_status lm_model_check_contributions(leman_context *ctx, const leman_model *model)
{
    const char *obstacle = model->weight ? NULL : "minima of counts";
    char name[LM_SENTENCE / 4];
    for (size_t i = 0; i < model->shape.kernels && !obstacle; i++) {
        if (model->kernel[i].kind == LEMAN_KERNEL_KIND_COLORS) continue;
        leman_kernels_paper_name(model->kernel + i, 1, name, sizeof name);
        obstacle = name;
    }
    for (size_t i = 0; i < model->shape.kernels; i++)
        if (!obstacle && model->kernel[i].binnings) obstacle = "binned attributes";
    if (!obstacle) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                   "found a model of %s, expected a model of colours: only such models have exact contributions",
                   obstacle);
}

/* ---- Tuples ---------------------------------------------------------------------------------- */

/* Returns the smallest of the colours of a tuple in all orders of its components; *different: how many differ. */
static uint64_t smallest(const uint64_t *colors, size_t n, unsigned k, const size_t *vertex, unsigned *different)
{
    static const unsigned char ORDER[MAX_ORBIT_K + 1][MAX_ORBIT][MAX_ORBIT_K] = {
        {{0}}, {{0}}, {{0, 1}, {1, 0}}, {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    static const unsigned ORDERS[MAX_ORBIT_K + 1] = {1, 1, 2, MAX_ORBIT};
    uint64_t found[MAX_ORBIT], least = UINT64_MAX;
    *different = 0;
    for (unsigned o = 0; o < ORDERS[k]; o++) {
        size_t tuple = 0;
        unsigned known = 0;
        for (unsigned j = 0; j < k; j++) tuple = tuple * n + vertex[ORDER[k][o][j]];
        while (known < *different && found[known] != colors[tuple]) known++;
        if (known == *different) found[(*different)++] = colors[tuple];
        if (colors[tuple] < least) least = colors[tuple];
    }
    return least;
}

/* Returns the weight of a key in the score, or 0 if the model does not have the key. */
static double weight_of(const sharing *s, const lm_map_block *known, uint64_t key)
{
    size_t low = 0, high = known->count;
    double weight = 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (known->key[middle * known->step] < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == known->count || known->key[low * known->step] != key) return 0;
    const float *own = s->model->weight + (known->first + low) * s->model->outputs;
    for (size_t m = 0; m < s->model->outputs; m++) weight += s->factor[m] * (double)own[m];
    return weight;
}

/* Adds the contribution of a tuple, k * share, to the edges. */
static void share_edges(const sharing *s, const size_t *vertex, unsigned k, double share)
{
    const size_t n = s->vertices;
    uint32_t found[LM_MAX_K * (LM_MAX_K - 1)];
    unsigned count = 0;
    for (unsigned i = 0; i < k; i++)
        for (unsigned j = 0; j < k; j++)
            if (vertex[i] < n && vertex[j] < n && vertex[i] != vertex[j] && s->edge_of[vertex[i] * n + vertex[j]])
                found[count++] = s->edge_of[vertex[i] * n + vertex[j]] - 1;
    for (unsigned i = 0; i < count; i++) s->edges->edge[found[i]] += share * k / count;
    for (unsigned j = 0; !count && j < k; j++) *(vertex[j] < n ? s->loose + vertex[j] : &s->edges->rest) += share;
}

/* Adds the contributions of all tuples of a round. If `sparse`, tuples of colour 0 have no colour and are skipped. */
static leman_status share_round(sharing *s, uint32_t kernel, uint32_t round, const uint64_t *colors, bool sparse)
{
    enum { BETWEEN = 4096 };
    const leman_kernel *by = s->model->kernel + kernel;
    const size_t n = s->graph.vertices, tuples = (size_t)lm_power(n, by->coloring.k);
    size_t vertex[LM_MAX_K] = {0};
    lm_map_block known[LM_TRIPLE_LISTS];
    for (uint32_t list = 0; list < LM_TRIPLE_LISTS; list++)
        known[list] = lm_column_keys(&s->model->features, kernel, round * LM_TRIPLE_LISTS + list);
    for (size_t t = 0; t < tuples; t++) {
        unsigned different = 1;
        const bool colored = !sparse || colors[t];
        const uint64_t key = by->coloring.k <= MAX_ORBIT_K && !s->expanded
                                 ? smallest(colors, n, by->coloring.k, vertex, &different)
                                 : colors[t];
        const double weight = !colored ? 0 : weight_of(s, known + (different == MAX_ORBIT ? 3 : different - 1), key);
        const double share = weight * sqrt(by->weight / different) / s->length / by->coloring.k;
        for (unsigned j = 0; j < by->coloring.k; j++)
            *(vertex[j] < s->vertices ? s->vertex + vertex[j] : s->rest) += share;
        if (share != 0) share_edges(s, vertex, by->coloring.k, share);
        for (unsigned j = by->coloring.k; j-- > 0;) { /* the last component varies fastest */
            if (++vertex[j] < n) break;
            vertex[j] = 0;
        }
        if (t % BETWEEN == 0) PASS(lm_progress_step(s->ctx, s->ctx->progress.done));
    }
    return LEMAN_OK;
}

/* Adds the contributions of all items of a round, each to the vertices of the item. */
static leman_status share_items(sharing *s, uint32_t kernel, const lm_refinement *r)
{
    const double weight = s->model->kernel[kernel].weight;
    const lm_map_block known = lm_column_keys(&s->model->features, kernel, r->round * LM_TRIPLE_LISTS);
    uint32_t vertex[LM_MAX_K];
    for (size_t i = 0; i < r->space.n; i++) {
        const unsigned count = lm_item_vertices(r->space.items, i, vertex);
        const double share = weight_of(s, &known, r->colors[i]) * sqrt(weight) / s->length / count;
        size_t end[LM_MAX_K] = {0};
        for (unsigned j = 0; j < count; j++) {
            end[j] = vertex[j];
            *(end[j] < s->vertices ? s->vertex + end[j] : s->rest) += share;
        }
        if (share != 0) share_edges(s, end, count, share);
    }
    return LEMAN_OK;
}

static leman_status share_kernel(sharing *s, uint32_t kernel)
{
    leman_context *ctx = s->ctx;
    SCRATCH_SCOPE(ctx);
    const leman_coloring *coloring = &s->model->kernel[kernel].coloring;
    lm_refinement r;
    uint64_t *all = NULL; /* colours of sparse tuples, spread over all tuples */
    const lm_demand demand = {"the graph", .graphs = 1, .budget = lm_budget(ctx)};
    PASS(lm_refinement_open(ctx, &s->graph, coloring, false, &demand, &r));
    if (r.space.sparse) PASS_SCRATCH(ctx, all, lm_power(s->graph.vertices, coloring->k));
    for (;;) {
        if (all) lm_sparse_spread(&r.space, r.colors, all);
        if (r.space.items)
            PASS(share_items(s, kernel, &r));
        else
            PASS(share_round(s, kernel, r.round, all ? all : r.colors, all != NULL));
        if (r.round == coloring->rounds) break;
        PASS(lm_refinement_step(&r));
        PASS(lm_progress_step(ctx, r.round));
    }
    return LEMAN_OK;
}

/* ---- Edges ----------------------------------------------------------------------------------- */

static leman_status begin_edges(sharing *s)
{
    const lm_edge_sharing *edges = s->edges;
    size_t cells;
    PASS_SCRATCH_ZERO(s->ctx, s->loose, s->vertices);
    memset(edges->edge, 0, edges->count * sizeof *edges->edge);
    if (!lm_multiply(s->vertices, s->vertices, &cells)) cells = SIZE_MAX;
    bool pairs = false;
    for (size_t i = 0; i < s->model->shape.kernels; i++) pairs |= s->model->kernel[i].coloring.k > 1;
    if (!pairs) return LEMAN_OK;
    PASS_SCRATCH_ZERO(s->ctx, s->edge_of, cells);
    for (size_t e = 0; e < edges->count; e++) {
        const size_t u = edges->end[2 * e], v = edges->end[2 * e + 1];
        s->edge_of[u * s->vertices + v] = (uint32_t)e + 1;
        if (!s->graph.directed) s->edge_of[v * s->vertices + u] = (uint32_t)e + 1;
    }
    return LEMAN_OK;
}

/* Spreads the shares that were left at vertices over their edges. */
static leman_status finish_edges(sharing *s)
{
    lm_edge_sharing *edges = s->edges;
    uint32_t *degree;
    PASS_SCRATCH_ZERO(s->ctx, degree, s->vertices);
    for (size_t i = 0; i < 2 * edges->count; i++) degree[edges->end[i]]++;
    for (size_t i = 0; i < 2 * edges->count; i++) edges->edge[i / 2] += s->loose[edges->end[i]] / degree[edges->end[i]];
    for (size_t v = 0; v < s->vertices; v++)
        if (!degree[v]) edges->rest += s->loose[v];
    return LEMAN_OK;
}

/* ---- One graph ------------------------------------------------------------------------------- */

leman_status lm_model_contributions(leman_context *ctx, const leman_model *model, const leman_dataset *one,
                                    size_t class_number, double *vertex, double *rest, lm_edge_sharing *edges)
{
    AUTO(leman_dataset_drop) leman_dataset *own = NULL;
    AUTO(lm_features_clear) leman_features f = {0};
    double self = 0;
    sharing s = {.ctx = ctx,
                 .model = model,
                 .vertices = leman_dataset_graph(one, 0).vertices,
                 .expanded = lm_features_expanded(&model->features),
                 .vertex = vertex,
                 .rest = rest,
                 .edges = edges};
    PASS_SCRATCH(ctx, s.factor, model->outputs);
    lm_model_class_factors(model, class_number, s.factor);
    PASS(lm_model_view(ctx, model, one, &own));
    s.graph = leman_dataset_graph(own ? own : one, 0);
    PASS(lm_features_compact(ctx, own ? own : one, model->kernel, model->shape.kernels, false, &model->features, &self,
                             &f));
    s.length = sqrt(self);
    memset(vertex, 0, s.vertices * sizeof *vertex);
    *rest = 0;
    for (size_t m = 0; m < model->outputs; m++) *rest += s.factor[m] * model->bias[m];
    edges->rest = *rest;
    PASS(begin_edges(&s));
    lm_progress_begin(ctx, 0, "sharing the score among the vertices");
    for (uint32_t i = 0; i < model->shape.kernels && self > 0 && s.graph.vertices; i++) PASS(share_kernel(&s, i));
    return finish_edges(&s);
}
