/* The tables of architectures and presets, and building a program from a row of each. */
#include "nn/model.h"
#include "base/arguments.h"
#include "base/ascii.h"
#include "base/text.h"
#include "nn/layers.h"
#include "refine/spelling.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- Readouts -------------------------------------------------------------------------------- */

static uint32_t mean_of_last(const lm_building *b, const uint32_t *layer)
{
    return lm_program_pool(b->p, layer[b->shape->layers - 1], true);
}

/* The mean of all layers, joined side by side. Joining first gives the same means and is faster, since rows are
 * contiguous. */
static uint32_t mean_of_all(const lm_building *b, const uint32_t *layer)
{
    uint32_t pooled[LM_NETWORK_MAX_ROUNDS];
    for (size_t t = 0; t < b->shape->layers; t++) pooled[t] = lm_program_pool(b->p, layer[t], true);
    return lm_program_join(b->p, pooled, b->shape->layers);
}

uint32_t lm_readout_set2set(const lm_building *b, uint32_t x, unsigned turns)
{
    const size_t width = b->shape->width;
    return lm_program_set2set(b->p, x, turns, lm_lstm_new(b->p, "set2set", 2 * width, width));
}

static uint32_t set2set(const lm_building *b, const uint32_t *layer)
{
    return lm_readout_set2set(b, layer[b->shape->layers - 1], b->preset->turns);
}

/* ---- The tables ------------------------------------------------------------------------------ */

#define MODEL(NAME, name) [LEMAN_NETWORK_KIND_##NAME] = &lm_model_##name,
static const lm_architecture_row *const MODELS[] = {LEMAN_NETWORK_KINDS(MODEL)};

#define NORMED                                                                                                         \
    {                                                                                                                  \
        .inside = true, .relu = true                                                                                   \
    }

static const lm_preset_row PRESETS[] = {
    [LEMAN_PRESET_ZINC] = {.name = "zinc",
                           .layers = 4,
                           .width = 256,
                           .readout = mean_of_all,
                           .vertex = {.relu = true, .behind = true},
                           .narrow = true,
                           .branch = {.relu = true},
                           .merge = {.behind = true},
                           .repeated = 3,
                           .maps = 4,
                           .epochs = 500,
                           .batch_size = 25,
                           .unscaled = true},
    [LEMAN_PRESET_ALCHEMY] = {.name = "alchemy",
                              .layers = 6,
                              .width = 64,
                              .readout = set2set,
                              .vertex = {.relu = true},
                              .narrow = true,
                              .branch = NORMED,
                              .merge = NORMED,
                              .turns = 6,
                              .maps = 2},
    [LEMAN_PRESET_QM9] = {.name = "qm9",
                          .layers = 6,
                          .width = 64,
                          .readout = set2set,
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
                         .readout = mean_of_last,
                         .edge = {.relu = true, .behind = true},
                         .vertex = {.relu = true, .behind = true},
                         .branch = {.relu = true},
                         .merge = {.relu = true, .behind = true},
                         .maps = 2,
                         .dropout = 0.5,
                         .epochs = 200,
                         .learning_rate = 1e-2},
};

/* ---- Options --------------------------------------------------------------------------------- */

LM_OPTIONS(leman_architecture, architecture, .kind = LEMAN_NETWORK_KIND_LOCAL, .k = 2, .preset = LEMAN_PRESET_ZINC,
           .attributes = LEMAN_ATTRIBUTE_USE_STANDARDIZED)

static const char *const USES[] = {[LEMAN_ATTRIBUTE_USE_NONE] = "none",
                                   [LEMAN_ATTRIBUTE_USE_RAW] = "raw",
                                   [LEMAN_ATTRIBUTE_USE_STANDARDIZED] = "standardized"};
LM_ENUM(leman_attribute_use, use, "attributes", USES, , LEMAN_ATTRIBUTE_USE_COUNT)

const char *leman_network_kind_name(leman_network_kind kind)
{
    return (unsigned)kind < LEMAN_NETWORK_KIND_COUNT ? MODELS[kind]->name : "unknown";
}

/* ---- Names of architectures ------------------------------------------------------------------ */

