/*
 * Two files that this library adds to the TU format. NAME_target_names.txt has the name of target i on line i; an empty
 * line means no name. NAME_class_names.txt has lines "class, name". A name is the rest of its line without the blanks
 * at both ends.
 */
#include "io/tu.h"
#include <string.h>

/* Reads the rest of the line without the blanks at both ends, and moves to the next line. */
static leman_status rest_of_line(lm_text *text, const char **name, size_t *length)
{
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    const char *first = text->at, *last = newline ? newline : text->end;
    while (first < last && (*first == ' ' || *first == '\t')) first++;
    while (first < last && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r')) last--;
    if (!lm_text_printable(first, (size_t)(last - first)))
        return lm_text_fail(text, "found bytes that are no printable UTF-8 text, expected a name");
    *name = first;
    *length = (size_t)(last - first);
    text->at = newline ? newline + 1 : text->end;
    text->line += newline != NULL;
    return LEMAN_OK;
}

leman_status lm_tu_read_target_names(lm_text *text, lm_raw *raw)
{
    leman_status st = LEMAN_OK;
    const char *name;
    size_t length;
    for (size_t i = 0; i < raw->columns.targets; i++) {
        if (text->at == text->end)
            TRY(lm_text_fail(text, "found the end of the file, expected the names of %zu target%s, one a line",
                             raw->columns.targets, lm_plural(raw->columns.targets)));
        TRY(rest_of_line(text, &name, &length));
        TRY(lm_raw_target_name(text->ctx, raw, name, length));
    }
    if (!lm_text_end(text)) TRY(lm_text_expected(text, "the end of the file: all targets have their names"));
done:
    return st;
}

leman_status lm_tu_read_class_names(lm_text *text, lm_raw *raw)
{
    leman_status st = LEMAN_OK;
    const char *name;
    size_t length;
    while (!lm_text_end(text)) {
        int64_t class_label;
        TRY(lm_text_integer(text, "a class (an integer)", &class_label));
        TRY(lm_text_comma(text));
        TRY(rest_of_line(text, &name, &length));
        TRY(lm_raw_class_name(text->ctx, raw, class_label, name, length));
    }
done:
    return st;
}
