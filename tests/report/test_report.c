/*
 * The report page from evaluations made up by the test: every section is there or says why not, nothing strange comes
 * through from names and numbers, and memory may end anywhere.
 */
#include "base/context.h"
#include "learn/protocol/evaluation.h"
#include "support/support.h"
#include <math.h>
#include <stdio.h>

static double real(uint64_t *state)
{
    return (double)(test_random(state) % 1000001) / 1e6;
}

static const int64_t *classes_of(const leman_dataset *data, size_t *count, int64_t label[16])
{
    const int64_t *classes = leman_dataset_classes(data);
    *count = 0;
    for (size_t i = 0; i < leman_dataset_shape(data)->graphs; i++) {
        size_t at = 0;
        while (at < *count && label[at] != classes[i]) at++;
        if (at == *count) label[(*count)++] = classes[i];
        assert_true(*count < 16);
    }
    return classes;
}

static void fill_folds(leman_evaluation *e, uint64_t *state, double test, double train)
{
    double step = e->classes ? 1 : -1; /* accuracies rise with rounds, errors fall */
    size_t folds = e->splits->repetitions * e->splits->folds;
    for (size_t f = 0; f < folds; f++) {
        leman_fold *fold = e->fold + f;
        *fold = (leman_fold){.repetition = (uint32_t)(f / e->splits->folds), .fold = (uint32_t)(f % e->splits->folds)};
        fold->rounds = e->min_rounds + (uint32_t)(test_random(state) % e->rounds);
        fold->C = pow(10, (double)(test_random(state) % 3));
        fold->test = test * (0.9 + 0.2 * real(state));
        fold->train = train * (0.98 + 0.02 * real(state));
        fold->auc = fold->rmse = fold->r2 = NAN;
        for (size_t h = 0; h < e->rounds; h++)
            e->trial[f * e->rounds + h] = (leman_trial){1, 50, fold->test * (1 + 0.03 * step * (double)h), fold->train};
        e->test_mean += fold->test / (double)folds;
        e->train_mean += fold->train / (double)folds;
    }
    for (size_t h = 0; h < e->rounds; h++) {
        e->round[h] = (leman_trial){1, 50, 0, 0};
        for (size_t f = 0; f < folds; f++) {
            e->round[h].test += e->trial[f * e->rounds + h].test / (double)folds;
            e->round[h].train += e->trial[f * e->rounds + h].train / (double)folds;
        }
    }
    e->test_std = test * 0.01, e->test_std_folds = test * 0.07;
    e->balanced_mean = e->test_mean, e->auc_mean = e->rmse_mean = e->r2_mean = NAN;
}

typedef struct made_up {
    size_t repetitions, folds, rounds;
    bool regression;
    double test, train;
    uint64_t seed;
} made_up;

/* An evaluation as leman_evaluate() would give it, with scores drawn at random. */
static leman_status make_up(leman_context *ctx, const leman_dataset *data, const made_up *m, leman_evaluation **out)
{
    leman_status st = LEMAN_OK;
    leman_evaluation *e = NULL;
    int64_t label[16];
    uint64_t state = m->seed;
    NEW_ZERO(ctx, e, 1);
    e->svm = LEMAN_SVM_KERNEL;
    e->has_rounds = m->rounds > 1;
    e->rounds = m->rounds;
    e->seed = 3;
    if (!m->regression) classes_of(data, &e->classes, label);
    TRY(leman_splits_draw(ctx, data, m->repetitions, m->folds, false, &e->splits));
    size_t folds = m->repetitions * m->folds, entries = e->splits->start[2 * folds];
    NEW(ctx, e->fold, folds);
    NEW(ctx, e->trial, folds * m->rounds);
    NEW(ctx, e->round, m->rounds);
    NEW(ctx, e->predicted, entries);
    fill_folds(e, &state, m->test, m->train);
    for (size_t i = 0; i < entries; i++) e->predicted[i] = real(&state);
    NEW(ctx, e->confusion, e->classes * e->classes);
    for (size_t i = 0; i < e->classes * e->classes; i++) e->confusion[i] = test_random(&state) % 50;
    e->seconds_features = 0.2 * m->test, e->seconds_svm = 3 * real(&state);
done:
    if (st)
        leman_evaluation_free(e);
    else
        *out = e;
    return st;
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    char *text = malloc(size + 1);
    rewind(file);
    assert_int_equal(fread(text, 1, size, file), size);
    text[size] = 0;
    fclose(file);
    return text;
}

