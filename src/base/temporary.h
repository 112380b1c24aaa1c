/*
 * A temporary file: what does not fit into memory, written once and read again at any place. It has no name from the
 * beginning, so that nothing is left of it however the process ends.
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
    char *folder; /* for messages */
} lm_temporary;

/* In the folder of the file `beside`; where that is NULL or "-", in $TMPDIR or /tmp. */
leman_status lm_temporary_open(leman_context *ctx, const char *beside, lm_temporary *temporary);
void lm_temporary_close(lm_temporary *temporary);
/* Behind everything; *place, which may be NULL, gets where that is. */
leman_status lm_temporary_append(lm_temporary *temporary, const void *bytes, size_t size, uint64_t *place);
leman_status lm_temporary_write(lm_temporary *temporary, uint64_t place, const void *bytes, size_t size);
/* What was written there. */
leman_status lm_temporary_read(const lm_temporary *temporary, uint64_t place, void *to, size_t size);

#endif
