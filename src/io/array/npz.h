/*
 * Arrays side by side in one file (.npz): a zip whose members are .npy files, as numpy.load reads it.
 */
#ifndef LM_NPZ_H
#define LM_NPZ_H

#include "base/serialize.h"
#include "io/archive/zip_write.h"
#include "io/array/npy.h"

/* One member of the zip, NAME.npy: an array of shape[dimensions], a scalar where dimensions is 0; its elements are of
 * `size` bytes. */
leman_status lm_npz_array(lm_zip *zip, const char *name, const char *descr, size_t dimensions, const size_t *shape,
                          const void *items, size_t size);
/* The same of one dimension, whose elements are not in memory. */
leman_status lm_npz_elements(lm_zip *zip, const char *name, const char *descr, size_t count, lm_element_reader *read,
                             void *user, size_t size);

#endif
