/* The state of a command: the context, the output of its results, and messages. */
#ifndef LM_WORK_H
#define LM_WORK_H

#include "base/file.h"
#include "cli/bar.h"
#include "cli/json.h"
#include "cli/options/options.h"
#include "cli/output.h"

struct lm_process_ranks;

typedef struct lm_work {
    leman_context *ctx;
    const struct lm_process_ranks *ranks; /* cli/mpi/ranks.h */
    const lm_common *options;
    lm_bar bar;
    lm_output out;    /* results; closed until lm_work_results() */
    lm_json json;     /* filled by a command with --json, and written after it */
    uint64_t reading; /* how the graphs of made_of were read, which is how DATA is read; 0: as the options say */
    const char
        *class_name;     /* set before reading: the column of classes without --class, which DATA may lack; or NULL */
    const char *made_of; /* the file of a model, a network or columns that has `reading` */
    leman_rows **rows;   /* set before reading by commands that match results with the rows of DATA */
    const char *row_columns;        /* columns of DATA whose texts are kept in them */
    bool several_classes;           /* set before reading by commands that accept several columns as --class A,B */
    bool without_vertex_attributes; /* set before reading by commands that do not use vertex attributes */
    bool censored;                  /* set before reading: >10 and <0.5 in tables of molecules are bounds */
    unsigned atom_labels;           /* set before reading: LEMAN_ATOM_... where --atom-labels is not given */
    bool attributes_remarked;       /* lm_attributes_remark() has spoken */
    bool edge_attributes_remarked;  /* the same of edge attributes */
    bool attributes_left_out;       /* a data set had vertex attributes, which were not read */
    char stopped[LM_SENTENCE / 2];  /* the sentence of lm_work_stopped(); empty: it was not called */
    lm_vector files;                /* files of the command line; cli/options/files.h */
    struct lm_read_data {           /* paths and names of the first two data sets that were read */
        char *path, *name;
    } read[2];
    size_t reads;
    char **arguments; /* [count] command line, from the name of the command on */
    int count;
} lm_work;

/* Creates a context with the settings of the options, as one of these ranks. If options is NULL, the settings are the
 * defaults, with one thread. */
leman_status lm_work_open(lm_work *work, const lm_common *options, const struct lm_process_ranks *ranks);
void lm_work_close(lm_work *work);

/* Returns the output for results, which the first call opens: FILE of --output, otherwise standard output.
 * lm_work_finish() commits the output after a command has succeeded, so that a failed command leaves no file. */
leman_status lm_work_results(lm_work *work, lm_output **out);
leman_status lm_work_finish(lm_work *work);
/* For a command that was interrupted and has results that are worth writing. From now on nothing cancels the work: the
 * next signal ends the process. Once the results are written the program fails with this sentence. */
__attribute__((format(printf, 2, 3))) void lm_work_stopped(lm_work *work, const char *format, ...);
/* Opens standard output for text or JSON beside a result that has a file of its own. */
leman_status lm_work_beside(lm_work *work);
/* Writes work->json to the output for results or, if --output of the command is for other results, to standard
 * output. */
leman_status lm_work_json(lm_work *work);

/* Returns the command line as text, quoted for a shell if necessary: "leman evaluate 'my data.zip' -k 2". */
leman_status lm_command_line(const lm_work *work, char **out);

/* Reads a data set with the reading options (--directed, --policy, --from, ...). Changes made by the policy are logged.
 * cleaning may be NULL. */
leman_status lm_work_read(lm_work *work, const char *path, leman_cleaning *cleaning, leman_dataset **out);
/* Returns true if --class names several columns and the command accepts that. The data is then read without classes. */
bool lm_has_tasks(const lm_work *work);
/* Like lm_work_read(), for a file whose format the command knows. */
leman_status lm_work_read_as(lm_work *work, const char *path, leman_format format, leman_cleaning *cleaning,
                             leman_dataset **out);
/* Opens a data set as a stream of graphs, which need not fit into memory. lm_work_stream_end() is called when all
 * graphs have been used: it logs the changes made by the policy and sets *labels to all graphs with their names,
 * classes and targets, which belong to the stream. */
leman_status lm_work_stream(lm_work *work, const char *path, leman_stream **out);
leman_status lm_work_stream_end(lm_work *work, const char *path, leman_stream *stream, const leman_dataset **labels);
/* leman_unique_write() from DATA to FILE of --output, with the reading options. Changes made by the policy are logged. */
leman_status lm_work_unique(lm_work *work, const char *path, const leman_unique_options *options,
                            leman_cleaning *cleaning, leman_unique *found);
/* leman_neighbors_find() in the last operand, which is read as the queries, the first operand, were. Changes made by the
 * policy are logged. */
leman_status lm_work_neighbors(lm_work *work, const leman_dataset *queries, const leman_kernel *kernels, size_t count,
                               size_t nearest, leman_neighbors **found);
/* Returns true if the name of DATA is that of a feature file. */
bool lm_matrix_given(const lm_common *options);
/* Reads DATA as a feature file. Fails if options about graphs, kernels or colourings are given, since they have no
 * effect. */
leman_status lm_matrix_read(lm_work *work, leman_feature_matrix **out);
/* Called after a failure to read (known.c). If the file does not exist and its name is that of a known data set, the
 * message is extended with how to get the data set. Returns st. */
leman_status lm_known_missing(lm_work *work, leman_status st, const char *path);
/* Logs a sentence if the data has the name of a known data set and another number of graphs. */
void lm_known_log(lm_work *work, const char *path, const leman_dataset *data);
/* If the data was read with --standardize, logs how many molecules are in several rows, and how many of them have
 * different classes or targets (duplicates.c). */
leman_status lm_duplicates_log(lm_work *work, const leman_dataset *data);
/* If the failure st is about data, or about memory for data, and its message names no file, adds the path of the data
 * set to the message. */
void lm_work_blame(lm_work *work, leman_status st);
/* Logs a sentence to standard error, unless --quiet. */
__attribute__((format(printf, 2, 3))) void lm_work_log(lm_work *work, const char *format, ...);

/* Adds the counts to parent under the key "report". */
void lm_cleaning_json(lm_json *json, json_t *parent, const leman_cleaning *cleaning);

/* Rows of options that commands share. */
extern const lm_option LM_GENERAL_OPTIONS[];
extern const lm_option LM_READING_CLASS_OPTIONS[]; /* for commands that use classes */
#define LM_READING_OPTIONS (LM_READING_CLASS_OPTIONS + 2)
/* The last groups of most commands; the operand of most commands. */
#define LM_LAST_GROUPS                                                                                                 \
    {"Reading", LM_READING_CLASS_OPTIONS},                                                                             \
    {                                                                                                                  \
        "General", LM_GENERAL_OPTIONS                                                                                  \
    }
#define LM_DATA_OPERAND .operand = {{"DATA", NULL}}, .required = 1
/* Fails with LEMAN_ERROR_ARGUMENT if --class is given and `target` says that --target is given too. */
leman_status lm_class_or_target(leman_context *ctx, const lm_common *options, bool target);

#endif
