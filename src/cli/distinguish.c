/* leman distinguish: the round in which two graphs are distinguished, by one or all algorithms, for one pair or for
 * many. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/family.h"
#include "cli/options/choices.h"
#include "cli/options/coloring.h"
#include "cli/options/files.h"
#include <string.h>

typedef struct distinguish_options {
    lm_coloring_options coloring;
    const char *pairs, *explain, *groups;
    bool as_union, all, family;
} distinguish_options;

#define FIELD(member) offsetof(distinguish_options, member)

static const char *const OUTPUT_ENDINGS[] = {".txt", ".log", ".json", ".dot", ".svg", ".html", "", NULL};

static const lm_option ROWS[] = {
    LM_ROW("pairs", 0, LM_TEXT, FIELD(pairs), "FILE", HELP_DISTINGUISH_PAIRS),
    LM_FLAG_ROW("union", FIELD(as_union), HELP_DISTINGUISH_UNION),
    LM_FLAG_ROW("all", FIELD(all), HELP_DISTINGUISH_ALL),
    LM_FLAG_ROW("family", FIELD(family), HELP_DISTINGUISH_FAMILY),
    LM_ROW("groups", 0, LM_TEXT, FIELD(groups), "LIST", HELP_DISTINGUISH_GROUPS, .needs = "family"),
    LM_ROW("explain", 0, LM_OPTIONAL, FIELD(explain), "FORM", HELP_DISTINGUISH_EXPLAIN,
           .choices = lm_choices_explanations),
    LM_FILE_ROW(HELP_DISTINGUISH_OUTPUT, OUTPUT_ENDINGS, true),
    {0},
};

/* ---- The graphs ------------------------------------------------------------------------------ */

/* Pairs of graphs: graphs 2i and 2i+1 of data[0], or the single graphs of two data sets. */
typedef struct graphs {
    leman_dataset *data[2];
    size_t pairs;
} graphs;

static void graphs_free(graphs *g)
{
    for (int i = 0; i < 2; i++) leman_dataset_free(g->data[i]);
}

static leman_status expect_graphs(leman_context *ctx, const char *path, const leman_dataset *data, size_t expected)
{
    size_t found = leman_dataset_shape(data)->graphs;
    if (found == expected) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu graph%s, expected %s", path, found, lm_plural(found),
                   expected == 1 ? "one, to compare with that of the other file" : "two, to compare with each other");
}

static leman_status read_graphs(lm_work *work, const distinguish_options *asked, graphs *g)
{
    const lm_common *common = &asked->coloring.common;
    if (asked->pairs && common->operands)
        return MISUSE(work->ctx, "found both --pairs and '%s', expected one of them", common->operand[0]);
    if (!asked->pairs && !common->operands)
        return MISUSE(work->ctx, "graphs are missing: give two files, one file of two graphs, or --pairs FILE");
    work->without_vertex_attributes = true;
    if (asked->pairs) PASS(lm_work_read_as(work, asked->pairs, LEMAN_FORMAT_PAIRS, NULL, &g->data[0]));
    for (size_t i = 0; i < common->operands; i++) {
        PASS(lm_work_read(work, common->operand[i], NULL, &g->data[i]));
        lm_coloring_attributes_remark(work, &asked->coloring, g->data[i]);
        PASS(expect_graphs(work->ctx, common->operand[i], g->data[i], common->operands == 1 ? 2 : 1));
    }
    g->pairs = asked->pairs ? leman_dataset_shape(g->data[0])->graphs / 2 : 1;
    return LEMAN_OK;
}

static leman_status add_apex(leman_context *ctx, const distinguish_options *asked, leman_coloring *coloring, graphs *g)
{
    leman_coloring of_both = *coloring;
    for (int i = 0; i < 2 && g->data[i]; i++) {
        of_both = *coloring;
        PASS(lm_coloring_apex(ctx, &asked->coloring, &of_both, &g->data[i]));
    }
    *coloring = of_both;
    return LEMAN_OK;
}

