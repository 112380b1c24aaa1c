/*
 * Hands the library one of every struct that callers fill, and prints what comes back. test_abi.py compiles it against the
 * headers as they are, as they would have been before their last members, and as they would be with one more (-DTOMORROW).
 *   abi_program              what a call with the defaults gives, one line a struct
 *   abi_program sizes        the size of each struct
 *   abi_program bad          the status and sentence for a size of 0, for garbage, and, with -DTOMORROW, for a member
 *                            that the library does not know
 * A new struct is a row of STRUCTS; it must not use the members that test_abi.py cuts off. -DOLDER_TRAINING: the header
 * has no leman_training.details, so that there is no way to hand over leman_paper_details. -DOLDER_SETTINGS: the same
 * for leman_settings.communicator.
 */
#include "abi_data.h"
#include <string.h>

static uint64_t checksum_of(leman_dataset *data)
{
    uint64_t sum = leman_dataset_checksum(data);
    leman_dataset_free(data);
    return sum;
}

/* ---- One call for each struct: *result is untouched where it fails --------------------------- */

static leman_status use_settings(const void *options, uint64_t *result)
{
    leman_context *other = NULL;
    leman_dataset *data = NULL;
    leman_status st = leman_context_new(options, &other);
    if (st) return st;
    st = leman_dataset_generate(other, LEMAN_FAMILY_PETERSEN, NULL, &data);
    if (!st) *result = checksum_of(data);
    leman_context_free(other);
    return st;
}

#ifndef OLDER_SETTINGS
static leman_status use_communicator(const void *options, uint64_t *result)
{
    leman_settings settings = leman_settings_default();
    settings.communicator = options;
    return use_settings(&settings, result);
}
#endif

/* One edge has two labels: a policy without the rule for that must still repair it. */
static leman_status use_policy(const void *options, uint64_t *result)
{
    leman_columns columns = {.edge_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    const int64_t label[] = {1, 2};
    expect(leman_builder_new(ctx, "labels", &columns, &b));
    expect(leman_builder_graph(b, NULL, NULL, NULL));
    for (int i = 0; i < 3; i++) expect(leman_builder_vertex(b, NULL, NULL, NULL));
    expect(leman_builder_edge(b, 0, 1, label, NULL));
    expect(leman_builder_edge(b, 1, 0, label + 1, NULL));
    expect(leman_builder_edge(b, 1, 2, label, NULL));
    leman_status st = leman_builder_finish(b, options, NULL, &data);
    if (!st) *result = checksum_of(data);
    leman_builder_free(b);
    return st;
}

/* No graphs behind one. */
static leman_status use_graph_arrays(const void *options, uint64_t *result)
{
    const leman_columns columns = {0};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    expect(leman_builder_new(ctx, "arrays", &columns, &b));
    expect(leman_builder_graph(b, NULL, NULL, NULL));
    leman_status st = leman_builder_arrays(b, options);
    if (!st) expect(leman_builder_finish(b, NULL, NULL, &data));
    if (!st) *result = checksum_of(data);
    leman_builder_free(b);
    return st;
}

/* Random 3-regular graphs of seed 1: both are defaults. */
static leman_status use_family_options(const void *options, uint64_t *result)
{
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_REGULAR, options, &data);
    if (!st) *result = checksum_of(data);
    return st;
}

static leman_status use_read_options(const void *options, uint64_t *result)
{
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_read(ctx, "triangle.g6", options, NULL, &data);
    if (!st) *result = checksum_of(data);
    return st;
}

static leman_status use_unique_options(const void *options, uint64_t *result)
{
    leman_unique found = {0};
    leman_status st = leman_unique_write(ctx, "triangle.g6", NULL, options, "kept.g6", NULL, &found);
    if (!st) *result = found.classes;
    return st;
}

