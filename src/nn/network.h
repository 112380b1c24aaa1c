/*
 * What is left of training: the architecture, how graphs are told to it, what its outputs mean, and weights. Enough to
 * answer for new graphs; a checkpoint keeps it.
 */
#ifndef LM_NETWORK_H
#define LM_NETWORK_H

#include "nn/executor.h"
#include "nn/inputs.h"
#include "nn/model.h"
#include "nn/train/scores.h"

struct leman_network {
    leman_context *ctx;
    leman_architecture architecture; /* in normal form */
    bool square;                     /* the loss of targets */
    lm_encoding *encoding;
    lm_program *program;
    size_t outputs;       /* targets or classes */
    int64_t *class_label; /* [outputs] increasing; NULL: targets */
    size_t *column;       /* [outputs] of the targets in the data; NULL: classes */
    lm_scale scale;       /* of targets */
    size_t batch;         /* graphs of a batch in training */
    lm_real *weights;     /* [program->numbers] of the best epoch, on the host */
    leman_epoch best;     /* epoch 0: none yet, and the weights are zeros */
};

/* An empty one. Once architecture, encoding and outputs are there, build makes the program, room the weights: zeros. */
leman_status lm_network_new(leman_context *ctx, leman_network **out);
leman_status lm_network_build(leman_network *network);
leman_status lm_network_allocate(leman_network *network);

/* One that is to learn: finds types, classes and scales in the data. */
leman_status lm_network_begin(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                              const leman_training *training, leman_network **out);

/* What graphs have to learn: targets as they are learned, [graphs][outputs], or numbers of classes, [graphs]. Free
 * with lm_labels_free(). */
typedef struct lm_labels {
    double *target;
    uint32_t *class_id;
} lm_labels;
leman_status lm_labels_compute(const leman_network *network, const leman_dataset *data, lm_labels *out);
void lm_labels_free(leman_context *ctx, lm_labels *labels);

#endif
