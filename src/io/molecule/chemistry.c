/*
 * Checks whether a molecule can exist, as RDKit's sanitisation does:
 *
 *   valences    the bond orders and hydrogens of an atom, and the unpaired electrons that a file gives it, add up to at
 *               most the largest standard valence of its element and charge (hydrogens.c). Metals have no largest one.
 *   rings       an atom that is written as aromatic is in a ring
 *   Kekulé      the aromatic bonds can be made single and double (kekule.c)
 *
 * A group that is written without charges, N(=O)=O, is checked with the charges that charges.c gives it. Only the first
 * fault of a molecule is found. O(atoms + bonds) without Kekulé structures.
 */
#include "base/ascii.h"
#include "base/drop.h"
#include "base/file.h"
#include "io/molecule/smiles_table.h"
#include <stdio.h>
#include <string.h>

enum { HYDROGEN = 1, SHOWN = 60, SENTENCE = LM_IMPOSSIBLE - 144 /* without file and line */ };

/* ---- Valences -------------------------------------------------------------------------------- */

/* Returns the largest of the standard valences; -1: any valence. */
static int largest(const int8_t *valences)
{
    int most = valences[0];
    for (size_t i = 1; most >= 0 && valences[i]; i++) most = valences[i];
    return most;
}

/* Returns the largest valence of the atom, or -1 if there is none. */
static int most_bonds(const lm_atom *atom)
{
    if (largest(lm_valences(atom->element, 0)) < 0 || (int)atom->element <= atom->charge) return -1;
    if (atom->element == HYDROGEN && atom->charge == -1) return 2; /* RDKit accepts a bridge, [H][H-][H] */
    const int most = largest(lm_valences(atom->element, atom->charge));
    return most < 0 ? -1 : most - lm_valence_shift(atom->element, atom->charge);
}

/* Returns the valence of the atom as it is written. Aromatic bonds count 1.5; a sum that is at most 1.5 above a standard
 * valence is that valence, as for the nitrogen of n1(C)cccc1. */
static int written_valence(const lm_atom *atom, bool aromatic)
{
    const int8_t *valences = lm_valences(atom->element, atom->charge);
    const int twice = (int)atom->valence2 + 2 * (atom->fixed ? atom->hydrogens : 0);
    int below = valences[0];
    if (!aromatic || below < 0 || twice <= 2 * below) return (twice + 1) / 2;
    for (size_t i = 1; valences[i] > 0 && 2 * valences[i] <= twice; i++) below = valences[i];
    return twice - 2 * below <= 3 ? below : (twice + 1) / 2;
}

/* Returns true if the atom has more bonds than it can have; *found and *most are its valence and the largest one.
 * aromatic: it has aromatic bonds. */
static bool exceeds_valence(const lm_atom *atom, bool aromatic, int *found, int *most)
{
    if (atom->element == 6 && !atom->charge && !atom->fixed && !atom->radical && atom->valence2 <= 8) return false;
    if (!atom->element) return false;
    const int unpaired = atom->fixed || !atom->radical ? 0 : atom->radical == 2 ? 1 : 2;
    *found = written_valence(atom, aromatic) + unpaired;
    *most = most_bonds(atom);
    return *most >= 0 && *found > *most;
}

/* ---- Faults ---------------------------------------------------------------------------------- */

typedef enum fault_kind { NO_FAULT, VALENCE, OUTSIDE_RING, UNMATCHED } fault_kind;

typedef struct fault {
    fault_kind kind;
    size_t atom;
    int found, most;
} fault;

enum { IN_RING = 1, HAS_AROMATIC_BOND = 2 };

/* Sets marks[atoms] to sums of IN_RING and HAS_AROMATIC_BOND. */
static void mark_atoms(const lm_mol *m, const lm_mol_search *s, uint8_t *marks)
{
    for (size_t i = 0; i < m->bonds; i++) {
        const lm_mol_bond *bond = m->bond + i;
        const unsigned mark =
            (s->in_ring[i] ? IN_RING : 0u) | (bond->type == LM_BOND_AROMATIC ? HAS_AROMATIC_BOND : 0u);
        marks[bond->from] |= (uint8_t)mark;
        marks[bond->to] |= (uint8_t)mark;
    }
}

