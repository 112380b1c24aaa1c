/*
 * Writes attributions of predictions: one SVG file with a grid of pictures, or a page with a card for each, which has the
 * picture, the prediction, the parts of its score, the atoms that contribute most, and the most important support
 * graphs. All pictures have a common scale. O(vertices + edges) for each attribution, beside the layouts.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/sort.h"
#include "base/text.h"
#include "report/drawing/layout.h"
#include "report/drawing/molecule_drawing.h"
#include "report/explain.h"
#include "report/page.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Attributions of graphs of `data`, checked by check_attributions(). */
typedef struct attribution_list {
    leman_context *ctx;
    const leman_dataset *data;
    const leman_attribution *const *item; /* [count] */
    size_t count;
    double scale; /* common scale of all pictures: 90 % of them have their largest absolute value within it */
    leman_drawing_options options;
} attribution_list;

LM_OPTIONS(leman_drawing_options, options, 0)

static double largest(const leman_attribution *a)
{
    double most = 0;
    for (size_t v = 0; v < a->vertices; v++) most = fmax(most, fabs(a->vertex[v]));
    for (size_t e = 0; e < a->edges; e++) most = fmax(most, fabs(a->edge[e]));
    return most;
}

/* Fails with LEMAN_ERROR_ARGUMENT if there are no attributions, or one does not fit a graph of the data. */
static leman_status check_attributions(leman_context *ctx, const leman_dataset *data,
                                       const leman_attribution *const *attributions, size_t count,
                                       const leman_drawing_options *options, attribution_list *out)
{
    SCRATCH_SCOPE(ctx);
    double *most;
    if (!count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "attributions: found none, expected at least one");
    PASS_SCRATCH(ctx, most, count);
    for (size_t i = 0; i < count; i++) {
        const leman_attribution *a = attributions[i];
        if (!a || a->graph >= leman_dataset_shape(data)->graphs ||
            a->vertices != leman_dataset_graph(data, a->graph).vertices)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "attributions[%zu]: expected one of a graph of the data", i);
        most[i] = largest(a);
    }
    qsort(most, count, sizeof *most, lm_compare_double);
    *out =
        (attribution_list){ctx, data, attributions, count, most[(count - 1) * 9 / 10], leman_drawing_options_default()};
    if (!(out->scale > 0)) out->scale = most[count - 1] > 0 ? most[count - 1] : 1;
    return lm_options_copy(ctx, "leman_drawing_options", options, &out->options, sizeof out->options);
}

enum { TEXT = 200 };

/* Writes the name of the graph, or "graph 7". Returns text. */
static const char *graph_text(const attribution_list *all, size_t i, char text[TEXT])
{
    size_t length;
    const size_t graph = all->item[i]->graph;
    const char *name = leman_dataset_graph_name(all->data, graph, &length);
    if (length)
        snprintf(text, TEXT, "%.*s", (int)(length < 80 ? length : 80), name);
    else
        snprintf(text, TEXT, "graph %zu", graph);
    return text;
}

/* Writes the prediction: "class active, probability 0.83, score +1.2", or "logP: 2.1". Returns text. */
static const char *prediction_text(const leman_attribution *a, char text[TEXT])
{
    const char *between = *a->column ? ": " : "";
    if (a->label == LEMAN_CLASS_MISSING)
        lm_snprintf(text, TEXT, "%.60s%s%.4g", *a->column ? a->column : "value ", between, a->score);
    else
        lm_snprintf(text, TEXT, "%.40s%sclass %.40s, probability %.2f, score %+.3g", a->column, between, a->name,
                    a->probability, a->score);
    return text;
}

