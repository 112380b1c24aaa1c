/* A limit on the time of a call: time_limit.h. */
#include "report/reproduction/time_limit.h"
#include <math.h>

static bool on_progress(void *user, const leman_progress *progress)
{
    lm_time_limit *l = user;
    if (lm_now() > l->until) {
        l->over = true;
        return false;
    }
    return !l->settings.progress || l->settings.progress(l->settings.callback_user, progress);
}

static void on_log(void *user, const char *message)
{
    lm_time_limit *l = user;
    if (l->settings.log) l->settings.log(l->settings.callback_user, message);
}

void lm_time_limit_begin(leman_context *ctx, double seconds, lm_time_limit *l)
{
    *l = (lm_time_limit){ctx->settings, seconds > 0 ? lm_now() + seconds : INFINITY, false};
    ctx->settings.progress = on_progress;
    ctx->settings.log = on_log;
    ctx->settings.callback_user = l;
}

void lm_time_limit_end(leman_context *ctx, lm_time_limit *l)
{
    ctx->settings = l->settings;
    l->over |= lm_now() > l->until;
}
