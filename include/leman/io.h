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

/* The list of all formats: X(NAME, name, "name"). A new format is a row at the end, and a definition in src/io like
 * lm_format_sdf. */
/* clang-format off */
#define LEMAN_FORMATS(X)                                                                                               \
    X(AUTO, auto, "auto")                /* found by a mark in the file, the ending of its name, or its first lines */ \
    X(TU, tu, "tu")                      /* folder of text files */                                                    \
    X(TU_ZIP, tu_zip, "tu-zip")                                                                                        \
    X(BINARY, binary, "binary")          /* the library's own, NAME.leman: the data set as it lies in memory */        \
    X(GRAPH6, graph6, "graph6")          /* one graph a line; sparse6 and digraph6 lines are read too */               \
    X(SPARSE6, sparse6, "sparse6")                                                                                     \
    X(EDGE_LIST, edge_list, "edge-list") /* CSV: source, target [, label]; with a header also graph */                 \
    X(SDF, sdf, "sdf")                   /* molecules, V2000 and V3000 */                                              \
    X(PAIRS, pairs, "pairs")             /* two graph6 strings a line; only read, and never chosen by AUTO */          \
    X(SMILES, smiles, "smiles")          /* molecules, one a line: NAME.smi, or a table with a column of SMILES */     \
    X(NQUADS, nquads, "n-quads")         /* RDF: N-Quads and N-Triples, a vertex for each term and each statement */
/* clang-format on */

/* LEMAN_FORMAT_AUTO, LEMAN_FORMAT_TU, ... */
#define LEMAN_FORMAT_VALUE(NAME, name, text) LEMAN_FORMAT_##NAME,
typedef enum leman_format { LEMAN_FORMATS(LEMAN_FORMAT_VALUE) } leman_format;
#define LEMAN_FORMAT_ONE(NAME, name, text) +1
#define LEMAN_FORMAT_COUNT (0 LEMAN_FORMATS(LEMAN_FORMAT_ONE))
LEMAN_API const char *leman_format_name(leman_format format);
LEMAN_API leman_status leman_format_parse(leman_context *ctx, const char *name, leman_format *format);
/* Returns ending number i, from 0, of the names of files of the format: ".g6". Returns NULL if the format has no more
 * endings. */
LEMAN_API const char *leman_format_ending(leman_format format, size_t i);
/* Returns true if the format can also be written. */
LEMAN_API bool leman_format_is_writable(leman_format format);
/* Finds the format that leman_dataset_write() chooses for a path by the ending of its name, ignoring .gz. A name
 * without an ending is a TU folder. An unknown ending fails with LEMAN_ERROR_ARGUMENT and a message that lists the
 * known ones. */
LEMAN_API leman_status leman_format_for_writing(leman_context *ctx, const char *path, leman_format *format);

/* What the label of an atom (SDF, SMILES) consists of: a sum of these flags. The label is one number, described in
 * docs/formats.md; it is the atomic number if the atom has no charge, isotope or radical. With LEMAN_ATOM_COLUMNS each
 * property has a label column of its own. */
#define LEMAN_ATOM_ELEMENT 1u
#define LEMAN_ATOM_CHARGE 2u
#define LEMAN_ATOM_ISOTOPE 4u
#define LEMAN_ATOM_RADICAL 8u
#define LEMAN_ATOM_COLUMNS 16u
#define LEMAN_ATOM_HYDROGENS 32u /* number of hydrogens of the atom that are not vertices */
#define LEMAN_ATOM_AROMATIC 64u
/* Labels of circular fingerprints, which stand alone: RDKit's Morgan invariants. The colours of 1-WL on them, with the
 * bonds as edge labels, are the environments of ECFP and FCFP. ECFP: element, number of bonds and hydrogens, number of
 * hydrogens, charge, isotope, whether the atom is in a ring. FCFP: whether the atom is a hydrogen donor, an acceptor,
 * aromatic, a halogen, basic, acidic. */
#define LEMAN_ATOM_ECFP 128u
#define LEMAN_ATOM_FCFP 256u

/* Writes the chemical symbol of an atom label, "C", "N+", "13C", into text[size]; "" if it is not such a label. Returns
 * the length of the whole symbol, as snprintf() does. */
LEMAN_API size_t leman_atom_symbol(int64_t label, char *text, size_t size);

