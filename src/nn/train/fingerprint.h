/* The fingerprint of a run: the options that must be the same for another to resume from its file. */
#ifndef LM_FINGERPRINT_H
#define LM_FINGERPRINT_H

#include "base/serialize.h"
#include "nn/network.h"

/* Writes it, or reads and compares it: LEMAN_ERROR_INPUT with the first option that differs. Epochs may differ. */
leman_status lm_fingerprint_serialize(lm_serializer *serializer, uint64_t seed, uint64_t data_checksum,
                                      const lm_training_options *options);

#endif
