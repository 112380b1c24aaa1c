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
 * system reads their pages when they are looked at; whoever looks says how much, and after `window` bytes all pages are
 * given back, so that resident memory stays within a few windows. Nobody else can cut the file off.
 */
typedef struct lm_mapped {
    lm_temporary file;
    const char *address; /* once it is finished */
    size_t size, window;
    _Atomic size_t touched; /* bytes since pages were given back */
    _Atomic uintptr_t next; /* behind what was looked at last */
} lm_mapped;

/* What the system may map around a place that is looked at. */
enum { LM_MAPPED_AROUND = 1 << 16 };

/* A window that suits the budget. */
size_t lm_mapped_window(const leman_context *ctx);
/* lm_temporary_append() to its file, then finish. */
leman_status lm_mapped_open(leman_context *ctx, size_t window, lm_mapped **out);
leman_status lm_mapped_finish(lm_mapped *mapped);
void lm_mapped_free(leman_context *ctx, lm_mapped *mapped);
void lm_mapped_give_back(lm_mapped *mapped);
/* These bytes are about to be looked at; any thread. mapped NULL: an array that is in memory. What does not follow the
 * bytes before it counts with the pages that are mapped around it. */
static inline void lm_mapped_touch(lm_mapped *mapped, const void *at, size_t size)
{
    if (!mapped) return;
    const uintptr_t end = (uintptr_t)at + size, next = atomic_exchange(&mapped->next, end);
    if ((uintptr_t)at - next > LM_MAPPED_AROUND) size += LM_MAPPED_AROUND;
    if (atomic_fetch_add(&mapped->touched, size) > mapped->window) lm_mapped_give_back(mapped);
}

#endif
