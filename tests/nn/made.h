/* Models on random data, ready to be run: what the tests of models share. */
#ifndef MADE_H
#define MADE_H

#include "nn/check.h"
#include "nn/encode/inputs.h"
#include "nn/model.h"

enum { MADE_GRAPHS = 5, MADE_TARGETS = 2, MADE_CLASSES = 3, MADE_MAX = 64 };

/* Five small graphs with every kind of column: two labels of edges, three of vertices, five attributes of vertices of
 * which the last three are a position, one of edges. One has a single vertex, one no edges. */
static inline leman_dataset *made_graphs(leman_context *ctx, uint64_t *state, const size_t *sizes, unsigned percent,
                                         bool directed)
{
    leman_policy policy = leman_policy_default();
    const leman_columns columns = {.vertex_labels = 1,
                                   .edge_labels = 1,
                                   .vertex_attributes = 5,
                                   .edge_attributes = 1,
                                   .targets = MADE_TARGETS,
                                   .classes = true};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "made", &columns, &builder), LEMAN_OK);
    for (size_t g = 0; sizes[g] != SIZE_MAX; g++) {
        const int64_t class_label = (int64_t)(test_random(state) % MADE_CLASSES);
        double real[5];
        for (size_t i = 0; i < 5; i++) real[i] = check_real(state);
        assert_int_equal(leman_builder_graph(builder, NULL, &class_label, real), LEMAN_OK);
        for (size_t v = 0; v < sizes[g]; v++) {
            const int64_t label = (int64_t)(test_random(state) % 3);
            for (size_t i = 0; i < 5; i++) real[i] = check_real(state);
            assert_int_equal(leman_builder_vertex(builder, NULL, &label, real), LEMAN_OK);
        }
        for (size_t u = 0; u < sizes[g]; u++)
            for (size_t w = directed ? 0 : u + 1; w < sizes[g]; w++) {
                if (u == w) continue;
                const int64_t label = (int64_t)(test_random(state) % 2);
                if (g == 3 || test_random(state) % 100 >= percent) continue;
                real[0] = check_real(state);
                assert_int_equal(leman_builder_edge(builder, u, w, &label, real), LEMAN_OK);
            }
    }
    policy.directed = directed;
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static inline leman_dataset *made_data(leman_context *ctx, uint64_t *state, const size_t *sizes, unsigned percent)
{
    return made_graphs(ctx, state, sizes, percent, false);
}

static const size_t MADE_SIZES[] = {5, 1, 4, 3, 6, SIZE_MAX};

typedef struct made {
    leman_context *ctx;
    const leman_dataset *data;
    lm_model_options options;
    lm_encoding *encoding;
    lm_inputs *inputs;
    lm_program *program;
    uint32_t layer[LM_NETWORK_MAX_ROUNDS]; /* value after each layer, kept readable */
    lm_batch batch;
    check_run run;
    uint32_t class_id[MADE_MAX], which[MADE_MAX];
} made;

static inline leman_architecture made_shape(leman_network_kind kind, unsigned k, leman_preset preset)
{
    return (leman_architecture){.kind = kind,
                                .k = k,
                                .preset = preset,
                                .layers = 2,
                                .width = 4,
                                .coordinates = preset == LEMAN_PRESET_QM9 ? 3 : 0,
                                .first_coordinate = preset == LEMAN_PRESET_QM9 ? 2 : 0};
}

static inline void made_batch(made *m, const uint32_t *which, size_t count)
{
    if (lm_inputs_batch(m->inputs, which, count, &m->batch)) fail_msg("%s", leman_context_message(m->ctx));
}

/* Finds the values after the layers: each is what the last step of its segment writes. A network whose input has steps
 * has a segment more, before its layers. */
static inline void made_find_layers(made *m)
{
    const leman_architecture *a = &m->options.shape;
    const lm_widths *w = &m->encoding->widths;
    const bool parts = a->preset == LEMAN_PRESET_QM9 && a->k > 1 && a->kind != LEMAN_NETWORK_KIND_PPGN;
    const bool beside = w->attributes || (m->encoding->options.beside && w->tuple_reals);
    const uint32_t first = parts || (beside && a->kind != LEMAN_NETWORK_KIND_PPGN) ||
                           a->kind == LEMAN_NETWORK_KIND_MPNN || a->kind >= LEMAN_NETWORK_KIND_LOCAL2;
    for (size_t s = 0; s < m->program->steps.count; s++) {
        const lm_step *step = lm_program_step(m->program, s);
        if (step->segment >= first && step->segment - first < a->layers)
            m->layer[step->segment - first] = step->output[0];
    }
    for (size_t t = 0; t < a->layers; t++) lm_program_keep(m->program, m->layer[t]);
}

