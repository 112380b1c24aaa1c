/* Draws a small graph as SVG: edges, vertices with labels, and marked vertices. Molecules have element symbols and bond
 * orders. */
#ifndef LM_GRAPH_DRAWING_H
#define LM_GRAPH_DRAWING_H

#include "base/context.h"
#include "report/drawing/geometry.h"
#include "report/page.h"

typedef enum lm_vertex_mark {
    LM_VERTEX_PLAIN,
    LM_VERTEX_RING, /* in another tuple of the colour */
    LM_VERTEX_HIT   /* in the tuple that is drawn */
} lm_vertex_mark;

typedef struct lm_graph_drawing {
    leman_graph graph;
    bool molecule;                    /* labels are atomic numbers and bond orders */
    bool numbers;                     /* write the number of a vertex: inside if it has no label, beside an atom */
    lm_point *place;                  /* [vertices] positions */
    uint8_t *mark;                    /* [vertices] an lm_vertex_mark; initially all plain */
    double edge;                      /* mean length of an edge */
    const struct lm_formula *formula; /* for molecules laid out as formulas, otherwise NULL */
} lm_graph_drawing;

/* Writes the text of a vertex: "Cl" for an atom, otherwise its first label. Without labels it is the number of the
 * vertex, if drawing->numbers, or "". Returns text. */
const char *lm_vertex_text(const lm_graph_drawing *drawing, size_t vertex, char text[LM_NUMBER_TEXT]);
/* Returns the type of a bond, which is its order, or 4 for aromatic bonds; 1 for the edges of other graphs. */
int lm_bond_order(const lm_graph_drawing *drawing, uint64_t arc);
/* Returns true if there is an arc from u to v or from v to u. */
bool lm_vertices_joined(const leman_graph *graph, size_t u, size_t v);

/* Lays out the graph inside width * height. The arrays are allocated in the scratch arena. Fails with
 * LEMAN_ERROR_ARGUMENT for more than LM_LAYOUT_VERTICES vertices. */
leman_status lm_graph_drawing_new(leman_context *ctx, const leman_graph *graph, double width, double height,
                                  lm_graph_drawing *drawing);
/* Draw in this order: edges, tuples, vertices. The style classes are edge, tuple, tuple apart, vertex, label. */
void lm_graph_draw_edges(lm_output *out, const lm_graph_drawing *drawing);
/* Draws the pairs of vertices of a tuple: thick lines if they are adjacent, dotted lines otherwise. */
void lm_graph_draw_tuple(lm_output *out, const lm_graph_drawing *drawing, const uint32_t *tuple, unsigned k);
void lm_graph_draw_vertices(lm_output *out, const lm_graph_drawing *drawing);

#endif
