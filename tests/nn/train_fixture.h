/* What the tests of training share: small tasks, a data set with its parts and a folder, and comparing runs. */
#ifndef TRAIN_FIXTURE_H
#define TRAIN_FIXTURE_H

#include "graph/dataset.h"
#include "nn/on_device.h"
#include <math.h>
#include <stdio.h>

static inline leman_dataset *molecules(leman_context *ctx, size_t graphs, size_t vertices)
{
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.graphs = graphs;
    options.vertices = vertices;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    return data;
}

/* Data sets that were generated lie in memory of their own. */
static inline double *targets_of(leman_dataset *data)
{
    return (double *)(uintptr_t)data->target;
}

/* What is trained, and how. */
typedef struct task {
    leman_architecture a;
    leman_training t;
} task;

/* A small network of this kind: seconds for hundreds of small molecules. */
static inline task narrow(leman_network_kind kind, leman_preset preset, size_t layers, size_t width)
{
    leman_architecture architecture = leman_architecture_default();
    architecture.kind = kind;
    architecture.preset = preset;
    architecture.layers = layers;
    architecture.width = width;
    return (task){architecture, leman_training_default(&architecture)};
}

static inline void learn_targets(task *o)
{
    static const size_t FIRST[] = {0};
    o->t.classes = false;
    o->t.targets = FIRST;
    o->t.target_count = 1;
}

static inline void train(leman_context *ctx, const leman_dataset *data, const leman_parts *parts, const task *o,
                         leman_network **network, leman_history **history)
{
    leman_status st = leman_train(ctx, data, parts, &o->a, &o->t, network, history);
    if (st) fail_msg("status %d: %s", st, leman_context_message(ctx));
}

typedef struct fixture {
    leman_context *ctx;
    leman_dataset *data;
    leman_parts *parts;
    const char *folder;
    char path[512];
} fixture;

static inline fixture fixture_new(int threads, size_t graphs)
{
    fixture s = {.ctx = test_context_new(threads), .folder = test_folder_new()};
    s.data = molecules(s.ctx, graphs, 12);
    assert_int_equal(leman_parts_draw(s.ctx, graphs, 0.2, 0.2, &s.parts), LEMAN_OK);
    snprintf(s.path, sizeof s.path, "%s", test_path(s.folder, "net.lmn"));
    return s;
}

static inline void fixture_free(fixture *s)
{
    test_folder_remove(s->folder);
    leman_parts_free(s->parts);
    leman_dataset_free(s->data);
    test_context_free(s->ctx);
}

/* With dropout, batch norm and a last smaller batch. */
static inline task small(void)
{
    task o = narrow(LEMAN_NETWORK_KIND_LOCAL, LEMAN_PRESET_TU, 2, 8);
    o.t.classes = true;
    o.t.epochs = 6;
    o.t.batch_size = 7;
    o.t.patience = 1;
    return o;
}

static inline void same_reals(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(a + i, b + i, sizeof *a) && !(isnan(a[i]) && isnan(b[i])))
            fail_msg("%zu: %.17g, %.17g", i, a[i], b[i]);
}

static inline void same_history(const leman_history *a, const leman_history *b)
{
    assert_int_equal(a->epochs, b->epochs);
    assert_int_equal(a->best, b->best);
    for (size_t i = 0; i < a->epochs; i++) {
        const leman_epoch *x = a->epoch + i, *y = b->epoch + i;
        assert_int_equal(x->epoch, y->epoch);
        same_reals(&x->train_loss, &y->train_loss, 1);
        same_reals(&x->val_error, &y->val_error, 1);
        same_reals(&x->val_loss, &y->val_loss, 1);
        same_reals(&x->test_error, &y->test_error, 1);
        same_reals(&x->learning_rate, &y->learning_rate, 1);
    }
    same_reals(a->target_error, b->target_error, 2 * a->epochs * a->targets);
}

static inline double *predictions(leman_context *ctx, const leman_network *network, const leman_dataset *data)
{
    const size_t count = leman_dataset_shape(data)->graphs * leman_network_describe(network)->outputs;
    double *output = calloc(count, sizeof *output);
    assert_int_equal(leman_network_predict(ctx, network, data, 0, output), LEMAN_OK);
    return output;
}

#endif
