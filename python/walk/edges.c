/* The arcs of a graph in every shape that edges have. */
#include "walk.h"

bool walk_is_neighbors(PyObject *value)
{
    return Py_IS_TYPE(value, &PyDict_Type) || Py_IS_TYPE(value, &PyList_Type) || Py_IS_TYPE(value, &PySet_Type) ||
           Py_IS_TYPE(value, &PyFrozenSet_Type);
}

outcome walk_is_matrix(PyObject *edges, bool *matrix)
{
    *matrix = false;
    if (!is_sequence(edges)) return DONE;
    Py_ssize_t count = size_of(edges);
    bool square = count > 0;
    for (Py_ssize_t i = 0; i < count && square; i++) {
        PyObject *row = item_of(edges, i);
        if (Py_IS_TYPE(row, &PyTuple_Type))
            square = false;
        else if (!Py_IS_TYPE(row, &PyList_Type))
            return ODD;
        else
            square = PyList_Size(row) == count;
    }
    *matrix = square;
    return DONE;
}

/* An arc from u, whose number is `tail`, and its label. pair: the tuple (u, v) if there is one already. */
static outcome add_arc_from(walk *w, int64_t tail, PyObject *u, PyObject *v, PyObject *pair)
{
    int64_t head;
    TRY(number_of(w, v, &head));
    TRY(push(&w->tail, tail));
    TRY(push(&w->head, head));
    if (!w->on_edges) return DONE;
    PyObject *made = pair ? NULL : PyTuple_Pack(2, u, v);
    if (!pair && !made) return FAILED;
    PyObject *label = PyDict_GetItemWithError(w->on_edges, pair ? pair : made);
    Py_XDECREF(made);
    if (!label) return PyErr_Occurred() ? FAILED : ODD;
    return walk_add_label(w, &w->edge, label);
}

static outcome add_arc(walk *w, PyObject *u, PyObject *v, PyObject *pair)
{
    int64_t tail;
    TRY(number_of(w, u, &tail));
    return add_arc_from(w, tail, u, v, pair);
}

/* (u, v), (u, v, weight), or either as a list. */
static outcome add_edge(walk *w, PyObject *edge)
{
    if (!is_sequence(edge)) return ODD;
    Py_ssize_t size = size_of(edge);
    if (size != 2 && size != 3) return ODD;
    if (size == 3) TRY(walk_weigh(w, item_of(edge, 2)));
    return add_arc(w, item_of(edge, 0), item_of(edge, 1), size == 2 && Py_IS_TYPE(edge, &PyTuple_Type) ? edge : NULL);
}

/* Edges and their vertices may lie all over the memory: the processor is asked for the edge at place 2 * AHEAD, and for the vertices of
 * the one at place AHEAD unless vertices are small numbers, while the edge at place 0 is added. */
enum { AHEAD = 8 };

static inline void fetch(PyObject *list, Py_ssize_t place, Py_ssize_t count, bool far)
{
    if (place + 2 * AHEAD < count) __builtin_prefetch(PyList_GetItem(list, place + 2 * AHEAD));
    if (!far || place + AHEAD >= count) return;
    PyObject *edge = PyList_GetItem(list, place + AHEAD);
    if (!Py_IS_TYPE(edge, &PyTuple_Type) || PyTuple_Size(edge) < 2) return;
    __builtin_prefetch(PyTuple_GetItem(edge, 0));
    __builtin_prefetch(PyTuple_GetItem(edge, 1));
}

/* Adds every item of a list, tuple, set or frozenset: as the head of an arc from `from`, or as an edge if `from` is NULL. */
static outcome walk_items(walk *w, PyObject *items, PyObject *from)
{
    if (is_sequence(items)) {
        const bool list = Py_IS_TYPE(items, &PyList_Type);
        const bool far = w->general || w->first < 0 || w->first >= SMALL || w->size > SMALL - w->first;
        Py_ssize_t count = size_of(items);
        for (Py_ssize_t i = 0; i < count; i++) {
            PyObject *item = item_of(items, i);
            if (list && !from) fetch(items, i, count, far);
            TRY(from ? add_arc(w, from, item, NULL) : add_edge(w, item));
        }
        return DONE;
    }
    if (!Py_IS_TYPE(items, &PySet_Type) && !Py_IS_TYPE(items, &PyFrozenSet_Type)) return ODD;
    /* A list of the items first: its tight loop fetches all of them from memory at once. */
    PyObject *listed = PySequence_List(items);
    outcome found = listed ? walk_items(w, listed, from) : FAILED;
    Py_XDECREF(listed);
    return found;
}

