/*
 * One run of a cell of the tables of networks. Regressions: leman_train() on the published parts, or on parts that are
 * drawn for the run. Accuracies: one repetition of ten folds, of networks with layers and widths chosen by validation
 * (mid-scale: two layers of width 64, as published), of kernels with a linear SVM. Seconds: of an epoch, of features
 * with two rounds.
 */
#include "base/arguments.h"
#include "nn/train/parts.h"
#include "report/reproduction/network_tables.h"
#include <math.h>
#include <string.h>
#include <time.h>

/* ---- Regressions ----------------------------------------------------------------------------- */

static leman_preset preset_of(const lm_network_run *run)
{
    switch (run->table) {
    case LEMAN_NETWORK_TABLE_QM9: return LEMAN_PRESET_QM9;
    case LEMAN_NETWORK_TABLE_ALCHEMY: return LEMAN_PRESET_ALCHEMY;
    case LEMAN_NETWORK_TABLE_TIMES: return run->column ? LEMAN_PRESET_ALCHEMY : LEMAN_PRESET_ZINC;
    default: return LEMAN_PRESET_ZINC;
    }
}

/* The network of a row. */
static leman_status architecture_of(leman_context *ctx, const leman_dataset *data, const lm_network_run *run,
                                    leman_preset preset, leman_architecture *out)
{
    leman_status st = LEMAN_OK;
    leman_architecture a = leman_architecture_default();
    const char *name = lm_network_method_known(run->table, run->row);
    bool known;
    if (leman_architecture_parse(ctx, name, &a))
        FAIL(ctx, LEMAN_ERROR_UNSUPPORTED, "this version has no network '%s'", name);
    a.preset = preset;
    TRY(leman_architecture_attributes(ctx, data, &a, &known));
    if (!known)
        FAIL(ctx, LEMAN_ERROR_INPUT,
             "found no positions of atoms among the vertex attributes, expected those of QM9, which are in "
             "QM9_node_attributes.zip, to be unpacked into the same folder as QM9.zip");
    *out = a;
done:
    return st;
}

/* Mean seconds of the epochs behind the first, which finds everything cold. */
static double epoch_seconds(const leman_history *h)
{
    const size_t first = h->epochs > 1 ? 1 : 0;
    double sum = 0;
    for (size_t e = first; e < h->epochs; e++) sum += h->epoch[e].seconds;
    return sum / (double)(h->epochs - first);
}

static void take_history(const leman_history *h, lm_network_run *run)
{
    const leman_epoch *best = h->epoch + h->best;
    run->value[0] = best->test_error;
    run->value[1] = NAN;
    if (run->table == LEMAN_NETWORK_TABLE_QM9 || run->table == LEMAN_NETWORK_TABLE_ALCHEMY)
        leman_history_standardized(h, h->best, 1, run->value, run->value + 1);
    if (run->table == LEMAN_NETWORK_TABLE_TIMES) {
        run->value[0] = NAN; /* of all rows together */
        run->value[1] = epoch_seconds(h);
    }
    run->validation = best->val_error;
    run->epochs = (double)h->epochs;
    run->seconds = 0;
    for (size_t e = 0; e < h->epochs; e++) run->seconds += h->epoch[e].seconds;
}

