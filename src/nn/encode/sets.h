/*
 * Sets of vertices, the rows of set networks (k-GNN of Morris et al., AAAI 2019):
 *
 *   pairs    all 2-sets {u, v}
 *   triples  the 3-sets that induce a connected graph, that is contain a path of length two
 *
 * in lexicographic order of their increasing vertices. Two sets are neighbours if one becomes the other by replacing
 * one vertex u by a neighbour w of u that is not in the set; the result must be a set of the same kind. So the relation
 * is symmetric, and every neighbour is found once. In directed graphs arcs count in both directions. Self-loops do not
 * count.
 *
 * Computed once for a data set: O(sets * degree) for pairs, O(sets * degree * log sets) for triples. Memory: 4 bytes
 * for each vertex of a set, each neighbour and each set.
 */
#ifndef LM_SETS_H
#define LM_SETS_H

#include "base/context.h"

typedef enum lm_set_kind { LM_SETS_NONE, LM_SETS_PAIRS, LM_SETS_TRIPLES, LM_SET_KINDS } lm_set_kind;

enum { LM_SET_MEMBERS = 3 }; /* maximum */

/* Returns the number of vertices of a set. */
static inline size_t lm_set_members(lm_set_kind kind)
{
    return kind == LM_SETS_PAIRS ? 2 : kind == LM_SETS_TRIPLES ? 3 : 0;
}

/* ---- One graph ------------------------------------------------------------------------------- */

/* Workspace for one graph. All members but ctx must be zero at first; the vectors grow. */
typedef struct lm_set_work {
    leman_context *ctx;
    lm_vector arc_start, head;         /* uint32_t: neighbours of each vertex, increasing */
    lm_vector key, spare;              /* uint64_t: triples encoded as numbers, increasing */
    lm_vector member, start, neighbor; /* uint32_t: results of lm_sets_find() and lm_sets_link() */
    size_t vertices, sets, links;      /* of the last graph */
} lm_set_work;

void lm_set_work_free(lm_set_work *work);
/* Computes the sets of a graph: member[sets][members]. Fails with LEMAN_ERROR_BUDGET if there are too many. */
leman_status lm_sets_find(lm_set_work *work, lm_set_kind kind, const leman_graph *graph);
/* After lm_sets_find(): computes the neighbours, start[sets+1] and neighbor[links], as numbers of sets. */
leman_status lm_sets_link(lm_set_work *work, lm_set_kind kind);
/* Returns true if the last graph has an edge between u and v. */
bool lm_sets_adjacent(const lm_set_work *work, uint32_t u, uint32_t v);

static inline const uint32_t *lm_set_at(const lm_set_work *work, lm_set_kind kind, size_t set)
{
    return (const uint32_t *)work->member.items + set * lm_set_members(kind);
}

/* ---- A data set ------------------------------------------------------------------------------ */

typedef struct lm_sets {
    lm_set_kind kind;
    uint64_t *first;    /* [graphs+1] the first set of each graph */
    uint64_t *link;     /* [graphs+1] the first entry of each graph in `neighbor` */
    uint32_t *member;   /* [sets][members] vertices of the graph, increasing */
    uint32_t *start;    /* [sets] the first neighbour of a set, counted from link[graph] */
    uint32_t *neighbor; /* sets of the graph, counted from first[graph] */
    uint8_t *joined;    /* [sets] true if the smallest and the largest vertex are adjacent */
} lm_sets;

/* Computes the sets of all graphs of the data: once to count them, once to store them. Fails with LEMAN_ERROR_BUDGET
 * if they do not fit. */
leman_status lm_sets_compute(leman_context *ctx, const leman_dataset *data, lm_set_kind kind, lm_sets *out);
void lm_sets_free(lm_sets *sets);

#endif
