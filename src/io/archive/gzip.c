/* Reads and writes text files, compressed or not. */
#include "io/archive/gzip.h"
#include <limits.h>

enum { PIECE = 1 << 16 };

/* ---- Reading --------------------------------------------------------------------------------- */

static void *allocate(void *ctx, unsigned count, unsigned size)
{
    return lm_alloc(ctx, count, size);
}

static void release(void *ctx, void *pointer)
{
    lm_free(ctx, pointer);
}

static leman_status inflate_into(leman_context *ctx, const char *path, uint64_t max_bytes, z_stream *z,
                                 const lm_bytes *in, lm_vector *out)
{
    leman_status st = LEMAN_OK;
    size_t read = 0;
    int state = Z_OK;
    while (state != Z_STREAM_END || read < in->size) {
        if (state == Z_STREAM_END && inflateReset(z) != Z_OK)
            FAIL(ctx, LEMAN_ERROR_INTERNAL, "%s: inflateReset failed", path);
        const size_t left = in->size - read, room = out->capacity - out->count;
        if (room < PIECE / 2) {
            TRY(lm_vector_reserve(ctx, out, PIECE, 1));
            continue;
        }
        z->next_in = (unsigned char *)(uintptr_t)(in->data + read);
        z->avail_in = (unsigned)(left < INT_MAX ? left : INT_MAX);
        z->next_out = (unsigned char *)out->items + out->count;
        z->avail_out = (unsigned)(room < INT_MAX ? room : INT_MAX);
        const unsigned given = z->avail_in, space = z->avail_out;
        state = inflate(z, Z_NO_FLUSH);
        read += given - z->avail_in;
        out->count += space - z->avail_out;
        if (out->count > max_bytes)
            FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found more than %llu bytes when it is decompressed", path,
                 (unsigned long long)max_bytes);
        if (state == Z_MEM_ERROR) TRY(lm_refusal(ctx));
        if (state == Z_BUF_ERROR && read == in->size)
            FAIL(ctx, LEMAN_ERROR_INPUT, "%s: the compressed file is cut off", path);
        if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
            FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found no sound gzip file: %s", path, z->msg ? z->msg : "damaged");
    }
done:
    return st;
}

leman_status lm_gzip_inflate(leman_context *ctx, const char *path, uint64_t max_bytes, lm_bytes *bytes)
{
    leman_status st = LEMAN_OK;
    lm_vector out = {0};
    z_stream z = {.zalloc = allocate, .zfree = release, .opaque = ctx};
    if (bytes->size < 18 || (unsigned char)bytes->data[0] != 0x1f || (unsigned char)bytes->data[1] != 0x8b)
        return LEMAN_OK;
    if (inflateInit2(&z, LM_DEFLATE_GZIP) != Z_OK)
        return lm_fail(ctx, LEMAN_ERROR_MEMORY, "%s: out of memory for decompression", path);
    TRY(lm_vector_reserve(ctx, &out, bytes->size > SIZE_MAX / 4 ? bytes->size : 4 * bytes->size, 1));
    TRY(inflate_into(ctx, path, max_bytes, &z, bytes, &out));
    lm_bytes_close(ctx, bytes);
    *bytes = (lm_bytes){.data = out.items, .size = out.count, .block = out.items};
    out = (lm_vector){0};
done:
    inflateEnd(&z);
    lm_vector_free(ctx, &out);
    return st;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static int deflate_text(void *user, const char *bytes, size_t size)
{
    return lm_deflate_bytes(user, bytes, size);
}

leman_status lm_gzip_open(leman_context *ctx, const char *path, lm_gzip *g)
{
    leman_status st = LEMAN_OK;
    TRY(lm_output_open(ctx, path, &g->file));
    g->text = &g->file;
    if (!lm_path_ends(path, ".gz")) goto done;
    TRY(lm_deflate_begin(ctx, &g->file, LM_DEFLATE_GZIP, Z_DEFAULT_COMPRESSION, &g->deflate));
    TRY(lm_output_open_sink(ctx, path, deflate_text, &g->deflate, &g->uncompressed));
    g->text = &g->uncompressed;
done:
    if (st) lm_gzip_abort(g);
    return st;
}

leman_status lm_gzip_commit(lm_gzip *g)
{
    leman_status st = LEMAN_OK;
    if (g->uncompressed.open) {
        TRY(lm_output_commit(&g->uncompressed));
        if (lm_deflate_finish(&g->deflate)) TRY(lm_output_write(&g->file, "", 1)); /* fails with its error */
    }
    TRY(lm_output_commit(&g->file));
done:
    lm_gzip_abort(g);
    return st;
}

void lm_gzip_abort(lm_gzip *g)
{
    lm_output_abort(&g->uncompressed);
    lm_deflate_end(&g->deflate);
    lm_output_abort(&g->file);
}
