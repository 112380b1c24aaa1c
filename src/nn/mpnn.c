/*
 * The MPNN of the paper's QM9 table. Vertices x_v have reals a_v, arcs have reals e_vw. m is a mean over the neighbours
 * of v, or over all other vertices if every two vertices are joined.
 *
 *   h = x = ReLU(linear a)
 *   m = ReLU( mean over w of x_w' T(e_vw)  +  root x_v ),   T(e) = a block 128 wide whose output is a matrix d x d
 *   x = h = GRU(m, h)                                       for every layer, all with the same weights
 *
 * Then come Set2Set with 3 iterations and two linear maps. T(e) is V_0 + sum over k of h_k(e) V_k: weight "maps" has
 * V_k' as its rows k d .. (k+1) d - 1, and is applied to vertices (nn/cpu/nnconv.c). If entering arcs are a second
 * relation, they add a mean of their own with maps of their own.
 */
#include "nn/layers.h"

enum { HIDDEN = 128, TURNS = 3 };

/* The weights that all layers share. */
typedef struct mpnn_weights {
    uint32_t edge;                  /* value: the hidden layer of the network on arcs */
    lm_linear maps, entering, root; /* entering: the maps of entering arcs, if these are a second relation */
    lm_gates gru;
} mpnn_weights;

static uint32_t mpnn_input(lm_building *b)
{
    lm_program *p = b->p;
    const lm_widths *widths = b->widths;
    const size_t width = b->shape->width;
    mpnn_weights *w = b->state;
    const uint32_t a = lm_program_input(p, LM_FROM_VERTEX_ATTRIBUTES, widths->vertex_reals);
    const uint32_t x = lm_program_linear(p, a, lm_linear_new(p, "input", widths->vertex_reals, width), LM_RELU);
    w->edge = lm_layers_arcs(b, HIDDEN);
    w->maps = lm_layers_maps(b, HIDDEN, width, width);
    if (b->shape->in_arcs) {
        lm_program_enter(p, "entering");
        w->entering = lm_layers_maps(b, HIDDEN, width, width);
        lm_program_leave(p);
    }
    w->root = lm_linear_new(p, "root", width, width);
    w->gru = lm_gru_new(p, "gru", width, width);
    return x;
}

static uint32_t mpnn_layer(lm_building *b, size_t number, uint32_t x)
{
    lm_program *p = b->p;
    const mpnn_weights *w = b->state;
    (void)number;
    const uint32_t sent = lm_program_linear(p, x, w->maps, LM_IDENTITY);
    uint32_t mean = lm_program_nnconv(p, sent, w->edge, LM_LEAVING, true);
    if (b->shape->in_arcs) {
        const uint32_t back = lm_program_linear(p, x, w->entering, LM_IDENTITY);
        mean = lm_program_add(p, mean, lm_program_nnconv(p, back, w->edge, LM_ENTERING, true), LM_IDENTITY);
    }
    const uint32_t m = lm_program_add(p, mean, lm_program_linear(p, x, w->root, LM_IDENTITY), LM_RELU);
    return lm_program_gru(p, m, x, w->gru);
}

static uint32_t mpnn_readout(const lm_building *b, const uint32_t *layers)
{
    return lm_readout_set2set(b, layers[b->shape->layers - 1], TURNS);
}

const lm_architecture_row lm_model_mpnn = {.name = "mpnn",
                                           .paper = "MPNN",
                                           .offered = {"MPNN"},
                                           .input = mpnn_input,
                                           .layer = mpnn_layer,
                                           .readout = mpnn_readout,
                                           .reads = lm_reads_edges,
                                           .state = sizeof(mpnn_weights),
                                           .variant = LEMAN_ALGORITHM_LOCAL,
                                           .k = 1,
                                           .edges = true,
                                           .layers = 3,
                                           .width = 64,
                                           .maps = 2};
