/*
 * The page about a hierarchy of tests: what each tells apart, the diagram of what was seen, a pair of graphs for each step
 * of it, and which test tells apart which pair.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include "report/drawing/graph_drawing.h"
#include "report/heat_map.h"
#include "report/hierarchy.h"
#include <inttypes.h>
#include <string.h>

enum { DRAWN = 64 /* vertices of the largest graphs that are drawn */, TALL = 12 /* pixels of a row of the picture */ };

typedef struct hierarchy_page {
    leman_context *ctx;
    lm_output *out;
    const leman_dataset *data;
    const leman_hierarchy *h;
    const char *const *name; /* [groups] */
    const size_t *size;      /* [groups] pairs of each */
    size_t groups;
} hierarchy_page;

const char *lm_hierarchy_name(const leman_hierarchy *h, size_t test, char text[LM_TEST_NAME])
{
    char name[LM_TEST_NAME];
    leman_coloring_paper_name(h->test + test, name, sizeof name);
    return lm_page_method(name, text, LM_TEST_NAME);
}

/* ---- Headline and warnings ------------------------------------------------------------------- */

static void write_head(const hierarchy_page *p)
{
    char pairs[LM_NUMBER_TEXT], graphs[LM_NUMBER_TEXT], test[LM_TEST_NAME];
    const leman_hierarchy *h = p->h;
    size_t best = 0;
    for (size_t t = 1; t < h->tests; t++)
        if (h->told[t] > h->told[best]) best = t;
    lm_page(p->out, "<header>\n<p class=\"kicker\">Leman &#183; tests of isomorphism</p>\n<h1>%zu test%s on %s</h1>\n",
            h->tests, lm_plural(h->tests), p->data->name);
    lm_page(p->out, "<p class=\"lead\">%s pairs of %s graphs. ", lm_count_text(h->pairs, pairs),
            lm_count_text(h->graphs, graphs));
    lm_page(p->out, "%s tells apart %s, ", lm_hierarchy_name(h, best, test), lm_count_text(h->told[best], pairs));
    lm_page(p->out, "which is the most; %s are left.</p>\n</header>\n", lm_count_text(h->pairs - h->told[best], pairs));
}

static void write_warnings(const hierarchy_page *p)
{
    const leman_hierarchy *h = p->h;
    char a[LM_TEST_NAME], b[LM_TEST_NAME];
    for (size_t i = 0; i < h->tests; i++)
        for (size_t j = 0; j < h->tests; j++)
            if (h->proved[i * h->tests + j] && h->only[i * h->tests + j])
                lm_page(p->out,
                        "<p><strong>A proved inclusion is violated: %s tells apart %" PRIu64
                        " pair%s that %s does not. "
                        "This is an error of the program.</strong></p>\n",
                        lm_hierarchy_name(h, i, a), h->only[i * h->tests + j], lm_plural(h->only[i * h->tests + j]),
                        lm_hierarchy_name(h, j, b));
}

/* ---- What each test tells apart -------------------------------------------------------------- */

static bool is_told(const leman_hierarchy *h, size_t test, size_t pair)
{
    const uint32_t *class_of = h->class_of + test * h->graphs;
    return class_of[2 * pair] != class_of[2 * pair + 1];
}

static void write_counts(const hierarchy_page *p)
{
    const leman_hierarchy *h = p->h;
    char name[LM_TEST_NAME], text[LM_NUMBER_TEXT];
    lm_page(p->out, "<section>\n<h2>Pairs told apart</h2>\n<figure>\n<div class=\"table\"><table><thead><tr>"
                    "<th scope=\"col\">test</th>");
    for (size_t g = 0; g < p->groups; g++) lm_page(p->out, "<th scope=\"col\">%s (%zu)</th>", p->name[g], p->size[g]);
    lm_page(p->out, "<th scope=\"col\">all</th><th scope=\"col\">seconds</th></tr></thead><tbody>\n");
    for (size_t t = 0; t < h->tests; t++) {
        lm_page(p->out, "<tr><th scope=\"row\">%s</th>", lm_hierarchy_name(h, t, name));
        for (size_t g = 0, pair = 0; g < p->groups; g++) {
            size_t told = 0;
            for (size_t end = pair + p->size[g]; pair < end; pair++) told += is_told(h, t, pair);
            lm_page(p->out, "<td>%zu</td>", told);
        }
        lm_page(p->out, "<td>%s</td><td>%.2f</td></tr>\n", lm_count_text(h->told[t], text), h->seconds[t]);
    }
    lm_page(p->out, "</tbody></table></div>\n</figure>\n</section>\n");
}

