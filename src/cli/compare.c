/* leman compare: evaluates several kernels and networks on the same splits, and tests which differences are
 * significant. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/networks.h"
#include "cli/options/choices.h"
#include "cli/options/files.h"
#include "cli/options/protocol.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct compare_options {
    lm_protocol_options protocol;
    lm_network_options networks;
} compare_options;

static const lm_option NETWORKS[] = {
    LM_ROW("epochs", 0, LM_UNSIGNED, offsetof(compare_options, networks.epochs), "E", HELP_COMPARE_EPOCHS, .min = 1,
           .max = 1000000),
    LM_LAYERS_ROW(offsetof(compare_options, networks.layers), HELP_COMPARE_LAYERS),
    LM_WIDTH_ROW(offsetof(compare_options, networks.width), HELP_COMPARE_WIDTH),
    LM_ROW("encode", 0, LM_TEXT, offsetof(compare_options, networks.encode), "LIST", HELP_COMPARE_ENCODE),
    LM_DEVICE_ROW,
    LM_PRECISION_ROWS,
    {0},
};

enum { NAME = 128 };

typedef struct compared {
    const lm_request *request;
    size_t methods, pairs;
    const char *const *asked;    /* [methods] the names given as -a */
    leman_method *method;        /* [methods] with its kernels; a network has none */
    char (*name)[NAME];          /* [methods] names as in the paper */
    leman_architecture *network; /* [methods] valid for networks */
    const lm_network_options *networks;
    leman_evaluation **evaluation; /* [methods] */
    leman_pair_comparison *pair;   /* [pairs] */
} compared;

static void compared_free(compared *r)
{
    for (size_t i = 0; r->evaluation && i < r->methods; i++) leman_evaluation_free(r->evaluation[i]);
}

/* ---- Every method, every pair ---------------------------------------------------------------- */

/* Makes the options of the request, whose names are those of the kernels: they are copied to *own. */
static leman_status kernels_of(leman_context *ctx, const lm_texts *names, lm_kernel_options *kernels, lm_vector *own)
{
    const char *const *name = names->text.items;
    for (size_t i = 0; i < names->text.count; i++) {
        leman_architecture architecture = leman_architecture_default();
        const bool network = lm_network_is(ctx, name[i]);
        kernels->others_read_attributes |= network;
        if (!network)
            PASS(lm_vector_append(ctx, own, name + i, 1, sizeof *name));
        else if (!leman_architecture_parse(ctx, name[i], &architecture))
            kernels->others_take_k |= lm_network_takes_k(&architecture);
    }
    kernels->separate_methods = true;
    kernels->algorithms.text = *own;
    if (!own->count && kernels->coloring.k && !kernels->others_take_k)
        lm_log(ctx, "-k changes nothing: no network has a k");
    return LEMAN_OK;
}

/* Makes the methods: the kernels of one -a are one method, their sum. */
static leman_status name_methods(leman_context *ctx, const lm_texts *names, const lm_network_options *networks,
                                 compared *r)
{
    const leman_kernel *next = r->request->kernels;
    r->asked = names->text.items;
    r->methods = names->text.count;
    PASS_SCRATCH(ctx, r->method, r->methods);
    PASS_SCRATCH_ZERO(ctx, r->evaluation, r->methods);
    PASS_SCRATCH(ctx, r->name, r->methods);
    PASS_SCRATCH(ctx, r->network, r->methods);
    for (size_t i = 0; i < r->methods; i++) {
        r->method[i] = (leman_method){.name = r->name[i]};
        if (lm_network_is(ctx, r->asked[i])) {
            const lm_graph_options *graphs = &r->request->asked->graphs;
            if (graphs->sample_weights || graphs->censored)
                return MISUSE(ctx, "option '--%s': found the network %s, expected kernels",
                              graphs->censored ? "censored" : "sample-weights", r->asked[i]);
            PASS(lm_network_read(ctx, r->request, networks, r->asked[i], r->network + i));
            leman_architecture_paper_name(r->network + i, r->name[i], NAME);
            continue;
        }
        r->method[i] = (leman_method){.kernels = next, .count = leman_kernels_count(r->asked[i])};
        leman_kernels_paper_name(next, r->method[i].count, r->name[i], NAME);
        next += r->method[i].count;
    }
    return LEMAN_OK;
}

/* Evaluates a sum of kernels. Kernels that need other atom labels, such as ECFP4's, get the same molecules with them: the
 * data is read once more. The evaluation then has the checksum of the data of all methods. */
