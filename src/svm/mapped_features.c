/*
 * The features of all rounds if memory is short. If they fit, they are computed at once; if their entries then take
 * much of the budget, the entries go to a file and are mapped. If they do not fit, they are computed for a slice of
 * graphs at a time (kernel/features/feature_store.h). Columns, their names and their order are the same each way, and
 * so are all sums over them.
 */
#include "base/ranks/ranks.h"
#include "graph/same_work.h"
#include "kernel/features/feature_matrix.h"
#include "kernel/features/features.h"
#include "svm/round_features.h"

/* Writes the columns and then the values of all rows to a file, and maps f->column and f->value. The entries are those in
 * memory, or those that `parts` reads piece by piece. */
static leman_status map_entries(leman_context *ctx, const lm_sparse_parts *parts, lm_round_features *all)
{
    enum { PIECE = 1 << 15 };
    leman_features *f = &all->features;
    AUTO(lm_release_at) double *piece = NULL;
    PASS_NEW(ctx, piece, PIECE);
    PASS(lm_mapped_open(ctx, lm_mapped_window(ctx), &all->mapped));
    lm_temporary *file = &all->mapped->file;
    for (int values = 0; values < 2; values++) {
        const size_t size = values ? sizeof *f->value : sizeof *f->column;
        const void *whole = values ? (const void *)f->value : f->column;
        if (!parts) PASS(lm_temporary_append(file, whole, f->entries * size, NULL));
        for (size_t at = 0, part; parts && at < f->entries; at += part) {
            part = f->entries - at < PIECE ? f->entries - at : PIECE;
            PASS((values ? parts->value : parts->column)(parts->user, at, part, piece));
            PASS(lm_temporary_append(file, piece, part * size, NULL));
        }
        if (!values && f->entries % 2) PASS(lm_temporary_append(file, piece, size, NULL)); /* aligns the values */
    }
    PASS(lm_mapped_finish(all->mapped));
    f->column = (uint32_t *)(uintptr_t)all->mapped->address;
    f->value = (double *)(uintptr_t)(all->mapped->address + (f->entries + f->entries % 2) * sizeof *f->column);
    return LEMAN_OK;
}

/* Moves the entries to a file. */
static leman_status move_entries(leman_context *ctx, lm_round_features *all)
{
    const leman_features from = all->features;
    const leman_status st = map_entries(ctx, NULL, all);
    RELEASE(from.column, from.value);
    if (st) all->features.column = NULL, all->features.value = NULL;
    return st;
}

leman_status lm_round_features_spill(leman_context *ctx, lm_round_features *all)
{
    if (!all->mapped && all->features.entries) PASS(move_entries(ctx, all));
    all->scarce = true;
    return LEMAN_OK;
}

static leman_status add_slices(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                               uint64_t max, lm_feature_store *store)
{
    AUTO(lm_features_clear) leman_features f = {0};
    for (size_t first = 0, end; first < data->graphs; first = end) {
        end = lm_features_slice(data, normal, count, max, first);
        const leman_dataset part = lm_dataset_range(data, first, end);
        PASS(lm_features_compact(ctx, &part, normal, count, true, NULL, NULL, &f));
        PASS(lm_feature_store_add(store, &f));
        lm_features_clear(&f);
    }
    return LEMAN_OK;
}

/* Reads the starts of rows and the names of columns, which stay in memory. */
static leman_status read_sizes(leman_context *ctx, lm_feature_store *store, leman_features *f)
{
    lm_sparse_parts parts = lm_feature_store_parts(store);
    *f = (leman_features){.rows = store->rows, .columns = store->map.columns, .entries = store->entries};
    PASS_NEW(ctx, f->start, f->rows + 1);
    PASS_NEW(ctx, f->feature, f->columns);
    PASS(parts.start(parts.user, 0, f->rows + 1, f->start));
    return lm_column_map_names(&store->map, f->feature);
}

leman_status lm_round_features_in_slices(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                         size_t count, uint64_t max, lm_round_features *all)
{
    AUTO(lm_feature_store_close) lm_feature_store store = {.ctx = ctx, .fresh = true};
    PASS(lm_column_map_new(ctx, normal, count, true, &store.map));
    PASS(lm_feature_store_open(&store, NULL, 0));
    PASS(add_slices(ctx, data, normal, count, max, &store));
    PASS(lm_feature_store_merge(&store, data->name, true));
    PASS(read_sizes(ctx, &store, &all->features));
    const lm_sparse_parts parts = lm_feature_store_parts(&store);
    return map_entries(ctx, &parts, all);
}

leman_status lm_round_features_entries(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                       size_t count, lm_round_features *all)
{
    uint64_t budget = lm_budget(ctx);
    const leman_features *f = &all->features;
    lm_ranks_begin(ctx);
    leman_status st = lm_ranks_same_work(ctx, lm_kernels_checksum(normal, count), data, NULL);
    if (!st) st = lm_ranks_min(ctx, &budget); /* so that all ranks take the same path */
    if (!st) st = lm_features_compact(ctx, data, normal, count, true, NULL, NULL, &all->features);
    st = lm_ranks_end(ctx, st);
    if (st) lm_features_clear(&all->features);
    const uint64_t most = UINT64_C(1) << 21, max = budget / 256;
    if (st == LEMAN_ERROR_BUDGET)
        return lm_round_features_in_slices(ctx, data, normal, count, max > most ? most : max, all);
    if (st || f->entries * (sizeof *f->column + sizeof *f->value) <= budget / 4) return st;
    return move_entries(ctx, all);
}

leman_status lm_round_features_matrix_entries(leman_context *ctx, leman_feature_matrix *matrix, lm_round_features *all)
{
    leman_features *f = &all->features;
    const lm_sparse_parts parts = lm_feature_store_parts(&matrix->store);
    lm_progress_begin(ctx, 0, "loading features of %s", matrix->labels->name);
    PASS(lm_progress_poll(ctx));
    PASS(read_sizes(ctx, &matrix->store, f));
    for (size_t c = 0; c < f->columns; c++) f->feature[c].round *= LM_TRIPLE_LISTS; /* columns of one colour each */
    if (f->entries > lm_budget(ctx) / 4 / (sizeof *f->column + sizeof *f->value)) return map_entries(ctx, &parts, all);
    PASS_NEW(ctx, f->column, f->entries);
    PASS_NEW(ctx, f->value, f->entries);
    PASS(parts.column(parts.user, 0, f->entries, f->column));
    return parts.value(parts.user, 0, f->entries, f->value);
}
