/* The table of formats, and how the format of a path is found. If no format was asked for, reading looks at a mark at
 * the beginning, then at the ending of the name, then at the first lines; writing looks at the ending. */
#include "io/format.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "base/text.h"
#include "io/archive/gzip.h"
#include "io/molecule/smiles_table.h"
#include "io/reading.h"
#include "io/stream/window.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static leman_status binary_read(leman_context *ctx, const char *path, lm_bytes *bytes,
                                const leman_read_options *options, leman_cleaning *cleaning, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    PASS(lm_binary_read(ctx, path, bytes, &data));
    if (!lm_reading_is_valid(data->reading))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: is damaged: it does not say how its graphs were read", path);
    const leman_status st = lm_dataset_clean(ctx, options->policy, cleaning, &data);
    if (st) return lm_fail_in(ctx, st, path, data ? data->name : NULL);
    return HAND_OVER(out, data);
}

const lm_format_row lm_format_auto = {.read = NULL};
const lm_format_row lm_format_binary = {.endings = {".leman"},
                                        .marks = {LM_DATASET_MAGIC},
                                        .read = binary_read,
                                        .write = lm_binary_write,
                                        .slices = LM_STREAM_BINARY};

#define ROW(NAME, name, text) &lm_format_##name,
static const lm_format_row *const FORMATS[] = {LEMAN_FORMATS(ROW)};
#define NAME_OF(NAME, name, text) text,
static const char *const NAMES[] = {LEMAN_FORMATS(NAME_OF)};
LM_ENUM(leman_format, format, "format", NAMES, , LEMAN_FORMAT_COUNT)

const lm_format_row *lm_format_of(leman_format format)
{
    return FORMATS[format];
}

const char *leman_format_ending(leman_format format, size_t i)
{
    const size_t most = sizeof lm_format_auto.endings / sizeof *lm_format_auto.endings;
    return (unsigned)format < LEMAN_FORMAT_COUNT && i < most ? FORMATS[format]->endings[i] : NULL;
}

bool leman_format_is_writable(leman_format format)
{
    return (unsigned)format < LEMAN_FORMAT_COUNT && (FORMATS[format]->write || FORMATS[format]->write_folder);
}

/* Returns LEMAN_FORMAT_AUTO if no format has the ending of the path. A .gz behind the ending is ignored. */
static leman_format format_by_ending(const char *path)
{
    for (int i = 0; i < LEMAN_FORMAT_COUNT; i++)
        for (const char *const *ending = FORMATS[i]->endings; *ending; ending++)
            if (lm_gzip_ends(path, *ending)) return (leman_format)i;
    return LEMAN_FORMAT_AUTO;
}

static leman_format format_by_mark(lm_bytes bytes)
{
    for (int i = 0; i < LEMAN_FORMAT_COUNT; i++)
        for (const char *const *mark = FORMATS[i]->marks; *mark; mark++)
            if (bytes.size >= strlen(*mark) && !memcmp(bytes.data, *mark, strlen(*mark))) return (leman_format)i;
    return LEMAN_FORMAT_AUTO;
}

/* The mark comes first, then the ending, then the first lines, for which the last format is asked first. A .txt file of
 * graph6 characters is no edge list, and standard input has no ending. */
leman_status lm_format_of_input(leman_context *ctx, const char *path, const char *shown, lm_bytes bytes,
                                const leman_read_options *options, leman_format *found)
{
    leman_format format = format_by_mark(bytes);
    bool molecules = false;
    if (!format) format = format_by_ending(path);
    *found = format;
    for (int i = LEMAN_FORMAT_COUNT; i-- > 0;) {
        const lm_format_row *row = FORMATS[i];
        const bool asked = !format || (format == LEMAN_FORMAT_EDGE_LIST && row->in_tables);
        if (!asked || !row->is || !row->is(ctx, bytes, options)) continue;
        *found = (leman_format)i;
        if (*found == LEMAN_FORMAT_GRAPH6) PASS(lm_smiles_lines_only(ctx, bytes, &molecules));
        if (molecules)
            return lm_fail(
                ctx, LEMAN_ERROR_INPUT,
                "%s: found lines that could be SMILES or graph6, expected a format by name: smiles or graph6", shown);
        return LEMAN_OK;
    }
    return LEMAN_OK;
}

/* ---- Reading and writing --------------------------------------------------------------------- */

LM_OPTIONS(leman_read_options, options, .hydrogens = LEMAN_HYDROGENS_IMPLICIT, .aromatic = LEMAN_AROMATIC_RDKIT)

