/*
 * Twin classes. Candidates are found by a signature, a hash of label and arcs; equality is then checked arc by arc, so
 * a collision of signatures costs time but never gives a wrong result. A vertex cannot have twins of both kinds: if v
 * is an open and w a closed twin of u, then w is a neighbour of v (as of u), but v is not a neighbour of w (as of u).
 *
 * Closed twins are searched only if all edges have one label. The reduction is used only if it saves a fifth of the
 * tuples; otherwise weighting costs more than it saves.
 */
#include "base/sort.h"
#include "refine/space.h"
#include <string.h>

typedef struct twin_search {
    size_t n;
    const uint64_t *label;
    const lm_adjacency *out, *in;
    lm_pair *order;   /* [n] (signature, vertex) */
    uint32_t *leader; /* [n] the first vertex found of its class */
    bool *closed;     /* [n] has adjacent twins */
} twin_search;

static uint64_t arcs_signature(const lm_adjacency *arcs, size_t v, uint64_t multiplier)
{
    uint64_t sum = 0;
    for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++)
        sum += lm_mix((arcs->head[e] + UINT64_C(1)) * multiplier + arcs->label[e]);
    return sum;
}

/* Computes the signatures, in s->order and in signature[n]. */
static void compute_signatures(twin_search *s, uint64_t *signature)
{
    uint64_t leaving = lm_multiplier(0), entering = lm_multiplier(1);
    for (size_t v = 0; v < s->n; v++) {
        signature[v] = s->label[v] + arcs_signature(s->out, v, leaving);
        if (s->in != s->out) signature[v] += arcs_signature(s->in, v, entering);
        s->order[v] = (lm_pair){signature[v], v};
    }
}

/* Closed signatures count a vertex as its own neighbour, by an edge with the common label. */
static void close_signatures(twin_search *s, const uint64_t *signature)
{
    uint64_t leaving = lm_multiplier(0);
    uint64_t edge = s->out->start[s->n] ? s->out->label[0] : 0;
    for (size_t v = 0; v < s->n; v++)
        s->order[v] = (lm_pair){signature[v] + lm_mix((v + UINT64_C(1)) * leaving + edge), v};
}

/* Do u and v have the same arcs? If closed, arcs between the two are skipped. */
static bool same_arcs(const lm_adjacency *a, uint32_t u, uint32_t v, bool closed)
{
    uint64_t e = a->start[u], f = a->start[v], e_end = a->start[u + 1], f_end = a->start[v + 1];
    if (e_end - e != f_end - f) return false;
    for (;; e++, f++) {
        if (closed && e < e_end && a->head[e] == v) e++;
        if (closed && f < f_end && a->head[f] == u) f++;
        if (e == e_end || f == f_end) return e == e_end && f == f_end;
        if (a->head[e] != a->head[f] || a->label[e] != a->label[f]) return false;
    }
}

/* A vertex with a loop is its own neighbour already: closed twins with loops have the signature of open ones. */
static bool has_loop(const lm_adjacency *a, uint32_t v)
{
    for (uint64_t e = a->start[v]; e < a->start[v + 1]; e++)
        if (a->head[e] == v) return true;
    return false;
}

static bool are_twins(const twin_search *s, uint32_t u, uint32_t v, bool closed)
{
    if (s->label[u] != s->label[v] || !same_arcs(s->out, u, v, closed)) return false;
    if (closed && (has_loop(s->out, u) || has_loop(s->out, v))) return false;
    return s->in == s->out || same_arcs(s->in, u, v, closed);
}

static void join_twins(twin_search *s, lm_pair *spare, bool closed)
{
    lm_sort_pairs(s->order, spare, s->n, 1);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t u = (uint32_t)s->order[i].payload;
        if (s->leader[u] != u) continue;
        for (size_t j = i + 1; j < s->n && s->order[j].key == s->order[i].key; j++) {
            uint32_t v = (uint32_t)s->order[j].payload;
            if (s->leader[v] != v || !are_twins(s, u, v, closed)) continue;
            s->leader[v] = u;
            if (closed) s->closed[u] = true;
        }
    }
}

static void keep_all(size_t n, lm_twins *t)
{
    t->n = n;
    for (size_t v = 0; v < n; v++) {
        t->vertex[v] = t->first[v] = (uint32_t)v;
        t->size[v] = 1;
        t->closed[v] = false;
    }
}

/* Orders the kept members class by class. next[leader] is the place of the next member, left[leader] the number of
 * members still to be placed. */
static void lay_out_twins(const twin_search *s, size_t keep, uint32_t *next, uint64_t *left, lm_twins *t)
{
    memset(left, 0, s->n * sizeof *left);
    for (size_t v = 0; v < s->n; v++) left[s->leader[v]]++;
    uint32_t at = 0;
    for (size_t v = 0; v < s->n; v++) {
        if (s->leader[v] != v) continue;
        uint64_t size = left[v];
        left[v] = size < keep ? size : keep;
        next[v] = at;
        for (uint64_t i = 0; i < left[v]; i++, at++) {
            t->first[at] = next[v];
            t->size[at] = size;
            t->closed[at] = s->closed[v] && size > keep;
        }
    }
    t->n = at;
    for (size_t v = 0; v < s->n; v++)
        if (left[s->leader[v]]) {
            left[s->leader[v]]--;
            t->vertex[next[s->leader[v]]++] = (uint32_t)v;
        }
}

leman_status lm_twins_find(leman_context *ctx, size_t n, const uint64_t *label, const lm_adjacency *out,
                           const lm_adjacency *in, bool edges_alike, size_t keep, unsigned k, lm_twins *twins)
{
    lm_twins t;
    PASS_SCRATCH(ctx, t.vertex, n);
    PASS_SCRATCH(ctx, t.first, n);
    PASS_SCRATCH(ctx, t.size, n);
    PASS_SCRATCH(ctx, t.closed, n);
    keep_all(n, &t);
    *twins = t;
    if (keep >= n) return LEMAN_OK;

    twin_search s = {.n = n, .label = label, .out = out, .in = in->head == out->head ? out : in};
    lm_pair *spare;
    uint32_t *next;
    uint64_t *left;
    PASS_SCRATCH(ctx, s.order, n);
    PASS_SCRATCH(ctx, spare, n);
    PASS_SCRATCH(ctx, s.leader, n);
    PASS_SCRATCH(ctx, s.closed, n);
    PASS_SCRATCH(ctx, next, n);
    PASS_SCRATCH(ctx, left, n);
    for (size_t v = 0; v < n; v++) {
        s.leader[v] = (uint32_t)v;
        s.closed[v] = false;
    }
    compute_signatures(&s, left); /* `left` is unused until lay_out_twins() */
    join_twins(&s, spare, false);
    if (edges_alike) {
        close_signatures(&s, left);
        join_twins(&s, spare, true);
    }
    lay_out_twins(&s, keep, next, left, &t);
    if ((double)lm_power(t.n, k) > 0.8 * (double)lm_power(n, k)) keep_all(n, &t);
    *twins = t;
    return LEMAN_OK;
}
