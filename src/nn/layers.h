/*
 * Layers: each computes the features of one round from the features of the round before.
 *
 *   vertices   gin    x' = block( (1+e) x + sum over w in N(v) of x_w )
 *              gine   x' = block( (1+e) x + sum over w in N(v) of ReLU(x_w + edge block(a_vw)) )
 *   k-tuples   H_b = block_b( (1+e_b) X + S_b M_b )   for every sum b of the variant and every component
 *              X'  = merge block( [H_1, H_2, ...] )
 *
 * If entering arcs are a second relation (in_arcs, directed graphs), every sum over neighbours is accompanied by a sum
 * over entering arcs with an epsilon of its own. Vertex blocks read both sums side by side; tuples have a block for
 * each.
 *
 * On a sparse set of tuples a sum over neighbours is one over those in the set.
 *
 * If attributes are read beside labels, the features before the first layer are
 *
 *   vertices   x = T[type] + W a + b                               a: the attributes of the vertex
 *   k-tuples   X = T[type] + sum over j of W_j a[v_j] + V e + b     e: the edge attributes of the tuple's pairs
 *
 * and the first linear map of an edge block reads the one-hot edge label and the attributes of the edge.
 *
 * Without real-valued inputs the first layer reads one-hot types. Since S is linear, linear1 is applied first, by table
 * look-up, and S adds rows of linear1's width: no matrix is ever as wide as the number of types.
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
    /* Computes the features of the graphs from the features after each layer. */
    uint32_t (*readout)(const lm_building *b, const uint32_t *layer);
    lm_block_kind edge, vertex; /* edge: gine only; vertex: gin and gine */
    bool narrow;                /* the middle of the vertex block is as wide as the block's input, not its output */
    lm_block_kind branch, merge;
    size_t repeated; /* gine only: this layer (from 0) shares the weights of the one before, as published; 0: none */
    unsigned turns;  /* iterations of Set2Set */
    size_t maps;     /* linear maps of the head */
    double dropout;  /* before the last linear map of the head */
    bool parts;      /* the inputs are continuous */
    /* Defaults of training; 0: the general default. */
    size_t epochs, batch_size;
    double learning_rate;
    bool unscaled; /* targets are learned in the units of the data */
} lm_preset_row;

enum { LM_MODEL_NAMES = 2, LM_HEAD_MAPS = 4 };

/* A row of the table of architectures: the complete description of one. */
typedef struct lm_architecture_row {
    const char *name, *paper;            /* name of the kind; name in the paper, with k in place of the number */
    const char *offered[LM_MODEL_NAMES]; /* names in lists: the paper's, with k = 2 and 3 if it has a k; others */
    /* The features of vertices or tuples before the first layer; LM_NONE if they are one-hot types. */
    uint32_t (*input)(lm_building *b);
    /* The features after layer number `layer` (from 0), computed from the features x before it. */
    uint32_t (*layer)(lm_building *b, size_t layer, uint32_t x);
    /* Returns true if inputs of these widths contain what the first layer needs. */
    bool (*reads)(const lm_widths *widths);
    size_t state;            /* bytes of lm_building.state */
    leman_algorithm variant; /* the variant whose sums a layer computes */
    unsigned k;              /* 1: on vertices; 2: on pairs; 0: on tuples of the requested size */
    bool edges, epsilon;
    bool matrix;                /* the input is the matrix of a graph */
    lm_set_kind sets[LM_LISTS]; /* the sets of vertices that it uses in addition */

    /* Members that are not 0 replace those of the preset. */
    size_t layers, width;
    uint32_t (*readout)(const lm_building *b, const uint32_t *layer);
    /* Computes the features of vertices, for predictions of vertices. NULL: those after the last layer; of tuples, summed
     * over all tuples that begin with the vertex. */
    uint32_t (*vertices)(const lm_building *b, const uint32_t *layer);
    size_t maps, inner[LM_HEAD_MAPS]; /* linear maps of the head, and the widths between them */
    bool elu;                         /* ELU between the linear maps, not ReLU */
    bool wide_head;                   /* the widths between them are twice the width of the layers */
    double learning_rate;
    size_t patience, epochs, batch_size;
    bool unscaled;

    bool pairs;           /* the input of a pair is its second vertex and its distance, not a type */
    unsigned layer_parts; /* of pair networks: a set of leman_layer_part */
} lm_architecture_row;

/* The row of every kind in LEMAN_NETWORK_KINDS, defined in the file of its layers. */
#define LM_MODEL_ROW(NAME, name) extern const lm_architecture_row lm_model_##name;
LEMAN_NETWORK_KINDS(LM_MODEL_ROW)

/* The state of building a model. */
struct lm_building {
    lm_program *p;
    const leman_architecture *shape;
    const lm_preset_row *preset;
    const lm_architecture_row *model;
    const lm_widths *widths;
    bool own_fourth_layer; /* the preset's `repeated` is ignored */
    void *state;           /* [model->state bytes] zero at first: what the network's functions pass to each other */
};

/* Returns true if the rows of tuples are those of a sparse set, listed in LM_LISTED. */
static inline bool lm_is_sparse(const lm_building *b)
{
    return b->shape->components > 0;
}
/* Returns the index of types, the attributes, and f(sum over j of X_j[v_j] + bias) for the tuples (v_1 .. v_k), listed or
 * not; parts that are LM_NONE are left out. */
static inline lm_index lm_layers_type(const lm_building *b)
{
    return lm_is_sparse(b) ? LM_INDEX_LISTED_TYPE : LM_INDEX_TUPLE_TYPE;
}
uint32_t lm_layers_reals(const lm_building *b);
uint32_t lm_layers_spread(const lm_building *b, const uint32_t *parts, uint32_t bias, lm_activation activation);

/* Returns the number of columns of value x; if x is LM_NONE, the number of one-hot types. */
size_t lm_layers_width(const lm_building *b, uint32_t x);

/* Inputs and layers for rows: of vertices, and of tuples with the sums of the row's variant. The functions
 * lm_reads_...() return true if the inputs have what layers need: types or reals of vertices; types of tuples; reals of
 * vertices, and labels or reals of arcs. */
uint32_t lm_input_vertices(lm_building *b);
uint32_t lm_input_tuples(lm_building *b);
uint32_t lm_layer_gin(lm_building *b, size_t layer, uint32_t x);
uint32_t lm_layer_tuples(lm_building *b, size_t layer, uint32_t x);
bool lm_reads_vertices(const lm_widths *widths);
bool lm_reads_tuples(const lm_widths *widths);
bool lm_reads_edges(const lm_widths *widths);

/* NNConv. The map of an arc is a block with `hidden` hidden units whose output is a matrix inputs x outputs. The first
 * function returns the hidden units as a value in LM_ARCS; the second, the block's second linear map as a map on
 * vertices, for lm_program_nnconv(). */
uint32_t lm_layers_arcs(const lm_building *b, size_t hidden);
lm_linear lm_layers_maps(const lm_building *b, size_t hidden, size_t inputs, size_t outputs);

/* Set2Set with `turns` iterations over the rows of each graph. */
uint32_t lm_readout_set2set(const lm_building *b, uint32_t x, unsigned turns);

#endif
