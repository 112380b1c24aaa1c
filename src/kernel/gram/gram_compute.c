/*
 * Gram matrices for the caller: sums of kernels, and all numbers of rounds at once.
 *
 * The memory stays within the budget: the matrices, the tuples of the graphs being refined, and the (graph, colour)
 * pairs. If the pairs do not fit, they are computed in slices, and the graphs are coloured once for each slice. Sums of
 * integers do not depend on this order.
 */
#include "base/arguments.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "graph/same_work.h"
#include "io/reading.h"
#include "kernel/counts/binning.h"
#include "kernel/gram/gram.h"
#include "kernel/gram/gram_ranks.h"
#include "kernel/kernel.h"
#include "kernel/pairs/pairs.h"
#include "kernel/required_inputs.h"
#include "refine/refine.h"
#include "refine/variant.h"
#include <stdio.h>

/* ---- Feature triples of both data sets ------------------------------------------------------- */

bool lm_kernel_branches(const leman_kernel *kernel)
{
    return kernel->kind == LEMAN_KERNEL_KIND_COLORS && lm_has_own_last_round(&kernel->coloring);
}

size_t lm_kernel_blocks(const leman_kernel *kernel, bool branches)
{
    size_t rounds = lm_kernel_has_rounds(kernel) ? kernel->coloring.rounds : 0;
    return (branches ? 2 : 1) * rounds + 1;
}

/* lm_kernel_fill() for a kernel without binnings, or for one of them. */
static leman_status fill(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, bool branches,
                         uint32_t binning, size_t first_graph, lm_triples *triples)
{
    switch (kernel->kind) {
    case LEMAN_KERNEL_KIND_SHORTEST_PATH: return lm_triples_of_paths(ctx, data, kernel, first_graph, 0, triples);
    case LEMAN_KERNEL_KIND_GRAPHLET: return lm_triples_of_graphlets(ctx, data, kernel, first_graph, 0, triples);
    case LEMAN_KERNEL_KIND_PROPAGATION:
        return lm_triples_of_propagation(ctx, data, kernel, binning, first_graph, triples);
    case LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH:
    case LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH:
    case LEMAN_KERNEL_KIND_HADAMARD_CODE: return lm_triples_of_hashes(ctx, data, kernel, first_graph, 0, triples);
    case LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS:
        return lm_triples_of_ball_pairs(ctx, data, kernel, first_graph, 0, triples);
    case LEMAN_KERNEL_KIND_TREES: return lm_triples_of_trees(ctx, data, kernel, first_graph, 0, triples);
    case LEMAN_KERNEL_KIND_PYRAMID_MATCH: return lm_triples_of_pyramids(ctx, data, kernel, first_graph, 0, triples);
    case LEMAN_KERNEL_KIND_RANDOM_WALK:
    case LEMAN_KERNEL_KIND_GRAPH_HOPPER:
    case LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED: /* refused before: leman_kernel_has_features() */
        return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "a kernel of pairs has no features");
    case LEMAN_KERNEL_KIND_COLORS: break;
    }
    return lm_triples_of_colors(ctx, data, &kernel->coloring, branches, first_graph, triples);
}

leman_status lm_kernel_fill(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, bool branches,
                            size_t first_graph, lm_triples *triples)
{
    PASS(lm_kernel_check_atoms(ctx, kernel, data));
    if (!kernel->binnings) return fill(ctx, data, kernel, branches, 0, first_graph, triples);
    for (uint32_t i = 0; i < kernel->binnings; i++) {
        AUTO(lm_binned_free) lm_binned binned = {.data = *data, .kernel = *kernel};
        if (kernel->kind != LEMAN_KERNEL_KIND_PROPAGATION) PASS(lm_binned_new(ctx, data, kernel, i, &binned));
        PASS(fill(ctx, &binned.data, &binned.kernel, branches, i, first_graph, triples));
    }
    return LEMAN_OK;
}

double lm_kernel_unit(const leman_kernel *kernel)
{
    return kernel->kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS ? LM_KERNEL_PAIR_UNIT : 1;
}

double lm_kernel_factor(const leman_kernel *kernel)
{
    const double unit = lm_kernel_unit(kernel);
    return kernel->weight * (kernel->assignment ? unit : unit * unit);
}