/* Numbers that are none must not show, nor anything from outside. */
static void assert_decent(const char *page)
{
    static const char *const BAD[] = {">nan",  " nan",   "\"nan", "-nan", "<script",
                                      "http:", "https:", "-inf",  ">inf", "javascript:"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        const char *found = strstr(page, BAD[i]);
        if (found) fail_msg("the page says %.60s", found);
    }
    assert_non_null(strstr(page, "</html>\n"));
}

static leman_dataset *molecules(leman_context *ctx, size_t graphs)
{
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.graphs = graphs;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    return data;
}

static leman_kernel kernel_named(leman_context *ctx, const char *name)
{
    leman_kernel kernel = leman_kernel_default();
    assert_int_equal(leman_kernel_parse(ctx, name, &kernel), LEMAN_OK);
    return kernel;
}

/* Writes a page about made-up evaluations of these kernels and returns it. */
static char *page_of(leman_context *ctx, const leman_dataset *data, const char *const *names, size_t count,
                     const made_up *how)
{
    const char *folder = test_folder_new(), *path = test_path(folder, "r.html");
    leman_kernel kernel[4];
    leman_evaluation *evaluation[4] = {0};
    leman_method method[4];
    for (size_t i = 0; i < count; i++) {
        made_up own = *how;
        own.seed += i;
        own.test *= 1 - 0.1 * (double)i;
        kernel[i] = kernel_named(ctx, names[i]);
        if (kernel[i].kind != LEMAN_KERNEL_KIND_COLORS) own.rounds = 1;
        assert_int_equal(make_up(ctx, data, &own, &evaluation[i]), LEMAN_OK);
        method[i] = (leman_method){.kernels = &kernel[i], .count = 1, .evaluation = evaluation[i]};
    }
    leman_status st = leman_report_write(ctx, data, method, count, "leman evaluate 'a b' --report r.html", path);
    if (st) fail_msg("%s", leman_context_message(ctx));
    char *page = text_of(path);
    assert_decent(page);
    for (size_t i = 0; i < count; i++) leman_evaluation_free(evaluation[i]);
    test_folder_remove(folder);
    return page;
}

static void assert_says(const char *page, const char *what)
{
    if (!strstr(page, what)) fail_msg("the page does not say: %s", what);
}

static void test_one_method(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, 60);
    const char *names[] = {"local:2"};
    made_up how = {.repetitions = 3, .folds = 5, .rounds = 4, .test = 70, .train = 99, .seed = 1};
    char *page = page_of(ctx, data, names, 1, &how);
    assert_says(page, "<h1>δ-2-LWL: ");
    assert_says(page, "repetition 2");
    assert_says(page, "Gram matrix of δ-2-LWL");
    assert_says(page, "data:image/png;base64,");
    assert_says(page, "Kernel PCA");
    assert_says(page, "Discriminative for class ");
    assert_says(page, "leman evaluate &#39;a b&#39; --report r.html");
    free(page);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_several_methods(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 40);
    const char *names[] = {"wloa", "sp", "graphlet:3", "wl:2"};
    made_up how = {.repetitions = 1, .folds = 4, .rounds = 3, .test = 60, .train = 90, .seed = 4};
    char *page = page_of(ctx, data, names, 4, &how);
    assert_says(page, "The best of 4 methods.");
    assert_says(page, "WLOA");
    assert_says(page, "SP");
    assert_says(page, "colours of 2-WL");
    free(page);
    page = page_of(ctx, data, names, 3, &how);
    assert_says(page, "None of the methods has colours");
    free(page);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A data set with this name and classes 0 .. classes-1 (none: 0), targets, and an empty graph now and then. */