static leman_status regression(leman_context *ctx, const leman_dataset *data, const char *path, const char *kept,
                               lm_network_run *run)
{
    static const size_t TARGETS[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    leman_status st = LEMAN_OK;
    const size_t columns = leman_dataset_shape(data)->columns->targets;
    const lm_network_set *set = lm_network_set_of(run->table, run->column);
    const size_t graphs = leman_dataset_shape(data)->graphs;
    leman_architecture architecture;
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    leman_history *history = NULL;
    TRY(architecture_of(ctx, data, run, preset_of(run), &architecture));
    leman_training training = leman_training_default(&architecture);
    training.epochs = (size_t)run->limit;
    training.run = (size_t)run->run;
    training.checkpoint = kept;
    training.resume = kept != NULL;
    training.targets = TARGETS; /* one of ZINC, twelve of the others */
    training.target_count = architecture.preset == LEMAN_PRESET_ZINC ? 1 : columns < 12 ? columns : 12;
    if (!columns) FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found no targets, expected some", leman_dataset_shape(data)->name);
    if (set->part[0]) {
        TRY(lm_parts_of_lists(ctx, path, set->part, graphs, &parts));
    } else {
        const uint64_t seed = ctx->settings.seed;
        ctx->settings.seed = seed + run->run; /* a split for every run, as published */
        st = leman_parts_draw(ctx, graphs, 0.1, 0.1, &parts);
        ctx->settings.seed = seed;
        TRY(st);
    }
    TRY(leman_train(ctx, data, parts, &architecture, &training, &network, &history));
    take_history(history, run);
    run->parameters = leman_network_describe(network)->parameters;
done:
    leman_history_free(history);
    leman_network_free(network);
    leman_parts_free(parts);
    return st;
}

/* ---- Accuracies ------------------------------------------------------------------------------ */

static leman_status folds(leman_context *ctx, const leman_dataset *data, const char *kept, lm_network_run *run)
{
    static const size_t LAYERS[] = {2}, WIDTHS[] = {64};
    leman_status st = LEMAN_OK;
    leman_network_protocol protocol = leman_network_protocol_default();
    leman_network_evaluation *e = NULL;
    leman_architecture architecture;
    TRY(architecture_of(ctx, data, run, LEMAN_PRESET_TU, &architecture));
    leman_training training = leman_training_default(&architecture);
    training.classes = true;
    if (run->limit) training.epochs = (size_t)run->limit;
    protocol.repetitions = 1;
    protocol.journal = kept;
    protocol.resume = kept != NULL;
    if (run->table == LEMAN_NETWORK_TABLE_MID_SCALE) {
        protocol.layers = LAYERS;
        protocol.widths = WIDTHS;
        protocol.layers_count = protocol.widths_count = 1;
    }
    TRY(leman_network_evaluate(ctx, data, &architecture, &training, &protocol, &e));
    run->value[0] = e->test_mean;
    run->value[1] = run->validation = run->epochs = NAN;
    for (size_t i = 0; i < e->folds; i++) run->seconds += e->fold[i].seconds;
done:
    leman_network_evaluation_free(e);
    return st;
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static leman_status time_features(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  double *seconds)
{
    leman_kernel two = *kernel;
    leman_features *features = NULL;
    const int threads = ctx->settings.threads;
    const char *device = ctx->settings.device;
    ctx->settings.threads = 1;
    ctx->settings.device = "cpu";
    two.rounds = 2; /* as published */
    const double began = processor_seconds();
    const leman_status st = leman_features_compute(ctx, data, &two, 1, NULL, &features);
    *seconds = processor_seconds() - began;
    ctx->settings.threads = threads;
    ctx->settings.device = device;
    leman_features_free(features);
    return st;
}

static leman_status kernels(leman_context *ctx, const leman_dataset *data, const char *kept, lm_network_run *run)
{
    leman_status st = LEMAN_OK;
    leman_kernel kernel = leman_kernel_default();
    leman_protocol protocol = leman_protocol_default();
    leman_evaluation *e = NULL;
    TRY(leman_kernel_parse(ctx, lm_network_method_known(run->table, run->row), &kernel));
    protocol.repetitions = 1;
    protocol.svm = LEMAN_SVM_LINEAR;
    protocol.journal = kept;
    TRY(leman_evaluate(ctx, data, &kernel, 1, &protocol, &e));
    run->value[0] = e->test_mean;
    run->seconds = e->seconds_features + e->seconds_svm;
    run->validation = run->epochs = NAN;
    TRY(time_features(ctx, data, &kernel, run->value + 1));
done:
    leman_evaluation_free(e);
    return st;
}

leman_status lm_network_tables_compute(leman_context *ctx, const leman_dataset *data, const char *path,
                                       const char *kept, lm_network_run *run)
{
    const uint64_t seed = ctx->settings.seed;
    leman_status st;
    switch (run->table) {
    case LEMAN_NETWORK_TABLE_TU:
    case LEMAN_NETWORK_TABLE_MID_SCALE:
        ctx->settings.seed = seed + run->run; /* a shuffle for every repetition */
        st = lm_network_method_is_kernel(run->table, run->row) ? kernels(ctx, data, kept, run)
                                                               : folds(ctx, data, kept, run);
        break;
    default: st = regression(ctx, data, path, kept, run);
    }
    ctx->settings.seed = seed;
    return st;
}
