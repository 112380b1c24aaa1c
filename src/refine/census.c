/*
 * Counts the different colours of a whole data set in each round: the number of (graph, colour) pairs, minus the pairs
 * whose colour another graph has had before. Colours that occur in one graph only, as its vertices show
 * (vertex_rounds.h), need no comparison. After a few rounds most colours are of this kind.
 *
 * Every worker appends the other classes of its graphs, one word each, to lists by round and by the number of colours
 * of an orbit of the class. For k <= 3 this number is 1, 2, 3 or 6, and an orbit of six colours takes one word. Equal
 * classes have equal orbits, so the lists of a round are disjoint, and each list is counted on its own.
 *
 * If the lists of all colours do not fit into the memory budget, the graphs are refined several times, and each pass
 * counts the colours of one interval. If an interval is too wide, it is halved and its pass starts again. All passes
 * that are started again cost less than one more refinement together.
 */
#include "base/arguments.h"
#include "base/context.h"
#include "base/drop.h"
#include "base/ranks/ranks.h"
#include "base/sort.h"
#include "graph/dataset.h"
#include "graph/same_work.h"
#include "refine/device_choice.h"
#include "refine/engine.h"
#include <stdatomic.h>
#include <string.h>

enum { LISTS = 4 };
static const uint32_t COLORS[LISTS] = {1, 2, 3, 6}; /* number of colours of an orbit, by list */

/* The lists of one worker. list[r * LISTS + i] is the list of round r and kind i. */
typedef struct worker_lists {
    lm_chunks *list; /* uint64_t */
    uint64_t *pairs; /* [rounds] */
} worker_lists;

typedef struct collection {
    uint32_t rounds;    /* number of rounds, with round 0 */
    worker_lists *part; /* [workers] */
    int workers;
    lm_interval interval;     /* of the colours that are counted */
    uint64_t filled, sorted;  /* limits of bytes: of the lists beside the tuples; of the lists and of sorting one */
    lm_memory_limit limit;    /* of the tuples; the minimum of the lists is counted as held */
    _Atomic uint64_t bytes;   /* of all lists */
    _Atomic uint64_t *each;   /* [rounds * LISTS] bytes of each list */
    _Atomic uint64_t largest; /* bytes of the largest list */
    atomic_bool overflow;     /* the lists exceed a limit */
} collection;

static size_t list_of(uint32_t colors)
{
    return colors == 6 ? 3 : colors - 1;
}

/* Appends a chunk to a list. Fails if the lists would exceed a limit. */
static leman_status grow_list(leman_context *ctx, collection *c, lm_chunks *lists, size_t which)
{
    lm_chunks *list = lists + which;
    uint64_t step = lm_chunks_step(list), all = atomic_fetch_add(&c->bytes, step) + step;
    uint64_t own = atomic_fetch_add(c->each + which, step) + step;
    if (own > atomic_load(&c->largest)) atomic_store(&c->largest, own); /* a race between threads does no harm */
    if (all > c->filled || all + atomic_load(&c->largest) > c->sorted) atomic_store(&c->overflow, true);
    if (atomic_load(&c->overflow)) return lm_fail(ctx, LEMAN_ERROR_BUDGET, "the colours do not fit");
    return lm_chunks_grow(ctx, list);
}

/* Appends a colour if it is in the interval. */
static leman_status append_color(leman_context *ctx, collection *c, lm_chunks *lists, size_t which, uint64_t color)
{
    if (!lm_interval_has(c->interval, color)) return LEMAN_OK;
    if (!lm_chunks_has_room(lists + which, sizeof color)) PASS(grow_list(ctx, c, lists, which));
    lm_chunks_put(lists + which, &color, sizeof color);
    return LEMAN_OK;
}

/* The place of the next item of a list, and the end of its chunk. */
typedef struct cursor {
    uint64_t *at, *end;
} cursor;

static cursor cursor_of(const lm_chunks *list)
{
    if (!list->newest) return (cursor){0};
    uint64_t *data = (uint64_t *)(void *)list->newest->data;
    return (cursor){data + list->newest->used / sizeof *data, data + list->newest->size / sizeof *data};
}

