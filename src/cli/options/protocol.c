/* The options of the evaluation protocol, and their conversion to a leman_protocol. */
#include "cli/options/protocol.h"
#include "base/drop.h"
#include "base/system/system.h"
#include "base/text.h"
#include "cli/options/choices.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 1000 };

#define FIELD(member) offsetof(lm_protocol_options, member)

const lm_option LM_PROTOCOL_OPTIONS[] = {
    LM_K_ROW,
    LM_ROW("rounds", 'r', LM_TEXT, offsetof(lm_coloring_options, rounds), "RANGE", HELP_PROTOCOL_ROUNDS),
    LM_C_ROW(FIELD(grid), HELP_PROTOCOL_C),
    LM_REPETITIONS_ROW(FIELD(repetitions), HELP_PROTOCOL_REPETITIONS),
    LM_FOLDS_ROW(FIELD(folds), HELP_PROTOCOL_FOLDS),
    LM_ROW("svm", 0, LM_CHOICE, FIELD(svm), "KIND", HELP_PROTOCOL_SVM, .choices = lm_choices_svms),
    LM_FLAG_ROW("stratified", FIELD(stratified), HELP_PROTOCOL_STRATIFIED),
    LM_FLAG_ROW("scaffold", FIELD(scaffold), HELP_PROTOCOL_SCAFFOLD),
    LM_FLAG_ROW("retrain", FIELD(retrain), HELP_PROTOCOL_RETRAIN),
    LM_TARGET_ROW(FIELD(target), HELP_PROTOCOL_TARGET),
    LM_IMBALANCE_ROWS(FIELD(imbalance)),
    LM_ROW("sample-weights", 0, LM_TEXT, FIELD(graphs.sample_weights), "COLUMN", HELP_PROTOCOL_SAMPLE_WEIGHTS),
    LM_FLAG_ROW("weighted-scores", FIELD(weighted_scores), HELP_PROTOCOL_WEIGHTED_SCORES, .needs = "sample-weights"),
    LM_FLAG_ROW("censored", FIELD(graphs.censored), HELP_PROTOCOL_CENSORED, .needs = "target"),
    LM_ROW("splits", 0, LM_TEXT, FIELD(splits), "FILE", HELP_PROTOCOL_SPLITS),
    LM_ROW("parts", 0, LM_TEXT, FIELD(parts), "SIZES", HELP_PROTOCOL_PARTS,
           .without = "splits folds repetitions stratified scaffold"),
    LM_WRITTEN_ROW("write-splits", FIELD(write_splits), HELP_PROTOCOL_WRITE_SPLITS, LM_OWN_ENDINGS),
    LM_WRITTEN_ROW("resume", FIELD(journal), HELP_PROTOCOL_RESUME, LM_OWN_ENDINGS),
    {0},
};

const lm_option LM_EVALUATION_RESULT[] = {
    LM_WRITTEN_ROW("report", offsetof(lm_protocol_options, report), HELP_PROTOCOL_REPORT, LM_PAGE_ENDINGS),
    LM_RESULT_ROW,
    {0},
};

/* ---- From options to the library ------------------------------------------------------------- */

leman_status lm_rounds_read(leman_context *ctx, const char *text, uint32_t *min, uint32_t *max)
{
    char *end;
    if (!text) return LEMAN_OK;
    bool digit = *text >= '0' && *text <= '9';
    unsigned long from = digit ? strtoul(text, &end, 10) : MAX_ROUNDS + 1ul, to = from;
    if (digit && *end == '-' && end[1] >= '0' && end[1] <= '9') to = strtoul(end + 1, &end, 10);
    if (!digit || *end || to > MAX_ROUNDS || from > to)
        return MISUSE(ctx, "option '--rounds': found '%s', expected a range such as 0-5 or a whole number, up to %d",
                      text, MAX_ROUNDS);
    *min = (uint32_t)from;
    *max = (uint32_t)to;
    return LEMAN_OK;
}

leman_status lm_grid_read(leman_context *ctx, const char *text, double **out, size_t *out_count)
{
    return lm_numbers_list(ctx, "-C", text, true, "increasing numbers above 0 and up to 1e100 with commas between them",
                           out, out_count);
}

leman_status lm_imbalance_read(leman_context *ctx, const lm_imbalance_options *asked, leman_score *score,
                               double **weight, size_t *count, bool *balanced)
{
    const char *text = asked->class_weights;
    if (asked->score) PASS(leman_score_parse(ctx, asked->score, score));
    *balanced = text && !strcmp(text, "balanced");
    if (text && !*balanced && strcmp(text, "none"))
        PASS(lm_numbers_list(ctx, "--class-weights", text, false,
                             "balanced, none, or numbers above 0 and up to 1e100 with commas between them", weight,
                             count));
    return LEMAN_OK;
}

