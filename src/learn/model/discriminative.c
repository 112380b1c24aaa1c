/*
 * Finds the colours with the largest phi coefficients. How often a colour occurs in a graph does not matter, so that a
 * few large graphs decide nothing. A colour in very few graphs is weak evidence: at least two graphs, and one in fifty,
 * must have it. A colour that another class has as often, or more often, is no evidence for this class, even if it
 * distinguishes the class from all others taken together.
 */
#include "learn/model/discriminative.h"
#include "base/hash.h"
#include "svm/round_features.h"
#include <math.h>
#include <string.h>

enum { MIN_SHOWN = 2, SHARE_SHOWN = 50, BEST_SIZE = 20 /* preferred number of vertices of the example */ };
enum { NO_CLASS = UINT32_MAX };

typedef struct color_search {
    lm_round_features *features;
    size_t kernels; /* the first `kernels` are as given, the others ignore labels */
    uint32_t h;
    size_t *size;      /* [classes] number of graphs */
    uint32_t *shown;   /* [columns of the features] number of graphs with the colour */
    uint32_t *own;     /* [columns] of these, the graphs of the class last given to count_class() */
    uint64_t *graphs;  /* [columns] hash of the set of graphs with the colour */
    double *share;     /* [columns] the largest share of graphs with the colour in any class */
    uint32_t *largest; /* [columns] the class with this share; NO_CLASS if two classes share it */
} color_search;

/* own[column] <- number of graphs of class c that have the colour of the column. */
static void count_class(color_search *s, const lm_classes *classes, size_t c)
{
    const leman_features *f = &s->features->features;
    memset(s->own, 0, f->columns * sizeof *s->own);
    for (size_t g = 0; g < f->rows; g++)
        if (classes->number[g] == c)
            for (uint64_t e = f->start[g]; e < f->start[g + 1]; e++) s->own[f->column[e]]++;
}

/* Finds the class in which each column has its largest share. */
static void compare_classes(color_search *s, const lm_classes *classes)
{
    const leman_features *f = &s->features->features;
    for (size_t c = 0; c < classes->count; c++) {
        count_class(s, classes, c);
        for (size_t j = 0; j < f->columns; j++) {
            double share = s->size[c] ? (double)s->own[j] / (double)s->size[c] : 0;
            if (share < s->share[j]) continue;
            s->largest[j] = share > s->share[j] ? (uint32_t)c : (uint32_t)NO_CLASS;
            s->share[j] = share;
        }
    }
}

/* Returns true if the colouring uses labels that the data has. */
static bool sees_labels(const leman_dataset *data, const leman_kernel *kernel)
{
    const leman_columns *columns = leman_dataset_shape(data)->columns;
    return (columns->vertex_labels && !kernel->coloring.ignore_vertex_labels) ||
           (columns->edge_labels && !kernel->coloring.ignore_edge_labels);
}

/* Computes the features of the kernels, and of copies of the kernels without labels if they also fit the memory
 * budget. */
static leman_status compute_features(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                     size_t count, color_search *s)
{
    SCRATCH_SCOPE(ctx);
    leman_kernel *all;
    size_t copies = 0;
    PASS_SCRATCH(ctx, all, 2 * count);
    for (size_t i = 0; i < count; i++) {
        all[i] = all[count + i] = kernels[i];
        all[count + i].coloring.ignore_vertex_labels = all[count + i].coloring.ignore_edge_labels = true;
        if (sees_labels(data, kernels + i)) copies = count;
    }
    s->kernels = count;
    const leman_status st = lm_round_features_compute(ctx, data, all, count + copies, s->h, s->features);
    if (st != LEMAN_ERROR_BUDGET || !copies) return st;
    lm_round_features_free(s->features);
    return lm_round_features_compute(ctx, data, all, count, s->h, s->features);
}

static leman_status prepare(leman_context *ctx, const leman_dataset *data, const lm_classes *classes,
                            const leman_kernel *kernels, size_t count, color_search *s)
{
    PASS(compute_features(ctx, data, kernels, count, s));
    const leman_features *f = &s->features->features;
    PASS_SCRATCH_ZERO(ctx, s->size, classes->count);
    PASS_SCRATCH_ZERO(ctx, s->shown, f->columns);
    PASS_SCRATCH(ctx, s->own, f->columns);
    PASS_SCRATCH_ZERO(ctx, s->graphs, f->columns);
    PASS_SCRATCH_ZERO(ctx, s->share, f->columns);
    PASS_SCRATCH(ctx, s->largest, f->columns);
    for (size_t j = 0; j < f->columns; j++) s->largest[j] = NO_CLASS;
    for (size_t g = 0; g < f->rows; g++) {
        s->size[classes->number[g]]++;
        for (uint64_t e = f->start[g]; e < f->start[g + 1]; e++) {
            size_t j = f->column[e];
            s->shown[j]++;
            s->graphs[j] = lm_multiset_add(s->graphs[j], lm_mix(g));
        }
    }
    compare_classes(s, classes);
    return LEMAN_OK;
}

