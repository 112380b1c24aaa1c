/*
 * Lays out ring blocks. Rings are joined one after the other at the atoms that they share with rings placed before. The
 * atoms between two such atoms go on an arc whose chords have length 1, on the less crowded side. If one bond is
 * shared, the result is a regular polygon; in condensed aromatics also if more bonds are shared. Rings that share two
 * or more bonds (norbornane) form a group that bridged_layout.c places first. Three ways are compared by their cost:
 * single rings, bridged groups, and the whole block as one group.
 */
#include "report/drawing/ring_layout.h"
#include <string.h>

static const double GOOD = 0.05; /* cost of a layout that is good enough */

/* A ring, or a group of bridged rings with a layout of its own. */
typedef struct unit {
    lm_ring_group group;
    lm_point *own; /* [atoms] its own layout, if it has several rings */
    bool joined;
} unit;

typedef struct joining {
    const lm_skeleton *s;
    unit *unit;
    size_t units;
    bool *placed; /* [atoms] */
    lm_point *place;
} joining;

void lm_polygon(const lm_ring_path *ring, lm_point *place)
{
    const double radius = 0.5 / sin(LM_PI / (double)ring->size);
    for (size_t i = 0; i < ring->size; i++)
        place[ring->atom[i]] = lm_polar(LM_PI / 2 + 2 * LM_PI * (double)i / (double)ring->size, radius);
}

/* Returns how crowded a point is by the atoms that are placed. */
static double crowd(const joining *j, lm_point p)
{
    double sum = 0;
    for (size_t a = 0; a < j->s->atoms; a++)
        if (j->placed[a]) sum += 1 / (0.01 + lm_point_square(lm_point_subtract(p, j->place[a])));
    return sum;
}

/* ---- Arcs ------------------------------------------------------------------------------------ */

/* Returns the angle of each of `chords` chords of length 1 that together span a distance:
 * sin(chords angle / 2) / sin(angle / 2) = distance. */
static double chord_angle(double distance, size_t chords)
{
    double low = 1e-6, high = 2 * LM_PI / (double)chords;
    for (int i = 0; i < 50; i++) {
        const double angle = (low + high) / 2;
        if (sin((double)chords * angle / 2) / sin(angle / 2) > distance)
            low = angle;
        else
            high = angle;
    }
    return low;
}

/* Computes the positions out[count] of atoms between two points, on one side of the line between them. */
static void arc(lm_point from, lm_point to, size_t count, double side, lm_point *out)
{
    const double distance = lm_distance(to, from), chords = (double)count + 1;
    const double angle = chord_angle(distance, count + 1), step = distance < chords ? 1 : distance / chords;
    double direction = lm_angle(from, to) + side * angle * (chords - 1) / 2;
    lm_point at = from;
    for (size_t i = 0; i < count; i++, direction -= side * angle) {
        at = lm_point_add(at, lm_polar(direction, step));
        out[i] = at;
    }
}

/* Places the atoms ring->atom[from+1 .. from+count] between two atoms that are placed. */
static void place_run(joining *j, const lm_ring_path *ring, size_t from, size_t count)
{
    const lm_point a = j->place[ring->atom[from]], b = j->place[ring->atom[(from + count + 1) % ring->size]];
    lm_point run[2][LM_SKELETON_ATOMS];
    double cost[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        arc(a, b, count, side ? -1 : 1, run[side]);
        for (size_t i = 0; i < count; i++) cost[side] += crowd(j, run[side][i]);
    }
    const int better = cost[1] < cost[0] * (1 - 1e-9);
    for (size_t i = 0; i < count; i++) j->place[ring->atom[(from + 1 + i) % ring->size]] = run[better][i];
    for (size_t i = 0; i < count; i++) j->placed[ring->atom[(from + 1 + i) % ring->size]] = true;
}

