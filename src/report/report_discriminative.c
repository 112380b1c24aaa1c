/*
 * The most discriminative colours, each with its class, how many graphs of the class and of the others have it, the
 * share of the graphs of each class that have it, and an example graph in which the tuples of that colour are drawn.
 * Vertices of such a tuple are filled; its pairs are thick lines where they are joined and dotted ones where they are
 * not.
 */
#include "learn/classes.h"
#include "learn/discriminative.h"
#include "report/layout.h"
#include "report/report.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    MAX_TUPLES = 8, /* that can be distinguished in a drawing; of more, one is drawn and the others hinted at */
    WIDTH = 300,
    HEIGHT = 220,
    MAX_K = 4
};
static const double MARGIN = 14, LONGEST_EDGE = 46, MIN_APART = 13;

typedef struct example {
    const lm_report *r;
    leman_graph graph;
    unsigned k;
    double *place;   /* [vertices][2] on the card */
    uint64_t *color; /* [n^k] */
    uint64_t key;
    enum { NO_PART, PART, DRAWN } * hit; /* [vertices] of tuples of the colour */
    size_t tuples;                       /* of the colour */
} example;

/* ---- The example ----------------------------------------------------------------------------- */

static bool joined(const leman_graph *g, size_t u, size_t v)
{
    for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
        if (g->head[e] == v) return true;
    for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
        if (g->head[e] == u) return true;
    return false;
}

/* Scales the layout to the card, but no edge beyond a length that looks natural. */
static void fit(example *x)
{
    size_t n = x->graph.vertices;
    double low[2] = {0, 0}, high[2] = {0, 0};
    for (size_t v = 0; v < n; v++)
        for (size_t c = 0; c < 2; c++) {
            low[c] = fmin(low[c], x->place[2 * v + c]);
            high[c] = fmax(high[c], x->place[2 * v + c]);
        }
    double scale = LONGEST_EDGE * fmax(1, sqrt((double)n) / 3.5); /* many vertices on short paths need room */
    if (high[0] > low[0]) scale = fmin(scale, (WIDTH - 2 * MARGIN) / (high[0] - low[0]));
    if (high[1] > low[1]) scale = fmin(scale, (HEIGHT - 2 * MARGIN) / (high[1] - low[1]));
    for (size_t v = 0; v < n; v++) {
        x->place[2 * v] = WIDTH / 2.0 + scale * (x->place[2 * v] - (low[0] + high[0]) / 2);
        x->place[2 * v + 1] = HEIGHT / 2.0 + scale * (x->place[2 * v + 1] - (low[1] + high[1]) / 2);
    }
    lm_layout_separate(x->place, n, MIN_APART);
}

