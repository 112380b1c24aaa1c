/*
 * A seeded random stream: word i of the stream (seed, purpose, item) is mix(key + i * G), where the key is mixed from
 * all three. A stream is a counter: it takes two words of memory and needs no warm-up. Streams of different items are
 * independent: graph 7 does not depend on how many words graph 6 drew. All arithmetic wraps and no function of libm is
 * called, so every machine draws the same words. Not for secrets.
 */
#ifndef LM_RANDOM_H
#define LM_RANDOM_H

#include "base/hash.h"
#include <stdbool.h>

#define LM_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

typedef struct lm_random {
    uint64_t key, count;
} lm_random;

/* Returns the key of all streams of a purpose. The key of an item's stream is mix((purpose key ^ item) +
 * LM_RANDOM_STEP). */
static inline uint64_t lm_random_purpose(uint64_t seed, uint64_t purpose)
{
    return lm_mix((lm_mix(seed + LM_RANDOM_STEP) ^ purpose) + LM_RANDOM_STEP);
}

LM_EVERYWHERE static inline uint64_t lm_random_item(uint64_t purpose_key, uint64_t item)
{
    return lm_mix((purpose_key ^ item) + LM_RANDOM_STEP);
}

static inline lm_random lm_random_stream(uint64_t seed, uint64_t purpose, uint64_t item)
{
    lm_random random = {lm_random_item(lm_random_purpose(seed, purpose), item), 0};
    return random;
}

static inline uint64_t lm_random_word(lm_random *random)
{
    return lm_mix(random->key + LM_RANDOM_STEP * ++random->count);
}

/* Returns a uniform number in 0 .. bound-1. Words below 2^64 mod bound are drawn again, which avoids the bias of a
 * plain remainder. */
static inline uint64_t lm_random_below(lm_random *random, uint64_t bound)
{
    uint64_t surplus = (0 - bound) % bound, word;
    do word = lm_random_word(random);
    while (word < surplus);
    return word % bound;
}

/* Returns a uniform multiple of 2^-53 in [0, 1). */
static inline double lm_random_real(lm_random *random)
{
    return (double)(lm_random_word(random) >> 11) * 0x1p-53;
}

/* Returns true with probability 1 / in. */
static inline bool lm_random_once_in(lm_random *random, uint64_t in)
{
    return lm_random_below(random, in) == 0;
}

/* Sets order[count] to a uniform permutation of 0 .. count-1. */
static inline void lm_random_permutation(lm_random *random, uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        size_t j = lm_random_below(random, i);
        uint32_t other = order[i - 1];
        order[i - 1] = order[j];
        order[j] = other;
    }
}

#endif
