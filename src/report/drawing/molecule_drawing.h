/*
 * One molecule, or any small graph, as an SVG picture in which vertices and edges are coloured by numbers, such as what
 * they contribute to a score: red above 0, blue below, nothing at 0. Colours follow dark mode; in print and without
 * colour vision the outline says it, which is dashed below 0. Tooltips have the numbers.
 */
#ifndef LM_MOLECULE_DRAWING_H
#define LM_MOLECULE_DRAWING_H

#include "base/context.h"
#include "report/page.h"

/* Zero-initialise: all 0 is a picture inside a page. */
typedef struct lm_molecule_drawing_options {
    double width, height; /* of the picture; 0: 300 and 220 */
    const char *title;    /* what it shows, for those who cannot see it, escaped here; NULL: how many vertices */
    const char *unit;     /* behind numbers in tooltips: " kcal/mol"; NULL: nothing */
    bool numbers;         /* the number of each vertex beside it, from 0 */
    bool legend;          /* the colour scale with its numbers below, which makes it LM_LEGEND_HEIGHT higher */
    bool standalone;      /* a file of its own, or markup for a notebook: with namespace, style sheet and paper */
} lm_molecule_drawing_options;

enum { LM_LEGEND_HEIGHT = 44 };

/*
 * Writes one <svg> element. vertex_value[vertices] and edge_value[arcs] may be NULL, the
 * first arc of the graph at 0; of an undirected edge the arc that leaves its smaller end counts. NaN: not coloured.
 * scale: the number of the full colour, larger ones have it too; 0: the largest of these numbers. options NULL: the
 * default. At most LM_LAYOUT_VERTICES vertices, else LEMAN_ERROR_ARGUMENT. Failed writes are reported by
 * lm_output_commit().
 */
leman_status lm_molecule_drawing_write(leman_context *ctx, lm_output *out, const leman_graph *graph,
                                       const double *vertex_value, const double *edge_value, double scale,
                                       const lm_molecule_drawing_options *options);
/* The colour scale from -scale to scale as an <svg> element of its own, for a page of many pictures: `below` and
 * `above` say what its ends mean ("for class 0"), NULL: nothing. */
void lm_molecule_legend_write(lm_output *out, double scale, const char *below, const char *above);

/* The style sheet of these pictures; pages have it already. */
extern const char LM_MOLECULE_STYLE[];

#endif
