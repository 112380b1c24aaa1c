/* Names of kernels: "local:3", "LWL3", "wloa", "sp", "graphlet:4", "local:3:assignment", and sums: "local:2+sp". */
#include "base/arguments.h"
#include "kernel/kernel.h"
#include "refine/variant.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

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
    return PARSE_ENUM(ctx, LM_NAMES("kind of a kernel", KINDS, ), name, kind);
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

/* ---- Names of kernels ------------------------------------------------------------------------ */

/* Kernels beside those of leman_coloring_parse(). */
static const struct {
    const char *name, *authors; /* ours, and that of the authors' program */
    leman_kernel_kind kind;
    bool numbered;           /* a size may follow behind a colon */
    bool optimal_assignment; /* 1-WL with assignment */
} KERNELS[] = {
    {"wloa", "WLOA", LEMAN_KERNEL_KIND_COLORS, false, true},
    {"sp", "SP", LEMAN_KERNEL_KIND_SHORTEST_PATH, false, false},
    {"graphlet", "GR", LEMAN_KERNEL_KIND_GRAPHLET, true, false},
};

enum { KERNEL_COUNT = sizeof KERNELS / sizeof *KERNELS };
static const char ASSIGNMENT[] = ":assignment";

const char *leman_kernel_known_name(size_t i)
{
    size_t colorings = 0;
    while (leman_coloring_known_name(colorings)) colorings++;
    if (i < colorings) return leman_coloring_known_name(i);
    i -= colorings;
    if (i < KERNEL_COUNT) return KERNELS[i].name;
    return i < 2 * KERNEL_COUNT ? KERNELS[i - KERNEL_COUNT].authors : NULL;
}

/* The number behind the colon of a name, from min to max. */
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
    char list[LM_SENTENCE / 2] = "";
    size_t used = 0;
    for (size_t i = 0; leman_kernel_known_name(i) && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", leman_kernel_known_name(i));
    return lm_fail(
        ctx, LEMAN_ERROR_ARGUMENT,
        "algorithm: found '%s', expected one of: %s; a colouring may have its k behind it (local:3), graphlet "
        "its size, and each of them %s",
        name, list, ASSIGNMENT);
}

static leman_status parse_coloring(leman_context *ctx, const char *name, const char *word, leman_kernel *kernel)
{
    leman_status st = LEMAN_OK;
    unsigned k = kernel->k;
    bool colon = strchr(name, ':') != NULL;
    leman_coloring coloring = leman_kernel_coloring(kernel);
    coloring.k = 0;
    if (leman_coloring_parse(ctx, word, &coloring)) TRY(unknown(ctx, name));
    if (colon && coloring.k) TRY(unknown(ctx, name)); /* LWL2:3 */
    if (!coloring.k) coloring.k = k;
    if (colon) TRY(read_number(ctx, name, 1, LM_MAX_K, &coloring.k));
    kernel->kind = LEMAN_KERNEL_KIND_COLORS;
    leman_kernel_set_coloring(kernel, &coloring);
done:
    return st;
}

/* A name without :assignment. */
static leman_status parse_plain(leman_context *ctx, const char *name, leman_kernel *kernel)
{
    leman_status st = LEMAN_OK;
    char word[16];
    size_t length = strcspn(name, ":"), i = 0;
    if (length >= sizeof word) return unknown(ctx, name);
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    while (i < KERNEL_COUNT && strcmp(KERNELS[i].name, word) && strcmp(KERNELS[i].authors, word)) i++;
    if (i == KERNEL_COUNT) return parse_coloring(ctx, name, word, kernel);
    if (name[length] && !KERNELS[i].numbered) TRY(unknown(ctx, name));
    if (name[length]) TRY(read_number(ctx, name, LM_KERNEL_MIN_GRAPHLET, LM_KERNEL_MAX_GRAPHLET, &kernel->graphlet));
    kernel->kind = KERNELS[i].kind;
    if (KERNELS[i].optimal_assignment) {
        kernel->algorithm = LEMAN_ALGORITHM_LOCAL;
        kernel->k = 1;
        kernel->assignment = true;
    }
done:
    return st;
}

