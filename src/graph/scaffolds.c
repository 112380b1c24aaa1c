/*
 * Bemis-Murcko scaffolds: the rings of a molecule, the chains between them, and atoms with a double bond to either
 * (Bemis and Murcko, The Properties of Known Drugs, 1996; as RDKit has them). Molecules of one scaffold are a group,
 * and so are all that have no ring.
 *
 *   scaffold   vertices of degree 1 are taken away until there are none; neighbours by a double bond (label 2) return
 *   hash       colour refinement, once for every vertex with a colour of its own, as a multiset: two scaffolds have the
 *              same hash where this does not tell them apart (or with probability about 2^-64)
 *
 * O(n m) a round for n vertices and m bonds of a scaffold, n rounds at most.
 */
#include "base/arguments.h"
#include "base/hash.h"
#include "graph/dataset.h"
#include <string.h>

enum { DOUBLE_BOND = 2 };

typedef struct scaffold {
    const leman_graph *g;
    bool *kept;               /* [vertices] */
    uint32_t *degree, *queue; /* [vertices] */
    uint64_t *color, *next;   /* [vertices] */
    size_t vertices;          /* that are kept */
} scaffold;

static void prune(scaffold *s)
{
    const leman_graph *g = s->g;
    size_t done = 0, queued = 0;
    for (size_t v = 0; v < g->vertices; v++) {
        s->kept[v] = true;
        s->degree[v] = (uint32_t)(g->start[v + 1] - g->start[v]);
        if (s->degree[v] <= 1) s->queue[queued++] = (uint32_t)v;
    }
    while (done < queued) {
        const uint32_t v = s->queue[done++];
        s->kept[v] = false;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
            if (s->kept[g->head[e]] && s->degree[g->head[e]]-- == 2) s->queue[queued++] = g->head[e];
    }
    for (size_t v = 0; v < g->vertices; v++) s->degree[v] = s->kept[v]; /* in the rings and chains themselves */
    s->vertices = 0;
    for (size_t v = 0; v < g->vertices; v++) {
        for (uint64_t e = g->start[v]; e < g->start[v + 1] && !s->kept[v] && g->edge_label; e++)
            s->kept[v] = s->degree[g->head[e]] && g->edge_label[e * g->edge_labels] == DOUBLE_BOND;
        s->vertices += s->kept[v];
    }
}

static uint64_t label_hash(const int64_t *label, size_t columns)
{
    uint64_t hash = columns;
    for (size_t i = 0; i < columns; i++) hash = lm_mix(hash * 31 + (uint64_t)label[i]);
    return hash;
}

/* Rounds of colour refinement from s->color, as many as can split anything; the multiset of the colours. */
static uint64_t refine(scaffold *s)
{
    const leman_graph *g = s->g;
    uint64_t sum = 0;
    for (size_t round = 0; round < s->vertices; round++) {
        for (size_t v = 0; v < g->vertices; v++) {
            if (!s->kept[v]) continue;
            uint64_t around = 0;
            for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
                if (!s->kept[g->head[e]]) continue;
                const uint64_t bond =
                    g->edge_labels ? label_hash(g->edge_label + e * g->edge_labels, g->edge_labels) : 0;
                around = lm_multiset_add(around, s->color[g->head[e]] ^ bond);
            }
            s->next[v] = lm_mix(s->color[v] * 3 + lm_mix(around));
        }
        uint64_t *swap = s->color;
        s->color = s->next;
        s->next = swap;
    }
    for (size_t v = 0; v < g->vertices; v++)
        if (s->kept[v]) sum = lm_multiset_add(sum, s->color[v]);
    return sum;
}

static uint64_t scaffold_hash(scaffold *s)
{
    const leman_graph *g = s->g;
    uint64_t hash = 0;
    for (size_t own = 0; own < g->vertices; own++) {
        if (!s->kept[own]) continue;
        for (size_t v = 0; v < g->vertices; v++)
            s->color[v] = lm_mix(label_hash(g->vertex_label + v * g->vertex_labels, g->vertex_labels) * 2 + (v == own));
        hash = lm_multiset_add(hash, refine(s));
    }
    return hash;
}

static leman_status hash_all(leman_context *ctx, const leman_dataset *data, uint64_t *hash)
{
    leman_status st = LEMAN_OK;
    const size_t n = data->shape.max_vertices;
    scaffold s;
    SCRATCH(ctx, s.kept, n + 1);
    SCRATCH(ctx, s.degree, n + 1);
    SCRATCH(ctx, s.queue, n + 1);
    SCRATCH(ctx, s.color, n + 1);
    SCRATCH(ctx, s.next, n + 1);
    lm_progress_begin(ctx, data->graphs, "scaffolds of %s", data->name);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        s.g = &g;
        prune(&s);
        hash[i] = scaffold_hash(&s);
        TRY(lm_progress_step(ctx, i));
    }
done:
    return st;
}

leman_status leman_dataset_scaffolds(leman_context *ctx, const leman_dataset *data, uint32_t *group, size_t *groups)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, data);
    REQUIRE(ctx, group);
    REQUIRE(ctx, groups);
    const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    uint64_t *hash, *slot;
    size_t slots = 16, count = 0;
    uint32_t *number;
    if (!data->columns.vertex_labels || !data->columns.edge_labels)
        FAIL(ctx, LEMAN_ERROR_INPUT,
             "%s: found no labels of vertices and edges, expected molecules, which have scaffolds", data->name);
    while (slots < 2 * data->graphs) slots *= 2;
    SCRATCH(ctx, hash, data->graphs + 1);
    SCRATCH(ctx, slot, slots);
    SCRATCH(ctx, number, slots);
    TRY(hash_all(ctx, data, hash));
    memset(number, 0, slots * sizeof *number); /* number + 1 of the hash in each slot; 0: none */
    for (size_t i = 0; i < data->graphs; i++) {
        size_t at = lm_mix(hash[i]) & (slots - 1);
        while (number[at] && slot[at] != hash[i]) at = (at + 1) & (slots - 1);
        if (!number[at]) {
            slot[at] = hash[i];
            number[at] = (uint32_t)++count;
        }
        group[i] = number[at] - 1;
    }
    *groups = count;
done:
    if (ctx && data && group && groups) lm_arena_reset(&ctx->scratch, mark);
    return st;
}
