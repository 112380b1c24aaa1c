/*
 * Sequential minimal optimisation inside a block. One step takes the variable i of highest score that may grow, and
 * among those j that may fall the one that promises most, (score_i - score_j)^2 / d(i, j) (second-order selection: Fan,
 * Chen and Lin, JMLR 6, 2005). Moving b_i up and b_j down by the same amount keeps the sum.
 *
 * A step is two passes over the block, in single precision: the caller keeps scores in double precision, and comes
 * again with fresh ones where rounding may matter. The passes are written in vectors of four lanes, which all
 * processors have that we build for. Each lane keeps the best that it saw and where, and the earliest of the best wins,
 * so that results do not depend on how lanes are laid out.
 */
#include "svm/smo.h"
#include <math.h>

enum {
    LANES = 4,
    GROUP = LM_DISTANCES_PAD / LANES, /* vectors whose bests are kept apart, so that none waits for another */
    NOWHERE = 1 << 30
};
typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t places __attribute__((vector_size(4 * LANES)));

static inline floats all(float x)
{
    return (floats){x, x, x, x};
}

static inline floats choose(places mask, floats yes, floats no)
{
    return (floats)((mask & (places)yes) | (~mask & (places)no));
}

static inline floats magnitude(floats x)
{
    return (floats)((places)x & INT32_MAX);
}

/* The best value of each lane so far, and where the group began in which it stood. */
typedef struct lead {
    floats value[GROUP];
    places place[GROUP];
} lead;

static inline lead lead_over(float value)
{
    lead best;
    for (int g = 0; g < GROUP; g++) {
        best.value[g] = all(value);
        best.place[g] = (places){NOWHERE, NOWHERE, NOWHERE, NOWHERE};
    }
    return best;
}

static inline void lead_take(lead *best, int g, floats value, places place)
{
    places better = value > best->value[g];
    best->value[g] = choose(better, value, best->value[g]);
    best->place[g] = (better & place) | (~better & best->place[g]);
}

/* One vector of bests. */
typedef struct bests {
    floats value;
    places place;
} bests;

static inline bests lead_group(const lead *best, int g)
{
    return (bests){best->value[g], best->place[g] + g * LANES};
}

/* Lane by lane the better of both, the earlier among equals. */
static inline bests better_of(bests a, bests b)
{
    places better = (b.value > a.value) | ((b.value == a.value) & (b.place < a.place));
    return (bests){choose(better, b.value, a.value), (better & b.place) | (~better & a.place)};
}

/* Where the best of all lanes stood, the earliest among equals; NOWHERE or more where there was none. No branches,
 * which nobody could predict. */
static inline size_t lead_place(const lead *best)
{
    _Static_assert(GROUP == 4 && LANES == 4, "the tree has two levels for each");
    bests left = better_of(lead_group(best, 0), lead_group(best, 1));
    bests right = better_of(lead_group(best, 2), lead_group(best, 3));
    bests of = better_of(left, right);
    of = better_of(of, (bests){__builtin_shufflevector(of.value, of.value, 2, 3, 0, 1),
                               __builtin_shufflevector(of.place, of.place, 2, 3, 0, 1)});
    of = better_of(of, (bests){__builtin_shufflevector(of.value, of.value, 1, 0, 3, 2),
                               __builtin_shufflevector(of.place, of.place, 1, 0, 3, 2)});
    return (size_t)of.place[0];
}

/* score += step (d_i - d_j); then the variable of highest score that may grow. */
static size_t move_scores_and_choose(lm_smo_block *block, const float *row_i, const float *row_j, float step)
{
    const floats *from = (const floats *)row_i, *to = (const floats *)row_j, *up = (const floats *)block->up;
    floats *score = (floats *)block->score, by = all(step);
    places place = {0, 1, 2, 3};
    lead best = lead_over(-INFINITY);
    for (size_t v = 0; v < block->width / LANES; v += GROUP, place += LM_DISTANCES_PAD)
        for (int g = 0; g < GROUP; g++) {
            floats moved = score[v + (size_t)g] + by * (from[v + (size_t)g] - to[v + (size_t)g]);
            score[v + (size_t)g] = moved;
            lead_take(&best, g, moved + up[v + (size_t)g], place);
        }
    return lead_place(&best);
}

