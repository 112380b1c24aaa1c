/* Functions shared by commands that fit models or predict with them. */
#ifndef LM_CLI_MODELS_H
#define LM_CLI_MODELS_H

#include "cli/options/kernels.h"

/* Adds "model": {machine kernels rounds C cv_accuracy cv_error classes ...} to parent. */
void lm_model_json(lm_json *json, json_t *parent, const leman_model_shape *shape);
/* Adds "model": {machine kernels rounds weights noise mean log_likelihood loo_rmse ...} of a Gaussian process to parent.
 */
void lm_gp_json(lm_json *json, json_t *parent, const leman_gp_shape *shape);
/* Adds "reading", how the graphs were read as options of the program, null if nothing is known, and "reading_assumed". */
void lm_reading_json(lm_json *json, json_t *parent, uint64_t reading);
/* Adds the path of a file under a key, and "bytes", its size, to parent. The size is null for standard output. */
void lm_file_json(lm_json *json, json_t *parent, const char *key, const char *path);
/* Returns true if a kernel of the model has rounds. */
bool lm_model_has_rounds(const leman_model_shape *shape);
/* Writes "a linear SVM, 3 rounds, C = 10, for 2 classes" into text[size] and returns text. */
const char *lm_model_text(const leman_model_shape *shape, char *text, size_t size);

/* The score of predictions for labelled data, the baseline that predictions have to beat, and the 95 % interval of the
 * score. The interval is NAN for errors. */
typedef struct lm_judgement {
    double score, baseline, low, high; /* score: accuracy in percent or mean absolute error; NAN: no labels */
} lm_judgement;
/* Computes baseline, low and high for graph[graphs]. judgement->score must be set. target[targets] lists the columns that
 * are predicted; it is NULL for classes. Errors of target t are divided by unit[t], unless unit is NULL. */
leman_status lm_judge(leman_context *ctx, const leman_dataset *data, const uint32_t *graph, size_t graphs,
                      const size_t *target, size_t targets, const double *unit, lm_judgement *judgement);
/* Calls lm_judge() for all graphs. If the score is NAN, baseline, low and high become NAN. */
leman_status lm_judge_all(leman_context *ctx, const leman_dataset *data, const size_t *target, size_t targets,
                          lm_judgement *judgement);
void lm_judgement_json(lm_json *json, json_t *object, bool classes, const lm_judgement *judgement);
/* Logs "188 graphs; accuracy 67.6 % by the classes in the data, 95 % interval ...". Logs nothing if the score is
 * NAN. */
void lm_judgement_log(lm_work *work, const char *counted, bool classes, const lm_judgement *judgement);

#endif
