/* Compares the version, the options and the data of all ranks by checksums. O(bytes of the data) on each rank. */
#include "graph/same_work.h"
#include "base/hash.h"
#include "base/ranks/ranks.h"
#include <string.h>

/* Returns a checksum of graphs, labels, sides and names; 0 if there is no data. The name of the data set is omitted: it is
 * that of its file, which may differ. */
static uint64_t checksum(const leman_dataset *data)
{
    uint64_t sum = leman_dataset_checksum(data);
    if (!data) return sum;
    for (const lm_array *a = lm_dataset_arrays + LM_SIDES; a < lm_dataset_arrays + LM_ARRAYS; a++)
        sum = lm_checksum(lm_dataset_array(data, a), lm_array_bytes(data, a), sum);
    return sum;
}

leman_status lm_ranks_same_graphs(leman_context *ctx, const leman_dataset *data)
{
    return lm_has_ranks(ctx) ? lm_ranks_same(ctx, "other data", checksum(data)) : LEMAN_OK;
}

leman_status lm_ranks_same_work(leman_context *ctx, uint64_t options, const leman_dataset *data,
                                const leman_dataset *against)
{
    const char *version = leman_version();
    const uint64_t settings[] = {options, ctx->settings.seed, against != NULL};
    if (!lm_has_ranks(ctx) || ctx->ranks.depth > 1) return LEMAN_OK;
    PASS(lm_ranks_same(ctx, "another version of Leman", lm_checksum(version, strlen(version), 0)));
    PASS(lm_ranks_same(ctx, "other options", lm_checksum(settings, sizeof settings, 0)));
    PASS(lm_ranks_same_graphs(ctx, data));
    if (against) PASS(lm_ranks_same_graphs(ctx, against));
    return LEMAN_OK;
}
