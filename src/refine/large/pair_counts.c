/*
 * The number of different colours of all pairs of one graph, where nobody asks which they are.
 *
 * Rows, the pairs with one first component, that have equal multisets of colours are counted once; their sums tell. While
 * many rows are equal, as in early rounds and in graphs with automorphisms, the colours of the different ones are listed.
 * Otherwise the smaller colour of (u, v) and (v, u) names the class of both pairs (histogram.h), and names are listed. The
 * list is sorted and counted. The list and the space for sorting lie in the array of the next round, which is free
 * between two rounds: the arrays of the colours are all the memory that is taken.
 */
#include "refine/large/pair_counts.h"
#include "base/sort.h"
#include <string.h>

enum { TILE = 16 /* rows whose transposed colours lie in two cache lines */ };

/* Where the next name is written: the list is filled from the front with the classes of one colour, and from the back with
 * those of two. */
typedef struct ends {
    uint64_t *front, *back;
} ends;

/* Lists the pairs u <= v with u in first .. last - 1. */
static void list_tile(const lm_space *s, const uint64_t *restrict colors, size_t first, size_t last, ends *out)
{
    const size_t n = s->n;
    ends at = *out;
    for (size_t v = first; v < n; v++)
        for (size_t u = first; u < last && u <= v; u++) {
            const uint64_t a = colors[u * n + v], b = colors[v * n + u], name = a < b ? a : b;
            *at.front = at.back[-1] = name; /* there is space for at least this name */
            at.front += a == b;
            at.back -= a != b;
        }
    *out = at;
}

static uint64_t count_different(uint64_t *names, uint64_t *spare, size_t count, int threads)
{
    uint64_t different = count > 0;
    lm_sort_keys(names, spare, count, threads);
    for (size_t i = 1; i < count; i++) different += names[i] != names[i - 1];
    return different;
}

/* Counts by names. All pairs but those of vertices rows .. n - 1 are counted. */
static uint64_t count_names(const lm_space *s, const uint64_t *colors, size_t rows, uint64_t *words, int threads)
{
    const size_t orbits = lm_orbit_count(s->n, 2);
    ends at = {words, words + orbits};
    for (size_t first = 0; first < rows; first += TILE) {
        if (lm_cancellation_poll(s->cancellation)) return 0;
        list_tile(s, colors, first, rows - first < TILE ? rows : first + TILE, &at);
    }
    return count_different(words, words + orbits, (size_t)(at.front - words), threads) +
           2 * count_different(at.back, words + orbits, (size_t)(words + orbits - at.back), threads);
}

/* Writes the number of one row for each sum of a row to row[], and returns their number. pair[2 * rows] is scratch. */
static size_t different_rows(const lm_space *s, const uint64_t *colors, size_t rows, lm_pair *pair, uint64_t *row,
                             int threads)
{
    size_t count = 0;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size_t u = 0; u < rows; u++) {
        uint64_t sum = 0;
        for (size_t v = 0; v < s->n; v++) sum += colors[u * s->n + v];
        pair[u] = (lm_pair){sum, u};
    }
    lm_sort_pairs(pair, pair + rows, rows, 1);
    for (size_t i = 0; i < rows; i++)
        if (!i || pair[i].key != pair[i - 1].key) row[count++] = pair[i].payload;
    return count;
}

/* Counts the colours of the listed rows in columns first .. last - 1. */
static uint64_t count_columns(const lm_space *s, const uint64_t *colors, const uint64_t *row, size_t count,
                              size_t first, size_t last, uint64_t *words, int threads)
{
    const size_t width = last - first;
    for (size_t i = 0; i < count; i++) memcpy(words + i * width, colors + row[i] * s->n + first, width * sizeof *words);
    return count_different(words, words + count * width, count * width, threads);
}

size_t lm_pair_counts_words(const lm_space *s)
{
    return 2 * lm_orbit_count(s->n, 2) + 5 * s->n;
}

/* Vertices `rows` .. n - 1 are single. A pair of two of them has a colour of its own. The colours of pairs of a single and
 * another vertex are as many in each of both orders, and no other pairs have them. */
uint64_t lm_count_pairs(const lm_space *s, uint32_t round, const uint64_t *colors, uint64_t *words, int threads)
{
    const size_t n = s->n, rows = lm_not_single(s, round), single = n - rows;
    uint64_t *row = words + lm_pair_counts_words(s) - n;
    const size_t count = different_rows(s, colors, rows, (lm_pair *)(void *)words, row, threads);
    const uint64_t known = (uint64_t)single * single;
    if (count > n / 2) return known + count_names(s, colors, rows, words, threads);
    return known + count_columns(s, colors, row, count, 0, rows, words, threads) +
           2 * count_columns(s, colors, row, count, rows, n, words, threads);
}
