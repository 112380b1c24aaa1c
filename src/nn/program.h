/*
 * A model is a program: a list of steps over values and weights, built once from the architecture. Forward runs the
 * steps in order, backward in reverse; sizes, memory, names, initial values, checkpoints and exports follow from the
 * three lists. A model names values and never touches memory, so it runs on every backend.
 *
 *   value   a matrix: the rows of a space (nn/batch.h) times a width. Some are columns of a wider value
 *   weight  a matrix that is learned, or (running statistics) that is kept with what is learned
 *   step    an operation, the values it reads and writes, the weights it uses
 *
 * Builders return the number of the value they make. The first failure stays in the program: builders then do nothing,
 * and lm_program_finish() returns it. So a layer reads like its equation:
 *
 *   lm_program_enter(p, "layer%u", t);
 *   lm_linear first = lm_linear_new(p, "first", d, d);
 *   uint32_t epsilon = lm_epsilon_new(p, "epsilon");
 *   z = lm_program_neighbors(p, x, LM_LEAVING, 0, epsilon);
 *   h = lm_program_linear(p, z, first, LM_RELU);
 *   lm_program_leave(p);
 *
 * A weight that several steps use is shared: its gradients add up.
 */
#ifndef LM_PROGRAM_H
#define LM_PROGRAM_H

#include "nn/batch.h"
#include "nn/operation_list.h"

#define LM_NONE UINT32_MAX /* no value, no weight */

typedef enum lm_activation { LM_IDENTITY, LM_RELU, LM_ELU } lm_activation;

/* ---- Values ---------------------------------------------------------------------------------- */

/* Where the numbers of a value come from. */
typedef enum lm_source {
    LM_FROM_STEP, /* some step writes it */
    LM_FROM_ZEROS,
    LM_FROM_VERTEX_ATTRIBUTES, /* the batch */
    LM_FROM_ARC_ATTRIBUTES,
    LM_FROM_TUPLE_ATTRIBUTES
} lm_source;

typedef struct lm_value {
    lm_row_space space;
    size_t width;
    uint32_t root; /* the value whose columns column .. column+width-1 it is: itself, or one that is no part */
    size_t column;
    lm_source source;
    bool differentiable; /* depends on a weight that is learned: it has a gradient */
    bool kept;           /* stays readable until the next batch */
    bool cleared;        /* a root whose gradient is set to zero before steps add to it. Set by finish */
} lm_value;

/* ---- Weights --------------------------------------------------------------------------------- */

typedef enum lm_initial { LM_UNIFORM, LM_CONSTANT } lm_initial;

typedef struct lm_weight {
    char *name; /* "layer0.first.weight"; unique in its program */
    size_t rows, columns;
    lm_initial initial;
    double value;   /* uniform in -value .. value, or this constant */
    bool trainable; /* false: running statistics */
    size_t offset;  /* its first number in the block of all weights */
} lm_weight;

/* Numbers of weights that belong together. */
typedef struct lm_linear {
    uint32_t weight; /* [outputs][inputs] */
    uint32_t bias;   /* [1][outputs] or LM_NONE */
} lm_linear;

typedef struct lm_norm {
    uint32_t scale, shift;   /* [1][width]; 1 and 0 at the start */
    uint32_t mean, variance; /* running: 0 and 1 at the start */
} lm_norm;

typedef struct lm_gates {
    uint32_t input, hidden;           /* [gates * width][inputs], [gates * width][width] */
    uint32_t input_bias, hidden_bias; /* [1][gates * width] */
} lm_gates;

/* ---- Steps ----------------------------------------------------------------------------------- */

/* LM_OP_EMBED, ...: nn/operation_list.h has the formulas. */
#define LM_OPERATION_VALUE(NAME, name, inputs, outputs, bias, rules, cpu, cuda) LM_OP_##NAME,
typedef enum lm_operation { LM_OPERATION_LIST(LM_OPERATION_VALUE) LM_OPERATIONS } lm_operation;
#undef LM_OPERATION_VALUE

