/* leman gram: the Gram matrix of a kernel or of a sum of kernels, or one matrix for every number of rounds. */
#include "base/ranks/ranks.h"
#include "cli/commands.h"
#include "cli/labels.h"
#include "cli/mpi/ranks.h"
#include "cli/options/choices.h"
#include "cli/options/files.h"
#include "cli/options/protocol.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct gram_options {
    lm_kernel_options kernels;
    const char *against;
    bool with_labels;
    uint64_t sample;   /* 0: all tuples */
    double confidence; /* 0: not given */
    const char *sample_bounds;
} gram_options;

#define FIELD(member) offsetof(gram_options, member)

static const char *const ROUNDS[] = {"stable", NULL};

static const lm_option ROWS[] = {
    LM_K_ROW,
    LM_ROW("rounds", 'r', LM_TEXT, offsetof(lm_coloring_options, rounds), "H", HELP_GRAM_ROUNDS, .choices = ROUNDS),
    LM_COLOR_DEVICE_ROWS,
    LM_ROW("against", 0, LM_TEXT, FIELD(against), "FILE", HELP_GRAM_AGAINST),
    LM_ROW("sample", 0, LM_UNSIGNED, FIELD(sample), "M", HELP_GRAM_SAMPLE, .min = 2, .max = UINT32_MAX),
    LM_ROW("confidence", 0, LM_REAL, FIELD(confidence), "P", HELP_GRAM_CONFIDENCE, .low = 1e-9, .high = 1 - 1e-9,
           .needs = "sample"),
    LM_ROW("sample-bounds", 0, LM_TEXT, FIELD(sample_bounds), "FILE", HELP_GRAM_SAMPLE_BOUNDS, .written = true,
           .needs = "sample"),
    LM_WITH_LABELS_ROW(FIELD(with_labels), HELP_GRAM_WITH_LABELS),
    LM_OUTPUT_ROW(HELP_GRAM_OUTPUT),
    {0},
};

/* State of the command. */
typedef struct gram_work {
    lm_work *work;
    const gram_options *asked;
    const char *path;
    leman_kernel *kernels;
    size_t count;
    leman_dataset *data, *against; /* against: columns of the matrix, or NULL */
    size_t rows, columns;
    bool range; /* one matrix for every number of rounds min .. max */
    uint32_t min, max;
    double **matrix; /* [matrices] */
    size_t matrices;
    double *bound;     /* error bounds of estimates, or NULL */
    double confidence; /* of the bounds */
    bool tiles;        /* the matrix does not fit into memory: compute and write some rows at a time */
    double seconds;
    lm_output labels[2]; /* of rows and columns, for --with-labels */
} gram_work;

static void gram_free(gram_work *g)
{
    for (size_t i = 0; i < g->matrices; i++) free(g->matrix[i]);
    free(g->bound);
    for (int i = 0; i < 2; i++) lm_output_abort(g->labels + i);
    leman_dataset_free(g->data);
    leman_dataset_free(g->against);
}

/* ---- What was asked for ---------------------------------------------------------------------- */

/* Makes the path "K-3.npy" from "K.npy". */
static leman_status path_of(leman_context *ctx, const char *path, uint32_t rounds, char **out)
{
    const char *ending = strrchr(path, '.'); /* leman_matrix_check() has made sure there is one */
    size_t size = strlen(path) + 16;
    char *name;
    PASS_SCRATCH(ctx, name, size);
    snprintf(name, size, "%.*s-%u%s", (int)(ending - path), path, rounds, ending);
    *out = name;
    return LEMAN_OK;
}

static leman_status read_range(gram_work *g, lm_kernel_options *plain)
{
    leman_context *ctx = g->work->ctx;
    const char *text = plain->coloring.rounds;
    char *name;
    g->range = text && *text >= '0' && *text <= '9' && strchr(text, '-');
    if (!g->range) return LEMAN_OK;
    PASS(lm_rounds_read(ctx, text, &g->min, &g->max));
    if (!strcmp(g->path, "-"))
        return MISUSE(ctx, "several matrices cannot all go to standard output; expected -o K.npy or the like");
    for (uint32_t h = g->min; h <= g->max; h++) {
        PASS(path_of(ctx, g->path, h, &name));
        PASS(lm_files_add(g->work, "--output", name));
    }
    plain->coloring.rounds = NULL; /* lm_kernels_parse() takes no range */
    return LEMAN_OK;
}

