/* What graphs share, from triples made by hand: values of every size, keys of every spread, more columns than a table.
 */
#include "base/hash.h"
#include "kernel/gram/gram.h"
#include "support/support.h"

enum { ROWS = 150, COLUMNS = 37, GRAPHS = ROWS + COLUMNS, KEYS = 700 };

typedef struct problem {
    size_t graphs;
    uint64_t value[KEYS][GRAPHS];
    uint32_t multiplicity[KEYS];
} problem;

/* Every key has a spread (from two graphs to all) and a size of its values (one, small, at the edges of 12, 16 and 32
 * bits). */
static void make_problem(problem *s, uint64_t seed, size_t graphs)
{
    static const uint64_t SIZES[] = {1, 3, 60, LM_TABLE_VALUE - 1, LM_TABLE_VALUE, 1 << 17, UINT32_MAX, 1ULL << 33};
    uint64_t state = seed;
    *s = (problem){.graphs = graphs};
    for (size_t key = 0; key < KEYS; key++) {
        uint64_t size = SIZES[key % 40 < 33 ? key % 3 : test_random(&state) % 8];
        uint64_t percent = key % 7 ? 20 + test_random(&state) % 81 : 2;
        s->multiplicity[key] = LM_MULTIPLICITY[test_random(&state) % LM_TRIPLE_LISTS];
        for (size_t g = 0; g < graphs; g++)
            if (test_random(&state) % 100 < percent) s->value[key][g] = 1 + test_random(&state) % size;
    }
}

/* Both blocks hold every key; entries come in an order of their own. */
static leman_status fill(leman_context *ctx, const problem *s, lm_triples *triples)
{
    leman_status st = LEMAN_OK;
    TRY(lm_triples_new(ctx, s->graphs, 2, triples));
    for (size_t block = 0; block < 2; block++)
        for (size_t i = 0; i < s->graphs; i++)
            for (size_t key = 0; key < KEYS; key++) {
                size_t g = (i * 53) % s->graphs;
                if (s->value[key][g])
                    TRY(lm_triples_add(ctx, triples, (int)(i % (size_t)triples->workers), block, s->multiplicity[key],
                                       lm_mix(key + 1), g, s->value[key][g]));
            }
done:
    return st;
}

static uint64_t oracle(const problem *s, size_t i, size_t j, bool minima)
{
    uint64_t sum = 0;
    for (size_t key = 0; key < KEYS; key++) {
        uint64_t a = s->value[key][i], b = s->value[key][j];
        sum += 2 * s->multiplicity[key] * (minima ? a < b ? a : b : a * b);
    }
    return sum;
}

typedef struct gram_case {
    const problem *problem;
    size_t rows, columns;
    bool square, minima;
    lm_gram_entry *cell;
} gram_case;

static leman_status add_up(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    const gram_case *c = state;
    lm_triples triples = {0};
    lm_gram gram = {0};
    TRY(fill(ctx, c->problem, &triples));
    TRY(lm_gram_new(ctx, c->cell, c->rows, c->columns, c->square, c->minima, &gram));
    TRY(lm_gram_add(ctx, &triples, 0, 1, &gram));
done:
    lm_triples_free(&triples);
    lm_gram_free(&gram);
    return st;
}

/* Sums are integers that wrap at 2^64, in the oracle too: every bit must agree. */
static void check(const gram_case *c, int threads)
{
    leman_context *ctx = test_context_new(threads);
    assert_int_equal(add_up(ctx, (void *)(uintptr_t)c), LEMAN_OK);
    for (size_t i = 0; i < c->rows; i++)
        for (size_t j = c->square ? i + 1 : 0; j < c->columns; j++) {
            uint64_t want = oracle(c->problem, i, c->square ? j : c->rows + j, c->minima);
            uint64_t is = c->cell[i * c->columns + j].sum;
            if (is != want)
                fail_msg("(%zu, %zu): %llu, expected %llu", i, j, (unsigned long long)is, (unsigned long long)want);
        }
    test_context_free(ctx);
}

static void test_definition(void **unused)
{
    (void)unused;
    static problem s;
    lm_gram_entry *cell = malloc(GRAPHS * GRAPHS * sizeof *cell);
    assert_non_null(cell);
    for (int threads = 1; threads <= 3; threads += 2)
        for (int minima = 0; minima < 2; minima++) {
            make_problem(&s, 7, GRAPHS);
            check(&(gram_case){&s, ROWS, COLUMNS, false, minima, cell}, threads);
            check(&(gram_case){&s, GRAPHS, GRAPHS, true, minima, cell}, threads);
            make_problem(&s, 9, 64); /* whole blocks of the table */
            check(&(gram_case){&s, 64, 64, true, minima, cell}, threads);
        }
    free(cell);
}

static void test_allocations(void **unused)
{
    (void)unused;
    static problem s;
    lm_gram_entry *cell = malloc(GRAPHS * GRAPHS * sizeof *cell);
    make_problem(&s, 3, 70);
    gram_case c = {&s, 70, 70, true, false, cell};
    assert_true(test_fail_each_allocation(add_up, &c) > 5);
    free(cell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition), cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
