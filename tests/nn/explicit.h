/*
 * The models once more, as their authors run them: tuple graphs as lists of edges, messages gathered and scattered
 * along them, one-hot vectors written out, a row for every arc. Built on the tape from the words of the paper's
 * programs, with the weights of a network found by their names.
 */
#ifndef EXPLICIT_H
#define EXPLICIT_H

#include "nn/made.h"
#include "nn/tape.h"

typedef struct explicit_net {
    tape t;
    made *m;
    bool training;
    tape_node *weight[512]; /* by the number of the weight */
    tape_node *layer[8];
    tape_node *prediction, *loss;
} explicit_net;

/* ---- Weights and inputs ---------------------------------------------------------------------- */

static inline tape_node *explicit_leaf(explicit_net *e, size_t rows, size_t columns, const lm_real *from)
{
    tape_node *y = tape_new(&e->t, rows, columns);
    for (size_t i = 0; from && i < rows * columns; i++) y->value[i] = (double)from[i];
    return y;
}

/* The weight "SCOPE.NAME", or NULL where there is none. */
static inline tape_node *explicit_weight(explicit_net *e, const char *scope, const char *name)
{
    char full[256];
    snprintf(full, sizeof full, "%s.%s", scope, name);
    for (uint32_t i = 0; i < e->m->program->weights.count; i++) {
        const lm_weight *w = lm_program_weight(e->m->program, i);
        if (strcmp(w->name, full) != 0) continue;
        if (!e->weight[i]) e->weight[i] = explicit_leaf(e, w->rows, w->columns, e->m->run.weights + w->offset);
        return e->weight[i];
    }
    return NULL;
}

static inline tape_node *explicit_one_hot(explicit_net *e, const uint32_t *type, size_t rows, size_t types)
{
    tape_node *y = tape_new(&e->t, rows, types);
    for (size_t r = 0; r < rows; r++)
        if (type[r] != LM_NO_TYPE) y->value[r * types + type[r]] = 1;
    return y;
}

/* ---- Networks without graphs ----------------------------------------------------------------- */

/* The map of this name. With a table and a matrix, the first columns of x are one-hot. */
static inline tape_node *explicit_map(explicit_net *e, const char *full, tape_node *x)
{
    tape_node *table = explicit_weight(e, full, "table"), *matrix = explicit_weight(e, full, "weight");
    tape_node *part = explicit_weight(e, full, "position1"), *y;
    if (part) { /* one matrix in columns */
        size_t count = 0;
        tape_node *parts[3];
        char position[] = "position1";
        for (; (part = explicit_weight(e, full, position)); position[8]++) parts[count++] = part;
        matrix = tape_join(&e->t, parts, count);
    }
    if (table && matrix) {
        tape_node *reals = tape_columns(&e->t, x, table->rows, matrix->columns);
        y = tape_product(&e->t, tape_columns(&e->t, x, 0, table->rows), table, false);
        y = tape_add(&e->t, y, tape_product(&e->t, reals, matrix, true));
        return tape_add(&e->t, y, explicit_weight(e, full, "bias"));
    }
    y = table ? tape_product(&e->t, x, table, false) : tape_product(&e->t, x, matrix, true);
    return tape_add(&e->t, y, explicit_weight(e, full, "bias"));
}

static inline tape_node *explicit_linear(explicit_net *e, const char *scope, const char *name, tape_node *x)
{
    char full[128];
    snprintf(full, sizeof full, "%s.%s", scope, name);
    return explicit_map(e, full, x);
}

static inline tape_node *explicit_norm(explicit_net *e, const char *scope, const char *name, tape_node *x)
{
    char full[128];
    snprintf(full, sizeof full, "%s.%s", scope, name);
    return tape_norm(&e->t, x, explicit_weight(e, full, "scale"), explicit_weight(e, full, "shift"),
                     explicit_weight(e, full, "mean"), explicit_weight(e, full, "variance"), e->training);
}

