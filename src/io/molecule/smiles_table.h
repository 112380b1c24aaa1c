/*
 * Lines with a SMILES each: .smi files and tables. The reader stands between two lines, so graphs can be had in slices:
 *
 *   lm_smiles_reader reader = {...};
 *   TRY(lm_smiles_begin(&reader));
 *   while (!reader.ended) TRY(lm_smiles_lines(&reader, raw, 100000)); // and make something of raw
 *   done: lm_smiles_end(&reader);
 */
#ifndef LM_SMILES_TABLE_H
#define LM_SMILES_TABLE_H

#include "base/text.h"
#include "io/csv.h"
#include "io/molecule/molecule.h"
#include "io/molecule/properties.h"

/* Zero-initialise but for the first six. */
typedef struct lm_smiles_reader {
    lm_text text; /* at the line to be read next */
    lm_mol_choices choices;
    const char *smiles_column;
    bool skip;                     /* what cannot be read */
    lm_properties properties;      /* its first four members */
    const char *path;              /* whose ending may be .csv */
    const char *begin;             /* of the text */
    uint64_t done_begin, done_end; /* progress at the beginning and at the end of the text */
    char separator;      /* '\t', ';', ',', or ' ' for blanks; 0: a name with blanks stands behind the SMILES */
    size_t smiles, name; /* columns; SIZE_MAX: there is no name */
    size_t columns;      /* of the header; SIZE_MAX: there is none */
    lm_vector cell;      /* lm_field: of a line */
    lm_vector property;  /* uint32_t: of each column, UINT32_MAX where it is none */
    lm_vector undoubled; /* char */
    lm_mol molecule;
    lm_mol_counts counts;
    size_t skipped, extensions; /* lines; |...| of CXSMILES that were passed over */
    char first_skipped[LM_SENTENCE];
    bool ended, named;
    lm_flat flat; /* the graphs; raw has their names, classes and targets */
} lm_smiles_reader;

/* Finds the columns, and if there is a header; the text holds the first two lines, or all there are. */
leman_status lm_smiles_begin(lm_smiles_reader *reader);
/* Is a line missing in this text, without which a header cannot be told from a molecule? */
bool lm_smiles_needs_second_line(lm_text text);
/* The next lines as graphs of reader->flat, at most `limit` molecules. */
leman_status lm_smiles_lines(lm_smiles_reader *reader, lm_raw *raw, size_t limit);
void lm_smiles_end(lm_smiles_reader *reader);

/* The columns of its graphs; what was left out goes to the log. */
leman_columns lm_smiles_columns(const lm_mol_choices *choices, bool names);
void lm_smiles_log(const lm_smiles_reader *reader, const char *name);

/* The cells of a line, which begins at text->at, into reader->cell; the text goes behind it. */
leman_status lm_smiles_cells(lm_smiles_reader *reader, const char *at, const char *end);
/* The text from at to end without the blanks around it. */
lm_field lm_smiles_trimmed(const char *at, const char *end);
/* Passes over blank lines and comments to the next line, whose end is in *end; false where there is none. */
bool lm_smiles_next_line(lm_text *text, const char **end);
/* One molecule: LEMAN_OK and *kept false where it is left out. begin: of the line, for the column in messages. */
leman_status lm_smiles_add(lm_smiles_reader *reader, lm_raw *raw, const lm_text *line, const char *begin, bool *kept);

#endif
