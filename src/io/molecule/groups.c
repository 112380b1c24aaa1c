/*
 * Writes groups in one form: the rules of RDKit's Normalizer (rdMolStandardize), each a path of atoms whose charges and
 * bond orders change:
 *
 *   N(=O)=O -> [N+](=O)[O-]      S(=O) -> [S+][O-] (sulfoxides)      [S+2]([O-])[O-] -> S(=O)=O
 *   n=O -> [n+][O-]              N=N#N -> N=[N+]=[N-]                [P+]([O-])[O-] -> P(=O)[O-]
 *   N[C+]N -> NC=[N+]            charges 1,3 and 1,5 apart are recombined, and conjugated cations shifted to atoms with
 *                                hydrogens; [F-]=O -> F[O-], [N-]=[C+] -> N#C
 *
 * The rule for hydrazine-diazonium, of six atoms, is left out. A rule is applied until it changes nothing; then the rules
 * begin again. Of several places the one of the smallest ranks comes first, where RDKit takes the first product in
 * the order of canonical SMILES. O(rules * atoms * paths of up to five atoms) for each change.
 */
#include "io/molecule/ranks.h"
#include "io/molecule/standardize.h"
#include <string.h>

enum { LONGEST = 5, MOST_CHANGES = 200, ANY = 100, SAME = 100, BETWEEN = 0 /* single or aromatic; unchanged */ };
enum { NITROGEN = 7, OXYGEN = 8, SULFUR = 16 };

/* Conditions on an atom of a path. */
enum {
    AROMATIC = 1,
    EITHER = 2, /* aromatic or not; atoms are not aromatic by default */
    HAS_H = 4,
    NO_H = 8,
    X3 = 16, /* three neighbours, with hydrogens */
    X4 = 32,
    D4 = 64,         /* four neighbours that are atoms */
    V3 = 128,        /* bond orders and hydrogens add up to 3 */
    NOT_O = 256,     /* no oxygen outside rings that are aromatic */
    NO_ANION = 512,  /* if nitrogen: no neighbour [N-], [O-], [P-], [S-] */
    NO_N = 1024,     /* if oxygen: no neighbour N */
    NO_OXIDE = 2048, /* if sulfur: no neighbour [O-] */
    SULFOXIDE = 4096 /* three neighbours, the other two of which are no O, by single or aromatic bonds */
};

/* Lists of elements end with 0; an empty one: any element. */
#define CHALCOGENS 8, 16, 34, 52
#define PNICTOGENS 7, 15, 33, 51
#define HALOGENS 9, 17, 35, 53, 85

typedef struct rule_atom {
    uint8_t element[9];
    int charge, becomes;
    unsigned conditions;
} rule_atom;

typedef struct rule {
    size_t atoms;
    uint8_t bond[LONGEST], new_bond[LONGEST];
    rule_atom atom[LONGEST];
} rule;

enum { S1 = LM_BOND_SINGLE, D2 = LM_BOND_DOUBLE, T3 = LM_BOND_TRIPLE, AR = LM_BOND_AROMATIC };

#define ANION                                                                                                          \
    {                                                                                                                  \
        {PNICTOGENS, CHALCOGENS}, -1, 0, 0                                                                             \
    }
#define CATION                                                                                                         \
    {                                                                                                                  \
        {PNICTOGENS, CHALCOGENS}, 1, 0, 0                                                                              \
    }
#define SMALL_ANION                                                                                                    \
    {                                                                                                                  \
        {7, 8, 15, 16}, -1, 0, 0                                                                                       \
    }
#define SMALL_CATION                                                                                                   \
    {                                                                                                                  \
        {7, 8, 15, 16}, 1, 0, 0                                                                                        \
    }
#define RING_ANION                                                                                                     \
    {                                                                                                                  \
        {7, 8, 15, 16}, -1, 0, AROMATIC                                                                                \
    }
#define RING_CATION                                                                                                    \
    {                                                                                                                  \
        {7, 8, 15, 16}, 1, 0, AROMATIC                                                                                 \
    }
#define DONOR                                                                                                          \
    {                                                                                                                  \
        {7, 8}, 0, 1, HAS_H | NO_N                                                                                     \
    }
#define RING_DONOR                                                                                                     \
    {                                                                                                                  \
        {7}, 0, 1, AROMATIC | HAS_H                                                                                    \
    }
#define ACCEPTOR                                                                                                       \
    {                                                                                                                  \
        {7, 8}, 1, 0, NO_H | NO_ANION                                                                                  \
    }
