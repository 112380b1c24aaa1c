/*
 * Names of devices: "cpu", "cuda" (the first CUDA device), "cuda:1" (CUDA device 1, counted from 0 among those in
 * CUDA_VISIBLE_DEVICES), "auto" (a CUDA device if that is possible and worth it, otherwise the CPU). Work that can be
 * shared between devices (training) takes a list of names separated by commas: "cuda:0,cuda:1".
 */
#ifndef LM_DEVICE_NAMES_H
#define LM_DEVICE_NAMES_H

#include "base/context.h"

enum { LM_DEVICE_NUMBERS = 1024, LM_DEVICES = 64 /* names in a list */ };

typedef enum lm_device_kind { LM_DEVICE_CPU, LM_DEVICE_CUDA, LM_DEVICE_AUTO } lm_device_kind;

typedef struct lm_device_choice {
    lm_device_kind kind;
    int number; /* of the CUDA device */
} lm_device_choice;

/* Parses the name of one device; NULL means "cpu". Fails with LEMAN_ERROR_ARGUMENT if the name is a list or unknown. */
leman_status lm_device_name_parse(leman_context *ctx, const char *name, lm_device_choice *out);

typedef struct lm_device_list {
    size_t count; /* at least 1 */
    lm_device_choice device[LM_DEVICES];
} lm_device_list;

leman_status lm_device_list_parse(leman_context *ctx, const char *names, lm_device_list *out);

#endif