static leman_status distinguish(leman_context *ctx, const graphs *g, const leman_coloring *c, bool as_union,
                                leman_difference *difference)
{
    if (!g->data[1]) return leman_distinguish_pairs(ctx, g->data[0], c, as_union, difference);
    leman_graph a = leman_dataset_graph(g->data[0], 0), b = leman_dataset_graph(g->data[1], 0);
    return leman_distinguish(ctx, &a, &b, c, as_union, difference);
}

static size_t count_distinguished(const leman_difference *d, size_t pairs)
{
    size_t count = 0;
    for (size_t i = 0; i < pairs; i++) count += d[i].distinguished;
    return count;
}

/* ---- What is written ------------------------------------------------------------------------- */

static void put_results(lm_json *json, json_t *object, const leman_coloring *c, const leman_difference *d, size_t pairs)
{
    lm_coloring_name_json(json, object, c);
    LM_PUT(json, object, KEY("pairs", pairs), KEY("distinguished", count_distinguished(d, pairs)));
    LM_PUT_ROWS(json, object, "results", pair, d, pairs, KEY("pair", i), MEMBER(pair, distinguished),
                KEY_IF(pair->distinguished, "round", pair->round));
}

static leman_status write_pair(const leman_coloring *c, const leman_difference *d, lm_output *out)
{
    if (d->distinguished) return lm_output_printf(out, "told apart in round %u.\n", d->round);
    if (c->rounds != LEMAN_STABLE) return lm_write_text(out, "not told apart.\n");
    return lm_output_printf(out, "not told apart; nothing splits after round %u.\n", d->round - (d->round > 0));
}

/* Compares by one algorithm. Writes a sentence for one pair, a table for several. */
static leman_status run_one(lm_work *work, const distinguish_options *asked, const graphs *g, const leman_coloring *c,
                            leman_difference *d)
{
    lm_table table = {.ctx = work->ctx, .align = "rl"};
    char text[128];
    lm_output *out;
    PASS(distinguish(work->ctx, g, c, asked->as_union, d));
    if (work->options->json) {
        put_results(&work->json, work->json.object, c, d, g->pairs);
        return LEMAN_OK;
    }
    PASS(lm_work_results(work, &out));
    PASS(lm_output_printf(out, "%s: ", leman_coloring_text(c, text, sizeof text)));
    if (g->pairs == 1) return write_pair(c, d, out);
    PASS(lm_output_printf(out, "%s of %s pairs told apart.\n\n", COUNT_TEXT(count_distinguished(d, g->pairs)),
                          COUNT_TEXT(g->pairs)));
    LM_TABLE_ROW(&table, "pair", "told apart");
    for (size_t i = 0; i < g->pairs; i++)
        LM_TABLE_ROW(&table, COUNT_TEXT(i), d[i].distinguished ? FORMAT("in round %u", d[i].round) : "no");
    return lm_table_write(&table, out);
}

enum { MAX_COLUMNS = 8 };

/* Compares by every algorithm: a row for each, with a cell for each k, which has the round for one pair or the number of
 * distinguished pairs. */
