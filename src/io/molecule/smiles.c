/*
 * Reads SMILES as defined by OpenSMILES (opensmiles.org/opensmiles.html) in one pass over the bytes, O(length).
 *
 *   smiles   atom, then atoms, ring bonds, branches
 *   atom     B C N O P S F Cl Br I b c n o p s *  or  [isotope symbol chirality hydrogens charge :class]
 *   bond     - = # $ : / \  and, as in RDKit, ~ any, -> <- dative; nothing: single, or aromatic between two
 *            aromatic atoms
 *   ring     a bond or none, then 7, %12 or %(123)
 *   branch   ( a bond, a dot or none, then a chain )
 *
 * A chain begins with an atom. A ring number between '(' and the first atom of a branch is therefore an error, with or
 * without a bond: it would belong to the atom before the branch, where ring numbers must precede the branches.
 *
 * Stereo marks are read and counted; / and \ are kept as sides of bonds, @ and @@ as marks of atoms (stereo.c). It is an
 * error if the two ends of a ring bond name different orders, or if a ring bond joins an atom with itself or two atoms
 * that are already joined.
 */
#include "base/hash.h"
#include "io/molecule/molecule.h"
#include <stdio.h>
#include <string.h>

enum {
    NONE = 0,
    MAX_RINGS = 100000,
    BACKWARDS = 64 /* a dative bond to the previous atom */,
    DIRECTED = 128 /* / or \, which do not state an order */
};
static const uint32_t NO_ATOM = UINT32_MAX;

typedef struct smiles_parser {
    lm_mol *molecule;
    const char *begin, *at, *end;
    lm_smiles_fault *fault;
    leman_context *ctx;
    leman_status st;   /* a failure other than an invalid text */
    uint32_t previous; /* the atom to which the next atom is joined */
    uint32_t branches; /* number of open branches */
    size_t open_rings;
    uint8_t bond; /* the bond symbol before the next atom, or NONE */
    int8_t side;  /* 1 if it is /, -1 if it is \ */
    bool dot, behind_branch;
    const char *late; /* the first ring number behind the branches of its atom; NULL: none */
    bool opened;      /* a branch was opened and has no atom yet */
} smiles_parser;

static bool expect(smiles_parser *p, const char *at, const char *what)
{
    p->fault->at = at;
    snprintf(p->fault->expected, sizeof p->fault->expected, "%s", what);
    return false;
}

/* ---- Atoms ----------------------------------------------------------------------------------- */

static inline void add_bond(lm_mol *m, uint32_t from, uint32_t to, unsigned type, int side, bool implied)
{
    lm_mol_bond *bond = m->bond + m->bonds++;
    bond->from = from;
    bond->to = to;
    bond->line = 0;
    bond->type = (uint8_t)type;
    bond->side = (int8_t)side;
    bond->implied = implied;
    bond->stereo = 0;
    m->atom[from].valence2 += lm_bond_valence2[0][type];
    m->atom[to].valence2 += lm_bond_valence2[1][type];
}

/* Adds the bond between two atoms; `written` is the bond symbol between them, `side` its direction. */
static inline void join_atoms(lm_mol *m, uint32_t from, uint32_t to, unsigned written, int side)
{
    written &= ~(unsigned)DIRECTED;
    if (written & BACKWARDS) {
        add_bond(m, to, from, LM_BOND_DATIVE, 0, false);
    } else if (written) {
        add_bond(m, from, to, written, 0, false);
    } else {
        const bool implied = m->atom[from].aromatic & m->atom[to].aromatic;
        add_bond(m, from, to, implied ? LM_BOND_AROMATIC : LM_BOND_SINGLE, side, implied);
        m->aromatic |= implied;
    }
}

static inline void add_atom(smiles_parser *p, const lm_atom *atom)
{
    lm_mol *m = p->molecule;
    const uint32_t number = (uint32_t)m->atoms++, previous = p->previous;
    m->atom[number] = *atom;
    m->parent[number] = previous;
    m->closed_by[number] = 0;
    m->ring_sum[number] = 0;
    if (previous != NO_ATOM) {
        m->parent_bond[number] = (uint32_t)m->bonds;
        join_atoms(m, previous, number, p->bond, p->side);
    }
    p->previous = number;
    p->bond = NONE;
    p->side = 0;
    p->dot = p->behind_branch = p->opened = false;
}

