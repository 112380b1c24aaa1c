/*
 * Molecules, one at a time: atoms and bonds as a file has them, what is derived from them (hydrogens, radicals, Kekulé
 * structures), and the graph they become. Readers of SMILES and SDF fill one lm_mol again and again.
 */
#ifndef LM_MOLECULE_H
#define LM_MOLECULE_H

#include "base/context.h"
#include "graph/dataset.h"

/* Bond types, which are the edge labels: those of MOL files, and one more. */
enum {
    LM_BOND_SINGLE = 1,
    LM_BOND_DOUBLE,
    LM_BOND_TRIPLE,
    LM_BOND_AROMATIC,
    LM_BOND_ANY = 8,
    LM_BOND_DATIVE, /* from the donor */
    LM_BOND_HYDROGEN,
    LM_BOND_QUADRUPLE
};

enum { LM_MAX_CHARGE = 15, LM_MAX_ISOTOPE = 999, LM_MAX_HYDROGENS = 99 };

typedef struct lm_atom {
    uint8_t element; /* 0: no element */
    int8_t charge;
    uint8_t hydrogens; /* that are no atoms of the molecule */
    uint8_t radical;   /* 0 none, 1 singlet, 2 doublet, 3 triplet */
    uint16_t isotope;  /* mass; 0: none is named */
    bool aromatic;
    bool fixed;        /* hydrogens are as written, none are implied */
    uint32_t valence2; /* twice the sum of its bond orders, of any number of bonds; an aromatic bond counts 1.5 */
} lm_atom;

typedef struct lm_mol_bond {
    uint32_t from, to;
    uint32_t line; /* counted from the first line of the molecule */
    uint8_t type;  /* LM_BOND_... */
    bool implied;  /* nothing was written between two aromatic atoms */
} lm_mol_bond;

/* An open ring number of a SMILES. */
typedef struct lm_ring {
    uint32_t atom, at; /* plus 1, 0: it is closed; where it was opened */
    uint8_t bond;      /* that was written there */
} lm_ring;

/* Zero-initialise; lm_mol_free() at the end. */
typedef struct lm_mol {
    lm_atom *atom;     /* [atoms] */
    lm_mol_bond *bond; /* [bonds] */
    size_t atoms, bonds, capacity;
    double *place;         /* [atoms][3] coordinates, of SDF */
    uint32_t *parent;      /* [atoms] of SMILES: the atom before it, UINT32_MAX for none */
    uint32_t *parent_bond; /* [atoms] the bond to it */
    uint64_t *ring_sum;    /* [atoms] of SMILES: exclusive or of the marks of its ring bonds (rings.c) */
    uint32_t *branch;      /* [2 capacity] of SMILES: atoms with an open branch, and where it was opened */
    uint32_t *closed_by;   /* [atoms] of SMILES: the last atom that closed a ring bond to it, plus 1 */
    lm_ring *ring;         /* [rings] */
    size_t rings;
    size_t ring_bonds;  /* of this molecule */
    size_t stereo;      /* marks of stereochemistry that were passed over */
    bool aromatic;      /* it has implied aromatic bonds */
    bool joined;        /* a ring bond may join two parts that a dot separates */
    bool fixed;         /* it has atoms with fixed hydrogens */
    bool has_hydrogens; /* it has atoms that are hydrogen */
} lm_mol;

/* What graphs are made of them. */
typedef struct lm_mol_choices {
    unsigned labels; /* LEMAN_ATOM_... */
    leman_hydrogens hydrogens;
    leman_aromatic aromatic;
    bool places; /* coordinates are vertex attributes */
    bool lines;  /* keep the line of each bond, for the policy's sentences */
} lm_mol_choices;

/* How many atoms had what, for the log. */
typedef struct lm_mol_counts {
    size_t charges, isotopes, radicals, placeholders, stereo, folded, added;
} lm_mol_counts;

/* Room for so many atoms and as many bonds; what was there stays. */
leman_status lm_mol_reserve(leman_context *ctx, lm_mol *molecule, size_t capacity);
void lm_mol_free(leman_context *ctx, lm_mol *molecule);

/* ---- SMILES (smiles.c) ----------------------------------------------------------------------- */

/* Where and why a text is no SMILES. */
typedef struct lm_smiles_fault {
    const char *at;
    char expected[96];
} lm_smiles_fault;

/* One molecule from a SMILES without blanks, hydrogens and radicals included. Nothing is allocated but for ring numbers
 * from 100 on and for room that is missing: LEMAN_ERROR_MEMORY. LEMAN_ERROR_INPUT with *fault, and no sentence, where
 * it is none. O(length). */
