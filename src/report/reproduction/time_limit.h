/* A limit on the time that a call may take: it is cancelled through the progress callback. */
#ifndef LM_TIME_LIMIT_H
#define LM_TIME_LIMIT_H

#include "base/context.h"

/* Stands between the context and the caller's callbacks while a cell is computed. */
typedef struct lm_time_limit {
    leman_settings settings; /* as they were */
    double until;            /* lm_now() */
    bool over;
} lm_time_limit;

/* So many seconds from now on; 0: no limit. */
void lm_time_limit_begin(leman_context *ctx, double seconds, lm_time_limit *limit);
/* `over` is also set where work that ended between two calls of the callback took too long. */
void lm_time_limit_end(leman_context *ctx, lm_time_limit *limit);

#endif
