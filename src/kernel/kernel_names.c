/*
 * Names of kernels: "delta-3-LWL", "local:3", "LWL3", "WLOA", "SP", "GR:4", "delta-2-LWL:assignment", in any case, and
 * sums: "delta-2-LWL + SP".
 */
#include "base/arguments.h"
#include "base/ascii.h"
#include "base/text.h"
#include "kernel/kernel.h"
#include "kernel/kernel_parameters.h"
#include "refine/spelling.h"
#include "refine/variant.h"
#include <stdio.h>
#include <string.h>

static const char *const KINDS[] = {
    [LEMAN_KERNEL_KIND_COLORS] = "colors",
    [LEMAN_KERNEL_KIND_SHORTEST_PATH] = "shortest_path",
    [LEMAN_KERNEL_KIND_GRAPHLET] = "graphlet",
    [LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH] = "neighborhood_hash",
    [LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH] = "count_sensitive_hash",
    [LEMAN_KERNEL_KIND_HADAMARD_CODE] = "hadamard_code",
    [LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS] = "neighborhood_pairs",
    [LEMAN_KERNEL_KIND_TREES] = "trees",
    [LEMAN_KERNEL_KIND_RANDOM_WALK] = "random_walk",
    [LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED] = "random_walk_labeled",
    [LEMAN_KERNEL_KIND_GRAPH_HOPPER] = "graph_hopper",
    [LEMAN_KERNEL_KIND_PYRAMID_MATCH] = "pyramid_match",
    [LEMAN_KERNEL_KIND_PROPAGATION] = "propagation",
};

LM_ENUM_NAME(leman_kernel_kind, kind, "kind of a kernel", KINDS, , LEMAN_KERNEL_KIND_COUNT)

static const char *const NORMALIZATIONS[] = {
    [LEMAN_NORMALIZATION_COSINE] = "cosine",
    [LEMAN_NORMALIZATION_TANIMOTO] = "tanimoto",
};
LM_ENUM_NAME(leman_normalization, normalization, "normalization", NORMALIZATIONS, , LEMAN_NORMALIZATION_COUNT)

LM_OPTIONS(leman_kernel, kernel, .graphlet = LM_KERNEL_MIN_GRAPHLET, .weight = 1, .radius = LM_KERNEL_RADIUS,
           .distance = LM_KERNEL_DISTANCE, .lambda = 0.1, .mu = 1, .dimensions = 6, .levels = 4, .bin_width = 1,
           .label_width = 0.01, .coloring = leman_coloring_default())
LM_OPTIONS(leman_projections, projections, .columns = 0)

/* ---- Names of kernels ------------------------------------------------------------------------ */