/* Reads a data set. If it does not fit into memory, the message recommends leman features. */
static leman_status read_one(gram_work *g, const lm_kernel_options *plain, const char *path, leman_dataset **out)
{
    leman_context *ctx = g->work->ctx;
    const leman_status st = lm_kernels_read_raw(g->work, plain, path, out);
    if (st != LEMAN_ERROR_BUDGET) return st;
    return lm_fail(ctx, st, "%s; a Gram matrix needs all graphs in memory, 'leman features' reads some at a time",
                   ctx->message);
}

static leman_status standardize(gram_work *g, const leman_dataset *like, leman_dataset **data)
{
    leman_dataset *standard;
    PASS(leman_dataset_standardize(g->work->ctx, *data, like, &standard));
    leman_dataset_free(*data);
    *data = standard;
    return LEMAN_OK;
}

static leman_status read_data(gram_work *g, const lm_kernel_options *plain)
{
    PASS(read_one(g, plain, g->work->options->operand[0], &g->data));
    if (g->asked->against) PASS(read_one(g, plain, g->asked->against, &g->against));
    if (plain->attributes) { /* the scale is that of the columns */
        const leman_dataset *like = g->against;
        PASS(standardize(g, like, &g->data));
        if (g->against) PASS(standardize(g, NULL, &g->against));
    }
    g->rows = leman_dataset_shape(g->data)->graphs;
    g->columns = g->against ? leman_dataset_shape(g->against)->graphs : g->rows;
    return LEMAN_OK;
}

static leman_status read_request(gram_work *g)
{
    leman_context *ctx = g->work->ctx;
    lm_kernel_options plain = g->asked->kernels;
    const lm_common *common = &plain.coloring.common;
    g->path = common->output;
    if (!g->path) return MISUSE(ctx, "where does the matrix go? Add -o K.npy, K.csv, K.txt or K.svm");
    PASS(leman_matrix_check(ctx, g->path));
    if (!strcmp(g->path, "-") && g->asked->with_labels)
        return MISUSE(ctx, "option '--with-labels': the matrix goes to standard output, expected a file");
    if (!strcmp(g->path, "-") && common->json)
        return MISUSE(ctx, "the matrix and --json cannot both go to standard output");
    PASS(read_range(g, &plain));
    PASS(lm_kernels_single(ctx, &plain, ""));
    PASS(lm_kernels_parse(ctx, &plain, &g->kernels, &g->count));
    PASS(lm_kernels_atoms(g->work, g->kernels, g->count));
    if (g->asked->sample_bounds) PASS(leman_matrix_check(ctx, g->asked->sample_bounds));
    if (g->asked->sample && (g->range || g->count > 1))
        return MISUSE(ctx, "option '--sample': found %s, expected one kernel and one number of rounds",
                      g->range ? "a range of rounds" : "several kernels");
    if (g->range && g->count > 1)
        return MISUSE(ctx, "found a range of rounds and %zu kernel%s, expected one kernel", g->count,
                      lm_plural(g->count));
    if (g->range) g->kernels->coloring.rounds = g->max;
    return read_data(g, &plain);
}

