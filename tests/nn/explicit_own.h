/*
 * The models with layers of their own, as their authors run them: MPNN with a matrix for every arc, PPGN with products
 * written out as sums over triples of vertices. Included by explicit.h.
 */
#ifndef EXPLICIT_OWN_H
#define EXPLICIT_OWN_H

/* ---- MPNN ------------------------------------------------------------------------------------ */

/* The hidden layer of the network of arcs, with a column of ones before it. */
static inline tape_node *explicit_hidden(explicit_net *e)
{
    const lm_batch *b = &e->m->batch;
    const size_t arcs = b->extent.rows[LM_ARCS];
    tape_node *edge = explicit_arc_reals(e);
    tape_node *part[2] = {tape_new(&e->t, arcs, 1), tape_relu(&e->t, explicit_linear(e, "edge", "linear1", edge))};
    for (size_t a = 0; a < arcs; a++) part[0]->value[a] = 1;
    return tape_join(&e->t, part, 2);
}

/* The mean of x_w' T over arcs (v, w), with T[i][j] of every arc written out. */
static inline tape_node *explicit_nnconv(explicit_net *e, tape_node *x, tape_node *hidden, const explicit_list *list)
{
    const size_t d = x->columns, terms = hidden->columns;
    tape_node *maps = explicit_weight(e, "edge", "maps"), *sent = tape_gather(&e->t, x, list->from, list->count);
    tape_node *column[16], *share = tape_new(&e->t, x->rows, 1);
    size_t *row = calloc(terms, sizeof *row);
    for (size_t j = 0; j < d; j++) { /* column j of all matrices: [arcs][i] */
        for (size_t k = 0; k < terms; k++) row[k] = k * d + j;
        tape_node *matrix = tape_product(&e->t, hidden, tape_gather(&e->t, maps, row, terms), false);
        column[j] = tape_row_sum(&e->t, tape_times(&e->t, sent, matrix));
    }
    for (size_t i = 0; i < list->count; i++) share->value[list->to[i]] += 1;
    for (size_t v = 0; v < x->rows; v++) share->value[v] = share->value[v] > 0 ? 1 / share->value[v] : 0;
    free(row);
    tape_node *sum = tape_scatter(&e->t, tape_join(&e->t, column, d), list->to, x->rows);
    return tape_times(&e->t, sum, share);
}

static inline tape_node *explicit_gru(explicit_net *e, tape_node *m, tape_node *h)
{
    tape *t = &e->t;
    const size_t d = h->columns;
    tape_node *a = tape_add(t, tape_product(t, m, explicit_weight(e, "gru", "input"), true),
                            explicit_weight(e, "gru", "input_bias"));
    tape_node *b = tape_add(t, tape_product(t, h, explicit_weight(e, "gru", "hidden"), true),
                            explicit_weight(e, "gru", "hidden_bias"));
    tape_node *both = tape_add(t, tape_columns(t, a, 0, 2 * d), tape_columns(t, b, 0, 2 * d));
    tape_node *r = tape_sigmoid(t, tape_columns(t, both, 0, d)), *z = tape_sigmoid(t, tape_columns(t, both, d, d));
    tape_node *n =
        tape_tanh(t, tape_add(t, tape_columns(t, a, 2 * d, d), tape_times(t, r, tape_columns(t, b, 2 * d, d))));
    tape_node *minus = tape_new(t, h->rows, 1);
    for (size_t v = 0; v < h->rows; v++) minus->value[v] = -1;
    return tape_add(t, n, tape_times(t, z, tape_add(t, h, tape_times(t, n, minus)))); /* n + z (h - n) */
}

static inline tape_node *explicit_mpnn(explicit_net *e, const size_t *owner)
{
    const lm_batch *b = &e->m->batch;
    explicit_list list = explicit_arcs(b);
    tape_node *hidden = explicit_hidden(e);
    tape_node *x = explicit_leaf(e, b->extent.rows[LM_VERTICES], b->vertex_attributes, b->vertex_attribute);
    tape_node *weight = explicit_weight(e, "input", "weight"), *bias = explicit_weight(e, "input", "bias");
    tape_node *root = explicit_weight(e, "root", "weight"), *shift = explicit_weight(e, "root", "bias");
    x = tape_relu(&e->t, tape_add(&e->t, tape_product(&e->t, x, weight, true), bias));
    for (size_t t = 0; t < e->m->options.shape.layers; t++) {
        tape_node *m = explicit_nnconv(e, x, hidden, &list);
        m = tape_add(&e->t, tape_add(&e->t, m, tape_product(&e->t, x, root, true)), shift);
        x = e->layer[t] = explicit_gru(e, tape_relu(&e->t, m), x);
    }
    explicit_list_free(&list);
    return explicit_set2set(e, x, owner, 3);
}

