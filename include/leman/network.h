/*
 * leman/network.h - graph neural networks on vertices and tuples: training, prediction, evaluation.
 */
#ifndef LEMAN_NETWORK_H
#define LEMAN_NETWORK_H

#include "leman/evaluate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Architectures --------------------------------------------------------------------------- */

/* Every kind of network, once: X(NAME, name), behind it what the paper calls it. docs/networks.md has the layers. A new
 * kind is a row at the end and the file in src/nn that defines its row, as lm_model_gin0. */
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
    X(GNN123, gnn123)         /* vertices and both: 1-2-3-GNN */
/* clang-format on */

/* LEMAN_NETWORK_KIND_GIN0, LEMAN_NETWORK_KIND_GIN, ... */
#define LEMAN_NETWORK_KIND_VALUE(NAME, name) LEMAN_NETWORK_KIND_##NAME,
typedef enum leman_network_kind { LEMAN_NETWORK_KINDS(LEMAN_NETWORK_KIND_VALUE) } leman_network_kind;
#define LEMAN_NETWORK_KIND_ONE(NAME, name) +1
#define LEMAN_NETWORK_KIND_COUNT (0 LEMAN_NETWORK_KINDS(LEMAN_NETWORK_KIND_ONE))
/* "gin0", "gin", ..., "local+", ... */
LEMAN_API const char *leman_network_kind_name(leman_network_kind kind);

/* What stands around the layers, and their number and width, as the paper had it for these sets. */
typedef enum leman_preset { LEMAN_PRESET_ZINC, LEMAN_PRESET_ALCHEMY, LEMAN_PRESET_QM9, LEMAN_PRESET_TU } leman_preset;
#define LEMAN_PRESET_COUNT 4
/* "zinc", "alchemy", "qm9", "tu". */
LEMAN_API const char *leman_preset_name(leman_preset preset);
LEMAN_API leman_status leman_preset_parse(leman_context *ctx, const char *name, leman_preset *preset);
/* The preset for what the graphs have: LEMAN_PRESET_TU for classes, LEMAN_PRESET_ZINC otherwise (and for NULL). */
LEMAN_API leman_preset leman_preset_for(const leman_dataset *data);

typedef struct leman_architecture {
    size_t size; /* leman_architecture_init() sets it */
    leman_network_kind kind;
    unsigned k; /* of tuples: 2 or 3 */
    leman_preset preset;
    size_t layers, width; /* 0: the preset's */
    bool ignore_vertex_labels, ignore_edge_labels, ignore_attributes;
    size_t coordinates, first_coordinate; /* QM9: so many vertex attributes from that one on are a position */
    bool in_arcs;                         /* directed graphs: entering arcs as a second relation */
} leman_architecture;

/* LEMAN_NETWORK_KIND_LOCAL, k = 2, LEMAN_PRESET_ZINC. */
LEMAN_API void leman_architecture_init(leman_architecture *architecture, size_t size);
static inline leman_architecture leman_architecture_default(void)
{
    leman_architecture architecture;
    leman_architecture_init(&architecture, sizeof architecture);
    return architecture;
}

/* The paper's name with k ("delta-2-LGNN", "δ-2-LGNN", "2-WL-GNN", "GIN-eps"), or that of a kind with or without k
 * ("gin", "local:2"), each also behind "network:", in any case. What a name does not say stays as it is. */
LEMAN_API leman_status leman_architecture_parse(leman_context *ctx, const char *name, leman_architecture *architecture);
/* The i-th of the names that it knows, kinds first; NULL behind the last. */
LEMAN_API const char *leman_architecture_known_name(size_t i);
/* The size of its tuples: 1 for networks on vertices, otherwise that of the kind or the given k. NULL is the default; 0
 * where there is no such network. */
LEMAN_API unsigned leman_architecture_k(const leman_architecture *architecture);
/* The paper's name into text[size], cut off where it is longer; returns the length of the whole, as snprintf() does.
 * NULL is the default. */
LEMAN_API size_t leman_architecture_paper_name(const leman_architecture *architecture, char *text, size_t size);

/* What the vertex attributes of the data are, where the preset is LEMAN_PRESET_QM9: sets ignore_vertex_labels where
 * some of them repeat the labels one-hot, and coordinates where they are 0 and the attributes are those of QM9 (16, of
 * which the first repeat the labels and the last three are a position); logs what it sets. *known, which may be NULL: a
 * position is among them, they are ignored, or it is another preset, for which nothing is changed. */
