/*
 * The part of cuBLASLt that Leman calls. The library is loaded when a network first needs a device, not linked: a program with the CUDA
 * backend starts on machines that have neither a driver nor NVIDIA's libraries, and a wheel does not carry half a gigabyte.
 */
#ifndef LM_CUBLASLT_H
#define LM_CUBLASLT_H

#include "base/context.h"
#include <cublasLt.h>

#define LM_CUBLASLT_FUNCTIONS(FUNCTION)                                                                                \
    FUNCTION(Create, create)                                                                                           \
    FUNCTION(Destroy, destroy)                                                                                         \
    FUNCTION(GetStatusName, error)                                                                                     \
    FUNCTION(Matmul, multiply)                                                                                         \
    FUNCTION(MatmulAlgoGetHeuristic, suggest)                                                                          \
    FUNCTION(MatmulDescCreate, operation_new)                                                                          \
    FUNCTION(MatmulDescDestroy, operation_free)                                                                        \
    FUNCTION(MatmulDescSetAttribute, operation_set)                                                                    \
    FUNCTION(MatmulPreferenceCreate, preference_new)                                                                   \
    FUNCTION(MatmulPreferenceDestroy, preference_free)                                                                 \
    FUNCTION(MatmulPreferenceSetAttribute, preference_set)                                                             \
    FUNCTION(MatrixLayoutCreate, layout_new)                                                                           \
    FUNCTION(MatrixLayoutDestroy, layout_free)

/* Pointers to the functions, of the types that cublasLt.h declares. */
typedef struct lm_cublaslt {
#define LM_CUBLASLT_MEMBER(theirs, ours) __typeof__(cublasLt##theirs) *ours;
    LM_CUBLASLT_FUNCTIONS(LM_CUBLASLT_MEMBER)
#undef LM_CUBLASLT_MEMBER
} lm_cublaslt;

/* Loads the library. Fails with LEMAN_ERROR_UNSUPPORTED if it is not found or lacks a function; the message says how to get it. */
leman_status lm_cublaslt_load(leman_context *ctx, lm_cublaslt *out);

#endif
