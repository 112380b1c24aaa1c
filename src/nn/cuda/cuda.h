/*
 * The backend of CUDA devices. It mirrors nn/cpu operation by operation; models and training do not depend on which
 * backend runs.
 *
 * Batches are padded: every space has only a few different sizes, so that a step is recorded once for each of them and
 * replayed. Rows after the last live row belong to no graph. Their values are finite and have no meaning; their
 * gradients are zero, so they add nothing to the gradients of weights. What differs from batch to batch (live rows,
 * learning rate, number of the step) is read from the memory of the device.
 *
 * Precision: FP32; TF32 rounds the factors of matrix products to 10 bits; BF16 also stores the values of tuples,
 * vertices and arcs in 16 bits. Weights, statistics, sums and values of graphs and labels always have 32 bits.
 *
 * A sum over rows is divided into parts whose number depends only on the padded size, and the parts are added in a
 * fixed order: two runs give the same bits.
 */
#ifndef LM_CUDA_H
#define LM_CUDA_H

#include "base/cuda/device.h"
#include "nn/backend.h"

#define LM_NO_GRAPH UINT32_MAX

enum {
    LM_CUDA_PARTS = 528,   /* maximum parts of a sum over rows: four blocks for each multiprocessor of an H200 */
    LM_CUDA_RECORDS = 256, /* maximum number of extents whose steps are recorded */
    LM_CUDA_COUNTERS = 64, /* of blocks that have ended */
    LM_CUDA_PIECE = 64,    /* rows, sorted by type, that a block sums */
    LM_CUDA_LANES = 32,    /* threads that share a row */
    LM_CUDA_ROWS = 8       /* rows that a block works on at once */
};

/*
 * The rows of a space in the order of their types, for sums by type. The sorted rows are divided into pieces of
 * LM_CUDA_PIECE rows. A run is the rows of one type within one piece. Runs are numbered in the sorted order, so the
 * runs of a type are consecutive.
 */
typedef struct lm_cuda_sorted {
    uint32_t *count;     /* [2] number of rows that have a type, number of runs */
    uint32_t *order;     /* [rows] */
    uint32_t *run_type;  /* [pieces + rows] */
    uint32_t *piece_run; /* [pieces] the first run of each piece */
} lm_cuda_sorted;

static inline size_t lm_cuda_pieces(size_t rows)
{
    return (rows + LM_CUDA_PIECE - 1) / LM_CUDA_PIECE;
}

typedef struct lm_cuda_products lm_cuda_products; /* cuBLASLt: product.c */

/* The recorded step, or part of a step, for batches of one extent. */
typedef struct lm_cuda_record {
    lm_extent extent;
    lm_recorded part;
    void *graph; /* cudaGraphExec_t; NULL until the second step of the extent: the first step is not recorded */
} lm_cuda_record;

typedef struct lm_cuda {
    lm_backend base;
    lm_device device;
    char label[LM_DEVICE_NAME]; /* for messages */
    leman_precision precision;
    lm_cuda_products *products;

    /* The batch: two pinned blocks of the host in turn, and two blocks of `capacity` bytes on the device, the batch of
     * the current step and behind it the next one, which arrives during the step. */
    char *block, *staging[2];
    size_t capacity, staged[2];
    void *loading;          /* cudaStream_t: copies from the host */
    void *copied[2], *free; /* cudaEvent_t: after it the staging block, or the second block, may be written again */
    unsigned turn;
    lm_vector types;                     /* uint32_t: workspace for sorting */
    uint32_t *live;                      /* [LM_ROW_SPACES] rows that are not padding; on the device */
    uint32_t *graph_of[LM_GRAPH_SPACES]; /* [rows] the graph of each row, LM_NO_GRAPH for padding */
    uint32_t *line_start;                /* [graphs+1] first line of each graph's tuples, n^(k-1) lines each */

    lm_cuda_sorted sorted[LM_GRAPH_SPACES]; /* tuples, vertices and sets in the order of their types */

    struct {
        void *stream;      /* cudaStream_t; NULL: none */
        void *fork, *join; /* cudaEvent_t */
        bool current;      /* it has changed places with the device's stream */
    } side;

    struct lm_cuda_later *later; /* sums that are completed at the end of a backward pass */

    lm_control *control; /* on the device */
    double *sums;        /* [LM_CUDA_PARTS] of squares of gradients */
    uint32_t *come; /* [LM_CUDA_COUNTERS] blocks that have ended, of a kernel whose last block completes a part of it; 0
                       between kernels */

    struct {
        void *event; /* cudaEvent_t; NULL until the first call */
        int device;  /* that was current */
    } caller;

    lm_cuda_record *record; /* [LM_CUDA_RECORDS] */
    size_t records;         /* number of records in use */
    lm_cuda_record *now;    /* the record that is being made */
    bool records_nothing;   /* steps are launched without recording */

    struct lm_cuda_ranks *ranks; /* NULL: one rank */
} lm_cuda;

static inline lm_cuda *lm_cuda_of(const lm_backend *backend)
{
    return (lm_cuda *)(uintptr_t)backend;
}

/* Returns true if values of this space have 16 bits. */
static inline bool lm_cuda_half(const lm_cuda *cuda, lm_row_space space)
{
    return cuda->precision == LEMAN_PRECISION_BF16 && space < LM_GRAPH_SPACES;
}

/* Returns the number of zeros in front of a row of this many columns, of a value and of a weight's copy
 * (nn/cuda/weights.cu). With them a row has a multiple of 8 numbers; otherwise products of bfloat16 take several times
 * as long. */
