/*
 * leman.h - sparse higher-order Weisfeiler-Leman: data sets, colourings, kernels, evaluation.
 *
 * The library never prints, never exits and keeps no global state. Every call that can fail returns a leman_status;
 * the sentence that goes with it is leman_context_message(). A context serves one thread of the caller at a time and
 * may run several threads of its own; their number never changes a result. On failure, outputs are left untouched.
 *
 *   leman_context *ctx = NULL;
 *   leman_dataset *data = NULL;
 *   leman_settings settings = leman_settings_default();
 *   if (leman_context_new(&settings, &ctx)) abort();
 *   if (leman_dataset_read(ctx, "MUTAG.zip", NULL, NULL, &data))
 *       fprintf(stderr, "%s\n", leman_context_message(ctx));
 *   leman_dataset_free(data);
 *   leman_context_free(ctx);
 */
#ifndef LEMAN_H
#define LEMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LEMAN_API __attribute__((visibility("default")))
#else
#define LEMAN_API
#endif

/* ---- Version and status ---------------------------------------------------------------------- */

#define LEMAN_VERSION_MAJOR 0
#define LEMAN_VERSION_MINOR 1
#define LEMAN_VERSION_PATCH 0

/* "0.1.0", of the library that is running. */
LEMAN_API const char *leman_version(void);

typedef enum leman_status {
    LEMAN_OK = 0,
    LEMAN_ERROR_MEMORY,      /* an allocation failed */
    LEMAN_ERROR_BUDGET,      /* the work would need more than the memory budget */
    LEMAN_ERROR_ARGUMENT,    /* the caller asked for something that does not exist */
    LEMAN_ERROR_INPUT,       /* a file or a graph is not what its format promises */
    LEMAN_ERROR_FILE,        /* the system refused to open, read, write or rename a file */
    LEMAN_ERROR_NETWORK,     /* a download failed */
    LEMAN_ERROR_CANCELLED,   /* the progress callback said stop */
    LEMAN_ERROR_UNSUPPORTED, /* an optional part is not in this build */
    LEMAN_ERROR_INTERNAL     /* a check of the library on itself failed; please report it */
} leman_status;

/* A few words for a status ("out of memory"); never NULL. */
LEMAN_API const char *leman_status_name(leman_status status);

/* ---- Context --------------------------------------------------------------------------------- */

typedef struct leman_context leman_context;

typedef struct leman_progress {
    const char *task;     /* what is being done: "reading NCI1_A.txt" */
    uint64_t done, total; /* total is 0 where it is not known */
    double seconds;       /* since the task began */
} leman_progress;

typedef struct leman_settings {
    int threads;   /* 0: all that the machine has */
    size_t memory; /* bytes that large arrays may take, Gram matrices too; 0: three quarters of what is free then */
    uint64_t seed; /* of everything random */

    /* All three or none; none means malloc, realloc, free. allocate and reallocate may return NULL. */
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *pointer, size_t size);
    void (*release)(void *user, void *pointer);
    void *allocator_user;

    /* Called a few times a second, and before every wait for a pipe, from the caller's thread; false stops the work
     * with LEMAN_ERROR_CANCELLED. */
    bool (*progress)(void *user, const leman_progress *progress);
    /* One sentence about something that was noticed or changed, without a newline. */
    void (*log)(void *user, const char *message);
    void *callback_user;
} leman_settings;

LEMAN_API leman_settings leman_settings_default(void);

/* The settings are copied. The context is freed with leman_context_free(), after everything made with it. */
LEMAN_API leman_status leman_context_new(const leman_settings *settings, leman_context **context);
LEMAN_API void leman_context_free(leman_context *context);

/* The sentence of the last failure; "" if there was none. Owned by the context, valid until its next call. */
LEMAN_API const char *leman_context_message(const leman_context *context);

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
} leman_columns;

