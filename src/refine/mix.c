/*
 * A tuple of a round takes terms + 2 products of 64 bits. With AVX-512 the processor computes eight tuples at once;
 * docs/scaling.md has the times.
 */
#include "refine/mix.h"

/* terms is a compile-time constant. The loop is correct whether `to` is `base` or not, since tuples are independent. */
static inline __attribute__((always_inline)) void mix_each(const lm_mix_terms *m, size_t terms, const uint64_t *base,
                                                           size_t n, uint64_t *to)
{
    const lm_mix_terms own = *m; /* a local copy that nothing aliases: its numbers stay in registers */
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        uint64_t x = base[i];
        for (size_t t = 0; t < terms; t++) x += own.sums[t][i] * own.multiplier[t];
        to[i] = lm_mix(x);
    }
}

static inline __attribute__((always_inline)) void mix(const lm_mix_terms *m, const uint64_t *base, size_t n,
                                                      uint64_t *to)
{
    switch (m->count) {
    case 1: mix_each(m, 1, base, n, to); break;
    case 2: mix_each(m, 2, base, n, to); break;
    default: mix_each(m, 3, base, n, to); break;
    }
}

#ifdef __x86_64__
__attribute__((target("avx512dq,avx512vl"))) static void mix_avx512(const lm_mix_terms *m, const uint64_t *base,
                                                                    size_t n, uint64_t *to)
{
    mix(m, base, n, to);
}
#endif

void lm_mix_sums(const lm_mix_terms *m, const uint64_t *base, size_t n, uint64_t *to)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        mix_avx512(m, base, n, to);
        return;
    }
#endif
    mix(m, base, n, to);
}
