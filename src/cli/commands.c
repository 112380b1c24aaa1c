/* The list of commands. */
#include "cli/commands.h"
#include <string.h>

const lm_command *const lm_commands[] = {&lm_command_info,      &lm_command_convert,
                                         &lm_command_generate,  &lm_command_download,
                                         &lm_command_colors,    &lm_command_distinguish,
                                         &lm_command_dimension, &lm_command_hash,
                                         &lm_command_canonical, &lm_command_unique,
                                         &lm_command_features,  &lm_command_gram,
                                         &lm_command_neighbors, &lm_command_clusters,
                                         &lm_command_evaluate,  &lm_command_compare,
                                         &lm_command_fit,       &lm_command_train,
                                         &lm_command_predict,   &lm_command_demo,
                                         &lm_command_help,      NULL};

leman_status lm_command_find(leman_context *ctx, const char *name, const lm_command **out)
{
    const char *names[sizeof lm_commands / sizeof *lm_commands] = {NULL};
    for (size_t i = 0; lm_commands[i]; i++) {
        names[i] = lm_commands[i]->name;
        if (!strcmp(names[i], name)) {
            *out = lm_commands[i];
            return LEMAN_OK;
        }
    }
    if (!strcmp(name, "reproduce"))
        return MISUSE(ctx,
                      "there is no command 'reproduce': the published tables are computed by 'make reproduce' in the "
                      "source tree, whose folder reproduce/ has them");
    const char *nearest = lm_nearest(name, names);
    return MISUSE(ctx, "there is no command '%s'%s", name, nearest ? FORMAT("; did you mean '%s'?", nearest) : "");
}
