/*
 * leman/network.h: every function with what it must refuse; what accessors give then; the names of enum values; structs
 * that outlive the context they were made with.
 */
#include "support/refused.h"
#include <math.h>
#include <stdio.h>

static leman_dataset *molecules(leman_context *ctx)
{
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.graphs = 12;
    options.vertices = 12;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    return data;
}

/* A network that trains in no time. */
typedef struct fixture {
    leman_context *ctx;
    leman_dataset *data;
    leman_parts *parts;
    leman_architecture architecture;
    leman_training training;
} fixture;

static fixture fixture_new(leman_context *ctx)
{
    fixture f = {.ctx = ctx, .data = molecules(ctx), .architecture = leman_architecture_default()};
    f.architecture.kind = LEMAN_NETWORK_KIND_GIN;
    f.architecture.preset = leman_preset_for(f.data);
    f.architecture.layers = 1;
    f.architecture.width = 2;
    f.training = leman_training_default(&f.architecture);
    f.training.epochs = 1;
    assert_int_equal(leman_parts_draw(ctx, 12, 0.2, 0.2, &f.parts), LEMAN_OK);
    return f;
}

static void fixture_free(fixture *f)
{
    leman_parts_free(f->parts);
    leman_dataset_free(f->data);
}

/* ---- Names ----------------------------------------------------------------------------------- */

static void test_architecture_names(leman_context *ctx)
{
    static const char *const SPELLINGS[][6] = {{"GIN-0", "gin0", "gin-0", "network:gin0"},
                                               {"GIN-eps", "gin", "GIN-ε", "Gin-Epsilon", "network:GIN"},
                                               {"GINE-0", "gine0"},
                                               {"GINE-eps", "gine", "GINE–ϵ"},
                                               {"2-WL-GNN", "wl:2", "2-wl-gnn"},
                                               {"delta-3-LGNN", "local:3", "δ-3-LGNN", "network:local:3"},
                                               {"delta-2-LGNN+", "local+:2", "δ-2-LGNN⁺"},
                                               {"delta-2-GNN", "delta:2", "δ-2-gnn"},
                                               {"MPNN", "mpnn", "network:MPNN"},
                                               {"PPGN", "ppgn", "3-IGN", "3-ign"}};
    static const char *const WRONG[] = {"",       "gcn",      "delta-4-LGNN", "delta-1-LGNN", "local:4",
                                        "local:", "local:x",  "gin:1",        "2-GIN-0",      "delta-2-LGNN:2",
                                        "1-WL",   "network:", "local:22",     "mpnn:1",       "2-IGN"};
    leman_architecture a = leman_architecture_default(), unset = a;
    char text[64];
    size_t known = 0;
    unset.size = 0;
    for (size_t i = 0; i < sizeof SPELLINGS / sizeof *SPELLINGS; i++)
        for (size_t j = 0; j < 6 && SPELLINGS[i][j]; j++) {
            assert_int_equal(leman_architecture_parse(ctx, SPELLINGS[i][j], &a), LEMAN_OK);
            assert_int_equal(leman_architecture_paper_name(&a, text, sizeof text), strlen(SPELLINGS[i][0]));
            assert_string_equal(text, SPELLINGS[i][0]);
        }
    for (; leman_architecture_known_name(known); known++)
        assert_int_equal(leman_architecture_parse(ctx, leman_architecture_known_name(known), &a), LEMAN_OK);
    assert_true(known > LEMAN_NETWORK_KIND_COUNT);
    a = leman_architecture_default();
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        assert_refused(ctx, "model: found '", leman_architecture_parse(ctx, WRONG[i], &a));
    assert_int_equal(a.kind, LEMAN_NETWORK_KIND_LOCAL);
    assert_refused_without(leman_architecture_parse(NULL, "gin", &a));
    assert_refused(ctx, "name", leman_architecture_parse(ctx, NULL, &a));
    assert_refused(ctx, "architecture", leman_architecture_parse(ctx, "gin", NULL));
    assert_refused(ctx, "leman_architecture", leman_architecture_parse(ctx, "gin", &unset));
    assert_int_equal(leman_architecture_paper_name(NULL, text, 6), strlen("delta-2-LGNN"));
    assert_string_equal(text, "delta");
    assert_int_equal(leman_architecture_paper_name(&unset, text, sizeof text), 0);
    assert_int_equal(leman_architecture_paper_name(NULL, NULL, 3), strlen("delta-2-LGNN"));
    assert_int_equal(leman_architecture_k(NULL), 2);
    assert_int_equal(leman_architecture_k(&unset), 0);
    a.kind = (leman_network_kind)99;
    assert_int_equal(leman_architecture_k(&a), 0);
    a = leman_architecture_default();
    a.k = 3;
    assert_int_equal(leman_architecture_k(&a), 3);
    a.kind = LEMAN_NETWORK_KIND_PPGN;
    assert_int_equal(leman_architecture_k(&a), 2);
    a.kind = LEMAN_NETWORK_KIND_MPNN;
    assert_int_equal(leman_architecture_k(&a), 1);
}

