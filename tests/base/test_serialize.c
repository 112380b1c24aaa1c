/* Structures as files: what is written is read, and every way of damage is refused with a sentence. */
#include "base/hash.h"
#include "base/serialize.h"
#include "support/support.h"
#include <math.h>
#include <stdio.h>

static const char MAGIC[8] = "LEMANXX\n";
enum { VERSION = 3 };

typedef struct thing {
    uint64_t word;
    size_t size;
    bool yes;
    double real;
    char *name;
    float *weight;
    size_t weights;
    uint32_t fixed[3];
} thing;

static leman_status serialize_thing(lm_serializer *serializer, thing *t)
{
    leman_status st = LEMAN_OK;
    TRY(lm_serialize_word(serializer, &t->word));
    TRY(lm_serialize_size(serializer, &t->size, 100));
    TRY(lm_serialize_bool(serializer, &t->yes));
    TRY(lm_serialize_real(serializer, &t->real));
    TRY(lm_serialize_text(serializer, &t->name));
    TRY(lm_serialize_array(serializer, (void **)&t->weight, &t->weights, sizeof *t->weight));
    TRY(lm_serialize_into(serializer, t->fixed, 3, sizeof *t->fixed));
done:
    return st;
}

static leman_status write_thing(leman_context *ctx, const char *path, thing *t)
{
    leman_status st = LEMAN_OK;
    lm_serializer serializer = {0};
    TRY(lm_serializer_begin(&serializer, ctx, path));
    TRY(serialize_thing(&serializer, t));
    TRY(lm_serializer_begin(&serializer, ctx, path)); /* again, from the start */
    TRY(serialize_thing(&serializer, t));
    TRY(lm_serializer_save(&serializer, MAGIC, VERSION));
done:
    lm_serializer_close(&serializer);
    return st;
}

static leman_status serialize_any(lm_serializer *serializer, void *state)
{
    return serialize_thing(serializer, state);
}

/* The same without holding it. */
static leman_status stream_thing(leman_context *ctx, const char *path, thing *t)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    TRY(lm_output_open(ctx, path, &out));
    TRY(lm_serializer_stream(&out, MAGIC, VERSION, serialize_any, t));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return st;
}

static leman_status read_thing(leman_context *ctx, const char *path, thing *out)
{
    leman_status st = LEMAN_OK;
    lm_serializer serializer = {0};
    thing t = {0};
    TRY(lm_serializer_open(&serializer, ctx, path, MAGIC, VERSION, "a thing"));
    TRY(serialize_thing(&serializer, &t));
    TRY(lm_serializer_end(&serializer));
    *out = t;
done:
    if (st) {
        lm_release(t.name);
        lm_release(t.weight);
    }
    lm_serializer_close(&serializer);
    return st;
}

static float weights[5] = {1, -0.5f, 3e-38f, 0, 7};
static thing sample(void)
{
    return (thing){.word = UINT64_C(0x0123456789abcdef),
                   .size = 100,
                   .yes = true,
                   .real = -INFINITY,
                   .name = (char *)(uintptr_t) "Zürich",
                   .weight = weights,
                   .weights = 5,
                   .fixed = {1, 2, UINT32_MAX}};
}

