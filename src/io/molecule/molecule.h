/*
 * One molecule: its atoms and bonds as the file has them, the hydrogens, radicals and Kekulé structures derived from
 * them, and its graph. The readers of SMILES and SDF reuse one lm_mol for all molecules.
 */
#ifndef LM_MOLECULE_H
#define LM_MOLECULE_H

#include "base/text.h"
#include "graph/dataset.h"

/* Bond types, which are also the edge labels: the types of MOL files, and quadruple bonds. */
enum {
    LM_BOND_SINGLE = 1,
    LM_BOND_DOUBLE,
    LM_BOND_TRIPLE,
    LM_BOND_AROMATIC,
    LM_BOND_ANY = 8,
    LM_BOND_DATIVE, /* from donor to acceptor */
    LM_BOND_HYDROGEN,
    LM_BOND_QUADRUPLE
};
enum { LM_BOND_STEREO = 100 }; /* the label of a bond is its type + LM_BOND_STEREO times its stereochemistry */

enum { LM_MAX_CHARGE = 15, LM_MAX_ISOTOPE = 999, LM_MAX_HYDROGENS = 99, LM_IMPOSSIBLE = 384 };

typedef struct lm_atom {
    uint8_t element; /* atomic number; 0: no element */
    int8_t charge;
    uint8_t hydrogens; /* hydrogens that are not atoms of the molecule */
    uint8_t radical;   /* 0 none, 1 singlet, 2 doublet, 3 triplet */
    uint16_t isotope;  /* mass; 0: not given */
    bool aromatic;
    bool fixed;        /* the file gives the number of hydrogens, none are implied */
    uint32_t valence2; /* twice the sum of its bond orders; an aromatic bond counts 1.5 */
    uint8_t stereo;    /* its label (stereo.h); 0: none */
} lm_atom;

/* Labels of atoms contain their stereochemistry, beside LEMAN_ATOM_... */
#define LM_ATOM_STEREO 4096u

typedef struct lm_mol_bond {
    uint32_t from, to;
    uint32_t line;  /* SDF: relative to the first line of the molecule. SMILES: number of the ring bond, plus 1 */
    uint8_t type;   /* LM_BOND_... */
    int8_t side;    /* SMILES: 1 for /, -1 for \, seen from `from`. SDF: LM_SIDE_..., a wedge from `from` to `to` */
    bool implied;   /* no bond symbol between two aromatic atoms */
    uint8_t stereo; /* its label (stereo.h); 0: none */
} lm_mol_bond;

/* @; @@; @SP1 and other classes. */
enum { LM_MARK_LEFT, LM_MARK_RIGHT, LM_MARK_OTHER };
/* Wedges; EITHER is a wavy bond or a crossed double bond. */
enum { LM_SIDE_UP = 1, LM_SIDE_DOWN = -1, LM_SIDE_EITHER = 2 };

/* A ring number of a SMILES. */
typedef struct lm_ring {
    uint32_t atom, at; /* the atom that opened it, plus 1, or 0 if it is not open; position in the SMILES */
    uint8_t bond;      /* the bond symbol written there */
    int8_t side;       /* 1 for /, -1 for \ */
} lm_ring;

typedef struct lm_stereo lm_stereo;