typedef struct leman_shape {
    const char *name;
    size_t graphs, vertices;
    size_t arcs;  /* an undirected edge is two arcs, a self-loop one */
    size_t edges; /* undirected: each edge once; directed: the arcs */
    size_t loops;
    size_t max_vertices, max_degree; /* of one graph; of one vertex (leaving arcs) */
    bool directed;
    leman_columns columns;
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

LEMAN_API leman_shape leman_dataset_shape(const leman_dataset *data);
/* graph < shape.graphs. O(1). */
LEMAN_API leman_graph leman_dataset_graph(const leman_dataset *data, size_t graph);
/* [graphs], [graphs][targets]; NULL where there are none. */
LEMAN_API const int64_t *leman_dataset_classes(const leman_dataset *data);
LEMAN_API const double *leman_dataset_targets(const leman_dataset *data);
/* Not NUL-terminated; *length is 0 where there are no names. vertex counts inside its graph. */
LEMAN_API const char *leman_dataset_graph_name(const leman_dataset *data, size_t graph, size_t *length);
LEMAN_API const char *leman_dataset_vertex_name(const leman_dataset *data, size_t graph, size_t vertex, size_t *length);

/* A new data set of the graphs which[0..count), in that order; repeats are allowed. Time and memory of the result. */
LEMAN_API leman_status leman_dataset_select(leman_context *ctx, const leman_dataset *data, size_t count,
                                            const size_t *which, leman_dataset **out);
/* A new data set with the kinds of columns that are not 0 in *keep, each whole. Time and memory of the result. */
LEMAN_API leman_status leman_dataset_keep(leman_context *ctx, const leman_dataset *data, const leman_columns *keep,
                                          leman_dataset **out);
LEMAN_API void leman_dataset_free(leman_dataset *data);

/* Every promise of the block (offsets, heads, order, symmetry, finite reals) checked; a broken one is LEMAN_ERROR_INPUT
 * with the reason. O(arcs log degree). */
LEMAN_API leman_status leman_dataset_check(leman_context *ctx, const leman_dataset *data);

/* A checksum of graphs, labels, attributes, classes and targets, the same for every format they were read from. */
LEMAN_API uint64_t leman_dataset_checksum(const leman_dataset *data);

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
 * needs at once. UINT64_MAX stands for anything larger. */
typedef struct leman_cost {
    uint64_t tuples, bytes;
} leman_cost;
LEMAN_API leman_cost leman_dataset_cost(const leman_dataset *data, unsigned k);

/* ---- What real files get wrong --------------------------------------------------------------- */

typedef enum leman_action {
    LEMAN_KEEP, /* as it stands */
    LEMAN_REMOVE,
    LEMAN_REPAIR, /* one-way edges: add the way back */
    LEMAN_REFUSE  /* LEMAN_ERROR_INPUT */
} leman_action;

/* docs/data.md says what each choice means; leman_policy_default() is what the comments say. */
typedef struct leman_policy {
    bool directed;                  /* false: keep no directions */
    leman_action repeated_edges;    /* REMOVE (the first stays), REFUSE */
    leman_action one_way_edges;     /* REPAIR, REMOVE, REFUSE; does not apply to directed data */
    leman_action self_loops;        /* REMOVE, KEEP, REFUSE */
    leman_action isolated_vertices; /* KEEP, REMOVE, REFUSE */
    leman_action empty_graphs;      /* KEEP, REMOVE, REFUSE; gaps in graph ids become empty graphs */
    leman_action label_conflicts; /* the two ways of an edge have different labels: REPAIR (the first counts), REFUSE */
} leman_policy;

LEMAN_API leman_policy leman_policy_default(void);
/* Reads "repeated-edges=refuse,self-loops=keep" into *policy, which keeps what is not named. */
LEMAN_API leman_status leman_policy_parse(leman_context *ctx, const char *text, leman_policy *policy);

/* What was found and, by the policy, changed. */
typedef struct leman_report {
    uint64_t repeated_edges; /* removed */
    uint64_t one_way_edges;  /* made two-way, or removed */
    uint64_t self_loops;
    uint64_t isolated_vertices;
    uint64_t empty_graphs;
    uint64_t label_conflicts;
    uint64_t moved_vertices; /* whose graph's vertices did not stand together */
} leman_report;

/* ---- Building a data set in memory ----------------------------------------------------------- */

/* Graphs are added one after the other, each with its vertices, then its edges. */
typedef struct leman_builder leman_builder;

LEMAN_API leman_status leman_builder_new(leman_context *ctx, const char *name, const leman_columns *columns,
                                         leman_builder **out);
/* Begins the next graph. class_label and targets are NULL, or what the columns promise. name may be NULL. */
LEMAN_API leman_status leman_builder_graph(leman_builder *builder, const char *name, const int64_t *class_label,
                                           const double *targets);
/* Adds a vertex to the current graph; the first is number 0. Pointers as the columns promise. */
LEMAN_API leman_status leman_builder_vertex(leman_builder *builder, const char *name, const int64_t *labels,
                                            const double *attributes);
/* Adds an edge between two vertices of the current graph that are already there. */
LEMAN_API leman_status leman_builder_edge(leman_builder *builder, size_t tail, size_t head, const int64_t *labels,
                                          const double *attributes);
/* Applies the policy (NULL: the default), reports (may be NULL), and makes the data set. The builder is left empty. */
LEMAN_API leman_status leman_builder_finish(leman_builder *builder, const leman_policy *policy, leman_report *report,
                                            leman_dataset **out);
LEMAN_API void leman_builder_free(leman_builder *builder);

/* ---- Files ----------------------------------------------------------------------------------- */

typedef enum leman_format {
    LEMAN_FORMAT_AUTO, /* by a mark in the file, the name's ending, then the first lines */
    LEMAN_FORMAT_TU,   /* folder of text files */
    LEMAN_FORMAT_TU_ZIP,
    LEMAN_FORMAT_BINARY, /* our own, mapped in place: NAME.leman */
    LEMAN_FORMAT_GRAPH6, /* one graph a line; sparse6 and digraph6 lines are read too */
    LEMAN_FORMAT_SPARSE6,
    LEMAN_FORMAT_EDGE_LIST, /* CSV: source, target [, label]; with a header also graph */
    LEMAN_FORMAT_SDF,       /* V2000 molecules, reading only */
    LEMAN_FORMAT_PAIRS      /* two graph6 strings a line with a tab between, reading only, never by itself */
} leman_format;

typedef struct leman_read_options {
    leman_format format;
    leman_policy policy;
    uint64_t max_bytes;             /* refuse files (unpacked members of zips) larger than this; 0: 16 GiB */
    bool without_vertex_attributes; /* TU data: their file stays unread, for work that has no use for them */
} leman_read_options;

LEMAN_API leman_read_options leman_read_options_default(void);

/* "-" is standard input. options NULL: the default. report may be NULL. */
LEMAN_API leman_status leman_dataset_read(leman_context *ctx, const char *path, const leman_read_options *options,
                                          leman_report *report, leman_dataset **out);
/* "-" is standard output (not for folders). A file appears whole or not at all, and replaces one of that name; a
 * folder must not exist yet. What the format cannot hold is logged. */
LEMAN_API leman_status leman_dataset_write(leman_context *ctx, const leman_dataset *data, const char *path,
                                           leman_format format);
/* "tu", "tu-zip", "binary", "graph6", "sparse6", "edge-list", "sdf", "pairs". */
LEMAN_API leman_status leman_format_parse(leman_context *ctx, const char *name, leman_format *format);
LEMAN_API const char *leman_format_name(leman_format format);

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
    LEMAN_FAMILY_RANDOM,   /* G(n, p) */
    LEMAN_FAMILY_REGULAR,  /* random d-regular */
    LEMAN_FAMILY_MOLECULES /* labelled, molecule-like; class by a ring pattern that colour refinement cannot see */
} leman_family;

typedef struct leman_family_options {
    unsigned k;      /* CFI */
    size_t graphs;   /* how many of each; 0: the family's default. Beyond the first: copies with shuffled vertices */
    size_t vertices; /* of each graph (MOLECULES: about); 0: the family's default */
    size_t rows, columns; /* GRID */
    size_t degree;        /* REGULAR */
    double probability;   /* RANDOM */
    const size_t *skips;  /* CSL; NULL: the ten of the usual benchmark */
    size_t skip_count;
    uint64_t seed;
} leman_family_options;

LEMAN_API leman_family_options leman_family_options_default(void);
/* "cfi", "csl", "rook-shrikhande", "cycles", "path", "cycle", "complete", "grid", "petersen", "random", "regular",
 * "molecules". */
LEMAN_API leman_status leman_family_parse(leman_context *ctx, const char *name, leman_family *family);
/* docs/generators.md describes each family. Graph i depends on the seed and on i alone, not on how many there are.
 * options NULL: the default. O(vertices + edges) of the result; REGULAR up to O(edges * degree). */
