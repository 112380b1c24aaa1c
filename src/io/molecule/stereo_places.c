/*
 * What an SDF says about tetrahedral atoms and double bonds. If atoms lie in space, their coordinates say it. If all lie
 * in a plane, the coordinates say it of double bonds, and wedges of the atoms where they begin: the neighbour at the end
 * of a wedge is above or below the plane. Wavy bonds and crossed double bonds say that nothing is known. O(atoms + bonds).
 */
#include "io/molecule/stereo.h"
#include <math.h>
#include <stdlib.h>

typedef struct vector {
    double x, y, z;
} vector;

enum { NITROGEN = 7 };
static const double LEAST = 0.05;   /* volumes of unit vectors below are not told from 0 */
static const double ACROSS = 0.001; /* and such products: a double bond in a drawn ring of 40 atoms has 0.02 */

static vector minus(vector a, vector b)
{
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vector times(double factor, vector a)
{
    return (vector){factor * a.x, factor * a.y, factor * a.z};
}

static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector unit(vector a)
{
    const double length = sqrt(dot(a, a));
    return length > 1e-6 ? times(1 / length, a) : (vector){0, 0, 0};
}

static double volume(vector a, vector b, vector c)
{
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

static vector place_of(const lm_mol *m, uint32_t a)
{
    return (vector){m->place[3 * a], m->place[3 * a + 1], m->place[3 * a + 2]};
}

static bool is_solid(const lm_mol *m)
{
    for (size_t a = 0; a < m->atoms; a++)
        if (fabs(m->place[3 * a + 2]) > 1e-3) return true;
    return false;
}

/* Returns 1 if neighbours 1, 2, 3 are clockwise as seen from neighbour 0, whose directions are to[4]; 0: not known. A
 * neighbour without coordinates, only the first, is opposite to the others. */
static int turn_of(vector *to, bool first_is_hidden)
{
    const vector *v = to;
    if (first_is_hidden)
        to[0] = (vector){-to[1].x - to[2].x - to[3].x, -to[1].y - to[2].y - to[3].y, -to[1].z - to[2].z - to[3].z};
    const double sum = volume(minus(v[1], v[0]), minus(v[2], v[0]), minus(v[3], v[0]));
    return sum > LEAST ? 1 : sum < -LEAST ? -1 : 0;
}

static void add_atom(lm_mol *m, const lm_mol_search *s, uint32_t a, bool solid, lm_mol_counts *counts)
{
    const size_t degree = s->start[a + 1] - s->start[a];
    lm_stereo e = {.at = {a, a}};
    vector to[LM_STEREO_NEIGHBORS];
    size_t count = 0;
    bool wavy = false;
    if (degree < 3 || degree + m->atom[a].hydrogens > LM_STEREO_NEIGHBORS) return;
    if (m->atom[a].element == NITROGEN && degree + m->atom[a].hydrogens == 3) return; /* its drawn side means nothing */
    if (degree == 3) e.neighbor[count++] = LM_NO_ATOM;
    for (size_t j = s->start[a]; j < s->start[a + 1]; j++, count++) {
        const lm_mol_bond *bond = m->bond + s->bond[j];
        const int side = bond->from == a && bond->type == LM_BOND_SINGLE ? bond->side : 0;
        e.neighbor[count] = lm_other_end(bond, a);
        to[count] = unit(minus(place_of(m, e.neighbor[count]), place_of(m, a)));
        wavy |= side == LM_SIDE_EITHER;
        if (!solid && abs(side) == 1) to[count].z = side, e.marked = true;
    }
    if (wavy || (!solid && !e.marked)) return;
    e.turn = (int8_t)turn_of(to, degree == 3);
    if (e.turn) m->stereo_at[m->stereo_count++] = e;
    counts->no_stereo += !e.turn && !solid;
}

/* Sets neighbor[2] and the direction of the first, across the axis. Returns false if nothing is known. */
static bool read_end(const lm_mol *m, const lm_mol_search *s, uint32_t end, uint32_t other, uint32_t *neighbor,
                     vector *across)
{
    uint32_t bond[2];
    const size_t count = lm_stereo_end(m, s, end, other, bond);
    const vector axis = unit(minus(place_of(m, other), place_of(m, end)));
    neighbor[0] = neighbor[1] = LM_NO_ATOM;
    if (!count || count > 2) return false;
    for (size_t i = 0; i < count; i++) {
        const lm_mol_bond *b = m->bond + bond[i];
        neighbor[i] = lm_other_end(b, end);
        if (b->from == end && b->side == LM_SIDE_EITHER) return false;
    }
    const vector to = unit(minus(place_of(m, neighbor[0]), place_of(m, end)));
    *across = minus(to, times(dot(to, axis), axis));
    return true;
}

static void add_double(lm_mol *m, const lm_mol_search *s, const lm_mol_bond *bond)
{
    lm_stereo e = {.at = {bond->from, bond->to}};
    vector across[2];
    if (bond->side == LM_SIDE_EITHER || !read_end(m, s, bond->from, bond->to, e.neighbor, across) ||
        !read_end(m, s, bond->to, bond->from, e.neighbor + 2, across + 1))
        return;
    const double product = dot(across[0], across[1]);
    e.turn = product > ACROSS ? 1 : product < -ACROSS ? -1 : 0;
    if (e.turn) m->stereo_at[m->stereo_count++] = e;
}

void lm_stereo_of_places(lm_mol *m, const lm_mol_search *s, lm_mol_counts *counts)
{
    const bool solid = is_solid(m);
    for (uint32_t a = 0; a < m->atoms; a++) add_atom(m, s, a, solid, counts);
    for (size_t i = 0; i < m->bonds; i++)
        if (m->bond[i].type == LM_BOND_DOUBLE) add_double(m, s, m->bond + i);
}
