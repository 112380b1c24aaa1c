/*
 * The contribution of each vertex and edge to the score of a graph: exact for models of counts of colours. The decision
 * of a model with weights is
 *
 *   bias + S,   S = sum over rounds r and columns c of weight_rc phi_rc(G) / |phi(G)|
 *
 * where phi_rc counts the tuples whose colour in round r has column c. If a column stands for the m colours of an
 * orbit, phi_rc is sqrt(m) times the count of each. S does not change if all counts grow by one factor, so what a
 * frequent colour adds depends on the other colours. A tuple of a colour with N tuples is worth its marginal effect, the
 * derivative of S by the count of its colour:
 *
 *   weight_rc / (sqrt(m) |phi(G)|) - S N / |phi(G)|^2
 *
 * By Euler's theorem the effects of all tuples add up to 0. A model with support graphs T has instead
 *
 *   S = sum over T of coefficient_T n(k(G, T), k(G, G), k(T, T)),   k(G, T) = sum over r, c of min(phi_rc(G), phi_rc(T))
 *
 * or products in place of minima, where n normalises. The effect of a tuple is again the derivative of S by the count of
 * its colour: that of a minimum is the one from below, 1 where T has at least as many tuples of the colour as G. The
 * vertices that a colour depends on share the effect of its
 * tuple in the proportion of 2^-d: for 1-WL and delta-k-LWL the vertices at distance d = 0 .. r from the nearest
 * component, for other colourings the components. These shares are the weighted Shapley value (Kalai and Samet, 1987) of
 * the game in which the tuple pays if all of these vertices are there. Every vertex gets an equal part of the surplus,
 * the score less the mean score of the training graphs and all effects. That mean and the shares of a marked vertex form the rest; all
 * vertices and the rest add up to the score. Edges divide the score a second time: the edges between the vertices of a
 * tuple share its effect in the proportion of the smaller of the weights of their ends. If there is none, the share of
 * each vertex is spread evenly over the edges of that vertex.
 *
 * Time: that of the refinement, O(log tuples) for the count of a tuple's colour, k! look-ups of columns for every tuple,
 * and a visit of the vertices of every tuple and their edges. Memory: two words for each tuple, vertex and edge.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/sort.h"
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
    leman_graph graph;    /* as the kernels use it */
    size_t vertices;      /* of the caller's graph; vertices with larger numbers are marks */
    bool expanded;        /* every colour of an orbit has its own column */
    double length;        /* |phi(G)| */
    double damping;       /* derivative of S by k(G, G) */
    double *gain;         /* [columns] derivative of S by phi_c(G), for a constant k(G, G); NULL: weight_c / |phi(G)| */
    double given;         /* sum of all effects */
    const double *factor; /* [outputs] factor of each decision in the score */
    double *vertex, *rest;
    lm_edge_sharing *edges;
    size_t *start;      /* [vertices+2] edges of vertex v: incident[start[v]] .. incident[start[v + 1] - 1] */
    uint32_t *incident; /* [2 edges] */
    double *loose;      /* [vertices] shares from tuples without an edge */
    uint32_t *member;   /* [graph.vertices] the vertices that get shares, in the order of discovery */
    uint64_t *visited;  /* [graph.vertices] `visit` for the members */
    uint32_t *distance; /* [graph.vertices] of the members, from the nearest component */
    uint64_t visit;
} sharing;

/* ---- Arguments ------------------------------------------------------------------------------- */

leman_status lm_model_check_contributions(leman_context *ctx, const leman_model *model)
{
    const char *obstacle = NULL;
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

leman_status lm_model_check_weights(leman_context *ctx, const leman_model *model)
{
    PASS(lm_model_check_contributions(ctx, model));
    if (model->weight) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                   "found a model of minima of counts, expected a model of colours: only such models have weights");
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

/* Returns the derivative of S by the feature of a key, or 0 if the model does not have the key. */
static double gain_of(const sharing *s, const lm_map_block *known, uint64_t key)
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
    if (s->gain) return s->gain[known->first + low];
    const float *own = s->model->weight + (known->first + low) * s->model->outputs;
    for (size_t m = 0; m < s->model->outputs; m++) weight += s->factor[m] * (double)own[m];
    return weight / s->length;
}

