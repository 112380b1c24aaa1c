/*
 * What colours of vertices say about those of tuples (refine/vertex_rounds.h).
 *
 * A graph none of whose vertices has a colour of another graph shares no tuple with it either. And where vertices of
 * one colour are twins (space.h), the classes of pairs are known without colouring them: of classes of m_1, m_2, ..
 * twins
 *
 *   m_i m_j pairs for i != j,   m_i of a vertex with itself,   m_i (m_i - 1) of different twins
 *
 * Where no two vertices have the same colour, all k-tuples differ. Later rounds split nothing in such a graph.
 *
 * Colours of vertices that collide make graphs look alike that are not: that costs time, and nothing else.
 *
 * Time O(h arcs + n log n), memory some 50 bytes a vertex.
 */
#ifndef LM_EARLY_VERTICES_H
#define LM_EARLY_VERTICES_H

#include "kernel/kernel.h"

/* Does that hold for the tuples of this kernel? */
bool lm_early_vertices_serve(const leman_kernel *kernel);
/* The colours of the vertices after so many rounds, for every graph and colour an entry in block 0 of the triples, the
 * value being how many vertices there are. Where later is not NULL, known[graphs] says which graphs have classes of
 * tuples that are known after so many rounds, and what these add in later rounds is added to later->sum. */
leman_status lm_early_vertices(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                               uint32_t rounds, const lm_later_rounds *later, bool *known, lm_triples *triples);

#endif
