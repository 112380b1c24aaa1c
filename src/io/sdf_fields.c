/*
 * Data fields of an SDF: "> <NAME>", lines, an empty line. A field whose values are numbers becomes a target, missing
 * where a molecule does not have it; one that holds words can become the class. Which it is, is known at the end, so
 * values are kept as (molecule, field, value) until then.
 */
#include "io/sdf.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NO_WORD = UINT32_MAX };

/* ---- Reading --------------------------------------------------------------------------------- */

/* Blanks at both ends left out. */
static lm_text trimmed(lm_text text)
{
    while (text.at < text.end && *text.at == ' ') text.at++;
    while (text.end > text.at && text.end[-1] == ' ') text.end--;
    return text;
}

/* NAME of a line "> <NAME>" or "> 25 <NAME> (7)"; what stands behind '>' where there are no angles. */
static lm_text field_name(const lm_text *line)
{
    lm_text name = *line;
    size_t length = (size_t)(line->end - line->at);
    const char *open = memchr(line->at, '<', length), *close = memrchr(line->at + 1, '>', length - 1);
    name.at++;
    if (open && close && open < close) {
        name.at = open + 1;
        name.end = close;
    }
    return trimmed(name);
}

static bool is_called(const lm_text *text, const char *name)
{
    size_t length = (size_t)(text->end - text->at);
    return strlen(name) == length && !strncasecmp(text->at, name, length);
}

/* Nothing, or one of the words that tables write for it. */
static bool is_missing(const lm_text *value)
{
    return value->at == value->end || is_called(value, "nan") || is_called(value, "na") || is_called(value, "n/a");
}

/* One more molecule that has the field: with a number, a word, something longer, or nothing. */
static leman_status note_field(lm_sdf *sdf, size_t molecule, const lm_text *name, const lm_text *text, size_t lines)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = sdf->text.ctx;
    const size_t known = lm_intern_count(&sdf->fields), length = (size_t)(text->end - text->at);
    lm_sdf_value value = {.molecule = molecule, .word = NO_WORD};
    TRY(lm_intern_add(ctx, &sdf->fields, 0, name->at, (size_t)(name->end - name->at), &value.field));
    if (value.field == known) TRY(lm_vector_append(ctx, &sdf->field, &(lm_sdf_field){0}, 1, sizeof(lm_sdf_field)));
    lm_sdf_field *field = (lm_sdf_field *)sdf->field.items + value.field;
    if (field->seen == molecule + 1) field->twice = true;
    field->seen = molecule + 1;
    if (!lines || (lines == 1 && is_missing(text))) goto done;
    field->values++;
    if (lines > 1) field->long_text = true;
    const bool number = lines == 1 && lm_text_is_real(ctx, text->at, length, &value.value);
    field->words |= !number;
    if (sdf->class_column && is_called(name, sdf->class_column) && lines == 1) {
        if (!lm_text_printable(text->at, length))
            TRY(lm_text_fail(text, "found bytes that are no printable UTF-8 text, expected a class"));
        TRY(lm_intern_add(ctx, &sdf->words, value.field, text->at, length, &value.word));
    } else if (!number) {
        goto done;
    }
    TRY(lm_vector_append(ctx, &sdf->value, &value, 1, sizeof value));
done:
    return st;
}

/* The lines of one field; *more is false when they ended in $$$$ or the file. */
static leman_status read_field(lm_sdf *sdf, size_t molecule, const lm_text *header, bool *more)
{
    lm_text name = field_name(header), line, first = {0}, before = sdf->text;
    size_t lines = 0;
    while ((*more = lm_sdf_line(sdf, &line) && !lm_sdf_begins(&line, "$$$$"))) {
        if (line.at == line.end) break;
        if (lm_sdf_begins(&line, "> <") || lm_sdf_begins(&line, ">  <")) { /* the empty line is missing */
            sdf->text = before;
            break;
        }
        if (!lines++) first = trimmed(line);
        before = sdf->text;
    }
    return note_field(sdf, molecule, &name, &first, lines);
}

leman_status lm_sdf_read_fields(lm_sdf *sdf, size_t molecule)
{
    leman_status st = LEMAN_OK;
    lm_text line;
    bool more = true;
    while (more && lm_sdf_line(sdf, &line) && !lm_sdf_begins(&line, "$$$$")) {
        if (line.at == line.end) continue;
        if (*line.at != '>') TRY(lm_text_expected(&line, "a data field, '> <NAME>', or '$$$$'"));
        TRY(read_field(sdf, molecule, &line, &more));
    }
done:
    return st;
}