/* The partner that promises most to a variable with this score and row. Scores that are not lower promise nothing. */
static size_t choose_partner(const lm_smo_block *block, float high, const float *row)
{
    const floats *score = (const floats *)block->score, *down = (const floats *)block->down;
    const floats *distance = (const floats *)row;
    floats top = all(high);
    places place = {0, 1, 2, 3};
    lead best = lead_over(0);
    for (size_t v = 0; v < block->width / LANES; v += GROUP, place += LM_DISTANCES_PAD)
        for (int g = 0; g < GROUP; g++) {
            floats apart = top - score[v + (size_t)g] - down[v + (size_t)g];
            floats promise = apart * magnitude(apart) / magnitude(distance[v + (size_t)g]);
            lead_take(&best, g, promise, place);
        }
    return lead_place(&best);
}

/* Is no score of a variable that may fall lower than `high` by more than the tolerance? */
static bool is_optimal(const lm_smo_block *block, float high, double tolerance)
{
    for (size_t v = 0; v < block->count; v++)
        if ((double)(high - block->score[v] - block->down[v]) > tolerance) return false;
    return true;
}

static void note_bounds(lm_smo_block *block, size_t v)
{
    block->up[v] = block->b[v] < block->upper[v] ? 0 : -INFINITY;
    block->down[v] = block->b[v] > block->lower[v] ? 0 : INFINITY;
}

/* Moves i up and j down as far as the curvature says and the bounds allow, and exactly to a bound that is met. A
 * curvature that is not positive (the matrix is no kernel, or equal graphs) sends them to a bound. */
static double move(lm_smo_block *block, size_t i, size_t j, float distance)
{
    static const double FLAT = 1e-12;
    double apart = (double)(block->score[i] - block->score[j]), step = apart / fmax(2 * (double)distance, FLAT);
    double room_i = block->upper[i] - block->b[i], room_j = block->b[j] - block->lower[j];
    step = fmin(step, fmin(room_i, room_j));
    block->b[i] = step >= room_i ? block->upper[i] : block->b[i] + step;
    block->b[j] = step >= room_j ? block->lower[j] : block->b[j] - step;
    note_bounds(block, i);
    note_bounds(block, j);
    double rounded = 0x1p-24 * (step * fabs((double)distance) + fabs((double)block->score[i]) + apart);
    block->noise += rounded * rounded;
    return step;
}

static const float *row_of(lm_smo_block *block, size_t v, size_t slot)
{
    if (block->distance) return block->distance + v * block->width;
    size_t count = block->distances->count;
    if (!block->variable) return lm_distances_at(block->distances, v % count, slot);
    float *row = block->distances->spare + slot * block->distances->width;
    lm_distances_pick(block->distances, block->variable[v] % count, block->variable, block->count, row);
    return row;
}

static void open_block(lm_smo_block *block)
{
    for (size_t v = 0; v < block->count; v++) note_bounds(block, v);
    for (size_t v = block->count; v < block->width; v++) {
        block->score[v] = 0;
        block->up[v] = -INFINITY;
        block->down[v] = INFINITY;
    }
}

uint64_t lm_smo_block_solve(lm_smo_block *block, double tolerance, uint64_t limit)
{
    uint64_t steps = 0;
    open_block(block);
    const float *any = row_of(block, 0, 0);
    size_t i = move_scores_and_choose(block, any, any, 0);
    for (; i < block->count && steps < limit; steps++) {
        const float *row_i = row_of(block, i, 0);
        size_t j = choose_partner(block, block->score[i], row_i);
        if (j >= block->count) break;
        bool close = (double)(block->score[i] - block->score[j]) <= tolerance;
        if (close && is_optimal(block, block->score[i], tolerance)) break;
        const float *row_j = row_of(block, j, 1);
        double step = move(block, i, j, row_i[j]);
        i = move_scores_and_choose(block, row_i, row_j, (float)step);
    }
    return steps;
}
