/*
 * Round 0: two tuples have one atomic type if v_i -> w_i is an isomorphism of the ordered induced labelled subgraphs.
 *
 *   C(v) = mix( sum over i of label(v_i) * vertex_i  +  sum over i < j of relation(v_i, v_j) * pair_ij )
 *
 * relation(u, w) is a hash of: equal; or the labels of the arcs u -> w and w -> u, each 0 if there is no such arc.
 */
#include "base/sort.h"
#include "refine/row_loops.h"
#include "refine/space.h"
#include <string.h>

static uint64_t relation_hash(const lm_space *s, uint64_t equal, uint64_t leaving, uint64_t entering)
{
    return lm_mix(lm_mix(s->seed + 3 + equal) + leaving * lm_multiplier_of(LM_TYPE_PAIR, 0) +
                  entering * lm_multiplier_of(LM_TYPE_PAIR, 1));
}

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
                relation = relation_hash(s, 0, label, label);
            }
            row[s->out.head[e]] = relation;
        }
    } else {
        uint64_t e = s->out.start[u], f = s->in.start[u], e_end = s->out.start[u + 1], f_end = s->in.start[u + 1];
        while (e < e_end || f < f_end) { /* both lists are sorted */
            uint32_t a = e < e_end ? s->out.head[e] : UINT32_MAX, b = f < f_end ? s->in.head[f] : UINT32_MAX;
            uint32_t w = a < b ? a : b;
            row[w] = relation_hash(s, 0, a == w ? s->out.label[e] : 0, b == w ? s->in.label[f] : 0);
            e += a == w;
            f += b == w;
        }
    }
    row[u] = relation_hash(s, 1, 0, 0);
}

uint64_t lm_relation(const lm_space *s, uint64_t leaving, uint64_t entering)
{
    return relation_hash(s, 0, leaving, entering);
}

void lm_relations(const lm_space *s, uint64_t *relation)
{
    const uint64_t apart = relation_hash(s, 0, 0, 0);
    for (size_t u = 0; u < s->n; u++) relation_row(s, u, apart, relation + u * s->n);
}

/* The multipliers of pairs (i, j), i < j, follow the two that relation_hash() uses. */
uint64_t lm_type_multiplier(size_t i, size_t j)
{
    return lm_multiplier_of(LM_TYPE_PAIR, 2 + j * (j - 1) / 2 + i);
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
    if (s->k <= LM_MIX_TERMS) { /* the common cases in one visit */
        lm_mix_terms m = {.count = s->k, .sums = {s->label}, .multiplier = {vertex}};
        for (size_t i = 0; i < last; i++) {
            m.sums[i + 1] = relation + digit[i] * n;
            m.multiplier[i + 1] = lm_type_multiplier(i, last);
        }
        for (size_t w = 0; w < n; w++) to[w] = base;
        lm_row_loops_best()->mix(&m, to, n, to);
        return;
    }
    for (size_t w = 0; w < n; w++) to[w] = base + s->label[w] * vertex;
    for (size_t i = 0; i < last; i++) {
        const uint64_t *from = relation + digit[i] * n;
        uint64_t pair = lm_type_multiplier(i, last);
        for (size_t w = 0; w < n; w++) to[w] += from[w] * pair;
    }
    for (size_t w = 0; w < n; w++) to[w] = lm_mix(to[w]);
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
    if (u == w) return relation_hash(s, 1, 0, 0);
    uint64_t leaving = arc_label(&s->out, u, w);
    bool both = s->in.head == s->out.head;
    return relation_hash(s, 0, leaving, both ? leaving : arc_label(&s->in, u, w));
}

uint64_t lm_type_of(const lm_space *s, const uint32_t *digit)
{
    uint64_t color = 0;
    for (size_t j = 0; j < s->k; j++) {
        color += s->label[digit[j]] * lm_multiplier_of(LM_TYPE_VERTEX, j);
        for (size_t i = 0; i < j; i++) color += relation_of(s, digit[i], digit[j]) * lm_type_multiplier(i, j);
    }
    return lm_mix(color);
}

static void sparse_row(const lm_space *s, size_t row, uint64_t *colors)
{
    const uint32_t *first = lm_sparse_row_starts(s->sparse);
    size_t last = s->k - 1;
    uint32_t digit[LM_SPARSE_K];
    uint64_t base = 0;
    if (row % 64 ? lm_cancellation_requested(s->cancellation) : lm_cancellation_poll(s->cancellation)) return;
    lm_sparse_prefix(s->sparse, row, digit);
    for (size_t i = 0; i < last; i++) {
        base += s->label[digit[i]] * lm_multiplier_of(LM_TYPE_VERTEX, i);
        for (size_t j = i + 1; j < last; j++) base += relation_of(s, digit[i], digit[j]) * lm_type_multiplier(i, j);
    }
    for (uint32_t t = first[row]; t < first[row + 1]; t++) {
        uint32_t w = s->sparse->last[t];
        uint64_t color = base + s->label[w] * lm_multiplier_of(LM_TYPE_VERTEX, last);
        for (size_t i = 0; i < last; i++) color += relation_of(s, digit[i], w) * lm_type_multiplier(i, last);
        colors[t] = lm_mix(color);
    }
}

static void sparse_types(const lm_space *s, uint64_t *colors, int threads)
{
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads) if (threads > 1)
    for (size_t row = 0; row < s->rows; row++) sparse_row(s, row, colors);
}

/* ---- All tuples ------------------------------------------------------------------------------ */

void lm_types(const lm_space *s, uint64_t *relation, uint64_t *colors, int threads)
{
    uint64_t apart = relation_hash(s, 0, 0, 0);
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
