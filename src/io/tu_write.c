/*
 * Writes TU text from which the reader restores the same data set. Every arc is a line of NAME_A.txt, so an undirected
 * edge is written in both directions and a directed edge once. Lines have the order of the arcs in memory, which the
 * reader takes in fastest. A folder is written under a temporary name and then renamed; a zip is streamed.
 */
#include "base/drop.h"
#include "base/system/system.h"
#include "base/text.h"
#include "io/archive/zip_write.h"
#include "io/tu.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEP = 1 << 14, PREFIX_BYTES = 128 };

typedef struct tu_writing {
    leman_context *ctx;
    const leman_dataset *data;
    char *prefix;         /* "FOLDER/NAME": the beginning of all file names */
    char *path;           /* the last file name, built from the prefix */
    lm_zip *zip;          /* NULL: write a folder */
    size_t graph, vertex; /* of the last row */
    lm_output file;
} tu_writing;

/* ---- Checks of the data ---------------------------------------------------------------------- */

static leman_status check_reals(leman_context *ctx, const leman_dataset *data, const lm_tu_table *table,
                                const double *values, size_t count)
{
    for (size_t i = 0; i < count && table->real; i++)
        if (!isfinite(values[i]) && !(table->rows == LM_TU_GRAPHS && isnan(values[i])))
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: NAME%s cannot hold a number that is not finite", data->name,
                           table->ending);
    return LEMAN_OK;
}

static const void *array_of(const leman_dataset *data, const lm_tu_table *table)
{
    const void *array;
    memcpy(&array, (const char *)data + table->array, sizeof array);
    return array;
}

static size_t rows_of(const leman_dataset *data, const lm_tu_table *table)
{
    const size_t rows[] = {data->graphs, data->vertices, data->arcs};
    return rows[table->rows];
}

static leman_status check_name(leman_context *ctx, const leman_dataset *data, const char *name, size_t length)
{
    if (!length || (*name != ' ' && name[length - 1] != ' ')) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "%s: TU text cannot hold the name '%.*s' of a target or class: it begins or ends with a blank",
                   data->name, (int)(length < 60 ? length : 60), name);
}

/* A name is a line of a file, and the reader drops blanks at both ends of a line. */
static leman_status check_names(leman_context *ctx, const leman_dataset *data)
{
    size_t length;
    for (size_t i = 0; i < data->columns.targets; i++) {
        const char *name = leman_dataset_target_name(data, i, &length);
        PASS(check_name(ctx, data, name, length));
    }
    for (size_t i = 0; i < data->class_names; i++) {
        const char *name = leman_dataset_class_name(data, data->class_name_label[i], &length);
        PASS(check_name(ctx, data, name, length));
    }
    return LEMAN_OK;
}

static leman_status check_holds(leman_context *ctx, const leman_dataset *data)
{
    if (!data->graphs)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: TU text cannot hold a data set without graphs", data->name);
    if (data->graph_start[data->graphs - 1] == data->vertices)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: TU text cannot hold graph %zu, the last, which has no vertices",
                       data->name, data->graphs - 1);
    if (data->graphs > lm_tu_graph_limit(data->vertices))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: TU text of %zu %s cannot hold %zu graph%s, most of them empty",
                       data->name, data->vertices, lm_plural_of(data->vertices, "vertex", "vertices"), data->graphs,
                       lm_plural(data->graphs));
    for (int i = 0; i < LM_TU_TABLES; i++) {
        const lm_tu_table *table = lm_tu_tables + i;
        size_t columns = lm_tu_columns(table, &data->columns), rows = rows_of(data, table);
        PASS(check_reals(ctx, data, table, array_of(data, table), rows * columns));
        if (columns && !rows) lm_log(ctx, "%s: there is nothing to write to NAME%s", data->name, table->ending);
    }
    PASS(check_names(ctx, data));
    if (data->columns.graph_names) lm_log(ctx, "%s: TU text does not hold the names of graphs", data->name);
    if (data->columns.vertex_names) lm_log(ctx, "%s: TU text does not hold the names of vertices", data->name);
    if (leman_dataset_shape(data)->loops)
        lm_log(ctx, "%s: there are self-loops: read it with the policy self-loops=keep", data->name);
    if (data->directed) lm_log(ctx, "%s: TU text does not say that it is directed: read it as directed", data->name);
    return LEMAN_OK;
}

