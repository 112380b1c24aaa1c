/*
 * Recorded sums: NAME.zip.sha256 beside NAME.zip, in the one-line form that sha256sum writes and checks,
 *
 *   64 hexadecimal digits, a blank, a blank or '*', NAME.zip, end of line.
 */
#ifndef LM_DIGEST_H
#define LM_DIGEST_H

#include "base/file.h"
#include "io/download/sha256.h"

enum { LM_DIGEST_TEXT = 2 * LM_SHA256_BYTES + 1 };

typedef struct lm_digest {
    unsigned char bytes[LM_SHA256_BYTES];
} lm_digest;

bool lm_digest_same(const lm_digest *a, const lm_digest *b);
void lm_digest_text(const lm_digest *digest, char text[LM_DIGEST_TEXT]);
/* The sum of a file's content; O(bytes), with progress. */
leman_status lm_digest_of_file(leman_context *ctx, const char *path, lm_digest *out);

/* The sum in `bytes`, the content of `file`, which must speak of `name`; anything else is LEMAN_ERROR_INPUT. */
leman_status lm_digest_parse(leman_context *ctx, const char *file, lm_bytes bytes, const char *name, lm_digest *out);
/* The same from the file itself; *found is false, and *out untouched, where there is none. */
leman_status lm_digest_read(leman_context *ctx, const char *file, const char *name, bool *found, lm_digest *out);
leman_status lm_digest_write(leman_context *ctx, const char *file, const char *name, const lm_digest *digest);

#endif
