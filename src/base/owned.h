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

/* Sets pointer to a zeroed struct of the context's allocator; on failure sets st and goes to done. */
#define OWNED(ctx, pointer)                                                                                            \
    do {                                                                                                               \
        NEW(ctx, pointer, 1);                                                                                          \
        memset((pointer), 0, sizeof *(pointer));                                                                       \
    } while (0)

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
