/*
 * leman/graph.h - data sets and graphs: contents, cleaning, construction and generation.
 */
#ifndef LEMAN_GRAPH_H
#define LEMAN_GRAPH_H

#include "leman/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Data sets and graphs -------------------------------------------------------------------- */

/* Many graphs in one flat, immutable block. Labels are the integers of the file; attributes are reals. */
typedef struct leman_dataset leman_dataset;

/* The number of columns of each kind. The columns of one item are adjacent: label[item * columns + column]. */
typedef struct leman_columns {
    size_t vertex_labels, edge_labels; /* of each vertex, of each arc */
    size_t vertex_attributes, edge_attributes;
    size_t targets; /* reals of each graph that are to be predicted */
    bool classes;   /* each graph has one integer as its class */
    bool graph_names, vertex_names;
    size_t reserved[4]; /* must be 0, otherwise LEMAN_ERROR_ARGUMENT */
} leman_columns;

typedef struct leman_shape {
    const char *name;
    size_t graphs, vertices;
    size_t arcs;  /* an undirected edge is two arcs, a self-loop one */
    size_t edges; /* in undirected data each edge once; in directed data the arcs */
    size_t loops;
    size_t max_vertices, max_degree; /* of any graph; of any vertex, counting leaving arcs */
    bool directed;
    const leman_columns *columns;
} leman_shape;

/*
 * One graph: a view into its data set, valid as long as the data set. Vertices are 0 .. vertices-1. The arcs that leave
 * vertex v are e = start[v] .. start[v+1]-1. Arc e ends in vertex head[e]; the heads of one vertex increase. Labels and
 * attributes of edges are also indexed by e. A pointer is NULL if the data set has no such column.
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
    /* [e] of a molecule from SMILES with / and \: 1 if the head is written above the tail, -1 if below, 0 without a
     * mark. Two arcs from the ends of a double bond say on which sides of the bond their heads are. NULL: no marks */
    const int8_t *arc_side;
} leman_graph;

/* Returns the sizes of the data set. They belong to the data set. O(1). */
LEMAN_API const leman_shape *leman_dataset_shape(const leman_dataset *data);
/* Returns graph number 0 .. shape.graphs - 1; a graph without vertices for any other number. O(1). */
LEMAN_API leman_graph leman_dataset_graph(const leman_dataset *data, size_t graph);
/* Returns how the graphs were read: a code of the options that change graphs, such as how molecules are represented and
 * what the policy does to self-loops. leman/io.h has the functions that explain it. 0: not known, as for graphs that
 * were made in memory. O(1). */
LEMAN_API uint64_t leman_dataset_reading(const leman_dataset *data);
/* Return the classes [graphs] and the targets [graphs][targets]; NULL if the data set has none. An unknown class is
 * LEMAN_CLASS_MISSING, an unknown target is NaN. O(1). */
#define LEMAN_CLASS_MISSING INT64_MIN
/* Not a label: an edge has those labels that stand before the first such value. Parallel edges of a multigraph, which are
 * one edge with the labels of all of them (leman_policy), are the reason. */
#define LEMAN_EDGE_LABEL_NONE INT64_MIN
LEMAN_API const int64_t *leman_dataset_classes(const leman_dataset *data);
LEMAN_API const double *leman_dataset_targets(const leman_dataset *data);
/* Return the name of a graph, and of a vertex counted inside its graph. The text is not NUL-terminated; *length is its
 * length. Without such a name the text is "" and *length 0. O(1). */
LEMAN_API const char *leman_dataset_graph_name(const leman_dataset *data, size_t graph, size_t *length);
LEMAN_API const char *leman_dataset_vertex_name(const leman_dataset *data, size_t graph, size_t vertex, size_t *length);
/* Return, as leman_dataset_graph_name() does, the name of a target column, in O(1), and the name of a class that was a
 * word in the file, in O(log names). Names are printable UTF-8. */
