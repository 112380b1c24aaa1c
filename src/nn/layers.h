/*
 * Layers: from the features of one round to those of the next.
 *
 *   vertices   gin    x' = block( (1+e) x + sum over w in N(v) of x_w )
 *              gine   x' = block( (1+e) x + sum over w in N(v) of ReLU(x_w + edge block(a_vw)) )
 *   k-tuples   H_b = block_b( (1+e_b) X + S_b M_b )   for every sum b of the variant and every component
 *              X'  = merge block( [H_1, H_2, ...] )
 *
 * The first layer reads one-hot types where there are no reals: since S is linear, linear1 is applied first, by
 * look-up, and S adds up rows of its width: nothing as wide as the number of types is ever formed.
 */
#ifndef LM_LAYERS_H
#define LM_LAYERS_H

#include "nn/blocks.h"
#include "nn/encode/counts.h"
#include "nn/model.h"
#include "refine/variant.h"

typedef struct lm_building lm_building;

/* A row of the table of presets. */
typedef struct lm_preset_row {
    const char *name;
    size_t layers, width;
    /* From the features after each layer to those of graphs. */
    uint32_t (*readout)(const lm_building *b, const uint32_t *layer);
    lm_block_kind edge, vertex; /* of gine; of gin and gine */
    bool narrow;                /* the middle of the vertex block is as wide as its input, not as its output */
    lm_block_kind branch, merge;
    size_t repeated; /* of gine: this layer (from 0) has the weights of the one before, as published; 0: none has */
    unsigned turns;  /* of Set2Set */
    size_t maps;     /* linear maps of the head */
    double dropout;  /* before the last of them */
    bool parts;      /* continuous inputs */
} lm_preset_row;

/* A row of the table of architectures. */
typedef struct lm_architecture_row {
    const char *name, *paper; /* of the kind; the paper's, with the letter k where its number stands */
    /* What vertices or tuples are at the start; LM_NONE where they are one-hot types. */
    uint32_t (*input)(const lm_building *b);
    /* The features after a layer (from 0), from x before it. */
    uint32_t (*layer)(lm_building *b, size_t layer, uint32_t x);
    /* Do inputs of these widths give the first layer something to read? */
    bool (*reads)(const lm_widths *widths);
    leman_algorithm variant; /* whose sums a layer has */
    bool tuples, edges, epsilon;
} lm_architecture_row;

/* Weights of a gine layer. */
typedef struct lm_gine_weights {
    lm_block edge, vertex;
    uint32_t epsilon;
} lm_gine_weights;

/* What is being built. */
struct lm_building {
    lm_program *p;
    const leman_architecture *shape;
    const lm_preset_row *preset;
    const lm_architecture_row *model;
    const lm_widths *widths;
    bool own_fourth_layer; /* the preset's `repeated` does not count */
    lm_gine_weights gine;  /* of the layer before */
};

/* Columns of a value; of the one-hot types where x is LM_NONE. */
size_t lm_layers_width(const lm_building *b, uint32_t x);

uint32_t lm_input_vertices(const lm_building *b);
uint32_t lm_input_tuples(const lm_building *b);

uint32_t lm_layer_gin(lm_building *b, size_t layer, uint32_t x);
uint32_t lm_layer_gine(lm_building *b, size_t layer, uint32_t x);
uint32_t lm_layer_tuples(lm_building *b, size_t layer, uint32_t x);

#endif
