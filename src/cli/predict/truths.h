/* What DATA says about the things that were predicted: the columns of targets, found by the names that the model has, and
 * scores of the predictions by them. */
#ifndef LM_CLI_TRUTHS_H
#define LM_CLI_TRUTHS_H

#include "cli/models.h"
#include "cli/predict/predictions.h"

enum { LM_TRUTH_REMARK = 500 };

typedef struct lm_truths {
    size_t *column; /* [outputs] columns of the targets of the data, SIZE_MAX: none; NULL: classes are predicted */
    bool known;     /* the data has the classes, or all columns, that are predicted */
    double
        *each; /* [outputs] AUC in percent of each task of classes, mean absolute error of each value; NAN: unknown */
    lm_judgement judgement;
    char remark[LM_TRUTH_REMARK]; /* which columns are missing, or were found by their numbers; "": all have names */
} lm_truths;

/* Finds the columns: by the name in the model, or, if the model or the column has no name, by the number. Without its
 * column a prediction has no score. */
leman_status lm_truths_find(leman_context *ctx, const lm_predictions *predictions, lm_truths *truths);
/* Returns 1 if the class of a graph in the data is this class of the model, 0 if it is another one, NAN if it is missing.
 * Classes must be known. */
double lm_truths_class(const lm_predictions *predictions, int64_t label, size_t graph);
/* Writes the page of --report, if it was asked for (predictions_page.c). Fails if nothing that is predicted is known. */
leman_status lm_predictions_page(lm_work *work, const lm_predictions *predictions, const lm_truths *truths);

#endif