/* Atoms without brackets by their first character; read_organic() handles Cl and Br. */
static const lm_atom ORGANIC[128] = {['B'] = {.element = 5},
                                     ['C'] = {.element = 6},
                                     ['N'] = {.element = 7},
                                     ['O'] = {.element = 8},
                                     ['F'] = {.element = 9},
                                     ['P'] = {.element = 15},
                                     ['S'] = {.element = 16},
                                     ['I'] = {.element = 53},
                                     ['*'] = {.fixed = true},
                                     ['b'] = {.element = 5, .aromatic = true},
                                     ['c'] = {.element = 6, .aromatic = true},
                                     ['n'] = {.element = 7, .aromatic = true},
                                     ['o'] = {.element = 8, .aromatic = true},
                                     ['p'] = {.element = 15, .aromatic = true},
                                     ['s'] = {.element = 16, .aromatic = true}};

static inline bool read_organic(smiles_parser *p, char c)
{
    static const lm_atom CHLORINE = {.element = 17}, BROMINE = {.element = 35};
    const lm_atom *atom = ORGANIC + (unsigned char)c;
    if (c == 'C' && p->at < p->end && *p->at == 'l')
        atom = &CHLORINE, p->at++;
    else if (c == 'B' && p->at < p->end && *p->at == 'r')
        atom = &BROMINE, p->at++;
    add_atom(p, atom);
    return true;
}

/* Reads a number of at most `digits` digits at p->at; returns -1 if there is none. */
static int read_digits(smiles_parser *p, int digits)
{
    int value = -1;
    for (int i = 0; i < digits && p->at < p->end && *p->at >= '0' && *p->at <= '9'; i++, p->at++)
        value = 10 * (value < 0 ? 0 : value) + (*p->at - '0');
    return value;
}

static char peek(const smiles_parser *p)
{
    return p->at < p->end ? *p->at : 0;
}

/* Reads the symbol in a bracket: an element, * or #NUMBER. */
static bool read_symbol(smiles_parser *p, lm_atom *atom)
{
    static const char *const AROMATIC[] = {"se", "as", "te", "si", "b", "c", "n", "o", "p", "s"};
    static const uint8_t NUMBERS[] = {34, 33, 52, 14, 5, 6, 7, 8, 15, 16};
    const char *at = p->at, c = peek(p);
    const size_t left = (size_t)(p->end - at);
    if (c == '*') return p->at++, true;
    if (c == '#') {
        p->at++;
        const int number = read_digits(p, 3);
        atom->element = (uint8_t)number;
        return (number >= 0 && number <= 118) || expect(p, at + 1, "an atomic number up to 118");
    }
    for (size_t i = 0; c >= 'a' && c <= 'z' && i < sizeof NUMBERS; i++) {
        const size_t length = i < 4 ? 2 : 1;
        if (left < length || memcmp(at, AROMATIC[i], length)) continue;
        atom->element = NUMBERS[i];
        atom->aromatic = true;
        p->at += length;
        return true;
    }
    for (size_t length = left < 2 ? left : 2; length && c >= 'A' && c <= 'Z'; length--) {
        if (length == 2 && !(at[1] >= 'a' && at[1] <= 'z')) continue;
        const int number = lm_element_number(at, length);
        if (number <= 0 || (length == 1 && (c == 'D' || c == 'T'))) continue;
        atom->element = (uint8_t)number;
        p->at += length;
        return true;
    }
    return expect(p, at,
                  c == 'D' || c == 'T' ? "an element symbol; deuterium is [2H], tritium [3H]" : "an element symbol");
}

