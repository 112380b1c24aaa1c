/* Parses numbers, sizes, words, sets and ranges of the command line. Every error has a message of its own. */
#include "base/ascii.h"
#include "base/text.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Lists of words -------------------------------------------------------------------------- */

/* Returns the number of letters to insert, delete, replace or swap to get from a to b, for words of at most 31
 * letters. */
static size_t distance(const char *a, const char *b)
{
    enum { MAX = 32 };
    size_t cost[MAX][MAX], m = strlen(a), n = strlen(b);
    if (m >= MAX || n >= MAX) return MAX;
    for (size_t i = 0; i <= m; i++) cost[i][0] = i;
    for (size_t j = 0; j <= n; j++) cost[0][j] = j;
    for (size_t i = 1; i <= m; i++)
        for (size_t j = 1; j <= n; j++) {
            size_t best = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (cost[i - 1][j] + 1 < best) best = cost[i - 1][j] + 1;
            if (cost[i][j - 1] + 1 < best) best = cost[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && cost[i - 2][j - 2] + 1 < best) best = cost[i - 2][j - 2] + 1;
            cost[i][j] = best;
        }
    return cost[m][n];
}

const char *lm_nearest(const char *word, const char *const *list)
{
    const char *nearest = NULL;
    size_t min = strlen(word) / 3 + 1; /* a word of six letters may have two mistakes */
    for (; *list; list++) {
        size_t length = strlen(word), far = distance(word, *list);
        if (length > 2 && !strncmp(*list, word, length)) far = 1; /* an abbreviation */
        if (far < min || (far == min && !nearest)) {
            min = far;
            nearest = *list;
        }
    }
    return nearest;
}

/* Writes a name of a kernel or network in lower case, without "network:". */
static void plain_name(const char *name, char *out, size_t size)
{
    static const char NETWORK[] = "network:";
    size_t i = 0;
    if (lm_begins(name, NETWORK)) name += sizeof NETWORK - 1;
    for (; name[i] && i + 1 < size; i++) out[i] = lm_lower(name[i]);
    out[i] = 0;
}

leman_status lm_method_suggested(leman_context *ctx, leman_status failure, const char *name)
{
    enum { MAX = 256, LENGTH = 32 };
    char word[LENGTH], plain[MAX][LENGTH];
    const char *known[MAX], *list[MAX + 1] = {NULL}, *next;
    size_t count = 0, kernels;
    if (failure != LEMAN_ERROR_ARGUMENT || !strstr(leman_context_message(ctx), "expected one of:")) return failure;
    for (size_t i = 0; count < MAX && (next = leman_kernel_known_name(i)); i++) known[count++] = next;
    kernels = count;
    for (size_t i = 0; count < MAX && (next = leman_architecture_known_name(i)); i++) known[count++] = next;
    for (size_t i = 0; i < count; i++) {
        plain_name(known[i], plain[i], LENGTH);
        list[i] = plain[i];
    }
    plain_name(name, word, LENGTH);
    const char *nearest = lm_nearest(word, list);
    if (!nearest) return failure;
    const size_t place = (size_t)(nearest - plain[0]) / LENGTH;
    return lm_fail(ctx, failure, "%s; did you mean '%s', a %s?", leman_context_message(ctx), known[place],
                   place < kernels ? "kernel" : "network");
}

const char *const *lm_choices_named(const char *const *choices)
{
    return choices[0] && !*choices[0] ? choices + 1 : choices;
}

void lm_choices_sentence(const char *const *choices, const char *last, char *text, size_t size)
{
    lm_joined list = lm_joined_begin(text, size);
    choices = lm_choices_named(choices);
    for (size_t i = 0; choices[i]; i++) {
        if (i && !choices[i + 1]) lm_joined_add(&list, " %s ", last);
        lm_joined_add(&list, "%s%s", i && choices[i + 1] ? ", " : "", choices[i]);
    }
}

