/* Kernels and their Gram matrices for the caller: sums of kernels, all numbers of rounds at once. */
#include "kernel/kernel.h"
#include "kernel/gram.h"
#include "refine/variant.h"

/* ---- Filling a bag with both data sets -------------------------------------------------------------------- */

leman_status lm_kernel_check(leman_context *ctx, const leman_kernel *asked, leman_kernel *normal)
{
    leman_kernel kernel = *asked;
    if (!(kernel.weight > 0))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "weight of a kernel: found %g, expected a number above 0",
                       kernel.weight);
    if (kernel.kind == LEMAN_KERNEL_COLORS) {
        leman_status st = lm_coloring_check(ctx, &asked->coloring, &kernel.coloring);
        if (st) return st;
        if (kernel.coloring.rounds > LM_MOST_ROUNDS)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "rounds of a kernel: expected a number up to %d", LM_MOST_ROUNDS);
    }
    *normal = kernel;
    return LEMAN_OK;
}

bool lm_kernel_branches(const leman_kernel *kernel)
{
    return kernel->kind == LEMAN_KERNEL_COLORS && lm_variant_round(&kernel->coloring, true).decorated &&
           !lm_variant_round(&kernel->coloring, false).decorated;
}

size_t lm_kernel_blocks(const leman_kernel *kernel, bool branches)
{
    size_t rounds = kernel->kind == LEMAN_KERNEL_COLORS ? kernel->coloring.rounds : 0;
    return (branches ? 2 : 1) * rounds + 1;
}

leman_status lm_kernel_fill(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, bool branches,
                            size_t first_graph, lm_bag *bag)
{
    switch (kernel->kind) {
    case LEMAN_KERNEL_SHORTEST_PATH: return lm_bag_paths(ctx, data, kernel, first_graph, 0, bag);
    case LEMAN_KERNEL_GRAPHLET: return lm_bag_graphlets(ctx, data, kernel, first_graph, 0, bag);
    case LEMAN_KERNEL_COLORS: break;
    }
    return lm_bag_colors(ctx, data, &kernel->coloring, branches, first_graph, bag);
}

static leman_status fill_both(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                              const leman_kernel *kernel, bool branches, lm_bag *bag)
{
    leman_status st = LEMAN_OK;
    TRY(lm_bag_new(ctx, data->graphs + (against ? against->graphs : 0), lm_kernel_blocks(kernel, branches), bag));
    TRY(lm_kernel_fill(ctx, data, kernel, branches, 0, bag));
    if (against) TRY(lm_kernel_fill(ctx, against, kernel, branches, data->graphs, bag));
done:
    return st;
}

static leman_status check_pair(leman_context *ctx, const leman_dataset *data, const leman_dataset *against)
{
    if (against && (data->columns.vertex_labels != against->columns.vertex_labels ||
                    data->columns.edge_labels != against->columns.edge_labels || data->directed != against->directed))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s and %s have different columns of labels, or one is directed",
                       data->name, against->name);
    size_t cells, columns = against ? against->graphs : data->graphs;
    if (!lm_multiply(data->graphs, columns, &cells) || cells > SIZE_MAX / sizeof(lm_cell))
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "a matrix of %zu by %zu graphs is more than this machine can address",
                       data->graphs, columns);
    return LEMAN_OK;
}

/* ---- Sums of kernels -------------------------------------------------------------------------------------- */

