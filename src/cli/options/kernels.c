/* The options that name kernels. Each -a is a kernel or a sum of kernels; all other options hold for every kernel. */
#include "cli/options/kernels.h"
#include "base/drop.h"
#include <string.h>

enum { BINNINGS = 20 /* of --attributes without a count */ };

#define FIELD(member) offsetof(lm_kernel_options, member)

static const char *const NORMALIZATIONS[] = {"cosine", "tanimoto", "minmax", NULL};

const lm_option LM_KERNEL_OPTIONS[] = {
    LM_ROW("algorithm", 'a', LM_TEXTS, FIELD(algorithms), "NAME",
           "1-WL, " LEMAN_ALGORITHMS(LM_PAIRS_NAME) HELP_KERNELS_ALGORITHM, .suggestion = leman_kernel_known_name),
    LM_FLAG_ROW("weighted", FIELD(weighted), HELP_KERNELS_WEIGHTED),
    LM_FLAG_ROW("assignment", FIELD(assignment), HELP_KERNELS_ASSIGNMENT),
    LM_ROW("weights", 0, LM_TEXT, FIELD(weights), "LIST", HELP_KERNELS_WEIGHTS),
    LM_ROW("attributes", 0, LM_TEXT, FIELD(attributes), "LIST", HELP_KERNELS_ATTRIBUTES),
    LM_ROW("propagation", 0, LM_TEXT, FIELD(propagation), "LIST", HELP_KERNELS_PROPAGATION),
    LM_ROW("normalize", 0, LM_OPTIONAL, FIELD(normalize), "HOW", HELP_KERNELS_NORMALIZE, .choices = NORMALIZATIONS),
    {0},
};

/* ---- From options to kernels ----------------------------------------------------------------- */

/* Parses "1,0.5", exactly one number for each kernel. */
static leman_status parse_weights(leman_context *ctx, const char *text, leman_kernel *kernels, size_t count)
{
    double *weight;
    size_t found;
    const char *expected =
        FORMAT("%zu number%s from 1e-100 to 1e100 with commas between them", count, lm_plural(count));
    PASS(lm_numbers_list(ctx, "--weights", text, false, expected, &weight, &found));
    for (size_t i = 0; i < count; i++) {
        if (found != count || weight[i] < 1e-100)
            return MISUSE(ctx, "option '--weights': found '%s', expected %s", text, expected);
        kernels[i].weight = weight[i];
    }
    return LEMAN_OK;
}

/* Reads one NAME:VALUE of a list. Returns the text behind it, or NULL if the name is not known or the value is wrong. */
static const char *read_part(const char *text, bool attributes, leman_kernel *kernel)
{
    const size_t length = strcspn(text, ":"), name = length + (text[length] == ':');
    char *end = NULL;
    const char *value = text + name;
    if (name == length) return NULL;
    const double number = lm_strtod(value, &end);
    if (!strncmp(text, "seed", length) && length == 4) {
        if (end == value || !(number >= 0 && number <= 0x1p53) || number != (double)(uint64_t)number) return NULL;
        kernel->hash_seed = (uint64_t)number;
    } else if (attributes && length == 5 && !strncmp(text, "count", length)) {
        if (!(number >= 1 && number <= 1000) || number != (double)(uint32_t)number) return NULL;
        kernel->binnings = (uint32_t)number;
    } else if (length == (attributes ? 4 : 5) && !strncmp(text, attributes ? "bins" : "width", length)) {
        if (!(number > 0 && number <= 1e100)) return NULL;
        *(attributes ? &kernel->bin_width : &kernel->label_width) = number;
    } else if (!attributes && length == 8 && !strncmp(text, "distance", length)) {
        const size_t word = strcspn(value, ",");
        kernel->hellinger = word == 9 && !strncmp(value, "hellinger", word);
        if (!kernel->hellinger && (word != 15 || strncmp(value, "total-variation", word))) return NULL;
        end = (char *)(uintptr_t)(value + word);
    } else {
        return NULL;
    }
    return !*end || *end == ',' ? end : NULL;
}