/* Lists a vertex as a member, once. Returns the number of members. */
static size_t add_member(sharing *s, size_t members, size_t vertex, uint32_t distance)
{
    if (s->visited[vertex] == s->visit) return members;
    s->visited[vertex] = s->visit;
    s->distance[vertex] = distance;
    s->member[members] = (uint32_t)vertex;
    return members + 1;
}

/* Returns the weight of a member in the shares, 2^-d. */
static double weight_at(uint32_t distance)
{
    return ldexp(1, -(int)(distance < 1000 ? distance : 1000));
}

/* Adds a contribution to the edges between the members. Returns false if there is none. */
static bool share_edges(const sharing *s, size_t members, double contribution)
{
    const lm_edge_sharing *edges = s->edges;
    double all = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < members; i++) {
            const uint32_t v = s->member[i];
            for (size_t e = v < s->vertices ? s->start[v] : 0; v < s->vertices && e < s->start[v + 1]; e++) {
                const uint32_t *end = edges->end + 2 * (size_t)s->incident[e];
                if (end[0] != v || s->visited[end[1]] != s->visit) continue;
                const uint32_t d = s->distance[v], other = s->distance[end[1]];
                const double weight = weight_at(d > other ? d : other);
                if (turn)
                    edges->edge[s->incident[e]] += contribution * weight / all;
                else
                    all += weight;
            }
        }
        if (!(all > 0)) return false;
    }
    return true;
}

/* Shares a contribution among the vertices up to a distance from vertex[count], and among their edges. */
static void share(sharing *s, const size_t *vertex, unsigned count, uint32_t distance, double contribution)
{
    size_t members = 0, next = 0;
    double all = 0;
    s->visit++;
    s->given += contribution;
    for (unsigned j = 0; j < count; j++) members = add_member(s, members, vertex[j], 0);
    for (; next < members && s->distance[s->member[next]] < distance; next++) {
        const uint32_t v = s->member[next];
        for (size_t e = v < s->vertices ? s->start[v] : 0; v < s->vertices && e < s->start[v + 1]; e++) {
            const uint32_t *end = s->edges->end + 2 * (size_t)s->incident[e];
            members = add_member(s, members, end[end[0] == v], s->distance[v] + 1);
        }
    }
    for (size_t i = 0; i < members; i++) all += weight_at(s->distance[s->member[i]]);
    const bool shared = share_edges(s, members, contribution);
    for (size_t i = 0; i < members; i++) {
        const uint32_t v = s->member[i];
        const double part = contribution * weight_at(s->distance[v]) / all;
        *(v < s->vertices ? s->vertex + v : s->rest) += part;
        if (!shared) *(v < s->vertices ? s->loose + v : &s->edges->rest) += part;
    }
}

/* Returns how many of sorted[count] equal the value, which is among them. */
static double number_of(const uint64_t *sorted, size_t count, uint64_t value)
{
    size_t end[2]; /* the numbers of elements below the value, and below or equal to it */
    for (int equal = 0; equal < 2; equal++) {
        size_t low = 0, high = count;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (sorted[middle] < value || (equal && sorted[middle] == value))
                low = middle + 1;
            else
                high = middle;
        }
        end[equal] = low;
    }
    return (double)(end[1] - end[0]);
}

/* Sorts a copy of colors[count], which the scratch arena keeps until the end of the round. */
static leman_status sort_colors(sharing *s, const uint64_t *colors, size_t count, uint64_t **sorted)
{
    uint64_t *spare;
    PASS_SCRATCH(s->ctx, *sorted, count);
    PASS_SCRATCH(s->ctx, spare, count);
    if (count) memcpy(*sorted, colors, count * sizeof *colors);
    lm_sort_keys(*sorted, spare, count, 1);
    return LEMAN_OK;
}

/* Returns the marginal effect of a tuple whose colour has this gain, and `number` tuples. */
static double effect_of(const sharing *s, const leman_kernel *by, double gain, unsigned different, double number)
{
    const double one = by->assignment ? by->weight : sqrt(by->weight / different); /* a tuple's part of its feature */
    return one * (gain + s->damping * (by->assignment ? 1 : 2 * one * different * number));
}

