/* The journal of a run; journal.h describes the file. */
#include "learn/journal.h"
#include "base/hash.h"
#include "base/lock.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint64_t MAX_BYTES = UINT64_C(16) << 30; /* most bytes of a file */

enum { WORD = 17, NUMBERS = 10 }; /* characters of a word with its separator; number of words of a leman_fold */
enum { SHOWN = 200 };             /* most bytes of a first line that a message quotes */

/* ---- The first line -------------------------------------------------------------------------- */

/* A string that grows in place; `used` also counts characters that did not fit. */
typedef struct line {
    char *text;
    size_t used, size;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t left = l->used < l->size ? l->size - l->used : 0;
    l->used += (size_t)lm_vsnprintf(left ? l->text + l->used : NULL, left, format, arguments);
    va_end(arguments);
}

static unsigned long long bits_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void add_kernel(line *l, const leman_kernel *k)
{
    static const char *const KINDS[] = {"colors", "sp", "graphlet"};
    add(l, " %s", KINDS[k->kind]);
    if (k->kind == LEMAN_KERNEL_KIND_COLORS)
        add(l, ":%s:%u%s%s:%llx", leman_algorithm_name(k->coloring.algorithm), k->coloring.k,
            k->coloring.count_every_round ? ":all" : "", k->coloring.in_arcs ? ":in" : "",
            (unsigned long long)k->coloring.seed);
    if (k->kind == LEMAN_KERNEL_KIND_COLORS && k->coloring.components)
        add(l, ":components%u", (unsigned)k->coloring.components);
    if (k->kind == LEMAN_KERNEL_KIND_GRAPHLET) add(l, ":%u", k->graphlet);
    add(l, "%s%s%s%s:%llx", k->coloring.ignore_vertex_labels ? ":no-vertex-labels" : "",
        k->coloring.ignore_edge_labels ? ":no-edge-labels" : "", k->assignment ? ":assignment" : "",
        k->weighted ? ":weighted" : "", bits_of(k->weight));
}

leman_status lm_journal_head(leman_context *ctx, const leman_kernel *kernels, size_t count, const lm_run *run,
                             const leman_protocol *protocol, const leman_evaluation *e, char *head)
{
    line l = {head, 0, LM_JOURNAL_HEAD - 1};
    add(&l, "leman journal 1; version %s; data set %016llx; splits %016llx; seed %llu; kernels", leman_version(),
        (unsigned long long)e->data_checksum, (unsigned long long)e->splits_checksum, (unsigned long long)e->seed);
    for (size_t i = 0; i < count; i++) add_kernel(&l, kernels + i);
    add(&l, "; machine %s; rounds %u-%u; C", leman_svm_name(e->svm), e->min_rounds,
        e->min_rounds + (uint32_t)e->rounds - 1);
    uint64_t grid = lm_checksum(run->C, run->C_count * sizeof *run->C, run->C_count);
    add(&l, " %016llx; retrain %s; target ", (unsigned long long)grid, protocol->retrain ? "yes" : "no");
    if (protocol->target == LEMAN_NO_TARGET)
        add(&l, "none");
    else
        add(&l, "%zu", protocol->target);
    if (protocol->score != LEMAN_SCORE_AUTO) add(&l, "; selected by %s", leman_score_name(e->score));
    if (protocol->balanced_weights) add(&l, "; class weights balanced");
    if (protocol->class_weight)
        add(&l, "; class weights %016llx",
            (unsigned long long)lm_checksum(protocol->class_weight, protocol->class_weights * sizeof(double), 2));
    if (l.used + WORD + 3 > l.size)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %zu kernel%s, which are too many for a journal", count,
                       lm_plural(count));
    add(&l, "; %016llx", (unsigned long long)lm_checksum(head, l.used, 0));
    return LEMAN_OK;
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

/* ---- Lines of folds -------------------------------------------------------------------------- */

/* Lists the numbers of a fold in the order of the file. */
static void numbers_of(leman_fold *fold, double *out[NUMBERS - 1])
{
    double *all[NUMBERS - 1] = {&fold->C,   &fold->validation, &fold->test, &fold->train,  &fold->balanced,
                                &fold->auc, &fold->rmse,       &fold->r2,   &fold->seconds};
    memcpy(out, all, sizeof all);
}

size_t lm_fold_words(const leman_evaluation *e, size_t fold)
{
    return 1 + NUMBERS + 4 * e->rounds + lm_split_test(e->splits, fold).count;
}

void lm_fold_to_words(const leman_evaluation *e, size_t i, uint64_t *word)
{
    lm_fold_result r = lm_evaluation_fold(e, i);
    double *number[NUMBERS - 1];
    size_t tests = lm_split_test(e->splits, i).count;
    numbers_of(r.fold, number);
    *word++ = i;
    *word++ = r.fold->rounds;
    for (int j = 0; j < NUMBERS - 1; j++) *word++ = bits_of(*number[j]);
    memcpy(word, r.trial, e->rounds * sizeof *r.trial);
    memcpy(word + 4 * e->rounds, r.predicted, tests * sizeof *r.predicted);
}

