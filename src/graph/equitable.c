/*
 * Colour refinement with few renamings (Hopcroft's rule; Berkholz, Bonsma and Grohe, Tight Lower and Upper Bounds for
 * the Complexity of Canonical Colour Refinement, 2017). In each round
 *
 *   key(u) = sum of mix(name(v) ^ bond(v, u)) over the neighbours v of u that were renamed in the previous round,
 *
 * a class is divided by the keys of its vertices, and every part but the largest gets a new name: the name of the class
 * mixed with the key. Keys may omit neighbours that kept their name: vertices of one class had equal multisets of names
 * around them before the renaming, so the omitted neighbours agree, too. A vertex is renamed at most log2(n) times,
 * because its class is at most half as large each time: O((n + m) log n).
 *
 * The hash of a refinement sums a name and a key for each vertex with a renamed neighbour, over all rounds. It does not
 * depend on the order of vertices.
 */
#include "graph/equitable.h"
#include "graph/dataset.h"
#include <string.h>

static const uint64_t UNTOUCHED = UINT64_C(0x5851f42d4c957f2d), OWN = UINT64_C(0x14057b7ef767814f);

uint64_t lm_equitable_bytes(size_t vertices)
{
    enum {
        VERTEX = 10 * sizeof(uint32_t) + 2 * sizeof(uint64_t) + sizeof(bool) + sizeof(lm_division) + 2 * sizeof(lm_pair)
    };
    enum { ALIGNMENT = 1 << 10 /* of all arrays together */ };
    return lm_saturating_add(lm_saturating_multiply(vertices + 1, VERTEX), ALIGNMENT);
}

leman_status lm_equitable_reserve(leman_context *ctx, size_t vertices, lm_equitable *e)
{
    const size_t n = vertices + 1;
    *e = (lm_equitable){.ctx = ctx};
    PASS_SCRATCH(ctx, e->order, n);
    PASS_SCRATCH(ctx, e->place, n);
    PASS_SCRATCH(ctx, e->class_of, n);
    PASS_SCRATCH(ctx, e->first, n);
    PASS_SCRATCH(ctx, e->count, n);
    PASS_SCRATCH(ctx, e->name, n);
    PASS_SCRATCH(ctx, e->key, n);
    PASS_SCRATCH_ZERO(ctx, e->touched, n);
    PASS_SCRATCH(ctx, e->touched_class, n);
    PASS_SCRATCH_ZERO(ctx, e->seen, n);
    PASS_SCRATCH(ctx, e->renamed, n);
    PASS_SCRATCH(ctx, e->next, n);
    PASS_SCRATCH(ctx, e->division, n);
    PASS_SCRATCH(ctx, e->pair, n);
    PASS_SCRATCH(ctx, e->spare, n);
    return LEMAN_OK;
}

leman_status lm_equitable_new(leman_context *ctx, size_t vertices, size_t arcs, lm_equitable *e)
{
    PASS(lm_equitable_reserve(ctx, vertices, e));
    PASS_SCRATCH(ctx, e->start, vertices + 1);
    PASS_SCRATCH(ctx, e->bond, arcs + 1);
    PASS_SCRATCH(ctx, e->head, arcs + 1);
    e->relation[0] = (lm_relation){e->start, e->head, e->bond, 0};
    e->relations = 1;
    return LEMAN_OK;
}

static void swap_places(lm_equitable *e, uint32_t a, uint32_t b)
{
    const uint32_t u = e->order[a], v = e->order[b];
    e->order[a] = v, e->order[b] = u;
    e->place[v] = a, e->place[u] = b;
}

/* Adds the name of v to the keys of the vertices that see v by relation r, and moves these vertices to the end of their
 * classes. `classes` is the number of classes with such vertices so far. Returns their number. */
static size_t touch_neighbors(lm_equitable *e, const lm_relation *r, uint32_t v, size_t classes)
{
    const uint64_t name = e->name[e->class_of[v]] ^ r->mark;
    for (uint64_t a = r->start[v]; a < r->start[v + 1]; a++) {
        const uint32_t u = r->head[a];
        if (!e->seen[u]) {
            const uint32_t c = e->class_of[u];
            e->seen[u] = true;
            e->key[u] = 0;
            if (!e->touched[c]) e->touched_class[classes++] = c;
            swap_places(e, e->place[u], e->first[c] + e->count[c] - ++e->touched[c]);
        }
        e->key[u] = lm_multiset_add(e->key[u], r->bond ? name ^ r->bond[a] : name);
    }
    return classes;
}

