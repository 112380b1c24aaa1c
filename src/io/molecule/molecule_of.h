/* Graphs of a data set as molecules again, for the writers of SMILES and SDF. */
#ifndef LM_MOLECULE_OF_H
#define LM_MOLECULE_OF_H

#include "io/molecule/molecule.h"

typedef struct lm_mol_source {
    const leman_dataset *data;
    bool hydrogens; /* labels say how many hydrogens atoms have */
} lm_mol_source;

/* LEMAN_ERROR_INPUT where its labels are no atoms and bonds: one column of each, as readers of molecules make them. */
leman_status lm_mol_source_of(leman_context *ctx, const leman_dataset *data, lm_mol_source *source);
/* One graph. Hydrogens that labels do not say are those of the standard valences, and of aromatic nitrogen as many as a
 * Kekulé structure needs. */
leman_status lm_mol_of_graph(leman_context *ctx, const lm_mol_source *source, size_t graph, lm_mol *molecule);
/* One graph on its own, for drawings: label columns are those of LEMAN_ATOM_COLUMNS by default, or the first is the
 * label. */
leman_status lm_mol_of_view(leman_context *ctx, const leman_graph *graph, lm_mol *molecule);

/* ---- Names in files (written_names.c) -------------------------------------------------------- */

enum { LM_TARGET_TEXT = 40 };

/* LEMAN_ERROR_INPUT and a sentence where an SDF, or a file of SMILES, would be read back with other names of graphs,
 * targets or classes than the data have. */
leman_status lm_mol_check_names(leman_context *ctx, const leman_dataset *data, bool sdf);
/* What a file calls a target: its name, or target_2, in number; and a class: its name or number, "" where it is not
 * known. Not NUL-terminated. */
const char *lm_mol_target_name(const leman_dataset *data, size_t column, char number[LM_TARGET_TEXT], size_t *length);
const char *lm_mol_class_text(const leman_dataset *data, size_t graph, char number[LM_TARGET_TEXT], size_t *length);

#endif
