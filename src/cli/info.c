/* leman info: describes a data set, and estimates the cost of colouring its k-tuples. */
#include "base/text.h"
#include "cli/commands.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_K = 3 };

typedef struct class_size {
    int64_t label;
    uint64_t graphs;
} class_size;

typedef struct target_range {
    double min, max; /* NAN if all values are missing */
    size_t missing;
} target_range;

typedef struct contents {
    const leman_dataset *data;
    const leman_shape *shape;
    size_t known; /* number of graphs of the known data set of this name; 0: not known */
    leman_summary summary;
    leman_cleaning report;
    leman_cost cost[LARGEST_K + 1]; /* [k] */
    class_size *sizes;              /* [summary.classes] sorted by label */
    size_t missing_classes;
    target_range *targets; /* [shape->columns->targets] */
} contents;

/* ---- Gathering ------------------------------------------------------------------------------- */

static int compare_labels(const void *a, const void *b)
{
    int64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static leman_status count_classes(leman_context *ctx, const leman_dataset *data, contents *f)
{
    leman_status st = LEMAN_OK;
    const int64_t *class_label = leman_dataset_classes(data);
    size_t graphs = f->shape->graphs, used = 0;
    int64_t *labels = NULL;
    for (size_t g = 0; g < graphs && class_label; g++) f->missing_classes += class_label[g] == LEMAN_CLASS_MISSING;
    if (!f->summary.classes) goto done;
    NEW(ctx, f->sizes, f->summary.classes);
    NEW(ctx, labels, graphs);
    memcpy(labels, class_label, graphs * sizeof *labels);
    qsort(labels, graphs, sizeof *labels, compare_labels);
    for (size_t i = f->missing_classes; i < graphs; i++) { /* missing classes are the smallest number */
        if (!used || labels[i] != labels[i - 1]) f->sizes[used++] = (class_size){labels[i], 0};
        f->sizes[used - 1].graphs++;
    }
done:
    lm_free(ctx, labels);
    return st;
}

static leman_status measure_targets(leman_context *ctx, const leman_dataset *data, contents *f)
{
    leman_status st = LEMAN_OK;
    const size_t columns = f->shape->columns->targets;
    const double *value = leman_dataset_targets(data);
    NEW(ctx, f->targets, columns);
    for (size_t t = 0; t < columns; t++) {
        target_range range = {NAN, NAN, 0};
        for (size_t g = 0; g < f->shape->graphs; g++) {
            range.missing += isnan(value[g * columns + t]) != 0;
            range.min = fmin(range.min, value[g * columns + t]); /* fmin() of a number and NaN is the number */
            range.max = fmax(range.max, value[g * columns + t]);
        }
        f->targets[t] = range;
    }
done:
    return st;
}

static leman_status gather(leman_context *ctx, const leman_dataset *data, contents *f)
{
    leman_status st = LEMAN_OK;
    f->data = data;
    f->shape = leman_dataset_shape(data);
    f->known = leman_dataset_known_graphs(f->shape->name);
    TRY(leman_dataset_summary(ctx, data, &f->summary));
    for (unsigned k = 1; k <= LARGEST_K; k++) f->cost[k] = leman_dataset_cost(data, k);
    TRY(count_classes(ctx, data, f));
    TRY(measure_targets(ctx, data, f));
done:
    return st;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_classes(lm_json *json, const contents *f)
{
    json_t *root = json->object;
    if (!f->shape->columns->classes) {
        lm_json_null(json, root, "classes");
        lm_json_null(json, root, "class_sizes");
        return;
    }
    lm_json_count(json, root, "classes", f->summary.classes);
    json_t *sizes = lm_json_array(json, root, "class_sizes");
    for (size_t i = 0; i < f->summary.classes; i++) {
        json_t *size = lm_json_object(json, sizes, NULL);
        lm_json_integer(json, size, "class", f->sizes[i].label);
        lm_json_count(json, size, "graphs", f->sizes[i].graphs);
        size_t length;
        const char *name = leman_dataset_class_name(f->data, f->sizes[i].label, &length);
        if (length) lm_json_bytes(json, size, "name", name, length);
    }
    lm_json_count(json, root, "missing_classes", f->missing_classes);
}

/* Adds name, range and number of missing values of each column of targets. */
static void put_targets(lm_json *json, const contents *f)
{
    lm_json_count(json, json->object, "targets", f->shape->columns->targets);
    json_t *columns = lm_json_array(json, json->object, "target_columns");
    for (size_t t = 0; t < f->shape->columns->targets; t++) {
        json_t *column = lm_json_object(json, columns, NULL);
        size_t length;
        const char *name = leman_dataset_target_name(f->data, t, &length);
        lm_json_count(json, column, "column", t);
        if (length)
            lm_json_bytes(json, column, "name", name, length);
        else
            lm_json_null(json, column, "name");
        lm_json_real(json, column, "min", f->targets[t].min);
        lm_json_real(json, column, "max", f->targets[t].max);
        lm_json_count(json, column, "missing", f->targets[t].missing);
    }
}

static void put_cost(lm_json *json, const contents *f)
{
    json_t *costs = lm_json_array(json, json->object, "cost");
    for (int k = 1; k <= LARGEST_K; k++) {
        json_t *cost = lm_json_object(json, costs, NULL);
        lm_json_integer(json, cost, "k", k);
        lm_json_count(json, cost, "tuples", f->cost[k].tuples);
        lm_json_count(json, cost, "bytes", f->cost[k].bytes);
    }
}

static leman_status write_json(leman_context *ctx, const contents *f, lm_output *out)
{
    const leman_columns *c = f->shape->columns;
    lm_json json = lm_json_new();
    json_t *root = json.object;
    lm_json_text(&json, root, "name", f->shape->name);
    lm_json_count(&json, root, "graphs", f->shape->graphs);
    if (f->known)
        lm_json_count(&json, root, "known_graphs", f->known);
    else
        lm_json_null(&json, root, "known_graphs");
    lm_json_count(&json, root, "vertices", f->shape->vertices);
    lm_json_count(&json, root, "edges", f->shape->edges);
    lm_json_count(&json, root, "max_vertices", f->shape->max_vertices);
    lm_json_count(&json, root, "max_degree", f->shape->max_degree);
    put_classes(&json, f);
    lm_json_count(&json, root, "vertex_labels", f->summary.vertex_labels);
    lm_json_count(&json, root, "edge_labels", f->summary.edge_labels);
    lm_json_count(&json, root, "vertex_label_columns", c->vertex_labels);
    lm_json_count(&json, root, "edge_label_columns", c->edge_labels);
    lm_json_count(&json, root, "vertex_attributes", c->vertex_attributes);
    lm_json_count(&json, root, "edge_attributes", c->edge_attributes);
    put_targets(&json, f);
    lm_json_bool(&json, root, "directed", f->shape->directed);
    lm_json_count(&json, root, "self_loops", f->shape->loops);
    lm_json_count(&json, root, "isolated_vertices", f->summary.isolated_vertices);
    lm_json_count(&json, root, "empty_graphs", f->summary.empty_graphs);
    lm_json_count(&json, root, "components", f->summary.components);
    lm_json_count(&json, root, "disconnected_graphs", f->summary.disconnected_graphs);
    put_cost(&json, f);
    lm_cleaning_json(&json, root, &f->report);
    leman_status st = lm_json_write(ctx, &json, out);
    lm_json_free(&json);
    return st;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void add_row(lm_table *table, const char *what, uint64_t count, const char *remark)
{
    char number[LM_NUMBER_TEXT];
    lm_table_cell(table, "%s", what);
    lm_table_cell(table, "%s", lm_count_text(count, number));
    lm_table_cell(table, "%s", remark);
}

/* Writes "class -1: 63, 1: 125", as many classes as fit a line. */
static void describe_classes(const contents *f, char *text, size_t size)
{
    enum { SHOWN = 6 };
    char number[LM_NUMBER_TEXT];
    lm_joined list = lm_joined_begin(text, size);
    for (size_t i = 0; i < f->summary.classes && i < SHOWN; i++) {
        size_t length;
        const char *name = leman_dataset_class_name(f->data, f->sizes[i].label, &length);
        lm_joined_add(&list, "%s%lld", i ? ", " : "class ", (long long)f->sizes[i].label);
        if (length) lm_joined_add(&list, " (%.*s)", length < 24 ? (int)length : 24, name);
        lm_joined_add(&list, ": %s", lm_count_text(f->sizes[i].graphs, number));
    }
    if (f->summary.classes > SHOWN) lm_joined_add(&list, ", ...");
    if (f->missing_classes) lm_joined_add(&list, "; missing: %s", lm_count_text(f->missing_classes, number));
}

static void add_labels(lm_table *table, const char *what, size_t columns, size_t different)
{
    char remark[64] = "";
    if (columns) snprintf(remark, sizeof remark, "different, in %zu column%s", columns, lm_plural(columns));
    add_row(table, what, different, remark);
}

static void add_columns(lm_table *table, const char *what, size_t columns)
{
    if (columns) add_row(table, what, columns, columns == 1 ? "column" : "columns");
}

/* Adds a row "  0 logP" with the range of the column. */
static void add_target(lm_table *table, const contents *f, size_t column)
{
    const target_range *range = f->targets + column;
    size_t length;
    const char *name = leman_dataset_target_name(f->data, column, &length);
    char number[LM_NUMBER_TEXT], missing[LM_NUMBER_TEXT + 16] = "";
    if (range->missing) snprintf(missing, sizeof missing, "; missing: %s", lm_count_text(range->missing, number));
    lm_table_cell(table, "  %zu%s%.*s", column, length ? " " : "", (int)length, name);
    lm_table_cell(table, "%s", "");
    if (isnan(range->min))
        lm_table_cell(table, "no values");
    else
        lm_table_cell(table, "from %.6g to %.6g%s", range->min, range->max, missing);
}

static void add_targets(lm_table *table, const contents *f)
{
    enum { SHOWN = 40 };
    const size_t columns = f->shape->columns->targets;
    for (size_t t = 0; t < columns && t < SHOWN; t++) add_target(table, f, t);
    if (columns <= SHOWN) return;
    lm_table_cell(table, "  ...");
    lm_table_cell(table, "%s", "");
    lm_table_cell(table, "%zu more", columns - SHOWN);
}

static leman_status write_contents(leman_context *ctx, const contents *f, lm_output *out)
{
    lm_table table = {.ctx = ctx, .align = "lrl"};
    const leman_shape *s = f->shape;
    char remark[512], number[LM_NUMBER_TEXT];
    double graphs = s->graphs ? (double)s->graphs : 1;
    snprintf(remark, sizeof remark, s->graphs < f->known ? "a subset: %s has %s" : "%s has %s", s->name,
             lm_count_text(f->known, number));
    add_row(&table, "graphs", s->graphs, f->known && f->known != s->graphs ? remark : "");
    lm_snprintf(remark, sizeof remark, "%.2f a graph, %s in the largest", (double)s->vertices / graphs,
                lm_count_text(s->max_vertices, number));
    add_row(&table, "vertices", s->vertices, remark);
    lm_snprintf(remark, sizeof remark, "%.2f a graph, %s; largest degree %s", (double)s->edges / graphs,
                s->directed ? "directed" : "undirected", lm_count_text(s->max_degree, number));
    add_row(&table, "edges", s->edges, remark);
    describe_classes(f, remark, sizeof remark);
    add_row(&table, "classes", f->summary.classes, remark);
    add_labels(&table, "vertex labels", s->columns->vertex_labels, f->summary.vertex_labels);
    add_labels(&table, "edge labels", s->columns->edge_labels, f->summary.edge_labels);
    add_columns(&table, "vertex attributes", s->columns->vertex_attributes);
    add_columns(&table, "edge attributes", s->columns->edge_attributes);
    add_columns(&table, "targets", s->columns->targets);
    add_targets(&table, f);
    if (s->loops) add_row(&table, "self-loops", s->loops, "");
    if (f->summary.isolated_vertices) add_row(&table, "isolated vertices", f->summary.isolated_vertices, "");
    if (f->summary.empty_graphs) add_row(&table, "empty graphs", f->summary.empty_graphs, "");
    snprintf(remark, sizeof remark, "of %s component%s in all", lm_count_text(f->summary.components, number),
             lm_plural(f->summary.components));
    if (f->summary.disconnected_graphs) add_row(&table, "disconnected", f->summary.disconnected_graphs, remark);
    leman_status st = lm_table_write(&table, out);
    lm_table_free(&table);
    return st;
}

static leman_status write_cost(leman_context *ctx, const contents *f, lm_output *out)
{
    lm_table table = {.ctx = ctx, .align = "rrr"};
    char tuples[LM_NUMBER_TEXT], bytes[LM_NUMBER_TEXT];
    lm_table_cell(&table, "k");
    lm_table_cell(&table, "tuples of all graphs");
    lm_table_cell(&table, "memory for the largest");
    for (int k = 1; k <= LARGEST_K; k++) {
        lm_table_cell(&table, "%d", k);
        lm_table_cell(&table, "%s", lm_count_text(f->cost[k].tuples, tuples));
        lm_table_cell(&table, "%s", lm_bytes_text(f->cost[k].bytes, bytes));
    }
    leman_status st = lm_table_write(&table, out);
    lm_table_free(&table);
    return st;
}

/* Writes the largest k that the memory budget allows, as a sentence. */
static leman_status write_advice(leman_context *ctx, const contents *f, lm_output *out)
{
    char budget[LM_NUMBER_TEXT], need[LM_NUMBER_TEXT];
    uint64_t room = lm_budget(ctx);
    unsigned fits = 0;
    while (fits < LARGEST_K && f->cost[fits + 1].bytes <= room) fits++;
    lm_bytes_text(ctx->budget ? ctx->budget : room, budget);
    if (fits == LARGEST_K)
        return lm_output_printf(out, "\nEvery k up to %d fits into the memory budget of %s.\n", LARGEST_K, budget);
    return lm_output_printf(out, "\nk = %u would need %s for its largest graph; the memory budget is %s.\n", fits + 1,
                            lm_bytes_text(f->cost[fits + 1].bytes, need), budget);
}

static leman_status write_table(leman_context *ctx, const contents *f, lm_output *out)
{
    leman_status st = LEMAN_OK;
    TRY(lm_write_text(out, f->shape->name));
    TRY(lm_write_text(out, "\n\n"));
    TRY(write_contents(ctx, f, out));
    TRY(lm_write_text(out, "\n"));
    TRY(write_cost(ctx, f, out));
    TRY(write_advice(ctx, f, out));
done:
    return st;
}

/* ---- The command ----------------------------------------------------------------------------- */

leman_status lm_info_write(lm_work *work, const leman_dataset *data, const leman_cleaning *report, bool as_json,
                           lm_output *out)
{
    leman_status st = LEMAN_OK;
    contents f = {.report = *report};
    TRY(gather(work->ctx, data, &f));
    TRY(as_json ? write_json(work->ctx, &f, out) : write_table(work->ctx, &f, out));
done:
    lm_free(work->ctx, f.sizes);
    lm_free(work->ctx, f.targets);
    return st;
}

typedef struct info_options {
    lm_common common;
    bool devices;
    const char *report, *data;
} info_options;

static const lm_option ROWS[] = {
    LM_FLAG_ROW("devices", offsetof(info_options, devices),
                "list the CUDA devices of this machine instead: name, compute capability, memory"),
    LM_ROW("report", 0, LM_TEXT, offsetof(info_options, report), "FILE",
           "for a model of leman fit: also write an HTML page with the most discriminative colours", .written = true,
           .endings = LM_PAGE_ENDINGS),
    LM_ROW("data", 0, LM_TEXT, offsetof(info_options, data), "FILE",
           "the graphs that these colours are drawn on, as a model keeps none: those it was fitted on, or others with "
           "classes",
           .needs = "report"),
    LM_RESULT_ROW,
    {0},
};

static leman_status info_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    const info_options *asked = options;
    const lm_common *common = &asked->common;
    leman_dataset *data = NULL;
    leman_cleaning report;
    leman_file_kind kind;
    lm_output *out;
    if (asked->devices && common->operands)
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "found DATA and --devices, expected one of them");
    if (asked->devices) {
        TRY(lm_work_results(work, &out));
        TRY(lm_devices_write(work->ctx, common->json, out));
        goto done;
    }
    if (!common->operands) FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "DATA is missing");
    const char *path = common->operand[0];
    if (!strcmp(path, "-") || leman_file_kind_detect(work->ctx, path, &kind)) kind = LEMAN_FILE_KIND_DATASET;
    if (kind == LEMAN_FILE_KIND_MODEL || kind == LEMAN_FILE_KIND_TASK_MODELS || kind == LEMAN_FILE_KIND_NETWORK) {
        TRY(lm_info_model(work, path, kind, asked->report, asked->data));
        goto done;
    }
    if (kind != LEMAN_FILE_KIND_OTHER && kind != LEMAN_FILE_KIND_DATASET)
        FAIL(work->ctx, LEMAN_ERROR_INPUT,
             "%s: found %s, expected a data set, a model of leman fit or a checkpoint of leman train (one network, not "
             "--folds)",
             path, leman_file_kind_name(kind));
    TRY(lm_work_read(work, path, &report, &data));
    if (asked->report)
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT,
             "option '--report': %s is no model; leman evaluate writes pages about data", path);
    TRY(lm_work_results(work, &out));
    TRY(lm_info_write(work, data, &report, common->json, out));
