/*
 * Draws structural formulas as SVG. A bond ends where the letters of its atoms begin, so letters need no background.
 * Hydrogens are written where the atom has the most free angle. Widths of letters are those of a common sans serif.
 * O(atoms + bonds) beside the rings.
 */
#include "report/drawing/formula.h"
#include "base/text.h"
#include "io/molecule/molecule_of.h"
#include <stdio.h>
#include <string.h>

static const double WIDE = 8.6, NARROW = 6, SMALL = 5.9 /* widths of letters, and of small digits */;
static const double TALL = 4.6 /* half the height of a letter */, AIR = 2.4 /* between letters and lines */;
static const double GAP = 3.6 /* between parallel lines */, INSIDE = 0.14 /* shortening of lines inside rings */;
static const double LINE = 12.5 /* from a letter to the one above it */, DOWN = 4.3 /* from middle to base line */;
static const double UP = 5 /* from the base line to that of a charge */, OVER = 9.6,
                    SINK = 3 /* of a number of hydrogens */;
static const double SHORT = 7.3 /* height of small digits */;

/* ---- Atoms and rings ------------------------------------------------------------------------- */

/* Returns the smallest angle between a direction and the bonds of an atom. */
static double clearance(const leman_graph *g, const lm_point *place, size_t atom, double direction)
{
    double least = LM_PI;
    for (uint64_t e = g->start[atom]; e < g->start[atom + 1]; e++) {
        const double angle = lm_angle(place[atom], place[g->head[e]]) - direction;
        least = fmin(least, fabs(remainder(angle, 2 * LM_PI)));
    }
    return least;
}

/* Returns right or left if no bond is near, otherwise above or below. */
static lm_hydrogen_side hydrogen_side(const leman_graph *g, const lm_point *place, size_t atom)
{
    static const double FREE = 75 * LM_PI / 180;
    const double right = clearance(g, place, atom, 0), left = clearance(g, place, atom, LM_PI);
    const double above = clearance(g, place, atom, -LM_PI / 2), below = clearance(g, place, atom, LM_PI / 2);
    if (fmax(right, left) > FREE) return left > right + 0.01 ? LM_LEFT_OF_IT : LM_RIGHT_OF_IT;
    return above > below + 0.01 ? LM_ABOVE_IT : LM_BELOW_IT;
}

leman_status lm_formula_new(leman_context *ctx, const leman_graph *g, const lm_point *place, lm_formula *formula)
{
    lm_formula f = {0};
    AUTO(lm_mol_free) lm_mol molecule = {0};
    PASS_SCRATCH(ctx, f.atom, g->vertices + 1);
    PASS_SCRATCH(ctx, f.side, g->vertices + 1);
    PASS_SCRATCH_ZERO(ctx, f.corner, g->vertices + 1);
    PASS_SCRATCH(ctx, f.number, g->vertices + 1);
    PASS_SCRATCH(ctx, f.lettered, g->vertices + 1);
    PASS_SCRATCH(ctx, f.inside, g->arcs + 1);
    PASS(lm_mol_of_view(ctx, g, &molecule));
    memcpy(f.atom, molecule.atom, g->vertices * sizeof *f.atom);
    for (size_t v = 0; v < g->vertices; v++) {
        const lm_atom *a = f.atom + v;
        f.side[v] = (uint8_t)hydrogen_side(g, place, v);
        f.lettered[v] = a->element != 6 || a->charge || a->isotope || a->radical || g->start[v] == g->start[v + 1];
    }
    *formula = f;
    return LEMAN_OK;
}

