/* What a command works with: the context, where its results go, and messages to people. */
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
    lm_output out;        /* results; closed until lm_work_results() */
    bool several_classes; /* set before reading by commands that take several columns, with commas, as --class */
    bool without_vertex_attributes; /* set before reading by commands that have no use for them */
    lm_vector files;                /* of the command line; cli/options/files.h */
    struct lm_read_data {           /* the first two data sets that were read: where they are, and their names */
        char *path, *name;
    } read[2];
    size_t reads;
    char **arguments; /* [count] of the command line, from the name of the command on */
    int count;
} lm_work;

/* A context with the settings of the options, and one of these ranks; options NULL: the defaults, alone. */
leman_status lm_work_open(lm_work *work, const lm_common *options, const struct lm_process_ranks *ranks);
void lm_work_close(lm_work *work);
/* Where its networks compute. */
const char *lm_work_device(const lm_common *options);
/* Device, precision and memory of the device as the options have them. */
void lm_work_set_device(const lm_common *options, leman_settings *settings);

/* The output for results, opened at the first call: FILE of --output, else standard output. It is committed by
 * lm_work_finish() when the command has succeeded, so a failed command leaves no file behind. */
leman_status lm_work_results(lm_work *work, lm_output **out);
leman_status lm_work_finish(lm_work *work);

/* Reads DATA as --directed, --policy and --from say; what the policy changed goes to standard error. */
leman_status lm_work_read(lm_work *work, const char *path, leman_cleaning *cleaning, leman_dataset **out);
/* The same for a file whose format the command knows. */
/* Are several columns asked for as --class, by a command that takes them? The data is then read without them. */
bool lm_has_tasks(const lm_work *work);
leman_status lm_work_read_as(lm_work *work, const char *path, leman_format format, leman_cleaning *cleaning,
                             leman_dataset **out);
/* The same as a stream of graphs, which need not fit into memory. When they have been used: what the policy did goes to
 * standard error, and *labels gets all graphs with their names, classes and targets; it is the stream's. */
leman_status lm_work_stream(lm_work *work, const char *path, leman_stream **out);
leman_status lm_work_stream_end(lm_work *work, const char *path, leman_stream *stream, const leman_dataset **labels);
/* known.c. After a failure to read: where there is no such file and its name is that of a known data set, the sentence
 * says how to get it. Returns st. */
leman_status lm_known_missing(lm_work *work, leman_status st, const char *path);
/* One sentence where the data has the name of a known set, and another number of graphs. */
void lm_known_log(lm_work *work, const char *path, const leman_dataset *data);
/* What was read, and the name that sentences call it by, for the next. */
leman_status lm_work_remember(lm_work *work, const char *path, const char *name);
/* Makes the sentence of a failure that is about data, or about memory for them, name the file that they are from. */
void lm_work_blame(lm_work *work, leman_status st);
/* One sentence on standard error, unless --quiet. */
__attribute__((format(printf, 2, 3))) void lm_work_log(lm_work *work, const char *format, ...);

/* The next sentence about what was changed ("removed 96,531 repeated edges"), not about what was kept, in text[size];
 * NULL at the end. *at begins with 0. */
const char *lm_cleaning_next(const leman_policy *policy, const leman_cleaning *cleaning, size_t *at, char *text,
                             size_t size);
/* Under key "report" of parent: the counts. */
void lm_cleaning_json(lm_json *json, json_t *parent, const leman_cleaning *cleaning);

/* Rows that commands share. */
extern const lm_option LM_GENERAL_OPTIONS[], LM_READING_OPTIONS[], LM_RESULT_OPTIONS[];
extern const lm_option LM_READING_CLASS_OPTIONS[]; /* of commands that use classes */
/* A usage error where --class and --target are both given. */
leman_status lm_class_or_target(leman_context *ctx, const lm_common *options, bool target);

/* What DATA may be, for descriptions. */
#define LM_DATA_TEXT                                                                                                   \
    "DATA is a TU folder, a TU zip, a graph6 or sparse6 file (.g6, .s6), an edge list (.csv, .tsv), molecules (.sdf) " \
    "or our own binary file (.leman); - is standard input, with --from where the content does not show the format. "
/* DATA of commands that learn. */
#define LM_MATRIX_TEXT                                                                                                 \
    "DATA may be a feature file of leman features or of others, too: svmlight (F.svm, F.svmlight, F.libsvm, or .gz "   \
    "behind it), read once, larger than memory or not. Its rows are scaled to length 1; its labels are the classes, "  \
    "which are integers, or with --target 0 the targets, nan where one is missing. "
#define LM_REPORT_TEXT                                                                                                 \
    "What was repaired while reading is reported on standard error (removed 96,531 repeated edges); --policy changes " \
    "what is repaired."

#endif
