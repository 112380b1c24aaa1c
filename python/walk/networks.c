/* Graphs of networkx: leman_walk_networks(), which Python calls with the two dictionaries that a graph consists of. */
#include "walk.h"

/* Which labels are asked for, and how many vertices and arcs have them. */
typedef struct networks {
    walk walk;
    PyObject *on_nodes, *on_edges; /* texts, or None */
    size_t labelled[2], unlabelled[2];
} networks;

/* Finds an attribute by its name, or none for None, without running code of the user: the keys must be texts. *value: NULL if it is
 * missing. Attributes of other names than "label" are odd, since the caller names those that it does not read. */
static outcome find_attribute(PyObject *data, PyObject *name, PyObject **value)
{
    PyObject *key, *found;
    *value = NULL;
    if (!Py_IS_TYPE(data, &PyDict_Type)) return ODD;
    for (Py_ssize_t place = 0; PyDict_Next(data, &place, &key, &found);) {
        if (!Py_IS_TYPE(key, &PyUnicode_Type)) return ODD;
        if (name != Py_None && (key == name || PyUnicode_Compare(key, name) == 0))
            *value = found;
        else if (PyUnicode_CompareWithASCIIString(key, "label") != 0)
            return ODD;
    }
    return DONE;
}

/* Adds the label of a vertex (which: 0) or of an arc (1). */
static outcome add_label(networks *n, int which, PyObject *data)
{
    PyObject *name = which ? n->on_edges : n->on_nodes, *label;
    TRY(find_attribute(data, name, &label));
    if (name == Py_None) return DONE;
    if (!label) {
        n->unlabelled[which]++;
        return DONE;
    }
    n->labelled[which]++;
    return walk_add_label(&n->walk, which ? &n->walk.edge : &n->walk.vertex, label);
}

/* The arcs from `tail`: {head: attributes}, or {head: {key: attributes}} if there are several between two vertices. */
static outcome add_arcs(networks *n, int64_t tail, PyObject *neighbors, bool several)
{
    PyObject *name, *data, *key, *each;
    int64_t head;
    if (!Py_IS_TYPE(neighbors, &PyDict_Type)) return ODD;
    for (Py_ssize_t place = 0; PyDict_Next(neighbors, &place, &name, &data);) {
        TRY(number_of(&n->walk, name, &head));
        if (several && !Py_IS_TYPE(data, &PyDict_Type)) return ODD;
        Py_ssize_t at = 0;
        for (bool more = several ? PyDict_Next(data, &at, &key, &each) : (each = data, true); more;
             more = several && PyDict_Next(data, &at, &key, &each)) {
            TRY(push(&n->walk.tail, tail));
            TRY(push(&n->walk.head, head));
            TRY(add_label(n, 1, each));
        }
    }
    return DONE;
}

static outcome add_structure(networks *n, PyObject *adjacency, PyObject *nodes, bool several)
{
    PyObject *name, *data;
    int64_t tail;
    for (Py_ssize_t place = 0; PyDict_Next(nodes, &place, &name, &data);) TRY(walk_add_vertex(&n->walk, name));
    for (Py_ssize_t place = 0; PyDict_Next(adjacency, &place, &name, &data);) {
        TRY(number_of(&n->walk, name, &tail));
        TRY(add_arcs(n, tail, data, several));
    }
    return n->walk.size == (int64_t)PyDict_Size(nodes) ? DONE : ODD;
}

static outcome walk_network(networks *n, PyObject *adjacency, PyObject *nodes, bool several)
{
    walk *w = &n->walk;
    PyObject *name, *data;
    if (!Py_IS_TYPE(adjacency, &PyDict_Type) || !Py_IS_TYPE(nodes, &PyDict_Type)) return ODD;
    w->general = false;
    w->first = w->size = 0;
    w->first_arc = w->tail.count;
    const size_t labelled = n->labelled[1], unlabelled = n->unlabelled[1];
    outcome found = add_structure(n, adjacency, nodes, several);
    if (found == NAMED) {
        n->labelled[1] = labelled;
        n->unlabelled[1] = unlabelled;
        TRY(walk_use_names(w));
        found = add_structure(n, adjacency, nodes, several);
    }
    TRY(found);
    for (Py_ssize_t place = 0; PyDict_Next(nodes, &place, &name, &data);) TRY(add_label(n, 0, data));
    /* Labels that are words stay in the order of the dictionaries. */
    if (!w->edge.list)
        TRY(walk_sort_arcs(w, n->labelled[1] && !n->unlabelled[1] ? w->edge.whole.at + w->first_arc : NULL));
    TRY(walk_keep_names(w));
    return walk_end_graph(w);
}

static outcome walk_all(networks *n, PyObject *adjacency, PyObject *nodes, PyObject *several)
{
    TRY(push(&n->walk.start, 0));
    for (Py_ssize_t i = 0; i < PyList_Size(adjacency); i++)
        TRY(walk_network(n, PyList_GetItem(adjacency, i), PyList_GetItem(nodes, i),
                         PyList_GetItem(several, i) == Py_True));
    for (int which = 0; which < 2; which++)
        if (n->labelled[which] && n->unlabelled[which]) return ODD;
    n->walk.labelled = n->labelled[0];
    n->walk.marked_arcs = n->labelled[1];
    return DONE;
}

static bool are_lists(PyObject *first, PyObject *second, PyObject *third)
{
    return Py_IS_TYPE(first, &PyList_Type) && Py_IS_TYPE(second, &PyList_Type) && Py_IS_TYPE(third, &PyList_Type) &&
           PyList_Size(first) == PyList_Size(second) && PyList_Size(first) == PyList_Size(third);
}

/* adjacency, nodes, several: lists with the two dictionaries of each graph, and whether there may be several arcs between two of its
 * vertices; tuples of the three would be 10^4 objects that make Python collect garbage. on_nodes, on_edges: the names of the labels, or
 * None; whole: types. Returns what leman_walk_graphs() returns. */
__attribute__((visibility("default"))) PyObject *leman_walk_networks(PyObject *adjacency, PyObject *nodes,
                                                                     PyObject *several, PyObject *on_nodes,
                                                                     PyObject *on_edges, PyObject *whole);

PyObject *leman_walk_networks(PyObject *adjacency, PyObject *nodes, PyObject *several, PyObject *on_nodes,
                              PyObject *on_edges, PyObject *whole)
{
    if (!are_lists(adjacency, nodes, several) || (on_nodes != Py_None && !Py_IS_TYPE(on_nodes, &PyUnicode_Type)) ||
        (on_edges != Py_None && !Py_IS_TYPE(on_edges, &PyUnicode_Type)) || !Py_IS_TYPE(whole, &PyTuple_Type)) {
        PyErr_SetString(PyExc_TypeError, "leman_walk_networks: expected three lists, two texts or None, types");
        return NULL;
    }
    networks n = {.walk = {.whole = whole, .real = whole}, .on_nodes = on_nodes, .on_edges = on_edges};
    int collects = PyGC_Disable();
    n.walk.names = PyList_New(0);
    PyObject *result = walk_end(
        &n.walk, n.walk.names && walk_hold_small(&n.walk.small) ? walk_all(&n, adjacency, nodes, several) : FAILED);
    if (collects) PyGC_Enable();
    return result;
}
