/* The rows of the table of variants, and their names. */
#include "refine/variant.h"
#include "base/arguments.h"
#include "base/text.h"
#include "refine/spelling.h"
#include <stdio.h>
#include <string.h>

#define ON_ALL_TUPLES .vertices_tell = true, .device = true
static const lm_variant VARIANTS[] = {
    [LEMAN_ALGORITHM_WL] = {LM_SUM_LINE, ON_ALL_TUPLES, .refines_vertices = true, .twins = true,
                            .authors = {[1] = "WL1", "WL2", "WL3"}},
    [LEMAN_ALGORITHM_DELTA] = {LM_SUM_LOCAL | LM_SUM_LINE, ON_ALL_TUPLES, .twins = true,
                               .authors = {[2] = "DWL2", "DWL3"}},
    [LEMAN_ALGORITHM_LOCAL] = {LM_SUM_LOCAL, ON_ALL_TUPLES, .refines_vertices = true, .twins = true, .compact = true,
                               .sampled = true, .authors = {[2] = "LWL2", "LWL3"}},
    [LEMAN_ALGORITHM_LOCAL_PLUS] = {LM_SUM_DECORATED, ON_ALL_TUPLES, .twins = true,
                                    .authors = {[2] = "LWLP2", "LWLP3"}},
    [LEMAN_ALGORITHM_FOLKLORE] = {LM_SUM_VECTORS, ON_ALL_TUPLES, .refines_vertices = true},
};
#undef ON_ALL_TUPLES

#define NAMES_OF(NAME, name, before, after) {name, before "k" after, before "2" after},
static const struct {
    const char *name, *paper, *pairs; /* ours; the paper's, with the letter k and with k = 2 */
} NAMES[] = {LEMAN_ALGORITHMS(NAMES_OF)};

enum { AUTHORS = sizeof VARIANTS->authors / sizeof *VARIANTS->authors };

/* ---- Names ----------------------------------------------------------------------------------- */

LM_ENUM_NAME(leman_algorithm, algorithm, "algorithm", NAMES, .name, LEMAN_ALGORITHM_COUNT)

const char *leman_algorithm_paper_name(leman_algorithm algorithm)
{
    return lm_names_get(LM_NAMES("algorithm", NAMES, .paper), (int)algorithm);
}

const char *leman_coloring_known_name(size_t i)
{
    enum { ONE = LEMAN_ALGORITHM_COUNT, PAIRS, REST = PAIRS + LEMAN_ALGORITHM_COUNT };
    if (i < ONE) return NAMES[i].name;
    if (i == ONE) return "1-WL";
    if (i < REST) return NAMES[i - PAIRS].pairs;
    i -= REST;
    for (const lm_variant *v = VARIANTS; v < VARIANTS + LEMAN_ALGORITHM_COUNT; v++)
        for (size_t k = 0; k < AUTHORS; k++)
            if (v->authors[k] && !i--) return v->authors[k];
    return NULL;
}

LM_OPTIONS(leman_coloring, coloring, .algorithm = LEMAN_ALGORITHM_LOCAL, .k = 2, .rounds = 5)

static leman_status unknown_name(leman_context *ctx, const char *name)
{
    char list[512];
    lm_joined names = lm_joined_begin(list, sizeof list);
    for (size_t i = 0; leman_coloring_known_name(i); i++) lm_joined_name(&names, leman_coloring_known_name(i));
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "algorithm: found '%s', expected one of: %s; with another k: local:3 or delta-3-LWL", name, list);
}

/* Finds a folded name without colon. *k is the number that the name contains, or 0. */
static bool find_name(const char *folded, leman_algorithm *algorithm, unsigned *k)
{
    for (size_t i = 0; i < LEMAN_ALGORITHM_COUNT; i++) {
        bool found = lm_pattern_match(NAMES[i].paper, folded, k) || !strcmp(NAMES[i].name, folded);
        for (unsigned known = 0; known < AUTHORS && !found; known++) {
            found = VARIANTS[i].authors[known] && lm_spelling_equal(VARIANTS[i].authors[known], folded);
            *k = found ? known : 0;
        }
        *algorithm = *k == 1 && i == LEMAN_ALGORITHM_WL ? LEMAN_ALGORITHM_LOCAL : (leman_algorithm)i;
        if (found) return true;
    }
    return false;
}

/* The number after a colon; 0 if it is not a number or too large. */
static unsigned number_behind(const char *colon)
{
    unsigned value = 0;
    const char *digit = colon + 1;
    for (; *digit >= '0' && *digit <= '9' && value <= LM_MAX_K; digit++) value = value * 10 + (unsigned)(*digit - '0');
    return *digit ? 0 : value;
}

