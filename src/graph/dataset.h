/*
 * The data set: many graphs in one flat block, which is written to files and read from them as it lies in memory.
 *
 *   graph_start   [graphs+1]    first vertex of each graph
 *   vertex_start  [vertices+1]  first arc of each vertex
 *   arc_head      [arcs]        head of each arc, counted inside its graph, increasing within a vertex
 *   ...                         one array for each group of columns, see ARRAYS in dataset.c
 *
 * Code that visits all arrays (the binary file, selection, freeing) uses the table lm_dataset_arrays. A new column is a
 * new row of that table.
 */
#ifndef LM_DATASET_H
#define LM_DATASET_H

#include "base/context.h"
#include "base/file.h"
#include "base/serialize.h"

struct leman_dataset {
    void *block; /* all arrays; NULL if the arrays lie in the file that was read */
    lm_bytes file;
    char *name;
    size_t graphs, vertices, arcs;
    size_t first_graph; /* of a range or a slice: the number of its first graph in the whole, for messages */
    size_t graph_name_bytes, vertex_name_bytes;
    size_t target_name_bytes, class_name_bytes; /* 0: no names of targets, of classes */
    size_t class_names;                         /* classes that have a name */
    bool directed;
    uint64_t reading; /* leman_dataset_reading() */
    bool sides;       /* there is an arc_side */
    bool drawn;       /* leman_dataset_lay_out() chose coordinates, which say nothing of stereochemistry */
    leman_columns columns;
    leman_shape shape; /* set by lm_dataset_measure() for callers */

    const uint64_t *graph_start;      /* [graphs+1] */
    const uint64_t *vertex_start;     /* [vertices+1] */
    const uint32_t *arc_head;         /* [arcs] */
    const int64_t *vertex_label;      /* [vertices][columns.vertex_labels] */
    const int64_t *edge_label;        /* [arcs][columns.edge_labels] */
    const double *vertex_attribute;   /* [vertices][columns.vertex_attributes] */
    const double *edge_attribute;     /* [arcs][columns.edge_attributes] */
    const double *target;             /* [graphs][columns.targets] */
    const int64_t *class_label;       /* [graphs] */
    const int8_t *arc_side;           /* [arcs] see leman_graph */
    const uint64_t *graph_name_start; /* [graphs+1] into graph_name */
    const char *graph_name;
    const uint64_t *vertex_name_start; /* [vertices+1] into vertex_name */
    const char *vertex_name;
    const uint64_t *target_name_start; /* [columns.targets+1] into target_name; NULL without names */
    const char *target_name;
    const int64_t *class_name_label;  /* [class_names] increasing */
    const uint64_t *class_name_start; /* [class_names+1] into class_name */
    const char *class_name;
};

/* One array of the block. An item (a graph, a vertex, an arc, ...) has as many elements as there are columns. An array of
 * bounds has one element more than there are items, or none if there are no columns. */
typedef struct lm_array {
    const char *name;
    size_t pointer; /* offsetof the pointer in leman_dataset */
    size_t element; /* bytes */
    size_t items;   /* offsetof the number of items */
    size_t columns; /* offsetof the number of columns; 0: one column */
    bool flag;      /* the number of columns is a bool */
    bool bounds;
} lm_array;

/* Arrays before LM_SIDES are what leman_dataset_checksum() covers. Arrays from LM_GRAPH_NAMES on hold names. Arrays from LM_COLUMN_NAMES on hold the names of columns and classes, which
 * are the same for every selection of graphs. */
enum {
    LM_TARGETS = 7,
    LM_SIDES = 9,
    LM_GRAPH_NAMES = 10,
    LM_COLUMN_NAMES = 14,
    LM_ARRAYS = 19,
    LM_BLOCK_ALIGNMENT = 64
};
extern const lm_array lm_dataset_arrays[LM_ARRAYS];

/* The beginning of a graph: the number of the graph, of its first vertex, and of the first arc of that vertex. */
typedef struct lm_border {
    uint64_t graph, vertex, arc;
} lm_border;

/* Returns a size rounded up to LM_BLOCK_ALIGNMENT. */
static inline size_t lm_block_rounded(size_t size)
{
    return (size + LM_BLOCK_ALIGNMENT - 1) / LM_BLOCK_ALIGNMENT * LM_BLOCK_ALIGNMENT;
}