static const char *const *find_word(const char *const *choices, const char *word, size_t length)
{
    for (; *choices; choices++)
        if (strlen(*choices) == length && !strncmp(*choices, word, length)) return choices;
    return NULL;
}

bool lm_is_choice(const char *const *choices, const char *word)
{
    while (*choices && strcmp(*choices, word)) choices++;
    return *choices != NULL;
}

static leman_status wrong_word(leman_context *ctx, const lm_option *row, const char *shown, const char *word,
                               size_t length)
{
    char expected[512];
    lm_choices_sentence(row->choices, "or", expected, sizeof expected);
    return MISUSE(ctx, "option '%s': found '%.*s', expected %s", shown, (int)length, word, expected);
}

static leman_status parse_set(leman_context *ctx, const lm_option *row, const char *shown, const char *text,
                              uint64_t *bits)
{
    uint64_t set = *bits;
    do {
        size_t length = strcspn(text, ",");
        const char *const *word = find_word(row->choices, text, length);
        if (!word) return wrong_word(ctx, row, shown, text, length);
        set |= UINT64_C(1) << (word - row->choices);
        text += length;
    } while (*text++);
    *bits = set;
    return LEMAN_OK;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Reads digits up to *end. Returns false if there are none or if the number is too large. */
static bool read_digits(const char *text, const char **end, uint64_t *value)
{
    uint64_t sum = 0;
    const char *at = text;
    for (; lm_is_digit(*at); at++)
        if (__builtin_mul_overflow(sum, 10u, &sum) || __builtin_add_overflow(sum, (uint64_t)(*at - '0'), &sum))
            return false;
    *end = at;
    *value = sum;
    return at > text;
}

static leman_status wrong_number(leman_context *ctx, const lm_option *row, const char *shown, const char *text)
{
    return MISUSE(ctx, "option '%s': found '%s', expected a whole number from %" PRId64 " %s", shown, text, row->min,
                  row->max ? FORMAT("to %" PRIu64, row->max) : "on");
}

static leman_status parse_unsigned(leman_context *ctx, const lm_option *row, const char *shown, const char *text,
                                   uint64_t *member)
{
    uint64_t value;
    const char *end;
    if (!read_digits(text, &end, &value) || *end || value < (uint64_t)row->min || (row->max && value > row->max))
        return wrong_number(ctx, row, shown, text);
    *member = value;
    return LEMAN_OK;
}

static leman_status parse_real(leman_context *ctx, const lm_option *row, const char *shown, const char *text,
                               double *member)
{
    char *end;
    double value = lm_strtod(text, &end);
    if (strchr(" \t\n\v\f\r", *text) || end == text || *end || !(value >= row->low && value <= row->high))
        return MISUSE(ctx, "option '%s': found '%s', expected a number from %g to %g", shown, text, row->low,
                      row->high);
    *member = value;
    return LEMAN_OK;
}

/* Parses 1536, 1.5K, 512M, 2G or 1T; the letter may be followed by B or iB. */
static leman_status parse_size(leman_context *ctx, const lm_option *row, const char *shown, const char *text,
                               uint64_t *member)
{
    static const char LETTERS[] = "KMGT";
    char *end;
    double value = lm_is_digit(*text) ? lm_strtod(text, &end) : -1;
    if (value >= 0) {
        const char *letter = *end ? strchr(LETTERS, lm_upper(*end)) : NULL;
        if (letter) {
            value = ldexp(value, 10 * (int)(letter - LETTERS + 1));
            end++;
        }
        if (letter && *end == 'i' && end[1] == 'B') end++;
        if (*end == 'B') end++;
        if (!*end && value >= 1 && value < (double)row->min) {
            return MISUSE(ctx, "option '%s': found '%s', expected at least %s", shown, text,
                          BYTES_TEXT((uint64_t)row->min));
        }
        if (!*end && value >= 1 && value < 0x1p63) {
            *member = (uint64_t)value;
            return LEMAN_OK;
        }
    }
    return MISUSE(ctx, "option '%s': found '%s', expected a size in bytes such as 512M or 2G", shown, text);
}

static leman_status parse_ranges(leman_context *ctx, const lm_option *row, const char *shown, const char *text,
                                 lm_ranges *ranges)
{
    const char *at = text;
    do {
        lm_range range = {0};
        bool good = read_digits(at, &at, &range.first);
        range.last = range.first;
        if (good && *at == '-') good = read_digits(at + 1, &at, &range.last);
        if (!good || (*at && *at != ',') || range.first > range.last || range.first < (uint64_t)row->min ||
            (row->max && range.last > row->max))
            return MISUSE(
                ctx, "option '%s': found '%s', expected whole numbers from %" PRId64 " %s%s and ranges, such as 0-9,20",
                shown, text, row->min, row->max ? "to " : "on", row->max ? COUNT_TEXT(row->max) : "");
        PASS(lm_vector_append(ctx, &ranges->range, &range, 1, sizeof range));
    } while (*at++);
    return LEMAN_OK;
}

leman_status lm_value_parse(leman_context *ctx, const lm_option *row, const char *shown, const char *text, void *member)
{
    switch (row->kind) {
    case LM_FLAG: break;
    case LM_UNSIGNED: return parse_unsigned(ctx, row, shown, text, member);
    case LM_REAL: return parse_real(ctx, row, shown, text, member);
    case LM_SIZE: return parse_size(ctx, row, shown, text, member);
    case LM_TEXT: *(const char **)member = text; return LEMAN_OK;
    case LM_CHOICE:
    case LM_OPTIONAL:
        if (!lm_is_choice(row->choices, text)) return wrong_word(ctx, row, shown, text, strlen(text));
        *(const char **)member = text;
        return LEMAN_OK;
    case LM_SET: return parse_set(ctx, row, shown, text, member);
    case LM_RANGES: return parse_ranges(ctx, row, shown, text, member);
    case LM_TEXTS: return lm_vector_append(ctx, &((lm_texts *)member)->text, &text, 1, sizeof text);
    }
    return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "option '%s' has a kind without values", shown);
}

