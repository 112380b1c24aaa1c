/* Names of kernels: "local:3", "LWL3", "wloa", "sp", "graphlet:4", and "local:3:assignment". */
#include "kernel/kernel.h"
#include "refine/variant.h"
#include <stdio.h>

enum { SMALLEST_GRAPHLET = 3, LARGEST_GRAPHLET = 5 };

leman_kernel leman_kernel_default(void)
{
    return (leman_kernel){.coloring = leman_coloring_default(), .weight = 1, .size = SMALLEST_GRAPHLET};
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
        if (colon) TRY(read_number(ctx, name, SMALLEST_GRAPHLET, LARGEST_GRAPHLET, &result.size));
    } else if (!strcmp(name, "sp") || !strcmp(name, "SP")) {
        result.kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    } else if (!strcmp(name, "wloa") || !strcmp(name, "WLOA")) {
        result.kind = LEMAN_KERNEL_KIND_COLORS;
        result.coloring.algorithm = LEMAN_ALGORITHM_LOCAL;
        result.coloring.k = 1;
        result.assignment = true;
    } else {
        result.kind = LEMAN_KERNEL_KIND_COLORS;
        result.coloring.k = 0;
        if (leman_coloring_parse(ctx, word, &result.coloring)) TRY(unknown(ctx, name));
        if (colon && result.coloring.k) TRY(unknown(ctx, name)); /* LWL2:3 */
        if (!result.coloring.k) result.coloring.k = kernel->coloring.k;
        if (colon) TRY(read_number(ctx, name, 1, LM_MAX_K, &result.coloring.k));
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
