/* Splits are partitions, seeded, even, stratified on request; their files hold the same and are checked when read. */
#include "learn/protocol/splits.h"
#include "support/training_data.h"

static leman_splits *drawn(leman_context *ctx, const leman_dataset *data, size_t repetitions, size_t folds,
                           bool stratified)
{
    leman_splits *splits = NULL;
    assert_int_equal(leman_splits_draw(ctx, data, repetitions, folds, stratified, &splits), LEMAN_OK);
    return splits;
}

/* Test parts of one repetition hold every graph once; validation is ceil(10 %) of the rest and meets no test graph. */
static void check_partition(const leman_splits *splits)
{
    for (size_t r = 0; r < splits->repetitions; r++) {
        size_t *seen = calloc(splits->graphs, sizeof *seen), min = SIZE_MAX, max = 0;
        for (size_t f = 0; f < splits->folds; f++) {
            size_t i = r * splits->folds + f;
            lm_part test = lm_split_test(splits, i), validation = lm_split_validation(splits, i);
            bool *here = calloc(splits->graphs, sizeof *here);
            for (size_t j = 0; j < test.count; j++) {
                seen[test.graph[j]]++;
                here[test.graph[j]] = true;
                if (j) assert_true(test.graph[j] > test.graph[j - 1]);
            }
            assert_int_equal(validation.count, (splits->graphs - test.count + 9) / 10);
            for (size_t j = 0; j < validation.count; j++) {
                assert_false(here[validation.graph[j]]);
                here[validation.graph[j]] = true;
                if (j) assert_true(validation.graph[j] > validation.graph[j - 1]);
            }
            uint32_t *training = malloc(splits->graphs * sizeof *training);
            size_t count = lm_split_training(splits, i, training);
            assert_int_equal(count, splits->graphs - test.count - validation.count);
            for (size_t j = 0; j < count; j++) assert_false(here[training[j]]);
            min = test.count < min ? test.count : min;
            max = test.count > max ? test.count : max;
            free(training);
            free(here);
        }
        assert_true(max - min <= 1);
        for (size_t g = 0; g < splits->graphs; g++) assert_int_equal(seen[g], 1);
        free(seen);
    }
}

static void test_partitions(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    static const size_t GRAPHS[] = {3, 10, 11, 53, 200}, FOLDS[] = {2, 3, 10};
    for (size_t g = 0; g < 5; g++)
        for (size_t f = 0; f < 3; f++)
            for (int stratified = 0; stratified < 2; stratified++) {
                if (GRAPHS[g] < FOLDS[f]) continue;
                leman_dataset *data = test_families(ctx, GRAPHS[g], 3, NULL);
                leman_splits *splits = drawn(ctx, data, 4, FOLDS[f], stratified);
                check_partition(splits);
                leman_splits_free(splits);
                leman_dataset_free(data);
            }
    test_context_free(ctx);
}

static void test_seeds(void **state)
{
    (void)state;
    leman_context *one = test_context_new(1);
    leman_settings settings = leman_settings_default();
    settings.seed += 1;
    leman_context *other = NULL;
    assert_int_equal(leman_context_new(&settings, &other), LEMAN_OK);
    leman_dataset *data = test_families(one, 60, 2, NULL);
    leman_splits *a = drawn(one, data, 3, 10, false), *b = drawn(one, data, 3, 10, false);
    leman_splits *c = drawn(other, data, 3, 10, false), *less = drawn(one, data, 1, 10, false);
    assert_true(lm_splits_checksum(a) == lm_splits_checksum(b));
    assert_true(lm_splits_checksum(a) != lm_splits_checksum(c));
    /* Repetitions differ from each other, and the first does not depend on how many there are. */
    assert_memory_equal(a->start, less->start, 21 * sizeof *a->start);
    assert_memory_equal(a->graph, less->graph, less->start[20] * sizeof *a->graph);
    assert_memory_not_equal(a->graph, a->graph + a->start[20], a->start[20] * sizeof *a->graph);
    leman_splits_free(a);
    leman_splits_free(b);
    leman_splits_free(c);
    leman_splits_free(less);
    leman_dataset_free(data);
    leman_context_free(other);
    test_context_free(one);
}