/* Adds the effects of all tuples of a round. If `sparse`, tuples of colour 0 have no colour and are skipped. */
static leman_status share_round(sharing *s, uint32_t kernel, uint32_t round, const uint64_t *colors, bool sparse)
{
    enum { BETWEEN = 4096 };
    SCRATCH_SCOPE(s->ctx);
    const leman_kernel *by = s->model->kernel + kernel;
    const size_t n = s->graph.vertices, tuples = (size_t)lm_power(n, by->coloring.k);
    size_t vertex[LM_MAX_K] = {0};
    uint64_t *sorted;
    const bool near = lm_variant_of(&by->coloring)->sampled || by->coloring.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS;
    lm_map_block known[LM_TRIPLE_LISTS];
    for (uint32_t list = 0; list < LM_TRIPLE_LISTS; list++)
        known[list] = lm_column_keys(&s->model->features, kernel, round * LM_TRIPLE_LISTS + list);
    PASS(sort_colors(s, colors, tuples, &sorted));
    for (size_t t = 0; t < tuples; t++) {
        unsigned different = 1;
        if (!sparse || colors[t]) {
            const uint64_t key = by->coloring.k <= MAX_ORBIT_K && !s->expanded
                                     ? smallest(colors, n, by->coloring.k, vertex, &different)
                                     : colors[t];
            const double gain = gain_of(s, known + (different == MAX_ORBIT ? 3 : different - 1), key);
            share(s, vertex, by->coloring.k, near ? round : 0,
                  effect_of(s, by, gain, different, number_of(sorted, tuples, colors[t])));
        }
        for (unsigned j = by->coloring.k; j-- > 0;) { /* the last component varies fastest */
            if (++vertex[j] < n) break;
            vertex[j] = 0;
        }
        if (t % BETWEEN == 0) PASS(lm_progress_step(s->ctx, s->ctx->progress.done));
    }
    return LEMAN_OK;
}

