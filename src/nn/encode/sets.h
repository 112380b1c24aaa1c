/*
 * Sets of vertices, the rows of set networks (k-GNN of Morris et al., AAAI 2019):
 *
 *   pairs    all 2-sets {u, v}
 *   triples  the 3-sets that induce a connected graph, that is contain a path of length two
 *
 * in lexicographic order of their increasing vertices. Two sets are neighbours where one becomes the other by replacing
 * one vertex u by a neighbour w of u that is not in the set; the result must be a set of the kind. So the relation is
 * symmetric, and no neighbour is found twice. Of directed graphs the arcs count both ways; self-loops do not count.
 *
 * Found once for a data set: O(sets * degree) for pairs, with a logarithm of the sets for triples; 4 bytes for each
 * vertex of a set, each neighbour and each set.
 */
#ifndef LM_SETS_H
#define LM_SETS_H

#include "base/context.h"

typedef enum lm_set_kind { LM_SETS_NONE, LM_SETS_PAIRS, LM_SETS_TRIPLES, LM_SET_KINDS } lm_set_kind;

enum { LM_SET_MEMBERS = 3 }; /* at most */

/* Vertices of a set. */
static inline size_t lm_set_members(lm_set_kind kind)
{
    return kind == LM_SETS_PAIRS ? 2 : kind == LM_SETS_TRIPLES ? 3 : 0;
}

/* ---- One graph ------------------------------------------------------------------------------- */

/* Work space that grows; zero-initialise but for ctx. */
typedef struct lm_set_work {
    leman_context *ctx;
    lm_vector arc_start, head;         /* uint32_t: neighbours of each vertex, increasing */
    lm_vector key, spare;              /* uint64_t: triples as numbers, increasing */
    lm_vector member, start, neighbor; /* uint32_t: see below */
    size_t vertices, sets, links;      /* of the last graph */
} lm_set_work;

void lm_set_work_free(lm_set_work *work);
/* Its sets: member[sets][members]. LEMAN_ERROR_BUDGET where there are too many. */
leman_status lm_sets_find(lm_set_work *work, lm_set_kind kind, const leman_graph *graph);
/* Then their neighbours: start[sets+1] and neighbor[links], numbers of sets. */
leman_status lm_sets_link(lm_set_work *work, lm_set_kind kind);
/* Is there an edge between two vertices of the last graph? */
bool lm_sets_adjacent(const lm_set_work *work, uint32_t u, uint32_t v);

static inline const uint32_t *lm_set_at(const lm_set_work *work, lm_set_kind kind, size_t set)
{
    return (const uint32_t *)work->member.items + set * lm_set_members(kind);
}

/* ---- A data set ------------------------------------------------------------------------------ */

typedef struct lm_sets {
    leman_context *ctx;
    lm_set_kind kind;
    uint64_t *first;    /* [graphs+1] the first set of each graph */
    uint64_t *link;     /* [graphs+1] its first entry in `neighbor` */
    uint32_t *member;   /* [sets][members] vertices of the graph, increasing */
    uint32_t *start;    /* [sets] the first neighbour of a set, counted from link[graph] */
    uint32_t *neighbor; /* sets of the graph, counted from first[graph] */
    uint8_t *joined;    /* [sets] are its smallest and its largest vertex adjacent? */
} lm_sets;

/* LEMAN_ERROR_BUDGET, before anything is kept, where they do not fit. */
leman_status lm_sets_compute(leman_context *ctx, const leman_dataset *data, lm_set_kind kind, lm_sets *out);
void lm_sets_free(lm_sets *sets);

#endif
