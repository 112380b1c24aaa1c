/*
 * Chooses the part of an unrolling tree that is drawn. Whole trees are too large for a page, so boxes are added from
 * the root down until there are enough. The first branches of a node are drawn and the others counted. A colour that
 * occurs again is drawn without its branches.
 */
#include "report/explain.h"
#include "base/arguments.h"
#include "refine/unroll.h"
#include "report/in_memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_BRANCHES = 10 }; /* of a node; one more takes no more space than the line that counts the rest */

static const struct {
    const char *name;
    leman_status (*write)(leman_context *ctx, const lm_explained *e, lm_output *out);
} FORMATS[] = {
    [LEMAN_EXPLANATION_FORMAT_TEXT] = {"text", lm_explain_text},
    [LEMAN_EXPLANATION_FORMAT_DOT] = {"dot", lm_explain_dot},
    [LEMAN_EXPLANATION_FORMAT_SVG] = {"svg", lm_explain_svg},
};
_Static_assert(sizeof FORMATS / sizeof *FORMATS == LEMAN_EXPLANATION_FORMAT_COUNT, "a row for every format");

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
    return b->relation == LEMAN_RELATION_VECTOR ? 1 + (size_t)u->k : 1;
}

static void add_branch(drawer *w, size_t parent, const leman_branch *b)
{
    const leman_unrolling *u = w->e->unrolling;
    char words[LM_WORDS];
    lm_branch_words(w->e, w->d->box[parent].node, b, words);
    if (b->relation != LEMAN_RELATION_VECTOR) {
        add_node(w, parent, u->target[b->target], words);
        return;
    }
    size_t joint = w->d->count;
    lm_box *box = add_box(w, LM_BOX_JOINT, parent, w->d->box[parent].node);
    snprintf(box->title, sizeof box->title, "%.60s", words);
    for (unsigned j = 0; j < u->k; j++) {
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
    if (box->kind != LM_BOX_NODE || n->round <= w->lowest) return;
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
        snprintf(
            text, LM_WORDS,
            "Colour %016" PRIx64 " of round %u (%s) is carried by %s %s of the first graph and by %s of the second.",
            d->color, d->round, coloring, a,
            e->unrolling->k == 1 ? (d->count[0] == 1 ? "vertex" : "vertices") : (d->count[0] == 1 ? "tuple" : "tuples"),
            b);
}

/* ---- For callers ----------------------------------------------------------------------------- */

LM_ENUM_NAMES(explanation_format, "format of an explanation", FORMATS, .name)

LM_OPTIONS_INIT(explained_pair, .graph = {0, 1})

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

typedef struct writing {
    const lm_explained *e;
    leman_explanation_format format;
} writing;

static leman_status write_format(leman_context *ctx, void *user, lm_output *out)
{
    const writing *w = user;
    const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    const leman_status st = FORMATS[w->format].write(ctx, w->e, out);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status leman_explanation_write(leman_context *ctx, const leman_unrolling *unrolling,
                                     const leman_explained_pair *pair, leman_explanation_format format,
                                     leman_explanation **explanation)
{
    const lm_unrolling *u = (const lm_unrolling *)unrolling; /* the public struct is its first member */
    leman_explained_pair given = leman_explained_pair_default();
    REQUIRE(ctx, unrolling, pair, explanation);
    PASS(lm_require_enum(ctx, __func__, "format", (int)format, LEMAN_EXPLANATION_FORMAT_COUNT - 1));
    PASS(lm_options_copy(ctx, "leman_explained_pair", pair, &given, sizeof given));
    lm_explained e = {.unrolling = unrolling, .coloring = &u->coloring, .as_union = u->as_union, .apex = given.apex};
    PASS(find_graphs(ctx, &given, u, &e));
    return lm_explanation_new(ctx, write_format, &(writing){&e, format}, explanation);
}
