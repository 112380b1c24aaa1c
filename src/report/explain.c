/*
 * Chooses the part of an unrolling tree that is drawn. Whole trees are too large for a page, so boxes are added from
 * the root down until there are enough. The first branches of a node are drawn and the others counted. A colour that
 * occurs again is drawn without its branches. The tree is written as text or in the DOT language; explain_svg.c draws it.
 */
#include "report/explain.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "refine/unroll.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_BRANCHES = 10 /* of a node; one more takes no more space than the line that counts the rest */ };
enum { TEXT_BOXES = 120, DOT_BOXES = 60 };

typedef struct drawer {
    const lm_explained *e;
    lm_drawing *d;
    size_t max;
    uint32_t lowest; /* nodes of this or an earlier round have no branches */
    bool *shown;     /* [nodes] its branches were drawn */
} drawer;

/* The caller has made sure that d->box has space. */
static lm_box *add_box(drawer *w, lm_box_kind kind, size_t parent, size_t node)
{
    lm_drawing *d = w->d;
    lm_box *box = d->box + d->count;
    memset(box, 0, sizeof *box);
    box->kind = kind;
    box->parent = parent;
    box->child = box->sibling = SIZE_MAX;
    box->node = node;
    if (parent != SIZE_MAX) {
        size_t *last = &d->box[parent].child;
        while (*last != SIZE_MAX) last = &d->box[*last].sibling;
        *last = d->count;
        box->depth = d->box[parent].depth + 1;
    }
    d->count++;
    return box;
}

static void add_node(drawer *w, size_t parent, size_t node, const char *edge)
{
    const leman_unrolling *u = w->e->unrolling;
    const leman_unrolling_node *n = u->node + node;
    lm_box *box = add_box(w, n->round > w->lowest && w->shown[node] ? LM_BOX_AGAIN : LM_BOX_NODE, parent, node);
    char text[LM_WORDS];
    w->shown[node] = true;
    snprintf(box->edge, sizeof box->edge, "%s", edge);
    snprintf(box->title, sizeof box->title, "round %u, %08" PRIx64, n->round, n->color >> 32);
    snprintf(box->type, sizeof box->type, "%s", lm_type_words(w->e, n->graph, u->vertex + node * u->k, text));
}

static size_t boxes_of(const leman_unrolling *u, const leman_branch *b)
{
    const unsigned targets = lm_branch_targets(u, b);
    return targets > 1 ? 1 + (size_t)targets : 1;
}

static void add_branch(drawer *w, size_t parent, const leman_branch *b)
{
    const leman_unrolling *u = w->e->unrolling;
    char words[LM_WORDS];
    lm_branch_words(w->e, w->d->box[parent].node, b, words);
    if (boxes_of(u, b) == 1) {
        add_node(w, parent, u->target[b->target], words);
        return;
    }
    size_t joint = w->d->count;
    lm_box *box = add_box(w, LM_BOX_JOINT, parent, w->d->box[parent].node);
    snprintf(box->title, sizeof box->title, "%.60s", words);
    for (unsigned j = 0; j < lm_branch_targets(u, b); j++) {
        if (b->relation == LEMAN_RELATION_PATH)
            strcpy(words, j ? "(w,v2)" : "(v1,w)");
        else
            snprintf(words, sizeof words, "for v%u", j + 1);
        add_node(w, joint, u->target[b->target + j], words);
    }
}

/* Adds the branches of box `number`, if they and one box that counts the rest fit into w->max. */
static void add_branches(drawer *w, size_t number)
{
    const leman_unrolling *u = w->e->unrolling;
    lm_box *box = w->d->box + number;
    const leman_unrolling_node *n = u->node + box->node;
    const bool pool = n->branches && !n->round; /* only a row or a column has branches in round 0 */
    if (box->kind != LM_BOX_NODE || (n->round <= w->lowest && !pool)) return;
    size_t drawn = 0, need = 1, max = n->branches <= MAX_BRANCHES + 1 ? n->branches : MAX_BRANCHES;
    while (drawn < max) need += boxes_of(u, u->branch + n->branch + drawn++);
    if (!n->branches || w->d->count + need > w->max) {
        box->cut = true;
        return;
    }
    for (size_t i = 0; i < drawn; i++) add_branch(w, number, u->branch + n->branch + i);
    if (drawn == n->branches) return;
    lm_box *more = add_box(w, LM_BOX_MORE, number, w->d->box[number].node);
    snprintf(more->title, sizeof more->title, "... and %zu more", n->branches - drawn);
}

