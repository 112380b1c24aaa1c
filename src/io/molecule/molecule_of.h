/* Turns graphs of a data set into molecules, for the writers of SMILES and SDF. */
#ifndef LM_MOLECULE_OF_H
#define LM_MOLECULE_OF_H

#include "io/molecule/molecule.h"

/* Writes the molecule of graph number `graph`, or what stands before the first graph if the molecule is NULL. */
typedef leman_status lm_mol_writer(const leman_dataset *data, size_t graph, const lm_mol *molecule, lm_output *out);
/* Writes an SDF (sdf) or a file of SMILES: calls `write` with NULL and then with the molecule of every graph. Hydrogens
 * that the labels do not contain follow from the standard valences; aromatic atoms such as nitrogen get those that a
 * Kekulé structure needs. An SDF has the single and double bonds of a Kekulé structure, as the format asks for, if the
 * aromatic rings were found by a model, so that readers find them again. Logs which columns are dropped. Fails with LEMAN_ERROR_INPUT if the data set is directed, does
 * not have one column of vertex labels and one of edge labels, has labels that are not atoms and bonds, or fails
 * lm_mol_check_names(). */
leman_status lm_mol_write_all(leman_context *ctx, const leman_dataset *data, bool sdf, lm_mol_writer *write,
                              lm_output *out);
/* Returns the options with which the molecules of a data set were read. */
leman_read_options lm_mol_reading_of(leman_context *ctx, const leman_dataset *data);
/* Returns true if the third coordinate of an atom is not 0. */
bool lm_mol_in_space(const lm_mol *molecule);
/* Sets *molecule to a single graph, for drawings. The label columns are the default ones of LEMAN_ATOM_COLUMNS if their
 * number fits; otherwise the first column is the label. Fails with LEMAN_ERROR_INPUT if an edge label is not a bond. */
leman_status lm_mol_of_view(leman_context *ctx, const leman_graph *graph, lm_mol *molecule);

/* Returns true if a ring of fewer than eight atoms has bond i. far[atoms] is zero between calls. Overwrites search->stack.
 * (sdf_write.c) */
bool lm_mol_in_small_ring(const lm_mol *molecule, const lm_mol_search *search, size_t bond, uint32_t *far);
/* Sets the marks / and \ beside the double bonds that have a label, from the coordinates (sides.c). */
leman_status lm_mol_mark_double_bonds(leman_context *ctx, lm_mol *molecule);

/* ---- Names in files (written_names.c) -------------------------------------------------------- */

enum { LM_TARGET_TEXT = 40 };

/* Fails with LEMAN_ERROR_INPUT if names of graphs, names of targets, targets or classes would be read back differently
 * from an SDF (sdf) or from a file of SMILES. */
leman_status lm_mol_check_names(leman_context *ctx, const leman_dataset *data, bool sdf);
/* Returns the name of a target in a file: its own name, or "target_2", written to `number`. Not NUL-terminated. */
const char *lm_mol_target_name(const leman_dataset *data, size_t column, char number[LM_TARGET_TEXT], size_t *length);
/* Returns the class of a graph in a file: its name, its number, written to `number`, or "" if it is missing. Not
 * NUL-terminated. */
const char *lm_mol_class_text(const leman_dataset *data, size_t graph, char number[LM_TARGET_TEXT], size_t *length);

#endif