static void close_cursor(const cursor *own, lm_chunks *list)
{
    if (list->newest) list->newest->used = (size_t)((char *)own->at - list->newest->data);
}

/* Is class i known, by its vertices, to occur in no other graph? k is that of the classes, or 0 if nothing is known. */
static inline __attribute__((always_inline)) bool is_exclusive(const lm_round_classes *r, unsigned k, size_t i)
{
    uint32_t digit[LM_MAX_K];
    if (!k) return false;
    lm_tuple_digits(&r->refinement->space, k, r->refinement->histogram.tuple[i], digit);
    return lm_any_exclusive(&r->refinement->space, digit, k, r->round);
}

/* Appends the classes of a round with k <= 3 to the lists from `first` on. */
static inline __attribute__((always_inline)) leman_status
append_round(leman_context *ctx, collection *c, lm_chunks *lists, size_t first, unsigned k, const lm_round_classes *r)
{
    leman_status st = LEMAN_OK;
    const lm_interval interval = c->interval;
    cursor cursors[LISTS];
    for (size_t i = 0; i < LISTS; i++) cursors[i] = cursor_of(lists + first + i);
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t color = r->color[i];
        const size_t which = list_of(r->orbit[i].colors);
        cursor *own = cursors + which;
        if (own->at == own->end) {
            close_cursor(own, lists + first + which);
            TRY(grow_list(ctx, c, lists, first + which));
            *own = cursor_of(lists + first + which);
        }
        *own->at = color;
        own->at += (int)lm_interval_has(interval, color) & !is_exclusive(r, k, i);
    }
done:
    for (size_t i = 0; i < LISTS; i++) close_cursor(cursors + i, lists + first + i);
    return st;
}

/* For k > 3: appends all colours one by one. */
static leman_status append_colors(leman_context *ctx, collection *c, lm_chunks *lists, size_t first, unsigned k,
                                  const lm_round_classes *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t *found;
        const size_t colors = is_exclusive(r, k, i) ? 0 : lm_class_colors(r, i, &found);
        for (size_t j = 0; j < colors; j++) PASS(append_color(ctx, c, lists, first, found[j]));
    }
    return LEMAN_OK;
}

static leman_status append_classes(leman_context *ctx, void *state, int worker, const lm_round_classes *r)
{
    collection *c = state;
    lm_chunks *lists = c->part[worker].list;
    const size_t first = (size_t)r->round * LISTS;
    const uint32_t last = r->until > r->round ? r->until : r->round;
    const bool known = r->refinement && r->refinement->space.known.exclusive;
    for (uint32_t round = r->round; round <= last; round++) c->part[worker].pairs[round] += r->pairs;
    if (known && lm_all_exclusive(&r->refinement->space, r->round)) return LEMAN_OK;
    if (r->k > 3) return append_colors(ctx, c, lists, first, known ? r->k : 0, r);
    if (!known) return append_round(ctx, c, lists, first, 0, r);
    return r->k == 2 ? append_round(ctx, c, lists, first, 2, r) : append_round(ctx, c, lists, first, 3, r);
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* Removes duplicates from sorted words, in place; returns the number of words left. */
static size_t different_of(uint64_t *words, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!i || words[i] != words[i - 1]) words[kept++] = words[i];
    return kept;
}

static size_t list_count(const collection *c, size_t list)
{
    size_t count = 0;
    for (int w = 0; w < c->workers; w++) count += lm_chunks_count(c->part[w].list + list, sizeof(uint64_t));
    return count;
}

