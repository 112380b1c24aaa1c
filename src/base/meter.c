/* Allocator hooks that count, around the hooks of the caller; meter.h has the contracts. */
#include "base/meter.h"
#include "base/system/system.h"
#include <stdalign.h>
#include <stdatomic.h>

typedef struct header {
    alignas(16) lm_meter *meter;
    size_t bytes; /* bytes counted for this block */
} header;

enum { OVERHEAD = sizeof(header) + 16 /* overhead of malloc */ };

struct lm_meter {
    lm_allocator hooks;
    atomic_size_t used, limit;
    atomic_size_t references; /* one for the owner and one for every block */
    bool automatic;           /* the limit follows the free memory */
};

/* ---- Free memory ----------------------------------------------------------------------------- */

size_t lm_memory_free(void)
{
    return lm_system_free_memory() / 4 * 3;
}

/* ---- Counting -------------------------------------------------------------------------------- */

size_t lm_meter_used(const lm_meter *meter)
{
    return atomic_load_explicit(&meter->used, memory_order_relaxed);
}

size_t lm_meter_left(const lm_meter *meter)
{
    size_t used = lm_meter_used(meter), limit = atomic_load_explicit(&meter->limit, memory_order_relaxed);
    return limit > used ? limit - used : 0;
}

/* Raises an automatic limit, because others may have freed memory since it was set. Returns true if `now` bytes fit. */
static bool raise_limit(lm_meter *meter, size_t now)
{
    size_t limit, before = atomic_load_explicit(&meter->limit, memory_order_relaxed);
    if (!meter->automatic || !lm_add(lm_meter_used(meter), lm_memory_free(), &limit)) return false;
    while (before < limit && !atomic_compare_exchange_weak_explicit(&meter->limit, &before, limit, memory_order_relaxed,
                                                                    memory_order_relaxed)) {
    }
    return now <= limit;
}

/* The sum is compared with the limit and stored in one step. So two threads never take the same bytes, and a refused
 * request never counts, not even for a moment in which it could block a smaller one. */
bool lm_meter_take(lm_meter *meter, size_t bytes)
{
    size_t now, used = lm_meter_used(meter);
    do {
        if (!lm_add(used, bytes, &now)) return false;
        if (now > atomic_load_explicit(&meter->limit, memory_order_relaxed) && !raise_limit(meter, now)) return false;
    } while (
        !atomic_compare_exchange_weak_explicit(&meter->used, &used, now, memory_order_relaxed, memory_order_relaxed));
    return true;
}

void lm_meter_give(lm_meter *meter, size_t bytes)
{
    atomic_fetch_sub_explicit(&meter->used, bytes, memory_order_relaxed);
}

/* ---- The hooks ------------------------------------------------------------------------------- */

static void *meter_allocate(void *user, size_t size)
{
    lm_meter *meter = user;
    size_t bytes;
    if (!lm_add(size, OVERHEAD, &bytes) || !lm_meter_take(meter, bytes)) return NULL;
    header *block = meter->hooks.allocate(meter->hooks.user, sizeof *block + size);
    if (!block) {
        lm_meter_give(meter, bytes);
        return NULL;
    }
    atomic_fetch_add_explicit(&meter->references, 1, memory_order_relaxed);
    block->meter = meter;
    block->bytes = bytes;
    return block + 1;
}

static void release_reference(lm_meter *meter)
{
    if (atomic_fetch_sub_explicit(&meter->references, 1, memory_order_acq_rel) > 1) return;
    lm_allocator hooks = meter->hooks;
    hooks.release(hooks.user, meter);
}

void lm_release(void *pointer)
{
    if (!pointer) return;
    header *block = (header *)pointer - 1;
    lm_meter *meter = block->meter;
    const size_t bytes = block->bytes;
    meter->hooks.release(meter->hooks.user, block);
    lm_meter_give(meter, bytes); /* not earlier: another thread may take the bytes at once */
    release_reference(meter);
}

void lm_release_all(void *const *pointer, size_t count)
{
    for (size_t i = 0; i < count; i++) lm_release(pointer[i]);
}

static void meter_release(void *user, void *pointer)
{
    (void)user;
    lm_release(pointer);
}

/* While a block grows, only its larger size is counted, not old and new block together: the C library moves pages of
 * large blocks instead of copying bytes. */
static void *meter_reallocate(void *user, void *pointer, size_t size)
{
    lm_meter *meter = user;
    size_t bytes;
    if (!pointer) return meter_allocate(user, size);
    header *block = (header *)pointer - 1;
    size_t before = block->bytes;
    if (!lm_add(size, OVERHEAD, &bytes) || (bytes > before && !lm_meter_take(meter, bytes - before))) return NULL;
    block = meter->hooks.reallocate(meter->hooks.user, block, sizeof *block + size);
    if (!block) {
        if (bytes > before) lm_meter_give(meter, bytes - before);
        return NULL;
    }
    if (bytes < before) lm_meter_give(meter, before - bytes);
    block->bytes = bytes;
    return block + 1;
}

/* ---- One meter ------------------------------------------------------------------------------- */

lm_meter *lm_meter_new(const lm_allocator *hooks, size_t budget)
{
    lm_meter *meter = hooks->allocate(hooks->user, sizeof *meter);
    if (!meter) return NULL;
    meter->hooks = *hooks;
    meter->automatic = !budget;
    atomic_init(&meter->used, 0);
    atomic_init(&meter->references, 1);
    atomic_init(&meter->limit, budget > SIZE_MAX - LM_METER_SLACK ? SIZE_MAX : budget + LM_METER_SLACK);
    return meter;
}

void lm_meter_close(lm_meter *meter)
{
    if (meter) release_reference(meter);
}

lm_allocator lm_meter_hooks(lm_meter *meter)
{
    return (lm_allocator){meter_allocate, meter_reallocate, meter_release, meter};
}