/* Reads @, @@, @TH1, @AL2, @SP3, @TB20 or @OH30, as a mark of the next atom. */
static bool read_chirality(smiles_parser *p)
{
    static const char *const CLASSES[] = {"TH", "AL", "SP", "TB", "OH"};
    static const int LAST[] = {2, 2, 3, 20, 30};
    lm_mol *m = p->molecule;
    uint32_t *mark = m->mark + m->marks;
    if (peek(p) != '@') return true;
    m->stereo++;
    m->marks++;
    p->at++;
    *mark = 4 * (uint32_t)m->atoms + LM_MARK_LEFT;
    if (peek(p) == '@') return p->at++, *mark += LM_MARK_RIGHT, true;
    for (size_t i = 0; i < 5 && p->end - p->at > 2; i++) {
        if (memcmp(p->at, CLASSES[i], 2) || p->at[2] < '0' || p->at[2] > '9') continue;
        const char *at = p->at += 2;
        const int number = read_digits(p, 2);
        *mark += i ? LM_MARK_OTHER : number == 2 ? LM_MARK_RIGHT : LM_MARK_LEFT;
        return number <= LAST[i] || expect(p, at, "the number of a chirality");
    }
    return true;
}

static bool read_charge(smiles_parser *p, lm_atom *atom)
{
    const char sign = peek(p), *at = p->at;
    if (sign != '+' && sign != '-') return true;
    p->at++;
    int size = read_digits(p, 3);
    if (size < 0) size = peek(p) == sign ? (p->at++, 2) : 1;
    if (size > LM_MAX_CHARGE) return expect(p, at, "a charge from -15 to 15");
    atom->charge = (int8_t)(sign == '+' ? size : -size);
    return true;
}

static bool read_bracket(smiles_parser *p)
{
    lm_atom atom = {.fixed = true};
    const char *at = p->at;
    const int isotope = read_digits(p, 4);
    if (isotope > LM_MAX_ISOTOPE) return expect(p, at, "an isotope up to 999");
    if (isotope > 0) atom.isotope = (uint16_t)isotope;
    if (!read_symbol(p, &atom) || !read_chirality(p)) return false;
    if (peek(p) == 'H') {
        at = ++p->at;
        const int count = read_digits(p, 3);
        if (count > LM_MAX_HYDROGENS) return expect(p, at, "a number of hydrogens up to 99");
        atom.hydrogens = count < 0 ? 1 : (uint8_t)count;
    }
    if (!read_charge(p, &atom)) return false;
    if (peek(p) == ':') {
        at = ++p->at;
        if (read_digits(p, 9) < 0) return expect(p, at, "the number of an atom class");
    }
    if (peek(p) != ']') return expect(p, p->at, "']', or what may stand before it in a bracket");
    p->at++;
    p->molecule->fixed = true;
    p->molecule->has_hydrogens |= atom.element == 1;
    add_atom(p, &atom);
    return true;
}

/* ---- Ring bonds ------------------------------------------------------------------------------ */

/* Reads a ring number (7, %12, %(123)), whose first character c was read before. */
static bool read_ring_number(smiles_parser *p, char c, size_t *number)
{
    const char *at = p->at - 1;
    if (c != '%') {
        *number = (size_t)(c - '0');
        return true;
    }
    const bool parentheses = peek(p) == '(';
    p->at += parentheses;
    const char *digits = p->at;
    const int value = read_digits(p, parentheses ? 5 : 2);
    const bool right = parentheses ? value >= 0 && peek(p) == ')' : p->at - digits == 2;
    p->at += parentheses;
    *number = (size_t)value;
    return right || expect(p, at, "a ring number: a digit, % and two digits, or %(up to five digits)");
}

/* Allocates memory for ring numbers from 100 on, which are rare. */
static bool more_rings(smiles_parser *p)
{
    lm_mol *m = p->molecule;
    lm_ring *ring = lm_alloc(p->ctx, MAX_RINGS, sizeof *ring);
    if (!ring) return p->st = lm_refusal(p->ctx), false;
    memset(ring, 0, MAX_RINGS * sizeof *ring);
    memcpy(ring, m->ring, m->rings * sizeof *ring);
    lm_release(m->ring);
    m->ring = ring;
    m->rings = MAX_RINGS;
    return true;
}

/* Returns true if `here`, the last atom, and the earlier atom `there` are joined. If all ring numbers of an atom stand
 * directly behind it, only the last atom that closed a ring bond to `there` has to be compared; check_late_rings() is
 * for ring numbers behind branches. O(1). */
static bool are_joined(const lm_mol *m, uint32_t here, uint32_t there)
{
    return m->parent[here] == there || m->parent[there] == here || m->closed_by[there] == here + 1;
}

