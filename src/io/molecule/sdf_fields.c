/* Reads the data fields of an SDF: "> <NAME>", lines, an empty line. properties.c turns them into targets and
 * classes. */
#include "io/molecule/sdf.h"
#include <string.h>

/* Removes blanks at both ends. */
static lm_text trimmed(lm_text text)
{
    while (text.at < text.end && *text.at == ' ') text.at++;
    while (text.end > text.at && text.end[-1] == ' ') text.end--;
    return text;
}

/* Returns NAME of a line "> <NAME>" or "> 25 <NAME> (7)". Without angle brackets, returns the text behind '>'. */
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

/* Reads the lines of one field. *more becomes false if they end with $$$$ or the end of the file. */
static leman_status read_field(lm_sdf *sdf, size_t molecule, const lm_text *header, bool *more)
{
    leman_status st = LEMAN_OK;
    lm_text name = field_name(header), line, first = {0}, before = sdf->text;
    size_t lines = 0;
    uint32_t number;
    while ((*more = lm_sdf_line(sdf, &line) && !lm_sdf_begins(&line, "$$$$"))) {
        if (line.at == line.end) break;
        if (lm_sdf_begins(&line, "> <") || lm_sdf_begins(&line, ">  <")) { /* the empty line is missing */
            sdf->text = before;
            break;
        }
        if (!lines++) first = trimmed(line);
        before = sdf->text;
    }
    TRY(lm_property_add(&sdf->properties, name.at, (size_t)(name.end - name.at), &number));
    TRY(lm_property_value(&sdf->properties, number, molecule, &first, lines));
done:
    return st;
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
