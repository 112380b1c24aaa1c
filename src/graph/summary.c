/*
 * Counts over all graphs: different labels and classes, isolated vertices, components.
 *
 * Labels are counted with a hash table of their rows that doubles when half full: O(rows) time, and memory proportional
 * to the number of different rows. Components are counted by union-find with path halving, one graph at a time.
 */
#include "base/arguments.h"
#include "base/hash.h"
#include "graph/dataset.h"
#include <string.h>

/* A set of rows of 64-bit words; each row is stored by its number. */
typedef struct row_set {
    const int64_t *rows;
    size_t columns;
    size_t *slot; /* [capacity] number of a row + 1, or 0 */
    size_t capacity, count;
    uint64_t key[2]; /* of the hash: so that files cannot choose labels that share a slot */
} row_set;

/* Returns the slot of a row, or the free slot where it belongs. */
static size_t slot_of_row(const row_set *set, size_t row)
{
    const int64_t *words = set->rows + row * set->columns;
    size_t at = lm_keyed_hash(set->key, words, set->columns * sizeof *words) & (set->capacity - 1);
    while (set->slot[at] && memcmp(set->rows + (set->slot[at] - 1) * set->columns, words, set->columns * sizeof *words))
        at = (at + 1) & (set->capacity - 1);
    return at;
}

static leman_status grow_set(leman_context *ctx, row_set *set)
{
    row_set larger = *set;
    larger.capacity = set->capacity ? 2 * set->capacity : 64;
    PASS_SCRATCH_ZERO(ctx, larger.slot, larger.capacity);
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slot[i]) larger.slot[slot_of_row(&larger, set->slot[i] - 1)] = set->slot[i];
    *set = larger;
    return LEMAN_OK;
}

static leman_status count_different(leman_context *ctx, const int64_t *rows, size_t count, size_t columns, size_t *out)
{
    SCRATCH_SCOPE(ctx);
    row_set set = {.rows = rows, .columns = columns};
    lm_hash_key(set.key);
    for (size_t row = 0; row < count && columns; row++) {
        if (2 * set.count >= set.capacity) PASS(grow_set(ctx, &set));
        size_t at = slot_of_row(&set, row);
        set.count += !set.slot[at];
        if (!set.slot[at]) set.slot[at] = row + 1;
    }
    *out = set.count;
    return LEMAN_OK;
}

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

/* Returns the number of components of one graph. parent and joined have an element for each vertex; joined[v] is set to
 * true if v has an arc. */
static size_t count_components(const leman_graph *g, uint32_t *parent, bool *joined)
{
    size_t components = g->vertices;
    for (size_t v = 0; v < g->vertices; v++) parent[v] = (uint32_t)v;
    memset(joined, 0, g->vertices * sizeof *joined);
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            uint32_t a = root_of(parent, (uint32_t)v), b = root_of(parent, g->head[e]);
            components -= a != b;
            parent[a] = b;
            joined[v] = joined[g->head[e]] = true;
        }
    return components;
}

leman_status leman_dataset_summary(leman_context *ctx, const leman_dataset *data, leman_summary *summary)
{
    REQUIRE(ctx, data, summary);
    SCRATCH_SCOPE(ctx);
    const leman_dataset *d = data;
    leman_summary s = {0};
    uint32_t *parent;
    bool *joined;
    PASS(count_different(ctx, d->class_label, d->graphs, d->columns.classes, &s.classes));
    bool missing = false;
    for (size_t i = 0; i < d->graphs && d->class_label; i++) missing |= d->class_label[i] == LEMAN_CLASS_MISSING;
    s.classes -= missing; /* a missing class is not a class */
    PASS(count_different(ctx, d->vertex_label, d->vertices, d->columns.vertex_labels, &s.vertex_labels));
    PASS(count_different(ctx, d->edge_label, d->arcs, d->columns.edge_labels, &s.edge_labels));

    PASS_SCRATCH(ctx, parent, d->shape.max_vertices);
    PASS_SCRATCH(ctx, joined, d->shape.max_vertices);
    for (size_t i = 0; i < d->graphs; i++) {
        leman_graph g = leman_dataset_graph(d, i);
        size_t components = count_components(&g, parent, joined);
        s.components += components;
        s.disconnected_graphs += components > 1;
        s.empty_graphs += !g.vertices;
        for (size_t v = 0; v < g.vertices; v++) s.isolated_vertices += !joined[v];
    }
    *summary = s;
    return LEMAN_OK;
}
