/*
 * How many different colours a whole data set shows in each round.
 *
 * Every worker drops the classes of its graphs into BINS bins a round, by the top bits of the colour; those bits being
 * known, their place in the word takes the number of colours of the class's orbits. Afterwards each bin of each round
 * is gathered, sorted and counted on its own. One word a class: an orbit of k! colours costs what one colour would.
 */
#include "base/sort.h"
#include "graph/dataset.h"
#include "refine/refine.h"
#include <omp.h>
#include <string.h>

enum { BIN_BITS = 6, BINS = 1 << BIN_BITS, MOST_ROUNDS = 1 << 16 };

/* One worker's part: its words of round r and bin b are in bin[r * BINS + b]. */
typedef struct gathering {
    lm_vector *bin;  /* uint64_t */
    uint64_t *pairs; /* [rounds] */
    uint64_t *found; /* the colours of one orbit, k > 3 */
    size_t room;
    bool *moving; /* [rounds] some graph split in this round */
} gathering;

typedef struct census {
    uint32_t rounds; /* how many: the last round + 1 */
    gathering *part; /* [workers] */
    int workers;
} census;

static leman_status drop(leman_context *ctx, gathering *own, uint32_t round, uint64_t color, uint64_t colors)
{
    lm_vector *bin = own->bin + round * BINS + (color >> (64 - BIN_BITS));
    if (bin->count == bin->capacity) {
        leman_status st = lm_vector_reserve(ctx, bin, 1, sizeof color);
        if (st) return st;
    }
    ((uint64_t *)bin->items)[bin->count++] = color << BIN_BITS | colors;
    return LEMAN_OK;
}

/* With k <= 3 an orbit has 1, 2, 3 or 6 colours, which fits beside the colour; beyond, colours are dropped one by one.
 */
static leman_status drop_classes(leman_context *ctx, void *state, int worker, size_t graph, const lm_refinement *r)
{
    leman_status st = LEMAN_OK;
    gathering *own = ((census *)state)->part + worker;
    const lm_histogram *h = &r->histogram;
    (void)graph;
    own->pairs[r->round] += h->pairs;
    for (size_t i = 0; i < h->count && r->space.k <= 3; i++) {
        TRY(drop(ctx, own, r->round, h->color[i], h->orbit[i].colors));
    }
    for (size_t i = 0; i < h->count && r->space.k > 3; i++) { /* the next round's array has room for any orbit */
        size_t colors = lm_orbit_colors(&r->space, r->colors, h->tuple[i], r->next);
        for (size_t j = 0; j < colors; j++) TRY(drop(ctx, own, r->round, r->next[j], 1));
    }
done:
    return st;
}

/* ---- Counting a bin
 * -------------------------------------------------------------------------------------------------------- */

static size_t bin_size(const census *c, size_t bin)
{
    size_t sum = 0;
    for (int w = 0; w < c->workers; w++) sum += c->part[w].bin[bin].count;
    return sum;
}

/* words[] and spare[] have room for the bin. */
static uint64_t count_bin(const census *c, size_t bin, uint64_t *words, uint64_t *spare)
{
    size_t count = 0;
    uint64_t colors = 0;
    for (int w = 0; w < c->workers; w++) {
        const lm_vector *part = c->part[w].bin + bin;
        if (part->count) memcpy(words + count, part->items, part->count * sizeof *words);
        count += part->count;
    }
    lm_sort_keys(words, spare, count, 1);
    for (size_t i = 0; i < count; i++)
        if (!i || words[i] != words[i - 1]) colors += words[i] & (BINS - 1);
    return colors;
}

static leman_status count_bins(leman_context *ctx, const census *c, leman_round_count *round)
{
    leman_status st = LEMAN_OK;
    size_t bins = (size_t)c->rounds * BINS, largest = 0, room;
    uint64_t *work;
    for (size_t b = 0; b < bins; b++) {
        size_t size = bin_size(c, b);
        if (size > largest) largest = size;
    }
    if (!lm_multiply(largest, 2 * (size_t)c->workers, &room)) room = SIZE_MAX;
    SCRATCH(ctx, work, room);
#pragma omp parallel for schedule(dynamic, 1) num_threads(c->workers) if (c->workers > 1)
    for (size_t b = 0; b < bins; b++) {
        uint64_t *words = work + (size_t)omp_get_thread_num() * 2 * largest;
        uint64_t colors = count_bin(c, b, words, words + largest);
#pragma omp atomic
        round[b / BINS].colors += colors;
    }
done:
    return st;
}

/* ---- One census of a given number of rounds
 * -------------------------------------------------------------------------------- */