/* Which hydrogens of molecules are vertices. */
typedef enum leman_hydrogens {
    LEMAN_HYDROGENS_AS_WRITTEN, /* the hydrogens that are atoms in the file */
    LEMAN_HYDROGENS_IMPLICIT,   /* default: only hydrogens with a charge, an isotope, or not exactly one neighbour */
    LEMAN_HYDROGENS_EXPLICIT,   /* all hydrogens */
    LEMAN_HYDROGENS_LABELS      /* as IMPLICIT; the label of an atom includes its number of hydrogens */
} leman_hydrogens;
#define LEMAN_HYDROGENS_COUNT 4
/* Names: "as-written", "implicit", "explicit", "labels". */
LEMAN_API const char *leman_hydrogens_name(leman_hydrogens hydrogens);
LEMAN_API leman_status leman_hydrogens_parse(leman_context *ctx, const char *name, leman_hydrogens *hydrogens);

/* How aromatic bonds of molecules are represented. */
typedef enum leman_aromatic {
    LEMAN_AROMATIC_AS_WRITTEN, /* as a bond type of their own, with label 4 */
    LEMAN_AROMATIC_KEKULE,     /* as single and double bonds; LEMAN_ERROR_INPUT if a molecule does not allow it */
    LEMAN_AROMATIC_RDKIT,      /* default: found by RDKit's model, however they are written; label 4 */
    LEMAN_AROMATIC_MDL         /* found by RDKit's form of the MDL model: rings of carbon and nitrogen */
} leman_aromatic;
#define LEMAN_AROMATIC_COUNT 4
/* Names: "as-written", "kekule", "rdkit", "mdl". */
LEMAN_API const char *leman_aromatic_name(leman_aromatic aromatic);
LEMAN_API leman_status leman_aromatic_parse(leman_context *ctx, const char *name, leman_aromatic *aromatic);

/* What becomes of the stereochemistry of molecules. */
typedef enum leman_stereo {
    LEMAN_STEREO_NONE, /* default: it is left out of graphs */
    LEMAN_STEREO_LABELS /* labels of tetrahedral atoms contain R or S, those of double bonds Z or E (docs/molecules.md) */
} leman_stereo;
#define LEMAN_STEREO_COUNT 2
/* Names: "none", "labels". */
LEMAN_API const char *leman_stereo_name(leman_stereo stereo);
LEMAN_API leman_status leman_stereo_parse(leman_context *ctx, const char *name, leman_stereo *stereo);

/* What is done to molecules before they become graphs, in this order: a sum, the member `standardize` of
 * leman_read_options. FRAGMENT keeps the largest fragment: one with carbon before others, then by the number of atoms with
 * hydrogens, then by mass. GROUPS writes groups as RDKit's Normalizer does. CHARGES takes charges away by hydrogens as
 * RDKit's Uncharger does. docs/molecules.md has the rules. Not with LEMAN_HYDROGENS_AS_WRITTEN. */
#define LEMAN_STANDARDIZE_FRAGMENT 1u
#define LEMAN_STANDARDIZE_GROUPS 2u
#define LEMAN_STANDARDIZE_CHARGES 4u
#define LEMAN_STANDARDIZE_ALL 7u

/* The rows of a table of molecules, or the molecules of an SDF, in the order of the file, those that cannot be read
 * included. So predictions can be matched with the file. */
typedef struct leman_rows leman_rows;
typedef struct leman_row {
    size_t graph;              /* its graph in the data set; SIZE_MAX: it was left out */
    uint64_t line;             /* where it begins, from 1 */
    const char *name, *smiles; /* as in the file; of an SDF, a SMILES of what was read; "": none */
    const char *fault;         /* why it was left out; "": it was read */
} leman_row;
/* Returns the number of rows; 0 for NULL. */
LEMAN_API size_t leman_rows_count(const leman_rows *rows);
/* Returns row i, from 0, whose texts belong to the rows; graph is SIZE_MAX for any other number. O(1). */
LEMAN_API leman_row leman_rows_get(const leman_rows *rows, size_t i);
/* Returns the name of column i of row_columns, which is not NUL-terminated; NULL after the last one. */
LEMAN_API const char *leman_rows_column(const leman_rows *rows, size_t column, size_t *length);
/* Returns the text of a row in a column of row_columns; "" if there is none. Of several lines, the first. */
LEMAN_API const char *leman_rows_value(const leman_rows *rows, size_t i, size_t column);
LEMAN_API void leman_rows_free(leman_rows *rows);

