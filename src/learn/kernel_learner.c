/*
 * Support vector machines on Gram matrices: for every number of rounds h the normalised matrix of all graphs, as
 * floats [graphs][graphs], computed once; every student looks at its own rows and columns of it.
 *
 * One colouring gives all h from one refinement, held as doubles until they are done: 8 bytes a pair of graphs and h.
 * Where that is more than half of the budget, and for sums of kernels, every h is computed by itself: 4 bytes a pair
 * and h, and 8 a pair for the one at hand.
 */
#include "base/crew.h"
#include "base/text.h"
#include "kernel/kernel.h"
#include "learn/learner.h"
#include "learn/svm.h"
#include <string.h>

/* ---- The matrices ---------------------------------------------------------------------------- */

static void to_floats(const double *from, size_t cells, float *to)
{
    for (size_t i = 0; i < cells; i++) to[i] = (float)from[i];
}

/* All rounds from one refinement. */
static leman_status fill_together(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  lm_learner *learner)
{
    leman_status st = LEMAN_OK;
    leman_kernel asked = *kernel;
    size_t cells = learner->graphs * learner->graphs, count = (size_t)learner->most_rounds + 1;
    double **whole = NULL;
    asked.coloring.rounds = learner->most_rounds;
    NEW(ctx, whole, count);
    memset(whole, 0, count * sizeof *whole);
    for (size_t h = 0; h < count; h++) NEW(ctx, whole[h], cells);
    TRY(leman_gram_rounds(ctx, data, NULL, &asked, true, whole));
    for (size_t h = learner->least_rounds; h < count; h++) {
        float **gram = learner->gram + h - learner->least_rounds;
        NEW(ctx, *gram, cells);
        to_floats(whole[h], cells, *gram);
        lm_free(ctx, whole[h]);
        whole[h] = NULL;
    }
done:
    for (size_t h = 0; whole && h < count; h++) lm_free(ctx, whole[h]);
    lm_free(ctx, whole);
    return st;
}

/* Every h by itself. */
static leman_status fill_one_by_one(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                    size_t count, size_t budget, lm_learner *learner)
{
    leman_status st = LEMAN_OK;
    size_t cells = learner->graphs * learner->graphs;
    leman_kernel *asked = NULL;
    double *whole = NULL;
    NEW(ctx, asked, count);
    NEW(ctx, whole, cells);
    for (uint32_t h = learner->least_rounds; h <= learner->most_rounds; h++) {
        float **gram = learner->gram + h - learner->least_rounds;
        for (size_t i = 0; i < count; i++) {
            asked[i] = kernels[i];
            asked[i].coloring.rounds = h;
        }
        lm_room room = {budget, ((uint64_t)learner->most_rounds - learner->least_rounds + 1) * cells * sizeof(float)};
        TRY(lm_gram_take(ctx, data, NULL, asked, count, true, room, whole));
        NEW(ctx, *gram, cells);
        to_floats(whole, cells, *gram);
    }
done:
    lm_free(ctx, asked);
    lm_free(ctx, whole);
    return st;
}

static void free_learner(leman_context *ctx, lm_learner *learner)
{
    for (size_t h = 0; learner->gram && h <= (size_t)learner->most_rounds - learner->least_rounds; h++)
        lm_free(ctx, learner->gram[h]);
    lm_free(ctx, learner->gram);
    *learner = (lm_learner){0};
}

/* A linear machine needs no matrices, but minima have no features for it. */
static leman_status check_budget(leman_context *ctx, const lm_learner *learner, const leman_kernel *kernels,
                                 size_t count, size_t budget)
{
    uint64_t matrices = (uint64_t)learner->most_rounds - learner->least_rounds + 1;
    uint64_t needs = lm_saturating_multiply(lm_power(learner->graphs, 2), matrices * sizeof(float) + sizeof(double));
    char wants[LM_NUMBER_TEXT], has[LM_NUMBER_TEXT];
    bool minima = false;
    for (size_t i = 0; i < count; i++) minima |= kernels[i].assignment;
    if (needs <= budget) return LEMAN_OK;
    return lm_fail(
        ctx, LEMAN_ERROR_BUDGET,
        "the Gram matrices of %zu graphs for %zu numbers of rounds need %s, the memory budget is %s; ask for "
        "fewer rounds at once%s",
        learner->graphs, (size_t)matrices, lm_bytes_text(needs, wants), lm_bytes_text(budget, has),
        minima ? "" : ", or for the linear machine (--svm linear)");
}

/* ---- Students -------------------------------------------------------------------------------- */

static leman_status open_student(leman_context *ctx, const lm_learner *learner, uint32_t rounds,
                                 const lm_lesson *lesson, lm_student **out)
{
    lm_svm_problem problem = {.gram = learner->gram[rounds - learner->least_rounds],
                              .graphs = learner->graphs,
                              .item = lesson->item,
                              .label = lesson->label,
                              .target = lesson->target,
                              .count = lesson->count,
                              .classes = lesson->classes,
                              .epsilon = LM_EPSILON};
    return lm_svm_new(ctx, &problem, (lm_svm **)out);
}

static leman_status teach(lm_student *student, double C, const lm_watch *watch)
{
    return lm_svm_train((lm_svm *)student, C, watch);
}

static leman_status ask(const lm_student *student, const uint32_t *item, size_t count, double *decision)
{
    return lm_svm_decide((const lm_svm *)student, item, count, decision);
}

static void close_student(lm_student *student)
{
    lm_svm_free((lm_svm *)student);
}

static const lm_learner_calls CALLS = {LM_MACHINES_PAIRS, open_student, teach, ask, close_student, free_learner};

leman_status lm_kernel_learner_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                   size_t count, uint32_t least_rounds, uint32_t most_rounds, lm_learner *out)
{
    leman_status st = LEMAN_OK;
    size_t graphs = leman_dataset_shape(data).graphs, matrices = (size_t)most_rounds - least_rounds + 1;
    lm_learner learner = {.calls = &CALLS, .graphs = graphs, .least_rounds = least_rounds, .most_rounds = most_rounds};
    size_t budget = lm_budget(ctx);
    TRY(check_budget(ctx, &learner, kernels, count, budget));
    uint64_t together = lm_saturating_multiply(lm_power(graphs, 2), 8 * ((uint64_t)most_rounds + 1) + 4);
    NEW(ctx, learner.gram, matrices);
    memset(learner.gram, 0, matrices * sizeof *learner.gram);
    if (count == 1 && kernels->kind == LEMAN_KERNEL_COLORS && matrices > 1 && together <= budget / 2)
        TRY(fill_together(ctx, data, kernels, &learner));
    else
        TRY(fill_one_by_one(ctx, data, kernels, count, budget, &learner));
    size_t held = matrices * graphs * graphs * sizeof(float);
    learner.share = (budget - held) / (size_t)lm_crew_workers(ctx);
    *out = learner;
done:
    if (st) free_learner(ctx, &learner);
    return st;
}
