/*
 * Reads the graphs of a file or pipe in slices. Large .leman files (graph/binary_slices.c) and large text with a graph
 * on each line are read slice by slice. Every other input is read at once, as one slice.
 *
 * The class of a graph in a slice is its number in the input, which shows what graphs the policy removed. The names,
 * classes and targets of all graphs are available at the end.
 */
#ifndef LM_STREAM_H
#define LM_STREAM_H

#include "io/molecule/smiles_table.h"
#include "io/stream/lines.h"
#include "io/stream/window.h"

struct leman_stream {
    leman_context *ctx;
    char *path, *name;
    const char *shown; /* the path in messages */
    leman_read_options options;
    leman_policy policy;
    leman_cleaning cleaning; /* sum over all slices that were read */
    lm_stream_kind kind;
    leman_format format;
    size_t limit;  /* size of a slice in bytes */
    size_t graphs; /* number of graphs that were read, before the policy */
    size_t handed; /* number of graphs that were returned, after the policy */
    bool ended;
    leman_dataset *slice; /* the slice that was returned last */
    leman_dataset *labels;
    lm_vector kept; /* int64_t: numbers of the graphs that the policy kept; empty while it has kept all */

    bool by_lines;  /* every input with a graph on each line is read in slices, and their lines are kept */
    lm_lines lines; /* of the slice, one for each graph that was read; by_lines only */
    lm_vector head; /* char: what comes before the line of the first graph; by_lines only */

    bool by_rows;         /* rows of molecules are kept, of a slice at a time, and there are no labels of SMILES */
    leman_rows *rows;     /* of an input that is read at once; by_rows only */
    uint64_t rows_before; /* number of rows before those of the slice */

    lm_input input;
    lm_window window;
    lm_binary_slices binary;
    lm_smiles_reader smiles;
    lm_text text;           /* for graph6 */
    leman_builder *builder; /* names, classes and targets of SMILES */
};

/* Like leman_stream_open(), with slices of `limit` bytes. */
leman_status lm_stream_open(leman_context *ctx, const char *path, const leman_read_options *options, size_t limit,
                            leman_stream **out);

/* Like leman_stream_open(). by_lines: inputs with a graph on each line are read in slices whatever their size, and their
 * lines are kept; otherwise every input is read at once. */
leman_status lm_stream_open_lines(leman_context *ctx, const char *path, const leman_read_options *options,
                                  bool by_lines, leman_stream **out);
/* Returns true if the stream keeps lines. */
bool lm_stream_has_lines(const leman_stream *stream);
/* Returns the line of graph number i of the current slice, and sets *length; the line has no end. */
const char *lm_stream_line(const leman_stream *stream, size_t i, size_t *length);
/* Returns the text before the line of the first graph, such as the header of a table, with the ends of its lines. */
const char *lm_stream_head(const leman_stream *stream, size_t *length);

/* Like leman_stream_open(). Of a file of molecules the rows of a slice are kept instead of the names, classes and targets
 * of all graphs, so that memory does not grow with the input; leman_stream_labels() must not be called then. */
leman_status lm_stream_open_rows(leman_context *ctx, const char *path, const leman_read_options *options,
                                 leman_stream **out);
/* Returns the rows of the current slice, and sets *first to the number of rows before them. Row graphs are numbers in the
 * slice. NULL if the input is not a file of molecules. */
const leman_rows *lm_stream_rows(const leman_stream *stream, uint64_t *first);

/* stream_lines.c. Prepares a stream of SMILES whose window is open. */
leman_status lm_stream_smiles_begin(leman_stream *stream);
/* Sets *out to the next slice of about stream->limit bytes, or to NULL at the end of the input. *cleaning receives
 * what the policy changed. */
leman_status lm_stream_smiles_next(leman_stream *stream, leman_cleaning *cleaning, leman_dataset **out);
/* Sets *out to a data set that has the names, classes and targets of all graphs that were read. The graphs of *out have
 * no vertices. */
leman_status lm_stream_smiles_labels(leman_stream *stream, leman_dataset **out);
/* The same two functions for graph6 and sparse6; these graphs have no names, classes or targets. */
leman_status lm_stream_graph6_next(leman_stream *stream, leman_cleaning *cleaning, leman_dataset **out);
leman_status lm_stream_graph6_labels(leman_stream *stream, leman_dataset **out);

#endif
