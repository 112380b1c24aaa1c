/*
 * Predictors, batches and files of networks: a predictor gives the numbers of leman_network_predict(), whatever it has
 * predicted before; a network that was written and read, or exported and read, is the network; a batch has the arcs of
 * its graphs and the pairs of their vertices.
 */
#include "nn/train_fixture.h"

enum { GRAPHS = 20 };

static leman_network *trained(const fixture *s, leman_network_kind kind)
{
    task o = narrow(kind, LEMAN_PRESET_TU, 1, 4);
    leman_network *network = NULL;
    o.t.classes = true;
    o.t.epochs = 2;
    train(s->ctx, s->data, s->parts, &o, &network, NULL);
    return network;
}

static void test_predictor(void **state)
{
    (void)state;
    fixture s = fixture_new(2, GRAPHS);
    leman_network *network = trained(&s, LEMAN_NETWORK_KIND_LOCAL);
    leman_predictor *predictor = NULL;
    assert_int_equal(leman_predictor_new(s.ctx, network, &predictor), LEMAN_OK);
    const size_t outputs = leman_network_describe(network)->outputs, sizes[] = {3, GRAPHS, 1};
    for (size_t i = 0; i < 3; i++) {
        size_t which[GRAPHS];
        leman_dataset *some = NULL;
        for (size_t g = 0; g < sizes[i]; g++) which[g] = GRAPHS - 1 - g;
        assert_int_equal(leman_dataset_select(s.ctx, s.data, sizes[i], which, &some), LEMAN_OK);
        double *expected = predictions(s.ctx, network, some), *found = calloc(sizes[i] * outputs, sizeof *found);
        assert_int_equal(leman_predictor_run(s.ctx, predictor, some, 0, found), LEMAN_OK);
        same_reals(found, expected, sizes[i] * outputs);
        free(expected);
        free(found);
        leman_dataset_free(some);
    }
    leman_predictor_free(predictor);
    leman_network_free(network);
    fixture_free(&s);
}

static void test_files(void **state)
{
    (void)state;
    fixture s = fixture_new(1, GRAPHS);
    leman_network *network = trained(&s, LEMAN_NETWORK_KIND_GIN);
    const leman_network_shape *shape = leman_network_describe(network);
    double *expected = predictions(s.ctx, network, s.data);
    char export[512];
    snprintf(export, sizeof export, "%s", test_path(s.folder, "net.npz"));
    assert_int_equal(leman_network_write(s.ctx, network, s.path), LEMAN_OK);
    assert_int_equal(leman_network_export(s.ctx, network, export), LEMAN_OK);
    for (int i = 0; i < 2; i++) {
        leman_network *read = NULL;
        if (leman_network_read(s.ctx, i ? export : s.path, &read)) fail_msg("%s", leman_context_message(s.ctx));
        const leman_checkpoint *c = leman_network_describe(read)->checkpoint;
        double *found = predictions(s.ctx, read, s.data);
        same_reals(found, expected, GRAPHS * shape->outputs);
        assert_int_equal(c->epochs, 2);
        assert_int_equal(c->count[0], s.parts->count[0]);
        assert_true(c->learning_rate == shape->checkpoint->learning_rate);
        assert_string_equal(c->data_name, leman_dataset_shape(s.data)->name);
        free(found);
        leman_network_free(read);
    }
    task o = narrow(LEMAN_NETWORK_KIND_GIN, LEMAN_PRESET_TU, 1, 4); /* nothing resumes: there is no optimizer */
    o.t.classes = o.t.resume = true;
    o.t.epochs = 3;
    o.t.checkpoint = s.path;
    leman_network *resumed = NULL;
    assert_int_equal(leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &resumed, NULL), LEMAN_ERROR_INPUT);
    free(expected);
    leman_network_free(network);
    fixture_free(&s);
}

static const leman_batch_array *find(const leman_batch *batch, const char *name)
{
    for (size_t i = 0; i < batch->arrays; i++)
        if (!strcmp(batch->array[i].name, name)) return batch->array + i;
    return NULL;
}

static void test_batch(void **state)
{
    (void)state;
    fixture s = fixture_new(1, GRAPHS);
    leman_network *network = trained(&s, LEMAN_NETWORK_KIND_LOCAL);
    leman_batch *batch = NULL;
    assert_int_equal(leman_network_encode(s.ctx, network, s.data, &batch), LEMAN_OK);
    const leman_batch_array *start = find(batch, "vertex_start"), *tail = find(batch, "tail"),
                            *head = find(batch, "head"), *type = find(batch, "tuple_type");
    assert_true(start && tail && head && type && !type->real && type->bytes == sizeof(uint32_t));
    assert_int_equal(start->rows, GRAPHS + 1);
    const uint32_t *first = start->data, *from = tail->data, *to = head->data;
    size_t pairs = 0, arc = 0;
    for (size_t g = 0; g < GRAPHS; g++) {
        const leman_graph graph = leman_dataset_graph(s.data, g);
        assert_int_equal(first[g + 1] - first[g], graph.vertices);
        pairs += (size_t)graph.vertices * graph.vertices;
        for (uint32_t u = 0; u < graph.vertices; u++)
            for (uint64_t e = graph.start[u]; e < graph.start[u + 1]; e++, arc++) {
                assert_int_equal(from[arc], first[g] + u);
                assert_int_equal(to[arc], first[g] + graph.head[e]);
            }
    }
    assert_int_equal(tail->rows, arc);
    assert_int_equal(type->rows * type->columns, pairs);
    leman_batch_free(batch);
    leman_network_free(network);
    fixture_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_predictor), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_batch)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
