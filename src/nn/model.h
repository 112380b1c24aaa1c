/*
 * Models. A program is determined by an architecture (which sums its layers compute), a preset (sizes, and what
 * surrounds the sums) and the widths of the inputs. The rows of presets are in model.c. The row of an architecture is
 * in the file of its layers. docs/networks.md describes both.
 *
 * The name of a weight says where it is used: "layer1.position2.linear1.weight".
 */
#ifndef LM_NN_MODEL_H
#define LM_NN_MODEL_H

#include "nn/encode/encoding.h"
#include "nn/program.h"

typedef struct lm_model_options {
    leman_architecture shape;
    size_t outputs;    /* targets, classes or tasks */
    leman_level level; /* of the predictions */
    bool directed;     /* the graphs: the prediction of an undirected edge is that of both of its arcs */
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

/* Brings the encodings of pairs into normal form: the numbers of encodings are set, and those of the published networks
 * are 0, 0 and 0. Fails if they are impossible, or if the network is no pair network and has some. */
enum { LM_ENCODINGS_TEXT = 64 }; /* bytes for their text */
leman_status lm_pair_encodings_normalize(leman_context *ctx, leman_architecture *architecture);
/* Returns the encodings with all numbers, also for those of the published networks; without encodings if the network is
 * no pair network. */
typedef struct lm_pair_encodings {
    size_t distance, walk;
    bool resistance;
} lm_pair_encodings;
lm_pair_encodings lm_pair_encodings_of(const leman_architecture *architecture);

/* Returns true if the kind is a pair network, false also if there is no such kind. */
bool lm_model_has_pairs(leman_network_kind kind);
/* Returns true if the network has sets of vertices beside vertices. */
bool lm_model_has_sets(const leman_architecture *architecture);
/* Builds and finishes the program. The options must be in normal form. */
leman_status lm_model_build(leman_context *ctx, const lm_model_options *options, const lm_widths *widths,
                            lm_program **out);

#endif
