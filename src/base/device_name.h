/*
 * Where work is done, by name: "cpu", "cuda" (the first CUDA device), "cuda:1" (another one, counted from 0 as
 * CUDA_VISIBLE_DEVICES leaves them), "auto" (a CUDA device where that is possible and worth it, else the CPU). What
 * can share its work (training) takes a list of names with commas: "cuda:0,cuda:1".
 */
#ifndef LM_DEVICE_NAME_H
#define LM_DEVICE_NAME_H

#include "base/context.h"

enum { LM_DEVICE_NUMBERS = 1024, LM_DEVICES = 64 /* in a list */ };

typedef enum lm_device_kind { LM_DEVICE_CPU, LM_DEVICE_CUDA, LM_DEVICE_AUTO } lm_device_kind;

typedef struct lm_device_choice {
    lm_device_kind kind;
    int number; /* of a CUDA device */
} lm_device_choice;

/* NULL is "cpu". LEMAN_ERROR_ARGUMENT for a name that is none of these, or a list. */
leman_status lm_device_name_parse(leman_context *ctx, const char *name, lm_device_choice *out);

typedef struct lm_device_list {
    size_t count; /* at least 1 */
    lm_device_choice device[LM_DEVICES];
} lm_device_list;

leman_status lm_device_list_parse(leman_context *ctx, const char *names, lm_device_list *out);

#endif
