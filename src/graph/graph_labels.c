/*
 * Classes and targets of graphs: missing values, one target column as the class or as the only target, replacing
 * classes and targets, and names of classes.
 */
#include "base/arguments.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <math.h>
#include <string.h>

/* ---- Missing values -------------------------------------------------------------------------- */

static const uint64_t MISSING = UINT64_C(0x7ff8000000000000); /* quiet, positive, without payload */

double lm_missing_target(void)
{
    double value;
    memcpy(&value, &MISSING, sizeof value);
    return value;
}

bool lm_is_missing_target(double value)
{
    return !memcmp(&value, &MISSING, sizeof value);
}

leman_status lm_require_classes(leman_context *ctx, const leman_dataset *data)
{
    size_t count = 0, first = 0;
    for (size_t g = data->graphs; g-- > 0;)
        if (data->class_label[g] == LEMAN_CLASS_MISSING) count++, first = g;
    if (!count) return LEMAN_OK;
    first += data->first_graph;
    if (count == 1)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no class of graph %zu, expected one for every graph",
                       data->name, first);
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "%s: found no class of %zu graph%s, the first of which is graph %zu, expected one for every graph",
                   data->name, count, lm_plural(count), first);
}

/* ---- A target as the class ------------------------------------------------------------------- */

/* Every integer below this is exactly one double, so that different classes stay different. */
static const double LARGEST = 9007199254740992.0; /* 2^53 */

leman_status lm_target_class(leman_context *ctx, const leman_dataset *data, size_t graph, size_t column, int64_t *out)
{
    const double value = data->target[graph * data->columns.targets + column];
    *out = LEMAN_CLASS_MISSING;
    if (isnan(value)) return LEMAN_OK;
    if (value != floor(value) || fabs(value) >= LARGEST)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found %.17g as target %zu of graph %zu, expected an integer, since it is to be the class",
                       data->name, value, column, data->first_graph + graph);
    *out = (int64_t)value;
    return LEMAN_OK;
}

static leman_status check_column(leman_context *ctx, const leman_dataset *data, size_t column)
{
    if (column < data->columns.targets) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "%s: found %zu column%s of targets, expected more: there is no column %zu (counted from 0)",
                   data->name, data->columns.targets, lm_plural(data->columns.targets), column);
}

leman_status leman_dataset_use_class(leman_context *ctx, const leman_dataset *data, size_t column, leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_dataset *made = NULL, shape;
    REQUIRE(ctx, data, out);
    TRY(check_column(ctx, data, column));
    shape = *data;
    shape.columns.classes = true;
    shape.class_names = shape.class_name_bytes = 0;
    TRY(lm_dataset_derive(ctx, data, &shape, &made));
    int64_t *class_label = LM_WRITABLE(int64_t, made->class_label);
    for (size_t g = 0; g < data->graphs; g++) TRY(lm_target_class(ctx, data, g, column, class_label + g));
done:
    if (st)
        leman_dataset_free(made);
    else
        *out = made;
    return st;
}

leman_status leman_dataset_use_target(leman_context *ctx, const leman_dataset *data, size_t column, leman_dataset **out)
{
    leman_dataset *made = NULL, shape;
    size_t length;
    REQUIRE(ctx, data, out);
    PASS(check_column(ctx, data, column));
    const char *name = leman_dataset_target_name(data, column, &length);
    shape = *data;
    shape.columns.classes = false;
    shape.columns.targets = 1;
    shape.class_names = shape.class_name_bytes = 0;
    shape.target_name_bytes = length;
    PASS(lm_dataset_derive(ctx, data, &shape, &made));
    double *target = LM_WRITABLE(double, made->target);
    for (size_t g = 0; g < data->graphs; g++) target[g] = data->target[g * data->columns.targets + column];
    if (made->target_name_start) {
        LM_WRITABLE(uint64_t, made->target_name_start)[1] = length;
        memcpy(LM_WRITABLE(char, made->target_name), name, length);
    }
    *out = made;
    return LEMAN_OK;
}

leman_status leman_dataset_set_targets(leman_context *ctx, const leman_dataset *data, const int64_t *class_label,
                                       const double *target, size_t columns, leman_dataset **out)
{
    leman_dataset *made = NULL, shape;
    size_t values;
    REQUIRE(ctx, data, out);
    if (columns) REQUIRE(ctx, target);
    if (!lm_multiply(data->graphs, columns, &values))
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "%s: %zu column%s of targets: larger than any memory", data->name,
                       columns, lm_plural(columns));
    for (size_t i = 0; i < values; i++)
        if (isinf(target[i]))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found targets that are neither finite nor missing",
                           data->name);
    shape = *data;
    shape.columns.classes = class_label != NULL;
    shape.columns.targets = columns;
    shape.class_names = shape.class_name_bytes = shape.target_name_bytes = 0;
    PASS(lm_dataset_derive(ctx, data, &shape, &made));
    if (class_label && data->graphs)
        memcpy(LM_WRITABLE(int64_t, made->class_label), class_label, data->graphs * sizeof *class_label);
    double *to = LM_WRITABLE(double, made->target);
    for (size_t i = 0; i < values; i++) to[i] = isnan(target[i]) ? lm_missing_target() : target[i];
    *out = made;
    return LEMAN_OK;
}

leman_status leman_dataset_set_class_names(leman_context *ctx, const leman_dataset *data, const int64_t *class_label,
                                           const char *const *name, size_t count, leman_dataset **out)
{
    leman_dataset *made = NULL, shape;
    REQUIRE(ctx, data, out);
    if (count) REQUIRE(ctx, class_label);
    if (count) REQUIRE(ctx, name);
    if (!data->class_label)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no classes that could have names", data->name);
    shape = *data;
    shape.class_names = count;
    shape.class_name_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (!name[i] || !*name[i] || !lm_text_printable(name[i], strlen(name[i])))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found a name of class %lld that is no printable UTF-8 text",
                           data->name, (long long)class_label[i]);
        if (i && class_label[i] <= class_label[i - 1])
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "%s: found class %lld behind class %lld, expected increasing ones", data->name,
                           (long long)class_label[i], (long long)class_label[i - 1]);
        shape.class_name_bytes += strlen(name[i]);
    }
    PASS(lm_dataset_derive(ctx, data, &shape, &made));
    uint64_t *start = LM_WRITABLE(uint64_t, made->class_name_start);
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(name[i]);
        LM_WRITABLE(int64_t, made->class_name_label)[i] = class_label[i];
        memcpy(LM_WRITABLE(char, made->class_name) + start[i], name[i], length);
        start[i + 1] = start[i] + length;
    }
    *out = made;
    return LEMAN_OK;
}
