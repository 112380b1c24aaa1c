/*
 * Writes the report page: prepares its data (names of methods, their order, groups of graphs, a sample of graphs), and
 * writes the sections.
 */
#include "report/report.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "base/random.h"
#include "base/sort.h"
#include "kernel/kernel.h"
#include "learn/protocol/classes.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PURPOSE UINT64_C(0x72657074) /* of the random stream */

/* ---- Names ----------------------------------------------------------------------------------- */

void lm_report_method(const leman_kernel *kernels, size_t count, char text[LM_REPORT_NAME])
{
    char name[LM_REPORT_NAME];
    leman_kernels_paper_name(kernels, count, name, sizeof name);
    lm_page_method(name, text, LM_REPORT_NAME);
}

static void method_name(const leman_method *method, char text[LM_REPORT_NAME])
{
    if (!method->name)
        lm_report_method(method->kernels, method->count, text);
    else if (method->count)
        snprintf(text, LM_REPORT_NAME, "%s", method->name);
    else
        lm_page_method(method->name, text, LM_REPORT_NAME);
}

/* ---- Choices of the folds -------------------------------------------------------------------- */

uint32_t lm_report_rounds(const leman_evaluation *e)
{
    uint32_t best = e->min_rounds;
    size_t max = 0;
    for (size_t r = 0; r < e->rounds; r++) {
        uint32_t rounds = e->min_rounds + (uint32_t)r;
        size_t count = 0;
        for (size_t i = 0; i < lm_report_folds(e); i++) count += e->fold[i].rounds == rounds;
        if (count > max) max = count, best = rounds;
    }
    return best;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static leman_status groups_new(leman_context *ctx, size_t count, lm_groups *groups)
{
    groups->count = count;
    PASS_SCRATCH(ctx, groups->name, count);
    PASS_SCRATCH_ZERO(ctx, groups->size, count);
    return LEMAN_OK;
}

/* Writes "class 1", or the name of the class in the data. */
static void class_name(const leman_dataset *data, int64_t label, char *text, size_t size)
{
    size_t length;
    const char *name = leman_dataset_class_name(data, label, &length);
    if (!length || length + sizeof "class " > size) /* a truncated name could be that of another class */
        snprintf(text, size, "class %" PRId64, label);
    else
        snprintf(text, size, "class %.*s", (int)length, name);
}

leman_status lm_groups_of_classes(leman_context *ctx, const leman_dataset *data, lm_groups *groups)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    AUTO(lm_classes_free) lm_classes classes = {0};
    uint32_t *number;
    PASS(lm_classes_compute(ctx, data, &classes));
    PASS(groups_new(ctx, classes.count, groups));
    PASS_SCRATCH(ctx, number, graphs);
    memcpy(number, classes.number, graphs * sizeof *number);
    groups->number = number;
    for (size_t c = 0; c < classes.count; c++)
        class_name(data, classes.label[c], groups->name[c], sizeof groups->name[c]);
    for (size_t i = 0; i < graphs; i++) groups->size[number[i]]++;
    return LEMAN_OK;
}

/* Returns bits whose unsigned order is the order of the numbers. */
static uint64_t ordered_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Groups the targets into thirds by rank; equal targets may be in two groups. */
static leman_status groups_of_targets(leman_context *ctx, const double *target, size_t columns, size_t graphs,
                                      lm_groups *groups)
{
    static const char *const NAMES[] = {"lowest third", "middle third", "highest third"};
    uint32_t *number;
    lm_pair *pair, *spare;
    PASS(groups_new(ctx, 3, groups));
    PASS_SCRATCH(ctx, number, graphs);
    PASS_SCRATCH(ctx, pair, graphs);
    PASS_SCRATCH(ctx, spare, graphs);
    for (size_t i = 0; i < graphs; i++) pair[i] = (lm_pair){ordered_bits(target[i * columns]), i};
    lm_sort_pairs(pair, spare, graphs, 1);
    for (size_t i = 0; i < graphs; i++) number[pair[i].payload] = (uint32_t)(3 * i / graphs);
    for (size_t c = 0; c < 3; c++) snprintf(groups->name[c], sizeof groups->name[c], "%s", NAMES[c]);
    groups->number = number;
    for (size_t i = 0; i < graphs; i++) groups->size[number[i]]++;
    return LEMAN_OK;
}