/* ---- Witnesses ------------------------------------------------------------------------------- */

static leman_status draw_graph(const hierarchy_page *p, size_t graph, double x)
{
    SCRATCH_SCOPE(p->ctx);
    const leman_graph g = leman_dataset_graph(p->data, graph);
    lm_graph_drawing drawing;
    PASS(lm_graph_drawing_new(p->ctx, &g, LM_WITNESS_WIDTH, LM_WITNESS_HEIGHT, &drawing));
    lm_page(p->out, "<g class=\"graph\" transform=\"translate(%.0f 0)\">\n", x);
    lm_graph_draw_edges(p->out, &drawing);
    lm_graph_draw_vertices(p->out, &drawing);
    lm_page(p->out, "</g>\n");
    return LEMAN_OK;
}

/* One step of the diagram: `stronger` tells apart all that `weaker` does, and this pair. */
static leman_status write_witness(const hierarchy_page *p, size_t weaker, size_t stronger)
{
    const leman_hierarchy *h = p->h;
    const size_t *pair = h->witness + 2 * (stronger * h->tests + weaker);
    char a[LM_TEST_NAME], b[LM_TEST_NAME];
    size_t vertices = 0;
    for (int i = 0; i < 2; i++) {
        const size_t own = leman_dataset_graph(p->data, pair[i]).vertices;
        vertices = own > vertices ? own : vertices;
    }
    lm_page(p->out, "<figure>\n<h3>%s &lt; %s</h3>\n", lm_hierarchy_name(h, weaker, a),
            lm_hierarchy_name(h, stronger, b));
    if (vertices && vertices <= DRAWN) {
        lm_page(p->out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"graphs %zu and %zu\">\n",
                2 * LM_WITNESS_WIDTH + LM_WITNESS_GAP, LM_WITNESS_HEIGHT, pair[0], pair[1]);
        PASS(draw_graph(p, pair[0], 0));
        PASS(draw_graph(p, pair[1], LM_WITNESS_WIDTH + LM_WITNESS_GAP));
        lm_page(p->out, "</svg>\n");
    }
    lm_page(p->out, "<figcaption>Graphs %zu and %zu, of %zu vertices%s: %s tells them apart, ", pair[0], pair[1],
            vertices, vertices > DRAWN ? " (too large to be drawn)" : "", b);
    lm_page(p->out, "%s does not. %" PRIu64 " such pair%s.</figcaption>\n</figure>\n", a,
            h->only[stronger * h->tests + weaker], lm_plural(h->only[stronger * h->tests + weaker]));
    return LEMAN_OK;
}

static leman_status write_witnesses(const hierarchy_page *p, const lm_diagram *d)
{
    lm_page(p->out, "<section>\n<h2>The smallest pair for each step</h2>\n<div class=\"cards\">\n");
    for (size_t i = 0; i < d->tests; i++)
        for (size_t j = 0; j < d->tests; j++)
            if (d->step[i * d->tests + j]) PASS(write_witness(p, i, j));
    lm_page(p->out, "</div>\n</section>\n");
    return LEMAN_OK;
}

/* ---- Tests against tests, tests against pairs ------------------------------------------------ */

static void write_matrix(const hierarchy_page *p)
{
    const leman_hierarchy *h = p->h;
    char name[LM_TEST_NAME], text[LM_NUMBER_TEXT];
    lm_page(p->out, "<section>\n<h2>Test against test</h2>\n<figure>\n<div class=\"table\"><table><thead><tr>"
                    "<th scope=\"col\">pairs told apart by the row, not by the column</th>");
    for (size_t t = 0; t < h->tests; t++) lm_page(p->out, "<th scope=\"col\">%s</th>", lm_hierarchy_name(h, t, name));
    lm_page(p->out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < h->tests; i++) {
        lm_page(p->out, "<tr><th scope=\"row\">%s</th>", lm_hierarchy_name(h, i, name));
        for (size_t j = 0; j < h->tests; j++)
            lm_page(p->out, "<td>%s</td>", i == j ? "" : lm_count_text(h->only[i * h->tests + j], text));
        lm_page(p->out, "</tr>\n");
    }
    lm_page(p->out, "</tbody></table></div>\n</figure>\n</section>\n");
}