/* A folder of this name has no zip, and the name of one that cannot be fetched says so: nothing leaves the machine. */
static leman_status use_download_options(const void *options, uint64_t *result)
{
    char path[4096];
    leman_download_options chosen;
    const leman_download_options *given = options;
    if (given->size == sizeof chosen) { /* well-formed */
        memcpy(&chosen, given, sizeof chosen);
        chosen.url = "file:///nowhere";
        given = &chosen;
    }
    leman_status st = leman_dataset_download(ctx, "NONE", given, path, sizeof path);
    const bool refused = st == LEMAN_ERROR_ARGUMENT && strstr(leman_context_message(ctx), "file:///nowhere");
    if (!refused) return st;
    *result = strlen(leman_context_message(ctx));
    return LEMAN_OK;
}

static leman_dataset *pair(void)
{
    leman_dataset *data = NULL;
    expect(leman_dataset_generate(ctx, LEMAN_FAMILY_ROOK_SHRIKHANDE, NULL, &data));
    return data;
}

static leman_status use_coloring(const void *options, uint64_t *result)
{
    leman_dataset *data = pair();
    leman_census *census = NULL;
    leman_status st = leman_census_compute(ctx, data, options, false, &census);
    for (uint32_t r = 0; !st && r < census->rounds; r++) *result = *result * 1000 + census->round[r].colors;
    leman_census_free(census);
    leman_dataset_free(data);
    return st;
}

/* Two of them side by side, each as long as the program's header has it: weights are defaults. */
static leman_status use_kernel(const void *options, uint64_t *result)
{
    leman_dataset *data = pair();
    leman_kernel kernels[2];
    double gram[4];
    const bool good = ((const leman_kernel *)options)->size == sizeof *kernels;
    memcpy(kernels, options, sizeof *kernels);
    memcpy(kernels + 1, options, sizeof *kernels);
    kernels[1].kind = LEMAN_KERNEL_KIND_GRAPHLET; /* of three vertices, by default */
    leman_status st = leman_gram_compute(ctx, data, NULL, good ? kernels : options, good ? 2 : 1, false, gram);
    for (int i = 0; !st && i < 4; i++) *result = *result * 31 + (uint64_t)gram[i];
    leman_dataset_free(data);
    return st;
}

#ifndef OLDER_SETTINGS /* the older leman_kernel has no projections */
/* The mark of the added vertices is a label; the numbers of its two values. */
static leman_status use_projections(const void *options, uint64_t *result)
{
    static const int64_t label[] = {0, 1};
    static const double direction[] = {0.5, 7, 0.25, 3}, offset[] = {0.1, 0.2};
    leman_dataset *data = pair(), *marked = NULL;
    leman_kernel kernel = leman_kernel_default();
    leman_projections chosen;
    double gram[4];
    const bool good = ((const leman_projections *)options)->size == sizeof chosen;
    memcpy(&chosen, options, sizeof chosen);
    chosen.columns = 2;
    chosen.label = label;
    chosen.direction = direction;
    chosen.offset = offset;
    kernel.kind = LEMAN_KERNEL_KIND_PROPAGATION;
    kernel.coloring.rounds = 1;
    kernel.projections = good ? &chosen : options;
    expect(leman_dataset_apex(ctx, data, &marked));
    leman_status st = leman_gram_compute(ctx, marked, NULL, &kernel, 1, false, gram);
    for (int i = 0; !st && i < 4; i++) *result = *result * 31 + (uint64_t)gram[i];
    leman_dataset_free(marked);
    leman_dataset_free(data);
    return st;
}
#endif

static leman_status use_sampling(const void *options, uint64_t *result)
{
    leman_dataset *data = pair();
    leman_kernel kernel = leman_kernel_default();
    double gram[4];
    leman_status st = leman_gram_sample(ctx, data, NULL, &kernel, options, false, gram, NULL);
    for (int i = 0; !st && i < 4; i++) *result = *result * 31 + (uint64_t)(1e6 * gram[i]);
    leman_dataset_free(data);
    return st;
}

static leman_status use_feature_options(const void *options, uint64_t *result)
{
    leman_dataset *data = pair();
    leman_kernel kernel = leman_kernel_default();
    leman_features *features = NULL;
    leman_status st = leman_features_compute(ctx, data, &kernel, 1, options, &features);
    if (!st) *result = features->entries;
    leman_features_free(features);
    leman_dataset_free(data);
    return st;
}

