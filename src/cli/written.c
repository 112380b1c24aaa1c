/* Writing data sets: checks of the destination, and the report about what was written. */
#include "cli/commands.h"
#include <stdio.h>
#include <string.h>

leman_status lm_written_check(lm_work *work, const char *path, const char *to)
{
    bool standard = !strcmp(path, "-");
    if (standard && !to)
        return lm_fail(work->ctx, LEMAN_ERROR_ARGUMENT,
                       "standard output has no name to take the format from: add --to");
    if (standard && !strcmp(to, "tu"))
        return lm_fail(work->ctx, LEMAN_ERROR_ARGUMENT, "a TU folder cannot go to standard output; tu-zip can");
    if (standard && work->options->json)
        return lm_fail(work->ctx, LEMAN_ERROR_ARGUMENT, "the graphs and --json cannot both go to standard output");
    leman_format format;
    return to ? LEMAN_OK : leman_format_for_writing(work->ctx, path, &format);
}

leman_status lm_written_save(lm_work *work, const leman_dataset *data, const char *path, const char *to,
                             const leman_cleaning *report, size_t read)
{
    leman_status st = LEMAN_OK;
    leman_format format = LEMAN_FORMAT_AUTO;
    const leman_shape *shape = leman_dataset_shape(data);
    lm_json json = {0};
    if (to) TRY(leman_format_parse(work->ctx, to, &format));
    TRY(leman_dataset_write(work->ctx, data, path, format));
    if (work->options->json) {
        json = lm_json_new();
        lm_json_text(&json, json.object, "output", path);
        lm_json_text(&json, json.object, "name", shape->name);
        lm_json_count(&json, json.object, "graphs", shape->graphs);
        if (read) lm_json_count(&json, json.object, "graphs_read", read);
        lm_json_count(&json, json.object, "vertices", shape->vertices);
        lm_json_count(&json, json.object, "edges", shape->edges);
        if (report) lm_cleaning_json(&json, json.object, report);
        TRY(lm_output_open(work->ctx, "-", &work->out)); /* --output is the file of the graphs */
        TRY(lm_json_write(work->ctx, &json, &work->out));
    } else if (strcmp(path, "-")) {
        char graphs[LM_NUMBER_TEXT], vertices[LM_NUMBER_TEXT], edges[LM_NUMBER_TEXT], of[LM_NUMBER_TEXT + 8] = "";
        const bool subset = shape->graphs < read;
        if (subset) snprintf(of, sizeof of, " of %s", lm_count_text(read, graphs));
        lm_work_log(work, "%s: wrote %s%s graph%s, %s %s, %s edge%s", path, lm_count_text(shape->graphs, graphs), of,
                    lm_plural(subset ? read : shape->graphs), lm_count_text(shape->vertices, vertices),
                    lm_plural_of(shape->vertices, "vertex", "vertices"), lm_count_text(shape->edges, edges),
                    lm_plural(shape->edges));
    }
done:
    lm_json_free(&json);
    return st;
}
