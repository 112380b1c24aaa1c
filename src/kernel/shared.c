/*
 * What graphs share: the entries of bags, grouped by key and added to a Gram matrix.
 *
 * A key of one graph goes to the diagonal. A key that many graphs share becomes a column of the table; any other
 * becomes a posting, the list of its graphs. Lists of the bag do not depend on each other, so workers sort them out
 * side by side; then they are added one after the other, postings row by row, the row staying in the cache.
 *
 * Time: a sort of the entries, an addition for every pair of graphs that share a posting, a product for every pair of
 * graphs and column. Memory: 32 bytes an entry of the lists at hand, 16 bytes a posting, 4 bytes a graph and column.
 */
#include "base/crew.h"
#include "kernel/gram.h"

/* An entry of a key that several graphs share; those of one key stand side by side, graphs increasing. */
typedef struct post {
    uint32_t graph, value;
} post;

static const uint32_t LAST = UINT32_C(1) << 31; /* on the graph that ends a key, until the places are known */

/* Where an entry of a row stands, and where its key ends. */
typedef struct place {
    uint32_t at, end;
} place;

/* What the graphs share in one list of one block. */
typedef struct sharing {
    size_t block, list;
    double *self;      /* [graphs] of the bag: its part of the diagonal */
    lm_vector post;    /* post, of keys that are added pair by pair */
    lm_vector column;  /* post, of keys that become columns */
    lm_vector immense; /* lm_pair, of keys with values past 32 bits */
    place *own;        /* the places of one row after the other */
    size_t *start;     /* [rows+1] into own */
} sharing;

typedef struct job {
    lm_bag *bag;
    lm_gram *gram;
    sharing *part; /* [parts] */
    size_t parts;
} job;

/* ---- Groups of equal keys --------------------------------------------------------------------------------- */

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
 * pair that shares it (by a factor of about forty), and of small values. */
static bool is_dense(const lm_gram *g, size_t count, uint64_t largest)
{
    return g->square && count >= 64 && count * 6 >= g->rows && largest < LM_TABLE_VALUE;
}

static leman_status add_posting(leman_context *ctx, lm_vector *list, const lm_pair *entry, size_t count)
{
    leman_status st = lm_vector_reserve(ctx, list, count, sizeof(post));
    if (st) return st;
    post *to = (post *)list->items + list->count;
    for (size_t i = 0; i < count; i++)
        to[i] = (post){(uint32_t)lm_pair_graph(entry[i]), (uint32_t)lm_pair_value(entry[i])};
    to[count - 1].graph |= LAST;
    list->count += count;
    return LEMAN_OK;
}

/* Sorts the groups of one list out: the diagonal, a column, or a posting. */
static leman_status sort_out(leman_context *ctx, const lm_gram *g, sharing *s, const lm_pair *entry, size_t count)
{
    leman_status st = LEMAN_OK;
    double times = LM_MULTIPLICITY[s->list];
    for (size_t i = 0, j; i < count; i = j) {
        for (j = i; j < count && entry[j].key == entry[i].key; j++) {
            double value = (double)lm_pair_value(entry[j]);
            s->self[lm_pair_graph(entry[j])] += times * (g->minima ? value : value * value);
        }
        if (!joins(g, entry + i, j - i)) continue;
        uint64_t largest = largest_value(entry + i, j - i);
        if (largest > UINT32_MAX)
            TRY(lm_vector_append(ctx, &s->immense, entry + i, j - i, sizeof *entry));
        else
            TRY(add_posting(ctx, is_dense(g, j - i, largest) ? &s->column : &s->post, entry + i, j - i));
    }
done:
    return st;
}

static leman_status index_rows(leman_context *ctx, const lm_gram *g, sharing *s)
{
    leman_status st = LEMAN_OK;
    post *p = s->post.items;
    uint32_t key_end = 0;
    if (s->post.count > UINT32_MAX)
        FAIL(ctx, LEMAN_ERROR_BUDGET, "%zu (graph, colour) pairs that graphs share are more than 2^32", s->post.count);
    NEW(ctx, s->own, s->post.count);
    NEW(ctx, s->start, g->rows + 1);
    size_t *end = s->start; /* ends first; filling from behind makes them starts */
    memset(end, 0, (g->rows + 1) * sizeof *end);
    for (size_t i = 0; i < s->post.count; i++)
        if ((p[i].graph & ~LAST) < g->rows) end[p[i].graph & ~LAST]++;
    for (size_t row = 1; row <= g->rows; row++) end[row] += end[row - 1];
    for (size_t i = s->post.count; i-- > 0;) {
        if (p[i].graph & LAST) key_end = (uint32_t)i + 1;
        p[i].graph &= ~LAST;
        if (p[i].graph < g->rows) s->own[--end[p[i].graph]] = (place){(uint32_t)i, key_end};
    }
done:
    return st;
}

/* The work of the crew: takes one list of the bag and sorts it out. */
static leman_status share(lm_worker *worker, void *state, size_t item)
{
    leman_status st = LEMAN_OK;
    const job *j = state;
    sharing *s = j->part + item;
    lm_pair *entry = NULL;
    size_t count;
    NEW(worker->ctx, s->self, j->bag->graphs);
    memset(s->self, 0, j->bag->graphs * sizeof *s->self);
    TRY(lm_bag_take(worker->ctx, j->bag, s->block, s->list, &entry, &count));
    TRY(sort_out(worker->ctx, j->gram, s, entry, count));
    TRY(index_rows(worker->ctx, j->gram, s));
    TRY(lm_worker_advance(worker, count + 1));
done:
    lm_free(worker->ctx, entry);
    return st;
}

