/* Writes an unrolling tree in the DOT language of Graphviz: one cluster for the tree, one for the tree beside it. */
#include "report/explain.h"

enum { BOXES = 60 };

/* Writes text inside double quotes. */
static void write_quoted(lm_output *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') lm_write_text(out, "\\");
        lm_output_write(out, text, 1);
    }
}

static void write_box(const lm_drawing *d, size_t number, char tree, lm_output *out)
{
    const lm_box *box = d->box + number;
    unsigned hue = (unsigned)(box->node * LM_HUE_STEP % 360);
    lm_output_printf(out, "    %c%zu [label=\"", tree, number);
    write_quoted(out, box->title);
    if (*box->type) lm_write_text(out, "\\n");
    write_quoted(out, box->type);
    lm_write_text(out, box->cut ? "\\n..." : "");
    if (box->kind == LM_BOX_JOINT || box->kind == LM_BOX_MORE)
        lm_write_text(out, "\", shape=plaintext, style=\"\"];\n");
    else
        lm_output_printf(out, "\", fillcolor=\"%.3f 0.15 1.0\"%s];\n", hue / 360.0,
                         box->kind == LM_BOX_AGAIN ? ", style=\"filled,dashed\"" : "");
    if (box->parent == SIZE_MAX) return;
    lm_output_printf(out, "    %c%zu -> %c%zu [label=\"", tree, box->parent, tree, number);
    write_quoted(out, box->edge);
    lm_write_text(out, "\"];\n");
}

leman_status lm_explain_dot(leman_context *ctx, const lm_explained *e, lm_output *out)
{
    char text[LM_WORDS];
    lm_drawing d;
    lm_explain_caption(e, text);
    lm_write_text(out, "digraph unrolling {\n  rankdir=LR;\n  labelloc=t;\n  label=\"");
    write_quoted(out, text);
    lm_write_text(out, "\";\n  node [shape=box, style=filled, fontname=monospace];\n  edge [fontname=monospace];\n");
    lm_explain_graphs_dot(e, out);
    for (size_t tree = 0; tree < lm_explain_trees(e); tree++) {
        const char letter = (char)('a' + tree);
        PASS(lm_drawing_new(ctx, e, tree, BOXES, &d));
        lm_output_printf(out, "  subgraph cluster_%c {\n    label=\"", letter);
        write_quoted(out, lm_root_words(e, d.root, text));
        lm_write_text(out, " of ");
        write_quoted(out, lm_root_graph_words(e, d.root, text));
        lm_write_text(out, "\";\n");
        for (size_t i = 0; i < d.count; i++) write_box(&d, i, letter, out);
        lm_write_text(out, "  }\n");
    }
    lm_write_text(out, "}\n");
    return LEMAN_OK;
}
