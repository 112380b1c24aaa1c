/*
 * Molecule-like graphs whose class cannot be determined by colour refinement (1-WL, with vertex and edge labels).
 *
 * The core has ten atoms, two sides of five: atom p of side s is number 5 s + p. Both kinds have the bonds
 *
 *     0-1  1-2  3-4  4-0      5-6  6-7  8-9  9-5      0-5
 *
 * and then      linked (class 0)   2-3  7-8     two rings of five, joined by 0-5          (bicyclopentyl)
 *               fused  (class 1)   2-8  3-7     two rings of six that share the bond 0-5  (decalin)
 *
 * Let sigma exchange the two sides, p <-> 5+p. Everything else is added symmetrically: elements and bond orders of the
 * core are equal on both sides; a branch at p has a copy at 5+p; a cap is a bridge of equal arms from 0 and 5 to one
 * atom r, which may carry a tail of any shape, and r and the tail are fixed by sigma.
 *
 * The two kinds are equivalent under colour refinement. sigma is a symmetry of the linked molecule, so the colouring c
 * by its orbits is equitable: vertices of one colour have, for each bond order and colour, equally many such
 * neighbours. The fused twin exchanges 2-3, 7-8 for 2-8, 3-7, all four of one order, where c(2) = c(7) and c(3) = c(8):
 * atom 2 loses a neighbour of colour c(3) and gets one of colour c(8) = c(3), and likewise 3, 7, 8. So c is equitable
 * in the twin with the same numbers of neighbours. By induction over rounds, colour refinement gives vertices of one
 * c-colour the same colour in both molecules, and so both have the same histogram in every round.
 *
 * The two kinds are not isomorphic. Branches and tails are attached to a single atom and have the same cycles in both.
 * The other cycles of a linked molecule have 5 and 5 atoms, and a + 2 if there is a cap of a >= 3 atoms; those of a
 * fused molecule have 6, 6, 10 atoms, and with the cap a + 2, a + 6, a + 6. So the linked twin has two more cycles of
 * five atoms. Local 2-WL detects this: from the pair (v, v) its rounds walk with one end while the other stays, so
 * after five rounds the colour of (v, v) determines the number of closed walks of length five from v; in sum these
 * differ by 2 * 10.
 *
 * The class is a fair coin from its own stream, and everything else is drawn before, independently of it: given all
 * that colour refinement can see, both classes are equally likely. The target is the score of branches.c: atoms + bonds
 * + rings of three, five, six atoms; see docs/generators.md. Time and memory O(atoms).
 */
#include "graph/molecules.h"
#include "graph/families.h"

enum { SIDE = 5, CORE = 2 * SIDE, CLASS_STREAM = 1001 };

/* Sizes range from n - 2n/5 to n + 2n/5. Returns 2n/5. */
static size_t spread(size_t vertices)
{
    return vertices / 5 * 2;
}

leman_status lm_molecules_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    (void)ctx;
    plan->vertices = lm_saturating_add(o->vertices, spread(o->vertices));
    plan->edges = lm_saturating_multiply(2, plan->vertices);
    return LEMAN_OK;
}

/* ---- Core ------------------------------------------------------------------------------------ */

/* The core, equal on both sides: elements of atoms 0 .. 4, orders of the bonds 0-1, 1-2, 2-3 (or 2-8), 3-4, 4-0 and,
 * last, of 0-5. */
typedef struct core {
    int element[SIDE], order[SIDE], middle;
    size_t arm; /* atoms in each arm of the cap; 0: no cap */
    int arm_element;
} core;

enum { HETEROATOM_ONCE_IN = 5, DOUBLE_BOND_ONCE_IN = 7, ARM_LONG_ONCE_IN = 3, ARM_OXYGEN_ONCE_IN = 3 };

/* Draws the cap, which needs three atoms or, with long arms, five. */
static void draw_cap(lm_random *random, size_t atoms_left, core *c)
{
    bool wanted = lm_random_once_in(random, 2), is_long = lm_random_once_in(random, ARM_LONG_ONCE_IN);
    bool oxygen = lm_random_once_in(random, ARM_OXYGEN_ONCE_IN);
    c->arm = !wanted || atoms_left < 3 ? 0 : is_long && atoms_left >= 5 ? 2 : 1;
    c->arm_element = oxygen && c->arm == 1 ? LM_OXYGEN : LM_CARBON;
}

static bool can_be_double(int element)
{
    return element == LM_CARBON || element == LM_NITROGEN;
}

/* Draws the core. Atom 0 stays carbon, because it has three bonds or more. No two heteroatoms are neighbours along
 * 1-2-3-4, and no atom has two double bonds. */
static void draw_core(lm_random *random, size_t atoms_left, core *c)
{
    static const int HETEROATOMS[] = {LM_NITROGEN, LM_NITROGEN, LM_OXYGEN, LM_OXYGEN, LM_SULFUR};
    draw_cap(random, atoms_left, c);
    c->middle = !c->arm && lm_random_once_in(random, DOUBLE_BOND_ONCE_IN) ? 2 : 1;
    for (int p = 0; p < SIDE; p++) {
        bool alone = p && c->element[p - 1] == LM_CARBON;
        bool other = lm_random_once_in(random, HETEROATOM_ONCE_IN);
        c->element[p] = alone && other ? HETEROATOMS[lm_random_below(random, 5)] : LM_CARBON;
        c->order[p] = 1;
    }
    for (int p = 1; p + 1 < SIDE; p++) {
        bool possible = can_be_double(c->element[p]) && can_be_double(c->element[p + 1]) && c->order[p - 1] == 1;
        if (possible && lm_random_once_in(random, DOUBLE_BOND_ONCE_IN)) c->order[p] = 2;
    }
}

