/* One graph from round to round. Memory: two arrays of n^k colours (three with #), and a histogram of n^k / k! classes.
 * For sparse tuples: three arrays of the number of these tuples, and their lists. */
#include "base/text.h"
#include "base/words.h"
#include "refine/engine.h"
#include "refine/items/items.h"
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum {
    SHARED = 1 << 14,     /* from so many tuples on, several threads and one reserved chunk of scratch pay */
    CANCELLABLE = 1 << 18 /* from so many tuples on, a round may take long */
};

/* Words of each array. Only n, k, rows and tuples of the space are used. */
typedef struct words {
    size_t colors, next, spare, scratch, classes;
} words;

static words array_words(const lm_space *s, const leman_coloring *c, bool counted, int threads)
{
    const unsigned first = lm_round_sums(c, false), last = lm_round_sums(c, true);
    size_t round = lm_round_scratch(s, last, threads), plain = lm_round_scratch(s, first, threads);
    size_t count = counted ? 0 : lm_histogram_scratch(s, threads);
    size_t layout = counted ? lm_pair_counts_words(s) : lm_histogram_spare(s);
    size_t exchanged = s->sparse && last != LM_SUM_VECTORS ? s->tuples : 0;
    return (words){.colors = s->tuples > layout ? s->tuples : layout, /* colors and next are swapped after a round */
                   .next = s->tuples > layout ? s->tuples : layout,
                   .spare = last & LM_SUM_DECORATED ? s->tuples + s->tuples / 2 + 1 : exchanged,
                   .scratch = (round > plain ? round : plain) > count ? (round > plain ? round : plain) : count,
                   .classes = counted ? 0 : lm_space_orbits(s)};
}

static size_t words_sum(const words *w)
{
    return w->colors + w->next + w->spare + w->scratch + 5 * w->classes;
}

/* The extent of a space of items. The refinement sees them as the vertices of a colouring with k = 1. */
static lm_space_extent items_extent(const leman_graph *graph, const leman_coloring *c, const lm_item_size *size)
{
    return (lm_space_extent){.vertices = graph->vertices,
                             .tuples = size->items,
                             .orbits = size->items,
                             .classes = graph->vertices,
                             .engine = &lm_array_engine,
                             .lists = lm_saturating_add(lm_space_bytes(graph, graph->vertices, c), size->bytes)};
}

/* The extent of the space of all tuples of n kept vertices. */
static lm_space_extent extent_of(const leman_graph *graph, size_t n, const leman_coloring *c)
{
    lm_item_size size;
    leman_graph such = *graph;
    such.vertices = n;
    if (lm_has_items(c)) {
        lm_items_bound(&such, c, &size);
        return items_extent(&such, c, &size);
    }
    return (lm_space_extent){.vertices = n,
                             .tuples = lm_power(n, c->k),
                             .orbits = lm_orbit_count(n, c->k),
                             .classes = n,
                             .engine = &lm_array_engine,
                             .lists = lm_space_bytes(graph, n, c)};
}

/* Upper bounds for a graph before its sparse tuples are counted: the numbers of all tuples. */
static lm_space_extent bound_of(const leman_graph *graph, const leman_coloring *c)
{
    lm_space_extent e = extent_of(graph, graph->vertices, c);
    if (!c->components || lm_has_items(c)) return e;
    const uint64_t rows = lm_power(graph->vertices, c->k - 1);
    e.sparse = (lm_sparse_size){.tuples = e.tuples,
                                .orbits = e.orbits,
                                .arcs = lm_saturating_multiply(rows, graph->arcs),
                                .longest = graph->vertices};
    if (c->in_arcs) e.sparse.entering = e.sparse.arcs;
    for (unsigned i = 0; i + 1 < c->k; i++) e.sparse.prefixes[i] = lm_power(graph->vertices, i + 1);
    if (e.sparse.arcs > UINT64_MAX >> 12) e.tuples = UINT64_MAX;
    return e;
}

