/* The tables of networks computed again: what was asked for, finished runs, and how one run is computed. */
#ifndef LM_NETWORK_TABLES_H
#define LM_NETWORK_TABLES_H

#include "learn/network_runs.h"
#include "learn/published_networks.h"

enum { LM_TABLE_NOTE = 400 };

/* What is known of a cell besides its runs. */
typedef struct lm_tables_cell {
    bool asked;
    leman_status status;      /* of the run that was not finished; LEMAN_ERROR_CANCELLED: the time limit */
    char note[LM_TABLE_NOTE]; /* why there are not more runs; "": nothing to say */
} lm_tables_cell;

typedef struct lm_tables_column {
    uint64_t data_checksum;      /* of the data that it was computed on; 0: none yet */
    char missing[LM_TABLE_NOTE]; /* why there is no data; "" */
} lm_tables_column;

/* A result of a method that the tables do not have. */
typedef struct lm_tables_result {
    char set[64], method[64];
    double value, deviation, seconds;
    size_t parameters;
} lm_tables_result;

struct leman_network_tables {
    lm_allocator allocator;
    uint64_t tables; /* bits */
    size_t runs, epochs;
    double time_limit, until; /* seconds; lm_now() when they are over */
    uint64_t seed;
    int threads;
    char device[64];
    char *path;    /* the file of finished runs, or NULL */
    char *sources; /* that file and the others, with commas; NULL: none */
    bool finished_only;
    lm_vector finished; /* lm_network_run */
    lm_vector beside;   /* lm_tables_result */
    lm_tables_cell cell[LEMAN_NETWORK_TABLE_COUNT][LM_NETWORK_ROWS][LM_NETWORK_COLUMNS];
    lm_tables_column column[LEMAN_NETWORK_TABLE_COUNT][LM_NETWORK_COLUMNS];
};

/* The limit of epochs of a cell: as asked for, or as published; 0 where there is none. */
size_t lm_network_tables_limit(const leman_network_tables *tables, leman_network_table table, size_t row,
                               size_t column);
/* One run on the data, which was read from path (network_tables_run.c): run->table, row, column, run, seed and limit
 * say which. kept: a file for its state, which it goes on from, or NULL. */
leman_status lm_network_tables_compute(leman_context *ctx, const leman_dataset *data, const char *path,
                                       const char *kept, lm_network_run *run);

/* Is a column part of what was asked for? */
bool lm_network_tables_asks(const leman_network_tables *tables, leman_network_table table, size_t column);

/* Errors against seconds and parameters of every set that has some results (network_tables_cost.c). */
struct lm_sheet;
leman_status lm_network_tables_cost(leman_context *ctx, struct lm_sheet *sheet, const leman_network_tables *tables,
                                    leman_network_table table);

#endif
