/* Feature files as DATA of commands that learn, and the options that do not apply to them. */
#include "cli/options/matrix.h"
#include <string.h>

bool lm_matrix_given(const lm_common *options)
{
    return options->operands && leman_feature_matrix_is(options->operand[0]);
}

/* Groups of options, and single options, that apply only to graphs. */
static const char *const GROUPS[] = {"Kernels", "Colourings", "Reading", NULL};
static const char *const OPTIONS[] = {"k", "rounds", "scaffold", "report", "explain", NULL};

static leman_status refuse(leman_context *ctx, const lm_common *options, const char *name)
{
    if (!name || !lm_option_given(options, name)) return LEMAN_OK;
    return MISUSE(ctx, "option '--%s' has no effect here: %s is a feature file, not graphs", name, options->operand[0]);
}

static leman_status check(leman_context *ctx, const lm_common *options)
{
    for (const char *const *name = OPTIONS; *name; name++) PASS(refuse(ctx, options, *name));
    for (size_t g = 0; g < LM_GROUPS && options->command->groups[g].rows; g++)
        for (const char *const *title = GROUPS; *title; title++)
            for (const lm_option *row = options->command->groups[g].rows;
                 !strcmp(*title, options->command->groups[g].title) && row->name; row++)
                PASS(refuse(ctx, options, row->name));
    return LEMAN_OK;
}

leman_status lm_matrix_read(lm_work *work, leman_feature_matrix **out)
{
    PASS(check(work->ctx, work->options));
    const char *path = work->options->operand[0];
    PASS(leman_feature_matrix_read(work->ctx, path, out));
    return lm_work_remember(work, path, leman_dataset_shape(leman_feature_matrix_labels(*out))->name);
}
