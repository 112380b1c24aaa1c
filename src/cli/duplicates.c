/* Says which molecules are the same after they were standardised, and whether their classes or targets contradict. */
#include "cli/commands.h"
#include <stdio.h>

/* Writes "graph 3 (aspirin)" into text[size]. */
static const char *graph_text(const leman_dataset *data, size_t graph, char *text, size_t size)
{
    size_t length;
    const char *name = leman_dataset_graph_name(data, graph, &length);
    if (length)
        snprintf(text, size, "graph %zu (%.*s)", graph, (int)length, name);
    else
        snprintf(text, size, "graph %zu", graph);
    return text;
}

leman_status lm_duplicates_log(lm_work *work, const leman_dataset *data)
{
    leman_read_options read = leman_read_options_default();
    leman_repeats found;
    char text[2][128];
    PASS(leman_reading_apply(work->ctx, leman_dataset_reading(data), &read, NULL));
    if (!(read.standardize)) return LEMAN_OK;
    PASS(leman_dataset_repeats(work->ctx, data, &found));
    const char *name = leman_dataset_shape(data)->name;
    if (found.classes)
        lm_work_log(work,
                    "%s: %zu molecule%s in more than one row, in %zu rows together; leman unique --exact leaves "
                    "one of each",
                    name, found.classes, found.classes == 1 ? " is" : "s are", found.graphs);
    if (found.contradictions)
        lm_work_log(work,
                    "%s: %zu of these molecules with different classes or values; the first: %s and %s, counted "
                    "from 0",
                    name, found.contradictions, graph_text(data, found.first, text[0], sizeof *text),
                    graph_text(data, found.second, text[1], sizeof *text));
    return LEMAN_OK;
}