/* Makes a file name from any text: printable, not hidden, without parts of a path, and short enough to append an
 * ending. */
static void make_prefix(const char *text, char out[PREFIX_BYTES])
{
    snprintf(out, PREFIX_BYTES, "%s", text);
    lm_text_clean(out, '_');
    for (char *p = out; *p; p++)
        if (strchr("/\\:", *p)) *p = '_';
    if (*out == '.') *out = '_';
    if (!*out || !strcmp(out, "__MACOSX")) strcpy(out, "data");
}

/* ---- The files ------------------------------------------------------------------------------- */

/* Writes row number `row` of a file, without its end of line. Rows are written in order. */
typedef void row_writer(tu_writing *w, const lm_tu_table *table, size_t row, lm_output *text);

static leman_status write_file(tu_writing *w, const char *ending, size_t rows, const lm_tu_table *table,
                               row_writer *write)
{
    lm_output *text = &w->file;
    strcpy(w->path + strlen(w->prefix), ending);
    lm_progress_begin(w->ctx, 0, "writing %s", lm_path_base(w->path));
    PASS(w->zip ? lm_zip_member(w->zip, w->path, &text) : lm_output_open(w->ctx, w->path, text));
    w->graph = w->vertex = 0;
    for (size_t row = 0; row < rows; row++) {
        write(w, table, row, text);
        PASS(lm_output_write(text, "\n", 1));
        if (row % STEP == 0) PASS(lm_progress_step(w->ctx, row));
    }
    return w->zip ? lm_zip_member_end(w->zip) : lm_output_commit(text);
}

static void write_indicator(tu_writing *w, const lm_tu_table *table, size_t row, lm_output *text)
{
    (void)table;
    while (row >= w->data->graph_start[w->graph + 1]) w->graph++;
    lm_output_integer(text, (int64_t)w->graph + 1);
}

static void write_edge(tu_writing *w, const lm_tu_table *table, size_t row, lm_output *text)
{
    const leman_dataset *data = w->data;
    (void)table;
    while (row >= data->vertex_start[w->vertex + 1]) w->vertex++;
    while (w->vertex >= data->graph_start[w->graph + 1]) w->graph++;
    lm_output_integer(text, (int64_t)w->vertex + 1);
    lm_output_write(text, ", ", 2);
    lm_output_integer(text, (int64_t)(data->graph_start[w->graph] + data->arc_head[row] + 1));
}

static void write_numbers(tu_writing *w, const lm_tu_table *table, size_t row, lm_output *text)
{
    const size_t columns = lm_tu_columns(table, &w->data->columns);
    const int64_t *integers = array_of(w->data, table);
    const double *reals = array_of(w->data, table);
    for (size_t i = row * columns; i < (row + 1) * columns; i++) {
        if (i > row * columns) lm_output_write(text, ", ", 2);
        if (table->real)
            lm_output_real(text, reals[i]);
        else if (table->rows == LM_TU_GRAPHS && integers[i] == LEMAN_CLASS_MISSING)
            lm_output_write(text, "nan", 3);
        else
            lm_output_integer(text, integers[i]);
    }
}

static void write_target_name(tu_writing *w, const lm_tu_table *table, size_t row, lm_output *text)
{
    size_t length;
    const char *name = leman_dataset_target_name(w->data, row, &length);
    (void)table;
    lm_output_write(text, name, length);
}

static void write_class_name(tu_writing *w, const lm_tu_table *table, size_t row, lm_output *text)
{
    size_t length;
    const char *name = leman_dataset_class_name(w->data, w->data->class_name_label[row], &length);
    (void)table;
    lm_output_integer(text, w->data->class_name_label[row]);
    lm_output_write(text, ", ", 2);
    lm_output_write(text, name, length);
}

static void tu_writing_end(tu_writing *w)
{
    lm_output_abort(&w->file);
    RELEASE(w->prefix, w->path);
}

