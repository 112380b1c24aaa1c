/* The origin of columns: the kernels as text, and the parts of the data that they use. */
#include "kernel/features/feature_origin.h"
#include "base/text.h"
#include "kernel/required_inputs.h"
#include "refine/variant.h"
#include <stdio.h>
#include <string.h>

enum { WORDS = 256 }; /* bytes of the text of one kernel, at most */

static void describe(const leman_kernel *c, lm_joined *words)
{
    const bool colors = c->kind == LEMAN_KERNEL_KIND_COLORS, path = c->kind == LEMAN_KERNEL_KIND_SHORTEST_PATH;
    const bool counts = colors && lm_variant_of(&c->coloring)->decorated;
    if (colors)
        lm_joined_add(words, "%s:%u, %u rounds%s", leman_algorithm_name(c->coloring.algorithm), c->coloring.k,
                      c->coloring.rounds, counts && c->coloring.count_every_round ? ", counting in all" : "");
    else if (path)
        lm_joined_add(words, "sp%s", c->weighted ? ", weighted" : "");
    else
        lm_joined_add(words, "graphlet:%u", c->graphlet);
    lm_joined_add(words, "%s%s%s", c->coloring.ignore_vertex_labels ? ", no vertex labels" : "",
                  c->coloring.ignore_edge_labels ? ", no edge labels" : "",
                  colors && c->coloring.in_arcs ? ", in-arcs" : "");
    if (colors && c->coloring.components) lm_joined_add(words, ", components %u", (unsigned)c->coloring.components);
    if (colors && c->coloring.seed) lm_joined_add(words, ", seed %016llx", (unsigned long long)c->coloring.seed);
}

leman_status lm_origin_compute(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                               bool apex, leman_feature_origin *out)
{
    leman_status st = LEMAN_OK;
    lm_required_inputs required = lm_kernels_required_inputs(normal, count, data);
    char *text = NULL;
    NEW(ctx, text, (count + 1) * WORDS);
    lm_joined words = lm_joined_begin(text, (count + 1) * WORDS);
    for (size_t i = 0; i < count; i++) {
        if (i) lm_joined_add(&words, " + ");
        describe(normal + i, &words);
    }
    if (words.cut) FAIL(ctx, LEMAN_ERROR_INTERNAL, "the words for %zu kernel%s are too long", count, lm_plural(count));
    *out = (leman_feature_origin){.kernels = text,
                                  .apex = apex,
                                  .directed = required.directed,
                                  .vertex_labels = required.vertex_labels,
                                  .edge_labels = required.edge_labels};
    text = NULL;
done:
    lm_free(ctx, text);
    return st;
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

leman_status lm_origin_check(leman_context *ctx, const leman_dataset *data, const leman_feature_origin *found,
                             const leman_feature_origin *expected)
{
    lm_required_inputs required = required_inputs_of(expected);
    if (!found->kernels) return LEMAN_OK;
    if (strcmp(found->kernels, expected->kernels))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found columns of '%s', expected those of '%s'", data->name,
                       found->kernels, expected->kernels);
    if (found->apex != expected->apex)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found columns of graphs %s an apex, expected those of graphs %s one", data->name,
                       found->apex ? "with" : "without", expected->apex ? "with" : "without");
    required.vertices = data->vertices > 0;
    required.arcs = data->arcs > 0;
    return lm_required_inputs_check(ctx, data->name, required, required_inputs_of(found),
                                    "as the columns were made with");
}

leman_status lm_origin_copy(leman_context *ctx, const leman_feature_origin *from, leman_feature_origin *to)
{
    leman_status st = LEMAN_OK;
    char *text = NULL;
    if (from->kernels) {
        NEW(ctx, text, strlen(from->kernels) + 1);
        strcpy(text, from->kernels);
    }
    *to = *from;
    to->kernels = text;
done:
    return st;
}

void lm_origin_free(leman_context *ctx, leman_feature_origin *origin)
{
    lm_free(ctx, origin->kernels);
    *origin = (leman_feature_origin){0};
}
