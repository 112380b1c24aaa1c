/* Construction of splits: lists of graphs that grow fold by fold. */
#ifndef LM_SPLITS_H
#define LM_SPLITS_H

#include "base/context.h"
#include "base/file.h"
#include "learn/protocol/classes.h"

enum { LM_MAX_FOLDS = 100000 }; /* most repetitions * folds */

/* Zero-initialise before use, and call lm_split_list_free() at the end. */
typedef struct lm_split_list {
    lm_vector start; /* uint64_t */
    lm_vector graph; /* uint32_t */
} lm_split_list;

/* Appends one part of a fold: the graphs graph[count], in any order. */
leman_status lm_split_list_add(leman_context *ctx, lm_split_list *list, uint32_t *graph, size_t count);
/* Draws a validation part for the fold whose test part was appended last: ceil(10 %) of all graphs outside the test
 * part. The part is stratified by class unless classes is NULL. */
leman_status lm_split_list_validate(leman_context *ctx, lm_split_list *list, size_t graphs, const lm_classes *classes,
                                    uint64_t seed);
/* Creates splits from the lists. Their other members are copied from *sizes. */
leman_status lm_split_list_finish(leman_context *ctx, const lm_split_list *list, const leman_splits *sizes,
                                  leman_splits **out);
void lm_split_list_free(lm_split_list *list);

/* A view of one part of the fold with index i = repetition * folds + fold. */
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
/* Writes the numbers below `graphs` that are in neither part into graph[graphs], increasing. Returns their number. */
size_t lm_graphs_outside(size_t graphs, lm_part first, lm_part second, uint32_t *graph);
/* Writes the training graphs of fold i, which are in neither part, into graph[splits->graphs]. Returns their number. */
static inline size_t lm_split_training(const leman_splits *splits, size_t i, uint32_t *graph)
{
    return lm_graphs_outside(splits->graphs, lm_split_test(splits, i), lm_split_validation(splits, i), graph);
}

/* Returns a checksum that depends only on the parts, not on how they were drawn. */
uint64_t lm_splits_checksum(const leman_splits *splits);
leman_status lm_splits_copy(leman_context *ctx, const leman_splits *splits, leman_splits **out);
/* Read splits from the bytes of a file, text or JSON, and write them as text (split_files.c). */
leman_status lm_splits_parse(leman_context *ctx, const leman_dataset *data, const char *path, lm_bytes bytes,
                             leman_splits **out);
/* Return true if the bytes begin as JSON does, and read splits from JSON (split_json.c). */
bool lm_splits_are_json(lm_bytes bytes);
leman_status lm_splits_parse_json(leman_context *ctx, const leman_dataset *data, const char *path, lm_bytes bytes,
                                  leman_splits **out);
leman_status lm_splits_print(const leman_splits *splits, lm_output *out);

#endif
