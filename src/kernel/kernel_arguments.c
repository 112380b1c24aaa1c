/* The kernels of a caller: copied, checked, brought to normal form, and with LEMAN_STABLE replaced by a number. */
#include "base/arguments.h"
#include "base/drop.h"
#include "kernel/kernel.h"
#include "refine/device_choice.h"
#include "refine/variant.h"
#include <math.h>
#include <string.h>

enum { LAST_KIND = LEMAN_KERNEL_KIND_COUNT - 1 };

/* stable: rounds may be LEMAN_STABLE. */
static leman_status check(leman_context *ctx, const leman_kernel *asked, bool stable, leman_kernel *normal)
{
    leman_kernel kernel = *asked;
    if ((int)kernel.kind < 0 || (int)kernel.kind > LAST_KIND)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "kind of a kernel: found %d, expected a leman_kernel_kind, 0 to %d",
                       (int)kernel.kind, (int)LAST_KIND);
    if (!(kernel.weight >= LM_KERNEL_MIN_WEIGHT && kernel.weight <= LM_KERNEL_MAX_WEIGHT))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "weight of a kernel: found %g, expected a number from 1e-100 to 1e100", kernel.weight);
    if (kernel.kind == LEMAN_KERNEL_KIND_GRAPHLET &&
        (kernel.graphlet < LM_KERNEL_MIN_GRAPHLET || kernel.graphlet > LM_KERNEL_MAX_GRAPHLET))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "size of graphlets: found %u, expected 3, 4 or 5", kernel.graphlet);
    const bool hashes =
        kernel.kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH || kernel.kind == LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH;
    if (hashes && !kernel.radius)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "radius of a kernel: found 0, expected a number from 1 to %d",
                       LM_KERNEL_MAX_RADIUS);
    if (hashes && kernel.bits > LM_KERNEL_MAX_BITS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "bits of a kernel: found %u, expected a number up to %d", kernel.bits,
                       LM_KERNEL_MAX_BITS);
    if (kernel.kind == LEMAN_KERNEL_KIND_COLORS) {
        PASS(lm_coloring_check(ctx, &asked->coloring, &kernel.coloring));
        if (kernel.coloring.rounds == LEMAN_STABLE && !stable)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "rounds of a kernel: found LEMAN_STABLE, expected a number up to %d", LM_KERNEL_MAX_ROUNDS);
        if (kernel.coloring.rounds != LEMAN_STABLE && kernel.coloring.rounds > LM_KERNEL_MAX_ROUNDS)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "rounds of a kernel: found %u, expected a number up to %d",
                           kernel.coloring.rounds, LM_KERNEL_MAX_ROUNDS);
    }
    *normal = kernel;
    return LEMAN_OK;
}

leman_status lm_kernel_check(leman_context *ctx, const leman_kernel *asked, leman_kernel *normal)
{
    return check(ctx, asked, false, normal);
}

leman_status lm_kernels_copy(leman_context *ctx, const leman_kernel *kernels, size_t count, leman_kernel **out)
{
    leman_kernel *copy, normal;
    if (!count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "kernels: found none, expected at least one");
    if (!kernels) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "kernels: found NULL, expected %zu of them", count);
    PASS_SCRATCH(ctx, copy, count);
    for (size_t i = 0; i < count; i++) copy[i] = leman_kernel_default();
    PASS(lm_options_copy_array(ctx, "leman_kernel", kernels, count, copy, sizeof *copy));
    for (size_t i = 0; i < count; i++) {
        copy[i].coloring.size = sizeof copy->coloring;
        PASS(check(ctx, copy + i, true, &normal));
    }
    *out = copy;
    return LEMAN_OK;
}

leman_status lm_kernels_resolve(leman_context *ctx, const leman_dataset *data, leman_kernel *kernels, size_t count)
{
    AUTO(leman_census_drop) leman_census *census = NULL;
    for (size_t i = 0; i < count; i++) {
        if (kernels[i].kind != LEMAN_KERNEL_KIND_COLORS || kernels[i].coloring.rounds != LEMAN_STABLE) continue;
        PASS(leman_census_compute(ctx, data, &kernels[i].coloring, false, &census));
        if (census->stable_round < 0) return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "a colouring did not become stable");
        kernels[i].coloring.rounds = (uint32_t)census->stable_round;
        PASS(lm_kernel_check(ctx, kernels + i, &(leman_kernel){0}));
        leman_census_free(census);
        census = NULL;
    }
    return LEMAN_OK;
}

leman_status lm_kernels_want_device(leman_context *ctx, const leman_kernel *kernels, size_t count, bool *wanted)
{
    *wanted = false;
    for (size_t i = 0; i < count && !*wanted; i++) {
        if (kernels[i].kind == LEMAN_KERNEL_KIND_COLORS) PASS(lm_device_refines(ctx, &kernels[i].coloring, wanted));
    }
    return LEMAN_OK;
}

uint64_t lm_kernels_checksum(const leman_kernel *kernels, size_t count)
{
    uint64_t sum = count;
    for (size_t i = 0; i < count; i++) {
        const leman_kernel *k = kernels + i;
        const uint64_t members[] = {(uint64_t)k->kind, lm_coloring_checksum(&k->coloring),
                                    k->assignment,     k->graphlet,
                                    k->weighted,       k->radius,
                                    k->distance,       k->bits};
        sum = lm_checksum(members, sizeof members, sum);
        sum = lm_checksum(&k->weight, sizeof k->weight, sum);
    }
    return sum;
}

leman_status leman_kernels_resolve(leman_context *ctx, const leman_dataset *data, leman_kernel *kernels, size_t count)
{
    REQUIRE(ctx, data, kernels);
    SCRATCH_SCOPE(ctx);
    leman_kernel *copy;
    PASS(lm_kernels_copy(ctx, kernels, count, &copy));
    PASS(lm_kernels_resolve(ctx, data, copy, count));
    for (size_t i = 0; i < count; i++) { /* the caller's struct may be longer or shorter than ours */
        char *kernel = (char *)kernels + i * kernels->size;
        if (kernels->size >= offsetof(leman_kernel, coloring.rounds) + sizeof copy->coloring.rounds)
            memcpy(kernel + offsetof(leman_kernel, coloring.rounds), &copy[i].coloring.rounds,
                   sizeof copy->coloring.rounds);
    }
    return LEMAN_OK;
}