LEMAN_API const char *leman_dataset_target_name(const leman_dataset *data, size_t column, size_t *length);
LEMAN_API const char *leman_dataset_class_name(const leman_dataset *data, int64_t class_label, size_t *length);

/* Finds the target column, counted from 0, that a text names: by its exact name, or by its name in upper or lower case
 * if only one column matches, or by its number. A text in double quotes is always a name. Fails with LEMAN_ERROR_INPUT,
 * and lists the columns, if there is no such column, if two columns have the name, or if the text is the name of one
 * column and the number of another. O(columns). */
LEMAN_API leman_status leman_dataset_target_find(leman_context *ctx, const leman_dataset *data, const char *text,
                                                 size_t *column);
/* Returns the target column of that name, exact or, if only one column matches, in upper or lower case; SIZE_MAX if there
 * is none or several. The text is no number of a column. O(columns). */
LEMAN_API size_t leman_dataset_target_named(const leman_dataset *data, const char *name);
/* Finds several target columns, each as in leman_dataset_target_find(). The text is a list, separated by commas, of
 * names, numbers and ranges of numbers: "logP,3,5-7". Writes the columns in the order of the text and their number to
 * *count; columns[] needs space for all target columns. A column that occurs twice fails with LEMAN_ERROR_ARGUMENT. On
 * failure *count is not changed, but columns[] may be. */
LEMAN_API leman_status leman_dataset_target_list(leman_context *ctx, const leman_dataset *data, const char *text,
                                                 size_t *columns, size_t *count);
/* Makes a data set in which the values of a target column are also the classes. The values must be integers, otherwise
 * LEMAN_ERROR_INPUT; a missing value is a missing class. Time and memory: O(result). */
LEMAN_API leman_status leman_dataset_use_class(leman_context *ctx, const leman_dataset *data, size_t column,
                                               leman_dataset **out);
/* Makes a data set that has only this target column, and no classes. Time and memory: O(result). */
LEMAN_API leman_status leman_dataset_use_target(leman_context *ctx, const leman_dataset *data, size_t column,
                                                leman_dataset **out);

/* Makes a data set whose classes and targets are replaced by class_label[graphs], NULL for none, and
 * target[graphs][columns]. Unknown values are LEMAN_CLASS_MISSING and NaN. Names of classes and targets are dropped.
 * Time and memory: O(result). */
LEMAN_API leman_status leman_dataset_set_targets(leman_context *ctx, const leman_dataset *data,
                                                 const int64_t *class_label, const double *target, size_t columns,
                                                 leman_dataset **out);

/* Makes a data set whose class names are replaced: class class_label[i] is called name[i]. Labels must increase, and
 * names must be printable UTF-8. Fails with LEMAN_ERROR_INPUT if there are no classes. Time and memory: O(result). */
LEMAN_API leman_status leman_dataset_set_class_names(leman_context *ctx, const leman_dataset *data,
                                                     const int64_t *class_label, const char *const *name, size_t count,
                                                     leman_dataset **out);

/* Makes a data set of the graphs which[0..count), in this order; repeats are allowed. Time and memory: O(result). */
LEMAN_API leman_status leman_dataset_select(leman_context *ctx, const leman_dataset *data, size_t count,
                                            const size_t *which, leman_dataset **out);
/* Makes a data set with all columns of the kinds that are not 0 in *keep. Time and memory: O(result). */
LEMAN_API leman_status leman_dataset_keep(leman_context *ctx, const leman_dataset *data, const leman_columns *keep,
                                          leman_dataset **out);
/* Makes a copy of the data with standardised vertex attributes: x becomes (x - mean) / deviation, with the mean and the
 * standard deviation of its column over all vertices of `like`, or of the data if `like` is NULL. A column that is
 * constant in `like` is only shifted. Data without vertex attributes is copied. Fails with LEMAN_ERROR_INPUT if the two
 * have different numbers of columns. O(size of the data). */