const char *leman_architecture_known_name(size_t i)
{
    if (i < LEMAN_NETWORK_KIND_COUNT) return MODELS[i]->name;
    i -= LEMAN_NETWORK_KIND_COUNT;
    for (size_t n = 0; n < LM_MODEL_NAMES; n++)
        for (size_t kind = 0; kind < LEMAN_NETWORK_KIND_COUNT; kind++)
            if (MODELS[kind]->offered[n] && !i--) return MODELS[kind]->offered[n];
    return NULL;
}

static leman_status unknown_model(leman_context *ctx, const char *name)
{
    char list[LM_SENTENCE / 2];
    lm_joined names = lm_joined_begin(list, sizeof list);
    for (size_t i = 0; leman_architecture_known_name(i); i++) lm_joined_name(&names, leman_architecture_known_name(i));
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "model: found '%s', expected one of: %s", name, list);
}

static const char OWN_PARTS[] = "pairs"; /* the name of a pair network with parts of the caller's choice */

static leman_status unknown_parts(leman_context *ctx, const char *name)
{
    char list[LM_SENTENCE / 2];
    lm_joined names = lm_joined_begin(list, sizeof list);
    for (size_t i = 0; i < LEMAN_LAYER_PARTS; i++) lm_joined_name(&names, leman_layer_part_name(i));
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "model: found '%s', expected parts behind a colon, such as 'pairs:local1+local2', each once, of: %s",
                   name, list);
}

/* Returns true if `folded` is one of the row's names. *k: the number in the name, or 0. */
static bool is_called(const lm_architecture_row *model, const char *folded, unsigned *k)
{
    if (lm_pattern_match(model->paper, folded, k) || !strcmp(model->name, folded)) return true;
    for (size_t i = 0; i < LM_MODEL_NAMES; i++)
        if (model->offered[i] && lm_pattern_match(model->offered[i], folded, k)) return true;
    return false;
}

/* Reads the parts of layers in "local1+local2". Returns 0 if one of them does not exist or is named twice. */
static unsigned read_parts(char *text)
{
    unsigned parts = 0;
    for (char *next = text; next; text = next) {
        unsigned part = 0;
        next = strchr(text, '+');
        if (next) *next++ = 0;
        for (size_t i = 0; i < LEMAN_LAYER_PARTS; i++)
            if (!strcmp(text, leman_layer_part_name(i))) part = 1u << i;
        if (!part || (parts & part)) return 0;
        parts |= part;
    }
    return parts;
}

/* Finds the model of "gin", "delta-2-LGNN", "local:2" or "pairs:local1+local2" among the names. a->k becomes the number of
 * the name, 0 without one, UINT_MAX if what follows the colon is no number; a->layer_parts the parts of the name. */
static bool find_model(char *folded, leman_architecture *a)
{
    char *colon = strchr(folded, ':');
    if (colon) *colon++ = 0;
    if (!strcmp(folded, OWN_PARTS)) {
        a->kind = LEMAN_NETWORK_KIND_LOCAL2;
        a->k = 0;
        a->layer_parts = colon ? read_parts(colon) : 0;
        return a->layer_parts;
    }
    for (size_t i = 0; i < LEMAN_NETWORK_KIND_COUNT; i++) {
        if (!is_called(MODELS[i], folded, &a->k)) continue;
        a->kind = (leman_network_kind)i;
        a->layer_parts = 0;
        if (colon && (a->k || MODELS[i]->k)) return false; /* delta-2-LGNN:3, gin:1 */
        if (colon) a->k = colon[0] >= '1' && colon[0] <= '9' && !colon[1] ? (unsigned)(colon[0] - '0') : UINT_MAX;
        return true;
    }
    return false;
}

static leman_status parse_architecture(leman_context *ctx, const char *name, leman_architecture *a)
{
    static const char NETWORK[] = "network:";
    char folded[LM_SPELLING];
    leman_architecture found = *a;
    const char *plain = lm_begins(name, NETWORK) ? name + sizeof NETWORK - 1 : name;
    if (!lm_spelling_fold(plain, folded)) return unknown_model(ctx, name);
    if (!find_model(folded, &found))
        return strcmp(folded, OWN_PARTS) ? unknown_model(ctx, name) : unknown_parts(ctx, name);
    if (found.k && (found.k < 2 || found.k > LM_NETWORK_MAX_K))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "model: found '%s', expected k from 2 to %d", name, LM_NETWORK_MAX_K);
    if (!found.k) found.k = a->k;
    *a = found;
    return LEMAN_OK;
}

