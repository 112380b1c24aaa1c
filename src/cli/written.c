/* Writing data sets: checks of the destination, and the report about what was written. */
#include "cli/commands.h"
#include <string.h>

leman_status lm_written_check(lm_work *work, const char *path, const char *to)
{
    bool standard = !strcmp(path, "-");
    if (standard && !to) return MISUSE(work->ctx, "standard output has no name to take the format from: add --to");
    if (standard && !strcmp(to, "tu")) return MISUSE(work->ctx, "a TU folder cannot go to standard output; tu-zip can");
    if (standard && work->options->json)
        return MISUSE(work->ctx, "the graphs and --json cannot both go to standard output");
    leman_format format;
    return to ? LEMAN_OK : leman_format_for_writing(work->ctx, path, &format);
}

leman_status lm_written_save(lm_work *work, const leman_dataset *data, const char *path, const char *to,
                             const leman_cleaning *report, size_t read)
{
    leman_format format = LEMAN_FORMAT_AUTO;
    const leman_shape *shape = leman_dataset_shape(data);
    lm_json *json = &work->json;
    if (to) PASS(leman_format_parse(work->ctx, to, &format));
    PASS(leman_dataset_write(work->ctx, data, path, format));
    LM_PUT(json, json->object, KEY("output", path), MEMBER(shape, name), MEMBER(shape, graphs));
    if (read) LM_PUT(json, json->object, KEY("graphs_read", read));
    LM_PUT(json, json->object, MEMBER(shape, vertices), MEMBER(shape, edges));
    if (report) lm_cleaning_json(json, json->object, report);
    if (!work->options->json && strcmp(path, "-")) {
        const bool subset = shape->graphs < read;
        lm_work_log(work, "%s: wrote %s%s graph%s, %s %s, %s edge%s", path, COUNT_TEXT(shape->graphs),
                    subset ? FORMAT(" of %s", COUNT_TEXT(read)) : "", lm_plural(subset ? read : shape->graphs),
                    COUNT_TEXT(shape->vertices), lm_plural_of(shape->vertices, "vertex", "vertices"),
                    COUNT_TEXT(shape->edges), lm_plural(shape->edges));
    }
    return LEMAN_OK;
}
