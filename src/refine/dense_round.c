/*
 * One round over the dense array of tuple colours, by the rule of variant.h.
 *
 * The array consists of rows: the last component varies along a row, the others number the rows. For a component before
 * the last, the local sum of a row is a sum of whole rows, those in which the component is replaced by a neighbour, so
 * no index is needed for each tuple. For the last component it is a gather within the row, for BLOCK rows at once
 * (row_loops.h). A line sum does not depend on the component that it runs over, so there is one for each line. In dense
 * graphs the sum over neighbours is computed as the sum over all vertices minus that over the non-neighbours, which is
 * exact modulo 2^64, or from tables of the sums of subsets (row_loops.h).
 *
 * Time O(k n^k d) with d the mean degree, O(k n^k) for line sums, O(n^(k+1)) for vectors. Rows are independent and are
 * divided among threads; each thread has its own scratch.
 */
#include "refine/items/items.h"
#include "refine/row_loops.h"
#include "refine/space.h"
#include <omp.h>
#include <string.h>

enum {
    BLOCK = LM_BLOCK,
    MAX_TERMS = 2 * LM_MAX_K + 1,
    LINE_WORDS = 8 /* words of a cache line */,
    VERTICES = 1 << 12 /* for k = 1: from so many vertices on, threads share the one row */
};

/* One summand of the rule: the sum over the neighbours of component `axis`, times a multiplier; or the sum of vectors. */
typedef struct term {
    const lm_adjacency *arcs; /* NULL: vectors */
    bool out;                 /* leaving arcs, for which the space may have shorter lists or subsets */
    size_t axis;
    uint64_t multiplier;
} term;

typedef struct dense_job {
    const lm_space *s;
    const lm_row_loops *loops;
    const uint64_t *sum;  /* [tuples] the values that are summed: the colours, or their decorations */
    const uint64_t *base; /* [tuples] the values that the sums are added to */
    uint64_t *to;
    bool mixed; /* this is the last step of the round: the result is mixed */
    term terms[MAX_TERMS];
    size_t term_count;
    uint64_t *lines;           /* [k-1][rows] line sums of the components before the last, multiplied; or NULL */
    uint64_t stride[LM_MAX_K]; /* in rows, of the components before the last */
    const uint64_t *total;     /* [n] k = 2 in a dense graph: the sum of all rows; or NULL */
    bool columns;              /* k = 2 by subsets: `to` holds the sums over the first component */
    bool few_terms;            /* only local sums are added, few enough for one mix() */
} dense_job;

/* The next word that begins a cache line. */
static uint64_t *aligned(uint64_t *at)
{
    const size_t past = (uintptr_t)at / sizeof *at % LINE_WORDS;
    return past ? at + LINE_WORDS - past : at;
}

/* ---- Components before the last: sums of whole rows ------------------------------------------ */

static void add_row(uint64_t *restrict into, const uint64_t *restrict row, size_t n)
{
    for (size_t i = 0; i < n; i++) into[i] += row[i];
}

/* Adds the members of w's class that are not kept, as copies of its fresh member; in the column of the fresh member
 * itself, as copies of the next fresh one. head[] holds whole classes, so each class is added at its first member. */
static void add_missing(const lm_space *s, const uint64_t *first, size_t stride, uint32_t w, const uint32_t *digit,
                        size_t axis, uint64_t *into)
{
    if (!s->missing[w] || s->first[w] != w) return;
    uint32_t fresh = lm_space_fresh(s, w, digit, s->k - 1, axis);
    const uint64_t *row = first + fresh * stride;
    uint64_t missing = s->missing[w];
    for (size_t i = 0; i < s->n; i++) into[i] += missing * row[i];
    uint32_t others[LM_MAX_K];
    memcpy(others, digit, (s->k - 1) * sizeof *others);
    others[axis] = fresh; /* in this column the last component uses `fresh`; component `axis` is free to hold it */
    uint32_t next = lm_space_fresh(s, w, others, s->k - 1, SIZE_MAX);
    into[fresh] += missing * (first[next * stride + fresh] - row[fresh]);
}

