/* leman clusters: groups of similar graphs, by exclusion spheres. */
#include "cli/commands.h"
#include "cli/options/choices.h"
#include "cli/similarity/similar.h"
#include "leman/report.h"
#include <string.h>

typedef struct clusters_options {
    lm_kernel_options kernels;
    double similarity;
    const char *report, *color;
} clusters_options;

static const double LEAST = 0.6; /* by default */

#define FIELD(member) offsetof(clusters_options, member)

static const lm_option ROWS[] = {
    LM_ROW("similarity", 0, LM_REAL, FIELD(similarity), "S", HELP_CLUSTERS_SIMILARITY, .low = 1e-9, .high = 1),
    LM_FILE_ROW(HELP_CLUSTERS_OUTPUT, LM_SIMILAR_ENDINGS, false),
    LM_WRITTEN_ROW("report", FIELD(report), HELP_CLUSTERS_REPORT, LM_PAGE_ENDINGS),
    LM_ROW("color", 0, LM_TEXT, FIELD(color), "COLUMN", HELP_CLUSTERS_COLOR, .needs = "report"),
    {0},
};

typedef struct listing {
    lm_similar of;
    size_t graphs, clusters;
    uint32_t *cluster, *centre; /* [graphs] */
    double *similarity;         /* [graphs] to the centre */
    size_t largest, single;     /* graphs of the largest cluster; clusters of one graph */
    double least, seconds;
} listing;

static void listing_free(listing *l)
{
    lm_similar_free(&l->of);
}

static leman_status count_members(leman_context *ctx, listing *l)
{
    size_t *count;
    PASS_SCRATCH_ZERO(ctx, count, l->clusters);
    for (size_t i = 0; i < l->graphs; i++) count[l->cluster[i]]++;
    for (size_t c = 0; c < l->clusters; c++) {
        if (count[c] > l->largest) l->largest = count[c];
        l->single += count[c] == 1;
    }
    return LEMAN_OK;
}

/* An lm_similar_table. */
static leman_status write_table(void *state, lm_output *out, char between)
{
    const listing *l = state;
    lm_output_printf(out, "row%cname%csmiles%ccluster%ccentre%csimilarity\n", between, between, between, between,
                     between);
    for (size_t i = 0; i < l->graphs; i++) {
        size_t length;
        const char *name = lm_similar_name(&l->of, i, &length), *smiles = lm_similar_smiles(&l->of, i);
        lm_output_integer(out, (int64_t)l->of.row[i]);
        lm_similar_cell(out, between, name, length);
        lm_similar_cell(out, between, smiles, strlen(smiles));
        lm_output_printf(out, "%c%u%c%zu%c", between, l->cluster[i], between, l->of.row[l->centre[i]], between);
        lm_output_real(out, l->similarity[i]);
        PASS(lm_output_write(out, "\n", 1));
    }
    return LEMAN_OK;
}

/* An lm_similar_fill. */
static void fill_json(void *state, lm_json *json, bool all)
{
    const listing *l = state;
    LM_PUT(json, json->object, KEY("similarity", l->least), MEMBER(l, graphs), MEMBER(l, clusters), MEMBER(l, largest),
           MEMBER(l, single), MEMBER(l, seconds));
    lm_kernels_json(json, json->object, l->of.kernels, l->of.count);
    json_t *list = all ? lm_json_array(json, json->object, "results") : NULL;
    for (size_t i = 0; all && i < l->graphs; i++) {
        size_t length;
        const char *name = lm_similar_name(&l->of, i, &length);
        LM_PUT(json, lm_json_object(json, list, NULL), KEY("row", l->of.row[i]), KEY_TEXT("name", name, length),
               KEY("smiles", lm_similar_smiles(&l->of, i)), KEY("cluster", l->cluster[i]),
               KEY("centre", l->of.row[l->centre[i]]), KEY("similarity", l->similarity[i]));
    }
}

/* Writes the page, if one was asked for. */
static leman_status write_page(lm_work *work, const clusters_options *asked, const listing *l, size_t target,
                               const char *name)
{
    leman_context *ctx = work->ctx;
    leman_clusters_view view = leman_clusters_view_default();
    leman_drawing_options drawing = leman_drawing_options_default();
    const size_t columns = leman_dataset_shape(l->of.data)->columns->targets;
    const char **smiles;
    double *value;
    char *line;
    if (!asked->report) return LEMAN_OK;
    view.cluster = l->cluster, view.centre = l->centre, view.clusters = l->clusters, view.least = l->least;
    PASS_SCRATCH(ctx, value, l->graphs + 1);
    PASS_SCRATCH(ctx, smiles, l->graphs + 1);
    for (size_t i = 0; i < l->graphs; i++) smiles[i] = lm_similar_smiles(&l->of, i);
    drawing.smiles = smiles;
    if (name) {
        for (size_t i = 0; i < l->graphs; i++) value[i] = leman_dataset_targets(l->of.data)[i * columns + target];
        view.value = value, view.value_name = name;
    }
    PASS(lm_command_line(work, &line));
    PASS(leman_clusters_page_write(ctx, l->of.data, l->of.kernels, l->of.count, &view, &drawing, line, asked->report));
    lm_work_log(work, "%s: wrote a map", asked->report);
    return LEMAN_OK;
}

static leman_status clusters_run(lm_work *work, const void *options)
{
    const clusters_options *asked = options;
    const lm_common *common = work->options;
    leman_context *ctx = work->ctx;
    AUTO(listing_free) listing l = {.least = asked->similarity > 0 ? asked->similarity : LEAST};
    char method[128];
    size_t target = 0;
    if (common->output && !strcmp(common->output, "-") && common->json)
        return MISUSE(ctx, "the clusters and --json cannot both go to standard output");
    PASS(lm_similar_read(work, &asked->kernels, common->operand[0], &l.of));
    l.graphs = leman_dataset_shape(l.of.data)->graphs;
    if (asked->color) PASS(leman_dataset_target_find(ctx, l.of.data, asked->color, &target));
    PASS_SCRATCH(ctx, l.cluster, l.graphs);
    PASS_SCRATCH(ctx, l.centre, l.graphs);
    PASS_SCRATCH(ctx, l.similarity, l.graphs);
    const double began = lm_now();
    PASS(leman_clusters_find(ctx, l.of.data, l.of.kernels, l.of.count, l.least, l.cluster, l.centre, l.similarity,
                             &l.clusters));
    l.seconds = lm_now() - began;
    PASS(count_members(ctx, &l));
    leman_kernels_paper_name(l.of.kernels, l.of.count, method, sizeof method);
    lm_work_log(work, "%s: %s cluster%s of %s graph%s by %s; the largest has %s, %s %s one graph", common->operand[0],
                COUNT_TEXT(l.clusters), lm_plural(l.clusters), COUNT_TEXT(l.graphs), lm_plural(l.graphs), method,
                COUNT_TEXT(l.largest), COUNT_TEXT(l.single), l.single == 1 ? "has" : "have");
    PASS(write_page(work, asked, &l, target, asked->color));
    return lm_similar_write(work, &l, fill_json, write_table);
}

const lm_command lm_command_clusters = {
    .name = "clusters",
    .help = &LM_HELP_CLUSTERS,
    LM_DATA_OPERAND,
    .common = "similarity algorithm output json",
    .groups = {LM_KERNEL_GROUP,
               {"Colourings", LM_COLORING_REST},
               {"Clusters", ROWS},
               {"Reading", LM_READING_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(clusters_options),
    .run = clusters_run,
};
