/*
 * Models as files; docs/models.md has the table. One function writes and reads, another looks at what was read: every
 * number that another part of the library will rely on. O(bytes).
 */
#include "base/pack.h"
#include "kernel/features.h"
#include "learn/model.h"
#include "refine/variant.h"
#include <math.h>
#include <string.h>

enum { VERSION = 1, MOST_KERNELS = 1000, MOST_CLASSES = 1 << 20 };

static const char MAGIC[8] = LM_MODEL_MAGIC;

/* An enum, a 32-bit or a larger number, as a word; `most` is for reading. */
#define PACK_SMALL(pack, value, type, most)                                                                            \
    do {                                                                                                               \
        size_t small = (size_t)(value);                                                                                \
        TRY(lm_pack_size((pack), &small, (most)));                                                                     \
        (value) = (type)small;                                                                                         \
    } while (0)

/* ---- Parts ----------------------------------------------------------------------------------- */

static leman_status pack_kernel(lm_pack *pack, leman_kernel *kernel)
{
    leman_status st = LEMAN_OK;
    leman_coloring *c = &kernel->coloring;
    PACK_SMALL(pack, kernel->kind, leman_kernel_kind, LEMAN_KERNEL_GRAPHLET);
    PACK_SMALL(pack, c->algorithm, leman_algorithm, LEMAN_FOLKLORE);
    PACK_SMALL(pack, c->k, unsigned, LM_MAX_K);
    PACK_SMALL(pack, c->rounds, uint32_t, LM_MOST_ROUNDS);
    PACK_SMALL(pack, kernel->size, unsigned, 5);
    TRY(lm_pack_bool(pack, &c->count_every_round));
    TRY(lm_pack_bool(pack, &c->ignore_vertex_labels));
    TRY(lm_pack_bool(pack, &c->ignore_edge_labels));
    TRY(lm_pack_bool(pack, &c->in_arcs));
    TRY(lm_pack_bool(pack, &kernel->assignment));
    TRY(lm_pack_bool(pack, &kernel->weighted));
    TRY(lm_pack_word(pack, &c->seed));
    TRY(lm_pack_real(pack, &kernel->weight));
    if (!pack->writing && lm_kernel_check(pack->ctx, kernel, kernel)) {
        char reason[LM_SENTENCE];
        memcpy(reason, pack->ctx->message, sizeof reason);
        TRY(lm_pack_fail(pack, "found a kernel that cannot be: %s", reason));
    }
done:
    return st;
}

static leman_status pack_kernels(lm_pack *pack, leman_model *m)
{
    leman_status st = LEMAN_OK;
    TRY(lm_pack_size(pack, &m->kernels, MOST_KERNELS));
    if (!pack->writing) {
        NEW(pack->ctx, m->kernel, m->kernels);
        for (size_t i = 0; i < m->kernels; i++) m->kernel[i] = leman_kernel_default();
    }
    for (size_t i = 0; i < m->kernels; i++) TRY(pack_kernel(pack, m->kernel + i));
done:
    return st;
}

static leman_status pack_origin(lm_pack *pack, leman_model *m)
{
    leman_status st = LEMAN_OK;
    PACK_SMALL(pack, m->machine, leman_machine, LEMAN_MACHINE_LINEAR);
    PACK_SMALL(pack, m->machines, lm_machines, LM_MACHINES_RESTS);
    TRY(lm_pack_bool(pack, &m->regression));
    TRY(lm_pack_bool(pack, &m->apex));
    TRY(lm_pack_bool(pack, &m->directed));
    TRY(lm_pack_size(pack, &m->vertex_labels, SIZE_MAX));
    TRY(lm_pack_size(pack, &m->edge_labels, SIZE_MAX));
    PACK_SMALL(pack, m->rounds, uint32_t, LM_MOST_ROUNDS);
    TRY(lm_pack_real(pack, &m->C));
    TRY(lm_pack_real(pack, &m->score));
    TRY(lm_pack_text(pack, &m->data_name));
    TRY(lm_pack_size(pack, &m->data_graphs, SIZE_MAX));
    TRY(lm_pack_word(pack, &m->data_checksum));
    TRY(lm_pack_size(pack, &m->folds, SIZE_MAX));
    TRY(lm_pack_size(pack, &m->target, SIZE_MAX));
    TRY(lm_pack_word(pack, &m->seed));
done:
    return st;
}

/* Columns in groups of one kernel and round, then their keys. */
typedef struct groups {
    uint32_t *kernel, *round;
    uint64_t *columns, *key;
    size_t count;
} groups;

