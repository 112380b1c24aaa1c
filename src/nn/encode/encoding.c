/* Determines labels, degrees and types of a data set in two passes: labels first, since the keys of types contain their
 * numbers. O(vertices + arcs + sum of n^k); workspace: n^2 of the largest graph. Of sparse sets: O(tuples log degree),
 * and the tuples of all graphs as workspace. */
#include "nn/encode/encoding.h"
#include "base/text.h"
#include "graph/dataset.h"
#include "nn/encode/pair_reals.h"
#include <math.h>

/* ---- Labels ---------------------------------------------------------------------------------- */

static size_t edge_key(const lm_encoding *e, const leman_graph *g, uint64_t arc, int64_t *key)
{
    for (size_t i = 0; i < e->columns.edge_labels; i++) key[i] = g->edge_label[arc * e->columns.edge_labels + i];
    return e->columns.edge_labels * sizeof *key;
}

/* The columns of the vertex's label, followed by 0 or, if it has a self-loop, by 1 + the number of the loop's label
 * (possibly LM_NO_TYPE). */
static size_t vertex_key(const lm_encoding *e, const leman_graph *g, size_t v, const uint32_t *edge_label, int64_t *key)
{
    const size_t columns = e->columns.vertex_labels;
    for (size_t i = 0; i < columns; i++) key[i] = g->vertex_label[v * columns + i];
    key[columns] = 0;
    for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++)
        if (g->head[a] == v) key[columns] = 1 + (int64_t)edge_label[a - g->start[0]];
    return (columns + 1) * sizeof *key;
}

leman_status lm_encoding_number(const lm_encoding *e, const lm_intern *keys, const void *key, size_t bytes,
                                uint32_t *number)
{
    if (e->ctx) return lm_intern_add(e->ctx, (lm_intern *)(uintptr_t)keys, 0, key, bytes, number);
    if (!lm_intern_find(keys, 0, key, bytes, number)) *number = LM_NO_TYPE;
    return LEMAN_OK;
}

leman_status lm_encoding_labels(const lm_encoding *e, const leman_graph *g, uint32_t *label, uint32_t *edge_label)
{
    int64_t key[LM_LABEL_COLUMNS + 1];
    for (uint64_t a = g->start[0]; a < g->start[g->vertices]; a++) {
        const size_t bytes = edge_key(e, g, a, key);
        PASS(lm_encoding_number(e, &e->edge_label, key, bytes, edge_label + (a - g->start[0])));
    }
    for (size_t v = 0; v < g->vertices; v++) {
        const size_t bytes = vertex_key(e, g, v, edge_label, key);
        PASS(lm_encoding_number(e, &e->label, key, bytes, label + v));
    }
    return LEMAN_OK;
}

/* ---- Degrees --------------------------------------------------------------------------------- */

size_t lm_encoding_degree(const leman_graph *g, size_t v)
{
    size_t degree = 0;
    for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++) degree += g->head[a] != v;
    return degree;
}

/* Largest degree, mean and deviation (of a sample) over all vertices. */
static void measure_degrees(lm_encoding *e, const leman_dataset *data)
{
    double sum = 0, square = 0;
    e->degrees = 0;
    for (int pass = 0; pass < 2; pass++) { /* the second pass is for the deviation from the mean */
        for (size_t i = 0; i < data->graphs; i++) {
            const leman_graph g = leman_dataset_graph(data, i);
            for (size_t v = 0; v < g.vertices; v++) {
                const size_t degree = lm_encoding_degree(&g, v);
                const double off = (double)degree - e->degree_mean;
                if (degree >= e->degrees) e->degrees = degree + 1;
                if (pass)
                    square += off * off;
                else
                    sum += (double)degree;
            }
        }
        if (!pass) e->degree_mean = sum / (double)data->vertices;
    }
    const double deviation = data->vertices > 1 ? sqrt(square / (double)(data->vertices - 1)) : 0;
    e->degree_deviation = deviation > 0 ? deviation : 1; /* all degrees are equal: the input is 0 everywhere */
}

/* ---- Widths ---------------------------------------------------------------------------------- */

