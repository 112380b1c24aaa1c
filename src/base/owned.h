/*
 * Structs with readable members that the library allocates: leman_census, leman_features, ...
 *
 * Such a struct lies behind a hidden header that holds the allocator of its context, so that leman_X_free(x) needs no
 * context. The arrays of the struct come from the same allocator: NEW(), lm_vector, everything that lm_free() frees.
 *
 *   leman_census *census = NULL;
 *   OWNED(ctx, census);                     // zeroed; on failure sets st and goes to done
 *   NEW(ctx, census->round, rounds);
 *   ...
 *   done:
 *       if (st) leman_census_free(census);
 *       else *out = census;
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

#define OWNED(ctx, pointer)                                                                                            \
    do {                                                                                                               \
        if (!((pointer) = lm_owned_new((ctx), sizeof *(pointer)))) {                                                   \
            st = lm_refusal(ctx);                                                                                      \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/* Allocates a zeroed struct of `size` bytes behind its header. Returns NULL and sets the sentence if memory is
 * short. */
void *lm_owned_new(leman_context *ctx, size_t size);
/* Frees an array of the object. The array may be NULL. */
void lm_owned_release(const void *object, void *array);
/* Frees the object itself, which may be NULL. */
void lm_owned_free(void *object);

#endif
