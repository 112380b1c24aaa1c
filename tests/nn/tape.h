/*
 * A tape for tests: matrices of doubles, operations that remember how they were made, and gradients by walking back.
 * Slow and plain: every value is written out, nothing is fused, nothing is shared with the library.
 */
#ifndef TAPE_H
#define TAPE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct tape_node tape_node;
struct tape_node {
    size_t rows, columns;
    double *value, *gradient;
    void (*back)(tape_node *y); /* adds to the gradients of x, w and part[] */
    tape_node *x, *w;
    tape_node **part; /* join */
    size_t parts;
    size_t *index;   /* gather, scatter, segments; classes */
    size_t first;    /* column */
    bool transposed; /* product with the transposed matrix */
    double *target;  /* L1 */
    double *saved;   /* norm: 1/deviation */
    bool training;
    tape_node *scale, *shift, *mean, *variance;
};

enum { TAPE_MAX = 20000 };

typedef struct tape {
    tape_node *node[TAPE_MAX];
    size_t count;
} tape;

static inline tape_node *tape_new(tape *t, size_t rows, size_t columns)
{
    tape_node *y = calloc(1, sizeof *y);
    y->rows = rows, y->columns = columns;
    y->value = calloc(rows * columns + 1, sizeof(double));
    y->gradient = calloc(rows * columns + 1, sizeof(double));
    if (t->count == TAPE_MAX) abort();
    return t->node[t->count++] = y;
}

static inline void tape_free(tape *t)
{
    for (size_t i = 0; i < t->count; i++) {
        tape_node *y = t->node[i];
        free(y->value), free(y->gradient), free(y->part), free(y->index), free(y->target), free(y->saved), free(y);
    }
    t->count = 0;
}

/* From the last value, which has one number, to all others. */
static inline void tape_walk_back(tape *t, tape_node *loss)
{
    loss->gradient[0] = 1;
    for (size_t i = t->count; i-- > 0;)
        if (t->node[i]->back) t->node[i]->back(t->node[i]);
}

static inline size_t *tape_copy(const size_t *index, size_t count)
{
    size_t *copy = calloc(count + 1, sizeof *copy);
    if (count) memcpy(copy, index, count * sizeof *copy);
    return copy;
}

/* ---- Products and sums ----------------------------------------------------------------------- */

static inline double *tape_entry(tape_node *w, bool transposed, size_t i, size_t o, bool gradient)
{
    return (gradient ? w->gradient : w->value) + (transposed ? o * w->columns + i : i * w->columns + o);
}

static inline void tape_product_back(tape_node *y)
{
    for (size_t r = 0; r < y->rows; r++)
        for (size_t o = 0; o < y->columns; o++)
            for (size_t i = 0; i < y->x->columns; i++) {
                const double g = y->gradient[r * y->columns + o];
                y->x->gradient[r * y->x->columns + i] += g * *tape_entry(y->w, y->transposed, i, o, false);
                *tape_entry(y->w, y->transposed, i, o, true) += g * y->x->value[r * y->x->columns + i];
            }
}

/* X W, or X W' where `transposed`. */
static inline tape_node *tape_product(tape *t, tape_node *x, tape_node *w, bool transposed)
{
    if (x->columns != (transposed ? w->columns : w->rows)) abort();
    tape_node *y = tape_new(t, x->rows, transposed ? w->rows : w->columns);
    y->x = x, y->w = w, y->transposed = transposed, y->back = tape_product_back;
    for (size_t r = 0; r < y->rows; r++)
        for (size_t o = 0; o < y->columns; o++)
            for (size_t i = 0; i < x->columns; i++)
                y->value[r * y->columns + o] += x->value[r * x->columns + i] * *tape_entry(w, transposed, i, o, false);
    return y;
}

static inline void tape_add_back(tape_node *y)
{
    for (size_t i = 0; i < y->rows * y->columns; i++) {
        y->x->gradient[i] += y->gradient[i];
        y->w->gradient[i % (y->w->rows * y->columns)] += y->gradient[i];
    }
}

