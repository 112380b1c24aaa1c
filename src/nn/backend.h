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

#include "base/ranks/communicator.h"
#include "nn/program.h"

/* A function whose status every caller looks at: the compiler warns of others. */
#define LM_CHECKED __attribute__((warn_unused_result))

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
    lm_real *weight[LM_STEP_WEIGHTS], *weight_gradient[LM_STEP_WEIGHTS]; /* NULL where it has none */
    /* Where the backend derives: out_gradient[0] has gone through the derivative of the step's activation, and the
     * gradient of its bias is complete; the step that reads it did both, for all that made its inputs: */
    bool derived;
    size_t makers;
    struct {
        size_t input, column, width; /* columns of in[input] */
        lm_real *bias_gradient;      /* [width] or NULL */
    } maker[2 * LM_STEP_VALUES];
    bool training;      /* batch statistics, dropout */
    bool again;         /* recomputed on the way back: running statistics are left alone */
    uint64_t stream;    /* of the random numbers of this step; lm_random_item(stream, tick) is their key */
    const void *copies; /* of the weights: lm_backend.copy_weights() */
    void *workspace;
} lm_frame;

typedef struct lm_backend lm_backend;
typedef void lm_operation_run(lm_backend *backend, const lm_frame *frame);
/* Bytes of workspace for batches up to this extent. */
typedef size_t lm_operation_workspace(const lm_backend *backend, const lm_program *program, const lm_step *step,
                                      const lm_extent *max);

/* A row of the table of operations. */
typedef struct lm_operation_entry {
    lm_operation_run *forward, *backward;
    lm_operation_workspace *workspace; /* NULL: none */
} lm_operation_entry;

/* What changes from batch to batch beside the batch. A backend keeps it in its own memory, so that steps can be
 * recorded and repeated. */
typedef struct lm_control {
    uint64_t tick; /* of the random numbers */
    uint64_t t;    /* steps of Adam, from 1 */
    double rate;   /* learning rate */
    double weight; /* of the batch in the sum of losses */
    /* Where several ranks share the work on a batch: the part of the loss that is this rank's, 1 alone, and the rows of
     * the ranks before, from which dropout counts. */
    double share;
    lm_extent before;
} lm_control;

/* Adam. weight_decay * weight is added to the gradient; a gradient whose norm is above max_norm is scaled down to it,
 * 0: never. */
typedef struct lm_adam {
    double beta1, beta2, epsilon, weight_decay, max_norm;
} lm_adam;

/* What is added up over batches, in the memory of the backend. */
typedef struct lm_totals {
    double loss, weight;        /* sums of weight * loss and of weight */
    double failed, failed_loss; /* batches whose loss was not finite, and the first such loss */
} lm_totals;

struct lm_backend {
    leman_context *ctx;
    const char *name;
    const lm_operation_entry *operations; /* [LM_OPERATIONS] */
    leman_status status; /* the first failure of a device: operations return nothing, so it is kept here */

    bool immediate;                /* work is done when a call returns: reading costs nothing */
    lm_communicator *communicator; /* of the ranks that share every batch; NULL: this one works alone */

