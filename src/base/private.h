/*
 * The functions of OpenBLAS that the library calls, by the names they have in its own copy of it.
 *
 * cmake/private.cmake reads this list, links a serial OpenBLAS into one object with these names, and hides everything
 * else in it. So a BLAS of the program that the library is part of is never called, and its number of threads stays as
 * it is. Included before <cblas.h>.
 */
#ifndef LM_PRIVATE_H
#define LM_PRIVATE_H

#ifdef LEMAN_PRIVATE_COPY
#define cblas_sgemm lm_private_cblas_sgemm
#define cblas_dgemm lm_private_cblas_dgemm
#endif

#endif
