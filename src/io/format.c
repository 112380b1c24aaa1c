/* Which reader or writer a path wants. Reading: the format asked for, marks at the beginning of the file, the name's
 * ending, then the shape of the first lines. Writing: the format asked for, then the name's ending. */
#include "io/format.h"
#include "base/arguments.h"
#include <string.h>
#include <sys/stat.h>

typedef leman_status reader(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                            leman_cleaning *report, leman_dataset **out);
typedef leman_status writer(leman_context *ctx, const leman_dataset *data, lm_output *out);

static leman_status binary_read(leman_context *ctx, const char *path, lm_bytes *bytes,
                                const leman_read_options *options, leman_cleaning *report, leman_dataset **out)
{
    leman_dataset *data = NULL;
    leman_status st = lm_binary_read(ctx, path, bytes, &data);
    if (!st) st = lm_dataset_clean(ctx, &options->policy, report, &data);
    if (st)
        leman_dataset_free(data);
    else
        *out = data;
    return st;
}

static const struct format {
    leman_format format;
    const char *name;
    const char *endings[5];
    reader *read;
    writer *write;
} FORMATS[] = {
    {LEMAN_FORMAT_TU, "tu", {NULL}, NULL, NULL}, /* folders have functions of their own */
    {LEMAN_FORMAT_TU_ZIP, "tu-zip", {".zip"}, lm_tu_zip_read, lm_tu_zip_write},
    {LEMAN_FORMAT_BINARY, "binary", {".leman"}, binary_read, lm_binary_write},
    {LEMAN_FORMAT_GRAPH6, "graph6", {".g6", ".graph6"}, lm_graph6_read, lm_graph6_write},
    {LEMAN_FORMAT_SPARSE6, "sparse6", {".s6", ".sparse6"}, lm_graph6_read, lm_sparse6_write},
    {LEMAN_FORMAT_EDGE_LIST, "edge-list", {".csv", ".tsv", ".edges", ".txt"}, lm_edge_list_read, lm_edge_list_write},
    {LEMAN_FORMAT_SDF, "sdf", {".sdf", ".sd", ".mol"}, lm_sdf_read, NULL},
    {LEMAN_FORMAT_PAIRS, "pairs", {NULL}, lm_pairs_read, NULL},
};

enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

static const struct format *row_of(leman_format format)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (FORMATS[i].format == format) return FORMATS + i;
    return NULL;
}

const char *leman_format_name(leman_format format)
{
    const struct format *row = row_of(format);
    return row ? row->name : "auto";
}

leman_status leman_format_parse(leman_context *ctx, const char *name, leman_format *format)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (!strcmp(FORMATS[i].name, name)) {
            *format = FORMATS[i].format;
            return LEMAN_OK;
        }
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "format: found '%s', expected tu, tu-zip, binary, graph6, sparse6, edge-list, sdf or pairs", name);
}

static const struct format *row_by_ending(const char *path)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        for (int j = 0; j < 5 && FORMATS[i].endings[j]; j++)
            if (lm_path_ends(path, FORMATS[i].endings[j])) return FORMATS + i;
    return NULL;
}

/* ---- By content ------------------------------------------------------------------------------ */

/* Marks at the beginning that leave no doubt. */
static const struct format *row_by_marks(lm_bytes bytes)
{
    static const struct {
        const char *mark;
        leman_format format;
    } MARKS[] = {{"PK\003\004", LEMAN_FORMAT_TU_ZIP},  {"PK\005\006", LEMAN_FORMAT_TU_ZIP},
                 {"LEMANDS\n", LEMAN_FORMAT_BINARY},   {">>graph6<<", LEMAN_FORMAT_GRAPH6},
                 {">>sparse6<<", LEMAN_FORMAT_GRAPH6}, {">>digraph6<<", LEMAN_FORMAT_GRAPH6}};
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++) {
        size_t length = strlen(MARKS[i].mark);
        if (bytes.size >= length && !memcmp(bytes.data, MARKS[i].mark, length)) return row_of(MARKS[i].format);
    }
    return NULL;
}

