/*
 * leman/reproduce.h - the published tables of the kernels: as data, and computed again.
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

#ifdef __cplusplus
}
#endif
#endif
