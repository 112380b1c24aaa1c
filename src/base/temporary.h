/*
 * A temporary file for data that may not fit into memory: written once, then read at any place. Its first bytes, up to
 * a limit, are kept in memory; all others are on disk. The file has no name, so that nothing is left of it however the
 * process ends.
 */
#ifndef LM_TEMPORARY_H
#define LM_TEMPORARY_H

#include "base/context.h"

/* Zero-initialise; lm_temporary_close() at the end. */
typedef struct lm_temporary {
    leman_context *ctx;
    int file;
    bool open;
    uint64_t size;
    size_t once;     /* largest single write to the file; writes end at multiples of it */
    char *folder;    /* for messages */
    uint64_t memory; /* at most this many bytes are kept in memory */
    lm_vector piece; /* char *: pieces of the bytes that are kept in memory */
} lm_temporary;

/* Opens a temporary file in the folder of the file `beside`, or in $TMPDIR or /tmp if beside is NULL or "-". Up to
 * `memory` bytes of the file are kept in memory of the context. */
leman_status lm_temporary_open(leman_context *ctx, const char *beside, uint64_t memory, lm_temporary *temporary);
void lm_temporary_close(lm_temporary *temporary);
/* Appends bytes. Sets *place to their offset; place may be NULL. */
leman_status lm_temporary_append(lm_temporary *temporary, const void *bytes, size_t size, uint64_t *place);
leman_status lm_temporary_write(lm_temporary *temporary, uint64_t place, const void *bytes, size_t size);
/* Reads `size` bytes that were written at offset `place`. */
leman_status lm_temporary_read(const lm_temporary *temporary, uint64_t place, void *to, size_t size);
/* Like lm_temporary_read(), but sets *bytes to the bytes in memory if they are there in one piece. Otherwise the bytes
 * are read into `buffer`, and *bytes is `buffer`. */
leman_status lm_temporary_look(const lm_temporary *temporary, uint64_t place, size_t size, void *buffer,
                               const void **bytes);
bool lm_temporary_is_in_memory(const lm_temporary *temporary);

#endif
