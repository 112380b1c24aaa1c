/* leman features: sparse feature vectors, one row for each graph. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/labels.h"
#include "cli/mpi/ranks.h"
#include "cli/options/choices.h"
#include "cli/options/kernels.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct features_options {
    lm_kernel_options kernels;
    const char *columns, *out_of_vocabulary, *target;
    uint64_t hash_bits;
    bool with_labels, substructures;
} features_options;

#define FIELD(member) offsetof(features_options, member)

static const char *const OUT_OF_VOCABULARY[] = {"drop", "refuse", NULL};

static const lm_option ROWS[] = {
    LM_ROW("columns", 0, LM_TEXT, FIELD(columns), "FILE", HELP_FEATURES_COLUMNS, .kept = true,
           .endings = LM_OWN_ENDINGS),
    LM_COLOR_DEVICE_ROWS,
    LM_ROW("out-of-vocabulary", 0, LM_CHOICE, FIELD(out_of_vocabulary), "WHAT", HELP_FEATURES_OUT_OF_VOCABULARY,
           .choices = OUT_OF_VOCABULARY, .needs = "columns"),
    LM_ROW("hash-bits", 0, LM_UNSIGNED, FIELD(hash_bits), "B", HELP_FEATURES_HASH_BITS, .min = 1, .max = 31),
    LM_TARGET_ROW(FIELD(target), HELP_FEATURES_TARGET),
    LM_WITH_LABELS_ROW(FIELD(with_labels), HELP_FEATURES_WITH_LABELS),
    LM_FLAG_ROW("substructures", FIELD(substructures), HELP_FEATURES_SUBSTRUCTURES, .needs = "with-labels",
                .without = "hash-bits"),
    LM_OUTPUT_ROW(HELP_FEATURES_OUTPUT),
    {0},
};

/* Checks the command line before anything is read. */
static leman_status check(leman_context *ctx, const features_options *asked)
{
    const lm_common *common = &asked->kernels.coloring.common;
    if (!common->output) return MISUSE(ctx, "where do the features go? Add -o F.svm, F.npz, F.mtx or F.lmf");
    if (!strcmp(common->output, "-") && common->json)
        return MISUSE(ctx, "the features and --json cannot both go to standard output");
    if (!strcmp(common->output, "-") && asked->with_labels)
        return MISUSE(ctx, "option '--with-labels': the features go to standard output, expected a file");
    if (asked->columns && !strcmp(asked->columns, "-"))
        return MISUSE(ctx, "option '--columns': found '-', expected the name of a file");
    if (asked->columns && asked->hash_bits)
        return MISUSE(ctx, "found both --columns and --hash-bits, expected one of them");
    if (asked->columns && asked->kernels.attributes)
        return MISUSE(
            ctx, "found both --columns and --attributes, expected one of them: a file of columns does not keep the "
                 "means and deviations of attributes, a model of 'leman fit' does");
    return leman_features_check(ctx, common->output);
}

/* Where graphs come from: a data set or a stream. */
typedef struct source {
    leman_dataset *data;         /* NULL: a stream */
    leman_stream *stream;        /* NULL: a data set */
    const leman_dataset *labels; /* names, classes and targets: `data`, or those of the stream after its end */
    leman_features *known;       /* the columns of the file of --columns; NULL: it does not exist, or was not given */
} source;

static void source_free(source *from)
{
    leman_dataset_free(from->data);
    leman_stream_free(from->stream);
    leman_features_free(from->known);
}

/* Makes the target that was given the only one: *alone becomes a copy of the data, or stays NULL without a target. */
static leman_status use_target(leman_context *ctx, const char *target, const leman_dataset *data, leman_dataset **alone)
{
    size_t column;
    if (!target) return LEMAN_OK;
    PASS(leman_dataset_target_find(ctx, data, target, &column));
    return leman_dataset_use_target(ctx, data, column, alone);
}

/* Writes F.y.csv. If a target is given, it is the only column of targets. */
static leman_status write_labels(lm_work *work, const char *target, const leman_dataset *labels, lm_output *rows)
{
    AUTO(leman_dataset_drop) leman_dataset *alone = NULL;
    PASS(use_target(work->ctx, target, labels, &alone));
    return lm_row_labels_write(work, alone ? alone : labels, work->options->output, ".y.csv", rows);
}

