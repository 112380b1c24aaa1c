/*
 * Structs with readable members that the library allocates: leman_census, leman_features, ... A block of memory knows
 * its meter, so that leman_X_free(x) needs no context:
 *
 *   void leman_census_free(leman_census *census)
 *   {
 *       if (!census) return;
 *       lm_owned_release(census, census->round);
 *       lm_owned_free(census);
 *   }
 */
#ifndef LM_OWNED_H
#define LM_OWNED_H

#include "base/context.h"
#include <string.h>

/* Like NEW() and PASS_NEW(): set pointer to a zeroed struct of the context's allocator. */
#define OWNED(ctx, pointer) TRY(LM_SET(ctx, pointer, lm_owned_new, 1))
#define PASS_OWNED(ctx, pointer) PASS(LM_SET(ctx, pointer, lm_owned_new, 1))
static inline void *lm_owned_new(leman_context *ctx, size_t count, size_t size)
{
    void *object = lm_alloc(ctx, count, size);
    return object ? memset(object, 0, count * size) : NULL;
}

/* Frees an array of the object. The array may be NULL. */
static inline void lm_owned_release(const void *object, void *array)
{
    (void)object;
    lm_release(array);
}

/* Frees the object itself, which may be NULL. */
static inline void lm_owned_free(void *object)
{
    lm_release(object);
}

#endif
