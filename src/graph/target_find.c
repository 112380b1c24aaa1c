/*
 * Finds the target column that a text means: a name, exactly or ignoring case, or a number counted from 0. A text that
 * could mean two columns is refused, and every refusal lists the columns. O(columns) for each text.
 */
#include "base/arguments.h"
#include "base/ascii.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <string.h>

/* A part of the caller's text. */
typedef struct word {
    const char *text;
    size_t length;
    bool quoted; /* it was in quotes, which are not part of it */
} word;

/* ---- Sentences ------------------------------------------------------------------------------- */

void lm_list_targets(const leman_dataset *data, char *text, size_t size)
{
    lm_joined columns = lm_joined_begin(text, size); /* "0 (logP), 1 (active)" */
    for (size_t i = 0, bytes; i < data->columns.targets; i++) {
        const char *name = leman_dataset_target_name(data, i, &bytes);
        lm_joined_add(&columns, bytes ? "%s%zu (%.*s)" : "%s%zu", i ? ", " : "", i, (int)bytes, name);
    }
}

static leman_status refuse_column(leman_context *ctx, const leman_dataset *data, const word *w, const char *found)
{
    char list[512];
    const char *quote = w->quoted ? "\"" : "'";
    const int length = w->length < 100 ? (int)w->length : 100;
    if (!data->columns.targets)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no targets, expected a column %s%.*s%s", data->name, quote,
                       length, w->text, quote);
    lm_list_targets(data, list, sizeof list);
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: %s %s%.*s%s, expected one of the target columns %s", data->name, found,
                   quote, length, w->text, quote, list);
}

/* ---- One column ------------------------------------------------------------------------------ */

/* Returns the number of columns with that name; *column is the last of them. */
static size_t with_name(const leman_dataset *data, const word *w, bool any_case, size_t *column)
{
    size_t count = 0, length;
    for (size_t i = 0; i < data->columns.targets && w->length; i++) {
        const char *name = leman_dataset_target_name(data, i, &length);
        if (length != w->length || (any_case ? !lm_same_word(name, w->text, length) : memcmp(name, w->text, length)))
            continue;
        *column = i;
        count++;
    }
    return count;
}

/* Returns true if the text consists of digits. *number is its value, or SIZE_MAX if there are not so many columns. */
static bool is_number(const leman_dataset *data, const char *text, size_t length, size_t *number)
{
    size_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        if (value < data->columns.targets) value = 10 * value + (size_t)(text[i] - '0');
    }
    *number = value < data->columns.targets ? value : SIZE_MAX;
    return length;
}

static leman_status find_word(leman_context *ctx, const leman_dataset *data, const word *w, size_t *column)
{
    size_t named = 0, number = SIZE_MAX, count = with_name(data, w, false, &named);
    if (!count) count = with_name(data, w, true, &named);
    const bool numeric = !w->quoted && is_number(data, w->text, w->length, &number) && number != SIZE_MAX;
    if (count > 1) return refuse_column(ctx, data, w, "several columns are called");
    if (count && numeric && named != number)
        return refuse_column(ctx, data, w, "one column is called and another is number");
    if (!count && !numeric) return refuse_column(ctx, data, w, "there is no target");
    *column = count ? named : number;
    return LEMAN_OK;
}

/* Removes blanks, and quotes around the whole word. */
static word word_of(const char *text, size_t length)
{
    while (length && *text == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    const bool quoted = length > 1 && text[0] == '"' && text[length - 1] == '"';
    return quoted ? (word){text + 1, length - 2, true} : (word){text, length, false};
}

leman_status leman_dataset_target_find(leman_context *ctx, const leman_dataset *data, const char *text, size_t *column)
{
    REQUIRE(ctx, data, text, column);
    const word w = word_of(text, strlen(text));
    return find_word(ctx, data, &w, column);
}

size_t leman_dataset_target_named(const leman_dataset *data, const char *name)
{
    if (!data || !name) return SIZE_MAX;
    const word w = {name, strlen(name), true};
    size_t named = SIZE_MAX, count = with_name(data, &w, false, &named);
    if (!count) count = with_name(data, &w, true, &named);
    return count == 1 ? named : SIZE_MAX;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Returns true if the word is a range like "3-5", and not a name. */
static bool is_range(const leman_dataset *data, const word *w, size_t *first, size_t *last)
{
    const char *dash = memchr(w->text, '-', w->length);
    size_t ignored;
    if (!dash || w->quoted || with_name(data, w, true, &ignored)) return false;
    const size_t before = (size_t)(dash - w->text);
    return is_number(data, w->text, before, first) && is_number(data, dash + 1, w->length - before - 1, last);
}

static leman_status add_column(leman_context *ctx, const leman_dataset *data, size_t column, size_t *columns,
                               size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (columns[i] == column)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found target %zu twice in a list, expected each column once",
                           data->name, column);
    columns[(*count)++] = column;
    return LEMAN_OK;
}

static leman_status add_word(leman_context *ctx, const leman_dataset *data, const word *w, size_t *columns,
                             size_t *count)
{
    size_t first, last;
    if (is_range(data, w, &first, &last)) {
        if (first == SIZE_MAX || last == SIZE_MAX || first > last)
            return refuse_column(ctx, data, w, "there are no targets");
        for (size_t c = first; c <= last; c++) PASS(add_column(ctx, data, c, columns, count));
    } else {
        PASS(find_word(ctx, data, w, &first));
        PASS(add_column(ctx, data, first, columns, count));
    }
    return LEMAN_OK;
}

/* Returns the comma or end behind an item. Commas in quotes are part of the item. */
static const char *end_of_item(const char *p)
{
    const char *from = p;
    while (*from == ' ') from++;
    const char *close = *from == '"' ? strchr(from + 1, '"') : NULL;
    const char *comma = strchr(close ? close : p, ',');
    return comma ? comma : p + strlen(p);
}

leman_status leman_dataset_target_list(leman_context *ctx, const leman_dataset *data, const char *text, size_t *columns,
                                       size_t *count)
{
    size_t found = 0, column;
    REQUIRE(ctx, data, text, columns, count);
    const word whole = word_of(text, strlen(text)); /* a name may contain commas */
    if (!whole.quoted && with_name(data, &whole, false, &column) == 1) {
        PASS(find_word(ctx, data, &whole, columns));
        *count = 1;
        return LEMAN_OK;
    }
    for (const char *p = text;;) {
        const char *end = end_of_item(p);
        const word w = word_of(p, (size_t)(end - p));
        PASS(add_word(ctx, data, &w, columns, &found));
        if (!*end) break;
        p = end + 1;
    }
    *count = found;
    return LEMAN_OK;
}
