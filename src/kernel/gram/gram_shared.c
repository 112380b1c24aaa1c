/*
 * Adds the features that graphs share to a Gram matrix: triples are sorted and grouped by key.
 *
 * A key that occurs in one graph is added to the diagonal. A key that many graphs share becomes a column of the table;
 * any other key becomes a posting, the list of its graphs. Lists of triples are independent, so workers group them in
 * parallel. Then columns are added by products, and the postings of all lists row by row, so that a row stays in the cache.
 *
 * Time: a sort of the entries, an addition for every pair of graphs that share a posting, a product for every pair of
 * graphs and column. Memory: 32 bytes an entry of the current lists; the shared entries, 16 bytes each, replace the
 * sorted entries in place; 4 bytes for each graph and column of the table.
 */
#include "base/thread_pool.h"
#include "kernel/gram/gram.h"

/* An entry of a key that several graphs share. The entries of a key are adjacent, with increasing graphs. */
typedef struct post {
    uint32_t graph, value;
} post;

/* Flags in post.graph, until the rows are indexed: the last entry of a key; the key becomes a column. */
static const uint32_t LAST = UINT32_C(1) << 31, COLUMN = UINT32_C(1) << 30, GRAPH = (UINT32_C(1) << 30) - 1;

/* The place of an entry of a row, and the end of its key. */
typedef struct place {
    uint32_t at, end;
} place;

/* The shared keys of one list of one block. */
typedef struct sharing {
    size_t block, list;
    lm_gram_entry
        *self;        /* [graphs] of the triples: the list's part of the diagonal; integers or reals as in the matrix */
    post *post;       /* [posts] replaces the sorted entries in place */
    place *own;       /* after the posts: the places of one row after the other */
    size_t posts;     /* of all shared keys */
    size_t *start;    /* [rows+1] into own */
    lm_vector column; /* size_t: the first post of each column */
    lm_vector large_values; /* lm_pair, of keys with values above 32 bits */
} sharing;

typedef struct shared_sum {
    lm_triples *triples;
    lm_gram *gram;
    sharing *part; /* [parts] */
    size_t parts;
} shared_sum;

/* ---- Groups of equal keys -------------------------------------------------------------------- */

/* A group changes cells off the diagonal if it joins two graphs of a square matrix, or a row with a column. */
static bool joins(const lm_gram *g, const lm_pair *entry, size_t count)
{
    if (count < 2) return false;
    return g->square || (lm_pair_graph(entry[0]) < g->rows && lm_pair_graph(entry[count - 1]) >= g->rows);
}

static uint64_t largest_value(const lm_pair *entry, size_t count)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < count; i++)
        if (lm_pair_value(entry[i]) > largest) largest = lm_pair_value(entry[i]);
    return largest;
}

/* Does a key become a column? Its values must be small, and so many graphs must share it that a product for every pair
 * of graphs costs less than an addition, which is about forty times slower, for each pair that shares it. */
static bool is_dense(const lm_gram *g, size_t count, uint64_t largest)
{
    return g->square && !g->without && count >= 64 && count * 6 >= g->rows && largest < LM_TABLE_VALUE;
}

/* Appends posts in place of entries. Posts are half as large, so they never overwrite entries that are still unread. */
static void add_posts(sharing *s, const lm_pair *entry, size_t count, uint32_t mark)
{
    for (size_t i = 0; i < count; i++) {
        post p = {(uint32_t)lm_pair_graph(entry[i]) | mark, (uint32_t)lm_pair_value(entry[i])};
        memcpy(s->post + s->posts + i, &p, sizeof p); /* entries and posts share their memory */
    }
    s->posts += count;
    s->post[s->posts - 1].graph |= LAST;
}

/* Adds the value of one key to the graph's entry of the diagonal. */
static void add_to_self(const lm_gram *g, uint64_t value, lm_gram_entry *self)
{
    if (g->reals)
        self->value += g->minima ? (double)value : (double)value * (double)value;
    else
        self->sum = lm_saturating_add(self->sum, g->minima             ? value
                                                 : value <= UINT32_MAX ? value * value
                                                                       : lm_saturating_multiply(value, value));
}