static void build_core(const core *c, bool fused, lm_molecule *m)
{
    static const uint32_t RINGS[2][2][SIDE + 1] = {{{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}},
                                                   {{0, 1, 2, 8, 9, 5}, {5, 6, 7, 3, 4, 0}}};
    for (int i = 0; i < CORE; i++) lm_molecule_atom(m, c->element[i % SIDE]);
    lm_molecule_bond(m, 0, SIDE, c->middle);
    for (uint32_t side = 0; side < CORE; side += SIDE)
        for (uint32_t p = 0; p < SIDE; p++) {
            uint32_t to = side + (p + 1) % SIDE;
            if (p == 2 && fused) to = (to + SIDE) % CORE; /* the only difference */
            lm_molecule_bond(m, side + p, to, c->order[p]);
        }
    for (int i = 0; i < 2; i++) lm_molecule_ring(m, RINGS[fused][i], fused ? SIDE + 1 : SIDE);
}

/* Adds two equal arms from atoms 0 and 5 to one new carbon, which is returned. */
static uint32_t build_cap(const core *c, lm_molecule *m)
{
    uint32_t ends[2] = {0, SIDE}, first = (uint32_t)m->atoms;
    for (size_t i = 0; i < c->arm; i++)
        for (int side = 0; side < 2; side++) {
            uint32_t atom = lm_molecule_atom(m, c->arm_element);
            lm_molecule_bond(m, ends[side], atom, 1);
            ends[side] = atom;
        }
    uint32_t top = lm_molecule_atom(m, LM_CARBON);
    lm_molecule_bond(m, ends[0], top, 1);
    lm_molecule_bond(m, ends[1], top, 1);
    if (c->arm == 1) lm_molecule_ring(m, (uint32_t[]){0, SIDE, first, first + 1, top}, 5);
    return top;
}

/* ---- The whole molecule ---------------------------------------------------------------------- */

/* Adds branches of `each` atoms in all to atoms 0 .. 4, and their copies to 5 .. 9. There always is an atom with free
 * valence; the last branch takes all remaining atoms. */
static void decorate(lm_random *random, size_t each, lm_molecule *m, lm_molecule *branch)
{
    while (each) {
        uint32_t open[SIDE] = {0}, count = 0;
        int spare = 0;
        for (uint32_t p = 0; p < SIDE; p++)
            if (m->spare[p]) {
                open[count++] = p;
                spare += m->spare[p];
            }
        uint32_t host = open[lm_random_below(random, count)];
        size_t size = spare <= 2 ? each : 1 + lm_random_below(random, each);
        lm_branch_draw(random, m, host, size, branch);
        lm_branch_attach(m, host, branch);
        lm_branch_attach(m, host + SIDE, branch);
        each -= size;
    }
}

/* Draws a molecule of `size` atoms, or one less. No random choice depends on `fused`. */
static void draw_molecule(lm_random *random, size_t size, bool fused, lm_molecule *m, lm_molecule *branch)
{
    core c;
    uint32_t top = 0;
    draw_core(random, size - CORE, &c);
    build_core(&c, fused, m);
    if (c.arm) top = build_cap(&c, m);
    size_t pairs = (size - m->atoms) / 2;
    decorate(random, c.arm ? lm_random_below(random, pairs + 1) : pairs, m, branch);
    if (!c.arm || m->atoms == size) return;
    lm_branch_draw(random, m, top, size - m->atoms, branch);
    lm_branch_attach(m, top, branch);
}

static leman_status write_molecule(leman_builder *builder, const lm_molecule *m, int64_t class_label)
{
    double target = (double)m->score / 1000;
    PASS(leman_builder_graph(builder, NULL, &class_label, &target));
    for (size_t i = 0; i < m->atoms; i++) {
        int64_t label = m->element[i];
        PASS(leman_builder_vertex(builder, NULL, &label, NULL));
    }
    for (size_t i = 0; i < m->bonds; i++) {
        int64_t label = m->bond[i].order;
        PASS(leman_builder_edge(builder, m->bond[i].tail, m->bond[i].head, &label, NULL));
    }
    return LEMAN_OK;
}

leman_status lm_molecules_draw(lm_family_builder *builder)
{
    lm_molecule molecule, branch;
    size_t n = builder->options->vertices, max = n + spread(n), min = n - spread(n);
    lm_random coin = lm_random_stream(builder->options->seed, CLASS_STREAM, builder->graph);
    bool fused = lm_random_once_in(&coin, 2) != builder->twin;
    if (min < CORE) min = CORE;
    PASS(lm_molecule_new(builder->ctx, &molecule, max));
    PASS(lm_molecule_new(builder->ctx, &branch, max));
    size_t size = min + lm_random_below(&builder->random, max - min + 1);
    draw_molecule(&builder->random, size, fused, &molecule, &branch);
    return write_molecule(builder->builder, &molecule, fused);
}
