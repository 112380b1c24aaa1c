/*
 * Round 0: the atomic type of a tuple, v_i -> w_i an isomorphism of the ordered induced labelled subgraphs.
 *
 *   C(v) = mix( sum over i of label(v_i) * vertex_i  +  sum over i < j of relation(v_i, v_j) * pair_ij )
 *
 * relation(u, w) is a hash of: equal; or the labels of the arcs u -> w and w -> u, each 0 where there is none.
 */
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
        for (uint64_t e = s->out.start[u]; e < s->out.start[u + 1]; e++)
            row[s->out.head[e]] = relation_hash(s, 0, s->out.label[e], s->out.label[e]);
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

/* Multipliers of the pairs (i, j), i < j, count on from the two that relation_hash uses. */
static uint64_t pair_multiplier(size_t i, size_t j)
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
        for (size_t j = i + 1; j < last; j++) base += relation[digit[i] * n + digit[j]] * pair_multiplier(i, j);
    }
    uint64_t *to = colors + row * n;
    for (size_t w = 0; w < n; w++) to[w] = base + s->label[w] * vertex;
    for (size_t i = 0; i < last; i++) {
        const uint64_t *from = relation + digit[i] * n;
        uint64_t pair = pair_multiplier(i, last);
        for (size_t w = 0; w < n; w++) to[w] += from[w] * pair;
    }
    for (size_t w = 0; w < n; w++) to[w] = lm_mix(to[w]);
}

void lm_types(const lm_space *s, uint64_t *relation, uint64_t *colors, int threads)
{
    uint64_t apart = relation_hash(s, 0, 0, 0);
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
