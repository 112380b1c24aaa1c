/*
 * Our binary file, in three ways by the first byte: the input is the file; or the file once its fixed words and its
 * checksum are made right, so that the sizes in its header may lie; or a sound data set is changed in some places, each
 * given by four bytes of input: array, place in it, value; and written, so that only the contents are wrong. What
 * reads must satisfy every invariant of a data set.
 */
#include "base/hash.h"
#include "reader.h"

enum { CHANGE = 4, MAX_CHANGES = 16 };

static void change(leman_dataset *data, const uint8_t *at)
{
    const lm_array *array = lm_dataset_arrays + at[0] % LM_ARRAYS;
    size_t size = lm_array_bytes(data, array);
    unsigned char *bytes = lm_dataset_array(data, array);
    if (size) bytes[(at[1] | (size_t)at[2] << 8) % size] ^= at[3];
}

/* The file of a molecule-like data set with changes. */
static lm_bytes changed_file(leman_context *ctx, const uint8_t *changes, size_t size)
{
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    lm_bytes file = {0};
    lm_output out = {0};
    options.graphs = 2;
    options.vertices = 12;
    fuzz_expect(!leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data));
    for (size_t i = 0; i + CHANGE <= size && i < CHANGE * MAX_CHANGES; i += CHANGE) change(data, changes + i);
    fuzz_expect(!lm_output_open_sink(ctx, "fuzz", fuzz_collect, &file, &out));
    fuzz_expect(!lm_binary_write(ctx, data, &out) && !lm_output_commit(&out));
    lm_output_abort(&out);
    leman_dataset_free(data);
    return file;
}

static lm_bytes plain_file(const uint8_t *bytes, size_t size)
{
    lm_bytes file = {.data = malloc(size + 1), .size = size};
    fuzz_expect(file.data != NULL);
    memcpy((void *)(uintptr_t)file.data, bytes, size);
    return file;
}

/* The same in memory of the context, which lm_binary_read() may keep. */
static lm_bytes owned(leman_context *ctx, lm_bytes file)
{
    lm_vector copy = {0};
    fuzz_expect(!lm_vector_append(ctx, &copy, file.data, file.size, 1));
    free((void *)(uintptr_t)file.data);
    return (lm_bytes){.data = copy.items, .size = file.size};
}

/* The magic, order, version and checksum that docs/formats.md asks for. */
static void fix_checksum(lm_bytes file)
{
    enum { HEADER = 192, COUNTS = 24, NAME_BYTES = COUNTS + 8 * 14 };
    const uint32_t WORDS[2] = {0x01020304, 1};
    char *bytes = (char *)(uintptr_t)file.data;
    uint64_t name;
    if (file.size < HEADER) return;
    memcpy(bytes, "LEMANDS\n", 8);
    memcpy(bytes + 8, WORDS, sizeof WORDS);
    memcpy(&name, bytes + NAME_BYTES, sizeof name);
    size_t rest = file.size - HEADER, first = name > rest ? rest : (name + 63) / 64 * 64;
    if (first > rest) first = rest;
    uint64_t sum = lm_checksum(bytes + COUNTS, HEADER - COUNTS, WORDS[1]);
    sum = lm_checksum(bytes + HEADER, first, sum);
    sum = lm_checksum(bytes + HEADER + first, rest - first, sum);
    memcpy(bytes + 16, &sum, sizeof sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_dataset *data = NULL;
    if (!size) return 0;
    settings.threads = 1;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    lm_bytes file = bytes[0] & 1 ? changed_file(ctx, bytes + 1, size - 1) : plain_file(bytes + 1, size - 1);
    if (bytes[0] & 2) fix_checksum(file);
    file = owned(ctx, file);
    leman_status st = lm_binary_read(ctx, "fuzz.leman", &file, &data);
    fuzz_expect(st ? *leman_context_message(ctx) != 0 && st != LEMAN_ERROR_INTERNAL : data != NULL);
    if (!st) fuzz_expect(!leman_dataset_check(ctx, data));
    leman_dataset_free(data);
    lm_bytes_close(&file); /* the data set's, once it is read */
    leman_context_free(ctx);
    return 0;
}
