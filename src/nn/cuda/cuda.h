/*
 * The backend of CUDA devices. It mirrors nn/cpu operation by operation; models and training do not know which one
 * runs.
 *
 * Batches are padded: spaces have a few sizes only, so that a step is recorded once for each of them and replayed. Rows
 * behind the last live one belong to no graph. Their values are finite and mean nothing; their gradients are zero, so
 * they add nothing to the gradients of weights. What differs from batch to batch (live rows, learning rate, number of
 * the step) is read from the memory of the device.
 *
 * Precision: FP32; TF32 rounds the factors of matrix products to 10 bits; with BF16 values of tuples, vertices and arcs
 * are stored in 16 bits as well. Weights, statistics, sums and values of graphs and labels always have 32 bits.
 *
 * Sums over rows go in parts whose number depends on the padded size alone, and parts are added in their order: two
 * runs give the same bits.
 */
#ifndef LM_CUDA_H
#define LM_CUDA_H

#include "base/cuda/device.h"
#include "nn/backend.h"

#define LM_NO_GRAPH UINT32_MAX

enum {
    LM_CUDA_PARTS = 528,   /* of a sum over rows, at most: four blocks for each multiprocessor of an H200 */
    LM_CUDA_RECORDS = 256, /* extents whose steps are recorded */
    LM_CUDA_SLOTS = 2 * LM_CUDA_RECORDS, /* of the table that they are found in */
    LM_CUDA_PIECE = 64,                  /* rows of one type or several that a block sums up */
    LM_CUDA_LANES = 32,                  /* threads that share a row */
    LM_CUDA_ROWS = 8                     /* rows that a block works on at once */
};

/*
 * The rows of a space in the order of their types, for sums by type. Sorted rows are cut into pieces of LM_CUDA_PIECE;
 * a run is what one type has in one piece. Runs are numbered in that order, so those of a type stand together.
 */
typedef struct lm_cuda_sorted {
    uint32_t *count;     /* [2] rows that have a type, runs */
    uint32_t *order;     /* [rows] */
    uint32_t *run_type;  /* [pieces + rows] */
    uint32_t *piece_run; /* [pieces] the first run of a piece */
} lm_cuda_sorted;

typedef struct lm_cuda_products lm_cuda_products; /* cuBLASLt: product.c */

/* A step that was recorded for batches of one extent. */
typedef struct lm_cuda_record {
    lm_extent extent;
    bool used;
    void *graph; /* cudaGraphExec_t; NULL until the first step of the extent is done, which is not recorded */
} lm_cuda_record;

typedef struct lm_cuda {
    lm_backend base;
    lm_device device;
    char label[LM_DEVICE_NAME]; /* for people */
    leman_precision precision;
    lm_cuda_products *products;

    /* The batch: a block on the device, and pinned ones that it is copied from in turn. */
    char *block, *staging[2];
    size_t capacity, staged[2];
    void *copied[2]; /* cudaEvent_t: the staging block may be written again */
    unsigned turn;
    lm_vector types;                     /* uint32_t: work space for sorting */
    uint32_t *live;                      /* [LM_ROW_SPACES] rows that are not padding; on the device */
    uint32_t *graph_of[LM_GRAPH_SPACES]; /* [rows] the graph of each row, LM_NO_GRAPH for padding */
    uint32_t *line_start;                /* [graphs+1] lines of tuples, n^(k-1) for each graph */
    struct lm_cuda_resident *resident;   /* graphs that batches are gathered from; NULL: none */

    lm_cuda_sorted sorted[LM_GRAPH_SPACES]; /* of tuples, vertices and sets, by their types */

    struct {
        void *stream;      /* cudaStream_t; NULL: none */
        void *fork, *join; /* cudaEvent_t */
        bool current;      /* it has changed places with that of the device */
    } side;

    struct lm_cuda_later *later; /* sums that are added up at the end of a way back */

    lm_control *control; /* on the device */
    double *sums;        /* [LM_CUDA_PARTS] of squares of gradients */

    lm_cuda_record *record; /* [LM_CUDA_SLOTS] by a hash of the extent */
    size_t records;         /* that are used */
    lm_cuda_record *now;    /* that is recorded */
    bool records_nothing;   /* steps are launched as they come */

    struct lm_cuda_ranks *ranks; /* NULL: alone */
} lm_cuda;

static inline lm_cuda *lm_cuda_of(const lm_backend *backend)
{
    return (lm_cuda *)(uintptr_t)backend;
}

/* Values of this space have 16 bits. */
static inline bool lm_cuda_half(const lm_backend *backend, lm_row_space space)
{
    return lm_cuda_of(backend)->precision == LEMAN_PRECISION_BF16 && space < LM_GRAPH_SPACES;
}

