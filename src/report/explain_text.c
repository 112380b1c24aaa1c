/* Writes an unrolling tree as indented lines. */
#include "report/explain.h"

enum { BOXES = 120 };

/* Writes the bars before a line: four characters for each ancestor, with a bar if it has further siblings. */
static void write_bars(const lm_drawing *d, const lm_box *box, lm_output *out)
{
    const lm_box *above = d->box + box->parent;
    if (above->parent == SIZE_MAX) return;
    write_bars(d, above, out);
    lm_write_text(out, above->sibling != SIZE_MAX ? "|   " : "    ");
}

static void write_subtree(const lm_drawing *d, size_t number, lm_output *out)
{
    const lm_box *box = d->box + number;
    lm_write_text(out, "  ");
    if (box->parent != SIZE_MAX) {
        write_bars(d, box, out);
        lm_write_text(out, box->sibling != SIZE_MAX ? "|-- " : "`-- ");
    }
    lm_output_printf(out, "%s%s%s", box->edge, *box->edge ? ": " : "", box->title);
    lm_output_printf(out, "%s%s", *box->type ? "  " : "", box->type);
    lm_output_printf(out, "%s%s\n", box->kind == LM_BOX_AGAIN ? "  (branches elsewhere)" : "", box->cut ? "  ..." : "");
    for (size_t i = box->child; i != SIZE_MAX; i = d->box[i].sibling) write_subtree(d, i, out);
}

/* Writes a line such as "  the first graph: (0,1) (0,2) and 10 more". */
static void write_carriers(const lm_explained *e, uint32_t graph, lm_output *out)
{
    const leman_unrolling *u = e->unrolling;
    lm_explained inside = *e; /* the vertices of carriers are numbered in their own graph */
    char text[LM_WORDS];
    size_t shown = u->carriers[graph];
    inside.as_union = false;
    lm_output_printf(out, "  in %s: %s", lm_graph_words(e, graph, text), shown ? "" : "none");
    for (size_t i = 0; i < shown; i++)
        lm_output_printf(out, "%s%s", i ? " " : "", lm_tuple_words(&inside, graph, u->carrier[graph] + i * u->k, text));
    if (u->difference.count[graph] > shown)
        lm_output_printf(out, " and %s more", lm_count_text(u->difference.count[graph] - shown, text));
    lm_write_text(out, "\n");
}

static void write_heading(const lm_explained *e, size_t node, lm_output *out)
{
    char tuple[LM_WORDS], graph[LM_WORDS];
    lm_output_printf(out, "\n%s %s of %s", node ? "Beside it, that of" : "Its unrolling at",
                     lm_root_words(e, node, tuple), lm_root_graph_words(e, node, graph));
    if (node && e->unrolling->node[node].round)
        lm_output_printf(out, ", which had the same colour in round %u", e->unrolling->node[node].round - 1);
    lm_write_text(out, ":\n\n");
}

leman_status lm_explain_text(leman_context *ctx, const lm_explained *e, lm_output *out)
{
    char text[LM_WORDS];
    lm_drawing d;
    lm_explain_caption(e, text);
    lm_write_wrapped(out, text, 0, 0);
    if (!lm_explain_trees(e)) return LEMAN_OK;
    lm_write_text(out, "\n");
    for (uint32_t graph = 0; graph < 2; graph++) write_carriers(e, graph, out);
    for (size_t tree = 0; tree < lm_explain_trees(e); tree++) {
        PASS(lm_drawing_new(ctx, e, tree, BOXES, &d));
        write_heading(e, d.root, out);
        write_subtree(&d, 0, out);
    }
    return LEMAN_OK;
}