leman_status leman_architecture_parse(leman_context *ctx, const char *name, leman_architecture *architecture)
{
    leman_architecture a = leman_architecture_default();
    REQUIRE(ctx, name, architecture);
    PASS(lm_options_copy(ctx, "leman_architecture", architecture, &a, sizeof a));
    PASS(parse_architecture(ctx, name, &a));
    lm_options_return(&a, sizeof a, architecture);
    return LEMAN_OK;
}

size_t leman_architecture_paper_name(const leman_architecture *given, char *text, size_t size)
{
    leman_architecture a = leman_architecture_default();
    if (!text) size = 0;
    if (size) *text = 0;
    if (lm_options_copy(NULL, "leman_architecture", given, &a, sizeof a)) return 0;
    if ((unsigned)a.kind >= LEMAN_NETWORK_KIND_COUNT) return lm_pattern_write("unknown", a.k, text, size);
    if (!a.layer_parts) return lm_pattern_write(MODELS[a.kind]->paper, a.k, text, size);
    char name[LM_SPELLING];
    size_t length = (size_t)snprintf(name, sizeof name, "%s", OWN_PARTS);
    for (size_t i = 0, count = 0; i < LEMAN_LAYER_PARTS && length < sizeof name; i++)
        if (a.layer_parts >> i & 1)
            length += (size_t)snprintf(name + length, sizeof name - length, "%s%s", count++ ? "+" : ":",
                                       leman_layer_part_name(i));
    return (size_t)snprintf(text, size, "%s", name);
}

/* ---- Presets --------------------------------------------------------------------------------- */

LM_ENUM(leman_preset, preset, "preset", PRESETS, .name, LEMAN_PRESET_COUNT)

leman_preset leman_preset_for(const leman_dataset *data)
{
    return data && leman_dataset_shape(data)->columns->classes ? LEMAN_PRESET_TU : LEMAN_PRESET_ZINC;
}

/* Predictions of vertices need rows of vertices or tuples, predictions of edges need rows of pairs. */
static leman_status check_level(leman_context *ctx, const lm_architecture_row *model, const lm_model_options *options)
{
    const leman_architecture *a = &options->shape;
    char name[96];
    leman_architecture_paper_name(a, name, sizeof name);
    if (options->level && model->sets[0])
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found %s and the level %s, expected a network on vertices or tuples, such as Local-2-GNN", name,
                       leman_level_name(options->level));
    if (options->level == LEMAN_LEVEL_EDGE && a->k != 2)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found %s and the level edge, expected a network on pairs, such as Local-2-GNN", name);
    if (options->level == LEMAN_LEVEL_VERTEX && a->coordinates)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found attributes that are positions and the level vertex, expected the level graph or edge");
    return LEMAN_OK;
}

/* Sparse sets are those of networks that sum over neighbours alone. A set that has all tuples is no sparse set. */
static leman_status check_components(leman_context *ctx, const lm_architecture_row *model, lm_model_options *options)
{
    leman_architecture *a = &options->shape;
    char name[96];
    leman_architecture_paper_name(a, name, sizeof name);
    if (a->components && (a->k < 2 || model->matrix || model->variant != LEMAN_ALGORITHM_LOCAL))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found tuples of at most %zu connected component%s for %s, expected all tuples, or a network "
                       "that sums over neighbouring tuples alone, such as delta-2-LGNN or Local-2-GNN",
                       a->components, lm_plural(a->components), name);
    if (a->components >= a->k) a->components = 0;
    return LEMAN_OK;
}

