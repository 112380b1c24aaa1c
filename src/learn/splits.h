/* Splits in the making: lists of graphs that grow, fold after fold. */
#ifndef LM_SPLITS_H
#define LM_SPLITS_H

#include "base/context.h"
#include "base/file.h"
#include "learn/classes.h"

enum { LM_MAX_FOLDS = 100000 }; /* repetitions times folds */

/* Zero-initialise; lm_split_list_free() at the end. */
typedef struct lm_split_list {
    lm_vector start; /* uint64_t */
    lm_vector graph; /* uint32_t */
} lm_split_list;

/* The part of one fold: which graphs are in it (graph[count], any order). */
leman_status lm_split_list_add(leman_context *ctx, lm_split_list *list, uint32_t *graph, size_t count);
/* A validation part for the fold whose test part was added last: ceil(10 %) of all other graphs. classes NULL: not
 * stratified. */
leman_status lm_split_list_validate(leman_context *ctx, lm_split_list *list, size_t graphs, const lm_classes *classes,
                                    uint64_t seed);
/* Splits with these lists; their other members are those of *sizes. */
leman_status lm_split_list_finish(leman_context *ctx, const lm_split_list *list, const leman_splits *sizes,
                                  leman_splits **out);
void lm_split_list_free(leman_context *ctx, lm_split_list *list);

/* A view of one part of fold i = r * folds + f. */
typedef struct lm_part {
    const uint32_t *graph;
    size_t count;
} lm_part;
static inline lm_part lm_split_test(const leman_splits *splits, size_t i)
{
    return (lm_part){splits->graph + splits->start[2 * i], splits->start[2 * i + 1] - splits->start[2 * i]};
}
static inline lm_part lm_split_validation(const leman_splits *splits, size_t i)
{
    return (lm_part){splits->graph + splits->start[2 * i + 1], splits->start[2 * i + 2] - splits->start[2 * i + 1]};
}
/* The graphs of fold i that are in neither, increasing, into graph[splits->graphs]; returns how many. */
size_t lm_split_training(const leman_splits *splits, size_t i, uint32_t *graph);

/* Can so many folds be drawn, and do they fit into the memory budget? */
leman_status lm_splits_check_folds(leman_context *ctx, const leman_splits *splits);
/* Equal for equal parts, whatever drew them. */
uint64_t lm_splits_checksum(const leman_splits *splits);
leman_status lm_splits_copy(leman_context *ctx, const leman_splits *splits, leman_splits **out);
/* From the bytes of a file (split_files.c). */
leman_status lm_splits_parse(leman_context *ctx, const leman_dataset *data, const char *path, lm_bytes bytes,
                             leman_splits **out);
leman_status lm_splits_print(const leman_splits *splits, lm_output *out);

#endif
