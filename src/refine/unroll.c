/* Building unrolling trees layer by layer, from the last round down. */
#include "refine/unroll.h"
#include "refine/items/items.h"
#include <string.h>

/* ---- A tuple and its lines ------------------------------------------------------------------- */

typedef struct tuple_ref {
    const lm_history *h;
    const uint64_t *before; /* colours of the previous round */
    lm_tuple_place at;
    size_t size; /* n */
} tuple_ref;

static size_t stride_of(const tuple_ref *s, unsigned j)
{
    return lm_power(s->size, s->h->space.k - 1 - j);
}

static uint32_t component(const tuple_ref *s, unsigned j)
{
    return (uint32_t)(s->at.tuple / stride_of(s, j) % s->size);
}

/* The index of the tuple with component j replaced by w. */
static size_t replaced(const tuple_ref *s, unsigned j, uint32_t w)
{
    size_t stride = stride_of(s, j);
    return s->at.tuple - component(s, j) * stride + w * stride;
}

/* The number of tuples on the line along j that have the colour of the tuple with w. */
static uint64_t repeats(const tuple_ref *s, unsigned j, uint32_t w)
{
    uint64_t color = s->before[replaced(s, j, w)], count = 0;
    for (uint32_t v = 0; v < s->size; v++) count += s->before[replaced(s, j, v)] == color;
    return count;
}

/* ---- Branches -------------------------------------------------------------------------------- */

leman_status lm_unroll_branch(lm_unroller *u, uint32_t graph, leman_branch branch, const size_t *to, size_t count)
{
    branch.target = u->wanted.count;
    for (size_t i = 0; i < count; i++) {
        const lm_tuple_place place = {graph, to[i]};
        PASS(lm_vector_append(u->ctx, &u->wanted, &place, 1, sizeof place));
    }
    return lm_vector_append(u->ctx, &u->branch, &branch, 1, sizeof branch);
}

/* Adds a branch to one node, or for vectors to k nodes. */
static leman_status add_branch(lm_unroller *u, const tuple_ref *s, leman_branch branch)
{
    const bool vector = branch.relation == LEMAN_RELATION_VECTOR;
    size_t to[LM_MAX_K], count = 0;
    for (unsigned j = vector ? 0 : branch.position; j < (vector ? s->h->space.k : branch.position + 1); j++)
        to[count++] = branch.relation == LEMAN_RELATION_ITSELF ? s->at.tuple : replaced(s, j, branch.vertex);
    return lm_unroll_branch(u, s->at.graph, branch, to, count);
}

/* Sorts line[0..count) and adds one branch for each colour. */
static leman_status add_groups(lm_unroller *u, const tuple_ref *s, leman_relation relation, unsigned j, size_t count,
                               bool counted)
{
    lm_sort_pairs(u->line, u->spare, count, 1);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (i + 1 < count && u->line[i + 1].key == u->line[i].key) continue;
        uint32_t w = (uint32_t)u->line[first].payload;
        leman_branch branch = {.relation = relation, .position = j, .vertex = w, .count = i + 1 - first};
        if (counted) branch.repeats = repeats(s, j, w);
        PASS(add_branch(u, s, branch));
        first = i + 1;
    }
    return LEMAN_OK;
}

/* Adds branches to the neighbours of component j. For k = 1 the edge label is part of the message. */
static leman_status append_arcs(lm_unroller *u, const tuple_ref *s, const lm_adjacency *arcs, leman_relation relation,
                                unsigned j, bool counted)
{
    uint32_t v = component(s, j);
    size_t count = 0;
    for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++) {
        uint64_t key = s->before[replaced(s, j, arcs->head[e])];
        if (s->h->space.messages) key = lm_mix(key + arcs->label[e] * lm_multiplier_of(LM_MESSAGE, 0));
        u->line[count++] = (lm_pair){key, arcs->head[e]};
    }
    return add_groups(u, s, relation, j, count, counted);
}