typedef struct leman_read_options {
    size_t size; /* leman_read_options_init() sets it */
    leman_format format;
    const leman_policy *policy;     /* NULL: the default */
    uint64_t max_bytes;             /* refuse files (decompressed members of zips) larger than this; 0: 16 GiB */
    bool without_vertex_attributes; /* TU data: do not read the file of vertex attributes */
    const char *class_column;       /* the class of each graph: a target by name or number, as in
                                     * leman_dataset_target_find(), or a data field of an SDF or a column of a table of
                                     * molecules that holds words; NULL: the classes of the file */
    const char *vertex_labels;      /* edge lists: a second file with the columns vertex, label and, if there are
                                     * several graphs, graph; NULL: none */
    unsigned atom_labels;           /* molecules: a sum of LEMAN_ATOM_...; 0: element, charge, isotope and radical */
    const char *smiles_column;      /* tables: the column that holds SMILES, by its name or by its number from 0;
                                     * NULL: found by its name */
    /* With the defaults of the next two members a molecule is one graph, whichever file and spelling it came in. */
    leman_hydrogens hydrogens; /* molecules; default: IMPLICIT */
    leman_aromatic aromatic;   /* molecules; default: RDKIT */
    bool skip_unreadable;      /* leave out molecules that cannot be read, and log their number */
    bool *attributes_left_out; /* NULL, or set to true if without_vertex_attributes left out a file */
    leman_rows **rows;         /* NULL, or set to the rows of a file of molecules (leman_dataset_read() only; other
                                     * files leave it unchanged); a policy that removes empty graphs is then refused */
    const char *row_columns;   /* with rows: columns or data fields, separated by commas, whose texts are kept */
    leman_cleaning *cleaning;  /* leman_dataset_from_smiles() only: NULL, or gets what the policy found */
    const char *positive; /* with class_column, of tables of molecules and SDF: words, separated by commas, that are
                                * class 1, in upper or lower case ("true,1,active"); all others are class 0. NULL: each
                                * word is a class */
    bool censored;       /* tables of molecules and SDF: values such as >10, <0.5, >=10, <=0.5 are numbers that bound an
                    * unknown value. For each target NAME with bounds, a last target called "NAME censoring" is 1 for
                    * lower bounds (>), -1 for upper bounds (<), 0 for values, and missing where NAME is */
    leman_stereo stereo; /* molecules; default: NONE */
    unsigned standardize; /* molecules: a sum of LEMAN_STANDARDIZE_...; default: 0 */
    bool class_optional;  /* class_column is a name, no number: without a column of this name that holds classes, the
                           * graphs have the classes of the file, or none */
} leman_read_options;

LEMAN_API void leman_read_options_init(leman_read_options *options, size_t size);
static inline leman_read_options leman_read_options_default(void)
{
    leman_read_options options;
    leman_read_options_init(&options, sizeof options);
    return options;
}

/* Reads and cleans a data set. "-" is standard input. options may be NULL: the default. *cleaning, which may be NULL,
 * gets what the policy found. A file that violates its format fails with LEMAN_ERROR_INPUT. */
LEMAN_API leman_status leman_dataset_read(leman_context *ctx, const char *path, const leman_read_options *options,
                                          leman_cleaning *cleaning, leman_dataset **out);
/* Makes a data set, without classes and targets, from the molecules smiles[count]; names[count] may be NULL. options
 * may be NULL: the default; format, class_column and smiles_column are not used. Messages count molecules from 0
 * ("SMILES:17: ..."). refused[count], which may be NULL, is true for each molecule that skip_unreadable leaves out. */
LEMAN_API leman_status leman_dataset_from_smiles(leman_context *ctx, const char *const *smiles,
                                                 const char *const *names, size_t count,
                                                 const leman_read_options *options, bool *refused, leman_dataset **out);
/* Writes a data set. LEMAN_FORMAT_AUTO means the format of leman_format_for_writing(); "-" is standard output, not for
 * folders. A file appears whole or not at all, and replaces a file of the same name; a folder must not exist yet.
 * Columns that the format does not have are left out and logged. Fails with LEMAN_ERROR_INPUT if names, classes or
 * targets would differ when the file is read back. */
LEMAN_API leman_status leman_dataset_write(leman_context *ctx, const leman_dataset *data, const char *path,
                                           leman_format format);

/* ---- How graphs were read -------------------------------------------------------------------- */

/* Data sets, models, networks and feature files keep a code of the options that change graphs, so that new graphs are
 * read in the same way (leman_dataset_reading(), leman_model_shape, ...). Two bits of a code: */
#define LEMAN_READING_MOLECULES (UINT64_C(1) << 1) /* the graphs are molecules */
#define LEMAN_READING_ASSUMED (UINT64_C(1) << 63)  /* not known: the file is of a version that does not have the code */