size_t lm_explain_trees(const lm_explained *e)
{
    return e->unrolling->difference.distinguished ? 1 + (e->unrolling->other > 0) : 0;
}

leman_status lm_drawing_new(leman_context *ctx, const lm_explained *e, size_t tree, size_t max, lm_drawing *d)
{
    *d = (lm_drawing){.root = tree ? e->unrolling->other : 0};
    const uint32_t round = e->unrolling->node[d->root].round;
    drawer w = {.e = e, .d = d, .max = max, .lowest = tree && round ? round - 1 : 0};
    PASS_SCRATCH(ctx, d->box, max);
    PASS_SCRATCH_ZERO(ctx, w.shown, e->unrolling->nodes);
    add_node(&w, SIZE_MAX, d->root, "");
    for (size_t i = 0; i < d->count; i++) add_branches(&w, i);
    return LEMAN_OK;
}

/* ---- Captions -------------------------------------------------------------------------------- */

static void count_words(uint64_t count, const char *none, char *text)
{
    if (count)
        lm_count_text(count, text);
    else
        strcpy(text, none);
}

/* What carries the colour. */
static const char *carriers_words(const lm_explained *e, bool one)
{
    const leman_unrolling *u = e->unrolling;
    const lm_item_kind kind = lm_explained_items(e)->kind;
    if (kind == LM_ITEM_SET) return one ? "set" : "sets";
    if (u->k == 1) return one ? "vertex" : "vertices";
    if (kind == LM_ITEM_PAIR && u->nodes && u->vertex[0] == LM_ABSENT)
        return one ? "column of pairs" : "columns of pairs";
    if (kind == LM_ITEM_PAIR && u->nodes && u->vertex[1] == LM_ABSENT) return one ? "row of pairs" : "rows of pairs";
    if (kind == LM_ITEM_PAIR) return one ? "pair" : "pairs";
    return one ? "tuple" : "tuples";
}

void lm_explain_caption(const lm_explained *e, char *text)
{
    const leman_difference *d = &e->unrolling->difference;
    char a[LM_NUMBER_TEXT], b[LM_NUMBER_TEXT], coloring[128];
    leman_coloring_text(e->coloring, coloring, sizeof coloring);
    count_words(d->count[0], "no", a);
    count_words(d->count[1], "none", b);
    if (!d->distinguished)
        snprintf(text, LM_WORDS, "%s: not told apart, so there is nothing to explain.", coloring);
    else
        snprintf(text, LM_WORDS,
                 "Colour %016" PRIx64
                 " of round %u (%s) is carried by %s %s of the first graph and by %s of the second.",
                 d->color, d->round, coloring, a, carriers_words(e, d->count[0] == 1), b);
}

/* ---- Text: indented lines -------------------------------------------------------------------- */

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

static leman_status write_text(leman_context *ctx, void *explained, lm_output *out)
{
    const lm_explained *e = explained;
    char text[LM_WORDS];
    lm_drawing d;
    lm_explain_caption(e, text);
    lm_write_wrapped(out, text, 0, 0);
    if (!lm_explain_trees(e)) return LEMAN_OK;
    lm_write_text(out, "\n");
    for (uint32_t graph = 0; graph < 2; graph++) write_carriers(e, graph, out);
    for (size_t tree = 0; tree < lm_explain_trees(e); tree++) {
        PASS(lm_drawing_new(ctx, e, tree, TEXT_BOXES, &d));
        write_heading(e, d.root, out);
        write_subtree(&d, 0, out);
    }
    return LEMAN_OK;
}

/* ---- DOT of Graphviz: a cluster for the tree, and one for the tree beside it ------------------- */

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

