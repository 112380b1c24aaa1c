/*
 * The domain of a model: the mean similarity of a graph to the five nearest of at most 1000 training graphs, evenly
 * spread over the training data. Graphs are compared by the counts of their 1-WL colours in rounds 0 to 2, the circular
 * environments of vertices, whatever the kernel of the model:
 *
 *   similarity(G, S) = sum of minima of counts / sum of maxima of counts
 *
 * The knot is the 30 % quantile of the similarities of the training graphs to references outside their own fold of the
 * cross-validation: nearness at which errors were measured and probabilities calibrated. A graph of similarity s is
 * inside by min(1, s / knot), and its probabilities are moved by this factor from the shares of the classes. For a
 * regression the deviation of a graph with the prediction f is how far the targets y of its nearest references S are,
 *
 *   d = sum of similarity(G, S)^2 |y_S - f| / sum of similarity(G, S)^2
 *
 * The absolute errors of the cross-validation are fitted by u = a + b (1 - s) + c d, and the quantiles of error / u give
 * intervals (normalised conformal prediction, Papadopoulos et al., 2008).
 *
 * Time: the refinement, and an addition for every colour and pair of a graph and a reference that share it.
 */
#include "learn/model/domain.h"
#include "base/drop.h"
#include "base/sort.h"
#include "base/weight.h"
#include "kernel/features/feature_lists.h"
#include "kernel/kernel.h"
#include "learn/model/model.h"
#include "learn/protocol/splits.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { REFERENCES = 1000, NEAREST = 5, ROUNDS = 2, SCORES = 1000 };
static const uint32_t NO_FOLD = UINT32_MAX;
static const uint64_t SLICE = UINT64_C(1) << 22; /* most vertices of a slice, over all rounds */
static const double KNOT = 0.3;                  /* quantile of the similarities of the training graphs */
static const double LEAST_SPREAD = 0.1;          /* smallest expected error, as a share of the mean error */

void lm_domain_clear(lm_domain *domain)
{
    lm_features_clear(&domain->reference);
    RELEASE(domain->base, domain->target, domain->score);
    *domain = (lm_domain){0};
}

/* ---- Similarities ---------------------------------------------------------------------------- */

/* 1-WL with the labels that the model's first kernel uses, as minima. */
static leman_status environments(leman_context *ctx, const leman_model *model, leman_kernel *kernel)
{
    const leman_coloring *own = &model->kernel->coloring;
    *kernel = leman_kernel_default();
    kernel->assignment = true;
    kernel->coloring.algorithm = LEMAN_ALGORITHM_LOCAL;
    kernel->coloring.k = 1;
    kernel->coloring.rounds = ROUNDS;
    kernel->coloring.ignore_vertex_labels = own->ignore_vertex_labels;
    kernel->coloring.ignore_edge_labels = own->ignore_edge_labels;
    return lm_kernel_check(ctx, kernel, kernel);
}

/* Graphs, and what they are compared with. */
typedef struct comparison {
    const leman_features *reference;
    const double *target;                  /* [references], or NULL */
    const uint32_t *fold, *reference_fold; /* of the graphs and the references: those of one fold are not compared; or
                                            * NULL */
    const double *value;                   /* [graphs] predictions, or NULL */
    double *similarity, *deviation;        /* [graphs]; deviation may be NULL */
} comparison;

/* The most similar references of one graph, the most similar first; of equal ones the first. */
typedef struct nearest {
    double similarity[NEAREST];
    size_t reference[NEAREST], count;
} nearest;

static void offer(nearest *n, double similarity, size_t reference)
{
    size_t at = n->count < NEAREST ? n->count++ : NEAREST;
    for (; at && n->similarity[at - 1] < similarity; at--)
        if (at < NEAREST) {
            n->similarity[at] = n->similarity[at - 1];
            n->reference[at] = n->reference[at - 1];
        }
    if (at == NEAREST) return;
    n->similarity[at] = similarity;
    n->reference[at] = reference;
}

static double mean_similarity(const nearest *n)
{
    double sum = 0;
    for (size_t i = 0; i < n->count; i++) sum += n->similarity[i];
    return n->count ? sum / (double)n->count : 0;
}

/* A graph that is like no reference has the deviation of the first ones, all with the same small weight. */
static double deviation_from(const nearest *n, const double *target, double value)
{
    static const double LEAST = 1e-9;
    double sum = 0, weights = 0;
    for (size_t i = 0; i < n->count; i++) {
        const double weight = n->similarity[i] * n->similarity[i] + LEAST;
        sum += weight * fabs(target[n->reference[i]] - value);
        weights += weight;
    }
    return n->count ? sum / weights : NAN;
}

