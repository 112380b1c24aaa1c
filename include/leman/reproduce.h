/*
 * leman/reproduce.h - the published tables of kernels and networks: as data, and computed again.
 *
 * The tables are those of Morris, Rattan and Mutzel, "Weisfeiler and Leman go sparse" (NeurIPS 2020): twelve kernels on
 * eight data sets. docs/reproduction.md has ours beside them.
 */
#ifndef LEMAN_REPRODUCE_H
#define LEMAN_REPRODUCE_H

#include "leman/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The published tables -------------------------------------------------------------------- */

/* Rows and columns in the order of the published tables. */
typedef enum leman_paper_method {
    LEMAN_PAPER_METHOD_GR,
    LEMAN_PAPER_METHOD_SP,
    LEMAN_PAPER_METHOD_WL1,
    LEMAN_PAPER_METHOD_WLOA,
    LEMAN_PAPER_METHOD_WL2,
    LEMAN_PAPER_METHOD_WL3,
    LEMAN_PAPER_METHOD_DWL2,
    LEMAN_PAPER_METHOD_DWL3,
    LEMAN_PAPER_METHOD_LWL2,
    LEMAN_PAPER_METHOD_LWLP2,
    LEMAN_PAPER_METHOD_LWL3,
    LEMAN_PAPER_METHOD_LWLP3
} leman_paper_method;
#define LEMAN_PAPER_METHOD_COUNT 12

typedef enum leman_paper_set {
    LEMAN_PAPER_SET_ENZYMES,
    LEMAN_PAPER_SET_IMDB_BINARY,
    LEMAN_PAPER_SET_IMDB_MULTI,
    LEMAN_PAPER_SET_NCI1,
    LEMAN_PAPER_SET_NCI109,
    LEMAN_PAPER_SET_PTC_FM,
    LEMAN_PAPER_SET_PROTEINS,
    LEMAN_PAPER_SET_REDDIT_BINARY
} leman_paper_set;
#define LEMAN_PAPER_SET_COUNT 8

typedef enum leman_paper_table {
    LEMAN_PAPER_TABLE_KERNELS,    /* test accuracies */
    LEMAN_PAPER_TABLE_TIMES,      /* seconds of Gram matrices, and their ratios */
    LEMAN_PAPER_TABLE_OVERFITTING /* training against test accuracies */
} leman_paper_table;
#define LEMAN_PAPER_TABLE_COUNT 3

typedef enum leman_paper_quantity {
    LEMAN_PAPER_QUANTITY_TEST,    /* test accuracy in percent, deviation over ten repetitions */
    LEMAN_PAPER_QUANTITY_TRAIN,   /* training accuracy in percent, of the methods and sets that have one */
    LEMAN_PAPER_QUANTITY_SECONDS, /* of a Gram matrix, five rounds, one core */
    LEMAN_PAPER_QUANTITY_RATIO    /* seconds over those of delta-2-LWL */
} leman_paper_quantity;
#define LEMAN_PAPER_QUANTITY_COUNT 4

/* What a cell of a table has. */
typedef enum leman_cell_state {
    LEMAN_CELL_STATE_EMPTY,  /* nothing: not published, or not computed */
    LEMAN_CELL_STATE_NUMBER, /* a number */
    LEMAN_CELL_STATE_MEMORY, /* out of memory: beyond the memory budget */
    LEMAN_CELL_STATE_TIME,   /* out of time: beyond the time limit; published: one day */
    LEMAN_CELL_STATE_BELOW   /* published only: less than the number */
} leman_cell_state;
#define LEMAN_CELL_STATE_COUNT 5

