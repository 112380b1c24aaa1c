/*
 * graph6, digraph6 and sparse6: a graph is a line of printable characters, six bits each, plus 63.
 *
 *   graph6    N(n) R(x)      x: the upper triangle of the adjacency matrix, column after column
 *   digraph6  & N(n) R(x)    x: the whole adjacency matrix, row after row
 *   sparse6   : N(n) R(x)    x: a list of edges (sparse6.c)
 *
 * N(n) is one character up to 62, '~' and three up to 258047, '~~' and six up to 2^36 - 1. R(x) packs bits, the
 * highest first. docs/formats.md has the whole of it.
 */
#ifndef LM_GRAPH6_H
#define LM_GRAPH6_H

#include "base/text.h"
#include "io/format.h"

enum { LM_SIX_LOWEST = 63, LM_SIX_HIGHEST = 126, LM_SIX_SHORT = 62, LM_SIX_LONG = 258047 };

/* One line that is being added to a builder. text runs to the end of the line only. */
typedef struct lm_graph6 {
    lm_text text;
    leman_builder *builder;
    bool lines;                           /* keep the line of each edge, for the policy's sentences */
    uint64_t max_by_limit, max_by_budget; /* vertices in all: of the options' max_bytes, of the memory budget */
} lm_graph6;

lm_graph6 lm_graph6_of(leman_context *ctx, const char *file, lm_bytes bytes, const leman_read_options *options,
                       leman_builder *builder);
/* The line at g->text, whichever of the three it is, becomes the next graph of the builder. O(characters + n). */
leman_status lm_graph6_line(lm_graph6 *g);

/* The line at *text, which it steps behind; *header becomes true where that is one. */
leman_status lm_graph6_next(lm_graph6 *g, lm_text *text, bool *header);

/* Steps of it: the next graph with n vertices, refused where memory for them would be out of proportion; an edge, both
 * ways; and the body of a sparse6 line behind N(n). */
leman_status lm_graph6_begin(lm_graph6 *g, uint64_t n);
leman_status lm_graph6_edge(lm_graph6 *g, uint64_t u, uint64_t v);
leman_status lm_sparse6_body(lm_graph6 *g, uint64_t n);

/* Writing: bits gather to characters. Zero-initialise all but out. */
typedef struct lm_six {
    lm_output *out;
    unsigned value, filled;
} lm_six;

/* The lowest `count` bits of value, the highest of them first. */
void lm_six_put(lm_six *six, uint64_t value, unsigned count);
/* N(n). */
void lm_six_size(lm_six *six, uint64_t n);
/* Every graph as a line, by write; what the format cannot hold is logged. */
leman_status lm_six_write(leman_context *ctx, const leman_dataset *data, lm_output *out, const char *format,
                          void (*write)(lm_six *six, const leman_graph *g));

#endif