leman_status lm_read_options_copy(leman_context *ctx, const leman_read_options *given, leman_read_options *options,
                                  leman_policy *policy)
{
    const unsigned atom_labels = 2 * LEMAN_ATOM_FCFP - 1, circular = LEMAN_ATOM_ECFP | LEMAN_ATOM_FCFP;
    unsigned labels;
    PASS(lm_options_copy(ctx, "leman_read_options", given, options, sizeof *options));
    REQUIRE_ENUM(ctx, options->format, LEMAN_FORMAT_COUNT - 1);
    REQUIRE_ENUM(ctx, options->hydrogens, LEMAN_HYDROGENS_COUNT - 1);
    REQUIRE_ENUM(ctx, options->aromatic, LEMAN_AROMATIC_COUNT - 1);
    REQUIRE_ENUM(ctx, options->stereo, LEMAN_STEREO_COUNT - 1);
    PASS(lm_policy_copy(ctx, options->policy, policy));
    options->policy = policy;
    labels = options->atom_labels;
    if (labels > atom_labels)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "leman_read_options: found %u in atom_labels, expected a sum of LEMAN_ATOM_...",
                       options->atom_labels);
    if (labels & circular && labels & (labels - 1))
        return lm_fail(
            ctx, LEMAN_ERROR_ARGUMENT,
            "leman_read_options: found other atom_labels beside LEMAN_ATOM_ECFP or _FCFP, expected it alone");
    if (options->standardize > LEMAN_STANDARDIZE_ALL)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "leman_read_options: found %u in standardize, expected a sum of LEMAN_STANDARDIZE_...",
                       options->standardize);
    if (options->standardize && options->hydrogens == LEMAN_HYDROGENS_AS_WRITTEN)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found molecules to be standardised with the hydrogens of the file as atoms, expected other "
                       "hydrogens: implicit, explicit or labels");
    if (options->positive && !options->class_column)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "leman_read_options: found positive without class_column, expected both");
    if (options->rows && policy->empty_graphs == LEMAN_ACTION_REMOVE)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "leman_read_options: found rows and a policy that removes empty graphs, expected one of them");
    if (!options->max_bytes) options->max_bytes = UINT64_C(16) << 30;
    return LEMAN_OK;
}

/* A class column of words was already turned into classes by the reader of molecules. */
leman_status lm_dataset_use_class(leman_context *ctx, const leman_read_options *options, leman_format format,
                                  leman_dataset **data)
{
    leman_dataset *with_class = NULL;
    size_t column;
    if (options->positive && !FORMATS[format]->molecules)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found no table of molecules and no SDF, expected one, since its words of class 1 are given",
                       (*data)->name);
    if (options->censored && !FORMATS[format]->molecules)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found no table of molecules and no SDF, expected one, since its values may be bounds",
                       (*data)->name);
    if (!options->class_column || (FORMATS[format]->molecules && (*data)->columns.classes)) return LEMAN_OK;
    if (options->class_optional) {
        column = leman_dataset_target_named(*data, options->class_column);
        if (column == SIZE_MAX) return LEMAN_OK;
    } else {
        PASS(leman_dataset_target_find(ctx, *data, options->class_column, &column));
    }
    const leman_status st = leman_dataset_use_class(ctx, *data, column, &with_class);
    if (st == LEMAN_ERROR_INPUT && options->class_optional) { /* its values are no classes */
        ctx->message[0] = 0;
        return LEMAN_OK;
    }
    PASS(st);
    leman_dataset_free(*data);
    *data = with_class;
    return LEMAN_OK;
}

/* Readers begin their messages with a line of the file or with the name of the data set. In the second case the path is
 * added. */
leman_status lm_read_failure(leman_context *ctx, leman_status st, const char *path)
{
    AUTO(lm_release_at) char *stem = NULL;
    if (st != LEMAN_ERROR_INPUT && st != LEMAN_ERROR_BUDGET) return st;
    if (!strcmp(path, "-"))
        return lm_fail_in(ctx, st, strstr(ctx->message, "standard input") ? "standard input" : "stdin", NULL);
    if (lm_path_stem(ctx, path, &stem)) return LEMAN_ERROR_MEMORY;
    return lm_fail_in(ctx, st, path, stem);
}

/* Lists the endings of all formats, or of the formats that can be written: ".zip, .leman, .g6". */
static void list_endings(bool written, char *text, size_t size)
{
    lm_joined list = lm_joined_begin(text, size);
    for (int i = 0; i < LEMAN_FORMAT_COUNT; i++)
        for (const char *const *ending = FORMATS[i]->endings; *ending && (!written || FORMATS[i]->write); ending++)
            lm_joined_name(&list, *ending);
}

