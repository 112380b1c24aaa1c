/*
 * The header of numpy's array files (.npy, format 1.0): a magic string, the length of a Python dictionary, and the
 * dictionary, padded with blanks so that the numbers begin at a multiple of 64 bytes. The numbers follow row by row, in
 * the byte order of the machine.
 */
#ifndef LM_NPY_H
#define LM_NPY_H

#include "base/file.h"

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

#endif
