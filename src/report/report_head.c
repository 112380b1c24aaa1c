/* The words of a report: the headline, the data set card, what was confused with what, and where it all came from. */
#include "report/report.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The percentage that guessing the largest class gives. */
static double guessing(const lm_report *r)
{
    size_t max = 0;
    for (size_t c = 0; c < r->groups.count; c++)
        if (r->groups.size[c] > max) max = r->groups.size[c];
    return r->shape->graphs ? 100 * (double)max / (double)r->shape->graphs : 0;
}

/* How the best method stands to the second: a sentence, where the test can be done. */
static void compare_leaders(const lm_report *r)
{
    leman_comparison c;
    const char *second = r->name[r->rank[1]];
    const leman_evaluation *a = r->method[r->rank[0]].evaluation, *b = r->method[r->rank[1]].evaluation;
    if (leman_compare(r->ctx, a, b, &c) || isnan(c.p)) { /* NAN: one fold allows no test */
        r->ctx->message[0] = 0;                          /* nothing has failed: there is no such sentence */
        lm_page(r->out, " The next is %s with ", second);
        lm_page(r->out, r->regression ? "%.3g." : "%.1f\u00a0%%.", b->test_mean);
        return;
    }
    lm_page(r->out, " The difference to the next, %s, is ", second);
    lm_page(r->out, r->regression ? "%.3g and " : "%.1f points and ", fabs(c.difference));
    if (c.p < 0.001)
        lm_page(r->out, "more than chance (p &lt; 0.001).");
    else
        lm_page(r->out, "%s (p = %.*f).", c.p < 0.05 ? "more than chance" : "may be chance", c.p < 0.05 ? 3 : 2, c.p);
}

void lm_report_head(const lm_report *r)
{
    const leman_evaluation *e = r->method[r->rank[0]].evaluation;
    const char *best = r->name[r->rank[0]];
    bool again = e->splits->repetitions > 1;
    lm_page(r->out, "<header>\n<p class=\"kicker\">Leman &#183; evaluation report</p>\n<h1>");
    if (r->regression)
        lm_page(r->out, "With %s, the targets of %s are predicted with a mean error of %.3g", best, r->shape->name,
                e->test_mean);
    else
        lm_page(r->out, "With %s, %.1f&#160;%% of the graphs of %s are put into the right class", best, e->test_mean,
                r->shape->name);
    lm_page(r->out, "</h1>\n<p class=\"lead\">");
    if (r->methods > 1) lm_page(r->out, "That is the best of %zu methods.", r->methods);
    if (r->methods > 1) compare_leaders(r);
    if (r->regression)
        lm_page(r->out, " The figure is the mean absolute error on graphs that it had not seen.");
    else
        lm_page(r->out,
                " Measured on graphs that it had not seen; always guessing the largest class would find %.1f&#160;%%.",
                guessing(r));
    if (lm_report_folds(e) > 1) {
        lm_page(r->out, " Between %s the figure varies by ", again ? "repetitions" : "folds");
        lm_page(r->out, r->regression ? "%.3g" : "%.1f points", again ? e->test_std : e->test_std_folds);
        lm_page(r->out, " (one standard deviation).");
    }
    lm_page(r->out,
            "</p>\n<p class=\"note\">%zu &#215; %zu-fold cross-validation%s; in every fold a validation part of the "
            "training graphs chose the parameters.</p>\n</header>\n",
            e->splits->repetitions, e->splits->folds, e->splits->stratified ? ", stratified" : "");
}

/* ---- The data -------------------------------------------------------------------------------- */

static void fact(lm_output *out, const char *what, const char *value, const char *more)
{
    lm_page(out, "<div><dt>%s</dt><dd>%s", what, value);
    if (*more) lm_page(out, " <small>%s</small>", more);
    lm_page(out, "</dd></div>\n");
}

/* A mean with one decimal, and the largest where that is known. */
static void fact_mean(lm_output *out, const char *what, size_t sum, size_t graphs, const char *more)
{
    lm_page(out, "<div><dt>%s</dt><dd>%.1f <small>%s</small></dd></div>\n", what,
            graphs ? (double)sum / (double)graphs : 0.0, more);
}

static void group_bars(const lm_report *r)
{
    size_t max = 1;
    for (size_t c = 0; c < r->groups.count; c++)
        if (r->groups.size[c] > max) max = r->groups.size[c];
    lm_page(r->out,
            "<figure>\n<div class=\"table\"><table><caption>%s</caption><thead><tr><th scope=\"col\">%s</th><th "
            "scope=\"col\">graphs</th><th scope=\"col\">share</th><th></th></tr></thead><tbody>\n",
            r->regression ? "Graphs by their targets; marks as on the map below"
                          : "Graphs in each class; marks as on the map below",
            r->regression ? "targets" : "class");
    for (size_t c = 0; c < r->groups.count; c++) {
        char text[LM_PAGE_NUMBER];
        lm_page(r->out, "<tr class=\"c%u\"><td><svg class=\"swatch\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">",
                lm_style_color((unsigned)c));
        lm_mark_write(r->out, (unsigned)c, 6, 6, 4.6, NULL);
        lm_page(r->out,
                "</svg>%s</td><td>%s</td><td>%.1f&#160;%%</td><td class=\"bar\"><span "
                "style=\"width:%.1f%%\"></span></td></tr>\n",
                r->groups.name[c], lm_page_count(r->groups.size[c], text),
                100 * (double)r->groups.size[c] / (double)r->shape->graphs,
                100 * (double)r->groups.size[c] / (double)max);
    }
    lm_page(r->out, "</tbody></table></div>\n</figure>\n");
}

