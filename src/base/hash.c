/* The checksum of our binary files: eight little-endian words a step in independent lanes, then the tail, then mix. */
#include "base/hash.h"
#include <string.h>

enum { LANES = 8 };

static uint64_t load_word(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

uint64_t lm_checksum(const void *bytes, size_t length, uint64_t seed)
{
    const unsigned char *p = bytes;
    uint64_t lane[LANES];
    for (int i = 0; i < LANES; i++) lane[i] = lm_mix(seed + (uint64_t)i);
    size_t left = length;
    for (; left >= LANES * 8; left -= LANES * 8, p += LANES * 8)
        for (int i = 0; i < LANES; i++) {
            uint64_t x = lane[i] ^ load_word(p + 8 * i);
            x *= LM_MIX_MULTIPLIER;
            lane[i] = x ^ x >> 29;
        }
    unsigned char tail[LANES * 8] = {0};
    if (left) memcpy(tail, p, left);
    uint64_t sum = lm_mix(length);
    for (int i = 0; i < LANES; i++) sum = lm_mix(sum ^ lm_mix(lane[i] ^ lm_mix(load_word(tail + 8 * i))));
    return sum;
}
