/*
 * Compression as a stream: bytes go in, deflated bytes go to an output. Zips and gzip files are made of it. Zlib's own
 * memory comes from the context.
 */
#ifndef LM_DEFLATE_H
#define LM_DEFLATE_H

#include "base/context.h"
#include "base/file.h"
#include <zlib.h>

enum { LM_DEFLATE_RAW = -15, LM_DEFLATE_GZIP = 15 + 16 }; /* zlib's windowBits: without a head, or with gzip's */

/* Zero-initialise. */
typedef struct lm_deflate {
    leman_context *ctx;
    lm_output *out; /* not owned */
    z_stream stream;
    bool open;
    uint64_t compressed; /* bytes that went out */
    unsigned char *buffer;
} lm_deflate;

/* level: zlib's, from 1 (quick) to 9 (small), or Z_DEFAULT_COMPRESSION. */
leman_status lm_deflate_begin(leman_context *ctx, lm_output *out, int window, int level, lm_deflate *deflate);
/* 0, or the errno of what went wrong with the output, which remembers it too. */
int lm_deflate_bytes(lm_deflate *deflate, const char *bytes, size_t size);
int lm_deflate_finish(lm_deflate *deflate);
/* Frees what it holds, finished or not. */
void lm_deflate_end(lm_deflate *deflate);

#endif