void lm_report_data(const lm_report *r)
{
    char text[LM_PAGE_NUMBER], more[LM_PAGE_NUMBER + 16] = "at most ";
    lm_page(r->out, "<section>\n<h2>The data</h2>\n<div class=\"pair\">\n<dl class=\"facts\">\n");
    fact(r->out, "data set", r->shape->name, "");
    fact(r->out, "graphs", lm_page_count(r->shape->graphs, text), r->shape->directed ? "directed" : "");
    if (!r->regression) fact(r->out, "classes", lm_page_count(r->summary.classes, text), "");
    lm_page_count(r->shape->max_vertices, more + strlen(more));
    fact_mean(r->out, "vertices of a graph", r->shape->vertices, r->shape->graphs, more);
    fact_mean(r->out, "edges of a graph", r->shape->edges, r->shape->graphs, "on average");
    fact(r->out, "vertex labels",
         r->shape->columns->vertex_labels ? lm_page_count(r->summary.vertex_labels, text) : "none", "");
    fact(r->out, "edge labels", r->shape->columns->edge_labels ? lm_page_count(r->summary.edge_labels, text) : "none",
         "");
    lm_page(r->out, "</dl>\n");
    if (r->groups.count <= 40) group_bars(r);
    lm_page(r->out, "</div>\n</section>\n");
}

/* ---- What was confused ----------------------------------------------------------------------- */

enum { MAX_CLASSES = 12 }; /* in a table */

void lm_report_confusion(const lm_report *r)
{
    const leman_evaluation *e = r->method[r->rank[0]].evaluation;
    size_t n = e->classes;
    if (!e->confusion || n < 2 || n > MAX_CLASSES) return;
    lm_page(r->out,
            "<section>\n<h2>What is taken for what</h2>\n<p>Each row is a class: of its graphs, tested once in every "
            "repetition with %s, so many percent were put into each class. The diagonal is right.</p>\n<figure><div "
            "class=\"table\"><table class=\"confusion\"><thead><tr><th scope=\"col\">true class</th>",
            r->name[r->rank[0]]);
    for (size_t c = 0; c < n; c++) lm_page(r->out, "<th scope=\"col\">%s</th>", r->groups.name[c]);
    lm_page(r->out, "</tr></thead><tbody>\n");
    for (size_t c = 0; c < n; c++) {
        uint64_t all = 0;
        for (size_t d = 0; d < n; d++) all += e->confusion[c * n + d];
        lm_page(r->out, "<tr><th scope=\"row\">%s</th>", r->groups.name[c]);
        for (size_t d = 0; d < n; d++) {
            double share = all ? (double)e->confusion[c * n + d] / (double)all : 0;
            lm_page(r->out, "<td%s style=\"--v:%.3f\">%.1f</td>", c == d ? " class=\"right\"" : "", share, 100 * share);
        }
        lm_page(r->out, "</tr>\n");
    }
    lm_page(
        r->out,
        "</tbody></table></div><figcaption>Percent of the graphs of each class.</figcaption></figure>\n</section>\n");
}

/* ---- Where it came from ---------------------------------------------------------------------- */

void lm_report_origin(const lm_report *r)
{
    const leman_evaluation *e = r->method[0].evaluation;
    bool linear = e->svm == LEMAN_SVM_LINEAR;
    lm_page(r->out, "<section>\n<h2>To get it again</h2>\n");
    if (r->command) lm_page(r->out, "<pre><code>%s</code></pre>\n", r->command);
    lm_page(r->out,
            "<div class=\"table\"><table class=\"plain\"><tbody>\n<tr><th scope=\"row\">program</th><td>leman "
            "%s</td></tr>\n",
            leman_version());
    lm_page(r->out, "<tr><th scope=\"row\">seed</th><td>%llu</td></tr>\n", (unsigned long long)e->seed);
    lm_page(r->out, "<tr><th scope=\"row\">machine</th><td>%s</td></tr>\n",
            r->regression ? "support vector regression"
            : linear      ? "linear support vector machine on features"
                          : "support vector machine on the Gram matrix");
    lm_page(r->out, "<tr><th scope=\"row\">checksum of the data</th><td class=\"mono\">%016llx</td></tr>\n",
            (unsigned long long)e->data_checksum);
    lm_page(r->out,
            "<tr><th scope=\"row\">checksum of the splits</th><td "
            "class=\"mono\">%016llx</td></tr>\n</tbody></table></div>\n",
            (unsigned long long)e->splits_checksum);
    lm_page(r->out,
            "<p class=\"note\">The same seed gives the same digits on one thread or many; times are of the machine "
            "it ran on.</p>\n</section>\n");
}
