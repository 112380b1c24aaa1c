/* The kernels of a caller: copied, checked, brought to normal form, and with LEMAN_STABLE replaced by a number. */
#include "base/arguments.h"
#include "base/drop.h"
#include "kernel/counts/binning.h"
#include "kernel/kernel.h"
#include "refine/device_choice.h"
#include "refine/variant.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { LAST_KIND = LEMAN_KERNEL_KIND_COUNT - 1 };

bool lm_kernel_has_radius(const leman_kernel *kernel)
{
    return kernel->kind >= LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH && kernel->kind <= LEMAN_KERNEL_KIND_TREES;
}

bool lm_kernel_is_of_pairs(const leman_kernel *kernel)
{
    return kernel->kind == LEMAN_KERNEL_KIND_RANDOM_WALK || kernel->kind == LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED ||
           kernel->kind == LEMAN_KERNEL_KIND_GRAPH_HOPPER;
}

leman_status lm_pairs_refuse(leman_context *ctx, const leman_kernel *kernel, const char *wanted)
{
    char name[LM_SENTENCE / 4];
    leman_kernels_paper_name(kernel, 1, name, sizeof name);
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "%s is computed pair by pair and has no %s; expected a colouring such as 1-WL or delta-2-LWL, SP or "
                   "GR, or the Gram matrix of %s",
                   name, wanted, name);
}

leman_status lm_linear_refuse(leman_context *ctx)
{
    return lm_fail(
        ctx, LEMAN_ERROR_ARGUMENT,
        "found a linear SVM with an assignment kernel or with Tanimoto normalisation, which has no features, "
        "expected a kernel SVM");
}

bool leman_kernel_has_features(const leman_kernel *given)
{
    leman_kernel kernel = leman_kernel_default();
    if (!given || lm_options_copy(NULL, "leman_kernel", given, &kernel, sizeof kernel)) return false;
    return !kernel.assignment && !lm_kernel_is_of_pairs(&kernel);
}

static leman_status check_real(leman_context *ctx, const char *name, double value)
{
    if (value > 0 && isfinite(value)) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found %g, expected a number above 0", name, value);
}

static leman_status check_count(leman_context *ctx, const char *name, unsigned value, unsigned least, unsigned most)
{
    if (value >= least && value <= most) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found %u, expected %u to %u", name, value, least, most);
}

/* Checks the members that only some kinds use. */
static leman_status check_parameters(leman_context *ctx, const leman_kernel *kernel)
{
    const bool pyramid = kernel->kind == LEMAN_KERNEL_KIND_PYRAMID_MATCH;
    if (lm_kernel_is_of_pairs(kernel) && kernel->assignment)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found assignment with %s, which has no histograms; expected a colouring, SP or GR",
                       leman_kernel_name(kernel));
    if (pyramid && !kernel->assignment)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found PyramidMatch without assignment, expected a sum of minima");
    if (pyramid) PASS(check_count(ctx, "dimensions", kernel->dimensions, 1, LM_KERNEL_MAX_DIMENSIONS));
    if (pyramid) PASS(check_count(ctx, "levels", kernel->levels, 1, LM_KERNEL_MAX_LEVELS));
    if (kernel->kind == LEMAN_KERNEL_KIND_GRAPH_HOPPER) {
        PASS(lm_require_enum(ctx, "leman_kernel", "node_kernel", (int)kernel->node_kernel, LEMAN_NODE_KERNEL_BRIDGE));
        return check_real(ctx, "mu", kernel->mu);
    }
    if (!lm_kernel_is_of_pairs(kernel)) return LEMAN_OK;
    PASS(check_real(ctx, "lambda", kernel->lambda));
    return check_count(ctx, "steps", kernel->steps, 0, LM_KERNEL_MAX_STEPS);
}

/* Checks the random numbers of the caller. */
static leman_status check_projections(leman_context *ctx, const leman_kernel *kernel, const leman_projections *given)
{
    if (!given->direction || !given->offset)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found projections without %s, expected directions and offsets",
                       given->direction ? "offset" : "direction");
    if (given->label && given->separate)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found projections of labels with separate bins, expected one bin");
    if (given->label && kernel->coloring.ignore_vertex_labels)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found projections of labels that are ignored, expected one of them");
    for (size_t i = 1; given->label && i < given->columns; i++)
        if (given->label[i] <= given->label[i - 1])
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "labels of projections: found %lld behind %lld, expected more",
                           (long long)given->label[i], (long long)given->label[i - 1]);
    return LEMAN_OK;
}

