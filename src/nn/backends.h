/*
 * The devices that networks compute on, by name: "cpu", "cuda" (the first CUDA device), "cuda:1" (another one, counted
 * from 0 among those that CUDA_VISIBLE_DEVICES leaves), "auto" (the first CUDA device if there is one, otherwise the
 * CPU). Only this file calls the constructors of backends.
 */
#ifndef LM_BACKENDS_H
#define LM_BACKENDS_H

#include "nn/backend.h"

/* Creates the backend of the named device, or of device rank % count of a list; of the CPU if `device` is NULL. Fails
 * with LEMAN_ERROR_ARGUMENT for an unknown name, and with LEMAN_ERROR_UNSUPPORTED if the build has no such backend or
 * the machine no such device. Free the backend with lm_backend_free(). */
leman_status lm_backend_new(leman_context *ctx, const char *device, size_t rank, lm_backend **out);
/* Like lm_backend_new(), but in FP32 whatever the precision of the context is. If `beside`, another backend on the
 * device, is not NULL, the new backend may use the memory that `beside` leaves free, and both keep to one common
 * limit. */
leman_status lm_backend_new_exact(leman_context *ctx, const char *device, size_t rank, lm_backend *beside,
                                  lm_backend **out);
/* Returns the number of devices in a list, 1 for a text that is none. Training runs one rank on each device. */
size_t lm_device_ranks(const char *device);
/* Fails like lm_backend_new() would for each device of the list, without creating a backend. For use before long
 * work. */
leman_status lm_device_check(leman_context *ctx, const char *device);

/* Returns the name of the device for a call that has a leman_device argument of its own. LEMAN_DEVICE_CUDA always
 * selects a CUDA device; any other value, the device of the context. */
const char *lm_device_wanted(const leman_context *ctx, leman_device device);

#endif
