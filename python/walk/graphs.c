/* Graph after graph: leman_walk_graphs(), which Python calls. */
#include "walk.h"

/* Places so many arcs by the counts of one end: from[] -> to[], with their other ends and labels. */
static void place_arcs(int64_t *next, size_t count, const int64_t *by, const int64_t *other, const int64_t *label,
                       int64_t *to_by, int64_t *to_other, int64_t *to_label)
{
    for (size_t i = 0; i < count; i++) {
        int64_t to = next[by[i]]++;
        to_by[to] = by[i];
        to_other[to] = other[i];
        if (label) to_label[to] = label[i];
    }
}

outcome walk_sort_arcs(walk *w, int64_t *label)
{
    const size_t count = w->tail.count - w->first_arc, n = (size_t)w->size;
    int64_t *tail = w->tail.at + w->first_arc, *head = w->head.at + w->first_arc;
    size_t sorted = 1;
    while (sorted < count &&
           (tail[sorted - 1] < tail[sorted] || (tail[sorted - 1] == tail[sorted] && head[sorted - 1] <= head[sorted])))
        sorted++;
    if (sorted >= count) return DONE;
    TRY(walk_reserve(&w->sorting, 2 * (n + 1) + 3 * count));
    int64_t *by_tail = w->sorting.at, *by_head = by_tail + n + 1, *tails = by_head + n + 1, *heads = tails + count,
            *moved = heads + count;
    memset(by_tail, 0, 2 * (n + 1) * sizeof *by_tail);
    for (size_t i = 0; i < count; i++) {
        by_tail[tail[i] + 1]++;
        by_head[head[i] + 1]++;
    }
    for (size_t v = 0; v < n; v++) {
        by_tail[v + 1] += by_tail[v];
        by_head[v + 1] += by_head[v];
    }
    place_arcs(by_head, count, head, tail, label, heads, tails, moved);
    place_arcs(by_tail, count, tails, heads, label ? moved : NULL, tail, head, label);
    return DONE;
}

outcome walk_use_names(walk *w)
{
    w->tail.count = w->head.count = w->first_arc;
    if (w->edge.list) {
        if (PyList_SetSlice(w->edge.list, (Py_ssize_t)w->first_arc, PyList_Size(w->edge.list), NULL)) return FAILED;
    } else if (w->edge.whole.count > w->first_arc) {
        w->edge.whole.count = w->first_arc;
    }
    w->general = true;
    w->first = w->size = 0;
    w->number = PyDict_New();
    w->listed = PyList_New(0);
    return w->number && w->listed ? DONE : FAILED;
}

/* Finds the parts of a graph. A part that is not there is NULL. */
static outcome split(walk *w, PyObject *graph)
{
    PyObject *part[3] = {graph, NULL, NULL};
    if (is_sequence(graph)) {
        Py_ssize_t size = size_of(graph);
        if (size == 0) return ODD;
        for (Py_ssize_t i = 0; i < 3 && i < size; i++) part[i] = item_of(graph, i);
    }
    w->edges = part[0];
    w->on_vertices = part[1] == Py_None ? NULL : part[1];
    w->on_edges = part[2] == Py_None ? NULL : part[2];
    if (w->on_vertices) {
        if (!Py_IS_TYPE(w->on_vertices, &PyDict_Type) && !Py_IS_TYPE(w->on_vertices, &PyList_Type) &&
            !Py_IS_TYPE(w->on_vertices, &PyTuple_Type))
            return ODD;
        if (PyObject_Size(w->on_vertices) == 0) w->on_vertices = NULL;
    }
    if (w->on_edges) {
        PyObject *key, *label;
        if (!Py_IS_TYPE(w->on_edges, &PyDict_Type)) return ODD;
        for (Py_ssize_t place = 0; PyDict_Next(w->on_edges, &place, &key, &label);)
            if (!walk_is_safe(w, key, 5)) return ODD;
        if (PyDict_Size(w->on_edges) == 0) w->on_edges = NULL;
    }
    return DONE;
}

outcome walk_end_graph(walk *w)
{
    const int64_t offset = w->start.at[w->start.count - 1];
    for (size_t arc = w->first_arc; arc < w->tail.count; arc++) {
        w->tail.at[arc] += offset;
        w->head.at[arc] += offset;
    }
    Py_CLEAR(w->number);
    Py_CLEAR(w->listed);
    return push(&w->start, offset + w->size);
}

static outcome walk_graph(walk *w, PyObject *graph)
{
    TRY(split(w, graph));
    w->general = false;
    w->first = w->size = 0;
    w->first_arc = w->tail.count;
    /* Without labels of vertices only the keys of a dictionary and the rows of a matrix can be consecutive. */
    outcome found = walk_vertex_labels(w, true);
    if (found == DONE) found = walk_edges(w);
    if (found == NAMED) {
        TRY(walk_use_names(w));
        TRY(walk_vertex_labels(w, false));
        found = walk_edges(w);
    }
    TRY(found);
    /* Arcs with labels keep their order: if the directions of an edge have different labels, the first is the edge's. */
    if (!w->on_edges) TRY(walk_sort_arcs(w, NULL));
    TRY(walk_keep_names(w));
    Py_ssize_t labelled = w->on_vertices ? PyObject_Size(w->on_vertices) : 0;
    if (labelled && w->size != (int64_t)labelled) return ODD; /* a vertex has no label */
    w->labelled = w->labelled || labelled;
    w->unlabelled = w->unlabelled || (!labelled && w->size);
    bool arcs = w->tail.count > w->first_arc;
    w->marked = w->marked || w->on_edges;
    w->marked_arcs = w->marked_arcs || (w->on_edges && arcs);
    w->unmarked = w->unmarked || (!w->on_edges && arcs);
    return walk_end_graph(w);
}

