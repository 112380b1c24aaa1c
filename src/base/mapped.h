/*
 * Arrays in a temporary file, which are written once and then mapped into the address space as if they were in memory.
 * The system loads their pages at the first access, a block of 64 KiB around each address. Every access must be
 * announced with lm_mapped_touch(): blocks that may be resident are marked, and before their size exceeds `window`
 * bytes, all pages are given back. The window counts in the memory budget while the file is open. Nobody else can
 * truncate the file.
 */
#ifndef LM_MAPPED_H
#define LM_MAPPED_H

#include "base/temporary.h"
#include <stdatomic.h>

typedef struct lm_mapped {
    lm_temporary file;
    const char *address; /* NULL until lm_mapped_finish() */
    size_t size, window;
    size_t block;               /* bytes that the system loads together */
    _Atomic uint64_t *resident; /* [blocks / 64] one bit for each block: its pages may be in memory */
    size_t words;
    _Atomic size_t bytes; /* of the marked blocks */
} lm_mapped;

/* Returns a window that suits the memory budget. */
size_t lm_mapped_window(const leman_context *ctx);
/* Creates a mapped file: then call lm_temporary_append() on its `file`, and lm_mapped_finish(). Fails with
 * LEMAN_ERROR_BUDGET if the window exceeds what is left of the budget. */
leman_status lm_mapped_open(leman_context *ctx, size_t window, lm_mapped **out);
leman_status lm_mapped_finish(lm_mapped *mapped);
void lm_mapped_free(leman_context *ctx, lm_mapped *mapped);
/* Removes all pages from memory. */
void lm_mapped_give_back(lm_mapped *mapped);
/* Marks a block that is about to be accessed and was not marked. */
void lm_mapped_mark(lm_mapped *mapped, size_t block);

/* Must be called before an access to `size` bytes at `at`, by any thread. mapped is NULL for an array in memory. */
static inline void lm_mapped_touch(lm_mapped *mapped, const void *at, size_t size)
{
    if (!mapped || !size) return;
    const size_t place = (size_t)((const char *)at - mapped->address);
    const size_t first = place / mapped->block, last = (place + size - 1) / mapped->block;
    for (size_t b = first; b <= last; b++)
        if (!(atomic_load_explicit(&mapped->resident[b / 64], memory_order_relaxed) >> b % 64 & 1))
            lm_mapped_mark(mapped, b);
}

#endif
