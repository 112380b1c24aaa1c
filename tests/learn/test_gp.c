/* Gaussian processes on graphs beside the definition, with kernel matrices of leman_gram_compute(): means and standard
 * deviations, leave-one-out, added graphs; the maximum of the likelihood; files; failing allocations. */
#include "learn/gp_fixture.h"
#include <stdio.h>

enum { TRAIN = 30, NEW = 10, ALL = TRAIN + NEW };

static leman_dataset *range(leman_context *ctx, const leman_dataset *data, size_t first, size_t count)
{
    leman_dataset *some = NULL;
    size_t which[ALL];
    for (size_t i = 0; i < count; i++) which[i] = first + i;
    assert_int_equal(leman_dataset_select(ctx, data, count, which, &some), LEMAN_OK);
    return some;
}

static leman_gp_options fixed_options(const double *weight, size_t weights, double noise)
{
    leman_gp_options options = leman_gp_options_default();
    options.rounds = 2;
    options.weight = weight;
    options.weights = weights;
    options.noise = noise;
    options.fixed = true;
    return options;
}

/* The normalised kernel matrix of one round: the difference of two numbers of rounds, from leman_gram_compute(). */
static void round_matrix(leman_context *ctx, const leman_dataset *data, leman_kernel kernel, uint32_t round,
                         double *out)
{
    double *before = calloc(ALL * ALL, sizeof *before), self[ALL];
    const bool rounds = leman_kernel_has_rounds(&kernel);
    kernel.coloring.rounds = round;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, out), LEMAN_OK);
    kernel.coloring.rounds = round - 1;
    if (rounds && round) assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, before), LEMAN_OK);
    for (size_t i = 0; i < ALL * ALL; i++) out[i] -= before[i];
    for (size_t i = 0; i < ALL; i++) self[i] = out[i * ALL + i];
    for (size_t i = 0; i < ALL; i++)
        for (size_t j = 0; j < ALL; j++) {
            double *entry = out + i * ALL + j;
            const double divisor = kernel.normalization == LEMAN_NORMALIZATION_TANIMOTO ? self[i] + self[j] - *entry
                                                                                        : sqrt(self[i] * self[j]);
            *entry = divisor > 0 ? *entry / divisor : 0;
        }
    free(before);
}

/* Predictions by the definition, of graphs TRAIN .. ALL - 1 from the first TRAIN. */
static void assert_predictions(const double *covariance, double noise, const leman_dataset *data, const double *mean,
                               const double *std)
{
    double a[TRAIN * TRAIN], x[TRAIN], ones[TRAIN], top = 0, below = 0;
    const double *y = leman_dataset_targets(data);
    for (size_t i = 0; i < TRAIN; i++)
        for (size_t j = 0; j < TRAIN; j++) a[i * TRAIN + j] = covariance[i * ALL + j] + (i == j ? noise : 0);
    for (size_t i = 0; i < TRAIN; i++) ones[i] = 1;
    solved(a, ones, TRAIN, ones);
    for (size_t i = 0; i < TRAIN; i++) top += ones[i] * y[i], below += ones[i];
    for (size_t i = 0; i < TRAIN; i++) x[i] = y[i] - top / below;
    solved(a, x, TRAIN, x);
    for (size_t g = TRAIN; g < ALL; g++) {
        double k[TRAIN], value = top / below, variance = covariance[g * ALL + g] + noise;
        for (size_t i = 0; i < TRAIN; i++) value += covariance[g * ALL + i] * x[i];
        solved(a, covariance + g * ALL, TRAIN, k);
        for (size_t i = 0; i < TRAIN; i++) variance -= covariance[g * ALL + i] * k[i];
        assert_true(fabs(mean[g - TRAIN] - value) < 1e-8 * fabs(value));
        assert_true(fabs(std[g - TRAIN] - sqrt(variance)) < 1e-8);
    }
}

