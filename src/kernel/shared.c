/*
 * What graphs share: the entries of bags, grouped by key and added to a Gram matrix.
 *
 * A key of one graph goes to the diagonal. A key that many graphs share becomes a column of the dense table; any other
 * becomes a posting, the list of its graphs. When all blocks are sorted out, both are added in one walk over the
 * matrix, which is the largest thing there is: postings row after row, the row staying in the cache, and the table in
 * tiles.
 *
 * Time: a sort of the entries, an addition for every pair of graphs that share a posting, a product for every pair of
 * graphs and column. Memory: 16 bytes an entry of the largest list, 16 bytes a posting, 4 bytes a graph and column.
 */
#include "kernel/gram.h"

enum { SMALL_VALUE = 1 << 16, DENSE_COLUMNS = 256 };

/* An entry of a key that several graphs share; those of one key stand side by side, graphs increasing. */
typedef struct post {
    uint32_t graph, value;
} post;

static const uint32_t LAST = UINT32_C(1) << 31; /* on the graph that ends a key, until the places are known */

/* Where an entry of a row stands, and where its key ends. */
typedef struct place {
    uint32_t at, end;
} place;

typedef struct sharing {
    lm_gram *gram;
    lm_vector post;  /* post, of one list */
    place *own;      /* the places of one row after the other */
    size_t *start;   /* [rows+1] into own */
    uint32_t *table; /* [DENSE_COLUMNS][rows], from the first dense key on */
    uint32_t multiplicity[DENSE_COLUMNS];
    size_t columns;
} sharing;

/* ---- Groups of equal keys --------------------------------------------------------------------------------- */

static void add_self(lm_gram *g, lm_pair entry, uint64_t multiplicity)
{
    double value = (double)lm_pair_value(entry), self = (double)multiplicity * (g->minima ? value : value * value);
    size_t graph = lm_pair_graph(entry);
    if (graph < g->rows)
        g->self[0][graph] += self;
    else
        g->self[1][graph - g->rows] += self;
}

/* A group matters off the diagonal if it joins two graphs of a square matrix, or a row with a column. */
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

/* Worth a column: shared by so many graphs that a product for every pair of graphs costs less than an addition for each
 * pair that shares it (by a factor of about ten), and small enough for tiles of 32 bits. */
static bool is_dense(const lm_gram *g, size_t count, uint64_t largest)
{
    return g->square && count >= 64 && count * 10 >= g->rows * 3 && largest < SMALL_VALUE;
}

/* Counts past 32 bits are so rare that their keys are added pair by pair. */
static void add_pairs(lm_gram *g, const lm_pair *entry, size_t count, uint64_t multiplicity)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            size_t row = lm_pair_graph(entry[i]), column = lm_pair_graph(entry[j]);
            uint64_t a = lm_pair_value(entry[i]), b = lm_pair_value(entry[j]);
            if (!g->square && (row >= g->rows || column < g->rows)) continue;
            g->cell[row * g->columns + column - (g->square ? 0 : g->rows)].sum += multiplicity * (!g->minima ? a * b
                                                                                                  : a < b    ? a
                                                                                                             : b);
        }
}

static leman_status add_column(leman_context *ctx, sharing *s, const lm_pair *entry, size_t count,
                               uint64_t multiplicity)
{
    leman_status st = LEMAN_OK;
    size_t rows = s->gram->rows;
    if (!s->table) NEW(ctx, s->table, rows * DENSE_COLUMNS);
    if (s->columns == DENSE_COLUMNS) {
        lm_gram_dense(s->table, s->multiplicity, s->columns, s->gram, ctx->settings.threads);
        s->columns = 0;
    }
    s->multiplicity[s->columns] = (uint32_t)multiplicity;
    uint32_t *column = s->table + s->columns++ * rows;
    memset(column, 0, rows * sizeof *column);
    for (size_t i = 0; i < count; i++) column[lm_pair_graph(entry[i])] = (uint32_t)lm_pair_value(entry[i]);
done:
    return st;
}

static leman_status add_posting(leman_context *ctx, sharing *s, const lm_pair *entry, size_t count)
{
    leman_status st = lm_vector_reserve(ctx, &s->post, count, sizeof(post));
    if (st) return st;
    post *to = (post *)s->post.items + s->post.count;
    for (size_t i = 0; i < count; i++)
        to[i] =
            (post){(uint32_t)lm_pair_graph(entry[i]) | (i + 1 == count ? LAST : 0), (uint32_t)lm_pair_value(entry[i])};
    s->post.count += count;
    return LEMAN_OK;
}

