/*
 * Separates atoms and bonds that are too close to each other. A branch is the part of a molecule that is attached to an
 * atom by a bond in no ring, or by a ring that shares only this atom. The moves, from the least visible to the most
 * visible:
 *
 *   reflect   a branch at the line of its bond
 *   exchange  two branches of one atom
 *   rotate    a branch about its atom
 *   push      a branch along its bond, which gets longer
 *
 * The best move is made as long as the cost decreases. If no reflection or exchange helps, pairs of them are tried.
 * O(b (n + m)) for a move of b atoms, with n atoms and m bonds in the molecule.
 */
#include "report/drawing/molecule_layout.h"
#include <string.h>

enum { WORDS = LM_SKELETON_ATOMS / 64, MAX_STEPS = 60, MAX_BAD = 256, MAX_PAIRED = 40 /* tried in pairs */ };
static const double NEAR = 0.85 /* two atoms */, CLOSE = 0.62, CLASH = 0.5, ON_BOND = 0.3 /* atom and bond */;
static const double FINE = 1e-9, SEEN = 1 /* cost from which visible moves are worth it */;

typedef struct branch {
    uint32_t atom, next; /* the atom to which it is attached; its first atom */
    uint32_t block;      /* the ring that attaches it; LM_NO_BLOCK: a bond */
    size_t size;
    uint64_t inside[WORDS];
    uint32_t *atoms; /* [size] */
} branch;

typedef enum move_kind { REFLECT, EXCHANGE, ROTATE, PUSH } move_kind;

typedef struct move {
    move_kind kind;
    size_t branch, other;
    double amount;
} move;

typedef struct clashes {
    const lm_skeleton *s;
    bool *counts; /* [atoms][atoms] pairs that moves can separate: no bond, no common ring block */
    branch *branch;
    move *move;
    uint32_t (*bad)[2]; /* [bads] pairs of atoms that are too close, or ends of bonds that are */
    size_t bads;
    lm_point *place, *first, *second, *best; /* [atoms] */
    bool right;                              /* double bonds are E or Z as they should be, and stay so */
    size_t branches, moves, shown;           /* shown: the first `shown` moves are the invisible ones */
} clashes;

/* ---- Cost ------------------------------------------------------------------------------------ */

