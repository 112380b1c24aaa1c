/*
 * The data set: many graphs in one flat block, written and read as it lies in memory.
 *
 *   graph_start   [graphs+1]    first vertex of each graph
 *   vertex_start  [vertices+1]  first arc of each vertex
 *   arc_head      [arcs]        head of each arc, counted inside its graph, increasing within a vertex
 *   ...                         one array a column group, see ARRAYS in dataset.c
 *
 * Everything that walks over all arrays (the binary file, selection, freeing) walks over the one table
 * lm_dataset_arrays; a new column is a new row there.
 */
#ifndef LM_DATASET_H
#define LM_DATASET_H

#include "base/context.h"
#include "base/file.h"

struct leman_dataset {
    lm_allocator allocator;
    void *block; /* all arrays, or NULL where they lie in the file that was read */
    lm_bytes file;
    char *name;
    size_t graphs, vertices, arcs;
    size_t first_graph;   /* of a part or a slice: the number of its first graph in the whole, for messages */
    size_t *graph_number; /* [graphs] where its graphs do not follow each other there; else NULL */
    size_t graph_name_bytes, vertex_name_bytes;
    size_t target_name_bytes, class_name_bytes; /* 0: targets, classes have no names */
    size_t class_names;                         /* classes that have one */
    bool directed;
    leman_columns columns;
    leman_shape shape; /* as callers see it: lm_dataset_measure() */

