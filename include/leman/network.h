/* leman/network.h - graph neural networks on vertices and tuples: training, prediction, evaluation. */
#ifndef LEMAN_NETWORK_H
#define LEMAN_NETWORK_H

#include "leman/evaluate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Architectures --------------------------------------------------------------------------- */

/* The list of all kinds of networks: X(NAME, name), and in the comment what it works on and its name in the paper.
 * docs/networks.md has the layers. A new kind is a row at the end, and a definition in src/nn like lm_model_gin0. */
/* clang-format off */
#define LEMAN_NETWORK_KINDS(X)                                                                                         \
    X(GIN0, gin0)             /* vertices: GIN-0 */                                                                    \
    X(GIN, gin)               /* GIN-epsilon */                                                                        \
    X(GINE0, gine0)           /* with edge labels: GINE */                                                             \
    X(GINE, gine)             /* GINE-epsilon */                                                                       \
    X(WL, wl)                 /* k-tuples: k-WL-GNN */                                                                 \
    X(LOCAL, local)           /* delta-k-LGNN */                                                                       \
    X(LOCAL_PLUS, local_plus) /* delta-k-LGNN+ */                                                                      \
    X(DELTA, delta)           /* delta-k-GNN */                                                                        \
    X(MPNN, mpnn)             /* vertices, with maps that depend on the edge: MPNN */                                  \
    X(PPGN, ppgn)             /* pairs, with products of matrices: PPGN, the paper's 3-IGN */                          \
    X(GNN12, gnn12)           /* vertices and 2-sets: 1-2-GNN */                                                       \
    X(GNN13, gnn13)           /* vertices and connected 3-sets: 1-3-GNN */                                             \
    X(GNN123, gnn123)         /* vertices and both: 1-2-3-GNN */                                                       \
    X(LOCAL2, local2)         /* pairs, with messages of edges: Local-2-GNN */                                         \
    X(FOLKLORE2, folklore2)   /* Local-2-FGNN */                                                                       \
    X(SUBGRAPH, subgraph)     /* Subgraph-GNN */                                                                       \
    X(SSWL_PLUS, sswl_plus)   /* SSWL+ */                                                                              \
    X(MESSAGE, message)       /* vertices, by the recipe of the pair networks: Message-Passing */
/* clang-format on */

/* LEMAN_NETWORK_KIND_GIN0, LEMAN_NETWORK_KIND_GIN, ... */
#define LEMAN_NETWORK_KIND_VALUE(NAME, name) LEMAN_NETWORK_KIND_##NAME,
typedef enum leman_network_kind { LEMAN_NETWORK_KINDS(LEMAN_NETWORK_KIND_VALUE) } leman_network_kind;
#define LEMAN_NETWORK_KIND_ONE(NAME, name) +1
#define LEMAN_NETWORK_KIND_COUNT (0 LEMAN_NETWORK_KINDS(LEMAN_NETWORK_KIND_ONE))
/* Names: "gin0", "gin", ..., "local+", ... */
LEMAN_API const char *leman_network_kind_name(leman_network_kind kind);

/* The layers before and after those of the kind, and default layers and width, as the paper has them for a data set. */
typedef enum leman_preset { LEMAN_PRESET_ZINC, LEMAN_PRESET_ALCHEMY, LEMAN_PRESET_QM9, LEMAN_PRESET_TU } leman_preset;
#define LEMAN_PRESET_COUNT 4
/* Names: "zinc", "alchemy", "qm9", "tu". */
LEMAN_API const char *leman_preset_name(leman_preset preset);
LEMAN_API leman_status leman_preset_parse(leman_context *ctx, const char *name, leman_preset *preset);
/* Returns the preset for the data: LEMAN_PRESET_TU if it has classes, otherwise (and for NULL) LEMAN_PRESET_ZINC. */
LEMAN_API leman_preset leman_preset_for(const leman_dataset *data);

/* How a network reads real-valued attributes of vertices and edges: not at all, as they are, or with mean 0 and
 * deviation 1 over the training part (a constant column has the deviation 1). docs/networks.md says which network reads
 * which attributes. */
typedef enum leman_attribute_use {
    LEMAN_ATTRIBUTE_USE_NONE,
    LEMAN_ATTRIBUTE_USE_RAW,
    LEMAN_ATTRIBUTE_USE_STANDARDIZED
} leman_attribute_use;
#define LEMAN_ATTRIBUTE_USE_COUNT 3
/* Names: "none", "raw", "standardized". */
LEMAN_API const char *leman_attribute_use_name(leman_attribute_use use);
LEMAN_API leman_status leman_attribute_use_parse(leman_context *ctx, const char *name, leman_attribute_use *use);

