/*
 * What the tests of networks share: batches of random graphs, networks on them, and gradients against finite
 * differences. In a header, because the tests of gradients are built with double numbers.
 */
#ifndef CHECK_H
#define CHECK_H

#include "nn/executor.h"
#include "nn/on_device.h"
#include <math.h>
#include <stdio.h>

enum { CHECK_TYPES = 7, CHECK_LABELS = 3, CHECK_TARGETS = 2, CHECK_CLASSES = 3, CHECK_COLUMNS = 3, CHECK_BUCKETS = 4 };

static inline double check_real(uint64_t *state)
{
    return (double)(test_random(state) >> 11) * 0x1p-52 - 1;
}

/* joined[u][v]: whether there is an arc from u to v, with the given probability in percent; directed: one-way. */
static inline bool *check_joined(size_t n, unsigned percent, bool directed, uint64_t *coin)
{
    bool *joined = calloc(n * n + 1, 1);
    for (size_t u = 0; u < n; u++)
        for (size_t v = directed ? 0 : u + 1; v < n; v++) {
            const bool yes = u != v && test_random(coin) % 100 < percent;
            joined[u * n + v] = joined[u * n + v] || yes;
            if (yes && !directed) joined[v * n + u] = true;
        }
    return joined;
}

static inline uint64_t check_coin(uint64_t seed)
{
    return seed * 77 + 1;
}

/* The first listing: the pairs (v, v), and those that an arc joins in either direction, with their neighbours along both
 * components and, if directed, those along entering arcs. Types are random. Without `write` only the sizes are found. */
static inline void check_pairs(const size_t *sizes, unsigned percent, bool directed, uint64_t seed, bool write,
                               lm_batch *b)
{
    lm_listing *l = b->listed;
    uint64_t coin = check_coin(seed), state = seed * 31;
    size_t row = 0, link = 0, first = 0, base = 0;
    l->members = l->places = 2;
    l->lists = directed ? 4 : 2;
    l->types = l->follows = l->picks = true;
    l->paired = directed;
    for (size_t g = 0; sizes[g] != SIZE_MAX; base += sizes[g++], first = row) {
        const size_t n = sizes[g];
        bool *joined = check_joined(n, percent, directed, &coin);
        size_t *number = calloc(n * n + 1, sizeof *number), count = 0;
        for (size_t i = 0; i < n * n; i++) {
            const size_t u = i / n, v = i % n;
            number[i] = u == v || joined[i] || joined[v * n + u] ? count++ : SIZE_MAX;
        }
        if (write) b->start[LM_LISTED][g] = (uint32_t)first;
        for (size_t i = 0; i < n * n; i++) {
            const size_t end[2] = {i / n, i % n};
            if (number[i] == SIZE_MAX) continue;
            for (size_t j = 0; write && j < 2; j++) l->member[2 * row + j] = (uint32_t)(base + end[j]);
            for (size_t list = 0; list < l->lists; list++) {
                const size_t j = list % 2, own = end[j], other = end[1 - j];
                if (write) l->start[row * l->lists + list] = (uint32_t)link;
                for (size_t w = 0; w < n; w++) {
                    const size_t to = j ? other * n + w : w * n + other;
                    if (!(list < 2 ? joined[own * n + w] : joined[w * n + own]) || number[to] == SIZE_MAX) continue;
                    if (write) l->neighbor[link] = (uint32_t)(first + number[to]);
                    link++;
                }
            }
            if (write) l->type[row] = (uint32_t)(test_random(&state) % CHECK_TYPES);
            row++;
        }
        free(joined);
        free(number);
        if (write) b->start[LM_LISTED][g + 1] = (uint32_t)row;
    }
    b->extent.rows[LM_LISTED] = row;
    b->extent.rows[LM_LINKS] = link;
    if (write) l->start[row * l->lists] = (uint32_t)link;
    if (write && row > 2) l->type[2] = LM_NO_TYPE;
}

/* The second listing: 2n rows of three vertices for each graph; vertices may repeat. Neighbours are random and
 * symmetric. Without `write` only the sizes are found. */
