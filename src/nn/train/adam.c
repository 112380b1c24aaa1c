/* Adam: the moments of all weights; adam.h has the formula. */
#include "nn/train/adam.h"

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

lm_adam lm_optimizer_rule(const lm_optimizer *o)
{
    return (lm_adam){
        .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .weight_decay = o->weight_decay, .max_norm = o->max_norm};
}

void lm_optimizer_step(lm_optimizer *o, double rate, lm_real *weights, const lm_real *gradient)
{
    const lm_adam rule = lm_optimizer_rule(o);
    o->t++;
    o->backend->control(o->backend, &(lm_control){.t = o->t, .rate = rate});
    o->backend->adam(o->backend, &rule, NULL, o->count, weights, gradient, o->first, o->second);
}
