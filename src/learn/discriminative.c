/*
 * The colours with the largest weights of a linear SVM. A colour that hardly any graph shows is weak evidence,
 * whatever its weight: at least two graphs, and one in fifty, must show it; and a larger share of its class than of the
 * others, since a weight may also correct those of other colours. O(classes features) beside the training.
 */
#include "learn/discriminative.h"
#include "svm/linear_svm.h"
#include "svm/round_features.h"
#include <math.h>
#include <string.h>

enum { MIN_SHOWN = 2, SHARE_SHOWN = 50, BEST_SIZE = 20 /* vertices of the example that one would like to see */ };

typedef struct search {
    lm_round_features features;
    lm_rows rows;
    lm_linear_svm svm;
    uint32_t h;
    uint32_t *shown; /* [columns of the features] graphs that show it */
    uint32_t *own;   /* [columns] those of the class that count_class() was for */
} search;

/* Trains on all graphs. */
static leman_status train(leman_context *ctx, const leman_dataset *data, const lm_classes *classes,
                          const leman_kernel *kernels, size_t count, double C, search *s)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    uint32_t *item;
    TRY(lm_round_features_compute(ctx, data, kernels, count, s->h, &s->features));
    TRY(lm_rows_make(ctx, &s->features, s->h, &s->rows));
    SCRATCH(ctx, item, s->rows.rows);
    for (size_t i = 0; i < s->rows.rows; i++) item[i] = (uint32_t)i;
    lm_linear_task task = {
        .rows = &s->rows, .item = item, .label = classes->number, .count = s->rows.rows, .classes = classes->count};
    TRY(lm_linear_svm_fit(ctx, &task, C, &s->svm));
    const leman_features *f = &s->features.features;
    NEW(ctx, s->shown, f->columns);
    NEW(ctx, s->own, f->columns);
    memset(s->shown, 0, f->columns * sizeof *s->shown);
    for (size_t e = 0; e < f->entries; e++) s->shown[f->column[e]]++;
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* The weight of a column for a class; two classes share one output, whose negative side is the second. */
static double weight_for(const search *s, size_t column, size_t class_id)
{
    uint32_t place = s->rows.place[column];
    if (!place) return 0;
    const double *w = s->svm.weight + (s->svm.outputs > 1 ? class_id * (s->svm.columns + 1) : 0);
    return s->svm.outputs == 1 && class_id == 1 ? -w[place - 1] : w[place - 1];
}

static bool is_merged(const search *s, const size_t *column, size_t count, size_t candidate)
{
    for (size_t i = 0; i < count; i++)
        if (s->rows.place[column[i]] == s->rows.place[candidate]) return true;
    return false;
}

/* own <- how many graphs of class c show each column. Returns how many graphs it has. */
static size_t count_class(search *s, const lm_classes *classes, size_t c)
{
    const leman_features *f = &s->features.features;
    size_t graphs = 0;
    memset(s->own, 0, f->columns * sizeof *s->own);
    for (size_t g = 0; g < f->rows; g++) {
        if (classes->number[g] != c) continue;
        graphs++;
        for (uint64_t e = f->start[g]; e < f->start[g + 1]; e++) s->own[f->column[e]]++;
    }
    return graphs;
}

/* Do enough graphs show the column, and a larger share of the class, which has so many graphs, than of the rest? */
static bool is_candidate(const search *s, size_t column, size_t min, size_t graphs)
{
    size_t others = s->features.features.rows - graphs;
    return s->shown[column] >= min &&
           (double)s->own[column] * (double)others > (double)(s->shown[column] - s->own[column]) * (double)graphs;
}

/* The columns that are chosen: for every class its heaviest few. Returns how many. */
static size_t choose(search *s, const lm_classes *classes, size_t min, size_t *column, lm_discriminative_color *color)
{
    size_t each = classes->count == 2 ? 3 : classes->count == 3 ? 2 : 1, count = 0;
    for (size_t c = 0; c < classes->count && c * each < LM_DISCRIMINATIVE_COLORS; c++) {
        size_t graphs = count_class(s, classes, c);
        for (size_t i = 0, first = count; i < each && count < LM_DISCRIMINATIVE_COLORS; i++) {
            size_t best = SIZE_MAX;
            double max = 0;
            for (size_t j = 0; j < s->features.features.columns; j++)
                if (weight_for(s, j, c) > max && is_candidate(s, j, min, graphs) &&
                    !is_merged(s, column + first, count - first, j)) {
                    max = weight_for(s, j, c);
                    best = j;
                }
            leman_feature feature = {0};
            if (best == SIZE_MAX || !lm_round_features_has(&s->features, best, s->h, &feature)) break;
            column[count] = best;
            color[count++] = (lm_discriminative_color){(uint32_t)c, feature.kernel, feature.round, feature.key,
                                                       max,         s->shown[best], UINT32_MAX};
        }
    }
    return count;
}

/* Which graphs show the chosen columns: counts by class, and the example nearest to a good size. */
static void find_examples(const search *s, const leman_dataset *data, const lm_classes *classes, const size_t *column,
                          lm_discriminative *t)
{
    const leman_features *f = &s->features.features;
    double best[LM_DISCRIMINATIVE_COLORS];
    for (size_t i = 0; i < t->count; i++) best[i] = INFINITY;
    for (size_t g = 0; g < f->rows; g++)
        for (uint64_t e = f->start[g]; e < f->start[g + 1]; e++)
            for (size_t i = 0; i < t->count; i++) {
                if (f->column[e] != column[i]) continue;
                t->shown[i * classes->count + classes->number[g]]++;
                size_t n = leman_dataset_graph(data, g).vertices;
                double off = fabs((double)n - BEST_SIZE);
                if (classes->number[g] != t->color[i].class_id || n > LM_DISCRIMINATIVE_VERTICES || off >= best[i])
                    continue;
                best[i] = off;
                t->color[i].example = (uint32_t)g;
            }
}

leman_status lm_discriminative_compute(leman_context *ctx, const leman_dataset *data, const lm_classes *classes,
                                       const leman_kernel *kernels, size_t count, uint32_t h, double C,
                                       lm_discriminative *discriminative)
{
    leman_status st = LEMAN_OK;
    search s = {.h = h};
    lm_discriminative t = {0};
    size_t column[LM_DISCRIMINATIVE_COLORS] = {0}, graphs = leman_dataset_shape(data)->graphs;
    t.min = graphs / SHARE_SHOWN > MIN_SHOWN ? graphs / SHARE_SHOWN : MIN_SHOWN;
    if (classes->count > 1) {
        TRY(train(ctx, data, classes, kernels, count, C, &s));
        t.count = choose(&s, classes, t.min, column, t.color);
    }
    NEW(ctx, t.shown, t.count * classes->count);
    memset(t.shown, 0, t.count * classes->count * sizeof *t.shown);
    if (t.count) find_examples(&s, data, classes, column, &t);
    *discriminative = t;
done:
    lm_free(ctx, s.shown);
    lm_free(ctx, s.own);
    lm_linear_svm_free(ctx, &s.svm);
    lm_rows_free(ctx, &s.rows);
    lm_round_features_free(ctx, &s.features);
    return st;
}

void lm_discriminative_free(leman_context *ctx, lm_discriminative *discriminative)
{
    lm_free(ctx, discriminative->shown);
    *discriminative = (lm_discriminative){0};
}
