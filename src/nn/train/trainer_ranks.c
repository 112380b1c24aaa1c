/* Trainers of all ranks; trainer.h has the contracts. */
#include "nn/device.h"
#include "nn/train/trainer.h"

/* ---- Beginning and end ----------------------------------------------------------------------- */

/* The trainers that exist so far, by rank. */
typedef struct group {
    const lm_trainer_options *options;
    lm_trainer **members;
} group;

static leman_status new_member(leman_context *ctx, lm_communicator *communicator, void *state)
{
    const group *g = state;
    return lm_rank_trainer_new(ctx, communicator, g->options, g->members + communicator->rank);
}

static leman_status free_member(leman_context *ctx, lm_communicator *communicator, void *state)
{
    (void)ctx;
    lm_rank_trainer_free(((const group *)state)->members[communicator->rank]);
    return LEMAN_OK;
}

static void free_group(leman_context *ctx, lm_rank_threads *threads, lm_trainer **members)
{
    if (threads) lm_rank_threads_finish(threads, free_member, &(group){NULL, members});
    lm_rank_threads_free(threads);
    lm_free(ctx, members);
}

static leman_status new_group(leman_context *ctx, const lm_trainer_options *options, size_t ranks, lm_trainer **out)
{
    leman_status st = LEMAN_OK;
    lm_rank_threads *threads = NULL;
    lm_trainer **members = NULL;
    NEW(ctx, members, ranks);
    for (size_t r = 0; r < ranks; r++) members[r] = NULL;
    TRY(lm_rank_threads_new(ctx, ranks, &threads));
    TRY(lm_rank_threads_run(threads, new_member, &(group){options, members}));
    members[0]->group = threads;
    members[0]->members = members;
    *out = members[0];
done:
    if (st) free_group(ctx, threads, members);
    return st;
}

size_t lm_trainer_ranks(const leman_context *ctx, const char *device)
{
    return lm_has_ranks(ctx) ? lm_rank_count(ctx) : lm_device_ranks(device);
}

leman_status lm_trainer_new(leman_context *ctx, const lm_trainer_options *options, lm_trainer **out)
{
    const size_t ranks = lm_has_ranks(ctx) ? 1 : lm_device_ranks(options->device);
    return ranks > 1 ? new_group(ctx, options, ranks, out) : lm_rank_trainer_new(ctx, NULL, options, out);
}

void lm_trainer_free(lm_trainer *t)
{
    if (t && t->group)
        free_group(t->ctx, t->group, t->members);
    else
        lm_rank_trainer_free(t);
}

/* Copies of the numbers of rank 0, for the others. */
typedef struct taken {
    lm_trainer **members;
    const lm_real *weights, *first, *second;
    uint64_t t;
} taken;

static leman_status take_state(leman_context *ctx, lm_communicator *communicator, void *given)
{
    const taken *from = given;
    lm_trainer *t = from->members[communicator->rank];
    lm_backend *b = t->backend;
    const size_t bytes = t->optimizer.count * sizeof(lm_real);
    (void)ctx;
    if (!communicator->rank) return LEMAN_OK;
    t->optimizer.t = from->t;
    PASS(lm_executor_weights_write(t->executor, from->weights));
    PASS(b->write(b, t->optimizer.first, from->first, bytes));
    return b->write(b, t->optimizer.second, from->second, bytes);
}

leman_status lm_trainer_changed(lm_trainer *t)
{
    leman_status st = LEMAN_OK;
    lm_real *host = NULL;
    const lm_optimizer *o = &t->optimizer;
    const size_t numbers = t->options.network->program->numbers;
    if (!t->group) return st;
    NEW(t->ctx, host, numbers + 2 * o->count);
    TRY(lm_executor_weights_read(t->executor, host));
    TRY(t->backend->read(t->backend, host + numbers, o->first, o->count * sizeof *host));
    TRY(t->backend->read(t->backend, host + numbers + o->count, o->second, o->count * sizeof *host));
    TRY(lm_rank_threads_run(t->group, take_state,
                            &(taken){t->members, host, host + numbers, host + numbers + o->count, o->t}));
done:
    lm_free(t->ctx, host);
    return st;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* The arguments of a pass, and the results of rank 0; those of the others are equal. */
typedef struct pass {
    lm_trainer **members;
    uint64_t epoch; /* 0: a part is measured */
    double learning_rate, *loss;
    lm_data_part part;
    lm_measure *out;
    double *each;
} pass;

static leman_status run_member(leman_context *ctx, lm_communicator *communicator, void *state)
{
    leman_status st = LEMAN_OK;
    const pass *p = state;
    lm_trainer *t = p->members[communicator->rank];
    lm_measure found;
    double loss, *each = p->each;
    const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    if (p->epoch) {
        st = lm_rank_trainer_epoch(t, p->epoch, p->learning_rate, communicator->rank ? &loss : p->loss);
    } else {
        if (communicator->rank) SCRATCH(ctx, each, t->options.network->outputs);
        TRY(lm_rank_trainer_measure(t, p->part, communicator->rank ? &found : p->out, each));
    }
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status lm_trainer_epoch(lm_trainer *t, uint64_t epoch, double learning_rate, double *loss)
{
    pass p = {.members = t->members, .epoch = epoch, .learning_rate = learning_rate, .loss = loss};
    return t->group ? lm_rank_threads_run(t->group, run_member, &p)
                    : lm_rank_trainer_epoch(t, epoch, learning_rate, loss);
}

leman_status lm_trainer_measure(lm_trainer *t, lm_data_part part, lm_measure *out, double *each)
{
    pass p = {.members = t->members, .part = part, .out = out, .each = each};
    return t->group ? lm_rank_threads_run(t->group, run_member, &p) : lm_rank_trainer_measure(t, part, out, each);
}
