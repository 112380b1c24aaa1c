/* The twin classes of one graph as vertices, the orbits of their triples, and the colours of a single triple. */
#include "base/sort.h"
#include "refine/experimental/compact/compact.h"
#include <string.h>

/* ---- The space ------------------------------------------------------------------------------- */

/* Puts classes with many arcs first, so that the slab of a large w, which has most orbits, has few neighbours to add.
 * Similar classes become adjacent, so that most orbits of one colour have their vertices in one order, and one row. */
static leman_status sort_classes(leman_context *ctx, const lm_space *s, lm_pair *order)
{
    enum { ROUNDS = 3, HASH_BITS = 40 };
    uint64_t *hash, *next;
    lm_pair *spare;
    PASS_SCRATCH(ctx, hash, s->n);
    PASS_SCRATCH(ctx, next, s->n);
    PASS_SCRATCH(ctx, spare, s->n);
    for (size_t v = 0; v < s->n; v++) hash[v] = lm_mix(s->label[v] + s->size[v]);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t v = 0; v < s->n; v++) {
            uint64_t sum = 0;
            for (uint64_t e = s->out.start[v]; e < s->out.start[v + 1]; e++) sum += hash[s->out.head[e]];
            next[v] = lm_mix(hash[v] + sum * lm_multiplier(0));
        }
        memcpy(hash, next, s->n * sizeof *hash);
    }
    for (size_t v = 0; v < s->n; v++) {
        const uint64_t arcs = s->out.start[v + 1] - s->out.start[v];
        order[v] = (lm_pair){~arcs << HASH_BITS | hash[v] >> (64 - HASH_BITS), v};
    }
    lm_sort_pairs(order, spare, s->n, 1);
    return LEMAN_OK;
}

static leman_status sort_space(leman_context *ctx, lm_space *s)
{
    const lm_space from = *s;
    const size_t n = s->n;
    const bool both = s->in.head == s->out.head;
    lm_adjacency arcs;
    lm_pair *order;
    uint32_t *place;
    PASS_SCRATCH(ctx, order, n);
    PASS_SCRATCH(ctx, place, n);
    PASS_SCRATCH(ctx, s->label, n);
    PASS_SCRATCH(ctx, s->size, n);
    PASS_SCRATCH(ctx, s->closed, n);
    PASS(sort_classes(ctx, &from, order));
    PASS(lm_adjacency_new(ctx, n, from.out.start[n], &arcs));
    for (size_t v = 0; v < n; v++) place[order[v].payload] = (uint32_t)v;
    uint64_t at = 0;
    for (size_t v = 0; v < n; v++) {
        const size_t old = order[v].payload;
        s->label[v] = from.label[old];
        s->size[v] = from.size[old];
        s->closed[v] = from.closed[old];
        arcs.start[v] = at;
        for (uint64_t e = from.out.start[old]; e < from.out.start[old + 1]; e++, at++) {
            arcs.head[at] = place[from.out.head[e]];
            arcs.label[at] = from.out.label[e];
        }
    }
    arcs.start[n] = at;
    PASS(lm_arcs_transposed(ctx, n, &arcs, &s->in));
    PASS(lm_arcs_transposed(ctx, n, &s->in, &s->out)); /* sorts the heads */
    if (both) s->in = s->out;
    return LEMAN_OK;
}

static void relate_twins(lm_compact *c)
{
    const lm_space *s = &c->space;
    for (size_t v = 0; v < s->n; v++) {
        uint64_t label = 0; /* of the arc between two members, if the class lists itself */
        for (uint64_t e = s->out.start[v]; e < s->out.start[v + 1]; e++)
            if (s->out.head[e] == v) label = s->out.label[e];
        c->twin[v] = lm_relation_hash(s->seed, 0, label, label);
    }
}

