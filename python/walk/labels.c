/* Counts of labels without arcs: leman_walk_labels(), which Python calls. */
#include "walk.h"

/* The number of arcs that lists, sets and dictionaries say; ODD if the edges are something else. */
static outcome count_arcs(PyObject *edges, Py_ssize_t *arcs)
{
    PyObject *key, *value;
    bool matrix;
    *arcs = 0;
    if (Py_IS_TYPE(edges, &PyDict_Type)) {
        for (Py_ssize_t place = 0; PyDict_Next(edges, &place, &key, &value);)
            if (Py_IS_TYPE(value, &PyDict_Type))
                *arcs += PyDict_Size(value);
            else
                *arcs += walk_is_neighbors(value) ? PyObject_Size(value) : 1;
        return DONE;
    }
    if (!walk_is_neighbors(edges) && !is_sequence(edges)) return ODD;
    TRY(walk_is_matrix(edges, &matrix));
    *arcs = PyObject_Size(edges);
    return matrix ? ODD : DONE;
}

/* The labels that the graph walked through has so far, by their last objects: an object that a container holds keeps its address. */
typedef struct recent {
    PyObject *label[16];
    size_t place[16]; /* of its number and its count */
    size_t used, next;
} recent;

/* One more of a label. Equal labels that are different objects, or that were not met lately, are entries of their own. */
static inline outcome count_label(walk *w, recent *r, PyObject *label)
{
    enum { KEPT = sizeof r->label / sizeof *r->label };
    for (size_t i = 0; i < r->used; i++)
        if (r->label[i] == label) {
            w->count.at[r->place[i]]++;
            return DONE;
        }
    r->label[r->next] = label;
    r->place[r->next] = w->count.count;
    r->next = (r->next + 1) % KEPT;
    r->used += r->used < KEPT;
    TRY(walk_add_label(w, &w->vertex, label));
    return push(&w->count, 1);
}

/* The dictionary, list or tuple of labels of a graph, and how many there must be; ODD if it has another form. A graph without vertex
 * labels is odd, too: whether it has vertices, only its edges say. */
static outcome find_labels(PyObject *graph, bool edges, PyObject **given, Py_ssize_t *expected)
{
    const Py_ssize_t place = edges ? 2 : 1;
    if (!is_sequence(graph) || size_of(graph) <= place) return ODD;
    *given = item_of(graph, place);
    if (edges) return Py_IS_TYPE(*given, &PyDict_Type) ? count_arcs(item_of(graph, 0), expected) : ODD;
    if (!Py_IS_TYPE(*given, &PyDict_Type) && !is_sequence(*given)) return ODD;
    *expected = PyObject_Size(*given);
    return *expected ? DONE : ODD;
}

static outcome count_graph(walk *w, PyObject *graph, bool edges)
{
    PyObject *given, *key, *label;
    Py_ssize_t expected;
    recent r; /* deliberately uninitialised: the first `used` are set */
    r.used = r.next = 0;
    TRY(find_labels(graph, edges, &given, &expected));
    if (PyObject_Size(given) != expected) return ODD;
    if (Py_IS_TYPE(given, &PyDict_Type))
        for (Py_ssize_t place = 0; PyDict_Next(given, &place, &key, &label);) TRY(count_label(w, &r, label));
    else
        for (Py_ssize_t i = 0; i < expected; i++) TRY(count_label(w, &r, item_of(given, i)));
    return push(&w->start, (int64_t)w->count.count);
}

static outcome count_all(walk *w, PyObject *graphs, bool edges)
{
    TRY(push(&w->start, 0));
    for (Py_ssize_t i = 0; i < PyList_Size(graphs); i++) TRY(count_graph(w, PyList_GetItem(graphs, i), edges));
    return DONE;
}

/* How often each graph of a list of graphs [edges, vertex labels, edge labels] has each label of its vertices, or of its edges:
 * (starts [graphs + 1], labels, counts), where a label may occur several times. Arcs are counted, not walked through; vertices are those
 * that have labels. None if a graph has another form, or has not as many edge labels as arcs. */
__attribute__((visibility("default"))) PyObject *leman_walk_labels(PyObject *graphs, PyObject *whole, PyObject *edges);

PyObject *leman_walk_labels(PyObject *graphs, PyObject *whole, PyObject *edges)
{
    if (!Py_IS_TYPE(graphs, &PyList_Type) || !Py_IS_TYPE(whole, &PyTuple_Type) || !Py_IS_TYPE(edges, &PyBool_Type)) {
        PyErr_SetString(PyExc_TypeError, "leman_walk_labels: expected a list, types and a truth value");
        return NULL;
    }
    walk w = {.whole = whole};
    int collects = PyGC_Disable();
    outcome found = count_all(&w, graphs, edges == Py_True);
    PyObject *result = NULL;
    if (found == DONE) {
        PyObject *starts = walk_bytes_of(&w.start), *found_labels = walk_labels_of(&w.vertex, true),
                 *counts = walk_bytes_of(&w.count);
        if (starts && found_labels && counts) result = PyTuple_Pack(3, starts, found_labels, counts);
        Py_XDECREF(starts);
        Py_XDECREF(found_labels);
        Py_XDECREF(counts);
    } else if (found != FAILED) {
        result = Py_None;
        Py_INCREF(result);
    }
    PyMem_Free(w.start.at);
    PyMem_Free(w.count.at);
    PyMem_Free(w.vertex.whole.at);
    Py_XDECREF(w.vertex.list);
    if (collects) PyGC_Enable();
    return result;
}
