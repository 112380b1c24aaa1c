/*
 * Colour refinement of small graphs for their hashes, without the lists, histograms and twins of the engines:
 *
 *   C'(v) = mix( C(v) + sum over w in N(v) of M(C(w), v -> w) * local + sum over w in N'(v) of M(C(w), w -> v) * entering )
 *
 * where M(x, e) is x, or mix(x + arc(e) * message) if edges have labels.
 *
 * A block of graphs that follow each other in the data set is refined together, as one graph: a round is a few loops over
 * long arrays, which vector units like (row_loops.h). Sums over neighbours are differences of one running sum over all
 * arcs, since short loops with an unpredictable end would cost more than all additions. A graph leaves the block when its
 * last round is done. A table of the colours of a round, with how often each occurs, counts the classes of a graph and
 * gives its hash. Time: O(rounds (n + arcs)). Memory: 60 bytes a vertex and 20 bytes an arc.
 */
#include "refine/small_hashes.h"
#include "base/context.h"
#include "base/hash.h"
#include "graph/dataset.h"
#include "refine/adjacency.h"
#include "refine/row_loops.h"
#include "refine/variant.h"
#include <string.h>

enum { VERTICES = 4096, ARCS = 1 << 16 };

/* A graph of the block. */
typedef struct member {
    size_t number; /* in the block */
    size_t vertex, vertices, arc, arcs;
    bool labelled; /* edges have labels that count */
    size_t slots, classes;
} member;

typedef struct block {
    const leman_graph
        *graph; /* a view of all graphs of the block as one; heads count from the first vertex of theirs */
    const leman_coloring *coloring;
    const lm_row_loops *loops;
    size_t vertices, arcs, count;
    bool both_ends, labelled;
    member *members;       /* [count] those that are not finished, in order */
    size_t active;         /* how many there are */
    uint32_t *head;        /* [arcs] counted from the first vertex of the block */
    uint32_t *loop;        /* [vertices] arcs that are loops */
    size_t loop_count;     /* how many there are */
    uint64_t *label;       /* [arcs] hashes of arcs, where any graph of the block has labels that count */
    uint64_t *running;     /* [arcs + 1] messages, then their running sum */
    uint64_t *color;       /* [vertices] */
    uint64_t *next;        /* [vertices] */
    uint64_t *sum;         /* [vertices] */
    uint64_t *entering;    /* [vertices] if both ends of arcs count */
    uint64_t *class_color; /* [vertices of the largest graph] */
    uint64_t *class_size;  /* likewise */
    uint16_t *slot;        /* [4 times that, at most] number of a class, counted from 1; 0: free */
} block;

bool lm_hash_is_small(const leman_graph *g, const leman_coloring *c)
{
    return c->algorithm == LEMAN_ALGORITHM_LOCAL && c->k == 1 && !c->components && g->vertices <= VERTICES &&
           g->arcs <= ARCS;
}

static size_t slots_of(size_t vertices)
{
    size_t slots = 4;
    while (slots < vertices + vertices / 2) slots *= 2;
    return slots;
}

/* ---- The block ------------------------------------------------------------------------------- */

/* Lists the graphs, their heads and loops. Returns the number of vertices of the largest graph. */
static size_t list_members(block *b, const leman_dataset *data, size_t first)
{
    const leman_graph whole = leman_dataset_graph(data, first);
    const uint64_t first_arc = whole.start[0];
    size_t vertex = 0, largest = 0;
    for (size_t i = 0; i < b->count; i++) {
        const leman_graph g = leman_dataset_graph(data, first + i);
        const size_t arc = (size_t)(g.start[0] - first_arc);
        b->members[i] = (member){.number = i,
                                 .vertex = vertex,
                                 .vertices = g.vertices,
                                 .arc = arc,
                                 .arcs = g.arcs,
                                 .labelled = b->labelled && lm_edges_labelled(&g, b->coloring),
                                 .slots = slots_of(g.vertices)};
        for (size_t e = 0; e < g.arcs; e++) b->head[arc + e] = (uint32_t)vertex + g.head[first_arc + arc + e];
        vertex += g.vertices;
        if (g.vertices > largest) largest = g.vertices;
    }
    b->loop_count = 0;
    for (size_t v = 0; v < b->vertices; v++)
        for (uint64_t e = whole.start[v] - first_arc; e < whole.start[v + 1] - first_arc; e++)
            if (b->head[e] == v) b->loop[b->loop_count++] = (uint32_t)e;
    return largest;
}

static leman_status begin(leman_context *ctx, const leman_dataset *data, size_t first, block *b)
{
    PASS_SCRATCH(ctx, b->members, b->count);
    PASS_SCRATCH(ctx, b->head, b->arcs);
    PASS_SCRATCH(ctx, b->loop, b->vertices);
    PASS_SCRATCH(ctx, b->running, b->arcs + 1);
    PASS_SCRATCH(ctx, b->color, b->vertices);
    PASS_SCRATCH(ctx, b->next, b->vertices);
    PASS_SCRATCH(ctx, b->sum, b->vertices);
    if (b->both_ends) PASS_SCRATCH(ctx, b->entering, b->vertices);
    if (b->labelled) PASS_SCRATCH(ctx, b->label, b->arcs);
    const size_t largest = list_members(b, data, first);
    PASS_SCRATCH(ctx, b->class_color, largest);
    PASS_SCRATCH(ctx, b->class_size, largest);
    PASS_SCRATCH(ctx, b->slot, slots_of(largest));
    return LEMAN_OK;
}