/* Kernels in addition to those of leman_coloring_parse(). */
static const struct {
    const char *name, *paper; /* our name, and the name in the paper and in the authors' program */
    leman_kernel_kind kind;
    bool numbered;           /* a size or a radius may follow after a colon */
    bool optimal_assignment; /* 1-WL with assignment */
    unsigned atom_labels;    /* 1-WL of `rounds` rounds on these labels, as minima with Tanimoto's normalisation */
    uint32_t rounds;
} KERNELS[] = {
    {"wloa", "WLOA", LEMAN_KERNEL_KIND_COLORS, false, true, 0, 0},
    {"sp", "SP", LEMAN_KERNEL_KIND_SHORTEST_PATH, false, false, 0, 0},
    {"graphlet", "GR", LEMAN_KERNEL_KIND_GRAPHLET, true, false, 0, 0},
    {"nh", "NH", LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH, true, false, 0, 0},
    {"csnh", "CSNH", LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH, true, false, 0, 0},
    {"hc", "HC", LEMAN_KERNEL_KIND_HADAMARD_CODE, true, false, 0, 0},
    {"nspd", "NSPD", LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS, true, false, 0, 0},
    {"odd", "ODD", LEMAN_KERNEL_KIND_TREES, true, false, 0, 0},
    {"randomwalk", "RandomWalk", LEMAN_KERNEL_KIND_RANDOM_WALK, false, false, 0, 0},
    {"randomwalklabeled", "RandomWalkLabeled", LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED, false, false, 0, 0},
    {"graphhopper", "GraphHopper", LEMAN_KERNEL_KIND_GRAPH_HOPPER, false, false, 0, 0},
    {"pyramidmatch", "PyramidMatch", LEMAN_KERNEL_KIND_PYRAMID_MATCH, false, false, 0, 0},
    {"propagation", "Propagation", LEMAN_KERNEL_KIND_PROPAGATION, false, false, 0, 0},
    {"ecfp2", "ECFP2", LEMAN_KERNEL_KIND_COLORS, false, false, LEMAN_ATOM_ECFP, 1},
    {"ecfp4", "ECFP4", LEMAN_KERNEL_KIND_COLORS, false, false, LEMAN_ATOM_ECFP, 2},
    {"ecfp6", "ECFP6", LEMAN_KERNEL_KIND_COLORS, false, false, LEMAN_ATOM_ECFP, 3},
    {"fcfp2", "FCFP2", LEMAN_KERNEL_KIND_COLORS, false, false, LEMAN_ATOM_FCFP, 1},
    {"fcfp4", "FCFP4", LEMAN_KERNEL_KIND_COLORS, false, false, LEMAN_ATOM_FCFP, 2},
    {"fcfp6", "FCFP6", LEMAN_KERNEL_KIND_COLORS, false, false, LEMAN_ATOM_FCFP, 3},
};

enum { KERNEL_COUNT = sizeof KERNELS / sizeof *KERNELS };

/* What may follow any name. */
static const struct {
    const char *text;
    bool assignment;
    leman_normalization normalization;
} ENDINGS[] = {
    {":assignment", true, LEMAN_NORMALIZATION_COSINE},
    {":minmax", true, LEMAN_NORMALIZATION_TANIMOTO},
    {":tanimoto", false, LEMAN_NORMALIZATION_TANIMOTO},
};
enum { ENDING_COUNT = sizeof ENDINGS / sizeof *ENDINGS };

const char *leman_kernel_known_name(size_t i)
{
    size_t colorings = 0;
    while (leman_coloring_known_name(colorings)) colorings++;
    if (i < colorings) return leman_coloring_known_name(i);
    i -= colorings;
    if (i < KERNEL_COUNT) return KERNELS[i].name;
    return i < 2 * KERNEL_COUNT ? KERNELS[i - KERNEL_COUNT].paper : NULL;
}

static bool is_kernel(size_t i, const char *folded, size_t length)
{
    const char *names[] = {KERNELS[i].name, KERNELS[i].paper};
    for (size_t n = 0; n < 2; n++)
        if (lm_is_word(folded, length, names[n])) return true;
    return false;
}

/* Reads the number of vertices of a graphlet after the colon of its name. */
static leman_status read_size(leman_context *ctx, const char *name, const char *digits, unsigned *size)
{
    if (digits[0] < '0' + LM_KERNEL_MIN_GRAPHLET || digits[0] > '0' + LM_KERNEL_MAX_GRAPHLET || digits[1])
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "algorithm: found '%s', expected a number from %d to %d behind the colon", name,
                       LM_KERNEL_MIN_GRAPHLET, LM_KERNEL_MAX_GRAPHLET);
    *size = (unsigned)(digits[0] - '0');
    return LEMAN_OK;
}

/* Round 0 of a neighbourhood hash is a hash of the label alone and is not counted. */
static unsigned smallest_radius(leman_kernel_kind kind)
{
    return kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH || kind == LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH;
}

