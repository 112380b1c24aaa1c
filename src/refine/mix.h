/* The last step of a round, or of round 0, for consecutive tuples: 64-bit products, sums and lm_mix(). */
#ifndef LM_MIX_H
#define LM_MIX_H

#include "base/hash.h"
#include <stddef.h>

enum { LM_MIX_TERMS = 3 }; /* at most */

typedef struct lm_mix_terms {
    size_t count; /* at least 1 */
    const uint64_t *sums[LM_MIX_TERMS];
    uint64_t multiplier[LM_MIX_TERMS];
} lm_mix_terms;

/* to[i] = lm_mix(base[i] + the sum over terms t of sums[t][i] * multiplier[t]) for i < n. to may be base. */
void lm_mix_sums(const lm_mix_terms *terms, const uint64_t *base, size_t n, uint64_t *to);

#endif
