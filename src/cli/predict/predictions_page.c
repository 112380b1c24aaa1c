/* The page of leman predict --report: predictions beside the classes and targets in the data. */
#include "base/text.h"
#include "cli/predict/truths.h"
#include <math.h>
#include <string.h>

enum { MODEL = 160, SCORE = 120 };

/* The columns of the page: the outputs whose truth is in the data. */
typedef struct known_columns {
    const char **name;
    size_t *output; /* [count] their outputs */
    size_t count;
    double *predicted, *truth; /* [graphs][count] */
    double *error;             /* [graphs] */
} known_columns;

/* Returns what probabilities are of: a word, or "class 1", which is written into text; NULL for values. */
static const char *positive_of(const lm_predictions *p, char text[MODEL])
{
    const char *word = p->class_label ? lm_class_word(p, p->class_label[1]) : NULL;
    if (!p->class_label) return p->task ? "the larger value" : NULL;
    lm_snprintf(text, MODEL, "class %lld", (long long)p->class_label[1]);
    return word ? word : text;
}

/* Lists what is known: tasks and targets with a column, or the probability of the second class. */
static leman_status list_columns(leman_context *ctx, const lm_predictions *p, const lm_truths *t, known_columns *c)
{
    PASS_SCRATCH(ctx, c->name, p->outputs);
    PASS_SCRATCH(ctx, c->output, p->outputs);
    if (p->class_label) {
        c->count = p->outputs == 2;
        c->name[0] = p->column && *p->column ? *p->column : "class";
        c->output[0] = 1;
        return LEMAN_OK;
    }
    for (size_t i = 0; i < p->outputs; i++) {
        if (t->column[i] == SIZE_MAX) continue;
        const char *named = p->task ? p->task[i] : p->column ? p->column[i] : NULL;
        char *number;
        PASS_SCRATCH(ctx, number, 32);
        lm_snprintf(number, 32, "target %zu", t->column[i]);
        c->name[c->count] = named && *named ? named : number;
        c->output[c->count++] = i;
    }
    return LEMAN_OK;
}

/* Returns the truth of an output for a graph: 1 or 0 of classes, or the value; NAN: not known. */
static double truth_of(const lm_predictions *p, const lm_truths *t, size_t output, size_t g)
{
    if (p->class_label) return lm_truths_class(p, p->class_label[1], g);
    const size_t columns = leman_dataset_shape(p->data)->columns->targets;
    const double value = leman_dataset_targets(p->data)[g * columns + t->column[output]];
    if (!p->task || isnan(value)) return value;
    return value == (double)p->task_label[2 * output + 1];
}

/* Returns the error of a graph: wrong classes, their share over tasks, or the distance from the value. */
static double error_of(const lm_predictions *p, const known_columns *c, size_t g)
{
    lm_known mean = {0};
    if (p->class_label) return 1 - lm_truths_class(p, p->label[g], g);
    for (size_t i = 0; i < c->count; i++) {
        const double truth = c->truth[g * c->count + i], found = c->predicted[g * c->count + i];
        const double wrong = p->task ? (found > 0.5) != (truth > 0) : fabs(found - truth);
        lm_known_add(&mean, isnan(truth) ? truth : wrong);
    }
    return lm_known_mean(&mean);
}

static leman_status fill_columns(leman_context *ctx, const lm_predictions *p, const lm_truths *t, known_columns *c)
{
    size_t cells;
    if (!lm_multiply(p->graphs, c->count, &cells)) cells = SIZE_MAX;
    PASS_SCRATCH(ctx, c->predicted, cells);
    PASS_SCRATCH(ctx, c->truth, cells);
    PASS_SCRATCH(ctx, c->error, p->graphs);
    for (size_t g = 0; g < p->graphs; g++) {
        for (size_t i = 0; i < c->count; i++) {
            c->predicted[g * c->count + i] = p->output[g * p->outputs + c->output[i]];
            c->truth[g * c->count + i] = truth_of(p, t, c->output[i], g);
        }
        c->error[g] = error_of(p, c, g);
    }
    return LEMAN_OK;
}

static const char *model_text(const lm_predictor *by, char text[MODEL])
{
    if (by->gp) return "a Gaussian process";
    if (by->network) return "a network";
    lm_snprintf(text, MODEL, "models of %zu tasks", by->models);
    return by->models > 1 ? text : lm_model_text(leman_model_describe(by->model[0]), text, MODEL);
}

/* Writes the accuracy or error, or the mean AUC of the tasks, into text. */
static const char *score_text(const lm_predictions *p, const lm_truths *t, char text[SCORE])
{
    lm_known mean = {0};
    for (size_t i = 0; p->task && i < p->outputs; i++) lm_known_add(&mean, t->each[i]);
    const double score = p->task ? lm_known_mean(&mean) : t->judgement.score;
    if (isnan(score)) return NULL;
    lm_snprintf(text, SCORE, "%s %s%s",
                p->task          ? "mean area under the ROC curve"
                : p->class_label ? "accuracy"
                                 : "mean absolute error",
                SCORE_TEXT(score, p->task || p->class_label ? 1 : LM_SIGNIFICANT),
                p->task || p->class_label ? " %" : "");
    return text;
}

leman_status lm_predictions_page(lm_work *work, const lm_predictions *p, const lm_truths *t)
{
    leman_context *ctx = work->ctx;
    leman_predictions_view view = leman_predictions_view_default();
    char model[MODEL], positive[MODEL], score[SCORE], *line;
    known_columns c = {0};
    if (!p->report) return LEMAN_OK;
    if (p->level)
        return MISUSE(ctx, "option '--report': the model predicts %s of graphs, expected one that predicts graphs",
                      p->level == LEMAN_LEVEL_EDGE ? "edges" : "vertices");
    if (!p->class_label || t->known) PASS(list_columns(ctx, p, t, &c));
    if (p->class_label ? !t->known : !c.count)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "option '--report': %s has no %s that the model predicts%s%s",
                       work->options->operand[0], p->class_label ? "classes" : "targets", *t->remark ? "; " : "",
                       t->remark);
    PASS(fill_columns(ctx, p, t, &c));
    PASS(lm_command_line(work, &line));
    view.data = leman_dataset_shape(p->data)->name;
    view.model = model_text(p->by, model);
    view.score = score_text(p, t, score);
    view.graphs = p->graphs;
    view.outputs = c.count;
    view.name = c.name;
    view.positive = positive_of(p, positive);
    view.predicted = c.count ? c.predicted : NULL;
    view.truth = c.truth;
    view.error = p->class_label || p->task || c.count == 1 ? c.error : NULL;
    view.similarity = p->similarity;
    PASS(leman_predictions_page_write(ctx, &view, line, p->report));
    lm_work_log(work, "%s: wrote the report", p->report);
    return LEMAN_OK;
}
