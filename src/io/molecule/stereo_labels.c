/*
 * Labels of tetrahedral atoms (R, S) and of double bonds (Z, E), by the priorities of their neighbours (priorities.c).
 *
 * Passes: every atom and double bond whose neighbours all have different ranks gets its label; labels then split ranks,
 * so that the next pass labels what differs by the labels of its neighbours alone. What then has no label has neighbours
 * of equal rank.
 *
 * Rings: two neighbours of equal rank in a ring may still matter, as in cis- and trans-1,4-dimethylcyclohexane. One of
 * them is given the higher rank, which splits other ranks too, and passes go on. Among the choices of that neighbour
 * the one is taken with the least hash of the ranks that follow, then with the fewest labels S and E, then with the least
 * hash of the labelled molecule: so the choice does not depend on the order of atoms. Labels that
 * say nothing are removed: those whose reversal gives the same labelled molecule.
 *
 * O(rounds (atoms log atoms + bonds)) for the passes; with rings as often as there are choices, at most MOST_WORK atoms
 * in all rounds together.
 */
#include "base/hash.h"
#include "io/molecule/stereo.h"
#include <string.h>

static const uint64_t MOST_WORK = UINT64_C(1) << 22;
enum { SMALL_RING = 7, NITROGEN = 7, PHOSPHORUS = 15, SULFUR = 16, ARSENIC = 33, SELENIUM = 34 };

typedef struct labeler {
    lm_mol *m;
    const lm_mol_search *s;
    lm_priorities p;
    lm_stereo *of;  /* [count] */
    uint32_t *bond; /* [count] the double bond; of an atom UINT32_MAX */
    size_t count;
    uint8_t *of_bond;        /* [bonds] labels */
    int64_t *key;            /* [atoms] labels as keys, R above S */
    uint32_t *queue, *depth; /* [atoms] */
} labeler;

/* Ranks and labels at some point of the search. */
typedef struct state {
    uint32_t *rank;        /* [atoms] */
    uint8_t *label;        /* [count] */
    uint64_t choice;       /* hash of the ranks by the choice, before labels follow from it */
    uint64_t turned, hash; /* number of labels S and E, and the hash of the labelled molecule */
} state;

/* ---- Which atoms and bonds can have a label -------------------------------------------------- */

/* Returns true if a bond is in a ring of at most SMALL_RING atoms, where double bonds are Z. */
static bool is_in_small_ring(labeler *l, uint32_t i)
{
    const lm_mol *m = l->m;
    size_t head = 0, tail = 0;
    if (!l->s->in_ring[i]) return false;
    memset(l->depth, 0, m->atoms * sizeof *l->depth);
    l->p.work += m->atoms;
    l->queue[tail++] = m->bond[i].from;
    l->depth[m->bond[i].from] = 1;
    while (head < tail) {
        const uint32_t a = l->queue[head++];
        if (a == m->bond[i].to) return true;
        for (size_t j = l->s->start[a]; j < l->s->start[a + 1] && l->depth[a] < SMALL_RING; j++) {
            const uint32_t b = lm_other_end(m->bond + l->s->bond[j], a);
            if (l->s->bond[j] == i || l->depth[b]) continue;
            l->depth[b] = l->depth[a] + 1;
            l->queue[tail++] = b;
        }
    }
    return false;
}

/* Returns the number of ring bonds of an atom. */
static size_t ring_bonds(const labeler *l, uint32_t a)
{
    size_t count = 0;
    for (size_t j = l->s->start[a]; j < l->s->start[a + 1]; j++) count += l->s->in_ring[l->s->bond[j]];
    return count;
}

/* Returns true if the lone pair of a nitrogen cannot change its side: in a ring of three, or where three bridges meet. */
static bool is_rigid_nitrogen(const labeler *l, uint32_t a)
{
    const lm_mol_search *s = l->s;
    bool bridge = ring_bonds(l, a) == 3;
    for (size_t j = s->start[a]; j < s->start[a + 1]; j++) {
        const uint32_t b = lm_other_end(l->m->bond + s->bond[j], a);
        bridge &= ring_bonds(l, b) < 3;
        for (size_t k = s->start[b]; k < s->start[b + 1]; k++) {
            const uint32_t c = lm_other_end(l->m->bond + s->bond[k], b);
            for (size_t n = s->start[c]; n < s->start[c + 1] && c != a; n++)
                if (lm_other_end(l->m->bond + s->bond[n], c) == a) return true;
        }
    }
    return bridge;
}

