/*
 * Finished cells of a table that takes hours: a text file to which one line is added for every cell, so that a run that
 * was interrupted goes on behind the last one, and so that several runs fill one table.
 *
 *   leman cells 1
 *   accuracy ENZYMES delta-2-LWL done 0.1.0 10 1 9f6e... 57.5 0.4 ... note checksum
 *
 * Fields have tabs between them: quantity, set, method, state, version, repetitions, seed, checksum of the data, eight
 * numbers in the order of leman_cell, a note, and the checksum of the line so far. A line that is cut off or damaged is
 * left out with a message: its cell is computed again.
 */
#ifndef LM_CELLS_H
#define LM_CELLS_H

#include "base/context.h"
#include "base/file.h"

/* Zero-initialise; lm_cells_close() at the end. */
typedef struct lm_cells {
    lm_vector cell; /* leman_cell, in the order of the file */
    int file;       /* descriptor, for adding */
    bool open;
} lm_cells;

/* Reads the cells of a file. Anything but such a file is LEMAN_ERROR_INPUT. */
leman_status lm_cells_parse(leman_context *ctx, const char *path, lm_bytes bytes, lm_cells *cells);
/* Reads the file, which need not exist, and keeps it open for adding where `adding`. */
leman_status lm_cells_open(leman_context *ctx, const char *path, bool adding, lm_cells *cells);
/* The cell joins the others, and the file where one is open for adding: in one write, which a crash can only cut off.
 */
leman_status lm_cells_add(leman_context *ctx, const char *path, lm_cells *cells, const leman_cell *cell);
void lm_cells_close(leman_context *ctx, lm_cells *cells);

/*
 * The best cell that there is for quantity, set, method, seed and data of *wanted, or NULL: one that has a number, with
 * the most repetitions and at least wanted->repetitions of them where they count; else one that failed though it had as
 * much memory or time as *wanted has. any: of any data, seed, repetitions and limits. O(cells).
 */
const leman_cell *lm_cells_find(const lm_cells *cells, const leman_cell *wanted, bool any);

#endif
