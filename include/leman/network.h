/*
 * leman/network.h - graph neural networks on vertices and tuples: training, prediction, evaluation.
 */
#ifndef LEMAN_NETWORK_H
#define LEMAN_NETWORK_H

#include "leman/evaluate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Networks -------------------------------------------------------------------------------- */

/* docs/networks.md has the layers; the paper's names behind them. */
typedef enum leman_network_kind {
    LEMAN_NETWORK_KIND_GIN0,       /* vertices: GIN-0 */
    LEMAN_NETWORK_KIND_GIN,        /* GIN-epsilon */
    LEMAN_NETWORK_KIND_GINE0,      /* with edge labels: GINE */
    LEMAN_NETWORK_KIND_GINE,       /* GINE-epsilon */
    LEMAN_NETWORK_KIND_WL,         /* k-tuples: k-WL-GNN */
    LEMAN_NETWORK_KIND_LOCAL,      /* delta-k-LGNN */
    LEMAN_NETWORK_KIND_LOCAL_PLUS, /* delta-k-LGNN+ */
    LEMAN_NETWORK_KIND_DELTA       /* delta-k-GNN */
} leman_network_kind;

/* What stands around the layers, and their number and width, as the paper had it for these sets. */
typedef enum leman_preset { LEMAN_PRESET_ZINC, LEMAN_PRESET_ALCHEMY, LEMAN_PRESET_QM9, LEMAN_PRESET_TU } leman_preset;

typedef struct leman_architecture {
    size_t size; /* leman_architecture_init() sets it */
    leman_network_kind kind;
    unsigned k; /* of tuples: 2 or 3 */
    leman_preset preset;
    size_t layers, width; /* 0: the preset's */
    bool own_fourth;      /* GINE of ZINC: the fourth layer has weights of its own, not the third's as published */
    bool ignore_vertex_labels, ignore_edge_labels, ignore_attributes;
    size_t coordinates, first_coordinate; /* QM9: so many vertex attributes from that one on are a position */
} leman_architecture;

/* NET_LOCAL, k = 2, ZINC. */
LEMAN_API void leman_architecture_init(leman_architecture *architecture, size_t size);
static inline leman_architecture leman_architecture_default(void)
{
    leman_architecture architecture;
    leman_architecture_init(&architecture, sizeof architecture);
    return architecture;
}
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
    bool converged;       /* ended because the rate had become too small to matter */
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
