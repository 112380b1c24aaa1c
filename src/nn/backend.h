/*
 * A backend: memory, and for every operation a forward and a backward function. nn/cpu has the one for the CPU.
 * Buffers are allocated, filled and read back through it, so they may lie on another device.
 *
 * Forward reads in[] and writes out[]. Backward reads out_gradient[] (which it may destroy), adds to weight_gradient[],
 * and writes in_gradient[i], or adds to it where add[i]; a tensor with data NULL is not wanted.
 * lm_operation_reads_input() and lm_operation_reads_output() give the values that a backward function reads: only those
 * are still there.
 */
#ifndef LM_BACKEND_H
#define LM_BACKEND_H

#include "nn/program.h"

/* A matrix in the memory of the backend: number (r, c) is data[r * stride + c]. */
typedef struct lm_tensor {
    lm_real *data;
    size_t rows, width, stride;
} lm_tensor;

/* One step, ready to run. */
typedef struct lm_frame {
    const lm_program *program;
    const lm_step *step;
    const lm_batch *batch; /* its arrays in the memory of the backend */
    lm_tensor in[LM_STEP_VALUES], out[LM_STEP_VALUES];
    lm_tensor in_gradient[LM_STEP_VALUES], out_gradient[LM_STEP_VALUES];
    bool add[LM_STEP_VALUES];
    lm_real *weight[LM_STEP_WEIGHTS], *weight_gradient[LM_STEP_WEIGHTS]; /* NULL where the step has none */
    bool training;                                                       /* batch statistics, dropout */
    bool again;   /* recomputed on the way back: running statistics are left alone */
    uint64_t key; /* of the random numbers of this step in this pass */
    void *workspace;
} lm_frame;

typedef struct lm_backend lm_backend;
typedef void lm_operation_run(lm_backend *backend, const lm_frame *frame);

/* A row of the table of operations. */
typedef struct lm_operation_entry {
    lm_operation_run *forward, *backward;
    /* Bytes of workspace for batches up to this extent; NULL: none. */
    size_t (*workspace)(const lm_backend *backend, const lm_program *program, const lm_step *step,
                        const lm_extent *max);
} lm_operation_entry;

/* Adam; t counts from 1. weight_decay * weight is added to the gradient. */
typedef struct lm_adam {
    double rate, beta1, beta2, epsilon, weight_decay;
    double scale; /* of the gradients: 1, or less where they are clipped */
    uint64_t t;
} lm_adam;

struct lm_backend {
    leman_context *ctx;
    const char *name;
    const lm_operation_entry *operations; /* [LM_OPERATIONS] */
    leman_status status; /* the first failure of a device: operations return nothing, so it is kept here */

    leman_status (*allocate)(lm_backend *backend, size_t bytes, void **out);
    void (*release)(lm_backend *backend, void *pointer);
    void (*write)(lm_backend *backend, void *to, const void *from, size_t bytes); /* from the host */
    void (*read)(lm_backend *backend, void *to, const void *from, size_t bytes);  /* to the host; waits */
    void (*clear)(lm_backend *backend, void *to, size_t bytes);
    /* *out is the batch with arrays that the operations can read, valid until the next call. */
    leman_status (*load_batch)(lm_backend *backend, const lm_batch *batch, lm_batch *out);
    /* value, first and second moment [count] after one step of Adam. */
    void (*adam)(lm_backend *backend, const lm_adam *rule, size_t count, lm_real *value, const lm_real *gradient,
                 lm_real *first, lm_real *second);
    /* Sum of squares. */
    double (*square_sum)(lm_backend *backend, size_t count, const lm_real *values);
    void (*free)(lm_backend *backend);
};

/* The constructors, which only nn/device calls. The CPU, with the threads of the context: */
leman_status lm_backend_cpu_new(leman_context *ctx, lm_backend **out);
#ifdef LEMAN_CUDA
/* A CUDA device below lm_cuda_devices(), which are those that CUDA_VISIBLE_DEVICES leaves; LEMAN_ERROR_UNSUPPORTED with
 * a sentence where it cannot be used. */
leman_status lm_backend_cuda_new(leman_context *ctx, size_t number, lm_backend **out);
size_t lm_cuda_devices(void);
#endif
void lm_backend_free(lm_backend *backend);

/* Does the backward function of this step read its input i, its output i? */
bool lm_operation_reads_input(const lm_step *step, size_t i);
bool lm_operation_reads_output(const lm_step *step, size_t i);

#endif
