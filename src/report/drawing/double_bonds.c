/*
 * E and Z of double bonds. The sides on which the neighbours of a double bond lie come from the marks / and \ of the
 * molecule or from its coordinates. Where a layout has them the other way, everything behind the bond is reflected at
 * the bond, which keeps all other double bonds. Double bonds in rings stay as the ring is drawn. O(bonds) for each
 * reflection.
 */
#include "report/drawing/molecule_layout.h"
#include <string.h>

static const double APART = 0.3; /* least distance of a neighbour from the line of the double bond */

/* Sets out[3] to the part of the vector from a to u that is perpendicular to the bond from a to b; returns its squared
 * length. */
static double offset_of(const leman_graph *g, size_t a, size_t b, size_t u, double out[3])
{
    const double *from = g->vertex_attribute + 3 * a, *to = g->vertex_attribute + 3 * b,
                 *at = g->vertex_attribute + 3 * u;
    double along[3], length = 0, product = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        along[i] = to[i] - from[i];
        out[i] = at[i] - from[i];
        length += along[i] * along[i];
        product += along[i] * out[i];
    }
    for (int i = 0; i < 3; i++) {
        if (length > 0) out[i] -= product / length * along[i];
        square += out[i] * out[i];
    }
    return square;
}

/* Chooses a neighbour of end a whose side is marked. Returns the side, or 0 if there is none or two contradict. */
static int find_marked(const leman_graph *g, size_t a, size_t b, uint32_t *neighbor)
{
    int side = 0;
    for (uint64_t e = g->start[a]; e < g->start[a + 1]; e++) {
        const int own = g->head[e] == b || !g->arc_side ? 0 : g->arc_side[e];
        if (own && own == side) return 0;
        if (own && !side) side = own, *neighbor = g->head[e];
    }
    return side;
}

/* Sets *d from the marks of the graph; returns false if they do not say where the neighbours are. */
static bool from_marks(const leman_graph *g, lm_double_bond *d)
{
    const int first = find_marked(g, d->end[0], d->end[1], &d->neighbor[0]);
    const int second = find_marked(g, d->end[1], d->end[0], &d->neighbor[1]);
    d->same = first == second;
    return first && second;
}

/* Sets *d from the coordinates of the graph. */
static bool from_places(const leman_graph *g, lm_double_bond *d)
{
    double offset[2][3], product = 0;
    for (int k = 0; k < 2; k++) {
        const size_t a = d->end[k], b = d->end[!k];
        double widest = 0, at[3];
        for (uint64_t e = g->start[a]; e < g->start[a + 1]; e++) {
            if (g->head[e] == b || !(offset_of(g, a, b, g->head[e], at) > widest)) continue;
            widest = offset_of(g, a, b, d->neighbor[k] = g->head[e], offset[k]);
        }
        if (!(widest > 1e-3)) return false;
    }
    for (int i = 0; i < 3; i++) product += offset[0][i] * offset[1][i];
    d->same = product > 0;
    return true;
}

leman_status lm_double_bonds_find(leman_context *ctx, const leman_graph *g, lm_skeleton *s)
{
    PASS_SCRATCH(ctx, s->turn, s->bonds + 1);
    s->turns = 0;
    for (size_t i = 0; i < s->bonds; i++) {
        lm_double_bond d = {.end = {s->bond[i][0], s->bond[i][1]}};
        if (s->order[i] != 2 || s->block[i] != LM_NO_BLOCK) continue;
        if (from_marks(g, &d) || (g->vertex_attributes == 3 && !g->arc_side && from_places(g, &d)))
            s->turn[s->turns++] = d;
    }
    return LEMAN_OK;
}

/* Returns a number above 0 if the bond is drawn as it should be, below 0 if it is the other way. */
static double rightness(const lm_double_bond *d, const lm_point *place)
{
    const lm_point a = place[d->end[0]], b = place[d->end[1]];
    const double first = lm_side(a, b, place[d->neighbor[0]]), second = lm_side(a, b, place[d->neighbor[1]]);
    const double least = fmin(fabs(first), fabs(second)), product = first * second;
    return (product > 0) == d->same ? least : -least;
}

bool lm_double_bonds_right(const lm_skeleton *s, const lm_point *place)
{
    for (size_t i = 0; i < s->turns; i++)
        if (rightness(s->turn + i, place) < APART) return false;
    return true;
}

leman_status lm_double_bonds_turn(leman_context *ctx, const lm_skeleton *s, lm_point *place)
{
    SCRATCH_SCOPE(ctx);
    uint32_t *seen, *reached;
    PASS_SCRATCH_ZERO(ctx, seen, s->atoms + 1);
    PASS_SCRATCH(ctx, reached, s->atoms + 1);
    for (uint32_t i = 0; i < s->turns; i++) {
        const lm_double_bond *d = s->turn + i;
        const lm_point at = place[d->end[0]];
        if (rightness(d, place) >= 0) continue;
        const double direction = lm_angle(at, place[d->end[1]]);
        seen[d->end[0]] = i + 1;
        const size_t count = lm_skeleton_reach(s, d->end[1], i + 1, seen, reached);
        for (size_t k = 0; k < count; k++) place[reached[k]] = lm_reflect(place[reached[k]], at, direction);
    }
    return LEMAN_OK;
}
