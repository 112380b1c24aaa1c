/* Round numbers for axes. O(ticks). */
#include "report/chart.h"
#include <math.h>

/* The least of 1, 2, 5, 10, ... (times powers of ten) that is not below `step`, and its power. */
static double round_step(double step, int *power)
{
    double unit = pow(10, floor(log10(step)));
    double factor = step / unit;
    *power = (int)floor(log10(step));
    if (factor <= 1 + 1e-9) return unit;
    if (factor <= 2 + 1e-9) return 2 * unit;
    if (factor <= 5 + 1e-9) return 5 * unit;
    *power += 1;
    return 10 * unit;
}

lm_ticks lm_ticks_linear(double low, double high, size_t wanted, bool whole)
{
    lm_ticks ticks = {0};
    int power = 0;
    if (!isfinite(low) || !isfinite(high) || !isfinite(high - low) || low > high) return ticks;
    if (wanted < 1) wanted = 1;
    if (wanted > LM_TICKS / 2) wanted = LM_TICKS / 2; /* rounding the step gives at most twice as many less one */
    double magnitude = fmax(fabs(low), fabs(high)), min = magnitude * 1e-12;
    double step = (high - low) / (double)wanted;
    if (!(step > min) || step < 1e-300) { /* no range to speak of */
        ticks.value[ticks.count++] = low;
        return ticks;
    }
    step = round_step(whole ? fmax(step, 1) : step, &power);
    ticks.decimals = power < 0 ? -power : 0;
    double slack = (high - low) * 1e-9, first = ceil((low - slack) / step);
    for (size_t i = 0; i < LM_TICKS; i++) {
        double value = (first + (double)i) * step;
        if (value > high + slack) break;
        ticks.value[ticks.count++] = value + 0.0; /* no -0 */
    }
    return ticks;
}

lm_ticks lm_ticks_powers(double low, double high, size_t wanted)
{
    static const double FACTORS[] = {1, 2, 5};
    lm_ticks ticks = {0};
    if (!(low > 0) || !isfinite(high) || low > high) return ticks;
    if (wanted < 1) wanted = 1;
    int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9);
    int every = last - first < 0 ? 1 : (last - first) / (int)(wanted < LM_TICKS ? wanted : LM_TICKS) + 1;
    size_t factors = last - first < 1 ? 3 : 1;
    for (int p = factors > 1 ? first - 1 : first; p <= last; p += every)
        for (size_t f = 0; f < factors && ticks.count < LM_TICKS; f++) {
            double value = FACTORS[f] * pow(10, p);
            if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.value[ticks.count++] = value;
        }
    return ticks;
}

bool lm_range_of(const double *values, const double *spread, size_t count, double *low, double *high)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        double around = spread && isfinite(spread[i]) ? spread[i] : 0;
        if (!isfinite(values[i])) continue;
        if (!found || values[i] - around < *low) *low = values[i] - around;
        if (!found || values[i] + around > *high) *high = values[i] + around;
        found = true;
    }
    return found;
}