leman_status lm_compact_begin(lm_worker *worker, const lm_engine_task *task, lm_compact *c)
{
    leman_context *ctx = worker->ctx;
    leman_coloring one = task->coloring; /* with k = 1 one member of each class is kept */
    lm_space *s = &c->space;
    *c = (lm_compact){.task = task, .rounds = one.rounds, .threads = worker->threads};
    one.k = 1;
    PASS(lm_space_new(ctx, &task->graph, &one, true, NULL, s));
    PASS(sort_space(ctx, s));
    s->k = 3;
    s->cancellation = &worker->cancellation;
    const size_t n = s->n;
    c->orbits = lm_compact_orbits(n);
    PASS_SCRATCH(ctx, c->two, n + 1);
    PASS_SCRATCH(ctx, c->three, n + 1);
    PASS_SCRATCH(ctx, c->twin, n);
    PASS_SCRATCH(ctx, c->relation, n * n);
    for (size_t i = 0; i <= n; i++) c->two[i] = i < 2 ? 0 : i * (i - 1) / 2, c->three[i] = lm_compact_over_three(i);
    lm_relations(s, c->relation);
    relate_twins(c);
    if (c->rounds > 0) PASS_NEW(ctx, c->next, c->orbits);
    if (c->rounds > 1) PASS_NEW(ctx, c->number, c->orbits);
    c->term_count = s->entering ? 2 : 1;
    c->terms[0].arcs = s->out;
    c->terms[1].arcs = s->in;
    for (size_t j = 0; j < 3; j++) {
        c->terms[0].multiplier[j] = lm_multiplier_of(LM_LOCAL_SUM, j);
        c->terms[1].multiplier[j] = lm_multiplier_of(LM_ENTERING_SUM, j);
    }
    return LEMAN_OK;
}

void lm_compact_free(lm_compact *c)
{
    RELEASE(c->row, c->number, c->next);
    *c = (lm_compact){0};
}

/* ---- Orbits ---------------------------------------------------------------------------------- */

lm_compact_triple lm_compact_unpack(uint64_t orbit)
{
    static const uint32_t MEMBER[][3] = {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 1}, {0, 1, 2}};
    lm_compact_triple t;
    for (int i = 0; i < 3; i++) t.class[i] = (uint32_t)(orbit >> (40 - 20 * i)) & 0xfffff;
    memcpy(t.member, MEMBER[orbit >> 60], sizeof t.member);
    return t;
}

uint64_t lm_compact_weight(const lm_compact *c, uint64_t orbit)
{
    const lm_compact_triple t = lm_compact_unpack(orbit);
    const uint64_t *size = c->space.size, m = size[t.class[0]];
    switch ((lm_compact_kind)(orbit >> 60)) {
    case LM_COMPACT_UVW: return m * size[t.class[1]] * size[t.class[2]];
    case LM_COMPACT_AAB: return m * size[t.class[2]];
    case LM_COMPACT_ATB: return m * (m - 1) / 2 * size[t.class[2]];
    case LM_COMPACT_AAA: return m;
    case LM_COMPACT_AAT: return m * (m - 1); /* one of the two members occurs twice */
    case LM_COMPACT_ATT: return lm_compact_over_three(m);
    }
    return 0;
}

uint32_t lm_compact_triples(uint64_t orbit)
{
    static const uint32_t TRIPLES[] = {6, 3, 6, 1, 3, 6};
    return TRIPLES[orbit >> 60];
}

/* ---- Colours --------------------------------------------------------------------------------- */

static bool same(const lm_compact_triple *t, int i, int j)
{
    return t->class[i] == t->class[j] && t->member[i] == t->member[j];
}

