/* leman convert: reads any format, selects graphs and columns, and writes any writable format. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/options/choices.h"
#include <string.h>

typedef struct convert_options {
    lm_common common;
    const char *to;
    uint64_t keep, drop; /* bits of COLUMNS */
    lm_ranges graphs;
} convert_options;

#define FIELD(member) offsetof(convert_options, member)

static const char *const COLUMNS[] = {
    "vertex-labels", "edge-labels", "vertex-attributes", "edge-attributes", "classes", "targets", "names", NULL};
enum {
    VERTEX_LABELS = 1,
    EDGE_LABELS = 2,
    VERTEX_ATTRIBUTES = 4,
    EDGE_ATTRIBUTES = 8,
    CLASSES = 16,
    TARGETS = 32,
    NAMES = 64,
    EVERYTHING = 127
};

static const lm_option ROWS[] = {
    LM_ROW("to", 0, LM_CHOICE, FIELD(to), "FORMAT", lm_choices_format_help, .choices = lm_choices_writable),
    LM_ROW("keep", 0, LM_SET, FIELD(keep), "LIST", HELP_CONVERT_KEEP, .choices = COLUMNS),
    LM_ROW("drop", 0, LM_SET, FIELD(drop), "LIST", HELP_CONVERT_DROP, .choices = COLUMNS),
    LM_ROW("graphs", 0, LM_RANGES, FIELD(graphs), "LIST", HELP_CONVERT_GRAPHS),
    LM_OUTPUT_ROW(HELP_CONVERT_OUTPUT),
    {0},
};

/* ---- Writing --------------------------------------------------------------------------------- */

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

/* Writes the data; an SDF with coordinates. */
static leman_status write_placed(leman_context *ctx, const leman_dataset *data, const char *path, const char *to)
{
    AUTO(leman_dataset_drop) leman_dataset *placed = NULL;
    leman_format format;
    if (to)
        PASS(leman_format_parse(ctx, to, &format));
    else
        PASS(leman_format_for_writing(ctx, path, &format));
    if (format == LEMAN_FORMAT_SDF) PASS(leman_dataset_lay_out(ctx, data, &placed));
    return leman_dataset_write(ctx, placed ? placed : data, path, format);
}

leman_status lm_written_save(lm_work *work, const leman_dataset *data, const char *path, const char *to,
                             const leman_cleaning *report, size_t read)
{
    const leman_shape *shape = leman_dataset_shape(data);
    lm_json *json = &work->json;
    PASS(write_placed(work->ctx, data, path, to));
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

/* ---- The command ----------------------------------------------------------------------------- */

/* Replaces *data by the selected graphs. */
static leman_status select_graphs(leman_context *ctx, const convert_options *asked, leman_dataset **data)
{
    size_t graphs = leman_dataset_shape(*data)->graphs, count, *which;
    const lm_range *range = asked->graphs.range.items;
    leman_dataset *selected = NULL;
    for (size_t i = 0; i < asked->graphs.range.count; i++)
        if (range[i].last >= graphs)
            return lm_fail(ctx, LEMAN_ERROR_INPUT,
                           "%s: found graph %llu in --graphs, expected numbers from 0 and below %zu",
                           asked->common.operand[0], (unsigned long long)range[i].last, graphs);
    PASS(lm_ranges_list(ctx, "--graphs", &asked->graphs, SIZE_MAX, &which, &count));
    PASS(leman_dataset_select(ctx, *data, count, which, &selected));
    leman_dataset_free(*data);
    *data = selected;
    return LEMAN_OK;
}

/* Replaces *data by a copy with fewer columns. */
static leman_status keep_columns(leman_context *ctx, uint64_t kept, leman_dataset **data)
{
    leman_dataset *fewer = NULL;
    leman_columns keep = {.vertex_labels = (kept & VERTEX_LABELS) != 0,
                          .edge_labels = (kept & EDGE_LABELS) != 0,
                          .vertex_attributes = (kept & VERTEX_ATTRIBUTES) != 0,
                          .edge_attributes = (kept & EDGE_ATTRIBUTES) != 0,
                          .targets = (kept & TARGETS) != 0,
                          .classes = (kept & CLASSES) != 0,
                          .graph_names = (kept & NAMES) != 0,
                          .vertex_names = (kept & NAMES) != 0};
    PASS(leman_dataset_keep(ctx, *data, &keep, &fewer));
    leman_dataset_free(*data);
    *data = fewer;
    return LEMAN_OK;
}

/* Returns true if IN is an SDF by its name or by --from. */
static bool is_sdf(leman_context *ctx, const lm_common *common)
{
    leman_format format = LEMAN_FORMAT_AUTO;
    const char *path = common->operand[0];
    const leman_status st =
        common->from ? leman_format_parse(ctx, common->from, &format) : leman_format_for_writing(ctx, path, &format);
    return !st && format == LEMAN_FORMAT_SDF;
}

/* Reads IN. If molecules are written, their labels have all that a molecule consists of, hydrogens included, unless
 * options say otherwise: so [nH] and radicals are written as they were read, and so are the double bonds of an SDF,
 * whether E, Z or unknown. */
static leman_status read_input(lm_work *work, const convert_options *asked, const char *path, leman_cleaning *report,
                               leman_dataset **data)
{
    const lm_common *common = &asked->common;
    lm_common reading = *common;
    leman_format format = LEMAN_FORMAT_AUTO;
    if (asked->to)
        PASS(leman_format_parse(work->ctx, asked->to, &format));
    else
        PASS(leman_format_for_writing(work->ctx, path, &format));
    const bool molecules = format == LEMAN_FORMAT_SDF || format == LEMAN_FORMAT_SMILES;
    if (molecules && !common->atom_labels)
        reading.atom_labels =
            LEMAN_ATOM_ELEMENT | LEMAN_ATOM_CHARGE | LEMAN_ATOM_ISOTOPE | LEMAN_ATOM_RADICAL | LEMAN_ATOM_HYDROGENS;
    if (molecules && !common->stereo && is_sdf(work->ctx, common)) reading.stereo = "labels";
    work->options = &reading;
    const leman_status st = lm_work_read(work, common->operand[0], report, data);
    work->options = common;
    return st;
}

static leman_status convert_run(lm_work *work, const void *options)
{
    const convert_options *asked = options;
    const lm_common *common = &asked->common;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    leman_cleaning report;
    const char *path = common->operands > 1 ? common->operand[1] : common->output;
    uint64_t kept = (asked->keep ? asked->keep : EVERYTHING) & ~asked->drop;
    if (!path) return MISUSE(work->ctx, "OUT is missing");
    if (common->operands > 1 && common->output)
        return MISUSE(work->ctx, "found both '%s' and --output '%s', expected one", path, common->output);
    PASS(lm_written_check(work, path, asked->to));
    PASS(read_input(work, asked, path, &report, &data));
    const size_t read = leman_dataset_shape(data)->graphs;
    if (asked->graphs.range.count) PASS(select_graphs(work->ctx, asked, &data));
    if (kept != EVERYTHING) PASS(keep_columns(work->ctx, kept, &data));
    return lm_written_save(work, data, path, asked->to, &report, read);
}

const lm_command lm_command_convert = {
    .name = "convert",
    .help = &LM_HELP_CONVERT,
    .operand = {{"IN", NULL}, {"OUT", NULL}},
    .writes = 2,
    .required = 1,
    .common = "to graphs keep drop policy",
    .groups = {{"Converting", ROWS}, LM_LAST_GROUPS},
    .size = sizeof(convert_options),
    .run = convert_run,
};