/* Adds the effects of all items of a round, each to the vertices of the item. */
static leman_status share_items(sharing *s, uint32_t kernel, const lm_refinement *r)
{
    SCRATCH_SCOPE(s->ctx);
    const lm_map_block known = lm_column_keys(&s->model->features, kernel, r->round * LM_TRIPLE_LISTS);
    uint32_t vertex[LM_MAX_K];
    uint64_t *sorted;
    PASS(sort_colors(s, r->colors, r->space.n, &sorted));
    for (size_t i = 0; i < r->space.n; i++) {
        const unsigned count = lm_item_vertices(r->space.items, i, vertex);
        size_t end[LM_MAX_K] = {0};
        for (unsigned j = 0; j < count; j++) end[j] = vertex[j];
        share(s, end, count, 0,
              effect_of(s, s->model->kernel + kernel, gain_of(s, &known, r->colors[i]), 1,
                        number_of(sorted, r->space.n, r->colors[i])));
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
    const size_t all = s->graph.vertices;
    memset(edges->edge, 0, edges->count * sizeof *edges->edge);
    PASS_SCRATCH_ZERO(s->ctx, s->loose, s->vertices);
    PASS_SCRATCH_ZERO(s->ctx, s->start, s->vertices + 2);
    PASS_SCRATCH(s->ctx, s->incident, 2 * edges->count + 1);
    PASS_SCRATCH(s->ctx, s->member, all + 1);
    PASS_SCRATCH_ZERO(s->ctx, s->visited, all + 1);
    PASS_SCRATCH(s->ctx, s->distance, all + 1);
    for (size_t i = 0; i < 2 * edges->count; i++) s->start[edges->end[i] + 2]++;
    for (size_t v = 0; v < s->vertices; v++) s->start[v + 2] += s->start[v + 1];
    for (size_t i = 0; i < 2 * edges->count; i++) s->incident[s->start[edges->end[i] + 1]++] = (uint32_t)(i / 2);
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

/* Computes gain[] and damping from the support graphs. `f` has the features of the graph, self is k(G, G). */
static leman_status derive_supports(sharing *s, const leman_features *f, double self)
{
    const leman_model *model = s->model;
    const leman_features *t = &model->features;
    double *value;
    PASS_SCRATCH_ZERO(s->ctx, value, t->columns);
    PASS_SCRATCH_ZERO(s->ctx, s->gain, t->columns);
    for (uint64_t e = 0; e < f->entries; e++) value[f->column[e]] = f->value[e];
    for (size_t i = 0; i < t->rows; i++) {
        const double *coefficient = model->coefficient + i * model->outputs;
        double k = 0, other = 0, factor = 0;
        for (uint64_t e = t->start[i]; e < t->start[i + 1]; e++) {
            const double x = value[t->column[e]], y = t->value[e];
            const bool minima = model->kernel[t->feature[t->column[e]].kernel].assignment;
            k += minima ? fmin(x, y) : x * y;
            other += minima ? y : y * y;
        }
        for (size_t m = 0; m < model->outputs; m++) factor += s->factor[m] * coefficient[m];
        const bool shares = model->kernel->normalization == LEMAN_NORMALIZATION_TANIMOTO; /* k / (self + other - k) */
        const double divisor = shares ? self + other - k : sqrt(self * other);
        if (!(divisor > 0)) continue;
        const double by_k = factor * (shares ? (self + other) / (divisor * divisor) : 1 / divisor);
        s->damping -= factor * (shares ? k / (divisor * divisor) : k / (2 * self * divisor));
        for (uint64_t e = t->start[i]; e < t->start[i + 1]; e++) {
            const double x = value[t->column[e]], y = t->value[e];
            const bool minima = model->kernel[t->feature[t->column[e]].kernel].assignment;
            s->gain[t->column[e]] += by_k * (minima ? x <= y : y);
        }
    }
    return LEMAN_OK;
}

/* Adds equal parts of the surplus, the score less the centre and the effects, to all vertices and to all edges. */
static void share_surplus(const sharing *s, double surplus, double center)
{
    lm_edge_sharing *edges = s->edges;
    *s->rest += s->vertices ? center : center + surplus;
    edges->rest += edges->count ? center : center + surplus;
    for (size_t v = 0; v < s->vertices; v++) s->vertex[v] += surplus / (double)s->vertices;
    for (size_t e = 0; e < edges->count; e++) edges->edge[e] += surplus / (double)edges->count;
}

leman_status lm_model_contributions(leman_context *ctx, const leman_model *model, const leman_dataset *one,
                                    const lm_explained_score *score, double *vertex, double *rest,
                                    lm_edge_sharing *edges)
{
    SCRATCH_SCOPE(ctx);
    AUTO(leman_dataset_drop) leman_dataset *own = NULL;
    AUTO(lm_features_clear) leman_features f = {0};
    double self = 0;
    sharing s = {.ctx = ctx,
                 .model = model,
                 .vertices = leman_dataset_graph(one, 0).vertices,
                 .expanded = lm_features_expanded(&model->features),
                 .factor = score->factor,
                 .vertex = vertex,
                 .rest = rest,
                 .edges = edges};
    PASS(lm_model_view(ctx, model, one, &own));
    s.graph = leman_dataset_graph(own ? own : one, 0);
    PASS(lm_features_compact(ctx, own ? own : one, model->kernel, model->shape.kernels, false, &model->features, &self,
                             &f));
    s.length = sqrt(self);
    if (!model->weight)
        PASS(derive_supports(&s, &f, self));
    else if (self > 0)
        s.damping = (score->bias - score->score) / (2 * self);
    memset(vertex, 0, s.vertices * sizeof *vertex);
    *rest = edges->rest = 0;
    PASS(begin_edges(&s));
    lm_progress_begin(ctx, 0, "sharing the score among the vertices");
    for (uint32_t i = 0; i < model->shape.kernels && self > 0 && s.graph.vertices; i++) PASS(share_kernel(&s, i));
    PASS(finish_edges(&s));
    share_surplus(&s, score->score - score->center - s.given, score->center);
    return LEMAN_OK;
}