/* Adds each group of one list to the diagonal, and makes it a column or a posting if several graphs share it. */
static leman_status assign_groups(leman_context *ctx, const lm_gram *g, sharing *s, const lm_pair *entry, size_t count)
{
    for (size_t i = 0, j; i < count; i = j) {
        uint64_t key = entry[i].key;
        for (j = i; j < count && entry[j].key == key; j++)
            add_to_self(g, lm_pair_value(entry[j]), s->self + lm_pair_graph(entry[j]));
        if (!joins(g, entry + i, j - i)) continue;
        uint64_t largest = largest_value(entry + i, j - i);
        bool dense = is_dense(g, j - i, largest);
        if (largest > UINT32_MAX) {
            PASS(lm_vector_append(ctx, &s->large_values, entry + i, j - i, sizeof *entry));
            continue;
        }
        if (dense) PASS(lm_vector_append(ctx, &s->column, &s->posts, 1, sizeof s->posts));
        add_posts(s, entry + i, j - i, dense ? COLUMN : 0);
    }
    return LEMAN_OK;
}

static leman_status index_rows(leman_context *ctx, const lm_gram *g, sharing *s)
{
    post *p = s->post;
    uint32_t key_end = 0;
    if (s->posts > UINT32_MAX)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "%zu (graph, colour) pair%s that graphs share are more than 2^32",
                       s->posts, lm_plural(s->posts));
    PASS_NEW_ZERO(ctx, s->start, g->rows + 1);
    s->own = (place *)(void *)(p + s->posts);
    size_t *end = s->start; /* first the end of each row; filling the rows backwards turns it into the start */
    for (size_t i = 0; i < s->posts; i++)
        if ((p[i].graph & ~LAST) < g->rows) end[p[i].graph & ~LAST]++;
    for (size_t row = 1; row <= g->rows; row++) end[row] += end[row - 1];
    for (size_t i = s->posts; i-- > 0;) {
        if (p[i].graph & COLUMN) continue;
        if (p[i].graph & LAST) key_end = (uint32_t)i + 1;
        p[i].graph &= ~LAST;
        if (p[i].graph < g->rows) s->own[--end[p[i].graph]] = (place){(uint32_t)i, key_end};
    }
    return LEMAN_OK;
}

/* Moves the posts to an array of their size, so that the large array of entries can be reused for the next list. */
static void shrink(leman_context *ctx, sharing *s, size_t entries)
{
    size_t bytes = 2 * s->posts * sizeof(post);
    if (bytes > entries * sizeof(lm_pair) / 8 * 7) return;
    void *smaller = ctx->allocator.allocate(ctx->allocator.user, bytes ? bytes : 1);
    if (!smaller) return;
    memcpy(smaller, s->post, bytes / 2);
    lm_release(s->post);
    s->post = smaller;
}

/* Task of a worker: sorts and groups one list. */
static leman_status process_list(lm_worker *worker, void *state, size_t item)
{
    const shared_sum *j = state;
    sharing *s = j->part + item;
    lm_pair *entry;
    size_t count;
    PASS_NEW_ZERO(worker->ctx, s->self, j->triples->graphs);
    PASS(lm_triples_sort(worker->ctx, j->triples, s->block, s->list, &entry, &count));
    s->post = (post *)(void *)entry;
    PASS(assign_groups(worker->ctx, j->gram, s, entry, count));
    shrink(worker->ctx, s, count);
    PASS(index_rows(worker->ctx, j->gram, s));
    return lm_worker_advance(worker, count + 1);
}

/* ---- Adding up ------------------------------------------------------------------------------- */

static void add_self(const sharing *s, lm_gram *g)
{
    size_t count = g->square ? g->rows : g->rows + g->columns;
    for (size_t i = 0; i < count; i++) {
        lm_gram_entry *self = i < g->rows ? g->self[0] + i : g->self[1] + (i - g->rows);
        if (g->reals)
            self->value += (double)LM_MULTIPLICITY[s->list] * s->self[i].value;
        else
            self->sum = lm_saturating_add(self->sum, lm_saturating_multiply(LM_MULTIPLICITY[s->list], s->self[i].sum));
    }
}

/* Fills the next column of the table from the posts that begin at p. */
static void add_column(const post *p, uint64_t times, size_t blocks, lm_dense_block *table)
{
    size_t f = table->columns++;
    float *column = table->value + f * LM_TABLE_BLOCK;
    for (size_t b = 0; b < blocks; b++)
        memset(column + b * LM_TABLE_COLUMNS * LM_TABLE_BLOCK, 0, LM_TABLE_BLOCK * sizeof *column);
    table->multiplicity[f] = times;
    table->largest[f] = 0;
    for (bool last = false; !last; p++) {
        size_t graph = p->graph & GRAPH;
        column[graph / LM_TABLE_BLOCK * LM_TABLE_COLUMNS * LM_TABLE_BLOCK + graph % LM_TABLE_BLOCK] = (float)p->value;
        if (p->value > table->largest[f]) table->largest[f] = p->value;
        last = p->graph & LAST;
    }
}

