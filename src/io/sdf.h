/*
 * SDF and MOL files, V2000: molecules (sdf.c) whose data fields may become targets (sdf_fields.c).
 */
#ifndef LM_SDF_H
#define LM_SDF_H

#include "base/text.h"
#include "io/format.h"
#include "io/intern.h"

/* What is known about an atom. */
typedef struct lm_sdf_atom {
    int64_t element, charge, isotope, radical; /* isotope: its mass, 0 for none */
    int64_t named_isotope;                     /* of D and T, whatever properties say of others */
} lm_sdf_atom;

typedef struct lm_sdf {
    lm_text text; /* at the line to be read next */
    leman_builder *builder;
    bool lines;                         /* keep the line of each bond, for the policy's sentences */
    lm_vector name;                     /* char: the title, NUL behind it */
    size_t placeholders;                /* atoms that are no element */
    unsigned labels;                    /* LEMAN_ATOM_...: what the labels say */
    lm_vector atoms;                    /* lm_sdf_atom: of the molecule that is read */
    size_t charges, isotopes, radicals; /* atoms that have them */
    const char *class_column;           /* the data field that is the class; NULL: none */
    lm_intern fields;                   /* names of data fields */
    lm_vector field;                    /* of each: lm_sdf_field */
    lm_vector value;                    /* lm_sdf_value */
    lm_intern words;                    /* values of the class field; the space is the field */
} lm_sdf;

/* A field becomes a target if it has values and all of them are numbers. */
typedef struct lm_sdf_field {
    size_t seen;           /* the last molecule that has it, + 1 */
    size_t values;         /* molecules with a value */
    bool words, long_text; /* one of them is no number, has several lines */
    bool twice;            /* a molecule has it twice */
} lm_sdf_field;

typedef struct lm_sdf_value {
    size_t molecule;
    uint32_t field, word; /* of lm_sdf.words, for the class */
    double value;
} lm_sdf_value;

/* The next line into *line, without its end; false where there is none. */
bool lm_sdf_line(lm_sdf *sdf, lm_text *line);
bool lm_sdf_begins(const lm_text *line, const char *words);

/* Columns from .. from+width-1 of a line, counted from 0, as far as it has them, blanks at both ends left out; and a
 * whole number from min to max that stands there. */
lm_text lm_sdf_columns(const lm_text *line, size_t from, size_t width);
leman_status lm_sdf_number(const lm_text *line, size_t from, size_t width, const char *what, int64_t min, int64_t max,
                           int64_t *value);

/* sdf_atoms.c. What is asked for, complete; how many label columns that makes. */
unsigned lm_sdf_atom_labels(unsigned asked);
size_t lm_sdf_label_columns(unsigned labels);
/* An atom by its symbol and line. */
leman_status lm_sdf_read_atom(const lm_text *line, const char *symbol, size_t length, lm_sdf_atom *atom);
/* A property line of the molecule whose atoms are in sdf->atoms; `seen` begins as all false. */
typedef struct lm_sdf_seen {
    bool charges, isotopes;
} lm_sdf_seen;
leman_status lm_sdf_read_property(lm_sdf *sdf, const lm_text *line, lm_sdf_seen *seen);
/* The labels of the molecule's atoms, which are the builder's last vertices. */
void lm_sdf_label_atoms(lm_sdf *sdf);
/* What there was, and what became of it. */
void lm_sdf_log_atoms(const lm_sdf *sdf, const char *name);

/* The data fields behind a molecule, to the line $$$$ or the end of the file. */
leman_status lm_sdf_read_fields(lm_sdf *sdf, size_t molecule);
/* Fields of numbers become the targets of the builder's graphs; the log says which, and what the others are. */
leman_status lm_sdf_targets(lm_sdf *sdf);
/* Where class_column names a field of words, they become the classes. */
leman_status lm_sdf_classes(lm_sdf *sdf);

/* Atomic number; 0 for symbols that stand for several elements or none (R, A, Q, X, *, ...); -1 for anything else. */
int lm_element_number(const char *symbol, size_t length);
/* "Cl" for 17; NULL for numbers that no element has. */
const char *lm_element_symbol(int number);
/* The atomic number in a label of sdf_atoms.c, 0 where it is none; and such a label as chemists write it, "N+", "13C",
 * "O-"; false where it is no atom's. */
int lm_atom_element(int64_t label);
bool lm_atom_text(int64_t label, char *text, size_t size);

#endif
