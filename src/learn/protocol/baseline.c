/*
 * The score of the best constant prediction for given graphs: the percentage of their most frequent class, or the mean
 * absolute error of the median of their targets, which is the least of all constants. The constant is chosen with the
 * labels of the scored graphs themselves. So no method looks good only because these labels are distributed unlike
 * those of the training graphs.
 *
 * Also the Wilson interval of a proportion: the proportions p that a two-sided test at 5 % does not reject if x of n
 * predictions were right,
 *
 *     (x + z^2/2 +- z sqrt(x (n - x) / n + z^2/4)) / (n + z^2),   z = 1.96.
 */
#include "learn/protocol/baseline.h"
#include "base/arguments.h"
#include "base/sort.h"
#include "learn/protocol/splits.h"
#include <math.h>
#include <stdlib.h>

/* Ignores graphs without a class, as score_of_target() ignores graphs without a value. */
static leman_status score_of_classes(leman_context *ctx, const leman_dataset *data, lm_part part, double *score)
{
    AUTO(lm_classes_free) lm_classes classes = {0};
    size_t *size, most = 0, known = 0;
    PASS(lm_classes_compute_known(ctx, data, &classes));
    PASS_SCRATCH_ZERO(ctx, size, classes.count + 1);
    for (size_t i = 0; i < part.count; i++) size[classes.number[part.graph[i]]]++;
    for (size_t c = 0; c < classes.count; c++) {
        most = size[c] > most ? size[c] : most;
        known += size[c];
    }
    *score = known ? 100 * (double)most / (double)known : NAN;
    return LEMAN_OK;
}

static leman_status score_of_target(leman_context *ctx, const leman_dataset *data, lm_part part, size_t target,
                                    double *score)
{
    size_t columns = leman_dataset_shape(data)->columns->targets, count = 0;
    const double *value = leman_dataset_targets(data);
    double *sorted, sum = 0;
    if (target >= columns)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found target %zu, expected one of the %zu of the data", target,
                       columns);
    PASS_SCRATCH(ctx, sorted, part.count);
    for (size_t i = 0; i < part.count; i++) {
        double own = value[part.graph[i] * columns + target];
        if (!isnan(own)) sorted[count++] = own;
    }
    if (count) qsort(sorted, count, sizeof *sorted, lm_compare_double);
    for (size_t i = 0; i < count; i++) sum += fabs(sorted[i] - sorted[count / 2]);
    *score = count ? sum / (double)count : NAN;
    return LEMAN_OK;
}

static leman_status baseline(leman_context *ctx, const leman_dataset *data, lm_part part, size_t target, double *score)
{
    SCRATCH_SCOPE(ctx);
    size_t graphs = leman_dataset_shape(data)->graphs;
    for (size_t i = 0; i < part.count; i++)
        if (part.graph[i] >= graphs)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found graph %u in a list, expected numbers below %zu",
                           part.graph[i], graphs);
    return target == LEMAN_NO_TARGET ? score_of_classes(ctx, data, part, score)
                                     : score_of_target(ctx, data, part, target, score);
}

leman_status leman_baseline(leman_context *ctx, const leman_dataset *data, const uint32_t *graphs, size_t count,
                            size_t target, double *score)
{
    REQUIRE(ctx, data, graphs, score);
    return baseline(ctx, data, (lm_part){graphs, count}, target, score);
}

leman_status lm_split_tested(leman_context *ctx, const leman_splits *splits, lm_part *out)
{
    size_t folds = splits->repetitions * splits->folds, count = 0;
    uint32_t *tested;
    PASS_SCRATCH(ctx, tested, (size_t)splits->start[2 * folds]);
    for (size_t i = 0; i < folds; i++) {
        lm_part test = lm_split_test(splits, i);
        for (size_t j = 0; j < test.count; j++) tested[count++] = test.graph[j];
    }
    *out = (lm_part){tested, count};
    return LEMAN_OK;
}

leman_status lm_baseline_of_splits(leman_context *ctx, const leman_dataset *data, const leman_splits *splits,
                                   size_t target, double *score)
{
    SCRATCH_SCOPE(ctx);
    lm_part tested;
    PASS(lm_split_tested(ctx, splits, &tested));
    return baseline(ctx, data, tested, target, score);
}

leman_status lm_baseline_of_targets(leman_context *ctx, const leman_dataset *data, const uint32_t *graphs,
                                    size_t graph_count, const size_t *column, size_t count, const double *deviation,
                                    double *mean)
{
    double sum = 0;
    size_t known = 0;
    for (size_t t = 0; t < count; t++) {
        double error;
        PASS(baseline(ctx, data, (lm_part){graphs, graph_count}, column[t], &error));
        if (isnan(error)) continue;
        sum += deviation ? error / deviation[t] : error;
        known++;
    }
    *mean = known ? sum / (double)known : NAN;
    return LEMAN_OK;
}

double lm_baseline_of_tasks(const leman_dataset *data, const uint32_t *graphs, size_t graph_count, const size_t *column,
                            size_t count)
{
    const size_t columns = leman_dataset_shape(data)->columns->targets;
    size_t labels = 0, most = 0;
    for (size_t t = 0; t < count; t++) {
        double first = NAN;
        size_t known = 0, same = 0;
        for (size_t i = 0; i < graph_count; i++) {
            const double own = leman_dataset_targets(data)[graphs[i] * columns + column[t]];
            if (isnan(own)) continue;
            if (!known) first = own;
            same += own == first;
            known++;
        }
        labels += known;
        most += 2 * same > known ? same : known - same;
    }
    return labels ? 100 * (double)most / (double)labels : NAN;
}

leman_status leman_wilson_interval(leman_context *ctx, uint64_t right, uint64_t count, double *low, double *high)
{
    REQUIRE(ctx, low, high);
    if (!count || right > count)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found %llu right of %llu, expected a count of at least 1 and no more right than that",
                       (unsigned long long)right, (unsigned long long)count);
    const double z = 1.959963984540054, x = (double)right, n = (double)count;
    double half = z * sqrt(x * (n - x) / n + z * z / 4);
    *low = right ? 100 * (x + z * z / 2 - half) / (n + z * z) : 0;
    *high = right < count ? 100 * (x + z * z / 2 + half) / (n + z * z) : 100;
    return LEMAN_OK;
}