static leman_status run_all(lm_work *work, const distinguish_options *asked, const graphs *g, const leman_coloring *c,
                            leman_difference *d)
{
    char align[MAX_COLUMNS + 2] = "l";
    lm_table table = {.ctx = work->ctx, .align = align};
    lm_json *json = &work->json;
    lm_output *out;
    LM_PUT(json, json->object, MEMBER(g, pairs));
    json_t *variants = lm_json_array(json, json->object, "variants");
    memset(align + 1, 'r', c->k);
    lm_table_cell(&table, g->pairs > 1 ? "pairs told apart" : "round that tells them apart");
    for (unsigned k = 1; k <= c->k; k++) lm_table_cell(&table, "k = %u", k);
    for (int i = 0; i < LEMAN_ALGORITHM_COUNT; i++) {
        leman_coloring one = *c;
        one.algorithm = (leman_algorithm)i;
        const unsigned only = leman_algorithm_k(one.algorithm);
        lm_table_cell(&table, "%s", leman_algorithm_paper_name(one.algorithm));
        if (only) one.components = 0; /* pairs and vertices are never limited */
        for (one.k = 1; one.k <= c->k; one.k++) {
            const bool sets = one.algorithm == LEMAN_ALGORITHM_SET_WL;
            if ((only && one.k != only) || (sets && one.k > LEMAN_TUPLES_MAX_K)) {
                lm_table_cell(&table, ".");
                continue;
            }
            PASS(distinguish(work->ctx, g, &one, asked->as_union, d));
            put_results(json, lm_json_object(json, variants, NULL), &one, d, g->pairs);
            lm_table_cell(&table, "%s",
                          g->pairs > 1       ? FORMAT("%zu", count_distinguished(d, g->pairs))
                          : d->distinguished ? FORMAT("%u", d->round)
                                             : "-");
        }
    }
    if (work->options->json) return LEMAN_OK;
    PASS(lm_work_results(work, &out));
    return lm_table_write(&table, out);
}

/* ---- Explaining ------------------------------------------------------------------------------ */

/* Determines the format of --explain, which can also follow from the ending .dot or .svg of --output. */
static leman_status explained_format(leman_context *ctx, const distinguish_options *asked,
                                     leman_explanation_format *out)
{
    static const char *const ENDINGS[LEMAN_EXPLANATION_FORMAT_COUNT][4] = {
        {".txt", ".log", "", NULL}, {".dot", NULL}, {".svg", NULL}};
    const char *path = asked->coloring.common.output;
    PASS(leman_explanation_format_parse(ctx, asked->explain, out));
    for (int i = 0; path && *out == LEMAN_EXPLANATION_FORMAT_TEXT && i < LEMAN_EXPLANATION_FORMAT_COUNT; i++)
        if (lm_path_ends(path, ENDINGS[i][0])) *out = (leman_explanation_format)i;
    if (path) PASS(lm_ending_check(ctx, "--output", path, ENDINGS[*out]));
    return LEMAN_OK;
}

