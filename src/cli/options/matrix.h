/* Feature files as DATA. */
#ifndef LM_CLI_MATRIX_H
#define LM_CLI_MATRIX_H

#include "cli/work.h"

/* Returns true if the name of DATA is that of a feature file. */
bool lm_matrix_given(const lm_common *options);
/* Reads DATA as a feature file. Fails if options about graphs, kernels or colourings are given, since they have no
 * effect. */
leman_status lm_matrix_read(lm_work *work, leman_feature_matrix **out);

#endif
