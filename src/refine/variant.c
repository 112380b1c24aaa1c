/* The rows of the table of variants, and their names. */
#include "refine/variant.h"
#include "base/arguments.h"
#include <stdio.h>
#include <string.h>

static const lm_variant VARIANTS[] = {
    [LEMAN_ALGORITHM_WL] = {"wl", "k-WL", .line = true},
    [LEMAN_ALGORITHM_DELTA] = {"delta", "delta-k-WL", .local = true, .line = true},
    [LEMAN_ALGORITHM_LOCAL] = {"local", "delta-k-LWL", .local = true},
    [LEMAN_ALGORITHM_LOCAL_PLUS] = {"local+", "delta-k-LWL+", .local = true, .decorated = true},
    [LEMAN_ALGORITHM_FOLKLORE] = {"folklore", "folklore k-WL", .vectors = true},
};
_Static_assert(sizeof VARIANTS / sizeof *VARIANTS == LEMAN_ALGORITHM_COUNT, "a row for every algorithm");

#define NAMES LM_NAMES("algorithm", VARIANTS, .name)

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

enum { AUTHORS_COUNT = sizeof AUTHORS / sizeof *AUTHORS };

/* ---- Names ----------------------------------------------------------------------------------- */

const char *leman_algorithm_name(leman_algorithm algorithm)
{
    return lm_names_get(NAMES, (int)algorithm);
}

const char *leman_algorithm_paper_name(leman_algorithm algorithm)
{
    return lm_names_get(LM_NAMES("algorithm", VARIANTS, .paper), (int)algorithm);
}

leman_status leman_algorithm_parse(leman_context *ctx, const char *name, leman_algorithm *algorithm)
{
    leman_status st = LEMAN_OK;
    int value = 0;
    REQUIRE(ctx, name);
    REQUIRE(ctx, algorithm);
    TRY(lm_names_parse(ctx, NAMES, name, &value));
    *algorithm = (leman_algorithm)value;
done:
    return st;
}

const char *leman_coloring_known_name(size_t i)
{
    if (i < LEMAN_ALGORITHM_COUNT) return VARIANTS[i].name;
    i -= LEMAN_ALGORITHM_COUNT;
    return i < AUTHORS_COUNT ? AUTHORS[i].name : NULL;
}

void leman_coloring_init(leman_coloring *coloring, size_t size)
{
    const leman_coloring defaults = {.algorithm = LEMAN_ALGORITHM_LOCAL, .k = 2, .rounds = 5};
    lm_options_init(coloring, size, &defaults, sizeof defaults);
}

static leman_status unknown_name(leman_context *ctx, const char *name)
{
    char list[256] = "";
    size_t used = 0;
    for (size_t i = 0; leman_coloring_known_name(i); i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", leman_coloring_known_name(i));
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "algorithm: found '%s', expected one of: %s", name, list);
}

static bool find_name(const char *name, leman_coloring *coloring)
{
    for (size_t i = 0; i < LEMAN_ALGORITHM_COUNT; i++)
        if (!strcmp(VARIANTS[i].name, name)) {
            coloring->algorithm = (leman_algorithm)i;
            return true;
        }
    for (size_t i = 0; i < AUTHORS_COUNT; i++)
        if (!strcmp(AUTHORS[i].name, name)) {
            coloring->algorithm = AUTHORS[i].algorithm;
            coloring->k = AUTHORS[i].k;
            return true;
        }
    return false;
}

leman_status leman_coloring_parse(leman_context *ctx, const char *name, leman_coloring *coloring)
{
    leman_status st = LEMAN_OK;
    leman_coloring c = leman_coloring_default();
    REQUIRE(ctx, name);
    REQUIRE(ctx, coloring);
    TRY(lm_options_copy(ctx, "leman_coloring", coloring, &c, sizeof c));
    if (!find_name(name, &c)) TRY(unknown_name(ctx, name));
    lm_options_return(&c, sizeof c, coloring);
done:
    return st;
}

const char *leman_coloring_text(const leman_coloring *given, char *text, size_t size)
{
    leman_coloring c = leman_coloring_default();
    char rounds[40] = "until stable";
    if (!text || !size) return NULL;
    *text = 0;
    if (lm_options_copy(NULL, "leman_coloring", given, &c, sizeof c)) return text;
    if (c.rounds == 0)
        snprintf(rounds, sizeof rounds, "round 0");
    else if (c.rounds != LEMAN_STABLE)
        snprintf(rounds, sizeof rounds, "rounds 0 to %u", c.rounds);
    bool counts = c.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS;
    snprintf(text, size, "%s, k = %u, %s%s", leman_algorithm_name(c.algorithm), c.k, rounds,
             !counts               ? ""
             : c.count_every_round ? ", # in every round"
                                   : ", # in the last round");
    return text;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

lm_variant lm_variant_round(const leman_coloring *coloring, bool last)
{
    lm_variant rule = VARIANTS[coloring->algorithm];
    rule.decorated &= coloring->count_every_round || last;
    return rule;
}

leman_status lm_coloring_check(leman_context *ctx, const leman_coloring *asked, leman_coloring *normal)
{
    leman_coloring c = *asked;
    if ((unsigned)c.algorithm >= LEMAN_ALGORITHM_COUNT)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "algorithm: found %d, expected a value of its enum, 0 to %d",
                       (int)c.algorithm, LEMAN_ALGORITHM_COUNT - 1);
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

leman_status lm_coloring_given(leman_context *ctx, const leman_coloring *given, leman_coloring *normal)
{
    leman_status st = LEMAN_OK;
    leman_coloring c = leman_coloring_default();
    TRY(lm_options_copy(ctx, "leman_coloring", given, &c, sizeof c));
    TRY(lm_coloring_check(ctx, &c, normal));
done:
    return st;
}