/* Compares a graph, whose colours are a row of f and number `total`, with all references. minima[references] is
 * workspace. */
static void compare_row(const comparison *c, const lm_feature_lists *l, const leman_features *f, size_t row,
                        size_t graph, double total, double *minima)
{
    const size_t references = c->reference->rows;
    nearest n = {.count = 0};
    const uint64_t first = f->start[row];
    lm_feature_lists_sum(l, f->column + first, f->value + first, f->start[row + 1] - first, minima);
    for (size_t i = 0; i < references; i++) {
        const double all = total + l->self[i] - minima[i];
        if (!c->fold || c->fold[graph] != c->reference_fold[i]) offer(&n, all > 0 ? minima[i] / all : 0, i);
    }
    c->similarity[graph] = mean_similarity(&n);
    if (c->deviation) c->deviation[graph] = c->target ? deviation_from(&n, c->target, c->value[graph]) : NAN;
}

static leman_status compare(leman_context *ctx, const leman_kernel *kernel, const leman_dataset *data,
                            const comparison *c)
{
    SCRATCH_SCOPE(ctx);
    const int threads = ctx->settings.threads;
    const size_t references = c->reference->rows;
    lm_feature_lists lists;
    double *minima;
    PASS(lm_feature_lists_make(ctx, c->reference, kernel, &lists));
    PASS_SCRATCH(ctx, minima, lm_saturating_multiply(references, (size_t)threads));
    for (size_t first = 0, end; first < data->graphs; first = end) {
        end = lm_features_slice(data, kernel, 1, SLICE, first);
        const leman_dataset part = lm_dataset_range(data, first, end);
        AUTO(lm_features_clear) leman_features f = {0};
        PASS(lm_features_compact(ctx, &part, kernel, 1, false, c->reference, NULL, &f));
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
        for (size_t i = 0; i < f.rows; i++)
            compare_row(c, &lists, &f, i, first + i,
                        (ROUNDS + 1) * (double)leman_dataset_graph(data, first + i).vertices,
                        minima + references * (size_t)omp_get_thread_num());
    }
    return LEMAN_OK;
}

leman_status lm_domain_similarities(leman_context *ctx, const leman_model *model, const leman_dataset *view,
                                    const double *value, double *similarity, double *deviation)
{
    leman_kernel kernel;
    const lm_domain *domain = &model->domain;
    for (size_t g = 0; !domain->reference.rows && g < view->graphs; g++) {
        similarity[g] = NAN;
        if (deviation) deviation[g] = NAN;
    }
    if (!domain->reference.rows) return LEMAN_OK;
    PASS(environments(ctx, model, &kernel));
    return compare(ctx, &kernel, view,
                   &(comparison){.reference = &domain->reference,
                                 .target = domain->target,
                                 .value = value,
                                 .similarity = similarity,
                                 .deviation = deviation});
}

double lm_domain_inside(const lm_domain *domain, double similarity, double known)
{
    if (isnan(similarity)) return fmin(1, 2 * known); /* without references: half of the graph must be known */
    return domain->knot > 0 ? fmin(1, similarity / domain->knot) : 1;
}

void lm_domain_shrink(const lm_domain *domain, size_t classes, double inside, double *probability)
{
    for (size_t c = 0; domain->base && inside < 1 && c < classes; c++)
        probability[c] = domain->base[c] + inside * (probability[c] - domain->base[c]);
}

/* ---- Fit ------------------------------------------------------------------------------------- */

/* Keeps the colours of at most REFERENCES graphs, evenly spread. Writes their numbers to row[] and sets their number. */
static leman_status choose_references(leman_context *ctx, const leman_kernel *kernel, const leman_dataset *data,
                                      size_t *row, lm_domain *domain)
{
    AUTO(leman_dataset_drop) leman_dataset *chosen = NULL;
    const size_t count = data->graphs < REFERENCES ? data->graphs : REFERENCES;
    for (size_t i = 0; i < count; i++) row[i] = i * data->graphs / count;
    PASS(leman_dataset_select(ctx, data, count, row, &chosen));
    return lm_features_compact(ctx, chosen, kernel, 1, false, NULL, NULL, &domain->reference);
}