/* Reads --attributes or --propagation into a kernel. */
static leman_status read_parts(leman_context *ctx, const char *text, bool attributes, leman_kernel *kernel)
{
    if (!text) return LEMAN_OK;
    if (attributes) kernel->binnings = BINNINGS;
    for (const char *at = text; at; at = *at ? at + 1 : NULL)
        if (!(at = read_part(at, attributes, kernel)))
            return attributes
                       ? MISUSE(ctx,
                                "option '--attributes': found '%s', expected a list such as bins:1,count:20,seed:0 "
                                "(a bin width above 0, 1 to 1000 binnings, a whole number)",
                                text)
                       : MISUSE(ctx,
                                "option '--propagation': found '%s', expected a list such as "
                                "width:0.01,distance:total-variation,seed:0 (or distance:hellinger)",
                                text);
    return LEMAN_OK;
}

/* Sets k of the kernels whose names do not imply it, to -k or 2. If all names imply k, a different -k is refused. */
static leman_status set_k(leman_context *ctx, const lm_kernel_options *asked, leman_kernel *kernels, size_t count)
{
    size_t open = 0;
    char name[128];
    for (size_t i = 0; i < count; i++) {
        if (kernels[i].coloring.k) continue;
        open += kernels[i].kind == LEMAN_KERNEL_KIND_COLORS;
        kernels[i].coloring.k = asked->coloring.k ? (unsigned)asked->coloring.k : leman_kernel_default().coloring.k;
    }
    for (size_t i = 0; i < count && !open; i++) {
        if (kernels[i].kind != LEMAN_KERNEL_KIND_COLORS) continue;
        leman_kernels_paper_name(kernels + i, 1, name, sizeof name);
        PASS(lm_k_check(ctx, name, kernels[i].coloring.k, asked->coloring.k));
    }
    return LEMAN_OK;
}

leman_status lm_kernels_single(leman_context *ctx, const lm_kernel_options *asked, const char *several)
{
    if (asked->algorithms.text.count < 2) return LEMAN_OK;
    const char *const *name = asked->algorithms.text.items;
    return MISUSE(ctx, "found -a %zu times, expected one method: their sum is written -a %s+%s%s",
                  asked->algorithms.text.count, name[0], name[1], several);
}

void lm_rounds_remark(leman_context *ctx, const leman_kernel *kernels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (leman_kernel_has_rounds(kernels + i)) return;
    lm_log(ctx, "--rounds changes nothing: no kernel has rounds");
}

static bool is_walk(const leman_kernel *kernel)
{
    return kernel->kind == LEMAN_KERNEL_KIND_RANDOM_WALK || kernel->kind == LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED;
}

static bool has_radius(const leman_kernel *kernel)
{
    return kernel->kind >= LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH && kernel->kind <= LEMAN_KERNEL_KIND_TREES;
}

/* Logs which options have no effect, since no kernel is of the kind that they are about. */
static void remark(leman_context *ctx, const lm_kernel_options *asked, const leman_kernel *kernels, size_t count)
{
    bool colors = false, plus = false, paths = false, tuples = false, propagation = false;
    for (size_t i = 0; i < count; i++) {
        const bool coloring = kernels[i].kind == LEMAN_KERNEL_KIND_COLORS;
        colors |= coloring;
        tuples |= coloring && kernels[i].coloring.k > 1;
        plus |= coloring && kernels[i].coloring.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS;
        paths |= kernels[i].kind == LEMAN_KERNEL_KIND_SHORTEST_PATH || is_walk(kernels + i);
        propagation |= kernels[i].kind == LEMAN_KERNEL_KIND_PROPAGATION;
    }
    if (!propagation && asked->propagation) lm_log(ctx, "--propagation changes nothing: no kernel is Propagation");
    if (!colors && asked->coloring.k && !asked->others_take_k)
        lm_log(ctx, "-k changes nothing: no kernel is a colouring of tuples");
    if (!tuples && asked->coloring.tuples) lm_log(ctx, "--tuples changes nothing: no kernel colours tuples of k > 1");
    if (asked->coloring.rounds) lm_rounds_remark(ctx, kernels, count);
    if (!plus && asked->coloring.count_rounds) lm_log(ctx, "--count-rounds changes nothing: no kernel is delta-k-LWL+");
    if (!paths && !propagation && asked->weighted)
        lm_log(ctx, "--weighted changes nothing: no kernel is SP, a random walk or Propagation");
}

