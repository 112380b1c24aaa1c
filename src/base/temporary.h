/*
 * A temporary file: what may not fit into memory, written once and read again at any place. Its first bytes lie in
 * memory, as many as there is some for; behind them nothing does. It has no name from the beginning, so that nothing is
 * left of it however the process ends.
 */
#ifndef LM_TEMPORARY_H
#define LM_TEMPORARY_H

#include "base/context.h"
#include <stdatomic.h>

/* Zero-initialise; lm_temporary_close() at the end. */
typedef struct lm_temporary {
    leman_context *ctx;
    int file;
    bool open;
    uint64_t size;
    size_t once;     /* bytes that are written to the file at once, up to a multiple of them */
    char *folder;    /* for messages */
    uint64_t memory; /* bytes that may lie there */
    lm_vector piece; /* char *: of the bytes that do */
} lm_temporary;

/* In the folder of the file `beside`; where that is NULL or "-", in $TMPDIR or /tmp. memory: bytes of it that may lie
 * in memory of the context. */
leman_status lm_temporary_open(leman_context *ctx, const char *beside, uint64_t memory, lm_temporary *temporary);
void lm_temporary_close(lm_temporary *temporary);
/* Behind everything; *place, which may be NULL, gets where that is. */
leman_status lm_temporary_append(lm_temporary *temporary, const void *bytes, size_t size, uint64_t *place);
leman_status lm_temporary_write(lm_temporary *temporary, uint64_t place, const void *bytes, size_t size);
/* What was written there. */
leman_status lm_temporary_read(const lm_temporary *temporary, uint64_t place, void *to, size_t size);
/* The same where it lies, if that is in memory and in one piece, or read into the buffer. */
leman_status lm_temporary_look(const lm_temporary *temporary, uint64_t place, size_t size, void *buffer,
                               const void **bytes);
bool lm_temporary_is_in_memory(const lm_temporary *temporary);

/*
 * Arrays in a temporary file, which are written once and then lie in the address space as if they were in memory. The
 * system maps their pages when they are looked at, a block of 64 KiB around each place. Whoever looks says where;
 * blocks that may be resident are marked, and before more than `window` bytes of them are, all pages are given back.
 * The window counts in the memory budget as long as the file is open. Nobody else can cut the file off.
 */
typedef struct lm_mapped {
    lm_temporary file;
    const char *address; /* once it is finished */
    size_t size, window;
    size_t block;               /* bytes that the system maps at once */
    _Atomic uint64_t *resident; /* [blocks / 64] one bit a block: may its pages be in memory? */
    size_t words;
    _Atomic size_t bytes; /* of the blocks that are marked */
} lm_mapped;

/* A window that suits the budget. */
size_t lm_mapped_window(const leman_context *ctx);
/* lm_temporary_append() to its file, then finish. LEMAN_ERROR_BUDGET where the window does not fit any more. */
leman_status lm_mapped_open(leman_context *ctx, size_t window, lm_mapped **out);
leman_status lm_mapped_finish(lm_mapped *mapped);
void lm_mapped_free(leman_context *ctx, lm_mapped *mapped);
/* All pages leave memory. */
void lm_mapped_give_back(lm_mapped *mapped);
/* The block is about to be looked at, and was not marked. */
void lm_mapped_mark(lm_mapped *mapped, size_t block);

/* These bytes are about to be looked at; any thread. mapped NULL: an array that is in memory. */
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
