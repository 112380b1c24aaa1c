/*
 * Graphs of Python's own dictionaries, lists, tuples and sets as flat arrays: what leman._walk.quick() hands over, in one pass.
 *
 * A graph is an edge container, or a list or tuple [edges, vertex labels, edge labels] whose last two items may be missing or None.
 * Edges are pairs (u, v) or (u, v, weight) in a list, tuple, set or frozenset; a dictionary {u: {v: weight}}, {u: [v, ...]} or
 * {(u, v): weight}; a matrix as a list of lists; or arcs by number that the caller found in a matrix. The vertices of a graph are
 * numbered in the order of the vertex labels, then of the keys of {u: ...}, then of the edges.
 *
 * The walk takes what _convert.from_grakel() takes and gives what it gives, or it gives None, and the caller goes the way of Python:
 * no sentence about wrong input is written here. Only exact types are taken, and names only if they are numbers, texts, None or
 * tuples of such. So no hash, no comparison and no iteration runs code of the user, and since the collector of garbage is off during
 * the walk, no finalizer runs either: no container changes while it is walked through, and borrowed references stay valid.
 *
 * Time: linear in vertices and edges. Memory: 16 bytes an arc, 8 bytes a vertex, twice that while a buffer grows, and 16 bytes for
 * each arc and vertex of the largest graph.
 *
 * The file needs the stable interface of Python 3.10 alone and no other header of Leman. ctypes.PyDLL loads it; a Python without a
 * global lock does not (leman._walk).
 */
#define Py_LIMITED_API 0x030a0000
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What a step of the walk says: go on; the graph is one that only the way of Python takes; a Python exception is set; or the names
 * of this graph's vertices are not consecutive numbers, so that the graph is begun again with a dictionary of names. */
typedef enum outcome { DONE, ODD, FAILED, NAMED } outcome;

#define TRY(step)                                                                                                      \
    do {                                                                                                               \
        outcome tried = (step);                                                                                        \
        if (tried != DONE) return tried;                                                                               \
    } while (0)

typedef struct numbers {
    int64_t *at;
    size_t count, capacity;
} numbers;

/* Labels of vertices or of edges: numbers as long as all are whole, otherwise a list of objects. */
typedef struct labels {
    numbers whole;
    PyObject *list;
} labels;

typedef struct walk {
    PyObject *whole, *real; /* exact types, besides int and float, that are whole and real numbers: tuples of NumPy's */
    const int64_t *rows, *columns; /* the arcs of matrices [entries] */
    size_t entries;
    numbers tail, head, start, sorting;
    labels vertex, edge;
    PyObject *names; /* a list with None, a range or a tuple for each graph */
    bool named, weighted;
    bool labelled, unlabelled; /* is there a graph with vertex labels? one with vertices, but without labels? */
    bool marked, marked_arcs,
        unmarked; /* a graph with edge labels? with labels and arcs? with arcs, but without labels? */

    /* The graph that is walked through. */
    PyObject *edges, *on_vertices, *on_edges, *matrix;
    bool general;        /* vertices are numbered by the dictionary `number`, in the order of `listed` */
    int64_t first, size; /* otherwise vertex first + i has number i */
    PyObject *number, *listed;
    size_t first_arc;
} walk;

/* ---- Numbers ------------------------------------------------------------------------------------------- */

/* Makes room for `more` numbers. */
static outcome reserve(numbers *n, size_t more)
{
    if (more <= n->capacity - n->count) return DONE;
    size_t capacity = n->capacity ? 2 * n->capacity : 1024;
    if (capacity - n->count < more) capacity = n->count + more;
    int64_t *grown = capacity > PTRDIFF_MAX / sizeof *grown ? NULL : PyMem_Realloc(n->at, capacity * sizeof *grown);
    if (!grown) {
        PyErr_NoMemory();
        return FAILED;
    }
    n->at = grown;
    n->capacity = capacity;
    return DONE;
}

static inline outcome push(numbers *n, int64_t value)
{
    if (n->count == n->capacity) TRY(reserve(n, 1));
    n->at[n->count++] = value;
    return DONE;
}

/* The size and an item of a list or a tuple. */
static inline Py_ssize_t size_of(PyObject *sequence)
{
    return Py_IS_TYPE(sequence, &PyList_Type) ? PyList_Size(sequence) : PyTuple_Size(sequence);
}

