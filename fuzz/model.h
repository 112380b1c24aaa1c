/*
 * What the fuzz targets of model files share: the words of the head made right, and a model that is read predicts for
 * graphs, or fails with a message.
 */
#ifndef FUZZ_MODEL_H
#define FUZZ_MODEL_H

#include "base/hash.h"
#include "base/serialize.h"
#include "learn/model/model.h"
#include "reader.h"

static inline void fuzz_fix_checksum(char *bytes, size_t size, const char *magic)
{
    enum { CHECKED_FROM = 24 };
    enum { NEWEST = 2 };
    uint64_t version, body = size - LM_SERIALIZE_HEAD;
    if (size < LM_SERIALIZE_HEAD) return;
    memcpy(bytes, magic, 8);
    memcpy(&version, bytes + 8, 8);
    if (version != 1) version = NEWEST; /* both are read, and differ in their bodies */
    memcpy(bytes + 8, &version, 8);
    memcpy(bytes + 24, &body, 8);
    uint64_t sum = lm_checksum(bytes + CHECKED_FROM, size - CHECKED_FROM, version);
    memcpy(bytes + 16, &sum, 8);
}

/* Two graphs of one and two vertices, with as many label columns as the model wants, up to eight. */
static inline leman_dataset *fuzz_two_graphs(leman_context *ctx, const leman_model_shape *shape)
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

static inline void fuzz_predict(leman_context *ctx, const leman_model *model)
{
    const leman_model_shape *shape = leman_model_describe(model);
    leman_dataset *data = fuzz_two_graphs(ctx, shape);
    double *probability = malloc((2 * shape->classes + 1) * sizeof *probability), score[2], out_of_vocabulary[2];
    int64_t label[2];
    fuzz_expect(probability != NULL);
    leman_status st = leman_model_predict(ctx, model, data, label, score, probability, out_of_vocabulary);
    fuzz_expect(!st || *leman_context_message(ctx));
    for (size_t i = 0; !st && i < 2; i++) fuzz_expect(out_of_vocabulary[i] >= 0 && out_of_vocabulary[i] <= 1);
    free(probability);
    leman_dataset_free(data);
}

#endif