/* Counts the different colours of one list of all ranks: each rank counts one interval. */
static leman_status count_list_of_ranks(leman_context *ctx, lm_chunks *const *lists, size_t list_count, size_t count,
                                        uint64_t *words, uint64_t *different)
{
    SCRATCH_SCOPE(ctx);
    const size_t ranks = lm_rank_count(ctx);
    const uint64_t width = UINT64_MAX / ranks;
    size_t *send, *receive, own, all = 0, at = 0;
    AUTO(lm_release_at) uint64_t *spare = NULL;
    AUTO(lm_release_at) void *received = NULL;
    PASS_SCRATCH(ctx, send, ranks);
    PASS_SCRATCH(ctx, receive, ranks);
    for (size_t l = 0; l < list_count; l++) {
        const size_t size = lm_chunks_count(lists[l], sizeof *words);
        lm_chunks_gather(lists[l], words + at);
        at += size;
    }
    PASS_NEW(ctx, spare, count);
    lm_sort_keys(words, spare, count, ctx->settings.threads);
    lm_release(spare);
    spare = NULL;
    own = different_of(words, count);
    for (size_t r = 0, end = 0; r < ranks; r++) {
        const size_t first = end;
        while (end < own && (r + 1 == ranks || words[end] / width <= r)) end++;
        send[r] = (end - first) * sizeof *words;
    }
    PASS(lm_ranks_exchange(ctx, words, send, receive, &received));
    for (size_t r = 0; r < ranks; r++) all += receive[r] / sizeof *words;
    PASS_NEW(ctx, spare, all);
    lm_sort_keys(received, spare, all, ctx->settings.threads);
    *different = different_of(received, all);
    return LEMAN_OK;
}

/* Counts the different colours of one list, which is empty afterwards. words[] needs as many elements as the list. */
static leman_status count_list(leman_context *ctx, collection *c, size_t list, uint64_t *words, uint64_t *different)
{
    SCRATCH_SCOPE(ctx);
    const size_t count = list_count(c, list), workers = (size_t)c->workers;
    lm_chunks **lists;
    PASS_SCRATCH(ctx, lists, workers);
    for (size_t w = 0; w < workers; w++) lists[w] = c->part[w].list + list;
    return (lm_has_ranks(ctx) ? count_list_of_ranks : lm_count_different)(ctx, lists, workers, count, words, different);
}

/* ---- One census of a given number of rounds -------------------------------------------------- */

static leman_status collection_new(leman_context *ctx, uint32_t rounds, collection *c)
{
    c->rounds = rounds;
    c->workers = lm_thread_pool_workers(ctx);
    PASS_SCRATCH(ctx, c->each, rounds * (size_t)LISTS);
    PASS_SCRATCH_ZERO(ctx, c->part, (size_t)c->workers);
    for (int w = 0; w < c->workers; w++) {
        PASS_SCRATCH(ctx, c->part[w].pairs, rounds);
        PASS_SCRATCH_ZERO(ctx, c->part[w].list, rounds * (size_t)LISTS);
    }
    return LEMAN_OK;
}

/* Clears the counts for another pass. */
static void collection_begin(collection *c)
{
    for (int w = 0; w < c->workers; w++) memset(c->part[w].pairs, 0, c->rounds * sizeof *c->part[w].pairs);
    for (size_t list = 0; list < (size_t)c->rounds * LISTS; list++) atomic_init(c->each + list, 0);
    atomic_init(&c->bytes, 0);
    atomic_init(&c->largest, 0);
    atomic_init(&c->overflow, false);
}

static void collection_free(collection *c)
{
    for (int w = 0; w < c->workers && c->part; w++)
        for (size_t list = 0; list < (size_t)c->rounds * LISTS && c->part[w].list; list++)
            lm_chunks_free(c->part[w].list + list);
}

/* Computes the limits of the lists: beside the tuples of the graphs being refined, and later beside the sorting. */
static leman_status collection_limit(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                     collection *c)
{
    uint64_t tuples, left = lm_budget(ctx);
    c->limit = (lm_memory_limit){
        left, data->graphs > 1 ? left / 16 : 0}; /* a single graph comes here only if it is refined in parts */
    PASS(lm_refine_bytes(ctx, data, coloring, &(lm_refine_options){.limit = &c->limit}, &tuples));
    c->filled = left > tuples ? left - tuples : 0;
    c->sorted = left - left / 16; /* the capacity of a list is larger than its contents */
    if (c->filled < left / 16) c->filled = left / 16;
    return LEMAN_OK;
}

