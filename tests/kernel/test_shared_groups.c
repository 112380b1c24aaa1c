/* What graphs share, in temporary files: the groups are those that a comparison sort of all entries gives. */
#include "kernel/stream/shared_groups.h"
#include "support/meter.h"

enum { RUNS = 6, GRAPHS = 9000, SHARED = 50, ALL = RUNS * GRAPHS * 4 };

typedef struct expected {
    lm_pair *entry; /* [count] */
    size_t count;
    uint64_t met;
    uint64_t *sum; /* what meet() has seen: payloads, added up */
} expected;

static int by_key_and_graph(const void *a, const void *b)
{
    const lm_pair *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->payload < y->payload ? -1 : x->payload > y->payload;
}

static void meet(void *user, size_t section, const lm_pair *entry, size_t count)
{
    expected *e = user;
    assert_int_equal(section, 2);
    for (size_t i = 0; i < count; i++) *e->sum += entry[i].payload;
    e->met += count;
}

/* A key that every graph has, the smallest, or the largest of all; one that every other graph has; a few that some
 * share; and one of its own. */
static leman_status add_run(leman_context *ctx, lm_shared_groups *groups, size_t graphs, uint64_t common,
                            uint64_t *state, expected *e)
{
    leman_status st = LEMAN_OK;
    const size_t first = e->count ? lm_pair_graph(e->entry[e->count - 1]) + 1 : 0;
    lm_triples triples = {0};
    TRY(lm_triples_new(ctx, graphs, 1, &triples));
    for (size_t g = 0; g < graphs; g++) {
        const uint64_t keys[] = {common, UINT64_C(1) << 62, test_random(state) % SHARED << 58 | 5, test_random(state)};
        for (size_t i = 0; i < 4; i++) {
            const uint64_t value = test_random(state) % 9 + 1;
            if (i == 1 && g % 2) continue;
            e->entry[e->count++] = (lm_pair){keys[i], (uint64_t)(first + g) << LM_TRIPLE_VALUE_BITS | value};
            TRY(lm_triples_add(ctx, &triples, 0, 0, 1, keys[i], g, value));
        }
    }
    TRY(lm_shared_groups_add(groups, 2, &triples, 0, 0, first, NULL));
done:
    lm_triples_free(ctx, &triples);
    return st;
}

/* The groups of the section, which the entries in order are; rows as in lm_merging. */
static leman_status compare(leman_context *ctx, const lm_shared_groups *groups, const expected *e, size_t rows)
{
    leman_status st = LEMAN_OK;
    lm_vector words = {0};
    uint64_t place = 0;
    size_t at = 0, group = 0; /* in words, and in their items */
    for (size_t i = 0, j; i < e->count; i = j) {
        for (j = i + 1; j < e->count && e->entry[j].key == e->entry[i].key; j++) {
        }
        if (j - i < 2) continue;
        if (lm_pair_graph(e->entry[i]) >= rows || (rows < SIZE_MAX && lm_pair_graph(e->entry[j - 1]) < rows)) continue;
        if (group == words.count) {
            assert_true(place < groups->section[2].words);
            TRY(lm_shared_groups_read(groups, 2, &place, 100, &words));
            group = 0;
        }
        const uint64_t *word = (const uint64_t *)words.items + group;
        assert_int_equal(word[0], j - i);
        for (size_t k = i; k < j; k++) assert_int_equal(word[1 + k - i], e->entry[k].payload);
        group += j - i + 1;
        at++;
    }
    assert_true(at > 0 && group == words.count && place == groups->section[2].words);
done:
    lm_vector_free(ctx, &words);
    return st;
}

static void meet_none(void *user, size_t section, const lm_pair *entry, size_t count)
{
    (void)user, (void)entry, (void)count;
    assert_int_equal(section, 3);
}

/* Runs of another section, behind a merge: graphs have numbers of their own, and groups of before stay. */
static leman_status add_later(leman_context *ctx, lm_shared_groups *groups)
{
    leman_status st = LEMAN_OK;
    const lm_merging how = {SIZE_MAX, meet_none, NULL, "graphs"};
    const size_t number[2][2] = {{4, 7}, {9, 100}};
    const uint64_t words = groups->section[2].words;
    uint64_t place = 0;
    lm_triples triples = {0};
    lm_vector found = {0};
    for (size_t r = 0; r < 2; r++) {
        TRY(lm_triples_new(ctx, 2, 1, &triples));
        for (size_t g = 0; g < 2; g++) {
            TRY(lm_triples_add(ctx, &triples, 0, 0, 1, 11, g, 2 * r + g + 1));
            TRY(lm_triples_add(ctx, &triples, 0, 0, 1, number[r][g], g, 1));
        }
        TRY(lm_shared_groups_add(groups, 3, &triples, 0, 0, 0, number[r]));
        lm_triples_free(ctx, &triples);
    }
    TRY(lm_shared_groups_merge(groups, &how));
    assert_int_equal(groups->section[2].words, words);
    assert_int_equal(groups->section[3].words, 5);
    TRY(lm_shared_groups_read(groups, 3, &place, 100, &found));
    const uint64_t *word = found.items;
    assert_int_equal(word[0], 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(word[i + 1] == ((uint64_t)number[i / 2][i % 2] << LM_TRIPLE_VALUE_BITS | (i + 1)));
done:
    lm_triples_free(ctx, &triples);
    lm_vector_free(ctx, &found);
    return st;
}

typedef struct attempt {
    size_t graphs, rows;
    uint64_t common, memory;
} attempt;

static leman_status body(leman_context *ctx, void *user)
{
    leman_status st = LEMAN_OK;
    const attempt *a = user;
    uint64_t state = 7, sum = 0, all = 0;
    lm_shared_groups groups = {0};
    expected e = {.entry = malloc(ALL * sizeof *e.entry), .sum = &sum};
    const lm_merging how = {a->rows, meet, &e, "graphs"};
    TRY(lm_shared_groups_open(ctx, NULL, a->memory, 4, &groups));
    for (size_t r = 0; r < RUNS; r++) TRY(add_run(ctx, &groups, r + a->graphs, a->common, &state, &e));
    TRY(lm_shared_groups_merge(&groups, &how));
    for (size_t i = 0; i < e.count; i++) all += e.entry[i].payload;
    assert_int_equal(e.met, e.count);
    assert_true(sum == all);
    qsort(e.entry, e.count, sizeof *e.entry, by_key_and_graph);
    TRY(compare(ctx, &groups, &e, a->rows));
    TRY(add_later(ctx, &groups));
    TRY(compare(ctx, &groups, &e, a->rows));
done:
    lm_shared_groups_close(&groups);
    free(e.entry);
    return st;
}

/* Keys that outgrow the buffers of runs, and keys that do not; buffers of the usual size, and the smallest. */
static void test_same_groups(void **unused)
{
    (void)unused;
    for (int way = 0; way < 8; way++) {
        const attempt a = {GRAPHS - RUNS, way & 1 ? SIZE_MAX : 2 * GRAPHS, way & 2 ? UINT64_MAX : 0,
                           way & 4 ? 0 : UINT64_C(1) << 30};
        test_meter meter;
        leman_context *ctx = test_meter_context(&meter, way & 4 ? 4 << 20 : 0, 1 + way % 2);
        if (body(ctx, (void *)(uintptr_t)&a)) fail_msg("%s", leman_context_message(ctx));
        test_meter_free(&meter, ctx);
    }
}

static void test_memory(void **unused)
{
    (void)unused;
    attempt a = {100, SIZE_MAX, 3, 0};
    assert_true(test_fail_each_allocation(body, &a) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_groups),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