/* The arrays of a data set are const; the functions that make a data set write to them. */
#define LM_WRITABLE(type, pointer) ((type *)(uintptr_t)(pointer))

/* Returns the bytes of an array; 0 if the array is absent and its pointer NULL. */
size_t lm_array_bytes(const leman_dataset *data, const lm_array *array);
/* Returns the bytes of an array of graphs, vertices or arcs that lie before the border. */
size_t lm_array_offset(const leman_dataset *data, const lm_array *array, const lm_border *border);
/* Sets *bytes to the size of all arrays, each rounded up to LM_BLOCK_ALIGNMENT. Returns false if it overflows. */
bool lm_dataset_block_size(const leman_dataset *data, size_t *bytes);
/* Sets the pointers of all arrays to consecutive places from `base` on, in the order of the table. */
void lm_dataset_place(leman_dataset *data, void *base);
/* Returns the writable pointer of an array, for filling the block. */
void *lm_dataset_array(const leman_dataset *data, const lm_array *array);
/* Allocates a data set with the sizes of *shape and one block of arrays, which are uninitialised, except that bounds
 * begin with 0. name is copied. */
leman_status lm_dataset_new(leman_context *ctx, const leman_dataset *shape, const char *name, leman_dataset **out);
/* Like lm_dataset_new() for the graphs of `data` with other columns: copies every array that has the same size in both
 * data sets, and sets the shape for callers. */
leman_status lm_dataset_derive(leman_context *ctx, const leman_dataset *data, const leman_dataset *shape,
                               leman_dataset **out);

/* Makes a data set without the columns column[count] of vertex or of edge attributes, all of which exist. O(result). */
leman_status lm_dataset_without(leman_context *ctx, const leman_dataset *data, leman_level level, const size_t *column,
                                size_t count, leman_dataset **out);

/* Returns graphs first .. end - 1 as a data set without arrays of its own. Its arrays of vertices and arcs are those of
 * `data`, and are read through leman_dataset_graph(). The range must not be freed, and must not be used after `data`.
 * Messages name its graphs by their numbers in `data`. Functions that number vertices over all graphs
 * (leman_dataset_vertex_name(), leman_dataset_checksum(), lm_vertex_rounds_find()) must not be called with a range. */
leman_dataset lm_dataset_range(const leman_dataset *data, size_t first, size_t end);

/* The mean and the standard deviation of every column of vertex attributes. The deviation of a constant column is 1. */
typedef struct lm_attribute_scale {
    size_t columns;
    double *mean, *deviation; /* [columns] */
} lm_attribute_scale;
/* Computes the scale over all vertices of the data; free it with lm_attribute_scale_free(). */
leman_status lm_attribute_scale_new(leman_context *ctx, const leman_dataset *data, lm_attribute_scale *out);
void lm_attribute_scale_free(lm_attribute_scale *scale);
/* Writes a scale, or reads one that is free. Fails with LEMAN_ERROR_INPUT if a mean is not finite or a deviation is not
 * positive. */
leman_status lm_attribute_scale_serialize(lm_serializer *serializer, lm_attribute_scale *scale);
/* leman_dataset_standardize() with a scale. `as` ends the message about another number of columns: "as all.zip has". */
leman_status lm_attribute_scale_apply(leman_context *ctx, const lm_attribute_scale *scale, const char *as,
                                      const leman_dataset *data, leman_dataset **out);

/* Labels of atoms for circular fingerprints (io/molecule/invariants.c) are numbers from these on. The digits of an ECFP
 * label below LM_ECFP_ATOMS are the usual label of the atom, without radicals; those of hydrogens and more are above. */
#define LM_ECFP_LABELS INT64_C(1000000000000000000)
#define LM_FCFP_LABELS INT64_C(2000000000000000000)
#define LM_ECFP_ATOMS INT64_C(1000000000)

/* Sets the shape of a data set, as the last step of making it. O(arcs). */
void lm_dataset_measure(leman_dataset *data);

/*
 * The result of a reader, before the policy is applied: vertices and edges in file order. Vertices are numbered over
 * all graphs, from 0. The reader has checked that every edge joins two vertices of one graph. Arrays belong to the
 * context's allocator and are freed with lm_raw_free().
 */
