/* Normalised rows of some rounds from the features of all rounds: two passes over the entries, one to count, one to
 * place. */
#include "svm/round_features.h"
#include "base/drop.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/text.h"
#include "kernel/features/feature_matrix.h"
#include "kernel/features/features.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Announces that row i will be read. */
static void touch(const lm_round_features *all, size_t i)
{
    const leman_features *f = &all->features;
    const size_t first = f->start[i], count = f->start[i + 1] - first;
    lm_mapped_touch(all->mapped, f->column + first, count * sizeof *f->column);
    lm_mapped_touch(all->mapped, f->value + first, count * sizeof *f->value);
}

/* ---- The features of all rounds -------------------------------------------------------------- */

/* Sets hash[c] to the sum over the rows of column c of mix(row, value / f_c). The hashes are equal for columns that are
 * multiples of each other, and for other columns only if 64 bits collide, as with colours. */
static void hash_columns(lm_round_features *all, lm_pair *hash)
{
    const leman_features *f = &all->features;
    for (size_t c = 0; c < f->columns; c++) {
        hash[c] = (lm_pair){0, c};
        all->first[c] = 0;
    }
    for (size_t i = 0; i < f->rows; i++) {
        touch(all, i);
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            size_t c = f->column[e];
            uint64_t bits;
            if (all->first[c] == 0) all->first[c] = f->value[e];
            double ratio = f->value[e] / all->first[c];
            memcpy(&bits, &ratio, sizeof bits);
            hash[c].key = lm_multiset_add(hash[c].key, lm_mix(bits) + lm_multiplier(i));
        }
    }
}

static leman_status try_to_group(leman_context *ctx, lm_round_features *all)
{
    size_t columns = all->features.columns;
    AUTO(lm_release_at) lm_pair *hash = NULL;
    PASS_NEW(ctx, all->first, columns);
    PASS_NEW(ctx, all->order, columns);
    PASS_NEW(ctx, all->begins, columns);
    PASS_NEW(ctx, hash, 2 * columns);
    hash_columns(all, hash);
    lm_sort_pairs(hash, hash + columns, columns, ctx->settings.threads);
    for (size_t i = 0; i < columns; i++) {
        all->order[i] = (uint32_t)hash[i].payload;
        all->begins[i] = !i || hash[i].key != hash[i - 1].key;
    }
    return LEMAN_OK;
}

/* Groups the columns. If the groups do not fit beside entries in memory, the entries go to a file. */
static leman_status group_columns(leman_context *ctx, lm_round_features *all)
{
    leman_status st = try_to_group(ctx, all);
    if (st != LEMAN_ERROR_BUDGET || all->mapped) return st;
    RELEASE(all->first, all->order, all->begins);
    all->first = NULL, all->order = NULL, all->begins = NULL;
    PASS(lm_round_features_spill(ctx, all));
    return try_to_group(ctx, all);
}

leman_status lm_round_features_compute(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                       size_t count, uint32_t rounds, lm_round_features *all)
{
    SCRATCH_SCOPE(ctx);
    leman_kernel *normal;
    const leman_feature_options options = leman_feature_options_default();
    *all = (lm_round_features){.kernels = count};
    PASS_NEW(ctx, all->kernel, count);
    for (size_t i = 0; i < count; i++) {
        all->kernel[i] = kernels[i];
        if (!lm_kernel_has_rounds(kernels + i)) continue;
        all->kernel[i].coloring.rounds = all->rounds = rounds;
    }
    PASS(lm_features_prepare(ctx, all->kernel, count, &options, &normal));
    memcpy(all->kernel, normal, count * sizeof *normal);
    PASS(lm_round_features_entries(ctx, data, normal, count, all));
    return group_columns(ctx, all);
}

leman_status lm_round_features_of_matrix(leman_context *ctx, leman_feature_matrix *matrix, lm_round_features *all)
{
    *all = (lm_round_features){.kernels = matrix->origin.kernel_count ? matrix->origin.kernel_count : 1};
    PASS_NEW(ctx, all->kernel, all->kernels);
    for (size_t i = 0; i < all->kernels; i++) { /* of a kind without rounds, so that every column is used */
        all->kernel[i] = leman_kernel_default();
        all->kernel[i].kind = LEMAN_KERNEL_KIND_GRAPHLET;
    }
    PASS(lm_round_features_matrix_entries(ctx, matrix, all));
    return group_columns(ctx, all);
}

