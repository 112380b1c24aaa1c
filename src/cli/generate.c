/* leman generate: generates families of test graphs, and writes them as a data set. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/options/choices.h"

typedef struct generate_options {
    lm_common common;
    const char *to, *base, *level;
    uint64_t k;
    leman_family_options family; /* k, skips and seed are set last */
    lm_ranges skips;
} generate_options;

#define FIELD(member) offsetof(generate_options, member)
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "options write 64 bits into members of leman_family_options");

/* Numbers of vertices have 32 bits. Each family checks its own limits. */
static const lm_option ROWS[] = {
    LM_ROW("k", 'k', LM_UNSIGNED, FIELD(k), "N", HELP_GENERATE_K, .min = 1, .max = 64, .needs = "=cfi",
           .without = "base"),
    LM_ROW("base", 0, LM_TEXT, FIELD(base), "FILE", HELP_GENERATE_BASE, .needs = "=cfi"),
    LM_ROW("graphs", 0, LM_UNSIGNED, FIELD(family.graphs), "N", HELP_GENERATE_GRAPHS, .min = 1, .max = UINT32_MAX),
    LM_ROW("vertices", 0, LM_UNSIGNED, FIELD(family.vertices), "N", HELP_GENERATE_VERTICES, .min = 1, .max = UINT32_MAX,
           .without = "=cfi =grid =petersen =rook-shrikhande"),
    LM_ROW("rows", 0, LM_UNSIGNED, FIELD(family.rows), "N", HELP_GENERATE_ROWS, .min = 1, .max = UINT32_MAX,
           .needs = "=grid"),
    LM_ROW("columns", 0, LM_UNSIGNED, FIELD(family.columns), "N", HELP_GENERATE_COLUMNS, .min = 1, .max = UINT32_MAX,
           .needs = "=grid"),
    LM_ROW("degree", 0, LM_UNSIGNED, FIELD(family.degree), "N", HELP_GENERATE_DEGREE, .max = UINT32_MAX,
           .needs = "=regular =power-law"),
    LM_ROW("probability", 0, LM_REAL, FIELD(family.probability), "P", HELP_GENERATE_PROBABILITY, .low = 0, .high = 1,
           .needs = "=random =counts"),
    LM_ROW("level", 0, LM_CHOICE, FIELD(level), "LEVEL", HELP_GENERATE_LEVEL, .choices = lm_choices_levels,
           .needs = "=counts"),
    LM_ROW("skips", 0, LM_RANGES, FIELD(skips), "LIST", HELP_GENERATE_SKIPS, .min = 1, .max = UINT32_MAX,
           .needs = "=csl"),
    LM_OUTPUT_ROW(HELP_GENERATE_OUTPUT),
    LM_ROW("to", 0, LM_CHOICE, FIELD(to), "FORMAT", lm_choices_format_help, .choices = lm_choices_writable),
    {0},
};

static void generate_prepare(void *options)
{
    generate_options *asked = options;
    asked->family = leman_family_options_default();
    asked->k = asked->family.k;
}

static leman_status generate_run(lm_work *work, const void *options)
{
    const generate_options *asked = options;
    leman_family family;
    leman_family_options chosen = asked->family;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL, *base = NULL;
    size_t *skips = NULL;
    chosen.k = (unsigned)asked->k;
    chosen.seed = asked->common.seed;
    PASS(leman_family_parse(work->ctx, asked->common.operand[0], &family));
    if (!asked->common.output) return MISUSE(work->ctx, "--output is missing: where the graphs go");
    PASS(lm_written_check(work, asked->common.output, asked->to));
    PASS(lm_ranges_list(work->ctx, "--skips", &asked->skips, 1 << 20, &skips, &chosen.skip_count));
    chosen.skips = skips;
    if (asked->base) PASS(lm_work_read(work, asked->base, NULL, &base));
    chosen.base = base;
    if (asked->level) PASS(leman_level_parse(work->ctx, asked->level, &chosen.level));
    PASS(leman_dataset_generate(work->ctx, family, &chosen, &data));
    return lm_written_save(work, data, asked->common.output, asked->to, NULL, 0);
}

const lm_command lm_command_generate = {
    .name = "generate",
    .help = &LM_HELP_GENERATE,
    .operand = {{"FAMILY", lm_choices_families}},
    .required = 1,
    .common = "output graphs vertices k seed",
    .groups = {{"The family", ROWS}, {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(generate_options),
    .prepare = generate_prepare,
    .run = generate_run,
};
