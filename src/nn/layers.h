/*
 * Layers: from the features of one round to those of the next.
 *
 *   vertices   gin    x' = block( (1+e) x + sum over w in N(v) of x_w )
 *              gine   x' = block( (1+e) x + sum over w in N(v) of ReLU(x_w + edge block(a_vw)) )
 *   k-tuples   H_b = block_b( (1+e_b) X + S_b M_b )   for every sum b of the variant and every component
 *              X'  = merge block( [H_1, H_2, ...] )
 *
 * The first layer reads one-hot types where there are no reals: since S is linear, linear1 is taken first, by look-up,
 * and S adds up rows of its width: nothing as wide as the number of types is ever formed.
 */
#ifndef LM_LAYERS_H
#define LM_LAYERS_H

#include "nn/blocks.h"
#include "nn/counts.h"
#include "nn/model.h"
#include "refine/variant.h"

/* A row of the table of presets. */
typedef struct lm_preset_row {
    const char *name;
    size_t layers, width;
    lm_block_kind edge, vertex; /* of gine; of gin and gine */
    bool narrow;                /* the middle of the vertex block is as wide as its input, not as its output */
    lm_block_kind branch, merge;
    bool all_layers; /* the head reads all layers side by side, not the last alone */
    unsigned turns;  /* of Set2Set; 0: mean */
    size_t maps;     /* linear maps of the head */
    double dropout;  /* before the last of them */
    bool parts;      /* continuous inputs */
} lm_preset_row;

/* A row of the table of architectures. */
typedef struct lm_architecture_row {
    const char *name;
    leman_algorithm variant; /* whose sums are taken */
    bool tuples, edges, epsilon;
} lm_architecture_row;

/* What is being built. */
typedef struct lm_building {
    lm_program *p;
    const leman_architecture *shape;
    const lm_preset_row *preset;
    const lm_architecture_row *model;
    const lm_widths *widths;
} lm_building;

/* What vertices or tuples are at the start; LM_NONE where they are one-hot types. */
uint32_t lm_layers_input(const lm_building *b);

/* Weights of a gine layer, for the layer that uses them again. */
typedef struct lm_gine_weights {
    lm_block edge, vertex;
    uint32_t epsilon;
} lm_gine_weights;
uint32_t lm_layer_gin(const lm_building *b, uint32_t x);
/* shared: *weights are those of the layer before, but for the last norm; otherwise they are made. */
uint32_t lm_layer_gine(const lm_building *b, uint32_t x, bool shared, lm_gine_weights *weights);
uint32_t lm_layer_tuples(const lm_building *b, size_t layer, uint32_t x);

#endif
