/* The journal of a run; journal.h describes the file. */
#include "learn/protocol/journal.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/lock.h"
#include "base/system/system.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint64_t MAX_BYTES = UINT64_C(16) << 30; /* most bytes of a file */
static const char MAGIC[] = LM_JOURNAL_MAGIC;

enum { WORD = 17 };   /* characters of a word with its separator */
enum { SHOWN = 200 }; /* most bytes of a first line that a message quotes */

/* ---- The first line -------------------------------------------------------------------------- */

void lm_journal_head_add(lm_journal_head *head, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t left = head->used < sizeof head->text ? sizeof head->text - head->used : 0;
    head->used += (size_t)lm_vsnprintf(left ? head->text + head->used : NULL, left, format, arguments);
    va_end(arguments);
}

void lm_journal_head_begin(lm_journal_head *head, const char *kind, uint64_t data, uint64_t splits, uint64_t seed)
{
    head->used = 0;
    lm_journal_head_add(head, "%s1; version %s%s; data set %016llx; splits %016llx; seed %llu", MAGIC, leman_version(),
                        kind, (unsigned long long)data, (unsigned long long)splits, (unsigned long long)seed);
}

leman_status lm_journal_head_end(leman_context *ctx, lm_journal_head *head)
{
    if (head->used + WORD + 3 > sizeof head->text)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found options of %zu characters, which are too many for the first line of a journal",
                       head->used);
    lm_journal_head_add(head, "; %016llx", (unsigned long long)lm_checksum(head->text, head->used, 0));
    return LEMAN_OK;
}

static bool is_journal(const char *bytes, size_t size)
{
    return size >= sizeof MAGIC && !memcmp(bytes, MAGIC, sizeof MAGIC - 1);
}

static leman_status refuse_file(leman_context *ctx, const char *path)
{
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found a file that is not a journal, expected a journal or a new file",
                   path);
}

/* Fails with a message about the first difference between the first line of a file and that of this run. */
static leman_status refuse(leman_context *ctx, const char *path, const char *found, const char *found_end,
                           const char *head)
{
    for (;;) {
        const char *a = memchr(found, ';', (size_t)(found_end - found)), *b = strchr(head, ';');
        size_t length = (size_t)((a ? a : found_end) - found), expected = b ? (size_t)(b - head) : strlen(head);
        if (length != expected || memcmp(found, head, length)) {
            char shown[SHOWN + 1] = "";
            memcpy(shown, found, length < SHOWN ? length : SHOWN);
            lm_text_clean(shown, '?');
            return lm_fail(ctx, LEMAN_ERROR_INPUT,
                           "%s: found the journal of another run: it says '%s', this run is '%.*s'; name another file",
                           path, shown, (int)(expected < SHOWN ? expected : SHOWN), head);
        }
        if (!a || !b) break;
        found = a + 1;
        head = b + 1;
        while (found < found_end && *found == ' ') found++;
        while (*head == ' ') head++;
    }
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found the journal of another run; name another file", path);
}

/* ---- Lines of items -------------------------------------------------------------------------- */

