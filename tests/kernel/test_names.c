/* Names of kernels, and what they leave as it was. */
#include "support/support.h"

static void test_names(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        leman_kernel_kind kind;
        leman_algorithm algorithm;
        unsigned k, size;
        bool assignment;
    } KNOWN[] = {{"local", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 7, 3, false},
                 {"local:3", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 3, 3, false},
                 {"local+:1", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL_PLUS, 1, 3, false},
                 {"folklore:32", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_FOLKLORE, 32, 3, false},
                 {"WL1", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 1, 3, false},
                 {"LWLP3", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL_PLUS, 3, 3, false},
                 {"wloa", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 1, 3, true},
                 {"WLOA", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 1, 3, true},
                 {"sp", LEMAN_KERNEL_KIND_SHORTEST_PATH, LEMAN_ALGORITHM_DELTA, 7, 3, false},
                 {"SP", LEMAN_KERNEL_KIND_SHORTEST_PATH, LEMAN_ALGORITHM_DELTA, 7, 3, false},
                 {"graphlet", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_DELTA, 7, 3, false},
                 {"Propagation", LEMAN_KERNEL_KIND_PROPAGATION, LEMAN_ALGORITHM_DELTA, 7, 3, false},
                 {"GR", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_DELTA, 7, 3, false},
                 {"graphlet:4", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_DELTA, 7, 4, false},
                 {"GR:5", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_DELTA, 7, 5, false},
                 {"local:assignment", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 7, 3, true},
                 {"local+:2:assignment", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL_PLUS, 2, 3, true},
                 {"DWL3:assignment", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_DELTA, 3, 3, true},
                 {"wloa:assignment", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 1, 3, true},
                 {"sp:assignment", LEMAN_KERNEL_KIND_SHORTEST_PATH, LEMAN_ALGORITHM_DELTA, 7, 3, true},
                 {"graphlet:4:assignment", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_DELTA, 7, 4, true},
                 {"NH", LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH, LEMAN_ALGORITHM_DELTA, 7, 3, false},
                 {"nh:2:assignment", LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH, LEMAN_ALGORITHM_DELTA, 7, 3, true},
                 {"csnh:255", LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH, LEMAN_ALGORITHM_DELTA, 7, 3, false},
                 {"HC:0", LEMAN_KERNEL_KIND_HADAMARD_CODE, LEMAN_ALGORITHM_DELTA, 7, 3, false},
                 {"nspd:2:255", LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS, LEMAN_ALGORITHM_DELTA, 7, 3, false},
                 {"ODD:2", LEMAN_KERNEL_KIND_TREES, LEMAN_ALGORITHM_DELTA, 7, 3, false}};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        leman_kernel kernel = leman_kernel_default();
        kernel.coloring.algorithm = LEMAN_ALGORITHM_DELTA;
        kernel.coloring.k = 7;
        kernel.coloring.rounds = 9;
        kernel.weight = 0.5;
        assert_int_equal(leman_kernel_parse(ctx, KNOWN[i].name, &kernel), LEMAN_OK);
        assert_int_equal(kernel.kind, KNOWN[i].kind);
        assert_int_equal(kernel.coloring.algorithm, KNOWN[i].algorithm);
        assert_int_equal(kernel.coloring.k, KNOWN[i].k);
        assert_int_equal(kernel.graphlet, KNOWN[i].size);
        assert_int_equal(kernel.assignment, KNOWN[i].assignment);
        assert_int_equal(kernel.coloring.rounds, 9);
        assert_true(kernel.weight == 0.5);
    }
    test_context_free(ctx);
}

static void test_wrong_names(void **unused)
{
    (void)unused;
    static const char *const WRONG[] = {"",
                                        "locals",
                                        ":assignment",
                                        "local:2:assign",
                                        "local:assignment:2",
                                        "local:2:assignment:assignment",
                                        "an-extraordinarily-long-name-of-a-kernel:assignment",
                                        "local:",
                                        "local:0",
                                        "local:33",
                                        "local:2x",
                                        "local:-2",
                                        "local:+2",
                                        "local: 2",
                                        ":2",
                                        "LWL2:3",
                                        "LWL2:2",
                                        "wloa:2",
                                        "sp:3",
                                        "SP:",
                                        "graphlet:2",
                                        "graphlet:6",
                                        "graphlet:",
                                        "NH:0",
                                        "NH:256",
                                        "NH:1000",
                                        "NH:02",
                                        "NH:2:3",
                                        "NH:",
                                        "HC:-1",
                                        "NSPD:1:",
                                        "NSPD:1:256",
                                        "NSPD:1:2:3",
                                        "ODD:1:2",
                                        "local:4294967298",
                                        "Loca1",
                                        "0-WL",
                                        "33-WL",
                                        "02-WL",
                                        "delta-LWL",
                                        "delta-2-LWL:3",
                                        "2-LWL",
                                        "delta-2-FWL",
                                        "a name that is longer than any that there is:3"};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        leman_kernel kernel = leman_kernel_default(), before = kernel;
        assert_int_equal(leman_kernel_parse(ctx, WRONG[i], &kernel), LEMAN_ERROR_ARGUMENT);
        assert_non_null(strstr(leman_context_message(ctx), "algorithm: found '"));
        assert_non_null(strstr(leman_context_message(ctx), "expected"));
        assert_int_equal(kernel.kind, before.kind);
        assert_int_equal(kernel.coloring.k, before.coloring.k);
        assert_int_equal(kernel.graphlet, before.graphlet);
    }
    test_context_free(ctx);
}

