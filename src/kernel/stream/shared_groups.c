/* Feature triples in temporary files: runs, their merge, groups of equal keys. */
#include "kernel/stream/shared_groups.h"
#include <stdlib.h>

typedef struct run {
    size_t section, number; /* number: in the order they came */
    uint64_t place;
    size_t count; /* entries */
} run;

leman_status lm_shared_groups_open(leman_context *ctx, const char *beside, size_t sections, lm_shared_groups *g)
{
    leman_status st = LEMAN_OK;
    *g = (lm_shared_groups){.ctx = ctx, .sections = sections};
    TRY(lm_temporary_open(ctx, beside, &g->sorted));
    TRY(lm_temporary_open(ctx, beside, &g->shared));
done:
    return st;
}

void lm_shared_groups_close(lm_shared_groups *g)
{
    if (!g->ctx) return;
    lm_temporary_close(&g->sorted);
    lm_temporary_close(&g->shared);
    lm_vector_free(g->ctx, &g->run);
    lm_free(g->ctx, g->section);
    *g = (lm_shared_groups){0};
}

leman_status lm_shared_groups_add(lm_shared_groups *g, size_t section, lm_triples *triples, size_t block, size_t list,
                                  size_t first_graph)
{
    leman_status st = LEMAN_OK;
    lm_pair *entry = NULL;
    run r = {.section = section, .number = g->run.count};
    if (!lm_triples_entries(triples, block, list)) goto done;
    TRY(lm_triples_sort(g->ctx, triples, block, list, &entry, &r.count));
    for (size_t i = 0; i < r.count; i++) entry[i].payload += (uint64_t)first_graph << LM_TRIPLE_VALUE_BITS;
    TRY(lm_temporary_append(&g->sorted, entry, r.count * sizeof *entry, &r.place));
    TRY(lm_vector_append(g->ctx, &g->run, &r, 1, sizeof r));
done:
    lm_free(g->ctx, entry);
    return st;
}

/* ---- Merging --------------------------------------------------------------------------------- */

/* Where the merge stands in a run. */
typedef struct cursor {
    uint64_t place; /* of the first entry behind those in the buffer */
    size_t left;    /* entries from there on */
    size_t have, next;
    lm_pair *entry; /* [buffer] */
} cursor;

/* Step by step: of the entries in the buffers those that none outside them can be before, or equal, sorted. */
typedef struct merge {
    lm_shared_groups *groups;
    const lm_merging *how;
    size_t buffer; /* entries */
    lm_pair *entries;
    cursor *cursors;
    size_t runs;
    lm_pair *pairs;    /* [2][runs * buffer] the entries of a step, and space to sort them */
    uint64_t *seen;    /* [2][words] bits of keys: met, and met again */
    size_t words;      /* a power of two */
    lm_vector group;   /* lm_pair: a key that outgrows the buffers */
    lm_vector waiting; /* uint64_t: groups that are to be written */
    uint64_t met;      /* entries so far */
} merge;

/* Moves what is left in the buffer to its beginning and fills it up. */
static leman_status refill(merge *m, cursor *c)
{
    leman_status st = LEMAN_OK;
    const size_t kept = c->have - c->next, room = m->buffer - kept, more = c->left < room ? c->left : room;
    memmove(c->entry, c->entry + c->next, kept * sizeof *c->entry);
    TRY(lm_temporary_read(&m->groups->sorted, c->place, c->entry + kept, more * sizeof *c->entry));
    c->next = 0;
    c->have = kept + more;
    c->left -= more;
    c->place += more * sizeof *c->entry;
done:
    return st;
}

static leman_status flush(merge *m)
{
    leman_status st = LEMAN_OK;
    TRY(lm_temporary_append(&m->groups->shared, m->waiting.items, m->waiting.count * sizeof(uint64_t), NULL));
    m->waiting.count = 0;
    TRY(lm_progress_step(m->groups->ctx, m->met));
done:
    return st;
}

