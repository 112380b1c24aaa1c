/* The origin of columns: the kernels as text, and the parts of the data that they use. */
#include "kernel/features/feature_origin.h"
#include "base/text.h"
#include "io/reading.h"
#include "kernel/kernel.h"
#include "kernel/required_inputs.h"
#include "refine/variant.h"
#include <stdio.h>
#include <string.h>

enum { WORDS = 384 /* bytes of the text of one kernel, at most */, MAX_KERNELS = 1000 };

/* Kernels of a radius. */
static void describe_radius(const leman_kernel *c, lm_joined *words)
{
    lm_joined_add(words, "%s:%u", leman_kernel_name(c), c->radius);
    const bool hashes =
        c->kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH || c->kind == LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH;
    if (c->kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS) lm_joined_add(words, ":%u", c->distance);
    if (hashes && c->bits) lm_joined_add(words, ", %u bits", c->bits);
    if (c->coloring.seed) lm_joined_add(words, ", seed %016llx", (unsigned long long)c->coloring.seed);
}

static void describe(const leman_kernel *c, lm_joined *words)
{
    const bool colors = c->kind == LEMAN_KERNEL_KIND_COLORS, path = c->kind == LEMAN_KERNEL_KIND_SHORTEST_PATH;
    const bool propagation = c->kind == LEMAN_KERNEL_KIND_PROPAGATION;
    const bool counts = colors && lm_variant_of(&c->coloring)->sums & LM_SUM_DECORATED;
    if (colors)
        lm_joined_add(words, "%s:%u, %u rounds%s", leman_algorithm_name(c->coloring.algorithm), c->coloring.k,
                      c->coloring.rounds, counts && c->coloring.count_every_round ? ", counting in all" : "");
    else if (path)
        lm_joined_add(words, "sp%s", c->weighted ? ", weighted" : "");
    else if (propagation)
        lm_joined_add(words, "propagation%s, rounds 0 to %u, bins of %.17g by %s", c->weighted ? ", weighted" : "",
                      c->coloring.rounds, c->label_width, c->hellinger ? "Hellinger distance" : "total variation");
    else if (c->kind == LEMAN_KERNEL_KIND_GRAPHLET)
        lm_joined_add(words, "graphlet:%u", c->graphlet);
    else if (lm_kernel_has_radius(c))
        describe_radius(c, words);
    else {
        char name[WORDS / 2];
        leman_kernels_paper_name(c, 1, name, sizeof name);
        lm_joined_add(words, "%s%s", name, c->weighted ? ", weighted" : "");
    }
    if (c->atom_labels) lm_joined_add(words, ", atoms %u", c->atom_labels);
    if (c->binnings) lm_joined_add(words, ", %u binnings of %.17g", c->binnings, c->bin_width);
    if (c->binnings || propagation) lm_joined_add(words, ", hashes %016llx", (unsigned long long)c->hash_seed);
    lm_joined_add(words, "%s%s%s", c->coloring.ignore_vertex_labels ? ", no vertex labels" : "",
                  c->coloring.ignore_edge_labels ? ", no edge labels" : "",
                  colors && c->coloring.in_arcs ? ", in-arcs" : "");
    if (colors && c->coloring.components) lm_joined_add(words, ", components %u", (unsigned)c->coloring.components);
    if (colors && c->coloring.seed) lm_joined_add(words, ", seed %016llx", (unsigned long long)c->coloring.seed);
}

/* Sets origin->kernels to the text of origin->kernel. */
static leman_status describe_all(leman_context *ctx, leman_feature_origin *origin)
{
    const size_t count = origin->kernel_count;
    AUTO(lm_release_at) char *text = NULL;
    PASS_NEW(ctx, text, (count + 1) * WORDS);
    lm_joined words = lm_joined_begin(text, (count + 1) * WORDS);
    for (size_t i = 0; i < count; i++) {
        if (i) lm_joined_add(&words, " + ");
        describe(origin->kernel + i, &words);
    }
    if (words.cut)
        return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "the words for %zu kernel%s are too long", count, lm_plural(count));
    origin->kernels = text;
    text = NULL;
    return LEMAN_OK;
}

/* Copies kernels to an origin. */
static leman_status copy_kernels(leman_context *ctx, const leman_kernel *kernels, size_t count,
                                 leman_feature_origin *origin)
{
    PASS_NEW(ctx, origin->kernel, count);
    memcpy(origin->kernel, kernels, count * sizeof *kernels);
    origin->kernel_count = count;
    return LEMAN_OK;
}

