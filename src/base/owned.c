/* Structs with a hidden header that holds their allocator; owned.h has the contracts. */
#include "base/owned.h"
#include <stdalign.h>
#include <string.h>

typedef struct header {
    alignas(max_align_t) lm_allocator allocator;
} header; /* its size is a multiple of its alignment, so that the struct behind it is aligned for any type */

static header *header_of(const void *object)
{
    return (header *)object - 1;
}

void *lm_owned_new(leman_context *ctx, size_t size)
{
    header *h = lm_alloc(ctx, 1, sizeof *h + size);
    if (!h) return NULL;
    h->allocator = ctx->allocator;
    return memset(h + 1, 0, size);
}

void lm_owned_release(const void *object, void *array)
{
    const lm_allocator *allocator = &header_of(object)->allocator;
    if (array) allocator->release(allocator->user, array);
}

void lm_owned_free(void *object)
{
    if (object) lm_owned_release(object, header_of(object));
}