/* Zero-initialise; release with lm_mol_free(). */
typedef struct lm_mol {
    lm_atom *atom;     /* [atoms] */
    lm_mol_bond *bond; /* [bonds] */
    size_t atoms, bonds, capacity;
    double *place;         /* [atoms][3] coordinates; SDF only */
    uint32_t *parent;      /* [atoms] SMILES only: the atom before it, UINT32_MAX for none */
    uint32_t *parent_bond; /* [atoms] SMILES only: the bond to its parent */
    uint64_t *ring_sum;    /* [atoms] SMILES only: exclusive or of the marks of its ring bonds (rings.c) */
    uint32_t *branch;      /* [2 capacity] SMILES only: atoms with an open branch, and position of its '(' */
    uint32_t *closed_by;   /* [atoms] SMILES only: the last atom that closed a ring bond to it, plus 1 */
    uint32_t *mark;        /* [marks] SMILES only: four times an atom with @, plus LM_MARK_... */
    uint32_t *ring_place; /* [2 ring_bonds] SMILES only: positions of a ring number at the earlier and the later atom */
    lm_ring *ring;        /* [rings] indexed by ring number */
    size_t rings;
    size_t ring_bonds; /* number of ring bonds of this molecule */
    size_t stereo;     /* number of stereo marks; graphs keep / and \ beside their labels, for drawings and files */
    size_t marks;
    lm_stereo *stereo_at; /* [stereo_count] scratch memory of lm_mol_prepare(): its stereochemistry (stereo.h) */
    size_t stereo_count;
    bool sided;         /* it has marks / and \ */
    bool labelled;      /* molecules of graphs: a bond has a label of stereochemistry */
    bool guessed;       /* molecules of graphs: an aromatic atom got a hydrogen that the labels do not say */
    bool aromatic;      /* it has implied aromatic bonds */
    bool joined;        /* a ring bond may join two parts that a dot separates */
    bool fixed;         /* it has atoms with fixed hydrogens */
    bool has_hydrogens; /* it has hydrogen atoms */
} lm_mol;

/* How molecules become graphs. */
typedef struct lm_mol_choices {
    unsigned labels; /* LEMAN_ATOM_... */
    leman_hydrogens hydrogens;
    leman_aromatic aromatic;
    leman_action valence; /* what to do about molecules that cannot exist */
    unsigned standardize; /* LEMAN_STANDARDIZE_... */
    bool places;          /* store coordinates as vertex attributes */
    bool stereo;          /* label atoms and bonds by their stereochemistry */
    bool lines;           /* store the line of each bond, for error messages of the policy */
} lm_mol_choices;

/* Numbers of atoms with these properties, for the log. */
typedef struct lm_mol_counts {
    size_t charges, isotopes, radicals, placeholders, stereo, folded, added;
    size_t separated;             /* groups that were written without charges, N(=O)=O */
    size_t not_kekule, too_large; /* molecules whose aromatic bonds stay as they are written */
    size_t placed, unplaced;      /* molecules of several atoms whose coordinates are not all 0, or are */
    size_t salts, left_out;       /* molecules of several fragments; fragments that were left out of them */
    size_t groups, uncharged; /* groups that were rewritten, and atoms whose charge was taken away (standardize.h) */
    size_t stereo_labels[2];  /* atoms, and double bonds, with a label of stereochemistry */
    size_t no_stereo;         /* marks of stereochemistry that give no label */
    size_t stereo_too_large;  /* molecules where labels would be too much work */
    size_t impossible;        /* molecules that cannot exist (chemistry.c) */
    char first_impossible[LM_IMPOSSIBLE];
} lm_mol_counts;

/* Reserves memory for `capacity` atoms and as many bonds. Atoms, bonds and coordinates are kept. Fails with
 * LEMAN_ERROR_MEMORY, or with LEMAN_ERROR_INPUT for more than 2^29 atoms. */
leman_status lm_mol_reserve(leman_context *ctx, lm_mol *molecule, size_t capacity);
void lm_mol_free(lm_mol *molecule);

/* ---- SMILES (smiles.c) ----------------------------------------------------------------------- */

/* Where a text is not a valid SMILES, and what was expected there. */
typedef struct lm_smiles_fault {
    const char *at;
    char expected[96];
} lm_smiles_fault;

/* Reads a SMILES without blanks into *molecule, with implied hydrogens and radicals. Fails with LEMAN_ERROR_INPUT if
 * the text is not a valid SMILES; *fault is then set, but no error message. Memory is allocated only if the capacity is
 * too small or a ring number exceeds 99. O(length). */
leman_status lm_smiles_parse(leman_context *ctx, lm_mol *molecule, const char *text, size_t length,
                             lm_smiles_fault *fault);

/* ---- Derived properties ---------------------------------------------------------------------- */

