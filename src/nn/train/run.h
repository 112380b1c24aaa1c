/*
 * A training run: the state that is carried from epoch to epoch. A checkpoint is this state after an epoch. A run that
 * resumes from a checkpoint gives bit for bit the results of an uninterrupted run.
 */
#ifndef LM_TRAINING_RUN_H
#define LM_TRAINING_RUN_H

#include "base/lock.h"
#include "nn/train/fingerprint.h"
#include "nn/train/trainer.h"

typedef struct lm_training_run {
    leman_context *ctx;
    const leman_dataset *data;
    const leman_parts *parts;
    const lm_training_options *options;
    leman_network *network; /* with the weights of the best epoch */
    lm_trainer *trainer;
    lm_run_record record;
    size_t resumed;           /* epochs that were read from the checkpoint */
    lm_serializer serializer; /* buffer of the checkpoint that is written, reused */
    lm_lock lock;             /* on the checkpoint: no other run writes it meanwhile */
    double *tested;           /* predictions for the test graphs in the best epoch, as in lm_train(); or NULL */
    lm_real *host;            /* [numbers] workspace of checkpoints; NULL without one */
    bool planned;             /* only what the run needs is computed */
} lm_training_run;

/* Returns the number of errors (of targets) or areas under the ROC curve (of tasks) that a part has; 0 for classes. */
static inline size_t lm_network_each(const leman_network *network)
{
    return network->class_label ? 0 : network->outputs;
}

/* Like leman_train(). tested, unless it is NULL, receives the predictions of the best epoch for the test graphs,
 * [test graphs][outputs], where classes have one output: the index of the predicted class; 0 or 1 for a task; a target
 * in the units of the data. */
leman_status lm_train(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                      const leman_architecture *architecture, const leman_training *training, double *tested,
                      leman_network **network, leman_history **history);

/* Writes the state of the run to the checkpoint file of the training. */
leman_status lm_checkpoint_write(lm_training_run *run);
/* Resumes from the checkpoint file. Fails with LEMAN_ERROR_INPUT if the file is damaged, or if it belongs to other
 * data, parts or options. */
leman_status lm_checkpoint_resume(lm_training_run *run);

#define LM_CHECKPOINT_MAGIC "LEMANNN\n"
enum { LM_CHECKPOINT_VERSION = 2 };
/* Reads the network from the bytes of a checkpoint; path is for messages. */
leman_status lm_checkpoint_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_network **out);

/* Parses the content of a file of graph numbers and appends them to list as uint32_t. Numbers must be below `graphs`;
 * path is for messages (parts.c). */
leman_status lm_parts_parse(leman_context *ctx, const char *path, lm_bytes bytes, size_t graphs, lm_vector *list);

#endif
