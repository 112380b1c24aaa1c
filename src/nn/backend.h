/*
 * A backend: memory, and for every operation a forward and a backward function. nn/cpu has the backend of the CPU.
 * Buffers are allocated, filled and read back through the backend, so they may lie on another device.
 *
 * A forward function reads in[] and writes out[]. A backward function reads out_gradient[] (and may overwrite it), adds
 * to weight_gradient[], and writes in_gradient[i], or adds to it if add[i] is set. A gradient whose data is NULL is not
 * computed. A backward function may read only the values that lm_operation_reads_input() and
 * lm_operation_reads_output() name: the memory of the others may have been reused.
 */
#ifndef LM_BACKEND_H
#define LM_BACKEND_H

#include "base/ranks/ranks.h"
#include "nn/program.h"

/* Marks a function whose status every caller must check: the compiler warns otherwise. */
#define LM_CHECKED __attribute__((warn_unused_result))

/* A matrix in the memory of the backend: number (r, c) is data[r * stride + c]. */
typedef struct lm_tensor {
    lm_real *data;
    size_t rows, width, stride;
} lm_tensor;

/* The arguments of one step. */
typedef struct lm_frame {
    const lm_program *program;
    const lm_step *step;
    const lm_batch *batch; /* with arrays in the memory of the backend */
    lm_tensor in[LM_STEP_VALUES], out[LM_STEP_VALUES];
    lm_tensor in_gradient[LM_STEP_VALUES], out_gradient[LM_STEP_VALUES];
    bool add[LM_STEP_VALUES];
    lm_real *weight[LM_STEP_WEIGHTS], *weight_gradient[LM_STEP_WEIGHTS]; /* NULL: the step has no such weight */
    /* If `derived`, the reader of this step has already multiplied out_gradient[0] by the derivative of the step's
     * activation and has completed the gradient of its bias. maker[] lists the steps for which this step must do so as
     * their reader. */
    bool derived;
    size_t makers;
    struct {
        size_t input, column, width; /* columns of in[input] */
        lm_real *bias_gradient;      /* [width] or NULL */
    } maker[2 * LM_STEP_VALUES];
    bool training;      /* batch statistics, dropout */
    bool again;         /* recomputed in the backward pass: running statistics are not updated */
    uint64_t stream;    /* random stream of this step; lm_random_item(stream, tick) is the key */
    const void *copies; /* of the weights, made by lm_backend.copy_weights() */
    void *workspace;
} lm_frame;

typedef struct lm_backend lm_backend;
typedef void lm_operation_run(lm_backend *backend, const lm_frame *frame);
/* Returns the bytes of workspace that a step needs for batches up to the extent of the frame's batch. Of the tensors and
 * the batch, the frame has only the sizes; a weight is not NULL if the step has it. */
typedef size_t lm_operation_workspace(const lm_backend *backend, const lm_frame *like);

/* A row of the table of operations. */
typedef struct lm_operation_entry {
    lm_operation_run *forward, *backward;
    lm_operation_workspace *workspace; /* NULL: none */
} lm_operation_entry;

/* Numbers that change from batch to batch. A backend keeps them in its own memory, so that steps can be recorded and
 * replayed. */
typedef struct lm_control {
    uint64_t tick; /* of the random numbers: lm_executor_forward() */
    uint64_t t;    /* number of the step of Adam, from 1 */
    double rate;   /* learning rate */
    double weight; /* of the batch in the sum of losses */
    /* If several ranks share a batch: the share of the loss that belongs to this rank (otherwise 1), and the rows of
     * the lower ranks, from which dropout counts. */
    double share;
    lm_extent before;
} lm_control;

/* Adam. A gradient whose norm exceeds max_norm is scaled down to that norm (0: no limit). Then weight_decay * weight is
 * added to it. */
typedef struct lm_adam {
    double beta1, beta2, epsilon, weight_decay, max_norm;
} lm_adam;
static inline lm_adam lm_adam_rule(double weight_decay, double max_norm)
{
    const lm_adam rule = {0.9, 0.999, 1e-8, weight_decay, max_norm};
    return rule;
}

/* Sums over batches, in the memory of the backend. */
typedef struct lm_totals {
    double loss, weight;        /* sums of weight * loss and of weight */
    double failed, failed_loss; /* batches whose loss was not finite, and the first such loss */
} lm_totals;

/* Numbers to copy inside the memory of a backend. */
typedef struct lm_piece_copy {
    lm_real *to;
    const lm_real *from;
    size_t count;
} lm_piece_copy;

/* What a backend can record and repeat: a whole step of training, or one pass. */
typedef enum lm_recorded {
    LM_RECORDED_STEP,
    LM_RECORDED_FORWARD,    /* in training */
    LM_RECORDED_PREDICTION, /* a forward pass otherwise */
    LM_RECORDED_BACKWARD
} lm_recorded;

