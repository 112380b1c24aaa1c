/*
 * Model files; docs/models.md has the table of their contents. One function both writes and reads. Others check every
 * number read that the library relies on later. Time O(bytes).
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/serialize.h"
#include "io/reading.h"
#include "kernel/features/feature_origin.h"
#include "kernel/features/features.h"
#include "learn/model/model.h"
#include "refine/variant.h"
#include <math.h>
#include <string.h>

enum { MAX_CLASSES = 1 << 20, MAX_LABEL_COLUMNS = 1 << 20 };

static const char MAGIC[8] = LM_MODEL_MAGIC;

/* ---- Parts ----------------------------------------------------------------------------------- */

static leman_status serialize_origin(lm_serializer *serializer, leman_model *m)
{
    SERIALIZE_SMALL(serializer, m->shape.svm, leman_svm, LEMAN_SVM_LINEAR);
    SERIALIZE_SMALL(serializer, m->multiclass, lm_multiclass, LM_ONE_VS_REST);
    PASS(lm_serialize_bool(serializer, &m->shape.regression));
    PASS(lm_serialize_bool(serializer, &m->shape.apex));
    PASS(lm_serialize_bool(serializer, &m->shape.directed));
    PASS(lm_serialize_size(serializer, &m->shape.vertex_labels, MAX_LABEL_COLUMNS));
    PASS(lm_serialize_size(serializer, &m->shape.edge_labels, MAX_LABEL_COLUMNS));
    SERIALIZE_SMALL(serializer, m->shape.rounds, uint32_t, LM_KERNEL_MAX_ROUNDS);
    PASS(lm_serialize_real(serializer, &m->shape.C));
    PASS(lm_serialize_real(serializer, &m->shape.score));
    PASS(lm_serialize_text(serializer, &m->data_name));
    PASS(lm_serialize_size(serializer, &m->shape.data_graphs, SIZE_MAX));
    PASS(lm_serialize_word(serializer, &m->shape.data_checksum));
    PASS(lm_serialize_size(serializer, &m->shape.folds, SIZE_MAX));
    PASS(lm_serialize_size(serializer, &m->shape.target, SIZE_MAX));
    PASS(lm_serialize_word(serializer, &m->shape.seed));
    return lm_reading_serialize(serializer, &m->shape.reading);
}

/* Columns, in groups of one kernel and round, followed by their keys. */
typedef struct groups {
    uint32_t *kernel, *round;
    uint64_t *columns, *key;
    size_t count;
} groups;

static void groups_free(groups *g)
{
    RELEASE(g->kernel, g->round, g->columns, g->key);
}

static leman_status groups_of(leman_context *ctx, const leman_features *f, groups *g)
{
    for (size_t i = 0; i < f->columns; i++)
        g->count +=
            !i || f->feature[i].kernel != f->feature[i - 1].kernel || f->feature[i].round != f->feature[i - 1].round;
    PASS_NEW(ctx, g->kernel, g->count);
    PASS_NEW(ctx, g->round, g->count);
    PASS_NEW(ctx, g->columns, g->count);
    PASS_NEW(ctx, g->key, f->columns);
    for (size_t i = 0, at = 0; i < f->columns; at++) {
        size_t first = i;
        g->kernel[at] = f->feature[i].kernel;
        g->round[at] = f->feature[i].round;
        for (; i < f->columns && f->feature[i].kernel == g->kernel[at] && f->feature[i].round == g->round[at]; i++)
            g->key[i] = f->feature[i].key;
        g->columns[at] = i - first;
    }
    return LEMAN_OK;
}

/* Returns true if the model can have columns of this kernel and round. A model of a feature file has no kernels and a
 * single block. */
static bool has_block(const leman_model *m, uint32_t kernel, uint32_t round)
{
    if (!m->shape.kernels) return !kernel && !round;
    return kernel < m->shape.kernels && round < lm_kernel_blocks(m->kernel + kernel, false) * LM_TRIPLE_LISTS;
}