leman_status lm_dataset_parse(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                              leman_cleaning *cleaning, leman_dataset **out)
{
    const char *shown = bytes && !strcmp(path, "-") ? "stdin" : path; /* in messages, and the name of the data set */
    leman_format format = options->format;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    if (!format) PASS(lm_format_of_input(ctx, path, shown, *bytes, options, &format));
    if (!format) {
        char endings[256];
        list_endings(false, endings, sizeof endings);
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: its format cannot be told from its name or content; expected a TU folder, one of %s, or a "
                       "format by name",
                       shown, endings);
    }
    if (options->vertex_labels && format != LEMAN_FORMAT_EDGE_LIST)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found no edge list, expected one, since its vertices have labels in %s", shown,
                       options->vertex_labels);
    PASS(FORMATS[format]->read(ctx, shown, bytes, options, cleaning, &data));
    if (format != LEMAN_FORMAT_BINARY) data->reading = leman_reading_of(options, FORMATS[format]->molecules);
    PASS(lm_dataset_use_class(ctx, options, format, &data));
    return HAND_OVER(out, data);
}

/* leman_dataset_read() with complete options. */
static leman_status read_path(leman_context *ctx, const char *path, leman_read_options *options,
                              leman_cleaning *cleaning, leman_dataset **out)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    struct stat about;
    if (!options->format && strcmp(path, "-") && !stat(path, &about) && S_ISDIR(about.st_mode))
        options->format = LEMAN_FORMAT_TU;
    if (FORMATS[options->format]->write_folder) return lm_dataset_parse(ctx, path, NULL, options, cleaning, out);
    PASS(lm_bytes_open(ctx, path, options->max_bytes, &bytes));
    PASS(lm_gzip_inflate(ctx, path, options->max_bytes, &bytes));
    return lm_dataset_parse(ctx, path, &bytes, options, cleaning, out);
}

leman_status leman_dataset_read(leman_context *ctx, const char *path, const leman_read_options *given,
                                leman_cleaning *cleaning, leman_dataset **out)
{
    leman_read_options options = leman_read_options_default();
    leman_policy policy;
    REQUIRE(ctx, path, out);
    PASS(lm_read_options_copy(ctx, given, &options, &policy));
    return lm_read_failure(ctx, read_path(ctx, path, &options, cleaning, out), path);
}

leman_status leman_format_for_writing(leman_context *ctx, const char *path, leman_format *format)
{
    char endings[256] = "";
    REQUIRE(ctx, path, format);
    const char *ending = lm_path_ending(path);
    leman_format found = format_by_ending(path);
    if (found == LEMAN_FORMAT_TU_ZIP && lm_path_ends(path, ".gz")) found = LEMAN_FORMAT_AUTO; /* .zip.gz is no format */
    if (!found && !ending && strcmp(path, "-")) found = LEMAN_FORMAT_TU;
    if (!leman_format_is_writable(found)) {
        list_endings(true, endings, sizeof endings);
        if (ending)
            return lm_fail(
                ctx, LEMAN_ERROR_ARGUMENT,
                "%s: found the ending %s, which is not written; expected %s, with .gz behind all but .zip or not, or "
                "no "
                "ending for a TU folder",
                path, ending, endings);
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: has no ending that says the format, expected one", path);
    }
    *format = found;
    return LEMAN_OK;
}

static leman_status cannot_be_written(leman_context *ctx, const char *path)
{
    char names[256];
    lm_joined list = lm_joined_begin(names, sizeof names);
    for (int i = 0; i < LEMAN_FORMAT_COUNT; i++)
        if (leman_format_is_writable((leman_format)i)) lm_joined_name(&list, NAMES[i]);
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: expected a format that can be written there, one of: %s", path,
                   names);
}

leman_status leman_dataset_write(leman_context *ctx, const leman_dataset *data, const char *path, leman_format format)
{
    AUTO(lm_gzip_abort) lm_gzip file = {0};
    REQUIRE(ctx, data, path);
    REQUIRE_ENUM(ctx, format, LEMAN_FORMAT_COUNT - 1);
    if (!format) PASS(leman_format_for_writing(ctx, path, &format));
    if (!leman_format_is_writable(format)) return cannot_be_written(ctx, path);
    if (FORMATS[format]->write_folder) return FORMATS[format]->write_folder(ctx, data, path);
    PASS(lm_gzip_open(ctx, path, &file));
    PASS(FORMATS[format]->write(ctx, data, file.text));
    return lm_gzip_commit(&file);
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
    char names[256];
    lm_joined list = lm_joined_begin(names, sizeof names);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].dropped) lm_joined_name(&list, kinds[i].name);
    if (*names) lm_log(ctx, "%s: %s cannot hold %s; dropped", data->name, format, names);
}
