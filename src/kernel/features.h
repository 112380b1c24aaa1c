/* What the files about sparse features share. */
#ifndef LM_FEATURES_H
#define LM_FEATURES_H

#include "kernel/column_map.h"
#include "kernel/kernel.h"

/* The kernels in normal form, in the context's scratch; kernels without features and impossible options are refused. */
leman_status lm_features_prepare(leman_context *ctx, const leman_kernel *kernels, size_t count,
                                 const leman_feature_options *options, leman_kernel **normal);

/* The same for kernels as a caller hands them over, copied and with the rounds that are stable in the data. All ranks
 * compare what they were given, behind lm_ranks_begin() of the caller. */
leman_status lm_features_prepare_for(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                     size_t count, const leman_feature_options *options, leman_kernel **normal);

/* Equal where options, the columns that they fix and the kernels are the same; names of files are left out. */
uint64_t lm_feature_options_checksum(const leman_kernel *kernels, size_t count, const leman_feature_options *options);

/* Inside the library features are plain structs: this frees their arrays. */
void lm_features_clear(leman_context *ctx, leman_features *features);
/* Makes them an object that leman_features_free() frees; where that fails they are cleared. */
leman_status lm_features_own(leman_context *ctx, leman_features *features, leman_features **out);

/* Columns must have names, in order. */
leman_status lm_columns_check(leman_context *ctx, const leman_features *known);

/* Features of data whose graph 0 is called first_graph in messages. Nothing is checked or logged any more; block and
 * origin stay empty. */
leman_status lm_features_of(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                            const leman_feature_options *options, size_t first_graph, leman_features *features);
/*
 * Compact features: the colours of one orbit, which always come together, share a column named by the smallest of them.
 * The `round` of a column is block * LM_TRIPLE_LISTS + list of its triples: list says how many colours it stands for. A
 * value is sqrt(weight * that) times the count, so that products are the kernel; of assignment kernels, which are
 * allowed, it is weight * that times the count, so that minima are. Half the columns for k = 2, a sixth for k = 3.
 *
 * branches: every number of rounds at once, where lm_kernel_branches(). known: as leman_feature_options.columns, with
 * columns of this kind. self[rows], if not NULL, gets the kernel of every graph with itself, what has no column too.
 */
leman_status lm_features_compact(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                 size_t count, bool branches, const leman_features *known, double *self,
                                 leman_features *features);
/* Says how many entries found no column, where there were any. */
void lm_features_log(leman_context *ctx, const leman_dataset *data, const leman_features *features);

/* The end of the slice of graphs that begins with `first` and has at most `max` tuples in all rounds, or one graph. */
size_t lm_features_slice(const leman_dataset *data, const leman_kernel *normal, size_t count, uint64_t max,
                         size_t first);
/* leman_features_save() in slices of at most `max` tuples in all rounds, or one graph. */
leman_status lm_features_stream(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                                const leman_feature_options *options, uint64_t max, const char *path,
                                leman_features *sizes);

static inline bool lm_feature_before(leman_feature a, leman_feature b)
{
    if (a.kernel != b.kernel) return a.kernel < b.kernel;
    if (a.round != b.round) return a.round < b.round;
    return a.key < b.key;
}

#endif