/* Converts groups to columns. Refuses kernels and rounds that the model does not have, and columns out of order. */
static leman_status columns_of(lm_serializer *serializer, const groups *g, leman_model *m)
{
    leman_features *f = &m->features;
    size_t at = 0;
    PASS_NEW(serializer->ctx, f->feature, f->columns);
    for (size_t i = 0; i < g->count; i++) {
        if (!has_block(m, g->kernel[i], g->round[i]) || g->columns[i] > f->columns - at)
            return lm_serializer_fail(serializer, "found features of a kernel or round that it does not have");
        for (size_t end = at + g->columns[i]; at < end; at++) {
            f->feature[at] = (leman_feature){g->kernel[i], g->round[i], g->key[at]};
            if (at && !lm_feature_before(f->feature[at - 1], f->feature[at]))
                return lm_serializer_fail(serializer, "found features that are not in order");
        }
    }
    if (at != f->columns)
        return lm_serializer_fail(serializer, "found %zu feature%s, expected %zu", f->columns, lm_plural(f->columns),
                                  at);
    return LEMAN_OK;
}

static leman_status serialize_columns(lm_serializer *serializer, leman_model *m)
{
    AUTO(groups_free) groups g = {0};
    size_t same[2] = {0};
    if (serializer->writing) PASS(groups_of(serializer->ctx, &m->features, &g));
    same[0] = same[1] = g.count;
    PASS(lm_serialize_array(serializer, (void **)&g.kernel, &g.count, sizeof *g.kernel));
    PASS(lm_serialize_array(serializer, (void **)&g.round, &same[0], sizeof *g.round));
    PASS(lm_serialize_array(serializer, (void **)&g.columns, &same[1], sizeof *g.columns));
    if (same[0] != g.count || same[1] != g.count)
        return lm_serializer_fail(serializer, "found groups of features that do not match");
    PASS(lm_serialize_array(serializer, (void **)&g.key, &m->features.columns, sizeof *g.key));
    if (m->features.columns > UINT32_MAX) return lm_serializer_fail(serializer, "found more than 2^32 features");
    return serializer->writing ? LEMAN_OK : columns_of(serializer, &g, m);
}

static leman_status serialize_weights(lm_serializer *serializer, leman_model *m)
{
    size_t count = m->features.columns * m->outputs;
    PASS(lm_serialize_array(serializer, (void **)&m->weight, &count, sizeof *m->weight));
    if (m->outputs && (count / m->outputs != m->features.columns || count % m->outputs))
        PASS(lm_serializer_fail(serializer, "found %zu weight%s for %zu feature%s", count, lm_plural(count),
                                m->features.columns, lm_plural(m->features.columns)));
    for (size_t i = 0; i < count; i++)
        if (!isfinite(m->weight[i])) PASS(lm_serializer_fail(serializer, "found a weight that is no number"));
    if (!serializer->writing) PASS_NEW_ZERO(serializer->ctx, m->features.start, 1);
    return LEMAN_OK;
}

/* Returns true if the rows are a valid sparse matrix. */
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

