/* Our own file: what is written is read, and nothing else is: no flipped bit, no cut, no wrong count in the header. */
#include "base/hash.h"
#include "graph/dataset.h"
#include "support/full.h"

/* Where things stand, by docs/formats.md. */
enum { ORDER_AT = 8, VERSION_AT = 12, SUM_AT = 16, COUNTS_AT = 24, COUNTS = 18, HEADER = 192 };
enum { DIRECTED = 5, FIRST_FLAG = 11, NAME_BYTES = 14 }; /* of the counts */

/* ---- Files in memory ------------------------------------------------------------------------- */

typedef struct file {
    char *bytes;
    size_t size;
} file;

static int collect(void *user, const char *bytes, size_t size)
{
    file *f = user;
    f->bytes = realloc(f->bytes, f->size + size);
    assert_non_null(f->bytes);
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
    return 0;
}

static file written(leman_context *ctx, const leman_dataset *data)
{
    file f = {0};
    lm_output out = {0};
    assert_int_equal(lm_output_open_sink(ctx, "memory", collect, &f, &out), LEMAN_OK);
    assert_int_equal(lm_binary_write(ctx, data, &out), LEMAN_OK);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    return f;
}

static leman_status read_file(leman_context *ctx, file f, leman_dataset **data)
{
    lm_bytes bytes = {lm_alloc(ctx, f.size, 1), f.size, false}; /* its end is the end of what may be read */
    if (!bytes.data) return LEMAN_ERROR_MEMORY;
    if (f.size) memcpy((void *)(uintptr_t)bytes.data, f.bytes, f.size);
    leman_status st = lm_binary_read(ctx, "F.leman", &bytes, data);
    assert_int_equal(bytes.data == NULL, st == LEMAN_OK); /* taken over on success */
    lm_bytes_close(&bytes);
    return st;
}

static void expect_refused(leman_context *ctx, file f, const char *words)
{
    leman_dataset *data = NULL;
    leman_status st = read_file(ctx, f, &data);
    if (st != LEMAN_ERROR_INPUT) fail_msg("status %d, expected bad input: %s", (int)st, words);
    assert_null(data);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("'%s' lacks '%s'", leman_context_message(ctx), words);
}

static uint64_t count_at(file f, int index)
{
    uint64_t value;
    memcpy(&value, f.bytes + COUNTS_AT + 8 * index, sizeof value);
    return value;
}

/* Makes the checksum right: header, name, block, each the seed of the next. */
static void seal(file f)
{
    size_t name = count_at(f, NAME_BYTES);
    name = name > f.size ? 0 : (name + 63) / 64 * 64;
    if (name > f.size - HEADER) name = f.size - HEADER;
    uint32_t version;
    memcpy(&version, f.bytes + VERSION_AT, sizeof version);
    uint64_t sum = lm_checksum(f.bytes + COUNTS_AT, HEADER - COUNTS_AT, version);
    sum = lm_checksum(f.bytes + HEADER, name, sum);
    sum = lm_checksum(f.bytes + HEADER + name, f.size - HEADER - name, sum);
    memcpy(f.bytes + SUM_AT, &sum, sizeof sum);
}

