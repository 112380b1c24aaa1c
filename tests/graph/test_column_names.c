/* Names of targets and classes: given, kept, looked up; missing values; a target as the class. */
#include "graph/dataset.h"
#include "support/full.h"
#include "support/refused.h"
#include <math.h>

static const char *const NAMES[4] = {"logP", "active", "1", "ACTIVE"};

/* Three graphs of one vertex; targets {0, 1, 2, 3}, {NaN, -1, 0.5, 7}, {4, NaN, NaN, NaN}. */
static leman_dataset *three(leman_context *ctx, const char *const *names)
{
    const leman_columns columns = {.targets = 4, .classes = true};
    const double targets[3][4] = {{0, 1, 2, 3}, {-NAN, -1, 0.5, 7}, {4, NAN, NAN, NAN}};
    const int64_t classes[] = {5, LEMAN_CLASS_MISSING, -5};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "three", &columns, &b), LEMAN_OK);
    if (names) assert_int_equal(leman_builder_target_names(b, names), LEMAN_OK);
    assert_int_equal(leman_builder_class_name(b, 5, "yes"), LEMAN_OK);
    assert_int_equal(leman_builder_class_name(b, -5, "no"), LEMAN_OK);
    for (int g = 0; g < 3; g++) {
        assert_int_equal(leman_builder_graph(b, NULL, classes + g, targets[g]), LEMAN_OK);
        assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    return data;
}

static void expect_name(const char *name, size_t length, const char *expected)
{
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(name, expected, length);
}

static void expect_names(const leman_dataset *data, bool targets, bool classes)
{
    size_t length;
    for (size_t t = 0; t < 4; t++) {
        const char *name = leman_dataset_target_name(data, t, &length);
        expect_name(name, length, targets ? NAMES[t] : "");
    }
    const char *name = leman_dataset_class_name(data, 5, &length);
    expect_name(name, length, classes ? "yes" : "");
    name = leman_dataset_class_name(data, -5, &length);
    expect_name(name, length, classes ? "no" : "");
    assert_string_equal(leman_dataset_class_name(data, 0, &length), "");
    assert_string_equal(leman_dataset_target_name(data, 4, &length), "");
}

static void test_names_are_kept(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = three(ctx, NAMES), *made = NULL;
    const size_t which[] = {2, 2, 0};
    const leman_columns targets = {.targets = 1}, classes = {.classes = true};
    leman_policy policy = leman_policy_default();
    policy.isolated_vertices = LEMAN_ACTION_REMOVE;
    expect_names(data, true, true);
    assert_int_equal(leman_dataset_select(ctx, data, 3, which, &made), LEMAN_OK);
    expect_names(made, true, true);
    leman_dataset_free(made);
    assert_int_equal(leman_dataset_keep(ctx, data, &targets, &made), LEMAN_OK);
    expect_names(made, true, false);
    leman_dataset_free(made);
    assert_int_equal(leman_dataset_keep(ctx, data, &classes, &made), LEMAN_OK);
    expect_names(made, false, true);
    leman_dataset_free(made);
    assert_int_equal(leman_dataset_apex(ctx, data, &made), LEMAN_OK);
    expect_names(made, true, true);
    leman_dataset_free(made);
    assert_int_equal(lm_dataset_clean(ctx, &policy, NULL, &data), LEMAN_OK); /* assembled anew */
    expect_names(data, true, true);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_bad_names(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const leman_columns columns = {.targets = 1, .classes = true}, without = {.targets = 1};
    const char *const bell[] = {"a\x07"};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "n", &columns, &b), LEMAN_OK);
    assert_int_equal(leman_builder_target_names(b, bell), LEMAN_ERROR_INPUT);
    assert_int_equal(leman_builder_class_name(b, 1, "\xff"), LEMAN_ERROR_INPUT);
    assert_int_equal(leman_builder_class_name(b, 1, "a"), LEMAN_OK);
    assert_int_equal(leman_builder_class_name(b, 1, "b"), LEMAN_OK);
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "two names of class 1"));
    assert_null(data);
    leman_builder_free(b);
    assert_int_equal(leman_builder_new(ctx, "n", &without, &b), LEMAN_OK);
    assert_refused(ctx, "class 1", leman_builder_class_name(b, 1, "a"));
    leman_builder_free(b);
    test_context_free(ctx);
}

/* ---- Which column ---------------------------------------------------------------------------- */

