/*
 * A host program with decimal commas: texts are formatted and read as in the locale C, and every writer of the library
 * writes the same bytes. What is written is computed once, then written in either locale.
 */
#include "base/context.h"
#include "base/file.h"
#include "base/text.h"
#include "support/locale.h"
#include "support/training_data.h"
#include <locale.h>
#include <stdio.h>

static char locales[256]; /* the folder for what localedef makes; removed at the end */

static void need_commas(void)
{
    const bool found = test_comma_locale(locales);
    setlocale(LC_ALL, "C");
    if (!found) test_skip("no locale with decimal commas is installed, and localedef makes none");
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void test_texts(void **unused)
{
    (void)unused;
    need_commas();
    leman_context *ctx = test_context_new(1);
    static const char *const WORDS[] = {"1.5", "1.25e3", "3.14159265358979323846264338327950288"};
    static const double VALUES[] = {1.5, 1250, 3.14159265358979323846264338327950288};
    char text[64], *end;
    assert_true(test_comma_locale(locales));
    for (int i = 0; i < 3; i++) {
        lm_text input = lm_text_of(ctx, "F.txt", (lm_bytes){WORDS[i], strlen(WORDS[i]), false});
        double value = 0;
        assert_int_equal(lm_text_real(&input, "a number", &value), LEMAN_OK);
        assert_true(value == VALUES[i]);
        assert_true(lm_strtod(WORDS[i], &end) == VALUES[i] && !*end);
    }
    assert_int_equal(lm_snprintf(text, sizeof text, "%.2f|%g|%d", 0.25, 1e-7 * 2.5, 3), 14);
    assert_string_equal(text, "0.25|2.5e-07|3");
    lm_fail(ctx, LEMAN_ERROR_INPUT, "found %g", 0.5);
    assert_string_equal(leman_context_message(ctx), "found 0.5");
    assert_true(!strcmp(lm_bytes_text(1536, text), "1.5 KiB"));
    snprintf(text, sizeof text, "%.1f", 0.5); /* the caller's locale is as it was */
    assert_string_equal(text, "0,5");
    setlocale(LC_ALL, "C");
    test_context_free(ctx);
}

/* ---- Every writer ---------------------------------------------------------------------------- */

typedef struct written {
    leman_dataset *molecules, *data, *pair;
    leman_features *features;
    leman_splits *splits;
    leman_evaluation *evaluation;
    leman_kernel kernel;
    leman_model *model;
    leman_attribution *attribution;
    leman_parts *parts;
    leman_network *network;
    leman_history *history;
    leman_unrolling *unrolling;
} written;

#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        if (call) fail_msg("%s: %s", #call, leman_context_message(ctx));                                               \
    } while (0)

/* Two molecules with coordinates, a class and targets that are no whole numbers. */
static leman_dataset *made_molecules(leman_context *ctx, const char *folder)
{
    static const char SDF[] = "one\n\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"
                              "    0.2500    0.0000   -1.5000 C   0  0\n    1.1250    0.0000    0.0000 C   0  0\n"
                              "    2.0000    0.7500    0.0000 O   0  0\n  1  2  1  0\n  2  3  2  0\nM  END\n"
                              "> <value>\n0.125\n\n> <other>\n1e-9\n\n$$$$\n"
                              "two\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n"
                              "    0.5000    0.0000    0.0000 C   0  0\n    1.6250    0.0000    0.0000 N   0  0\n"
                              "  1  2  1  0\nM  END\n> <value>\n3.75\n\n> <other>\n2.5e12\n\n$$$$\n";
    leman_dataset *data = NULL;
    MUST(leman_dataset_read(ctx, test_file_text(folder, "in.sdf", SDF), NULL, NULL, &data));
    return data;
}

static void compute(leman_context *ctx, const char *folder, written *w)
{
    leman_fit_options fit = leman_fit_options_default();
    leman_protocol protocol = leman_protocol_default();
    leman_architecture architecture = leman_architecture_default();
    leman_coloring coloring = leman_coloring_default();
    leman_family_options family = leman_family_options_default();
    w->molecules = made_molecules(ctx, folder);
    w->data = test_families(ctx, 24, 2, NULL);
    w->kernel = leman_kernel_default();
    MUST(leman_kernel_parse(ctx, "wl:2", &w->kernel));
    w->kernel.weight = 0.5;
    MUST(leman_features_compute(ctx, w->data, &w->kernel, 1, NULL, &w->features));
    MUST(leman_splits_draw(ctx, w->data, 1, 3, true, &w->splits));
    protocol.repetitions = 1;
    protocol.folds = 3;
    MUST(leman_evaluate(ctx, w->data, &w->kernel, 1, &protocol, &w->evaluation));
    fit.folds = 3;
    MUST(leman_model_fit(ctx, w->data, &w->kernel, 1, &fit, &w->model));
    MUST(leman_model_attribute(ctx, w->model, w->data, 0, LEMAN_CLASS_PREDICTED, LEMAN_ATTRIBUTION_METHOD_AUTO, 3,
                               &w->attribution));
    architecture.kind = LEMAN_NETWORK_KIND_GIN;
    architecture.layers = architecture.width = 2;
    leman_training training = leman_training_default(&architecture);
    training.epochs = 2;
    MUST(leman_parts_draw(ctx, 24, 0.2, 0.2, &w->parts));
    MUST(leman_train(ctx, w->data, w->parts, &architecture, &training, &w->network, &w->history));
    family.vertices = 6;
    MUST(leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLE, &family, &w->pair));
    const leman_graph a = leman_dataset_graph(w->pair, 0), b = leman_dataset_graph(w->data, 0);
    MUST(leman_explain(ctx, &a, &b, &coloring, false, 0, &w->unrolling));
}

