/*
 * The work of training, pass by pass: batches of the training part with a step of Adam each, and errors over a part.
 *
 * The order of an epoch is a permutation drawn for that epoch from the seed alone; the last, smaller batch is kept. So
 * every batch of a run is known before it begins: memory is planned for the largest that will come, once, and an epoch
 * can be repeated from what stood at its beginning. Dropout is keyed by the number of the step.
 *
 * Errors are computed in FP32 on every device. Nothing is read back from a device but sums at the end of an epoch and
 * the predictions of a part.
 *
 * Several devices are ranks that share every batch: each has a piece of its graphs, norms use the statistics of all,
 * gradients are added over the ranks, and every rank makes the same step. What comes out is that of one device with the
 * whole batch, to rounding. Each rank is a trainer of its own, in a thread of its own (base/ranks/threads.h); that of
 * rank 0 is the one that the caller has. Where the context is one of several ranks (base/ranks/ranks.h), so is its
 * trainer, and the device of rank r is the r-th of the list.
 *
 * Time of an epoch: that of three forward passes for each batch; memory: the plan for the largest batch.
 */
#ifndef LM_TRAINER_H
#define LM_TRAINER_H

#include "base/ranks/ranks.h"
#include "base/ranks/threads.h"
#include "nn/network.h"
#include "nn/train/adam.h"

typedef enum lm_data_part { LM_TRAIN_PART, LM_VAL_PART, LM_TEST_PART } lm_data_part;

/* What is trained on what. Everything stays the caller's. */
typedef struct lm_trainer_options {
    const leman_dataset *data;
    const leman_parts *parts;
    const leman_network *network;
    size_t batch_size, epochs; /* graphs in a batch, of all ranks together; epochs at most */
    double weight_decay, max_gradient_norm;
    bool recompute;
    uint64_t seed;
    leman_score score;          /* that parts are measured by, with the error */
    const double *class_weight; /* [classes, or 2 for all tasks], or NULL: 1 each, or: */
    bool balanced_weights; /* graphs / (classes * graphs of the class), over those of the training part with a class */
    const char *device;    /* of lm_backend_new(), or a list of them: ranks */
} lm_trainer_options;

typedef struct lm_trainer lm_trainer;
struct lm_trainer {
    leman_context *ctx;
    lm_trainer_options options;
    lm_backend *backend;
    lm_executor *executor;
    /* Where the device computes with fewer bits, parts are measured by others, in FP32; NULL: by those that train. */
    lm_backend *exact_backend;
    lm_executor *exact;
    lm_real *weights; /* [numbers] on their way from one to the other */
    lm_optimizer optimizer;
    lm_executor_size size; /* weight_bytes with the moments */
    lm_labels labels;
    lm_inputs *inputs;
    lm_batch batch;
    bool resident[LM_TEST_PART + 1]; /* the backend that reads the batches of a part has its graphs in its memory */
    uint32_t *order;                 /* [training graphs] of the epoch */
    lm_real *predicted;              /* [graphs of the largest part][outputs] */
    lm_score score;
    double *class_weight;          /* [classes] or [tasks][2]; NULL: 1 each, and no class is missing */
    uint64_t batches;              /* done, for the progress */
    lm_communicator *communicator; /* of the ranks; NULL: alone */
    lm_batch whole;                /* labels of the graphs of all ranks */
    lm_rank_threads *group;        /* of rank 0: the threads, and all trainers by rank */
    lm_trainer **members;
    lm_context_communicator processes; /* of the ranks of the context */
};

/* How many ranks share a batch: those of the context, or as many as there are devices. */
size_t lm_trainer_ranks(const leman_context *ctx, const char *device);
/* Weights from the seed, memory for the largest batch of the run; LEMAN_ERROR_BUDGET where it does not fit. */
leman_status lm_trainer_new(leman_context *ctx, const lm_trainer_options *options, lm_trainer **out);
void lm_trainer_free(lm_trainer *trainer);

/* Weights, moments and the count of steps of rank 0 were changed: they become those of all ranks. */
leman_status lm_trainer_changed(lm_trainer *trainer);
/* The training graphs in the order of an epoch, until the next call. */
const uint32_t *lm_trainer_order(lm_trainer *trainer, uint64_t epoch);
/* Batches of the training part in the order of this epoch (from 1): *loss is the mean over its graphs, by their
 * weights and the share of their targets that is known, of the loss of their batch. A loss that is not finite is
 * LEMAN_ERROR_INPUT. */
leman_status lm_trainer_epoch(lm_trainer *trainer, uint64_t epoch, double learning_rate, double *loss);
/* Of a part; NAN where nothing is known. */
typedef struct lm_measure {
    double error;
    double loss;  /* the mean over its graphs of the loss of training */
    double score; /* by the score of the options */
} lm_measure;
/* each[outputs] becomes the error of every target, or the area under the ROC curve of every task; of classes it is left
 * alone. */
leman_status lm_trainer_measure(lm_trainer *trainer, lm_data_part part, lm_measure *out, double *each);

/* The trainer of one rank: what it does of all that. communicator: NULL where it is alone, or has that of its context.
 */
leman_status lm_rank_trainer_new(leman_context *ctx, lm_communicator *communicator, const lm_trainer_options *options,
                                 lm_trainer **out);
void lm_rank_trainer_free(lm_trainer *trainer);
leman_status lm_rank_trainer_epoch(lm_trainer *trainer, uint64_t epoch, double learning_rate, double *loss);
leman_status lm_rank_trainer_measure(lm_trainer *trainer, lm_data_part part, lm_measure *out, double *each);

#endif
