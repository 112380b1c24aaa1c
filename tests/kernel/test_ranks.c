/* Colours, features and Gram matrices of several ranks are those of one, to the bit; and a failure of one is that of
 * all. */
#include "support/ranks.h"
#include <math.h>
#include <stdio.h>

enum { GRAPHS = 70, MAX_ROUNDS = 3 };

/* What every rank computes, and where it puts it. */
typedef struct task {
    leman_kernel kernels[2];
    size_t count;
    bool normalize, against;
    leman_feature_options features;
    const char *path; /* of the features */
    double *gram, *rounds[MAX_ROUNDS + 1];
    leman_round_count census[64];
    uint32_t census_rounds;
} task;

/* The same graphs on every rank: molecules and some random ones. */
static leman_status make_data(leman_context *ctx, leman_dataset **out)
{
    leman_family_options options = leman_family_options_default();
    options.graphs = GRAPHS;
    options.seed = 3;
    return leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, out);
}

static leman_status compute(leman_context *ctx, void *state)
{
    task *t = state;
    leman_dataset *data = NULL;
    leman_census *census = NULL;
    leman_coloring coloring = t->kernels->coloring;
    leman_status st = make_data(ctx, &data);
    if (!st && t->gram)
        st = leman_gram_compute(ctx, data, t->against ? data : NULL, t->kernels, t->count, t->normalize, t->gram);
    if (!st && t->rounds[0]) st = leman_gram_rounds(ctx, data, NULL, t->kernels, t->normalize, t->rounds);
    if (!st && t->path) st = leman_features_save(ctx, data, t->kernels, t->count, &t->features, t->path, NULL);
    if (!st && t->census_rounds) {
        coloring.rounds = LEMAN_STABLE;
        st = leman_census_compute(ctx, data, &coloring, false, &census);
    }
    if (!st && census) {
        t->census_rounds = census->rounds;
        memcpy(t->census, census->round, census->rounds * sizeof *t->census);
    }
    leman_census_free(census);
    leman_dataset_free(data);
    return st;
}

static leman_kernel kernel_of(leman_algorithm algorithm, unsigned k, uint32_t rounds)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.coloring.algorithm = algorithm;
    kernel.coloring.k = k;
    kernel.coloring.rounds = rounds;
    return kernel;
}

static double *new_matrix(void)
{
    double *m = malloc(GRAPHS * GRAPHS * sizeof *m);
    assert_non_null(m);
    for (size_t i = 0; i < GRAPHS * GRAPHS; i++) m[i] = NAN;
    return m;
}

/* Runs a task on so many ranks; given[r] are copies of it with arrays of their own. */
static void run(const task *t, test_ranks *how, task *given)
{
    void *state[TEST_MAX_RANKS];
    for (size_t r = 0; r < how->ranks; r++) {
        given[r] = *t;
        if (t->gram) given[r].gram = new_matrix();
        for (size_t h = 0; h <= MAX_ROUNDS; h++)
            if (t->rounds[h]) given[r].rounds[h] = new_matrix();
        state[r] = given + r;
    }
    test_ranks_run(how, compute, state);
}

static void clear(task *given, size_t ranks)
{
    for (size_t r = 0; r < ranks; r++) {
        free(given[r].gram);
        for (size_t h = 0; h <= MAX_ROUNDS; h++) free(given[r].rounds[h]);
    }
}

static void assert_matrix(const double *a, const double *b)
{
    for (size_t i = 0; a && i < GRAPHS * GRAPHS; i++)
        if (memcmp(a + i, b + i, sizeof *a)) fail_msg("cell %zu: %.17g, expected %.17g", i, a[i], b[i]);
}

/* On 2, 3 and 5 ranks as on one, on every rank. */
static void compare(const task *t, size_t memory)
{
    task one[TEST_MAX_RANKS], many[TEST_MAX_RANKS];
    test_ranks alone = {.ranks = 1};
    run(t, &alone, one);
    assert_int_equal(alone.status[0], LEMAN_OK);
    for (size_t ranks = 2; ranks <= 5; ranks += ranks - 1) {
        test_ranks how = {.ranks = ranks, .memory = memory, .plain = ranks == 3};
        run(t, &how, many);
        for (size_t r = 0; r < ranks; r++) {
            if (how.status[r]) fail_msg("rank %zu of %zu: %s", r, ranks, how.message[r]);
            assert_matrix(many[r].gram, one->gram);
            for (size_t h = 0; h <= MAX_ROUNDS; h++) assert_matrix(many[r].rounds[h], one->rounds[h]);
            assert_int_equal(many[r].census_rounds, one->census_rounds);
            for (uint32_t h = 0; h < one->census_rounds; h++) {
                assert_int_equal(many[r].census[h].colors, one->census[h].colors);
                assert_int_equal(many[r].census[h].pairs, one->census[h].pairs);
            }
        }
        clear(many, ranks);
    }
    clear(one, 1);
}

