/*
 * Places the letters beside the symbols of atoms. Hydrogens may be right, left, above or below, charges at a corner, over
 * or under the symbol. Every atom takes the sides on which its letters lie on the fewest bonds and letters of others; of
 * equal sides, those of lm_formula_new(). Numbers of atoms go into the direction in which they lie on the fewest bonds,
 * letters and other numbers; of equal ones, the nearest to the middle of the widest angle between the bonds.
 * O(atoms (atoms + bonds)).
 */
#include "report/drawing/formula.h"

enum { PASSES = 2 /* since an atom sees the letters of others where they are now */, SIDES = 4 };
enum { DIRECTIONS = 24, RINGS = 3 /* of places for a number, one farther out than the other */ };
static const double BESIDE = 11 /* from an atom to its number */, DIGIT = 5.9, TALL = 3.9 /* half of its height */;
static const double COLLISION = 10, OTHER_SIDE = 1, OTHER_CORNER = 0.1,
                    AIR = 1 /* around a box, for the width of lines */;
static const double MULTIPLE = 4.4 /* of double and aromatic bonds */;

typedef struct lettering {
    const leman_graph *g;
    const lm_point *place;
    lm_formula *f;
    struct line {
        lm_point end[2];
        double air; /* half of the width that the lines of the bond need */
    } * line;       /* [lines] bonds, without what symbols cover */
    size_t lines;
} lettering;

static bool boxes_overlap(const lm_letter_box *a, const lm_letter_box *b, double air)
{
    return a->left < b->right + air && b->left < a->right + air && a->top < b->bottom && b->top < a->bottom;
}

/* Returns true if a part of the line lies in the box: clips it at the four sides (Liang and Barsky, 1984). */
static bool line_hits(const struct line *line, const lm_letter_box *b)
{
    const double at[2] = {line->end[0].x, line->end[0].y};
    const double along[2] = {line->end[1].x - at[0], line->end[1].y - at[1]};
    const double low[2] = {b->left - line->air, b->top - line->air},
                 high[2] = {b->right + line->air, b->bottom + line->air};
    double from = 0, to = 1;
    for (int axis = 0; axis < 2; axis++) {
        if (fabs(along[axis]) < 1e-9) {
            if (at[axis] <= low[axis] || at[axis] >= high[axis]) return false;
            continue;
        }
        const double first = (low[axis] - at[axis]) / along[axis], last = (high[axis] - at[axis]) / along[axis];
        from = fmax(from, fmin(first, last));
        to = fmin(to, fmax(first, last));
    }
    return from < to;
}

/* Returns the number of bonds and of letters of other atoms that lie on the letters beside the symbol of an atom,
 * and of pairs of the latter. */
static double collisions(const lettering *x, size_t atom)
{
    lm_letter_box own[LM_LETTER_BOXES], other[LM_LETTER_BOXES];
    const size_t count = lm_formula_boxes(x->f, atom, x->place[atom], own);
    double found = 0;
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < x->lines; k++) found += line_hits(x->line + k, own + i);
        for (size_t k = 1; k < i; k++) found += boxes_overlap(own + i, own + k, 0);
    }
    for (size_t b = 0; b < x->g->vertices && count > 1; b++) {
        if (b == atom || lm_point_square(lm_point_subtract(x->place[atom], x->place[b])) > 80 * 80) continue;
        const size_t others = lm_formula_boxes(x->f, b, x->place[b], other);
        for (size_t i = 1; i < count; i++)
            for (size_t k = 0; k < others; k++) found += boxes_overlap(own + i, other + k, AIR);
    }
    return found;
}

/* Returns true if a charge may stand in this corner: not between the symbol and its hydrogens or isotope. */
static bool is_allowed(const lm_atom *a, lm_hydrogen_side side, lm_charge_corner corner)
{
    if (corner == LM_LEFT_UP && a->isotope) return false;
    if (!a->hydrogens) return true;
    switch (side) {
    case LM_RIGHT_OF_IT: return corner != LM_RIGHT_DOWN;
    case LM_LEFT_OF_IT: return corner != LM_LEFT_UP && corner != LM_LEFT_DOWN;
    case LM_ABOVE_IT: return corner != LM_OVER;
    case LM_BELOW_IT: return corner != LM_UNDER;
    }
    return true;
}

static void choose_sides(const lettering *x, size_t atom, uint8_t first)
{
    const lm_atom *a = x->f->atom + atom;
    uint8_t *side = x->f->side + atom, *corner = x->f->corner + atom;
    const int sides = a->hydrogens ? SIDES : 1, corners = a->charge || a->radical ? LM_CHARGE_CORNERS : 1;
    double least = INFINITY;
    uint8_t best[2] = {first, LM_RIGHT_UP};
    for (int i = 0; i < sides; i++)
        for (int k = 0; k < corners; k++) {
            *side = (uint8_t)((first + i) % SIDES);
            *corner = (uint8_t)k;
            if (!is_allowed(a, (lm_hydrogen_side)*side, (lm_charge_corner)k)) continue;
            const double cost = COLLISION * collisions(x, atom) + OTHER_SIDE * (i > 0) + OTHER_CORNER * k;
            if (cost < least - 1e-9) least = cost, best[0] = *side, best[1] = *corner;
        }
    *side = best[0];
    *corner = best[1];
}