/* Between the arrays there are zeros, not what was in memory before. */
static void expect_zero_gaps(file f, const leman_dataset *data)
{
    size_t at = HEADER + (count_at(f, NAME_BYTES) + 63) / 64 * 64;
    for (int i = 0; i < LM_ARRAYS; i++) {
        at += lm_array_bytes(data, lm_dataset_arrays + i);
        for (; at % 64; at++) assert_int_equal(f.bytes[at], 0);
    }
    assert_int_equal(at, f.size);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void test_round_trip(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 1;
    for (size_t round = 0; round < test_cases(60); round++) {
        leman_dataset *data = test_full_dataset(ctx, &state, round % 7, 7, round & 1), *back = NULL;
        file f = written(ctx, data);
        expect_zero_gaps(f, data);
        assert_int_equal(read_file(ctx, f, &back), LEMAN_OK);
        assert_true(test_same_all(data, back));
        assert_int_equal(leman_dataset_shape(back)->directed, round & 1);
        file again = written(ctx, back); /* the same bytes, from memory or from a file */
        assert_true(f.size == again.size && !memcmp(f.bytes, again.bytes, f.size));
        seal(again); /* the checksum is the documented one */
        assert_memory_equal(f.bytes, again.bytes, HEADER);
        free(f.bytes);
        free(again.bytes);
        leman_dataset_free(data);
        leman_dataset_free(back);
    }
    test_context_free(ctx);
}

/* Through the file system: used where it was read to, and the arrays are aligned. */
static void test_in_place(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "full.leman");
    uint64_t state = 2;
    leman_dataset *data = test_full_dataset(ctx, &state, 20, 9, false), *back = NULL;
    leman_read_options options = leman_read_options_default();
    leman_cleaning report = {0};
    leman_policy policy = leman_policy_default();
    policy.self_loops = LEMAN_ACTION_KEEP;
    options.policy = &policy;
    assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_OK);
    assert_int_equal(leman_dataset_read(ctx, path, &options, &report, &back), LEMAN_OK);
    assert_int_equal(report.self_loops, leman_dataset_shape(data)->loops);
    assert_true(back->file.data && !back->block);
    assert_int_equal((uintptr_t)back->graph_start % LM_BLOCK_ALIGNMENT, 0);
    assert_true(test_same_all(data, back));
    assert_int_equal(leman_dataset_write(ctx, back, path, LEMAN_FORMAT_AUTO), LEMAN_OK); /* over the file it lies in */
    assert_true(test_same_all(data, back));
    leman_dataset_free(data);
    leman_dataset_free(back);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_every_flipped_bit_is_caught(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    leman_dataset *data = test_full_dataset(ctx, &state, 3, 3, false);
    file f = written(ctx, data);
    for (size_t bit = 0; bit < 8 * f.size; bit++) {
        f.bytes[bit / 8] = (char)(f.bytes[bit / 8] ^ 1 << bit % 8);
        expect_refused(ctx, f, "F.leman: ");
        f.bytes[bit / 8] = (char)(f.bytes[bit / 8] ^ 1 << bit % 8);
    }
    for (size_t i = 0; i < f.size; i++) {
        f.bytes[i] = (char)~f.bytes[i];
        expect_refused(ctx, f, "F.leman: ");
        f.bytes[i] = (char)~f.bytes[i];
    }
    free(f.bytes);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_every_cut_is_caught(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 4;
    leman_dataset *data = test_full_dataset(ctx, &state, 3, 4, true);
    file f = written(ctx, data);
    for (size_t size = 0; size < f.size; size++) {
        expect_refused(ctx, (file){f.bytes, size}, size < HEADER ? "expected a leman file" : "cut off");
        if (size < HEADER) continue;
        file sealed = {malloc(size), size}; /* cut off and sealed again */
        memcpy(sealed.bytes, f.bytes, size);
        seal(sealed);
        expect_refused(ctx, sealed, "cut off");
        free(sealed.bytes);
    }
    f.bytes = realloc(f.bytes, f.size + 64); /* nor may anything follow */
    memset(f.bytes + f.size, 0, 64);
    expect_refused(ctx, (file){f.bytes, f.size + 1}, "not what its header announces");
    expect_refused(ctx, (file){f.bytes, f.size + 64}, "not what its header announces");
    free(f.bytes);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_other_machines_and_versions(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 5;
    leman_dataset *data = test_full_dataset(ctx, &state, 2, 3, false);
    file f = written(ctx, data);
    const uint32_t other_order = 0x04030201, no_order = 0x01020305, order = 0x01020304, version = 2;
    memcpy(f.bytes + ORDER_AT, &other_order, 4);
    expect_refused(ctx, f, "the other byte order");
    memcpy(f.bytes + ORDER_AT, &no_order, 4);
    expect_refused(ctx, f, "is damaged");
    memcpy(f.bytes + ORDER_AT, &order, 4);
    memcpy(f.bytes + VERSION_AT, &version, 4);
    expect_refused(ctx, f, "found version 2 of the format, expected 1");
    f.bytes[0] = 'l';
    expect_refused(ctx, f, "expected a leman file");
    free(f.bytes);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Every count, wrong in many ways, under a right checksum: refused, or (a flag of nothing) a sound data set. */
static void test_wrong_header(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 6;
    leman_dataset *full = test_full_dataset(ctx, &state, 3, 4, false);
    file f = written(ctx, full);
    for (int i = 0; i < COUNTS; i++) {
        const uint64_t right = count_at(f, i);
        const uint64_t lies[] = {right + 1,
                                 right - 1,
                                 2 * right,
                                 right + 64,
                                 0,
                                 1,
                                 2,
                                 f.size,
                                 f.size / 8,
                                 UINT32_MAX,
                                 UINT64_C(1) << 32,
                                 UINT64_C(1) << 60,
                                 UINT64_C(1) << 61,
                                 UINT64_MAX,
                                 UINT64_MAX - 62,
                                 UINT64_MAX / 8};
        for (size_t j = 0; j < sizeof lies / sizeof *lies; j++) {
            leman_dataset *data = NULL;
            if (lies[j] == right) continue;
            memcpy(f.bytes + COUNTS_AT + 8 * i, lies + j, 8);
            seal(f);
            leman_status st = read_file(ctx, f, &data);
            if (!st) assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
            bool flag = i == DIRECTED || (i >= FIRST_FLAG && i < NAME_BYTES);
            if (st || (flag && lies[j] > 1)) assert_int_equal(st, LEMAN_ERROR_INPUT);
            leman_dataset_free(data);
        }
        memcpy(f.bytes + COUNTS_AT + 8 * i, &right, 8);
    }
    seal(f);
    leman_dataset *data = NULL;
    assert_int_equal(read_file(ctx, f, &data), LEMAN_OK); /* and the right file still reads */
    assert_true(test_same_all(full, data));
    leman_dataset_free(data);
    leman_dataset_free(full);
    free(f.bytes);
    test_context_free(ctx);
}

/* Arrays that are no data set, under a right checksum: refused by the check of data sets. */
static void test_wrong_block(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 7;
    leman_dataset *full = test_full_dataset(ctx, &state, 3, 4, false);
    file f = written(ctx, full);
    for (size_t round = 0; round < test_cases(20000); round++) {
        size_t at = HEADER + test_random(&state) % (f.size - HEADER);
        char before = f.bytes[at];
        leman_dataset *data = NULL;
        f.bytes[at] = (char)test_random(&state);
        seal(f);
        leman_status st = read_file(ctx, f, &data);
        if (st) assert_int_equal(st, LEMAN_ERROR_INPUT);
        if (!st) assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
        leman_dataset_free(data);
        f.bytes[at] = before;
    }
    f.bytes[HEADER] = 0; /* the name */
    seal(f);
    expect_refused(ctx, f, "a zero byte in the name");
    free(f.bytes);
    leman_dataset_free(full);
    test_context_free(ctx);
}

static leman_status write_and_read(leman_context *ctx, void *state)
{
    file f = {0};
    lm_output out = {0};
    leman_dataset *back = NULL;
    leman_status st = lm_output_open_sink(ctx, "memory", collect, &f, &out);
    if (!st) st = lm_binary_write(ctx, state, &out);
    if (!st) st = lm_output_commit(&out);
    lm_output_abort(&out);
    if (!st) st = read_file(ctx, f, &back);
    if (!st) assert_true(test_same_all(state, back));
    leman_dataset_free(back);
    free(f.bytes);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 8;
    leman_dataset *data = test_full_dataset(ctx, &state, 4, 5, false);
    assert_true(test_fail_each_allocation(write_and_read, data) > 5);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_every_flipped_bit_is_caught),
        cmocka_unit_test(test_every_cut_is_caught),
        cmocka_unit_test(test_other_machines_and_versions),
        cmocka_unit_test(test_wrong_header),
        cmocka_unit_test(test_wrong_block),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