/* Writes "outside the domain: similarity 0.11" and what follows, or "" for a graph inside. Returns text. */
static const char *domain_text(const leman_attribution *a, const char *more, char text[TEXT])
{
    *text = 0;
    if (!(a->domain < LEMAN_OUTSIDE_DOMAIN)) return text;
    if (isnan(a->similarity))
        lm_snprintf(text, TEXT, "outside the domain: mostly unknown%s", *more ? " to the model" : "");
    else
        lm_snprintf(text, TEXT, "outside the domain: similarity %.2f%s", a->similarity, more);
    return text;
}

/* Returns true if the graph is not empty and small enough to be drawn. */
static bool is_drawable(const leman_attribution *a)
{
    return a->vertices && a->vertices <= LM_LAYOUT_VERTICES;
}

/* Writes the picture of attribution i. */
static leman_status write_picture(const attribution_list *all, size_t i, lm_output *out,
                                  const lm_molecule_drawing_options *options)
{
    leman_context *ctx = all->ctx;
    SCRATCH_SCOPE(ctx);
    const leman_attribution *a = all->item[i];
    AUTO(leman_dataset_drop) leman_dataset *one = NULL;
    double *arc;
    size_t at = 0;
    PASS(leman_dataset_select(ctx, all->data, 1, &a->graph, &one)); /* its arcs are numbered from 0 */
    const leman_graph g = leman_dataset_graph(one, 0);
    PASS_SCRATCH(ctx, arc, g.arcs);
    for (size_t u = 0; u < g.vertices; u++)
        for (uint64_t e = g.start[u]; e < g.start[u + 1]; e++)
            arc[e] = !g.directed && g.head[e] < u ? NAN : a->edge[at++];
    return lm_molecule_drawing_write(ctx, out, &g, a->vertex, arc, all->scale, options);
}

/* ---- A grid of pictures ---------------------------------------------------------------------- */

static const double WIDTH = 300, HEIGHT = 220, GAP = 24, HEAD = 44, LEGEND = 60;
static const double MILLIMETRES = 25.4 / 96; /* of a unit of CSS */
enum { MAX_COLUMNS = 4 };

