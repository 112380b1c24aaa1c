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
    LEMAN_KERNEL_KIND_COLORS,            /* counts of the colours of every round of a colouring */
    LEMAN_KERNEL_KIND_SHORTEST_PATH,     /* counts of (label, label, distance) of ordered connected pairs of vertices */
    LEMAN_KERNEL_KIND_GRAPHLET,          /* counts of labelled connected induced subgraphs */
    LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH, /* counts of neighbourhood hashes of vertices, rounds 1 .. radius */
    LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH, /* neighbourhood hashes that count equal neighbours */
    LEMAN_KERNEL_KIND_HADAMARD_CODE,        /* counts of sums of label codes over walks, rounds 0 .. radius */
    LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS,   /* pairs of balls of radius 0 .. radius at distance 0 .. distance */
    LEMAN_KERNEL_KIND_TREES,                /* counts of trees in the breadth-first DAGs of depth radius */
    LEMAN_KERNEL_KIND_RANDOM_WALK,          /* pairs of walks of equal length, labels aside */
    LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED,  /* pairs of walks of equal length with equal vertex labels */
    LEMAN_KERNEL_KIND_GRAPH_HOPPER,         /* pairs of shortest paths, compared by the attributes of their vertices */
    LEMAN_KERNEL_KIND_PYRAMID_MATCH, /* counts of vertices in cells of the space of leading eigenvectors, minima */
    LEMAN_KERNEL_KIND_PROPAGATION    /* counts of hashes of labels and attributes that diffuse along the edges */
} leman_kernel_kind;
#define LEMAN_KERNEL_KIND_COUNT 13

/* GRAPH_HOPPER: the kernel of the attributes x and y of two vertices. */
typedef enum leman_node_kernel {
    LEMAN_NODE_KERNEL_LINEAR,   /* the scalar product of x and y */
    LEMAN_NODE_KERNEL_GAUSSIAN, /* exp(-mu |x - y|^2) */
    LEMAN_NODE_KERNEL_BRIDGE    /* max(0, 1 - |x - y| / 4) */
} leman_node_kernel;

/* What k(G, H) is divided by where matrices are normalised. */
typedef enum leman_normalization {
    LEMAN_NORMALIZATION_COSINE, /* sqrt(k(G, G) k(H, H)) */
    LEMAN_NORMALIZATION_TANIMOTO /* k(G, G) + k(H, H) - k(G, H); with assignment, the sum of minima over that of maxima */
} leman_normalization;
#define LEMAN_NORMALIZATION_COUNT 2
/* Names: "cosine", "tanimoto"; "unknown" for anything else. */
LEMAN_API const char *leman_normalization_name(leman_normalization normalization);

/* Names: "colors", "shortest_path", "graphlet", "neighborhood_hash", "count_sensitive_hash", "hadamard_code",
 * "neighborhood_pairs", "trees", "random_walk", "random_walk_labeled", "graph_hopper", "pyramid_match",
 * "propagation"; "unknown" for anything else. */
LEMAN_API const char *leman_kernel_kind_name(leman_kernel_kind kind);

/*
 * The random numbers of a propagation kernel, for callers that draw them. Column j is the label label[j] or, if label
 * is NULL, attribute j. The bin of a vertex with the distribution (or attributes) x in round r is
 * floor((x direction[r] + offset[r]) / width). If `separate` is true, offset is [rounds + 1][columns], and column j has
 * its own bin floor((x_j direction[r][j] + offset[r][j]) / width); two vertices are equal if all their bins are.
 */
typedef struct leman_projections {
    size_t size; /* leman_projections_init() sets it */
    size_t columns;
    const int64_t *label;    /* [columns] increasing; the data must have one column of vertex labels */
    const double *direction; /* [rounds + 1][columns] */
    const double *offset;    /* [rounds + 1], or [rounds + 1][columns] */
    bool separate;           /* only for attributes */
} leman_projections;
LEMAN_API void leman_projections_init(leman_projections *projections, size_t size);
static inline leman_projections leman_projections_default(void)
{
    leman_projections projections;
    leman_projections_init(&projections, sizeof projections);
    return projections;
}

