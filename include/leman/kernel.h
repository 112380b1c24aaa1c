/*
 * leman/kernel.h - graph kernels: Gram matrices and feature vectors.
 */
#ifndef LEMAN_KERNEL_H
#define LEMAN_KERNEL_H

#include "leman/color.h"
#include "leman/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Kernels --------------------------------------------------------------------------------- */

typedef enum leman_kernel_kind {
    LEMAN_KERNEL_KIND_COLORS,        /* histograms of a colouring, round by round */
    LEMAN_KERNEL_KIND_SHORTEST_PATH, /* (label, label, distance) over ordered connected pairs */
    LEMAN_KERNEL_KIND_GRAPHLET       /* labelled connected induced subgraphs */
} leman_kernel_kind;
#define LEMAN_KERNEL_KIND_COUNT 3

/* "colors", "shortest_path", "graphlet"; "unknown" for anything else. */
LEMAN_API const char *leman_kernel_kind_name(leman_kernel_kind kind);

typedef struct leman_kernel {
    size_t size; /* leman_kernel_init() sets it */
    leman_kernel_kind kind;
    leman_algorithm algorithm; /* COLORS: the colouring, as leman_coloring has it */
    unsigned k;
    uint32_t rounds;
    bool count_every_round;
    bool ignore_vertex_labels, ignore_edge_labels; /* all kinds */
    bool in_arcs;
    uint64_t seed;
    bool assignment;     /* sum of minima (histogram intersection) instead of products */
    double weight;       /* in a sum of kernels: 1e-100 to 1e100 */
    unsigned graphlet;   /* vertices of a graphlet: 3, or 4 and 5 without labels */
    bool weighted;       /* SHORTEST_PATH: lengths are the first edge attribute, not 1 */
    uint64_t components; /* COLORS: of leman_coloring */
} leman_kernel;

/* LOCAL, k = 2, five rounds, weight 1; graphlets of 3 vertices. */
LEMAN_API void leman_kernel_init(leman_kernel *kernel, size_t size);
static inline leman_kernel leman_kernel_default(void)
{
    leman_kernel kernel;
    leman_kernel_init(&kernel, sizeof kernel);
    return kernel;
}
/* The colouring of a kernel of colours (of NULL: the default), and the other way round. */
static inline leman_coloring leman_kernel_coloring(const leman_kernel *kernel)
{
    leman_coloring coloring = leman_coloring_default();
    if (!kernel) return coloring;
    coloring.algorithm = kernel->algorithm;
    coloring.k = kernel->k;
    coloring.rounds = kernel->rounds;
    coloring.count_every_round = kernel->count_every_round;
    coloring.ignore_vertex_labels = kernel->ignore_vertex_labels;
    coloring.ignore_edge_labels = kernel->ignore_edge_labels;
    coloring.in_arcs = kernel->in_arcs;
    coloring.seed = kernel->seed;
    coloring.components = kernel->components;
    return coloring;
}
static inline void leman_kernel_set_coloring(leman_kernel *kernel, const leman_coloring *coloring)
{
    if (!kernel || !coloring) return;
    kernel->algorithm = coloring->algorithm;
    kernel->k = coloring->k;
    kernel->rounds = coloring->rounds;
    kernel->count_every_round = coloring->count_every_round;
    kernel->ignore_vertex_labels = coloring->ignore_vertex_labels;
    kernel->ignore_edge_labels = coloring->ignore_edge_labels;
    kernel->in_arcs = coloring->in_arcs;
    kernel->seed = coloring->seed;
    kernel->components = coloring->components;
}
/*
 * Names: a colouring's ("delta-2-LWL", "local:2", "LWL2", see leman_coloring_parse()), "WLOA" (1-WL with assignment),
 * "SP", "GR" or "graphlet" with or without its size ("GR:4"); behind any of them ":assignment". In any case. What a
 * name does not say stays as it is in *kernel.
 */
LEMAN_API leman_status leman_kernel_parse(leman_context *ctx, const char *name, leman_kernel *kernel);
/* The i-th of the names that it knows, without numbers; NULL behind the last. */
LEMAN_API const char *leman_kernel_known_name(size_t i);
/* "wl", "local", "wloa", "sp", "graphlet", ...: without numbers; "unknown" where there is none. */
LEMAN_API const char *leman_kernel_name(const leman_kernel *kernel);
/* A sum of kernels, "delta-2-LWL + SP" or "local:2+sp": a + that a name follows adds, any other is part of a name
 * ("local++sp"). How many kernels a text names; and those, in kernels[count], which hold what the names do not say. */
LEMAN_API size_t leman_kernels_count(const char *text);
LEMAN_API leman_status leman_kernels_parse(leman_context *ctx, const char *text, leman_kernel *kernels, size_t count);
/* Writes the paper's names of a sum of kernels into text[size]: "delta-2-LWL + SP", "WLOA", "2-FWL:assignment". A text
 * that is too long is cut off. Returns the length of the whole text, as snprintf() does. The text says k, the size of
 * graphlets and assignment, and leman_kernels_parse() reads it; other members of a kernel are not part of it. */
