/*
 * Lays out bridged rings, which cannot be drawn as polygons. A long cycle, the outline, becomes a regular polygon, and
 * the other atoms go to the mean of their neighbours (Tutte, How to draw a graph, 1963), so that few bonds cross. Then
 * springs give bonds length 1 and keep atoms apart. An atom on the line between its two neighbours, where nobody would
 * see a corner, is moved aside. Several outlines are tried; the layout with the lowest cost is kept.
 * O(cycles (steps n + m^2)) for n atoms and m bonds.
 */
#include "report/drawing/ring_layout.h"
#include <string.h>

enum { MAX_OUTLINES = 48, MEAN_STEPS = 60, SPRING_STEPS = 160, KEPT = 4 /* outlines that get springs */, LARGE = 40 };
static const double APART = 0.9 /* distance of atoms without a bond */, SPRING = 0.15, PUSH = 0.35, ON_BOND = 0.2;
static const double BESIDE = 0.45 /* an atom and a bond */, END_BESIDE = 0.3 /* the end of a bond outward and a bond */;
static const double SIZES[] = {1, 1.25, 1.5, 1.75}; /* scales of outlines: larger ones leave more space inside */
static const double STRAIGHT = 0.966 /* cosine of 15 degrees */, BEND = 0.35, HIDDEN = 1 /* cost of a hidden corner */;

typedef struct piece {
    uint32_t *atom;         /* [atoms] of the group */
    uint16_t *number;       /* [skeleton->atoms] the inverse of `atom` */
    uint16_t (*bond)[2];    /* [bonds] in these numbers */
    bool *joined;           /* [atoms][atoms] */
    bool *fixed;            /* [atoms] on the outline */
    lm_point *place, *best; /* [atoms] */
    size_t atoms, bonds;
} piece;

/* ---- Cost ------------------------------------------------------------------------------------ */

static double pair_cost(lm_point a, lm_point b)
{
    const double d = lm_distance(a, b);
    return (d < 0.5 ? 10 : 0) + (d < 0.95 ? 2 * (0.95 - d) * (0.95 - d) : 0);
}

/* Returns the cost of a bond from an atom of the group to a point outside: its crossings, and atoms and bonds near that point. */
static double outward_cost(const lm_ring_group *group, const lm_point *p, size_t atom, lm_point to)
{
    const lm_skeleton *s = group->skeleton;
    double cost = 0;
    for (uint32_t i = 0; i < s->bonds; i++)
        if (lm_bit(group->bond, i) && s->bond[i][0] != atom && s->bond[i][1] != atom &&
            (lm_cross(p[atom], to, p[s->bond[i][0]], p[s->bond[i][1]]) ||
             lm_segment_square(to, p[s->bond[i][0]], p[s->bond[i][1]]) < END_BESIDE * END_BESIDE))
            cost += 8;
    for (size_t b = 0; b < s->atoms; b++)
        if (group->inside[b] && b != atom && lm_point_square(lm_point_subtract(p[b], to)) < 0.25) cost += 8;
    return cost;
}

/* Returns the cost of all bonds that leave the group at an atom, spread over the widest angle between its bonds. */
static double substituent_cost(const lm_ring_group *group, const lm_point *p, size_t atom)
{
    const lm_skeleton *s = group->skeleton;
    double angle[16], from, cost = 0;
    size_t count = 0, outside = 0;
    for (uint32_t i = s->start[atom]; i < s->start[atom + 1]; i++)
        if (lm_bit(group->bond, s->bond_to[i]))
            angle[count++] = lm_angle(p[atom], p[s->neighbor[i]]);
        else
            outside++;
    const double widest = lm_widest_angle(angle, count, 0, &from);
    for (size_t i = 0; i < outside; i++)
        cost +=
            outward_cost(group, p, atom,
                         lm_point_add(p[atom], lm_polar(from + widest * (double)(i + 1) / (double)(outside + 1), 1)));
    return cost;
}

