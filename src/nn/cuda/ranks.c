/*
 * Ranks with CUDA devices: sums over ranks, and gathering the numbers of each rank. If every rank has a device of its
 * own and NCCL exists, numbers go from device to device in the stream and are part of recorded steps. Otherwise (two
 * ranks on one device, or no NCCL) they go through the memory of the host, and steps are not recorded.
 */
#include "base/context.h"
#include "nn/cuda/cuda.h"
#include "nn/cuda/nccl.h"
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct lm_cuda_ranks {
    lm_nccl nccl;
    void *nccl_communicator; /* ncclComm_t; NULL: through the host */
    void *host;
    size_t capacity; /* bytes of host */
};

/* What every rank tells the others before the choice between NCCL and the host. */
typedef struct introduction {
    char host[64], bus[32]; /* identify the device uniquely */
    bool nccl;
    lm_nccl_id id; /* of rank 0: the identifier of the NCCL group */
} introduction;

/* ---- Choosing a way -------------------------------------------------------------------------- */

static bool all_have_nccl(const introduction *all, size_t ranks)
{
    for (size_t r = 0; r < ranks; r++) {
        if (!all[r].nccl) return false;
        for (size_t s = 0; s < r; s++)
            if (!strcmp(all[r].host, all[s].host) && !strcmp(all[r].bus, all[s].bus)) return false;
    }
    return true;
}

static leman_status fail_nccl(lm_cuda *cuda, int code, const char *what)
{
    return lm_fail(cuda->base.ctx, LEMAN_ERROR_DEVICE, "%s: NCCL: %s: %s", cuda->label, what,
                   cuda->ranks->nccl.error(code));
}

static leman_status join_nccl(lm_cuda *cuda, const lm_nccl_id *id)
{
    struct lm_cuda_ranks *ranks = cuda->ranks;
    const size_t count = lm_rank_count(cuda->base.ctx), rank = lm_rank(cuda->base.ctx);
    int version = 0;
    int code = ranks->nccl.version(&version);
    if (!code) code = ranks->nccl.join(&ranks->nccl_communicator, (int)count, *id, (int)rank);
    if (code) return fail_nccl(cuda, code, "joining the ranks");
    cuda->records_nothing = version < LM_NCCL_RECORDS;
    lm_log(cuda->base.ctx, "%zu ranks add their gradients by NCCL %d.%d.%d", count, version / 10000,
           version / 100 % 100, version % 100);
    return LEMAN_OK;
}

/* Returns true if another rank has failed. Then the operations that the stream waits for will never finish. */
static bool given_up(void *argument)
{
    lm_cuda *cuda = argument;
    struct lm_cuda_ranks *ranks = cuda->ranks;
    if (!lm_ranks_stopped(cuda->base.ctx)) return false;
    if (ranks->nccl_communicator) (void)ranks->nccl.leave(ranks->nccl_communicator);
    ranks->nccl_communicator = NULL;
    if (!cuda->device.status)
        cuda->device.status = lm_fail(cuda->base.ctx, LEMAN_ERROR_CANCELLED, "%s: another rank failed", cuda->label);
    return true;
}

leman_status lm_cuda_join(lm_backend *backend)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const size_t count = lm_rank_count(backend->ctx);
    AUTO(lm_release_at) introduction *all = NULL;
    introduction mine = {0};
    PASS_NEW(backend->ctx, cuda->ranks, 1);
    *cuda->ranks = (struct lm_cuda_ranks){0};
    backend->shared = true;
    PASS_NEW(backend->ctx, all, count);
    (void)gethostname(mine.host, sizeof mine.host - 1);
    lm_device_result(&cuda->device, (int)cudaDeviceGetPCIBusId(mine.bus, sizeof mine.bus, cuda->device.number),
                     "asking for its address");
    PASS(cuda->device.status);
    mine.nccl = lm_nccl_load(&cuda->ranks->nccl);
    if (mine.nccl && !lm_rank(backend->ctx)) mine.nccl = !cuda->ranks->nccl.make_id(&mine.id);
    PASS(lm_ranks_gather_equal(backend->ctx, &mine, sizeof mine, all));
    if (all_have_nccl(all, count)) {
        PASS(join_nccl(cuda, &all->id));
        cuda->device.given_up = given_up;
        cuda->device.given_up_argument = cuda;
    } else {
        cuda->records_nothing = true;
        lm_log(backend->ctx, "%zu ranks add their gradients through the memory of the host: %s", count,
               mine.nccl ? "some share a device" : "libnccl.so.2 was not found");
    }
    return LEMAN_OK;
}

void lm_cuda_ranks_free(lm_cuda *cuda)
{
    struct lm_cuda_ranks *ranks = cuda->ranks;
    if (!ranks) return;
    if (ranks->nccl_communicator) (void)ranks->nccl.end(ranks->nccl_communicator);
    RELEASE(ranks->host, ranks);
    cuda->ranks = NULL;
}

/* ---- Over the ranks -------------------------------------------------------------------------- */

static void keep_status(lm_cuda *cuda, leman_status st)
{
    if (!cuda->device.status) cuda->device.status = st;
    cuda->base.status = cuda->device.status;
}

/* Returns host[bytes]; NULL, with the status set, on failure. */
static void *reserve_host(lm_cuda *cuda, size_t bytes)
{
    struct lm_cuda_ranks *ranks = cuda->ranks;
    if (bytes <= ranks->capacity) return ranks->host;
    lm_release(ranks->host);
    ranks->capacity = 0;
    ranks->host = lm_alloc(cuda->base.ctx, bytes, 1);
    if (ranks->host)
        ranks->capacity = bytes;
    else
        keep_status(cuda, lm_refusal(cuda->base.ctx));
    return ranks->host;
}

/* Sets `all` to the sum of the count floats `mine` of all ranks or, if gathers, to the count doubles of each rank. */
static void exchange(lm_cuda *cuda, const void *mine, size_t count, bool gathers, void *all)
{
    leman_context *ctx = cuda->base.ctx;
    const lm_nccl *nccl = &cuda->ranks->nccl;
    void *stream = cuda->device.stream, *group = cuda->ranks->nccl_communicator;
    if (cuda->device.status) return;
    if (group) {
        const int code = gathers ? nccl->gather(mine, all, count, LM_NCCL_FLOAT64, group, stream)
                                 : nccl->sum(mine, all, count, LM_NCCL_FLOAT32, LM_NCCL_SUM, group, stream);
        if (code) keep_status(cuda, fail_nccl(cuda, code, gathers ? "gathering" : "adding up"));
        return;
    }
    const size_t bytes = count * (gathers ? sizeof(double) : sizeof(float));
    const size_t answer = gathers ? bytes * lm_rank_count(ctx) : bytes;
    char *host = reserve_host(cuda, gathers ? bytes + answer : bytes);
    if (!host) return;
    char *result = gathers ? host + bytes : host;
    lm_device_read(&cuda->device, host, mine, bytes);
    if (cuda->device.status) return; /* the numbers on the host are invalid */
    keep_status(cuda,
                gathers ? lm_ranks_gather_equal(ctx, host, bytes, result) : lm_ranks_sum(ctx, LM_FLOAT32, host, count));
    lm_device_write(&cuda->device, all, result, answer);
    lm_device_wait(&cuda->device); /* host is used again */
}

void lm_cuda_sum(lm_backend *backend, lm_real *data, size_t count)
{
    exchange(lm_cuda_of(backend), data, count, false, data);
}

void lm_cuda_gather(lm_backend *backend, const double *mine, size_t count, double *all)
{
    exchange(lm_cuda_of(backend), mine, count, true, all);
}
