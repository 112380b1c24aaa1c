/*
 * Sparse matrices as files, by the ending of the name:
 *
 *   .svm .svmlight .libsvm   lines "label column:value ...", columns counted from 1
 *   .mtx                     MatrixMarket, coordinate real general: "row column value", both counted from 1
 *   .npz                     a zip of numpy arrays as scipy.sparse.save_npz() makes them: CSR
 *
 * Text may end in .gz, and is packed then. Numbers have as many digits as it takes to read the same number back, 17 at
 * most. O(entries), no memory beside the features.
 */
#include "io/sparse_files.h"
#include "io/gzip.h"
#include "io/npz.h"
#include <string.h>

typedef leman_status writer(const leman_features *f, const leman_dataset *data, lm_output *out);

enum { NPZ_LEVEL = 1 }; /* of compression: counts shrink little more for five times the work */

/* ---- Text --------------------------------------------------------------------------------------------------- */

leman_status lm_svmlight_rows(const leman_features *f, const leman_dataset *data, lm_output *out)
{
    leman_status st = LEMAN_OK;
    const int64_t *class_label = data ? leman_dataset_classes(data) : NULL;
    const double *target = data ? leman_dataset_targets(data) : NULL;
    size_t targets = data ? leman_dataset_shape(data).columns.targets : 0;
    for (size_t i = 0; i < f->rows; i++) {
        if (class_label)
            lm_output_integer(out, class_label[i]);
        else
            lm_output_real(out, target ? target[i * targets] : 0);
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            lm_output_write(out, " ", 1);
            lm_output_integer(out, (int64_t)f->column[e] + 1);
            lm_output_write(out, ":", 1);
            lm_output_real(out, f->value[e]);
        }
        TRY(lm_output_write(out, "\n", 1));
        if (i % 1024 == 0) TRY(lm_progress_step(out->ctx, f->start[i]));
    }
done:
    return st;
}

static leman_status write_matrix_market(const leman_features *f, const leman_dataset *data, lm_output *out)
{
    leman_status st = LEMAN_OK;
    (void)data;
    TRY(lm_output_printf(out, "%%%%MatrixMarket matrix coordinate real general\n%zu %zu %zu\n", f->rows, f->columns,
                         f->entries));
    for (size_t i = 0; i < f->rows; i++) {
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            lm_output_integer(out, (int64_t)i + 1);
            lm_output_write(out, " ", 1);
            lm_output_integer(out, (int64_t)f->column[e] + 1);
            lm_output_write(out, " ", 1);
            lm_output_real(out, f->value[e]);
            lm_output_write(out, "\n", 1);
        }
        TRY(lm_output_write(out, "", 0));
        if (i % 1024 == 0) TRY(lm_progress_step(out->ctx, f->start[i]));
    }
done:
    return st;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------- */

static leman_status write_npz(const leman_features *f, const leman_dataset *data, lm_output *out)
{
    leman_status st = LEMAN_OK;
    const uint64_t shape[2] = {f->rows, f->columns};
    const size_t starts = f->rows + 1, two = 2;
    const char *index = f->columns > INT32_MAX ? LM_NPY_ORDER "u4" : LM_NPY_ORDER "i4"; /* scipy widens the former */
    lm_zip zip;
    (void)data;
    lm_zip_begin(out->ctx, out, &zip);
    zip.level = NPZ_LEVEL;
    TRY(lm_npz_array(&zip, "indices", index, 1, &f->entries, f->column, sizeof *f->column));
    TRY(lm_npz_array(&zip, "indptr", LM_NPY_ORDER "i8", 1, &starts, f->start, sizeof *f->start));
    TRY(lm_npz_array(&zip, "format", "|S3", 0, NULL, "csr", 3));
    TRY(lm_npz_array(&zip, "shape", LM_NPY_ORDER "i8", 1, &two, shape, sizeof *shape));
    TRY(lm_npz_array(&zip, "data", LM_NPY_ORDER "f8", 1, &f->entries, f->value, sizeof *f->value));
    TRY(lm_zip_end(&zip));
done:
    lm_zip_free(&zip);
    return st;
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

static const struct format {
    const char *ending;
    writer *write;
    bool text; /* may be packed */
} FORMATS[] = {{".svm", lm_svmlight_rows, true},
               {".svmlight", lm_svmlight_rows, true},
               {".libsvm", lm_svmlight_rows, true},
               {".mtx", write_matrix_market, true},
               {".npz", write_npz, false}};

/* Does the path end so, with or without .gz behind it? */
static bool ends(const char *path, const struct format *row)
{
    char packed[16] = "";
    strcat(strcat(packed, row->ending), ".gz");
    return lm_path_ends(path, row->ending) || (row->text && lm_path_ends(path, packed));
}

static const struct format *format_of(const char *path)
{
    if (!strcmp(path, "-")) return FORMATS;
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (ends(path, FORMATS + i)) return FORMATS + i;
    return NULL;
}

bool lm_sparse_streams(const char *path)
{
    const struct format *row = format_of(path);
    return row && row->write == lm_svmlight_rows;
}

leman_status leman_features_check(leman_context *ctx, const char *path)
{
    if (format_of(path)) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "%s: found no ending that tells a format of features, expected .svm, .npz or .mtx, or .svm.gz or "
                   ".mtx.gz",
                   path);
}

leman_status leman_features_write(leman_context *ctx, const leman_features *features, const leman_dataset *data,
                                  const char *path)
{
    leman_status st = LEMAN_OK;
    lm_gzip file = {0};
    TRY(leman_features_check(ctx, path));
    if (data && leman_dataset_shape(data).graphs != features->rows)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found %zu rows of features for %zu graphs, expected one each", features->rows,
             leman_dataset_shape(data).graphs);
    TRY(lm_gzip_open(ctx, path, &file));
    lm_progress_begin(ctx, features->entries, "writing %s", path);
    TRY(format_of(path)->write(features, data, file.text));
    TRY(lm_gzip_commit(&file));
done:
    lm_gzip_abort(&file);
    return st;
}