LEMAN_API size_t leman_kernels_paper_name(const leman_kernel *kernels, size_t count, char *text, size_t size);

/* Rounds that are LEMAN_STABLE become a number, in kernels[count]: the first round after which nothing splits in the
 * data. The functions below do the same on their own where they take such kernels; this gives the number that they use.
 */
LEMAN_API leman_status leman_kernels_resolve(leman_context *ctx, const leman_dataset *data, leman_kernel *kernels,
                                             size_t count);

/*
 * The Gram matrix of the sum of `count` kernels into out[rows][columns]: rows are the graphs of `data`, columns those
 * of `against`, or the same where that is NULL (a square, symmetric matrix). Sums of integers are exact up to 2^53 and
 * rounded once up to 2^63. If the kernel of a row or a column with itself is larger, all sums are computed again as
 * doubles: an entry past 2^53 that is a sum of m products is then within a factor of 1 +- m 2^-53.
 * normalize: divided by sqrt(k(G,G) k(H,H)), and 0 where that is 0. Time: refinement, a sort of all (graph, colour)
 * pairs, and an addition for every pair of graphs that share a colour. Memory: out, the tuples in flight and the pairs
 * stay within the budget together; pairs that do not fit come in slices, each after one more refinement, to the same
 * bits. LEMAN_ERROR_BUDGET where that cannot be.
 */
LEMAN_API leman_status leman_gram_compute(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                          const leman_kernel *kernels, size_t count, bool normalize, double *out);
/* The same matrix into a file of leman_matrix_write(), with the classes of the data as labels, some rows at a time: for
 * matrices that do not fit into memory. The bytes are the same. Time: for each part of the rows, which half of the
 * budget holds, one more refinement of all graphs; and twice the additions of a square matrix. */
LEMAN_API leman_status leman_gram_save(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                       const leman_kernel *kernels, size_t count, bool normalize, const char *path);
/* The Gram matrices of one colouring for every number of rounds h = 0 .. rounds: out[h][rows][columns]. One refinement
 * for all; for LOCAL_PLUS with # in the last round, one decorated round more for each h. */
LEMAN_API leman_status leman_gram_rounds(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                         const leman_kernel *kernel, bool normalize, double *const *out);
/*
 * The same by sampling, for graphs with too many tuples: random tuples of each graph, drawn with replacement, and their
 * exact colours, for which only the tuples within `rounds` steps of them are looked at. Estimated is the kernel divided
 * by the numbers of tuples,
 *
 *   k(G, H) / (n_G^k n_H^k) = sum over rounds of the probability that random tuples of G and H have one colour,
 *
 * times the kernel's weight; the estimate is unbiased. normalize: the quotient of such estimates in place of the
 * cosine, which is the same number for the kernel and for the one divided by numbers of tuples; not unbiased, but
 * bounded. A graph that has no more tuples than would be drawn is taken whole. Graphs draw by the context's seed and
 * their number.
 *
 * bound[rows][columns], or NULL: with the probability `confidence` all estimates at once are within these of what they
 * estimate (Hoeffding's inequality for U-statistics, and the union of all entries). One kernel of colours by LOCAL,
 * over all tuples, without assignment.
 */
typedef struct leman_sampling {
    size_t size;       /* leman_sampling_init() sets it */
    uint64_t tuples;   /* of each graph, at least 2; 10000 */
    double confidence; /* above 0 and below 1; 0.95 */
} leman_sampling;
LEMAN_API void leman_sampling_init(leman_sampling *sampling, size_t size);
static inline leman_sampling leman_sampling_default(void)
{
    leman_sampling sampling;
    leman_sampling_init(&sampling, sizeof sampling);
    return sampling;
}
LEMAN_API leman_status leman_gram_sample(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                         const leman_kernel *kernel, const leman_sampling *sampling, bool normalize,
                                         double *out, double *bound);
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
    uint64_t *start;            /* [rows+1] */
    uint32_t *column;           /* [entries] */
    double *value;              /* [entries] */
    leman_feature *feature;     /* [columns]; NULL where the options fix or fold the columns */
    uint64_t out_of_vocabulary; /* entries that were left out because the options have no column for them */
    size_t blocks;
    leman_feature_block *block;  /* [blocks] in order, empty ones too; NULL where the options fold the columns */
    leman_feature_origin origin; /* of the columns */
    int64_t *class_label;        /* [rows] of features from a file that has classes, else NULL */
    double *target;              /* [rows] the first target; the same */
} leman_features;

typedef struct leman_feature_options {
    size_t size;                   /* leman_feature_options_init() sets it */
    bool normalize;                /* rows divided by their length, with what is left out; a row of zeros stays */
    const leman_features *columns; /* NULL, or features whose columns are to be used again: those of the training set;
                                      data that does not fit their origin is LEMAN_ERROR_INPUT */
    bool refuse_out_of_vocabulary; /* what has no column there is LEMAN_ERROR_INPUT; otherwise it is left out and logged
                                    */
    unsigned hash_bits; /* 1 to 31: 2^bits columns by hash, collisions add up; 0: a column for every feature */
    bool apex;          /* the data is one of leman_dataset_apex(), which is part of the columns' origin */
    const char *keep;   /* leman_features_save() of new columns: a new file that gets them; it and the features both
                           appear, or neither. One that is there by then stays: LEMAN_ERROR_FILE. NULL: none */
    const char *column_table; /* leman_features_save() of columns that are not folded: a CSV file that gets what each
                                 column means, column,kernel,round,color; it appears with the features. NULL: none */
} leman_feature_options;

