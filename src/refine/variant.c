/* The rows of the table of variants, and their names. */
#include "refine/variant.h"
#include "base/arguments.h"
#include "base/text.h"
#include "refine/spelling.h"
#include <stdio.h>
#include <string.h>

#define ON_ALL_TUPLES .vertices_tell = true, .device = true
/* Ordered pairs with a mark for u = v, and bags of subgraphs: pair (u, v) is vertex v of the subgraph of u. */
#define PAIRS(POOL, SUMS)                                                                                              \
    {                                                                                                                  \
        .items = { LM_ITEM_PAIR, .k = 2, SUMS, LM_FIRST_ROOT | LM_FIRST_MARK, .pool = LM_POOL_##POOL }                 \
    }
#define BAGS(DOMAIN, FIRST)                                                                                            \
    {                                                                                                                  \
        .items = { LM_ITEM_PAIR, .k = 2, LM_PAIR_MOVE_V, FIRST, DOMAIN, LM_POOL_ROWS }                                 \
    }
#define VERTICES(DISTANCES)                                                                                            \
    {                                                                                                                  \
        .items = { LM_ITEM_VERTEX, .k = 1, .distances = DISTANCES }                                                    \
    }
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
    [LEMAN_ALGORITHM_SWL_VS] = PAIRS(ROWS, LM_PAIR_MOVE_V),
    [LEMAN_ALGORITHM_SWL_SV] = PAIRS(COLUMNS, LM_PAIR_MOVE_V),
    [LEMAN_ALGORITHM_PSWL_VS] = PAIRS(ROWS, LM_PAIR_MOVE_V | LM_PAIR_END),
    [LEMAN_ALGORITHM_PSWL_SV] = PAIRS(COLUMNS, LM_PAIR_MOVE_V | LM_PAIR_END),
    [LEMAN_ALGORITHM_GSWL] = PAIRS(ROWS, LM_PAIR_MOVE_V | LM_PAIR_ALL_U),
    [LEMAN_ALGORITHM_SSWL] = PAIRS(ROWS, LM_PAIR_MOVE_V | LM_PAIR_MOVE_U),
    [LEMAN_ALGORITHM_LFWL] = PAIRS(ROWS, LM_PAIR_PATHS_V),
    [LEMAN_ALGORITHM_SLFWL] = PAIRS(ROWS, LM_PAIR_PATHS_BOTH),
    [LEMAN_ALGORITHM_DRFWL] = {.items = {LM_ITEM_PAIR, .k = 2, LM_PAIR_PATHS_ALL, LM_FIRST_ROOT | LM_FIRST_DISTANCE,
                                         LM_DOMAIN_NEAR}},
    [LEMAN_ALGORITHM_SPD_WL] = VERTICES(LM_DISTANCE_PATH),
    [LEMAN_ALGORITHM_RD_WL] = VERTICES(LM_DISTANCE_RESISTANCE),
    [LEMAN_ALGORITHM_GD_WL] = VERTICES(LM_DISTANCE_PATH | LM_DISTANCE_RESISTANCE),
    [LEMAN_ALGORITHM_SET_WL] = {.items = {.kind = LM_ITEM_SET}},
    [LEMAN_ALGORITHM_BAG_DELETED] = BAGS(LM_DOMAIN_OTHERS, 0),
    [LEMAN_ALGORITHM_BAG_EGO] = BAGS(LM_DOMAIN_NEAR, 0),
    [LEMAN_ALGORITHM_BAG_MARKED] = BAGS(LM_DOMAIN_ALL, LM_FIRST_MARK),
};
#undef ON_ALL_TUPLES
#undef PAIRS
#undef VERTICES
#undef BAGS

#define NAMES_OF(NAME, name, paper, pairs) {name, paper, pairs},
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
    char list[LM_SENTENCE];
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
    for (; *digit >= '0' && *digit <= '9' && value <= LM_MAX_DISTANCE; digit++)
        value = value * 10 + (unsigned)(*digit - '0');
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
    const lm_item_rule *items = &VARIANTS[algorithm].items;
    if (items->k) {
        if (colon && items->domain != LM_DOMAIN_NEAR) return LEMAN_OK;
        if (colon && (!number_behind(colon) || number_behind(colon) > LM_MAX_DISTANCE))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "algorithm: found '%s', expected a distance from 1 to %d behind the colon", name,
                           LM_MAX_DISTANCE);
        *known = true;
        coloring->algorithm = algorithm;
        coloring->k = items->k;
        if (colon) coloring->distance = number_behind(colon);
        return LEMAN_OK;
    }
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

size_t lm_coloring_write_name(const leman_coloring *c, char *text, size_t size)
{
    const lm_variant *v = lm_variant_of(c);
    const char *paper = leman_algorithm_paper_name(c->algorithm);
    if (v->items.domain == LM_DOMAIN_NEAR && c->distance && c->distance != LM_DISTANCE)
        return (size_t)snprintf(text, size, "%s:%u", paper, (unsigned)c->distance);
    return lm_pattern_write(c->k == 1 && v->refines_vertices ? "k-WL" : paper, c->k, text, size);
}

size_t leman_coloring_paper_name(const leman_coloring *given, char *text, size_t size)
{
    leman_coloring c = leman_coloring_default();
    if (!text) size = 0;
    if (size) *text = 0;
    if (lm_options_copy(NULL, "leman_coloring", given, &c, sizeof c)) return 0;
    return lm_coloring_write_name(&c, text, size);
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
    lm_coloring_write_name(&c, name, sizeof name);
    const char *what = lm_variant_of(&c)->items.kind == LM_ITEM_SET ? "sets" : "tuples";
    if (c.components == 1 && c.k > 1) snprintf(tuples, sizeof tuples, ", connected %s", what);
    if (c.components > 1 && c.k > 1)
        snprintf(tuples, sizeof tuples, ", %s of at most %u components", what,
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

/* The members of a colouring of items: k is that of the algorithm, and a distance is set where there is one. */
static leman_status check_items(leman_context *ctx, leman_coloring *c)
{
    const lm_item_rule *items = &lm_variant_of(c)->items;
    if (c->distance > LM_MAX_DISTANCE)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "distance: found %u, expected 0 to %d", (unsigned)c->distance,
                       LM_MAX_DISTANCE);
    if (items->domain != LM_DOMAIN_NEAR)
        c->distance = 0;
    else if (!c->distance)
        c->distance = LM_DISTANCE;
    if (items->kind == LM_ITEM_NONE) return LEMAN_OK;
    if (items->k && c->k != items->k)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "k: found %u, expected %u for %s", c->k, items->k,
                       leman_algorithm_paper_name(c->algorithm));
    if (items->kind != LM_ITEM_SET && c->components && c->k > 1)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "components: found %u, expected 0, all pairs, for %s",
                       (unsigned)c->components, leman_algorithm_paper_name(c->algorithm));
    if (items->kind == LM_ITEM_SET && c->k > LM_SPARSE_K)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "k: found %u, expected 1 to %d for sets", c->k, LM_SPARSE_K);
    return LEMAN_OK;
}

unsigned leman_algorithm_k(leman_algorithm algorithm)
{
    return lm_variant_of(&(leman_coloring){.algorithm = algorithm})->items.k;
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
    PASS(check_items(ctx, &c));
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
        c->ignore_edge_labels,  c->in_arcs, c->seed,   c->components,        c->distance};
    return lm_checksum(members, sizeof members, 0);
}
