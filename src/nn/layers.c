/* Layers of the models; layers.h has the equations. */
#include "nn/layers.h"
#include <stdio.h>

/* One sum and its block. */
typedef struct branch {
    lm_neighborhood neighborhood;
    size_t position;
    uint32_t epsilon;
    size_t count; /* column of #; SIZE_MAX: without # */
    lm_block block;
} branch;

static bool one_hot(const lm_building *b, uint32_t x)
{
    return x == LM_NONE && b->widths->types;
}

size_t lm_layers_width(const lm_building *b, uint32_t x)
{
    return x == LM_NONE ? b->widths->types : lm_program_value(b->p, x)->width;
}

/* What tuples send in local+: ReLU(X + E[#]). The ReLU connects a count with the feature it belongs to; without it the
 * sum would only be the sum of features plus the sum of counts. */
static uint32_t decorated(const lm_building *b, uint32_t x, size_t count)
{
    lm_program *p = b->p;
    if (count == SIZE_MAX) return LM_NONE;
    const uint32_t table = lm_table_new(p, "counts", LM_COUNT_BUCKETS, lm_program_value(p, x)->width);
    return lm_program_add(p, x, lm_program_embed(p, LM_INDEX_COUNT, count, table), LM_RELU);
}

uint32_t lm_layers_reals(const lm_building *b)
{
    const lm_source source = lm_is_sparse(b) ? LM_FROM_LISTED_ATTRIBUTES : LM_FROM_TUPLE_ATTRIBUTES;
    return lm_program_input(b->p, source, b->widths->tuple_reals);
}

uint32_t lm_layers_spread(const lm_building *b, const uint32_t *parts, uint32_t bias, lm_activation activation)
{
    const size_t k = b->shape->k;
    uint32_t y = LM_NONE;
    size_t last = 0;
    if (!lm_is_sparse(b)) return lm_program_spread(b->p, parts, k, bias, activation);
    for (size_t j = 0; j < k; j++)
        if (parts[j] != LM_NONE) last = j;
    for (size_t j = 0; j <= last; j++) {
        if (parts[j] == LM_NONE) continue;
        lm_listed_sum sum = {.own = y, .sent = parts[j], .list = j, .epsilon = LM_NONE, .bias = LM_NONE};
        if (j == last) sum.bias = bias, sum.activation = activation;
        y = lm_program_listed(b->p, LM_LISTED, &sum);
    }
    return y;
}

/* The sum of a branch, of any rows. */
static uint32_t sum_rows(const lm_building *b, uint32_t x, const lm_sum *sum)
{
    if (!lm_is_sparse(b)) return lm_program_sum(b->p, x, sum);
    const size_t behind = sum->neighborhood == LM_ENTERING ? b->shape->k : 0;
    const lm_listed_sum listed = {.own = x,
                                  .sent = sum->sent == LM_NONE ? x : sum->sent,
                                  .list = sum->position + behind,
                                  .epsilon = sum->epsilon,
                                  .bias = sum->bias,
                                  .activation = sum->activation};
    return lm_program_listed(b->p, LM_LISTED, &listed);
}

static uint32_t apply_branch(const lm_building *b, const branch *s, uint32_t x)
{
    lm_program *p = b->p;
    lm_sum sum = lm_sum_default(s->neighborhood, s->position, s->epsilon);
    if (one_hot(b, x)) {
        x = lm_program_embed(p, b->shape->k > 1 ? lm_layers_type(b) : LM_INDEX_VERTEX_TYPE, 0, s->block.table);
        sum.bias = s->block.first.bias;
        sum.activation = lm_block_activation(&s->block);
        sum.sent = decorated(b, x, s->count);
        return lm_block_rest(p, &s->block, sum_rows(b, x, &sum));
    }
    sum.sent = decorated(b, x, s->count);
    return lm_block_apply(p, &s->block, sum_rows(b, x, &sum));
}

/* ---- Vertices -------------------------------------------------------------------------------- */

static lm_block vertex_block(const lm_building *b, size_t inputs, bool types)
{
    const size_t width = b->shape->width;
    return lm_block_new(b->p, b->preset->vertex, inputs, b->preset->narrow ? inputs : width, width, types);
}