static leman_status evaluate_kernels(lm_work *work, const compared *r, size_t i, const leman_protocol *protocol)
{
    const leman_method *m = r->method + i;
    const lm_request *request = r->request;
    AUTO(leman_dataset_drop) leman_dataset *own = NULL;
    lm_request_announce(work, request, m->kernels, m->count);
    PASS(lm_kernels_atoms(work, m->kernels, m->count));
    if (work->atom_labels && !work->options->atom_labels) {
        PASS(lm_kernels_read(work, &request->asked->kernels, work->options->operand[0], &own));
        if (leman_dataset_shape(own)->graphs != leman_dataset_shape(request->data)->graphs)
            return lm_fail(work->ctx, LEMAN_ERROR_INPUT, "%s: found another number of graphs when it was read again",
                           leman_dataset_shape(own)->name);
    }
    PASS(leman_evaluate(work->ctx, own ? own : request->data, m->kernels, m->count, protocol, r->evaluation + i));
    r->evaluation[i]->data_checksum = leman_dataset_checksum(request->data);
    return LEMAN_OK;
}

/* Evaluates all methods. Each has its own journal: FILE.0, FILE.1, ... */
static leman_status evaluate_all(lm_work *work, const lm_network_options *networks, compared *r)
{
    leman_context *ctx = work->ctx;
    leman_protocol protocol = r->request->protocol;
    const char *path = protocol.journal;
    size_t size = (path ? strlen(path) : 0) + 24;
    char *journal = NULL;
    PASS_SCRATCH(ctx, journal, size);
    for (size_t i = 0; path && i < r->methods; i++) {
        snprintf(journal, size, "%s.%zu", path, i);
        PASS(lm_files_add(work, "--resume", journal));
    }
    for (size_t i = 0; i < r->methods; i++) {
        leman_method *m = r->method + i;
        snprintf(journal, size, "%s.%zu", path ? path : "", i);
        if (path) protocol.journal = journal;
        lm_bar_part(&work->bar, i, r->methods);
        if (m->count) {
            PASS(evaluate_kernels(work, r, i, &protocol));
        } else {
            size_t parameters = 0;
            PASS(lm_network_evaluate(work, r->request, networks, r->network + i, protocol.journal, &parameters,
                                     r->evaluation + i));
            m->parameters = parameters;
        }
        m->evaluation = r->evaluation[i];
    }
    lm_bar_part(&work->bar, 0, 1);
    return LEMAN_OK;
}

/* Checks --encode, which needs a pair network among the methods. */
static leman_status check_encode(leman_context *ctx, const compare_options *asked)
{
    const lm_texts *names = &asked->protocol.kernels.algorithms;
    const char *const *name = names->text.items;
    size_t pairs = 0;
    for (size_t i = 0; asked->networks.encode && i < names->text.count; i++) {
        leman_architecture a = leman_architecture_default();
        if (!lm_network_is(ctx, name[i]) || leman_architecture_parse(ctx, name[i], &a) || !lm_network_has_pairs(&a))
            continue; /* a wrong name fails elsewhere */
        pairs++;
        PASS(leman_architecture_encode(ctx, asked->networks.encode, &a));
    }
    if (asked->networks.encode && !pairs)
        return MISUSE(ctx, "option '--encode' has no effect: no method is a pair network, such as Local-2-GNN");
    return LEMAN_OK;
}

