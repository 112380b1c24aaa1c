/* Counting the colours of orbits in a table that threads share (compact.h). */
#include "refine/experimental/compact/compact.h"
#include <omp.h>
#include <stdatomic.h>

static const uint32_t NONE = (uint32_t)LM_COMPACT_NONE;

leman_status lm_compact_table_new(leman_context *ctx, size_t capacity, bool last, bool expanded, lm_compact_table *t)
{
    AUTO(lm_compact_table_free) lm_compact_table made = {.capacity = capacity, .most = capacity / 4 * 3};
    PASS_NEW_ZERO(ctx, made.key, capacity);
    PASS_NEW_ZERO(ctx, made.count, capacity);
    if (last) PASS_NEW(ctx, made.name, capacity);
    if (last && expanded) PASS_NEW(ctx, made.orbit, capacity);
    *t = made;
    made = (lm_compact_table){0};
    return LEMAN_OK;
}

void lm_compact_table_free(lm_compact_table *t)
{
    RELEASE(t->key, t->count, t->name, t->orbit);
    *t = (lm_compact_table){0};
}

static inline size_t slot_of(const lm_compact_table *t, uint64_t color)
{
    return (size_t)((unsigned __int128)color * t->capacity >> 64);
}

/* Finds the slot of a colour, or takes a free one. */
static uint32_t find_slot(const lm_compact *c, lm_compact_table *t, uint64_t color, uint64_t orbit)
{
    const uint64_t key = color ? color : 1;
    size_t slot = slot_of(t, key);
    for (;; slot = slot + 1 < t->capacity ? slot + 1 : 0) {
        uint64_t found = __atomic_load_n(t->key + slot, __ATOMIC_RELAXED);
        if (found == key) return (uint32_t)slot;
        if (found) continue;
        if (__atomic_load_n(&t->full, __ATOMIC_RELAXED)) return NONE;
        if (__atomic_compare_exchange_n(t->key + slot, &found, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            if (t->name) lm_compact_name(c, t, slot, orbit); /* the name is read after all threads have finished */
            if (__atomic_add_fetch(&t->used, 1, __ATOMIC_RELAXED) >= t->most)
                __atomic_store_n(&t->full, true, __ATOMIC_RELAXED);
            return (uint32_t)slot;
        }
        if (found == key) return (uint32_t)slot;
    }
}

static void add_to(lm_compact_table *t, uint32_t slot, uint64_t count)
{
    __atomic_fetch_add(t->count + slot, count, __ATOMIC_RELAXED);
}

/* Counts the colour of an orbit `weight` times and returns its slot; NONE if the table is full. */
static inline uint32_t count_color(const lm_compact *c, lm_compact_table *t, lm_compact_counts *counts, uint64_t color,
                                   uint64_t orbit, uint64_t weight)
{
    const size_t place = color % LM_COMPACT_CACHE;
    if (counts->of[place].color != color || !counts->of[place].count) {
        const uint32_t slot = find_slot(c, t, color, orbit);
        if (slot == NONE) return slot;
        if (counts->of[place].count) add_to(t, counts->of[place].slot, counts->of[place].count);
        counts->of[place].color = color;
        counts->of[place].slot = slot;
        counts->of[place].count = 0;
    }
    counts->of[place].count += weight;
    return counts->of[place].slot;
}

/* ---- All orbits ------------------------------------------------------------------------------ */

/* The state of one thread. */
typedef struct pass {
    const lm_compact *c;
    lm_compact_table *table;
    uint32_t *next;
    lm_compact_counts *counts;
} pass;

/* Is the table full, or was the work cancelled? */
static bool pass_is_over(const pass *k)
{
    return __atomic_load_n(&k->table->full, __ATOMIC_RELAXED) || lm_cancellation_requested(k->c->space.cancellation);
}

/* Is this orbit counted in this pass? The hash of its class before the round decides. */
static bool is_in_slice(const pass *k, size_t index)
{
    const lm_compact *c = k->c;
    if (k->table->interval.span == UINT64_MAX) return true;
    const uint64_t *row = c->row + (size_t)c->number[index] * LM_COMPACT_COLORS;
    return lm_interval_has(k->table->interval, lm_mix(lm_smallest_of_six(row)));
}

static void count_slab(const pass *k, size_t w, const uint64_t *slab)
{
    enum { AHEAD = 12, NEAR = 1 << 16 /* slots of a table that stays in a cache */ };
    const bool far = k->table->capacity > NEAR;
    const lm_compact *c = k->c;
    const uint64_t *size = c->space.size, *two = c->two;
    const size_t first = c->three[w], end = two[w];
    for (size_t v = 1; v < w && !pass_is_over(k); v++) {
        const uint64_t weight = size[v] * size[w];
        for (size_t u = 0; u < v; u++) {
            const size_t i = two[v] + u;
            if (far && i + AHEAD < end) __builtin_prefetch(k->table->key + slot_of(k->table, slab[i + AHEAD]));
            if (!is_in_slice(k, first + i)) continue;
            const uint32_t slot = count_color(c, k->table, k->counts, slab[i], lm_compact_pack(LM_COMPACT_UVW, u, v, w),
                                              weight * size[u]);
            if (k->next) k->next[first + i] = slot;
        }
    }
}

static void count_one(const pass *k, lm_compact_kind kind, size_t a, size_t b)
{
    const size_t index = lm_compact_index(k->c, kind, a, b);
    const uint64_t orbit = lm_compact_pack(kind, a, a, b), weight = lm_compact_weight(k->c, orbit);
    uint32_t slot = NONE;
    const bool missing = !weight || ((kind == LM_COMPACT_AAB || kind == LM_COMPACT_ATB) && a == b);
    if (!missing && is_in_slice(k, index)) {
        const lm_compact_triple triple = lm_compact_unpack(orbit);
        uint64_t color;
        lm_compact_colors(k->c, &triple, 1, &color);
        slot = count_color(k->c, k->table, k->counts, color, orbit, weight);
    }
    if (k->next) k->next[index] = slot;
}

/* Counts the orbits of one class, and those of this class with each other class. */
static void count_class(const pass *k, size_t a)
{
    for (size_t b = 0; b < k->c->space.n && !pass_is_over(k); b++) {
        if (lm_cancellation_poll(k->c->space.cancellation)) return;
        count_one(k, LM_COMPACT_AAB, a, b);
        count_one(k, LM_COMPACT_ATB, a, b);
    }
    for (lm_compact_kind kind = LM_COMPACT_AAA; kind <= LM_COMPACT_ATT && !pass_is_over(k); kind++)
        count_one(k, kind, a, a);
}

leman_status lm_compact_pass(leman_context *ctx, const lm_compact *c, lm_compact_table *table, uint32_t *next)
{
    SCRATCH_SCOPE(ctx);
    const size_t n = c->space.n, own = n * n / 2 + LM_COMPACT_LINES * n;
    uint64_t *scratch;
    lm_compact_counts *counts;
    PASS_SCRATCH(ctx, scratch, own * (size_t)c->threads);
    PASS_SCRATCH_ZERO(ctx, counts, (size_t)c->threads);
#pragma omp parallel num_threads(c->threads) if (c->threads > 1)
    {
        const size_t me = (size_t)omp_get_thread_num();
        uint64_t *line = scratch + me * own, *slab = line + LM_COMPACT_LINES * n;
        const pass k = {c, table, next, counts + me};
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t i = 0; i < n; i++) { /* the largest slabs first */
            if (pass_is_over(&k)) continue;
            lm_compact_slab(c, n - 1 - i, line, slab);
            count_slab(&k, n - 1 - i, slab);
        }
#pragma omp for schedule(dynamic, 8)
        for (size_t a = 0; a < n; a++)
            if (!pass_is_over(&k)) count_class(&k, a);
        for (size_t i = 0; i < LM_COMPACT_CACHE; i++)
            if (counts[me].of[i].count) add_to(table, counts[me].of[i].slot, counts[me].of[i].count);
    }
    return lm_cancellation_status(c->space.cancellation);
}