/* Every name that is known parses, and the list ends. */
static void test_known_names(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    size_t count = 0;
    bool seen[LEMAN_KERNEL_KIND_COUNT] = {false};
    for (; leman_kernel_known_name(count); count++) {
        leman_kernel kernel = leman_kernel_default();
        assert_int_equal(leman_kernel_parse(ctx, leman_kernel_known_name(count), &kernel), LEMAN_OK);
        seen[kernel.kind] = true;
        for (size_t i = 0; i < count; i++)
            assert_string_not_equal(leman_kernel_known_name(i), leman_kernel_known_name(count));
    }
    assert_int_equal(count,
                     2 * LEMAN_ALGORITHM_COUNT + 1 + 9 +
                         2 * 19); /* algorithms, the paper's and the authors' with k, the others under two names */
    for (size_t i = 0; i < LEMAN_KERNEL_KIND_COUNT; i++) assert_true(seen[i]);
    assert_null(leman_kernel_known_name(SIZE_MAX));
    leman_kernel kernel = leman_kernel_default();
    assert_int_equal(leman_kernel_parse(ctx, "nothing", &kernel), LEMAN_ERROR_ARGUMENT);
    for (size_t i = 0; i < count; i++) /* the sentence lists them all */
        assert_non_null(strstr(leman_context_message(ctx), leman_kernel_known_name(i)));
    test_context_free(ctx);
}

static bool same_kernel(const leman_kernel *a, const leman_kernel *b)
{
    return a->kind == b->kind && a->coloring.algorithm == b->coloring.algorithm && a->coloring.k == b->coloring.k &&
           a->graphlet == b->graphlet && a->radius == b->radius && a->distance == b->distance &&
           a->assignment == b->assignment && a->coloring.rounds == b->coloring.rounds && a->weight == b->weight;
}

/* A sum is its parts, and a text of it gives it back. */
static void test_sums(void **unused)
{
    (void)unused;
    static const struct {
        const char *sum, *part[4], *text;
    } SUMS[] = {
        {"local:2+sp", {"local:2", "sp"}, "delta-2-LWL + SP"},
        {"local++sp", {"local+", "sp"}, "delta-7-LWL+ + SP"},
        {"local+:3+graphlet:4:assignment", {"local+:3", "graphlet:4:assignment"}, "delta-3-LWL+ + GR:4:assignment"},
        {"WLOA+wl+LWLP3+GR", {"wloa", "wl:7", "local+:3", "graphlet:3"}, "WLOA + 7-WL + delta-3-LWL+ + GR"},
        {"folklore:2:assignment", {"folklore:2:assignment"}, "2-FWL:assignment"},
        {"local:1:assignment+delta:1:assignment", {"wloa", "delta:1:assignment"}, "WLOA + delta-1-WL:assignment"}};
    leman_context *ctx = test_context_new(1);
    leman_kernel common = leman_kernel_default();
    common.coloring.k = 7;
    common.coloring.rounds = 9;
    common.weight = 0.25;
    for (size_t i = 0; i < sizeof SUMS / sizeof *SUMS; i++) {
        leman_kernel kernels[4] = {common, common, common, common};
        size_t count = leman_kernels_count(SUMS[i].sum);
        char text[128];
        assert_int_equal(leman_kernels_parse(ctx, SUMS[i].sum, kernels, count), LEMAN_OK);
        for (size_t j = 0; j < count; j++) {
            leman_kernel part = common;
            assert_int_equal(leman_kernel_parse(ctx, SUMS[i].part[j], &part), LEMAN_OK);
            assert_true(same_kernel(kernels + j, &part));
        }
        assert_true(count == 4 || !SUMS[i].part[count]);
        assert_int_equal(leman_kernels_paper_name(kernels, count, text, sizeof text), strlen(SUMS[i].text));
        assert_string_equal(text, SUMS[i].text);
        assert_int_equal(leman_kernels_paper_name(kernels, count, text, 5), strlen(SUMS[i].text)); /* cut off */
        assert_int_equal(strlen(text), 4);
        assert_memory_equal(text, SUMS[i].text, 4);
        assert_int_equal(leman_kernels_paper_name(kernels, count, NULL, 0), strlen(SUMS[i].text));
    }
    leman_kernel kernels[2] = {common, common};
    assert_int_equal(leman_kernels_parse(ctx, "local:2+nothing", kernels, 2), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(ctx), "'nothing'"));
    assert_true(same_kernel(kernels, &common) && same_kernel(kernels + 1, &common)); /* all or none */
    assert_int_equal(leman_kernel_parse(ctx, "local:2+sp", kernels), LEMAN_ERROR_ARGUMENT);
    test_context_free(ctx);
}