/* phi of a column for class c, which own[] must have been counted for; 0 if the column is no evidence for the class. */
static double effect_for(const color_search *s, size_t column, size_t c, size_t min)
{
    double n = (double)s->size[c], m = (double)(s->features->features.rows - s->size[c]);
    double a = s->own[column], b = s->shown[column] - a;
    if (s->shown[column] < min || s->largest[column] != c || m <= 0) return 0;
    return (a * (m - b) - b * (n - a)) / sqrt((a + b) * (n + m - a - b) * n * m);
}

static bool is_listed(const color_search *s, const size_t *column, size_t count, size_t candidate)
{
    for (size_t i = 0; i < count; i++)
        if (s->graphs[column[i]] == s->graphs[candidate]) return true;
    return false;
}

/* Compares by effect. Ties: the earliest round first, then the order of the kernels, then the smallest colour. */
static bool comes_before(const lm_discriminative_color *a, const lm_discriminative_color *b)
{
    if (a->effect > b->effect || a->effect < b->effect) return a->effect > b->effect;
    if (a->round != b->round) return a->round < b->round;
    if (a->unlabelled != b->unlabelled) return b->unlabelled;
    if (a->kernel != b->kernel) return a->kernel < b->kernel;
    return a->key < b->key;
}

/* Returns the best column for class c that is not among the `count` chosen ones, or SIZE_MAX if there is none. */
static size_t next_column(const color_search *s, size_t c, size_t min, const size_t *column, size_t count,
                          lm_discriminative_color *best)
{
    size_t found = SIZE_MAX;
    for (size_t j = 0; j < s->features->features.columns; j++) {
        leman_feature f = {0};
        lm_discriminative_color color = {.class_id = (uint32_t)c, .effect = effect_for(s, j, c, min)};
        if (color.effect <= 0 || !lm_round_features_has(s->features, j, s->h, &f)) continue;
        color.unlabelled = f.kernel >= s->kernels;
        color.kernel = color.unlabelled ? f.kernel - s->kernels : f.kernel;
        color.round = f.round;
        color.key = f.key;
        color.shown = s->shown[j];
        color.example = UINT32_MAX;
        if ((found != SIZE_MAX && !comes_before(&color, best)) || is_listed(s, column, count, j)) continue;
        found = j;
        *best = color;
    }
    return found;
}

/* Chooses the best few columns of every class. Returns their number. */
static size_t choose(color_search *s, const lm_classes *classes, size_t min, size_t *column,
                     lm_discriminative_color *color)
{
    size_t each = classes->count == 2 ? 3 : classes->count == 3 ? 2 : 1, count = 0;
    for (size_t c = 0; c < classes->count && c * each < LM_DISCRIMINATIVE_COLORS; c++) {
        size_t first = count;
        count_class(s, classes, c);
        while (count < LM_DISCRIMINATIVE_COLORS && count - first < each) {
            column[count] = next_column(s, c, min, column + first, count - first, color + count);
            if (column[count] == SIZE_MAX) break;
            count++;
        }
    }
    return count;
}

/* For every chosen column, counts the graphs of each class that have it, and finds the example with the best size. */
static void find_examples(const color_search *s, const leman_dataset *data, const lm_classes *classes,
                          const size_t *column, lm_discriminative *t)
{
    const leman_features *f = &s->features->features;
    double best[LM_DISCRIMINATIVE_COLORS];
    for (size_t i = 0; i < t->count; i++) best[i] = INFINITY;
    for (size_t g = 0; g < f->rows; g++)
        for (uint64_t e = f->start[g]; e < f->start[g + 1]; e++)
            for (size_t i = 0; i < t->count; i++) {
                if (f->column[e] != column[i]) continue;
                t->shown[i * classes->count + classes->number[g]]++;
                size_t n = leman_dataset_graph(data, g).vertices;
                double off = fabs((double)n - (double)BEST_SIZE);
                if (classes->number[g] != t->color[i].class_id || n > LM_DISCRIMINATIVE_VERTICES || off >= best[i])
                    continue;
                best[i] = off;
                t->color[i].example = (uint32_t)g;
            }
}

leman_status lm_discriminative_compute(leman_context *ctx, const leman_dataset *data, const lm_classes *classes,
                                       const leman_kernel *kernels, size_t count, uint32_t h, lm_discriminative *t)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_round_features_free) lm_round_features features = {0};
    color_search s = {.features = &features, .h = h};
    size_t column[LM_DISCRIMINATIVE_COLORS] = {0}, graphs = leman_dataset_shape(data)->graphs;
    *t = (lm_discriminative){.min = graphs / SHARE_SHOWN > MIN_SHOWN ? graphs / SHARE_SHOWN : MIN_SHOWN};
    if (classes->count > 1) {
        PASS(prepare(ctx, data, classes, kernels, count, &s));
        t->count = choose(&s, classes, t->min, column, t->color);
    }
    PASS_NEW_ZERO(ctx, t->shown, t->count * classes->count);
    if (t->count) find_examples(&s, data, classes, column, t);
    return LEMAN_OK;
}

void lm_discriminative_free(lm_discriminative *discriminative)
{
    lm_release(discriminative->shown);
    *discriminative = (lm_discriminative){0};
}