/* Returns the cost of an atom that lies on bonds. */
static double on_bonds_cost(const lm_ring_group *group, const lm_point *p, size_t atom)
{
    const lm_skeleton *s = group->skeleton;
    double cost = 0;
    for (uint32_t i = 0; i < s->bonds; i++)
        if (lm_bit(group->bond, i) && s->bond[i][0] != atom && s->bond[i][1] != atom &&
            lm_segment_square(p[atom], p[s->bond[i][0]], p[s->bond[i][1]]) < ON_BOND * ON_BOND)
            cost += 6;
    return cost;
}

/* Returns true if the two bonds of an atom are so straight that its corner is not seen. */
static bool is_hidden(const lm_skeleton *s, const lm_point *p, size_t atom)
{
    const uint32_t *neighbor = s->neighbor + s->start[atom];
    if (s->start[atom + 1] - s->start[atom] != 2 || lm_atom_is_linear(s, atom)) return false;
    const lm_point a = lm_point_subtract(p[neighbor[0]], p[atom]), b = lm_point_subtract(p[neighbor[1]], p[atom]);
    return a.x * b.x + a.y * b.y < -STRAIGHT * sqrt(lm_point_square(a) * lm_point_square(b));
}

double lm_ring_cost(const lm_ring_group *group, const lm_point *p)
{
    const lm_skeleton *s = group->skeleton;
    double cost = 0;
    for (uint32_t i = 0; i < s->bonds; i++) {
        const uint32_t *a = s->bond[i];
        if (!lm_bit(group->bond, i)) continue;
        const double off = lm_distance(p[a[0]], p[a[1]]) - 1;
        cost += off * off;
        for (uint32_t k = i + 1; k < s->bonds; k++) {
            const uint32_t *b = s->bond[k];
            if (!lm_bit(group->bond, k) || a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) continue;
            if (lm_cross(p[a[0]], p[a[1]], p[b[0]], p[b[1]])) cost += 10;
        }
    }
    for (size_t a = 0; a < s->atoms; a++) {
        if (!group->inside[a]) continue;
        cost += substituent_cost(group, p, a) + on_bonds_cost(group, p, a) + (is_hidden(s, p, a) ? HIDDEN : 0);
        for (size_t b = 0; b < a; b++)
            if (group->inside[b]) cost += pair_cost(p[a], p[b]);
    }
    return cost;
}

/* ---- Outlines -------------------------------------------------------------------------------- */

typedef struct outline {
    uint64_t bond[LM_BOND_WORDS];
    size_t size;
    double cost;
} outline;

/* If the sum of rings is one cycle, returns its number of bonds, with its atoms in order in `atom`; otherwise 0. */
static size_t trace(const lm_skeleton *s, const uint64_t *bond, uint32_t *atom)
{
    size_t bonds = 0, size = 0;
    uint32_t first = UINT32_MAX, before = UINT32_MAX;
    for (uint32_t i = 0; i < s->bonds; i++)
        if (lm_bit(bond, i)) {
            bonds++;
            if (first == UINT32_MAX) first = s->bond[i][0];
        }
    for (uint32_t at = first; size < bonds;) {
        uint32_t next = UINT32_MAX, ways = 0;
        for (uint32_t i = s->start[at]; i < s->start[at + 1]; i++)
            if (lm_bit(bond, s->bond_to[i])) {
                ways++;
                if (s->neighbor[i] != before) next = s->neighbor[i];
            }
        if (ways != 2) return 0;
        atom[size++] = at;
        before = at;
        at = next;
        if (at == first) break;
    }
    return size == bonds ? size : 0;
}

static bool add_outline(const lm_skeleton *s, outline *list, size_t *count, const outline *o)
{
    uint32_t atom[LM_SKELETON_BONDS];
    for (size_t i = 0; i < *count; i++)
        if (!memcmp(list[i].bond, o->bond, sizeof o->bond)) return false;
    const size_t size = trace(s, o->bond, atom);
    if (!size || *count == MAX_OUTLINES) return false;
    list[*count] = *o;
    list[(*count)++].size = size;
    return true;
}