/* The parts of a layer of pair networks; src/nn/pairs.c and docs/networks.md define them. A layer is a set of parts. */
typedef enum leman_layer_part {
    LEMAN_LAYER_PART_LOCAL1 = 1,
    LEMAN_LAYER_PART_LOCAL2 = 2,
    LEMAN_LAYER_PART_FOLKLORE1 = 4,
    LEMAN_LAYER_PART_FOLKLORE2 = 8,
    LEMAN_LAYER_PART_GLOBAL1 = 16,
    LEMAN_LAYER_PART_GLOBAL2 = 32,
    LEMAN_LAYER_PART_DIAGONAL1 = 64,
    LEMAN_LAYER_PART_DIAGONAL2 = 128
} leman_layer_part;
#define LEMAN_LAYER_PARTS 8
/* Returns the name of part 1 << i, "local1" and so on; NULL from i = LEMAN_LAYER_PARTS on. */
LEMAN_API const char *leman_layer_part_name(size_t i);

/* The encodings of pairs that pair networks read beside labels; docs/networks.md defines them. */
typedef enum leman_pair_encoding {
    LEMAN_PAIR_ENCODING_DISTANCE = 1,   /* of the vertices, up to `distance` of leman_architecture */
    LEMAN_PAIR_ENCODING_WALK = 2,       /* probabilities of random walks of 1 to `walk` steps */
    LEMAN_PAIR_ENCODING_RESISTANCE = 4, /* effective resistance */
    LEMAN_PAIR_ENCODING_NONE = 8        /* labels alone; never beside the others */
} leman_pair_encoding;
#define LEMAN_PAIR_ENCODINGS 4
#define LEMAN_PAIR_ENCODING_MAX 1000 /* of `distance` and `walk` */

typedef struct leman_architecture {
    size_t size; /* leman_architecture_init() sets it */
    leman_network_kind kind;
    unsigned k; /* size of tuples: 2 or 3 */
    leman_preset preset;
    size_t layers, width; /* 0: those of the preset */
    bool ignore_vertex_labels, ignore_edge_labels, ignore_attributes;
    size_t coordinates, first_coordinate; /* QM9: number and first of the vertex attributes that are a position */
    bool in_arcs;                         /* directed graphs: entering arcs are a second relation */
    unsigned layer_parts;                 /* pair networks: a set of leman_layer_part; 0: those of the kind. Named
                                             "pairs:local1+local2+diagonal1" */
    leman_attribute_use attributes;       /* beside the labels. Not used with ignore_attributes, nor by
                                             LEMAN_PRESET_QM9, which reads attributes as they are */
    unsigned encodings;                   /* pair networks: a set of leman_pair_encoding; 0: that of the published
                                             networks, distances up to 5 */
    size_t distance, walk;                /* numbers of the encodings that are in the set; 0: 5 and 16 */
    size_t components;                    /* s > 0: only tuples whose vertices induce at most s connected components (1:
                                             connected tuples) are rows of the network, as in leman_coloring; s >= k, and
                                             0: all tuples */
} leman_architecture;

/* Sets LEMAN_NETWORK_KIND_LOCAL, k = 2, LEMAN_PRESET_ZINC, LEMAN_ATTRIBUTE_USE_STANDARDIZED. */
LEMAN_API void leman_architecture_init(leman_architecture *architecture, size_t size);
static inline leman_architecture leman_architecture_default(void)
{
    leman_architecture architecture;
    leman_architecture_init(&architecture, sizeof architecture);
    return architecture;
}

/* Parses the paper's name of a network ("delta-2-LGNN", "δ-2-LGNN", "2-WL-GNN", "GIN-eps"), or the name of a kind with
 * or without k ("gin", "local:2"), in upper or lower case and optionally after "network:". Members of *architecture
 * that the name does not determine are not changed. An unknown name fails with LEMAN_ERROR_ARGUMENT. */
LEMAN_API leman_status leman_architecture_parse(leman_context *ctx, const char *name, leman_architecture *architecture);
/* Returns the i-th name that leman_architecture_parse() knows, kinds first; NULL after the last. */
LEMAN_API const char *leman_architecture_known_name(size_t i);
/* Sets the encodings of a pair network from text: "none", or some of "distance:5,walk:16,resistance" in any order; "walk"
 * has the default number. Fails with LEMAN_ERROR_ARGUMENT for other text, or if *architecture is no pair network. */
LEMAN_API leman_status leman_architecture_encode(leman_context *ctx, const char *text,
                                                 leman_architecture *architecture);
/* Writes the encodings of a network (NULL: the default) in this form into text[size], cut off if they are too long, and
 * nothing if it is no pair network. Returns the length of the whole text, as snprintf() does. */
LEMAN_API size_t leman_architecture_encodings(const leman_architecture *architecture, char *text, size_t size);
/* Returns the size of the tuples of a network (NULL: the default). A kind with a fixed size returns this size: 1 for
 * networks on vertices and on sets, 2 for PPGN. Every other kind returns architecture->k, which is not checked. An
 * unknown kind returns 0. */
LEMAN_API unsigned leman_architecture_k(const leman_architecture *architecture);
/* Writes the paper's name of a network (NULL: the default) into text[size], cut off if it is too long. Returns the
 * length of the whole name, as snprintf() does. */
