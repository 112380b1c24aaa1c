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
                 {"GR", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_DELTA, 7, 3, false},
                 {"graphlet:4", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_DELTA, 7, 4, false},
                 {"GR:5", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_DELTA, 7, 5, false},
                 {"local:assignment", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 7, 3, true},
                 {"local+:2:assignment", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL_PLUS, 2, 3, true},
                 {"DWL3:assignment", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_DELTA, 3, 3, true},
                 {"wloa:assignment", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 1, 3, true},
                 {"sp:assignment", LEMAN_KERNEL_KIND_SHORTEST_PATH, LEMAN_ALGORITHM_DELTA, 7, 3, true},
                 {"graphlet:4:assignment", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_DELTA, 7, 4, true}};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        leman_kernel kernel = leman_kernel_default();
        kernel.algorithm = LEMAN_ALGORITHM_DELTA;
        kernel.k = 7;
        kernel.rounds = 9;
        kernel.weight = 0.5;
        assert_int_equal(leman_kernel_parse(ctx, KNOWN[i].name, &kernel), LEMAN_OK);
        assert_int_equal(kernel.kind, KNOWN[i].kind);
        assert_int_equal(kernel.algorithm, KNOWN[i].algorithm);
        assert_int_equal(kernel.k, KNOWN[i].k);
        assert_int_equal(kernel.size, KNOWN[i].size);
        assert_int_equal(kernel.assignment, KNOWN[i].assignment);
        assert_int_equal(kernel.rounds, 9);
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
                                        "local:4294967298",
                                        "Local",
                                        "a name that is longer than any that there is:3"};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        leman_kernel kernel = leman_kernel_default(), before = kernel;
        assert_int_equal(leman_kernel_parse(ctx, WRONG[i], &kernel), LEMAN_ERROR_ARGUMENT);
        assert_non_null(strstr(leman_context_message(ctx), "algorithm: found '"));
        assert_non_null(strstr(leman_context_message(ctx), "expected"));
        assert_int_equal(kernel.kind, before.kind);
        assert_int_equal(kernel.k, before.k);
        assert_int_equal(kernel.size, before.size);
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_wrong_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