/* Returns true if an aromatic atom without aromatic bonds, in brackets, is one or two bonds short of its valence. */
static bool needs_partner(const lm_atom *atom)
{
    const int valence = lm_valences(atom->element, atom->charge)[0];
    const int missing = valence - lm_valence_shift(atom->element, atom->charge) - (int)(atom->valence2 / 2);
    return atom->element && atom->fixed && valence > 0 &&
           (missing - atom->hydrogens == 1 || missing - atom->hydrogens == 2);
}

static fault fault_of(const lm_mol *m, size_t a, unsigned marks)
{
    const lm_atom *atom = m->atom + a;
    const bool bonds = marks & HAS_AROMATIC_BOND;
    fault f = {.kind = VALENCE, .atom = a};
    if (exceeds_valence(atom, atom->aromatic && bonds, &f.found, &f.most)) return f;
    f.kind = NO_FAULT;
    if (atom->aromatic && !bonds && needs_partner(atom)) f.kind = UNMATCHED;
    if (atom->aromatic && !(marks & IN_RING)) f.kind = OUTSIDE_RING;
    return f;
}

static leman_status find_fault(leman_context *ctx, const lm_mol *m, const lm_mol_search *s, fault *out)
{
    SCRATCH_SCOPE(ctx);
    uint8_t *marks = NULL;
    *out = (fault){.kind = NO_FAULT};
    for (size_t a = 0; a < m->atoms && !out->kind; a++) {
        if (!marks && m->atom[a].aromatic) {
            PASS_SCRATCH_ZERO(ctx, marks, m->atoms);
            mark_atoms(m, s, marks);
        }
        *out = fault_of(m, a, marks ? marks[a] : 0);
    }
    return LEMAN_OK;
}