LEMAN_API size_t leman_architecture_paper_name(const leman_architecture *architecture, char *text, size_t size);

/* Finds what the vertex attributes of the data are, and logs what it sets. Call this function unless the user has asked
 * for all attributes. For LEMAN_PRESET_QM9, it sets ignore_vertex_labels if some attributes repeat the labels one-hot,
 * and it sets coordinates, if they are 0, if there are the 16 attributes of QM9, of which the first repeat the labels and
 * the last three are a position. *known, which may be NULL, is set to false only if the preset is QM9, attributes are
 * not ignored, and no position is known. For other presets, it sets ignore_attributes if the first graph is a molecule
 * and its attributes are the three coordinates of an SDF file: they would make predictions depend on how a molecule
 * is turned. */
LEMAN_API leman_status leman_architecture_attributes(leman_context *ctx, const leman_dataset *data,
                                                     leman_architecture *architecture, bool *known);

/* Sets *vertices and *edges to the columns of vertex and of edge attributes of the data that a network of this
 * architecture reads (NULL: the default). GIN-0 and GIN-eps read no edge attributes. */
LEMAN_API leman_status leman_architecture_columns(leman_context *ctx, const leman_dataset *data,
                                                  const leman_architecture *architecture, size_t *vertices,
                                                  size_t *edges);

/* ---- Parts of a data set --------------------------------------------------------------------- */

/* The training, validation and test parts of a data set: the first count[0] numbers in graph, the next count[1], the
 * next count[2]. Free with leman_parts_free(). */
typedef struct leman_parts {
    size_t count[3];
    uint32_t *graph; /* numbers from 0 */
} leman_parts;

/* Makes parts from lists, which are copied; test may be NULL if test_count is 0. */
LEMAN_API leman_status leman_parts_new(leman_context *ctx, const uint32_t *train, size_t train_count,
                                       const uint32_t *val, size_t val_count, const uint32_t *test, size_t test_count,
                                       leman_parts **parts);
/* Draws parts at random; the context's seed determines the draw. A part with a share above 0 gets floor(share * graphs)
 * graphs, but at least one. If test_share is 0, the test part is empty. All other graphs are training graphs. Fails
 * with LEMAN_ERROR_ARGUMENT unless val_share > 0, test_share >= 0 and val_share + test_share < 1, and with
 * LEMAN_ERROR_INPUT if there are too few graphs. */
LEMAN_API leman_status leman_parts_draw(leman_context *ctx, size_t graphs, double val_share, double test_share,
                                        leman_parts **parts);
/* Reads parts from files of graph numbers, from 0, separated by commas, blanks or line ends; test may be NULL. Repeated
 * numbers, and graphs in two parts, are kept and logged. */
LEMAN_API leman_status leman_parts_read(leman_context *ctx, size_t graphs, const char *train, const char *val,
                                        const char *test, leman_parts **parts);
/* Reads parts from files whose numbers count inside given ranges, as the benchmark lists of ZINC do. Range i (train,
 * val, test) is the count[i] graphs from first[i] on; its file has numbers from 0 to count[i] - 1. A file that is NULL
 * means the whole range. count[2] may be 0. */
LEMAN_API leman_status leman_parts_read_inside(leman_context *ctx, size_t graphs, const size_t first[3],
                                               const size_t count[3], const char *train, const char *val,
                                               const char *test, leman_parts **parts);
/* leman_parts_listed() reads the lists train.index, val.index and test.index in the TU folder or zip of the data, as in
 * the benchmarks of ZINC. It fails with LEMAN_ERROR_FILE if a list is missing. leman_parts_are_listed() sets *listed to
 * true if all three lists exist, and to false otherwise, also for data in other formats. */
LEMAN_API leman_status leman_parts_listed(leman_context *ctx, const char *path, size_t graphs, leman_parts **parts);
LEMAN_API leman_status leman_parts_are_listed(leman_context *ctx, const char *path, bool *listed);
/* Makes the parts of the rows of a level: every graph is replaced by its number, its vertices, or its arcs but loops. */
LEMAN_API leman_status leman_parts_rows(leman_context *ctx, const leman_dataset *data, leman_level level,
                                        const leman_parts *parts, leman_parts **rows);
LEMAN_API void leman_parts_free(leman_parts *parts);

/* ---- Training -------------------------------------------------------------------------------- */

/* Checks that networks can be computed on a device, named as in leman_settings. Fails with LEMAN_ERROR_ARGUMENT if the
 * name is unknown, and with LEMAN_ERROR_UNSUPPORTED if the build or the machine does not have the device. */
LEMAN_API leman_status leman_device_check(leman_context *ctx, const char *device);

/* The loss of targets: mean absolute error (L1) or mean squared error (L2). Classes are learned by cross entropy. */
typedef enum leman_loss { LEMAN_LOSS_L1, LEMAN_LOSS_L2 } leman_loss;
#define LEMAN_LOSS_COUNT 2
/* Names: "l1", "l2". */
LEMAN_API const char *leman_loss_name(leman_loss loss);
LEMAN_API leman_status leman_loss_parse(leman_context *ctx, const char *name, leman_loss *loss);

