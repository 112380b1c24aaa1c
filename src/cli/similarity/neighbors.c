/* leman neighbors: the nearest graphs of a data set of any length, for each query. */
#include "cli/commands.h"
#include "cli/options/choices.h"
#include "cli/similarity/similar.h"
#include <string.h>

typedef struct neighbors_options {
    lm_kernel_options kernels;
    uint64_t nearest;
} neighbors_options;

enum { NEAREST = 10 /* by default */ };

#define FIELD(member) offsetof(neighbors_options, member)

static const lm_option ROWS[] = {
    LM_ROW("k", 'k', LM_UNSIGNED, FIELD(nearest), "N", HELP_NEIGHBORS_K, .min = 1, .max = UINT32_MAX),
    LM_FILE_ROW(HELP_NEIGHBORS_OUTPUT, LM_SIMILAR_ENDINGS, false),
    {0},
};

typedef struct listing {
    lm_similar queries;
    leman_neighbors *found;
    const char *path; /* of the graphs that were searched */
    uint64_t nearest;
    bool among; /* the graphs that were searched are the queries */
    double seconds;
} listing;

static void listing_free(listing *l)
{
    lm_similar_free(&l->queries);
    leman_neighbors_free(l->found);
}

/* Returns a neighbour; among the queries themselves it is known by its number. */
static leman_neighbor neighbor_of(const listing *l, size_t query, size_t rank)
{
    leman_neighbor found = leman_neighbors_get(l->found, query, rank);
    if (!l->among) return found;
    found.smiles = lm_similar_smiles(&l->queries, (size_t)found.row);
    found.row = l->queries.row[found.row];
    return found;
}

/* An lm_similar_table. */
static leman_status write_table(void *state, lm_output *out, char between)
{
    const listing *l = state;
    const size_t count = leman_neighbors_count(l->found);
    lm_output_printf(out, "query%cquery_name%crank%crow%cname%csmiles%csimilarity\n", between, between, between,
                     between, between, between);
    for (size_t q = 0; q < leman_neighbors_queries(l->found); q++)
        for (size_t rank = 0; rank < count; rank++) {
            const leman_neighbor found = neighbor_of(l, q, rank);
            size_t length;
            const char *name = lm_similar_name(&l->queries, q, &length);
            lm_output_integer(out, (int64_t)l->queries.row[q]);
            lm_similar_cell(out, between, name, length);
            lm_output_printf(out, "%c%zu%c%llu", between, rank + 1, between, (unsigned long long)found.row);
            lm_similar_cell(out, between, found.name, strlen(found.name));
            lm_similar_cell(out, between, found.smiles, strlen(found.smiles));
            lm_output_write(out, &between, 1);
            lm_output_real(out, found.similarity);
            PASS(lm_output_write(out, "\n", 1));
        }
    return LEMAN_OK;
}

/* An lm_similar_fill. */
static void fill_json(void *state, lm_json *json, bool all)
{
    const listing *l = state;
    const size_t count = leman_neighbors_count(l->found), queries = leman_neighbors_queries(l->found);
    LM_PUT(json, json->object, KEY("data", l->path), KEY("k", l->nearest), KEY("queries", queries),
           KEY("graphs", leman_neighbors_graphs(l->found)), MEMBER(l, seconds));
    lm_kernels_json(json, json->object, l->queries.kernels, l->queries.count);
    json_t *list = all ? lm_json_array(json, json->object, "results") : NULL;
    for (size_t q = 0; all && q < queries; q++) {
        json_t *object = lm_json_object(json, list, NULL);
        size_t length;
        const char *name = lm_similar_name(&l->queries, q, &length);
        LM_PUT(json, object, KEY("query", l->queries.row[q]), KEY_TEXT("name", name, length),
               KEY("smiles", lm_similar_smiles(&l->queries, q)));
        json_t *near = lm_json_array(json, object, "neighbors");
        for (size_t rank = 0; rank < count; rank++) {
            const leman_neighbor found = neighbor_of(l, q, rank);
            LM_PUT(json, lm_json_object(json, near, NULL), MEMBER(&found, row), MEMBER(&found, name),
                   MEMBER(&found, smiles), MEMBER(&found, similarity));
        }
    }
}

static leman_status neighbors_run(lm_work *work, const void *options)
{
    const neighbors_options *asked = options;
    const lm_common *common = work->options;
    AUTO(listing_free) listing l = {.nearest = asked->nearest ? asked->nearest : NEAREST};
    char method[128];
    if (common->output && !strcmp(common->output, "-") && common->json)
        return MISUSE(work->ctx, "the neighbours and --json cannot both go to standard output");
    l.among = common->operands == 1;
    l.path = common->operand[common->operands - 1];
    PASS(lm_similar_read(work, &asked->kernels, common->operand[0], &l.queries));
    const lm_similar *q = &l.queries;
    const double began = lm_now();
    PASS(l.among ? leman_neighbors_among(work->ctx, q->data, NULL, q->kernels, q->count, l.nearest, &l.found)
                 : lm_work_neighbors(work, q->data, q->kernels, q->count, l.nearest, &l.found));
    l.seconds = lm_now() - began;
    leman_kernels_paper_name(q->kernels, q->count, method, sizeof method);
    const uint64_t graphs = leman_neighbors_graphs(l.found);
    lm_work_log(work, "%s: compared %s graph%s with %s quer%s by %s", l.path, COUNT_TEXT(graphs), lm_plural(graphs),
                COUNT_TEXT(leman_neighbors_queries(l.found)),
                lm_plural_of(leman_neighbors_queries(l.found), "y", "ies"), method);
    return lm_similar_write(work, &l, fill_json, write_table);
}

const lm_command lm_command_neighbors = {
    .name = "neighbors",
    .help = &LM_HELP_NEIGHBORS,
    .operand = {{"QUERY", NULL}, {"DATA", NULL}},
    .required = 1,
    .common = "k algorithm output memory json",
    .groups = {LM_KERNEL_GROUP,
               {"Colourings", LM_COLORING_OPTIONS + 2},
               {"Neighbours", ROWS},
               {"Reading", LM_READING_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(neighbors_options),
    .run = neighbors_run,
};