static bool close_ring(smiles_parser *p, lm_ring *ring, const char *at)
{
    lm_mol *m = p->molecule;
    const uint32_t here = p->previous, there = ring->atom - 1;
    const bool dative = (ring->bond & ~BACKWARDS) == LM_BOND_DATIVE;
    ring->atom = 0;
    p->open_rings--;
    const bool both = ring->bond & ~DIRECTED && p->bond & ~DIRECTED;
    if (both && (ring->bond ^ p->bond) != (dative ? BACKWARDS : 0))
        return expect(p, at, "the same bond at both ends of a ring bond");
    if (here == there) return expect(p, at, "a ring bond to another atom");
    if (are_joined(m, here, there)) return expect(p, at, "a ring bond to an atom that it is not joined to yet");
    if (p->bond & ~DIRECTED || !(ring->bond & ~DIRECTED)) /* begin at the atom where the bond is written */
        join_atoms(m, here, there, p->bond, p->side ? p->side : -ring->side);
    else
        join_atoms(m, there, here, ring->bond, ring->side ? ring->side : -p->side);
    m->closed_by[there] = here + 1;
    m->ring_place[2 * m->ring_bonds] = ring->at;
    m->ring_place[2 * m->ring_bonds + 1] = (uint32_t)(at - p->begin);
    m->bond[m->bonds - 1].line = (uint32_t)m->ring_bonds + 1;
    const uint64_t own = m->ring_bonds < 64 ? UINT64_C(1) << m->ring_bonds : lm_mix(m->ring_bonds);
    m->ring_sum[here] ^= own;
    m->ring_sum[there] ^= own;
    m->ring_bonds++;
    return true;
}

static bool read_ring(smiles_parser *p, char c)
{
    lm_mol *m = p->molecule;
    const char *at = p->at - 1;
    size_t number = 0;
    if (p->previous == NO_ATOM || p->dot || p->opened) return expect(p, at, "an atom");
    if (p->behind_branch && !p->late) p->late = at;
    if (!read_ring_number(p, c, &number) || (number >= m->rings && !more_rings(p))) return false;
    lm_ring *ring = m->ring + number;
    if (ring->atom) {
        if (!close_ring(p, ring, at)) return false;
    } else {
        *ring = (lm_ring){p->previous + 1, (uint32_t)(at - p->begin), p->bond, p->side};
        p->open_rings++;
    }
    p->bond = NONE;
    p->side = 0;
    return true;
}

/* ---- Bonds and branches ---------------------------------------------------------------------- */

/* The bond of each bond symbol, or the symbol's first character. */
static const uint8_t BONDS[128] = {
    ['-'] = LM_BOND_SINGLE,   ['='] = LM_BOND_DOUBLE,    ['#'] = LM_BOND_TRIPLE,
    [':'] = LM_BOND_AROMATIC, ['$'] = LM_BOND_QUADRUPLE, ['~'] = LM_BOND_ANY,
    ['/'] = DIRECTED,         ['\\'] = DIRECTED,         ['<'] = LM_BOND_DATIVE | BACKWARDS};

static bool read_bond(smiles_parser *p, char c)
{
    if (p->previous == NO_ATOM || p->dot || p->bond) return expect(p, p->at - 1, "an atom");
    p->bond = BONDS[(unsigned char)c];
    if (p->bond == DIRECTED) {
        p->side = c == '/' ? 1 : -1;
        p->molecule->stereo++;
        p->molecule->sided = true;
    }
    if (c == '<' && peek(p) != '-') return expect(p, p->at, "'-' behind '<', a dative bond");
    if (c == '<') p->at++;
    if (c == '\\' && peek(p) == '\\') p->at++; /* written twice by programs that escape it */
    if (c == '-' && peek(p) == '>') p->at++, p->bond = LM_BOND_DATIVE;
    return true;
}