static leman_status write_cell(const attribution_list *all, size_t i, double x, double y, lm_output *out)
{
    const leman_attribution *a = all->item[i];
    char graph[TEXT], prediction[TEXT], domain[TEXT];
    graph_text(all, i, graph);
    prediction_text(a, prediction);
    domain_text(a, "", domain);
    lm_page(out, "<text class=\"caption\" x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + WIDTH / 2, y + 18, graph);
    lm_page(out, "<text class=\"caption soft\" x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + WIDTH / 2, y + 36, prediction);
    if (*domain)
        lm_page(out, "<text class=\"caption warning\" x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + WIDTH / 2,
                y + HEAD + HEIGHT - 4, domain);
    if (!is_drawable(a)) {
        lm_page(out, "<text class=\"caption soft\" x=\"%.0f\" y=\"%.0f\">%zu vertices: not drawn</text>\n",
                x + WIDTH / 2, y + HEAD + HEIGHT / 2, a->vertices);
        return LEMAN_OK;
    }
    lm_page(out, "<svg x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\">", x, y + HEAD, WIDTH, HEIGHT);
    PASS(write_picture(all, i, out,
                       &(lm_molecule_drawing_options){
                           .width = WIDTH, .height = HEIGHT, .title = graph, .numbers = all->options.atom_numbers}));
    lm_page(out, "</svg>\n");
    return LEMAN_OK;
}

static leman_status write_grid(leman_context *ctx, void *user, lm_output *out)
{
    const attribution_list *all = user;
    const size_t columns = all->count < MAX_COLUMNS ? all->count : MAX_COLUMNS;
    const size_t rows = (all->count + columns - 1) / columns;
    const double width = (double)columns * (WIDTH + GAP) + GAP, height = (double)rows * (HEAD + HEIGHT);
    const bool values = all->item[0]->label == LEMAN_CLASS_MISSING;
    lm_page(out,
            "<svg class=\"molecule\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.1fmm\" "
            "height=\"%.1fmm\" font-family=\"Helvetica,Arial,sans-serif\" font-size=\"12\">\n",
            width, height + LEGEND, width * MILLIMETRES, (height + LEGEND) * MILLIMETRES);
    lm_output_printf(out, "<style>%s", LM_MOLECULE_STYLE);
    lm_page(out, ".caption{fill:#1c1d21;fill:var(--m-ink);text-anchor:middle;font-size:13px}"
                 ".soft{fill:#5d6068;fill:var(--m-soft);font-size:12px}.warning{font-size:12px;font-weight:600}"
                 "svg svg{overflow:visible}");
    if (all->options.transparent) /* the same on every slide: light mode */
        lm_page(out, "\n.molecule{--m-paper:#fff;--m-ink:#1c1d21;--m-soft:#5d6068;--m-above:#d6604d;--m-below:#4393c3;"
                     "color-scheme:light}</style>\n");
    else
        lm_page(out, "</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    for (size_t i = 0; i < all->count; i++) {
        PASS(write_cell(all, i, GAP + (double)(i % columns) * (WIDTH + GAP), (double)(i / columns) * (HEAD + HEIGHT),
                        out));
        PASS(lm_progress_step(ctx, i + 1));
    }
    lm_page(out, "<svg x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"30\">", (width - WIDTH) / 2, height + 16, WIDTH);
    lm_molecule_legend_write(out, all->scale, values ? "lowers" : "against", values ? "raises" : "for the class");
    lm_page(out, "</svg>\n</svg>\n");
    return LEMAN_OK;
}

leman_status leman_attribution_draw(leman_context *ctx, const leman_dataset *data,
                                    const leman_attribution *const *attributions, size_t count,
                                    const leman_drawing_options *options, leman_explanation **svg)
{
    attribution_list all;
    REQUIRE(ctx, data, attributions, svg);
    PASS(check_attributions(ctx, data, attributions, count, options, &all));
    lm_progress_begin(ctx, count, "drawing");
    return lm_explanation_new(ctx, write_grid, &all, svg);
}

/* ---- The page ---------------------------------------------------------------------------------- */

enum {
    MOST = 3 /* number of vertices and edges that are named */,
    DRAWN_SUPPORTS = 2,
    SMILES = 60 /* characters that are shown */
};

typedef struct page {
    const attribution_list *all;
    const char *model;
    const leman_dataset *training;
    lm_output *out;
    double longest; /* largest score or part of a score, for the lengths of bars */
} page;

/* ---- Parts of a score ------------------------------------------------------------------------ */

/* Computes the sum of the positive values and the sum of the negative values. */
static void parts_of(const leman_attribution *a, double parts[2])
{
    parts[0] = parts[1] = 0;
    for (size_t v = 0; v < a->vertices; v++) parts[a->vertex[v] < 0] += a->vertex[v];
}

static bool is_exact(const leman_attribution *a)
{
    return a->method == LEMAN_ATTRIBUTION_METHOD_WEIGHTS;
}

static double longest_of(const attribution_list *all)
{
    double longest = 0;
    for (size_t i = 0; i < all->count; i++) {
        const leman_attribution *a = all->item[i];
        double parts[2];
        parts_of(a, parts);
        longest = fmax(longest, fabs(a->score));
        if (is_exact(a)) longest = fmax(longest, fmax(fabs(a->rest), fmax(parts[0], -parts[1])));
    }
    return longest > 0 ? longest : 1;
}

/* Draws a row: its name, a bar from the middle, its number. */
static void bar(const page *p, const char *name, double value, double y, const char *style)
{
    const double middle = 150, reach = 82, length = reach * fmin(1, fabs(value) / p->longest);
    lm_page(p->out, "<text class=\"axis\" x=\"0\" y=\"%.0f\">%s</text>", y + 9, name);
    lm_page(p->out, "<path class=\"base\" d=\"M%.0f %.0fv12\"/>", middle, y - 1);
    lm_page(p->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"10\"/>", style,
            value < 0 ? middle - length : middle, y, length);
    lm_page(p->out, "<text class=\"value\" x=\"300\" y=\"%.0f\" text-anchor=\"end\">%+.3g</text>\n", y + 9, value);
}

static void score_bars(const page *p, const leman_attribution *a)
{
    double parts[2];
    const bool exact = is_exact(a), value = a->label == LEMAN_CLASS_MISSING;
    parts_of(a, parts);
    lm_page(p->out, "<svg class=\"molecule bars\" viewBox=\"0 0 300 %d\" role=\"img\" aria-label=\"Score %+.3g\">\n",
            exact ? 62 : 14, a->score);
    if (exact) {
        bar(p, a->centered ? "mean" : "bias", a->rest, 0, "bar c6");
        bar(p, value ? "raises" : "for", parts[0], 16, "sum above");
        bar(p, value ? "lowers" : "against", parts[1], 32, "sum below");
    }
    bar(p, value ? "value" : "score", a->score, exact ? 48 : 0, "bar c6");
    lm_page(p->out, "</svg>\n");
}

/* ---- Atoms and bonds ------------------------------------------------------------------------- */

/* Finds the MOST largest absolute values, in decreasing order; returns their number. */
static size_t find_most(const double *value, size_t count, size_t most[MOST])
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = found;
        while (at && fabs(value[most[at - 1]]) < fabs(value[i])) at--;
        if (at == MOST) continue;
        if (found < MOST) found++;
        for (size_t j = found - 1; j > at; j--) most[j] = most[j - 1];
        most[at] = i;
    }
    return found;
}

