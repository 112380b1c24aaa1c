/* --parts: sizes of the training, validation and test part, in the order of the data. */
#include "cli/options/parts.h"
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[3] = {"train", "val", "test"};

static leman_status refuse(leman_context *ctx, const char *text, bool tested)
{
    return MISUSE(ctx,
                  "option '--parts': found '%s', expected sizes in the order of the data, such as "
                  "train=220011,test=5000,val=24445, with train%s",
                  text, tested ? ", val and test" : " and val");
}

/* Parses "NAME=SIZE". Returns the text after it, or NULL if it is wrong. */
static const char *parse_one(const char *text, int *part, size_t *size)
{
    char *end;
    for (*part = 0; *part < 3; ++*part) {
        const size_t length = strlen(NAMES[*part]);
        if (strncmp(text, NAMES[*part], length) || text[length] != '=') continue;
        const char *number = text + length + 1;
        if (*number < '0' || *number > '9') return NULL;
        const unsigned long long value = strtoull(number, &end, 10);
        if (value > UINT32_MAX) return NULL;
        *size = (size_t)value;
        return end;
    }
    return NULL;
}

leman_status lm_parts_sizes(leman_context *ctx, const char *text, bool tested, size_t graphs, size_t first[3],
                            size_t count[3])
{
    bool seen[3] = {false};
    size_t at = 0;
    for (const char *rest = text;; rest++) {
        int part;
        size_t size;
        rest = parse_one(rest, &part, &size);
        if (!rest || seen[part]) return refuse(ctx, text, tested);
        seen[part] = true;
        first[part] = at;
        count[part] = size;
        at += size;
        if (!*rest) break;
        if (*rest != ',') return refuse(ctx, text, tested);
    }
    if (!seen[0] || !seen[1] || (tested && !seen[2])) return refuse(ctx, text, tested);
    if (at == graphs) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "option '--parts': found parts of %zu graph%s, expected those of the data, %zu", at, lm_plural(at),
                   graphs);
}

leman_status lm_parts_splits(leman_context *ctx, const char *text, const leman_dataset *data, leman_splits **out)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    size_t first[3], count[3];
    uint32_t *graph = NULL;
    PASS(lm_parts_sizes(ctx, text, true, graphs, first, count));
    PASS_SCRATCH(ctx, graph, count[1] + count[2]);
    for (size_t i = 0; i < count[2]; i++) graph[i] = (uint32_t)(first[2] + i);
    for (size_t i = 0; i < count[1]; i++) graph[count[2] + i] = (uint32_t)(first[1] + i);
    return leman_splits_new(ctx, graphs, 1, 1, (const uint64_t[]){0, count[2], count[2] + count[1]}, graph, out);
}
