/*
 * Writes several arrays into one file (.npz): a zip whose members are .npy files, as numpy.load reads it.
 */
#ifndef LM_NPZ_H
#define LM_NPZ_H

#include "base/serialize.h"
#include "io/archive/zip_write.h"
#include "io/array/npy.h"

/* Adds an array of shape[dimensions] as member NAME.npy; a scalar has 0 dimensions. `items` holds elements of `size`
 * bytes. */
leman_status lm_npz_array(lm_zip *zip, const char *name, const char *descr, size_t dimensions, const size_t *shape,
                          const void *items, size_t size);
/* Adds an array of one dimension whose elements are not in memory: `read` fetches them in pieces, in order. */
leman_status lm_npz_elements(lm_zip *zip, const char *name, const char *descr, size_t count, lm_element_reader *read,
                             void *user, size_t size);

#endif
