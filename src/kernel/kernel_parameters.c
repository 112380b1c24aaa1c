/* Parameters of kernels in their names. A parameter is a row of PARAMETERS; parsing and writing follow from the row. */
#include "kernel/kernel_parameters.h"
#include "base/ascii.h"
#include "base/file.h"
#include "base/strings.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum parameter_type { REAL, COUNT, FLAG, CHOICE } parameter_type;

#define WALKS LEMAN_KERNEL_KIND_RANDOM_WALK, LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED
#define HOPPER LEMAN_KERNEL_KIND_GRAPH_HOPPER, LEMAN_KERNEL_KIND_GRAPH_HOPPER
#define PYRAMID LEMAN_KERNEL_KIND_PYRAMID_MATCH, LEMAN_KERNEL_KIND_PYRAMID_MATCH
#define AT(member) offsetof(leman_kernel, member)

static const struct parameter {
    leman_kernel_kind first, last; /* of the kinds that have the parameter */
    const char *name;
    parameter_type type;
    size_t offset;
    int choice; /* CHOICE: the value of an enum that the name stands for */
} PARAMETERS[] = {
    {WALKS, "exponential", FLAG, AT(exponential), 0},
    {WALKS, "lambda", REAL, AT(lambda), 0},
    {WALKS, "steps", COUNT, AT(steps), 0},
    {HOPPER, "linear", CHOICE, AT(node_kernel), LEMAN_NODE_KERNEL_LINEAR},
    {HOPPER, "gaussian", CHOICE, AT(node_kernel), LEMAN_NODE_KERNEL_GAUSSIAN},
    {HOPPER, "bridge", CHOICE, AT(node_kernel), LEMAN_NODE_KERNEL_BRIDGE},
    {HOPPER, "mu", REAL, AT(mu), 0},
    {PYRAMID, "dimensions", COUNT, AT(dimensions), 0},
    {PYRAMID, "levels", COUNT, AT(levels), 0},
};
_Static_assert(sizeof(leman_node_kernel) == sizeof(int), "choices are copied as int");

enum { PARAMETER_COUNT = sizeof PARAMETERS / sizeof *PARAMETERS };

static bool has(const leman_kernel *kernel, const struct parameter *p)
{
    return kernel->kind >= p->first && kernel->kind <= p->last;
}

/* Sets one parameter from text[length], "lambda=0.05" or "exponential". */
static leman_status set(leman_context *ctx, const char *name, const char *text, size_t length, leman_kernel *kernel,
                        bool *known)
{
    const size_t word = strcspn(text, ":=");
    const bool valued = word < length;
    const struct parameter *p = PARAMETERS;
    while (p < PARAMETERS + PARAMETER_COUNT && !(has(kernel, p) && lm_is_word(text, word, p->name))) p++;
    *known = p < PARAMETERS + PARAMETER_COUNT && valued == (p->type == REAL || p->type == COUNT);
    if (!*known) return LEMAN_OK;
    char *end = NULL;
    const double value = valued ? lm_strtod(text + word + 1, &end) : 1;
    const bool number = !valued || (end == text + length && (lm_is_digit(text[word + 1]) || text[word + 1] == '.'));
    if (!number || (p->type == COUNT && (value < 1 || value > UINT32_MAX || value != floor(value))))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "algorithm: found '%s', expected a %s behind %s=", name,
                       p->type == COUNT ? "whole number from 1 up" : "number", p->name);
    char *member = (char *)kernel + p->offset;
    const unsigned count = p->type == COUNT ? (unsigned)value : 0;
    const bool flag = true;
    if (p->type == REAL) memcpy(member, &value, sizeof value);
    if (p->type == COUNT) memcpy(member, &count, sizeof count);
    if (p->type == FLAG) memcpy(member, &flag, sizeof flag);
    if (p->type == CHOICE) memcpy(member, &p->choice, sizeof p->choice);
    return LEMAN_OK;
}

leman_status lm_parameters_parse(leman_context *ctx, const char *name, const char *folded, leman_kernel *kernel,
                                 bool *known)
{
    *known = true;
    while (*folded && *known) {
        const size_t length = strcspn(++folded, ":");
        PASS(set(ctx, name, folded, length, kernel, known));
        folded += length;
    }
    return LEMAN_OK;
}

/* Writes a parameter if its value is not the default. Returns the length of the text. */
static size_t write_one(const struct parameter *p, const leman_kernel *kernel, char *text, size_t size)
{
    const leman_kernel usual = leman_kernel_default();
    const char *member = (const char *)kernel + p->offset, *other = (const char *)&usual + p->offset;
    char digits[LM_REAL_TEXT + 1];
    double value, common;
    unsigned count, expected;
    bool flag;
    int choice, usual_choice;
    switch (p->type) {
    case REAL:
        memcpy(&value, member, sizeof value);
        memcpy(&common, other, sizeof common);
        if (value == common) return 0;
        *lm_real_text(digits, value) = 0;
        char *plus = strchr(digits, '+'); /* of an exponent; in a sum of kernels a + would end the name */
        if (plus) memmove(plus, plus + 1, strlen(plus));
        return (size_t)snprintf(text, size, ":%s=%s", p->name, digits);
    case COUNT:
        memcpy(&count, member, sizeof count);
        memcpy(&expected, other, sizeof expected);
        return count == expected ? 0 : (size_t)snprintf(text, size, ":%s=%u", p->name, count);
    case CHOICE:
        memcpy(&choice, member, sizeof choice);
        memcpy(&usual_choice, other, sizeof usual_choice);
        return choice == usual_choice || choice != p->choice ? 0 : (size_t)snprintf(text, size, ":%s", p->name);
    case FLAG: memcpy(&flag, member, sizeof flag); return flag ? (size_t)snprintf(text, size, ":%s", p->name) : 0;
    }
    return 0;
}

void lm_parameters_write(const leman_kernel *kernel, char *text, size_t size)
{
    for (const struct parameter *p = PARAMETERS; p < PARAMETERS + PARAMETER_COUNT; p++) {
        const size_t length = has(kernel, p) ? write_one(p, kernel, text, size) : 0;
        const size_t used = length < size ? length : size - 1;
        text += used;
        size -= used;
    }
}