/* ---- The page -------------------------------------------------------------------------------- */

/* Draws a random sample with a fixed seed; the numbers are increasing. */
static leman_status draw_sample(leman_context *ctx, lm_report *r)
{
    size_t graphs = r->shape->graphs, count = 0;
    uint32_t *order;
    bool *in;
    lm_random random = lm_random_stream(0, PURPOSE, 0);
    r->sampled = graphs < LM_REPORT_GRAPHS ? graphs : LM_REPORT_GRAPHS;
    PASS_SCRATCH(ctx, r->sample, r->sampled);
    PASS_SCRATCH(ctx, order, graphs);
    PASS_SCRATCH_ZERO(ctx, in, graphs);
    lm_random_permutation(&random, order, graphs);
    for (size_t i = 0; i < r->sampled; i++) in[order[i]] = true;
    for (size_t i = 0; i < graphs; i++)
        if (in[i]) r->sample[count++] = (uint32_t)i;
    return LEMAN_OK;
}

/* Returns true if method a is better than b: by a larger accuracy or a smaller error. */
static bool better(const lm_report *r, size_t a, size_t b)
{
    double x = r->method[a].evaluation->test_mean, y = r->method[b].evaluation->test_mean;
    return r->regression ? x < y : x > y;
}

leman_status lm_report_known(lm_report *r, size_t target, leman_dataset **known)
{
    const leman_shape *shape = leman_dataset_shape(r->whole);
    const int64_t *label = leman_dataset_classes(r->whole);
    const size_t columns = shape->columns->targets;
    const double *value = target == LEMAN_NO_TARGET ? NULL : leman_dataset_targets(r->whole) + target;
    size_t *number, count = 0;
    PASS_SCRATCH(r->ctx, number, shape->graphs);
    for (size_t g = 0; g < shape->graphs; g++)
        if (value ? !isnan(value[g * columns]) : label[g] != LEMAN_CLASS_MISSING) number[count++] = g;
    r->data = r->whole;
    r->shape = shape;
    if (!count || count == shape->graphs) return LEMAN_OK;
    PASS(leman_dataset_select(r->ctx, r->whole, count, number, known));
    r->data = *known;
    r->shape = leman_dataset_shape(*known);
    r->number = number;
    return LEMAN_OK;
}

static leman_status prepare_report(leman_context *ctx, const leman_dataset *whole, const leman_method *methods,
                                   size_t count, lm_report *r, leman_dataset **known)
{
    *r = (lm_report){.ctx = ctx,
                     .whole = whole,
                     .shape = leman_dataset_shape(whole),
                     .data = whole,
                     .method = methods,
                     .methods = count};
    const leman_evaluation *first = methods[0].evaluation;
    if (first->classes ? leman_dataset_classes(whole) != NULL
                       : first->target < r->shape->columns->targets) /* else: see below */
        PASS(lm_report_known(r, first->classes ? LEMAN_NO_TARGET : first->target, known));
    const leman_dataset *data = r->data;
    const size_t graphs = r->shape->graphs;
    for (size_t i = 0; i < count; i++)
        if (methods[i].evaluation->splits->graphs != leman_dataset_shape(whole)->graphs ||
            (methods[i].evaluation->classes > 0) != (methods[0].evaluation->classes > 0))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "method %zu was not evaluated on the data of the page, expected the same graphs and labels",
                           i);
    PASS(leman_dataset_summary(ctx, data, &r->summary));
    r->regression = !methods[0].evaluation->classes;
    r->target = methods[0].evaluation->target;
    r->score = r->regression ? "mean absolute error" : "accuracy (%)";
    PASS_SCRATCH(ctx, r->name, count);
    PASS_SCRATCH(ctx, r->rank, count);
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        method_name(methods + i, r->name[i]);
        for (; at > 0 && better(r, i, r->rank[at - 1]); at--) r->rank[at] = r->rank[at - 1];
        r->rank[at] = i;
    }
    if (r->regression && r->target >= r->shape->columns->targets)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found target %zu, expected one of the %zu of the data", r->target,
                       r->shape->columns->targets);
    if (r->regression)
        PASS(groups_of_targets(ctx, leman_dataset_targets(data) + r->target, r->shape->columns->targets, graphs,
                               &r->groups));
    else
        PASS(lm_groups_of_classes(ctx, data, &r->groups));
    return draw_sample(ctx, r);
}

