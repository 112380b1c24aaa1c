/* --with-labels: CSV files beside a matrix with the graph, class and targets of each row. */
#ifndef LM_CLI_LABELS_H
#define LM_CLI_LABELS_H

#include "cli/work.h"

#define LM_WITH_LABELS_ROW(member, text) LM_FLAG_ROW("with-labels", member, text, .needs = "output")

/* Makes the path of a label file, "F.svm.gz" and ".y.csv" -> "F.y.csv", and checks it as a file that --with-labels
 * writes. */
leman_status lm_row_labels_path(lm_work *work, const char *matrix, const char *ending, char **out);
/* Writes graph, name, class and targets of all graphs to the file of lm_row_labels_path(). *out, which must be
 * zero-initialised, stays open: the caller commits or aborts it. */
leman_status lm_row_labels_write(lm_work *work, const leman_dataset *data, const char *matrix, const char *ending,
                                 lm_output *out);

#endif
