/*
 * Bemis-Murcko scaffolds: the rings of a molecule, the chains between them, and atoms with a double bond to either
 * (Bemis and Murcko, The Properties of Known Drugs, 1996; as in RDKit). Molecules with the same scaffold are a group,
 * and so are all molecules without a ring.
 *
 *   scaffold   vertices of degree 1 are removed until there are none; neighbours by a double bond (label 2) return
 *   hash       colour refinement from labels and sizes of components, and again after individualising each vertex, as a
 *              multiset: two scaffolds have the same hash if this does not distinguish them (or with probability about
 *              2^-64)
 *
 * O((n + m) log n) for n vertices and m bonds of a scaffold, and as much again for every individualised vertex. The
 * refinements of individualised vertices visit at most BUDGET arcs in all, which suffices for scaffolds of a few
 * thousand atoms. In larger scaffolds the vertices of small classes come first, and vertices of large classes only
 * rename vertices close to them.
 */
#include "base/arguments.h"
#include "graph/dataset.h"
#include "graph/equitable.h"
#include <string.h>

enum { DOUBLE_BOND = 2, BUDGET = 1 << 24 };

typedef struct scaffold {
    const leman_graph *g;
    bool *kept;               /* [vertices] */
    uint32_t *degree, *queue; /* [vertices] */
    uint64_t *color;          /* [vertices] */
    lm_pair *cell, *spare;    /* [vertices] */
    lm_equitable classes;
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
    for (size_t v = 0; v < g->vertices; v++) s->degree[v] = s->kept[v]; /* 1 in the rings and chains themselves */
    for (size_t v = 0; v < g->vertices; v++) {
        for (uint64_t e = g->start[v]; e < g->start[v + 1] && !s->kept[v] && g->edge_label; e++)
            s->kept[v] = s->degree[g->head[e]] && g->edge_label[e * g->edge_labels] == DOUBLE_BOND;
    }
}

/* The hash of a vertex's labels. Of an atom of ECFP only the element, charge and isotope belong to the scaffold. */
static uint64_t label_hash(const leman_graph *g, uint32_t v)
{
    const int64_t *label = g->vertex_label + v * g->vertex_labels;
    const bool circular = g->vertex_labels == 1 && *label >= LM_ECFP_LABELS && *label < LM_FCFP_LABELS;
    const int64_t atom = *label % LM_ECFP_ATOMS;
    return lm_row_hash(circular ? &atom : label, g->vertex_labels);
}

/* Sets color[v] of all kept vertices from their labels and the size of their component. */
static void color_components(scaffold *s)
{
    const leman_graph *g = s->g;
    for (size_t v = 0; v < g->vertices; v++) s->degree[v] = s->kept[v]; /* 1: kept, and not yet in a component */
    for (size_t root = 0; root < g->vertices; root++) {
        size_t done = 0, queued = 0;
        if (!s->degree[root]) continue;
        s->degree[root] = 0;
        s->queue[queued++] = (uint32_t)root;
        while (done < queued) {
            const uint32_t v = s->queue[done++];
            for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
                if (!s->degree[g->head[e]]) continue;
                s->degree[g->head[e]] = 0;
                s->queue[queued++] = g->head[e];
            }
        }
        for (size_t i = 0; i < queued; i++) {
            const uint32_t v = s->queue[i];
            s->color[v] = lm_mix(label_hash(g, v) * 2 + lm_mix(queued));
        }
    }
}

/* Lists the classes with several vertices, by size, and by name among equal sizes. Returns their number. */
static size_t list_cells(scaffold *s)
{
    const lm_equitable *e = &s->classes;
    size_t cells = 0;
    for (size_t c = 0; c < e->classes; c++)
        if (e->count[c] > 1) s->cell[cells++] = (lm_pair){e->name[c], c};
    lm_sort_pairs(s->cell, s->spare, cells, 1);
    for (size_t i = 0; i < cells; i++) s->cell[i].key = e->count[s->cell[i].payload];
    lm_sort_pairs(s->cell, s->spare, cells, 1);
    return cells;
}

static leman_status scaffold_hash(leman_context *ctx, scaffold *s, uint64_t *hash)
{
    lm_equitable *e = &s->classes;
    uint64_t left = BUDGET, sum = 0;
    size_t cells;
    color_components(s);
    PASS(lm_equitable_refine(e, s->g, s->kept, s->color, hash));
    cells = list_cells(s);
    for (size_t i = 0; i < cells; i++) {
        const uint32_t c = (uint32_t)s->cell[i].payload, count = e->count[c];
        const uint64_t share = left / count;
        memcpy(s->queue, e->order + e->first[c], count * sizeof *s->queue); /* because the order of a class changes */
        for (uint32_t j = 0; j < count && share; j++) {
            uint64_t own = share;
            sum = lm_multiset_add(sum, lm_equitable_individualize(e, s->queue[j], &own));
            left -= share - own;
            PASS(lm_progress_step(ctx, ctx->progress.done));
        }
    }
    *hash = lm_mix(*hash + lm_mix(sum));
    return LEMAN_OK;
}

static leman_status hash_all(leman_context *ctx, const leman_dataset *data, uint64_t *hash)
{
    const size_t n = data->shape.max_vertices;
    size_t arcs = 0;
    scaffold s;
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        if (g.arcs > arcs) arcs = g.arcs;
    }
    PASS_SCRATCH(ctx, s.kept, n + 1);
    PASS_SCRATCH(ctx, s.degree, n + 1);
    PASS_SCRATCH(ctx, s.queue, n + 1);
    PASS_SCRATCH(ctx, s.color, n + 1);
    PASS_SCRATCH(ctx, s.cell, n + 1);
    PASS_SCRATCH(ctx, s.spare, n + 1);
    PASS(lm_equitable_new(ctx, n, arcs, &s.classes));
    lm_progress_begin(ctx, data->graphs, "scaffolds of %s", data->name);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        s.g = &g;
        prune(&s);
        PASS(scaffold_hash(ctx, &s, hash + i));
        PASS(lm_progress_step(ctx, i));
    }
    return LEMAN_OK;
}

leman_status leman_dataset_scaffolds(leman_context *ctx, const leman_dataset *data, uint32_t *group, size_t *groups)
{
    REQUIRE(ctx, data, group, groups);
    SCRATCH_SCOPE(ctx);
    uint64_t *hash;
    lm_pair *order, *spare;
    size_t count = 0;
    if (!data->columns.vertex_labels || !data->columns.edge_labels)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found no labels of vertices and edges, expected molecules, which have scaffolds",
                       data->name);
    if (data->columns.vertex_labels == 1 && data->vertices && *data->vertex_label >= LM_FCFP_LABELS)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found labels of features (fcfp), expected elements, which scaffolds have", data->name);
    PASS_SCRATCH(ctx, hash, data->graphs);
    PASS_SCRATCH(ctx, order, data->graphs);
    PASS_SCRATCH(ctx, spare, data->graphs);
    PASS(hash_all(ctx, data, hash));
    for (size_t i = 0; i < data->graphs; i++) order[i] = (lm_pair){hash[i], i};
    lm_sort_pairs(order, spare, data->graphs, 1);
    for (size_t i = 0, first = 0; i < data->graphs; i++) { /* hash becomes the first graph with the same hash */
        if (order[i].key != order[first].key) first = i;
        hash[order[i].payload] = order[first].payload;
    }
    for (size_t i = 0; i < data->graphs; i++) group[i] = hash[i] == i ? (uint32_t)count++ : group[hash[i]];
    *groups = count;
    return LEMAN_OK;
}