LEMAN_API leman_status leman_architecture_attributes(leman_context *ctx, const leman_dataset *data,
                                                     leman_architecture *architecture, bool *known);

/* ---- Parts of a data set --------------------------------------------------------------------- */

/* Which graphs train, validate and test: the first count[0] of graph, the next count[1], the next count[2]. Free with
 * leman_parts_free(). */
typedef struct leman_parts {
    size_t count[3];
    uint32_t *graph; /* numbers from 0 */
} leman_parts;

/* Copies of the caller's lists; test may be NULL where test_count is 0. */
LEMAN_API leman_status leman_parts_new(leman_context *ctx, const uint32_t *train, size_t train_count,
                                       const uint32_t *val, size_t val_count, const uint32_t *test, size_t test_count,
                                       leman_parts **parts);
/* A shuffle, seeded by the context, of which floor(share * graphs), at least one, validate and test; the rest trains.
 * test_share may be 0. */
LEMAN_API leman_status leman_parts_draw(leman_context *ctx, size_t graphs, double val_share, double test_share,
                                        leman_parts **parts);
/* Files of graph numbers from 0 on, with commas, blanks or lines between them; test may be NULL. Repeated numbers, and
 * graphs in two parts, are kept and logged. */
LEMAN_API leman_status leman_parts_read(leman_context *ctx, size_t graphs, const char *train, const char *val,
                                        const char *test, leman_parts **parts);
/* Files whose numbers count inside parts that the data set has: part i (train, val, test) is the count[i] graphs from
 * first[i] on, and its file has numbers from 0 below count[i], as the benchmark lists of ZINC do. A file that is NULL:
 * the whole part. count[2] may be 0. */
LEMAN_API leman_status leman_parts_read_inside(leman_context *ctx, size_t graphs, const size_t first[3],
                                               const size_t count[3], const char *train, const char *val,
                                               const char *test, leman_parts **parts);
/* The lists train.index, val.index and test.index that lie in the TU folder or zip of the data, as in the benchmarks of
 * ZINC; and whether they do: false for data of other kinds. */
LEMAN_API leman_status leman_parts_listed(leman_context *ctx, const char *path, size_t graphs, leman_parts **parts);
LEMAN_API leman_status leman_parts_are_listed(leman_context *ctx, const char *path, bool *listed);
LEMAN_API void leman_parts_free(leman_parts *parts);

/* ---- Training -------------------------------------------------------------------------------- */

/* Can networks compute on that device, by its name in leman_settings? The refusals are those of the calls that do:
 * LEMAN_ERROR_ARGUMENT for a name that is none, LEMAN_ERROR_UNSUPPORTED for what the build or the machine does not
 * have. */
LEMAN_API leman_status leman_device_check(leman_context *ctx, const char *device);

/* What is minimised where targets are learned: the mean absolute error, or the mean squared one. Classes are learned by
 * cross entropy. */
typedef enum leman_loss { LEMAN_LOSS_L1, LEMAN_LOSS_L2 } leman_loss;
#define LEMAN_LOSS_COUNT 2
/* "l1", "l2". */
LEMAN_API const char *leman_loss_name(leman_loss loss);
LEMAN_API leman_status leman_loss_parse(leman_context *ctx, const char *name, leman_loss *loss);

/* One epoch. Errors are, for targets, the mean over targets of the mean absolute error in the units that are learned;
 * for classes, the percentage of graphs that are classified wrongly; for several tasks, that of all labels. What is
 * missing in the data counts nowhere. */
typedef struct leman_epoch {
    uint64_t epoch;    /* from 1 */
    double train_loss; /* mean over the training graphs */
    double val_error;
    double test_error;    /* NAN: not computed; only epochs that validate best so far are tested */
    double learning_rate; /* during the epoch */
    double seconds;       /* wall time, with validation and testing */
    double val_loss;      /* the loss of training over the validation graphs, after the epoch */
} leman_epoch;

