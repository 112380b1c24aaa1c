/*
 * graph6, digraph6 and sparse6: a graph is a line of printable characters. Each character holds six bits, plus 63.
 *
 *   graph6    N(n) R(x)      x: the upper triangle of the adjacency matrix, column after column
 *   digraph6  & N(n) R(x)    x: the whole adjacency matrix, row after row
 *   sparse6   : N(n) R(x)    x: a list of edges (sparse6.c)
 *
 * N(n) is one character for n up to 62, '~' and three up to 258047, '~~' and six up to 2^36 - 1. R(x) packs the bits,
 * the highest first. docs/formats.md has the full description.
 */
#ifndef LM_GRAPH6_H
#define LM_GRAPH6_H

#include "base/text.h"
#include "io/format.h"

enum { LM_SIX_LOWEST = 63, LM_SIX_HIGHEST = 126, LM_SIX_SHORT = 62, LM_SIX_LONG = 258047 };

/* A line whose graph is being added to a builder. `text` ends at the end of that line. */
typedef struct lm_graph6 {
    lm_text text;
    leman_builder *builder;
    bool lines;                           /* store the line of each edge, for error messages of the policy */
    uint64_t max_by_limit, max_by_budget; /* most vertices in total, by max_bytes and by the memory budget */
} lm_graph6;

/* Returns a reader of the lines of `bytes` that adds graphs to the builder; `file` is the name for error messages. */
lm_graph6 lm_graph6_of(leman_context *ctx, const char *file, lm_bytes bytes, const leman_read_options *options,
                       leman_builder *builder);
/* Adds the graph in the line g->text, in any of the three formats, to the builder. Fails with LEMAN_ERROR_INPUT if the
 * line is malformed. O(characters + n). */
leman_status lm_graph6_line(lm_graph6 *g);

/* Reads a file line by line with `next` and makes its data set. `expected` is what a file without graphs lacks, for the
 * message; a header counts as graphs. */
typedef leman_status lm_graph6_reader(lm_graph6 *g, lm_text *text, bool *header);
leman_status lm_graph6_file(leman_context *ctx, const char *path, const lm_bytes *bytes,
                            const leman_read_options *options, leman_cleaning *cleaning, lm_graph6_reader *next,
                            const char *expected, leman_dataset **out);
/* Reads the line at *text, with or without a graph6 header, and moves *text to the next line. Sets *header to true if
 * the line has a header; otherwise *header stays as it is. A line with only a header adds no graph. */
leman_status lm_graph6_next(lm_graph6 *g, lm_text *text, bool *header);

/* Begins the next graph, with n vertices. Fails with LEMAN_ERROR_INPUT or LEMAN_ERROR_BUDGET if the total number of
 * vertices exceeds max_by_limit or max_by_budget. */
leman_status lm_graph6_begin(lm_graph6 *g, uint64_t n);
/* Adds the edge {u, v} in both directions; a self-loop is added once. */
leman_status lm_graph6_edge(lm_graph6 *g, uint64_t u, uint64_t v);
/* Adds the graph of a sparse6 line; g->text must be positioned behind N(n). O(n + edges). */
leman_status lm_sparse6_body(lm_graph6 *g, uint64_t n);

/* The bits of a text. Initialise `at` and `left`, and the other members with zero. */
typedef struct lm_bits {
    const char *at;
    unsigned value, held; /* the last character of the text and how many of its bits are unused */
    uint64_t left;        /* number of unread bits, including the `held` ones */
} lm_bits;

/* Returns the next `count` bits, the first of them as the highest. There must be so many. */
uint64_t lm_bits_read(lm_bits *bits, unsigned count);

lm_format_writer lm_graph6_write, lm_sparse6_write;
/* Packs bits into characters. Initialise all members but `out` with zero. */
typedef struct lm_six {
    lm_output *out;
    unsigned value, filled;
} lm_six;

/* Writes the lowest `count` bits of value, the highest of them first. */
void lm_six_put(lm_six *six, uint64_t value, unsigned count);
/* Writes N(n). */
void lm_six_size(lm_six *six, uint64_t n);
/* Writes every graph as a line with `write`. Logs which columns of data the format cannot hold. */
leman_status lm_six_write(leman_context *ctx, const leman_dataset *data, lm_output *out, const char *format,
                          void (*write)(lm_six *six, const leman_graph *g));

#endif
