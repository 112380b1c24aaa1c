/*
 * #_j of the local+ variant: how often the colour of a tuple occurs on its line along component j.
 *
 * Only lines along the last component are counted; these are rows. Exchanging components j and last maps the lines
 * along j to rows, and equal colours to equal colours, so #_j of a tuple is #_last of the exchanged tuple. A row is
 * counted with a small open-addressing table, indexed by the top bits of the colours, which are hashes: expected O(1) a
 * tuple. A kept vertex that stands for twins that are not kept is counted with their number.
 */
#include "refine/space.h"
#include <omp.h>
#include <string.h>

typedef struct slot {
    uint64_t color, count; /* count 0: free */
} slot;

/* The table is at most half full. */
static unsigned line_table_bits(size_t n)
{
    return n ? 64 - (unsigned)__builtin_clzll(2 * n - 1) : 1;
}

/* A table, and the slot of each tuple of the row. */
size_t lm_count_line_words(size_t n)
{
    return (sizeof(slot) / sizeof(uint64_t) << line_table_bits(n)) + n / 2 + 1;
}

static uint64_t weight(const lm_space *s, uint32_t w, const uint32_t *digit)
{
    return lm_space_fresh(s, w, digit, s->k - 1, SIZE_MAX) == w ? 1 + s->missing[w] : 1;
}

/* digit: the components of the row if vertices have weights, otherwise NULL. */
static void count_line(const lm_space *s, const uint64_t *colors, size_t n, const uint32_t *digit, uint64_t *scratch,
                       uint32_t *counts)
{
    const unsigned bits = line_table_bits(n);
    const size_t mask = ((size_t)1 << bits) - 1;
    slot *slots = (slot *)(void *)scratch;
    uint32_t *place = (uint32_t *)(void *)(slots + mask + 1);
    memset(slots, 0, (mask + 1) * sizeof *slots);
    for (uint32_t w = 0; w < n; w++) {
        uint64_t color = colors[w];
        size_t i = (size_t)(color >> (64 - bits));
        while (slots[i].count && slots[i].color != color) i = (i + 1) & mask;
        slots[i].color = color;
        slots[i].count += digit ? weight(s, w, digit) : 1;
        place[w] = (uint32_t)i;
    }
    for (size_t w = 0; w < n; w++) counts[w] = (uint32_t)slots[place[w]].count;
}

void lm_count_line(const uint64_t *colors, size_t n, uint64_t *scratch, uint32_t *counts)
{
    count_line(NULL, colors, n, NULL, scratch, counts);
}

static void count_row(const lm_space *s, const uint64_t *colors, size_t row, uint64_t *scratch, uint32_t *counts)
{
    uint32_t digit[LM_MAX_K];
    if (row % 16 ? lm_cancellation_requested(s->cancellation) : lm_cancellation_poll(s->cancellation)) return;
    if (s->twins) lm_space_digits(s, row, digit);
    count_line(s, colors + row * s->n, s->n, s->twins ? digit : NULL, scratch, counts + row * s->n);
}

size_t lm_line_counts_scratch(const lm_space *s, int threads)
{
    return (size_t)threads * lm_count_line_words(s->n);
}

void lm_line_counts(const lm_space *s, const uint64_t *colors, uint32_t *counts, uint64_t *scratch, int threads)
{
    const size_t own = lm_count_line_words(s->n);
    if (threads == 1) {
        for (size_t row = 0; row < s->rows; row++) count_row(s, colors, row, scratch, counts);
        return;
    }
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (size_t row = 0; row < s->rows; row++)
        count_row(s, colors, row, scratch + (size_t)omp_get_thread_num() * own, counts);
}

static void decorate_row(const lm_space *s, const uint64_t *colors, const uint32_t *counts, size_t axis, size_t stride,
                         size_t row, uint64_t *out)
{
    size_t n = s->n, step = 1;
    uint64_t counter = lm_multiplier_of(LM_COUNTER, 0);
    const uint32_t *count = counts + row * n;
    if (row % 16 ? lm_cancellation_requested(s->cancellation) : lm_cancellation_poll(s->cancellation)) return;
    if (axis + 1 < s->k) { /* the exchanged tuple of (row, w) */
        size_t v = row / stride % n;
        count = counts + (row - v * stride) * n + v;
        step = stride * n;
    }
    for (size_t w = 0; w < n; w++) out[row * n + w] = lm_mix(colors[row * n + w] + count[w * step] * counter);
}

void lm_decorate(const lm_space *s, const uint64_t *colors, const uint32_t *counts, size_t axis, uint64_t *out,
                 int threads)
{
    size_t stride = axis + 1 < s->k ? lm_power(s->n, (unsigned)(s->k - 2 - axis)) : 1;
    if (threads == 1) {
        for (size_t row = 0; row < s->rows; row++) decorate_row(s, colors, counts, axis, stride, row, out);
        return;
    }
#pragma omp parallel for num_threads(threads)
    for (size_t row = 0; row < s->rows; row++) decorate_row(s, colors, counts, axis, stride, row, out);
}