leman_status lm_kernels_parse(leman_context *ctx, const lm_kernel_options *asked, leman_kernel **out, size_t *out_count)
{
    size_t named = asked->algorithms.text.count, count = named ? 0 : 1;
    const char *const *name = asked->algorithms.text.items;
    leman_kernel *kernels = NULL, usual = leman_kernel_default();
    PASS(lm_coloring_read(ctx, &asked->coloring, &usual.coloring));
    if (asked->coloring.apex) usual.coloring.ignore_vertex_labels = false; /* lm_kernels_read() removes the labels */
    usual.coloring.k = 0;                                                  /* names that imply k set it */
    PASS(read_parts(ctx, asked->propagation, false, &usual));
    const uint64_t seed = usual.hash_seed;
    PASS(read_parts(ctx, asked->attributes, true, &usual));
    if (seed && usual.hash_seed != seed)
        return MISUSE(ctx, "found the seed %llu in --propagation and %llu in --attributes, expected one of them",
                      (unsigned long long)seed, (unsigned long long)usual.hash_seed);
    if (asked->attributes && asked->coloring.ignore & LM_IGNORE_ATTRIBUTES)
        return MISUSE(ctx, "found --attributes and --ignore attributes, expected one of them");
    if (asked->attributes && asked->coloring.apex)
        return MISUSE(ctx, "found --attributes and --apex, expected one of them: the added vertex has no attributes");
    usual.weighted = asked->weighted && !(asked->coloring.ignore & LM_IGNORE_ATTRIBUTES);
    for (size_t i = 0; i < named; i++) count += leman_kernels_count(name[i]);
    PASS_SCRATCH(ctx, kernels, count);
    for (size_t i = 0; i < count; i++) kernels[i] = usual;
    for (size_t i = 0, first = 0; i < named; first += leman_kernels_count(name[i++]))
        PASS(lm_method_suggested(ctx, leman_kernels_parse(ctx, name[i], kernels + first, leman_kernels_count(name[i])),
                                 name[i]));
    PASS(set_k(ctx, asked, kernels, count));
    for (size_t i = 0; i < count; i++) {
        kernels[i].assignment |= asked->assignment;
        const bool own = kernels[i].atom_labels || kernels[i].normalization; /* ECFP4 and "1-WL:minmax" say their own */
        if (!asked->normalize || own) continue;
        kernels[i].assignment |= !strcmp(asked->normalize, "minmax");
        kernels[i].normalization =
            strcmp(asked->normalize, "cosine") ? LEMAN_NORMALIZATION_TANIMOTO : LEMAN_NORMALIZATION_COSINE;
    }
    if (asked->weights) PASS(parse_weights(ctx, asked->weights, kernels, count));
    remark(ctx, asked, kernels, count);
    *out = kernels;
    *out_count = count;
    return LEMAN_OK;
}

void lm_kernels_remark(lm_work *work, const lm_kernel_options *asked)
{
    if (asked->normalize && !strcmp(asked->normalize, "cosine"))
        lm_work_log(work, "--normalize changes nothing here: every graph is scaled to length 1 anyway");
}

leman_status lm_kernels_atoms(lm_work *work, const leman_kernel *kernels, size_t count)
{
    work->atom_labels = 0;
    for (size_t i = 0; i < count; i++) {
        if (kernels[i].atom_labels && work->atom_labels && kernels[i].atom_labels != work->atom_labels)
            return MISUSE(work->ctx, "found a sum of kernels on labels of ECFP and of FCFP, expected one of them");
        work->atom_labels |= kernels[i].atom_labels;
    }
    return LEMAN_OK;
}

