/*
 * Draws a molecule, or any small graph, as an SVG picture in which vertices and edges are coloured by numbers, such as
 * contributions to a score: red above 0, blue below 0, no colour at 0. Colours follow dark mode. The outline is dashed
 * below 0, for print and readers without colour vision. Tooltips show the numbers.
 */
#ifndef LM_MOLECULE_DRAWING_H
#define LM_MOLECULE_DRAWING_H

#include "base/context.h"
#include "report/page.h"

/* Zero-initialise for the defaults: a picture inside a page. */
typedef struct lm_molecule_drawing_options {
    double width, height; /* of the picture; 0: 300 and 220 */
    const char *title;    /* text for screen readers, escaped by the function; NULL: the number of vertices */
    const char *unit;     /* appended to numbers in tooltips: " kcal/mol"; NULL: nothing */
    bool numbers;         /* write the number of each vertex, from 0, beside it */
    bool legend;          /* draw the colour scale below, which adds LM_LEGEND_HEIGHT to the height */
    bool standalone;      /* a file, or markup for a notebook: with namespace, style sheet and background */
} lm_molecule_drawing_options;

enum { LM_LEGEND_HEIGHT = 44 };

/*
 * Writes one <svg> element. vertex_value[vertices] and edge_value[arcs] may be NULL; edge_value is indexed from the
 * first arc of the graph, and an undirected edge has the value of the arc from its smaller end. NaN: no colour. `scale`
 * is the absolute value of the full colour, which larger values also have; 0 stands for the largest of these values.
 * options may be NULL for the defaults. Fails with LEMAN_ERROR_ARGUMENT for more than LM_LAYOUT_VERTICES vertices.
 * lm_output_commit() reports failed writes.
 */
leman_status lm_molecule_drawing_write(leman_context *ctx, lm_output *out, const leman_graph *graph,
                                       const double *vertex_value, const double *edge_value, double scale,
                                       const lm_molecule_drawing_options *options);
/* Writes the colour scale from -scale to scale as an <svg> element, for a page of several pictures. `below` and `above`
 * are the meanings of its ends ("for class 0"), or NULL. */
void lm_molecule_legend_write(lm_output *out, double scale, const char *below, const char *above);

#endif