static void prefix_sum(const dense_job *r, const term *t, size_t row, const uint32_t *digit, uint64_t *into)
{
    const lm_space *s = r->s;
    uint32_t v = digit[t->axis];
    size_t stride = r->stride[t->axis] * s->n;
    const uint64_t *first = r->sum + row * s->n - v * stride;
    const uint32_t *head = t->arcs->head + t->arcs->start[v];
    size_t count = t->arcs->start[v + 1] - t->arcs->start[v];
    if (t->out && r->columns) {
        memcpy(into, r->to + row * s->n, s->n * sizeof *into);
    } else if (t->out && r->total && s->rest[v]) {
        r->loops->sum(first, stride, s->few + s->few_start[v], s->few_start[v + 1] - s->few_start[v], s->n, into);
        for (size_t i = 0; i < s->n; i++) into[i] = r->total[i] - into[i];
    } else {
        r->loops->sum(first, stride, head, count, s->n, into);
    }
    if (!s->twins) return;
    for (size_t e = 0; e < count; e++) add_missing(s, first, stride, head[e], digit, t->axis, into);
    if (s->closed[v])
        for (size_t i = 0; i < s->n; i++) into[i] -= r->sum[row * s->n + i];
}

/* Pairs in a dense graph: computes BLOCK columns, from `first` on, of the sums over the first component into `to`. */
static void column_sums(const dense_job *r, size_t first, uint64_t *table)
{
    const size_t n = r->s->n;
    if (lm_cancellation_poll(r->s->cancellation)) return;
    r->loops->subsets(r->s->subset, n, r->sum + first, n, table, r->to + first, n);
}

/* ---- The last component: a gather along the row ---------------------------------------------- */

/* Copies a row; the entry of each class's fresh member is weighted with the members that are not kept. */
static void weighted_row(const lm_space *s, const uint64_t *row, const uint32_t *digit, uint64_t *into)
{
    memcpy(into, row, s->n * sizeof *into);
    for (size_t i = 0; i < s->classes; i++) {
        const uint32_t w = s->class_first[i], fresh = lm_space_fresh(s, w, digit, s->k - 1, SIZE_MAX);
        into[fresh] += s->missing[w] * row[fresh];
    }
}

/* Sums over neighbours within up to BLOCK rows, by subsets. */
static void gather_subsets(const dense_job *r, const uint64_t *from, size_t rows, uint64_t *beside, uint64_t *into)
{
    const lm_space *s = r->s;
    const size_t n = s->n;
    uint64_t *sums = beside + BLOCK * n, *table = aligned(sums + BLOCK * n);
    for (size_t v = 0; v < n; v++)
        for (size_t b = 0; b < BLOCK; b++) beside[v * BLOCK + b] = from[(b < rows ? b : 0) * n + v];
    r->loops->subsets(s->subset, n, beside, BLOCK, table, sums, BLOCK);
    for (size_t b = 0; b < rows; b++)
        for (size_t v = 0; v < n; v++) into[b * n + v] = sums[v * BLOCK + b];
}

/* Turns the sums over non-neighbours into sums over neighbours. */
static void subtract(const lm_space *s, const uint64_t *from, size_t rows, uint64_t *into)
{
    for (size_t b = 0; b < rows; b++, from += s->n, into += s->n) {
        uint64_t total = 0;
        for (size_t v = 0; v < s->n; v++) total += from[v];
        for (size_t v = 0; v < s->n; v++) into[v] = s->rest[v] ? total - into[v] : into[v];
    }
}

/* k = 1 with edge labels: the label is part of the message. */
static void gather_messages(const lm_adjacency *arcs, const uint64_t *from, size_t n, uint64_t *into)
{
    uint64_t multiplier = lm_multiplier_of(LM_MESSAGE, 0);
    for (size_t v = 0; v < n; v++) {
        uint64_t sum = 0;
        for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++)
            sum += lm_mix(from[arcs->head[e]] + arcs->label[e] * multiplier);
        into[v] = sum;
    }
}

