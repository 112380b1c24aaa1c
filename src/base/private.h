/*
 * The functions of OpenBLAS and LIBLINEAR that the library calls, by the names they have in its own copy of them.
 *
 * cmake/private.cmake reads this list, links a serial OpenBLAS and LIBLINEAR into one object with these names, and
 * hides everything else in it. So a BLAS or a LIBLINEAR of the program that the library is part of is never called, and
 * its number of threads and its print function stay as they are. Included before <cblas.h> or <linear.h>.
 */
#ifndef LM_PRIVATE_H
#define LM_PRIVATE_H

#ifdef LEMAN_PRIVATE_COPY
#define cblas_sgemm lm_private_cblas_sgemm
#define cblas_dgemm lm_private_cblas_dgemm
#define train lm_private_train
#define free_and_destroy_model lm_private_free_and_destroy_model
#define set_print_string_function lm_private_set_print_string_function
#endif

#endif
