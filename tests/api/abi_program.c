/*
 * A program that hands the library one of every struct that callers fill, and prints what comes back. test_abi.py
 * compiles it against the headers as they are, as they would have been before their last members, and as they would be
 * with one more (-DTOMORROW), and runs all against the same libleman.so.
 *
 *   abi_program              what a call with the defaults gives, one line a struct
 *   abi_program sizes        the size of each struct
 *   abi_program bad          the status and sentence for a size of 0, for garbage, and, with -DTOMORROW, for a member
 *                            that the library does not know
 *
 * A new struct is a row of STRUCTS; it must not use the members that test_abi.py cuts off.
 */
#include <leman.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static leman_context *ctx;

static void expect(leman_status st)
{
    if (!st) return;
    fprintf(stderr, "%s\n", leman_context_message(ctx));
    exit(1);
}

static uint64_t checksum_of(leman_dataset *data)
{
    uint64_t sum = leman_dataset_checksum(data);
    leman_dataset_free(data);
    return sum;
}

/* ---- One call for each struct: *result is untouched where it fails --------------------------- */

static leman_status use_settings(const void *options, uint64_t *result)
{
    leman_context *other = NULL;
    leman_dataset *data = NULL;
    leman_status st = leman_context_new(options, &other);
    if (st) return st;
    st = leman_dataset_generate(other, LEMAN_FAMILY_PETERSEN, NULL, &data);
    if (!st) *result = checksum_of(data);
    leman_context_free(other);
    return st;
}

/* One edge has two labels: a policy without the rule for that must still repair it. */
static leman_status use_policy(const void *options, uint64_t *result)
{
    leman_columns columns = {.edge_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    const int64_t label[] = {1, 2};
    expect(leman_builder_new(ctx, "labels", &columns, &b));
    expect(leman_builder_graph(b, NULL, NULL, NULL));
    for (int i = 0; i < 3; i++) expect(leman_builder_vertex(b, NULL, NULL, NULL));
    expect(leman_builder_edge(b, 0, 1, label, NULL));
    expect(leman_builder_edge(b, 1, 0, label + 1, NULL));
    expect(leman_builder_edge(b, 1, 2, label, NULL));
    leman_status st = leman_builder_finish(b, options, NULL, &data);
    if (!st) *result = checksum_of(data);
    leman_builder_free(b);
    return st;
}

/* Random 3-regular graphs of seed 1: both are defaults. */
static leman_status use_family_options(const void *options, uint64_t *result)
{
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_REGULAR, options, &data);
    if (!st) *result = checksum_of(data);
    return st;
}

static leman_status use_read_options(const void *options, uint64_t *result)
{
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_read(ctx, "triangle.g6", options, NULL, &data);
    if (!st) *result = checksum_of(data);
    return st;
}

/* A folder of this name has no zip, and the name of one that cannot be fetched says so: nothing leaves the machine. */
static leman_status use_download_options(const void *options, uint64_t *result)
{
    char path[4096];
    leman_download_options chosen;
    const leman_download_options *given = options;
    if (given->size == sizeof chosen) { /* well-formed */
        memcpy(&chosen, given, sizeof chosen);
        chosen.url = "file:///nowhere";
        given = &chosen;
    }
    leman_status st = leman_dataset_download(ctx, "NONE", given, path, sizeof path);
    const bool refused = st == LEMAN_ERROR_ARGUMENT && strstr(leman_context_message(ctx), "file:///nowhere");
    if (!refused) return st;
    *result = strlen(leman_context_message(ctx));
    return LEMAN_OK;
}

static leman_dataset *pair(void)
{
    leman_dataset *data = NULL;
    expect(leman_dataset_generate(ctx, LEMAN_FAMILY_ROOK_SHRIKHANDE, NULL, &data));
    return data;
}

static leman_status use_coloring(const void *options, uint64_t *result)
{
    leman_dataset *data = pair();
    leman_census *census = NULL;
    leman_status st = leman_census_compute(ctx, data, options, false, &census);
    for (uint32_t r = 0; !st && r < census->rounds; r++) *result = *result * 1000 + census->round[r].colors;
    leman_census_free(census);
    leman_dataset_free(data);
    return st;
}

/* Two of them side by side, each as long as the program's header has it: weights are defaults. */
static leman_status use_kernel(const void *options, uint64_t *result)
{
    leman_dataset *data = pair();
    leman_kernel kernels[2];
    double gram[4];
    const bool good = ((const leman_kernel *)options)->size == sizeof *kernels;
    memcpy(kernels, options, sizeof *kernels);
    memcpy(kernels + 1, options, sizeof *kernels);
    kernels[1].kind = LEMAN_KERNEL_KIND_GRAPHLET; /* of three vertices, by default */
    leman_status st = leman_gram_compute(ctx, data, NULL, good ? kernels : options, good ? 2 : 1, false, gram);
    for (int i = 0; !st && i < 4; i++) *result = *result * 31 + (uint64_t)gram[i];
    leman_dataset_free(data);
    return st;
}

