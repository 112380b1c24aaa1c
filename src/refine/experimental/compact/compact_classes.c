/* From the slots of a table to classes (refine.h): computes the six colours of each, and merges slots of one class. A
 * class may have several slots because its orbits have their vertices in different orders. */
#include "base/sort.h"
#include "refine/experimental/compact/compact.h"
#include <string.h>

/* Bits above the count of a slot: the number of colours of an orbit, and how often each occurs; or, if a row has the
 * colours, the number of triples of an orbit. */
enum { COUNT_BITS = 58, COLOR_BITS = 3 };

static uint64_t count_of(uint64_t word)
{
    return word & ((UINT64_C(1) << COUNT_BITS) - 1);
}

static lm_orbit orbit_of_word(uint64_t word)
{
    return (lm_orbit){(uint32_t)(word >> COUNT_BITS) & 7, (uint32_t)(word >> (COUNT_BITS + COLOR_BITS))};
}

static void six_colors(const lm_compact *c, uint64_t orbit, uint64_t *row)
{
    const lm_compact_triple t = lm_compact_unpack(orbit);
    lm_compact_colors(c, &t, LM_COMPACT_COLORS, row);
}

/* Writes the different colours of a row, increasing, to found[6]; returns their number. */
static uint32_t different(const uint64_t *row, uint64_t *found)
{
    size_t count = 0;
    for (int i = 0; i < LM_COMPACT_COLORS; i++) count = lm_insert_color(row[i], found, count);
    return (uint32_t)count;
}

void lm_compact_name(const lm_compact *c, lm_compact_table *t, size_t slot, uint64_t orbit)
{
    uint64_t row[LM_COMPACT_COLORS], found[LM_COMPACT_COLORS];
    six_colors(c, orbit, row);
    const uint32_t colors = different(row, found), times = lm_compact_triples(orbit) / colors;
    const uint64_t word = (uint64_t)colors << COUNT_BITS | (uint64_t)times << (COUNT_BITS + COLOR_BITS);
    __atomic_fetch_add(t->count + slot, word, __ATOMIC_RELAXED); /* other threads may already count this colour */
    t->name[slot] = found[0];
    if (t->orbit) t->orbit[slot] = orbit;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

typedef struct numbering {
    lm_compact_table *table;
    uint32_t *number;
    uint64_t *row;
    size_t rows;
} numbering;

static const uint64_t UNMET = UINT64_MAX;

static inline void meet_slot(numbering *k, size_t index, uint64_t orbit)
{
    uint32_t *number = k->number + index;
    if (*number == (uint32_t)LM_COMPACT_NONE) { /* no such orbit */
        *number = 0;
        return;
    }
    uint64_t *row = k->table->key + *number;
    if (*row == UNMET) {
        k->row[k->rows * LM_COMPACT_COLORS] = orbit; /* until the colours of the row are computed */
        k->table->count[*number] |= (uint64_t)lm_compact_triples(orbit) << COUNT_BITS;
        *row = k->rows++;
    }
    *number = (uint32_t)*row;
}

static void number_rows(const lm_compact *c, numbering *k)
{
    enum { AHEAD = 24 };
    const size_t n = c->space.n, end = c->three[n];
    memset(k->table->key, 0xff, k->table->capacity * sizeof *k->table->key);
    for (size_t w = 2, i = 0; w < n; w++) {
        if (lm_cancellation_poll(c->space.cancellation)) return;
        for (size_t v = 1; v < w; v++)
            for (size_t u = 0; u < v; u++, i++) {
                if (i + AHEAD < end) __builtin_prefetch(k->table->key + k->number[i + AHEAD]);
                meet_slot(k, i, lm_compact_pack(LM_COMPACT_UVW, u, v, w));
            }
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++)
            for (lm_compact_kind kind = LM_COMPACT_AAB; kind <= LM_COMPACT_ATB; kind++)
                meet_slot(k, lm_compact_index(c, kind, a, b), lm_compact_pack(kind, a, a, b));
        for (lm_compact_kind kind = LM_COMPACT_AAA; kind <= LM_COMPACT_ATT; kind++)
            meet_slot(k, lm_compact_index(c, kind, a, a), lm_compact_pack(kind, a, a, a));
    }
}

void lm_compact_number(const lm_compact *c, lm_compact_table *table, uint32_t *number, uint64_t *row)
{
    numbering k = {.table = table, .number = number, .row = row};
    number_rows(c, &k);
#pragma omp parallel for schedule(dynamic, 1024) num_threads(c->threads) if (c->threads > 1)
    for (size_t i = 0; i < k.rows; i++) {
        const bool stop =
            i % 64 ? lm_cancellation_requested(c->space.cancellation) : lm_cancellation_poll(c->space.cancellation);
        if (!stop) six_colors(c, row[i * LM_COMPACT_COLORS], row + i * LM_COMPACT_COLORS);
    }
}

