/*
 * Writes an unrolling tree as a self-contained SVG picture. The tree grows from left to right, with a column for each
 * depth, as wide as its widest box. A box is centred in the height of its subtree, so boxes never overlap. Text has a
 * fixed pitch, so its width is known without fonts.
 */
#include "report/explain.h"
#include "report/page.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    BOXES = 60,
    WIDEST = 38,   /* characters in a line of a box */
    CAPTION = 100, /* characters in a line of a caption */
    MAX_LINES = 16
};
static const double PITCH = 7.4, LINE = 16, PADDING = 8, GAP = 10, COLUMN_GAP = 44, MARGIN = 16;

/* A line of text: a part of a longer text. */
typedef struct line {
    const char *text;
    size_t length;
    const char *style; /* class of the style sheet */
} line;

typedef struct lines {
    line line[MAX_LINES];
    size_t count;
} lines;

typedef struct rectangle {
    double x, y, width, height, extent; /* extent: height of its subtree */
    lines text;
} rectangle;

/* ---- Text ------------------------------------------------------------------------------------ */

/* Breaks text behind every semicolon, and at blanks into lines of at most `widest` characters where possible. */
static void break_lines(lines *to, const char *text, size_t widest, const char *style)
{
    while (*text && to->count < MAX_LINES) {
        size_t length = 0, end = 0;
        while (text[end]) {
            end += strcspn(text + end, " ");
            if (length && lm_text_width(text, end) > widest) break;
            length = end;
            if (end && text[end - 1] == ';') break;
            if (text[end]) end++;
        }
        to->line[to->count++] = (line){text, length, style};
        text += length;
        while (*text == ' ') text++;
    }
}

static void write_lines(lm_output *out, const lines *l, double x, double y)
{
    for (size_t i = 0; i < l->count; i++) {
        lm_output_printf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y + LINE * ((double)i + 0.75),
                         l->line[i].style);
        lm_page_text(out, l->line[i].text, l->line[i].length);
        lm_write_text(out, "</text>\n");
    }
}

static double width_of(const lines *l)
{
    size_t widest = 0;
    for (size_t i = 0; i < l->count; i++) {
        size_t own = lm_text_width(l->line[i].text, l->line[i].length);
        if (own > widest) widest = own;
    }
    return (double)widest * PITCH;
}

/* ---- Layout ---------------------------------------------------------------------------------- */

/* Computes the sizes of the boxes, then the heights of subtrees from the leaves up, then positions from the root down.
 * Children follow their parents in d->box, so simple loops suffice. */