LEMAN_API leman_status leman_dataset_standardize(leman_context *ctx, const leman_dataset *data,
                                                 const leman_dataset *like, leman_dataset **out);
/* Makes a copy of the data in which attributes are labels, for colourings: an attribute x becomes x * 10^digits, rounded
 * to the nearest integer (the even one of two), in a column after those of the labels. digits is 0 to 15. The two arcs of
 * an undirected edge get the smaller of their two lists of labels. Fails with LEMAN_ERROR_INPUT if an integer does not fit
 * into 64 bits. Time and memory: O(result). */
LEMAN_API leman_status leman_dataset_round_attributes(leman_context *ctx, const leman_dataset *data, unsigned digits,
                                                      leman_dataset **out);
LEMAN_API void leman_dataset_free(leman_dataset *data);

/* What numbers describe: a whole graph, each of its vertices or each of its edges. */
typedef enum leman_level { LEMAN_LEVEL_GRAPH, LEMAN_LEVEL_VERTEX, LEMAN_LEVEL_EDGE } leman_level;
#define LEMAN_LEVEL_COUNT 3
/* Names: "graph", "vertex", "edge". */
LEMAN_API const char *leman_level_name(leman_level level);
LEMAN_API leman_status leman_level_parse(leman_context *ctx, const char *name, leman_level *level);
/* Makes a data set of the rows of a level: every graph, vertex or arc of the data becomes a graph without vertices, in
 * the order of the data, whose targets are the targets of the graph, or the attributes of the vertex or of the arc. So
 * whatever judges targets judges attributes too. Time and memory: O(result). */
LEMAN_API leman_status leman_dataset_rows(leman_context *ctx, const leman_dataset *data, leman_level level,
                                          leman_dataset **out);

/* Checks every property that a data set must have (offsets, heads, order, symmetry, finite reals, names). Fails with
 * LEMAN_ERROR_INPUT and the reason if one is violated. O(arcs log degree). */
LEMAN_API leman_status leman_dataset_check(leman_context *ctx, const leman_dataset *data);

/* Returns a checksum of graphs, labels, attributes, classes and targets, but not of names. It does not depend on the
 * file format that they were read from. O(memory of the data set). */
LEMAN_API uint64_t leman_dataset_checksum(const leman_dataset *data);

/* Writes to group[graphs] a number for each molecule, and to *groups how many groups there are. Molecules with the same
 * Bemis-Murcko scaffold (rings, chains between rings, and atoms with a double bond to these) have the same number;
 * molecules without a ring are one group. Groups are numbered from 0 in the order of their first molecules. Fails with
 * LEMAN_ERROR_INPUT if vertices or edges have no labels; edge labels must be those of bonds. Time for a graph of n
 * vertices and m edges: O((n + m) log n), and the same again for each vertex of its scaffold; a fixed limit on the
 * second term is reached at a few thousand vertices. Larger scaffolds that are not isomorphic, but that colour
 * refinement does not distinguish, may get the same number. */
LEMAN_API leman_status leman_dataset_scaffolds(leman_context *ctx, const leman_dataset *data, uint32_t *group,
                                               size_t *groups);

/* Counts over all graphs. */
typedef struct leman_summary {
    size_t classes, vertex_labels, edge_labels; /* different ones; the columns of one item are one label */
    size_t isolated_vertices, empty_graphs;
    size_t components;          /* of all graphs, ignoring directions */
    size_t disconnected_graphs; /* graphs with two or more components */
} leman_summary;
/* Computes these counts. O(vertices + arcs). */
LEMAN_API leman_status leman_dataset_summary(leman_context *ctx, const leman_dataset *data, leman_summary *summary);

/* The cost of a colouring of k-tuples: the sum of n^k over the graphs, and the bytes that the largest graph needs.
 * UINT64_MAX means this number or more. O(graphs). */
typedef struct leman_cost {
    uint64_t tuples, bytes;
} leman_cost;
LEMAN_API leman_cost leman_dataset_cost(const leman_dataset *data, unsigned k);