/* Kernels of several kinds: products, minima, Tanimoto, sums, without rounds. */
static size_t some_kernels(leman_context *ctx, int turn, leman_kernel *kernels)
{
    static const char *const NAMES[] = {"1-WL", "WLOA", "delta-2-LWL", "1-WL:tanimoto", "1-WL:minmax", "1-WL+SP", "GR"};
    if (turn == sizeof NAMES / sizeof *NAMES) return 0;
    const size_t count = leman_kernels_count(NAMES[turn]);
    for (size_t i = 0; i < count; i++) kernels[i] = leman_kernel_default();
    assert_int_equal(leman_kernels_parse(ctx, NAMES[turn], kernels, count), LEMAN_OK);
    return count;
}

static void test_definition(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules_with_target(ctx, ALL, 11);
    leman_dataset *train = range(ctx, data, 0, TRAIN), *rest = range(ctx, data, TRAIN, NEW);
    static const double WEIGHT[4] = {0.5, 2, 0.25, 1};
    leman_kernel kernels[2];
    size_t count;
    for (int turn = 0; (count = some_kernels(ctx, turn, kernels)); turn++) {
        double *covariance = calloc(ALL * ALL, sizeof *covariance), *one = malloc(ALL * ALL * sizeof *one);
        double mean[NEW], std[NEW], share[ALL];
        const size_t blocks = turn == 6 ? 1 : count == 2 ? 4 : 3;
        leman_gp_options options = fixed_options(WEIGHT, blocks, 0.3);
        for (size_t b = 0; b < blocks; b++) {
            const bool second = b == 3;
            round_matrix(ctx, data, kernels[second], second ? 0 : (uint32_t)b, one);
            for (size_t i = 0; i < ALL * ALL; i++) covariance[i] += WEIGHT[b] * one[i];
        }
        leman_gp *gp = gp_of(ctx, train, kernels, count, &options);
        const leman_gp_shape *shape = leman_gp_describe(gp);
        assert_int_equal(shape->blocks, blocks);
        assert_int_equal(shape->model->supports, TRAIN);
        assert_int_equal(leman_gp_predict(ctx, gp, rest, mean, std, share), LEMAN_OK);
        assert_predictions(covariance, 0.3, data, mean, std);
        for (size_t i = 0; i < NEW; i++) assert_true(share[i] >= 0 && share[i] <= 1);
        assert_int_equal(leman_gp_predict(ctx, gp, train, NULL, NULL, share), LEMAN_OK);
        leman_gp_free(gp);
        free(covariance);
        free(one);
    }
    leman_dataset_free(train);
    leman_dataset_free(rest);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* With other weights the likelihood is that of a fit with them, and derivatives are differences. */
static void test_other_weights(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules_with_target(ctx, TRAIN, 4);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    const double weight[3] = {0.5, 2, 0.25}, other[3] = {0.1, 0.7, 1.5};
    leman_gp_options options = fixed_options(weight, 3, 0.3), again = fixed_options(other, 3, 0.05);
    leman_gp *gp = gp_of(ctx, data, &kernel, 1, &options), *fresh = gp_of(ctx, data, &kernel, 1, &again);
    double value, gradient[4], up, down;
    assert_int_equal(leman_gp_likelihood(ctx, gp, other, 0.05, &value, gradient), LEMAN_OK);
    assert_true(fabs(value - leman_gp_describe(fresh)->log_likelihood) < 1e-9 * fabs(value));
    for (size_t b = 0; b < 4; b++) {
        double high[3], low[3];
        for (size_t i = 0; i < 3; i++) high[i] = other[i] + (i == b) * 1e-5, low[i] = other[i] - (i == b) * 1e-5;
        assert_int_equal(leman_gp_likelihood(ctx, gp, high, 0.05 + (b == 3) * 1e-5, &up, NULL), LEMAN_OK);
        assert_int_equal(leman_gp_likelihood(ctx, gp, low, 0.05 - (b == 3) * 1e-5, &down, NULL), LEMAN_OK);
        assert_true(fabs(gradient[b] - (up - down) / 2e-5) < 1e-4 * fmax(1, fabs(gradient[b])));
    }
    assert_int_equal(leman_gp_likelihood(ctx, gp, (double[]){0, 0, 0}, 0, &value, gradient), LEMAN_OK);
    assert_true(isinf(value) && isnan(gradient[0]));
    leman_gp_free(fresh);
    leman_gp_free(gp);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The fit ends where every derivative by a logarithm is small or points out of its bounds, above where it began. */
static void test_maximum(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules_with_target(ctx, 80, 9);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_gp_options options = leman_gp_options_default();
    double value, gradient[5], mean = 0, variance = 0;
    const double *y = leman_dataset_targets(data);
    options.rounds = 3;
    leman_gp *gp = gp_of(ctx, data, &kernel, 1, &options);
    const leman_gp_shape *shape = leman_gp_describe(gp);
    for (size_t g = 0; g < 80; g++) mean += y[g] / 80;
    for (size_t g = 0; g < 80; g++) variance += (y[g] - mean) * (y[g] - mean) / 80;
    assert_int_equal(leman_gp_likelihood(ctx, gp, shape->weight, shape->noise, &value, gradient), LEMAN_OK);
    assert_true(fabs(value - shape->log_likelihood) < 1e-8 * fabs(value));
    for (size_t b = 0; b <= shape->blocks; b++) {
        const double at = b < shape->blocks ? shape->weight[b] : shape->noise;
        const bool least = at < 1.001e-5 * variance && gradient[b] < 0;
        assert_true(least || fabs(gradient[b] * at) < 0.01);
    }
    options.fixed = true;
    leman_gp *first = gp_of(ctx, data, &kernel, 1, &options);
    assert_true(shape->log_likelihood > leman_gp_describe(first)->log_likelihood + 1);
    assert_true(shape->model->score < sqrt(variance) && shape->model->selected_by == LEMAN_SCORE_RMSE);
    leman_gp_free(first);
    leman_gp_free(gp);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Leaving one out by the definition: with the same mean, graph i is predicted from the others. */
static void test_leave_one_out(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules_with_target(ctx, ALL, 21);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    const double weight[3] = {0.5, 2, 0.25}, *y = leman_dataset_targets(data);
    leman_gp_options options = fixed_options(weight, 3, 0.3);
    leman_gp *gp = gp_of(ctx, data, &kernel, 1, &options);
    double mean[ALL], std[ALL], target[ALL], *k = calloc(ALL * ALL, sizeof *k), *one = malloc(ALL * ALL * sizeof *one);
    double square = 0;
    assert_int_equal(leman_gp_leave_one_out(ctx, gp, mean, std, target), LEMAN_OK);
    for (uint32_t b = 0; b < 3; b++) {
        round_matrix(ctx, data, kernel, b, one);
        for (size_t i = 0; i < ALL * ALL; i++) k[i] += weight[b] * one[i];
    }
    for (size_t left = 0; left < ALL; left++) {
        enum { REST = ALL - 1 };
        double a[REST * REST], x[REST], v[REST], row[REST];
        double value = leman_gp_describe(gp)->mean, variance = k[left * ALL + left] + 0.3;
        for (size_t i = 0; i < REST; i++) {
            const size_t p = i + (i >= left);
            for (size_t j = 0; j < REST; j++) a[i * REST + j] = k[p * ALL + j + (j >= left)] + (i == j ? 0.3 : 0);
            x[i] = y[p] - leman_gp_describe(gp)->mean;
            row[i] = k[left * ALL + p];
        }
        solved(a, x, REST, x);
        solved(a, row, REST, v);
        for (size_t i = 0; i < REST; i++) value += row[i] * x[i], variance -= row[i] * v[i];
        assert_true(fabs(mean[left] - value) < 1e-8 * fabs(value) && fabs(std[left] - sqrt(variance)) < 1e-8);
        assert_true(target[left] == y[left]);
        square += (value - y[left]) * (value - y[left]) / ALL;
    }
    assert_true(fabs(leman_gp_describe(gp)->model->score - sqrt(square)) < 1e-8);
    leman_gp_free(gp);
    leman_dataset_free(data);
    free(k);
    free(one);
    test_context_free(ctx);
}

/* Graphs that are added one after the other, and several at once, give what a fit of all graphs gives. */
static void test_extension(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules_with_target(ctx, ALL, 31), *first = range(ctx, data, 0, TRAIN - 2);
    const double weight[4] = {0.5, 2, 0.25, 1};
    leman_kernel kernels[2];
    size_t count;
    for (int turn = 0; (count = some_kernels(ctx, turn, kernels)); turn++) {
        const size_t blocks = turn == 6 ? 1 : count == 2 ? 4 : 3;
        leman_gp_options options = fixed_options(weight, blocks, 0.3);
        leman_gp *gp = gp_of(ctx, first, kernels, count, &options), *fresh = gp_of(ctx, data, kernels, count, &options);
        double a[ALL], b[ALL], s[ALL], t[ALL];
        for (size_t at = TRAIN - 2, more = 1; at < ALL; at += more, more = at < TRAIN + 1 ? 1 : ALL - at) {
            leman_dataset *added = range(ctx, data, at, more);
            leman_gp *next = NULL;
            assert_int_equal(leman_gp_extend(ctx, gp, added, NULL, &next), LEMAN_OK);
            leman_gp_free(gp);
            leman_dataset_free(added);
            gp = next;
        }
        assert_int_equal(leman_gp_describe(gp)->model->supports, ALL);
        assert_int_equal(leman_gp_describe(gp)->model->data_graphs, ALL);
        assert_int_equal(leman_gp_describe(gp)->model->features, leman_gp_describe(fresh)->model->features);
        assert_true(fabs(leman_gp_describe(gp)->mean - leman_gp_describe(fresh)->mean) < 1e-8);
        assert_true(fabs(leman_gp_describe(gp)->log_likelihood - leman_gp_describe(fresh)->log_likelihood) < 1e-7);
        assert_int_equal(leman_gp_predict(ctx, gp, data, a, s, NULL), LEMAN_OK);
        assert_int_equal(leman_gp_predict(ctx, fresh, data, b, t, NULL), LEMAN_OK);
        for (size_t i = 0; i < ALL; i++) assert_true(fabs(a[i] - b[i]) < 1e-8 && fabs(s[i] - t[i]) < 1e-8);
        leman_gp_free(gp);
        leman_gp_free(fresh);
    }
    leman_dataset_free(first);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Predictions for a graph have the same bits alone and among others, with one thread and with four; graphs without a
 * target take no part. */
static void test_each_alone(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1), *four = test_context_new(4);
    leman_dataset *data = molecules_with_target(ctx, ALL, 41), *holes = NULL, *known = range(ctx, data, 1, ALL - 1);
    double target[ALL], mean[ALL], std[ALL], one[2], other[ALL], wide[ALL];
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, true);
    leman_gp_options options = leman_gp_options_default();
    options.rounds = 2;
    memcpy(target, leman_dataset_targets(data), sizeof target);
    target[0] = NAN;
    assert_int_equal(leman_dataset_set_targets(ctx, data, NULL, target, 1, &holes), LEMAN_OK);
    leman_gp *gp = gp_of(ctx, known, &kernel, 1, &options), *same = gp_of(four, holes, &kernel, 1, &options);
    assert_int_equal(leman_gp_describe(same)->model->supports, ALL - 1);
    assert_int_equal(leman_gp_predict(ctx, gp, data, mean, std, NULL), LEMAN_OK);
    assert_int_equal(leman_gp_predict(four, same, data, other, wide, NULL), LEMAN_OK);
    assert_memory_equal(mean, other, sizeof mean);
    assert_memory_equal(std, wide, sizeof std);
    for (size_t i = 0; i < ALL; i++) {
        leman_dataset *single = range(ctx, data, i, 1);
        assert_int_equal(leman_gp_predict(ctx, gp, single, one, one + 1, NULL), LEMAN_OK);
        assert_true(one[0] == mean[i] && one[1] == std[i]);
        leman_dataset_free(single);
    }
    leman_gp_free(gp);
    leman_gp_free(same);
    leman_dataset_free(data);
    leman_dataset_free(holes);
    leman_dataset_free(known);
    test_context_free(four);
    test_context_free(ctx);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void assert_fails(leman_context *ctx, leman_status st, leman_status expected, const char *words)
{
    assert_int_equal(st, expected);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("%s", leman_context_message(ctx));
}

static void test_refusals(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules_with_target(ctx, TRAIN, 3), *one = range(ctx, data, 0, 1), *directed = NULL;
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false), walk = leman_kernel_default();
    leman_gp_options options = fixed_options((double[]){1, 2}, 2, 0.1);
    leman_gp *gp = NULL;
    double value;
    assert_fails(ctx, leman_gp_fit(ctx, data, &kernel, 1, &options, &gp), LEMAN_ERROR_ARGUMENT, "found 2, expected 3");
    options = fixed_options((double[]){1, -2, 1}, 3, 0.1);
    assert_fails(ctx, leman_gp_fit(ctx, data, &kernel, 1, &options, &gp), LEMAN_ERROR_ARGUMENT, "found -2");
    options = fixed_options(NULL, 0, -1);
    assert_fails(ctx, leman_gp_fit(ctx, data, &kernel, 1, &options, &gp), LEMAN_ERROR_ARGUMENT, "noise: found -1");
    options = leman_gp_options_default();
    options.target = 1;
    assert_fails(ctx, leman_gp_fit(ctx, data, &kernel, 1, &options, &gp), LEMAN_ERROR_INPUT, "no column 1");
    assert_fails(ctx, leman_gp_fit(ctx, one, &kernel, 1, NULL, &gp), LEMAN_ERROR_INPUT, "at least two");
    assert_int_equal(leman_kernel_parse(ctx, "RandomWalk", &walk), LEMAN_OK);
    assert_int_equal(leman_gp_fit(ctx, data, &walk, 1, NULL, &gp), LEMAN_ERROR_ARGUMENT);
    options = fixed_options(NULL, 0, 0.1);
    gp = gp_of(ctx, data, &kernel, 1, &options);
    assert_fails(ctx, leman_gp_likelihood(ctx, gp, (double[]){1, 1, NAN}, 1, &value, NULL), LEMAN_ERROR_ARGUMENT,
                 "weight: found nan");
    directed = kinds(ctx, 4, 2, true);
    assert_fails(ctx, leman_gp_predict(ctx, gp, directed, &value, NULL, NULL), LEMAN_ERROR_INPUT, "found directed");
    leman_gp_free(gp);
    leman_dataset_free(data);
    leman_dataset_free(one);
    leman_dataset_free(directed);
    test_context_free(ctx);
}

/* A budget that is too small is found before the matrices are allocated; the sentence says what is needed. */
static void test_memory(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1), *small = NULL;
    leman_settings settings = leman_settings_default();
    leman_dataset *data = molecules_with_target(ctx, 600, 8);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_gp *gp = NULL;
    settings.threads = 1;
    settings.memory = 10 << 20; /* two matrices and six triangles of 600 graphs take 14 MiB */
    assert_int_equal(leman_context_new(&settings, &small), LEMAN_OK);
    assert_fails(small, leman_gp_fit(small, data, &kernel, 1, NULL, &gp), LEMAN_ERROR_BUDGET,
                 "a Gaussian process of 600 graphs and 6 rounds needs 13.7 MiB");
    leman_context_free(small);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void assert_damage_is_found(leman_context *ctx, char *bytes, size_t size)
{
    leman_gp *gp = NULL;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
        assert_int_equal(lm_gp_parse(ctx, "gp", (lm_bytes){.data = bytes, .size = size}, &gp), LEMAN_ERROR_INPUT);
        bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
    }
    for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 101) {
        char *own = malloc(cut + 1);
        memcpy(own, bytes, cut);
        assert_int_equal(lm_gp_parse(ctx, "gp", (lm_bytes){.data = own, .size = cut}, &gp), LEMAN_ERROR_INPUT);
        free(own);
    }
}

