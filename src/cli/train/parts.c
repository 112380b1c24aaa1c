/* leman train: determines which graphs train, validate and test: random shares, files, lists of the data, or sizes of
 * parts. */
#include "cli/options/parts.h"
#include "cli/train/train.h"
#include <string.h>

/* Draws parts at random. If the data comes with lists of a benchmark, logs that they are not used. */
static leman_status draw(leman_context *ctx, const lm_train_options *o, size_t graphs, leman_parts **parts)
{
    leman_status st = LEMAN_OK;
    const char *path = o->common.operand[0];
    bool listed;
    TRY(leman_parts_are_listed(ctx, path, &listed));
    if (listed)
        lm_log(ctx,
               "%s: parts are drawn at random; --parts lists takes its train.index, val.index and test.index instead",
               path);
    TRY(leman_parts_draw(ctx, graphs, o->val_share, o->test_share, parts));
done:
    return st;
}

leman_status lm_train_parts(leman_context *ctx, const lm_train_options *o, lm_train_result *r)
{
    leman_status st = LEMAN_OK;
    const size_t graphs = leman_dataset_shape(r->data)->graphs;
    size_t first[3] = {0}, count[3] = {0};
    if (o->parts && !strcmp(o->parts, "lists")) {
        TRY(leman_parts_listed(ctx, o->common.operand[0], graphs, &r->parts));
    } else if (o->parts) {
        TRY(lm_parts_sizes(ctx, o->parts, false, graphs, first, count));
        TRY(leman_parts_read_inside(ctx, graphs, first, count, o->train, o->val, o->test, &r->parts));
    } else if (o->train) {
        TRY(leman_parts_read(ctx, graphs, o->train, o->val, o->test, &r->parts));
    } else {
        TRY(draw(ctx, o, graphs, &r->parts));
    }
done:
    return st;
}