typedef struct leman_kernel {
    size_t size; /* leman_kernel_init() sets it */
    leman_kernel_kind kind;
    unsigned graphlet; /* vertices of a graphlet: 3; 4 or 5 ignore labels */
    double weight;     /* in a sum of kernels: 1e-100 to 1e100 */
    bool assignment;   /* sum of minima (histogram intersection) instead of sum of products */
    bool weighted;     /* SHORTEST_PATH: the length of an edge is its first attribute, not 1. RANDOM_WALK*,
                      PROPAGATION: its weight */
    /* NEIGHBORHOOD_HASH, COUNT_SENSITIVE_HASH (from 1), HADAMARD_CODE: the number of rounds. NEIGHBORHOOD_PAIRS: the
     * largest radius. TREES: the depth; 255 means no limit. */
    uint8_t radius;
    uint8_t distance; /* NEIGHBORHOOD_PAIRS: the largest distance of two centres */
    /* NEIGHBORHOOD_HASH, COUNT_SENSITIVE_HASH: 0, or 1 to 32. 0: hashes have 64 bits, and round 0 has hashes of the
     * labels. Otherwise hashes have so many bits, and round 0 has the labels themselves, numbers below 2^bits; a vertex
     * with another label, and every vertex that its hash reaches, is not counted. */
    uint8_t bits;
    /* RANDOM_WALK and RANDOM_WALK_LABELED: the kernel is the sum over pairs of walks of s steps, each counted lambda^s
     * times, or lambda^s / s! times if exponential. If the kernel is weighted, a walk counts the product of the first
     * attributes of its edges. */
    double lambda;  /* above 0; default 0.1 */
    unsigned steps; /* the largest number of steps, up to 4096; 0: all walks */
    bool exponential;
    /* GRAPH_HOPPER */
    leman_node_kernel node_kernel;
    double mu; /* of LEMAN_NODE_KERNEL_GAUSSIAN, above 0; default 1 */
    /* PYRAMID_MATCH, which needs `assignment`: the range of absolute entries of leading eigenvectors is cut into 1, 2,
     * 4, ... cells. The kernel is 2^(levels - 1) times that of Nikolentzos et al. (2017), and so an integer. */
    unsigned dimensions; /* eigenvectors, 1 to 64; default 6 */
    unsigned levels;     /* 1 to 16; default 4 */
    /* Hashes of real vertex attributes. `binnings` random binnings turn the attributes of a vertex into one more label:
     * the kernel is the sum over all binnings of the kernel of graphs with this label. 0: attributes are not used. A
     * bin is an interval of the length bin_width of a random projection, so that the attributes should be standardised
     * (leman_dataset_standardize()). PROPAGATION adds the bins of the diffused attributes to the hashes of vertices. */
    uint32_t binnings;
    double bin_width;
    uint64_t hash_seed; /* of all binnings and projections */
    /* PROPAGATION: the distributions of labels are hashed with this bin width, such that their distance by total
     * variation is preserved, or their Hellinger distance. */
    double label_width;
    bool hellinger;
    /* PROPAGATION: NULL, or the projections of the labels (`binnings` is 0) or of the attributes (`binnings` is 1, and
     * labels are not used). They must exist as long as the kernel is used. Only Gram matrices are computed from them. */
    const leman_projections *projections;
    /* How matrices are normalised. All kernels of a sum must have the same. With TANIMOTO there is no linear SVM. */
    leman_normalization normalization;
    /* COLORS: the labels that the data must have been read with, LEMAN_ATOM_ECFP or LEMAN_ATOM_FCFP, or 0: any. Data with
     * other labels fails with LEMAN_ERROR_INPUT. */
    unsigned atom_labels;
    /* COLORS: evaluations and fits take coloring.rounds, and do not select the number of rounds. */
    bool fixed_rounds;
    /* COLORS: what is coloured. The other kinds use only ignore_vertex_labels, ignore_edge_labels and seed, and
     * PROPAGATION uses rounds. This is the last member, because leman_coloring may grow. */
    leman_coloring coloring;
} leman_kernel;

/* Sets LOCAL, k = 2, five rounds, weight 1; graphlets of 3 vertices; radius 3, distance 4; no binnings, bin_width 1,
 * label_width 0.01. */
