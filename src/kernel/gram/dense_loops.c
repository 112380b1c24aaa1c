/* The loop of dense_loops.h, in vectors as wide as the processor's. */
#include "kernel/gram/dense_loops.h"

#ifdef __AVX2__
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
enum { ROWS = LM_DENSE_ROWS, VECTORS = LM_TABLE_BLOCK / LANES };

typedef float vector __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t mask __attribute__((vector_size(LANES * sizeof(int32_t))));

static inline vector load(const float *from)
{
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline __attribute__((always_inline)) void sum_run(const float *left, const float *right, size_t columns,
                                                          const bool minima, uint64_t multiplicity,
                                                          uint64_t into[ROWS][LM_TABLE_BLOCK])
{
    float tile[ROWS][LM_TABLE_BLOCK];
    vector sum[ROWS][VECTORS], block[VECTORS];
    memset(sum, 0, sizeof sum);
    for (size_t f = 0; f < columns; f++, left += LM_TABLE_BLOCK, right += LM_TABLE_BLOCK) {
#pragma GCC unroll 4
        for (size_t b = 0; b < VECTORS; b++) block[b] = load(right + b * LANES);
#pragma GCC unroll 4
        for (size_t a = 0; a < ROWS; a++) {
            vector same = left[a] - (vector){0};
#pragma GCC unroll 4
            for (size_t b = 0; b < VECTORS; b++) {
                mask less = same < block[b];
                sum[a][b] += minima ? (vector)(((mask)same & less) | ((mask)block[b] & ~less)) : left[a] * block[b];
            }
        }
    }
    memcpy(tile, sum, sizeof sum);
    for (size_t a = 0; a < ROWS; a++)
        for (size_t b = 0; b < LM_TABLE_BLOCK; b++)
            into[a][b] += multiplicity * (uint64_t)(uint32_t)(int32_t)tile[a][b];
}

#ifndef LM_DENSE_RUN
#define LM_DENSE_RUN lm_dense_run_plain

lm_dense_run *lm_dense_run_best(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return lm_dense_run_avx2;
#endif
    return lm_dense_run_plain;
}
#endif

void LM_DENSE_RUN(const float *left, const float *right, size_t columns, bool minima, uint64_t multiplicity,
                  uint64_t sum[ROWS][LM_TABLE_BLOCK])
{
    if (minima)
        sum_run(left, right, columns, true, multiplicity, sum);
    else
        sum_run(left, right, columns, false, multiplicity, sum);
}