/* Adds the messages of members that are not kept. For k = 1 one member of each class is kept, and that one is fresh. */
static void add_missing_messages(const lm_space *s, const lm_adjacency *arcs, const uint64_t *from, uint64_t *into)
{
    uint64_t multiplier = lm_multiplier_of(LM_MESSAGE, 0);
    for (size_t v = 0; v < s->n; v++)
        for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++)
            into[v] += s->missing[arcs->head[e]] * lm_mix(from[arcs->head[e]] + arcs->label[e] * multiplier);
}

/* The sums over the last component for `rows` rows from `row` on; digit[] has their components. */
static void last_sum(const dense_job *r, const term *t, size_t row, size_t rows, uint32_t (*digit)[LM_MAX_K],
                     uint64_t *weighted, uint64_t *into)
{
    const lm_space *s = r->s;
    const uint64_t *from = r->sum + row * s->n;
    if (s->messages) {
        gather_messages(t->arcs, from, s->n, into);
        if (s->twins) add_missing_messages(s, t->arcs, from, into);
        return;
    }
    for (size_t b = 0; b < rows && s->twins; b++) weighted_row(s, from + b * s->n, digit[b], weighted + b * s->n);
    const uint64_t *summed = s->twins ? weighted : from;
    const bool few = t->out && s->few;
    const uint64_t *start = few ? s->few_start : t->arcs->start;
    const uint32_t *head = few ? s->few : t->arcs->head;
    if (t->out && s->subset)
        gather_subsets(r, summed, rows, weighted + BLOCK * s->n, into);
    else
        r->loops->gather(start, head, summed, s->n, rows, weighted + BLOCK * s->n, into);
    if (few) subtract(s, summed, rows, into);
    for (size_t b = 0; b < rows; b++)
        for (size_t i = 0; i < s->closed_count; i++) {
            const size_t at = b * s->n + s->closed_vertex[i];
            into[at] -= from[at];
        }
}

/* ---- Line sums ------------------------------------------------------------------------------- */

/* The number of the line along `axis` that a row belongs to: the row number with component `axis` removed. */
static size_t line_row(const dense_job *r, size_t row, size_t axis)
{
    size_t stride = r->stride[axis], block = stride * r->s->n;
    return row / block * stride + row % stride;
}

/* lines[axis][line][n]: the sums over component `axis` of whole rows, times the line's multiplier. */
static void line_sum(const dense_job *r, size_t axis, size_t line)
{
    const lm_space *s = r->s;
    size_t n = s->n, stride = r->stride[axis];
    if (lm_cancellation_poll(s->cancellation)) return;
    size_t row = line / stride * stride * n + line % stride; /* the row with component `axis` = 0 */
    const uint64_t *first = r->base + row * n;
    uint64_t *into = r->lines + axis * s->rows + line * n, multiplier = lm_multiplier_of(LM_LINE_SUM, axis);
    uint32_t digit[LM_MAX_K];
    memset(into, 0, n * sizeof *into);
    for (size_t w = 0; w < n; w++) add_row(into, first + w * stride * n, n);
    lm_space_digits(s, row, digit);
    for (size_t i = 0; i < s->classes; i++) add_missing(s, first, stride * n, s->class_first[i], digit, axis, into);
    for (size_t i = 0; i < n; i++) into[i] *= multiplier;
}

static void line_sums(const dense_job *r, size_t axis, int threads)
{
    size_t lines = r->s->rows / r->s->n;
    if (threads == 1) {
        for (size_t line = 0; line < lines; line++) line_sum(r, axis, line);
        return;
    }
#pragma omp parallel for num_threads(threads)
    for (size_t line = 0; line < lines; line++) line_sum(r, axis, line);
}

/* The sum along the row itself, times its multiplier. */
static uint64_t own_line(const dense_job *r, size_t row)
{
    const lm_space *s = r->s;
    const uint64_t *from = r->base + row * s->n;
    uint64_t sum = 0;
    for (size_t i = 0; i < s->n; i++) sum += from[i];
    if (s->twins) {
        uint32_t digit[LM_MAX_K];
        lm_space_digits(s, row, digit);
        for (size_t i = 0; i < s->classes; i++) {
            const uint32_t w = s->class_first[i];
            sum += s->missing[w] * from[lm_space_fresh(s, w, digit, s->k - 1, SIZE_MAX)];
        }
    }
    return sum * lm_multiplier_of(LM_LINE_SUM, s->k - 1);
}

