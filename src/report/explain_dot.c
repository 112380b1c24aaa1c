/* Writes an unrolling tree in the DOT language of Graphviz: one cluster for the tree, one for the tree beside it. */
#include "report/explain.h"
#include <inttypes.h>
#include <stdio.h>

enum { BOXES = 60 };

/* Writes text inside double quotes. */
static leman_status write_quoted(lm_output *out, const char *text)
{
    leman_status st = LEMAN_OK;
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') TRY(lm_write_text(out, "\\"));
        TRY(lm_output_write(out, text, 1));
    }
done:
    return st;
}

static leman_status write_box(const lm_drawing *d, size_t number, char tree, lm_output *out)
{
    leman_status st = LEMAN_OK;
    const lm_box *box = d->box + number;
    bool plain = box->kind == LM_BOX_JOINT || box->kind == LM_BOX_MORE;
    unsigned hue = (unsigned)(box->node * LM_HUE_STEP % 360);
    TRY(lm_output_printf(out, "    %c%zu [label=\"", tree, number));
    TRY(write_quoted(out, box->title));
    if (*box->type) {
        TRY(lm_write_text(out, "\\n"));
        TRY(write_quoted(out, box->type));
    }
    TRY(lm_write_text(out, box->cut ? "\\n..." : ""));
    if (plain)
        TRY(lm_write_text(out, "\", shape=plaintext, style=\"\"];\n"));
    else
        TRY(lm_output_printf(out, "\", fillcolor=\"%.3f 0.15 1.0\"%s];\n", hue / 360.0,
                             box->kind == LM_BOX_AGAIN ? ", style=\"filled,dashed\"" : ""));
    if (box->parent == SIZE_MAX) goto done;
    TRY(lm_output_printf(out, "    %c%zu -> %c%zu [label=\"", tree, box->parent, tree, number));
    TRY(write_quoted(out, box->edge));
    TRY(lm_write_text(out, "\"];\n"));
done:
    return st;
}

static leman_status write_tree(leman_context *ctx, const lm_explained *e, size_t node, uint32_t levels, char tree,
                               lm_output *out)
{
    leman_status st = LEMAN_OK;
    const leman_unrolling *u = e->unrolling;
    lm_drawing d = {0};
    char text[LM_WORDS];
    TRY(lm_drawing_new(ctx, e, node, levels, BOXES, &d));
    TRY(lm_output_printf(out, "  subgraph cluster_%c {\n    label=\"", tree));
    TRY(write_quoted(out, lm_tuple_words(e, u->node[node].graph, u->vertex + node * u->k, text)));
    TRY(lm_write_text(out, " of "));
    TRY(write_quoted(out, e->as_union ? "the union" : lm_graph_words(e, u->node[node].graph, text)));
    TRY(lm_write_text(out, "\";\n"));
    for (size_t i = 0; i < d.count; i++) TRY(write_box(&d, i, tree, out));
    TRY(lm_write_text(out, "  }\n"));
done:
    lm_drawing_free(ctx, &d);
    return st;
}

leman_status lm_explain_dot(leman_context *ctx, const lm_explained *e, lm_output *out)
{
    leman_status st = LEMAN_OK;
    char text[LM_WORDS];
    lm_explain_caption(e, text);
    TRY(lm_write_text(out, "digraph unrolling {\n  rankdir=LR;\n  labelloc=t;\n  label=\""));
    TRY(write_quoted(out, text));
    TRY(lm_write_text(out,
                      "\";\n  node [shape=box, style=filled, fontname=monospace];\n  edge [fontname=monospace];\n"));
    TRY(lm_explain_graphs_dot(e, out));
    if (e->unrolling->difference.distinguished) TRY(write_tree(ctx, e, 0, UINT32_MAX, 'a', out));
    if (e->unrolling->other) TRY(write_tree(ctx, e, e->unrolling->other, 1, 'b', out));
    TRY(lm_write_text(out, "}\n"));
done:
    return st;
}
