/* Linear SVMs: problems as views into the rows, one output after the other. */
#include "svm/linear_svm.h"
#include "base/private.h"
#include "base/text.h"
#include <linear.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef LEMAN_PRIVATE_COPY
/* The streams of our copy of LIBLINEAR (cmake/private.cmake). */
FILE *lm_private_stdout, *lm_private_stderr;
#endif

static void print_nothing(const char *text)
{
    (void)text;
}

static void silence(void)
{
#ifdef LEMAN_PRIVATE_COPY
    lm_private_stdout = stdout;
    lm_private_stderr = stderr;
#endif
    set_print_string_function(print_nothing);
}

/* LIBLINEAR prints its progress unless it has a function to print with. The copy that gets one is ours alone. */
static void silence_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, silence);
}

/* What train() takes: about ten vectors of weights and eight words a row. */
static leman_status check_memory(leman_context *ctx, size_t columns, size_t count)
{
    size_t vectors, words, bytes;
    if (!lm_multiply(columns + 1, 10 * sizeof(double), &vectors) || !lm_multiply(count, 64, &words) ||
        !lm_add(vectors, words, &bytes))
        bytes = SIZE_MAX;
    if (bytes <= lm_budget(ctx)) return LEMAN_OK;
    char required[LM_NUMBER_TEXT], has[LM_NUMBER_TEXT];
    return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                   "a linear SVM of %zu feature%s needs %s, the memory budget is %s; fewer rounds or a smaller k "
                   "need less",
                   columns, lm_plural(columns), lm_bytes_text(bytes, required), lm_bytes_text(lm_budget(ctx), has));
}

/* One SVM for the problem, into weight[columns + 1]. */
static leman_status train_one(leman_context *ctx, const struct problem *problem, struct parameter parameter,
                              const double *start, double *weight)
{
    /* init_sol is only read, but its type does not say so: the start is copied to where the result will be. */
    if (start) memcpy(weight, start, (size_t)problem->n * sizeof *weight);
    parameter.init_sol = start ? weight : NULL;
    struct model *model = train(problem, &parameter);
    if (!model) return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "LIBLINEAR returned no model");
    /* Positive decisions mean label[0]; of +1 and -1 that is +1, but it is checked. */
    double sign = model->label && model->label[0] < 0 ? -1 : 1;
    for (int j = 0; j < problem->n; j++) weight[j] = sign * model->w[j];
    model->param.init_sol = NULL; /* ours */
    free_and_destroy_model(&model);
    for (int j = 0; j < problem->n; j++)
        if (!isfinite(weight[j])) return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "LIBLINEAR found no finite weights");
    return LEMAN_OK;
}

/* The same for labels +1 and -1. */
static leman_status train_labels(leman_context *ctx, const struct problem *problem, double C, const double *start,
                                 double *weight)
{
    int above = 0;
    for (int i = 0; i < problem->l; i++) above += problem->y[i] > 0;
    if (above > 0 && above < problem->l) {
        struct parameter parameter = {.solver_type = L2R_L2LOSS_SVC, .eps = 0.01, .C = C};
        return train_one(ctx, problem, parameter, start, weight);
    }
    memset(weight, 0, (size_t)problem->n * sizeof *weight); /* nothing to separate */
    weight[problem->n - 1] = above ? 1 : -1;
    return LEMAN_OK;
}

/* The training rows as a problem without labels, its arrays in the context's scratch, and room for the weights. */
static leman_status prepare(leman_context *ctx, const lm_rows *rows, const uint32_t *item, size_t count, double C,
                            struct problem *problem, lm_linear_svm *svm)
{
    leman_status st = LEMAN_OK;
    *problem = (struct problem){.l = (int)count, .n = (int)rows->columns + 1, .bias = 1};
    if (!(C > 0)) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "C: found %g, expected a number above 0", C);
    if (!count) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found no graphs to train on");
    TRY(check_memory(ctx, rows->columns, count));
    SCRATCH(ctx, problem->y, count);
    SCRATCH(ctx, problem->x, count);
    for (size_t i = 0; i < count; i++) problem->x[i] = rows->row[item[i]];
    NEW(ctx, svm->weight, svm->outputs * (rows->columns + 1));
    silence_once();
done:
    return st;
}

leman_status lm_linear_svm_fit(leman_context *ctx, const lm_rows *rows, const uint32_t *item, const uint32_t *label,
                               size_t count, size_t classes, double C, const lm_linear_svm *start, lm_linear_svm *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_linear_svm svm = {.classes = classes, .outputs = lm_linear_svm_outputs(classes), .columns = rows->columns};
    size_t width = rows->columns + 1;
    struct problem problem;
    TRY(prepare(ctx, rows, item, count, C, &problem, &svm));
    for (size_t m = 0; m < svm.outputs; m++) {
        for (size_t i = 0; i < count; i++) problem.y[i] = label[i] == m ? 1 : -1;
        TRY(train_labels(ctx, &problem, C, start ? start->weight + m * width : NULL, svm.weight + m * width));
    }
    *out = svm;
done:
    lm_arena_reset(&ctx->scratch, mark);
    if (st) lm_linear_svm_free(ctx, &svm);
    return st;
}

leman_status lm_linear_svm_fit_targets(leman_context *ctx, const lm_rows *rows, const uint32_t *item,
                                       const double *target, size_t count, double epsilon, double C,
                                       const lm_linear_svm *start, lm_linear_svm *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_linear_svm svm = {.outputs = 1, .columns = rows->columns};
    struct parameter parameter = {.solver_type = L2R_L2LOSS_SVR, .eps = 0.0001, .C = C, .p = epsilon};
    struct problem problem;
    if (!(epsilon >= 0)) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "epsilon: found %g, expected 0 or more", epsilon);
    TRY(prepare(ctx, rows, item, count, C, &problem, &svm));
    memcpy(problem.y, target, count * sizeof *target);
    TRY(train_one(ctx, &problem, parameter, start ? start->weight : NULL, svm.weight));
    *out = svm;
done:
    lm_arena_reset(&ctx->scratch, mark);
    if (st) lm_linear_svm_free(ctx, &svm);
    return st;
}

void lm_linear_svm_free(leman_context *ctx, lm_linear_svm *svm)
{
    lm_free(ctx, svm->weight);
    *svm = (lm_linear_svm){0};
}

void lm_linear_svm_decide(const lm_linear_svm *svm, const lm_rows *rows, const uint32_t *item, size_t count,
                          double *decision)
{
    size_t width = svm->columns + 1;
    for (size_t i = 0; i < count; i++)
        for (size_t m = 0; m < svm->outputs; m++) {
            const double *weight = svm->weight + m * width;
            double sum = 0;
            for (const struct feature_node *x = rows->row[item[i]]; x->index != -1; x++)
                sum += weight[x->index - 1] * x->value;
            decision[i * svm->outputs + m] = sum;
        }
}

uint32_t lm_linear_svm_class(size_t classes, const double *decision)
{
    size_t best = 0;
    if (classes == 2) return !(decision[0] > 0);
    for (size_t c = 1; c < classes; c++)
        if (decision[c] > decision[best]) best = c;
    return (uint32_t)best;
}