static uint32_t epsilon(const lm_building *b)
{
    return b->model->epsilon ? lm_epsilon_new(b->p, "epsilon") : LM_NONE;
}

/* If entering arcs are a second relation: both sums z side by side; for one-hot types the results of linear1 are
 * added. */
static uint32_t gin_both_ways(lm_building *b, uint32_t x)
{
    lm_program *p = b->p;
    const size_t inputs = lm_layers_width(b, x);
    const bool types = one_hot(b, x);
    const lm_block block = vertex_block(b, types ? inputs : 2 * inputs, types);
    lm_sum leaving = lm_sum_default(LM_LEAVING, 0, epsilon(b));
    lm_program_enter(p, "entering");
    lm_sum entering = lm_sum_default(LM_ENTERING, 0, epsilon(b));
    const uint32_t table = types ? lm_table_new(p, "linear1", inputs, b->preset->narrow ? inputs : b->shape->width) : 0;
    lm_program_leave(p);
    if (!types) {
        uint32_t z[2]; /* separate statements: the expressions of an initializer have no fixed order */
        z[0] = lm_program_sum(p, x, &leaving);
        z[1] = lm_program_sum(p, x, &entering);
        return lm_block_apply(p, &block, lm_program_join(p, z, 2));
    }
    leaving.bias = block.first.bias;
    const uint32_t out = lm_program_sum(p, lm_program_embed(p, LM_INDEX_VERTEX_TYPE, 0, block.table), &leaving);
    const uint32_t in = lm_program_sum(p, lm_program_embed(p, LM_INDEX_VERTEX_TYPE, 0, table), &entering);
    return lm_block_rest(p, &block, lm_program_add(p, out, in, lm_block_activation(&block)));
}

uint32_t lm_layer_gin(lm_building *b, size_t layer, uint32_t x)
{
    (void)layer;
    if (b->shape->in_arcs) return gin_both_ways(b, x);
    const branch s = {.neighborhood = LM_LEAVING,
                      .epsilon = epsilon(b),
                      .count = SIZE_MAX,
                      .block = vertex_block(b, lm_layers_width(b, x), one_hot(b, x))};
    return apply_branch(b, &s, x);
}

/* Weights of a gine layer. */
typedef struct gine_state {
    lm_block edge, vertex;
    uint32_t epsilon, entering_epsilon;
} gine_state;

/* Creates new weights, or takes those of the previous layer with a last norm of its own. */
static void gine_weights(lm_building *b, size_t layer, uint32_t x)
{
    lm_program *p = b->p;
    gine_state *w = b->state;
    const size_t inputs = lm_layers_width(b, x);
    if (b->preset->repeated && layer == b->preset->repeated && !b->own_fourth_layer) {
        if (w->vertex.kind.behind) w->vertex.behind = lm_norm_new(p, "norm", b->shape->width);
        return;
    }
    w->epsilon = epsilon(b);
    lm_program_enter(p, "edge");
    w->edge = lm_block_mixed(p, b->preset->edge, b->widths->labels, b->widths->arc_reals, inputs, inputs);
    lm_program_leave(p);
    if (b->shape->in_arcs) {
        lm_program_enter(p, "entering");
        w->entering_epsilon = epsilon(b);
        lm_program_leave(p);
    }
    w->vertex = vertex_block(b, b->shape->in_arcs ? 2 * inputs : inputs, false);
}

static uint32_t gine_layer(lm_building *b, size_t layer, uint32_t x)
{
    lm_program *p = b->p;
    const gine_state *w = b->state;
    gine_weights(b, layer, x);
    const uint32_t edges = b->widths->arc_reals
                               ? lm_block_apply_mixed(p, &w->edge, LM_INDEX_ARC_LABEL, LM_FROM_ARC_ATTRIBUTES)
                               : lm_block_look_up(p, &w->edge, LM_INDEX_LABEL); /* once for each label */
    const lm_sum entering = lm_sum_default(LM_ENTERING, 0, w->entering_epsilon);
    uint32_t z = lm_program_messages(p, x, edges, lm_sum_default(LM_LEAVING, 0, w->epsilon));
    if (b->shape->in_arcs) {
        const uint32_t both[] = {z, lm_program_messages(p, x, edges, entering)};
        z = lm_program_join(p, both, 2);
    }
    return lm_block_apply(p, &w->vertex, z);
}