/* Every graph should come into every place: over many repetitions each graph is in the first fold about a tenth of the
 * time, and in its validation part about 9 %. */
static void test_shuffles(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 50, 2, NULL);
    enum { REPETITIONS = 2000 };
    leman_splits *splits = drawn(ctx, data, REPETITIONS, 10, false);
    size_t first[50] = {0}, validation[50] = {0};
    for (size_t r = 0; r < REPETITIONS; r++) {
        lm_part test = lm_split_test(splits, r * 10), other = lm_split_validation(splits, r * 10);
        for (size_t i = 0; i < test.count; i++) first[test.graph[i]]++;
        for (size_t i = 0; i < other.count; i++) validation[other.graph[i]]++;
    }
    for (size_t g = 0; g < 50; g++) { /* five deviations of the binomial distribution */
        assert_in_range(first[g], 200 - 67, 200 + 67);
        assert_in_range(validation[g], 200 - 67, 200 + 67); /* ceil(4.5) = 5 of 50 */
    }
    leman_splits_free(splits);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static int64_t rare(size_t graph)
{
    return graph % 10 == 3 ? 1 : 0;
}

static void test_stratified(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 200, 2, rare); /* 20 of 200 are of class 1 */
    leman_splits *splits = drawn(ctx, data, 5, 10, true);
    assert_true(splits->stratified);
    for (size_t i = 0; i < 50; i++) {
        lm_part test = lm_split_test(splits, i), validation = lm_split_validation(splits, i);
        size_t rares = 0, chosen = 0;
        for (size_t j = 0; j < test.count; j++) rares += (size_t)rare(test.graph[j]);
        for (size_t j = 0; j < validation.count; j++) chosen += (size_t)rare(validation.graph[j]);
        assert_int_equal(rares, 2);
        assert_in_range(chosen, 1, 2); /* 18 * 18 / 180 = 1.8 */
    }
    leman_splits_free(splits);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* No group in two parts of a fold, folds as even as groups allow, and another shuffle for another repetition. */