    const uint64_t *graph_start;      /* [graphs+1] */
    const uint64_t *vertex_start;     /* [vertices+1] */
    const uint32_t *arc_head;         /* [arcs] */
    const int64_t *vertex_label;      /* [vertices][columns.vertex_labels] */
    const int64_t *edge_label;        /* [arcs][columns.edge_labels] */
    const double *vertex_attribute;   /* [vertices][columns.vertex_attributes] */
    const double *edge_attribute;     /* [arcs][columns.edge_attributes] */
    const double *target;             /* [graphs][columns.targets] */
    const int64_t *class_label;       /* [graphs] */
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

/* One array of the block: where its pointer stands in the struct, and how to find its size. */
typedef struct lm_array {
    const char *name;
    size_t pointer;                             /* offsetof the pointer */
    size_t element;                             /* bytes */
    size_t (*count)(const leman_dataset *data); /* elements; 0: the array is absent and its pointer NULL */
} lm_array;

/* Arrays from LM_NAME_ARRAYS on name columns and classes, and are the same for every selection of graphs. */
enum { LM_NAME_ARRAYS = 13, LM_ARRAYS = 18, LM_BLOCK_ALIGNMENT = 64 };
extern const lm_array lm_dataset_arrays[LM_ARRAYS];

/* Bytes of all arrays, each rounded up to LM_BLOCK_ALIGNMENT; false where that does not fit. */
bool lm_dataset_block_size(const leman_dataset *data, size_t *bytes);
/* Points every array into base, in the order of the table. */
void lm_dataset_place(leman_dataset *data, void *base);
/* The writable pointer of an array while the block is being filled. */
void *lm_dataset_array(const leman_dataset *data, const lm_array *array);
/* A data set with the sizes of *shape and one block of uninitialised arrays. name is copied. */
leman_status lm_dataset_new(leman_context *ctx, const leman_dataset *shape, const char *name, leman_dataset **out);

/* leman_dataset_select() for work that is done part by part: messages name graphs by their numbers in data. */
leman_status lm_dataset_part(leman_context *ctx, const leman_dataset *data, size_t count, const size_t *which,
                             leman_dataset **out);
/* Graphs first .. end - 1. */
leman_status lm_dataset_range(leman_context *ctx, const leman_dataset *data, size_t first, size_t end,
                              leman_dataset **out);
/* The number of a graph as messages have it: in the whole that data is a part or a slice of. */
size_t lm_dataset_graph_number(const leman_dataset *data, size_t graph);

/* The last step of making one: its shape, O(arcs). */
void lm_dataset_measure(leman_dataset *data);

/*
 * What a reader found, before the policy is applied: vertices and edges in file order. Vertex numbers count over all
 * graphs, from 0; every edge joins two vertices of one graph (the reader has checked). Arrays belong to the context's
 * allocator and are freed with lm_raw_free().
 */
typedef struct lm_raw {
    char *name;
    const char *edge_file; /* the file whose lines are edges, for messages; NULL where there is none. Not owned */
    lm_vector edge_line;   /* uint64_t, the line of each edge; empty: edge i is line i + 1 (see lm_raw_lines) */
    size_t graphs;
    size_t first_graph; /* of a slice: the number of its first graph in the input, for messages */
    leman_columns columns;
    lm_vector vertex_graph;                             /* uint32_t */
    lm_vector tail, head;                               /* uint32_t */
    lm_vector vertex_label, edge_label;                 /* int64_t */
    lm_vector vertex_attribute, edge_attribute, target; /* double */
    lm_vector class_label;                              /* int64_t */
    lm_vector graph_name_end, vertex_name_end;          /* uint64_t, where each name ends in: */
    lm_vector graph_name, vertex_name;                  /* char */
    lm_vector target_name_end, target_name;             /* likewise: a name for every target, or no names at all */
    lm_vector class_name_label;                         /* int64_t, in any order */
    lm_vector class_name_end, class_name;               /* uint64_t, char */
} lm_raw;

void lm_raw_free(leman_context *ctx, lm_raw *raw);
/* More vertices or graphs than 32 bits can number are refused here: called before the arrays grow by that many. */
leman_status lm_raw_check_size(leman_context *ctx, const lm_raw *raw, size_t graphs, size_t vertices);
/* A caller's policy, NULL for the default, copied and checked: every action must be one that its rule takes. */
leman_status lm_policy_copy(leman_context *ctx, const leman_policy *given, leman_policy *out);
/* A caller's columns: LEMAN_ERROR_ARGUMENT where a reserved member is not 0. */
leman_status lm_columns_check_reserved(leman_context *ctx, const leman_columns *columns);
/* Does the policy refuse anything? Only then the lines of edges are needed, for messages. */
bool lm_policy_refuses(const leman_policy *policy);
/* Edges that were added since the last call stand on this line of edge_file. */
leman_status lm_raw_lines(leman_context *ctx, lm_raw *raw, uint64_t line);
/* A vertex as messages name it: by its name, by `number` (in its graph), or, where edge i is line i + 1 of a file that
 * counts vertices over all graphs, by that count. */
void lm_raw_vertex_text(const lm_raw *raw, uint32_t vertex, size_t number, char *text, size_t size);
/* O(vertices + edges log degree). cleaning may be NULL. raw is left as it was, but its arrays may be reordered. */
leman_status lm_dataset_assemble(leman_context *ctx, lm_raw *raw, const leman_policy *policy, leman_cleaning *cleaning,
                                 leman_dataset **out);

/*
 * Graphs in their final form (flat.c), for readers whose graphs have no loops, repeats or one-way edges: arcs both
 * ways, sorted by tail and head. Zero-initialise; lm_flat_free() at the end.
 */
typedef struct lm_flat {
    lm_vector graph_end;                /* uint64_t: vertices to the end of each graph */
    lm_vector vertex_end;               /* uint64_t: arcs to the end of each vertex */
    lm_vector head;                     /* uint32_t, counted inside the graph */
    lm_vector vertex_label, edge_label; /* int64_t, of each arc */
} lm_flat;

/* Room for one more graph. */
leman_status lm_flat_reserve(leman_context *ctx, lm_flat *flat, const leman_columns *columns, size_t vertices,
                             size_t arcs);
/* The data set, with the columns, names, targets and classes of raw, whose graphs are those of flat. Both are emptied
 * as their arrays are copied. */
leman_status lm_flat_finish(leman_context *ctx, lm_flat *flat, lm_raw *raw, const leman_policy *policy,
                            leman_cleaning *cleaning, leman_dataset **out);
void lm_flat_free(leman_context *ctx, lm_flat *flat);

/* Applies a policy to a finished data set; *data is replaced where something changes. cleaning may be NULL. */
leman_status lm_dataset_clean(leman_context *ctx, const leman_policy *policy, leman_cleaning *cleaning,
                              leman_dataset **data);

/* A missing target is this NaN and no other, so that equal data has equal bytes; a missing class is
 * LEMAN_CLASS_MISSING. */
double lm_missing_target(void);
bool lm_is_missing_target(double value);
/* For what cannot do without: LEMAN_ERROR_INPUT with how many graphs have none, and the first of them. The data set has
 * classes. */
leman_status lm_require_classes(leman_context *ctx, const leman_dataset *data);
/* The target of a graph as a class; one that is no integer is LEMAN_ERROR_INPUT. */
leman_status lm_target_class(leman_context *ctx, const leman_dataset *data, size_t graph, size_t column, int64_t *out);

/* One more name of a target or class behind those that raw has; "" is none. Names must be printable UTF-8. */
leman_status lm_raw_target_name(leman_context *ctx, lm_raw *raw, const char *name, size_t length);
leman_status lm_raw_class_name(leman_context *ctx, lm_raw *raw, int64_t class_label, const char *name, size_t length);
/* Room for the names of raw in *shape; then the names in the block. A class with two names is LEMAN_ERROR_INPUT. */
void lm_raw_name_sizes(const lm_raw *raw, leman_dataset *shape);
leman_status lm_raw_fill_names(leman_context *ctx, const lm_raw *raw, leman_dataset *data);
/* The names of a finished data set as those of raw, which has none. */
leman_status lm_raw_copy_names(leman_context *ctx, const leman_dataset *data, lm_raw *raw);

/* The raw data inside a builder, for readers that use both. */
lm_raw *lm_builder_raw(leman_builder *builder);

#define LM_DATASET_MAGIC "LEMANDS\n"
/* Our own binary form (binary.c). bytes are taken over on success. */
leman_status lm_binary_read(leman_context *ctx, const char *path, lm_bytes *bytes, leman_dataset **out);
leman_status lm_binary_write(leman_context *ctx, const leman_dataset *data, lm_output *out);
bool lm_binary_is(lm_bytes bytes);

/* What the head of such a file says about the rest. */
typedef struct lm_binary_layout {
    leman_dataset shape; /* counts and columns; no arrays */
    size_t name_bytes, block_size;
    uint64_t name_at, block_at; /* places in the file */
    uint64_t checksum, seed;    /* of everything; of what stands before the name */
} lm_binary_layout;
enum { LM_BINARY_HEAD = 192 };
/* bytes: the beginning of a file of file_size bytes, at least LM_BINARY_HEAD of them where there are as many. */
leman_status lm_binary_layout_read(leman_context *ctx, const char *path, lm_bytes bytes, size_t file_size,
                                   lm_binary_layout *layout);

/*
 * The same file, some graphs at a time (binary_slices.c). Its checksum is compared first; every slice is checked as the
 * whole would be. Zero-initialise; lm_binary_slices_close() at the end.
 */
typedef struct lm_binary_slices {
    leman_context *ctx;
    const lm_input *input; /* not owned */
    lm_binary_layout layout;
    uint64_t place[LM_ARRAYS]; /* of the arrays in the file */
    char *name;
    size_t at; /* the next graph */
} lm_binary_slices;
leman_status lm_binary_slices_open(leman_context *ctx, const lm_input *input, lm_binary_slices *slices);
/* The next graphs, as many as have at most `bytes` bytes, or one; NULL behind the last. They have no names, classes and
 * targets: the class of each is its number in the file. */
leman_status lm_binary_slices_next(lm_binary_slices *slices, size_t bytes, leman_dataset **out);
/* All graphs without vertices: their names, classes and targets. */
leman_status lm_binary_slices_labels(lm_binary_slices *slices, leman_dataset **out);
void lm_binary_slices_close(lm_binary_slices *slices);

#endif