leman_status lm_projections_refuse(leman_context *ctx, const leman_kernel *kernel)
{
    if (!kernel->projections) return LEMAN_OK;
    return lm_fail(
        ctx, LEMAN_ERROR_ARGUMENT,
        "found projections of the caller, expected a seed: only Gram matrices are computed from projections");
}

/* Checks the members about hashes of attributes and labels. */
static leman_status check_hashes(leman_context *ctx, const leman_kernel *kernel)
{
    const bool propagation = kernel->kind == LEMAN_KERNEL_KIND_PROPAGATION;
    if (kernel->binnings > LM_KERNEL_MAX_BINNINGS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "binnings of a kernel: found %u, expected a number up to %d",
                       kernel->binnings, LM_KERNEL_MAX_BINNINGS);
    if (kernel->binnings && kernel->kind == LEMAN_KERNEL_KIND_GRAPHLET && kernel->graphlet > LM_KERNEL_MIN_GRAPHLET)
        return lm_fail(
            ctx, LEMAN_ERROR_ARGUMENT,
            "size of graphlets with binnings of attributes: found %u, expected 3: larger graphlets have no labels",
            kernel->graphlet);
    if (kernel->binnings && lm_kernel_is_of_pairs(kernel))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found binnings of attributes for %s, expected a colouring, SP, GR or Propagation",
                       leman_kernel_name(kernel));
    if (!(kernel->bin_width > 0 && kernel->bin_width <= DBL_MAX))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "bin width: found %g, expected a positive number", kernel->bin_width);
    if (!(kernel->label_width > 0 && kernel->label_width <= DBL_MAX))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "bin width of labels: found %g, expected a positive number",
                       kernel->label_width);
    if (propagation && kernel->coloring.rounds > LM_KERNEL_MAX_ROUNDS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "rounds of a propagation kernel: found %s, expected a number up to %d",
                       kernel->coloring.rounds == LEMAN_STABLE ? "LEMAN_STABLE" : "more", LM_KERNEL_MAX_ROUNDS);
    if (!kernel->projections) return LEMAN_OK;
    leman_projections given = leman_projections_default();
    PASS(lm_options_copy(ctx, "leman_projections", kernel->projections, &given, sizeof given));
    if (!propagation || kernel->binnings != !given.label)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found projections, expected a propagation kernel, with one binning exactly if the projections "
                       "are those of attributes");
    return check_projections(ctx, kernel, &given);
}

/* Checks normalisation and atom labels. */
static leman_status check_forms(leman_context *ctx, const leman_kernel *kernel)
{
    PASS(lm_require_enum(ctx, "leman_kernel", "normalization", (int)kernel->normalization,
                         LEMAN_NORMALIZATION_COUNT - 1));
    if (kernel->atom_labels && kernel->atom_labels != LEMAN_ATOM_ECFP && kernel->atom_labels != LEMAN_ATOM_FCFP)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "atom_labels of a kernel: found %u, expected LEMAN_ATOM_ECFP, LEMAN_ATOM_FCFP or 0",
                       kernel->atom_labels);
    if ((kernel->atom_labels || kernel->fixed_rounds) && kernel->kind != LEMAN_KERNEL_KIND_COLORS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found atom_labels or fixed_rounds with %s, expected a colouring",
                       leman_kernel_name(kernel));
    return LEMAN_OK;
}

