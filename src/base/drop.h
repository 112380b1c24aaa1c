/*
 * For AUTO(): functions that free the object of a public type to which a variable points.
 *
 *   AUTO(TYPE_drop) TYPE *object = NULL;
 *   ...
 *   return HAND_OVER(out, object);
 */
#ifndef LM_DROP_H
#define LM_DROP_H

#include "base/context.h"

#define LM_DROP(type)                                                                                                  \
    static inline void type##_drop(type **pointer)                                                                     \
    {                                                                                                                  \
        type##_free(*pointer);                                                                                         \
    }
LM_DROP(leman_attribution)
LM_DROP(leman_batch)
LM_DROP(leman_builder)
LM_DROP(leman_census)
LM_DROP(leman_context)
LM_DROP(leman_dataset)
LM_DROP(leman_evaluation)
LM_DROP(leman_explanation)
LM_DROP(leman_feature_matrix)
LM_DROP(leman_features)
LM_DROP(leman_gp)
LM_DROP(leman_hierarchy)
LM_DROP(leman_histogram)
LM_DROP(leman_history)
LM_DROP(leman_model)
LM_DROP(leman_network)
LM_DROP(leman_network_evaluation)
LM_DROP(leman_parts)
LM_DROP(leman_passes)
LM_DROP(leman_predictor)
LM_DROP(leman_rows)
LM_DROP(leman_runs)
LM_DROP(leman_splits)
LM_DROP(leman_stream)
LM_DROP(leman_substructures)
LM_DROP(leman_tuples)
LM_DROP(leman_unrolling)

#endif
