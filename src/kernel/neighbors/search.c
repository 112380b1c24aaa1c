/*
 * Similarities to queries: slices of graphs become compact features over the columns of the queries. The kernels of a
 * graph with all queries are sums over the lists of its columns; features that no query has only add to the kernel of the
 * graph with itself. Every graph is compared by one thread, in the order of its columns, so that numbers depend neither on
 * other graphs nor on the number of threads.
 */
#include "kernel/neighbors/search.h"
#include "io/reading.h"
#include <string.h>

enum { BLOCK_NUMBERS = 1 << 22, BUDGET_PART = 16, FEWEST = 64 };

static leman_status check_kernels(leman_context *ctx, const leman_kernel *kernels, size_t count, leman_kernel **out)
{
    PASS(lm_kernels_copy(ctx, kernels, count, out));
    for (size_t i = 0; i < count; i++) {
        leman_kernel *kernel = *out + i;
        if (lm_kernel_is_of_pairs(kernel)) return lm_pairs_refuse(ctx, kernel, "feature vectors");
        PASS(lm_projections_refuse(ctx, kernel));
        if (kernel->binnings)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "found a kernel with binnings of attributes, expected one of labels and structure");
        if (kernel->kind == LEMAN_KERNEL_KIND_COLORS && kernel->coloring.rounds == LEMAN_STABLE)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "found rounds until nothing splits, expected a number of them for a search");
        PASS(lm_kernel_check(ctx, kernel, kernel));
    }
    return LEMAN_OK;
}

leman_status lm_search_open(leman_context *ctx, const leman_dataset *queries, const leman_kernel *kernels, size_t count,
                            lm_search *s)
{
    *s = (lm_search){.ctx = ctx, .kernels = count, .queries = queries};
    PASS(check_kernels(ctx, kernels, count, &s->kernel));
    s->required = lm_kernels_required_inputs(s->kernel, count, queries);
    PASS(lm_features_compact(ctx, queries, s->kernel, count, false, NULL, NULL, &s->features));
    PASS(lm_feature_lists_make(ctx, &s->features, s->kernel, &s->lists));
    s->slice = lm_features_slice_max(ctx, 1);
    const size_t rows = s->features.rows ? s->features.rows : 1;
    const uint64_t budget = lm_budget(ctx) / BUDGET_PART / sizeof(double) / rows;
    s->block = BLOCK_NUMBERS / rows;
    if (budget < s->block) s->block = (size_t)budget;
    if (s->block < FEWEST) s->block = FEWEST;
    if (s->block > s->slice) s->block = (size_t)s->slice;
    PASS_SCRATCH(ctx, s->similarity, lm_saturating_multiply(s->block, rows));
    return LEMAN_OK;
}

void lm_search_close(lm_search *s)
{
    lm_features_clear(&s->features);
}

/* Fails with LEMAN_ERROR_INPUT if the graphs were read in another way than the queries, or have other labels. */
static leman_status check_data(const lm_search *s, const leman_dataset *data)
{
    const lm_required_inputs found = lm_kernels_required_inputs(s->kernel, s->kernels, data);
    PASS(lm_reading_check(s->ctx, data->name, data->reading, s->queries->reading, "as the queries were"));
    return lm_required_inputs_check(s->ctx, data->name, found, s->required, "as the queries have");
}

/* Compares graphs first .. first + count - 1 of the slice whose features are f with all queries. */
static void compare(const lm_search *s, const leman_features *f, const double *self, size_t first, size_t count)
{
    const size_t queries = s->lists.rows;
    const leman_normalization by = s->kernel->normalization;
#pragma omp parallel for schedule(dynamic, 16) num_threads(s->ctx->settings.threads)
    for (size_t i = 0; i < count; i++) {
        const uint64_t begin = f->start[first + i], entries = f->start[first + i + 1] - begin;
        double *own = s->similarity + i * queries;
        lm_feature_lists_sum(&s->lists, f->column + begin, f->value + begin, (size_t)entries, own);
        for (size_t q = 0; q < queries; q++) own[q] = lm_normalized(by, own[q], self[first + i], s->lists.self[q]);
    }
}

static leman_status run_slice(const lm_search *s, const leman_dataset *data, size_t first, size_t end,
                              lm_search_receiver *receive, void *state)
{
    leman_context *ctx = s->ctx;
    SCRATCH_SCOPE(ctx);
    const leman_dataset part = lm_dataset_range(data, first, end);
    AUTO(lm_features_clear) leman_features f = {0};
    double *self;
    PASS_SCRATCH(ctx, self, end - first);
    PASS(lm_features_compact(ctx, &part, s->kernel, s->kernels, false, &s->features, self, &f));
    for (size_t at = 0; at < f.rows; at += s->block) {
        const size_t count = f.rows - at < s->block ? f.rows - at : s->block;
        compare(s, &f, self, at, count);
        PASS(receive(state, first + at, count, s->similarity));
    }
    return LEMAN_OK;
}

leman_status lm_search_run(lm_search *s, const leman_dataset *data, lm_search_receiver *receive, void *state)
{
    PASS(check_data(s, data));
    for (size_t first = 0, end; first < data->graphs; first = end) {
        end = lm_features_slice(data, s->kernel, s->kernels, s->slice, first);
        PASS(run_slice(s, data, first, end, receive, state));
        PASS(lm_progress_poll(s->ctx));
    }
    return LEMAN_OK;
}
