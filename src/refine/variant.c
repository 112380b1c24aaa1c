/* The rows of the table of variants, and their names. */
#include "refine/variant.h"
#include "base/context.h"
#include "base/options.h"
#include <string.h>

static const lm_variant VARIANTS[] = {
    [LEMAN_ALGORITHM_WL] = {"wl", .line = true},
    [LEMAN_ALGORITHM_DELTA] = {"delta", .local = true, .line = true},
    [LEMAN_ALGORITHM_LOCAL] = {"local", .local = true},
    [LEMAN_ALGORITHM_LOCAL_PLUS] = {"local+", .local = true, .decorated = true},
    [LEMAN_ALGORITHM_FOLKLORE] = {"folklore", .vectors = true},
};

enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS };

/* What the authors' program calls them. */
static const struct {
    const char *name;
    leman_algorithm algorithm;
    unsigned k;
} AUTHORS[] = {
    {"WL1", LEMAN_ALGORITHM_LOCAL, 1},        {"WL2", LEMAN_ALGORITHM_WL, 2},
    {"WL3", LEMAN_ALGORITHM_WL, 3},           {"DWL2", LEMAN_ALGORITHM_DELTA, 2},
    {"DWL3", LEMAN_ALGORITHM_DELTA, 3},       {"LWL2", LEMAN_ALGORITHM_LOCAL, 2},
    {"LWL3", LEMAN_ALGORITHM_LOCAL, 3},       {"LWLP2", LEMAN_ALGORITHM_LOCAL_PLUS, 2},
    {"LWLP3", LEMAN_ALGORITHM_LOCAL_PLUS, 3},
};

const char *leman_algorithm_name(leman_algorithm algorithm)
{
    return (unsigned)algorithm < VARIANT_COUNT ? VARIANTS[algorithm].name : "unknown";
}

void leman_coloring_init(leman_coloring *coloring, size_t size)
{
    const leman_coloring defaults = {.algorithm = LEMAN_ALGORITHM_LOCAL, .k = 2, .rounds = 5};
    lm_options_init(coloring, size, &defaults, sizeof defaults);
}

leman_status leman_coloring_parse(leman_context *ctx, const char *name, leman_coloring *coloring)
{
    for (size_t i = 0; i < VARIANT_COUNT; i++)
        if (!strcmp(VARIANTS[i].name, name)) {
            coloring->algorithm = (leman_algorithm)i;
            return LEMAN_OK;
        }
    for (size_t i = 0; i < sizeof AUTHORS / sizeof *AUTHORS; i++)
        if (!strcmp(AUTHORS[i].name, name)) {
            coloring->algorithm = AUTHORS[i].algorithm;
            coloring->k = AUTHORS[i].k;
            return LEMAN_OK;
        }
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "algorithm: found '%s', expected wl, delta, local, local+ or folklore, or one of "
                   "WL1 WL2 WL3 DWL2 DWL3 LWL2 LWL3 LWLP2 LWLP3",
                   name);
}

lm_variant lm_variant_round(const leman_coloring *coloring, bool last)
{
    lm_variant rule = VARIANTS[coloring->algorithm];
    rule.decorated &= coloring->count_every_round || last;
    return rule;
}

leman_status lm_coloring_check(leman_context *ctx, const leman_coloring *asked, leman_coloring *normal)
{
    leman_coloring c = *asked;
    if ((unsigned)c.algorithm >= VARIANT_COUNT)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "algorithm %d does not exist", (int)c.algorithm);
    if (c.k < 1 || c.k > LM_MAX_K)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "k: found %u, expected 1 to %d", c.k, LM_MAX_K);
    if (c.rounds != LEMAN_STABLE && c.rounds > LM_MAX_ROUNDS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "rounds: found %u, expected 0 to %d, or until stable", c.rounds,
                       LM_MAX_ROUNDS);
    if (c.k == 1 && (c.algorithm == LEMAN_ALGORITHM_WL || c.algorithm == LEMAN_ALGORITHM_FOLKLORE))
        c.algorithm = LEMAN_ALGORITHM_LOCAL;
    if (c.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS && c.rounds == LEMAN_STABLE && !c.count_every_round)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "local+ with # in the last round only has no last round when it runs until stable; count in "
                       "every round or give a number of rounds");
    *normal = c;
    return LEMAN_OK;
}