LEMAN_API void leman_kernel_init(leman_kernel *kernel, size_t size);
static inline leman_kernel leman_kernel_default(void)
{
    leman_kernel kernel;
    leman_kernel_init(&kernel, sizeof kernel);
    return kernel;
}
/*
 * Parses the name of a kernel, in upper or lower case: a colouring ("delta-2-LWL", "local:2", "LWL2", see
 * leman_coloring_parse()), "WLOA" (1-WL with assignment), "SP" (shortest paths), "GR" or "graphlet" with or without a
 * size ("GR:4"), "NH" (neighbourhood hash), "CSNH" (its count-sensitive variant) and "HC" (Hadamard codes) with or
 * without a radius ("NH:2"), "ODD" (trees) with or without a depth ("ODD:2"), "NSPD" (pairs of neighbourhoods) with or
 * without a radius and a distance ("NSPD:2", "NSPD:2:5"), "Propagation", "RandomWalk" or
 * "RandomWalkLabeled" with or without parameters ("RandomWalk:exponential", "RandomWalkLabeled:lambda=0.05:steps=3"),
 * "GraphHopper" ("GraphHopper:gaussian:mu=0.5", "GraphHopper:bridge"), "PyramidMatch"
 * ("PyramidMatch:dimensions=4:levels=3"). "ECFP4" and "FCFP4", with any even number up to 12 (default 4), are 1-WL of half
 * as many rounds on LEMAN_ATOM_ECFP or _FCFP, as minima with TANIMOTO: what RDKit computes from counts. Any name may be
 * followed by ":assignment" or ":minmax" (assignment with TANIMOTO), which kernels of pairs refuse, or by ":tanimoto".
 * Members of *kernel that the name does not determine are not changed. Unknown names fail with LEMAN_ERROR_ARGUMENT.
 */
LEMAN_API leman_status leman_kernel_parse(leman_context *ctx, const char *name, leman_kernel *kernel);
/* Returns the i-th name that leman_kernel_parse() knows, without numbers; NULL after the last. */
LEMAN_API const char *leman_kernel_known_name(size_t i);
/* Returns true if a kernel has rounds to be selected: a colouring or propagation, whose features are counted after each
 * round, without fixed_rounds. */
LEMAN_API bool leman_kernel_has_rounds(const leman_kernel *kernel);
/* Returns the name without numbers, "wl", "local", "wloa", "sp", "graphlet", "nh", ...; "unknown" if there is none. */
LEMAN_API const char *leman_kernel_name(const leman_kernel *kernel);
/* A text such as "delta-2-LWL + SP" or "local:2+sp" names a sum of kernels. A + that is followed by a name adds; any
 * other + is part of a name ("local++sp"). leman_kernels_count() returns the number of kernels. leman_kernels_parse()
 * parses them as leman_kernel_parse() does into kernels[count], which the caller has initialised; any other count is
 * LEMAN_ERROR_ARGUMENT. */
LEMAN_API size_t leman_kernels_count(const char *text);
LEMAN_API leman_status leman_kernels_parse(leman_context *ctx, const char *text, leman_kernel *kernels, size_t count);
/* Writes the paper's names of a sum of kernels into text[size]: "delta-2-LWL + SP", "WLOA", "2-FWL:assignment". A text
 * that is too long is cut off. Returns the length of the whole text, as snprintf() does. The text contains k, the size
 * of graphlets, the radius, assignment, and parameters of other kernels that are not the default, no other members, and
 * leman_kernels_parse() can parse it. */
LEMAN_API size_t leman_kernels_paper_name(const leman_kernel *kernels, size_t count, char *text, size_t size);

/* Returns false for assignment kernels, which are sums of minima, and for kernels that are computed pair by pair
 * (RANDOM_WALK, RANDOM_WALK_LABELED, GRAPH_HOPPER). Such kernels have Gram matrices, but no feature vectors, and no
 * linear SVM. */
LEMAN_API bool leman_kernel_has_features(const leman_kernel *kernel);
/* Sets *radius to the largest absolute eigenvalue of an adjacency matrix of the data, 0 without edges. weighted: edges
 * weigh their first attributes, not 1. Kernels of walks without a number of steps need lambda < 1 / radius^2, unless
 * they are exponential. Time O(n^3) a graph. */
LEMAN_API leman_status leman_spectral_radius(leman_context *ctx, const leman_dataset *data, bool weighted,
                                             double *radius);

/* Replaces LEMAN_STABLE in kernels[count] by the first round after which no colour class of the data is split. All
 * functions below that take such kernels use the same number of rounds. */
LEMAN_API leman_status leman_kernels_resolve(leman_context *ctx, const leman_dataset *data, leman_kernel *kernels,
                                             size_t count);

