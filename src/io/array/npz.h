/*
 * Arrays side by side in one file (.npz): a zip whose members are .npy files, as numpy.load reads it.
 */
#ifndef LM_NPZ_H
#define LM_NPZ_H

#include "io/archive/zip_write.h"
#include "io/array/npy.h"

/* One member of the zip, NAME.npy: an array of shape[dimensions], a scalar where dimensions is 0; its elements are of
 * `size` bytes. */
leman_status lm_npz_array(lm_zip *zip, const char *name, const char *descr, size_t dimensions, const size_t *shape,
                          const void *items, size_t size);

#endif
