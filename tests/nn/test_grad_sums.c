/*
 * Operations between rows against their definitions, in double precision: sums over neighbours on the explicit tuple
 * graph, by hand, and adjoint; messages along single arcs; pooling, attention, vertices over tuples.
 */
#include "nn/check.h"

/* ---- Sums over neighbours -------------------------------------------------------------------- */

/* Is there an arc u -> w, vertices counted in the batch? */
static bool arc(const lm_batch *b, size_t u, size_t w)
{
    for (uint32_t e = b->leaving_start[u]; e < b->leaving_start[u + 1]; e++)
        if (b->head[e] == w) return true;
    return false;
}

static bool related(const lm_batch *b, lm_neighborhood what, size_t u, size_t w)
{
    if (u == w) return false;
    switch (what) {
    case LM_LEAVING: return arc(b, u, w);
    case LM_ENTERING: return arc(b, w, u);
    case LM_OTHERS: return !arc(b, u, w);
    default: return true;
    }
}

/* The word-by-word sum at a tuple: over all vertices w of its graph that are related to its component. */
static double slow_sum(const lm_batch *b, lm_row_space space, unsigned k, size_t g, size_t tuple, size_t position,
                       lm_neighborhood what, const lm_real *x, size_t width, size_t column)
{
    size_t first = b->start[LM_VERTICES][g], n = b->start[LM_VERTICES][g + 1] - first, weight = 1;
    double sum = 0;
    for (size_t j = k - 1; j > position; j--) weight *= n;
    size_t own = tuple / weight % n;
    for (size_t w = 0; w < n; w++)
        if (related(b, what, first + own, first + w)) {
            size_t row = b->start[space][g] + tuple - own * weight + w * weight;
            sum += (double)x[row * width + column];
        }
    return sum;
}

/* together: both components of pairs in one step, of which one is looked at. */
static void check_sum(unsigned k, lm_neighborhood what, size_t position, bool directed, bool together, uint64_t seed)
{
    enum { WIDTH = 67 }; /* more than one block of columns */
    check_fixture s = check_fixture_new(k, directed, 40, seed);
    lm_row_space space = k == 1 ? LM_VERTICES : LM_TUPLES;
    lm_source source = k == 1 ? LM_FROM_VERTEX_ATTRIBUTES : LM_FROM_TUPLE_ATTRIBUTES;
    uint32_t input = lm_program_input(s.p, source, CHECK_COLUMNS);
    uint32_t x = lm_program_linear(s.p, input, lm_linear_new(s.p, "x", CHECK_COLUMNS, WIDTH), LM_IDENTITY);
    const uint32_t epsilons[2] = {lm_epsilon_new(s.p, "epsilon"), lm_epsilon_new(s.p, "other")};
    const uint32_t epsilon = epsilons[together ? position : 0];
    uint32_t both[2], z;
    if (together) {
        lm_program_pair_sums(s.p, x, what, epsilons, both);
        z = both[position];
    } else {
        z = check_neighbors(s.p, x, what, position, epsilon);
    }
    check_fixture_run(&s, seed + 1);
    lm_real *from = check_value(&s.n, &s.b, x), *to = check_value(&s.n, &s.b, z);
    double own = 1 + (double)s.n.weights[lm_program_weight(s.p, epsilon)->offset];
    for (size_t g = 0; g < s.b.extent.rows[LM_GRAPHS]; g++)
        for (size_t t = 0; t < s.b.start[space][g + 1] - s.b.start[space][g]; t++)
            for (size_t c = 0; c < WIDTH; c += 33) {
                size_t at = (s.b.start[space][g] + t) * WIDTH + c;
                double sum = slow_sum(&s.b, space, k, g, t, position, what, from, WIDTH, c);
                check_close((double)to[at], own * (double)from[at] + sum, 1e-12, "sum over neighbours");
            }
    free(from);
    free(to);
    check_fixture_free(&s);
}