/* ---- Lists of numbers ------------------------------------------------------------------------ */

leman_status lm_ranges_list(leman_context *ctx, const char *option, const lm_ranges *ranges, size_t most, size_t **out,
                            size_t *out_count)
{
    const lm_range *range = ranges->range.items;
    size_t count = 0, *list = NULL;
    for (size_t i = 0; i < ranges->range.count; i++) {
        if (range[i].last - range[i].first >= most - count)
            return MISUSE(ctx, "option '%s': found more than %zu numbers, expected at most %zu", option, most, most);
        count += (size_t)(range[i].last - range[i].first + 1);
    }
    if (count) PASS_SCRATCH(ctx, list, count);
    *out = list;
    *out_count = count;
    for (size_t i = 0; i < ranges->range.count; i++)
        for (uint64_t value = range[i].first; value <= range[i].last; value++) *list++ = (size_t)value;
    return LEMAN_OK;
}

leman_status lm_numbers_list(leman_context *ctx, const char *option, const char *text, bool increasing,
                             const char *expected, double **out, size_t *out_count)
{
    double *list = NULL;
    size_t count = 0;
    char *end;
    if (!text) return LEMAN_OK;
    PASS_SCRATCH(ctx, list, strlen(text) / 2 + 1);
    for (const char *at = text;; at = end + 1) {
        const double value = lm_strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(value > 0) || value > 1e100 ||
            (increasing && count && value <= list[count - 1]))
            return MISUSE(ctx, "option '%s': found '%s', expected %s", option, text, expected);
        list[count++] = value;
        if (!*end) break;
    }
    *out = list;
    *out_count = count;
    return LEMAN_OK;
}
