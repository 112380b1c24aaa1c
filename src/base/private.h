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

#include "leman.h"

/* Work space for products that `wanted` threads compute at a time: before they call one. *threads is how many of them
 * may; fewer than wanted where the system has little memory. LEMAN_ERROR_MEMORY where there is none for one. It is
 * address space of about 128 MiB each, of which products touch a small part. */
leman_status lm_products_reserve(leman_context *ctx, size_t wanted, size_t *threads);
void lm_products_release(size_t threads);

#endif
