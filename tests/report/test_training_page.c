/* The page about training: it holds up when memory fails, and there is none without an epoch. */
#include "support/support.h"
#include <stdio.h>

typedef struct fixture {
    leman_dataset *data;
    leman_parts *parts;
    leman_network *network;
    leman_history *history;
    char path[512];
} fixture;

static void fixture_train(leman_context *ctx, size_t epochs, bool classes, fixture *s)
{
    leman_family_options family = leman_family_options_default();
    leman_architecture architecture = leman_architecture_default();
    family.graphs = 20;
    family.vertices = 12;
    architecture.kind = LEMAN_NETWORK_KIND_GIN;
    architecture.layers = architecture.width = 2;
    leman_training training = leman_training_default(&architecture);
    training.epochs = epochs;
    training.classes = classes;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &family, &s->data), LEMAN_OK);
    assert_int_equal(leman_parts_draw(ctx, 20, 0.2, 0.2, &s->parts), LEMAN_OK);
    assert_int_equal(leman_train(ctx, s->data, s->parts, &architecture, &training, &s->network, &s->history), LEMAN_OK);
}

static void fixture_free(fixture *s)
{
    leman_history_free(s->history);
    leman_network_free(s->network);
    leman_parts_free(s->parts);
    leman_dataset_free(s->data);
}

static leman_status write_page(leman_context *ctx, void *state)
{
    const fixture *s = state;
    return leman_training_page_write(ctx, s->data, s->parts, s->network, s->history, "leman train <x>", s->path);
}

static void test_pages(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    for (int classes = 0; classes < 2; classes++) {
        fixture s = {0};
        char page[1 << 16] = "";
        snprintf(s.path, sizeof s.path, "%s", test_path(folder, "page.html"));
        fixture_train(ctx, 3, classes, &s);
        assert_true(test_fail_each_allocation(write_page, &s) > 10);
        FILE *file = fopen(s.path, "r");
        assert_non_null(file);
        assert_true(fread(page, 1, sizeof page - 1, file) > 1000);
        fclose(file);
        assert_non_null(strstr(page, "leman train &lt;x&gt;"));
        assert_non_null(strstr(page, classes ? "Confusion matrix" : "Predicted against true"));
        assert_int_equal(strstr(page, "validation loss") != NULL, classes); /* of targets the validation error is it */
        fixture_free(&s);
    }
    fixture none = {0};
    snprintf(none.path, sizeof none.path, "%s", test_path(folder, "none.html"));
    fixture_train(ctx, 0, true, &none);
    assert_int_equal(write_page(ctx, &none), LEMAN_ERROR_ARGUMENT);
    fixture_free(&none);
    test_folder_remove(folder);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
