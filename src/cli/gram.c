/* leman gram: the Gram matrix of a kernel, or of a sum of kernels. */
#include "cli/commands.h"
#include "cli/kernels.h"
#include <string.h>

typedef struct gram_options {
    lm_kernel_options kernels;
    const char *against;
} gram_options;

static const lm_option ROWS[] = {
    {.name = "against",
     .kind = LM_TEXT,
     .field = offsetof(gram_options, against),
     .value = "FILE",
     .help = "a second data set, whose graphs are the columns: test against train"},
    LM_OUTPUT_ROW("where the matrix goes: K.npy, K.csv, K.txt, or K.svm for LIBSVM's precomputed kernels"),
    {0},
};

/* Room for the matrix, within the budget. */
static leman_status matrix_new(leman_context *ctx, size_t rows, size_t columns, double **out)
{
    size_t bytes;
    char needs[LM_NUMBER_TEXT], has[LM_NUMBER_TEXT];
    if (!lm_multiply(rows, columns, &bytes) || !lm_multiply(bytes, sizeof(double), &bytes)) bytes = SIZE_MAX;
    if (bytes > lm_budget(ctx))
        return lm_fail(
            ctx, LEMAN_ERROR_BUDGET,
            "a matrix of %zu by %zu graphs needs %s, the memory budget is %s; sparse features (leman features) "
            "grow with the graphs, not with their square",
            rows, columns, lm_bytes_text(bytes, needs), lm_bytes_text(lm_budget(ctx), has));
    *out = lm_alloc(ctx, bytes / sizeof(double), sizeof(double));
    return *out ? LEMAN_OK : LEMAN_ERROR_MEMORY;
}

static leman_status tell(lm_work *work, const gram_options *asked, const leman_kernel *kernels, size_t count,
                         const leman_dataset *data, size_t columns, double seconds)
{
    leman_status st = LEMAN_OK;
    lm_json json = {0};
    char text[2][LM_NUMBER_TEXT];
    size_t rows = leman_dataset_shape(data).graphs;
    if (!work->options->json) {
        lm_work_tell(work, "%s: wrote %s by %s numbers", asked->kernels.coloring.common.output,
                     lm_count_text(rows, text[0]), lm_count_text(columns, text[1]));
        return LEMAN_OK;
    }
    json = lm_json_new();
    lm_json_text(&json, json.object, "output", asked->kernels.coloring.common.output);
    lm_json_count(&json, json.object, "rows", rows);
    lm_json_count(&json, json.object, "columns", columns);
    lm_json_bool(&json, json.object, "normalized", asked->kernels.normalize);
    lm_kernels_json(&json, json.object, kernels, count);
    lm_coloring_json(&json, json.object, &asked->kernels.coloring, leman_dataset_shape(data).directed);
    lm_json_real(&json, json.object, "seconds", seconds);
    TRY(lm_output_open(work->ctx, "-", &work->out)); /* --output is where the matrix went */
    TRY(lm_json_write(work->ctx, &json, &work->out));
done:
    lm_json_free(&json);
    return st;
}

static leman_status gram_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    const gram_options *asked = options;
    leman_context *ctx = work->ctx;
    leman_dataset *data = NULL, *against = NULL;
    leman_kernel *kernels = NULL;
    double *matrix = NULL;
    size_t count;
    const char *path = asked->kernels.coloring.common.output;
    if (!path) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "where does the matrix go? Add -o K.npy, K.csv, K.txt or K.svm");
    TRY(leman_matrix_check(ctx, path));
    TRY(lm_kernels_parse(ctx, &asked->kernels, &kernels, &count));
    TRY(lm_kernels_read(work, &asked->kernels, asked->kernels.coloring.common.operand[0], &data));
    if (asked->against) TRY(lm_kernels_read(work, &asked->kernels, asked->against, &against));
    size_t rows = leman_dataset_shape(data).graphs, columns = against ? leman_dataset_shape(against).graphs : rows;
    TRY(matrix_new(ctx, rows, columns, &matrix));
    double began = lm_now();
    TRY(lm_kernels_settle(ctx, data, kernels, count));
    TRY(leman_gram_take(ctx, data, against, kernels, count, asked->kernels.normalize, matrix));
    double seconds = lm_now() - began;
    TRY(leman_matrix_write(ctx, matrix, rows, columns, leman_dataset_classes(data), path));
    TRY(tell(work, asked, kernels, count, data, columns, seconds));
done:
    lm_free(ctx, matrix);
    lm_free(ctx, kernels);
    leman_dataset_free(data);
    leman_dataset_free(against);
    return st;
}

const lm_command lm_command_gram = {
    .name = "gram",
    .summary = "the kernel of every graph with every other, as a matrix",
    .description = "Computes k(G, H) for all pairs of graphs of DATA, or of DATA (rows) and another file (columns), "
                   "and writes the "
                   "matrix. " LM_KERNELS_TEXT
                   "Sums are exact integers; --normalize divides by the square root of k(G, G) k(H, H).\n\n"
                   "The matrix has a row for each graph, in the order of the file. .npy is numpy's array, .csv has no "
                   "header, .svm is "
                   "LIBSVM's precomputed kernel: label 0:row 1:k 2:k and so on.\n\n" LM_DATA_TEXT LM_REPORT_TEXT,
    .operand = {{"DATA", NULL}},
    .required = 1,
    .groups = {{"Kernels", LM_KERNEL_OPTIONS},
               {"Colourings", LM_COLORING_REST},
               {"Matrix", ROWS},
               {"Reading", LM_READING_OPTIONS},
               {"Everywhere", LM_GENERAL_OPTIONS}},
    .examples = {{"leman gram MUTAG.zip -a local -k 2 -r 3 --normalize -o K.npy",
                  "delta-2-LWL, three rounds, for scikit-learn"},
                 {"leman gram test.zip --against train.zip -a wloa -o test.csv",
                  "test graphs against training graphs"}},
    .size = sizeof(gram_options),
    .run = gram_run,
};