/* Sets the code of a data set that the caller made in memory. Fails with LEMAN_ERROR_ARGUMENT if the number is no code. */
LEMAN_API leman_status leman_dataset_set_reading(leman_context *ctx, leman_dataset *data, uint64_t reading);
/* Returns the code of options (NULL: the default) for files of molecules or other files; 0 if the size of the options is
 * wrong. */
LEMAN_API uint64_t leman_reading_of(const leman_read_options *options, bool molecules);
/* Sets atom_labels, hydrogens, aromatic, standardize and stereo of *options, and the rules for self-loops, isolated vertices and one-way edges
 * of *policy, which may be NULL, to those of the code. What the code does not say stays as it is. Fails with
 * LEMAN_ERROR_ARGUMENT if the number is no code. */
LEMAN_API leman_status leman_reading_apply(leman_context *ctx, uint64_t reading, leman_read_options *options,
                                           leman_policy *policy);
/* Writes the code as options of the program, "--aromatic rdkit --hydrogens implicit --atom-labels element,charge", into
 * text[size], cut off if it is too long; "" if there is nothing to say. Returns the length of the whole text. */
LEMAN_API size_t leman_reading_text(uint64_t reading, char *text, size_t size);

/* ---- Streams --------------------------------------------------------------------------------- */

/*
 * Reads a file or pipe that need not fit into memory in slices, each a data set of some graphs. Binary files that are
 * not compressed, and SMILES, graph6 and sparse6, compressed or not, are read in slices; all other files are read at
 * once, as one slice. A stream must be freed before its context. The strings of its options must live as long as the
 * stream.
 */
typedef struct leman_stream leman_stream;
/* Opens a stream; "-" is standard input. options may be NULL: the default. Free with leman_stream_free(). */
LEMAN_API leman_status leman_stream_open(leman_context *ctx, const char *path, const leman_read_options *options,
                                         leman_stream **out);
/* Sets *slice to the next graphs in the order of the file, or to NULL after the last. The slice belongs to the stream
 * and is valid until the next call. Names, classes and targets of a slice have no meaning. */
LEMAN_API leman_status leman_stream_next(leman_stream *stream, const leman_dataset **slice);
/* Sets *labels to all graphs that were read, with their names, classes and targets, but without vertices if there were
 * several slices. *labels belongs to the stream. Fails with LEMAN_ERROR_ARGUMENT if there may be more slices. */
LEMAN_API leman_status leman_stream_labels(leman_stream *stream, const leman_dataset **labels);
/* Returns what the policy has found so far; NULL for NULL. */
LEMAN_API const leman_cleaning *leman_stream_cleaning(const leman_stream *stream);
LEMAN_API void leman_stream_free(leman_stream *stream);

/* ---- Download -------------------------------------------------------------------------------- */

typedef struct leman_download_options {
    size_t size;        /* leman_download_options_init() sets it */
    const char *url;    /* of the zip itself; NULL: in the TU collection */
    const char *cache;  /* folder; NULL: $LEMAN_CACHE, otherwise $XDG_CACHE_HOME/leman, otherwise ~/.cache/leman */
    uint64_t max_bytes; /* of the zip; 0: 4 GiB */
    bool offline;       /* only look into the cache */
    bool refresh;       /* download even if the cache has the file */
    double time_limit;  /* seconds for the whole transfer; 0: an hour */
    uint64_t min_speed; /* stop if fewer bytes a second arrive for half a minute; 0: 1,024 */
} leman_download_options;

LEMAN_API void leman_download_options_init(leman_download_options *options, size_t size);
static inline leman_download_options leman_download_options_default(void)
{
    leman_download_options options;
    leman_download_options_init(&options, sizeof options);
    return options;
}
/* Downloads the data set of that name into the cache, unless the cache has it, checks the zip, and writes its path into
 * path[size]. options may be NULL: the default. Fails with LEMAN_ERROR_NETWORK if the download fails, with
 * LEMAN_ERROR_INPUT if the zip is refused, and with LEMAN_ERROR_UNSUPPORTED if a download is needed without libcurl. */
LEMAN_API leman_status leman_dataset_download(leman_context *ctx, const char *name,
                                              const leman_download_options *options, char *path, size_t size);
/* Returns the number of graphs of the published data set of that name; 0 if the name is not known. */
LEMAN_API size_t leman_dataset_known_graphs(const char *name);

#ifdef __cplusplus
}
#endif
#endif
