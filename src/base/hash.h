/*
 * The 64-bit hash that every colour is computed with, and its multiset sum. The hash is part of the published format: a
 * change of any constant is a new version of the colours (docs/color_definition.md), and tests/base/test_hash.c checks
 * golden values.
 *
 *   mix(x):  x ^= x >> 32;  x *= M;  x ^= x >> 29;  x *= M;  x ^= x >> 32           M = 0xd6e8feb86659fd93
 *
 * mix is a bijection of 64-bit words in which every input bit affects every output bit. All arithmetic wraps, so the
 * result is the same on every machine. A multiset is represented by the wrapping sum of the mix of its members: the sum
 * does not depend on their order, and two different multisets collide with probability about 2^-64.
 */
#ifndef LM_HASH_H
#define LM_HASH_H

#include <stddef.h>
#include <stdint.h>

#define LM_MIX_MULTIPLIER UINT64_C(0xd6e8feb86659fd93)

/* Marks functions that are also called by CUDA kernels. */
#ifdef __CUDACC__
#define LM_EVERYWHERE __host__ __device__
#else
#define LM_EVERYWHERE
#endif

LM_EVERYWHERE static inline uint64_t lm_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= LM_MIX_MULTIPLIER;
    x ^= x >> 29;
    x *= LM_MIX_MULTIPLIER;
    x ^= x >> 32;
    return x;
}

LM_EVERYWHERE static inline uint64_t lm_multiset_add(uint64_t sum, uint64_t member)
{
    return sum + lm_mix(member);
}

/* Returns the i-th odd multiplier of a linear form. Neighbouring positions get unrelated multipliers. */
LM_EVERYWHERE static inline uint64_t lm_multiplier(uint64_t i)
{
    return lm_mix(i * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x2545f4914f6cdd1d)) | 1;
}

/* Returns a checksum of bytes for the library's own files: equal on every machine, several GB/s, not cryptographic. */
uint64_t lm_checksum(const void *bytes, size_t length, uint64_t seed);

/*
 * Keyed hashes for tables whose entries come from files. The key is secret, so that nobody can choose texts or labels
 * that fall into one slot; no result may depend on the key. lm_siphash() is SipHash-c-d; lm_keyed_hash() is
 * SipHash-1-3. O(length).
 */
uint64_t lm_siphash(const uint64_t key[2], const void *bytes, size_t length, int c, int d);
uint64_t lm_keyed_hash(const uint64_t key[2], const void *bytes, size_t length);
/* Sets `key` to a new key from the random numbers of the system. */
void lm_hash_key(uint64_t key[2]);

/* The checksum of bytes that come in pieces: lm_checksum_begin(), lm_checksum_add() for each piece,
 * lm_checksum_end(). */
enum { LM_CHECKSUM_LANES = 8 };
typedef struct lm_checksum_state {
    uint64_t lane[LM_CHECKSUM_LANES], length;
    unsigned char tail[LM_CHECKSUM_LANES * 8]; /* the last length % 64 bytes */
} lm_checksum_state;
void lm_checksum_begin(lm_checksum_state *state, uint64_t seed);
void lm_checksum_add(lm_checksum_state *state, const void *bytes, size_t length);
uint64_t lm_checksum_end(lm_checksum_state *state);

#endif
