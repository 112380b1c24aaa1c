/* Writes headers of .npy files, and arrays as members of a zip, in pieces, so that the caller can cancel. */
#include "io/array/npz.h"
#include "base/context.h"
#include <stdio.h>
#include <string.h>

enum { PIECE = 1 << 16, LONGEST_NAME = 512 };
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

leman_status lm_npz_begin(lm_zip *zip, const char *name, const char *descr, size_t dimensions, const size_t *shape,
                          lm_output **out)
{
    char member[LONGEST_NAME];
    if (snprintf(member, sizeof member, "%s.npy", name) >= (int)sizeof member)
        return lm_fail(zip->ctx, LEMAN_ERROR_ARGUMENT, "'%s': the name of an array is too long", name);
    PASS(lm_zip_member(zip, member, out));
    return lm_npy_header(*out, descr, dimensions, shape);
}

leman_status lm_npz_array(lm_zip *zip, const char *name, const char *descr, size_t dimensions, const size_t *shape,
                          const void *items, size_t size)
{
    lm_output *out;
    size_t count = 1;
    for (size_t i = 0; i < dimensions; i++) count *= shape[i];
    PASS(lm_npz_begin(zip, name, descr, dimensions, shape, &out));
    for (size_t at = 0; at < count; at += PIECE) {
        size_t part = count - at < PIECE ? count - at : PIECE;
        PASS(lm_output_write(out, (const char *)items + at * size, part * size));
        PASS(lm_progress_poll(out->ctx));
    }
    return lm_zip_member_end(zip);
}

leman_status lm_npz_elements(lm_zip *zip, const char *name, const char *descr, size_t count, lm_element_reader *read,
                             void *user, size_t size)
{
    lm_output *out;
    AUTO(lm_release_at) char *piece = NULL;
    PASS(lm_npz_begin(zip, name, descr, 1, &count, &out));
    PASS_NEW(zip->ctx, piece, PIECE * size);
    for (size_t at = 0; at < count; at += PIECE) {
        size_t part = count - at < PIECE ? count - at : PIECE;
        PASS(read(user, at, part, piece));
        PASS(lm_output_write(out, piece, part * size));
        PASS(lm_progress_poll(out->ctx));
    }
    return lm_zip_member_end(zip);
}
