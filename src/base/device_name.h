/*
 * Where work is done, by name: "cpu", "cuda" (the first CUDA device), "cuda:1" (another one, counted from 0 as
 * CUDA_VISIBLE_DEVICES leaves them), "auto" (a CUDA device where that is possible and worth it, else the CPU).
 */
#ifndef LM_DEVICE_NAME_H
#define LM_DEVICE_NAME_H

#include "base/context.h"

enum { LM_DEVICE_NUMBERS = 1024 };

typedef enum lm_device_kind { LM_DEVICE_CPU, LM_DEVICE_CUDA, LM_DEVICE_AUTO } lm_device_kind;

typedef struct lm_device_choice {
    lm_device_kind kind;
    int number; /* of a CUDA device */
} lm_device_choice;

/* NULL is "cpu". LEMAN_ERROR_ARGUMENT for a name that is none of these. */
leman_status lm_device_name_parse(leman_context *ctx, const char *name, lm_device_choice *out);

#endif
