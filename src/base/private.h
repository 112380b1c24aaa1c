/*
 * The functions of OpenBLAS that the library calls, with the names that they have in the library's private copy.
 *
 * cmake/private.cmake reads this list, links a serial OpenBLAS into one object with these names, and hides all its
 * other symbols. A BLAS of the host program is therefore never called, and its number of threads does not change.
 * Include this file before <cblas.h>.
 */
#ifndef LM_PRIVATE_H
#define LM_PRIVATE_H

#if defined(LEMAN_PRIVATE_COPY)
#define cblas_sgemm lm_private_cblas_sgemm
#define cblas_dgemm lm_private_cblas_dgemm
#define cblas_dtrsm lm_private_cblas_dtrsm
#define cblas_dtrsv lm_private_cblas_dtrsv
#define dpotrf_ lm_private_dpotrf_
#elif defined(BLAS_SYMBOL_PREFIX) /* the OpenBLAS of PyPI's scipy-openblas32, which puts scipy_ before its names */
#define LM_BLAS_JOIN(prefix, name) prefix##name
#define LM_BLAS_NAME(prefix, name) LM_BLAS_JOIN(prefix, name)
#define cblas_sgemm LM_BLAS_NAME(BLAS_SYMBOL_PREFIX, cblas_sgemm)
#define cblas_dgemm LM_BLAS_NAME(BLAS_SYMBOL_PREFIX, cblas_dgemm)
#define cblas_dtrsm LM_BLAS_NAME(BLAS_SYMBOL_PREFIX, cblas_dtrsm)
#define cblas_dtrsv LM_BLAS_NAME(BLAS_SYMBOL_PREFIX, cblas_dtrsv)
#define dpotrf_ LM_BLAS_NAME(BLAS_SYMBOL_PREFIX, dpotrf_)
#endif

#include "leman.h"

/* Reserves workspaces for matrix products of `wanted` concurrent threads; must be called before the products. Sets
 * *threads to the number of threads that may compute products, which is less than `wanted` if the system has little
 * memory. Fails with LEMAN_ERROR_MEMORY if not even one workspace can be reserved. A workspace is about 128 MiB of
 * address space, of which products touch a small part. lm_products_release() ends the reservation of that many
 * threads. */
leman_status lm_products_reserve(leman_context *ctx, size_t wanted, size_t *threads);
void lm_products_release(size_t threads);
/* The name of the kernels that matrix products use, as OpenBLAS has it; "" if there is no choice. After the first
 * lm_products_reserve(). */
const char *lm_products_core(void);

#endif