static void lay_out(const lm_drawing *d, rectangle *r, double top)
{
    double column[BOXES + 1] = {0};
    for (size_t i = 0; i < d->count; i++) {
        const lm_box *box = d->box + i;
        r[i].text.count = 0;
        break_lines(&r[i].text, box->edge, WIDEST, "edge");
        break_lines(&r[i].text, box->title, WIDEST, box->kind == LM_BOX_MORE ? "edge" : "title");
        break_lines(&r[i].text, box->type, WIDEST, "type");
        if (box->cut || box->kind == LM_BOX_AGAIN)
            break_lines(&r[i].text, box->cut ? "..." : "(branches elsewhere)", WIDEST, "edge");
        r[i].width = width_of(&r[i].text) + 2 * PADDING;
        r[i].height = LINE * (double)r[i].text.count + PADDING;
        if (r[i].width > column[box->depth]) column[box->depth] = r[i].width;
    }
    for (size_t i = d->count; i-- > 0;) {
        double below = 0;
        for (size_t c = d->box[i].child; c != SIZE_MAX; c = d->box[c].sibling) below += r[c].extent;
        r[i].extent = below > r[i].height + GAP ? below : r[i].height + GAP;
    }
    r[0].x = MARGIN;
    r[0].y = top; /* top of the subtree, until its children are placed */
    for (size_t i = 0; i < d->count; i++) {
        double below = 0, at;
        for (size_t c = d->box[i].child; c != SIZE_MAX; c = d->box[c].sibling) below += r[c].extent;
        at = r[i].y + (r[i].extent - below) / 2;
        for (size_t c = d->box[i].child; c != SIZE_MAX; c = d->box[c].sibling) {
            r[c].x = r[i].x + column[d->box[i].depth] + COLUMN_GAP;
            r[c].y = at;
            at += r[c].extent;
        }
        r[i].y += (r[i].extent - r[i].height) / 2;
    }
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static void draw_box(const lm_box *box, const rectangle *r, lm_output *out)
{
    unsigned hue = (unsigned)(box->node * LM_HUE_STEP % 360);
    if (box->kind == LM_BOX_NODE || box->kind == LM_BOX_AGAIN)
        lm_output_printf(
            out,
            "<rect class=\"box\" style=\"--hue:%u\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" "
            "fill=\"hsl(%u,70%%,94%%)\" stroke=\"hsl(%u,45%%,45%%)\"%s/>\n",
            hue, r->x, r->y, r->width, r->height, hue, hue,
            box->kind == LM_BOX_AGAIN ? " stroke-dasharray=\"4 3\"" : "");
    write_lines(out, &r->text, r->x + PADDING, r->y + PADDING / 2);
}

static void draw_tree(const lm_drawing *d, const rectangle *r, lm_output *out)
{
    for (size_t i = 1; i < d->count; i++) {
        const rectangle *from = r + d->box[i].parent, *to = r + i;
        double x = from->x + from->width, y = from->y + from->height / 2, z = to->y + to->height / 2;
        double middle = (x + to->x) / 2;
        lm_output_printf(out, "<path class=\"branch\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n", x, y, middle,
                         y, middle, z, to->x, z);
    }
    for (size_t i = 0; i < d->count; i++) draw_box(d->box + i, r + i, out);
}

/* A tree under its heading. */
typedef struct headed_tree {
    lm_drawing drawing;
    rectangle *place; /* [drawing.count] */
    char heading[LM_WORDS];
    lines lines; /* of the heading */
    double y;
} headed_tree;

typedef struct picture {
    headed_tree tree[2];
    char caption[LM_WORDS];
    lines lines; /* of the caption */
    double graphs_y, width, height;
} picture;

static void describe_tree(const lm_explained *e, size_t node, char *text)
{
    char tuple[LM_WORDS], graph[LM_WORDS];
    snprintf(text, LM_WORDS, "%s %.100s of %.100s%s", node ? "Beside it, that of" : "Its unrolling at",
             lm_root_words(e, node, tuple), lm_root_graph_words(e, node, graph),
             node ? ", which had the same colour one round earlier" : "");
}

/* Makes the picture as wide as what ends at x. */
static void widen(picture *p, double x)
{
    if (x + MARGIN > p->width) p->width = x + MARGIN;
}

/* Arranges the trees one below the other, each under its heading. */
static leman_status compose(leman_context *ctx, const lm_explained *e, picture *p)
{
    const lm_graphs_size graphs = lm_explain_graphs_size(e);
    lm_explain_caption(e, p->caption);
    break_lines(&p->lines, p->caption, CAPTION, "caption");
    p->graphs_y = MARGIN + LINE * (double)p->lines.count + (graphs.height > 0 ? GAP : 0);
    p->height = p->graphs_y + graphs.height;
    widen(p, MARGIN + width_of(&p->lines));
    widen(p, MARGIN + graphs.width);
    for (size_t i = 0; i < lm_explain_trees(e); i++) {
        headed_tree *t = &p->tree[i];
        PASS(lm_drawing_new(ctx, e, i, BOXES, &t->drawing));
        PASS_SCRATCH(ctx, t->place, t->drawing.count);
        describe_tree(e, t->drawing.root, t->heading);
        break_lines(&t->lines, t->heading, CAPTION, "caption");
        t->y = p->height + LINE / 2;
        p->height = t->y + LINE * (double)t->lines.count + GAP;
        lay_out(&t->drawing, t->place, p->height);
        p->height += t->place[0].extent;
        widen(p, MARGIN + width_of(&t->lines));
        for (size_t b = 0; b < t->drawing.count; b++) widen(p, t->place[b].x + t->place[b].width);
    }
    p->height += MARGIN;
    return LEMAN_OK;
}

leman_status lm_explain_svg(leman_context *ctx, void *explained, lm_output *out)
{
    const lm_explained *e = explained;
    picture *p = NULL;
    PASS_SCRATCH_ZERO(ctx, p, 1);
    PASS(compose(ctx, e, p));
    lm_page(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title\" width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<title id=\"title\">%s</title>\n<style>",
            p->width, p->height, p->width, p->height, p->caption);
    lm_output_write(out, LM_EXPLANATION_STYLE, strlen(LM_EXPLANATION_STYLE) - 1); /* without the last newline */
    lm_page(out, "</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
    write_lines(out, &p->lines, MARGIN, MARGIN);
    PASS(lm_explain_graphs(ctx, e, MARGIN, p->graphs_y, out));
    for (size_t i = 0; i < lm_explain_trees(e); i++) {
        write_lines(out, &p->tree[i].lines, MARGIN, p->tree[i].y);
        draw_tree(&p->tree[i].drawing, p->tree[i].place, out);
    }
    lm_write_text(out, "</svg>\n");
    return LEMAN_OK;
}