/* Marks first, then the name's ending, then the shape of the first lines: graph6 characters are no edge list even in a
 * .txt, and standard input has no ending. */
static const struct format *row_of_input(leman_context *ctx, const char *path, lm_bytes bytes)
{
    const struct format *row = row_by_marks(bytes);
    if (!row) row = row_by_ending(path);
    if ((!row || row->format == LEMAN_FORMAT_EDGE_LIST) && lm_graph6_is(bytes)) row = row_of(LEMAN_FORMAT_GRAPH6);
    if (!row && lm_sdf_is(bytes)) row = row_of(LEMAN_FORMAT_SDF);
    if (!row && lm_edge_list_is(ctx, bytes)) row = row_of(LEMAN_FORMAT_EDGE_LIST);
    return row;
}

/* ---- Reading and writing --------------------------------------------------------------------- */

void leman_read_options_init(leman_read_options *options, size_t size)
{
    const leman_read_options defaults = {.policy = leman_policy_default()};
    lm_options_init(options, size, &defaults, sizeof defaults);
}

leman_status leman_dataset_read(leman_context *ctx, const char *path, const leman_read_options *options,
                                leman_cleaning *report, leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    lm_bytes bytes = {0};
    struct stat about;
    const char *shown = strcmp(path, "-") ? path : "stdin"; /* in messages, and as the name of the data set */
    leman_read_options chosen = options ? *options : leman_read_options_default();
    if (!chosen.max_bytes) chosen.max_bytes = UINT64_C(16) << 30;
    bool folder = strcmp(path, "-") && !stat(path, &about) && S_ISDIR(about.st_mode);
    if (chosen.format == LEMAN_FORMAT_TU || (folder && chosen.format == LEMAN_FORMAT_AUTO))
        return lm_tu_read(ctx, path, &chosen, report, out);
    TRY(lm_bytes_open(ctx, path, chosen.max_bytes, &bytes));
    const struct format *row = row_of(chosen.format);
    if (!row) row = row_of_input(ctx, path, bytes);
    if (!row || !row->read)
        FAIL(ctx, LEMAN_ERROR_INPUT,
             "%s: its format cannot be told from its name or content; expected a TU folder or zip, .leman, .g6, .s6, "
             ".csv or .sdf, or a format by name",
             shown);
    TRY(row->read(ctx, shown, &bytes, &chosen, report, out));
done:
    lm_bytes_close(ctx, &bytes);
    return st;
}

leman_status leman_dataset_write(leman_context *ctx, const leman_dataset *data, const char *path, leman_format format)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    const struct format *row = format == LEMAN_FORMAT_AUTO ? row_by_ending(path) : row_of(format);
    if (!row && format == LEMAN_FORMAT_AUTO && strcmp(path, "-")) row = row_of(LEMAN_FORMAT_TU);
    if (row && row->format == LEMAN_FORMAT_TU) return lm_tu_write(ctx, data, path);
    if (!row || !row->write)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "%s: expected a format that can be written there: %s", path,
             "tu, tu-zip, binary, graph6, sparse6 or edge-list");
    TRY(lm_output_open(ctx, path, &out));
    TRY(row->write(ctx, data, &out));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return st;
}

void lm_log_dropped(leman_context *ctx, const leman_dataset *data, const char *format, const leman_columns *kept)
{
    const leman_columns *has = &data->columns;
    const struct {
        const char *name;
        bool dropped;
    } kinds[] = {{"classes", has->classes && !kept->classes},
                 {"targets", has->targets && !kept->targets},
                 {"vertex labels", has->vertex_labels && !kept->vertex_labels},
                 {"edge labels", has->edge_labels && !kept->edge_labels},
                 {"vertex attributes", has->vertex_attributes && !kept->vertex_attributes},
                 {"edge attributes", has->edge_attributes && !kept->edge_attributes},
                 {"graph names", has->graph_names && !kept->graph_names},
                 {"vertex names", has->vertex_names && !kept->vertex_names}};
    char list[160] = "";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].dropped) strcat(strcat(list, *list ? ", " : ""), kinds[i].name);
    if (*list) lm_log(ctx, "%s: %s cannot hold %s; dropped", data->name, format, list);
}