static leman_status use_feature_options(const void *options, uint64_t *result)
{
    leman_dataset *data = pair();
    leman_kernel kernel = leman_kernel_default();
    leman_features *features = NULL;
    leman_status st = leman_features_compute(ctx, data, &kernel, 1, options, &features);
    if (!st) *result = features->entries;
    leman_features_free(features);
    leman_dataset_free(data);
    return st;
}

/* How many cells the tables have; with repetitions cut off, the default must not be 0. */
static leman_status use_reproduction_options(const void *options, uint64_t *result)
{
    leman_reproduction *r = NULL;
    leman_status st = leman_reproduction_new(ctx, options, &r);
    if (st) return st;
    *result = 0;
    for (int m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++)
        for (int s = 0; s < LEMAN_PAPER_SET_COUNT; s++)
            *result += leman_reproduction_cell(r, LEMAN_PAPER_QUANTITY_TEST, (leman_paper_method)m, (leman_paper_set)s)
                           ->repetitions;
    leman_reproduction_free(r);
    return st;
}

/* ---- The table ------------------------------------------------------------------------------- */

typedef leman_status use_function(const void *options, uint64_t *result);

typedef struct row {
    const char *name;
    size_t size;
    size_t newest; /* offset of a member that the library does not know; 0: there is none */
    void (*init)(void *options, size_t size);
    use_function *use;
} row;

#ifdef TOMORROW
#define NEWEST(type) offsetof(type, tomorrow)
#else
#define NEWEST(type) 0
#endif
#define INIT(name)                                                                                                     \
    static void name##_set(void *options, size_t size)                                                                 \
    {                                                                                                                  \
        name##_init(options, size);                                                                                    \
    }
#define ROW(type, use)                                                                                                 \
    {                                                                                                                  \
#type, sizeof(type), NEWEST(type), type##_set, use                                                             \
    }

INIT(leman_settings)
INIT(leman_policy)
INIT(leman_family_options)
INIT(leman_read_options)
INIT(leman_download_options)
INIT(leman_coloring)
INIT(leman_kernel)
INIT(leman_feature_options)
INIT(leman_reproduction_options)

static const row STRUCTS[] = {
    ROW(leman_settings, use_settings),
    ROW(leman_policy, use_policy),
    ROW(leman_family_options, use_family_options),
    ROW(leman_read_options, use_read_options),
    ROW(leman_download_options, use_download_options),
    ROW(leman_coloring, use_coloring),
    ROW(leman_kernel, use_kernel),
    ROW(leman_feature_options, use_feature_options),
    ROW(leman_reproduction_options, use_reproduction_options),
};

static void show_results(const row *r, void *options)
{
    uint64_t result = 0;
    r->init(options, r->size);
    expect(r->use(options, &result));
    printf("%s %llx\n", r->name, (unsigned long long)result);
}

static void show_refusal(const row *r, const char *what, const void *options)
{
    uint64_t result = 0;
    const leman_status st = r->use(options, &result);
    printf("%s %s: %s: %s\n", r->name, what, leman_status_name(st),
           r->use == use_settings ? "no context, no sentence" : leman_context_message(ctx));
}

static void show_refusals(const row *r, char *options)
{
    const size_t bad[] = {0, sizeof(size_t) - 1, SIZE_MAX, (size_t)0xababababababababu};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        r->init(options, r->size);
        memcpy(options, bad + i, sizeof *bad);
        show_refusal(r, "bad size", options);
    }
    if (!r->newest) return;
    r->init(options, r->size);
    options[r->newest] = 1;
    show_refusal(r, "unknown member", options);
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    if (leman_context_new(NULL, &ctx)) return 1;
    for (size_t i = 0; i < sizeof STRUCTS / sizeof *STRUCTS; i++) {
        const row *r = STRUCTS + i;
        char *options = malloc(r->size); /* of that size, so that AddressSanitizer sees a look behind it */
        if (!options) return 1;
        if (!strcmp(what, "sizes"))
            printf("%s %zu\n", r->name, r->size);
        else if (!strcmp(what, "bad"))
            show_refusals(r, options);
        else
            show_results(r, options);
        free(options);
    }
    leman_context_free(ctx);
    return 0;
}
