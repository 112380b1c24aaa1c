/* The walk over the tuples of a sparse space; walk.h describes the method. */
#include "refine/sparse/walk.h"
#include "base/sort.h"

enum { POLL = 256 };

typedef struct walk {
    const lm_sparse_graph *g;
    lm_sparse_visit *visit;
    void *state;
    uint8_t *near[LM_SPARSE_K];    /* [k][n] at each depth: bit i is set if member i is within the radius */
    uint32_t *choice[LM_SPARSE_K]; /* [k][n] candidates for the next component */
    uint32_t *queue;               /* [n] queue of a search, or scratch of a sort */
    uint32_t digit[LM_SPARSE_K];
    uint32_t member[LM_SPARSE_K]; /* the different vertices of the prefix */
    unsigned members;
    size_t visited;
    bool over;
} walk;

/* ---- Balls ----------------------------------------------------------------------------------- */

/* Marks the neighbours of v that member i has not reached. They are appended to the queue, if there is one, and to the
 * choices if no member has reached them before. */
static void reach(const lm_adjacency *arcs, uint32_t v, uint8_t bit, uint8_t *near, uint32_t *queue, size_t *queued,
                  uint32_t *choice, size_t *choices)
{
    for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++) {
        uint32_t w = arcs->head[e];
        if (near[w] & bit) continue;
        if (!near[w]) choice[(*choices)++] = w;
        near[w] |= bit;
        if (queue) queue[(*queued)++] = w;
    }
}

/* Marks all vertices within `radius` of member i. */
static void ball(walk *x, unsigned depth, unsigned i, unsigned radius, size_t *choices)
{
    const lm_sparse_graph *g = x->g;
    uint8_t *near = x->near[depth], bit = (uint8_t)(1u << i);
    uint32_t *choice = x->choice[depth];
    size_t queued = 1, done = 0;
    x->queue[0] = x->member[i];
    if (!near[x->member[i]]) choice[(*choices)++] = x->member[i];
    near[x->member[i]] |= bit;
    for (unsigned step = 1; step <= radius; step++) {
        uint32_t *queue = step < radius ? x->queue : NULL; /* no further step needs the vertices of the last one */
        for (size_t end = queued; done < end; done++) {
            reach(g->out, x->queue[done], bit, near, queue, &queued, choice, choices);
            if (g->in->head != g->out->head) reach(g->in, x->queue[done], bit, near, queue, &queued, choice, choices);
        }
    }
}

/* ---- Choices --------------------------------------------------------------------------------- */

/* The connected components of the members under "within the radius", as bit masks. Returns their number. */
static unsigned group_members(const walk *x, unsigned depth, uint8_t *group)
{
    const uint8_t *near = x->near[depth];
    unsigned groups = 0;
    for (unsigned i = 0; i < x->members; i++) {
        uint8_t mask = (uint8_t)(near[x->member[i]] | 1u << i);
        unsigned left = 0;
        for (unsigned j = 0; j < groups; j++)
            if (group[j] & mask)
                mask |= group[j];
            else
                group[left++] = group[j];
        group[left] = mask;
        groups = left + 1;
    }
    return groups;
}

static bool is_member(const walk *x, uint32_t v)
{
    for (unsigned i = 0; i < x->members; i++)
        if (x->member[i] == v) return true;
    return false;
}

/* Keeps the choices that can be completed and clears all marks. Returns the number of choices. */
static size_t filter(walk *x, unsigned depth, const uint8_t *group, unsigned groups, size_t choices)
{
    uint8_t *near = x->near[depth];
    uint32_t *choice = x->choice[depth];
    size_t left = 0;
    for (size_t c = 0; c < choices; c++) {
        const uint32_t w = choice[c];
        unsigned count = groups;
        if (!is_member(x, w)) {
            count++;
            for (unsigned j = 0; j < groups; j++) count -= (group[j] & near[w]) != 0;
        }
        near[w] = 0;
        if (count <= x->g->components) choice[left++] = w;
    }
    return left;
}

/* Writes the vertices that may stand at this depth to choice[depth], increasing. Returns their number. */
static size_t choose_vertices(walk *x, unsigned depth)
{
    const size_t n = x->g->n;
    uint32_t *choice = x->choice[depth];
    uint8_t group[LM_SPARSE_K];
    size_t choices = 0;
    for (unsigned i = 0; i < x->members; i++) ball(x, depth, i, x->g->k - depth, &choices);
    const unsigned groups = group_members(x, depth, group);
    choices = filter(x, depth, group, groups, choices);
    if (groups < x->g->components) { /* any vertex may be a component of its own */
        for (size_t v = 0; v < n; v++) choice[v] = (uint32_t)v;
        return n;
    }
    lm_sort_numbers(choice, x->queue, choices);
    return choices;
}

/* ---- The walk -------------------------------------------------------------------------------- */

static void descend(walk *x, unsigned depth)
{
    const size_t count = depth ? choose_vertices(x, depth) : x->g->n;
    if (depth + 1 == x->g->k) {
        if (count && !x->visit(x->state, x->digit, x->choice[depth], count)) x->over = true;
        if (++x->visited % POLL == 0 && lm_cancellation_poll(x->g->cancellation)) x->over = true;
        return;
    }
    for (size_t c = 0; c < count && !x->over; c++) {
        const uint32_t w = depth ? x->choice[depth][c] : (uint32_t)c;
        const bool fresh = !is_member(x, w);
        x->digit[depth] = w;
        if (fresh) x->member[x->members++] = w;
        descend(x, depth + 1);
        x->members -= fresh;
    }
}

leman_status lm_sparse_walk(leman_context *ctx, const lm_sparse_graph *g, lm_sparse_visit *visit, void *state)
{
    SCRATCH_SCOPE(ctx);
    walk x = {.g = g, .visit = visit, .state = state};
    if (!g->n) return LEMAN_OK;
    PASS_SCRATCH(ctx, x.queue, g->n);
    for (unsigned depth = 1; depth < g->k; depth++) {
        PASS_SCRATCH_ZERO(ctx, x.near[depth], g->n);
        PASS_SCRATCH(ctx, x.choice[depth], g->n);
    }
    descend(&x, 0);
    return lm_cancellation_status(g->cancellation);
}
