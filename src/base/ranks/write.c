/*
 * One file, written by all ranks: rank 0 has opened it under its temporary name, every rank writes at its own offset,
 * and rank 0 renames it when all ranks have written. If the output is a pipe, or the communicator has no function for
 * writing, all parts are sent to rank 0.
 */
#include "base/file.h"
#include "base/ranks/ranks.h"
#include <limits.h>
#include <string.h>

/* Where the parts of all ranks are written. */
typedef struct place {
    uint64_t offset;
    bool together;
    char path[PATH_MAX];
} place;

static leman_status write_gathered(leman_context *ctx, lm_output *out, const void *bytes, size_t size, size_t *sizes)
{
    const size_t ranks = lm_rank_count(ctx);
    AUTO(lm_release_at) void *all = NULL;
    size_t *to, sum = 0;
    PASS_SCRATCH_ZERO(ctx, to, ranks);
    to[0] = size;
    PASS(lm_ranks_exchange(ctx, bytes, to, sizes, &all));
    for (size_t r = 0; r < ranks; r++) sum += sizes[r];
    if (!lm_rank(ctx)) PASS(lm_output_write(out, all, sum));
    return LEMAN_OK;
}

static leman_status write_together(leman_context *ctx, lm_output *out, const place *at, const void *bytes, size_t size,
                                   const uint64_t *sizes)
{
    const leman_communicator *c = &ctx->ranks.communicator;
    uint64_t before = 0, all = 0;
    for (size_t r = 0; r < c->ranks; r++) {
        before += r < c->rank ? sizes[r] : 0;
        all += sizes[r];
    }
    const uint64_t first = at->offset + before, end = at->offset + all;
    ctx->ranks.traffic.calls++;
    if (c->write(c->state, at->path, first, bytes, size))
        return lm_fail(ctx, LEMAN_ERROR_FILE, "%s: cannot be written by rank %zu of %zu", out->path, c->rank, c->ranks);
    if (!c->rank) PASS(lm_output_end_places(out, end));
    return LEMAN_OK;
}

/* Decides, on rank 0, where and how the parts are written. */
static void find_place(lm_output *out, place *at)
{
    const leman_communicator *c = &out->ctx->ranks.communicator;
    const bool plain = lm_output_begin_places(out, &at->offset);
    at->together = plain && c->write && strlen(out->temporary) < sizeof at->path &&
                   !strchr(out->temporary, ':'); /* MPI-IO takes what precedes a colon for a kind of file system */
    if (at->together) strcpy(at->path, out->temporary);
}

leman_status lm_output_write_parts(lm_output *out, const void *bytes, size_t size)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = out->ctx;
    const size_t ranks = lm_rank_count(ctx);
    place *at;
    uint64_t *sizes, own = size;
    if (!lm_has_ranks(ctx)) return lm_output_write(out, bytes, size);
    SCRATCH_SCOPE(ctx);
    lm_ranks_begin(ctx);
    SCRATCH(ctx, at, ranks);
    SCRATCH(ctx, sizes, ranks);
    place mine = {0};
    if (!lm_rank(ctx)) find_place(out, &mine);
    TRY(lm_ranks_gather_equal(ctx, &mine, sizeof mine, at));
    TRY(lm_ranks_gather_equal(ctx, &own, sizeof own, sizes));
    if (at->together)
        TRY(write_together(ctx, out, at, bytes, size, sizes));
    else
        TRY(write_gathered(ctx, out, bytes, size, (size_t *)sizes));
done:
    return lm_ranks_end(ctx, st);
}
