/*
 * The features of a model with the largest effects, as substructures. The score of a graph is the sum over columns c of
 *
 *   weight_c scale_c N_c(G) / |phi(G)|
 *
 * where N_c counts the tuples of one colour, scale_c^2 is the weight of the kernel times the number m of colours that
 * share the column, and weight_c is the weight in the score of the class. Columns with equal N_c in all graphs have one
 * effect together: their weight_c scale_c are added up, and the first of them, by kernel, round and key, stands for all.
 * The effect is |weight scale| times the standard deviation of N_c(G) / |phi(G)| over the graphs of the data.
 */
#include "kernel/substructures/substructures.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "base/hash.h"
#include "graph/dataset.h"
#include "kernel/counts/triples.h"
#include "kernel/features/features.h"
#include "kernel/kernel.h"
#include "learn/attribution/attribution.h"
#include "learn/model/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t SLICE = UINT64_C(1) << 22; /* most tuples of a slice, over all rounds */

/* What is known of a column of the model. */
typedef struct column_use {
    uint64_t counts;     /* hash of the counts in all graphs */
    double weight;       /* of a count, in the score; later that of all columns with the same counts */
    double sum, squares; /* over the graphs, of count / length */
    double effect;
    size_t graphs, example; /* number of graphs that have it; the smallest of them */
    uint32_t column;
} column_use;

/* Returns the length of a count of one in a column. */
static double scale_of(const leman_model *model, size_t column)
{
    const leman_feature *f = model->features.feature + column;
    return sqrt(lm_kernel_factor(model->kernel + f->kernel) * LM_MULTIPLICITY[f->round % LM_TRIPLE_LISTS]);
}

static leman_status begin(leman_context *ctx, const leman_model *model, size_t class_number, column_use **out)
{
    SCRATCH_SCOPE(ctx);
    const size_t columns = model->features.columns;
    double *factor;
    column_use *use;
    PASS_NEW_ZERO(ctx, use, columns);
    *out = use;
    PASS_SCRATCH(ctx, factor, model->outputs);
    lm_model_class_factors(model, class_number, factor);
    for (size_t c = 0; c < columns; c++) {
        use[c].column = (uint32_t)c;
        use[c].example = SIZE_MAX;
        for (size_t m = 0; m < model->outputs; m++)
            use[c].weight += factor[m] * (double)model->weight[c * model->outputs + m];
        use[c].weight *= scale_of(model, c);
    }
    return LEMAN_OK;
}

/* Adds the graphs first .. end - 1 to what is known of the columns. */
static leman_status add_slice(leman_context *ctx, const leman_model *model, const leman_dataset *data, size_t first,
                              size_t end, column_use *use)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_features_clear) leman_features f = {0};
    const leman_dataset part = lm_dataset_range(data, first, end);
    double *self;
    PASS_SCRATCH(ctx, self, end - first);
    PASS(lm_features_compact(ctx, &part, model->kernel, model->shape.kernels, false, &model->features, self, &f));
    for (size_t i = 0; i < f.rows; i++)
        for (uint64_t e = f.start[i]; e < f.start[i + 1]; e++) {
            column_use *u = use + f.column[e];
            const double count = rint(f.value[e] / scale_of(model, f.column[e])), part_of = count / sqrt(self[i]);
            u->counts = lm_multiset_add(u->counts, lm_mix(first + i) + (uint64_t)count);
            u->sum += part_of;
            u->squares += part_of * part_of;
            u->graphs++;
            lm_substructure_offer(data, first + i, &u->example);
        }
    return LEMAN_OK;
}

static int by_counts(const void *a, const void *b)
{
    const column_use *x = a, *y = b;
    if (x->counts != y->counts) return x->counts < y->counts ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* Sorts by decreasing effect; ties by column. */
static int by_effect(const void *a, const void *b)
{
    const column_use *x = a, *y = b;
    if (x->effect < y->effect || x->effect > y->effect) return x->effect > y->effect ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* Merges columns with the same counts, and sorts what has an effect to the front. Returns the number of these. */
static size_t rank(column_use *use, size_t columns, size_t graphs)
{
    size_t kept = 0;
    qsort(use, columns, sizeof *use, by_counts);
    for (size_t first = 0, end; first < columns; first = end) {
        column_use one = use[first];
        for (end = first + 1; end < columns && use[end].counts == one.counts; end++) one.weight += use[end].weight;
        const double mean = one.sum / (double)graphs, variance = one.squares / (double)graphs - mean * mean;
        one.effect = fabs(one.weight) * sqrt(fmax(0, variance));
        if (one.graphs && one.effect > 0) use[kept++] = one;
    }
    qsort(use, kept, sizeof *use, by_effect);
    return kept;
}

static leman_status check(leman_context *ctx, const leman_model *model, size_t class_number)
{
    PASS(lm_model_check_weights(ctx, model));
    if (!model->shape.kernels)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found a model of a feature file without colours, expected a model of graphs");
    if (model->shape.apex)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found a model of graphs with a marked vertex (apex), whose colours are not shown as "
                       "substructures");
    if (!model->shape.regression && class_number >= model->shape.classes)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "class_number: found %zu, expected a number below %zu", class_number,
                       model->shape.classes);
    return LEMAN_OK;
}

/* Shows the first `count` of the ranked columns. */
static leman_status show(leman_context *ctx, const leman_model *model, const leman_dataset *data, const column_use *use,
                         size_t count, leman_substructures **out)
{
    AUTO(leman_substructures_drop) leman_substructures *made = NULL;
    leman_substructure *item;
    PASS(lm_substructures_new(ctx, count, &made, &item));
    for (size_t i = 0; i < count; i++) {
        item[i].feature = model->features.feature[use[i].column];
        item[i].feature.round /= LM_TRIPLE_LISTS;
        item[i].graphs = use[i].graphs;
        item[i].example = use[i].example;
        item[i].weight = use[i].weight;
        item[i].effect = use[i].effect;
    }
    PASS(lm_substructures_find(ctx, data, model->kernel, made));
    return HAND_OVER(out, made);
}

leman_status leman_model_substructures(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                       size_t class_number, size_t most, leman_substructures **out)
{
    REQUIRE(ctx, model, data, out);
    AUTO(lm_release_at) column_use *use = NULL;
    AUTO(leman_dataset_drop) leman_dataset *own = NULL;
    PASS(check(ctx, model, class_number));
    PASS(lm_model_view(ctx, model, data, &own)); /* checks that the data has what the model needs */
    PASS(begin(ctx, model, class_number, &use));
    for (size_t first = 0, end; first < data->graphs; first = end) {
        end = lm_features_slice(data, model->kernel, model->shape.kernels, SLICE, first);
        PASS(add_slice(ctx, model, data, first, end, use));
    }
    const size_t ranked = rank(use, model->features.columns, data->graphs ? data->graphs : 1);
    return show(ctx, model, data, use, ranked < most ? ranked : most, out);
}
