/*
 * The histogram of one round of one graph, over orbits of tuples.
 *
 * Permuting the components of a tuple permutes its colour: the colour of the permuted tuple is a function of the colour
 * of the tuple. So the tuples with increasing components, one for each orbit, suffice. A *class* is named by
 * the smallest colour in its orbits; each orbit of it shows `colors` different colours, every one on `times` of its
 * tuples (permutations act transitively on an orbit, so all its colours occur equally often).
 *
 *   (graph, colour) pairs of the class: colors         tuples with each of these colours: orbits * times
 *
 * A class of one orbit whose tuples all differ has *converged*: no later round can split it, only rename it. Only
 * orbits of other classes are counted again, and after a few rounds of a typical graph there are hardly any.
 */
#ifndef LM_HISTOGRAM_H
#define LM_HISTOGRAM_H

#include "refine/space.h"

/* What all orbits of a class have in common. */
typedef struct lm_orbit {
    uint32_t colors, times;
} lm_orbit;

typedef struct lm_histogram {
    size_t count; /* classes; the first `converged` of them had converged before this round, */
    size_t converged;
    size_t recent;  /* and so many of the others have in this one, 0 where so few that they are counted again */
    size_t active;  /* orbits of classes that have not */
    uint64_t pairs; /* sum of `colors` over the classes, and over those that are not listed (space.h, known) */
    uint64_t converged_pairs;
    uint64_t *color;      /* [count] the smallest colour of its orbits */
    uint64_t *orbits;     /* [count] how many orbits of the graph */
    uint64_t *tuple;      /* [count] an increasing tuple of the class, packed */
    lm_orbit *orbit;      /* [count] */
    uint64_t *candidates; /* [active] the orbits to count again: their increasing tuples, packed, in order */
} lm_histogram;

/* An increasing tuple in one word: its components side by side for k = 2 and 3, otherwise its index. Tuples of sparse
 * spaces are their place among them, and are not decoded. */
static inline void lm_tuple_digits(const lm_space *s, unsigned k, uint64_t tuple, uint32_t *digit)
{
    if (k == 2) {
        digit[0] = (uint32_t)(tuple >> 32);
        digit[1] = (uint32_t)tuple;
    } else if (k == 3) {
        digit[0] = (uint32_t)(tuple >> 42);
        digit[1] = (uint32_t)(tuple >> 21) & 0x1fffff;
        digit[2] = (uint32_t)tuple & 0x1fffff;
    } else {
        lm_space_digits(s, tuple / s->n, digit);
        digit[k - 1] = (uint32_t)(tuple % s->n);
    }
}

static inline void lm_tuple_decode(const lm_space *s, uint64_t tuple, uint32_t *digit)
{
    lm_tuple_digits(s, s->k, tuple, digit);
}

/* Is one of these vertices known to be exclusive after this round, in a space where that is known of vertices? */
static inline bool lm_any_exclusive(const lm_space *s, const uint32_t *digit, unsigned k, uint32_t round)
{
    const uint8_t *exclusive = s->known.exclusive;
    uint8_t first = exclusive[digit[0]];
    for (unsigned i = 1; i < k; i++) first = exclusive[digit[i]] < first ? exclusive[digit[i]] : first;
    return first <= round;
}

#define LM_MAX_ORBITS ((UINT64_C(1) << 36) - 1) /* that can be numbered: their classes alone take terabytes */

/* How many increasing k-tuples n vertices have: the length of arrays of classes and candidates. SIZE_MAX where that
 * does not fit. */
size_t lm_orbit_count(size_t n, unsigned k);
/* The same for a space, which may be sparse. */
static inline size_t lm_space_orbits(const lm_space *s)
{
    return s->sparse ? s->sparse->size.orbits : lm_orbit_count(s->n, s->k);
}

/* The increasing tuples of all orbits, but for those that others stand for, into list[]; returns how many. Their first
 * components never fall but within a tile of rows. */
size_t lm_orbits_list(const lm_space *space, uint64_t *list);

