/*
 * What models must not see: the numbering of vertices, the other graphs of a batch, which component of a tuple is the
 * first once the weights are exchanged as well, and what the sums have in common on complete and on edgeless graphs.
 */
#include "nn/made.h"

static const double TOLERANCE = 1e-10;

static void same(double a, double b, double scale, const char *what)
{
    if (!(fabs(a - b) <= TOLERANCE * (1 + scale))) fail_msg("%s: %.15g and %.15g", what, a, b);
}

static double largest(const lm_real *x, size_t count)
{
    double max = 0;
    for (size_t i = 0; i < count; i++) max = fmax(max, fabs((double)x[i]));
    return max;
}

typedef void test_of_shape(leman_architecture shape);

static void every_model(test_of_shape *test)
{
    for (int kind = 0; kind < LEMAN_NETWORK_KIND_COUNT; kind++)
        for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_TU; preset++)
            for (unsigned k = 2; k <= 3; k++)
                if (k == 2 || (kind >= LEMAN_NETWORK_KIND_WL && kind <= LEMAN_NETWORK_KIND_DELTA))
                    test(made_shape((leman_network_kind)kind, k, (leman_preset)preset));
}

/* ---- Numbering of vertices ------------------------------------------------------------------- */

/* The data with vertex v of each graph called place[v]. */
static leman_dataset *renumbered(leman_context *ctx, const leman_dataset *data, uint64_t *state,
                                 size_t place[MADE_GRAPHS][8])
{
    const leman_columns columns = *leman_dataset_shape(data)->columns;
    leman_builder *builder = NULL;
    leman_dataset *out = NULL;
    assert_int_equal(leman_builder_new(ctx, "renumbered", &columns, &builder), LEMAN_OK);
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        size_t vertex[8]; /* at each place */
        for (size_t v = 0; v < g.vertices; v++) {
            const size_t other = test_random(state) % (v + 1);
            vertex[v] = vertex[other];
            vertex[other] = v;
        }
        assert_int_equal(leman_builder_graph(builder, NULL, leman_dataset_classes(data) + i,
                                             leman_dataset_targets(data) + i * MADE_TARGETS),
                         LEMAN_OK);
        for (size_t p = 0; p < g.vertices; p++) {
            place[i][vertex[p]] = p;
            assert_int_equal(leman_builder_vertex(builder, NULL, g.vertex_label + vertex[p] * g.vertex_labels,
                                                  g.vertex_attribute + vertex[p] * g.vertex_attributes),
                             LEMAN_OK);
        }
        for (size_t v = 0; v < g.vertices; v++)
            for (uint64_t a = g.start[v]; a < g.start[v + 1]; a++)
                if (g.head[a] > v)
                    assert_int_equal(leman_builder_edge(builder, place[i][v], place[i][g.head[a]],
                                                        g.edge_label + a * g.edge_labels,
                                                        g.edge_attribute + a * g.edge_attributes),
                                     LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &out), LEMAN_OK);
    leman_builder_free(builder);
    return out;
}

/* Row `row` of graph i once its vertices have moved. */
static size_t moved(size_t row, size_t n, unsigned k, const size_t *place)
{
    size_t to = 0, step = 1;
    for (unsigned j = 0; j < k; j++, row /= n, step *= n) to += place[row % n] * step;
    return to;
}

static void compare_layers(made *m, lm_real *const *before, const leman_dataset *data, size_t place[MADE_GRAPHS][8])
{
    const unsigned k = m->options.shape.k;
    for (size_t t = 0; t < m->options.shape.layers; t++) {
        const size_t width = lm_program_value(m->program, m->layer[t])->width;
        lm_real *after = made_value(m, m->layer[t]);
        size_t first = 0;
        for (size_t i = 0; i < MADE_GRAPHS; i++) {
            const size_t n = leman_dataset_graph(data, i).vertices, rows = lm_power(n, k);
            const double scale = largest(before[t] + first * width, rows * width);
            for (size_t r = 0; r < rows * width; r++) {
                const size_t other = first + moved(r / width, n, k, place[i]);
                same((double)before[t][first * width + r], (double)after[other * width + r % width], scale,
                     made_text(&m->options.shape));
            }
            first += rows;
        }
        free(after);
    }
}