/* ---- Errors in files ------------------------------------------------------------------------- */

typedef enum leman_action {
    LEMAN_ACTION_KEEP, /* leave unchanged */
    LEMAN_ACTION_REMOVE,
    LEMAN_ACTION_REPAIR, /* one-way edges: add the reverse arc */
    LEMAN_ACTION_REFUSE, /* fail with LEMAN_ERROR_INPUT */
    LEMAN_ACTION_REPORT  /* leave unchanged, but count and name the first */
} leman_action;
#define LEMAN_ACTION_COUNT 5
/* Names: "keep", "remove", "repair", "refuse", "report". */
LEMAN_API const char *leman_action_name(leman_action action);

/* How files are cleaned. Each comment lists the allowed actions, the default first; docs/data.md explains them. */
typedef struct leman_policy {
    size_t size;                    /* leman_policy_init() sets it */
    bool directed;                  /* false, the default: ignore directions */
    leman_action repeated_edges;    /* REMOVE (all but the first), KEEP (one edge, labels of all), REFUSE */
    leman_action one_way_edges;     /* REPAIR, REMOVE, REFUSE; not used for directed data */
    leman_action self_loops;        /* REMOVE, KEEP, REFUSE */
    leman_action isolated_vertices; /* KEEP, REMOVE, REFUSE */
    leman_action empty_graphs;      /* KEEP, REMOVE, REFUSE; gaps in graph ids become empty graphs */
    leman_action label_conflicts;   /* the two arcs of an edge differ in labels: REPAIR (use the first), REFUSE */
    leman_action valence; /* SMILES and SDF: molecules that cannot exist: REPORT, KEEP (not checked), REFUSE */
} leman_policy;

LEMAN_API void leman_policy_init(leman_policy *policy, size_t size);
static inline leman_policy leman_policy_default(void)
{
    leman_policy policy;
    leman_policy_init(&policy, sizeof policy);
    return policy;
}
/* Parses a list such as "repeated-edges=refuse,self-loops=keep" into *policy. Rules that are not named keep their
 * actions. An unknown rule or action fails with LEMAN_ERROR_ARGUMENT. */
LEMAN_API leman_status leman_policy_parse(leman_context *ctx, const char *text, leman_policy *policy);
/* Rules are the members of leman_policy that are actions, numbered 0 .. LEMAN_RULE_COUNT - 1. leman_policy_rule()
 * returns the name of a rule, "repeated-edges", or NULL for other numbers. leman_policy_allows() returns true if the
 * action is allowed for the rule. */
#define LEMAN_RULE_COUNT 7
LEMAN_API const char *leman_policy_rule(size_t rule);
LEMAN_API bool leman_policy_allows(size_t rule, leman_action action);

/* What cleaning found; the policy decides what is done about it. */
typedef struct leman_cleaning {
    uint64_t repeated_edges;    /* found; removed, except the first of equal edges */
    uint64_t one_way_edges;     /* found; repaired or removed */
    uint64_t self_loops;        /* found; removed or kept */
    uint64_t isolated_vertices; /* found; kept or removed */
    uint64_t empty_graphs;      /* found; kept or removed */
    uint64_t label_conflicts;   /* edges with two different labels; the first label is used */
    uint64_t moved_vertices;    /* vertices apart from the others of their graph in the file; moved to them */
    uint64_t
        impossible_molecules;   /* reported: a valence, aromatic ring or aromatic atom cannot exist; left unchanged */
    char first_impossible[384]; /* "FILE:LINE: found ..." of the first of them */
} leman_cleaning;

/* ---- Building a data set in memory ----------------------------------------------------------- */

/* Builds a data set graph by graph: first the graph, then its vertices, then its edges. A builder uses its context,
 * which also gets the messages of failures, and must be freed before the context. A call that fails adds nothing. */