static void census_drop(leman_context *ctx, census *c)
{
    for (int w = 0; w < c->workers && c->part; w++)
        for (size_t b = 0; b < (size_t)c->rounds * BINS && c->part[w].bin; b++) lm_vector_free(ctx, c->part[w].bin + b);
}

static leman_status count_rounds(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                 leman_round_count *round, double *seconds)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    census c = {.rounds = coloring->rounds + 1, .workers = lm_refine_workers(ctx)};
    double began = lm_now();
    SCRATCH(ctx, c.part, (size_t)c.workers);
    memset(c.part, 0, (size_t)c.workers * sizeof *c.part);
    for (int w = 0; w < c.workers; w++) {
        size_t bins = (size_t)c.rounds * BINS;
        SCRATCH(ctx, c.part[w].pairs, c.rounds);
        memset(c.part[w].pairs, 0, c.rounds * sizeof *c.part[w].pairs);
        SCRATCH(ctx, c.part[w].bin, bins);
        memset(c.part[w].bin, 0, bins * sizeof *c.part[w].bin);
    }
    TRY(lm_refine_all(ctx, data, coloring, drop_classes, &c));
    *seconds += lm_now() - began;
    memset(round, 0, c.rounds * sizeof *round);
    for (uint32_t r = 0; r < c.rounds; r++)
        for (int w = 0; w < c.workers; w++) round[r].pairs += c.part[w].pairs[r];
    TRY(count_bins(ctx, &c, round));
done:
    census_drop(ctx, &c);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* The first round after which neither the colours of all graphs nor those of any grow: the partition of all tuples is
 * the same then, and stays so. A last round with another rule says nothing. */
static int64_t stable_in(const leman_round_count *round, uint32_t rounds, const leman_coloring *c)
{
    uint32_t alike = c->algorithm == LEMAN_LOCAL_PLUS && !c->count_every_round ? rounds - 1 : rounds;
    for (uint32_t r = 0; r + 1 < alike; r++)
        if (round[r].colors == round[r + 1].colors && round[r].pairs == round[r + 1].pairs) return r;
    return -1;
}

static leman_status verify_rounds(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                  const leman_round_count *round)
{
    leman_status st = LEMAN_OK;
    leman_coloring second = *coloring;
    leman_round_count *again = NULL;
    double seconds = 0;
    second.seed = LEMAN_VERIFY_SEED ^ coloring->seed;
    NEW(ctx, again, second.rounds + 1);
    TRY(count_rounds(ctx, data, &second, again, &seconds));
    for (uint32_t r = 0; r <= second.rounds; r++)
        if (round[r].colors != again[r].colors || round[r].pairs != again[r].pairs)
            FAIL(ctx, LEMAN_ERROR_INTERNAL,
                 "%s: round %u has %llu colours under one hash and %llu under another: two colours have collided, and "
                 "the "
                 "smaller figure is wrong",
                 data->name, r, (unsigned long long)round[r].colors, (unsigned long long)again[r].colors);
done:
    lm_free(ctx, again);
    return st;
}

leman_status leman_census_take(leman_context *ctx, const leman_dataset *data, const leman_coloring *asked, bool verify,
                               leman_census *out)
{
    leman_status st = LEMAN_OK;
    leman_census result = {.stable_round = -1};
    leman_coloring c;
    TRY(lm_coloring_check(ctx, asked, &c));
    bool until_stable = c.rounds == LEMAN_STABLE;
    if (!until_stable && c.rounds >= MOST_ROUNDS)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "rounds: found %u, expected at most %d", c.rounds, MOST_ROUNDS - 1);
    for (c.rounds = until_stable ? 4 : c.rounds;;
         c.rounds = 2 * c.rounds + 1) { /* stable: rounds double until it shows */
        result.seconds = 0;
        lm_free(ctx, result.round);
        NEW(ctx, result.round, c.rounds + UINT64_C(1));
        TRY(count_rounds(ctx, data, &c, result.round, &result.seconds));
        result.rounds = c.rounds + 1;
        result.stable_round = stable_in(result.round, result.rounds, &c);
        if (!until_stable || result.stable_round >= 0 || c.rounds >= MOST_ROUNDS) break;
    }
    if (until_stable && result.stable_round >= 0) c.rounds = (uint32_t)result.stable_round;
    result.rounds = c.rounds + 1;
    if (verify) TRY(verify_rounds(ctx, data, &c, result.round));
    *out = result;
done:
    if (st) lm_free(ctx, result.round);
    return st;
}

void leman_census_free(leman_context *ctx, leman_census *taken)
{
    lm_free(ctx, taken->round);
    *taken = (leman_census){0};
}