leman_status lm_model_normalize(leman_context *ctx, lm_model_options *options)
{
    enum { MAX_WIDTH = 1 << 16, MAX_OUTPUTS = 1 << 20 };
    leman_architecture *a = &options->shape;
    if ((unsigned)a->kind >= LEMAN_NETWORK_KIND_COUNT || (unsigned)a->preset >= LEMAN_PRESET_COUNT)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "model %d with preset %d does not exist", (int)a->kind,
                       (int)a->preset);
    const lm_architecture_row *model = MODELS[a->kind];
    if (!a->layers) a->layers = model->layers ? model->layers : PRESETS[a->preset].layers;
    if (!a->width) a->width = model->width ? model->width : PRESETS[a->preset].width;
    if (model->k) a->k = model->k;
    if (PRESETS[a->preset].parts) a->attributes = LEMAN_ATTRIBUTE_USE_RAW;
    if (a->ignore_attributes) a->attributes = LEMAN_ATTRIBUTE_USE_NONE;
    if (a->in_arcs && model->sets[0])
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found entering arcs as a second relation for %s, expected another model: sets of vertices are "
                       "neighbours whichever way the arcs between them go",
                       model->paper);
    if (a->layer_parts && !model->pairs)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found parts of layers for %s, expected a pair network",
                       model->paper);
    if (a->layer_parts >> LEMAN_LAYER_PARTS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found parts of layers that do not exist: %#x", a->layer_parts);
    PASS(lm_pair_encodings_normalize(ctx, a));
    if (!model->k && (a->k < 2 || a->k > LM_NETWORK_MAX_K))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "k: found %u, expected 2 or %d for the model %s", a->k,
                       LM_NETWORK_MAX_K, model->paper);
    PASS(check_level(ctx, model, options));
    PASS(check_components(ctx, model, options));
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

unsigned leman_architecture_k(const leman_architecture *given)
{
    leman_architecture a = leman_architecture_default();
    if (lm_options_copy(NULL, "leman_architecture", given, &a, sizeof a)) return 0;
    if ((unsigned)a.kind >= LEMAN_NETWORK_KIND_COUNT) return 0;
    return MODELS[a.kind]->k ? MODELS[a.kind]->k : a.k;
}

void lm_model_training(const leman_architecture *a, leman_training *training)
{
    if ((unsigned)a->kind >= LEMAN_NETWORK_KIND_COUNT || (unsigned)a->preset >= LEMAN_PRESET_COUNT) return;
    const lm_architecture_row *model = MODELS[a->kind];
    const lm_preset_row *preset = PRESETS + a->preset;
    if (preset->epochs) training->epochs = preset->epochs;
    if (preset->batch_size) training->batch_size = preset->batch_size;
    if (preset->learning_rate > 0) training->learning_rate = preset->learning_rate;
    if (preset->unscaled) training->scale_targets = false;
    if (model->learning_rate > 0) training->learning_rate = model->learning_rate;
    if (model->patience) training->patience = model->patience;
    if (model->epochs) training->epochs = model->epochs;
    if (model->batch_size) training->batch_size = model->batch_size;
    if (model->unscaled) training->scale_targets = false;
}

bool lm_model_has_pairs(leman_network_kind kind)
{
    return (unsigned)kind < LEMAN_NETWORK_KIND_COUNT && MODELS[kind]->pairs;
}

bool lm_model_has_sets(const leman_architecture *a)
{
    return (unsigned)a->kind < LEMAN_NETWORK_KIND_COUNT && MODELS[a->kind]->sets[0];
}

_Static_assert(LM_LISTS == 2, "sets for each of them");

lm_encoding_options lm_model_encoding(const lm_model_options *options)
{
    const leman_architecture *a = &options->shape;
    const lm_architecture_row *model = MODELS[a->kind];
    const bool parts = PRESETS[a->preset].parts, distances = parts && !model->matrix;
    const lm_pair_encodings pairs = lm_pair_encodings_of(a);
    return (lm_encoding_options){.k = a->k,
                                 .components = a->components,
                                 .parts = parts,
                                 .beside = !parts && a->attributes != LEMAN_ATTRIBUTE_USE_NONE,
                                 .dense = model->edges && !model->layer_parts, /* ReLU(x + e') needs vectors */
                                 .edges = model->edges,
                                 .joined = model->edges && parts && !model->sets[0],
                                 .matrix = model->matrix,
                                 .distance = pairs.distance,
                                 .walk = pairs.walk,
                                 .resistance = pairs.resistance,
                                 .pairs = model->pairs,
                                 .in_arcs = a->in_arcs,
                                 .ignore_vertex_labels = a->ignore_vertex_labels,
                                 .ignore_edge_labels = a->ignore_edge_labels,
                                 .ignore_attributes = a->ignore_attributes,
                                 .coordinates = distances ? a->coordinates : 0,
                                 .first_coordinate = distances ? a->first_coordinate : 0,
                                 .rounds = model->variant == LEMAN_ALGORITHM_LOCAL_PLUS ? a->layers : 0,
                                 .sets = {model->sets[0], model->sets[1]}};
}