typedef struct leman_builder leman_builder;

/* Makes an empty builder for a data set with this name and these columns. */
LEMAN_API leman_status leman_builder_new(leman_context *ctx, const char *name, const leman_columns *columns,
                                         leman_builder **out);
/* Sets the names of all target columns, names[columns.targets]: printable UTF-8, NULL or "" for no name. */
LEMAN_API leman_status leman_builder_target_names(leman_builder *builder, const char *const *names);
/* Sets the name of one class, for classes that are words: printable UTF-8, once for each class. */
LEMAN_API leman_status leman_builder_class_name(leman_builder *builder, int64_t class_label, const char *name);
/* Begins the next graph. class_label and targets are NULL without such columns; unknown values are LEMAN_CLASS_MISSING
 * and NaN. name may be NULL. */
LEMAN_API leman_status leman_builder_graph(leman_builder *builder, const char *name, const int64_t *class_label,
                                           const double *targets);
/* Adds a vertex, numbered from 0, to the current graph; labels and attributes are NULL without such columns. */
LEMAN_API leman_status leman_builder_vertex(leman_builder *builder, const char *name, const int64_t *labels,
                                            const double *attributes);
/* Adds an edge to the current graph; labels and attributes are NULL without such columns. Fails with LEMAN_ERROR_INPUT
 * if the graph does not have both vertices yet. */
LEMAN_API leman_status leman_builder_edge(leman_builder *builder, size_t tail, size_t head, const int64_t *labels,
                                          const double *attributes);
/* Many graphs as flat arrays; NULL for columns that the builder does not have. Columns of one item are adjacent. */
typedef struct leman_graph_arrays {
    size_t size; /* leman_graph_arrays_init() sets it */
    size_t graphs, edges;
    const uint64_t *vertex_start; /* [graphs+1] graph i has the vertices vertex_start[i] .. vertex_start[i+1]-1; the
                                     first is 0. NULL: no graphs */
    const int64_t *tail, *head;   /* [edges] vertices, counted over all graphs, both of one graph; in any order */
    const int64_t *vertex_label, *edge_label;
    const double *vertex_attribute, *edge_attribute;
    const int64_t *class_label;     /* [graphs] */
    const double *target;           /* [graphs][targets] */
    const char *const *graph_name;  /* [graphs], each may be NULL */
    const char *const *vertex_name; /* [vertices], each may be NULL */
} leman_graph_arrays;

/* Sets arrays without graphs. */
LEMAN_API void leman_graph_arrays_init(leman_graph_arrays *arrays, size_t size);
static inline leman_graph_arrays leman_graph_arrays_default(void)
{
    leman_graph_arrays arrays;
    leman_graph_arrays_init(&arrays, sizeof arrays);
    return arrays;
}
/* Appends all graphs of the arrays, which are copied. An edge with a vertex out of range or in two graphs fails with
 * LEMAN_ERROR_INPUT. O(vertices + edges). */
LEMAN_API leman_status leman_builder_arrays(leman_builder *builder, const leman_graph_arrays *arrays);
/* Applies the policy (NULL: the default) and makes the data set. *cleaning, which may be NULL, gets what the policy
 * found. The builder is empty afterwards, also after a failure, except one caused by a wrong argument. */
LEMAN_API leman_status leman_builder_finish(leman_builder *builder, const leman_policy *policy,
                                            leman_cleaning *cleaning, leman_dataset **out);
LEMAN_API void leman_builder_free(leman_builder *builder);

/* ---- Families of graphs ---------------------------------------------------------------------- */

