/*
 * leman/graph.h - data sets and graphs: what they hold, how they are cleaned, built and generated.
 */
#ifndef LEMAN_GRAPH_H
#define LEMAN_GRAPH_H

#include "leman/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Data sets and graphs -------------------------------------------------------------------- */

/* Many graphs in one flat, immutable block. Labels are integers as they stand in the file; attributes are reals. */
typedef struct leman_dataset leman_dataset;

/* How many columns of each kind there are. Columns of one item lie side by side: label[item * columns + column]. */
typedef struct leman_columns {
    size_t vertex_labels, edge_labels; /* of each vertex, of each arc */
    size_t vertex_attributes, edge_attributes;
    size_t targets; /* reals of each graph, to be predicted */
    bool classes;   /* one integer of each graph */
    bool graph_names, vertex_names;
    size_t reserved[4]; /* all 0, else LEMAN_ERROR_ARGUMENT */
} leman_columns;

typedef struct leman_shape {
    const char *name;
    size_t graphs, vertices;
    size_t arcs;  /* an undirected edge is two arcs, a self-loop one */
    size_t edges; /* undirected: each edge once; directed: the arcs */
    size_t loops;
    size_t max_vertices, max_degree; /* of one graph; of one vertex (leaving arcs) */
    bool directed;
    const leman_columns *columns;
} leman_shape;

/*
 * One graph, a view into its data set and valid as long as it. Vertices are 0 .. vertices-1. The arcs that leave v
 * are e = start[v] .. start[v+1]-1, with head[e] their heads in increasing order; edge columns are indexed by e too.
 * A pointer is NULL where the data set has no such column.
 */
typedef struct leman_graph {
    size_t vertices, arcs;
    bool directed;
    const uint64_t *start; /* [vertices+1] */
    const uint32_t *head;
    size_t vertex_labels, edge_labels, vertex_attributes, edge_attributes; /* columns */
    const int64_t *vertex_label;                                           /* [vertices][vertex_labels] */
    const int64_t *edge_label;                                             /* [e][edge_labels] */
    const double *vertex_attribute;                                        /* [vertices][vertex_attributes] */
    const double *edge_attribute;                                          /* [e][edge_attributes] */
} leman_graph;

/* Belongs to the data set. O(1). */
LEMAN_API const leman_shape *leman_dataset_shape(const leman_dataset *data);
/* Graph number 0 .. shape.graphs - 1; one without vertices for any other number. O(1). */
LEMAN_API leman_graph leman_dataset_graph(const leman_dataset *data, size_t graph);
/* [graphs], [graphs][targets]; NULL where there are none. A class that is not known is LEMAN_CLASS_MISSING, a target
 * that is not known is NaN. O(1). */
#define LEMAN_CLASS_MISSING INT64_MIN
LEMAN_API const int64_t *leman_dataset_classes(const leman_dataset *data);
LEMAN_API const double *leman_dataset_targets(const leman_dataset *data);
/* Not NUL-terminated; "" and *length 0 where there is no such name. vertex counts inside its graph. O(1). */
LEMAN_API const char *leman_dataset_graph_name(const leman_dataset *data, size_t graph, size_t *length);
LEMAN_API const char *leman_dataset_vertex_name(const leman_dataset *data, size_t graph, size_t vertex, size_t *length);
/* Likewise: of a column of targets, O(1); of a class that was a word in the file, O(log names). Printable UTF-8. */
LEMAN_API const char *leman_dataset_target_name(const leman_dataset *data, size_t column, size_t *length);
LEMAN_API const char *leman_dataset_class_name(const leman_dataset *data, int64_t class_label, size_t *length);

/* The column of targets that a text means, counted from 0: the name of one, exactly or, where only one has it, in any
 * case; else its number. A text in double quotes is a name. LEMAN_ERROR_INPUT, with the list of columns, where there is
 * no such column, where two have that name, and where it is the name of one column and the number of another.
 * O(columns). */
LEMAN_API leman_status leman_dataset_target_find(leman_context *ctx, const leman_dataset *data, const char *text,
                                                 size_t *column);
/* The same for several, with commas between: names, numbers and ranges of numbers, "logP,3,5-7", in their order;
 * LEMAN_ERROR_ARGUMENT where a column is named twice, so columns[] has room where it has room for all. */
LEMAN_API leman_status leman_dataset_target_list(leman_context *ctx, const leman_dataset *data, const char *text,
                                                 size_t *columns, size_t *count);
