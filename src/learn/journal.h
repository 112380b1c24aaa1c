/*
 * The journal of a run: finished folds in a file, so that an interrupted run goes on where it was.
 *
 * Text. The first line says what run it is: "leman journal 1; version 0.1.0; data set 5c0d949874fc25e7; ...; sum".
 * Every further line is one fold, as words of 16 hexadecimal digits: the fold, the numbers of leman_fold and
 * leman_trial and the predictions as the bits of their doubles, and a checksum over them and the first line. A line is
 * written at once and reaches the disk before the next fold is begun; what a crash leaves of a last line is cut off.
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

enum { LM_JOURNAL_HEAD = 4096 }; /* bytes of the first line, at most */

/* What determines a result, into head[LM_JOURNAL_HEAD], without the newline. */
leman_status lm_journal_head(leman_context *ctx, const leman_kernel *kernels, size_t count, const lm_run *run,
                             const leman_protocol *protocol, const leman_evaluation *evaluation, char *head);

/* Opens the file, or makes it, for this process alone. Folds that it holds go into the evaluation, and done[folds] says
 * which they are. Another run's journal, or another kind of file, is LEMAN_ERROR_INPUT and is left as it was. */
leman_status lm_journal_open(leman_context *ctx, const char *path, const char *head, leman_evaluation *evaluation,
                             bool *done, lm_journal *journal);
/* Adds a fold; from any thread. */
leman_status lm_journal_add(leman_context *ctx, lm_journal *journal, const leman_evaluation *evaluation, size_t fold);
void lm_journal_close(lm_journal *journal);

/* The reading of its bytes: *valid is the length of the part that can stay. */
leman_status lm_journal_parse(leman_context *ctx, const char *path, const char *head, const char *bytes, size_t size,
                              leman_evaluation *evaluation, bool *done, size_t *valid);

/* A fold as so many words, the first of which is its number; and back, false where it is not one of this evaluation. */
size_t lm_fold_words(const leman_evaluation *evaluation, size_t fold);
void lm_fold_to_words(const leman_evaluation *evaluation, size_t fold, uint64_t *word);
bool lm_fold_from_words(const leman_evaluation *evaluation, const uint64_t *word);

/*
 * A journal of several ranks (journal_ranks.c). Rank 0 has the file itself; rank r has FILE.rankR until the end, so
 * that what it has finished is on disk before others know. Opening takes over what such files hold, of however many
 * ranks, and every rank then has all finished folds. Without a path there are no files.
 */
typedef struct lm_rank_journal {
    lm_journal journal;
    char *own; /* its path, of ranks above 0 */
} lm_rank_journal;
leman_status lm_rank_journal_open(leman_context *ctx, const char *path, const char *head, leman_evaluation *evaluation,
                                  bool *done, lm_rank_journal *out);
/* At the end: every rank gets the folds of all, mine[folds] being those of this one, and FILE has them. */
leman_status lm_rank_journal_share(leman_context *ctx, leman_evaluation *evaluation, const bool *mine,
                                   lm_rank_journal *journal);
void lm_rank_journal_close(leman_context *ctx, lm_rank_journal *journal);

/* The journal of networks (network_protocol.c), a serialised file. */
#define LM_NETWORK_JOURNAL_MAGIC "LEMANNF\n"

#endif