static lm_required_inputs required_inputs_of(const leman_feature_origin *origin)
{
    size_t mark = origin->apex && origin->vertex_labels; /* a label column of its own marks the apex */
    return (lm_required_inputs){.directed = origin->directed,
                                .vertex_labels = origin->vertex_labels - mark,
                                .edge_labels = origin->edge_labels,
                                .vertices = true,
                                .arcs = true};
}

/* Fails with LEMAN_ERROR_INPUT if columns with origin `found` do not fit features of the data with origin `expected`. */
static leman_status check_origin(leman_context *ctx, const leman_dataset *data, const leman_feature_origin *found,
                                 const leman_feature_origin *expected)
{
    lm_required_inputs required = required_inputs_of(expected);
    if (strcmp(found->kernels, expected->kernels))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found columns of '%s', expected those of '%s'", data->name,
                       found->kernels, expected->kernels);
    if (found->apex != expected->apex)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found columns of graphs %s an apex, expected those of graphs %s one", data->name,
                       found->apex ? "with" : "without", expected->apex ? "with" : "without");
    PASS(lm_reading_check(ctx, data->name, found->reading, expected->reading, "as the data was"));
    required.vertices = data->vertices > 0;
    required.arcs = data->arcs > 0;
    return lm_required_inputs_check(ctx, data->name, required, required_inputs_of(found),
                                    "as the columns were made with");
}

leman_status lm_origin_copy(leman_context *ctx, const leman_feature_origin *from, leman_feature_origin *to)
{
    AUTO(lm_origin_free) leman_feature_origin copy = *from;
    copy.kernels = NULL, copy.kernel = NULL;
    if (from->kernel) PASS(copy_kernels(ctx, from->kernel, from->kernel_count, &copy));
    if (from->kernels) PASS(lm_copy_text(ctx, from->kernels, strlen(from->kernels), &copy.kernels));
    return HAND_OVER(to, copy);
}

leman_status lm_origin_of_columns(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                  size_t count, const leman_feature_options *options, leman_feature_origin *out)
{
    const leman_features *known = options->columns;
    const lm_required_inputs required = lm_kernels_required_inputs(normal, count, data);
    AUTO(lm_origin_free)
    leman_feature_origin origin = {.apex = options->apex,
                                   .directed = required.directed,
                                   .reading = data->reading,
                                   .vertex_labels = required.vertex_labels,
                                   .edge_labels = required.edge_labels};
    PASS(copy_kernels(ctx, normal, count, &origin));
    PASS(describe_all(ctx, &origin));
    if (!known || !known->origin.kernels) return HAND_OVER(out, origin);
    PASS(check_origin(ctx, data, &known->origin, &origin));
    return lm_origin_copy(ctx, &known->origin, out);
}

void lm_origin_free(leman_feature_origin *origin)
{
    RELEASE(origin->kernels, origin->kernel);
    *origin = (leman_feature_origin){0};
}

/* ---- In files -------------------------------------------------------------------------------- */

static const unsigned HASHED = 64;

static leman_status serialize_hashes(lm_serializer *serializer, leman_kernel *kernel)
{
    SERIALIZE_SMALL(serializer, kernel->binnings, uint32_t, LM_KERNEL_MAX_BINNINGS);
    PASS(lm_serialize_bool(serializer, &kernel->hellinger));
    PASS(lm_serialize_real(serializer, &kernel->bin_width));
    PASS(lm_serialize_real(serializer, &kernel->label_width));
    return lm_serialize_word(serializer, &kernel->hash_seed);
}

/* One word: 1 assignment, 2 Tanimoto, 4 a fixed number of rounds, 8 labels of ECFP, 16 of FCFP. */
static leman_status serialize_forms(lm_serializer *serializer, leman_kernel *kernel)
{
    unsigned forms = kernel->assignment + 2u * (kernel->normalization == LEMAN_NORMALIZATION_TANIMOTO) +
                     4u * kernel->fixed_rounds + 8u * (kernel->atom_labels == LEMAN_ATOM_ECFP) +
                     16u * (kernel->atom_labels == LEMAN_ATOM_FCFP);
    SERIALIZE_SMALL(serializer, forms, unsigned, 31);
    kernel->assignment = forms & 1;
    kernel->normalization = forms & 2 ? LEMAN_NORMALIZATION_TANIMOTO : LEMAN_NORMALIZATION_COSINE;
    kernel->fixed_rounds = forms & 4;
    kernel->atom_labels = (forms & 8 ? LEMAN_ATOM_ECFP : 0) | (forms & 16 ? LEMAN_ATOM_FCFP : 0);
    return LEMAN_OK;
}