/* Makes order[first .. first + count - 1] a new class. */
static void make_class(lm_equitable *e, uint32_t first, uint32_t count, uint64_t name)
{
    const uint32_t c = (uint32_t)e->classes++;
    e->first[c] = first;
    e->count[c] = count;
    e->name[c] = name;
    for (uint32_t i = first; i < first + count; i++) {
        e->class_of[e->order[i]] = c;
        e->next[e->next_count++] = e->order[i];
    }
}

/* Sorts the touched vertices of a class by their keys. Returns their contribution to the hash of the round. */
static uint64_t sort_touched(lm_equitable *e, uint32_t c, uint32_t from, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = e->order[from + i];
        e->seen[v] = false;
        e->pair[i] = (lm_pair){e->key[v], v};
        sum = lm_multiset_add(sum, e->name[c] * 3 + lm_mix(e->key[v]));
    }
    lm_sort_pairs(e->pair, e->spare, count, 1);
    for (uint32_t i = 0; i < count; i++) {
        e->order[from + i] = (uint32_t)e->pair[i].payload;
        e->place[e->order[from + i]] = from + i;
    }
    return sum;
}

/* Divides a class by the keys of its vertices; the largest part keeps its name. Returns the class's contribution to the
 * hash. */
static uint64_t divide_class(lm_equitable *e, uint32_t c)
{
    const lm_division before = {.parent = c, .first = e->first[c], .count = e->count[c]};
    const uint32_t touched = e->touched[c], end = before.first + before.count, from = end - touched;
    const uint64_t name = e->name[c], sum = sort_touched(e, c, from, touched);
    const size_t classes = e->classes;
    uint32_t largest = from - before.first, largest_at = before.first, next;
    e->touched[c] = 0;
    for (uint32_t i = from; i < end; i = next) {
        for (next = i + 1; next < end && e->key[e->order[next]] == e->key[e->order[i]];) next++;
        if (next - i > largest) largest = next - i, largest_at = i;
    }
    if (largest == before.count) return sum;
    if (from > before.first && largest_at != before.first)
        make_class(e, before.first, from - before.first, lm_mix(name * 3 + UNTOUCHED));
    for (uint32_t i = from; i < end; i = next) {
        for (next = i + 1; next < end && e->key[e->order[next]] == e->key[e->order[i]];) next++;
        if (i != largest_at) make_class(e, i, next - i, lm_mix(name * 3 + lm_mix(e->key[e->order[i]])));
    }
    e->first[c] = largest_at;
    e->count[c] = largest;
    e->division[e->divisions] = before;
    e->division[e->divisions++].children = (uint32_t)(e->classes - classes);
    return sum;
}

/* Divides the classes touched_class[classes]. */
static uint64_t divide_classes(lm_equitable *e, size_t classes)
{
    uint64_t sum = 0;
    e->next_count = 0;
    for (size_t i = 0; i < classes; i++) sum += divide_class(e, e->touched_class[i]);
    uint32_t *swap = e->renamed;
    e->renamed = e->next;
    e->next = swap;
    e->renamed_count = e->next_count;
    return sum;
}

uint64_t lm_equitable_round(lm_equitable *e)
{
    size_t classes = 0;
    for (size_t i = 0; i < e->renamed_count; i++)
        for (unsigned r = 0; r < e->relations; r++)
            classes = touch_neighbors(e, e->relation + r, e->renamed[i], classes);
    return divide_classes(e, classes);
}

void lm_equitable_divide(lm_equitable *e, const uint64_t *key)
{
    memcpy(e->key, key, e->vertices * sizeof *key);
    for (size_t c = 0; c < e->classes; c++) {
        e->touched[c] = e->count[c];
        e->touched_class[c] = (uint32_t)c;
    }
    divide_classes(e, e->classes);
}

