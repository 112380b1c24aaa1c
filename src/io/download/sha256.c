/*
 * SHA-256 as defined in FIPS 180-4 (section 6.2). A block of 16 words w is expanded to 64,
 *
 *   w[t] = s1(w[t-2]) + w[t-7] + s0(w[t-15]) + w[t-16],
 *
 * and each of 64 rounds mixes w[t] + K[t] into eight words of state. The last block holds a one bit, zeros, and the
 * length in bits.
 */
#include "io/download/digest.h"
#include <string.h>

/* Fractional bits of the cube roots of the first 64 primes. */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotate(uint32_t x, unsigned bits)
{
    return x >> bits | x << (32 - bits);
}

static void expand(const unsigned char *block, uint32_t w[64])
{
    for (size_t t = 0; t < 16; t++, block += 4)
        w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (size_t t = 16; t < 64; t++) {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

static void mix_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64];
    expand(block, w);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (size_t t = 0; t < 64; t++) {
        uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
        uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + K[t] + w[t];
        uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
        h = g, g = f, f = e, e = d + first;
        d = c, c = b, b = a, a = first + second;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

lm_sha256 lm_sha256_begin(void)
{
    /* Fractional bits of the square roots of the first eight primes. */
    return (lm_sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void lm_sha256_add(lm_sha256 *sum, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    size_t waiting = sum->length % LM_SHA256_BLOCK;
    sum->length += size;
    if (waiting) {
        size_t part = LM_SHA256_BLOCK - waiting < size ? LM_SHA256_BLOCK - waiting : size;
        memcpy(sum->block + waiting, from, part);
        from += part;
        size -= part;
        if (waiting + part < LM_SHA256_BLOCK) return;
        mix_block(sum->state, sum->block);
    }
    for (; size >= LM_SHA256_BLOCK; from += LM_SHA256_BLOCK, size -= LM_SHA256_BLOCK) mix_block(sum->state, from);
    if (size) memcpy(sum->block, from, size);
}

void lm_sha256_end(lm_sha256 *sum, unsigned char digest[LM_SHA256_BYTES])
{
    static const unsigned char padding[LM_SHA256_BLOCK] = {0x80};
    unsigned char bits[8];
    uint64_t length = sum->length * 8;
    for (unsigned i = 0; i < 8; i++) bits[i] = (unsigned char)(length >> (56 - 8 * i));
    size_t waiting = sum->length % LM_SHA256_BLOCK;
    lm_sha256_add(sum, padding, waiting < 56 ? 56 - waiting : 120 - waiting);
    lm_sha256_add(sum, bits, sizeof bits);
    for (unsigned i = 0; i < LM_SHA256_BYTES; i++) digest[i] = (unsigned char)(sum->state[i / 4] >> (24 - 8 * (i % 4)));
}
