/* What must be the same for a run to go on from a file. */
#ifndef LM_FINGERPRINT_H
#define LM_FINGERPRINT_H

#include "base/serialize.h"

/* Writes them, or reads and compares them: LEMAN_ERROR_INPUT with the first that differs. Epochs may differ. */
leman_status lm_fingerprint_serialize(lm_serializer *serializer, uint64_t seed, uint64_t data_checksum,
                                      const leman_training *training);

#endif