/* Graph 0 of two data sets, which are the defaults. The text names their vertices. */
static leman_status use_explained_pair(const void *options, uint64_t *result)
{
    leman_dataset *data[2] = {NULL, pair()};
    leman_unrolling *unrolling = NULL;
    leman_explanation *explanation = NULL;
    leman_explained_pair chosen;
    memcpy(&chosen, options, sizeof chosen);
    expect(leman_dataset_generate(ctx, LEMAN_FAMILY_PETERSEN, NULL, data));
    const leman_graph a = leman_dataset_graph(data[0], 0), b = leman_dataset_graph(data[1], 0);
    expect(leman_explain(ctx, &a, &b, NULL, false, 0, &unrolling));
    for (int i = 0; i < 2; i++) chosen.data[i] = data[i];
    leman_status st = leman_explanation_write(ctx, unrolling, &chosen, LEMAN_EXPLANATION_FORMAT_TEXT, &explanation);
    for (size_t i = 0; !st && i < explanation->length; i++)
        *result = *result * 31 + (unsigned char)explanation->text[i];
    leman_explanation_free(explanation);
    leman_unrolling_free(unrolling);
    for (int i = 0; i < 2; i++) leman_dataset_free(data[i]);
    return st;
}

static void add_double(double x, uint64_t *result)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    *result = *result * 31 + bits;
}

/* Rounds, C and target are defaults. */
static leman_status use_protocol(const void *options, uint64_t *result)
{
    leman_dataset *data = paths_and_cycles();
    leman_kernel kernel = leman_kernel_default();
    leman_evaluation *evaluation = NULL;
    leman_protocol chosen;
    memcpy(&chosen, options, sizeof chosen);
    chosen.repetitions = 1;
    chosen.folds = 3;
    leman_status st = leman_evaluate(ctx, data, &kernel, 1, &chosen, &evaluation);
    for (size_t i = 0; !st && i < 3; i++) {
        *result = *result * 31 + evaluation->fold[i].rounds + evaluation->rounds;
        add_double(evaluation->fold[i].C, result);
        add_double(evaluation->fold[i].test, result);
    }
    leman_evaluation_free(evaluation);
    leman_dataset_free(data);
    return st;
}

static leman_status use_fit_options(const void *options, uint64_t *result)
{
    leman_dataset *data = paths_and_cycles();
    leman_kernel kernel = leman_kernel_default();
    leman_model *model = NULL;
    leman_status st = leman_model_fit(ctx, data, &kernel, 1, options, &model);
    if (!st) {
        const leman_model_shape *shape = leman_model_describe(model);
        *result = shape->rounds + 100 * shape->folds + 10000 * shape->features;
        add_double(shape->C, result);
        add_double(shape->score, result);
    }
    leman_model_free(model);
    leman_dataset_free(data);
    return st;
}

static leman_status use_drawing_options(const void *options, uint64_t *result)
{
    leman_dataset *data = paths_and_cycles();
    leman_kernel kernel = leman_kernel_default();
    leman_model *model = NULL;
    leman_attribution *attribution = NULL;
    leman_explanation *svg = NULL;
    expect(leman_model_fit(ctx, data, &kernel, 1, NULL, &model));
    expect(leman_model_attribute(ctx, model, data, 0, LEMAN_CLASS_PREDICTED, LEMAN_ATTRIBUTION_METHOD_AUTO, 0,
                                 &attribution));
    leman_status st =
        leman_attribution_draw(ctx, data, (const leman_attribution *const *)&attribution, 1, options, &svg);
    if (!st) *result = svg->length;
    leman_explanation_free(svg);
    leman_attribution_free(attribution);
    leman_model_free(model);
    leman_dataset_free(data);
    return st;
}

/* The page goes nowhere: what counts is whether it is written. */
static leman_status use_clusters_view(const void *options, uint64_t *result)
{
    leman_dataset *data = paths_and_cycles();
    leman_kernel kernel = leman_kernel_default();
    const uint32_t one[24] = {0};
    leman_clusters_view view;
    memcpy(&view, options, sizeof view);
    view.cluster = view.centre = one, view.clusters = 1, view.least = 0.5;
    leman_status st = leman_clusters_page_write(ctx, data, &kernel, 1, &view, NULL, NULL, "/dev/null");
    if (!st) *result = view.clusters;
    leman_dataset_free(data);
    return st;
}