static leman_status example_compute(const lm_report *r, const leman_kernel *kernel, const lm_discriminative_color *c,
                                    example *x)
{
    leman_status st = LEMAN_OK;
    leman_coloring coloring = leman_kernel_coloring(kernel);
    size_t n, tuples;
    *x = (example){.r = r, .graph = leman_dataset_graph(r->data, c->example), .k = coloring.k, .key = c->key};
    n = x->graph.vertices;
    tuples = (size_t)lm_power(n, x->k);
    SCRATCH(r->ctx, x->place, 2 * n);
    SCRATCH(r->ctx, x->hit, n);
    SCRATCH(r->ctx, x->color, tuples);
    TRY(lm_layout_compute(r->ctx, &x->graph, x->place));
    TRY(leman_tuple_colors(r->ctx, &x->graph, &coloring, c->round, x->color));
    memset(x->hit, 0, n * sizeof *x->hit);
    for (size_t t = 0; t < tuples; t++) {
        if (x->color[t] != c->key) continue;
        x->tuples++;
        for (size_t rest = t, i = 0; i < x->k; i++, rest /= n)
            if (x->hit[rest % n] == NO_PART) x->hit[rest % n] = x->tuples == 1 ? DRAWN : PART;
    }
    if (x->k == 1 || x->tuples <= MAX_TUPLES)
        for (size_t v = 0; v < n; v++)
            if (x->hit[v]) x->hit[v] = DRAWN;
    fit(x);
done:
    return st;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static void line(const example *x, const char *style, size_t u, size_t v)
{
    lm_page(x->r->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", style, x->place[2 * u], x->place[2 * u + 1],
            x->place[2 * v], x->place[2 * v + 1]);
}

/* The pairs of components of the tuples of the colour, or of the first where they are many. */
static void draw_tuples(const example *x)
{
    size_t n = x->graph.vertices, tuples = (size_t)lm_power(n, x->k), drawn = 0;
    for (size_t t = 0; t < tuples && drawn < (x->tuples <= MAX_TUPLES ? x->tuples : 1); t++) {
        size_t vertex[MAX_K] = {0};
        if (x->color[t] != x->key) continue;
        for (size_t rest = t, i = x->k; i-- > 0; rest /= n) vertex[i] = rest % n;
        for (unsigned i = 0; i < x->k; i++)
            for (unsigned j = i + 1; j < x->k; j++)
                if (vertex[i] != vertex[j])
                    line(x, joined(&x->graph, vertex[i], vertex[j]) ? "tuple" : "tuple apart", vertex[i], vertex[j]);
        drawn++;
    }
}

static void draw_vertex(const example *x, size_t v, double radius)
{
    const leman_graph *g = &x->graph;
    double at = x->place[2 * v], up = x->place[2 * v + 1];
    lm_page(x->r->out, "<circle class=\"vertex%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>",
            x->hit[v] == DRAWN ? " hit"
            : x->hit[v]        ? " ring"
                               : "",
            at, up, radius);
    if (g->vertex_label)
        lm_page(x->r->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%lld</text>",
                x->hit[v] == DRAWN ? "hit-label" : "label", at, up + 3.2,
                (long long)g->vertex_label[v * g->vertex_labels]);
}

static void draw_example(const example *x)
{
    const leman_graph *g = &x->graph;
    double radius = g->vertex_label ? 7 : 5.5;
    lm_page(x->r->out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Example graph with %zu vertices\">\n",
            (int)WIDTH, (int)HEIGHT, g->vertices);
    for (size_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
            if (g->directed || g->head[e] > u) line(x, "edge", u, g->head[e]);
    if (x->k > 1 && x->k <= MAX_K) draw_tuples(x);
    lm_page(x->r->out, "\n");
    for (size_t v = 0; v < g->vertices; v++) draw_vertex(x, v, radius);
    lm_page(x->r->out, "\n</svg>\n");
}

/* ---- The cards ------------------------------------------------------------------------------- */

/* Of each class the percentage of graphs that have the colour. */
static void draw_shares(const lm_report *r, const lm_discriminative *t, size_t i)
{
    lm_page(r->out, "<div class=\"table\"><table class=\"shares\"><tbody>\n");
    for (size_t c = 0; c < r->groups.count; c++) {
        double share =
            r->groups.size[c] ? 100 * (double)t->shown[i * r->groups.count + c] / (double)r->groups.size[c] : 0;
        lm_page(r->out,
                "<tr class=\"c%u%s\"><th scope=\"row\">%s</th><td>%u of %zu</td><td>%.0f&#160;%%</td><td "
                "class=\"bar\"><span style=\"width:%.1f%%\"></span></td></tr>\n",
                lm_style_color((unsigned)c), c == t->color[i].class_id ? " for" : "", r->groups.name[c],
                t->shown[i * r->groups.count + c], r->groups.size[c], share, share);
    }
    lm_page(r->out, "</tbody></table></div>\n");
}

static const char *tuple_word(unsigned k, size_t count)
{
    static const char *const ONE[] = {"vertex", "pair", "triple", "tuple"}, *const MANY[] = {"vertices", "pairs",
                                                                                             "triples", "tuples"};
    unsigned at = k < 4 ? k - 1 : 3;
    return count == 1 ? ONE[at] : MANY[at];
}

/* What the pairs of a colour are: the same for all, since the atomic type is part of every colour. */
static const char *pair_kind(const example *x)
{
    size_t n = x->graph.vertices, tuples = (size_t)lm_power(n, x->k), t = 0;
    if (x->k != 2) return "";
    while (t < tuples && x->color[t] != x->key) t++;
    if (t == tuples) return "";
    if (t / n == t % n) return ", one vertex twice";
    return joined(&x->graph, t / n, t % n) ? ", adjacent" : ", not adjacent";
}

/* The two shares that the colour was chosen by. */
static void say_effect(const lm_report *r, const lm_discriminative *t, size_t i)
{
    const lm_discriminative_color *c = t->color + i;
    size_t own = t->shown[i * r->groups.count + c->class_id], size = r->groups.size[c->class_id];
    size_t others = r->shape->graphs - size;
    double share = 100 * (double)own / (double)size, rest = 100 * (double)(c->shown - own) / (double)others;
    lm_page(r->out, "%.0f&#160;%% of %s have it (%zu of %zu graphs), %.0f&#160;%% of the others (%zu of %zu): ", share,
            r->groups.name[c->class_id], own, size, rest, c->shown - own, others);
    lm_page(r->out, "phi&#160;=&#160;%.2f.", c->effect);
}

static leman_status card(const lm_report *r, const leman_method *method, const lm_discriminative *t, size_t i)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&r->ctx->scratch);
    const lm_discriminative_color *c = t->color + i;
    leman_kernel kernel = method->kernels[c->kernel];
    const char *unlabelled = c->unlabelled ? ", labels ignored" : "";
    kernel.rounds = lm_report_rounds(method->evaluation);
    if (c->unlabelled) kernel.ignore_vertex_labels = kernel.ignore_edge_labels = true;
    lm_page(r->out, "<figure>\n<h3>Discriminative for %s</h3>\n", r->groups.name[c->class_id]);
    if (c->example != UINT32_MAX) {
        example x;
        TRY(example_compute(r, &kernel, c, &x));
        draw_example(&x);
        lm_page(r->out, "<figcaption>Graph %u: %zu %s of this colour%s, round %u%s.", c->example, x.tuples,
                tuple_word(x.k, x.tuples), pair_kind(&x), c->round, unlabelled);
    } else {
        lm_page(r->out, "<figcaption>Round %u%s; all graphs with this colour are too large to draw.", c->round,
                unlabelled);
    }
    lm_page(r->out, " <span class=\"mono\">%016llx</span><br>", (unsigned long long)c->key);
    say_effect(r, t, i);
    lm_page(r->out, "</figcaption>\n");
    draw_shares(r, t, i);
    lm_page(r->out, "</figure>\n");
done:
    lm_arena_reset(&r->ctx->scratch, mark);
    return st;
}

