/* Shared by the files about sparse features. */
#ifndef LM_FEATURES_H
#define LM_FEATURES_H

#include "base/mapped.h"
#include "kernel/features/column_map.h"
#include "kernel/kernel.h"

/* Copies the kernels in normal form to the context's scratch. Fails for kernels without features and invalid options.
 */
leman_status lm_features_prepare(leman_context *ctx, const leman_kernel *kernels, size_t count,
                                 const leman_feature_options *options, leman_kernel **normal);

/* lm_features_prepare() for the kernels of a public function: copies them and replaces LEMAN_STABLE by the number of
 * rounds after which the data is stable. If data is NULL, the graphs come from a stream: LEMAN_STABLE and an apex, which
 * need all graphs, fail. All ranks compare their arguments; the caller has called lm_ranks_begin(). */
leman_status lm_features_prepare_for(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                     size_t count, const leman_feature_options *options, leman_kernel **normal);

/* Frees the arrays of features. Inside the library features are plain structs. */
void lm_features_clear(leman_features *features);
/* Moves features into an object for leman_features_free(). */
leman_status lm_features_own(leman_context *ctx, leman_features *features, leman_features **out);

/* Copies the rows row[count], which must increase, and only the columns that occur in them, in their order. row NULL
 * means the first `count` rows. The columns must have names. mapped: the file of column and value, or NULL. */
leman_status lm_features_select(leman_context *ctx, const leman_features *features, lm_mapped *mapped,
                                const size_t *row, size_t count, leman_features *selected);

/* Checks that the columns have names and are in increasing order. */
leman_status lm_columns_check(leman_context *ctx, const leman_features *known);

/* Computes features without checks and log messages; graph 0 of the data is called first_graph in messages. `block` and
 * `origin` of the features stay empty. */
leman_status lm_features_of(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                            const leman_feature_options *options, size_t first_graph, leman_features *features);
/*
 * Computes compact features: the colours of one orbit, which always occur together, share a column with the smallest of
 * them as its key. The `round` of a column is block * LM_TRIPLE_LISTS + list of its triples; the list says how many
 * colours m the column stands for. A value is sqrt(weight * m) times the count, so that products of rows give the
 * kernel. For assignment kernels, which are allowed, it is weight * m times the count, so that sums of minima give the
 * kernel. For k = 2 this halves the number of columns, for k = 3 it is a sixth.
 *
 * branches: compute every number of rounds at once, for kernels with lm_kernel_branches(). known: as
 * leman_feature_options.columns, with compact columns. self[rows], if not NULL, gets the kernel of every graph with
 * itself, including features without a column.
 */
leman_status lm_features_compact(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                 size_t count, bool branches, const leman_features *known, double *self,
                                 leman_features *features);
/* Returns true if every compact column stands for one colour. Such columns come from a file of features, whose columns
 * are not compact. lm_features_compact() then gives every colour of an orbit its own column. */
bool lm_features_expanded(const leman_features *known);
/* Logs how many entries had no column, if there were any. */
void lm_features_log(leman_context *ctx, const leman_dataset *data, const leman_features *features);

/* Returns the end of the slice of graphs that begins with `first`: at most `max` tuples in all rounds, or one graph. */
size_t lm_features_slice(const leman_dataset *data, const leman_kernel *normal, size_t count, uint64_t max,
                         size_t first);

/* Returns the number of tuples that a slice may have in all rounds if `at_once` slices are in memory together. */
uint64_t lm_features_slice_max(const leman_context *ctx, int at_once);

static inline bool lm_feature_before(leman_feature a, leman_feature b)
{
    if (a.kernel != b.kernel) return a.kernel < b.kernel;
    if (a.round != b.round) return a.round < b.round;
    return a.key < b.key;
}

#endif
