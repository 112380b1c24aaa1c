/*
 * PPGN, which the paper's QM9 table calls 3-IGN. A graph is an n x n matrix of channels: adjacency, identity, labels
 * and attributes of edges; those of vertices on the diagonal. A layer multiplies such matrices channel by channel.
 *
 *   P = block X,  Q = block X     of two linear maps, each followed by ReLU
 *   X' = linear [X, P Q]
 *
 * Then come the maxima of every channel on the diagonal and off the diagonal, and linear maps of widths 512, 256,
 * outputs. O(n^2 d^2 + n^3 d) for each layer.
 */
#include "nn/layers.h"

static bool reads_matrix(const lm_widths *w)
{
    return w->tuple_reals;
}

static uint32_t ppgn_input(lm_building *b)
{
    return lm_program_input(b->p, LM_FROM_TUPLE_ATTRIBUTES, b->widths->tuple_reals);
}

static uint32_t factor(lm_building *b, const char *name, uint32_t x)
{
    const size_t width = b->shape->width;
    const lm_block_kind kind = {.relu = true};
    lm_program_enter(b->p, "%s", name);
    const lm_block block = lm_block_new(b->p, kind, lm_layers_width(b, x), width, width, false);
    const uint32_t y = lm_block_apply(b->p, &block, x);
    lm_program_leave(b->p);
    return y;
}

static uint32_t ppgn_layer(lm_building *b, size_t number, uint32_t x)
{
    lm_program *p = b->p;
    const size_t inputs = lm_layers_width(b, x), width = b->shape->width;
    (void)number;
    const uint32_t left = factor(b, "left", x), right = factor(b, "right", x);
    const uint32_t both[] = {x, lm_program_matmul(p, left, right)};
    const lm_linear merge = lm_linear_new(p, "merge", inputs + width, width);
    return lm_program_linear(p, lm_program_join(p, both, 2), merge, LM_IDENTITY);
}

static uint32_t ppgn_readout(const lm_building *b, const uint32_t *layers)
{
    return lm_program_pool_max(b->p, layers[b->shape->layers - 1]);
}

/* The published learning rate never falls: the patience is the published number of epochs. */
const lm_architecture_row lm_model_ppgn = {.name = "ppgn",
                                           .paper = "PPGN",
                                           .offered = {"PPGN", "3-IGN"},
                                           .input = ppgn_input,
                                           .layer = ppgn_layer,
                                           .readout = ppgn_readout,
                                           .reads = reads_matrix,
                                           .variant = LEMAN_ALGORITHM_LOCAL,
                                           .k = 2,
                                           .matrix = true,
                                           .layers = 3,
                                           .width = 400,
                                           .maps = 3,
                                           .inner = {512, 256},
                                           .learning_rate = 1e-4,
                                           .patience = 1000};