static bool read_branch(smiles_parser *p, char c)
{
    lm_mol *m = p->molecule;
    const char *at = p->at - 1;
    if (p->bond || p->dot || p->previous == NO_ATOM) return expect(p, at, "an atom");
    if (c == '(') {
        if (p->at < p->end && strchr("()%0123456789", *p->at)) return expect(p, p->at, "an atom or a bond");
        m->branch[2 * p->branches] = p->previous;
        m->branch[2 * p->branches++ + 1] = (uint32_t)(at - p->begin);
        p->opened = true;
        return true;
    }
    if (!p->branches) return expect(p, at, "an atom, a bond, a ring number or '('; no branch is open");
    p->previous = m->branch[2 * --p->branches];
    p->behind_branch = true;
    return true;
}

static bool read_dot(smiles_parser *p)
{
    if (p->previous == NO_ATOM || p->dot || p->bond) return expect(p, p->at - 1, "an atom");
    p->previous = NO_ATOM;
    p->dot = true;
    p->molecule->joined = true;
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool read_next(smiles_parser *p)
{
    const char c = *p->at++;
    const bool ascii = (unsigned char)c < 128;
    if (ascii && (ORGANIC[(unsigned char)c].element || c == '*')) return read_organic(p, c);
    if ((c >= '0' && c <= '9') || c == '%') return read_ring(p, c);
    if (c == '(' || c == ')') return read_branch(p, c);
    if (c == '[') return read_bracket(p);
    if (c == '.') return read_dot(p);
    if (ascii && BONDS[(unsigned char)c]) return read_bond(p, c);
    return expect(p, p->at - 1, "an atom, a bond, a ring number, '.', '(' or ')'");
}

/* Checks that no bond, branch or ring is left open at the end. */
static bool read_end(smiles_parser *p)
{
    const lm_mol *m = p->molecule;
    if (!m->atoms || p->bond || p->dot) return expect(p, p->end, "an atom");
    if (p->branches) return expect(p, p->begin + m->branch[2 * p->branches - 1], "a ')' that closes this branch");
    for (size_t i = 0; p->open_rings && i < m->rings; i++)
        if (m->ring[i].atom) return expect(p, p->begin + m->ring[i].at, "the other end of this ring bond");
    return true;
}

/* Fails if two bonds join the same atoms, for SMILES with ring numbers behind branches, C(N)1CC1, which many programs
 * write and read. O(atoms + bonds). */
static leman_status check_late_rings(smiles_parser *p)
{
    const lm_mol *m = p->molecule;
    SCRATCH_SCOPE(p->ctx);
    lm_mol_search s;
    uint32_t *joined; /* [atoms] the last atom whose neighbour it was, plus 1 */
    PASS(lm_mol_rings(p->ctx, m, false, &s));
    PASS_SCRATCH_ZERO(p->ctx, joined, m->atoms);
    for (uint32_t a = 0; a < m->atoms; a++)
        for (size_t j = s.start[a]; j < s.start[a + 1]; j++) {
            const lm_mol_bond *bond = m->bond + s.bond[j];
            const uint32_t b = bond->from == a ? bond->to : bond->from;
            if (joined[b] == a + 1) {
                expect(p, p->late, "a ring bond to an atom that it is not joined to yet");
                return LEMAN_ERROR_INPUT;
            }
            joined[b] = a + 1;
        }
    return LEMAN_OK;
}

leman_status lm_smiles_parse(leman_context *ctx, lm_mol *m, const char *text, size_t length, lm_smiles_fault *fault)
{
    smiles_parser p = {m, text, text, text + length, fault, ctx, .previous = NO_ATOM};
    PASS(lm_mol_reserve(ctx, m, length + 1));
    m->atoms = m->bonds = m->ring_bonds = m->stereo = m->marks = 0;
    m->sided = m->aromatic = m->joined = m->fixed = m->has_hydrogens = false;
    bool right = true;
    while (p.at < p.end && (right = read_next(&p))) {
    }
    if (!right || !read_end(&p)) {
        memset(m->ring, 0, m->rings * sizeof *m->ring);
        return p.st ? p.st : LEMAN_ERROR_INPUT;
    }
    if (p.late) PASS(check_late_rings(&p));
    lm_mol_imply_hydrogens(m);
    if (m->aromatic) PASS(lm_mol_settle_bonds(ctx, m));
    return m->fixed ? lm_mol_find_radicals(ctx, m) : LEMAN_OK;
}
