/* The Hasse diagram of what was seen: which test tells apart more than which. */
#include "report/hierarchy.h"

static const double COLUMN = 150, ROW = 110, LINE = 14, MARGIN = 20;

/* Does b tell apart all that a does, and more? */
static bool is_below(const leman_hierarchy *h, size_t a, size_t b)
{
    return !h->only[a * h->tests + b] && h->only[b * h->tests + a];
}

static bool is_node(const lm_diagram *d, size_t test)
{
    return d->node[test] == test;
}

static bool is_step(const leman_hierarchy *h, size_t a, size_t b)
{
    bool between = false;
    if (!is_below(h, a, b)) return false;
    for (size_t c = 0; c < h->tests && !between; c++) between = is_below(h, a, c) && is_below(h, c, b);
    return !between;
}

leman_status lm_diagram_new(leman_context *ctx, const leman_hierarchy *h, lm_diagram *out)
{
    const size_t t = h->tests;
    lm_diagram d = {.tests = t, .levels = 1};
    PASS_SCRATCH(ctx, d.node, t);
    PASS_SCRATCH_ZERO(ctx, d.level, t);
    PASS_SCRATCH_ZERO(ctx, d.step, t * t);
    for (size_t i = 0; i < t; i++) {
        d.node[i] = 0;
        while (h->only[i * t + d.node[i]] || h->only[d.node[i] * t + i]) d.node[i]++; /* i itself at the latest */
    }
    for (size_t i = 0; i < t; i++)
        for (size_t j = 0; j < t; j++) d.step[i * t + j] = is_node(&d, i) && is_node(&d, j) && is_step(h, i, j);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < t; i++)
            for (size_t j = 0; j < t; j++)
                if (d.step[i * t + j] && d.level[j] <= d.level[i]) {
                    d.level[j] = d.level[i] + 1;
                    changed = true;
                }
    }
    for (size_t i = 0; i < t; i++) d.levels = d.level[i] >= d.levels ? d.level[i] + 1 : d.levels;
    *out = d;
    return LEMAN_OK;
}

/* The number of nodes of a level; before: only those before this test. */
static size_t nodes_of(const lm_diagram *d, size_t level, size_t before)
{
    size_t count = 0;
    for (size_t i = 0; i < before; i++) count += is_node(d, i) && d->level[i] == level;
    return count;
}

static size_t names_of(const lm_diagram *d, size_t node)
{
    size_t count = 0;
    for (size_t i = 0; i < d->tests; i++) count += d->node[i] == node;
    return count;
}

static double middle(const lm_diagram *d, size_t node, double width)
{
    const double nodes = (double)nodes_of(d, d->level[node], d->tests);
    return width / nodes * ((double)nodes_of(d, d->level[node], node) + 0.5);
}

static double height_of(const lm_diagram *d, size_t node)
{
    return MARGIN + ROW * (double)(d->levels - 1 - d->level[node]);
}

static void draw_node(lm_output *out, const leman_hierarchy *h, const lm_diagram *d, size_t node, double width)
{
    char name[LM_TEST_NAME];
    const double x = middle(d, node, width), y = height_of(d, node), lines = (double)names_of(d, node) + 1;
    double line = y + LINE;
    lm_page(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" fill=\"var(--card)\" "
            "stroke=\"var(--rule)\"/>\n",
            x - COLUMN / 2 + 8, y, COLUMN - 16, lines * LINE + 6);
    for (size_t i = 0; i < d->tests; i++) {
        if (d->node[i] != node) continue;
        lm_page(out,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"12\" fill=\"var(--ink)\">%s</text>\n",
                x, line, lm_hierarchy_name(h, i, name));
        line += LINE;
    }
    lm_page(out,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"11\" fill=\"var(--soft)\">%llu</text>\n", x,
            line, (unsigned long long)h->told[node]);
}

void lm_diagram_draw(lm_output *out, const leman_hierarchy *h, const lm_diagram *d)
{
    size_t widest = 1, tallest = 1;
    for (size_t l = 0; l < d->levels; l++)
        widest = nodes_of(d, l, d->tests) > widest ? nodes_of(d, l, d->tests) : widest;
    for (size_t i = 0; i < d->tests; i++) tallest = names_of(d, i) > tallest ? names_of(d, i) : tallest;
    const double width = (double)widest * COLUMN, below = (double)(tallest + 1) * LINE + MARGIN;
    lm_page(out,
            "<section>\n<h2>Which test sees more</h2>\n<figure>\n<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
            "aria-label=\"diagram of the tests\" style=\"max-width:%.0fpx\">\n",
            width, ROW * (double)(d->levels - 1) + below + MARGIN, width);
    for (size_t i = 0; i < d->tests; i++)
        for (size_t j = 0; j < d->tests; j++)
            if (d->step[i * d->tests + j])
                lm_page(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"var(--faint)\" fill=\"none\"/>\n",
                        middle(d, i, width), height_of(d, i), middle(d, j, width),
                        height_of(d, j) + ((double)names_of(d, j) + 1) * LINE + 6);
    for (size_t i = 0; i < d->tests; i++)
        if (is_node(d, i)) draw_node(out, h, d, i, width);
    lm_page(out,
            "</svg>\n<figcaption>A line leads up to a test that tells apart all that the lower one does, and more; the "
            "number is that of the pairs. Tests in one box tell apart the same pairs.</figcaption>\n</figure>\n"
            "</section>\n");
}
