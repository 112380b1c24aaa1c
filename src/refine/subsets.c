/* Sums over neighbours by tables of the sums of subsets. */
#include "refine/subsets.h"
#include <stdbool.h>
#include <string.h>

typedef uint64_t two_words __attribute__((vector_size(16), may_alias, aligned(8)));

/* A row. */
typedef struct line {
    two_words a, b, c, d;
} line;

static inline line load(const uint64_t *from)
{
    const two_words *words = (const two_words *)from;
    return (line){words[0], words[1], words[2], words[3]};
}

static inline void store(line row, uint64_t *to)
{
    two_words *words = (two_words *)to;
    words[0] = row.a, words[1] = row.b, words[2] = row.c, words[3] = row.d;
}

static inline line add(line x, line y)
{
    return (line){x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d};
}

/* Fills the table with the sums of all subsets of up to five rows. */
static void fill(const uint64_t *from, size_t step, size_t rows, uint64_t *table)
{
    memset(table, 0, LM_SUBSET_ROW * sizeof *table);
    for (size_t i = 0; i < rows; i++) {
        const line row = load(from + i * step);
        const size_t half = (size_t)LM_SUBSET_ROW << i; /* words of the subsets without row i */
        for (size_t at = 0; at < half; at += LM_SUBSET_ROW) store(add(load(table + at), row), table + half + at);
    }
}

void lm_subset_sums(const uint8_t *subset, size_t n, const uint64_t *from, size_t from_step, uint64_t *table,
                    uint64_t *into, size_t into_step)
{
    const size_t sets = lm_subset_count(n), words = (size_t)LM_SUBSET_ROW << LM_SUBSET_OF;
    for (size_t first = 0; first < sets; first += LM_SUBSET_SETS) {
        const size_t count = sets - first < LM_SUBSET_SETS ? sets - first : LM_SUBSET_SETS;
        for (size_t i = 0; i < count; i++) {
            const size_t vertex = (first + i) * LM_SUBSET_OF, left = n - vertex;
            fill(from + vertex * from_step, from_step, left < LM_SUBSET_OF ? left : LM_SUBSET_OF, table + i * words);
        }
        for (size_t v = 0; v < n; v++) {
            const uint8_t *own = subset + v * sets + first;
            line sum = first ? load(into + v * into_step) : (line){0};
            for (size_t i = 0; i < count; i++) sum = add(sum, load(table + i * words + (size_t)own[i] * LM_SUBSET_ROW));
            store(sum, into + v * into_step);
        }
    }
}