/* The words of a space of this extent, dense or sparse. */
static words words_for(const lm_space_extent *e, const leman_coloring *c, int threads)
{
    lm_sparse sparse = {.k = c->k, .size = e->sparse};
    uint32_t some = 0; /* array_words() only tests whether `few` is NULL */
    lm_items items = {.n = e->vertices};
    const lm_space of_items = {
        .k = 1, .n = e->tuples, .tuples = e->tuples, .rows = 1, .items = &items, .vertices = e->vertices};
    if (lm_has_items(c)) return array_words(&of_items, c, false, threads);
    const lm_space s = {.k = c->k,
                        .n = e->vertices,
                        .tuples = e->tuples,
                        .rows = e->vertices ? e->tuples / e->vertices : 0,
                        .sparse = c->components ? &sparse : NULL,
                        .few = e->vertices >= LM_DENSE_SMALLEST ? &some : NULL};
    return array_words(&s, c, e->counted, threads);
}

static size_t branch_words(const words *w)
{
    return w->colors + 5 * w->classes;
}

static uint64_t array_bytes(const lm_space_extent *e, const leman_coloring *c, bool branches, int threads)
{
    if (e->tuples > UINT64_MAX >> 12) return UINT64_MAX;
    const words w = words_for(e, c, threads);
    uint64_t bytes = lm_saturating_add(8 * (uint64_t)words_sum(&w), e->lists);
    if (branches) bytes += 8 * (uint64_t)branch_words(&w);
    if (e->by_classes) bytes += lm_class_rounds_bytes(e->vertices);
    if (c->components && !lm_has_items(c))
        bytes += lm_sparse_bytes(&e->sparse, e->vertices, c->k, lm_variant_of(c)->sums & LM_SUM_VECTORS);
    return bytes;
}

uint64_t lm_refinement_bytes(const lm_space_extent *e, const leman_coloring *c, bool branches, int threads)
{
    return e->engine->bytes(e, c, branches, threads);
}

static uint64_t demand_bytes(const lm_space_extent *e, const leman_coloring *c, const lm_demand *d)
{
    uint64_t bytes = array_bytes(e, c, d->branches, 1);
    if (bytes == UINT64_MAX) return bytes;
    bytes += 8 * (d->class_words * e->orbits + d->tuple_words * e->tuples);
    return lm_saturating_add(lm_saturating_multiply(bytes, d->graphs), d->held);
}

/* Chooses whether classes of pairs are listed. Rounds by classes are chosen where they are allowed, may begin, suit the
 * graph and fit. */
static void choose_rounds(lm_space_extent *e, const leman_coloring *c, const lm_demand *d)
{
    e->counted = d->counted && c->k == 2 && !c->components && !lm_has_items(c);
    e->by_classes = d->by_classes && c->rounds > LM_FIRST_CLASS_ROUND && lm_class_rounds_suit(e->vertices, c);
    if (e->by_classes) e->by_classes = demand_bytes(e, c, d) <= d->budget;
}

/* The smallest demand of all engines. */
static uint64_t least_bytes(const lm_space_extent *e, const leman_coloring *c, const lm_demand *d)
{
    const uint64_t arrays = demand_bytes(e, c, d), compact = lm_compact_engine.least(e, c, d);
    return compact < arrays ? compact : arrays;
}

/* The largest number of vertices for which the demand fits into the budget, in graphs of this mean degree. */
static size_t vertices_that_fit(const leman_graph *graph, const leman_coloring *c, const lm_demand *d)
{
    const uint64_t degree = graph->vertices ? graph->arcs / graph->vertices + 1 : 0;
    size_t low = 0, high = (size_t)1 << 31;
    while (low + 1 < high) {
        size_t n = low + (high - low) / 2;
        leman_graph such = *graph;
        such.vertices = n;
        such.arcs = n * (degree < n ? degree : n);
        lm_space_extent e = extent_of(&such, n, c);
        choose_rounds(&e, c, d);
        if (least_bytes(&e, c, d) <= d->budget)
            low = n;
        else
            high = n;
    }
    return low;
}

/* The largest k, up to that of the colouring, that fits; 0 if none does. */
static unsigned k_that_fits(const leman_graph *graph, size_t n, const leman_coloring *c, const lm_demand *d)
{
    leman_coloring smaller = *c;
    for (; smaller.k > 0; smaller.k--) {
        lm_space_extent e = extent_of(graph, n, &smaller);
        choose_rounds(&e, &smaller, d);
        if (least_bytes(&e, &smaller, d) <= d->budget) break;
    }
    return smaller.k;
}

