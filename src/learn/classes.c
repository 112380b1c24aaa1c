/* Which classes a data set has, and the number of each graph's class among them. */
#include "learn/classes.h"
#include "graph/dataset.h"
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

leman_status lm_classes_compute(leman_context *ctx, const leman_dataset *data, lm_classes *out)
{
    leman_status st = LEMAN_OK;
    const leman_shape *shape = leman_dataset_shape(data);
    const int64_t *label = leman_dataset_classes(data);
    lm_classes classes = {0};
    if (!label)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found graphs without classes, expected a class for each", shape->name);
    TRY(lm_require_classes(ctx, data));
    NEW(ctx, classes.label, shape->graphs);
    NEW(ctx, classes.number, shape->graphs);
    if (shape->graphs) memcpy(classes.label, label, shape->graphs * sizeof *label);
    qsort(classes.label, shape->graphs, sizeof *label, compare);
    for (size_t i = 0; i < shape->graphs; i++)
        if (!i || classes.label[i] != classes.label[i - 1]) classes.label[classes.count++] = classes.label[i];
    for (size_t i = 0; i < shape->graphs; i++) {
        const int64_t *place = bsearch(label + i, classes.label, classes.count, sizeof *label, compare);
        classes.number[i] = (uint32_t)(place - classes.label);
    }
    *out = classes;
done:
    if (st) lm_classes_free(ctx, &classes);
    return st;
}

void lm_classes_free(leman_context *ctx, lm_classes *classes)
{
    lm_free(ctx, classes->label);
    lm_free(ctx, classes->number);
    *classes = (lm_classes){0};
}
