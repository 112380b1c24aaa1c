/* Weights of a network by their names: what callers read and replace. O(weights + numbers of the weight). */
#include "base/arguments.h"
#include "nn/network.h"
#include <math.h>
#include <string.h>

const char *leman_network_weight_name(const leman_network *network, size_t i, size_t *rows, size_t *columns)
{
    if (!network || i >= network->program->weights.count) return NULL;
    const lm_weight *weight = lm_program_weight(network->program, (uint32_t)i);
    if (rows) *rows = weight->rows;
    if (columns) *columns = weight->columns;
    return weight->name;
}

/* Sets *out to the numbers of a weight that has this name and this shape. */
static leman_status find(leman_context *ctx, const leman_network *network, const char *name, size_t rows,
                         size_t columns, lm_real **out)
{
    PASS(lm_network_is_trained(ctx, network));
    for (uint32_t i = 0; i < network->program->weights.count; i++) {
        const lm_weight *weight = lm_program_weight(network->program, i);
        if (strcmp(weight->name, name) != 0) continue;
        if (weight->rows != rows || weight->columns != columns)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "weight %s: found the shape %zu x %zu, expected %zu x %zu", name,
                           rows, columns, weight->rows, weight->columns);
        *out = network->weights + weight->offset;
        return LEMAN_OK;
    }
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found the weight %s, which the network does not have", name);
}

leman_status leman_network_get_weight(leman_context *ctx, const leman_network *network, const char *name, float *data,
                                      size_t rows, size_t columns)
{
    lm_real *weight = NULL;
    REQUIRE(ctx, network, name, data);
    PASS(find(ctx, network, name, rows, columns, &weight));
    for (size_t i = 0; i < rows * columns; i++) data[i] = (float)weight[i];
    return LEMAN_OK;
}

leman_status leman_network_set_weight(leman_context *ctx, leman_network *network, const char *name, const float *data,
                                      size_t rows, size_t columns)
{
    lm_real *weight = NULL;
    REQUIRE(ctx, network, name, data);
    PASS(find(ctx, network, name, rows, columns, &weight));
    for (size_t i = 0; i < rows * columns; i++)
        if (!isfinite(data[i]))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "weight %s: found a number that is not finite", name);
    for (size_t i = 0; i < rows * columns; i++) weight[i] = data[i];
    return LEMAN_OK;
}