/* A new data set in which a column of targets is also the class of each graph: its numbers must be integers; where it
 * is missing, so is the class. Time and memory of the result. */
LEMAN_API leman_status leman_dataset_use_class(leman_context *ctx, const leman_dataset *data, size_t column,
                                               leman_dataset **out);
/* A new data set with this column of targets alone, and without classes. Time and memory of the result. */
LEMAN_API leman_status leman_dataset_use_target(leman_context *ctx, const leman_dataset *data, size_t column,
                                                leman_dataset **out);

/* A new data set with these classes, class_label[graphs] or NULL for none, and these targets, target[graphs][columns],
 * in place of its own; LEMAN_CLASS_MISSING, NaN for what is not known. Names of classes and targets go. Time and memory
 * of the result. */
LEMAN_API leman_status leman_dataset_set_targets(leman_context *ctx, const leman_dataset *data,
                                                 const int64_t *class_label, const double *target, size_t columns,
                                                 leman_dataset **out);

/* A new data set whose classes class_label[count], increasing, have these names in place of those they had: words,
 * printable UTF-8. A data set without classes is LEMAN_ERROR_INPUT. Time and memory of the result. */
LEMAN_API leman_status leman_dataset_set_class_names(leman_context *ctx, const leman_dataset *data,
                                                     const int64_t *class_label, const char *const *name, size_t count,
                                                     leman_dataset **out);

/* A new data set of the graphs which[0..count), in that order; repeats are allowed. Time and memory of the result. */
LEMAN_API leman_status leman_dataset_select(leman_context *ctx, const leman_dataset *data, size_t count,
                                            const size_t *which, leman_dataset **out);
/* A new data set with the kinds of columns that are not 0 in *keep, each whole. Time and memory of the result. */
LEMAN_API leman_status leman_dataset_keep(leman_context *ctx, const leman_dataset *data, const leman_columns *keep,
                                          leman_dataset **out);
LEMAN_API void leman_dataset_free(leman_dataset *data);

/* Every promise of the block (offsets, heads, order, symmetry, finite reals, names) checked; a broken one is
 * LEMAN_ERROR_INPUT with the reason. O(arcs log degree). */
LEMAN_API leman_status leman_dataset_check(leman_context *ctx, const leman_dataset *data);

/* A checksum of graphs, labels, attributes, classes and targets, the same for every format they were read from. O(its
 * memory). */
LEMAN_API uint64_t leman_dataset_checksum(const leman_dataset *data);

/* group[graphs]: molecules with the same Bemis-Murcko scaffold (rings, the chains between them, and what has a double
 * bond to these) have the same number, from 0 in the order of graphs; those without a ring are one group. *groups: how
 * many there are. Vertices need labels, and edges those of bonds. O((n + m) log n) a graph for n vertices and m edges,
 * and as much for each vertex of a scaffold of a few thousand vertices. Larger scaffolds that are not isomorphic may
 * have the same number where colour refinement does not tell them apart. */
LEMAN_API leman_status leman_dataset_scaffolds(leman_context *ctx, const leman_dataset *data, uint32_t *group,
                                               size_t *groups);

/* What has to be counted over all graphs. */
typedef struct leman_summary {
    size_t classes, vertex_labels, edge_labels; /* how many different; the columns of one item are one label */
    size_t isolated_vertices, empty_graphs;
    size_t components;          /* of all graphs, directions aside */
    size_t disconnected_graphs; /* of two or more components */
} leman_summary;
/* O(vertices + arcs). */
LEMAN_API leman_status leman_dataset_summary(leman_context *ctx, const leman_dataset *data, leman_summary *summary);

/* What a colouring of k-tuples would cost: the sum of n^k over the graphs, and the bytes that the largest graph
 * needs at once. UINT64_MAX stands for anything larger. O(graphs). */
typedef struct leman_cost {
    uint64_t tuples, bytes;
} leman_cost;
LEMAN_API leman_cost leman_dataset_cost(const leman_dataset *data, unsigned k);

/* ---- What real files get wrong --------------------------------------------------------------- */

typedef enum leman_action {
    LEMAN_ACTION_KEEP, /* as it stands */
    LEMAN_ACTION_REMOVE,
    LEMAN_ACTION_REPAIR, /* one-way edges: add the way back */
    LEMAN_ACTION_REFUSE  /* LEMAN_ERROR_INPUT */
} leman_action;
#define LEMAN_ACTION_COUNT 4
/* "keep", "remove", "repair", "refuse". */
LEMAN_API const char *leman_action_name(leman_action action);

