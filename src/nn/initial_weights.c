/* Initial weights: each weight draws its numbers from a random stream of its own. O(numbers). */
#include "base/random.h"
#include "nn/executor.h"
#include <math.h>
#include <string.h>

enum { WEIGHT_STREAM = 0x77656967 };

/* The next initial number of a weight, before it is multiplied by the weight's value. */
static double initial_share(lm_initial initial, lm_random *random)
{
    const double pi = 3.141592653589793;
    if (initial == LM_CONSTANT) return 1;
    if (initial == LM_UNIFORM) return 2 * lm_random_real(random) - 1;
    const double radius = sqrt(-2 * log1p(-lm_random_real(random))); /* Box and Muller */
    return radius * cos(2 * pi * lm_random_real(random));
}

void lm_weights_initialize(const lm_program *p, uint64_t seed, lm_real *host)
{
    for (uint32_t i = 0; i < p->weights.count; i++) {
        const lm_weight *w = lm_program_weight(p, i);
        lm_random random = lm_random_stream(seed, WEIGHT_STREAM, lm_checksum(w->name, strlen(w->name), 0));
        for (size_t x = 0; x < w->rows * w->columns; x++) {
            double share = initial_share(w->initial, &random);
            host[w->offset + x] = (lm_real)(share * w->value);
        }
    }
}

leman_status lm_executor_initialize(lm_executor *e, uint64_t seed)
{
    AUTO(lm_release_at) lm_real *host = NULL;
    PASS_NEW(e->ctx, host, e->program->numbers);
    lm_weights_initialize(e->program, seed, host);
    PASS(lm_executor_weights_write(e, host));
    e->seed = seed;
    return LEMAN_OK;
}