/* Writes all files as FOLDER/NAME*. The folder must exist, or is the folder inside the zip. */
static leman_status write_all(leman_context *ctx, const leman_dataset *data, const char *folder, const char *name,
                              lm_zip *zip)
{
    AUTO(tu_writing_end) tu_writing w = {.ctx = ctx, .data = data, .zip = zip};
    size_t size = strlen(folder) + strlen(name) + 2;
    PASS_NEW(ctx, w.prefix, size);
    snprintf(w.prefix, size, "%s/%s", folder, name);
    PASS_NEW(ctx, w.path, size + 64);
    strcpy(w.path, w.prefix);
    PASS(write_file(&w, LM_TU_EDGES, data->arcs, NULL, write_edge));
    PASS(write_file(&w, LM_TU_INDICATOR, data->vertices, NULL, write_indicator));
    for (const lm_tu_table *t = lm_tu_tables; t < lm_tu_tables + LM_TU_TABLES; t++)
        if (lm_tu_columns(t, &data->columns) && rows_of(data, t))
            PASS(write_file(&w, t->ending, rows_of(data, t), t, write_numbers));
    if (data->target_name_start)
        PASS(write_file(&w, LM_TU_TARGET_NAMES, data->columns.targets, NULL, write_target_name));
    if (data->class_names) PASS(write_file(&w, LM_TU_CLASS_NAMES, data->class_names, NULL, write_class_name));
    return LEMAN_OK;
}

/* ---- Zip ------------------------------------------------------------------------------------- */

leman_status lm_tu_zip_write(leman_context *ctx, const leman_dataset *data, lm_output *out)
{
    AUTO(lm_zip_free) lm_zip zip = {.ctx = ctx};
    AUTO(lm_release_at) char *stem = NULL;
    char name[PREFIX_BYTES];
    PASS(check_holds(ctx, data));
    PASS(lm_path_stem(ctx, out->path, &stem));
    make_prefix(out->standard ? data->name : stem, name);
    lm_zip_begin(ctx, out, &zip);
    PASS(write_all(ctx, data, name, name, &zip));
    return lm_zip_end(&zip);
}

/* ---- Folder ---------------------------------------------------------------------------------- */

/* Removes an unfinished folder. Allocates nothing, because memory may be exhausted. */
static void remove_folder(const char *folder, const char *name)
{
    char file[PREFIX_BYTES + 64];
    int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *const others[] = {LM_TU_EDGES, LM_TU_INDICATOR, LM_TU_TARGET_NAMES, LM_TU_CLASS_NAMES};
    const int count = sizeof others / sizeof *others;
    for (int i = 0; i < LM_TU_TABLES + count; i++) {
        snprintf(file, sizeof file, "%s%s", name, i < count ? others[i] : lm_tu_tables[i - count].ending);
        if (place >= 0) unlinkat(place, file, 0);
    }
    if (place >= 0) close(place);
    rmdir(folder);
}

leman_status lm_tu_write(leman_context *ctx, const leman_dataset *data, const char *path)
{
    leman_status st = LEMAN_OK;
    char *target = NULL, *temporary = NULL, name[PREFIX_BYTES];
    size_t length = strlen(path);
    struct stat about;
    if (!strcmp(path, "-"))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "a folder cannot go to standard output, expected a path or the format tu-zip");
    TRY(check_holds(ctx, data));
    while (length > 1 && strchr(LM_SEPARATORS, path[length - 1])) length--;
    TRY(lm_copy_text(ctx, path, length, &target));
    make_prefix(lm_path_base(target), name);
    if (!lstat(target, &about))
        FAIL(ctx, LEMAN_ERROR_FILE, "%s: exists already, expected the name of a new folder", target);
    if (lm_create_unused(ctx, target, length, S_IFDIR | 0777, &temporary) < 0)
        TRY(errno == ENOMEM ? lm_refusal(ctx) : lm_fail_errno(ctx, errno, "%s: cannot be written", target));
    TRY(write_all(ctx, data, temporary, name, NULL));
    if (rename(temporary, target)) TRY(lm_fail_errno(ctx, errno, "%s: cannot be written", target));
done:
    if (st && temporary) remove_folder(temporary, name);
    RELEASE(temporary, target);
    return st;
}