static leman_status groups_of(leman_context *ctx, const leman_features *f, groups *g)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < f->columns; i++)
        g->count +=
            !i || f->feature[i].kernel != f->feature[i - 1].kernel || f->feature[i].round != f->feature[i - 1].round;
    NEW(ctx, g->kernel, g->count);
    NEW(ctx, g->round, g->count);
    NEW(ctx, g->columns, g->count);
    NEW(ctx, g->key, f->columns);
    for (size_t i = 0, at = 0; i < f->columns; at++) {
        size_t first = i;
        g->kernel[at] = f->feature[i].kernel;
        g->round[at] = f->feature[i].round;
        for (; i < f->columns && f->feature[i].kernel == g->kernel[at] && f->feature[i].round == g->round[at]; i++)
            g->key[i] = f->feature[i].key;
        g->columns[at] = i - first;
    }
done:
    return st;
}

/* From groups to columns; kernels and rounds that there are not, and columns out of order, are refused. */
static leman_status columns_of(lm_pack *pack, const groups *g, leman_model *m)
{
    leman_status st = LEMAN_OK;
    leman_features *f = &m->features;
    size_t at = 0;
    NEW(pack->ctx, f->feature, f->columns);
    for (size_t i = 0; i < g->count; i++) {
        if (g->kernel[i] >= m->kernels || g->columns[i] > f->columns - at ||
            g->round[i] >= lm_kernel_blocks(m->kernel + g->kernel[i], false) * LM_BAG_LISTS)
            TRY(lm_pack_fail(pack, "found features of a kernel or round that it does not have"));
        for (size_t end = at + g->columns[i]; at < end; at++) {
            f->feature[at] = (leman_feature){g->kernel[i], g->round[i], g->key[at]};
            if (at && !lm_feature_before(f->feature[at - 1], f->feature[at]))
                TRY(lm_pack_fail(pack, "found features that are not in order"));
        }
    }
    if (at != f->columns) TRY(lm_pack_fail(pack, "found %zu features, expected %zu", f->columns, at));
done:
    return st;
}

static leman_status pack_columns(lm_pack *pack, leman_model *m)
{
    leman_status st = LEMAN_OK;
    groups g = {0};
    size_t same[2] = {0};
    if (pack->writing) TRY(groups_of(pack->ctx, &m->features, &g));
    same[0] = same[1] = g.count;
    TRY(lm_pack_array(pack, (void **)&g.kernel, &g.count, sizeof *g.kernel));
    TRY(lm_pack_array(pack, (void **)&g.round, &same[0], sizeof *g.round));
    TRY(lm_pack_array(pack, (void **)&g.columns, &same[1], sizeof *g.columns));
    if (same[0] != g.count || same[1] != g.count) TRY(lm_pack_fail(pack, "found groups of features that do not match"));
    TRY(lm_pack_array(pack, (void **)&g.key, &m->features.columns, sizeof *g.key));
    if (m->features.columns > UINT32_MAX) TRY(lm_pack_fail(pack, "found more than 2^32 features"));
    if (!pack->writing) TRY(columns_of(pack, &g, m));
done:
    lm_free(pack->ctx, g.kernel);
    lm_free(pack->ctx, g.round);
    lm_free(pack->ctx, g.columns);
    lm_free(pack->ctx, g.key);
    return st;
}

static leman_status pack_weights(lm_pack *pack, leman_model *m)
{
    leman_status st = LEMAN_OK;
    size_t count = m->features.columns * m->outputs;
    TRY(lm_pack_array(pack, (void **)&m->weight, &count, sizeof *m->weight));
    if (m->outputs && (count / m->outputs != m->features.columns || count % m->outputs))
        TRY(lm_pack_fail(pack, "found %zu weights for %zu features", count, m->features.columns));
    for (size_t i = 0; i < count; i++)
        if (!isfinite(m->weight[i])) TRY(lm_pack_fail(pack, "found a weight that is no number"));
    if (!pack->writing) {
        NEW(pack->ctx, m->features.start, 1);
        m->features.start[0] = 0;
    }
done:
    return st;
}

/* Do the rows hold what a sparse matrix promises? */
static bool rows_are_sound(const leman_features *f)
{
    if (f->start[0] != 0 || f->start[f->rows] != f->entries) return false;
    for (size_t i = 0; i < f->rows; i++)
        if (f->start[i] > f->start[i + 1] || f->start[i + 1] > f->entries) return false;
    for (size_t i = 0; i < f->rows; i++)
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++)
            if (f->column[e] >= f->columns || (e > f->start[i] && f->column[e] <= f->column[e - 1]) ||
                !(f->value[e] > 0 && isfinite(f->value[e])))
                return false;
    return true;
}

