/* Decides whether a graph is a molecule, by its labels and the bonds of every atom. O(vertices + edges). */
#include "io/molecule/molecule.h"
#include "leman/report.h"

/* Returns the largest sum of bond orders of an element, with charges and in compounds such as sulfates; -1: not found
 * in such molecules. */
static int max_valence(int element)
{
    static const int8_t VALENCES[] = {-1, 1, 0, 1, 2, 4, 4, 5, 3, 1, 0, 1, 4, 4, 6, 6, 6, 7, 0, 1, 2};
    if (element < (int)sizeof VALENCES) return VALENCES[element];
    return element <= 118 ? 8 : -1;
}

/* Labels of a molecule are elements, and bonds of order 1 to 3, aromatic (4) or of the rare types of SDF files. No atom
 * has more bonds than it can have. */
bool leman_graph_is_molecule(const leman_graph *g)
{
    bool heavy = false;
    if (!g || g->directed || g->vertex_labels < 1 || g->edge_labels < 1) return false;
    for (size_t v = 0; v < g->vertices; v++) {
        const int element = lm_atom_element(g->vertex_label[v * g->vertex_labels]);
        double bonds = 0;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            const int64_t type = lm_bond_of_label(g->edge_label[e * g->edge_labels]);
            if (type < 1 ||
                (type > LM_BOND_AROMATIC && type != LM_BOND_ANY && type != LM_BOND_DATIVE && type != LM_BOND_QUADRUPLE))
                return false;
            bonds += type >= LM_BOND_AROMATIC ? 1 : (double)type; /* a ring atom with =O also has two aromatic bonds */
        }
        if (bonds > max_valence(element) + 0.5) return false;
        heavy |= element > 1;
    }
    return heavy;
}
