/* Files: inputs from disk and pipes, and outputs that appear whole or not at all. */
#include "base/context.h"
#include "base/digits.h"
#include "base/file.h"
#include "support/support.h"
#include <dirent.h>
#include <float.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Looking at folders ---------------------------------------------------------------------- */

static size_t entries(const char *folder)
{
    size_t count = 0;
    DIR *open_folder = opendir(folder);
    assert_non_null(open_folder);
    for (const struct dirent *entry; (entry = readdir(open_folder));) count += *entry->d_name != '.';
    closedir(open_folder);
    return count;
}

static void expect_content(const char *path, const char *expected)
{
    char content[256] = {0};
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_true(fread(content, 1, sizeof content - 1, f) == strlen(expected));
    fclose(f);
    assert_string_equal(content, expected);
}

static unsigned mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 07777;
}

static leman_status put(leman_context *ctx, const char *path, const char *content)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    TRY(lm_output_open(ctx, path, &out));
    TRY(lm_output_write(&out, content, strlen(content)));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return st;
}

/* ---- Outputs --------------------------------------------------------------------------------- */

static void test_commit_and_abort(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "out");
    lm_output out = {0};
    lm_output_abort(&out); /* nothing was opened */
    assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
    assert_int_equal(lm_output_write(&out, "half", 4), LEMAN_OK);
    assert_int_equal(access(path, F_OK), -1); /* not there before it is whole */
    lm_output_abort(&out);
    lm_output_abort(&out);
    assert_int_equal(entries(folder), 0);

    assert_int_equal(put(ctx, path, "first"), LEMAN_OK);
    expect_content(path, "first");
    assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
    lm_output_write(&out, "second", 6);
    expect_content(path, "first");
    lm_output_abort(&out);
    expect_content(path, "first");
    assert_int_equal(put(ctx, path, "third"), LEMAN_OK);
    expect_content(path, "third");
    assert_int_equal(put(ctx, path, ""), LEMAN_OK);
    expect_content(path, "");
    assert_int_equal(entries(folder), 1);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_permissions(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "out");
    mode_t before = umask(027);
    assert_int_equal(put(ctx, path, "new"), LEMAN_OK);
    assert_int_equal(mode_of(path), 0640); /* the umask decides on new files */
    assert_int_equal(chmod(path, 0604), 0);
    assert_int_equal(put(ctx, path, "newer"), LEMAN_OK);
    assert_int_equal(mode_of(path), 0604); /* the old file on its successor */
    umask(before);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_links_stay(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_file_text(folder, "real", "old");
    const char *link = test_path(folder, "link");
    struct stat about;
    assert_int_equal(symlink("real", link), 0);
    assert_int_equal(put(ctx, link, "new"), LEMAN_OK);
    expect_content(path, "new");
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(entries(folder), 2);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* A limit on file sizes stands for a full disk: the old file survives, nothing else is left. */
static void test_failed_write_keeps_the_old_file(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_file_text(folder, "out", "old");
    struct rlimit before, small;
    static char block[1 << 20];
    lm_output out = {0};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1 << 16;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
    leman_status first = lm_output_write(&out, block, sizeof block), later = lm_output_write(&out, "x", 1);
    leman_status last = lm_output_commit(&out); /* remembers, even if the writer did not look */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(first == LEMAN_ERROR_FILE && later == LEMAN_ERROR_FILE && last == LEMAN_ERROR_FILE);
    assert_non_null(strstr(leman_context_message(ctx), "out: cannot be written: "));
    expect_content(path, "old");
    assert_int_equal(entries(folder), 1);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void expect_no_output(const char *path, const char *words)
{
    leman_context *ctx = test_context_new(1);
    assert_int_equal(put(ctx, path, "text"), LEMAN_ERROR_FILE);
    const char *message = leman_context_message(ctx);
    if (!strstr(message, path) || !strstr(message, words)) fail_msg("'%s' does not say '%s'", message, words);
    test_context_free(ctx);
}

static void test_impossible_outputs(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *file = test_file_text(folder, "file", "");
    expect_no_output(folder, "Is a directory");
    expect_no_output(test_path(folder, "missing/out"), "No such file");
    expect_no_output(test_path(file, "out"), "Not a directory");
    expect_no_output("", "No such file");
    if (!access("/dev/full", W_OK)) expect_no_output("/dev/full", "No space left");
    if (geteuid()) { /* root may do anything */
        assert_int_equal(chmod(folder, 0500), 0);
        expect_no_output(test_path(folder, "out"), "Permission denied");
        assert_int_equal(chmod(folder, 0700), 0);
    }
    assert_int_equal(entries(folder), 1);
    test_folder_remove(folder);
}

static void test_devices_are_written_to(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    struct stat about;
    assert_int_equal(put(ctx, "/dev/null", "text"), LEMAN_OK);
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    test_context_free(ctx);
}

/* As printf has them: around every power of ten, the ends of 32 and 64 bits, and numbers of all lengths. */
static void test_digits(void **unused)
{
    (void)unused;
    uint64_t power = 1, random = 1;
    for (int i = 0; i < 2000; i++) {
        const uint64_t around = i < 20 ? power : i == 20 ? UINT32_MAX : UINT64_MAX - 1;
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        for (uint64_t step = 0; step < 3; step++) {
            const uint64_t value = i < 22 ? around - 1 + step : random >> (i % 64);
            char found[32] = "", expected[32];
            *lm_digits(found, value) = '\0';
            snprintf(expected, sizeof expected, "%" PRIu64, value);
            assert_string_equal(found, expected);
        }
        if (i < 19) power *= 10;
    }
}

static int take_all(void *user, const char *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return 0;
}

/* Bytes at places of their own, in any order, between others that are written one after the other. */
static void test_places(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "out");
    char nowhere[] = "nowhere";
    lm_output out = {0};
    uint64_t place;
    assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
    lm_output_write(&out, "head ", 5);
    assert_true(lm_output_begin_places(&out, &place));
    assert_int_equal(place, 5);
    assert_int_equal(lm_output_write_at(ctx, &out, place + 4, "two ", 4), LEMAN_OK);
    assert_int_equal(lm_output_write_at(ctx, &out, place, "one ", 4), LEMAN_OK);
    assert_int_equal(lm_output_end_places(&out, place + 8), LEMAN_OK);
    lm_output_write(&out, "tail", 4);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    expect_content(path, "head one two tail");
    out = (lm_output){.path = nowhere, .file = -1};
    assert_int_equal(lm_output_write_at(ctx, &out, 0, "x", 1), LEMAN_ERROR_FILE);
    assert_non_null(strstr(leman_context_message(ctx), "nowhere: cannot be written"));
    assert_int_equal(lm_output_open_sink(ctx, "sink", take_all, NULL, &out), LEMAN_OK);
    assert_false(lm_output_begin_places(&out, &place));
    lm_output_abort(&out);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void test_numbers_and_lines(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "out");
    lm_output out = {0};
    static const int64_t WHOLE[] = {0, 1, -1, 10, INT64_MAX, INT64_MIN, 1234567890123456789};
    static const double REAL[] = {0.1, -0.0, 1e22, 1.0 / 3, DBL_MAX, DBL_MIN, 4.9e-324, 123456, 5e-5, 1e100, 0.1 + 0.2};
    char expected[256] = "", *p = expected;
    assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
    for (size_t i = 0; i < sizeof WHOLE / sizeof *WHOLE; i++) {
        lm_output_integer(&out, WHOLE[i]);
        lm_output_write(&out, "\n", 1);
        p += sprintf(p, "%" PRId64 "\n", WHOLE[i]);
    }
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    expect_content(path, expected);
    for (size_t i = 0; i < sizeof REAL / sizeof *REAL; i++) { /* reads back as the same bits */
        assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
        lm_output_real(&out, REAL[i]);
        assert_int_equal(lm_output_commit(&out), LEMAN_OK);
        char text[64] = {0};
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        assert_true(fread(text, 1, sizeof text - 1, f) > 0);
        fclose(f);
        double value = strtod(text, NULL);
        assert_memory_equal(&value, REAL + i, sizeof value);
        if (REAL[i] == 0.1) assert_string_equal(text, "0.1"); /* and is short */
    }
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* Short decimals and others: the text is the first of 15, 16 or 17 digits that reads back. */
static void test_reals_read_back(void **unused)
{
    (void)unused;
    enum { COUNT = 20000 };
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "out");
    double *value = malloc(COUNT * sizeof *value);
    lm_output out = {0};
    uint64_t state = 1;
    assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
    for (int i = 0; i < COUNT; i++) {
        uint64_t x = test_random(&state);
        if (i % 3 == 0)
            value[i] = (double)(int64_t)(x >> 30) / (double)(1 << (x & 15));
        else if (i % 3 == 1)
            value[i] = (double)(int64_t)(x % 2000001 - 1000000) / 1000;
        else
            memcpy(value + i, &x, sizeof x);
        if (value[i] - value[i] != 0) value[i] = -0.0;
        lm_output_real(&out, value[i]);
        lm_output_write(&out, "\n", 1);
    }
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    FILE *f = fopen(path, "r");
    char text[64], expected[64];
    assert_non_null(f);
    for (int i = 0; i < COUNT; i++) {
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(expected, sizeof expected, "%.*g", digits, value[i]);
            if (strtod(expected, NULL) == value[i]) break;
        }
        assert_int_equal(fscanf(f, "%63s", text), 1);
        assert_string_equal(text, expected);
    }
    fclose(f);
    free(value);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* Lines of every length come out as they went in, through the buffer and past it. */
static void test_printf(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "out");
    char *line = malloc(5001);
    lm_output out = {0};
    lm_bytes bytes = {0};
    size_t total = 0, at = 0;
    memset(line, 'x', 5000);
    line[5000] = 0;
    assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
    for (size_t length = 0; length <= 5000; length += 13) {
        assert_int_equal(lm_output_printf(&out, "%s\n", line + 5000 - length), LEMAN_OK);
        total += length + 1;
    }
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    assert_int_equal(lm_bytes_open(ctx, path, UINT64_MAX, &bytes), LEMAN_OK);
    assert_int_equal(bytes.size, total);
    for (size_t length = 0; length <= 5000; length += 13) {
        for (size_t i = 0; i < length; i++) assert_int_equal(bytes.data[at++], 'x');
        assert_int_equal(bytes.data[at++], '\n');
    }
    lm_bytes_close(&bytes);
    free(line);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static int count_bytes(void *user, const char *bytes, size_t size)
{
    size_t *left = user;
    (void)bytes;
    if (size > *left) return 28; /* ENOSPC */
    *left -= size;
    return 0;
}

static void test_sink(void **unused)
{
    (void)unused;
    static char block[1000];
    leman_context *ctx = test_context_new(1);
    for (size_t room = 999; room <= 1000; room++) {
        size_t left = room;
        lm_output out = {0};
        assert_int_equal(lm_output_open_sink(ctx, "member", count_bytes, &left, &out), LEMAN_OK);
        assert_int_equal(lm_output_write(&out, block, sizeof block), LEMAN_OK); /* still in the buffer */
        assert_int_equal(lm_output_commit(&out), room < 1000 ? LEMAN_ERROR_FILE : LEMAN_OK);
        assert_int_equal(left, room < 1000 ? room : 0);
    }
    test_context_free(ctx);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static void test_inputs(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_file_text(folder, "in", "12345");
    lm_bytes bytes = {0};
    assert_int_equal(lm_bytes_open(ctx, path, 5, &bytes), LEMAN_OK);
    assert_true(bytes.size == 5 && !memcmp(bytes.data, "12345", 5));
    lm_bytes_close(&bytes);
    lm_bytes_close(&bytes);
    assert_int_equal(lm_bytes_open(ctx, path, 4, &bytes), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "in: larger than the limit of 4 bytes"));
    assert_null(bytes.data);
    assert_int_equal(lm_bytes_open(ctx, test_file_text(folder, "empty", ""), 5, &bytes), LEMAN_OK);
    assert_int_equal(bytes.size, 0);
    lm_bytes_close(&bytes);
    assert_int_equal(lm_bytes_open(ctx, folder, 5, &bytes), LEMAN_ERROR_FILE);
    assert_non_null(strstr(leman_context_message(ctx), "is a folder"));
    assert_int_equal(lm_bytes_open(ctx, test_path(folder, "missing"), 5, &bytes), LEMAN_ERROR_FILE);
    assert_non_null(strstr(leman_context_message(ctx), "missing: cannot be opened: No such file"));
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* Reads standard input, which is this descriptor for the time being. */
static leman_status read_standard(leman_context *ctx, int from, uint64_t max_bytes, lm_bytes *bytes)
{
    int before = dup(STDIN_FILENO);
    assert_true(before >= 0 && dup2(from, STDIN_FILENO) == STDIN_FILENO);
    leman_status st = lm_bytes_open(ctx, "-", max_bytes, bytes);
    assert_true(dup2(before, STDIN_FILENO) == STDIN_FILENO);
    close(before);
    return st;
}

static void test_standard_input(void **unused)
{
    (void)unused;
    enum { SIZE = 40000 }; /* what a pipe holds without a reader */
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char *block = malloc(SIZE);
    lm_bytes bytes = {0};
    int ends[2];
    for (size_t i = 0; i < SIZE; i++) block[i] = (char)(i % 251);
    for (int limited = 0; limited < 2; limited++) {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], block, SIZE), SIZE);
        close(ends[1]);
        leman_status st = read_standard(ctx, ends[0], limited ? SIZE - 1 : SIZE, &bytes);
        close(ends[0]);
        assert_int_equal(st, limited ? LEMAN_ERROR_INPUT : LEMAN_OK);
        if (limited) {
            assert_non_null(strstr(leman_context_message(ctx), "standard input: larger than the limit"));
            continue;
        }
        assert_true(bytes.size == SIZE && !memcmp(bytes.data, block, SIZE));
        lm_bytes_close(&bytes);
    }
    FILE *f = fopen(test_file_text(folder, "in", "head tail"), "rb"); /* a file whose head someone has read */
    assert_non_null(f);
    assert_true(lseek(fileno(f), 5, SEEK_SET) == 5);
    assert_int_equal(read_standard(ctx, fileno(f), 100, &bytes), LEMAN_OK);
    assert_true(bytes.size == 4 && !memcmp(bytes.data, "tail", 4));
    lm_bytes_close(&bytes);
    fclose(f);
    free(block);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* ---- Names ----------------------------------------------------------------------------------- */