/* Entries of one key: a group, which is kept where it joins two graphs, or a row with a column. */
static leman_status add_group(merge *m, const lm_pair *entry, size_t count)
{
    leman_status st = LEMAN_OK;
    const size_t rows = m->how->rows;
    if (count < 2) goto done;
    if (rows != SIZE_MAX && (lm_pair_graph(entry[0]) >= rows || lm_pair_graph(entry[count - 1]) < rows)) goto done;
    TRY(lm_vector_reserve(m->groups->ctx, &m->waiting, count + 1, sizeof(uint64_t)));
    uint64_t *word = (uint64_t *)m->waiting.items + m->waiting.count;
    *word++ = count;
    for (size_t i = 0; i < count; i++) *word++ = entry[i].payload;
    m->waiting.count += count + 1;
    if (m->waiting.count >= m->buffer) TRY(flush(m));
done:
    return st;
}

/* Drops entries whose keys no other has; most of them, as a few others share a bit. */
static size_t drop_single(const merge *m, lm_pair *entry, size_t count)
{
    uint64_t *seen = m->seen, *again = m->seen + m->words;
    const size_t mask = m->words - 1;
    size_t kept = 0;
    memset(seen, 0, 2 * m->words * sizeof *seen);
    for (size_t i = 0; i < count; i++) {
        const size_t word = entry[i].key >> 6 & mask;
        const uint64_t bit = UINT64_C(1) << (entry[i].key & 63);
        again[word] |= seen[word] & bit;
        seen[word] |= bit;
    }
    for (size_t i = 0; i < count; i++) {
        entry[kept] = entry[i];
        kept += again[entry[i].key >> 6 & mask] >> (entry[i].key & 63) & 1;
    }
    return kept;
}

/* Sorted entries with all that have the same keys. */
static leman_status add_entries(merge *m, const lm_pair *entry, size_t count)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0, j; i < count; i = j) {
        for (j = i + 1; j < count && entry[j].key == entry[i].key; j++) {
        }
        if (j - i > 1) TRY(add_group(m, entry + i, j - i));
    }
done:
    return st;
}

/* The smallest key that an entry outside the buffers may have; false: there is none outside. */
static bool find_limit(const merge *m, uint64_t *limit)
{
    bool found = false;
    for (const cursor *c = m->cursors; c < m->cursors + m->runs; c++) {
        if (!c->left || (found && c->entry[c->have - 1].key >= *limit)) continue;
        *limit = c->entry[c->have - 1].key;
        found = true;
    }
    return found;
}

/* The entries before a limit, or all, in the order of runs. */
static size_t take_entries(const merge *m, bool limited, uint64_t limit)
{
    size_t count = 0;
    for (cursor *c = m->cursors; c < m->cursors + m->runs; c++)
        for (; c->next < c->have && (!limited || c->entry[c->next].key < limit); c->next++)
            m->pairs[count++] = c->entry[c->next];
    return count;
}

/* A key of which a buffer is full: its entries, one run after the other. */
static leman_status add_one_key(merge *m, size_t section, uint64_t key)
{
    leman_status st = LEMAN_OK;
    m->group.count = 0;
    for (cursor *c = m->cursors; c < m->cursors + m->runs; c++)
        while (c->next < c->have && c->entry[c->next].key == key) {
            size_t end = c->next;
            while (end < c->have && c->entry[end].key == key) end++;
            TRY(lm_vector_append(m->groups->ctx, &m->group, c->entry + c->next, end - c->next, sizeof *c->entry));
            c->next = end;
            if (end == c->have) TRY(refill(m, c));
        }
    m->how->meet(m->how->user, section, m->group.items, m->group.count);
    m->met += m->group.count;
    TRY(add_group(m, m->group.items, m->group.count));
done:
    return st;
}

static leman_status merge_runs(merge *m, size_t section)
{
    leman_status st = LEMAN_OK;
    for (bool limited = true; limited;) {
        uint64_t limit = 0;
        limited = find_limit(m, &limit);
        const size_t count = take_entries(m, limited, limit);
        m->how->meet(m->how->user, section, m->pairs, count);
        m->met += count;
        const size_t kept = drop_single(m, m->pairs, count);
        lm_sort_pairs(m->pairs, m->pairs + m->runs * m->buffer, kept, m->groups->ctx->settings.threads);
        TRY(add_entries(m, m->pairs, kept));
        if (limited && !count) TRY(add_one_key(m, section, limit));
        for (cursor *c = m->cursors; c < m->cursors + m->runs; c++)
            if (c->left && c->have - c->next <= m->buffer / 2) TRY(refill(m, c));
    }
done:
    return st;
}

