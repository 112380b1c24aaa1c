/*
 * The checksum of the library's binary files: eight little-endian words per step in independent lanes, then the tail,
 * then mix. SipHash (Aumasson and Bernstein, SipHash: a fast short-input PRF, 2012) for tables whose entries come from
 * files.
 */
#include "base/hash.h"
#include "base/system/system.h"
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* Processes whole steps of 64 bytes. Returns the first byte behind them. */
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

/* ---- SipHash --------------------------------------------------------------------------------- */

static inline uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void sip_rounds(uint64_t v[4], int rounds)
{
    for (int i = 0; i < rounds; i++) {
        v[0] += v[1], v[2] += v[3];
        v[1] = rotate(v[1], 13) ^ v[0], v[3] = rotate(v[3], 16) ^ v[2];
        v[0] = rotate(v[0], 32);
        v[2] += v[1], v[0] += v[3];
        v[1] = rotate(v[1], 17) ^ v[2], v[3] = rotate(v[3], 21) ^ v[0];
        v[2] = rotate(v[2], 32);
    }
}

static inline uint64_t sip(const uint64_t key[2], const void *bytes, size_t length, int c, int d)
{
    uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                     key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
    unsigned char tail[8] = {0};
    const unsigned char *p = bytes;
    const size_t words = length / 8;
    for (size_t i = 0; i <= words; i++, p += 8) {
        if (i == words) { /* the remaining bytes, with the length in the last byte */
            if (length % 8) memcpy(tail, p, length % 8);
            tail[7] = (unsigned char)length;
        }
        const uint64_t word = load_word(i < words ? p : tail);
        v[3] ^= word;
        sip_rounds(v, c);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    sip_rounds(v, d);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint64_t lm_siphash(const uint64_t key[2], const void *bytes, size_t length, int c, int d)
{
    return sip(key, bytes, length, c, d);
}

uint64_t lm_keyed_hash(const uint64_t key[2], const void *bytes, size_t length)
{
    return sip(key, bytes, length, 1, 3);
}

void lm_hash_key(uint64_t key[2])
{
    const size_t size = 2 * sizeof *key;
    if (lm_system_random(key, size)) return;
    struct timespec now = {0}; /* a system that has just started: address and time are unknown to others */
    clock_gettime(CLOCK_REALTIME, &now);
    key[0] = lm_mix((uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32);
    key[1] = lm_mix((uint64_t)now.tv_sec ^ (uint64_t)(uintptr_t)&now);
}
