/*
 * From an edge list to a data set, in two steps: lines (edge_list.c) become vertices, edges and columns of texts;
 * then (edge_columns.c) vertices get their order and columns their meaning.
 */
#ifndef LM_EDGE_LIST_H
#define LM_EDGE_LIST_H

#include "io/csv.h"
#include "io/format.h"
#include "io/intern.h"

/* A column that is neither source, target nor graph. */
typedef struct lm_edge_column {
    size_t field;
    bool label;       /* by its name; the others hold attributes if they are numbers */
    char name[32];    /* for messages */
    lm_intern texts;  /* its fields, each text once */
    lm_vector number; /* uint32_t of each edge: which of the texts */
} lm_edge_column;

typedef struct lm_edge_list {
    lm_csv csv;
    lm_raw raw;
    bool header, has_graphs;
    bool lines;                   /* keep the line of each edge, for the policy's sentences */
    size_t source, target, graph; /* fields */
    size_t fields;                /* that a line may have */
    lm_edge_column *column;       /* [LM_CSV_FIELDS], the first `columns` in use */
    size_t columns;
    lm_intern graphs, vertices;     /* a vertex's space is its graph */
    lm_vector id;                   /* int64_t of each vertex, where its id is an integer */
    bool integers;                  /* all ids are, so far */
    size_t rows, words;             /* lines of data; ids, as they stand in the lines, that are no integers */
    size_t first_line, first_words; /* of the first line of data */
} lm_edge_list;

/* Orders the vertices and names them. O(vertices + edges). */
leman_status lm_edge_list_order(lm_edge_list *list);
/* Turns texts into labels and attributes. O(edges * columns), and sorting of different words. */
leman_status lm_edge_list_type(lm_edge_list *list);

/* An id counts as an integer if it is one of 64 bits in its only canonical form: 7 and -7, but not 07, +7 or -0. */
bool lm_edge_list_integer(leman_context *ctx, const char *text, size_t length, int64_t *value);

#endif
