/* leman info: describes a data set and estimates the cost of colouring its k-tuples, or lists the CUDA devices. */
#include "base/drop.h"
#include "base/sort.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/models.h"
#include <math.h>
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

static leman_status count_classes(leman_context *ctx, const leman_dataset *data, contents *f)
{
    const int64_t *class_label = leman_dataset_classes(data);
    size_t graphs = f->shape->graphs, used = 0;
    int64_t *labels = NULL;
    for (size_t g = 0; g < graphs && class_label; g++) f->missing_classes += class_label[g] == LEMAN_CLASS_MISSING;
    if (!f->summary.classes) return LEMAN_OK;
    PASS_SCRATCH(ctx, f->sizes, f->summary.classes);
    PASS_SCRATCH(ctx, labels, graphs);
    memcpy(labels, class_label, graphs * sizeof *labels);
    qsort(labels, graphs, sizeof *labels, lm_compare_int64);
    for (size_t i = f->missing_classes; i < graphs; i++) { /* missing classes are the smallest number */
        if (!used || labels[i] != labels[i - 1]) f->sizes[used++] = (class_size){labels[i], 0};
        f->sizes[used - 1].graphs++;
    }
    return LEMAN_OK;
}

static leman_status measure_targets(leman_context *ctx, const leman_dataset *data, contents *f)
{
    const size_t columns = f->shape->columns->targets;
    const double *value = leman_dataset_targets(data);
    PASS_SCRATCH(ctx, f->targets, columns);
    for (size_t t = 0; t < columns; t++) {
        target_range range = {NAN, NAN, 0};
        for (size_t g = 0; g < f->shape->graphs; g++) {
            range.missing += isnan(value[g * columns + t]) != 0;
            range.min = fmin(range.min, value[g * columns + t]); /* fmin() of a number and NaN is the number */
            range.max = fmax(range.max, value[g * columns + t]);
        }
        f->targets[t] = range;
    }
    return LEMAN_OK;
}