static inline PyObject *item_of(PyObject *sequence, Py_ssize_t place)
{
    return Py_IS_TYPE(sequence, &PyList_Type) ? PyList_GetItem(sequence, place) : PyTuple_GetItem(sequence, place);
}

static inline bool is_sequence(PyObject *object)
{
    return Py_IS_TYPE(object, &PyList_Type) || Py_IS_TYPE(object, &PyTuple_Type);
}

static bool is_one_of(PyObject *types, PyObject *object)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(types); i++)
        if (PyTuple_GetItem(types, i) == (PyObject *)Py_TYPE(object)) return true;
    return false;
}

/* Is the object a whole number of 64 bits? */
static inline bool is_whole(const walk *w, PyObject *object, int64_t *value)
{
    if (!Py_IS_TYPE(object, &PyLong_Type) && !is_one_of(w->whole, object)) return false;
    long long found = PyLong_AsLongLong(object);
    *value = (int64_t)found;
    if (found != -1 || !PyErr_Occurred()) return true;
    PyErr_Clear();
    return false;
}

/* Is the object a number? */
static bool is_real(const walk *w, PyObject *object, double *value)
{
    int64_t whole;
    if (Py_IS_TYPE(object, &PyFloat_Type) || is_one_of(w->real, object)) {
        *value = PyFloat_AsDouble(object);
        return true;
    }
    if (!is_whole(w, object, &whole)) return false;
    *value = (double)whole;
    return true;
}

static outcome weigh(walk *w, PyObject *weight)
{
    double value;
    if (!is_real(w, weight, &value)) return ODD;
    if (value != 1) w->weighted = true;
    return DONE;
}

/* ---- Names of vertices --------------------------------------------------------------------------------- */

/* Does hashing and comparing the object run no code of the user? */
static bool is_safe(const walk *w, PyObject *object, int depth)
{
    if (Py_IS_TYPE(object, &PyLong_Type) || Py_IS_TYPE(object, &PyUnicode_Type) || Py_IS_TYPE(object, &PyFloat_Type) ||
        Py_IS_TYPE(object, &PyBool_Type) || Py_IS_TYPE(object, &PyBytes_Type) || object == Py_None)
        return true;
    if (!Py_IS_TYPE(object, &PyTuple_Type)) return is_one_of(w->whole, object);
    for (Py_ssize_t i = 0; i < PyTuple_Size(object); i++)
        if (depth == 0 || !is_safe(w, PyTuple_GetItem(object, i), depth - 1)) return false;
    return true;
}

/* The number of a vertex; a name that is new gets the next one. */
static outcome number_of(walk *w, PyObject *name, int64_t *number)
{
    if (!w->general) {
        if (!is_whole(w, name, number) || *number < w->first ||
            (uint64_t)*number - (uint64_t)w->first >= (uint64_t)w->size)
            return NAMED;
        *number -= w->first;
        return DONE;
    }
    if (!is_safe(w, name, 4)) return ODD;
    PyObject *found = PyDict_GetItemWithError(w->number, name);
    if (found) {
        *number = (int64_t)PyLong_AsLongLong(found);
        return DONE;
    }
    if (PyErr_Occurred()) return FAILED;
    *number = w->size;
    PyObject *next = PyLong_FromLongLong(w->size);
    bool put = next && PyDict_SetItem(w->number, name, next) == 0 && PyList_Append(w->listed, name) == 0;
    Py_XDECREF(next);
    w->size += put;
    return put ? DONE : FAILED;
}

/* A vertex that stands for itself. As long as vertices are consecutive numbers and no labels said which, it is the next of them. */
static outcome add_vertex(walk *w, PyObject *name)
{
    int64_t number;
    if (w->general || w->on_vertices) return number_of(w, name, &number);
    if (!is_whole(w, name, &number)) return NAMED;
    if (w->size == 0) w->first = number;
    if (w->first >= INT64_MAX - w->size || number != w->first + w->size) return NAMED;
    w->size++;
    return DONE;
}

