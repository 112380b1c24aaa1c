/*
 * Writes text files, compressed (RFC 1952) if their name ends in .gz. No date is stored, so that the bytes depend on
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

/* Zero-initialise. The struct must not be moved while it is open. */
typedef struct lm_gzip {
    lm_output file;         /* the file (base/file.h), which appears complete or not at all */
    lm_output uncompressed; /* input of the compression; not open if the file is not compressed */
    lm_deflate deflate;
    lm_output *text; /* the output to write to */
} lm_gzip;

/* Returns true if the path ends in `ending`, or in `ending` with .gz behind it. */
bool lm_gzip_ends(const char *path, const char *ending);

leman_status lm_gzip_open(leman_context *ctx, const char *path, lm_gzip *gzip);
/* Completes the file. The caller discards the file if this fails. */
leman_status lm_gzip_commit(lm_gzip *gzip);
/* Discards the file. Does nothing after a commit. */
void lm_gzip_abort(lm_gzip *gzip);

#endif