/* Makes a report on the kernels among the methods; networks have only scores. */
static leman_status only_kernels(const lm_report *r, lm_report *kernels)
{
    *kernels = *r;
    kernels->methods = 0;
    PASS_SCRATCH(r->ctx, kernels->rank, r->methods);
    for (size_t i = 0; i < r->methods; i++)
        if (r->method[r->rank[i]].count) kernels->rank[kernels->methods++] = r->rank[i];
    return LEMAN_OK;
}

/* Writes a section, and releases its scratch memory. */
static leman_status write_section(const lm_report *r, leman_status (*section)(const lm_report *report))
{
    SCRATCH_SCOPE(r->ctx);
    return section(r);
}

static leman_status write_report(const lm_report *report, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    lm_report r = *report, kernels;
    PASS(lm_output_open(r.ctx, path, &out));
    r.out = &out;
    lm_page_begin(&out, r.shape->name, "Graph kernels on a data set: accuracy, similarity, discriminative colours.");
    lm_report_head(&r);
    lm_report_data(&r);
    PASS(write_section(&r, lm_report_scores));
    PASS(write_section(&r, lm_report_comparison));
    PASS(write_section(&r, lm_report_cost));
    PASS(only_kernels(&r, &kernels));
    if (kernels.methods) {
        PASS(write_section(&kernels, lm_report_overfitting));
        lm_report_confusion(&kernels);
        PASS(write_section(&kernels, lm_report_predictions));
        PASS(write_section(&kernels, lm_report_curves));
        PASS(write_section(&kernels, lm_report_similarity));
        PASS(write_section(&kernels, lm_report_discriminative));
    }
    PASS(write_section(&r, lm_report_times));
    lm_report_reproduce(&r);
    lm_page_end(&out);
    return lm_output_commit(&out);
}

/* Copies the methods to the context's scratch memory. Fails with LEMAN_ERROR_ARGUMENT if they are invalid. */
static leman_status copy_methods(leman_context *ctx, const leman_method *methods, size_t count, leman_method **out)
{
    leman_method *copy;
    if (!count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "methods: found none, expected at least one");
    PASS_SCRATCH(ctx, copy, count);
    for (size_t i = 0; i < count; i++) {
        leman_kernel *kernels;
        if (!methods[i].evaluation)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "methods[%zu].evaluation: found NULL, expected an evaluation", i);
        for (size_t j = 0; j < sizeof methods->reserved / sizeof *methods->reserved; j++)
            if (methods[i].reserved[j])
                return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "methods[%zu].reserved: found a value, expected 0", i);
        copy[i] = methods[i];
        if (methods[i].name && !methods[i].kernels && !methods[i].count) continue; /* a network */
        PASS(lm_kernels_copy(ctx, methods[i].kernels, methods[i].count, &kernels));
        copy[i].kernels = kernels;
    }
    *out = copy;
    return LEMAN_OK;
}

leman_status leman_report_write(leman_context *ctx, const leman_dataset *data, const leman_method *methods,
                                size_t count, const char *command, const char *path)
{
    REQUIRE(ctx, data, methods, path);
    SCRATCH_SCOPE(ctx);
    leman_method *copy = NULL;
    AUTO(leman_dataset_drop) leman_dataset *known = NULL;
    lm_report r;
    PASS(copy_methods(ctx, methods, count, &copy));
    PASS(prepare_report(ctx, data, copy, count, &r, &known));
    r.command = command;
    return write_report(&r, path);
}