static void expect_column(leman_context *ctx, const leman_dataset *data, const char *text, size_t expected)
{
    size_t column = SIZE_MAX;
    if (leman_dataset_target_find(ctx, data, text, &column)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(column, expected);
}

static void expect_none(leman_context *ctx, const leman_dataset *data, const char *text, const char *words)
{
    size_t column = 77;
    assert_int_equal(leman_dataset_target_find(ctx, data, text, &column), LEMAN_ERROR_INPUT);
    assert_int_equal(column, 77);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("'%s' lacks '%s'", leman_context_message(ctx), words);
}

static void test_find(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = three(ctx, NAMES), *unnamed = three(ctx, NULL), *none = NULL;
    const char *const twice[4] = {"a", "b", "a", ""};
    expect_column(ctx, data, "logP", 0);
    expect_column(ctx, data, "LOGp", 0); /* only one has it in any case */
    expect_column(ctx, data, "active", 1);
    expect_column(ctx, data, "ACTIVE", 3);
    expect_column(ctx, data, "0", 0);
    expect_column(ctx, data, "3", 3);
    expect_column(ctx, data, " \"1\" ", 2); /* in quotes: the name */
    expect_none(ctx, data, "Active",
                "several columns are called 'Active', expected one of the target columns 0 (logP), "
                "1 (active), 2 (1), 3 (ACTIVE)");
    expect_none(ctx, data, "1", "one column is called and another is number '1'");
    expect_none(ctx, data, "4", "there is no target '4'");
    expect_none(ctx, data, "18446744073709551617", "there is no target");
    expect_none(ctx, data, "\"0\"", "there is no target \"0\"");
    expect_none(ctx, data, "", "there is no target ''");
    expect_none(ctx, data, "-1", "there is no target '-1'");
    expect_column(ctx, unnamed, "1", 1);
    expect_none(ctx, unnamed, "logP", "there is no target 'logP', expected one of the target columns 0, 1, 2, 3");
    assert_int_equal(leman_dataset_target_named(data, "logP"), 0);
    assert_int_equal(leman_dataset_target_named(data, "LOGP"), 0);
    assert_int_equal(leman_dataset_target_named(data, "ACTIVE"), 3);
    assert_int_equal(leman_dataset_target_named(data, "Active"), SIZE_MAX); /* two in any case */
    assert_int_equal(leman_dataset_target_named(data, "1"), 2);             /* a name, no number */
    assert_int_equal(leman_dataset_target_named(data, "0"), SIZE_MAX);
    assert_int_equal(leman_dataset_target_named(data, ""), SIZE_MAX);
    assert_int_equal(leman_dataset_target_named(data, NULL), SIZE_MAX);
    assert_int_equal(leman_dataset_target_named(NULL, "logP"), SIZE_MAX);
    assert_int_equal(leman_dataset_target_named(unnamed, "1"), SIZE_MAX);
    leman_dataset_free(unnamed);
    unnamed = three(ctx, twice);
    assert_int_equal(leman_dataset_target_named(unnamed, "a"), SIZE_MAX);
    expect_none(ctx, unnamed, "a", "several columns are called 'a'");
    expect_column(ctx, unnamed, "2", 2);
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &none), LEMAN_OK);
    expect_none(ctx, none, "logP", "found no targets");
    leman_dataset_free(none);
    leman_dataset_free(unnamed);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_list(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *const names[4] = {"a,b", "0-1", "c", "d"};
    leman_dataset *data = three(ctx, names);
    size_t columns[4], count = 77;
    static const struct {
        const char *text;
        size_t count, columns[4];
    } CASES[] = {
        {"c", 1, {2}},           {"d, c", 2, {3, 2}},   {"a,b", 1, {0}},           {"\"a,b\",D", 2, {0, 3}},
        {"0-1", 1, {1}},         {"1-3", 3, {1, 2, 3}}, {"3,0-0,c", 3, {3, 0, 2}}, {"0,1-2,3", 4, {0, 1, 2, 3}},
        {"\"0-1\",2", 2, {1, 2}}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        if (leman_dataset_target_list(ctx, data, CASES[i].text, columns, &count)) fail_msg("%s", CASES[i].text);
        assert_int_equal(count, CASES[i].count);
        assert_memory_equal(columns, CASES[i].columns, count * sizeof *columns);
    }
    static const char *const WRONG[] = {"", ",", "c,", "c,c", "0-1,1", "0-4", "3-2", "c,x", "1-", "\"c"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        count = 77;
        if (!leman_dataset_target_list(ctx, data, WRONG[i], columns, &count)) fail_msg("'%s' is taken", WRONG[i]);
        assert_int_equal(count, 77);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Missing values -------------------------------------------------------------------------- */

static void test_missing(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = three(ctx, NAMES), *other = three(ctx, NULL);
    assert_int_equal(leman_dataset_checksum(data), leman_dataset_checksum(other));
    assert_int_equal(lm_require_classes(ctx, data), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), "three: found no class of graph 1, expected one for every graph");
    ((int64_t *)(uintptr_t)leman_dataset_classes(data))[2] = LEMAN_CLASS_MISSING;
    assert_int_equal(lm_require_classes(ctx, data), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), "three: found no class of 2 graphs, the first of which is graph 1, "
                                                    "expected one for every graph");
    const leman_dataset range = lm_dataset_range(data, 2, 3); /* whose graphs keep the numbers they have in the whole */
    assert_int_equal(lm_require_classes(ctx, &range), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "graph 2,"));
    assert_true(lm_is_missing_target(leman_dataset_targets(data)[4])); /* which came as another NaN */
    leman_dataset_free(data);
    leman_dataset_free(other);
    test_context_free(ctx);
}

