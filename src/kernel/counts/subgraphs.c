/*
 * Graphlets of four and five vertices: how often each connected graph of that size is an induced subgraph. Labels,
 * directions and self-loops are ignored.
 *
 * Every connected set of vertices is built once: from its smallest vertex, the root, by adding a vertex that is larger
 * than the root and either was left over by an earlier step or is a neighbour only of the last vertex added (the ESU
 * enumeration of Wernicke, 2006). Every vertex has a bit for each member that it is joined to, so the last vertex of a
 * set need not be added. This takes O(1) for each subgraph, and for each set of one vertex less the degree of a vertex.
 * There are many subgraphs: a vertex of degree d is the centre of about d^(size-1) / (size-1)! of them. Memory O(n).
 */
#include "kernel/counts/tally.h"
#include "kernel/counts/vertex_neighbors.h"
#include "refine/variant.h"
#include <string.h>

enum { LARGEST = 5, CODES = 1 << (LARGEST * (LARGEST - 1) / 2), ORDERS = 120 };

/* A small graph as one word: bit j (j-1) / 2 + i is set if i < j are joined. */
static uint32_t pair_bit(unsigned i, unsigned j)
{
    return i < j ? UINT32_C(1) << (j * (j - 1) / 2 + i) : UINT32_C(1) << (i * (i - 1) / 2 + j);
}

/* ---- Isomorphic codes ------------------------------------------------------------------------ */

typedef struct shapes {
    uint16_t of[CODES]; /* the smallest code of an isomorphic graph */
} shapes;

/* Lists all permutations of 0 .. size-1: numbers of `size` digits in base `size` without a repeated digit. */
static size_t all_orders(unsigned size, uint8_t order[ORDERS][LARGEST])
{
    size_t count = 0;
    for (uint64_t number = 0; number < lm_power(size, size); number++) {
        uint32_t used = 0;
        uint64_t rest = number;
        uint8_t digit[LARGEST];
        for (unsigned i = 0; i < size; i++, rest /= size) used |= UINT32_C(1) << (digit[i] = (uint8_t)(rest % size));
        if (used == (UINT32_C(1) << size) - 1) memcpy(order[count++], digit, size);
    }
    return count;
}

static void find_shapes(unsigned size, shapes *s)
{
    uint8_t order[ORDERS][LARGEST];
    size_t orders = all_orders(size, order);
    for (uint32_t code = 0; code < UINT32_C(1) << (size * (size - 1) / 2); code++) {
        uint32_t smallest = UINT32_MAX;
        for (size_t o = 0; o < orders; o++) {
            uint32_t moved = 0;
            for (unsigned j = 1; j < size; j++)
                for (unsigned i = 0; i < j; i++)
                    if (code & pair_bit(i, j)) moved |= pair_bit(order[o][i], order[o][j]);
            if (moved < smallest) smallest = moved;
        }
        s->of[code] = (uint16_t)smallest;
    }
}

/* ---- Enumeration ----------------------------------------------------------------------------- */

typedef struct enumeration {
    const lm_worker *worker;
    lm_neighbors s;
    unsigned size;
    uint32_t root;
    uint8_t *joined;     /* [n] bit i: joined to member i */
    uint32_t *extension; /* [size][n] for each number of members: vertices that may be added */
    uint64_t count[CODES];
} enumeration;

static leman_status enumeration_new(lm_worker *worker, const leman_graph *g, const leman_kernel *kernel, enumeration *x)
{
    x->worker = worker;
    x->size = kernel->graphlet;
    PASS(lm_neighbors_new(worker->ctx, g, &kernel->coloring, &x->s));
    PASS_SCRATCH_ZERO(worker->ctx, x->joined, x->s.n);
    PASS_SCRATCH(worker->ctx, x->extension, x->size * x->s.n);
    memset(x->count, 0, sizeof x->count);
    return LEMAN_OK;
}

/* Makes w a member. Its neighbours that are joined to no other member are appended to the extension. */
static size_t join(enumeration *x, uint32_t w, unsigned members, size_t count)
{
    uint32_t *extension = x->extension + (members + 1) * x->s.n;
    for (uint64_t p = x->s.start[w]; p < x->s.start[w + 1]; p++) {
        uint32_t u = x->s.other[p];
        if (!x->joined[u] && u > x->root) extension[count++] = u;
        x->joined[u] |= (uint8_t)(1 << members);
    }
    return count;
}

static void leave(enumeration *x, uint32_t w, unsigned members)
{
    for (uint64_t p = x->s.start[w]; p < x->s.start[w + 1]; p++) x->joined[x->s.other[p]] &= (uint8_t) ~(1 << members);
}

/* Enumerates all sets that contain the members and are completed from the extension and the neighbours added later. */
static leman_status extend(enumeration *x, unsigned members, uint32_t code, size_t count)
{
    leman_status st = LEMAN_OK;
    const uint32_t *extension = x->extension + members * x->s.n;
    unsigned shift = members * (members - 1) / 2;
    if (members + 1 == x->size) {
        for (size_t i = 0; i < count; i++) x->count[code | (uint32_t)x->joined[extension[i]] << shift]++;
        return LEMAN_OK;
    }
    while (count && !st) {
        if (members + 3 <= x->size && lm_cancellation_poll(&x->worker->cancellation)) return LEMAN_ERROR_CANCELLED;
        uint32_t w = extension[--count];
        memcpy(x->extension + (members + 1) * x->s.n, extension, count * sizeof *extension);
        size_t more = join(x, w, members, count);
        st = extend(x, members + 1, code | (uint32_t)x->joined[w] << shift, more);
        leave(x, w, members);
    }
    return st;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

/* Estimates the number of subgraphs around a vertex, for the order of graphs and for progress. */
static uint64_t cost_of(const leman_graph *g, size_t v, unsigned size)
{
    return lm_power(g->start[v + 1] - g->start[v] + 1, size - 1);
}

static uint64_t cost(const leman_graph *g, const lm_counting *counting)
{
    uint64_t sum = 0;
    for (size_t v = 0; v < g->vertices; v++) sum = lm_saturating_add(sum, cost_of(g, v, counting->kernel->graphlet));
    return sum;
}

static leman_status count_sets(lm_worker *worker, const leman_graph *g, const lm_counting *counting, lm_tally *tally)
{
    leman_status st = LEMAN_OK;
    const leman_kernel *kernel = counting->kernel;
    const shapes *known = counting->table;
    enumeration *x;
    SCRATCH(worker->ctx, x, 1);
    TRY(enumeration_new(worker, g, kernel, x));
    for (x->root = 0; x->root < g->vertices; x->root++) {
        size_t count = join(x, x->root, 0, 0);
        st = extend(x, 1, 0, count);
        leave(x, x->root, 0);
        if (st) goto done;
        TRY(lm_worker_advance(worker, cost_of(g, x->root, kernel->graphlet)));
    }
    for (uint32_t code = 0; code < CODES; code++)
        if (x->count[code]) {
            uint64_t shape = (uint64_t)kernel->graphlet * CODES + known->of[code];
            uint64_t key = lm_mix(lm_mix(kernel->coloring.seed) + shape * lm_multiplier_of(LM_GRAPHLET, 6));
            TRY(lm_tally_add(worker->ctx, tally, key, x->count[code]));
        }
done:
    return st;
}

leman_status lm_triples_of_subgraphs(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                     size_t first_graph, size_t block, lm_triples *triples)
{
    shapes known;
    lm_counting counting = {"graphlets", count_sets, cost, kernel, &known};
    find_shapes(kernel->graphlet, &known);
    return lm_triples_count(ctx, data, &counting, first_graph, block, triples);
}