typedef struct lm_raw {
    char *name;
    const char *edge_file; /* the file whose lines are edges, for messages; NULL if there is none. Not owned */
    size_t graphs;
    size_t first_graph; /* for a slice: the number of its first graph in the input, for messages */
    leman_columns columns;
    union {
        lm_vector vectors[19]; /* all of the following */
        struct {
            lm_vector edge_line;    /* uint64_t, the line of each edge; if empty, edge i is line i + 1 (lm_raw_lines) */
            lm_vector vertex_graph; /* uint32_t */
            lm_vector tail, head;   /* uint32_t */
            lm_vector vertex_label, edge_label;                 /* int64_t */
            lm_vector vertex_attribute, edge_attribute, target; /* double */
            lm_vector class_label;                              /* int64_t */
            lm_vector graph_name_end, vertex_name_end;          /* uint64_t, the end of each name in the next two: */
            lm_vector graph_name, vertex_name;                  /* char */
            lm_vector target_name_end, target_name;             /* likewise: a name for every target, or no names */
            lm_vector class_name_label;                         /* int64_t, in any order */
            lm_vector class_name_end, class_name;               /* uint64_t, char */
        };
    };
} lm_raw;

void lm_raw_free(lm_raw *raw);
/* Fails with LEMAN_ERROR_INPUT if raw, with so many further graphs and vertices, would have more than UINT32_MAX / 2
 * graphs, vertices or edges. Called before the arrays grow. */
leman_status lm_raw_check_size(leman_context *ctx, const lm_raw *raw, size_t graphs, size_t vertices);
/* Copies and checks a caller's policy, or the default if `given` is NULL. Every action must be one that its rule
 * allows. */
leman_status lm_policy_copy(leman_context *ctx, const leman_policy *given, leman_policy *out);
/* Checks a caller's columns. Fails with LEMAN_ERROR_ARGUMENT if a reserved member is not 0. */
leman_status lm_columns_check_reserved(leman_context *ctx, const leman_columns *columns);
/* Returns true if the policy refuses anything. Only then are the lines of edges needed, for messages. */
bool lm_policy_refuses(const leman_policy *policy);
/* Records that the edges added since the last call stand on this line of edge_file. */
leman_status lm_raw_lines(leman_context *ctx, lm_raw *raw, uint64_t line);
/* Writes a vertex as messages name it: its name if vertices have names; otherwise its number, counted over all graphs
 * if edge i is line i + 1 of a file. `number` is its number in its graph, counted from 1. */
void lm_raw_vertex_text(const lm_raw *raw, uint32_t vertex, size_t number, char *text, size_t size);
/* Makes a data set of raw under a policy. cleaning may be NULL. raw keeps its content, but its arrays may be reordered.
 * O(vertices + edges). */
leman_status lm_dataset_assemble(leman_context *ctx, lm_raw *raw, const leman_policy *policy, leman_cleaning *cleaning,
                                 leman_dataset **out);

/*
 * Graphs in their final form (flat.c), for readers whose graphs have no loops, repeated edges or one-way edges: arcs in
 * both directions, sorted by tail and head. Zero-initialise; lm_flat_free() at the end.
 */
typedef struct lm_flat {
    lm_vector graph_end;                /* uint64_t: vertices up to the end of each graph */
    lm_vector vertex_end;               /* uint64_t: arcs up to the end of each vertex */
    lm_vector head;                     /* uint32_t, counted inside the graph */
    lm_vector vertex_label, edge_label; /* int64_t, of each arc */
    lm_vector side;                     /* int8_t, of each arc; may end early, the others are 0 */
} lm_flat;

/* Makes sure that one more graph with so many vertices and arcs fits. */
leman_status lm_flat_reserve(leman_context *ctx, lm_flat *flat, const leman_columns *columns, size_t vertices,
                             size_t arcs);
/* Makes the data set. raw has the columns, names, targets and classes of the graphs of flat. Both are emptied while
 * their arrays are copied. */
leman_status lm_flat_finish(leman_context *ctx, lm_flat *flat, lm_raw *raw, const leman_policy *policy,
                            leman_cleaning *cleaning, leman_dataset **out);
void lm_flat_free(lm_flat *flat);

/* Applies a policy to a finished data set. *data is replaced if anything changes. cleaning may be NULL. */
leman_status lm_dataset_clean(leman_context *ctx, const leman_policy *policy, leman_cleaning *cleaning,
                              leman_dataset **data);