/* Returns the q quantile of value[count], which is sorted. */
static double quantile(const double *value, size_t count, double q)
{
    const double at = q * (double)(count - 1);
    const size_t low = (size_t)at, high = low + 1 < count ? low + 1 : low;
    return value[low] + (at - (double)low) * (value[high] - value[low]);
}

/* What the expected error of a graph depends on: its distance and its deviation, 0 where they are unknown. */
typedef struct signs {
    double x[2];
} signs;

static signs signs_of(double similarity, double deviation)
{
    return (signs){{isnan(similarity) ? 0 : 1 - similarity, isnan(deviation) ? 0 : deviation}};
}

static double expected_error(const lm_domain *domain, double similarity, double deviation)
{
    const signs of = signs_of(similarity, deviation);
    return domain->spread[0] + domain->spread[1] * of.x[0] + domain->spread[2] * of.x[1];
}

/* Writes the slopes that fit the moments best by least squares, none of which is negative: of both signs, of one of them,
 * or none. xx: covariances of the signs; xy: with the error. */
static void fit_slopes(double xx[2][2], const double xy[2], double slope[2])
{
    static const double LEAST = 1e-12;
    const double determinant = xx[0][0] * xx[1][1] - xx[0][1] * xx[0][1];
    double best = 0;
    slope[0] = slope[1] = 0;
    if (determinant > LEAST * xx[0][0] * xx[1][1]) {
        const double both[2] = {(xy[0] * xx[1][1] - xy[1] * xx[0][1]) / determinant,
                                (xy[1] * xx[0][0] - xy[0] * xx[0][1]) / determinant};
        if (both[0] >= 0 && both[1] >= 0) {
            memcpy(slope, both, sizeof both);
            return;
        }
    }
    for (int i = 0; i < 2; i++) {
        const double gain = xx[i][i] > LEAST && xy[i] > 0 ? xy[i] * xy[i] / xx[i][i] : 0;
        if (gain <= best) continue;
        best = gain;
        slope[i] = xy[i] / xx[i][i];
        slope[1 - i] = 0;
    }
}

/* Fits the spread to the errors. The smallest expected error is a share of the mean error. */
static void fit_spread(const double *error, const signs *of, size_t count, lm_domain *domain)
{
    double mean[3] = {0}, xx[2][2] = {{0}}, xy[2] = {0}, slope[2];
    for (size_t g = 0; g < count; g++) {
        for (int i = 0; i < 2; i++) mean[i] += of[g].x[i] / (double)count;
        mean[2] += error[g] / (double)count;
    }
    for (size_t g = 0; g < count; g++)
        for (int i = 0; i < 2; i++) {
            const double away = (of[g].x[i] - mean[i]) / (double)count;
            for (int j = 0; j < 2; j++) xx[i][j] += away * (of[g].x[j] - mean[j]);
            xy[i] += away * (error[g] - mean[2]);
        }
    fit_slopes(xx, xy, slope);
    const double part = slope[0] * mean[0] + slope[1] * mean[1], most = (1 - LEAST_SPREAD) * mean[2];
    const double shrink = part > most ? most / part : 1;
    domain->spread[0] = mean[2] - shrink * part;
    for (int i = 0; i < 2; i++) domain->spread[i + 1] = shrink * slope[i];
}

/* Keeps the increasing quantiles of error / expected error over the targets that are values: all of them, or SCORES whose ranks are rounded up. */
static leman_status fit_scores(leman_context *ctx, const lm_validated *v, const double *similarity,
                               const double *deviation, size_t graphs, lm_domain *domain)
{
    double *score;
    signs *of;
    size_t *graph, count = 0;
    PASS_SCRATCH(ctx, score, graphs);
    PASS_SCRATCH(ctx, of, graphs);
    PASS_SCRATCH(ctx, graph, graphs);
    for (size_t g = 0; g < graphs; g++) {
        if (v->bound && v->bound[g]) continue;
        score[count] = fabs(v->value[g] - v->target[g]);
        of[count] = signs_of(similarity[g], deviation[g]);
        graph[count++] = g;
    }
    fit_spread(score, of, count, domain);
    for (size_t i = 0; i < count; i++) {
        const double expected = expected_error(domain, similarity[graph[i]], deviation[graph[i]]);
        score[i] = expected > 0 ? score[i] / expected : 0;
    }
    qsort(score, count, sizeof *score, lm_compare_double);
    domain->scores = count < SCORES ? count : SCORES;
    PASS_NEW(ctx, domain->score, domain->scores);
    for (size_t i = 0; i < domain->scores; i++) {
        const double rank = ceil((double)(i + 1) * (double)(count + 1) / (double)(domain->scores + 1));
        domain->score[i] = score[rank < (double)count ? (size_t)rank - 1 : count - 1];
    }
    return LEMAN_OK;
}