/* docs/data.md says what each choice means; leman_policy_default() is what the comments say. */
typedef struct leman_policy {
    size_t size;                    /* leman_policy_init() sets it */
    bool directed;                  /* false: keep no directions */
    leman_action repeated_edges;    /* REMOVE (the first stays), REFUSE */
    leman_action one_way_edges;     /* REPAIR, REMOVE, REFUSE; does not apply to directed data */
    leman_action self_loops;        /* REMOVE, KEEP, REFUSE */
    leman_action isolated_vertices; /* KEEP, REMOVE, REFUSE */
    leman_action empty_graphs;      /* KEEP, REMOVE, REFUSE; gaps in graph ids become empty graphs */
    leman_action label_conflicts; /* the two ways of an edge have different labels: REPAIR (the first counts), REFUSE */
} leman_policy;

LEMAN_API void leman_policy_init(leman_policy *policy, size_t size);
static inline leman_policy leman_policy_default(void)
{
    leman_policy policy;
    leman_policy_init(&policy, sizeof policy);
    return policy;
}
/* Reads "repeated-edges=refuse,self-loops=keep" into *policy, which keeps what is not named. */
LEMAN_API leman_status leman_policy_parse(leman_context *ctx, const char *text, leman_policy *policy);
/* The rules of a policy that have an action, 0 .. LEMAN_RULE_COUNT - 1, for lists and forms: "repeated-edges", NULL for
 * other numbers; and whether the rule takes that action. */
#define LEMAN_RULE_COUNT 6
LEMAN_API const char *leman_policy_rule(size_t rule);
LEMAN_API bool leman_policy_allows(size_t rule, leman_action action);

/* What cleaning found and, by the policy, changed: how many of each. */
typedef struct leman_cleaning {
    uint64_t repeated_edges;    /* found; all but the first of equal ones are removed */
    uint64_t one_way_edges;     /* found; made two-way, or removed */
    uint64_t self_loops;        /* found; removed, or kept */
    uint64_t isolated_vertices; /* found; kept, or removed */
    uint64_t empty_graphs;      /* found; kept, or removed */
    uint64_t label_conflicts;   /* edges with two different labels that got the first */
    uint64_t moved_vertices;    /* that did not stand with the others of their graph, and were put there */
} leman_cleaning;

/* ---- Building a data set in memory ----------------------------------------------------------- */

/* Graphs are added one after the other, each with its vertices, then its edges. A builder works in its context, which
 * also gets its sentences, and is freed before it. A call that fails adds nothing. */
typedef struct leman_builder leman_builder;

LEMAN_API leman_status leman_builder_new(leman_context *ctx, const char *name, const leman_columns *columns,
                                         leman_builder **out);
/* The names of all columns of targets, names[columns.targets]; NULL or "" for one that has none. Printable UTF-8. */
LEMAN_API leman_status leman_builder_target_names(leman_builder *builder, const char *const *names);
/* A class was a word: the name of one value of the classes, once for each. Printable UTF-8. */
LEMAN_API leman_status leman_builder_class_name(leman_builder *builder, int64_t class_label, const char *name);
/* Begins the next graph. class_label and targets are NULL, or what the columns promise: NaN, LEMAN_CLASS_MISSING for
 * what is not known. name may be NULL. */
LEMAN_API leman_status leman_builder_graph(leman_builder *builder, const char *name, const int64_t *class_label,
                                           const double *targets);
/* Adds a vertex to the current graph; the first is number 0. Pointers as the columns promise. */
LEMAN_API leman_status leman_builder_vertex(leman_builder *builder, const char *name, const int64_t *labels,
                                            const double *attributes);
/* Adds an edge between two vertices of the current graph that are already there. */
LEMAN_API leman_status leman_builder_edge(leman_builder *builder, size_t tail, size_t head, const int64_t *labels,
                                          const double *attributes);
/* Many graphs as flat arrays. Pointers are as the columns of the builder promise, and NULL where there is no such
 * column; columns of one item lie side by side. */