/* Each bond gets the ring with the most double and aromatic bonds; among these, the smallest. */
leman_status lm_formula_rings(leman_context *ctx, const leman_graph *g, const lm_point *place, lm_formula *f)
{
    SCRATCH_SCOPE(ctx);
    const int64_t *order = g->edge_label + g->start[0] * g->edge_labels;
    lm_skeleton s;
    size_t *best;
    for (size_t i = 0; i < g->arcs; i++) f->inside[i] = (lm_point){NAN, NAN};
    if (!lm_skeleton_suits(g)) return LEMAN_OK;
    PASS(lm_skeleton_new(ctx, g, NULL, &s));
    PASS_SCRATCH_ZERO(ctx, best, g->arcs + 1);
    for (uint32_t block = 0; block < s.blocks; block++) {
        lm_ring_path *ring;
        size_t rings;
        PASS(lm_ring_basis(ctx, &s, block, &ring, &rings));
        for (size_t r = 0; r < rings; r++) {
            lm_point middle = {0, 0};
            size_t weight = 2 * LM_SKELETON_ATOMS - ring[r].size;
            for (size_t i = 0; i < g->arcs; i++)
                if (lm_bit(ring[r].bond, s.bond_to[i]) && order[i * g->edge_labels] > 1) weight += 1000;
            for (size_t i = 0; i < ring[r].size; i++) middle = lm_point_add(middle, place[ring[r].atom[i]]);
            middle = (lm_point){middle.x / (double)ring[r].size, middle.y / (double)ring[r].size};
            for (size_t i = 0; i < g->arcs; i++)
                if (lm_bit(ring[r].bond, s.bond_to[i]) && weight > best[i]) best[i] = weight, f->inside[i] = middle;
        }
    }
    return LEMAN_OK;
}

/* ---- Letters --------------------------------------------------------------------------------- */

/* The texts of an atom: its symbol, isotope, number of hydrogens, and charge. */
typedef struct letters {
    const char *symbol;
    char isotope[8], hydrogens[8], charge[24];
    double width; /* width of the symbol */
} letters;

static letters letters_of(const lm_atom *a)
{
    letters l = {.symbol = lm_element_symbol(a->element)};
    const int charge = a->charge < 0 ? -a->charge : a->charge;
    if (!l.symbol) l.symbol = "*";
    l.width = WIDE + (strlen(l.symbol) > 1 ? NARROW : 0);
    if (a->isotope) snprintf(l.isotope, sizeof l.isotope, "%u", (unsigned)a->isotope);
    if (a->hydrogens > 1) snprintf(l.hydrogens, sizeof l.hydrogens, "%u", (unsigned)a->hydrogens);
    lm_joined text = lm_joined_begin(l.charge, sizeof l.charge);
    if (charge > 1) lm_joined_add(&text, "%d", charge);
    if (charge) lm_joined_add(&text, "%s", a->charge < 0 ? "\u2212" : "+");
    if (a->radical) lm_joined_add(&text, "\u2022");
    return l;
}

static double small_width(const char *text)
{
    return SMALL * (double)lm_text_width(text, SIZE_MAX);
}

static double hydrogens_width(const lm_atom *a, const letters *l)
{
    return a->hydrogens ? WIDE + small_width(l->hydrogens) : 0;
}

/* Returns where the H of an atom begins; the symbol ends at a distance `half` from x. */
static lm_point hydrogens_at(const lm_formula *f, size_t atom, const letters *l, double x, double y, double half)
{
    switch ((lm_hydrogen_side)f->side[atom]) {
    case LM_RIGHT_OF_IT: return (lm_point){x + half, y};
    case LM_LEFT_OF_IT: return (lm_point){x - half - hydrogens_width(f->atom + atom, l) - small_width(l->isotope), y};
    case LM_ABOVE_IT: return (lm_point){x - WIDE / 2, y - LINE};
    case LM_BELOW_IT: break;
    }
    return (lm_point){x - WIDE / 2, y + LINE};
}

/* Returns where the text of the charge begins. */
static lm_point charge_at(const lm_formula *f, size_t atom, const letters *l, double x, double y, double half)
{
    const double width = small_width(l->charge), behind = f->side[atom] == LM_RIGHT_OF_IT;
    switch ((lm_charge_corner)f->corner[atom]) {
    case LM_LEFT_UP: return (lm_point){x - half - width, y - UP};
    case LM_RIGHT_DOWN: return (lm_point){x + half, y + UP};
    case LM_LEFT_DOWN: return (lm_point){x - half - width, y + UP};
    case LM_OVER: return (lm_point){x - width / 2, y - OVER};
    case LM_UNDER: return (lm_point){x - width / 2, y + OVER};
    default: return (lm_point){x + half + behind * hydrogens_width(f->atom + atom, l), y - UP};
    }
}

