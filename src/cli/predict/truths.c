/* Scores of predictions by the classes and targets in the data. */
#include "cli/predict/truths.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Columns --------------------------------------------------------------------------------- */

/* Returns the name of output i, or NULL if it has none. */
static const char *name_of(const lm_predictions *p, size_t i)
{
    const char *name = p->task ? p->task[i] : p->column ? p->column[i] : NULL;
    return name && *name ? name : NULL;
}

/* Returns the number of the column of output i in the training data; SIZE_MAX: not known. A task without a name is called
 * by its number. */
static size_t number_of(const lm_predictions *p, size_t i)
{
    if (!p->task) return p->target[i];
    return strspn(p->task[i], "0123456789") == strlen(p->task[i]) ? strtoull(p->task[i], NULL, 10) : SIZE_MAX;
}

/* Returns the column of output i in the data; SIZE_MAX: none. *by_number: no name says that it is this column. */
static size_t column_of(const lm_predictions *p, size_t i, bool *by_number)
{
    const size_t named = leman_dataset_target_named(p->data, name_of(p, i)), number = number_of(p, i);
    size_t length = 0;
    *by_number = false;
    if (named != SIZE_MAX || number >= leman_dataset_shape(p->data)->columns->targets) return named;
    leman_dataset_target_name(p->data, number, &length);
    *by_number = !length || !name_of(p, i);
    return *by_number ? number : SIZE_MAX;
}