/* What follows the first Linear of MLP and of MLPB. */
static inline tape_node *explicit_rest(explicit_net *e, const char *scope, tape_node *y, bool norms)
{
    if (norms) y = explicit_norm(e, scope, "norm1", y);
    y = explicit_linear(e, scope, "linear2", tape_relu(&e->t, y));
    return norms ? tape_relu(&e->t, explicit_norm(e, scope, "norm2", y)) : y;
}

static inline tape_node *explicit_mlp(explicit_net *e, const char *scope, tape_node *x, bool norms)
{
    return explicit_rest(e, scope, explicit_linear(e, scope, "linear1", x), norms);
}

/* ---- Messages -------------------------------------------------------------------------------- */

typedef struct explicit_list {
    size_t *from, *to, count;
} explicit_list;

static inline explicit_list explicit_list_new(size_t max)
{
    return (explicit_list){calloc(max + 1, sizeof(size_t)), calloc(max + 1, sizeof(size_t)), 0};
}

static inline void explicit_list_free(explicit_list *list)
{
    free(list->from);
    free(list->to);
}

/* (1+e) X + the sum of what the list brings. */
static inline tape_node *explicit_sum(explicit_net *e, const char *scope, tape_node *x, tape_node *sent,
                                      const explicit_list *list)
{
    tape_node *epsilon = explicit_weight(e, scope, "epsilon");
    tape_node *y = tape_scatter(&e->t, tape_gather(&e->t, sent, list->from, list->count), list->to, x->rows);
    y = tape_add(&e->t, x, y);
    return epsilon ? tape_add(&e->t, y, tape_times(&e->t, x, epsilon)) : y;
}

static inline bool explicit_joined(const leman_graph *g, size_t u, size_t w)
{
    for (uint64_t a = g->start[u]; a < g->start[u + 1]; a++)
        if (g->head[a] == w) return true;
    return false;
}

/* The number of connected components of the graph that the vertices of tuple v induce, without directions. */
static inline size_t explicit_components(const leman_graph *g, size_t k, size_t v)
{
    size_t vertex[3], name[3], count = 0;
    for (size_t j = 0; j < k; j++, v /= g->vertices) vertex[j] = v % g->vertices, name[j] = j;
    for (size_t turn = 0; turn < k; turn++)
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++) {
                const bool one = vertex[i] == vertex[j] || explicit_joined(g, vertex[i], vertex[j]) ||
                                 explicit_joined(g, vertex[j], vertex[i]);
                if (one && name[j] < name[i]) name[i] = name[j];
            }
    for (size_t j = 0; j < k; j++) count += name[j] == j;
    return count;
}

/* The tuples of a graph that the network has: row[v], for the tuple number v of n^k, is its row in the graph, or SIZE_MAX.
 * Returns the number of rows. free(*row). */
static inline size_t explicit_rows(const made *m, const leman_graph *g, size_t **row)
{
    const size_t k = m->options.shape.k, most = m->options.shape.components;
    const size_t tuples = g->vertices ? lm_power(g->vertices, (unsigned)k) : 0;
    size_t count = 0;
    *row = calloc(tuples + 1, sizeof **row);
    for (size_t v = 0; v < tuples; v++) (*row)[v] = !most || explicit_components(g, k, v) <= most ? count++ : SIZE_MAX;
    return count;
}

static inline lm_row_space explicit_space(const made *m)
{
    return m->options.shape.components ? LM_LISTED : LM_TUPLES;
}

typedef enum explicit_kind { EXPLICIT_LOCAL, EXPLICIT_GLOBAL, EXPLICIT_ALL, EXPLICIT_ENTERING } explicit_kind;