/* X + W, where a W of one row is added to every row. */
static inline tape_node *tape_add(tape *t, tape_node *x, tape_node *w)
{
    if (x->columns != w->columns || (w->rows != 1 && w->rows != x->rows)) abort();
    tape_node *y = tape_new(t, x->rows, x->columns);
    y->x = x, y->w = w, y->back = tape_add_back;
    for (size_t i = 0; i < x->rows * x->columns; i++) y->value[i] = x->value[i] + w->value[i % (w->rows * w->columns)];
    return y;
}

static inline size_t tape_other(const tape_node *y, size_t i)
{
    return y->w->rows == 1 && y->w->columns == 1 ? 0 : y->w->columns == 1 ? i / y->columns : i;
}

static inline void tape_times_back(tape_node *y)
{
    for (size_t i = 0; i < y->rows * y->columns; i++) {
        const size_t j = tape_other(y, i);
        y->x->gradient[i] += y->gradient[i] * y->w->value[j];
        y->w->gradient[j] += y->gradient[i] * y->x->value[i];
    }
}

/* Number by number; a W of one column, or of one number, is spread. */
static inline tape_node *tape_times(tape *t, tape_node *x, tape_node *w)
{
    tape_node *y = tape_new(t, x->rows, x->columns);
    y->x = x, y->w = w, y->back = tape_times_back;
    for (size_t i = 0; i < x->rows * x->columns; i++) y->value[i] = x->value[i] * w->value[tape_other(y, i)];
    return y;
}

/* ---- Number by number ------------------------------------------------------------------------ */

static inline void tape_relu_back(tape_node *y)
{
    for (size_t i = 0; i < y->rows * y->columns; i++)
        if (y->x->value[i] > 0) y->x->gradient[i] += y->gradient[i];
}
static inline void tape_sigmoid_back(tape_node *y)
{
    for (size_t i = 0; i < y->rows * y->columns; i++)
        y->x->gradient[i] += y->gradient[i] * y->value[i] * (1 - y->value[i]);
}
static inline void tape_tanh_back(tape_node *y)
{
    for (size_t i = 0; i < y->rows * y->columns; i++)
        y->x->gradient[i] += y->gradient[i] * (1 - y->value[i] * y->value[i]);
}

static inline double tape_relu_of(double x)
{
    return x > 0 ? x : 0;
}
static inline double tape_sigmoid_of(double x)
{
    return 1 / (1 + exp(-x));
}

static inline tape_node *tape_map(tape *t, tape_node *x, double (*of)(double), void (*back)(tape_node *))
{
    tape_node *y = tape_new(t, x->rows, x->columns);
    y->x = x, y->back = back;
    for (size_t i = 0; i < x->rows * x->columns; i++) y->value[i] = of(x->value[i]);
    return y;
}
static inline tape_node *tape_relu(tape *t, tape_node *x)
{
    return tape_map(t, x, tape_relu_of, tape_relu_back);
}
static inline tape_node *tape_sigmoid(tape *t, tape_node *x)
{
    return tape_map(t, x, tape_sigmoid_of, tape_sigmoid_back);
}
static inline tape_node *tape_tanh(tape *t, tape_node *x)
{
    return tape_map(t, x, tanh, tape_tanh_back);
}

/* ---- Rows and columns ------------------------------------------------------------------------ */

static inline void tape_gather_back(tape_node *y)
{
    for (size_t i = 0; i < y->rows * y->columns; i++)
        y->x->gradient[y->index[i / y->columns] * y->columns + i % y->columns] += y->gradient[i];
}

/* Y[i] = X[index[i]] */
static inline tape_node *tape_gather(tape *t, tape_node *x, const size_t *index, size_t count)
{
    tape_node *y = tape_new(t, count, x->columns);
    y->x = x, y->index = tape_copy(index, count), y->back = tape_gather_back;
    for (size_t i = 0; i < count * x->columns; i++)
        y->value[i] = x->value[index[i / x->columns] * x->columns + i % x->columns];
    return y;
}

