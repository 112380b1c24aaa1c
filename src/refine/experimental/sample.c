/*
 * Colours of single tuples by `local`. C_h(v) depends on the tuples that can be reached by h replacements of a
 * component by a neighbour. A breadth-first search finds these tuples, and round r is computed for those within h - r
 * steps:
 *
 *   C_r(v) = mix(C_(r-1)(v) + sum over j of local_j * sum over w in N(v_j) of C_(r-1)(phi_j(v, w)))
 *
 * One search starts from all requested tuples of a batch: a tuple that is near several of them is computed once.
 */
#include "refine/experimental/sample.h"
#include "base/text.h"
#include <string.h>

typedef struct tuple_search {
    leman_context *ctx;
    const lm_space *s;
    uint32_t rounds;
    uint64_t power[LM_MAX_K]; /* difference of the numbers of two tuples that differ by one in this component */
    uint64_t bytes;           /* limit of the search's memory */
    bool overflow;            /* the search would exceed the limit */
    lm_vector tuple;          /* uint64_t: the tuples in the order in which they were found */
    lm_vector arc;            /* uint32_t: the neighbours of all expanded tuples, component by component */
    uint32_t *slot;           /* [1 << bits] 1 + the index of a tuple, 0: free */
    unsigned bits;
    const lm_cancellation *cancellation;
} tuple_search;

static void search_release(tuple_search *x)
{
    lm_vector_release(&x->tuple);
    lm_vector_release(&x->arc);
    lm_release(x->slot);
}

/* The first batch shows how many tuples lie around one. If the searches of all requested tuples would visit the tuples
 * of the graph many times over, all are searched together, so that each tuple is visited once. Otherwise batches are
 * small, so that the visited tuples stay in the cache. */
enum { FIRST_BITS = 10, BETWEEN = 1 << 12, FIRST_BATCH = 64, CACHED = 1 << 14 };

static void tuple_components(const tuple_search *x, uint64_t tuple, uint32_t *digit)
{
    for (unsigned j = x->s->k; j-- > 0; tuple /= x->s->n) digit[j] = (uint32_t)(tuple % x->s->n);
}

/* ---- The tuples that were met ---------------------------------------------------------------- */

static size_t slot_of_tuple(const tuple_search *x, uint64_t tuple)
{
    const uint64_t *met = x->tuple.items;
    size_t mask = ((size_t)1 << x->bits) - 1, i = (size_t)(lm_mix(tuple + 1) >> (64 - x->bits));
    while (x->slot[i] && met[x->slot[i] - 1] != tuple) i = (i + 1) & mask;
    return i;
}

/* The bytes of the search after its vectors double once more, with the colours of two rounds. */
static uint64_t search_bytes(const tuple_search *x)
{
    return (x->tuple.capacity + 16) * (3 + 4) * sizeof(uint64_t) + (x->arc.capacity + 16) * 3 * sizeof(uint32_t) +
           3 * (sizeof *x->slot << x->bits);
}

static leman_status grow_table(tuple_search *x)
{
    uint32_t *larger;
    const uint64_t *met = x->tuple.items;
    const unsigned bits = x->slot ? x->bits + 1 : FIRST_BITS;
    PASS_NEW(x->ctx, larger, (size_t)1 << bits);
    memset(larger, 0, sizeof *larger << bits);
    lm_release(x->slot);
    x->slot = larger;
    x->bits = bits;
    for (size_t i = 0; i < x->tuple.count; i++) x->slot[slot_of_tuple(x, met[i])] = (uint32_t)i + 1;
    return LEMAN_OK;
}

/* Grows the list and the table for one more tuple. */
static leman_status make_room(tuple_search *x)
{
    if (x->tuple.count >= UINT32_MAX - 1 || search_bytes(x) > x->bytes) x->overflow = true;
    if (x->overflow) return LEMAN_OK;
    if (x->tuple.count == x->tuple.capacity)
        PASS(lm_vector_reserve(x->ctx, &x->tuple, x->tuple.count + 64, sizeof(uint64_t)));
    if (x->tuple.count >= (size_t)1 << (x->bits - 1)) PASS(grow_table(x));
    return LEMAN_OK;
}

