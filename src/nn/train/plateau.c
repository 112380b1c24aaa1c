/* The plateau rule; plateau.h states it. */
#include "nn/train/plateau.h"
#include <math.h>

static const double THRESHOLD = 1e-4, SMALLEST_CHANGE = 1e-8, LAST_RATE = 1e-6;

lm_plateau lm_plateau_new(double rate, uint64_t patience)
{
    return (lm_plateau){.rate = rate, .factor = 0.5, .min = 1e-7, .best = INFINITY, .patience = patience};
}

void lm_plateau_step(lm_plateau *plateau, double value)
{
    if (value < plateau->best * (1 - THRESHOLD)) {
        plateau->best = value;
        plateau->bad = 0;
        return;
    }
    if (++plateau->bad <= plateau->patience) return;
    double next = fmax(plateau->rate * plateau->factor, plateau->min);
    if (plateau->rate - next > SMALLEST_CHANGE) plateau->rate = next;
    plateau->bad = 0;
}

bool lm_plateau_ends(double rate_used)
{
    return rate_used < LAST_RATE;
}
