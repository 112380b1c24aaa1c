/* --with-labels: CSV files beside a matrix with the graph, class and targets of each row. */
#ifndef LM_CLI_LABELS_H
#define LM_CLI_LABELS_H

#include "cli/work.h"

#define LM_WITH_LABELS_ROW(member, text) LM_FLAG_ROW("with-labels", member, text, .needs = "output")

/* Zero-initialise before use, and call lm_row_labels_free() at the end. */
typedef struct lm_row_labels {
    lm_work *work;
    char *path;
    lm_output out;
} lm_row_labels;

/* Makes the path of a label file, "F.svm.gz" and ".y.csv" -> "F.y.csv", and checks it as a file that --with-labels
 * writes. */
leman_status lm_row_labels_path(lm_work *work, const char *matrix, const char *ending, char **out);
/* Writes graph, name, class and targets of all graphs to the file of lm_row_labels_path(). The file appears only with
 * lm_row_labels_commit(). */
leman_status lm_row_labels_write(lm_work *work, const leman_dataset *data, const char *matrix, const char *ending,
                                 lm_row_labels *labels);
/* Completes the file. Does nothing if nothing was written. */
leman_status lm_row_labels_commit(lm_row_labels *labels);
void lm_row_labels_free(lm_row_labels *labels);

#endif