/* The best method all of whose kernels are colourings with products, or SIZE_MAX. */
static size_t best_coloring(const lm_report *r)
{
    for (size_t i = 0; i < r->methods; i++) {
        const leman_method *m = r->method + r->rank[i];
        bool all = true;
        for (size_t j = 0; j < m->count; j++)
            all &= m->kernels[j].kind == LEMAN_KERNEL_KIND_COLORS && !m->kernels[j].assignment;
        if (all) return r->rank[i];
    }
    return SIZE_MAX;
}

static leman_status cards(const lm_report *r, const leman_method *method, const lm_discriminative *t)
{
    leman_status st = LEMAN_OK;
    lm_page(r->out, "<div class=\"cards\">\n");
    for (size_t i = 0; i < t->count; i++) TRY(card(r, method, t, i));
    lm_page(r->out, "</div>\n");
done:
    return st;
}

leman_status lm_report_discriminative(const lm_report *r)
{
    leman_status st = LEMAN_OK;
    size_t m = best_coloring(r);
    lm_discriminative t = {0};
    lm_classes classes = {0};
    lm_page(r->out, "<section>\n<h2>The most discriminative colours</h2>\n");
    if (m == SIZE_MAX || r->regression || r->groups.count < 2) {
        lm_page(r->out, "<p>%s</p>\n</section>\n",
                m == SIZE_MAX   ? "None of the methods has colours as features."
                : r->regression ? "Colours are ranked for classes, not for targets."
                                : "There is only one class.");
        goto done;
    }
    const leman_method *method = r->method + m;
    TRY(lm_classes_compute(r->ctx, r->data, &classes));
    st = lm_discriminative_compute(r->ctx, r->data, &classes, method->kernels, method->count,
                                   lm_report_rounds(method->evaluation), &t);
    if (st == LEMAN_ERROR_BUDGET) {
        lm_page(r->out, "<p>The features do not fit the memory budget.</p>\n</section>\n");
        st = LEMAN_OK;
        goto done;
    }
    TRY(st);
    unsigned k = method->kernels[0].k;
    lm_page(
        r->out,
        "<p>The colours of %s, with labels and without, that most set one class apart: the largest phi coefficients "
        "of having the colour and being of the class. A colour counts if at least %zu graphs have it and no other "
        "class has it as often; of colours that the same graphs have, the earliest is shown. Orange: the %s of "
        "that colour%s.</p>\n",
        r->name[m], t.min, tuple_word(k, 2),
        k > 1 ? ", thick lines where they are adjacent, dotted lines where they are not; of more than eight, one is "
                "drawn, and rings mark the vertices of the others"
              : "");
    if (!t.count) lm_page(r->out, "<p>No colour is more frequent in one class than in all others.</p>\n");
    TRY(cards(r, method, &t));
    lm_page(r->out, "</section>\n");
done:
    lm_classes_free(r->ctx, &classes);
    lm_discriminative_free(r->ctx, &t);
    return st;
}
