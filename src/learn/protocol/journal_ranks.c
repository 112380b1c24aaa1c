/* Journals of several ranks, as journal.h describes them. */
#include "base/file.h"
#include "base/ranks/ranks.h"
#include "learn/protocol/journal.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RANKS = 1 << 16 };
static const uint64_t MAX_BYTES = UINT64_C(16) << 30; /* most bytes of a file */

/* Makes the path "FILE.rank3"; lm_release() it. */
static leman_status path_of(leman_context *ctx, const char *path, size_t rank, char **out)
{
    const size_t size = strlen(path) + 32;
    PASS_NEW(ctx, *out, size);
    snprintf(*out, size, "%s.rank%zu", path, rank);
    return LEMAN_OK;
}

/* ---- Items on their way ---------------------------------------------------------------------- */

leman_status lm_records_send(leman_context *ctx, const lm_records *records, const bool *sent, bool *arrived)
{
    const lm_records *r = records;
    AUTO(lm_release_at) uint64_t *word = NULL;
    AUTO(lm_release_at) size_t *bytes = NULL;
    size_t count = 0, sum = 0;
    AUTO(lm_release_at) void *all = NULL;
    for (size_t i = 0; i < r->count; i++) count += sent[i] ? 1 + r->words(r->state, i) : 0;
    PASS_NEW(ctx, word, count);
    PASS_NEW(ctx, bytes, lm_rank_count(ctx));
    for (size_t i = 0, at = 0; i < r->count; i++) {
        if (!sent[i]) continue;
        word[at++] = i;
        r->write(r->state, i, word + at);
        at += r->words(r->state, i);
    }
    PASS(lm_ranks_gather(ctx, word, count * sizeof *word, bytes, &all));
    for (size_t rank = 0; rank < lm_rank_count(ctx); rank++) sum += bytes[rank] / sizeof *word;
    for (const uint64_t *at = all, *end = at + sum; at < end;) {
        const size_t item = *at < r->count ? (size_t)*at : SIZE_MAX;
        if (item == SIZE_MAX || r->words(r->state, item) >= (size_t)(end - at) || !r->read(r->state, item, at + 1))
            return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "a result of another rank is none of this run");
        if (arrived) arrived[item] = true;
        at += 1 + r->words(r->state, item);
    }
    return LEMAN_OK;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Copies the items in a file of an earlier run's rank to the journal, and removes the file. */
static leman_status take_over(leman_context *ctx, const char *path, const char *head, const lm_records *records,
                              bool *done, lm_journal *journal)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    AUTO(lm_release_at) bool *found = NULL;
    size_t valid;
    PASS_NEW_ZERO(ctx, found, records->count);
    PASS(lm_bytes_open(ctx, path, MAX_BYTES, &bytes));
    PASS(lm_journal_parse(ctx, path, head, bytes.data, bytes.size, records, found, &valid));
    for (size_t i = 0; i < records->count; i++) {
        if (!found[i] || done[i]) continue;
        PASS(lm_journal_add(ctx, journal, records, i));
        done[i] = true;
    }
    if (unlink(path)) return lm_fail_errno(ctx, errno, "%s: cannot be removed", path);
    return LEMAN_OK;
}

static leman_status open_first(leman_context *ctx, const char *path, const char *head, const lm_records *records,
                               bool *done, lm_journal *journal)
{
    AUTO(lm_release_at) char *other = NULL;
    PASS(lm_journal_open(ctx, path, head, false, records, done, journal));
    for (size_t rank = 1, missing = 0; rank < MOST_RANKS && missing < 1024; rank++) { /* some ranks may have none */
        PASS(path_of(ctx, path, rank, &other));
        missing = access(other, F_OK) ? missing + 1 : 0;
        if (!missing) PASS(take_over(ctx, other, head, records, done, journal));
        lm_release(other);
        other = NULL;
    }
    return LEMAN_OK;
}

static bool all_done(const lm_records *records, const bool *done)
{
    for (size_t i = 0; i < records->count; i++)
        if (!done[i]) return false;
    return true;
}

static leman_status open_ranks(leman_context *ctx, const char *path, const char *head, const lm_records *records,
                               bool *done, lm_journal *journal)
{
    if (!lm_rank(ctx)) PASS(open_first(ctx, path, head, records, done, journal));
    if (lm_has_ranks(ctx)) PASS(lm_records_send(ctx, records, done, done));
    if (!lm_rank(ctx) || all_done(records, done)) return LEMAN_OK; /* nothing would be written or remove the file */
    PASS(path_of(ctx, path, lm_rank(ctx), &journal->own));
    return lm_journal_open(ctx, journal->own, head, false, records, done, journal);
}

leman_status lm_journal_open_ranks(leman_context *ctx, const char *path, const char *head, const lm_records *records,
                                   bool *done, lm_journal *journal)
{
    lm_ranks_begin(ctx);
    return lm_ranks_end(ctx, open_ranks(ctx, path, head, records, done, journal));
}

static leman_status share(leman_context *ctx, const lm_records *records, const bool *mine, lm_journal *journal)
{
    AUTO(lm_release_at) bool *arrived = NULL;
    PASS_NEW_ZERO(ctx, arrived, records->count);
    PASS(lm_records_send(ctx, records, mine, arrived));
    for (size_t i = 0; i < records->count && !lm_rank(ctx); i++)
        if (arrived[i] && !mine[i]) PASS(lm_journal_add(ctx, journal, records, i));
    return LEMAN_OK;
}

leman_status lm_journal_share(leman_context *ctx, const lm_records *records, const bool *mine, lm_journal *journal)
{
    if (!lm_has_ranks(ctx)) return LEMAN_OK;
    lm_ranks_begin(ctx);
    PASS(lm_ranks_end(ctx, share(ctx, records, mine, journal))); /* now rank 0 has written all items */
    if (journal->own) (void)unlink(journal->own);
    return LEMAN_OK;
}