/* ---- Maps of arcs ---------------------------------------------------------------------------- */

uint32_t lm_layers_arcs(const lm_building *b, size_t hidden)
{
    lm_program *p = b->p;
    lm_program_enter(p, "edge");
    const lm_mixed map = lm_mixed_new(p, "linear1", b->widths->labels, b->widths->arc_reals, hidden);
    lm_program_leave(p);
    return lm_mixed_apply(p, &map, LM_INDEX_ARC_LABEL, LM_FROM_ARC_ATTRIBUTES, LM_RELU);
}

lm_linear lm_layers_maps(const lm_building *b, size_t hidden, size_t inputs, size_t outputs)
{
    lm_program_enter(b->p, "edge");
    const lm_linear maps = lm_map_new(b->p, "maps", (hidden + 1) * outputs, inputs, hidden);
    lm_program_leave(b->p);
    return maps;
}

/* ---- Tuples ---------------------------------------------------------------------------------- */

/* The sums of a variant along one component, as in the colouring, with two exceptions. A sum over all w excludes the
 * vertices of the other sums. It also excludes the tuple itself, which is the term (1+e) X. */
static size_t sums_of(unsigned rule, bool in_arcs, lm_neighborhood sums[3])
{
    size_t count = 0;
    if (rule & LM_SUMS_LOCAL) sums[count++] = LM_LEAVING;
    if (rule & LM_SUMS_LOCAL && in_arcs) sums[count++] = LM_ENTERING;
    if (rule & LM_SUM_LINE) sums[count++] = rule & LM_SUMS_LOCAL ? LM_OTHERS : LM_ALL;
    return count;
}

/* The merge block on the parts side by side. */
static uint32_t merge_parts(const lm_building *b, const uint32_t *part, size_t parts)
{
    const size_t width = b->shape->width;
    lm_program_enter(b->p, "merge");
    const lm_block merge = lm_block_new(b->p, b->preset->merge, parts * width, width, width, false);
    const uint32_t y = lm_block_apply(b->p, &merge, lm_program_join(b->p, part, parts));
    lm_program_leave(b->p);
    return y;
}