/* The input of a Gram matrix. */
typedef struct source {
    const leman_dataset *data, *against; /* against: NULL for a square matrix */
    leman_kernel kernel;                 /* in normal form */
    bool branches;
    const lm_sample *sample; /* NULL: all tuples */
    uint64_t search;         /* bytes of the searches around a sample */
    bool reals;              /* sums are doubles, because 64-bit integers overflowed: lm_gram.reals */
    bool selves;             /* diagonals of a matrix that is not square are needed, to normalise it */
} source;

static size_t columns_of(const source *from)
{
    return (from->against ? from->against : from->data)->graphs;
}

/* The bytes of `matrices` with their diagonals. */
static uint64_t matrix_bytes(const source *from, uint64_t matrices)
{
    uint64_t rows = from->data->graphs, columns = columns_of(from);
    return lm_saturating_multiply(matrices, 8 * (rows * columns + rows + columns)); /* checked by check_pair() */
}

/* The bytes that a colouring holds at once. Other kernels hold one graph and its features, which are not counted. */
static leman_status tuple_bytes(leman_context *ctx, const source *from, const lm_memory_limit *limit, uint64_t *bytes)
{
    uint64_t more = 0;
    *bytes = from->search;
    if (from->sample) return LEMAN_OK;
    if (from->kernel.kind != LEMAN_KERNEL_KIND_COLORS) return LEMAN_OK;
    const lm_refine_options options = {.branches = from->branches, .limit = limit};
    PASS(lm_refine_bytes(ctx, from->data, &from->kernel.coloring, &options, bytes));
    if (from->against) PASS(lm_refine_bytes(ctx, from->against, &from->kernel.coloring, &options, &more));
    if (more > *bytes) *bytes = more;
    return LEMAN_OK;
}

/* Makes empty triples for the context's threads, limited to the memory that limit.held, with the matrices, leaves. */
static leman_status new_triples(leman_context *ctx, const source *from, lm_memory_limit limit, lm_triples *triples,
                                bool *without_table)
{
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
    size_t rows = from->data->graphs;
    uint64_t tuples, table = lm_table_values(rows) * sizeof(float);
    PASS(lm_triples_new(ctx, rows + (from->against ? from->against->graphs : 0),
                        lm_kernel_blocks(&from->kernel, from->branches), triples));
    uint64_t adding = lm_gram_bytes(triples), min = lm_triples_min_bytes(triples->workers, triples->blocks);
    uint64_t all = lm_saturating_add(limit.held, lm_saturating_add(adding, min));
    if (all > limit.budget)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                       "a matrix of %zu by %zu graph%s and what filling it holds need %s, the memory budget is %s",
                       rows, columns_of(from), lm_plural(columns_of(from)), lm_bytes_text(all, needed),
                       lm_budget_text(ctx, limit.budget, available));
    uint64_t left = limit.budget - limit.held;
    *without_table = table > (left - adding) / 4;
    if (!*without_table && !from->against) adding += table;
    limit.held = lm_saturating_add(limit.held, min + ((uint64_t)triples->workers + 1) * LM_REFINE_SCRATCH);
    PASS(tuple_bytes(ctx, from, &limit, &tuples));
    tuples += LM_REFINE_SCRATCH; /* of this context */
    uint64_t filled = tuples < left ? left - tuples : 0;
    filled = lm_triples_rank_bytes(ctx, filled);
    PASS(lm_triples_limit(ctx, triples, filled > min / 2 ? filled : min / 2, lm_triples_rank_bytes(ctx, left - adding),
                          limit));
    triples->shared = !from->sample;
    return LEMAN_OK;
}

/* new_triples() with fewer threads if necessary. Every worker has lists of its own; if the budget is too small for all
 * workers, the context's threads are halved until it suffices. So a budget that suffices on a small computer also
 * suffices on a large one. The caller restores the number of threads. */
static leman_status begin_triples(leman_context *ctx, const source *from, lm_memory_limit limit, lm_triples *triples,
                                  bool *without_table)
{
    leman_status st;
    while ((st = new_triples(ctx, from, limit, triples, without_table)) == LEMAN_ERROR_BUDGET &&
           ctx->settings.threads > 1) {
        lm_triples_free(triples);
        ctx->settings.threads = (ctx->settings.threads + 1) / 2;
        ctx->message[0] = 0; /* this failure is not reported */
    }
    return st;
}