static void test_names(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_preset preset = LEMAN_PRESET_QM9;
    leman_loss loss = LEMAN_LOSS_L2;
    leman_schedule schedule = LEMAN_SCHEDULE_CONSTANT;
    assert_refused_without(leman_preset_parse(NULL, "tu", &preset));
    assert_refused(ctx, "name", leman_preset_parse(ctx, NULL, &preset));
    assert_refused(ctx, "preset", leman_preset_parse(ctx, "tu", NULL));
    assert_refused(ctx, "zinc, alchemy, qm9, tu", leman_preset_parse(ctx, "TU", &preset));
    assert_int_equal(preset, LEMAN_PRESET_QM9);
    assert_refused_without(leman_loss_parse(NULL, "l1", &loss));
    assert_refused(ctx, "name", leman_loss_parse(ctx, NULL, &loss));
    assert_refused(ctx, "loss", leman_loss_parse(ctx, "l1", NULL));
    assert_refused(ctx, "l1, l2", leman_loss_parse(ctx, "l3", &loss));
    assert_int_equal(loss, LEMAN_LOSS_L2);
    assert_refused_without(leman_schedule_parse(NULL, "cosine", &schedule));
    assert_refused(ctx, "name", leman_schedule_parse(ctx, NULL, &schedule));
    assert_refused(ctx, "schedule", leman_schedule_parse(ctx, "cosine", NULL));
    assert_refused(ctx, "plateau, cosine, constant", leman_schedule_parse(ctx, "linear", &schedule));
    assert_int_equal(schedule, LEMAN_SCHEDULE_CONSTANT);
    for (int i = 0; i < LEMAN_SCHEDULE_COUNT; i++) {
        assert_int_equal(leman_schedule_parse(ctx, leman_schedule_name((leman_schedule)i), &schedule), LEMAN_OK);
        assert_int_equal(schedule, i);
    }
    assert_string_equal(leman_schedule_name((leman_schedule)99), "unknown");
    for (int i = 0; i < LEMAN_PRESET_COUNT; i++) {
        assert_int_equal(leman_preset_parse(ctx, leman_preset_name((leman_preset)i), &preset), LEMAN_OK);
        assert_int_equal(preset, i);
    }
    for (int i = 0; i < LEMAN_LOSS_COUNT; i++) {
        assert_int_equal(leman_loss_parse(ctx, leman_loss_name((leman_loss)i), &loss), LEMAN_OK);
        assert_int_equal(loss, i);
    }
    leman_attribute_use use = LEMAN_ATTRIBUTE_USE_RAW;
    assert_refused_without(leman_attribute_use_parse(NULL, "raw", &use));
    assert_refused(ctx, "name", leman_attribute_use_parse(ctx, NULL, &use));
    assert_refused(ctx, "use", leman_attribute_use_parse(ctx, "raw", NULL));
    assert_refused(ctx, "none, raw, standardized", leman_attribute_use_parse(ctx, "scaled", &use));
    assert_int_equal(use, LEMAN_ATTRIBUTE_USE_RAW);
    for (int i = 0; i < LEMAN_ATTRIBUTE_USE_COUNT; i++) {
        assert_int_equal(leman_attribute_use_parse(ctx, leman_attribute_use_name((leman_attribute_use)i), &use),
                         LEMAN_OK);
        assert_int_equal(use, i);
    }
    assert_string_equal(leman_network_kind_name((leman_network_kind)LEMAN_NETWORK_KIND_COUNT), "unknown");
    assert_string_equal(leman_network_kind_name((leman_network_kind)-1), "unknown");
    assert_string_equal(leman_layer_part_name(0), "local1");
    assert_string_equal(leman_layer_part_name(LEMAN_LAYER_PARTS - 1), "diagonal2");
    assert_null(leman_layer_part_name(LEMAN_LAYER_PARTS));
    assert_null(leman_layer_part_name(SIZE_MAX));
    test_architecture_names(ctx);
    assert_string_equal(leman_preset_name((leman_preset)LEMAN_PRESET_COUNT), "unknown");
    assert_string_equal(leman_loss_name((leman_loss)99), "unknown");
    test_context_free(ctx);
}

/* ---- Options --------------------------------------------------------------------------------- */