static leman_status write_dot(leman_context *ctx, void *explained, lm_output *out)
{
    const lm_explained *e = explained;
    char text[LM_WORDS];
    lm_drawing d;
    lm_explain_caption(e, text);
    lm_write_text(out, "digraph unrolling {\n  rankdir=LR;\n  labelloc=t;\n  label=\"");
    write_quoted(out, text);
    lm_write_text(out, "\";\n  node [shape=box, style=filled, fontname=monospace];\n  edge [fontname=monospace];\n");
    lm_explain_graphs_dot(e, out);
    for (size_t tree = 0; tree < lm_explain_trees(e); tree++) {
        const char letter = (char)('a' + tree);
        PASS(lm_drawing_new(ctx, e, tree, DOT_BOXES, &d));
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

/* ---- For callers ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    lm_writer *write; /* of an lm_explained */
} FORMATS[] = {
    [LEMAN_EXPLANATION_FORMAT_TEXT] = {"text", write_text},
    [LEMAN_EXPLANATION_FORMAT_DOT] = {"dot", write_dot},
    [LEMAN_EXPLANATION_FORMAT_SVG] = {"svg", lm_explain_svg},
};

LM_ENUM(leman_explanation_format, format, "format of an explanation", FORMATS, .name, LEMAN_EXPLANATION_FORMAT_COUNT)

LM_OPTIONS(leman_explained_pair, pair, .graph = {0, 1})

/* Finds the graphs of the pair. Fails with LEMAN_ERROR_ARGUMENT if they cannot be those of the unrolling. */
static leman_status find_graphs(leman_context *ctx, const leman_explained_pair *pair, const lm_unrolling *u,
                                lm_explained *e)
{
    for (int i = 0; i < 2; i++) {
        REQUIRE(ctx, pair->data[i]);
        size_t graphs = leman_dataset_shape(pair->data[i])->graphs;
        if (pair->graph[i] >= graphs)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "graph %zu of a pair: found data of %zu graph%s", pair->graph[i],
                           graphs, lm_plural(graphs));
        e->data[i] = pair->data[i];
        e->number[i] = pair->graph[i];
        e->graph[i] = leman_dataset_graph(e->data[i], e->number[i]);
        if (e->graph[i].vertices != u->vertices[i])
            return lm_fail(
                ctx, LEMAN_ERROR_ARGUMENT, "pair: found a graph of %zu %s, expected that of the unrolling, of %zu",
                e->graph[i].vertices, lm_plural_of(e->graph[i].vertices, "vertex", "vertices"), u->vertices[i]);
        if (pair->apex && (!e->graph[i].vertices || !e->graph[i].vertex_labels))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "pair: found a graph without labels, expected the one that marks its apex");
    }
    return LEMAN_OK;
}

leman_status lm_explanation_new(leman_context *ctx, lm_writer *write, void *user, leman_explanation **out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(leman_explanation_drop) leman_explanation *written = NULL;
    AUTO(lm_vector_release) lm_vector bytes = {0};
    PASS_NEW_ZERO(ctx, written, 1);
    PASS(lm_output_in_memory(ctx, "an explanation", write, user, &bytes));
    PASS(lm_vector_append(ctx, &bytes, "", 1, 1));
    written->text = bytes.items;
    written->length = bytes.count - 1;
    bytes = (lm_vector){0};
    return HAND_OVER(out, written);
}

void leman_explanation_free(leman_explanation *explanation)
{
    if (!explanation) return;
    RELEASE(explanation->text, explanation);
}

leman_status leman_explanation_write(leman_context *ctx, const leman_unrolling *unrolling,
                                     const leman_explained_pair *pair, leman_explanation_format format,
                                     leman_explanation **explanation)
{
    const lm_unrolling *u = (const lm_unrolling *)unrolling; /* the public struct is its first member */
    leman_explained_pair given = leman_explained_pair_default();
    REQUIRE(ctx, unrolling, pair, explanation);
    SCRATCH_SCOPE(ctx);
    PASS(lm_require_enum(ctx, __func__, "format", (int)format, LEMAN_EXPLANATION_FORMAT_COUNT - 1));
    PASS(lm_options_copy(ctx, "leman_explained_pair", pair, &given, sizeof given));
    lm_explained e = {.unrolling = unrolling, .coloring = &u->coloring, .as_union = u->as_union, .apex = given.apex};
    PASS(find_graphs(ctx, &given, u, &e));
    PASS_SCRATCH(ctx, e.room, 2 * (u->vertices[0] > u->vertices[1] ? u->vertices[0] : u->vertices[1]));
    return lm_explanation_new(ctx, FORMATS[format].write, &e, explanation);
}
