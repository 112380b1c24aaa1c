/* Examples of features: graphs and tuples that have them (leman/substructure.h). */
#ifndef LM_SUBSTRUCTURES_H
#define LM_SUBSTRUCTURES_H

#include "leman/substructure.h"

/* Makes `count` substructures without examples. Their members feature, graphs, example, weight and effect are to be set in
 * *items, which belongs to *out, before lm_substructures_find(). */
leman_status lm_substructures_new(leman_context *ctx, size_t count, leman_substructures **out,
                                  leman_substructure **items);
/* Makes a graph that has a feature its example if it is smaller than the present one; SIZE_MAX: none yet. */
void lm_substructure_offer(const leman_dataset *data, size_t graph, size_t *example);
/* Finds the neighbourhoods in the examples and writes their texts. The kernels are in normal form; features of kernels
 * that do not colour the data as it is get no text. Items are in any order. Time: a refinement of every example and a
 * search among the items for each of its tuples. */
leman_status lm_substructures_find(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                   leman_substructures *substructures);

#endif