/* Fills the triples with the current slice of the features of both data sets. */
static leman_status fill_triples(leman_context *ctx, const source *from, lm_triples *triples)
{
    const leman_coloring *c = &from->kernel.coloring;
    if (from->sample) {
        PASS(lm_triples_of_samples(ctx, from->data, c, from->sample, from->search, 0, triples));
        if (from->against)
            PASS(lm_triples_of_samples(ctx, from->against, c, from->sample, from->search, from->data->graphs, triples));
        lm_triples_finish(triples);
        return LEMAN_OK;
    }
    PASS(lm_kernel_fill(ctx, from->data, &from->kernel, from->branches, 0, triples));
    if (from->against)
        PASS(lm_kernel_fill(ctx, from->against, &from->kernel, from->branches, from->data->graphs, triples));
    return lm_triples_finish_ranks(ctx, triples);
}

static leman_status next_triples(leman_context *ctx, const source *from, lm_triples *triples, bool *more)
{
    leman_status st = lm_triples_agree(ctx, triples);
    return st ? st : lm_triples_next(ctx, triples, from->data->name, more);
}

/* Closes the matrix if its sums are exact. Otherwise *fits is false, and the matrix must be computed again with reals.
 * All ranks have the same sums. */
static leman_status close_gram(leman_context *ctx, const source *from, bool normalize, lm_gram *gram, bool *fits)
{
    leman_status st = from->sample ? LEMAN_OK : lm_gram_reduce(ctx, gram);
    if (!st && (*fits = lm_gram_fits(gram))) lm_gram_close(ctx, gram, lm_kernel_factor(&from->kernel), normalize);
    return st;
}

static void log_reals(leman_context *ctx, const source *from)
{
    lm_log(ctx, "%s: kernels of graphs with themselves do not fit into 64 bits; sums are computed again as doubles",
           from->data->name);
}

/* Checks that the two data sets can be compared and that the matrix can be addressed. */
static leman_status check_pair(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                               const leman_kernel *kernels, size_t count)
{
    char as[LM_SENTENCE / 2];
    size_t cells, columns = against ? against->graphs : data->graphs;
    if (against) {
        snprintf(as, sizeof as, "as %s has", data->name);
        PASS(lm_required_inputs_check(ctx, against->name, lm_kernels_required_inputs(kernels, count, against),
                                      lm_kernels_required_inputs(kernels, count, data), as));
        PASS(lm_reading_check(ctx, against->name, against->reading, data->reading, as));
    }
    if (!lm_multiply(data->graphs, columns, &cells) || cells > SIZE_MAX / sizeof(lm_gram_entry))
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "a matrix of %zu by %zu graph%s is more than this machine can address",
                       data->graphs, columns, lm_plural(columns));
    return LEMAN_OK;
}

/* ---- Sums of kernels ------------------------------------------------------------------------- */

/* Computes the sums of one kernel in `cell`, and closes them if they fit. */
static leman_status sum_kernel(leman_context *ctx, const source *from, lm_memory_limit limit, bool normalize,
                               lm_gram_entry *cell, lm_gram *gram, bool *fits)
{
    leman_status st = LEMAN_OK;
    lm_triples triples = {0};
    const bool pairs = lm_kernel_is_of_pairs(&from->kernel);
    const int threads = ctx->settings.threads;
    TRY(lm_gram_new(ctx, cell, from->data->graphs, columns_of(from), !from->against, from->kernel.assignment, gram));
    gram->reals = from->reals || pairs;
    gram->normalization = from->kernel.normalization;
    if (pairs) TRY(lm_gram_of_pairs(ctx, from->data, from->against, &from->kernel, from->selves, limit, gram));
    if (!pairs) TRY(begin_triples(ctx, from, limit, &triples, &gram->without));
    for (bool more = !pairs; more;) {
        TRY(fill_triples(ctx, from, &triples));
        TRY(lm_gram_add(ctx, &triples, 0, triples.blocks - 1, gram));
        TRY(next_triples(ctx, from, &triples, &more));
    }
    TRY(close_gram(ctx, from, normalize, gram, fits));
done:
    ctx->settings.threads = threads;
    lm_triples_free(&triples);
    return st;
}

/* Computes one kernel in `cell`, normalised by its own diagonal if requested; adds its diagonal to row_self and
 * column_self. */