leman_status lm_round_features_select(leman_context *ctx, const lm_round_features *all, const size_t *row, size_t count,
                                      lm_round_features *selected)
{
    *selected = (lm_round_features){.kernels = all->kernels, .rounds = all->rounds};
    PASS_NEW(ctx, selected->kernel, all->kernels);
    memcpy(selected->kernel, all->kernel, all->kernels * sizeof *all->kernel);
    PASS(lm_features_select(ctx, &all->features, all->mapped, row, count, &selected->features));
    return group_columns(ctx, selected);
}

size_t lm_round_features_bytes(const lm_round_features *all)
{
    const leman_features *f = &all->features;
    const size_t entry = all->mapped ? 0 : sizeof *f->column + sizeof *f->value;
    return f->entries * entry + (f->rows + 1) * sizeof *f->start +
           f->columns * (sizeof *f->feature + sizeof *all->first + sizeof *all->order + sizeof *all->begins);
}

void lm_round_features_free(lm_round_features *all)
{
    if (all->mapped) {
        all->features.column = NULL, all->features.value = NULL; /* these are part of the mapping */
        lm_mapped_free(all->mapped->file.ctx, all->mapped);
    }
    lm_features_clear(&all->features);
    RELEASE(all->kernel, all->first, all->order, all->begins);
    *all = (lm_round_features){0};
}

bool lm_round_features_has(const lm_round_features *all, size_t column, uint32_t h, leman_feature *feature)
{
    leman_feature f = all->features.feature[column];
    const leman_kernel *kernel = all->kernel + f.kernel;
    bool has = true, branches = lm_kernel_branches(kernel);
    f.round /= LM_TRIPLE_LISTS; /* the block of lm_triples_of_colors() */
    if (branches && f.round > all->rounds) {
        f.round -= all->rounds; /* the decorated round h is the last of h rounds */
        has = f.round == h;
    } else if (lm_kernel_has_rounds(kernel)) {
        has = f.round < h || (f.round == h && (!branches || h == 0));
    }
    if (has && feature) *feature = f;
    return has;
}

/* ---- The rows of one number of rounds -------------------------------------------------------- */

/* Sets share and place of every column (place: 1 + the first column of its group, for the moment). Sets scale[c] to
 * F / f_c for the first column of a group, which stands for the group, and to 0 for all other columns. */
static void place_columns(const lm_round_features *all, uint32_t h, lm_rows *rows, double *scale)
{
    size_t columns = all->features.columns;
    memset(rows->place, 0, columns * sizeof *rows->place);
    memset(scale, 0, columns * sizeof *scale);
    for (size_t i = 0, end; i < columns; i = end) {
        double square = 0;
        size_t leader = columns;
        for (end = i; end < columns && (end == i || !all->begins[end]); end++) {
            size_t c = all->order[end];
            if (!lm_round_features_has(all, c, h, NULL)) continue;
            if (leader == columns) leader = c;
            square += all->first[c] * all->first[c];
        }
        for (size_t j = i; j < end && leader < columns; j++) {
            size_t c = all->order[j];
            if (!lm_round_features_has(all, c, h, NULL)) continue;
            rows->place[c] = (uint32_t)leader + 1;
            rows->share[c] = all->first[c] / sqrt(square);
        }
        if (leader < columns) scale[leader] = sqrt(square) / all->first[leader];
    }
    rows->columns = 0;
    for (size_t c = 0; c < columns; c++) rows->columns += scale[c] != 0;
}

/* Numbers the columns with a scale by decreasing support; rare columns by their first row, so that the columns of one
 * row are near each other in the cache; columns of a single row last. Other columns get the number of their group. */
static leman_status number_columns(leman_context *ctx, const lm_round_features *all, const double *scale, lm_rows *rows)
{
    const leman_features *f = &all->features;
    AUTO(lm_release_at) lm_pair *pair = NULL;
    AUTO(lm_release_at) uint32_t *support = NULL;
    AUTO(lm_release_at) uint32_t *number = NULL;
    AUTO(lm_release_at) uint32_t *begin = NULL;
    size_t count = 0, rare = f->rows / 256 < 256 ? f->rows / 256 : 256;
    PASS_NEW_ZERO(ctx, support, f->columns);
    PASS_NEW(ctx, number, f->columns);
    PASS_NEW(ctx, pair, 2 * rows->columns);
    PASS_NEW(ctx, begin, f->columns);
    for (size_t i = 0; i < f->rows; i++) {
        touch(all, i);
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++)
            if (!support[f->column[e]]++) begin[f->column[e]] = (uint32_t)i;
    }
    for (size_t c = 0; c < f->columns; c++)
        if (scale[c] != 0) {
            uint64_t first = support[c] > rare ? UINT32_MAX - support[c]
                             : support[c] > 1  ? UINT32_MAX - 2
                                               : UINT32_MAX - 1;
            pair[count++] = (lm_pair){first << 32 | (support[c] > rare ? (uint32_t)c : begin[c]), c};
        }
    lm_sort_pairs(pair, pair + count, count, ctx->settings.threads);
    for (size_t i = 0; i < count; i++) {
        number[pair[i].payload] = (uint32_t)i + 1;
        rows->shared += support[pair[i].payload] > 1;
    }
    for (size_t c = 0; c < f->columns; c++)
        if (rows->place[c]) rows->place[c] = number[rows->place[c] - 1];
    return LEMAN_OK;
}

