/* leman train: which graphs train, validate and test; by shares, by files, or inside parts that the data has. */
#include "cli/train/train.h"
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[3] = {"train", "val", "test"};

static leman_status refuse(leman_context *ctx, const char *text)
{
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "option '--parts': found '%s', expected sizes in the order of the data, such as "
                   "train=220011,test=5000,val=24445, with train and val",
                   text);
}

/* "NAME=SIZE": which part, and its size; returns what stands behind it, or NULL. */
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

/* Where each part begins and how large it is. */
static leman_status parse(leman_context *ctx, const char *text, size_t graphs, size_t first[3], size_t count[3])
{
    bool seen[3] = {false};
    size_t at = 0;
    for (const char *rest = text;; rest++) {
        int part;
        size_t size;
        rest = parse_one(rest, &part, &size);
        if (!rest || seen[part]) return refuse(ctx, text);
        seen[part] = true;
        first[part] = at;
        count[part] = size;
        at += size;
        if (!*rest) break;
        if (*rest != ',') return refuse(ctx, text);
    }
    if (!seen[0] || !seen[1]) return refuse(ctx, text);
    if (at == graphs) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "option '--parts': found parts of %zu graph%s, expected those of the data, %zu", at, lm_plural(at),
                   graphs);
}

leman_status lm_train_parts(leman_context *ctx, const lm_train_options *o, lm_train_result *r)
{
    leman_status st = LEMAN_OK;
    const size_t graphs = leman_dataset_shape(r->data)->graphs;
    size_t first[3] = {0}, count[3] = {0};
    if (o->parts) {
        TRY(parse(ctx, o->parts, graphs, first, count));
        TRY(leman_parts_read_inside(ctx, graphs, first, count, o->train, o->val, o->test, &r->parts));
    } else if (o->train) {
        TRY(leman_parts_read(ctx, graphs, o->train, o->val, o->test, &r->parts));
    } else {
        TRY(leman_parts_draw(ctx, graphs, o->val_share, o->test_share, &r->parts));
    }
done:
    return st;
}
