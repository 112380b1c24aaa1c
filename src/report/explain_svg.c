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

/* Counts the characters of UTF-8 text. */
static size_t characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) count += (text[i] & 0xc0) != 0x80;
    return count;
}

/* Breaks text behind every semicolon, and at blanks into lines of at most `widest` characters where possible. */
static void break_lines(lines *to, const char *text, size_t widest, const char *style)
{
    while (*text && to->count < MAX_LINES) {
        size_t length = 0, end = 0;
        while (text[end]) {
            end += strcspn(text + end, " ");
            if (length && characters(text, end) > widest) break;
            length = end;
            if (end && text[end - 1] == ';') break;
            if (text[end]) end++;
        }
        to->line[to->count++] = (line){text, length, style};
        text += length;
        while (*text == ' ') text++;
    }
}

static leman_status write_lines(lm_output *out, const lines *l, double x, double y)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < l->count; i++) {
        TRY(lm_output_printf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y + LINE * ((double)i + 0.75),
                             l->line[i].style));
        lm_page_text(out, l->line[i].text, l->line[i].length);
        TRY(lm_write_text(out, "</text>\n"));
    }
done:
    return st;
}

static double width_of(const lines *l)
{
    size_t widest = 0;
    for (size_t i = 0; i < l->count; i++) {
        size_t own = characters(l->line[i].text, l->line[i].length);
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

static leman_status draw_box(const lm_box *box, const rectangle *r, lm_output *out)
{
    leman_status st = LEMAN_OK;
    unsigned hue = (unsigned)(box->node * LM_HUE_STEP % 360);
    if (box->kind == LM_BOX_NODE || box->kind == LM_BOX_AGAIN)
        TRY(lm_output_printf(
            out,
            "<rect class=\"box\" style=\"--hue:%u\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" "
            "fill=\"hsl(%u,70%%,94%%)\" stroke=\"hsl(%u,45%%,45%%)\"%s/>\n",
            hue, r->x, r->y, r->width, r->height, hue, hue,
            box->kind == LM_BOX_AGAIN ? " stroke-dasharray=\"4 3\"" : ""));
    TRY(write_lines(out, &r->text, r->x + PADDING, r->y + PADDING / 2));
done:
    return st;
}

static leman_status draw_tree(const lm_drawing *d, const rectangle *r, lm_output *out)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 1; i < d->count; i++) {
        const rectangle *from = r + d->box[i].parent, *to = r + i;
        double x = from->x + from->width, y = from->y + from->height / 2, z = to->y + to->height / 2;
        double middle = (x + to->x) / 2;
        TRY(lm_output_printf(out, "<path class=\"branch\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n", x, y,
                             middle, y, middle, z, to->x, z));
    }
    for (size_t i = 0; i < d->count; i++) TRY(draw_box(d->box + i, r + i, out));
done:
    return st;
}

typedef struct picture {
    lm_drawing drawing[2];
    rectangle *place[2];
    char caption[LM_WORDS], heading[2][LM_WORDS];
    lines caption_lines, heading_lines[2];
    double heading_y[2], graphs_y, width, height;
} picture;

static void describe_tree(const lm_explained *e, size_t node, char *text)
{
    const leman_unrolling *u = e->unrolling;
    char tuple[LM_WORDS], graph[LM_WORDS];
    lm_tuple_words(e, u->node[node].graph, u->vertex + node * u->k, tuple);
    lm_graph_words(e, u->node[node].graph, graph);
    snprintf(text, LM_WORDS, "%s %.100s of %.100s%s", node ? "Beside it, that of" : "Its unrolling at", tuple,
             e->as_union ? "the union" : graph, node ? ", which had the same colour one round earlier" : "");
}