/* ---- Visits ---------------------------------------------------------------------------------- */

/* The classes of one visit. */
typedef struct batch {
    lm_pair *slots, *spare; /* (smallest colour, slot) */
    uint64_t *color, *orbits, *every;
    lm_orbit *orbit;
} batch;

static void batch_release(const batch *b)
{
    void *const arrays[] = {b->slots, b->spare, b->color, b->orbits, b->every, b->orbit};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) lm_release(arrays[i]);
}

static uint64_t name_of(const lm_compact_table *t, const uint64_t *rows, size_t slot)
{
    return rows ? lm_smallest_of_six(rows + t->key[slot] * LM_COMPACT_COLORS) : t->name[slot];
}

static size_t part_of_name(uint64_t name, size_t parts)
{
    return (size_t)((unsigned __int128)lm_mix(name) * parts >> 64); /* smallest colours are not uniformly distributed */
}

/* Merges the sorted slots of each class; returns the number of classes. */
static size_t merge_slots(const lm_compact *c, const lm_compact_table *t, const uint64_t *rows, size_t count, batch *b)
{
    size_t classes = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t slot = b->slots[i].payload;
        uint64_t own[LM_COMPACT_COLORS], found[LM_COMPACT_COLORS];
        const uint64_t *row = rows ? rows + t->key[slot] * LM_COMPACT_COLORS : own;
        if (i && b->slots[i].key == b->slots[i - 1].key) {
            b->orbits[classes - 1] += count_of(t->count[slot]);
            continue;
        }
        b->color[classes] = b->slots[i].key;
        b->orbits[classes] = count_of(t->count[slot]);
        b->orbit[classes] = orbit_of_word(t->count[slot]);
        if (rows) { /* the colours are in the row, and the count has the number of triples */
            const uint32_t triples = b->orbit[classes].colors, colors = different(row, found);
            b->orbit[classes] = (lm_orbit){colors, triples / colors};
        }
        if (b->every) {
            if (!rows) six_colors(c, t->orbit[slot], own);
            different(row, b->every + classes * LM_EVERY);
        }
        classes++;
    }
    return classes;
}

static leman_status visit_part(lm_worker *worker, const lm_compact *c, const lm_compact_table *t, const uint64_t *rows,
                               size_t part, size_t parts, batch *b)
{
    size_t count = 0;
    for (size_t slot = 0; slot < t->capacity; slot++) {
        if (!t->count[slot]) continue;
        const uint64_t name = name_of(t, rows, slot);
        if (part_of_name(name, parts) == part) b->slots[count++] = (lm_pair){name, slot};
    }
    lm_sort_pairs(b->slots, b->spare, count, c->threads);
    lm_round_classes classes = {.round = c->round,
                                .k = 3,
                                .graph = c->task->number,
                                .count = merge_slots(c, t, rows, count, b),
                                .color = b->color,
                                .orbits = b->orbits,
                                .orbit = b->orbit,
                                .every = b->every};
    for (size_t i = 0; i < classes.count; i++) classes.pairs += b->orbit[i].colors;
    return c->task->visit(worker->ctx, c->task->state, worker->number, &classes);
}

leman_status lm_compact_visit(lm_worker *worker, const lm_compact *c, const lm_compact_table *t, const uint64_t *rows)
{
    leman_context *ctx = worker->ctx;
    AUTO(batch_release) batch b = {0};
    size_t size[LM_COMPACT_PARTS] = {0}, parts = t->used / LM_COMPACT_PART + 1, most = 0;
    if (parts > LM_COMPACT_PARTS) parts = LM_COMPACT_PARTS;
    for (size_t slot = 0; slot < t->capacity; slot++)
        if (t->count[slot]) size[part_of_name(name_of(t, rows, slot), parts)]++;
    for (size_t part = 0; part < parts; part++) most = size[part] > most ? size[part] : most;
    PASS_NEW(ctx, b.slots, most);
    PASS_NEW(ctx, b.spare, most);
    PASS_NEW(ctx, b.color, most);
    PASS_NEW(ctx, b.orbits, most);
    PASS_NEW(ctx, b.orbit, most);
    if (c->task->expanded) PASS_NEW(ctx, b.every, most * LM_EVERY);
    for (size_t part = 0; part < parts; part++) {
        PASS(visit_part(worker, c, t, rows, part, parts, &b));
        if (lm_cancellation_poll(c->space.cancellation)) PASS(LEMAN_ERROR_CANCELLED);
    }
    return LEMAN_OK;
}
