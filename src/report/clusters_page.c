/*
 * Writes the page of clusters: a map of the graphs by kernel PCA, coloured by cluster, by class and by a number, and the
 * centres of the largest clusters, drawn. The map shows at most POINTS graphs: the centres that are drawn, and of the
 * others every so many. O(POINTS^2) kernels and memory for the map.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/sort.h"
#include "report/drawing/layout.h"
#include "report/drawing/molecule_drawing.h"
#include "report/figures.h"
#include "report/kernel_pca.h"
#include "report/page.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 2000, COLORED = 6 /* groups with a colour of their own */, DRAWN = 12 /* centres */ };
enum { NAME = 96, TITLE = 240, SMILES = 60 /* characters that are shown */ };

typedef struct map_page {
    leman_context *ctx;
    lm_output *out;
    const leman_dataset *data;
    const leman_clusters_view *of;
    leman_drawing_options options;
    size_t graphs, clusters;
    size_t *size;                 /* [clusters] number of graphs in each */
    size_t *first;                /* [clusters] a graph of each, its centre */
    size_t largest[DRAWN], drawn; /* the largest clusters, largest first */
    size_t *graph, points;        /* [points] the graphs of the map, increasing */
    double *at;                   /* [2][points] */
    lm_kernel_pca about;
    char (*title)[TITLE]; /* [points] tooltips */
} map_page;

/* Groups of points that have the same mark. */
typedef struct map_groups {
    char name[COLORED + 1][NAME];
    size_t count;   /* the last one may be for all others */
    uint8_t *group; /* [points] */
    bool others;    /* the last group is drawn in the background */
} map_groups;

/* ---- Clusters and points --------------------------------------------------------------------- */

static leman_status find_largest(map_page *p)
{
    PASS_SCRATCH_ZERO(p->ctx, p->size, p->clusters + 1);
    PASS_SCRATCH_ZERO(p->ctx, p->first, p->clusters + 1);
    for (size_t g = 0; g < p->graphs; g++) {
        const uint32_t c = p->of->cluster[g];
        if (c >= p->clusters || p->of->centre[g] >= p->graphs)
            return lm_fail(p->ctx, LEMAN_ERROR_ARGUMENT,
                           "cluster: found %u for graph %zu, expected those of "
                           "leman_clusters_find()",
                           (unsigned)c, g);
        p->size[c]++;
        p->first[c] = p->of->centre[g];
    }
    for (size_t c = 0; c < p->clusters; c++) {
        size_t at = p->drawn < DRAWN ? p->drawn++ : DRAWN;
        if (at == DRAWN && p->size[p->largest[DRAWN - 1]] >= p->size[c]) continue;
        if (at == DRAWN) at--;
        for (; at > 0 && p->size[p->largest[at - 1]] < p->size[c]; at--) p->largest[at] = p->largest[at - 1];
        p->largest[at] = c;
    }
    return LEMAN_OK;
}

/* Chooses the points: the centres that are drawn, and of all graphs every so many. */
static leman_status choose_points(map_page *p)
{
    bool *chosen;
    const size_t most = p->graphs < POINTS ? p->graphs : POINTS - p->drawn;
    PASS_SCRATCH_ZERO(p->ctx, chosen, p->graphs + 1);
    for (size_t i = 0; i < most; i++) chosen[(size_t)((double)i * (double)p->graphs / (double)most)] = true;
    for (size_t i = 0; i < p->drawn; i++) chosen[p->first[p->largest[i]]] = true;
    PASS_SCRATCH(p->ctx, p->graph, p->graphs + 1);
    for (size_t g = 0; g < p->graphs; g++)
        if (chosen[g]) p->graph[p->points++] = g;
    return LEMAN_OK;
}

static leman_status find_places(map_page *p, const leman_kernel *kernels, size_t count)
{
    AUTO(leman_dataset_drop) leman_dataset *shown = NULL;
    double *gram;
    PASS(leman_dataset_select(p->ctx, p->data, p->points, p->graph, &shown));
    PASS_SCRATCH(p->ctx, p->at, 2 * p->points + 1);
    PASS_SCRATCH(p->ctx, gram, p->points * p->points + 1);
    PASS(leman_gram_compute(p->ctx, shown, NULL, kernels, count, true, gram));
    return lm_kernel_pca_compute(p->ctx, gram, p->points, p->at, &p->about);
}

