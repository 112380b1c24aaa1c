/* The page of predictions: which figures there are, what is left out, and failing allocations. */
#include "leman/report.h"
#include "support/support.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPHS = 90, SIZE = 1 << 20 };

typedef struct made {
    double predicted[2 * GRAPHS], truth[2 * GRAPHS], error[GRAPHS], similarity[GRAPHS];
} made;

/* Predictions of two outputs, whose truth is known for most graphs. */
static leman_predictions_view view_of(made *m, const char *positive)
{
    static const char *const NAMES[] = {"first <&>", "second"};
    leman_predictions_view view = leman_predictions_view_default();
    uint64_t seed = 3;
    for (size_t g = 0; g < GRAPHS; g++) {
        for (size_t t = 0; t < 2; t++) {
            const double p = (double)(test_random(&seed) % 1000) / 1000;
            m->predicted[2 * g + t] = p;
            m->truth[2 * g + t] = g % 9 == t ? NAN : (double)((double)(test_random(&seed) % 1000) / 1000 < p);
        }
        m->error[g] = g % 9 == 4 ? NAN : (double)(g % 3 == 0);
        m->similarity[g] = (double)(test_random(&seed) % 1000) / 1000;
    }
    view.data = "some data";
    view.model = "a model";
    view.graphs = GRAPHS;
    view.outputs = 2;
    view.name = NAMES;
    view.positive = positive;
    view.predicted = m->predicted;
    view.truth = m->truth;
    view.error = m->error;
    view.similarity = m->similarity;
    return view;
}

static char *page_of(leman_context *ctx, const leman_predictions_view *view, const char *path)
{
    char *text = calloc(1, SIZE);
    if (leman_predictions_page_write(ctx, view, "leman predict", path)) fail_msg("%s", leman_context_message(ctx));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(text, 1, SIZE, file);
    assert_true(size > 0 && size < SIZE);
    fclose(file);
    return text;
}

static size_t count_of(const char *text, const char *words)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, words)); at++) count++;
    return count;
}

static void figures(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    made m;
    leman_predictions_view view = view_of(&m, "toxic");
    char *text = page_of(ctx, &view, test_path(folder, "classes.html"));
    assert_non_null(strstr(text, "Predictions for some data"));
    assert_non_null(strstr(text, "first &lt;&amp;&gt;: 0."));
    assert_int_equal(count_of(text, "role=\"img\""), 5); /* ROC, precision, calibration and its counts, errors */
    assert_non_null(strstr(text, "wrong (%)"));
    free(text);
    view = view_of(&m, NULL);
    text = page_of(ctx, &view, test_path(folder, "values.html"));
    assert_int_equal(count_of(text, "role=\"img\""), 3); /* two targets, errors */
    assert_non_null(strstr(text, "80 graphs with a known value"));
    free(text);
    view.predicted = NULL; /* many classes: errors alone */
    text = page_of(ctx, &view, test_path(folder, "many.html"));
    assert_int_equal(count_of(text, "role=\"img\""), 1);
    free(text);
    view.graphs = 20;
    text = page_of(ctx, &view, test_path(folder, "few.html"));
    assert_int_equal(count_of(text, "role=\"img\""), 0);
    assert_non_null(strstr(text, "Fewer than 30 graphs"));
    free(text);
    for (size_t i = 0; i < 2 * GRAPHS; i++) m.truth[i] = NAN; /* nothing is known */
    view = view_of(&m, "toxic");
    for (size_t i = 0; i < 2 * GRAPHS; i++) m.truth[i] = NAN;
    view.error = NULL;
    text = page_of(ctx, &view, test_path(folder, "none.html"));
    assert_int_equal(count_of(text, "role=\"img\""), 0);
    free(text);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status write_page(leman_context *ctx, void *path)
{
    made m;
    const leman_predictions_view classes = view_of(&m, "toxic");
    leman_status st = leman_predictions_page_write(ctx, &classes, NULL, path);
    leman_predictions_view values = classes;
    values.positive = NULL;
    return st ? st : leman_predictions_page_write(ctx, &values, NULL, path);
}

static void failing_allocations(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    assert_true(test_fail_each_allocation(write_page, (void *)(uintptr_t)test_path(folder, "x.html")) > 3);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
