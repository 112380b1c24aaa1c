/*
 * The least that a program must do to read graphs of networkx: compare_hashes.py compiles this file and measures it.
 *
 *   walk     visits every entry of the dictionaries of neighbours, and of their data if labels are asked for
 *   number   also looks up the number of every neighbour, which is an object of Python, in a dictionary
 *
 * graphs: a list of (adjacency of the graph, data of its nodes, numbers of its nodes). Returns how many entries there were.
 */
#include <Python.h>

static Py_ssize_t walk_node(PyObject *neighbors, PyObject *numbers, PyObject *label)
{
    PyObject *neighbor, *data;
    Py_ssize_t place = 0, entries = 0;
    while (PyDict_Next(neighbors, &place, &neighbor, &data)) {
        entries++;
        if (numbers) entries += PyDict_GetItem(numbers, neighbor) == NULL;
        if (label) entries += PyDict_GetItem(data, label) == NULL;
    }
    return entries;
}

Py_ssize_t walk(PyObject *graphs, int number, PyObject *label)
{
    Py_ssize_t entries = 0;
    if (label == Py_None) label = NULL;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(graphs); i++) {
        PyObject *graph = PyList_GET_ITEM(graphs, i), *key, *value;
        PyObject *numbers = number ? PyTuple_GET_ITEM(graph, 2) : NULL;
        for (Py_ssize_t place = 0; PyDict_Next(PyTuple_GET_ITEM(graph, 0), &place, &key, &value);)
            entries += walk_node(value, numbers, label);
        for (Py_ssize_t place = 0; label && PyDict_Next(PyTuple_GET_ITEM(graph, 1), &place, &key, &value);)
            entries += PyDict_GetItem(value, label) == NULL;
    }
    return entries;
}
