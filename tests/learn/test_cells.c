/* Finished cells: what is added is read again, what was cut off or damaged is left out, and the right cell is found. */
#include "learn/cells.h"
#include "support/support.h"
#include <stdio.h>

enum { MANY = 60 };

static leman_cell random_cell(uint64_t *seed)
{
    leman_cell cell = {.quantity = test_random(seed) % 2 ? LEMAN_PAPER_QUANTITY_SECONDS : LEMAN_PAPER_QUANTITY_TEST,
                       .method = (leman_paper_method)(test_random(seed) % LEMAN_PAPER_METHOD_COUNT),
                       .set = (leman_paper_set)(test_random(seed) % LEMAN_PAPER_SET_COUNT),
                       .state = (leman_cell_state)(1 + test_random(seed) % LEMAN_CELL_STATE_TIME),
                       .repetitions = test_random(seed) % 20,
                       .seed = test_random(seed),
                       .data_checksum = test_random(seed),
                       .memory = (double)(test_random(seed) >> 20),
                       .time_limit = (double)(test_random(seed) % 100),
                       .test_mean = (double)test_random(seed) / 1.7e17,
                       .test_std = (double)test_random(seed) / 3.1e19,
                       .test_std_folds = 1.0 / 3,
                       .train_mean = 0.1 + 0.2,
                       .seconds_features = 1e-300,
                       .seconds_svm = 12345.678};
    snprintf(cell.note, sizeof cell.note, "%.*s", (int)(test_random(seed) % 40),
             "a sentence, with: signs; and é, δ, ±. ");
    return cell;
}

static bool same(const leman_cell *a, const leman_cell *b)
{
    return a->quantity == b->quantity && a->method == b->method && a->set == b->set && a->state == b->state &&
           a->repetitions == b->repetitions && a->seed == b->seed && a->data_checksum == b->data_checksum &&
           a->memory == b->memory && a->time_limit == b->time_limit && a->test_mean == b->test_mean &&
           a->test_std == b->test_std && a->test_std_folds == b->test_std_folds && a->train_mean == b->train_mean &&
           a->seconds_features == b->seconds_features && a->seconds_svm == b->seconds_svm && !strcmp(a->note, b->note);
}

/* A file of MANY cells, its bytes in *bytes for free(). */
static size_t write_many(leman_context *ctx, const char *path, leman_cell *cell, char **bytes)
{
    uint64_t seed = 7;
    lm_cells cells = {0};
    assert_int_equal(lm_cells_open(ctx, path, true, &cells), LEMAN_OK);
    for (size_t i = 0; i < MANY; i++) {
        cell[i] = random_cell(&seed);
        assert_int_equal(lm_cells_add(ctx, path, &cells, cell + i), LEMAN_OK);
    }
    lm_cells_close(ctx, &cells);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *bytes = malloc(1 << 20);
    size_t size = fread(*bytes, 1, 1 << 20, file);
    fclose(file);
    return size;
}