/* The runs first .. end - 1, which are those of one section. */
static leman_status merge_section(merge *m, size_t section, const run *runs, size_t count)
{
    leman_status st = LEMAN_OK;
    lm_shared_groups *g = m->groups;
    lm_shared_section *made = g->section + section;
    made->place = g->shared.size;
    m->runs = count;
    for (size_t i = 0; i < count; i++) {
        m->cursors[i] = (cursor){.place = runs[i].place, .left = runs[i].count, .entry = m->entries + i * m->buffer};
        TRY(refill(m, m->cursors + i));
    }
    TRY(merge_runs(m, section));
    TRY(flush(m));
    made->words = (g->shared.size - made->place) / sizeof(uint64_t);
done:
    return st;
}

static int by_section(const void *a, const void *b)
{
    const run *x = a, *y = b;
    if (x->section != y->section) return x->section < y->section ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static size_t end_of_section(const run *runs, size_t count, size_t first)
{
    size_t end = first;
    while (end < count && runs[end].section == runs[first].section) end++;
    return end;
}

leman_status lm_shared_groups_merge(lm_shared_groups *g, const lm_merging *how)
{
    leman_status st = LEMAN_OK;
    enum {
        STEP = 1 << 16 /* entries, that the cache should hold */,
        LARGEST = 1 << 14,
        USUAL = 1 << 10,
        SMALLEST = 64
    };
    leman_context *ctx = g->ctx;
    run *runs = g->run.items;
    const size_t count = g->run.count;
    size_t most = 1;
    uint64_t entries = 0;
    merge m = {.groups = g, .how = how};
    if (count) qsort(runs, count, sizeof *runs, by_section);
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_section(runs, count, first);
        if (end - first > most) most = end - first;
        for (size_t i = first; i < end; i++) entries += runs[i].count;
    }
    m.buffer = STEP / most > LARGEST ? LARGEST : STEP / most < USUAL ? USUAL : STEP / most;
    const size_t fits = lm_budget(ctx) / 4 / (most * (3 * sizeof *m.entries + sizeof *m.seen / 2));
    if (m.buffer > fits) m.buffer = fits < SMALLEST ? SMALLEST : fits;
    NEW(ctx, m.cursors, most);
    NEW(ctx, m.entries, most * m.buffer);
    NEW(ctx, m.pairs, 2 * most * m.buffer);
    for (m.words = 1; m.words < most * m.buffer / 16;) m.words *= 2; /* four bits an entry or more */
    NEW(ctx, m.seen, 2 * m.words);
    NEW(ctx, g->section, g->sections);
    memset(g->section, 0, g->sections * sizeof *g->section);
    lm_progress_begin(ctx, entries, "merging features of %s", how->name);
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_section(runs, count, first);
        TRY(merge_section(&m, runs[first].section, runs + first, end - first));
    }
    lm_temporary_close(&g->sorted);
done:
    lm_free(ctx, m.cursors);
    lm_free(ctx, m.pairs);
    lm_free(ctx, m.seen);
    lm_free(ctx, m.entries);
    lm_vector_free(ctx, &m.group);
    lm_vector_free(ctx, &m.waiting);
    return st;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static leman_status read_words(const lm_shared_groups *g, const lm_shared_section *s, uint64_t word, size_t count,
                               lm_vector *words)
{
    leman_status st = LEMAN_OK;
    words->count = 0;
    TRY(lm_vector_reserve(g->ctx, words, count, sizeof(uint64_t)));
    TRY(lm_temporary_read(&g->shared, s->place + word * sizeof word, words->items, count * sizeof word));
    words->count = count;
done:
    return st;
}

leman_status lm_shared_groups_read(const lm_shared_groups *g, size_t section, uint64_t *word, size_t most,
                                   lm_vector *words)
{
    leman_status st = LEMAN_OK;
    const lm_shared_section *s = g->section + section;
    const uint64_t left = s->words - *word;
    size_t whole = 0;
    TRY(read_words(g, s, *word, left < most ? (size_t)left : most, words));
    const uint64_t *items = words->items;
    if (items[0] + 1 > words->count) { /* one that is larger than that */
        TRY(read_words(g, s, *word, (size_t)items[0] + 1, words));
        items = words->items;
    }
    while (whole < words->count && items[whole] + 1 <= words->count - whole) whole += (size_t)items[whole] + 1;
    words->count = whole;
    *word += whole;
done:
    return st;
}
