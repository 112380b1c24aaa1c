/*
 * Round 0: two tuples have one atomic type if v_i -> w_i is an isomorphism of the ordered induced labelled subgraphs.
 *
 *   C(v) = mix( sum over i of label(v_i) * vertex_i  +  sum over i < j of relation(v_i, v_j) * pair_ij )
 *
 * relation(u, w) is a hash of: equal; or the labels of the arcs u -> w and w -> u, each 0 if there is no such arc.
 */
#include "base/sort.h"
#include "refine/items/items.h"
#include "refine/row_loops.h"
#include "refine/space.h"
#include <string.h>

/* row[n] = relation(u, *). */
static void relation_row(const lm_space *s, size_t u, uint64_t apart, uint64_t *row)
{
    for (size_t w = 0; w < s->n; w++) row[w] = apart;
    bool both = s->in.head == s->out.head;
    if (both) {
        uint64_t label = 0, relation = apart; /* of the previous arc, since many have equal labels; at first of none */
        for (uint64_t e = s->out.start[u]; e < s->out.start[u + 1]; e++) {
            if (s->out.label[e] != label) {
                label = s->out.label[e];
                relation = lm_relation_hash(s->seed, 0, label, label);
            }
            row[s->out.head[e]] = relation;
        }
    } else {
        uint64_t e = s->out.start[u], f = s->in.start[u], e_end = s->out.start[u + 1], f_end = s->in.start[u + 1];
        while (e < e_end || f < f_end) { /* both lists are sorted */
            uint32_t a = e < e_end ? s->out.head[e] : UINT32_MAX, b = f < f_end ? s->in.head[f] : UINT32_MAX;
            uint32_t w = a < b ? a : b;
            row[w] = lm_relation_hash(s->seed, 0, a == w ? s->out.label[e] : 0, b == w ? s->in.label[f] : 0);
            e += a == w;
            f += b == w;
        }
    }
    row[u] = lm_relation_hash(s->seed, 1, 0, 0);
}

void lm_relations(const lm_space *s, uint64_t *relation)
{
    const uint64_t apart = lm_relation_hash(s->seed, 0, 0, 0);
    for (size_t u = 0; u < s->n; u++) relation_row(s, u, apart, relation + u * s->n);
}

static void types_row(const lm_space *s, const uint64_t *relation, size_t row, uint64_t *colors)
{
    size_t n = s->n, last = s->k - 1;
    uint32_t digit[LM_MAX_K];
    uint64_t base = 0, vertex = lm_multiplier_of(LM_TYPE_VERTEX, last);
    if (row % 64 ? lm_cancellation_requested(s->cancellation) : lm_cancellation_poll(s->cancellation)) return;
    lm_space_digits(s, row, digit);
    for (size_t i = 0; i < last; i++) {
        base += s->label[digit[i]] * lm_multiplier_of(LM_TYPE_VERTEX, i);
        for (size_t j = i + 1; j < last; j++) base += relation[digit[i] * n + digit[j]] * lm_type_multiplier(i, j);
    }
    uint64_t *to = colors + row * n;
    const size_t plain = s->k > LM_MIX_TERMS ? s->k - LM_MIX_TERMS : 0; /* relations before the last visit */
    lm_mix_terms m = {.count = s->k - plain, .sums = {s->label}, .multiplier = {vertex}};
    for (size_t w = 0; w < n; w++) to[w] = base;
    for (size_t i = 0; i < plain; i++) {
        const uint64_t *from = relation + digit[i] * n;
        uint64_t pair = lm_type_multiplier(i, last);
        for (size_t w = 0; w < n; w++) to[w] += from[w] * pair;
    }
    for (size_t i = plain; i < last; i++) {
        m.sums[i - plain + 1] = relation + digit[i] * n;
        m.multiplier[i - plain + 1] = lm_type_multiplier(i, last);
    }
    lm_row_loops_best()->mix(&m, to, n, to);
}

/* ---- Sparse tuples --------------------------------------------------------------------------- */

/* The label of the arc from u to w; 0 if there is none. */
static uint64_t arc_label(const lm_adjacency *arcs, uint32_t u, uint32_t w)
{
    const uint64_t arc = lm_lower_bound(arcs->head, arcs->start[u], arcs->start[u + 1], w);
    if (arc == arcs->start[u + 1] || arcs->head[arc] != w) return 0;
    return arcs->label ? arcs->label[arc] : arcs->plain;
}

static uint64_t relation_of(const lm_space *s, uint32_t u, uint32_t w)
{
    if (u == w) return lm_relation_hash(s->seed, 1, 0, 0);
    uint64_t leaving = arc_label(&s->out, u, w);
    bool both = s->in.head == s->out.head;
    return lm_relation_hash(s->seed, 0, leaving, both ? leaving : arc_label(&s->in, u, w));
}

/* The summands of an atomic type that belong to its first `count` components. */
static inline uint64_t summands(const lm_space *s, const uint32_t *digit, size_t count)
{
    uint64_t sum = 0;
    for (size_t j = 0; j < count; j++) {
        sum += s->label[digit[j]] * lm_multiplier_of(LM_TYPE_VERTEX, j);
        for (size_t i = 0; i < j; i++) sum += relation_of(s, digit[i], digit[j]) * lm_type_multiplier(i, j);
    }
    return sum;
}

uint64_t lm_type_of(const lm_space *s, const uint32_t *digit)
{
    return lm_mix(summands(s, digit, s->k));
}

static void sparse_types(const lm_space *s, uint64_t *colors, int threads)
{
    const size_t last = s->k - 1;
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < s->rows; i++) {
        lm_tuple_row row;
        if (i % 64 ? lm_cancellation_requested(s->cancellation) : lm_cancellation_poll(s->cancellation)) continue;
        lm_space_row(s, i, &row);
        const uint64_t base = summands(s, row.digit, last);
        for (size_t t = row.first; t < row.end; t++) {
            const uint32_t w = row.last[t];
            uint64_t color = base + s->label[w] * lm_multiplier_of(LM_TYPE_VERTEX, last);
            for (size_t j = 0; j < last; j++) color += relation_of(s, row.digit[j], w) * lm_type_multiplier(j, last);
            colors[t] = lm_mix(color);
        }
    }
}

/* ---- All tuples ------------------------------------------------------------------------------ */

void lm_types(const lm_space *s, uint64_t *relation, uint64_t *colors, int threads)
{
    uint64_t apart = lm_relation_hash(s->seed, 0, 0, 0);
    if (s->items) {
        lm_items_types(s, colors, threads);
        return;
    }
    if (s->sparse) {
        sparse_types(s, colors, threads);
        return;
    }
    if (threads == 1) {
        for (size_t u = 0; u < s->n && s->k > 1; u++) relation_row(s, u, apart, relation + u * s->n);
        for (size_t row = 0; row < s->rows; row++) types_row(s, relation, row, colors);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
#pragma omp for
        for (size_t u = 0; u < (s->k > 1 ? s->n : 0); u++) relation_row(s, u, apart, relation + u * s->n);
#pragma omp for
        for (size_t row = 0; row < s->rows; row++) types_row(s, relation, row, colors);
    }
}