static bool is_possible_atom(const labeler *l, const lm_stereo *e)
{
    const uint32_t a = *e->at;
    const lm_atom *atom = l->m->atom + a;
    const size_t degree = l->s->start[a + 1] - l->s->start[a];
    int hidden = 0;
    for (int i = 0; i < LM_STEREO_NEIGHBORS; i++) hidden += e->neighbor[i] == LM_NO_ATOM;
    if (hidden > 1 || degree < 3 || degree + atom->hydrogens > LM_STEREO_NEIGHBORS) return false;
    if (degree + atom->hydrogens == LM_STEREO_NEIGHBORS) return true;
    switch (atom->element) {
    case NITROGEN: return is_rigid_nitrogen(l, a);
    case PHOSPHORUS:
    case ARSENIC: return true;
    case SULFUR:
    case SELENIUM: return atom->valence2 == 8 || (atom->valence2 == 6 && atom->charge == 1);
    default: return false;
    }
}

/* Sets *bond to the bond of a double bond. Returns false if it is none any more, or in a small ring. */
static bool is_possible_bond(labeler *l, const lm_stereo *e, uint32_t *bond)
{
    for (size_t j = l->s->start[*e->at]; j < l->s->start[*e->at + 1]; j++) {
        *bond = l->s->bond[j];
        if (lm_other_end(l->m->bond + *bond, *e->at) == e->at[1])
            return l->m->bond[*bond].type == LM_BOND_DOUBLE && !is_in_small_ring(l, *bond);
    }
    return false;
}

static void keep_possible(labeler *l, lm_mol_counts *counts)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        const lm_stereo e = l->of[i];
        l->bond[kept] = UINT32_MAX;
        if (lm_is_double(&e) ? is_possible_bond(l, &e, l->bond + kept) : is_possible_atom(l, &e))
            l->of[kept++] = e;
        else
            counts->no_stereo += e.marked;
    }
    l->count = kept;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

static uint32_t rank_of(const labeler *l, const lm_stereo *e, int neighbor)
{
    return e->neighbor[neighbor] == LM_NO_ATOM ? 0 : l->p.rank[e->neighbor[neighbor]];
}

/* Returns true if the label depends on which of two neighbours is prior. */
static bool are_compared(const lm_stereo *e, int a, int b)
{
    return !lm_is_double(e) || a / 2 == b / 2;
}

/* Returns the label by the ranks of the neighbours; NONE if two of them are equal. */
static uint8_t label_of(const labeler *l, const lm_stereo *e)
{
    int turn = e->turn;
    for (int a = 0; a < LM_STEREO_NEIGHBORS; a++)
        for (int b = a + 1; b < LM_STEREO_NEIGHBORS; b++) {
            if (!are_compared(e, a, b)) continue;
            if (rank_of(l, e, a) == rank_of(l, e, b)) return LM_STEREO_NONE;
            if (rank_of(l, e, a) < rank_of(l, e, b)) turn = -turn;
        }
    return turn > 0 ? LM_STEREO_R : LM_STEREO_S;
}

/* Writes the labels to the keys of atoms and to the bonds. */
static void put_labels(labeler *l)
{
    memset(l->key, 0, l->m->atoms * sizeof *l->key);
    memset(l->of_bond, 0, l->m->bonds);
    for (size_t i = 0; i < l->count; i++) {
        const lm_stereo *e = l->of + i;
        if (!e->label) continue;
        if (lm_is_double(e))
            l->of_bond[l->bond[i]] = e->label;
        else
            l->key[*e->at] = LM_STEREO_S + 1 - e->label;
    }
}

static void run_passes(labeler *l)
{
    for (bool any = true; any && l->p.work <= l->p.most;) {
        any = false;
        for (size_t i = 0; i < l->count; i++) {
            lm_stereo *e = l->of + i;
            if (e->label || !e->turn) continue;
            e->label = label_of(l, e);
            any |= e->label != LM_STEREO_NONE;
        }
        put_labels(l);
        if (any) lm_priorities_split(&l->p, l->key);
    }
}

/* ---- Rings ----------------------------------------------------------------------------------- */

static leman_status new_state(leman_context *ctx, const labeler *l, state *out)
{
    PASS_SCRATCH(ctx, out->rank, l->m->atoms + 1);
    PASS_SCRATCH(ctx, out->label, l->count + 1);
    return LEMAN_OK;
}