static void join_ring(joining *j, const lm_ring_path *ring)
{
    size_t first = 0;
    while (!j->placed[ring->atom[first]]) first++;
    for (size_t i = 0; i < ring->size;) {
        const size_t from = (first + i) % ring->size;
        size_t count = 0;
        while (!j->placed[ring->atom[(from + 1 + count) % ring->size]]) count++;
        if (count) place_run(j, ring, from, count);
        i += count + 1;
    }
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Joins a group by a bond that is placed, on the less crowded side; returns false if it shares no such bond. */
static bool join_group(joining *j, const unit *u)
{
    const lm_skeleton *s = j->s;
    uint32_t bond = 0;
    while (bond < s->bonds &&
           (!lm_bit(u->group.bond, bond) || !j->placed[s->bond[bond][0]] || !j->placed[s->bond[bond][1]]))
        bond++;
    if (bond == s->bonds) return false;
    const uint32_t *end = s->bond[bond];
    const double turn = lm_angle(j->place[end[0]], j->place[end[1]]) - lm_angle(u->own[end[0]], u->own[end[1]]);
    lm_point moved[2][LM_SKELETON_ATOMS];
    double cost[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        for (size_t a = 0; a < s->atoms; a++) {
            if (!u->group.inside[a] || j->placed[a]) continue;
            lm_point p = lm_point_add(j->place[end[0]], lm_rotate(lm_point_subtract(u->own[a], u->own[end[0]]), turn));
            if (side) p = lm_reflect(p, j->place[end[0]], lm_angle(j->place[end[0]], j->place[end[1]]));
            moved[side][a] = p;
            cost[side] += crowd(j, p);
        }
    const int better = cost[1] < cost[0] * (1 - 1e-9);
    for (size_t a = 0; a < s->atoms; a++)
        if (u->group.inside[a] && !j->placed[a]) j->place[a] = moved[better][a];
    for (size_t a = 0; a < s->atoms; a++) j->placed[a] |= u->group.inside[a];
    return true;
}

static size_t standing(const joining *j, const unit *u)
{
    size_t count = 0;
    for (size_t a = 0; a < j->s->atoms; a++) count += u->group.inside[a] && j->placed[a];
    return count;
}

/* Returns the unit to begin with: by the number of rings, then by shared atoms, then by size. */
static size_t first_unit(const joining *j)
{
    size_t best = 0, most = 0;
    for (size_t i = 0; i < j->units; i++) {
        size_t weight = 0;
        for (size_t a = 0; a < j->s->atoms; a++) {
            weight += j->unit[i].group.inside[a];
            for (size_t k = 0; k < j->units; k++)
                if (k != i) weight += 4 * (size_t)(j->unit[i].group.inside[a] && j->unit[k].group.inside[a]);
        }
        weight += 10000 * j->unit[i].group.members;
        if (weight > most) best = i, most = weight;
    }
    return best;
}

/* Joins all units; returns false if one cannot be joined. */
static bool join(joining *j)
{
    size_t next = first_unit(j);
    memset(j->placed, 0, j->s->atoms);
    for (size_t i = 0; i < j->units; i++) j->unit[i].joined = false;
    for (size_t done = 0; done < j->units; done++) {
        unit *u = j->unit + next;
        const lm_ring_path *ring = u->group.ring + u->group.member[0];
        u->joined = true;
        if (!done) {
            if (u->own)
                for (size_t a = 0; a < j->s->atoms; a++) j->place[a] = u->group.inside[a] ? u->own[a] : j->place[a];
            else
                lm_polygon(ring, j->place);
            for (size_t a = 0; a < j->s->atoms; a++) j->placed[a] = u->group.inside[a];
        } else if (!u->own) {
            join_ring(j, ring);
        } else if (!join_group(j, u)) {
            return false;
        }
        size_t most = 1;
        for (size_t i = 0; i < j->units; i++) {
            const size_t count = j->unit[i].joined ? 0 : standing(j, j->unit + i);
            if (count > most) next = i, most = count;
        }
        if (most == 1 && done + 1 < j->units) return false;
    }
    return true;
}

/* ---- The block ------------------------------------------------------------------------------- */

static leman_status group_of(leman_context *ctx, const lm_skeleton *s, const lm_ring_path *ring, const uint32_t *member,
                             size_t members, lm_ring_group *group)
{
    *group = (lm_ring_group){.skeleton = s, .ring = ring, .member = member, .members = members};
    PASS_SCRATCH_ZERO(ctx, group->inside, s->atoms);
    for (size_t i = 0; i < members; i++) {
        for (size_t a = 0; a < ring[member[i]].size; a++) group->inside[ring[member[i]].atom[a]] = true;
        for (size_t w = 0; w < LM_BOND_WORDS; w++) group->bond[w] |= ring[member[i]].bond[w];
    }
    return LEMAN_OK;
}

static size_t shared_bonds(const lm_ring_path *a, const lm_ring_path *b)
{
    size_t count = 0;
    for (size_t w = 0; w < LM_BOND_WORDS; w++) count += (size_t)__builtin_popcountll(a->bond[w] & b->bond[w]);
    return count;
}

/* Groups rings that share at least `bonds` bonds into units, and lays out units of several rings. */
static leman_status make_units(leman_context *ctx, joining *j, const lm_ring_path *ring, size_t rings, size_t bonds)
{
    uint32_t *member, *unit_of;
    size_t used = 0;
    PASS_SCRATCH(ctx, j->unit, rings);
    PASS_SCRATCH(ctx, member, rings);
    PASS_SCRATCH(ctx, unit_of, rings);
    for (size_t r = 0; r < rings; r++) unit_of[r] = UINT32_MAX;
    j->units = 0;
    for (size_t r = 0; r < rings; r++) {
        const size_t first = used;
        if (unit_of[r] != UINT32_MAX) continue;
        unit_of[r] = (uint32_t)j->units;
        member[used++] = (uint32_t)r;
        for (size_t i = first; i < used; i++)
            for (size_t q = 0; q < rings; q++)
                if (unit_of[q] == UINT32_MAX && shared_bonds(ring + member[i], ring + q) >= bonds) {
                    unit_of[q] = (uint32_t)j->units;
                    member[used++] = (uint32_t)q;
                }
        unit *u = j->unit + j->units++;
        *u = (unit){0};
        PASS(group_of(ctx, j->s, ring, member + first, used - first, &u->group));
        if (u->group.members == 1) continue;
        PASS_SCRATCH(ctx, u->own, j->s->atoms);
        PASS(lm_bridged_layout(ctx, &u->group, u->own));
    }
    return LEMAN_OK;
}

leman_status lm_ring_layout(leman_context *ctx, const lm_skeleton *s, uint32_t block, lm_point *place)
{
    /* Number of shared bonds that makes rings one unit: each ring alone, bridged rings, all rings. */
    static const size_t SHARED[] = {SIZE_MAX, 2, 1};
    SCRATCH_SCOPE(ctx);
    lm_ring_path *ring;
    lm_ring_group whole;
    uint32_t *all;
    size_t rings;
    double least = INFINITY;
    joining j = {.s = s};
    PASS(lm_ring_basis(ctx, s, block, &ring, &rings));
    PASS_SCRATCH(ctx, all, rings);
    PASS_SCRATCH(ctx, j.place, s->atoms);
    PASS_SCRATCH(ctx, j.placed, s->atoms);
    for (size_t r = 0; r < rings; r++) all[r] = (uint32_t)r;
    PASS(group_of(ctx, s, ring, all, rings, &whole));
    for (size_t way = 0; way < sizeof SHARED / sizeof *SHARED && least > GOOD; way++) {
        if (way == 2 && j.units == 1) break; /* the same as before */
        PASS(make_units(ctx, &j, ring, rings, SHARED[way]));
        if (!join(&j)) continue;
        const double cost = lm_ring_cost(&whole, j.place);
        if (cost >= least * (1 - 1e-9)) continue;
        least = cost;
        for (size_t a = 0; a < s->atoms; a++)
            if (whole.inside[a]) place[a] = j.place[a];
    }
    return LEMAN_OK;
}