/* Sorts the groups of one list out: the diagonal, a column, or a posting. */
static leman_status sort_out(leman_context *ctx, sharing *s, const lm_pair *entry, size_t count, uint64_t multiplicity)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0, j; i < count; i = j) {
        for (j = i; j < count && entry[j].key == entry[i].key; j++) add_self(s->gram, entry[j], multiplicity);
        if (!joins(s->gram, entry + i, j - i)) continue;
        uint64_t largest = largest_value(entry + i, j - i);
        if (is_dense(s->gram, j - i, largest))
            TRY(add_column(ctx, s, entry + i, j - i, multiplicity));
        else if (largest > UINT32_MAX)
            add_pairs(s->gram, entry + i, j - i, multiplicity);
        else
            TRY(add_posting(ctx, s, entry + i, j - i));
    }
done:
    return st;
}

/* ---- Postings, row after row -------------------------------------------------------------------------------- */

static leman_status index_rows(leman_context *ctx, sharing *s)
{
    leman_status st = LEMAN_OK;
    size_t rows = s->gram->rows;
    post *p = s->post.items;
    uint32_t key_end = 0;
    if (s->post.count > UINT32_MAX)
        FAIL(ctx, LEMAN_ERROR_BUDGET, "%zu (graph, colour) pairs that graphs share are more than 2^32", s->post.count);
    NEW(ctx, s->own, s->post.count);
    size_t *end = s->start; /* ends first; filling from behind makes them starts */
    memset(end, 0, (rows + 1) * sizeof *end);
    for (size_t i = 0; i < s->post.count; i++)
        if ((p[i].graph & ~LAST) < rows) end[p[i].graph & ~LAST]++;
    for (size_t g = 1; g <= rows; g++) end[g] += end[g - 1];
    for (size_t i = s->post.count; i-- > 0;) {
        if (p[i].graph & LAST) key_end = (uint32_t)i + 1;
        p[i].graph &= ~LAST;
        if (p[i].graph < rows) s->own[--end[p[i].graph]] = (place){(uint32_t)i, key_end};
    }
done:
    return st;
}

/* Graphs increase within a key, so what stands behind a row's own entry is what the row has not met yet. */
static void add_row(const sharing *s, size_t row, uint64_t multiplicity)
{
    enum { AHEAD = 8 };
    const lm_gram *g = s->gram;
    const post *p = s->post.items;
    lm_cell *restrict cell = g->cell + row * g->columns;
    size_t shift = g->square ? 0 : g->rows, last = s->start[row + 1];
    for (size_t o = s->start[row]; o < last; o++) {
        const post *own = p + s->own[o].at, *end = p + s->own[o].end, *other = own + 1;
        if (o + AHEAD < last) __builtin_prefetch(p + s->own[o + AHEAD].at);
        while (!g->square && other < end && other->graph < g->rows) other++;
        if (g->minima)
            for (; other < end; other++)
                cell[other->graph - shift].sum +=
                    multiplicity * (other->value < own->value ? other->value : own->value);
        else
            for (uint64_t times = multiplicity * own->value; other < end; other++)
                cell[other->graph - shift].sum += times * other->value;
    }
}

/* Adds one list: its dense keys wait in the table. */
static leman_status add_list(leman_context *ctx, sharing *s, lm_bag *bag, size_t block, size_t list)
{
    leman_status st = LEMAN_OK;
    lm_pair *entry = NULL;
    size_t count, rows = s->gram->rows;
    int threads = ctx->settings.threads;
    TRY(lm_bag_take(ctx, bag, block, list, &entry, &count));
    s->post.count = 0;
    TRY(sort_out(ctx, s, entry, count, LM_MULTIPLICITY[list]));
    TRY(index_rows(ctx, s));
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads) if (threads > 1)
    for (size_t row = 0; row < rows; row++) add_row(s, row, LM_MULTIPLICITY[list]);
done:
    lm_free(ctx, entry);
    lm_free(ctx, s->own);
    s->own = NULL;
    return st;
}

leman_status lm_gram_add(leman_context *ctx, lm_bag *bag, size_t first, size_t last, lm_gram *g)
{
    leman_status st = LEMAN_OK;
    sharing s = {.gram = g};
    NEW(ctx, s.start, g->rows + 1);
    for (size_t block = first; block <= last; block++)
        for (size_t list = 0; list < LM_BAG_LISTS; list++) TRY(add_list(ctx, &s, bag, block, list));
    if (s.columns) lm_gram_dense(s.table, s.multiplicity, s.columns, g, ctx->settings.threads);
done:
    lm_vector_free(ctx, &s.post);
    lm_free(ctx, s.start);
    lm_free(ctx, s.table);
    return st;
}