/* The epochs of a run. Free with leman_history_free(). */
typedef struct leman_history {
    size_t epochs;
    leman_epoch *epoch;
    size_t best;          /* index into epoch; SIZE_MAX: there was no epoch */
    size_t resumed;       /* epochs that came from the checkpoint */
    bool converged;       /* ended because the learning rate had become too small to matter */
    size_t targets;       /* 0: classes or tasks */
    size_t *target;       /* [targets] their columns in the data */
    double *target_error; /* [epochs][2][targets] mean absolute errors of validation and test, in units of the data */
    double *mean, *deviation;                /* [targets] of the training part */
    uint64_t weight_bytes, activation_bytes; /* with gradients and moments; of the largest batch */
    leman_score selected_by;                 /* what the best epoch is the best by */
    double *score; /* [epochs][2] of validation and test by it, in percent, for targets the error; NAN: not computed */
    size_t tasks;  /* 0: classes or targets */
    size_t *task;  /* [tasks] their columns in the data */
    double *task_auc; /* [epochs][2][tasks] area under the ROC curve of validation and test, in percent; NAN: not
                         computed, or all labels are equal */
    size_t run;       /* of the training */
} leman_history;

LEMAN_API void leman_history_free(leman_history *history);
/* The log of a run: CSV with a line for every epoch, which replaces the file at once. Numbers that do not exist are
 * empty. */
LEMAN_API leman_status leman_history_write(leman_context *ctx, const leman_history *history, const char *path);
/* Of one epoch (an index), the errors of validation (part 0) or test (part 1), each divided by the deviation of its
 * target: their mean, and the mean of their logarithms. NAN for classes and where there is nothing. */
LEMAN_API void leman_history_standardized(const leman_history *history, size_t epoch, size_t part, double *mae,
                                          double *log_mae);

/* Details in which the paper's programs differ from its text, to reproduce the published numbers. */
typedef struct leman_paper_details {
    size_t size;              /* leman_paper_details_init() sets it */
    bool own_fourth_layer;    /* GINE of ZINC: the fourth layer has weights of its own, not the third's as published */
    bool plateau_on_accuracy; /* the learning rate follows the validation accuracy as if it were an error, as for TU
                                 sets */
    bool best_must_improve; /* an epoch is the best only if it validates better than all before; otherwise equal will do
                             */
} leman_paper_details;

/* All false. */
LEMAN_API void leman_paper_details_init(leman_paper_details *details, size_t size);
static inline leman_paper_details leman_paper_details_default(void)
{
    leman_paper_details details;
    leman_paper_details_init(&details, sizeof details);
    return details;
}

typedef struct leman_training {
    size_t size;           /* leman_training_init() sets it */
    const size_t *targets; /* columns to be learned; NULL: all */
    size_t target_count;
    /* Learn the classes. Without it and without a list of targets they are learned where there are some, unless there
     * are targets too and the preset is not LEMAN_PRESET_TU. */
    bool classes;
    leman_loss loss;    /* of targets */
    bool scale_targets; /* targets are learned with mean 0 and deviation 1, both of the training part */
    size_t epochs;      /* at most; 0: the network is built and measured, no more */
    size_t batch_size;  /* graphs */
    double learning_rate;
    size_t patience;          /* epochs without a better validation before the learning rate is halved */
    double weight_decay;      /* 0: none */
    double max_gradient_norm; /* longer gradients are scaled down to it; 0: none are */
    bool recompute;      /* values inside layers are dropped and computed again in backward: less memory, more time */
    leman_device device; /* LEMAN_DEVICE_CPU: that of the context; LEMAN_DEVICE_CUDA: "cuda" unless that is one */
    size_t run;          /* another number gives other random starts and orders with the same seed */
    /* A file that is replaced after every epoch; NULL: none. LEMAN_ERROR_FILE if another run is writing it. */
    const char *checkpoint;
    bool resume; /* from the checkpoint, if it is there; it must be of the same data, parts and options */
    /* After every epoch, from the caller's thread, with all epochs so far; false ends the run. May be NULL. */
    bool (*on_epoch)(void *user, const leman_history *history);
    void *user;
    /* NULL: the defaults; leman_network_evaluate(): plateau_on_accuracy and best_must_improve, as published. */
    const leman_paper_details *details;
    /* [class_weights] above 0: weights of the classes in the cross entropy, sum w_y l / sum w_y over the graphs of a
     * batch, in the order of their labels; NULL: 1 each. */
    const double *class_weight;
    size_t class_weights;
    bool balanced_weights; /* instead: graphs / (classes * graphs of the class), all of the training part */
    /* [task_count] columns of targets of two different integers each, which are learned at once by the binary cross
     * entropy: an output for each. NULL: none; otherwise `targets` must be NULL and `classes` false. Weights of classes
     * are two then, for the smaller and the larger integer of every task; balanced weights are those of each task. */
    const size_t *tasks;
    size_t task_count;
    /* The best epoch is the one that validates best by it: accuracy, balanced or auc (its mean over tasks), of targets
     * mae. AUTO: by the smallest error. The learning rate always follows the error. */
    leman_score score;
    /* Not 0: of 0 epochs, the network has the weights that the first epoch would find, and is exported with them and
     * with the order of that epoch. */
    size_t initial_weights;
} leman_training;