struct lm_backend {
    leman_context *ctx;
    const char *name;
    const lm_operation_entry *operations; /* [LM_OPERATIONS] */
    leman_status status; /* the first failure of the device. Operations return nothing, so it is stored here */

    bool immediate; /* work is done when a call returns, so reading does not have to wait */
    bool shared;    /* the ranks of the context share every batch */

    leman_status (*allocate)(lm_backend *backend, size_t bytes, void **out); /* NULL on failure */
    void (*release)(lm_backend *backend, void *pointer);
    /* Copies from and to the host; both wait until the copy is done. They return the status of the backend; after a
     * failure the bytes that were read must not be used. */
    LM_CHECKED leman_status (*write)(lm_backend *backend, void *to, const void *from, size_t bytes);
    LM_CHECKED leman_status (*read)(lm_backend *backend, void *to, const void *from, size_t bytes);
    void (*copy)(lm_backend *backend, void *to, const void *from, size_t bytes); /* inside the backend */
    void (*clear)(lm_backend *backend, void *to, size_t bytes);
    /* Returns the number of bytes that may still be allocated. */
    size_t (*budget)(const lm_backend *backend);
    /* Returns the bytes of a number in the values of a space: sizeof(lm_real), or 2 for bfloat16. */
    size_t (*number_bytes)(const lm_backend *backend, lm_row_space space);
    /* Returns the distance in numbers between two rows of a root that steps write. The root's columns are the last ones
     * of a row. NULL: the distance is the width of the root. */
    size_t (*stride)(const lm_backend *backend, const lm_value *root);
    /* Rounds the rows of a batch up to those that the backend works on. NULL: no rounding. */
    void (*pad)(const lm_backend *backend, lm_extent *extent);
    /* Sets *out to the batch with padded rows and with arrays that the operations can read. Valid until the next
     * call. */
    leman_status (*load_batch)(lm_backend *backend, const lm_batch *batch, lm_batch *out);
    /* Bytes for batches up to the extent of `like`, whose arrays are absent; and reserving this memory, after
     * which load_batch() of such batches allocates nothing on the backend. Both NULL: batches need no memory of
     * the backend. */
    size_t (*batch_bytes)(const lm_backend *backend, const lm_batch *like);
    leman_status (*reserve_batch)(lm_backend *backend, const lm_batch *like);
    /* Makes two backends on one device keep to one common limit of its memory. NULL: the context's meter does so. */
    void (*share)(lm_backend *backend, lm_backend *with);
    /* The copies of weights in the layout that the operations of a program read: their bytes, and making them before a
     * forward pass and, if `training`, for the backward pass after it. NULL: there are no copies. */
    size_t (*copy_bytes)(const lm_backend *backend, const lm_program *program, bool training);
    void (*copy_weights)(lm_backend *backend, const lm_program *program, const lm_real *weights, void *copies,
                         bool training);
    void (*control)(lm_backend *backend, const lm_control *control);
    /* Adds the loss of the batch to the totals. */
    void (*add_loss)(lm_backend *backend, const lm_real *loss, lm_totals *totals);
    /* One step of Adam: updates value, first and second moment, [count] each. Does nothing once a loss was not
     * finite. */
    void (*adam)(lm_backend *backend, const lm_adam *rule, const lm_totals *totals, size_t count, lm_real *value,
                 const lm_real *gradient, lm_real *first, lm_real *second);
    /* replay() runs what was recorded of this part for batches of this extent and returns true. Otherwise it returns
     * false, and the caller launches the part, which may be recorded, and then calls recorded(). If that returns
     * false, recording has failed and the caller launches the part once more. NULL: the backend records nothing. */
    bool (*replay)(lm_backend *backend, const lm_extent *extent, lm_recorded part);
    bool (*recorded)(lm_backend *backend);
    /* Called after the last step of a backward pass: adds up gradients that are still in parts. NULL: there are
     * none. */
    void (*end_backward)(lm_backend *backend);
    /* Returns true if the backward function of `reader` applies the derivative of the ReLU that made its input. NULL:
     * never. */
    bool (*derives)(const lm_backend *backend, const lm_program *program, const lm_step *reader);
    /* From this call on batches are shared with the other ranks of the context, each of which must call it. */
    leman_status (*join)(lm_backend *backend);
    /* Over the ranks: sum() replaces data[count] by its sum; gather() sets all[ranks][count] to the `mine` of each
     * rank. */
    void (*sum)(lm_backend *backend, lm_real *data, size_t count);
    void (*gather)(lm_backend *backend, const double *mine, size_t count, double *all);
    /* Copies many pieces at once. */
    void (*copy_pieces)(lm_backend *backend, const lm_piece_copy *copies, size_t count);
    /* Around passes in the memory of a caller who has a stream of the device. Work between the two calls waits for what
     * is in that stream, and what the caller puts there later waits for that work. NULL: the caller has no stream. */
    void (*enter)(lm_backend *backend, void *stream);
    void (*leave)(lm_backend *backend, void *stream);
    void (*free)(lm_backend *backend);
};