typedef enum leman_family {
    LEMAN_FAMILY_CFI, /* the pair G_k, H_k of the paper's appendix, on the complete graph with k+1 vertices or on `base` */
    LEMAN_FAMILY_CSL,             /* circular skip links: a cycle with chords of length `skips` */
    LEMAN_FAMILY_ROOK_SHRIKHANDE, /* the 4x4 rook's graph and the Shrikhande graph */
    LEMAN_FAMILY_CYCLES,          /* one cycle of 2n vertices; two disjoint cycles of n vertices */
    LEMAN_FAMILY_PATH,
    LEMAN_FAMILY_CYCLE,
    LEMAN_FAMILY_COMPLETE,
    LEMAN_FAMILY_GRID,
    LEMAN_FAMILY_PETERSEN,
    LEMAN_FAMILY_RANDOM,    /* G(n, p) */
    LEMAN_FAMILY_REGULAR,   /* random d-regular */
    LEMAN_FAMILY_MOLECULES, /* labelled, like molecules; a ring pattern that colour refinement misses is the class */
    LEMAN_FAMILY_POWER_LAW, /* preferential attachment: each vertex is joined to `degree` earlier ones */
    LEMAN_FAMILY_COUNTS     /* G(n, p) with exact counts of subgraphs and homomorphisms as targets */
} leman_family;
#define LEMAN_FAMILY_COUNT 14
/* Names: "cfi", "csl", "rook-shrikhande", "cycles", "path", "cycle", "complete", "grid", "petersen", "random",
 * "regular", "molecules", "power-law", "counts". */
LEMAN_API const char *leman_family_name(leman_family family);
LEMAN_API leman_status leman_family_parse(leman_context *ctx, const char *name, leman_family *family);

typedef struct leman_family_options {
    size_t size;          /* leman_family_options_init() sets it */
    unsigned k;           /* CFI */
    size_t graphs;        /* copies of each graph, random graphs drawn anew, others shuffled; 0: the family's default */
    size_t vertices;      /* of each graph (MOLECULES: approximately); 0: the family's default */
    size_t rows, columns; /* GRID */
    size_t degree;        /* REGULAR, POWER_LAW */
    double probability;   /* RANDOM, COUNTS */
    const size_t *skips;  /* CSL; NULL: the ten skips of the usual benchmark */
    size_t skip_count;
    uint64_t seed;
    /* CFI: base graphs, each of which gives a pair in place of the complete graph; NULL: none. Base graphs are undirected
     * and connected, without self-loops, of degree 2 or more everywhere, otherwise LEMAN_ERROR_INPUT. Labels are not
     * used. A vertex of degree d gives 2^(d-1) vertices. */
    const leman_dataset *base;
    leman_level level; /* COUNTS: VERTEX or EDGE adds the counts through each vertex or edge, as its attributes */
} leman_family_options;

/* Returns the name of the pattern that target i of COUNTS counts, "cycle3" and so on; NULL from i =
 * LEMAN_COUNTED_PATTERNS on. Attributes of vertices and edges have the same order. */
#define LEMAN_COUNTED_PATTERNS 13
LEMAN_API const char *leman_counted_pattern_name(size_t i);

LEMAN_API void leman_family_options_init(leman_family_options *options, size_t size);
static inline leman_family_options leman_family_options_default(void)
{
    leman_family_options options;
    leman_family_options_init(&options, sizeof options);
    return options;
}
/* Generates graphs of a family; docs/generators.md describes each. options may be NULL: the default. Graph i depends
 * only on the seed and on i, not on the number of graphs. Parameters that the family does not allow fail with
 * LEMAN_ERROR_ARGUMENT. Time: O(vertices + edges) of the result; REGULAR up to O(edges * degree), COUNTS O(vertices *
 * degree^5) for each graph. */
LEMAN_API leman_status leman_dataset_generate(leman_context *ctx, leman_family family,
                                              const leman_family_options *options, leman_dataset **out);

/* Makes a copy of the data, without names of graphs and vertices, in which every graph has one additional vertex. The
 * new vertex is joined to all others, so that every graph is connected, and marked by an additional label column. */
LEMAN_API leman_status leman_dataset_apex(leman_context *ctx, const leman_dataset *data, leman_dataset **out);
#ifdef __cplusplus
}
#endif
#endif
