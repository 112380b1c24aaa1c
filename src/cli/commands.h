/* The commands, and the functions that they share. */
#ifndef LM_COMMANDS_H
#define LM_COMMANDS_H

#include "cli/work.h"

extern const lm_command lm_command_info, lm_command_convert, lm_command_generate, lm_command_download,
    lm_command_colors, lm_command_distinguish, lm_command_dimension, lm_command_hash, lm_command_unique,
    lm_command_canonical, lm_command_features, lm_command_gram, lm_command_neighbors, lm_command_clusters,
    lm_command_evaluate, lm_command_compare, lm_command_fit, lm_command_train, lm_command_predict, lm_command_demo,
    lm_command_help;

/* The help of the program and of the commands, and sections about the program: the files of src/cli/help/, which CMake
 * turns into structs and strings (cmake/help.cmake). */
extern const lm_help LM_HELP_LEMAN, LM_HELP_CANONICAL, LM_HELP_CLUSTERS, LM_HELP_COLORS, LM_HELP_COMPARE,
    LM_HELP_CONVERT, LM_HELP_DEMO, LM_HELP_DIMENSION, LM_HELP_DISTINGUISH, LM_HELP_DOWNLOAD, LM_HELP_EVALUATE,
    LM_HELP_FEATURES, LM_HELP_FIT, LM_HELP_GENERATE, LM_HELP_GRAM, LM_HELP_HASH, LM_HELP_HELP, LM_HELP_INFO,
    LM_HELP_NEIGHBORS, LM_HELP_PREDICT, LM_HELP_TRAIN, LM_HELP_UNIQUE;
extern const char LM_SECTION_DATA[], LM_SECTION_METHODS[], LM_SECTION_NUMBERS[], LM_SECTION_ENVIRONMENT[];

/* All commands in the order of the help, ending with NULL. */
extern const lm_command *const lm_commands[];
/* Finds a command. If there is none of that name, fails with LEMAN_ERROR_ARGUMENT and suggests the nearest name. */
leman_status lm_command_find(leman_context *ctx, const char *name, const lm_command **out);

/* Write the help of a command, or of the whole program if command is NULL: as text (help.c), as man page (man.c). */
leman_status lm_help_write(lm_output *out, const lm_command *command);
leman_status lm_man_write(lm_output *out, const lm_command *command);
/* Writes the help of an option, with its choices, into text[size] and returns text (help.c). */
const char *lm_option_help(const lm_option *row, char *text, size_t size);
/* Writing data sets (convert.c). `to` is the format; NULL: determined by the name. lm_written_check() fails if a data
 * set cannot be written to path in that format. lm_written_save() writes it and reports so, in a line or as JSON.
 * report may be NULL. `read` is the number of graphs from which these were chosen; 0: they were generated. */
leman_status lm_written_check(lm_work *work, const char *path, const char *to);
leman_status lm_written_save(lm_work *work, const leman_dataset *data, const char *path, const char *to,
                             const leman_cleaning *report, size_t read);
/* What leman info shows of a model beside its properties. */
typedef struct lm_shown_model {
    const char *report; /* path of a page to write, or NULL */
    const char *data;   /* path of graphs to show features on, or NULL */
    uint64_t features;  /* number of features to list; 0: none */
} lm_shown_model;
/* Writes what leman info shows about a model or checkpoint (info_models.c), by the kind of its file. */
leman_status lm_info_model(lm_work *work, const char *path, leman_file_kind kind, const lm_shown_model *shown);
/* Lists the features of a model with the largest effects, as tables or under "features" of `parent` (info_features.c).
 * task: its name, or NULL. */
leman_status lm_info_features(lm_work *work, const leman_model *model, const char *task, const leman_dataset *data,
                              size_t most, json_t *parent);
/* The shells for which there is a completion script, ending with NULL, the scripts, and the function that fills in the
 * commands and writes a script (completion.c). `shell` must be one of LM_SHELLS. */
extern const char LM_COMPLETION_BASH[], LM_COMPLETION_ZSH[], LM_COMPLETION_FISH[];
extern const char *const LM_SHELLS[];
leman_status lm_completion_write(lm_output *out, const char *shell);

/* Exit statuses, for help and man page. */
extern const char LM_EXIT_TEXT[];
/* Sections about the whole program: a heading and paragraphs. A heading of NULL ends the list. */
typedef struct lm_section {
    const char *title, *text;
} lm_section;
extern const lm_section LM_SECTIONS[];

#endif