/* Twice the valence that a bond of each type adds to the atom at its beginning [0] and at its end [1]. */
extern const uint8_t lm_bond_valence2[2][LM_BOND_QUADRUPLE + 1];
/* Sets valence2 of all atoms from their bonds. */
void lm_mol_valences(lm_mol *molecule);
/* Sets the hydrogens of atoms that are not `fixed` by the standard valences. valence2 must be set. */
void lm_mol_imply_hydrogens(lm_mol *molecule);
/* Sets the radicals of atoms that are `fixed`, from their unpaired electrons. valence2 must be set. */
leman_status lm_mol_find_radicals(leman_context *ctx, lm_mol *molecule);
/* Returns the standard valences of an element with a charge, terminated by 0 or -1: {2, 4, 6, 0}. {-1}: any valence. */
const int8_t *lm_valences(unsigned element, int charge);
/* Returns how much of the valence the charge itself uses. Not 0 only for anions such as S-, P-- and Se-, which keep the
 * valences of their own element. */
int lm_valence_shift(unsigned element, int charge);

/* Makes implied aromatic bonds that are in no ring single (rings.c). Only for molecules read from SMILES. */
leman_status lm_mol_settle_bonds(leman_context *ctx, lm_mol *molecule);
/* A depth-first search of a molecule (rings.c), whose arrays are in the context's scratch memory. */
typedef struct lm_mol_search {
    size_t *start;     /* [atoms+2] */
    uint32_t *bond;    /* [2 bonds] bond[start[a]] to bond[start[a + 1] - 1] are the bonds of atom a, increasing */
    uint32_t *seen;    /* [atoms] order of discovery + 1 */
    uint32_t *low;     /* [atoms] the smallest of these that the subtree reaches */
    uint32_t *through; /* [atoms] the bond to the parent; UINT32_MAX: none */
    uint32_t *stack;   /* [atoms] */
    size_t *next;      /* [atoms] position of the next bond to visit */
    bool *in_ring;     /* [bonds] is in a ring */
} lm_mol_search;

/* Searches all components, each from its first atom; with `covalent`, without dative and hydrogen bonds.
 * O(atoms + bonds). */
leman_status lm_mol_rings(leman_context *ctx, const lm_mol *molecule, bool covalent, lm_mol_search *search);

/* Sets order[bonds] to 1 or 2 for aromatic bonds, so that every atom that needs a double bond has exactly one, and to 0
 * for other bonds. *missing is the number of atoms for which this is impossible, *atom the first of them.
 * O(atoms^2 bonds) at worst. */
leman_status lm_mol_kekule(leman_context *ctx, const lm_mol *molecule, uint8_t *order, size_t *missing, size_t *atom);

/* Makes the bonds of aromatic rings aromatic, and all other aromatic bonds single or double, by a model: LEMAN_AROMATIC_
 * RDKIT or _MDL (aromatic.c). `search` is that of lm_mol_rings(). A molecule with too large ring systems stays as it is
 * and is counted, and so does one whose aromatic bonds have no Kekulé structure: *atom is then an atom without its
 * double bond, otherwise SIZE_MAX. */
leman_status lm_mol_find_aromatic(leman_context *ctx, lm_mol *molecule, const lm_mol_search *search,
                                  leman_aromatic model, lm_mol_counts *counts, size_t *atom);
/* Writes groups such as N(=O)=O with charges, [N+](=O)[O-], as RDKit does. Returns the number of such groups. */
size_t lm_mol_separate_charges(lm_mol *molecule, const lm_mol_search *search);
/* Returns the number of electrons in the outer shell of an element. */
int lm_outer_electrons(unsigned element);

/* ---- Molecules that cannot exist (chemistry.c) ----------------------------------------------- */

/* How messages name a molecule: the file and line of `where`, its title or SMILES `title` (if it is empty, a SMILES of
 * the molecule), and atoms counted from first_atom, which is 0 for SMILES and 1 for SDF. */
typedef struct lm_mol_origin {
    const lm_text *where, *title;
    size_t first_atom;
} lm_mol_origin;

/* Checks valences, and that aromatic atoms are in rings; *possible is false if there is a fault. A fault fails with
 * LEMAN_ERROR_INPUT if choices->valence is REFUSE; otherwise the molecule is counted. `search` is that of
 * lm_mol_rings() without dative bonds. */