static leman_status use_predictions_view(const void *options, uint64_t *result)
{
    const double one[3] = {0};
    const char *const name = "y";
    leman_predictions_view view;
    memcpy(&view, options, sizeof view);
    view.data = "d", view.graphs = 3, view.outputs = 1, view.name = &name;
    view.predicted = view.truth = one;
    leman_status st = leman_predictions_page_write(ctx, &view, NULL, "/dev/null");
    if (!st) *result = view.graphs;
    return st;
}

/* How many rounds there are is a default. */
static leman_status use_gp_options(const void *options, uint64_t *result)
{
    leman_dataset *data = paths_and_cycles(), *with_target = NULL;
    leman_kernel kernel = leman_kernel_default();
    leman_gp *gp = NULL;
    double target[24];
    for (size_t g = 0; g < 24; g++) target[g] = (double)(g % 6);
    expect(leman_dataset_set_targets(ctx, data, NULL, target, 1, &with_target));
    leman_status st = leman_gp_fit(ctx, with_target, &kernel, 1, options, &gp);
    if (!st) *result = leman_gp_describe(gp)->blocks + 100 * leman_gp_describe(gp)->model->features;
    leman_gp_free(gp);
    leman_dataset_free(with_target);
    leman_dataset_free(data);
    return st;
}

/* The losses of a short run, and how large the network is. */
static leman_status train(const leman_architecture *architecture, const leman_training *training, uint64_t *result)
{
    leman_dataset *data = paths_and_cycles();
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    leman_history *history = NULL;
    expect(leman_parts_draw(ctx, leman_dataset_shape(data)->graphs, 0.2, 0.2, &parts));
    leman_status st = leman_train(ctx, data, parts, architecture, training, &network, &history);
    if (!st) {
        *result = leman_network_describe(network)->parameters;
        for (size_t i = 0; i < history->epochs; i++) {
            add_double(history->epoch[i].train_loss, result);
            add_double(history->epoch[i].learning_rate, result);
            add_double(history->epoch[i].val_loss, result);
        }
        *result += history->best;
    }
    leman_history_free(history);
    leman_network_free(network);
    leman_parts_free(parts);
    leman_dataset_free(data);
    return st;
}

/* Preset, layers and width are defaults. */
static leman_status use_architecture(const void *options, uint64_t *result)
{
    leman_architecture chosen;
    memcpy(&chosen, options, sizeof chosen);
    chosen.kind = LEMAN_NETWORK_KIND_GIN0;
    leman_training training = leman_training_default(NULL);
    training.epochs = 2;
    return train(&chosen, &training, result);
}

/* What leman_training_init() gets: what lies behind it must not be taken for members that it does not have, such as a
 * preset with another learning rate. */
typedef struct architecture_and_more {
    leman_architecture architecture;
    int more[16];
} architecture_and_more;

static architecture_and_more small_network(void)
{
    architecture_and_more a;
    for (size_t i = 0; i < sizeof a.more / sizeof *a.more; i++) a.more[i] = LEMAN_PRESET_TU;
    leman_architecture_init(&a.architecture, sizeof a.architecture);
    a.architecture.kind = LEMAN_NETWORK_KIND_GIN0;
    return a;
}

/* Batches, learning rate and patience are defaults. */
static leman_status use_training(const void *options, uint64_t *result)
{
    const architecture_and_more a = small_network();
    leman_training chosen;
    memcpy(&chosen, options, sizeof chosen);
    chosen.epochs = 2;
    return train(&a.architecture, &chosen, result);
}

#ifndef OLDER_TRAINING
static leman_status use_paper_details(const void *options, uint64_t *result)
{
    const architecture_and_more a = small_network();
    leman_training training = leman_training_default(&a.architecture);
    training.epochs = 2;
    training.details = options;
    return train(&a.architecture, &training, result);
}
#endif

