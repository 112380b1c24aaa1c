/* Named properties of molecules, which become targets and classes: data fields of an SDF, columns of a table. */
#ifndef LM_PROPERTIES_H
#define LM_PROPERTIES_H

#include "base/text.h"
#include "graph/dataset.h"
#include "io/intern.h"

/* Zero-initialise all members but the first seven; release with lm_properties_free(). */
typedef struct lm_properties {
    leman_context *ctx;
    const char *file;         /* for error messages */
    const char *noun;         /* what messages call a property: "data field", "column" */
    const char *class_column; /* name of the property that becomes the class; NULL: none */
    const char *positive;     /* with commas, its words that are class 1, all others being class 0; NULL: each is one */
    bool class_optional;      /* no such property, or one that cannot be a class, is no fault */
    bool censored;            /* numbers with <, <=, > or >= before them are bounds */
    lm_intern names;
    lm_vector property; /* lm_property */
    lm_vector cell;     /* lm_property_cell: values of possible targets and classes */
    lm_intern words;    /* words of possible classes; the space is the property */
} lm_properties;

/* A property becomes a target if it has values and all of them are numbers. */
typedef struct lm_property {
    size_t seen;           /* the last molecule that has it, plus 1 */
    size_t values;         /* number of molecules with a value */
    size_t bounds;         /* how many of the values are bounds */
    bool words, long_text; /* a value is not a number; a value has several lines */
    bool twice;            /* a molecule has it twice */
    bool may_be_class;     /* its name equals class_column, ignoring case */
    uint64_t odd_line;     /* of the first value such as >10 or 1,5, which is almost a number; 0: none */
    char odd[24];          /* that value */
} lm_property;

typedef struct lm_property_cell {
    size_t molecule;
    uint32_t property, word; /* word: number in lm_properties.words, for the class */
    double value;
    int8_t bound; /* of a number: 1 if it is a lower bound, -1 an upper bound, 0 the value */
} lm_property_cell;

/* Sets *number to the number of the property with this name, and adds the property if it is new. */
leman_status lm_property_add(lm_properties *properties, const char *name, size_t length, uint32_t *number);
/* Records the value of a property for a molecule. `text` is its first line without blanks at both ends, `lines` the
 * number of its lines. Fails with LEMAN_ERROR_INPUT if a possible class is not printable UTF-8. */
leman_status lm_property_value(lm_properties *properties, uint32_t number, size_t molecule, const lm_text *text,
                               size_t lines);
/* Returns true if the text stands for a missing value: empty, or nan, na, n/a or null in upper or lower case, or ?. */
bool lm_property_missing(const char *text, size_t length);
/* At the end of a file: makes the properties that hold numbers targets of the graphs of raw, and logs what became of
 * each property. If class_column names a property of words, makes these words the classes, or 1 and 0 by `positive`. Fails with LEMAN_ERROR_INPUT
 * if class_column is not NULL, not the number of a target and no property, or a property that cannot be a class, unless
 * class_optional is true. If no graph has a name, the column of names is dropped. */
leman_status lm_properties_finish(const lm_properties *properties, lm_raw *raw);
void lm_properties_free(lm_properties *properties);

#endif
