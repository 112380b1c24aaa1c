/* Finished runs of the tables of networks: what is added is read again, what was cut off or damaged is left out, and
 * the published tables are as printed. */
#include "learn/network_runs.h"
#include "learn/published_networks.h"
#include "support/support.h"
#include <math.h>
#include <stdio.h>

enum { MANY = 40 };

static lm_network_run random_run(uint64_t *seed)
{
    const leman_network_table table = (leman_network_table)(test_random(seed) % LEMAN_NETWORK_TABLE_COUNT);
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    return (lm_network_run){.table = table,
                            .row = test_random(seed) % shape->rows,
                            .column = test_random(seed) % shape->columns,
                            .run = test_random(seed) % 10,
                            .seed = test_random(seed),
                            .limit = test_random(seed) % 1000,
                            .data_checksum = test_random(seed),
                            .value = {(double)test_random(seed) / 1.7e17, test_random(seed) % 2 ? NAN : -1.0 / 3},
                            .validation = 0.1 + 0.2,
                            .epochs = 180,
                            .seconds = 1e-300,
                            .parameters = test_random(seed) % 1000000};
}

static bool same_real(double a, double b)
{
    return !memcmp(&a, &b, sizeof a) || (isnan(a) && isnan(b));
}

static bool same(const lm_network_run *a, const lm_network_run *b)
{
    return a->table == b->table && a->row == b->row && a->column == b->column && a->run == b->run &&
           a->seed == b->seed && a->limit == b->limit && a->data_checksum == b->data_checksum &&
           same_real(a->value[0], b->value[0]) && same_real(a->value[1], b->value[1]) &&
           same_real(a->validation, b->validation) && same_real(a->epochs, b->epochs) &&
           same_real(a->seconds, b->seconds) && a->parameters == b->parameters;
}

/* Cut after any byte, every whole line is there and no other; more can be added behind it. */
static void test_file(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char path[512], bytes[MANY * 300];
    lm_network_run run[MANY];
    lm_vector list = {0};
    uint64_t seed = 3;
    snprintf(path, sizeof path, "%s", test_path(folder, "runs.txt"));
    assert_int_equal(lm_network_runs_read(ctx, path, true, &list), LEMAN_OK);
    assert_int_equal(lm_network_runs_read(ctx, path, false, &list), LEMAN_ERROR_FILE);
    for (size_t i = 0; i < MANY; i++) {
        run[i] = random_run(&seed);
        assert_int_equal(lm_network_runs_add(ctx, path, run + i), LEMAN_OK);
    }
    assert_int_equal(lm_network_runs_read(ctx, path, false, &list), LEMAN_OK);
    assert_int_equal(list.count, MANY);
    for (size_t i = 0; i < MANY; i++) assert_true(same((const lm_network_run *)list.items + i, run + i));
    FILE *file = fopen(path, "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    size_t lines = 0;
    for (size_t i = 13; i < size; i += 7) {
        size_t whole = 0;
        for (size_t j = 13; j < i; j++) whole += bytes[j] == '\n';
        list.count = 0;
        assert_int_equal(lm_network_runs_parse(ctx, path, (lm_bytes){.data = (void *)bytes, .size = i}, &list),
                         LEMAN_OK);
        assert_in_range(list.count, whole, whole + (bytes[i] == '\n'));
        lines = list.count;
    }
    assert_true(lines >= MANY - 1);
    const size_t half = size / 2;
    bytes[half] = bytes[half] == '0' ? '1' : '0'; /* one line is damaged */
    list.count = 0;
    assert_int_equal(lm_network_runs_parse(ctx, path, (lm_bytes){.data = (void *)bytes, .size = size}, &list),
                     LEMAN_OK);
    assert_in_range(list.count, MANY - 2, MANY - 1);
    assert_int_equal(lm_network_runs_parse(ctx, path, (lm_bytes){.data = (void *)"leman cells 1\n", .size = 14}, &list),
                     LEMAN_ERROR_INPUT);
    file = fopen(path, "ab");
    fputs("zinc\tZINC_10k", file); /* cut off by a crash */
    fclose(file);
    assert_int_equal(lm_network_runs_add(ctx, path, run), LEMAN_OK);
    list.count = 0;
    assert_int_equal(lm_network_runs_read(ctx, path, false, &list), LEMAN_OK);
    assert_int_equal(list.count, MANY + 1);
    lm_vector_free(ctx, &list);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* The orders that the paper states: which method is the best of a column, and numbers of cells. */
static void test_published(void **state)
{
    (void)state;
    static const struct {
        leman_network_table table;
        size_t quantity, column, best;
        bool largest;
    } BEST[] = {{LEMAN_NETWORK_TABLE_ZINC, 0, 0, 0, false},    {LEMAN_NETWORK_TABLE_ZINC, 0, 1, 3, false},
                {LEMAN_NETWORK_TABLE_ZINC, 0, 2, 2, false},    {LEMAN_NETWORK_TABLE_QM9, 0, 0, 6, false},
                {LEMAN_NETWORK_TABLE_ALCHEMY, 0, 0, 2, false}, {LEMAN_NETWORK_TABLE_ALCHEMY, 0, 2, 2, false},
                {LEMAN_NETWORK_TABLE_ALCHEMY, 1, 1, 2, false}, {LEMAN_NETWORK_TABLE_MID_SCALE, 0, 0, 4, true},
                {LEMAN_NETWORK_TABLE_MID_SCALE, 0, 5, 4, true}};
    for (size_t i = 0; i < sizeof BEST / sizeof *BEST; i++)
        for (size_t row = 0; row < leman_network_table_describe(BEST[i].table)->rows; row++) {
            const double own = leman_network_published(BEST[i].table, BEST[i].quantity, row, BEST[i].column).value,
                         best = leman_network_published(BEST[i].table, BEST[i].quantity, BEST[i].best, BEST[i].column)
                                    .value;
            assert_true(BEST[i].largest ? own <= best : own >= best);
        }
    size_t numbers[LEMAN_NETWORK_TABLE_COUNT] = {0};
    for (int t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++) {
        const leman_network_table_shape *shape = leman_network_table_describe((leman_network_table)t);
        assert_true(shape->rows <= LM_NETWORK_ROWS && shape->columns <= LM_NETWORK_COLUMNS && shape->quantities <= 2);
        for (size_t c = 0; c < shape->columns; c++) assert_non_null(leman_network_set_file(shape->set[c]));
        for (size_t i = 0; i < shape->rows * shape->columns * shape->quantities; i++)
            numbers[t] +=
                leman_network_published((leman_network_table)t, i % shape->quantities,
                                        i / shape->quantities % shape->rows, i / shape->quantities / shape->rows)
                    .state == LEMAN_CELL_STATE_NUMBER;
    }
    static const size_t EXPECTED[] = {12, 7, 24, 16, 30 + 18, 8};
    assert_memory_equal(numbers, EXPECTED, sizeof EXPECTED);
}

static leman_status add_and_read(leman_context *ctx, void *state)
{
    uint64_t seed = 5;
    const lm_network_run run = random_run(&seed);
    lm_vector list = {0};
    leman_status st = lm_network_runs_add(ctx, state, &run);
    if (!st) st = lm_network_runs_read(ctx, state, false, &list);
    lm_vector_free(ctx, &list);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char path[512];
    snprintf(path, sizeof path, "%s", test_path(folder, "runs.txt"));
    assert_true(test_fail_each_allocation(add_and_read, path) > 0);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_file), cmocka_unit_test(test_published),
                                       cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