static leman_status read_protocol(leman_context *ctx, const lm_protocol_options *asked, lm_request *request)
{
    leman_protocol *protocol = &request->protocol;
    *protocol = leman_protocol_default();
    if (asked->repetitions) protocol->repetitions = asked->repetitions;
    if (asked->folds) protocol->folds = asked->folds;
    protocol->stratified = asked->stratified;
    protocol->retrain = asked->retrain;
    protocol->journal = asked->journal;
    if (asked->svm) PASS(leman_svm_parse(ctx, asked->svm, &protocol->svm));
    PASS(lm_rounds_read(ctx, asked->kernels.coloring.rounds, &protocol->min_rounds, &protocol->max_rounds));
    PASS(lm_grid_read(ctx, asked->grid, &request->grid, &protocol->C_count));
    protocol->C = request->grid;
    PASS(lm_imbalance_read(ctx, &asked->imbalance, &protocol->score, &request->class_weight, &protocol->class_weights,
                           &protocol->balanced_weights));
    protocol->class_weight = request->class_weight;
    return LEMAN_OK;
}

/* ---- Parts --------------------------------------------------------------------------------------- */

static const char *const PART_NAMES[3] = {"train", "val", "test"};

static leman_status refuse_parts(leman_context *ctx, const char *text, bool tested)
{
    return MISUSE(ctx,
                  "option '--parts': found '%s', expected sizes in the order of the data, such as "
                  "train=220011,test=5000,val=24445, with train%s",
                  text, tested ? ", val and test" : " and val");
}

/* Parses "NAME=SIZE". Returns the text after it, or NULL if it is wrong. */
static const char *parse_part(const char *text, int *part, size_t *size)
{
    char *end;
    for (*part = 0; *part < 3; ++*part) {
        const size_t length = strlen(PART_NAMES[*part]);
        if (strncmp(text, PART_NAMES[*part], length) || text[length] != '=') continue;
        const char *number = text + length + 1;
        if (*number < '0' || *number > '9') return NULL;
        const unsigned long long value = strtoull(number, &end, 10);
        if (value > UINT32_MAX) return NULL;
        *size = (size_t)value;
        return end;
    }
    return NULL;
}

leman_status lm_parts_sizes(leman_context *ctx, const char *text, bool tested, size_t graphs, size_t first[3],
                            size_t count[3])
{
    bool seen[3] = {false};
    size_t at = 0;
    for (const char *rest = text;; rest++) {
        int part;
        size_t size;
        rest = parse_part(rest, &part, &size);
        if (!rest || seen[part]) return refuse_parts(ctx, text, tested);
        seen[part] = true;
        first[part] = at;
        count[part] = size;
        at += size;
        if (!*rest) break;
        if (*rest != ',') return refuse_parts(ctx, text, tested);
    }
    if (!seen[0] || !seen[1] || (tested && !seen[2])) return refuse_parts(ctx, text, tested);
    if (at == graphs) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "option '--parts': found parts of %zu graph%s, expected those of the data, %zu", at, lm_plural(at),
                   graphs);
}

/* Creates splits with one fold that consists of the parts of --parts. */
static leman_status parts_splits(leman_context *ctx, const char *text, const leman_dataset *data, leman_splits **out)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    size_t first[3], count[3];
    uint32_t *graph = NULL;
    PASS(lm_parts_sizes(ctx, text, true, graphs, first, count));
    PASS_SCRATCH(ctx, graph, count[1] + count[2]);
    for (size_t i = 0; i < count[2]; i++) graph[i] = (uint32_t)(first[2] + i);
    for (size_t i = 0; i < count[1]; i++) graph[count[2] + i] = (uint32_t)(first[1] + i);
    return leman_splits_new(ctx, graphs, 1, 1, (const uint64_t[]){0, count[2], count[2] + count[1]}, graph, out);
}

/* ---- The request --------------------------------------------------------------------------------- */

leman_status lm_splits_check(leman_context *ctx, const char *path, const leman_splits *splits, uint64_t repetitions,
                             uint64_t folds)
{
    if ((repetitions && repetitions != splits->repetitions) || (folds && folds != splits->folds))
        return MISUSE(ctx,
                      "found --splits %s, which has %s, and another number with --repetitions or --folds; expected "
                      "--splits alone",
                      path, FOLDS_TEXT(splits));
    return LEMAN_OK;
}