/* The kernel is unspecified where that fails. */
static leman_status parse(leman_context *ctx, const char *name, leman_kernel *kernel)
{
    leman_status st = LEMAN_OK;
    char plain[32];
    size_t length = strlen(name), ending = sizeof ASSIGNMENT - 1;
    if (length <= ending || strcmp(name + length - ending, ASSIGNMENT)) return parse_plain(ctx, name, kernel);
    if (length - ending >= sizeof plain) return unknown(ctx, name);
    snprintf(plain, sizeof plain, "%.*s", (int)(length - ending), name);
    TRY(parse_plain(ctx, plain, kernel));
    kernel->assignment = true;
done:
    return st;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static const char *next_plus(const char *text)
{
    while ((text = strchr(text, '+')) && !isalpha((unsigned char)text[1])) text++;
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
    leman_status st = LEMAN_OK;
    char piece[64];
    for (const char *plus; text; text = plus ? plus + 1 : NULL, kernels++) {
        plus = next_plus(text);
        size_t length = plus ? (size_t)(plus - text) : strlen(text);
        snprintf(piece, sizeof piece, "%.*s", (int)length, text);
        TRY(parse(ctx, length < sizeof piece ? piece : text, kernels)); /* the whole text, for the sentence */
    }
done:
    return st;
}

/* What was parsed goes to kernels of the caller, who may know a shorter or a longer struct. */
static leman_status parse_into(leman_context *ctx, const char *text, leman_kernel *kernels, size_t count)
{
    leman_status st = LEMAN_OK;
    leman_kernel *copy;
    size_t size = kernels->size, known = size < sizeof *copy ? size : sizeof *copy;
    SCRATCH(ctx, copy, count);
    for (size_t i = 0; i < count; i++) copy[i] = leman_kernel_default();
    TRY(lm_options_copy_array(ctx, "leman_kernel", kernels, count, copy, sizeof *copy));
    TRY(parse_sum(ctx, text, copy));
    for (size_t i = 0; i < count; i++) {
        copy[i].size = size;
        memcpy((char *)kernels + i * size, copy + i, known);
    }
done:
    return st;
}

leman_status leman_kernels_parse(leman_context *ctx, const char *text, leman_kernel *kernels, size_t count)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, text);
    REQUIRE(ctx, kernels);
    if (count != leman_kernels_count(text))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "count: found %zu, expected %zu, the kernels of '%s'", count,
             leman_kernels_count(text), text);
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    st = parse_into(ctx, text, kernels, count);
    lm_arena_reset(&ctx->scratch, mark);
done:
    return st;
}

leman_status leman_kernel_parse(leman_context *ctx, const char *name, leman_kernel *kernel)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, name);
    REQUIRE(ctx, kernel);
    if (leman_kernels_count(name) > 1) TRY(unknown(ctx, name));
    TRY(leman_kernels_parse(ctx, name, kernel, 1));
done:
    return st;
}

/* ---- From kernels to names ------------------------------------------------------------------- */

static bool is_row(const leman_kernel *kernel, size_t i)
{
    bool one =
        kernel->k == 1 && kernel->algorithm != LEMAN_ALGORITHM_DELTA && kernel->algorithm != LEMAN_ALGORITHM_LOCAL_PLUS;
    return kernel->kind == KERNELS[i].kind && (!KERNELS[i].optimal_assignment || (one && kernel->assignment));
}

const char *leman_kernel_name(const leman_kernel *given)
{
    leman_kernel kernel = leman_kernel_default();
    if (!given || lm_options_copy(NULL, "leman_kernel", given, &kernel, sizeof kernel)) return "unknown";
    for (size_t i = 0; i < KERNEL_COUNT; i++)
        if (is_row(&kernel, i)) return KERNELS[i].name;
    return kernel.kind == LEMAN_KERNEL_KIND_COLORS ? leman_algorithm_name(kernel.algorithm) : "unknown";
}

/* One kernel of a sum. */
static size_t write_name(const leman_kernel *kernel, char *text, size_t size)
{
    const char *name = leman_kernel_name(kernel);
    bool whole = !strcmp(name, KERNELS[0].name); /* says k and assignment already */
    unsigned number = kernel->kind == LEMAN_KERNEL_KIND_GRAPHLET           ? kernel->graphlet
                      : kernel->kind == LEMAN_KERNEL_KIND_COLORS && !whole ? kernel->k
                                                                           : 0;
    char digits[16] = "";
    if (number) snprintf(digits, sizeof digits, ":%u", number);
    return (size_t)snprintf(text, size, "%s%s%s", name, digits, kernel->assignment && !whole ? ASSIGNMENT : "");
}

size_t leman_kernels_text(const leman_kernel *kernels, size_t count, char *text, size_t size)
{
    size_t used = 0;
    if (text && size) *text = 0;
    for (size_t i = 0; kernels && i < count; i++) {
        leman_kernel kernel = leman_kernel_default();
        char name[64];
        if (lm_options_copy(NULL, "leman_kernel", (const char *)kernels + i * kernels->size, &kernel, sizeof kernel))
            break;
        write_name(&kernel, name, sizeof name);
        size_t left = text && used < size ? size - used : 0;
        used += (size_t)snprintf(left ? text + used : NULL, left, "%s%s", i ? "+" : "", name);
    }
    return used;
}