    leman_status (*allocate)(lm_backend *backend, size_t bytes, void **out); /* NULL on failure */
    void (*release)(lm_backend *backend, void *pointer);
    /* From and to the host; both wait. The status is that of the backend: nothing may be kept of a read that failed. */
    LM_CHECKED leman_status (*write)(lm_backend *backend, void *to, const void *from, size_t bytes);
    LM_CHECKED leman_status (*read)(lm_backend *backend, void *to, const void *from, size_t bytes);
    void (*copy)(lm_backend *backend, void *to, const void *from, size_t bytes); /* inside the backend */
    void (*clear)(lm_backend *backend, void *to, size_t bytes);
    /* Bytes that may still be allocated. */
    size_t (*budget)(const lm_backend *backend);
    /* Bytes of a number in the values of a space: those of lm_real, or 2 for bfloat16. */
    size_t (*number_bytes)(const lm_backend *backend, lm_row_space space);
    /* Numbers from row to row of a root that steps write; its columns are the last of them. NULL: as many as it has. */
    size_t (*stride)(const lm_backend *backend, const lm_value *root);
    /* Raises the rows of a batch to those that the backend will work on; NULL: it works on them as they are. */
    void (*pad)(const lm_backend *backend, lm_extent *extent);
    /* *out is the batch with arrays that the operations can read, valid until the next call, and padded rows. */
    leman_status (*load_batch)(lm_backend *backend, const lm_batch *batch, lm_batch *out);
    /* Bytes, and memory, for batches up to the extent of this one, whose arrays are absent: load_batch() of those then
     * allocates nothing in the memory of the backend. Both NULL: batches take no memory of the backend. */
    size_t (*batch_bytes)(const lm_backend *backend, const lm_batch *like);
    leman_status (*reserve_batch)(lm_backend *backend, const lm_batch *like);
    /* Two backends on one device: both keep to one limit of its memory. NULL: the context's meter does that. */
    void (*share)(lm_backend *backend, lm_backend *with);
    /* Graphs in the memory of the backend, so that batches can name them (lm_batch.resident). First room for all of
     * them: *fits is false where there is too little memory. all: a batch of all of them whose arrays are absent. Then
     * some at a time: those of a batch, whose arrays it may change, with their numbers. Or all are forgotten. NULL: it
     * keeps none. */
    leman_status (*reserve_resident)(lm_backend *backend, const lm_batch *all, bool *fits);
    leman_status (*add_resident)(lm_backend *backend, lm_batch *batch, const uint32_t *graph);
    void (*drop_resident)(lm_backend *backend);
    /* Copies of weights as the operations of a program read them: their bytes, and making them, before a way forward
     * and, where training, the way back behind it. NULL: there are none. */
    size_t (*copy_bytes)(const lm_backend *backend, const lm_program *program, bool training);
    void (*copy_weights)(lm_backend *backend, const lm_program *program, const lm_real *weights, void *copies,
                         bool training);
    void (*control)(lm_backend *backend, const lm_control *control);
    /* Adds the loss of the batch to the totals. */
    void (*add_loss)(lm_backend *backend, const lm_real *loss, lm_totals *totals);
    /* value, first and second moment [count] after one step of Adam; no step once a loss was not finite. */
    void (*adam)(lm_backend *backend, const lm_adam *rule, const lm_totals *totals, size_t count, lm_real *value,
                 const lm_real *gradient, lm_real *first, lm_real *second);
    /* Steps that were recorded for batches of this extent are run again, true; or what is launched from now on is
     * recorded, until recorded(); where that failed it says false, and all is to be launched once more. NULL: nothing
     * is. */
    bool (*replay)(lm_backend *backend, const lm_extent *extent);
    bool (*recorded)(lm_backend *backend);
    /* Behind the last step of a way back: gradients that are still in parts are added up. NULL: none are. */
    void (*end_backward)(lm_backend *backend);
    /* Does the backward function of this step take the derivative of the ReLU that made its input? NULL: never. */
    bool (*derives)(const lm_backend *backend, const lm_program *program, const lm_step *reader);
    /* From now on batches are shared with the other ranks, which call it too. */
    leman_status (*join)(lm_backend *backend, lm_communicator *communicator);
    /* Over the ranks: data[count] becomes its sum; all[ranks][count] what each rank has. */
    void (*sum)(lm_backend *backend, lm_real *data, size_t count);
    void (*gather)(lm_backend *backend, const double *mine, size_t count, double *all);
    void (*free)(lm_backend *backend);
};

static inline size_t lm_backend_stride(const lm_backend *backend, const lm_value *root)
{
    return backend->stride ? backend->stride(backend, root) : root->width;
}

static inline size_t lm_backend_ranks(const lm_backend *backend)
{
    return backend->communicator ? backend->communicator->ranks : 1;
}

/* The constructors, which only nn/device calls. The CPU, with the threads of the context: */
leman_status lm_backend_cpu_new(leman_context *ctx, lm_backend **out);
#ifdef LEMAN_CUDA
/* A CUDA device below lm_cuda_devices(), which are those that CUDA_VISIBLE_DEVICES leaves; LEMAN_ERROR_UNSUPPORTED with
 * a sentence where it cannot be used. */
leman_status lm_backend_cuda_new(leman_context *ctx, size_t number, lm_backend **out);
size_t lm_cuda_devices(void);
#endif
void lm_backend_free(lm_backend *backend);
/* "20.0 MiB (3.1 MiB of it left)": behind "the memory budget is". left: what budget() said. */
const char *lm_backend_budget_text(const lm_backend *backend, size_t left, char text[LM_BUDGET_TEXT]);

/* What LM_OP_EMBED looks up for every row, in the memory of the backend; NULL where row r is type r. */
static inline const uint32_t *lm_frame_index(const lm_frame *f)
{
    switch (f->step->index) {
    case LM_INDEX_TUPLE_TYPE: return f->batch->tuple_type;
    case LM_INDEX_COUNT: return f->batch->count + f->step->position * f->out[0].rows;
    case LM_INDEX_VERTEX_TYPE: return f->batch->vertex_type;
    case LM_INDEX_ARC_LABEL: return f->batch->arc_label;
    case LM_INDEX_LISTED_TYPE: return f->batch->listed[f->step->position].type;
    default: return NULL;
    }
}

/* The lists that LM_OP_LISTED sums over: that of row r is item[start[r * each + offset]] up to the next start, or,
 * where start is NULL, the `each` items from item[r * each] on. */
typedef struct lm_lists {
    const uint32_t *start, *item;
    size_t each, offset;
} lm_lists;

/* back: the rows in whose lists a row of M is. */
static inline lm_lists lm_frame_lists(const lm_frame *f, bool back)
{
    const lm_listing *l = f->batch->listed + (lm_program_value(f->program, f->step->output[0])->space - LM_LISTED);
    const bool members = lm_program_value(f->program, f->step->input[1])->space == LM_VERTICES;
    const lm_lists neighbors = {l->start, l->neighbor, l->lists, f->step->position};
    const lm_lists forward = {NULL, l->member, l->members, 0}, backward = {l->row_start, l->row, 1, 0};
    return !members ? neighbors : back ? backward : forward;
}

/* Does the backward function of this step read its input i, its output i? */
bool lm_operation_reads_input(const lm_step *step, size_t i);
bool lm_operation_reads_output(const lm_step *step, size_t i);

#endif