static void atom(const page *p, const leman_graph *g, bool molecule, size_t vertex)
{
    char symbol[LM_NUMBER_TEXT] = "";
    if (molecule) leman_atom_symbol(g->vertex_label[vertex * g->vertex_labels], symbol, sizeof symbol);
    lm_page(p->out, *symbol ? "%s&#160;%zu" : "%s%zu", symbol, vertex);
}

static void name_most(const page *p, const leman_attribution *a)
{
    const leman_graph g = leman_dataset_graph(p->all->data, a->graph);
    const bool molecule = leman_graph_is_molecule(&g);
    size_t most[MOST], count = find_most(a->vertex, a->vertices, most);
    lm_page(p->out, "<p class=\"note\">");
    for (size_t i = 0; i < count; i++) {
        lm_page(p->out, "%s", i ? ", " : "Most: ");
        atom(p, &g, molecule, most[i]);
        lm_page(p->out, " %+.2g", a->vertex[most[i]]);
    }
    count = find_most(a->edge, a->edges, most);
    for (size_t i = 0; i < count; i++) {
        lm_page(p->out, "%s", i ? ", " : molecule ? "; bonds " : "; edges ");
        atom(p, &g, molecule, a->end[2 * most[i]]);
        lm_page(p->out, "&#8211;");
        atom(p, &g, molecule, a->end[2 * most[i] + 1]);
        lm_page(p->out, " %+.2g", a->edge[most[i]]);
    }
    lm_page(p->out, ".</p>\n");
}

/* ---- Support graphs -------------------------------------------------------------------------- */

static void support_name(const page *p, const leman_support *s)
{
    if (*s->name)
        lm_page(p->out, "%s", s->name);
    else
        lm_page(p->out, "graph %zu", s->graph);
}

static void support_row(const page *p, const leman_support *s)
{
    lm_page(p->out, "<tr><th scope=\"row\">");
    support_name(p, s);
    lm_page(p->out, "</th><td>");
    if (s->class_label != LEMAN_CLASS_MISSING) {
        size_t length = 0;
        const char *word = p->training ? leman_dataset_class_name(p->training, s->class_label, &length) : "";
        if (length)
            lm_page(p->out, "%.*s", (int)length, word);
        else
            lm_page(p->out, "%lld", (long long)s->class_label);
    }
    lm_page(p->out, "</td><td>%.2f</td><td>%+.2g</td><td>%.0f&#160;%%</td></tr>\n", s->similarity, s->contribution,
            100 * s->share);
}