done:
    leman_dataset_free(data);
    return st;
}

const lm_command lm_command_info = {
    .name = "info",
    .summary = "what is in a data set, or what a model or network is",
    .description =
        "Shows what is in DATA: graphs, vertices, edges, classes, labels, attributes and targets (each with its "
        "number, counted from 0, its name and its range), and what colouring its k-tuples would cost for k = 1, 2 and "
        "3: the tuples of all graphs together, and the memory that the largest graph needs at once. An undirected edge "
        "counts once.\n\n" LM_DATA_TEXT LM_REPORT_TEXT
        "\n\nWhere DATA has the name of a known set (MUTAG) and another number of graphs, it says so.\n\n"
        "With --json the counts are integers. known_graphs is how many graphs the known set of that name has, or null; "
        "classes and class_sizes are null where graphs have no classes; labels, attributes and targets that do not "
        "exist count 0; target_columns has the number (from 0), name, range and missing values of each; a cost past "
        "2^63 is null; report has what was found and, by the policy, changed.\n\n"
        "DATA may be a model of leman fit, also of several tasks, or a checkpoint of leman train (.lmn): then it shows "
        "what was fitted on which data: method, rounds and C, or layers, parameters, precision and epochs so far; "
        "classes with their words; the score of the cross-validation, or of validation and test; features, support "
        "graphs. --report with --data draws the colours of the method that most set the classes of DATA apart. With "
        "--json: kind (model, task models or network), file and bytes, and model, tasks (name and model of each), or "
        "network, training and data.\n\n"
        "With --devices there is no DATA: the CUDA devices are listed. With --json: cuda, the version that the program "
        "was built with or null, and devices (device, name, compute_capability, multiprocessors, memory).",
    .operand = {{"DATA", NULL}},
    .common = "json directed policy from memory",
    .groups = {{"Reading", LM_READING_CLASS_OPTIONS}, {"Result", ROWS}, {"General", LM_GENERAL_OPTIONS}},
    .examples = {{"leman info MUTAG.zip", "a table of what is in the set"},
                 {"leman info local.model --report model.html --data MUTAG.zip", "a model, and its colours drawn"},
                 {"leman info --devices", "what --device may name"}},
    .size = sizeof(info_options),
    .run = info_run,
};