/* ---- Vectors (folklore) ---------------------------------------------------------------------- */

static void vector_sum(const dense_job *r, size_t row, uint64_t *vector, uint64_t *into)
{
    const lm_space *s = r->s;
    size_t n = s->n;
    uint32_t digit[LM_MAX_K];
    uint64_t last = lm_multiplier_of(LM_VECTOR, s->k - 1);
    lm_space_digits(s, row, digit);
    memset(into, 0, n * sizeof *into);
    for (size_t w = 0; w < n; w++) {
        for (size_t i = 0; i < n; i++) vector[i] = r->sum[row * n + w] * last;
        for (size_t j = 0; j + 1 < s->k; j++) {
            const uint64_t *from = r->sum + (row + (w - digit[j]) * r->stride[j]) * n;
            uint64_t multiplier = lm_multiplier_of(LM_VECTOR, j);
            for (size_t i = 0; i < n; i++) vector[i] += from[i] * multiplier;
        }
        for (size_t i = 0; i < n; i++) into[i] += lm_mix(vector[i]);
    }
}

/* ---- A row from its sums --------------------------------------------------------------------- */

/* Finishes `rows` rows at once if only local sums are added. */
static void mix_rows(const dense_job *r, size_t row, size_t rows, const uint64_t *sums, size_t sum_stride)
{
    const size_t n = r->s->n;
    lm_mix_terms m = {.count = r->term_count};
    for (size_t t = 0; t < r->term_count; t++) {
        m.sums[t] = sums + t * sum_stride;
        m.multiplier[t] = r->terms[t].multiplier;
    }
    r->loops->mix(&m, r->base + row * n, rows * n, r->to + row * n);
}

static void finish_row(const dense_job *r, size_t row, const uint64_t *sums, size_t sum_stride)
{
    const lm_space *s = r->s;
    size_t n = s->n;
    const uint64_t *base = r->base + row * n;
    uint64_t *to = r->to + row * n;
    uint64_t constant = r->lines ? own_line(r, row) : 0;
    for (size_t i = 0; i < n; i++) to[i] = base[i] + constant;
    for (size_t j = 0; r->lines && j + 1 < s->k; j++) add_row(to, r->lines + j * s->rows + line_row(r, row, j) * n, n);
    for (size_t t = 0; t < r->term_count; t++) {
        const uint64_t *a = sums + t * sum_stride;
        uint64_t multiplier = r->terms[t].multiplier;
        for (size_t i = 0; i < n; i++) to[i] += a[i] * multiplier;
    }
    if (r->mixed)
        for (size_t i = 0; i < n; i++) to[i] = lm_mix(to[i]);
}

/* Rows of a block. For k = 1 there is only one row, so that large graphs do not allocate eight. */
static size_t block_rows(const lm_space *s)
{
    return s->k == 1 ? 1 : BLOCK;
}

/* Words of scratch of one thread: the sums of a block for every term, its weighted rows, and their transpose; if
 * subsets are possible, also their sums and their table. */
static size_t thread_scratch(const lm_space *s, size_t terms)
{
    const size_t subsets = BLOCK * s->n + LM_SUBSET_TABLE + LINE_WORDS;
    return (terms + 2) * block_rows(s) * s->n + (s->k > 1 && s->n >= LM_SUBSET_SMALLEST ? subsets : 0);
}

/* The components of the next row. */
static void next_digits(const lm_space *s, const uint32_t *digit, uint32_t *next)
{
    size_t j = s->k - 1;
    memcpy(next, digit, j * sizeof *next);
    while (j-- > 0 && ++next[j] == s->n) next[j] = 0;
}

