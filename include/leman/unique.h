/*
 * leman/unique.h - the first graph of every class of graphs with the same hash, from inputs of any length.
 */
#ifndef LEMAN_UNIQUE_H
#define LEMAN_UNIQUE_H

#include "leman/color.h"
#include "leman/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What leman_unique_write() found. */
typedef struct leman_unique {
    uint64_t graphs;  /* that were read */
    uint64_t classes; /* which is the number of graphs that were written */
    uint64_t largest; /* number of graphs in the largest class */
} leman_unique;

/* How graphs are compared and written. Set the members after leman_unique_options_init(). */
typedef struct leman_unique_options {
    size_t size;                    /* leman_unique_options_init() sets it */
    const leman_coloring *coloring; /* NULL: colour refinement until it is stable */
    int digits;                     /* attributes are rounded to so many digits, as leman_dataset_round_attributes()
                                       does; negative, the default: they are not used, or as they are if exact */
    bool exact;                     /* classes are those of isomorphic graphs; coloring must be NULL */
    leman_format format;            /* of the output; LEMAN_FORMAT_AUTO: as its name says */
    const char *classes;            /* path of a CSV file with a line for each class, in the order of `out`: the number
                                       of its first graph, the name of that graph, the number of its graphs, their
                                       hash; NULL: none */
} leman_unique_options;

LEMAN_API void leman_unique_options_init(leman_unique_options *options, size_t size);
static inline leman_unique_options leman_unique_options_default(void)
{
    leman_unique_options options;
    leman_unique_options_init(&options, sizeof options);
    return options;
}

/*
 * Reads graphs and writes those that are the first of their class to `out`, in the order of the input. A class is all
 * graphs with the same hash (leman_graph_hashes()), or, if options->exact is set, with the same 128 bits of their
 * canonical forms (leman_exact_hashes()).
 *
 * Where the input has a graph on each line (SMILES, tables of them, graph6, sparse6) and `out` has the same ending as
 * `path`, or one of them is "-" and the other has such an ending or is "-", the lines are copied as they are, behind the
 * lines before the first graph, such as the header of a table. Hashes and lines then go to temporary files in the folder
 * of `out` where memory is short, so the input may be of any length. Other inputs are read at once and written by
 * leman_dataset_write() in options->format; a format other than LEMAN_FORMAT_AUTO makes this the way for all inputs.
 *
 *   reading    NULL: the default; class_column is not used
 *   options    NULL: the default
 *   *cleaning  gets what the policy found; NULL: is not needed
 *
 * Fails as leman_dataset_read(), leman_graph_hashes() or leman_exact_hashes(), and leman_dataset_write() do; neither file
 * is written then. Time: O(n log n) for n graphs, in addition to reading and hashing.
 */
LEMAN_API leman_status leman_unique_write(leman_context *ctx, const char *path, const leman_read_options *reading,
                                          const leman_unique_options *options, const char *out,
                                          leman_cleaning *cleaning, leman_unique *found);

#ifdef __cplusplus
}
#endif
#endif
