/* A fold as words: the rounds, the numbers of leman_fold, the trials of every number of rounds, the predictions. */
#include "learn/protocol/fold_records.h"
#include "base/hash.h"
#include <math.h>
#include <string.h>

enum { NUMBERS = 9 }; /* doubles of a leman_fold */

/* ---- The first line -------------------------------------------------------------------------- */

static unsigned long long bits_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void add_kernel(lm_journal_head *head, const leman_kernel *k)
{
    static const char *const KINDS[] = {"colors", "sp", "graphlet"};
    lm_journal_head_add(head, " %s", KINDS[k->kind]);
    if (k->kind == LEMAN_KERNEL_KIND_COLORS)
        lm_journal_head_add(head, ":%s:%u%s%s:%llx", leman_algorithm_name(k->coloring.algorithm), k->coloring.k,
                            k->coloring.count_every_round ? ":all" : "", k->coloring.in_arcs ? ":in" : "",
                            (unsigned long long)k->coloring.seed);
    if (k->kind == LEMAN_KERNEL_KIND_COLORS && k->coloring.components)
        lm_journal_head_add(head, ":components%u", (unsigned)k->coloring.components);
    if (k->kind == LEMAN_KERNEL_KIND_GRAPHLET) lm_journal_head_add(head, ":%u", k->graphlet);
    lm_journal_head_add(head, "%s%s%s%s:%llx", k->coloring.ignore_vertex_labels ? ":no-vertex-labels" : "",
                        k->coloring.ignore_edge_labels ? ":no-edge-labels" : "", k->assignment ? ":assignment" : "",
                        k->weighted ? ":weighted" : "", bits_of(k->weight));
}

leman_status lm_evaluation_head(leman_context *ctx, const leman_kernel *kernels, size_t count, const lm_run *run,
                                const leman_protocol *protocol, const leman_evaluation *e, lm_journal_head *head)
{
    lm_journal_head_begin(head);
    lm_journal_head_add(head, "; data set %016llx; splits %016llx; seed %llu; kernels",
                        (unsigned long long)e->data_checksum, (unsigned long long)e->splits_checksum,
                        (unsigned long long)e->seed);
    for (size_t i = 0; i < count; i++) add_kernel(head, kernels + i);
    lm_journal_head_add(head, "; machine %s; rounds %u-%u; C %016llx; retrain %s; target ", leman_svm_name(e->svm),
                        e->min_rounds, e->min_rounds + (uint32_t)e->rounds - 1,
                        (unsigned long long)lm_checksum(run->C, run->C_count * sizeof *run->C, run->C_count),
                        protocol->retrain ? "yes" : "no");
    if (protocol->target == LEMAN_NO_TARGET)
        lm_journal_head_add(head, "none");
    else
        lm_journal_head_add(head, "%zu", protocol->target);
    if (protocol->score != LEMAN_SCORE_AUTO) lm_journal_head_add(head, "; selected by %s", leman_score_name(e->score));
    if (protocol->balanced_weights) lm_journal_head_add(head, "; class weights balanced");
    if (protocol->class_weight)
        lm_journal_head_add(
            head, "; class weights %016llx",
            (unsigned long long)lm_checksum(protocol->class_weight, protocol->class_weights * sizeof(double), 2));
    return lm_journal_head_end(ctx, head);
}

/* ---- Folds ----------------------------------------------------------------------------------- */

/* Lists the numbers of a fold in the order of the file. */
static void numbers_of(leman_fold *fold, double *out[NUMBERS])
{
    double *all[NUMBERS] = {&fold->C,   &fold->validation, &fold->test, &fold->train,  &fold->balanced,
                            &fold->auc, &fold->rmse,       &fold->r2,   &fold->seconds};
    memcpy(out, all, sizeof all);
}

static size_t words_of(const void *state, size_t fold)
{
    const leman_evaluation *e = state;
    return 1 + NUMBERS + 4 * e->rounds + lm_split_test(e->splits, fold).count;
}

static void write_fold(const void *state, size_t i, uint64_t *word)
{
    const leman_evaluation *e = state;
    lm_fold_result r = lm_evaluation_fold(e, i);
    double *number[NUMBERS];
    numbers_of(r.fold, number);
    *word++ = r.fold->rounds;
    for (int j = 0; j < NUMBERS; j++) *word++ = bits_of(*number[j]);
    memcpy(word, r.trial, e->rounds * sizeof *r.trial);
    memcpy(word + 4 * e->rounds, r.predicted, lm_split_test(e->splits, i).count * sizeof *r.predicted);
}

static bool read_fold(void *state, size_t i, const uint64_t *word)
{
    leman_evaluation *e = state;
    const size_t tests = lm_split_test(e->splits, i).count;
    lm_fold_result r = lm_evaluation_fold(e, i);
    double *number[NUMBERS], predicted;
    if (word[0] < e->min_rounds || word[0] - e->min_rounds >= e->rounds) return false;
    const uint64_t *prediction = word + 1 + NUMBERS + 4 * e->rounds;
    for (size_t j = 0; j < tests && e->classes; j++) {
        memcpy(&predicted, prediction + j, sizeof predicted);
        if (!isnan(predicted) && !(predicted >= 0 && predicted < (double)e->classes)) return false;
    }
    *r.fold = (leman_fold){.repetition = (uint32_t)(i / e->splits->folds),
                           .fold = (uint32_t)(i % e->splits->folds),
                           .rounds = (uint32_t)word[0]};
    numbers_of(r.fold, number);
    for (int j = 0; j < NUMBERS; j++) memcpy(number[j], word + 1 + j, sizeof *word);
    memcpy(r.trial, word + 1 + NUMBERS, e->rounds * sizeof *r.trial);
    memcpy(r.predicted, prediction, tests * sizeof *r.predicted);
    return true;
}

lm_records lm_fold_records(leman_evaluation *e)
{
    return (lm_records){e, lm_evaluation_folds(e), words_of, write_fold, read_fold};
}
