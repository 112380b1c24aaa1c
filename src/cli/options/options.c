/*
 * Parses a command line: GNU long options (--name value, --name=value), and letters alone, grouped, or with the value
 * attached (-k 2, -k2). Options may stand before, between and after operands. -- ends the options; - alone is an
 * operand.
 */
#include "cli/options/options.h"
#include "cli/output.h"
#include <stdio.h>
#include <string.h>

typedef struct parser {
    leman_context *ctx;
    const lm_command *command;
    lm_common *options;
    char **next, **end; /* the rest of the command line */
} parser;

/* ---- Finding rows ---------------------------------------------------------------------------- */

const lm_option *lm_option_next(const lm_command *command, lm_option_walk *walk)
{
    while (walk->group < LM_GROUPS && command->groups[walk->group].rows) {
        const lm_option *row = command->groups[walk->group].rows + walk->row++;
        if (row->name) return row;
        *walk = (lm_option_walk){walk->group + 1, 0};
    }
    return NULL;
}

static bool is_name(const char *name, const char *word, size_t length)
{
    return name && strlen(name) == length && !memcmp(name, word, length);
}

const lm_option *lm_option_find(const lm_command *command, const char *name, size_t length)
{
    const lm_option *row;
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));)
        if (is_name(row->name, name, length) || is_name(row->old_name, name, length)) return row;
    return NULL;
}

bool lm_option_is_common(const lm_command *command, const lm_option *row)
{
    for (const char *at = command->common; at && *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (is_name(row->name, at, length)) return true;
        at += length;
    }
    return false;
}

static const lm_option *row_by_letter(const lm_command *command, char letter)
{
    const lm_option *row;
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));)
        if (row->letter == letter) return row;
    return NULL;
}

static leman_status unknown_option(parser *p, const char *name, size_t length)
{
    enum { MAX = 64 };
    char word[64];
    const char *names[MAX + 1] = {NULL};
    const lm_option *row;
    size_t count = 0;
    for (lm_option_walk walk = {0}; count < MAX && (row = lm_option_next(p->command, &walk));)
        names[count++] = row->name;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const char *nearest = lm_nearest(word, names);
    const char *dashes = nearest && strlen(nearest) == 1 ? "-" : "--"; /* -k has no long form */
    return MISUSE(p->ctx, "there is no option '--%s'%s", word,
                  nearest ? FORMAT("; did you mean '%s%s'?", dashes, nearest) : "");
}

/* ---- Options without effect ------------------------------------------------------------------ */

/* The index of a row among all rows of its command. */
static size_t place_of(const lm_command *command, const lm_option *row)
{
    const lm_option *other;
    size_t place = 0;
    for (lm_option_walk walk = {0}; (other = lm_option_next(command, &walk)) && other != row;) place++;
    return place;
}

static bool is_given(const lm_common *options, size_t place)
{
    return place < 128 && (options->given[place / 64] >> place % 64 & 1);
}

bool lm_option_given(const lm_common *options, const char *name)
{
    const lm_option *row = options->command ? lm_option_find(options->command, name, strlen(name)) : NULL;
    return row && is_given(options, place_of(options->command, row));
}

/* Returns the first word of a list that holds for the command line: an option that was given, or =WORD if that is the
 * first operand. Returns NULL if none holds. */
static const char *holding(const lm_common *options, const char *list)
{
    char word[64];
    for (; list && *list; list += strspn(list, " ")) {
        const size_t length = strcspn(list, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, list);
        const char *operand = options->operands ? options->operand[0] : "";
        if (*word == '=' ? !strcmp(word + 1, operand) : lm_option_given(options, word)) return list;
        list += length;
    }
    return NULL;
}

/* Writes "--folds or --splits". */
static void list_words(const char *list, char *text, size_t size)
{
    lm_joined joined = lm_joined_begin(text, size);
    for (const char *at = list, *next; *at; at = next) {
        const size_t length = strcspn(at, " ");
        const bool operand = *at == '=';
        next = at + length + strspn(at + length, " ");
        lm_joined_add(&joined, "%s%s%.*s",
                      at == list ? ""
                      : *next    ? ", "
                                 : " or ",
                      operand ? "" : "--", (int)length - operand, at + operand);
    }
}