/* Finds the index of a tuple, or inserts the tuple. */
static inline leman_status meet_tuple(tuple_search *x, uint64_t tuple, uint32_t *place)
{
    size_t slot = slot_of_tuple(x, tuple);
    if (!x->slot[slot]) {
        if (x->tuple.count == x->tuple.capacity || x->tuple.count >= (size_t)1 << (x->bits - 1)) {
            PASS(make_room(x));
            if (x->overflow) return LEMAN_OK;
            slot = slot_of_tuple(x, tuple);
        }
        ((uint64_t *)x->tuple.items)[x->tuple.count++] = tuple;
        x->slot[slot] = (uint32_t)x->tuple.count;
    }
    *place = x->slot[slot] - 1;
    return LEMAN_OK;
}

/* Appends the neighbours along component j to the list of arcs. */
static leman_status expand_along(tuple_search *x, uint64_t tuple, const uint32_t *digit, unsigned j,
                                 const lm_adjacency *arcs)
{
    const uint32_t v = digit[j];
    const size_t degree = arcs->start[v + 1] - arcs->start[v];
    if (x->arc.capacity - x->arc.count < degree) {
        if (search_bytes(x) + 3 * degree * sizeof(uint32_t) > x->bytes) x->overflow = true;
        if (!x->overflow) PASS(lm_vector_reserve(x->ctx, &x->arc, x->arc.count + degree, sizeof(uint32_t)));
    }
    for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1] && !x->overflow; e++) {
        uint32_t place = 0;
        PASS(meet_tuple(x, tuple + (arcs->head[e] - (uint64_t)v) * x->power[j], &place)); /* wraps where w < v */
        ((uint32_t *)x->arc.items)[x->arc.count++] = place;
    }
    return LEMAN_OK;
}

static leman_status expand_tuple(tuple_search *x, size_t place)
{
    const uint64_t tuple = ((const uint64_t *)x->tuple.items)[place];
    uint32_t digit[LM_MAX_K];
    if (place % BETWEEN == 0 && lm_cancellation_poll(x->cancellation)) PASS(LEMAN_ERROR_CANCELLED);
    tuple_components(x, tuple, digit);
    for (unsigned j = 0; j < x->s->k && !x->overflow; j++) {
        PASS(expand_along(x, tuple, digit, j, &x->s->out));
        if (x->s->entering) PASS(expand_along(x, tuple, digit, j, &x->s->in));
    }
    return LEMAN_OK;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Returns the sum over the neighbours along one component, and advances *arc past them. */
static uint64_t sum_along(const tuple_search *x, const lm_adjacency *arcs, uint32_t v, const uint64_t *from,
                          const uint32_t **arc)
{
    const uint64_t message = lm_multiplier_of(LM_MESSAGE, 0);
    uint64_t sum = 0;
    for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++) {
        const uint64_t color = from[*(*arc)++];
        sum += x->s->messages ? lm_mix(color + arcs->label[e] * message) : color;
    }
    return sum;
}

/* Computes one round of the first `count` tuples. */
static void run_round(const tuple_search *x, size_t count, const uint64_t *from, uint64_t *to)
{
    const lm_space *s = x->s;
    const uint64_t *tuple = x->tuple.items;
    const uint32_t *arc = x->arc.items;
    uint32_t digit[LM_MAX_K];
    for (size_t i = 0; i < count; i++) {
        uint64_t color = from[i];
        tuple_components(x, tuple[i], digit);
        for (unsigned j = 0; j < s->k; j++) {
            color += sum_along(x, &s->out, digit[j], from, &arc) * lm_multiplier_of(LM_LOCAL_SUM, j);
            if (s->entering) color += sum_along(x, &s->in, digit[j], from, &arc) * lm_multiplier_of(LM_ENTERING_SUM, j);
        }
        to[i] = lm_mix(color);
    }
}

