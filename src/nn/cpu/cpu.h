/*
 * The backend of the CPU. Operations are distributed over threads in pieces whose bounds depend only on the batch. Sums
 * over rows are computed for each piece and then added in the order of the pieces, so a result never depends on the
 * number of threads. BLAS is called by single threads, each on its own piece of rows.
 */
#ifndef LM_CPU_H
#define LM_CPU_H

#include "nn/backend.h"
#include <math.h>

enum {
    LM_CHUNK = 256,       /* rows that are processed at once: they stay in the second-level cache */
    LM_COLUMN_BLOCK = 64, /* columns of a piece, if the work is divided by graphs and columns */
    LM_MAX_PARTS = 32     /* parts of the rows at most, if each part adds to a matrix of its own */
};

typedef struct lm_cpu {
    lm_backend base;
    int threads;
    lm_control control;
} lm_cpu;

static inline lm_cpu *lm_cpu_of(lm_backend *backend)
{
    return (lm_cpu *)backend;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

static inline size_t lm_row_chunks(size_t rows)
{
    return (rows + LM_CHUNK - 1) / LM_CHUNK;
}
static inline size_t lm_chunk_end(size_t chunk, size_t rows)
{
    return (chunk + 1) * LM_CHUNK < rows ? (chunk + 1) * LM_CHUNK : rows;
}
static inline size_t lm_width_blocks(size_t width)
{
    return (width + LM_COLUMN_BLOCK - 1) / LM_COLUMN_BLOCK;
}
static inline size_t lm_block_width(size_t block, size_t width)
{
    size_t left = width - block * LM_COLUMN_BLOCK;
    return left < LM_COLUMN_BLOCK ? left : LM_COLUMN_BLOCK;
}
static inline lm_real *lm_row(const lm_tensor *t, size_t row)
{
    return t->data + row * t->stride;
}
/* Returns the first row of graph g in the space of a value. */
static inline size_t lm_graph_row(const lm_frame *f, uint32_t value, size_t g)
{
    return f->batch->start[lm_program_value(f->program, value)->space][g];
}

/* Returns the number of arc i of lm_arcs. */
static inline uint32_t lm_arc(const lm_arcs *arcs, uint32_t i)
{
    return arcs->arc ? arcs->arc[i] : i;
}

/* sums[width] += the rows of parts[count][width], in their order. */
void lm_cpu_add_parts(lm_cpu *cpu, const lm_real *parts, size_t count, size_t width, lm_real *sums);

/* ---- Matrix products ------------------------------------------------------------------------- */

typedef struct lm_matrix {
    const lm_real *data;
    size_t stride;
    bool transposed; /* the transpose of data is meant */
} lm_matrix;

/* C[m][n] = A[m][k] B[k][n], or C += A B if add. Runs in the calling thread. */
void lm_cpu_product(size_t m, size_t n, size_t k, lm_matrix a, lm_matrix b, bool add, lm_real *c, size_t c_stride);

/* ---- Wide vectors ---------------------------------------------------------------------------- */

/*
 * LM_WIDE(name, (parameters), (their names)) { body } defines a static function twice: for every processor and, on x86-64,
 * for those with AVX2, whose vectors have 32 bytes instead of 16. Which of both runs is decided at each call, so a call
 * should have some hundred numbers. Functions that the body calls are compiled with it if they are LM_INLINE. Without
 * fused operations, both give the same bits, except sums of lm_dot().
 */
#define LM_INLINE static inline __attribute__((always_inline))
#if defined __x86_64__ && !defined _WIN32 /* whose stack is not aligned for vectors of 32 bytes */
#define LM_WIDE(name, parameters, names)                                                                               \
    LM_INLINE void name##_body parameters;                                                                             \
    __attribute__((target("avx2"))) static void name##_avx2 parameters                                                 \
    {                                                                                                                  \
        name##_body names;                                                                                             \
    }                                                                                                                  \
    static void name##_plain parameters                                                                                \
    {                                                                                                                  \
        name##_body names;                                                                                             \
    }                                                                                                                  \
    static void name parameters                                                                                        \
    {                                                                                                                  \
        if (__builtin_cpu_supports("avx2"))                                                                            \
            name##_avx2 names;                                                                                         \
        else                                                                                                           \
            name##_plain names;                                                                                        \
    }                                                                                                                  \
    LM_INLINE void name##_body parameters
#else
#define LM_WIDE(name, parameters, names) static void name parameters
#endif

/* ---- Rows ------------------------------------------------------------------------------------ */

/* y = f(y + bias); bias may be NULL. */
void lm_cpu_activate(lm_real *y, const lm_real *bias, size_t width, lm_activation f);
/* g *= f'(x) with y = f(x). */
void lm_cpu_gradient(lm_real *g, const lm_real *y, size_t width, lm_activation f);
/* y = x, or y += x if add. */
void lm_cpu_put(lm_real *y, const lm_real *x, size_t width, bool add);
/* Returns the sum of x y, added up in several parts at once. */
LM_INLINE lm_real lm_dot(const lm_real *restrict x, const lm_real *restrict y, size_t width)
{
    lm_real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < width; i++) sum += x[i] * y[i];
    return sum;
}
/* y += factor * x. */
LM_INLINE void lm_add_scaled(lm_real *restrict y, const lm_real *restrict x, size_t width, lm_real factor)
{
    for (size_t i = 0; i < width; i++) y[i] += factor * x[i];
}

static inline lm_real lm_sigmoid(lm_real x)
{
    return 1 / (1 + LM_REAL_FUNCTION(exp)(-x));
}

/* ---- Operations ------------------------------------------------------------------------------ */

#define LM_CPU_OPERATION(NAME, name, inputs, outputs, bias, rules, cpu, cuda)                                          \
    lm_operation_run lm_cpu_##name##_forward, lm_cpu_##name##_backward;                                                \
    lm_operation_workspace lm_cpu_##name##_workspace;
LM_OPERATION_LIST(LM_CPU_OPERATION)
#undef LM_CPU_OPERATION
/* Defines the workspace function of an operation that needs so many numbers, an expression of the frame f. */
#define LM_CPU_WORKSPACE(name, numbers)                                                                                \
    size_t lm_cpu_##name##_workspace(const lm_backend *backend, const lm_frame *f)                                     \
    {                                                                                                                  \
        (void)backend;                                                                                                 \
        return (numbers) * sizeof(lm_real);                                                                            \
    }

void lm_cpu_adam(lm_backend *backend, const lm_adam *rule, const lm_totals *totals, size_t count, lm_real *value,
                 const lm_real *gradient, lm_real *first, lm_real *second);
void lm_cpu_add_loss(lm_backend *backend, const lm_real *loss, lm_totals *totals);

#endif
