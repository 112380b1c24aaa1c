/*
 * Graphs of a file or pipe, some at a time. What can be cut is read in slices: our own file (graph/binary_slices.c),
 * and text with a graph on each line. Everything else, and what is small, is read at once and is one slice.
 *
 * The class of a graph in a slice is its number in the input, so that those that the policy leaves out are known;
 * names, classes and targets of all graphs are there at the end.
 */
#ifndef LM_STREAM_H
#define LM_STREAM_H

#include "io/format.h"
#include "io/molecule/smiles_table.h"
#include "io/stream/window.h"

typedef enum lm_stream_kind { LM_STREAM_WHOLE, LM_STREAM_BINARY, LM_STREAM_SMILES, LM_STREAM_GRAPH6 } lm_stream_kind;

struct leman_stream {
    leman_context *ctx;
    char *path, *name;
    const char *shown; /* path, as messages have it */
    leman_read_options options;
    leman_policy policy;
    leman_cleaning cleaning; /* of all slices so far */
    lm_stream_kind kind;
    leman_format format;
    size_t limit;  /* bytes of a slice */
    size_t graphs; /* so far, before the policy */
    size_t handed; /* so far, behind the policy */
    bool ended;
    leman_dataset *slice; /* the one that was handed out last */
    leman_dataset *labels;
    lm_vector kept; /* int64_t: numbers of the graphs that are left; empty as long as all of them are */

    lm_input input;
    lm_window window;
    lm_binary_slices binary;
    lm_smiles_reader smiles;
    lm_text text;           /* of graph6 */
    leman_builder *builder; /* names, classes and targets of SMILES */
};

/* leman_stream_open() with slices of `limit` bytes. */
leman_status lm_stream_open(leman_context *ctx, const char *path, const leman_read_options *options, size_t limit,
                            leman_stream **out);

/* stream_lines.c: the next slice before it is counted, NULL behind the last; labels of all graphs. */
leman_status lm_stream_smiles_begin(leman_stream *stream);
leman_status lm_stream_smiles_next(leman_stream *stream, leman_cleaning *cleaning, leman_dataset **out);
leman_status lm_stream_smiles_labels(leman_stream *stream, leman_dataset **out);
leman_status lm_stream_graph6_next(leman_stream *stream, leman_cleaning *cleaning, leman_dataset **out);
leman_status lm_stream_graph6_labels(leman_stream *stream, leman_dataset **out);

#endif
