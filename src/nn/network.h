/*
 * A trained network: the architecture, the encoding of graphs, the meaning of the outputs, and the weights. This is all
 * that predictions for new graphs need, and what a checkpoint stores. A network does not depend on the context that
 * created it.
 */
#ifndef LM_NETWORK_H
#define LM_NETWORK_H

#include "base/file.h"
#include "nn/encode/inputs.h"
#include "nn/executor.h"
#include "nn/model.h"
#include "nn/train/schedule.h"
#include "nn/train/scores.h"

/* The options of leman_train(), checked, with all defaults filled in. */
typedef struct lm_training_options {
    leman_architecture architecture;
    leman_training training; /* its member `details` is unused: the next member replaces it */
    leman_paper_details details;
} lm_training_options;
/* Sets *out to the caller's options with all defaults filled in, and checks their enums. architecture and training may
 * be NULL. */
leman_status lm_training_options_copy(leman_context *ctx, const leman_architecture *architecture,
                                      const leman_training *training, lm_training_options *out);

/* What must be equal for a run to resume from the file of another run; see nn/train/fingerprint.h. */
typedef struct lm_fingerprint {
    uint64_t seed, data, class_weights; /* checksums, except the seed; class_weights 0: none */
    lm_training_options options;        /* if read: only rows with words are set; no pointer is used */
} lm_fingerprint;

/* How a network was trained. Stored in the file of the network. */
typedef struct lm_run_record {
    lm_fingerprint fingerprint;
    uint64_t parts;  /* checksum of the parts */
    char *data_name; /* NULL: there was no run yet */
    size_t count[3]; /* graphs of the training, validation and test parts */
    lm_schedule schedule;
    lm_vector class_weight; /* double: those of the caller */
    lm_vector epochs;       /* leman_epoch */
    lm_vector scores;       /* double: [epochs][2] */
    lm_vector errors;       /* double: [epochs][2][targets], or areas under the ROC curve [epochs][2][tasks] */
    size_t best;            /* index into epochs, or SIZE_MAX */
} lm_run_record;
void lm_run_record_free(lm_run_record *record);

struct leman_network {
    leman_network_shape shape;       /* the public view of the members below; the best epoch is stored only here */
    leman_architecture architecture; /* in normal form */
    bool own_fourth_layer;           /* as in leman_paper_details */
    leman_loss loss;                 /* if the outputs are targets */
    leman_level level;               /* what the outputs are about */
    lm_encoding *encoding;
    lm_program *program;
    size_t outputs;       /* targets, classes or tasks */
    int64_t *class_label; /* [outputs] increasing; NULL: targets or tasks */
    size_t *column;      /* [outputs] columns of the targets (of the attributes of the level) or tasks; NULL: classes */
    int64_t *task_label; /* [outputs][2] the smaller and the larger class of each task; NULL: no tasks */
    char **name;         /* [outputs] names of tasks, or of classes that are words (otherwise ""); NULL: none */
    leman_score selected_by;
    leman_precision precision; /* of training */
    lm_scale scale;            /* of targets */
    size_t batch;              /* graphs in a training batch */
    lm_real *weights;          /* [program->numbers] of the best epoch, on the host; zeros before the first epoch */
    lm_run_record record;
    leman_checkpoint checkpoint; /* the public view of the record */
    bool own;                    /* this process trains the network: the record has all options */
    uint32_t *order;             /* [graphs] for initial weights, the order of the first epoch; or NULL */
    size_t graphs;
};

/* lm_network_new() creates an empty network. Once architecture and outputs are set, lm_network_normalize() brings the
 * architecture into normal form and returns what the network reads from graphs. Once the encoding is set,
 * lm_network_build() creates the program and the shape, and lm_network_allocate() the weights, all zero. */
leman_status lm_network_new(leman_context *ctx, leman_network **out);
leman_status lm_network_normalize(leman_context *ctx, leman_network *network, lm_encoding_options *encoding);
leman_status lm_network_build(leman_context *ctx, leman_network *network);
leman_status lm_network_allocate(leman_context *ctx, leman_network *network);
/* Moves the record into the network, whose public views then describe it. *record is empty afterwards. */
void lm_network_set_record(leman_network *network, lm_run_record *record);

/* Returns LEMAN_OK if the network has been trained, otherwise LEMAN_ERROR_INPUT. */
leman_status lm_network_is_trained(leman_context *ctx, const leman_network *network);

/* Writes the network and its record in the format that leman_network_read() reads. In an export they are the member of
 * this name. */
#define LM_EXPORTED_NETWORK "network.lmn"
leman_status lm_network_save(const leman_network *network, lm_output *out);

/* Sets *out to the arrays of a public batch. Fails with LEMAN_ERROR_ARGUMENT if the network cannot read them, because
 * the batch was made for a network with another encoding. O(steps). */
leman_status lm_encoded_batch(leman_context *ctx, const leman_network *network, const leman_batch *batch,
                              const lm_batch **out);

/* Returns the network of a predictor. It lives as long as the predictor. */
const leman_network *lm_predictor_network(const leman_predictor *predictor);

/* Creates a network without weights. Types, classes and scales are determined from the data. */
leman_status lm_network_begin(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                              const lm_training_options *options, leman_network **out);
/* Makes the data without the columns of attributes that the network learns, which are no inputs. *made stays NULL if the
 * data does not have them: if the network is about graphs, or if the data has only the columns that the network reads. */
leman_status lm_network_inputs(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                               leman_dataset **made);
/* Returns what a network with these options learns from the data. */
lm_learned lm_learned_of(const leman_dataset *data, const lm_training_options *options);
/* Returns what the network learns. */
static inline lm_learned lm_network_learned(const leman_network *network)
{
    return network->class_label ? LM_LEARN_CLASSES : network->task_label ? LM_LEARN_TASKS : LM_LEARN_TARGETS;
}
/* Determines the outputs of a network and their names from the data (outputs.c). */
leman_status lm_outputs_find(leman_context *ctx, leman_network *network, const leman_dataset *data,
                             const leman_parts *parts, const lm_training_options *options);
/* Allocates the array of output names, all NULL. */
leman_status lm_network_allocate_names(leman_context *ctx, leman_network *network);

/* Computes the true values of all rows of the level in the data. Free them with lm_labels_free(). */
leman_status lm_labels_compute(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                               lm_labels *out);
void lm_labels_free(lm_labels *labels);

#endif