/* The tuple graph of one position: an edge from v with component `position` replaced by w to v; never from itself. */
static inline explicit_list explicit_tuple_graph(const made *m, explicit_kind kind, size_t position)
{
    const unsigned k = m->options.shape.k;
    explicit_list list = explicit_list_new(m->batch.extent.rows[explicit_space(m)] * 64);
    size_t first = 0, *row;
    for (size_t i = 0; i < m->batch.extent.rows[LM_GRAPHS]; i++) {
        const leman_graph g = leman_dataset_graph(m->data, m->which[i]);
        const size_t n = g.vertices, tuples = n ? lm_power(n, k) : 0;
        const size_t stride = lm_power(n, (unsigned)(k - 1 - position)), rows = explicit_rows(m, &g, &row);
        for (size_t v = 0; v < tuples; v++)
            for (size_t w = 0; w < n && row[v] != SIZE_MAX; w++) {
                const size_t own = v / stride % n, other = v - own * stride + w * stride;
                const bool edge = explicit_joined(&g, own, w);
                if (w == own || (kind == EXPLICIT_LOCAL && !edge) || (kind == EXPLICIT_GLOBAL && edge)) continue;
                if ((kind == EXPLICIT_ENTERING && !explicit_joined(&g, w, own)) || row[other] == SIZE_MAX) continue;
                list.from[list.count] = first + row[other];
                list.to[list.count++] = first + row[v];
            }
        first += rows;
        free(row);
    }
    return list;
}

/* ---- Layers of tuples ------------------------------------------------------------------------ */

/* local+: ReLU(X + E[#]). */
static inline tape_node *explicit_sent(explicit_net *e, const char *scope, tape_node *x, size_t column)
{
    const size_t rows = e->m->batch.extent.rows[LM_TUPLES];
    tape_node *counts = explicit_weight(e, scope, "counts.table");
    const uint32_t *bucket = e->m->batch.count + column * rows;
    size_t *index = calloc(rows + 1, sizeof *index);
    for (size_t r = 0; r < rows; r++) index[r] = bucket[r];
    tape_node *y = tape_relu(&e->t, tape_add(&e->t, x, tape_gather(&e->t, counts, index, rows)));
    free(index);
    return y;
}

static inline tape_node *explicit_branch(explicit_net *e, const char *scope, tape_node *x, explicit_kind kind,
                                         size_t layer, size_t position)
{
    const leman_architecture *shape = &e->m->options.shape;
    const bool norms = shape->preset == LEMAN_PRESET_ALCHEMY || shape->preset == LEMAN_PRESET_QM9;
    explicit_list list = explicit_tuple_graph(e->m, kind, position);
    tape_node *table = explicit_weight(e, scope, "linear1.table"), *y;
    if (shape->kind != LEMAN_NETWORK_KIND_LOCAL_PLUS) {
        y = explicit_mlp(e, scope, explicit_sum(e, scope, x, x, &list), norms);
    } else if (table) { /* what is sent is as wide as the network, not as the one-hot types */
        tape_node *wide = tape_product(&e->t, x, table, false);
        y = explicit_sum(e, scope, wide, explicit_sent(e, scope, wide, layer * shape->k + position), &list);
        y = explicit_rest(e, scope, tape_add(&e->t, y, explicit_weight(e, scope, "linear1.bias")), norms);
    } else {
        y = explicit_sum(e, scope, x, explicit_sent(e, scope, x, layer * shape->k + position), &list);
        y = explicit_mlp(e, scope, y, norms);
    }
    explicit_list_free(&list);
    return tape_relu(&e->t, y);
}

static inline tape_node *explicit_tuple_layer(explicit_net *e, size_t layer, tape_node *x)
{
    const leman_architecture *shape = &e->m->options.shape;
    tape_node *branch[6];
    size_t count = 0;
    char scope[64];
    for (size_t j = 0; j < shape->k; j++) {
        const char *delta = shape->kind == LEMAN_NETWORK_KIND_DELTA || shape->in_arcs ? ".local" : "";
        snprintf(scope, sizeof scope, "layer%zu.position%zu%s", layer + 1, j + 1, delta);
        branch[count++] = explicit_branch(
            e, scope, x, shape->kind == LEMAN_NETWORK_KIND_WL ? EXPLICIT_ALL : EXPLICIT_LOCAL, layer, j);
        snprintf(scope, sizeof scope, "layer%zu.position%zu.entering", layer + 1, j + 1);
        if (shape->in_arcs) branch[count++] = explicit_branch(e, scope, x, EXPLICIT_ENTERING, layer, j);
        if (shape->kind != LEMAN_NETWORK_KIND_DELTA) continue;
        snprintf(scope, sizeof scope, "layer%zu.position%zu.global", layer + 1, j + 1);
        branch[count++] = explicit_branch(e, scope, x, EXPLICIT_GLOBAL, layer, j);
    }
    x = tape_join(&e->t, branch, count);
    snprintf(scope, sizeof scope, "layer%zu.merge", layer + 1);
    switch (shape->preset) {
    case LEMAN_PRESET_ZINC: return explicit_norm(e, scope, "norm", explicit_mlp(e, scope, x, false));
    case LEMAN_PRESET_TU: return explicit_norm(e, scope, "norm", tape_relu(&e->t, explicit_mlp(e, scope, x, false)));
    default: return explicit_mlp(e, scope, x, true);
    }
}

