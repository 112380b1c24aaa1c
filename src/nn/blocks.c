/* Blocks of two linear maps; blocks.h has the formula. Time: 2 rows (inputs middle + middle outputs) operations. */
#include "nn/blocks.h"

lm_block lm_block_new(lm_program *p, lm_block_kind kind, size_t inputs, size_t middle, size_t outputs, bool one_hot)
{
    lm_block b = {.kind = kind, .table = LM_NONE, .first = {LM_NONE, LM_NONE}};
    if (one_hot) {
        b.table = lm_table_new(p, "linear1", inputs, middle);
        b.first.bias = lm_bias_new(p, "linear1", inputs, middle);
    } else {
        b.first = lm_linear_new(p, "linear1", inputs, middle);
    }
    if (kind.inside) b.norm[0] = lm_norm_new(p, "norm1", middle);
    b.second = lm_linear_new(p, "linear2", middle, outputs);
    if (kind.inside) b.norm[1] = lm_norm_new(p, "norm2", outputs);
    if (kind.behind) b.behind = lm_norm_new(p, "norm", outputs);
    return b;
}

lm_activation lm_block_activation(const lm_block *b)
{
    return b->kind.inside ? LM_IDENTITY : LM_RELU;
}

uint32_t lm_block_rest(lm_program *p, const lm_block *b, uint32_t y)
{
    const lm_activation end = b->kind.relu ? LM_RELU : LM_IDENTITY;
    if (b->kind.inside) y = lm_program_norm(p, y, b->norm[0], LM_RELU);
    y = lm_program_linear(p, y, b->second, b->kind.inside ? LM_IDENTITY : end);
    if (b->kind.inside) y = lm_program_norm(p, y, b->norm[1], end);
    if (b->kind.behind) y = lm_program_norm(p, y, b->behind, LM_IDENTITY);
    return y;
}

uint32_t lm_block_apply(lm_program *p, const lm_block *b, uint32_t x)
{
    return lm_block_rest(p, b, lm_program_linear(p, x, b->first, lm_block_activation(b)));
}

uint32_t lm_block_look_up(lm_program *p, const lm_block *b, lm_index index)
{
    const uint32_t y = lm_program_embed(p, index, 0, b->table);
    return lm_block_rest(p, b, lm_program_bias(p, y, b->first.bias, lm_block_activation(b)));
}