/* Defaults of every preset; NULL is the default architecture, and nothing is written to NULL. */
static void test_options(void **state)
{
    (void)state;
    leman_architecture architecture = leman_architecture_default();
    leman_training training = leman_training_default(NULL);
    assert_int_equal(architecture.size, sizeof architecture);
    assert_int_equal(training.size, sizeof training);
    assert_true(training.batch_size == 25 && training.epochs == 500 && !training.scale_targets);
    architecture.preset = LEMAN_PRESET_TU;
    training = leman_training_default(&architecture);
    assert_true(training.batch_size == 64 && training.epochs == 200 && training.scale_targets);
    assert_true(training.loss == LEMAN_LOSS_L1 && training.device == LEMAN_DEVICE_CPU && !training.details);
    assert_int_equal(leman_paper_details_default().size, sizeof(leman_paper_details));
    assert_int_equal(leman_network_protocol_default().folds, 10);
    leman_architecture_init(NULL, sizeof architecture);
    leman_training_init(NULL, sizeof training, NULL);
    leman_paper_details_init(NULL, sizeof(leman_paper_details));
    leman_network_protocol_init(NULL, sizeof(leman_network_protocol));
    assert_int_equal(leman_preset_for(NULL), LEMAN_PRESET_ZINC);
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static void test_parts(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const uint32_t graph[] = {0, 1};
    leman_parts *const before = TEST_UNTOUCHED(leman_parts), *parts = before;
    assert_refused_without(leman_parts_new(NULL, graph, 1, graph, 1, NULL, 0, &parts));
    assert_refused(ctx, "train", leman_parts_new(ctx, NULL, 1, graph, 1, NULL, 0, &parts));
    assert_refused(ctx, "val", leman_parts_new(ctx, graph, 1, NULL, 1, NULL, 0, &parts));
    assert_refused(ctx, "test", leman_parts_new(ctx, graph, 1, graph, 1, NULL, 1, &parts));
    assert_refused(ctx, "parts", leman_parts_new(ctx, graph, 1, graph, 1, NULL, 0, NULL));
    assert_refused_without(leman_parts_draw(NULL, 10, 0.1, 0.1, &parts));
    assert_refused(ctx, "shares", leman_parts_draw(ctx, 10, NAN, 0.1, &parts));
    assert_refused_for_data(ctx, "few", leman_parts_draw(ctx, 0, 0.1, 0.1, &parts));
    assert_refused(ctx, "parts", leman_parts_draw(ctx, 10, 0.1, 0.1, NULL));
    assert_refused_without(leman_parts_read(NULL, 10, "a", "b", NULL, &parts));
    assert_refused(ctx, "train", leman_parts_read(ctx, 10, NULL, "b", NULL, &parts));
    assert_refused(ctx, "val", leman_parts_read(ctx, 10, "a", NULL, NULL, &parts));
    assert_refused_for_data(ctx, "graphs", leman_parts_read(ctx, 0, "a", "b", NULL, &parts));
    assert_refused(ctx, "parts", leman_parts_read(ctx, 10, "a", "b", NULL, NULL));
    bool listed;
    assert_refused_without(leman_parts_listed(NULL, "a", 10, &parts));
    assert_refused(ctx, "path", leman_parts_listed(ctx, NULL, 10, &parts));
    assert_refused(ctx, "parts", leman_parts_listed(ctx, "a", 10, NULL));
    assert_refused_for_data(ctx, "0 graphs", leman_parts_listed(ctx, "a", 0, &parts));
    assert_refused_without(leman_parts_are_listed(NULL, "a", &listed));
    assert_refused(ctx, "path", leman_parts_are_listed(ctx, NULL, &listed));
    assert_refused(ctx, "listed", leman_parts_are_listed(ctx, "a", NULL));
    const size_t first[3] = {0, 5, 8}, count[3] = {5, 3, 2}, beyond[3] = {5, 3, 3}, none[3] = {5, 0, 2};
    assert_refused_without(leman_parts_read_inside(NULL, 10, first, count, NULL, NULL, NULL, &parts));
    assert_refused(ctx, "first", leman_parts_read_inside(ctx, 10, NULL, count, NULL, NULL, NULL, &parts));
    assert_refused(ctx, "count", leman_parts_read_inside(ctx, 10, first, NULL, NULL, NULL, NULL, &parts));
    assert_refused(ctx, "parts", leman_parts_read_inside(ctx, 10, first, count, NULL, NULL, NULL, NULL));
    assert_refused_for_data(ctx, "the test part",
                            leman_parts_read_inside(ctx, 10, first, beyond, NULL, NULL, NULL, &parts));
    assert_refused_for_data(ctx, "the val part",
                            leman_parts_read_inside(ctx, 10, first, none, NULL, NULL, NULL, &parts));
    assert_ptr_equal(parts, before);
    leman_parts_free(NULL);
    test_context_free(ctx);
}

/* ---- Training -------------------------------------------------------------------------------- */

static void check_encodings(leman_context *ctx, const fixture *f, const leman_training *t)
{
    leman_architecture a = leman_architecture_default();
    leman_network *const no_network = TEST_UNTOUCHED(leman_network), *network = no_network;
    char text[64];
    assert_refused(ctx, "delta-2-LGNN", leman_architecture_encode(ctx, "walk:3", &a));
    a.kind = LEMAN_NETWORK_KIND_LOCAL2;
    assert_refused_without(leman_architecture_encode(NULL, "walk", &a));
    assert_refused(ctx, "text", leman_architecture_encode(ctx, NULL, &a));
    assert_refused(ctx, "architecture", leman_architecture_encode(ctx, "walk", NULL));
    assert_refused(ctx, "'walk:0'", leman_architecture_encode(ctx, "walk:0", &a));
    assert_int_equal(a.encodings | a.distance | a.walk, 0);
    assert_int_equal(leman_architecture_encodings(&a, text, sizeof text), strlen("distance:5"));
    assert_string_equal(text, "distance:5");
    assert_int_equal(leman_architecture_encode(ctx, "Resistance,walk", &a), LEMAN_OK);
    assert_int_equal(leman_architecture_encodings(&a, NULL, 0), strlen("walk:16,resistance"));
    assert_int_equal(leman_architecture_encodings(&a, text, 5), strlen("walk:16,resistance"));
    assert_string_equal(text, "walk");
    assert_int_equal(leman_architecture_encodings(NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(leman_architecture_encode(ctx, "none", &a), LEMAN_OK);
    assert_int_equal(leman_architecture_encodings(&a, text, sizeof text), strlen("none"));
    assert_string_equal(text, "none");
    assert_refused(ctx, "none alone", leman_architecture_encode(ctx, "walk,none", &a));
    assert_int_equal(a.encodings, LEMAN_PAIR_ENCODING_NONE);
    const struct {
        const char *words;
        unsigned encodings;
        size_t distance, walk;
    } WRONG[] = {{"0x10", 16, 0, 0},
                 {"none alone", 9, 0, 0},
                 {"walk: 3", 1, 0, 3},
                 {"distance: 3", 0, 3, 0},
                 {"walk: found 1001", 2, 0, 1001}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        a.encodings = WRONG[i].encodings;
        a.distance = WRONG[i].distance;
        a.walk = WRONG[i].walk;
        assert_refused(ctx, WRONG[i].words, leman_train(ctx, f->data, f->parts, &a, t, &network, NULL));
    }
    a.kind = LEMAN_NETWORK_KIND_GIN;
    a.encodings = LEMAN_PAIR_ENCODING_DISTANCE;
    a.distance = a.walk = 0;
    assert_refused(ctx, "GIN-eps", leman_train(ctx, f->data, f->parts, &a, t, &network, NULL));
    assert_ptr_equal(network, no_network);
}

static void check_demand(leman_context *ctx, const fixture *f, const leman_architecture *a, const leman_training *t)
{
    uint64_t bytes = 7, budget = 7;
    double operations = 7;
    leman_training twice = *t;
    assert_refused_without(leman_training_demand(NULL, f->data, f->parts, a, t, &bytes, &budget, &operations));
    assert_refused(ctx, "data", leman_training_demand(ctx, NULL, f->parts, a, t, &bytes, &budget, &operations));
    assert_refused(ctx, "parts", leman_training_demand(ctx, f->data, NULL, a, t, &bytes, &budget, &operations));
    assert_refused(ctx, "bytes", leman_training_demand(ctx, f->data, f->parts, a, t, NULL, &budget, &operations));
    assert_refused(ctx, "budget", leman_training_demand(ctx, f->data, f->parts, a, t, &bytes, NULL, &operations));
    assert_refused(ctx, "operations", leman_training_demand(ctx, f->data, f->parts, a, t, &bytes, &budget, NULL));
    assert_true(bytes == 7 && budget == 7 && operations >= 7 && operations <= 7);
    assert_int_equal(leman_training_demand(ctx, f->data, f->parts, a, t, &bytes, &budget, &operations), LEMAN_OK);
    assert_true(bytes > 0 && bytes < budget && operations > 0);
    const double once = operations;
    twice.epochs = 2 * t->epochs;
    assert_int_equal(leman_training_demand(ctx, f->data, f->parts, a, &twice, &bytes, &budget, &operations), LEMAN_OK);
    assert_true(fabs(operations - 2 * once) < 1e-6 * once);
}

/* One option wrong at a time. */
static void test_training(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    fixture f = fixture_new(ctx);
    leman_network *const no_network = TEST_UNTOUCHED(leman_network), *network = no_network;
    leman_history *const no_history = TEST_UNTOUCHED(leman_history), *history = no_history;
    const leman_architecture a = f.architecture;
    const leman_training t = f.training;
    leman_paper_details details = leman_paper_details_default();
    const uint32_t beyond[] = {0, 12};
    const size_t column[] = {0};
    leman_parts *wrong = NULL;
    assert_refused_without(leman_train(NULL, f.data, f.parts, &a, &t, &network, &history));
    assert_refused(ctx, "data", leman_train(ctx, NULL, f.parts, &a, &t, &network, &history));
    assert_refused(ctx, "parts", leman_train(ctx, f.data, NULL, &a, &t, &network, &history));
    assert_refused(ctx, "network", leman_train(ctx, f.data, f.parts, &a, &t, NULL, &history));
    assert_int_equal(leman_parts_new(ctx, beyond, 1, beyond + 1, 1, NULL, 0, &wrong), LEMAN_OK);
    assert_refused(ctx, "graph 12", leman_train(ctx, f.data, wrong, &a, &t, &network, &history));
    leman_parts_free(wrong);
    assert_int_equal(leman_parts_new(ctx, beyond, 1, beyond, 0, NULL, 0, &wrong), LEMAN_OK);
    assert_refused_for_data(ctx, "0 to validate", leman_train(ctx, f.data, wrong, &a, &t, &network, &history));
    leman_parts_free(wrong);

#define WITH_ARCHITECTURE(words, change)                                                                               \
    do {                                                                                                               \
        f.architecture = a;                                                                                            \
        f.architecture.change;                                                                                         \
        assert_refused(ctx, words, leman_train(ctx, f.data, f.parts, &f.architecture, &t, &network, &history));        \
    } while (0)
    WITH_ARCHITECTURE("leman_architecture_init()", size = 0);
    WITH_ARCHITECTURE("kind", kind = (leman_network_kind)99);
    WITH_ARCHITECTURE("preset", preset = (leman_preset)-1);
    WITH_ARCHITECTURE("layers", layers = 1000);
    WITH_ARCHITECTURE("width", width = SIZE_MAX);
    f.architecture = a;
    f.architecture.kind = LEMAN_NETWORK_KIND_LOCAL;
    f.architecture.k = 4;
    assert_refused(ctx, "k: found 4", leman_train(ctx, f.data, f.parts, &f.architecture, &t, &network, &history));

#define WITH_TRAINING(words, change)                                                                                   \
    do {                                                                                                               \
        f.training = t;                                                                                                \
        f.training.change;                                                                                             \
        assert_refused(ctx, words, leman_train(ctx, f.data, f.parts, &a, &f.training, &network, &history));            \
    } while (0)
    WITH_TRAINING("leman_training_init()", size = 4);
    WITH_TRAINING("loss", loss = (leman_loss)2);
    WITH_TRAINING("device", device = (leman_device)17);
    WITH_TRAINING("batch_size", batch_size = 0);
    WITH_TRAINING("learning_rate", learning_rate = 0);
    WITH_TRAINING("learning_rate", learning_rate = NAN);
    WITH_TRAINING("weight_decay", weight_decay = -1);
    WITH_TRAINING("gradient_norm", max_gradient_norm = INFINITY);
    WITH_TRAINING("score", score = (leman_score)LEMAN_SCORE_COUNT);
    WITH_TRAINING("score", score = (leman_score)-1);
    f.training = t;
    f.training.tasks = f.training.targets = column;
    assert_refused(ctx, "tasks and", leman_train(ctx, f.data, f.parts, &a, &f.training, &network, &history));
    details.size = 1;
    WITH_TRAINING("leman_paper_details_init()", details = &details);
    f.training = t;
    if (leman_device_check(ctx, "cuda")) {
        f.training.device = LEMAN_DEVICE_CUDA;
        assert_int_equal(leman_train(ctx, f.data, f.parts, &a, &f.training, &network, &history),
                         LEMAN_ERROR_UNSUPPORTED);
        assert_ptr_equal(network, no_network);
        assert_ptr_equal(history, no_history);
    }
    bool known = false;
    f.architecture = a;
    assert_refused_without(leman_architecture_attributes(NULL, f.data, &f.architecture, &known));
    assert_refused(ctx, "data", leman_architecture_attributes(ctx, NULL, &f.architecture, &known));
    assert_refused(ctx, "architecture", leman_architecture_attributes(ctx, f.data, NULL, &known));
    f.architecture.size = 0;
    assert_refused(ctx, "leman_architecture", leman_architecture_attributes(ctx, f.data, &f.architecture, &known));
    size_t columns[2] = {7, 7};
    assert_refused_without(leman_architecture_columns(NULL, f.data, &a, &columns[0], &columns[1]));
    assert_refused(ctx, "data", leman_architecture_columns(ctx, NULL, &a, &columns[0], &columns[1]));
    assert_refused(ctx, "vertices", leman_architecture_columns(ctx, f.data, &a, NULL, &columns[1]));
    assert_refused(ctx, "edges", leman_architecture_columns(ctx, f.data, &a, &columns[0], NULL));
    assert_refused(ctx, "leman_architecture",
                   leman_architecture_columns(ctx, f.data, &f.architecture, &columns[0], &columns[1]));
    f.architecture = a;
    f.architecture.attributes = (leman_attribute_use)LEMAN_ATTRIBUTE_USE_COUNT;
    assert_refused(ctx, "attributes",
                   leman_architecture_columns(ctx, f.data, &f.architecture, &columns[0], &columns[1]));
    assert_refused(ctx, "attributes", leman_train(ctx, f.data, f.parts, &f.architecture, &t, &network, NULL));
    f.architecture.size = 0;
    assert_int_equal(columns[0] + columns[1], 14);
    check_encodings(ctx, &f, &t);
    check_demand(ctx, &f, &a, &t);
    leman_runs *const no_runs = TEST_UNTOUCHED(leman_runs), *runs = no_runs;
    f.training = t;
    assert_refused_without(leman_train_runs(NULL, f.data, f.parts, &a, &t, 2, &network, &runs));
    assert_refused(ctx, "data", leman_train_runs(ctx, NULL, f.parts, &a, &t, 2, &network, &runs));
    assert_refused(ctx, "parts", leman_train_runs(ctx, f.data, NULL, &a, &t, 2, &network, &runs));
    assert_refused(ctx, "network", leman_train_runs(ctx, f.data, f.parts, &a, &t, 2, NULL, &runs));
    assert_refused(ctx, "out", leman_train_runs(ctx, f.data, f.parts, &a, &t, 2, &network, NULL));
    assert_refused(ctx, "0 runs", leman_train_runs(ctx, f.data, f.parts, &a, &t, 0, &network, &runs));
    f.training.epochs = 0;
    assert_refused(ctx, "0 epochs", leman_train_runs(ctx, f.data, f.parts, &a, &f.training, 2, &network, &runs));
    f.training.size = 4;
    assert_refused(ctx, "leman_training", leman_train_runs(ctx, f.data, f.parts, &a, &f.training, 2, &network, &runs));
    assert_ptr_equal(runs, no_runs);
    leman_runs_free(NULL);
    assert_int_equal(leman_runs_path(NULL, 0, NULL, 0), 5);
    assert_refused_without(leman_device_check(NULL, "cpu"));
    assert_refused(ctx, "device", leman_device_check(ctx, NULL));
    assert_refused(ctx, "'gpu'", leman_device_check(ctx, "gpu"));
    fixture_free(&f);
    test_context_free(ctx);
}

/* ---- Networks and histories ------------------------------------------------------------------ */

static void test_network(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    fixture f = fixture_new(ctx);
    leman_network *network = NULL, *const before = TEST_UNTOUCHED(leman_network), *read = before;
    leman_predictor *predictor = NULL, *const unmade = TEST_UNTOUCHED(leman_predictor), *made = unmade;
    leman_batch *const no_batch = TEST_UNTOUCHED(leman_batch), *batch = no_batch;
    leman_history *history = NULL;
    double output[12 * 2], mae = 0, log_mae = 0;
    assert_int_equal(leman_train(ctx, f.data, f.parts, &f.architecture, &f.training, &network, &history), LEMAN_OK);
    assert_refused_without(leman_network_predict(NULL, network, f.data, 0, output));
    assert_refused(ctx, "network", leman_network_predict(ctx, NULL, f.data, 0, output));
    assert_refused(ctx, "data", leman_network_predict(ctx, network, NULL, 0, output));
    assert_refused(ctx, "output", leman_network_predict(ctx, network, f.data, 0, NULL));
    double share[1];
    assert_refused_without(leman_network_out_of_vocabulary(NULL, network, f.data, share));
    assert_refused(ctx, "network", leman_network_out_of_vocabulary(ctx, NULL, f.data, share));
    assert_refused(ctx, "data", leman_network_out_of_vocabulary(ctx, network, NULL, share));
    assert_refused(ctx, "share", leman_network_out_of_vocabulary(ctx, network, f.data, NULL));
    assert_refused_without(leman_network_export(NULL, network, "w.npz"));
    assert_refused(ctx, "network", leman_network_export(ctx, NULL, "w.npz"));
    assert_refused(ctx, "path", leman_network_export(ctx, network, NULL));
    assert_refused(ctx, ".npz", leman_network_export(ctx, network, "w.csv"));
    assert_refused_without(leman_network_read(NULL, "net.lmn", &read));
    assert_refused(ctx, "path", leman_network_read(ctx, NULL, &read));
    assert_refused(ctx, "network", leman_network_read(ctx, "net.lmn", NULL));
    assert_ptr_equal(read, before);
    assert_refused_without(leman_network_write(NULL, network, "net.lmn"));
    assert_refused(ctx, "network", leman_network_write(ctx, NULL, "net.lmn"));
    assert_refused(ctx, "path", leman_network_write(ctx, network, NULL));
    leman_parts *const no_parts = TEST_UNTOUCHED(leman_parts), *rows = no_parts;
    assert_refused_without(leman_parts_rows(NULL, f.data, LEMAN_LEVEL_VERTEX, f.parts, &rows));
    assert_refused(ctx, "data", leman_parts_rows(ctx, NULL, LEMAN_LEVEL_VERTEX, f.parts, &rows));
    assert_refused(ctx, "parts", leman_parts_rows(ctx, f.data, LEMAN_LEVEL_VERTEX, NULL, &rows));
    assert_refused(ctx, "rows", leman_parts_rows(ctx, f.data, LEMAN_LEVEL_VERTEX, f.parts, NULL));
    assert_refused(ctx, "level", leman_parts_rows(ctx, f.data, (leman_level)9, f.parts, &rows));
    assert_ptr_equal(rows, no_parts);
    assert_int_equal(leman_network_rows(network, f.data), leman_dataset_shape(f.data)->graphs);
    assert_int_equal(leman_network_rows(NULL, f.data), 0);
    assert_int_equal(leman_network_rows(network, NULL), 0);
    assert_refused_without(leman_predictor_new(NULL, network, &made));
    assert_refused(ctx, "network", leman_predictor_new(ctx, NULL, &made));
    assert_refused(ctx, "predictor", leman_predictor_new(ctx, network, NULL));
    assert_ptr_equal(made, unmade);
    assert_int_equal(leman_predictor_new(ctx, network, &predictor), LEMAN_OK);
    assert_refused_without(leman_predictor_run(NULL, predictor, f.data, 0, output));
    assert_refused(ctx, "predictor", leman_predictor_run(ctx, NULL, f.data, 0, output));
    assert_refused(ctx, "data", leman_predictor_run(ctx, predictor, NULL, 0, output));
    assert_refused(ctx, "output", leman_predictor_run(ctx, predictor, f.data, 0, NULL));
    leman_context *another = test_context_new(1);
    assert_refused(another, "context", leman_predictor_run(another, predictor, f.data, 0, output));
    test_context_free(another);
    leman_predictor_free(predictor);
    leman_predictor_free(NULL);
    assert_refused_without(leman_network_encode(NULL, network, f.data, &batch));
    assert_refused(ctx, "network", leman_network_encode(ctx, NULL, f.data, &batch));
    assert_refused(ctx, "data", leman_network_encode(ctx, network, NULL, &batch));
    assert_refused(ctx, "batch", leman_network_encode(ctx, network, f.data, NULL));
    assert_ptr_equal(batch, no_batch);
    leman_batch_free(NULL);
    assert_refused_without(leman_history_write(NULL, history, "log.csv"));
    assert_refused(ctx, "history", leman_history_write(ctx, NULL, "log.csv"));
    assert_refused(ctx, "path", leman_history_write(ctx, history, NULL));
    assert_null(leman_network_describe(NULL));
    assert_int_equal(leman_network_describe(network)->architecture->width, 2);
    leman_history_standardized(NULL, 0, 0, &mae, &log_mae);
    assert_true(isnan(mae) && isnan(log_mae));
    mae = 0;
    leman_history_standardized(history, 7, 0, &mae, NULL);
    assert_true(isnan(mae));
    leman_network_free(network);
    leman_network_free(NULL);
    leman_history_free(history);
    leman_history_free(NULL);
    fixture_free(&f);
    test_context_free(ctx);
}

/* Errors over deviations by hand, and the log: a line for every epoch, with the columns of the targets. */
static void test_weights(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    fixture f = fixture_new(ctx);
    leman_network *network = NULL, *fresh = NULL;
    size_t rows = 0, columns = 0, weights = 0;
    assert_int_equal(leman_train(ctx, f.data, f.parts, &f.architecture, &f.training, &network, NULL), LEMAN_OK);
    assert_null(leman_network_weight_name(NULL, 0, &rows, &columns));
    while (leman_network_weight_name(network, weights, NULL, NULL)) weights++;
    assert_true(weights > 2);
    const char *name = leman_network_weight_name(network, weights - 2, &rows, &columns);
    assert_true(rows && columns);
    float *old = calloc(rows * columns + 1, sizeof *old), *new = calloc(rows * columns + 1, sizeof *new);
    assert_refused_without(leman_network_get_weight(NULL, network, name, old, rows, columns));
    assert_refused(ctx, "network", leman_network_get_weight(ctx, NULL, name, old, rows, columns));
    assert_refused(ctx, "name", leman_network_get_weight(ctx, network, NULL, old, rows, columns));
    assert_refused(ctx, "data", leman_network_get_weight(ctx, network, name, NULL, rows, columns));
    assert_refused(ctx, "weight nothing", leman_network_get_weight(ctx, network, "nothing", old, rows, columns));
    assert_refused(ctx, name, leman_network_get_weight(ctx, network, name, old, rows, columns + 1));
    assert_refused(ctx, name, leman_network_get_weight(ctx, network, name, old, rows + 1, columns));
    assert_int_equal(leman_network_get_weight(ctx, network, name, old, rows, columns), LEMAN_OK);
    assert_refused_without(leman_network_set_weight(NULL, network, name, old, rows, columns));
    assert_refused(ctx, "network", leman_network_set_weight(ctx, NULL, name, old, rows, columns));
    assert_refused(ctx, "name", leman_network_set_weight(ctx, network, NULL, old, rows, columns));
    assert_refused(ctx, "data", leman_network_set_weight(ctx, network, name, NULL, rows, columns));
    assert_refused(ctx, "weight nothing", leman_network_set_weight(ctx, network, "nothing", old, rows, columns));
    assert_refused(ctx, name, leman_network_set_weight(ctx, network, name, old, rows, columns + 1));
    for (size_t i = 0; i < rows * columns; i++) new[i] = (float)(i + 1) / 8;
    new[rows * columns - 1] = INFINITY;
    assert_refused(ctx, "not finite", leman_network_set_weight(ctx, network, name, new, rows, columns));
    assert_int_equal(leman_network_get_weight(ctx, network, name, new, rows, columns), LEMAN_OK);
    assert_memory_equal(new, old, rows * columns * sizeof *old);
    f.training.epochs = 0; /* a network without weights */
    assert_int_equal(leman_train(ctx, f.data, f.parts, &f.architecture, &f.training, &fresh, NULL), LEMAN_OK);
    assert_int_equal(leman_network_get_weight(ctx, fresh, name, old, rows, columns), LEMAN_ERROR_INPUT);
    assert_int_equal(leman_network_set_weight(ctx, fresh, name, old, rows, columns), LEMAN_ERROR_INPUT);
    free(old);
    free(new);
    leman_network_free(fresh);
    leman_network_free(network);
    fixture_free(&f);
    test_context_free(ctx);
}

/* The last bias of a network is added to its only output, whatever the graph is. */
static void test_weights_count(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    fixture f = fixture_new(ctx);
    leman_network *network = NULL;
    double before[12], after[12];
    const char *name = NULL, *last = NULL;
    size_t columns = 0;
    f.training.classes = false;
    f.training.scale_targets = false;
    f.training.targets = (const size_t[]){0};
    f.training.target_count = 1;
    assert_int_equal(leman_train(ctx, f.data, f.parts, &f.architecture, &f.training, &network, NULL), LEMAN_OK);
    for (size_t i = 0; (name = leman_network_weight_name(network, i, NULL, &columns)) != NULL; i++)
        if (strlen(name) > 5 && !strcmp(name + strlen(name) - 5, ".bias") && columns == 1) last = name;
    assert_non_null(last);
    float bias = 0;
    assert_int_equal(leman_network_predict(ctx, network, f.data, 0, before), LEMAN_OK);
    assert_int_equal(leman_network_get_weight(ctx, network, last, &bias, 1, 1), LEMAN_OK);
    bias += 16;
    assert_int_equal(leman_network_set_weight(ctx, network, last, &bias, 1, 1), LEMAN_OK);
    assert_int_equal(leman_network_predict(ctx, network, f.data, 0, after), LEMAN_OK);
    for (size_t g = 0; g < 12; g++) assert_true(fabs(after[g] - before[g] - 16) < 1e-4);
    leman_network_free(network);
    fixture_free(&f);
    test_context_free(ctx);
}

static void test_history(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "log.csv");
    leman_epoch epoch = {
        .epoch = 1, .train_loss = 0.5, .val_error = 2, .test_error = NAN, .learning_rate = 0.25, .val_loss = 0.125};
    size_t target[] = {3, 5};
    double error[] = {2, 8, NAN, NAN}, mean[] = {0, 0}, deviation[] = {4, 2}, mae, log_mae;
    const leman_history history = {.epochs = 1,
                                   .epoch = &epoch,
                                   .targets = 2,
                                   .target = target,
                                   .target_error = error,
                                   .mean = mean,
                                   .deviation = deviation};
    char text[512] = "";
    leman_history_standardized(&history, 0, 0, &mae, &log_mae);
    assert_true(mae == (0.5 + 4) / 2 && fabs(log_mae - log(2) / 2) < 1e-15); /* (log 1/2 + log 4) / 2 */
    assert_int_equal(leman_history_write(ctx, &history, path), LEMAN_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_non_null(strstr(text,
                           "epoch,train_loss,val_error,test_error,lr,seconds,val_loss,val_standardised_mae,val_log_mae,"
                           "val_mae_3,val_mae_5,test_standardised_mae,test_log_mae,test_mae_3,test_mae_5\n"
                           "1,0.5,2,,0.25,0,0.125,2.25,"));
    assert_non_null(strstr(text, ",2,8,,,,\n"));
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* ---- Evaluation ------------------------------------------------------------------------------ */

static void test_evaluation(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    fixture f = fixture_new(ctx);
    leman_network_evaluation *const before = TEST_UNTOUCHED(leman_network_evaluation), *e = before;
    leman_network_protocol protocol = leman_network_protocol_default();
    const leman_architecture *a = &f.architecture;
    const leman_training *t = &f.training;
    const size_t choice = 1;
    assert_refused_without(leman_network_evaluate(NULL, f.data, a, t, &protocol, &e));
    assert_refused(ctx, "data", leman_network_evaluate(ctx, NULL, a, t, &protocol, &e));
    assert_refused(ctx, "evaluation", leman_network_evaluate(ctx, f.data, a, t, &protocol, NULL));
    protocol.size = 0;
    assert_refused(ctx, "leman_network_protocol_init()", leman_network_evaluate(ctx, f.data, a, t, &protocol, &e));
    protocol = leman_network_protocol_default();
    protocol.layers = protocol.widths = &choice;
    protocol.widths_count = 1;
    assert_refused(ctx, "0 numbers of layers", leman_network_evaluate(ctx, f.data, a, t, &protocol, &e));
    protocol.layers_count = 1;
    f.training.epochs = 0;
    assert_refused(ctx, "epochs", leman_network_evaluate(ctx, f.data, a, t, &protocol, &e));
    f.training.epochs = 1;
    f.training.loss = (leman_loss)-1;
    assert_refused(ctx, "loss", leman_network_evaluate(ctx, f.data, a, t, &protocol, &e));
    f.training.loss = LEMAN_LOSS_L1;
    f.architecture.kind = (leman_network_kind)99;
    assert_refused(ctx, "kind", leman_network_evaluate(ctx, f.data, a, t, &protocol, &e));
    assert_ptr_equal(e, before);
    leman_network_evaluation_free(NULL);
    fixture_free(&f);
    test_context_free(ctx);
}

/* Scores of networks as an evaluation: what folds have, and nothing that they do not. Every allocation may fail. */
static void test_scores(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    fixture f = fixture_new(ctx);
    const size_t graphs = leman_dataset_shape(f.data)->graphs;
    leman_network_fold fold[3] = {{.fold = 0, .test = 50, .validation = 60, .seconds = 1},
                                  {.fold = 1, .test = 70, .validation = 80, .seconds = 2},
                                  {.fold = 2, .test = 90, .validation = 70, .seconds = 4}};
    leman_network_evaluation networks = {.repetitions = 1, .folds = 3, .fold = fold, .classes = true};
    leman_evaluation *const before = TEST_UNTOUCHED(leman_evaluation), *e = before;
    leman_splits *splits = NULL, *other = NULL;
    assert_int_equal(leman_splits_draw(ctx, f.data, 1, 3, false, &splits), LEMAN_OK);
    assert_int_equal(leman_splits_draw(ctx, f.data, 1, 4, false, &other), LEMAN_OK);
    const size_t none = LEMAN_NO_TARGET;
    assert_refused_without(leman_network_evaluation_scores(NULL, f.data, splits, none, &networks, &e));
    assert_refused(ctx, "data", leman_network_evaluation_scores(ctx, NULL, splits, none, &networks, &e));
    assert_refused(ctx, "splits", leman_network_evaluation_scores(ctx, f.data, NULL, none, &networks, &e));
    assert_refused(ctx, "networks", leman_network_evaluation_scores(ctx, f.data, splits, none, NULL, &e));
    assert_refused(ctx, "evaluation", leman_network_evaluation_scores(ctx, f.data, splits, none, &networks, NULL));
    assert_refused(ctx, "4 folds", leman_network_evaluation_scores(ctx, f.data, other, none, &networks, &e));
    assert_ptr_equal(e, before);
    assert_int_equal(leman_network_evaluation_scores(ctx, f.data, splits, none, &networks, &e), LEMAN_OK);
    assert_int_equal(e->splits->graphs, graphs);
    const size_t entries = splits->start[2 * splits->repetitions * splits->folds];
    assert_memory_equal(e->splits->graph, splits->graph, entries * sizeof *splits->graph);
    assert_true(fabs(e->test_mean - 70) < 1e-12 && fabs(e->validation_mean - 70) < 1e-12);
    assert_true(fabs(e->test_std_folds - sqrt(800 / 3.0)) < 1e-12 && fabs(e->seconds_svm - 7) < 1e-12);
    assert_true(isnan(e->train_mean) && isnan(e->auc_mean) && !e->rounds && !e->has_rounds);
    assert_null(e->predicted);
    assert_null(e->confusion);
    assert_int_equal(e->classes, 2);
    leman_pair_comparison pair;
    assert_int_equal(leman_compare_all(ctx, (const leman_evaluation *[]){e, e}, 2, &pair), LEMAN_OK);
    assert_true(pair.comparison.p >= 1);
    leman_evaluation_free(e);
    leman_splits_free(splits);
    leman_splits_free(other);
    fixture_free(&f);
    test_context_free(ctx);
}

/* ---- Ownership ------------------------------------------------------------------------------- */

/* What one context made is used by another after the first is gone, and freed without any. */
static void test_outlives(void **state)
{
    (void)state;
    const leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL, *other = NULL;
    leman_network *network = NULL;
    leman_history *history = NULL;
    double output[12 * 2];
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(leman_context_new(&settings, &other), LEMAN_OK);
    fixture f = fixture_new(ctx);
    assert_int_equal(leman_train(ctx, f.data, f.parts, &f.architecture, &f.training, &network, &history), LEMAN_OK);
    leman_context_free(ctx);
    assert_int_equal(leman_network_predict(other, network, f.data, 0, output), LEMAN_OK);
    for (int g = 0; g < 12; g++) assert_true(fabs(output[2 * g] + output[2 * g + 1] - 1) < 1e-12);
    leman_context_free(other);
    assert_int_equal(history->epochs, 1);
    assert_int_equal(leman_network_describe(network)->best.epoch, 1);
    leman_history_free(history);
    leman_network_free(network);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),         cmocka_unit_test(test_options),  cmocka_unit_test(test_parts),
        cmocka_unit_test(test_training),      cmocka_unit_test(test_network),  cmocka_unit_test(test_weights),
        cmocka_unit_test(test_weights_count), cmocka_unit_test(test_history),  cmocka_unit_test(test_evaluation),
        cmocka_unit_test(test_scores),        cmocka_unit_test(test_outlives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
