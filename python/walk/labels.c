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

/* Labels of a graph by the addresses of their objects, which do not change while a container holds them: place[i] has a label that the
 * graph has had count[i] times. A label that has the place of another one replaces it, and the walk keeps the count of the replaced one. */
typedef struct seen {
    PyObject *label[64];
    int64_t count[64];
    unsigned char used[64]; /* the places that have labels */
    size_t size;
} seen;

static inline size_t place_of(const PyObject *label)
{
    uintptr_t address = (uintptr_t)label;
    return (address >> 5 ^ address >> 11) % 64; /* objects are 16 bytes apart at least, small numbers 32 */
}

static outcome keep(walk *w, PyObject *label, int64_t count)
{
    TRY(walk_add_label(w, &w->vertex, label));
    return push(&w->count, count);
}

static outcome replace_label(walk *w, seen *s, size_t place, PyObject *label)
{
    if (s->label[place])
        TRY(keep(w, s->label[place], s->count[place]));
    else
        s->used[s->size++] = (unsigned char)place;
    s->label[place] = label;
    s->count[place] = 1;
    return DONE;
}

/* One more of a label. Equal labels that are different objects may be counted apart. */
static inline outcome count_label(walk *w, seen *s, PyObject *label)
{
    size_t place = place_of(label);
    if (s->label[place] != label) return replace_label(w, s, place, label);
    s->count[place]++;
    return DONE;
}

/* Keeps what the graph has, and forgets it. */
static outcome keep_all(walk *w, seen *s)
{
    for (; s->size; s->size--) {
        size_t place = s->used[s->size - 1];
        TRY(keep(w, s->label[place], s->count[place]));
        s->label[place] = NULL;
    }
    return push(&w->start, (int64_t)w->count.count);
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

static outcome count_graph(walk *w, seen *s, PyObject *graph, bool edges)
{
    PyObject *given, *key, *label;
    Py_ssize_t expected;
    TRY(find_labels(graph, edges, &given, &expected));
    if (PyObject_Size(given) != expected) return ODD;
    if (Py_IS_TYPE(given, &PyDict_Type))
        for (Py_ssize_t place = 0; PyDict_Next(given, &place, &key, &label);) TRY(count_label(w, s, label));
    else
        for (Py_ssize_t i = 0; i < expected; i++) TRY(count_label(w, s, item_of(given, i)));
    return keep_all(w, s);
}

static outcome count_all(walk *w, PyObject *graphs, bool edges)
{
    seen s = {.size = 0};
    TRY(push(&w->start, 0));
    for (Py_ssize_t i = 0; i < PyList_Size(graphs); i++) TRY(count_graph(w, &s, PyList_GetItem(graphs, i), edges));
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
    outcome found = walk_hold_small(&w.small) ? count_all(&w, graphs, edges == Py_True) : FAILED;
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
    walk_release_small(&w.small);
    Py_XDECREF(w.vertex.list);
    if (collects) PyGC_Enable();
    return result;
}
