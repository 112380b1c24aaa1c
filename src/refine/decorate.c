/*
 * #_j of the local+ variant: how often the colour of a tuple occurs on its line along component j.
 *
 * One small open-addressing table a line, indexed by the top bits of the colours, which are hashes already: two sweeps
 * over the line, expected O(n). A member that stands for twins that are not kept counts for them.
 */
#include "refine/space.h"
#include <omp.h>
#include <string.h>

typedef struct slot {
    uint64_t color, count; /* count 0: free */
} slot;

static slot *find(slot *table, unsigned shift, size_t mask, uint64_t color)
{
    size_t i = (size_t)(color >> shift);
    while (table[i].count && table[i].color != color) i = (i + 1) & mask;
    return table + i;
}

/* Weight of kept vertex w on the line whose other components are digit[]. */
static uint64_t weight(const lm_space *s, uint32_t w, const uint32_t *digit, size_t axis)
{
    if (!s->missing[w]) return 1;
    return lm_space_fresh(s, w, digit, s->k, axis) == w ? 1 + s->missing[w] : 1;
}

/* digit[0..k) of a tuple of the line; component axis does not matter. */
static void decorate_line(const lm_space *s, const uint64_t *colors, size_t stride, const uint32_t *digit, size_t axis,
                          slot *table, unsigned bits, uint64_t *out)
{
    uint64_t counter = lm_multiplier_of(LM_COUNTER, 0);
    size_t mask = ((size_t)1 << bits) - 1;
    memset(table, 0, (mask + 1) * sizeof *table);
    for (uint32_t w = 0; w < s->n; w++) {
        slot *at = find(table, 64 - bits, mask, colors[w * stride]);
        at->color = colors[w * stride];
        at->count += s->twins ? weight(s, w, digit, axis) : 1;
    }
    for (uint32_t w = 0; w < s->n; w++) {
        uint64_t color = colors[w * stride];
        out[w * stride] = lm_mix(color + find(table, 64 - bits, mask, color)->count * counter);
    }
}

/* At most half full. */
static unsigned table_bits(const lm_space *s)
{
    unsigned bits = 1;
    while (((size_t)1 << bits) < 2 * s->n) bits++;
    return bits;
}

size_t lm_decorate_scratch(const lm_space *s, int threads)
{
    return (size_t)threads * sizeof(slot) / sizeof(uint64_t) << table_bits(s);
}

static void decorate_lines(const lm_space *s, const uint64_t *colors, size_t axis, size_t stride, size_t line,
                           slot *table, unsigned bits, uint64_t *out)
{
    size_t first = line / stride * stride * s->n + line % stride;
    uint32_t digit[LM_MAX_K] = {0};
    if (s->twins) {
        lm_space_digits(s, first / s->n, digit);
        digit[s->k - 1] = (uint32_t)(first % s->n);
    }
    decorate_line(s, colors + first, stride, digit, axis, table, bits, out + first);
}

void lm_decorate(const lm_space *s, const uint64_t *colors, size_t axis, uint64_t *out, uint64_t *scratch, int threads)
{
    unsigned bits = table_bits(s);
    size_t stride = lm_power(s->n, (unsigned)(s->k - 1 - axis));
    slot *tables = (slot *)(void *)scratch;
    if (threads == 1) {
        for (size_t line = 0; line < s->rows; line++) decorate_lines(s, colors, axis, stride, line, tables, bits, out);
        return;
    }
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (size_t line = 0; line < s->rows; line++)
        decorate_lines(s, colors, axis, stride, line, tables + ((size_t)omp_get_thread_num() << bits), bits, out);
}
