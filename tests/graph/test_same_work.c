/* Ranks whose data or options differ: every public function that they do together ends on all ranks with the same
 * sentence, which names the rank and what differs. Nobody waits, and no file appears. */
#include "support/ranks.h"
#include <stdio.h>
#include <unistd.h>

enum { GRAPHS = 40, RANKS = 3 };

typedef enum work {
    CENSUS,
    GRAM,
    GRAM_ROUNDS,
    GRAM_SAVE,
    FEATURES,
    FEATURES_SAVE,
    FEATURES_STREAM,
    EVALUATE,
    TRAIN,
    WORKS
} work;

/* What one rank has. */
typedef struct task {
    work work;
    size_t graphs;
    uint64_t seed; /* of the graphs */
    uint32_t rounds;
    const char *folder;
    size_t rank;
} task;

static leman_status make_data(leman_context *ctx, const task *t, leman_dataset **out)
{
    leman_family_options options = leman_family_options_default();
    options.graphs = t->graphs;
    options.seed = t->seed;
    return leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, out);
}

/* The data as a stream from a file of the rank's own. */
static leman_status open_stream(leman_context *ctx, const task *t, leman_stream **out)
{
    char path[512];
    leman_dataset *data = NULL;
    leman_context *alone = NULL;
    snprintf(path, sizeof path, "%s/data%zu.leman", t->folder, t->rank);
    leman_status st = leman_context_new(NULL, &alone);
    if (!st) st = make_data(alone, t, &data);
    if (!st) st = leman_dataset_write(alone, data, path, LEMAN_FORMAT_AUTO);
    leman_dataset_free(data);
    leman_context_free(alone);
    return st ? st : leman_stream_open(ctx, path, NULL, out);
}

static leman_status stream(leman_context *ctx, const task *t, const leman_kernel *kernel)
{
    leman_stream *opened = NULL;
    char path[512];
    leman_status st = open_stream(ctx, t, &opened);
    snprintf(path, sizeof path, "%s/out.svm", t->folder);
    if (!st) st = leman_features_save_stream(ctx, opened, kernel, 1, NULL, NULL, path, NULL);
    leman_stream_free(opened);
    return st;
}

static leman_status train(leman_context *ctx, const leman_dataset *data, size_t layers)
{
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    leman_architecture architecture = leman_architecture_default();
    leman_training training = leman_training_default(&architecture);
    architecture.layers = 1 + layers;
    architecture.width = 4;
    training.epochs = 1;
    training.batch_size = 6;
    training.classes = true;
    leman_status st = leman_parts_draw(ctx, leman_dataset_shape(data)->graphs, 0.2, 0.2, &parts);
    if (!st) st = leman_train(ctx, data, parts, &architecture, &training, &network, NULL);
    leman_network_free(network);
    leman_parts_free(parts);
    return st;
}

static leman_status evaluate(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel)
{
    leman_protocol protocol = leman_protocol_default();
    leman_evaluation *evaluation = NULL;
    protocol.folds = 3;
    protocol.repetitions = 1;
    protocol.max_rounds = kernel->coloring.rounds;
    leman_status st = leman_evaluate(ctx, data, kernel, 1, &protocol, &evaluation);
    leman_evaluation_free(evaluation);
    return st;
}

