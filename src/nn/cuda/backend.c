/* The backend of CUDA devices: memory and the table of operations. */
#include "base/context.h"
#include "nn/backends.h"
#include "nn/cuda/cuda.h"
#include <stdio.h>
#include <string.h>

/* ---- Operations ------------------------------------------------------------------------------ */

#define PLAIN(name) NULL
#define WORK(name) lm_cuda_##name##_workspace
#define ENTRY(NAME, name, inputs, outputs, bias, rules, cpu, cuda)                                                     \
    [LM_OP_##NAME] = {lm_cuda_##name##_forward, lm_cuda_##name##_backward, cuda(name)},
static const struct {
    lm_cuda_run *forward, *backward;
    lm_cuda_workspace *workspace;
} OPERATIONS[LM_OPERATIONS] = {LM_OPERATION_LIST(ENTRY)};

static void run(lm_backend *backend, const lm_frame *f, lm_cuda_run *operation)
{
    operation(lm_cuda_of(backend), f);
    lm_device_launched(&lm_cuda_of(backend)->device, lm_operation_name(f->step->operation));
}
static void forward(lm_backend *backend, const lm_frame *f)
{
    run(backend, f, OPERATIONS[f->step->operation].forward);
}
static void backward(lm_backend *backend, const lm_frame *f)
{
    run(backend, f, OPERATIONS[f->step->operation].backward);
}
static size_t workspace(const lm_backend *backend, const lm_frame *like)
{
    lm_cuda_workspace *const bytes = OPERATIONS[like->step->operation].workspace;
    return bytes ? bytes(lm_cuda_of(backend), like) : 0;
}

#define CHECKED_ENTRY(NAME, name, inputs, outputs, bias, rules, cpu, cuda)                                             \
    [LM_OP_##NAME] = {forward, backward, workspace},
static const lm_operation_entry CHECKED[LM_OPERATIONS] = {LM_OPERATION_LIST(CHECKED_ENTRY)};

/* ---- Memory ---------------------------------------------------------------------------------- */

static leman_status allocate(lm_backend *backend, size_t bytes, void **out)
{
    lm_cuda_forget(lm_cuda_of(backend));
    return lm_device_allocate(&lm_cuda_of(backend)->device, bytes, out);
}

static void release(lm_backend *backend, void *pointer)
{
    lm_device_release(&lm_cuda_of(backend)->device, pointer);
}

static leman_status write(lm_backend *backend, void *to, const void *from, size_t bytes)
{
    lm_device_write(&lm_cuda_of(backend)->device, to, from, bytes);
    lm_device_wait(&lm_cuda_of(backend)->device); /* the caller may change the source afterwards */
    return backend->status = lm_cuda_of(backend)->device.status;
}

static leman_status read(lm_backend *backend, void *to, const void *from, size_t bytes)
{
    lm_device_read(&lm_cuda_of(backend)->device, to, from, bytes);
    return backend->status = lm_cuda_of(backend)->device.status;
}

static void copy(lm_backend *backend, void *to, const void *from, size_t bytes)
{
    lm_device_copy(&lm_cuda_of(backend)->device, to, from, bytes);
}

static void clear(lm_backend *backend, void *to, size_t bytes)
{
    lm_device_clear(&lm_cuda_of(backend)->device, to, bytes);
}

static size_t budget(const lm_backend *backend)
{
    return lm_device_left(&lm_cuda_of(backend)->device);
}

static void share(lm_backend *backend, lm_backend *with)
{
    lm_device_share(&lm_cuda_of(backend)->device, &lm_cuda_of(with)->device);
}

static size_t stride(const lm_backend *backend, const lm_value *root)
{
    return root->width + (lm_cuda_half(lm_cuda_of(backend), root->space) ? lm_cuda_lead(root->width) : 0);
}

static size_t number_bytes(const lm_backend *backend, lm_row_space space)
{
    return lm_cuda_half(lm_cuda_of(backend), space) ? 2 : sizeof(lm_real);
}

/* A small copy: the driver has copied the source before the call returns. */
static void control(lm_backend *backend, const lm_control *given)
{
    lm_device_write(&lm_cuda_of(backend)->device, lm_cuda_of(backend)->control, given, sizeof *given);
}

/* ---- Making ---------------------------------------------------------------------------------- */

static void cuda_free(lm_backend *backend)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    lm_cuda_forget(cuda);
    lm_cuda_ranks_free(cuda);
    lm_cuda_batch_free(cuda);
    lm_cuda_products_free(cuda);
    lm_cuda_later_free(cuda);
    lm_cuda_side_free(cuda);
    lm_cuda_event_free(cuda->caller.event);
    lm_device_release(&cuda->device, cuda->control);
    lm_device_release(&cuda->device, cuda->sums);
    lm_device_release(&cuda->device, cuda->come);
    lm_device_close(&cuda->device);
    RELEASE(cuda->record, cuda);
}

size_t lm_cuda_devices(void)
{
    return (size_t)lm_device_count();
}

leman_status lm_backend_cuda_new(leman_context *ctx, size_t number, lm_backend **out)
{
    leman_status st = LEMAN_OK;
    lm_cuda *cuda = NULL;
    void *block = NULL;
    NEW(ctx, cuda, 1);
    *cuda = (lm_cuda){.base = {.ctx = ctx,
                               .name = "cuda",
                               .operations = CHECKED,
                               .allocate = allocate,
                               .release = release,
                               .write = write,
                               .read = read,
                               .copy = copy,
                               .clear = clear,
                               .budget = budget,
                               .number_bytes = number_bytes,
                               .stride = stride,
                               .pad = lm_cuda_pad,
                               .load_batch = lm_cuda_load_batch,
                               .batch_bytes = lm_cuda_batch_bytes,
                               .reserve_batch = lm_cuda_reserve_batch,
                               .share = share,
                               .copy_bytes = lm_cuda_copy_bytes,
                               .copy_weights = lm_cuda_copy_weights,
                               .control = control,
                               .add_loss = lm_cuda_add_loss,
                               .adam = lm_cuda_adam,
                               .replay = lm_cuda_replay,
                               .recorded = lm_cuda_recorded,
                               .end_backward = lm_cuda_end_backward,
                               .derives = lm_cuda_derives,
                               .join = lm_cuda_join,
                               .sum = lm_cuda_sum,
                               .gather = lm_cuda_gather,
                               .copy_pieces = lm_cuda_copy_pieces,
                               .enter = lm_cuda_enter,
                               .leave = lm_cuda_leave,
                               .free = cuda_free},
                      .precision = ctx->settings.precision};
    TRY(lm_device_open(ctx, (int)number, ctx->settings.device_memory, &cuda->device));
    NEW(ctx, cuda->record, LM_CUDA_RECORDS);
    snprintf(cuda->label, sizeof cuda->label, "CUDA device %d (%.200s)", cuda->device.number, cuda->device.name);
    cuda->base.name = cuda->label;
    TRY(lm_device_allocate(&cuda->device, sizeof *cuda->control, &block));
    cuda->control = block;
    TRY(lm_device_allocate(&cuda->device, LM_CUDA_PARTS * sizeof *cuda->sums, &block));
    cuda->sums = block;
    TRY(lm_device_allocate(&cuda->device, LM_CUDA_COUNTERS * sizeof *cuda->come, &block));
    cuda->come = block;
    lm_device_clear(&cuda->device, cuda->come, LM_CUDA_COUNTERS * sizeof *cuda->come);
    TRY(lm_cuda_loading_new(cuda));
    TRY(lm_cuda_side_new(cuda));
    TRY(lm_cuda_products_new(cuda));
    TRY(lm_cuda_later_new(cuda));
    *out = &cuda->base;
done:
    if (st && cuda) cuda_free(&cuda->base);
    return st;
}