static inline void check_listed(const size_t *sizes, uint64_t seed, bool write, lm_batch *b)
{
    lm_listing *l = b->listed + 1;
    uint64_t state = seed * 31 + 1;
    size_t row = 0, link = 0, vertex = 0, g = 0;
    l->members = 3;
    l->lists = l->places = 1;
    l->types = true;
    for (; sizes[g] != SIZE_MAX; vertex += sizes[g++]) {
        const size_t rows = 2 * sizes[g];
        bool *joined = calloc(rows * rows + 1, 1);
        for (size_t r = 0; r < rows; r++)
            for (size_t s = r + 1; s < rows; s++)
                joined[r * rows + s] = joined[s * rows + r] = test_random(&state) % 100 < 40;
        if (write) b->start[LM_LISTED + 1][g] = (uint32_t)row;
        for (size_t r = 0; r < rows; r++) {
            for (size_t j = 0; write && j < 3; j++)
                l->member[(row + r) * 3 + j] = (uint32_t)(vertex + test_random(&state) % sizes[g]);
            if (write) l->start[row + r] = (uint32_t)link;
            for (size_t s = 0; s < rows; s++) {
                if (!joined[r * rows + s]) continue;
                if (write) l->neighbor[link] = (uint32_t)(row + s);
                link++;
            }
            if (write) l->type[row + r] = (uint32_t)(test_random(&state) % CHECK_TYPES);
        }
        row += rows;
        free(joined);
        state = seed * 31 + 1 + 7 * g; /* the same joins whether vertices are drawn or not */
    }
    b->extent.rows[LM_LISTED + 1] = row;
    b->extent.rows[LM_LINKS + 1] = link;
    if (!write) return;
    b->start[LM_LISTED + 1][g] = (uint32_t)row;
    l->start[row] = (uint32_t)link;
    if (row > 2) l->type[2] = LM_NO_TYPE;
}

/* Sizes end with SIZE_MAX. Every pair of vertices is joined with the given probability in percent; directed: one-way.
 * All columns exist: types, labels, counts, attributes, listed rows, targets and classes, both with weights. */
static inline void check_batch(leman_context *ctx, unsigned k, const size_t *sizes, unsigned percent, bool directed,
                               uint64_t seed, lm_batch *b)
{
    uint64_t state = seed, coin;
    size_t vertices = 0, tuples = 0, graphs = 0, arcs = 0;
    lm_batch_init(ctx, b);
    for (; sizes[graphs] != SIZE_MAX; graphs++) {
        vertices += sizes[graphs];
        tuples += k > 1 ? (size_t)lm_power(sizes[graphs], k) : 0;
    }
    /* Once to count the arcs, once to write them. */
    for (int round = 0; round < 2; round++) {
        arcs = 0;
        coin = check_coin(seed);
        size_t base = 0;
        for (size_t g = 0; g < graphs; base += sizes[g++]) {
            bool *joined = check_joined(sizes[g], percent, directed, &coin);
            if (round) b->start[LM_VERTICES][g] = (uint32_t)base;
            for (size_t u = 0; u < sizes[g]; u++) {
                if (round) b->leaving_start[base + u] = (uint32_t)arcs;
                for (size_t v = 0; v < sizes[g]; v++) {
                    if (!joined[u * sizes[g] + v]) continue;
                    if (round) b->head[arcs] = (uint32_t)(base + v);
                    arcs++;
                }
            }
            free(joined);
        }
        if (round) {
            b->start[LM_VERTICES][graphs] = b->leaving_start[vertices] = 0;
            b->start[LM_VERTICES][graphs] = (uint32_t)vertices;
            b->leaving_start[vertices] = (uint32_t)arcs;
            break;
        }
        b->k = k;
        b->extent = (lm_extent){{[LM_TUPLES] = tuples,
                                 [LM_VERTICES] = vertices,
                                 [LM_ARCS] = arcs,
                                 [LM_LABELS] = CHECK_LABELS,
                                 [LM_GRAPHS] = graphs}};
        check_pairs(sizes, percent, directed, seed, false, b);
        check_listed(sizes, seed, false, b);
        b->vertex_attributes = b->arc_attributes = b->tuple_attributes = CHECK_COLUMNS;
        b->targets = CHECK_TARGETS;
        b->counts = k;
        b->tuple_types = b->vertex_types = b->arc_labels = b->classes = b->weights = b->target_weights = true;
        assert_int_equal(lm_batch_resize(b), LEMAN_OK);
    }
    for (size_t i = 0; i < tuples; i++) b->tuple_type[i] = (uint32_t)(test_random(&state) % CHECK_TYPES);
    for (size_t i = 0; i < vertices; i++) b->vertex_type[i] = (uint32_t)(test_random(&state) % CHECK_TYPES);
    for (size_t i = 0; i < arcs; i++) b->arc_label[i] = (uint32_t)(test_random(&state) % CHECK_LABELS);
    for (size_t i = 0; i < k * tuples; i++) b->count[i] = (uint32_t)(test_random(&state) % CHECK_BUCKETS);
    for (size_t i = 0; i < CHECK_COLUMNS * tuples; i++) b->tuple_attribute[i] = (lm_real)check_real(&state);
    for (size_t i = 0; i < CHECK_COLUMNS * vertices; i++) b->vertex_attribute[i] = (lm_real)check_real(&state);
    for (size_t i = 0; i < CHECK_COLUMNS * arcs; i++) b->arc_attribute[i] = (lm_real)check_real(&state);
    for (size_t i = 0; i < CHECK_TARGETS * graphs; i++) b->target[i] = (lm_real)check_real(&state);
    for (size_t i = 0; i < graphs; i++) b->class_id[i] = (uint32_t)(test_random(&state) % CHECK_CLASSES);
    for (size_t i = 0; i < graphs; i++) b->graph_weight[i] = 0.25 + (double)b->class_id[i]; /* of the classes */
    for (size_t i = 0; i < CHECK_TARGETS * graphs; i++) b->target_weight[i] = 0.5 + (double)(i % 4);
    check_pairs(sizes, percent, directed, seed, true, b);
    check_listed(sizes, seed, true, b);
    if (tuples > 3) b->tuple_type[3] = LM_NO_TYPE;
    if (arcs > 2) b->arc_label[2] = LM_NO_TYPE;
    lm_batch_link(b);
}

