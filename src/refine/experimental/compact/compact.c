/*
 * One graph from round to round, compactly. The number of rows of a round is not known in advance: its table starts
 * small, and if it is full, the round starts again with a larger one. If there is no memory for a larger table, the
 * last round, of which only counts are kept, is computed in several passes. Each pass counts the orbits whose class
 * before the round has a hash in one interval, so that no class is counted in two passes.
 */
#include "refine/experimental/compact/compact.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/words.h"
#include <stdio.h>

enum { MOST_VERTICES = 1 << 16 /* classes are found with k = 1, which searches no twins in larger graphs (space.c) */ };
enum { LEAST = 1 << 11, FIRST = 1 << 16, GROWTH = 4, A_ROW = 16 }; /* slots */

/* The least bytes of a compact refinement of n classes, with a table of few rows. */
static uint64_t least_bytes(size_t n, uint32_t rounds, int threads)
{
    enum { TABLE = 1 << 20 };
    const uint64_t numbers = lm_compact_orbits(n) * (rounds > 1 ? 2 : rounds) * sizeof(uint32_t);
    const uint64_t slab = 8 * ((uint64_t)n * n / 2 + LM_COMPACT_LINES * n) + sizeof(lm_compact_counts);
    return numbers + (uint64_t)threads * slab + 8 * ((uint64_t)n * n + 16 * n) + lm_compact_orbits(n) + TABLE;
}

/* The largest number of slots that fits. A row takes its six colours, and its share of the memory of a visit. */
static size_t most_slots(const lm_compact *c, bool last)
{
    const uint64_t visiting = LM_COMPACT_CLASS_BYTES * (UINT64_C(1) << 12) * 2;
    const uint64_t held = least_bytes(c->space.n, c->rounds, c->threads) - c->orbits +
                          8 * LM_COMPACT_COLORS * (uint64_t)c->rows + visiting;
    const uint64_t row = LM_COMPACT_CLASS_BYTES * 2 / LM_COMPACT_PARTS + (last ? 0 : 8 * LM_COMPACT_COLORS);
    const uint64_t words = last ? 3 + (uint64_t)c->task->expanded : 2; /* of a slot (lm_compact_table) */
    const uint64_t slot = words * sizeof(uint64_t) + row * 3 / 4, bytes = c->task->extent->granted;
    const uint64_t slots = bytes > held ? (bytes - held) / slot : 0;
    return slots < UINT32_MAX ? (size_t)slots : UINT32_MAX - 1;
}

/* A message that says how many rounds would fit. A round that does not fit may fit as the last round. */
static leman_status refuse_round(leman_context *ctx, const lm_compact *c, size_t rows)
{
    const uint32_t fit = c->round == c->rounds && c->round ? c->round - 1 : c->round;
    char count[LM_NUMBER_TEXT], budget[LM_BUDGET_TEXT], before[48] = "";
    if (fit) snprintf(before, sizeof before, "; %u round%s would fit", fit, lm_plural(fit));
    return lm_fail(
        ctx, LEMAN_ERROR_BUDGET,
        "graph %zu has more than %s different triples in round %u, too many for the memory budget: it is %s%s",
        c->task->shown, lm_count_text(rows, count), c->round, lm_budget_text(ctx, lm_budget(ctx), budget), before);
}

/* Counts the orbits of an interval in a table that is large enough, or halves the interval until its orbits fit. */
static leman_status count_orbits(leman_context *ctx, const lm_compact *c, lm_interval *interval,
                                 lm_compact_table *table)
{
    const bool last = c->round == c->rounds;
    const size_t most = most_slots(c, last);
    size_t slots = c->rows > FIRST / A_ROW ? c->rows * A_ROW : FIRST;
    if (slots > c->orbits * 2 + LEAST) slots = c->orbits * 2 + LEAST;
    for (;;) {
        if (slots > most) slots = most;
        if (slots < LEAST) PASS(refuse_round(ctx, c, slots));
        PASS(lm_compact_table_new(ctx, slots, last, c->task->expanded, table));
        table->interval = *interval;
        PASS(lm_compact_pass(ctx, c, table, last ? NULL : c->next));
        if (!table->full) return LEMAN_OK;
        lm_compact_table_free(table);
        if (slots < most)
            slots = slots > most / GROWTH ? most : slots * GROWTH;
        else if (!last || !c->round || !lm_interval_halve(interval))
            PASS(refuse_round(ctx, c, slots / 4 * 3));
    }
}

/* Visits the classes of a round and replaces the rows of the previous round by those of this round. */
static leman_status plain_round(lm_worker *worker, lm_compact *c)
{
    AUTO(lm_compact_table_free) lm_compact_table table = {0};
    AUTO(lm_release_at) uint64_t *row = NULL;
    PASS(count_orbits(worker->ctx, c, &(lm_interval){0, UINT64_MAX}, &table));
    PASS_NEW(worker->ctx, row, table.used * LM_COMPACT_COLORS);
    lm_compact_number(c, &table, c->next, row);
    PASS(lm_cancellation_status(c->space.cancellation));
    PASS(lm_compact_visit(worker, c, &table, row));
    uint64_t *old_row = c->row;
    uint32_t *old_number = c->number;
    c->row = row;
    c->rows = table.used;
    c->number = c->next;
    c->next = old_number;
    row = old_row;
    return LEMAN_OK;
}

