/*
 * Gram matrices within a memory budget: the bits are those of unlimited memory however many slices the pairs come in,
 * the peak stays below the budget, and what cannot fit is one sentence. Triples by themselves: every entry is in one
 * slice.
 */
#include "base/hash.h"
#include "kernel/kernel.h"
#include "support/meter.h"
#include <stdio.h>

enum { GRAPHS = 60, ROWS = 20, ROUNDS = 2, MAX = ROUNDS + 1 };

/* Graphs of many labels, so that every kernel has many features; some have no vertices. */
static leman_dataset *labelled(leman_context *ctx, size_t graphs, size_t vertices)
{
    uint64_t state = 17;
    leman_columns columns = {.vertex_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "labelled", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < graphs; g++) {
        size_t n = g % 19 == 3 ? 0 : vertices - test_random(&state) % 4;
        assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++) {
            int64_t label = (int64_t)(test_random(&state) % 12);
            assert_int_equal(leman_builder_vertex(b, NULL, &label, NULL), LEMAN_OK);
        }
        for (size_t u = 0; u < n; u++)
            for (size_t v = u + 1; v < n; v++)
                if (test_random(&state) % 100 < 15) assert_int_equal(leman_builder_edge(b, u, v, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* ---- Every kernel, every budget -------------------------------------------------------------- */

typedef struct problem {
    const char *kernel[2]; /* a sum where there are two */
    bool assignment;
    bool rounds;  /* every number of rounds at once */
    bool against; /* test against train */
    bool every;   /* # in every round */
} problem;

static const problem PROBLEMS[] = {
    {.kernel = {"local:2"}},
    {.kernel = {"local:2"}, .assignment = true},
    {.kernel = {"local:3"}},
    {.kernel = {"local+:2"}},
    {.kernel = {"delta:2"}, .against = true},
    {.kernel = {"wl:2"}, .assignment = true, .against = true},
    {.kernel = {"sp"}},
    {.kernel = {"graphlet"}},
    {.kernel = {"local:2", "sp"}},
    {.kernel = {"local+:2", "graphlet"}, .against = true},
    {.kernel = {"local:2"}, .rounds = true},
    {.kernel = {"local:2"}, .rounds = true, .assignment = true, .against = true},
    {.kernel = {"local+:2"}, .rounds = true},
    {.kernel = {"local+:2"}, .rounds = true, .against = true},
    {.kernel = {"local+:2"}, .rounds = true, .every = true},
};
enum { PROBLEM_COUNT = sizeof PROBLEMS / sizeof *PROBLEMS };

typedef struct set {
    leman_dataset *whole, *rows, *columns;
} set;

static set sets_new(leman_context *ctx)
{
    set s = {.whole = labelled(ctx, GRAPHS, 16)};
    size_t which[GRAPHS];
    for (size_t i = 0; i < GRAPHS; i++) which[i] = i;
    assert_int_equal(leman_dataset_select(ctx, s.whole, ROWS, which, &s.rows), LEMAN_OK);
    assert_int_equal(leman_dataset_select(ctx, s.whole, GRAPHS - ROWS, which + ROWS, &s.columns), LEMAN_OK);
    return s;
}

static void sets_free(set *s)
{
    leman_dataset_free(s->whole);
    leman_dataset_free(s->rows);
    leman_dataset_free(s->columns);
}

static size_t cells_of(const problem *c)
{
    return c->against ? ROWS * (GRAPHS - ROWS) : GRAPHS * GRAPHS;
}

/* The matrices of the problem, one behind the other. */
static leman_status compute(leman_context *ctx, const problem *c, const set *s, double *out)
{
    leman_status st = LEMAN_OK;
    leman_kernel kernel[2];
    size_t count = c->kernel[1] ? 2 : 1;
    const leman_dataset *data = c->against ? s->rows : s->whole, *against = c->against ? s->columns : NULL;
    double *each[MAX];
    for (size_t i = 0; i < count; i++) {
        kernel[i] = leman_kernel_default();
        TRY(leman_kernel_parse(ctx, c->kernel[i], kernel + i));
        kernel[i].coloring.rounds = ROUNDS;
        kernel[i].coloring.count_every_round = c->every;
        kernel[i].assignment |= c->assignment;
        kernel[i].weight = i ? 0.5 : 1;
    }
    for (size_t h = 0; h < MAX; h++) each[h] = out + h * cells_of(c);
    if (c->rounds)
        TRY(leman_gram_rounds(ctx, data, against, kernel, true, each));
    else
        TRY(leman_gram_compute(ctx, data, against, kernel, count, true, out));
done:
    return st;
}

/* The smallest budget with which it runs, up to 4 KiB. */
static size_t smallest_budget(const problem *c, const set *s, int threads, double *out)
{
    size_t low = 0, high = 1 << 22;
    while (high - low > 4096) {
        test_meter m;
        size_t middle = low + (high - low) / 2;
        leman_context *ctx = test_meter_context(&m, middle, threads);
        leman_status st = compute(ctx, c, s, out);
        assert_true(st == LEMAN_OK || st == LEMAN_ERROR_BUDGET);
        if (st && !strstr(leman_context_message(ctx), "the memory budget is"))
            fail_msg("%s", leman_context_message(ctx));
        *(st ? &low : &high) = middle;
        test_meter_free(&m, ctx);
    }
    return high;
}

/* "... about 5 passes over the graphs"; 1 where nothing was said. */
static unsigned passes(const test_meter *m)
{
    const char *at = strstr(m->log, "about ");
    return m->sentences && at ? (unsigned)strtoul(at + 6, NULL, 10) : 1;
}

/* The matrices of the caller come from elsewhere and count as held: the rest is the allocator's to see. */
static void check_peak(const problem *c, const test_meter *m, size_t budget, int threads, size_t before)
{
    size_t matrices = (c->rounds ? MAX : 1) * cells_of(c) * sizeof(double);
    assert_true(budget > matrices);
    if (m->peak - before > budget - matrices)
        fail_msg("%s, %d threads: %zu bytes at once beside %zu of the matrices, the budget is %zu", c->kernel[0],
                 threads, m->peak - before, matrices, budget);
}

static void check_problem(const problem *c, const set *s, int threads, unsigned *max)
{
    size_t bytes = MAX * cells_of(c) * sizeof(double);
    double *want = malloc(bytes), *found = malloc(bytes);
    test_meter m;
    assert_true(want && found);
    memset(want, 0, bytes);
    leman_context *ctx = test_meter_context(&m, 0, 1);
    assert_int_equal(compute(ctx, c, s, want), LEMAN_OK);
    assert_int_equal(m.sentences, 0);
    test_meter_free(&m, ctx);
    bool seen[4] = {false}; /* slices: one, two, three, more */
    for (size_t budget = smallest_budget(c, s, threads, found); !seen[0]; budget += budget / (threads == 1 ? 24 : 8)) {
        ctx = test_meter_context(&m, budget, threads);
        memset(found, 0, bytes);
        size_t before = m.live;
        m.peak = before;
        assert_int_equal(compute(ctx, c, s, found), LEMAN_OK);
        if (memcmp(found, want, bytes))
            fail_msg("%s, %d threads, a budget of %zu: other bits", c->kernel[0], threads, budget);
        check_peak(c, &m, budget, threads, before);
        unsigned count = passes(&m);
        seen[count < 4 ? count - 1 : 3] = true;
        if (count > *max) *max = count;
        test_meter_free(&m, ctx);
    }
    bool few = !strcmp(c->kernel[0], "graphlet"); /* features */
    if (threads == 1 && (!seen[1] || !(seen[2] || seen[3] || few)))
        fail_msg("%s: slices: %d %d %d %d", c->kernel[0], seen[0], seen[1], seen[2], seen[3]);
    free(want);
    free(found);
}

static void test_every_budget(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    set s = sets_new(ctx);
    unsigned max = 0;
    for (int threads = 1; threads <= 3; threads += 2)
        for (size_t i = 0; i < PROBLEM_COUNT; i++) check_problem(PROBLEMS + i, &s, threads, &max);
    assert_true(max > 10);
    sets_free(&s);
    test_context_free(ctx);
}

/* ---- Every allocation fails in turn ---------------------------------------------------------- */

typedef struct attempt {
    const problem *problem;
    set set;
    size_t budget;
    double *out;
} attempt;

static leman_status try_take(leman_context *ctx, void *state)
{
    const attempt *a = state;
    ctx->settings.memory = a->budget;
    return compute(ctx, a->problem, &a->set, a->out);
}

static void test_allocations(void **unused)
{
    (void)unused;
    static const size_t WHICH[] = {0, 6, 12};
    leman_context *ctx = test_context_new(1);
    attempt a = {.set = sets_new(ctx), .out = malloc(MAX * GRAPHS * GRAPHS * sizeof(double))};
    assert_non_null(a.out);
    for (size_t i = 0; i < sizeof WHICH / sizeof *WHICH; i++) {
        test_meter m;
        a.problem = PROBLEMS + WHICH[i];
        a.budget = smallest_budget(a.problem, &a.set, 1, a.out) * 5 / 4;
        leman_context *tight = test_meter_context(&m, a.budget, 1);
        assert_int_equal(compute(tight, a.problem, &a.set, a.out), LEMAN_OK);
        assert_true(passes(&m) > 1);
        test_meter_free(&m, tight);
        assert_true(test_fail_each_allocation(try_take, &a) > 20);
    }
    free(a.out);
    sets_free(&a.set);
    test_context_free(ctx);
}

/* ---- Triples by themselves ------------------------------------------------------------------- */

enum { ENTRIES = 20000, TRIPLE_GRAPHS = 100 };

/* Keys of some spread: even, in the upper half, most of them small, all in one stripe of the highest bits. */
static uint64_t key_of(unsigned spread, size_t i)
{
    uint64_t key = lm_mix(i + 1);
    switch (spread) {
    case 0: return key;
    case 1: return key | UINT64_C(1) << 63;
    case 2: return key >> (i % 8);
    default: return key >> 9 | UINT64_C(5) << 60;
    }
}

static void fill_triples(leman_context *ctx, lm_triples *triples, unsigned spread, leman_status *st)
{
    static const uint32_t TIMES[] = {1, 2, 6};
    *st = LEMAN_OK;
    for (size_t i = 0; i < ENTRIES && !*st; i++)
        *st = lm_triples_add(ctx, triples, (int)(i / 7 % (size_t)triples->workers), i % 2, TIMES[i % 3],
                             key_of(spread, i), i % TRIPLE_GRAPHS, i + 1);
}

/* Reads the slice; every entry is marked. Keys of a list increase, and stand within the slice. */
static size_t take_slice(leman_context *ctx, lm_triples *triples, unsigned spread, unsigned char *mark)
{
    size_t found_entries = 0;
    for (size_t block = 0; block < 2; block++)
        for (size_t list = 0; list < LM_TRIPLE_LISTS; list++) {
            lm_pair *entry;
            size_t count;
            assert_int_equal(lm_triples_sort(ctx, triples, block, list, &entry, &count), LEMAN_OK);
            for (size_t i = 0; i < count; i++) {
                size_t which = lm_pair_value(entry[i]) - 1;
                assert_true(entry[i].key == key_of(spread, which) && lm_pair_graph(entry[i]) == which % TRIPLE_GRAPHS);
                assert_true(entry[i].key >= triples->low && entry[i].key - triples->low <= triples->span);
                assert_true(!i || entry[i - 1].key <= entry[i].key);
                mark[which]++;
            }
            found_entries += count;
            lm_release(entry);
        }
    return found_entries;
}

static void check_triples(unsigned spread, int threads, uint64_t limit)
{
    leman_context *ctx = test_context_new(threads);
    unsigned char *mark = calloc(ENTRIES, 1);
    lm_triples triples = {0};
    leman_status st;
    bool more;
    size_t slices = 0;
    assert_non_null(mark);
    assert_int_equal(lm_triples_new(ctx, TRIPLE_GRAPHS, 2, &triples), LEMAN_OK);
    assert_int_equal(lm_triples_limit(ctx, &triples, limit, 2 * limit, (lm_memory_limit){limit, 0}), LEMAN_OK);
    do {
        size_t held = 0;
        fill_triples(ctx, &triples, spread, &st);
        if (st) fail_msg("spread %u: %s", spread, leman_context_message(ctx));
        lm_triples_finish(&triples);
        for (size_t i = 0; i < (size_t)threads * 2 * LM_TRIPLE_LISTS; i++) held += triples.list[i].bytes;
        assert_true(held <= limit);
        take_slice(ctx, &triples, spread, mark);
        slices++;
        assert_int_equal(lm_triples_next(ctx, &triples, "entries", &more), LEMAN_OK);
    } while (more);
    for (size_t i = 0; i < ENTRIES; i++) assert_int_equal(mark[i], 1);
    assert_true(slices >= ENTRIES * sizeof(lm_pair) / limit);
    assert_true(slices <= 4 + 6 * ENTRIES * sizeof(lm_pair) / limit); /* halving alone would take many more */
    lm_triples_free(&triples);
    free(mark);
    test_context_free(ctx);
}

static void test_triples(void **unused)
{
    (void)unused;
    for (unsigned spread = 0; spread < 4; spread++)
        for (int threads = 1; threads <= 3; threads++)
            for (uint64_t limit = 1 << 17; limit < 1 << 20; limit *= 2) check_triples(spread, threads, limit);
}

/* One key that all entries share cannot be cut. */
static void test_one_key(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    lm_triples triples = {0};
    leman_status st = LEMAN_OK;
    assert_int_equal(lm_triples_new(ctx, TRIPLE_GRAPHS, 1, &triples), LEMAN_OK);
    assert_int_equal(lm_triples_limit(ctx, &triples, 1 << 16, 1 << 17, (lm_memory_limit){1 << 18, 1 << 17}), LEMAN_OK);
    for (size_t i = 0; i < ENTRIES && !st; i++) st = lm_triples_add(ctx, &triples, 0, 0, 1, 77, i % TRIPLE_GRAPHS, 1);
    assert_int_equal(st, LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(ctx), "need more than 256 KiB, the memory budget is 256 KiB"));
    lm_triples_free(&triples);
    test_context_free(ctx);
}

/* Where the rest would take more slices than are allowed, with the one before it, there is no next one. */
static void test_too_many_slices(void **unused)
{
    (void)unused;
    for (uint64_t rest = LM_TRIPLE_SLICES - 1; rest <= LM_TRIPLE_SLICES; rest++) {
        leman_context *ctx = test_context_new(1);
        lm_triples triples = {0};
        bool more = false;
        assert_int_equal(lm_triples_new(ctx, TRIPLE_GRAPHS, 1, &triples), LEMAN_OK);
        assert_int_equal(lm_triples_limit(ctx, &triples, 1 << 16, 1 << 17, (lm_memory_limit){1 << 18, 1 << 17}),
                         LEMAN_OK);
        triples.part[0].span = UINT64_MAX / 2;
        atomic_store(&triples.span, UINT64_MAX / 2);
        triples.fits = 1; /* as lm_triples_finish() would find it: an entry fills a slice */
        for (uint64_t i = 0; i < rest; i++) lm_triples_leave_out(&triples, 0, UINT64_MAX - (i << 50));
        leman_status st = lm_triples_next(ctx, &triples, "rest", &more);
        assert_int_equal(st, rest < LM_TRIPLE_SLICES ? LEMAN_OK : LEMAN_ERROR_BUDGET);
        assert_true(more || st);
        lm_triples_free(&triples);
        test_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_budget), cmocka_unit_test(test_allocations),     cmocka_unit_test(test_triples),
        cmocka_unit_test(test_one_key),      cmocka_unit_test(test_too_many_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
