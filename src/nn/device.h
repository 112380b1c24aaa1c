/*
 * Where networks compute, by name: "cpu", "cuda" (the first CUDA device), "cuda:1" (another one, counted from 0 as
 * CUDA_VISIBLE_DEVICES leaves them), "auto" (the first CUDA device where there is one, else the CPU). Nobody but this
 * file calls the constructor of a backend.
 */
#ifndef LM_DEVICE_H
#define LM_DEVICE_H

#include "nn/backend.h"

/* The backend of that device, of a list of them the first; NULL is "cpu". LEMAN_ERROR_ARGUMENT for a name that is none
 * of these, LEMAN_ERROR_UNSUPPORTED where the build has no such backend or the machine no such device. Free with
 * lm_backend_free(). */
leman_status lm_backend_new(leman_context *ctx, const char *device, lm_backend **out);
/* Of a list that of one rank; and the same in FP32, whatever the precision of the context is, with what is left of the
 * device's memory to `beside`, another backend on it, or NULL; both then keep to one limit together. */
leman_status lm_backend_of_rank(leman_context *ctx, const char *device, size_t rank, lm_backend **out);
leman_status lm_backend_new_exact(leman_context *ctx, const char *device, size_t rank, lm_backend *beside,
                                  lm_backend **out);
/* How many are in a list: training has a rank for each. */
size_t lm_device_ranks(const char *device);
/* The same refusals, and nothing is made: asked before long work. */
leman_status lm_device_check(leman_context *ctx, const char *device);

/* The name of the device for a call with its own leman_device: CUDA wants one whatever the context says. */
const char *lm_device_wanted(const leman_context *ctx, leman_device device);

#endif
