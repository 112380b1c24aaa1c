/*
 * Writes sparse matrices as files. The ending of the name determines the format:
 *
 *   .svm .svmlight .libsvm   lines "label column:value ...", columns counted from 1
 *   .mtx                     MatrixMarket, coordinate real general: "row column value", both counted from 1
 *   .npz                     a zip of numpy arrays in CSR form, as scipy.sparse.save_npz() writes; arrays of classes,
 *                            targets and names, which scipy ignores, are added
 *
 * Text whose name ends in .gz is compressed. Numbers have the digits that are needed to read the same number back, at
 * most 17. O(entries), no memory beside the features.
 */
#include "io/array/sparse_files.h"
#include "base/digits.h"
#include "base/text.h"
#include "io/archive/gzip.h"
#include "io/array/npz.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef leman_status head_writer(const leman_features *f, lm_output *out);
typedef leman_status rows_writer(const leman_features *f, const leman_dataset *data, size_t first_row, lm_output *out);

enum { NPZ_LEVEL = 1 }; /* of compression: a higher level takes five times as long, and counts hardly shrink */
enum { PIECE = 4096 };  /* entries between two checks of cancellation */

/* ---- Text ------------------------------------------------------------------------------------ */

enum {
    ENTRY = 128,                     /* largest number of bytes of an entry */
    ENTRIES = LM_OUTPUT_ROOM / ENTRY /* entries that are written after one check of the buffer */
};

/* The characters around the numbers of an entry: " column:value" or "row column value\n". */
typedef struct entry_style {
    char before[32]; /* its first `length` bytes are used */
    size_t length;
    char between;
    bool line;
} entry_style;

/* Writes a value; small counts, the most frequent values, have a fast path. */
static char *put_value(char *to, double value)
{
    const bool count = value >= 0 && value < 1e8 && !signbit(value);
    const uint32_t whole = count ? (uint32_t)value : 0;
    return count && (double)whole == value ? lm_short_digits(to, whole) : lm_real_text(to, value);
}

/* Writes entries first .. end - 1 into the output's own buffer. */
static leman_status put_entries(const leman_features *f, uint64_t first, uint64_t end, const entry_style *style,
                                lm_output *out)
{
    const uint32_t *column = f->column; /* copies in local variables, since written bytes could alias *f */
    const double *value = f->value;
    const size_t length = style->length, line = style->line;
    const char between = style->between;
    for (uint64_t e = first, stop; e < end; e = stop) {
        stop = end - e < ENTRIES ? end : e + ENTRIES;
        char *p = lm_output_room(out, LM_OUTPUT_ROOM);
        if (!p) break; /* the next write reports the failure */
        for (uint64_t i = e; i < stop; i++) {
            memcpy(p, style->before, sizeof style->before);
            p = lm_digits(p + length, (uint64_t)column[i] + 1);
            *p++ = between;
            p = put_value(p, value[i]);
            *p = '\n';
            p += line;
        }
        lm_output_end(out, p);
        if (e / PIECE != stop / PIECE) PASS(lm_progress_step(out->ctx, e));
    }
    return LEMAN_OK;
}

static leman_status svmlight_rows(const leman_features *f, const leman_dataset *data, size_t first_row, lm_output *out)
{
    const int64_t *class_label = data ? leman_dataset_classes(data) : f->class_label;
    const double *target = data ? leman_dataset_targets(data) : f->target;
    size_t targets = data ? leman_dataset_shape(data)->columns->targets : 1;
    const entry_style style = {.before = " ", .length = 1, .between = ':'};
    (void)first_row;
    for (size_t i = 0; i < f->rows; i++) {
        if (class_label && class_label[i] == LEMAN_CLASS_MISSING)
            lm_output_write(out, "nan", 3);
        else if (class_label)
            lm_output_integer(out, class_label[i]);
        else
            lm_output_real(out, target ? target[i * targets] : 0);
        PASS(put_entries(f, f->start[i], f->start[i + 1], &style, out));
        PASS(lm_output_write(out, "\n", 1));
    }
    return LEMAN_OK;
}

static leman_status matrix_market_head(const leman_features *f, lm_output *out)
{
    return lm_output_printf(out, "%%%%MatrixMarket matrix coordinate real general\n%zu %zu %zu\n", f->rows, f->columns,
                            f->entries);
}

