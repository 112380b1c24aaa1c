/*
 * One round over the tuples of a sparse space, by the rule of variant.h. Sums run over the tuples of the set.
 *
 * Along component j the colours are exchanged first, P(t) = C(swap_j(t)), so that a line is a row; the sums of tuple t
 * of P belong to tuple swap_j(t). Neighbours lie in the same row, so only the exchanges read from distant memory.
 *
 * Time O(k (tuples + arcs)), for vectors O(tuples * k * length of a row). Different tuples are exchanged into different
 * tuples, so threads can share the rows.
 */
#include "refine/space.h"
#include "refine/sparse/sparse.h"
#include <omp.h>

enum { ROWS = 256, BETWEEN = 64 }; /* rows that a thread takes at once; rows between two polls for cancellation */

typedef struct sparse_job {
    const lm_space *s;
    const lm_sparse *sparse;
    unsigned sums; /* set of lm_color_sum */
    unsigned axis;
    const uint64_t *from; /* [tuples] */
    const uint64_t *sum;  /* [tuples] the values that are summed along this component: exchanged and decorated */
    uint64_t *to;
    bool first, last;               /* begins `to`; finishes `to` */
    uint64_t local, entering, line; /* multipliers */
} sparse_job;

static bool is_stopped(const sparse_job *r, size_t row)
{
    const lm_cancellation *c = r->s->cancellation;
    return row % BETWEEN ? lm_cancellation_requested(c) : lm_cancellation_poll(c);
}

static inline uint64_t list_sum(const lm_sparse_list *list, const uint64_t *from, uint32_t t)
{
    uint64_t sum = 0;
    for (uint64_t e = list->start[t]; e < list->start[t + 1]; e++) sum += from[list->tuple[e]];
    return sum;
}

static void sum_row(const sparse_job *r, size_t row)
{
    const lm_sparse *s = r->sparse;
    const uint32_t *first = lm_sparse_row_starts(s), *swap = r->last ? NULL : s->swap[r->axis];
    uint64_t line = 0;
    if (is_stopped(r, row)) return;
    for (uint32_t t = first[row]; t < first[row + 1] && r->sums & LM_SUM_LINE; t++) line += r->sum[t];
    line *= r->line;
    for (uint32_t t = first[row]; t < first[row + 1]; t++) {
        const uint32_t target = swap ? swap[t] : t;
        uint64_t sum = line;
        if (r->sums & LM_SUMS_LOCAL) sum += list_sum(&s->out, r->sum, t) * r->local;
        if (r->sums & LM_SUMS_LOCAL && s->in.start) sum += list_sum(&s->in, r->sum, t) * r->entering;
        sum += r->first ? r->from[target] : r->to[target];
        r->to[target] = r->last ? lm_mix(sum) : sum;
    }
}

/* The exchanged colours of a row along this component, decorated with # if the rule has it. */
static void exchange_row_colors(const sparse_job *r, size_t row, const uint32_t *counts, uint64_t *exchanged)
{
    const uint32_t *first = lm_sparse_row_starts(r->sparse), *swap = r->last ? NULL : r->sparse->swap[r->axis];
    const uint64_t counter = lm_multiplier_of(LM_COUNTER, 0);
    if (is_stopped(r, row)) return;
    for (uint32_t t = first[row]; t < first[row + 1]; t++) {
        const uint64_t color = r->from[swap ? swap[t] : t];
        exchanged[t] = r->sums & LM_SUM_DECORATED ? lm_mix(color + counts[t] * counter) : color;
    }
}

/* Exchanges keep colours equal or different, so # along any component is # of the exchanged tuple in its row. */
static void count_sparse_row(const sparse_job *r, size_t row, uint64_t *scratch, uint32_t *counts)
{
    const uint32_t *first = lm_sparse_row_starts(r->sparse);
    if (is_stopped(r, row)) return;
    lm_count_line(r->from + first[row], first[row + 1] - first[row], scratch, counts + first[row]);
}

/* ---- Vectors (folklore) ---------------------------------------------------------------------- */