/* Finds the columns of tasks and values, and says which are missing or have no names. */
static leman_status find_columns(leman_context *ctx, const lm_predictions *p, lm_truths *t)
{
    char missing[LM_TRUTH_REMARK / 3], numbers[LM_TRUTH_REMARK / 3];
    lm_joined without = lm_joined_begin(missing, sizeof missing), counted = lm_joined_begin(numbers, sizeof numbers);
    PASS_SCRATCH(ctx, t->column, p->outputs);
    t->known = true;
    for (size_t i = 0; i < p->outputs; i++) {
        bool by_number;
        t->column[i] = column_of(p, i, &by_number);
        if (t->column[i] == SIZE_MAX) {
            const char *name = name_of(p, i);
            lm_joined_add(&without, "%s%s", without.used ? ", " : "", name ? name : FORMAT("%zu", number_of(p, i)));
            t->known = false;
        } else if (by_number) {
            lm_joined_add(&counted, "%s%zu", counted.used ? ", " : "", t->column[i]);
        }
    }
    if (p->level || !leman_dataset_shape(p->data)->columns->targets) return LEMAN_OK;
    if (without.used)
        lm_snprintf(t->remark, sizeof t->remark,
                    "the data has no column of targets called %s, which the model predicts: no score is computed%s",
                    missing, p->outputs > 1 ? " of it, nor of all tasks together" : "");
    else if (counted.used)
        lm_snprintf(
            t->remark, sizeof t->remark, "the score is by column %s of the targets, found by number: %s", numbers,
            name_of(p, 0) ? "the data has no names of its columns" : "the model has no name of what it predicts");
    return LEMAN_OK;
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* Returns the word of a class of the data, NULL if it is a number. */
static const char *word_in_data(const lm_predictions *p, int64_t label, size_t *length)
{
    const char *name = leman_dataset_class_name(p->data, label, length);
    return *length ? name : NULL;
}

/* Classes are comparable if they have words on both sides or numbers on both, since words are numbered anew in every
 * file. */
static leman_status find_classes(const lm_predictions *p, lm_truths *t)
{
    const int64_t *label = leman_dataset_classes(p->data);
    const char *column = p->column ? *p->column : NULL;
    size_t length, unlike = 0;
    t->known = label != NULL;
    for (size_t g = 0; label && g < p->graphs; g++)
        if (label[g] != LEMAN_CLASS_MISSING)
            unlike += word_in_data(p, label[g], &length) ? !p->class_name : lm_class_word(p, label[g]) != NULL;
    if (unlike) t->known = false;
    if (unlike)
        lm_snprintf(t->remark, sizeof t->remark,
                    "the classes are %s in the data and %s in the model: no score is computed%s",
                    p->class_name ? "numbers" : "words", p->class_name ? "words" : "numbers",
                    p->class_name ? "" : "; --class COLUMN --positive WORDS makes numbers of words");
    else if (!label && column && leman_dataset_shape(p->data)->columns->targets)
        lm_snprintf(t->remark, sizeof t->remark,
                    "the data has no classes in a column called %s, which the model predicts: no score is computed",
                    column);
    return LEMAN_OK;
}

/* Compares the words of classes, or their numbers if they have no words. */
double lm_truths_class(const lm_predictions *p, int64_t label, size_t graph)
{
    size_t length;
    const int64_t own = leman_dataset_classes(p->data)[graph];
    const char *word = lm_class_word(p, label), *name = word_in_data(p, own, &length);
    if (own == LEMAN_CLASS_MISSING) return NAN;
    if (!word || !name) return !word && !name && label == own;
    return strlen(word) == length && !memcmp(word, name, length);
}

/* ---- Scores ---------------------------------------------------------------------------------- */

/* Returns the mean absolute error of output i over the graphs with a known target, or NAN if there are none. */
static double error_of(const lm_predictions *p, const lm_truths *t, size_t i)
{
    const size_t columns = leman_dataset_shape(p->data)->columns->targets;
    lm_known mean = {0};
    for (size_t g = 0; g < p->graphs; g++) {
        const double target = leman_dataset_targets(p->data)[g * columns + t->column[i]];
        if (isnan(target) || (p->level && isnan(p->output[g * p->outputs + i]))) continue; /* self-loops */
        mean.sum += fabs(p->output[g * p->outputs + i] - target); /* a prediction that is NAN counts */
        mean.count++;
    }
    return lm_known_mean(&mean);
}

/* Returns the accuracy in percent or the mean absolute error, or NAN if the data does not have the labels. */
static double score_of(const lm_predictions *p, const lm_truths *t)
{
    lm_known mean = {0};
    if (p->task || !t->known) return NAN;
    for (size_t g = 0; p->class_label && g < p->graphs; g++)
        lm_known_add(&mean, 100 * lm_truths_class(p, p->label[g], g));
    for (size_t i = 0; !p->class_label && i < p->outputs; i++) lm_known_add(&mean, t->each[i]);
    return lm_known_mean(&mean);
}

/* Computes the AUC in percent of a task: NAN if only one class of it is known. */
static leman_status auc_of(leman_context *ctx, const lm_predictions *p, const lm_truths *t, size_t task, double *auc)
{
    const size_t columns = leman_dataset_shape(p->data)->columns->targets;
    size_t count = 0;
    double *score;
    bool *positive;
    PASS_SCRATCH(ctx, score, p->graphs);
    PASS_SCRATCH(ctx, positive, p->graphs);
    for (size_t g = 0; g < p->graphs; g++) {
        const double value = leman_dataset_targets(p->data)[g * columns + t->column[task]];
        if (isnan(value)) continue;
        score[count] = p->output[g * p->outputs + task];
        positive[count++] = value == (double)p->task_label[2 * task + 1];
    }
    return count ? leman_auc(ctx, score, positive, count, auc) : LEMAN_OK;
}

leman_status lm_truths_find(leman_context *ctx, const lm_predictions *p, lm_truths *t)
{
    *t = (lm_truths){0};
    PASS(p->class_label ? find_classes(p, t) : find_columns(ctx, p, t));
    PASS_SCRATCH(ctx, t->each, p->outputs);
    for (size_t i = 0; i < p->outputs; i++) {
        t->each[i] = NAN;
        if (!t->column || t->column[i] == SIZE_MAX) continue;
        if (p->task)
            PASS(auc_of(ctx, p, t, i, t->each + i));
        else
            t->each[i] = error_of(p, t, i);
    }
    t->judgement.score = score_of(p, t);
    return lm_judge_all(ctx, p->data, t->column, p->outputs, &t->judgement);
}