/* Reads a number up to LM_KERNEL_MAX_RADIUS and returns what follows it; NULL if there is no such number. */
static const char *read_number(const char *digits, unsigned smallest, uint8_t *out)
{
    unsigned number = 0;
    const char *at = digits;
    while (lm_is_digit(*at) && at < digits + 3) number = 10 * number + (unsigned)(*at++ - '0');
    if (at == digits || number < smallest || number > LM_KERNEL_MAX_RADIUS || (*digits == '0' && at > digits + 1))
        return NULL;
    *out = (uint8_t)number;
    return at;
}

/* Reads the radius after the colon of a name, and the distance of pairs of neighbourhoods after another colon. */
static leman_status read_radius(leman_context *ctx, const char *name, const char *digits, leman_kernel_kind kind,
                                leman_kernel *kernel)
{
    const unsigned smallest = smallest_radius(kind);
    const bool pairs = kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS;
    const char *rest = read_number(digits, smallest, &kernel->radius);
    if (rest && pairs && *rest == ':') rest = read_number(rest + 1, 0, &kernel->distance);
    if (!rest || *rest)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "algorithm: found '%s', expected a number from %u to %d behind the colon%s", name, smallest,
                       LM_KERNEL_MAX_RADIUS, pairs ? ", or two of them" : "");
    return LEMAN_OK;
}

static leman_status unknown(leman_context *ctx, const char *name)
{
    char list[LM_SENTENCE / 4 * 3];
    lm_joined names = lm_joined_begin(list, sizeof list);
    for (size_t i = 0; leman_kernel_known_name(i); i++) lm_joined_name(&names, leman_kernel_known_name(i));
    return lm_fail(
        ctx, LEMAN_ERROR_ARGUMENT,
        "algorithm: found '%s', expected one of: %s; with another k: delta-3-LWL or local:3; a graphlet may have its "
        "size behind it (GR:4), a neighbourhood its radius (NH:2), and each of them :assignment, :minmax or :tanimoto",
        name, list);
}

/* Parses a folded name without :assignment; `name` is the original text, for messages. */
static leman_status parse_plain(leman_context *ctx, const char *name, const char *folded, leman_kernel *kernel)
{
    bool known;
    size_t length = strcspn(folded, ":"), i = 0;
    while (i < KERNEL_COUNT && !is_kernel(i, folded, length)) i++;
    if (i == KERNEL_COUNT) {
        PASS(lm_coloring_find(ctx, folded, &kernel->coloring, &known));
        if (!known) PASS(unknown(ctx, name));
        kernel->kind = LEMAN_KERNEL_KIND_COLORS;
        return LEMAN_OK;
    }
    kernel->kind = KERNELS[i].kind;
    if (folded[length] && KERNELS[i].kind == LEMAN_KERNEL_KIND_GRAPHLET)
        PASS(read_size(ctx, name, folded + length + 1, &kernel->graphlet));
    else if (folded[length] && KERNELS[i].numbered)
        PASS(read_radius(ctx, name, folded + length + 1, KERNELS[i].kind, kernel));
    else if (folded[length]) {
        PASS(lm_parameters_parse(ctx, name, folded + length, kernel, &known));
        if (!known) PASS(unknown(ctx, name));
    }
    kernel->assignment |= kernel->kind == LEMAN_KERNEL_KIND_PYRAMID_MATCH;
    if (KERNELS[i].kind != LEMAN_KERNEL_KIND_COLORS) return LEMAN_OK;
    kernel->coloring.algorithm = LEMAN_ALGORITHM_LOCAL;
    kernel->coloring.k = 1;
    kernel->assignment = true;
    if (!KERNELS[i].atom_labels) return LEMAN_OK;
    kernel->normalization = LEMAN_NORMALIZATION_TANIMOTO;
    kernel->atom_labels = KERNELS[i].atom_labels;
    kernel->coloring.rounds = KERNELS[i].rounds;
    kernel->fixed_rounds = true;
    return LEMAN_OK;
}

