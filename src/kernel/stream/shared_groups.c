/* Feature triples in temporary files: runs, their merge, groups of equal keys. */
#include "kernel/stream/shared_groups.h"
#include "kernel/merge.h"
#include <stdlib.h>

enum { WAITING = 1 << 14 }; /* words of groups before they are written */

typedef struct run {
    size_t section, number; /* number: in the order they came */
    uint64_t place;
    size_t count; /* entries */
} run;

leman_status lm_shared_groups_open(leman_context *ctx, const char *beside, uint64_t memory, size_t sections,
                                   lm_shared_groups *g)
{
    leman_status st = LEMAN_OK;
    *g = (lm_shared_groups){.ctx = ctx, .sections = sections, .beside = beside, .memory = memory};
    NEW(ctx, g->section, sections);
    memset(g->section, 0, sections * sizeof *g->section);
    TRY(lm_temporary_open(ctx, beside, memory, &g->sorted));
    TRY(lm_temporary_open(ctx, beside, 0, &g->shared));
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
                                  size_t first_graph, const size_t *number)
{
    leman_status st = LEMAN_OK;
    lm_pair *entry = NULL;
    run r = {.section = section, .number = g->run.count};
    if (!lm_triples_entries(triples, block, list)) goto done;
    TRY(lm_triples_sort(g->ctx, triples, block, list, &entry, &r.count));
    for (size_t i = 0; i < r.count; i++) {
        const size_t graph = number ? number[lm_pair_graph(entry[i])] : first_graph + lm_pair_graph(entry[i]);
        entry[i].payload = (uint64_t)graph << LM_TRIPLE_VALUE_BITS | lm_pair_value(entry[i]);
    }
    if (!g->sorted.open) TRY(lm_temporary_open(g->ctx, g->beside, g->memory, &g->sorted));
    TRY(lm_temporary_append(&g->sorted, entry, r.count * sizeof *entry, &r.place));
    TRY(lm_vector_append(g->ctx, &g->run, &r, 1, sizeof r));
done:
    lm_free(g->ctx, entry);
    return st;
}

/* ---- Merging --------------------------------------------------------------------------------- */

typedef struct merge {
    lm_shared_groups *groups;
    const lm_merging *how;
    lm_merge runs;
    uint64_t key;
    lm_vector group;   /* uint64_t: the payloads of this key */
    lm_vector waiting; /* uint64_t: groups that are to be written */
    uint64_t met;      /* entries so far */
} merge;

static leman_status flush(merge *m)
{
    leman_status st = LEMAN_OK;
    TRY(lm_temporary_append(&m->groups->shared, m->waiting.items, m->waiting.count * sizeof(uint64_t), NULL));
    m->waiting.count = 0;
    TRY(lm_progress_step(m->groups->ctx, m->met));
done:
    return st;
}

static size_t graph_of(uint64_t payload)
{
    return lm_pair_graph((lm_pair){0, payload});
}

/* The key is done: its group is kept where it joins two graphs, or a row with a column. */
static leman_status end_group(merge *m)
{
    leman_status st = LEMAN_OK;
    const uint64_t *payload = m->group.items, count = m->group.count;
    const size_t rows = m->how->rows;
    bool joins = count > 1;
    if (joins && rows != SIZE_MAX) joins = graph_of(payload[0]) < rows && graph_of(payload[count - 1]) >= rows;
    if (joins) {
        TRY(lm_vector_append(m->groups->ctx, &m->waiting, &count, 1, sizeof count));
        TRY(lm_vector_append(m->groups->ctx, &m->waiting, payload, m->group.count, sizeof *payload));
    }
    m->group.count = 0;
    if (m->waiting.count >= WAITING) TRY(flush(m));
done:
    return st;
}

/* The entries of a step, sorted. Of the last key there may be more in the next step; any other that has one entry is of
 * one graph alone. */
static leman_status add_entries(merge *m, const lm_pair *entry, size_t count)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < count; i++) {
        const bool last = i + 1 == count || entry[i + 1].key != entry[i].key;
        if (entry[i].key != m->key) {
            if (m->group.count) TRY(end_group(m));
            m->key = entry[i].key;
        }
        if (last && i + 1 < count && !m->group.count) continue;
        TRY(lm_vector_append(m->groups->ctx, &m->group, &entry[i].payload, 1, sizeof entry[i].payload));
    }
done:
    return st;
}

/* The runs of one section. */
static leman_status merge_section(merge *m, size_t section, const run *runs, size_t count)
{
    leman_status st = LEMAN_OK;
    lm_shared_groups *g = m->groups;
    lm_shared_section *made = g->section + section;
    const lm_pair *entry;
    size_t entries;
    made->place = g->shared.size;
    for (size_t i = 0; i < m->runs.runs; i++)
        lm_merge_set(&m->runs, i, i < count ? runs[i].place : 0, i < count ? runs[i].count : 0);
    do {
        TRY(lm_merge_step(&m->runs, &entry, &entries));
        m->how->meet(m->how->user, section, entry, entries);
        m->met += entries;
        TRY(add_entries(m, entry, entries));
    } while (entries);
    TRY(end_group(m));
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
    TRY(lm_merge_new(ctx, &g->sorted, false, most, &m.runs));
    lm_progress_begin(ctx, entries, "merging features of %s", how->name);
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_section(runs, count, first);
        TRY(merge_section(&m, runs[first].section, runs + first, end - first));
    }
    lm_temporary_close(&g->sorted);
    g->run.count = 0;
done:
    lm_merge_free(&m.runs);
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
