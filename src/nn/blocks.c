/* Blocks of two linear maps; blocks.h has the formula. Time: 2 rows (inputs middle + middle outputs) operations. */
#include "nn/blocks.h"

lm_mixed lm_mixed_new(lm_program *p, const char *name, size_t types, size_t reals, size_t outputs)
{
    if (!types) return (lm_mixed){LM_NONE, lm_linear_new(p, name, reals, outputs)};
    lm_mixed map = {.linear.weight = LM_NONE};
    lm_program_enter(p, "%s", name);
    map.table = lm_map_new(p, "table", types, outputs, types + reals).weight;
    if (reals) map.linear.weight = lm_map_new(p, "weight", outputs, reals, types + reals).weight;
    lm_program_leave(p);
    map.linear.bias = lm_bias_new(p, name, types + reals, outputs);
    return map;
}

uint32_t lm_mixed_apply(lm_program *p, const lm_mixed *map, lm_index index, lm_source source, lm_activation activation)
{
    const uint32_t weight = map->linear.weight;
    const uint32_t types = map->table == LM_NONE ? LM_NONE : lm_program_embed(p, index, 0, map->table);
    if (weight == LM_NONE) return lm_program_bias(p, types, map->linear.bias, activation);
    const uint32_t x = lm_program_input(p, source, lm_program_weight(p, weight)->columns);
    if (types == LM_NONE) return lm_program_linear(p, x, map->linear, activation);
    return lm_program_add(p, types, lm_program_linear(p, x, map->linear, LM_IDENTITY), activation);
}

lm_block lm_block_mixed(lm_program *p, lm_block_kind kind, size_t types, size_t reals, size_t middle, size_t outputs)
{
    const lm_mixed first = lm_mixed_new(p, "linear1", types, reals, middle);
    lm_block b = {.kind = kind, .table = first.table, .first = first.linear};
    if (kind.inside) b.norm[0] = lm_norm_new(p, "norm1", middle);
    b.second = lm_linear_new(p, "linear2", middle, outputs);
    if (kind.inside) b.norm[1] = lm_norm_new(p, "norm2", outputs);
    if (kind.behind) b.behind = lm_norm_new(p, "norm", outputs);
    return b;
}

lm_block lm_block_new(lm_program *p, lm_block_kind kind, size_t inputs, size_t middle, size_t outputs, bool one_hot)
{
    return lm_block_mixed(p, kind, one_hot ? inputs : 0, one_hot ? 0 : inputs, middle, outputs);
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

uint32_t lm_block_apply_mixed(lm_program *p, const lm_block *b, lm_index index, lm_source source)
{
    const lm_mixed first = {b->table, b->first};
    return lm_block_rest(p, b, lm_mixed_apply(p, &first, index, source, lm_block_activation(b)));
}