/* Allocates all matrices within the budget. */
static leman_status allocate(gram_work *g)
{
    leman_context *ctx = g->work->ctx;
    size_t cells, each, bytes, count = g->range ? g->max + (size_t)1 : 1;
    char available[LM_BUDGET_TEXT];
    const char *several = count > 1 ? FORMAT("%zu %s", count, lm_plural_of(count, "matrix", "matrices")) : "a matrix";
    /* A sampled matrix has a matrix of bounds beside it. */
    if (!lm_multiply(g->rows, g->columns, &cells) || !lm_multiply(cells, sizeof(double), &each) ||
        !lm_multiply(each, count + (g->asked->sample != 0), &bytes))
        cells = each = bytes = SIZE_MAX;
    uint64_t budget = lm_budget(ctx);
    PASS(lm_ranks_min(ctx, &budget)); /* all ranks must decide alike */
    g->tiles = bytes > budget && !g->range && !g->asked->sample;
    if (g->tiles) return LEMAN_OK;
    if (bytes > budget)
        return lm_fail(
            ctx, LEMAN_ERROR_BUDGET,
            "%s of %zu by %zu graph%s needs %s, the memory budget is %s; sparse features (leman features) grow with "
            "the graphs, not with their square",
            several, g->rows, g->columns, lm_plural(g->columns), BYTES_TEXT(bytes),
            lm_budget_text(ctx, lm_budget(ctx), available));
    PASS_SCRATCH(ctx, g->matrix, count);
    for (; g->matrices < count; g->matrices++) { /* malloc: leman_gram_compute() counts these bytes itself */
        if (!(g->matrix[g->matrices] = malloc(each ? each : 1))) PASS(lm_refuse_bytes(ctx, each));
        lm_prefer_large_pages(g->matrix[g->matrices], each);
    }
    if (g->asked->sample && !(g->bound = malloc(each ? each : 1))) PASS(lm_refuse_bytes(ctx, each));
    return LEMAN_OK;
}

/* ---- What comes out -------------------------------------------------------------------------- */

/* Writes the matrices, one file for each number of rounds. */
static leman_status write_matrices(gram_work *g)
{
    leman_context *ctx = g->work->ctx;
    const int64_t *classes = leman_dataset_classes(g->data);
    char *name;
    if (!g->range) return leman_matrix_write(ctx, *g->matrix, g->rows, g->columns, classes, g->path);
    for (uint32_t h = g->min; h <= g->max; h++) {
        PASS(path_of(ctx, g->path, h, &name));
        PASS(leman_matrix_write(ctx, g->matrix[h], g->rows, g->columns, classes, name));
    }
    return LEMAN_OK;
}

/* ---- Estimates ------------------------------------------------------------------------------- */

static leman_status estimate(gram_work *g)
{
    leman_sampling sampling = leman_sampling_default();
    sampling.tuples = g->asked->sample;
    sampling.confidence = g->confidence;
    return leman_gram_sample(g->work->ctx, g->data, g->against, g->kernels, &sampling, g->asked->kernels.normalize,
                             *g->matrix, g->bound);
}

static double largest_bound(const gram_work *g)
{
    double largest = 0;
    for (size_t i = 0; i < g->rows * g->columns; i++)
        if (g->bound[i] > largest) largest = g->bound[i];
    return largest;
}

/* Adds "sample": {tuples confidence bound unbiased bounds}. */
static void sample_json(const gram_work *g, lm_json *json)
{
    if (!g->bound) {
        LM_PUT(json, json->object, KEY_NULL("sample"));
        return;
    }
    json_t *object = lm_json_object(json, json->object, "sample");
    LM_PUT(json, object, KEY("tuples", g->asked->sample), MEMBER(g, confidence), KEY("bound", largest_bound(g)),
           KEY("unbiased", (bool)(!g->asked->kernels.normalize)), KEY("bounds", g->asked->sample_bounds));
}

/* Adds "outputs": [{rounds output}] for a range of rounds. */
static leman_status outputs_json(const gram_work *g, lm_json *json)
{
    json_t *list = lm_json_array(json, json->object, "outputs");
    for (uint32_t h = g->min; h <= g->max; h++) {
        json_t *object = lm_json_object(json, list, NULL);
        char *name;
        PASS(path_of(g->work->ctx, g->path, h, &name));
        LM_PUT(json, object, KEY("rounds", h), KEY("output", name));
    }
    return LEMAN_OK;
}

static void log_result(const gram_work *g)
{
    const char *rows = COUNT_TEXT(g->rows), *columns = COUNT_TEXT(g->columns);
    const uint64_t matrices = g->max - g->min + UINT64_C(1);
    if (g->range)
        lm_work_log(g->work, "%s: wrote %s %s of %s by %s numbers, for %u to %u round%s", g->path, COUNT_TEXT(matrices),
                    lm_plural_of(matrices, "matrix", "matrices"), rows, columns, g->min, g->max, lm_plural(g->max));
    else if (strcmp(g->path, "-"))
        lm_work_log(g->work, "%s: wrote %s by %s numbers", g->path, rows, columns);
    if (g->bound)
        lm_work_log(
            g->work,
            "%s: estimates from %s random tuples of each graph; with probability %g every one is within %.3g of %s",
            g->path, COUNT_TEXT(g->asked->sample), g->confidence, largest_bound(g),
            g->asked->kernels.normalize ? "the cosine" : "k(G, H) divided by both numbers of tuples");
}