/* Refuses options of networks if no method is one, and options of kernels if all methods are networks. */
static leman_status check_effects(leman_context *ctx, const compare_options *asked)
{
    static const char *const OF_NETWORKS[] = {"epochs",    "layers",        "width", "device",
                                              "precision", "device-memory", NULL};
    static const char *const OF_KERNELS[] = {"C",        "rounds",       "svm",   "retrain",       "assignment",
                                             "weighted", "count-rounds", "score", "class-weights", NULL};
    const lm_texts *names = &asked->protocol.kernels.algorithms;
    const char *const *name = names->text.items;
    const lm_common *common = &asked->protocol.kernels.coloring.common;
    size_t networks = 0;
    for (size_t i = 0; i < names->text.count; i++) networks += lm_network_is(ctx, name[i]);
    for (const char *const *option = OF_NETWORKS; *option; option++)
        if (!networks && lm_option_given(common, *option))
            return MISUSE(ctx, "option '--%s' has no effect: no method is a network", *option);
    for (const char *const *option = OF_KERNELS; *option; option++)
        if (networks == names->text.count && lm_option_given(common, *option))
            return MISUSE(ctx, "option '%s%s' has no effect: every method is a network",
                          strlen(*option) > 1 ? "--" : "-", *option);
    return LEMAN_OK;
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Adds a number or, if validation chose from several, null and the list of choices. */
static void json_choice(lm_json *json, json_t *object, const char *name, size_t value, const lm_ranges *ranges)
{
    const lm_range *range = ranges->range.items;
    const bool one = ranges->range.count <= 1 && (!range || range->first == range->last);
    LM_PUT(json, object, KEY_IF(one, name, value));
    if (one) return;
    json_t *list = lm_json_array(json, object, FORMAT("%s_choices", name));
    for (size_t i = 0; i < ranges->range.count; i++)
        for (uint64_t x = range[i].first; x <= range[i].last; x++) LM_PUT(json, list, KEY(NULL, x));
}

/* Describes a network, with the keys of kernels where both have them. */
static void json_network(lm_json *json, json_t *object, const char *name, const leman_architecture *a,
                         const lm_network_options *options)
{
    LM_PUT(json, object, KEY("algorithm", leman_network_kind_name(a->kind)), KEY("method", name),
           KEY_IF(leman_architecture_k(a) > 1, "k", leman_architecture_k(a)));
    lm_json_array(json, object, "kernels");
    char encodings[96];
    if (leman_architecture_encodings(a, encodings, sizeof encodings))
        LM_PUT(json, object, KEY_TEXT("encodings", encodings, strlen(encodings)));
    json_choice(json, object, "layers", a->layers, &options->layers);
    json_choice(json, object, "width", a->width, &options->width);
}

static void json_method(lm_json *json, json_t *object, const compared *r, size_t number)
{
    const leman_method *method = r->method + number;
    const leman_evaluation *e = method->evaluation;
    if (method->count)
        lm_algorithm_json(json, object, method->kernels, method->count);
    else
        json_network(json, object, r->name[number], r->network + number, r->networks);
    LM_PUT(json, object, KEY_IF(method->parameters, "parameters", method->parameters),
           KEY("machine", method->count ? leman_svm_name(e->svm) : "network"));
    lm_scores_json(json, object, e);
    const size_t folds = e->splits->repetitions * e->splits->folds;
    LM_PUT_EACH(json, object, "test", folds, e->fold[i].test);
    json_t *rounds = lm_json_array(json, object, "rounds");
    for (size_t f = 0; f < folds; f++) LM_PUT(json, rounds, KEY_IF(e->has_rounds, NULL, e->fold[f].rounds));
    LM_PUT_EACH(json, object, "C", folds, e->fold[i].C);
}

static void fill_json(lm_json *json, const compared *r)
{
    const leman_evaluation *e = r->evaluation[0];
    LM_PUT(json, json->object, KEY("name", leman_dataset_shape(r->request->data)->name));
    lm_request_json(json, json->object, r->request, e);
    LM_PUT(json, json->object, MEMBER(e, baseline), KEY("baseline_kind", e->classes ? "majority class" : "median"));
    json_t *methods = lm_json_array(json, json->object, "methods");
    for (size_t i = 0; i < r->methods; i++) json_method(json, lm_json_object(json, methods, NULL), r, i);
    LM_PUT_ROWS(json, json->object, "pairs", pair, r->pair, r->pairs, MEMBER(pair, first), MEMBER(pair, second),
                MEMBER(&pair->comparison, difference), MEMBER(&pair->comparison, t),
                MEMBER(&pair->comparison, degrees_of_freedom), MEMBER(&pair->comparison, p), MEMBER(pair, p_holm));
}

/* Writes the baseline that every method has to beat, and the methods that do not. */
static leman_status write_baseline(const compared *r, lm_output *out)
{
    const leman_evaluation *first = r->evaluation[0];
    size_t below = 0;
    PASS(lm_output_printf(out, "\n%s: %s%s", first->classes ? "Majority class" : "Median of the targets",
                          SCORE_TEXT(first->baseline, first->classes ? 2 : LM_SIGNIFICANT),
                          first->classes ? " %" : ""));
    for (size_t i = 0; i < r->methods; i++) {
        const leman_evaluation *e = r->evaluation[i];
        if (e->classes ? e->test_mean > e->baseline : e->test_mean < e->baseline) continue;
        PASS(lm_output_printf(out, "%s%zu", below++ ? ", " : "; no better than it: ", i));
    }
    return lm_write_text(out, "\n");
}

/* Makes "+- 1.2", or a dash if there is no deviation, as with a single repetition or fold. */
#define DEVIATION(deviation) isnan(deviation) ? "-" : FORMAT("+- %s", SCORE_TEXT(deviation, decimals))

static void table_methods(lm_table *table, const compared *r)
{
    LM_TABLE_ROW(table, "", "method", "test", "95 % interval", "repetitions", "folds", "train", "model");
    for (size_t i = 0; i < r->methods; i++) {
        const leman_evaluation *e = r->evaluation[i];
        const int decimals = e->classes ? 2 : LM_SIGNIFICANT;
        const char *low = SCORE_TEXT(e->test_low, decimals), *high = SCORE_TEXT(e->test_high, decimals);
        LM_TABLE_ROW(table, FORMAT("%zu", i), r->name[i], SCORE_TEXT(e->test_mean, decimals),
                     isnan(e->test_low) ? "-" : FORMAT("%s to %s", low, high), DEVIATION(e->test_std),
                     DEVIATION(e->test_std_folds), SCORE_TEXT(e->train_mean, decimals),
                     r->method[i].count ? FORMAT("%s SVM", leman_svm_name(e->svm)) : "network");
    }
}

static void table_pairs(lm_table *table, const compared *r)
{
    const int decimals = r->evaluation[0]->classes ? 2 : LM_SIGNIFICANT;
    LM_TABLE_ROW(table, "pair", "difference", "t", "p", "p (Holm)", "");
    for (size_t i = 0; i < r->pairs; i++) {
        const leman_pair_comparison *p = r->pair + i;
        const leman_comparison *c = &p->comparison;
        LM_TABLE_ROW(table, FORMAT("%zu - %zu", p->first, p->second),
                     FORMAT("%s%s", c->difference > 0 ? "+" : "", SCORE_TEXT(c->difference, decimals)),
                     SCORE_TEXT(c->t, 2), SCORE_TEXT(c->p, 3), SCORE_TEXT(p->p_holm, 3),
                     isnan(p->p_holm)   ? "not tested"
                     : p->p_holm < 0.05 ? "differ"
                                        : "not significant");
    }
}

static leman_status write_tables(lm_work *work, const compared *r)
{
    lm_table methods = {.ctx = work->ctx, .align = "rlrrrrrl"}, pairs = {.ctx = work->ctx, .align = "lrrrrl"};
    const leman_splits *splits = r->evaluation[0]->splits;
    lm_output *out;
    PASS(lm_work_results(work, &out));
    PASS(lm_output_printf(out, "%s: %s, %s, seed %llu\n\n", leman_dataset_shape(r->request->data)->name,
                          r->evaluation[0]->classes ? "test accuracy in percent" : "mean absolute test error",
                          FOLDS_TEXT(splits), (unsigned long long)r->evaluation[0]->seed));
    table_methods(&methods, r);
    PASS(lm_table_write(&methods, out));
    PASS(write_baseline(r, out));
    PASS(lm_write_text(out, "\n"));
    table_pairs(&pairs, r);
    PASS(lm_table_write(&pairs, out));
    return lm_write_text(out,
                         splits->repetitions * splits->folds == 1
                             ? "\nOne fold allows no test: it takes at least two to see how much scores vary.\n"
                             : "\nCorrected resampled t-test, two-sided, on the same folds; the last p is corrected "
                               "for the number of pairs.\n");
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status compare_run(lm_work *work, const void *options)
{
    const compare_options *asked = options;
    leman_context *ctx = work->ctx;
    lm_protocol_options protocol = asked->protocol; /* for the request: its kernels are those among the methods */
    const lm_texts *names = &asked->protocol.kernels.algorithms;
    AUTO(lm_vector_release) lm_vector kernels = {0};
    AUTO(lm_request_free) lm_request request = {0};
    AUTO(compared_free) compared r = {.request = &request, .networks = &asked->networks};
    if (asked->protocol.kernels.weights)
        return MISUSE(ctx, "found --weights, which compare does not take: each kernel of a sum (-a A+B) has weight 1");
    if (names->text.count < 2)
        return MISUSE(ctx, "found %zu method%s, expected at least two: -a 1-WL -a delta-2-LWL", names->text.count,
                      lm_plural(names->text.count));
    PASS(check_effects(ctx, asked));
    PASS(check_encode(ctx, asked));
    PASS(kernels_of(ctx, names, &protocol.kernels, &kernels));
    PASS(lm_request_read(work, &protocol, &request));
    PASS(name_methods(ctx, names, &asked->networks, &r));
    PASS(evaluate_all(work, &asked->networks, &r));
    r.pairs = r.methods * (r.methods - 1) / 2;
    PASS_SCRATCH(ctx, r.pair, r.pairs);
    PASS(leman_compare_all(ctx, (const leman_evaluation *const *)r.evaluation, r.methods, r.pair));
    if (work->options->json)
        fill_json(&work->json, &r);
    else
        PASS(write_tables(work, &r));
    return lm_page_write(work, asked->protocol.report, &request, r.method, r.methods);
}

const lm_command lm_command_compare = {
    .name = "compare",
    .help = &LM_HELP_COMPARE,
    LM_DATA_OPERAND,
    .common = "algorithm repetitions epochs report json",
    .groups = {LM_KERNEL_GROUP,
               {"Protocol", LM_PROTOCOL_OPTIONS},
               {"Networks", NETWORKS},
               {"Result", LM_EVALUATION_RESULT},
               LM_TAIL_GROUPS},
    .size = sizeof(compare_options),
    .run = compare_run,
};