/* The reals of the k vertices of each tuple, side by side. */
static inline tape_node *explicit_tuple_vertices(explicit_net *e)
{
    const lm_batch *b = &e->m->batch;
    const size_t rows = b->extent.rows[explicit_space(e->m)], reals = b->vertex_attributes, k = e->m->options.shape.k;
    tape_node *vertices = tape_new(&e->t, rows, k * reals);
    size_t row = 0, first = 0, *there;
    for (size_t i = 0; i < b->extent.rows[LM_GRAPHS]; i++) {
        const leman_graph g = leman_dataset_graph(e->m->data, e->m->which[i]);
        const size_t n = g.vertices, tuples = lm_power(n, (unsigned)k), own = explicit_rows(e->m, &g, &there);
        for (size_t v = 0; v < tuples; v++)
            for (size_t j = 0, rest = v; j < k && there[v] != SIZE_MAX; j++, rest /= n)
                for (size_t c = 0; c < reals; c++)
                    vertices->value[(row + there[v]) * k * reals + (k - 1 - j) * reals + c] =
                        (double)b->vertex_attribute[(first + rest % n) * reals + c];
        first += n;
        row += own;
        free(there);
    }
    return vertices;
}

static inline const uint32_t *explicit_types(const made *m)
{
    return m->options.shape.components ? m->batch.listed[0].type : m->batch.tuple_type;
}

/* The reals of the pairs of each tuple. */
static inline tape_node *explicit_tuple_pairs(explicit_net *e)
{
    const lm_batch *b = &e->m->batch;
    const size_t rows = b->extent.rows[explicit_space(e->m)];
    if (!e->m->options.shape.components) return explicit_leaf(e, rows, b->tuple_attributes, b->tuple_attribute);
    return explicit_leaf(e, rows, b->listed[0].attributes, b->listed[0].attribute);
}

/* QM9: [type], [reals of all vertices], [reals of the pairs] through three networks and one. */
static inline tape_node *explicit_tuple_parts(explicit_net *e)
{
    const size_t rows = e->m->batch.extent.rows[explicit_space(e->m)];
    tape_node *type = explicit_one_hot(e, explicit_types(e->m), rows, e->m->encoding->widths.types), *part[3];
    tape_node *vertices = explicit_tuple_vertices(e);
    part[0] = explicit_mlp(e, "input.type", type, true);
    part[1] = explicit_mlp(e, "input.vertices", vertices, true);
    part[2] = explicit_mlp(e, "input.pairs", explicit_tuple_pairs(e), true);
    return explicit_mlp(e, "input.merge", tape_join(&e->t, part, 3), true);
}

