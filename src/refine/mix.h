/*
 * The end of a round for a run of tuples: to[i] = lm_mix(base[i] + the sum over t of sums[t][i] * multiplier[t]).
 *
 * That is terms + 2 products of 64 bits a tuple. Many 64-bit Arm cores begin one in three cycles; beside them their
 * vector units make such products from 32-bit halves in about the same time, so there two of four tuples go through
 * each: 2.9 ns a tuple instead of 4.8 with two terms (Neoverse N1, 2.6 GHz). x86-64 begins one every cycle, and no
 * vector unit that all of them have can multiply 64 bits.
 */
#ifndef LM_MIX_H
#define LM_MIX_H

#include "base/hash.h"
#include <stddef.h>

typedef struct lm_mix_terms {
    const uint64_t *sums; /* that of term t, tuple i is sums[t * stride + i] */
    size_t stride;
    uint64_t multiplier[3];
} lm_mix_terms;

static inline __attribute__((always_inline)) uint64_t lm_mix_sum(const lm_mix_terms *m, size_t terms, uint64_t base,
                                                                 size_t i)
{
    for (size_t t = 0; t < terms; t++) base += m->sums[t * m->stride + i] * m->multiplier[t];
    return lm_mix(base);
}

#ifdef __aarch64__
#include <arm_neon.h>

/* sum + x * c modulo 2^64: low * low in full, and the two crosswise products shifted by 32. */
static inline __attribute__((always_inline)) uint64x2_t lm_multiply_add(uint64x2_t sum, uint64x2_t x, uint64_t c)
{
    const uint32_t low = (uint32_t)c, high = (uint32_t)(c >> 32);
    const uint32x4_t crosswise = {high, low, high, low};
    const uint64x2_t shifted = vshlq_n_u64(vpaddlq_u32(vmulq_u32(vreinterpretq_u32_u64(x), crosswise)), 32);
    return vmlal_n_u32(vaddq_u64(sum, shifted), vmovn_u64(x), low);
}

static inline __attribute__((always_inline)) uint64x2_t lm_mix_two(const lm_mix_terms *m, size_t terms, uint64x2_t x,
                                                                   size_t i)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    for (size_t t = 0; t < terms; t++) x = lm_multiply_add(x, vld1q_u64(m->sums + t * m->stride + i), m->multiplier[t]);
    x = veorq_u64(x, vshrq_n_u64(x, 32));
    x = lm_multiply_add(zero, x, LM_MIX_MULTIPLIER);
    x = veorq_u64(x, vshrq_n_u64(x, 29));
    x = lm_multiply_add(zero, x, LM_MIX_MULTIPLIER);
    return veorq_u64(x, vshrq_n_u64(x, 32));
}
#endif

/* terms: a constant, at most 3. to may be base. */
static inline __attribute__((always_inline)) void lm_mix_sums(const lm_mix_terms *m, size_t terms, const uint64_t *base,
                                                              size_t n, uint64_t *to)
{
    const lm_mix_terms own = *m; /* nothing else can see it: its numbers stay in registers */
    size_t i = 0;
#ifdef __aarch64__
    for (; i + 4 <= n; i += 4) {
        to[i + 2] = lm_mix_sum(&own, terms, base[i + 2], i + 2);
        vst1q_u64(to + i, lm_mix_two(&own, terms, vld1q_u64(base + i), i));
        to[i + 3] = lm_mix_sum(&own, terms, base[i + 3], i + 3);
    }
#endif
    for (; i < n; i++) to[i] = lm_mix_sum(&own, terms, base[i], i);
}

#endif