static leman_status one_kernel(leman_context *ctx, const source *asked, lm_memory_limit limit, bool normalize,
                               lm_gram_entry *cell, double *row_self, double *column_self)
{
    source from = *asked;
    AUTO(lm_gram_free) lm_gram gram = {0};
    size_t rows = from.data->graphs, columns = columns_of(&from);
    double weight = lm_kernel_factor(&from.kernel);
    bool fits, square = !from.against;
    from.reals = lm_kernel_unit(&from.kernel) < 1; /* products of such values rarely fit into 64 bits */
    PASS(sum_kernel(ctx, &from, limit, normalize, cell, &gram, &fits));
    if (!fits) {
        log_reals(ctx, &from);
        lm_gram_free(&gram);
        from.reals = true;
        PASS(sum_kernel(ctx, &from, limit, normalize, cell, &gram, &fits));
    }
    for (size_t i = 0; i < rows; i++) row_self[i] += weight * gram.self[0][i].value;
    for (size_t j = 0; j < columns; j++) column_self[j] += weight * gram.self[square ? 0 : 1][j].value;
    return LEMAN_OK;
}

/* lm_gram_compute(). If diagonal is not NULL, diagonal[rows] gets the kernels of the graphs of the rows with
 * themselves. */
static leman_status compute(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                            const leman_kernel *kernels, size_t count, bool normalize, lm_memory_limit limit,
                            double *out, double *diagonal)
{
    leman_status st = LEMAN_OK;
    SCRATCH_SCOPE(ctx);
    source from = {.data = data, .against = against, .kernel = *kernels, .selves = normalize || diagonal};
    size_t rows = data->graphs, columns = columns_of(&from);
    double *row_self, *column_self;
    lm_gram_entry *cell = (lm_gram_entry *)(void *)out;
    AUTO(lm_release_at) lm_gram_entry *more = NULL;
    lm_ranks_begin(ctx);
    TRY(lm_ranks_same_work(ctx, lm_kernels_checksum(kernels, count) + normalize, data, against));
    TRY(check_pair(ctx, data, against, kernels, count));
    limit.held = lm_saturating_add(limit.held, matrix_bytes(&from, count > 1 ? 2 : 1));
    SCRATCH_ZERO(ctx, row_self, rows);
    SCRATCH_ZERO(ctx, column_self, columns);
    for (size_t i = 0; i < count; i++) {
        TRY(lm_kernel_check(ctx, kernels + i, &from.kernel));
        if (i && !more) NEW(ctx, more, rows * columns);
        TRY(one_kernel(ctx, &from, limit, normalize && count == 1, i ? more : cell, row_self, column_self));
        for (size_t j = 0; i && j < rows * columns; j++) cell[j].value += more[j].value;
    }
    if (normalize && count > 1) {
        lm_gram gram = {.rows = rows, .columns = columns, .cell = cell, .normalization = kernels->normalization};
        lm_gram_normalize(ctx, &gram, row_self, column_self);
    }
    if (diagonal) memcpy(diagonal, row_self, rows * sizeof *diagonal);
done:
    return lm_ranks_end(ctx, st);
}

leman_status lm_gram_compute(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                             const leman_kernel *kernels, size_t count, bool normalize, lm_memory_limit limit,
                             double *out)
{
    return compute(ctx, data, against, kernels, count, normalize, limit, out, NULL);
}

leman_status lm_gram_of_samples(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                const leman_kernel *kernel, const lm_sample *sample, lm_memory_limit limit, double *out,
                                double *row_self, double *column_self)
{
    source from = {.data = data, .against = against, .kernel = *kernel, .sample = sample};
    PASS(check_pair(ctx, data, against, kernel, 1));
    limit.held = lm_saturating_add(limit.held, matrix_bytes(&from, 1));
    from.search = limit.budget > limit.held ? (limit.budget - limit.held) / 4 : 0;
    from.kernel.weight = 1;
    memset(row_self, 0, data->graphs * sizeof *row_self);
    memset(column_self, 0, columns_of(&from) * sizeof *column_self);
    return one_kernel(ctx, &from, limit, false, (lm_gram_entry *)(void *)out, row_self, column_self);
}

