/*
 * Tuples of a round are terms + 2 products of 64 bits each.
 *
 *   plain       the multiplier of the processor, one product in each cycle or more on most of them
 *   halves      64-bit Arm cores up to the Neoverse N1 begin one product in three cycles; their vector units make two
 *               from 32-bit halves in about the same time, so two of four tuples go through each: 2.9 ns a tuple
 *               instead of 4.8 with two terms (Neoverse N1). On a Neoverse V1 plain takes 1.3 and this 2.3.
 *   avx2        four tuples by products of 32-bit halves, as the compiler makes them of the plain loop: 1.4 ns instead
 *               of 2.9 with two terms (Xeon, Emerald Rapids)
 *   avx512      eight tuples by products of 64 bits, likewise: 0.6
 *
 * Which one is decided by what the processor says of itself, not by a measurement.
 */
#include "refine/mix.h"
#include <stdbool.h>

/* terms: a constant. Tuples are independent, whether to is base or not. */
static inline __attribute__((always_inline)) void mix_each(const lm_mix_terms *m, size_t terms, const uint64_t *base,
                                                           size_t first, size_t n, uint64_t *to)
{
    const lm_mix_terms own = *m; /* nothing else can see it: its numbers stay in registers */
#pragma omp simd
    for (size_t i = first; i < n; i++) {
        uint64_t x = base[i];
        for (size_t t = 0; t < terms; t++) x += own.sums[t][i] * own.multiplier[t];
        to[i] = lm_mix(x);
    }
}

/* A function of lm_mix_choice that runs a loop with a constant number of terms. */
#define BY_TERMS(loop)                                                                                                 \
    switch (m->count) {                                                                                                \
    case 1: loop(m, 1, base, 0, n, to); break;                                                                         \
    case 2: loop(m, 2, base, 0, n, to); break;                                                                         \
    default: loop(m, 3, base, 0, n, to); break;                                                                        \
    }

static void mix_plain(const lm_mix_terms *m, const uint64_t *base, size_t n, uint64_t *to)
{
    BY_TERMS(mix_each)
}

#ifdef __aarch64__
#include <arm_neon.h>

/* sum + x * c modulo 2^64: low * low in full, and the two crosswise products shifted by 32. */
static inline __attribute__((always_inline)) uint64x2_t multiply_add(uint64x2_t sum, uint64x2_t x, uint64_t c)
{
    const uint32_t low = (uint32_t)c, high = (uint32_t)(c >> 32);
    const uint32x4_t crosswise = {high, low, high, low};
    const uint64x2_t shifted = vshlq_n_u64(vpaddlq_u32(vmulq_u32(vreinterpretq_u32_u64(x), crosswise)), 32);
    return vmlal_n_u32(vaddq_u64(sum, shifted), vmovn_u64(x), low);
}

static inline __attribute__((always_inline)) uint64x2_t mix_two(const lm_mix_terms *m, size_t terms, uint64x2_t x,
                                                                size_t i)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    for (size_t t = 0; t < terms; t++) x = multiply_add(x, vld1q_u64(m->sums[t] + i), m->multiplier[t]);
    x = veorq_u64(x, vshrq_n_u64(x, 32));
    x = multiply_add(zero, x, LM_MIX_MULTIPLIER);
    x = veorq_u64(x, vshrq_n_u64(x, 29));
    x = multiply_add(zero, x, LM_MIX_MULTIPLIER);
    return veorq_u64(x, vshrq_n_u64(x, 32));
}

static inline __attribute__((always_inline)) uint64_t mix_one(const lm_mix_terms *m, size_t terms, uint64_t x, size_t i)
{
    for (size_t t = 0; t < terms; t++) x += m->sums[t][i] * m->multiplier[t];
    return lm_mix(x);
}

static inline __attribute__((always_inline)) void mix_fours(const lm_mix_terms *m, size_t terms, const uint64_t *base,
                                                            size_t first, size_t n, uint64_t *to)
{
    const lm_mix_terms own = *m;
    size_t i = first;
    for (; i + 4 <= n; i += 4) {
        to[i + 2] = mix_one(&own, terms, base[i + 2], i + 2);
        vst1q_u64(to + i, mix_two(&own, terms, vld1q_u64(base + i), i));
        to[i + 3] = mix_one(&own, terms, base[i + 3], i + 3);
    }
    mix_each(&own, terms, base, i, n, to);
}

static void mix_halves(const lm_mix_terms *m, const uint64_t *base, size_t n, uint64_t *to)
{
    BY_TERMS(mix_fours)
}
#endif

/* ---- What this processor has ----------------------------------------------------------------- */

#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>

#ifndef HWCAP_USCAT /* headers of Linux before 4.17 */
#define HWCAP_USCAT (1UL << 25)
#endif

/* Is it a core from before Armv8.4, such as the Cortex-A72 or the Neoverse N1? Those since have unaligned atomics. */
static bool multiplies_slowly(void)
{
    return !(getauxval(AT_HWCAP) & HWCAP_USCAT);
}
#elif defined(__aarch64__)
static bool multiplies_slowly(void)
{
    return false;
}
#endif

#ifdef __aarch64__
const lm_mix_choice *lm_mix_choices(void)
{
    static const lm_mix_choice slow[] = {{"halves", mix_halves}, {"plain", mix_plain}, {0}},
                               quick[] = {{"plain", mix_plain}, {"halves", mix_halves}, {0}};
    return multiplies_slowly() ? slow : quick;
}
#elif defined(__x86_64__)
__attribute__((target("avx2"))) static void mix_avx2(const lm_mix_terms *m, const uint64_t *base, size_t n,
                                                     uint64_t *to)
{
    BY_TERMS(mix_each)
}

__attribute__((target("avx512dq,avx512vl"))) static void mix_avx512(const lm_mix_terms *m, const uint64_t *base,
                                                                    size_t n, uint64_t *to)
{
    BY_TERMS(mix_each)
}

const lm_mix_choice *lm_mix_choices(void)
{
    static const lm_mix_choice all[] = {{"avx512", mix_avx512}, {"avx2", mix_avx2}, {"plain", mix_plain}, {0}};
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return all;
    return __builtin_cpu_supports("avx2") ? all + 1 : all + 2;
}
#else
const lm_mix_choice *lm_mix_choices(void)
{
    static const lm_mix_choice all[] = {{"plain", mix_plain}, {0}};
    return all;
}
#endif
