/*
 * Finds the meaning of vertex attributes: coordinates of atoms, which SDF files have; for the preset that separates
 * them (qm9), which columns repeat the labels, and which are a position. The latter makes one pass over the vertices for each column at which a block of one-hot labels could
 * begin; most passes end at the first vertex.
 */
#include "base/arguments.h"
#include "graph/dataset.h"
#include "leman/report.h"
#include "nn/network.h"
#include <string.h>

/* The columns of QM9: element one-hot (5), seven properties, number of hydrogens, position. */
enum { QM9_COLUMNS = 16, QM9_POSITION = 13, MAX_LABELS = 64 };

/* The different labels of vertices, in the order of their appearance. Returns their number; 0 if there are too many or
 * the data does not have exactly one column of labels. */
static size_t labels_of(const leman_dataset *data, int64_t label[MAX_LABELS])
{
    size_t count = 0;
    if (data->columns.vertex_labels != 1) return 0;
    for (size_t v = 0; v < data->vertices; v++) {
        size_t i = 0;
        while (i < count && label[i] != data->vertex_label[v]) i++;
        if (i < count) continue;
        if (count == MAX_LABELS) return 0;
        label[count++] = data->vertex_label[v];
    }
    return count;
}

/* Returns true if the `count` columns from `first` on are the one-hot labels: a single 1, at the index of the label. */
static bool repeats(const leman_dataset *data, const int64_t *label, size_t count, size_t first)
{
    const size_t columns = data->columns.vertex_attributes;
    size_t place[MAX_LABELS];
    bool taken[MAX_LABELS] = {false};
    for (size_t i = 0; i < count; i++) place[i] = SIZE_MAX;
    for (size_t v = 0; v < data->vertices; v++) {
        const double *value = data->vertex_attribute + v * columns + first;
        size_t at = SIZE_MAX, i = 0;
        for (size_t c = 0; c < count; c++) {
            if (!(value[c] < 0 || value[c] > 0)) continue;
            if (at != SIZE_MAX || value[c] < 1 || value[c] > 1) return false;
            at = c;
        }
        if (at == SIZE_MAX) return false;
        while (label[i] != data->vertex_label[v]) i++;
        if (place[i] == SIZE_MAX && taken[at]) return false;
        if (place[i] != SIZE_MAX && place[i] != at) return false;
        place[i] = at;
        taken[at] = true;
    }
    return count > 1;
}

static bool is_zero(const double *value, size_t count)
{
    size_t i = 0;
    while (i < count && !(value[i] < 0 || value[i] > 0)) i++;
    return i == count;
}

/* What the vertex attributes of a data set are. SDF files have three for every atom, zero where a position is unknown. */
typedef enum attribute_meaning { VALUES, COORDINATES, ZERO_COORDINATES } attribute_meaning;

/* Attributes are coordinates if there are three, and most graphs are molecules: a few may have atoms or bonds that
 * leman_graph_is_molecule() does not know, as hydrogen alone. */
static attribute_meaning meaning_of(const leman_dataset *data)
{
    size_t molecules = 0, others = 0;
    bool placed = false;
    if (data->columns.vertex_attributes != 3 || data->columns.edge_attributes) return VALUES;
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph graph = leman_dataset_graph(data, i);
        const bool molecule = leman_graph_is_molecule(&graph);
        molecules += molecule;
        others += !molecule && graph.vertices;
        placed = placed || (molecule && !is_zero(graph.vertex_attribute, 3 * graph.vertices));
    }
    return molecules <= others ? VALUES : placed ? COORDINATES : ZERO_COORDINATES;
}

/* Leaves coordinates out, and says so. */
static void leave_coordinates_out(leman_context *ctx, const leman_dataset *data, leman_architecture *architecture)
{
    const attribute_meaning meaning = meaning_of(data);
    if (meaning == VALUES) return;
    if (meaning == ZERO_COORDINATES)
        lm_log(ctx, "%s: the coordinates of all atoms are 0, and are left out", data->name);
    else
        lm_log(ctx,
               "%s: the coordinates of the atoms are left out, since they change when a molecule is turned; if "
               "attributes are asked for (standardized or raw), they are read",
               data->name);
    architecture->ignore_attributes = true;
}

leman_status leman_architecture_attributes(leman_context *ctx, const leman_dataset *data,
                                           leman_architecture *architecture, bool *known)
{
    int64_t label[MAX_LABELS];
    leman_architecture a = leman_architecture_default();
    REQUIRE(ctx, data, architecture);
    PASS(lm_options_copy(ctx, "leman_architecture", architecture, &a, sizeof a));
    const size_t columns = data->columns.vertex_attributes;
    if (known) *known = true;
    if (a.ignore_attributes) return LEMAN_OK;
    if (a.preset != LEMAN_PRESET_QM9) leave_coordinates_out(ctx, data, architecture);
    if (a.preset != LEMAN_PRESET_QM9) return LEMAN_OK;
    const size_t labels = labels_of(data, label);
    size_t first = 0;
    while (first + labels <= columns && labels && !repeats(data, label, labels, first)) first++;
    const bool found = labels && first + labels <= columns;
    const bool typed = lm_model_has_sets(&a); /* the types of sets are made of labels */
    const bool placed =
        a.coordinates && a.first_coordinate < first + labels && first < a.first_coordinate + a.coordinates;
    if (found && !a.ignore_vertex_labels && !typed && !placed) { /* the position is not an input */
        lm_log(ctx, "vertex attributes %zu to %zu repeat the vertex labels one-hot: the labels are left out", first,
               first + labels - 1);
        architecture->ignore_vertex_labels = true;
    }
    if (found && !first && !a.coordinates && columns == QM9_COLUMNS) {
        lm_log(ctx, "vertex attributes %d to %d are the positions of QM9's atoms", QM9_POSITION, QM9_COLUMNS - 1);
        architecture->first_coordinate = QM9_POSITION;
        architecture->coordinates = QM9_COLUMNS - QM9_POSITION;
    }
    if (known) *known = architecture->coordinates != 0;
    return LEMAN_OK;
}
