/*
 * Products of the Hessians of several linear SVMs with one direction each, in one pass over the rows that they share:
 *
 *   image[l] = sum over rows of loss[row][l] x (x . direction[l])          for the lanes l = 0 .. lanes-1
 *
 * A lane is one SVM: a fold, or a class against the others. Reading rows and waiting for rare columns costs nearly as
 * much for one lane as for four. A row that does not belong to a lane has loss 0 there and adds nothing, so every lane
 * gets the same bits as alone.
 *
 * Direction and image of a column are adjacent, so that the second pass over a row finds them in the cache. Rare
 * columns, which are nearly all columns, have short sums and use single precision.
 */
#ifndef LM_PRODUCTS_H
#define LM_PRODUCTS_H

#include "svm/round_features.h"

#define LM_LANES 4 /* upper bound of the lanes */

typedef struct lm_products {
    const lm_rows *rows;
    size_t lanes;                                 /* 1, 2 or 4 */
    size_t count;                                 /* rows that belong to any lane */
    size_t width, frequent;                       /* columns and the bias; the first columns, in double precision */
    uint32_t *row;                                /* [count] numbers of the rows, in the order of the sums */
    uint32_t *split;                              /* [count] the row's nodes in frequent columns, which come first */
    double *loss;                                 /* [count][lanes] set by the caller; 0 at first */
    double *value;                                /* [count][lanes] direction.x of rows with a loss in any lane */
    double *product;                              /* [frequent][direction, image][lanes] */
    float *rare;                                  /* [width - frequent][direction, image][lanes]; the bias last */
    double square[LM_LANES], curvature[LM_LANES]; /* |direction|^2; sum of loss * value^2, which is direction.image */
} lm_products;

/* Prepares products in the context's scratch arena, with all directions 0. item[l][size[l]] are the rows of SVM l of
 * `count`; they must be increasing unless all lists are the same. place[l][i] is set to the index in `row` of row i of
 * list l. */
leman_status lm_products_init(leman_context *ctx, const lm_rows *rows, const uint32_t *const *item, const size_t *size,
                              size_t count, uint32_t *const *place, lm_products *products);
/* Sets direction[l] to add[l] + keep[l] direction[l], each of `width` numbers. */
void lm_products_set_directions(lm_products *products, double *const *add, const double *keep);
/* Computes images, values and curvatures. O(nodes of the rows with a loss in any lane). */
void lm_products_multiply(lm_products *products);
/* Computes step[l] += length[l] direction[l] and rest[l] -= length[l] (direction[l] + factor image[l]), each of `width`
 * numbers, and norm[l] = |rest[l]|^2. */
void lm_products_advance(const lm_products *products, double factor, const double *length, double *const *step,
                         double *const *rest, double *norm);

#endif