/* Adds branches to all vertices, or to all but the neighbours of component j. */
static leman_status add_rest(lm_unroller *u, const tuple_ref *s, unsigned j, bool all)
{
    const lm_adjacency *arcs = &s->h->space.out;
    uint32_t v = component(s, j);
    uint64_t e = arcs->start[v], end = arcs->start[v + 1];
    size_t count = 0;
    for (uint32_t w = 0; w < s->size; w++) {
        while (e < end && arcs->head[e] < w) e++;
        bool neighbor = e < end && arcs->head[e] == w;
        if (all || !neighbor) u->line[count++] = (lm_pair){s->before[replaced(s, j, w)], w};
    }
    return add_groups(u, s, all ? LEMAN_RELATION_ANY : LEMAN_RELATION_OTHER, j, count, false);
}

/* Adds branches for the vectors of k colours, one vector for every vertex, grouped by hash. */
static leman_status add_vectors(lm_unroller *u, const tuple_ref *s)
{
    for (uint32_t w = 0; w < s->size; w++) {
        uint64_t sum = 0;
        for (unsigned j = 0; j < s->h->space.k; j++)
            sum += s->before[replaced(s, j, w)] * lm_multiplier_of(LM_VECTOR, j);
        u->line[w] = (lm_pair){lm_mix(sum), w};
    }
    return add_groups(u, s, LEMAN_RELATION_VECTOR, 0, s->size, false);
}

/* Adds the branches of one sum of the rule `sums` along component j. */
static leman_status add_sum(lm_unroller *u, const tuple_ref *s, lm_color_sum sum, unsigned sums, unsigned j)
{
    const lm_space *space = &s->h->space;
    switch (sum) {
    case LM_SUM_LOCAL:
    case LM_SUM_DECORATED:
        PASS(append_arcs(u, s, &space->out, LEMAN_RELATION_NEIGHBOR, j, sum == LM_SUM_DECORATED));
        if (space->entering) PASS(append_arcs(u, s, &space->in, LEMAN_RELATION_ENTERING, j, sum == LM_SUM_DECORATED));
        break;
    case LM_SUM_LINE: return add_rest(u, s, j, !(sums & LM_SUMS_LOCAL));
    case LM_SUM_VECTORS: return j ? LEMAN_OK : add_vectors(u, s); /* of all components together */
    }
    return LEMAN_OK;
}

/* Adds the branches of a node, by the rule of its round. */
static leman_status expand_tree(lm_unroller *u, size_t number)
{
    leman_unrolling_node *node = (leman_unrolling_node *)u->node.items + number;
    lm_tuple_place at = ((const lm_tuple_place *)u->place.items)[number];
    const lm_history *h = u->h + at.graph;
    node->branch = u->branch.count;
    if (h->space.items) {
        PASS(lm_unroll_item(u, at, node->round));
        node->branches = u->branch.count - node->branch;
        return LEMAN_OK;
    }
    const tuple_ref s = {h, h->colors[node->round - 1], at, h->space.n};
    const unsigned sums = lm_round_sums(u->coloring, node->round == u->coloring->rounds);
    PASS(add_branch(u, &s, (leman_branch){.relation = LEMAN_RELATION_ITSELF, .count = 1}));
    for (unsigned j = 0; j < h->space.k; j++)
        for (unsigned left = sums; left; left &= left - 1) PASS(add_sum(u, &s, lm_next_sum(left), sums, j));
    node->branches = u->branch.count - node->branch;
    return LEMAN_OK;
}

/* ---- Layers ---------------------------------------------------------------------------------- */

