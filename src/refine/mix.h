/* The end of a round, or of round 0, for a run of tuples: products of 64 bits, in the way that is quickest on this
 * processor. */
#ifndef LM_MIX_H
#define LM_MIX_H

#include "base/hash.h"
#include <stddef.h>

enum { LM_MIX_TERMS = 3 }; /* at most */

typedef struct lm_mix_terms {
    size_t count; /* from 1 */
    const uint64_t *sums[LM_MIX_TERMS];
    uint64_t multiplier[LM_MIX_TERMS];
} lm_mix_terms;

/* to[i] = lm_mix(base[i] + the sum over terms t of sums[t][i] * multiplier[t]) for i < n. to may be base. */
typedef void lm_mix_function(const lm_mix_terms *terms, const uint64_t *base, size_t n, uint64_t *to);

typedef struct lm_mix_choice {
    const char *name;
    lm_mix_function *mix;
} lm_mix_choice;

/* All ways that this processor has, the quickest first, ended by one without a name. All give the same bits. */
const lm_mix_choice *lm_mix_choices(void);

#endif