/* Looks for a fault of the molecule with the charges of charges.c. */
static leman_status find_fault_with_charges(leman_context *ctx, const lm_mol *m, const lm_mol_search *s, fault *out)
{
    AUTO(lm_mol_free) lm_mol copy = {0};
    PASS(lm_mol_reserve(ctx, &copy, m->atoms > m->bonds ? m->atoms : m->bonds));
    memcpy(copy.atom, m->atom, m->atoms * sizeof *m->atom);
    if (m->bonds) memcpy(copy.bond, m->bond, m->bonds * sizeof *m->bond);
    copy.atoms = m->atoms;
    copy.bonds = m->bonds;
    lm_mol_separate_charges(&copy, s);
    return find_fault(ctx, &copy, s, out);
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* Writes the beginning of a name or SMILES to shown[SHOWN + 4], with ... if it is longer. */
static void shorten(const char *text, size_t length, char *shown)
{
    size_t end = length < SHOWN ? length : SHOWN;
    while (end < length && ((unsigned char)text[end] & 0xc0) == 0x80) end--; /* not within a character of UTF-8 */
    snprintf(shown, SHOWN + 4, "%.*s%s", (int)end, text, end < length ? "..." : "");
}

static leman_status molecule_text(const lm_mol_origin *from, const lm_mol *m, char *shown)
{
    AUTO(lm_vector_release) lm_vector smiles = {0};
    const lm_text *title = from->title;
    if (title->at < title->end) {
        shorten(title->at, (size_t)(title->end - title->at), shown);
        return LEMAN_OK;
    }
    PASS(lm_smiles_text(title->ctx, m, &smiles));
    shorten(smiles.items, smiles.count, shown);
    return LEMAN_OK;
}

/* Writes "C", "N+" or "O-2" to text[8]. */
static void atom_text(const lm_atom *atom, char *text)
{
    const char *symbol = atom->element ? lm_element_symbol(atom->element) : "*";
    const int charge = atom->charge;
    const char *sign = charge > 0 ? "+" : charge < 0 ? "-" : "";
    if (charge > 1 || charge < -1)
        snprintf(text, 8, "%s%s%d", symbol, sign, charge > 0 ? charge : -charge);
    else
        snprintf(text, 8, "%s%s", symbol, sign);
}

/* Writes ", or [Sn] for the element" to text[32] if the SMILES has `Sn`, which is sulfur and an aromatic nitrogen. */
static void element_hint(const lm_mol_origin *from, const lm_mol *m, size_t atom, char *text)
{
    char symbol[8];
    *text = 0;
    if (from->first_atom || !atom || m->parent[atom] != atom - 1) return;
    const lm_atom *left = m->atom + atom - 1, *right = m->atom + atom;
    const lm_mol_bond *bond = m->bond + m->parent_bond[atom];
    if (left->fixed || right->fixed || left->aromatic || bond->type != LM_BOND_SINGLE) return;
    const char *first = lm_element_symbol(left->element), *second = lm_element_symbol(right->element);
    if (!first || !second || first[1] || second[1]) return;
    snprintf(symbol, sizeof symbol, "%c%c", *first, lm_lower(*second));
    if (lm_element_number(symbol, 2) > 0) snprintf(text, 32, ", or [%s] for the element", symbol);
}

/* Fails with the sentence if the molecule is to be refused; otherwise counts it and keeps the first sentence. */
static leman_status report(const lm_mol_origin *from, const lm_mol_choices *choices, lm_mol_counts *counts,
                           const char *sentence)
{
    const lm_text *where = from->where;
    if (choices->valence == LEMAN_ACTION_REFUSE) return lm_text_fail(where, "%s", sentence);
    if (!counts->impossible++)
        snprintf(counts->first_impossible, sizeof counts->first_impossible, "%.120s:%zu: %s", lm_path_base(where->file),
                 where->line, sentence);
    return LEMAN_OK;
}

leman_status lm_mol_report_kekule(const lm_mol_origin *from, const lm_mol *m, size_t atom,
                                  const lm_mol_choices *choices, lm_mol_counts *counts)
{
    char shown[SHOWN + 4], symbol[8], sentence[SENTENCE];
    PASS(molecule_text(from, m, shown));
    atom_text(m->atom + atom, symbol);
    snprintf(sentence, sizeof sentence,
             "found aromatic bonds in %s that cannot be made single and double, expected a double bond for atom %zu "
             "(%s)%s",
             shown, atom + from->first_atom, symbol, from->first_atom ? "" : ", counted from 0");
    return report(from, choices, counts, sentence);
}

leman_status lm_mol_check_chemistry(const lm_mol_origin *from, const lm_mol *m, const lm_mol_search *s,
                                    const lm_mol_choices *choices, lm_mol_counts *counts, bool *possible)
{
    leman_context *ctx = from->where->ctx;
    const char *counted = from->first_atom ? "" : ", counted from 0,";
    char shown[SHOWN + 4], symbol[8], hint[32], sentence[SENTENCE];
    fault f;
    PASS(find_fault(ctx, m, s, &f));
    if (f.kind == VALENCE) PASS(find_fault_with_charges(ctx, m, s, &f));
    *possible = f.kind == NO_FAULT;
    if (*possible) return LEMAN_OK;
    if (f.kind == UNMATCHED) return lm_mol_report_kekule(from, m, f.atom, choices, counts);
    PASS(molecule_text(from, m, shown));
    atom_text(m->atom + f.atom, symbol);
    element_hint(from, m, f.atom, hint);
    if (f.kind == VALENCE)
        snprintf(sentence, sizeof sentence, "found valence %d of atom %zu (%s)%s in %s, expected at most %d", f.found,
                 f.atom + from->first_atom, symbol, counted, shown, f.most);
    else
        snprintf(sentence, sizeof sentence, "found the aromatic atom %zu (%s)%s outside rings in %s, expected a ring%s",
                 f.atom + from->first_atom, symbol, counted, shown, hint);
    return report(from, choices, counts, sentence);
}

void lm_mol_clean(const lm_mol_counts *counts, size_t before, leman_cleaning *cleaning)
{
    if (!cleaning) return;
    cleaning->impossible_molecules = counts->impossible - before;
    _Static_assert(sizeof cleaning->first_impossible == LM_IMPOSSIBLE, "one size");
    if (cleaning->impossible_molecules) memcpy(cleaning->first_impossible, counts->first_impossible, LM_IMPOSSIBLE);
}
