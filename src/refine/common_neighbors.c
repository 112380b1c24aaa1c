/* Common neighbours by sets of bits: vector units of Arm count bytes, x86-64 words, since 2008. */
#include "refine/common_neighbors.h"
#include <string.h>

enum { WORD_BITS = 64, PAIR = 2 /* words: sets are whole pairs of them */ };

static size_t words_of(size_t n)
{
    return (n + PAIR * WORD_BITS - 1) / (PAIR * WORD_BITS) * PAIR;
}

size_t lm_common_neighbors_scratch(size_t n)
{
    return n * words_of(n) + n;
}

/* ---- Three colours --------------------------------------------------------------------------- */

/* Does row u have the colours of its neighbours and of others, as often as there are such? */
static bool has_three(const lm_space *s, const uint64_t *row, size_t u, uint64_t adjacent, uint64_t apart)
{
    const uint32_t *head = s->out.head + s->out.start[u];
    const size_t degree = s->out.start[u + 1] - s->out.start[u];
    uint64_t next_to = 0, others = 0;
    for (size_t i = 0; i < degree; i++)
        if (row[head[i]] != adjacent) return false;
    for (size_t v = 0; v < s->n; v++) {
        next_to += row[v] == adjacent;
        others += row[v] == apart;
    }
    return next_to == degree && others == s->n - 1 - degree;
}

/* The colours of some adjacent vertices, and of some that are not. */
static void find_colors(const lm_space *s, const uint64_t *colors, uint64_t *adjacent, uint64_t *apart)
{
    const size_t n = s->n;
    size_t u = 0, v = 0;
    while (u + 1 < n && s->out.start[u + 1] == s->out.start[u]) u++;
    *adjacent = s->out.start[u + 1] > s->out.start[u] ? colors[u * n + s->out.head[s->out.start[u]]] : colors[0] + 1;
    while (v < n * n && (v / n == v % n || colors[v] == *adjacent)) v++;
    *apart = v < n * n ? colors[v] : *adjacent + 1;
}

bool lm_common_neighbors_begin(const lm_space *s, const uint64_t *colors, uint64_t *scratch, lm_common_neighbors *c)
{
    const size_t n = s->n, words = words_of(n);
    uint64_t *bits = scratch, *others = bits + n * words, adjacent, apart;
    const uint64_t equal = colors[0];
    if (s->in.head != s->out.head) return false;
    for (size_t v = 1; v < n; v++)
        if (colors[v * n + v] != equal) return false;
    find_colors(s, colors, &adjacent, &apart);
    if (equal == adjacent || equal == apart) return false;
    for (size_t u = 0; u < n; u++)
        if (!has_three(s, colors + u * n, u, adjacent, apart)) return false;
    memset(bits, 0, n * words * sizeof *bits);
    for (size_t v = 0; v < n; v++) {
        for (uint64_t e = s->out.start[v]; e < s->out.start[v + 1]; e++)
            bits[v * words + s->out.head[e] / WORD_BITS] |= UINT64_C(1) << s->out.head[e] % WORD_BITS;
        others[v] = apart * (s->out.start[v + 1] - s->out.start[v]);
    }
    *c = (lm_common_neighbors){n, words, bits, others, equal - apart, adjacent, adjacent - apart};
    return true;
}

/* ---- Counting -------------------------------------------------------------------------------- */

#ifdef __aarch64__
#include <arm_neon.h>

enum { SUMS = 31 }; /* of up to 8 that fit a byte */

static inline uint32_t common(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint32_t count = 0;
    for (size_t first = 0; first < words; first += PAIR * SUMS) {
        const size_t end = words - first < PAIR * SUMS ? words : first + PAIR * SUMS;
        uint8x16_t sum = vdupq_n_u8(0);
        for (size_t i = first; i < end; i += PAIR)
            sum = vaddq_u8(sum, vcntq_u8(vreinterpretq_u8_u64(vandq_u64(vld1q_u64(a + i), vld1q_u64(b + i)))));
        count += vaddlvq_u8(sum);
    }
    return count;
}
#else
static inline __attribute__((always_inline)) uint32_t common(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint32_t count = 0;
    for (size_t i = 0; i < words; i++) count += (uint32_t)__builtin_popcountll(a[i] & b[i]);
    return count;
}
#endif

static inline __attribute__((always_inline)) void count_row(const lm_common_neighbors *c, size_t u, uint32_t *counts)
{
    const uint64_t *own = c->bits + u * c->words;
    if (c->words == PAIR) /* the number of steps is a constant */
        for (size_t v = 0; v < c->n; v++) counts[v] = common(own, c->bits + v * PAIR, PAIR);
    else
        for (size_t v = 0; v < c->n; v++) counts[v] = common(own, c->bits + v * c->words, c->words);
}

#ifdef __x86_64__
__attribute__((target("popcnt"))) static void count_row_popcnt(const lm_common_neighbors *c, size_t u, uint32_t *counts)
{
    count_row(c, u, counts);
}

void lm_common_neighbors_count(const lm_common_neighbors *c, size_t u, uint32_t *counts)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("popcnt"))
        count_row_popcnt(c, u, counts);
    else
        count_row(c, u, counts);
}
#else
void lm_common_neighbors_count(const lm_common_neighbors *c, size_t u, uint32_t *counts)
{
    count_row(c, u, counts);
}
#endif

/* ---- Sums ------------------------------------------------------------------------------------ */

void lm_common_neighbors_sums(const lm_common_neighbors *c, size_t u, size_t axis, const uint32_t *counts,
                              const uint64_t *row, uint64_t *into)
{
    const uint64_t equal = c->equal, adjacent = c->adjacent, less = c->less, own = c->others[u];
    const uint64_t *others = c->others;
    if (axis == 0)
        for (size_t v = 0; v < c->n; v++) into[v] = own + less * counts[v] + (row[v] == adjacent ? equal : 0);
    else
        for (size_t v = 0; v < c->n; v++) into[v] = others[v] + less * counts[v] + (row[v] == adjacent ? equal : 0);
}
