/*
 * Writes HTML and SVG. Markup stands in the format, and values in the arguments; every text argument is escaped. This
 * is the only way to write a text, so escaping cannot be forgotten. The output remembers a failed write, and
 * lm_output_commit() reports it, so nothing here returns a status.
 */
#ifndef LM_PAGE_H
#define LM_PAGE_H

#include "base/file.h"
#include "base/text.h"
#include "base/words.h"

enum { LM_PAGE_COLORS = 8 }; /* classes c0 .. c7 of the style sheet, distinguishable by every colour vision */
/* Style sheets: page.css, molecule.css and explanation.css, which CMake turns into strings. */
extern const char LM_PAGE_STYLE[], LM_MOLECULE_STYLE[], LM_EXPLANATION_STYLE[];

/* Writes markup like printf, with %s, %.*s, %d, %u, %zu, %lu, %lx, %lld, %llu, %llx, %f, %g and %%, and the usual flags, widths
 * and precisions. Texts are escaped; numbers do not depend on the locale. */
__attribute__((format(printf, 2, 3))) void lm_page(lm_output *out, const char *format, ...);
/* Writes text, escaped for elements and quoted attributes of HTML and XML. If the text is not printable UTF-8, every
 * byte beyond ASCII and every control character but the newline becomes '?'. */
void lm_page_text(lm_output *out, const char *text, size_t length);
/* Writes bytes in base64 (RFC 4648), for data: addresses. */
void lm_page_base64(lm_output *out, const unsigned char *bytes, size_t size);

/* Writes the beginning of a page, from the doctype to the opening <main>. */
void lm_page_begin(lm_output *out, const char *title, const char *description);
void lm_page_end(lm_output *out);

/* Writes an entry of <dl class="properties">: name, value (format as for lm_page()), and `more` behind it, which may be
 * "". */
__attribute__((format(printf, 4, 5))) void lm_page_property(lm_output *out, const char *name, const char *more,
                                                            const char *format, ...);
/* Writes the cells of a row of column headings, which are separated by '|' in `titles`. */
void lm_page_columns(lm_output *out, const char *titles);
/* Begins the section "How to reproduce": the command (or NULL), and a table with the version. The caller adds rows with
 * lm_page_row() and calls lm_page_reproduce_end() with a note. */
void lm_page_reproduce_begin(lm_output *out, const char *command);
__attribute__((format(printf, 3, 4))) void lm_page_row(lm_output *out, const char *name, const char *format, ...);
void lm_page_reproduce_end(lm_output *out, const char *note);

/* Writes a time for readers: "4 ms", "4.1 s", "2 min 5 s", "1 h 3 min". Returns text. */
const char *lm_page_seconds(double seconds, char text[LM_NUMBER_TEXT]);
/* Writes the sentences behind a headline: the 95 % interval [low, high] of the score (NAN: none), and the score
 * `baseline` of a constant prediction (NAN: none). A remark follows if the score is no better than the baseline, or if
 * the baseline lies inside the interval. classes: scores are accuracies in percent, otherwise errors. */
void lm_page_baseline(lm_output *out, bool classes, double score, double baseline, double low, double high);

/* Writes the name of a method as it is printed: "delta-2-LWL+" becomes "δ-2-LWL⁺", "GIN-eps" becomes "GIN-ε". Returns
 * text. */
const char *lm_page_method(const char *name, char *text, size_t size);

#endif
