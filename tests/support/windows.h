/* What the tests use beside what the library uses (src/base/system/windows/posix.h), for Windows. CMakeLists.txt includes this
 * file before every test. */
#ifndef TEST_WINDOWS_H
#define TEST_WINDOWS_H
#pragma GCC system_header

#include <malloc.h>
#include <stdlib.h>

#define malloc_usable_size(pointer) _msize(pointer)
#define unsetenv(name) _putenv_s(name, "")

typedef struct test_windows_order {
    int (*compare)(const void *a, const void *b, void *user);
    void *user;
} test_windows_order;

static inline int test_windows_compare(void *order, const void *a, const void *b)
{
    const test_windows_order *o = order;
    return o->compare(a, b, o->user);
}

static inline void qsort_r(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
                           void *user)
{
    test_windows_order order = {compare, user};
    qsort_s(items, count, size, test_windows_compare, &order);
}

#endif
