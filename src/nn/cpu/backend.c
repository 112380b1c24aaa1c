/* The backend of the CPU: memory from the context's allocator, and the table of operations. */
#include "base/private.h"
#include "nn/cpu/cpu.h"
#include <string.h>

enum { ALIGNMENT = 64 };

#define PLAIN(name) NULL
#define WORK(name) lm_cpu_##name##_workspace
#define ENTRY(NAME, name, inputs, outputs, bias, rules, cpu, cuda)                                                     \
    [LM_OP_##NAME] = {lm_cpu_##name##_forward, lm_cpu_##name##_backward, cpu(name)},
static const lm_operation_entry OPERATIONS[LM_OPERATIONS] = {LM_OPERATION_LIST(ENTRY)};

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Allocates memory aligned to a cache line. The word before it is the address of the allocation. */
static leman_status allocate(lm_backend *backend, size_t bytes, void **out)
{
    size_t more;
    if (!lm_add(bytes, ALIGNMENT + sizeof(void *), &more)) more = SIZE_MAX;
    char *block;
    PASS_NEW(backend->ctx, block, more);
    char *aligned = block + sizeof(void *);
    aligned += (ALIGNMENT - (uintptr_t)aligned % ALIGNMENT) % ALIGNMENT;
    memcpy(aligned - sizeof(void *), &block, sizeof block);
    *out = aligned;
    return LEMAN_OK;
}

static void release(lm_backend *backend, void *pointer)
{
    (void)backend;
    void *block = NULL;
    if (pointer) memcpy(&block, (char *)pointer - sizeof(void *), sizeof block);
    lm_release(block);
}

static void copy(lm_backend *backend, void *to, const void *from, size_t bytes)
{
    (void)backend;
    if (bytes) memcpy(to, from, bytes);
}

static void copy_pieces(lm_backend *backend, const lm_piece_copy *copies, size_t count)
{
    for (size_t i = 0; i < count; i++) copy(backend, copies[i].to, copies[i].from, copies[i].count * sizeof(lm_real));
}

static leman_status transfer(lm_backend *backend, void *to, const void *from, size_t bytes)
{
    copy(backend, to, from, bytes);
    return backend->status;
}

static size_t budget(const lm_backend *backend)
{
    return lm_budget(backend->ctx);
}

static size_t number_bytes(const lm_backend *backend, lm_row_space space)
{
    (void)backend, (void)space;
    return sizeof(lm_real);
}

static void control(lm_backend *backend, const lm_control *given)
{
    lm_cpu_of(backend)->control = *given;
}

static void clear(lm_backend *backend, void *to, size_t bytes)
{
    (void)backend;
    if (bytes) memset(to, 0, bytes);
}

static leman_status load_batch(lm_backend *backend, const lm_batch *batch, lm_batch *out)
{
    (void)backend;
    *out = *batch;
    return LEMAN_OK;
}

/* ---- Ranks ----------------------------------------------------------------------------------- */

static leman_status join(lm_backend *backend)
{
    backend->shared = true;
    return LEMAN_OK;
}

static void keep_status(lm_backend *backend, leman_status st)
{
    if (!backend->status) backend->status = st;
}

static void sum(lm_backend *backend, lm_real *data, size_t count)
{
    const lm_number_kind kind = sizeof *data == sizeof(float) ? LM_FLOAT32 : LM_FLOAT64;
    keep_status(backend, lm_ranks_sum(backend->ctx, kind, data, count));
}

static void gather(lm_backend *backend, const double *mine, size_t count, double *all)
{
    keep_status(backend, lm_ranks_gather_equal(backend->ctx, mine, count * sizeof *mine, all));
}

/* ---- Making ---------------------------------------------------------------------------------- */

static void cpu_free(lm_backend *backend)
{
    lm_cpu *cpu = lm_cpu_of(backend);
    lm_products_release((size_t)cpu->threads);
    lm_release(cpu);
}

leman_status lm_backend_cpu_new(leman_context *ctx, lm_backend **out)
{
    AUTO(lm_release_at) lm_cpu *cpu = NULL;
    size_t threads = 0;
    PASS_NEW(ctx, cpu, 1);
    PASS(lm_products_reserve(ctx, (size_t)ctx->settings.threads, &threads));
    if (threads < (size_t)ctx->settings.threads)
        lm_log(ctx, "%zu of %d threads compute: the system has no memory for the work space of more", threads,
               ctx->settings.threads);
    ctx->settings.threads = (int)threads; /* the same number for all regions, so that OpenMP starts no thread twice */
    *cpu = (lm_cpu){.base = {.ctx = ctx,
                             .name = "cpu",
                             .operations = OPERATIONS,
                             .allocate = allocate,
                             .release = release,
                             .write = transfer,
                             .read = transfer,
                             .copy = copy,
                             .copy_pieces = copy_pieces,
                             .clear = clear,
                             .immediate = true,
                             .budget = budget,
                             .number_bytes = number_bytes,
                             .load_batch = load_batch,
                             .control = control,
                             .add_loss = lm_cpu_add_loss,
                             .adam = lm_cpu_adam,
                             .join = join,
                             .sum = sum,
                             .gather = gather,
                             .free = cpu_free},
                    .threads = (int)threads};
    *out = &cpu->base;
    cpu = NULL;
    return LEMAN_OK;
}