LEMAN_API leman_status leman_dataset_generate(leman_context *ctx, leman_family family,
                                              const leman_family_options *options, leman_dataset **out);

/* ---- Download -------------------------------------------------------------------------------- */

typedef struct leman_download_options {
    const char *url;    /* of the zip itself; NULL: the TU collection's */
    const char *cache;  /* folder; NULL: $LEMAN_CACHE, else $XDG_CACHE_HOME/leman, else ~/.cache/leman */
    uint64_t max_bytes; /* 0: 4 GiB */
    bool offline;       /* only look into the cache */
    bool refresh;       /* fetch again even if it is in the cache */
} leman_download_options;

LEMAN_API leman_download_options leman_download_options_default(void);
/* Puts the path of the checked zip into path[size]. LEMAN_ERROR_UNSUPPORTED without libcurl and an empty cache. */
LEMAN_API leman_status leman_dataset_download(leman_context *ctx, const char *name,
                                              const leman_download_options *options, char *path, size_t size);

/* ---- Colourings ------------------------------------------------------------------------------ */

/* The rows of the table in docs/colours.md; the paper's names behind them. */
typedef enum leman_algorithm {
    LEMAN_WL,         /* k-WL */
    LEMAN_DELTA,      /* delta-k-WL */
    LEMAN_LOCAL,      /* delta-k-LWL */
    LEMAN_LOCAL_PLUS, /* delta-k-LWL+ */
    LEMAN_FOLKLORE    /* folklore k-WL */
} leman_algorithm;

#define LEMAN_STABLE UINT32_MAX                  /* as many rounds as split something */
#define LEMAN_VERIFY_SEED UINT64_C(0x6c656d616e) /* of the second colouring that must agree with the first */

typedef struct leman_coloring {
    leman_algorithm algorithm;
    unsigned k;             /* for k = 1, WL and FOLKLORE are LOCAL: colour refinement */
    uint32_t rounds;        /* 0 .. rounds, or LEMAN_STABLE */
    bool count_every_round; /* LOCAL_PLUS: # in every round, not in the last only */
    bool ignore_vertex_labels, ignore_edge_labels;
    bool in_arcs;  /* directed graphs: entering arcs as a second relation */
    uint64_t seed; /* 0: the canonical colours, comparable everywhere; another gives an independent hash */
} leman_coloring;

/* LOCAL, k = 2, five rounds. */
LEMAN_API leman_coloring leman_coloring_default(void);
/* "wl", "delta", "local", "local+", "folklore", or the authors' names ("LWLP3"), which set k too. */
LEMAN_API leman_status leman_coloring_parse(leman_context *ctx, const char *name, leman_coloring *coloring);
LEMAN_API const char *leman_algorithm_name(leman_algorithm algorithm);

/* How many colours a data set shows. */
typedef struct leman_round_count {
    uint64_t colors; /* different colours over all graphs */
    uint64_t pairs;  /* (graph, colour) pairs */
} leman_round_count;

typedef struct leman_census {
    uint32_t rounds; /* entries of round: the last round + 1 */
    leman_round_count *round;
    int64_t stable_round; /* the first round after which nothing splits any more; -1: not seen */
    double seconds;       /* refinement and per-graph histograms, without counting across graphs */
} leman_census;

/* verify: colours everything a second time under LEMAN_VERIFY_SEED; a different number of classes in any round is
 * LEMAN_ERROR_INTERNAL. LEMAN_ERROR_BUDGET says which graph is too large, before any work. */
LEMAN_API leman_status leman_census_take(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                         bool verify, leman_census *census);
LEMAN_API void leman_census_free(leman_context *ctx, leman_census *census);

/* The colour of every k-tuple of one graph after a round: colors[n^k], the last component fastest. */
LEMAN_API leman_status leman_tuple_colors(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                          uint32_t round, uint64_t *colors);

/* One colour of one graph after one round, and how many tuples carry it. */
typedef struct leman_color {
    uint64_t color, count;
} leman_color;

/* The histogram of every round 0 .. rounds of one graph, colours increasing: round r is
 * color[start[r]] .. color[start[r+1]-1]. A graph that is stable earlier still has all rounds, except with
 * LEMAN_STABLE, which ends with the first stable one. */
typedef struct leman_histogram {
    uint32_t rounds; /* entries of start less one */
    uint64_t *start;
    leman_color *color;
} leman_histogram;
LEMAN_API leman_status leman_histogram_take(leman_context *ctx, const leman_graph *graph,
                                            const leman_coloring *coloring, leman_histogram *histogram);
LEMAN_API void leman_histogram_free(leman_context *ctx, leman_histogram *histogram);

/* Does some colour have different counts in graphs a and b after some round? */
typedef struct leman_difference {
    bool distinguished;
    uint32_t round;    /* the first that tells them apart; otherwise the last that was looked at */
    uint64_t color;    /* a colour of that round whose counts differ: the one with the fewest tuples */
    uint64_t count[2]; /* how many tuples carry it in a and in b */
} leman_difference;
/* as_union: both are coloured as parts of their disjoint union, and the counts of its tuples inside each part compared.
 */
LEMAN_API leman_status leman_distinguish(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                                         const leman_coloring *coloring, bool as_union, leman_difference *difference);

/* The same for many pairs: graphs 2i and 2i+1 of the data give difference[i]. */
LEMAN_API leman_status leman_distinguish_pairs(leman_context *ctx, const leman_dataset *data,
                                               const leman_coloring *coloring, bool as_union,
                                               leman_difference *difference);

/* Where a tuple finds the colours that its next colour is made of. x is the tuple with component j replaced by w. */
typedef enum leman_relation {
    LEMAN_ITSELF,   /* its own colour */
    LEMAN_NEIGHBOR, /* x for the neighbours w of component j */
    LEMAN_ENTERING, /* x for the vertices w with an arc to component j */
    LEMAN_OTHER,    /* DELTA: x for all w that are no neighbours */
    LEMAN_ANY,      /* WL: x for all w */
    LEMAN_VECTOR    /* FOLKLORE: x for every component j at once, for all w */
} leman_relation;

