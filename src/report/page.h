/*
 * Writing HTML and SVG. Markup stands in the format, what varies in the arguments, and every text that is filled in is
 * escaped on its way: there is no second way to write a name, so none can be forgotten. Failed writes are remembered by
 * the output and reported by lm_output_commit(), so nothing here returns a status.
 */
#ifndef LM_PAGE_H
#define LM_PAGE_H

#include "base/file.h"
#include "base/text.h"
#include "base/words.h"

enum { LM_PAGE_COLORS = 8 }; /* classes c0 .. c7 of the style sheet, safe for every kind of colour vision */
/* The style sheet: pieces of CSS, ended by NULL (page_style.c). */
extern const char *const LM_PAGE_STYLE[];

/* A printf of markup: %s, %.*s, %d, %u, %zu, %lld, %llu, %llx, %f, %g and %%, with flags, widths and precisions as
 * usual. Texts are escaped; numbers follow no locale. */
__attribute__((format(printf, 2, 3))) void lm_page(lm_output *out, const char *format, ...);
/* Text of any bytes, escaped for elements and quoted attributes of HTML and XML. Where it is not printable UTF-8
 * throughout, every byte beyond ASCII and every control becomes '?'. */
void lm_page_text(lm_output *out, const char *text, size_t length);
/* Bytes in base64 (RFC 4648), for data: addresses. */
void lm_page_base64(lm_output *out, const unsigned char *bytes, size_t size);

/* Everything from the doctype to the opened <main>; and the end. */
void lm_page_begin(lm_output *out, const char *title, const char *description);
void lm_page_end(lm_output *out);

/* An entry of <dl class="properties">: name, value, and "" or some words behind it. */
void lm_page_property(lm_output *out, const char *name, const char *value, const char *more);
/* The section "How to reproduce" of a page of this version: the command (or NULL) and the head of a table, which gets
 * rows of lm_page_row() and ends with a note. */
void lm_page_reproduce_begin(lm_output *out, const char *command);
void lm_page_row(lm_output *out, const char *name, const char *value);
void lm_page_reproduce_end(lm_output *out, const char *note);

/* Seconds as people read them: "3.2 ms", "4.1 s", "2 min 5 s", "1 h 3 min". */
const char *lm_page_seconds(double seconds, char text[LM_NUMBER_TEXT]);
/* Sentences beside a headline: the 95 % interval of its score (NAN: none), what a constant prediction scores, and
 * whether that is beaten. Accuracies in percent, or errors. */
void lm_page_baseline(lm_output *out, bool classes, double score, double baseline, double low, double high);

/* The name of a method as print has it: "delta-2-LWL+" becomes "δ-2-LWL⁺", "GIN-eps" "GIN-ε". Returns text. */
const char *lm_page_method(const char *name, char *text, size_t size);

#endif
