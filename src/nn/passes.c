/*
 * Passes in the caller's memory (leman/passes.h): the executor computes them, and what is here checks arguments and
 * copies weights in and gradients out. A pass costs what it costs in training, and O(weights) copies.
 */
#include "leman/passes.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "nn/backends.h"
#include "nn/network.h"
#include <stdio.h>
#include <string.h>

struct leman_passes {
    leman_context *ctx;
    const leman_network *network;
    lm_backend *backend;
    lm_executor *executor;
    lm_piece_copy *copies; /* [weights] workspace */
};

LM_OPTIONS(leman_passes_options, options, .precision = LEMAN_PRECISION_FP32)

/* ---- Making ---------------------------------------------------------------------------------- */

static leman_status copy_options(leman_context *ctx, const leman_passes_options *given, leman_passes_options *out)
{
    leman_passes_options_init(out, sizeof *out);
    PASS(lm_options_copy(ctx, "leman_passes_options", given, out, sizeof *out));
    REQUIRE_ENUM(ctx, out->device, LEMAN_DEVICE_COUNT - 1);
    REQUIRE_ENUM(ctx, out->precision, LEMAN_PRECISION_COUNT - 1);
    if (out->precision == LEMAN_PRECISION_BF16)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "precision: found bf16, expected fp32 or tf32");
    if (out->device_number < 0)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "device_number: found %d, expected a number from 0 on",
                       out->device_number);
    return LEMAN_OK;
}

static leman_status make_backend(leman_context *ctx, const leman_passes_options *options, lm_backend **out)
{
    const leman_precision before = ctx->settings.precision;
    char device[32] = "cpu";
    if (options->device == LEMAN_DEVICE_CUDA) snprintf(device, sizeof device, "cuda:%d", options->device_number);
    ctx->settings.precision = options->precision;
    const leman_status st = lm_backend_new(ctx, device, 0, out);
    ctx->settings.precision = before;
    return st;
}

leman_status leman_passes_new(leman_context *ctx, const leman_network *network, const leman_passes_options *options,
                              leman_passes **passes)
{
    AUTO(leman_passes_drop) leman_passes *p = NULL;
    leman_passes_options o;
    REQUIRE(ctx, network, passes);
    PASS(copy_options(ctx, options, &o));
    PASS_NEW(ctx, p, 1);
    *p = (leman_passes){.ctx = ctx, .network = network};
    PASS_NEW(ctx, p->copies, network->program->weights.count);
    PASS(make_backend(ctx, &o, &p->backend));
    PASS(lm_executor_new(ctx, network->program, p->backend, o.backward ? LM_TRAIN : LM_INFER, &p->executor));
    return HAND_OVER(passes, p);
}

void leman_passes_free(leman_passes *p)
{
    if (!p) return;
    lm_executor_free(p->executor);
    lm_backend_free(p->backend);
    RELEASE(p->copies, p);
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* Which weights are copied, and where to. */
typedef enum direction { ALL_IN, STATISTICS_OUT, GRADIENTS_OUT } direction;

/* Copies between the caller's weights, or gradients, and a block of all of them. NULL is left out. */
static void copy_weights(leman_passes *p, float *const *weight, lm_real *block, direction d)
{
    const lm_program *program = p->network->program;
    size_t count = 0;
    for (uint32_t i = 0; i < program->weights.count; i++) {
        const lm_weight *w = lm_program_weight(program, i);
        lm_real *const own = block + w->offset, *const callers = (lm_real *)(void *)weight[i];
        if (!callers || (d != ALL_IN && w->trainable != (d == GRADIENTS_OUT))) continue;
        p->copies[count] = (lm_piece_copy){
            .to = d == ALL_IN ? own : callers, .from = d == ALL_IN ? callers : own, .count = w->rows * w->columns};
        count++;
    }
    p->backend->copy_pieces(p->backend, p->copies, count);
}

static leman_status check_passes(leman_context *ctx, const leman_passes *p)
{
    if (ctx == p->ctx) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found another context, expected the one that the passes have");
}

static leman_status check_weights(leman_context *ctx, const leman_passes *p, float *const *weight)
{
    for (size_t i = 0; i < p->network->program->weights.count; i++)
        if (!weight[i])
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "weight[%zu]: found NULL, expected the numbers of %s", i,
                           lm_program_weight(p->network->program, (uint32_t)i)->name);
    return LEMAN_OK;
}

static void enter(leman_passes *p, void *stream)
{
    if (p->backend->enter) p->backend->enter(p->backend, stream);
}

static leman_status leave(leman_passes *p, void *stream, leman_status st)
{
    if (p->backend->leave) p->backend->leave(p->backend, stream);
    return st ? st : p->backend->status;
}

leman_status leman_passes_forward(leman_context *ctx, leman_passes *passes, const leman_batch *batch,
                                  float *const *weight, bool training, void *stream, float *output)
{
    REQUIRE(ctx, passes, batch, weight, output);
    PASS(check_passes(ctx, passes));
    PASS(check_weights(ctx, passes, weight));
    const lm_batch *encoded;
    PASS(lm_encoded_batch(ctx, passes->network, batch, &encoded));
    lm_executor *e = passes->executor;
    enter(passes, stream);
    copy_weights(passes, weight, e->weights, ALL_IN);
    const leman_status st = lm_executor_pass_forward(e, encoded, training, (lm_real *)(void *)output);
    if (!st && training) copy_weights(passes, weight, e->weights, STATISTICS_OUT);
    return leave(passes, stream, st);
}

leman_status leman_passes_backward(leman_context *ctx, leman_passes *passes, const float *output_gradient,
                                   float *const *gradient, void *stream)
{
    REQUIRE(ctx, passes, output_gradient, gradient);
    PASS(check_passes(ctx, passes));
    enter(passes, stream);
    const leman_status st = lm_executor_pass_backward(passes->executor, (const lm_real *)(const void *)output_gradient);
    if (!st) copy_weights(passes, gradient, passes->executor->gradients, GRADIENTS_OUT);
    return leave(passes, stream, st);
}
