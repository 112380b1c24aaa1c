/* Heat maps as PNG, embedded in a page. */
#ifndef LM_HEAT_MAP_H
#define LM_HEAT_MAP_H

#include "base/file.h"

enum { LM_HEAT_MAP_SIDE = 16384 }; /* pixels at most */

/* Writes data:image/png;base64,... of a heat map of level[height][width], 0 to 255, in colours from paper (0) to ink
 * (255). 1 <= width, height <= LM_HEAT_MAP_SIDE. O(pixels). */
leman_status lm_heat_map_embed(leman_context *ctx, lm_output *out, const unsigned char *level, size_t width,
                               size_t height);

/* A matrix as a heat map of side x side cells, side <= n: each cell is the mean of the values under it,
 * rows and columns in the given order: cell[side][side]. O(n^2). */
void lm_heat_map_shrink(const double *matrix, size_t n, const uint32_t *order, size_t side, double *cell);
/* 0 .. 255 between two values; outside of them the nearer end. */
unsigned char lm_heat_map_level(double value, double low, double high);

#endif
