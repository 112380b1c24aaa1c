/*
 * The TU text format: NAME_A.txt, NAME_graph_indicator.txt and up to six optional files. The optional files are tables
 * of numbers with a line for each graph, vertex or line of NAME_A.txt. Reader and writer use the same list of tables.
 */
#ifndef LM_TU_H
#define LM_TU_H

#include "base/text.h"
#include "io/archive/archive.h"
#include "io/format.h"

#define LM_TU_EDGES "_A.txt"
#define LM_TU_INDICATOR "_graph_indicator.txt"
/* Two files of our own, which other programs ignore: the name of target i on line i, which may be empty; "class, name"
 * on each line. A name is the rest of its line without the blanks at both ends. */
#define LM_TU_TARGET_NAMES "_target_names.txt"
#define LM_TU_CLASS_NAMES "_class_names.txt"

typedef enum lm_tu_rows { LM_TU_GRAPHS, LM_TU_VERTICES, LM_TU_ARCS } lm_tu_rows;

typedef struct lm_tu_table {
    const char *ending; /* end of the file name: "_node_labels.txt" */
    const char *number; /* a number of the table in messages: "a vertex label (an integer)" */
    lm_tu_rows rows;    /* a line belongs to a graph, a vertex or an arc */
    bool real;          /* double, otherwise int64_t */
    size_t columns;     /* offsetof the number of columns in leman_columns; LM_TU_CLASSES: one column, `classes` */
    size_t raw;         /* offsetof the lm_vector in lm_raw */
    size_t array;       /* offsetof the pointer in leman_dataset */
} lm_tu_table;

enum { LM_TU_TABLES = 6 };
extern const lm_tu_table lm_tu_tables[LM_TU_TABLES];
#define LM_TU_CLASSES SIZE_MAX

/* Returns the number of columns of the table. */
size_t lm_tu_columns(const lm_tu_table *table, const leman_columns *columns);

/* Returns the largest graph number that a file with this many vertices may use. Numbers that are not used become empty
 * graphs, and one wrong number must not create a billion of them. */
size_t lm_tu_graph_limit(size_t vertices);

/* The folder is written under a temporary name beside the path and then renamed. */
lm_folder_writer lm_tu_write;
lm_format_writer lm_tu_zip_write;
/* Reads a TU data set from a folder or a zip, opened as an archive. Time O(bytes). */
leman_status lm_tu_read_archive(leman_context *ctx, lm_archive *archive, const leman_read_options *options,
                                leman_cleaning *cleaning, leman_dataset **out);

#endif