#define LINK                                                                                                           \
    {                                                                                                                  \
        {0}, ANY, SAME, 0                                                                                              \
    }
#define NEUTRAL_LINK                                                                                                   \
    {                                                                                                                  \
        {0}, 0, SAME, 0                                                                                                \
    }
#define RING_LINK                                                                                                      \
    {                                                                                                                  \
        {0}, ANY, SAME, AROMATIC                                                                                       \
    }
#define RING_CARBON                                                                                                    \
    {                                                                                                                  \
        {6}, ANY, SAME, AROMATIC                                                                                       \
    }

static const rule RULES[] = {
    {3, {D2, D2}, {S1, D2}, {{{CHALCOGENS}, ANY, -1, 0}, {{PNICTOGENS}, ANY, 1, X3}, {{CHALCOGENS}, ANY, SAME, 0}}},
    {3, {BETWEEN, BETWEEN}, {D2, D2}, {{{8}, -1, 0, 0}, {{16}, 2, 0, 0}, {{8}, -1, 0, 0}}},
    {2, {D2}, {S1}, {{{7}, 0, 1, AROMATIC | NO_H}, {{8}, 0, -1, NO_H}}},
    {4,
     {BETWEEN, D2, T3},
     {BETWEEN, D2, D2},
     {{{0}, ANY, SAME, EITHER}, {{7}, ANY, SAME, 0}, {{7}, ANY, 1, 0}, {{7}, ANY, -1, 0}}},
    {3, {D2, T3}, {D2, D2}, {{{0}, ANY, SAME, EITHER}, {{7}, ANY, 1, 0}, {{7}, ANY, -1, 0}}},
    {2, {D2}, {S1}, {{{16}, 0, 1, X3 | SULFOXIDE}, {{8}, ANY, -1, 0}}},
    {3, {BETWEEN, BETWEEN}, {D2, BETWEEN}, {{{CHALCOGENS}, -1, 0, 0}, {{15}, 1, 0, D4}, {{CHALCOGENS}, -1, SAME, 0}}},
    {3,
     {BETWEEN, BETWEEN},
     {BETWEEN, D2},
     {{{7}, ANY, SAME, X3}, {{6, 16}, 1, 0, X3 | NO_OXIDE}, {{7}, ANY, 1, X3 | HAS_H}}},
    {3, {BETWEEN, BETWEEN}, {BETWEEN, D2}, {{{7}, ANY, SAME, X3}, {{15}, 1, 0, X4}, {{7}, ANY, 1, X3 | HAS_H}}},
    {3, {S1, D2}, {D2, S1}, {ANION, NEUTRAL_LINK, CATION}},
    {3, {AR, D2}, {AR, S1}, {RING_ANION, RING_LINK, SMALL_CATION}},
    {3, {S1, AR}, {D2, AR}, {SMALL_ANION, {{0}, 0, SAME, AROMATIC}, RING_CATION}},
    {5, {S1, D2, S1, D2}, {D2, S1, D2, S1}, {ANION, NEUTRAL_LINK, LINK, LINK, CATION}},
    {5, {AR, AR, AR, D2}, {AR, AR, AR, S1}, {RING_ANION, RING_LINK, RING_LINK, RING_CARBON, SMALL_CATION}},
    {5, {S1, AR, AR, AR}, {D2, AR, AR, AR}, {SMALL_ANION, RING_CARBON, RING_LINK, RING_LINK, RING_CATION}},
    {3, {S1, D2}, {D2, S1}, {DONOR, LINK, ACCEPTOR}},
    {3, {AR, D2}, {AR, S1}, {RING_DONOR, RING_CARBON, ACCEPTOR}},
    {5, {S1, D2, S1, D2}, {D2, S1, D2, S1}, {DONOR, LINK, LINK, LINK, ACCEPTOR}},
    {5, {AR, AR, AR, D2}, {AR, AR, AR, S1}, {RING_DONOR, RING_LINK, RING_LINK, RING_CARBON, ACCEPTOR}},
    {2, {D2}, {S1}, {{{HALOGENS}, -1, 0, 0}, {{8}, ANY, -1, 0}}},
    {2, {D2}, {T3}, {{{PNICTOGENS}, -1, 0, 0}, {{6}, 1, 0, V3}}},
};

