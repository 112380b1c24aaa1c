/*
 * Models. A program is determined by an architecture (which sums its layers compute), a preset (sizes, and what
 * surrounds the sums) and the widths of the inputs. The rows of presets are in model.c. The rows of architectures
 * follow their layers in layers.c, mpnn.c, ppgn.c and kgnn.c.
 *
 *   gin0 gin    vertices; z = (1+e) x + sum over neighbours of x;              gin0: e = 0
 *   gine0 gine  vertices; z = (1+e) x + sum over neighbours of ReLU(x + e');   gine0: e = 0
 *   wl          k-tuples; the sums of the variant wl, for every component
 *   local       k-tuples; the sums of the variant local: delta-k-LGNN
 *   local+      k-tuples; local, where a tuple sends ReLU(x + E[#]): delta-k-LGNN+
 *   delta       k-tuples; local sums, and sums over all vertices that are not neighbours: delta-k-GNN
 *   mpnn        vertices; messages by maps that depend on the arc, a GRU: nn/mpnn.c
 *   ppgn        pairs; products of matrices, channel by channel: nn/ppgn.c
 *   gnn12 gnn13 gnn123   vertices, then 2-sets, connected 3-sets or both: nn/kgnn.c
 *
 *   zinc        4 layers of 256, all of them joined, mean, four linear maps
 *   alchemy     6 layers of 64 with batch norm after every linear map, Set2Set, two linear maps
 *   qm9         alchemy on continuous inputs
 *   tu          5 layers of 64, mean, two linear maps with dropout between them: classes
 *
 * docs/networks.md describes the layers of the higher-order models. The name of a weight says where it is used:
 * "layer1.position2.linear1.weight".
 */
#ifndef LM_NN_MODEL_H
#define LM_NN_MODEL_H

#include "nn/encode/encoding.h"
#include "nn/program.h"

typedef struct lm_model_options {
    leman_architecture shape;
    size_t outputs;    /* targets, classes or tasks */
    lm_operation loss; /* LM_OP_L1, LM_OP_SQUARE, LM_OP_CROSS_ENTROPY, LM_OP_BINARY_CROSS_ENTROPY */
    bool own_fourth_layer;
} lm_model_options;

/* Brings options into normal form: replaces zeros by the preset's sizes and sets k = 1 if the model has no tuples.
 * Fails if the options contradict each other. */
leman_status lm_model_normalize(leman_context *ctx, lm_model_options *options);
/* Replaces the training defaults for which the preset or the model has a value of its own. */
void lm_model_training(const leman_architecture *architecture, leman_training *training);
/* Returns what the model reads from graphs. The options must be in normal form. */
lm_encoding_options lm_model_encoding(const lm_model_options *options);

/* Values of a built model that explanations and tests read. The program must be finished. */
typedef struct lm_model_values {
    uint32_t input;                        /* what the first layer reads; LM_NONE: one-hot types */
    uint32_t layer[LM_NETWORK_MAX_ROUNDS]; /* output of each layer */
    uint32_t pooled;                       /* input of the head */
} lm_model_values;

/* Builds and finishes the program. The options must be in normal form. If values is not NULL, it receives the numbers
 * of these values, and all of them are kept readable. */
leman_status lm_model_build(leman_context *ctx, const lm_model_options *options, const lm_widths *widths,
                            lm_model_values *values, lm_program **out);

#endif
