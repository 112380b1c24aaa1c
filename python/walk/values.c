/* Numbers in buffers that grow, and labels. */
#include "walk.h"

bool walk_hold_small(small *s)
{
    for (size_t i = 0; i < SMALL; i++) {
        s->object[i] = PyLong_FromSize_t(i);
        if (!s->object[i]) return false;
    }
    for (uintptr_t apart = (uintptr_t)s->object[1] - (uintptr_t)s->object[0]; apart > 1 && s->shift < 12; apart >>= 1)
        s->shift++;
    return true;
}

void walk_release_small(small *s)
{
    for (size_t i = 0; i < SMALL; i++) Py_XDECREF(s->object[i]);
}

outcome walk_reserve(numbers *n, size_t more)
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

bool walk_is_one_of(PyObject *types, PyObject *object)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(types); i++)
        if (PyTuple_GetItem(types, i) == (PyObject *)Py_TYPE(object)) return true;
    return false;
}

bool walk_is_real(const walk *w, PyObject *object, double *value)
{
    int64_t whole;
    if (Py_IS_TYPE(object, &PyFloat_Type) || walk_is_one_of(w->real, object)) {
        *value = PyFloat_AsDouble(object);
        return true;
    }
    if (!is_whole(w, object, &whole)) return false;
    *value = (double)whole;
    return true;
}

outcome walk_weigh(walk *w, PyObject *weight)
{
    double value;
    if (!walk_is_real(w, weight, &value)) return ODD;
    if (value != 1) w->weighted = true;
    return DONE;
}

enum { LABEL_BITS = 62 }; /* whole numbers below 2^62 in size are labels as they are: leman._labels */

outcome walk_add_label(const walk *w, labels *to, PyObject *label)
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

PyObject *walk_bytes_of(const numbers *n)
{
    return PyBytes_FromStringAndSize((const char *)n->at, (Py_ssize_t)(n->count * sizeof *n->at));
}

PyObject *walk_labels_of(const labels *l, bool present)
{
    PyObject *found = !present ? Py_None : l->list;
    if (!found) return walk_bytes_of(&l->whole);
    Py_INCREF(found);
    return found;
}
