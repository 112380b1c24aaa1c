/*
 * Sequential minimal optimisation inside the working set. One step selects the variable i with the highest score that
 * may grow, and among the variables j that may fall the one with the largest gain, (score_i - score_j)^2 / d(i, j)
 * (second-order selection: Fan, Chen and Lin, JMLR 6, 2005). Increasing b_i and decreasing b_j by the same amount keeps
 * the sum.
 *
 * A step is two passes over the working set, in single precision. The caller keeps scores in double precision, and
 * calls again with recomputed scores if rounding may matter. The passes are written in vectors of four lanes, which all
 * supported processors have. Each lane keeps its best value and place, and the earliest of the best wins, so that
 * results do not depend on the layout of the lanes.
 */
#include "svm/smo.h"
#include <math.h>

enum {
    LANES = 4,
    GROUP = LM_DISTANCES_PAD / LANES, /* vectors with separate bests, so that none waits for another */
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

/* The best value of each lane so far, and the beginning of the group that contained it. */
typedef struct lead {
    floats value[GROUP];
    places place[GROUP];
} lead;

static inline lead lead_new(float value)
{
    lead best;
    for (int g = 0; g < GROUP; g++) {
        best.value[g] = all(value);
        best.place[g] = (places){NOWHERE, NOWHERE, NOWHERE, NOWHERE};
    }
    return best;
}

static inline void lead_update(lead *best, int g, floats value, places place)
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

/* Returns, lane by lane, the better of both, the earlier one among equals. */
static inline bests better_of(bests a, bests b)
{
    places better = (b.value > a.value) | ((b.value == a.value) & (b.place < a.place));
    return (bests){choose(better, b.value, a.value), (better & b.place) | (~better & a.place)};
}

/* Returns the place of the best of all lanes, the earliest among equals; NOWHERE or more if there is none. Without
 * branches, which could not be predicted. */
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

/* Computes score += step (d_i - d_j). Returns the variable with the highest score that may grow. */
static size_t move_scores_and_choose(lm_working_set *set, const float *row_i, const float *row_j, float step)
{
    const floats *from = (const floats *)row_i, *to = (const floats *)row_j, *up = (const floats *)set->up;
    floats *score = (floats *)set->score, by = all(step);
    places place = {0, 1, 2, 3};
    lead best = lead_new(-INFINITY);
    for (size_t v = 0; v < set->width / LANES; v += GROUP, place += LM_DISTANCES_PAD)
        for (int g = 0; g < GROUP; g++) {
            floats moved = score[v + (size_t)g] + by * (from[v + (size_t)g] - to[v + (size_t)g]);
            score[v + (size_t)g] = moved;
            lead_update(&best, g, moved + up[v + (size_t)g], place);
        }
    return lead_place(&best);
}

/* Returns the partner with the largest gain for a variable with this score and row; NOWHERE or more if no score is
 * lower. */
static size_t choose_partner(const lm_working_set *set, float high, const float *row)
{
    const floats *score = (const floats *)set->score, *down = (const floats *)set->down;
    const floats *distance = (const floats *)row;
    floats top = all(high);
    places place = {0, 1, 2, 3};
    lead best = lead_new(0);
    for (size_t v = 0; v < set->width / LANES; v += GROUP, place += LM_DISTANCES_PAD)
        for (int g = 0; g < GROUP; g++) {
            floats apart = top - score[v + (size_t)g] - down[v + (size_t)g];
            floats gain = apart * magnitude(apart) / magnitude(distance[v + (size_t)g]);
            lead_update(&best, g, gain, place);
        }
    return lead_place(&best);
}

/* Returns true if no score of a variable that may fall is lower than `high` by more than the tolerance. */
static bool is_optimal(const lm_working_set *set, float high, double tolerance)
{
    for (size_t v = 0; v < set->count; v++)
        if ((double)(high - set->score[v] - set->down[v]) > tolerance) return false;
    return true;
}

static void update_bounds(lm_working_set *set, size_t v)
{
    set->up[v] = set->b[v] < set->upper[v] ? 0 : -INFINITY;
    set->down[v] = set->b[v] > set->lower[v] ? 0 : INFINITY;
}

/* Moves i up and j down as far as curvature and bounds allow, and exactly to a bound that is reached. If the curvature
 * is not positive (the matrix is not a kernel, or the graphs are equal), they go to a bound. */
static double move(lm_working_set *set, size_t i, size_t j, float distance)
{
    static const double FLAT = 1e-12;
    double apart = (double)(set->score[i] - set->score[j]), step = apart / fmax(2 * (double)distance, FLAT);
    double room_i = set->upper[i] - set->b[i], room_j = set->b[j] - set->lower[j];
    step = fmin(step, fmin(room_i, room_j));
    set->b[i] = step >= room_i ? set->upper[i] : set->b[i] + step;
    set->b[j] = step >= room_j ? set->lower[j] : set->b[j] - step;
    update_bounds(set, i);
    update_bounds(set, j);
    double rounded = 0x1p-24 * (step * fabs((double)distance) + fabs((double)set->score[i]) + apart);
    set->noise += rounded * rounded;
    return step;
}

static const float *row_of(lm_working_set *set, size_t v, size_t slot)
{
    if (set->distance) return set->distance + v * set->width;
    size_t count = set->distances->count;
    if (!set->variable) return lm_distances_at(set->distances, v % count, slot);
    float *row = set->distances->spare + slot * set->distances->width;
    lm_distances_pick(set->distances, set->variable[v] % count, set->variable, set->count, row);
    return row;
}

static void open_working_set(lm_working_set *set)
{
    for (size_t v = 0; v < set->count; v++) update_bounds(set, v);
    for (size_t v = set->count; v < set->width; v++) {
        set->score[v] = 0;
        set->up[v] = -INFINITY;
        set->down[v] = INFINITY;
    }
}

uint64_t lm_working_set_solve(lm_working_set *set, double tolerance, uint64_t limit)
{
    uint64_t steps = 0;
    open_working_set(set);
    const float *any = row_of(set, 0, 0);
    size_t i = move_scores_and_choose(set, any, any, 0);
    for (; i < set->count && steps < limit; steps++) {
        const float *row_i = row_of(set, i, 0);
        size_t j = choose_partner(set, set->score[i], row_i);
        if (j >= set->count) break;
        bool close = (double)(set->score[i] - set->score[j]) <= tolerance;
        if (close && is_optimal(set, set->score[i], tolerance)) break;
        const float *row_j = row_of(set, j, 1);
        double step = move(set, i, j, row_i[j]);
        i = move_scores_and_choose(set, row_i, row_j, (float)step);
    }
    return steps;
}
