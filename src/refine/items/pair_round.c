/*
 * A round of ordered pairs. Row u holds the colours C(u, v); the sums over C(u, w) stay inside the row, those over
 * C(w, v) add other rows. O(n^2 d) for sums over neighbours, the sum of |row w| over all pairs (u, w) for paths through
 * all vertices. If edges have labels, the label of the arc to w is part of the message.
 */
#include "refine/items/items.h"
#include <omp.h>
#include <string.h>

/* Positions of the multipliers of a round (docs/color_definition.md). Sums over entering arcs follow those over leaving
 * ones. */
enum {
    MOVE_V = 8,
    MOVE_U = 10,
    ALL_V = 12,
    ALL_U = 13,
    END = 14,
    FROM_U = 16,
    TO_V = 17,
    ARC_U = 18,
    ARC_V = 19,
    PATHS_ALL = 20,
    PATHS_LOCAL = 21,
    POOL = 24
};

typedef struct pair_job {
    const lm_space *s;
    const lm_items *x;
    unsigned sums;
    const uint64_t *from;
    uint64_t *to;
    uint64_t *columns; /* [n] sums of columns, multiplied; or NULL */
} pair_job;

/* ---- Sums over neighbours -------------------------------------------------------------------- */

/* Adds the sums over C(u, w) for w in the list of v. place[w] is the item (u, w); NULL: all pairs. */
static void move_last(const pair_job *j, const lm_adjacency *arcs, size_t u, const uint32_t *place, uint64_t multiplier)
{
    const lm_items *x = j->x;
    const uint64_t begin = lm_row_begin(x, u), end = lm_row_begin(x, u + 1);
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t v = lm_row_vertex(x, u, i);
        uint64_t sum = 0;
        for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++) {
            const uint32_t w = arcs->head[e];
            if (place && place[w] == LM_NO_ITEM) continue;
            sum += lm_item_message(j->s, arcs, e, j->from[begin + (place ? place[w] : w)]);
        }
        j->to[i] += sum * multiplier;
    }
}

