/*
 * Shows an unrolling tree: in words (explain_words.c), as boxes (explain.c), and in three formats: text, DOT and SVG.
 * DOT and SVG also draw the graphs (explain_graphs.c).
 */
#ifndef LM_REPORT_EXPLAIN_H
#define LM_REPORT_EXPLAIN_H

#include "base/context.h"
#include "base/words.h"
#include "refine/variant.h"

/* The tree and the graphs of its tuples. */
typedef struct lm_explained {
    const leman_unrolling *unrolling;
    const leman_coloring *coloring;
    leman_graph graph[2];
    const leman_dataset *data[2]; /* for the names of vertices */
    size_t number[2];             /* number of each graph in its data set */
    uint32_t *room;               /* [2 n] for searches in the larger graph */
    bool as_union, apex;
} lm_explained;

/* The components that a set, a row or a column of pairs lacks (leman/explain.h). */
enum { LM_ABSENT = UINT32_MAX };
static inline const lm_item_rule *lm_explained_items(const lm_explained *e)
{
    return &lm_variant_of(e->coloring)->items;
}
/* Returns the number of nodes that a branch leads to. */
static inline unsigned lm_branch_targets(const leman_unrolling *u, const leman_branch *b)
{
    return b->relation == LEMAN_RELATION_VECTOR ? u->k : b->relation == LEMAN_RELATION_PATH ? 2 : 1;
}

enum {
    LM_WORDS = 512,
    LM_HUE_STEP = 137 /* degrees between the hues of nodes: nodes with similar numbers get different colours */
};

/* Write a tuple, its atomic type, or a branch in words to text[LM_WORDS], and return text. `graph` is 0 or 1, the graph
 * of the tuple; in a union of both graphs, vertices of the second follow those of the first. */
const char *lm_tuple_words(const lm_explained *e, uint32_t graph, const uint32_t *tuple, char *text);
const char *lm_type_words(const lm_explained *e, uint32_t graph, const uint32_t *tuple, char *text);
const char *lm_branch_words(const lm_explained *e, size_t node, const leman_branch *branch, char *text);
/* Returns "the first graph" or "the second graph", with its name in parentheses if it has one, in text[LM_WORDS]. */
const char *lm_graph_words(const lm_explained *e, uint32_t graph, char *text);
/* Write the tuple of a node, and the words of its graph, "the union" in a union. Return text. */
const char *lm_root_words(const lm_explained *e, size_t node, char *text);
const char *lm_root_graph_words(const lm_explained *e, size_t node, char *text);

/* ---- Boxes ----------------------------------------------------------------------------------- */

typedef enum lm_box_kind {
    LM_BOX_NODE,  /* a colour with its branches */
    LM_BOX_AGAIN, /* a colour whose branches are drawn at another box */
    LM_BOX_JOINT, /* one vertex put in each position, or the pairs of a path, with a child for each */
    LM_BOX_MORE   /* branches that are not drawn */
} lm_box_kind;

typedef struct lm_box {
    lm_box_kind kind;
    size_t parent, child, sibling; /* numbers of boxes; SIZE_MAX: none. Siblings are in order */
    size_t node;
    unsigned depth;
    bool cut; /* its branches are not drawn, because there would be too many boxes */
    char edge[LM_WORDS], title[64], type[LM_WORDS];
} lm_box;

/* Boxes ordered by depth; box 0 is the root. The branches of a node are drawn once. */
typedef struct lm_drawing {
    size_t root; /* its node */
    lm_box *box;
    size_t count;
} lm_drawing;

/* Returns the number of trees: none if the graphs are not distinguished; the tree of the colour that differs; and, if
 * there is one, the first round of the tree of a tuple that had the same colour one round earlier. */
size_t lm_explain_trees(const lm_explained *e);
/* Makes at most `max` boxes of a tree, in scratch memory. */
leman_status lm_drawing_new(leman_context *ctx, const lm_explained *e, size_t tree, size_t max, lm_drawing *out);

/* ---- Formats --------------------------------------------------------------------------------- */

/* Writes the caption of a drawing to text[LM_WORDS]: which colour, and how often each graph has it. */
void lm_explain_caption(const lm_explained *e, char *text);
/* Size of the drawing of both graphs, and width of one graph; 0 if the graphs are not distinguished or too large to
 * draw. */
typedef struct lm_graphs_size {
    double width, height, graph;
} lm_graphs_size;
lm_graphs_size lm_explain_graphs_size(const lm_explained *e);
/* Draws both graphs as SVG at (x, y), or nothing if their size is 0. */
leman_status lm_explain_graphs(leman_context *ctx, const lm_explained *e, double x, double y, lm_output *out);
void lm_explain_graphs_dot(const lm_explained *e, lm_output *out);
/* Writes the whole explanation, an lm_explained, as SVG. */
leman_status lm_explain_svg(leman_context *ctx, void *explained, lm_output *out);
/* Makes an explanation of the text that write(ctx, user, output) writes. Release it with leman_explanation_free(). */
leman_status lm_explanation_new(leman_context *ctx, lm_writer *write, void *user, leman_explanation **out);

#endif