/* Copies the kept vertices and the arcs between them. */
static void copy_part(lm_equitable *e, const leman_graph *g, const bool *kept, const uint64_t *color)
{
    uint64_t arcs = 0;
    e->vertices = 0;
    for (size_t v = 0; v < g->vertices; v++) {
        e->start[v] = arcs;
        if (!kept[v]) continue;
        e->pair[e->vertices++] = (lm_pair){color[v], v};
        for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++) {
            if (!kept[g->head[a]]) continue;
            e->head[arcs] = g->head[a];
            e->bond[arcs++] = lm_row_hash(g->edge_label + a * g->edge_labels, g->edge_labels);
        }
    }
    e->start[g->vertices] = arcs;
}

/* Makes a class for each colour. All vertices count as renamed. */
static void begin_partition(lm_equitable *e)
{
    e->classes = e->divisions = e->next_count = 0;
    lm_sort_pairs(e->pair, e->spare, e->vertices, 1);
    for (size_t i = 0; i < e->vertices; i++) {
        e->order[i] = (uint32_t)e->pair[i].payload;
        e->place[e->order[i]] = (uint32_t)i;
    }
    for (size_t i = 0, next; i < e->vertices; i = next) {
        for (next = i + 1; next < e->vertices && e->pair[next].key == e->pair[i].key;) next++;
        make_class(e, (uint32_t)i, (uint32_t)(next - i), e->pair[i].key);
    }
    memcpy(e->renamed, e->next, e->next_count * sizeof *e->next);
    e->renamed_count = e->next_count;
}

void lm_equitable_begin(lm_equitable *e, size_t vertices, const uint64_t *color)
{
    e->vertices = vertices;
    for (size_t v = 0; v < vertices; v++) e->pair[v] = (lm_pair){color[v], v};
    begin_partition(e);
}

leman_status lm_equitable_refine(lm_equitable *e, const leman_graph *g, const bool *kept, const uint64_t *color,
                                 uint64_t *hash)
{
    copy_part(e, g, kept, color);
    begin_partition(e);
    *hash = e->vertices;
    for (size_t i = 0; i < e->vertices; i++) *hash = lm_multiset_add(*hash, e->name[e->class_of[e->order[i]]]);
    for (size_t followed = 0; e->renamed_count;) {
        if ((followed += e->renamed_count) >= 4096) {
            PASS(lm_progress_step(e->ctx, e->ctx->progress.done));
            followed = 0;
        }
        *hash = lm_mix(*hash * 3 + lm_equitable_round(e));
    }
    return LEMAN_OK;
}

/* Restores the classes before the divisions from `first` on. */
static void undo(lm_equitable *e, size_t first)
{
    while (e->divisions > first) {
        const lm_division *d = e->division + --e->divisions;
        for (uint32_t i = 0; i < d->children; i++) {
            const size_t c = --e->classes;
            for (uint32_t j = e->first[c]; j < e->first[c] + e->count[c]; j++) e->class_of[e->order[j]] = d->parent;
        }
        e->first[d->parent] = d->first;
        e->count[d->parent] = d->count;
    }
}

uint64_t lm_equitable_individualize(lm_equitable *e, uint32_t v, uint64_t *budget)
{
    const uint32_t c = e->class_of[v], last = e->first[c] + e->count[c] - 1;
    const size_t divisions = e->divisions;
    uint64_t hash = lm_mix(e->name[c] * 3 + OWN);
    if (e->count[c] == 1) return hash; /* v is alone in its class */
    e->division[e->divisions++] = (lm_division){.parent = c, .first = e->first[c], .count = e->count[c], .children = 1};
    swap_places(e, e->place[v], last);
    e->count[c]--;
    e->next_count = 0;
    make_class(e, last, 1, hash);
    e->renamed[0] = v;
    e->renamed_count = 1;
    while (e->renamed_count) {
        uint64_t arcs = 0;
        for (size_t i = 0; i < e->renamed_count; i++) arcs += 1 + e->start[e->renamed[i] + 1] - e->start[e->renamed[i]];
        if (arcs > *budget) break;
        *budget -= arcs;
        hash = lm_mix(hash * 3 + lm_equitable_round(e));
    }
    undo(e, divisions);
    return hash;
}