static leman_status serialize_kernel(lm_serializer *serializer, leman_kernel *kernel)
{
    /* A kernel with hashes is marked in the number of its kind, and has more members. */
    const bool hashed = kernel->binnings || kernel->kind == LEMAN_KERNEL_KIND_PROPAGATION;
    unsigned kind = (unsigned)kernel->kind | (hashed ? HASHED : 0);
    SERIALIZE_SMALL(serializer, kind, unsigned, HASHED | (LEMAN_KERNEL_KIND_COUNT - 1));
    kernel->kind = (leman_kernel_kind)(kind & ~HASHED);
    SERIALIZE_SMALL(serializer, kernel->coloring.algorithm, leman_algorithm, LEMAN_ALGORITHM_COUNT - 1);
    SERIALIZE_SMALL(serializer, kernel->coloring.k, unsigned, LM_MAX_K);
    SERIALIZE_SMALL(serializer, kernel->coloring.components, unsigned, LM_SPARSE_K);
    SERIALIZE_SMALL(serializer, kernel->coloring.rounds, uint32_t, LM_KERNEL_MAX_ROUNDS);
    SERIALIZE_SMALL(serializer, kernel->graphlet, unsigned, 5);
    PASS(lm_serialize_bool(serializer, &kernel->coloring.count_every_round));
    PASS(lm_serialize_bool(serializer, &kernel->coloring.ignore_vertex_labels));
    PASS(lm_serialize_bool(serializer, &kernel->coloring.ignore_edge_labels));
    PASS(lm_serialize_bool(serializer, &kernel->coloring.in_arcs));
    PASS(serialize_forms(serializer, kernel));
    PASS(lm_serialize_bool(serializer, &kernel->weighted));
    PASS(lm_serialize_word(serializer, &kernel->coloring.seed));
    if (lm_variant_of(&kernel->coloring)->items.domain == LM_DOMAIN_NEAR)
        SERIALIZE_SMALL(serializer, kernel->coloring.distance, uint32_t, LM_MAX_DISTANCE);
    PASS(lm_serialize_real(serializer, &kernel->weight));
    if (lm_kernel_has_radius(kernel)) {
        SERIALIZE_SMALL(serializer, kernel->radius, uint8_t, LM_KERNEL_MAX_RADIUS);
        SERIALIZE_SMALL(serializer, kernel->distance, uint8_t, LM_KERNEL_MAX_RADIUS);
        SERIALIZE_SMALL(serializer, kernel->bits, uint8_t, LM_KERNEL_MAX_BITS);
    }
    if (kernel->kind == LEMAN_KERNEL_KIND_PYRAMID_MATCH) {
        SERIALIZE_SMALL(serializer, kernel->dimensions, unsigned, LM_KERNEL_MAX_DIMENSIONS);
        SERIALIZE_SMALL(serializer, kernel->levels, unsigned, LM_KERNEL_MAX_LEVELS);
    }
    if (kind & HASHED) PASS(serialize_hashes(serializer, kernel));
    if (!serializer->writing && lm_kernel_check(serializer->ctx, kernel, kernel)) {
        char reason[LM_SENTENCE];
        memcpy(reason, serializer->ctx->message, sizeof reason);
        return lm_serializer_fail(serializer, "found an invalid kernel: %s", reason);
    }
    return LEMAN_OK;
}

leman_status lm_kernels_serialize(lm_serializer *serializer, leman_kernel **kernels, size_t *count)
{
    PASS(lm_serialize_size(serializer, count, MAX_KERNELS));
    if (!serializer->writing) {
        PASS_NEW(serializer->ctx, *kernels, *count);
        for (size_t i = 0; i < *count; i++) (*kernels)[i] = leman_kernel_default();
    }
    for (size_t i = 0; i < *count; i++) PASS(serialize_kernel(serializer, *kernels + i));
    return LEMAN_OK;
}

leman_status lm_origin_serialize(lm_serializer *serializer, leman_feature_origin *o)
{
    if (serializer->writing && !o->kernels) o->kernel_count = 0;
    PASS(lm_kernels_serialize(serializer, &o->kernel, &o->kernel_count));
    PASS(lm_serialize_bool(serializer, &o->apex));
    PASS(lm_serialize_bool(serializer, &o->directed));
    PASS(lm_serialize_size(serializer, &o->vertex_labels, SIZE_MAX));
    PASS(lm_serialize_size(serializer, &o->edge_labels, SIZE_MAX));
    PASS(lm_reading_serialize(serializer, &o->reading));
    if (!serializer->writing && o->kernel_count) PASS(describe_all(serializer->ctx, o));
    return LEMAN_OK;
}
