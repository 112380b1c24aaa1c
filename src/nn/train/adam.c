/* Adam: the moments of all weights, and the norm of the gradient; adam.h has the formula. */
#include "nn/train/adam.h"
#include <math.h>

leman_status lm_optimizer_new(lm_backend *backend, size_t count, double weight_decay, double max_norm,
                              lm_optimizer *out)
{
    leman_status st = LEMAN_OK;
    lm_optimizer o = {.backend = backend, .count = count, .weight_decay = weight_decay, .max_norm = max_norm};
    size_t bytes;
    if (!lm_multiply(count, sizeof(lm_real), &bytes))
        FAIL(backend->ctx, LEMAN_ERROR_MEMORY, "out of memory: moments of %zu weight%s", count, lm_plural(count));
    TRY(backend->allocate(backend, bytes, (void **)&o.first));
    TRY(backend->allocate(backend, bytes, (void **)&o.second));
    backend->clear(backend, o.first, bytes);
    backend->clear(backend, o.second, bytes);
    *out = o;
done:
    if (st) lm_optimizer_free(&o);
    return st;
}

void lm_optimizer_free(lm_optimizer *o)
{
    if (!o->backend) return;
    o->backend->release(o->backend, o->first);
    o->backend->release(o->backend, o->second);
    *o = (lm_optimizer){0};
}

void lm_optimizer_step(lm_optimizer *o, double rate, lm_real *weights, const lm_real *gradient)
{
    lm_adam rule = {
        .rate = rate, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .weight_decay = o->weight_decay, .scale = 1};
    if (o->max_norm > 0) {
        double norm = sqrt(o->backend->square_sum(o->backend, o->count, gradient));
        if (norm > o->max_norm) rule.scale = o->max_norm / norm;
    }
    rule.t = ++o->t;
    o->backend->adam(o->backend, &rule, o->count, weights, gradient, o->first, o->second);
}