static leman_status add_node(lm_unroller *u, lm_tuple_place at, uint32_t round)
{
    const lm_history *h = u->h + at.graph;
    tuple_ref s = {h, NULL, at, h->space.n};
    leman_unrolling_node node = {.color = h->colors[round][at.tuple], .round = round, .graph = at.graph};
    PASS(lm_vector_append(u->ctx, &u->node, &node, 1, sizeof node));
    PASS(lm_vector_append(u->ctx, &u->place, &at, 1, sizeof at));
    uint32_t items[LM_MAX_K];
    if (h->space.items) {
        lm_item_tuple(h->space.items, at.tuple, items);
        return lm_vector_append(u->ctx, &u->vertex, items, h->space.items->k, sizeof *items);
    }
    for (unsigned j = 0; j < h->space.k; j++) {
        uint32_t v = component(&s, j);
        PASS(lm_vector_append(u->ctx, &u->vertex, &v, 1, sizeof v));
    }
    return LEMAN_OK;
}

/* Turns the targets from `first` on into nodes of this round: one for each colour, in the order of first occurrence. */
static leman_status add_layer(lm_unroller *u, size_t first, uint32_t round)
{
    SCRATCH_SCOPE(u->ctx);
    size_t count = u->wanted.count - first;
    const lm_tuple_place *wanted = (const lm_tuple_place *)u->wanted.items + first;
    lm_pair *order, *spare;
    size_t *leader; /* [count] the first target with the same colour */
    PASS_SCRATCH(u->ctx, order, count);
    PASS_SCRATCH(u->ctx, spare, count);
    PASS_SCRATCH(u->ctx, leader, count);
    for (size_t i = 0; i < count; i++) order[i] = (lm_pair){u->h[wanted[i].graph].colors[round][wanted[i].tuple], i};
    lm_sort_pairs(order, spare, count, 1); /* stable: among equal colours the earliest target is first */
    for (size_t i = 0, head = 0; i < count; i++) {
        if (order[i].key != order[head].key) head = i;
        leader[order[i].payload] = order[head].payload;
    }
    PASS(lm_vector_reserve(u->ctx, &u->target, count, sizeof(size_t)));
    size_t *target = (size_t *)u->target.items + first;
    for (size_t i = 0; i < count; i++) {
        target[i] = leader[i] == i ? u->node.count : target[leader[i]];
        if (leader[i] == i) PASS(add_node(u, wanted[i], round));
    }
    u->target.count += count;
    return LEMAN_OK;
}

static size_t vertices_of(const lm_history *h)
{
    return h->space.items ? h->space.items->n : h->space.n;
}

leman_status lm_unroll(leman_context *ctx, const lm_history h[2], const leman_coloring *c, uint32_t round,
                       const lm_tuple_place *roots, size_t count, size_t max, leman_unrolling *out)
{
    leman_status st = LEMAN_OK;
    SCRATCH_SCOPE(ctx);
    lm_unroller u = {.ctx = ctx, .h = h, .coloring = c};
    const size_t n = vertices_of(h) > vertices_of(h + 1) ? vertices_of(h) : vertices_of(h + 1);
    size_t layer = 0;
    SCRATCH(ctx, u.line, n);
    SCRATCH(ctx, u.spare, n);
    for (size_t i = 0; i < count; i++) TRY(add_node(&u, roots[i], round));
    if (lm_is_pool(&h[roots->graph].space, roots->tuple)) { /* it is made of colours of the same round */
        for (; layer < count && layer < max; layer++) TRY(expand_tree(&u, layer));
        layer = count;
        TRY(add_layer(&u, 0, round));
    }
    for (; round > 0; round--) {
        size_t end = u.node.count, first = u.wanted.count;
        for (; layer < end && layer < max; layer++) TRY(expand_tree(&u, layer));
        layer = end;
        TRY(add_layer(&u, first, round - 1));
    }
done:
    out->nodes = u.node.count;
    out->node = u.node.items;
    out->vertex = u.vertex.items;
    out->branch = u.branch.items;
    out->target = u.target.items;
    lm_vector_release(&u.place);
    lm_vector_release(&u.wanted);
    return st;
}
