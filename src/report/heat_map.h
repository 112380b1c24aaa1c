/* Heat maps as PNG, embedded in a page. */
#ifndef LM_HEAT_MAP_H
#define LM_HEAT_MAP_H

#include "base/file.h"

enum { LM_HEAT_MAP_SIDE = 16384 }; /* the most pixels of a side */

/* Writes a heat map of level[height][width], with levels 0 (white) to 255 (dark), as data:image/png;base64,... 1 <=
 * width, height <= LM_HEAT_MAP_SIDE. O(pixels). */
leman_status lm_heat_map_embed(leman_context *ctx, lm_output *out, const unsigned char *level, size_t width,
                               size_t height);

/* Shrinks matrix[n][n] to cell[side][side], side <= n. Rows and columns are taken in the given order, and each cell is
 * the mean of the values that it covers. O(n^2). */
void lm_heat_map_shrink(const double *matrix, size_t n, const uint32_t *order, size_t side, double *cell);
/* Returns the level, 0 to 255, of a value between low and high; values outside get the nearer end. */
unsigned char lm_heat_map_level(double value, double low, double high);

#endif