/* After a failure the kernel is unspecified. */
static leman_status parse(leman_context *ctx, const char *name, leman_kernel *kernel)
{
    char folded[LM_SPELLING];
    if (!lm_spelling_fold(name, folded)) return unknown(ctx, name);
    const size_t length = strlen(folded);
    size_t i = 0, ending = 0;
    for (; i < ENDING_COUNT; i++) {
        ending = strlen(ENDINGS[i].text);
        if (length > ending && !strcmp(folded + length - ending, ENDINGS[i].text)) break;
    }
    if (i < ENDING_COUNT) folded[length - ending] = 0;
    PASS(parse_plain(ctx, name, folded, kernel));
    if (i == ENDING_COUNT) return LEMAN_OK;
    kernel->assignment |= ENDINGS[i].assignment;
    kernel->normalization = ENDINGS[i].normalization;
    return LEMAN_OK;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Skips blanks, which are allowed around the + of a sum: "delta-2-LWL+ + SP". */
static const char *behind_blanks(const char *text)
{
    while (*text == ' ') text++;
    return text;
}

/* Finds a + that is followed by a name. */
static const char *next_plus(const char *text)
{
    while ((text = strchr(text, '+'))) {
        const char next = *behind_blanks(text + 1);
        if (lm_is_letter(next) || lm_is_digit(next) || (unsigned char)next >= 0x80) {
            static const char SUPERSCRIPT[] = "⁺"; /* part of a name, like a second + */
            if (strncmp(behind_blanks(text + 1), SUPERSCRIPT, sizeof SUPERSCRIPT - 1)) break;
        }
        text++;
    }
    return text;
}

size_t leman_kernels_count(const char *text)
{
    size_t count = text != NULL;
    while (text && (text = next_plus(text))) count++, text++;
    return count;
}

static leman_status parse_sum(leman_context *ctx, const char *text, leman_kernel *kernels)
{
    char piece[LM_SPELLING];
    for (const char *plus; text; text = plus ? plus + 1 : NULL, kernels++) {
        plus = next_plus(text);
        text = behind_blanks(text);
        size_t length = plus ? (size_t)(plus - text) : strlen(text);
        while (length && text[length - 1] == ' ') length--;
        snprintf(piece, sizeof piece, "%.*s", (int)length, text);
        PASS(parse(ctx, length < sizeof piece ? piece : text, kernels)); /* a long piece fails with the whole text */
    }
    return LEMAN_OK;
}

leman_status leman_kernels_parse(leman_context *ctx, const char *text, leman_kernel *kernels, size_t count)
{
    REQUIRE(ctx, text, kernels);
    if (count != leman_kernels_count(text))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "count: found %zu, expected %zu, the kernels of '%s'", count,
                       leman_kernels_count(text), text);
    SCRATCH_SCOPE(ctx);
    leman_kernel *copy;
    size_t size = kernels->size, known = size < sizeof *copy ? size : sizeof *copy;
    PASS_SCRATCH(ctx, copy, count);
    for (size_t i = 0; i < count; i++) copy[i] = leman_kernel_default();
    PASS(lm_options_copy_array(ctx, "leman_kernel", kernels, count, copy, sizeof *copy));
    PASS(parse_sum(ctx, text, copy));
    for (size_t i = 0; i < count; i++) { /* the caller's struct may be shorter or longer */
        copy[i].size = size;
        memcpy((char *)kernels + i * size, copy + i, known);
    }
    return LEMAN_OK;
}

leman_status leman_kernel_parse(leman_context *ctx, const char *name, leman_kernel *kernel)
{
    REQUIRE(ctx, name, kernel);
    if (leman_kernels_count(name) > 1) PASS(unknown(ctx, name));
    return leman_kernels_parse(ctx, name, kernel, 1);
}

/* ---- From kernels to names ------------------------------------------------------------------- */