leman_status lm_scaffold_groups(lm_work *work, const leman_dataset *data, uint32_t **group)
{
    const leman_shape *shape = leman_dataset_shape(data);
    size_t groups;
    PASS_SCRATCH(work->ctx, *group, shape->graphs + 1);
    PASS(leman_dataset_scaffolds(work->ctx, data, *group, &groups));
    lm_work_log(work, "%s: %zu scaffold%s of %zu molecules", shape->name, groups, lm_plural(groups), shape->graphs);
    return LEMAN_OK;
}

leman_status lm_scaffold_splits(lm_work *work, const leman_dataset *data, size_t repetitions, size_t folds,
                                leman_splits **out)
{
    uint32_t *group;
    PASS(lm_scaffold_groups(work, data, &group));
    return leman_splits_draw_groups(work->ctx, data, group, repetitions, folds, out);
}

static leman_status read_graphs(lm_work *work, const lm_protocol_options *asked, lm_request *request)
{
    leman_context *ctx = work->ctx;
    lm_kernel_options kernels = asked->kernels;
    kernels.coloring.rounds = NULL; /* lm_kernels_parse() takes no range */
    PASS(lm_kernels_parse(ctx, &kernels, &request->kernels, &request->count));
    if (asked->kernels.coloring.rounds) lm_rounds_remark(ctx, request->kernels, request->count);
    if (asked->kernels.weights && request->count == 1)
        return MISUSE(ctx, "option '--weights' has no effect on a single kernel, whose matrix is normalised");
    for (size_t i = 0; i < request->count; i++)
        if (!request->kernels[i].fixed_rounds) request->kernels[i].coloring.rounds = request->protocol.max_rounds;
    if (!asked->kernels.separate_methods) PASS(lm_kernels_atoms(work, request->kernels, request->count));
    return lm_kernels_read(work, &kernels, asked->kernels.coloring.common.operand[0], &request->data);
}

/* Reads a feature file, which has no kernels. request->data becomes its labels. */
static leman_status read_matrix(lm_work *work, lm_request *request)
{
    PASS(lm_matrix_read(work, &request->matrix));
    request->data = (leman_dataset *)(uintptr_t)leman_feature_matrix_labels(request->matrix);
    request->protocol.min_rounds = request->protocol.max_rounds = 0;
    return LEMAN_OK;
}

/* Reads DATA: graphs, or a feature file. Then takes the target, and weights and bounds of graphs. */
static leman_status read_data(lm_work *work, const lm_protocol_options *asked, lm_request *request)
{
    leman_protocol *protocol = &request->protocol;
    const bool matrix = lm_matrix_given(&asked->kernels.coloring.common);
    AUTO(leman_rows_drop) leman_rows *rows = NULL;
    size_t targets = 0, *column;
    if (matrix && asked->graphs.censored)
        return MISUSE(work->ctx, "option '--censored': %s is a feature file, expected molecules",
                      work->options->operand[0]);
    lm_graph_options_before(work, &asked->graphs, &rows);
    const leman_status st = matrix ? read_matrix(work, request) : read_graphs(work, asked, request);
    work->rows = NULL;
    PASS(st);
    PASS_SCRATCH(work->ctx, column, leman_dataset_shape(request->data)->columns->targets + 1);
    if (asked->target) PASS(leman_dataset_target_find(work->ctx, request->data, asked->target, &protocol->target));
    if (asked->target) column[targets++] = protocol->target;
    if (lm_has_tasks(work))
        PASS(leman_dataset_target_list(work->ctx, request->data, work->options->class_column, column, &targets));
    protocol->weighted_scores = asked->weighted_scores;
    PASS(lm_graph_weights(work, &asked->graphs, request->data, rows, column, targets, &protocol->weight));
    return lm_graph_bounds(work, &asked->graphs, request->data, column, targets, &protocol->censoring);
}