typedef struct leman_branch {
    leman_relation relation;
    unsigned position; /* j, from 0 */
    uint32_t vertex;   /* one of the vertices w */
    uint64_t count;    /* how many of them give the same */
    uint64_t repeats;  /* #: how many tuples of the line have the colour of x; 0 in rounds without # */
    size_t target;     /* target[target] is the node of x; for VECTOR k of them, one for each component */
} leman_branch;

typedef struct leman_unrolling_node {
    uint64_t color;
    uint32_t round;
    uint32_t graph;          /* 0 or 1: whose tuple it is an example of */
    size_t branch, branches; /* branch[branch] .. ; none in round 0 and where the limit was met */
} leman_unrolling_node;

/* Why two graphs differ: the unrolling tree (the paper's appendix) of a colour whose counts differ. Equal subtrees are
 * one node; node 0 is the root. Rounds fall by one along every branch. */
typedef struct leman_unrolling {
    leman_difference difference; /* nothing else is set where they are not distinguished */
    unsigned k;
    size_t nodes, other; /* `other`: a tuple of the other graph that had the root's colour one round earlier; 0: none */
    leman_unrolling_node *node;
    uint32_t *vertex; /* [nodes][k] the tuple of each node; in a union the second graph's follow the first's */
    leman_branch *branch;
    size_t *target;
    size_t carriers[2];   /* the first tuples that carry the root's colour in each graph, at most LEMAN_CARRIERS */
    uint32_t *carrier[2]; /* [carriers][k], vertices of that graph */
} leman_unrolling;

#define LEMAN_CARRIERS 8

/* Distinguishes and explains. most_nodes: so many nodes have branches; 0: all. Holds the colours of all rounds of both
 * graphs; LEMAN_ERROR_BUDGET where they do not fit. */
LEMAN_API leman_status leman_explain(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                                     const leman_coloring *coloring, bool as_union, size_t most_nodes,
                                     leman_unrolling *unrolling);
LEMAN_API void leman_unrolling_free(leman_context *ctx, leman_unrolling *unrolling);

/* A copy of the data in which every graph has one more vertex, marked by an extra label column and joined to all
 * others: makes disconnected graphs connected. */
LEMAN_API leman_status leman_dataset_apex(leman_context *ctx, const leman_dataset *data, leman_dataset **out);

/* ---- Kernels --------------------------------------------------------------------------------- */

typedef enum leman_kernel_kind {
    LEMAN_KERNEL_COLORS,        /* histograms of a colouring, round by round */
    LEMAN_KERNEL_SHORTEST_PATH, /* (label, label, distance) over ordered connected pairs */
    LEMAN_KERNEL_GRAPHLET       /* labelled connected induced subgraphs */
} leman_kernel_kind;

typedef struct leman_kernel {
    leman_kernel_kind kind;
    leman_coloring coloring; /* of COLORS; which labels to ignore counts for all kinds */
    bool assignment;         /* sum of minima (histogram intersection) instead of products */
    double weight;           /* in a sum of kernels, above 0 */
    unsigned size;           /* vertices of a graphlet: 3, or 4 and 5 without labels */
    bool weighted;           /* SHORTEST_PATH: lengths are the first edge attribute, not 1 */
} leman_kernel;

/* LOCAL, k = 2, five rounds, weight 1; graphlets of 3 vertices. */
LEMAN_API leman_kernel leman_kernel_default(void);
/* A colouring's name with or without its k ("local:2", "LWL2"), "wloa" (1-WL with assignment), "sp", "graphlet" with or
 * without its size ("graphlet:4"), or the authors' "WLOA", "SP", "GR"; behind any of them ":assignment". */
LEMAN_API leman_status leman_kernel_parse(leman_context *ctx, const char *name, leman_kernel *kernel);

/*
 * The Gram matrix of the sum of `count` kernels into out[rows][columns]: rows are the graphs of `data`, columns those
 * of `against`, or the same where that is NULL (a square, symmetric matrix). Sums of integers are exact up to 2^53.
 * normalize: divided by sqrt(k(G,G) k(H,H)), and 0 where that is 0. Time: refinement, a sort of all (graph, colour)
 * pairs, and an addition for every pair of graphs that share a colour. Memory: out, the tuples in flight and the pairs
 * stay within the budget together; pairs that do not fit come in slices, each after one more refinement, to the same
 * bits. LEMAN_ERROR_BUDGET where that cannot be.
 */
LEMAN_API leman_status leman_gram_take(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                       const leman_kernel *kernels, size_t count, bool normalize, double *out);
/* The Gram matrices of one colouring for every number of rounds h = 0 .. rounds: out[h][rows][columns]. One refinement
 * for all; for LOCAL_PLUS with # in the last round, one decorated round more for each h. */
LEMAN_API leman_status leman_gram_rounds(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                         const leman_kernel *kernel, bool normalize, double *const *out);
/* Writes a matrix by the ending of its name: .npy, .csv (also "-", standard output), .txt, or .svm (LIBSVM's
 * precomputed kernel, labels[rows] or 0). The file appears whole or not at all. The first only asks whether the ending
 * is one of these. */
LEMAN_API leman_status leman_matrix_check(leman_context *ctx, const char *path);
LEMAN_API leman_status leman_matrix_write(leman_context *ctx, const double *values, size_t rows, size_t columns,
                                          const int64_t *labels, const char *path);

/* What a column of features counts. Columns stand in the order of kernel, round and key, whatever the order of graphs.
 */
typedef struct leman_feature {
    uint32_t kernel; /* its place among the kernels that were asked for */
    uint32_t round;  /* of a colouring; 0 in other kernels */
    uint64_t key;    /* the colour; in other kernels the hash of a path or graphlet */
} leman_feature;

/* The columns of one round of one kernel: first .. first + columns - 1. */
typedef struct leman_feature_block {
    uint32_t kernel, round;
    size_t first, columns;
} leman_feature_block;

/* What columns count: features of other kernels, or of other kinds of data, would not line up with them. */
typedef struct leman_feature_origin {
    char *kernels;                     /* in words, with their rounds and what they ignore; NULL: not known */
    bool apex;                         /* as leman_feature_options has it */
    bool directed;                     /* the data, and */
    size_t vertex_labels, edge_labels; /* its columns, as far as the kernels look at them */
} leman_feature_origin;

