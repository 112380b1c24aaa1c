/* The library's run of a model compared with the explicit one of explicit.h: what each layer gives, predictions, loss, and
 * the gradient of every weight, in training and in evaluation. */
#ifndef EXPLICIT_COMPARE_H
#define EXPLICIT_COMPARE_H

#include "nn/explicit.h"

static const double EXPLICIT_TOLERANCE = 1e-9;

static inline void explicit_same(const double *expected, const lm_real *found, size_t count, const char *what,
                                 const char *of)
{
    double scale = 1e-3; /* a bias before a norm has the gradient 0, up to rounding */
    for (size_t i = 0; i < count; i++) scale = fmax(scale, fabs(expected[i]));
    for (size_t i = 0; i < count; i++)
        if (!(fabs(expected[i] - (double)found[i]) <= EXPLICIT_TOLERANCE * scale))
            fail_msg("%s: %s[%zu]: found %.15g, expected %.15g", what, of, i, (double)found[i], expected[i]);
}

static inline void explicit_compare_values(made *m, const explicit_net *e, const char *what)
{
    for (size_t t = 0; t < m->options.shape.layers; t++) {
        lm_real *layer = made_value(m, m->layer[t]);
        explicit_same(e->layer[t]->value, layer, e->layer[t]->rows * e->layer[t]->columns, what, "layer");
        free(layer);
    }
    lm_real *prediction = made_predictions(m);
    explicit_same(e->prediction->value, prediction, e->prediction->rows * e->prediction->columns, what, "prediction");
    free(prediction);
}

static inline void explicit_compare_gradients(const made *m, const explicit_net *e, const char *what)
{
    for (uint32_t i = 0; i < m->program->weights.count; i++) {
        const lm_weight *w = lm_program_weight(m->program, i);
        if (!w->trainable) continue;
        if (!e->weight[i]) fail_msg("%s: %s is not used", what, w->name);
        explicit_same(e->weight[i]->gradient, m->run.gradients + w->offset, w->rows * w->columns, what, w->name);
    }
}

/* Dropout is drawn by the pass, so the explicit network looks at the one that was. */
static inline void explicit_compare_on(lm_model_options options, uint64_t seed, bool directed)
{
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = made_graphs(ctx, &seed, MADE_SIZES, directed ? 30 : 50, directed);
    made m;
    static explicit_net e;
    made_model(&m, ctx, data, options, MADE_GRAPHS, LM_WHOLE, seed);
    const char *what = made_text(&m.options.shape);
    const double loss = check_pass(&m.run, &m.batch);
    explicit_run(&e, &m, true);
    explicit_compare_values(&m, &e, what);
    explicit_same(e.loss->value, &(lm_real){(lm_real)loss}, 1, what, "loss");
    explicit_compare_gradients(&m, &e, what);
    tape_free(&e.t);
    assert_int_equal(lm_executor_weights_read(m.run.executor, m.run.weights),
                     LEMAN_OK); /* with the statistics of that pass */
    made_forward(&m, false);
    explicit_run(&e, &m, false);
    explicit_compare_values(&m, &e, what);
    tape_free(&e.t);
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

#endif
