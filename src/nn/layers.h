/*
 * Layers: from the features of one round to those of the next.
 *
 *   vertices   gin    x' = block( (1+e) x + sum over w in N(v) of x_w )
 *              gine   x' = block( (1+e) x + sum over w in N(v) of ReLU(x_w + edge block(a_vw)) )
 *   k-tuples   H_b = block_b( (1+e_b) X + S_b M_b )   for every sum b of the variant and every component
 *              X'  = merge block( [H_1, H_2, ...] )
 *
 * Where entering arcs are a second relation (in_arcs of directed graphs), there is one more sum for every sum over
 * neighbours, with an epsilon of its own: blocks of vertices read both side by side, tuples have a block for each.
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
    /* Of training, where they are not 0: */
    size_t epochs, batch_size;
    double learning_rate;
    bool unscaled; /* targets are learned in the units of the data */
} lm_preset_row;

enum { LM_MODEL_NAMES = 2, LM_HEAD_MAPS = 4 };

/* A row of the table of architectures: all that there is to say of one. */
typedef struct lm_architecture_row {
    const char *name, *paper;            /* of the kind; the paper's, with the letter k where its number stands */
    const char *offered[LM_MODEL_NAMES]; /* the paper's in lists: with k = 2 and 3 where it has one; others too */
    /* What vertices or tuples are at the start; LM_NONE where they are one-hot types. */
    uint32_t (*input)(lm_building *b);
    /* The features after a layer (from 0), from x before it. */
    uint32_t (*layer)(lm_building *b, size_t layer, uint32_t x);
    /* Do inputs of these widths give the first layer something to read? */
    bool (*reads)(const lm_widths *widths);
    leman_algorithm variant; /* whose sums a layer has */
    unsigned k;              /* 1: on vertices; 2: on pairs; 0: on tuples of the size that is asked for */
    bool edges, epsilon;
    bool matrix;                /* its input is the matrix of a graph */
    lm_set_kind sets[LM_LISTS]; /* the sets of vertices that it has beside them */

    /* What is not 0 takes the place of the preset's. */
    size_t layers, width;
    uint32_t (*readout)(const lm_building *b, const uint32_t *layer);
    size_t maps, inner[LM_HEAD_MAPS]; /* linear maps of the head, and how wide what is between them is */
    bool elu;                         /* ELU between them, not ReLU */
    double learning_rate;
    size_t patience;
} lm_architecture_row;

/* The rows of LEMAN_NETWORK_KINDS, in the files of their layers. */
#define LM_MODEL_ROW(NAME, name) extern const lm_architecture_row lm_model_##name;
LEMAN_NETWORK_KINDS(LM_MODEL_ROW)

/* Weights of a gine layer. */
typedef struct lm_gine_weights {
    lm_block edge, vertex;
    uint32_t epsilon, entering_epsilon;
} lm_gine_weights;

/* What the layers of mpnn share. */
typedef struct lm_mpnn_weights {
    uint32_t edge;                  /* value: the hidden layer of the network of arcs */
    lm_linear maps, entering, root; /* entering: the maps of arcs that enter, where they are a second relation */
    lm_gates gru;
} lm_mpnn_weights;

/* What is being built. */
struct lm_building {
    lm_program *p;
    const leman_architecture *shape;
    const lm_preset_row *preset;
    const lm_architecture_row *model;
    const lm_widths *widths;
    bool own_fourth_layer; /* the preset's `repeated` does not count */
    lm_gine_weights gine;  /* of the layer before */
    lm_mpnn_weights mpnn;
};

/* Columns of a value; of the one-hot types where x is LM_NONE. */
size_t lm_layers_width(const lm_building *b, uint32_t x);

uint32_t lm_input_vertices(lm_building *b);

/* NNConv: the map of an arc is a block of `hidden` whose output is a matrix inputs x outputs. Its hidden numbers, by
 * arc; and its second linear map as one on vertices, for lm_program_nnconv(). */
uint32_t lm_layers_arcs(const lm_building *b, size_t hidden);
lm_linear lm_layers_maps(const lm_building *b, size_t hidden, size_t inputs, size_t outputs);

/* The reals of vertices, and labels or reals of arcs. */
bool lm_reads_edges(const lm_widths *widths);
/* Set2Set of so many turns over the rows of each graph. */
uint32_t lm_readout_set2set(const lm_building *b, uint32_t x, unsigned turns);

#endif