static void test_groups(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    leman_splits *splits = NULL, *again = NULL;
    const char *smiles[60];
    uint32_t group[60];
    size_t groups;
    for (size_t i = 0; i < 60; i++) /* 20 of no ring, 10 phenyls, 30 rings of their own or of two */
        smiles[i] = i < 20 ? "CCO" : i < 30 ? "Cc1ccccc1" : i < 40 ? "C1CCCC1CC1CCC1" : i < 50 ? "O=C1CCC1" : "CC1CCC1";
    assert_int_equal(leman_dataset_from_smiles(ctx, smiles, NULL, 60, NULL, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_scaffolds(ctx, data, group, &groups), LEMAN_OK);
    assert_int_equal(groups, 5); /* a ring with =O is another one than without */
    for (size_t i = 0; i < 60; i++) assert_int_equal(group[i], i < 20 ? 0 : i / 10 - 1);
    for (uint32_t i = 0; i < 60; i++) group[i] = i / 4;
    assert_int_equal(leman_splits_draw_groups(ctx, data, group, 2, 5, &splits), LEMAN_OK);
    assert_int_equal(leman_splits_draw_groups(ctx, data, group, 2, 5, &again), LEMAN_OK);
    assert_true(lm_splits_checksum(splits) == lm_splits_checksum(again));
    size_t tested[60] = {0};
    for (size_t i = 0; i < 10; i++) {
        const lm_part test = lm_split_test(splits, i), validation = lm_split_validation(splits, i);
        assert_int_equal(test.count, 12);
        assert_int_equal(validation.count, 4);
        for (size_t j = 0; j < test.count; j++) tested[test.graph[j]]++;
        for (size_t j = 0; j < test.count; j += 4)
            for (size_t k = 1; k < 4; k++) assert_int_equal(test.graph[j + k] / 4, test.graph[j] / 4);
        for (size_t k = 1; k < 4; k++) assert_int_equal(validation.graph[k] / 4, validation.graph[0] / 4);
    }
    for (size_t i = 0; i < 60; i++) assert_int_equal(tested[i], 2); /* once in each repetition */
    assert_memory_not_equal(splits->graph, splits->graph + splits->start[10], 12 * sizeof *splits->graph);
    for (uint32_t i = 0; i < 60; i++) group[i] = i / 30;
    leman_splits_free(again);
    assert_int_equal(leman_splits_draw_groups(ctx, data, group, 1, 5, &again), LEMAN_ERROR_INPUT);
    leman_splits_free(splits);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_refusals(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 9, 2, NULL), *bare = NULL;
    leman_splits *splits = NULL;
    assert_int_equal(leman_splits_draw(ctx, data, 1, 10, false, &splits), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "9 graphs"));
    assert_int_equal(leman_splits_draw(ctx, data, 1, 1, false, &splits), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_splits_draw(ctx, data, 0, 3, false, &splits), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_splits_draw(ctx, data, SIZE_MAX / 2, 3, false, &splits), LEMAN_ERROR_ARGUMENT);
    leman_settings settings = leman_settings_default();
    leman_context *tight = NULL;
    settings.memory = 1000;
    assert_int_equal(leman_context_new(&settings, &tight), LEMAN_OK);
    assert_int_equal(leman_splits_draw(tight, data, 30, 9, false, &splits), LEMAN_ERROR_BUDGET);
    leman_context_free(tight);
    leman_columns none = {0};
    assert_int_equal(leman_dataset_keep(ctx, data, &none, &bare), LEMAN_OK);
    assert_int_equal(leman_splits_draw(ctx, bare, 1, 3, true, &splits), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "classes"));
    leman_dataset_free(bare);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void test_files(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "splits.txt");
    leman_dataset *data = test_families(ctx, 37, 2, NULL);
    leman_splits *splits = drawn(ctx, data, 3, 5, false), *back = NULL;
    assert_int_equal(leman_splits_write(ctx, splits, path), LEMAN_OK);
    assert_int_equal(leman_splits_read(ctx, data, path, &back), LEMAN_OK);
    assert_int_equal(back->repetitions, 3);
    assert_int_equal(back->folds, 5);
    assert_true(lm_splits_checksum(splits) == lm_splits_checksum(back));
    leman_splits_free(splits);
    leman_splits_free(back);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status parse(leman_context *ctx, const leman_dataset *data, const char *text, leman_splits **splits)
{
    return lm_splits_parse(ctx, data, "s.txt", (lm_bytes){.data = text, .size = strlen(text)}, splits);
}

