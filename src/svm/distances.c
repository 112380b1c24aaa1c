/* Distances of training graphs; distances.h has the contracts. Computing a row takes a gather load for each value. Rows
 * are kept because training reads the same rows many times. */
#include "svm/distances.h"
#include <string.h>

enum { LINE = LM_DISTANCES_PAD * sizeof(float) };

leman_status lm_distances_init(leman_context *ctx, const float *gram, size_t graphs, const uint32_t *item, size_t count,
                               size_t copies, size_t *memory, lm_distances *d)
{
    size_t values, bytes;
    *d = (lm_distances){.gram = gram, .graphs = graphs, .item = item, .count = count, .copies = copies};
    d->width = lm_distances_width(copies * count);
    bool keep = lm_multiply(count, d->width, &values) && lm_multiply(values, sizeof *gram, &bytes) && bytes <= *memory;
    if (!keep && !lm_multiply(d->width, LM_DISTANCES_AT_ONCE, &values)) values = SIZE_MAX / 2;
    PASS_NEW(ctx, d->half, count);
    for (size_t i = 0; i < count; i++) d->half[i] = 0.5 * (double)gram[item[i] * graphs + item[i]];
    PASS_NEW(ctx, d->memory, values + LM_DISTANCES_PAD);
    float *aligned = d->memory + (LINE - (uintptr_t)d->memory % LINE) % LINE / sizeof *gram;
    *(keep ? &d->kept : &d->spare) = aligned;
    if (keep) *memory -= bytes;
    PASS_NEW_ZERO(ctx, d->filled, count);
    return LEMAN_OK;
}

void lm_distances_clear(lm_distances *distances)
{
    RELEASE(distances->half, distances->memory, distances->filled);
    *distances = (lm_distances){0};
}

static float compute_one(const lm_distances *distances, size_t row, size_t column)
{
    const float *from = distances->gram + distances->item[row] * distances->graphs;
    return (float)(distances->half[row] + distances->half[column] - (double)from[distances->item[column]]);
}

static void compute(const lm_distances *distances, size_t row, float *out)
{
    for (size_t i = 0; i < distances->count; i++) out[i] = compute_one(distances, row, i);
    for (size_t copy = 1; copy < distances->copies; copy++)
        memcpy(out + copy * distances->count, out, distances->count * sizeof *out);
    for (size_t i = distances->copies * distances->count; i < distances->width; i++) out[i] = 0;
}

const float *lm_distances_at(lm_distances *distances, size_t row, size_t slot)
{
    float *out =
        distances->kept ? distances->kept + row * distances->width : distances->spare + slot * distances->width;
    if (distances->kept && distances->filled[row]) return out;
    compute(distances, row, out);
    distances->filled[row] = true;
    return out;
}

void lm_distances_pick(lm_distances *distances, size_t row, const uint32_t *column, size_t count, float *out)
{
    const float *from = distances->kept ? lm_distances_at(distances, row, 0) : NULL;
    for (size_t i = 0; i < count; i++)
        out[i] = from ? from[column[i]] : compute_one(distances, row, column[i] % distances->count);
    for (size_t i = count; i < lm_distances_width(count); i++) out[i] = 0;
}