static inline size_t lm_backend_stride(const lm_backend *backend, const lm_value *root)
{
    return backend->stride ? backend->stride(backend, root) : root->width;
}

static inline size_t lm_backend_ranks(const lm_backend *backend)
{
    return backend->shared ? lm_rank_count(backend->ctx) : 1;
}

/* The constructors; only nn/backends.c calls them. This one is the CPU, with the threads of the context. */
leman_status lm_backend_cpu_new(leman_context *ctx, lm_backend **out);
#ifdef LEMAN_CUDA
/* Creates the backend of a CUDA device. `number` must be below lm_cuda_devices(), the number of devices that
 * CUDA_VISIBLE_DEVICES leaves. Fails with LEMAN_ERROR_UNSUPPORTED and a message if the device cannot be used. */
leman_status lm_backend_cuda_new(leman_context *ctx, size_t number, lm_backend **out);
size_t lm_cuda_devices(void);
#endif
void lm_backend_free(lm_backend *backend);
/* Writes a text like "20.0 MiB (3.1 MiB of it left)", to follow "the memory budget is". left: the result of
 * budget(). */
const char *lm_backend_budget_text(const lm_backend *backend, size_t left, char text[LM_BUDGET_TEXT]);

/* Returns the indices that LM_OP_EMBED looks up, one per row, in the memory of the backend; NULL if row r has
 * index r. */
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

/* Arcs by one of their ends. The arcs of vertex v are arc[i] (i itself if arc is NULL) for i = start[v] ..
 * start[v+1]-1; other[] is the other end of each arc. lm_arcs_received() lists the arcs of the vertex that receives in a
 * step, lm_arcs_sent() those of the vertex that sends. */
typedef struct lm_arcs {
    const uint32_t *start, *arc, *other;
} lm_arcs;
static inline lm_arcs lm_batch_arcs(const lm_batch *b, bool leaving)
{
    const lm_arcs tails = {b->leaving_start, NULL, b->head}, heads = {b->entering_start, b->entering_arc, b->tail};
    return leaving ? tails : heads;
}
static inline lm_arcs lm_arcs_received(const lm_frame *f)
{
    return lm_batch_arcs(f->batch, f->step->neighborhood != LM_ENTERING);
}
static inline lm_arcs lm_arcs_sent(const lm_frame *f)
{
    return lm_batch_arcs(f->batch, f->step->neighborhood == LM_ENTERING);
}

/* The lists that LM_OP_LISTED sums over. The list of row r is item[start[r * each + offset]] up to the next start. If
 * start is NULL, it is the `span` items from item[r * each + offset] on. If item is NULL, item i is i. */
typedef struct lm_lists {
    const uint32_t *start, *item;
    size_t each, offset, span;
} lm_lists;

/* Lists of one row for every vertex or arc, a pair that it picks; and for every pair the vertices or arcs that pick it,
 * at most one. The arcs in the order of their pairs (w, u) are those by head. */
static inline lm_lists lm_picks(const lm_batch *b, const lm_listing *l, lm_row_space space, size_t which, bool pairs)
{
    const bool arcs = space == LM_ARCS, swapped = arcs && which;
    const lm_lists picked = {NULL,
                             swapped ? l->back
                             : arcs  ? l->there
                                     : l->diagonal,
                             1, 0, 1},
                   picking = {swapped ? l->backs
                              : arcs  ? l->theres
                                      : l->diagonals,
                              swapped ? b->entering_arc : NULL, 1, 0, 0};
    return pairs ? picking : picked;
}

/* Returns the lists of the rows of Z; if back, for each row of M the list of the rows of Z that sum over it. */
static inline lm_lists lm_frame_lists(const lm_frame *f, bool back)
{
    const lm_row_space to = lm_program_value(f->program, f->step->output[0])->space,
                       from = lm_program_value(f->program, f->step->input[1])->space;
    const lm_listing *l = f->batch->listed + ((lm_is_listed(to) ? to : from) - LM_LISTED);
    const size_t j = f->step->position;
    const lm_lists neighbors = {l->start, l->neighbor, l->lists, back ? lm_reverse_list(l, j) : j, 0};
    const bool tuple = l->places > 1;
    const lm_lists members = {NULL, l->member, l->members, tuple ? j : 0, tuple ? 1 : l->members},
                   rows = {l->row_start, l->row, l->places, tuple ? j : 0, 0};
    if (to == from) return neighbors;
    if (!lm_is_listed(to) && (to == LM_ARCS || j == l->places)) return lm_picks(f->batch, l, to, j, back);
    return (from == LM_VERTICES) != back ? members : rows;
}

#endif