static leman_status add_columns(leman_context *ctx, const sharing *s, uint64_t times, lm_dense_block *table, lm_gram *g)
{
    const size_t *begin = s->column.items;
    if (s->column.count && !table->value) PASS_SCRATCH(ctx, table->value, lm_table_values(g->rows));
    for (size_t i = 0; i < s->column.count; i++) {
        if (table->columns == LM_TABLE_COLUMNS) lm_dense_block_flush(table, g, ctx->settings.threads);
        add_column(s->post + begin[i], times, (g->rows + LM_TABLE_BLOCK - 1) / LM_TABLE_BLOCK, table);
    }
    return LEMAN_OK;
}

/* Adds keys with counts above 32 bits, which are rare, pair by pair. */
static void add_large_values(const sharing *s, uint64_t times, lm_gram *g)
{
    const lm_pair *entry = s->large_values.items;
    for (size_t i = 0; i < s->large_values.count; i++)
        for (size_t j = i + 1; j < s->large_values.count && entry[j].key == entry[i].key; j++) {
            size_t row = lm_pair_graph(entry[i]), column = lm_pair_graph(entry[j]);
            uint64_t a = lm_pair_value(entry[i]), b = lm_pair_value(entry[j]);
            if (!g->square && (row >= g->rows || column < g->rows)) continue;
            lm_gram_entry *cell = g->cell + row * g->columns + column - (g->square ? 0 : g->rows);
            if (g->reals)
                cell->value += (double)(int64_t)times * (!g->minima ? (double)a * (double)b : (double)(a < b ? a : b));
            else
                cell->sum += times * (!g->minima ? a * b : a < b ? a : b);
        }
}

/* Adds the posts of one key to a row, as reals: cell[graph - shift]. */
static void add_reals(const lm_gram *g, uint32_t value, double times, const post *other, const post *end, size_t shift,
                      lm_gram_entry *cell)
{
    for (; other < end; other++)
        cell[other->graph - shift].value +=
            times * (g->minima ? (double)(other->value < value ? other->value : value) : (double)value * other->value);
}

/* Graphs increase within a key, so the posts after a row's own entry are the graphs with which it is still to be added.
 */
static void add_row(const sharing *s, uint64_t multiplicity, const lm_gram *g, size_t row)
{
    enum { AHEAD = 8, LINES = 8, LINE = 64 / (int)sizeof(post) }; /* keys; cache lines; posts of a cache line */
    const post *p = s->post;
    lm_gram_entry *restrict cell = g->cell + row * g->columns;
    size_t shift = g->square ? 0 : g->rows, last = s->start[row + 1], all = s->start[g->rows];
    for (size_t o = s->start[row]; o < last; o++) {
        const post *own = p + s->own[o].at, *end = p + s->own[o].end, *other = own + 1;
        if (o + AHEAD < all) {
            const post *next = p + s->own[o + AHEAD].at, *stop = p + s->own[o + AHEAD].end;
            if (stop - next > LINES * LINE) stop = next + LINES * LINE;
            for (; next < stop; next += LINE) __builtin_prefetch(next);
        }
        while (!g->square && other < end && other->graph < g->rows) other++;
        if (g->reals)
            add_reals(g, own->value, (double)(int64_t)multiplicity, other, end, shift, cell);
        else if (g->minima)
            for (; other < end; other++)
                cell[other->graph - shift].sum +=
                    multiplicity * (other->value < own->value ? other->value : own->value);
        else
            for (uint64_t times = multiplicity * own->value; other < end; other++)
                cell[other->graph - shift].sum += times * other->value;
    }
}

static uint64_t times_of(const sharing *s, const lm_target *to)
{
    return to->sign < 0 ? 0 - (uint64_t)LM_MULTIPLICITY[s->list] : LM_MULTIPLICITY[s->list];
}

/* Adds what is not done row by row: the diagonal, large values, and columns of the table. */
static leman_status add_part(leman_context *ctx, const sharing *s, const lm_target *to, lm_dense_block *table)
{
    lm_gram *g = to->gram;
    if (to->self) add_self(s, g);
    if (!to->sign) return LEMAN_OK;
    add_large_values(s, times_of(s, to), g);
    return add_columns(ctx, s, times_of(s, to), table, g);
}

