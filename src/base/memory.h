/* The allocator hooks, overflow-checked arithmetic of sizes, and growing arrays. */
#ifndef LM_MEMORY_H
#define LM_MEMORY_H

#include "leman.h"

typedef struct lm_allocator {
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *pointer, size_t size);
    void (*release)(void *user, void *pointer);
    void *user;
} lm_allocator;

/* Set *out to a * b and to a + b. Return false, and leave *out untouched, if the result overflows. */
static inline bool lm_multiply(size_t a, size_t b, size_t *out)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product)) return false;
    *out = product;
    return true;
}

static inline bool lm_add(size_t a, size_t b, size_t *out)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum)) return false;
    *out = sum;
    return true;
}

/* Asks the system for large pages under an array of many megabytes, which saves page faults. This is a hint, and does
 * nothing on systems without large pages. */
void lm_prefer_large_pages(void *pointer, size_t size);
/* Gives freed memory that the C library keeps back to the system. For use between two steps that need much memory of
 * different kinds. Does nothing if the C library has no such call. The pages may have been freed by the host program,
 * which only notices that it uses less memory. */
void lm_trim_memory(void);

/* Returns n^k, or UINT64_MAX if the result overflows. */
static inline uint64_t lm_power(uint64_t n, unsigned k)
{
    uint64_t power = 1;
    for (unsigned i = 0; i < k; i++)
        if (__builtin_mul_overflow(power, n, &power)) return UINT64_MAX;
    return power;
}

/* Sum and product that saturate at UINT64_MAX, for costs that are only compared and shown. */
static inline uint64_t lm_saturating_add(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

static inline uint64_t lm_saturating_multiply(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Allocates a copy of text[length] with a terminating zero; the caller frees it with lm_release(). */
leman_status lm_copy_text(leman_context *ctx, const char *text, size_t length, char **out);

/* A growing array of elements of one size. Zero-initialise; lm_vector_release() at the end. */
typedef struct lm_vector {
    void *items;
    size_t count, capacity;
} lm_vector;

/* Makes sure that `more` further elements fit. Fails with LEMAN_ERROR_MEMORY or LEMAN_ERROR_BUDGET and a sentence, and
 * then leaves the array unchanged. */
leman_status lm_vector_reserve(leman_context *ctx, lm_vector *vector, size_t more, size_t size);
leman_status lm_vector_append(leman_context *ctx, lm_vector *vector, const void *items, size_t count, size_t size);
void lm_vector_release(lm_vector *vector);

#endif