/* How the learning rate changes from epoch to epoch. In the first `warm_up` epochs every schedule has the share
 * epoch / (warm_up + 1) of its rate, with epochs from 1. */
typedef enum leman_schedule {
    LEMAN_SCHEDULE_PLATEAU, /* halved when the validation error stops falling; a rate below 1e-6 ends the training */
    LEMAN_SCHEDULE_COSINE,  /* falls from learning_rate towards min_learning_rate, as half a period of the cosine over
                               the epochs after the warm-up */
    LEMAN_SCHEDULE_CONSTANT
} leman_schedule;
#define LEMAN_SCHEDULE_COUNT 3
/* Names: "plateau", "cosine", "constant". */
LEMAN_API const char *leman_schedule_name(leman_schedule schedule);
LEMAN_API leman_status leman_schedule_parse(leman_context *ctx, const char *name, leman_schedule *schedule);

/* The results of one epoch. An error is, for targets, the mean over targets of the mean absolute error in the units
 * that are learned; for classes, the percentage of graphs classified wrongly; for tasks, the percentage of all labels
 * classified wrongly. Missing values are ignored. */
typedef struct leman_epoch {
    uint64_t epoch;    /* from 1 */
    double train_loss; /* mean over the training graphs */
    double val_error;
    double test_error;    /* NAN: not computed; an epoch is tested only if it is the best so far by validation */
    double learning_rate; /* during the epoch */
    double seconds;       /* wall time, with validation and testing */
    double val_loss;      /* the training loss on the validation graphs, after the epoch */
} leman_epoch;

/* The epochs of a run. Free with leman_history_free(). */
typedef struct leman_history {
    size_t epochs;
    leman_epoch *epoch;
    size_t best;          /* index into epoch; SIZE_MAX: there was no epoch */
    size_t resumed;       /* epochs that came from the checkpoint */
    bool converged;       /* training ended because the learning rate was below 1e-6 */
    size_t targets;       /* 0: classes or tasks */
    size_t *target;       /* [targets] their columns in the data, of targets or of the attributes of the level */
    double *target_error; /* [epochs][2][targets] mean absolute errors of validation and test, in units of the data */
    double *mean, *deviation;                /* [targets] of the training part */
    uint64_t weight_bytes, activation_bytes; /* of weights, gradients and moments; of the largest batch */
    leman_score selected_by;                 /* the score that selects the best epoch */
    double *score; /* [epochs][2] this score of validation and test, in percent; error of targets; NAN: not computed */
    size_t tasks;  /* 0: classes or targets */
    size_t *task;  /* [tasks] their columns in the data */
    double *task_auc; /* [epochs][2][tasks] area under the ROC curve of validation and test, in percent; NAN: not
                         computed, or all labels are equal */
    size_t run;       /* number of the run, as in leman_training */
} leman_history;

LEMAN_API void leman_history_free(leman_history *history);
/* Writes the log of a run as CSV, a line for every epoch, and replaces an existing file as a whole. Numbers that do not
 * exist are empty. */
LEMAN_API leman_status leman_history_write(leman_context *ctx, const leman_history *history, const char *path);
/* Computes, for one epoch (an index), the errors of validation (part 0) or test (part 1), each divided by the deviation
 * of its target: their mean, and the mean of their logarithms. Both are NAN for classes and if there are no errors. */
LEMAN_API void leman_history_standardized(const leman_history *history, size_t epoch, size_t part, double *mae,
                                          double *log_mae);

/* Details in which the programs of the paper differ from its text, for reproducing the published numbers. */
typedef struct leman_paper_details {
    size_t size;              /* leman_paper_details_init() sets it */
    bool own_fourth_layer;    /* GINE of ZINC: the fourth layer has its own weights; published: those of the third */
    bool plateau_on_accuracy; /* the learning rate follows the validation accuracy as if it were an error, as published
                                 for TU sets */
    bool best_must_improve;   /* the best epoch validates better than all before; otherwise the last of equal epochs */
} leman_paper_details;

/* Sets all details to false. */
LEMAN_API void leman_paper_details_init(leman_paper_details *details, size_t size);
static inline leman_paper_details leman_paper_details_default(void)
{
    leman_paper_details details;
    leman_paper_details_init(&details, sizeof details);
    return details;
}

