/* The options that name kernels: each -a is a kernel, all other options hold for every one of them. */
#include "cli/kernels.h"
#include "kernel/kernel.h"
#include "refine/variant.h"
#include <stdlib.h>
#include <string.h>

#define FIELD(member) offsetof(lm_kernel_options, member)

static const char *const ALGORITHMS[] = {"wl",       "delta", "local", "local+", "folklore", "wloa", "sp",
                                         "graphlet", "WL1",   "WL2",   "WL3",    "DWL2",     "DWL3", "LWL2",
                                         "LWL3",     "LWLP2", "LWLP3", "WLOA",   "SP",       "GR",   NULL};
static const char *const COUNT_ROUNDS[] = {"last", "all", NULL};
static const char *const IGNORED[] = {"vertex-labels", "edge-labels", "attributes", NULL};
enum { VERTEX_LABELS = 1, EDGE_LABELS = 2, ATTRIBUTES = 4 };

const lm_option LM_KERNEL_OPTIONS[] = {
    {.name = "algorithm",
     .letter = 'a',
     .kind = LM_TEXTS,
     .field = FIELD(algorithms),
     .value = "NAME",
     .choices = ALGORITHMS,
     .help = "wl, delta, local, local+ or folklore, alone or with its k (local:3); wloa, sp or graphlet (default: "
             "local); given again it adds a kernel"},
    {.name = "k",
     .letter = 'k',
     .kind = LM_UNSIGNED,
     .field = FIELD(k),
     .least = 1,
     .most = LM_MAX_K,
     .value = "N",
     .help = "size of the tuples, for names that do not say it (default: 2)"},
    {.name = "rounds",
     .letter = 'r',
     .kind = LM_TEXT,
     .field = FIELD(rounds),
     .value = "H",
     .help = "rounds 0 to H of a colouring (default: 5), or stable: until nothing splits in DATA any more"},
    {.name = "count-rounds",
     .kind = LM_CHOICE,
     .field = FIELD(count_rounds),
     .value = "WHICH",
     .choices = COUNT_ROUNDS,
     .help = "local+: the rounds that count equal colours on a line (default: last)"},
    {.name = "ignore",
     .kind = LM_SET,
     .field = FIELD(ignore),
     .value = "LIST",
     .choices = IGNORED,
     .help = "do as if DATA had none of these, a list with commas"},
    {.name = "in-arcs",
     .kind = LM_FLAG,
     .field = FIELD(in_arcs),
     .help = "directed data: entering arcs are a second relation"},
    {.name = "apex",
     .kind = LM_FLAG,
     .field = FIELD(apex),
     .help = "add a marked vertex joined to all others, for disconnected graphs"},
    {.name = "weighted",
     .kind = LM_FLAG,
     .field = FIELD(weighted),
     .help = "sp: the length of an edge is its first attribute, not 1"},
    {.name = "assignment",
     .kind = LM_FLAG,
     .field = FIELD(assignment),
     .help = "sum of minima of two histograms (their intersection) instead of products"},
    {.name = "weights",
     .kind = LM_TEXT,
     .field = FIELD(weights),
     .value = "LIST",
     .help = "a number above 0 for every -a, with commas (default: 1 each)"},
    {.name = "normalize", .kind = LM_FLAG, .field = FIELD(normalize), .help = "cosine: every graph gets length 1"},
    {0},
};

void lm_kernels_prepare(void *options)
{
    lm_kernel_options *asked = options;
    asked->k = leman_coloring_default().k;
}

/* ---- From options to kernels --------------------------------------------------------------------------------- */

static leman_status parse_rounds(leman_context *ctx, const char *text, uint32_t *rounds)
{
    char *end;
    if (!strcmp(text, "stable")) {
        *rounds = LEMAN_STABLE;
        return LEMAN_OK;
    }
    unsigned long value = strtoul(text, &end, 10);
    if (strspn(text, "0123456789") != strlen(text) || end == text || value > LM_MOST_ROUNDS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "option '--rounds': found '%s', expected a whole number from 0 to %d, or stable", text,
                       LM_MOST_ROUNDS);
    *rounds = (uint32_t)value;
    return LEMAN_OK;
}