static leman_dataset *odd_set(leman_context *ctx, const char *name, size_t graphs, size_t classes, size_t targets)
{
    leman_columns columns = {.classes = classes > 0, .targets = targets};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    uint64_t state = 6;
    assert_int_equal(leman_builder_new(ctx, name, &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < graphs; g++) {
        int64_t label = classes ? (int64_t)(g % classes) : 0;
        double target[4] = {(double)(g % 7) - 3, real(&state), 0, 0};
        assert_int_equal(leman_builder_graph(b, NULL, &label, target), LEMAN_OK);
        size_t n = g % 3 ? 2 + test_random(&state) % 5 : 0;
        for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 1; v < n; v++)
            assert_int_equal(leman_builder_edge(b, test_random(&state) % v, v, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

static void test_regression(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = odd_set(ctx, "T", 30, 0, 2);
    const char *names[] = {"wl:1", "sp"};
    made_up how = {.repetitions = 2, .folds = 3, .rounds = 3, .regression = true, .test = 0.5, .train = 0.1, .seed = 2};
    char *page = page_of(ctx, data, names, 2, &how);
    assert_says(page, "Predicted against true targets");
    assert_says(page, "lowest third");
    assert_says(page, "Colours are ranked for classes");
    free(page);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* One class, few graphs, many classes, graphs without vertices: a page all the same. */
static void test_odd_sets(void **unused)
{
    (void)unused;
    static const size_t SIZES[][2] = {{4, 1}, {4, 2}, {6, 3}, {45, 15}, {30, 3}};
    leman_context *ctx = test_context_new(1);
    const char *names[] = {"local:2"};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        leman_dataset *data = odd_set(ctx, "<b>\"x\"</b>&", SIZES[i][0], SIZES[i][1], 0);
        made_up how = {.repetitions = 1, .folds = 2, .rounds = 2, .test = 50, .train = 100, .seed = i + 1};
        char *page = page_of(ctx, data, names, 1, &how);
        assert_null(strstr(page, "<b>"));
        assert_says(page, "&lt;b&gt;&quot;x&quot;&lt;/b&gt;&amp;");
        free(page);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void test_refused(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 10), *other = molecules(ctx, 12);
    leman_kernel kernel = leman_kernel_default();
    leman_evaluation *e = NULL;
    made_up how = {.repetitions = 1, .folds = 2, .rounds = 2, .test = 50, .train = 100, .seed = 1};
    assert_int_equal(make_up(ctx, data, &how, &e), LEMAN_OK);
    leman_method method = {.kernels = &kernel, .count = 1, .evaluation = e};
    const char *folder = test_folder_new();
    assert_int_equal(leman_report_write(ctx, data, &method, 0, NULL, test_path(folder, "r")), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_report_write(ctx, other, &method, 1, NULL, test_path(folder, "r")), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_report_write(ctx, data, &method, 1, NULL, test_path(folder, "no/r")), LEMAN_ERROR_FILE);
    test_folder_remove(folder);
    leman_evaluation_free(e);
    leman_dataset_free(data);
    leman_dataset_free(other);
    test_context_free(ctx);
}

typedef struct small {
    const leman_dataset *data;
    const char *path;
} small;

static leman_status write_small(leman_context *ctx, void *state)
{
    const small *s = state;
    leman_status st = LEMAN_OK;
    leman_evaluation *e = NULL;
    leman_kernel kernel = leman_kernel_default();
    made_up how = {.repetitions = 1, .folds = 2, .rounds = 2, .test = 50, .train = 100, .seed = 1};
    kernel.coloring.k = 1;
    TRY(make_up(ctx, s->data, &how, &e));
    leman_method method = {.name = "m", .kernels = &kernel, .count = 1, .evaluation = e};
    TRY(leman_report_write(ctx, s->data, &method, 1, NULL, s->path));
done:
    leman_evaluation_free(e);
    return st;
}

static void test_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 8);
    const char *folder = test_folder_new();
    small s = {data, test_path(folder, "r.html")};
    assert_true(test_fail_each_allocation(write_small, &s) > 20);
    test_folder_remove(folder);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A model, and its colours on the graphs it was fitted on. */
static leman_status write_model_page(leman_context *ctx, void *state)
{
    const small *s = state;
    leman_status st = LEMAN_OK;
    leman_kernel kernel = leman_kernel_default();
    leman_fit_options options = leman_fit_options_default();
    leman_model *model = NULL;
    options.folds = 2;
    options.max_rounds = 1;
    kernel.coloring.k = 1;
    TRY(leman_model_fit(ctx, s->data, &kernel, 1, &options, &model));
    TRY(leman_model_page_write(ctx, &model, 1, s->data, "leman info 'a b'", s->path));
done:
    leman_model_free(model);
    return st;
}

static void test_model_page(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 40);
    const char *folder = test_folder_new();
    small s = {data, test_path(folder, "m.html")};
    if (write_model_page(ctx, &s)) fail_msg("%s", leman_context_message(ctx));
    char *page = text_of(s.path);
    assert_decent(page);
    assert_says(page, "1-WL: accuracy");
    assert_says(page, "<h2>The most discriminative colours</h2>");
    assert_says(page, "leman info &#39;a b&#39;");
    free(page);
    assert_true(test_fail_each_allocation(write_model_page, &s) > 20);
    test_folder_remove(folder);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Two tasks in columns of targets; one has a value missing and no area under the ROC curve. */
static leman_status write_tasks(leman_context *ctx, void *state)
{
    const small *s = state;
    leman_status st = LEMAN_OK;
    leman_evaluation *e[2] = {0};
    leman_kernel kernel = leman_kernel_default();
    made_up how = {.repetitions = 1, .folds = 2, .rounds = 2, .regression = true, .test = 50, .train = 100, .seed = 1};
    for (size_t t = 0; t < 2; t++) {
        TRY(make_up(ctx, s->data, &how, e + t));
        NEW(ctx, e[t]->class_label, 2);
        e[t]->classes = 2;
        e[t]->class_label[0] = 0, e[t]->class_label[1] = 1;
        e[t]->baseline = 60;
        e[t]->test_low = e[t]->test_high = NAN;
    }
    e[0]->auc_mean = 40;
    TRY(leman_tasks_report_write(ctx, s->data, &kernel, 1, (size_t[]){0, 1}, 2, e, "leman <x>", s->path));
done:
    for (size_t t = 0; t < 2; t++) leman_evaluation_free(e[t]);
    return st;
}

static void test_tasks(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_columns columns = {.targets = 2};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    const char *folder = test_folder_new();
    assert_int_equal(leman_builder_new(ctx, "two <b>tasks</b>", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < 8; g++) {
        double target[] = {g < 3, g == 5 ? NAN : (double)(g % 2)};
        assert_int_equal(leman_builder_graph(b, NULL, NULL, target), LEMAN_OK);
        assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    small s = {data, test_path(folder, "t.html")};
    if (write_tasks(ctx, &s)) fail_msg("%s", leman_context_message(ctx));
    char *page = text_of(s.path);
    assert_decent(page);
    assert_says(page, "40.0&#160;% mean area under the ROC curve over 2 tasks of two &lt;b&gt;tasks&lt;/b&gt;</h1>");
    assert_says(page, "; <strong>this is no better</strong>");
    assert_says(page, "majority class of every task: 60.0&#160;%; <strong>no task is better</strong>");
    assert_says(page, "<tr><th scope=\"row\">0</th><td>8</td><td>3</td><td>40.0</td>");
    assert_says(page, "<tr><th scope=\"row\">1</th><td>7</td><td>3</td><td>&#8211;</td>");
    assert_says(page, "leman &lt;x&gt;");
    free(page);
    assert_true(test_fail_each_allocation(write_tasks, &s) > 20);
    test_folder_remove(folder);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_method), cmocka_unit_test(test_several_methods),
                                       cmocka_unit_test(test_regression), cmocka_unit_test(test_odd_sets),
                                       cmocka_unit_test(test_refused),    cmocka_unit_test(test_allocations),
                                       cmocka_unit_test(test_model_page), cmocka_unit_test(test_tasks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
