/*
 * The neighbourhood of a tuple in a graph, as a line of text: SMARTS for molecules, and the same grammar for other graphs
 * (leman/substructure.h).
 */
#ifndef LM_FRAGMENT_H
#define LM_FRAGMENT_H

#include "io/molecule/molecule.h"

/* Zero-initialise; lm_fragments_begin() for every graph; lm_fragments_free() at the end. */
typedef struct lm_fragments {
    leman_context *ctx;
    leman_graph graph;
    unsigned labels;                           /* LEMAN_ATOM_... in the labels of atoms; 0: none that are known */
    bool molecule, vertex_labels, edge_labels; /* what the colouring sees */
    uint32_t radius;
    size_t components, vertices;
    uint32_t *place;    /* [graph.vertices] number in vertex[] + 1, or 0 */
    uint32_t *vertex;   /* [vertices] the components first */
    uint32_t *distance; /* [vertices] from the nearest component */
    bool *aromatic;     /* [vertices] has an aromatic bond in the fragment */
    uint64_t *arc;      /* [bonds] of the graph, from the bond's `from` to its `to` */
    lm_mol lines;       /* the atoms and bonds; a bond of type 2 stands for two opposite arcs */
} lm_fragments;

/* Prepares for neighbourhoods in a graph of the data, of a colouring that ignores labels or not. The arrays lie in the
 * context's scratch. */
leman_status lm_fragments_begin(leman_context *ctx, const leman_dataset *data, size_t graph,
                                const leman_coloring *coloring, lm_fragments *fragments);
/* Finds the vertices within a radius of the vertices of a tuple; components UINT32_MAX are none. O(vertices and arcs found). */
void lm_fragments_find(lm_fragments *fragments, const uint32_t *tuple, unsigned k, uint32_t radius);
/* Appends the text of what was found, with a zero byte, to a vector of char. */
leman_status lm_fragments_write(lm_fragments *fragments, lm_vector *text);
void lm_fragments_free(lm_fragments *fragments);

#endif
