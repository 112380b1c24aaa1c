/* Learning-rate schedules; schedule.h has the formulas. */
#include "nn/train/schedule.h"
#include <math.h>

lm_schedule lm_schedule_new(const leman_training *t)
{
    return (lm_schedule){.kind = t->schedule,
                         .rate = t->learning_rate,
                         .min_rate = t->min_learning_rate,
                         .warm_up = t->warm_up,
                         .epochs = t->epochs,
                         .plateau = lm_plateau_new(t->learning_rate, t->patience)};
}

static double cosine(const lm_schedule *s, uint64_t epoch)
{
    static const double PI = 3.14159265358979323846;
    const uint64_t length = s->epochs > s->warm_up ? s->epochs - s->warm_up : 1, place = epoch - s->warm_up - 1;
    const double share = place < length ? (double)place / (double)length : 1;
    return s->min_rate + (s->rate - s->min_rate) * (1 + cos(PI * share)) / 2;
}

double lm_schedule_rate(const lm_schedule *s, uint64_t epoch)
{
    const double rate = s->kind == LEMAN_SCHEDULE_PLATEAU ? s->plateau.rate : s->rate;
    if (epoch <= s->warm_up) return rate * (double)epoch / ((double)s->warm_up + 1);
    return s->kind == LEMAN_SCHEDULE_COSINE ? cosine(s, epoch) : rate;
}

void lm_schedule_step(lm_schedule *s, uint64_t epoch, double value)
{
    if (s->kind == LEMAN_SCHEDULE_PLATEAU && epoch > s->warm_up) lm_plateau_step(&s->plateau, value);
}

bool lm_schedule_ends(const lm_schedule *s, uint64_t epoch, double rate_used)
{
    return s->kind == LEMAN_SCHEDULE_PLATEAU && epoch > s->warm_up && lm_plateau_ends(rate_used);
}
