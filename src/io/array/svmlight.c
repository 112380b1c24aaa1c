/* Reads svmlight files line by line. */
#include "io/array/svmlight.h"
#include "io/archive/gzip.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_INDEX = UINT32_MAX - 1, MANY = 1 << 14 /* entries between two checks of cancellation */ };

void lm_svmlight_rows_free(lm_svmlight_rows *rows)
{
    lm_vector_release(&rows->end);
    lm_vector_release(&rows->index);
    lm_vector_release(&rows->value);
    lm_vector_release(&rows->label);
}

/* ---- One line -------------------------------------------------------------------------------- */

/* Returns the next character that is not a blank; 0 at the end of the line. */
static char look(lm_text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t' || *text->at == '\r')) text->at++;
    return text->at == text->end || *text->at == '\n' || *text->at == '#' ? 0 : *text->at;
}

static leman_status read_label(lm_text *text, double *label)
{
    if (look(text) == ',') return lm_text_expected(text, "the label of a row, a number");
    if (lm_text_missing(text)) {
        *label = (double)NAN;
        return LEMAN_OK;
    }
    return lm_text_real(text, "the label of a row, a number", label);
}

static leman_status read_index(lm_text *text, uint32_t *index)
{
    const char *p = text->at;
    uint64_t number = 0;
    for (; p < text->end && *p >= '0' && *p <= '9' && number <= MAX_INDEX; p++)
        number = number * 10 + (uint64_t)(*p - '0');
    if (text->end - text->at >= 4 && !memcmp(text->at, "qid:", 4))
        return lm_text_fail(text, "found qid, a row of a ranking, expected index:value");
    if (number > MAX_INDEX) return lm_text_expected(text, "an index below 2^32 - 1");
    if (p == text->at || p == text->end || *p != ':') return lm_text_expected(text, "index:value");
    text->at = p + 1;
    *index = (uint32_t)number;
    return LEMAN_OK;
}

/* Reads the entries of a row behind its label. */
static leman_status read_entries(lm_text *text, lm_svmlight_rows *rows)
{
    leman_context *ctx = text->ctx;
    uint32_t index, last = 0;
    double value, squares = 0;
    const size_t before = rows->index.count;
    for (bool first = true; look(text); first = false) {
        PASS(read_index(text, &index));
        if (!first && index <= last)
            return lm_text_fail(text, "found index %u behind %u, expected increasing ones", index, last);
        if (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
            return lm_text_fail(text, "found no value behind index %u", index);
        PASS(lm_text_real(text, "a value, which is a finite number", &value));
        last = index;
        if (value == 0) continue;
        squares += value * value;
        PASS(lm_vector_append(ctx, &rows->index, &index, 1, sizeof index));
        PASS(lm_vector_append(ctx, &rows->value, &value, 1, sizeof value));
        if (rows->index.count % MANY == 0) PASS(lm_progress_step(ctx, ctx->progress.done));
    }
    if (rows->index.count > before && !(squares >= DBL_MIN && squares <= DBL_MAX))
        return lm_text_fail(text, "found values whose squares add up to %g, expected a sum between 1e-307 and 1e308",
                            squares);
    return LEMAN_OK;
}

leman_status lm_svmlight_line(lm_text *text, lm_svmlight_rows *rows)
{
    double label;
    if (look(text)) {
        PASS(read_label(text, &label));
        PASS(read_entries(text, rows));
        const uint64_t end = rows->index.count;
        PASS(lm_vector_append(text->ctx, &rows->label, &label, 1, sizeof label));
        PASS(lm_vector_append(text->ctx, &rows->end, &end, 1, sizeof end));
    }
    const char *next = text->at < text->end ? memchr(text->at, '\n', (size_t)(text->end - text->at)) : NULL;
    text->at = next ? next + 1 : text->end;
    text->line += next != NULL;
    return LEMAN_OK;
}

/* ---- Files ----------------------------------------------------------------------------------- */

bool lm_svmlight_is(const char *path)
{
    return lm_gzip_ends(path, ".svm") || lm_gzip_ends(path, ".svmlight") || lm_gzip_ends(path, ".libsvm");
}

/* Sets r->text to the lines in the window; `line` is the number of the first line. */
static void set_text(lm_svmlight *r, size_t line)
{
    const char *items = r->window.text.items;
    const size_t size = r->window.ended ? r->window.text.count : r->window.whole;
    if (line == 1)
        r->text = lm_text_of(r->ctx, r->input.path, (lm_bytes){.data = items, .size = size});
    else
        r->text = (lm_text){r->ctx, r->input.path, items, items + size, line};
}

leman_status lm_svmlight_open(leman_context *ctx, const char *path, size_t window, lm_svmlight *r)
{
    *r = (lm_svmlight){.ctx = ctx};
    PASS(lm_input_open(ctx, path, &r->input));
    PASS(lm_window_open(ctx, &r->input, window, UINT64_MAX, &r->window));
    PASS(lm_window_pass_comments(&r->window, true));
    if (!r->window.ended && !r->window.whole) PASS(lm_window_next(&r->window));
    lm_progress_begin(ctx, r->input.size, "reading %s", r->input.path);
    set_text(r, 1 + r->window.lines);
    return LEMAN_OK;
}

leman_status lm_svmlight_next(lm_svmlight *r, size_t entries, lm_svmlight_rows *rows)
{
    rows->end.count = rows->index.count = rows->value.count = rows->label.count = 0;
    while (rows->index.count + rows->end.count <= entries) {
        if (r->text.at == r->text.end) {
            PASS(lm_progress_step(r->ctx, r->window.bytes));
            if (r->window.ended) break;
            PASS(lm_window_next(&r->window));
            set_text(r, r->text.line);
            if (r->text.at == r->text.end && r->window.ended) break;
            continue;
        }
        PASS(lm_svmlight_line(&r->text, rows));
    }
    return LEMAN_OK;
}

void lm_svmlight_close(lm_svmlight *r)
{
    lm_window_close(&r->window);
    lm_input_close(&r->input);
}
