/*
 * Blocks: two linear maps with optional normalisations and activations. All networks of the paper consist of blocks.
 *
 *   Y = linear1 X     [norm1]     ReLU     linear2     [norm2]     [ReLU]     [norm]
 *
 * The members of lm_block_kind: `inside` adds norm1 and norm2, `relu` the second ReLU, `behind` the last norm.
 */
#ifndef LM_BLOCKS_H
#define LM_BLOCKS_H

#include "nn/program.h"

/* The weights of a linear map on one-hot types and reals side by side, Y = f(T[type] + X W' + b). */
typedef struct lm_mixed {
    uint32_t table;   /* T, one row per type; LM_NONE: no types */
    lm_linear linear; /* W and b; without W if there are no reals */
} lm_mixed;
/* Creates the map. types or reals may be 0. Initial numbers are uniform in +-1/sqrt(types + reals). */
lm_mixed lm_mixed_new(lm_program *p, const char *name, size_t types, size_t reals, size_t outputs);
/* Applies the map to the types that `index` names and to the reals of the batch that `source` names. */
uint32_t lm_mixed_apply(lm_program *p, const lm_mixed *map, lm_index index, lm_source source, lm_activation activation);

typedef struct lm_block_kind {
    bool inside, relu, behind;
} lm_block_kind;

typedef struct lm_block {
    lm_block_kind kind;
    uint32_t table; /* linear1 on one-hot input: one row per type; otherwise LM_NONE */
    lm_linear first, second;
    lm_norm norm[2], behind;
} lm_block;

/* Creates the weights of a block inputs -> middle -> outputs. one_hot: the input is the number of a type. */
lm_block lm_block_new(lm_program *p, lm_block_kind kind, size_t inputs, size_t middle, size_t outputs, bool one_hot);
/* Like lm_block_new() for one-hot types and reals side by side. types or reals may be 0. */
lm_block lm_block_mixed(lm_program *p, lm_block_kind kind, size_t types, size_t reals, size_t middle, size_t outputs);

/* Applies the whole block: to the value x, or to the one-hot types that `index` names. */
uint32_t lm_block_apply(lm_program *p, const lm_block *block, uint32_t x);
uint32_t lm_block_look_up(lm_program *p, const lm_block *block, lm_index index);
/* Applies the whole block to the types that `index` names and to the reals of the batch that `source` names. */
uint32_t lm_block_apply_mixed(lm_program *p, const lm_block *block, lm_index index, lm_source source);

/* Returns the activation that directly follows linear1: ReLU, or the identity if norm1 comes first. */
lm_activation lm_block_activation(const lm_block *block);
/* Applies the rest of the block to y. y is the output of linear1 with its bias and lm_block_activation(). */
uint32_t lm_block_rest(lm_program *p, const lm_block *block, uint32_t y);

#endif
