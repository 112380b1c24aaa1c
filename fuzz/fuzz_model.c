/*
 * Model files: the first byte says whether the fixed words, the size and the checksum are made right, the rest is the
 * file. A model that is read predicts for graphs, or fails with a message.
 */
#include "base/hash.h"
#include "base/serialize.h"
#include "learn/model.h"
#include "reader.h"
#include <math.h>

static void fix_checksum(char *bytes, size_t size)
{
    enum { CHECKED_FROM = 24 };
    uint64_t version = 1, body = size - LM_SERIALIZE_HEAD;
    if (size < LM_SERIALIZE_HEAD) return;
    memcpy(bytes, LM_MODEL_MAGIC, 8);
    memcpy(bytes + 8, &version, 8);
    memcpy(bytes + 24, &body, 8);
    uint64_t sum = lm_checksum(bytes + CHECKED_FROM, size - CHECKED_FROM, version);
    memcpy(bytes + 16, &sum, 8);
}

/* Two graphs of one and two vertices, with as many label columns as the model wants, up to eight. */
static leman_dataset *two_graphs(leman_context *ctx, const leman_model_shape *shape)
{
    static const int64_t labels[8] = {0};
    static const double lengths[1] = {1};
    leman_columns columns = {.vertex_labels = shape->vertex_labels < 8 ? shape->vertex_labels : 8,
                             .edge_labels = shape->edge_labels < 8 ? shape->edge_labels : 8,
                             .edge_attributes = 1};
    leman_policy policy = leman_policy_default();
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    policy.directed = shape->directed;
    fuzz_expect(!leman_builder_new(ctx, "two", &columns, &b));
    for (size_t n = 1; n <= 2; n++) {
        fuzz_expect(!leman_builder_graph(b, NULL, NULL, NULL));
        for (size_t v = 0; v < n; v++) fuzz_expect(!leman_builder_vertex(b, NULL, labels, NULL));
        if (n == 2) fuzz_expect(!leman_builder_edge(b, 0, 1, labels, lengths));
    }
    fuzz_expect(!leman_builder_finish(b, &policy, NULL, &data));
    leman_builder_free(b);
    return data;
}

static void predict(leman_context *ctx, const leman_model *model)
{
    const leman_model_shape *shape = leman_model_describe(model);
    leman_dataset *data = two_graphs(ctx, shape);
    double *probability = malloc((2 * shape->classes + 1) * sizeof *probability), score[2], out_of_vocabulary[2];
    int64_t label[2];
    fuzz_expect(probability != NULL);
    leman_status st = leman_model_predict(ctx, model, data, label, score, probability, out_of_vocabulary);
    fuzz_expect(!st || *leman_context_message(ctx));
    for (size_t i = 0; !st && i < 2; i++) fuzz_expect(out_of_vocabulary[i] >= 0 && out_of_vocabulary[i] <= 1);
    free(probability);
    leman_dataset_free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_model *model = NULL;
    if (!size) return 0;
    settings.threads = 1;
    settings.memory = 1 << 16;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    char *file = malloc(size);
    fuzz_expect(file != NULL);
    memcpy(file, bytes + 1, size - 1);
    if (bytes[0] & 1) fix_checksum(file, size - 1);
    leman_status st = lm_model_parse(ctx, "fuzz", (lm_bytes){.data = file, .size = size - 1}, &model);
    fuzz_expect(!st || (st == LEMAN_ERROR_INPUT && *leman_context_message(ctx)));
    if (!st) predict(ctx, model);
    leman_model_free(model);
    free(file);
    leman_context_free(ctx);
    return 0;
}
