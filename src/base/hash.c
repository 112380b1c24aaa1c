/* The checksum of our binary files: eight little-endian words a step in independent lanes, then the tail, then mix. */
#include "base/hash.h"
#include <string.h>

enum { LANES = LM_CHECKSUM_LANES, STEP = LANES * 8 };

static uint64_t load_word(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Whole steps; returns what is left of them. */
static const unsigned char *mix_steps(lm_checksum_state *state, const unsigned char *p, size_t steps)
{
    uint64_t lane[LANES];
    memcpy(lane, state->lane, sizeof lane);
    for (; steps; steps--, p += STEP)
        for (int i = 0; i < LANES; i++) {
            uint64_t x = lane[i] ^ load_word(p + 8 * i);
            x *= LM_MIX_MULTIPLIER;
            lane[i] = x ^ x >> 29;
        }
    memcpy(state->lane, lane, sizeof lane);
    return p;
}

void lm_checksum_begin(lm_checksum_state *state, uint64_t seed)
{
    *state = (lm_checksum_state){.length = 0};
    for (int i = 0; i < LANES; i++) state->lane[i] = lm_mix(seed + (uint64_t)i);
}

void lm_checksum_add(lm_checksum_state *state, const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    size_t waiting = state->length % STEP, fill = STEP - waiting < length ? STEP - waiting : length;
    state->length += length;
    if (waiting) {
        memcpy(state->tail + waiting, p, fill);
        if (waiting + fill < STEP) return;
        mix_steps(state, state->tail, 1);
        p += fill;
        length -= fill;
    }
    p = mix_steps(state, p, length / STEP);
    if (length % STEP) memcpy(state->tail, p, length % STEP);
}

uint64_t lm_checksum_end(lm_checksum_state *state)
{
    size_t waiting = state->length % STEP;
    memset(state->tail + waiting, 0, STEP - waiting);
    uint64_t sum = lm_mix(state->length);
    for (int i = 0; i < LANES; i++) sum = lm_mix(sum ^ lm_mix(state->lane[i] ^ lm_mix(load_word(state->tail + 8 * i))));
    return sum;
}

uint64_t lm_checksum(const void *bytes, size_t length, uint64_t seed)
{
    lm_checksum_state state;
    lm_checksum_begin(&state, seed);
    lm_checksum_add(&state, bytes, length);
    return lm_checksum_end(&state);
}
