/* leman train: which graphs train, validate and test; by shares, by files, or inside parts that the data has. */
#include "cli/options/parts.h"
#include "cli/train/train.h"

leman_status lm_train_parts(leman_context *ctx, const lm_train_options *o, lm_train_result *r)
{
    leman_status st = LEMAN_OK;
    const size_t graphs = leman_dataset_shape(r->data)->graphs;
    size_t first[3] = {0}, count[3] = {0};
    if (o->parts) {
        TRY(lm_parts_sizes(ctx, o->parts, false, graphs, first, count));
        TRY(leman_parts_read_inside(ctx, graphs, first, count, o->train, o->val, o->test, &r->parts));
    } else if (o->train) {
        TRY(leman_parts_read(ctx, graphs, o->train, o->val, o->test, &r->parts));
    } else {
        TRY(leman_parts_draw(ctx, graphs, o->val_share, o->test_share, &r->parts));
    }
done:
    return st;
}