/* The names of the graph's vertices for the caller: None if each is its number. */
static outcome keep_names(walk *w)
{
    bool plain = true;
    if (w->general)
        for (int64_t i = 0; i < w->size && plain; i++) {
            PyObject *name = PyList_GetItem(w->listed, (Py_ssize_t)i);
            double value;
            plain = Py_IS_TYPE(name, &PyBool_Type) ? (name == Py_True) == i
                                                   : is_real(w, name, &value) && value == (double)i;
        }
    else
        plain = w->first == 0 || w->size == 0;
    PyObject *kept = NULL;
    if (plain) {
        kept = Py_None;
        Py_INCREF(kept);
    } else if (w->general)
        kept = PyList_AsTuple(w->listed);
    else
        kept = PyObject_CallFunction((PyObject *)&PyRange_Type, "LL", (long long)w->first,
                                     (long long)w->first + (long long)w->size);
    w->named = w->named || !plain;
    bool put = kept && PyList_Append(w->names, kept) == 0;
    Py_XDECREF(kept);
    return put ? DONE : FAILED;
}

/* ---- Labels -------------------------------------------------------------------------------------------- */

enum { LABEL_BITS = 62 }; /* whole numbers below 2^62 in size are labels as they are: leman._labels */

static outcome add_label(const walk *w, labels *to, PyObject *label)
{
    int64_t value;
    const int64_t limit = INT64_C(1) << LABEL_BITS;
    if (!to->list && is_whole(w, label, &value) && -limit < value && value < limit) return push(&to->whole, value);
    if (!to->list) {
        to->list = PyList_New((Py_ssize_t)to->whole.count);
        if (!to->list) return FAILED;
        for (size_t i = 0; i < to->whole.count; i++) {
            PyObject *before = PyLong_FromLongLong((long long)to->whole.at[i]);
            if (!before || PyList_SetItem(to->list, (Py_ssize_t)i, before)) return FAILED;
        }
    }
    return PyList_Append(to->list, label) ? FAILED : DONE;
}

/* The vertices and labels of a dictionary {vertex: label} or a list of labels; the labels are added once, not when a graph is begun
 * again. */
static outcome walk_vertex_labels(walk *w, bool add)
{
    PyObject *given = w->on_vertices, *name, *label;
    Py_ssize_t place = 0;
    if (!given) return DONE;
    if (Py_IS_TYPE(given, &PyDict_Type)) {
        bool consecutive = !w->general;
        for (int64_t value; PyDict_Next(given, &place, &name, &label);) {
            if (add) TRY(add_label(w, &w->vertex, label));
            if (w->general) {
                TRY(number_of(w, name, &value));
            } else if (consecutive) {
                consecutive = is_whole(w, name, &value);
                if (consecutive && w->size == 0) w->first = value;
                consecutive = consecutive && w->first < INT64_MAX - w->size && value == w->first + w->size;
                w->size += consecutive;
            }
        }
        return w->general || consecutive ? DONE : NAMED;
    }
    Py_ssize_t count = size_of(given);
    for (Py_ssize_t i = 0; i < count; i++) {
        int64_t number;
        if (add) TRY(add_label(w, &w->vertex, item_of(given, i)));
        if (!w->general) continue;
        name = PyLong_FromSsize_t(i);
        outcome found = name ? number_of(w, name, &number) : FAILED;
        Py_XDECREF(name);
        TRY(found);
    }
    if (!w->general) w->size = count;
    return DONE;
}

/* ---- Edges --------------------------------------------------------------------------------------------- */

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
    return add_label(w, &w->edge, label);
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
    if (size == 3) TRY(weigh(w, item_of(edge, 2)));
    return add_arc(w, item_of(edge, 0), item_of(edge, 1), size == 2 && Py_IS_TYPE(edge, &PyTuple_Type) ? edge : NULL);
}

/* Edges and their vertices lie all over the memory: the processor is asked for the edge at place 2 * AHEAD and for the vertices of the
 * one at place AHEAD while the edge at place 0 is added. */
enum { AHEAD = 8 };

static inline void fetch(PyObject *list, Py_ssize_t place, Py_ssize_t count)
{
    if (place + 2 * AHEAD < count) __builtin_prefetch(PyList_GetItem(list, place + 2 * AHEAD));
    if (place + AHEAD >= count) return;
    PyObject *edge = PyList_GetItem(list, place + AHEAD);
    if (!Py_IS_TYPE(edge, &PyTuple_Type) || PyTuple_Size(edge) < 2) return;
    __builtin_prefetch(PyTuple_GetItem(edge, 0));
    __builtin_prefetch(PyTuple_GetItem(edge, 1));
}

