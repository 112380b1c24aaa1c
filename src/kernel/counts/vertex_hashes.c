/*
 * Kernels that count values of vertices. A value is one word; a round replaces the value of every vertex v by
 *
 *   neighbourhood hash     rot(x(v), 1)  xor  the values of all neighbours                     (Hido & Kashima 2009)
 *   count-sensitive hash   rot(x(v), 1)  xor  rot(x xor c, c) for each value x that c neighbours have
 *   Hadamard code          x(v)  +  the values of all neighbours                               (Kataoka & Inokuchi 2016)
 *
 * rot(x, c) rotates the bits of a word to the left. Round 0 has random words, which are hashes of the labels, so that
 * values are equal if and only if the formulas over labels are equal, but for collisions of 64-bit hashes. A Hadamard
 * code is a vector: the sum of rows of a Hadamard matrix, one row for each label. The rows are linearly independent, so
 * two sums are equal if and only if every row occurs equally often in both; a sum of random words says the same.
 *
 * Neighbours are the heads of the arcs that leave a vertex. Edge labels are not used. Time O(rounds (n + arcs)), with a
 * sort of the neighbours' values for count-sensitive hashes. Memory O(n + features).
 */
#include "kernel/counts/tally.h"
#include "refine/adjacency.h"
#include "refine/variant.h"

typedef struct hashing {
    const leman_graph *g;
    leman_kernel_kind kind;
    unsigned bits;            /* of a value */
    uint64_t mask;            /* bits ones */
    uint64_t *now, *next;     /* [n] values */
    bool *lacks, *lacks_next; /* [n] the vertex has no value: its label is not below 2^bits, or a neighbour lacks one */
    uint64_t *near, *spare;   /* [largest degree] values of neighbours */
} hashing;

/* ---- Rounds ---------------------------------------------------------------------------------- */

static uint64_t rotate(const hashing *h, uint64_t x, uint64_t by)
{
    const unsigned shift = (unsigned)(by % h->bits);
    return shift ? ((x << shift) | (x >> (h->bits - shift))) & h->mask : x;
}

/* Combines the values of the neighbours, which are sorted, with the number of neighbours that have each. */
static uint64_t counted_values(const hashing *h, const uint64_t *value, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && value[end] == value[i];) end++;
        const uint64_t times = end - i;
        sum ^= rotate(h, (value[i] ^ times) & h->mask, times);
    }
    return sum;
}

static uint64_t next_value(const hashing *h, size_t v)
{
    const uint64_t begin = h->g->start[v], end = h->g->start[v + 1];
    uint64_t value = h->kind == LEMAN_KERNEL_KIND_HADAMARD_CODE ? h->now[v] : rotate(h, h->now[v], 1);
    switch (h->kind) {
    case LEMAN_KERNEL_KIND_HADAMARD_CODE:
        for (uint64_t e = begin; e < end; e++) value += h->now[h->g->head[e]];
        return value;
    case LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH:
        for (uint64_t e = begin; e < end; e++) h->near[e - begin] = h->now[h->g->head[e]];
        lm_sort_keys(h->near, h->spare, end - begin, 1);
        return value ^ counted_values(h, h->near, end - begin);
    default:
        for (uint64_t e = begin; e < end; e++) value ^= h->now[h->g->head[e]];
        return value;
    }
}

static bool lacks_value(const hashing *h, size_t v)
{
    bool lacks = h->lacks[v];
    for (uint64_t e = h->g->start[v]; e < h->g->start[v + 1] && !lacks; e++) lacks = h->lacks[h->g->head[e]];
    return lacks;
}

static void next_round(hashing *h)
{
    for (size_t v = 0; v < h->g->vertices; v++) {
        h->next[v] = next_value(h, v);
        h->lacks_next[v] = lacks_value(h, v);
    }
    uint64_t *values = h->now;
    bool *lacks = h->lacks;
    h->now = h->next, h->next = values;
    h->lacks = h->lacks_next, h->lacks_next = lacks;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static leman_status hashing_new(leman_context *ctx, const leman_graph *g, const leman_kernel *kernel, hashing *h)
{
    const bool words = !kernel->bits || kernel->kind == LEMAN_KERNEL_KIND_HADAMARD_CODE;
    const size_t n = g->vertices;
    size_t degree = 0;
    *h = (hashing){.g = g, .kind = kernel->kind, .bits = words ? 64 : kernel->bits};
    h->mask = UINT64_MAX >> (64 - h->bits);
    for (size_t v = 0; v < n; v++)
        if (g->start[v + 1] - g->start[v] > degree) degree = g->start[v + 1] - g->start[v];
    PASS_SCRATCH(ctx, h->now, n);
    PASS_SCRATCH(ctx, h->next, n);
    PASS_SCRATCH_ZERO(ctx, h->lacks, n);
    PASS_SCRATCH_ZERO(ctx, h->lacks_next, n);
    PASS_SCRATCH(ctx, h->near, degree);
    PASS_SCRATCH(ctx, h->spare, degree);
    const bool labelled = g->vertex_labels && !kernel->coloring.ignore_vertex_labels;
    for (size_t v = 0; v < n; v++) {
        const uint64_t label = labelled ? (uint64_t)g->vertex_label[v * g->vertex_labels] : 0;
        h->now[v] = words ? lm_label_hash(g, v, &kernel->coloring) : label & h->mask;
        h->lacks[v] = !words && label > h->mask;
    }
    return LEMAN_OK;
}

static leman_status count_values(leman_context *ctx, const hashing *h, uint64_t seed, uint64_t round, lm_tally *tally)
{
    const uint64_t start = lm_mix(seed) + round * lm_multiplier_of(LM_VERTEX_HASH, 0);
    for (size_t v = 0; v < h->g->vertices; v++)
        if (!h->lacks[v])
            PASS(lm_tally_add(ctx, tally, lm_mix(start + h->now[v] * lm_multiplier_of(LM_VERTEX_HASH, 1)), 1));
    return LEMAN_OK;
}

static leman_status count_hashes(lm_worker *worker, const leman_graph *g, const lm_counting *counting, lm_tally *tally)
{
    const leman_kernel *kernel = counting->kernel;
    hashing h;
    PASS(hashing_new(worker->ctx, g, kernel, &h));
    if (kernel->kind == LEMAN_KERNEL_KIND_HADAMARD_CODE)
        PASS(count_values(worker->ctx, &h, kernel->coloring.seed, 0, tally));
    for (uint64_t round = 1; round <= kernel->radius; round++) {
        next_round(&h);
        PASS(count_values(worker->ctx, &h, kernel->coloring.seed, round, tally));
        PASS(lm_worker_advance(worker, g->vertices + g->arcs));
    }
    return LEMAN_OK;
}

static uint64_t cost(const leman_graph *g, const lm_counting *counting)
{
    return lm_saturating_multiply(counting->kernel->radius, g->vertices + g->arcs);
}

leman_status lm_triples_of_hashes(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  size_t first_graph, size_t block, lm_triples *triples)
{
    const lm_counting counting = {"hashes", count_hashes, cost, kernel, NULL};
    const bool labels = kernel->bits && kernel->kind != LEMAN_KERNEL_KIND_HADAMARD_CODE &&
                        !kernel->coloring.ignore_vertex_labels; /* themselves, in round 0 */
    if (labels && data->columns.vertex_labels > 1)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found %zu columns of vertex labels, expected at most one for hashes of %u bits", data->name,
                       data->columns.vertex_labels, (unsigned)kernel->bits);
    return lm_triples_count(ctx, data, &counting, first_graph, block, triples);
}
