/*
 * The journal of a run: a file of finished folds, from which an interrupted run continues.
 *
 * The file is text. The first line identifies the run: "leman journal 1; version 0.1.0; data set 5c0d949874fc25e7; ...;
 * sum". Every further line is one fold, written as words of 16 hexadecimal digits: the number of the fold, the members
 * of leman_fold and leman_trial and the predictions as the bits of their doubles, and a checksum of these words and the
 * first line. A line is written as a whole and reaches the disk before the next fold begins. If a crash leaves an
 * incomplete last line, it is cut off.
 */
#ifndef LM_JOURNAL_H
#define LM_JOURNAL_H

#include "learn/evaluation.h"

typedef struct lm_journal {
    int file; /* descriptor */
    bool open;
    const char *path;
    uint64_t key; /* checksum of the first line */
} lm_journal;

enum { LM_JOURNAL_HEAD = 4096 }; /* most bytes of the first line */

/* Writes the first line, which names everything that determines a result, into head[LM_JOURNAL_HEAD], without
 * newline. */
leman_status lm_journal_head(leman_context *ctx, const leman_kernel *kernels, size_t count, const lm_run *run,
                             const leman_protocol *protocol, const leman_evaluation *evaluation, char *head);

/* Opens or creates the file and locks it for this process. Folds found in the file are copied into the evaluation, and
 * their elements of done[folds] are set to true. If the file is the journal of another run or no journal, the function
 * fails with LEMAN_ERROR_INPUT and leaves the file unchanged. */
leman_status lm_journal_open(leman_context *ctx, const char *path, const char *head, leman_evaluation *evaluation,
                             bool *done, lm_journal *journal);
/* Appends a fold of the evaluation to the file. May be called from any thread. */
leman_status lm_journal_add(leman_context *ctx, lm_journal *journal, const leman_evaluation *evaluation, size_t fold);
void lm_journal_close(lm_journal *journal);

/* Reads a journal from bytes[size], as lm_journal_open() does. *valid is the length of the prefix that is complete. */
leman_status lm_journal_parse(leman_context *ctx, const char *path, const char *head, const char *bytes, size_t size,
                              leman_evaluation *evaluation, bool *done, size_t *valid);

/* Convert a fold to and from an array of words. lm_fold_words() returns the number of words; the first word is the
 * number of the fold. lm_fold_from_words() returns false if the words are no fold of this evaluation. */
size_t lm_fold_words(const leman_evaluation *evaluation, size_t fold);
void lm_fold_to_words(const leman_evaluation *evaluation, size_t fold, uint64_t *word);
bool lm_fold_from_words(const leman_evaluation *evaluation, const uint64_t *word);

/*
 * The journal of a run on several ranks (journal_ranks.c). Rank 0 writes FILE; rank r writes FILE.rankR until the end
 * of the run, so that its finished folds are on disk before they are sent to other ranks. lm_rank_journal_open() also
 * reads the files FILE.rankR that an earlier run left, whatever its number of ranks. After it every rank has all
 * finished folds. If path is NULL there are no files.
 */
typedef struct lm_rank_journal {
    lm_journal journal;
    char *own; /* path of this rank's file; NULL on rank 0 */
} lm_rank_journal;
leman_status lm_rank_journal_open(leman_context *ctx, const char *path, const char *head, leman_evaluation *evaluation,
                                  bool *done, lm_rank_journal *out);
/* Called at the end of a run: sends the folds mine[folds] of this rank to all others, so that every rank has all folds
 * and FILE holds them all. Removes the file of this rank. */
leman_status lm_rank_journal_share(leman_context *ctx, leman_evaluation *evaluation, const bool *mine,
                                   lm_rank_journal *journal);
void lm_rank_journal_close(leman_context *ctx, lm_rank_journal *journal);

/* First bytes of the journal of networks (network_protocol.c), which is a serialised file. */
#define LM_NETWORK_JOURNAL_MAGIC "LEMANNF\n"

#endif