/* Writes the name of a graph, at most 80 bytes of whole characters, or "graph 7". Returns text. */
static const char *graph_text(const map_page *p, size_t graph, char *text, size_t size)
{
    size_t length;
    const char *name = leman_dataset_graph_name(p->data, graph, &length);
    if (length > 80)
        for (length = 80; length && (name[length] & 0xC0) == 0x80;) length--; /* inside a character of UTF-8 */
    if (length)
        snprintf(text, size, "%.*s", (int)length, name);
    else
        snprintf(text, size, "graph %zu", graph);
    return text;
}

static leman_status write_titles(map_page *p)
{
    PASS_SCRATCH(p->ctx, p->title, p->points + 1);
    for (size_t i = 0; i < p->points; i++) {
        const size_t g = p->graph[i], centre = p->of->centre[g];
        char name[NAME], value[LM_NUMBER_TEXT + 8] = "";
        if (p->of->value && isfinite(p->of->value[g])) lm_snprintf(value, sizeof value, ", %.4g", p->of->value[g]);
        snprintf(p->title[i], TITLE, "%s: %scluster %u%s", graph_text(p, g, name, sizeof name),
                 centre == g ? "centre of " : "", (unsigned)p->of->cluster[g], value);
    }
    return LEMAN_OK;
}

/* ---- Maps ------------------------------------------------------------------------------------ */

static leman_status draw_map(const map_page *p, const char *heading, const char *caption, const map_groups *groups)
{
    SCRATCH_SCOPE(p->ctx);
    char across[64], up[64];
    const char **titles;
    double *x, *y;
    lm_series series[COLORED + 1];
    size_t used = 0;
    PASS_SCRATCH(p->ctx, x, p->points + 1);
    PASS_SCRATCH(p->ctx, y, p->points + 1);
    PASS_SCRATCH(p->ctx, titles, p->points + 1);
    for (size_t s = 0; s < groups->count; s++) { /* others first, behind the rest */
        const size_t g = groups->others ? (s + groups->count - 1) % groups->count : s, first = used;
        for (size_t i = 0; i < p->points; i++)
            if (groups->group[i] == g) x[used] = p->at[i], y[used] = p->at[p->points + i], titles[used++] = p->title[i];
        series[s] = lm_series_dots(groups->name[g], used - first, x + first, y + first, (unsigned)g);
        series[s].titles = titles + first, series[s].faded = true;
        series[s].quiet = groups->others && g == groups->count - 1;
    }
    lm_snprintf(across, sizeof across, "first component: %.0f %% of the variance", 100 * p->about.share[0]);
    lm_snprintf(up, sizeof up, "second component: %.0f %%", 100 * p->about.share[1]);
    lm_chart chart = lm_chart_new(heading, "A mark for each graph; its name is in its tooltip.", across, up);
    chart.height = 420, chart.equal = chart.x.plain = chart.y.plain = true;
    lm_chart_show(&chart, series, groups->count);
    const double margin = 0.04 * fmax(chart.x.high - chart.x.low, chart.y.high - chart.y.low);
    chart.x.low -= margin, chart.x.high += margin, chart.y.low -= margin, chart.y.high += margin;
    lm_figure_begin(p->out, heading, &chart);
    lm_page(p->out, "<figcaption>%s</figcaption>\n</figure>\n", caption);
    return LEMAN_OK;
}

static leman_status map_of_clusters(const map_page *p)
{
    map_groups groups = {.count = p->drawn < COLORED ? p->drawn : COLORED};
    PASS_SCRATCH(p->ctx, groups.group, p->points + 1);
    for (size_t g = 0; g < groups.count; g++)
        snprintf(groups.name[g], NAME, "cluster %zu, %zu graph%s", p->largest[g], p->size[p->largest[g]],
                 lm_plural(p->size[p->largest[g]]));
    for (size_t i = 0; i < p->points; i++) {
        uint8_t g = 0;
        while (g < groups.count && p->largest[g] != p->of->cluster[p->graph[i]]) g++;
        groups.group[i] = g;
    }
    groups.others = p->clusters > groups.count;
    if (groups.others) {
        snprintf(groups.name[groups.count], NAME, "%zu others", p->clusters - groups.count);
        groups.count++;
    }
    return draw_map(p, "By cluster", "The largest clusters have colours.", &groups);
}

