/*
 * Dense matrices of reals as files, by the ending of the name:
 *
 *   .npy            numpy's array of float64, row after row
 *   .csv            comma-separated, no header; also "-", standard output
 *   .txt            the same with blanks
 *   .svm, .libsvm   LIBSVM's precomputed kernel: "label 0:row 1:k(row,1) 2:k(row,2) ...", rows counted from 1
 *
 * Text has as many digits as it takes to read the same number back, 17 at most.
 */
#include "base/arguments.h"
#include "base/file.h"
#include "base/ranks/ranks.h"
#include "io/array/npy.h"
#include <string.h>

typedef struct matrix {
    const double *value; /* [rows][columns] */
    size_t rows, columns;
    const int64_t *label; /* [rows], or NULL: 0 */
} matrix;

typedef leman_status writer(const matrix *m, lm_output *out);

static leman_status write_npy(const matrix *m, lm_output *out)
{
    leman_status st = LEMAN_OK;
    const size_t rank = lm_rank(out->ctx), ranks = lm_rank_count(out->ctx);
    const size_t first = m->rows / ranks * rank + m->rows % ranks * rank / ranks; /* of the rows of this rank */
    const size_t end = m->rows / ranks * (rank + 1) + m->rows % ranks * (rank + 1) / ranks;
    TRY(lm_npy_header(out, LM_NPY_ORDER "f8", 2, (const size_t[]){m->rows, m->columns}));
    TRY(lm_output_write_parts(out, m->value + first * m->columns, (end - first) * m->columns * sizeof *m->value));
done:
    return st;
}

static leman_status write_rows(const matrix *m, char between, lm_output *out)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < m->rows; i++) {
        for (size_t j = 0; j < m->columns; j++) {
            lm_output_real(out, m->value[i * m->columns + j]);
            TRY(lm_output_write(out, j + 1 < m->columns ? &between : "\n", 1));
        }
        TRY(lm_progress_step(out->ctx, i + 1));
    }
done:
    return st;
}

static leman_status write_csv(const matrix *m, lm_output *out)
{
    return write_rows(m, ',', out);
}

static leman_status write_text(const matrix *m, lm_output *out)
{
    return write_rows(m, ' ', out);
}

static leman_status write_libsvm(const matrix *m, lm_output *out)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < m->rows; i++) {
        if (m->label && m->label[i] == LEMAN_CLASS_MISSING)
            lm_output_write(out, "nan", 3);
        else
            lm_output_integer(out, m->label ? m->label[i] : 0);
        lm_output_write(out, " 0:", 3);
        lm_output_integer(out, (int64_t)i + 1);
        for (size_t j = 0; j < m->columns; j++) {
            lm_output_write(out, " ", 1);
            lm_output_integer(out, (int64_t)j + 1);
            lm_output_write(out, ":", 1);
            lm_output_real(out, m->value[i * m->columns + j]);
        }
        TRY(lm_output_write(out, "\n", 1));
        TRY(lm_progress_step(out->ctx, i + 1));
    }
done:
    return st;
}

static const struct {
    const char *ending;
    writer *write;
} FORMATS[] = {
    {".npy", write_npy}, {".csv", write_csv}, {".txt", write_text}, {".svm", write_libsvm}, {".libsvm", write_libsvm}};

static writer *writer_of(const char *path)
{
    if (!strcmp(path, "-")) return write_csv;
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (lm_path_ends(path, FORMATS[i].ending)) return FORMATS[i].write;
    return NULL;
}

leman_status leman_matrix_check(leman_context *ctx, const char *path)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, path);
    if (!writer_of(path))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT,
             "%s: found an ending that is no matrix format, expected .npy, .csv, .txt or .svm", path);
done:
    return st;
}

static leman_status write_matrix(leman_context *ctx, const matrix *m, const char *path)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    lm_ranks_begin(ctx);
    TRY(lm_output_open(ctx, path, &out));
    lm_progress_begin(ctx, m->rows, "writing %s", path);
    TRY(writer_of(path)(m, &out));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return lm_ranks_end(ctx, st);
}

leman_status leman_matrix_write(leman_context *ctx, const double *values, size_t rows, size_t columns,
                                const int64_t *labels, const char *path)
{
    leman_status st = LEMAN_OK;
    const matrix m = {values, rows, columns, labels};
    TRY(leman_matrix_check(ctx, path));
    if (rows && columns) REQUIRE(ctx, values);
    TRY(write_matrix(ctx, &m, path));
done:
    return st;
}