static double anything; /* a matrix is wanted */

static void test_gram(void **unused)
{
    (void)unused;
    static const leman_algorithm ALGORITHMS[] = {LEMAN_ALGORITHM_LOCAL, LEMAN_ALGORITHM_LOCAL_PLUS,
                                                 LEMAN_ALGORITHM_DELTA};
    for (size_t a = 0; a < 3; a++) {
        task t = {.kernels = {kernel_of(ALGORITHMS[a], 2, MAX_ROUNDS)}, .count = 1, .gram = &anything};
        t.normalize = a == 1;
        t.against = a == 2;
        for (size_t h = 0; h <= MAX_ROUNDS; h++) t.rounds[h] = &anything;
        compare(&t, 0);
    }
    task sum = {.kernels = {kernel_of(LEMAN_ALGORITHM_LOCAL, 1, 2), leman_kernel_default()},
                .count = 2,
                .normalize = true,
                .gram = &anything};
    sum.kernels[1].kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    compare(&sum, 0);
    sum.kernels[0].kind = LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED;
    sum.kernels[0].lambda = 0.01;
    compare(&sum, 0);
    sum.against = true;
    compare(&sum, 0);
    sum.against = false;
    sum.kernels[0].kind = LEMAN_KERNEL_KIND_COLORS;
    sum.count = 1;
    sum.kernels[0].assignment = true;
    compare(&sum, 0);
}

/* A budget in which the pairs do not fit: all ranks take the same slices. */
static void test_slices(void **unused)
{
    (void)unused;
    task t = {.kernels = {kernel_of(LEMAN_ALGORITHM_LOCAL, 2, MAX_ROUNDS)}, .count = 1, .gram = &anything};
    t.census_rounds = 1;
    compare(&t, (size_t)3 << 20);
}

static void test_census(void **unused)
{
    (void)unused;
    for (unsigned k = 1; k <= 2; k++) {
        task t = {.kernels = {kernel_of(LEMAN_ALGORITHM_LOCAL, k, 0)}, .count = 1, .census_rounds = 1};
        compare(&t, 0);
    }
}

static char *file_text(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static void test_features(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"F.svm", "F.npz", "F.lmf"};
    const char *folder = test_folder_new();
    for (size_t i = 0; i < 3; i++) {
        char path[2][512];
        size_t size[2];
        for (size_t ranks = 1; ranks <= 4; ranks += 3) {
            task t = {.kernels = {kernel_of(LEMAN_ALGORITHM_LOCAL, 2, 2), leman_kernel_default()}, .count = 2};
            task given[TEST_MAX_RANKS];
            test_ranks how = {.ranks = ranks};
            t.kernels[1].kind = LEMAN_KERNEL_KIND_GRAPHLET;
            t.features = leman_feature_options_default();
            t.features.normalize = true;
            snprintf(path[ranks > 1], sizeof *path, "%s/%zu%s", folder, ranks, NAMES[i]);
            t.path = path[ranks > 1];
            run(&t, &how, given);
            for (size_t r = 0; r < ranks; r++) assert_int_equal(how.status[r], LEMAN_OK);
        }
        char *one = file_text(path[0], size), *many = file_text(path[1], size + 1);
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(one, many, size[0]);
        free(one);
        free(many);
    }
    test_folder_remove(folder);
}

/* Memory runs out on one rank, at every place: all ranks end, and with its failure. */
static void test_allocations(void **unused)
{
    (void)unused;
    task t = {.kernels = {kernel_of(LEMAN_ALGORITHM_LOCAL, 2, 2)}, .count = 1, .gram = &anything};
    task given[TEST_MAX_RANKS];
    size_t first = 0;
    { /* those that make the context and the data come before, and are each rank's own */
        test_ranks how = {.ranks = 2};
        task none = {.kernels = {kernel_of(LEMAN_ALGORITHM_LOCAL, 2, 2)}, .count = 1};
        run(&none, &how, given);
        first = how.allocations[1] + 1;
    }
    for (size_t n = first;; n++) {
        test_ranks how = {.ranks = 2, .failing_rank = 1, .failing_allocation = n};
        run(&t, &how, given);
        clear(given, 2);
        if (how.allocations[1] < n) break;
        for (size_t r = 0; r < 2; r++) assert_int_equal(how.status[r], LEMAN_ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gram),     cmocka_unit_test(test_slices),      cmocka_unit_test(test_census),
        cmocka_unit_test(test_features), cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