static void write_text(const char *folder, const char *name, leman_explanation *e)
{
    test_file_write(folder, name, e->text, e->length);
    leman_explanation_free(e);
}

static void write_all(leman_context *ctx, const written *w, const char *folder)
{
    static const char *const SETS[] = {"d.sdf", "d.smi", "d.csv", "d.leman", "d.g6", "d.s6", "tu", "d.zip"};
    static const char *const FEATURES[] = {"f.svm", "f.mtx", "f.npz", "f.lmf"};
    static const char *const MATRICES[] = {"m.csv", "m.txt", "m.svm", "m.npy"};
    static const double VALUES[] = {0.5, 1.0 / 3, 1e-9, 2.5e300};
    const leman_attribution *const attributions[] = {w->attribution};
    const leman_method method = {.kernels = &w->kernel, .count = 1, .evaluation = w->evaluation};
    leman_explained_pair pair = leman_explained_pair_default();
    leman_model *models[] = {w->model};
    leman_explanation *text = NULL;
    pair.data[0] = w->pair, pair.data[1] = w->data;
    for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++)
        MUST(leman_dataset_write(ctx, w->molecules, test_path(folder, SETS[i]), LEMAN_FORMAT_AUTO));
    for (int i = 0; i < 4; i++) {
        MUST(leman_features_write(ctx, w->features, w->data, test_path(folder, FEATURES[i])));
        MUST(leman_matrix_write(ctx, VALUES, 2, 2, NULL, test_path(folder, MATRICES[i])));
    }
    MUST(leman_splits_write(ctx, w->splits, test_path(folder, "splits")));
    MUST(leman_feature_columns_write(ctx, w->features, test_path(folder, "columns")));
    MUST(leman_report_write(ctx, w->data, &method, 1, NULL, test_path(folder, "report.html")));
    MUST(leman_model_write(ctx, w->model, test_path(folder, "model")));
    MUST(leman_model_page_write(ctx, models, 1, w->data, NULL, test_path(folder, "model.html")));
    MUST(leman_attribution_page_write(ctx, w->data, attributions, 1, NULL, w->data, NULL, NULL,
                                      test_path(folder, "attribution.html")));
    MUST(leman_attribution_draw(ctx, w->data, attributions, 1, NULL, &text));
    write_text(folder, "attribution.svg", text);
    for (int i = 0; i < LEMAN_EXPLANATION_FORMAT_COUNT; i++) {
        MUST(leman_explanation_write(ctx, w->unrolling, &pair, (leman_explanation_format)i, &text));
        write_text(folder, leman_explanation_format_name((leman_explanation_format)i), text);
    }
    MUST(leman_history_write(ctx, w->history, test_path(folder, "history.csv")));
    MUST(leman_network_export(ctx, w->network, test_path(folder, "network.npz")));
    MUST(leman_training_page_write(ctx, w->data, w->parts, w->network, w->history, NULL, test_path(folder, "t.html")));
}

static void compute_free(written *w)
{
    leman_unrolling_free(w->unrolling);
    leman_history_free(w->history);
    leman_network_free(w->network);
    leman_parts_free(w->parts);
    leman_attribution_free(w->attribution);
    leman_model_free(w->model);
    leman_evaluation_free(w->evaluation);
    leman_splits_free(w->splits);
    leman_features_free(w->features);
    leman_dataset_free(w->pair);
    leman_dataset_free(w->data);
    leman_dataset_free(w->molecules);
}

static void test_writers(void **unused)
{
    (void)unused;
    need_commas();
    leman_context *ctx = test_context_new(1);
    char points[256], commas[256], command[1024];
    snprintf(points, sizeof points, "%s", test_folder_new());
    snprintf(commas, sizeof commas, "%s", test_folder_new());
    written w = {0};
    leman_dataset *again = NULL;
    compute(ctx, locales, &w);
    write_all(ctx, &w, points);
    assert_true(test_comma_locale(locales));
    write_all(ctx, &w, commas);
    MUST(leman_dataset_read(ctx, test_path(commas, "d.sdf"), NULL, NULL, &again));
    setlocale(LC_ALL, "C");
    assert_true(test_same_dataset(w.molecules, again));
    snprintf(command, sizeof command, "diff -r '%s' '%s'", points, commas);
    assert_int_equal(system(command), 0);
    leman_dataset_free(again);
    compute_free(&w);
    test_folder_remove(points);
    test_folder_remove(commas);
    test_context_free(ctx);
}

static int run(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_writers)};
    return test_run(tests);
}

int main(void)
{
    snprintf(locales, sizeof locales, "%s", test_folder_new());
    const int result = run();
    test_folder_remove(locales);
    return result;
}