leman_status leman_architecture_columns(leman_context *ctx, const leman_dataset *data, const leman_architecture *given,
                                        size_t *vertices, size_t *edges)
{
    lm_model_options options = {.shape = leman_architecture_default(), .outputs = 1};
    REQUIRE(ctx, data, vertices, edges);
    PASS(lm_options_copy(ctx, "leman_architecture", given, &options.shape, sizeof options.shape));
    REQUIRE_ENUM(ctx, options.shape.attributes, LEMAN_ATTRIBUTE_USE_COUNT - 1);
    PASS(lm_model_normalize(ctx, &options));
    const lm_encoding_options encoding = lm_model_encoding(&options);
    const leman_columns read = lm_encoding_attributes(&encoding, leman_dataset_shape(data)->columns);
    *vertices = read.vertex_attributes;
    *edges = read.edge_attributes;
    return LEMAN_OK;
}

/* ---- Building -------------------------------------------------------------------------------- */

/* Linear maps with ReLU or ELU between them. */
static uint32_t head(const lm_building *b, uint32_t x, size_t outputs)
{
    lm_program *p = b->p;
    const size_t maps = b->model->maps ? b->model->maps : b->preset->maps;
    size_t inputs = lm_layers_width(b, x);
    lm_program_enter(p, "head");
    for (size_t i = 1; i <= maps; i++) {
        const bool last = i == maps;
        const size_t usual = b->model->wide_head ? 2 * b->shape->width : b->shape->width;
        const size_t inner = b->model->inner[i - 1] ? b->model->inner[i - 1] : usual;
        char name[32];
        snprintf(name, sizeof name, "linear%zu", i);
        if (last && b->preset->dropout > 0) x = lm_program_dropout(p, x, b->preset->dropout);
        const lm_linear map = lm_linear_new(p, name, inputs, last ? outputs : inner);
        x = lm_program_linear(p, x, map, last ? LM_IDENTITY : b->model->elu ? LM_ELU : LM_RELU);
        inputs = inner;
    }
    lm_program_leave(p);
    return x;
}

/* The features of vertices or of arcs that the head reads. The two arcs of an undirected edge have the same features. */
static uint32_t features_of(const lm_building *b, const lm_model_options *options, const uint32_t *layer)
{
    lm_program *p = b->p;
    uint32_t x = layer[b->shape->layers - 1];
    if (options->level == LEMAN_LEVEL_EDGE) {
        const uint32_t there = lm_program_gather(p, x, false);
        return options->directed ? there : lm_program_add(p, there, lm_program_gather(p, x, true), LM_IDENTITY);
    }
    if (b->model->vertices) return b->model->vertices(b, layer);
    return b->shape->k > 1 ? lm_program_collect(p, x, 0) : x;
}

leman_status lm_model_build(leman_context *ctx, const lm_model_options *options, const lm_widths *widths,
                            lm_program **out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_program_drop) lm_program *p = NULL;
    const leman_architecture *shape = &options->shape;
    uint32_t layer[LM_NETWORK_MAX_ROUNDS];
    PASS(lm_program_new(ctx, shape->components ? 1 : shape->k, &p)); /* listed tuples are no tuples of the program */
    lm_building b = {.p = p,
                     .shape = shape,
                     .preset = PRESETS + shape->preset,
                     .model = MODELS[shape->kind],
                     .widths = widths,
                     .own_fourth_layer = options->own_fourth_layer};
    if (!b.model->reads(widths))
        return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "the inputs are not those of the model %s", b.model->name);
    char *state;
    PASS_SCRATCH_ZERO(ctx, state, b.model->state);
    b.state = state;
    uint32_t x = b.model->input(&b);
    for (size_t t = 0; t < shape->layers; t++) {
        lm_program_segment(p);
        lm_program_enter(p, "layer%zu", t + 1);
        layer[t] = x = b.model->layer(&b, t, x);
        lm_program_leave(p);
    }
    lm_program_segment(p);
    x = options->level ? features_of(&b, options, layer)
                       : (b.model->readout ? b.model->readout : b.preset->readout)(&b, layer);
    lm_program_predict(p, head(&b, x, options->outputs));
    lm_program_set_loss(p, options->loss);
    PASS(lm_program_finish(p));
    return HAND_OVER(out, p);
}