/* Lists the rings, and sums of an outline and one more ring, up to MAX_OUTLINES. */
static size_t find_outlines(const lm_ring_group *g, outline *list)
{
    size_t count = 0;
    for (size_t i = 0; i < g->members; i++) {
        outline o = {.size = 0};
        memcpy(o.bond, g->ring[g->member[i]].bond, sizeof o.bond);
        add_outline(g->skeleton, list, &count, &o);
    }
    for (size_t at = 0; at < count; at++)
        for (size_t i = 0; i < g->members; i++) {
            outline o = list[at];
            for (size_t w = 0; w < LM_BOND_WORDS; w++) o.bond[w] ^= g->ring[g->member[i]].bond[w];
            add_outline(g->skeleton, list, &count, &o);
        }
    return count;
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Places the outline as a polygon, scaled by `size`, and the other atoms inside. */
static void place_on_outline(const lm_ring_group *g, piece *x, const outline *o, double size)
{
    uint32_t atom[LM_SKELETON_BONDS];
    const lm_ring_path ring = {.atom = atom, .size = trace(g->skeleton, o->bond, atom)};
    lm_point polygon[LM_SKELETON_ATOMS];
    lm_polygon(&ring, polygon);
    memset(x->fixed, 0, x->atoms);
    for (size_t i = 0; i < x->atoms; i++) x->place[i] = lm_polar((double)i, 0.01);
    for (size_t i = 0; i < ring.size; i++) {
        x->fixed[x->number[atom[i]]] = true;
        x->place[x->number[atom[i]]] = lm_point_scale(polygon[atom[i]], size);
    }
    for (int step = 0; step < MEAN_STEPS; step++)
        for (size_t i = 0; i < x->atoms; i++) {
            lm_point sum = {0, 0};
            double count = 0;
            if (x->fixed[i]) continue;
            for (size_t k = 0; k < x->atoms; k++)
                if (x->joined[i * x->atoms + k]) sum = lm_point_add(sum, x->place[k]), count++;
            x->place[i] = (lm_point){sum.x / count, sum.y / count};
        }
}

/* Pushes atoms off bonds that they lie on; an atom exactly on a bond goes to the left of the bond. */
static void push_aside(piece *x)
{
    for (size_t i = 0; i < x->bonds; i++)
        for (size_t k = 0; k < x->atoms; k++) {
            const size_t u = x->bond[i][0], v = x->bond[i][1];
            const lm_point a = x->place[u], b = x->place[v];
            if (k == u || k == v) continue;
            if (x->place[k].x < fmin(a.x, b.x) - BESIDE || x->place[k].x > fmax(a.x, b.x) + BESIDE) continue;
            const double square = lm_segment_square(x->place[k], a, b);
            if (square >= BESIDE * BESIDE) continue;
            const lm_point along = lm_point_subtract(b, a);
            const double length = sqrt(lm_point_square(along)) + 1e-9,
                         side = lm_side(a, b, x->place[k]) < -1e-9 ? -1 : 1;
            const double push = side * PUSH * (BESIDE - sqrt(square)) / length;
            const lm_point across = {-along.y * push, along.x * push};
            x->place[k] = lm_point_add(x->place[k], across);
            x->place[u] = lm_point_subtract(x->place[u], lm_point_scale(across, 0.5));
            x->place[v] = lm_point_subtract(x->place[v], lm_point_scale(across, 0.5));
        }
}

static void spring(piece *x)
{
    for (int step = 0; step < SPRING_STEPS; step++) {
        if (step % 4 == 0) push_aside(x);
        for (size_t i = 0; i < x->atoms; i++)
            for (size_t k = 0; k < i; k++) {
                const bool bonded = x->joined[i * x->atoms + k];
                lm_point along = lm_point_subtract(x->place[i], x->place[k]);
                if (!bonded && lm_point_square(along) >= APART * APART) continue;
                double d = sqrt(lm_point_square(along));
                if (d < 1e-6) along = lm_polar((double)(i * x->atoms + k), d = 1e-6);
                const double push = (bonded ? SPRING * (1 - d) : PUSH * (APART - d)) / (2 * d);
                x->place[i] = lm_point_add(x->place[i], lm_point_scale(along, push));
                x->place[k] = lm_point_subtract(x->place[k], lm_point_scale(along, push));
            }
    }
}

static double cost_of(const lm_ring_group *g, const piece *x, lm_point *place)
{
    for (size_t i = 0; i < x->atoms; i++) place[x->atom[i]] = x->place[i];
    return lm_ring_cost(g, place);
}

/* Moves atoms with hidden corners to the better side of the line on which they lie; returns the cost. */
static double bend(const lm_ring_group *g, piece *x, lm_point *place)
{
    const lm_skeleton *s = g->skeleton;
    double least = cost_of(g, x, place);
    for (size_t i = 0; i < x->atoms; i++) {
        const uint32_t atom = x->atom[i], *neighbor = s->neighbor + s->start[atom];
        if (!is_hidden(s, place, atom)) continue;
        const lm_point at = x->place[i],
                       aside = lm_rotate(lm_polar(lm_angle(place[neighbor[0]], place[neighbor[1]]), BEND), LM_PI / 2);
        lm_point best = at;
        for (int side = 0; side < 2; side++) {
            x->place[i] = lm_point_add(at, lm_point_scale(aside, side ? -1 : 1));
            const double cost = cost_of(g, x, place);
            if (cost < least * (1 - 1e-9)) least = cost, best = x->place[i];
        }
        x->place[i] = best;
        least = cost_of(g, x, place);
    }
    return least;
}

static leman_status piece_of(leman_context *ctx, const lm_ring_group *g, piece *x)
{
    const lm_skeleton *s = g->skeleton;
    PASS_SCRATCH(ctx, x->atom, s->atoms);
    PASS_SCRATCH(ctx, x->number, s->atoms);
    for (size_t a = 0; a < s->atoms; a++)
        if (g->inside[a]) {
            x->number[a] = (uint16_t)x->atoms;
            x->atom[x->atoms++] = (uint32_t)a;
        }
    PASS_SCRATCH(ctx, x->bond, s->bonds);
    PASS_SCRATCH_ZERO(ctx, x->joined, x->atoms * x->atoms);
    PASS_SCRATCH(ctx, x->fixed, x->atoms);
    PASS_SCRATCH(ctx, x->place, x->atoms);
    PASS_SCRATCH(ctx, x->best, x->atoms);
    for (uint32_t i = 0; i < s->bonds; i++) {
        if (!lm_bit(g->bond, i)) continue;
        const size_t a = x->number[s->bond[i][0]], b = x->number[s->bond[i][1]];
        x->bond[x->bonds][0] = (uint16_t)a, x->bond[x->bonds++][1] = (uint16_t)b;
        x->joined[a * x->atoms + b] = x->joined[b * x->atoms + a] = true;
    }
    return LEMAN_OK;
}

leman_status lm_bridged_layout(leman_context *ctx, const lm_ring_group *g, lm_point *place)
{
    SCRATCH_SCOPE(ctx);
    piece x = {0};
    outline *list;
    double least = INFINITY;
    PASS(piece_of(ctx, g, &x));
    PASS_SCRATCH(ctx, list, MAX_OUTLINES);
    const size_t count = find_outlines(g, list);
    for (size_t i = 0; i < count; i++) {
        place_on_outline(g, &x, list + i, 1.3);
        list[i].cost = cost_of(g, &x, place);
        place_on_outline(g, &x, list + i, 1.75);
        list[i].cost = fmin(list[i].cost, cost_of(g, &x, place));
    }
    for (int kept = 0; kept < (x.atoms > LARGE ? 1 : KEPT); kept++) {
        size_t next = 0;
        for (size_t i = 1; i < count; i++)
            if (list[i].cost < list[next].cost) next = i;
        if (list[next].cost >= 1e300) break;
        list[next].cost = INFINITY;
        for (size_t way = 0; way < 2 * sizeof SIZES / sizeof *SIZES; way++) {
            if (way % 2 == 0) place_on_outline(g, &x, list + next, SIZES[way / 2]);
            if (way % 2 == 1) spring(&x);
            const double cost = bend(g, &x, place);
            if (cost >= least * (1 - 1e-9)) continue;
            least = cost;
            memcpy(x.best, x.place, x.atoms * sizeof *x.best);
        }
    }
    for (size_t i = 0; i < x.atoms; i++) place[x.atom[i]] = x.best[i];
    return LEMAN_OK;
}