/* Returns the box of a text whose base line begins at `at`. */
static lm_letter_box box_of(lm_point at, double width, double height)
{
    return (lm_letter_box){at.x, at.y - height, at.x + width, at.y};
}

size_t lm_formula_boxes(const lm_formula *f, size_t atom, lm_point at, lm_letter_box *box)
{
    const letters l = letters_of(f->atom + atom);
    const double half = l.width / 2, y = at.y + DOWN;
    size_t count = 0;
    if (!f->lettered[atom]) return 0;
    box[count++] = box_of((lm_point){at.x - half, y}, l.width, 2 * DOWN);
    if (*l.isotope)
        box[count++] = box_of((lm_point){at.x - half - small_width(l.isotope), y - UP}, small_width(l.isotope), SHORT);
    if (f->atom[atom].hydrogens) {
        box[count] = box_of(hydrogens_at(f, atom, &l, at.x, y, half), hydrogens_width(f->atom + atom, &l), 2 * DOWN);
        box[count++].bottom += *l.hydrogens ? SINK : 0;
    }
    if (*l.charge) box[count++] = box_of(charge_at(f, atom, &l, at.x, y, half), small_width(l.charge), SHORT);
    return count;
}

void lm_formula_extent(const lm_formula *f, size_t atom, double extent[4])
{
    lm_letter_box box[LM_LETTER_BOXES];
    const size_t count = lm_formula_boxes(f, atom, (lm_point){0, 0}, box);
    for (int i = 0; i < 4; i++) extent[i] = 0;
    for (size_t i = 0; i < count; i++) {
        extent[0] = fmax(extent[0], -box[i].left);
        extent[1] = fmax(extent[1], box[i].right);
        extent[2] = fmax(extent[2], AIR - box[i].top);
        extent[3] = fmax(extent[3], AIR + box[i].bottom);
    }
}

/* Writes a small text whose base line begins at `at`. */
static void draw_small(lm_output *out, const char *text, lm_point at)
{
    if (*text)
        lm_page(out, "<text class=\"label small\" style=\"text-anchor:start\" x=\"%.1f\" y=\"%.1f\">%s</text>", at.x,
                at.y, text);
}

static void draw_hydrogens(lm_output *out, const lm_formula *f, size_t atom, const letters *l, double x, double y,
                           double half)
{
    const lm_point at = hydrogens_at(f, atom, l, x, y, half);
    if (!f->atom[atom].hydrogens) return;
    lm_page(out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">H</text>", at.x + WIDE / 2, at.y);
    draw_small(out, l->hydrogens, (lm_point){at.x + WIDE, at.y + SINK});
}

void lm_formula_draw_atom(lm_output *out, const lm_graph_drawing *d, size_t v)
{
    const lm_formula *f = d->formula;
    const letters l = letters_of(f->atom + v);
    const double x = d->place[v].x, y = d->place[v].y + DOWN;
    const bool marked = d->mark[v] != LM_VERTEX_PLAIN;
    const double half = marked ? fmax(10.5, l.width / 2) : l.width / 2; /* the symbol lies on a disc */
    if (!f->lettered[v]) return;
    lm_page(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
            d->mark[v] == LM_VERTEX_HIT ? "hit-label" : "label", x, y, l.symbol);
    draw_small(out, l.isotope, (lm_point){x - half - small_width(l.isotope), y - UP});
    draw_hydrogens(out, f, v, &l, x, y, half);
    draw_small(out, l.charge, charge_at(f, v, &l, x, y, half));
}

/* ---- Bonds ----------------------------------------------------------------------------------- */

double lm_formula_covered(const lm_formula *f, size_t v, double x, double y)
{
    const letters l = letters_of(f->atom + v);
    if (!f->lettered[v]) return 0;
    const double half = l.width / 2 + AIR - 0.8 + (x < 0 ? small_width(l.isotope) : 0), tall = TALL + AIR;
    return fmin(fabs(x) > 1e-9 ? half / fabs(x) : INFINITY, fabs(y) > 1e-9 ? tall / fabs(y) : INFINITY);
}