leman_status lm_request_read(lm_work *work, const lm_protocol_options *asked, lm_request *request)
{
    leman_context *ctx = work->ctx;
    leman_protocol *protocol = &request->protocol;
    const bool matrix = lm_matrix_given(&asked->kernels.coloring.common);
    request->asked = asked;
    if (!matrix) lm_kernels_remark(work, &asked->kernels);
    PASS(lm_class_or_target(ctx, &asked->kernels.coloring.common, asked->target != NULL));
    if ((asked->splits != NULL) + asked->stratified + asked->scaffold > 1)
        return MISUSE(ctx, "found both --%s and --%s, expected one of them", asked->splits ? "splits" : "stratified",
                      asked->stratified && asked->splits ? "stratified" : "scaffold");
    PASS(read_protocol(ctx, asked, request));
    PASS(read_data(work, asked, request));
    if (asked->splits) PASS(leman_splits_read(ctx, request->data, asked->splits, &request->splits));
    if (asked->parts)
        PASS(parts_splits(ctx, asked->parts, request->data, &request->splits));
    else if (asked->splits)
        PASS(lm_splits_check(ctx, asked->splits, request->splits, asked->repetitions, asked->folds));
    else if (asked->scaffold)
        PASS(lm_scaffold_splits(work, request->data, protocol->repetitions, protocol->folds, &request->splits));
    else if (!(lm_has_tasks(work) && asked->stratified)) /* otherwise each task has its own splits */
        PASS(leman_splits_draw(ctx, request->data, protocol->repetitions, protocol->folds, protocol->stratified,
                               &request->splits));
    protocol->splits = request->splits;
    if (asked->write_splits) PASS(leman_splits_write(ctx, request->splits, asked->write_splits));
    return LEMAN_OK;
}

/*
 * Estimates the time: a kernel SVM takes up to 3e-8 n^2 seconds of a core for n graphs that are hard to separate, and
 * about a tenth of that for easy ones. One SVM is trained for every fold, number of rounds and C.
 */
void lm_request_announce(lm_work *work, const lm_request *request, const leman_kernel *kernels, size_t count)
{
    static const double SECONDS = 3e-8, PATIENCE = 120;
    const leman_protocol *protocol = &request->protocol;
    const double graphs = (double)leman_dataset_shape(request->data)->graphs;
    const long cores = work->options->threads ? (long)work->options->threads : lm_system_processors();
    size_t C_count = protocol->C_count, rounds = 1;
    bool assignment = false;
    if (request->matrix) return;
    if (protocol->target == LEMAN_NO_TARGET && !leman_dataset_classes(request->data)) return; /* refused at once */
    char name[128];
    if (!C_count) leman_default_C(&C_count);
    for (size_t i = 0; i < count; i++) {
        assignment |= kernels[i].assignment;
        if (leman_kernel_has_rounds(kernels + i)) rounds = protocol->max_rounds - protocol->min_rounds + 1;
    }
    if (protocol->svm == LEMAN_SVM_LINEAR) return;
    if (protocol->svm == LEMAN_SVM_AUTO && graphs > LEMAN_KERNEL_GRAPHS && !assignment) return;
    const size_t folds = request->splits->repetitions * request->splits->folds;
    const double all = SECONDS * graphs * graphs * (double)(folds * rounds * C_count) / (double)(cores > 0 ? cores : 1);
    if (!(all > PATIENCE)) return;
    leman_kernels_paper_name(kernels, count, name, sizeof name);
    lm_work_log(work, "%s: %s kernel SVMs may take up to about %s; quicker: %s%s", name,
                COUNT_TEXT(folds * rounds * C_count), SECONDS_TEXT(all), assignment ? "" : "--svm linear",
                request->splits->repetitions == 1 ? ""
                : assignment                      ? "--repetitions 1"
                                                  : ", --repetitions 1");
}

static void json_grids(lm_json *json, json_t *parent, const leman_protocol *protocol)
{
    size_t count = protocol->C_count;
    const double *C = protocol->C ? protocol->C : leman_default_C(&count);
    LM_PUT_EACH(json, parent, "rounds_grid", protocol->max_rounds - protocol->min_rounds + (size_t)1,
                protocol->min_rounds + i);
    LM_PUT_EACH(json, parent, "C_grid", count, C[i]);
}

leman_status lm_weights_write(const lm_request *request, const leman_evaluation *e, const char *indent, lm_output *out)
{
    if (!request->protocol.weight) return LEMAN_OK;
    return lm_output_printf(out, "%sscores %s %s\n", indent,
                            e->weighted_scores ? "weighted by" : "not weighted; training weighted by",
                            request->asked->graphs.sample_weights);
}

void lm_scores_json(lm_json *json, json_t *parent, const leman_evaluation *e)
{
    LM_PUT(json, parent, MEMBER(e, test_mean), MEMBER(e, test_std), MEMBER(e, test_std_folds), MEMBER(e, test_low),
           MEMBER(e, test_high), MEMBER(e, baseline), MEMBER(e, train_mean), MEMBER(e, validation_mean),
           MEMBER(e, balanced_mean), MEMBER(e, auc_mean), MEMBER(e, rmse_mean), MEMBER(e, r2_mean),
           MEMBER(e, seconds_features), MEMBER(e, seconds_svm),
           KEY("baseline_kind", e->classes ? "majority class" : "median"));
}