static void choose_vertex_input(lm_encoding *e)
{
    const lm_encoding_options *o = &e->options;
    const size_t attributes = e->columns.vertex_attributes - o->coordinates;
    if (o->matrix)
        e->vertex = LM_VERTEX_NOTHING;
    else if (o->parts && (attributes || e->columns.vertex_labels))
        e->vertex = LM_VERTEX_PARTS;
    else if (o->k > 1 && !o->pairs)
        e->vertex = LM_VERTEX_NOTHING;
    else if (e->columns.vertex_labels)
        e->vertex = LM_VERTEX_LABEL;
    else
        e->vertex = e->degrees <= LM_ONE_HOT_DEGREES ? LM_VERTEX_DEGREE : LM_VERTEX_REAL_DEGREE;
}

size_t lm_encoding_label_reals(const lm_encoding *e)
{
    const bool attributes = e->options.parts && e->columns.vertex_attributes > e->options.coordinates;
    if (!e->columns.vertex_labels || (attributes && e->options.sets[0])) return 0;
    return lm_intern_count(&e->label);
}

lm_channels lm_encoding_channels(const lm_encoding *e)
{
    lm_channels c = {.labels = e->columns.vertex_labels ? lm_intern_count(&e->label) : 0,
                     .edge_labels = e->columns.edge_labels ? lm_intern_count(&e->edge_label) : 0,
                     .attributes = e->columns.vertex_attributes,
                     .edge_attributes = e->columns.edge_attributes};
    c.edges = (e->options.in_arcs ? 2 : 1) * (1 + c.edge_labels + c.edge_attributes);
    return c;
}

size_t lm_encoding_pair_width(const lm_encoding *e)
{
    const lm_encoding_options *o = &e->options;
    return (o->parts ? lm_intern_count(&e->edge_label) : 0) + e->columns.edge_attributes + (o->coordinates ? 1 : 0);
}

static void set_widths(lm_encoding *e)
{
    const lm_encoding_options *o = &e->options;
    const size_t labels = lm_encoding_label_reals(e);
    const size_t edge_labels = lm_intern_count(&e->edge_label);
    const size_t pair = lm_encoding_pair_width(e);
    const size_t one_hot = e->vertex == LM_VERTEX_LABEL ? labels : e->vertex == LM_VERTEX_DEGREE ? e->degrees : 0;
    lm_widths w = {.types = o->k > 1 && !o->pairs ? lm_intern_count(&e->type) : one_hot,
                   .counts = o->k > 1 ? o->rounds * o->k : 0};
    if (o->pairs && o->distance) w.counts = !o->components, w.distances = o->distance + 1;
    if (e->vertex == LM_VERTEX_PARTS)
        w.vertex_reals = labels + e->columns.vertex_attributes - o->coordinates;
    else if (e->vertex == LM_VERTEX_REAL_DEGREE)
        w.vertex_reals = 1;
    else if (lm_encoding_has_dense(e))
        w.vertex_reals = one_hot;
    if (o->beside && !o->matrix) {
        w.attributes = e->columns.vertex_attributes;
        w.vertex_reals += w.attributes;
    }
    const lm_channels c = lm_encoding_channels(e);
    if (o->matrix)
        w.tuple_reals = 1 + c.edges + c.labels + c.attributes;
    else if (o->k > 1)
        w.tuple_reals = o->k * (o->k - 1) / 2 * pair + lm_pair_reals_columns(o);
    if (o->edges || o->pairs) {
        if (o->parts)
            w.arc_reals = pair ? pair : 1; /* nothing is known of arcs: a column of zeros */
        else
            w.labels = edge_labels ? edge_labels : 1;
        if (o->beside && e->columns.edge_attributes) {
            w.arc_reals = e->columns.edge_attributes;
            w.labels = e->columns.edge_labels ? edge_labels : 0;
        }
    }
    for (size_t i = 0; i < LM_LISTS; i++) w.set_types[i] = o->sets[i] ? lm_intern_count(e->set_type + i) : 0;
    e->widths = w;
}

