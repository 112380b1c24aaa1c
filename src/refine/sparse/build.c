/* Builds a sparse tuple space: counts the tuples, stores them with their neighbour lists, computes their exchanges. */
#include "base/sort.h"
#include "refine/sparse/walk.h"
#include <string.h>

/* ---- Neighbours inside a row ----------------------------------------------------------------- */

enum { FILTER = 1 << 12 };

/* An index of a row, to find the neighbours of w in it: along the arcs of w, or along the row if w has many more arcs.
 */
typedef struct row_of {
    const uint32_t *last; /* [count] */
    size_t count;
    uint32_t *place;              /* [n] 1 + place in the row; 0 for vertices that are not in the row */
    uint64_t filter[FILTER / 64]; /* by the low bits of a vertex: clear if no such vertex is in the row. The filter
                                     stays in the nearest cache, and most vertices are not in the row */
} row_of;

static void open_row(const uint32_t *last, size_t count, uint32_t *place, row_of *row)
{
    row->last = last;
    row->count = count;
    row->place = place;
    memset(row->filter, 0, sizeof row->filter);
    for (size_t i = 0; i < count; i++) {
        place[last[i]] = (uint32_t)i + 1;
        row->filter[last[i] % FILTER / 64] |= UINT64_C(1) << last[i] % 64;
    }
}

static void close_row(const row_of *row)
{
    for (size_t i = 0; i < row->count; i++) row->place[row->last[i]] = 0;
}

static bool has_arc(const lm_adjacency *arcs, uint32_t v, uint32_t w)
{
    const uint64_t arc = lm_lower_bound(arcs->head, arcs->start[v], arcs->start[v + 1], w);
    return arc < arcs->start[v + 1] && arcs->head[arc] == w;
}

/* Prefetches the arcs of the next vertices of a row, which are scattered in memory. */
static inline void fetch(const row_of *row, const lm_adjacency *arcs, size_t i)
{
    enum { START = 16, HEAD = 8 };
    if (i + START < row->count) __builtin_prefetch(arcs->start + row->last[i + START]);
    if (i + HEAD < row->count) {
        const uint32_t *head = arcs->head + arcs->start[row->last[i + HEAD]];
        __builtin_prefetch(head);
        __builtin_prefetch(head + 16);
    }
}

/* Writes the tuples of w's neighbours in the row, increasing, to to[], unless that is NULL. Returns their number. */
static uint64_t neighbors_in(const row_of *row, const lm_adjacency *arcs, uint32_t w, uint32_t first, uint32_t *to)
{
    enum { SEARCH = 8 };
    uint64_t count = 0;
    if (arcs->start[w + 1] - arcs->start[w] > SEARCH * row->count) {
        for (size_t i = 0; i < row->count; i++)
            if (has_arc(arcs, w, row->last[i])) {
                if (to) to[count] = first + (uint32_t)i;
                count++;
            }
        return count;
    }
    for (uint64_t e = arcs->start[w]; e < arcs->start[w + 1]; e++) {
        const uint32_t head = arcs->head[e];
        if (!(row->filter[head % FILTER / 64] >> head % 64 & 1)) continue;
        const uint32_t place = row->place[head];
        if (!place) continue;
        if (to) to[count] = first + place - 1;
        count++;
    }
    return count;
}

/* ---- Counting and storing -------------------------------------------------------------------- */

/* The rows that were visited: their numbers, and the space that they are stored in. */
typedef struct row_visit {
    const lm_sparse_graph *g;
    lm_sparse *s;  /* NULL: the tuples are only counted, */
    uint64_t most; /* up to about so many */
    lm_sparse_size size;
    uint32_t *place;              /* [n] */
    uint32_t before[LM_SPARSE_K]; /* the prefix of the previous row */
} row_visit;

/* Counts the neighbours of all tuples of a row, and stores them if there is a list. */
static void visit_list(const row_of *row, const lm_adjacency *arcs, uint64_t first, uint64_t *filled,
                       lm_sparse_list *list)
{
    for (size_t i = 0; i < row->count; i++) {
        fetch(row, arcs, i);
        if (list) list->start[first + i] = *filled;
        *filled += neighbors_in(row, arcs, row->last[i], (uint32_t)first, list ? list->tuple + *filled : NULL);
    }
}