/* ---- What becomes of them -------------------------------------------------------------------- */

/* A list for the log, as long as there is room. */
typedef struct list {
    char text[768];
    size_t used;
    bool cut;
} list;

static void list_field(const lm_sdf *sdf, size_t field, size_t column, size_t missing, list *to)
{
    size_t length;
    const char *name = lm_intern_text(&sdf->fields, field, &length), *comma = to->used ? ", " : "";
    char number[32] = "", without[48] = "";
    if (column != SIZE_MAX) snprintf(number, sizeof number, "%zu is ", column);
    if (missing) snprintf(without, sizeof without, " (missing in %zu)", missing);
    if (to->cut) return;
    to->cut = to->used + length + sizeof number + sizeof without + 8 > sizeof to->text;
    char *end = to->text + to->used;
    const size_t room = sizeof to->text - to->used;
    to->used += (size_t)(to->cut ? snprintf(end, room, ", ...")
                                 : snprintf(end, room, "%s%s%.*s%s", comma, number, (int)length, name, without));
}

static void log_fields(const lm_sdf *sdf, const size_t *column, size_t fields)
{
    leman_context *ctx = sdf->text.ctx;
    const lm_raw *raw = lm_builder_raw(sdf->builder);
    const lm_sdf_field *field = sdf->field.items;
    list targets = {0}, words = {0}, others = {0};
    for (size_t i = 0; i < fields; i++) {
        const bool word = column[i] == SIZE_MAX && field[i].words && !field[i].long_text && !field[i].twice;
        list_field(sdf, i, column[i], column[i] == SIZE_MAX ? 0 : raw->graphs - field[i].values,
                   column[i] != SIZE_MAX ? &targets
                   : word                ? &words
                                         : &others);
    }
    if (targets.used) lm_log(ctx, "%s: data fields that are targets, numbered from 0: %s", raw->name, targets.text);
    if (words.used)
        lm_log(ctx, "%s: data fields that hold words, of which one may be read as the class: %s", raw->name,
               words.text);
    if (others.used)
        lm_log(ctx, "%s: data fields left out, since they are empty, or have several lines or values: %s", raw->name,
               others.text);
}

static leman_status add_target_name(lm_sdf *sdf, size_t field)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = sdf->text.ctx;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    size_t length;
    const char *name = lm_intern_text(&sdf->fields, field, &length);
    char *clean;
    SCRATCH(ctx, clean, length + 1);
    memcpy(clean, name, length);
    clean[length] = 0;
    lm_text_clean(clean, '_');
    TRY(lm_raw_target_name(ctx, lm_builder_raw(sdf->builder), clean, strlen(clean)));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status lm_sdf_targets(lm_sdf *sdf)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = sdf->text.ctx;
    lm_raw *raw = lm_builder_raw(sdf->builder);
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    const lm_sdf_field *field = sdf->field.items;
    const lm_sdf_value *value = sdf->value.items;
    const size_t fields = lm_intern_count(&sdf->fields);
    size_t *column, targets = 0, size;
    SCRATCH(ctx, column, fields);
    for (size_t i = 0; i < fields; i++) {
        const bool numbers = field[i].values && !field[i].words && !field[i].twice;
        column[i] = numbers ? targets++ : SIZE_MAX;
        if (numbers) TRY(add_target_name(sdf, i));
    }
    if (!lm_multiply(raw->graphs, targets, &size)) FAIL(ctx, LEMAN_ERROR_MEMORY, "too many data fields");
    TRY(lm_vector_reserve(ctx, &raw->target, size, sizeof(double)));
    double *target = raw->target.items;
    raw->target.count = size;
    raw->columns.targets = targets;
    for (size_t i = 0; i < size; i++) target[i] = lm_missing_target();
    for (size_t i = 0; i < sdf->value.count; i++)
        if (column[value[i].field] != SIZE_MAX)
            target[value[i].molecule * targets + column[value[i].field]] = value[i].value;
    log_fields(sdf, column, fields);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* ---- The class ------------------------------------------------------------------------------- */

