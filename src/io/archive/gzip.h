/*
 * Text files that are compressed where their name ends in .gz: RFC 1952, without a date, so that the bytes depend on
 * the text alone.
 *
 *   lm_gzip file = {0};
 *   TRY(lm_gzip_open(ctx, "features.svm.gz", &file));
 *   ... lm_output_integer(file.text, ...) ...
 *   TRY(lm_gzip_commit(&file));
 *   done: lm_gzip_abort(&file);
 */
#ifndef LM_GZIP_H
#define LM_GZIP_H

#include "io/archive/deflate.h"

/* Zero-initialise; it must not move while it is open. */
typedef struct lm_gzip {
    lm_output file;         /* as base/file.h has it: appears whole or not at all */
    lm_output uncompressed; /* what goes into the deflater; closed where nothing is compressed */
    lm_deflate deflate;
    lm_output *text; /* where to write */
} lm_gzip;

leman_status lm_gzip_open(leman_context *ctx, const char *path, lm_gzip *gzip);
leman_status lm_gzip_commit(lm_gzip *gzip);
/* Does nothing after a commit. */
void lm_gzip_abort(lm_gzip *gzip);

#endif
