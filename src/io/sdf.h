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
    lm_intern fields;             /* names of data fields */
    lm_vector field;              /* of each: lm_sdf_field */
    lm_vector value;              /* lm_sdf_value */
} lm_sdf;

/* A field becomes a target if it is one number in every molecule. */
typedef struct lm_sdf_field {
    size_t count; /* molecules from the first on in which it was */
    bool broken;  /* in one it was not */
} lm_sdf_field;

typedef struct lm_sdf_value {
    size_t molecule, field;
    double value;
} lm_sdf_value;

/* The next line into *line, without its end; false where there is none. */
bool lm_sdf_line(lm_sdf *sdf, lm_text *line);
bool lm_sdf_begins(const lm_text *line, const char *words);

/* The data fields behind a molecule, to the line $$$$ or the end of the file. */
leman_status lm_sdf_read_fields(lm_sdf *sdf, size_t molecule);
/* Complete fields become the targets of the builder's graphs; the log says which, and which do not. */
leman_status lm_sdf_targets(lm_sdf *sdf);

/* Atomic number; 0 for symbols that stand for several elements or none (R, A, Q, X, *, ...); -1 for anything else. */
int lm_element_number(const char *symbol, size_t length);

#endif
