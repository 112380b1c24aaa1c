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
    bool skip;         /* skip lines that cannot be read */
    leman_rows *rows;  /* gets every line; NULL: not wanted */
    lm_vector heading; /* lm_field: the names of all columns, for rows; empty without a header */
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
    bool ended;      /* all rows of the text were read */
    bool continues;  /* the file goes on behind the text */
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
/* Returns true if the first line is a header of a table with a column called structure, mol, molecule or compound, and
 * the line below has a SMILES there. */
bool lm_smiles_structures_are(leman_context *ctx, lm_bytes bytes);
/* *only is true if each of the first lines is a SMILES and nothing else. */
leman_status lm_smiles_lines_only(leman_context *ctx, lm_bytes bytes, bool *only);
/* Appends the graphs of the next rows to reader->flat, and their names to raw. Reads at most `limit` rows with
 * molecules. Sets reader->ended at the end of the text. If reader->continues, reader->text stays before a row that the
 * text has only a part of. */
leman_status lm_smiles_lines(lm_smiles_reader *reader, lm_raw *raw, size_t limit);
void lm_smiles_end(lm_smiles_reader *reader);

/* Writes the SMILES of a molecule to text (char), in place of what it holds. */
leman_status lm_smiles_text(leman_context *ctx, const lm_mol *molecule, lm_vector *text);
/* Words that take the place of those of SMILES: the text of an atom, and of a bond that is followed from atom `from`. */
typedef struct lm_smiles_words {
    void (*atom)(const void *user, uint32_t atom, lm_output *out);
    void (*bond)(const void *user, uint32_t bond, uint32_t from, lm_output *out);
    const void *user;
} lm_smiles_words;
/* Appends the line to text (char), without a zero byte. With words, atoms and bonds[].from and to of the molecule are the
 * only members that are read. */
leman_status lm_smiles_append(leman_context *ctx, const lm_mol *molecule, const lm_smiles_words *words,
                              lm_vector *text);
/* Fails with LEMAN_ERROR_INPUT if labels are not atoms and bonds. */
lm_format_writer lm_smiles_write;
/* Returns the columns of a data set of SMILES; names: graphs have names. */
leman_columns lm_smiles_columns(const lm_mol_choices *choices, bool names);
/* Logs how many SMILES and which properties of molecules were left out. */
void lm_smiles_log(const lm_smiles_reader *reader, const char *name);

/* Returns the end of the row of reader->text that begins with the line [at, end), which is `end` itself if a quote is not
 * closed. */
const char *lm_smiles_row_end(const lm_smiles_reader *reader, const char *at, const char *end);
/* Splits the row of reader->text that begins with the line [at, end) into reader->cell. Fails with LEMAN_ERROR_INPUT for
 * wrong quotes. */
leman_status lm_smiles_cells(lm_smiles_reader *reader, const char *at, const char *end);
/* Returns the text [at, end) without blanks at both ends. */
lm_field lm_smiles_trimmed(const char *at, const char *end);
/* Appends the graph of one SMILES, the text of `line`. If the SMILES is invalid, fails with LEMAN_ERROR_INPUT or, if
 * reader->skip, sets *kept to false. `begin` is the beginning of the line, for the column in messages. */
leman_status lm_smiles_add(lm_smiles_reader *reader, lm_raw *raw, const lm_text *line, const char *begin, bool *kept);

#endif