typedef struct leman_training {
    size_t size;           /* leman_training_init() sets it */
    const size_t *targets; /* target columns to be learned; NULL: all */
    size_t target_count;
    /* Learn the classes. If false and `targets` is NULL, classes are learned if the data has classes, and has no
     * targets or the preset is LEMAN_PRESET_TU. */
    bool classes;
    leman_loss loss;    /* of targets */
    bool scale_targets; /* learn targets with mean 0 and deviation 1 over the training part */
    size_t epochs;      /* at most; 0: the network is only built and measured */
    size_t batch_size;  /* graphs in a batch */
    double learning_rate;
    size_t patience;          /* PLATEAU: the rate is halved after more epochs than this without a better validation */
    double weight_decay;      /* 0: none */
    double max_gradient_norm; /* longer gradients are scaled down to this norm; 0: no limit */
    bool recompute;           /* recompute values inside layers in the backward pass: less memory, more time */
    leman_device device; /* CPU: the context's device; CUDA: the context's device if it is CUDA, otherwise "cuda" */
    size_t run;          /* a different number gives different initial weights and orders for the same seed */
    /* A file that is replaced after every epoch; NULL: none. Fails with LEMAN_ERROR_FILE if another run writes it. */
    const char *checkpoint;
    bool resume; /* continue from the checkpoint if it exists; it must have the same data, parts and options */
    /* Called after every epoch on the caller's thread, with all epochs so far; false ends the run. May be NULL. */
    bool (*on_epoch)(void *user, const leman_history *history);
    void *user;
    /* NULL: the defaults, in leman_network_evaluate() plateau_on_accuracy and best_must_improve, as published. */
    const leman_paper_details *details;
    /* [class_weights] above 0, in the order of the labels: class weights w in the cross entropy, which is sum w_y l /
     * sum w_y over the graphs of a batch; NULL: 1 each. */
    const double *class_weight;
    size_t class_weights;
    bool balanced_weights; /* class weights are graphs / (classes * graphs of the class), in the training part */
    /* [task_count] target columns of two different integers each, learned together by binary cross entropy with one
     * output each. NULL: none; otherwise `targets` must be NULL and `classes` false. There are two class weights then,
     * for the smaller and the larger integer of every task; balanced weights are computed for each task. */
    const size_t *tasks;
    size_t task_count;
    /* The score that selects the best epoch by validation: accuracy, balanced or auc (mean over tasks); mae for
     * targets. AUTO: the smallest error. The learning rate does not depend on this score. */
    leman_score score;
    /* If not 0 and epochs is 0, the network gets the weights and the order of graphs with which the first epoch would
     * begin, for leman_network_export(). */
    size_t initial_weights;
    leman_schedule schedule;  /* of the learning rate */
    size_t warm_up;           /* epochs at the beginning with a rising rate; fewer than `epochs` */
    double min_learning_rate; /* COSINE: the least rate, at most learning_rate; 0 for other schedules */
    leman_level level; /* VERTEX, EDGE: targets are columns of its attributes, no inputs; no `classes`, no `tasks` */
    size_t value_mebibytes; /* CUDA devices: where all values of a batch take more MiB, cheap ones are computed again */
} leman_training;

/*
 * The numeric options of a training. leman_training_init(), `leman train`, the parameters of leman.nn.GraphNetwork,
 * network.json of an export and the fingerprint of a checkpoint are generated from these rows.
 *
 *   X(member, kind, value, low, high, resumes, words, option, argument, help)
 *
 * kind: COUNT for size_t, REAL for double. value: the default, unless the preset or the network has another one. low,
 * high: the range of values (counts may be larger in C). resumes: SAME if a resumed run must have the same value,
 * otherwise FREE. words: the name in messages. option, argument, help: of the command line.
 */
/* clang-format off */
#define LEMAN_TRAINING_NUMBERS(X)                                                                                      \
    X(epochs, COUNT, 1000, 0, 1000000, FREE, "epochs", "epochs", "E",                                                  \
      "end after so many at the latest; 0 builds the network and reports its sizes")                                   \
    X(batch_size, COUNT, 64, 1, 1073741824, SAME, "graphs in a batch", "batch", "B", "graphs in a batch")              \
    X(learning_rate, REAL, 1e-3, 1e-6, 1000, SAME, "learning rate", "lr", "X", "learning rate at the beginning")       \
    X(patience, COUNT, 5, 0, 1000000, SAME, "patience", "patience", "N",                                               \
      "halve the rate after more than N epochs without a better validation (default: 5; of pair networks and "         \
      "Message-Passing 20; of PPGN 1000, its published number of epochs: the rate stays)")                             \
    X(warm_up, COUNT, 0, 0, 1000000, SAME, "warm-up epochs", "warm-up", "N",                                           \
      "let the rate rise linearly over the first N epochs (default: 0)")                                               \
    X(min_learning_rate, REAL, 0, 0, 1000, SAME, "least learning rate", "min-lr", "X",                                 \
      "cosine: the rate towards which the learning rate falls (default: 0)")                                           \
    X(weight_decay, REAL, 0, 0, 1e6, SAME, "weight decay", "weight-decay", "X", "weight decay (default: 0)")           \
    X(max_gradient_norm, REAL, 0, 0, 1e30, SAME, "clipping", "clip", "X", "scale longer gradients down to norm X")   \
    X(value_mebibytes, COUNT, 950, 0, 1073741824, FREE, "MiB for values", "value-memory", "MIB",                       \
      "CUDA: if the values of a batch take more, compute cheap ones again, up to a fourth slower (default: 950)")