leman_status lm_encoding_complete(lm_encoding *e)
{
    const lm_encoding_options *o = &e->options;
    const leman_columns read = lm_encoding_attributes(o, &e->columns);
    e->columns.vertex_attributes = read.vertex_attributes;
    e->columns.edge_attributes = read.edge_attributes;
    if (o->coordinates > e->columns.vertex_attributes ||
        o->first_coordinate > e->columns.vertex_attributes - o->coordinates)
        return lm_fail(e->ctx, LEMAN_ERROR_INPUT,
                       "coordinates: found columns %zu to %zu, expected some of %zu vertex attribute%s",
                       o->first_coordinate, (size_t)lm_saturating_add(o->first_coordinate, o->coordinates),
                       e->columns.vertex_attributes, lm_plural(e->columns.vertex_attributes));
    if ((o->k == 1 || o->pairs) &&
        !(isfinite(e->degree_mean) && isfinite(e->degree_deviation) && e->degree_deviation > 0))
        return lm_fail(e->ctx, LEMAN_ERROR_INTERNAL, "degrees deviate by %g from %g", e->degree_deviation,
                       e->degree_mean);
    choose_vertex_input(e);
    set_widths(e);
    return (o->k > 1 && !o->matrix && !o->pairs) || o->sets[0] ? lm_encoding_keys_fit(e->ctx, e) : LEMAN_OK;
}

/* ---- Finding types --------------------------------------------------------------------------- */

typedef struct order {
    size_t *graph; /* [graphs] the listed graphs, then the others */
    size_t max_vertices, max_arcs;
} order;

static leman_status order_of(leman_context *ctx, const leman_dataset *data, const uint32_t *which, size_t count,
                             order *o)
{
    size_t at = 0;
    bool *listed;
    *o = (order){0};
    PASS_SCRATCH(ctx, o->graph, data->graphs);
    PASS_SCRATCH_ZERO(ctx, listed, data->graphs);
    for (size_t i = 0; i < count + data->graphs; i++) {
        const size_t g = i < count ? which[i] : i - count;
        if (!listed[g]) o->graph[at++] = g;
        listed[g] = true;
    }
    for (size_t g = 0; g < data->graphs; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        if (graph.vertices > o->max_vertices) o->max_vertices = graph.vertices;
        if (graph.arcs > o->max_arcs) o->max_arcs = graph.arcs;
    }
    return LEMAN_OK;
}

static leman_status find_set_types(lm_encoding *e, const leman_dataset *data, const order *o, uint32_t *label,
                                   uint32_t *edge_label)
{
    AUTO(lm_set_work_free) lm_set_work work = {.ctx = e->ctx};
    uint32_t type;
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, o->graph[i]);
        PASS(lm_encoding_labels(e, &g, label, edge_label));
        for (size_t list = 0; list < LM_LISTS && e->options.sets[list]; list++) {
            const lm_set_kind kind = e->options.sets[list];
            PASS(lm_sets_find(&work, kind, &g));
            for (size_t s = 0; s < work.sets; s++) {
                const uint32_t *set = lm_set_at(&work, kind, s);
                const bool joined = lm_sets_adjacent(&work, set[0], set[lm_set_members(kind) - 1]);
                PASS(lm_encoding_set_type(e, list, set, joined, label, &type));
            }
        }
        PASS(lm_progress_step(e->ctx, i + 1));
    }
    return LEMAN_OK;
}

leman_status lm_encoding_tuples(leman_context *ctx, const lm_encoding_options *o, const leman_dataset *data, bool links,
                                leman_tuples **out)
{
    leman_coloring set = leman_coloring_default(); /* its colours are not read */
    set.algorithm = LEMAN_ALGORITHM_LOCAL;
    set.k = o->k;
    set.components = o->components;
    set.in_arcs = data->directed;
    set.ignore_vertex_labels = set.ignore_edge_labels = true;
    return leman_tuples_compute(ctx, data, &set, 0, links ? LEMAN_TUPLES_LINKS : 0, out);
}

/* Finds the types of the tuples of a sparse set. */
static leman_status find_listed_types(lm_encoding *e, const leman_dataset *data, const order *o, uint32_t *label,
                                      uint32_t *edge_label)
{
    AUTO(leman_tuples_drop) leman_tuples *tuples = NULL;
    uint32_t type;
    PASS(lm_encoding_tuples(e->ctx, &e->options, data, false, &tuples));
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, o->graph[i]);
        PASS(lm_encoding_labels(e, &g, label, edge_label));
        for (uint64_t t = tuples->start[o->graph[i]]; t < tuples->start[o->graph[i] + 1]; t++)
            PASS(lm_encoding_tuple_type(e, &g, label, edge_label, tuples->vertex + t * tuples->k, &type));
        PASS(lm_progress_step(e->ctx, i + 1));
    }
    return LEMAN_OK;
}

