/* Folds of an evaluation as records of a journal. */
#ifndef LM_FOLD_RECORDS_H
#define LM_FOLD_RECORDS_H

#include "learn/protocol/evaluation.h"
#include "learn/protocol/journal.h"

/* Returns the records of the folds. The evaluation must have its arrays and must outlive the records. */
lm_records lm_fold_records(leman_evaluation *evaluation);
/* The number of decisions of a fold: one for each graph of its two parts, or 0 if `kept` is NULL. */
size_t lm_fold_decisions(const leman_splits *splits, size_t fold, const double *kept);
/* One record: its number of words, and its conversions, for a result with these numbers of trials, test graphs and
 * decisions (0 if they are not kept).
 * lm_fold_read() does not set repetition and fold. */
size_t lm_fold_words(size_t trials, size_t tests, size_t decisions);
void lm_fold_write(lm_fold_result result, size_t trials, size_t tests, size_t decisions, uint64_t *word);
void lm_fold_read(const uint64_t *word, size_t trials, size_t tests, size_t decisions, lm_fold_result result);
/* Begins the first line of the journal of an evaluation; lm_journal_head_end() completes it. */
void lm_evaluation_head(const leman_kernel *kernels, size_t count, const lm_run *run, const leman_protocol *protocol,
                        const leman_evaluation *evaluation, lm_journal_head *head);

#endif
