/*
 * The list of all operations. The enum of nn/program.h, the names, the rules below and the tables of both backends are
 * generated from it.
 *
 *   X(NAME, name, inputs, outputs, bias, rules, cpu, cuda)
 *
 * inputs, outputs: what the backward function reads; bit i for input i and output i. bias: the index of the bias among
 * the weights, or NO_BIAS. rules: LM_RULE_..., or 0. cpu, cuda: WORK if the backend's functions need workspace,
 * otherwise PLAIN.
 */
#ifndef LM_OPERATION_LIST_H
#define LM_OPERATION_LIST_H

enum {
    /* Backward reads input 0 if the step has a weight in addition to its bias: the derivative by epsilon is the
     * gradient times X. */
    LM_RULE_EPSILON = 1,
    /* Backward computes the sign of the ReLU from the input: it does not read the output. */
    LM_RULE_OWN_SIGN = 2,
    /* Backward may leave the derivative of the ReLU and the gradient of the bias to the only reader of the output. */
    LM_RULE_LEAVES_DERIVATIVE = 4,
    /* Backward can apply the derivative of the ReLU that made its input; a backend may decline for single steps. */
    LM_RULE_TAKES_DERIVATIVE = 8,
    /* The step has a neighbourhood that it sums over. */
    LM_RULE_NEIGHBORHOOD = 16,
    /* A loss: it reads the prediction and the targets or, if the next rule holds, the classes of the batch. A loss whose
     * backward function reads output 1 keeps there as many numbers as the prediction has. */
    LM_RULE_LOSS = 32,
    LM_RULE_CLASSES = 64
};

/* clang-format off */
#define LM_OPERATION_LIST(X)                                                                                           \
    /* Y[r] = W[index[r]] */                                                                                           \
    X(EMBED, embed, 0, 0, NO_BIAS, 0, PLAIN, WORK)                                                                     \
    /* Y = f(X W' + b) */                                                                                              \
    X(LINEAR, linear, 1, 0, 1, LM_RULE_LEAVES_DERIVATIVE | LM_RULE_TAKES_DERIVATIVE, WORK, WORK)                       \
    /* Y = f(X_1 + X_2), Y = f(X_1 + b) or Y = f(X_1) */                                                               \
    X(ADD, add, 0, 0, 0, 0, WORK, WORK)                                                                                \
    /* Y = f(batch norm of X); keeps LM_NORM_KEPT rows */                                                              \
    X(NORM, norm, 1, 2, NO_BIAS, LM_RULE_OWN_SIGN, WORK, WORK)                                                         \
    /* Z = f((1+e) X + S M + b), M = X or the value that is sent instead */                                            \
    X(NEIGHBORS, neighbors, 0, 0, 1, LM_RULE_EPSILON | LM_RULE_LEAVES_DERIVATIVE | LM_RULE_NEIGHBORHOOD, WORK, WORK)   \
    /* Z_j = (1+e_j) X + S_j X along both components of pairs */                                                       \
    X(PAIR_SUMS, pair_sums, 0, 0, NO_BIAS, LM_RULE_EPSILON | LM_RULE_NEIGHBORHOOD, WORK, WORK)                         \
    /* Z[u] = (1+e) X[u] + sum over arcs uw of ReLU(M[w] + E[uw]), M = X or the value that is sent instead */          \
    X(MESSAGES, messages, 7, 0, NO_BIAS, LM_RULE_NEIGHBORHOOD, WORK, WORK)                                             \
    /* Y[uw] = X[(u,w)] or X[(w,u)] for the arcs uw */                                                                 \
    X(GATHER, gather, 0, 0, NO_BIAS, 0, PLAIN, PLAIN)                                                                  \
    /* Y[v] = sum of X over the tuples with v at place j */                                                            \
    X(COLLECT, collect, 0, 0, NO_BIAS, 0, PLAIN, PLAIN)                                                                \
    /* Z[u] = sum or mean over arcs uw of Y[w][0] + sum over k of H[uw][k] Y[w][k] */                                  \
    X(NNCONV, nnconv, 3, 0, NO_BIAS, LM_RULE_NEIGHBORHOOD, WORK, WORK)                                                 \
    /* M[(u,v)] = sum over w of P[(u,w)] Q[(w,v)], channel by channel */                                               \
    X(MATMUL, matmul, 3, 0, NO_BIAS, LM_RULE_TAKES_DERIVATIVE, PLAIN, WORK)                                            \
    /* Z[r] = f((1+e) X[r] + sum or mean of M over a list of r + b) */                                                 \
    X(LISTED, listed, 0, 0, 1, LM_RULE_EPSILON, WORK, WORK)                                                            \
    /* Z[r] = (1+e) X[r] + sum over a list of r of ReLU(M[t] + E[arc of the link]) */                                  \
    X(LINKED, linked, 7, 0, NO_BIAS, 0, WORK, WORK)                                                                    \
    /* Y[(v_1..v_k)] = f(sum over j of X_j[v_j] + b) */                                                                \
    X(SPREAD, spread, 0, 0, 0, 0, WORK, WORK)                                                                          \
    /* Y = X M / (1-p) */                                                                                              \
    X(DROPOUT, dropout, 0, 0, NO_BIAS, 0, PLAIN, PLAIN)                                                                \
    /* Y[g] = sum or mean of the rows of g */                                                                          \
    X(POOL, pool, 0, 0, NO_BIAS, 0, PLAIN, PLAIN)                                                                      \
    /* Y[g] = [maximum on the diagonal of g's matrix, maximum off the diagonal] of each channel */                     \
    X(POOL_MAX, pool_max, 1, 1, NO_BIAS, 0, PLAIN, PLAIN)                                                              \
    /* r[g] = sum over the rows of g of a x, a = softmax of x.q[g]; keeps a */                                         \
    X(ATTEND, attend, 3, 3, NO_BIAS, 0, PLAIN, PLAIN)                                                                  \
    /* (h, c) = cell(x, h, c); keeps the gates */                                                                      \
    X(LSTM, lstm, 7, 6, NO_BIAS, 0, WORK, WORK)                                                                        \
    /* h = cell(x, h); keeps the gates */                                                                              \
    X(GRU, gru, 3, 2, NO_BIAS, 0, WORK, WORK)                                                                          \
    /* mean over graphs and targets of |y - t| */                                                                      \
    X(L1, l1, 1, 0, NO_BIAS, LM_RULE_LOSS, PLAIN, PLAIN)                                                               \
    /* mean over graphs and targets of (y - t)^2 */                                                                    \
    X(SQUARE, square, 1, 0, NO_BIAS, LM_RULE_LOSS, PLAIN, PLAIN)                                                       \
    /* mean over graphs, weighted, of -log softmax(y)[class]; keeps the softmax */                                     \
    X(CROSS_ENTROPY, cross_entropy, 0, 2, NO_BIAS, LM_RULE_LOSS | LM_RULE_CLASSES, PLAIN, PLAIN)                       \
    /* mean over graphs and tasks, weighted, of -log sigmoid(y) for label 1, -log sigmoid(-y) for label 0 */           \
    X(BINARY_CROSS_ENTROPY, binary_cross_entropy, 1, 0, NO_BIAS, LM_RULE_LOSS, PLAIN, PLAIN)
/* clang-format on */

#endif
