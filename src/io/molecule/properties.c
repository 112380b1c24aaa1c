/*
 * Properties of molecules: data fields of an SDF, columns of a table. A property whose values are all numbers becomes a
 * target, which is missing for molecules without a value. A property that holds words can become the class. This is
 * known only at the end of the file; until then, values are stored as (molecule, property, value).
 */
#include "io/molecule/properties.h"
#include "base/ascii.h"
#include <stdio.h>
#include <string.h>

enum { NO_WORD = UINT32_MAX };

/* ---- Reading --------------------------------------------------------------------------------- */

bool lm_property_missing(const char *text, size_t length)
{
    static const char *const WORDS[] = {"nan", "na", "n/a", "null", "?"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (lm_is_word(text, length, WORDS[i])) return true;
    return !length;
}

leman_status lm_property_add(lm_properties *p, const char *name, size_t length, uint32_t *number)
{
    const size_t known = lm_intern_count(&p->names);
    PASS(lm_intern_add(p->ctx, &p->names, 0, name, length, number));
    if (*number == known) {
        const lm_property property = {.may_be_class = p->class_column && lm_is_word(name, length, p->class_column)};
        PASS(lm_vector_append(p->ctx, &p->property, &property, 1, sizeof property));
    }
    return LEMAN_OK;
}

/* Returns true for a number with a sign such as > before it, or with a comma in place of the point: ">10", "1,5". */
static bool is_almost_number(leman_context *ctx, const char *text, size_t length, size_t size)
{
    char point[24];
    double value;
    const size_t signs = strspn(text, "<>=~ ");
    if (length >= size || signs >= length) return false;
    snprintf(point, sizeof point, "%s", text + signs);
    char *comma = strchr(point, ',');
    if (comma) *comma = '.';
    return (comma || signs) && lm_text_is_real(ctx, point, strlen(point), &value);
}

/* Returns 1 for a number with > or >= before it, -1 for one with < or <=, and then sets *text and *length to the number
 * alone; otherwise 0. */
static int8_t take_bound(leman_context *ctx, const char **text, size_t *length)
{
    const char *at = *text, *end = at + *length;
    double value;
    if (at == end || (*at != '>' && *at != '<')) return 0;
    const int8_t bound = *at++ == '>' ? 1 : -1;
    if (at < end && *at == '=') at++;
    while (at < end && *at == ' ') at++;
    if (!lm_text_is_real(ctx, at, (size_t)(end - at), &value)) return 0;
    *text = at;
    *length = (size_t)(end - at);
    return bound;
}

leman_status lm_property_value(lm_properties *p, uint32_t number, size_t molecule, const lm_text *text, size_t lines)
{
    const size_t length = (size_t)(text->end - text->at);
    lm_property_cell cell = {.molecule = molecule, .property = number, .word = NO_WORD};
    lm_property *property = (lm_property *)p->property.items + number;
    if (property->seen == molecule + 1) property->twice = true;
    property->seen = molecule + 1;
    if (!lines || (lines == 1 && lm_property_missing(text->at, length))) return LEMAN_OK;
    property->values++;
    if (lines > 1) property->long_text = true;
    const char *number_text = text->at;
    size_t digits = length;
    if (p->censored && lines == 1) cell.bound = take_bound(p->ctx, &number_text, &digits);
    if (!cell.bound && !property->odd_line && lines == 1 && length < sizeof property->odd) {
        memcpy(property->odd, text->at, length);
        property->odd[length] = 0;
        if (is_almost_number(p->ctx, property->odd, length, sizeof property->odd)) property->odd_line = text->line;
    }
    const bool candidate = property->may_be_class && lines == 1;
    if (property->words && !candidate) return LEMAN_OK; /* cannot be a target */
    const bool is_number = lines == 1 && lm_text_is_real(p->ctx, number_text, digits, &cell.value);
    property->words |= !is_number;
    property->bounds += cell.bound != 0;
    if (candidate) {
        if (!lm_text_printable(text->at, length))
            return lm_text_fail(text, "found bytes that are no printable UTF-8 text, expected a class");
        PASS(lm_intern_add(p->ctx, &p->words, number, text->at, length, &cell.word));
    } else if (!is_number) {
        return LEMAN_OK;
    }
    return lm_vector_append(p->ctx, &p->cell, &cell, 1, sizeof cell);
}

void lm_properties_free(lm_properties *p)
{
    lm_intern_free(&p->names);
    lm_intern_free(&p->words);
    lm_vector_release(&p->property);
    lm_vector_release(&p->cell);
}

/* ---- Targets --------------------------------------------------------------------------------- */

enum { LIST = 768 }; /* bytes of a list in the log */

static void list_property(const lm_properties *p, size_t field, size_t column, size_t missing, lm_joined *to)
{
    size_t length;
    const char *name = lm_intern_text(&p->names, field, &length);
    char number[32] = "", without[48] = "";
    if (column != SIZE_MAX) snprintf(number, sizeof number, "%zu is ", column);
    if (missing) snprintf(without, sizeof without, " (missing in %zu)", missing);
    lm_joined_add(to, "%s%s%.*s%s", to->used ? ", " : "", number, (int)length, name, without);
}

static void log_properties(const lm_properties *p, const lm_raw *raw, const size_t *column, size_t fields)
{
    leman_context *ctx = p->ctx;
    const lm_property *field = p->property.items;
    char texts[3][LIST];
    lm_joined targets = lm_joined_begin(texts[0], LIST), words = lm_joined_begin(texts[1], LIST),
              others = lm_joined_begin(texts[2], LIST);
    for (size_t i = 0; i < fields; i++) {
        const bool word = column[i] == SIZE_MAX && field[i].words && !field[i].long_text && !field[i].twice;
        list_property(p, i, column[i], column[i] == SIZE_MAX ? 0 : raw->graphs - field[i].values,
                      column[i] != SIZE_MAX ? &targets
                      : word                ? &words
                                            : &others);
    }
    for (size_t i = 0; i < fields; i++) {
        size_t length;
        const char *name = lm_intern_text(&p->names, i, &length);
        if (field[i].odd_line && field[i].words && !field[i].may_be_class)
            lm_log(ctx, "%s: %s '%.*s' is no target, since '%s' in line %llu is no number%s", raw->name, p->noun,
                   (int)length, name, field[i].odd, (unsigned long long)field[i].odd_line,
                   strchr("<>", *field[i].odd) ? "; leman fit --censored reads it as a bound" : "");
        if (column[i] != SIZE_MAX && field[i].bounds)
            lm_log(ctx, "%s: %zu of %zu values of %s '%.*s' are bounds", raw->name, field[i].bounds, field[i].values,
                   p->noun, (int)length, name);
    }
    if (targets.used) lm_log(ctx, "%s: %ss that are targets, numbered from 0: %s", raw->name, p->noun, targets.text);
    if (words.used)
        lm_log(ctx, "%s: %ss that hold words, of which one may be read as the class: %s", raw->name, p->noun,
               words.text);
    if (others.used)
        lm_log(ctx, "%s: %ss left out, since they are empty, or have several lines or values: %s", raw->name, p->noun,
               others.text);
}

/* Adds the name of a property, with `suffix`, to the names of targets. */
static leman_status add_target_name(const lm_properties *p, lm_raw *raw, size_t field, const char *suffix)
{
    leman_context *ctx = p->ctx;
    SCRATCH_SCOPE(ctx);
    size_t length;
    const char *name = lm_intern_text(&p->names, field, &length);
    char *clean;
    PASS_SCRATCH(ctx, clean, length + strlen(suffix) + 1);
    memcpy(clean, name, length);
    strcpy(clean + length, suffix);
    lm_text_clean(clean, '_');
    return lm_raw_target_name(ctx, raw, clean, strlen(clean));
}

static leman_status make_targets(const lm_properties *p, lm_raw *raw)
{
    leman_context *ctx = p->ctx;
    SCRATCH_SCOPE(ctx);
    const lm_property *field = p->property.items;
    const lm_property_cell *value = p->cell.items;
    const size_t fields = lm_intern_count(&p->names);
    size_t *column, *censoring, targets = 0, size;
    PASS_SCRATCH(ctx, column, fields);
    PASS_SCRATCH(ctx, censoring, fields);
    for (size_t i = 0; i < fields; i++) {
        const bool numbers = field[i].values && !field[i].words && !field[i].twice;
        column[i] = numbers ? targets++ : SIZE_MAX;
        if (numbers) PASS(add_target_name(p, raw, i, ""));
    }
    for (size_t i = 0; i < fields; i++) {
        const bool bounds = column[i] != SIZE_MAX && field[i].bounds;
        censoring[i] = bounds ? targets++ : SIZE_MAX;
        if (bounds) PASS(add_target_name(p, raw, i, " censoring"));
    }
    if (!lm_multiply(raw->graphs, targets, &size)) return lm_fail(ctx, LEMAN_ERROR_MEMORY, "too many data fields");
    PASS(lm_vector_reserve(ctx, &raw->target, size, sizeof(double)));
    double *target = raw->target.items;
    raw->target.count = size;
    raw->columns.targets = targets;
    for (size_t i = 0; i < size; i++) target[i] = lm_missing_target();
    for (size_t i = 0; i < p->cell.count; i++) {
        double *own = target + value[i].molecule * targets;
        if (column[value[i].property] != SIZE_MAX) own[column[value[i].property]] = value[i].value;
        if (censoring[value[i].property] != SIZE_MAX) own[censoring[value[i].property]] = value[i].bound;
    }
    log_properties(p, raw, column, fields);
    return LEMAN_OK;
}

/* ---- The class ------------------------------------------------------------------------------- */

/* Finds the property called class_column: the exact name first, then the only one in any case. UINT32_MAX: none. */
static leman_status find_class_property(const lm_properties *p, uint32_t *out)
{
    const char *name = p->class_column;
    const size_t fields = lm_intern_count(&p->names);
    size_t length, alike = 0;
    if (lm_intern_find(&p->names, 0, name, strlen(name), out)) return LEMAN_OK;
    *out = UINT32_MAX;
    for (size_t i = 0; i < fields; i++) {
        const char *field = lm_intern_text(&p->names, i, &length);
        if (!lm_is_word(field, length, name)) continue;
        *out = (uint32_t)i;
        alike++;
    }
    if (alike < 2) return LEMAN_OK;
    *out = UINT32_MAX;
    if (p->class_optional) return LEMAN_OK;
    return lm_fail(p->ctx, LEMAN_ERROR_INPUT,
                   "%s: found %zu %ss '%s' in several spellings, expected the exact name of one", p->file, alike,
                   p->noun, name);
}

static leman_status no_class_property(const lm_properties *p)
{
    char text[LIST];
    lm_joined all = lm_joined_begin(text, sizeof text);
    for (size_t i = 0; i < lm_intern_count(&p->names); i++) list_property(p, i, SIZE_MAX, 0, &all);
    if (!all.used)
        return lm_fail(p->ctx, LEMAN_ERROR_INPUT, "%s: found no %ss, expected one called '%s'", p->file, p->noun,
                       p->class_column);
    return lm_fail(p->ctx, LEMAN_ERROR_INPUT, "%s: there is no %s '%s', expected one of: %s", p->file, p->noun,
                   p->class_column, all.text);
}

/* Makes the words classes 0, 1, ... in the order of their bytes, with the words as names. */
static leman_status words_as_classes(const lm_properties *p, lm_raw *raw, uint32_t field)
{
    leman_context *ctx = p->ctx;
    SCRATCH_SCOPE(ctx);
    const lm_property_cell *value = p->cell.items;
    AUTO(lm_intern_free) lm_intern words = {0};
    int64_t *class_label, *label;
    uint32_t number;
    char shown[512];
    size_t length, missing = 0;
    PASS(lm_vector_reserve(ctx, &raw->class_label, raw->graphs, sizeof *class_label));
    class_label = raw->class_label.items;
    for (size_t g = 0; g < raw->graphs; g++) class_label[g] = LEMAN_CLASS_MISSING;
    for (size_t i = 0; i < p->cell.count; i++) { /* p->words may also hold those of other spellings */
        if (value[i].property != field) continue;
        const char *text = lm_intern_text(&p->words, value[i].word, &length);
        PASS(lm_intern_add(ctx, &words, 0, text, length, &number));
        class_label[value[i].molecule] = number;
    }
    PASS_SCRATCH(ctx, label, lm_intern_count(&words));
    PASS(lm_word_labels(ctx, &words, label, shown, sizeof shown));
    for (size_t g = 0; g < raw->graphs; g++)
        if (class_label[g] == LEMAN_CLASS_MISSING)
            missing++;
        else
            class_label[g] = label[class_label[g]];
    for (size_t i = 0; i < lm_intern_count(&words); i++) {
        const char *text = lm_intern_text(&words, i, &length);
        PASS(lm_raw_class_name(ctx, raw, label[i], text, length));
    }
    raw->class_label.count = raw->graphs;
    raw->columns.classes = true;
    lm_log(ctx, "%s: the words of %s '%s' are %zu class%s: %s%s", raw->name, p->noun, p->class_column,
           lm_intern_count(&words), lm_plural_of(lm_intern_count(&words), "", "es"), shown,
           missing ? "; some are missing" : "");
    return LEMAN_OK;
}

/* Returns true if a word is in a list with commas, in upper or lower case, or as a number of another spelling. */
static bool is_in_list(leman_context *ctx, const char *text, size_t length, const char *list)
{
    double value, other;
    const bool is_number = lm_text_is_real(ctx, text, length, &value);
    for (const char *at = list; at;) {
        const char *comma = strchr(at, ','), *end = comma ? comma : at + strlen(at);
        const char *first = at;
        at = comma ? comma + 1 : NULL;
        while (first < end && *first == ' ') first++;
        while (end > first && end[-1] == ' ') end--;
        const size_t bytes = (size_t)(end - first);
        if (bytes && bytes == length && lm_same_word(text, first, length)) return true;
        if (is_number && lm_text_is_real(ctx, first, bytes, &other) && !(value < other) && !(value > other))
            return true;
    }
    return false;
}

/* Makes the words of the list class 1 and all others class 0, and logs them with their numbers. */
static leman_status words_as_two_classes(const lm_properties *p, lm_raw *raw, uint32_t field)
{
    leman_context *ctx = p->ctx;
    SCRATCH_SCOPE(ctx);
    const lm_property_cell *value = p->cell.items;
    const size_t words = lm_intern_count(&p->words);
    char text[2][LIST];
    lm_joined list[2] = {lm_joined_begin(text[0], LIST), lm_joined_begin(text[1], LIST)};
    size_t *count, length;
    PASS(lm_vector_reserve(ctx, &raw->class_label, raw->graphs, sizeof(int64_t)));
    int64_t *class_label = raw->class_label.items;
    PASS_SCRATCH_ZERO(ctx, count, words + 1);
    for (size_t g = 0; g < raw->graphs; g++) class_label[g] = LEMAN_CLASS_MISSING;
    for (size_t i = 0; i < p->cell.count; i++) {
        if (value[i].property != field) continue;
        const char *word = lm_intern_text(&p->words, value[i].word, &length);
        class_label[value[i].molecule] = is_in_list(ctx, word, length, p->positive);
        count[value[i].word]++;
    }
    for (size_t i = 0; i < words; i++) {
        const char *word = lm_intern_text(&p->words, i, &length);
        lm_joined *to = list + is_in_list(ctx, word, length, p->positive);
        if (count[i]) lm_joined_add(to, "%s%.*s (%zu)", to->used ? ", " : "", (int)length, word, count[i]);
    }
    if (!list[1].used)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no word of %s in %s '%s', expected some of: %s", p->file,
                       p->positive, p->noun, p->class_column, list[0].text);
    lm_log(ctx, "%s: of %s '%s', class 1 is %s; class 0 is %s", raw->name, p->noun, p->class_column, list[1].text,
           list[0].used ? list[0].text : "nothing");
    raw->class_label.count = raw->graphs;
    raw->columns.classes = true;
    return LEMAN_OK;
}

leman_status lm_properties_finish(const lm_properties *p, lm_raw *raw)
{
    const lm_property *all = p->property.items, *field;
    uint32_t number;
    PASS(make_targets(p, raw));
    if (!raw->graph_name.count) raw->columns.graph_names = false;
    if (!p->class_column) return LEMAN_OK;
    PASS(find_class_property(p, &number));
    if (number == UINT32_MAX) {
        if (p->class_optional) return LEMAN_OK;
        if (p->positive || strspn(p->class_column, "0123456789") < strlen(p->class_column)) PASS(no_class_property(p));
        return LEMAN_OK; /* class_column is the number of a target */
    }
    field = all + number;
    const bool fits = field->values && !field->long_text && !field->twice;
    if (!fits && p->class_optional) return LEMAN_OK;
    if (!fits)
        return lm_fail(p->ctx, LEMAN_ERROR_INPUT, "%s: found %s '%s' %s, expected a class", p->file, p->noun,
                       p->class_column,
                       field->twice       ? "twice in a molecule"
                       : field->long_text ? "with several lines in a molecule"
                                          : "without a value in every molecule");
    if (p->positive) return words_as_two_classes(p, raw, number);
    return field->words ? words_as_classes(p, raw, number) : LEMAN_OK;
}
