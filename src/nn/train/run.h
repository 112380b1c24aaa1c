/*
 * A run of training: the state that goes from epoch to epoch. A checkpoint is this state after an epoch; a run that
 * resumes from it gives the bits that it would have given without the interruption.
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
    size_t resumed;           /* epochs that came from the checkpoint */
    lm_serializer serializer; /* the checkpoint as it is written, its memory kept */
    lm_lock lock;             /* of the checkpoint: no other run writes it meanwhile */
    lm_real *host;            /* [numbers] work space: weights on their way to and from the backend */
} lm_training_run;

/* How many errors of targets, or areas of tasks, a part has. */
static inline size_t lm_network_each(const leman_network *network)
{
    return network->class_label ? 0 : network->outputs;
}

/* Writes the state to the checkpoint of the training. */
leman_status lm_checkpoint_write(lm_training_run *run);
/* Resumes from it: LEMAN_ERROR_INPUT where it is damaged, or of other data, parts or options. */
leman_status lm_checkpoint_resume(lm_training_run *run);

#define LM_CHECKPOINT_MAGIC "LEMANNN\n"
enum { LM_CHECKPOINT_VERSION = 1 };
/* The network, from the bytes of a checkpoint; path is for messages. */
leman_status lm_checkpoint_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_network **out);

#endif