static inline void tape_scatter_back(tape_node *y)
{
    for (size_t i = 0; i < y->x->rows * y->columns; i++)
        y->x->gradient[i] += y->gradient[y->index[i / y->columns] * y->columns + i % y->columns];
}

/* Y[index[i]] += X[i] */
static inline tape_node *tape_scatter(tape *t, tape_node *x, const size_t *index, size_t rows)
{
    tape_node *y = tape_new(t, rows, x->columns);
    y->x = x, y->index = tape_copy(index, x->rows), y->back = tape_scatter_back;
    for (size_t i = 0; i < x->rows * x->columns; i++)
        y->value[index[i / x->columns] * x->columns + i % x->columns] += x->value[i];
    return y;
}

static inline void tape_join_back(tape_node *y)
{
    size_t first = 0;
    for (size_t p = 0; p < y->parts; first += y->part[p++]->columns)
        for (size_t r = 0; r < y->rows; r++)
            for (size_t c = 0; c < y->part[p]->columns; c++)
                y->part[p]->gradient[r * y->part[p]->columns + c] += y->gradient[r * y->columns + first + c];
}

static inline tape_node *tape_join(tape *t, tape_node *const *part, size_t parts)
{
    size_t columns = 0, first = 0;
    for (size_t p = 0; p < parts; p++) columns += part[p]->columns;
    tape_node *y = tape_new(t, part[0]->rows, columns);
    y->part = calloc(parts, sizeof *y->part), y->parts = parts, y->back = tape_join_back;
    memcpy(y->part, part, parts * sizeof *part);
    for (size_t p = 0; p < parts; first += part[p++]->columns)
        for (size_t r = 0; r < y->rows; r++)
            memcpy(y->value + r * columns + first, part[p]->value + r * part[p]->columns,
                   part[p]->columns * sizeof(double));
    return y;
}

static inline void tape_columns_back(tape_node *y)
{
    for (size_t i = 0; i < y->rows * y->columns; i++)
        y->x->gradient[i / y->columns * y->x->columns + y->first + i % y->columns] += y->gradient[i];
}

static inline tape_node *tape_columns(tape *t, tape_node *x, size_t first, size_t columns)
{
    tape_node *y = tape_new(t, x->rows, columns);
    y->x = x, y->first = first, y->back = tape_columns_back;
    for (size_t i = 0; i < y->rows * columns; i++)
        y->value[i] = x->value[i / columns * x->columns + first + i % columns];
    return y;
}

/* ---- Norm ------------------------------------------------------------------------------------ */

static inline void tape_norm_back(tape_node *y)
{
    const size_t d = y->columns;
    const double rows = (double)y->rows;
    for (size_t c = 0; c < d; c++) {
        double sum = 0, along = 0;
        const double scale = y->scale->value[c], gradient = y->saved[d + c];
        for (size_t i = c; i < y->rows * d; i += d) {
            sum += y->gradient[i];
            along += y->gradient[i] * (y->x->value[i] - y->saved[c]) * gradient;
        }
        y->shift->gradient[c] += sum;
        y->scale->gradient[c] += along;
        for (size_t i = c; i < y->rows * d; i += d) {
            const double hat = (y->x->value[i] - y->saved[c]) * gradient;
            y->x->gradient[i] +=
                scale * gradient * (y->gradient[i] - (y->training ? sum / rows + hat * along / rows : 0));
        }
    }
}