/* Attributes beside types: one linear map of [type], [attributes of all vertices], [edge attributes of the pairs]. */
static inline tape_node *explicit_tuple_attributes(explicit_net *e)
{
    const lm_batch *b = &e->m->batch;
    const size_t rows = b->extent.rows[explicit_space(e->m)], k = e->m->options.shape.k;
    tape_node *x = explicit_one_hot(e, explicit_types(e->m), rows, e->m->encoding->widths.types), *weight[3];
    x = tape_product(&e->t, x, explicit_weight(e, "input", "table"), false);
    char name[] = "position1";
    for (size_t j = 0; b->vertex_attributes && j < k; j++, name[8]++)
        weight[j] = explicit_weight(e, "input.vertices", name);
    if (b->vertex_attributes) {
        tape_node *matrix = tape_join(&e->t, weight, k);
        x = tape_add(&e->t, x, tape_product(&e->t, explicit_tuple_vertices(e), matrix, true));
    }
    if (e->m->encoding->widths.tuple_reals) {
        tape_node *pairs = explicit_tuple_pairs(e);
        x = tape_add(&e->t, x, tape_product(&e->t, pairs, explicit_weight(e, "input", "pairs"), true));
    }
    return tape_add(&e->t, x, explicit_weight(e, "input", "bias"));
}

/* ---- Layers of vertices ---------------------------------------------------------------------- */

static inline explicit_list explicit_arcs(const lm_batch *b)
{
    explicit_list list = explicit_list_new(b->extent.rows[LM_ARCS]);
    for (size_t v = 0; v < b->extent.rows[LM_VERTICES]; v++)
        for (uint32_t a = b->leaving_start[v]; a < b->leaving_start[v + 1]; a++) {
            list.from[list.count] = b->head[a];
            list.to[list.count++] = v;
        }
    return list;
}

/* A row for every arc: its label, one-hot, and its reals. */
static inline tape_node *explicit_arc_reals(explicit_net *e)
{
    const lm_batch *b = &e->m->batch;
    const size_t arcs = b->extent.rows[LM_ARCS], labels = e->m->encoding->widths.labels;
    tape_node *part[2];
    size_t parts = 0;
    if (labels) part[parts++] = explicit_one_hot(e, b->arc_label, arcs, labels);
    if (b->arc_attributes) part[parts++] = explicit_leaf(e, arcs, b->arc_attributes, b->arc_attribute);
    return tape_join(&e->t, part, parts);
}

/* A row for every arc through the edge network. */
static inline tape_node *explicit_edges(explicit_net *e, const char *scope)
{
    const leman_preset preset = e->m->options.shape.preset;
    char edge[80];
    snprintf(edge, sizeof edge, "%s.edge", scope);
    tape_node *x = explicit_mlp(e, edge, explicit_arc_reals(e), preset == LEMAN_PRESET_QM9);
    return preset == LEMAN_PRESET_TU ? explicit_norm(e, edge, "norm", tape_relu(&e->t, x)) : x;
}

static inline tape_node *explicit_vertex_layer(explicit_net *e, size_t layer, tape_node *x)
{
    const leman_architecture *shape = &e->m->options.shape;
    const bool edges = shape->kind == LEMAN_NETWORK_KIND_GINE || shape->kind == LEMAN_NETWORK_KIND_GINE0;
    const bool shared = edges && layer == 3 && shape->preset == LEMAN_PRESET_ZINC && !e->m->options.own_fourth_layer;
    explicit_list list = explicit_arcs(&e->m->batch);
    char own[64], scope[64];
    tape_node *y;
    snprintf(own, sizeof own, "layer%zu", layer + 1);
    snprintf(scope, sizeof scope, "layer%zu", shared ? layer : layer + 1);
    if (edges) {
        tape_node *message = tape_gather(&e->t, x, list.from, list.count);
        message = tape_relu(&e->t, tape_add(&e->t, message, explicit_edges(e, scope)));
        y = tape_add(&e->t, x, tape_scatter(&e->t, message, list.to, x->rows));
        tape_node *epsilon = explicit_weight(e, scope, "epsilon");
        if (epsilon) y = tape_add(&e->t, y, tape_times(&e->t, x, epsilon));
    } else {
        y = explicit_sum(e, scope, x, x, &list);
    }
    explicit_list_free(&list);
    y = tape_relu(&e->t, explicit_mlp(e, scope, y, shape->preset == LEMAN_PRESET_QM9));
    const bool norm = shape->preset == LEMAN_PRESET_ZINC || shape->preset == LEMAN_PRESET_TU;
    return norm ? explicit_norm(e, own, "norm", y) : y;
}

