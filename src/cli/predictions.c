/* Writes predictions of any model as CSV, TSV or JSON. */
#include "cli/predictions.h"
#include "base/text.h"
#include "cli/models.h"
#include "cli/train/train.h"
#include <math.h>
#include <string.h>

const char *const LM_PREDICTION_ENDINGS[] = {".csv", ".tsv", ".json", "", NULL};

/* Returns the name of a class, or NULL if the class has only a number. */
static const char *word_of(const lm_predictions *p, int64_t label)
{
    size_t c = 0;
    if (!p->class_name) return NULL;
    while (c < p->outputs && p->class_label[c] != label) c++;
    return c < p->outputs && *p->class_name[c] ? p->class_name[c] : NULL;
}

/* Compares names of classes if both the model and the data have them, since names are numbered anew in every file. */
static bool is_right(const lm_predictions *p, size_t graph)
{
    size_t length;
    const int64_t label = leman_dataset_classes(p->data)[graph];
    const char *word = word_of(p, p->label[graph]), *name = leman_dataset_class_name(p->data, label, &length);
    if (!word || !length) return p->label[graph] == label;
    return strlen(word) == length && !memcmp(word, name, length);
}

/* Returns the mean absolute error of output i over the graphs with a known target, or NAN if there are none. */
static double error_of(const lm_predictions *p, size_t i)
{
    const size_t columns = leman_dataset_shape(p->data)->columns->targets;
    lm_known mean = {0};
    for (size_t g = 0; g < p->graphs; g++) {
        const double target = leman_dataset_targets(p->data)[g * columns + p->target[i]];
        if (isnan(target) || (p->level && isnan(p->output[g * p->outputs + i]))) continue; /* self-loops */
        mean.sum += fabs(p->output[g * p->outputs + i] - target); /* a prediction that is NAN counts */
        mean.count++;
    }
    return lm_known_mean(&mean);
}

/* Returns the accuracy in percent or the mean absolute error, or NAN if the data does not have the labels. */
static double score_of(const lm_predictions *p)
{
    const size_t columns = leman_dataset_shape(p->data)->columns->targets;
    const int64_t *label = leman_dataset_classes(p->data);
    lm_known mean = {0};
    if (p->task || (p->class_label && !label)) return NAN;
    for (size_t i = 0; !p->class_label && i < p->outputs; i++)
        if (p->target[i] >= columns) return NAN;
    for (size_t g = 0; p->class_label && g < p->graphs; g++)
        lm_known_add(&mean, label[g] == LEMAN_CLASS_MISSING ? NAN : 100.0 * is_right(p, g));
    for (size_t i = 0; !p->class_label && i < p->outputs; i++) lm_known_add(&mean, error_of(p, i));
    return lm_known_mean(&mean);
}

/* ---- Remarks --------------------------------------------------------------------------------- */

/* Predictions are unreliable if the share of a graph that the model does not know exceeds these limits: the mean over
 * all graphs, or the share of a single graph. */
static const double MAX_MEAN_SHARE = 0.25, MAX_SHARE = 0.5;
enum { REMARK = 400 };