static leman_status map_of_classes(const map_page *p)
{
    const int64_t *class_of = leman_dataset_classes(p->data);
    map_groups groups = {0};
    int64_t label[COLORED];
    if (!class_of) return LEMAN_OK;
    PASS_SCRATCH(p->ctx, groups.group, p->points + 1);
    for (size_t i = 0; i < p->points; i++) {
        const int64_t found = class_of[p->graph[i]];
        size_t g = 0, length;
        while (g < groups.count && label[g] != found) g++;
        if (g == COLORED) return LEMAN_OK;
        groups.group[i] = (uint8_t)g;
        if (g < groups.count) continue;
        const char *word = leman_dataset_class_name(p->data, found, &length);
        label[groups.count] = found;
        if (found == LEMAN_CLASS_MISSING)
            snprintf(groups.name[groups.count++], NAME, "class not known");
        else if (length)
            snprintf(groups.name[groups.count++], NAME, "class %.*s", (int)(length < 60 ? length : 60), word);
        else
            snprintf(groups.name[groups.count++], NAME, "class %lld", (long long)found);
    }
    return draw_map(p, "By class", "The same places; colours are classes.", &groups);
}

/* Thirds of the points that have a number, and the others. */
static leman_status map_of_values(const map_page *p)
{
    map_groups groups = {.count = 3};
    double *sorted, cut[2];
    char heading[NAME];
    size_t known = 0;
    if (!p->of->value) return LEMAN_OK;
    PASS_SCRATCH(p->ctx, groups.group, p->points + 1);
    PASS_SCRATCH(p->ctx, sorted, p->points + 1);
    for (size_t i = 0; i < p->points; i++)
        if (isfinite(p->of->value[p->graph[i]])) sorted[known++] = p->of->value[p->graph[i]];
    if (known < 3) return LEMAN_OK;
    qsort(sorted, known, sizeof *sorted, lm_compare_double);
    for (size_t i = 0; i < 2; i++) cut[i] = sorted[known * (i + 1) / 3];
    for (size_t i = 0; i < p->points; i++) {
        const double value = p->of->value[p->graph[i]];
        groups.group[i] = !isfinite(value) ? 3 : (uint8_t)((value >= cut[0]) + (value >= cut[1]));
    }
    lm_snprintf(groups.name[0], NAME, "below %.4g", cut[0]);
    lm_snprintf(groups.name[1], NAME, "%.4g to below %.4g", cut[0], cut[1]);
    lm_snprintf(groups.name[2], NAME, "from %.4g", cut[1]);
    groups.others = known < p->points;
    if (groups.others) snprintf(groups.name[groups.count++], NAME, "not known");
    snprintf(heading, sizeof heading, "By %.60s", p->of->value_name);
    return draw_map(p, heading, "The same places; colours are thirds of the values.", &groups);
}

/* ---- Centres --------------------------------------------------------------------------------- */

static leman_status draw_centre(const map_page *p, size_t rank)
{
    const size_t cluster = p->largest[rank], graph = p->first[cluster];
    const leman_graph g = leman_dataset_graph(p->data, graph);
    const char *smiles = p->options.smiles ? p->options.smiles[graph] : NULL;
    char name[NAME];
    lm_page(p->out, "<figure class=\"attribution\">\n<h3>");
    if (rank < COLORED) {
        lm_page(p->out, "<svg class=\"swatch c%u\" viewBox=\"0 0 10 10\" aria-hidden=\"true\">",
                lm_style_color((unsigned)rank));
        lm_mark_write(p->out, (unsigned)rank, 5, 5, 4.2, NULL);
        lm_page(p->out, "</svg>");
    }
    lm_page(p->out, "Cluster %zu</h3>\n<p class=\"note\">%zu graph%s; centre: %s</p>\n", cluster, p->size[cluster],
            lm_plural(p->size[cluster]), graph_text(p, graph, name, sizeof name));
    if (smiles && strlen(smiles) > SMILES)
        lm_page(p->out, "<p class=\"note\"><code title=\"%s\">%.*s&#8230;</code></p>\n", smiles, SMILES, smiles);
    else if (smiles && *smiles)
        lm_page(p->out, "<p class=\"note\"><code>%s</code></p>\n", smiles);
    if (g.vertices && g.vertices <= LM_LAYOUT_VERTICES)
        PASS(lm_molecule_drawing_write(
            p->ctx, p->out, &g, NULL, NULL, 0,
            &(lm_molecule_drawing_options){.title = name, .numbers = p->options.atom_numbers}));
    else
        lm_page(p->out, "<p class=\"note\">%zu vertices: not drawn.</p>\n", g.vertices);
    lm_page(p->out, "</figure>\n");
    return LEMAN_OK;
}

