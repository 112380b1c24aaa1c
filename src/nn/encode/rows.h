/*
 * The rows of a level: what a network predicts and learns a row of numbers for. A row is a graph, a vertex, or an arc
 * (edges: both arcs of an undirected edge have the same target and the same prediction). Rows are numbered as in the
 * data set; self-loops are arcs without a row. Targets, their losses, scales and errors are about rows, and a graph is
 * the special case of one row for each graph.
 */
#ifndef LM_ROWS_H
#define LM_ROWS_H

#include "base/drop.h"
#include "graph/dataset.h"
#include "leman/network.h"
#include "nn/batch.h"

typedef struct lm_row_list {
    lm_row_space space; /* of a batch: LM_GRAPHS, LM_VERTICES or LM_ARCS */
    uint32_t
        *start; /* [graphs+1] the rows of graph g are row[start[g]] .. row[start[g+1]-1], in their order in a batch */
    uint32_t *row; /* numbers of graphs, of vertices or of arcs of the data */
} lm_row_list;

/* Finds the rows of all graphs. The data must outlive them. O(graphs + rows). */
leman_status lm_row_list_new(leman_context *ctx, const leman_dataset *data, leman_level level, lm_row_list *out);
void lm_row_list_free(lm_row_list *rows);
/* Replaces the graphs of parts by their rows. Free with leman_parts_free(). */
leman_status lm_row_list_parts(leman_context *ctx, const lm_row_list *rows, const leman_parts *parts,
                               leman_parts **out);

/* Returns the space of the rows of a level in a batch, and how many rows the data has: graphs, vertices or arcs. */
lm_row_space lm_level_space(leman_level level);
size_t lm_level_rows(leman_level level, const leman_dataset *data);
/* Returns the values [rows][*columns] of the level in the data: targets, or attributes of vertices or of arcs. */
const double *lm_level_values(leman_level level, const leman_dataset *data, size_t *columns);

#endif