static void test_write_and_read(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char path[300], *bytes;
    leman_cell cell[MANY];
    lm_cells cells = {0};
    snprintf(path, sizeof path, "%s", test_path(folder, "cells.txt"));
    write_many(ctx, path, cell, &bytes);
    assert_int_equal(lm_cells_open(ctx, path, false, &cells), LEMAN_OK);
    assert_int_equal(cells.cell.count, MANY);
    for (size_t i = 0; i < MANY; i++) assert_true(same(cell + i, (leman_cell *)cells.cell.items + i));
    lm_cells_close(ctx, &cells);
    free(bytes);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* Cut off behind any byte, whole lines stay; the next cell is added behind the cut and both are there. */
static void test_cut_anywhere(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char path[300], *bytes;
    leman_cell cell[MANY];
    snprintf(path, sizeof path, "%s", test_path(folder, "cells.txt"));
    size_t size = write_many(ctx, path, cell, &bytes);
    for (size_t cut = 14; cut <= size; cut += 41) {
        size_t lines = 0;
        for (size_t i = 0; i < cut; i++) lines += bytes[i] == '\n';
        if (cut < size && bytes[cut] == '\n') lines++; /* all of the line but its end */
        lm_cells cells = {0}, again = {0};
        test_file_write(folder, "cells.txt", bytes, cut);
        assert_int_equal(lm_cells_open(ctx, path, true, &cells), LEMAN_OK);
        assert_int_equal(cells.cell.count, lines - 1);
        assert_int_equal(lm_cells_add(ctx, path, &cells, cell), LEMAN_OK);
        lm_cells_close(ctx, &cells);
        assert_int_equal(lm_cells_open(ctx, path, false, &again), LEMAN_OK);
        assert_int_equal(again.cell.count, lines);
        assert_true(same(cell, (leman_cell *)again.cell.items + lines - 1));
        lm_cells_close(ctx, &again);
    }
    free(bytes);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* No change of one byte of a line gives another cell. */
static void test_damage(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char path[300], *bytes;
    leman_cell cell[MANY];
    snprintf(path, sizeof path, "%s", test_path(folder, "cells.txt"));
    size_t size = write_many(ctx, path, cell, &bytes);
    for (size_t at = 14; at < size; at += 3) {
        lm_cells cells = {0};
        char before = bytes[at];
        bytes[at] = (char)(before ^ 1);
        assert_int_equal(lm_cells_parse(ctx, path, (lm_bytes){.data = bytes, .size = size}, &cells), LEMAN_OK);
        bytes[at] = before;
        assert_true(cells.cell.count >= MANY - 2 && cells.cell.count < MANY);
        for (size_t i = 0, j = 0; i < cells.cell.count; i++, j++) {
            while (j < MANY && !same(cell + j, (leman_cell *)cells.cell.items + i)) j++;
            assert_true(j < MANY);
        }
        lm_cells_close(ctx, &cells);
    }
    free(bytes);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_other_files_stay(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    const char *path = test_file_text(folder, "letter.txt", "Dear reader,\n");
    lm_cells cells = {0};
    assert_int_equal(lm_cells_open(ctx, path, true, &cells), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "letter.txt:1"));
    lm_cells_close(ctx, &cells);
    assert_int_equal(lm_cells_open(ctx, test_path(folder, "none.txt"), false, &cells), LEMAN_ERROR_FILE);
    assert_int_equal(lm_cells_open(ctx, test_path(folder, "no/folder.txt"), true, &cells), LEMAN_ERROR_FILE);
    lm_cells_close(ctx, &cells);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_find(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_cells cells = {0};
    leman_cell wanted = {.repetitions = 3, .seed = 1, .data_checksum = 5, .memory = 1000};
    const leman_cell cell[] = {
        {.state = LEMAN_CELL_STATE_NUMBER, .repetitions = 1, .seed = 1, .data_checksum = 5, .test_mean = 1},
        {.state = LEMAN_CELL_STATE_NUMBER, .repetitions = 10, .seed = 2, .data_checksum = 5, .test_mean = 2},
        {.state = LEMAN_CELL_STATE_NUMBER, .repetitions = 10, .seed = 1, .data_checksum = 6, .test_mean = 3},
        {.state = LEMAN_CELL_STATE_NUMBER,
         .repetitions = 10,
         .seed = 1,
         .data_checksum = 5,
         .test_mean = 4,
         .set = LEMAN_PAPER_SET_NCI1},
        {.state = LEMAN_CELL_STATE_MEMORY, .repetitions = 1, .seed = 1, .data_checksum = 5, .memory = 900},
        {.state = LEMAN_CELL_STATE_TIME, .repetitions = 1, .seed = 1, .data_checksum = 5, .time_limit = 60},
        {.state = LEMAN_CELL_STATE_MEMORY, .repetitions = 1, .seed = 1, .data_checksum = 5, .memory = 1000},
        {.state = LEMAN_CELL_STATE_NUMBER, .repetitions = 4, .seed = 1, .data_checksum = 5, .test_mean = 8},
        {.state = LEMAN_CELL_STATE_NUMBER, .repetitions = 3, .seed = 1, .data_checksum = 5, .test_mean = 9},
    };
    const leman_cell *found;
    for (size_t i = 0; i < 6; i++) assert_int_equal(lm_cells_add(ctx, NULL, &cells, cell + i), LEMAN_OK);
    assert_null(lm_cells_find(&cells, &wanted, false));
    wanted.time_limit = 60;
    assert_int_equal(lm_cells_find(&cells, &wanted, false)->state, LEMAN_CELL_STATE_TIME);
    wanted.time_limit = 61;
    assert_null(lm_cells_find(&cells, &wanted, false));
    assert_int_equal(lm_cells_add(ctx, NULL, &cells, cell + 6), LEMAN_OK);
    assert_int_equal(lm_cells_find(&cells, &wanted, false)->state, LEMAN_CELL_STATE_MEMORY);
    for (size_t i = 7; i < 9; i++) assert_int_equal(lm_cells_add(ctx, NULL, &cells, cell + i), LEMAN_OK);
    found = lm_cells_find(&cells, &wanted, false);
    assert_true(found && found->test_mean == 8); /* the most repetitions */
    found = lm_cells_find(&cells, &wanted, true);
    assert_true(found && found->repetitions == 10 && found->test_mean == 3); /* the later of equals, of any data */
    lm_cells_close(ctx, &cells);
    test_context_free(ctx);
}

static leman_status add_and_read(leman_context *ctx, void *path)
{
    leman_status st = LEMAN_OK;
    lm_cells cells = {0}, again = {0};
    uint64_t seed = 3;
    leman_cell cell = random_cell(&seed);
    remove(path);
    TRY(lm_cells_open(ctx, path, true, &cells));
    for (size_t i = 0; i < 20; i++) TRY(lm_cells_add(ctx, path, &cells, &cell));
    TRY(lm_cells_open(ctx, path, false, &again));
done:
    lm_cells_close(ctx, &cells);
    lm_cells_close(ctx, &again);
    return st;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char path[300];
    snprintf(path, sizeof path, "%s", test_path(folder, "cells.txt"));
    assert_true(test_fail_each_allocation(add_and_read, path) > 0);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_and_read), cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_damage),         cmocka_unit_test(test_other_files_stay),
        cmocka_unit_test(test_find),           cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
