/* Properties of molecules by name, which become targets and classes: data fields of an SDF, columns of a table. */
#ifndef LM_PROPERTIES_H
#define LM_PROPERTIES_H

#include "base/text.h"
#include "graph/dataset.h"
#include "io/intern.h"

/* Zero-initialise but for the first four; lm_properties_free() at the end. */
typedef struct lm_properties {
    leman_context *ctx;
    const char *file;         /* for messages */
    const char *noun;         /* "data field", "column" */
    const char *class_column; /* the property that is the class; NULL: none */
    lm_intern names;
    lm_vector property; /* lm_property */
    lm_vector cell;     /* lm_property_cell: values that may be needed */
    lm_intern words;    /* values of the class; the space is the property */
} lm_properties;

/* One becomes a target if it has values and all of them are numbers. */
typedef struct lm_property {
    size_t seen;           /* the last molecule that has it, + 1 */
    size_t values;         /* molecules with a value */
    bool words, long_text; /* one of them is no number, has several lines */
    bool twice;            /* a molecule has it twice */
    bool may_be_class;     /* class_column is its name, in this or another case */
} lm_property;

typedef struct lm_property_cell {
    size_t molecule;
    uint32_t property, word; /* of lm_properties.words, for the class */
    double value;
} lm_property_cell;

/* The number of the property of that name. */
leman_status lm_property_add(lm_properties *properties, const char *name, size_t length, uint32_t *number);
/* A molecule has it: with a number, a word, something longer (lines > 1), or nothing. The text has no blanks at its
 * ends. */
leman_status lm_property_value(lm_properties *properties, uint32_t number, size_t molecule, const lm_text *text,
                               size_t lines);
/* Is such a text no value: nothing, or one of the words that tables write for it (nan, na, n/a in any case)? */
bool lm_property_missing(const char *text, size_t length);
/* Numbers become the targets of the graphs of raw; the log says which, and what the others are. */
leman_status lm_properties_targets(const lm_properties *properties, lm_raw *raw);
/* Where class_column names a property of words, they become the classes. */
leman_status lm_properties_classes(const lm_properties *properties, lm_raw *raw);
void lm_properties_free(lm_properties *properties);

#endif
