/* DATA that is a feature file. */
#ifndef LM_CLI_MATRIX_H
#define LM_CLI_MATRIX_H

#include "cli/work.h"

/* Is DATA a feature file, by its name? */
bool lm_matrix_given(const lm_common *options);
/* Reads it. Options about graphs, kernels and colourings have no effect there, and are refused. */
leman_status lm_matrix_read(lm_work *work, leman_feature_matrix **out);

#endif
