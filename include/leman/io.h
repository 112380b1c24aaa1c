/*
 * leman/io.h - files of graphs: reading, writing, downloading.
 */
#ifndef LEMAN_IO_H
#define LEMAN_IO_H

#include "leman/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Files ----------------------------------------------------------------------------------- */

typedef enum leman_format {
    LEMAN_FORMAT_AUTO, /* by a mark in the file, the name's ending, then the first lines */
    LEMAN_FORMAT_TU,   /* folder of text files */
    LEMAN_FORMAT_TU_ZIP,
    LEMAN_FORMAT_BINARY, /* our own, as it lies in memory: NAME.leman */
    LEMAN_FORMAT_GRAPH6, /* one graph a line; sparse6 and digraph6 lines are read too */
    LEMAN_FORMAT_SPARSE6,
    LEMAN_FORMAT_EDGE_LIST, /* CSV: source, target [, label]; with a header also graph */
    LEMAN_FORMAT_SDF,       /* molecules, V2000 and V3000 */
    LEMAN_FORMAT_PAIRS,     /* two graph6 strings a line with a tab between, reading only, never by itself */
    LEMAN_FORMAT_SMILES     /* molecules, one a line: NAME.smi, or a table with a column of SMILES */
} leman_format;
#define LEMAN_FORMAT_COUNT 10
/* "auto", "tu", "tu-zip", "binary", "graph6", "sparse6", "edge-list", "sdf", "pairs", "smiles". */
LEMAN_API const char *leman_format_name(leman_format format);
LEMAN_API leman_status leman_format_parse(leman_context *ctx, const char *name, leman_format *format);
/* Can it be written, too? */
LEMAN_API bool leman_format_is_writable(leman_format format);
/* The format that leman_dataset_write() chooses for a path: by the ending of its name, without the .gz of a file that
 * is to be compressed; a name without one is a TU folder. LEMAN_ERROR_ARGUMENT, with the endings that are written,
 * where it has another. */
LEMAN_API leman_status leman_format_for_writing(leman_context *ctx, const char *path, leman_format *format);

/* What the label of an atom of SDF and SMILES says: a sum of these. One number (docs/formats.md): the atomic number of
 * an atom without charge, isotope and radical; with LEMAN_ATOM_COLUMNS a label column for each of them. */
#define LEMAN_ATOM_ELEMENT 1u
#define LEMAN_ATOM_CHARGE 2u
#define LEMAN_ATOM_ISOTOPE 4u
#define LEMAN_ATOM_RADICAL 8u
#define LEMAN_ATOM_COLUMNS 16u
#define LEMAN_ATOM_HYDROGENS 32u /* how many it has that are no vertices */
#define LEMAN_ATOM_AROMATIC 64u

/* Such a number as chemists write it, "C", "N+", "13C", into text[size], "" where it is no atom's; returns its length,
 * as snprintf() does. */
LEMAN_API size_t leman_atom_symbol(int64_t label, char *text, size_t size);

/* Which hydrogens of molecules are vertices. */
typedef enum leman_hydrogens {
    LEMAN_HYDROGENS_AS_WRITTEN, /* those that the file has as atoms */
    LEMAN_HYDROGENS_IMPLICIT,   /* none but those with a charge, an isotope, or no single neighbour */
    LEMAN_HYDROGENS_EXPLICIT,   /* all of them */
    LEMAN_HYDROGENS_LABELS      /* as IMPLICIT; how many an atom has is part of its label */
} leman_hydrogens;
#define LEMAN_HYDROGENS_COUNT 4
/* "as-written", "implicit", "explicit", "labels". */
LEMAN_API const char *leman_hydrogens_name(leman_hydrogens hydrogens);
LEMAN_API leman_status leman_hydrogens_parse(leman_context *ctx, const char *name, leman_hydrogens *hydrogens);

/* What the aromatic bonds of molecules are. */
typedef enum leman_aromatic {
    LEMAN_AROMATIC_AS_WRITTEN, /* a type of bond, with label 4 */
    LEMAN_AROMATIC_KEKULE      /* single and double bonds; a molecule where that cannot be is LEMAN_ERROR_INPUT */
} leman_aromatic;
#define LEMAN_AROMATIC_COUNT 2
/* "as-written", "kekule". */
LEMAN_API const char *leman_aromatic_name(leman_aromatic aromatic);
LEMAN_API leman_status leman_aromatic_parse(leman_context *ctx, const char *name, leman_aromatic *aromatic);