static leman_status run_explain(lm_work *work, const distinguish_options *asked, const graphs *g,
                                const leman_coloring *c)
{
    enum { MAX_NODES = 4096 };
    AUTO(leman_unrolling_drop) leman_unrolling *unrolling = NULL;
    AUTO(leman_explanation_drop) leman_explanation *explanation = NULL;
    leman_explanation_format format;
    leman_explained_pair pair = leman_explained_pair_default();
    lm_output *out;
    PASS(explained_format(work->ctx, asked, &format));
    pair.apex = asked->coloring.apex;
    for (size_t i = 0; i < 2; i++) {
        pair.data[i] = g->data[1] ? g->data[i] : g->data[0];
        pair.graph[i] = g->data[1] ? 0 : i;
    }
    leman_graph a = leman_dataset_graph(pair.data[0], pair.graph[0]);
    leman_graph b = leman_dataset_graph(pair.data[1], pair.graph[1]);
    PASS(leman_explain(work->ctx, &a, &b, c, asked->as_union, MAX_NODES, &unrolling));
    PASS(leman_explanation_write(work->ctx, unrolling, &pair, format, &explanation));
    PASS(lm_work_results(work, &out));
    return lm_output_write(out, explanation->text, explanation->length);
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Compares all tests on a list of pairs, or on all pairs of graphs of a data set. */
static leman_status run_family(lm_work *work, const distinguish_options *asked, const leman_coloring *c)
{
    const lm_common *common = &asked->coloring.common;
    if (common->operands > 1 || (asked->pairs != NULL) == (common->operands == 1))
        return MISUSE(work->ctx, "found %zu file%s%s, expected one corpus with --family", common->operands,
                      lm_plural(common->operands), asked->pairs ? " and --pairs" : "");
    const char *corpus = asked->pairs ? asked->pairs : common->operand[0], *path = common->output;
    const lm_family_request request = {c, corpus, asked->pairs || lm_is_pair_list(corpus), asked->groups,
                                       path && lm_path_ends(path, ".html") ? path : NULL};
    return lm_family_run(work, &request);
}

static leman_status check_family(leman_context *ctx, const distinguish_options *asked)
{
    static const char *const ENDINGS[] = {".html", ".txt", ".log", ".json", "", NULL};
    const char *other = asked->explain              ? "--explain"
                        : asked->all                ? "--all"
                        : asked->as_union           ? "--union"
                        : asked->coloring.apex      ? "--apex"
                        : asked->coloring.algorithm ? "-a"
                                                    : NULL;
    if (other) return MISUSE(ctx, "found both --family and %s, expected one of them", other);
    return asked->coloring.common.output ? lm_ending_check(ctx, "--output", asked->coloring.common.output, ENDINGS)
                                         : LEMAN_OK;
}

static leman_status check_options(leman_context *ctx, const distinguish_options *asked, const leman_coloring *c)
{
    leman_explanation_format format;
    const char *path = asked->coloring.common.output;
    if (asked->family) return check_family(ctx, asked);
    if (asked->explain && explained_format(ctx, asked, &format)) return LEMAN_ERROR_ARGUMENT;
    if (!asked->explain && path && lm_ending_check(ctx, "--output", path, LM_RESULT_ENDINGS))
        return LEMAN_ERROR_ARGUMENT;
    if (asked->explain && asked->all) return MISUSE(ctx, "found both --explain and --all, expected one of them");
    if (asked->explain && asked->coloring.common.json)
        return MISUSE(ctx, "found both --explain and --json, expected one of them");
    if (asked->all && asked->coloring.algorithm)
        return MISUSE(ctx, "found both --all and -a %s, expected one of them", asked->coloring.algorithm);
    if (asked->all && !c->count_every_round && c->rounds == LEMAN_STABLE)
        return MISUSE(ctx, "found --count-rounds last, which has no meaning with -r stable");
    if (asked->all && c->k > MAX_COLUMNS)
        return MISUSE(ctx, "found -k %u with --all, expected at most %d", c->k, MAX_COLUMNS);
    return LEMAN_OK;
}

static leman_status distinguish_run(lm_work *work, const void *options)
{
    const distinguish_options *asked = options;
    leman_coloring coloring = leman_coloring_default();
    leman_difference *d = NULL;
    AUTO(graphs_free) graphs g = {0};
    coloring.rounds = LEMAN_STABLE;
    coloring.count_every_round = true;
    PASS(lm_coloring_read(work->ctx, &asked->coloring, &coloring));
    PASS(check_options(work->ctx, asked, &coloring));
    if (asked->family) return run_family(work, asked, &coloring);
    PASS(read_graphs(work, asked, &g));
    if (asked->explain && g.pairs > 1)
        return lm_fail(work->ctx, LEMAN_ERROR_INPUT, "--explain explains one pair, and %s has %zu", asked->pairs,
                       g.pairs);
    PASS(add_apex(work->ctx, asked, &coloring, &g));
    PASS_SCRATCH(work->ctx, d, g.pairs);
    return asked->explain ? run_explain(work, asked, &g, &coloring)
           : asked->all   ? run_all(work, asked, &g, &coloring, d)
                          : run_one(work, asked, &g, &coloring, d);
}

const lm_command lm_command_distinguish = {
    .name = "distinguish",
    .help = &LM_HELP_DISTINGUISH,
    .operand = {{"G", NULL}, {"H", NULL}},
    .common = "algorithm all explain pairs json",
    .groups = {{"Colouring", LM_COLORING_OPTIONS},
               {"Comparison", ROWS},
               {"Reading", LM_READING_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(distinguish_options),
    .run = distinguish_run,
};
