/*
 * leman/linear.h - linear maps of the rows of a matrix in the caller's memory, forward and backward, for programs that
 * have tensors of their own (torch.ops.leman.linear calls them). 32-bit floats, on the CPU.
 */
#ifndef LEMAN_LINEAR_H
#define LEMAN_LINEAR_H

#include "leman/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A linear map with its bias: X [rows][inputs] becomes Y [rows][outputs] = f(X W' + b). */
typedef struct leman_linear_map {
    size_t size; /* leman_linear_map_init() sets it */
    size_t inputs, outputs;
    const float *weight; /* [outputs][inputs] */
    const float *bias;   /* [outputs]; NULL: none */
    bool relu;           /* f is the ReLU; otherwise the identity */
} leman_linear_map;

/* Sets a map without inputs and outputs. */
LEMAN_API void leman_linear_map_init(leman_linear_map *map, size_t size);
static inline leman_linear_map leman_linear_map_default(void)
{
    leman_linear_map map;
    leman_linear_map_init(&map, sizeof map);
    return map;
}

/* Computes y from x. The context's threads compute, each some rows, which stay in its cache between the product, the
 * bias and f. y must not overlap the arrays that are read. Without rows, x and y may be NULL. 2 rows * inputs * outputs
 * floating-point operations. */
LEMAN_API leman_status leman_linear(leman_context *ctx, const leman_linear_map *map, const float *x, size_t rows,
                                    float *y);
/*
 * Computes the gradients of a loss from `gradient`, its gradient by y: with G = gradient f'(X W' + b),
 *
 *   x_gradient[rows][inputs] = G W;   weight_gradient[outputs][inputs] = G' X;   bias_gradient[outputs] = sum of G's rows
 *
 * Each of the three may be NULL; without rows, so may x, y and gradient. y, which leman_linear() computed, may be NULL if f is the identity. The number of
 * threads does not change the result. Allocates up to 32 times the bytes of the weight.
 */
LEMAN_API leman_status leman_linear_backward(leman_context *ctx, const leman_linear_map *map, const float *x,
                                             size_t rows, const float *y, const float *gradient, float *x_gradient,
                                             float *weight_gradient, float *bias_gradient);

#ifdef __cplusplus
}
#endif
#endif