static inline size_t lm_cuda_lead(size_t columns)
{
    return columns >= 32 ? (8 - columns % 8) % 8 : 0;
}

/* ---- Products: C = A B, row-major ------------------------------------------------------------ */

typedef struct lm_cuda_matrix {
    const void *data;
    size_t stride;
    bool transposed, half;
} lm_cuda_matrix;

/* C[m][n] = f(A[m][k] B[k][n] + bias), where f is the ReLU or the identity; or C += A B if add, without bias and f. */
typedef struct lm_cuda_product {
    size_t m, n, k;
    lm_cuda_matrix a, b;
    void *c;
    size_t c_stride;
    bool c_half, add, relu;
    const void *bias; /* [n] in the number type of C, or NULL */
} lm_cuda_product;

leman_status lm_cuda_products_new(lm_cuda *cuda);
void lm_cuda_products_free(lm_cuda *cuda);
void lm_cuda_multiply(lm_cuda *cuda, const lm_cuda_product *product);
/* C = f(C + bias), in a kernel of its own. `bias` as in lm_cuda_product. */
void lm_cuda_finish_product(lm_cuda *cuda, const lm_tensor *c, bool half, const void *bias, lm_activation f);

/* The `derives` of the backend. Products of matrices apply derivatives in the backward pass; with FP32 so do products
 * of rows and weights, which are computed by nn/cuda/tiles.h. */
bool lm_cuda_derives(const lm_backend *backend, const lm_program *program, const lm_step *step);

/* ---- Events, and the second stream ----------------------------------------------------------- */

void *lm_cuda_event(lm_device *device); /* cudaEvent_t; NULL after a failure */
void lm_cuda_event_free(void *event);
void lm_cuda_record_event(lm_device *device, void *event);
/* Work launched in the device's stream after this call waits for what preceded the event. */
void lm_cuda_wait_event(lm_device *device, void *event);

leman_status lm_cuda_side_new(lm_cuda *cuda);
void lm_cuda_side_free(lm_cuda *cuda);
/* Work launched between begin and end runs concurrently with work launched between end and join. */
void lm_cuda_side_begin(lm_cuda *cuda);
void lm_cuda_side_end(lm_cuda *cuda);
void lm_cuda_side_join(lm_cuda *cuda);

/* The `enter` and `leave` of the backend. In between, the device of the backend is current. */
void lm_cuda_enter(lm_backend *backend, void *stream);
void lm_cuda_leave(lm_backend *backend, void *stream);

/* ---- Sums of parts --------------------------------------------------------------------------- */

leman_status lm_cuda_later_new(lm_cuda *cuda);
void lm_cuda_later_free(lm_cuda *cuda);
void lm_cuda_end_backward(lm_backend *backend);

/* ---- Copies of the caller's weights ---------------------------------------------------------- */

void lm_cuda_copy_pieces(lm_backend *backend, const lm_piece_copy *copies, size_t count);

/* ---- Copies of weights ----------------------------------------------------------------------- */

size_t lm_cuda_copy_bytes(const lm_backend *backend, const lm_program *program, bool training);
void lm_cuda_copy_weights(lm_backend *backend, const lm_program *program, const lm_real *weights, void *copies,
                          bool training);

/* ---- Recorded steps -------------------------------------------------------------------------- */

bool lm_cuda_replay(lm_backend *backend, const lm_extent *extent, lm_recorded part);
bool lm_cuda_recorded(lm_backend *backend);
/* Deletes all recordings, after device memory has moved. */
void lm_cuda_forget(lm_cuda *cuda);

/* ---- Ranks ----------------------------------------------------------------------------------- */

leman_status lm_cuda_join(lm_backend *backend);
void lm_cuda_sum(lm_backend *backend, lm_real *data, size_t count);
void lm_cuda_gather(lm_backend *backend, const double *mine, size_t count, double *all);
void lm_cuda_ranks_free(lm_cuda *cuda);

/* ---- The batch ------------------------------------------------------------------------------- */

/* Rounds the rows up to those of a padded batch. */
void lm_cuda_pad(const lm_backend *backend, lm_extent *extent);
leman_status lm_cuda_load_batch(lm_backend *backend, const lm_batch *batch, lm_batch *out);
size_t lm_cuda_batch_bytes(const lm_backend *backend, const lm_batch *like);
leman_status lm_cuda_reserve_batch(lm_backend *backend, const lm_batch *like);
leman_status lm_cuda_loading_new(lm_cuda *cuda);
void lm_cuda_batch_free(lm_cuda *cuda);

/* ---- Operations ------------------------------------------------------------------------------ */

/* lm_operation_run and lm_operation_workspace. The caller checks whether launches have failed. */
typedef void lm_cuda_run(lm_cuda *cuda, const lm_frame *frame);
typedef size_t lm_cuda_workspace(const lm_cuda *cuda, const lm_frame *like);

#define LM_CUDA_OPERATION(NAME, name, inputs, outputs, bias, rules, cpu, cuda)                                         \
    lm_cuda_run lm_cuda_##name##_forward, lm_cuda_##name##_backward;                                                   \
    lm_cuda_workspace lm_cuda_##name##_workspace;
LM_OPERATION_LIST(LM_CUDA_OPERATION)
#undef LM_CUDA_OPERATION

void lm_cuda_adam(lm_backend *backend, const lm_adam *rule, const lm_totals *totals, size_t count, lm_real *value,
                  const lm_real *gradient, lm_real *first, lm_real *second);
void lm_cuda_add_loss(lm_backend *backend, const lm_real *loss, lm_totals *totals);

#endif
