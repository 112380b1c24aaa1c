/*
 * The journal of a run: a file of finished items (folds of an evaluation, trained networks), from which an interrupted
 * run continues.
 *
 * The file is text. The first line identifies the run: "leman journal 1; version 0.1.0; data set 5c0d949874fc25e7; ...;
 * sum". Every further line is one item, written as words of 16 hexadecimal digits: the number of the item, the members
 * of its result, doubles as their bits, and a checksum of these words and the first line. A line is written as a whole
 * and reaches the disk before the next item begins. If a crash leaves an incomplete last line, it is cut off.
 */
#ifndef LM_JOURNAL_H
#define LM_JOURNAL_H

#include "base/context.h"

/* The first line: everything that determines a result, without newline. lm_journal_head_begin() writes the version, the
 * kind of the run, the checksums of data and splits, and the seed. lm_journal_head_add() appends to the line, and
 * lm_journal_head_end() appends the checksum or fails if the line is too long. */
enum { LM_JOURNAL_HEAD = 1 << 14 };
typedef struct lm_journal_head {
    char text[LM_JOURNAL_HEAD];
    size_t used; /* also counts characters that did not fit */
} lm_journal_head;
void lm_journal_head_begin(lm_journal_head *head, const char *kind, uint64_t data, uint64_t splits, uint64_t seed);
__attribute__((format(printf, 2, 3))) void lm_journal_head_add(lm_journal_head *head, const char *format, ...);
leman_status lm_journal_head_end(leman_context *ctx, lm_journal_head *head);

/* How the items of a run become words and are read back. */
typedef struct lm_records {
    void *state;
    size_t count;                                                  /* items are numbered 0 .. count - 1 */
    size_t (*words)(const void *state, size_t item);               /* number of words of the item's result */
    void (*write)(const void *state, size_t item, uint64_t *word); /* writes these words */
    bool (*read)(void *state, size_t item, const uint64_t *word);  /* returns false if they are no result of the item */
} lm_records;

/* Zero-initialise before use, and call lm_journal_close() at the end. */
typedef struct lm_journal {
    int file; /* descriptor */
    bool open;
    const char *path;
    uint64_t key; /* checksum of the first line */
    char *own;    /* path of the file of a rank other than 0; otherwise NULL */
} lm_journal;

/* Opens or creates the file and locks it for this process. Items found in the file are read, and their elements of
 * done[count] are set to true. If the file is the journal of another run, the function fails with LEMAN_ERROR_INPUT; if
 * `fresh`, it empties a journal, of any run, instead of reading it. A file that is no journal is refused in any case. A
 * refused file is unchanged. */
leman_status lm_journal_open(leman_context *ctx, const char *path, const char *head, bool fresh,
                             const lm_records *records, bool *done, lm_journal *journal);
/* Appends an item to the file, if the journal is open. May be called from any thread. */
leman_status lm_journal_add(leman_context *ctx, lm_journal *journal, const lm_records *records, size_t item);
void lm_journal_close(lm_journal *journal);

/* Reads the items in the bytes of a journal. *valid: how many of the bytes are whole lines. path is only used in
 * messages. */
leman_status lm_journal_parse(leman_context *ctx, const char *path, const char *head, const char *bytes, size_t size,
                              const lm_records *records, bool *done, size_t *valid);

/* Sends the items sent[count] of this rank to all ranks, which read them. arrived[count], if it is not NULL, is set
 * for every item that any rank sent. Every rank must call it. */
leman_status lm_records_send(leman_context *ctx, const lm_records *records, const bool *sent, bool *arrived);

/*
 * The journal of a run on several ranks (journal_ranks.c). Rank 0 writes FILE; rank r writes FILE.rankR until the end
 * of the run, so that its finished items are on disk before they are sent to other ranks. lm_journal_open_ranks() also
 * reads the files FILE.rankR that an earlier run left, whatever its number of ranks. After it every rank has all
 * finished items.
 */
leman_status lm_journal_open_ranks(leman_context *ctx, const char *path, const char *head, const lm_records *records,
                                   bool *done, lm_journal *journal);
/* Called at the end of a run: sends the items mine[count] of this rank to all others, so that every rank has all items
 * and FILE holds them all. Removes the file of this rank. */
leman_status lm_journal_share(leman_context *ctx, const lm_records *records, const bool *mine, lm_journal *journal);

/* First bytes of a journal. */
#define LM_JOURNAL_MAGIC "leman journal "

#endif