/* "1,0.5": exactly one number for every kernel. */
static leman_status parse_weights(leman_context *ctx, const char *text, leman_kernel *kernels, size_t count)
{
    const char *at = text;
    for (size_t i = 0; i < count; i++) {
        char *end;
        double weight = strtod(at, &end);
        if (end == at || !(weight > 0 && weight <= 1e300) || *end != (i + 1 < count ? ',' : 0))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "option '--weights': found '%s', expected %zu number%s above 0 with commas between them",
                           text, count, count == 1 ? "" : "s");
        kernels[i].weight = weight;
        at = end + 1;
    }
    return LEMAN_OK;
}

leman_status lm_kernels_parse(leman_context *ctx, const lm_kernel_options *asked, leman_kernel **out, size_t *out_count)
{
    leman_status st = LEMAN_OK;
    size_t named = asked->algorithms.text.count, count = named ? named : 1;
    const char *const *name = asked->algorithms.text.items;
    leman_kernel *kernels = NULL, usual = leman_kernel_default();
    usual.coloring.k = (unsigned)asked->k;
    usual.coloring.count_every_round = asked->count_rounds && !strcmp(asked->count_rounds, "all");
    usual.coloring.ignore_vertex_labels = (asked->ignore & VERTEX_LABELS) != 0;
    usual.coloring.ignore_edge_labels = (asked->ignore & EDGE_LABELS) != 0;
    usual.coloring.in_arcs = asked->in_arcs;
    usual.weighted = asked->weighted && !(asked->ignore & ATTRIBUTES);
    if (asked->rounds) TRY(parse_rounds(ctx, asked->rounds, &usual.coloring.rounds));
    NEW(ctx, kernels, count);
    for (size_t i = 0; i < count; i++) {
        kernels[i] = usual;
        if (named) TRY(leman_kernel_parse(ctx, name[i], kernels + i));
        kernels[i].assignment |= asked->assignment;
    }
    if (asked->weights) TRY(parse_weights(ctx, asked->weights, kernels, count));
    *out = kernels;
    *out_count = count;
done:
    if (st) lm_free(ctx, kernels);
    return st;
}

leman_status lm_kernels_read(lm_work *work, const lm_kernel_options *asked, const char *path, leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_dataset *data = NULL;
    TRY(lm_work_read(work, path, NULL, &data));
    if (asked->apex) {
        leman_dataset *joined = NULL;
        TRY(leman_dataset_apex(work->ctx, data, &joined));
        leman_dataset_free(data);
        data = joined;
    }
    *out = data;
done:
    if (st) leman_dataset_free(data);
    return st;
}

leman_status lm_kernels_settle(leman_context *ctx, const leman_dataset *data, leman_kernel *kernels, size_t count)
{
    leman_status st = LEMAN_OK;
    leman_census census = {0};
    for (size_t i = 0; i < count; i++) {
        if (kernels[i].kind != LEMAN_KERNEL_COLORS || kernels[i].coloring.rounds != LEMAN_STABLE) continue;
        TRY(leman_census_take(ctx, data, &kernels[i].coloring, false, &census));
        if (census.stable_round < 0) FAIL(ctx, LEMAN_ERROR_INTERNAL, "a colouring did not become stable");
        kernels[i].coloring.rounds = (uint32_t)census.stable_round;
        leman_census_free(ctx, &census);
    }
done:
    return st;
}

void lm_kernels_json(lm_json *json, json_t *parent, const leman_kernel *kernels, size_t count)
{
    json_t *list = lm_json_array(json, parent, "kernels");
    for (size_t i = 0; i < count; i++) {
        const leman_kernel *kernel = kernels + i;
        json_t *object = lm_json_object(json, list, NULL);
        bool colors = kernel->kind == LEMAN_KERNEL_COLORS;
        lm_json_text(json, object, "algorithm",
                     colors                                       ? leman_algorithm_name(kernel->coloring.algorithm)
                     : kernel->kind == LEMAN_KERNEL_SHORTEST_PATH ? "sp"
                                                                  : "graphlet");
        if (colors) {
            lm_json_count(json, object, "k", kernel->coloring.k);
            lm_json_count(json, object, "rounds", kernel->coloring.rounds);
        } else {
            lm_json_null(json, object, "k");
            lm_json_null(json, object, "rounds");
        }
        lm_json_real(json, object, "weight", kernel->weight);
        lm_json_bool(json, object, "assignment", kernel->assignment);
    }
}