static void sums_follow_the_tuple_graph(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 3; k++)
        for (size_t position = 0; position < k; position++)
            for (int what = 0; what < 4; what++) {
                check_sum(k, (lm_neighborhood)what, position, false, false, 5 + k);
                check_sum(k, (lm_neighborhood)what, position, true, false, 9 + k);
                if (k == 2) check_sum(k, (lm_neighborhood)what, position, true, true, 13);
            }
}

/* The path 0 - 1 - 2 as a batch. */
static void path_batch(leman_context *ctx, lm_batch *b)
{
    lm_batch_init(ctx, b);
    b->k = 2;
    b->extent = (lm_extent){{[LM_TUPLES] = 9, [LM_VERTICES] = 3, [LM_ARCS] = 4, [LM_GRAPHS] = 1}};
    b->tuple_attributes = 1;
    assert_int_equal(lm_batch_resize(b), LEMAN_OK);
    memcpy(b->start[LM_VERTICES], (uint32_t[]){0, 3}, 2 * sizeof(uint32_t));
    memcpy(b->leaving_start, (uint32_t[]){0, 1, 3, 4}, 4 * sizeof(uint32_t));
    memcpy(b->head, (uint32_t[]){1, 0, 2, 1}, 4 * sizeof(uint32_t));
    for (size_t i = 0; i < 9; i++) b->tuple_attribute[i] = (lm_real)(i + 1);
    lm_batch_link(b);
}

