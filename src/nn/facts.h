/* What must be the same for a run to go on from a file. */
#ifndef LM_FACTS_H
#define LM_FACTS_H

#include "base/pack.h"

/* Writes them, or reads and compares them: LEMAN_ERROR_INPUT with the first that differs. Epochs may differ. */
leman_status lm_facts_pack(lm_pack *pack, uint64_t seed, uint64_t data_checksum, const leman_training *training);

#endif
