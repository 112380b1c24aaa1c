/*
 * Small random graphs of every sort, as adjacency matrices that tests can change before a data set is made of them.
 *
 * Every shape is a blown-up pattern: a small graph whose vertices are replaced by classes of vertices, each class empty
 * inside (open twins) or complete (closed twins). One class is a clique or has no edges, an edge gives stars and
 * complete bipartite graphs, a path gives paths with many leaves, classes of one vertex give plain random graphs.
 */
#ifndef TEST_RANDOM_GRAPHS_H
#define TEST_RANDOM_GRAPHS_H

#include "leman.h"

enum { RANDOM_GRAPH_MAX = 48, RANDOM_GRAPH_COLUMNS = 2 };

typedef struct random_graph_kind {
    unsigned vertex_labels, edge_labels;   /* how many values a label takes; 0: no such column */
    unsigned vertex_columns, edge_columns; /* 1 or 2 where there are labels */
    bool directed, loops;
} random_graph_kind;

typedef struct random_graph {
    size_t n;
    bool arc[RANDOM_GRAPH_MAX][RANDOM_GRAPH_MAX];
    int64_t arc_label[RANDOM_GRAPH_MAX][RANDOM_GRAPH_MAX][RANDOM_GRAPH_COLUMNS];
    int64_t label[RANDOM_GRAPH_MAX][RANDOM_GRAPH_COLUMNS];
} random_graph;

/* Any kind at all. */
random_graph_kind random_graph_kind_draw(uint64_t *state);
/* A graph of n vertices in random order: a pattern blown up, with twins if `twins`, else any pattern. */
void random_graph_draw(uint64_t *state, const random_graph_kind *kind, size_t n, bool twins, random_graph *out);
/* count graphs of at most n vertices: each is new, a shuffled copy of the one before, or that with one arc changed. */
void random_graph_draw_family(uint64_t *state, const random_graph_kind *kind, size_t n, bool twins, size_t count,
                              random_graph *out);

/* Turns the arc u -> v on or off; in undirected graphs the way back with it. */
void random_graph_toggle(const random_graph_kind *kind, random_graph *g, size_t u, size_t v);
/* Vertex v becomes place[v]. */
void random_graph_relabel(const random_graph *g, const size_t *place, random_graph *out);
void random_graph_shuffle(uint64_t *state, size_t n, size_t *place);

leman_dataset *random_graph_dataset(leman_context *ctx, const random_graph_kind *kind, const random_graph *graph,
                                    size_t count);

#endif