static bool bonds_touch(const uint32_t *a, const uint32_t *b)
{
    return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

lm_clash_count lm_clashes_count(const lm_skeleton *s, const lm_point *p)
{
    lm_clash_count count = {0, 0};
    for (size_t a = 0; a < s->atoms; a++)
        for (size_t b = 0; b < a; b++) count.atoms += lm_point_square(lm_point_subtract(p[a], p[b])) < CLASH * CLASH;
    for (size_t i = 0; i < s->bonds; i++)
        for (size_t k = 0; k < i; k++)
            count.crossings += !bonds_touch(s->bond[i], s->bond[k]) &&
                               lm_cross(p[s->bond[i][0]], p[s->bond[i][1]], p[s->bond[k][0]], p[s->bond[k][1]]);
    return count;
}

static void note(clashes *c, size_t a, size_t b)
{
    if (c->bads == MAX_BAD) return;
    c->bad[c->bads][0] = (uint32_t)a;
    c->bad[c->bads++][1] = (uint32_t)b;
}

static double atoms_cost(const clashes *c, const lm_point *p, size_t a, size_t b)
{
    const double square = lm_point_square(lm_point_subtract(p[a], p[b]));
    if (square >= NEAR * NEAR || !c->counts[a * c->s->atoms + b]) return 0;
    const double lack = 1 - sqrt(square) / NEAR;
    return 0.2 * lack * lack + (square < CLOSE * CLOSE ? 1 + lack : 0) + (square < CLASH * CLASH ? 10 : 0);
}

static double bonds_cost(const clashes *c, const lm_point *p, size_t i, size_t k)
{
    const lm_skeleton *s = c->s;
    const uint32_t *a = s->bond[i], *b = s->bond[k];
    if ((s->block[i] != LM_NO_BLOCK && s->block[i] == s->block[k]) || bonds_touch(a, b)) return 0;
    return lm_cross(p[a[0]], p[a[1]], p[b[0]], p[b[1]]) ? 10 : 0;
}

static double on_bond_cost(const clashes *c, const lm_point *p, size_t bond, size_t atom)
{
    const uint32_t *end = c->s->bond[bond], block = c->s->block[bond];
    const lm_point a = p[end[0]], b = p[end[1]], at = p[atom];
    if (at.x < fmin(a.x, b.x) - ON_BOND || at.x > fmax(a.x, b.x) + ON_BOND || at.y < fmin(a.y, b.y) - ON_BOND ||
        at.y > fmax(a.y, b.y) + ON_BOND || atom == end[0] || atom == end[1] ||
        (block != LM_NO_BLOCK && c->s->in_block[block * c->s->atoms + atom]))
        return 0;
    const double square = lm_segment_square(at, a, b);
    return square < ON_BOND * ON_BOND ? 3 * (1.1 - sqrt(square) / ON_BOND) : 0;
}

/* Returns the total cost; pairs that are too close are listed in c->bad. */
static double total_cost(clashes *c)
{
    const lm_skeleton *s = c->s;
    const lm_point *p = c->place;
    double cost = 0, part;
    c->bads = 0;
    for (size_t i = 0; i < s->bonds; i++) {
        const uint32_t *end = s->bond[i];
        for (size_t k = 0; k < i; k++)
            if ((part = bonds_cost(c, p, i, k)) > 0)
                cost += part, note(c, end[0], s->bond[k][0]), note(c, end[1], s->bond[k][1]);
        for (size_t a = 0; a < s->atoms; a++)
            if ((part = on_bond_cost(c, p, i, a)) > 0) cost += part, note(c, a, end[0]), note(c, a, end[1]);
    }
    for (size_t a = 0; a < s->atoms; a++)
        for (size_t b = 0; b < a; b++)
            if ((part = atoms_cost(c, p, a, b)) > 0) cost += part, note(c, a, b);
    return cost;
}

/* Returns the cost between a branch, with the bond that attaches it, and all other atoms and bonds. Only this cost
 * changes by its moves. */
static double branch_cost(const clashes *c, const branch *b, const lm_point *p)
{
    const lm_skeleton *s = c->s;
    double cost = 0;
    for (size_t i = 0; i < s->bonds; i++) {
        if (!lm_bit(b->inside, s->bond[i][0]) && !lm_bit(b->inside, s->bond[i][1])) {
            for (size_t k = 0; k < b->size; k++) cost += on_bond_cost(c, p, i, b->atoms[k]);
            continue;
        }
        for (size_t k = 0; k < s->bonds; k++)
            if (!lm_bit(b->inside, s->bond[k][0]) && !lm_bit(b->inside, s->bond[k][1])) cost += bonds_cost(c, p, i, k);
        for (size_t a = 0; a < s->atoms; a++)
            if (!lm_bit(b->inside, a)) cost += on_bond_cost(c, p, i, a);
    }
    for (size_t k = 0; k < b->size; k++)
        for (size_t a = 0; a < s->atoms; a++)
            if (!lm_bit(b->inside, a))
                cost += atoms_cost(c, p, b->atoms[k] > a ? b->atoms[k] : a, b->atoms[k] > a ? a : b->atoms[k]);
    return cost;
}

/* ---- Moves ----------------------------------------------------------------------------------- */

/* Returns the direction in which a branch leaves its atom. */
static double direction_of(const clashes *c, const branch *b, const lm_point *p)
{
    const lm_skeleton *s = c->s;
    lm_point sum = {0, 0};
    for (uint32_t i = s->start[b->atom]; i < s->start[b->atom + 1]; i++)
        if (b->block == LM_NO_BLOCK ? s->neighbor[i] == b->next : s->block[s->bond_to[i]] == b->block)
            sum = lm_point_add(sum, lm_point_subtract(p[s->neighbor[i]], p[b->atom]));
    return atan2(sum.y, sum.x);
}

static void rotate_branch(const branch *b, double angle, lm_point *p)
{
    for (size_t k = 0; k < b->size; k++)
        p[b->atoms[k]] = lm_point_add(p[b->atom], lm_rotate(lm_point_subtract(p[b->atoms[k]], p[b->atom]), angle));
}

/* Makes a move on the positions in `to`; returns the change of the cost. */
static double move_branch(const clashes *c, const branch *b, move_kind kind, double amount, lm_point *to)
{
    const double before = branch_cost(c, b, to), direction = direction_of(c, b, to);
    if (kind == ROTATE) rotate_branch(b, amount, to);
    for (size_t k = 0; k < b->size && kind != ROTATE; k++) {
        lm_point *at = to + b->atoms[k];
        *at = kind == PUSH ? lm_point_add(*at, lm_polar(direction, amount)) : lm_reflect(*at, to[b->atom], direction);
    }
    return branch_cost(c, b, to) - before;
}

static double make_move(const clashes *c, const move *m, const lm_point *from, lm_point *to)
{
    const branch *b = c->branch + m->branch;
    memcpy(to, from, c->s->atoms * sizeof *to);
    if (m->kind != EXCHANGE) return move_branch(c, b, m->kind, m->amount, to);
    const branch *other = c->branch + m->other;
    const double angle = direction_of(c, other, from) - direction_of(c, b, from);
    const double first = move_branch(c, b, ROTATE, angle, to);
    return first + move_branch(c, other, ROTATE, -angle, to);
}

/* Returns true if the move separates two atoms that are too close. */
static bool is_of_use(const clashes *c, const move *m)
{
    for (size_t i = 0; i < c->bads; i++)
        for (int k = 0; k < (m->kind == EXCHANGE ? 2 : 1); k++) {
            const branch *b = c->branch + (k ? m->other : m->branch);
            if (lm_bit(b->inside, c->bad[i][0]) != lm_bit(b->inside, c->bad[i][1])) return true;
        }
    return false;
}

/* Keeps the places in `made` if the change of their cost is the lowest so far, and no double bond is turned. */
static void keep(clashes *c, double change, double *lowest, const lm_point *made)
{
    if (change >= *lowest - 1e-9 || (c->right && !lm_double_bonds_right(c->s, made))) return;
    *lowest = change;
    memcpy(c->best, made, c->s->atoms * sizeof *c->best);
}

/* Makes the best of the moves from .. to-1, if it lowers the cost by more than `least`; returns true if it does. */
static bool improve(clashes *c, size_t from, size_t to, double least)
{
    double lowest = -least;
    for (size_t i = from; i < to; i++)
        if (is_of_use(c, c->move + i)) keep(c, make_move(c, c->move + i, c->place, c->first), &lowest, c->first);
    if (lowest < -least) memcpy(c->place, c->best, c->s->atoms * sizeof *c->place);
    return lowest < -least;
}

/* Makes the best pair of invisible moves, one after the other, if it lowers the cost. */
static bool improve_by_two(clashes *c)
{
    double lowest = 0;
    for (size_t i = 0; i < c->shown; i++) {
        if (!is_of_use(c, c->move + i)) continue;
        const double first = make_move(c, c->move + i, c->place, c->first);
        for (size_t k = 0; k < c->shown; k++)
            if (k != i && (k > i || !is_of_use(c, c->move + k)))
                keep(c, first + make_move(c, c->move + k, c->first, c->second), &lowest, c->second);
    }
    if (lowest < 0) memcpy(c->place, c->best, c->s->atoms * sizeof *c->place);
    return lowest < 0;
}

/* ---- Branches -------------------------------------------------------------------------------- */

/* Finds all atoms behind the first bond of a branch, or behind its block, which stays connected without one atom. */
static void fill_branch(const lm_skeleton *s, branch *b, uint32_t mark, uint32_t *seen, uint32_t *reached)
{
    seen[b->atom] = mark;
    b->size = lm_skeleton_reach(s, b->next, mark, seen, reached);
    for (size_t i = 0; i < b->size; i++) lm_bit_set(b->inside, reached[i]);
}

/* Finds the branches with at most half of the atoms. A bond between two equal halves has one branch. */
static leman_status find_branches(leman_context *ctx, clashes *c)
{
    const lm_skeleton *s = c->s;
    uint32_t *seen, *reached, mark = 0;
    PASS_SCRATCH(ctx, c->branch, 2 * s->bonds + 1);
    PASS_SCRATCH_ZERO(ctx, seen, s->atoms + 1);
    PASS_SCRATCH(ctx, reached, s->atoms + 1);
    for (uint32_t a = 0; a < s->atoms; a++)
        for (uint32_t i = s->start[a]; i < s->start[a + 1]; i++) {
            const uint32_t block = s->block[s->bond_to[i]];
            branch b = {.atom = a, .next = s->neighbor[i], .block = block}, back = {.atom = b.next, .next = a};
            bool known = false;
            for (size_t k = c->branches; k-- > 0 && c->branch[k].atom == a && block != LM_NO_BLOCK;)
                known |= c->branch[k].block == block;
            if (known) continue;
            fill_branch(s, &b, ++mark, seen, reached);
            if (block == LM_NO_BLOCK) {
                back.block = LM_NO_BLOCK;
                fill_branch(s, &back, ++mark, seen, reached);
                if (b.size > back.size || (b.size == back.size && a > b.next)) continue;
            } else { /* a ring that shares only this atom with others */
                size_t outside = 0;
                for (uint32_t k = s->start[a]; k < s->start[a + 1]; k++) outside += !lm_bit(b.inside, s->neighbor[k]);
                if (!outside || 2 * b.size > s->atoms) continue;
            }
            PASS_SCRATCH(ctx, b.atoms, b.size);
            for (size_t k = 0, used = 0; k < s->atoms; k++)
                if (lm_bit(b.inside, k)) b.atoms[used++] = (uint32_t)k;
            c->branch[c->branches++] = b;
        }
    return LEMAN_OK;
}

static leman_status find_moves(leman_context *ctx, clashes *c)
{
    static const double ANGLES[] = {LM_PI / 12, LM_PI / 6, LM_PI / 4, LM_PI / 3}, LENGTHS[] = {0.3, 0.6, 1};
    enum { SEEN_MOVES = 2 * sizeof ANGLES / sizeof *ANGLES + sizeof LENGTHS / sizeof *LENGTHS };
    PASS_SCRATCH(ctx, c->move, c->branches * (1 + 8 + SEEN_MOVES) + 1);
    for (size_t i = 0; i < c->branches; i++) {
        size_t others = 0;
        if (c->branch[i].size > 1) c->move[c->moves++] = (move){.kind = REFLECT, .branch = i};
        for (size_t k = i + 1; k < c->branches && c->branch[k].atom == c->branch[i].atom && others < 8; k++, others++)
            c->move[c->moves++] = (move){.kind = EXCHANGE, .branch = i, .other = k};
    }
    c->shown = c->moves;
    for (size_t i = 0; i < c->branches; i++) {
        for (size_t k = 0; k < 2 * sizeof ANGLES / sizeof *ANGLES; k++)
            c->move[c->moves++] = (move){.kind = ROTATE, .branch = i, .amount = k % 2 ? -ANGLES[k / 2] : ANGLES[k / 2]};
        for (size_t k = 0; k < sizeof LENGTHS / sizeof *LENGTHS && c->branch[i].block == LM_NO_BLOCK; k++)
            c->move[c->moves++] = (move){.kind = PUSH, .branch = i, .amount = LENGTHS[k]};
    }
    return LEMAN_OK;
}

static leman_status prepare_clashes(leman_context *ctx, clashes *c)
{
    const lm_skeleton *s = c->s;
    PASS_SCRATCH(ctx, c->counts, s->atoms * s->atoms + 1);
    PASS_SCRATCH(ctx, c->bad, MAX_BAD);
    PASS_SCRATCH(ctx, c->first, s->atoms + 1);
    PASS_SCRATCH(ctx, c->second, s->atoms + 1);
    PASS_SCRATCH(ctx, c->best, s->atoms + 1);
    memset(c->counts, 1, s->atoms * s->atoms);
    for (size_t i = 0; i < s->bonds; i++) {
        const uint32_t a = s->bond[i][0], b = s->bond[i][1];
        c->counts[a * s->atoms + b] = c->counts[b * s->atoms + a] = false;
    }
    for (size_t k = 0; k < s->blocks; k++)
        for (size_t a = 0; a < s->atoms; a++)
            for (size_t b = 0; b < a && s->in_block[k * s->atoms + a]; b++)
                if (s->in_block[k * s->atoms + b]) c->counts[a * s->atoms + b] = false;
    return LEMAN_OK;
}

leman_status lm_clashes_resolve(leman_context *ctx, const lm_skeleton *s, lm_point *place)
{
    SCRATCH_SCOPE(ctx);
    clashes c = {.s = s, .place = place, .right = lm_double_bonds_right(s, place)};
    PASS(prepare_clashes(ctx, &c));
    double cost = total_cost(&c);
    if (cost < FINE) return LEMAN_OK;
    PASS(find_branches(ctx, &c));
    PASS(find_moves(ctx, &c));
    for (int step = 0; step < MAX_STEPS && cost > FINE; step++, cost = total_cost(&c)) {
        if (improve(&c, 0, c.shown, 0)) continue;
        if (cost < SEEN) break;
        if (c.shown <= MAX_PAIRED && improve_by_two(&c)) continue;
        if (!improve(&c, c.shown, c.moves, SEEN / 2)) break;
    }
    return LEMAN_OK;
}
