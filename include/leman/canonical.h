/*
 * leman/canonical.h - identity of graphs: canonical order, automorphisms, isomorphism.
 *
 * Two graphs are isomorphic if a bijection of their vertices preserves arcs, directions, labels and attributes of
 * vertices and edges, and loops. Attributes are compared as numbers, without a tolerance. Names, classes and targets do
 * not count. Colour refinement comes first. Where it leaves vertices with equal colours, nauty's Traces decides; if the
 * library was built without nauty, or nauty is not installed, such graphs fail with LEMAN_ERROR_UNSUPPORTED.
 */
#ifndef LEMAN_CANONICAL_H
#define LEMAN_CANONICAL_H

#include "leman/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of nauty that the library was built with, "2.8.6"; NULL if it was built without nauty. The
 * canonical order of a graph with symmetries may differ between versions of nauty. */
LEMAN_API const char *leman_nauty_version(void);

/* The automorphisms of a graph: their number is mantissa * 10^exponent, rounded to the precision of a double. */
typedef struct leman_symmetry {
    double mantissa; /* at least 1, less than 10 */
    int exponent;
    size_t orbits; /* classes of vertices that automorphisms map to each other */
} leman_symmetry;

/*
 * Computes a canonical order of the vertices: order[i] is the vertex at place i. If the graphs are isomorphic, their
 * vertices at equal places correspond: the map of order_a[i] to order_b[i] is an isomorphism. order[vertices] is
 * required. orbit[vertices], which may be NULL, gets the smallest vertex of the orbit of each vertex; *symmetry may be
 * NULL, too.
 *
 * O((n + m) log n) if colour refinement gives every vertex its own colour; otherwise exponential in the worst case.
 * nauty allocates memory outside the context. An estimate, 1 KiB for each vertex and 32 bytes for each arc of the graph
 * that nauty gets, is counted against the budget before nauty is called; the call fails with LEMAN_ERROR_BUDGET if it
 * does not fit. A search that has to keep many partial orders at once can take more than the estimate.
 * The progress callback can cancel the computation.
 */
LEMAN_API leman_status leman_canonical_order(leman_context *ctx, const leman_graph *graph, uint32_t *order,
                                             uint32_t *orbit, leman_symmetry *symmetry);
/* Sets *isomorphic. If it is true, mapping[vertices], which may be NULL, gets the vertex of b for each vertex of a.
 * Cost: that of leman_canonical_order() for both graphs, unless their sizes or labels already differ. */
LEMAN_API leman_status leman_isomorphic(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                                        bool *isomorphic, uint32_t *mapping);

/* Makes a data set of the same graphs with their vertices in canonical order; names, classes and targets are kept.
 * symmetry[graphs] and orbit[vertices], which may be NULL, describe the graphs of `data`; orbits are counted inside
 * each graph. Graphs are processed on several threads. */
LEMAN_API leman_status leman_dataset_canonical(leman_context *ctx, const leman_dataset *data, leman_symmetry *symmetry,
                                               uint32_t *orbit, leman_dataset **out);

/*
 * Writes a graph as one line of text, without a newline, into text[size], and returns the length of the whole line, as
 * snprintf() does: the line is complete if the result is less than size. Two graphs have the same line if and only if
 * they are equal: same vertices in the same order, same arcs, labels and attributes, whatever their data sets. So graphs in canonical order have
 * the same line if and only if they are isomorphic. docs/identity.md describes the line.
 */
LEMAN_API size_t leman_graph_text(const leman_graph *graph, char *text, size_t size);

/* SHA-256 of the line of a graph in canonical order. Two graphs are isomorphic if and only if their lines are equal, and
 * no two texts with the same SHA-256 are known. Vertex names, graph names, classes and targets do not count. */
typedef struct leman_exact_hash {
    uint8_t digest[32];
} leman_exact_hash;

/* Computes the exact hash of every graph, into hash[graphs]. Coordinates of molecules that were read from an SDF do not
 * count, so that a molecule has the hash of its SMILES. Fails as leman_dataset_canonical() does. The hash of a graph
 * to whose vertices colour refinement gives different colours is the same for every version of nauty. */
LEMAN_API leman_status leman_exact_hashes(leman_context *ctx, const leman_dataset *data, leman_exact_hash *hash);
/* Writes "lm1:" and the first `bytes` bytes of the digest, at most 32, as hexadecimal digits into text[size], cut off if
 * it is too long. Returns the length of the whole text, as snprintf() does; 0 and "" if hash is NULL. 16 bytes have the
 * length of leman_graph_hash_text(). */
LEMAN_API size_t leman_exact_hash_text(const leman_exact_hash *hash, size_t bytes, char *text, size_t size);
#define LEMAN_EXACT_HASH_TEXT 69 /* characters of the text of 32 bytes, with the zero at the end */

/* Graphs of a data set that are there more than once. */
typedef struct leman_repeats {
    size_t classes, graphs; /* classes of two or more isomorphic graphs, and the graphs in these classes */
    size_t contradictions;  /* of these classes, those in which two graphs have different classes or targets */
    size_t first, second;   /* two such graphs, of the contradiction that begins first; first < second */
} leman_repeats;

/* Counts graphs that are isomorphic to others, without attributes of vertices, which are coordinates of molecules. Missing
 * classes and targets contradict nothing. If the library has no nauty, graphs of the same hash by delta-2-LWL are taken for isomorphic.
 * first and second are 0 if there are no contradictions. Cost: leman_exact_hashes(), and sorting them. */
LEMAN_API leman_status leman_dataset_repeats(leman_context *ctx, const leman_dataset *data, leman_repeats *repeats);

#ifdef __cplusplus
}
#endif
#endif