/* Repetitions and folds are defaults. */
static leman_status use_network_protocol(const void *options, uint64_t *result)
{
    const size_t one = 1, four = 4;
    const architecture_and_more a = small_network();
    leman_dataset *data = paths_and_cycles();
    leman_training training = leman_training_default(&a.architecture);
    leman_network_evaluation *evaluation = NULL;
    leman_network_protocol chosen;
    memcpy(&chosen, options, sizeof chosen);
    chosen.layers = &one;
    chosen.widths = &four;
    chosen.layers_count = chosen.widths_count = 1;
    training.epochs = 1;
    leman_status st = leman_network_evaluate(ctx, data, &a.architecture, &training, &chosen, &evaluation);
    if (!st) {
        *result = evaluation->repetitions * 100 + evaluation->folds;
        add_double(evaluation->test_mean, result);
    }
    leman_network_evaluation_free(evaluation);
    leman_dataset_free(data);
    return st;
}

/* The lists and the map of the caller: only what every header has is set. */
static leman_status use_row_lists(const void *options, uint64_t *result)
{
    const int64_t start[] = {0, 2}, other[] = {0, 1};
    const float x[] = {3, 4};
    float y = 0;
    leman_row_lists *lists = (leman_row_lists *)(uintptr_t)options;
    lists->rows = 1;
    lists->others = 2;
    lists->start = start;
    lists->other = other;
    leman_status st = leman_neighbor_sum(ctx, lists, LEMAN_NUMBER_FLOAT32, x, 1, NULL, &y);
    if (!st) *result = (uint64_t)y;
    return st;
}

static leman_status use_linear_map(const void *options, uint64_t *result)
{
    const float x[] = {3, 4}, weight[] = {1, 2};
    float y = 0;
    leman_linear_map *map = (leman_linear_map *)(uintptr_t)options;
    map->inputs = 2;
    map->outputs = 1;
    map->weight = weight;
    leman_status st = leman_linear(ctx, map, x, 1, &y);
    if (!st) *result = (uint64_t)y;
    return st;
}

/* Passes of a network; without a forward pass there is no backward pass. */
static leman_status use_passes_options(const void *options, uint64_t *result)
{
    const architecture_and_more a = small_network();
    leman_training training = leman_training_default(&a.architecture);
    leman_dataset *data = paths_and_cycles();
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    leman_passes *passes = NULL;
    const float none = 0;
    float *nowhere = NULL;
    training.epochs = 1;
    expect(leman_parts_draw(ctx, leman_dataset_shape(data)->graphs, 0.2, 0.2, &parts));
    expect(leman_train(ctx, data, parts, &a.architecture, &training, &network, NULL));
    const leman_status st = leman_passes_new(ctx, network, options, &passes);
    if (!st) *result = (uint64_t)leman_passes_backward(ctx, passes, &none, &nowhere, NULL);
    leman_passes_free(passes);
    leman_network_free(network);
    leman_parts_free(parts);
    leman_dataset_free(data);
    return st;
}

/* ---- The table ------------------------------------------------------------------------------- */

typedef leman_status use_function(const void *options, uint64_t *result);

typedef struct row {
    const char *name;
    size_t size;
    size_t newest; /* offset of a member that the library does not know; 0: there is none */
    void (*init)(void *options, size_t size);
    use_function *use;
} row;

#ifdef TOMORROW
#define NEWEST(type) offsetof(type, tomorrow)
#else
#define NEWEST(type) 0
#endif
#define INIT(name)                                                                                                     \
    static void name##_set(void *options, size_t size)                                                                 \
    {                                                                                                                  \
        name##_init(options, size);                                                                                    \
    }
#define ROW(type, use)                                                                                                 \
    {                                                                                                                  \
#type, sizeof(type), NEWEST(type), type##_set, use                                                             \
    }