static void numbering(leman_architecture shape)
{
    /* The published types of 3-sets depend on it: test_grad_sets.c. */
    if (shape.kind == LEMAN_NETWORK_KIND_GNN13 || shape.kind == LEMAN_NETWORK_KIND_GNN123) return;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 41;
    size_t place[MADE_GRAPHS][8];
    leman_dataset *data = made_data(ctx, &state, MADE_SIZES, 50), *other = renumbered(ctx, data, &state, place);
    lm_inputs *inputs = NULL;
    lm_real *layer[8];
    made m;
    made_new(&m, ctx, data, shape, MADE_GRAPHS, LM_TRAIN, 43);
    assert_int_equal(lm_inputs_new(ctx, other, m.encoding, &inputs), LEMAN_OK);
    for (int training = 0; training < 2; training++) {
        made_batch(&m, m.which, MADE_GRAPHS);
        made_forward(&m, training);
        for (size_t t = 0; t < m.options.shape.layers; t++) layer[t] = made_value(&m, m.layer[t]);
        lm_real *prediction = made_predictions(&m);
        assert_int_equal(lm_inputs_batch(inputs, m.which, MADE_GRAPHS, &m.batch), LEMAN_OK);
        made_forward(&m, training);
        compare_layers(&m, layer, data, place);
        lm_real *again = made_predictions(&m);
        for (size_t i = 0; i < MADE_GRAPHS * m.options.outputs; i++)
            same((double)prediction[i], (double)again[i], fabs((double)prediction[i]), made_text(&m.options.shape));
        for (size_t t = 0; t < m.options.shape.layers; t++) free(layer[t]);
        free(prediction), free(again);
    }
    lm_inputs_free(inputs);
    made_free(&m);
    leman_dataset_free(data);
    leman_dataset_free(other);
    test_context_free(ctx);
}

static void test_numbering(void **unused)
{
    (void)unused;
    every_model(numbering);
}

/* ---- The other graphs of a batch ------------------------------------------------------------- */