/* Reads 16 digits and the character `behind`. Returns false if the text is anything else. */
static bool read_word(const char *at, char behind, uint64_t *out)
{
    uint64_t word = 0;
    for (int i = 0; i < 16; i++) {
        char c = at[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
        word = word << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    *out = word;
    return at[16] == behind;
}

/* Reads one whole line, newline included. Returns false if the line is damaged. */
static bool read_item(const lm_records *records, uint64_t key, const char *at, size_t size, uint64_t *word, bool *done)
{
    size_t count = size / WORD;
    uint64_t sum;
    if (size % WORD || count < 2 || !read_word(at, ' ', word)) return false;
    if (word[0] >= records->count || count != records->words(records->state, (size_t)word[0]) + 2) return false;
    for (size_t i = 0; i < count - 1; i++)
        if (!read_word(at + i * WORD, ' ', word + i)) return false;
    if (!read_word(at + (count - 1) * WORD, '\n', &sum)) return false;
    if (sum != lm_checksum(word, (count - 1) * sizeof *word, key)) return false;
    if (!records->read(records->state, (size_t)word[0], word + 1)) return false;
    done[word[0]] = true;
    return true;
}

static size_t max_words(const lm_records *records)
{
    size_t max = 0;
    for (size_t i = 0; i < records->count; i++)
        if (records->words(records->state, i) > max) max = records->words(records->state, i);
    return max;
}

leman_status lm_journal_parse(leman_context *ctx, const char *path, const char *head, const char *bytes, size_t size,
                              const lm_records *records, bool *done, size_t *valid)
{
    SCRATCH_SCOPE(ctx);
    size_t length = strlen(head), line_number = 1;
    uint64_t key = lm_checksum(head, length, 1), *word;
    const char *at = bytes, *end = bytes + size, *line_end = size ? memchr(bytes, '\n', size) : NULL;
    *valid = 0;
    PASS_SCRATCH(ctx, word, max_words(records) + 1);
    if (!line_end && size <= length && !memcmp(bytes, head, size))
        return LEMAN_OK; /* empty, or an incomplete first line */
    if (!is_journal(bytes, size) || !line_end) PASS(refuse_file(ctx, path));
    if ((size_t)(line_end - bytes) != length || memcmp(bytes, head, length))
        return refuse(ctx, path, bytes, line_end, head);
    for (at = line_end + 1; at < end; at = line_end + 1) {
        line_number++;
        line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) break; /* an incomplete last line */
        if (read_item(records, key, at, (size_t)(line_end + 1 - at), word, done)) continue;
        if (line_end + 1 == end) break;
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s:%zu: found a damaged line, expected a fold or network of this run",
                       path, line_number);
    }
    *valid = (size_t)(at - bytes);
    return LEMAN_OK;
}

/* ---- The file -------------------------------------------------------------------------------- */

static leman_status file_fails(leman_context *ctx, const lm_journal *journal, const char *what)
{
    return lm_fail_errno(ctx, errno, "%s: cannot be %s", journal->path, what);
}

static leman_status write_all(leman_context *ctx, const lm_journal *journal, const char *bytes, size_t size)
{
    while (size) {
        ssize_t written = write(journal->file, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return file_fails(ctx, journal, "written");
        bytes += written;
        size -= (size_t)written;
    }
    if (!lm_system_write_through(journal->file) && errno != EINVAL && errno != EROFS)
        return file_fails(ctx, journal, "written");
    return LEMAN_OK;
}

leman_status lm_journal_open(leman_context *ctx, const char *path, const char *head, bool fresh,
                             const lm_records *records, bool *done, lm_journal *journal)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    size_t valid = 0;
    journal->path = path;
    journal->key = lm_checksum(head, strlen(head), 1);
    journal->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    journal->open = journal->file >= 0;
    if (!journal->open) return file_fails(ctx, journal, "opened");
    PASS(lm_lock_descriptor(ctx, journal->file, path, "journal"));
    PASS(lm_bytes_open(ctx, path, MAX_BYTES, &bytes));
    if (!fresh) PASS(lm_journal_parse(ctx, path, head, bytes.data, bytes.size, records, done, &valid));
    if (fresh && bytes.size && !is_journal(bytes.data, bytes.size)) return refuse_file(ctx, path);
    if (ftruncate(journal->file, (off_t)valid) || lseek(journal->file, 0, SEEK_END) < 0)
        return file_fails(ctx, journal, "written");
    if (valid) return LEMAN_OK;
    PASS(write_all(ctx, journal, head, strlen(head)));
    return write_all(ctx, journal, "\n", 1);
}

leman_status lm_journal_add(leman_context *ctx, lm_journal *journal, const lm_records *records, size_t item)
{
    SCRATCH_SCOPE(ctx);
    if (!journal->open) return LEMAN_OK;
    size_t count = records->words(records->state, item) + 1;
    uint64_t *word;
    char *text;
    PASS_SCRATCH(ctx, word, count + 1);
    PASS_SCRATCH(ctx, text, (count + 1) * WORD + 1);
    word[0] = item;
    records->write(records->state, item, word + 1);
    word[count] = lm_checksum(word, count * sizeof *word, journal->key);
    for (size_t i = 0; i <= count; i++)
        snprintf(text + i * WORD, WORD + 1, "%016llx%c", (unsigned long long)word[i], i < count ? ' ' : '\n');
    leman_status st;
#pragma omp critical(lm_journal)
    st = write_all(ctx, journal, text, (count + 1) * WORD);
    return st;
}

void lm_journal_close(lm_journal *journal)
{
    if (journal->open) close(journal->file);
    lm_release(journal->own);
    *journal = (lm_journal){0};
}
