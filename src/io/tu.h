/*
 * The TU text format: NAME_A.txt and NAME_graph_indicator.txt, and up to six optional files, which are all tables of
 * numbers with a line for each graph, vertex or line of NAME_A.txt. Reader and writer walk over the same list of them.
 */
#ifndef LM_TU_H
#define LM_TU_H

#include "base/text.h"
#include "graph/dataset.h"
#include "io/archive/archive.h"

#define LM_TU_EDGES "_A.txt"
#define LM_TU_INDICATOR "_graph_indicator.txt"
/* Ours, which other programs pass over: the name of target i on line i; "class, name" on each line. */
#define LM_TU_TARGET_NAMES "_target_names.txt"
#define LM_TU_CLASS_NAMES "_class_names.txt"

typedef enum lm_tu_rows { LM_TU_GRAPHS, LM_TU_VERTICES, LM_TU_ARCS } lm_tu_rows;

typedef struct lm_tu_table {
    const char *ending; /* "_node_labels.txt" */
    const char *number; /* what stands in it, for messages: "a vertex label (an integer)" */
    lm_tu_rows rows;    /* what a line belongs to */
    bool real;          /* double, else int64_t */
    size_t columns;     /* offsetof the number of columns in leman_columns; LM_TU_CLASSES: one column, `classes` */
    size_t raw;         /* offsetof the lm_vector in lm_raw */
    size_t array;       /* offsetof the pointer in leman_dataset */
} lm_tu_table;

enum { LM_TU_TABLES = 6 };
extern const lm_tu_table lm_tu_tables[LM_TU_TABLES];
#define LM_TU_CLASSES SIZE_MAX

/* How many columns of this table there are. */
size_t lm_tu_columns(const lm_tu_table *table, const leman_columns *columns);

/* The largest graph number that a file with so many vertices may use: gaps are empty graphs, and a single wrong number
 * must not become a billion of them. */
size_t lm_tu_graph_limit(size_t vertices);

/* The names of targets and classes, into raw, whose columns are known: from the text of one file. */
leman_status lm_tu_read_target_names(lm_text *text, lm_raw *raw);
leman_status lm_tu_read_class_names(lm_text *text, lm_raw *raw);

/* The reader over any archive. */
leman_status lm_tu_read_archive(leman_context *ctx, lm_archive *archive, const leman_read_options *options,
                                leman_cleaning *cleaning, leman_dataset **out);

#endif