/* Adds a list of graphs as --graphs of leman convert takes it, "1-3,7". */
static leman_status part_json(leman_context *ctx, lm_json *json, json_t *object, const char *key,
                              const leman_splits *splits, size_t list)
{
    SCRATCH_SCOPE(ctx);
    const uint32_t *graph = splits->graph + splits->start[list];
    const size_t count = splits->start[list + 1] - splits->start[list], size = count * 12 + 4; /* 32 bits, separator */
    char *text;
    PASS_SCRATCH(ctx, text, size);
    lm_joined joined = lm_joined_begin(text, size);
    for (size_t i = 0, last; i < count; i = last + 1) {
        for (last = i; last + 1 < count && graph[last + 1] == graph[last] + 1;) last++;
        lm_joined_add(&joined, "%s%u", i ? "," : "", graph[i]);
        if (last > i) lm_joined_add(&joined, "-%u", graph[last]);
    }
    LM_PUT(json, object, KEY(key, text));
    return LEMAN_OK;
}

/* Adds a prediction: the label of a class, or a number. */
static void prediction_json(lm_json *json, json_t *list, double value, const int64_t *class_label)
{
    if (class_label)
        LM_PUT(json, list, KEY_IF(!isnan(value), NULL, class_label[(size_t)value]));
    else
        LM_PUT(json, list, KEY(NULL, value));
}

leman_status lm_fold_json(leman_context *ctx, lm_json *json, json_t *parent, const leman_splits *splits, size_t fold,
                          const double *predicted, size_t outputs, const int64_t *class_label)
{
    PASS(part_json(ctx, json, parent, "test_graphs", splits, 2 * fold));
    PASS(part_json(ctx, json, parent, "validation_graphs", splits, 2 * fold + 1));
    json_t *list = lm_json_array(json, parent, "predictions");
    for (uint64_t i = splits->start[2 * fold]; i < splits->start[2 * fold + 1]; i++) {
        json_t *row = outputs == 1 ? list : lm_json_array(json, list, NULL);
        for (size_t o = 0; o < outputs; o++) prediction_json(json, row, predicted[i * outputs + o], class_label);
    }
    return LEMAN_OK;
}

void lm_request_json(lm_json *json, json_t *parent, const lm_request *request, const leman_evaluation *e)
{
    const lm_protocol_options *asked = request->asked;
    LM_PUT(json, parent, KEY("score", e->classes ? "accuracy" : "mean absolute error"),
           KEY("selected_by", leman_score_name(e->score)),
           KEY("class_weights", asked->imbalance.class_weights ? asked->imbalance.class_weights : "none"),
           KEY_IF(asked->target, "target", request->protocol.target), MEMBER(e->splits, repetitions),
           MEMBER(e->splits, folds), MEMBER(e, seed), MEMBER(e->splits, stratified),
           KEY("retrain", request->protocol.retrain),
           KEY_IF(asked->graphs.sample_weights, "sample_weights", asked->graphs.sample_weights),
           KEY_IF(asked->graphs.sample_weights, "weighted_scores", e->weighted_scores),
           KEY_IF(asked->graphs.censored, "bounds", e->bounds), MEMBER(asked, splits), MEMBER(asked, parts));
    json_grids(json, parent, &request->protocol);
    lm_coloring_json(json, parent, &asked->kernels.coloring, leman_dataset_shape(request->data)->directed);
    LM_PUT(json, parent, KEY("version", leman_version()), KEY_HEX("data_checksum", e->data_checksum),
           KEY_HEX("splits_checksum", e->splits_checksum));
}

void lm_request_free(lm_request *request)
{
    leman_splits_free(request->splits);
    if (!request->matrix) leman_dataset_free(request->data);
    leman_feature_matrix_free(request->matrix);
    *request = (lm_request){0};
}

leman_status lm_page_write(lm_work *work, const char *path, const lm_request *request, const leman_method *methods,
                           size_t count)
{
    char *line;
    if (!path) return LEMAN_OK;
    PASS(lm_command_line(work, &line));
    PASS(leman_report_write(work->ctx, request->data, methods, count, line, path));
    lm_work_log(work, "%s: wrote the report", path);
    return LEMAN_OK;
}
