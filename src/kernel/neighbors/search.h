/*
 * The similarities of graphs, slice by slice, to queries whose features are in memory.
 */
#ifndef LM_SEARCH_H
#define LM_SEARCH_H

#include "kernel/features/feature_lists.h"
#include "kernel/required_inputs.h"

typedef struct lm_search {
    leman_context *ctx;
    leman_kernel *kernel; /* [kernels] in normal form */
    size_t kernels;
    const leman_dataset *queries;
    lm_required_inputs required;
    leman_features features; /* of the queries */
    lm_feature_lists lists;
    uint64_t slice;     /* the most tuples of a slice */
    size_t block;       /* the most graphs that are compared at once */
    double *similarity; /* [block][queries] */
} lm_search;

/* Receives the similarities of graphs first .. first + count - 1 of a slice to all queries, similarity[count][queries].
 * Graphs come in their order. */
typedef leman_status lm_search_receiver(void *state, size_t first, size_t count, const double *similarity);

/* Prepares a search: computes the features of the queries. Scratch of the context is held until the scope of the caller
 * ends; lm_search_close() also after a failure. */
leman_status lm_search_open(leman_context *ctx, const leman_dataset *queries, const leman_kernel *kernels, size_t count,
                            lm_search *search);
/* Compares all graphs of a data set, which must fit the queries, with all queries. */
leman_status lm_search_run(lm_search *search, const leman_dataset *data, lm_search_receiver *receive, void *state);
void lm_search_close(lm_search *search);

#endif
