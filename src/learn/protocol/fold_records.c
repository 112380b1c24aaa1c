/* A fold as words: the rounds, the numbers of leman_fold, the trials of every number of rounds, the predictions and,
 * of two classes, the decisions about both parts. */
#include "learn/protocol/fold_records.h"
#include "base/hash.h"
#include "kernel/kernel.h"
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
    char name[256];
    leman_kernels_paper_name(k, 1, name, sizeof name);
    const char *kind = k->kind == LEMAN_KERNEL_KIND_COLORS          ? "colors"
                       : k->kind == LEMAN_KERNEL_KIND_SHORTEST_PATH ? "sp"
                       : k->kind == LEMAN_KERNEL_KIND_GRAPHLET      ? "graphlet"
                                                                    : name; /* with all its parameters */
    lm_journal_head_add(head, " %s", kind);
    if (k->kind == LEMAN_KERNEL_KIND_COLORS)
        lm_journal_head_add(head, ":%s:%u%s%s:%llx", leman_algorithm_name(k->coloring.algorithm), k->coloring.k,
                            k->coloring.count_every_round ? ":all" : "", k->coloring.in_arcs ? ":in" : "",
                            (unsigned long long)k->coloring.seed);
    if (k->kind == LEMAN_KERNEL_KIND_COLORS && k->coloring.components)
        lm_journal_head_add(head, ":components%u", (unsigned)k->coloring.components);
    if (k->kind == LEMAN_KERNEL_KIND_COLORS && k->coloring.distance)
        lm_journal_head_add(head, ":distance%u", (unsigned)k->coloring.distance);
    if (k->kind == LEMAN_KERNEL_KIND_GRAPHLET) lm_journal_head_add(head, ":%u", k->graphlet);
    if (lm_kernel_has_radius(k))
        lm_journal_head_add(head, ":%u:%u:%u:%llx", k->radius, k->distance, k->bits,
                            (unsigned long long)k->coloring.seed);
    if (k->kind == LEMAN_KERNEL_KIND_PROPAGATION)
        lm_journal_head_add(head, ":%s:%llx", k->hellinger ? "hellinger" : "total-variation", bits_of(k->label_width));
    if (k->kind == LEMAN_KERNEL_KIND_PROPAGATION || k->binnings)
        lm_journal_head_add(head, ":%u-binnings:%llx:%llx", k->binnings, bits_of(k->bin_width),
                            (unsigned long long)k->hash_seed);
    if (k->normalization) lm_journal_head_add(head, ":%s", leman_normalization_name(k->normalization));
    if (k->atom_labels) lm_journal_head_add(head, ":atoms%u", k->atom_labels);
    if (k->fixed_rounds) lm_journal_head_add(head, ":fixed%u", k->coloring.rounds);
    lm_journal_head_add(head, "%s%s%s%s:%llx", k->coloring.ignore_vertex_labels ? ":no-vertex-labels" : "",
                        k->coloring.ignore_edge_labels ? ":no-edge-labels" : "", k->assignment ? ":assignment" : "",
                        k->weighted ? ":weighted" : "", bits_of(k->weight));
}

void lm_evaluation_head(const leman_kernel *kernels, size_t count, const lm_run *run, const leman_protocol *protocol,
                        const leman_evaluation *e, lm_journal_head *head)
{
    lm_journal_head_begin(head, "", e->data_checksum, e->splits_checksum, e->seed);
    lm_journal_head_add(head, "%s; kernels", e->decision ? "; with decisions" : "");
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
    if (run->all.weight)
        lm_journal_head_add(
            head, "; weights %016llx%s",
            (unsigned long long)lm_checksum(run->all.weight, run->all.count * sizeof *run->all.weight, 3),
            run->plain_scores ? "" : " in scores");
    if (run->all.bound)
        lm_journal_head_add(head, "; bounds %016llx",
                            (unsigned long long)lm_checksum(run->all.bound, run->all.count, 4));
}

/* ---- Folds ----------------------------------------------------------------------------------- */

_Static_assert(offsetof(leman_fold, seconds) - offsetof(leman_fold, C) == (NUMBERS - 1) * sizeof(double), "no gaps");

size_t lm_fold_decisions(const leman_splits *splits, size_t fold, const double *kept)
{
    return kept ? splits->start[2 * fold + 2] - splits->start[2 * fold] : 0;
}

size_t lm_fold_words(size_t trials, size_t tests, size_t decisions)
{
    return 1 + NUMBERS + 4 * trials + tests + decisions;
}

void lm_fold_write(lm_fold_result r, size_t trials, size_t tests, size_t decisions, uint64_t *word)
{
    word[0] = r.fold->rounds;
    memcpy(word + 1, &r.fold->C, NUMBERS * sizeof *word);
    memcpy(word + 1 + NUMBERS, r.trial, trials * sizeof *r.trial);
    memcpy(word + 1 + NUMBERS + 4 * trials, r.predicted, tests * sizeof *r.predicted);
    if (decisions) memcpy(word + 1 + NUMBERS + 4 * trials + tests, r.decision, decisions * sizeof *r.decision);
}

void lm_fold_read(const uint64_t *word, size_t trials, size_t tests, size_t decisions, lm_fold_result r)
{
    r.fold->rounds = (uint32_t)word[0];
    memcpy(&r.fold->C, word + 1, NUMBERS * sizeof *word);
    memcpy(r.trial, word + 1 + NUMBERS, trials * sizeof *r.trial);
    memcpy(r.predicted, word + 1 + NUMBERS + 4 * trials, tests * sizeof *r.predicted);
    if (decisions) memcpy(r.decision, word + 1 + NUMBERS + 4 * trials + tests, decisions * sizeof *r.decision);
}

static size_t words_of(const void *state, size_t i)
{
    const leman_evaluation *e = state;
    return lm_fold_words(e->rounds, lm_split_test(e->splits, i).count, lm_fold_decisions(e->splits, i, e->decision));
}

static void write_fold(const void *state, size_t i, uint64_t *word)
{
    const leman_evaluation *e = state;
    lm_fold_write(lm_evaluation_fold(e, i), e->rounds, lm_split_test(e->splits, i).count,
                  lm_fold_decisions(e->splits, i, e->decision), word);
}

static bool read_fold(void *state, size_t i, const uint64_t *word)
{
    const leman_evaluation *e = state;
    const size_t tests = lm_split_test(e->splits, i).count;
    const uint64_t *prediction = word + 1 + NUMBERS + 4 * e->rounds;
    double predicted;
    if (word[0] < e->min_rounds || word[0] - e->min_rounds >= e->rounds) return false;
    for (size_t j = 0; j < tests && e->classes; j++) {
        memcpy(&predicted, prediction + j, sizeof predicted);
        if (!isnan(predicted) && !(predicted >= 0 && predicted < (double)e->classes)) return false;
    }
    e->fold[i] = (leman_fold){.repetition = (uint32_t)(i / e->splits->folds), .fold = (uint32_t)(i % e->splits->folds)};
    lm_fold_read(word, e->rounds, tests, lm_fold_decisions(e->splits, i, e->decision), lm_evaluation_fold(e, i));
    return true;
}

lm_records lm_fold_records(leman_evaluation *e)
{
    return (lm_records){e, lm_evaluation_folds(e), words_of, write_fold, read_fold};
}