static bool is_row(const leman_kernel *kernel, size_t i)
{
    const bool one = kernel->coloring.k == 1 && lm_variant_of(&kernel->coloring)->refines_vertices;
    if (kernel->kind != KERNELS[i].kind) return false;
    if (KERNELS[i].atom_labels)
        return one && kernel->assignment && kernel->normalization == LEMAN_NORMALIZATION_TANIMOTO &&
               kernel->atom_labels == KERNELS[i].atom_labels && kernel->fixed_rounds &&
               kernel->coloring.rounds == KERNELS[i].rounds;
    return !KERNELS[i].optimal_assignment ||
           (one && kernel->assignment && kernel->normalization == LEMAN_NORMALIZATION_COSINE);
}

const char *leman_kernel_name(const leman_kernel *given)
{
    leman_kernel kernel = leman_kernel_default();
    if (!given || lm_options_copy(NULL, "leman_kernel", given, &kernel, sizeof kernel)) return "unknown";
    for (size_t i = 0; i < KERNEL_COUNT; i++)
        if (is_row(&kernel, i)) return KERNELS[i].name;
    return kernel.kind == LEMAN_KERNEL_KIND_COLORS ? leman_algorithm_name(kernel.coloring.algorithm) : "unknown";
}

bool leman_kernel_has_rounds(const leman_kernel *given)
{
    leman_kernel kernel = leman_kernel_default();
    return given && !lm_options_copy(NULL, "leman_kernel", given, &kernel, sizeof kernel) &&
           lm_kernel_selects_rounds(&kernel);
}

/* Writes the paper's name of one kernel of a sum: "delta-2-LWL:assignment". */
static void write_paper_name(const leman_kernel *kernel, char *text, size_t size)
{
    char name[LM_SPELLING] = "unknown";
    size_t i = 0;
    while (i < KERNEL_COUNT && !is_row(kernel, i)) i++;
    if (kernel->kind == LEMAN_KERNEL_KIND_GRAPHLET && i < KERNEL_COUNT && kernel->graphlet > LM_KERNEL_MIN_GRAPHLET)
        snprintf(name, sizeof name, "%s:%u", KERNELS[i].paper, kernel->graphlet);
    else if (kernel->kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS && kernel->distance != LM_KERNEL_DISTANCE)
        snprintf(name, sizeof name, "NSPD:%u:%u", kernel->radius, kernel->distance);
    else if (i < KERNEL_COUNT && lm_kernel_has_radius(kernel) && kernel->radius != LM_KERNEL_RADIUS)
        snprintf(name, sizeof name, "%s:%u", KERNELS[i].paper, kernel->radius);
    else if (i < KERNEL_COUNT)
        snprintf(name, sizeof name, "%s", KERNELS[i].paper);
    else if (kernel->kind == LEMAN_KERNEL_KIND_COLORS)
        lm_coloring_write_name(&kernel->coloring, name, sizeof name);
    lm_parameters_write(kernel, name + strlen(name), sizeof name - strlen(name));
    const bool implied = i < KERNEL_COUNT && kernel->kind == LEMAN_KERNEL_KIND_COLORS;
    const bool minima = kernel->assignment && kernel->kind != LEMAN_KERNEL_KIND_PYRAMID_MATCH;
    size_t e = implied ? ENDING_COUNT : 0;
    while (e < ENDING_COUNT && (ENDINGS[e].assignment != minima || ENDINGS[e].normalization != kernel->normalization))
        e++;
    snprintf(text, size, "%s%s", name, e < ENDING_COUNT ? ENDINGS[e].text : "");
}

size_t leman_kernels_paper_name(const leman_kernel *kernels, size_t count, char *text, size_t size)
{
    size_t used = 0;
    if (text && size) *text = 0;
    for (size_t i = 0; kernels && i < count; i++) {
        leman_kernel kernel = leman_kernel_default();
        char name[LM_SPELLING + 16];
        if (lm_options_copy(NULL, "leman_kernel", (const char *)kernels + i * kernels->size, &kernel, sizeof kernel))
            break;
        write_paper_name(&kernel, name, sizeof name);
        size_t left = text && used < size ? size - used : 0;
        used += (size_t)snprintf(left ? text + used : NULL, left, "%s%s", i ? " + " : "", name);
    }
    return used;
}