/* Batch norm by the batch itself, or by the running mean and variance. */
static inline tape_node *tape_norm(tape *t, tape_node *x, tape_node *scale, tape_node *shift, tape_node *mean,
                                   tape_node *variance, bool training)
{
    const size_t d = x->columns;
    tape_node *y = tape_new(t, x->rows, d);
    y->x = x, y->scale = scale, y->shift = shift, y->training = training, y->back = tape_norm_back;
    y->saved = calloc(2 * d + 1, sizeof(double));
    for (size_t c = 0; c < d; c++) {
        double m = 0, v = 0;
        for (size_t i = c; i < x->rows * d; i += d) m += x->value[i] / (double)x->rows;
        for (size_t i = c; i < x->rows * d; i += d) v += (x->value[i] - m) * (x->value[i] - m) / (double)x->rows;
        y->saved[c] = training ? m : mean->value[c];
        y->saved[d + c] = 1 / sqrt((training ? v : variance->value[c]) + 1e-5);
        for (size_t i = c; i < x->rows * d; i += d)
            y->value[i] = scale->value[c] * (x->value[i] - y->saved[c]) * y->saved[d + c] + shift->value[c];
    }
    return y;
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static inline void tape_softmax_back(tape_node *y)
{
    for (size_t i = 0; i < y->rows; i++)
        for (size_t j = 0; j < y->rows; j++)
            if (y->index[i] == y->index[j])
                y->x->gradient[i] += y->gradient[j] * y->value[j] * ((i == j ? 1 : 0) - y->value[i]);
}

/* Of a column, over the rows that share their index. */
static inline tape_node *tape_softmax(tape *t, tape_node *x, const size_t *index)
{
    tape_node *y = tape_new(t, x->rows, 1);
    y->x = x, y->index = tape_copy(index, x->rows), y->back = tape_softmax_back;
    for (size_t i = 0; i < x->rows; i++) {
        double sum = 0;
        for (size_t j = 0; j < x->rows; j++)
            if (index[i] == index[j]) sum += exp(x->value[j] - x->value[i]);
        y->value[i] = 1 / sum;
    }
    return y;
}

static inline void tape_row_sum_back(tape_node *y)
{
    for (size_t i = 0; i < y->rows * y->x->columns; i++) y->x->gradient[i] += y->gradient[i / y->x->columns];
}

static inline tape_node *tape_row_sum(tape *t, tape_node *x)
{
    tape_node *y = tape_new(t, x->rows, 1);
    y->x = x, y->back = tape_row_sum_back;
    for (size_t i = 0; i < x->rows * x->columns; i++) y->value[i / x->columns] += x->value[i];
    return y;
}

static inline void tape_l1_back(tape_node *y)
{
    const size_t count = y->x->rows * y->x->columns;
    for (size_t i = 0; i < count; i++) {
        const double off = y->x->value[i] - y->target[i];
        y->x->gradient[i] += y->gradient[0] * (off > 0 ? 1 : off < 0 ? -1 : 0) / (double)count;
    }
}

static inline tape_node *tape_l1(tape *t, tape_node *x, const double *target)
{
    const size_t count = x->rows * x->columns;
    tape_node *y = tape_new(t, 1, 1);
    y->x = x, y->target = calloc(count + 1, sizeof(double)), y->back = tape_l1_back;
    memcpy(y->target, target, count * sizeof(double));
    for (size_t i = 0; i < count; i++) y->value[0] += fabs(x->value[i] - target[i]) / (double)count;
    return y;
}

static inline double tape_share(const tape_node *x, size_t row, size_t column)
{
    double sum = 0;
    for (size_t c = 0; c < x->columns; c++)
        sum += exp(x->value[row * x->columns + c] - x->value[row * x->columns + column]);
    return 1 / sum;
}

static inline void tape_entropy_back(tape_node *y)
{
    for (size_t r = 0; r < y->x->rows; r++)
        for (size_t c = 0; c < y->x->columns; c++)
            y->x->gradient[r * y->x->columns + c] +=
                y->gradient[0] * (tape_share(y->x, r, c) - (c == y->index[r] ? 1 : 0)) / (double)y->x->rows;
}

static inline tape_node *tape_entropy(tape *t, tape_node *x, const size_t *class_id)
{
    tape_node *y = tape_new(t, 1, 1);
    y->x = x, y->index = tape_copy(class_id, x->rows), y->back = tape_entropy_back;
    for (size_t r = 0; r < x->rows; r++) y->value[0] -= log(tape_share(x, r, class_id[r])) / (double)x->rows;
    return y;
}

#endif
