/*
 * Gram matrices that do not fit into memory. Some rows at a time, a matrix of their graphs against all others, are
 * computed and written to the file. Sums are exact and closed by the same formulas, so the bytes are those of the whole
 * matrix.
 *
 * Memory: half of the budget for the current rows, the rest for their features. Time: a refinement of all graphs for
 * each tile, and an addition for every shared colour of every pair of graphs, twice as many as for a square matrix.
 */
#include "base/arguments.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "graph/same_work.h"
#include "io/array/matrix.h"
#include "kernel/kernel.h"

/* Chooses as many of `rows` rows as half of the budget holds. A sum of kernels needs a second matrix of the same size. */
static leman_status choose_rows(leman_context *ctx, size_t rows, size_t columns, size_t kernels, uint64_t budget,
                                size_t *chosen)
{
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
    const uint64_t row = lm_saturating_multiply(kernels > 1 ? 2 : 1, lm_saturating_multiply(columns, sizeof(double)));
    if (row > budget / 2)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                       "a row of %zu numbers and what filling it holds need %s, the memory budget is %s", columns,
                       lm_bytes_text(lm_saturating_multiply(2, row), needed), lm_budget_text(ctx, budget, available));
    const uint64_t fit = row ? budget / 2 / row : rows;
    *chosen = fit < rows ? (size_t)fit : rows;
    return LEMAN_OK;
}

leman_status lm_gram_tiles(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                           const leman_kernel *kernels, size_t count, bool normalize, size_t most, const char *path)
{
    leman_status st = LEMAN_OK;
    SCRATCH_SCOPE(ctx);
    AUTO(lm_matrix_abort) lm_matrix_file file = {0};
    const leman_dataset *other = against ? against : data;
    leman_kernel *copy;
    double *value; /* [rows][columns] */
    uint64_t budget;
    size_t rows = 0;
    lm_ranks_begin(ctx);
    TRY(lm_kernels_copy(ctx, kernels, count, &copy));
    TRY(lm_ranks_same_work(ctx, lm_kernels_checksum(copy, count) + normalize, data, against));
    TRY(lm_kernels_resolve(ctx, data, copy, count));
    budget = lm_budget(ctx);
    TRY(lm_ranks_min(ctx, &budget)); /* all ranks choose the same rows */
    TRY(choose_rows(ctx, most && most < data->graphs ? most : data->graphs, other->graphs, count, budget, &rows));
    SCRATCH(ctx, value, rows * other->graphs);
    TRY(lm_matrix_open(ctx, path, data->graphs, other->graphs, data->class_label, &file));
    for (size_t first = 0, end; first < data->graphs; first = end) {
        end = data->graphs - first < rows ? data->graphs : first + rows;
        const leman_dataset part = lm_dataset_range(data, first, end);
        TRY(lm_gram_within(ctx, &part, other, copy, count, normalize, (size_t)budget, value));
        TRY(lm_matrix_rows(&file, value, end - first));
    }
    TRY(lm_matrix_commit(&file));
done:
    return lm_ranks_end(ctx, st);
}

leman_status leman_gram_save(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                             const leman_kernel *kernels, size_t count, bool normalize, const char *path)
{
    REQUIRE(ctx, data, kernels);
    PASS(leman_matrix_check(ctx, path));
    return lm_gram_tiles(ctx, data, against, kernels, count, normalize, 0, path);
}
