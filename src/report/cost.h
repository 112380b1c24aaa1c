/* Charts of errors against their cost: seconds, and parameters. */
#ifndef LM_COST_H
#define LM_COST_H

#include "base/context.h"
#include "base/file.h"

/* One method. */
typedef struct lm_cost {
    const char *name;
    double error, deviation; /* deviation: NAN if unknown */
    double seconds;          /* total computing time */
    double parameters;       /* of a network; 0: none or unknown */
} lm_cost;

/* Writes both charts side by side, with a mark for each method. Writes nothing if fewer than two methods have an error
 * and seconds. The second chart is written only if two networks have parameters. `error` is the name of the error
 * axis. */
leman_status lm_cost_figures(leman_context *ctx, lm_output *out, const char *error, const lm_cost *cost, size_t count);

#endif
