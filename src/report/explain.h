/*
 * Showing an unrolling tree: what it says in words (explain_words.c), which part of it is drawn (explain.c), and the
 * three formats of the drawing: text, DOT and SVG; the last two have the graphs too (explain_graphs.c).
 */
#ifndef LM_REPORT_EXPLAIN_H
#define LM_REPORT_EXPLAIN_H

#include "base/context.h"
#include "base/words.h"

/* The tree and the graphs that its tuples come from. */
typedef struct lm_explained {
    const leman_unrolling *unrolling;
    const leman_coloring *coloring;
    leman_graph graph[2];
    const leman_dataset *data[2]; /* for the names of vertices */
    size_t number[2];             /* of each graph in its data set */
    bool as_union, apex;
} lm_explained;

enum {
    LM_WORDS = 512,
    LM_HUE_STEP = 137 /* degrees between the hues of nodes: neighbours in number are far apart in colour */
};

/* Each writes into text[LM_WORDS] and returns it. The tuple is one of graph 0 or 1, or of the union of both. */
const char *lm_tuple_words(const lm_explained *e, uint32_t graph, const uint32_t *tuple, char *text);
const char *lm_type_words(const lm_explained *e, uint32_t graph, const uint32_t *tuple, char *text);
const char *lm_branch_words(const lm_explained *e, size_t node, const leman_branch *branch, char *text);
/* "the first graph", or its name. */
const char *lm_graph_words(const lm_explained *e, uint32_t graph, char *text);

/* ---- What is drawn --------------------------------------------------------------------------- */

typedef enum lm_box_kind {
    LM_BOX_NODE,  /* a colour, with what it is made of */
    LM_BOX_AGAIN, /* a colour whose branches hang on another box */
    LM_BOX_JOINT, /* folklore: one vertex put in every place, with one box for each */
    LM_BOX_MORE   /* branches that are not drawn */
} lm_box_kind;

typedef struct lm_box {
    lm_box_kind kind;
    size_t parent, child, sibling; /* boxes; SIZE_MAX for none. Children in order */
    size_t node;
    unsigned depth;
    bool cut; /* it has branches, and there is no room for them */
    char edge[LM_WORDS], title[64], type[LM_WORDS];
} lm_box;

/* Boxes in the order of their depth; box 0 is the root. A node is drawn with its branches once. */
typedef struct lm_drawing {
    lm_box *box;
    size_t count;
} lm_drawing;

/* The tree below a node: branches of so many rounds, and at most `max` boxes. */
leman_status lm_drawing_new(leman_context *ctx, const lm_explained *e, size_t node, uint32_t levels, size_t max,
                            lm_drawing *out);
void lm_drawing_free(leman_context *ctx, lm_drawing *drawing);

/* ---- Its formats ----------------------------------------------------------------------------- */

/* The sentence above a drawing, into text[LM_WORDS]: which colour, and how often. */
void lm_explain_caption(const lm_explained *e, char *text);
/* The room that the two graphs take, and that of one; 0 where they are too large to draw, or nothing differs. */
typedef struct lm_graphs_size {
    double width, height, graph;
} lm_graphs_size;
lm_graphs_size lm_explain_graphs_size(const lm_explained *e);
leman_status lm_explain_graphs(leman_context *ctx, const lm_explained *e, double x, double y, lm_output *out);
leman_status lm_explain_graphs_dot(const lm_explained *e, lm_output *out);
leman_status lm_explain_text(leman_context *ctx, const lm_explained *e, lm_output *out);
leman_status lm_explain_dot(leman_context *ctx, const lm_explained *e, lm_output *out);
leman_status lm_explain_svg(leman_context *ctx, const lm_explained *e, lm_output *out);

#endif
