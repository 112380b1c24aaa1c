/* The allocator hooks, and the one place where sizes are added and multiplied. */
#ifndef LM_MEMORY_H
#define LM_MEMORY_H

#include "leman.h"

typedef struct lm_allocator {
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *pointer, size_t size);
    void (*release)(void *user, void *pointer);
    void *user;
} lm_allocator;

/* *out = a * b, a + b; false (and *out untouched) where that does not fit. */
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

/* Asks the system for large pages under an array of many megabytes: far fewer page faults. A hint, and a no-op where
 * there are none. */
void lm_prefer_large_pages(void *pointer, size_t size);
/* Freed memory that the C library keeps for later goes back to the system: between a step that used much and one that
 * will use much of another kind. A no-op where the C library has no such call. The pages may have been freed by the
 * host program, which only sees that it uses less memory. */
void lm_trim_memory(void);

/* n^k, and UINT64_MAX for anything larger. */
static inline uint64_t lm_power(uint64_t n, unsigned k)
{
    uint64_t power = 1;
    for (unsigned i = 0; i < k; i++)
        if (__builtin_mul_overflow(power, n, &power)) return UINT64_MAX;
    return power;
}

/* Sums and products that stop at UINT64_MAX: for costs that are only compared and shown. */
static inline uint64_t lm_saturating_add(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

static inline uint64_t lm_saturating_multiply(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* A copy of a text with a zero behind it; lm_free() it. */
leman_status lm_copy_text(leman_context *ctx, const char *text, size_t length, char **out);

/* A growing array of elements of one size. Zero-initialise; lm_vector_free() at the end. */
typedef struct lm_vector {
    void *items;
    size_t count, capacity;
} lm_vector;

/* Space for `more` further elements: LEMAN_ERROR_MEMORY with the sentence set, and the array unharmed. */
leman_status lm_vector_reserve(leman_context *ctx, lm_vector *vector, size_t more, size_t size);
leman_status lm_vector_append(leman_context *ctx, lm_vector *vector, const void *items, size_t count, size_t size);
void lm_vector_free(leman_context *ctx, lm_vector *vector);

#endif