/* ---- The page -------------------------------------------------------------------------------- */

static void head(const map_page *p, const char *method)
{
    char text[2][LM_NUMBER_TEXT];
    lm_page(
        p->out,
        "<header>\n<p class=\"kicker\">Leman &#183; similar graphs</p>\n<h1>Clusters of %s</h1>\n<p class=\"lead\">%s "
        "graph%s in %s cluster%s: graphs whose similarity to a centre is at least %g, by %s.</p>\n</header>\n",
        leman_dataset_shape(p->data)->name, lm_count_text(p->graphs, text[0]), lm_plural(p->graphs),
        lm_count_text(p->clusters, text[1]), lm_plural(p->clusters), p->of->least, method);
}

static leman_status sections(map_page *p)
{
    char text[2][LM_NUMBER_TEXT];
    lm_page(
        p->out,
        "<section>\n<h2>Map</h2>\n<p>Kernel PCA puts similar graphs near each other, as well as two axes can show it. "
        "The name of a graph is in its tooltip.");
    if (p->points < p->graphs)
        lm_page(p->out, " %s of the %s graphs are shown: the centres below, and every so many of the others.",
                lm_count_text(p->points, text[0]), lm_count_text(p->graphs, text[1]));
    lm_page(p->out, "</p>\n<div class=\"pair\">\n");
    PASS(map_of_clusters(p));
    PASS(map_of_classes(p));
    PASS(map_of_values(p));
    lm_page(p->out, "</div>\n</section>\n<section>\n<h2>Centres of the largest clusters</h2>\n<div class=\"cards\">\n");
    for (size_t i = 0; i < p->drawn; i++) PASS(draw_centre(p, i));
    lm_page(p->out, "</div>\n</section>\n");
    return LEMAN_OK;
}

LM_OPTIONS(leman_clusters_view, view, 0)

leman_status leman_clusters_page_write(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                       size_t count, const leman_clusters_view *view,
                                       const leman_drawing_options *options, const char *command, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    leman_clusters_view of = leman_clusters_view_default();
    char method[128];
    REQUIRE(ctx, data, kernels, view, path);
    SCRATCH_SCOPE(ctx);
    PASS(lm_options_copy(ctx, "leman_clusters_view", view, &of, sizeof of));
    if (!of.cluster || !of.centre || (of.value && !of.value_name))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "view: found NULL in it, expected clusters and centres, and a name of values");
    map_page p = {.ctx = ctx,
                  .out = &out,
                  .data = data,
                  .of = &of,
                  .clusters = of.clusters,
                  .options = leman_drawing_options_default(),
                  .graphs = leman_dataset_shape(data)->graphs};
    PASS(lm_options_copy(ctx, "leman_drawing_options", options, &p.options, sizeof p.options));
    if (!p.graphs)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no graphs, expected at least one",
                       leman_dataset_shape(data)->name);
    PASS(find_largest(&p));
    PASS(choose_points(&p));
    PASS(find_places(&p, kernels, count));
    PASS(write_titles(&p));
    leman_kernels_paper_name(kernels, count, method, sizeof method);
    PASS(lm_output_open(ctx, path, &out));
    lm_page_begin(&out, leman_dataset_shape(data)->name, "A map of graphs by similarity, and their clusters.");
    head(&p, method);
    PASS(sections(&p));
    lm_page_reproduce_begin(&out, command);
    lm_page_row(&out, "checksum of the data", "%016" PRIx64, leman_dataset_checksum(data));
    lm_page_reproduce_end(&out, "Numbers of graphs, clusters and atoms count from 0.");
    lm_page_end(&out);
    return lm_output_commit(&out);
}
