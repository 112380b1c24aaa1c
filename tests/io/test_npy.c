/* The head of .npy files, byte by byte as numpy's format description (NEP 1) has it. */
#include "support/support.h"

#include "base/context.h"
#include "base/file.h"
#include "io/array/npz.h"

typedef struct written {
    char bytes[1024];
    size_t size;
} written;

static int collect(void *user, const char *bytes, size_t size)
{
    written *w = user;
    assert_true(w->size + size <= sizeof w->bytes);
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
    return 0;
}

static written header(const char *descr, size_t dimensions, const size_t *shape)
{
    written w = {.size = 0};
    leman_context *ctx = test_context_new(1);
    lm_output out;
    assert_int_equal(lm_output_open_sink(ctx, "x.npy", collect, &w, &out), LEMAN_OK);
    assert_int_equal(lm_npy_header(&out, descr, dimensions, shape), LEMAN_OK);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    test_context_free(ctx);
    return w;
}

/* The mark, version 1.0, the length in little endian, the dictionary, blanks, a newline; 64 divides it all. */
static void assert_header(written w, const char *dictionary)
{
    size_t length = strlen(dictionary);
    assert_memory_equal(w.bytes, "\x93NUMPY\x01\x00", 8);
    assert_int_equal(w.size % 64, 0);
    assert_int_equal((unsigned char)w.bytes[8] + 256 * (unsigned char)w.bytes[9], w.size - 10);
    assert_true(w.size < 10 + length + 1 + 64);
    assert_memory_equal(w.bytes + 10, dictionary, length);
    for (size_t i = 10 + length; i < w.size - 1; i++) assert_int_equal(w.bytes[i], ' ');
    assert_int_equal(w.bytes[w.size - 1], '\n');
}

static void test_shapes(void **state)
{
    (void)state;
    size_t shape[8] = {3, 4, 5, 6, 7, 8, 9, 10}, large[2] = {SIZE_MAX, SIZE_MAX}, none[2] = {0, 7};
    assert_header(header("|S3", 0, NULL), "{'descr': '|S3', 'fortran_order': False, 'shape': (), }");
    assert_header(header("<i4", 1, shape), "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }");
    assert_header(header("<f8", 2, shape), "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }");
    assert_header(header("<f8", 2, none), "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 7), }");
    assert_header(header("<f8", 8, shape),
                  "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4, 5, 6, 7, 8, 9, 10), }");
    assert_header(header("<f8", 2, large), "{'descr': '<f8', 'fortran_order': False, "
                                           "'shape': (18446744073709551615, 18446744073709551615), }");
}

static void test_too_many_dimensions(void **state)
{
    (void)state;
    written w = {.size = 0};
    size_t shape[LM_NPY_DIMENSIONS + 1] = {0};
    leman_context *ctx = test_context_new(1);
    lm_output out;
    assert_int_equal(lm_output_open_sink(ctx, "x.npy", collect, &w, &out), LEMAN_OK);
    assert_int_equal(lm_npy_header(&out, "<f8", LM_NPY_DIMENSIONS + 1, shape), LEMAN_ERROR_ARGUMENT);
    lm_output_abort(&out);
    assert_int_equal(w.size, 0);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_too_many_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
