/* Writes arrays as members of a zip, in pieces, so that the caller can cancel. */
#include "io/array/npz.h"
#include "base/context.h"
#include <stdio.h>

enum { PIECE = 1 << 16, LONGEST_NAME = 512 };

/* Begins the member and writes the header of the array. */
static leman_status begin(lm_zip *zip, const char *name, const char *descr, size_t dimensions, const size_t *shape,
                          lm_output **out)
{
    leman_status st = LEMAN_OK;
    char member[LONGEST_NAME];
    if (snprintf(member, sizeof member, "%s.npy", name) >= (int)sizeof member)
        FAIL(zip->ctx, LEMAN_ERROR_ARGUMENT, "'%s': the name of an array is too long", name);
    TRY(lm_zip_member(zip, member, out));
    TRY(lm_npy_header(*out, descr, dimensions, shape));
done:
    return st;
}

leman_status lm_npz_array(lm_zip *zip, const char *name, const char *descr, size_t dimensions, const size_t *shape,
                          const void *items, size_t size)
{
    leman_status st = LEMAN_OK;
    lm_output *out;
    size_t count = 1;
    for (size_t i = 0; i < dimensions; i++) count *= shape[i];
    TRY(begin(zip, name, descr, dimensions, shape, &out));
    for (size_t at = 0; at < count; at += PIECE) {
        size_t part = count - at < PIECE ? count - at : PIECE;
        TRY(lm_output_write(out, (const char *)items + at * size, part * size));
        TRY(lm_progress_poll(out->ctx));
    }
    TRY(lm_zip_member_end(zip));
done:
    return st;
}

leman_status lm_npz_elements(lm_zip *zip, const char *name, const char *descr, size_t count, lm_element_reader *read,
                             void *user, size_t size)
{
    leman_status st = LEMAN_OK;
    lm_output *out;
    char *piece = NULL;
    TRY(begin(zip, name, descr, 1, &count, &out));
    NEW(zip->ctx, piece, PIECE * size);
    for (size_t at = 0; at < count; at += PIECE) {
        size_t part = count - at < PIECE ? count - at : PIECE;
        TRY(read(user, at, part, piece));
        TRY(lm_output_write(out, piece, part * size));
        TRY(lm_progress_poll(out->ctx));
    }
    TRY(lm_zip_member_end(zip));
done:
    lm_free(zip->ctx, piece);
    return st;
}
