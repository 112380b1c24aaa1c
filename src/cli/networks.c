/* Networks as methods beside kernels: recognising their names, and training them. */
#include "cli/networks.h"
#include "base/ascii.h"
#include "base/drop.h"
#include "base/text.h"

bool lm_network_is(leman_context *ctx, const char *name)
{
    static const char NETWORK[] = "network:";
    leman_architecture architecture = leman_architecture_default();
    leman_kernel kernel = leman_kernel_default();
    if (lm_begins(name, NETWORK)) return true;
    return leman_kernel_parse(ctx, name, &kernel) && !leman_architecture_parse(ctx, name, &architecture);
}

bool lm_network_takes_k(const leman_architecture *architecture)
{
    leman_architecture two = *architecture, three = two;
    two.k = 2;
    three.k = 3;
    return leman_architecture_k(&two) != leman_architecture_k(&three);
}

bool lm_network_has_pairs(const leman_architecture *architecture)
{
    return leman_architecture_encodings(architecture, NULL, 0) > 0;
}

/* Returns the first number of the ranges, or the default `usual`. */
static size_t first_of(const lm_ranges *ranges, size_t usual)
{
    return ranges->range.count ? (size_t)((const lm_range *)ranges->range.items)->first : usual;
}

/* Writes "18 vertex attributes", "18 vertex attributes and 2 edge attributes" and so on. */
static void write_columns(size_t vertices, size_t edges, char *text, size_t size)
{
    lm_joined list = lm_joined_begin(text, size);
    if (vertices) lm_joined_add(&list, "%zu vertex attribute%s", vertices, lm_plural(vertices));
    if (vertices && edges) lm_joined_add(&list, " and ");
    if (edges) lm_joined_add(&list, "%zu edge attribute%s", edges, lm_plural(edges));
}

leman_status lm_network_attributes_log(lm_work *work, const leman_dataset *data, const leman_architecture *a, bool told,
                                       const lm_learned_columns *learned)
{
    const leman_shape *shape = leman_dataset_shape(data);
    const size_t vertices = shape->columns->vertex_attributes - learned->vertices;
    const size_t edges = shape->columns->edge_attributes - learned->edges;
    const bool published = a->preset == LEMAN_PRESET_QM9;
    size_t read[2];
    char name[96], text[128];
    PASS(leman_architecture_columns(work->ctx, data, a, &read[0], &read[1]));
    if (read[0]) read[0] = vertices; /* those that are not learned */
    if (read[1]) read[1] = edges;
    leman_architecture_paper_name(a, name, sizeof name);
    write_columns(read[0], read[1], text, sizeof text);
    if ((read[0] || read[1]) && !told && !published)
        lm_work_log(work, "%s: %s reads %s, %s; --ignore attributes leaves them out", shape->name, name, text,
                    a->attributes == LEMAN_ATTRIBUTE_USE_RAW ? "as they are" : "standardised over the training part");
    write_columns(vertices - read[0], edges - read[1], text, sizeof text);
    if ((vertices > read[0] || edges > read[1]) && !a->ignore_attributes)
        lm_work_log(work, "%s: %s cannot read %s, which %s left out; GINE-eps and networks on tuples read them",
                    shape->name, name, text, vertices - read[0] + edges - read[1] == 1 ? "is" : "are");
    return LEMAN_OK;
}

/* ---- Scores ---------------------------------------------------------------------------------- */