/* Does an LM_RULE_... of nn/operation_list.h hold for it? */
bool lm_operation_has(lm_operation operation, unsigned rule);
/* The place of its bias among its weights, LM_STEP_WEIGHTS where it has none. */
size_t lm_operation_bias(lm_operation operation);

/* Which w a sum along component j of a tuple runs over; never v_j itself. */
typedef enum lm_neighborhood {
    LM_LEAVING,  /* arcs v_j -> w: the neighbours of an undirected graph. S X = A X */
    LM_ENTERING, /* arcs w -> v_j. S X = A' X */
    LM_OTHERS,   /* no arc v_j -> w. S X = J X - A X - X */
    LM_ALL       /* S X = J X - X */
} lm_neighborhood;

/* What LM_OP_EMBED looks up. */
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
        4 /* of every column: mean, 1 / deviation, the shift less what rounding took from the mean, 1 / rows */
};

typedef struct lm_step {
    lm_operation operation;
    uint32_t input[LM_STEP_VALUES], output[LM_STEP_VALUES]; /* LM_NONE behind the last, and for what is left out */
    uint32_t weight[LM_STEP_WEIGHTS];
    lm_activation activation;
    lm_neighborhood neighborhood;
    lm_index index;
    size_t position; /* component of the tuple, from 0; list of a listed row; what lm_program_embed() calls column */
    double rate;     /* dropout: the share that is set to 0; pool, nnconv, listed: 1 for the mean, 0 for the sum */
    uint32_t segment;
    uint32_t add;  /* bit i: the gradient of input i is added to what other steps left there. Set by finish */
    uint32_t idle; /* bit i: weight i changes nothing that is learned, its gradient is 0: not computed. Set by finish */
    uint32_t reader; /* the linear step or product of matrices that alone reads the ReLU of this step, or LM_NONE: on
                        the way back it can take the derivative (lm_frame.derived). Set by finish */
} lm_step;

typedef struct lm_program {
    leman_context *ctx; /* until it is finished; NULL from then on */
    lm_allocator allocator;
    leman_status status;              /* the first failure */
    lm_vector values, weights, steps; /* lm_value, lm_weight, lm_step */
    char scope[256];
    unsigned k; /* of the tuples */
    uint32_t segments;
    uint32_t prediction, loss; /* values, or LM_NONE */
    size_t numbers, trainable; /* in all weights, in those that are learned */
    bool finished;
} lm_program;

/* k: the size of tuples, 1 where there are none. */
leman_status lm_program_new(leman_context *ctx, unsigned k, lm_program **out);
void lm_program_free(lm_program *program);
/* Ends building: checks the lists, finds which gradients are added and which written. The first failure of any builder
 * is returned here. */
leman_status lm_program_finish(lm_program *program);

static inline const lm_value *lm_program_value(const lm_program *p, uint32_t value)
{
    return (const lm_value *)p->values.items + value;
}
static inline const lm_weight *lm_program_weight(const lm_program *p, uint32_t weight)
{
    return (const lm_weight *)p->weights.items + weight;
}
static inline const lm_step *lm_program_step(const lm_program *p, size_t step)
{
    return (const lm_step *)p->steps.items + step;
}
const char *lm_operation_name(lm_operation operation);

/* ---- Building: names and weights ------------------------------------------------------------- */

/* Weights that follow are called "NAME.…", until leave. */
__attribute__((format(printf, 2, 3))) void lm_program_enter(lm_program *p, const char *format, ...);
void lm_program_leave(lm_program *p);

uint32_t lm_weight_new(lm_program *p, const char *name, size_t rows, size_t columns, lm_initial initial, double value);
/* All numbers uniform in +-1/sqrt(inputs). "NAME.weight" and "NAME.bias". */
lm_linear lm_linear_new(lm_program *p, const char *name, size_t inputs, size_t outputs);
/* The first linear map on one-hot types, as a table with a row for each type: uniform in +-1/sqrt(types). The bias, if
 * wanted, is a weight of its own: see lm_bias_new(). "NAME.table". */
