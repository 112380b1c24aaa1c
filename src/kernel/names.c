/* Names of kernels: "local:3", "LWL3", "wloa", "sp", "graphlet:4", and "local:3:assignment". */
#include "base/arguments.h"
#include "kernel/kernel.h"
#include "refine/variant.h"
#include <stdio.h>

static const char *const KINDS[] = {
    [LEMAN_KERNEL_KIND_COLORS] = "colors",
    [LEMAN_KERNEL_KIND_SHORTEST_PATH] = "shortest_path",
    [LEMAN_KERNEL_KIND_GRAPHLET] = "graphlet",
};
_Static_assert(sizeof KINDS / sizeof *KINDS == LEMAN_KERNEL_KIND_COUNT, "a name for every kind");

const char *leman_kernel_kind_name(leman_kernel_kind kind)
{
    return lm_names_get(LM_NAMES("kind of a kernel", KINDS, ), (int)kind);
}

leman_status leman_kernel_kind_parse(leman_context *ctx, const char *name, leman_kernel_kind *kind)
{
    leman_status st = LEMAN_OK;
    int value;
    REQUIRE(ctx, name);
    REQUIRE(ctx, kind);
    TRY(lm_names_parse(ctx, LM_NAMES("kind of a kernel", KINDS, ), name, &value));
    *kind = (leman_kernel_kind)value;
done:
    return st;
}

void leman_kernel_init(leman_kernel *kernel, size_t size)
{
    const leman_coloring coloring = leman_coloring_default();
    const leman_kernel defaults = {.algorithm = coloring.algorithm,
                                   .k = coloring.k,
                                   .rounds = coloring.rounds,
                                   .weight = 1,
                                   .graphlet = LM_KERNEL_MIN_GRAPHLET};
    lm_options_init(kernel, size, &defaults, sizeof defaults);
}

/* The number behind the colon of a name, from least to most. */
static leman_status read_number(leman_context *ctx, const char *name, unsigned min, unsigned max, unsigned *number)
{
    unsigned value = 0;
    const char *digit = strchr(name, ':') + 1;
    bool any = *digit;
    for (; *digit >= '0' && *digit <= '9' && value <= max; digit++) value = value * 10 + (unsigned)(*digit - '0');
    if (!any || *digit || value < min || value > max)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "algorithm: found '%s', expected a number from %u to %u behind the colon", name, min, max);
    *number = value;
    return LEMAN_OK;
}

static leman_status unknown(leman_context *ctx, const char *name)
{
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "algorithm: found '%s', expected wl, delta, local, local+ or folklore (with :k), wloa, sp or "
                   "graphlet (with :size), or one of WL1 WL2 WL3 DWL2 DWL3 LWL2 LWL3 LWLP2 LWLP3 WLOA SP GR, each with "
                   "or without :assignment at its end",
                   name);
}

/* A name without :assignment. */
static leman_status parse_plain(leman_context *ctx, const char *name, leman_kernel *kernel)
{
    leman_status st = LEMAN_OK;
    leman_kernel result = *kernel;
    char word[16];
    bool colon = strchr(name, ':') != NULL;
    if (strcspn(name, ":") >= sizeof word) return unknown(ctx, name);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, ":"), name);
    if (!strcmp(word, "graphlet") || !strcmp(word, "GR")) {
        result.kind = LEMAN_KERNEL_KIND_GRAPHLET;
        if (colon) TRY(read_number(ctx, name, LM_KERNEL_MIN_GRAPHLET, LM_KERNEL_MAX_GRAPHLET, &result.graphlet));
    } else if (!strcmp(name, "sp") || !strcmp(name, "SP")) {
        result.kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    } else if (!strcmp(name, "wloa") || !strcmp(name, "WLOA")) {
        result.kind = LEMAN_KERNEL_KIND_COLORS;
        result.algorithm = LEMAN_ALGORITHM_LOCAL;
        result.k = 1;
        result.assignment = true;
    } else {
        result.kind = LEMAN_KERNEL_KIND_COLORS;
        result.k = 0;
        leman_coloring coloring = leman_kernel_coloring(&result);
        if (leman_coloring_parse(ctx, word, &coloring)) TRY(unknown(ctx, name));
        leman_kernel_set_coloring(&result, &coloring);
        if (colon && result.k) TRY(unknown(ctx, name)); /* LWL2:3 */
        if (!result.k) result.k = kernel->k;
        if (colon) TRY(read_number(ctx, name, 1, LM_MAX_K, &result.k));
    }
    *kernel = result;
done:
    return st;
}

leman_status leman_kernel_parse(leman_context *ctx, const char *name, leman_kernel *kernel)
{
    static const char ENDING[] = ":assignment";
    leman_status st = LEMAN_OK;
    char plain[32];
    size_t length = strlen(name), ending = sizeof ENDING - 1;
    if (length <= ending || strcmp(name + length - ending, ENDING)) return parse_plain(ctx, name, kernel);
    if (length - ending >= sizeof plain) return unknown(ctx, name);
    snprintf(plain, sizeof plain, "%.*s", (int)(length - ending), name);
    TRY(parse_plain(ctx, plain, kernel));
    kernel->assignment = true;
done:
    return st;
}
