/* leman dimension: the smallest k for which k-WL tells graphs apart, for pairs and for the graphs of a data set. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/options/coloring.h"
#include <stdio.h>

typedef struct dimension_options {
    lm_coloring_options coloring; /* only `ignore` is an option here */
    const char *pairs;
    uint64_t max_k;
} dimension_options;

#define FIELD(member) offsetof(dimension_options, member)

/* k = 4 would take hours for a hundred vertices. */
enum { DEFAULT_MAX_K = 3 };

static const lm_option ROWS[] = {
    LM_ROW("max-k", 0, LM_UNSIGNED, FIELD(max_k), "N", HELP_DIMENSION_MAX_K, .min = 1, .max = LM_MAX_K),
    LM_ROW("pairs", 0, LM_TEXT, FIELD(pairs), "FILE", HELP_DIMENSION_PAIRS),
    LM_ROW("ignore", 0, LM_SET, FIELD(coloring.ignore), "LIST", HELP_COLORING_IGNORE, .choices = LM_IGNORABLE),
    LM_RESULT_ROW,
    {0},
};

static void dimension_prepare(void *options)
{
    ((dimension_options *)options)->max_k = DEFAULT_MAX_K;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static void put_pairs(lm_json *json, unsigned max_k, const leman_dimension *d, size_t pairs)
{
    LM_PUT(json, json->object, KEY("max_k", max_k), KEY("pairs", pairs));
    LM_PUT_ROWS(json, json->object, "results", pair, d, pairs, KEY("pair", i),
                KEY_IF(pair->folklore, "folklore", pair->folklore), KEY_IF(pair->wl, "wl", pair->wl),
                KEY_IF(pair->folklore, "round", pair->round), MEMBER(pair, isomorphic), MEMBER(pair, tried),
                KEY_IF(pair->bytes, "bytes", pair->bytes));
}

/* Writes what ended a search: "(k = 4 needs 12 GiB, the memory budget is 8 GiB)", or nothing. */
static const char *limit_text(const lm_work *work, unsigned tried, uint64_t bytes, char *text, size_t size)
{
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
    text[0] = '\0';
    if (bytes)
        snprintf(text, size, " (k = %u needs %s, the memory budget is %s)", tried + 1, lm_bytes_text(bytes, needed),
                 lm_budget_text(work->ctx, lm_budget(work->ctx), available));
    return text;
}

static const char *pair_text(const lm_work *work, const leman_dimension *d, char *text, size_t size)
{
    char limit[160];
    if (d->folklore && d->wl)
        snprintf(text, size, "%u-FWL tells them apart in round %u; of k-WL, %u-WL does", d->folklore, d->round, d->wl);
    else if (d->folklore)
        snprintf(text, size, "%u-FWL tells them apart in round %u", d->folklore, d->round);
    else if (d->isomorphic)
        snprintf(text, size, "isomorphic: no k tells them apart");
    else
        snprintf(text, size, "more than %u: %u-FWL and %u-WL do not tell them apart%s", d->tried, d->tried,
                 d->tried > 1 ? d->tried + 1 : 1, limit_text(work, d->tried, d->bytes, limit, sizeof limit));
    return text;
}

static leman_status write_pairs(lm_work *work, const leman_dimension *d, size_t pairs)
{
    lm_table table = {.ctx = work->ctx, .align = "rrl"};
    char text[320];
    lm_output *out;
    PASS(lm_work_results(work, &out));
    if (pairs == 1) {
        if (d->folklore) PASS(lm_output_printf(out, "dimension %u: ", d->folklore));
        if (!d->folklore && !d->isomorphic) PASS(lm_output_printf(out, "dimension "));
        return lm_output_printf(out, "%s.\n", pair_text(work, d, text, sizeof text));
    }
    LM_TABLE_ROW(&table, "pair", "dimension", "");
    for (size_t i = 0; i < pairs; i++)
        LM_TABLE_ROW(&table, COUNT_TEXT(i),
                     d[i].folklore     ? FORMAT("%u", d[i].folklore)
                     : d[i].isomorphic ? "-"
                                       : FORMAT("> %u", d[i].tried),
                     pair_text(work, &d[i], text, sizeof text));
    return lm_table_write(&table, out);
}

/* ---- The graphs of a data set ---------------------------------------------------------------- */

static void put_graphs(lm_json *json, unsigned max_k, const leman_graph_dimension *d, size_t count,
                       const size_t *classes)
{
    LM_PUT(json, json->object, KEY("max_k", max_k), KEY("graphs", count));
    LM_PUT_ROWS(json, json->object, "classes", number, classes, max_k, KEY("k", i + 1), KEY("classes", *number));
    LM_PUT_ROWS(json, json->object, "results", graph, d, count, KEY("graph", i), MEMBER(graph, at_least),
                MEMBER(graph, at_most), KEY_IF(graph->within, "within", graph->within), MEMBER(graph, tried),
                MEMBER(graph, first), KEY_IF(graph->bytes, "bytes", graph->bytes));
}

/* The largest k that the graphs of the data need to be told apart, 0 if that is unknown; *open: graphs of which it is. */
static unsigned within_all(const leman_graph_dimension *d, size_t count, size_t *open,
                           const leman_graph_dimension **rest)
{
    unsigned most = 1;
    *open = 0;
    for (size_t i = 0; i < count; i++) {
        if (d[i].within > most) most = d[i].within;
        if (d[i].within) continue;
        ++*open;
        if (!*rest || d[i].bytes > (*rest)->bytes) *rest = &d[i];
    }
    return *open ? 0 : most;
}

static leman_status write_bounds(lm_work *work, const leman_graph_dimension *d, size_t count, lm_output *out)
{
    lm_table table = {.ctx = work->ctx, .align = "rr"};
    unsigned most = 0;
    LM_TABLE_ROW(&table, "WL dimension", "graphs");
    for (size_t i = 0; i < count; i++)
        if (d[i].at_least > most) most = d[i].at_least;
    for (unsigned k = 1; k <= most; k++) {
        size_t exact = 0, more = 0;
        for (size_t i = 0; i < count; i++) {
            exact += d[i].at_least == k && d[i].at_most == k;
            more += d[i].at_least == k && d[i].at_most != k;
        }
        if (exact) LM_TABLE_ROW(&table, FORMAT("%u", k), COUNT_TEXT(exact));
        if (more) LM_TABLE_ROW(&table, FORMAT("%u or more", k), COUNT_TEXT(more));
    }
    return lm_table_write(&table, out);
}

static leman_status write_graphs(lm_work *work, const char *name, unsigned max_k, const leman_graph_dimension *d,
                                 size_t count, const size_t *classes)
{
    lm_table table = {.ctx = work->ctx, .align = "rr"};
    const leman_graph_dimension *rest = NULL;
    char limit[160];
    size_t open;
    const unsigned most = within_all(d, count, &open, &rest);
    lm_output *out;
    PASS(lm_work_results(work, &out));
    PASS(lm_output_printf(out, "%s: %s graph%s\n\n", name, COUNT_TEXT(count), lm_plural(count)));
    PASS(write_bounds(work, d, count, out));
    PASS(lm_write_text(out, "\n"));
    LM_TABLE_ROW(&table, "k-FWL", "classes of graphs");
    for (unsigned k = 1; k <= max_k; k++) LM_TABLE_ROW(&table, FORMAT("%u", k), COUNT_TEXT(classes[k - 1]));
    PASS(lm_table_write(&table, out));
    if (most)
        return lm_output_printf(out, "\n%u-FWL (%u-WL) tells apart all graphs of the data that are not isomorphic.\n",
                                most, most > 1 ? most + 1 : 1);
    return lm_output_printf(out, "\n%s graph%s %s not told apart from all others up to k = %u%s.\n", COUNT_TEXT(open),
                            lm_plural(open), lm_plural_of(open, "is", "are"), rest->tried,
                            limit_text(work, rest->tried, rest->bytes, limit, sizeof limit));
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status run_pairs(lm_work *work, const dimension_options *asked, const leman_coloring *c)
{
    AUTO(leman_dataset_drop) leman_dataset *a = NULL, *b = NULL;
    const lm_common *common = &asked->coloring.common;
    const unsigned max_k = (unsigned)asked->max_k;
    leman_dimension *d;
    size_t pairs = 1;
    if (asked->pairs) {
        PASS(lm_work_read_as(work, asked->pairs, LEMAN_FORMAT_PAIRS, NULL, &a));
        pairs = leman_dataset_shape(a)->graphs / 2;
        PASS_SCRATCH(work->ctx, d, pairs);
        PASS(leman_pair_dimensions(work->ctx, a, c, max_k, d));
    } else {
        for (int i = 0; i < 2; i++) {
            PASS(lm_work_read(work, common->operand[i], NULL, i ? &b : &a));
            lm_coloring_attributes_remark(work, &asked->coloring, i ? b : a);
            const size_t found = leman_dataset_shape(i ? b : a)->graphs;
            if (found != 1)
                return lm_fail(work->ctx, LEMAN_ERROR_INPUT,
                               "%s: found %zu graph%s, expected one, to compare with that of the other file",
                               common->operand[i], found, lm_plural(found));
        }
        leman_graph first = leman_dataset_graph(a, 0), second = leman_dataset_graph(b, 0);
        PASS_SCRATCH(work->ctx, d, 1);
        PASS(leman_pair_dimension(work->ctx, &first, &second, c, max_k, d));
    }
    if (!common->json) return write_pairs(work, d, pairs);
    put_pairs(&work->json, max_k, d, pairs);
    return LEMAN_OK;
}

static leman_status run_graphs(lm_work *work, const dimension_options *asked, const leman_coloring *c)
{
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    const unsigned max_k = (unsigned)asked->max_k;
    leman_graph_dimension *d;
    size_t *classes;
    PASS(lm_work_read(work, asked->coloring.common.operand[0], NULL, &data));
    lm_coloring_attributes_remark(work, &asked->coloring, data);
    const leman_shape *shape = leman_dataset_shape(data);
    PASS_SCRATCH(work->ctx, d, shape->graphs);
    PASS_SCRATCH(work->ctx, classes, max_k);
    PASS(leman_graph_dimensions(work->ctx, data, c, max_k, d, classes));
    if (!asked->coloring.common.json) return write_graphs(work, shape->name, max_k, d, shape->graphs, classes);
    put_graphs(&work->json, max_k, d, shape->graphs, classes);
    return LEMAN_OK;
}

static leman_status dimension_run(lm_work *work, const void *options)
{
    const dimension_options *asked = options;
    const lm_common *common = &asked->coloring.common;
    leman_coloring c = leman_coloring_default();
    work->without_vertex_attributes = true;
    PASS(lm_coloring_read(work->ctx, &asked->coloring, &c));
    if (asked->pairs && common->operands)
        return MISUSE(work->ctx, "found both --pairs and '%s', expected one of them", common->operand[0]);
    if (!asked->pairs && !common->operands)
        return MISUSE(work->ctx, "graphs are missing: give two files of one graph, a data set, or --pairs FILE");
    return asked->pairs || common->operands == 2 ? run_pairs(work, asked, &c) : run_graphs(work, asked, &c);
}

const lm_command lm_command_dimension = {
    .name = "dimension",
    .help = &LM_HELP_DIMENSION,
    .operand = {{"G", NULL}, {"H", NULL}},
    .common = "max-k pairs ignore json",
    .groups = {{"Comparison", ROWS}, {"Reading", LM_READING_OPTIONS}, {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(dimension_options),
    .prepare = dimension_prepare,
    .run = dimension_run,
};
