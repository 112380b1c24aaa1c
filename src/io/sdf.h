/*
 * SDF and MOL files, V2000: molecules (sdf.c) whose data fields may become targets (sdf_fields.c).
 */
#ifndef LM_SDF_H
#define LM_SDF_H

#include "base/text.h"
#include "io/format.h"
#include "io/intern.h"

typedef struct lm_sdf {
    lm_text text; /* at the line to be read next */
    leman_builder *builder;
    bool lines;                   /* keep the line of each bond, for the policy's sentences */
    lm_vector name;               /* char: the title, NUL behind it */
    size_t charged, placeholders; /* molecules with charges; atoms that are no element */
    const char *class_column;     /* the data field that is the class; NULL: none */
    lm_intern fields;             /* names of data fields */
    lm_vector field;              /* of each: lm_sdf_field */
    lm_vector value;              /* lm_sdf_value */
    lm_intern words;              /* values of the class field; the space is the field */
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

#endif