leman_status lm_kernel_check_atoms(leman_context *ctx, const leman_kernel *kernel, const leman_dataset *data)
{
    if (!kernel->atom_labels) return LEMAN_OK;
    const bool connectivity = kernel->atom_labels == LEMAN_ATOM_ECFP;
    const int64_t first = connectivity ? LM_ECFP_LABELS : LM_FCFP_LABELS;
    const size_t columns = data->columns.vertex_labels;
    bool right = columns == 1;
    for (size_t v = data->graph_start[0]; right && v < data->graph_start[data->graphs]; v++)
        right = data->vertex_label[v] >= first && data->vertex_label[v] - first < LM_FCFP_LABELS - LM_ECFP_LABELS;
    if (right || !data->graphs || data->graph_start[data->graphs] == data->graph_start[0]) return LEMAN_OK;
    char name[64];
    leman_kernels_paper_name(kernel, 1, name, sizeof name);
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "%s: found other atom labels, expected those of %s: --atom-labels %s, in Python "
                   "atom_labels=\"%s\"",
                   data->name, name, connectivity ? "ecfp" : "fcfp", connectivity ? "ecfp" : "fcfp");
}

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
    if (hashes && kernel.bits && kernel.binnings)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found hashes of %u bits with binnings of attributes, expected one of them: bins are no numbers "
                       "below 2^bits",
                       (unsigned)kernel.bits);
    PASS(check_parameters(ctx, &kernel));
    if (kernel.kind == LEMAN_KERNEL_KIND_COLORS) {
        PASS(lm_coloring_check(ctx, &asked->coloring, &kernel.coloring));
        if (kernel.coloring.rounds == LEMAN_STABLE && !stable)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "rounds of a kernel: found LEMAN_STABLE, expected a number up to %d", LM_KERNEL_MAX_ROUNDS);
        if (kernel.coloring.rounds != LEMAN_STABLE && kernel.coloring.rounds > LM_KERNEL_MAX_ROUNDS)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "rounds of a kernel: found %u, expected a number up to %d",
                           kernel.coloring.rounds, LM_KERNEL_MAX_ROUNDS);
    }
    PASS(check_hashes(ctx, &kernel));
    PASS(check_forms(ctx, &kernel));
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
        if (copy[i].normalization != copy->normalization)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "found a sum of kernels with %s and %s as normalization, expected one for all",
                           leman_normalization_name(copy->normalization),
                           leman_normalization_name(copy[i].normalization));
    }
    *out = copy;
    return LEMAN_OK;
}

/* Sets *rounds to the first round after which no class splits: of one binning, if the kernel has binnings. */
static leman_status stable_round(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                 uint32_t binning, uint32_t *rounds)
{
    AUTO(leman_census_drop) leman_census *census = NULL;
    AUTO(lm_binned_free) lm_binned binned = {.data = *data, .kernel = *kernel};
    if (kernel->binnings) PASS(lm_binned_new(ctx, data, kernel, binning, &binned));
    PASS(leman_census_compute(ctx, &binned.data, &binned.kernel.coloring, false, &census));
    if (census->stable_round < 0) return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "a colouring did not become stable");
    *rounds = (uint32_t)census->stable_round;
    return LEMAN_OK;
}

leman_status lm_kernels_resolve(leman_context *ctx, const leman_dataset *data, leman_kernel *kernels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (kernels[i].kind != LEMAN_KERNEL_KIND_COLORS || kernels[i].coloring.rounds != LEMAN_STABLE) continue;
        uint32_t rounds = 0, more = 0;
        for (uint32_t b = 0; b < kernels[i].binnings || !b; b++) {
            PASS(stable_round(ctx, data, kernels + i, b, &more));
            if (more > rounds) rounds = more;
        }
        kernels[i].coloring.rounds = rounds;
        PASS(lm_kernel_check(ctx, kernels + i, &(leman_kernel){0}));
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
        const uint64_t hashes[] = {k->binnings, k->hash_seed, k->hellinger};
        const double widths[] = {k->weight, k->bin_width, k->label_width};
        sum = lm_checksum(widths, sizeof widths, lm_checksum(hashes, sizeof hashes, sum));
        const uint64_t forms[] = {(uint64_t)k->normalization, k->atom_labels, k->fixed_rounds};
        if (forms[0] + forms[1] + forms[2]) sum = lm_checksum(forms, sizeof forms, sum);
        if (k->kind <= LEMAN_KERNEL_KIND_GRAPHLET) continue;
        const uint64_t counts[] = {k->steps, k->exponential, (uint64_t)k->node_kernel, k->dimensions, k->levels};
        const double reals[] = {k->lambda, k->mu};
        sum = lm_checksum(counts, sizeof counts, sum);
        sum = lm_checksum(reals, sizeof reals, sum);
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