/* One fold, no validation part, test graphs that do not cover the data, comments, commas, no newline at the end. */
static void test_by_hand(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 25, 2, NULL);
    leman_splits *splits = NULL;
    assert_int_equal(parse(ctx, data, "# mine\n\ngraphs 25\r\n0 0 test 6, 2,4\n", &splits), LEMAN_OK);
    lm_part test = lm_split_test(splits, 0), validation = lm_split_validation(splits, 0);
    assert_int_equal(test.count, 3);
    assert_int_equal(test.graph[0], 2);
    assert_int_equal(test.graph[2], 6);
    assert_int_equal(validation.count, 3); /* ceil(2.2) */
    leman_splits_free(splits);
    assert_int_equal(parse(ctx, data, "graphs 25\n0 0 test 0\n0 0 validation 1 2\n1 0 test 24", &splits), LEMAN_OK);
    assert_int_equal(splits->repetitions, 2);
    assert_int_equal(lm_split_validation(splits, 0).count, 2);
    assert_int_equal(lm_split_test(splits, 1).graph[0], 24);
    leman_splits_free(splits);
    assert_int_equal(parse(ctx, data, "graphs 25\n0 0 test 0-2,6 8-8\n0 0 validation 9-11\n1 0 test 1-3", &splits),
                     LEMAN_OK); /* another repetition may test a graph again */
    static const uint32_t EXPECTED[] = {0, 1, 2, 6, 8};
    test = lm_split_test(splits, 0);
    assert_int_equal(test.count, 5);
    assert_memory_equal(test.graph, EXPECTED, sizeof EXPECTED);
    assert_int_equal(lm_split_validation(splits, 0).count, 3);
    assert_int_equal(lm_split_test(splits, 1).count, 3);
    assert_int_equal(lm_split_test(splits, 1).graph[0], 1);
    leman_splits_free(splits);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } CASES[] = {
        {"", "s.txt:1"},
        {"0 0 test 2\n", "graphs N"},
        {"graphs 24\n0 0 test 1\n", "24 graphs"},
        {"graphs 25\n", "first fold"},
        {"graphs 25\n0 0 test -1\n", "graph -1"},
        {"graphs 25\n0 0 test 25\n", "s.txt:2: found graph 25, expected 0 to 24"},
        {"graphs 25\n0 1 test 3\n", "expected the first fold"},
        {"graphs 25\n1 0 test 3\n", "expected the first fold"},
        {"graphs 25\n1 1 test 3\n", "found repetition 1, fold 1, expected the first fold, 0 0"},
        {"graphs 25\n0 0 test 3\n1 1 test 4\n", "repetition 1, fold 1 after repetition 0, fold 0"},
        {"graphs 25\n0 0 test 3\n0 1 test 4\n1 0 test 5\n", "fold 0 of repetition 1, expected 2 folds"},
        {"graphs 25\n0 0 test\n", "without graphs"},
        {"graphs 25\n0 0 test 3 3\n", "twice"},
        {"graphs 25\n0 0 test 3\n0 0 validation 3\n", "s.txt:3"},
        {"graphs 25\n0 0 validation 3\n", "follow"},
        {"graphs 25\n0 0 test 3\n0 0 test 4\n", "expected the next fold"},
        {"graphs 25\n0 0 test 3\n1 0 test 5\n1 1 test 6\n", "repetition 1, fold 1"},
        {"graphs 25\n0 0 train 3\n", "test or validation"},
        {"graphs 25\n0 0 test three\n", "'three'"},
        {"graphs 25\n0 0 test 3-\n", "s.txt:2"},
        {"graphs 25\n0 0 test 3-x\n", "'x'"},
        {"graphs 25\n0 0 test 5-3\n", "smaller number first"},
        {"graphs 25\n0 0 test 20-9223372036854775807\n", "graph 25"},
        {"graphs 25\n0 0 test 1-5,3\n", "graph 3 twice"},
        {"graphs 25\n0 0 test 1 2\n0 0 validation 9\n0 1 test 4 2\n",
         "s.txt:4: found graph 2 in two test parts of repetition 0"},
        {"graphs 25\n0 0 test 0-24\n", "no graph"},
        {"graphs 25\n0 0 test 0-11\n0 0 validation 12-24\n", "no graph"},
    };
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 25, 2, NULL);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_splits *splits = NULL;
        assert_int_equal(parse(ctx, data, CASES[i].text, &splits), LEMAN_ERROR_INPUT);
        if (!strstr(leman_context_message(ctx), CASES[i].words))
            fail_msg("%s: said '%s', without '%s'", CASES[i].text, leman_context_message(ctx), CASES[i].words);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void expect_part(lm_part part, size_t count, const uint32_t *graph)
{
    assert_int_equal(part.count, count);
    assert_memory_equal(part.graph, graph, count * sizeof *graph);
}