/* Makes the texts of --substructures, which *found owns: what each column counts, shown in a graph of DATA. */
static leman_status name_columns(leman_context *ctx, const source *from, const leman_kernel *kernels, size_t count,
                                 const leman_feature_options *options, leman_substructures **found,
                                 const char *const **text)
{
    AUTO(leman_features_drop) leman_features *made = NULL;
    const char **own;
    if (!from->known) PASS(leman_features_compute(ctx, from->data, kernels, count, options, &made));
    PASS(leman_features_substructures(ctx, made ? made : from->known, from->data, found));
    PASS_SCRATCH(ctx, own, (*found)->count);
    for (size_t c = 0; c < (*found)->count; c++) own[c] = (*found)->item[c].text;
    *text = own;
    return LEMAN_OK;
}

/* Computes and writes the features. If the file of --columns does not exist, it is written too. */
static leman_status compute_and_write(lm_work *work, const features_options *asked, source *from,
                                      const leman_kernel *kernels, size_t count, leman_features **sizes)
{
    leman_context *ctx = work->ctx;
    AUTO(lm_output_abort) lm_output rows = {0};
    AUTO(leman_substructures_drop) leman_substructures *found = NULL;
    char *table = NULL;
    leman_feature_options options = leman_feature_options_default();
    options.normalize = asked->kernels.normalize != NULL;
    options.refuse_out_of_vocabulary = asked->out_of_vocabulary && !strcmp(asked->out_of_vocabulary, "refuse");
    options.hash_bits = (unsigned)asked->hash_bits;
    options.apex = asked->kernels.coloring.apex;
    if (asked->substructures) PASS(name_columns(ctx, from, kernels, count, &options, &found, &options.column_text));
    if (asked->columns && !from->known) options.keep = asked->columns; /* for the first time */
    options.columns = from->known;
    if (asked->with_labels && !from->stream)
        PASS(write_labels(work, NULL, from->data, &rows)); /* the target is selected already */
    if (asked->with_labels && !asked->hash_bits)
        PASS(lm_row_labels_path(work, work->options->output, ".columns.csv", &table));
    options.column_table = table;
    if (from->stream) {
        PASS(leman_features_save_stream(ctx, from->stream, kernels, count, &options, asked->target,
                                        work->options->output, sizes));
        PASS(lm_work_stream_end(work, work->options->operand[0], from->stream, &from->labels));
        if (asked->with_labels) PASS(write_labels(work, asked->target, from->labels, &rows));
    } else {
        PASS(leman_features_save(ctx, from->data, kernels, count, &options, work->options->output, sizes));
        from->labels = from->data;
    }
    if (rows.open) PASS(lm_output_commit(&rows));
    return LEMAN_OK;
}

/* Adds "blocks": [{kernel k round first columns}], the range of columns of each round of each kernel. */
static void blocks_json(lm_json *json, const leman_kernel *kernels, const leman_features *sizes)
{
    json_t *list = lm_json_array(json, json->object, "blocks");
    for (size_t i = 0; i < sizes->blocks; i++) {
        const leman_feature_block *b = sizes->block + i;
        const leman_kernel *kernel = kernels + b->kernel;
        const bool colors = kernel->kind == LEMAN_KERNEL_KIND_COLORS;
        const bool larger = kernel->kind == LEMAN_KERNEL_KIND_GRAPHLET && kernel->graphlet > 3;
        const char *name = leman_kernel_name(kernel);
        char method[128];
        leman_kernels_paper_name(kernel, 1, method, sizeof method);
        LM_PUT(json, lm_json_object(json, list, NULL),
               KEY("kernel", larger ? FORMAT("%s:%u", name, kernel->graphlet) : name), KEY("method", method),
               KEY_IF(colors, "k", kernel->coloring.k), KEY_IF(leman_kernel_has_rounds(kernel), "round", b->round),
               MEMBER(b, first), MEMBER(b, columns));
    }
}