typedef struct bond {
    lm_point from, to, across; /* positions of the atoms; unit vector across */
    double length, begin, end; /* length covered by letters at both ends */
} bond;

/* Draws a line parallel to the bond at distance `off`, shortened at both ends by the share `less` or by the letters. */
static void draw_line(lm_output *out, const bond *b, const char *style, double off, double less)
{
    const double begin = fmax(b->begin, less * b->length), end = fmax(b->end, less * b->length);
    const lm_point along = {(b->to.x - b->from.x) / b->length, (b->to.y - b->from.y) / b->length};
    if (b->length - begin - end < 1) return;
    lm_page(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", style,
            b->from.x + along.x * begin + b->across.x * off, b->from.y + along.y * begin + b->across.y * off,
            b->to.x - along.x * end + b->across.x * off, b->to.y - along.y * end + b->across.y * off);
}

/* Returns the side with more neighbours of both ends: 1, -1, or 0 if both sides are equal. */
static int fuller_side(const lm_graph_drawing *d, size_t u, size_t v, const bond *b)
{
    const leman_graph *g = &d->graph;
    double sum = 0;
    for (int end = 0; end < 2; end++) {
        const size_t at = end ? v : u, other = end ? u : v;
        for (uint64_t e = g->start[at]; e < g->start[at + 1]; e++)
            if (g->head[e] != other) {
                const lm_point p = d->place[g->head[e]];
                const double side = (p.x - b->from.x) * b->across.x + (p.y - b->from.y) * b->across.y;
                sum += side > 1 ? 1 : side < -1 ? -1 : 0;
            }
    }
    return sum > 0.5 ? 1 : sum < -0.5 ? -1 : 0;
}

/* Draws a bond with a second line: inside its ring, or on the fuller side of a chain. At the ends of a chain both lines
 * are symmetric. */
static void draw_second(lm_output *out, const lm_graph_drawing *d, size_t u, uint64_t arc, const bond *b,
                        const char *style)
{
    const leman_graph *g = &d->graph;
    const size_t v = g->head[arc];
    const lm_point inside = d->formula->inside[arc - g->start[0]];
    const bool ends = g->start[u + 1] - g->start[u] == 1 || g->start[v + 1] - g->start[v] == 1;
    int side = 0;
    if (!isnan(inside.x))
        side = (inside.x - b->from.x) * b->across.x + (inside.y - b->from.y) * b->across.y > 0 ? 1 : -1;
    else if (!ends)
        side = fuller_side(d, u, v, b);
    if (side) {
        draw_line(out, b, "edge", 0, 0);
        draw_line(out, b, style, side * GAP, INSIDE);
    } else {
        draw_line(out, b, "edge", -GAP / 2, 0);
        draw_line(out, b, style, GAP / 2, 0);
    }
}

void lm_formula_draw_bond(lm_output *out, const lm_graph_drawing *d, size_t u, uint64_t arc)
{
    const size_t v = d->graph.head[arc];
    const int order = lm_bond_order(d, arc);
    bond b = {.from = d->place[u], .to = d->place[v], .length = lm_distance(d->place[v], d->place[u])};
    if (!(b.length > 0)) return;
    const double x = (b.to.x - b.from.x) / b.length, y = (b.to.y - b.from.y) / b.length;
    b.across = (lm_point){-y, x};
    b.begin = lm_formula_covered(d->formula, u, x, y);
    b.end = lm_formula_covered(d->formula, v, -x, -y);
    if (order == LM_BOND_DOUBLE)
        draw_second(out, d, u, arc, &b, "edge");
    else if (order == LM_BOND_AROMATIC)
        draw_second(out, d, u, arc, &b, "edge aromatic");
    else if (order == LM_BOND_ANY || order == LM_BOND_DATIVE)
        draw_line(out, &b, "edge aromatic", 0, 0);
    else
        for (int lines = order == LM_BOND_QUADRUPLE ? 4 : order, i = 0; i < lines; i++)
            draw_line(out, &b, "edge", GAP * (i - (lines - 1) / 2.0), 0);
}
