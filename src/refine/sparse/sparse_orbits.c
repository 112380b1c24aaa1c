/* Orbits of the tuples of a sparse space under permutation of the components. */
#include "refine/sparse/sparse.h"
#include <stdlib.h>

size_t lm_sparse_list_orbits(const lm_sparse *s, uint64_t *list)
{
    const uint32_t *first = lm_sparse_row_starts(s);
    const size_t rows = lm_sparse_row_count(s);
    uint32_t digit[LM_SPARSE_K];
    size_t count = 0;
    for (size_t row = 0; row < rows; row++) {
        bool increasing = true;
        lm_sparse_prefix(s, row, digit);
        for (unsigned i = 0; i + 2 < s->k; i++) increasing &= digit[i] <= digit[i + 1];
        for (uint32_t t = first[row]; t < first[row + 1] && increasing; t++)
            if (s->last[t] >= digit[s->k - 2]) list[count++] = t;
    }
    return count;
}

uint64_t lm_sparse_orbit_smallest(const lm_sparse *s, const uint64_t *colors, uint64_t tuple)
{
    uint64_t smallest = colors[tuple];
    for (size_t i = 0; i + 1 < s->permutations; i++) {
        tuple = s->swap[s->star[i]][tuple];
        if (colors[tuple] < smallest) smallest = colors[tuple];
    }
    return smallest;
}

void lm_sparse_orbit_count(const lm_sparse *s, const uint64_t *colors, uint64_t tuple, uint32_t *tuples, uint32_t *same)
{
    const uint64_t own = tuple;
    uint32_t here = 1,
             alike = 1; /* a tuple with equal components is visited several times, each tuple of its orbit as often */
    for (size_t i = 0; i + 1 < s->permutations; i++) {
        tuple = s->swap[s->star[i]][tuple];
        here += tuple == own;
        alike += colors[tuple] == colors[own];
    }
    *tuples = (uint32_t)s->permutations / here;
    *same = alike / here;
}

static int compare_sparse_colors(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

size_t lm_sparse_orbit_colors(const lm_sparse *s, const uint64_t *colors, uint64_t tuple, uint64_t *found)
{
    uint64_t all[LM_SPARSE_STAR];
    size_t different = 0;
    all[0] = colors[tuple];
    for (size_t i = 0; i + 1 < s->permutations; i++) {
        tuple = s->swap[s->star[i]][tuple];
        all[i + 1] = colors[tuple];
    }
    qsort(all, s->permutations, sizeof *all, compare_sparse_colors);
    for (size_t i = 0; i < s->permutations; i++)
        if (!i || all[i] != all[i - 1]) found[different++] = all[i];
    return different;
}