/* Subtracts the repeated colours of the interval from round[].colors, which begin as the number of all pairs. */
static leman_status count_slice(leman_context *ctx, collection *c, leman_round_count *round)
{
    SCRATCH_SCOPE(ctx);
    uint64_t *count; /* [rounds][2]: pairs; pairs whose colour is a repetition in its list */
    AUTO(lm_release_at) uint64_t *words = NULL;
    size_t most = 0;
    PASS_SCRATCH_ZERO(ctx, count, (size_t)c->rounds * 2);
    for (size_t list = 0; list < (size_t)c->rounds * LISTS; list++)
        if (list_count(c, list) > most) most = list_count(c, list);
    PASS_NEW(ctx, words, most);
    for (uint32_t r = 0; r < c->rounds; r++) {
        for (int w = 0; w < c->workers; w++) count[2 * r] += c->part[w].pairs[r];
        for (size_t i = 0; i < LISTS; i++) {
            const uint64_t listed = list_count(c, (size_t)r * LISTS + i);
            uint64_t different;
            PASS(count_list(ctx, c, (size_t)r * LISTS + i, words, &different));
            count[2 * r + 1] += (listed - different) * COLORS[i]; /* modulo 2^64, until the ranks are summed */
        }
    }
    PASS(lm_ranks_sum(ctx, LM_UINT64, count, (size_t)c->rounds * 2));
    for (uint32_t r = 0; r < c->rounds; r++) {
        if (!c->interval.low) round[r].pairs = round[r].colors = count[2 * r];
        round[r].colors -= count[2 * r + 1];
    }
    return LEMAN_OK;
}

/* Sets the next interval: half of this one after an overflow; otherwise the interval that follows, wider if this one
 * was nearly empty. *more is false after the last interval. */
static leman_status next_interval(leman_context *ctx, const leman_dataset *data, collection *c, bool *more)
{
    char budget[LM_BUDGET_TEXT];
    *more = true;
    if (!atomic_load(&c->overflow)) {
        *more = lm_interval_next(&c->interval, atomic_load(&c->bytes) < c->sorted / 4);
        return LEMAN_OK;
    }
    if (c->interval.span == UINT64_MAX)
        lm_log(ctx, "%s: within a memory budget of %s the colours take several passes over the graphs", data->name,
               lm_budget_text(ctx, lm_budget(ctx), budget));
    if (lm_interval_halve(&c->interval)) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                   "%s: one of %d parts of its colours and the tuples of its largest graph need more than the memory "
                   "budget: it is %s",
                   data->name, LM_MOST_INTERVALS, lm_budget_text(ctx, lm_budget(ctx), budget));
}

/* If the lists of one rank overflow, all ranks repeat the interval. The fullest rank determines the next interval. */
static leman_status agree(leman_context *ctx, collection *c)
{
    uint64_t overflow = atomic_load(&c->overflow), bytes = atomic_load(&c->bytes);
    PASS(lm_ranks_max(ctx, &overflow));
    PASS(lm_ranks_max(ctx, &bytes));
    PASS(lm_ranks_min(ctx, &c->sorted));
    atomic_store(&c->overflow, overflow);
    atomic_store(&c->bytes, bytes);
    return LEMAN_OK;
}