/* X = 1 .. 9 row by row on the path; the sums worked out on paper. */
static void sums_by_hand(void **state)
{
    static const struct {
        lm_neighborhood what;
        size_t position;
        double sum[9];
    } CASES[] = {
        {LM_LEAVING, 0, {4, 5, 6, 8, 10, 12, 4, 5, 6}},  {LM_LEAVING, 1, {2, 4, 2, 5, 10, 5, 8, 16, 8}},
        {LM_ALL, 0, {11, 13, 15, 8, 10, 12, 5, 7, 9}},   {LM_ALL, 1, {5, 4, 3, 11, 10, 9, 17, 16, 15}},
        {LM_OTHERS, 0, {7, 8, 9, 0, 0, 0, 1, 2, 3}},     {LM_OTHERS, 1, {3, 0, 1, 6, 0, 4, 9, 0, 7}},
        {LM_ENTERING, 0, {4, 5, 6, 8, 10, 12, 4, 5, 6}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        check_fixture s = {.ctx = test_context_new(1)};
        path_batch(s.ctx, &s.b);
        assert_int_equal(lm_program_new(s.ctx, 2, &s.p), LEMAN_OK);
        uint32_t x = lm_program_input(s.p, LM_FROM_TUPLE_ATTRIBUTES, 1);
        uint32_t z = check_neighbors(s.p, x, CASES[i].what, CASES[i].position, LM_NONE);
        check_fixture_run(&s, 1);
        lm_real *to = check_value(&s.n, &s.b, z);
        for (size_t t = 0; t < 9; t++) assert_true((double)to[t] - (double)(t + 1) == CASES[i].sum[t]);
        free(to);
        check_fixture_free(&s);
    }
}

/* ---- Steps alone: tensors of the test's own -------------------------------------------------- */

/* Random numbers in rows that stand further apart than they are wide; the gaps must stay as they are. */
static lm_tensor tensor_new(size_t rows, size_t width, uint64_t *state)
{
    lm_tensor t = {.rows = rows, .width = width, .stride = width + 3};
    t.data = malloc((rows * t.stride + 1) * sizeof *t.data);
    for (size_t i = 0; i < rows * t.stride; i++)
        t.data[i] = i % t.stride < width ? (lm_real)check_real(state) : LM_REAL(12345.0);
    return t;
}

static void tensor_free(lm_tensor *t)
{
    for (size_t i = 0; i < t->rows * t->stride; i++)
        if (i % t->stride >= t->width) assert_true(t->data[i] == LM_REAL(12345.0));
    free(t->data);
}

static double inner(const lm_tensor *a, const lm_tensor *b)
{
    double sum = 0;
    for (size_t r = 0; r < a->rows; r++)
        for (size_t i = 0; i < a->width; i++)
            sum += (double)a->data[r * a->stride + i] * (double)b->data[r * b->stride + i];
    return sum;
}

/* The same tensor in the memory of the device, and back to the host. */
static lm_tensor tensor_upload(lm_backend *backend, const lm_tensor *t)
{
    lm_tensor copy = *t;
    copy.data = check_upload(backend, t->data, (t->rows * t->stride + 1) * sizeof *t->data);
    return copy;
}

static void tensor_read(lm_backend *backend, const lm_tensor *device, lm_tensor *t)
{
    assert_int_equal(backend->read(backend, t->data, device->data, t->rows * t->stride * sizeof *t->data), LEMAN_OK);
}

/* <G, S X> = <S' G, X> for the step that a program has last; its epsilon, where it has one, is -1. */
static void check_adjoint(check_fixture *s, const lm_step *step, const char *what)
{
    uint64_t state = 99;
    const lm_value *in = lm_program_value(s->p, step->input[0]), *out = lm_program_value(s->p, step->output[0]);
    size_t rows = s->b.extent.rows[in->space], results = s->b.extent.rows[out->space];
    lm_tensor x = tensor_new(rows, in->width, &state), gx = tensor_new(rows, in->width, &state);
    lm_tensor y = tensor_new(results, out->width, &state), g = tensor_new(results, out->width, &state);
    lm_tensor *host[] = {&x, &y, &gx, &g}, device[4];
    lm_backend *backend = check_backend(s->ctx);
    const lm_operation_entry *entry = backend->operations + step->operation;
    lm_batch batch;
    assert_int_equal(backend->load_batch(backend, &s->b, &batch), LEMAN_OK);
    for (int i = 0; i < 4; i++) device[i] = tensor_upload(backend, host[i]);
    lm_real *minus = check_upload(backend, &(lm_real){-1}, sizeof(lm_real));
    lm_frame f = {.program = s->p, .step = step, .batch = &batch, .training = true};
    f.in[0] = device[0];
    f.out[0] = device[1];
    f.in_gradient[0] = device[2];
    f.out_gradient[0] = device[3];
    if (step->weight[0] != LM_NONE) f.weight[0] = minus;
    const size_t bytes = entry->workspace ? entry->workspace(backend, &f) : 0;
    assert_int_equal(backend->allocate(backend, bytes + 1, &f.workspace), LEMAN_OK);
    entry->forward(backend, &f);
    entry->backward(backend, &f);
    tensor_read(backend, &device[1], &y);
    tensor_read(backend, &device[2], &gx);
    check_close(inner(&g, &y), inner(&gx, &x), 1e-12, what);
    f.add[0] = true; /* a second time: the gradient doubles */
    assert_int_equal(backend->write(backend, device[3].data, g.data, results * g.stride * sizeof *g.data), LEMAN_OK);
    entry->backward(backend, &f);
    tensor_read(backend, &device[2], &gx);
    check_close(2 * inner(&g, &y), inner(&gx, &x), 1e-12, what);
    for (int i = 0; i < 4; i++) {
        tensor_read(backend, &device[i], host[i]); /* for the gaps */
        backend->release(backend, device[i].data);
    }
    backend->release(backend, minus);
    backend->release(backend, f.workspace);
    lm_backend_free(backend);
    tensor_free(&x);
    tensor_free(&y);
    tensor_free(&g);
    tensor_free(&gx);
}

static void sums_are_adjoint(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 3; k++)
        for (unsigned position = 0; position < k; position++)
            for (int what = 0; what < 6; what++) {
                check_fixture s = check_fixture_new(k, what & 1, 50, 21);
                lm_source source = k == 1 ? LM_FROM_VERTEX_ATTRIBUTES : LM_FROM_TUPLE_ATTRIBUTES;
                uint32_t x = lm_program_input(s.p, source, CHECK_COLUMNS);
                if (what < 4)
                    check_neighbors(s.p, x, (lm_neighborhood)what, position, lm_epsilon_new(s.p, "epsilon"));
                else
                    lm_program_pool(s.p, x, what & 1);
                assert_int_equal(lm_program_finish(s.p), LEMAN_OK);
                check_adjoint(&s, lm_program_step(s.p, 0), "adjoint");
                lm_program_free(s.p);
                lm_batch_free(&s.b);
                test_context_free(s.ctx);
            }
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* Z[u] over single arcs; E by label and E by arc give the same, forward and back. */
static void messages_along_arcs(void **state)
{
    enum { WIDTH = 5 };
    (void)state;
    for (int directed = 0; directed < 2; directed++) {
        lm_real *gradient[2] = {NULL, NULL};
        size_t numbers = 0;
        for (int by_arc = 0; by_arc < 2; by_arc++) {
            check_fixture s = check_fixture_new(1, directed, 50, 31);
            uint32_t x = lm_program_embed(s.p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(s.p, "x", CHECK_TYPES, WIDTH));
            uint32_t table = lm_table_new(s.p, "e", CHECK_LABELS, WIDTH), epsilon = lm_epsilon_new(s.p, "epsilon");
            uint32_t e = lm_program_embed(s.p, by_arc ? LM_INDEX_ARC_LABEL : LM_INDEX_LABEL, 0, table);
            uint32_t z = lm_program_messages(s.p, x, e, lm_sum_default(LM_LEAVING, 0, epsilon));
            uint32_t y = lm_program_pool(s.p, lm_program_bias(s.p, z, LM_NONE, LM_ELU), true);
            lm_program_predict(s.p,
                               lm_program_linear(s.p, y, lm_linear_new(s.p, "y", WIDTH, CHECK_TARGETS), LM_IDENTITY));
            lm_program_set_loss(s.p, LM_OP_SQUARE);
            check_fixture_run(&s, 8);
            lm_real *from = check_value(&s.n, &s.b, x), *to = check_value(&s.n, &s.b, z);
            const lm_real *edges = s.n.weights + lm_program_weight(s.p, table)->offset;
            double own = 1 + (double)s.n.weights[lm_program_weight(s.p, epsilon)->offset];
            for (size_t u = 0; u < s.b.extent.rows[LM_VERTICES]; u++)
                for (size_t c = 0; c < WIDTH; c++) {
                    double sum = own * (double)from[u * WIDTH + c];
                    for (uint32_t a = s.b.leaving_start[u]; a < s.b.leaving_start[u + 1]; a++) {
                        uint32_t label = s.b.arc_label[a];
                        double edge = label == LM_NO_TYPE ? 0 : (double)edges[label * WIDTH + c];
                        sum += fmax(0, (double)from[s.b.head[a] * WIDTH + c] + edge);
                    }
                    check_close((double)to[u * WIDTH + c], sum, 1e-12, "message");
                }
            check_pass(&s.n, &s.b);
            numbers = s.n.trainable;
            gradient[by_arc] = malloc(numbers * sizeof(lm_real));
            memcpy(gradient[by_arc], s.n.gradients, numbers * sizeof(lm_real));
            free(from);
            free(to);
            check_fixture_free(&s);
        }
        check_same(gradient[0], gradient[1], numbers, 1e-12, "by label and by arc");
        free(gradient[0]);
        free(gradient[1]);
    }
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static void pooling_and_attention(void **state)
{
    enum { WIDTH = 66 };
    check_fixture s = check_fixture_new(2, false, 50, 41);
    uint32_t input = lm_program_input(s.p, LM_FROM_TUPLE_ATTRIBUTES, CHECK_COLUMNS);
    uint32_t x = lm_program_linear(s.p, input, lm_linear_new(s.p, "x", CHECK_COLUMNS, WIDTH), LM_IDENTITY);
    uint32_t sum = lm_program_pool(s.p, x, false), mean = lm_program_pool(s.p, x, true);
    uint32_t attended = lm_program_attend(s.p, x, mean);
    (void)state;
    check_fixture_run(&s, 2);
    lm_real *rows = check_value(&s.n, &s.b, x), *total = check_value(&s.n, &s.b, sum);
    lm_real *half = check_value(&s.n, &s.b, mean), *given = check_value(&s.n, &s.b, attended);
    for (size_t g = 0; g < s.b.extent.rows[LM_GRAPHS]; g++) {
        size_t first = s.b.start[LM_TUPLES][g], end = s.b.start[LM_TUPLES][g + 1];
        double weight = 0, energy[36] = {0};
        assert_true(end - first <= 36);
        for (size_t r = first; r < end; r++) {
            for (size_t c = 0; c < WIDTH; c++)
                energy[r - first] += (double)rows[r * WIDTH + c] * (double)half[g * WIDTH + c];
            weight += exp(energy[r - first]);
        }
        for (size_t c = 0; c < WIDTH; c++) {
            double slow = 0, expected = 0;
            for (size_t r = first; r < end; r++) {
                slow += (double)rows[r * WIDTH + c];
                expected += exp(energy[r - first]) / weight * (double)rows[r * WIDTH + c];
            }
            check_close((double)total[g * WIDTH + c], slow, 1e-12, "sum");
            check_close((double)half[g * WIDTH + c], end > first ? slow / (double)(end - first) : 0, 1e-12, "mean");
            check_close((double)given[g * WIDTH + c], expected, 1e-9, "attention");
        }
    }
    free(rows);
    free(total);
    free(half);
    free(given);
    check_fixture_free(&s);
}

/* Equal rows: attention is even, and the second half of Set2Set is the row itself. */
static void set2set_of_equal_rows(void **state)
{
    enum { WIDTH = 4 };
    check_fixture s = check_fixture_new(2, false, 50, 51);
    uint32_t table = lm_table_new(s.p, "x", CHECK_TYPES, WIDTH);
    (void)state;
    for (size_t t = 0; t < s.b.extent.rows[LM_TUPLES]; t++) s.b.tuple_type[t] = 2;
    uint32_t x = lm_program_embed(s.p, LM_INDEX_TUPLE_TYPE, 0, table);
    uint32_t y = lm_program_set2set(s.p, x, 3, lm_lstm_new(s.p, "lstm", 2 * WIDTH, WIDTH));
    check_fixture_run(&s, 3);
    lm_real *given = check_value(&s.n, &s.b, y);
    const lm_real *row = s.n.weights + lm_program_weight(s.p, table)->offset + 2 * WIDTH;
    for (size_t g = 0; g < s.b.extent.rows[LM_GRAPHS]; g++)
        for (size_t c = 0; c < WIDTH; c++) {
            bool empty = s.b.start[LM_TUPLES][g] == s.b.start[LM_TUPLES][g + 1];
            check_close((double)given[g * 2 * WIDTH + WIDTH + c], empty ? 0 : (double)row[c], 1e-12, "equal rows");
        }
    free(given);
    check_fixture_free(&s);
}

static void spread_over_tuples(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 3; k++) {
        check_fixture s = check_fixture_new(k, false, 50, 61);
        uint32_t parts[3], y;
        for (unsigned j = 0; j < k; j++) {
            lm_program_enter(s.p, "%u", j);
            parts[j] = lm_program_embed(s.p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(s.p, "x", CHECK_TYPES, 2));
            lm_program_leave(s.p);
        }
        y = lm_program_spread(s.p, parts, k, LM_NONE, LM_IDENTITY);
        check_fixture_run(&s, 4);
        lm_real *x[3], *given = check_value(&s.n, &s.b, y);
        for (unsigned j = 0; j < k; j++) x[j] = check_value(&s.n, &s.b, parts[j]);
        for (size_t g = 0; g < s.b.extent.rows[LM_GRAPHS]; g++) {
            size_t first = s.b.start[LM_VERTICES][g], n = s.b.start[LM_VERTICES][g + 1] - first;
            for (size_t t = 0; t < s.b.start[LM_TUPLES][g + 1] - s.b.start[LM_TUPLES][g]; t++) {
                size_t digit[3], rest = t;
                double sum = 0;
                for (size_t j = k; j-- > 0; rest /= n) digit[j] = rest % n;
                for (unsigned j = 0; j < k; j++) sum += (double)x[j][(first + digit[j]) * 2 + 1];
                check_close((double)given[(s.b.start[LM_TUPLES][g] + t) * 2 + 1], sum, 1e-12, "spread");
            }
        }
        for (unsigned j = 0; j < k; j++) free(x[j]);
        free(given);
        check_fixture_free(&s);
    }
}

/* Sums and means over lists and over the vertices of listed rows, one number at a time. */
static void sums_over_lists(void **state)
{
    (void)state;
    for (size_t variant = 0; variant < 16; variant++) {
        const size_t i = variant & 1, list = i ? 0 : variant >> 3;
        const bool mean = variant & 2, members = variant & 4;
        const lm_row_space space = LM_LISTED + (lm_row_space)i;
        check_fixture s = check_fixture_new(1, false, 50, 71 + variant);
        const uint32_t own = lm_program_embed(s.p, LM_INDEX_LISTED_TYPE, i, lm_table_new(s.p, "own", CHECK_TYPES, 2));
        const uint32_t rows = lm_program_bias(s.p, own, LM_NONE, LM_RELU);
        const uint32_t vertices =
            lm_program_embed(s.p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(s.p, "vertices", CHECK_TYPES, 2));
        const uint32_t sent = members ? vertices : rows, epsilon = lm_epsilon_new(s.p, "e");
        const lm_listed_sum sum = {
            .own = own, .sent = sent, .list = list, .mean = mean, .epsilon = epsilon, .bias = LM_NONE};
        const uint32_t y = lm_program_listed(s.p, space, &sum);
        check_fixture_run(&s, 5);
        lm_real *x = check_value(&s.n, &s.b, own), *m = check_value(&s.n, &s.b, sent),
                *given = check_value(&s.n, &s.b, y);
        const double e = (double)s.n.weights[lm_program_weight(s.p, epsilon)->offset];
        const lm_listing *l = s.b.listed + i;
        for (size_t r = 0; r < s.b.extent.rows[space]; r++) {
            const size_t place = l->places > 1 ? list : 0, size = l->places > 1 ? 1 : l->members; /* one of a tuple */
            const uint32_t *item =
                members ? l->member + r * l->members + place : l->neighbor + l->start[r * l->lists + list];
            const size_t count = members ? size : l->start[r * l->lists + list + 1] - l->start[r * l->lists + list];
            double total = 0;
            for (size_t t = 0; t < count; t++) total += (double)m[2 * item[t] + 1];
            if (mean && count) total /= (double)count;
            check_close((double)given[2 * r + 1], (1 + e) * (double)x[2 * r + 1] + total, 1e-12, "listed");
        }
        free(x), free(m), free(given);
        check_fixture_free(&s);
    }
}

/* The sum over the listed tuples that have a vertex at one place. */
static void sums_over_places(void **state)
{
    (void)state;
    for (size_t place = 0; place < 2; place++) {
        check_fixture s = check_fixture_new(1, false, 50, 91 + place);
        const uint32_t x = lm_program_embed(s.p, LM_INDEX_LISTED_TYPE, 0, lm_table_new(s.p, "x", CHECK_TYPES, 2));
        const uint32_t y = lm_program_collect(s.p, lm_program_bias(s.p, x, LM_NONE, LM_RELU), place);
        check_fixture_run(&s, 5);
        lm_real *from = check_value(&s.n, &s.b, x), *given = check_value(&s.n, &s.b, y);
        const lm_listing *l = s.b.listed;
        for (size_t v = 0; v < s.b.extent.rows[LM_VERTICES]; v++) {
            double total = 0;
            for (size_t r = 0; r < s.b.extent.rows[LM_LISTED]; r++)
                if (l->member[r * l->members + place] == v) total += fmax((double)from[2 * r + 1], 0);
            check_close((double)given[2 * v + 1], total, 1e-12, "places");
        }
        free(from), free(given);
        check_fixture_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_follow_the_tuple_graph),
        cmocka_unit_test(sums_by_hand),
        cmocka_unit_test(sums_are_adjoint),
        cmocka_unit_test(messages_along_arcs),
        cmocka_unit_test(pooling_and_attention),
        cmocka_unit_test(set2set_of_equal_rows),
        cmocka_unit_test(spread_over_tuples),
        cmocka_unit_test(sums_over_lists),
        cmocka_unit_test(sums_over_places),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