/* "delta-2-LWL+", "ENZYMES", "kernels", "test", "number"; "unknown" for other values. */
LEMAN_API const char *leman_paper_method_name(leman_paper_method method);
LEMAN_API const char *leman_paper_set_name(leman_paper_set set);
LEMAN_API const char *leman_paper_table_name(leman_paper_table table);
LEMAN_API const char *leman_paper_quantity_name(leman_paper_quantity quantity);
LEMAN_API const char *leman_cell_state_name(leman_cell_state state);
/* The share of the largest class of a set in percent: what predicting it always scores. NAN for other values. */
LEMAN_API double leman_paper_set_majority(leman_paper_set set);
/* The same names; methods under every name that leman_kernel_parse() knows: "δ-2-LWL+", "LWLP2", "local:2". */
LEMAN_API leman_status leman_paper_method_parse(leman_context *ctx, const char *text, leman_paper_method *method);
LEMAN_API leman_status leman_paper_set_parse(leman_context *ctx, const char *text, leman_paper_set *set);
LEMAN_API leman_status leman_paper_table_parse(leman_context *ctx, const char *text, leman_paper_table *table);
LEMAN_API leman_status leman_paper_quantity_parse(leman_context *ctx, const char *text, leman_paper_quantity *quantity);
LEMAN_API leman_status leman_cell_state_parse(leman_context *ctx, const char *text, leman_cell_state *state);
/* "δ-2-LWL+" for pages; "LWLP2", which leman_kernel_parse() knows. */
LEMAN_API const char *leman_paper_method_title(leman_paper_method method);
LEMAN_API const char *leman_paper_method_kernel(leman_paper_method method);
/* One sentence on why the published results of a method are not those of its definition; NULL: they are. */
LEMAN_API const char *leman_paper_method_remark(leman_paper_method method);

/* A published result, as printed. */
typedef struct leman_published_value {
    leman_cell_state state;
    bool misprint; /* what is printed can hardly be meant */
    bool has_deviation;
    double value, deviation;
} leman_published_value;
/* Empty where the tables have nothing, or an argument is out of range. */
LEMAN_API leman_published_value leman_published(leman_paper_quantity quantity, leman_paper_method method,
                                                leman_paper_set set);

/* ---- The tables computed again --------------------------------------------------------------- */

/*
 * One result of ours. Accuracies: leman_evaluate() with LEMAN_SVM_KERNEL, ten folds and no edge
 * labels. Seconds: processor time of the normalised Gram matrix with five rounds on one thread, the least of up to five
 * runs.
 */
typedef struct leman_cell {
    leman_paper_quantity quantity; /* TEST, with the training accuracy too; or SECONDS */
    leman_paper_method method;
    leman_paper_set set;
    leman_cell_state state;
    uint64_t repetitions, seed;
    uint64_t data_checksum;
    double memory, time_limit; /* bytes and seconds that it may take; no time limit: 0 */
    double test_mean, test_std, test_std_folds, train_mean;
    double seconds_features, seconds_svm; /* SECONDS: of the Gram matrix, and 0 */
    char note[400];                       /* why there is no number; "": nothing to say */
} leman_cell;

typedef struct leman_reproduction_options {
    size_t size;                    /* leman_reproduction_options_init() sets it */
    uint64_t tables, methods, sets; /* bits 1 << leman_paper_table and so on; 0: KERNELS, all methods, all sets */
    uint64_t repetitions;           /* of the cross-validation: 10 */
    double time_limit;              /* seconds that a cell may take; 0: no limit */
    const char *cells;  /* a file that keeps finished cells; an interrupted run goes on from it. NULL: none */
    bool finished_only; /* show what that file has, whatever its data, seed and repetitions; compute nothing */
} leman_reproduction_options;

LEMAN_API void leman_reproduction_options_init(leman_reproduction_options *options, size_t size);
static inline leman_reproduction_options leman_reproduction_options_default(void)
{
    leman_reproduction_options options;
    leman_reproduction_options_init(&options, sizeof options);
    return options;
}

typedef struct leman_reproduction leman_reproduction;

/* Tables without results of ours, or with those of the file for finished_only. Seed and threads are the context's.
 * options NULL: the default. Free with leman_reproduction_free(), which closes the file. */
LEMAN_API leman_status leman_reproduction_new(leman_context *ctx, const leman_reproduction_options *options,
                                              leman_reproduction **out);
LEMAN_API void leman_reproduction_free(leman_reproduction *reproduction);

/* Is it a cell of the tables of the options? TEST and TRAIN are one cell, SECONDS and RATIO another. */
LEMAN_API bool leman_reproduction_has(const leman_reproduction *reproduction, leman_paper_quantity quantity,
                                      leman_paper_method method, leman_paper_set set);
/* Takes a cell from the file of finished cells, or computes it on the data and adds it there. A kernel that is beyond
 * the memory budget or the time limit is a result too. *computed, which may be NULL: it was computed. */