/*
 * The feature vectors of many graphs, a sparse matrix: row i has value[e] in column[e] for e = start[i] ..
 * start[i+1]-1, columns increasing. phi_r(G)_c is the number of tuples of G with colour c after round r; products of
 * rows are the kernel.
 */
typedef struct leman_features {
    size_t rows, columns, entries;
    uint64_t *start;        /* [rows+1] */
    uint32_t *column;       /* [entries] */
    double *value;          /* [entries] */
    leman_feature *feature; /* [columns]; NULL where the options fix or fold the columns */
    uint64_t unseen;        /* entries that were left out because the options have no column for them */
    size_t blocks;
    leman_feature_block *block;  /* [blocks] in order, empty ones too; NULL where the options fold the columns */
    leman_feature_origin origin; /* of the columns */
    int64_t *class_label;        /* [rows] of features from a file that has classes, else NULL */
    double *target;              /* [rows] the first target; the same */
} leman_features;

typedef struct leman_feature_options {
    bool normalize;                /* rows divided by their length, with what is left out; a row of zeros stays */
    const leman_features *columns; /* NULL, or features whose columns are to be used again: those of the training set;
                                      data that does not fit their origin is LEMAN_ERROR_INPUT */
    bool refuse_unseen; /* what has no column there is LEMAN_ERROR_INPUT; otherwise it is left out and logged */
    unsigned hash_bits; /* 1 to 31: 2^bits columns by hash, collisions add up; 0: a column for every feature */
    bool apex;          /* the data is one of leman_dataset_apex(), which is part of the columns' origin */
    const char *keep;   /* leman_features_save() of new columns: a new file that gets them; it and the features both
                           appear, or neither. NULL: none */
} leman_feature_options;

LEMAN_API leman_feature_options leman_feature_options_default(void);
/*
 * The features of the sum of `count` kernels: those of a kernel of weight w are multiplied by sqrt(w). Assignment
 * kernels have none and are refused. options NULL: the default. Free with leman_features_free(). Time: refinement and a
 * sort of all (graph, colour) pairs; memory: at most twice the result beside the tuples in flight.
 */
LEMAN_API leman_status leman_features_take(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                           size_t count, const leman_feature_options *options,
                                           leman_features *features);
LEMAN_API void leman_features_free(leman_context *ctx, leman_features *features);

/* The columns as a file, for features of other data that line up with these: reading gives features without rows, for
 * leman_feature_options. It is the file of docs/kernels.md, or one of features (.lmf) with named columns. */
LEMAN_API leman_status leman_feature_columns_write(leman_context *ctx, const leman_features *features,
                                                   const char *path);
LEMAN_API leman_status leman_feature_columns_read(leman_context *ctx, const char *path, leman_features *features);

/* Writes features by the ending of the name: .svm (svmlight; also "-", standard output), .npz (loads with
 * scipy.sparse.load_npz), .mtx (MatrixMarket) or .lmf (our own: columns, origin, classes and targets too); .svm.gz and
 * .mtx.gz are packed. Labels of .svm are the classes of the data, else its first targets, else 0. data NULL: those of
 * the features. The first only asks whether the ending is one of these. */
LEMAN_API leman_status leman_features_check(leman_context *ctx, const char *path);
LEMAN_API leman_status leman_features_write(leman_context *ctx, const leman_features *features,
                                            const leman_dataset *data, const char *path);
/* Reads a file of features (.lmf), whole and sound or LEMAN_ERROR_INPUT. */
LEMAN_API leman_status leman_features_read(leman_context *ctx, const char *path, leman_features *features);
/* Takes and writes in one, some graphs at a time, twice where the columns are new. Held: 8 bytes a new column, one
 * slice of the graphs, and the rows (12 bytes an entry) where the format cannot be written as they come: .npz, .lmf,
 * and .mtx of columns that are not new. *sizes gets rows, columns, entries, unseen and block; leman_features_free() it.
 */
LEMAN_API leman_status leman_features_save(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                           size_t count, const leman_feature_options *options, const char *path,
                                           leman_features *sizes);

/* ---- Evaluation ------------------------------------------------------------------------------ */

/*
 * Which graphs are tested and which choose the parameters, in every fold of every repetition; all others train. Lists
 * of fold f of repetition r, with i = r * folds + f, graphs increasing:
 *   test        graph[start[2 i]]     .. graph[start[2 i + 1] - 1]
 *   validation  graph[start[2 i + 1]] .. graph[start[2 i + 2] - 1]
 */
typedef struct leman_splits {
    size_t graphs; /* of the data set; graph numbers count from 0 here, from 1 in files */
    size_t repetitions, folds;
    bool stratified;
    uint64_t seed;   /* that drew them, or what a file did not say */
    uint64_t *start; /* [2 repetitions folds + 1] */
    uint32_t *graph;
} leman_splits;

/* A shuffle of its own for every repetition, cut into folds of equal size (one more in the first ones); of the rest,
 * ceil(10 %) at random is the validation part. stratified: every class is spread evenly over folds and validation
 * parts, as far as its size allows. Seeded by the context. Free with leman_splits_free(). O(repetitions folds graphs).
 */
LEMAN_API leman_status leman_splits_draw(leman_context *ctx, const leman_dataset *data, size_t repetitions,
                                         size_t folds, bool stratified, leman_splits *splits);
/* Files as docs/evaluation.md has them. Folds without a validation part get one as above. */
LEMAN_API leman_status leman_splits_read(leman_context *ctx, const leman_dataset *data, const char *path,
                                         leman_splits *splits);
LEMAN_API leman_status leman_splits_write(leman_context *ctx, const leman_splits *splits, const char *path);
/* Equal for equal parts, whatever drew them. */
LEMAN_API uint64_t leman_splits_checksum(const leman_splits *splits);
LEMAN_API void leman_splits_free(leman_context *ctx, leman_splits *splits);

typedef enum leman_machine {
    LEMAN_MACHINE_AUTO,   /* KERNEL up to LEMAN_KERNEL_GRAPHS graphs, and for assignment kernels; else LINEAR */
    LEMAN_MACHINE_KERNEL, /* support vector machine on the normalised Gram matrix */
    LEMAN_MACHINE_LINEAR  /* linear support vector machine on the features, every graph of length 1 */
} leman_machine;

#define LEMAN_KERNEL_GRAPHS 10000
#define LEMAN_NO_TARGET SIZE_MAX