/*
 * The numbers of a training, each once: leman_training_init(), `leman train`, the parameters of leman.nn.GraphNetwork,
 * network.json of an export and the fingerprint of a checkpoint are made from these rows.
 *
 *   X(member, kind, value, low, high, resumes, words, option, argument, help)
 *
 * kind: COUNT for size_t, REAL for double. value: the default, unless the preset or the network has another one. low,
 * high: the values that are allowed (counts may be larger in C). resumes: SAME where a run that resumes must have the
 * value of the run that it resumes, otherwise FREE. words: what messages call it. The others describe the option of the
 * command line.
 */
/* clang-format off */
#define LEMAN_TRAINING_NUMBERS(X)                                                                                      \
    X(epochs, COUNT, 1000, 0, 1000000, FREE, "epochs", "epochs", "E",                                                  \
      "end after so many at the latest; 0 builds the network and reports its sizes")                                   \
    X(batch_size, COUNT, 64, 1, 1073741824, SAME, "graphs in a batch", "batch", "B", "graphs in a batch")              \
    X(learning_rate, REAL, 1e-3, 1e-6, 1000, SAME, "learning rate", "lr", "X", "learning rate at the beginning")       \
    X(patience, COUNT, 5, 0, 1000000, SAME, "patience", "patience", "N",                                               \
      "halve the rate after more than N epochs without a better validation (default: 5; of PPGN 1000, its published "  \
      "number of epochs: the rate stays)")                                                                             \
    X(weight_decay, REAL, 0, 0, 1e6, SAME, "weight decay", "weight-decay", "X", "weight decay (default: 0)")           \
    X(max_gradient_norm, REAL, 0, 0, 1e30, SAME, "clipping", "clip", "X", "scale longer gradients down to norm X")
/* clang-format on */

/* What the paper used for the architecture's preset; NULL is leman_architecture_default(). */
LEMAN_API void leman_training_init(leman_training *training, size_t size, const leman_architecture *architecture);
static inline leman_training leman_training_default(const leman_architecture *architecture)
{
    leman_training training;
    leman_training_init(&training, sizeof training, architecture);
    return training;
}

/* A trained network: architecture, encoding of graphs, weights of the best epoch. */
typedef struct leman_network leman_network;

/*
 * Trains on the first of the parts by Adam, halves the learning rate where the validation error does not fall, and ends
 * when it is below 1e-6 or after so many epochs. Seeded by the context: the same bits on the same machine, for
 * any number of threads. Before the first epoch it logs parameters, memory and batches; LEMAN_ERROR_BUDGET where they
 * do not fit. architecture and training may be NULL: their defaults. history may be NULL. Free the network with
 * leman_network_free().
 */
LEMAN_API leman_status leman_train(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                   const leman_architecture *architecture, const leman_training *training,
                                   leman_network **network, leman_history **history);

/* ---- Several runs ---------------------------------------------------------------------------- */

/* Runs on the same parts with random starts and orders of their own. Means and population deviations over runs are
 * those of the epochs that validate best: percentages of graphs (of tasks: labels) that are classified correctly, or
 * errors of targets. Deviations of a single run are NAN; so is everything of the test part where there is none. Free
 * with leman_runs_free(). */
typedef struct leman_runs {
    size_t runs;             /* less than were asked for where on_epoch ended one */
    leman_history **history; /* [runs] */
    size_t best;             /* the run whose best epoch validates best, the first of equal ones */
    size_t finished;         /* runs that their checkpoints had to the end */
    bool classes;            /* or tasks */
    double val_mean, val_std, test_mean, test_std;
    double score_mean, score_std;     /* of the test part by selected_by of the histories */
    double mae_mean, mae_std;         /* of the test part: leman_history_standardized() */
    double log_mae_mean, log_mae_std; /* the same */
} leman_runs;

/*
 * leman_train() so many times, with the numbers training->run, training->run + 1 and so on; the first alone is
 * leman_train(). The network is that of the run that validates best. Each run keeps a checkpoint of its own, run 3 of
 * "net.lmn" in "net.run3.lmn" (leman_runs_path()), and at the end that of the best is copied to "net.lmn". resume goes
 * on from them: runs that have ended are not repeated.
 */