LEMAN_API leman_status leman_reproduction_run(leman_context *ctx, leman_reproduction *reproduction,
                                              leman_paper_quantity quantity, leman_paper_method method,
                                              leman_paper_set set, const leman_dataset *data, bool *computed);
/* There is no data for a set: the page says why. */
LEMAN_API leman_status leman_reproduction_set_missing(leman_context *ctx, leman_reproduction *reproduction,
                                                      leman_paper_set set, const char *why);
/* That sentence; "" where there is none. */
LEMAN_API const char *leman_reproduction_missing(const leman_reproduction *reproduction, leman_paper_set set);

/* The cell behind a quantity; NULL where an argument is NULL or out of range. */
LEMAN_API const leman_cell *leman_reproduction_cell(const leman_reproduction *reproduction,
                                                    leman_paper_quantity quantity, leman_paper_method method,
                                                    leman_paper_set set);
/* Our result, NAN where there is none. */
LEMAN_API double leman_reproduction_value(const leman_reproduction *reproduction, leman_paper_quantity quantity,
                                          leman_paper_method method, leman_paper_set set);
/* TEST and TRAIN: ours less the published one. SECONDS and RATIO: the published one over ours. NAN where one of them
 * is no number, or the published number is a misprint. */
LEMAN_API double leman_reproduction_difference(const leman_reproduction *reproduction, leman_paper_quantity quantity,
                                               leman_paper_method method, leman_paper_set set);
/* The checksum of the data behind the cells of a set; 0: there are none. *several: they do not all have the same. */
LEMAN_API uint64_t leman_reproduction_checksum(const leman_reproduction *reproduction, leman_paper_set set,
                                               bool *several);

/* Writes the tables: path ends in .html (with charts; one file that needs neither network nor scripts), in .md, or is
 * "-": Markdown on standard output. The file appears whole or not at all. command, which may be NULL, is the
 * command line that writes it again. */
LEMAN_API leman_status leman_reproduction_write(leman_context *ctx, const leman_reproduction *reproduction,
                                                const char *command, const char *path);

/* ---- The tables of networks ------------------------------------------------------------------ */

typedef enum leman_network_table {
    LEMAN_NETWORK_TABLE_ZINC,      /* test errors on ZINC */
    LEMAN_NETWORK_TABLE_QM9,       /* standardised test errors on QM9 */
    LEMAN_NETWORK_TABLE_ALCHEMY,   /* the same on Alchemy, and their logarithms */
    LEMAN_NETWORK_TABLE_TU,        /* test accuracies of GIN-0 and GIN-eps on the sets of the kernels */
    LEMAN_NETWORK_TABLE_MID_SCALE, /* test accuracies of linear SVMs and GINE on larger sets, seconds of features */
    LEMAN_NETWORK_TABLE_TIMES      /* seconds of an epoch over those of delta-2-LGNN */
} leman_network_table;
#define LEMAN_NETWORK_TABLE_COUNT 6
/* "zinc", "qm9", "alchemy", "tu-networks", "mid-scale", "network-times". */
LEMAN_API const char *leman_network_table_name(leman_network_table table);
LEMAN_API leman_status leman_network_table_parse(leman_context *ctx, const char *text, leman_network_table *table);

/* Rows, columns and quantities of a table, in the order of the published one. */
typedef struct leman_network_table_shape {
    const char *title;
    size_t rows, columns, quantities; /* quantities: 1 or 2 numbers in every cell */
    const char *const *method;        /* [rows] "delta-2-LGNN", "1-WL" */
    const char *const *set;           /* [columns] "ZINC_10k"; every name stands for one set in all tables */
    const char *const *quantity;      /* [quantities] "MAE" */
} leman_network_table_shape;
/* NULL for other values. */
LEMAN_API const leman_network_table_shape *leman_network_table_describe(leman_network_table table);
/* Empty where the table has nothing, or an argument is out of range. */
LEMAN_API leman_published_value leman_network_published(leman_network_table table, size_t quantity, size_t row,
                                                        size_t column);
/* The name of the file or folder that a set is in ("ZINC_full" for ZINC_50k), NULL for names that are in no table. */
LEMAN_API const char *leman_network_set_file(const char *set);

