/* What the tests of models share: graphs of a few classes, quick options, fitting and predicting. */
#ifndef MODEL_FIXTURE_H
#define MODEL_FIXTURE_H

#include "learn/model/model.h"
#include "support/support.h"

enum { GRAPHS = 36, HALF = 18 };

/* Graphs of `classes` kinds that colour refinement distinguishes: paths, cycles, cliques, stars of 4 to 7 vertices. */
static inline leman_dataset *kinds(leman_context *ctx, size_t graphs, int64_t classes, bool directed)
{
    leman_columns columns = {.vertex_labels = 1, .classes = true, .targets = 1};
    leman_policy policy = leman_policy_default();
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    policy.directed = directed;
    assert_int_equal(leman_builder_new(ctx, "kinds", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < graphs; g++) {
        int64_t kind = (int64_t)g % classes, label = 10 * kind - 5;
        size_t n = 4 + g / (size_t)classes % 4;
        double target = 3 * (double)kind + 0.1 * (double)n;
        leman_builder_graph(b, NULL, &label, &target);
        for (size_t v = 0; v < n; v++) leman_builder_vertex(b, NULL, (int64_t[]){(int64_t)(v + g) % 2}, NULL);
        for (size_t u = 0; u < n; u++)
            for (size_t v = u + 1; v < n; v++)
                if (kind == 0 ? v == u + 1 : kind == 1 ? v == u + 1 || v == u + n - 1 : kind == 2 || u == 0)
                    leman_builder_edge(b, u, v, NULL, NULL);
    }
    assert_int_equal(leman_builder_finish(b, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

static inline leman_kernel kernel_of(leman_algorithm algorithm, unsigned k, bool assignment)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.coloring.algorithm = algorithm;
    kernel.coloring.k = k;
    kernel.assignment = assignment;
    return kernel;
}

static inline leman_fit_options quick(leman_svm svm)
{
    static const double SOME_C[] = {1, 10};
    leman_fit_options options = leman_fit_options_default();
    options.max_rounds = 2;
    options.C = SOME_C;
    options.C_count = 2;
    options.folds = 3;
    options.svm = svm;
    return options;
}

static inline leman_model *fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                               const leman_fit_options *options)
{
    leman_model *model = NULL;
    if (leman_model_fit(ctx, data, kernels, count, options, &model)) fail_msg("%s", leman_context_message(ctx));
    return model;
}

typedef struct predictions {
    int64_t label[GRAPHS];
    double score[GRAPHS], probability[GRAPHS * 4], out_of_vocabulary[GRAPHS];
} predictions;

static inline predictions predict(leman_context *ctx, const leman_model *model, const leman_dataset *data)
{
    predictions a;
    memset(&a, 0, sizeof a);
    if (leman_model_predict(ctx, model, data, a.label, a.score, a.probability, a.out_of_vocabulary))
        fail_msg("%s", leman_context_message(ctx));
    return a;
}

#endif
