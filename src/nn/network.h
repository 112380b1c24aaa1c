/*
 * A trained network: the architecture, the encoding of graphs, the meaning of its outputs, and weights. All that is
 * needed to predict for new graphs; a checkpoint keeps it. It does not depend on the context that it was made with.
 */
#ifndef LM_NETWORK_H
#define LM_NETWORK_H

#include "base/file.h"
#include "nn/encode/inputs.h"
#include "nn/executor.h"
#include "nn/model.h"
#include "nn/train/plateau.h"
#include "nn/train/scores.h"

/* The options of leman_train(), checked, with all defaults filled in. */
typedef struct lm_training_options {
    leman_architecture architecture;
    leman_training training; /* `details` is not used: */
    leman_paper_details details;
} lm_training_options;

/* What must be the same for a run to resume from the file of another one: nn/train/fingerprint.h. */
typedef struct lm_fingerprint {
    uint64_t seed, data, class_weights; /* checksums; class_weights 0: none */
    lm_training_options options;        /* of one that was read: only what has a row with words; no pointer is used */
} lm_fingerprint;

/* How a network was trained; its file has it. */
typedef struct lm_run_record {
    lm_fingerprint fingerprint;
    uint64_t parts;  /* checksum */
    char *data_name; /* NULL: an older file, which does not say it */
    size_t count[3]; /* graphs that train, validate and test */
    lm_plateau plateau;
    lm_vector epochs; /* leman_epoch */
    lm_vector scores; /* double: [epochs][2] */
    lm_vector errors; /* double: [epochs][2][targets], or areas of [tasks] */
    size_t best;      /* index into epochs, or SIZE_MAX */
} lm_run_record;
void lm_run_record_free(leman_context *ctx, lm_run_record *record);

struct leman_network {
    lm_allocator allocator;
    leman_network_shape shape;       /* the public view of all below; its best epoch is only there */
    leman_architecture architecture; /* in normal form */
    bool own_fourth_layer;           /* as in leman_paper_details */
    leman_loss loss;                 /* of targets */
    lm_encoding *encoding;
    lm_program *program;
    size_t outputs;       /* targets, classes or tasks */
    int64_t *class_label; /* [outputs] increasing; NULL: targets or tasks */
    size_t *column;       /* [outputs] of the targets or tasks in the data; NULL: classes */
    int64_t *task_label;  /* [outputs][2] the smaller class of each task, the larger; NULL: no tasks */
    char **name;          /* [outputs] of tasks; of classes that are words, "" for one that is not; NULL: none */
    leman_score selected_by;
    leman_precision precision; /* of training */
    lm_scale scale;            /* of targets */
    size_t batch;              /* graphs of a batch in training */
    lm_real *weights;          /* [program->numbers] of the best epoch, on the host; zeros before the first */
    lm_run_record record;
    leman_checkpoint checkpoint; /* the public view of the record */
    bool own;                    /* this process trains it: the record has all options */
    uint32_t *order;             /* [graphs] the first epoch, of initial weights; or NULL */
    size_t graphs;
};

/* An empty one. Once architecture, encoding and outputs are there, build makes the program and the shape, allocate the
 * weights: zeros. */
leman_status lm_network_new(leman_context *ctx, leman_network **out);
leman_status lm_network_build(leman_context *ctx, leman_network *network);
leman_status lm_network_allocate(leman_context *ctx, leman_network *network);
/* The record becomes that of the network, which describes it from now on; *record is empty. */
void lm_network_set_record(leman_network *network, lm_run_record *record);

/* Has it weights? LEMAN_ERROR_INPUT. */
leman_status lm_network_is_trained(leman_context *ctx, const leman_network *network);

/* Writes the network and its record, for leman_network_read(); an export has both as a member of this name. */
#define LM_EXPORTED_NETWORK "network.lmn"
leman_status lm_network_save(const leman_network *network, lm_output *out);

/* Stays as long as the predictor. */
const leman_network *lm_predictor_network(const leman_predictor *predictor);

/* A network without weights: finds types, classes and scales in the data. */
leman_status lm_network_begin(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                              const lm_training_options *options, leman_network **out);
/* What will it learn? */
lm_learned lm_learned_of(const leman_dataset *data, const lm_training_options *options);
/* What it learns. */
static inline lm_learned lm_network_learned(const leman_network *network)
{
    return network->class_label ? LM_LEARN_CLASSES : network->task_label ? LM_LEARN_TASKS : LM_LEARN_TARGETS;
}
/* Finds the outputs of a network, and their names, in the data (outputs.c). */
leman_status lm_outputs_find(leman_context *ctx, leman_network *network, const leman_dataset *data,
                             const leman_parts *parts, const lm_training_options *options);
/* A name for every output, NULL each. */
leman_status lm_network_allocate_names(leman_context *ctx, leman_network *network);

/* What the outputs are compared with: targets as they are learned, [graphs][outputs], NAN where they are missing, of
 * tasks 0 for the smaller class and 1 for the larger; or
 * numbers of classes, [graphs], LM_NO_TYPE where they are missing. Free with lm_labels_free(). */
typedef struct lm_labels {
    double *target;
    uint32_t *class_id;
    size_t missing; /* classes */
} lm_labels;
leman_status lm_labels_compute(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                               lm_labels *out);
void lm_labels_free(leman_context *ctx, lm_labels *labels);

#endif