static leman_status draw_supports(const page *p, const leman_attribution *a)
{
    const leman_dataset *training = p->training;
    size_t drawn = 0;
    for (size_t i = 0; training && i < a->supports && drawn < DRAWN_SUPPORTS; i++) {
        const leman_graph g = leman_dataset_graph(training, a->support[i].graph);
        char title[TEXT];
        if (!is_drawable(&(leman_attribution){.vertices = g.vertices})) continue;
        snprintf(title, sizeof title, "support graph %zu", a->support[i].graph);
        lm_page(p->out, drawn++ ? "<div>" : "<div class=\"supports\">\n<div>");
        PASS(lm_molecule_drawing_write(p->all->ctx, p->out, &g, NULL, NULL, 0,
                                       &(lm_molecule_drawing_options){.width = 150, .height = 116, .title = title}));
        support_name(p, a->support + i);
        lm_page(p->out, "</div>\n");
    }
    if (drawn) lm_page(p->out, "</div>\n");
    return LEMAN_OK;
}

static leman_status supports(const page *p, const leman_attribution *a)
{
    if (!a->supports) return LEMAN_OK;
    PASS(draw_supports(p, a));
    lm_page_table(p->out, "support graph|class|similarity|adds|share");
    for (size_t i = 0; i < a->supports; i++) support_row(p, a->support + i);
    lm_page(p->out, "</tbody></table></div>\n<p class=\"note\">%zu of %zu support graphs; bias %+.3g.</p>\n",
            a->supports, a->all_supports, a->bias);
    return LEMAN_OK;
}

/* ---- Cards ----------------------------------------------------------------------------------- */

/* Writes the SMILES of a graph; of a long one the beginning, with the whole as a tooltip. */
static void write_smiles(const page *p, size_t graph)
{
    const char *smiles = p->all->options.smiles ? p->all->options.smiles[graph] : NULL;
    if (!smiles || !*smiles) return;
    if (strlen(smiles) <= SMILES)
        lm_page(p->out, "<p class=\"note\"><code>%s</code></p>\n", smiles);
    else
        lm_page(p->out, "<p class=\"note\"><code title=\"%s\">%.*s&#8230;</code></p>\n", smiles, SMILES, smiles);
}

static leman_status card(const page *p, size_t i)
{
    const leman_attribution *a = p->all->item[i];
    char graph[TEXT], prediction[TEXT], domain[TEXT];
    graph_text(p->all, i, graph);
    lm_page(p->out, "<figure class=\"attribution\">\n<h3>%s</h3>\n<p class=\"note\">%s</p>\n", graph,
            prediction_text(a, prediction));
    write_smiles(p, a->graph);
    if (*domain_text(a, " to training graphs", domain))
        lm_page(p->out, "<p class=\"note\"><strong>%s</strong></p>\n", domain);
    if (is_drawable(a))
        PASS(write_picture(p->all, i, p->out,
                           &(lm_molecule_drawing_options){.title = graph, .numbers = p->all->options.atom_numbers}));
    else
        lm_page(p->out, "<p class=\"note\">%zu vertices: not drawn.</p>\n", a->vertices);
    score_bars(p, a);
    name_most(p, a);
    PASS(supports(p, a));
    lm_page(p->out, "</figure>\n");
    return LEMAN_OK;
}

