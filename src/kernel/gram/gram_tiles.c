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

typedef struct tiles {
    leman_context *ctx;
    const leman_dataset *data, *against; /* against: the columns; may be `data` */
    const leman_kernel *kernels;         /* without LEMAN_STABLE */
    size_t count;
    bool normalize;
    uint64_t budget;
    size_t rows;   /* of a tile */
    double *value; /* [rows][columns] */
    lm_matrix_file file;
} tiles;

/* Computes and writes rows first .. end - 1. */
static leman_status one_tile(tiles *t, size_t first, size_t end)
{
    const leman_dataset part = lm_dataset_range(t->data, first, end);
    PASS(lm_gram_within(t->ctx, &part, t->against, t->kernels, t->count, t->normalize, (size_t)t->budget, t->value));
    return lm_matrix_rows(&t->file, t->value, end - first);
}

/* Chooses as many rows as half of the budget holds; a sum of kernels needs a second matrix of the same size. */
static leman_status choose_rows(tiles *t, size_t wanted)
{
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
    const size_t rows = t->data->graphs, columns = t->against->graphs;
    const uint64_t row = lm_saturating_multiply(t->count > 1 ? 2 : 1, lm_saturating_multiply(columns, sizeof(double)));
    if (row > t->budget / 2)
        return lm_fail(t->ctx, LEMAN_ERROR_BUDGET,
                       "a row of %zu numbers and what filling it holds need %s, the memory budget is %s", columns,
                       lm_bytes_text(lm_saturating_multiply(2, row), needed),
                       lm_budget_text(t->ctx, t->budget, available));
    t->rows = row ? (size_t)(t->budget / 2 / row) : rows;
    if (wanted && t->rows > wanted) t->rows = wanted;
    if (t->rows > rows) t->rows = rows;
    PASS_NEW(t->ctx, t->value, t->rows * columns);
    return LEMAN_OK;
}

leman_status lm_gram_tiles(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                           const leman_kernel *kernels, size_t count, bool normalize, size_t rows, const char *path)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    leman_kernel *copy;
    tiles t = {.ctx = ctx, .data = data, .against = against ? against : data, .count = count, .normalize = normalize};
    lm_ranks_begin(ctx);
    TRY(lm_kernels_copy(ctx, kernels, count, &copy));
    TRY(lm_ranks_same_work(ctx, lm_kernels_checksum(copy, count) + normalize, data, against));
    TRY(lm_kernels_resolve(ctx, data, copy, count));
    t.kernels = copy;
    t.budget = lm_budget(ctx);
    TRY(lm_ranks_min(ctx, &t.budget)); /* all ranks choose the same rows */
    TRY(choose_rows(&t, rows));
    TRY(lm_matrix_open(ctx, path, data->graphs, t.against->graphs, data->class_label, &t.file));
    for (size_t first = 0; first < data->graphs; first += t.rows)
        TRY(one_tile(&t, first, data->graphs - first < t.rows ? data->graphs : first + t.rows));
    TRY(lm_matrix_commit(&t.file));
done:
    st = lm_ranks_end(ctx, st);
    lm_matrix_abort(&t.file);
    lm_release(t.value);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status leman_gram_save(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                             const leman_kernel *kernels, size_t count, bool normalize, const char *path)
{
    REQUIRE(ctx, data, kernels);
    PASS(leman_matrix_check(ctx, path));
    return lm_gram_tiles(ctx, data, against, kernels, count, normalize, 0, path);
}
