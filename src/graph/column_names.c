/*
 * Names of target columns and of classes. They are stored with the columns, and are the same for every selection of
 * graphs. A data set has a name for every target (which may be "") or for none. Only classes that were words have
 * names.
 */
#include "base/sort.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <stdlib.h>
#include <string.h>

static leman_status append_name(leman_context *ctx, const lm_raw *raw, lm_vector *ends, lm_vector *bytes,
                                const char *name, size_t length)
{
    uint64_t end;
    if (!lm_text_printable(name, length))
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found the name of a target or class that is no printable UTF-8 text", raw->name);
    PASS(lm_vector_reserve(ctx, ends, 1, sizeof end));
    PASS(lm_vector_append(ctx, bytes, name, length, 1));
    end = bytes->count;
    return lm_vector_append(ctx, ends, &end, 1, sizeof end);
}

leman_status lm_raw_target_name(leman_context *ctx, lm_raw *raw, const char *name, size_t length)
{
    return append_name(ctx, raw, &raw->target_name_end, &raw->target_name, name, length);
}

leman_status lm_raw_class_name(leman_context *ctx, lm_raw *raw, int64_t class_label, const char *name, size_t length)
{
    PASS(lm_vector_reserve(ctx, &raw->class_name_label, 1, sizeof class_label));
    PASS(append_name(ctx, raw, &raw->class_name_end, &raw->class_name, name, length));
    return lm_vector_append(ctx, &raw->class_name_label, &class_label, 1, sizeof class_label);
}

void lm_raw_name_sizes(const lm_raw *raw, leman_dataset *shape)
{
    shape->target_name_bytes = raw->columns.targets ? raw->target_name.count : 0;
    shape->class_names = raw->columns.classes ? raw->class_name_label.count : 0;
    shape->class_name_bytes = raw->columns.classes ? raw->class_name.count : 0;
}

typedef struct class_name {
    int64_t label;
    size_t number;
} class_name;

static leman_status fill_class_names(leman_context *ctx, const lm_raw *raw, leman_dataset *data)
{
    SCRATCH_SCOPE(ctx);
    const uint64_t *end = raw->class_name_end.items;
    uint64_t *start = LM_WRITABLE(uint64_t, data->class_name_start);
    class_name *names;
    PASS_SCRATCH(ctx, names, data->class_names);
    for (size_t i = 0; i < data->class_names; i++)
        names[i] = (class_name){((const int64_t *)raw->class_name_label.items)[i], i};
    qsort(names, data->class_names, sizeof *names, lm_compare_int64);
    for (size_t i = 0; i < data->class_names; i++) {
        const size_t number = names[i].number, first = number ? end[number - 1] : 0, length = end[number] - first;
        if (i && names[i].label == names[i - 1].label)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found two names of class %lld, expected one", raw->name,
                           (long long)names[i].label);
        LM_WRITABLE(int64_t, data->class_name_label)[i] = names[i].label;
        if (length)
            memcpy(LM_WRITABLE(char, data->class_name) + start[i], (char *)raw->class_name.items + first, length);
        start[i + 1] = start[i] + length;
    }
    return LEMAN_OK;
}

leman_status lm_raw_fill_names(leman_context *ctx, const lm_raw *raw, leman_dataset *data)
{
    if (data->target_name_start) {
        memcpy(LM_WRITABLE(uint64_t, data->target_name_start) + 1, raw->target_name_end.items,
               data->columns.targets * sizeof(uint64_t));
        memcpy(LM_WRITABLE(char, data->target_name), raw->target_name.items, data->target_name_bytes);
    }
    return data->class_names ? fill_class_names(ctx, raw, data) : LEMAN_OK;
}

leman_status lm_raw_copy_names(leman_context *ctx, const leman_dataset *data, lm_raw *raw)
{
    size_t length;
    for (size_t i = 0; i < data->columns.targets && data->target_name_start; i++) {
        const char *name = leman_dataset_target_name(data, i, &length);
        PASS(lm_raw_target_name(ctx, raw, name, length));
    }
    for (size_t i = 0; i < data->class_names; i++) {
        const char *name = leman_dataset_class_name(data, data->class_name_label[i], &length);
        PASS(lm_raw_class_name(ctx, raw, data->class_name_label[i], name, length));
    }
    return LEMAN_OK;
}