static bool visit_row(void *state, const uint32_t *prefix, const uint32_t *last, size_t count)
{
    row_visit *x = state;
    lm_sparse *s = x->s;
    lm_sparse_size *size = &x->size;
    const uint64_t tuples = size->tuples;
    const unsigned k = x->g->k;
    row_of row;
    unsigned same = 0;
    bool increasing = true;
    while (tuples && same + 1 < k && x->before[same] == prefix[same]) same++;
    for (unsigned i = same; i + 1 < k; i++) {
        if (s) s->level[i].digit[size->prefixes[i]] = prefix[i];
        if (s) s->level[i].first[size->prefixes[i]] = (uint32_t)(i + 2 < k ? size->prefixes[i + 1] : tuples);
        size->prefixes[i]++;
    }
    memcpy(x->before, prefix, (k - 1) * sizeof *prefix);
    for (unsigned i = 0; i + 2 < k; i++) increasing &= prefix[i] <= prefix[i + 1];
    for (size_t i = 0; i < count && increasing; i++) size->orbits += last[i] >= prefix[k - 2];
    if (s) memcpy(s->last + tuples, last, count * sizeof *last);
    for (size_t i = 0; i < count && s && s->row; i++) s->row[tuples + i] = (uint32_t)(size->prefixes[k - 2] - 1);
    open_row(last, count, x->place, &row);
    visit_list(&row, x->g->out, tuples, &size->arcs, s ? &s->out : NULL);
    if (x->g->entering) visit_list(&row, x->g->in, tuples, &size->entering, s ? &s->in : NULL);
    close_row(&row);
    size->tuples += count;
    if (count > size->longest) size->longest = count;
    size->exceeded = size->tuples > x->most || size->tuples >= UINT32_MAX;
    return !size->exceeded;
}

leman_status lm_sparse_count(leman_context *ctx, const lm_sparse_graph *g, uint64_t most, lm_sparse_size *size)
{
    SCRATCH_SCOPE(ctx);
    row_visit x = {.g = g, .most = most, .size = {.counted = true}};
    PASS_SCRATCH_ZERO(ctx, x.place, g->n);
    PASS(lm_sparse_walk(ctx, g, visit_row, &x));
    *size = x.size;
    return LEMAN_OK;
}

uint64_t lm_sparse_bytes(const lm_sparse_size *size, size_t n, unsigned k, bool rows)
{
    uint64_t prefixes = 0, walk = (5 * (uint64_t)k + 8) * n;
    for (unsigned i = 0; i + 1 < k; i++) prefixes += size->prefixes[i] + 1;
    const uint64_t starts = size->entering ? 2 : 1;
    const uint64_t lists = starts * 8 * (size->tuples + 1) + 4 * (size->arcs + size->entering);
    return walk + 8 * prefixes + 4 * size->tuples * (k + (uint64_t)rows) + lists + sizeof(lm_sparse) +
           64 * (3 * (uint64_t)k + 8);
}

/* Stores the tuples, and the end of every list. */
static leman_status store_tuples(leman_context *ctx, const lm_sparse_graph *g, lm_sparse *s)
{
    SCRATCH_SCOPE(ctx);
    row_visit x = {.g = g, .s = s, .most = UINT64_MAX};
    PASS_SCRATCH_ZERO(ctx, x.place, g->n);
    PASS(lm_sparse_walk(ctx, g, visit_row, &x));
    for (unsigned i = 0; i + 1 < s->k; i++)
        s->level[i].first[x.size.prefixes[i]] = (uint32_t)(i + 2 < s->k ? x.size.prefixes[i + 1] : x.size.tuples);
    s->out.start[x.size.tuples] = x.size.arcs;
    if (g->entering) s->in.start[x.size.tuples] = x.size.entering;
    return LEMAN_OK;
}

/* ---- Exchanges ------------------------------------------------------------------------------- */

/* The index of a tuple of the set. Every vertex begins a tuple, so the number of its prefix is the vertex itself. */
static uint32_t index_of_tuple(const lm_sparse *s, const uint32_t *digit)
{
    size_t node = digit[0];
    for (unsigned i = 1; i + 1 < s->k; i++) {
        const uint32_t *first = s->level[i - 1].first;
        node = lm_lower_bound(s->level[i].digit, first[node], first[node + 1], digit[i]);
    }
    const uint32_t *first = lm_sparse_row_starts(s);
    return (uint32_t)lm_lower_bound(s->last, first[node], first[node + 1], digit[s->k - 1]);
}