static leman_status refuse_dense(leman_context *ctx, const leman_graph *graph, const lm_space_extent *e,
                                 const leman_coloring *c, const lm_demand *d)
{
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT], twins[64] = "", fits[40] = "";
    const size_t kept = e->vertices, vertices = graph->vertices;
    unsigned k = k_that_fits(graph, kept, c, d);
    const size_t most = vertices_that_fit(graph, c, d);
    lm_bytes_text(least_bytes(e, c, d), needed);
    lm_budget_text(ctx, d->budget, available);
    if (kept < vertices) snprintf(twins, sizeof twins, " (%zu up to twins)", kept);
    if (k) snprintf(fits, sizeof fits, "k = %u would fit, or ", k);
    return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                   "%s has %zu %s%s: k = %u needs %s, the memory budget is %s; %sgraphs of up to %zu %s%s", d->graph,
                   vertices, lm_plural_of(vertices, "vertex", "vertices"), twins, c->k, needed, available, fits, most,
                   lm_plural_of(most, "vertex", "vertices"), k ? "" : " would fit");
}

/* ---- Sparse tuples --------------------------------------------------------------------------- */

static leman_status refuse_sparse(leman_context *ctx, const leman_graph *graph, const lm_space_extent *e,
                                  const leman_coloring *c, const lm_demand *d)
{
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT], tuples[LM_NUMBER_TEXT];
    const char *more = e->sparse.exceeded ? "more than " : "";
    return lm_fail(
        ctx, LEMAN_ERROR_BUDGET,
        "%s has %zu %s and %s%s %u-tuples of at most %u component%s: they need %s%s, the memory budget is %s", d->graph,
        graph->vertices, lm_plural_of(graph->vertices, "vertex", "vertices"), more, lm_count_text(e->tuples, tuples),
        c->k, (unsigned)c->components, lm_plural(c->components), more, lm_bytes_text(demand_bytes(e, c, d), needed),
        lm_budget_text(ctx, d->budget, available));
}

/* Counts the sparse tuples, but stops when even the minimum for each exceeds the budget: two colours, the last
 * component, the exchanges and the start of its list. */
static leman_status measure_sparse(leman_context *ctx, const leman_graph *graph, const leman_coloring *c,
                                   const lm_demand *d, lm_space_extent *e)
{
    atomic_bool stop = false;
    const lm_cancellation cancellation = lm_cancellation_of(ctx, &stop);
    const uint64_t least = (3 * sizeof(uint64_t) + c->k * sizeof(uint32_t)) * d->graphs;
    PASS(lm_space_measure(ctx, graph, c, d->budget / least, &cancellation, &e->sparse));
    e->tuples = e->sparse.tuples;
    e->orbits = e->sparse.orbits;
    if (e->sparse.exceeded || demand_bytes(e, c, d) > d->budget) return refuse_sparse(ctx, graph, e, c, d);
    return LEMAN_OK;
}

/* ---- Items ----------------------------------------------------------------------------------- */

static leman_status refuse_items(leman_context *ctx, const leman_graph *graph, const lm_space_extent *e,
                                 const leman_coloring *c, const lm_demand *d)
{
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT], items[LM_NUMBER_TEXT], name[64];
    lm_coloring_write_name(c, name, sizeof name);
    return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                   "%s has %zu %s: %s colours up to %s %s and needs %s, the memory budget is %s", d->graph,
                   graph->vertices, lm_plural_of(graph->vertices, "vertex", "vertices"), name,
                   lm_count_text(e->tuples, items), lm_variant_of(c)->items.kind == LM_ITEM_SET ? "sets" : "pairs",
                   lm_bytes_text(demand_bytes(e, c, d), needed), lm_budget_text(ctx, d->budget, available));
}

static leman_status measure_items(leman_context *ctx, const leman_graph *graph, const leman_coloring *c,
                                  const lm_demand *d, lm_space_extent *e)
{
    atomic_bool stop = false;
    const lm_cancellation cancellation = lm_cancellation_of(ctx, &stop);
    lm_item_size size;
    PASS(lm_items_measure(ctx, graph, c, d->budget / (3 * sizeof(uint64_t)), &cancellation, &size));
    *e = items_extent(graph, c, &size);
    return demand_bytes(e, c, d) > d->budget ? refuse_items(ctx, graph, e, c, d) : LEMAN_OK;
}

