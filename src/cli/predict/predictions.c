/* Writes predictions of any model as CSV, TSV or JSON. */
#include "cli/predict/predictions.h"
#include "base/text.h"
#include "cli/models.h"
#include "cli/predict/truths.h"
#include "cli/train/train.h"
#include <math.h>
#include <string.h>

const char *const LM_PREDICTION_ENDINGS[] = {".csv", ".tsv", ".json", "", NULL};

const char *lm_class_word(const lm_predictions *p, int64_t label)
{
    size_t c = 0;
    if (!p->class_name) return NULL;
    while (c < p->outputs && p->class_label[c] != label) c++;
    return c < p->outputs && *p->class_name[c] ? p->class_name[c] : NULL;
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

/* Writes "probability_WORD" or "value_WORD", in quotes if CSV or TSV needs them. */
static void put_heading(const char *what, const char *word, const char *between, lm_output *out)
{
    lm_output_write(out, between, 1);
    if (!strpbrk(word, ",\"\t")) {
        lm_output_printf(out, "%s_%s", what, word);
        return;
    }
    lm_output_printf(out, "\"%s_", what);
    for (; *word; word++) lm_output_write(out, *word == '"' ? "\"\"" : word, *word == '"' ? 2 : 1);
    lm_output_write(out, "\"", 1);
}

static void put_class_heading(const lm_predictions *p, size_t class, const char *between, lm_output *out)
{
    const char *word = lm_class_word(p, p->class_label[class]);
    put_heading("probability", word ? word : FORMAT("%lld", (long long)p->class_label[class]), between, out);
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
            put_heading("probability", p->task[i], between, out);
        else if (p->single)
            lm_output_printf(out, p->std ? "%svalue%sstd" : "%svalue", between, between);
        else if (p->column && *p->column[i])
            put_heading("value", p->column[i], between, out);
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
        const char *word = lm_class_word(p, p->label[g]);
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
    const char *word = p->class_label ? lm_class_word(p, p->label[g]) : NULL;
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

/* Adds what made the predictions: "model", or "tasks", with the AUC or the error of each. */
static void put_predictor(lm_json *json, const lm_predictions *p, const lm_truths *truths)
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
        LM_PUT(json, task, KEY(p->task ? "auc" : "error", truths->each[t]));
        if (!by->network) lm_model_json(json, task, leman_model_describe(by->model[t]));
    }
}

static void fill_json(lm_json *json, const lm_work *work, const lm_predictions *p, const lm_truths *truths, bool all)
{
    char remark[REMARK];
    LM_PUT(json, json->object, MEMBER(work->options, output),
           KEY("graphs", leman_dataset_shape(p->level ? p->from : p->data)->graphs));
    if (p->rows) LM_PUT(json, json->object, KEY("skipped", leman_rows_count(p->rows) - p->graphs));
    if (!p->task) lm_judgement_json(json, json->object, p->class_label, &truths->judgement);
    json_t *remarks = lm_json_array(json, json->object, "remarks");
    if (*remark_on_vocabulary(p, remark)) LM_PUT(json, remarks, KEY(NULL, remark));
    if (*truths->remark) LM_PUT(json, remarks, KEY(NULL, truths->remark));
    put_predictor(json, p, truths);
    if (all) put_predictions(json, p);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Logs remarks and, unless they are part of a JSON object, scores. */
static void log_truths(lm_work *work, const lm_predictions *p, const lm_truths *truths)
{
    static const char *const NOUN[LEMAN_LEVEL_COUNT][2] = {
        {"graph", "graphs"}, {"vertex", "vertices"}, {"arc", "arcs"}};
    char remark[REMARK];
    if (*remark_on_vocabulary(p, remark)) lm_work_log(work, "%s", remark);
    if (*truths->remark) lm_work_log(work, "%s: %s", work->options->operand[0], truths->remark);
    if (work->options->json) return;
    lm_judgement_log(work, FORMAT("%s %s", COUNT_TEXT(p->graphs), NOUN[p->level][p->graphs != 1]), p->class_label,
                     &truths->judgement);
    for (size_t t = 0; (p->task || p->by->models > 1) && t < p->outputs; t++)
        if (!isnan(truths->each[t]))
            lm_work_log(work, "task %s: %s %s%s by the targets in the data", p->task ? p->task[t] : p->column[t],
                        p->task ? "AUC" : "mean absolute error",
                        SCORE_TEXT(truths->each[t], p->task ? 1 : LM_SIGNIFICANT), p->task ? " %" : "");
}

leman_status lm_predictions_write(lm_work *work, const lm_predictions *p)
{
    const char *path = work->options->output;
    AUTO(lm_json_free) lm_json json = {0};
    lm_truths truths;
    lm_output *out;
    PASS(lm_truths_find(work->ctx, p, &truths));
    log_truths(work, p, &truths);
    PASS(lm_predictions_page(work, p, &truths));
    if (work->options->json) fill_json(&work->json, work, p, &truths, !path);
    if (work->options->json && !path) return LEMAN_OK;
    PASS(lm_work_results(work, &out));
    if (path && lm_path_ends(path, ".json")) {
        json = lm_json_new();
        fill_json(&json, work, p, &truths, true);
        PASS(lm_json_write(work->ctx, &json, out));
    } else {
        PASS(write_table(p, path && lm_path_ends(path, ".tsv") ? "\t" : ",", out));
    }
    if (work->options->json) PASS(lm_work_finish(work)); /* completes the file: the summary goes to standard output */
    return LEMAN_OK;
}