typedef struct matcher {
    lm_mol *m;
    const lm_mol_search *s;
    const uint64_t *rank;
    uint32_t path[LONGEST], bond[LONGEST];
    uint32_t best[LONGEST], best_bond[LONGEST];
    bool found;
} matcher;

static uint32_t other_end(const lm_mol_bond *bond, uint32_t atom)
{
    return bond->from == atom ? bond->to : bond->from;
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static bool is_plain_oxygen(const lm_atom *atom)
{
    return atom->element == OXYGEN && !atom->aromatic;
}

/* Returns true if a neighbour forbids the atom in its place. */
static bool neighbors_forbid(const matcher *t, uint32_t a, unsigned conditions)
{
    static const uint8_t ANIONS[] = {7, 8, 15, 16};
    const lm_atom *atom = t->m->atom + a;
    size_t others = 0;
    for (size_t j = t->s->start[a]; j < t->s->start[a + 1]; j++) {
        const lm_mol_bond *bond = t->m->bond + t->s->bond[j];
        const lm_atom *b = t->m->atom + other_end(bond, a);
        const bool between = bond->type == S1 || bond->type == AR;
        others += between && !is_plain_oxygen(b);
        if (conditions & NO_ANION && atom->element == NITROGEN && b->charge == -1 && !b->aromatic &&
            memchr(ANIONS, b->element, sizeof ANIONS))
            return true;
        if (conditions & NO_N && atom->element == OXYGEN && between && b->element == NITROGEN && !b->aromatic)
            return true;
        if (conditions & NO_OXIDE && atom->element == SULFUR && bond->type == S1 && is_plain_oxygen(b) &&
            b->charge == -1)
            return true;
    }
    return conditions & SULFOXIDE && others != 2;
}

static bool fits(const matcher *t, uint32_t a, const rule_atom *want)
{
    const lm_atom *atom = t->m->atom + a;
    const size_t degree = t->s->start[a + 1] - t->s->start[a];
    const unsigned c = want->conditions;
    if (*want->element &&
        !memchr(want->element, atom->element, strnlen((const char *)want->element, sizeof want->element)))
        return false;
    if (want->charge != ANY && atom->charge != want->charge) return false;
    if (!(c & EITHER) && atom->aromatic != ((c & AROMATIC) != 0)) return false;
    if ((c & HAS_H && !atom->hydrogens) || (c & NO_H && atom->hydrogens)) return false;
    if ((c & X3 && degree + atom->hydrogens != 3) || (c & X4 && degree + atom->hydrogens != 4) ||
        (c & D4 && degree != 4))
        return false;
    if (c & V3 && atom->valence2 / 2 + atom->hydrogens != 3) return false;
    return !(c & (NO_ANION | NO_N | NO_OXIDE | SULFOXIDE)) || !neighbors_forbid(t, a, c);
}

static bool bond_fits(const lm_mol_bond *bond, uint8_t want)
{
    return want == BETWEEN ? bond->type == S1 || bond->type == AR : bond->type == want;
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Returns true if the path has smaller ranks than the best one; equal ranks: smaller numbers. */
static bool is_better(const matcher *t, size_t atoms)
{
    for (size_t i = 0; i < atoms; i++)
        if (t->rank[t->path[i]] != t->rank[t->best[i]]) return t->rank[t->path[i]] < t->rank[t->best[i]];
    return memcmp(t->path, t->best, atoms * sizeof *t->path) < 0;
}

/* Extends the path, whose first `length` atoms fit, in all ways. The depth is at most LONGEST. */
static void extend(matcher *t, const rule *r, size_t length)
{
    const uint32_t a = t->path[length - 1];
    if (length == r->atoms || length == LONGEST) { /* no rule is longer */
        if (t->found && !is_better(t, length)) return;
        memcpy(t->best, t->path, sizeof t->best);
        memcpy(t->best_bond, t->bond, sizeof t->best_bond);
        t->found = true;
        return;
    }
    for (size_t j = t->s->start[a]; j < t->s->start[a + 1]; j++) {
        const uint32_t i = t->s->bond[j], b = other_end(t->m->bond + i, a);
        bool known = false;
        for (size_t k = 0; k < length; k++) known |= t->path[k] == b;
        if (known || !bond_fits(t->m->bond + i, r->bond[length - 1]) || !fits(t, b, r->atom + length)) continue;
        t->path[length] = b;
        t->bond[length - 1] = i;
        extend(t, r, length + 1);
    }
}

static void find(matcher *t, const rule *r)
{
    t->found = false;
    for (uint32_t a = 0; a < t->m->atoms; a++) {
        if (!fits(t, a, r->atom)) continue;
        t->path[0] = a;
        extend(t, r, 1);
    }
}

/* ---- Changes --------------------------------------------------------------------------------- */

static void apply(matcher *t, const rule *r)
{
    for (size_t i = 0; i < r->atoms; i++) {
        lm_atom *atom = t->m->atom + t->best[i];
        if (r->atom[i].becomes != SAME) atom->charge = (int8_t)r->atom[i].becomes;
        atom->fixed = true; /* its hydrogens stay */
        if (i + 1 < r->atoms && r->new_bond[i] != BETWEEN) t->m->bond[t->best_bond[i]].type = r->new_bond[i];
    }
    lm_mol_valences(t->m);
}

/* Applies the rule if it changes something and the aromatic bonds still have a Kekulé structure. */
static leman_status try_rule(leman_context *ctx, matcher *t, const rule *r, bool *done)
{
    lm_atom atom[LONGEST];
    uint8_t type[LONGEST], *order;
    size_t missing = 0, bad;
    *done = false;
    find(t, r);
    if (!t->found) return LEMAN_OK;
    for (size_t i = 0; i < r->atoms; i++) atom[i] = t->m->atom[t->best[i]];
    for (size_t i = 0; i + 1 < r->atoms; i++) type[i] = t->m->bond[t->best_bond[i]].type;
    apply(t, r);
    if (t->m->aromatic) {
        PASS_SCRATCH(ctx, order, t->m->bonds + 1);
        PASS(lm_mol_kekule(ctx, t->m, order, &missing, &bad));
    }
    *done = !missing;
    if (*done) return LEMAN_OK;
    for (size_t i = 0; i < r->atoms; i++) t->m->atom[t->best[i]] = atom[i];
    for (size_t i = 0; i + 1 < r->atoms; i++) t->m->bond[t->best_bond[i]].type = type[i];
    lm_mol_valences(t->m);
    return LEMAN_OK;
}

/* Finds the aromatic rings anew, and the ranks. */
static leman_status renew(leman_context *ctx, lm_mol *m, leman_aromatic model, uint64_t *rank)
{
    lm_mol_search covalent;
    lm_mol_counts ignored = {0};
    size_t unmatched = SIZE_MAX;
    if (model == LEMAN_AROMATIC_RDKIT || model == LEMAN_AROMATIC_MDL) {
        PASS(lm_mol_rings(ctx, m, true, &covalent));
        PASS(lm_mol_find_aromatic(ctx, m, &covalent, model, &ignored, &unmatched));
    }
    m->aromatic = false;
    for (size_t i = 0; i < m->bonds; i++) m->aromatic |= m->bond[i].type == LM_BOND_AROMATIC;
    return lm_mol_ranks(ctx, m, rank);
}

/* Returns true if a rule may apply: a charge, or an atom with more than its usual bonds. */
static bool is_candidate(const lm_mol *m)
{
    for (size_t a = 0; a < m->atoms; a++) {
        const lm_atom *atom = m->atom + a;
        const int8_t usual = lm_valences(atom->element, 0)[0];
        if (atom->charge || (usual > 0 && atom->valence2 > 2u * (unsigned)usual)) return true;
    }
    return false;
}

leman_status lm_mol_normalize_groups(leman_context *ctx, lm_mol *m, leman_aromatic model, size_t *changed)
{
    SCRATCH_SCOPE(ctx);
    enum { RULE_COUNT = sizeof RULES / sizeof *RULES };
    lm_mol_search s;
    uint64_t *rank;
    matcher t = {.m = m, .s = &s};
    *changed = 0;
    if (!is_candidate(m)) return LEMAN_OK;
    PASS(lm_mol_rings(ctx, m, false, &s));
    PASS_SCRATCH(ctx, rank, m->atoms);
    t.rank = rank;
    PASS(renew(ctx, m, LEMAN_AROMATIC_AS_WRITTEN, rank));
    for (size_t r = 0; r < RULE_COUNT && *changed < MOST_CHANGES;) {
        bool done, any = false;
        do {
            PASS(try_rule(ctx, &t, RULES + r, &done));
            *changed += done;
            any |= done;
            if (done) PASS(renew(ctx, m, model, rank));
        } while (done && *changed < MOST_CHANGES);
        r = any ? 0 : r + 1;
    }
    return LEMAN_OK;
}