typedef struct leman_protocol {
    size_t repetitions, folds;          /* 10 and 10 */
    uint32_t least_rounds, most_rounds; /* 0 and 5: validation chooses; kernels without rounds have none to choose */
    const double *C;                    /* increasing, above 0; NULL: 10^-3, 10^-2, ..., 10^3 */
    size_t C_count;
    leman_machine machine;
    bool stratified;
    bool retrain;               /* the chosen machine is trained again with the validation part */
    size_t target;              /* LEMAN_NO_TARGET: the classes; else a column of targets, by regression */
    const leman_splits *splits; /* instead of drawn ones; repetitions, folds and stratified are theirs then */
    const char *journal;        /* a file that keeps finished folds; an interrupted run goes on from it */
} leman_protocol;

LEMAN_API leman_protocol leman_protocol_default(void);

/* One number of rounds in one fold, with the C that validation chooses for it. Scores are percentages of graphs whose
 * class was found; in a regression, mean absolute errors. */
typedef struct leman_trial {
    double C, validation, test, train;
} leman_trial;

typedef struct leman_fold {
    uint32_t repetition, fold; /* from 0 */
    uint32_t rounds;           /* chosen; 0 where the kernel has none */
    double C;                  /* chosen */
    double validation, test, train;
    double balanced; /* the mean over the classes of the test part of the percentage that was found */
    double auc;      /* area under the ROC curve, in percent; several classes: mean of one against the rest. NAN: the
                        test part has one class only */
    double rmse, r2; /* of a regression, else NAN */
    double seconds;  /* that the fold took */
} leman_fold;

/*
 * What came out. Means are over repetitions, each the mean of its folds; deviations are population deviations.
 */
typedef struct leman_evaluation {
    leman_machine machine; /* that was used */
    bool has_rounds;       /* some kernel is a colouring */
    uint32_t least_rounds; /* trials are those of least_rounds .. least_rounds + rounds - 1 */
    size_t rounds, classes;
    size_t target;        /* in a regression: the column of targets */
    int64_t *class_label; /* [classes] as the data has them, increasing; NULL in a regression */
    leman_splits splits;
    leman_fold *fold;   /* [repetitions][folds] */
    leman_trial *trial; /* [repetitions][folds][rounds] */
    leman_trial *round; /* [rounds] the same, averaged over folds; C is the geometric mean */
    double *predicted;  /* beside splits.graph: the number of the class found, or the value; NAN in validation parts */
    uint64_t
        *confusion; /* [classes][classes] over all folds: row the class, column what was found; NULL in a regression */
    double test_mean, test_std; /* over repetitions */
    double test_std_folds;      /* over all folds */
    double train_mean, validation_mean, balanced_mean, auc_mean, rmse_mean, r2_mean;
    double seconds_features, seconds_svm; /* wall time */
    uint64_t data_checksum, splits_checksum, seed;
    size_t resumed; /* folds that came from the journal */
} leman_evaluation;

/*
 * The protocol of the field: in every fold, for every number of rounds h and every C, a machine learns from the
 * training part; the validation part chooses h and C (ties: the fewest rounds, then the largest C), and the chosen
 * machine is tested once. Rounds of the kernels are the protocol's. Seeded by the context. Gram matrices of all h are
 * held at once, 4 bytes a pair of graphs; LEMAN_ERROR_BUDGET where they do not fit. Free with leman_evaluation_free().
 */
LEMAN_API leman_status leman_evaluate(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                      size_t count, const leman_protocol *protocol, leman_evaluation *evaluation);
LEMAN_API void leman_evaluation_free(leman_context *ctx, leman_evaluation *evaluation);

/* The corrected resampled t-test (Nadeau and Bengio) of two evaluations on the same splits: the mean difference of test
 * scores over its deviation, which knows that training parts overlap. */
typedef struct leman_comparison {
    double difference; /* of the means, first less second */
    double t, p;       /* p: two-sided; 1 where all differences are 0; NAN of a single fold */
    size_t freedom;    /* folds less one */
} leman_comparison;
LEMAN_API leman_status leman_compare(leman_context *ctx, const leman_evaluation *a, const leman_evaluation *b,
                                     leman_comparison *comparison);

/* One of the methods of a page. */
typedef struct leman_method {
    const char *name; /* NULL: made from the kernels, as the paper has it: "δ-2-LWL" */
    const leman_kernel *kernels;
    size_t count;                       /* of kernels, summed */
    const leman_evaluation *evaluation; /* on the data of the page */
} leman_method;

/*
 * A page of figures about one or several evaluations of the same data: scores, rounds, training against test, the Gram
 * matrix, a map of the graphs, the colours that speak for each class drawn on examples, times. One file of HTML that
 * needs neither network nor scripts; it appears whole or not at all. command, which may be NULL, is the line that gives
 * it again. docs/report.md explains the figures. Takes features and Gram matrices of at most a thousand graphs anew;
 * figures that do not fit the memory budget are left out with a sentence.
 */
LEMAN_API leman_status leman_report_write(leman_context *ctx, const leman_dataset *data, const leman_method *methods,
                                          size_t count, const char *command, const char *path);

/* ---- Models ---------------------------------------------------------------------------------- */

/* A support vector machine with everything that it needs to classify new graphs, and no training graphs. */
typedef struct leman_model leman_model;

typedef struct leman_fit_options {
    uint32_t least_rounds, most_rounds; /* 0 and 5 */
    const double *C;                    /* increasing, above 0; NULL: 10^-3, 10^-2, ..., 10^3 */
    size_t C_count;
    size_t folds;          /* 10: of the cross-validation that chooses rounds and C, and calibrates */
    leman_machine machine; /* AUTO: LINEAR; KERNEL for assignment kernels, which have no features */
    bool apex;             /* add a marked vertex to every graph, see leman_dataset_apex() */
    size_t target;         /* LEMAN_NO_TARGET: the classes; else a column of targets, by regression */
} leman_fit_options;

LEMAN_API leman_fit_options leman_fit_options_default(void);

/*
 * Chooses rounds and C by the score over all folds (ties: the fewest rounds, then the largest C), trains on all graphs,
 * and calibrates probabilities with the decisions of machines that did not know the graph. Rounds of the kernels are
 * the options'. Classes are spread evenly over the folds, which the context's seed draws. options NULL: the default.
 * Free with leman_model_free(). Time: folds + 1 trainings for every number of rounds and C.
 */