/*
 * Computes the Gram matrix of the sum of `count` kernels into out[rows][columns]. Rows are the graphs of `data`,
 * columns the graphs of `against`; if `against` is NULL, the matrix is square and symmetric. With normalize, each entry
 * is divided as kernels->normalization says, and is 0 if the divisor is 0. Sums of integers are exact up to 2^53 and rounded
 * once up to 2^63. If the kernel of a graph with itself is larger, all sums are computed again as doubles: an entry
 * above 2^53 that is a sum of m products then has a relative error of at most m 2^-53. Time: refinement, a sort of all
 * (graph, colour) pairs, and an addition for each colour that two graphs share. Memory: `out`, the tuples being refined
 * and the pairs together stay within the budget. Pairs that do not fit are computed in slices, each with one more
 * refinement; the result is bitwise the same. Fails with LEMAN_ERROR_BUDGET if this is impossible.
 */
LEMAN_API leman_status leman_gram_compute(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                          const leman_kernel *kernels, size_t count, bool normalize, double *out);
/* Computes the kernel of every graph with itself, the diagonal of the matrix of leman_gram_compute() without
 * normalize, into out[graphs]. */
LEMAN_API leman_status leman_gram_diagonal(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                           size_t count, double *out);
/* Computes the matrix of leman_gram_compute() and writes it, as leman_matrix_write() does, with the classes of the data
 * as labels. Only some rows are in memory at a time; the file is the same as for the whole matrix. Time: a refinement
 * of all graphs for each part of the rows that half of the budget holds, and twice the additions of a square matrix. */
LEMAN_API leman_status leman_gram_save(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                       const leman_kernel *kernels, size_t count, bool normalize, const char *path);
/* Computes the Gram matrices of one kernel that has rounds for every number of rounds h = 0 .. rounds into
 * out[h][rows][columns]. rounds must be a number, not LEMAN_STABLE. Time: one refinement for all h; LOCAL_PLUS with #
 * only in the last round takes one more round for each h. */
LEMAN_API leman_status leman_gram_rounds(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                         const leman_kernel *kernel, bool normalize, double *const *out);
/*
 * Options of leman_gram_sample(), which estimates a Gram matrix for graphs with too many tuples. It draws random tuples
 * of each graph, with replacement, and computes their exact colours; only tuples within `rounds` steps of them are
 * refined. The matrix is estimated for the kernel divided by the numbers of tuples, times the weight of the kernel:
 *
 *   k(G, H) / (n_G^k n_H^k) = sum over rounds of the probability that random tuples of G and H have the same colour.
 *
 * The estimate is unbiased. With normalize, it is a quotient of such estimates in place of the cosine of the kernel
 * (which dividing by numbers of tuples does not change); the quotient is bounded, but biased. A graph with no more
 * tuples than would be drawn is used whole. The draw depends on the context's seed and the number of the graph.
 */
typedef struct leman_sampling {
    size_t size;       /* leman_sampling_init() sets it */
    uint64_t tuples;   /* drawn from each graph, at least 2; default 10000 */
    double confidence; /* above 0 and below 1; default 0.95 */
} leman_sampling;
LEMAN_API void leman_sampling_init(leman_sampling *sampling, size_t size);
static inline leman_sampling leman_sampling_default(void)
{
    leman_sampling sampling;
    leman_sampling_init(&sampling, sizeof sampling);
    return sampling;
}
/* Estimates the Gram matrix into out[rows][columns]; rows and columns as in leman_gram_compute(). bound[rows][columns]
 * may be NULL: with probability `confidence`, every estimate is within its bound of the exact value (Hoeffding's
 * inequality for U-statistics, and a union bound over all entries). sampling may be NULL: the default. Fails with
 * LEMAN_ERROR_UNSUPPORTED unless the kernel is LOCAL over all tuples without assignment. */
LEMAN_API leman_status leman_gram_sample(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                         const leman_kernel *kernel, const leman_sampling *sampling, bool normalize,
                                         double *out, double *bound);
/* Write a matrix in the format that the ending of the path names: .npy, .csv (also for "-", standard output), .txt, or
 * .svm (precomputed kernel of LIBSVM with labels[rows], or labels 0 if NULL). The file appears whole or not at all.
 * leman_matrix_check() writes nothing; it fails with LEMAN_ERROR_ARGUMENT if the ending is none of these. */
LEMAN_API leman_status leman_matrix_check(leman_context *ctx, const char *path);
LEMAN_API leman_status leman_matrix_write(leman_context *ctx, const double *values, size_t rows, size_t columns,
                                          const int64_t *labels, const char *path);

