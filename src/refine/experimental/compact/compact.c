/*
 * One graph from round to round, compactly. The number of rows of a round is not known in advance: its table starts
 * small, and if it is full, the round starts again with a larger one. If there is no memory for a larger table, the
 * last round, of which only counts are kept, is computed in several passes. Each pass counts the orbits whose class
 * before the round has a hash in one interval, so that no class is counted in two passes.
 */
#include "refine/experimental/compact/compact.h"
#include "base/text.h"
#include "base/words.h"
#include "refine/engine.h"
#include <stdio.h>

enum { LEAST = 1 << 11, FIRST = 1 << 16, GROWTH = 4, A_ROW = 16 }; /* slots */

/* The largest number of slots that fits. A row takes its six colours, and its share of the memory of a visit. */
static size_t most_slots(const lm_compact *c, bool last, bool expanded)
{
    const uint64_t visiting = LM_COMPACT_CLASS_BYTES * (UINT64_C(1) << 12) * 2;
    const uint64_t held = lm_compact_bytes(c->space.n, c->coloring.rounds, c->threads) - c->orbits +
                          8 * LM_COMPACT_COLORS * (uint64_t)c->rows + visiting;
    const uint64_t row = LM_COMPACT_CLASS_BYTES * 2 / LM_COMPACT_PARTS + (last ? 0 : 8 * LM_COMPACT_COLORS);
    const uint64_t slot = lm_compact_slot(last, expanded) + row * 3 / 4;
    const uint64_t slots = c->bytes > held ? (c->bytes - held) / slot : 0;
    return slots < UINT32_MAX ? (size_t)slots : UINT32_MAX - 1;
}

/* A message that says how many rounds would fit. A round that does not fit may fit as the last round. */
static leman_status refuse_round(leman_context *ctx, const lm_compact *c, size_t rows)
{
    const uint32_t fit = c->round == c->coloring.rounds && c->round ? c->round - 1 : c->round;
    char count[LM_NUMBER_TEXT], budget[LM_BUDGET_TEXT], before[48] = "";
    if (fit) snprintf(before, sizeof before, "; %u round%s would fit", fit, lm_plural(fit));
    return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                   "%s has more than %s different triples in round %u, too many for the memory budget: it is %s%s",
                   c->name, lm_count_text(rows, count), c->round, lm_budget_text(ctx, lm_budget(ctx), budget), before);
}