/* Returns true if one of the kernels reads vertex attributes as they are. Names that are wrong fail elsewhere. */
static bool reads_attributes(leman_context *ctx, const lm_kernel_options *asked)
{
    SCRATCH_SCOPE(ctx);
    const char *const *name = asked->algorithms.text.items;
    for (size_t i = 0; i < asked->algorithms.text.count; i++) {
        const size_t count = leman_kernels_count(name[i]);
        leman_kernel *kernels = lm_scratch(ctx, count, sizeof *kernels);
        for (size_t j = 0; kernels && j < count; j++) kernels[j] = leman_kernel_default();
        if (!kernels || leman_kernels_parse(ctx, name[i], kernels, count)) continue;
        for (size_t j = 0; j < count; j++)
            if (kernels[j].kind == LEMAN_KERNEL_KIND_GRAPH_HOPPER) return true;
    }
    return false;
}

void lm_attributes_remark(lm_work *work, const lm_kernel_options *asked, const leman_dataset *data)
{
    const leman_shape *shape = leman_dataset_shape(data);
    if (asked->coloring.ignore & LM_IGNORE_ATTRIBUTES) return;
    if (shape && shape->columns->edge_attributes && !asked->weighted && !work->edge_attributes_remarked) {
        lm_work_log(
            work,
            "%s: kernels do not use the edge attributes; --weighted takes the first as the lengths or weights of "
            "edges in SP, random walks and Propagation",
            shape->name);
        work->edge_attributes_remarked = true;
    }
    if (asked->attributes) return;
    if (!work->attributes_left_out && !(shape && shape->columns->vertex_attributes)) return;
    if (!work->attributes_remarked && !reads_attributes(work->ctx, asked))
        lm_work_log(
            work,
            "%s: kernels do not use the vertex attributes; --attributes bins:1 bins them, and --ignore attributes "
            "leaves them out without this line",
            shape ? shape->name : "the data");
    work->attributes_remarked = true;
}

leman_status lm_kernels_read(lm_work *work, const lm_kernel_options *asked, const char *path, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    PASS(lm_kernels_read_raw(work, asked, path, &data));
    if (asked->attributes) return leman_dataset_standardize(work->ctx, data, NULL, out);
    return HAND_OVER(out, data);
}

leman_status lm_kernels_read_raw(lm_work *work, const lm_kernel_options *asked, const char *path, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    leman_coloring seen = leman_coloring_default();
    PASS(lm_coloring_read(work->ctx, &asked->coloring, &seen));
    work->without_vertex_attributes =
        !asked->attributes && !asked->others_read_attributes && !reads_attributes(work->ctx, asked);
    PASS(lm_work_read(work, path, NULL, &data));
    lm_attributes_remark(work, asked, data);
    PASS(lm_coloring_apex(work->ctx, &asked->coloring, &seen, &data));
    return HAND_OVER(out, data);
}

/* Writes "local, k = 2 + sp", the algorithm of several kernels in JSON. */
static const char *algorithm_text(const leman_kernel *kernels, size_t count, char *text, size_t size)
{
    lm_joined list = lm_joined_begin(text, size);
    for (size_t i = 0; i < count; i++) {
        const leman_kernel *kernel = kernels + i;
        const char *name = leman_kernel_name(kernel);
        const bool wloa = !strcmp(name, "wloa");
        lm_joined_add(&list, "%s%s", i ? " + " : "", name);
        if (kernel->kind == LEMAN_KERNEL_KIND_COLORS && !wloa) lm_joined_add(&list, ", k = %u", kernel->coloring.k);
        if (kernel->kind == LEMAN_KERNEL_KIND_GRAPHLET)
            lm_joined_add(&list, " of %u %s", kernel->graphlet, lm_plural_of(kernel->graphlet, "vertex", "vertices"));
        if (has_radius(kernel)) lm_joined_add(&list, " of radius %u", kernel->radius);
        if (kernel->assignment && !wloa) lm_joined_add(&list, ", assignment");
    }
    return text;
}