static void run_block(const dense_job *r, size_t row, uint64_t *sums)
{
    const lm_space *s = r->s;
    size_t sum_stride = block_rows(s) * s->n, rows = s->rows - row < BLOCK ? s->rows - row : BLOCK;
    uint64_t *weighted = sums + r->term_count * sum_stride;
    uint32_t digit[BLOCK][LM_MAX_K];
    if (lm_cancellation_poll(s->cancellation)) return;
    lm_space_digits(s, row, digit[0]);
    for (size_t b = 1; b < rows; b++) next_digits(s, digit[b - 1], digit[b]);
    for (size_t t = 0; t < r->term_count; t++) {
        const term *one = r->terms + t;
        if (!one->arcs)
            for (size_t b = 0; b < rows && !lm_cancellation_poll(s->cancellation); b++)
                vector_sum(r, row + b, weighted, sums + t * sum_stride + b * s->n);
        else if (one->axis + 1 == s->k)
            last_sum(r, one, row, rows, digit, weighted, sums + t * sum_stride);
        else
            for (size_t b = 0; b < rows; b++) prefix_sum(r, one, row + b, digit[b], sums + t * sum_stride + b * s->n);
    }
    if (r->few_terms)
        mix_rows(r, row, rows, sums, sum_stride);
    else
        for (size_t b = 0; b < rows; b++) finish_row(r, row + b, sums + b * s->n, sum_stride);
}

/* The sum of all rows of pairs, into total[n]. */
static void sum_all(const dense_job *r, uint64_t *total)
{
    const size_t n = r->s->n;
    memset(total, 0, n * sizeof *total);
    for (size_t row = 0; row < n; row++) add_row(total, r->sum + row * n, n);
}

/* All columns of the sums over the first component. */
static void sum_columns(const dense_job *r, uint64_t *scratch, size_t own, int threads)
{
    const size_t n = r->s->n, blocks = n / BLOCK;
    if (threads == 1)
        for (size_t b = 0; b < blocks; b++) column_sums(r, b * BLOCK, aligned(scratch));
    else
#pragma omp parallel for num_threads(threads)
        for (size_t b = 0; b < blocks; b++)
            column_sums(r, b * BLOCK, aligned(scratch + (size_t)omp_get_thread_num() * own));
    if (n % BLOCK) column_sums(r, n - BLOCK, aligned(scratch)); /* computes some columns again */
}

/* With one thread no parallel region is opened: it would cost more than a small graph. */
static void run_rows(const dense_job *asked, uint64_t *scratch, int threads)
{
    dense_job one = *asked;
    const dense_job *r = &one;
    const bool local = r->term_count && r->terms->arcs; /* there are sums over neighbours */
    one.few_terms = r->mixed && !r->lines && r->term_count && r->term_count <= LM_MIX_TERMS;
    size_t own = thread_scratch(r->s, r->term_count);
    if (local && r->s->few && r->s->k == 2) {
        sum_all(r, scratch);
        one.total = scratch;
        scratch += r->s->n;
    }
    if (local && r->s->subset && r->s->k == 2 && r->terms->axis == 0) {
        sum_columns(r, scratch, own, threads);
        one.columns = true;
    }
    if (threads == 1) {
        for (size_t row = 0; row < r->s->rows; row += BLOCK) run_block(r, row, scratch);
        return;
    }
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
    for (size_t row = 0; row < r->s->rows; row += BLOCK)
        run_block(r, row, scratch + (size_t)omp_get_thread_num() * own);
}

/* ---- The round ------------------------------------------------------------------------------- */

/* Lists the terms of a rule, those of the neighbours first. Line sums are no terms: they belong to whole lines. */
static size_t term_list(const lm_space *s, unsigned sums, term *terms)
{
    size_t count = 0;
    for (unsigned left = sums; left; left &= left - 1) switch (lm_next_sum(left)) {
        case LM_SUM_LOCAL:
        case LM_SUM_DECORATED:
            for (size_t j = 0; j < s->k; j++)
                terms[count++] = (term){&s->out, true, j, lm_multiplier_of(LM_LOCAL_SUM, j)};
            for (size_t j = 0; j < s->k && s->entering; j++)
                terms[count++] = (term){&s->in, false, j, lm_multiplier_of(LM_ENTERING_SUM, j)};
            break;
        case LM_SUM_LINE: break;
        case LM_SUM_VECTORS: terms[count++] = (term){.multiplier = 1}; break;
        }
    return count;
}