leman_status lm_refinement_fits(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, bool reduce,
                                const lm_demand *demand, lm_space_extent *extent)
{
    SCRATCH_SCOPE(ctx);
    lm_space_extent e = bound_of(graph, c);
    choose_rounds(&e, c, demand);
    *extent = e;
    const bool small = demand_bytes(&e, c, demand) <= demand->budget / (uint64_t)ctx->settings.threads / 4;
    if (small && !(demand->team && lm_compact_engine.may_be_faster(graph, c))) return LEMAN_OK;
    if (lm_has_items(c)) return measure_items(ctx, graph, c, demand, extent);
    if (c->components) return measure_sparse(ctx, graph, c, demand, extent);
    if (reduce && !e.by_classes) { /* the reduction may save memory, and twins are cheap to find */
        size_t kept;
        PASS(lm_kept_vertices(ctx, graph, c, &kept));
        e = extent_of(graph, kept, c);
        choose_rounds(&e, c, demand);
        e.by_classes = false; /* they do not fit */
    }
    if (demand->team) PASS(lm_compact_engine.choose(ctx, graph, c, demand, &e));
    *extent = e;
    if (e.engine == &lm_array_engine && demand_bytes(&e, c, demand) > demand->budget)
        return refuse_dense(ctx, graph, &e, c, demand);
    return LEMAN_OK;
}

/* Places the arrays of a histogram in 5 * classes words. */
static void histogram_at(lm_histogram *h, uint64_t *at, size_t classes)
{
    h->color = at;
    h->orbits = h->color + classes;
    h->tuple = h->orbits + classes;
    h->candidates = h->tuple + classes;
    h->orbit = (lm_orbit *)(void *)(h->candidates + classes);
}

/* Does nobody ask for the classes of pairs? */
static bool counts_pairs(const lm_refinement *r)
{
    return r->counted && r->space.pairs && !r->space.items;
}

leman_status lm_refinement_begin(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                 const lm_refinement_options *options, lm_refinement *out)
{
    lm_refinement r = {.coloring = *coloring, .threads = options->threads};
    const lm_space_extent *extent = options->extent;
    const lm_sparse_size *counted = extent && extent->sparse.counted ? &extent->sparse : NULL;
    if (extent && extent->tuples >= SHARED && (!coloring->components || lm_has_items(coloring)))
        lm_arena_reserve(&ctx->scratch, lm_refinement_bytes(extent, coloring, false, r.threads));
    const bool reduce = options->reduce && !options->by_classes;
    PASS(lm_space_new(ctx, graph, coloring, reduce, &options->known, &r.space));
    PASS(lm_space_restrict(ctx, coloring, counted, r.threads, options->cancellation, &r.space));
    if (r.space.tuples >= CANCELLABLE) r.space.cancellation = options->cancellation;
    if (r.space.tuples < SHARED) r.threads = 1;
    r.counted = options->counted;
    words w = array_words(&r.space, coloring, counts_pairs(&r), r.threads);
    PASS_SCRATCH(ctx, r.colors, words_sum(&w)); /* one allocation, which the next graph can reuse */
    r.next = r.colors + w.colors;
    r.spare = r.next + w.next;
    r.scratch = r.spare + w.spare;
    histogram_at(&r.histogram, r.scratch + w.scratch, w.classes);
    if (options->by_classes) {
        PASS_SCRATCH(ctx, r.classes, 1);
        PASS(lm_class_rounds_new(ctx, &r.space, r.classes));
    }
    lm_types(&r.space, r.next, r.colors, r.threads);
    if (counts_pairs(&r))
        r.histogram.pairs = lm_count_pairs(&r.space, 0, r.colors, r.next, r.threads);
    else
        lm_histogram_begin(&r.space, r.colors, r.next, r.scratch, r.threads, &r.histogram);
    PASS(lm_cancellation_status(r.space.cancellation));
    *out = r;
    return LEMAN_OK;
}

leman_status lm_refinement_open(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                bool reduce, const lm_demand *demand, lm_refinement *out)
{
    struct {
        lm_cancellation cancellation;
        atomic_bool stop;
    } * own;
    lm_space_extent extent;
    if (demand) PASS(lm_refinement_fits(ctx, graph, coloring, reduce, demand, &extent));
    PASS_SCRATCH(ctx, own, 1);
    atomic_init(&own->stop, false);
    own->cancellation = lm_cancellation_of(ctx, &own->stop);
    const lm_refinement_options options = {.reduce = reduce,
                                           .threads = ctx->settings.threads,
                                           .cancellation = &own->cancellation,
                                           .extent = demand ? &extent : NULL,
                                           .by_classes = demand && extent.by_classes,
                                           .counted = demand && demand->counted,
                                           .known = demand ? demand->known : (lm_vertex_rounds){0}};
    return lm_refinement_begin(ctx, graph, coloring, &options, out);
}

