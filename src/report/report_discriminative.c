/*
 * Draws the most discriminative colours. Each has its class, the numbers of graphs of this class and of others that
 * have the colour, its share in each class, and an example graph with the tuples of the colour. Vertices of a tuple are
 * filled. Its pairs of vertices are joined by thick lines if they are adjacent, and by dotted lines otherwise.
 */
#include "learn/model/discriminative.h"
#include "learn/protocol/classes.h"
#include "report/drawing/graph_drawing.h"
#include "report/report.h"
#include <inttypes.h>
#include <string.h>

enum {
    MAX_TUPLES = 8, /* the most that are drawn; of more, one is drawn and the others are ringed */
    WIDTH = 300,
    HEIGHT = 220,
    MAX_K = 4
};

typedef struct example {
    const lm_report *r;
    lm_graph_drawing drawing; /* of the example graph */
    unsigned k;
    uint64_t *color; /* [n^k] */
    uint64_t key;
    size_t tuples; /* number of tuples of the colour */
} example;

/* ---- The example ----------------------------------------------------------------------------- */

static leman_status example_compute(const lm_report *r, const leman_kernel *kernel, const lm_discriminative_color *c,
                                    example *x)
{
    leman_coloring coloring = kernel->coloring;
    const leman_graph graph = leman_dataset_graph(r->data, c->example);
    const size_t n = graph.vertices;
    *x = (example){.r = r, .k = coloring.k, .key = c->key};
    size_t tuples = (size_t)lm_power(n, x->k);
    PASS(lm_graph_drawing_new(r->ctx, &graph, WIDTH, HEIGHT, &x->drawing));
    PASS_SCRATCH(r->ctx, x->color, tuples);
    PASS(leman_tuple_colors(r->ctx, &graph, &coloring, c->round, x->color));
    uint8_t *mark = x->drawing.mark;
    for (size_t t = 0; t < tuples; t++) {
        if (x->color[t] != c->key) continue;
        x->tuples++;
        for (size_t rest = t, i = 0; i < x->k; i++, rest /= n)
            if (mark[rest % n] == LM_VERTEX_PLAIN) mark[rest % n] = x->tuples == 1 ? LM_VERTEX_HIT : LM_VERTEX_RING;
    }
    if (x->k == 1 || x->tuples <= MAX_TUPLES)
        for (size_t v = 0; v < n; v++)
            if (mark[v]) mark[v] = LM_VERTEX_HIT;
    return LEMAN_OK;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* Draws the pairs of the tuples of the colour, or only of the first tuple if there are too many. */
static void draw_tuples(const example *x)
{
    size_t n = x->drawing.graph.vertices, tuples = (size_t)lm_power(n, x->k), drawn = 0;
    for (size_t t = 0; t < tuples && drawn < (x->tuples <= MAX_TUPLES ? x->tuples : 1); t++) {
        uint32_t vertex[MAX_K] = {0};
        if (x->color[t] != x->key) continue;
        for (size_t rest = t, i = x->k; i-- > 0; rest /= n) vertex[i] = (uint32_t)(rest % n);
        lm_graph_draw_tuple(x->r->out, &x->drawing, vertex, x->k);
        drawn++;
    }
}

static void draw_example(const example *x)
{
    lm_page(x->r->out,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Example graph with %zu vertices; vertices of the "
            "colour are filled\">\n",
            (int)WIDTH, (int)HEIGHT, x->drawing.graph.vertices);
    lm_graph_draw_edges(x->r->out, &x->drawing);
    if (x->k > 1 && x->k <= MAX_K) draw_tuples(x);
    lm_page(x->r->out, "\n");
    lm_graph_draw_vertices(x->r->out, &x->drawing);
    lm_page(x->r->out, "</svg>\n");
}

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

/* Describes the pairs of a colour. This is the same for all pairs, since the atomic type is part of every colour. */
static const char *pair_kind(const example *x)
{
    size_t n = x->drawing.graph.vertices, tuples = (size_t)lm_power(n, x->k), t = 0;
    if (x->k != 2) return "";
    while (t < tuples && x->color[t] != x->key) t++;
    if (t == tuples) return "";
    if (t / n == t % n) return ", one vertex twice";
    return lm_vertices_joined(&x->drawing.graph, t / n, t % n) ? ", adjacent" : ", not adjacent";
}

/* Writes the two shares by which the colour was selected. */
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

static leman_status card(const lm_report *r, const lm_report_coloring *method, const lm_discriminative *t, size_t i)
{
    SCRATCH_SCOPE(r->ctx);
    const lm_discriminative_color *c = t->color + i;
    leman_kernel kernel = method->kernels[c->kernel];
    const char *unlabelled = c->unlabelled ? ", labels ignored" : "";
    kernel.coloring.rounds = method->rounds;
    if (c->unlabelled) kernel.coloring.ignore_vertex_labels = kernel.coloring.ignore_edge_labels = true;
    lm_page(r->out, "<figure>\n<h3>Discriminative for %s</h3>\n", r->groups.name[c->class_id]);
    if (c->example != UINT32_MAX) {
        example x;
        PASS(example_compute(r, &kernel, c, &x));
        draw_example(&x);
        lm_page(r->out, "<figcaption>Graph %zu: %zu %s of this colour%s, round %u%s.", lm_report_number(r, c->example),
                x.tuples, tuple_word(x.k, x.tuples), pair_kind(&x), c->round, unlabelled);
    } else {
        lm_page(r->out, "<figcaption>Round %u%s; all graphs with this colour are too large to draw.", c->round,
                unlabelled);
    }
    lm_page(r->out, " <span class=\"mono\">%016llx</span><br>", (unsigned long long)c->key);
    say_effect(r, t, i);
    lm_page(r->out, "</figcaption>\n");
    draw_shares(r, t, i);
    lm_page(r->out, "</figure>\n");
    return LEMAN_OK;
}

/* Returns the best method whose kernels are all colourings without assignment, or SIZE_MAX. */
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

leman_status lm_report_colors(const lm_report *r, const lm_report_coloring *method)
{
    AUTO(lm_discriminative_free) lm_discriminative t = {0};
    AUTO(lm_classes_free) lm_classes classes = {0};
    PASS(lm_classes_compute(r->ctx, r->data, &classes));
    const leman_status st =
        lm_discriminative_compute(r->ctx, r->data, &classes, method->kernels, method->count, method->rounds, &t);
    if (st == LEMAN_ERROR_BUDGET) {
        lm_page(r->out, "<p>The features do not fit the memory budget.</p>\n");
        return LEMAN_OK;
    }
    PASS(st);
    unsigned k = method->kernels[0].coloring.k;
    lm_page(
        r->out,
        "<p>The colours of %s, with labels and without, that most set one class apart: the largest phi coefficients "
        "of having the colour and being of the class. A colour counts if at least %zu graphs have it and no other "
        "class has it as often; of colours that the same graphs have, the earliest is shown. Orange: the %s of "
        "that colour%s.</p>\n",
        method->name, t.min, tuple_word(k, 2),
        k > 1 ? ", thick lines where they are adjacent, dotted lines where they are not; of more than eight, one is "
                "drawn, and rings mark the vertices of the others"
              : "");
    if (!t.count) lm_page(r->out, "<p>No colour is more frequent in one class than in all others.</p>\n");
    lm_page(r->out, "<div class=\"cards\">\n");
    for (size_t i = 0; i < t.count; i++) PASS(card(r, method, &t, i));
    lm_page(r->out, "</div>\n");
    return LEMAN_OK;
}

leman_status lm_report_discriminative(const lm_report *r)
{
    size_t m = best_coloring(r);
    lm_page(r->out, "<section>\n<h2>The most discriminative colours</h2>\n");
    if (m == SIZE_MAX || r->regression || r->groups.count < 2) {
        lm_page(r->out, "<p>%s</p>\n",
                m == SIZE_MAX   ? "None of the methods has colours as features."
                : r->regression ? "Colours are ranked for classes, not for targets."
                                : "There is only one class.");
    } else {
        const leman_method *method = r->method + m;
        PASS(lm_report_colors(r, &(lm_report_coloring){method->kernels, method->count,
                                                       lm_report_rounds(method->evaluation), r->name[m]}));
    }
    lm_page(r->out, "</section>\n");
    return LEMAN_OK;
}
