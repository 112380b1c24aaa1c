/* Standardised vertex attributes: mean 0 and standard deviation 1 in every column. O(vertices attributes). */
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A deviation that is so much smaller than the mean comes from rounding a constant. */
static const double CONSTANT = 64 * DBL_EPSILON;

leman_status lm_attribute_scale_new(leman_context *ctx, const leman_dataset *data, lm_attribute_scale *out)
{
    AUTO(lm_attribute_scale_free) lm_attribute_scale scale = {.columns = data->columns.vertex_attributes};
    const size_t columns = scale.columns, n = data->vertices;
    PASS_NEW_ZERO(ctx, scale.mean, columns);
    PASS_NEW_ZERO(ctx, scale.deviation, columns);
    for (size_t v = 0; v < n; v++) /* running means, so that no sum overflows */
        for (size_t c = 0; c < columns; c++) scale.mean[c] += data->vertex_attribute[v * columns + c] / (double)n;
    for (size_t v = 0; v < n; v++)
        for (size_t c = 0; c < columns; c++) {
            const double distance = data->vertex_attribute[v * columns + c] - scale.mean[c];
            scale.deviation[c] += distance * (distance / (double)n);
        }
    for (size_t c = 0; c < columns; c++) {
        const double deviation = sqrt(scale.deviation[c]);
        scale.deviation[c] = deviation > CONSTANT * fabs(scale.mean[c]) && deviation <= DBL_MAX ? deviation : 1;
    }
    return HAND_OVER(out, scale);
}

void lm_attribute_scale_free(lm_attribute_scale *scale)
{
    RELEASE(scale->mean, scale->deviation);
    *scale = (lm_attribute_scale){0};
}

leman_status lm_attribute_scale_serialize(lm_serializer *serializer, lm_attribute_scale *scale)
{
    size_t deviations = scale->columns;
    PASS(lm_serialize_array(serializer, (void **)&scale->mean, &scale->columns, sizeof *scale->mean));
    PASS(lm_serialize_array(serializer, (void **)&scale->deviation, &deviations, sizeof *scale->deviation));
    if (deviations != scale->columns)
        return lm_serializer_fail(serializer, "found %zu mean%s and %zu deviation%s of attributes", scale->columns,
                                  lm_plural(scale->columns), deviations, lm_plural(deviations));
    for (size_t c = 0; c < deviations; c++)
        if (!isfinite(scale->mean[c]) || !(scale->deviation[c] > 0) || !isfinite(scale->deviation[c]))
            return lm_serializer_fail(serializer, "found a scale of attributes that is not finite");
    return LEMAN_OK;
}

leman_status lm_attribute_scale_apply(leman_context *ctx, const lm_attribute_scale *scale, const char *as,
                                      const leman_dataset *data, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *made = NULL;
    const size_t columns = data->columns.vertex_attributes;
    if (columns != scale->columns && data->vertices)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu vertex attribute%s, expected %zu, %s", data->name,
                       columns, lm_plural(columns), scale->columns, as);
    PASS(lm_dataset_derive(ctx, data, data, &made));
    double *x = LM_WRITABLE(double, made->vertex_attribute);
    for (size_t v = 0; x && v < made->vertices; v++)
        for (size_t c = 0; c < columns; c++)
            x[v * columns + c] = (x[v * columns + c] - scale->mean[c]) / scale->deviation[c];
    return HAND_OVER(out, made);
}

leman_status leman_dataset_standardize(leman_context *ctx, const leman_dataset *data, const leman_dataset *like,
                                       leman_dataset **out)
{
    AUTO(lm_attribute_scale_free) lm_attribute_scale scale = {0};
    char as[LM_SENTENCE / 2] = "";
    REQUIRE(ctx, data, out);
    PASS(lm_attribute_scale_new(ctx, like ? like : data, &scale));
    if (like) snprintf(as, sizeof as, "as %s has", like->name);
    return lm_attribute_scale_apply(ctx, &scale, as, data, out);
}
