/*
 * Reads an edge list as a data set, in two steps. First (edge_list.c), lines become vertices, edges and columns of
 * texts. Then (edge_columns.c), vertices are ordered and the texts of the columns become labels or attributes.
 */
#ifndef LM_EDGE_LIST_H
#define LM_EDGE_LIST_H

#include "io/csv.h"
#include "io/format.h"
#include "io/intern.h"

/* A column that is neither source, target nor graph. */
typedef struct lm_edge_column {
    size_t field;
    bool label;       /* the header calls it a label; other columns become attributes if they hold numbers */
    char name[32];    /* for messages */
    lm_intern texts;  /* the different texts of the column */
    lm_vector number; /* uint32_t for each edge: the number of its text in `texts` */
} lm_edge_column;

/* What is known about the first line of a file without a header, and about the lines below it, to tell whether the
 * first line is an edge. Only the columns source, target and label are compared. */
enum { LM_FIRST_COLUMNS = 3 };
typedef struct lm_first_line {
    size_t line;                    /* 0: not read yet */
    char columns[192];              /* the fields of the first line, for error messages */
    bool header_word;               /* a field of the first line is a word that is usual in headers */
    bool word[LM_FIRST_COLUMNS];    /* the field of the first line is not a number */
    bool numbers[LM_FIRST_COLUMNS]; /* a line below has a number (words: a word) in this column */
    bool words[LM_FIRST_COLUMNS];
    uint32_t vertex[2]; /* source and target of the first line */
    bool again[2];      /* an edge below also has this vertex */
} lm_first_line;

/* Labels of vertices (edge_vertices.c). */
enum { LM_VERTEX_LABELS = 16 };
typedef struct lm_vertex_labels {
    size_t columns;
    size_t source[LM_VERTEX_LABELS], target[LM_VERTEX_LABELS]; /* field of each label column, plus 1; 0: none */
    lm_intern texts[LM_VERTEX_LABELS];
    lm_vector number; /* uint32_t for each vertex and column: the number of its text in `texts`, plus 1; 0: none */
} lm_vertex_labels;

typedef struct lm_edge_list {
    lm_csv csv;
    lm_raw raw;
    bool header, has_graphs;
    bool lines;                   /* store the line of each edge, for error messages of the policy */
    size_t source, target, graph; /* numbers of these fields */
    size_t fields;                /* the most fields that a line may have */
    lm_edge_column *column;       /* [LM_CSV_FIELDS]; the first `columns` are in use */
    size_t columns;
    lm_vertex_labels labels;
    lm_intern graphs, vertices; /* ids as numbered texts; the space of a vertex is its graph */
    lm_vector id;               /* int64_t for each vertex: its id if that is an integer, otherwise 0 */
    bool integers;              /* all ids that were read are integers */
    size_t rows;                /* number of data lines that were read */
    lm_first_line first;        /* used if the file has no header */
} lm_edge_list;

lm_format_writer lm_edge_list_write;
/* Returns true if the current line is a header, that is, names a source and a target column. If both names are single
 * letters, another header word or a line of integer ids below is needed as well. */
bool lm_edge_list_is_header(const lm_csv *csv);
/* Assigns a meaning to every column of the header, which is the current line. Fails with LEMAN_ERROR_INPUT if source,
 * target or graph is named twice. */
leman_status lm_edge_list_read_header(lm_edge_list *list);
/* Adds a column of labels or attributes; `name` is truncated to the size of lm_edge_column.name. */
void lm_edge_list_add_column(lm_edge_list *list, size_t field, bool label, const char *name, size_t length);
/* Only for files without a header: records in list->first what the current line looks like. */
void lm_edge_list_note_line(lm_edge_list *list);
/* After the last line: fails with LEMAN_ERROR_INPUT if the file has no header and its first line does not look like an
 * edge. */
leman_status lm_edge_list_check_first(const lm_edge_list *list);
/* Always fails with LEMAN_ERROR_INPUT; the message shows the first line and says what was expected. */
leman_status lm_edge_list_refuse_first(const lm_edge_list *list);

/* Finds the graph of the current line, or adds the graph if it is new. Without a graph column all lines belong to graph
 * 0. Fails with LEMAN_ERROR_INPUT if the graph field is empty. */
leman_status lm_edge_list_find_graph(lm_edge_list *list, uint32_t *graph);
/* Finds the vertex that field i of the current line names in this graph, or adds the vertex if it is new. */
leman_status lm_edge_list_find_vertex(lm_edge_list *list, uint32_t graph, size_t i, uint32_t *vertex);

/* Returns true if `field`, which is field i of the header, names a column of vertex labels, and records that column. */
bool lm_vertex_labels_field(lm_vertex_labels *labels, const lm_field *field, size_t i);
/* Sets the labels of the vertex from field fields[c] - 1 of the current line, for every label column c that has one;
 * empty fields are skipped.
 * Fails with LEMAN_ERROR_INPUT if the vertex already has another label. */
leman_status lm_vertex_labels_set(lm_edge_list *list, uint32_t vertex, const size_t *fields);
/* Reads the labels of all vertices from a second file of at most max_bytes bytes. Fails with LEMAN_ERROR_INPUT if the
 * edge list itself has columns of vertex labels. Vertices that only the second file names are added without edges. */
leman_status lm_vertex_labels_read(lm_edge_list *list, const char *path, uint64_t max_bytes);
/* Writes the vertex labels to list->raw, where of[v] is the old number of vertex v. Integers are kept; if a column has
 * other words, its words are numbered in the order of their bytes. Fails with LEMAN_ERROR_INPUT if a vertex has no
 * label. */
leman_status lm_vertex_labels_type(lm_edge_list *list, const uint32_t *of);
void lm_vertex_labels_free(lm_vertex_labels *labels);

/* Orders the vertices and writes their names, their labels and the names of the graphs to list->raw.
 * O(vertices + edges). */
leman_status lm_edge_list_order(lm_edge_list *list);
/* Turns the texts of the columns into edge labels and edge attributes of list->raw. O(edges * columns), plus the time
 * to sort the different words. */
leman_status lm_edge_list_type(lm_edge_list *list);

/* Returns true, and the value, if the text is a 64-bit integer in canonical form: 7 and -7, but not 07, +7 or -0. */
bool lm_edge_list_integer(leman_context *ctx, const char *text, size_t length, int64_t *value);
/* Like lm_edge_list_integer() for a field. A quoted field is a name and never an integer. */
bool lm_edge_list_is_id(leman_context *ctx, const lm_field *field, int64_t *value);

#endif
