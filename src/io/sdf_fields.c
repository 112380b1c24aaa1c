/*
 * Data fields of an SDF: "> <NAME>", lines, an empty line. A field that is one number in every molecule becomes a
 * target; this is known at the end, so numbers are kept as (molecule, field, value) until then.
 */
#include "io/sdf.h"
#include <stdio.h>
#include <string.h>

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
    while (name.at < name.end && *name.at == ' ') name.at++;
    return name;
}

/* One more molecule in which the field is there: with a number, or (NULL) with something else. */
static leman_status note_field(lm_sdf *sdf, size_t molecule, const lm_text *name, const double *number)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = sdf->text.ctx;
    size_t known = lm_intern_count(&sdf->fields);
    uint32_t index;
    TRY(lm_intern_add(ctx, &sdf->fields, 0, name->at, (size_t)(name->end - name->at), &index));
    if (index == known) TRY(lm_vector_append(ctx, &sdf->field, &(lm_sdf_field){0}, 1, sizeof(lm_sdf_field)));
    lm_sdf_field *field = (lm_sdf_field *)sdf->field.items + index;
    if (!number || field->count != molecule) field->broken = true; /* also where it is there twice */
    field->count = molecule + 1;
    if (field->broken) goto done;
    lm_sdf_value value = {molecule, index, *number};
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
        if (!lines++) first = line;
        before = sdf->text;
    }
    double number;
    while (lines && first.at < first.end && *first.at == ' ') first.at++;
    bool is_number = lines == 1 && lm_text_is_real(sdf->text.ctx, first.at, (size_t)(first.end - first.at), &number);
    return note_field(sdf, molecule, &name, is_number ? &number : NULL);
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

/* ", 3 is NAME" behind what a list says so far, as long as there is room. */
static void list_name(const lm_sdf *sdf, size_t field, size_t number, char *list, size_t size)
{
    size_t used = strlen(list), length;
    const char *name = lm_intern_text(&sdf->fields, field, &length), *comma = used ? ", " : "";
    if (used + length + 32 > size)
        snprintf(list + used, size - used, "%s", used && list[used - 1] == '.' ? "" : ", ...");
    else if (number)
        snprintf(list + used, size - used, "%s%zu is %.*s", comma, number, (int)length, name);
    else
        snprintf(list + used, size - used, "%s%.*s", comma, (int)length, name);
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
    char kept[512] = "", left_out[512] = "";
    size_t *column, targets = 0, size;
    SCRATCH(ctx, column, fields);
    for (size_t i = 0; i < fields; i++) {
        bool complete = !field[i].broken && field[i].count == raw->graphs;
        column[i] = complete ? targets++ : SIZE_MAX;
        list_name(sdf, i, complete ? targets : 0, complete ? kept : left_out, sizeof kept);
    }
    if (!lm_multiply(raw->graphs, targets, &size)) FAIL(ctx, LEMAN_ERROR_MEMORY, "too many data fields");
    TRY(lm_vector_reserve(ctx, &raw->target, size, sizeof(double)));
    raw->target.count = size;
    raw->columns.targets = targets;
    for (size_t i = 0; i < sdf->value.count; i++)
        if (column[value[i].field] != SIZE_MAX)
            ((double *)raw->target.items)[value[i].molecule * targets + column[value[i].field]] = value[i].value;
    if (targets) lm_log(ctx, "%s: data fields that are targets: %s", raw->name, kept);
    if (targets < fields)
        lm_log(ctx, "%s: data fields that are not a number in every molecule, left out: %s", raw->name, left_out);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
