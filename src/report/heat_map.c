/*
 * Writes PNG with a palette of 256 colours: a signature, then chunks of length, name, content and CRC-32 of name and
 * content. Pixels are rows of bytes, each after a filter byte 0, compressed by zlib. The palette runs from white
 * through blue to a dark blue in steps of equal lightness, so that it is readable in grey and for every kind of colour
 * vision.
 */
#include "report/heat_map.h"
#include "io/archive/deflate.h"
#include "report/page.h"
#include <math.h>
#include <string.h>

static const unsigned char STOPS[][3] = {{255, 255, 255}, {222, 235, 244}, {168, 207, 226}, {97, 167, 206},
                                         {39, 120, 178},  {17, 74, 130},   {8, 29, 66}};
enum { STOP_COUNT = sizeof STOPS / sizeof *STOPS, COLORS = 256 };

static void put_word(unsigned char *at, size_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* Appends a chunk. */
static leman_status chunk(leman_context *ctx, lm_vector *png, const char *name, const unsigned char *content,
                          size_t size)
{
    unsigned char head[8], foot[4];
    put_word(head, size);
    memcpy(head + 4, name, 4);
    uLong sum = crc32(0, head + 4, 4);
    if (size) sum = crc32(sum, content, (uInt)size); /* crc32() of no content would start anew */
    put_word(foot, sum);
    PASS(lm_vector_append(ctx, png, head, sizeof head, 1));
    if (size) PASS(lm_vector_append(ctx, png, content, size, 1));
    return lm_vector_append(ctx, png, foot, sizeof foot, 1);
}

static void fill_palette(unsigned char palette[3 * COLORS])
{
    for (size_t i = 0; i < COLORS; i++) {
        double at = (double)i / (COLORS - 1) * (STOP_COUNT - 1);
        size_t stop = at < STOP_COUNT - 1 ? (size_t)at : STOP_COUNT - 2;
        for (size_t c = 0; c < 3; c++)
            palette[3 * i + c] =
                (unsigned char)lround(STOPS[stop][c] + (at - (double)stop) * (STOPS[stop + 1][c] - STOPS[stop][c]));
    }
}

/* Compresses raw[*size] to compressed[space]; *size becomes the compressed size. */
static leman_status deflate_rows(leman_context *ctx, unsigned char *raw, unsigned char *compressed, size_t space,
                                 size_t *size)
{
    z_stream stream = lm_zlib_stream(ctx);
    stream.next_in = raw;
    stream.avail_in = (uInt)*size;
    stream.next_out = compressed;
    stream.avail_out = (uInt)space;
    if (deflateInit(&stream, 9) != Z_OK) return lm_fail(ctx, LEMAN_ERROR_MEMORY, "out of memory for a heat map");
    int end = deflate(&stream, Z_FINISH);
    *size = stream.total_out;
    deflateEnd(&stream);
    return end == Z_STREAM_END ? LEMAN_OK : lm_fail(ctx, LEMAN_ERROR_INTERNAL, "zlib did not finish a heat map");
}

leman_status lm_heat_map_embed(leman_context *ctx, lm_output *out, const unsigned char *level, size_t width,
                               size_t height)
{
    static const unsigned char MARK[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    SCRATCH_SCOPE(ctx);
    AUTO(lm_vector_release) lm_vector png = {0};
    unsigned char head[13] = {0}, palette[3 * COLORS], *raw, *compressed;
    size_t size = height * (width + 1), space = size + size / 1000 + 1024; /* more than zlib's bound */
    if (!width || !height || width > LM_HEAT_MAP_SIDE || height > LM_HEAT_MAP_SIDE)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "a heat map of %zu by %zu pixel%s, expected 1 to %d", width, height,
                       lm_plural(height), (int)LM_HEAT_MAP_SIDE);
    PASS_SCRATCH(ctx, raw, size);
    PASS_SCRATCH(ctx, compressed, space);
    for (size_t row = 0; row < height; row++) {
        raw[row * (width + 1)] = 0;
        memcpy(raw + row * (width + 1) + 1, level + row * width, width);
    }
    PASS(deflate_rows(ctx, raw, compressed, space, &size));
    fill_palette(palette);
    put_word(head, width);
    put_word(head + 4, height);
    head[8] = 8; /* bits per pixel */
    head[9] = 3; /* colour type: palette */
    PASS(lm_vector_append(ctx, &png, MARK, sizeof MARK, 1));
    PASS(chunk(ctx, &png, "IHDR", head, sizeof head));
    PASS(chunk(ctx, &png, "PLTE", palette, sizeof palette));
    PASS(chunk(ctx, &png, "IDAT", compressed, size));
    PASS(chunk(ctx, &png, "IEND", NULL, 0));
    lm_page(out, "data:image/png;base64,");
    lm_page_base64(out, png.items, png.count);
    return LEMAN_OK;
}

/* ---- From a matrix to levels ----------------------------------------------------------------- */

void lm_heat_map_shrink(const double *matrix, size_t n, const uint32_t *order, size_t side, double *cell)
{
    for (size_t a = 0; a < side; a++)
        for (size_t b = 0; b < side; b++) {
            size_t top = a * n / side, foot = (a + 1) * n / side, left = b * n / side, right = (b + 1) * n / side;
            double sum = 0;
            for (size_t i = top; i < foot; i++)
                for (size_t j = left; j < right; j++) sum += matrix[(size_t)order[i] * n + order[j]];
            cell[a * side + b] = sum / (double)((foot - top) * (right - left));
        }
}

unsigned char lm_heat_map_level(double value, double low, double high)
{
    double level = high > low ? (value - low) / (high - low) : value >= high;
    return (unsigned char)lround(255 * (level > 0 ? fmin(level, 1) : 0)); /* NaN becomes 0 */
}