static leman_status do_work(leman_context *ctx, void *state)
{
    const task *t = state;
    leman_dataset *data = NULL;
    leman_census *census = NULL;
    leman_features *features = NULL;
    double *gram = calloc(4 * t->graphs * t->graphs, sizeof *gram), *rounds[4];
    leman_kernel kernel = leman_kernel_default();
    char path[512];
    kernel.coloring.k = 1;
    kernel.coloring.rounds = t->rounds;
    for (size_t h = 0; h < 4; h++) rounds[h] = gram + h * t->graphs * t->graphs;
    const leman_coloring coloring = kernel.coloring;
    leman_status st = make_data(ctx, t, &data);
    snprintf(path, sizeof path, "%s/out.%s", t->folder, t->work == GRAM_SAVE ? "npy" : "svm");
    if (!st) switch (t->work) {
        case CENSUS: st = leman_census_compute(ctx, data, &coloring, false, &census); break;
        case GRAM: st = leman_gram_compute(ctx, data, NULL, &kernel, 1, true, gram); break;
        case GRAM_ROUNDS: st = leman_gram_rounds(ctx, data, NULL, &kernel, false, rounds); break;
        case GRAM_SAVE: st = leman_gram_save(ctx, data, NULL, &kernel, 1, false, path); break;
        case FEATURES: st = leman_features_compute(ctx, data, &kernel, 1, NULL, &features); break;
        case FEATURES_SAVE: st = leman_features_save(ctx, data, &kernel, 1, NULL, path, NULL); break;
        case FEATURES_STREAM: st = stream(ctx, t, &kernel); break;
        case EVALUATE: st = evaluate(ctx, data, &kernel); break;
        case TRAIN: st = train(ctx, data, t->rounds); break;
        case WORKS: break;
        }
    leman_census_free(census);
    leman_features_free(features);
    leman_dataset_free(data);
    free(gram);
    return st;
}

/* Rank `other` has what `*differs` has; the rest have equal data and options. */
static void run(work which, size_t other, const task *differs, const char *what)
{
    const char *folder = test_folder_new();
    char path[512], begin[128];
    task tasks[RANKS];
    void *state[TEST_MAX_RANKS] = {NULL};
    test_ranks t = {.ranks = RANKS};
    for (size_t r = 0; r < RANKS; r++) {
        tasks[r] = (task){.graphs = GRAPHS, .seed = 1, .rounds = 2};
        if (r == other) tasks[r] = *differs;
        tasks[r].work = which;
        tasks[r].folder = folder;
        tasks[r].rank = r;
        state[r] = tasks + r;
    }
    test_ranks_run(&t, do_work, state);
    snprintf(begin, sizeof begin, "rank %zu of %d: found %s than on rank 0", other ? other : 1, RANKS,
             what ? what : "");
    for (size_t r = 0; r < RANKS; r++) {
        if (!what) {
            assert_string_equal(t.message[r], "");
            assert_int_equal(t.status[r], LEMAN_OK);
            continue;
        }
        assert_int_equal(t.status[r], LEMAN_ERROR_INPUT);
        assert_memory_equal(t.message[r], begin, strlen(begin));
        assert_string_equal(t.message[r], t.message[0]);
    }
    for (int i = 0; what && i < 2; i++) {
        snprintf(path, sizeof path, "%s/out.%s", folder, i ? "npy" : "svm");
        assert_int_not_equal(access(path, F_OK), 0);
    }
    test_folder_remove(folder);
}

static void test_same(void **unused)
{
    (void)unused;
    for (work w = 0; w < WORKS; w++) run(w, RANKS, NULL, NULL);
}

/* Other graphs, some graphs fewer, or a single graph, which one rank alone would colour without the others. */
static void test_other_data(void **unused)
{
    (void)unused;
    const task differs[] = {{.graphs = GRAPHS, .seed = 2, .rounds = 2},
                            {.graphs = GRAPHS - 2, .seed = 1, .rounds = 2},
                            {.graphs = 1, .seed = 1, .rounds = 2}};
    for (work w = 0; w < WORKS; w++)
        for (size_t i = 0; i < sizeof differs / sizeof *differs; i++) {
            if (w == TRAIN && differs[i].graphs == 1) continue; /* which has no parts */
            if (w == TRAIN && differs[i].graphs != GRAPHS)
                run(w, 2, differs + i, "other options"); /* the parts of fewer graphs are other parts */
            else
                run(w, i % RANKS, differs + i, "other data");
        }
}

static void test_other_options(void **unused)
{
    (void)unused;
    const task differs = {.graphs = GRAPHS, .seed = 1, .rounds = 1};
    for (work w = 0; w < WORKS; w++) run(w, 1, &differs, w == EVALUATE ? "other options or folds" : "other options");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_other_data),
        cmocka_unit_test(test_other_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