leman_status lm_gram_within(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                            const leman_kernel *kernels, size_t count, bool normalize, size_t budget, double *out)
{
    leman_status st = LEMAN_OK;
    SCRATCH_SCOPE(ctx);
    leman_kernel *copy;
    lm_ranks_begin(ctx);
    TRY(lm_kernels_copy(ctx, kernels, count, &copy));
    TRY(lm_ranks_same_work(ctx, lm_kernels_checksum(copy, count) + normalize, data, against));
    TRY(lm_kernels_resolve(ctx, data, copy, count));
    TRY(lm_gram_compute(ctx, data, against, copy, count, normalize, (lm_memory_limit){budget, 0}, out));
done:
    return lm_ranks_end(ctx, st);
}

leman_status leman_gram_compute(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                const leman_kernel *kernels, size_t count, bool normalize, double *out)
{
    REQUIRE(ctx, data, kernels, out);
    return lm_gram_within(ctx, data, against, kernels, count, normalize, lm_budget(ctx), out);
}

/* The matrix of the graphs against no graphs has no cells, and the diagonals of its rows. */
leman_status leman_gram_diagonal(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                 size_t count, double *out)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, data, kernels, out);
    SCRATCH_SCOPE(ctx);
    const leman_dataset none = lm_dataset_range(data, 0, 0);
    leman_kernel *copy;
    double no_cell;
    lm_ranks_begin(ctx);
    TRY(lm_kernels_copy(ctx, kernels, count, &copy));
    TRY(lm_ranks_same_work(ctx, lm_kernels_checksum(copy, count), data, &none));
    TRY(lm_kernels_resolve(ctx, data, copy, count));
    TRY(compute(ctx, data, &none, copy, count, false, (lm_memory_limit){lm_budget(ctx), 0}, &no_cell, out));
done:
    return lm_ranks_end(ctx, st);
}

/* ---- Every number of rounds ------------------------------------------------------------------ */

/*
 * All pairs at once. out[h] first holds the sums of the rounds before h. If the rule is the same in every round, round
 * h is added, and the sums are copied to out[h + 1]. If the last round has its own rule, the plain round h is added to
 * the copy, and the decorated round h to out[h]. Then out[h] is closed, which turns its sums into reals.
 */
static leman_status add_rounds(leman_context *ctx, const source *from, lm_triples *triples, bool normalize,
                               lm_gram *gram, bool *fits)
{
    uint32_t rounds = from->kernel.coloring.rounds;
    for (uint32_t h = 0; h <= rounds; h++) {
        lm_gram *now = gram + h, *next = now + 1;
        bool branch = from->branches && h > 0;
        if (!branch) PASS(lm_gram_add(ctx, triples, h, h, now));
        if (h < rounds) {
            lm_gram_entry *cell = next->cell;
            lm_gram_free(next);
            PASS(lm_gram_copy(ctx, now, cell, next));
            if (branch) PASS(lm_gram_add(ctx, triples, h, h, next));
        }
        if (branch) PASS(lm_gram_add(ctx, triples, rounds + h, rounds + h, now));
        PASS(close_gram(ctx, from, normalize, now, fits));
        if (!*fits) break;
    }
    return LEMAN_OK;
}

/*
 * One slice of the pairs. out[h] holds the difference of the matrices of h and h - 1: round h; or, if the last round
 * has its own rule, the decorated round h, minus the decorated round h - 1, plus the plain round h - 1. The diagonals
 * are complete, not differences. Returns the matrices to which a block is added, with their signs.
 */
static size_t targets_of(const source *from, uint32_t block, lm_gram *gram, lm_target *target)
{
    uint32_t rounds = from->kernel.coloring.rounds, h = block - rounds;
    size_t targets = 0;
    if (from->branches && block >= rounds && rounds) {
        target[targets++] = (lm_target){gram + h, 1, true};
        if (h < rounds) target[targets++] = (lm_target){gram + h + 1, -1, false};
        return targets;
    }
    uint32_t first = from->branches && block ? block + 1 : block;
    for (uint32_t to = first; to <= rounds; to++) target[targets++] = (lm_target){gram + to, to == first, true};
    return targets;
}

static leman_status add_slice(leman_context *ctx, const source *from, lm_triples *triples, lm_target *target,
                              lm_gram *gram)
{
    for (uint32_t block = 0; block < triples->blocks; block++)
        PASS(lm_gram_add_to(ctx, triples, block, block, target, targets_of(from, block, gram, target)));
    return LEMAN_OK;
}

