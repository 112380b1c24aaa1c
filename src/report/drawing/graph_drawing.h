/* A small graph as SVG: vertices with their labels, marked ones, edges. Molecules have element symbols and bond orders.
 */
#ifndef LM_GRAPH_DRAWING_H
#define LM_GRAPH_DRAWING_H

#include "base/context.h"
#include "report/page.h"

typedef enum lm_vertex_mark {
    LM_VERTEX_PLAIN,
    LM_VERTEX_RING, /* of another tuple of the colour */
    LM_VERTEX_HIT   /* of the tuple that is drawn */
} lm_vertex_mark;

typedef struct lm_graph_drawing {
    leman_graph graph;
    bool molecule;                    /* labels are atomic numbers and bond orders */
    bool numbers;                     /* vertices without labels have their numbers in them */
    double *place;                    /* [vertices][2] */
    uint8_t *mark;                    /* [vertices] an lm_vertex_mark; all plain at first */
    double edge;                      /* how long an edge is, about */
    const struct lm_formula *formula; /* of molecules that have places, else NULL */
} lm_graph_drawing;

/* Are the labels of the graph those of a molecule: elements, bonds of order 1 to 3, aromatic (4) or of the rare types
 * of SDF files, and no atom with more bonds than it can have? */
bool lm_graph_is_molecule(const leman_graph *graph);
/* "Cl" where it is one, else the first label as a number, its number or "" without labels; into text, which it returns.
 */
const char *lm_vertex_text(const lm_graph_drawing *drawing, size_t vertex, char text[LM_NUMBER_TEXT]);
/* The order of a bond, 4 for aromatic ones; 1 for the edges of other graphs. */
int lm_bond_order(const lm_graph_drawing *drawing, uint64_t arc);
bool lm_vertices_joined(const leman_graph *graph, size_t u, size_t v);

/* Arrays in the scratch arena; at most LM_LAYOUT_VERTICES vertices. Places are inside width * height. */
leman_status lm_graph_drawing_new(leman_context *ctx, const leman_graph *graph, double width, double height,
                                  lm_graph_drawing *drawing);
/* In this order: edges, the tuples over them, vertices over all. Classes edge, tuple, tuple apart, vertex, label. */
void lm_graph_draw_edges(lm_output *out, const lm_graph_drawing *drawing);
/* The pairs of components: thick lines where they are adjacent, dotted ones where they are not. */
void lm_graph_draw_tuple(lm_output *out, const lm_graph_drawing *drawing, const uint32_t *tuple, unsigned k);
void lm_graph_draw_vertices(lm_output *out, const lm_graph_drawing *drawing);

#endif