static leman_status last_round(lm_worker *worker, const lm_compact *c)
{
    AUTO(lm_compact_table_free) lm_compact_table table = {0};
    lm_interval interval = {0, UINT64_MAX};
    do {
        PASS(count_orbits(worker->ctx, c, &interval, &table));
        PASS(lm_compact_visit(worker, c, &table, NULL));
        lm_compact_table_free(&table);
    } while (lm_interval_next(&interval, false));
    return LEMAN_OK;
}

leman_status lm_compact_round(lm_worker *worker, lm_compact *c)
{
    PASS(c->round == c->rounds ? last_round(worker, c) : plain_round(worker, c));
    c->round++;
    return LEMAN_OK;
}

/* ---- The choice ------------------------------------------------------------------------------ */

/* Can graphs of so many vertices be refined compactly by this colouring? */
static bool serves(size_t vertices, const leman_coloring *c)
{
    return c->k == 3 && lm_variant_of(c)->compact && !c->components && vertices < MOST_VERTICES &&
           c->rounds != LEMAN_STABLE;
}

/* The necessary condition of lm_compact_is_quick() on the colouring, the numbers of vertices and arcs, and labels. */
static bool may_be_quick(const leman_graph *graph, const leman_coloring *c)
{
    enum { ROUNDS = 1, TRIPLES = 1 << 22, ARCS = 6 };
    const bool labelled = lm_edges_labelled(graph, c);
    return serves(graph->vertices, c) && c->rounds <= ROUNDS && !labelled && lm_power(graph->vertices, 3) >= TRIPLES &&
           graph->arcs <= ARCS * graph->vertices;
}

leman_status lm_compact_is_quick(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, bool *quick)
{
    enum { MANY = 8 };
    const size_t n = graph->vertices;
    uint64_t *kind, *spare;
    *quick = false;
    if (!may_be_quick(graph, c)) return LEMAN_OK;
    PASS_SCRATCH(ctx, kind, n);
    PASS_SCRATCH(ctx, spare, n);
    for (size_t v = 0; v < n; v++)
        kind[v] = lm_mix(lm_vertex_hash(graph, v, c) + graph->start[v + 1] - graph->start[v]);
    *quick = lm_count_keys(kind, spare, n, 1, kind, spare) <= n / MANY;
    return LEMAN_OK;
}

/* ---- The engine ------------------------------------------------------------------------------ */

/* The minimum of a compact refinement, which may use three quarters of the memory that is left. */
static uint64_t least_compact(const lm_space_extent *e, const leman_coloring *c, const lm_demand *d)
{
    if (!d->team || !serves(e->classes, c)) return UINT64_MAX;
    return lm_saturating_add(least_bytes(e->classes, c->rounds, d->team) / 3 * 4, d->held);
}

/* Chooses a compact refinement if nothing else fits, or if it is faster; in the second case it may use no more memory
 * than the arrays would. */
static leman_status choose_compact(leman_context *ctx, const leman_graph *graph, const leman_coloring *c,
                                   const lm_demand *d, lm_space_extent *e)
{
    const uint64_t usual = lm_array_engine.least(e, c, d), left = d->budget > d->held ? d->budget - d->held : 0;
    const bool fits = usual <= d->budget;
    bool quick = false;
    if (!serves(graph->vertices, c)) return LEMAN_OK;
    if (fits) PASS(lm_compact_is_quick(ctx, graph, c, &quick));
    if (fits && !quick) return LEMAN_OK;
    enum { ROW = 2 * 8 * LM_COMPACT_COLORS + 4 * 8 * 2 + LM_COMPACT_CLASS_BYTES / 8 };
    size_t classes;
    leman_coloring one = *c; /* with k = 1 one member of each class is kept */
    one.k = 1;
    PASS(lm_kept_vertices(ctx, graph, &one, &classes));
    e->classes = classes;
    if (least_compact(e, c, d) > d->budget) return LEMAN_OK;
    const uint64_t least = least_bytes(classes, c->rounds, d->team);
    const uint64_t most = least + lm_compact_orbits(classes) * ROW; /* no two orbits share a row */
    uint64_t bytes = left / 4 * 3;
    if (fits && bytes > usual - d->held) bytes = usual - d->held;
    if (fits && least > bytes / 2) return LEMAN_OK;
    e->engine = &lm_compact_engine;
    e->granted = bytes < most ? bytes : most;
    return LEMAN_OK;
}

static uint64_t granted_bytes(const lm_space_extent *e, const leman_coloring *c, bool branches, int threads)
{
    (void)c, (void)branches, (void)threads;
    return lm_saturating_add(e->granted, e->lists);
}

static leman_status begin_compact(lm_worker *worker, const lm_engine_task *task, void **run)
{
    lm_compact *c;
    PASS_SCRATCH(worker->ctx, c, 1);
    *run = c;
    return lm_compact_begin(worker, task, c);
}

static leman_status next_compact_round(lm_worker *worker, void *run, bool *more)
{
    lm_compact *c = run;
    PASS(lm_compact_round(worker, c));
    PASS(lm_worker_advance(worker, c->task->extent->tuples));
    *more = c->round <= c->rounds;
    return LEMAN_OK;
}

static void end_compact(void *run)
{
    lm_compact_free(run);
}

const lm_engine lm_compact_engine = {.alone = true,
                                     .may_be_faster = may_be_quick,
                                     .choose = choose_compact,
                                     .least = least_compact,
                                     .bytes = granted_bytes,
                                     .begin = begin_compact,
                                     .round = next_compact_round,
                                     .end = end_compact};