/* Writes a warning if the model does not know much of these graphs, otherwise "". Returns text. */
static const char *remark_on_vocabulary(const lm_predictions *p, char text[REMARK])
{
    double sum = 0, max = 0;
    size_t above = 0;
    *text = 0;
    if (p->level) return text;
    for (size_t g = 0; p->out_of_vocabulary && g < p->graphs; g++) {
        sum += p->out_of_vocabulary[g];
        max = fmax(max, p->out_of_vocabulary[g]);
        above += p->out_of_vocabulary[g] > MAX_SHARE;
    }
    const double mean = p->graphs ? sum / (double)p->graphs : 0;
    if (mean <= MAX_MEAN_SHARE && !above) return text;
    const char *all = COUNT_TEXT(p->graphs), *what = p->by->network ? "labels or types of tuples" : "features";
    char who[160];
    if (above)
        lm_snprintf(who, sizeof who, "%s of the %s graph%s %s more than half out of vocabulary", COUNT_TEXT(above), all,
                    lm_plural(p->graphs), above == 1 ? "is" : "are");
    else
        lm_snprintf(who, sizeof who, "Much of the %s graph%s is out of vocabulary", all, lm_plural(p->graphs));
    lm_snprintf(text, REMARK,
                "%s (mean share %.2f, largest %.2f): the model has not seen these %s, so these predictions are "
                "unreliable. Likely the training set did not have such labels (hydrogens, elements, bond types) or "
                "graphs of such sizes",
                who, mean, max, what);
    return text;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Writes "probability_WORD", in quotes if CSV or TSV needs them. */
static void put_probability_heading(const char *word, const char *between, lm_output *out)
{
    lm_output_write(out, between, 1);
    if (!strpbrk(word, ",\"\t")) {
        lm_output_printf(out, "probability_%s", word);
        return;
    }
    lm_output_printf(out, "\"probability_");
    for (; *word; word++) lm_output_write(out, *word == '"' ? "\"\"" : word, *word == '"' ? 2 : 1);
    lm_output_write(out, "\"", 1);
}

static void put_class_heading(const lm_predictions *p, size_t class, const char *between, lm_output *out)
{
    const char *word = word_of(p, p->class_label[class]);
    put_probability_heading(word ? word : FORMAT("%lld", (long long)p->class_label[class]), between, out);
}

/* Finds the graph of a row, and its vertex, or the tail and the head of its arc. Rows are visited in their order, from
 * row 0 on. Returns false for a self-loop, and for the second arc of an undirected edge: these have no line. */
typedef struct place {
    size_t graph, first, tail, head; /* first: row of the first vertex or arc of the graph */
} place;
static bool next_place(const lm_predictions *p, size_t row, place *at)
{
    leman_graph g = leman_dataset_graph(p->from, at->graph);
    const bool edges = p->level == LEMAN_LEVEL_EDGE;
    while (row - at->first >= (edges ? g.arcs : g.vertices)) {
        at->first += edges ? g.arcs : g.vertices;
        at->tail = 0;
        g = leman_dataset_graph(p->from, ++at->graph);
    }
    if (!edges) {
        at->tail = row - at->first;
        return true;
    }
    while (row >= g.start[at->tail + 1]) at->tail++;
    at->head = g.head[row];
    return at->head != at->tail && (g.directed || at->tail < at->head);
}

static void put_text(lm_output *out, const char *between, const char *text, size_t length)
{
    lm_output_write(out, between, 1);
    lm_output_csv_field(out, text, length, length && memchr(text, '\t', length));
}

static void put_head(const lm_predictions *p, const char *between, lm_output *out)
{
    lm_output_printf(out, "graph");
    if (p->level == LEMAN_LEVEL_VERTEX) lm_output_printf(out, "%svertex", between);
    if (p->level == LEMAN_LEVEL_EDGE) lm_output_printf(out, "%stail%shead", between, between);
    if (leman_dataset_shape(p->data)->columns->graph_names) lm_output_printf(out, "%sname", between);
    if (p->class_label) lm_output_printf(out, "%sclass", between);
    if (p->score) lm_output_printf(out, "%sscore", between);
    for (size_t i = 0; i < p->outputs; i++)
        if (p->class_label)
            put_class_heading(p, i, between, out);
        else if (p->task)
            put_probability_heading(p->task[i], between, out);
        else if (p->single)
            lm_output_printf(out, p->std ? "%svalue%sstd" : "%svalue", between, between);
        else
            lm_output_printf(out, "%s%s_%zu", between, p->level ? "attribute" : "target", p->target[i]);
    if (p->low) lm_output_printf(out, "%slow%shigh", between, between);
    if (p->out_of_vocabulary) lm_output_printf(out, "%sout_of_vocabulary", between);
    if (p->similarity) lm_output_printf(out, "%ssimilarity", between);
    if (p->domain) lm_output_printf(out, "%sdomain", between);
    if (p->rows) lm_output_printf(out, "%ssmiles%sstatus", between, between);
    const char *name;
    size_t length;
    for (size_t c = 0; (name = leman_rows_column(p->rows, c, &length)); c++) put_text(out, between, name, length);
    lm_output_write(out, "\n", 1);
}

/* Nothing is written for NAN, a number that the model does not know. */
static void put_real(lm_output *out, const char *between, double value)
{
    lm_output_write(out, between, 1);
    if (!isnan(value)) lm_output_real(out, value);
}

static void put_place(const lm_predictions *p, size_t row, const place *at, const char *between, lm_output *out)
{
    lm_output_integer(out, (int64_t)(p->level ? at->graph : row));
    if (!p->level) return;
    lm_output_write(out, between, 1);
    lm_output_integer(out, (int64_t)at->tail);
    if (p->level != LEMAN_LEVEL_EDGE) return;
    lm_output_write(out, between, 1);
    lm_output_integer(out, (int64_t)at->head);
}

/* Writes class, score, outputs and share of graph g; nothing but separators for SIZE_MAX, a row without a graph. */
static void put_outputs(const lm_predictions *p, size_t g, const char *between, lm_output *out)
{
    if (g == SIZE_MAX) {
        const size_t cells = p->outputs + (p->class_label ? 1u : 0u) + (p->score ? 1u : 0u) + (p->std ? 1u : 0u) +
                             (p->out_of_vocabulary ? 1u : 0u) + (p->similarity ? 1u : 0u) + (p->domain ? 1u : 0u) +
                             (p->low ? 2u : 0u);
        for (size_t i = 0; i < cells; i++) lm_output_write(out, between, 1);
        return;
    }
    if (p->class_label) {
        const char *word = word_of(p, p->label[g]);
        if (word)
            put_text(out, between, word, strlen(word));
        else
            lm_output_printf(out, "%s%lld", between, (long long)p->label[g]);
    }
    if (p->score) put_real(out, between, p->score[g]);
    for (size_t i = 0; i < p->outputs; i++) put_real(out, between, p->output[g * p->outputs + i]);
    if (p->std) put_real(out, between, p->std[g]);
    if (p->low) put_real(out, between, p->low[g]);
    if (p->high) put_real(out, between, p->high[g]);
    if (p->out_of_vocabulary) put_real(out, between, p->out_of_vocabulary[g]);
    if (p->similarity) put_real(out, between, p->similarity[g]);
    if (p->domain) put_real(out, between, p->domain[g]);
}

static void put_row(const lm_predictions *p, size_t g, const place *at, const char *between, lm_output *out)
{
    size_t length;
    const char *name = leman_dataset_graph_name(p->data, g, &length);
    put_place(p, g, at, between, out);
    if (leman_dataset_shape(p->data)->columns->graph_names) put_text(out, between, name, length);
    put_outputs(p, g, between, out);
    lm_output_write(out, "\n", 1);
}

/* Writes row i of a file of molecules, with or without a graph. */
static void put_molecule(const lm_predictions *p, size_t i, const char *between, lm_output *out)
{
    const leman_row row = leman_rows_get(p->rows, i);
    const char *status = *row.fault ? row.fault : "ok";
    lm_output_integer(out, (int64_t)i);
    if (leman_dataset_shape(p->data)->columns->graph_names) put_text(out, between, row.name, strlen(row.name));
    put_outputs(p, row.graph, between, out);
    put_text(out, between, row.smiles, strlen(row.smiles));
    put_text(out, between, status, strlen(status));
    for (size_t c = 0; leman_rows_column(p->rows, c, NULL); c++) {
        const char *value = leman_rows_value(p->rows, i, c);
        put_text(out, between, value, strlen(value));
    }
    lm_output_write(out, "\n", 1);
}

static leman_status write_table(const lm_predictions *p, const char *between, lm_output *out)
{
    place at = {0};
    put_head(p, between, out);
    for (size_t i = 0; i < leman_rows_count(p->rows); i++) {
        put_molecule(p, i, between, out);
        PASS(lm_output_write(out, "", 0)); /* returns any earlier failure */
    }
    for (size_t g = 0; !p->rows && g < p->graphs; g++) {
        if (!p->level || next_place(p, g, &at)) put_row(p, g, &at, between, out);
        PASS(lm_output_write(out, "", 0));
    }
    return LEMAN_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Adds class, score, outputs and share of graph g. */
static void put_prediction(lm_json *json, json_t *object, const lm_predictions *p, size_t g)
{
    const double *output = p->output + g * p->outputs;
    const char *word = p->class_label ? word_of(p, p->label[g]) : NULL;
    if (p->class_label) LM_PUT(json, object, word ? KEY("class", word) : KEY("class", p->label[g]));
    if (p->score) LM_PUT(json, object, KEY("score", p->score[g]));
    if (p->single)
        LM_PUT(json, object, KEY("value", *output));
    else
        LM_PUT_EACH(json, object, p->class_label || p->task ? "probabilities" : "targets", p->outputs, output[i]);
    if (p->std) LM_PUT(json, object, KEY("std", p->std[g]));
    if (p->low) LM_PUT(json, object, KEY("low", p->low[g]), KEY("high", p->high[g]));
    if (p->out_of_vocabulary) LM_PUT(json, object, KEY("out_of_vocabulary", p->out_of_vocabulary[g]));
    if (p->similarity) LM_PUT(json, object, KEY("similarity", p->similarity[g]));
    if (p->domain) LM_PUT(json, object, KEY("domain", p->domain[g]));
}

/* Adds row i of a file of molecules. */
static void put_json_row(lm_json *json, json_t *list, const lm_predictions *p, size_t i)
{
    const leman_row row = leman_rows_get(p->rows, i);
    json_t *object = lm_json_object(json, list, NULL);
    const char *name;
    size_t length;
    LM_PUT(json, object, KEY("graph", i), KEY("line", row.line), MEMBER(&row, name), MEMBER(&row, smiles),
           KEY("status", *row.fault ? row.fault : "ok"));
    if (row.graph != SIZE_MAX) put_prediction(json, object, p, row.graph);
    json_t *columns = leman_rows_column(p->rows, 0, NULL) ? lm_json_object(json, object, "columns") : NULL;
    for (size_t c = 0; (name = leman_rows_column(p->rows, c, &length)); c++)
        LM_PUT(json, columns, KEY(FORMAT("%.*s", (int)length, name), leman_rows_value(p->rows, i, c)));
}

static void put_predictions(lm_json *json, const lm_predictions *p)
{
    json_t *list = lm_json_array(json, json->object, "predictions");
    place at = {0};
    for (size_t i = 0; i < leman_rows_count(p->rows); i++) put_json_row(json, list, p, i);
    for (size_t g = 0; !p->rows && g < p->graphs; g++) {
        if (p->level && !next_place(p, g, &at)) continue;
        json_t *object = lm_json_object(json, list, NULL);
        size_t length;
        const char *name = leman_dataset_graph_name(p->data, g, &length);
        LM_PUT(json, object, KEY("graph", p->level ? at.graph : g),
               KEY_IF(p->level == LEMAN_LEVEL_VERTEX, "vertex", at.tail),
               KEY_IF(p->level == LEMAN_LEVEL_EDGE, "tail", at.tail),
               KEY_IF(p->level == LEMAN_LEVEL_EDGE, "head", at.head), KEY_TEXT("name", name, length));
        put_prediction(json, object, p, g);
    }
}

/* Adds what made the predictions: "model", or "tasks", with the AUC of each if they are classes. */
static void put_predictor(lm_json *json, const lm_predictions *p, const double *auc)
{
    const lm_predictor *by = p->by;
    const bool several = p->task || by->models > 1;
    if (by->network)
        lm_network_json(json, lm_json_object(json, json->object, "model"), leman_network_describe(by->network));
    else if (by->gp)
        lm_gp_json(json, json->object, leman_gp_describe(by->gp));
    else if (!several)
        lm_model_json(json, json->object, leman_model_describe(by->model[0]));
    json_t *list = several ? lm_json_array(json, json->object, "tasks") : NULL;
    for (size_t t = 0; several && t < p->outputs; t++) {
        json_t *task = lm_json_object(json, list, NULL);
        LM_PUT(json, task, KEY("name", p->task ? p->task[t] : leman_model_describe(by->model[t])->target_name));
        if (p->task) LM_PUT(json, task, KEY("auc", auc[t]));
        if (!by->network) lm_model_json(json, task, leman_model_describe(by->model[t]));
    }
}

static void fill_json(lm_json *json, const lm_work *work, const lm_predictions *p, const lm_judgement *judgement,
                      const double *auc, bool all)
{
    char remark[REMARK];
    LM_PUT(json, json->object, MEMBER(work->options, output),
           KEY("graphs", leman_dataset_shape(p->level ? p->from : p->data)->graphs));
    if (p->rows) LM_PUT(json, json->object, KEY("skipped", leman_rows_count(p->rows) - p->graphs));
    if (!p->task) lm_judgement_json(json, json->object, p->class_label, judgement);
    json_t *remarks = lm_json_array(json, json->object, "remarks");
    if (*remark_on_vocabulary(p, remark)) LM_PUT(json, remarks, KEY(NULL, remark));
    put_predictor(json, p, auc);
    if (all) put_predictions(json, p);
}

/* ---- The AUC of tasks ------------------------------------------------------------------------ */

/* Returns the column of the data with this name; a column without a name is found by its number. SIZE_MAX: none. */
static size_t column_of(const leman_dataset *data, const char *name)
{
    for (size_t c = 0; c < leman_dataset_shape(data)->columns->targets; c++) {
        size_t length;
        const char *found = leman_dataset_target_name(data, c, &length);
        if (length ? strlen(name) == length && !memcmp(found, name, length) : !strcmp(name, FORMAT("%zu", c))) return c;
    }
    return SIZE_MAX;
}

/* Computes the AUC in percent of a task: NAN if the data has no such column, or one class of it only. */
static leman_status auc_of(leman_context *ctx, const lm_predictions *p, size_t task, double *auc)
{
    const size_t columns = leman_dataset_shape(p->data)->columns->targets, column = column_of(p->data, p->task[task]);
    size_t count = 0;
    double *score;
    bool *positive;
    *auc = NAN;
    if (column == SIZE_MAX) return LEMAN_OK;
    PASS_SCRATCH(ctx, score, p->graphs);
    PASS_SCRATCH(ctx, positive, p->graphs);
    for (size_t g = 0; g < p->graphs; g++) {
        const double value = leman_dataset_targets(p->data)[g * columns + column];
        if (isnan(value)) continue;
        score[count] = p->output[g * p->outputs + task];
        positive[count++] = value == (double)p->task_label[2 * task + 1];
    }
    if (count) PASS(leman_auc(ctx, score, positive, count, auc));
    return LEMAN_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

leman_status lm_predictions_write(lm_work *work, const lm_predictions *p)
{
    static const char *const NOUN[LEMAN_LEVEL_COUNT][2] = {
        {"graph", "graphs"}, {"vertex", "vertices"}, {"arc", "arcs"}};
    const char *path = work->options->output;
    lm_judgement judgement = {.score = score_of(p)};
    AUTO(lm_json_free) lm_json json = {0};
    double *auc;
    char remark[REMARK];
    lm_output *out;
    PASS(lm_judge_all(work->ctx, p->data, p->class_label ? NULL : p->target, p->outputs, &judgement));
    if (*remark_on_vocabulary(p, remark)) lm_work_log(work, "%s", remark);
    PASS_SCRATCH(work->ctx, auc, p->outputs);
    for (size_t t = 0; p->task && t < p->outputs; t++) PASS(auc_of(work->ctx, p, t, auc + t));
    if (work->options->json)
        fill_json(&work->json, work, p, &judgement, auc, !path);
    else
        lm_judgement_log(work, FORMAT("%s %s", COUNT_TEXT(p->graphs), NOUN[p->level][p->graphs != 1]), p->class_label,
                         &judgement);
    for (size_t t = 0; p->task && !work->options->json && t < p->outputs; t++)
        if (!isnan(auc[t]))
            lm_work_log(work, "task %s: AUC %s %% by the targets in the data", p->task[t], SCORE_TEXT(auc[t], 1));
    if (work->options->json && !path) return LEMAN_OK;
    PASS(lm_work_results(work, &out));
    if (path && lm_path_ends(path, ".json")) {
        json = lm_json_new();
        fill_json(&json, work, p, &judgement, auc, true);
        PASS(lm_json_write(work->ctx, &json, out));
    } else {
        PASS(write_table(p, path && lm_path_ends(path, ".tsv") ? "\t" : ",", out));
    }
    if (work->options->json) PASS(lm_work_finish(work)); /* completes the file: the summary goes to standard output */
    return LEMAN_OK;
}