/* {u: {v: weight}}, {u: [v, ...]}, {(u, v): weight}: first the vertices that are keys, then the arcs. */
static outcome walk_dictionary(walk *w)
{
    PyObject *key, *value, *head, *weight;
    for (Py_ssize_t place = 0; PyDict_Next(w->edges, &place, &key, &value);)
        if (walk_is_neighbors(value)) TRY(walk_add_vertex(w, key));
    for (Py_ssize_t place = 0; PyDict_Next(w->edges, &place, &key, &value);)
        if (Py_IS_TYPE(value, &PyDict_Type)) {
            int64_t tail;
            TRY(number_of(w, key, &tail));
            for (Py_ssize_t at = 0; PyDict_Next(value, &at, &head, &weight);) {
                TRY(walk_weigh(w, weight));
                TRY(add_arc_from(w, tail, key, head, NULL));
            }
        } else if (walk_is_neighbors(value)) {
            TRY(walk_items(w, value, key));
        } else {
            if (!Py_IS_TYPE(key, &PyTuple_Type) || PyTuple_Size(key) != 2) return ODD;
            TRY(walk_weigh(w, value));
            TRY(add_arc(w, PyTuple_GetItem(key, 0), PyTuple_GetItem(key, 1), key));
        }
    return DONE;
}

/* Adds the vertices 0 .. size - 1 of a matrix. Without labels of vertices they are all that the graph has; labels may have added them
 * already. */
static outcome add_rows(walk *w, int64_t size)
{
    if (!w->general && (!w->on_vertices || (w->first == 0 && w->size >= size))) {
        if (!w->on_vertices) w->size = size;
        return DONE;
    }
    for (int64_t i = 0; i < size; i++) {
        PyObject *name = PyLong_FromLongLong((long long)i);
        outcome found = name ? walk_add_vertex(w, name) : FAILED;
        Py_XDECREF(name);
        TRY(found);
    }
    return DONE;
}

/* The arc between two rows of a matrix, whose vertices add_rows() has added. */
static outcome add_entry(walk *w, int64_t i, int64_t j)
{
    if (!w->general && !w->on_edges && w->first == 0) {
        TRY(push(&w->tail, i));
        return push(&w->head, j);
    }
    PyObject *u = PyLong_FromLongLong((long long)i), *v = PyLong_FromLongLong((long long)j);
    outcome found = u && v ? add_arc(w, u, v, NULL) : FAILED;
    Py_XDECREF(u);
    Py_XDECREF(v);
    return found;
}

/* Arcs of a matrix that the caller found: (vertices, first entry, last entry + 1). */
static outcome walk_entries(walk *w)
{
    int64_t part[3];
    for (Py_ssize_t i = 0; i < 3; i++)
        if (!is_whole(w, PyTuple_GetItem(w->matrix, i), part + i)) return ODD;
    TRY(add_rows(w, part[0]));
    for (int64_t i = part[1]; i < part[2]; i++) TRY(add_entry(w, w->rows[i], w->columns[i]));
    return DONE;
}

static outcome walk_rows(walk *w)
{
    Py_ssize_t count = size_of(w->edges);
    TRY(add_rows(w, count));
    for (Py_ssize_t i = 0; i < count; i++)
        for (Py_ssize_t j = 0; j < count; j++) {
            PyObject *row = item_of(w->edges, i);
            double value;
            if (!walk_is_real(w, PyList_GetItem(row, j), &value)) return ODD;
            if (value == 0) continue;
            if (value != 1) w->weighted = true;
            TRY(add_entry(w, i, j));
        }
    return DONE;
}

outcome walk_edges(walk *w)
{
    bool matrix;
    if (w->matrix) return walk_entries(w);
    if (Py_IS_TYPE(w->edges, &PyDict_Type)) return walk_dictionary(w);
    TRY(walk_is_matrix(w->edges, &matrix));
    return matrix ? walk_rows(w) : walk_items(w, w->edges, NULL);
}
