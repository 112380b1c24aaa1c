/* Explained predictions as JSON. */
#ifndef LM_CLI_EXPLANATIONS_JSON_H
#define LM_CLI_EXPLANATIONS_JSON_H

#include "cli/explain/explanations.h"

/* The explanations item[count] of graphs of data. */
typedef struct lm_explained_list {
    const leman_dataset *data;
    const lm_predictor *predictor;
    leman_attribution **item;
    size_t count;
} lm_explained_list;

leman_status lm_explanations_json(lm_work *work, const lm_explained_list *explained, lm_output *out);

#endif