/* Arranges the trees one below the other, each under its heading. */
static leman_status compose(leman_context *ctx, const lm_explained *e, picture *p)
{
    leman_status st = LEMAN_OK;
    const leman_unrolling *u = e->unrolling;
    size_t trees = u->difference.distinguished ? 1 + (u->other > 0) : 0;
    lm_explain_caption(e, p->caption);
    break_lines(&p->caption_lines, p->caption, CAPTION, "caption");
    p->width = width_of(&p->caption_lines) + 2 * MARGIN;
    p->height = MARGIN + LINE * (double)p->caption_lines.count;
    const lm_graphs_size graphs = lm_explain_graphs_size(e);
    p->graphs_y = p->height + (graphs.height > 0 ? GAP : 0);
    p->height = p->graphs_y + graphs.height;
    if (graphs.width + 2 * MARGIN > p->width) p->width = graphs.width + 2 * MARGIN;
    for (size_t t = 0; t < trees; t++) {
        TRY(lm_drawing_new(ctx, e, t ? u->other : 0, t ? 1 : UINT32_MAX, BOXES, &p->drawing[t]));
        NEW(ctx, p->place[t], p->drawing[t].count);
        describe_tree(e, t ? u->other : 0, p->heading[t]);
        break_lines(&p->heading_lines[t], p->heading[t], CAPTION, "caption");
        p->heading_y[t] = p->height + LINE / 2;
        p->height = p->heading_y[t] + LINE * (double)p->heading_lines[t].count + GAP;
        lay_out(&p->drawing[t], p->place[t], p->height);
        p->height += p->place[t][0].extent;
        if (width_of(&p->heading_lines[t]) + 2 * MARGIN > p->width)
            p->width = width_of(&p->heading_lines[t]) + 2 * MARGIN;
        for (size_t i = 0; i < p->drawing[t].count; i++) {
            const rectangle *r = p->place[t] + i;
            if (r->x + r->width + MARGIN > p->width) p->width = r->x + r->width + MARGIN;
        }
    }
    p->height += MARGIN;
done:
    return st;
}

/* Presentation attributes serve programs without dark mode. */
static const char STYLE[] =
    "<style>text{font:12px monospace;fill:#222}.caption{font-weight:bold}.title{font-weight:bold}"
    "text.edge{font-style:italic;fill:#555}path{fill:none;stroke:#999}.paper{fill:#fff}"
    "path.edge{stroke:#777;stroke-width:1.3}path.aromatic{stroke-dasharray:3 2.5}"
    ".vertex{fill:#fff;stroke:#777;stroke-width:1.3}.vertex.hit{fill:#b84a00;stroke:#b84a00}"
    ".vertex.ring{stroke:#b84a00;stroke-width:2.4}.label,.hit-label{text-anchor:middle;font-family:sans-serif}.small{"
    "font-size:9.5px}"
    ".hit-label{fill:#fff;font-weight:bold}path.tuple{stroke:#b84a00;stroke-width:3;stroke-linecap:round}"
    "path.tuple.apart{stroke-width:1.6;stroke-dasharray:1 4}\n"
    "@media(prefers-color-scheme:dark){text{fill:#e6e4df}text.edge{fill:#b5b2ab}.paper{fill:#17181b}"
    ".box{fill:hsl(var(--hue),30%,20%);stroke:hsl(var(--hue),40%,60%)}path.edge,.vertex{stroke:#9a978f}"
    ".vertex{fill:#17181b}.vertex.hit{fill:#ff9d5c;stroke:#ff9d5c}.vertex.ring{stroke:#ff9d5c}"
    ".hit-label{fill:#17181b}path.tuple{stroke:#ff9d5c}}</style>\n"
    "<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n";

leman_status lm_explain_svg(leman_context *ctx, const lm_explained *e, lm_output *out)
{
    leman_status st = LEMAN_OK;
    picture *p = NULL;
    NEW(ctx, p, 1);
    memset(p, 0, sizeof *p);
    TRY(compose(ctx, e, p));
    TRY(lm_output_printf(out,
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title\" "
                         "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<title id=\"title\">",
                         p->width, p->height, p->width, p->height));
    lm_page_text(out, p->caption, strlen(p->caption));
    TRY(lm_write_text(out, "</title>\n"));
    TRY(lm_write_text(out, STYLE));
    TRY(write_lines(out, &p->caption_lines, MARGIN, MARGIN));
    TRY(lm_explain_graphs(ctx, e, MARGIN, p->graphs_y, out));
    for (int t = 0; t < 2 && p->place[t]; t++) {
        TRY(write_lines(out, &p->heading_lines[t], MARGIN, p->heading_y[t]));
        TRY(draw_tree(&p->drawing[t], p->place[t], out));
    }
    TRY(lm_write_text(out, "</svg>\n"));
done:
    for (int t = 0; t < 2 && p; t++) {
        lm_drawing_free(ctx, &p->drawing[t]);
        lm_free(ctx, p->place[t]);
    }
    lm_free(ctx, p);
    return st;
}