/* Is the next round computed by classes? Where colours are needed, it pays only while classes are few. */
static bool is_by_classes(const lm_refinement *r)
{
    enum { FEW = 4 };
    if (!r->classes || r->classes->begun) return r->classes;
    return r->round + 1 >= LM_FIRST_CLASS_ROUND && !r->stable && (r->counted || r->histogram.pairs < r->space.n / FEW);
}

/* Computes the next round by classes. The first such round still computes the colours of all vertices. */
static bool step_by_classes(lm_refinement *r, unsigned sums)
{
    if (r->classes->begun)
        return lm_class_rounds_step(r->classes, &r->space, sums, !r->counted, r->threads, r->colors, r->next,
                                    &r->histogram);
    lm_round(&r->space, sums, r->colors, r->next, r->spare, r->scratch, r->threads);
    const bool divided = lm_class_rounds_begin(r->classes, &r->space, r->colors, r->next, &r->histogram);
    memcpy(r->colors, r->next, r->space.tuples * sizeof *r->colors);
    return divided;
}

/* Computes the next round and counts its colours. Once all vertices are single, no pair is looked at any more. */
static void count_next_pairs(lm_refinement *r, unsigned sums)
{
    const lm_space *s = &r->space;
    r->round++;
    if (!lm_not_single(s, r->round)) {
        r->histogram.pairs = (uint64_t)s->n * s->n;
        return;
    }
    lm_round(s, sums, r->colors, r->next, r->spare, r->scratch, r->threads);
    uint64_t *swap = r->colors;
    r->colors = r->next;
    r->next = swap;
    r->histogram.pairs = lm_count_pairs(s, r->round, r->colors, r->next, r->threads);
}

leman_status lm_refinement_step(lm_refinement *r)
{
    const bool last = r->round + 1 == r->coloring.rounds;
    const bool same_rule = !last || !lm_has_own_last_round(&r->coloring);
    if (is_by_classes(r)) {
        const bool divided = step_by_classes(r, lm_round_sums(&r->coloring, last));
        r->round++;
        r->stable = same_rule && !divided;
        return lm_cancellation_status(r->space.cancellation);
    }
    if (counts_pairs(r)) {
        const uint64_t pairs = r->histogram.pairs;
        count_next_pairs(r, lm_round_sums(&r->coloring, last));
        r->stable = same_rule && r->histogram.pairs == pairs;
        return lm_cancellation_status(r->space.cancellation);
    }
    lm_round(&r->space, lm_round_sums(&r->coloring, last), r->colors, r->next, r->spare, r->scratch, r->threads);
    uint64_t *swap = r->colors;
    r->colors = r->next;
    r->next = swap;
    r->round++;
    /* Once a round splits no class, later rounds of the same rule only rename the classes. */
    if (r->stable && same_rule) {
        lm_histogram_rename(&r->space, r->colors, r->threads, r->histogram.count, &r->histogram);
        return lm_cancellation_status(r->space.cancellation);
    }
    uint64_t pairs = r->histogram.pairs;
    lm_histogram_update(&r->space, r->round, r->colors, r->next, r->scratch, r->threads, &r->histogram);
    r->stable = same_rule && r->histogram.pairs == pairs;
    return lm_cancellation_status(r->space.cancellation);
}

/* Allocates a branch, once for all rounds. */
static leman_status branch_new(leman_context *ctx, const lm_refinement *r, lm_refinement *branch)
{
    words w = array_words(&r->space, &r->coloring, counts_pairs(r), r->threads);
    lm_refinement b = *r;
    b.branch = true;
    PASS_SCRATCH(ctx, b.colors, branch_words(&w));
    histogram_at(&b.histogram, b.colors + w.colors, w.classes);
    *branch = b;
    return LEMAN_OK;
}

