/* Zips that people make, damaged zips, and malicious zips. */
#include "support/support.h"

#include "base/context.h"
#include "base/file.h"
#include "io/archive/zip_write.h"
#include "io/format.h"
#include <stdio.h>
#include <zip.h>

/* ---- Zips in memory -------------------------------------------------------------------------- */

static const char EDGES[] = "1, 2\n2, 1\n", INDICATOR[] = "1\n1\n2\n", LABELS[] = "5\n6\n5\n";

typedef struct member {
    const char *name, *text;
} member;

enum { MAX = 1 << 20 };
typedef struct zip_bytes {
    char data[MAX];
    size_t size;
} zip_bytes;

static int collect(void *user, const char *bytes, size_t size)
{
    zip_bytes *z = user;
    assert_true(z->size + size <= MAX);
    memcpy(z->data + z->size, bytes, size);
    z->size += size;
    return 0;
}

/* A zip of the members up to the first without a name, by our own writer, which does not look at names. */
static const zip_bytes *make_zip(const member *members)
{
    static zip_bytes z;
    leman_context *ctx = test_context_new(1);
    lm_output out, *text;
    lm_zip zip;
    z.size = 0;
    assert_int_equal(lm_output_open_sink(ctx, "made.zip", collect, &z, &out), LEMAN_OK);
    lm_zip_begin(ctx, &out, &zip);
    for (const member *m = members; m->name; m++) {
        assert_int_equal(lm_zip_member(&zip, m->name, &text), LEMAN_OK);
        assert_int_equal(lm_output_write(text, m->text, strlen(m->text)), LEMAN_OK);
        assert_int_equal(lm_zip_member_end(&zip), LEMAN_OK);
    }
    assert_int_equal(lm_zip_end(&zip), LEMAN_OK);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    lm_zip_free(&zip);
    test_context_free(ctx);
    return &z;
}

static leman_status read_bytes(leman_context *ctx, const char *path, const void *data, size_t size, uint64_t max_bytes,
                               leman_dataset **out)
{
    leman_read_options options = leman_read_options_default();
    const leman_policy policy = leman_policy_default();
    options.max_bytes = max_bytes;
    options.policy = &policy;
    /* A copy of the exact size, so that a sanitizer sees any look beyond it. */
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    lm_bytes bytes = {copy, size, false};
    leman_status st = lm_format_tu_zip.read(ctx, path, &bytes, &options, NULL, out);
    free(copy);
    return st;
}

static void expect_fails(const void *data, size_t size, uint64_t max_bytes, const char *words)
{
    leman_context *ctx = test_context_new(1);
    leman_dataset *out = NULL;
    assert_int_equal(read_bytes(ctx, "T.zip", data, size, max_bytes, &out), LEMAN_ERROR_INPUT);
    assert_null(out);
    char copy[256];
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        if (!strstr(leman_context_message(ctx), word))
            fail_msg("'%s' does not say '%s'", leman_context_message(ctx), word);
    test_context_free(ctx);
}

static const uint64_t ENOUGH = UINT64_C(1) << 34;

static void expect_members_fail(const member *members, const char *words)
{
    const zip_bytes *z = make_zip(members);
    expect_fails(z->data, z->size, ENOUGH, words);
}