static leman_status count_rounds(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                 leman_round_count *round, double *seconds)
{
    leman_status st = LEMAN_OK;
    SCRATCH_SCOPE(ctx);
    collection c = {.interval = {0, UINT64_MAX}};
    AUTO(lm_vertex_rounds_release) lm_vertex_rounds known = {0};
    bool more = true, done;
    *seconds = 0;
    memset(round, 0, (coloring->rounds + (size_t)1) * sizeof *round);
    lm_ranks_begin(ctx);
    if (!lm_has_ranks(ctx)) {
        const lm_device_task task = {.data = data, .coloring = coloring, .count = round, .seconds = seconds};
        TRY(lm_device_run(ctx, &task, &done));
        if (done) goto done;
    }
    TRY(collection_new(ctx, coloring->rounds + 1, &c));
    const double first = lm_now();
    TRY(lm_vertex_rounds_find(ctx, data, coloring, &known));
    *seconds = lm_now() - first;
    TRY(collection_limit(ctx, data, coloring, &c));
    while (more) {
        double began = lm_now();
        collection_begin(&c);
        const lm_refine_options options = {
            .expanded = coloring->k > 3, .shared = true, .limit = &c.limit, .vertices = known};
        st = lm_refine(ctx, data, coloring, &options, append_classes, &c);
        *seconds += lm_now() - began;
        if (st && !atomic_load(&c.overflow)) goto done;
        TRY(agree(ctx, &c));
        if (!atomic_load(&c.overflow)) TRY(count_slice(ctx, &c, round));
        collection_free(&c);
        TRY(next_interval(ctx, data, &c, &more));
    }
done:
    st = lm_ranks_end(ctx, st);
    collection_free(&c);
    return st;
}

/* Returns the first round after which the number of colours and the number of pairs both stay equal: from then on the
 * partition of all tuples does not change. A last round with its own rule is not compared. */
static int64_t stable_in(const leman_round_count *round, uint32_t rounds, const leman_coloring *c)
{
    uint32_t alike = lm_has_own_last_round(c) ? rounds - 1 : rounds;
    for (uint32_t r = 0; r + 1 < alike; r++)
        if (round[r].colors == round[r + 1].colors && round[r].pairs == round[r + 1].pairs) return r;
    return -1;
}

leman_status lm_census_agree(leman_context *ctx, const char *name, const leman_round_count *one,
                             const leman_round_count *other, uint32_t rounds)
{
    for (uint32_t r = 0; r < rounds; r++) {
        bool pairs = one[r].colors == other[r].colors; /* the numbers of pairs differ */
        if (pairs && one[r].pairs == other[r].pairs) continue;
        return lm_fail(ctx, LEMAN_ERROR_INTERNAL,
                       "%s: round %u has %llu %s under one hash and %llu under another: two colours have collided, "
                       "and the smaller figure is wrong",
                       name, r, (unsigned long long)(pairs ? one[r].pairs : one[r].colors),
                       pairs ? "(graph, colour) pairs" : "colours",
                       (unsigned long long)(pairs ? other[r].pairs : other[r].colors));
    }
    return LEMAN_OK;
}

/* One graph needs no lists: its colours are its pairs, round by round. It is refined once. */
static leman_status count_single(leman_context *ctx, const leman_dataset *data, leman_coloring *c, leman_census *census)
{
    SCRATCH_SCOPE(ctx);
    const leman_graph graph = leman_dataset_graph(data, 0);
    const bool until_stable = c->rounds == LEMAN_STABLE;
    AUTO(lm_vertex_rounds_release) lm_vertex_rounds known = {0};
    AUTO(lm_vector_release) lm_vector rounds = {0};
    lm_refinement r;
    const double began = lm_now();
    PASS(lm_vertex_rounds_find(ctx, data, c, &known));
    const lm_demand demand = {"graph 0",       .graphs = 1,    .by_classes = true,
                              .counted = true, .known = known, .budget = lm_budget(ctx)};
    lm_progress_begin(ctx, until_stable ? 0 : c->rounds, "colouring %s", data->name);
    PASS(lm_refinement_open(ctx, &graph, c, true, &demand, &r));
    for (;;) {
        const leman_round_count count = {r.histogram.pairs, r.histogram.pairs};
        PASS(lm_vector_append(ctx, &rounds, &count, 1, sizeof count));
        PASS(lm_progress_step(ctx, r.round));
        if (r.round == c->rounds || (until_stable && (r.stable || r.round == LM_MAX_ROUNDS))) break;
        PASS(lm_refinement_step(&r));
    }
    if (until_stable) c->rounds = r.stable ? r.round - 1 : r.round;
    census->round = rounds.items;
    rounds = (lm_vector){0};
    census->rounds = c->rounds + 1;
    census->stable_round = until_stable && r.stable ? (int64_t)c->rounds : stable_in(census->round, census->rounds, c);
    census->seconds = lm_now() - began;
    return LEMAN_OK;
}

