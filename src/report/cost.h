/* What a result costs: charts of errors against seconds, and against parameters. */
#ifndef LM_COST_H
#define LM_COST_H

#include "base/context.h"
#include "base/file.h"

/* One method. */
typedef struct lm_cost {
    const char *name;
    double error, deviation; /* deviation NAN: none is known */
    double seconds;          /* of all its computing */
    double parameters;       /* of a network; 0: none, or not known */
} lm_cost;

/* Both charts, side by side: a mark for each method. Nothing where fewer than two have an error and seconds; the second
 * only where two networks have parameters. */
leman_status lm_cost_figures(leman_context *ctx, lm_output *out, const char *error, const lm_cost *cost, size_t count);

#endif
