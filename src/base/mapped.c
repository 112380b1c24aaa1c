/* Arrays in a temporary file that is mapped; mapped.h has the contracts. */
#include "base/mapped.h"
#include "base/system/system.h"
#include <errno.h>

enum { AROUND = 1 << 16 }; /* bytes that Linux maps around an address of a file, or a page if that is larger */

size_t lm_mapped_window(const leman_context *ctx)
{
    const size_t most = (size_t)1 << 23, least = (size_t)1 << 18, part = lm_budget(ctx) / 64;
    return part > most ? most : part < least ? least : part;
}

leman_status lm_mapped_open(leman_context *ctx, size_t window, lm_mapped **out)
{
    leman_status st = LEMAN_OK;
    const size_t page = lm_system_page();
    lm_mapped *m = NULL;
    NEW(ctx, m, 1);
    *m = (lm_mapped){.block = page > AROUND ? page : AROUND};
    if (!lm_meter_take(ctx->meter, window)) TRY(lm_refuse_bytes(ctx, window));
    m->window = window;
    TRY(lm_temporary_open(ctx, NULL, 0, &m->file));
    m->file.once = m->block;
    *out = m;
    m = NULL;
done:
    lm_mapped_free(ctx, m);
    return st;
}

/* Linux maps a whole folio of its page cache at the first access. A folio has the size of a single write, or 2 MiB and
 * more unless large pages are declined, which lm_system_map() does. */
leman_status lm_mapped_finish(lm_mapped *m)
{
    m->size = (size_t)m->file.size;
    if (!m->size) return LEMAN_OK;
    m->address = lm_system_map(m->file.file, m->size, m->block);
    if (!m->address)
        return lm_fail_errno(m->file.ctx, errno, "%s: a temporary file there cannot be mapped", m->file.folder);
    const size_t blocks = (m->size + m->block - 1) / m->block;
    PASS_NEW(m->file.ctx, m->resident, blocks / 64 + 1);
    m->words = blocks / 64 + 1;
    for (size_t i = 0; i < m->words; i++) atomic_init(&m->resident[i], 0);
    return LEMAN_OK;
}

/* Clears the marks first: a block that another thread accesses meanwhile is marked again if it is not resident. */
void lm_mapped_give_back(lm_mapped *m)
{
    atomic_store(&m->bytes, 0);
    for (size_t i = 0; i < m->words; i++) atomic_store_explicit(&m->resident[i], 0, memory_order_relaxed);
    if (m->address) lm_system_give_back(m->address, m->size);
}

void lm_mapped_mark(lm_mapped *m, size_t block)
{
    const uint64_t bit = UINT64_C(1) << block % 64;
    if (atomic_load(&m->bytes) + m->block > m->window) lm_mapped_give_back(m);
    if (!(atomic_fetch_or(&m->resident[block / 64], bit) & bit)) atomic_fetch_add(&m->bytes, m->block);
}

void lm_mapped_free(leman_context *ctx, lm_mapped *m)
{
    if (!m) return;
    if (m->address) lm_system_unmap(m->address, m->size);
    lm_meter_give(ctx->meter, m->window);
    lm_temporary_close(&m->file);
    RELEASE((void *)(uintptr_t)m->resident, m);
}
