/* leman generate: generates families of test graphs, and writes them as a data set. */
#include "cli/commands.h"
#include "cli/options/choices.h"

typedef struct generate_options {
    lm_common common;
    const char *to;
    uint64_t k, graphs, vertices, rows, columns, degree;
    double probability;
    lm_ranges skips;
} generate_options;

#define FIELD(member) offsetof(generate_options, member)

/* Numbers of vertices have 32 bits. Each family checks its own limits. */
static const lm_option ROWS[] = {
    LM_ROW("k", 'k', LM_UNSIGNED, FIELD(k), "N", "cfi: the pair that needs more than k dimensions (default: 2)",
           .min = 1, .max = 64, .needs = "=cfi"),
    LM_ROW("graphs", 0, LM_UNSIGNED, FIELD(graphs), "N",
           "how many; families of one graph give copies with shuffled vertices", .min = 1, .max = UINT32_MAX),
    LM_ROW("vertices", 0, LM_UNSIGNED, FIELD(vertices), "N", "vertices of each graph (default: the family's own)",
           .min = 1, .max = UINT32_MAX, .without = "=cfi =grid =petersen =rook-shrikhande"),
    LM_ROW("rows", 0, LM_UNSIGNED, FIELD(rows), "N", "grid: its height", .min = 1, .max = UINT32_MAX, .needs = "=grid"),
    LM_ROW("columns", 0, LM_UNSIGNED, FIELD(columns), "N", "grid: its width", .min = 1, .max = UINT32_MAX,
           .needs = "=grid"),
    LM_ROW("degree", 0, LM_UNSIGNED, FIELD(degree), "N",
           "regular: number of neighbours of each vertex; power-law: number of earlier vertices that each vertex is "
           "joined to",
           .max = UINT32_MAX, .needs = "=regular =power-law"),
    LM_ROW("probability", 0, LM_REAL, FIELD(probability), "P", "random: probability of each edge", .low = 0, .high = 1,
           .needs = "=random"),
    LM_ROW("skips", 0, LM_RANGES, FIELD(skips), "LIST",
           "csl: lengths of the chords, one graph each (default: the ten of the usual benchmark)", .min = 1,
           .max = UINT32_MAX, .needs = "=csl"),
    LM_OUTPUT_ROW("where the graphs go: NAME.g6, NAME.zip, NAME.leman, a new folder, or - with --to"),
    LM_ROW("to", 0, LM_CHOICE, FIELD(to), "FORMAT", "write this format, whatever the name says",
           .choices = lm_choices_writable),
    {0},
};

static void generate_prepare(void *options)
{
    generate_options *asked = options;
    leman_family_options standard = leman_family_options_default();
    asked->k = standard.k;
    asked->graphs = standard.graphs;
    asked->vertices = standard.vertices;
    asked->rows = standard.rows;
    asked->columns = standard.columns;
    asked->degree = standard.degree;
    asked->probability = standard.probability;
}

static leman_status generate_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    const generate_options *asked = options;
    leman_family family;
    leman_family_options chosen = leman_family_options_default();
    leman_dataset *data = NULL;
    size_t *skips = NULL;
    chosen.k = (unsigned)asked->k;
    chosen.graphs = asked->graphs;
    chosen.vertices = asked->vertices;
    chosen.rows = asked->rows;
    chosen.columns = asked->columns;
    chosen.degree = asked->degree;
    chosen.probability = asked->probability;
    chosen.seed = asked->common.seed;
    TRY(leman_family_parse(work->ctx, asked->common.operand[0], &family));
    if (!asked->common.output) FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "--output is missing: where the graphs go");
    TRY(lm_written_check(work, asked->common.output, asked->to));
    TRY(lm_ranges_list(work->ctx, "--skips", &asked->skips, 1 << 20, &skips, &chosen.skip_count));
    chosen.skips = skips;
    TRY(leman_dataset_generate(work->ctx, family, &chosen, &data));
    TRY(lm_written_save(work, data, asked->common.output, asked->to, NULL, 0));
done:
    leman_dataset_free(data);
    return st;
}

const lm_command lm_command_generate = {
    .name = "generate",
    .summary = "test families: cfi, csl, molecules, random graphs and more",
    .description = LM_HELP_GENERATE,
    .operand = {{"FAMILY", lm_choices_families}},
    .required = 1,
    .common = "output graphs vertices k seed",
    .groups = {{"The family", ROWS}, {"General", LM_GENERAL_OPTIONS}},
    .examples = {{"leman generate cfi -k 3 -o cfi3.g6", "a pair of graphs that 3-WL does not distinguish"},
                 {"leman generate molecules --graphs 500 --seed 7 -o molecules.zip",
                  "five hundred molecules as a TU zip"}},
    .size = sizeof(generate_options),
    .prepare = generate_prepare,
    .run = generate_run,
};