/* ---- Pooling and the head -------------------------------------------------------------------- */

/* owner[row] = its graph, size[graph] = its rows. */
static inline size_t *explicit_owner(const made *m, bool tuples, size_t *size)
{
    const size_t rows = m->batch.extent.rows[tuples ? explicit_space(m) : LM_VERTICES];
    size_t *owner = calloc(rows + 1, sizeof *owner), at = 0, *row;
    for (size_t i = 0; i < m->batch.extent.rows[LM_GRAPHS]; i++) {
        const leman_graph g = leman_dataset_graph(m->data, m->which[i]);
        size[i] = g.vertices;
        if (tuples) size[i] = explicit_rows(m, &g, &row), free(row);
        for (size_t r = 0; r < size[i]; r++) owner[at++] = i;
    }
    return owner;
}

static inline tape_node *explicit_mean(explicit_net *e, tape_node *x, const size_t *owner, const size_t *size)
{
    const size_t graphs = e->m->batch.extent.rows[LM_GRAPHS];
    tape_node *share = tape_new(&e->t, graphs, 1);
    for (size_t g = 0; g < graphs; g++) share->value[g] = size[g] ? 1 / (double)size[g] : 0;
    return tape_times(&e->t, tape_scatter(&e->t, x, owner, graphs), share);
}

static inline tape_node *explicit_set2set(explicit_net *e, tape_node *x, const size_t *owner, unsigned turns)
{
    const size_t graphs = e->m->batch.extent.rows[LM_GRAPHS], d = x->columns;
    tape *t = &e->t;
    tape_node *h = tape_new(t, graphs, d), *c = tape_new(t, graphs, d), *star = tape_new(t, graphs, 2 * d);
    for (unsigned turn = 0; turn < turns; turn++) {
        tape_node *gates = tape_product(t, star, explicit_weight(e, "set2set", "input"), true);
        gates = tape_add(t, gates, explicit_weight(e, "set2set", "input_bias"));
        gates = tape_add(t, gates, tape_product(t, h, explicit_weight(e, "set2set", "hidden"), true));
        gates = tape_add(t, gates, explicit_weight(e, "set2set", "hidden_bias"));
        tape_node *i = tape_sigmoid(t, tape_columns(t, gates, 0, d));
        tape_node *f = tape_sigmoid(t, tape_columns(t, gates, d, d));
        tape_node *g = tape_tanh(t, tape_columns(t, gates, 2 * d, d));
        tape_node *o = tape_sigmoid(t, tape_columns(t, gates, 3 * d, d));
        c = tape_add(t, tape_times(t, f, c), tape_times(t, i, g));
        h = tape_times(t, o, tape_tanh(t, c));
        tape_node *along = tape_row_sum(t, tape_times(t, x, tape_gather(t, h, owner, x->rows)));
        tape_node *read = tape_scatter(t, tape_times(t, x, tape_softmax(t, along, owner)), owner, graphs);
        tape_node *both[] = {h, read};
        star = tape_join(t, both, 2);
    }
    return star;
}

/* What dropout did in the network's own pass: kept numbers are doubled, the others 0. */
static inline tape_node *explicit_dropout(explicit_net *e, tape_node *x)
{
    const lm_program *p = e->m->program;
    for (size_t s = 0; s < p->steps.count && e->training; s++) {
        const lm_step *step = lm_program_step(p, s);
        if (step->operation != LM_OP_DROPOUT) continue;
        lm_real *before = made_value(e->m, step->input[0]), *after = made_value(e->m, step->output[0]);
        tape_node *mask = tape_new(&e->t, x->rows, x->columns);
        for (size_t i = 0; i < x->rows * x->columns; i++) {
            mask->value[i] = before[i] != 0 ? (double)(after[i] / before[i]) : 0; /* a 0 of ReLU: nothing passes */
            assert_true(fabs(mask->value[i] * (mask->value[i] - 2)) < 1e-12);
        }
        free(before), free(after);
        return tape_times(&e->t, x, mask);
    }
    return x;
}