/* Spellings of one kernel, of which the first is the paper's and is printed. */
static void test_spellings(void **unused)
{
    (void)unused;
    static const char *const SPELLINGS[][12] = {
        {"1-WL", "WL1", "wl:1", "1-wl", "local:1", "folklore:1", "1-FWL", "delta-1-LWL"},
        {"2-WL", "WL2", "wl:2", "Wl:2", "2–WL", "2−wl", "2_WL"},
        {"3-WL", "wl3", "wl:3"},
        {"delta-2-WL", "δ-2-WL", "Δ-2-WL", "DWL2", "delta:2", "DELTA-2-wl"},
        {"delta-2-LWL", "δ-2-LWL", "LWL2", "lwl2", "local:2", "LOCAL:2", "Delta-2-Lwl", "δ–2–LWL"},
        {"delta-2-LWL+", "δ-2-LWL⁺", "δ-2-LWL+", "LWLP2", "local+:2", "delta-2-lwl+"},
        {"delta-13-LWL+", "local+:13"},
        {"2-FWL", "folklore:2", "2-fwl"},
        {"WLOA", "wloa", "Wloa", "1-WL:assignment", "wl:1:Assignment"},
        {"1-WL:minmax", "WL1:MINMAX", "WLOA:minmax", "wloa:tanimoto", "1-wl:minmax"},
        {"delta-2-LWL:tanimoto", "local:2:Tanimoto"},
        {"SP:minmax", "sp:minmax"},
        {"ECFP4", "ecfp4", "Ecfp4"},
        {"FCFP6", "fcfp6"},
        {"ECFP2 + ECFP6", "ecfp2+ecfp6"},
        {"SP", "sp", "Sp"},
        {"GR", "graphlet", "gr", "graphlet:3", "Graphlet:3"},
        {"GR:4", "graphlet:4", "gr:4"},
        {"NH", "nh", "NH:3"},
        {"CSNH:12", "csnh:12"},
        {"HC:0", "hc:0"},
        {"NSPD", "nspd", "NSPD:3", "nspd:3:4"},
        {"NSPD:2", "nspd:2:4"},
        {"NSPD:3:0", "nspd:3:0"},
        {"ODD:255", "odd:255"},
        {"delta-2-LWL:assignment", "local:2:assignment", "LWL2:ASSIGNMENT"},
        {"delta-2-LWL + SP", "LWL2+sp", "local:2+sp", "δ-2-LWL+SP", "delta-2-LWL +SP"},
        {"delta-2-LWL+ + 1-WL", "local+:2+WL1", "LWLP2+1-WL", "delta-2-LWL++1-WL", "δ-2-LWL⁺+1-WL"},
        {"2-WL + delta-2-LWL", "wl:2+δ-2-LWL"},
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof SPELLINGS / sizeof *SPELLINGS; i++)
        for (size_t j = 0; j < 12 && SPELLINGS[i][j]; j++) {
            leman_kernel kernels[2] = {leman_kernel_default(), leman_kernel_default()};
            size_t count = leman_kernels_count(SPELLINGS[i][j]);
            char name[128];
            assert_int_equal(count, leman_kernels_count(SPELLINGS[i][0]));
            assert_int_equal(leman_kernels_parse(ctx, SPELLINGS[i][j], kernels, count), LEMAN_OK);
            const size_t length = leman_kernels_paper_name(kernels, count, name, sizeof name);
            assert_int_equal(length, strlen(name));
            assert_string_equal(name, SPELLINGS[i][0]);
            assert_int_equal(leman_kernels_paper_name(kernels, count, name, 3), strlen(SPELLINGS[i][0])); /* cut off */
            assert_int_equal(strlen(name), 2);
        }
    leman_kernel open = leman_kernel_default();
    open.coloring.k = 7;
    assert_int_equal(leman_kernel_parse(ctx, "delta-k-LWL+", &open), LEMAN_OK); /* the letter leaves k as it is */
    assert_int_equal(open.coloring.algorithm, LEMAN_ALGORITHM_LOCAL_PLUS);
    assert_int_equal(open.coloring.k, 7);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spellings), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_wrong_names), cmocka_unit_test(test_known_names),
                                       cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
