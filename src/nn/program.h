/*
 * A model is a program: a list of steps over values and weights, built once from the architecture. The forward pass
 * runs the steps in order, the backward pass in reverse order. Sizes, memory, names, initial values, checkpoints and
 * exports are all derived from the three lists. A model names values and never touches memory, so it runs on every
 * backend.
 *
 *   value   a matrix: the rows of a space (nn/batch.h) times a width. A value may be some columns of a wider value
 *   weight  a matrix that is learned, or running statistics, which are stored with the learned weights
 *   step    an operation, the values it reads and writes, the weights it uses
 *
 * A builder returns the number of the value that it creates. The program stores the first failure: later builders do
 * nothing, and lm_program_finish() returns that failure. So a layer reads like its equation:
 *
 *   lm_program_enter(p, "layer%u", t);
 *   lm_linear first = lm_linear_new(p, "first", d, d);
 *   lm_sum sum = lm_sum_default(LM_LEAVING, 0, lm_epsilon_new(p, "epsilon"));
 *   z = lm_program_sum(p, x, &sum);
 *   h = lm_program_linear(p, z, first, LM_RELU);
 *   lm_program_leave(p);
 *
 * A weight that several steps use is shared: its gradients add up.
 */
#ifndef LM_PROGRAM_H
#define LM_PROGRAM_H

#include "base/drop.h"
#include "nn/batch.h"
#include "nn/operation_list.h"

#define LM_NONE UINT32_MAX /* no value, no weight */

typedef enum lm_activation { LM_IDENTITY, LM_RELU, LM_ELU } lm_activation;

/* ---- Values ---------------------------------------------------------------------------------- */

/* Where the numbers of a value come from. */
typedef enum lm_source {
    LM_FROM_STEP, /* a step writes the value */
    LM_FROM_ZEROS,
    LM_FROM_VERTEX_ATTRIBUTES, /* read from the batch, as are the next three */
    LM_FROM_ARC_ATTRIBUTES,
    LM_FROM_TUPLE_ATTRIBUTES,
    LM_FROM_LISTED_ATTRIBUTES /* of the first listed space */
} lm_source;

typedef struct lm_value {
    lm_row_space space;
    size_t width;
    uint32_t root; /* the value whose columns column .. column+width-1 this value is. The root of a root is itself */
    size_t column;
    lm_source source;
    bool differentiable; /* depends on a learned weight, so it has a gradient */
    bool kept;           /* stays readable until the next batch */
    bool cleared;        /* a root whose gradient is set to zero before steps add to it. Set by lm_program_finish() */
} lm_value;

/* ---- Weights --------------------------------------------------------------------------------- */

typedef enum lm_initial { LM_UNIFORM, LM_CONSTANT, LM_NORMAL } lm_initial;

typedef struct lm_weight {
    char *name; /* "layer0.first.weight"; unique in its program */
    size_t rows, columns;
    lm_initial initial;
    double value;   /* initial numbers: uniform in -value .. value, the constant, or normal with this deviation */
    bool trainable; /* false: running statistics, not learned */
    size_t offset;  /* index of its first number in the block of all weights */
} lm_weight;

/* Numbers of weights that belong together: of a linear map, a batch norm, a recurrent cell. */
typedef struct lm_linear {
    uint32_t weight; /* [outputs][inputs] */
    uint32_t bias;   /* [1][outputs] or LM_NONE */
} lm_linear;

typedef struct lm_norm {
    uint32_t scale, shift;   /* [1][width]; initially 1 and 0 */
    uint32_t mean, variance; /* running statistics; initially 0 and 1 */
} lm_norm;

typedef struct lm_gates {
    uint32_t input, hidden;           /* [gates * width][inputs], [gates * width][width] */
    uint32_t input_bias, hidden_bias; /* [1][gates * width] */
} lm_gates;

/* ---- Steps ----------------------------------------------------------------------------------- */

/* The values are LM_OP_EMBED and so on; nn/operation_list.h has the formulas. */
#define LM_OPERATION_VALUE(NAME, name, inputs, outputs, bias, rules, cpu, cuda) LM_OP_##NAME,
typedef enum lm_operation { LM_OPERATION_LIST(LM_OPERATION_VALUE) LM_OPERATIONS } lm_operation;
#undef LM_OPERATION_VALUE