static leman_status add_slices(leman_context *ctx, const source *from, lm_triples *triples, bool normalize,
                               lm_gram *gram, bool *fits)
{
    uint32_t rounds = from->kernel.coloring.rounds;
    lm_target *target;
    bool more;
    PASS_SCRATCH(ctx, target, rounds + (size_t)2);
    for (;;) {
        PASS(add_slice(ctx, from, triples, target, gram));
        PASS(next_triples(ctx, from, triples, &more));
        if (!more) break;
        PASS(fill_triples(ctx, from, triples));
    }
    for (uint32_t h = 1; h <= rounds; h++) lm_gram_sum(ctx, gram + h - 1, gram + h);
    *fits = true;
    for (uint32_t h = 0; *fits && h <= rounds; h++) PASS(close_gram(ctx, from, normalize, gram + h, fits));
    return LEMAN_OK;
}

/* Computes the matrices of all numbers of rounds. *fits is false if the sums of one do not fit. */
static leman_status every_round(leman_context *ctx, const source *from, bool normalize, size_t budget,
                                double *const *out, bool *fits)
{
    leman_status st = LEMAN_OK;
    SCRATCH_SCOPE(ctx);
    lm_triples triples = {0};
    lm_gram *gram = NULL;
    size_t matrices = 0, count = from->kernel.coloring.rounds + (size_t)1, columns = columns_of(from);
    bool without = false;
    const int threads = ctx->settings.threads;
    TRY(begin_triples(ctx, from, (lm_memory_limit){budget, matrix_bytes(from, count)}, &triples, &without));
    SCRATCH(ctx, gram, count);
    for (; matrices < count; matrices++) {
        lm_gram_entry *cell = (lm_gram_entry *)(void *)out[matrices];
        TRY(lm_gram_new(ctx, cell, from->data->graphs, columns, !from->against, from->kernel.assignment,
                        gram + matrices));
        gram[matrices].without = without;
        gram[matrices].reals = from->reals;
        gram[matrices].normalization = from->kernel.normalization;
    }
    TRY(fill_triples(ctx, from, &triples));
    TRY((lm_triples_is_whole(&triples) ? add_rounds : add_slices)(ctx, from, &triples, normalize, gram, fits));
done:
    ctx->settings.threads = threads;
    lm_triples_free(&triples);
    for (size_t h = 0; h < matrices; h++) lm_gram_free(gram + h);
    return st;
}

leman_status lm_gram_rounds(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                            const leman_kernel *normal, bool normalize, size_t budget, double *const *out)
{
    leman_status st = LEMAN_OK;
    source from = {.data = data, .against = against, .kernel = *normal, .branches = lm_kernel_branches(normal)};
    bool fits = true;
    lm_ranks_begin(ctx);
    TRY(lm_ranks_same_work(ctx, lm_kernels_checksum(normal, 1) + normalize, data, against));
    TRY(check_pair(ctx, data, against, normal, 1));
    TRY(every_round(ctx, &from, normalize, budget, out, &fits));
    if (!fits) {
        log_reals(ctx, &from);
        from.reals = true;
        TRY(every_round(ctx, &from, normalize, budget, out, &fits));
    }
done:
    return lm_ranks_end(ctx, st);
}

leman_status leman_gram_rounds(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                               const leman_kernel *kernel, bool normalize, double *const *out)
{
    leman_kernel copy = leman_kernel_default();
    REQUIRE(ctx, data, kernel, out);
    PASS(lm_options_copy(ctx, "leman_kernel", kernel, &copy, sizeof copy));
    PASS(lm_kernel_check(ctx, &copy, &copy)); /* rejects LEMAN_STABLE: the number of matrices would not be known */
    if (!lm_kernel_selects_rounds(&copy))
        return lm_fail(
            ctx, LEMAN_ERROR_ARGUMENT,
            "kind of a kernel: found %s, expected colors or propagation: only colourings and propagation have rounds",
            leman_kernel_kind_name(copy.kind));
    for (size_t h = 0; h <= copy.coloring.rounds; h++) REQUIRE(ctx, out[h]);
    return lm_gram_rounds(ctx, data, against, &copy, normalize, lm_budget(ctx), out);
}
