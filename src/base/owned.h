/*
 * Structs with readable members that the library makes: leman_census, leman_features, ...
 *
 * Such a struct lies behind a hidden header that keeps the allocator of the context it was made with, so that
 * leman_X_free(x) needs no context. Its arrays come from that context too: NEW(), lm_vector, whatever lm_free() frees.
 *
 *   leman_census *census = NULL;
 *   OWNED(ctx, census);                     // zeroed; or st is set and it goes to done
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

/* A zeroed struct of `size` bytes behind its header; NULL with the sentence set when memory is short. */
void *lm_owned_new(leman_context *ctx, size_t size);
/* Frees an array that belongs to the object; NULL is fine. */
void lm_owned_release(const void *object, void *array);
/* Frees the object itself; NULL is fine. */
void lm_owned_free(void *object);

#endif
