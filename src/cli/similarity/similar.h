/* What the commands about similar graphs share: the kernel, which depends on the data if none is named, and rows. */
#ifndef LM_CLI_SIMILAR_H
#define LM_CLI_SIMILAR_H

#include "cli/options/kernels.h"
#include "leman/neighbors.h"

/* Endings of their tables. */
extern const char *const LM_SIMILAR_ENDINGS[];

/* A data set and what identifies its graphs. */
typedef struct lm_similar {
    leman_dataset *data;
    leman_rows *rows; /* of a file of molecules; NULL: another file */
    size_t *row;      /* [graphs] the row of each graph; scratch */
    leman_kernel *kernels;
    size_t count;
} lm_similar;

/* Reads DATA of that path and makes the kernels: those of -a, otherwise that of leman_neighbors_kernel(). Fails if an
 * option has no effect on similarities. */
leman_status lm_similar_read(lm_work *work, const lm_kernel_options *asked, const char *path, lm_similar *similar);
void lm_similar_free(lm_similar *similar);
/* Returns the name of a graph, and sets *length; its SMILES, "" if there is none. */
const char *lm_similar_name(const lm_similar *similar, size_t graph, size_t *length);
const char *lm_similar_smiles(const lm_similar *similar, size_t graph);
/* Writes the separator and a text as a cell of a table, in quotes if necessary. */
void lm_similar_cell(lm_output *out, char between, const char *text, size_t length);
/* The end of such a command. With --json, fill(json, true) adds the results to the object on standard output, if they
 * have no file. A file gets the table of write() or, by its ending, the object. */
typedef void lm_similar_fill(void *state, lm_json *json, bool all);
typedef leman_status lm_similar_table(void *state, lm_output *out, char between);
leman_status lm_similar_write(lm_work *work, void *state, lm_similar_fill *fill, lm_similar_table *table);

#endif