/* Adds every item of a list, tuple, set or frozenset: as the head of an arc from `from`, or as an edge if `from` is NULL. */
static outcome walk_items(walk *w, PyObject *items, PyObject *from)
{
    if (is_sequence(items)) {
        bool list = Py_IS_TYPE(items, &PyList_Type);
        Py_ssize_t count = size_of(items);
        for (Py_ssize_t i = 0; i < count; i++) {
            PyObject *item = item_of(items, i);
            if (list && !from) fetch(items, i, count);
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

static bool is_neighbors(PyObject *value)
{
    return Py_IS_TYPE(value, &PyDict_Type) || Py_IS_TYPE(value, &PyList_Type) || Py_IS_TYPE(value, &PySet_Type) ||
           Py_IS_TYPE(value, &PyFrozenSet_Type);
}

/* {u: {v: weight}}, {u: [v, ...]}, {(u, v): weight}: first the vertices that are keys, then the arcs. */
static outcome walk_dictionary(walk *w)
{
    PyObject *key, *value, *head, *weight;
    for (Py_ssize_t place = 0; PyDict_Next(w->edges, &place, &key, &value);)
        if (is_neighbors(value)) TRY(add_vertex(w, key));
    for (Py_ssize_t place = 0; PyDict_Next(w->edges, &place, &key, &value);)
        if (Py_IS_TYPE(value, &PyDict_Type)) {
            int64_t tail;
            TRY(number_of(w, key, &tail));
            for (Py_ssize_t at = 0; PyDict_Next(value, &at, &head, &weight);) {
                TRY(weigh(w, weight));
                TRY(add_arc_from(w, tail, key, head, NULL));
            }
        } else if (is_neighbors(value)) {
            TRY(walk_items(w, value, key));
        } else {
            if (!Py_IS_TYPE(key, &PyTuple_Type) || PyTuple_Size(key) != 2) return ODD;
            TRY(weigh(w, value));
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
        outcome found = name ? add_vertex(w, name) : FAILED;
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

/* A list or tuple of n lists of n items each is a matrix. Other items than lists and tuples are odd. */
static outcome is_matrix(PyObject *edges, bool *matrix)
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

static outcome walk_rows(walk *w)
{
    Py_ssize_t count = size_of(w->edges);
    TRY(add_rows(w, count));
    for (Py_ssize_t i = 0; i < count; i++)
        for (Py_ssize_t j = 0; j < count; j++) {
            PyObject *row = item_of(w->edges, i);
            double value;
            if (!is_real(w, PyList_GetItem(row, j), &value)) return ODD;
            if (value == 0) continue;
            if (value != 1) w->weighted = true;
            TRY(add_entry(w, i, j));
        }
    return DONE;
}

static outcome walk_edges(walk *w)
{
    bool matrix;
    if (w->matrix) return walk_entries(w);
    if (Py_IS_TYPE(w->edges, &PyDict_Type)) return walk_dictionary(w);
    TRY(is_matrix(w->edges, &matrix));
    return matrix ? walk_rows(w) : walk_items(w, w->edges, NULL);
}

/* ---- Graphs -------------------------------------------------------------------------------------------- */

/* Sorts the graph's arcs by tail and head, in two counting sorts, so that the library has nothing left to sort. Arcs with labels keep
 * their order: if the two directions of an edge have different labels, the label of the first arc is the edge's. */
static outcome sort_arcs(walk *w)
{
    const size_t count = w->tail.count - w->first_arc, n = (size_t)w->size;
    if (count < 2 || w->on_edges) return DONE;
    int64_t *tail = w->tail.at + w->first_arc, *head = w->head.at + w->first_arc;
    size_t sorted = 1;
    while (sorted < count &&
           (tail[sorted - 1] < tail[sorted] || (tail[sorted - 1] == tail[sorted] && head[sorted - 1] <= head[sorted])))
        sorted++;
    if (sorted == count) return DONE;
    TRY(reserve(&w->sorting, 2 * (n + 1 + count)));
    int64_t *by_tail = w->sorting.at, *by_head = by_tail + n + 1, *tails = by_head + n + 1, *heads = tails + count;
    memset(by_tail, 0, 2 * (n + 1) * sizeof *by_tail);
    for (size_t i = 0; i < count; i++) {
        by_tail[tail[i] + 1]++;
        by_head[head[i] + 1]++;
    }
    for (size_t v = 0; v < n; v++) {
        by_tail[v + 1] += by_tail[v];
        by_head[v + 1] += by_head[v];
    }
    for (size_t i = 0; i < count; i++) {
        int64_t to = by_head[head[i]]++;
        tails[to] = tail[i];
        heads[to] = head[i];
    }
    for (size_t i = 0; i < count; i++) {
        int64_t to = by_tail[tails[i]]++;
        tail[to] = tails[i];
        head[to] = heads[i];
    }
    return DONE;
}

/* Begins the graph again, with a dictionary of names. */
static outcome use_names(walk *w)
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
            if (!is_safe(w, key, 5)) return ODD;
        if (PyDict_Size(w->on_edges) == 0) w->on_edges = NULL;
    }
    return DONE;
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
        TRY(use_names(w));
        TRY(walk_vertex_labels(w, false));
        found = walk_edges(w);
    }
    TRY(found);
    TRY(sort_arcs(w));
    TRY(keep_names(w));
    Py_ssize_t labelled = w->on_vertices ? PyObject_Size(w->on_vertices) : 0;
    if (labelled && w->size != (int64_t)labelled) return ODD; /* a vertex has no label */
    w->labelled = w->labelled || labelled;
    w->unlabelled = w->unlabelled || (!labelled && w->size);
    bool arcs = w->tail.count > w->first_arc;
    w->marked = w->marked || w->on_edges;
    w->marked_arcs = w->marked_arcs || (w->on_edges && arcs);
    w->unmarked = w->unmarked || (!w->on_edges && arcs);
    return push(&w->start, w->start.at[w->start.count - 1] + w->size);
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
        outcome found = walk_graph(w, PyList_GetItem(graphs, i));
        Py_CLEAR(w->number);
        Py_CLEAR(w->listed);
        TRY(found);
        /* The arcs of all graphs are numbered together. */
        int64_t offset = w->start.at[w->start.count - 2];
        for (size_t arc = w->first_arc; arc < w->tail.count; arc++) {
            w->tail.at[arc] += offset;
            w->head.at[arc] += offset;
        }
    }
    if (w->labelled && w->unlabelled) return ODD;
    if (w->marked_arcs && w->unmarked) return ODD;
    return DONE;
}

/* ---- What the caller gets ------------------------------------------------------------------------------ */

static PyObject *bytes_of(const numbers *n)
{
    return PyBytes_FromStringAndSize((const char *)n->at, (Py_ssize_t)(n->count * sizeof *n->at));
}

static PyObject *labels_of(const labels *l, bool present)
{
    PyObject *found = !present ? Py_None : l->list;
    if (!found) return bytes_of(&l->whole);
    Py_INCREF(found);
    return found;
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
    part[1] = bytes_of(&w->start);
    part[2] = labels_of(&w->vertex, w->labelled);
    part[3] = labels_of(&w->edge, w->marked_arcs || (w->marked && w->tail.count == 0));
    part[4] = w->named ? w->names : Py_None;
    Py_INCREF(part[4]);
    part[5] = PyBool_FromLong(w->weighted);
    if (part[0] && part[1] && part[2] && part[3])
        found = PyTuple_Pack(6, part[0], part[1], part[2], part[3], part[4], part[5]);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) Py_XDECREF(part[i]);
    return found;
}