/* Lists the bonds as lines between the symbols of their atoms. */
static leman_status lettering_of(leman_context *ctx, const leman_graph *g, const lm_point *place, lm_formula *f,
                                 lettering *out)
{
    lettering x = {.g = g, .place = place, .f = f};
    PASS_SCRATCH(ctx, x.line, g->arcs + 1);
    for (size_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++) {
            const size_t v = g->head[e];
            const double length = lm_distance(place[u], place[v]);
            if (v < u || !(length > 0)) continue;
            const lm_point along = lm_point_scale(lm_point_subtract(place[v], place[u]), 1 / length);
            const double begin = lm_formula_covered(f, u, along.x, along.y),
                         end = lm_formula_covered(f, v, -along.x, -along.y);
            if (begin + end >= length) continue;
            x.line[x.lines++] = (struct line){{lm_point_add(place[u], lm_point_scale(along, begin)),
                                               lm_point_subtract(place[v], lm_point_scale(along, end))},
                                              g->edge_label[e * g->edge_labels] > LM_BOND_SINGLE ? MULTIPLE : AIR};
        }
    *out = x;
    return LEMAN_OK;
}

leman_status lm_formula_place_letters(leman_context *ctx, const leman_graph *g, const lm_point *place, lm_formula *f)
{
    SCRATCH_SCOPE(ctx);
    lettering x;
    uint8_t *first;
    PASS(lettering_of(ctx, g, place, f, &x));
    PASS_SCRATCH(ctx, first, g->vertices + 1);
    for (size_t v = 0; v < g->vertices; v++) first[v] = f->side[v];
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t v = 0; v < g->vertices; v++)
            if (f->lettered[v] && (f->atom[v].hydrogens || f->atom[v].charge || f->atom[v].radical))
                choose_sides(&x, v, first[v]);
    return LEMAN_OK;
}

/* ---- Numbers of atoms ------------------------------------------------------------------------ */

/* Returns the middle of the widest angle between the bonds of an atom; its hydrogens count as one bond. */
static double free_direction(const lettering *x, size_t v)
{
    static const double SIDE[] = {0, LM_PI, -LM_PI / 2, LM_PI / 2};
    const leman_graph *g = x->g;
    double angle[LM_SKELETON_DEGREE + 1], from;
    size_t count = 0;
    for (uint64_t e = g->start[v]; e < g->start[v + 1] && count < LM_SKELETON_DEGREE; e++)
        angle[count++] = lm_angle(x->place[v], x->place[g->head[e]]);
    if (x->f->lettered[v] && x->f->atom[v].hydrogens) angle[count++] = SIDE[x->f->side[v]];
    if (!count) return LM_PI / 2;
    const double widest = lm_widest_angle(angle, count, 1e-6, &from);
    return from + widest / 2;
}

/* Returns the number of bonds, letters and numbers of atoms before `atom` on which a number would lie. */
static double number_collisions(const lettering *x, const lm_letter_box *own, const lm_letter_box *number, size_t atom)
{
    lm_letter_box other[LM_LETTER_BOXES];
    double found = 0;
    for (size_t k = 0; k < x->lines; k++) found += line_hits(x->line + k, own);
    for (size_t b = 0; b < x->g->vertices; b++) {
        const size_t others = lm_formula_boxes(x->f, b, x->place[b], other);
        for (size_t k = 0; k < others; k++) found += boxes_overlap(own, other + k, AIR);
        if (b < atom) found += boxes_overlap(own, number + b, AIR);
    }
    return found;
}

leman_status lm_formula_place_numbers(leman_context *ctx, const leman_graph *g, const lm_point *place, lm_formula *f)
{
    SCRATCH_SCOPE(ctx);
    lettering x;
    lm_letter_box *number;
    PASS(lettering_of(ctx, g, place, f, &x));
    PASS_SCRATCH(ctx, number, g->vertices + 1);
    for (size_t v = 0; v < g->vertices; v++) {
        const double free = free_direction(&x, v), half = DIGIT * (v < 10 ? 1 : v < 100 ? 2 : 3) / 2;
        double least = INFINITY;
        for (int i = 0; i < DIRECTIONS * RINGS; i++) {
            const double turn = 2 * LM_PI * (i % DIRECTIONS - DIRECTIONS / 2) / DIRECTIONS;
            const double beside = (f->lettered[v] ? BESIDE + 4 : BESIDE) + 4.0 * (i / DIRECTIONS);
            const lm_point at = lm_point_add(place[v], lm_polar(free + turn, beside));
            const lm_letter_box box = {at.x - half, at.y - TALL, at.x + half, at.y + TALL};
            const double cost =
                COLLISION * number_collisions(&x, &box, number, v) + fabs(turn) + 0.1 * (i / DIRECTIONS);
            if (cost >= least - 1e-9) continue;
            least = cost;
            number[v] = box;
            f->number[v] = at;
        }
    }
    return LEMAN_OK;
}