/* A missing target is exactly this NaN, so that equal data has equal bytes. A missing class is LEMAN_CLASS_MISSING. */
double lm_missing_target(void);
bool lm_is_missing_target(double value);
/* For work that needs the class of every graph: fails with LEMAN_ERROR_INPUT and a sentence with the number of graphs
 * without one and the first of them. The data set must have classes. */
leman_status lm_require_classes(leman_context *ctx, const leman_dataset *data);
/* Sets *out to the target of a graph as a class, or to LEMAN_CLASS_MISSING if it is missing. Fails with
 * LEMAN_ERROR_INPUT if the target is not an integer. */
leman_status lm_target_class(leman_context *ctx, const leman_dataset *data, size_t graph, size_t column, int64_t *out);
/* Lists the columns of targets as "0 (logP), 1 (active)" in text[size], cut off if they are too long. */
void lm_list_targets(const leman_dataset *data, char *text, size_t size);

/* Append one name of a target or of a class to those of raw; "" means no name. Fail with LEMAN_ERROR_INPUT if the name
 * is not printable UTF-8. */
leman_status lm_raw_target_name(leman_context *ctx, lm_raw *raw, const char *name, size_t length);
leman_status lm_raw_class_name(leman_context *ctx, lm_raw *raw, int64_t class_label, const char *name, size_t length);
/* The first sets the sizes of raw's names in *shape, the second copies the names to the block. Fails with
 * LEMAN_ERROR_INPUT if a class has two names. */
void lm_raw_name_sizes(const lm_raw *raw, leman_dataset *shape);
leman_status lm_raw_fill_names(leman_context *ctx, const lm_raw *raw, leman_dataset *data);
/* Copies the names of a finished data set to raw, which must have none. */
leman_status lm_raw_copy_names(leman_context *ctx, const leman_dataset *data, lm_raw *raw);

/* Returns the raw data of a builder, for readers that use both. */
lm_raw *lm_builder_raw(leman_builder *builder);

#define LM_DATASET_MAGIC "LEMANDS\n"
/* Read and write a data set in the library's binary format (binary.c). lm_binary_read() takes over `bytes` on success.
 * lm_binary_is() returns true if the bytes begin like a file of this format. */
leman_status lm_binary_read(leman_context *ctx, const char *path, lm_bytes *bytes, leman_dataset **out);
leman_status lm_binary_write(leman_context *ctx, const leman_dataset *data, lm_output *out);
bool lm_binary_is(lm_bytes bytes);

/* The layout of a binary file, from its head. */
typedef struct lm_binary_layout {
    leman_dataset shape; /* counts and columns; no arrays */
    size_t name_bytes, block_size;
    uint64_t name_at, block_at; /* offsets in the file */
    uint64_t checksum, seed;    /* of everything; of the bytes before the name */
} lm_binary_layout;
enum { LM_BINARY_HEAD = 192 };
/* Reads the layout from `bytes`, the beginning of a file of file_size bytes. At least LM_BINARY_HEAD bytes are needed,
 * unless the file is shorter. */
leman_status lm_binary_layout_read(leman_context *ctx, const char *path, lm_bytes bytes, size_t file_size,
                                   lm_binary_layout *layout);

/*
 * Reads a binary file a slice of graphs at a time (binary_slices.c). The checksum of the file is compared first; every
 * slice is checked as the whole file would be. Zero-initialise; lm_binary_slices_close() at the end.
 */
typedef struct lm_binary_slices {
    leman_context *ctx;
    const lm_input *input; /* not owned */
    lm_binary_layout layout;
    uint64_t place[LM_ARRAYS]; /* offsets of the arrays in the file */
    char *name;
    size_t at; /* the next graph */
} lm_binary_slices;
leman_status lm_binary_slices_open(leman_context *ctx, const lm_input *input, lm_binary_slices *slices);
/* Sets *out to the next graphs, as many as take at most `bytes` bytes, but at least one, or to NULL after the last
 * graph. The graphs have no names and targets; the class of each is its number in the file. */
leman_status lm_binary_slices_next(lm_binary_slices *slices, size_t bytes, leman_dataset **out);
/* Sets *out to all graphs without vertices: only their names, classes and targets. */
leman_status lm_binary_slices_labels(lm_binary_slices *slices, leman_dataset **out);
void lm_binary_slices_close(lm_binary_slices *slices);

#endif
