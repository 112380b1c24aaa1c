/* Deflate by zlib. */
#include "io/archive/deflate.h"
#include <errno.h>

enum { BUFFER = 1 << 16, /* bytes of a piece of output */ MEMORY_LEVEL = 8 };

static void *allocate(void *ctx, unsigned count, unsigned size)
{
    return lm_alloc(ctx, count, size);
}

static void release(void *ctx, void *pointer)
{
    (void)ctx;
    lm_release(pointer);
}

z_stream lm_zlib_stream(leman_context *ctx)
{
    return (z_stream){.zalloc = allocate, .zfree = release, .opaque = ctx};
}

leman_status lm_deflate_begin(leman_context *ctx, lm_output *out, int window, int level, lm_deflate *d)
{
    leman_status st = LEMAN_OK;
    *d = (lm_deflate){.ctx = ctx, .out = out, .stream = lm_zlib_stream(ctx)};
    NEW(ctx, d->buffer, BUFFER);
    if (deflateInit2(&d->stream, level, Z_DEFLATED, window, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        FAIL(ctx, LEMAN_ERROR_MEMORY, "%s: out of memory for compression", out->path);
    d->open = true;
done:
    if (st) lm_deflate_end(d);
    return st;
}

static int feed(lm_deflate *d, const char *bytes, size_t size, int flush)
{
    d->stream.next_in = (unsigned char *)(uintptr_t)bytes;
    d->stream.avail_in = (unsigned)size;
    do {
        d->stream.next_out = d->buffer;
        d->stream.avail_out = BUFFER;
        if (deflate(&d->stream, flush) == Z_STREAM_ERROR) return EIO;
        size_t made = BUFFER - d->stream.avail_out;
        d->compressed += made;
        if (lm_output_write(d->out, d->buffer, made)) return d->out->error;
    } while (!d->stream.avail_out);
    return 0;
}

int lm_deflate_bytes(lm_deflate *d, const char *bytes, size_t size)
{
    return feed(d, bytes, size, Z_NO_FLUSH);
}

int lm_deflate_finish(lm_deflate *d)
{
    return feed(d, NULL, 0, Z_FINISH);
}

void lm_deflate_end(lm_deflate *d)
{
    if (d->open) deflateEnd(&d->stream);
    if (d->ctx) lm_release(d->buffer);
    *d = (lm_deflate){0};
}