/* Returns true if the rule, an LM_RULE_... of nn/operation_list.h, holds for the operation. */
bool lm_operation_has(lm_operation operation, unsigned rule);
/* Returns the index of the operation's bias among the weights of its steps, or LM_STEP_WEIGHTS if it has no bias. */
size_t lm_operation_bias(lm_operation operation);

/* The vertices w that a sum S along component j of a tuple runs over; w = v_j is excluded but from the last two. A is the
 * adjacency matrix, J the matrix of ones. */
typedef enum lm_neighborhood {
    LM_LEAVING,  /* arcs v_j -> w: in an undirected graph, the neighbours. S X = A X */
    LM_ENTERING, /* arcs w -> v_j. S X = A' X */
    LM_OTHERS,   /* vertices without an arc v_j -> w. S X = J X - A X - X */
    LM_ALL,      /* all vertices. S X = J X - X */
    LM_LINE,     /* all vertices and v_j. S X = J X */
    LM_OPPOSITE  /* of pairs: the other component alone, so that the pair becomes (v, v) */
} lm_neighborhood;

/* The array of indices that LM_OP_EMBED reads, and the space of the value that it writes. */
typedef enum lm_index {
    LM_INDEX_TUPLE_TYPE,  /* -> LM_TUPLES */
    LM_INDEX_COUNT,       /* -> LM_TUPLES: column `column` of the batch's counts */
    LM_INDEX_VERTEX_TYPE, /* -> LM_VERTICES */
    LM_INDEX_ARC_LABEL,   /* -> LM_ARCS */
    LM_INDEX_LABEL,       /* -> LM_LABELS: row l is W[l] */
    LM_INDEX_LISTED_TYPE  /* -> LM_LISTED + `column` */
} lm_index;

enum {
    LM_STEP_VALUES = 4,
    LM_STEP_WEIGHTS = 4,
    LM_NORM_KEPT =
        4 /* numbers for each column: mean, 1 / deviation, shift corrected for the rounding of the mean, 1 / rows */
};

typedef struct lm_step {
    lm_operation operation;
    uint32_t input[LM_STEP_VALUES], output[LM_STEP_VALUES]; /* LM_NONE: left out, or after the last */
    uint32_t weight[LM_STEP_WEIGHTS];
    lm_activation activation;
    lm_neighborhood neighborhood;
    lm_index index;
    size_t position; /* component of the tuple, from 0; list of a listed row; argument `column` of lm_program_embed() */
    double rate;     /* dropout: the share that is set to 0; pool, nnconv, listed: 1 for the mean, 0 for the sum */
    uint32_t segment;
    uint32_t add;  /* bit i: the gradient of input i is added to what other steps have written there. Set by finish */
    uint32_t idle; /* bit i: the loss does not depend on weight i, so its gradient, 0, is not computed. Set by finish */
    uint32_t reader; /* the step that can apply the derivative of this step's ReLU in its own backward function
                        (lm_frame.derived): the only reader of the output, a linear step or a product of matrices; or
                        LM_NONE. Set by finish */
} lm_step;

/* Return true if the backward function of the step reads its input i; its output i. */
bool lm_operation_reads_input(const lm_step *step, size_t i);
bool lm_operation_reads_output(const lm_step *step, size_t i);

typedef struct lm_program {
    leman_context *ctx;               /* NULL once the program is finished */
    leman_status status;              /* the first failure */
    lm_vector values, weights, steps; /* lm_value, lm_weight, lm_step */
    char scope[256];
    unsigned k; /* size of the tuples */
    uint32_t segments;
    uint32_t prediction, loss; /* values, or LM_NONE */
    size_t numbers, trainable; /* count of numbers in all weights, in the learned weights */
    bool finished;
} lm_program;

/* Creates an empty program for tuples of size k; k = 1 if the network has no tuples. */
leman_status lm_program_new(leman_context *ctx, unsigned k, lm_program **out);
void lm_program_free(lm_program *program);
LM_DROP(lm_program)
/* Ends building: checks the lists, and decides for every gradient whether a step writes it or adds to it. Returns the
 * first failure of any builder, if there was one. */