static void explain_method(const page *p)
{
    static const char *const SENTENCES[LEMAN_ATTRIBUTION_METHOD_COUNT] = {
        [LEMAN_ATTRIBUTION_METHOD_WEIGHTS] =
            "The contributions are exact: the effect on the score of one tuple more or less of each colour, shared "
            "among the atoms that the colour depends on. What the atoms show adds up to the score less ",
        [LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT] =
            "The contributions are found by leaving out: the score of the whole less the score without the atom and "
            "its bonds, or without the bond. They need not add up to the score."};
    const leman_attribution *a = p->all->item[0];
    lm_page(p->out, "<p>%s", SENTENCES[a->method]);
    if (is_exact(a))
        lm_page(p->out, "%s. The bonds show the same sum once more.",
                a->centered ? "the mean score of the training graphs, on which the features are centred: an atom of 0 "
                              "makes a molecule neither more nor less than average"
                            : "the bias, as the file of the model does not have the mean score");
    if (a->label != LEMAN_CLASS_MISSING && a->all_supports == 0 && !is_exact(a) && isnan(a->bias))
        lm_page(p->out, " The score is the log odds of the class.");
    if (a->all_supports)
        lm_page(p->out, " The score is the bias and what each support graph adds: its similarity times its weight.");
    lm_page(p->out, "</p>\n");
}

static void head(const page *p)
{
    const attribution_list *all = p->all;
    const leman_shape *shape = leman_dataset_shape(all->data);
    const bool value = all->item[0]->label == LEMAN_CLASS_MISSING;
    size_t graphs = 1;
    for (size_t i = 1; i < all->count; i++) graphs += all->item[i]->graph != all->item[i - 1]->graph;
    lm_page(p->out,
            "<header>\n<p class=\"kicker\">Leman &#183; explained predictions</p>\n<h1>What made the predictions for "
            "%s</h1>\n<p class=\"lead\">",
            shape->name);
    if (graphs < shape->graphs)
        lm_page(p->out, "%zu of %zu graphs", graphs, shape->graphs);
    else
        lm_page(p->out, "%zu graph%s", graphs, lm_plural(graphs));
    if (p->model) lm_page(p->out, "; %s", p->model);
    lm_page(p->out, ".</p>\n");
    explain_method(p);
    lm_page(p->out, "<div class=\"narrow\">\n");
    lm_molecule_legend_write(p->out, all->scale, value ? "lowers" : "against", value ? "raises" : "for the class");
    lm_page(p->out,
            "</div>\n<p class=\"note\">In every picture and bar of this page red %s and blue %s; grey is neither. "
            "Blue has dashed outlines.</p>\n</header>\n",
            value ? "raises the value" : "speaks for the class", value ? "lowers it" : "against it");
}

static leman_status write_page(page p, const char *command, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    leman_context *ctx = p.all->ctx;
    PASS(lm_output_open(ctx, path, &out));
    p.out = &out;
    lm_page_begin(&out, leman_dataset_shape(p.all->data)->name, "How atoms and bonds add to predictions.");
    head(&p);
    lm_page(&out, "<section>\n<h2>Predictions</h2>\n<div class=\"cards\">\n");
    lm_progress_begin(ctx, p.all->count, "drawing");
    for (size_t i = 0; i < p.all->count; i++) {
        PASS(card(&p, i));
        PASS(lm_progress_step(ctx, i + 1));
    }
    lm_page(&out, "</div>\n</section>\n");
    lm_page_reproduce_begin(&out, command);
    lm_page_row(&out, "checksum of the data", "%016" PRIx64, leman_dataset_checksum(p.all->data));
    lm_page_reproduce_end(&out, "Numbers of graphs and atoms count from 0.");
    lm_page_end(&out);
    return lm_output_commit(&out);
}

leman_status leman_attribution_page_write(leman_context *ctx, const leman_dataset *data,
                                          const leman_attribution *const *attributions, size_t count, const char *model,
                                          const leman_dataset *training, const leman_drawing_options *options,
                                          const char *command, const char *path)
{
    attribution_list all;
    REQUIRE(ctx, data, attributions, path);
    PASS(check_attributions(ctx, data, attributions, count, options, &all));
    page p = {.all = &all, .model = model, .training = training, .longest = longest_of(&all)};
    return write_page(p, command, path);
}