/* The field that class_column names: exactly, else the only one in any case; UINT32_MAX: none. */
static leman_status find_class_field(const lm_sdf *sdf, uint32_t *out)
{
    const char *name = sdf->class_column;
    const size_t fields = lm_intern_count(&sdf->fields);
    size_t length, alike = 0;
    if (lm_intern_find(&sdf->fields, 0, name, strlen(name), out)) return LEMAN_OK;
    *out = UINT32_MAX;
    for (size_t i = 0; i < fields; i++) {
        const char *field = lm_intern_text(&sdf->fields, i, &length);
        if (length != strlen(name) || strncasecmp(field, name, length)) continue;
        *out = (uint32_t)i;
        alike++;
    }
    if (alike < 2) return LEMAN_OK;
    return lm_fail(sdf->text.ctx, LEMAN_ERROR_INPUT,
                   "%s: found %zu data fields '%s' in several spellings, expected the exact name of one",
                   sdf->text.file, alike, name);
}

static leman_status no_class_field(const lm_sdf *sdf)
{
    list all = {0};
    for (size_t i = 0; i < lm_intern_count(&sdf->fields); i++) list_field(sdf, i, SIZE_MAX, 0, &all);
    if (!all.used)
        return lm_fail(sdf->text.ctx, LEMAN_ERROR_INPUT, "%s: found no data fields, expected one called '%s'",
                       sdf->text.file, sdf->class_column);
    return lm_fail(sdf->text.ctx, LEMAN_ERROR_INPUT, "%s: there is no data field '%s', expected one of: %s",
                   sdf->text.file, sdf->class_column, all.text);
}

/* Words as classes 0, 1, ... in the order of their bytes, with their names. */
static leman_status words_as_classes(lm_sdf *sdf, uint32_t field)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = sdf->text.ctx;
    lm_raw *raw = lm_builder_raw(sdf->builder);
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    const lm_sdf_value *value = sdf->value.items;
    lm_intern words = {0};
    int64_t *class_label, *label;
    uint32_t number;
    char shown[512];
    size_t length, missing = 0;
    TRY(lm_vector_reserve(ctx, &raw->class_label, raw->graphs, sizeof *class_label));
    class_label = raw->class_label.items;
    for (size_t g = 0; g < raw->graphs; g++) class_label[g] = LEMAN_CLASS_MISSING;
    for (size_t i = 0; i < sdf->value.count; i++) { /* sdf->words may also hold those of a field in another spelling */
        if (value[i].field != field) continue;
        const char *text = lm_intern_text(&sdf->words, value[i].word, &length);
        TRY(lm_intern_add(ctx, &words, 0, text, length, &number));
        class_label[value[i].molecule] = number;
    }
    SCRATCH(ctx, label, lm_intern_count(&words));
    TRY(lm_word_labels(ctx, &words, label, shown, sizeof shown));
    for (size_t g = 0; g < raw->graphs; g++)
        if (class_label[g] == LEMAN_CLASS_MISSING)
            missing++;
        else
            class_label[g] = label[class_label[g]];
    for (size_t i = 0; i < lm_intern_count(&words); i++) {
        const char *text = lm_intern_text(&words, i, &length);
        TRY(lm_raw_class_name(ctx, raw, label[i], text, length));
    }
    raw->class_label.count = raw->graphs;
    raw->columns.classes = true;
    lm_log(ctx, "%s: the words of data field '%s' are %zu class%s: %s%s", raw->name, sdf->class_column,
           lm_intern_count(&words), lm_plural_of(lm_intern_count(&words), "", "es"), shown,
           missing ? "; some are missing" : "");
done:
    lm_intern_free(ctx, &words);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status lm_sdf_classes(lm_sdf *sdf)
{
    leman_status st = LEMAN_OK;
    const lm_sdf_field *all = sdf->field.items, *field;
    uint32_t number;
    if (!sdf->class_column) return LEMAN_OK;
    TRY(find_class_field(sdf, &number));
    if (number == UINT32_MAX) {
        if (strspn(sdf->class_column, "0123456789") < strlen(sdf->class_column)) TRY(no_class_field(sdf));
        goto done; /* the number of a target */
    }
    field = all + number;
    if (!field->values || field->long_text || field->twice)
        FAIL(sdf->text.ctx, LEMAN_ERROR_INPUT, "%s: found data field '%s' %s, expected a class", sdf->text.file,
             sdf->class_column,
             field->twice       ? "twice in a molecule"
             : field->long_text ? "with several lines in a molecule"
                                : "without a value in every molecule");
    if (field->words) TRY(words_as_classes(sdf, number));
done:
    return st;
}
