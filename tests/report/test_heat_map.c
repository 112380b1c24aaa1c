/* PNG: read back chunk by chunk, unpacked by zlib, and the pixels are the levels that went in. */
#include "base/context.h"
#include "report/heat_map.h"
#include "support/captured_output.h"
#include <math.h>
#include <zlib.h>

enum { ROOM = 1 << 20 };

static size_t unpack_base64(const char *text, unsigned char *bytes)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count = 0;
    uint32_t word = 0, bits = 0;
    for (; *text && *text != '='; text++) {
        word = word << 6 | (uint32_t)(strchr(DIGITS, *text) - DIGITS);
        if ((bits += 6) >= 8) bytes[count++] = (unsigned char)(word >> (bits -= 8));
    }
    return count;
}

static size_t word_at(const unsigned char *at)
{
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

/* Width, height and levels of a PNG as we write it; checks marks and sums. */
static void read_png(const unsigned char *png, size_t size, size_t *width, size_t *height, unsigned char *level)
{
    static unsigned char raw[ROOM];
    uLongf length = sizeof raw;
    size_t at = 8;
    bool ended = false;
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    while (at < size) {
        size_t content = word_at(png + at);
        assert_true(at + 12 + content <= size);
        assert_int_equal(crc32(0, png + at + 4, (uInt)(content + 4)), word_at(png + at + 8 + content));
        if (!memcmp(png + at + 4, "IHDR", 4)) {
            assert_int_equal(content, 13);
            *width = word_at(png + at + 8), *height = word_at(png + at + 12);
            assert_memory_equal(png + at + 16, "\x08\x03\0\0\0", 5);
        }
        if (!memcmp(png + at + 4, "PLTE", 4)) assert_int_equal(content, 768);
        if (!memcmp(png + at + 4, "IDAT", 4))
            assert_int_equal(uncompress(raw, &length, png + at + 8, (uLong)content), Z_OK);
        ended = !memcmp(png + at + 4, "IEND", 4);
        at += 12 + content;
    }
    assert_true(ended);
    assert_int_equal(length, *height * (*width + 1));
    for (size_t row = 0; row < *height; row++) {
        assert_int_equal(raw[row * (*width + 1)], 0);
        memcpy(level + row * *width, raw + row * (*width + 1) + 1, *width);
    }
}

static void test_read_back(void **unused)
{
    (void)unused;
    static const char HEAD[] = "data:image/png;base64,";
    leman_context *ctx = test_context_new(1);
    test_captured_output c = {0};
    unsigned char *level = malloc(300 * 300), *back = malloc(300 * 300), *png = malloc(ROOM);
    uint64_t state = 9;
    for (size_t i = 0; i < 40; i++) {
        size_t width = 1 + test_random(&state) % 300, height = 1 + test_random(&state) % 300, w = 0, h = 0;
        lm_output out;
        for (size_t p = 0; p < width * height; p++)
            level[p] = (unsigned char)(i % 2 ? test_random(&state) % 256 : p / width);
        assert_int_equal(test_captured_output_open(ctx, &c, &out), LEMAN_OK);
        assert_int_equal(lm_heat_map_embed(ctx, &out, level, width, height), LEMAN_OK);
        assert_int_equal(lm_output_commit(&out), LEMAN_OK);
        assert_memory_equal(c.text, HEAD, sizeof HEAD - 1);
        read_png(png, unpack_base64(c.text + sizeof HEAD - 1, png), &w, &h, back);
        assert_true(w == width && h == height);
        assert_memory_equal(level, back, width * height);
    }
    lm_output out;
    assert_int_equal(test_captured_output_open(ctx, &c, &out), LEMAN_OK);
    assert_int_equal(lm_heat_map_embed(ctx, &out, level, 0, 3), LEMAN_ERROR_ARGUMENT);
    lm_output_abort(&out);
    test_captured_output_free(&c), free(level), free(back), free(png);
    test_context_free(ctx);
}

static leman_status embed(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    unsigned char level[600];
    for (size_t i = 0; i < sizeof level; i++) level[i] = (unsigned char)i;
    TRY(test_captured_output_open(ctx, state, &out));
    TRY(lm_heat_map_embed(ctx, &out, level, 30, 20));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return st;
}

static void test_allocations(void **unused)
{
    (void)unused;
    test_captured_output c = {0};
    assert_true(test_fail_each_allocation(embed, &c) > 3);
    test_captured_output_free(&c);
}

/* The mean of all cells, weighted by what they cover, is the mean of the matrix; at full size it is the matrix. */
static void test_shrink(void **unused)
{
    (void)unused;
    enum { N = 37 };
    double matrix[N * N], cell[N * N];
    uint32_t order[N];
    uint64_t state = 4;
    for (size_t i = 0; i < N; i++) order[i] = (uint32_t)(N - 1 - i);
    for (size_t i = 0; i < N * N; i++) matrix[i] = (double)(test_random(&state) % 1000);
    lm_heat_map_shrink(matrix, N, order, N, cell);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) assert_true(cell[i * N + j] == matrix[(N - 1 - i) * N + N - 1 - j]);
    for (size_t side = 1; side < N; side++) {
        double all = 0, sum = 0;
        lm_heat_map_shrink(matrix, N, order, side, cell);
        for (size_t i = 0; i < N * N; i++) all += matrix[i];
        for (size_t a = 0; a < side; a++)
            for (size_t b = 0; b < side; b++) {
                size_t rows = (a + 1) * N / side - a * N / side, columns = (b + 1) * N / side - b * N / side;
                sum += cell[a * side + b] * (double)(rows * columns);
            }
        assert_true(fabs(sum - all) < 1e-6);
    }
    assert_int_equal(lm_heat_map_level(0, 0, 1), 0);
    assert_int_equal(lm_heat_map_level(1, 0, 1), 255);
    assert_int_equal(lm_heat_map_level(7, 0, 1), 255);
    assert_int_equal(lm_heat_map_level(-7, 0, 1), 0);
    assert_int_equal(lm_heat_map_level(NAN, 0, 1), 0);
    assert_int_equal(lm_heat_map_level(2, 2, 2), 255);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read_back), cmocka_unit_test(test_allocations),
                                       cmocka_unit_test(test_shrink)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