/* clang-format on */

/* Sets the options that the paper used for the preset of the architecture; NULL is leman_architecture_default(). */
LEMAN_API void leman_training_init(leman_training *training, size_t size, const leman_architecture *architecture);
static inline leman_training leman_training_default(const leman_architecture *architecture)
{
    leman_training training;
    leman_training_init(&training, sizeof training, architecture);
    return training;
}

/* A trained network: architecture, encoding of graphs, and weights of the best epoch. */
typedef struct leman_network leman_network;
/*
 * Trains a network on the training part with Adam. The learning rate follows training->schedule. With the plateau rule
 * it is halved after more than training->patience epochs in a row without a better validation error, and training ends
 * after the first epoch whose rate is below 1e-6. Training also ends after training->epochs epochs, or when on_epoch
 * returns false. The context's seed determines the result, bitwise on one machine, for any number of threads. Parameters
 * and memory are logged before the first epoch.
 * If the progress callback of the context cancels the training after the first epoch, the function returns
 * LEMAN_ERROR_CANCELLED and nevertheless sets *network and *history: to the best of the epochs that are done, and to
 * these epochs. Every other failure leaves both unchanged, as does a cancellation in the first epoch.
 * The function fails with LEMAN_ERROR_BUDGET if the weights and the largest batch do not fit into the memory budget,
 * and with LEMAN_ERROR_INPUT if no epoch has a finite validation error. architecture and training may be NULL: their
 * defaults. history may be NULL. Free the network with leman_network_free().
 */
LEMAN_API leman_status leman_train(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                   const leman_architecture *architecture, const leman_training *training,
                                   leman_network **network, leman_history **history);

/* Computes, without training, what leman_train() with the same arguments needs: the memory, in *bytes, of weights and
 * of the largest batch; the memory that it may use, in *budget: of the context or, if it trains on a CUDA device, of the
 * device; and in *operations the floating-point operations of the linear maps in all epochs, an estimate of the time.
 * Does not fail if the memory is more than the budget. O(epochs * graphs), and what reading the graphs once takes. */
LEMAN_API leman_status leman_training_demand(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                             const leman_architecture *architecture, const leman_training *training,
                                             uint64_t *bytes, uint64_t *budget, double *operations);

/* ---- Trained networks ------------------------------------------------------------------------ */

/* Reads a network with the weights of its best epoch: a checkpoint, an export or a file of leman_network_write(). */
LEMAN_API leman_status leman_network_read(leman_context *ctx, const char *path, leman_network **network);
/* Writes a network and the record of its training, for leman_network_read() and leman predict. A run cannot resume from
 * the file, which lacks the state of the optimizer. Fails with LEMAN_ERROR_INPUT if the network has no weights. */
LEMAN_API leman_status leman_network_write(leman_context *ctx, const leman_network *network, const char *path);
LEMAN_API void leman_network_free(leman_network *network);

/* The training run of a network. */
typedef struct leman_checkpoint {
    const char *data_name;
    size_t count[3];                    /* graphs of the training, validation and test parts */
    uint64_t data_checksum, seed;       /* leman_dataset_checksum() of the data; seed of the context */
    size_t run, batch_size, patience;   /* as in leman_training; batch_size is that of all devices together */
    double learning_rate, weight_decay; /* as in leman_training */
    double max_gradient_norm;
    double next_learning_rate; /* of the next epoch */
    size_t epochs;
    const leman_epoch *epoch;             /* [epochs] */
    const double *score;                  /* [epochs][2] as in leman_history */
    size_t best;                          /* index into epoch; SIZE_MAX: there was no epoch */
    bool balanced_weights, class_weights; /* balanced class weights; class weights of the caller */
    leman_schedule schedule;              /* as in leman_training, and so are the next three */
    size_t planned_epochs, warm_up;       /* planned_epochs: `epochs` of leman_training */
    double min_learning_rate;
    bool plateau_on_accuracy;   /* as in leman_paper_details */
    const double *class_weight; /* [class_weight_count] of the caller; NULL: none */
    size_t class_weight_count;
} leman_checkpoint;

typedef struct leman_network_shape {
    const leman_architecture *architecture; /* layers and width are set, also if they came from the preset */
    size_t parameters;                      /* that are learned */
    size_t types;                           /* width of the one-hot types */
    size_t outputs;                         /* targets, classes or tasks */
    const int64_t *class_label;             /* [outputs] increasing; NULL: targets or tasks */
    const size_t *target;                   /* [outputs] columns of targets or tasks; NULL: classes */
    bool directed;                          /* whether new graphs must be directed */
    leman_loss loss;                        /* of targets */
    leman_epoch best;                       /* epoch 0: not trained */
    const char *const *class_name; /* [outputs] words of the data, "" for classes that are numbers; NULL if all are */
    const int64_t *task_label;     /* [outputs][2] the smaller and the larger class of each task; NULL: no tasks */
    const char *const *task_name;  /* [outputs] names of the columns, or their numbers; NULL: no tasks */
    leman_score selected_by;       /* as in leman_history */
    leman_precision precision;     /* of the training; FP32 on the CPU */
    const leman_checkpoint *checkpoint;
    size_t vertex_attributes, edge_attributes; /* columns of attributes that the network reads */
    leman_level level;                         /* what the outputs are about; `target` are columns of its attributes */
    uint64_t reading;               /* leman_dataset_reading() of the training data, with which new graphs are read */
    const char *const *target_name; /* [outputs] names of the columns of targets, "" for one without; NULL if all are */
} leman_network_shape;
/* Returns the properties of a network, which belong to it; NULL for NULL. */
LEMAN_API const leman_network_shape *leman_network_describe(const leman_network *network);

