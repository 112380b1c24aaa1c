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

/* Bytes that are compressed, which their first two say, are replaced by what they hold; others stay as they are. More
 * than max_bytes is LEMAN_ERROR_INPUT, more than the memory budget LEMAN_ERROR_BUDGET; so is what is damaged or cut off
 * (LEMAN_ERROR_INPUT). Members that follow each other are one text. */
leman_status lm_gzip_inflate(leman_context *ctx, const char *path, uint64_t max_bytes, lm_bytes *bytes);

leman_status lm_gzip_open(leman_context *ctx, const char *path, lm_gzip *gzip);
leman_status lm_gzip_commit(lm_gzip *gzip);
/* Does nothing after a commit. */
void lm_gzip_abort(lm_gzip *gzip);

#endif