static void test_names(void **unused)
{
    (void)unused;
    static const struct {
        const char *path, *stem;
    } CASES[] = {
        {"a/b/NCI1.zip", "NCI1"},
        {"NCI1", "NCI1"},
        {"x.tar.gz", "x"},
        {".hidden", ".hidden"},
        {"a.b/c", "c"},
        {"-", "-"},
        {"a\nb.g6", "a_b"},
        {"caf\xc3\xa9.g6", "caf\xc3\xa9"},
        {"\xff\xfe.g6", "__"},
        {"\xc3.g6", "_"},
        {"a\xe2\x82", "a__"},
        {"\xed\xa0\x80", "___"},
        {"\xf0\x9f\x98\x80.x", "\xf0\x9f\x98\x80"},
        {"\xc0\xaf", "__"},
        {"\x7f", "_"},
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *stem = NULL;
        assert_int_equal(lm_path_stem(ctx, CASES[i].path, &stem), LEMAN_OK);
        assert_string_equal(stem, CASES[i].stem);
        lm_release(stem);
    }
    assert_string_equal(lm_path_base("a/b/c.d"), "c.d");
    assert_string_equal(lm_path_base("c.d"), "c.d");
    assert_true(lm_path_ends("A.ZIP", ".zip") && lm_path_ends(".zip", ".zip"));
    assert_true(!lm_path_ends("zip", ".zip") && !lm_path_ends("a.zip.txt", ".zip"));
    assert_string_equal(lm_path_ending("a.b/c.csv.gz"), ".gz");
    assert_string_equal(lm_path_ending("c.V2"), ".V2");
    static const char *const WITHOUT[] = {"c", "a.b/c", "a.b/", ".csv", "c.", "c.2024", "c.a-b", "", "..", "a/.."};
    for (size_t i = 0; i < sizeof WITHOUT / sizeof *WITHOUT; i++) assert_null(lm_path_ending(WITHOUT[i]));
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static leman_status use_files(leman_context *ctx, void *state)
{
    const char *folder = state;
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    lm_bytes bytes = {0};
    char *stem = NULL, long_line[2000];
    memset(long_line, 'y', sizeof long_line);
    TRY(lm_output_open(ctx, test_path(folder, "out"), &out));
    lm_output_printf(&out, "%.*s", (int)sizeof long_line, long_line); /* commit tells */
    TRY(lm_output_commit(&out));
    struct stat about;
    assert_int_equal(stat(test_path(folder, "out"), &about), 0);
    assert_int_equal(about.st_size, sizeof long_line); /* whole, or not committed */
    TRY(lm_bytes_open(ctx, "/dev/null", 100, &bytes)); /* read, not mapped */
    TRY(lm_path_stem(ctx, "name.ext", &stem));
done:
    lm_output_abort(&out);
    lm_bytes_close(&bytes);
    lm_release(stem);
    assert_int_equal(entries(folder), access(test_path(folder, "out"), F_OK) ? 0 : 1);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    assert_true(test_fail_each_allocation(use_files, (void *)(uintptr_t)folder) > 5);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commit_and_abort),
        cmocka_unit_test(test_permissions),
        cmocka_unit_test(test_links_stay),
        cmocka_unit_test(test_failed_write_keeps_the_old_file),
        cmocka_unit_test(test_impossible_outputs),
        cmocka_unit_test(test_devices_are_written_to),
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_numbers_and_lines),
        cmocka_unit_test(test_reals_read_back),
        cmocka_unit_test(test_printf),
        cmocka_unit_test(test_sink),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_standard_input),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