void lm_sparse_prefix(const lm_sparse *s, size_t row, uint32_t *digit)
{
    for (unsigned i = s->k - 1; i-- > 0;) {
        digit[i] = s->level[i].digit[row];
        if (!i) break;
        const uint32_t *first = s->level[i - 1].first; /* the last prefix that begins at or before the row */
        size_t low = 0, high = s->size.prefixes[i - 1];
        while (low + 1 < high) {
            size_t middle = low + (high - low) / 2;
            if (first[middle] <= row)
                low = middle;
            else
                high = middle;
        }
        row = low;
    }
}

/* The exchanges of a row. Each pair of tuples is handled once, from the tuple whose component j is at most its last. */
static void exchange_row(lm_sparse *s, size_t row)
{
    const uint32_t *first = lm_sparse_row_starts(s);
    uint32_t digit[LM_SPARSE_K];
    lm_sparse_prefix(s, row, digit);
    for (unsigned j = 0; j + 1 < s->k; j++) {
        const uint32_t here = digit[j];
        for (uint32_t t = first[row]; t < first[row + 1]; t++) {
            const uint32_t last = s->last[t];
            if (last < here) continue;
            digit[j] = last;
            digit[s->k - 1] = here;
            const uint32_t other = last == here ? t : index_of_tuple(s, digit);
            s->swap[j][t] = other;
            s->swap[j][other] = t;
        }
        digit[j] = here;
    }
}

/* Ehrlich's exchanges of one component with any other lead through all permutations (Knuth 7.2.1.2, algorithm E). */
static void star_exchanges(lm_sparse *s)
{
    unsigned b[LM_SPARSE_K], c[LM_SPARSE_K + 1] = {0};
    const unsigned k = s->k;
    s->permutations = 1;
    for (unsigned i = 0; i < k; i++) b[i] = i;
    for (;;) {
        unsigned i = 1;
        while (i < k && c[i] == i) c[i++] = 0;
        if (i >= k) return;
        c[i]++;
        s->star[s->permutations++ - 1] = (uint8_t)(k - 1 - b[i]); /* component k-1 is the one that always moves */
        for (unsigned j = 1, l = i - 1; j < l; j++, l--) {
            unsigned swap = b[j];
            b[j] = b[l];
            b[l] = swap;
        }
    }
}

/* ---- The space ------------------------------------------------------------------------------- */

static leman_status allocate_space(leman_context *ctx, const lm_sparse_graph *g, const lm_sparse_size *size,
                                   lm_sparse **out)
{
    lm_sparse *s;
    PASS_SCRATCH(ctx, s, 1);
    *s = (lm_sparse){.k = g->k, .components = g->components, .size = *size};
    for (unsigned i = 0; i + 1 < g->k; i++) {
        PASS_SCRATCH(ctx, s->level[i].digit, size->prefixes[i]);
        PASS_SCRATCH(ctx, s->level[i].first, size->prefixes[i] + 1);
        PASS_SCRATCH(ctx, s->swap[i], size->tuples);
    }
    PASS_SCRATCH(ctx, s->last, size->tuples);
    if (g->rows) PASS_SCRATCH(ctx, s->row, size->tuples);
    PASS_SCRATCH(ctx, s->out.start, size->tuples + 1);
    PASS_SCRATCH(ctx, s->out.tuple, size->arcs);
    if (g->entering) {
        PASS_SCRATCH(ctx, s->in.start, size->tuples + 1);
        PASS_SCRATCH(ctx, s->in.tuple, size->entering);
    }
    *out = s;
    return LEMAN_OK;
}

leman_status lm_sparse_new(leman_context *ctx, const lm_sparse_graph *g, const lm_sparse_size *size, int threads,
                           lm_sparse **out)
{
    lm_sparse *s;
    PASS(allocate_space(ctx, g, size, &s));
    PASS(store_tuples(ctx, g, s));
    star_exchanges(s);
    const size_t rows = g->n ? lm_sparse_row_count(s) : 0;
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads) if (threads > 1)
    for (size_t row = 0; row < rows; row++) exchange_row(s, row);
    *out = s;
    return LEMAN_OK;
}