leman_status lm_program_finish(lm_program *program);

/* Once a builder has failed, these two return a value and a weight without rows and columns, so that builders need not
 * check for earlier failures. */
extern const lm_value lm_no_value;
extern const lm_weight lm_no_weight;
static inline const lm_value *lm_program_value(const lm_program *p, uint32_t value)
{
    return p->status ? &lm_no_value : (const lm_value *)p->values.items + value;
}
static inline const lm_weight *lm_program_weight(const lm_program *p, uint32_t weight)
{
    return p->status ? &lm_no_weight : (const lm_weight *)p->weights.items + weight;
}
static inline const lm_step *lm_program_step(const lm_program *p, size_t step)
{
    return (const lm_step *)p->steps.items + step;
}
const char *lm_operation_name(lm_operation operation);

/* ---- Building: names and weights ------------------------------------------------------------- */

/* Between enter and leave the names of new weights start with "NAME.", where NAME is the formatted text. */
__attribute__((format(printf, 2, 3))) void lm_program_enter(lm_program *p, const char *format, ...);
void lm_program_leave(lm_program *p);

/* A linear map [outputs][columns] without bias, whose weight is called NAME: some columns of a map of `inputs` columns,
 * so that its initial numbers are uniform in +-1/sqrt(inputs). */
lm_linear lm_map_new(lm_program *p, const char *name, size_t outputs, size_t columns, size_t inputs);
/* A linear map. Its weights are called "NAME.weight" and "NAME.bias"; their initial numbers are uniform in
 * +-1/sqrt(inputs). */
lm_linear lm_linear_new(lm_program *p, const char *name, size_t inputs, size_t outputs);
/* The first linear map on one-hot types, stored as a table with one row per type. The weight is called "NAME.table";
 * its initial numbers are uniform in +-1/sqrt(types). The table has no bias: lm_bias_new() creates one. */
uint32_t lm_table_new(lm_program *p, const char *name, size_t types, size_t width);
/* A table whose initial numbers are normal with deviation 1, as in the networks of 2024. */
uint32_t lm_embedding_new(lm_program *p, const char *name, size_t types, size_t width);
/* A bias of `width` numbers, called "NAME.bias". Its initial numbers are uniform in +-1/sqrt(inputs). */
uint32_t lm_bias_new(lm_program *p, const char *name, size_t inputs, size_t width);
/* A single learned number called NAME; initially 0. */
uint32_t lm_epsilon_new(lm_program *p, const char *name);
lm_norm lm_norm_new(lm_program *p, const char *name, size_t width);
/* Recurrent cells: an LSTM has the 4 gates i,f,g,o, a GRU the 3 gates r,z,n. Initial numbers are uniform in
 * +-1/sqrt(width). */
lm_gates lm_lstm_new(lm_program *p, const char *name, size_t inputs, size_t width);
lm_gates lm_gru_new(lm_program *p, const char *name, size_t inputs, size_t width);

/* ---- Building: values and steps -------------------------------------------------------------- */

/* The attributes of the batch that `source` (LM_FROM_..._ATTRIBUTES) names, `width` columns. */
uint32_t lm_program_input(lm_program *p, lm_source source, size_t width);
uint32_t lm_program_zeros(lm_program *p, lm_row_space space, size_t width);
/* The values side by side: Y = [X_1, X_2, ...]. The parts become columns of the new value, so nothing is copied, except
 * a part that is already a column of another value or comes from the batch. */
uint32_t lm_program_join(lm_program *p, const uint32_t *parts, size_t count);
/* Columns first .. first+width-1 of a value. */
uint32_t lm_program_columns(lm_program *p, uint32_t x, size_t first, size_t width);

/* Y[r] = W[index[r]]; the row is zero if index[r] is LM_NO_TYPE. `column` is the column of the counts for
 * LM_INDEX_COUNT, the number of the listed space for LM_INDEX_LISTED_TYPE. */
uint32_t lm_program_embed(lm_program *p, lm_index index, size_t column, uint32_t table);
/* Y = f(X W' + b). */
uint32_t lm_program_linear(lm_program *p, uint32_t x, lm_linear layer, lm_activation activation);
/* Adds a step of any operation whose inputs, at most two, and whose output have one common shape. y and bias may be
 * LM_NONE. */
