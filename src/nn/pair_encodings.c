/* Which encodings of pairs a pair network reads: their names, their numbers, and what is not allowed. */
#include "base/arguments.h"
#include "base/ascii.h"
#include "base/text.h"
#include "nn/model.h"
#include <stdio.h>

enum { PUBLISHED_DISTANCE = 5, USUAL_WALK = 16 };

/* The encodings in the order of their bits in leman_architecture.encodings. */
static const struct encoding_row {
    const char *name;
    size_t offset; /* of its number in leman_architecture; 0: it has none */
    size_t usual;
} ENCODING[LEMAN_PAIR_ENCODINGS] = {{"distance", offsetof(leman_architecture, distance), PUBLISHED_DISTANCE},
                                    {"walk", offsetof(leman_architecture, walk), USUAL_WALK},
                                    {"resistance", 0, 0},
                                    {"none", 0, 0}};

static size_t *number_of(leman_architecture *a, size_t i)
{
    return (size_t *)(void *)((char *)a + ENCODING[i].offset);
}

static leman_status check_network(leman_context *ctx, const leman_architecture *a)
{
    char name[64];
    if (lm_model_has_pairs(a->kind)) return LEMAN_OK;
    leman_architecture_paper_name(a, name, sizeof name);
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "found encodings of pairs for %s, expected a pair network, such as Local-2-GNN", name);
}

leman_status lm_pair_encodings_normalize(leman_context *ctx, leman_architecture *a)
{
    if (!a->encodings && !a->distance && !a->walk) return LEMAN_OK;
    PASS(check_network(ctx, a));
    if (a->encodings >> LEMAN_PAIR_ENCODINGS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found encodings of pairs that do not exist: %#x", a->encodings);
    if (a->encodings & LEMAN_PAIR_ENCODING_NONE && a->encodings != LEMAN_PAIR_ENCODING_NONE)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found none and other encodings of pairs, expected none alone, or the others");
    for (size_t i = 0; i < LEMAN_PAIR_ENCODINGS; i++) {
        if (!ENCODING[i].offset) continue;
        size_t *number = number_of(a, i);
        if (*number && !(a->encodings >> i & 1))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %s: %zu, but no such encoding of pairs", ENCODING[i].name,
                           *number);
        if (*number > LEMAN_PAIR_ENCODING_MAX)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found %zu, expected 1 to %d", ENCODING[i].name, *number,
                           LEMAN_PAIR_ENCODING_MAX);
        if (!*number && (a->encodings >> i & 1)) *number = ENCODING[i].usual;
    }
    if (a->encodings == LEMAN_PAIR_ENCODING_DISTANCE && a->distance == PUBLISHED_DISTANCE) a->encodings = 0;
    if (!a->encodings) a->distance = 0;
    return LEMAN_OK;
}

lm_pair_encodings lm_pair_encodings_of(const leman_architecture *a)
{
    if (!lm_model_has_pairs(a->kind)) return (lm_pair_encodings){0};
    if (!a->encodings) return (lm_pair_encodings){.distance = PUBLISHED_DISTANCE};
    const bool distance = a->encodings & LEMAN_PAIR_ENCODING_DISTANCE, walk = a->encodings & LEMAN_PAIR_ENCODING_WALK;
    return (lm_pair_encodings){.distance = !distance     ? 0
                                           : a->distance ? a->distance
                                                         : PUBLISHED_DISTANCE,
                               .walk = !walk     ? 0
                                       : a->walk ? a->walk
                                                 : USUAL_WALK,
                               .resistance = (a->encodings & LEMAN_PAIR_ENCODING_RESISTANCE) != 0};
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Reads one encoding, "walk:16", from text[length] into *a. Returns false if it is none, or if *a has it already. */
static bool read_encoding(const char *text, size_t length, leman_architecture *a)
{
    enum { LONGEST = 4 };
    const char *colon = memchr(text, ':', length);
    const size_t name = colon ? (size_t)(colon - text) : length;
    for (size_t i = 0; i < LEMAN_PAIR_ENCODINGS; i++) {
        if (!lm_is_word(text, name, ENCODING[i].name)) continue;
        if ((a->encodings >> i & 1) || (colon && !ENCODING[i].offset)) return false;
        a->encodings |= 1u << i;
        size_t number = colon ? 0 : ENCODING[i].usual;
        if (colon && length - name - 1 > LONGEST) return false;
        for (const char *c = colon ? colon + 1 : text + length; c < text + length; c++) {
            if (*c < '0' || *c > '9') return false;
            number = 10 * number + (size_t)(*c - '0');
        }
        if (!ENCODING[i].offset) return true;
        *number_of(a, i) = number;
        return number >= 1 && number <= LEMAN_PAIR_ENCODING_MAX;
    }
    return false;
}

leman_status leman_architecture_encode(leman_context *ctx, const char *text, leman_architecture *architecture)
{
    leman_architecture a = leman_architecture_default();
    REQUIRE(ctx, text, architecture);
    PASS(lm_options_copy(ctx, "leman_architecture", architecture, &a, sizeof a));
    PASS(check_network(ctx, &a));
    a.encodings = 0;
    a.distance = a.walk = 0;
    for (const char *at = text, *comma = at; comma; at = comma + 1) {
        comma = strchr(at, ',');
        if (read_encoding(at, comma ? (size_t)(comma - at) : strlen(at), &a)) continue;
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "encodings of pairs: found '%s', expected none, or some of distance:N, walk:N and resistance, "
                       "each once, with commas between them and N from 1 to %d",
                       text, LEMAN_PAIR_ENCODING_MAX);
    }
    PASS(lm_pair_encodings_normalize(ctx, &a));
    lm_options_return(&a, sizeof a, architecture);
    return LEMAN_OK;
}

size_t leman_architecture_encodings(const leman_architecture *given, char *text, size_t size)
{
    leman_architecture a = leman_architecture_default();
    char all[LM_ENCODINGS_TEXT];
    lm_joined list = lm_joined_begin(all, sizeof all);
    if (!text) size = 0;
    if (size) *text = 0;
    if (lm_options_copy(NULL, "leman_architecture", given, &a, sizeof a)) return 0;
    const lm_pair_encodings e = lm_pair_encodings_of(&a);
    if (e.distance) lm_joined_add(&list, "distance:%zu", e.distance);
    if (e.walk) lm_joined_add(&list, "%swalk:%zu", e.distance ? "," : "", e.walk);
    if (e.resistance) lm_joined_add(&list, "%sresistance", e.distance || e.walk ? "," : "");
    if (a.encodings & LEMAN_PAIR_ENCODING_NONE) lm_joined_add(&list, "none");
    return (size_t)snprintf(text, size, "%s", all);
}
