/* Lists of the rows of every column, and sums over them. */
#include "kernel/features/feature_lists.h"
#include <string.h>

leman_status lm_feature_lists_make(leman_context *ctx, const leman_features *f, const leman_kernel *kernels,
                                   lm_feature_lists *l)
{
    l->rows = f->rows;
    PASS_SCRATCH_ZERO(ctx, l->start, f->columns + 2);
    PASS_SCRATCH(ctx, l->row, f->entries);
    PASS_SCRATCH(ctx, l->value, f->entries);
    PASS_SCRATCH_ZERO(ctx, l->self, f->rows);
    PASS_SCRATCH_ZERO(ctx, l->minima, f->columns);
    for (size_t c = 0; kernels && c < f->columns; c++) l->minima[c] = kernels[f->feature[c].kernel].assignment;
    size_t *next = l->start + 1; /* shifted by one, so that filling the lists leaves start[] correct */
    for (size_t e = 0; e < f->entries; e++) next[f->column[e] + 1]++;
    for (size_t c = 0; c < f->columns; c++) next[c + 1] += next[c];
    for (size_t i = 0; i < f->rows; i++)
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            const size_t c = f->column[e], at = next[c]++;
            l->row[at] = (uint32_t)i;
            l->value[at] = f->value[e];
            l->self[i] += l->minima[c] ? f->value[e] : f->value[e] * f->value[e];
        }
    return LEMAN_OK;
}

void lm_feature_lists_sum(const lm_feature_lists *l, const uint32_t *column, const double *value, size_t count,
                          double *sum)
{
    memset(sum, 0, l->rows * sizeof *sum);
    for (size_t e = 0; e < count; e++) {
        const size_t c = column[e], end = l->start[c + 1];
        const double own = value[e];
        if (l->minima[c])
            for (size_t i = l->start[c]; i < end; i++) sum[l->row[i]] += own < l->value[i] ? own : l->value[i];
        else
            for (size_t i = l->start[c]; i < end; i++) sum[l->row[i]] += own * l->value[i];
    }
}