/* Z = (1+epsilon) X + S X. */
static inline uint32_t check_neighbors(lm_program *p, uint32_t x, lm_neighborhood neighborhood, size_t position,
                                       uint32_t epsilon)
{
    const lm_sum sum = lm_sum_default(neighborhood, position, epsilon);
    return lm_program_sum(p, x, &sum);
}

/* A finished program on the device of the tests. Weights are uniform in -1 .. 1 where `wide`. */
typedef struct check_run {
    leman_context *ctx;
    lm_program *program;
    lm_backend *backend;
    lm_executor *executor;
    size_t numbers, trainable;
    lm_real *weights, *gradients; /* on the host */
} check_run;

static inline check_run check_run_on(leman_context *ctx, lm_program *p, const char *device, lm_mode mode, uint64_t seed,
                                     bool wide)
{
    check_run n = {.ctx = ctx, .program = p};
    if (!p->finished && lm_program_finish(p)) fail_msg("%s", leman_context_message(ctx));
    if (lm_backend_new(ctx, device, 0, &n.backend)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(lm_executor_new(ctx, p, n.backend, mode, &n.executor), LEMAN_OK);
    assert_int_equal(lm_executor_initialize(n.executor, seed), LEMAN_OK);
    n.numbers = p->numbers;
    n.trainable = p->trainable;
    n.weights = malloc((n.numbers + 1) * sizeof *n.weights);
    n.gradients = malloc((n.numbers + 1) * sizeof *n.gradients);
    assert_int_equal(lm_executor_weights_read(n.executor, n.weights), LEMAN_OK);
    for (size_t i = 0; wide && i < n.trainable; i++) n.weights[i] = (lm_real)check_real(&seed);
    assert_int_equal(lm_executor_weights_write(n.executor, n.weights), LEMAN_OK);
    return n;
}

static inline check_run check_run_new(leman_context *ctx, lm_program *p, lm_mode mode, uint64_t seed, bool wide)
{
    return check_run_on(ctx, p, check_device(), mode, seed, wide);
}

static inline void check_run_free(check_run *n)
{
    lm_executor_free(n->executor);
    lm_backend_free(n->backend);
    free(n->weights);
    free(n->gradients);
}

static inline double check_loss(check_run *n, const lm_batch *b)
{
    lm_real loss = 0;
    assert_int_equal(lm_executor_weights_write(n->executor, n->weights), LEMAN_OK);
    if (lm_executor_forward(n->executor, b, true, 1)) fail_msg("%s", leman_context_message(n->ctx));
    assert_int_equal(lm_executor_value(n->executor, n->program->loss, &loss), LEMAN_OK);
    return (double)loss;
}

static inline void check_gradients(check_run *n, lm_real *out)
{
    const lm_executor *e = n->executor;
    assert_int_equal(e->backend->read(e->backend, out, e->gradients, n->trainable * sizeof *out), LEMAN_OK);
}

/* Forward and backward; gradients on the host. */
static inline double check_pass(check_run *n, const lm_batch *b)
{
    double loss = check_loss(n, b);
    lm_executor_clear_gradients(n->executor);
    assert_int_equal(lm_executor_backward(n->executor), LEMAN_OK);
    check_gradients(n, n->gradients);
    return loss;
}

/* The central difference of the loss by one number of the weights. */
static inline double check_difference(check_run *n, const lm_batch *b, size_t number, double step)
{
    const lm_real at = n->weights[number];
    n->weights[number] = (lm_real)((double)at + step);
    const double above = check_loss(n, b);
    n->weights[number] = (lm_real)((double)at - step);
    const double below = check_loss(n, b);
    n->weights[number] = at;
    return (above - below) / (2 * step);
}

/* Every weight, up to `entries` numbers of it, against central differences. The relative error stays below 1e-5. */
static inline void check_differences(check_run *n, const lm_batch *b, size_t entries, const char *what)
{
    uint64_t state = 5;
    const double loss = check_pass(n, b);
    for (uint32_t w = 0; w < n->program->weights.count; w++) {
        const lm_weight *weight = lm_program_weight(n->program, w);
        size_t numbers = weight->rows * weight->columns;
        for (size_t e = 0; weight->trainable && e < entries && e < numbers; e++) {
            size_t i = weight->offset + (numbers <= entries ? e : test_random(&state) % numbers);
            const double given = (double)n->gradients[i];
            double gradient = check_difference(n, b, i, 1e-5);
            const double scale = fmax(fmax(fabs(gradient), fabs(given)), 1e-4 * (1 + fabs(loss)));
            if (fabs(gradient - given) / scale < 1e-5) continue;
            gradient = check_difference(n, b, i, 1e-7); /* where the kink of a ReLU was within the step */
            if (!(fabs(gradient - given) / scale < 1e-4))
                fail_msg("%s: %s[%zu]: gradient %.12g, finite difference %.12g", what, weight->name, i - weight->offset,
                         given, gradient);
        }
    }
}

/* ---- Values of a program that is only run forward -------------------------------------------- */

/* A copy of a value after a run of LM_WHOLE, [rows][width]; the caller frees it. */
static inline lm_real *check_value(check_run *n, const lm_batch *b, uint32_t v)
{
    const lm_value *value = lm_program_value(n->program, v);
    size_t numbers = b->extent.rows[value->space] * value->width;
    lm_real *out = malloc((numbers + 1) * sizeof *out);
    assert_int_equal(lm_executor_value(n->executor, v, out), LEMAN_OK);
    return out;
}

static inline void check_close(double a, double b, double tolerance, const char *what)
{
    if (!(fabs(a - b) <= tolerance * fmax(1, fmax(fabs(a), fabs(b))))) fail_msg("%s: %.15g and %.15g", what, a, b);
}

/* The largest difference in units of the largest number, which is taken to be at least `least`. */
static inline double check_distance(const lm_real *a, const lm_real *b, size_t count, double least)
{
    double largest = least, away = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan((double)a[i]) != isnan((double)b[i])) return INFINITY;
        largest = fmax(largest, fabs((double)b[i]));
        away = fmax(away, fabs((double)a[i] - (double)b[i]));
    }
    return away / largest;
}

