/*
 * SDF and MOL files: molecules of V2000 (sdf.c) and V3000 (sdf_v3000.c) connection tables, and their data fields
 * (sdf_fields.c).
 */
#ifndef LM_SDF_H
#define LM_SDF_H

#include "base/text.h"
#include "io/format.h"
#include "io/intern.h"
#include "io/molecule/molecule.h"
#include "io/molecule/properties.h"

/* What is known about an atom. */
typedef struct lm_sdf_atom {
    int64_t element, charge, isotope, radical; /* isotope: its mass, 0 for none */
    int64_t named_isotope;                     /* of D and T, whatever properties say of others */
    int64_t valence;                           /* of all bonds, hydrogens included; 0: not given, -1: none */
} lm_sdf_atom;

typedef struct lm_sdf {
    lm_text text; /* at the line to be read next */
    lm_raw *raw;
    lm_vector atoms;   /* lm_sdf_atom: of the molecule that is read */
    lm_mol molecule;   /* its places and bonds, and in the end its atoms */
    size_t first_line; /* of it */
    lm_vector line;    /* char: a V3000 line that is continued on others, put together */
    lm_intern numbers; /* what V3000 calls the atoms, as 64-bit words; empty while it counts them from 1 */
    lm_mol_choices choices;
    lm_mol_counts counts;
    lm_properties properties;
} lm_sdf;

/* The next line into *line, without its end; false where there is none. */
bool lm_sdf_line(lm_sdf *sdf, lm_text *line);
bool lm_sdf_begins(const lm_text *line, const char *words);
/* The next line, which the molecule must have: `what`, or item `number` of `of` where that is not 0. */
leman_status lm_sdf_need_line(lm_sdf *sdf, const char *what, size_t number, size_t of, lm_text *line);

/* Columns from .. from+width-1 of a line, counted from 0, as far as it has them, blanks at both ends left out; and a
 * whole number from min to max that stands there. */
lm_text lm_sdf_columns(const lm_text *line, size_t from, size_t width);
leman_status lm_sdf_number(const lm_text *line, size_t from, size_t width, const char *what, int64_t min, int64_t max,
                           int64_t *value);

/* One more atom, at a place; a bond between two atoms, counted from 0, that stands on this line. */
leman_status lm_sdf_add_atom(lm_sdf *sdf, const lm_sdf_atom *atom, const double *place);
leman_status lm_sdf_add_bond(lm_sdf *sdf, size_t from, size_t to, int64_t type, size_t line);

/* sdf_atoms.c. An atom by its symbol, and what its V2000 line says. */
lm_sdf_atom lm_sdf_atom_of(const char *symbol, size_t length);
leman_status lm_sdf_read_atom(const lm_text *line, const char *symbol, size_t length, lm_sdf_atom *atom);
/* A property line of the molecule whose atoms are in sdf->atoms; `seen` begins as all false. */
typedef struct lm_sdf_seen {
    bool charges, isotopes;
} lm_sdf_seen;
leman_status lm_sdf_read_property(lm_sdf *sdf, const lm_text *line, lm_sdf_seen *seen);
/* The atoms of the molecule, with the hydrogens that follow from their bonds, and the radicals where a valence is
 * given. */
leman_status lm_sdf_finish_atoms(lm_sdf *sdf);

/* sdf_v3000.c. A molecule behind its counts line, to M  END. */
leman_status lm_sdf_read_v3000(lm_sdf *sdf);

/* sdf_fields.c. The data fields behind a molecule, to the line $$$$ or the end of the file. */
leman_status lm_sdf_read_fields(lm_sdf *sdf, size_t molecule);

#endif