leman_status lm_smiles_parse(leman_context *ctx, lm_mol *molecule, const char *text, size_t length,
                             lm_smiles_fault *fault);

/* ---- What follows from atoms and bonds ------------------------------------------------------- */

/* How much a bond of this type adds to the valence of the atom at its end, and at its beginning, doubled. */
unsigned lm_bond_valence2(unsigned type, bool begin);
/* Sets valence2 of all atoms. */
void lm_mol_valences(lm_mol *molecule);
/* Hydrogens of atoms whose hydrogens are not fixed, by the standard valences. valence2 is known. */
void lm_mol_imply_hydrogens(lm_mol *molecule);
/* Radicals of atoms whose hydrogens are fixed: electrons without a partner. */
leman_status lm_mol_find_radicals(leman_context *ctx, lm_mol *molecule);
/* The valences that an element with a charge can have, ended by 0 or -1: {2, 4, 6, 0}. {-1}: any. */
const int8_t *lm_valences(unsigned element, int charge);
/* S-, P--, Se- have their own valences, of which the charge takes its share: this much more is used. */
int lm_valence_shift(unsigned element, int charge);
/* Electrons of the outer shell. */
int lm_outer_electrons(unsigned element);

/* Implied aromatic bonds that are in no ring become single (rings.c). */
leman_status lm_mol_settle_bonds(leman_context *ctx, lm_mol *molecule);
/* The bonds of atom a are bond[start[a]] up to the next start, increasing; both in the context's scratch. */
leman_status lm_mol_bonds_of_atoms(leman_context *ctx, const lm_mol *molecule, size_t **start, uint32_t **bond);
/* in_ring[bonds]. O(atoms + bonds). */
leman_status lm_mol_rings(leman_context *ctx, const lm_mol *molecule, bool *in_ring);

/* order[bonds]: 1 or 2 for aromatic bonds, such that every atom that needs one double bond has it, and 0 for others.
 * *missing: how many cannot have it, the first of them in *atom. O(atoms bonds) at worst. */
leman_status lm_mol_kekule(leman_context *ctx, const lm_mol *molecule, uint8_t *order, size_t *missing, size_t *atom);

/* ---- Graphs (molecule_graph.c) --------------------------------------------------------------- */

/* Hydrogens and aromatic bonds as chosen. *found: there is a Kekulé structure where one is asked for; else *atom as
 * above.
 */
leman_status lm_mol_prepare(leman_context *ctx, lm_mol *molecule, const lm_mol_choices *choices, lm_mol_counts *counts,
                            bool *found, size_t *atom);
/* The graph behind those of raw, but for its name. line: the first of the molecule. */
leman_status lm_mol_add(leman_context *ctx, const lm_mol *molecule, const lm_mol_choices *choices,
                        lm_mol_counts *counts, lm_raw *raw, uint64_t line);
/* The same behind those of flat, where no two bonds join the same atoms; without coordinates. raw->graphs counts it. */
leman_status lm_mol_add_flat(leman_context *ctx, lm_mol *molecule, const lm_mol_choices *choices, lm_mol_counts *counts,
                             lm_raw *raw, lm_flat *flat);
void lm_mol_log(leman_context *ctx, const lm_mol_choices *choices, const lm_mol_counts *counts, const char *name);
/* What is asked for, complete, and checked. */
lm_mol_choices lm_mol_choices_of(const leman_read_options *options);

/* ---- Labels (atom_labels.c) ------------------------------------------------------------------ */

/* How many label columns that makes; the labels of one atom, into out[columns]. */
size_t lm_label_columns(unsigned labels);
void lm_atom_label(const lm_atom *atom, unsigned labels, int64_t *out);
/* The atom that a label (one number) or, with LEMAN_ATOM_COLUMNS, label columns stand for; what they do not say is 0.
 */
lm_atom lm_label_atom(const int64_t *label, unsigned labels);
/* The atomic number in a label, 0 where it is none; and such a label as chemists write it, "N+", "13C", "O-"; false
 * where it is no atom's. */
int lm_atom_element(int64_t label);
bool lm_atom_text(int64_t label, char *text, size_t size);

/* ---- Elements (elements.c) ------------------------------------------------------------------- */

/* Atomic number; 0 for symbols that stand for several elements or none (R, A, Q, X, *, ...); -1 for anything else. */
int lm_element_number(const char *symbol, size_t length);
/* "Cl" for 17; NULL for numbers that no element has. */
const char *lm_element_symbol(int number);

#endif