static leman_status fit_base(leman_context *ctx, const lm_validated *v, size_t count, lm_domain *domain)
{
    double all = 0;
    PASS_NEW_ZERO(ctx, domain->base, v->classes);
    for (size_t g = 0; g < count; g++) all += lm_weight_of(v->weight, g);
    for (size_t g = 0; g < count; g++) domain->base[v->class_number[g]] += lm_weight_of(v->weight, g) / all;
    return LEMAN_OK;
}

/* Writes the similarities and deviations of the training graphs, from references outside their folds, and sets the
 * knot. */
static leman_status compare_training(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                     const lm_validated *v, double *similarity, double *deviation, lm_domain *domain)
{
    SCRATCH_SCOPE(ctx);
    const leman_splits *splits = v->splits;
    leman_kernel kernel;
    uint32_t *fold, *own;
    size_t *row;
    double *sorted;
    PASS_SCRATCH(ctx, fold, data->graphs);
    PASS_SCRATCH(ctx, own, REFERENCES);
    PASS_SCRATCH(ctx, row, REFERENCES);
    PASS_SCRATCH(ctx, sorted, data->graphs);
    for (size_t g = 0; g < data->graphs; g++) fold[g] = NO_FOLD - 1;
    for (size_t i = 0; i < splits->folds; i++) {
        const lm_part test = lm_split_test(splits, i);
        for (size_t j = 0; j < test.count; j++) fold[test.graph[j]] = (uint32_t)i;
    }
    PASS(environments(ctx, model, &kernel));
    PASS(choose_references(ctx, &kernel, data, row, domain));
    if (v->target) PASS_NEW(ctx, domain->target, domain->reference.rows);
    for (size_t i = 0; i < domain->reference.rows; i++) {
        own[i] = fold[row[i]];
        if (v->target) domain->target[i] = v->target[row[i]];
    }
    PASS(compare(ctx, &kernel, data,
                 &(comparison){&domain->reference, domain->target, fold, own, v->value, similarity, deviation}));
    memcpy(sorted, similarity, data->graphs * sizeof *sorted);
    qsort(sorted, data->graphs, sizeof *sorted, lm_compare_double);
    domain->knot = quantile(sorted, data->graphs, KNOT);
    return LEMAN_OK;
}

leman_status lm_domain_fit(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                           const lm_validated *v, lm_domain *domain)
{
    SCRATCH_SCOPE(ctx);
    const size_t count = v->splits->graphs;
    double *similarity, *deviation;
    lm_domain_clear(domain);
    PASS_SCRATCH(ctx, similarity, count);
    PASS_SCRATCH(ctx, deviation, count);
    for (size_t g = 0; g < count; g++) similarity[g] = deviation[g] = NAN;
    if (data) PASS(compare_training(ctx, model, data, v, similarity, deviation, domain));
    return v->class_number ? fit_base(ctx, v, count, domain) : fit_scores(ctx, v, similarity, deviation, count, domain);
}

/* ---- Intervals ------------------------------------------------------------------------------- */

double lm_domain_half_width(const lm_domain *domain, double similarity, double deviation, double coverage)
{
    const double rank = ceil(coverage * (double)(domain->scores + 1));
    const size_t at = rank < 1 ? 0 : rank < (double)domain->scores ? (size_t)rank - 1 : domain->scores - 1;
    return domain->scores ? domain->score[at] * expected_error(domain, similarity, deviation) : NAN;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Counts and colours of the references; the rows are sound if every column is one, and columns increase in a row. */
static bool is_sound(const leman_features *f)
{
    if (!f->rows) return !f->columns && !f->entries;
    if (f->start[0] || f->start[f->rows] != f->entries) return false;
    for (size_t c = 0; c < f->columns; c++)
        if (f->feature[c].round > ROUNDS * LM_TRIPLE_LISTS ||
            (c && !lm_feature_before(f->feature[c - 1], f->feature[c])))
            return false;
    for (size_t i = 0; i < f->rows; i++) {
        if (f->start[i] > f->start[i + 1] || f->start[i + 1] > f->entries) return false;
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++)
            if (f->column[e] >= f->columns || (e > f->start[i] && f->column[e] <= f->column[e - 1])) return false;
    }
    return true;
}