LEMAN_API leman_status leman_train_runs(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                        const leman_architecture *architecture, const leman_training *training,
                                        size_t runs, leman_network **network, leman_runs **out);
LEMAN_API void leman_runs_free(leman_runs *runs);
/* The file of one run beside path, into text[size]; returns the length of the whole, as snprintf() does. */
LEMAN_API size_t leman_runs_path(const char *path, size_t run, char *text, size_t size);

/* ---- Trained networks ------------------------------------------------------------------------ */

/* From a checkpoint, from what leman_network_write() wrote, or from an export; the weights are those of the best epoch.
 */
LEMAN_API leman_status leman_network_read(leman_context *ctx, const char *path, leman_network **network);
/* The network and how it was trained, for leman_network_read() and leman predict. A run does not resume from the file:
 * it has no state of the optimizer. LEMAN_ERROR_INPUT where the network has no weights. */
LEMAN_API leman_status leman_network_write(leman_context *ctx, const leman_network *network, const char *path);
LEMAN_API void leman_network_free(leman_network *network);

/* What a network says of the run that trained it. */
typedef struct leman_checkpoint {
    const char *data_name;
    size_t count[3];                    /* graphs that train, validate and test */
    uint64_t data_checksum, seed;       /* leman_dataset_checksum() of the data; of the context */
    size_t run, batch_size, patience;   /* as in leman_training; the batch of all devices together */
    double learning_rate, weight_decay; /* the same */
    double max_gradient_norm;
    double next_learning_rate; /* of the epoch that would follow */
    size_t epochs;
    const leman_epoch *epoch;             /* [epochs] */
    const double *score;                  /* [epochs][2] as in leman_history */
    size_t best;                          /* index into epoch; SIZE_MAX: there was no epoch */
    bool balanced_weights, class_weights; /* classes had balanced weights; or weights that the caller gave */
} leman_checkpoint;

typedef struct leman_network_shape {
    const leman_architecture *architecture; /* with the preset's layers and width where they were 0 */
    size_t parameters;                      /* that are learned */
    size_t types;                           /* width of the one-hot types */
    size_t outputs;                         /* targets, classes or tasks */
    const int64_t *class_label;             /* [outputs] increasing; NULL: targets or tasks */
    const size_t *target;                   /* [outputs] columns of targets or tasks; NULL: classes */
    bool directed;                          /* new graphs must be so, or not */
    leman_loss loss;                        /* of targets */
    leman_epoch best;                       /* epoch 0: not trained */
    const char *const *class_name; /* [outputs] the words of the data, "" for a class that is no word; NULL: none is */
    const int64_t *task_label;     /* [outputs][2] the smaller and the larger class of each task; NULL: no tasks */
    const char *const *task_name;  /* [outputs] names of the columns, or their numbers; NULL: no tasks */
    leman_score selected_by;       /* as in leman_history */
    leman_precision precision;     /* that it was trained in: on the CPU FP32 */
    const leman_checkpoint *checkpoint;
} leman_network_shape;
/* Part of the network; NULL for NULL. */
LEMAN_API const leman_network_shape *leman_network_describe(const leman_network *network);

/* A network on the device of the context: the device, the weights and the memory for batches are kept from run to run.
 * The network and the context must stay until leman_predictor_free(). */
typedef struct leman_predictor leman_predictor;
LEMAN_API leman_status leman_predictor_new(leman_context *ctx, const leman_network *network,
                                           leman_predictor **predictor);
/* output[graphs][outputs]: targets in the units of the data, or probabilities of the classes, or of the larger class of
 * each task. Labels that are not in the training data count as nothing, and are logged. A batch has batch_size graphs,
 * for 0 as many as in training, and fewer where memory is scarce. ctx is the context of leman_predictor_new(). */
LEMAN_API leman_status leman_predictor_run(leman_context *ctx, leman_predictor *predictor, const leman_dataset *data,
                                           size_t batch_size, double *output);
LEMAN_API void leman_predictor_free(leman_predictor *predictor);
/* leman_predictor_run() by a predictor that is made for this call. */
LEMAN_API leman_status leman_network_predict(leman_context *ctx, const leman_network *network,
                                             const leman_dataset *data, size_t batch_size, double *output);

/* An array of numbers, data[rows][columns]. */
typedef struct leman_batch_array {
    const char *name;
    size_t rows, columns;
    size_t bytes; /* of a number */
    bool real;    /* float; otherwise uint32_t, UINT32_MAX for what the network has no number for */
    const void *data;
} leman_batch_array;

