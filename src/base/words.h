/* Text for people: counts such as 96,531, and words broken into lines that fit a terminal. */
#ifndef LM_WORDS_H
#define LM_WORDS_H

#include "base/file.h"
#include "base/strings.h"

enum { LM_TEXT_WIDTH = 79 };

/* Writes "96,531", or "over 10^19" for UINT64_MAX, to text[LM_NUMBER_TEXT]. Returns text. */
const char *lm_count_text(uint64_t value, char *text);

leman_status lm_write_text(lm_output *out, const char *text);
leman_status lm_write_blanks(lm_output *out, size_t count);
/* Writes the words of text in lines of at most LM_TEXT_WIDTH columns, and a newline. The first line begins at `column`;
 * every other line begins with `indent` blanks. An empty line in the text begins a paragraph. */
leman_status lm_write_wrapped(lm_output *out, const char *text, size_t indent, size_t column);

#endif
