/*
 * The work of training, pass by pass: batches of the training part with one step of Adam each, and errors over a part.
 *
 * The order of an epoch is a permutation that depends only on the seed and the epoch; the last batch may be smaller. So
 * all batches of a run are known before it begins: memory is planned once, for the largest of them, and an epoch can be
 * repeated from the state at its beginning. Dropout is keyed by the number of the step.
 *
 * Errors are computed in FP32 on every device. Only sums at the end of an epoch and the predictions of a part are read
 * back from a device.
 *
 * Several devices are ranks that share every batch: each rank has a piece of its graphs, norms use the statistics of
 * the whole batch, gradients are added over the ranks, and every rank makes the same step. Up to rounding the result is
 * that of one device with the whole batch. The trainer is the rank of its context (base/ranks/ranks.h), and the device
 * of rank r is the r-th of the list.
 *
 * Time of an epoch: three forward passes for each batch. Memory: the plan for the largest batch.
 */
#ifndef LM_TRAINER_H
#define LM_TRAINER_H

#include "base/ranks/ranks.h"
#include "nn/network.h"

typedef enum lm_data_part { LM_TRAIN_PART, LM_VAL_PART, LM_TEST_PART } lm_data_part;

typedef struct lm_trainer {
    leman_context *ctx;
    /* Set by the caller of lm_trainer_new(): what is trained, on which data. Nothing of it is owned. */
    const leman_dataset *data;
    const leman_parts *parts;
    const leman_network *network;
    const leman_training *training; /* batch_size counts the graphs of all ranks; the score is not AUTO */
    const char *device;             /* name for lm_backend_new(), or a list of names, one per rank */
    uint64_t seed;
    bool planned; /* only `needed` and `budget` are computed: the trainer cannot train */

    uint64_t needed, budget; /* bytes of the whole run, and those that it may use */
    lm_backend *backend;
    lm_executor *executor;
    /* If the device computes with fewer bits, parts are measured by this backend and executor in FP32. NULL: by those
     * that train. */
    lm_backend *exact_backend;
    lm_executor *exact;
    lm_real *weights; /* [numbers] workspace: weights on their way between the executors */
    uint64_t steps;   /* of Adam so far */
    lm_executor_size size;
    lm_labels labels;
    lm_row_list rows;       /* what the predictions are about */
    leman_parts *row_parts; /* the rows of the graphs of all parts */
    leman_dataset *read;    /* the data without the attributes that are learned; NULL: all of the data is read */
    lm_inputs *inputs;
    lm_batch batch;
    uint32_t *order;      /* [training graphs] order of the epoch */
    lm_real *predicted;   /* [rows of the largest part][outputs] */
    double *class_weight; /* [classes] or [tasks][2]; NULL: all 1, and no class is missing */
    uint64_t batches;     /* done so far, for the progress */
    lm_batch whole;       /* labels of the graphs of all ranks */
} lm_trainer;

/* Creates a trainer from these members of *given: sets the weights from the seed and allocates memory for the
 * largest batch of the run. Fails with LEMAN_ERROR_BUDGET if that does not fit. */
leman_status lm_trainer_new(leman_context *ctx, const lm_trainer *given, lm_trainer **out);
void lm_trainer_free(lm_trainer *trainer);
LM_DROP(lm_trainer)

/* Returns the floating-point operations of the linear maps in all epochs: forward and backward over the training part,
 * forward over the validation part. */
double lm_trainer_operations(const lm_trainer *trainer);

/* Returns the training graphs in the order of an epoch. Valid until the next call. */
const uint32_t *lm_trainer_order(lm_trainer *trainer, uint64_t epoch);
/* Trains on all batches in the order of this epoch (from 1). *loss becomes the mean loss of the batches, each weighted
 * by its graphs: by their weights and the share of their targets that is known. Fails with LEMAN_ERROR_INPUT if a loss
 * is not finite. */
leman_status lm_trainer_epoch(lm_trainer *trainer, uint64_t epoch, double learning_rate, double *loss);
/* The results of measuring a part; NAN if no true value is known. */
typedef struct lm_measure {
    double error;
    double loss;  /* mean over the graphs of the loss that training minimises */
    double score; /* the score that the options name */
} lm_measure;
/* Measures a part. each[outputs] receives the error of every target, or the area under the ROC curve of every task; for
 * classes it is not changed. */
leman_status lm_trainer_measure(lm_trainer *trainer, lm_data_part part, lm_measure *out, double *each);

#endif
