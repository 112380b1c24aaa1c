/*
 * The histogram of one round of one graph, over orbits of tuples.
 *
 * Permuting the components of a tuple permutes its colour: the colour of the permuted tuple is a function of the colour
 * of the tuple. So the tuples with increasing components, one for each orbit, tell everything: a *class* is named by
 * the smallest colour in its orbits and holds `orbits` of them; each orbit has `colors` different colours, every one on
 * `times` of its tuples (the permutations act transitively, so all colours of an orbit occur equally often).
 *
 *   (graph, colour) pairs of the class: colors         tuples with each of these colours: orbits * times
 */
#ifndef LM_HISTOGRAM_H
#define LM_HISTOGRAM_H

#include "refine/space.h"

/* What all orbits of a class have in common. */
typedef struct lm_orbit {
    uint32_t colors, times;
} lm_orbit;

typedef struct lm_histogram {
    size_t count;     /* classes */
    uint64_t *color;  /* [count] the smallest colour of its orbits */
    uint64_t *orbits; /* [count] */
    uint64_t *tuple;  /* [count] index of an increasing tuple of the class */
    lm_orbit *orbit;  /* [count] */
    uint64_t pairs;   /* sum of `colors` over the classes */
} lm_histogram;

/* How many increasing k-tuples n vertices have: the capacity a histogram needs. SIZE_MAX where that does not fit. */
size_t lm_orbit_count(size_t n, unsigned k);

/* Words of work space for counting: `spare` may be the array of the next round. */
size_t lm_histogram_spare(const lm_space *space);
size_t lm_histogram_scratch(const lm_space *space, int threads);

/* Counts colors[tuples] into the histogram, whose arrays have room for lm_orbit_count(). */
void lm_histogram_take(const lm_space *space, const uint64_t *colors, uint64_t *spare, uint64_t *scratch, int threads,
                       lm_histogram *histogram);
/* After a round that split nothing: the same classes under their new colours. */
void lm_histogram_rename(const lm_space *space, const uint64_t *colors, lm_histogram *histogram);

/* The orbit of an increasing tuple: the smallest colour in it; how many different colours it shows, each on *times of
 * its tuples; and those colours, increasing, into found[], which has room for all its tuples (n^k always suffices). */
uint64_t lm_orbit_smallest(const lm_space *space, const uint64_t *colors, const uint32_t *digit);
lm_orbit lm_orbit_of(const lm_space *space, const uint64_t *colors, uint64_t tuple);
size_t lm_orbit_colors(const lm_space *space, const uint64_t *colors, uint64_t tuple, uint64_t *found);

#endif