typedef struct leman_read_options {
    size_t size; /* leman_read_options_init() sets it */
    leman_format format;
    const leman_policy *policy;     /* NULL: the default */
    uint64_t max_bytes;             /* refuse files (decompressed members of zips) larger than this; 0: 16 GiB */
    bool without_vertex_attributes; /* TU data: their file stays unread, for work that has no use for them */
    const char *class_column;       /* what the class of each graph is: a target by name or number, as in
                                     * leman_dataset_target_find(), or a data field of an SDF or a column of a table of
                                     * molecules that holds words; NULL: the classes of the file */
    const char *vertex_labels;      /* of edge lists: a second file with the columns vertex, label and, where there are
                                     * several graphs, graph; NULL: none */
    unsigned atom_labels;           /* of molecules; none of LEMAN_ATOM_...: element, charge, isotope and radical */
    const char *smiles_column;      /* of a table: the column that holds SMILES, by its name or, from 0, its number;
                                     * NULL: the one whose name says so */
    leman_hydrogens hydrogens;      /* of molecules */
    leman_aromatic aromatic;        /* of molecules */
    bool skip_unreadable;           /* SMILES that cannot be read are left out, and the log says how many */
} leman_read_options;

LEMAN_API void leman_read_options_init(leman_read_options *options, size_t size);
static inline leman_read_options leman_read_options_default(void)
{
    leman_read_options options;
    leman_read_options_init(&options, sizeof options);
    return options;
}

/* "-" is standard input. options NULL: the default. *cleaning, which may be NULL, gets what the policy did. */
LEMAN_API leman_status leman_dataset_read(leman_context *ctx, const char *path, const leman_read_options *options,
                                          leman_cleaning *cleaning, leman_dataset **out);
/* Molecules from SMILES, smiles[count], with these names, names[count] or NULL for none, and without classes and
 * targets. Messages count them from 0 ("SMILES:17: ..."). options as above, where format, class_column and
 * smiles_column say nothing. refused[count], which may be NULL: which of them are left out, with skip_unreadable. */
LEMAN_API leman_status leman_dataset_from_smiles(leman_context *ctx, const char *const *smiles,
                                                 const char *const *names, size_t count,
                                                 const leman_read_options *options, bool *refused, leman_dataset **out);
/* format LEMAN_FORMAT_AUTO: leman_format_for_writing(). "-" is standard output (not for folders). A file appears whole
 * or not at all, and replaces one of that name; a folder must not exist yet. Columns that the format does not have are
 * left out, and logged. Names, classes and targets that it would be read back with others are LEMAN_ERROR_INPUT. */
LEMAN_API leman_status leman_dataset_write(leman_context *ctx, const leman_dataset *data, const char *path,
                                           leman_format format);

/* ---- Streams --------------------------------------------------------------------------------- */

/*
 * Graphs of a file or pipe that need not fit into memory, some at a time: our own file, where it is a plain one, and
 * SMILES, graph6 and sparse6, compressed or not. Other formats are read at once and are one slice. A stream belongs to
 * its context, and the texts of its options must stay as long as it does.
 */
typedef struct leman_stream leman_stream;
/* "-" is standard input. options NULL: the default. Free with leman_stream_free(). */
LEMAN_API leman_status leman_stream_open(leman_context *ctx, const char *path, const leman_read_options *options,
                                         leman_stream **out);
/* The next graphs, in the order of the file, NULL behind the last; they are the stream's, until the next call. Their
 * names, classes and targets are nothing to go by. */
LEMAN_API leman_status leman_stream_next(leman_stream *stream, const leman_dataset **slice);
/* Behind the last slice: all graphs that came, with their names, classes and targets; where there were several slices,
 * without vertices. It is the stream's. */
LEMAN_API leman_status leman_stream_labels(leman_stream *stream, const leman_dataset **labels);
/* What the policy did so far; NULL for NULL. */
LEMAN_API const leman_cleaning *leman_stream_cleaning(const leman_stream *stream);
LEMAN_API void leman_stream_free(leman_stream *stream);

/* ---- Download -------------------------------------------------------------------------------- */

typedef struct leman_download_options {
    size_t size;        /* leman_download_options_init() sets it */
    const char *url;    /* of the zip itself; NULL: the TU collection's */
    const char *cache;  /* folder; NULL: $LEMAN_CACHE, else $XDG_CACHE_HOME/leman, else ~/.cache/leman */
    uint64_t max_bytes; /* 0: 4 GiB */
    bool offline;       /* only look into the cache */
    bool refresh;       /* fetch again even if it is in the cache */
    double time_limit;  /* seconds for the whole transfer; 0: an hour */
    uint64_t min_speed; /* give up where fewer bytes a second arrive for half a minute; 0: 1,024 */
} leman_download_options;

LEMAN_API void leman_download_options_init(leman_download_options *options, size_t size);
static inline leman_download_options leman_download_options_default(void)
{
    leman_download_options options;
    leman_download_options_init(&options, sizeof options);
    return options;
}
/* Puts the path of the checked zip into path[size]. options NULL: the default. LEMAN_ERROR_UNSUPPORTED where
 * the cache does not have it and there is no libcurl. */
LEMAN_API leman_status leman_dataset_download(leman_context *ctx, const char *name,
                                              const leman_download_options *options, char *path, size_t size);
/* How many graphs the set of that name has as it was published; 0 where the name is not known. */
LEMAN_API size_t leman_dataset_known_graphs(const char *name);

#ifdef __cplusplus
}
#endif
#endif
