/*
 * Encodings of graphs, as they stand inside files of networks: the bytes are the body of such a file, without head and
 * checksum. What reads is written back the same, and fills a batch whose numbers have their rows.
 */
#include "nn/encode/inputs.h"
#include "reader.h"

enum { MAX_COLUMNS = 8 };

/* A path of three vertices with as many columns as the encoding wants. */
static leman_dataset *path(leman_context *ctx, const lm_encoding *e)
{
    static const int64_t labels[MAX_COLUMNS] = {0};
    static const double reals[MAX_COLUMNS] = {0.5};
    const leman_columns columns = {.vertex_labels = e->columns.vertex_labels,
                                   .edge_labels = e->columns.edge_labels,
                                   .vertex_attributes = e->columns.vertex_attributes,
                                   .edge_attributes = e->columns.edge_attributes};
    leman_policy policy = leman_policy_default();
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    policy.directed = e->directed;
    fuzz_expect(!leman_builder_new(ctx, "path", &columns, &b) && !leman_builder_graph(b, NULL, NULL, NULL));
    for (size_t v = 0; v < 3; v++) fuzz_expect(!leman_builder_vertex(b, NULL, labels, reals));
    for (size_t v = 0; v < 2; v++) fuzz_expect(!leman_builder_edge(b, v, v + 1, labels, reals));
    fuzz_expect(!leman_builder_finish(b, &policy, NULL, &data));
    leman_builder_free(b);
    return data;
}

static void expect_rows(const uint32_t *number, size_t count, size_t rows)
{
    for (size_t i = 0; i < count; i++) fuzz_expect(number[i] < rows || number[i] == LM_NO_TYPE);
}

static void fill(leman_context *ctx, const lm_encoding *e)
{
    const uint32_t which[] = {0, 0};
    leman_dataset *data = path(ctx, e);
    lm_inputs *inputs = NULL;
    lm_batch b;
    lm_batch_init(ctx, &b);
    if (!lm_inputs_new(ctx, data, e, &inputs) && !lm_inputs_batch(inputs, which, 2, &b)) {
        if (b.tuple_type) expect_rows(b.tuple_type, b.extent.rows[LM_TUPLES], e->widths.types);
        if (b.vertex_type) expect_rows(b.vertex_type, b.extent.rows[LM_VERTICES], e->widths.types);
        if (b.arc_label) expect_rows(b.arc_label, b.extent.rows[LM_ARCS], e->widths.labels);
    }
    lm_batch_free(&b);
    lm_inputs_free(inputs);
    leman_dataset_free(data);
}

/* The first byte chooses what the network reads from graphs. */
static lm_encoding_options options_of(uint8_t byte)
{
    static const lm_encoding_options OPTIONS[] = {
        {.k = 1},
        {.k = 1, .dense = true, .edges = true},
        {.k = 1, .parts = true, .edges = true, .joined = true, .coordinates = 1},
        {.k = 1, .edges = true, .dense = true, .sets = {LM_SETS_PAIRS, LM_SETS_TRIPLES}},
        {.k = 2, .in_arcs = true},
        {.k = 2, .rounds = 2},
        {.k = 2, .parts = true, .coordinates = 1},
        {.k = 2, .matrix = true},
        {.k = 3},
        {.k = 3, .ignore_vertex_labels = true, .ignore_edge_labels = true},
        {.k = 1, .beside = true},
        {.k = 1, .beside = true, .dense = true, .edges = true},
        {.k = 2, .beside = true},
        {.k = 2, .beside = true, .matrix = true}};
    return OPTIONS[byte % (sizeof OPTIONS / sizeof *OPTIONS)];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    lm_encoding *e = NULL;
    lm_serializer out = {0};
    settings.threads = 1;
    if (!size) return 0;
    const lm_encoding_options options = options_of(*bytes++);
    size--;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    lm_serializer in = {.ctx = ctx, .path = "fuzz", .at = (const char *)bytes, .end = (const char *)bytes + size};
    leman_status st = lm_encoding_serialize(&in, &options, &e);
    fuzz_expect(!st || (st == LEMAN_ERROR_INPUT && *leman_context_message(ctx)));
    if (!st) {
        const size_t used = size - (size_t)(in.end - in.at);
        fuzz_expect(!lm_serializer_begin(&out, ctx, "fuzz") && !lm_encoding_serialize(&out, &options, &e));
        fuzz_expect(out.written.count - LM_SERIALIZE_HEAD == used); /* padding apart, the same bytes */
        if (e->columns.vertex_labels <= MAX_COLUMNS && e->columns.edge_labels <= MAX_COLUMNS &&
            e->columns.vertex_attributes <= MAX_COLUMNS && e->columns.edge_attributes <= MAX_COLUMNS)
            fill(ctx, e);
    }
    lm_serializer_close(&out);
    lm_encoding_free(e);
    leman_context_free(ctx);
    return 0;
}