void lm_kernel_json(lm_json *json, json_t *list, const leman_kernel *kernel)
{
    json_t *object = lm_json_object(json, list, NULL);
    bool colors = kernel->kind == LEMAN_KERNEL_KIND_COLORS;
    const bool propagation = kernel->kind == LEMAN_KERNEL_KIND_PROPAGATION;
    char name[128], tuples[32];
    leman_kernels_paper_name(kernel, 1, name, sizeof name);
    const bool counts = colors && kernel->coloring.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS;
    LM_PUT(json, object, KEY("algorithm", leman_kernel_name(kernel)), KEY("method", name),
           KEY_IF(colors, "k", kernel->coloring.k),
           KEY_IF(leman_kernel_has_rounds(kernel) || kernel->fixed_rounds, "rounds", kernel->coloring.rounds),
           KEY_IF(colors, "tuples", lm_tuples_text(&kernel->coloring, tuples, sizeof tuples)),
           KEY_IF(counts, "count_rounds", kernel->coloring.count_every_round ? "all" : "last"),
           KEY_IF(kernel->kind == LEMAN_KERNEL_KIND_SHORTEST_PATH || is_walk(kernel) || propagation, "weighted",
                  kernel->weighted),
           KEY_IF(is_walk(kernel), "lambda", kernel->lambda),
           KEY_IF(is_walk(kernel) && kernel->steps, "steps", kernel->steps),
           KEY_IF(is_walk(kernel), "exponential", kernel->exponential),
           KEY_IF(kernel->kind == LEMAN_KERNEL_KIND_GRAPH_HOPPER, "mu", kernel->mu),
           KEY_IF(kernel->kind == LEMAN_KERNEL_KIND_PYRAMID_MATCH, "dimensions", kernel->dimensions),
           KEY_IF(kernel->kind == LEMAN_KERNEL_KIND_PYRAMID_MATCH, "levels", kernel->levels),
           KEY_IF(kernel->kind == LEMAN_KERNEL_KIND_GRAPHLET, "size", kernel->graphlet),
           KEY_IF(has_radius(kernel), "radius", (unsigned)kernel->radius),
           KEY_IF(kernel->kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS, "distance", (unsigned)kernel->distance),
           MEMBER(kernel, weight), MEMBER(kernel, assignment),
           KEY("normalization", leman_normalization_name(kernel->normalization)));
    if (kernel->binnings || propagation)
        LM_PUT(json, object, MEMBER(kernel, binnings), KEY_IF(kernel->binnings, "bin_width", kernel->bin_width),
               KEY_IF(propagation, "label_width", kernel->label_width),
               KEY_IF(propagation, "distance", kernel->hellinger ? "hellinger" : "total-variation"),
               KEY("hash_seed", kernel->hash_seed));
}

void lm_kernels_json(lm_json *json, json_t *parent, const leman_kernel *kernels, size_t count)
{
    char name[256];
    leman_kernels_paper_name(kernels, count, name, sizeof name);
    LM_PUT(json, parent, KEY("method", name));
    json_t *list = lm_json_array(json, parent, "kernels");
    for (size_t i = 0; i < count; i++) lm_kernel_json(json, list, kernels + i);
}

void lm_algorithm_json(lm_json *json, json_t *parent, const leman_kernel *kernels, size_t count)
{
    char text[256];
    LM_PUT(
        json, parent,
        KEY("algorithm", count == 1 ? leman_kernel_name(kernels) : algorithm_text(kernels, count, text, sizeof text)),
        KEY_IF(kernels->kind == LEMAN_KERNEL_KIND_COLORS, "k", kernels->coloring.k));
    lm_kernels_json(json, parent, kernels, count);
}