/* ---- Round 0 --------------------------------------------------------------------------------- */

static void fill(uint64_t *to, size_t count, uint64_t value)
{
    for (size_t i = 0; i < count; i++) to[i] = value;
}

/* hash[i] = the hash of `columns` labels from a start value; beside[count] is scratch. */
static void hash_columns(const block *b, const int64_t *label, size_t columns, size_t count, uint64_t start,
                         uint64_t *beside, uint64_t *hash)
{
    fill(hash, count, lm_mix(start));
    for (size_t c = 0; c < columns; c++) {
        const lm_mix_terms terms = {1, {beside}, {lm_multiplier_of(LM_LABEL_COLUMN, c)}};
        for (size_t i = 0; i < count; i++) beside[i] = (uint64_t)label[i * columns + c] + 1;
        b->loops->mix(&terms, hash, count, hash);
    }
}

/* Hashes of arcs. A missing label ends the list of an arc (adjacency.h). */
static void hash_arcs(block *b, const leman_coloring *c)
{
    const leman_graph *g = b->graph;
    if (!b->arcs) return;
    const int64_t *label = g->edge_label + g->start[0] * g->edge_labels;
    bool complete = true;
    for (size_t i = 0; i < b->arcs * g->edge_labels; i++) complete &= label[i] != LEMAN_EDGE_LABEL_NONE;
    if (!complete) {
        for (size_t e = 0; e < b->arcs; e++) b->label[e] = lm_arc_hash(g, g->start[0] + e, c);
        return;
    }
    hash_columns(b, label, g->edge_labels, b->arcs, c->seed + 2, b->running, b->label);
    for (size_t e = 0; e < b->arcs; e++) b->label[e] |= 1;
}

static void exchange(block *b)
{
    uint64_t *swap = b->color;
    b->color = b->next;
    b->next = swap;
}

