/* A run that was cut off anywhere goes on and gives the same digits; what is not its journal is refused and stays. */
#include "base/file.h"
#include "learn/protocol/fold_records.h"
#include "support/training_data.h"
#include <stdio.h>

typedef struct fixture {
    leman_context *ctx;
    leman_dataset *data;
    const char *folder;
    char path[200];
    leman_kernel kernel;
    leman_protocol protocol;
} fixture;

static int64_t mixed(size_t graph)
{
    return graph % 7 == 3 ? 1 : graph % 2;
}

static void set_up(fixture *s)
{
    *s = (fixture){.ctx = test_context_new(2), .folder = test_folder_new()};
    s->data = test_families(s->ctx, 40, 4, mixed);
    snprintf(s->path, sizeof s->path, "%s", test_path(s->folder, "run.journal"));
    s->kernel = leman_kernel_default();
    s->kernel.coloring.k = 1;
    s->protocol = leman_protocol_default();
    s->protocol.repetitions = 2;
    s->protocol.folds = 3;
    s->protocol.max_rounds = 1;
    s->protocol.journal = s->path;
}

static void tear_down(fixture *s)
{
    leman_dataset_free(s->data);
    test_folder_remove(s->folder);
    test_context_free(s->ctx);
}

static leman_evaluation *evaluate(fixture *s)
{
    leman_evaluation *e = NULL;
    if (leman_evaluate(s->ctx, s->data, &s->kernel, 1, &s->protocol, &e)) fail_msg("%s", leman_context_message(s->ctx));
    return e;
}

/* All bytes of the journal. */
static char *bytes_of(const fixture *s, size_t *size)
{
    FILE *file = fopen(s->path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void put_bytes(const fixture *s, const char *bytes, size_t size)
{
    FILE *file = fopen(s->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void test_cut_anywhere(void **state)
{
    (void)state;
    fixture s;
    set_up(&s);
    leman_evaluation *whole = evaluate(&s), *again;
    assert_int_equal(whole->resumed, 0);
    size_t size, lines = 0, now;
    char *bytes = bytes_of(&s, &size);
    for (size_t i = 0; i < size; i++) lines += bytes[i] == '\n';
    assert_int_equal(lines, 7);
    for (size_t cut = 0; cut <= size; cut += cut + 40 > size && cut < size ? size - cut : 37) {
        size_t left = 0;
        for (size_t i = 0; i < cut; i++) left += bytes[i] == '\n';
        put_bytes(&s, bytes, cut);
        again = evaluate(&s);
        assert_int_equal(again->resumed, left ? left - 1 : 0);
        test_same_results(whole, again);
        leman_evaluation_free(again);
        free(bytes_of(&s, &now)); /* folds may stand in another order */
        assert_int_equal(now, size);
    }
    free(bytes);
    leman_evaluation_free(whole);
    tear_down(&s);
}

static void test_other_runs(void **state)
{
    (void)state;
    fixture s;
    set_up(&s);
    leman_evaluation *e = evaluate(&s);
    leman_evaluation_free(e);
    size_t size, after;
    char *bytes = bytes_of(&s, &size);
    for (int change = 0; change < 6; change++) {
        static const char *const WORDS[] = {"kernels", "rounds", "retrain", "splits", "splits", "C"};
        fixture other = s;
        double grid[] = {1, 2};
        if (change == 0) other.kernel.assignment = true;
        if (change == 1) other.protocol.max_rounds = 2;
        if (change == 2) other.protocol.retrain = true;
        if (change == 3) other.protocol.folds = 4;
        if (change == 4) other.protocol.stratified = true;
        if (change == 5) other.protocol.C = grid, other.protocol.C_count = 2;
        assert_int_equal(leman_evaluate(s.ctx, s.data, &other.kernel, 1, &other.protocol, &e), LEMAN_ERROR_INPUT);
        if (!strstr(leman_context_message(s.ctx), WORDS[change]))
            fail_msg("said '%s', without '%s'", leman_context_message(s.ctx), WORDS[change]);
        char *now = bytes_of(&s, &after);
        assert_int_equal(after, size);
        assert_memory_equal(now, bytes, size);
        free(now);
    }
    free(bytes);
    tear_down(&s);
}

static void test_damage(void **state)
{
    (void)state;
    fixture s;
    set_up(&s);
    leman_evaluation *whole = evaluate(&s), *e;
    size_t size, after;
    char *bytes = bytes_of(&s, &size), *first = memchr(bytes, '\n', size);
    static const char NOTES[] = "buy milk\nand bread\n";
    put_bytes(&s, NOTES, sizeof NOTES - 1);
    assert_int_equal(leman_evaluate(s.ctx, s.data, &s.kernel, 1, &s.protocol, &e), LEMAN_ERROR_INPUT);
    char *now = bytes_of(&s, &after);
    assert_int_equal(after, sizeof NOTES - 1);
    assert_memory_equal(now, NOTES, after);
    free(now);
    first[30] = first[30] == '0' ? '1' : '0'; /* a digit of the first fold */
    put_bytes(&s, bytes, size);
    assert_int_equal(leman_evaluate(s.ctx, s.data, &s.kernel, 1, &s.protocol, &e), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(s.ctx), "run.journal:2"));
    put_bytes(&s, bytes, (size_t)((char *)memchr(first + 1, '\n', size) + 1 - bytes)); /* now it is the last */
    e = evaluate(&s);
    assert_int_equal(e->resumed, 0);
    test_same_results(whole, e);
    leman_evaluation_free(e);
    leman_evaluation_free(whole);
    s.protocol.journal = s.folder;
    assert_int_equal(leman_evaluate(s.ctx, s.data, &s.kernel, 1, &s.protocol, &e), LEMAN_ERROR_FILE);
    free(bytes);
    tear_down(&s);
}

static leman_status resume(leman_context *ctx, void *user)
{
    fixture *s = user;
    leman_evaluation *e = NULL;
    leman_status st = leman_evaluate(ctx, s->data, &s->kernel, 1, &s->protocol, &e);
    leman_evaluation_free(e);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    fixture s;
    set_up(&s);
    assert_true(test_fail_each_allocation(resume, &s) > 10);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_other_runs),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