static leman_status fill_json(const gram_work *g)
{
    lm_json *json = &g->work->json;
    LM_PUT(json, json->object, KEY("output", g->path));
    if (g->range) PASS(outputs_json(g, json));
    LM_PUT(json, json->object, MEMBER(g, rows), MEMBER(g, columns),
           KEY("normalized", g->asked->kernels.normalize != NULL),
           KEY_IF(g->asked->kernels.normalize != NULL, "normalization", g->asked->kernels.normalize));
    sample_json(g, json);
    lm_kernels_json(json, json->object, g->kernels, g->count);
    lm_coloring_json(json, json->object, &g->asked->kernels.coloring, leman_dataset_shape(g->data)->directed);
    LM_PUT(json, json->object, MEMBER(g, seconds));
    return lm_ranks_json(g->work->ctx, json);
}

/* Computes one matrix. If memory is too short, computes and writes some rows at a time. */
static leman_status compute(gram_work *g)
{
    leman_status st = LEMAN_OK;
    const bool normalize = g->asked->kernels.normalize != NULL;
    if (!g->tiles)
        st = leman_gram_compute(g->work->ctx, g->data, g->against, g->kernels, g->count, normalize, *g->matrix);
    if (st != LEMAN_ERROR_BUDGET && !g->tiles) return st;
    g->tiles = true;
    if (g->matrix) free(*g->matrix);
    g->matrices = 0;
    return leman_gram_save(g->work->ctx, g->data, g->against, g->kernels, g->count, normalize, g->path);
}

/* Computes all matrices, in memory if they fit. */
static leman_status compute_all(gram_work *g)
{
    leman_context *ctx = g->work->ctx;
    PASS(allocate(g));
    PASS(leman_kernels_resolve(ctx, g->data, g->kernels, g->count));
    if (g->bound) return estimate(g);
    if (!g->range) return compute(g);
    return leman_gram_rounds(ctx, g->data, g->against, g->kernels, g->asked->kernels.normalize, g->matrix);
}

static leman_status write_row_labels(gram_work *g)
{
    if (!g->asked->with_labels) return LEMAN_OK;
    PASS(lm_row_labels_write(g->work, g->data, g->path, ".y.csv", g->labels));
    if (g->against) PASS(lm_row_labels_write(g->work, g->against, g->path, ".against.csv", g->labels + 1));
    return LEMAN_OK;
}

static leman_status gram_run(lm_work *work, const void *options)
{
    leman_context *ctx = work->ctx;
    AUTO(gram_free) gram_work g = {.work = work, .asked = options};
    g.confidence = g.asked->confidence > 0 ? g.asked->confidence : leman_sampling_default().confidence;
    PASS(read_request(&g));
    double began = lm_now();
    PASS(compute_all(&g));
    g.seconds = lm_now() - began;
    PASS(write_row_labels(&g));
    if (!g.tiles) PASS(write_matrices(&g));
    if (g.asked->sample_bounds) PASS(leman_matrix_write(ctx, g.bound, g.rows, g.columns, NULL, g.asked->sample_bounds));
    for (int i = 0; i < 2; i++)
        if (g.labels[i].open) PASS(lm_output_commit(g.labels + i));
    if (work->options->json) return fill_json(&g);
    log_result(&g);
    return LEMAN_OK;
}

const lm_command lm_command_gram = {
    .name = "gram",
    .help = &LM_HELP_GRAM,
    LM_DATA_OPERAND,
    .ranks = true,
    .common = "algorithm rounds normalize against output",
    .groups = {LM_KERNEL_GROUP, {"Matrix", ROWS}, LM_TAIL_GROUPS},
    .size = sizeof(gram_options),
    .run = gram_run,
};