/* Returns the name of weight i of a network, with its rows and columns, which may be NULL; the weights are those of
 * leman_network_export(), in the same order. Returns NULL after the last weight. The name belongs to the network. */
LEMAN_API const char *leman_network_weight_name(const leman_network *network, size_t i, size_t *rows, size_t *columns);
/* Copies a weight by its name to data[rows][columns], or data[rows][columns] to a weight. Both fail with
 * LEMAN_ERROR_ARGUMENT if the network has no weight of this name, or if the weight has other rows or columns, and with
 * LEMAN_ERROR_INPUT if the network has no weights, as after 0 epochs. leman_network_set_weight() also fails with
 * LEMAN_ERROR_ARGUMENT, and changes nothing, if a number is not finite. A predictor keeps the weights that the network
 * had in leman_predictor_new(). No other thread may use the network while a weight is set. */
LEMAN_API leman_status leman_network_get_weight(leman_context *ctx, const leman_network *network, const char *name,
                                                float *data, size_t rows, size_t columns);
LEMAN_API leman_status leman_network_set_weight(leman_context *ctx, leman_network *network, const char *name,
                                                const float *data, size_t rows, size_t columns);

/* A network on the device of the context. The device, the weights and the memory for batches are kept between calls of
 * leman_predictor_run(). The network and the context must live until leman_predictor_free(). */
typedef struct leman_predictor leman_predictor;
/* Opens the device of the context and copies the weights to it. LEMAN_ERROR_INPUT if the network has no weights. */
LEMAN_API leman_status leman_predictor_new(leman_context *ctx, const leman_network *network,
                                           leman_predictor **predictor);
/* Returns the rows of predictions for the data: its graphs, its vertices, or its arcs, in their order; 0 if a pointer is
 * NULL. Both arcs of an undirected edge have the same prediction; that of a self-loop is NAN. */
LEMAN_API size_t leman_network_rows(const leman_network *network, const leman_dataset *data);
/* Computes output[leman_network_rows()][outputs]: targets in the units of the data, probabilities of the classes, or the
 * probability of the larger class of each task. Attributes that the network learned are not read, and may be missing.
 * Labels that the training data does not have are ignored and logged. batch_size is the number of graphs in a batch; 0: as
 * in training; fewer if memory is short. ctx must be that of leman_predictor_new(), otherwise LEMAN_ERROR_ARGUMENT. */
LEMAN_API leman_status leman_predictor_run(leman_context *ctx, leman_predictor *predictor, const leman_dataset *data,
                                           size_t batch_size, double *output);
LEMAN_API void leman_predictor_free(leman_predictor *predictor);
/* Calls leman_predictor_run() with a predictor that exists only during the call. */
LEMAN_API leman_status leman_network_predict(leman_context *ctx, const leman_network *network,
                                             const leman_dataset *data, size_t batch_size, double *output);

/* An array of numbers, data[rows][columns]. */
typedef struct leman_batch_array {
    const char *name;
    size_t rows, columns;
    size_t bytes; /* size of a number */
    bool real;    /* float; otherwise uint32_t, with UINT32_MAX for labels and types that the network does not know */
    const void *data;
} leman_batch_array;

/* Several graphs as the arrays that a network reads (docs/networks.md). Free with leman_batch_free(). */
typedef struct leman_batch {
    size_t arrays;
    const leman_batch_array *array; /* [arrays] */
} leman_batch;
/* Encodes all graphs of the data as one batch. */
LEMAN_API leman_status leman_network_encode(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                                            leman_batch **batch);
LEMAN_API void leman_batch_free(leman_batch *batch);

/* Computes share[graphs]: the share, in 0 .. 1, of labels and tuple types of each graph that the training data does not
 * have; 0 if the network uses none. Cost: encoding every graph. */
LEMAN_API leman_status leman_network_out_of_vocabulary(leman_context *ctx, const leman_network *network,
                                                       const leman_dataset *data, double *share);
/* Writes a .npz file that describes the network completely: every weight under its name, and network.json with
 * settings, label order, types, scaling of targets and the layers; docs/networks.md has the members. The path must end
 * in .npz. A network without weights fails with LEMAN_ERROR_INPUT; after 0 epochs it has weights only with
 * initial_weights of leman_training. */