static leman_status find_all(lm_encoding *e, const leman_dataset *data, const order *o)
{
    leman_context *ctx = e->ctx;
    const bool typed = e->options.k > 1 && !e->options.matrix && !e->options.pairs;
    const bool types = typed && !e->options.components;
    uint32_t *label, *edge_label, *relation = NULL;
    uint64_t out_of_vocabulary = 0; /* stays 0: every type gets a number */
    size_t pairs = 0;
    char required[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT];
    if (types && (!lm_multiply(o->max_vertices, o->max_vertices, &pairs) || pairs > lm_budget(ctx) / sizeof *relation))
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "the pairs of a graph of %zu %s need %s; the memory budget is %s",
                       o->max_vertices, lm_plural_of(o->max_vertices, "vertex", "vertices"),
                       lm_bytes_text(lm_saturating_multiply(lm_saturating_multiply(o->max_vertices, o->max_vertices),
                                                            sizeof *relation),
                                     required),
                       lm_budget_text(ctx, lm_budget(ctx), has));
    PASS_SCRATCH(ctx, label, o->max_vertices);
    PASS_SCRATCH(ctx, edge_label, o->max_arcs);
    PASS_SCRATCH(ctx, relation, pairs);
    lm_progress_begin(ctx, data->graphs, "finding the types of %s", data->name);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, o->graph[i]);
        PASS(lm_encoding_labels(e, &g, label, edge_label));
    }
    if (typed || e->options.sets[0]) PASS(lm_encoding_keys_fit(ctx, e));
    if (e->options.sets[0]) PASS(find_set_types(e, data, o, label, edge_label));
    if (typed && e->options.components) PASS(find_listed_types(e, data, o, label, edge_label));
    for (size_t i = 0; i < data->graphs && types; i++) {
        const leman_graph g = leman_dataset_graph(data, o->graph[i]);
        PASS(lm_encoding_labels(e, &g, label, edge_label));
        PASS(lm_encoding_types(e, &g, label, edge_label, relation, NULL, &out_of_vocabulary));
        PASS(lm_progress_step(ctx, i + 1));
    }
    return LEMAN_OK;
}

static leman_status check_data(leman_context *ctx, const leman_dataset *data)
{
    if (data->columns.vertex_labels > LM_LABEL_COLUMNS || data->columns.edge_labels > LM_LABEL_COLUMNS)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "%s: found more than %d columns of labels", data->name,
                       LM_LABEL_COLUMNS);
    if (!data->vertices) return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no vertices, expected some", data->name);
    return LEMAN_OK;
}

leman_status lm_encoding_learn(leman_context *ctx, const leman_dataset *data, const uint32_t *which, size_t count,
                               const lm_encoding_options *options, lm_encoding **out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_encoding_drop) lm_encoding *e = NULL;
    order o;
    PASS(check_data(ctx, data));
    PASS_NEW(ctx, e, 1);
    *e = (lm_encoding){.ctx = ctx, .options = *options, .directed = data->directed, .columns = data->columns};
    if (options->ignore_vertex_labels) e->columns.vertex_labels = 0;
    if (options->ignore_edge_labels) e->columns.edge_labels = 0;
    if (!options->parts) e->options.coordinates = e->options.first_coordinate = 0;
    PASS(order_of(ctx, data, which, count, &o));
    PASS(find_all(e, data, &o));
    if (options->k == 1 || options->pairs) measure_degrees(e, data);
    PASS(lm_encoding_complete(e));
    PASS(lm_encoding_allocate_scale(ctx, e));
    e->ctx = NULL;
    return HAND_OVER(out, e);
}

void lm_encoding_free(lm_encoding *e)
{
    if (!e) return;
    lm_intern_free(&e->label);
    lm_intern_free(&e->edge_label);
    lm_intern_free(&e->type);
    for (size_t i = 0; i < LM_LISTS; i++) lm_intern_free(e->set_type + i);
    RELEASE(e->mean, e->deviation, e);
}
