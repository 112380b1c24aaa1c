/*
 * NCCL. Only ranks with GPUs of their own need it, so the library is loaded when they begin to work together, not
 * linked. The declarations are the part of its C interface that has not changed since 2.0.
 */
#ifndef LM_NCCL_H
#define LM_NCCL_H

#include <stdbool.h>
#include <stddef.h>

enum { LM_NCCL_FLOAT32 = 7, LM_NCCL_FLOAT64 = 8, LM_NCCL_SUM = 0, LM_NCCL_ID = 128, LM_NCCL_RECORDS = 21100 };

typedef struct lm_nccl_id {
    char bytes[LM_NCCL_ID];
} lm_nccl_id;

/* The functions return 0, or a code that error() explains. A stream is a cudaStream_t. */
typedef struct lm_nccl {
    int (*version)(int *version); /* 22703 is 2.27.3; from LM_NCCL_RECORDS on, CUDA graphs can contain NCCL calls */
    const char *(*error)(int code);
    int (*make_id)(lm_nccl_id *id);
    int (*join)(void **communicator, int ranks, lm_nccl_id id, int rank);
    int (*sum)(const void *from, void *to, size_t count, int kind, int operation, void *communicator, void *stream);
    int (*gather)(const void *from, void *to, size_t count, int kind, void *communicator, void *stream);
    int (*leave)(void *communicator); /* aborts operations that are running */
    int (*end)(void *communicator);   /* after all operations are done */
} lm_nccl;

/* Loads the library. Returns false if it does not exist or lacks a function. */
bool lm_nccl_load(lm_nccl *nccl);

#endif
