/*
 * Files of Gaussian processes: the body of a model file (learn/model/model_file.c) with all training graphs as support
 * graphs, then weights, noise, targets, inverse weights of the graphs (or none) and the factor, row by row; docs/gaussian_processes.md has the table. The factor
 * is written and read some rows at a time. Time O(bytes).
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/serialize.h"
#include "learn/gaussian/gp.h"
#include <math.h>

enum { VERSION = LM_MODEL_VERSION };
#define LARGEST_WEIGHT 1e70 /* targets are at most 1e30 */

static const char MAGIC[8] = LM_GP_MAGIC;

/* ---- Writing --------------------------------------------------------------------------------- */

/* Stores elements first .. first + count - 1 of the rows of the lower triangle in to[count]. */
static leman_status read_triangle(void *user, size_t first, size_t count, void *to)
{
    const leman_gp *gp = user;
    const size_t n = lm_gp_size(gp);
    double *out = to;
    size_t i = (size_t)((sqrt(8 * (double)first + 1) - 1) / 2);
    while (i * (i + 1) / 2 > first) i--;
    while ((i + 1) * (i + 2) / 2 <= first) i++;
    for (size_t j = first - i * (i + 1) / 2; count; count--) {
        *out++ = gp->factor[i * n + j++];
        if (j > i) i++, j = 0;
    }
    return LEMAN_OK;
}

static leman_status write_gp(lm_serializer *serializer, void *state)
{
    leman_gp *gp = state;
    size_t blocks = gp->shape.blocks, n = lm_gp_size(gp), spread = gp->spread ? n : 0;
    PASS(lm_model_save(serializer, gp->model));
    PASS(lm_serialize_array(serializer, (void **)&gp->weight, &blocks, sizeof *gp->weight));
    PASS(lm_serialize_real(serializer, &gp->shape.noise));
    PASS(lm_serialize_array(serializer, (void **)&gp->target, &n, sizeof *gp->target));
    PASS(lm_serialize_array(serializer, (void **)&gp->spread, &spread, sizeof *gp->spread));
    return lm_serialize_elements(serializer, n * (n + 1) / 2, sizeof *gp->factor, read_triangle, gp);
}

leman_status leman_gp_write(leman_context *ctx, const leman_gp *gp, const char *path)
{
    REQUIRE(ctx, gp, path);
    AUTO(lm_output_abort) lm_output out = {0};
    leman_gp copy = *gp; /* the arrays are only read */
    PASS(lm_output_open(ctx, path, &out));
    PASS(lm_serializer_stream(&out, MAGIC, VERSION, write_gp, &copy));
    return lm_output_commit(&out);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool all_finite(const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(value[i])) return false;
    return true;
}

static leman_status read_factor(lm_serializer *serializer, leman_gp *gp)
{
    const size_t n = lm_gp_size(gp);
    lm_elements triangle;
    PASS(lm_serialize_skip(serializer, sizeof *gp->factor, &triangle));
    if (triangle.count != lm_saturating_multiply(n, n + 1) / 2)
        return lm_serializer_fail(serializer, "found a factor of %zu number%s for %zu graph%s", triangle.count,
                                  lm_plural(triangle.count), n, lm_plural(n));
    PASS_NEW(serializer->ctx, gp->factor, lm_saturating_multiply(n, n));
    for (size_t i = 0; i < n; i++) {
        double *row = gp->factor + i * n;
        lm_elements_copy(&triangle, i * (i + 1) / 2, i + 1, row);
        if (!(row[i] > 0) || !all_finite(row, i + 1))
            return lm_serializer_fail(serializer, "found a factor that is none of a covariance");
    }
    return LEMAN_OK;
}

static leman_status read_gp(lm_serializer *serializer, leman_gp **out)
{
    leman_context *ctx = serializer->ctx;
    AUTO(leman_gp_drop) leman_gp *gp = NULL;
    size_t blocks, targets, spread;
    PASS_NEW_ZERO(ctx, gp, 1);
    PASS(lm_model_load(serializer, true, &gp->model));
    const leman_model_shape *shape = &gp->model->shape;
    if (!shape->kernels || !shape->regression || lm_gp_size(gp) < 2)
        return lm_serializer_fail(serializer, "found a Gaussian process without kernels, targets or training graphs");
    PASS(lm_gp_set_blocks(ctx, gp));
    PASS(lm_serialize_array(serializer, (void **)&gp->weight, &blocks, sizeof *gp->weight));
    PASS(lm_serialize_real(serializer, &gp->shape.noise));
    PASS(lm_serialize_array(serializer, (void **)&gp->target, &targets, sizeof *gp->target));
    PASS(lm_serialize_array(serializer, (void **)&gp->spread, &spread, sizeof *gp->spread));
    if (!spread) { /* no graph has a weight of its own */
        lm_release(gp->spread);
        gp->spread = NULL;
    }
    if (spread && spread != lm_gp_size(gp))
        return lm_serializer_fail(serializer, "found %zu weight%s of %zu graph%s", spread, lm_plural(spread),
                                  lm_gp_size(gp), lm_plural(lm_gp_size(gp)));
    if (blocks != gp->shape.blocks || targets != lm_gp_size(gp))
        return lm_serializer_fail(serializer, "found %zu weight%s and %zu target%s, expected %zu and %zu", blocks,
                                  lm_plural(blocks), targets, lm_plural(targets), gp->shape.blocks, lm_gp_size(gp));
    bool sound = all_finite(gp->weight, blocks) && all_finite(gp->target, targets);
    for (size_t b = 0; b < blocks; b++) sound &= gp->weight[b] >= 0 && gp->weight[b] <= LARGEST_WEIGHT;
    for (size_t i = 0; i < spread; i++) sound &= gp->spread[i] >= 1e-101 && gp->spread[i] <= 1e101;
    if (!sound || !(gp->shape.noise > 0 && gp->shape.noise <= LARGEST_WEIGHT))
        return lm_serializer_fail(serializer, "found weights, noise or targets that are not possible");
    PASS(read_factor(serializer, gp));
    PASS(lm_serializer_end(serializer));
    PASS(lm_gp_complete(ctx, gp));
    if (!isfinite(gp->shape.log_likelihood) || !isfinite(gp->shape.mean) || !all_finite(gp->alpha, targets))
        return lm_serializer_fail(serializer, "found a factor that is none of a covariance");
    return HAND_OVER(out, gp);
}

leman_status lm_gp_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_gp **out)
{
    static const char WHAT[] = "a Gaussian process of leman fit";
    lm_serializer serializer = {0};
    leman_status st = bytes.data ? lm_serializer_parse(&serializer, ctx, path, bytes, MAGIC, VERSION, WHAT)
                                 : lm_serializer_open(&serializer, ctx, path, MAGIC, VERSION, WHAT);
    if (!st) st = read_gp(&serializer, out);
    return lm_serializer_finish(&serializer, st);
}

leman_status leman_gp_read(leman_context *ctx, const char *path, leman_gp **out)
{
    REQUIRE(ctx, path, out);
    return lm_gp_parse(ctx, path, (lm_bytes){0}, out);
}
