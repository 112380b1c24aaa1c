/* Writes the header of a .npy file. */
#include "io/array/npy.h"
#include "base/context.h"
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64, FIXED = 10 /* bytes of magic string, version and length */, HEADER = 1024 };

/* Writes a tuple as Python does: "(3, 4)", "(3,)" and "()". */
static void tuple_text(size_t dimensions, const size_t *shape, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "(");
    for (size_t i = 0; i < dimensions; i++)
        used += (size_t)snprintf(text + used, size - used, i ? ", %zu" : "%zu", shape[i]);
    snprintf(text + used, size - used, dimensions == 1 ? ",)" : ")");
}

leman_status lm_npy_header(lm_output *out, const char *descr, size_t dimensions, const size_t *shape)
{
    char tuple[LM_NPY_DIMENSIONS * 24 + 4], header[HEADER] = "\x93NUMPY\x01";
    if (dimensions > LM_NPY_DIMENSIONS || strlen(descr) > 64)
        return lm_fail(out->ctx, LEMAN_ERROR_ARGUMENT, "%s: an array of %zu dimension%s, expected at most %d",
                       out->path, dimensions, lm_plural(dimensions), LM_NPY_DIMENSIONS);
    tuple_text(dimensions, shape, tuple, sizeof tuple);
    size_t used = FIXED + (size_t)snprintf(header + FIXED, sizeof header - FIXED,
                                           "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, tuple);
    size_t size = (used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; /* with the newline */
    memset(header + used, ' ', size - 1 - used);
    header[size - 1] = '\n';
    header[8] = (char)((size - FIXED) & 0xff);
    header[9] = (char)((size - FIXED) >> 8);
    return lm_output_write(out, header, size);
}
