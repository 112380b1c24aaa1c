/*
 * The fingerprint of a run: the options that must be the same for another to resume from its file. What a run computes
 * depends on
 *
 *   in the fingerprint       seed, run, all of leman_architecture, batch size, learning rate, patience, weight decay,
 *                            clipping, loss, scaled targets, class weights, leman_paper_details, checksum of the data
 *   beside it (checkpoint.c) checksum of the parts, targets or classes or tasks, score, precision
 *
 * and does not depend on epochs, threads, memory, recompute, on_epoch. Devices may differ too if their precision is the
 * same: what they compute is equal to rounding.
 */
#ifndef LM_FINGERPRINT_H
#define LM_FINGERPRINT_H

#include "base/serialize.h"
#include "nn/network.h"

/* Writes it, or reads and compares it: LEMAN_ERROR_INPUT with the first option that differs. Epochs may differ. */
leman_status lm_fingerprint_serialize(lm_serializer *serializer, uint64_t seed, uint64_t data_checksum,
                                      const lm_training_options *options);

/* What it says of a run that is not known, for people. */
typedef struct lm_fingerprint {
    uint64_t seed, data_checksum;
    size_t run, batch_size, patience;
    double learning_rate, weight_decay, max_gradient_norm;
    bool balanced_weights, class_weights;
} lm_fingerprint;
leman_status lm_fingerprint_read(lm_serializer *serializer, lm_fingerprint *fingerprint);

/* Equal where the options of a run and its parts are the same on two ranks; what belongs to one rank alone, as its
 * device, is left out. */
uint64_t lm_training_checksum(const lm_training_options *options, const leman_parts *parts);

#endif
