/*
 * Random directions and offsets of locality-sensitive hashing (Datar et al. 2004): the bin of x is floor((x d + b) / w).
 * If the entries of d have a normal distribution, vectors that are near each other in the Euclidean distance are likely
 * to share a bin; with a Cauchy distribution, vectors that are near in the sum of absolute differences.
 *
 * A number depends on the key of its stream and on its item (a label, a column) alone, so that no vocabulary of labels
 * has to be kept.
 */
#ifndef LM_DIRECTIONS_H
#define LM_DIRECTIONS_H

#include "base/random.h"
#include <math.h>
#include <string.h>

/* Returns the key of a stream of directions for a round of a binning. */
static inline uint64_t lm_direction_key(uint64_t seed, uint64_t binning, uint64_t round)
{
    return lm_random_item(lm_random_purpose(seed, binning), round);
}

/* Returns the entry of an item, normal with variance 1 (Box and Muller), or of a Cauchy distribution. */
static inline double lm_direction(uint64_t key, uint64_t item, bool cauchy)
{
    static const double PI = 3.14159265358979323846;
    lm_random random = {lm_random_item(key, item), 0};
    const double angle = lm_random_real(&random), radius = 1 - lm_random_real(&random);
    return cauchy ? tan(PI * (angle - 0.5)) : sqrt(-2 * log(radius)) * cos(2 * PI * angle);
}

/* Returns the offset of the bins, uniform in [0, width). */
static inline double lm_direction_offset(uint64_t key, double width)
{
    lm_random random = {~key, 0};
    return width * lm_random_real(&random);
}

/* Returns the bits of floor(x / width), which is not converted to an integer, so that no value is too large. */
static inline uint64_t lm_bin(double x, double width)
{
    const double bin = floor(x / width) + 0.0; /* no -0 */
    uint64_t bits;
    memcpy(&bits, &bin, sizeof bits);
    return isnan(bin) ? UINT64_MAX : bits;
}

#endif
