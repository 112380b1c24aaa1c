/* leman colors: the number of colours in each round, for a data set; and the colours of the tuples of one graph. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/mpi/ranks.h"
#include "cli/options/choices.h"
#include "cli/options/coloring.h"
#include "cli/options/files.h"
#include <string.h>

typedef struct colors_options {
    lm_coloring_options coloring;
    bool verify, tuples;
    uint64_t graph;
} colors_options;

#define FIELD(member) offsetof(colors_options, member)

static const char *const TUPLES_ENDINGS[] = {".npy", ".csv", "", NULL};

static const lm_option ROWS[] = {
    LM_FLAG_ROW("verify", FIELD(verify), HELP_COLORS_VERIFY),
    LM_ROW("graph", 0, LM_UNSIGNED, FIELD(graph), "N", HELP_COLORS_GRAPH, .max = INT64_MAX),
    LM_FLAG_ROW("tuple-colors", FIELD(tuples), HELP_COLORS_TUPLE_COLORS),
    LM_COLOR_DEVICE_ROWS,
    LM_FILE_ROW(HELP_COLORS_OUTPUT, NULL, true),
    {0},
};

/* ---- What is written ------------------------------------------------------------------------- */

static leman_round_count sum_of(const leman_census *census)
{
    leman_round_count sum = {0};
    for (uint32_t r = 0; r < census->rounds; r++) {
        sum.colors += census->round[r].colors;
        sum.pairs += census->round[r].pairs;
    }
    return sum;
}

static leman_status fill_json(lm_work *work, const leman_coloring *c, const leman_census *census)
{
    lm_json *json = &work->json;
    const leman_round_count sum = sum_of(census);
    lm_coloring_name_json(json, json->object, c);
    LM_PUT_ROWS(json, json->object, "rounds", round, census->round, census->rounds, KEY("round", i),
                MEMBER(round, colors), MEMBER(round, pairs));
    LM_PUT(json, json->object, MEMBER(&sum, colors), MEMBER(&sum, pairs),
           KEY_IF(census->stable_round >= 0, "stable_round", census->stable_round), MEMBER(census, seconds));
    return lm_ranks_json(work->ctx, json);
}

static leman_status write_table(lm_work *work, const char *name, const leman_coloring *c, const leman_census *census)
{
    lm_table table = {.ctx = work->ctx, .align = "rrr"};
    const leman_round_count sum = sum_of(census);
    char text[128];
    lm_output *out;
    PASS(lm_work_results(work, &out));
    PASS(lm_output_printf(out, "%s: %s\n\n", name, leman_coloring_text(c, text, sizeof text)));
    LM_TABLE_ROW(&table, "round", "colours", "(graph, colour) pairs");
    for (uint32_t r = 0; r < census->rounds; r++)
        LM_TABLE_ROW(&table, FORMAT("%u", r), COUNT_TEXT(census->round[r].colors), COUNT_TEXT(census->round[r].pairs));
    LM_TABLE_ROW(&table, "sum", COUNT_TEXT(sum.colors), COUNT_TEXT(sum.pairs));
    PASS(lm_table_write(&table, out));
    if (census->stable_round < 0) return lm_write_text(out, "\nNot seen to be stable: more rounds may split more.\n");
    return lm_output_printf(out, "\nStable: nothing splits after round %lld.\n", (long long)census->stable_round);
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status select_graph(leman_context *ctx, const colors_options *asked, leman_dataset **data)
{
    leman_dataset *one = NULL;
    size_t graphs = leman_dataset_shape(*data)->graphs, which = (size_t)asked->graph;
    const char *path = asked->coloring.common.operand[0];
    const bool one_only = lm_option_given(&asked->coloring.common, "graph");
    if (one_only && which >= graphs)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found --graph %llu, expected a number from 0 and below %zu", path,
                       (unsigned long long)asked->graph, graphs);
    if (asked->tuples && !one_only && graphs != 1)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s has %zu graph%s, and --tuple-colors writes one: add --graph N", path,
                       graphs, lm_plural(graphs));
    if (!one_only) return LEMAN_OK;
    PASS(leman_dataset_select(ctx, *data, 1, &which, &one));
    leman_dataset_free(*data);
    *data = one;
    return LEMAN_OK;
}

static leman_status colors_run(lm_work *work, const void *options)
{
    const colors_options *asked = options;
    const lm_common *common = &asked->coloring.common;
    bool streamed = asked->tuples && (!common->output || !strcmp(common->output, "-"));
    leman_coloring coloring = leman_coloring_default();
    AUTO(leman_census_drop) leman_census *census = NULL;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    PASS(lm_coloring_read(work->ctx, &asked->coloring, &coloring));
    if (common->output)
        PASS(
            lm_ending_check(work->ctx, "--output", common->output, asked->tuples ? TUPLES_ENDINGS : LM_RESULT_ENDINGS));
    if (streamed && common->json) return MISUSE(work->ctx, "the tuples and --json cannot both go to standard output");
    work->without_vertex_attributes = true;
    PASS(lm_work_read(work, common->operand[0], NULL, &data));
    lm_coloring_attributes_remark(work, &asked->coloring, data);
    PASS(select_graph(work->ctx, asked, &data));
    PASS(lm_coloring_apex(work->ctx, &asked->coloring, &coloring, &data));
    PASS(leman_census_compute(work->ctx, data, &coloring, asked->verify, &census));
    if (asked->tuples) { /* --output is for the tuples; the rest goes to standard output, unless they do */
        leman_graph graph = leman_dataset_graph(data, 0);
        PASS(leman_tuple_colors_write(work->ctx, &graph, &coloring, census->rounds - 1,
                                      common->output ? common->output : "-"));
    }
    if (streamed) return LEMAN_OK;
    if (asked->tuples) PASS(lm_work_beside(work));
    return common->json ? fill_json(work, &coloring, census)
                        : write_table(work, leman_dataset_shape(data)->name, &coloring, census);
}

const lm_command lm_command_colors = {
    .name = "colors",
    .help = &LM_HELP_COLORS,
    LM_DATA_OPERAND,
    .ranks = true,
    .common = "algorithm rounds graph tuple-colors json",
    .groups = {{"Colouring", LM_COLORING_OPTIONS},
               {"Result", ROWS},
               {"Reading", LM_READING_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(colors_options),
    .run = colors_run,
};