/* ---- Adding up ---------------------------------------------------------------------------------------------- */

static void add_self(lm_gram *g, const double *self)
{
    for (size_t i = 0; i < g->rows; i++) g->self[0][i] += self[i];
    for (size_t j = 0; j < g->columns && !g->square; j++) g->self[1][j] += self[g->rows + j];
}

static leman_status add_columns(leman_context *ctx, const sharing *s, lm_table *table, lm_gram *g)
{
    leman_status st = LEMAN_OK;
    const post *p = s->column.items;
    size_t blocks = (g->rows + LM_TABLE_BLOCK - 1) / LM_TABLE_BLOCK;
    if (s->column.count && !table->value) NEW(ctx, table->value, blocks * LM_TABLE_BLOCK * LM_TABLE_COLUMNS);
    for (size_t i = 0, next; i < s->column.count; i = next) {
        if (table->columns == LM_TABLE_COLUMNS) lm_table_flush(table, g, ctx->settings.threads);
        size_t f = table->columns++;
        float *column = table->value + f * LM_TABLE_BLOCK;
        for (size_t b = 0; b < blocks; b++)
            memset(column + b * LM_TABLE_COLUMNS * LM_TABLE_BLOCK, 0, LM_TABLE_BLOCK * sizeof *column);
        table->multiplicity[f] = LM_MULTIPLICITY[s->list];
        table->largest[f] = 0;
        for (bool last = false; !last; i++) {
            size_t graph = p[i].graph & ~LAST;
            column[graph / LM_TABLE_BLOCK * LM_TABLE_COLUMNS * LM_TABLE_BLOCK + graph % LM_TABLE_BLOCK] =
                (float)p[i].value;
            if (p[i].value > table->largest[f]) table->largest[f] = p[i].value;
            last = p[i].graph & LAST;
        }
        next = i;
    }
done:
    return st;
}

/* Counts past 32 bits are so rare that their keys are added pair by pair. */
static void add_immense(const sharing *s, lm_gram *g)
{
    const lm_pair *entry = s->immense.items;
    for (size_t i = 0; i < s->immense.count; i++)
        for (size_t j = i + 1; j < s->immense.count && entry[j].key == entry[i].key; j++) {
            size_t row = lm_pair_graph(entry[i]), column = lm_pair_graph(entry[j]);
            uint64_t a = lm_pair_value(entry[i]), b = lm_pair_value(entry[j]);
            if (!g->square && (row >= g->rows || column < g->rows)) continue;
            lm_cell *cell = g->cell + row * g->columns + column - (g->square ? 0 : g->rows);
            cell->sum += LM_MULTIPLICITY[s->list] * (!g->minima ? a * b : a < b ? a : b);
        }
}

/* Graphs increase within a key, so what stands behind a row's own entry is what the row has not met yet. */
static void add_row(const sharing *s, const lm_gram *g, size_t row)
{
    enum { AHEAD = 16 };
    const post *p = s->post.items;
    lm_cell *restrict cell = g->cell + row * g->columns;
    size_t shift = g->square ? 0 : g->rows, last = s->start[row + 1], all = s->start[g->rows];
    uint64_t multiplicity = LM_MULTIPLICITY[s->list];
    for (size_t o = s->start[row]; o < last; o++) {
        const post *own = p + s->own[o].at, *end = p + s->own[o].end, *other = own + 1;
        if (o + AHEAD < all) __builtin_prefetch(p + s->own[o + AHEAD].at);
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

static leman_status add_part(leman_context *ctx, const sharing *s, lm_table *table, lm_gram *g)
{
    leman_status st = LEMAN_OK;
    int threads = ctx->settings.threads;
    add_self(g, s->self);
    add_immense(s, g);
    TRY(add_columns(ctx, s, table, g));
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads) if (threads > 1)
    for (size_t row = 0; row < g->rows; row++) add_row(s, g, row);
done:
    return st;
}

static void free_part(leman_context *ctx, sharing *s)
{
    lm_free(ctx, s->self);
    lm_free(ctx, s->own);
    lm_free(ctx, s->start);
    lm_vector_free(ctx, &s->post);
    lm_vector_free(ctx, &s->column);
    lm_vector_free(ctx, &s->immense);
    *s = (sharing){0};
}

leman_status lm_gram_add(leman_context *ctx, lm_bag *bag, size_t first, size_t last, lm_gram *g)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    size_t blocks = last - first + 1, entries = 0;
    job j = {bag, g, NULL, 0};
    uint64_t *cost;
    lm_table table = {0};
    SCRATCH(ctx, cost, blocks * LM_BAG_LISTS);
    SCRATCH(ctx, j.part, blocks * LM_BAG_LISTS);
    for (size_t list = 0; list < LM_BAG_LISTS; list++) /* columns of one multiplicity side by side */
        for (size_t block = first; block <= last; block++) {
            cost[j.parts] = lm_bag_entries(bag, block, list);
            entries += cost[j.parts] + 1;
            j.part[j.parts++] = (sharing){.block = block, .list = list};
        }
    lm_progress_begin(ctx, entries, "finding what graphs share");
    TRY(lm_crew_run(ctx, cost, j.parts, 0, share, &j));
    if (!g->begun) lm_give_memory_back(); /* the bag is empty, and the matrix comes */
    lm_gram_begin(ctx, g);
    for (size_t i = 0; i < j.parts; i++) {
        TRY(add_part(ctx, j.part + i, &table, g));
        free_part(ctx, j.part + i);
    }
    lm_table_flush(&table, g, ctx->settings.threads);
done:
    for (size_t i = 0; i < j.parts; i++) free_part(ctx, j.part + i);
    lm_free(ctx, table.value);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