leman_status lm_mol_check_chemistry(const lm_mol_origin *from, const lm_mol *molecule, const lm_mol_search *search,
                                    const lm_mol_choices *choices, lm_mol_counts *counts, bool *possible);
/* Fails or counts likewise for a molecule without a Kekulé structure, of which `atom` has no double bond. */
leman_status lm_mol_report_kekule(const lm_mol_origin *from, const lm_mol *molecule, size_t atom,
                                  const lm_mol_choices *choices, lm_mol_counts *counts);
/* Writes the number of molecules that cannot exist, without the first `before`, to *cleaning, which may be NULL. */
void lm_mol_clean(const lm_mol_counts *counts, size_t before, leman_cleaning *cleaning);

/* ---- Graphs (molecule_graph.c) --------------------------------------------------------------- */

/* Checks that the molecule can exist, and changes hydrogens and aromatic bonds as chosen. Fails with LEMAN_ERROR_INPUT
 * if the molecule is to be refused, or if a Kekulé structure is asked for and does not exist. */
leman_status lm_mol_prepare(const lm_mol_origin *from, lm_mol *molecule, const lm_mol_choices *choices,
                            lm_mol_counts *counts);
/* Makes a text the name of the next graph of raw. Fails with LEMAN_ERROR_INPUT if the text is not printable UTF-8; the
 * message calls it `what`. */
leman_status lm_mol_name(const lm_text *text, const char *what, lm_raw *raw);
/* Appends the graph of the molecule, without its name, to raw. `line` is the first line of the molecule in the file. */
leman_status lm_mol_add(leman_context *ctx, const lm_mol *molecule, const lm_mol_choices *choices,
                        lm_mol_counts *counts, lm_raw *raw, uint64_t line);
/* Appends the graph of the molecule, without its name and coordinates, to flat, and increments raw->graphs. No two
 * bonds may join the same atoms. Overwrites molecule->branch. */
leman_status lm_mol_add_flat(leman_context *ctx, lm_mol *molecule, const lm_mol_choices *choices, lm_mol_counts *counts,
                             lm_raw *raw, lm_flat *flat);
/* Logs the counts for the data set `name`. */
void lm_mol_log(leman_context *ctx, const lm_mol_choices *choices, const lm_mol_counts *counts, const char *name);
/* Returns the choices in the options, with defaults filled in. The options must be complete. */
lm_mol_choices lm_mol_choices_of(const leman_read_options *options);

/* Returns the type of a bond (LM_BOND_...) in its label; other labels as they are. */
static inline int64_t lm_bond_of_label(int64_t label)
{
    return label > LM_BOND_STEREO && label < 3 * LM_BOND_STEREO ? label % LM_BOND_STEREO : label;
}

/* ---- Labels (atom_labels.c) ------------------------------------------------------------------ */

/* Returns the number of label columns for a choice of labels (LEMAN_ATOM_...). */
size_t lm_label_columns(unsigned labels);
/* Writes the label of an atom to out[lm_label_columns(labels)]. */
void lm_atom_label(const lm_atom *atom, unsigned labels, int64_t *out);
/* Returns the atom of a label, which is one number or, with LEMAN_ATOM_COLUMNS, several columns. Properties that are
 * not in `labels` are 0. */
lm_atom lm_label_atom(const int64_t *label, unsigned labels);
/* Returns the atomic number in a label, or 0 if there is none. */
int lm_atom_element(int64_t label);

/* Writes the labels LEMAN_ATOM_ECFP or _FCFP of all atoms to out[atoms]. O(atoms + bonds). */
leman_status lm_mol_invariants(leman_context *ctx, const lm_mol *molecule, unsigned labels, int64_t *out);

/* ---- Elements (elements.c) ------------------------------------------------------------------- */

/* Returns the atomic number of a symbol; 0 for symbols of several elements or none (R, A, Q, X, *, ...); -1 for
 * anything else. */
int lm_element_number(const char *symbol, size_t length);
/* Returns the symbol of an element, "Cl" for 17, or NULL if there is no such element. */
const char *lm_element_symbol(int number);

#endif