bool lm_fold_from_words(const leman_evaluation *e, const uint64_t *word)
{
    size_t i = word[0], tests = lm_split_test(e->splits, i).count;
    lm_fold_result r = lm_evaluation_fold(e, i);
    double *number[NUMBERS - 1], predicted;
    if (word[1] < e->min_rounds || word[1] - e->min_rounds >= e->rounds) return false;
    const uint64_t *prediction = word + 1 + NUMBERS + 4 * e->rounds;
    for (size_t j = 0; j < tests && e->classes; j++) {
        memcpy(&predicted, prediction + j, sizeof predicted);
        if (!isnan(predicted) && !(predicted >= 0 && predicted < (double)e->classes)) return false;
    }
    *r.fold = (leman_fold){.repetition = (uint32_t)(i / e->splits->folds),
                           .fold = (uint32_t)(i % e->splits->folds),
                           .rounds = (uint32_t)word[1]};
    numbers_of(r.fold, number);
    for (int j = 0; j < NUMBERS - 1; j++) memcpy(number[j], word + 2 + j, sizeof *word);
    memcpy(r.trial, word + 1 + NUMBERS, e->rounds * sizeof *r.trial);
    memcpy(r.predicted, prediction, tests * sizeof *r.predicted);
    return true;
}

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

/* Reads one whole line, newline included, into the evaluation. Returns false if the line is damaged. */
static bool read_fold(const leman_evaluation *e, uint64_t key, const char *at, size_t size, uint64_t *word, bool *done)
{
    size_t count = size / WORD;
    uint64_t sum;
    if (size % WORD || count < 2 || !read_word(at, ' ', word)) return false;
    if (word[0] >= lm_evaluation_folds(e) || count != lm_fold_words(e, word[0]) + 1) return false;
    for (size_t i = 0; i < count - 1; i++)
        if (!read_word(at + i * WORD, ' ', word + i)) return false;
    if (!read_word(at + (count - 1) * WORD, '\n', &sum)) return false;
    if (sum != lm_checksum(word, (count - 1) * sizeof *word, key) || !lm_fold_from_words(e, word)) return false;
    done[word[0]] = true;
    return true;
}

static size_t max_words(const leman_evaluation *e)
{
    size_t max = 0;
    for (size_t i = 0; i < lm_evaluation_folds(e); i++)
        if (lm_fold_words(e, i) > max) max = lm_fold_words(e, i);
    return max;
}

leman_status lm_journal_parse(leman_context *ctx, const char *path, const char *head, const char *bytes, size_t size,
                              leman_evaluation *e, bool *done, size_t *valid)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    size_t length = strlen(head), line_number = 1;
    uint64_t key = lm_checksum(head, length, 1), *word;
    const char *at = bytes, *end = bytes + size, *line_end = size ? memchr(bytes, '\n', size) : NULL;
    static const char KIND[] = "leman journal ";
    *valid = 0;
    SCRATCH(ctx, word, max_words(e));
    if (!line_end && size <= length && !memcmp(bytes, head, size)) goto done; /* empty, or an incomplete first line */
    if (size < sizeof KIND || memcmp(bytes, KIND, sizeof KIND - 1) || !line_end)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found a file that is not a journal, expected a journal or a new file", path);
    if ((size_t)(line_end - bytes) != length || memcmp(bytes, head, length)) {
        st = refuse(ctx, path, bytes, line_end, head);
        goto done;
    }
    for (at = line_end + 1; at < end; at = line_end + 1) {
        line_number++;
        line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) break; /* an incomplete last line */
        if (read_fold(e, key, at, (size_t)(line_end + 1 - at), word, done)) continue;
        if (line_end + 1 == end) break;
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s:%zu: found a damaged line, expected a fold", path, line_number);
    }
    *valid = (size_t)(at - bytes);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
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
    if (fdatasync(journal->file) && errno != EINVAL && errno != EROFS) return file_fails(ctx, journal, "written");
    return LEMAN_OK;
}

leman_status lm_journal_open(leman_context *ctx, const char *path, const char *head, leman_evaluation *e, bool *done,
                             lm_journal *out)
{
    leman_status st = LEMAN_OK;
    lm_bytes bytes = {0};
    lm_journal journal = {.path = path, .key = lm_checksum(head, strlen(head), 1)};
    size_t valid;
    journal.file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    journal.open = journal.file >= 0;
    if (!journal.open) TRY(file_fails(ctx, &journal, "opened"));
    TRY(lm_lock_descriptor(ctx, journal.file, path, "journal"));
    TRY(lm_bytes_open(ctx, path, MAX_BYTES, &bytes));
    TRY(lm_journal_parse(ctx, path, head, bytes.data, bytes.size, e, done, &valid));
    lm_bytes_close(ctx, &bytes);
    if (ftruncate(journal.file, (off_t)valid) || lseek(journal.file, 0, SEEK_END) < 0)
        TRY(file_fails(ctx, &journal, "written"));
    if (!valid) {
        TRY(write_all(ctx, &journal, head, strlen(head)));
        TRY(write_all(ctx, &journal, "\n", 1));
    }
    *out = journal;
done:
    lm_bytes_close(ctx, &bytes);
    if (st) lm_journal_close(&journal);
    return st;
}

leman_status lm_journal_add(leman_context *ctx, lm_journal *journal, const leman_evaluation *e, size_t fold)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    size_t count = lm_fold_words(e, fold);
    uint64_t *word;
    char *text;
    SCRATCH(ctx, word, count + 1);
    SCRATCH(ctx, text, (count + 1) * WORD + 1);
    lm_fold_to_words(e, fold, word);
    word[count] = lm_checksum(word, count * sizeof *word, journal->key);
    for (size_t i = 0; i <= count; i++)
        snprintf(text + i * WORD, WORD + 1, "%016llx%c", (unsigned long long)word[i], i < count ? ' ' : '\n');
#pragma omp critical(lm_journal)
    st = write_all(ctx, journal, text, (count + 1) * WORD);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

void lm_journal_close(lm_journal *journal)
{
    if (journal->open) close(journal->file);
    journal->open = false;
}