LEMAN_API leman_status leman_model_fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                       size_t count, const leman_fit_options *options, leman_model **out);
/* docs/models.md has the file. It appears whole or not at all; a damaged one, or one of another kind or a newer
 * version, is LEMAN_ERROR_INPUT. */
LEMAN_API leman_status leman_model_write(leman_context *ctx, const leman_model *model, const char *path);
LEMAN_API leman_status leman_model_read(leman_context *ctx, const char *path, leman_model **out);
LEMAN_API void leman_model_free(leman_model *model);

/* What a model is, and how it was made. Pointers are into the model. */
typedef struct leman_model_shape {
    leman_machine machine;
    const leman_kernel *kernel; /* [kernels] with the chosen rounds */
    size_t kernels;
    uint32_t rounds; /* chosen; 0 where no kernel is a colouring */
    double C;        /* chosen */
    double score;    /* of the cross-validation: percent of graphs whose class was found; or mean absolute error */
    bool regression, apex;
    bool directed;                     /* new graphs must be so, or not */
    size_t vertex_labels, edge_labels; /* columns that new graphs must have; 0: none are looked at */
    size_t classes;
    const int64_t *class_label; /* [classes] increasing */
    const char *data_name;      /* what it was fitted on */
    size_t data_graphs, folds, target;
    uint64_t data_checksum, seed;
    size_t features; /* that have a weight, or stand in a support graph */
    size_t supports; /* graphs whose features are kept: of assignment kernels; otherwise 0 */
} leman_model_shape;
LEMAN_API leman_model_shape leman_model_describe(const leman_model *model);

/*
 * Classifies graphs; each array may be NULL.
 *   label[graphs]                 the class that was found
 *   score[graphs]                 its decision value: against the rest, or the mean of those against each other
 *                                 class; larger is surer, 1 is the margin. In a regression, the predicted value
 *   probability[graphs][classes]  in the order of class_label; each row sums to 1
 *   unseen[graphs]                the share of the graph, in 0 .. 1, that lies in features the model does not know
 * Data without the columns that the model looks at is LEMAN_ERROR_INPUT. A graph's answer depends on it alone.
 * Memory: a slice of the graphs at a time.
 */
LEMAN_API leman_status leman_model_predict(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                           int64_t *label, double *score, double *probability, double *unseen);

/* ---- Networks -------------------------------------------------------------------------------- */

/* docs/networks.md has the layers; the paper's names behind them. */
typedef enum leman_network_kind {
    LEMAN_GIN0,           /* vertices: GIN-0 */
    LEMAN_GIN,            /* GIN-epsilon */
    LEMAN_GINE0,          /* with edge labels: GINE */
    LEMAN_GINE,           /* GINE-epsilon */
    LEMAN_NET_WL,         /* k-tuples: k-WL-GNN */
    LEMAN_NET_LOCAL,      /* delta-k-LGNN */
    LEMAN_NET_LOCAL_PLUS, /* delta-k-LGNN+ */
    LEMAN_NET_DELTA       /* delta-k-GNN */
} leman_network_kind;

/* What stands around the layers, and their number and width, as the paper had it for these sets. */
typedef enum leman_preset { LEMAN_PRESET_ZINC, LEMAN_PRESET_ALCHEMY, LEMAN_PRESET_QM9, LEMAN_PRESET_TU } leman_preset;

typedef struct leman_architecture {
    leman_network_kind kind;
    unsigned k; /* of tuples: 2 or 3 */
    leman_preset preset;
    size_t layers, width; /* 0: the preset's */
    bool own_fourth;      /* GINE of ZINC: the fourth layer has weights of its own, not the third's as published */
    bool ignore_vertex_labels, ignore_edge_labels, ignore_attributes;
    size_t coordinates, first_coordinate; /* QM9: so many vertex attributes from that one on are a position */
} leman_architecture;

/* NET_LOCAL, k = 2, ZINC. */
LEMAN_API leman_architecture leman_architecture_default(void);
/* "gin0", "gin", "gine0", "gine", "wl", "local", "local+", "delta"; "zinc", "alchemy", "qm9", "tu". */
LEMAN_API leman_status leman_network_kind_parse(leman_context *ctx, const char *name, leman_network_kind *kind);
LEMAN_API leman_status leman_preset_parse(leman_context *ctx, const char *name, leman_preset *preset);
LEMAN_API const char *leman_network_kind_name(leman_network_kind kind);
LEMAN_API const char *leman_preset_name(leman_preset preset);

/* Which graphs train, validate and test: the first count[0] of graph, the next count[1], the next count[2]. */
typedef struct leman_parts {
    size_t count[3];
    uint32_t *graph; /* numbers from 0 */
} leman_parts;

/* A shuffle, seeded by the context, of which floor(share * graphs), at least one, validate and test; the rest trains.
 * test_share may be 0. Free with leman_parts_free(). */
LEMAN_API leman_status leman_parts_draw(leman_context *ctx, size_t graphs, double val_share, double test_share,
                                        leman_parts *parts);
/* Files of graph numbers from 0 on, with commas, blanks or lines between them; test may be NULL. Repeated numbers, and
 * graphs in two parts, are kept and logged. */
LEMAN_API leman_status leman_parts_read(leman_context *ctx, size_t graphs, const char *train, const char *val,
                                        const char *test, leman_parts *parts);
LEMAN_API void leman_parts_free(leman_context *ctx, leman_parts *parts);

/* What an epoch showed. Errors are, for targets, the mean over targets of the mean absolute error in the units that
 * are learned; for classes, the percentage of graphs whose class was not found. */
typedef struct leman_epoch {
    uint64_t epoch; /* from 1 */
    double train_loss;
    double val_error;
    double test_error; /* NAN where it was not taken: only epochs that validate best so far are tested */
    double rate;       /* that it learned at */
    double seconds;    /* wall time, with validation and testing */
} leman_epoch;

/* The course of a run. Free with leman_history_free(). */
typedef struct leman_history {
    size_t epochs;
    leman_epoch *epoch;
    size_t best;          /* its place in epoch; SIZE_MAX: there was no epoch */
    size_t resumed;       /* epochs that came from the checkpoint */
    bool settled;         /* ended because the rate had become too small to matter */
    size_t targets;       /* 0: classes */
    double *target_error; /* [epochs][2][targets] mean absolute errors of validation and test, in units of the data */
    double *mean, *deviation;                /* [targets] of the training part */
    uint64_t weight_bytes, activation_bytes; /* with gradients and moments; of the largest batch */
} leman_history;