static void expect_members_read(const member *members, const char *name)
{
    const zip_bytes *z = make_zip(members);
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    if (read_bytes(ctx, "-", z->data, z->size, ENOUGH, &data)) fail_msg("%s", leman_context_message(ctx));
    const leman_shape *shape = leman_dataset_shape(data);
    assert_string_equal(shape->name, name);
    assert_int_equal(shape->graphs, 2);
    assert_int_equal(shape->vertices, 3);
    assert_int_equal(shape->edges, 1);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- What people make ------------------------------------------------------------------------ */

static void members_may_stand_anywhere(void **state)
{
    (void)state;
    expect_members_read((member[]){{"S/S_A.txt", EDGES}, {"S/S_graph_indicator.txt", INDICATOR}, {0}}, "S");
    expect_members_read((member[]){{"S_A.txt", EDGES}, {"S_graph_indicator.txt", INDICATOR}, {0}}, "S");
    expect_members_read((member[]){{"x/y/S_A.txt", EDGES}, {"x/y/S_graph_indicator.txt", INDICATOR}, {0}}, "S");
    expect_members_read((member[]){{"./S/S_A.txt", EDGES}, {"./S/S_graph_indicator.txt", INDICATOR}, {0}}, "S");
    expect_members_read((member[]){{"S\\S_A.txt", EDGES}, {"S\\S_graph_indicator.txt", INDICATOR}, {0}}, "S");
    expect_members_read((member[]){{"_A.txt", EDGES}, {"_graph_indicator.txt", INDICATOR}, {0}}, "standard input");
    expect_members_read((member[]){{"S/", ""},
                                   {"S/S_A.txt", EDGES},
                                   {"S/README.txt", "\xff"},
                                   {"S/S_graph_indicator.txt", INDICATOR},
                                   {"S/.S_graph_indicator.txt", "x"},
                                   {".git/X_graph_indicator.txt", "x"},
                                   {"__MACOSX/S/._S_graph_indicator.txt", "x"},
                                   {"__MACOSX/S/T_graph_indicator.txt", "x"},
                                   {0}},
                        "S");
}

static void messages_name_the_member(void **state)
{
    (void)state;
    expect_members_fail((member[]){{"S/S_A.txt", "1, 2\n2, two\n"}, {"S/S_graph_indicator.txt", INDICATOR}, {0}},
                        "T.zip/S/S_A.txt:2: 'two'");
    expect_members_fail((member[]){{"S/S_A.txt", EDGES}, {"S/S_graph_indicator.txt", ""}, {0}},
                        "T.zip/S/S_graph_indicator.txt:1: no lines");
    expect_members_fail((member[]){{"S/S_graph_indicator.txt", INDICATOR}, {0}}, "T.zip S/S_A.txt");
    expect_members_fail((member[]){{"S/S_graph_indicator.txt", INDICATOR}, {"S_A.txt", EDGES}, {0}}, "T.zip S/S_A.txt");
    expect_members_fail((member[]){{"README", "hello"}, {0}}, "T.zip _graph_indicator.txt");
    expect_members_fail((member[]){{0}}, "T.zip _graph_indicator.txt");
    expect_members_fail((member[]){{"a/S_graph_indicator.txt", INDICATOR}, {"b/S_graph_indicator.txt", INDICATOR}, {0}},
                        "a/S_graph_indicator.txt b/S_graph_indicator.txt one");
    expect_members_fail(
        (member[]){{"S_A.txt", EDGES}, {"S_graph_indicator.txt", INDICATOR}, {"S_node_labels.txt/", ""}, {0}},
        "S_node_labels.txt folder");
}

/* Any zip of libzip's making, stored or deflated, reads the same. */
static void stored_members_are_read(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char path[4096];
    strcpy(path, test_path(folder, "stored.zip"));
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    zip_int64_t a = zip_file_add(zip, "S/S_A.txt", zip_source_buffer(zip, EDGES, strlen(EDGES), 0), 0);
    zip_int64_t b =
        zip_file_add(zip, "S/S_graph_indicator.txt", zip_source_buffer(zip, INDICATOR, strlen(INDICATOR), 0), 0);
    assert_int_equal(zip_set_file_compression(zip, (zip_uint64_t)a, ZIP_CM_STORE, 0), 0);
    assert_int_equal(zip_set_file_compression(zip, (zip_uint64_t)b, ZIP_CM_DEFLATE, 0), 0);
    assert_int_equal(zip_close(zip), 0);
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    if (leman_dataset_read(ctx, path, NULL, NULL, &data)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(leman_dataset_shape(data)->edges, 1);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* And libzip, with all its checks, reads what our writer made. */
static void our_zips_are_consistent(void **state)
{
    (void)state;
    const zip_bytes *z =
        make_zip((member[]){{"S/S_A.txt", EDGES}, {"S/empty", ""}, {"S/S_graph_indicator.txt", INDICATOR}, {0}});
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(z->data, z->size, 0, &error);
    zip_t *zip = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    if (!zip) fail_msg("%s", zip_error_strerror(&error));
    assert_int_equal(zip_get_num_entries(zip, 0), 3);
    char text[64] = "";
    zip_file_t *file = zip_fopen(zip, "S/S_A.txt", 0);
    assert_int_equal(zip_fread(file, text, sizeof text), strlen(EDGES));
    assert_string_equal(text, EDGES);
    zip_fclose(file);
    zip_discard(zip);
    zip_error_fini(&error);
}

/* ---- What means harm ------------------------------------------------------------------------- */

static void climbing_paths_are_refused(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"../evil",  "S/../../evil", "..",     "S/..",  "/etc/evil",
                                        "..\\evil", "C:\\evil",     "\\evil", "c:evil"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        expect_members_fail((member[]){{"S_A.txt", EDGES}, {"S_graph_indicator.txt", INDICATOR}, {NAMES[i], "x"}, {0}},
                            "T.zip climbs out");
    expect_members_read(
        (member[]){{"S_A.txt", EDGES}, {"S_graph_indicator.txt", INDICATOR}, {"a..b", "x"}, {"S/x..", "x"}, {0}}, "S");
}

static void repeated_members_are_refused(void **state)
{
    (void)state;
    expect_members_fail((member[]){{"S_A.txt", EDGES}, {"S_graph_indicator.txt", INDICATOR}, {"S_A.txt", EDGES}, {0}},
                        "S_A.txt twice");
    expect_members_fail(
        (member[]){
            {"S_A.txt", EDGES}, {"S_graph_indicator.txt", INDICATOR}, {"./S_graph_indicator.txt", INDICATOR}, {0}},
        "S_graph_indicator.txt twice");
    expect_members_read(
        (member[]){{"S_A.txt", EDGES}, {"S_graph_indicator.txt", INDICATOR}, {"x", "1"}, {"x", "2"}, {0}}, "S");
}

static void put32(char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (char)(value >> 8 * i & 0xff);
}

/* The place of the directory's entry of a member; sizes stand at +20 (compressed) and +24, flags at +8, method at +10.
 */
static char *entry_of(zip_bytes *z, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i + 46 + length <= z->size; i++)
        if (!memcmp(z->data + i, "PK\001\002", 4) && !memcmp(z->data + i + 46, name, length)) return z->data + i;
    fail_msg("no entry for %s", name);
    return NULL;
}

enum { TEXT = 5 << 17 };

/* A valid zip whose _A.txt is long and does not compress well, to be damaged by the caller. */
static zip_bytes *large_zip(void)
{
    static zip_bytes z;
    static char text[TEXT + 1];
    uint64_t random = 1;
    for (size_t i = 0; i < TEXT; i++) text[i] = i % 8 == 7 ? '\n' : (char)('0' + test_random(&random) % 10);
    z = *make_zip(
        (member[]){{"S_A.txt", text}, {"S_graph_indicator.txt", INDICATOR}, {"S_node_labels.txt", LABELS}, {0}});
    return &z;
}

static void bombs_are_not_decompressed(void **state)
{
    (void)state;
    zip_bytes *z = large_zip();
    assert_true(z->size > 200000);
    put32(entry_of(z, "S_A.txt") + 24, UINT32_C(290) << 20); /* more than 1,000 times the zip */
    expect_fails(z->data, z->size, ENOUGH, "S_A.txt decompress 304 50 times");
    put32(entry_of(z, "S_A.txt") + 24, UINT32_MAX - 1); /* more than deflate can do */
    expect_fails(z->data, z->size, ENOUGH, "S_A.txt damaged 4294967294");

    z = large_zip();
    expect_fails(z->data, z->size, 1000, "S_A.txt 655360 limit of 1000");
    expect_fails(z->data, z->size, 5, "S_graph_indicator.txt 6 limit of 5");
    /* Together: the indicator has six bytes, _A.txt the rest. */
    const zip_bytes *small = make_zip((member[]){{"S_A.txt", EDGES}, {"S_graph_indicator.txt", INDICATOR}, {0}});
    size_t all = strlen(EDGES) + strlen(INDICATOR);
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    assert_int_equal(read_bytes(ctx, "T.zip", small->data, small->size, all, &data), LEMAN_OK);
    leman_dataset_free(data);
    test_context_free(ctx);
    expect_fails(small->data, small->size, all - 1, "S_A.txt left of the limit");
}

static void wrong_sizes_are_caught(void **state)
{
    (void)state;
    zip_bytes *z = large_zip();
    put32(entry_of(z, "S_A.txt") + 24, 100);
    expect_fails(z->data, z->size, ENOUGH, "S_A.txt damaged");
    z = large_zip();
    put32(entry_of(z, "S_A.txt") + 24, TEXT + 100);
    expect_fails(z->data, z->size, ENOUGH, "S_A.txt damaged");
    z = large_zip();
    put32(entry_of(z, "S_A.txt") + 20, UINT32_C(1) << 30);
    expect_fails(z->data, z->size, ENOUGH, "S_A.txt damaged");
}

/* Without the flag for UTF-8, names may hold any byte. */
static void any_name_is_safe(void **state)
{
    (void)state;
    static zip_bytes z;
    z = *make_zip((member[]){{"S\xff_A.txt", EDGES}, {"S\xff_graph_indicator.txt", INDICATOR}, {0}});
    for (size_t i = 0; i + 10 < z.size; i++) {
        if (!memcmp(z.data + i, "PK\001\002", 4)) z.data[i + 9] = 0;
        if (!memcmp(z.data + i, "PK\003\004", 4)) z.data[i + 7] = 0;
    }
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    if (read_bytes(ctx, "T.zip", z.data, z.size, ENOUGH, &data)) fail_msg("%s", leman_context_message(ctx));
    assert_string_equal(leman_dataset_shape(data)->name, "S_");
    leman_dataset_free(data);
    test_context_free(ctx);
    entry_of(&z, "S\xff_A.txt")[10] = 14;
    expect_fails(z.data, z.size, ENOUGH, "T.zip/S?_A.txt method 14");
}

static void damage_is_reported(void **state)
{
    (void)state;
    expect_fails("", 0, ENOUGH, "T.zip empty");
    expect_fails("PK\003\004", 4, ENOUGH, "T.zip zip");
    zip_bytes *z = large_zip();
    z->data[100000] ^= 1;
    expect_fails(z->data, z->size, ENOUGH, "S_A.txt damaged");
    z = large_zip();
    entry_of(z, "S_A.txt")[16] ^= 1; /* the checksum */
    expect_fails(z->data, z->size, ENOUGH, "S_A.txt damaged CRC");
    z = large_zip();
    entry_of(z, "S_A.txt")[8] |= 1;
    expect_fails(z->data, z->size, ENOUGH, "S_A.txt encrypted");
    z = large_zip();
    entry_of(z, "S_A.txt")[10] = 14;
    expect_fails(z->data, z->size, ENOUGH, "S_A.txt method 14");
}

/* A comment belongs to the zip, and nothing else may stand behind its end record. */
static void nothing_stands_behind_the_end(void **state)
{
    (void)state;
    enum { END = 22, COMMENT = 300 };
    static zip_bytes z;
    z = *make_zip((member[]){{"S/S_A.txt", EDGES}, {"S/S_graph_indicator.txt", INDICATOR}, {0}});
    memset(z.data + z.size, 'x', 70000);
    expect_fails(z.data, z.size + 1, ENOUGH, "T.zip 1 byte behind");
    expect_fails(z.data, z.size + 5000, ENOUGH, "T.zip 5000 bytes behind");
    expect_fails(z.data, z.size + 70000, ENOUGH, "T.zip"); /* libzip does not look so far */
    z.data[z.size - END + 20] = (char)(COMMENT & 0xff);
    z.data[z.size - END + 21] = (char)(COMMENT >> 8);
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    assert_int_equal(read_bytes(ctx, "T.zip", z.data, z.size + COMMENT, ENOUGH, &data), LEMAN_OK);
    leman_dataset_free(data);
    test_context_free(ctx);
    expect_fails(z.data, z.size + COMMENT + 1, ENOUGH, "T.zip 1 byte behind");
}

/* Every truncation fails; every changed byte fails or changes nothing that is read. */
static void no_small_damage_goes_unnoticed(void **state)
{
    (void)state;
    static zip_bytes z;
    z = *make_zip(
        (member[]){{"S/S_A.txt", EDGES}, {"S/S_graph_indicator.txt", INDICATOR}, {"S/S_node_labels.txt", LABELS}, {0}});
    leman_context *ctx = test_context_new(1);
    leman_dataset *whole = NULL, *data = NULL;
    assert_int_equal(read_bytes(ctx, "T.zip", z.data, z.size, ENOUGH, &whole), LEMAN_OK);
    for (size_t size = 0; size < z.size; size++)
        assert_int_not_equal(read_bytes(ctx, "T.zip", z.data, size, ENOUGH, &data), LEMAN_OK);
    for (size_t i = 0; i < z.size; i++) {
        bool name = memmem(z.data + (i < 32 ? 0 : i - 32), 64, "S_node_labels", 13) != NULL; /* it may be hidden so */
        z.data[i] ^= 0x10;
        if (read_bytes(ctx, "T.zip", z.data, z.size, ENOUGH, &data) == LEMAN_OK) {
            if (!name) assert_true(test_same_dataset(whole, data));
            leman_dataset_free(data);
            data = NULL;
        }
        z.data[i] ^= 0x10;
    }
    leman_dataset_free(whole);
    test_context_free(ctx);
}

/* ---- Budget, stopping, memory ---------------------------------------------------------------- */

static bool stop(void *user, const leman_progress *progress)
{
    (void)user;
    return !strstr(progress->task, "S_A.txt");
}

static void the_budget_and_the_caller_can_stop_it(void **state)
{
    (void)state;
    zip_bytes *z = large_zip();
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_dataset *data = NULL;
    settings.memory = 1 << 16;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(read_bytes(ctx, "T.zip", z->data, z->size, ENOUGH, &data), LEMAN_ERROR_BUDGET);
    leman_context_free(ctx);
    settings = leman_settings_default();
    settings.progress = stop;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(read_bytes(ctx, "T.zip", z->data, z->size, ENOUGH, &data), LEMAN_ERROR_CANCELLED);
    leman_context_free(ctx);
}

static leman_status read_body(leman_context *ctx, void *state)
{
    const zip_bytes *z = state;
    leman_dataset *data = NULL;
    leman_status st = read_bytes(ctx, "T.zip", z->data, z->size, ENOUGH, &data);
    leman_dataset_free(data);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static zip_bytes z;
    z = *make_zip(
        (member[]){{"S/S_A.txt", EDGES}, {"S/S_graph_indicator.txt", INDICATOR}, {"S/S_node_labels.txt", LABELS}, {0}});
    assert_true(test_fail_each_allocation(read_body, &z) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_may_stand_anywhere),
        cmocka_unit_test(messages_name_the_member),
        cmocka_unit_test(stored_members_are_read),
        cmocka_unit_test(our_zips_are_consistent),
        cmocka_unit_test(climbing_paths_are_refused),
        cmocka_unit_test(repeated_members_are_refused),
        cmocka_unit_test(bombs_are_not_decompressed),
        cmocka_unit_test(wrong_sizes_are_caught),
        cmocka_unit_test(any_name_is_safe),
        cmocka_unit_test(damage_is_reported),
        cmocka_unit_test(nothing_stands_behind_the_end),
        cmocka_unit_test(no_small_damage_goes_unnoticed),
        cmocka_unit_test(the_budget_and_the_caller_can_stop_it),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
