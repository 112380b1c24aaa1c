/*
 * Checkpoints of networks: bit 0 of the first byte says whether magic, version, size and checksum are made right, the
 * rest is the file. A network that is read predicts for some molecules.
 */
#include "base/hash.h"
#include "nn/train/run.h"
#include "reader.h"

static void store_word(char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++) to[i] = (char)(value >> 8 * i);
}

/* As base/serialize.h has it. */
static void fix_checksum(char *bytes, size_t size)
{
    enum { CHECKED_FROM = 24 };
    if (size < LM_SERIALIZE_HEAD) return;
    memcpy(bytes, LM_CHECKPOINT_MAGIC, 8);
    store_word(bytes + 8, LM_CHECKPOINT_VERSION);
    store_word(bytes + CHECKED_FROM, size - LM_SERIALIZE_HEAD);
    store_word(bytes + 16, lm_checksum(bytes + CHECKED_FROM, size - CHECKED_FROM, LM_CHECKPOINT_VERSION));
}

/* Whatever the weights are, every graph, vertex or edge gets its numbers, or the data is refused. */
static void predict(leman_context *ctx, const leman_network *network)
{
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.graphs = 2;
    options.vertices = 12;
    fuzz_expect(!leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data));
    const size_t outputs = leman_network_describe(network)->outputs, rows = leman_network_rows(network, data);
    double *output = malloc(rows * outputs * sizeof *output);
    fuzz_expect(output != NULL);
    leman_status st = leman_network_predict(ctx, network, data, 0, output);
    fuzz_expect(!st || (st != LEMAN_ERROR_INTERNAL && *leman_context_message(ctx)));
    free(output);
    leman_dataset_free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_network *network = NULL;
    if (!size) return 0;
    settings.threads = 1;
    settings.memory = 1 << 26;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    char *file = malloc(size);
    fuzz_expect(file != NULL);
    memcpy(file, bytes + 1, size - 1);
    if (bytes[0] & 1) fix_checksum(file, size - 1);
    leman_status st = lm_checkpoint_parse(ctx, "fuzz", (lm_bytes){.data = file, .size = size - 1}, &network);
    fuzz_expect(st ? st != LEMAN_ERROR_INTERNAL && *leman_context_message(ctx) : network != NULL);
    if (!st) predict(ctx, network);
    leman_network_free(network);
    free(file);
    leman_context_free(ctx);
    return 0;
}
