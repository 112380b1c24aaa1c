/*
 * Draws the features of a model with the largest effects on its score, each on an example: the vertices of a tuple are
 * filled, and rings mark the other vertices of the neighbourhood.
 */
#include "base/drop.h"
#include "learn/model/model.h"
#include "report/drawing/graph_drawing.h"
#include "report/drawing/layout.h"
#include "report/report.h"
#include <inttypes.h>
#include <string.h>

enum { WIDTH = 300, HEIGHT = 220, SHOWN = 12, CLASSES = 6, LEAST = 2 };

static leman_status draw(leman_context *ctx, lm_output *out, const leman_substructure *s, const leman_dataset *data)
{
    SCRATCH_SCOPE(ctx);
    const leman_graph graph = leman_dataset_graph(data, s->example);
    lm_graph_drawing drawing;
    PASS(lm_graph_drawing_new(ctx, &graph, WIDTH, HEIGHT, &drawing));
    for (size_t i = 0; i < s->vertices; i++)
        drawing.mark[s->vertex[i]] = i < s->components ? LM_VERTEX_HIT : LM_VERTEX_RING;
    lm_page(out,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Example graph with %zu vertices; %zu of them are "
            "the neighbourhood\">\n",
            (int)WIDTH, (int)HEIGHT, graph.vertices, s->vertices);
    lm_graph_draw_edges(out, &drawing);
    if (s->components > 1) lm_graph_draw_tuple(out, &drawing, s->vertex, (unsigned)s->components);
    lm_graph_draw_vertices(out, &drawing);
    lm_page(out, "</svg>\n");
    return LEMAN_OK;
}

static leman_status card(leman_context *ctx, lm_output *out, const leman_model *model, const leman_substructure *s,
                         const leman_dataset *data)
{
    char method[LM_REPORT_NAME];
    size_t length;
    const char *name = leman_dataset_graph_name(data, s->example, &length);
    lm_page(out, "<figure>\n<h3 class=\"mono\">%s</h3>\n", s->text);
    if (leman_dataset_graph(data, s->example).vertices <= LM_LAYOUT_VERTICES) PASS(draw(ctx, out, s, data));
    lm_page(out, "<figcaption>Graph %zu%s%.*s%s", s->example, length ? " (" : "", (int)length, name, length ? ")" : "");
    if (model->shape.kernels > 1) {
        lm_report_method(model->kernel + s->feature.kernel, 1, method);
        lm_page(out, ", %s", method);
    }
    lm_page(out, ", round %u. %zu of %zu graphs have it. Weight %+.3g, effect %.3g.</figcaption>\n</figure>\n",
            s->feature.round, s->graphs, leman_dataset_shape(data)->graphs, s->weight, s->effect);
    return LEMAN_OK;
}

/* Draws the features of one class; of a regression and of two classes, the only ones. */
static leman_status cards(leman_context *ctx, lm_output *out, const leman_model *model, const leman_dataset *data,
                          size_t class_number, size_t most)
{
    AUTO(leman_substructures_drop) leman_substructures *found = NULL;
    const leman_model_shape *shape = &model->shape;
    PASS(leman_model_substructures(ctx, model, data, class_number, most, &found));
    if (shape->classes > 2) {
        const char *word = shape->class_name ? shape->class_name[class_number] : "";
        lm_page(out, "<h3 class=\"method\">For class %lld%s%s%s</h3>\n", (long long)shape->class_label[class_number],
                *word ? " (" : "", word, *word ? ")" : "");
    }
    lm_page(out, "<div class=\"cards\">\n");
    for (size_t i = 0; i < found->count; i++) PASS(card(ctx, out, model, found->item + i, data));
    lm_page(out, "</div>\n");
    return LEMAN_OK;
}

leman_status lm_report_substructures(leman_context *ctx, lm_output *out, const leman_model *model,
                                     const leman_dataset *data)
{
    const leman_model_shape *shape = &model->shape;
    const size_t classes = shape->classes < CLASSES ? shape->classes : CLASSES;
    const size_t most = shape->classes > 2 ? (SHOWN / classes < LEAST ? LEAST : SHOWN / classes) : SHOWN;
    lm_page(
        out,
        "<p>The effect of a feature is the standard deviation, over these graphs, of what its count adds to the %s; "
        "a positive weight adds to it. Features with the same counts in all graphs are one, with the sum of their "
        "weights. Orange: the vertices of the feature; rings: what else its colour depends on.</p>\n",
        shape->regression ? "value" : "score of the class");
    if (shape->classes == 2) {
        const char *word = shape->class_name ? shape->class_name[1] : "";
        lm_page(out, "<p>The score is that of class %lld%s%s%s.</p>\n", (long long)shape->class_label[1],
                *word ? " (" : "", word, *word ? ")" : "");
        return cards(ctx, out, model, data, 1, most);
    }
    for (size_t c = 0; c < (shape->regression ? 1 : classes); c++) PASS(cards(ctx, out, model, data, c, most));
    return LEMAN_OK;
}