/* One kernel into cells, normalised by itself where asked; its diagonal is added to row_self and column_self. */
static leman_status one_kernel(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                               const leman_kernel *kernel, bool normalize, lm_cell *cell, double *row_self,
                               double *column_self)
{
    leman_status st = LEMAN_OK;
    lm_bag bag = {0};
    lm_gram gram = {0};
    size_t rows = data->graphs, columns = against ? against->graphs : rows;
    TRY(fill_both(ctx, data, against, kernel, false, &bag));
    TRY(lm_gram_new(ctx, cell, rows, columns, !against, kernel->assignment, &gram));
    TRY(lm_gram_add(ctx, &bag, 0, bag.blocks - 1, &gram));
    TRY(lm_gram_close(ctx, &gram, kernel->weight, normalize));
    for (size_t i = 0; i < rows; i++) row_self[i] += kernel->weight * gram.self[0][i];
    for (size_t j = 0; j < columns; j++) column_self[j] += kernel->weight * gram.self[against ? 1 : 0][j];
done:
    lm_bag_free(ctx, &bag);
    lm_gram_free(ctx, &gram);
    return st;
}

leman_status leman_gram_take(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                             const leman_kernel *kernels, size_t count, bool normalize, double *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    size_t rows = data->graphs, columns = against ? against->graphs : rows;
    double *row_self, *column_self;
    lm_cell *cell = (lm_cell *)(void *)out, *more = NULL;
    TRY(check_pair(ctx, data, against));
    SCRATCH(ctx, row_self, rows);
    SCRATCH(ctx, column_self, columns);
    memset(row_self, 0, rows * sizeof *row_self);
    memset(column_self, 0, columns * sizeof *column_self);
    if (!count) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "no kernel was named");
    for (size_t i = 0; i < count; i++) {
        leman_kernel kernel;
        TRY(lm_kernel_check(ctx, kernels + i, &kernel));
        if (i && !more) NEW(ctx, more, rows * columns);
        TRY(one_kernel(ctx, data, against, &kernel, normalize && count == 1, i ? more : cell, row_self, column_self));
        for (size_t j = 0; i && j < rows * columns; j++) cell[j].value += more[j].value;
    }
    if (normalize && count > 1) {
        lm_gram gram = {.rows = rows, .columns = columns, .cell = cell};
        lm_gram_normalize(ctx, &gram, row_self, column_self);
    }
done:
    lm_free(ctx, more);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* ---- Every number of rounds ------------------------------------------------------------------------------- */

/*
 * out[h] first holds the open sums of the rounds before h. Then, if the rule is the same in every round, round h is
 * added and the sums go on to out[h + 1]; if the last round has a rule of its own, the sums go on with the plain round
 * h, and stay with the decorated one. Closing makes them reals.
 */
leman_status leman_gram_rounds(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                               const leman_kernel *asked, bool normalize, double *const *out)
{
    leman_status st = LEMAN_OK;
    lm_bag bag = {0};
    lm_gram now = {0}, next = {0};
    leman_kernel kernel;
    size_t columns = against ? against->graphs : data->graphs;
    TRY(check_pair(ctx, data, against));
    TRY(lm_kernel_check(ctx, asked, &kernel));
    if (kernel.kind != LEMAN_KERNEL_COLORS) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "only colourings have rounds");
    uint32_t rounds = kernel.coloring.rounds;
    bool branches = lm_kernel_branches(&kernel);
    TRY(fill_both(ctx, data, against, &kernel, branches, &bag));
    TRY(lm_gram_new(ctx, (lm_cell *)(void *)out[0], data->graphs, columns, !against, kernel.assignment, &now));
    for (uint32_t h = 0; h <= rounds; h++) {
        bool branch = branches && h > 0;
        if (!branch) TRY(lm_gram_add(ctx, &bag, h, h, &now));
        if (h < rounds) {
            TRY(lm_gram_copy(ctx, &now, (lm_cell *)(void *)out[h + 1], &next));
            if (branch) TRY(lm_gram_add(ctx, &bag, h, h, &next));
        }
        if (branch) TRY(lm_gram_add(ctx, &bag, rounds + h, rounds + h, &now));
        TRY(lm_gram_close(ctx, &now, kernel.weight, normalize));
        lm_gram_free(ctx, &now);
        now = next;
        next = (lm_gram){0};
    }
done:
    lm_bag_free(ctx, &bag);
    lm_gram_free(ctx, &now);
    lm_gram_free(ctx, &next);
    return st;
}
