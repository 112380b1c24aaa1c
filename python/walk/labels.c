/* The labels of all edges without their arcs: leman_walk_edge_labels(), which Python calls. */
#include "walk.h"

/* The number of arcs that lists, sets and dictionaries say; ODD if the edges are something else. */
static outcome count_arcs(PyObject *edges, Py_ssize_t *arcs)
{
    PyObject *key, *value;
    bool matrix;
    if (Py_IS_TYPE(edges, &PyDict_Type)) {
        *arcs = 0;
        for (Py_ssize_t place = 0; PyDict_Next(edges, &place, &key, &value);)
            *arcs += walk_is_neighbors(value) ? PyObject_Size(value) : 1;
        return DONE;
    }
    if (!walk_is_neighbors(edges) && !is_sequence(edges)) return ODD;
    TRY(walk_is_matrix(edges, &matrix));
    *arcs = PyObject_Size(edges);
    return matrix ? ODD : DONE;
}

static outcome walk_edge_labels(walk *w, PyObject *graphs)
{
    TRY(push(&w->start, 0));
    for (Py_ssize_t i = 0; i < PyList_Size(graphs); i++) {
        PyObject *graph = PyList_GetItem(graphs, i), *key, *label, *before = NULL;
        Py_ssize_t arcs, count = 0;
        if (!is_sequence(graph) || size_of(graph) < 3 || !Py_IS_TYPE(item_of(graph, 2), &PyDict_Type)) return ODD;
        TRY(count_arcs(item_of(graph, 0), &arcs));
        for (Py_ssize_t place = 0; PyDict_Next(item_of(graph, 2), &place, &key, &label); count++) {
            if (label == before && !w->edge.list) /* the same object as before has the same number */
                TRY(push(&w->edge.whole, w->edge.whole.at[w->edge.whole.count - 1]));
            else
                TRY(walk_add_label(w, &w->edge, label));
            before = label;
        }
        if (count != arcs) return ODD;
        TRY(push(&w->start, w->start.at[i] + (int64_t)count));
    }
    return DONE;
}

/* The labels of all arcs of a list of graphs [edges, vertex labels, edge labels] in the order of the dictionaries, without their arcs:
 * (starts [graphs + 1], labels). None if a graph has another form, or has not as many labels as arcs. */
__attribute__((visibility("default"))) PyObject *leman_walk_edge_labels(PyObject *graphs, PyObject *whole);

PyObject *leman_walk_edge_labels(PyObject *graphs, PyObject *whole)
{
    if (!Py_IS_TYPE(graphs, &PyList_Type) || !Py_IS_TYPE(whole, &PyTuple_Type)) {
        PyErr_SetString(PyExc_TypeError, "leman_walk_edge_labels: expected a list and types");
        return NULL;
    }
    walk w = {.whole = whole};
    int collects = PyGC_Disable();
    outcome found = walk_edge_labels(&w, graphs);
    PyObject *result = NULL;
    if (found == DONE) {
        PyObject *starts = walk_bytes_of(&w.start), *on_edges = walk_labels_of(&w.edge, true);
        if (starts && on_edges) result = PyTuple_Pack(2, starts, on_edges);
        Py_XDECREF(starts);
        Py_XDECREF(on_edges);
    } else if (found != FAILED) {
        result = Py_None;
        Py_INCREF(result);
    }
    PyMem_Free(w.start.at);
    PyMem_Free(w.edge.whole.at);
    Py_XDECREF(w.edge.list);
    if (collects) PyGC_Enable();
    return result;
}
