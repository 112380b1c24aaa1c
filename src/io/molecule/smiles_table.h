/*
 * Reads lines with a SMILES each: .smi files and tables. The reader stops between two lines, so that graphs can be read
 * in slices:
 *
 *   lm_smiles_reader reader = lm_smiles_reader_of(ctx, path, bytes, options);
 *   TRY(lm_smiles_begin(&reader));
 *   while (!reader.ended) TRY(lm_smiles_lines(&reader, raw, 100000)); // and process raw
 *   done: lm_smiles_end(&reader);
 */
#ifndef LM_SMILES_TABLE_H
#define LM_SMILES_TABLE_H

#include "base/text.h"
#include "io/csv.h"
#include "io/format.h"
#include "io/molecule/molecule.h"
#include "io/molecule/properties.h"
#include "io/stream/lines.h"

/* Made by lm_smiles_reader_of(); release with lm_smiles_end(). */
typedef struct lm_smiles_reader {
    lm_text text; /* its position is the next line to read */
    lm_mol_choices choices;
    const char *smiles_column;
    bool skip; /* skip lines that cannot be read */
    lm_properties properties;
    const char *path;              /* its ending tells tables (.csv) from .smi files */
    const char *begin;             /* beginning of the text */
    uint64_t done_begin, done_end; /* progress at the beginning and at the end of the text */
    char separator;      /* '\t', ';', ',', or ' ' for blanks; 0: a SMILES, then a name that may contain blanks */
    size_t smiles, name; /* columns; SIZE_MAX: there are no names */
    lm_vector cell;      /* lm_field: cells of the current line */
    lm_vector property;  /* uint32_t for each column: its property, or UINT32_MAX */
    lm_vector undoubled; /* char: buffer of cell texts */
    lm_mol molecule;
    lm_mol_counts counts;
    size_t skipped, extensions; /* lines that were skipped; |...| of CXSMILES that were ignored */
    char first_skipped[LM_SENTENCE];
    bool ended;
    lm_lines *lines; /* gets the line of each graph; or NULL */
    lm_flat flat;    /* the graphs; their names, classes and targets are in raw */
} lm_smiles_reader;

/* Returns a reader of the text in `bytes`. `path` is used in messages. The options must be complete. */
lm_smiles_reader lm_smiles_reader_of(leman_context *ctx, const char *path, lm_bytes bytes,
                                     const leman_read_options *options);
/* Finds the columns and whether there is a header. The text must hold the first two lines, or the whole file. Fails
 * with LEMAN_ERROR_INPUT if the text is empty or the column that was asked for does not exist. */
leman_status lm_smiles_begin(lm_smiles_reader *reader);
/* Returns true if the text is too short to tell a header from a molecule, that is, if its second line is missing and
 * needed. */
bool lm_smiles_needs_second_line(lm_text text);
/* Returns true if a word of the first line contains "smiles", in upper or lower case, as the header of a table of
 * molecules does. */
bool lm_smiles_table_is(lm_bytes bytes);
/* *only is true if each of the first lines is a SMILES and nothing else. */
leman_status lm_smiles_lines_only(leman_context *ctx, lm_bytes bytes, bool *only);
/* Appends the graphs of the next lines to reader->flat, and their names to raw. Reads at most `limit` lines with
 * molecules. Sets reader->ended at the end of the text. */
leman_status lm_smiles_lines(lm_smiles_reader *reader, lm_raw *raw, size_t limit);
void lm_smiles_end(lm_smiles_reader *reader);

/* Fails with LEMAN_ERROR_INPUT if labels are not atoms and bonds. */
lm_format_writer lm_smiles_write;
/* Returns the columns of a data set of SMILES; names: graphs have names. */
leman_columns lm_smiles_columns(const lm_mol_choices *choices, bool names);
/* Logs how many SMILES and which properties of molecules were left out. */
void lm_smiles_log(const lm_smiles_reader *reader, const char *name);

/* Splits the line [at, end) into reader->cell. Fails with LEMAN_ERROR_INPUT for wrong quotes. */
leman_status lm_smiles_cells(lm_smiles_reader *reader, const char *at, const char *end);
/* Returns the text [at, end) without blanks at both ends. */
lm_field lm_smiles_trimmed(const char *at, const char *end);
/* Appends the graph of one SMILES, the text of `line`. If the SMILES is invalid, fails with LEMAN_ERROR_INPUT or, if
 * reader->skip, sets *kept to false. `begin` is the beginning of the line, for the column in messages. */
leman_status lm_smiles_add(lm_smiles_reader *reader, lm_raw *raw, const lm_text *line, const char *begin, bool *kept);

#endif
