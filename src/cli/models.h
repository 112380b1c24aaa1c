/* What commands with models share. */
#ifndef LM_CLI_MODELS_H
#define LM_CLI_MODELS_H

#include "cli/options/kernels.h"

/* "model": {machine kernels rounds C accuracy or error classes labels ...} under parent. */
void lm_model_json(lm_json *json, json_t *parent, const leman_model_shape *shape);
/* "a linear SVM on local:2, 3 rounds, C = 10": for people. Returns text. */
const char *lm_model_text(const leman_model_shape *shape, char *text, size_t size);

#endif
