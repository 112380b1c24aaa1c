/*
 * The histogram of one round of one graph, over orbits of tuples.
 *
 * If the components of a tuple are permuted, the colour of the new tuple is a function of the colour of the old one. So
 * it suffices to count tuples with increasing components: each stands for one orbit under permutation. A *class* is a
 * set of orbits, named by their smallest colour. Every orbit of a class has `colors` different colours, and each of
 * them is the colour of `times` of its tuples (permutations act transitively on an orbit).
 *
 *   (graph, colour) pairs of the class: colors         tuples with each of these colours: orbits * times
 *
 * A class has *converged* if it has one orbit and all tuples of that orbit have different colours: later rounds rename
 * it, but cannot split it. Only orbits of other classes are counted again. Most classes converge after a few rounds.
 */
#ifndef LM_HISTOGRAM_H
#define LM_HISTOGRAM_H

#include "refine/space.h"
#include <string.h>

/* Properties that all orbits of a class share. */
typedef struct lm_orbit {
    uint32_t colors, times;
} lm_orbit;

typedef struct lm_histogram {
    size_t count; /* classes; the first `converged` of them had converged before this round */
    size_t converged;
    size_t recent;  /* classes that converged in this round; 0 if they are so few that they are counted again */
    size_t active;  /* orbits of classes that have not converged */
    uint64_t pairs; /* sum of `colors` over all classes, including those that are not listed (space.h, known) */
    uint64_t converged_pairs;
    uint64_t *color;      /* [count] the smallest colour of the class */
    uint64_t *orbits;     /* [count] number of orbits of the graph */
    uint64_t *tuple;      /* [count] an increasing tuple of the class, packed */
    lm_orbit *orbit;      /* [count] */
    uint64_t *candidates; /* [active] the orbits to count again: their increasing tuples, packed, in order */
} lm_histogram;

/* Unpacks an increasing tuple. For k = 2 and 3 the word holds the components side by side, for other k the index of the
 * tuple. A tuple of a sparse space is packed as its index among the sparse tuples and must not be decoded. */
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

/* Returns true if one of these k vertices is known to be exclusive after this round (vertex_rounds.h). The space must
 * have s->known. */
static inline bool lm_any_exclusive(const lm_space *s, const uint32_t *digit, unsigned k, uint32_t round)
{
    const uint8_t *exclusive = s->known.exclusive;
    uint8_t first = exclusive[digit[0]];
    for (unsigned i = 1; i < k; i++) first = exclusive[digit[i]] < first ? exclusive[digit[i]] : first;
    return lm_known_by(first, round);
}

#define LM_MAX_ORBITS ((UINT64_C(1) << 36) - 1) /* largest number of orbits; their classes alone take terabytes */

/* Returns the number of increasing k-tuples of n vertices, which is the length of the arrays of classes and candidates;
 * SIZE_MAX if the number does not fit. */
size_t lm_orbit_count(size_t n, unsigned k);
/* Returns the number of orbits of a space, dense or sparse. */
static inline size_t lm_space_orbits(const lm_space *s)
{
    return s->sparse ? s->sparse->size.orbits : lm_orbit_count(s->n, s->k);
}

/* Writes the increasing tuples of all orbits of kept vertices with a weight above 0 (lm_orbit_weight()) into list[] and
 * returns their number. First components never decrease, except within a tile of rows. */
size_t lm_orbits_list(const lm_space *space, uint64_t *list);

/* Number of words of the buffers `spare` and `scratch` below. `spare` may be the colour array of the next round. */
size_t lm_histogram_spare(const lm_space *space);
size_t lm_histogram_scratch(const lm_space *space, int threads);

/* Computes the histogram of the colours of round 0. */
void lm_histogram_begin(const lm_space *space, const uint64_t *colors, uint64_t *spare, uint64_t *scratch, int threads,
                        lm_histogram *histogram);
/* Updates the histogram of the previous round to the colours after round `round`. */
void lm_histogram_update(const lm_space *space, uint32_t round, const uint64_t *colors, uint64_t *spare,
                         uint64_t *scratch, int threads, lm_histogram *histogram);
/* Sets histogram->color[i] of the first `count` classes to their colours in colors[]. The round that computed colors[]
 * must not have split these classes. */
void lm_histogram_rename(const lm_space *space, const uint64_t *colors, int threads, size_t count,
                         lm_histogram *histogram);

/* The orbit of an increasing tuple, for any space. lm_orbit_smallest() returns its smallest colour; lm_orbit_of()
 * returns how many different colours it has and how often each occurs; lm_orbit_colors() writes these colours,
 * increasing, into found[] and returns their number. */
uint64_t lm_orbit_smallest(const lm_space *space, const uint64_t *colors, uint64_t tuple);
lm_orbit lm_orbit_of(const lm_space *space, const uint64_t *colors, uint64_t tuple);
size_t lm_orbit_colors(const lm_space *space, const uint64_t *colors, uint64_t tuple, uint64_t *found);

/* Inserts a colour into the increasing list found[count], unless the list has it. Returns the number of colours. */
static inline size_t lm_insert_color(uint64_t color, uint64_t *found, size_t count)
{
    size_t at = count;
    while (at > 0 && found[at - 1] > color) at--;
    if (at > 0 && found[at - 1] == color) return count;
    memmove(found + at + 1, found + at, (count - at) * sizeof *found);
    found[at] = color;
    return count + 1;
}

/* Returns the smallest of six colours. */
static inline uint64_t lm_smallest_of_six(const uint64_t *six)
{
    uint64_t smallest = six[0];
    for (int i = 1; i < 6; i++) smallest = six[i] < smallest ? six[i] : smallest;
    return smallest;
}

/* Returns how many orbits of the graph an orbit of kept vertices stands for; 0 if another orbit stands for them. */
uint64_t lm_orbit_weight(const lm_space *space, const uint32_t *digit);

#endif
