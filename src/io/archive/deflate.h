/*
 * Compression as a stream: bytes are deflated and written to an output. Used for zips and gzip files. The memory of
 * zlib comes from the context.
 */
#ifndef LM_DEFLATE_H
#define LM_DEFLATE_H

#include "base/context.h"
#include "base/file.h"
#include <zlib.h>

enum { LM_DEFLATE_RAW = -15, LM_DEFLATE_GZIP = 15 + 16 }; /* zlib's windowBits: no header, or the header of gzip */

/* Zero-initialise. */
typedef struct lm_deflate {
    leman_context *ctx;
    lm_output *out; /* not owned */
    z_stream stream;
    bool open;
    uint64_t compressed; /* number of bytes written */
    unsigned char *buffer;
} lm_deflate;

/* Returns a stream of zlib whose memory comes from the context. */
z_stream lm_zlib_stream(leman_context *ctx);
/* Begins a stream to `out`. The caller ends it with lm_deflate_end(), even if this fails. window: LM_DEFLATE_RAW or LM_DEFLATE_GZIP. level: from 1 (fast) to 9 (small), or
 * Z_DEFAULT_COMPRESSION. */
leman_status lm_deflate_begin(leman_context *ctx, lm_output *out, int window, int level, lm_deflate *deflate);
/* Compresses bytes. Returns 0, or the errno of a failed write, which the output also remembers. */
int lm_deflate_bytes(lm_deflate *deflate, const char *bytes, size_t size);
/* Writes the end of the stream. Returns 0 or an errno like lm_deflate_bytes(). */
int lm_deflate_finish(lm_deflate *deflate);
/* Releases the memory, whether the stream is finished or not. */
void lm_deflate_end(lm_deflate *deflate);

#endif
