/* leman distinguish --family: what every test tells apart on one corpus, and which test sees more than which. */
#include "cli/family.h"
#include "base/drop.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_TESTS = 256, MOST_GROUPS = 64, LARGEST_K = 6 };

/* ---- The tests ------------------------------------------------------------------------------- */

static size_t add_test(const leman_coloring *c, leman_coloring *test, size_t count)
{
    if (count == MOST_TESTS) return count;
    test[count] = *c;
    return count + 1;
}

/* Lists the tests: colour refinement once, then every algorithm with each k up to that of the colouring, and
 * DRFWL with distance 3, too. */
static size_t list_tests(const leman_coloring *c, leman_coloring *test)
{
    leman_coloring one = *c;
    size_t count = 0;
    one.algorithm = LEMAN_ALGORITHM_LOCAL;
    one.k = 1;
    count = add_test(&one, test, count);
    for (int i = 0; i < LEMAN_ALGORITHM_COUNT; i++) {
        one = *c;
        one.algorithm = (leman_algorithm)i;
        const unsigned only = leman_algorithm_k(one.algorithm);
        if (only) one.components = 0;
        for (one.k = only ? only : 2; one.k <= (only ? only : c->k); one.k++) count = add_test(&one, test, count);
        one.k = only;
        one.distance = 3;
        if (one.algorithm == LEMAN_ALGORITHM_DRFWL) count = add_test(&one, test, count);
    }
    return count;
}

/* ---- Groups of pairs ------------------------------------------------------------------------- */

typedef struct groups {
    char text[1024]; /* the names */
    const char *name[MOST_GROUPS];
    size_t size[MOST_GROUPS], count;
} groups;

static leman_status read_groups(leman_context *ctx, const char *text, groups *g)
{
    g->count = 0;
    if (!text) return LEMAN_OK;
    if (strlen(text) >= sizeof g->text)
        return MISUSE(ctx, "option '--groups': found %zu characters, expected at most %zu", strlen(text),
                      sizeof g->text - 1);
    strcpy(g->text, text);
    for (char *at = g->text, *next; at; at = next) {
        char *end, *equal = strchr(at, '=');
        if ((next = strchr(at, ','))) *next++ = 0;
        const unsigned long size =
            equal && (!next || equal < next) && equal[1] >= '0' && equal[1] <= '9' ? strtoul(equal + 1, &end, 10) : 0;
        if (!size || *end || equal == at || g->count == MOST_GROUPS)
            return MISUSE(ctx, "option '--groups': found '%s', expected NAME=PAIRS, at most %d with commas between", at,
                          MOST_GROUPS);
        *equal = 0;
        g->name[g->count] = at;
        g->size[g->count++] = size;
    }
    return LEMAN_OK;
}

/* ---- What is written ------------------------------------------------------------------------- */

static void put_hierarchy(lm_json *json, const leman_hierarchy *h)
{
    char name[64], other[64];
    LM_PUT(json, json->object, MEMBER(h, graphs), KEY("pairs", h->pairs));
    json_t *tests = lm_json_array(json, json->object, "tests");
    json_t *only = lm_json_array(json, json->object, "only"), *violated = lm_json_array(json, json->object, "violated");
    for (size_t i = 0; i < h->tests; i++) {
        leman_coloring_paper_name(h->test + i, name, sizeof name);
        LM_PUT(json, lm_json_object(json, tests, NULL), KEY("algorithm", leman_algorithm_name(h->test[i].algorithm)),
               KEY("method", name), KEY("k", h->test[i].k), KEY("distinguished", h->told[i]),
               KEY("seconds", h->seconds[i]));
        for (size_t j = 0; j < h->tests; j++) {
            const size_t cell = i * h->tests + j;
            leman_coloring_paper_name(h->test + j, other, sizeof other);
            if (!h->only[cell]) continue;
            LM_PUT(json, lm_json_object(json, only, NULL), KEY("by", name), KEY("not_by", other),
                   KEY("pairs", h->only[cell]), KEY("first", h->witness[2 * cell]),
                   KEY("second", h->witness[2 * cell + 1]));
            if (h->proved[cell])
                LM_PUT(json, lm_json_object(json, violated, NULL), KEY("by", name), KEY("not_by", other));
        }
    }
}

static leman_status write_table(lm_work *work, const leman_hierarchy *h)
{
    lm_table table = {.ctx = work->ctx, .align = "lrr"};
    char name[64], other[64];
    lm_output *out;
    PASS(lm_work_results(work, &out));
    PASS(lm_output_printf(out, "%s pairs of %s graphs.\n\n", COUNT_TEXT(h->pairs), COUNT_TEXT(h->graphs)));
    LM_TABLE_ROW(&table, "test", "told apart", "seconds");
    for (size_t i = 0; i < h->tests; i++) {
        leman_coloring_paper_name(h->test + i, name, sizeof name);
        LM_TABLE_ROW(&table, name, COUNT_TEXT(h->told[i]), FORMAT("%.2f", h->seconds[i]));
    }
    PASS(lm_table_write(&table, out));
    for (size_t i = 0; i < h->tests; i++)
        for (size_t j = 0; j < h->tests; j++) {
            if (!h->proved[i * h->tests + j] || !h->only[i * h->tests + j]) continue;
            leman_coloring_paper_name(h->test + i, name, sizeof name);
            leman_coloring_paper_name(h->test + j, other, sizeof other);
            lm_log(work->ctx, "a proved inclusion is violated: %s tells apart %s pair%s that %s does not", name,
                   COUNT_TEXT(h->only[i * h->tests + j]), lm_plural(h->only[i * h->tests + j]), other);
        }
    return LEMAN_OK;
}

/* ---- The run --------------------------------------------------------------------------------- */

bool lm_is_pair_list(const char *path)
{
    const size_t length = strlen(path);
    return (length > 6 && !strcmp(path + length - 6, ".pairs")) ||
           (length > 9 && !strcmp(path + length - 9, ".pairs.gz"));
}

leman_status lm_family_run(lm_work *work, const lm_family_request *request)
{
    leman_context *ctx = work->ctx;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    AUTO(leman_hierarchy_drop) leman_hierarchy *h = NULL;
    leman_coloring *test;
    groups *g;
    char *command;
    if (request->coloring->k > LARGEST_K)
        return MISUSE(ctx, "found -k %u with --family, expected at most %d", request->coloring->k, LARGEST_K);
    PASS_SCRATCH(ctx, g, 1);
    PASS_SCRATCH(ctx, test, MOST_TESTS);
    PASS(read_groups(ctx, request->groups, g));
    if (request->listed)
        PASS(lm_work_read_as(work, request->corpus, LEMAN_FORMAT_PAIRS, NULL, &data));
    else
        PASS(lm_work_read(work, request->corpus, NULL, &data));
    const size_t count = list_tests(request->coloring, test);
    PASS(leman_hierarchy_compute(ctx, data, test, count, request->listed, &h));
    if (request->page) {
        PASS(lm_command_line(work, &command));
        PASS(leman_hierarchy_page_write(ctx, data, h, g->name, g->size, g->count, command, request->page));
        PASS(lm_work_beside(work));
    }
    if (!work->options->json) return write_table(work, h);
    put_hierarchy(&work->json, h);
    return LEMAN_OK;
}