/* The model of this shape with the encoding of the data, the first `graphs` of it in a batch, in a network whose
 * weights are far from 0. Preset tu learns classes, the others targets. */
static inline void made_model(made *m, leman_context *ctx, const leman_dataset *data, lm_model_options options,
                              size_t graphs, lm_mode mode, uint64_t seed)
{
    const bool classes = options.shape.preset == LEMAN_PRESET_TU;
    *m = (made){.ctx = ctx, .data = data};
    m->options = options;
    m->options.outputs = classes ? MADE_CLASSES : MADE_TARGETS;
    m->options.loss = classes ? LM_OP_CROSS_ENTROPY : LM_OP_L1;
    if (lm_model_normalize(ctx, &m->options)) fail_msg("%s", leman_context_message(ctx));
    const lm_encoding_options encoding = lm_model_encoding(&m->options);
    if (lm_encoding_learn(ctx, data, NULL, 0, &encoding, &m->encoding)) fail_msg("%s", leman_context_message(ctx));
    const uint32_t training[] = {4, 0, 2};
    if (m->encoding->options.beside && options.shape.attributes == LEMAN_ATTRIBUTE_USE_STANDARDIZED)
        assert_int_equal(lm_encoding_standardize(ctx, m->encoding, data, training, 3), LEMAN_OK);
    if (lm_inputs_new(ctx, data, m->encoding, &m->inputs)) fail_msg("%s", leman_context_message(ctx));
    for (size_t g = 0; g < graphs; g++) {
        m->which[g] = (uint32_t)g;
        m->class_id[g] = leman_dataset_classes(data) ? (uint32_t)leman_dataset_classes(data)[g] : 0;
    }
    if (classes)
        m->inputs->class_id = m->class_id;
    else if (leman_dataset_targets(data))
        m->inputs->target = leman_dataset_targets(data), m->inputs->targets = MADE_TARGETS;
    lm_batch_init(ctx, &m->batch);
    if (lm_model_build(ctx, &m->options, &m->encoding->widths, &m->program)) fail_msg("%s", leman_context_message(ctx));
    made_find_layers(m);
    m->run = check_run_new(ctx, m->program, mode, seed, true);
    made_batch(m, m->which, graphs);
}

static inline void made_new(made *m, leman_context *ctx, const leman_dataset *data, leman_architecture shape,
                            size_t graphs, lm_mode mode, uint64_t seed)
{
    made_model(m, ctx, data, (lm_model_options){.shape = shape}, graphs, mode, seed);
}

static inline void made_free(made *m)
{
    check_run_free(&m->run);
    lm_batch_free(&m->batch);
    lm_program_free(m->program);
    lm_inputs_free(m->inputs);
    lm_encoding_free(m->encoding);
}

static inline void made_forward(made *m, bool training)
{
    assert_int_equal(lm_executor_weights_write(m->run.executor, m->run.weights), LEMAN_OK);
    if (lm_executor_forward(m->run.executor, &m->batch, training, 1)) fail_msg("%s", leman_context_message(m->ctx));
}

/* A value of the last pass; free() it. */
static inline lm_real *made_value(made *m, uint32_t value)
{
    const lm_value *v = lm_program_value(m->program, value);
    lm_real *out = malloc((m->batch.extent.rows[v->space] * v->width + 1) * sizeof *out);
    assert_int_equal(lm_executor_value(m->run.executor, value, out), LEMAN_OK);
    return out;
}

/* Predictions for the graphs of the batch: [graphs][outputs]; free() it. */
static inline lm_real *made_predictions(made *m)
{
    lm_real *out = malloc((m->batch.extent.rows[LM_GRAPHS] * m->options.outputs + 1) * sizeof *out);
    assert_int_equal(lm_executor_value(m->run.executor, m->run.executor->program->prediction, out), LEMAN_OK);
    return out;
}

static inline const char *made_text(const leman_architecture *shape)
{
    static char text[64];
    snprintf(text, sizeof text, "%s, k = %u, %s", leman_network_kind_name(shape->kind), shape->k,
             leman_preset_name(shape->preset));
    return text;
}

#endif