/* The sum over w of the vectors of a tuple, by merging its k lines by w. Tuples outside the set add nothing. */
static uint64_t sparse_vector_sum(const sparse_job *r, uint32_t tuple)
{
    const lm_sparse *s = r->sparse;
    const uint32_t *first = lm_sparse_row_starts(s);
    uint32_t at[LM_SPARSE_K], end[LM_SPARSE_K];
    uint64_t sum = 0;
    for (unsigned j = 0; j < s->k; j++) {
        const uint32_t row = s->row[j + 1 < s->k ? s->swap[j][tuple] : tuple];
        at[j] = first[row];
        end[j] = first[row + 1];
    }
    for (;;) {
        uint32_t w = UINT32_MAX;
        uint64_t vector = 0;
        for (unsigned j = 0; j < s->k; j++)
            if (at[j] < end[j] && s->last[at[j]] < w) w = s->last[at[j]];
        if (w == UINT32_MAX) return sum;
        for (unsigned j = 0; j < s->k; j++) {
            if (at[j] == end[j] || s->last[at[j]] != w) continue;
            vector += r->from[j + 1 < s->k ? s->swap[j][at[j]] : at[j]] * lm_multiplier_of(LM_VECTOR, j);
            at[j]++;
        }
        sum += lm_mix(vector);
    }
}

static void vector_row(const sparse_job *r, size_t row)
{
    const uint32_t *first = lm_sparse_row_starts(r->sparse);
    if (is_stopped(r, row)) return;
    for (uint32_t t = first[row]; t < first[row + 1]; t++) {
        const uint64_t sum = r->from[t] + sparse_vector_sum(r, t);
        r->to[t] = r->last ? lm_mix(sum) : sum;
    }
}

/* ---- The round ------------------------------------------------------------------------------- */

size_t lm_sparse_round_scratch(const lm_sparse *s, unsigned sums, int threads)
{
    return sums & LM_SUM_DECORATED ? (size_t)threads * lm_count_line_words(s->size.longest) : 0;
}

/* One component: exchanges the colours if needed, then sums. */
static void along(const sparse_job *r, const uint32_t *counts, uint64_t *exchanged, int threads)
{
    const size_t rows = lm_sparse_row_count(r->sparse);
    if (r->sum == exchanged)
#pragma omp parallel for schedule(dynamic, ROWS) num_threads(threads) if (threads > 1)
        for (size_t row = 0; row < rows; row++) exchange_row_colors(r, row, counts, exchanged);
#pragma omp parallel for schedule(dynamic, ROWS) num_threads(threads) if (threads > 1)
    for (size_t row = 0; row < rows; row++) sum_row(r, row);
}

void lm_sparse_round(const lm_space *s, unsigned sums, const uint64_t *from, uint64_t *to, uint64_t *spare,
                     uint64_t *scratch, int threads)
{
    const lm_sparse *sparse = s->sparse;
    sparse_job r = {.s = s, .sparse = sparse, .sums = sums, .from = from, .to = to, .last = sums == LM_SUM_VECTORS};
    uint32_t *counts = (uint32_t *)(void *)(spare + s->tuples);
    const size_t rows = s->tuples ? lm_sparse_row_count(sparse) : 0, own = lm_count_line_words(sparse->size.longest);
    bool lines = false; /* sums along one component */
    if (!rows) return;
    for (unsigned left = sums; left; left &= left - 1) switch (lm_next_sum(left)) {
        case LM_SUM_DECORATED:
#pragma omp parallel for schedule(dynamic, ROWS) num_threads(threads) if (threads > 1)
            for (size_t row = 0; row < rows; row++)
                count_sparse_row(&r, row, scratch + (size_t)omp_get_thread_num() * own, counts);
            lines = true;
            break;
        case LM_SUM_LOCAL:
        case LM_SUM_LINE: lines = true; break;
        case LM_SUM_VECTORS:
#pragma omp parallel for schedule(dynamic, ROWS) num_threads(threads) if (threads > 1)
            for (size_t row = 0; row < rows; row++) vector_row(&r, row);
            break;
        }
    for (unsigned j = 0; j < s->k && lines; j++) {
        r.axis = j;
        r.first = j == 0 && !(sums & LM_SUM_VECTORS);
        r.last = j + 1 == s->k;
        r.sum = r.last && !(sums & LM_SUM_DECORATED) ? from : spare;
        r.local = lm_multiplier_of(LM_LOCAL_SUM, j);
        r.entering = lm_multiplier_of(LM_ENTERING_SUM, j);
        r.line = lm_multiplier_of(LM_LINE_SUM, j);
        along(&r, counts, spare, threads);
    }
}