/* What a column of features counts. Columns are sorted by kernel, round and key, for any order of graphs. */
typedef struct leman_feature {
    uint32_t kernel; /* index into the kernels of the call */
    uint32_t round;  /* of a kernel that has rounds; 0 for other kernels */
    uint64_t key;    /* the colour; for other kernels the hash of a path or graphlet */
} leman_feature;

/* The columns of one round of one kernel: first .. first + columns - 1. */
typedef struct leman_feature_block {
    uint32_t kernel, round;
    size_t first, columns;
} leman_feature_block;

/* The kernels and the kind of data that columns were computed for. Only features of the same origin are comparable. */
typedef struct leman_feature_origin {
    char *kernels;                     /* text with rounds and ignored labels; NULL: not known */
    bool apex;                         /* as in leman_feature_options */
    bool directed;                     /* the data is directed */
    size_t vertex_labels, edge_labels; /* label columns of the data that the kernels use */
    leman_kernel *kernel;              /* [kernel_count] the kernels that the text describes; NULL: not known */
    size_t kernel_count;
    uint64_t reading; /* leman_dataset_reading() of the data */
} leman_feature_origin;

/*
 * The feature vectors of many graphs as a sparse matrix: row i has value[e] in column[e] for e = start[i] ..
 * start[i+1]-1, columns increasing. The value of graph G in the column of colour c and round r is the number of tuples
 * of G with colour c after round r. The scalar product of two rows is the kernel.
 */
typedef struct leman_features {
    size_t rows, columns, entries;
    uint64_t *start;            /* [rows+1] */
    uint32_t *column;           /* [entries] */
    double *value;              /* [entries] */
    leman_feature *feature;     /* [columns]; NULL if the options set columns or hash_bits */
    uint64_t out_of_vocabulary; /* entries that were left out because options->columns has no column for them */
    size_t blocks;
    leman_feature_block *block;  /* [blocks] in order, including empty ones; NULL with hash_bits */
    leman_feature_origin origin; /* of the columns */
    int64_t *class_label;        /* [rows] if read from a file that has classes, otherwise NULL */
    double *target;              /* [rows] first targets, if read from a file that has targets, otherwise NULL */
} leman_features;

typedef struct leman_feature_options {
    size_t size;                   /* leman_feature_options_init() sets it */
    bool normalize;                /* divide rows by their length, including entries left out; rows of zeros stay */
    const leman_features *columns; /* NULL, or features (of a training set) whose columns are used; data of another
                                      origin fails with LEMAN_ERROR_INPUT */
    bool refuse_out_of_vocabulary; /* an entry without a column fails with LEMAN_ERROR_INPUT; otherwise it is left out
                                      and logged */
    unsigned hash_bits; /* 1 to 31: 2^bits columns by hash, collisions add up; 0: a column for every feature */
    bool apex;          /* the data comes from leman_dataset_apex(); recorded in the origin of the columns */
    const char *keep;   /* leman_features_save() with new columns: path of a file for the columns. This file and the
                           features both appear, or neither. Fails with LEMAN_ERROR_FILE if it exists. NULL: none */
    const char *column_table; /* leman_features_save() without hash_bits: path of a CSV file that describes each column
                                 (column,kernel,round,color); it appears together with the features. NULL: none */
    const char *const *column_text; /* with column_table: texts of all columns, the last field of their lines, such as
                                       those of leman_features_substructures(); NULL: no such field */
} leman_feature_options;

LEMAN_API void leman_feature_options_init(leman_feature_options *options, size_t size);
static inline leman_feature_options leman_feature_options_default(void)
{
    leman_feature_options options;
    leman_feature_options_init(&options, sizeof options);
    return options;
}
/*
 * Computes the features of the sum of `count` kernels. Features of a kernel of weight w are multiplied by sqrt(w).
 * Assignment kernels have no features and fail with LEMAN_ERROR_ARGUMENT. options may be NULL: the default. Free with
 * leman_features_free(). Time: refinement and a sort of all (graph, colour) pairs. Memory: at most twice the result,
 * and the tuples being refined.
 */
LEMAN_API leman_status leman_features_compute(leman_context *ctx, const leman_dataset *data,
                                              const leman_kernel *kernels, size_t count,
                                              const leman_feature_options *options, leman_features **features);
LEMAN_API void leman_features_free(leman_features *features);

/* Write and read the columns of features, so that features of other data can have the same columns. Writing makes a
 * file of columns (docs/kernels.md). Reading takes such a file, or a file of features (.lmf) with named columns, and
 * returns features without rows, for options->columns. */
