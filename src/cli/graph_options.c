/* Weights and bounds of graphs; see graph_options.h. */
#include "cli/graph_options.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

void lm_graph_options_before(lm_work *work, const lm_graph_options *options, leman_rows **rows)
{
    work->rows = options->sample_weights ? rows : NULL;
    work->censored = options->censored;
}

/* Returns true if a graph has the class, or one of the targets, that are learned. */
static bool is_known(const leman_dataset *data, const size_t *target, size_t targets, size_t graph)
{
    const double *value = leman_dataset_targets(data) + graph * leman_dataset_shape(data)->columns->targets;
    const int64_t *class_label = leman_dataset_classes(data);
    for (size_t t = 0; t < targets; t++)
        if (!isnan(value[target[t]])) return true;
    return !targets && (!class_label || class_label[graph] != LEMAN_CLASS_MISSING);
}

/* Writes "FILE:LINE" of a graph, or, if lines are not known, "FILE: graph 17", into text and returns text. */
static const char *place_of(const lm_work *work, const leman_rows *rows, size_t graph, char text[LM_SENTENCE / 2])
{
    const char *path = work->options->operand[0];
    lm_snprintf(text, LM_SENTENCE / 2, "%s: graph %zu", path, graph);
    for (size_t i = 0; i < leman_rows_count(rows); i++) {
        const leman_row row = leman_rows_get(rows, i);
        if (row.graph != graph) continue;
        lm_snprintf(text, LM_SENTENCE / 2, "%s:%llu", path, (unsigned long long)row.line);
        break;
    }
    return text;
}

leman_status lm_graph_weights(lm_work *work, const lm_graph_options *options, const leman_dataset *data,
                              const leman_rows *rows, const size_t *target, size_t targets, const double **weight)
{
    const size_t graphs = leman_dataset_shape(data)->graphs, columns = leman_dataset_shape(data)->columns->targets;
    const double *value = leman_dataset_targets(data);
    size_t column;
    double *own;
    char place[LM_SENTENCE / 2];
    *weight = NULL;
    if (!options->sample_weights) return LEMAN_OK;
    PASS(leman_dataset_target_find(work->ctx, data, options->sample_weights, &column));
    PASS_SCRATCH(work->ctx, own, graphs);
    for (size_t g = 0; g < graphs; g++) {
        own[g] = value[g * columns + column];
        if (own[g] > 0 || !is_known(data, target, targets, g)) continue;
        return lm_fail(
            work->ctx, LEMAN_ERROR_INPUT, "%s: found %s as the weight in column '%s', expected a number above 0",
            place_of(work, rows, g, place), isnan(own[g]) ? "nothing" : FORMAT("%g", own[g]), options->sample_weights);
    }
    *weight = own;
    return LEMAN_OK;
}

/* Returns the column of the bounds of a target, which the reader adds at the end; SIZE_MAX: it has none. */
static size_t column_of_bounds(const leman_dataset *data, size_t target)
{
    static const char SUFFIX[] = " censoring";
    size_t length, own;
    const char *name = leman_dataset_target_name(data, target, &length);
    for (size_t c = leman_dataset_shape(data)->columns->targets; length && c-- > 0;) {
        const char *other = leman_dataset_target_name(data, c, &own);
        if (own == length + strlen(SUFFIX) && !memcmp(other, name, length) &&
            !memcmp(other + length, SUFFIX, strlen(SUFFIX)))
            return c;
    }
    return SIZE_MAX;
}

leman_status lm_graph_bounds(lm_work *work, const lm_graph_options *options, const leman_dataset *data,
                             const size_t *target, size_t targets, const int8_t **bound)
{
    const size_t graphs = leman_dataset_shape(data)->graphs, columns = leman_dataset_shape(data)->columns->targets;
    const double *value = leman_dataset_targets(data);
    int8_t *own;
    size_t size, found = 0;
    *bound = NULL;
    if (!options->censored) return LEMAN_OK;
    if (!lm_multiply(graphs, targets, &size)) size = SIZE_MAX;
    PASS_SCRATCH_ZERO(work->ctx, own, size);
    for (size_t t = 0; t < targets; t++) {
        const size_t column = column_of_bounds(data, target[t]);
        size_t length;
        const char *name = leman_dataset_target_name(data, target[t], &length);
        if (column == SIZE_MAX)
            lm_work_log(work, "option '--censored': found no bounds, such as >10, in the column '%.*s'", (int)length,
                        name);
        else
            found++;
        for (size_t g = 0; column != SIZE_MAX && g < graphs; g++) {
            const double side = value[g * columns + column];
            own[t * graphs + g] = side > 0 ? 1 : side < 0 ? -1 : 0;
        }
    }
    if (found) *bound = own;
    return LEMAN_OK;
}
