/*
 * Structural formulas. Carbon atoms are corners without a letter; other atoms have their symbol with hydrogens, charge
 * and isotope. Bonds have as many lines as their order. The second line of a bond in a ring is inside the ring, and
 * dashed if the bond is aromatic.
 */
#ifndef LM_FORMULA_H
#define LM_FORMULA_H

#include "io/molecule/molecule.h"
#include "report/drawing/graph_drawing.h"
#include "report/drawing/skeleton.h"

/* The side on which the hydrogens of an atom are written. */
typedef enum lm_hydrogen_side { LM_RIGHT_OF_IT, LM_LEFT_OF_IT, LM_ABOVE_IT, LM_BELOW_IT } lm_hydrogen_side;

/* Where the charge of an atom is written: beside its symbol, above or below the middle line, or over or under it. */
typedef enum lm_charge_corner {
    LM_RIGHT_UP,
    LM_LEFT_UP,
    LM_RIGHT_DOWN,
    LM_LEFT_DOWN,
    LM_OVER,
    LM_UNDER,
    LM_CHARGE_CORNERS
} lm_charge_corner;

typedef struct lm_formula {
    lm_atom *atom;    /* [vertices] */
    uint8_t *side;    /* [vertices] an lm_hydrogen_side */
    uint8_t *corner;  /* [vertices] an lm_charge_corner */
    bool *lettered;   /* [vertices] the symbol is written; not for carbon with bonds and nothing special */
    lm_point *number; /* [vertices] where the middle of the number of an atom goes */
    lm_point *inside; /* [arcs] centre of the ring on whose side the second line is drawn; NaN: none */
} lm_formula;

/* Sets the atoms of the formula, in scratch memory. `place` holds the positions in the drawing, at any scale, with y
 * downwards. Fails with LEMAN_ERROR_INPUT if an edge label is not a bond. */
leman_status lm_formula_new(leman_context *ctx, const leman_graph *graph, const lm_point *place, lm_formula *formula);
/* Sets the ring centres, from the final positions. */
leman_status lm_formula_rings(leman_context *ctx, const leman_graph *graph, const lm_point *place, lm_formula *formula);
/* Chooses the sides of hydrogens and charges anew, at the final positions, so that they lie neither on bonds nor on the
 * letters of other atoms. O(atoms (atoms + bonds)). */
leman_status lm_formula_place_letters(leman_context *ctx, const leman_graph *graph, const lm_point *place,
                                      lm_formula *formula);
/* Sets formula->number, at the final positions. O(atoms (atoms + bonds)). */
leman_status lm_formula_place_numbers(leman_context *ctx, const leman_graph *graph, const lm_point *place,
                                      lm_formula *formula);
/* Sets extent to how far the letters of an atom reach beyond its position: left, right, up, down. */
void lm_formula_extent(const lm_formula *formula, size_t atom, double extent[4]);

typedef struct lm_letter_box {
    double left, top, right, bottom;
} lm_letter_box;
enum { LM_LETTER_BOXES = 4 /* the most of an atom: symbol, isotope, hydrogens, charge */ };
/* Sets box[LM_LETTER_BOXES] to the letters of an atom that stands at `at`, the symbol first; returns their number. */
size_t lm_formula_boxes(const lm_formula *formula, size_t atom, lm_point at, lm_letter_box *box);
/* Returns the length of a line from an atom in direction (x, y), a unit vector, that its symbol covers. */
double lm_formula_covered(const lm_formula *formula, size_t atom, double x, double y);

/* Draw one bond, an arc from vertex `from`, and the letters of one atom. drawing->formula must be set. */
void lm_formula_draw_bond(lm_output *out, const lm_graph_drawing *drawing, size_t from, uint64_t arc);
void lm_formula_draw_atom(lm_output *out, const lm_graph_drawing *drawing, size_t atom);

#endif