uint32_t lm_table_new(lm_program *p, const char *name, size_t types, size_t width);
/* A bias of `width` numbers uniform in +-1/sqrt(inputs). "NAME.bias". */
uint32_t lm_bias_new(lm_program *p, const char *name, size_t inputs, size_t width);
/* One number, 0 at the start. "NAME". */
uint32_t lm_epsilon_new(lm_program *p, const char *name);
lm_norm lm_norm_new(lm_program *p, const char *name, size_t width);
/* Uniform in +-1/sqrt(width); 4 gates i,f,g,o and 3 gates r,z,n. */
lm_gates lm_lstm_new(lm_program *p, const char *name, size_t inputs, size_t width);
lm_gates lm_gru_new(lm_program *p, const char *name, size_t inputs, size_t width);

/* ---- Building: values and steps -------------------------------------------------------------- */

/* Attributes of the batch (LM_FROM_..._ATTRIBUTES), `width` columns. */
uint32_t lm_program_input(lm_program *p, lm_source source, size_t width);
uint32_t lm_program_zeros(lm_program *p, lm_row_space space, size_t width);
/* The values side by side: Y = [X_1, X_2, ...]. They become columns of the new value, so nothing is copied (a value
 * that is a column of another already, or comes from the batch, is). */
uint32_t lm_program_join(lm_program *p, const uint32_t *parts, size_t count);
/* Columns first .. first+width-1 of a value. */
uint32_t lm_program_columns(lm_program *p, uint32_t x, size_t first, size_t width);

/* Y[r] = W[index[r]], a zero row for LM_NO_TYPE. column: of the counts, for LM_INDEX_COUNT; the number of the listed
 * space, for LM_INDEX_LISTED_TYPE. */
uint32_t lm_program_embed(lm_program *p, lm_index index, size_t column, uint32_t table);
/* Y = f(X W' + b). */
uint32_t lm_program_linear(lm_program *p, uint32_t x, lm_linear layer, lm_activation activation);
/* Y = f(X + b); bias may be LM_NONE. */
uint32_t lm_program_bias(lm_program *p, uint32_t x, uint32_t bias, lm_activation activation);
/* Y = f(scale (X - mean)/sqrt(variance + 1e-5) + shift); statistics over all rows of the batch in training (over the
 * arcs that carry the labels in LM_LABELS), running ones otherwise. */
uint32_t lm_program_norm(lm_program *p, uint32_t x, lm_norm norm, lm_activation activation);
/* Z = f((1+epsilon) X + S M + b) with S the sum over the neighbourhood of component `position`: any k, and vertices as
 * 1-tuples. M is what tuples send: X itself, or a value like X (local+ sends ReLU(X + E[#])). epsilon and b may be
 * LM_NONE. O(rows * degree * width), and O(rows * width) for LM_ALL. */
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
/* The same with M = X, without bias and activation. */
uint32_t lm_program_neighbors(lm_program *p, uint32_t x, lm_neighborhood neighborhood, size_t position,
                              uint32_t epsilon);
/* Both components of pairs at once: out[j] = (1+epsilon[j]) X + S_j X. One visit to X where the backend can. */
void lm_program_pair_sums(lm_program *p, uint32_t x, lm_neighborhood neighborhood, const uint32_t epsilon[2],
                          uint32_t out[2]);
/* In a listed space, Z[r] = f((1+epsilon) X[r] + sum over a list of r of M + b). The list is one of the row's lists of
 * neighbours, where M is of the same space; or its vertices, where M is of LM_VERTICES. mean: the sum is divided by the
 * length of the list where that is not 0. X, epsilon and b may be LM_NONE. O((rows + links) * width). */
