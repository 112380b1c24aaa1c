/*
 * A data set as batches: graphs by their numbers into nn/batch.h, encoded as the network wants them.
 *
 * What a graph needs more than once is found once: numbers of labels, # of local+, sets with neighbours and types.
 * Types and reals are written straight into the batch, so beside it there is only memory for the pairs of its largest
 * graph. O(rows) a batch.
 */
#ifndef LM_INPUTS_H
#define LM_INPUTS_H

#include "nn/backend.h"
#include "nn/encode/counts.h"

typedef struct lm_inputs {
    leman_context *ctx;
    const leman_dataset *data;
    const lm_encoding *encoding;
    uint32_t *label, *edge_label; /* [vertices], [arcs] of the data */
    uint64_t *arcs;               /* [graphs] of each graph, without self-loops */
    lm_counts counts;
    lm_sets sets[LM_LISTS];
    uint32_t *set_type[LM_LISTS]; /* [sets] */
    lm_vector relation, pair;     /* uint32_t, lm_real: work space for one graph */
    uint64_t out_of_vocabulary;   /* labels and types so far that the encoding has no number for */

    /* Set by the caller where batches are to have them; they stay the caller's. */
    const double *target; /* [graphs of the data][targets], as they are to be learned */
    size_t targets;
    const uint32_t *class_id;   /* [graphs of the data] LM_NO_TYPE: missing */
    const double *class_weight; /* [classes] weights of the graphs of a class in the loss. NULL: none is missing */
    const double *task_weight;  /* [targets][2] weights of the labels 0 and 1 of each task in the loss; NULL: 1 */
} lm_inputs;

/* Data and encoding must outlive the inputs. LEMAN_ERROR_INPUT where they do not belong together. */
leman_status lm_inputs_new(leman_context *ctx, const leman_dataset *data, const lm_encoding *encoding, lm_inputs **out);
void lm_inputs_free(lm_inputs *inputs);

/* The rows of a batch of these graphs. */
lm_extent lm_inputs_extent(const lm_inputs *inputs, const uint32_t *which, size_t count);
/* More than which no batch of `size` of these graphs has: in every space those of the largest. O(count log count). */
leman_status lm_inputs_max(const lm_inputs *inputs, const uint32_t *which, size_t count, size_t size,
                           lm_extent *extent);
/* Fills the batch. Nothing is allocated once the largest batch and the largest graph have been seen. What has no number
 * contributes nothing; the first time that is logged. */
leman_status lm_inputs_batch(lm_inputs *inputs, const uint32_t *which, size_t count, lm_batch *batch);

/* These graphs in the memory of the backend, some at a time, made in the batch. *fits is false where the backend keeps
 * none, or there is no room for all of them or, within the budget of the host, for their groups. */
leman_status lm_inputs_keep(lm_inputs *inputs, const uint32_t *which, size_t count, size_t at_a_time, lm_batch *batch,
                            lm_backend *backend, bool *fits);
/* A batch of graphs that the backend has in its memory, by their numbers. which[] must outlive its use. */
leman_status lm_inputs_resident(lm_inputs *inputs, const uint32_t *which, size_t count, lm_batch *batch);
/* A batch that has only what is to be learned: targets, classes and their weights. */
leman_status lm_inputs_labels(lm_inputs *inputs, const uint32_t *which, size_t count, lm_batch *batch);

/* Sets of all graphs and their types; those of one graph into a batch, whose rows begin at first[]: inputs_sets.c. */
leman_status lm_inputs_find_sets(lm_inputs *inputs);
void lm_inputs_write_sets(lm_inputs *inputs, size_t graph, const size_t first[LM_SUMMED_SPACES], lm_batch *batch);

/* The reals of one graph, inputs_reals.c. */
void lm_inputs_vertex_reals(lm_inputs *inputs, size_t graph, lm_real *to);        /* [n][vertex_reals] */
void lm_inputs_arc_reals(lm_inputs *inputs, size_t graph, lm_real *to);           /* [arcs of the batch][arc_reals] */
leman_status lm_inputs_tuple_reals(lm_inputs *inputs, size_t graph, lm_real *to); /* [n^k][tuple_reals] */

#endif