/* Returns the numbers of the state of the search, without its arrays. Every atom and bond adds to the hash. */
static state measure(const labeler *l)
{
    const lm_mol *m = l->m;
    const uint32_t *rank = l->p.rank;
    state now = {0};
    for (size_t i = 0; i < l->count; i++) now.turned += l->of[i].label == LM_STEREO_S;
    for (size_t a = 0; a < m->atoms; a++) now.hash += lm_mix(lm_mix(rank[a]) + (uint64_t)l->key[a]);
    for (size_t i = 0; i < m->bonds; i++)
        now.hash += lm_mix(lm_mix(rank[m->bond[i].from]) + lm_mix(rank[m->bond[i].to]) +
                           (uint64_t)(16 * l->of_bond[i] + m->bond[i].type));
    return now;
}

static bool is_better(const state *a, const state *b)
{
    if (a->choice != b->choice) return a->choice < b->choice;
    return a->turned != b->turned ? a->turned < b->turned : a->hash < b->hash;
}

/* Stores the state of the search with its numbers. */
static void store(const labeler *l, const state *numbers, state *to)
{
    memcpy(to->rank, l->p.rank, l->m->atoms * sizeof *to->rank);
    for (size_t i = 0; i < l->count; i++) to->label[i] = l->of[i].label;
    to->choice = numbers->choice;
    to->turned = numbers->turned;
    to->hash = numbers->hash;
}

static void restore(labeler *l, const state *from)
{
    memcpy(l->p.rank, from->rank, l->m->atoms * sizeof *l->p.rank);
    for (size_t i = 0; i < l->count; i++) l->of[i].label = from->label[i];
    put_labels(l);
}

static bool is_ring_bond(const labeler *l, uint32_t a, uint32_t b)
{
    for (size_t j = l->s->start[a]; j < l->s->start[a + 1]; j++)
        if (lm_other_end(l->m->bond + l->s->bond[j], a) == b) return l->s->in_ring[l->s->bond[j]];
    return false;
}

/* Returns the neighbours whose ranks are equal to that of another, as bits; 0 if one of them is not in a ring. */
static unsigned equal_neighbors(const labeler *l, const lm_stereo *e)
{
    unsigned equal = 0;
    for (int a = 0; a < LM_STEREO_NEIGHBORS; a++)
        for (int b = 0; b < LM_STEREO_NEIGHBORS; b++) {
            if (a == b || !are_compared(e, a, b) || rank_of(l, e, a) != rank_of(l, e, b)) continue;
            const uint32_t end = e->at[lm_is_double(e) && a > 1];
            if (!is_ring_bond(l, end, e->neighbor[a])) return 0;
            equal |= 1u << a;
        }
    return equal;
}

/* Where in the molecule an atom or bond is, by ranks: equal places are equal by symmetry, as far as ranks tell. */
static uint64_t place_of(const labeler *l, const lm_stereo *e)
{
    const uint64_t a = l->p.rank[e->at[0]], b = l->p.rank[e->at[1]];
    return a < b ? a << 32 | b : b << 32 | a;
}

/* Sets *place to the least place of those without a label that rings may give one. */
static bool find_open(const labeler *l, uint64_t *place)
{
    bool found = false;
    for (size_t i = 0; i < l->count; i++) {
        const lm_stereo *e = l->of + i;
        if (e->label || !e->turn || !equal_neighbors(l, e)) continue;
        if (!found || place_of(l, e) < *place) *place = place_of(l, e);
        found = true;
    }
    return found;
}

/* Gives one of equal neighbours the higher rank, for each of the choices at `place`, and stores the best state in *best.
 * The state before is *from, which it is again afterwards. */
static void choose(labeler *l, uint64_t place, const state *from, state *best)
{
    bool found = false;
    for (size_t i = 0; i < l->count; i++)
        for (int k = 0; k < LM_STEREO_NEIGHBORS && l->p.work <= l->p.most; k++) {
            const lm_stereo *e = l->of + i;
            if (e->label || !e->turn || place_of(l, e) != place || !(equal_neighbors(l, e) & 1u << k)) continue;
            memset(l->key, 0, l->m->atoms * sizeof *l->key);
            l->key[e->neighbor[k]] = 1;
            lm_priorities_split(&l->p, l->key);
            const uint64_t choice = measure(l).hash;
            run_passes(l);
            state here = measure(l);
            here.choice = choice;
            if (!found || is_better(&here, best)) store(l, &here, best);
            found = true;
            restore(l, from);
        }
}