leman_status lm_coloring_find(leman_context *ctx, const char *name, leman_coloring *coloring, bool *known)
{
    char folded[LM_SPELLING], *colon;
    unsigned k = 0;
    *known = false;
    if (!lm_spelling_fold(name, folded)) return LEMAN_OK;
    if ((colon = strchr(folded, ':'))) *colon = 0;
    leman_algorithm algorithm = coloring->algorithm;
    if (!find_name(folded, &algorithm, &k) || (colon && k)) return LEMAN_OK; /* LWL2:3 */
    if (colon) k = number_behind(colon);
    if ((colon && k < 1) || k > LM_MAX_K)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "algorithm: found '%s', expected %s from 1 to %d%s", name,
                       colon ? "a number" : "k", LM_MAX_K, colon ? " behind the colon" : "");
    *known = true;
    coloring->algorithm = algorithm;
    if (k) coloring->k = k;
    return LEMAN_OK;
}

leman_status leman_coloring_parse(leman_context *ctx, const char *name, leman_coloring *coloring)
{
    leman_coloring c = leman_coloring_default();
    bool known;
    REQUIRE(ctx, name, coloring);
    PASS(lm_options_copy(ctx, "leman_coloring", coloring, &c, sizeof c));
    PASS(lm_coloring_find(ctx, name, &c, &known));
    if (!known) return unknown_name(ctx, name);
    lm_options_return(&c, sizeof c, coloring);
    return LEMAN_OK;
}

size_t lm_coloring_write_name(leman_algorithm algorithm, unsigned k, char *text, size_t size)
{
    const bool one = k == 1 && lm_variant_of(&(leman_coloring){.algorithm = algorithm})->refines_vertices;
    return lm_pattern_write(one ? "k-WL" : leman_algorithm_paper_name(algorithm), k, text, size);
}

size_t leman_coloring_paper_name(const leman_coloring *given, char *text, size_t size)
{
    leman_coloring c = leman_coloring_default();
    if (!text) size = 0;
    if (size) *text = 0;
    if (lm_options_copy(NULL, "leman_coloring", given, &c, sizeof c)) return 0;
    return lm_coloring_write_name(c.algorithm, c.k, text, size);
}

const char *leman_coloring_text(const leman_coloring *given, char *text, size_t size)
{
    leman_coloring c = leman_coloring_default();
    char rounds[40] = "until stable", name[LM_SPELLING], tuples[48] = "";
    if (!text || !size) return NULL;
    *text = 0;
    if (lm_options_copy(NULL, "leman_coloring", given, &c, sizeof c)) return text;
    if (c.rounds == 0)
        snprintf(rounds, sizeof rounds, "round 0");
    else if (c.rounds != LEMAN_STABLE)
        snprintf(rounds, sizeof rounds, "rounds 0 to %u", c.rounds);
    const bool counts = lm_variant_of(&c)->sums & LM_SUM_DECORATED;
    lm_coloring_write_name(c.algorithm, c.k, name, sizeof name);
    if (c.components == 1 && c.k > 1) snprintf(tuples, sizeof tuples, ", connected tuples");
    if (c.components > 1 && c.k > 1)
        snprintf(tuples, sizeof tuples, ", tuples of at most %u components",
                 (unsigned)(c.components < c.k ? c.components : c.k));
    snprintf(text, size, "%s, %s%s%s", name, rounds,
             !counts               ? ""
             : c.count_every_round ? ", # in every round"
                                   : ", # in the last round",
             tuples);
    return text;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

const lm_variant *lm_variant_of(const leman_coloring *coloring)
{
    static const lm_variant none = {0};
    return (unsigned)coloring->algorithm < LEMAN_ALGORITHM_COUNT ? VARIANTS + coloring->algorithm : &none;
}

bool lm_has_own_last_round(const leman_coloring *coloring)
{
    return lm_variant_of(coloring)->sums & LM_SUM_DECORATED && !coloring->count_every_round;
}

unsigned lm_round_sums(const leman_coloring *coloring, bool last)
{
    const unsigned sums = VARIANTS[coloring->algorithm].sums;
    return lm_has_own_last_round(coloring) && !last ? (sums & ~(unsigned)LM_SUM_DECORATED) | LM_SUM_LOCAL : sums;
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
    if (c.k == 1 && lm_variant_of(&c)->refines_vertices) c.algorithm = LEMAN_ALGORITHM_LOCAL;
    if (c.k == 1) c.components = 0; /* every vertex is connected */
    if (c.components > c.k) c.components = c.k;
    if (c.components && c.k > LM_SPARSE_K)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "k: found %u, expected 1 to %d where tuples are limited by components", c.k, LM_SPARSE_K);
    if (lm_has_own_last_round(&c) && c.rounds == LEMAN_STABLE)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "local+ with # in the last round only has no last round when it runs until stable; count in "
                       "every round or give a number of rounds");
    *normal = c;
    return LEMAN_OK;
}

leman_status lm_coloring_given(leman_context *ctx, const leman_coloring *given, leman_coloring *normal)
{
    leman_coloring c = leman_coloring_default();
    PASS(lm_options_copy(ctx, "leman_coloring", given, &c, sizeof c));
    return lm_coloring_check(ctx, &c, normal);
}

uint64_t lm_coloring_checksum(const leman_coloring *c)
{
    const uint64_t members[] = {
        (uint64_t)c->algorithm, c->k,       c->rounds, c->count_every_round, c->ignore_vertex_labels,
        c->ignore_edge_labels,  c->in_arcs, c->seed,   c->components};
    return lm_checksum(members, sizeof members, 0);
}
