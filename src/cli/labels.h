/* --with-labels: files beside a matrix that say which graph, class and targets each row has. */
#ifndef LM_CLI_LABELS_H
#define LM_CLI_LABELS_H

#include "cli/work.h"

#define LM_WITH_LABELS_ROW(member, text)                                                                               \
    {                                                                                                                  \
        .name = "with-labels", .kind = LM_FLAG, .field = member, .needs = "output", .help = text                       \
    }

/* Zero-initialise; lm_row_labels_free() at the end. */
typedef struct lm_row_labels {
    lm_work *work;
    char *path;
    lm_output out;
} lm_row_labels;

/* "F.svm.gz" and ".y.csv" -> "F.y.csv", checked as a file that --with-labels writes; lm_free() it. */
leman_status lm_row_labels_path(lm_work *work, const char *matrix, const char *ending, char **out);
/* Writes graph,name,class and targets of all graphs to a file that lm_row_labels_path() names; it appears with
 * lm_row_labels_commit(). */
leman_status lm_row_labels_write(lm_work *work, const leman_dataset *data, const char *matrix, const char *ending,
                                 lm_row_labels *labels);
/* Does nothing where nothing was written. */
leman_status lm_row_labels_commit(lm_row_labels *labels);
void lm_row_labels_free(lm_row_labels *labels);

#endif