static void test_file(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_dataset *data = molecules_with_target(ctx, ALL, 51), *few = range(ctx, data, 0, 6);
    leman_kernel kernels[2];
    leman_gp_options options = leman_gp_options_default();
    leman_model *model = NULL;
    leman_file_kind kind;
    options.rounds = 1;
    options.target_name = "logS";
    for (int turn = 0; turn < 6; turn++) {
        const size_t count = some_kernels(ctx, turn, kernels);
        double weight[ALL];
        for (size_t g = 0; g < ALL; g++) weight[g] = 1 + (double)(g % 3);
        options.sample_weight = turn % 2 ? weight : NULL;
        leman_gp *gp = gp_of(ctx, turn ? data : few, kernels, count, &options), *back = NULL;
        const char *path[2] = {test_path(folder, "a.gp"), test_path(folder, "b.gp")};
        double a[3 * ALL], b[3 * ALL];
        size_t size[2];
        assert_int_equal(leman_gp_write(ctx, gp, path[0]), LEMAN_OK);
        if (leman_gp_read(ctx, path[0], &back)) fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(leman_gp_write(ctx, back, path[1]), LEMAN_OK);
        char *bytes[2] = {bytes_of(path[0], &size[0]), bytes_of(path[1], &size[1])};
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        assert_int_equal(leman_gp_predict(ctx, gp, data, a, a + ALL, a + 2 * ALL), LEMAN_OK);
        assert_int_equal(leman_gp_predict(ctx, back, data, b, b + ALL, b + 2 * ALL), LEMAN_OK);
        assert_memory_equal(a, b, sizeof a);
        const leman_gp_shape *was = leman_gp_describe(gp), *is = leman_gp_describe(back);
        assert_true(was->noise == is->noise && was->mean == is->mean && was->log_likelihood == is->log_likelihood &&
                    was->model->score == is->model->score && was->blocks == is->blocks);
        assert_string_equal(is->model->target_name, "logS");
        assert_int_equal(leman_file_kind_detect(ctx, path[0], &kind), LEMAN_OK);
        assert_int_equal(kind, LEMAN_FILE_KIND_GAUSSIAN_PROCESS);
        assert_fails(ctx, leman_model_read(ctx, path[0], &model), LEMAN_ERROR_INPUT, "expected a model");
        if (!turn) assert_damage_is_found(ctx, bytes[0], size[0]);
        free(bytes[0]);
        free(bytes[1]);
        leman_gp_free(back);
        leman_gp_free(gp);
    }
    leman_dataset_free(few);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status fit_extend_write_read_predict(leman_context *ctx, void *state)
{
    leman_status st;
    leman_kernel kernels[2] = {kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false), leman_kernel_default()};
    leman_family_options family = leman_family_options_default();
    leman_dataset *data = NULL, *targets = NULL;
    leman_gp *gp = NULL, *more = NULL, *back = NULL;
    leman_gp_options options = leman_gp_options_default();
    double mean[6], std[6], gradient[4];
    kernels[1].kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    const double weight[] = {1, 2, 3, NAN, 0.5, 1};
    options.rounds = 1;
    options.sample_weight = weight;
    family.graphs = 6;
    family.vertices = 12;
    TRY(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &family, &data));
    TRY(leman_dataset_set_targets(ctx, data, NULL, (double[]){1, 2, 3, NAN, 4, 2}, 1, &targets));
    TRY(leman_gp_fit(ctx, targets, kernels, 2, &options, &gp));
    TRY(leman_gp_extend(ctx, gp, targets, weight, &more));
    TRY(leman_gp_write(ctx, more, state));
    TRY(leman_gp_read(ctx, state, &back));
    TRY(leman_gp_predict(ctx, back, targets, mean, std, NULL));
    TRY(leman_gp_leave_one_out(ctx, gp, mean, std, NULL));
    TRY(leman_gp_likelihood(ctx, gp, leman_gp_describe(gp)->weight, 1, mean, gradient));
done:
    leman_gp_free(gp);
    leman_gp_free(more);
    leman_gp_free(back);
    leman_dataset_free(targets);
    leman_dataset_free(data);
    return st;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    assert_true(test_fail_each_allocation(fit_extend_write_read_predict, (void *)(uintptr_t)test_path(folder, "x.gp")) >
                20);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition), cmocka_unit_test(test_other_weights),
                                       cmocka_unit_test(test_maximum),    cmocka_unit_test(test_leave_one_out),
                                       cmocka_unit_test(test_extension),  cmocka_unit_test(test_each_alone),
                                       cmocka_unit_test(test_refusals),   cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_file),       cmocka_unit_test(test_failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