/* Products of bfloat16 in which a row has a number of columns that is no multiple of 8 take several times as long. So
 * many zeros are in front of a row of such a value, and of a row of such a weight's copy (nn/cuda/weights.cu). */
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

/* C[m][n] = f(A[m][k] B[k][n] + bias), or C += where add (without bias and f). bias and f = ReLU or identity. */
typedef struct lm_cuda_product {
    size_t m, n, k;
    lm_cuda_matrix a, b;
    void *c;
    size_t c_stride;
    bool c_half, add, relu;
    const void *bias; /* [n] in the numbers of C, or NULL */
} lm_cuda_product;

leman_status lm_cuda_products_new(lm_cuda *cuda);
void lm_cuda_products_free(lm_cuda *cuda);
void lm_cuda_multiply(lm_cuda *cuda, const lm_cuda_product *product);
/* C = f(C + bias), in a kernel of its own. */
void lm_cuda_finish_product(lm_cuda *cuda, const lm_cuda_product *product);

/* Products of matrices derive on the way back; with FP32 those of rows and weights, which are our own there
 * (nn/cuda/tiles.h), as well. */
bool lm_cuda_derives(const lm_backend *backend, const lm_program *program, const lm_step *step);

/* ---- The second stream ----------------------------------------------------------------------- */

leman_status lm_cuda_side_new(lm_cuda *cuda);
void lm_cuda_side_free(lm_cuda *cuda);
/* What is launched between the first two runs beside what is launched between the last two. */
void lm_cuda_side_begin(lm_cuda *cuda);
void lm_cuda_side_end(lm_cuda *cuda);
void lm_cuda_side_join(lm_cuda *cuda);

/* ---- Sums of parts --------------------------------------------------------------------------- */

leman_status lm_cuda_later_new(lm_cuda *cuda);
void lm_cuda_later_free(lm_cuda *cuda);
void lm_cuda_end_backward(lm_backend *backend);

/* ---- Copies of weights ----------------------------------------------------------------------- */

size_t lm_cuda_copy_bytes(const lm_backend *backend, const lm_program *program, bool training);
void lm_cuda_copy_weights(lm_backend *backend, const lm_program *program, const lm_real *weights, void *copies,
                          bool training);

/* ---- Recorded steps -------------------------------------------------------------------------- */

bool lm_cuda_replay(lm_backend *backend, const lm_extent *extent);
bool lm_cuda_recorded(lm_backend *backend);
/* Nothing is recorded any more: memory moved. */
void lm_cuda_forget(lm_cuda *cuda);

/* ---- Ranks ----------------------------------------------------------------------------------- */

leman_status lm_cuda_join(lm_backend *backend, lm_communicator *communicator);
void lm_cuda_sum(lm_backend *backend, lm_real *data, size_t count);
void lm_cuda_gather(lm_backend *backend, const double *mine, size_t count, double *all);
void lm_cuda_ranks_free(lm_cuda *cuda);

/* ---- The batch ------------------------------------------------------------------------------- */

/* Rows of a padded batch. */
void lm_cuda_pad(const lm_backend *backend, lm_extent *extent);
leman_status lm_cuda_load_batch(lm_backend *backend, const lm_batch *batch, lm_batch *out);
size_t lm_cuda_batch_bytes(const lm_backend *backend, const lm_batch *like);
leman_status lm_cuda_reserve_batch(lm_backend *backend, const lm_batch *like);
void lm_cuda_batch_free(lm_cuda *cuda);

leman_status lm_cuda_reserve_resident(lm_backend *backend, const lm_batch *all, bool *fits);
leman_status lm_cuda_add_resident(lm_backend *backend, lm_batch *batch, const uint32_t *graph);
void lm_cuda_drop_resident(lm_backend *backend);

/* ---- Operations ------------------------------------------------------------------------------ */

#define LM_CUDA_OPERATION(NAME, name, inputs, outputs, bias, rules, cpu, cuda)                                         \
    lm_operation_run lm_cuda_##name##_forward, lm_cuda_##name##_backward;                                              \
    lm_operation_workspace lm_cuda_##name##_workspace;
LM_OPERATION_LIST(LM_CUDA_OPERATION)
#undef LM_CUDA_OPERATION

void lm_cuda_adam(lm_backend *backend, const lm_adam *rule, const lm_totals *totals, size_t count, lm_real *value,
                  const lm_real *gradient, lm_real *first, lm_real *second);
void lm_cuda_add_loss(lm_backend *backend, const lm_real *loss, lm_totals *totals);

#endif