static leman_status check_effects(leman_context *ctx, const lm_common *options)
{
    const lm_option *row;
    size_t place = 0;
    char words[256] = "";
    for (lm_option_walk walk = {0}; (row = lm_option_next(options->command, &walk)); place++) {
        if (!is_given(options, place)) continue;
        const char *with = holding(options, row->without);
        const bool letter = strlen(row->name) == 1, operand = row->needs && *row->needs == '=';
        if (row->needs && !holding(options, row->needs)) {
            list_words(row->needs, words, sizeof words);
            return MISUSE(ctx, "option '%s%s' has no effect %s%s", letter ? "-" : "--", row->name,
                          operand ? "here, only on " : "without ", words);
        }
        const char *other = with && *with == '=' ? with + 1 : with;
        const int length = with ? (int)strcspn(other, " ") : 0;
        if (with)
            return MISUSE(ctx, "option '%s%s' has no effect %s%.*s", letter ? "-" : "--", row->name,
                          other > with  ? "on "
                          : length == 1 ? "with -"
                                        : "with --",
                          length, other);
    }
    return LEMAN_OK;
}

/* ---- The command line ------------------------------------------------------------------------ */

/* Parses an option. `shown` is the option as typed, for messages. `attached` is its value, or NULL if the value is the
 * next word. */
static leman_status parse_option(parser *p, const lm_option *row, const char *shown, const char *attached)
{
    void *member = (char *)p->options + row->field;
    const size_t place = place_of(p->command, row);
    if (place < 128) p->options->given[place / 64] |= UINT64_C(1) << place % 64;
    if (row->kind == LM_FLAG) {
        if (attached) return MISUSE(p->ctx, "option '%s' takes no value, found '%s'", shown, attached);
        *(bool *)member = true;
        return LEMAN_OK;
    }
    if (row->kind == LM_OPTIONAL && !attached && (p->next == p->end || !lm_is_choice(row->choices, *p->next))) {
        *(const char **)member = row->choices[0];
        return LEMAN_OK;
    }
    if (!attached && p->next == p->end) return MISUSE(p->ctx, "option '%s' needs a value: %s", shown, row->value);
    return lm_value_parse(p->ctx, row, shown, attached ? attached : *p->next++, member);
}

static leman_status parse_long(parser *p, const char *word)
{
    size_t length = strcspn(word + 2, "=");
    const lm_option *row = length > 1 ? lm_option_find(p->command, word + 2, length) : NULL;
    char shown[64];
    if (!row) return unknown_option(p, word + 2, length);
    snprintf(shown, sizeof shown, "--%.*s", (int)length, word + 2);
    return parse_option(p, row, shown, word[2 + length] ? word + 2 + length + 1 : NULL);
}

static leman_status parse_letters(parser *p, const char *word)
{
    leman_status st = LEMAN_OK;
    for (const char *at = word + 1; *at && !st && !p->options->help; at++) {
        const lm_option *row = row_by_letter(p->command, *at);
        const char shown[] = {'-', *at, 0};
        if (!row) return MISUSE(p->ctx, "there is no option '%s'", shown);
        if (row->kind != LM_FLAG) return parse_option(p, row, shown, at[1] ? at + 1 : NULL);
        st = parse_option(p, row, shown, NULL);
    }
    return st;
}

static leman_status parse_operand(parser *p, const char *word)
{
    size_t max = 0;
    while (max < LM_OPERANDS && p->command->operand[max].name) max++;
    if (p->options->operands == max)
        return MISUSE(p->ctx, "too many operands: found '%s', expected only %s%s%s", word,
                      max ? p->command->operand[0].name : "options", max > 1 ? " and " : "",
                      max > 1 ? p->command->operand[1].name : "");
    p->options->operand[p->options->operands++] = word;
    return LEMAN_OK;
}

leman_status lm_options_parse(leman_context *ctx, const lm_command *command, int count, char **arguments,
                              lm_common *options)
{
    bool only_operands = false;
    parser p = {ctx, command, options, arguments, arguments + count};
    memset(options, 0, command->size);
    options->command = command;
    options->seed = leman_settings_default().seed;
    if (command->prepare) command->prepare(options);
    while (p.next < p.end && !options->help) {
        const char *word = *p.next++;
        if (only_operands || word[0] != '-' || !word[1])
            PASS(parse_operand(&p, word));
        else if (!strcmp(word, "--"))
            only_operands = true;
        else if (word[1] == '-')
            PASS(parse_long(&p, word));
        else
            PASS(parse_letters(&p, word));
    }
    if (!options->help && options->operands < command->required)
        return MISUSE(ctx, "%s is missing", command->operand[options->operands].name);
    if (!options->help) PASS(check_effects(ctx, options));
    return LEMAN_OK;
}

void lm_options_free(const lm_command *command, lm_common *options)
{
    const lm_option *row;
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));)
        if (row->kind == LM_RANGES || row->kind == LM_TEXTS)
            lm_vector_release((lm_vector *)((char *)options + row->field));
}