typedef struct leman_network_tables_options {
    size_t size;                /* leman_network_tables_options_init() sets it */
    uint64_t tables;            /* bits 1 << leman_network_table; 0: all */
    const char *methods, *sets; /* names with commas between them; NULL: all. Networks under every name of theirs */
    size_t runs;                /* of every cell, each from another random start; of folds their repetitions: 5 */
    size_t epochs;              /* at most; 0: as published */
    double time_limit;          /* seconds from now on for all runs; later calls go on. 0: no limit */
    const char *cells;  /* a file that keeps finished runs; beside it lie the checkpoints of others. NULL: none */
    bool finished_only; /* show what that file and the others have, whatever their data and seed; compute nothing */
    const char *const *others; /* [others_count] more files of finished runs, those of other machines: only read */
    size_t others_count;
} leman_network_tables_options;

LEMAN_API void leman_network_tables_options_init(leman_network_tables_options *options, size_t size);
static inline leman_network_tables_options leman_network_tables_options_default(void)
{
    leman_network_tables_options options;
    leman_network_tables_options_init(&options, sizeof options);
    return options;
}

typedef struct leman_network_tables leman_network_tables;

/* Tables without results of ours, or with those of the file for finished_only. options NULL: the default. Free with
 * leman_network_tables_free(). */
LEMAN_API leman_status leman_network_tables_new(leman_context *ctx, const leman_network_tables_options *options,
                                                leman_network_tables **out);
LEMAN_API void leman_network_tables_free(leman_network_tables *tables);

/* Is it a cell of what the options ask for? */
LEMAN_API bool leman_network_tables_has(const leman_network_tables *tables, leman_network_table table, size_t row,
                                        size_t column);
/* All runs of a cell: those that the file of finished runs has, and the others computed on the data, which was read
 * from path (a folder or a zip, that also has the lists of the parts). A run that is beyond the time limit or the
 * memory budget ends the cell with a note. *computed, which may be NULL: runs that were computed. */
LEMAN_API leman_status leman_network_tables_run(leman_context *ctx, leman_network_tables *tables,
                                                leman_network_table table, size_t row, size_t column,
                                                const leman_dataset *data, const char *path, size_t *computed);
/* How the last run of a cell ended: LEMAN_OK where it was finished or there was none, LEMAN_ERROR_CANCELLED at the time
 * limit, otherwise the failure whose sentence is the note of the cell. LEMAN_OK where an argument is NULL or out of
 * range. */
LEMAN_API leman_status leman_network_tables_status(const leman_network_tables *tables, leman_network_table table,
                                                   size_t row, size_t column);
/* The checksum of the data that a set was computed on, or that its finished runs were; 0: there are none. *several,
 * which may be NULL: they do not all have the same. */
LEMAN_API uint64_t leman_network_tables_checksum(const leman_network_tables *tables, const char *set, bool *several);
/* There is no data for a set: the page says why. */
LEMAN_API leman_status leman_network_tables_set_missing(leman_context *ctx, leman_network_tables *tables,
                                                        const char *set, const char *why);

/* A result of another method (a kernel, another network) on a set of the tables, for the figure of errors against
 * seconds and parameters: mean and deviation (NAN: none) in the unit of the first quantity, seconds of a run,
 * parameters of a network or 0. LEMAN_ERROR_INPUT where no table that was asked for has the set. */
LEMAN_API leman_status leman_network_tables_beside(leman_context *ctx, leman_network_tables *tables, const char *set,
                                                   const char *method, double value, double deviation, double seconds,
                                                   size_t parameters);

/* One of the results of ours: mean and population deviation over the runs that are finished. */
typedef struct leman_network_cell {
    size_t runs;                   /* finished; 0: not run */
    double value[2], deviation[2]; /* of each quantity; NAN: none */
    double difference[2];          /* ours less the published one; NAN: none */
    double seconds, epochs;        /* of a run, on average */
    size_t parameters;             /* 0: no network */
    const char *note;              /* why there are fewer runs than were asked for; "": nothing to say */
} leman_network_cell;
/* Zeros where an argument is NULL or out of range. */
LEMAN_API leman_network_cell leman_network_tables_cell(const leman_network_tables *tables, leman_network_table table,
                                                       size_t row, size_t column);

/* Writes the tables, as leman_reproduction_write() does. */
LEMAN_API leman_status leman_network_tables_write(leman_context *ctx, const leman_network_tables *tables,
                                                  const char *command, const char *path);

#ifdef __cplusplus
}
#endif
#endif