static void test_round_trip(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "thing");
    thing a = sample(), b = {0};
    assert_int_equal(write_thing(ctx, path, &a), LEMAN_OK);
    assert_int_equal(read_thing(ctx, path, &b), LEMAN_OK);
    assert_true(a.word == b.word && a.size == b.size && b.yes && b.real == -INFINITY);
    assert_string_equal(b.name, "Zürich");
    assert_int_equal(b.weights, 5);
    assert_memory_equal(b.weight, weights, sizeof weights);
    assert_memory_equal(b.fixed, a.fixed, sizeof a.fixed);
    lm_release(b.name);
    lm_release(b.weight);

    lm_bytes bytes = {0}; /* the layout is little-endian whatever the machine */
    assert_int_equal(lm_bytes_open(ctx, path, 1 << 20, &bytes), LEMAN_OK);
    assert_int_equal(bytes.size, 32 + 4 * 8 + 16 + 32 + 24);
    assert_memory_equal(bytes.data, "LEMANXX\n\3\0\0\0\0\0\0\0", 16);
    assert_memory_equal(bytes.data + 32, "\xef\xcd\xab\x89\x67\x45\x23\x01\x64\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 24);
    assert_memory_equal(bytes.data + 32 + 24 + 8, "\7\0\0\0\0\0\0\0Z\xc3\xbcrich\0", 16);
    lm_bytes_close(&bytes);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* A stream is the same bytes, also of arrays that are longer than any buffer. */
static void test_stream(void **state)
{
    (void)state;
    enum { LONG = 300001 };
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    thing a = sample();
    float *many = malloc(LONG * sizeof *many);
    for (size_t i = 0; i < LONG; i++) many[i] = (float)i;
    for (int turn = 0; turn < 2; turn++) {
        lm_bytes held = {0}, streamed = {0};
        assert_int_equal(write_thing(ctx, test_path(folder, "held"), &a), LEMAN_OK);
        assert_int_equal(stream_thing(ctx, test_path(folder, "streamed"), &a), LEMAN_OK);
        assert_int_equal(lm_bytes_open(ctx, test_path(folder, "held"), 1 << 24, &held), LEMAN_OK);
        assert_int_equal(lm_bytes_open(ctx, test_path(folder, "streamed"), 1 << 24, &streamed), LEMAN_OK);
        assert_int_equal(held.size, streamed.size);
        assert_memory_equal(held.data, streamed.data, held.size);
        lm_bytes_close(&held);
        lm_bytes_close(&streamed);
        a.weight = many;
        a.weights = LONG;
    }
    free(many);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* Makes the checksum of changed bytes right, so that what lies behind it must find the fault. */
static void make_right(char *bytes, size_t size)
{
    uint64_t sum = lm_checksum(bytes + 24, size - 24, VERSION);
    for (int i = 0; i < 8; i++) bytes[16 + i] = (char)(sum >> 8 * i);
}

static void expect_fault(leman_context *ctx, const char *folder, const char *bytes, size_t size, const char *words)
{
    thing t = {0};
    const char *path = test_file_write(folder, "bad", bytes, size);
    leman_status st = read_thing(ctx, path, &t);
    if (st != LEMAN_ERROR_INPUT || !strstr(leman_context_message(ctx), words))
        fail_msg("%zu bytes, '%s': status %d, %s", size, words, st, leman_context_message(ctx));
}

static void test_damage(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    thing t = sample();
    lm_bytes file = {0};
    char bytes[512];
    assert_int_equal(write_thing(ctx, test_path(folder, "thing"), &t), LEMAN_OK);
    assert_int_equal(lm_bytes_open(ctx, test_path(folder, "thing"), 512, &file), LEMAN_OK);
    const size_t size = file.size;
    for (size_t cut = 0; cut < size; cut++)
        expect_fault(ctx, folder, file.data, cut, cut < 8 ? "expected a thing" : "cut off");
    memcpy(bytes, file.data, size);
    memcpy(bytes + size, "more", 4);
    expect_fault(ctx, folder, bytes, size + 4, "something was added behind it");
    for (size_t i = 0; i < size; i++) { /* any one byte */
        memcpy(bytes, file.data, size);
        bytes[i] ^= 0x10;
        expect_fault(ctx, folder, bytes, size, i < 8 ? "something else" : i < 16 ? "version" : "");
    }
    for (size_t i = 0; i < size / 8 - 4; i++) { /* any one word, with a checksum that fits */
        memcpy(bytes, file.data, size);
        memset(bytes + 32 + 8 * i, 0xff, 8);
        make_right(bytes, size);
        leman_status st = read_thing(ctx, test_file_write(folder, "odd", bytes, size), &t);
        assert_true(st == LEMAN_OK || st == LEMAN_ERROR_INPUT);
        if (st) continue;
        lm_release(t.name);
        lm_release(t.weight);
    }
    memcpy(bytes, file.data, size);
    memset(bytes + size, 0, 8);
    bytes[24] = (char)(size + 8 - 32);
    make_right(bytes, size + 8);
    expect_fault(ctx, folder, bytes, size + 8, "8 bytes more");
    lm_bytes_close(&file);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status there_and_back(leman_context *ctx, void *state)
{
    thing a = sample(), b = {0};
    leman_status st = write_thing(ctx, state, &a);
    if (!st) st = stream_thing(ctx, state, &a);
    if (!st) st = read_thing(ctx, state, &b);
    lm_release(b.name);
    lm_release(b.weight);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char path[512];
    snprintf(path, sizeof path, "%s", test_path(folder, "thing"));
    assert_true(test_fail_each_allocation(there_and_back, path) > 4);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