static leman_status serialize_supports(lm_serializer *serializer, leman_model *m)
{
    leman_features *f = &m->features;
    size_t starts = f->rows + 1, entries = f->entries, coefficients = f->rows * m->outputs;
    PASS(lm_serialize_array(serializer, (void **)&f->start, &starts, sizeof *f->start));
    PASS(lm_serialize_array(serializer, (void **)&f->column, &f->entries, sizeof *f->column));
    PASS(lm_serialize_array(serializer, (void **)&f->value, serializer->writing ? &f->entries : &entries,
                            sizeof *f->value));
    PASS(lm_serialize_array(serializer, (void **)&m->coefficient, &coefficients, sizeof *m->coefficient));
    if (serializer->writing) return LEMAN_OK;
    if (!starts || entries != f->entries || !m->outputs || coefficients / m->outputs != starts - 1 ||
        coefficients % m->outputs)
        return lm_serializer_fail(serializer, "found support graphs whose parts do not match");
    f->rows = starts - 1;
    if (!rows_are_sound(f)) return lm_serializer_fail(serializer, "found support graphs that are no sparse rows");
    for (size_t i = 0; i < coefficients; i++)
        if (!isfinite(m->coefficient[i]))
            return lm_serializer_fail(serializer, "found a coefficient that is no number");
    return LEMAN_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static leman_status check_outputs(const lm_serializer *serializer, const leman_model *m)
{
    size_t expected = m->shape.regression ? 1 : lm_multiclass_outputs(m->multiclass, m->shape.classes);
    if (m->shape.regression ? m->shape.classes != 0 : m->shape.classes < 2 || m->shape.classes > MAX_CLASSES)
        return lm_serializer_fail(serializer, "found %zu class%s, expected %s", m->shape.classes,
                                  lm_plural_of(m->shape.classes, "", "es"),
                                  m->shape.regression ? "none" : "two or more");
    if (m->outputs != expected)
        return lm_serializer_fail(serializer, "found %zu output%s, expected %zu", m->outputs, lm_plural(m->outputs),
                                  expected);
    for (size_t c = 1; c < m->shape.classes; c++)
        if (m->label[c - 1] >= m->label[c]) return lm_serializer_fail(serializer, "found classes that do not increase");
    for (size_t i = 0; i < m->outputs; i++)
        if (!isfinite(m->bias[i]) || !isfinite(m->sigmoid[i].a) || !isfinite(m->sigmoid[i].b))
            return lm_serializer_fail(serializer, "found an output whose numbers are not finite");
    if ((!m->shape.kernels && m->shape.svm != LEMAN_SVM_LINEAR) || m->shape.svm == LEMAN_SVM_AUTO ||
        !isfinite(m->shape.C) || !isfinite(m->shape.score))
        return lm_serializer_fail(serializer, "found an SVM without a kernel, a kind or a score");
    return LEMAN_OK;
}

static leman_status serialize_outputs(lm_serializer *serializer, leman_model *m)
{
    _Static_assert(sizeof(lm_platt) == 2 * sizeof(double), "a sigmoid is two numbers");
    size_t numbers = 2 * m->outputs;
    PASS(lm_serialize_array(serializer, (void **)&m->label, &m->shape.classes, sizeof *m->label));
    PASS(lm_serialize_array(serializer, (void **)&m->bias, &m->outputs, sizeof *m->bias));
    PASS(lm_serialize_array(serializer, (void **)&m->sigmoid, &numbers, sizeof(double)));
    if (numbers / 2 != m->outputs || numbers % 2)
        return lm_serializer_fail(serializer, "found %zu number%s of sigmoids", numbers, lm_plural(numbers));
    if (!serializer->writing) PASS(check_outputs(serializer, m));
    return LEMAN_OK;
}

static leman_status serialize_names(lm_serializer *serializer, leman_model *m)
{
    char none[] = "", *name = m->target_name ? m->target_name : none;
    bool named = m->class_name != NULL;
    PASS(lm_serialize_text(serializer, &name));
    if (!serializer->writing) m->target_name = name; /* "" becomes NULL below */
    PASS(lm_serialize_bool(serializer, &named));
    if (named && !m->shape.classes) PASS(lm_serializer_fail(serializer, "found names of classes in a regression"));
    if (named && !serializer->writing) PASS_NEW_ZERO(serializer->ctx, m->class_name, m->shape.classes);
    for (size_t c = 0; named && c < m->shape.classes; c++) PASS(lm_serialize_text(serializer, m->class_name + c));
    if (!serializer->writing && !*m->target_name) {
        lm_release(m->target_name);
        m->target_name = NULL;
    }
    return LEMAN_OK;
}

/* The number, class and name of each support graph. */
static leman_status serialize_support_origin(lm_serializer *serializer, leman_model *m)
{
    lm_support_origin *o = &m->origin;
    const size_t supports = m->features.rows;
    size_t count[3] = {supports, supports, supports},
           bytes = serializer->writing && supports ? o->name_end[supports - 1] : 0;
    PASS(lm_serialize_array(serializer, (void **)&o->graph, count, sizeof *o->graph));
    PASS(lm_serialize_array(serializer, (void **)&o->label, count + 1, sizeof *o->label));
    PASS(lm_serialize_array(serializer, (void **)&o->name_end, count + 2, sizeof *o->name_end));
    PASS(lm_serialize_array(serializer, (void **)&o->name, &bytes, 1));
    if (serializer->writing) return LEMAN_OK;
    bool sound = count[0] == supports && count[1] == supports && count[2] == supports;
    for (size_t i = 0; sound && i < supports; i++)
        sound = o->graph[i] < m->shape.data_graphs && o->name_end[i] >= (i ? o->name_end[i - 1] : 0) &&
                o->name_end[i] <= bytes;
    if (!sound) return lm_serializer_fail(serializer, "found names of support graphs that do not match");
    return LEMAN_OK;
}

/* The score that rounds and C were selected by. */
static leman_status serialize_selected_by(lm_serializer *serializer, leman_model *m)
{
    SERIALIZE_SMALL(serializer, m->shape.selected_by, leman_score, LEMAN_SCORE_R2);
    if (m->shape.selected_by == LEMAN_SCORE_AUTO || m->shape.regression != (m->shape.selected_by >= LEMAN_SCORE_MAE))
        return lm_serializer_fail(serializer, "found a score that does not fit what the model predicts");
    return LEMAN_OK;
}

/* The mean decision of each output, which files before version 3 do not have. */
static leman_status serialize_means(lm_serializer *serializer, leman_model *m)
{
    size_t count = m->mean ? m->outputs : 0;
    if (!serializer->writing && serializer->version < 3) return LEMAN_OK;
    PASS(lm_serialize_array(serializer, (void **)&m->mean, &count, sizeof *m->mean));
    if (count && count != m->outputs)
        return lm_serializer_fail(serializer, "found %zu mean%s for %zu output%s", count, lm_plural(count), m->outputs,
                                  lm_plural(m->outputs));
    for (size_t i = 0; i < count; i++)
        if (!isfinite(m->mean[i])) return lm_serializer_fail(serializer, "found a mean that is no number");
    if (!serializer->writing && !count) {
        lm_release(m->mean);
        m->mean = NULL;
    }
    return LEMAN_OK;
}

static leman_status serialize_model(lm_serializer *serializer, leman_model *m)
{
    bool weights = m->weight != NULL;
    PASS(serialize_origin(serializer, m));
    PASS(lm_kernels_serialize(serializer, &m->kernel, &m->shape.kernels));
    if (lm_model_has_binnings(m)) PASS(lm_attribute_scale_serialize(serializer, &m->scale));
    PASS(serialize_outputs(serializer, m));
    PASS(serialize_columns(serializer, m));
    PASS(lm_serialize_bool(serializer, &weights));
    if (weights != (!m->gaussian && lm_kernels_are_linear(m->kernel, m->shape.kernels)))
        return lm_serializer_fail(serializer,
                                  "found weights with an assignment or Tanimoto kernel, or support graphs without one");
    PASS(weights ? serialize_weights(serializer, m) : serialize_supports(serializer, m));
    PASS(serialize_selected_by(serializer, m));
    PASS(serialize_names(serializer, m));
    if (!weights) PASS(serialize_support_origin(serializer, m));
    PASS(serialize_means(serializer, m));
    return lm_domain_serialize(serializer, &m->domain, m->shape.classes);
}

leman_status lm_model_save(lm_serializer *serializer, const leman_model *model)
{
    leman_model copy = *model; /* the arrays are only read */
    return serialize_model(serializer, &copy);
}

leman_status lm_model_load(lm_serializer *serializer, bool gaussian, leman_model **out)
{
    AUTO(leman_model_drop) leman_model *model = NULL;
    PASS_NEW_ZERO(serializer->ctx, model, 1);
    model->gaussian = gaussian;
    PASS(serialize_model(serializer, model));
    PASS(lm_model_set_shape(serializer->ctx, model));
    return HAND_OVER(out, model);
}

leman_status leman_model_write(leman_context *ctx, const leman_model *model, const char *path)
{
    AUTO(lm_serializer_close) lm_serializer serializer = {0};
    REQUIRE(ctx, model, path);
    PASS(lm_serializer_begin(&serializer, ctx, path));
    PASS(lm_model_save(&serializer, model));
    return lm_serializer_save(&serializer, MAGIC, LM_MODEL_VERSION);
}

leman_status lm_model_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_model **out)
{
    static const char WHAT[] = "a model of leman fit";
    AUTO(leman_model_drop) leman_model *model = NULL;
    lm_serializer serializer = {0};
    leman_status st = bytes.data ? lm_serializer_parse(&serializer, ctx, path, bytes, MAGIC, LM_MODEL_VERSION, WHAT)
                                 : lm_serializer_open(&serializer, ctx, path, MAGIC, LM_MODEL_VERSION, WHAT);
    if (!st) st = lm_model_load(&serializer, false, &model);
    if (!st) st = lm_serializer_end(&serializer);
    if (!st) st = HAND_OVER(out, model);
    return lm_serializer_finish(&serializer, st);
}

leman_status leman_model_read(leman_context *ctx, const char *path, leman_model **out)
{
    REQUIRE(ctx, path, out);
    return lm_model_parse(ctx, path, (lm_bytes){0}, out);
}
