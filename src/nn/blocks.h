/*
 * Blocks: two linear maps, and what stands between and behind them. All networks of the paper are made of these.
 *
 *   Y = linear1 X     [norm1]     ReLU     linear2     [norm2]     [ReLU]     [norm]
 *
 *   inside: norm1 and norm2;   relu: the second ReLU;   behind: the last norm
 */
#ifndef LM_BLOCKS_H
#define LM_BLOCKS_H

#include "nn/program.h"

typedef struct lm_block_kind {
    bool inside, relu, behind;
} lm_block_kind;

typedef struct lm_block {
    lm_block_kind kind;
    uint32_t table; /* linear1 on one-hot input: a row for each type; LM_NONE otherwise */
    lm_linear first, second;
    lm_norm norm[2], behind;
} lm_block;

/* The weights of a block inputs -> middle -> outputs. one_hot: its input is the number of a type. */
lm_block lm_block_new(lm_program *p, lm_block_kind kind, size_t inputs, size_t middle, size_t outputs, bool one_hot);

/* The whole block on a value; on one-hot numbers. */
uint32_t lm_block_apply(lm_program *p, const lm_block *block, uint32_t x);
uint32_t lm_block_look_up(lm_program *p, const lm_block *block, lm_index index);

/* What becomes of linear1's output: ReLU at once, or norm1 first. */
lm_activation lm_block_activation(const lm_block *block);
/* What follows linear1 with its bias and that activation. */
uint32_t lm_block_rest(lm_program *p, const lm_block *block, uint32_t y);

#endif
