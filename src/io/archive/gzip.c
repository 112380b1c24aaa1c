/* Writes text files, compressed or not. */
#include "io/archive/gzip.h"
#include "base/text.h"

bool lm_gzip_ends(const char *path, const char *ending)
{
    char compressed[32];
    lm_joined text = lm_joined_begin(compressed, sizeof compressed);
    lm_joined_add(&text, "%s.gz", ending);
    return lm_path_ends(path, ending) || lm_path_ends(path, compressed);
}

static int deflate_text(void *user, const char *bytes, size_t size)
{
    return lm_deflate_bytes(user, bytes, size);
}

leman_status lm_gzip_open(leman_context *ctx, const char *path, lm_gzip *g)
{
    PASS(lm_output_open(ctx, path, &g->file));
    g->text = &g->file;
    if (!lm_path_ends(path, ".gz")) return LEMAN_OK;
    PASS(lm_deflate_begin(ctx, &g->file, LM_DEFLATE_GZIP, Z_DEFAULT_COMPRESSION, &g->deflate));
    PASS(lm_output_open_sink(ctx, path, deflate_text, &g->deflate, &g->uncompressed));
    g->text = &g->uncompressed;
    return LEMAN_OK;
}

leman_status lm_gzip_commit(lm_gzip *g)
{
    if (g->uncompressed.open) {
        PASS(lm_output_commit(&g->uncompressed));
        if (lm_deflate_finish(&g->deflate)) PASS(lm_output_write(&g->file, "", 1)); /* fails with its error */
    }
    PASS(lm_output_commit(&g->file));
    lm_deflate_end(&g->deflate);
    return LEMAN_OK;
}

void lm_gzip_abort(lm_gzip *g)
{
    lm_output_abort(&g->uncompressed);
    lm_deflate_end(&g->deflate);
    lm_output_abort(&g->file);
}
