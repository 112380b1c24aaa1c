/* The tables of architectures and presets, and the way from a row of each to a program. */
#include "nn/model.h"
#include "base/arguments.h"
#include "nn/layers.h"
#include <stdio.h>
#include <string.h>

static const lm_architecture_row MODELS[] = {
    [LEMAN_NETWORK_KIND_GIN0] = {"gin0", LEMAN_ALGORITHM_LOCAL, .epsilon = false},
    [LEMAN_NETWORK_KIND_GIN] = {"gin", LEMAN_ALGORITHM_LOCAL, .epsilon = true},
    [LEMAN_NETWORK_KIND_GINE0] = {"gine0", LEMAN_ALGORITHM_LOCAL, .edges = true},
    [LEMAN_NETWORK_KIND_GINE] = {"gine", LEMAN_ALGORITHM_LOCAL, .edges = true, .epsilon = true},
    [LEMAN_NETWORK_KIND_WL] = {"wl", LEMAN_ALGORITHM_WL, .tuples = true, .epsilon = true},
    [LEMAN_NETWORK_KIND_LOCAL] = {"local", LEMAN_ALGORITHM_LOCAL, .tuples = true, .epsilon = true},
    [LEMAN_NETWORK_KIND_LOCAL_PLUS] = {"local+", LEMAN_ALGORITHM_LOCAL_PLUS, .tuples = true, .epsilon = true},
    [LEMAN_NETWORK_KIND_DELTA] = {"delta", LEMAN_ALGORITHM_DELTA, .tuples = true, .epsilon = true},
};

#define NORMED                                                                                                         \
    {                                                                                                                  \
        .inside = true, .relu = true                                                                                   \
    }

static const lm_preset_row PRESETS[] = {
    [LEMAN_PRESET_ZINC] = {.name = "zinc",
                           .layers = 4,
                           .width = 256,
                           .vertex = {.relu = true, .behind = true},
                           .narrow = true,
                           .branch = {.relu = true},
                           .merge = {.behind = true},
                           .all_layers = true,
                           .maps = 4},
    [LEMAN_PRESET_ALCHEMY] = {.name = "alchemy",
                              .layers = 6,
                              .width = 64,
                              .vertex = {.relu = true},
                              .narrow = true,
                              .branch = NORMED,
                              .merge = NORMED,
                              .turns = 6,
                              .maps = 2},
    [LEMAN_PRESET_QM9] = {.name = "qm9",
                          .layers = 6,
                          .width = 64,
                          .edge = NORMED,
                          .vertex = NORMED,
                          .branch = NORMED,
                          .merge = NORMED,
                          .turns = 6,
                          .maps = 2,
                          .parts = true},
    [LEMAN_PRESET_TU] = {.name = "tu",
                         .layers = 5,
                         .width = 64,
                         .edge = {.relu = true, .behind = true},
                         .vertex = {.relu = true, .behind = true},
                         .branch = {.relu = true},
                         .merge = {.relu = true, .behind = true},
                         .maps = 2,
                         .dropout = 0.5},
};

enum { MODEL_COUNT = sizeof MODELS / sizeof *MODELS, PRESET_COUNT = sizeof PRESETS / sizeof *PRESETS };

/* ---- Options --------------------------------------------------------------------------------- */

void leman_architecture_init(leman_architecture *architecture, size_t size)
{
    const leman_architecture defaults = {.kind = LEMAN_NETWORK_KIND_LOCAL, .k = 2, .preset = LEMAN_PRESET_ZINC};
    lm_options_init(architecture, size, &defaults, sizeof defaults);
}

const char *leman_network_kind_name(leman_network_kind kind)
{
    return (unsigned)kind < MODEL_COUNT ? MODELS[kind].name : "unknown";
}

const char *leman_preset_name(leman_preset preset)
{
    return (unsigned)preset < PRESET_COUNT ? PRESETS[preset].name : "unknown";
}

leman_status leman_network_kind_parse(leman_context *ctx, const char *name, leman_network_kind *kind)
{
    for (size_t i = 0; i < MODEL_COUNT; i++)
        if (!strcmp(MODELS[i].name, name)) {
            *kind = (leman_network_kind)i;
            return LEMAN_OK;
        }
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "model: found '%s', expected gin0, gin, gine0, gine, wl, local, local+ or delta", name);
}

leman_status leman_preset_parse(leman_context *ctx, const char *name, leman_preset *preset)
{
    for (size_t i = 0; i < PRESET_COUNT; i++)
        if (!strcmp(PRESETS[i].name, name)) {
            *preset = (leman_preset)i;
            return LEMAN_OK;
        }
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "preset: found '%s', expected zinc, alchemy, qm9 or tu", name);
}

leman_status lm_model_normalize(leman_context *ctx, lm_model_options *options)
{
    enum { MAX_WIDTH = 1 << 16, MAX_OUTPUTS = 1 << 20 };
    leman_architecture *a = &options->shape;
    if ((unsigned)a->kind >= MODEL_COUNT || (unsigned)a->preset >= PRESET_COUNT)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "model %d with preset %d does not exist", (int)a->kind,
                       (int)a->preset);
    if (!a->layers) a->layers = PRESETS[a->preset].layers;
    if (!a->width) a->width = PRESETS[a->preset].width;
    if (!MODELS[a->kind].tuples) a->k = 1;
    if (MODELS[a->kind].tuples && (a->k < 2 || a->k > LM_NETWORK_MAX_K))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "k: found %u, expected 2 or %d for the model %s", a->k,
                       LM_NETWORK_MAX_K, MODELS[a->kind].name);
    if (a->layers > LM_NETWORK_MAX_ROUNDS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "layers: found %zu, expected 1 to %d", a->layers,
                       LM_NETWORK_MAX_ROUNDS);
    if (a->width > MAX_WIDTH)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "width: found %zu, expected 1 to %d", a->width, MAX_WIDTH);
    if (!options->outputs || options->outputs > MAX_OUTPUTS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "targets or classes: found %zu, expected 1 to %d", options->outputs,
                       MAX_OUTPUTS);
    return LEMAN_OK;
}