/* Computes all rounds of the requested tuples, at place[count]. end[d] is the number of tuples within d steps. */
static leman_status run_rounds(tuple_search *x, const size_t *end, const uint32_t *place, size_t count, size_t stride,
                               uint64_t *colors)
{
    AUTO(lm_release_at) uint64_t *from = NULL, *to = NULL;
    const uint64_t *tuple = x->tuple.items;
    uint32_t digit[LM_MAX_K];
    PASS_NEW(x->ctx, from, x->tuple.count);
    PASS_NEW(x->ctx, to, x->tuple.count);
    for (size_t i = 0; i < x->tuple.count; i++) {
        tuple_components(x, tuple[i], digit);
        from[i] = lm_type_of(x->s, digit);
    }
    for (uint32_t r = 0;; r++) {
        for (size_t i = 0; i < count; i++) colors[r * stride + i] = from[place[i]];
        if (r == x->rounds) break;
        if (lm_cancellation_poll(x->cancellation)) PASS(LEMAN_ERROR_CANCELLED);
        run_round(x, end[x->rounds - r - 1], from, to);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return LEMAN_OK;
}

/* Computes the colours of `count` tuples, or sets x->overflow. */
static leman_status color_some(tuple_search *x, const uint64_t *tuple, size_t count, size_t stride, uint64_t *colors)
{
    SCRATCH_SCOPE(x->ctx);
    uint32_t *place;
    size_t *end, done = 0;
    x->tuple.count = x->arc.count = 0;
    x->overflow = false;
    PASS_SCRATCH(x->ctx, place, count);
    PASS_SCRATCH(x->ctx, end, x->rounds + (size_t)1);
    if (!x->slot) PASS(grow_table(x));
    memset(x->slot, 0, sizeof *x->slot << x->bits);
    for (size_t i = 0; i < count && !x->overflow; i++) PASS(meet_tuple(x, tuple[i], place + i));
    end[0] = x->tuple.count;
    for (uint32_t d = 0; d < x->rounds; d++) {
        for (; done < end[d] && !x->overflow; done++) PASS(expand_tuple(x, done));
        end[d + 1] = x->tuple.count;
    }
    if (!x->overflow) PASS(run_rounds(x, end, place, count, stride, colors));
    return LEMAN_OK;
}

leman_status lm_sample_colors(leman_context *ctx, const lm_space *s, uint32_t rounds, const uint64_t *tuple,
                              size_t count, uint64_t bytes, const lm_cancellation *cancellation, uint64_t *colors)
{
    AUTO(search_release)
    tuple_search x = {.ctx = ctx, .s = s, .rounds = rounds, .bytes = bytes, .cancellation = cancellation};
    char budget[LM_NUMBER_TEXT];
    uint64_t power = 1;
    for (unsigned j = s->k; j-- > 0; power *= s->n) x.power[j] = power;
    for (size_t first = 0, batch = FIRST_BATCH; first < count;) {
        if (batch > count - first) batch = count - first;
        PASS(color_some(&x, tuple + first, batch, count, colors + first));
        if (x.overflow && batch == 1)
            return lm_fail(
                ctx, LEMAN_ERROR_BUDGET,
                "the tuples within %u step%s of one of them need more than %s, which is what the memory budget leaves",
                rounds, lm_plural(rounds), lm_bytes_text(bytes, budget));
        if (x.overflow)
            batch = (batch + 1) / 2;
        else {
            const size_t around = x.tuple.count / batch + 1; /* tuples found for each requested one */
            first += batch;
            if (first == batch) batch = around * count > 16 * power ? count : CACHED / around + 1;
        }
    }
    return LEMAN_OK;
}

leman_status lm_sample_space(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, lm_space *out)
{
    leman_coloring vertices = *c;
    lm_space s;
    vertices.k = 1;
    PASS(lm_space_new(ctx, graph, &vertices, false, NULL, &s));
    s.k = c->k;
    s.pairs = false;
    s.messages &= c->k == 1;
    if (lm_power(s.n, s.k) == UINT64_MAX)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "a graph of %zu %s has more %u-tuples than can be numbered", s.n,
                       lm_plural_of(s.n, "vertex", "vertices"), s.k);
    *out = s;
    return LEMAN_OK;
}
