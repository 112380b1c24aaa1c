/*
 * Graphs of Python's own dictionaries, lists, tuples and sets as flat arrays: what leman._walk.quick() and quick_networks() hand over, in one pass.
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
 * leman_walk_networks() does the same for _convert.from_networkx(), from the dictionaries inside networkx's graphs.
 *
 * Time: linear in vertices and edges. Memory: 16 bytes an arc, 8 bytes a vertex, twice that while a buffer grows, and 16 bytes for
 * each arc and vertex of the largest graph.
 *
 * The library needs the stable interface of Python 3.10 alone and no header of Leman. ctypes.PyDLL loads it; a Python without a
 * global lock does not (leman._walk).
 */
#ifndef LEMAN_WALK_H
#define LEMAN_WALK_H

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

/* Numbers that occur often by the addresses of their objects: an interpreter that keeps one object for each small number has them side
 * by side, so an address gives the place of its number. Objects that are elsewhere are read as any other. */
enum { SMALL = 257 };
typedef struct small {
    PyObject *object[SMALL]; /* of the numbers 0 to 256, held so that no address becomes another object's */
    unsigned shift;          /* they are 2^shift bytes apart */
} small;

typedef struct walk {
    PyObject *whole, *real; /* exact types, besides int and float, that are whole and real numbers: tuples of NumPy's */
    const int64_t *rows, *columns; /* the arcs of matrices [entries] */
    size_t entries;
    numbers tail, head, start, sorting, count;
    labels vertex, edge;
    PyObject *names; /* a list with None, a range or a tuple for each graph */
    bool named, weighted;
    small small;
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

/* ---- Numbers and labels (values.c) --------------------------------------------------------------------- */

/* Fills the table of small numbers, whose references walk_release_small() drops; false with a MemoryError. */
bool walk_hold_small(small *s);
void walk_release_small(small *s);
/* Makes room for `more` numbers. */
outcome walk_reserve(numbers *n, size_t more);
/* Is it of one of these types, a tuple? */
bool walk_is_one_of(PyObject *types, PyObject *object);
/* Is the object a number? */
bool walk_is_real(const walk *w, PyObject *object, double *value);
/* The weight of an edge. */
outcome walk_weigh(walk *w, PyObject *weight);
outcome walk_add_label(const walk *w, labels *to, PyObject *label);
/* New references: bytes of int64_t; bytes, a list or None. */
PyObject *walk_bytes_of(const numbers *n);
PyObject *walk_labels_of(const labels *l, bool present);

static inline outcome push(numbers *n, int64_t value)
{
    if (n->count == n->capacity) TRY(walk_reserve(n, 1));
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

/* Is the object a whole number of 64 bits? */
static inline bool is_whole(const walk *w, PyObject *object, int64_t *value)
{
    const size_t place = (size_t)((uintptr_t)object - (uintptr_t)w->small.object[0]) >> w->small.shift;
    if (place < SMALL && w->small.object[place] == object) {
        *value = (int64_t)place;
        return true;
    }
    if (!Py_IS_TYPE(object, &PyLong_Type) && !walk_is_one_of(w->whole, object)) return false;
    long long found = PyLong_AsLongLong(object);
    *value = (int64_t)found;
    if (found != -1 || !PyErr_Occurred()) return true;
    PyErr_Clear();
    return false;
}
/* ---- Vertices (vertices.c) ----------------------------------------------------------------------------- */

/* Does hashing and comparing the object run no code of the user? */
bool walk_is_safe(const walk *w, PyObject *object, int depth);
/* A vertex that stands for itself. As long as vertices are consecutive numbers and no labels said which, it is the next of them. */
outcome walk_add_vertex(walk *w, PyObject *name);
/* The vertices and labels of a dictionary {vertex: label} or a list of labels; the labels are added once, not when a graph is begun
 * again. */
outcome walk_vertex_labels(walk *w, bool add);
/* The names of the graph's vertices for the caller: None if each is its number. */
outcome walk_keep_names(walk *w);
/* The number of a vertex in the dictionary of names; a name that is new gets the next one. */
outcome walk_number_of_name(walk *w, PyObject *name, int64_t *number);

/* The number of a vertex. */
static inline outcome number_of(walk *w, PyObject *name, int64_t *number)
{
    if (w->general) return walk_number_of_name(w, name, number);
    if (!is_whole(w, name, number) || *number < w->first || (uint64_t)*number - (uint64_t)w->first >= (uint64_t)w->size)
        return NAMED;
    *number -= w->first;
    return DONE;
}

/* ---- Graph after graph (graphs.c) ---------------------------------------------------------------------- */

/* Sorts the graph's arcs by tail and head, in two counting sorts, so that the library has nothing left to sort. label: NULL, or one for
 * each arc of the graph, which moves along. */
outcome walk_sort_arcs(walk *w, int64_t *label);
/* Begins the graph again, with a dictionary of names. */
outcome walk_use_names(walk *w);
/* Numbers the arcs of the graph together with those of the graphs before it. */
outcome walk_end_graph(walk *w);
/* Frees what the walk holds. Returns (arcs, starts, vertex labels, edge labels, names, weighted), None where a graph was odd, or NULL. */
PyObject *walk_end(walk *w, outcome found);

/* ---- Edges (edges.c) ----------------------------------------------------------------------------------- */

/* Is it a container of the neighbours of a vertex? */
bool walk_is_neighbors(PyObject *value);
/* A list or tuple of n lists of n items each is a matrix. Other items than lists and tuples are odd. */
outcome walk_is_matrix(PyObject *edges, bool *matrix);
/* Adds the arcs of the graph, and the vertices that its edges name. */
outcome walk_edges(walk *w);

#endif