/* A picture with a row for each test and a column for each pair of the list: dark where the pair is told apart. */
static leman_status write_picture(const hierarchy_page *p)
{
    SCRATCH_SCOPE(p->ctx);
    const leman_hierarchy *h = p->h;
    const size_t width = (size_t)h->pairs, height = h->tests * TALL;
    char name[LM_TEST_NAME];
    unsigned char *level;
    if (!h->listed || !width || width > LM_HEAT_MAP_SIDE || height > LM_HEAT_MAP_SIDE) return LEMAN_OK;
    PASS_SCRATCH_ZERO(p->ctx, level, width * height);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width && y % TALL; x++) level[y * width + x] = is_told(h, y / TALL, x) ? 200 : 25;
    lm_page(p->out,
            "<section>\n<h2>Test against pair</h2>\n<figure>\n<img class=\"heat\" alt=\"a row for each test, a column "
            "for each pair\" style=\"width:100%%;image-rendering:pixelated\" src=\"");
    PASS(lm_heat_map_embed(p->ctx, p->out, level, width, height));
    lm_page(p->out,
            "\">\n<figcaption>A column for each pair, in the order of the list; dark: told apart. Rows from above: ");
    for (size_t t = 0; t < h->tests; t++) lm_page(p->out, "%s%s", t ? ", " : "", lm_hierarchy_name(h, t, name));
    lm_page(p->out, ".</figcaption>\n</figure>\n</section>\n");
    return LEMAN_OK;
}

/* ---- The page -------------------------------------------------------------------------------- */

static leman_status check_groups(leman_context *ctx, const leman_hierarchy *h, const char *const *names,
                                 const size_t *sizes, size_t groups)
{
    size_t sum = 0;
    for (size_t g = 0; g < groups; g++) {
        if (!names[g]) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "names[%zu]: found NULL, expected a name", g);
        if (sizes[g] > h->pairs - sum) sum = (size_t)h->pairs + 1;
        if (sum > h->pairs) break;
        sum += sizes[g];
    }
    if (groups && (!h->listed || sum != h->pairs))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "groups: found %s%zu pairs, expected all %llu of a list",
                       sum > h->pairs ? "more than " : "", sum > h->pairs ? (size_t)h->pairs : sum,
                       (unsigned long long)h->pairs);
    return LEMAN_OK;
}

leman_status leman_hierarchy_page_write(leman_context *ctx, const leman_dataset *data, const leman_hierarchy *hierarchy,
                                        const char *const *names, const size_t *sizes, size_t groups,
                                        const char *command, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    lm_diagram diagram;
    REQUIRE(ctx, data, hierarchy, path);
    if (groups) REQUIRE(ctx, names, sizes);
    if (data->graphs != hierarchy->graphs)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "data: found %zu graphs, expected the %zu of the hierarchy",
                       data->graphs, hierarchy->graphs);
    PASS(check_groups(ctx, hierarchy, names, sizes, groups));
    SCRATCH_SCOPE(ctx);
    const hierarchy_page p = {ctx, &out, data, hierarchy, names, sizes, groups};
    PASS(lm_diagram_new(ctx, hierarchy, &diagram));
    PASS(lm_output_open(ctx, path, &out));
    lm_page_begin(&out, data->name, "Tests of isomorphism compared on the same graphs.");
    write_head(&p);
    write_warnings(&p);
    write_counts(&p);
    lm_diagram_draw(&out, hierarchy, &diagram);
    PASS(write_witnesses(&p, &diagram));
    write_matrix(&p);
    PASS(write_picture(&p));
    lm_page_reproduce_begin(&out, command);
    lm_page_row(&out, "checksum of the graphs", "%016" PRIx64, leman_dataset_checksum(data));
    lm_page_reproduce_end(&out, "Inclusions are those that were seen on these graphs; another corpus can show more.");
    lm_page_end(&out);
    return lm_output_commit(&out);
}
