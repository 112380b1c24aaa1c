/*
 * Structural formulas: carbon atoms are corners without a letter, other atoms have their symbol with hydrogens, charge
 * and isotope, bonds are as many lines as their order, second lines of rings lie inside, dashed where they are
 * aromatic.
 */
#ifndef LM_FORMULA_H
#define LM_FORMULA_H

#include "io/molecule/molecule.h"
#include "report/drawing/graph_drawing.h"
#include "report/drawing/skeleton.h"

/* Where the hydrogens of an atom stand. */
typedef enum lm_hydrogen_side { LM_RIGHT_OF_IT, LM_LEFT_OF_IT, LM_ABOVE_IT, LM_BELOW_IT } lm_hydrogen_side;

typedef struct lm_formula {
    lm_atom *atom;    /* [vertices] */
    uint8_t *side;    /* [vertices] an lm_hydrogen_side */
    bool *lettered;   /* [vertices] the symbol is written: not of carbon with bonds and nothing special */
    lm_point *inside; /* [arcs] the middle of the ring that has the second line inside; NaN for none */
} lm_formula;

/* The atoms of a molecule, in scratch; places are those of the drawing, of any size, y downwards. */
leman_status lm_formula_new(leman_context *ctx, const leman_graph *graph, const double *place, lm_formula *formula);
/* Its rings, once places have their size. */
leman_status lm_formula_rings(leman_context *ctx, const leman_graph *graph, const double *place, lm_formula *formula);
/* How far the letters of an atom reach beyond its place: left, right, up, down. */
void lm_formula_extent(const lm_formula *formula, size_t atom, double extent[4]);

void lm_formula_draw_bond(lm_output *out, const lm_graph_drawing *drawing, size_t from, uint64_t arc);
void lm_formula_draw_atom(lm_output *out, const lm_graph_drawing *drawing, size_t atom);

#endif
