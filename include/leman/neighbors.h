/*
 * leman/neighbors.h - the nearest graphs of a data set of any length, and clusters, by the similarity of a kernel.
 *
 * The similarity of two graphs is their normalised kernel: as leman_kernel.normalization says, the cosine if it says
 * nothing else. It is 1 for graphs with the same features, and 0 for graphs that share none or have none. Kernels must count features
 * (colours, paths, graphlets, hashes, trees; products or minima), and their rounds must be numbers, not LEMAN_STABLE;
 * others fail with LEMAN_ERROR_ARGUMENT. A kernel with binnings of attributes fails, too.
 */
#ifndef LEMAN_NEIGHBORS_H
#define LEMAN_NEIGHBORS_H

#include "leman/io.h"
#include "leman/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets *kernel to the usual kernel for these graphs: ECFP4 for molecules that were read with LEMAN_ATOM_ECFP, otherwise
 * its form on the labels that the data has, two rounds of 1-WL, the sum of minima of counts over that of maxima. */
LEMAN_API leman_status leman_neighbors_kernel(leman_context *ctx, const leman_dataset *data, leman_kernel *kernel);

/* ---- Nearest graphs -------------------------------------------------------------------------- */

/* For each query its nearest graphs. Free with leman_neighbors_free(). */
typedef struct leman_neighbors leman_neighbors;
typedef struct leman_neighbor {
    uint64_t
        row; /* of the file, from 0, whichever rows can be read; the number of the graph if it is no file of molecules */
    double similarity;
    const char *name, *smiles; /* as in the file; "": none. They belong to the neighbours */
} leman_neighbor;

/*
 * Finds the `nearest` graphs of a file for every query, exactly: the most similar ones, and of graphs that are equally
 * similar those that come first. The file is read as leman_stream_open() reads it, in slices, so it may be of any length;
 * of molecules only the names and SMILES of neighbours are kept.
 *
 *   kernels[count]  a sum of kernels
 *   nearest         from 1
 *   reading         NULL: the default; class_column, rows and row_columns are not used
 *   *cleaning       gets what the policy found; NULL: is not needed
 *
 * Graphs that were read in another way than the queries, or that have other labels, fail with LEMAN_ERROR_INPUT. The
 * result is the same for any number of threads and any budget. Time: reading and refinement, and for every graph an
 * addition for each of its features and query that has it. Memory: the features of the queries, 32 bytes for each query
 * and neighbour, the texts of neighbours, and a slice.
 */
LEMAN_API leman_status leman_neighbors_find(leman_context *ctx, const leman_dataset *queries, const char *path,
                                            const leman_read_options *reading, const leman_kernel *kernels,
                                            size_t count, size_t nearest, leman_cleaning *cleaning,
                                            leman_neighbors **out);
/* Like leman_neighbors_find() among the graphs of a data set in memory. data NULL: among the queries, where a graph is no
 * neighbour of itself. */
LEMAN_API leman_status leman_neighbors_among(leman_context *ctx, const leman_dataset *queries,
                                             const leman_dataset *data, const leman_kernel *kernels, size_t count,
                                             size_t nearest, leman_neighbors **out);
/* Return the number of queries; the number of graphs that were searched; the number of neighbours of each query, the
 * smaller of `nearest` and the graphs that there are. 0 for NULL. */
LEMAN_API size_t leman_neighbors_queries(const leman_neighbors *neighbors);
LEMAN_API uint64_t leman_neighbors_graphs(const leman_neighbors *neighbors);
LEMAN_API size_t leman_neighbors_count(const leman_neighbors *neighbors);
/* Returns neighbour number `rank` of a query, from 0, the nearest one; for other numbers one of similarity -1. */
LEMAN_API leman_neighbor leman_neighbors_get(const leman_neighbors *neighbors, size_t query, size_t rank);
LEMAN_API void leman_neighbors_free(leman_neighbors *neighbors);

/* ---- Clusters -------------------------------------------------------------------------------- */

/*
 * Taylor and Butina's clusters: graphs of at least this similarity, above 0 and up to 1, are neighbours. The graph with
 * the most neighbours, of several the first one, becomes the centre of a cluster, which takes all of its neighbours that
 * no cluster has taken; then the graph with the next most neighbours that no cluster has taken, and so on. The numbers of
 * neighbours are those of the whole data set (D. Butina, J. Chem. Inf. Comput. Sci. 39, 1999).
 *
 *   cluster[graphs]     gets the number of the cluster of each graph, from 0, in the order in which they are formed
 *   centre[graphs]      gets the number of the graph that is the centre of its cluster; NULL: is not needed
 *   similarity[graphs]  gets the similarity of each graph to the centre; NULL: is not needed
 *   *clusters           gets their number
 *
 * Time: the kernel of every two graphs that share features. Memory: features, and 4 bytes for each pair of neighbours.
 */
LEMAN_API leman_status leman_clusters_find(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                           size_t count, double least, uint32_t *cluster, uint32_t *centre,
                                           double *similarity, size_t *clusters);

#ifdef __cplusplus
}
#endif
#endif
