/*
 * Products of the Hessians of several linear SVMs with a direction each, in one pass over the rows that they share:
 *
 *   image[l] = sum over rows of loss[row][l] x (x . direction[l])          for the lanes l = 0 .. lanes-1
 *
 * A lane is one SVM: a fold, or a class against the others. Reading rows and waiting for rare columns costs nearly as
 * much for one lane as for four. A row that is not in a lane has the loss 0 there and adds nothing, so every lane gets
 * the bits that it would get alone.
 *
 * Direction and image of a column stand side by side, so that the second pass over a row finds in the cache what the
 * first one read. Rare columns, nearly all that there are, have little to sum up and get single precision.
 */
#ifndef LM_PRODUCTS_H
#define LM_PRODUCTS_H

#include "svm/round_features.h"

#define LM_LANES 4 /* at most */

typedef struct lm_products {
    const lm_rows *rows;
    size_t lanes;                                 /* 1, 2 or 4 */
    size_t count;                                 /* rows of any lane */
    size_t width, frequent;                       /* columns and the bias; the first ones, in double precision */
    uint32_t *row;                                /* [count] of rows, in the order of the sums */
    uint32_t *split;                              /* [count] nodes of it in frequent columns, the first ones */
    double *loss;                                 /* [count][lanes] to be filled in; 0 at first */
    double *value;                                /* [count][lanes] direction.x of rows that have a loss in any lane */
    double *product;                              /* [frequent][direction, image][lanes] */
    float *rare;                                  /* [width - frequent][direction, image][lanes]; the bias last */
    double square[LM_LANES], curvature[LM_LANES]; /* |direction|^2; sum of loss * value^2, which is direction.image */
} lm_products;

/* In the context's scratch, directions 0. item[count][size]: the rows of each SVM, increasing unless it is the only
 * list. place[l][i] gets where row i of list l stands. */
leman_status lm_products_init(leman_context *ctx, const lm_rows *rows, const uint32_t *const *item, const size_t *size,
                              size_t count, uint32_t *const *place, lm_products *products);
/* Bytes of scratch for one row and for one column. */
size_t lm_products_row_bytes(size_t lanes);
size_t lm_products_column_bytes(size_t lanes);
/* direction = add[l] + keep[l] direction, [width] each. */
void lm_products_set_directions(lm_products *products, double *const *add, const double *keep);
/* Images, values and curvatures. O(nodes of the rows that have a loss in any lane). */
void lm_products_multiply(lm_products *products);
/* step[l] += length[l] direction and rest[l] -= length[l] (direction + factor image), [width] each; norm[l] =
 * |rest[l]|^2. */
void lm_products_advance(const lm_products *products, double factor, const double *length, double *const *step,
                         double *const *rest, double *norm);

#endif
