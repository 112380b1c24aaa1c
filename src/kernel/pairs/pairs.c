/*
 * Gram matrices of kernels of pairs.
 *
 * Memory: the prepared graphs, and for each worker the scratch of the largest graph or of the largest pair. Threads are
 * halved until the budget suffices, as for kernels of features.
 */
#include "kernel/pairs/pairs.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include <math.h>

enum { TILE = 16, POOL_SCRATCH = 1 << 17 }; /* graphs of a side of a tile; bytes of scratch that a context keeps */

const lm_pair_kernel *lm_pair_kernel_of(const leman_kernel *kernel, bool directed)
{
    const bool finite = kernel->steps > 0 || kernel->exponential;
    switch (kernel->kind) {
    case LEMAN_KERNEL_KIND_RANDOM_WALK: /* the eigenvectors of a directed graph may be linearly dependent */
        return finite ? &LM_WALK_COUNTS : directed ? &LM_LABELED_WALKS : &LM_WALK_SPECTRA;
    case LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED: return &LM_LABELED_WALKS;
    case LEMAN_KERNEL_KIND_GRAPH_HOPPER: return &LM_GRAPH_HOPPER;
    default: return NULL;
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static leman_graph graph_of(const lm_pair_work *work, size_t i)
{
    const size_t rows = work->data->graphs;
    return i < rows ? leman_dataset_graph(work->data, i) : leman_dataset_graph(work->against, i - rows);
}

/* Sets *store to the bytes of all prepared graphs, and *scratch to the largest scratch of a worker. The scratch of a
 * pair grows with both graphs, so the graph with the most vertices and arcs gives the largest. */
static void count_bytes(const lm_pair_work *work, uint64_t *store, uint64_t *scratch)
{
    leman_graph largest = {0};
    *store = *scratch = 0;
    for (size_t i = 0; i < work->count; i++) {
        const leman_graph graph = graph_of(work, i);
        const uint64_t preparing = work->method->prepare_scratch(work, &graph, i);
        *store = lm_saturating_add(*store, work->method->bytes(work, &graph, i));
        if (preparing > *scratch) *scratch = preparing;
        if (graph.vertices > largest.vertices) largest.vertices = graph.vertices;
        if (graph.arcs > largest.arcs) largest.arcs = graph.arcs;
    }
    const uint64_t pair = work->method->pair_scratch(work, &largest, &largest);
    if (pair > *scratch) *scratch = pair;
    *store = lm_saturating_add(*store, lm_saturating_multiply(work->count, sizeof *work->prepared));
}

/* Halves the context's threads until the budget suffices. The caller restores them. */
static leman_status choose_threads(leman_context *ctx, const lm_pair_work *work, lm_memory_limit limit)
{
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
    uint64_t store, scratch, all;
    count_bytes(work, &store, &scratch);
    store = lm_saturating_add(store, limit.held);
    for (;; ctx->settings.threads = (ctx->settings.threads + 1) / 2) {
        const uint64_t workers = (uint64_t)lm_thread_pool_workers(ctx);
        all = lm_saturating_add(store, lm_saturating_multiply(workers, lm_saturating_add(scratch, POOL_SCRATCH)));
        if (all <= limit.budget) return LEMAN_OK;
        if (ctx->settings.threads == 1) break;
    }
    return lm_fail(ctx, LEMAN_ERROR_BUDGET, "%s of %s and their matrix need %s, the memory budget is %s",
                   work->method->what, work->data->name, lm_bytes_text(all, needed),
                   lm_budget_text(ctx, limit.budget, available));
}

/* ---- Preparing ------------------------------------------------------------------------------- */

static uint64_t prepare_cost(const leman_graph *graph)
{
    return lm_saturating_add(lm_power(graph->vertices, 3), graph->arcs + 1);
}

static leman_status prepare_one(lm_worker *worker, void *state, size_t item)
{
    const lm_pair_work *work = state;
    PASS(work->method->prepare(worker, work, work->prepared + item));
    return lm_worker_advance(worker, prepare_cost(&work->prepared[item].graph));
}

/* The caller frees *store, which holds the values of all prepared graphs. */
static leman_status prepare_all(leman_context *ctx, lm_pair_work *work, double **store)
{
    uint64_t *cost, bytes = 0, total = 0;
    PASS_SCRATCH(ctx, work->prepared, work->count);
    PASS_SCRATCH(ctx, cost, work->count);
    for (size_t i = 0; i < work->count; i++) {
        work->prepared[i] = (lm_prepared){.graph = graph_of(work, i)};
        cost[i] = prepare_cost(&work->prepared[i].graph);
        total = lm_saturating_add(total, cost[i]);
        bytes = lm_saturating_add(bytes, work->method->bytes(work, &work->prepared[i].graph, i));
    }
    PASS_NEW(ctx, *store, bytes / sizeof **store);
    char *next = (char *)*store;
    for (size_t i = 0; i < work->count; i++) {
        work->prepared[i].value = next;
        next += work->method->bytes(work, &work->prepared[i].graph, i);
    }
    lm_progress_begin(ctx, total, "preparing %s of %s", work->method->what, work->data->name);
    PASS(lm_thread_pool_run(ctx, cost, work->count, 0, prepare_one, work));
    return work->method->check ? work->method->check(ctx, work) : LEMAN_OK;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

typedef struct tiling {
    const lm_pair_work *work;
    lm_gram *gram;
    size_t across; /* tiles of a row of tiles */
    size_t rank, ranks;
} tiling;

static uint64_t size_of(const lm_prepared *graph)
{
    return lm_saturating_add(graph->graph.vertices, graph->graph.arcs) + 1;
}

/* A tile: rows row .. row_end-1, columns column .. column_end-1. */
typedef struct tile {
    size_t row, row_end, column, column_end;
} tile;

static tile tile_of(const tiling *t, size_t item)
{
    tile found = {.row = item / t->across * TILE, .column = item % t->across * TILE};
    found.row_end = t->gram->rows - found.row < TILE ? t->gram->rows : found.row + TILE;
    found.column_end = t->gram->columns - found.column < TILE ? t->gram->columns : found.column + TILE;
    return found;
}

/* The first column of the tile that is computed in this row: of a square matrix only those from the diagonal on. */
static size_t first_column(const tiling *t, const tile *here, size_t row)
{
    return t->gram->square && here->column < row ? row : here->column;
}

static bool is_mine(const tiling *t, size_t item)
{
    const tile here = tile_of(t, item);
    return item % t->ranks == t->rank && !(t->gram->square && here.column_end <= here.row);
}

static uint64_t row_cost(const tiling *t, const tile *here, size_t row)
{
    const lm_prepared *column = t->work->prepared + (t->gram->square ? 0 : t->gram->rows);
    uint64_t sum = 0;
    for (size_t j = first_column(t, here, row); j < here->column_end; j++)
        sum = lm_saturating_add(sum, size_of(column + j));
    return lm_saturating_multiply(sum, size_of(t->work->prepared + row));
}

static leman_status compare(lm_worker *worker, const lm_pair_work *work, size_t a, size_t b, double *value)
{
    SCRATCH_SCOPE(worker->ctx);
    PASS(work->method->compare(worker, work, work->prepared + a, work->prepared + b, value));
    if (isfinite(*value)) return LEMAN_OK;
    return lm_fail(worker->ctx, LEMAN_ERROR_INPUT, "%s of %s: found a kernel that is not a finite number",
                   work->method->what, work->data->name);
}

static leman_status fill_tile(lm_worker *worker, void *state, size_t item)
{
    const tiling *t = state;
    lm_gram *g = t->gram;
    const tile here = tile_of(t, item);
    if (!is_mine(t, item)) return LEMAN_OK;
    for (size_t i = here.row; i < here.row_end; i++) {
        for (size_t j = first_column(t, &here, i); j < here.column_end; j++) {
            const bool diagonal = g->square && i == j;
            double *cell = diagonal ? &g->self[0][i].value : &g->cell[i * g->columns + j].value;
            PASS(compare(worker, t->work, i, g->square ? j : g->rows + j, cell));
        }
        PASS(lm_worker_advance(worker, row_cost(t, &here, i)));
    }
    return LEMAN_OK;
}

/* Computes the kernel of a graph with itself, for a matrix that is not square. */
static leman_status fill_self(lm_worker *worker, void *state, size_t item)
{
    const tiling *t = state;
    lm_gram *g = t->gram;
    double *self = item < g->rows ? &g->self[0][item].value : &g->self[1][item - g->rows].value;
    if (item % t->ranks != t->rank) return LEMAN_OK;
    return compare(worker, t->work, item, item, self);
}

static leman_status fill(leman_context *ctx, const lm_pair_work *work, lm_gram *gram)
{
    tiling t = {work, gram, (gram->columns + TILE - 1) / TILE, lm_rank(ctx), lm_rank_count(ctx)};
    const size_t tiles = (gram->rows + TILE - 1) / TILE * t.across;
    uint64_t *cost, total = 0;
    PASS_SCRATCH_ZERO(ctx, cost, tiles);
    for (size_t item = 0; item < tiles; item++) {
        const tile here = tile_of(&t, item);
        for (size_t i = here.row; i < here.row_end && is_mine(&t, item); i++)
            cost[item] = lm_saturating_add(cost[item], row_cost(&t, &here, i));
        total = lm_saturating_add(total, cost[item]);
    }
    lm_gram_begin(ctx, gram);
    lm_progress_begin(ctx, total, "comparing %s of %s", work->method->what, work->data->name);
    PASS(lm_thread_pool_run(ctx, cost, tiles, 0, fill_tile, &t));
    return gram->square || !work->selves ? LEMAN_OK : lm_thread_pool_run(ctx, NULL, work->count, 0, fill_self, &t);
}

leman_status lm_gram_of_pairs(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                              const leman_kernel *kernel, bool selves, lm_memory_limit limit, lm_gram *gram)
{
    leman_status st = LEMAN_OK;
    SCRATCH_SCOPE(ctx);
    lm_pair_work work = {.data = data,
                         .against = against,
                         .kernel = kernel,
                         .selves = selves,
                         .method = lm_pair_kernel_of(kernel, data->directed || (against && against->directed)),
                         .count = data->graphs + (against ? against->graphs : 0)};
    const int threads = ctx->settings.threads;
    double *store = NULL;
    TRY(work.method->begin(ctx, &work));
    TRY(choose_threads(ctx, &work, limit));
    TRY(prepare_all(ctx, &work, &store));
    TRY(fill(ctx, &work, gram));
done:
    ctx->settings.threads = threads;
    lm_release(store);
    return st;
}
