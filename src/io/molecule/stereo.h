/*
 * Stereochemistry of a molecule: what a file says about its tetrahedral atoms and double bonds (stereo.c for SMILES,
 * stereo_places.c for the coordinates and wedges of SDF), and their labels (stereo_labels.c), which do not depend on how
 * the molecule is written.
 */
#ifndef LM_STEREO_H
#define LM_STEREO_H

#include "io/molecule/molecule.h"

/* Labels of atoms and bonds. */
enum { LM_STEREO_NONE, LM_STEREO_R, LM_STEREO_S, LM_STEREO_Z = LM_STEREO_R, LM_STEREO_E };
enum { LM_STEREO_NEIGHBORS = 4 };
#define LM_NO_ATOM UINT32_MAX

/*
 * A tetrahedral atom or a double bond. Neighbours are LM_NO_ATOM for a hydrogen that is no atom, and for a lone pair.
 *   atom    at[0] = at[1]; turn is 1 if neighbours 1, 2, 3 are clockwise as seen from neighbour 0, -1 if they are not
 *   bond    at[0] = at[1] are its ends; neighbours 0, 1 are those of at[0], 2, 3 those of at[1]; turn is 1 if neighbours
 *           0 and 2 are on the same side
 */
struct lm_stereo {
    uint32_t at[2], neighbor[LM_STEREO_NEIGHBORS];
    int8_t turn;
    uint8_t label; /* LM_STEREO_...; NONE: not known yet */
    bool marked;   /* the file has a mark of its own for it, so that it is counted if it gets no label */
};

/* Sets molecule->stereo_at, in scratch memory, to what the file says; `places` if it is an SDF. Marks that can say
 * nothing are counted. O(atoms + bonds). */
leman_status lm_stereo_collect(leman_context *ctx, lm_mol *molecule, bool places, lm_mol_counts *counts);
/* Appends what coordinates and wedges say to molecule->stereo_at. (stereo_places.c) */
void lm_stereo_of_places(lm_mol *molecule, const lm_mol_search *search, lm_mol_counts *counts);
/* Renumbers atoms: number[a] is the new number of atom a, or LM_NO_ATOM if it is left out. A hydrogen that is left out
 * stays a neighbour; an atom that is left out has no stereochemistry. */
void lm_stereo_renumber(lm_mol *molecule, const uint32_t *number);
/* Sets the labels of atoms and bonds. (stereo_labels.c) */
leman_status lm_stereo_label(leman_context *ctx, lm_mol *molecule, lm_mol_counts *counts);

/* Returns the other end of a bond. */
static inline uint32_t lm_other_end(const lm_mol_bond *bond, uint32_t atom)
{
    return bond->from == atom ? bond->to : bond->from;
}
static inline bool lm_is_double(const lm_stereo *s)
{
    return s->at[0] != s->at[1];
}
/* Writes the bonds of an end of a double bond, without that bond, to out[2]. Returns their number, or 3 if there are more
 * than two. */
size_t lm_stereo_end(const lm_mol *molecule, const lm_mol_search *search, uint32_t end, uint32_t other, uint32_t *out);

/* ---- Priorities (priorities.c) --------------------------------------------------------------- */

/*
 * Ranks of atoms in the manner of Cahn, Ingold and Prelog. Workspace of one molecule; its arrays are in scratch memory.
 */
typedef struct lm_priorities {
    const lm_mol *m;
    const lm_mol_search *s;
    uint32_t *rank;        /* [atoms] from 1, higher is prior; atoms that are not told apart have equal ranks */
    uint32_t *next;        /* [atoms] */
    struct lm_sphere *of;  /* [atoms] */
    uint32_t *list;        /* the ranks of neighbours, of all atoms */
    const uint8_t *stereo; /* [bonds] labels of double bonds */
    uint64_t work, most;   /* atoms ranked so far, over all rounds; refinement stops when they exceed `most` */
} lm_priorities;

/* Allocates the workspace and ranks by constitution: elements, then isotopes, then all other properties. */
leman_status lm_priorities_begin(leman_context *ctx, const lm_mol *molecule, const lm_mol_search *search,
                                 const uint8_t *stereo, uint64_t most, lm_priorities *out);
/* Splits atoms of equal rank by key[atoms], the larger key first in priority, and refines until nothing splits. */
void lm_priorities_split(lm_priorities *p, const int64_t *key);

#endif
