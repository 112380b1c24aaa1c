/* What commands with models share. */
#ifndef LM_CLI_MODELS_H
#define LM_CLI_MODELS_H

#include "cli/options/kernels.h"

/* "model": {machine kernels rounds C accuracy or error classes labels ...} under parent. */
void lm_model_json(lm_json *json, json_t *parent, const leman_model_shape *shape);
/* The file that models went to, and its bytes, null on standard output. */
void lm_model_file_json(lm_json *json, json_t *parent, const char *path);
/* "a linear SVM on local:2, 3 rounds, C = 10": for people. Returns text. */
const char *lm_model_text(const leman_model_shape *shape, char *text, size_t size);

/* How many of these graphs have a class. */
size_t lm_known_classes(const leman_dataset *data, const uint32_t *graph, size_t count);
/* What a prediction has to beat, and the interval of an accuracy (NAN of an error), by the labels of the data. */
typedef struct lm_judgement {
    double score, baseline, low, high; /* score: an accuracy in percent, or a mean absolute error; NAN: no labels */
} lm_judgement;
/* target[count]: the columns that are predicted; NULL: classes. The score is there. */
leman_status lm_judge(leman_context *ctx, const leman_dataset *data, const size_t *target, size_t count,
                      lm_judgement *judgement);
void lm_judgement_json(lm_json *json, json_t *object, bool classes, const lm_judgement *judgement);
/* Logs "188 graphs; accuracy 67.6 % by the classes in the data, 95 % interval ...". */
void lm_judgement_log(lm_work *work, size_t graphs, bool classes, const lm_judgement *judgement);

#endif