lm_encoding_options lm_model_encoding(const lm_model_options *options)
{
    const leman_architecture *a = &options->shape;
    const lm_architecture_row *model = MODELS + a->kind;
    const bool parts = PRESETS[a->preset].parts;
    return (lm_encoding_options){.k = a->k,
                                 .parts = parts,
                                 .dense = model->edges, /* ReLU(x + e') wants vectors, not numbers of types */
                                 .edges = model->edges,
                                 .joined = model->edges && parts,
                                 .ignore_vertex_labels = a->ignore_vertex_labels,
                                 .ignore_edge_labels = a->ignore_edge_labels,
                                 .ignore_attributes = a->ignore_attributes,
                                 .coordinates = parts ? a->coordinates : 0,
                                 .first_coordinate = parts ? a->first_coordinate : 0,
                                 .rounds = model->variant == LEMAN_ALGORITHM_LOCAL_PLUS ? a->layers : 0};
}

/* ---- Building -------------------------------------------------------------------------------- */

static void layers(const lm_building *b, lm_model_values *values)
{
    enum { FOURTH = 3 };
    uint32_t x = values->input;
    lm_gine_weights gine = {0};
    for (size_t t = 0; t < b->shape->layers; t++) {
        const bool shared = t == FOURTH && b->shape->preset == LEMAN_PRESET_ZINC && !b->shape->own_fourth;
        lm_program_segment(b->p);
        lm_program_enter(b->p, "layer%zu", t + 1);
        if (b->model->tuples)
            x = lm_layer_tuples(b, t, x);
        else if (b->model->edges)
            x = lm_layer_gine(b, x, shared, &gine);
        else
            x = lm_layer_gin(b, x);
        lm_program_leave(b->p);
        values->layer[t] = x;
    }
}

static uint32_t pool(const lm_building *b, const lm_model_values *values)
{
    lm_program *p = b->p;
    const size_t width = b->shape->width, last = b->shape->layers - 1;
    lm_program_segment(p);
    if (b->preset->turns)
        return lm_program_set2set(p, values->layer[last], b->preset->turns,
                                  lm_lstm_new(p, "set2set", 2 * width, width));
    if (!b->preset->all_layers) return lm_program_pool(p, values->layer[last], true);
    /* The mean of layers side by side is their means side by side; and rows that stand together are added faster. */
    uint32_t pooled[LM_NETWORK_MAX_ROUNDS];
    for (size_t t = 0; t <= last; t++) pooled[t] = lm_program_pool(p, values->layer[t], true);
    return lm_program_join(p, pooled, last + 1);
}

/* Linear maps with ReLU between them. */
static uint32_t head(const lm_building *b, uint32_t x, size_t outputs)
{
    lm_program *p = b->p;
    const leman_architecture *o = b->shape;
    const size_t pooled = b->preset->turns ? 2 * o->width : b->preset->all_layers ? o->layers * o->width : o->width;
    lm_program_enter(p, "head");
    for (size_t i = 1; i <= b->preset->maps; i++) {
        const bool last = i == b->preset->maps;
        char name[32];
        snprintf(name, sizeof name, "linear%zu", i);
        if (last && b->preset->dropout > 0) x = lm_program_dropout(p, x, b->preset->dropout);
        const lm_linear map = lm_linear_new(p, name, i == 1 ? pooled : o->width, last ? outputs : o->width);
        x = lm_program_linear(p, x, map, last ? LM_IDENTITY : LM_RELU);
    }
    lm_program_leave(p);
    return x;
}

static void keep_all(lm_program *p, const lm_model_values *values, size_t layer_count)
{
    if (p->status) return;
    if (values->input != LM_NONE) lm_program_keep(p, values->input);
    for (size_t t = 0; t < layer_count; t++) lm_program_keep(p, values->layer[t]);
    lm_program_keep(p, values->pooled);
}

/* Has the first layer something to read? */
static bool inputs_fit(const lm_building *b)
{
    const lm_widths *w = b->widths;
    if (b->model->tuples) return w->types && (b->model->variant != LEMAN_ALGORITHM_LOCAL_PLUS || w->counts);
    return b->model->edges ? w->vertex_reals && (w->labels || w->arc_reals) : w->vertex_reals || w->types;
}

leman_status lm_model_build(leman_context *ctx, const lm_model_options *options, const lm_widths *widths,
                            lm_model_values *asked, lm_program **out)
{
    leman_status st = LEMAN_OK;
    lm_program *p = NULL;
    lm_model_values values = {0};
    const leman_architecture *shape = &options->shape;
    TRY(lm_program_new(ctx, shape->k, &p));
    const lm_building b = {p, shape, PRESETS + shape->preset, MODELS + shape->kind, widths};
    if (!inputs_fit(&b)) FAIL(ctx, LEMAN_ERROR_INTERNAL, "the inputs are not those of the model %s", b.model->name);
    values.input = lm_layers_input(&b);
    layers(&b, &values);
    values.pooled = pool(&b, &values);
    if (asked) keep_all(p, &values, shape->layers);
    lm_program_predict(p, head(&b, values.pooled, options->outputs));
    lm_program_set_loss(p, options->loss);
    TRY(lm_program_finish(p));
    if (asked) *asked = values;
    *out = p;
done:
    if (st) lm_program_free(p);
    return st;
}
