/* Orbits of tuples under permutation of their components. */
#include "refine/histogram.h"

#define INLINE static inline __attribute__((always_inline))

size_t lm_orbit_count(size_t n, unsigned k)
{
    /* C(n + k - 1, k), exact at every step: a product of i consecutive numbers is divisible by i!. */
    uint64_t count = 1;
    for (unsigned i = 1; i <= k; i++) {
        uint64_t product;
        if (!__builtin_mul_overflow(count, (uint64_t)n + i - 1,
                                    &product)) { /* divisions of 128 and of 64 bits are slow */
            count = product > UINT32_MAX ? product / i : (uint32_t)product / i;
            continue;
        }
        unsigned __int128 next = (unsigned __int128)count * (n + i - 1) / i;
        if (next > SIZE_MAX) return SIZE_MAX;
        count = (uint64_t)next;
    }
    return count;
}

/* The next permutation of digit[0..k) in lexicographic order; false after the last. */
static bool permute(uint32_t *digit, unsigned k)
{
    unsigned i = k - 1;
    while (i > 0 && digit[i - 1] >= digit[i]) i--;
    if (!i) return false;
    unsigned j = k - 1;
    while (digit[j] <= digit[i - 1]) j--;
    uint32_t swap = digit[i - 1];
    digit[i - 1] = digit[j];
    digit[j] = swap;
    for (unsigned a = i, b = k - 1; a < b; a++, b--) {
        swap = digit[a];
        digit[a] = digit[b];
        digit[b] = swap;
    }
    return true;
}

static uint64_t index_of(const lm_space *s, const uint32_t *digit)
{
    uint64_t index = 0;
    for (unsigned i = 0; i < s->k; i++) index = index * s->n + digit[i];
    return index;
}

/*
 * Let an increasing tuple of the graph use c different members of a class of m twins. If its members are renamed in
 * order, it becomes the kept tuple that uses the first c members. So a kept tuple that uses the first c members of each
 * class stands for the product of C(m, c) tuples; any other kept tuple stands for none.
 */
uint64_t lm_orbit_weight(const lm_space *s, const uint32_t *digit)
{
    uint64_t weight = 1;
    if (!s->twins) return 1;
    for (unsigned i = 0; i < s->k;) {
        uint32_t first = s->first[digit[i]], used = 0;
        uint64_t choose = 1;
        for (; i < s->k && s->first[digit[i]] == first; i++) {
            if (used > 0 && digit[i] == digit[i - 1]) continue;
            if (digit[i] != first + used) return 0;
            used++;
            choose = choose * (s->size[first] - used + 1) / used;
        }
        weight *= choose;
    }
    return weight;
}

/* ---- One orbit ------------------------------------------------------------------------------- */

/* A walk through the tuples of an orbit. In a dense space it permutes the components. In a sparse space it exchanges
 * components; a tuple with equal components is visited several times, and each tuple of its orbit as often. */
typedef struct orbit_walk {
    uint64_t at; /* the tuple: its index among the colours */
    size_t steps;
    uint32_t *digit; /* [k] its components in a dense space */
} orbit_walk;

INLINE orbit_walk begin_walk(const lm_space *s, uint64_t tuple, uint32_t *digit)
{
    if (s->sparse) return (orbit_walk){.at = tuple};
    lm_tuple_digits(s, s->k, tuple, digit);
    return (orbit_walk){.at = index_of(s, digit), .digit = digit};
}

INLINE bool next_tuple(const lm_space *s, orbit_walk *w)
{
    const lm_sparse *sparse = s->sparse;
    if (sparse ? w->steps + 1 == sparse->permutations : !permute(w->digit, s->k)) return false;
    w->at = sparse ? sparse->swap[sparse->star[w->steps++]][w->at] : index_of(s, w->digit);
    return true;
}

uint64_t lm_orbit_smallest(const lm_space *s, const uint64_t *colors, uint64_t tuple)
{
    uint32_t digit[LM_MAX_K];
    orbit_walk w = begin_walk(s, tuple, digit);
    uint64_t smallest = colors[w.at];
    while (next_tuple(s, &w)) smallest = colors[w.at] < smallest ? colors[w.at] : smallest;
    return smallest;
}

lm_orbit lm_orbit_of(const lm_space *s, const uint64_t *colors, uint64_t tuple)
{
    uint32_t digit[LM_MAX_K], visits = 1, same = 1, here = 1;
    orbit_walk w = begin_walk(s, tuple, digit);
    const uint64_t first = w.at;
    while (next_tuple(s, &w)) {
        visits++;
        same += colors[w.at] == colors[first];
        here += w.at == first;
    }
    return (lm_orbit){visits / same, same / here};
}

size_t lm_orbit_colors(const lm_space *s, const uint64_t *colors, uint64_t tuple, uint64_t *found)
{
    uint32_t digit[LM_MAX_K];
    orbit_walk w = begin_walk(s, tuple, digit);
    size_t count = 0;
    do count = lm_insert_color(colors[w.at], found, count);
    while (next_tuple(s, &w));
    return count;
}

/* ---- All orbits ------------------------------------------------------------------------------ */

enum { TILE = 8, UNTILED = 512 /* vertices */ };

/* Lists pairs in tiles of `rows` rows. */
INLINE size_t list_tiles(const lm_space *s, size_t rows, uint64_t *list)
{
    size_t count = 0;
    for (size_t tile = 0; tile < s->n; tile += rows)
        for (size_t v = tile; v < s->n; v++)
            for (size_t u = tile; u < tile + rows && u <= v; u++) {
                list[count] = (uint64_t)u << 32 | v;
                count += !s->twins || lm_orbit_weight(s, (uint32_t[2]){(uint32_t)u, (uint32_t)v});
            }
    return count;
}

/* In large graphs a column does not stay in the cache: a tile has so many rows that a cache line holds their colours.
 */
static size_t list_pairs(const lm_space *s, uint64_t *list)
{
    return s->n < UNTILED ? list_tiles(s, 1, list) : list_tiles(s, TILE, list);
}

static size_t list_triples(const lm_space *s, uint64_t *list)
{
    size_t count = 0;
    for (size_t u = 0; u < s->n; u++)
        for (size_t v = u; v < s->n; v++)
            for (size_t w = v; w < s->n; w++) {
                list[count] = (uint64_t)u << 42 | (uint64_t)v << 21 | w;
                count += !s->twins || lm_orbit_weight(s, (uint32_t[3]){(uint32_t)u, (uint32_t)v, (uint32_t)w});
            }
    return count;
}

/* For any space, row by row. */
static size_t list_rows(const lm_space *s, uint64_t *list)
{
    const unsigned k = s->k;
    size_t count = 0;
    for (size_t i = 0; i < s->rows; i++) {
        lm_tuple_row row;
        bool increasing = true;
        lm_space_row(s, i, &row);
        for (unsigned j = 0; j + 2 < k; j++) increasing &= row.digit[j] <= row.digit[j + 1];
        for (size_t t = row.first; t < row.end && increasing; t++) {
            row.digit[k - 1] = lm_tuple_row_last(&row, t);
            if (k > 1 && row.digit[k - 1] < row.digit[k - 2]) continue;
            list[count] = t;
            count += lm_orbit_weight(s, row.digit) > 0;
        }
    }
    return count;
}

size_t lm_orbits_list(const lm_space *s, uint64_t *list)
{
    if (s->sparse || s->k == 1 || s->k > 3) return list_rows(s, list);
    return s->k == 2 ? list_pairs(s, list) : list_triples(s, list);
}
