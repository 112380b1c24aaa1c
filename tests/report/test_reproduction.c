/*
 * The published tables computed again: a cell is what leman_evaluate() gives, a finished one comes from the file,
 * limits are results, both forms of the page are written, and memory may end anywhere.
 */
#include "base/context.h"
#include "support/support.h"
#include <math.h>
#include <stdio.h>

static const leman_paper_quantity TEST = LEMAN_PAPER_QUANTITY_TEST, SECONDS = LEMAN_PAPER_QUANTITY_SECONDS;
static const leman_paper_method SP = LEMAN_PAPER_METHOD_SP, WL1 = LEMAN_PAPER_METHOD_WL1;
static const leman_paper_set ENZYMES = LEMAN_PAPER_SET_ENZYMES;

static leman_dataset *molecules(leman_context *ctx)
{
    leman_dataset *data = NULL;
    leman_family_options family = leman_family_options_default();
    family.graphs = 30;
    family.vertices = 12;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &family, &data), LEMAN_OK);
    return data;
}

static leman_reproduction_options options_of(const char *cells)
{
    leman_reproduction_options o = leman_reproduction_options_default();
    o.tables = 1 << LEMAN_PAPER_TABLE_KERNELS | 1 << LEMAN_PAPER_TABLE_TIMES;
    o.methods = 1 << SP | 1 << WL1;
    o.sets = 1 << ENZYMES;
    o.repetitions = 1;
    o.cells = cells;
    return o;
}

static void test_cells(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_dataset *data = molecules(ctx);
    leman_reproduction *r = NULL;
    char path[300];
    bool computed = false, several;
    snprintf(path, sizeof path, "%s", test_path(folder, "cells.txt"));
    leman_reproduction_options o = options_of(path);
    assert_int_equal(leman_reproduction_new(ctx, &o, &r), LEMAN_OK);
    assert_true(isnan(leman_reproduction_value(r, TEST, SP, ENZYMES)));
    assert_int_equal(leman_reproduction_run(ctx, r, TEST, SP, ENZYMES, data, &computed), LEMAN_OK);
    assert_true(computed);
    assert_int_equal(leman_reproduction_run(ctx, r, SECONDS, SP, ENZYMES, data, NULL), LEMAN_OK);
    const leman_cell *cell = leman_reproduction_cell(r, TEST, SP, ENZYMES);
    const double published = leman_published(TEST, SP, ENZYMES).value, test = cell->test_mean;
    assert_true(test >= 0 && test <= 100);
    assert_true(leman_reproduction_value(r, TEST, SP, ENZYMES) == test);
    assert_true(leman_reproduction_difference(r, TEST, SP, ENZYMES) == test - published);
    assert_true(leman_reproduction_value(r, SECONDS, SP, ENZYMES) >= 0); /* clocks may be too coarse to see it */
    assert_true(leman_reproduction_checksum(r, ENZYMES, &several) == leman_dataset_checksum(data) && !several);
    leman_reproduction_free(r);

    r = NULL; /* the file has it now */
    assert_int_equal(leman_reproduction_new(ctx, &o, &r), LEMAN_OK);
    assert_int_equal(leman_reproduction_run(ctx, r, TEST, SP, ENZYMES, data, &computed), LEMAN_OK);
    assert_false(computed);
    assert_true(leman_reproduction_value(r, TEST, SP, ENZYMES) == test);
    leman_reproduction_free(r);

    r = NULL;
    o.finished_only = true;
    assert_int_equal(leman_reproduction_new(ctx, &o, &r), LEMAN_OK);
    assert_true(leman_reproduction_value(r, TEST, SP, ENZYMES) == test);
    assert_true(isnan(leman_reproduction_value(r, TEST, WL1, ENZYMES)));
    assert_int_equal(leman_reproduction_run(ctx, r, TEST, WL1, ENZYMES, data, NULL), LEMAN_ERROR_ARGUMENT);
    leman_reproduction_free(r);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_limits(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx);
    leman_reproduction *r = NULL;
    leman_reproduction_options o = options_of(NULL);
    o.time_limit = 1e-9;
    assert_int_equal(leman_reproduction_new(ctx, &o, &r), LEMAN_OK);
    assert_int_equal(leman_reproduction_run(ctx, r, TEST, WL1, ENZYMES, data, NULL), LEMAN_OK);
    const leman_cell *cell = leman_reproduction_cell(r, TEST, WL1, ENZYMES);
    assert_int_equal(cell->state, LEMAN_CELL_STATE_TIME);
    assert_non_null(strstr(cell->note, "1e-09 seconds"));
    leman_reproduction_free(r);
    r = NULL;
    o.time_limit = 0;
    assert_int_equal(leman_reproduction_new(ctx, &o, &r), LEMAN_OK);
    ctx->settings.memory = 4096;
    assert_int_equal(leman_reproduction_run(ctx, r, TEST, WL1, ENZYMES, data, NULL), LEMAN_OK);
    cell = leman_reproduction_cell(r, TEST, WL1, ENZYMES);
    assert_int_equal(cell->state, LEMAN_CELL_STATE_MEMORY);
    assert_non_null(strstr(cell->note, "budget"));
    leman_reproduction_free(r);
    leman_dataset_free(data);
    test_context_free(ctx);
}

typedef struct files {
    leman_dataset *data;
    char cells[300], html[300], markdown[300];
} files;

static leman_status reproduce(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    const files *f = state;
    leman_reproduction *r = NULL;
    leman_reproduction_options o = options_of(f->cells);
    remove(f->cells);
    TRY(leman_reproduction_new(ctx, &o, &r));
    TRY(leman_reproduction_set_missing(ctx, r, LEMAN_PAPER_SET_NCI1, "lost"));
    TRY(leman_reproduction_run(ctx, r, SECONDS, SP, ENZYMES, f->data, NULL));
    TRY(leman_reproduction_write(ctx, r, "leman <x>", f->html));
    TRY(leman_reproduction_write(ctx, r, NULL, f->markdown));
done:
    leman_reproduction_free(r);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    files f = {.data = molecules(ctx)};
    char page[1 << 16] = "";
    snprintf(f.cells, sizeof f.cells, "%s", test_path(folder, "cells.txt"));
    snprintf(f.html, sizeof f.html, "%s", test_path(folder, "page.html"));
    snprintf(f.markdown, sizeof f.markdown, "%s", test_path(folder, "page.md"));
    assert_true(test_fail_each_allocation(reproduce, &f) > 5);
    FILE *file = fopen(f.html, "r");
    assert_non_null(file);
    assert_true(fread(page, 1, sizeof page - 1, file) > 1000);
    fclose(file);
    assert_non_null(strstr(page, "leman &lt;x&gt;"));
    assert_non_null(strstr(page, "</html>\n"));
    file = fopen(f.markdown, "r");
    assert_non_null(file);
    assert_non_null(fgets(page, sizeof page, file));
    fclose(file);
    assert_string_equal(page, "# The published tables, reproduced\n");
    leman_dataset_free(f.data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