static leman_status gather(leman_context *ctx, const leman_dataset *data, contents *f)
{
    f->data = data;
    f->shape = leman_dataset_shape(data);
    f->known = leman_dataset_known_graphs(f->shape->name);
    PASS(leman_dataset_summary(ctx, data, &f->summary));
    for (unsigned k = 1; k <= LARGEST_K; k++) f->cost[k] = leman_dataset_cost(data, k);
    PASS(count_classes(ctx, data, f));
    return measure_targets(ctx, data, f);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_classes(lm_json *json, const contents *f)
{
    const bool has = f->shape->columns->classes;
    LM_PUT(json, json->object, KEY_IF(has, "classes", f->summary.classes));
    if (!has) {
        LM_PUT(json, json->object, KEY_NULL("class_sizes"));
        return;
    }
    json_t *sizes = lm_json_array(json, json->object, "class_sizes");
    for (size_t i = 0; i < f->summary.classes; i++) {
        json_t *size = lm_json_object(json, sizes, NULL);
        size_t length;
        const char *name = leman_dataset_class_name(f->data, f->sizes[i].label, &length);
        LM_PUT(json, size, KEY("class", f->sizes[i].label), KEY("graphs", f->sizes[i].graphs));
        if (length) LM_PUT(json, size, KEY_TEXT("name", name, length));
    }
    LM_PUT(json, json->object, MEMBER(f, missing_classes));
}

/* Adds name, range and number of missing values of each column of targets. */
static void put_targets(lm_json *json, const contents *f)
{
    LM_PUT(json, json->object, MEMBER(f->shape->columns, targets));
    json_t *columns = lm_json_array(json, json->object, "target_columns");
    for (size_t t = 0; t < f->shape->columns->targets; t++) {
        const target_range *range = f->targets + t;
        size_t length;
        const char *name = leman_dataset_target_name(f->data, t, &length);
        LM_PUT(json, lm_json_object(json, columns, NULL), KEY("column", t), KEY_TEXT("name", name, length),
               MEMBER(range, min), MEMBER(range, max), MEMBER(range, missing));
    }
}

static void fill_json(lm_json *json, const contents *f)
{
    const leman_columns *c = f->shape->columns;
    json_t *root = json->object;
    lm_reading_json(json, root, leman_dataset_reading(f->data));
    LM_PUT(json, root, MEMBER(f->shape, name), MEMBER(f->shape, graphs), KEY_IF(f->known, "known_graphs", f->known),
           MEMBER(f->shape, vertices), MEMBER(f->shape, edges), MEMBER(f->shape, max_vertices),
           MEMBER(f->shape, max_degree));
    put_classes(json, f);
    LM_PUT(json, root, KEY("vertex_labels", f->summary.vertex_labels), KEY("edge_labels", f->summary.edge_labels),
           KEY("vertex_label_columns", c->vertex_labels), KEY("edge_label_columns", c->edge_labels),
           MEMBER(c, vertex_attributes), MEMBER(c, edge_attributes));
    put_targets(json, f);
    LM_PUT(json, root, MEMBER(f->shape, directed), KEY("self_loops", f->shape->loops),
           KEY("isolated_vertices", f->summary.isolated_vertices), KEY("empty_graphs", f->summary.empty_graphs),
           KEY("components", f->summary.components), KEY("disconnected_graphs", f->summary.disconnected_graphs));
    LM_PUT_ROWS(json, root, "cost", cost, f->cost + 1, LARGEST_K, KEY("k", i + 1), MEMBER(cost, tuples),
                MEMBER(cost, bytes));
    lm_cleaning_json(json, root, &f->report);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Writes "class -1: 63, 1: 125", as many classes as fit a line. */
static void describe_classes(const contents *f, char *text, size_t size)
{
    enum { SHOWN = 6 };
    lm_joined list = lm_joined_begin(text, size);
    for (size_t i = 0; i < f->summary.classes && i < SHOWN; i++) {
        size_t length;
        const char *name = leman_dataset_class_name(f->data, f->sizes[i].label, &length);
        lm_joined_add(&list, "%s%lld", i ? ", " : "class ", (long long)f->sizes[i].label);
        if (length) lm_joined_add(&list, " (%.*s)", length < 24 ? (int)length : 24, name);
        lm_joined_add(&list, ": %s", COUNT_TEXT(f->sizes[i].graphs));
    }
    if (f->summary.classes > SHOWN) lm_joined_add(&list, ", ...");
    if (f->missing_classes) lm_joined_add(&list, "; missing: %s", COUNT_TEXT(f->missing_classes));
}

static void add_labels(lm_table *table, const char *what, size_t columns, size_t different)
{
    LM_TABLE_ROW(table, what, COUNT_TEXT(different),
                 columns ? FORMAT("different, in %zu column%s", columns, lm_plural(columns)) : "");
}

/* Adds a row for a number that is not 0. */
static void add_some(lm_table *table, const char *what, uint64_t count, const char *remark)
{
    if (count) LM_TABLE_ROW(table, what, COUNT_TEXT(count), remark);
}

/* Adds rows "  0 logP" with the range of the column. */
static void add_targets(lm_table *table, const contents *f)
{
    enum { SHOWN = 40 };
    const size_t columns = f->shape->columns->targets;
    for (size_t t = 0; t < columns && t < SHOWN; t++) {
        const target_range *range = f->targets + t;
        size_t length;
        const char *name = leman_dataset_target_name(f->data, t, &length);
        const char *missing = range->missing ? FORMAT("; missing: %s", COUNT_TEXT(range->missing)) : "";
        LM_TABLE_ROW(table, FORMAT("  %zu%s%.*s", t, length ? " " : "", (int)length, name), "",
                     isnan(range->min) ? "no values" : FORMAT("from %.6g to %.6g%s", range->min, range->max, missing));
    }
    if (columns > SHOWN) LM_TABLE_ROW(table, "  ...", "", FORMAT("%zu more", columns - SHOWN));
}

static leman_status write_contents(leman_context *ctx, const contents *f, lm_output *out)
{
    lm_table table = {.ctx = ctx, .align = "lrl"};
    const leman_shape *s = f->shape;
    const leman_columns *c = s->columns;
    char classes[512], reading[256];
    const double graphs = s->graphs ? (double)s->graphs : 1;
    describe_classes(f, classes, sizeof classes);
    LM_TABLE_ROW(&table, "graphs", COUNT_TEXT(s->graphs),
                 f->known && f->known != s->graphs
                     ? FORMAT("%s%s has %s", s->graphs < f->known ? "a subset: " : "", s->name, COUNT_TEXT(f->known))
                     : "");
    LM_TABLE_ROW(&table, "vertices", COUNT_TEXT(s->vertices),
                 FORMAT("%.2f a graph, %s in the largest", (double)s->vertices / graphs, COUNT_TEXT(s->max_vertices)));
    LM_TABLE_ROW(&table, "edges", COUNT_TEXT(s->edges),
                 FORMAT("%.2f a graph, %s; largest degree %s", (double)s->edges / graphs,
                        s->directed ? "directed" : "undirected", COUNT_TEXT(s->max_degree)));
    LM_TABLE_ROW(&table, "classes", COUNT_TEXT(f->summary.classes), classes);
    add_labels(&table, "vertex labels", c->vertex_labels, f->summary.vertex_labels);
    add_labels(&table, "edge labels", c->edge_labels, f->summary.edge_labels);
    add_some(&table, "vertex attributes", c->vertex_attributes,
             lm_plural_of(c->vertex_attributes, "column", "columns"));
    add_some(&table, "edge attributes", c->edge_attributes, lm_plural_of(c->edge_attributes, "column", "columns"));
    add_some(&table, "targets", c->targets, lm_plural_of(c->targets, "column", "columns"));
    add_targets(&table, f);
    add_some(&table, "self-loops", s->loops, "");
    add_some(&table, "isolated vertices", f->summary.isolated_vertices, "");
    add_some(&table, "empty graphs", f->summary.empty_graphs, "");
    add_some(&table, "disconnected", f->summary.disconnected_graphs,
             FORMAT("of %s component%s in all", COUNT_TEXT(f->summary.components), lm_plural(f->summary.components)));
    if (leman_reading_text(leman_dataset_reading(f->data), reading, sizeof reading))
        LM_TABLE_ROW(&table, "read with", "", reading);
    return lm_table_write(&table, out);
}

static leman_status write_cost(leman_context *ctx, const contents *f, lm_output *out)
{
    lm_table table = {.ctx = ctx, .align = "rrr"};
    LM_TABLE_ROW(&table, "k", "tuples of all graphs", "memory for the largest");
    for (int k = 1; k <= LARGEST_K; k++)
        LM_TABLE_ROW(&table, FORMAT("%d", k), COUNT_TEXT(f->cost[k].tuples), BYTES_TEXT(f->cost[k].bytes));
    return lm_table_write(&table, out);
}

/* Writes the largest k that the memory budget allows, as a sentence. */
static leman_status write_advice(leman_context *ctx, const contents *f, lm_output *out)
{
    const uint64_t free = lm_budget(ctx);
    unsigned fits = 0;
    while (fits < LARGEST_K && f->cost[fits + 1].bytes <= free) fits++;
    const char *budget = BYTES_TEXT(ctx->budget ? ctx->budget : free);
    if (fits == LARGEST_K)
        return lm_output_printf(out, "\nEvery k up to %d fits into the memory budget of %s.\n", LARGEST_K, budget);
    return lm_output_printf(out, "\nk = %u would need %s for its largest graph; the memory budget is %s.\n", fits + 1,
                            BYTES_TEXT(f->cost[fits + 1].bytes), budget);
}

/* ---- Devices --------------------------------------------------------------------------------- */

/* Lists the CUDA devices of this machine. */
static leman_status list_devices(lm_work *work)
{
    lm_json *json = &work->json;
    lm_table table = {.ctx = work->ctx, .align = "llrr"};
    lm_output *out;
    LM_PUT(json, json->object, KEY("cuda", leman_cuda_version()));
    json_t *list = lm_json_array(json, json->object, "devices");
    LM_TABLE_ROW(&table, "device", "name", "compute capability", "memory");
    for (size_t i = 0; i < leman_cuda_devices(); i++) {
        leman_cuda_device d;
        PASS(leman_cuda_device_describe(work->ctx, i, &d));
        const char *name = FORMAT("cuda:%zu", i), *capability = FORMAT("%d.%d", d.major, d.minor);
        LM_PUT(json, lm_json_object(json, list, NULL), KEY("device", name), MEMBER(&d, name),
               KEY("compute_capability", capability), MEMBER(&d, multiprocessors), MEMBER(&d, memory));
        LM_TABLE_ROW(&table, name, d.name, capability, BYTES_TEXT(d.memory));
    }
    if (work->options->json) return LEMAN_OK;
    PASS(lm_work_results(work, &out));
    if (!leman_cuda_version()) return lm_write_text(out, "No CUDA devices: this build has no CUDA backend.\n");
    if (leman_cuda_devices()) return lm_table_write(&table, out);
    return lm_output_printf(out, "No CUDA device was found by CUDA %s.\n", leman_cuda_version());
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status describe_data(lm_work *work, const leman_dataset *data, const leman_cleaning *report)
{
    contents f = {.report = *report};
    lm_output *out;
    PASS(gather(work->ctx, data, &f));
    if (work->options->json) {
        fill_json(&work->json, &f);
        return LEMAN_OK;
    }
    PASS(lm_work_results(work, &out));
    PASS(lm_output_printf(out, "%s\n\n", f.shape->name));
    PASS(write_contents(work->ctx, &f, out));
    PASS(lm_write_text(out, "\n"));
    PASS(write_cost(work->ctx, &f, out));
    return write_advice(work->ctx, &f, out);
}

typedef struct info_options {
    lm_common common;
    bool devices;
    lm_shown_model shown;
} info_options;

#define FIELD(member) offsetof(info_options, member)

static const lm_option ROWS[] = {
    LM_FLAG_ROW("devices", FIELD(devices), HELP_INFO_DEVICES),
    LM_WRITTEN_ROW("report", FIELD(shown.report), HELP_INFO_REPORT, LM_PAGE_ENDINGS),
    LM_ROW("features", 0, LM_UNSIGNED, FIELD(shown.features), "N", HELP_INFO_FEATURES, .min = 1, .max = 1000000,
           .needs = "data"),
    LM_ROW("data", 0, LM_TEXT, FIELD(shown.data), "FILE", HELP_INFO_DATA, .needs = "report features"),
    LM_RESULT_ROW,
    {0},
};

static leman_status info_run(lm_work *work, const void *options)
{
    const info_options *asked = options;
    const lm_common *common = &asked->common;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    leman_cleaning report;
    leman_file_kind kind;
    if (asked->devices && common->operands) return MISUSE(work->ctx, "found DATA and --devices, expected one of them");
    if (asked->devices) return list_devices(work);
    if (!common->operands) return MISUSE(work->ctx, "DATA is missing");
    const char *path = common->operand[0];
    if (!strcmp(path, "-") || leman_file_kind_detect(work->ctx, path, &kind)) kind = LEMAN_FILE_KIND_DATASET;
    if (kind == LEMAN_FILE_KIND_MODEL || kind == LEMAN_FILE_KIND_TASK_MODELS || kind == LEMAN_FILE_KIND_NETWORK ||
        kind == LEMAN_FILE_KIND_GAUSSIAN_PROCESS)
        return lm_info_model(work, path, kind, &asked->shown);
    if (kind != LEMAN_FILE_KIND_OTHER && kind != LEMAN_FILE_KIND_DATASET)
        return lm_fail(
            work->ctx, LEMAN_ERROR_INPUT,
            "%s: found %s, expected a data set, a model of leman fit or a checkpoint of leman train (one network, not "
            "--folds)",
            path, leman_file_kind_name(kind));
    if (asked->shown.report)
        return MISUSE(work->ctx, "option '--report': %s is no model; leman evaluate writes pages about data", path);
    if (asked->shown.features)
        return MISUSE(work->ctx, "option '--features': %s is no model; leman features writes those of data", path);
    PASS(lm_work_read(work, path, &report, &data));
    return describe_data(work, data, &report);
}

const lm_command lm_command_info = {
    .name = "info",
    .help = &LM_HELP_INFO,
    .operand = {{"DATA", NULL}},
    .common = "json directed policy from memory",
    .groups = {{"Reading", LM_READING_CLASS_OPTIONS}, {"Result", ROWS}, {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(info_options),
    .run = info_run,
};
