/*
 * A data set as batches: writes graphs, named by their numbers, into nn/batch.h in the encoding of a network.
 *
 * What a graph needs more than once is computed once: numbers of labels, # of local+, sets and sparse tuples with
 * neighbours and types, walks and resistances of pairs.
 * Types and reals are written directly into the batch; the only other memory is for the pairs of the largest graph.
 * Costs O(rows) per batch.
 */
#ifndef LM_INPUTS_H
#define LM_INPUTS_H

#include "nn/backend.h"
#include "nn/encode/counts.h"
#include "nn/encode/pair_reals.h"
#include "nn/encode/rows.h"

typedef struct lm_inputs {
    leman_context *ctx;
    const leman_dataset *data;
    const lm_encoding *encoding;
    uint32_t *label, *edge_label; /* [vertices], [arcs] of the data */
    uint64_t *arcs;               /* [graphs] arcs of each graph, without self-loops */
    lm_counts counts;
    lm_pair_reals pair_reals;
    lm_sets sets[LM_LISTS];
    uint32_t *set_type[LM_LISTS]; /* [sets] */
    leman_tuples *tuples;         /* of a sparse set, otherwise NULL */
    uint64_t *tuple_link;         /* [graphs+1] the first link of each graph, counted along all components, without
                                     those of a tuple to itself */
    uint32_t *tuple_type;         /* [tuples] type, or distance of a pair */
    lm_vector relation, pair;     /* uint32_t, lm_real: workspace for one graph */
    uint64_t out_of_vocabulary;   /* labels and types so far that have no number in the encoding */

    /* Optional, set by the caller if batches need them; not owned. */
    const lm_row_list *rows; /* of the level that targets and classes are about; NULL: graphs */
    const double *target;    /* [rows of the level in the data][targets], as they are learned */
    size_t targets;
    const uint32_t *class_id; /* [rows of the level in the data] LM_NO_TYPE: missing */
    /* Weights in the loss: [classes] of the classes if there are classes, otherwise [targets][2] of the labels 0 and 1 of
     * each task. NULL: all 1, and no class is missing. */
    const double *weight;
} lm_inputs;

/* Creates the inputs. Data and encoding must outlive them. Fails with LEMAN_ERROR_INPUT if the encoding does not fit
 * the data. */
leman_status lm_inputs_new(leman_context *ctx, const leman_dataset *data, const lm_encoding *encoding, lm_inputs **out);
void lm_inputs_free(lm_inputs *inputs);
LM_DROP(lm_inputs)

/* Returns the extent of a batch of these graphs. */
lm_extent lm_inputs_extent(const lm_inputs *inputs, const uint32_t *which, size_t count);
/* Computes an upper bound on the extents of all batches of `size` of these graphs: in every space, the rows of the
 * largest graphs. O(count log count). */
leman_status lm_inputs_max(const lm_inputs *inputs, const uint32_t *which, size_t count, size_t size,
                           lm_extent *extent);
/* Fills the batch. Allocates nothing once the largest batch and the largest graph have been filled. Labels and types
 * without a number contribute nothing; the first occurrence is logged. */
leman_status lm_inputs_batch(lm_inputs *inputs, const uint32_t *which, size_t count, lm_batch *batch);

/* Fills a batch that has only labels: targets, classes and their weights. */
leman_status lm_inputs_labels(lm_inputs *inputs, const uint32_t *which, size_t count, lm_batch *batch);

/* The first function computes the sets of all graphs and their types; the second writes those of one graph into a
 * batch, in which the rows of the graph begin at first[] (inputs_sets.c). */
leman_status lm_inputs_find_sets(lm_inputs *inputs);
void lm_inputs_write_sets(lm_inputs *inputs, size_t graph, const size_t first[LM_SUMMED_SPACES], lm_batch *batch);

/* The same for the tuples of a sparse set (inputs_tuples.c). */
leman_status lm_inputs_find_tuples(lm_inputs *inputs);
leman_status lm_inputs_write_tuples(lm_inputs *inputs, size_t graph, const size_t first[LM_SUMMED_SPACES],
                                    lm_batch *batch);
/* Writes the distance of every vertex from vertex `from`, at most `limit`, by a breadth-first search. Workspace:
 * queue[n]. */
void lm_inputs_distances(const leman_graph *graph, size_t from, uint32_t limit, uint32_t *queue, uint32_t *to);

/* Write the reals of one graph (inputs_reals.c). */
void lm_inputs_vertex_reals(lm_inputs *inputs, size_t graph, lm_real *to);        /* [n][vertex_reals] */
void lm_inputs_arc_reals(lm_inputs *inputs, size_t graph, lm_real *to);           /* [arcs of the batch][arc_reals] */
leman_status lm_inputs_tuple_reals(lm_inputs *inputs, size_t graph, lm_real *to); /* [n^k][tuple_reals] */
/* Writes the reals of listed tuples of one graph, vertex[count][k]: [count][tuple_reals]. */
leman_status lm_inputs_listed_reals(lm_inputs *inputs, size_t graph, const uint32_t *vertex, size_t count, lm_real *to);

#endif