INIT(leman_settings)
#ifndef OLDER_SETTINGS
INIT(leman_communicator)
#endif
INIT(leman_policy)
INIT(leman_graph_arrays)
INIT(leman_family_options)
INIT(leman_read_options)
INIT(leman_unique_options)
INIT(leman_download_options)
INIT(leman_coloring)
INIT(leman_kernel)
INIT(leman_sampling)
#ifndef OLDER_SETTINGS
INIT(leman_projections)
#endif
INIT(leman_feature_options)
INIT(leman_explained_pair)
INIT(leman_protocol)
INIT(leman_fit_options)
INIT(leman_gp_options)
INIT(leman_drawing_options)
INIT(leman_clusters_view)
INIT(leman_predictions_view)
INIT(leman_architecture)
#ifndef OLDER_TRAINING
INIT(leman_paper_details)
#endif
INIT(leman_network_protocol)
INIT(leman_row_lists)
INIT(leman_linear_map)
INIT(leman_passes_options)

static void leman_training_set(void *options, size_t size)
{
    const architecture_and_more a = small_network();
    leman_training_init(options, size, &a.architecture);
}

static const row STRUCTS[] = {
    ROW(leman_settings, use_settings),
#ifndef OLDER_SETTINGS
    ROW(leman_communicator, use_communicator),
#endif
    ROW(leman_policy, use_policy),
    ROW(leman_graph_arrays, use_graph_arrays),
    ROW(leman_family_options, use_family_options),
    ROW(leman_read_options, use_read_options),
    ROW(leman_unique_options, use_unique_options),
    ROW(leman_download_options, use_download_options),
    ROW(leman_coloring, use_coloring),
    ROW(leman_kernel, use_kernel),
    ROW(leman_sampling, use_sampling),
#ifndef OLDER_SETTINGS
    ROW(leman_projections, use_projections),
#endif
    ROW(leman_feature_options, use_feature_options),
    ROW(leman_explained_pair, use_explained_pair),
    ROW(leman_protocol, use_protocol),
    ROW(leman_fit_options, use_fit_options),
    ROW(leman_gp_options, use_gp_options),
    ROW(leman_drawing_options, use_drawing_options),
    ROW(leman_clusters_view, use_clusters_view),
    ROW(leman_predictions_view, use_predictions_view),
    ROW(leman_architecture, use_architecture),
    ROW(leman_training, use_training),
#ifndef OLDER_TRAINING
    ROW(leman_paper_details, use_paper_details),
#endif
    ROW(leman_network_protocol, use_network_protocol),
    ROW(leman_row_lists, use_row_lists),
    ROW(leman_linear_map, use_linear_map),
    ROW(leman_passes_options, use_passes_options),
};

static void show_results(const row *r, void *options)
{
    uint64_t result = 0;
    r->init(options, r->size);
    expect(r->use(options, &result));
    printf("%s %llx\n", r->name, (unsigned long long)result);
}

static void show_refusal(const row *r, const char *what, const void *options)
{
    uint64_t result = 0;
    bool context = r->use != use_settings;
#ifndef OLDER_SETTINGS
    context = context && r->use != use_communicator;
#endif
    const leman_status st = r->use(options, &result);
    printf("%s %s: %s: %s\n", r->name, what, leman_status_name(st),
           context ? leman_context_message(ctx) : "no context, no sentence");
}

static void show_refusals(const row *r, char *options)
{
    const size_t bad[] = {0, sizeof(size_t) - 1, SIZE_MAX, (size_t)0xababababababababu};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        r->init(options, r->size);
        memcpy(options, bad + i, sizeof *bad);
        show_refusal(r, "bad size", options);
    }
    if (!r->newest) return;
    r->init(options, r->size);
    options[r->newest] = 1;
    show_refusal(r, "unknown member", options);
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    if (leman_context_new(NULL, &ctx)) return 1;
    for (size_t i = 0; i < sizeof STRUCTS / sizeof *STRUCTS; i++) {
        const row *r = STRUCTS + i;
        char *options = malloc(r->size); /* of that size, so that AddressSanitizer sees a look behind it */
        if (!options) return 1;
        if (!strcmp(what, "sizes"))
            printf("%s %zu\n", r->name, r->size);
        else if (!strcmp(what, "bad"))
            show_refusals(r, options);
        else
            show_results(r, options);
        free(options);
    }
    leman_context_free(ctx);
    return 0;
}