static inline void check_same(const lm_real *a, const lm_real *b, size_t count, double tolerance, const char *what)
{
    for (size_t i = 0; i < count; i++) check_close((double)a[i], (double)b[i], tolerance, what);
}

/* ---- A program that is run forward once, with every value readable --------------------------- */

typedef struct check_fixture {
    leman_context *ctx;
    lm_program *p;
    lm_batch b;
    check_run n;
} check_fixture;

/* Random graphs, one of them empty and one a single vertex; an empty program. */
static inline check_fixture check_fixture_new(unsigned k, bool directed, unsigned percent, uint64_t seed)
{
    static const size_t SIZES[] = {4, 1, 0, 6, 2, 5, SIZE_MAX};
    check_fixture s = {.ctx = test_context_new(2)};
    check_batch(s.ctx, k, SIZES, percent, directed, seed, &s.b);
    assert_int_equal(lm_program_new(s.ctx, k, &s.p), LEMAN_OK);
    return s;
}

static inline void check_fixture_run(check_fixture *s, uint64_t seed)
{
    s->n = check_run_new(s->ctx, s->p, LM_WHOLE, seed, true);
    assert_int_equal(lm_executor_forward(s->n.executor, &s->b, true, 0), LEMAN_OK);
}

static inline void check_fixture_free(check_fixture *s)
{
    check_run_free(&s->n);
    lm_program_free(s->p);
    lm_batch_free(&s->b);
    test_context_free(s->ctx);
}

#endif