static leman_status serialize_references(lm_serializer *serializer, leman_features *f)
{
    leman_context *ctx = serializer->ctx;
    AUTO(lm_release_at) uint32_t *round = NULL, *value = NULL;
    AUTO(lm_release_at) uint64_t *key = NULL;
    size_t starts = f->rows ? f->rows + 1 : 0, columns = f->columns, values = f->entries;
    if (serializer->writing) {
        PASS_NEW(ctx, round, f->columns);
        PASS_NEW(ctx, key, f->columns);
        PASS_NEW(ctx, value, f->entries);
        for (size_t c = 0; c < f->columns; c++) round[c] = f->feature[c].round, key[c] = f->feature[c].key;
        for (size_t e = 0; e < f->entries; e++) value[e] = (uint32_t)f->value[e];
    }
    PASS(lm_serialize_array(serializer, (void **)&round, &f->columns, sizeof *round));
    PASS(lm_serialize_array(serializer, (void **)&key, &columns, sizeof *key));
    PASS(lm_serialize_array(serializer, (void **)&f->start, &starts, sizeof *f->start));
    PASS(lm_serialize_array(serializer, (void **)&f->column, &f->entries, sizeof *f->column));
    PASS(lm_serialize_array(serializer, (void **)&value, &values, sizeof *value));
    if (serializer->writing) return LEMAN_OK;
    f->rows = starts ? starts - 1 : 0;
    if (columns != f->columns || values != f->entries || columns > UINT32_MAX)
        return lm_serializer_fail(serializer, "found reference graphs whose parts do not match");
    PASS_NEW(ctx, f->feature, f->columns);
    PASS_NEW(ctx, f->value, f->entries);
    for (size_t c = 0; c < f->columns; c++) f->feature[c] = (leman_feature){0, round[c], key[c]};
    for (size_t e = 0; e < f->entries; e++) f->value[e] = value[e];
    if (is_sound(f)) return LEMAN_OK;
    return lm_serializer_fail(serializer, "found reference graphs that are no sparse rows");
}

/* The targets of the references and what their deviation weighs, which files before version 5 do not have. */
static leman_status serialize_targets(lm_serializer *serializer, lm_domain *domain)
{
    size_t targets = domain->target ? domain->reference.rows : 0;
    if (!serializer->writing && serializer->version < 5) return LEMAN_OK;
    PASS(lm_serialize_real(serializer, domain->spread + 2));
    PASS(lm_serialize_array(serializer, (void **)&domain->target, &targets, sizeof *domain->target));
    if (serializer->writing) return LEMAN_OK;
    if (targets && targets != domain->reference.rows)
        return lm_serializer_fail(serializer, "found targets of other graphs than the references");
    for (size_t i = 0; i < targets; i++)
        if (!isfinite(domain->target[i])) return lm_serializer_fail(serializer, "found a target that is no number");
    if (targets) return LEMAN_OK;
    lm_release(domain->target);
    domain->target = NULL;
    return LEMAN_OK;
}

leman_status lm_domain_serialize(lm_serializer *serializer, lm_domain *domain, size_t classes)
{
    size_t bases = domain->base ? classes : 0;
    if (!serializer->writing && serializer->version < 4) return LEMAN_OK;
    PASS(serialize_references(serializer, &domain->reference));
    PASS(lm_serialize_real(serializer, &domain->knot));
    PASS(lm_serialize_array(serializer, (void **)&domain->base, &bases, sizeof *domain->base));
    PASS(lm_serialize_real(serializer, domain->spread));
    PASS(lm_serialize_real(serializer, domain->spread + 1));
    PASS(lm_serialize_array(serializer, (void **)&domain->score, &domain->scores, sizeof *domain->score));
    PASS(serialize_targets(serializer, domain));
    if (serializer->writing) return LEMAN_OK;
    bool sound = (!bases || bases == classes) && domain->knot >= 0 && domain->knot <= 1 &&
                 isfinite(domain->spread[0]) && isfinite(domain->spread[1]) && isfinite(domain->spread[2]);
    for (size_t c = 0; sound && c < bases; c++) sound = domain->base[c] >= 0 && domain->base[c] <= 1;
    for (size_t i = 0; sound && i < domain->scores; i++)
        sound = isfinite(domain->score[i]) && domain->score[i] >= (i ? domain->score[i - 1] : 0);
    if (!sound) return lm_serializer_fail(serializer, "found a domain whose numbers cannot be");
    if (!bases) {
        lm_release(domain->base);
        domain->base = NULL;
    }
    return LEMAN_OK;
}
