/*
 * Recorded checksums: NAME.zip.sha256 beside NAME.zip, in the one-line form that sha256sum writes and checks,
 *
 *   64 hexadecimal digits, a blank, a blank or '*', NAME.zip, end of line.
 */
#ifndef LM_DIGEST_H
#define LM_DIGEST_H

#include "base/file.h"

/* SHA-256 (FIPS 180-4), computed incrementally: begin, add, end. O(bytes), no allocation. */
enum { LM_SHA256_BYTES = 32, LM_SHA256_BLOCK = 64 };

typedef struct lm_sha256 {
    uint32_t state[8];
    uint64_t length; /* number of bytes added; those behind the last whole block are in `block` */
    unsigned char block[LM_SHA256_BLOCK];
} lm_sha256;

lm_sha256 lm_sha256_begin(void);
void lm_sha256_add(lm_sha256 *sum, const void *bytes, size_t size);
void lm_sha256_end(lm_sha256 *sum, unsigned char digest[LM_SHA256_BYTES]);

/* A SHA-256 as 64 hexadecimal digits, with small letters and a terminating zero. */
typedef struct lm_digest {
    char text[2 * LM_SHA256_BYTES + 1];
} lm_digest;

/* Computes the SHA-256 of a file. O(bytes); reports progress. */
leman_status lm_digest_of_file(leman_context *ctx, const char *path, lm_digest *out);

/* Parses `bytes`, the content of `file`. Fails with LEMAN_ERROR_INPUT unless it is one line with the checksum of
 * `name`. */
leman_status lm_digest_parse(leman_context *ctx, const char *file, lm_bytes bytes, const char *name, lm_digest *out);
/* Reads and parses `file`. If there is no such file, sets *found to false and leaves *out untouched. */
leman_status lm_digest_read(leman_context *ctx, const char *file, const char *name, bool *found, lm_digest *out);
/* Writes the line with the checksum of `name` to `file`. */
leman_status lm_digest_write(leman_context *ctx, const char *file, const char *name, const lm_digest *digest);

#endif