LEMAN_API leman_status leman_feature_columns_write(leman_context *ctx, const leman_features *features,
                                                   const char *path);
LEMAN_API leman_status leman_feature_columns_read(leman_context *ctx, const char *path, leman_features **features);

/* Write features in the format that the ending of the path names: .svm (svmlight; also for "-", standard output), .npz
 * (for scipy.sparse.load_npz), .mtx (MatrixMarket) or .lmf (the library's own, with columns, origin, classes and
 * targets); .svm.gz and .mtx.gz are compressed. The labels of .svm are the classes of the data, otherwise its first
 * targets, otherwise 0. data may be NULL: classes and targets of the features are used. leman_features_check() writes
 * nothing; it fails with LEMAN_ERROR_ARGUMENT if the ending is none of these. */
LEMAN_API leman_status leman_features_check(leman_context *ctx, const char *path);
LEMAN_API leman_status leman_features_write(leman_context *ctx, const leman_features *features,
                                            const leman_dataset *data, const char *path);
/* Reads a file of features (.lmf). Fails with LEMAN_ERROR_INPUT if it is damaged or incomplete. */
LEMAN_API leman_status leman_features_read(leman_context *ctx, const char *path, leman_features **features);
/* Computes features and writes them, as leman_features_compute() and leman_features_write() do, in slices of the
 * graphs; memory holds one slice. If there are several slices, and columns are new or the format cannot be written row
 * by row, a temporary file in the folder of path holds the rows: 5 to 12 bytes an entry, and 12 a column of each slice.
 * sizes may be NULL; otherwise *sizes gets features without rows in memory, with rows, columns, entries,
 * out_of_vocabulary, block and origin set. */
LEMAN_API leman_status leman_features_save(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                           size_t count, const leman_feature_options *options, const char *path,
                                           leman_features **sizes);
/* Like leman_features_save(), for the graphs of a stream from which nothing has been read; the file has the same bytes.
 * Memory holds one slice, and names, classes and targets of all graphs. Rounds must be numbers, not LEMAN_STABLE, and
 * options->apex must be false, otherwise LEMAN_ERROR_ARGUMENT. target names a target column, as in
 * leman_dataset_target_find(), whose values replace classes and other targets as labels; NULL: none. */
LEMAN_API leman_status leman_features_save_stream(leman_context *ctx, leman_stream *stream, const leman_kernel *kernels,
                                                  size_t count, const leman_feature_options *options,
                                                  const char *target, const char *path, leman_features **sizes);

/* ---- Feature files --------------------------------------------------------------------------- */

/*
 * Features read from a file that leman_features_save() wrote (.lmf), or from an svmlight (LIBSVM) file, compressed or
 * not, which any program may have written. Models and evaluations (leman/model.h, leman/evaluate.h) learn from them;
 * they need not fit into memory. A column of an .lmf file with named columns is identified by its kernel, round and
 * key, and a model of such a file predicts for graphs, too. Any other column is identified by its index in the file.
 * Rows are held in a temporary file in $TMPDIR or /tmp, 5 to 12 bytes an entry; while an .lmf file is read, a copy of
 * the file is held there, too. A matrix must be freed before its context.
 */
typedef struct leman_feature_matrix leman_feature_matrix;
/* Returns true if the path ends in .lmf, or in .svm, .svmlight or .libsvm, or one of these three and .gz. False for
 * NULL. */
LEMAN_API bool leman_feature_matrix_is(const char *path);
/* Reads a matrix. Indices must increase within a row, values must be finite, and a label is a number, or nan if it is
 * missing. A file that violates these rules fails with LEMAN_ERROR_INPUT and a message that names the line or row. A
 * path for which leman_feature_matrix_is() is false fails with LEMAN_ERROR_ARGUMENT. Free with
 * leman_feature_matrix_free(). */
LEMAN_API leman_status leman_feature_matrix_read(leman_context *ctx, const char *path, leman_feature_matrix **out);
/* Returns a data set with a graph without vertices for each row. It has the classes and targets of an .lmf file. The
 * label of a row of an svmlight file is its target 0 and, if all labels are integers, its class. The data set belongs
 * to the matrix. NULL for NULL. */
LEMAN_API const leman_dataset *leman_feature_matrix_labels(const leman_feature_matrix *matrix);
LEMAN_API void leman_feature_matrix_free(leman_feature_matrix *matrix);

#ifdef __cplusplus
}
#endif
#endif
