/* State shared by the steps of assembling: the vertices in order (assemble.c), and the arcs that are kept (edges.c). */
#ifndef LM_ASSEMBLY_H
#define LM_ASSEMBLY_H

#include "graph/dataset.h"

typedef struct lm_kept_arc {
    uint32_t tail, head;
    uint32_t label_edge, attribute_edge; /* the lines that provide the label and the attributes */
    uint32_t bundle;                     /* 1 + its number among the bundles; 0: the arc stands for one edge */
} lm_kept_arc;

/* The lines of an arc that stands for several parallel edges: bundle_line[first .. first + count - 1]. */
typedef struct lm_bundle {
    size_t first, count;
} lm_bundle;

typedef struct lm_assembly {
    leman_context *ctx;
    lm_raw *raw;
    const leman_policy *policy;
    leman_cleaning cleaning;
    size_t vertices, edges; /* in raw */
    uint32_t *place;        /* [vertices] position of raw vertex v if vertices are sorted by graph */
    uint32_t *at;           /* [vertices] raw vertex at a position: the inverse of place */
    lm_kept_arc *arcs;      /* sorted by (tail, head) */
    size_t arc_count;
    lm_vector bundle;      /* lm_bundle */
    lm_vector bundle_line; /* uint32_t */
    size_t most;           /* edges of the largest bundle; 0 if there are none */
    uint32_t *vertex_new;  /* [vertices] by position: number after removals, or LM_REMOVED */
    uint32_t *graph_new;   /* [graphs] number after removals, or LM_REMOVED */
} lm_assembly;

#define LM_REMOVED UINT32_MAX

static inline uint32_t lm_assembly_graph(const lm_assembly *a, uint32_t position)
{
    return ((const uint32_t *)a->raw->vertex_graph.items)[a->at[position]];
}

/* Returns the number of a raw vertex in its graph, counted from 1, for messages. */
static inline size_t lm_assembly_number(const lm_assembly *a, uint32_t vertex)
{
    uint32_t first = a->place[vertex], graph = lm_assembly_graph(a, first);
    while (first > 0 && lm_assembly_graph(a, first - 1) == graph) first--;
    return a->place[vertex] - first + 1u;
}

/* Applies the policy to the edges: sets arcs, and the counts of edges in cleaning. */
leman_status lm_assembly_edges(lm_assembly *a);

/* Bundles (bundles.c). lm_bundle_add() makes a bundle of the lines of a run, count[0] in its own direction and count[1]
 * in the other, which it sorts. lm_bundle_columns() sets the number of label columns of edges in the data set, and
 * lm_bundle_label() writes those of an arc. */
leman_status lm_bundle_add(lm_assembly *a, uint32_t *line[2], const size_t count[2], lm_kept_arc *arc);
leman_status lm_bundle_columns(const lm_assembly *a, size_t *columns);
void lm_bundle_label(const lm_assembly *a, const lm_kept_arc *arc, size_t columns, int64_t *to);
void lm_bundles_release(lm_assembly *a);

#endif
