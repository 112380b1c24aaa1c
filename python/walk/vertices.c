/* Numbers of vertices by their names, and labels of vertices. */
#include "walk.h"

bool walk_is_safe(const walk *w, PyObject *object, int depth)
{
    if (Py_IS_TYPE(object, &PyLong_Type) || Py_IS_TYPE(object, &PyUnicode_Type) || Py_IS_TYPE(object, &PyFloat_Type) ||
        Py_IS_TYPE(object, &PyBool_Type) || Py_IS_TYPE(object, &PyBytes_Type) || object == Py_None)
        return true;
    if (!Py_IS_TYPE(object, &PyTuple_Type)) return walk_is_one_of(w->whole, object);
    for (Py_ssize_t i = 0; i < PyTuple_Size(object); i++)
        if (depth == 0 || !walk_is_safe(w, PyTuple_GetItem(object, i), depth - 1)) return false;
    return true;
}

outcome walk_number_of_name(walk *w, PyObject *name, int64_t *number)
{
    if (!walk_is_safe(w, name, 4)) return ODD;
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

outcome walk_add_vertex(walk *w, PyObject *name)
{
    int64_t number;
    if (w->general || w->on_vertices) return number_of(w, name, &number);
    if (!is_whole(w, name, &number)) return NAMED;
    if (w->size == 0) w->first = number;
    if (w->first >= INT64_MAX - w->size || number != w->first + w->size) return NAMED;
    w->size++;
    return DONE;
}

outcome walk_keep_names(walk *w)
{
    bool plain = true;
    if (w->general)
        for (int64_t i = 0; i < w->size && plain; i++) {
            PyObject *name = PyList_GetItem(w->listed, (Py_ssize_t)i);
            double value;
            plain = Py_IS_TYPE(name, &PyBool_Type) ? (name == Py_True) == i
                                                   : walk_is_real(w, name, &value) && value == (double)i;
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

outcome walk_vertex_labels(walk *w, bool add)
{
    PyObject *given = w->on_vertices, *name, *label;
    Py_ssize_t place = 0;
    if (!given) return DONE;
    if (Py_IS_TYPE(given, &PyDict_Type)) {
        bool consecutive = !w->general;
        for (int64_t value; PyDict_Next(given, &place, &name, &label);) {
            if (add) TRY(walk_add_label(w, &w->vertex, label));
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
        if (add) TRY(walk_add_label(w, &w->vertex, item_of(given, i)));
        if (!w->general) continue;
        name = PyLong_FromSsize_t(i);
        outcome found = name ? number_of(w, name, &number) : FAILED;
        Py_XDECREF(name);
        TRY(found);
    }
    if (!w->general) w->size = count;
    return DONE;
}