/* k = 1 without twins: one row, whose vertices are divided among threads. */
static void vertex_chunk(const dense_job *r, size_t first, size_t last)
{
    const lm_space *s = r->s;
    const uint64_t message = lm_multiplier_of(LM_MESSAGE, 0);
    if (lm_cancellation_poll(s->cancellation)) return;
    for (size_t v = first; v < last; v++) {
        uint64_t color = r->base[v];
        for (size_t t = 0; t < r->term_count; t++) {
            const lm_adjacency *arcs = r->terms[t].arcs;
            uint64_t sum = 0;
            if (s->messages)
                for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++)
                    sum += lm_mix(r->sum[arcs->head[e]] + arcs->label[e] * message);
            else
                for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++) sum += r->sum[arcs->head[e]];
            color += sum * r->terms[t].multiplier;
        }
        r->to[v] = lm_mix(color);
    }
}

static void run_vertices(const dense_job *r, int threads)
{
    enum { CHUNK = 1 << 12 };
    const size_t n = r->s->n;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (size_t first = 0; first < n; first += CHUNK) vertex_chunk(r, first, n - first < CHUNK ? n : first + CHUNK);
}

size_t lm_round_scratch(const lm_space *s, unsigned sums, int threads)
{
    if (s->items) return lm_items_scratch(s->vertices, threads);
    if (s->sparse) return lm_sparse_round_scratch(s->sparse, sums, threads);
    term terms[MAX_TERMS];
    size_t count = term_list(s, sums, terms);
    return (size_t)threads * thread_scratch(s, count) + (s->few ? s->n : 0) +
           (sums & LM_SUM_LINE ? (s->k - 1) * s->rows : 0) +
           (sums & LM_SUM_DECORATED ? lm_line_counts_scratch(s, threads) : 0);
}

void lm_round(const lm_space *s, unsigned sums, const uint64_t *from, uint64_t *to, uint64_t *spare, uint64_t *scratch,
              int threads)
{
    dense_job r = {.s = s, .loops = lm_row_loops_best(), .sum = from, .base = from, .to = to, .mixed = true};
    if (!s->tuples) return;
    if (s->items) {
        lm_items_round(s, from, to, scratch, threads);
        return;
    }
    if (s->sparse) {
        lm_sparse_round(s, sums, from, to, spare, scratch, threads);
        return;
    }
    r.term_count = term_list(s, sums, r.terms);
    for (size_t j = 0; j + 1 < s->k; j++) r.stride[j] = lm_power(s->n, (unsigned)(s->k - 2 - j));
    if (sums & LM_SUM_LINE) {
        r.lines = scratch;
        scratch += (s->k - 1) * s->rows;
        for (size_t j = 0; j + 1 < s->k; j++) line_sums(&r, j, threads);
    }
    if (s->k == 1 && s->n >= VERTICES && !s->twins && sums == LM_SUM_LOCAL) {
        run_vertices(&r, threads);
        return;
    }
    if (!(sums & LM_SUM_DECORATED)) {
        run_rows(&r, scratch, threads);
        return;
    }
    /* Decorations depend on the component, so each component is summed separately, and the sums are added up in `to`.
     */
    dense_job part = r;
    uint32_t *counts = (uint32_t *)(void *)(spare + s->tuples);
    lm_line_counts(s, from, counts, scratch, threads);
    for (size_t j = 0; j < s->k; j++) {
        part.term_count = 0;
        for (size_t t = 0; t < r.term_count; t++)
            if (r.terms[t].axis == j) part.terms[part.term_count++] = r.terms[t];
        lm_decorate(s, from, counts, j, spare, threads);
        part.sum = spare;
        part.base = j ? to : from;
        part.mixed = j + 1 == s->k;
        run_rows(&part, scratch, threads);
        part.lines = NULL; /* line sums are added once */
    }
}
