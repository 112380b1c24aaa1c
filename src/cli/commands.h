/* The commands, in the order of the help. */
#ifndef LM_COMMANDS_H
#define LM_COMMANDS_H

#include "cli/work.h"

extern const lm_command lm_command_info, lm_command_convert, lm_command_generate, lm_command_download,
    lm_command_colors, lm_command_distinguish, lm_command_features, lm_command_gram, lm_command_evaluate,
    lm_command_compare, lm_command_fit, lm_command_train, lm_command_predict, lm_command_demo, lm_command_help;

/* Ended by NULL. */
extern const lm_command *const lm_commands[];
/* LEMAN_ERROR_ARGUMENT, with the nearest name, where there is none of that name. */
leman_status lm_command_find(leman_context *ctx, const char *name, const lm_command **out);

/* The help of a command, or of the whole program where command is NULL: for people (help.c), for man (man.c). */
leman_status lm_help_write(lm_output *out, const lm_command *command);
leman_status lm_man_write(lm_output *out, const lm_command *command);
/* Writing data sets (written.c): may they go to path in that format (NULL: by the name)? Then they do, and a line or a
 * JSON object says so. report may be NULL. read: of how many graphs these were chosen; 0: they were made. */
leman_status lm_written_check(lm_work *work, const char *path, const char *to);
leman_status lm_written_save(lm_work *work, const leman_dataset *data, const char *path, const char *to,
                             const leman_cleaning *report, size_t read);
/* What leman info writes about a data set (info.c). */
leman_status lm_info_write(lm_work *work, const leman_dataset *data, const leman_cleaning *report, bool as_json,
                           lm_output *out);
/* info_models.c: what a model or a checkpoint is, by the kind of its file; report: a page, or NULL; data: the graphs on
 * it, or NULL. */
leman_status lm_info_model(lm_work *work, const char *path, leman_file_kind kind, const char *report, const char *data);
/* devices.c: the CUDA devices that there are. */
leman_status lm_devices_write(leman_context *ctx, bool as_json, lm_output *out);
/* The script that completes command lines in a shell, one of LM_SHELLS (completion.c, completion_others.c). */
extern const char *const LM_SHELLS[];
leman_status lm_completion_write(lm_output *out, const char *shell);
leman_status lm_completion_zsh(lm_output *out);
leman_status lm_completion_fish(lm_output *out);

/* Shared by the help and the man page: what exit statuses mean, and examples of the program as a whole. */
extern const char LM_ABOUT_TEXT[], LM_EXIT_TEXT[];
extern const lm_example LM_EXAMPLES_OF_ALL[LM_EXAMPLES];
/* Sections about the whole program: a heading and paragraphs; a heading of NULL ends them. */
typedef struct lm_section {
    const char *title, *text;
} lm_section;
extern const lm_section LM_SECTIONS[];

#endif