static void free_part(sharing *s)
{
    RELEASE(s->self, s->post, s->start);
    lm_vector_release(&s->column);
    lm_vector_release(&s->large_values);
    *s = (sharing){0};
}

enum { MAX_BLOCKS = 16 }; /* blocks at a time: each has arrays of the length of all graphs */

uint64_t lm_gram_bytes(const lm_triples *triples)
{
    enum { WORDS = 8, SCRATCH_BYTES = 1 << 17 }; /* words of the thread pool for each graph; scratch of each context */
    uint64_t blocks = triples->blocks < MAX_BLOCKS ? triples->blocks : MAX_BLOCKS, workers = (uint64_t)triples->workers;
    uint64_t words = 2 * blocks * LM_TRIPLE_LISTS + workers + WORDS;
    return lm_saturating_multiply(8 * words, triples->graphs + 1) + (workers + 1) * SCRATCH_BYTES;
}

/* Adds the postings of all parts to one row after the other, so that a row is in the cache for all of them. */
static void add_rows(leman_context *ctx, const shared_sum *j, const lm_target *to)
{
    int threads = ctx->settings.threads;
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads) if (threads > 1)
    for (size_t row = 0; row < to->gram->rows; row++)
        for (const sharing *s = j->part; s < j->part + j->parts; s++) add_row(s, times_of(s, to), to->gram, row);
}

/* Adds the shared keys to one matrix after the other. */
static leman_status add_parts(leman_context *ctx, const shared_sum *j, const lm_target *target, size_t targets)
{
    lm_dense_block table = {0}; /* its values are in the scratch of the caller */
    for (const lm_target *to = target; to < target + targets; to++) {
        if (to->sign) lm_gram_begin(ctx, to->gram);
        for (size_t i = 0; i < j->parts; i++) PASS(add_part(ctx, j->part + i, to, &table));
        if (to->sign) add_rows(ctx, j, to);
        lm_dense_block_flush(&table, to->gram, ctx->settings.threads);
    }
    return LEMAN_OK;
}

/* Adds some blocks. Empty lists are skipped. */
static leman_status add_blocks(leman_context *ctx, lm_triples *triples, size_t first, size_t last,
                               const lm_target *target, size_t targets)
{
    leman_status st = LEMAN_OK;
    SCRATCH_SCOPE(ctx);
    size_t blocks = last - first + 1, entries = 0;
    shared_sum j = {triples, target->gram, NULL, 0};
    uint64_t *cost;
    SCRATCH(ctx, cost, blocks * LM_TRIPLE_LISTS);
    SCRATCH(ctx, j.part, blocks * LM_TRIPLE_LISTS);
    for (size_t list = 0; list < LM_TRIPLE_LISTS; list++) /* makes columns of one multiplicity adjacent */
        for (size_t block = first; block <= last; block++) {
            cost[j.parts] = lm_triples_entries(triples, block, list);
            if (!cost[j.parts]) continue;
            entries += cost[j.parts] + 1;
            j.part[j.parts++] = (sharing){.block = block, .list = list};
        }
    lm_progress_begin(ctx, entries, "finding what graphs share");
    TRY(lm_thread_pool_run(ctx, cost, j.parts, 0, process_list, &j));
    if (!target->gram->begun && (triples->scarce || entries > lm_budget(ctx) / 1024))
        lm_trim_memory(); /* returns the memory of the triples before the matrix is written */
    TRY(add_parts(ctx, &j, target, targets));
done:
    for (size_t i = 0; i < j.parts; i++) free_part(j.part + i);
    return st;
}

leman_status lm_gram_add_to(leman_context *ctx, lm_triples *triples, size_t first, size_t last, const lm_target *target,
                            size_t targets)
{
    for (size_t block = first; block <= last; block += MAX_BLOCKS)
        PASS(add_blocks(ctx, triples, block, last - block < MAX_BLOCKS ? last : block + MAX_BLOCKS - 1, target,
                        targets));
    return LEMAN_OK;
}

leman_status lm_gram_add(leman_context *ctx, lm_triples *triples, size_t first, size_t last, lm_gram *g)
{
    return lm_gram_add_to(ctx, triples, first, last, &(lm_target){g, 1, true}, 1);
}