static inline tape_node *explicit_head(explicit_net *e, tape_node *x)
{
    const leman_architecture *shape = &e->m->options.shape;
    const size_t usual = shape->preset == LEMAN_PRESET_ZINC ? 4 : 2;
    const size_t maps = shape->kind == LEMAN_NETWORK_KIND_MPNN ? 2 : shape->kind == LEMAN_NETWORK_KIND_PPGN ? 3 : usual;
    char name[] = "linear1";
    for (size_t i = 1; i < maps; i++, name[6]++) x = tape_relu(&e->t, explicit_linear(e, "head", name, x));
    if (shape->preset == LEMAN_PRESET_TU) x = explicit_dropout(e, x);
    return explicit_linear(e, "head", name, x);
}

#include "nn/explicit_own.h"

/* ---- The whole ------------------------------------------------------------------------------- */

static inline tape_node *explicit_input(explicit_net *e)
{
    const lm_batch *b = &e->m->batch;
    const size_t vertices = b->extent.rows[LM_VERTICES], types = e->m->encoding->widths.types;
    if (e->m->options.shape.k == 1) {
        tape_node *part[2], *x;
        size_t parts = 0;
        if (b->vertex_types) part[parts++] = explicit_one_hot(e, b->vertex_type, vertices, types);
        if (b->vertex_attributes) part[parts++] = explicit_leaf(e, vertices, b->vertex_attributes, b->vertex_attribute);
        x = tape_join(&e->t, part, parts);
        return e->m->encoding->widths.attributes ? explicit_map(e, "input", x) : x;
    }
    if (e->m->options.shape.preset == LEMAN_PRESET_QM9) return explicit_tuple_parts(e);
    if (e->m->encoding->options.beside) return explicit_tuple_attributes(e);
    return explicit_one_hot(e, explicit_types(e->m), b->extent.rows[explicit_space(e->m)], types);
}

/* From the input to what the head reads. */
static inline tape_node *explicit_body(explicit_net *e)
{
    const leman_architecture *shape = &e->m->options.shape;
    const bool mean = shape->preset == LEMAN_PRESET_ZINC || shape->preset == LEMAN_PRESET_TU;
    size_t size[MADE_MAX], *owner = explicit_owner(e->m, shape->k > 1, size);
    tape_node *x = NULL;
    if (shape->kind == LEMAN_NETWORK_KIND_MPNN) x = explicit_mpnn(e, owner);
    if (shape->kind == LEMAN_NETWORK_KIND_PPGN) x = explicit_ppgn(e);
    if (!x) {
        x = explicit_input(e);
        for (size_t layer = 0; layer < shape->layers; layer++) {
            x = shape->k > 1 ? explicit_tuple_layer(e, layer, x) : explicit_vertex_layer(e, layer, x);
            e->layer[layer] = x;
        }
        if (shape->preset == LEMAN_PRESET_ZINC) x = tape_join(&e->t, e->layer, shape->layers);
        x = mean ? explicit_mean(e, x, owner, size) : explicit_set2set(e, x, owner, 6);
    }
    free(owner);
    return x;
}

/* Runs the model of m on its batch, forward and back. The network must have run before, in LM_WHOLE. */
static inline void explicit_run(explicit_net *e, made *m, bool training)
{
    const leman_architecture *shape = &m->options.shape;
    const size_t graphs = m->batch.extent.rows[LM_GRAPHS];
    size_t class_id[MADE_MAX];
    memset(e, 0, sizeof *e);
    e->m = m, e->training = training;
    e->prediction = explicit_head(e, explicit_body(e));
    for (size_t g = 0; g < graphs; g++) class_id[g] = m->class_id[m->which[g]];
    if (shape->preset == LEMAN_PRESET_TU) {
        e->loss = tape_entropy(&e->t, e->prediction, class_id);
    } else {
        tape_node *target = explicit_leaf(e, graphs, m->batch.targets, m->batch.target);
        e->loss = tape_l1(&e->t, e->prediction, target->value);
    }
    tape_walk_back(&e->t, e->loss);
}

#endif
