/*
 * SHA-256 (FIPS 180-4), computed incrementally: the checksum of downloaded files. O(bytes), no allocation.
 *
 *   lm_sha256 sum = lm_sha256_begin();
 *   lm_sha256_add(&sum, bytes, size);
 *   lm_sha256_end(&sum, digest);
 */
#ifndef LM_SHA256_H
#define LM_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { LM_SHA256_BYTES = 32, LM_SHA256_BLOCK = 64 };

typedef struct lm_sha256 {
    uint32_t state[8];
    uint64_t length; /* number of bytes added; those behind the last whole block are in `block` */
    unsigned char block[LM_SHA256_BLOCK];
} lm_sha256;

lm_sha256 lm_sha256_begin(void);
void lm_sha256_add(lm_sha256 *sum, const void *bytes, size_t size);
void lm_sha256_end(lm_sha256 *sum, unsigned char digest[LM_SHA256_BYTES]);

#endif