/* Files of Errica et al. and of OGB, with members and white space of their own. */
static void test_json(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 6, 2, NULL);
    leman_splits *splits = NULL;
    static const uint32_t FIRST[] = {0, 3}, SECOND[] = {1, 5}, FIFTH[] = {5}, OTHERS[] = {1, 2};
    assert_int_equal(
        parse(ctx, data,
              "\n [ {\"test\": [3, 0], \"model_selection\": [{\"validation\": [5], \"train\": [1,2,4]}],\n"
              "\"note\": {\"a\": [1, -2.5e3, \"x]\\\"\", null, true, [[]], {}]}},\r\n"
              "{\"model_selection\": [{\"train\": [0,3,4]}], \"test\": [5, 1]}]\n",
              &splits),
        LEMAN_ERROR_INPUT); /* without a validation part all graphs that do not test train, until it is drawn */
    assert_non_null(strstr(leman_context_message(ctx), "s.txt:4: fold 1: found 3 training graphs"));
    assert_int_equal(parse(ctx, data,
                           "\n [ {\"test\": [3, 0], \"model_selection\": [{\"validation\": [5], \"train\": [1,2,4]}],\n"
                           "\"note\": {\"a\": [1, -2.5e3, \"x]\\\"\", null, true, [[]], {}]}},\r\n"
                           "{\"model_selection\": [], \"test\": [5, 1]}]\n",
                           &splits),
                     LEMAN_OK);
    assert_int_equal(splits->repetitions, 1);
    assert_int_equal(splits->folds, 2);
    expect_part(lm_split_test(splits, 0), 2, FIRST);
    expect_part(lm_split_validation(splits, 0), 1, FIFTH);
    expect_part(lm_split_test(splits, 1), 2, SECOND);
    assert_int_equal(lm_split_validation(splits, 1).count, 1); /* ceil(0.4) */
    leman_splits_free(splits);
    static const char *const OGB[] = {"{\"train\": [4, 5], \"valid\": [1, 2], \"test\": [0, 3]}",
                                      "{\"val\": [[2], [1]], \"train\": null, \"test\": [[3], [0]]}",
                                      "{\"folds\": [{\"validation\": [1, 2], \"test\": [0, 3]}], \"of\": \"mine\"}"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(parse(ctx, data, OGB[i], &splits), LEMAN_OK);
        assert_int_equal(splits->repetitions * splits->folds, 1);
        expect_part(lm_split_test(splits, 0), 2, FIRST);
        expect_part(lm_split_validation(splits, 0), 2, OTHERS);
        leman_splits_free(splits);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Which folds are a repetition. */
static void test_json_repetitions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t repetitions, folds;
    } CASES[] = {
        {"[{\"test\": [0]}, {\"test\": [1]}, {\"test\": [3]}]", 1, 3},
        {"[{\"test\": [0, 1]}, {\"test\": [2, 3]}, {\"test\": [0, 2]}, {\"test\": [1, 3]}]", 2, 2},
        {"[{\"test\": [0, 1]}, {\"test\": [2, 3]}, {\"test\": [0, 2]}, {\"test\": [0, 3]}]", 4, 1},
        {"[{\"test\": [0, 1]}, {\"test\": [2, 3]}, {\"test\": [0, 2]}]", 3, 1},
        {"[{\"test\": [0]}, {\"test\": [0]}]", 2, 1},
        {"[{\"repetition\": 0, \"fold\": 0, \"test\": [0]}, {\"repetition\": 1, \"fold\": 0, \"test\": [1]}]", 2, 1},
        {"[{\"repetition\": 0, \"fold\": 0, \"test\": [0]}, {\"repetition\": 0, \"fold\": 1, \"test\": [1]}]", 1, 2},
    };
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 4, 2, NULL);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_splits *splits = NULL;
        assert_int_equal(parse(ctx, data, CASES[i].text, &splits), LEMAN_OK);
        assert_int_equal(splits->repetitions, CASES[i].repetitions);
        assert_int_equal(splits->folds, CASES[i].folds);
        leman_splits_free(splits);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_bad_json(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } CASES[] = {
        {"[", "expected a fold"},
        {"[]", "no fold"},
        {"{}", "no test part"},
        {"[{\"train\": [1]}]", "fold 0: found no test part"},
        {"[3]", "'3]', expected a fold"},
        {"[{\"test\": [1]} {\"test\": [2]}]", "a comma or ]"},
        {"[{\"test\": [1]},]", "expected a fold"},
        {"[{\"test\": [1]}] x", "expected the end"},
        {"[{\"test\": 1}]", "a list of graph numbers"},
        {"[{\"test\": []}]", "no graph in the test part"},
        {"[{\"test\": [1], \"valid\": []}]", "no graph in the validation part"},
        {"[{\"test\": [1,]}]", "a graph number from 0 to 24"},
        {"[{\"test\": [1.5]}]", "a graph number"},
        {"[{\"test\": [-1]}]", "a graph number"},
        {"[{\"test\": [\"1\"]}]", "a graph number"},
        {"[{\"test\": [true]}]", "a graph number"},
        {"[{\"test\":\n [2,\n 25]}]", "s.txt:3: found '25"},
        {"[{\"test\": [99999999999999999999999999]}]", "a graph number from 0 to 24"},
        {"[{\"test\": [[1, 2]]}]", "expected ]"},
        {"[{\"test\": [3, 4, 3]}]", "graph 3 twice in the test part"},
        {"[{\"test\": [3], \"test\": [4]}]", "the test part twice"},
        {"[{\"test\": [3], \"val\": [1], \"valid\": [2]}]", "the validation part twice"},
        {"[{\"test\": [3], \"valid\": [3]}]", "graph 3 in two parts"},
        {"[{\"test\": [3], \"valid\": [4], \"train\": [3]}]", "graph 3 in two parts"},
        {"[{\"test\": [3], \"valid\": [4], \"train\": [0, 1]}]", "2 training graphs, expected the 23"},
        {"[{\"test\": [3], \"model_selection\": [{\"validation\": [1]}, {\"validation\": [2]}]}]", "several folds"},
        {"{\"test\": [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24]}", "no graph to train"},
        {"{\"test\": [1], \"folds\": [{\"test\": [2]}]}", "one of them"},
        {"{\"train\": [1], \"folds\": [{\"test\": [2]}]}", "a list of folds beside a train part"},
        {"{\"folds\": [{\"test\": [2]}], \"valid\": [1]}", "a list of folds beside a validation part"},
        {"[{\"test\": [3], \"model_selection\": {\"validation\": [1]}}]", "a list with one fold"},
        {"{\"test\": [1], \"x", "the end of a string"},
        {"{\"test\": [1], \"x\" 3}", "a colon"},
        {"{\"test\": [1], \"x\": nul}", "a value of JSON"},
        {"{\"test\": [1], \"x\": }", "a value of JSON"},
        {"{test: [1]}", "a key in double quotes"},
        {"[{\"test\": [1], \"repetition\": 0}]", "in all or in none"},
        {"[{\"test\": [1], \"repetition\": 0, \"fold\": 0}, {\"test\": [2]}]", "in all or in none"},
        {"[{\"test\": [1], \"repetition\": 1, \"fold\": 0}]", "repetition 1, fold 0, expected repetition 0, fold 0"},
        {"[{\"test\": [1], \"repetition\": 0, \"fold\": 0}, {\"test\": [1], \"repetition\": 0, \"fold\": 1}]",
         "graph 1 in two test parts"},
        {"[{\"test\": [1], \"repetition\": 0, \"fold\": 0}, {\"test\": [2], \"repetition\": 0, \"fold\": 1},"
         "{\"test\": [1], \"repetition\": 1, \"fold\": 0}]",
         "a multiple of the 2 of a repetition"},
    };
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 25, 2, NULL);
    leman_splits *splits = NULL;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        if (parse(ctx, data, CASES[i].text, &splits) != LEMAN_ERROR_INPUT ||
            !strstr(leman_context_message(ctx), CASES[i].words))
            fail_msg("%s: said '%s', without '%s'", CASES[i].text, leman_context_message(ctx), CASES[i].words);
    }
    char deep[4096] = "{\"test\": [1], \"x\": ";
    memset(deep + strlen(deep), '[', 2000);
    assert_int_equal(parse(ctx, data, deep, &splits), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "inside each other"));
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status everything(leman_context *ctx, void *user)
{
    leman_splits *splits = NULL, *back = NULL, *own = NULL;
    leman_status st = leman_splits_draw(ctx, user, 2, 3, true, &splits);
    if (!st) st = leman_splits_new(ctx, splits->graphs, 2, 3, splits->start, splits->graph, &own);
    if (!st) assert_true(lm_splits_checksum(own) == lm_splits_checksum(splits));
    leman_splits_free(own);
    if (!st) st = parse(ctx, user, "graphs 25\n0 0 test 6 2 4\n0 1 test 3\n", &back);
    leman_splits_free(splits);
    splits = NULL;
    if (!st) st = parse(ctx, user, "[{\"test\": [6, 2, 4]}, {\"test\": [3], \"valid\": [7]}]", &splits);
    leman_splits_free(splits);
    leman_splits_free(back);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 25, 2, NULL);
    assert_true(test_fail_each_allocation(everything, data) > 5);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partitions),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_shuffles),
        cmocka_unit_test(test_stratified),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_repetitions),
        cmocka_unit_test(test_bad_json),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