static void place_row(const leman_features *f, size_t i, const lm_rows *rows, const double *scale, lm_node *node)
{
    double square = 0;
    size_t count = 0;
    for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
        double value = f->value[e] * scale[f->column[e]];
        square += value * value;
    }
    for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
        size_t c = f->column[e];
        if (scale[c] == 0) continue;
        node[count++] = (lm_node){rows->place[c] - 1, (float)(f->value[e] * scale[c] / sqrt(square))};
    }
    qsort(node, count, sizeof *node, lm_compare_uint32);
}

/* Sets rows->start to the first node of each row, and *longest to the number of nodes of the longest row. */
static void count_nodes(const lm_round_features *all, const double *scale, lm_rows *rows, size_t *longest)
{
    const leman_features *f = &all->features;
    size_t *start = rows->start;
    start[0] = *longest = 0;
    for (size_t i = 0; i < f->rows; i++) {
        start[i + 1] = start[i];
        touch(all, i);
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) start[i + 1] += scale[f->column[e]] != 0;
        if (start[i + 1] - start[i] > *longest) *longest = start[i + 1] - start[i];
    }
}

/* Makes the nodes, in a file if they would take more than half of what is left of the budget. */
static leman_status make_nodes(leman_context *ctx, const lm_round_features *all, const double *scale, size_t longest,
                               lm_rows *rows)
{
    const leman_features *f = &all->features;
    const size_t count = rows->start[f->rows];
    const bool fits = !all->scarce && count <= lm_budget(ctx) / 2 / sizeof(lm_node);
    AUTO(lm_release_at) lm_node *node = NULL;
    PASS_NEW(ctx, node, fits ? count : longest);
    if (!fits) PASS(lm_mapped_open(ctx, lm_mapped_window(ctx), &rows->mapped));
    for (size_t i = 0; i < f->rows; i++) {
        touch(all, i);
        place_row(f, i, rows, scale, node + (fits ? rows->start[i] : 0));
        if (!fits)
            PASS(lm_temporary_append(&rows->mapped->file, node, (rows->start[i + 1] - rows->start[i]) * sizeof *node,
                                     NULL));
    }
    if (fits) return HAND_OVER(&rows->node, node);
    PASS(lm_mapped_finish(rows->mapped));
    rows->node = (const lm_node *)(const void *)rows->mapped->address;
    return LEMAN_OK;
}

leman_status lm_rows_make(leman_context *ctx, const lm_round_features *all, uint32_t h, lm_rows *rows)
{
    SCRATCH_SCOPE(ctx);
    const leman_features *f = &all->features;
    double *scale;
    size_t longest;
    *rows = (lm_rows){.rows = f->rows};
    if (f->columns >= INT_MAX || f->rows >= INT_MAX)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "a linear SVM takes fewer than 2^31 features and graphs");
    PASS_SCRATCH(ctx, scale, f->columns);
    PASS_NEW(ctx, rows->place, f->columns);
    PASS_NEW(ctx, rows->share, f->columns);
    PASS_NEW(ctx, rows->start, f->rows + 1);
    place_columns(all, h, rows, scale);
    PASS(number_columns(ctx, all, scale, rows));
    count_nodes(all, scale, rows, &longest);
    return make_nodes(ctx, all, scale, longest, rows);
}

void lm_rows_free(lm_rows *rows)
{
    lm_release(rows->start);
    if (rows->mapped)
        lm_mapped_free(rows->mapped->file.ctx, rows->mapped);
    else
        lm_release((void *)(uintptr_t)rows->node);
    RELEASE(rows->place, rows->share);
    *rows = (lm_rows){0};
}
