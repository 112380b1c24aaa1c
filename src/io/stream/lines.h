/* The text of the lines that graphs were read from, one for each graph of a slice. Zero-initialise; lm_lines_release(). */
#ifndef LM_LINES_H
#define LM_LINES_H

#include "base/context.h"

typedef struct lm_lines {
    lm_vector text; /* char: all lines, without their ends */
    lm_vector end;  /* uint64_t: where each line ends in the text */
} lm_lines;

/* Appends the line [at, end), without a carriage return at its end. */
static inline leman_status lm_lines_add(leman_context *ctx, lm_lines *lines, const char *at, const char *end)
{
    if (end > at && end[-1] == '\r') end--;
    PASS(lm_vector_append(ctx, &lines->text, at, (size_t)(end - at), 1));
    const uint64_t place = lines->text.count;
    return lm_vector_append(ctx, &lines->end, &place, 1, sizeof place);
}

/* Returns line number i, and sets *length. */
static inline const char *lm_lines_get(const lm_lines *lines, size_t i, size_t *length)
{
    const uint64_t *end = lines->end.items, first = i ? end[i - 1] : 0;
    *length = (size_t)(end[i] - first);
    return (const char *)lines->text.items + first;
}

static inline void lm_lines_release(lm_lines *lines)
{
    lm_vector_release(&lines->text);
    lm_vector_release(&lines->end);
}

#endif
