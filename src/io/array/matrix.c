/*
 * Writes dense matrices of reals as files. The ending of the name determines the format:
 *
 *   .npy            numpy array of float64, row after row
 *   .csv            comma-separated, no header; also "-", standard output
 *   .txt            separated by blanks, no header
 *   .svm, .libsvm   LIBSVM's precomputed kernel: "label 0:row 1:k(row,1) 2:k(row,2) ...", rows counted from 1
 *
 * Numbers in text have the digits that are needed to read the same number back, at most 17.
 */
#include "io/array/matrix.h"
#include "base/arguments.h"
#include "base/ranks/ranks.h"
#include "io/array/npz.h"
#include <string.h>

enum { CSV = 1, TEXT = 2 }; /* rows of the table below */

/* Writes values[count][columns] behind the rows written before. */
typedef leman_status writer(lm_matrix_file *m, const double *values, size_t count);

static leman_status write_numbers(lm_matrix_file *m, const double *values, size_t count)
{
    const size_t rank = lm_rank(m->out.ctx), ranks = lm_rank_count(m->out.ctx);
    const size_t first = count / ranks * rank + count % ranks * rank / ranks; /* first row of this rank */
    const size_t end = count / ranks * (rank + 1) + count % ranks * (rank + 1) / ranks;
    return lm_output_write_parts(&m->out, values + first * m->columns, (end - first) * m->columns * sizeof *values);
}

static leman_status write_rows(lm_matrix_file *m, const double *values, size_t count)
{
    lm_output *out = &m->out;
    const char between = m->format == TEXT ? ' ' : ',';
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < m->columns; j++) {
            lm_output_real(out, values[i * m->columns + j]);
            PASS(lm_output_write(out, j + 1 < m->columns ? &between : "\n", 1));
        }
        PASS(lm_progress_step(out->ctx, m->written + i + 1));
    }
    return LEMAN_OK;
}

static leman_status write_libsvm(lm_matrix_file *m, const double *values, size_t count)
{
    lm_output *out = &m->out;
    for (size_t i = 0; i < count; i++) {
        const size_t row = m->written + i;
        if (m->label && m->label[row] == LEMAN_CLASS_MISSING)
            lm_output_write(out, "nan", 3);
        else
            lm_output_integer(out, m->label ? m->label[row] : 0);
        lm_output_write(out, " 0:", 3);
        lm_output_integer(out, (int64_t)row + 1);
        for (size_t j = 0; j < m->columns; j++) {
            lm_output_write(out, " ", 1);
            lm_output_integer(out, (int64_t)j + 1);
            lm_output_write(out, ":", 1);
            lm_output_real(out, values[i * m->columns + j]);
        }
        PASS(lm_output_write(out, "\n", 1));
        PASS(lm_progress_step(out->ctx, row + 1));
    }
    return LEMAN_OK;
}

static const struct {
    const char *ending;
    writer *write;
    bool head; /* begins with the header of numpy */
} FORMATS[] = {{".npy", write_numbers, true},
               [CSV] = {".csv", write_rows, false},
               [TEXT] = {".txt", write_rows, false},
               {".svm", write_libsvm, false},
               {".libsvm", write_libsvm, false}};
enum { COUNT = sizeof FORMATS / sizeof *FORMATS };

/* Returns the row of the table for this path; COUNT: none. */
static size_t format_of(const char *path)
{
    size_t i = 0;
    if (!strcmp(path, "-")) return CSV;
    while (i < COUNT && !lm_path_ends(path, FORMATS[i].ending)) i++;
    return i;
}

leman_status leman_matrix_check(leman_context *ctx, const char *path)
{
    REQUIRE(ctx, path);
    if (format_of(path) == COUNT)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "%s: found an ending that is no matrix format, expected .npy, .csv, .txt or .svm", path);
    return LEMAN_OK;
}

leman_status lm_matrix_open(leman_context *ctx, const char *path, size_t rows, size_t columns, const int64_t *labels,
                            lm_matrix_file *m)
{
    *m = (lm_matrix_file){.format = format_of(path), .rows = rows, .columns = columns, .label = labels};
    PASS(lm_output_open(ctx, path, &m->out));
    return FORMATS[m->format].head ? lm_npy_header(&m->out, LM_NPY_ORDER "f8", 2, (const size_t[]){rows, columns})
                                   : LEMAN_OK;
}

leman_status lm_matrix_rows(lm_matrix_file *m, const double *values, size_t count)
{
    lm_progress_begin(m->out.ctx, m->rows, "writing %s", m->out.path);
    leman_status st = FORMATS[m->format].write(m, values, count);
    m->written += count;
    return st;
}

leman_status lm_matrix_commit(lm_matrix_file *m)
{
    return lm_output_commit(&m->out);
}

void lm_matrix_abort(lm_matrix_file *m)
{
    lm_output_abort(&m->out);
}

leman_status leman_matrix_write(leman_context *ctx, const double *values, size_t rows, size_t columns,
                                const int64_t *labels, const char *path)
{
    AUTO(lm_matrix_abort) lm_matrix_file file = {0};
    PASS(leman_matrix_check(ctx, path));
    if (rows && columns) REQUIRE(ctx, values);
    lm_ranks_begin(ctx);
    leman_status written = lm_matrix_open(ctx, path, rows, columns, labels, &file);
    if (!written) written = lm_matrix_rows(&file, values, rows);
    if (!written) written = lm_matrix_commit(&file);
    return lm_ranks_end(ctx, written);
}