uint32_t lm_program_apply(lm_program *p, lm_operation operation, uint32_t x, uint32_t y, uint32_t bias,
                          lm_activation activation);
/* Y = f(X_1 + X_2), and Y = f(X + b). */
static inline uint32_t lm_program_add(lm_program *p, uint32_t x, uint32_t y, lm_activation activation)
{
    return lm_program_apply(p, LM_OP_ADD, x, y, LM_NONE, activation);
}
static inline uint32_t lm_program_bias(lm_program *p, uint32_t x, uint32_t bias, lm_activation activation)
{
    return lm_program_apply(p, LM_OP_ADD, x, LM_NONE, bias, activation);
}
/* Y = f(scale (X - mean)/sqrt(variance + 1e-5) + shift). In training, mean and variance are those of all rows of the
 * batch (in LM_LABELS: of the arcs that carry the labels). Otherwise they are the running statistics. */
uint32_t lm_program_norm(lm_program *p, uint32_t x, lm_norm norm, lm_activation activation);
/* Z = f((1+epsilon) X + S M + b). S sums over the neighbourhood of component `position`; k is arbitrary, and vertices
 * are 1-tuples. M is what tuples send: X itself, or a value of the shape of X (local+ sends ReLU(X + E[#])). Costs
 * O(rows * degree * width), and O(rows * width) for LM_ALL. */
typedef struct lm_sum {
    lm_neighborhood neighborhood;
    size_t position;
    uint32_t epsilon; /* weight, or LM_NONE */
    uint32_t sent;    /* value M, or LM_NONE for X */
    uint32_t bias;    /* weight, or LM_NONE */
    lm_activation activation;
} lm_sum;
lm_sum lm_sum_default(lm_neighborhood neighborhood, size_t position, uint32_t epsilon);
uint32_t lm_program_sum(lm_program *p, uint32_t x, const lm_sum *sum);
/* Sums along both components of pairs: out[j] = (1+epsilon[j]) X + S_j X. A backend may read X only once
 * for both sums. */
void lm_program_pair_sums(lm_program *p, uint32_t x, lm_neighborhood neighborhood, const uint32_t epsilon[2],
                          uint32_t out[2]);
/* In a listed space, Z[r] = f((1+epsilon) X[r] + sum of M over a list of r + b). If M is a value of this space, the
 * list is list number `list` of the neighbours of r. If M is a value of LM_VERTICES, the list is the vertices of r; of
 * a tuple, its component number `list` alone. In LM_VERTICES, M is a value of a listed space of tuples, and the list of
 * a vertex v is the tuples whose component number `list` is v or, of pairs and if list = 2, the pair (v, v); in LM_ARCS,
 * M is a value of listed pairs, and the list of an arc uw is the pair (u, w) or, if list = 1, (w, u). If `mean` is set, the sum is divided by the length of the list (unless that is 0). X, epsilon and b may be LM_NONE.
 * Costs O((rows + links) * width). */
typedef struct lm_listed_sum {
    uint32_t own;  /* value X, or LM_NONE */
    uint32_t sent; /* value M */
    size_t list;   /* number of the list of neighbours, or of the component; of the pair that is picked */
    bool mean;
    uint32_t epsilon, bias; /* weights, or LM_NONE */
    lm_activation activation;
} lm_listed_sum;
uint32_t lm_program_listed(lm_program *p, lm_row_space space, const lm_listed_sum *sum);
/* Along component `position` of vertices or tuples: Z[u] = (1+epsilon) X[u] + sum of ReLU(M[w] + E[arc, or label of the
 * arc]) over the arcs u -> w (LM_LEAVING) or w -> u (LM_ENTERING). M is sum->sent, or X. E is in LM_LABELS or LM_ARCS and
 * as wide as X; it is zero for an arc whose label is LM_NO_TYPE. There is no bias and no activation. */
uint32_t lm_program_messages(lm_program *p, uint32_t x, uint32_t edges, lm_sum sum);
/* Messages in a listed space: Z[r] = (1+epsilon) X[r] + sum over list `list` of r of ReLU(M[t] + E[arc of the link]). X,
 * M and E are equally wide, E is in LM_ARCS. */