typedef struct lm_listed_sum {
    uint32_t own;  /* value X, or LM_NONE */
    uint32_t sent; /* value M */
    size_t list;   /* of neighbours */
    bool mean;
    uint32_t epsilon, bias; /* weights, or LM_NONE */
    lm_activation activation;
} lm_listed_sum;
uint32_t lm_program_listed(lm_program *p, lm_row_space space, const lm_listed_sum *sum);
/* Z[u] = (1+epsilon) X[u] + sum over arcs u -> w (LM_LEAVING) or w -> u (LM_ENTERING) of ReLU(X[w] + E[label of the
 * arc, or arc]); X in LM_VERTICES, E in LM_LABELS or LM_ARCS, as wide as X. E is zero for an arc whose label is
 * LM_NO_TYPE. */
uint32_t lm_program_messages(lm_program *p, uint32_t x, uint32_t edges, lm_neighborhood neighborhood, uint32_t epsilon);
/* NNConv: Z[u] = sum, or mean, over arcs u -> w (LM_LEAVING) or w -> u (LM_ENTERING) of
 *   Y[w][0] + sum over k of H[arc][k] Y[w][k]
 * Y in LM_VERTICES holds hidden + 1 rows of Z's width side by side, H in LM_ARCS is `hidden` wide. A vertex without
 * arcs gets 0. */
uint32_t lm_program_nnconv(lm_program *p, uint32_t y, uint32_t h, lm_neighborhood neighborhood, bool mean);
/* M[(u,v)] = sum over w of P[(u,w)] Q[(w,v)], each channel by itself; values of pairs (k = 2). */
uint32_t lm_program_matmul(lm_program *p, uint32_t left, uint32_t right);
/* Y[(v_1..v_k)] = f(sum over j of X_j[v_j] + b), X_j in LM_VERTICES; at most LM_STEP_VALUES of them. */
uint32_t lm_program_spread(lm_program *p, const uint32_t *parts, size_t count, uint32_t bias, lm_activation activation);
uint32_t lm_program_add(lm_program *p, uint32_t x, uint32_t y, lm_activation activation);
/* Sets a share `rate` of the numbers to 0 and divides the others by 1 - rate; in training only. */
uint32_t lm_program_dropout(lm_program *p, uint32_t x, double rate);
/* Sum or mean over the rows of each graph -> LM_GRAPHS; an empty graph gives 0. */
uint32_t lm_program_pool(lm_program *p, uint32_t x, bool mean);
/* Of pairs (k = 2): the largest number of each channel over the pairs (v, v), then over those of two vertices ->
 * LM_GRAPHS, twice as wide; 0 where there are none. The gradient goes to the first that is the largest. */
uint32_t lm_program_pool_max(lm_program *p, uint32_t x);
/* r[g] = sum_i a_i x_i over the rows of g, a = softmax of x_i . q[g]; x [rows][d], q [graphs][d]. */
uint32_t lm_program_attend(lm_program *p, uint32_t x, uint32_t q);
/* *c is replaced; returns the new h. */
uint32_t lm_program_lstm(lm_program *p, uint32_t x, uint32_t h, uint32_t *c, lm_gates cell);
uint32_t lm_program_gru(lm_program *p, uint32_t x, uint32_t h, lm_gates cell);
/* Set2Set of `turns` turns: [rows][d] -> [graphs][2d]; the cell is an LSTM of 2d inputs and width d. */
uint32_t lm_program_set2set(lm_program *p, uint32_t x, unsigned turns, lm_gates cell);

/* What the network predicts, [graphs][targets, classes or tasks], and its loss against the batch (LM_OP_L1,
 * LM_OP_SQUARE, LM_OP_CROSS_ENTROPY or LM_OP_BINARY_CROSS_ENTROPY). */
void lm_program_predict(lm_program *p, uint32_t x);
void lm_program_set_loss(lm_program *p, lm_operation loss);
/* The value stays readable after a run (tests, explanations). */
void lm_program_keep(lm_program *p, uint32_t x);
/* A new segment begins: with recomputation only values that cross segments are kept, the others computed again on the
 * way back. Call it before each layer. */
void lm_program_segment(lm_program *p);

#endif