static leman_status pack_supports(lm_pack *pack, leman_model *m)
{
    leman_status st = LEMAN_OK;
    leman_features *f = &m->features;
    size_t starts = f->rows + 1, entries = f->entries, coefficients = f->rows * m->outputs;
    TRY(lm_pack_array(pack, (void **)&f->start, &starts, sizeof *f->start));
    TRY(lm_pack_array(pack, (void **)&f->column, &f->entries, sizeof *f->column));
    TRY(lm_pack_array(pack, (void **)&f->value, pack->writing ? &f->entries : &entries, sizeof *f->value));
    TRY(lm_pack_array(pack, (void **)&m->coefficient, &coefficients, sizeof *m->coefficient));
    if (pack->writing) goto done;
    if (!starts || entries != f->entries || !m->outputs || coefficients / m->outputs != starts - 1 ||
        coefficients % m->outputs)
        TRY(lm_pack_fail(pack, "found support graphs whose parts do not match"));
    f->rows = starts - 1;
    if (!rows_are_sound(f)) TRY(lm_pack_fail(pack, "found support graphs that are no sparse rows"));
    for (size_t i = 0; i < coefficients; i++)
        if (!isfinite(m->coefficient[i])) TRY(lm_pack_fail(pack, "found a coefficient that is no number"));
done:
    return st;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static leman_status check_outputs(const lm_pack *pack, const leman_model *m)
{
    size_t expected = m->regression ? 1 : lm_machines_count(m->machines, m->classes);
    if (m->regression ? m->classes != 0 : m->classes < 2 || m->classes > MOST_CLASSES)
        return lm_pack_fail(pack, "found %zu classes, expected %s", m->classes, m->regression ? "none" : "two or more");
    if (m->outputs != expected) return lm_pack_fail(pack, "found %zu machines, expected %zu", m->outputs, expected);
    for (size_t c = 1; c < m->classes; c++)
        if (m->label[c - 1] >= m->label[c]) return lm_pack_fail(pack, "found classes that do not increase");
    for (size_t i = 0; i < m->outputs; i++)
        if (!isfinite(m->bias[i]) || !isfinite(m->sigmoid[i].slope) || !isfinite(m->sigmoid[i].offset))
            return lm_pack_fail(pack, "found a machine whose numbers are not finite");
    if (!m->kernels || m->machine == LEMAN_MACHINE_AUTO || !isfinite(m->C) || !isfinite(m->score))
        return lm_pack_fail(pack, "found a machine without a kernel, a kind or a score");
    return LEMAN_OK;
}

static leman_status pack_outputs(lm_pack *pack, leman_model *m)
{
    leman_status st = LEMAN_OK;
    _Static_assert(sizeof(lm_sigmoid) == 2 * sizeof(double), "a sigmoid is two numbers");
    size_t numbers = 2 * m->outputs;
    TRY(lm_pack_array(pack, (void **)&m->label, &m->classes, sizeof *m->label));
    TRY(lm_pack_array(pack, (void **)&m->bias, &m->outputs, sizeof *m->bias));
    TRY(lm_pack_array(pack, (void **)&m->sigmoid, &numbers, sizeof(double)));
    if (numbers / 2 != m->outputs || numbers % 2) TRY(lm_pack_fail(pack, "found %zu numbers of sigmoids", numbers));
    if (!pack->writing) TRY(check_outputs(pack, m));
done:
    return st;
}

static leman_status pack_model(lm_pack *pack, leman_model *m)
{
    leman_status st = LEMAN_OK;
    bool weights = m->weight != NULL, minima = false;
    TRY(pack_origin(pack, m));
    TRY(pack_kernels(pack, m));
    TRY(pack_outputs(pack, m));
    TRY(pack_columns(pack, m));
    TRY(lm_pack_bool(pack, &weights));
    for (size_t i = 0; i < m->kernels; i++) minima |= m->kernel[i].assignment;
    if (weights == minima) TRY(lm_pack_fail(pack, "found weights with sums of minima, or support graphs without"));
    TRY(weights ? pack_weights(pack, m) : pack_supports(pack, m));
done:
    return st;
}

leman_status leman_model_write(leman_context *ctx, const leman_model *model, const char *path)
{
    leman_status st = LEMAN_OK;
    lm_pack pack = {0};
    leman_model copy = *model; /* its arrays are only read */
    TRY(lm_pack_begin(&pack, ctx, path));
    TRY(pack_model(&pack, &copy));
    TRY(lm_pack_save(&pack, MAGIC, VERSION));
done:
    lm_pack_close(&pack);
    return st;
}

/* The rest of reading, once the pack is open. */
static leman_status unpack(leman_context *ctx, lm_pack *pack, leman_model **out)
{
    leman_status st = LEMAN_OK;
    leman_model *model = NULL;
    TRY(lm_model_new(ctx, &model));
    TRY(pack_model(pack, model));
    TRY(lm_pack_end(pack));
    *out = model;
done:
    if (st) leman_model_free(model);
    return st;
}

leman_status lm_model_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_model **out)
{
    lm_pack pack = {0};
    leman_status st = lm_pack_parse(&pack, ctx, path, bytes, MAGIC, VERSION, "a model of leman fit");
    if (!st) st = unpack(ctx, &pack, out);
    lm_pack_close(&pack);
    return st;
}

leman_status leman_model_read(leman_context *ctx, const char *path, leman_model **out)
{
    lm_pack pack = {0};
    leman_status st = lm_pack_open(&pack, ctx, path, MAGIC, VERSION, "a model of leman fit");
    if (!st) st = unpack(ctx, &pack, out);
    lm_pack_close(&pack);
    return st;
}