static void test_use_class(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = three(ctx, NAMES), *made = NULL;
    const int64_t first[] = {0, LEMAN_CLASS_MISSING, 4}, last[] = {3, 7, LEMAN_CLASS_MISSING};
    assert_int_equal(leman_dataset_use_class(ctx, data, 0, &made), LEMAN_OK);
    assert_memory_equal(leman_dataset_classes(made), first, sizeof first);
    assert_int_equal(leman_dataset_check(ctx, made), LEMAN_OK);
    expect_names(made, true, false); /* the names were those of other classes */
    assert_memory_equal(leman_dataset_targets(made), leman_dataset_targets(data), 12 * sizeof(double));
    leman_dataset_free(made);
    assert_int_equal(leman_dataset_use_class(ctx, data, 3, &made), LEMAN_OK);
    assert_memory_equal(leman_dataset_classes(made), last, sizeof last);
    leman_dataset_free(made);
    made = NULL;
    assert_int_equal(leman_dataset_use_class(ctx, data, 2, &made), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx),
                        "three: found 0.5 as target 2 of graph 1, expected an integer, since "
                        "it is to be the class");
    assert_null(made);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Its numbers and its name are there, and no other, and no class. */
static void test_use_target(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    for (int named = 0; named < 2; named++) {
        leman_dataset *data = three(ctx, named ? NAMES : NULL);
        const size_t targets = leman_dataset_shape(data)->columns->targets;
        for (size_t c = 0; c < targets; c++) {
            leman_dataset *made = NULL;
            size_t length[2];
            assert_int_equal(leman_dataset_use_target(ctx, data, c, &made), LEMAN_OK);
            assert_int_equal(leman_dataset_check(ctx, made), LEMAN_OK);
            assert_null(leman_dataset_classes(made));
            assert_int_equal(leman_dataset_shape(made)->columns->targets, 1);
            for (size_t g = 0; g < 3; g++)
                assert_memory_equal(leman_dataset_targets(made) + g, leman_dataset_targets(data) + g * targets + c,
                                    sizeof(double));
            const char *is = leman_dataset_target_name(made, 0, length);
            const char *was = leman_dataset_target_name(data, c, length + 1);
            assert_int_equal(length[0], length[1]);
            if (*length) assert_memory_equal(is, was, *length);
            leman_dataset_free(made);
        }
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static leman_status body(leman_context *ctx, void *state)
{
    leman_dataset *made = NULL, *again = NULL, *alone = NULL;
    leman_status st = leman_dataset_use_class(ctx, state, 1, &made);
    if (!st) st = leman_dataset_apex(ctx, made, &again);
    if (!st) st = leman_dataset_use_target(ctx, made, 1, &alone);
    leman_dataset_free(alone);
    leman_dataset_free(made);
    leman_dataset_free(again);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = three(ctx, NAMES);
    assert_true(test_fail_each_allocation(body, data) > 5);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* What is set is there, what was there is gone, the graphs stay. */
static leman_status set_targets(leman_context *ctx, void *unused)
{
    uint64_t state = 3;
    leman_dataset *data = test_full_dataset(ctx, &state, 4, 6, false), *made = NULL, *back = NULL;
    const int64_t class_label[4] = {5, LEMAN_CLASS_MISSING, -1, 5};
    const double target[12] = {1, NAN, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    (void)unused;
    leman_status st = leman_dataset_set_targets(ctx, data, class_label, target, 3, &made);
    if (!st) {
        assert_int_equal(leman_dataset_check(ctx, made), LEMAN_OK);
        assert_memory_equal(leman_dataset_classes(made), class_label, sizeof class_label);
        for (int i = 0; i < 12; i++)
            assert_true(isnan(target[i]) ? isnan(leman_dataset_targets(made)[i])
                                         : leman_dataset_targets(made)[i] == target[i]);
        assert_true(leman_dataset_checksum(made) != leman_dataset_checksum(data));
        st = leman_dataset_set_targets(ctx, made, leman_dataset_classes(data), leman_dataset_targets(data), 2, &back);
    }
    if (!st) {
        assert_true(leman_dataset_checksum(back) == leman_dataset_checksum(data));
        leman_dataset_free(back);
        back = NULL;
        st = leman_dataset_set_targets(ctx, data, NULL, NULL, 0, &back);
    }
    if (!st) assert_true(!leman_dataset_classes(back) && !leman_dataset_targets(back));
    leman_dataset_free(back);
    leman_dataset_free(made);
    leman_dataset_free(data);
    return st;
}

static void test_set_targets(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    assert_int_equal(set_targets(ctx, NULL), LEMAN_OK);
    test_context_free(ctx);
}

/* The names are the classes', and others than before; the graphs stay. */
static leman_status set_class_names(leman_context *ctx, void *given)
{
    const leman_dataset *data = given;
    leman_dataset *made = NULL, *again = NULL;
    const int64_t label[] = {-2, 3, 7}, wrong[] = {3, 3, 7};
    const char *const name[] = {"low", "h\303\266her", "x y"}, *const other[] = {"z"}, *const bad[] = {"a\n"};
    const char *found;
    size_t length;
    leman_status st = leman_dataset_set_class_names(ctx, data, label, name, 3, &made);
    if (!st) {
        assert_int_equal(leman_dataset_check(ctx, made), LEMAN_OK);
        assert_true(leman_dataset_checksum(made) == leman_dataset_checksum(data));
        for (int i = 0; i < 3; i++) {
            found = leman_dataset_class_name(made, label[i], &length);
            assert_int_equal(length, strlen(name[i]));
            assert_memory_equal(found, name[i], length);
        }
        assert_int_equal(leman_dataset_set_class_names(ctx, data, wrong, name, 3, &again), LEMAN_ERROR_ARGUMENT);
        assert_non_null(strstr(leman_context_message(ctx), "increasing"));
        assert_int_equal(leman_dataset_set_class_names(ctx, data, label, bad, 1, &again), LEMAN_ERROR_ARGUMENT);
        st = leman_dataset_set_class_names(ctx, made, label + 1, other, 1, &again);
    }
    if (!st) {
        assert_memory_equal(leman_dataset_class_name(again, 3, &length), "z", 1);
        leman_dataset_class_name(again, -2, &length);
        assert_int_equal(length, 0);
        leman_dataset_free(again);
        again = NULL;
        st = leman_dataset_set_class_names(ctx, made, NULL, NULL, 0, &again);
    }
    if (!st) assert_int_equal(leman_dataset_check(ctx, again), LEMAN_OK);
    leman_dataset_free(again);
    leman_dataset_free(made);
    return st;
}

static void test_set_class_names(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    leman_dataset *data = test_full_dataset(ctx, &state, 4, 6, false), *bare = NULL, *out = NULL;
    assert_int_equal(set_class_names(ctx, data), LEMAN_OK);
    assert_true(test_fail_each_allocation(set_class_names, data) >= 3);
    assert_int_equal(leman_dataset_set_targets(ctx, data, NULL, NULL, 0, &bare), LEMAN_OK);
    assert_int_equal(leman_dataset_set_class_names(ctx, bare, NULL, NULL, 0, &out), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "no classes"));
    leman_dataset_free(bare);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_kept),
        cmocka_unit_test(test_bad_names),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_use_class),
        cmocka_unit_test(test_use_target),
        cmocka_unit_test(test_set_targets),
        cmocka_unit_test(test_set_class_names),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
