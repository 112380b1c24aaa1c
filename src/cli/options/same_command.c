/*
 * A checksum of what a command line means: ranks with different command lines have no common work. Names of files are
 * excluded, since a computer may keep its data in another folder. Threads, memory and devices are excluded, since they
 * may differ between computers. Time O(bytes of the command line).
 */
#include "base/file.h"
#include "base/hash.h"
#include "cli/options/options.h"
#include <string.h>

static uint64_t add_text(uint64_t sum, const char *text)
{
    return text ? lm_checksum(text, strlen(text) + 1, sum) : lm_checksum("", 0, sum);
}

/* Adds whether a file is a standard stream and, if it is written, its ending, which determines the format. */
static uint64_t add_file(uint64_t sum, const char *path, bool written)
{
    if (!strcmp(path, "-")) return add_text(sum, path);
    return add_text(sum, written ? lm_path_ending(path) : "file");
}

static bool is_local(const lm_option *row)
{
    static const char *const LOCAL[] = {"threads", "memory", "device", "device-memory", "quiet"};
    for (size_t i = 0; i < sizeof LOCAL / sizeof *LOCAL; i++)
        if (!strcmp(row->name, LOCAL[i])) return true;
    return false;
}

static uint64_t add_one_text(uint64_t sum, const lm_option *row, const char *text)
{
    const bool file = text && row->value && (!strcmp(row->value, "FILE") || !strcmp(row->value, "FOLDER"));
    return file ? add_file(sum, text, row->written) : add_text(sum, text);
}

static uint64_t add_value(uint64_t sum, const lm_option *row, const void *member)
{
    const lm_vector *list = member; /* for LM_RANGES and LM_TEXTS */
    switch (row->kind) {
    case LM_FLAG: return lm_checksum(member, sizeof(bool), sum);
    case LM_UNSIGNED:
    case LM_SIZE:
    case LM_SET: return lm_checksum(member, sizeof(uint64_t), sum);
    case LM_REAL: return lm_checksum(member, sizeof(double), sum);
    case LM_TEXT:
    case LM_CHOICE:
    case LM_OPTIONAL: return add_one_text(sum, row, *(const char *const *)member);
    case LM_RANGES: return lm_checksum(list->items, list->count * sizeof(lm_range), sum);
    case LM_TEXTS:
        for (size_t i = 0; i < list->count; i++) sum = add_one_text(sum, row, ((const char *const *)list->items)[i]);
        return lm_checksum(&list->count, sizeof list->count, sum);
    }
    return sum;
}

uint64_t lm_options_checksum(const lm_command *command, const lm_common *options)
{
    uint64_t sum = add_text(options->operands, command->name);
    const lm_option *row;
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));)
        if (!is_local(row)) sum = add_value(add_text(sum, row->name), row, (const char *)options + row->field);
    for (size_t i = 0; i < options->operands; i++)
        sum = command->words || command->operand[i].choices
                  ? add_text(sum, options->operand[i])
                  : add_file(sum, options->operand[i], command->writes == i + 1);
    return sum;
}