leman_status lm_network_read(leman_context *ctx, const lm_request *request, const lm_network_options *options,
                             const char *name, leman_architecture *architecture)
{
    const lm_coloring_options *asked = &request->asked->kernels.coloring;
    leman_architecture a = leman_architecture_default();
    const unsigned usual = a.k;
    a.k = 0;
    PASS(leman_architecture_parse(ctx, name, &a));
    PASS(lm_k_check(ctx, name, a.k, asked->k));
    if (!a.k) a.k = asked->k ? (unsigned)asked->k : usual;
    a.preset = request->protocol.target == LEMAN_NO_TARGET ? LEMAN_PRESET_TU : LEMAN_PRESET_ZINC;
    a.layers = first_of(&options->layers, LM_NETWORK_LAYERS);
    a.width = first_of(&options->width, LM_NETWORK_WIDTH);
    a.ignore_vertex_labels = (asked->ignore & LM_IGNORE_VERTEX_LABELS) != 0;
    a.ignore_edge_labels = (asked->ignore & LM_IGNORE_EDGE_LABELS) != 0;
    a.ignore_attributes = (asked->ignore & LM_IGNORE_ATTRIBUTES) != 0;
    a.in_arcs = asked->in_arcs;
    if (options->encode && lm_network_has_pairs(&a)) PASS(leman_architecture_encode(ctx, options->encode, &a));
    PASS(leman_architecture_attributes(ctx, request->data, &a, NULL));
    *architecture = a;
    return LEMAN_OK;
}

/* Returns the number of parameters of the network that the first fold chose, or 0 if they cannot be counted. */
static size_t count_parameters(leman_context *ctx, const leman_dataset *data, const leman_architecture *architecture,
                               const leman_training *given, const leman_network_evaluation *networks)
{
    leman_architecture chosen = *architecture;
    leman_training training = *given;
    void (*const log)(void *, const char *) = ctx->settings.log;
    AUTO(leman_parts_drop) leman_parts *parts = NULL;
    AUTO(leman_network_drop) leman_network *network = NULL;
    AUTO(leman_history_drop) leman_history *history = NULL;
    chosen.layers = networks->fold[0].layers;
    chosen.width = networks->fold[0].width;
    training.epochs = 0;
    ctx->settings.log = NULL; /* the network was described before */
    if (!leman_parts_draw(ctx, leman_dataset_shape(data)->graphs, 0.1, 0.1, &parts))
        (void)leman_train(ctx, data, parts, &chosen, &training, &network, &history);
    ctx->settings.log = log;
    return network ? leman_network_describe(network)->parameters : 0;
}

leman_status lm_network_evaluate(lm_work *work, const lm_request *request, const lm_network_options *options,
                                 const leman_architecture *architecture, const char *journal, size_t *parameters,
                                 leman_evaluation **out)
{
    leman_context *ctx = work->ctx;
    leman_network_protocol protocol = leman_network_protocol_default();
    AUTO(leman_network_evaluation_drop) leman_network_evaluation *networks = NULL;
    const size_t target = request->protocol.target;
    leman_training training = leman_training_default(architecture);
    size_t *layers = NULL, *widths = NULL;
    training.epochs = options->epochs ? (size_t)options->epochs : LM_NETWORK_EPOCHS;
    training.classes = target == LEMAN_NO_TARGET;
    if (!training.classes) {
        training.targets = &target;
        training.target_count = 1;
        training.scale_targets = false; /* errors are in the unit of the data, as for kernels */
    }
    PASS(lm_ranges_list(ctx, "--layers", &options->layers, LM_NETWORK_CHOICES, &layers, &protocol.layers_count));
    PASS(lm_ranges_list(ctx, "--width", &options->width, LM_NETWORK_CHOICES, &widths, &protocol.widths_count));
    protocol.layers = layers ? layers : &architecture->layers;
    protocol.widths = widths ? widths : &architecture->width;
    if (!layers) protocol.layers_count = 1;
    if (!widths) protocol.widths_count = 1;
    protocol.splits = request->splits;
    protocol.journal = journal;
    protocol.resume = journal != NULL;
    PASS(lm_network_attributes_log(work, request->data, architecture, false, &(lm_learned_columns){0}));
    PASS(leman_network_evaluate(ctx, request->data, architecture, &training, &protocol, &networks));
    PASS(leman_network_evaluation_scores(ctx, request->data, request->splits, target, networks, out));
    *parameters = count_parameters(ctx, request->data, architecture, &training, networks);
    return LEMAN_OK;
}