/* ---- PPGN ------------------------------------------------------------------------------------ */

/* M[(u,v)] = the sum over w of P[(u,w)] Q[(w,v)]. */
static inline tape_node *explicit_matmul(explicit_net *e, tape_node *left, tape_node *right)
{
    const lm_batch *b = &e->m->batch;
    size_t count = 0, first = 0, *index[3];
    for (size_t i = 0; i < 3; i++) index[i] = calloc(left->rows * 16 + 1, sizeof(size_t));
    for (size_t g = 0; g < b->extent.rows[LM_GRAPHS]; g++) {
        const size_t n = leman_dataset_graph(e->m->data, e->m->which[g]).vertices;
        for (size_t i = 0; i < n * n * n; i++, count++) {
            const size_t u = i / (n * n), v = i / n % n, w = i % n;
            index[0][count] = first + u * n + w;
            index[1][count] = first + w * n + v;
            index[2][count] = first + u * n + v;
        }
        first += n * n;
    }
    tape_node *each =
        tape_times(&e->t, tape_gather(&e->t, left, index[0], count), tape_gather(&e->t, right, index[1], count));
    tape_node *sum = tape_scatter(&e->t, each, index[2], left->rows);
    for (size_t i = 0; i < 3; i++) free(index[i]);
    return sum;
}

/* Of every graph the largest number of one column, over the pairs (v,v) or over the others; 0 where there are none. */
static inline tape_node *explicit_largest(explicit_net *e, tape_node *x, size_t column, bool diagonal)
{
    const size_t graphs = e->m->batch.extent.rows[LM_GRAPHS];
    size_t *from = calloc(graphs, sizeof *from), *to = calloc(graphs, sizeof *to), count = 0, first = 0;
    for (size_t g = 0; g < graphs; g++) {
        const size_t n = leman_dataset_graph(e->m->data, e->m->which[g]).vertices;
        size_t best = SIZE_MAX;
        for (size_t u = 0; u < n; u++)
            for (size_t v = 0; v < n; v++) {
                const size_t r = first + u * n + v;
                if ((u == v) == diagonal &&
                    (best == SIZE_MAX || x->value[r * x->columns + column] > x->value[best * x->columns + column]))
                    best = r;
            }
        if (best != SIZE_MAX) from[count] = best, to[count++] = g;
        first += n * n;
    }
    tape_node *found = tape_gather(&e->t, tape_columns(&e->t, x, column, 1), from, count);
    tape_node *all = tape_scatter(&e->t, found, to, graphs);
    free(from), free(to);
    return all;
}

static inline tape_node *explicit_ppgn(explicit_net *e)
{
    const lm_batch *b = &e->m->batch;
    tape_node *x = explicit_leaf(e, b->extent.rows[LM_TUPLES], b->tuple_attributes, b->tuple_attribute), *pooled[32];
    for (size_t t = 0; t < e->m->options.shape.layers; t++) {
        char left[32], right[32], layer[32];
        snprintf(left, sizeof left, "layer%zu.left", t + 1);
        snprintf(right, sizeof right, "layer%zu.right", t + 1);
        snprintf(layer, sizeof layer, "layer%zu", t + 1);
        tape_node *p = tape_relu(&e->t, explicit_mlp(e, left, x, false));
        tape_node *q = tape_relu(&e->t, explicit_mlp(e, right, x, false));
        tape_node *both[] = {x, explicit_matmul(e, p, q)};
        x = e->layer[t] = explicit_linear(e, layer, "merge", tape_join(&e->t, both, 2));
    }
    for (size_t i = 0; i < 2 * x->columns; i++) pooled[i] = explicit_largest(e, x, i % x->columns, i < x->columns);
    return tape_join(&e->t, pooled, 2 * x->columns);
}

#endif