/* Computes the branch of the current round; the refinement itself does not change. */
static leman_status branch_compute(const lm_refinement *r, lm_refinement *b)
{
    const lm_histogram *from = &r->histogram;
    lm_histogram *to = &b->histogram;
    lm_round(&r->space, lm_round_sums(&r->coloring, true), r->colors, b->colors, r->spare, r->scratch, r->threads);
    b->round = r->round + 1;
    b->next = r->next; /* unused until the refinement continues */
    to->count = from->count, to->converged = from->converged, to->recent = from->recent, to->active = from->active;
    to->pairs = from->pairs, to->converged_pairs = from->converged_pairs;
    memcpy(to->orbits, from->orbits, from->count * sizeof *to->orbits);
    memcpy(to->tuple, from->tuple, from->count * sizeof *to->tuple);
    memcpy(to->orbit, from->orbit, from->count * sizeof *to->orbit);
    memcpy(to->candidates, from->candidates, from->active * sizeof *to->candidates);
    lm_histogram_update(&r->space, b->round, b->colors, b->next, r->scratch, r->threads, to);
    return lm_cancellation_status(r->space.cancellation);
}

/* ---- The engine ------------------------------------------------------------------------------ */

/* Uses the array of the next round, which is large enough for the colours of any orbit. */
size_t lm_class_colors(const lm_round_classes *c, size_t i, const uint64_t **colors)
{
    const lm_refinement *r = c->refinement;
    *colors = r ? r->next : c->every + i * LM_EVERY;
    return r ? lm_orbit_colors(&r->space, r->colors, r->histogram.tuple[i], r->next) : c->orbit[i].colors;
}

typedef struct array_run {
    const lm_engine_task *task;
    lm_refinement r, branch;
} array_run;

static leman_status begin_arrays(lm_worker *worker, const lm_engine_task *task, void **run)
{
    const lm_refinement_options options = {.reduce = true,
                                           .threads = worker->threads,
                                           .cancellation = &worker->cancellation,
                                           .extent = task->extent,
                                           .known = task->known};
    array_run *x;
    PASS_NEW(worker->ctx, x, 1); /* not in the scratch, which is reserved in one chunk below */
    *run = x;
    x->task = task;
    PASS(lm_refinement_begin(worker->ctx, &task->graph, &task->coloring, &options, &x->r));
    if (task->branches) PASS(branch_new(worker->ctx, &x->r, &x->branch));
    return LEMAN_OK;
}

/* Returns true if all later rounds have the counts of this round, and no visitor needs their colours. */
static bool counts_are_final(const lm_refinement *r)
{
    if (r->round == r->coloring.rounds || !lm_all_exclusive(&r->space, r->round)) return false;
    return !r->histogram.active || (r->stable && !lm_has_own_last_round(&r->coloring));
}

static leman_status visit_arrays(lm_worker *worker, const lm_engine_task *task, const lm_refinement *r, uint32_t until)
{
    const lm_histogram *h = &r->histogram;
    const lm_round_classes classes = {.round = r->round,
                                      .until = until,
                                      .branch = r->branch,
                                      .k = r->space.k,
                                      .graph = task->number,
                                      .count = h->count,
                                      .pairs = h->pairs,
                                      .color = h->color,
                                      .orbits = h->orbits,
                                      .orbit = h->orbit,
                                      .refinement = r};
    return task->visit(worker->ctx, task->state, worker->number, &classes);
}

static leman_status round_of_arrays(lm_worker *worker, void *run, bool *more)
{
    array_run *x = run;
    lm_refinement *r = &x->r;
    const uint32_t rounds = r->coloring.rounds, last = x->task->branches ? rounds - 1 : rounds;
    PASS(visit_arrays(worker, x->task, r, r->round));
    if (x->task->branches) {
        PASS(branch_compute(r, &x->branch));
        PASS(visit_arrays(worker, x->task, &x->branch, x->branch.round));
    }
    PASS(lm_worker_advance(worker, r->space.tuples));
    *more = r->round < last && !counts_are_final(r);
    if (*more) {
        PASS(lm_refinement_step(r));
    } else if (r->round < last) {
        PASS(lm_worker_advance(worker, (last - r->round) * r->space.tuples));
        r->round++;
        PASS(visit_arrays(worker, x->task, r, last));
    }
    return LEMAN_OK;
}

const lm_engine lm_array_engine = {
    .least = demand_bytes, .bytes = array_bytes, .begin = begin_arrays, .round = round_of_arrays, .end = lm_release};