static leman_status matrix_market_rows(const leman_features *f, const leman_dataset *data, size_t first_row,
                                       lm_output *out)
{
    (void)data;
    for (size_t i = 0; i < f->rows; i++) {
        entry_style style = {.between = ' ', .line = true};
        char *end = lm_digits(style.before, first_row + i + 1);
        *end++ = ' ';
        style.length = (size_t)(end - style.before);
        PASS(put_entries(f, f->start[i], f->start[i + 1], &style, out));
        PASS(lm_output_write(out, "", 0));
    }
    return LEMAN_OK;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

typedef const char *text_of(const leman_dataset *data, size_t i, size_t *length);

/* Writes texts as UTF-8 bytes of equal width, padded with zeros. Writes no array if all texts are empty. */
static leman_status npz_texts(lm_zip *zip, const char *name, const leman_dataset *data, size_t count, text_of *text)
{
    const uint64_t limit = UINT64_C(1) << 30; /* bytes of a member: one long name makes all elements wide */
    const char zeros[256] = "";
    char descr[32];
    lm_output *out;
    size_t width = 0, length;
    for (size_t i = 0; i < count; i++) {
        text(data, i, &length);
        if (length > width) width = length;
    }
    if (!width) return LEMAN_OK;
    if (width > limit / count) {
        lm_log(zip->ctx, "%s: the array %s would be larger than 1 GiB, as one is %zu bytes long; left out",
               zip->out->path, name, width);
        return LEMAN_OK;
    }
    snprintf(descr, sizeof descr, "|S%zu", width);
    PASS(lm_npz_begin(zip, name, descr, 1, &count, &out));
    for (size_t i = 0; i < count; i++) {
        const char *at = text(data, i, &length);
        if (length) PASS(lm_output_write(out, at, length));
        for (size_t part; length < width; length += part) {
            part = width - length < sizeof zeros ? width - length : sizeof zeros;
            PASS(lm_output_write(out, zeros, part));
        }
        if (i % PIECE == 0) PASS(lm_progress_poll(zip->ctx));
    }
    return lm_zip_member_end(zip);
}

/* Writes y (the classes, or else the first target), all targets, names and target_names. */
static leman_status npz_labels(const leman_features *f, const leman_dataset *data, lm_zip *zip)
{
    const int64_t *class_label = data ? leman_dataset_classes(data) : f->class_label;
    const double *target = data ? leman_dataset_targets(data) : f->target;
    const size_t shape[2] = {f->rows, data ? leman_dataset_shape(data)->columns->targets : 1};
    AUTO(lm_release_at) double *first = NULL;
    if (class_label) {
        PASS(lm_npz_array(zip, "y", LM_NPY_ORDER "i8", 1, shape, class_label, sizeof *class_label));
    } else if (target) {
        PASS_NEW(zip->ctx, first, f->rows);
        for (size_t i = 0; i < f->rows; i++) first[i] = target[i * shape[1]];
        PASS(lm_npz_array(zip, "y", LM_NPY_ORDER "f8", 1, shape, first, sizeof *first));
    }
    if (target) PASS(lm_npz_array(zip, "targets", LM_NPY_ORDER "f8", 2, shape, target, sizeof *target));
    if (!data) return LEMAN_OK;
    PASS(npz_texts(zip, "names", data, f->rows, leman_dataset_graph_name));
    return npz_texts(zip, "target_names", data, shape[1], leman_dataset_target_name);
}

leman_status lm_sparse_npz(const leman_features *f, const lm_sparse_parts *parts, const leman_dataset *data,
                           lm_npz_more *more, const void *user, lm_output *out)
{
    const uint64_t shape[2] = {f->rows, f->columns};
    const size_t two = 2;
    const char *index = f->columns > INT32_MAX ? LM_NPY_ORDER "u4" : LM_NPY_ORDER "i4"; /* scipy widens unsigned ones */
    AUTO(lm_zip_free) lm_zip zip = {0};
    lm_zip_begin(out->ctx, out, &zip);
    zip.level = NPZ_LEVEL;
    PASS(lm_npz_elements(&zip, "indices", index, f->entries, parts->column, parts->user, sizeof *f->column));
    PASS(lm_npz_elements(&zip, "indptr", LM_NPY_ORDER "i8", f->rows + 1, parts->start, parts->user, sizeof *f->start));
    PASS(lm_npz_array(&zip, "format", "|S3", 0, NULL, "csr", 3));
    PASS(lm_npz_array(&zip, "shape", LM_NPY_ORDER "i8", 1, &two, shape, sizeof *shape));
    PASS(lm_npz_elements(&zip, "data", LM_NPY_ORDER "f8", f->entries, parts->value, parts->user, sizeof *f->value));
    PASS(npz_labels(f, data, &zip));
    if (more) PASS(more(user, &zip));
    return lm_zip_end(&zip);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const struct format {
    const char *ending;
    head_writer *head; /* NULL: the format has no header */
    rows_writer *rows; /* NULL: the format is not text, which may be compressed and is written row after row */
} FORMATS[] = {{".svm", NULL, svmlight_rows},
               {".svmlight", NULL, svmlight_rows},
               {".libsvm", NULL, svmlight_rows},
               {".mtx", matrix_market_head, matrix_market_rows},
               {".npz", NULL, NULL}};

static const struct format *format_of(const char *path)
{
    if (!strcmp(path, "-")) return FORMATS;
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (FORMATS[i].rows ? lm_gzip_ends(path, FORMATS[i].ending) : lm_path_ends(path, FORMATS[i].ending))
            return FORMATS + i;
    return NULL;
}

bool lm_sparse_known(const char *path)
{
    return format_of(path) != NULL;
}

bool lm_sparse_streams(const char *path, bool counted)
{
    const struct format *row = format_of(path);
    return row && row->rows && (counted || !row->head);
}

leman_status lm_sparse_head(const char *path, const leman_features *sizes, lm_output *out)
{
    const struct format *row = format_of(path);
    return row->head ? row->head(sizes, out) : LEMAN_OK;
}

leman_status lm_sparse_rows(const char *path, const leman_features *f, const leman_dataset *data, size_t first_row,
                            lm_output *out)
{
    lm_progress_begin(out->ctx, f->entries, "writing %s", path);
    return format_of(path)->rows(f, data, first_row, out);
}
