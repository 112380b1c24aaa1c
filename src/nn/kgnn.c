/*
 * Set networks: 1-2-GNN, 1-3-GNN and 1-2-3-GNN (Morris et al., AAAI 2019). Vertices x_v, sets y_s, width d:
 *
 *   x' = ELU( sum over w in N(v) of x_w' T(e_vw) + root x_v )              inputs -> d/2 -> d -> d
 *   y  = [mean over v in s of x_v, one-hot type of s]                      for 2-sets, connected 3-sets or both
 *   y' = ELU( mean over t in N(s) of W y_t + W_own y_s + b ), twice        d + types -> d -> d
 *
 * Then come the means over vertices and over the sets of each kind, side by side, and linear maps to d, 32 and the
 * outputs with ELU between them. T(e) is a block of width 128 whose output is a matrix, as in mpnn.c. nn/encode/sets.h
 * defines sets and N(s).
 *
 * The first layer of sets reads [mean of the vertices' features, one-hot type]. Both of its maps are linear. So they
 * are applied to the vertices, of which there are fewer, and the results are averaged over the vertices of each set;
 * the type is looked up.
 */
#include "nn/layers.h"

enum { HIDDEN = 128, LAYERS = 3, SET_LAYERS = 2, WIDTH = 64, LAST_WIDTH = 32 };

/* ---- Vertices -------------------------------------------------------------------------------- */

static uint32_t set_network_layer(lm_building *b, size_t number, uint32_t x)
{
    lm_program *p = b->p;
    const size_t inputs = lm_layers_width(b, x), full = b->shape->width, width = number || full < 2 ? full : full / 2;
    const uint32_t h = lm_layers_arcs(b, HIDDEN);
    const lm_linear maps = lm_layers_maps(b, HIDDEN, inputs, width), root = lm_linear_new(p, "root", inputs, width);
    const uint32_t sum = lm_program_nnconv(p, lm_program_linear(p, x, maps, LM_IDENTITY), h, LM_LEAVING, false);
    return lm_program_add(p, sum, lm_program_linear(p, x, root, LM_IDENTITY), LM_ELU);
}

/* ---- Sets ------------------------------------------------------------------------------------ */

/* The names of the two maps of a layer. */
static const char *const MAPS[] = {"neighbors", "own"};

/* A map of the first layer, from vertices x to the sets of list i. */
static uint32_t first_map(const lm_building *b, size_t i, uint32_t x, const char *name)
{
    lm_program *p = b->p;
    const size_t width = b->shape->width, types = b->widths->set_types[i], inputs = lm_layers_width(b, x) + types;
    lm_program_enter(p, "%s", name);
    const lm_linear map = lm_map_new(p, "weight", width, inputs - types, inputs);
    lm_listed_sum sum = {.own = LM_NONE, .mean = true, .epsilon = LM_NONE, .bias = LM_NONE};
    if (types)
        sum.own = lm_program_embed(p, LM_INDEX_LISTED_TYPE, i, lm_map_new(p, "table", types, width, inputs).weight);
    sum.sent = lm_program_linear(p, x, map, LM_IDENTITY);
    const uint32_t y = lm_program_listed(p, LM_LISTED + (lm_row_space)i, &sum);
    lm_program_leave(p);
    return y;
}

static uint32_t next_map(const lm_building *b, uint32_t x, const char *name)
{
    const size_t width = b->shape->width;
    lm_program_enter(b->p, "%s", name);
    const uint32_t y = lm_program_linear(b->p, x, lm_map_new(b->p, "weight", width, width, width), LM_IDENTITY);
    lm_program_leave(b->p);
    return y;
}

/* Y = ELU(mean over neighbours of X W' + X W_own' + b). */
static uint32_t set_layer(const lm_building *b, size_t i, size_t layer, uint32_t x)
{
    lm_program *p = b->p;
    const size_t inputs = b->shape->width + (layer ? 0 : b->widths->set_types[i]);
    uint32_t mapped[2];
    lm_program_enter(p, "layer%zu", layer + 1);
    for (size_t m = 0; m < 2; m++) mapped[m] = layer ? next_map(b, x, MAPS[m]) : first_map(b, i, x, MAPS[m]);
    const lm_listed_sum sum = {.own = mapped[1],
                               .sent = mapped[0],
                               .mean = true,
                               .epsilon = LM_NONE,
                               .bias = lm_bias_new(p, "own", inputs, b->shape->width),
                               .activation = LM_ELU};
    const uint32_t y = lm_program_listed(p, LM_LISTED + (lm_row_space)i, &sum);
    lm_program_leave(p);
    return y;
}

static uint32_t set_network_readout(const lm_building *b, const uint32_t *layers)
{
    lm_program *p = b->p;
    const uint32_t x = layers[b->shape->layers - 1];
    uint32_t pooled[1 + LM_LISTS];
    size_t count = 0;
    pooled[count++] = lm_program_pool(p, x, true);
    for (size_t i = 0; i < LM_LISTS && b->model->sets[i]; i++) {
        uint32_t y = x;
        lm_program_enter(p, "sets%zu", lm_set_members(b->model->sets[i]));
        for (size_t t = 0; t < SET_LAYERS; t++) {
            lm_program_segment(p);
            y = set_layer(b, i, t, y);
        }
        lm_program_leave(p);
        pooled[count++] = lm_program_pool(p, y, true);
    }
    lm_program_segment(p);
    return lm_program_join(p, pooled, count);
}

/* ---- Rows of the table ----------------------------------------------------------------------- */

#define SETS                                                                                                           \
    .input = lm_input_vertices, .layer = set_network_layer, .readout = set_network_readout, .reads = lm_reads_edges,   \
    .variant = LEMAN_ALGORITHM_LOCAL, .k = 1, .edges = true, .layers = LAYERS, .width = WIDTH, .maps = 3,              \
    .inner = {0, LAST_WIDTH}, .elu = true

const lm_architecture_row lm_model_gnn12 = {"gnn12", "1-2-GNN", {"1-2-GNN"}, SETS, .sets = {LM_SETS_PAIRS}};
const lm_architecture_row lm_model_gnn13 = {"gnn13", "1-3-GNN", {"1-3-GNN"}, SETS, .sets = {LM_SETS_TRIPLES}};
const lm_architecture_row lm_model_gnn123 = {
    "gnn123", "1-2-3-GNN", {"1-2-3-GNN"}, SETS, .sets = {LM_SETS_PAIRS, LM_SETS_TRIPLES}};
