/*
 * Array files of numpy. A .npy file (format 1.0) is a magic string, the length of a Python dictionary, and the
 * dictionary, padded with blanks so that the numbers begin at a multiple of 64 bytes. The numbers follow row by row, in
 * the byte order of the machine. A .npz file is a zip whose members are .npy files, as numpy.load reads it.
 */
#ifndef LM_NPZ_H
#define LM_NPZ_H

#include "base/serialize.h"
#include "io/archive/zip_write.h"

enum { LM_NPY_DIMENSIONS = 32 };

/* Byte order of this machine, for descr: LM_NPY_ORDER "f8". */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LM_NPY_ORDER ">"
#else
#define LM_NPY_ORDER "<"
#endif

/* Writes the header of an array of shape[dimensions]; a scalar has 0 dimensions. descr is numpy's name of the element
 * type: "<f8", "<i4", "|S3". Fails with LEMAN_ERROR_ARGUMENT for more than LM_NPY_DIMENSIONS dimensions. */
leman_status lm_npy_header(lm_output *out, const char *descr, size_t dimensions, const size_t *shape);

/* Begins the member NAME.npy and writes its header. The caller writes the elements to *out and then calls
 * lm_zip_member_end(). */
leman_status lm_npz_begin(lm_zip *zip, const char *name, const char *descr, size_t dimensions, const size_t *shape,
                          lm_output **out);
/* Adds an array of shape[dimensions] as member NAME.npy; a scalar has 0 dimensions. `items` holds elements of `size`
 * bytes. */
leman_status lm_npz_array(lm_zip *zip, const char *name, const char *descr, size_t dimensions, const size_t *shape,
                          const void *items, size_t size);
/* Adds an array of one dimension whose elements are not in memory: `read` fetches them in pieces, in order. */
leman_status lm_npz_elements(lm_zip *zip, const char *name, const char *descr, size_t count, lm_element_reader *read,
                             void *user, size_t size);

#endif
