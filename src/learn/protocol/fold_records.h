/* Folds of an evaluation as records of a journal. */
#ifndef LM_FOLD_RECORDS_H
#define LM_FOLD_RECORDS_H

#include "learn/protocol/evaluation.h"
#include "learn/protocol/journal.h"

/* Returns the records of the folds. The evaluation must have its arrays and must outlive the records. */
lm_records lm_fold_records(leman_evaluation *evaluation);
/* Writes the first line of the journal of an evaluation. */
leman_status lm_evaluation_head(leman_context *ctx, const leman_kernel *kernels, size_t count, const lm_run *run,
                                const leman_protocol *protocol, const leman_evaluation *evaluation,
                                lm_journal_head *head);

#endif
