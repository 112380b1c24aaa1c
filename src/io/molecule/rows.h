/* Rows of files of molecules, filled by the readers of SMILES and SDF (leman_rows in leman/io.h). */
#ifndef LM_ROWS_H
#define LM_ROWS_H

#include "base/text.h"
#include "io/molecule/molecule.h"

/* Makes an empty list. columns: names of columns separated by commas; NULL: none. */
leman_status lm_rows_new(leman_context *ctx, const char *columns, leman_rows **out);
/* Appends a row, whose graph is the next one unless `fault` says why there is none. The texts are copied. */
leman_status lm_rows_add(leman_context *ctx, leman_rows *rows, uint64_t line, const lm_text *name,
                         const lm_text *smiles, const char *fault);
/* Stores the text of a cell or field for the last row if its column, name[length], is wanted. */
leman_status lm_rows_cell(leman_context *ctx, leman_rows *rows, const char *name, size_t length, const lm_text *text);
/* Marks a column that the file has. */
void lm_rows_found(leman_rows *rows, const char *name, size_t length);
/* Fails with LEMAN_ERROR_INPUT if a wanted column was not found; `noun` is "column" or "data field". */
leman_status lm_rows_check(leman_context *ctx, const leman_rows *rows, const char *file, const char *noun);

#endif
