/* Pages and pictures of attributions: what they show adds up, graphs that are too large, allocations that fail. */
#include "support/support.h"
#include "support/training_data.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static leman_model *some_model(leman_context *ctx, const leman_dataset *data, const char *kernel_name)
{
    leman_kernel kernel = leman_kernel_default();
    leman_fit_options options = leman_fit_options_default();
    leman_model *model = NULL;
    options.folds = 3;
    options.max_rounds = 1;
    assert_int_equal(leman_kernel_parse(ctx, kernel_name, &kernel), LEMAN_OK);
    assert_int_equal(leman_model_fit(ctx, data, &kernel, 1, &options, &model), LEMAN_OK);
    return model;
}

static leman_attribution *some_attribution(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                           size_t graph)
{
    leman_attribution *a = NULL;
    assert_int_equal(
        leman_model_attribute(ctx, model, data, graph, LEMAN_CLASS_PREDICTED, LEMAN_ATTRIBUTION_METHOD_AUTO, 3, &a),
        LEMAN_OK);
    return a;
}

/* A page shows the mean score, the sums of the contributions above and below 0, and the score, which the first three add
 * up to. */
static void bars_add_up(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *page = test_path(folder, "page.html");
    leman_dataset *data = test_families(ctx, 12, 2, NULL);
    leman_model *model = some_model(ctx, data, "local:2");
    for (size_t g = 0; g < 12; g++) {
        static const char *const NAMES[] = {">mean<", ">for<", ">against<", ">score<"};
        double value[4], largest = 0;
        leman_attribution *a = some_attribution(ctx, model, data, g);
        const leman_attribution *const list[] = {a};
        assert_int_equal(leman_attribution_page_write(ctx, data, list, 1, NULL, NULL, NULL, NULL, page), LEMAN_OK);
        char text[1 << 16] = "";
        FILE *file = fopen(page, "rb");
        assert_non_null(file);
        assert_true(fread(text, 1, sizeof text - 1, file) > 0 && fclose(file) == 0);
        for (size_t i = 0; i < 4; i++) {
            const char *at = strstr(text, NAMES[i]);
            assert_non_null(at);
            at = strstr(at, "text-anchor=\"end\">");
            assert_non_null(at);
            value[i] = strtod(at + strlen("text-anchor=\"end\">"), NULL);
            largest = fmax(largest, fabs(value[i]));
        }
        assert_true(fabs(value[0] + value[1] + value[2] - value[3]) <= 0.02 * largest); /* three digits are shown */
        assert_true(value[1] >= 0 && value[2] <= 0 && fabs(value[3] - a->score) <= 0.01 * fabs(a->score));
        leman_attribution_free(a);
    }
    leman_model_free(model);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void too_large(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_dataset *data = test_families(ctx, 12, 2, NULL), *large = NULL;
    leman_model *model = some_model(ctx, data, "wl:1");
    leman_family_options options = leman_family_options_default();
    leman_explanation *svg = NULL;
    options.vertices = 300;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLE, &options, &large), LEMAN_OK);
    leman_attribution *a = some_attribution(ctx, model, large, 0);
    const leman_attribution *const list[] = {a};
    assert_int_equal(leman_attribution_draw(ctx, large, list, 1, NULL, &svg), LEMAN_OK);
    assert_non_null(strstr(svg->text, "300 vertices: not drawn"));
    assert_int_equal(
        leman_attribution_page_write(ctx, large, list, 1, NULL, NULL, NULL, NULL, test_path(folder, "page.html")),
        LEMAN_OK);
    leman_explanation_free(svg);
    leman_attribution_free(a);
    leman_model_free(model);
    leman_dataset_free(large);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

typedef struct drawn {
    leman_dataset *data;
    leman_attribution *attribution;
} drawn;

static leman_status draw_once(leman_context *ctx, void *state)
{
    const drawn *d = state;
    leman_explanation *svg = NULL;
    const leman_attribution *const list[] = {d->attribution};
    leman_status st = leman_attribution_draw(ctx, d->data, list, 1, NULL, &svg);
    leman_explanation_free(svg);
    if (!st) st = leman_attribution_page_write(ctx, d->data, list, 1, "a model", d->data, NULL, NULL, "/dev/null");
    return st;
}

static void allocations_may_fail(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 12, 2, NULL);
    leman_model *model = some_model(ctx, data, "wloa");
    drawn d = {data, some_attribution(ctx, model, data, 3)};
    assert_true(d.attribution->supports > 0);
    assert_true(test_fail_each_allocation(draw_once, &d) > 5);
    leman_attribution_free(d.attribution);
    leman_model_free(model);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bars_add_up), cmocka_unit_test(too_large),
                                       cmocka_unit_test(allocations_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