static void color_types(block *b, const leman_coloring *c)
{
    const leman_graph *g = b->graph;
    const lm_mix_terms type = {1, {b->color}, {lm_multiplier_of(LM_TYPE_VERTEX, 0)}};
    hash_columns(b, g->vertex_label, c->ignore_vertex_labels ? 0 : g->vertex_labels, b->vertices, c->seed + 1, b->sum,
                 b->color);
    for (size_t i = 0; i < b->loop_count; i++) {
        uint64_t *color = b->color + b->head[b->loop[i]];
        *color = lm_mix(*color + lm_arc_hash(g, g->start[0] + b->loop[i], c));
    }
    fill(b->sum, b->vertices, 0);
    b->loops->mix(&type, b->sum, b->vertices, b->next);
    exchange(b);
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* Lists the different colours of a graph, and how often each occurs. Returns how many there are. */
static size_t count_classes(const block *b, const member *m)
{
    const uint64_t *color = b->color + m->vertex;
    const size_t mask = m->slots - 1;
    size_t found = 0;
    memset(b->slot, 0, m->slots * sizeof *b->slot);
    for (size_t v = 0; v < m->vertices; v++) {
        size_t at = (size_t)color[v] & mask, number;
        while ((number = b->slot[at]) && b->class_color[number - 1] != color[v]) at = (at + 1) & mask;
        if (number) {
            b->class_size[number - 1]++;
        } else {
            b->class_color[found] = color[v];
            b->class_size[found++] = 1;
            b->slot[at] = (uint16_t)found;
        }
    }
    return found;
}

/* The hash of a graph, of which count_classes() has just listed the last round. */
static uint64_t hash_classes(const block *b, const member *m, size_t classes, uint64_t seed, uint32_t round)
{
    const lm_mix_terms nothing = {1, {b->class_size}, {0}};
    const lm_mix_terms sizes = {1, {b->class_size}, {lm_multiplier_of(LM_GRAPH_HASH, 0)}};
    uint64_t sum = seed;
    b->loops->mix(&nothing, b->class_color, classes, b->class_color);
    b->loops->mix(&sizes, b->class_color, classes, b->class_color);
    for (size_t i = 0; i < classes; i++) sum += b->class_color[i];
    sum = lm_mix(sum + m->vertices * lm_multiplier_of(LM_GRAPH_HASH, 1));
    return lm_mix(sum + (2 * (uint64_t)round + b->graph->directed) * lm_multiplier_of(LM_GRAPH_HASH, 2));
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* What messages of graphs from m on add to colours, if edges have labels. */
static lm_mix_terms message_terms(const block *b, const member *m)
{
    return (lm_mix_terms){1, {m->labelled ? b->label + m->arc : NULL}, {lm_multiplier_of(LM_MESSAGE, 0)}};
}

/* Adds to `entering` what the arcs of some vertices send to their heads. */
static void send(block *b, const member *m, size_t end_vertex, size_t arcs)
{
    const uint64_t *start = b->graph->start, first = start[0];
    const lm_mix_terms terms = message_terms(b, m);
    uint64_t *message = b->running + m->arc;
    memset(b->entering + m->vertex, 0, (end_vertex - m->vertex) * sizeof *b->entering);
    for (size_t v = m->vertex; v < end_vertex; v++)
        fill(b->running + (start[v] - first), (size_t)(start[v + 1] - start[v]), b->color[v]);
    if (m->labelled) b->loops->mix(&terms, message, arcs, message);
    for (size_t e = 0; e < arcs; e++) b->entering[b->head[m->arc + e]] += message[e];
}

/* A round of adjacent graphs, m to last, whose edges all have labels, or all have none. */
static void refine(block *b, const member *m, const member *last)
{
    const uint64_t *start = b->graph->start, first = start[0];
    const size_t end_vertex = last->vertex + last->vertices, arcs = last->arc + last->arcs - m->arc;
    const lm_mix_terms message = message_terms(b, m);
    lm_mix_terms terms = {1, {b->sum + m->vertex}, {lm_multiplier_of(LM_LOCAL_SUM, 0)}};
    const uint32_t *head = b->head + m->arc;
    uint64_t *running = b->running + m->arc, sum = 0;
    if (b->both_ends) {
        send(b, m, end_vertex, arcs);
        terms.count = 2;
        terms.sums[1] = b->entering + m->vertex;
        terms.multiplier[1] = lm_multiplier_of(LM_ENTERING_SUM, 0);
    }
    for (size_t e = 0; e < arcs; e++) running[e] = b->color[head[e]];
    if (m->labelled) b->loops->mix(&message, running, arcs, running);
    for (size_t e = 0; e < arcs; e++) {
        const uint64_t term = running[e];
        running[e] = sum; /* of the arcs before */
        sum += term;
    }
    running[arcs] = sum;
    for (size_t v = m->vertex; v < end_vertex; v++)
        b->sum[v] = b->running[start[v + 1] - first] - b->running[start[v] - first];
    b->loops->mix(&terms, b->color + m->vertex, end_vertex - m->vertex, b->next + m->vertex);
}

static void refine_all(block *b)
{
    for (size_t i = 0, end; i < b->active; i = end) {
        const member *m = b->members;
        for (end = i + 1;
             end < b->active && m[end].number == m[end - 1].number + 1 && m[end].labelled == m[i].labelled;)
            end++;
        refine(b, m + i, m + end - 1);
    }
    exchange(b);
}

/* Counts the classes of all graphs after a round. Those whose last round it was get their hashes, and leave. */
static void finish_some(block *b, const leman_coloring *c, uint32_t round, unsigned stream, leman_graph_hash *hash)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->active; i++) {
        member m = b->members[i];
        const size_t before = m.classes;
        m.classes = count_classes(b, &m);
        const bool stable = round && m.classes == before;
        if (stable || round == c->rounds) {
            hash[m.number].hash[stream] = hash_classes(b, &m, m.classes, c->seed, round);
            if (!stream) hash[m.number].stable_round = stable ? (int64_t)round - 1 : -1;
        } else {
            b->members[kept++] = m;
        }
    }
    b->active = kept;
}

leman_status lm_small_hashes(leman_context *ctx, const leman_dataset *data, size_t first, size_t count,
                             const leman_coloring *coloring, unsigned streams, leman_graph_hash *hash)
{
    SCRATCH_SCOPE(ctx);
    leman_coloring c = *coloring;
    leman_graph whole = leman_dataset_graph(data, first);
    for (size_t i = 1; i < count; i++) {
        const leman_graph g = leman_dataset_graph(data, first + i);
        whole.vertices += g.vertices;
        whole.arcs += g.arcs;
    }
    block b = {.graph = &whole,
               .coloring = &c,
               .loops = lm_row_loops_best(),
               .vertices = whole.vertices,
               .arcs = whole.arcs,
               .count = count,
               .both_ends = whole.directed && c.in_arcs,
               .labelled = whole.edge_labels && !c.ignore_edge_labels};
    PASS(begin(ctx, data, first, &b));
    member *all;
    PASS_SCRATCH(ctx, all, count);
    memcpy(all, b.members, count * sizeof *all);
    for (unsigned stream = 0; stream < streams; stream++, c.seed += LEMAN_HASH_SEED) {
        memcpy(b.members, all, count * sizeof *all);
        b.active = count;
        if (b.labelled) hash_arcs(&b, &c);
        color_types(&b, &c);
        finish_some(&b, &c, 0, stream, hash);
        for (uint32_t round = 1; b.active; round++) {
            refine_all(&b);
            finish_some(&b, &c, round, stream, hash);
        }
    }
    return LEMAN_OK;
}
