/* Orbits of tuples under permutation of their components. */
#include "refine/histogram.h"
#include <stdlib.h>
#include <string.h>

size_t lm_orbit_count(size_t n, unsigned k)
{
    /* C(n + k - 1, k), exact at every step: a product of i consecutive numbers is divisible by i!. */
    uint64_t count = 1;
    for (unsigned i = 1; i <= k; i++) {
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

uint64_t lm_orbit_smallest(const lm_space *s, const uint64_t *colors, const uint32_t *digit)
{
    uint32_t turn[LM_MAX_K];
    uint64_t smallest = UINT64_MAX;
    memcpy(turn, digit, s->k * sizeof *turn);
    do {
        uint64_t color = colors[index_of(s, turn)];
        if (color < smallest) smallest = color;
    } while (permute(turn, s->k));
    return smallest;
}

/* digit[0..k) of the tuple with this index. */
static void digits_of(const lm_space *s, uint64_t tuple, uint32_t *digit)
{
    lm_space_digits(s, tuple / s->n, digit);
    digit[s->k - 1] = (uint32_t)(tuple % s->n);
}

lm_orbit lm_orbit_of(const lm_space *s, const uint64_t *colors, uint64_t tuple)
{
    uint32_t digit[LM_MAX_K], tuples = 0, same = 0;
    if (s->k == 2) { /* the case that must be fast */
        uint64_t u = tuple / s->n, v = tuple % s->n;
        bool alike = colors[tuple] == colors[v * s->n + u];
        return (lm_orbit){alike ? 1 : 2, alike && u != v ? 2 : 1};
    }
    digits_of(s, tuple, digit);
    do {
        tuples++;
        same += colors[index_of(s, digit)] == colors[tuple];
    } while (permute(digit, s->k));
    return (lm_orbit){tuples / same, same};
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

size_t lm_orbit_colors(const lm_space *s, const uint64_t *colors, uint64_t tuple, uint64_t *found)
{
    uint32_t digit[LM_MAX_K];
    size_t tuples = 0, different = 0;
    digits_of(s, tuple, digit);
    do found[tuples++] = colors[index_of(s, digit)];
    while (permute(digit, s->k));
    if (tuples > 1) qsort(found, tuples, sizeof *found, compare);
    for (size_t i = 0; i < tuples; i++)
        if (!i || found[i] != found[i - 1]) found[different++] = found[i];
    return different;
}