static void other_graphs(leman_architecture shape)
{
    leman_context *ctx = test_context_new(1);
    uint64_t state = 47;
    leman_dataset *data = made_data(ctx, &state, MADE_SIZES, 50);
    made m;
    made_new(&m, ctx, data, shape, MADE_GRAPHS, LM_INFER, 53);
    const size_t outputs = m.options.outputs;
    made_forward(&m, false);
    lm_real *together = made_predictions(&m);
    for (uint32_t g = 0; g < MADE_GRAPHS; g++) {
        const uint32_t which[] = {g, 4, g};
        for (size_t count = 1; count <= 3; count += 2) {
            made_batch(&m, which, count);
            made_forward(&m, false);
            lm_real *alone = made_predictions(&m);
            for (size_t o = 0; o < outputs; o++)
                same((double)alone[o], (double)together[g * outputs + o], fabs((double)alone[o]),
                     made_text(&m.options.shape));
            free(alone);
        }
    }
    free(together);
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Copies of one graph have the statistics of one. */
static void copies(leman_architecture shape)
{
    leman_context *ctx = test_context_new(1);
    uint64_t state = 59;
    leman_dataset *data = made_data(ctx, &state, MADE_SIZES, 50);
    made m;
    if (shape.preset == LEMAN_PRESET_TU) shape.preset = LEMAN_PRESET_ZINC; /* dropout makes copies differ */
    made_new(&m, ctx, data, shape, MADE_GRAPHS, LM_TRAIN, 61);
    const uint32_t which[] = {4, 4, 4};
    lm_real *prediction[2];
    for (size_t i = 0; i < 2; i++) {
        made_batch(&m, which, i ? 3 : 1);
        made_forward(&m, true);
        prediction[i] = made_predictions(&m);
    }
    for (size_t i = 0; i < 3 * m.options.outputs; i++)
        same((double)prediction[0][i % m.options.outputs], (double)prediction[1][i], fabs((double)prediction[1][i]),
             made_text(&m.options.shape));
    free(prediction[0]), free(prediction[1]);
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_other_graphs(void **unused)
{
    (void)unused;
    every_model(other_graphs);
    every_model(copies);
}

/* ---- Transposition --------------------------------------------------------------------------- */

static lm_real *weight_named(made *m, const char *name, const lm_weight **weight)
{
    for (uint32_t i = 0; i < m->program->weights.count; i++) {
        *weight = lm_program_weight(m->program, i);
        if (!strcmp((*weight)->name, name)) return m->run.weights + (*weight)->offset;
    }
    return NULL;
}

static void exchange(lm_real *a, lm_real *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lm_real other = a[i];
        a[i] = b[i];
        b[i] = other;
    }
}

/* Everything of position 1 becomes that of position 2 and the other way round. */
static void exchange_positions(made *m)
{
    for (uint32_t i = 0; i < m->program->weights.count; i++) {
        const lm_weight *w = lm_program_weight(m->program, i), *partner;
        char name[128];
        snprintf(name, sizeof name, "%s", w->name);
        char *digit = strstr(name, ".position1.");
        if (digit) {
            digit[9] = '2';
            exchange(m->run.weights + w->offset, weight_named(m, name, &partner), w->rows * w->columns);
        } else if (strstr(name, "layer") && strstr(name, "merge.linear1.weight")) {
            for (size_t r = 0; r < w->rows; r++) {
                lm_real *row = m->run.weights + w->offset + r * w->columns;
                exchange(row, row + w->columns / 2, w->columns / 2);
            }
        }
    }
}

/* (u, v) -> (v, u) in every graph of the batch. */
static size_t transposed(const made *m, size_t row)
{
    size_t first = 0;
    for (size_t i = 0;; i++) {
        const size_t n = leman_dataset_graph(m->data, m->which[i]).vertices;
        if (row < first + n * n) return first + (row - first) % n * n + (row - first) / n;
        first += n * n;
    }
}

static void turn_inputs(made *m)
{
    const size_t rows = m->batch.extent.rows[LM_TUPLES];
    for (size_t r = 0; r < rows; r++) {
        const size_t other = transposed(m, r);
        for (size_t c = 0; c < m->batch.counts; c += 2) { /* #_1 of (u, v) is #_2 of (v, u) */
            uint32_t *one = m->batch.count + c * rows + r, *two = m->batch.count + (c + 1) * rows + other, swap = *one;
            *one = *two;
            *two = swap;
        }
        if (other <= r) continue;
        const uint32_t swap = m->batch.tuple_type[r];
        m->batch.tuple_type[r] = m->batch.tuple_type[other];
        m->batch.tuple_type[other] = swap;
    }
}

static void transposition(leman_network_kind kind, leman_preset preset)
{
    leman_context *ctx = test_context_new(1);
    uint64_t state = 67;
    leman_dataset *data = made_data(ctx, &state, MADE_SIZES, 50);
    lm_real *layer[2], *prediction[2];
    made m;
    made_new(&m, ctx, data, made_shape(kind, 2, preset), MADE_GRAPHS, LM_TRAIN, 71);
    const size_t width = m.options.shape.width, rows = m.batch.extent.rows[LM_TUPLES];
    made_forward(&m, true);
    for (size_t t = 0; t < 2; t++) layer[t] = made_value(&m, m.layer[t]);
    prediction[0] = made_predictions(&m);
    exchange_positions(&m);
    turn_inputs(&m);
    made_forward(&m, true);
    prediction[1] = made_predictions(&m);
    for (size_t t = 0; t < 2; t++) {
        lm_real *other = made_value(&m, m.layer[t]);
        for (size_t i = 0; i < rows * width; i++)
            same((double)layer[t][i], (double)other[transposed(&m, i / width) * width + i % width],
                 largest(layer[t], rows * width), made_text(&m.options.shape));
        free(other), free(layer[t]);
    }
    for (size_t i = 0; i < MADE_GRAPHS * m.options.outputs; i++)
        same((double)prediction[0][i], (double)prediction[1][i], 1, made_text(&m.options.shape));
    free(prediction[0]), free(prediction[1]);
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_transposition(void **unused)
{
    (void)unused;
    for (int kind = LEMAN_NETWORK_KIND_WL; kind <= LEMAN_NETWORK_KIND_DELTA; kind++) {
        transposition((leman_network_kind)kind, LEMAN_PRESET_ZINC);
        transposition((leman_network_kind)kind, LEMAN_PRESET_ALCHEMY);
    }
}

/* ---- Complete and edgeless graphs ------------------------------------------------------------ */

/* Predictions of a model; the weights are those of the seed, the same for models whose weights have the same shapes. */
static void predictions(leman_network_kind kind, unsigned k, unsigned percent, uint64_t seed, lm_real *out)
{
    leman_context *ctx = test_context_new(1);
    uint64_t state = 73;
    leman_dataset *data = made_data(ctx, &state, (const size_t[]){5, 1, 4, SIZE_MAX}, percent);
    made m;
    made_new(&m, ctx, data, made_shape(kind, k, LEMAN_PRESET_ZINC), 3, LM_TRAIN, seed);
    made_forward(&m, true);
    lm_real *found = made_predictions(&m);
    memcpy(out, found, 3 * MADE_TARGETS * sizeof *out);
    free(found);
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* On complete graphs all others are neighbours: local is wl. With fewer edges it is not. */
static void test_complete_graphs(void **unused)
{
    (void)unused;
    for (unsigned k = 2; k <= 3; k++)
        for (unsigned percent = 50; percent <= 100; percent += 50) {
            lm_real local[3 * MADE_TARGETS], wl[3 * MADE_TARGETS];
            double apart = 0;
            for (uint64_t seed = 79; seed < 83; seed++) { /* of some the ReLUs of the head are all shut */
                predictions(LEMAN_NETWORK_KIND_LOCAL, k, percent, seed, local);
                predictions(LEMAN_NETWORK_KIND_WL, k, percent, seed, wl);
                for (size_t i = 0; i < 3 * MADE_TARGETS; i++) apart = fmax(apart, fabs((double)(local[i] - wl[i])));
            }
            assert_true(percent == 100 ? apart < TOLERANCE : apart > 1e-3);
        }
}

/* The value of one sum over tables of types, epsilon 0. */
static lm_real *sum_of(leman_context *ctx, const leman_dataset *data, lm_neighborhood neighborhood, size_t *count)
{
    const lm_encoding_options o = {.k = 2};
    const uint32_t which[] = {0, 1};
    lm_encoding *e = NULL;
    lm_inputs *inputs = NULL;
    lm_program *p = NULL;
    lm_batch batch;
    lm_batch_init(ctx, &batch);
    assert_int_equal(lm_encoding_learn(ctx, data, NULL, 0, &o, &e), LEMAN_OK);
    assert_int_equal(lm_inputs_new(ctx, data, e, &inputs), LEMAN_OK);
    assert_int_equal(lm_inputs_batch(inputs, which, 2, &batch), LEMAN_OK);
    assert_int_equal(lm_program_new(ctx, 2, &p), LEMAN_OK);
    const uint32_t x = lm_program_embed(p, LM_INDEX_TUPLE_TYPE, 0, lm_table_new(p, "types", e->widths.types, 3));
    const uint32_t z = neighborhood == LM_ALL + 1 ? x : check_neighbors(p, x, neighborhood, 1, LM_NONE);
    lm_program_keep(p, z);
    lm_program_predict(p, lm_program_pool(p, z, true));
    check_run run = check_run_new(ctx, p, LM_WHOLE, 5, true);
    assert_int_equal(lm_executor_forward(run.executor, &batch, false, 1), LEMAN_OK);
    *count = 3 * batch.extent.rows[LM_TUPLES];
    lm_real *out = malloc(*count * sizeof *out);
    assert_int_equal(lm_executor_value(run.executor, z, out), LEMAN_OK);
    check_run_free(&run);
    lm_program_free(p);
    lm_batch_free(&batch);
    lm_inputs_free(inputs);
    lm_encoding_free(e);
    return out;
}

static void same_sums(const leman_dataset *data, leman_context *ctx, lm_neighborhood one, lm_neighborhood other)
{
    size_t count;
    lm_real *a = sum_of(ctx, data, one, &count), *b = sum_of(ctx, data, other, &count);
    for (size_t i = 0; i < count; i++) same((double)a[i], (double)b[i], 1, "sums");
    free(a), free(b);
}

static void test_sums_of_extreme_graphs(void **unused)
{
    (void)unused;
    const lm_neighborhood itself = LM_ALL + 1; /* no sum: what (1+e) X leaves */
    leman_context *ctx = test_context_new(1);
    uint64_t state = 83;
    const size_t sizes[] = {4, 3, SIZE_MAX};
    leman_dataset *complete = made_data(ctx, &state, sizes, 100), *edgeless = made_data(ctx, &state, sizes, 0);
    same_sums(complete, ctx, LM_LEAVING, LM_ALL);
    same_sums(complete, ctx, LM_OTHERS, itself);
    same_sums(edgeless, ctx, LM_LEAVING, itself);
    same_sums(edgeless, ctx, LM_OTHERS, LM_ALL);
    leman_dataset_free(complete);
    leman_dataset_free(edgeless);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbering), cmocka_unit_test(test_other_graphs),
                                       cmocka_unit_test(test_transposition), cmocka_unit_test(test_complete_graphs),
                                       cmocka_unit_test(test_sums_of_extreme_graphs)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests_name("symmetry", tests, NULL, NULL);
}