/* The number of arcs that lists, sets and dictionaries say; ODD if the edges are something else. */
static outcome count_arcs(PyObject *edges, Py_ssize_t *arcs)
{
    PyObject *key, *value;
    bool matrix;
    if (Py_IS_TYPE(edges, &PyDict_Type)) {
        *arcs = 0;
        for (Py_ssize_t place = 0; PyDict_Next(edges, &place, &key, &value);)
            *arcs += is_neighbors(value) ? PyObject_Size(value) : 1;
        return DONE;
    }
    if (!is_neighbors(edges) && !is_sequence(edges)) return ODD;
    TRY(is_matrix(edges, &matrix));
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
                TRY(add_label(w, &w->edge, label));
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
        PyObject *starts = bytes_of(&w.start), *on_edges = labels_of(&w.edge, true);
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
    outcome found = w.names ? walk_all(&w, graphs, matrices) : FAILED;
    PyObject *result = NULL;
    if (found == DONE) {
        result = answer(&w);
    } else if (found != FAILED) {
        result = Py_None;
        Py_INCREF(result);
    }
    numbers *held[] = {&w.tail, &w.head, &w.start, &w.sorting, &w.vertex.whole, &w.edge.whole};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) PyMem_Free(held[i]->at);
    Py_XDECREF(w.vertex.list);
    Py_XDECREF(w.edge.list);
    Py_XDECREF(w.names);
    if (collects) PyGC_Enable();
    return result;
}