LEMAN_API void leman_feature_options_init(leman_feature_options *options, size_t size);
static inline leman_feature_options leman_feature_options_default(void)
{
    leman_feature_options options;
    leman_feature_options_init(&options, sizeof options);
    return options;
}
/*
 * The features of the sum of `count` kernels: those of a kernel of weight w are multiplied by sqrt(w). Assignment
 * kernels have none and are refused. options NULL: the default. Free with leman_features_free(). Time: refinement and a
 * sort of all (graph, colour) pairs; memory: at most twice the result beside the tuples in flight.
 */
LEMAN_API leman_status leman_features_compute(leman_context *ctx, const leman_dataset *data,
                                              const leman_kernel *kernels, size_t count,
                                              const leman_feature_options *options, leman_features **features);
LEMAN_API void leman_features_free(leman_features *features);

/* The columns as a file, for features of other data that line up with these: reading gives features without rows, for
 * leman_feature_options. It is the file of docs/kernels.md, or one of features (.lmf) with named columns. */
LEMAN_API leman_status leman_feature_columns_write(leman_context *ctx, const leman_features *features,
                                                   const char *path);
LEMAN_API leman_status leman_feature_columns_read(leman_context *ctx, const char *path, leman_features **features);

/* Writes features by the ending of the name: .svm (svmlight; also "-", standard output), .npz (loads with
 * scipy.sparse.load_npz), .mtx (MatrixMarket) or .lmf (our own: columns, origin, classes and targets too); .svm.gz and
 * .mtx.gz are compressed. Labels of .svm are the classes of the data, else its first targets, else 0. data NULL: those
 * of the features. The first only asks whether the ending is one of these. */
LEMAN_API leman_status leman_features_check(leman_context *ctx, const char *path);
LEMAN_API leman_status leman_features_write(leman_context *ctx, const leman_features *features,
                                            const leman_dataset *data, const char *path);
/* Reads a file of features (.lmf), whole and sound or LEMAN_ERROR_INPUT. */
LEMAN_API leman_status leman_features_read(leman_context *ctx, const char *path, leman_features **features);
/* Computes and writes in one, some graphs at a time. Held: one slice of the graphs. Where there are several slices, and
 * columns are new or the format cannot be written as rows come, the rows wait in a temporary file, in the folder of
 * path: 5 to 12 bytes an entry and 12 a column of each slice. *sizes gets features that have no rows in memory: rows,
 * columns, entries, out_of_vocabulary, block and origin are set; or NULL. */
LEMAN_API leman_status leman_features_save(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                           size_t count, const leman_feature_options *options, const char *path,
                                           leman_features **sizes);
/* The same for the graphs of a stream that has not begun, to the same bytes; held beside a slice are the names, classes
 * and targets of all graphs. Rounds must be numbers. target: a column of targets whose values are the labels of rows,
 * as in leman_dataset_target_find(), instead of classes and other targets; NULL: none. options->apex is refused. */
LEMAN_API leman_status leman_features_save_stream(leman_context *ctx, leman_stream *stream, const leman_kernel *kernels,
                                                  size_t count, const leman_feature_options *options,
                                                  const char *target, const char *path, leman_features **sizes);

/* ---- Feature files --------------------------------------------------------------------------- */

/*
 * Features that were computed before, by leman_features_save() or by others, from an svmlight (LIBSVM) file, compressed
 * or not: to be learned from, leman/model.h and leman/evaluate.h, where they need not fit into memory. A column is
 * known by its index in the file. Rows wait in a temporary file in $TMPDIR or /tmp, 5 to 12 bytes an entry. A matrix
 * belongs to its context.
 */
typedef struct leman_feature_matrix leman_feature_matrix;
/* Is the ending of the name one of these files'? .svm, .svmlight, .libsvm, and .gz behind them. False for NULL. */
LEMAN_API bool leman_feature_matrix_is(const char *path);
/* Indices must increase within a row, values be finite; a label is a number, or nan where it is missing. Anything else
 * is LEMAN_ERROR_INPUT, with its line. Free with leman_feature_matrix_free(). */
LEMAN_API leman_status leman_feature_matrix_read(leman_context *ctx, const char *path, leman_feature_matrix **out);
/* A graph without vertices for each row: its label is the target 0 and, where all labels are integers, the class. It
 * lies in the matrix. NULL for NULL. */
LEMAN_API const leman_dataset *leman_feature_matrix_labels(const leman_feature_matrix *matrix);
LEMAN_API void leman_feature_matrix_free(leman_feature_matrix *matrix);

#ifdef __cplusplus
}
#endif
#endif