/* Words of work space: `spare` may be the array of the next round. */
size_t lm_histogram_spare(const lm_space *space);
size_t lm_histogram_scratch(const lm_space *space, int threads);

/* Counts the first colours. */
void lm_histogram_begin(const lm_space *space, const uint64_t *colors, uint64_t *spare, uint64_t *scratch, int threads,
                        lm_histogram *histogram);
/* Counts the colours after one more round. */
void lm_histogram_update(const lm_space *space, uint32_t round, const uint64_t *colors, uint64_t *spare,
                         uint64_t *scratch, int threads, lm_histogram *histogram);
/* The first `count` classes under their new colours, after a round that did not split them. */
void lm_histogram_rename(const lm_space *space, const uint64_t *colors, int threads, size_t count,
                         lm_histogram *histogram);

/* The orbit of an increasing tuple: the smallest colour in it; how many different colours it shows, each how often; and
 * those colours, increasing, into found[], which has room for all its tuples (n^k always suffices). */
uint64_t lm_orbit_smallest_any(const lm_space *space, const uint64_t *colors, uint64_t tuple);
lm_orbit lm_orbit_any(const lm_space *space, const uint64_t *colors, uint64_t tuple);
size_t lm_orbit_colors(const lm_space *space, const uint64_t *colors, uint64_t tuple, uint64_t *found);

/* The colours of the six orders of a triple of the dense array, beginning with its own. Indices are products of 32-bit
 * numbers, as n^2 is one where n^3 tuples fit any memory. */
static inline void lm_triple_colors(const uint64_t *colors, size_t vertices, uint64_t tuple, uint64_t *six)
{
    const uint32_t n = (uint32_t)vertices, mask = 0x1fffff;
    const uint32_t u = (uint32_t)(tuple >> 42), v = (uint32_t)(tuple >> 21) & mask, w = (uint32_t)tuple & mask;
    const uint32_t un = u * n, vn = v * n, wn = w * n;
    const uint64_t *of_u = colors + (uint64_t)un * n, *of_v = colors + (uint64_t)vn * n,
                   *of_w = colors + (uint64_t)wn * n;
    six[0] = of_u[vn + w], six[1] = of_u[wn + v];
    six[2] = of_v[un + w], six[3] = of_v[wn + u];
    six[4] = of_w[un + v], six[5] = of_w[vn + u];
}

static inline bool lm_space_triples(const lm_space *s)
{
    return s->k == 3 && !s->sparse;
}

static inline uint64_t lm_smallest_of_six(const uint64_t *six)
{
    uint64_t smallest = six[0];
    for (int i = 1; i < 6; i++) smallest = six[i] < smallest ? six[i] : smallest;
    return smallest;
}

/* The two that hot loops ask for, with pairs and triples in line. */
static inline uint64_t lm_orbit_smallest(const lm_space *s, const uint64_t *colors, uint64_t tuple)
{
    uint64_t six[6];
    if (s->k == 1) return colors[tuple];
    if (lm_space_triples(s)) {
        lm_triple_colors(colors, s->n, tuple, six);
        return lm_smallest_of_six(six);
    }
    if (!s->pairs) return lm_orbit_smallest_any(s, colors, tuple);
    uint64_t u = tuple >> 32, v = (uint32_t)tuple, a = colors[u * s->n + v], b = colors[v * s->n + u];
    return a < b ? a : b;
}

static inline lm_orbit lm_orbit_of(const lm_space *s, const uint64_t *colors, uint64_t tuple)
{
    if (s->k == 1) return (lm_orbit){1, 1};
    if (!s->pairs) return lm_orbit_any(s, colors, tuple);
    uint64_t u = tuple >> 32, v = (uint32_t)tuple;
    bool alike = colors[u * s->n + v] == colors[v * s->n + u];
    return (lm_orbit){alike ? 1 : 2, alike && u != v ? 2 : 1};
}

/* How many orbits of the graph an orbit of kept vertices stands for; 0 where another one stands for them. */
uint64_t lm_orbit_weight(const lm_space *space, const uint32_t *digit);

#endif