typedef struct leman_graph_arrays {
    size_t size; /* leman_graph_arrays_init() sets it */
    size_t graphs, edges;
    const uint64_t *vertex_start; /* [graphs+1] graph i has the vertices vertex_start[i] .. vertex_start[i+1]-1; the
                                     first is 0. NULL: no graphs */
    const int64_t *tail, *head;   /* [edges] vertices by these numbers, both of one graph; edges in any order */
    const int64_t *vertex_label, *edge_label;
    const double *vertex_attribute, *edge_attribute;
    const int64_t *class_label;     /* [graphs] */
    const double *target;           /* [graphs][targets] */
    const char *const *graph_name;  /* [graphs], each may be NULL */
    const char *const *vertex_name; /* [vertices], likewise */
} leman_graph_arrays;

/* No graphs. */
LEMAN_API void leman_graph_arrays_init(leman_graph_arrays *arrays, size_t size);
static inline leman_graph_arrays leman_graph_arrays_default(void)
{
    leman_graph_arrays arrays;
    leman_graph_arrays_init(&arrays, sizeof arrays);
    return arrays;
}
/* Adds them all behind the graphs that are there. The arrays are copied. O(vertices + edges). */
LEMAN_API leman_status leman_builder_arrays(leman_builder *builder, const leman_graph_arrays *arrays);
/* Applies the policy (NULL: the default), says in *cleaning (may be NULL) what that did, and makes the data set. The
 * builder is left empty, unless an argument is wrong. */
LEMAN_API leman_status leman_builder_finish(leman_builder *builder, const leman_policy *policy,
                                            leman_cleaning *cleaning, leman_dataset **out);
LEMAN_API void leman_builder_free(leman_builder *builder);

/* ---- Families of graphs ---------------------------------------------------------------------- */

typedef enum leman_family {
    LEMAN_FAMILY_CFI, /* the pair G_k, H_k of the paper's appendix, on the complete graph with k+1 vertices */
    LEMAN_FAMILY_CSL, /* circular skip links: a cycle with chords of length `skips` */
    LEMAN_FAMILY_ROOK_SHRIKHANDE, /* the 4x4 rook's graph and the Shrikhande graph */
    LEMAN_FAMILY_CYCLES,          /* one cycle of 2n vertices and two cycles of n */
    LEMAN_FAMILY_PATH,
    LEMAN_FAMILY_CYCLE,
    LEMAN_FAMILY_COMPLETE,
    LEMAN_FAMILY_GRID,
    LEMAN_FAMILY_PETERSEN,
    LEMAN_FAMILY_RANDOM,    /* G(n, p) */
    LEMAN_FAMILY_REGULAR,   /* random d-regular */
    LEMAN_FAMILY_MOLECULES, /* labelled, molecule-like; class by a ring pattern that colour refinement cannot see */
    LEMAN_FAMILY_POWER_LAW  /* preferential attachment: each vertex joined to `degree` earlier ones */
} leman_family;
#define LEMAN_FAMILY_COUNT 13
/* "cfi", "csl", "rook-shrikhande", "cycles", "path", "cycle", "complete", "grid", "petersen", "random", "regular",
 * "molecules", "power-law". */
LEMAN_API const char *leman_family_name(leman_family family);
LEMAN_API leman_status leman_family_parse(leman_context *ctx, const char *name, leman_family *family);

typedef struct leman_family_options {
    size_t size;     /* leman_family_options_init() sets it */
    unsigned k;      /* CFI */
    size_t graphs;   /* how many of each; 0: the family's default. Beyond the first: copies with shuffled vertices */
    size_t vertices; /* of each graph (MOLECULES: about); 0: the family's default */
    size_t rows, columns; /* GRID */
    size_t degree;        /* REGULAR, POWER_LAW */
    double probability;   /* RANDOM */
    const size_t *skips;  /* CSL; NULL: the ten of the usual benchmark */
    size_t skip_count;
    uint64_t seed;
} leman_family_options;

LEMAN_API void leman_family_options_init(leman_family_options *options, size_t size);
static inline leman_family_options leman_family_options_default(void)
{
    leman_family_options options;
    leman_family_options_init(&options, sizeof options);
    return options;
}
/* docs/generators.md describes each family. Graph i depends on the seed and on i alone, not on how many there are.
 * options NULL: the default. O(vertices + edges) of the result; REGULAR up to O(edges * degree). */
LEMAN_API leman_status leman_dataset_generate(leman_context *ctx, leman_family family,
                                              const leman_family_options *options, leman_dataset **out);

/* A copy of the data in which every graph has one more vertex, marked by an extra label column and joined to all
 * others: makes disconnected graphs connected. */
LEMAN_API leman_status leman_dataset_apex(leman_context *ctx, const leman_dataset *data, leman_dataset **out);
#ifdef __cplusplus
}
#endif
#endif