/* Returns the index of a triple's orbit; p[i] says which of p0, p1, p2 component i is. */
static size_t orbit_place(const lm_compact *c, const lm_compact_triple *t, size_t p[3])
{
    static const int OTHERS[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    const uint32_t *d = t->class;
    if (d[0] != d[1] && d[0] != d[2] && d[1] != d[2]) {
        size_t sorted[3];
        p[0] = (size_t)(d[0] > d[1]) + (d[0] > d[2]);
        p[1] = (size_t)(d[1] > d[0]) + (d[1] > d[2]);
        p[2] = 3 - p[0] - p[1];
        for (size_t i = 0; i < 3; i++) sorted[p[i]] = d[i];
        return c->three[sorted[2]] + c->two[sorted[1]] + sorted[0];
    }
    const bool one_class = d[0] == d[1] && d[1] == d[2];
    int odd = 2; /* the component that differs from the other two */
    for (int i = 0; i < 3; i++) {
        const int a = OTHERS[i][0], b = OTHERS[i][1];
        if (one_class ? same(t, a, b) : d[a] == d[b]) odd = i;
    }
    const int a = OTHERS[odd][0], b = OTHERS[odd][1];
    p[odd] = 2, p[a] = 0, p[b] = 1;
    lm_compact_kind kind = same(t, a, b) ? LM_COMPACT_AAB : LM_COMPACT_ATB;
    if (one_class) kind = !same(t, a, b) ? LM_COMPACT_ATT : same(t, a, odd) ? LM_COMPACT_AAA : LM_COMPACT_AAT;
    return lm_compact_index(c, kind, d[a], d[odd]);
}

/* The six orders of three components, in the order of LM_COMPACT_PLACE(). */
static const size_t ORDER[LM_COMPACT_COLORS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* Adds to sum[] the colours before the round of a triple in the first `orders` orders, each times `factor`. */
static void add_colors(const lm_compact *c, const lm_compact_triple *t, uint64_t factor, int orders, uint64_t *sum)
{
    size_t p[3];
    const uint64_t *row = c->row + (size_t)c->number[orbit_place(c, t, p)] * LM_COMPACT_COLORS;
    for (int o = 0; o < orders; o++)
        sum[o] += factor * row[LM_COMPACT_PLACE(p[ORDER[o][0]], p[ORDER[o][1]], p[ORDER[o][2]])];
}

/* add_colors() for the triple with component j replaced by each member of a class. */
static void add_class(const lm_compact *c, const lm_compact_triple *t, int j, uint32_t class, int orders, uint64_t *sum)
{
    lm_compact_triple x = *t;
    uint64_t left = c->space.size[class];
    bool used[3] = {false, false, false};
    x.class[j] = class;
    for (int i = 0; i < 3; i++) {
        if (i == j || t->class[i] != class || used[t->member[i]]) continue;
        used[t->member[i]] = true;
        x.member[j] = t->member[i];
        add_colors(c, &x, 1, orders, sum);
        left--;
    }
    if (!left) return;
    x.member[j] = 0;
    while (used[x.member[j]]) x.member[j]++;
    add_colors(c, &x, left, orders, sum);
}

static uint64_t type_of(const lm_compact *c, const lm_compact_triple *t, const size_t *order)
{
    const lm_space *s = &c->space;
    uint64_t color = 0;
    for (size_t j = 0; j < 3; j++) {
        const uint32_t w = t->class[order[j]];
        color += s->label[w] * lm_multiplier_of(LM_TYPE_VERTEX, j);
        for (size_t i = 0; i < j; i++) {
            const uint32_t v = t->class[order[i]];
            const bool twins = v == w && t->member[order[i]] != t->member[order[j]];
            color += (twins ? c->twin[v] : c->relation[v * s->n + w]) * lm_type_multiplier(i, j);
        }
    }
    return lm_mix(color);
}

void lm_compact_colors(const lm_compact *c, const lm_compact_triple *t, int orders, uint64_t *colors)
{
    uint64_t before[LM_COMPACT_COLORS] = {0};
    for (int o = 0; o < orders && !c->round; o++) colors[o] = type_of(c, t, ORDER[o]);
    if (!c->round) return;
    add_colors(c, t, 1, orders, before);
    memcpy(colors, before, sizeof *colors * (size_t)orders);
    for (size_t i = 0; i < c->term_count; i++)
        for (int j = 0; j < 3; j++) {
            const lm_adjacency *arcs = &c->terms[i].arcs;
            const uint32_t v = t->class[j];
            uint64_t sum[LM_COMPACT_COLORS] = {0};
            for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++)
                add_class(c, t, j, arcs->head[e], orders, sum);
            for (int o = 0; o < orders; o++) {
                const size_t component = ORDER[o][0] == (size_t)j ? 0 : ORDER[o][1] == (size_t)j ? 1 : 2;
                if (c->space.closed[v])
                    sum[o] -= before[o]; /* the class lists itself, but a vertex is not its own neighbour */
                colors[o] += sum[o] * c->terms[i].multiplier[component];
            }
        }
    for (int o = 0; o < orders; o++) colors[o] = lm_mix(colors[o]);
}