/* Splits the ranks of atoms whose labels depend on rings from others, and labels what this tells apart: a choice must
 * not depend on labels that are not known yet. */
static void split_open(labeler *l)
{
    memset(l->key, 0, l->m->atoms * sizeof *l->key);
    for (size_t i = 0; i < l->count; i++) {
        const lm_stereo *e = l->of + i;
        if (!e->label && e->turn && equal_neighbors(l, e)) l->key[e->at[0]] = l->key[e->at[1]] = 1;
    }
    lm_priorities_split(&l->p, l->key);
    run_passes(l);
}

/* Labels everything that rings give a label, from the state *base on. *now gets the result, *next is workspace. */
static void run_rings(labeler *l, const state *base, state *now, state *next)
{
    uint64_t place;
    restore(l, base);
    split_open(l);
    const state begin = measure(l);
    store(l, &begin, now);
    while (find_open(l, &place) && l->p.work <= l->p.most) {
        choose(l, place, now, next);
        restore(l, next);
        const state chosen = *next;
        *next = *now;
        *now = chosen;
    }
}

/* Returns the place in l->of of a label that says nothing, of several the one at the least place; `count` if there is
 * none. *base is the state before rings, *all the one with all labels; the others are workspace. */
static size_t find_idle(labeler *l, const state *base, const state *all, state *now, state *next)
{
    size_t idle = l->count;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < l->count && l->p.work <= l->p.most; i++) {
        lm_stereo *e = l->of + i;
        if (base->label[i] || !all->label[i]) continue;
        e->turn = (int8_t)-e->turn;
        run_rings(l, base, now, next);
        e->turn = (int8_t)-e->turn;
        restore(l, all);
        if (now->hash != all->hash || now->turned != all->turned || place_of(l, e) >= least) continue;
        least = place_of(l, e);
        idle = i;
    }
    return idle;
}

/* Labels what depends on rings. Everything stays as the passes left it if that is too much work. */
static leman_status label_rings(leman_context *ctx, labeler *l, lm_mol_counts *counts)
{
    state of[4];
    uint64_t place;
    if (!find_open(l, &place)) return LEMAN_OK;
    for (int i = 0; i < 4; i++) PASS(new_state(ctx, l, of + i));
    const state begin = measure(l);
    store(l, &begin, of);
    for (size_t idle = 0; idle < l->count;) {
        run_rings(l, of, of + 1, of + 2);
        state spare[2] = {of[2], of[3]};
        idle = find_idle(l, of, of + 1, spare, spare + 1);
        of[2] = spare[0];
        of[3] = spare[1];
        if (idle < l->count) l->of[idle].turn = 0;
    }
    if (l->p.work <= l->p.most) {
        restore(l, of + 1);
        return LEMAN_OK;
    }
    restore(l, of);
    counts->stereo_too_large++;
    return LEMAN_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

leman_status lm_stereo_label(leman_context *ctx, lm_mol *m, lm_mol_counts *counts)
{
    SCRATCH_SCOPE(ctx);
    lm_mol_search s;
    labeler l = {.m = m, .s = &s, .of = m->stereo_at, .count = m->stereo_count};
    if (!l.count) return LEMAN_OK;
    PASS(lm_mol_rings(ctx, m, false, &s));
    PASS_SCRATCH(ctx, l.bond, l.count + 1);
    PASS_SCRATCH_ZERO(ctx, l.of_bond, m->bonds + 1);
    PASS_SCRATCH_ZERO(ctx, l.key, m->atoms + 1);
    PASS_SCRATCH(ctx, l.queue, m->atoms + 1);
    PASS_SCRATCH(ctx, l.depth, m->atoms + 1);
    keep_possible(&l, counts);
    if (!l.count) return LEMAN_OK;
    PASS(lm_priorities_begin(ctx, m, &s, l.of_bond, MOST_WORK, &l.p));
    run_passes(&l);
    if (l.p.work > MOST_WORK) {
        counts->stereo_too_large++;
        return LEMAN_OK;
    }
    PASS(label_rings(ctx, &l, counts));
    for (size_t i = 0; i < l.count; i++) {
        const lm_stereo *e = l.of + i;
        if (lm_is_double(e))
            m->bond[l.bond[i]].stereo = e->label;
        else
            m->atom[*e->at].stereo = e->label;
        counts->stereo_labels[lm_is_double(e)] += e->label != LM_STEREO_NONE;
        counts->no_stereo += e->marked && !e->label;
    }
    return LEMAN_OK;
}