/* Graphs side by side, as a network reads them: docs/networks.md has the arrays. Free with leman_batch_free(). */
typedef struct leman_batch {
    size_t arrays;
    const leman_batch_array *array; /* [arrays] */
} leman_batch;
/* All graphs of the data as one batch. */
LEMAN_API leman_status leman_network_encode(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                                            leman_batch **batch);
LEMAN_API void leman_batch_free(leman_batch *batch);

/* share[graphs]: of each graph the share, in 0 .. 1, of its labels and types of tuples that were not in the training
 * data; 0 where the network looks at none. Encodes every graph once more. */
LEMAN_API leman_status leman_network_out_of_vocabulary(leman_context *ctx, const leman_network *network,
                                                       const leman_dataset *data, double *share);
/* A .npz file that says all there is to know of the network: every weight under its name, and network.json with
 * settings, label order, types, scaling of targets and the layers; docs/networks.md has the members. A network of 0
 * epochs has its initial weights. */
LEMAN_API leman_status leman_network_export(leman_context *ctx, const leman_network *network, const char *path);

/* ---- Evaluation ------------------------------------------------------------------------------ */

/* The protocol of leman_evaluate() for networks: in every fold a grid search over numbers of layers and widths. A
 * network of each is trained, and the epoch of the network that validates best, the first of equal ones, is tested. */
typedef struct leman_network_protocol {
    size_t size;          /* leman_network_protocol_init() sets it */
    const size_t *layers; /* to choose from; NULL: 1 to 5 */
    size_t layers_count;
    const size_t *widths; /* NULL: 32, 64, 128 */
    size_t widths_count;
    size_t repetitions, folds;
    const leman_splits *splits; /* instead of drawn ones; repetitions and folds are theirs then */
    const char *journal;        /* a file that keeps networks that have ended; NULL: none */
    bool resume;                /* from the journal, if it is there */
} leman_network_protocol;

/* Ten repetitions of ten folds. */
LEMAN_API void leman_network_protocol_init(leman_network_protocol *protocol, size_t size);
static inline leman_network_protocol leman_network_protocol_default(void)
{
    leman_network_protocol protocol;
    leman_network_protocol_init(&protocol, sizeof protocol);
    return protocol;
}

/* What a fold chose and found. Scores are percentages of graphs that are classified correctly (validation: by the score
 * of the training, which chooses the network too); of targets, errors as in leman_epoch. */
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
    bool classes;             /* or tasks: scores are percentages */
    double test_mean, test_std, test_std_folds;
    size_t resumed;                       /* folds that came from the journal */
    double baseline, test_low, test_high; /* as in leman_evaluation */
    leman_score selected_by;              /* what validation chooses epochs, layers and widths by */
    double *test_score;                   /* [repetitions][folds] the test part by it; of targets the error */
    size_t tasks;     /* of several tasks: scores are percentages of their labels; 0: classes or targets */
    double *task_auc; /* [repetitions][folds][tasks] area under the ROC curve of the test part, in percent; NAN: all
                         labels of the part are equal */
} leman_network_evaluation;

/* Networks of all folds side by side over the threads, each with its share of the memory budget. Seeded by the context.
 * Layers and width of the architecture, and checkpoint, resume, run and on_epoch of the training, are not used. The
 * last three options may be NULL: their defaults. */
LEMAN_API leman_status leman_network_evaluate(leman_context *ctx, const leman_dataset *data,
                                              const leman_architecture *architecture, const leman_training *training,
                                              const leman_network_protocol *protocol,
                                              leman_network_evaluation **evaluation);
/* The same scores as an evaluation, so that leman_compare_all() takes them and pages show them beside those of kernels:
 * test and validation scores of every fold, and their means. What networks do not have (training scores, rounds, C,
 * predictions) is NAN, 0 or NULL; seconds_svm is the time of training. splits are those of the evaluation, target is
 * the column that was learned, or LEMAN_NO_TARGET; only a single target has a meaning here. Free with
 * leman_evaluation_free(). */
LEMAN_API leman_status leman_network_evaluation_scores(leman_context *ctx, const leman_dataset *data,
                                                       const leman_splits *splits, size_t target,
                                                       const leman_network_evaluation *networks,
                                                       leman_evaluation **evaluation);
LEMAN_API void leman_network_evaluation_free(leman_network_evaluation *evaluation);

#ifdef __cplusplus
}
#endif
#endif