static leman_status print_result(lm_work *work, const features_options *asked, const leman_kernel *kernels,
                                 size_t count, const leman_features *sizes, bool directed, double seconds)
{
    lm_json *json = &work->json;
    const char *path = work->options->output;
    if (!work->options->json) {
        if (strcmp(path, "-"))
            lm_work_log(work, "%s: wrote %s row%s, %s column%s, %s %s", path, COUNT_TEXT(sizes->rows),
                        lm_plural(sizes->rows), COUNT_TEXT(sizes->columns), lm_plural(sizes->columns),
                        COUNT_TEXT(sizes->entries), lm_plural_of(sizes->entries, "entry", "entries"));
        return LEMAN_OK;
    }
    LM_PUT(json, json->object, KEY("output", path), MEMBER(sizes, rows), MEMBER(sizes, columns), MEMBER(sizes, entries),
           MEMBER(sizes, out_of_vocabulary), KEY("normalized", asked->kernels.normalize != NULL));
    lm_kernels_json(json, json->object, kernels, count);
    lm_coloring_json(json, json->object, &asked->kernels.coloring, directed);
    blocks_json(json, kernels, sizes);
    LM_PUT(json, json->object, KEY("seconds", seconds));
    return lm_ranks_json(work->ctx, json);
}

/* Returns true if all graphs are needed at once: for rounds until the colouring is stable, for apex vertices, for means
 * and deviations of attributes, and for substructures. */
static bool needs_all(const features_options *asked, const leman_kernel *kernels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (kernels[i].kind == LEMAN_KERNEL_KIND_COLORS && kernels[i].coloring.rounds == LEMAN_STABLE) return true;
    return asked->kernels.coloring.apex || asked->kernels.attributes || asked->substructures;
}

static leman_status open_source(lm_work *work, const features_options *asked, const leman_kernel *kernels, size_t count,
                                source *from)
{
    leman_dataset *alone = NULL;
    const char *path = work->options->operand[0];
    if (asked->columns && !(access(asked->columns, F_OK) && errno == ENOENT)) {
        PASS(leman_feature_columns_read(work->ctx, asked->columns, &from->known));
        work->reading = from->known->origin.reading;
        work->made_of = asked->columns;
    }
    if (!needs_all(asked, kernels, count)) {
        work->without_vertex_attributes = true;
        return lm_work_stream(work, path, &from->stream);
    }
    PASS(lm_kernels_read(work, &asked->kernels, path, &from->data));
    PASS(use_target(work->ctx, asked->target, from->data, &alone));
    if (alone) {
        leman_dataset_free(from->data);
        from->data = alone;
    }
    return LEMAN_OK;
}

static leman_status features_run(lm_work *work, const void *options)
{
    const features_options *asked = options;
    AUTO(source_free) source from = {0};
    leman_kernel *kernels = NULL;
    AUTO(leman_features_drop) leman_features *sizes = NULL;
    size_t count;
    PASS(check(work->ctx, asked));
    PASS(lm_class_or_target(work->ctx, work->options, asked->target != NULL));
    PASS(lm_kernels_single(work->ctx, &asked->kernels, ""));
    PASS(lm_kernels_parse(work->ctx, &asked->kernels, &kernels, &count));
    PASS(lm_kernels_atoms(work, kernels, count));
    PASS(open_source(work, asked, kernels, count, &from));
    if (!from.data) lm_attributes_remark(work, &asked->kernels, NULL);
    double began = lm_now();
    if (from.data) PASS(leman_kernels_resolve(work->ctx, from.data, kernels, count));
    PASS(compute_and_write(work, asked, &from, kernels, count, &sizes));
    return print_result(work, asked, kernels, count, sizes, leman_dataset_shape(from.labels)->directed,
                        lm_now() - began);
}

const lm_command lm_command_features = {
    .name = "features",
    .help = &LM_HELP_FEATURES,
    LM_DATA_OPERAND,
    .ranks = true,
    .common = "algorithm rounds columns normalize output",
    .groups = {LM_KERNEL_GROUP, {"Colourings", LM_COLORING_REST}, {"Features", ROWS}, LM_LAST_GROUPS},
    .size = sizeof(features_options),
    .run = features_run,
};
