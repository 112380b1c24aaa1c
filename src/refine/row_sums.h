/* Sums over neighbours: of whole rows, and within rows. */
#ifndef LM_ROW_SUMS_H
#define LM_ROW_SUMS_H

#include <stddef.h>
#include <stdint.h>

enum { LM_BLOCK = 8 }; /* largest number of rows of one lm_gather_rows() */

/* into[i] = sum over w in head[0..count) of first[w * stride + i], for i < n. */
void lm_sum_rows(const uint64_t *first, size_t stride, const uint32_t *head, size_t count, size_t n, uint64_t *into);

/* into[b * n + v] = sum over w in the list of v of from[b * n + w], for b < rows <= LM_BLOCK and v < n. The list of v
 * is head[start[v] .. start[v + 1]). beside[n * LM_BLOCK] is scratch. */
void lm_gather_rows(const uint64_t *start, const uint32_t *head, const uint64_t *from, size_t n, size_t rows,
                    uint64_t *beside, uint64_t *into);

#endif
