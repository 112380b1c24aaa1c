/* Writes an unrolling tree as indented lines. */
#include "report/explain.h"
#include <stdio.h>
#include <string.h>

enum { BOXES = 120 };

/* Writes the bars before a line: four characters for each ancestor, with a bar if it has further siblings. */
static leman_status write_bars(const lm_drawing *d, const lm_box *box, lm_output *out)
{
    leman_status st = LEMAN_OK;
    const lm_box *above = d->box + box->parent;
    if (above->parent != SIZE_MAX) {
        TRY(write_bars(d, above, out));
        TRY(lm_write_text(out, above->sibling != SIZE_MAX ? "|   " : "    "));
    }
done:
    return st;
}

static leman_status write_box(const lm_drawing *d, size_t number, lm_output *out)
{
    leman_status st = LEMAN_OK;
    const lm_box *box = d->box + number;
    TRY(lm_write_text(out, "  "));
    if (box->parent != SIZE_MAX) {
        TRY(write_bars(d, box, out));
        TRY(lm_write_text(out, box->sibling != SIZE_MAX ? "|-- " : "`-- "));
    }
    if (*box->edge) TRY(lm_output_printf(out, "%s: ", box->edge));
    TRY(lm_write_text(out, box->title));
    if (*box->type) TRY(lm_output_printf(out, "  %s", box->type));
    if (box->kind == LM_BOX_AGAIN) TRY(lm_write_text(out, "  (branches elsewhere)"));
    if (box->cut) TRY(lm_write_text(out, "  ..."));
    TRY(lm_write_text(out, "\n"));
    for (size_t i = box->child; i != SIZE_MAX; i = d->box[i].sibling) TRY(write_box(d, i, out));
done:
    return st;
}

static leman_status write_tree(leman_context *ctx, const lm_explained *e, size_t node, uint32_t levels, lm_output *out)
{
    leman_status st = LEMAN_OK;
    lm_drawing d = {0};
    TRY(lm_drawing_new(ctx, e, node, levels, BOXES, &d));
    TRY(write_box(&d, 0, out));
done:
    lm_drawing_free(ctx, &d);
    return st;
}

/* Writes a line such as "  the first graph: (0,1) (0,2) and 10 more". */
static leman_status write_carriers(const lm_explained *e, uint32_t graph, lm_output *out)
{
    leman_status st = LEMAN_OK;
    const leman_unrolling *u = e->unrolling;
    lm_explained inside = *e; /* the vertices of carriers are numbered in their own graph */
    char text[LM_WORDS];
    size_t shown = u->carriers[graph];
    inside.as_union = false;
    TRY(lm_output_printf(out, "  in %s: ", lm_graph_words(e, graph, text)));
    if (!shown) TRY(lm_write_text(out, "none"));
    for (size_t i = 0; i < shown; i++) {
        lm_tuple_words(&inside, graph, u->carrier[graph] + i * u->k, text);
        TRY(lm_output_printf(out, "%s%s", i ? " " : "", text));
    }
    if (u->difference.count[graph] > shown)
        TRY(lm_output_printf(out, " and %s more", lm_count_text(u->difference.count[graph] - shown, text)));
    TRY(lm_write_text(out, "\n"));
done:
    return st;
}

static leman_status write_heading(const lm_explained *e, size_t node, const char *format, lm_output *out)
{
    const leman_unrolling *u = e->unrolling;
    char tuple[LM_WORDS], graph[LM_WORDS];
    lm_tuple_words(e, u->node[node].graph, u->vertex + node * u->k, tuple);
    lm_graph_words(e, u->node[node].graph, graph);
    leman_status st = lm_output_printf(out, "\n%s %s of %s", format, tuple, e->as_union ? "the union" : graph);
    if (!st && node && u->node[node].round)
        st = lm_output_printf(out, ", which had the same colour in round %u", u->node[node].round - 1);
    return st ? st : lm_write_text(out, ":\n\n");
}

leman_status lm_explain_text(leman_context *ctx, const lm_explained *e, lm_output *out)
{
    leman_status st = LEMAN_OK;
    char text[LM_WORDS];
    lm_explain_caption(e, text);
    TRY(lm_write_wrapped(out, text, 0, 0));
    if (!e->unrolling->difference.distinguished) goto done;
    TRY(lm_write_text(out, "\n"));
    for (uint32_t graph = 0; graph < 2; graph++) TRY(write_carriers(e, graph, out));
    TRY(write_heading(e, 0, "Its unrolling at", out));
    TRY(write_tree(ctx, e, 0, UINT32_MAX, out));
    if (!e->unrolling->other) goto done;
    TRY(write_heading(e, e->unrolling->other, "Beside it, that of", out));
    TRY(write_tree(ctx, e, e->unrolling->other, 1, out));
done:
    return st;
}