uint32_t lm_layer_tuples(lm_building *b, size_t layer, uint32_t x)
{
    static const char *const NAME[] = {
        [LM_LEAVING] = "local", [LM_ENTERING] = "entering", [LM_OTHERS] = "global", [LM_ALL] = "all"};
    lm_program *p = b->p;
    const size_t width = b->shape->width, k = b->shape->k;
    const leman_coloring coloring = {.algorithm = b->model->variant, .count_every_round = true};
    const unsigned rule = lm_round_sums(&coloring, true);
    lm_neighborhood sums[3];
    const size_t count = sums_of(rule, b->shape->in_arcs, sums);
    const bool pairs = /* both components in one step */
        k == 2 && x != LM_NONE && !(rule & LM_SUM_DECORATED) && !lm_is_sparse(b);
    branch branches[3 * LM_NETWORK_MAX_K];
    uint32_t part[3 * LM_NETWORK_MAX_K];
    size_t parts = 0;
    for (size_t j = 0; j < k; j++) {
        lm_program_enter(p, "position%zu", j + 1);
        for (size_t i = 0; i < count; i++) {
            if (count > 1) lm_program_enter(p, "%s", NAME[sums[i]]);
            const branch s = {
                .neighborhood = sums[i],
                .position = j,
                .epsilon = epsilon(b),
                .count = rule & LM_SUM_DECORATED ? layer * k + j : SIZE_MAX,
                .block = lm_block_new(p, b->preset->branch, lm_layers_width(b, x), width, width, one_hot(b, x))};
            branches[parts] = s;
            part[parts] = pairs ? LM_NONE : apply_branch(b, &s, x);
            parts++;
            if (count > 1) lm_program_leave(p);
        }
        lm_program_leave(p);
    }
    for (size_t i = 0; i < count && pairs; i++) {
        const uint32_t epsilons[2] = {branches[i].epsilon, branches[count + i].epsilon};
        uint32_t z[2];
        lm_program_pair_sums(p, x, sums[i], epsilons, z);
        for (size_t j = 0; j < 2; j++) part[j * count + i] = lm_block_apply(p, &branches[j * count + i].block, z[j]);
    }
    return merge_parts(b, part, parts);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* A block on the concatenated reals of the k vertices of a tuple. Its first map is a sum of k maps, one for each
 * component. Each is applied to vertices, and the results are added: U[v_1] + V[v_2] + ... */
static uint32_t vertex_part(const lm_building *b)
{
    lm_program *p = b->p;
    const size_t reals = b->widths->vertex_reals, width = b->shape->width, k = b->shape->k;
    const uint32_t x = lm_program_input(p, LM_FROM_VERTEX_ATTRIBUTES, reals);
    uint32_t part[LM_NETWORK_MAX_K];
    lm_block block = {.kind = b->preset->branch};
    for (size_t j = 0; j < k; j++) {
        char name[48];
        snprintf(name, sizeof name, "linear1.position%zu", j + 1);
        part[j] = lm_program_linear(p, x, lm_map_new(p, name, width, reals, k * reals), LM_IDENTITY);
    }
    const uint32_t bias = lm_bias_new(p, "linear1", k * reals, width);
    if (block.kind.inside) block.norm[0] = lm_norm_new(p, "norm1", width);
    block.second = lm_linear_new(p, "linear2", width, width);
    if (block.kind.inside) block.norm[1] = lm_norm_new(p, "norm2", width);
    return lm_block_rest(p, &block, lm_layers_spread(b, part, bias, lm_block_activation(&block)));
}

/* Relations, vertices and pairs each pass through a block of their own, followed by a common block. */
static uint32_t tuple_parts(const lm_building *b)
{
    lm_program *p = b->p;
    const size_t width = b->shape->width, reals = b->widths->tuple_reals;
    uint32_t part[3];
    size_t parts = 0;
    lm_program_enter(p, "input");
    lm_program_enter(p, "type");
    const lm_block type = lm_block_new(p, b->preset->branch, b->widths->types, width, width, true);
    part[parts++] = lm_block_look_up(p, &type, lm_layers_type(b));
    lm_program_leave(p);
    if (b->widths->vertex_reals) {
        lm_program_enter(p, "vertices");
        part[parts++] = vertex_part(b);
        lm_program_leave(p);
    }
    if (reals) {
        lm_program_enter(p, "pairs");
        const lm_block pairs = lm_block_new(p, b->preset->branch, reals, width, width, false);
        part[parts++] = lm_block_apply(p, &pairs, lm_layers_reals(b));
        lm_program_leave(p);
    }
    const uint32_t x = merge_parts(b, part, parts);
    lm_program_leave(p);
    return x;
}

/* Attributes beside types: T[type] + sum over j of W_j a[v_j] + V e + b. */
static uint32_t tuple_attributes(const lm_building *b)
{
    lm_program *p = b->p;
    const lm_widths *w = b->widths;
    const size_t width = b->shape->width, k = b->shape->k, inputs = w->types + k * w->attributes + w->tuple_reals;
    uint32_t part[LM_NETWORK_MAX_K];
    const uint32_t bias = lm_bias_new(p, "input", inputs, width);
    lm_program_enter(p, "input");
    uint32_t x = lm_program_embed(p, lm_layers_type(b), 0, lm_map_new(p, "table", w->types, width, inputs).weight);
    if (w->attributes) {
        const uint32_t a = lm_program_input(p, LM_FROM_VERTEX_ATTRIBUTES, w->attributes);
        for (size_t j = 0; j < k; j++) {
            char name[48];
            snprintf(name, sizeof name, "vertices.position%zu", j + 1);
            part[j] = lm_program_linear(p, a, lm_map_new(p, name, width, w->attributes, inputs), LM_IDENTITY);
        }
        x = lm_program_add(p, x, lm_layers_spread(b, part, bias, LM_IDENTITY), LM_IDENTITY);
    }
    if (w->tuple_reals) {
        const uint32_t e = lm_layers_reals(b);
        lm_linear map = lm_map_new(p, "pairs", width, w->tuple_reals, inputs);
        if (!w->attributes) map.bias = bias;
        x = lm_program_add(p, x, lm_program_linear(p, e, map, LM_IDENTITY), LM_IDENTITY);
    }
    lm_program_leave(p);
    return x;
}

uint32_t lm_input_tuples(lm_building *b)
{
    if (b->preset->parts) return tuple_parts(b);
    return b->widths->attributes || b->widths->tuple_reals ? tuple_attributes(b) : LM_NONE;
}

/* Networks with edges read one-hot labels of vertices as reals. */
uint32_t lm_input_vertices(lm_building *b)
{
    const size_t reals = b->widths->vertex_reals, types = b->model->edges ? 0 : b->widths->types;
    if (!reals) return LM_NONE;
    if (!b->widths->attributes) return lm_program_input(b->p, LM_FROM_VERTEX_ATTRIBUTES, reals);
    const lm_mixed map = lm_mixed_new(b->p, "input", types, reals, b->shape->width);
    return lm_mixed_apply(b->p, &map, LM_INDEX_VERTEX_TYPE, LM_FROM_VERTEX_ATTRIBUTES, LM_IDENTITY);
}

/* ---- Rows of the table ----------------------------------------------------------------------- */

bool lm_reads_vertices(const lm_widths *w)
{
    return w->vertex_reals || w->types;
}

bool lm_reads_edges(const lm_widths *w)
{
    return w->vertex_reals && (w->labels || w->arc_reals);
}

bool lm_reads_tuples(const lm_widths *w)
{
    return w->types;
}

static bool reads_counts(const lm_widths *w)
{
    return w->types && w->counts;
}

#define GIN                                                                                                            \
    .input = lm_input_vertices, .layer = lm_layer_gin, .reads = lm_reads_vertices, .variant = LEMAN_ALGORITHM_LOCAL,   \
    .k = 1
#define GINE                                                                                                           \
    .input = lm_input_vertices, .layer = gine_layer, .reads = lm_reads_edges, .variant = LEMAN_ALGORITHM_LOCAL,        \
    .k = 1, .edges = true, .state = sizeof(gine_state)
#define TUPLES(algorithm) .input = lm_input_tuples, .layer = lm_layer_tuples, .variant = (algorithm), .epsilon = true

const lm_architecture_row lm_model_gin0 = {"gin0", "GIN-0", {"GIN-0"}, GIN};
const lm_architecture_row lm_model_gin = {"gin", "GIN-eps", {"GIN-eps"}, GIN, .epsilon = true};
const lm_architecture_row lm_model_gine0 = {"gine0", "GINE-0", {"GINE-0"}, GINE};
const lm_architecture_row lm_model_gine = {"gine", "GINE-eps", {"GINE-eps"}, GINE, .epsilon = true};
const lm_architecture_row lm_model_wl = {
    "wl", "k-WL-GNN", {"2-WL-GNN", "3-WL-GNN"}, TUPLES(LEMAN_ALGORITHM_WL), .reads = lm_reads_tuples};
const lm_architecture_row lm_model_local = {
    "local", "delta-k-LGNN", {"delta-2-LGNN", "delta-3-LGNN"}, TUPLES(LEMAN_ALGORITHM_LOCAL), .reads = lm_reads_tuples};
const lm_architecture_row lm_model_local_plus = {"local+",
                                                 "delta-k-LGNN+",
                                                 {"delta-2-LGNN+", "delta-3-LGNN+"},
                                                 TUPLES(LEMAN_ALGORITHM_LOCAL_PLUS),
                                                 .reads = reads_counts};
const lm_architecture_row lm_model_delta = {
    "delta", "delta-k-GNN", {"delta-2-GNN", "delta-3-GNN"}, TUPLES(LEMAN_ALGORITHM_DELTA), .reads = lm_reads_tuples};