/* Adds the sums over C(w, v) for w in the list of u. All pairs are coloured. */
static void move_first(const pair_job *j, const lm_adjacency *arcs, size_t u, uint64_t multiplier)
{
    const size_t n = j->x->n;
    uint64_t *to = j->to + u * n;
    for (uint64_t e = arcs->start[u]; e < arcs->start[u + 1]; e++) {
        const uint64_t *row = j->from + arcs->head[e] * n;
        for (size_t v = 0; v < n; v++) to[v] += lm_item_message(j->s, arcs, e, row[v]) * multiplier;
    }
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Adds mix(C(u, w), C(w, v)) over the w in the list of v, and in that of u if `both`. All pairs are coloured. */
static void local_paths(const pair_job *j, const lm_adjacency *arcs, size_t u, bool both, uint64_t multiplier)
{
    const size_t n = j->x->n;
    const uint64_t *row = j->from + u * n, left = lm_item_multiplier(FROM_U), right = lm_item_multiplier(TO_V);
    const uint64_t arc_u = lm_item_multiplier(ARC_U), arc_v = lm_item_multiplier(ARC_V);
    for (size_t v = 0; v < n; v++) {
        uint64_t sum = 0, e = arcs->start[v], f = both ? arcs->start[u] : 0;
        const uint64_t e_end = arcs->start[v + 1], f_end = both ? arcs->start[u + 1] : 0;
        while (e < e_end || f < f_end) { /* both lists are sorted */
            const uint32_t a = e < e_end ? arcs->head[e] : LM_NO_ITEM, b = f < f_end ? arcs->head[f] : LM_NO_ITEM;
            const uint32_t w = a < b ? a : b;
            uint64_t path = row[w] * left + j->from[w * n + v] * right;
            if (j->s->messages) {
                if (a == w) path += arcs->label[e] * arc_v;
                if (b == w) path += arcs->label[f] * arc_u;
            }
            sum += lm_mix(path);
            e += a == w, f += b == w;
        }
        j->to[u * n + v] += sum * multiplier;
    }
}

/* Adds mix(C(u, w), C(w, v)) over all w for which both pairs are coloured. place[v] is the item (u, v). */
static void all_paths(const pair_job *j, size_t u, const uint32_t *place)
{
    const lm_items *x = j->x;
    const uint64_t left = lm_item_multiplier(FROM_U), right = lm_item_multiplier(TO_V);
    const uint64_t multiplier = lm_item_multiplier(PATHS_ALL), begin = lm_row_begin(x, u);
    for (uint64_t i = begin; i < lm_row_begin(x, u + 1); i++) {
        const uint32_t w = lm_row_vertex(x, u, i);
        const uint64_t first = j->from[i] * left;
        for (uint64_t t = lm_row_begin(x, w); t < lm_row_begin(x, w + 1); t++) {
            const uint32_t v = lm_row_vertex(x, w, t), at = place ? place[v] : v;
            if (at != LM_NO_ITEM) j->to[begin + at] += lm_mix(first + j->from[t] * right) * multiplier;
        }
    }
}

/* ---- A row ----------------------------------------------------------------------------------- */

static void add_whole_rows(const pair_job *j, size_t u)
{
    const size_t n = j->x->n;
    uint64_t *to = j->to + u * n, sum = 0;
    const uint64_t *row = j->from + u * n, end = lm_item_multiplier(END);
    if (j->sums & LM_PAIR_ALL_V) {
        for (size_t w = 0; w < n; w++) sum += row[w];
        for (size_t v = 0; v < n; v++) to[v] += sum * lm_item_multiplier(ALL_V);
    }
    for (size_t v = 0; v < n && j->columns; v++) to[v] += j->columns[v];
    for (size_t v = 0; v < n && j->sums & LM_PAIR_END; v++) to[v] += j->from[v * n + v] * end;
}

/* Sums over the arcs of one direction; `entering`: 0 or 1, added to the position of the multiplier. */
static void add_local(const pair_job *j, const lm_adjacency *arcs, size_t u, const uint32_t *place, size_t entering)
{
    if (j->sums & LM_PAIR_MOVE_V) move_last(j, arcs, u, place, lm_item_multiplier(MOVE_V + entering));
    if (j->sums & LM_PAIR_MOVE_U) move_first(j, arcs, u, lm_item_multiplier(MOVE_U + entering));
    if (j->sums & LM_PAIR_PATHS_LOCAL)
        local_paths(j, arcs, u, j->sums & LM_PAIR_PATHS_BOTH, lm_item_multiplier(PATHS_LOCAL + entering));
}

static void round_row(const pair_job *j, size_t u, uint32_t *place)
{
    const lm_items *x = j->x;
    const uint64_t begin = lm_row_begin(x, u), end = lm_row_begin(x, u + 1);
    memcpy(j->to + begin, j->from + begin, (end - begin) * sizeof *j->to);
    if (!x->last) place = NULL;
    for (uint64_t i = begin; i < end && place; i++) place[x->last[i]] = (uint32_t)(i - begin);
    add_local(j, &j->s->out, u, place, 0);
    if (j->s->entering) add_local(j, &j->s->in, u, place, 1);
    if (j->sums & LM_PAIR_PATHS_ALL) all_paths(j, u, place);
    if (!place) add_whole_rows(j, u);
    for (uint64_t i = begin; i < end && place; i++) place[x->last[i]] = LM_NO_ITEM;
    for (uint64_t i = begin; i < end; i++) j->to[i] = lm_mix(j->to[i]);
}

/* ---- Pools ----------------------------------------------------------------------------------- */

/* The items behind the pairs: a hash of each row or column. */
void lm_pairs_pool(const lm_space *s, uint64_t *colors)
{
    const lm_items *x = s->items;
    uint64_t *pooled = colors + x->own;
    if (x->rule->pool == LM_POOL_NONE) return;
    memset(pooled, 0, x->n * sizeof *pooled);
    for (size_t u = 0; u < x->n; u++)
        for (uint64_t i = lm_row_begin(x, u); i < lm_row_begin(x, u + 1); i++)
            pooled[x->rule->pool == LM_POOL_ROWS ? u : lm_row_vertex(x, u, i)] += colors[i];
    for (size_t u = 0; u < x->n; u++) pooled[u] = lm_mix(pooled[u] * lm_item_multiplier(POOL) + lm_mix(s->seed + 6));
}

/* ---- The round ------------------------------------------------------------------------------- */

static void sum_columns(const pair_job *j)
{
    const size_t n = j->x->n;
    memset(j->columns, 0, n * sizeof *j->columns);
    for (size_t w = 0; w < n; w++)
        for (size_t v = 0; v < n; v++) j->columns[v] += j->from[w * n + v];
    for (size_t v = 0; v < n; v++) j->columns[v] *= lm_item_multiplier(ALL_U);
}

void lm_pairs_round(const lm_space *s, const uint64_t *from, uint64_t *to, uint64_t *scratch, int threads)
{
    const lm_items *x = s->items;
    const size_t own = x->n / 2 + 1; /* words of the places of one thread */
    uint32_t *places = (uint32_t *)(void *)(scratch + x->n);
    pair_job j = {s, x, x->rule->sums, from, to, NULL};
    if (j.sums & LM_PAIR_ALL_U) {
        j.columns = scratch;
        sum_columns(&j);
    }
    memset(places, 0xff, (size_t)threads * own * sizeof *scratch);
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads) if (threads > 1)
    for (size_t u = 0; u < x->n; u++)
        if (!lm_cancellation_poll(s->cancellation)) round_row(&j, u, places + (size_t)omp_get_thread_num() * own * 2);
    lm_pairs_pool(s, to);
}
