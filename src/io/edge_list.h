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
    bool header_word, smiles;       /* a field is a word that headers have */
    bool word[LM_FIRST_COLUMNS];    /* its fields that are no numbers */
    bool numbers[LM_FIRST_COLUMNS]; /* below it there are numbers, words */
    bool words[LM_FIRST_COLUMNS];
    uint32_t vertex[2]; /* source and target */
    bool again[2];      /* an edge below has them */
} lm_first_line;

typedef struct lm_edge_list {
    lm_csv csv;
    lm_raw raw;
    bool header, has_graphs;
    bool lines;                   /* keep the line of each edge, for the policy's sentences */
    size_t source, target, graph; /* fields */
    size_t fields;                /* that a line may have */
    lm_edge_column *column;       /* [LM_CSV_FIELDS], the first `columns` in use */
    size_t columns;
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

/* Orders the vertices and names them. O(vertices + edges). */
leman_status lm_edge_list_order(lm_edge_list *list);
/* Turns texts into labels and attributes. O(edges * columns), and sorting of different words. */
leman_status lm_edge_list_type(lm_edge_list *list);

/* An id counts as an integer if it is one of 64 bits in its only canonical form: 7 and -7, but not 07, +7 or -0. */
bool lm_edge_list_integer(leman_context *ctx, const char *text, size_t length, int64_t *value);
/* The same of a field, which is a name where it is quoted. */
bool lm_edge_list_is_id(leman_context *ctx, const lm_field *field, int64_t *value);

#endif