/* Is it (vertices, first entry, last entry + 1) of entries that the caller gave, between these vertices? */
static bool is_range(const walk *w, PyObject *matrix)
{
    int64_t part[3];
    if (!Py_IS_TYPE(matrix, &PyTuple_Type) || PyTuple_Size(matrix) != 3) return false;
    for (Py_ssize_t i = 0; i < 3; i++)
        if (!is_whole(w, PyTuple_GetItem(matrix, i), part + i)) return false;
    if (part[0] < 0 || part[1] < 0 || part[2] < part[1] || (uint64_t)part[2] > w->entries) return false;
    for (int64_t i = part[1]; i < part[2]; i++)
        if (w->rows[i] < 0 || w->rows[i] >= part[0] || w->columns[i] < 0 || w->columns[i] >= part[0]) return false;
    return true;
}

static outcome walk_all(walk *w, PyObject *graphs, PyObject *matrices)
{
    TRY(push(&w->start, 0));
    for (Py_ssize_t i = 0; i < PyList_Size(graphs); i++) {
        PyObject *matrix = matrices == Py_None ? Py_None : PyList_GetItem(matrices, i);
        w->matrix = matrix == Py_None ? NULL : matrix;
        if (w->matrix && !is_range(w, w->matrix)) return ODD;
        TRY(walk_graph(w, PyList_GetItem(graphs, i)));
    }
    if (w->labelled && w->unlabelled) return ODD;
    if (w->marked_arcs && w->unmarked) return ODD;
    return DONE;
}

/* (arcs, starts, vertex labels, edge labels, names, weighted): arcs [2, arcs] and starts [graphs + 1] as bytes of int64_t; labels as
 * bytes, a list or None; names as a list or None. */
static PyObject *answer(walk *w)
{
    PyObject *part[6] = {NULL}, *found = NULL;
    size_t size = w->tail.count * sizeof *w->tail.at;
    part[0] = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(2 * size));
    if (part[0] && size) {
        memcpy(PyBytes_AsString(part[0]), w->tail.at, size);
        memcpy(PyBytes_AsString(part[0]) + size, w->head.at, size);
    }
    part[1] = walk_bytes_of(&w->start);
    part[2] = walk_labels_of(&w->vertex, w->labelled);
    part[3] = walk_labels_of(&w->edge, w->marked_arcs || (w->marked && w->tail.count == 0));
    part[4] = w->named ? w->names : Py_None;
    Py_INCREF(part[4]);
    part[5] = PyBool_FromLong(w->weighted);
    if (part[0] && part[1] && part[2] && part[3])
        found = PyTuple_Pack(6, part[0], part[1], part[2], part[3], part[4], part[5]);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) Py_XDECREF(part[i]);
    return found;
}

PyObject *walk_end(walk *w, outcome found)
{
    PyObject *result = NULL;
    if (found == DONE) {
        result = answer(w);
    } else if (found != FAILED) {
        result = Py_None;
        Py_INCREF(result);
    }
    numbers *held[] = {&w->tail, &w->head, &w->start, &w->sorting, &w->vertex.whole, &w->edge.whole};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) PyMem_Free(held[i]->at);
    walk_release_small(&w->small);
    Py_XDECREF(w->vertex.list);
    Py_XDECREF(w->edge.list);
    Py_XDECREF(w->names);
    Py_XDECREF(w->number);
    Py_XDECREF(w->listed);
    return result;
}

/* graphs: a list. matrices: None, or a list with None or the arguments of walk_entries() for each graph. rows, columns: bytes of
 * int64_t, the arcs of those matrices. whole, real: tuples of types. Returns answer(), or None where a graph is odd, or NULL with a
 * MemoryError. */
__attribute__((visibility("default"))) PyObject *leman_walk_graphs(PyObject *graphs, PyObject *matrices, PyObject *rows,
                                                                   PyObject *columns, PyObject *whole, PyObject *real);

PyObject *leman_walk_graphs(PyObject *graphs, PyObject *matrices, PyObject *rows, PyObject *columns, PyObject *whole,
                            PyObject *real)
{
    if (!Py_IS_TYPE(graphs, &PyList_Type) || !Py_IS_TYPE(rows, &PyBytes_Type) || !Py_IS_TYPE(columns, &PyBytes_Type) ||
        PyBytes_Size(rows) != PyBytes_Size(columns) || !Py_IS_TYPE(whole, &PyTuple_Type) ||
        !Py_IS_TYPE(real, &PyTuple_Type) ||
        (matrices != Py_None &&
         (!Py_IS_TYPE(matrices, &PyList_Type) || PyList_Size(matrices) != PyList_Size(graphs)))) {
        PyErr_SetString(PyExc_TypeError,
                        "leman_walk_graphs: expected a list, None or a list as long, bytes, bytes, types, types");
        return NULL;
    }
    walk w = {.whole = whole,
              .real = real,
              .rows = (const int64_t *)(const void *)PyBytes_AsString(rows),
              .columns = (const int64_t *)(const void *)PyBytes_AsString(columns)};
    w.entries = (size_t)PyBytes_Size(rows) / sizeof *w.rows;
    int collects = PyGC_Disable();
    w.names = PyList_New(0);
    PyObject *result = walk_end(&w, w.names && walk_hold_small(&w.small) ? walk_all(&w, graphs, matrices) : FAILED);
    if (collects) PyGC_Enable();
    return result;
}
