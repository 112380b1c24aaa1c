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

/* The first line of a file without a header, compared with those below: source, target, label. */
enum { LM_FIRST_COLUMNS = 3 };
typedef struct lm_first_line {
    size_t line;                    /* 0: not read yet */
    char columns[192];              /* its fields, for messages */
    bool header_word;               /* a field is a word that headers have */
    bool word[LM_FIRST_COLUMNS];    /* its fields that are no numbers */
    bool numbers[LM_FIRST_COLUMNS]; /* below it there are numbers, words */
    bool words[LM_FIRST_COLUMNS];
    uint32_t vertex[2]; /* source and target */
    bool again[2];      /* an edge below has them */
} lm_first_line;

/* Labels of vertices (edge_vertices.c). */
enum { LM_VERTEX_LABELS = 16 };
typedef struct lm_vertex_labels {
    size_t columns;
    size_t source[LM_VERTEX_LABELS], target[LM_VERTEX_LABELS]; /* fields of each column; SIZE_MAX: none */
    lm_intern texts[LM_VERTEX_LABELS];
    lm_vector number; /* uint32_t of each vertex and column: which of the texts */
} lm_vertex_labels;

typedef struct lm_edge_list {
    lm_csv csv;
    lm_raw raw;
    bool header, has_graphs;
    bool lines;                   /* keep the line of each edge, for the policy's sentences */
    size_t source, target, graph; /* fields */
    size_t fields;                /* that a line may have */
    lm_edge_column *column;       /* [LM_CSV_FIELDS], the first `columns` in use */
    size_t columns;
    lm_vertex_labels labels;
    lm_intern graphs, vertices; /* a vertex's space is its graph */
    lm_vector id;               /* int64_t of each vertex, where its id is an integer */
    bool integers;              /* all ids are, so far */
    size_t rows;                /* lines of data */
    lm_first_line first;        /* of files without a header */
} lm_edge_list;

/* edge_header.c: does the line that was read name a source and a target? Then what its columns are. */
bool lm_edge_list_is_header(const lm_csv *csv);
leman_status lm_edge_list_read_header(lm_edge_list *list);
void lm_edge_list_add_column(lm_edge_list *list, size_t field, bool label, const char *name, size_t length);
/* Of a file without a header: keeps what the line that was read looks like; at the end, is the first line like the
 * others? If not, or at once, the sentence. */
void lm_edge_list_note_line(lm_edge_list *list);
leman_status lm_edge_list_check_first(const lm_edge_list *list);
leman_status lm_edge_list_refuse_first(const lm_edge_list *list);

/* The graph of the line that was read, and the vertex that its field i names in a graph; made if they are new. */
leman_status lm_edge_list_find_graph(lm_edge_list *list, uint32_t *graph);
leman_status lm_edge_list_find_vertex(lm_edge_list *list, uint32_t graph, size_t i, uint32_t *vertex);

void lm_vertex_labels_begin(lm_vertex_labels *labels);
/* Does field i of the header name a column of vertex labels? */
bool lm_vertex_labels_field(lm_vertex_labels *labels, const lm_field *field, size_t i);
/* The labels of a vertex out of the line that was read, where these fields have some. */
leman_status lm_vertex_labels_set(lm_edge_list *list, uint32_t vertex, const size_t *fields);
/* All labels out of a second file. */
leman_status lm_vertex_labels_read(lm_edge_list *list, const char *path, uint64_t max_bytes);
/* The labels of the vertices of[0..count) into raw. */
leman_status lm_vertex_labels_type(lm_edge_list *list, const uint32_t *of);
void lm_vertex_labels_free(leman_context *ctx, lm_vertex_labels *labels);

/* Orders the vertices and names them. O(vertices + edges). */
leman_status lm_edge_list_order(lm_edge_list *list);
/* Turns texts into labels and attributes. O(edges * columns), and sorting of different words. */
leman_status lm_edge_list_type(lm_edge_list *list);

/* An id counts as an integer if it is one of 64 bits in its only canonical form: 7 and -7, but not 07, +7 or -0. */
bool lm_edge_list_integer(leman_context *ctx, const char *text, size_t length, int64_t *value);
/* The same of a field, which is a name where it is quoted. */
bool lm_edge_list_is_id(leman_context *ctx, const lm_field *field, int64_t *value);

#endif