/* Counts the orbits of an interval in a table that is large enough, or halves the interval until its orbits fit. */
static leman_status count_orbits(leman_context *ctx, const lm_compact *c, bool expanded, lm_interval *interval,
                                 lm_compact_table *table)
{
    const bool last = c->round == c->coloring.rounds;
    const size_t most = most_slots(c, last, expanded);
    size_t slots = c->rows > FIRST / A_ROW ? c->rows * A_ROW : FIRST;
    if (slots > c->orbits * 2 + LEAST) slots = c->orbits * 2 + LEAST;
    for (;;) {
        if (slots > most) slots = most;
        if (slots < LEAST) PASS(refuse_round(ctx, c, slots));
        PASS(lm_compact_table_new(ctx, slots, last, expanded, table));
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

/* Replaces the rows of the previous round by those of this round. */
static void go_on(lm_compact *c, size_t rows, uint64_t *row)
{
    uint32_t *before = c->number;
    lm_release(c->row);
    c->row = row;
    c->rows = rows;
    c->number = c->next;
    c->next = before;
}

static leman_status plain_round(leman_context *ctx, lm_compact *c, const lm_compact_sink *sink)
{
    AUTO(lm_compact_table_free) lm_compact_table table = {0};
    AUTO(lm_release_at) uint64_t *row = NULL;
    PASS(count_orbits(ctx, c, sink->expanded, &(lm_interval){0, UINT64_MAX}, &table));
    PASS_NEW(ctx, row, table.used * LM_COMPACT_COLORS);
    lm_compact_number(c, &table, c->next, row);
    PASS(lm_cancellation_status(c->space.cancellation));
    PASS(lm_compact_visit(ctx, c, &table, row, sink));
    go_on(c, table.used, row);
    row = NULL;
    return LEMAN_OK;
}

static leman_status last_round(leman_context *ctx, const lm_compact *c, const lm_compact_sink *sink)
{
    AUTO(lm_compact_table_free) lm_compact_table table = {0};
    lm_interval interval = {0, UINT64_MAX};
    do {
        PASS(count_orbits(ctx, c, sink->expanded, &interval, &table));
        PASS(lm_compact_visit(ctx, c, &table, NULL, sink));
        lm_compact_table_free(&table);
    } while (lm_interval_next(&interval, false));
    return LEMAN_OK;
}

leman_status lm_compact_round(leman_context *ctx, lm_compact *c, const lm_compact_sink *sink)
{
    PASS(c->round == c->coloring.rounds ? last_round(ctx, c, sink) : plain_round(ctx, c, sink));
    c->round++;
    return LEMAN_OK;
}

/* ---- The engine ------------------------------------------------------------------------------ */

/* The minimum of a compact refinement, which may use three quarters of the memory that is left. */
static uint64_t least_compact(const lm_space_extent *e, const leman_coloring *c, const lm_demand *d)
{
    if (!d->team || !lm_compact_serves(e->classes, c)) return UINT64_MAX;
    return lm_saturating_add(lm_compact_bytes(e->classes, c->rounds, d->team) / 3 * 4, d->held);
}

/* Chooses a compact refinement if nothing else fits, or if it is faster; in the second case it may use no more memory
 * than the arrays would. */
static leman_status choose_compact(leman_context *ctx, const leman_graph *graph, const leman_coloring *c,
                                   const lm_demand *d, lm_space_extent *e)
{
    const uint64_t usual = lm_array_engine.least(e, c, d), left = d->budget > d->held ? d->budget - d->held : 0;
    const bool fits = usual <= d->budget;
    bool quick = false;
    if (!lm_compact_serves(graph->vertices, c)) return LEMAN_OK;
    if (fits) PASS(lm_compact_is_quick(ctx, graph, c, &quick));
    if (fits && !quick) return LEMAN_OK;
    size_t classes;
    PASS(lm_compact_classes(ctx, graph, c, &classes));
    e->classes = classes;
    if (least_compact(e, c, d) > d->budget) return LEMAN_OK;
    const uint64_t most = lm_compact_most_bytes(e->classes, c->rounds, d->team);
    uint64_t bytes = left / 4 * 3;
    if (fits && bytes > usual - d->held) bytes = usual - d->held;
    if (fits && lm_compact_bytes(e->classes, c->rounds, d->team) > bytes / 2) return LEMAN_OK;
    e->engine = &lm_compact_engine;
    e->granted = bytes < most ? bytes : most;
    return LEMAN_OK;
}

static uint64_t granted_bytes(const lm_space_extent *e, const leman_coloring *c, int threads)
{
    (void)c, (void)threads;
    return lm_saturating_add(e->granted, e->lists);
}

typedef struct compact_run {
    lm_compact compact;
    lm_compact_sink sink;
    uint64_t tuples;
    char name[32];
} compact_run;

static leman_status begin_compact(lm_worker *worker, const lm_engine_task *task, void **run)
{
    compact_run *x;
    PASS_SCRATCH(worker->ctx, x, 1);
    *x = (compact_run){.sink = {task->visit, task->state, worker->number, task->number, task->expanded},
                       .tuples = task->extent->tuples};
    *run = x;
    snprintf(x->name, sizeof x->name, "graph %zu", task->shown);
    return lm_compact_begin(worker->ctx, x->name, &task->graph, &task->coloring, worker->threads, &worker->cancellation,
                            task->extent->granted, &x->compact);
}

static leman_status next_compact_round(lm_worker *worker, void *run, bool *more)
{
    compact_run *x = run;
    PASS(lm_compact_round(worker->ctx, &x->compact, &x->sink));
    PASS(lm_worker_advance(worker, x->tuples));
    *more = x->compact.round <= x->compact.coloring.rounds;
    return LEMAN_OK;
}

static void end_compact(lm_worker *worker, void *run)
{
    (void)worker;
    lm_compact_free(&((compact_run *)run)->compact);
}

const lm_engine lm_compact_engine = {.alone = true,
                                     .may_be_faster = lm_compact_may_be_quick,
                                     .choose = choose_compact,
                                     .least = least_compact,
                                     .bytes = granted_bytes,
                                     .begin = begin_compact,
                                     .round = next_compact_round,
                                     .end = end_compact};
