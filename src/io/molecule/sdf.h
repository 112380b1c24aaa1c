/*
 * Reads SDF and MOL files: V2000 (sdf.c) and V3000 (sdf_v3000.c) connection tables, and data fields.
 */
#ifndef LM_SDF_H
#define LM_SDF_H

#include "base/text.h"
#include "io/format.h"
#include "io/intern.h"
#include "io/molecule/molecule.h"
#include "io/molecule/properties.h"

/* The properties of an atom in the file. */
typedef struct lm_sdf_atom {
    int64_t element, charge, isotope, radical; /* isotope: mass, 0: not given */
    int64_t named_isotope; /* mass given by the symbols D and T; isotope property lines do not reset it */
    int64_t valence;       /* of all bonds, including hydrogens; 0: not given, -1: no bonds */
} lm_sdf_atom;

/* Properties that a V2000 line ("M  CHG") or a word of a V3000 line ("CHG=") gives to an atom. */
enum { LM_SDF_V2000_PROPERTIES = 3, LM_SDF_PROPERTIES };
typedef struct lm_sdf_property {
    const char *v2000, *v3000, *what; /* what: for messages */
    int64_t min, max;
    size_t member; /* offsetof in lm_sdf_atom */
} lm_sdf_property;
extern const lm_sdf_property lm_sdf_properties[LM_SDF_PROPERTIES];

typedef struct lm_sdf {
    lm_text text; /* its position is the next line to read */
    lm_raw *raw;
    lm_vector atoms;   /* lm_sdf_atom: atoms of the current molecule */
    lm_mol molecule;   /* coordinates and bonds; its atoms are set by lm_sdf_finish_atoms() */
    size_t first_line; /* first line of the current molecule */
    lm_vector line;    /* char: a V3000 line that was joined from continued lines */
    lm_intern numbers; /* numbers of the V3000 atoms, as 64-bit words; empty while they are 1, 2, ... */
    lm_mol_choices choices;
    lm_mol_counts counts;
    bool skip;        /* leave out molecules that cannot be read */
    leman_rows *rows; /* gets every molecule; NULL: not wanted */
    lm_text title;    /* of the current molecule */
    lm_vector smiles; /* char: of the current molecule, for rows */
    size_t skipped;
    char first_skipped[LM_SENTENCE];
    lm_properties properties;
} lm_sdf;

/* Returns true if the line begins with these characters. */
bool lm_sdf_begins(const lm_text *line, const char *words);
/* Reads the next line of the molecule. Fails with LEMAN_ERROR_INPUT at $$$$ and at the end of the file; the message
 * calls the line `what`, or if `of` is not 0, item `number` of `of`. */
leman_status lm_sdf_need_line(lm_sdf *sdf, const char *what, size_t number, size_t of, lm_text *line);

/* Returns columns from .. from+width-1 of a line, counted from 0, without blanks at both ends. The result is shorter or
 * empty if the line ends before. */
lm_text lm_sdf_columns(const lm_text *line, size_t from, size_t width);
/* Reads an integer from these columns. Fails with LEMAN_ERROR_INPUT, and `what` in the message, if there is none or it
 * is not in [min, max]. */
leman_status lm_sdf_number(const lm_text *line, size_t from, size_t width, const char *what, int64_t min, int64_t max,
                           int64_t *value);

/* Adds an atom with its coordinates place[3]. */
leman_status lm_sdf_add_atom(lm_sdf *sdf, const lm_sdf_atom *atom, const double *place);
/* Adds a bond between two atoms, counted from 0, with its wedge; `line` is its line in the file. Type 0 becomes
 * LM_BOND_ANY. */
leman_status lm_sdf_add_bond(lm_sdf *sdf, size_t from, size_t to, int64_t type, int side, size_t line);

/* sdf_atoms.c. Returns the atom of a symbol; its element is -1 if the symbol is unknown. */
lm_sdf_atom lm_sdf_atom_of(const char *symbol, size_t length);
/* Sets *atom from its symbol and the mass difference, charge and valence in its V2000 line. */
leman_status lm_sdf_read_atom(const lm_text *line, const char *symbol, size_t length, lm_sdf_atom *atom);
/* Reads a property line (M  CHG, M  RAD, M  ISO) into sdf->atoms; other lines are ignored. The first line of a kind
 * resets what the atom lines say. Zero-initialise *seen for every molecule. */
typedef struct lm_sdf_seen {
    bool charges, isotopes;
} lm_sdf_seen;
leman_status lm_sdf_read_property(lm_sdf *sdf, const lm_text *line, lm_sdf_seen *seen);
/* Sets the atoms of sdf->molecule, with the hydrogens that follow from their bonds. If valences are given, also sets
 * the radicals. */
leman_status lm_sdf_finish_atoms(lm_sdf *sdf);

/* Fails with LEMAN_ERROR_INPUT if labels are not atoms and bonds. */
lm_format_writer lm_sdf_write;
/* sdf_v3000.c. Reads a molecule behind its counts line, up to M  END. */
leman_status lm_sdf_read_v3000(lm_sdf *sdf);

#endif