LEMAN_API leman_status leman_network_export(leman_context *ctx, const leman_network *network, const char *path);

/* ---- Evaluation ------------------------------------------------------------------------------ */

/* The protocol of leman_evaluate() for networks. Every fold is a grid search over numbers of layers and widths: a
 * network of each is trained, and the epoch of any network that validates best, the first of equal ones, is tested. */
typedef struct leman_network_protocol {
    size_t size;          /* leman_network_protocol_init() sets it */
    const size_t *layers; /* numbers of layers to select from; NULL: 1 to 5 */
    size_t layers_count;
    const size_t *widths; /* to select from; NULL: 32, 64, 128 */
    size_t widths_count;
    size_t repetitions, folds;
    const leman_splits *splits; /* instead of drawing; repetitions and folds are not used then */
    const char *journal;        /* a file that keeps finished networks; NULL: none */
    bool resume;                /* continue from the journal if it exists */
} leman_network_protocol;

/* Sets ten repetitions of ten folds. */
LEMAN_API void leman_network_protocol_init(leman_network_protocol *protocol, size_t size);
static inline leman_network_protocol leman_network_protocol_default(void)
{
    leman_network_protocol protocol;
    leman_network_protocol_init(&protocol, sizeof protocol);
    return protocol;
}

/* The result of a fold. test is the percentage of graphs classified correctly, or the error of targets as in
 * leman_epoch. validation is the score of the training, which also selects the network. */
typedef struct leman_network_fold {
    uint32_t repetition, fold; /* from 0 */
    size_t layers, width;      /* selected */
    uint64_t epoch;
    double validation, test;
    double seconds;
} leman_network_fold;

/* The result of networks; means and deviations as in leman_evaluation. Free with leman_network_evaluation_free(). */
typedef struct leman_network_evaluation {
    size_t repetitions, folds;
    leman_network_fold *fold; /* [repetitions][folds] */
    bool classes;             /* classes or tasks: scores are percentages */
    double test_mean, test_std, test_std_folds;
    size_t resumed;                       /* folds that came from the journal */
    double baseline, test_low, test_high; /* as in leman_evaluation */
    leman_score selected_by;              /* the score that selects epochs, layers and widths by validation */
    double *test_score;                   /* [repetitions][folds] this score of the test part; error of targets */
    size_t tasks;         /* if not 0, scores are percentages of the labels of several tasks; 0: classes or targets */
    double *task_auc;     /* [repetitions][folds][tasks] area under the ROC curve of the test part, in percent; NAN: all
                         labels of the part are equal */
    leman_splits *splits; /* belongs to the evaluation */
    size_t outputs;       /* predictions of a graph: 1 for classes, otherwise the number of targets or tasks */
    /* [entries of splits->graph][outputs] of the selected networks for their test graphs: the index of the predicted
     * class in class_label; for a task 0 or 1, the smaller or the larger class; a target in
     * the units of the data. NAN in validation parts. */
    double *predicted;
    double
        *target_error;  /* [repetitions][folds][2][outputs] mean absolute errors of validation and test in the units of
                             the data; NULL: classes or tasks */
    size_t class_count; /* 0: targets or tasks */
    int64_t *class_label; /* [class_count] labels of the data, increasing */
} leman_network_evaluation;

/* Evaluates networks by the protocol. Networks are trained in parallel, one a thread, each with its share of the memory
 * budget. The context's seed determines the result. Layers and width of the architecture, and checkpoint, resume, run
 * and on_epoch of the training, are not used; epochs must be at least 1. architecture, training and protocol may be
 * NULL: their defaults. Fails with LEMAN_ERROR_BUDGET, before any training, if the largest network does not fit. */
LEMAN_API leman_status leman_network_evaluate(leman_context *ctx, const leman_dataset *data,
                                              const leman_architecture *architecture, const leman_training *training,
                                              const leman_network_protocol *protocol,
                                              leman_network_evaluation **evaluation);
/* Converts the scores of networks to a leman_evaluation, for leman_compare_all() and for pages: test and validation
 * scores of every fold, their means, and predictions. Errors of a target are in the units of the data, also if the
 * network learned it scaled. Members that networks do not have (training scores, rounds, C) are NAN, 0 or NULL;
 * seconds_svm is the training time. networks->predicted and networks->target_error may be NULL. splits are those of the evaluation. target is the learned
 * column, or LEMAN_NO_TARGET; the result is meaningful only for a single target. Several tasks, or other splits, fail
 * with LEMAN_ERROR_ARGUMENT. Free with leman_evaluation_free(). */
LEMAN_API leman_status leman_network_evaluation_scores(leman_context *ctx, const leman_dataset *data,
                                                       const leman_splits *splits, size_t target,
                                                       const leman_network_evaluation *networks,
                                                       leman_evaluation **evaluation);
LEMAN_API void leman_network_evaluation_free(leman_network_evaluation *evaluation);

#ifdef __cplusplus
}
#endif
#endif
