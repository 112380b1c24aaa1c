/*
 * Writes the page about attributions, with a card for each: the picture, the prediction, the parts of its score, the
 * atoms that contribute most, and the most important support graphs. Cards and pictures have a common scale.
 */
#include "base/arguments.h"
#include "report/attribution/attribution.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 3 /* number of vertices and edges that are named */, DRAWN_SUPPORTS = 2 };

typedef struct page {
    const lm_attributions *all;
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
    for (size_t v = 0; v < a->vertices; v++) {
        const double value = lm_attribution_vertex(a, v);
        parts[value < 0] += value;
    }
}

static bool is_exact(const leman_attribution *a)
{
    return a->method == LEMAN_ATTRIBUTION_METHOD_WEIGHTS;
}

static double longest_of(const lm_attributions *all)
{
    double longest = 0;
    for (size_t i = 0; i < all->count; i++) {
        const leman_attribution *a = all->item[i];
        double parts[2];
        parts_of(a, parts);
        longest = fmax(longest, fabs(a->score));
        if (is_exact(a)) longest = fmax(longest, fmax(parts[0], -parts[1]));
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
            exact ? 46 : 14, a->score);
    if (exact) {
        bar(p, value ? "raises" : "for", parts[0], 0, "sum above");
        bar(p, value ? "lowers" : "against", parts[1], 16, "sum below");
    }
    bar(p, value ? "value" : "score", a->score, exact ? 32 : 0, "bar c0");
    lm_page(p->out, "</svg>\n");
}

/* ---- Atoms and bonds ------------------------------------------------------------------------- */

/* Finds the MOST largest absolute values, in decreasing order; returns their number. */
static size_t find_most(const leman_attribution *a, double (*value)(const leman_attribution *, size_t), size_t count,
                        size_t most[MOST])
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = found;
        while (at && fabs(value(a, most[at - 1])) < fabs(value(a, i))) at--;
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
    size_t most[MOST], count = find_most(a, lm_attribution_vertex, a->vertices, most);
    lm_page(p->out, "<p class=\"note\">");
    for (size_t i = 0; i < count; i++) {
        lm_page(p->out, "%s", i ? ", " : "Most: ");
        atom(p, &g, molecule, most[i]);
        lm_page(p->out, " %+.2g", lm_attribution_vertex(a, most[i]));
    }
    count = find_most(a, lm_attribution_edge, a->edges, most);
    for (size_t i = 0; i < count; i++) {
        lm_page(p->out, "%s", i ? ", " : molecule ? "; bonds " : "; edges ");
        atom(p, &g, molecule, a->end[2 * most[i]]);
        lm_page(p->out, "&#8211;");
        atom(p, &g, molecule, a->end[2 * most[i] + 1]);
        lm_page(p->out, " %+.2g", lm_attribution_edge(a, most[i]));
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
        char title[LM_ATTRIBUTION_TEXT];
        if (!lm_attribution_drawable(&(leman_attribution){.vertices = g.vertices})) continue;
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

static leman_status card(const page *p, size_t i)
{
    const leman_attribution *a = p->all->item[i];
    char graph[LM_ATTRIBUTION_TEXT], prediction[LM_ATTRIBUTION_TEXT];
    lm_attribution_graph(p->all, i, graph);
    lm_page(p->out, "<figure class=\"attribution\">\n<h3>%s</h3>\n<p class=\"note\">%s</p>\n", graph,
            lm_attribution_prediction(a, prediction));
    if (lm_attribution_drawable(a))
        PASS(lm_attribution_picture(p->all, i, p->out, &(lm_molecule_drawing_options){.title = graph}));
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
            "The contributions are exact: the weights of the colours of all tuples that an atom is in, shared equally "
            "among the atoms of a tuple, and the bias, spread evenly: what the atoms show adds up to the score. The "
            "bonds "
            "show the same sum once more: a tuple with a bond in it gives its weight to the bond, others spread theirs "
            "over the bonds of their atoms.",
        [LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT] =
            "The contributions are found by leaving out: the score of the whole less the score without the atom and "
            "its bonds, or without the bond. They need not add up to the score."};
    const leman_attribution *a = p->all->item[0];
    lm_page(p->out, "<p>%s", SENTENCES[a->method]);
    if (a->label != LEMAN_CLASS_MISSING && a->all_supports == 0 && !is_exact(a) && isnan(a->bias))
        lm_page(p->out, " The score is the log odds of the class.");
    if (a->all_supports)
        lm_page(p->out, " The score is the bias and what each support graph adds: its similarity times its weight.");
    lm_page(p->out, "</p>\n");
}

static void head(const page *p)
{
    const lm_attributions *all = p->all;
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
    lm_page(p->out, "</div>\n</header>\n");
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
                                          const leman_dataset *training, const char *command, const char *path)
{
    lm_attributions all;
    REQUIRE(ctx, data, attributions, path);
    PASS(lm_attributions_check(ctx, data, attributions, count, &all));
    page p = {.all = &all, .model = model, .training = training, .longest = longest_of(&all)};
    return write_page(p, command, path);
}