typedef struct leman_training {
    leman_architecture architecture;
    const size_t *targets; /* columns to be learned; NULL: all. Without targets, or with `classes`, the classes are */
    size_t target_count;
    bool classes;
    size_t epochs; /* at most; 0: the network is built and measured, no more */
    size_t batch;  /* graphs */
    double rate;
    size_t patience;  /* epochs without a better validation before the rate is halved */
    double decay;     /* of weights; 0: none */
    double clip;      /* longest gradient; 0: any */
    bool square;      /* the loss of targets is the squared error, not the absolute one */
    bool normalize;   /* targets are learned with mean 0 and deviation 1, both of the training part */
    bool on_accuracy; /* the rate follows the validation accuracy as if it were an error, as published for `tu` */
    bool strictly;    /* an epoch is the best only if it validates better than all before; otherwise equal is enough */
    bool recompute;   /* forget values inside layers and compute them again on the way back: less memory, more time */
    bool cuda;        /* LEMAN_ERROR_UNSUPPORTED in a build without */
    size_t run;       /* another number gives other random starts and orders with the same seed */
    const char *checkpoint; /* a file that is replaced after every epoch; NULL: none */
    bool resume;            /* go on from it, if it is there; it must be of the same data, parts and options */
    bool (*each)(void *user, const leman_history *history); /* after every epoch, of all so far; false ends the run */
    void *user;                                             /* of each(), which may be NULL */
} leman_training;

/* What the paper used for the architecture's preset. */
LEMAN_API leman_training leman_training_default(const leman_architecture *architecture);

/* A network that has learned: architecture, encoding of graphs, weights of the best epoch. */
typedef struct leman_network leman_network;

/*
 * Trains on the first of the parts by Adam, halves the rate where the validation error does not fall, and ends when it
 * is below 1e-6 or after so many epochs. Seeded by the context: the same machine and number of threads give the same
 * bits. Before the first epoch it logs parameters, memory and batches; LEMAN_ERROR_BUDGET where they do not fit.
 * history may be NULL. Free the network with leman_network_free().
 */
LEMAN_API leman_status leman_train(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                   const leman_training *training, leman_network **network, leman_history *history);
LEMAN_API void leman_history_free(leman_context *ctx, leman_history *history);

/* From a checkpoint; the weights are those of the best epoch. */
LEMAN_API leman_status leman_network_read(leman_context *ctx, const char *path, leman_network **out);
LEMAN_API void leman_network_free(leman_network *network);

/* Pointers are into the network. */
typedef struct leman_network_shape {
    leman_architecture architecture;
    size_t parameters;          /* that are learned */
    size_t types;               /* width of the one-hot types */
    size_t outputs;             /* targets or classes */
    const int64_t *class_label; /* [outputs] increasing; NULL: targets */
    const size_t *target;       /* [outputs] columns; NULL: classes */
    bool directed;              /* new graphs must be so, or not */
    bool square;                /* learned by squared errors */
    leman_epoch best;           /* epoch 0: it has not learned */
} leman_network_shape;
LEMAN_API leman_network_shape leman_network_describe(const leman_network *network);

/* output[graphs][outputs]: targets in the units of the data, or probabilities of the classes. Labels that the network
 * has not seen count as nothing, and are logged. Batches of so many graphs; 0: as in training. */
LEMAN_API leman_status leman_network_predict(leman_context *ctx, const leman_network *network,
                                             const leman_dataset *data, size_t batch, double *output);
/* Every weight under its name, as arrays of a .npz file. */
LEMAN_API leman_status leman_network_export(leman_context *ctx, const leman_network *network, const char *path);

/* A page of figures about a run: curves of its epochs, answers for the test part (or the validation part) against the
 * truth. Like leman_report_write(). */
LEMAN_API leman_status leman_training_page_write(leman_context *ctx, const leman_dataset *data,
                                                 const leman_parts *parts, const leman_network *network,
                                                 const leman_history *history, const char *command, const char *path);

/* The protocol of leman_evaluate() for networks: in every fold a network of every number of layers and every width is
 * trained, and the epoch of the network that validates best, the first of equal ones, is tested. */
typedef struct leman_network_protocol {
    leman_training training; /* of each; checkpoint and each() are not its own */
    const size_t *layers;    /* to choose from; NULL: 1 to 5 */
    size_t layers_count;
    const size_t *widths; /* NULL: 32, 64, 128 */
    size_t widths_count;
    size_t repetitions, folds;
    const leman_splits *splits; /* instead of drawn ones; repetitions and folds are theirs then */
    const char *journal;        /* a file that keeps finished folds; NULL: none */
    bool resume;                /* go on from it, if it is there */
} leman_network_protocol;

/* Ten repetitions of ten folds; as published, the rate follows the accuracy, and only a better epoch is the best. */
LEMAN_API leman_network_protocol leman_network_protocol_default(const leman_training *training);

/* What a fold chose and found. Scores are percentages of graphs whose class was found; of targets, errors as in
 * leman_epoch. */
typedef struct leman_network_fold {
    uint32_t repetition, fold; /* from 0 */
    size_t layers, width;      /* chosen */
    uint64_t epoch;
    double validation, test;
    double seconds;
} leman_network_fold;

/* Means and deviations as in leman_evaluation. Free with leman_network_evaluation_free(). */
typedef struct leman_network_evaluation {
    size_t repetitions, folds;
    leman_network_fold *fold; /* [repetitions][folds] */
    bool classes;             /* scores are percentages */
    double test_mean, test_std, test_std_folds;
    size_t resumed; /* folds that came from the journal */
} leman_network_evaluation;

/* Folds side by side over the threads, each with its share of the memory budget. Seeded by the context. */
LEMAN_API leman_status leman_network_evaluate(leman_context *ctx, const leman_dataset *data,
                                              const leman_network_protocol *protocol,
                                              leman_network_evaluation *evaluation);
LEMAN_API void leman_network_evaluation_free(leman_context *ctx, leman_network_evaluation *evaluation);

#ifdef __cplusplus
}
#endif
#endif