enum { FIRST_ROUNDS = 4 };

/* Would an engine that works alone refine the graph? Such an engine visits classes in several parts. */
static leman_status is_refined_in_parts(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                        bool *in_parts)
{
    const leman_graph graph = leman_dataset_graph(data, 0);
    leman_coloring c = *coloring;
    const lm_demand demand = {"graph 0", .graphs = 1, .counted = true, .team = lm_thread_pool_workers(ctx),
                              .budget = lm_budget(ctx)};
    lm_space_extent extent;
    if (c.rounds == LEMAN_STABLE) c.rounds = FIRST_ROUNDS;
    PASS(lm_refinement_fits(ctx, &graph, &c, true, &demand, &extent));
    *in_parts = extent.engine->alone;
    return LEMAN_OK;
}

/* For LEMAN_STABLE the number of rounds is doubled until a stable round is found. */
static leman_status count_all(leman_context *ctx, const leman_dataset *data, leman_coloring *c, leman_census *census)
{
    bool until_stable = c->rounds == LEMAN_STABLE, on_device, in_parts;
    PASS(lm_device_refines(ctx, c, &on_device));
    if (data->graphs == 1 && !on_device) {
        PASS(is_refined_in_parts(ctx, data, c, &in_parts));
        if (!in_parts) return count_single(ctx, data, c, census);
    }
    for (c->rounds = until_stable ? FIRST_ROUNDS : c->rounds;; c->rounds = 2 * c->rounds + 1) {
        lm_release(census->round);
        PASS_NEW(ctx, census->round, c->rounds + UINT64_C(1));
        PASS(count_rounds(ctx, data, c, census->round, &census->seconds));
        census->stable_round = stable_in(census->round, c->rounds + 1, c);
        if (!until_stable || census->stable_round >= 0 || c->rounds >= LM_MAX_ROUNDS) break;
    }
    if (until_stable && census->stable_round >= 0) c->rounds = (uint32_t)census->stable_round;
    census->rounds = c->rounds + 1;
    return LEMAN_OK;
}

/* Counts once more, under another seed, and compares. */
static leman_status verify_rounds(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                  const leman_round_count *round)
{
    leman_coloring second = *coloring;
    AUTO(leman_census_drop) leman_census *again = NULL;
    second.seed = LEMAN_VERIFY_SEED ^ coloring->seed;
    PASS_NEW_ZERO(ctx, again, 1);
    PASS(count_all(ctx, data, &second, again));
    return lm_census_agree(ctx, data->name, round, again->round, second.rounds + 1);
}

/* Called by all ranks together. */
static leman_status count_and_verify(leman_context *ctx, const leman_dataset *data, leman_coloring *c, bool verify,
                                     leman_census *census)
{
    leman_status st = LEMAN_OK;
    lm_ranks_begin(ctx);
    TRY(lm_ranks_same_work(ctx, lm_coloring_checksum(c) + verify, data, NULL));
    TRY(count_all(ctx, data, c, census));
    if (verify) TRY(verify_rounds(ctx, data, c, census->round));
done:
    return lm_ranks_end(ctx, st);
}

leman_status leman_census_compute(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                  bool verify, leman_census **census)
{
    AUTO(leman_census_drop) leman_census *computed = NULL;
    leman_coloring c;
    REQUIRE(ctx, data, census);
    PASS(lm_coloring_given(ctx, coloring, &c));
    PASS_NEW_ZERO(ctx, computed, 1);
    PASS(count_and_verify(ctx, data, &c, verify, computed));
    return HAND_OVER(census, computed);
}

void leman_census_free(leman_census *census)
{
    if (!census) return;
    RELEASE(census->round, census);
}