typedef struct lm_linked_sum {
    uint32_t own, sent; /* values X and M */
    uint32_t edges;     /* value E */
    size_t list;
    uint32_t epsilon; /* weight, or LM_NONE */
} lm_linked_sum;
uint32_t lm_program_linked(lm_program *p, lm_row_space space, const lm_linked_sum *sum);
/* The pairs that are edges, in LM_ARCS: Y[a] = X[(u, w)] for the arc a from u to w; X[(w, u)] if `swapped`. */
uint32_t lm_program_gather(lm_program *p, uint32_t x, bool swapped);
/* The sum over tuples, all or listed, in LM_VERTICES: Y[v] = sum of X over the tuples whose component `position` is v. */
uint32_t lm_program_collect(lm_program *p, uint32_t x, size_t position);
/*
 * NNConv: Z[u] = sum, or mean, over the arcs u -> w (LM_LEAVING) or w -> u (LM_ENTERING) of
 *   Y[w][0] + sum over k of H[arc][k] Y[w][k]
 * Y in LM_VERTICES holds hidden + 1 blocks of Z's width side by side; H in LM_ARCS is `hidden` wide. Z[u] is 0 for a
 * vertex without arcs.
 */
uint32_t lm_program_nnconv(lm_program *p, uint32_t y, uint32_t h, lm_neighborhood neighborhood, bool mean);
/* M[(u,v)] = sum over w of P[(u,w)] Q[(w,v)], for each channel separately. The values must be of pairs (k = 2). */
uint32_t lm_program_matmul(lm_program *p, uint32_t left, uint32_t right);
/* Y[(v_1..v_k)] = f(sum over j of X_j[v_j] + b). The k parts X_j are in LM_VERTICES or LM_NONE, not all of them; k is at
 * most LM_STEP_VALUES. */
uint32_t lm_program_spread(lm_program *p, const uint32_t *parts, size_t count, uint32_t bias, lm_activation activation);
/* In training, sets a share `rate` of the numbers to 0 and divides the others by 1 - rate. Otherwise Y = X. */
uint32_t lm_program_dropout(lm_program *p, uint32_t x, double rate);
/* The sum or mean over the rows of each graph, in LM_GRAPHS; 0 for an empty graph. */
uint32_t lm_program_pool(lm_program *p, uint32_t x, bool mean);
/* For values of pairs (k = 2). For each graph and channel, the maximum over the pairs (v, v), then the maximum over the
 * pairs of two different vertices: a value in LM_GRAPHS, twice as wide. A maximum over no pairs is 0. In the backward
 * pass the gradient goes to the first row that attains the maximum. */
uint32_t lm_program_pool_max(lm_program *p, uint32_t x);
/* r[g] = sum of a_i x_i over the rows i of g, where a is the softmax of x_i . q[g]. x is [rows][d], q is
 * [graphs][d]. */
uint32_t lm_program_attend(lm_program *p, uint32_t x, uint32_t q);
/* One step of a recurrent cell. Returns the new h; the LSTM also replaces *c by the new cell state. */
uint32_t lm_program_lstm(lm_program *p, uint32_t x, uint32_t h, uint32_t *c, lm_gates cell);
uint32_t lm_program_gru(lm_program *p, uint32_t x, uint32_t h, lm_gates cell);
/* Set2Set with `turns` iterations: [rows][d] -> [graphs][2d]. The cell is an LSTM with 2d inputs and width d. */
uint32_t lm_program_set2set(lm_program *p, uint32_t x, unsigned turns, lm_gates cell);

/* Declares x, [graphs, vertices or arcs][targets, classes or tasks], the prediction of the network; and its loss against the batch:
 * LM_OP_L1, LM_OP_SQUARE, LM_OP_CROSS_ENTROPY or LM_OP_BINARY_CROSS_ENTROPY. */
void lm_program_predict(lm_program *p, uint32_t x);
void lm_program_set_loss(lm_program *p, lm_operation loss);
/* Keeps the value readable after a run (for tests and explanations). */
void lm_program_keep(lm_program *p, uint32_t x);
/* Begins a new segment. With recomputation, only values that cross segments are kept; the backward pass computes the
 * others again. Call it before each layer. */
void lm_program_segment(lm_program *p);

#endif
