/* The ranks of a context as a communicator; communicator.h has the contracts. */
#include "nn/communicator.h"

static leman_context *context_of(lm_communicator *communicator)
{
    return ((lm_context_communicator *)communicator)->ctx;
}

static leman_status sum(lm_communicator *communicator, lm_number_kind kind, void *data, size_t numbers)
{
    return lm_ranks_sum(context_of(communicator), kind, data, numbers);
}

static leman_status gather(lm_communicator *communicator, const void *mine, size_t bytes, void *all)
{
    return lm_ranks_gather_equal(context_of(communicator), mine, bytes, all);
}

/* Does nothing: lm_ranks_end() tells the other ranks about a failure. */
static void give_up(lm_communicator *communicator)
{
    (void)communicator;
}

static bool given_up(lm_communicator *communicator)
{
    return context_of(communicator)->ranks.failed != LEMAN_OK;
}

lm_context_communicator lm_communicator_of(leman_context *ctx)
{
    return (lm_context_communicator){{lm_rank(ctx), lm_rank_count(ctx), sum, gather, give_up, given_up}, ctx};
}
