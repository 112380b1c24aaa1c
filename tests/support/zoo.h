/*
 * Small random graphs of every sort, as adjacency matrices that tests can change before a data set is made of them.
 *
 * Every shape is a blown-up pattern: a small graph whose vertices are replaced by classes of vertices, each class empty
 * inside (open twins) or complete (closed twins). One class is a clique or has no edges, an edge gives stars and
 * complete bipartite graphs, a path gives paths with many leaves, classes of one vertex give plain random graphs.
 */
#ifndef TEST_ZOO_H
#define TEST_ZOO_H

#include "leman.h"

enum { ZOO_MAX = 48, ZOO_COLUMNS = 2 };

typedef struct zoo_kind {
    unsigned vertex_labels, edge_labels;   /* how many values a label takes; 0: no such column */
    unsigned vertex_columns, edge_columns; /* 1 or 2 where there are labels */
    bool directed, loops;
} zoo_kind;

typedef struct zoo_graph {
    size_t n;
    bool arc[ZOO_MAX][ZOO_MAX];
    int64_t arc_label[ZOO_MAX][ZOO_MAX][ZOO_COLUMNS];
    int64_t label[ZOO_MAX][ZOO_COLUMNS];
} zoo_graph;

/* Any kind at all. */
zoo_kind zoo_kind_random(uint64_t *state);
/* A graph of n vertices in random order: a pattern blown up, with twins if `twins`, else any pattern. */
void zoo_graph_random(uint64_t *state, const zoo_kind *kind, size_t n, bool twins, zoo_graph *out);
/* count graphs of at most n vertices: each is new, a shuffled copy of the one before, or that with one arc changed. */
void zoo_family_random(uint64_t *state, const zoo_kind *kind, size_t n, bool twins, size_t count, zoo_graph *out);

/* Turns the arc u -> v on or off; in undirected graphs the way back with it. */
void zoo_toggle(const zoo_kind *kind, zoo_graph *g, size_t u, size_t v);
/* Vertex v becomes place[v]. */
void zoo_relabel(const zoo_graph *g, const size_t *place, zoo_graph *out);
void zoo_shuffle(uint64_t *state, size_t n, size_t *place);

leman_dataset *zoo_dataset(leman_context *ctx, const zoo_kind *kind, const zoo_graph *graph, size_t count);

#endif
