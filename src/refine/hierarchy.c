/*
 * Many tests on one corpus: which pairs of graphs each tells apart, which test sees more than which, and the smallest pair
 * that shows it.
 *
 * A test divides the graphs into classes of equal hashes (leman_graph_hashes()). Test a tells apart all that b does if every
 * class of a lies inside a class of b. The proved inclusions are a table of names; one follows from others through a chain.
 *
 * O(t hashing + t^2 graphs log graphs) for t tests.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/sort.h"
#include "graph/dataset.h"
#include "refine/distinguish.h"
#include <string.h>

/* ---- What is proved -------------------------------------------------------------------------- */

/* The first of two names tells apart at most what the second does: on all undirected graphs, or on connected ones. */
static const struct {
    const char *weaker, *stronger;
    bool connected;
} PROVED[] = {
    {"1-WL", "DRFWL(2):1", true},
    {"1-WL", "SWL(VS)", false},
    {"SWL(VS)", "DS-WL(NM)", false},
    {"DS-WL(NM)", "SWL(VS)", false},
    {"SWL(VS)", "SWL(SV)", true},
    {"SWL(VS)", "PSWL(VS)", false},
    {"SWL(SV)", "PSWL(SV)", false},
    {"PSWL(VS)", "PSWL(SV)", true},
    {"PSWL(SV)", "GSWL", true},
    {"GSWL", "SSWL", true},
    {"SSWL", "SLFWL(2)", false},
    {"PSWL(VS)", "LFWL(2)", true},
    {"LFWL(2)", "SLFWL(2)", false},
    {"SLFWL(2)", "2-FWL", false},
    {"SSWL", "delta-2-LWL", true},
    {"delta-2-LWL", "SSWL", true},
    {"2-WL", "1-WL", true},
    {"1-WL", "2-WL", true},
    {"delta-2-LWL", "delta-2-LWL+", false},
    {"delta-2-LWL+", "delta-2-WL", true},
    {"delta-2-WL", "delta-2-LWL+", true},
    {"delta-2-WL", "2-FWL", false},
    {"1-WL", "SPD-WL", false},
    {"SPD-WL", "GD-WL", false},
    {"RD-WL", "GD-WL", false},
    {"GD-WL", "2-FWL", true},
    {"DRFWL(2):1", "DRFWL(2)", false},
    {"DRFWL(2)", "DRFWL(2):3", false},
    {"DRFWL(2):3", "2-FWL", false},
    {"2-FWL", "3-WL", false},
    {"3-WL", "2-FWL", false},
    {"3-WL", "delta-3-WL", false},
    {"delta-2-LWL", "delta-3-LWL", true},
    {"delta-3-LWL", "delta-3-LWL+", false},
    {"delta-3-LWL+", "delta-3-WL", true},
    {"delta-3-WL", "delta-3-LWL+", true},
    {"delta-3-WL", "3-FWL", false},
};
enum { PROVED_COUNT = sizeof PROVED / sizeof *PROVED };

/* Searches a chain of proved inclusions. */
static bool is_proved(const char *weaker, const char *stronger, bool connected)
{
    const char *reached[2 * PROVED_COUNT + 1] = {weaker};
    size_t count = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < PROVED_COUNT; p++) {
            size_t at = 0;
            if (strcmp(PROVED[p].weaker, reached[i]) || (PROVED[p].connected && !connected)) continue;
            if (!strcmp(PROVED[p].stronger, stronger)) return true;
            while (at < count && strcmp(reached[at], PROVED[p].stronger)) at++;
            if (at == count) reached[count++] = PROVED[p].stronger;
        }
    return false;
}

static void find_proved(const leman_dataset *data, leman_hierarchy *h)
{
    enum { NAME = 64 };
    char a[NAME], b[NAME];
    if (data->directed) return;
    for (size_t i = 0; i < h->tests; i++)
        for (size_t j = 0; j < h->tests; j++) {
            leman_coloring_paper_name(h->test + i, a, sizeof a);
            leman_coloring_paper_name(h->test + j, b, sizeof b);
            h->proved[i * h->tests + j] = i != j && is_proved(a, b, h->connected);
        }
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* Numbers the classes of one test. pair[2 graphs] is scratch. */
static void number_classes(const leman_graph_hash *hash, size_t graphs, lm_pair *pair, int threads, uint32_t *class_of)
{
    uint32_t class = 0;
    for (size_t g = 0; g < graphs; g++) pair[g] = (lm_pair){hash[g].hash[0] + lm_mix(hash[g].hash[1]), g};
    lm_sort_pairs(pair, pair + graphs, graphs, threads);
    for (size_t i = 0; i < graphs; i++) {
        class += i > 0 && pair[i - 1].key != pair[i].key;
        class_of[pair[i].payload] = class;
    }
}

static uint64_t pairs_of(uint64_t count)
{
    return count % 2 ? count * ((count - 1) / 2) : count / 2 * (count - 1);
}

/* A comparison of two tests that divide the graphs into classes. */
typedef struct comparison {
    uint64_t only;     /* pairs that the first test tells apart and the second does not */
    size_t witness[2]; /* the smallest such pair, if only > 0 */
} comparison;

/* Compares tests of a list of pairs. order[pairs]: the pairs, smallest first. */
static comparison compare_listed(const leman_hierarchy *h, const uint32_t *order, const uint32_t *a, const uint32_t *b)
{
    comparison c = {0};
    for (size_t i = h->pairs; i-- > 0;) {
        const size_t g = 2 * (size_t)order[i];
        if (a[g] == a[g + 1] || b[g] != b[g + 1]) continue;
        c.only++;
        c.witness[0] = g, c.witness[1] = g + 1;
    }
    return c;
}

/* Compares tests of all pairs of graphs. order[graphs]: the graphs, smallest first. pair[2 graphs] is scratch. A run of
 * equal keys is a class of b; sorted again by a, it shows the pairs that neither test tells apart. */
static comparison compare_all(const leman_hierarchy *h, const uint32_t *order, const uint32_t *a, const uint32_t *b,
                              int threads, lm_pair *pair)
{
    comparison c = {0};
    size_t latest = SIZE_MAX;
    for (size_t i = 0; i < h->graphs; i++) pair[i] = (lm_pair){(uint64_t)b[order[i]] << 32 | a[order[i]], i};
    lm_sort_pairs(pair, pair + h->graphs, h->graphs, threads); /* stable: within equal keys smaller graphs first */
    for (size_t first = 0, end; first < h->graphs; first = end) {
        uint64_t together = 0;
        size_t smallest = first,
               second = SIZE_MAX; /* leaders of classes of both tests: the smallest, and another one */
        for (end = first; end < h->graphs && pair[end].key >> 32 == pair[first].key >> 32;) {
            const size_t leader = end;
            while (end < h->graphs && pair[end].key == pair[leader].key) end++;
            together += pairs_of(end - leader);
            if (leader == first) continue;
            if (pair[leader].payload < pair[smallest].payload) {
                second = smallest;
                smallest = leader;
            } else if (second == SIZE_MAX || pair[leader].payload < pair[second].payload) {
                second = leader;
            }
        }
        c.only += pairs_of(end - first) - together;
        if (second == SIZE_MAX || pair[second].payload >= latest) continue;
        latest = pair[second].payload;
        c.witness[0] = order[pair[smallest].payload], c.witness[1] = order[latest];
    }
    return c;
}

/* Sorts graphs, or pairs of the list by their larger graph: by vertices, then by arcs, then by number. */
static void sort_by_size(const leman_dataset *data, size_t count, bool listed, lm_pair *pair, int threads,
                         uint32_t *order)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t size = 0;
        for (size_t j = 0; j < (listed ? 2 : 1); j++) {
            const leman_graph g = leman_dataset_graph(data, listed ? 2 * i + j : i);
            const uint64_t arcs = g.arcs < UINT32_MAX ? g.arcs : UINT32_MAX, own = (uint64_t)g.vertices << 32 | arcs;
            if (own > size) size = own;
        }
        pair[i] = (lm_pair){size, i};
    }
    lm_sort_pairs(pair, pair + count, count, threads);
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)pair[i].payload;
}

static leman_status compare_tests(leman_context *ctx, const leman_dataset *data, leman_hierarchy *h)
{
    SCRATCH_SCOPE(ctx);
    const size_t t = h->tests;
    const int threads = ctx->settings.threads;
    uint32_t *order;
    lm_pair *pair;
    PASS_SCRATCH(ctx, order, h->graphs);
    PASS_SCRATCH(ctx, pair, 2 * h->graphs);
    sort_by_size(data, h->listed ? h->pairs : h->graphs, h->listed, pair, threads, order);
    for (size_t i = 0; i < t; i++)
        for (size_t j = 0; j < t; j++) {
            const uint32_t *a = h->class_of + i * h->graphs, *b = h->class_of + j * h->graphs;
            comparison c = {0};
            if (i != j) c = h->listed ? compare_listed(h, order, a, b) : compare_all(h, order, a, b, threads, pair);
            h->only[i * t + j] = c.only;
            memcpy(h->witness + 2 * (i * t + j), c.witness, sizeof c.witness);
        }
    return LEMAN_OK;
}

/* ---- The hierarchy --------------------------------------------------------------------------- */

static leman_status hash_all(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring, size_t test,
                             leman_hierarchy *h)
{
    SCRATCH_SCOPE(ctx);
    leman_graph_hash *hash;
    lm_pair *pair;
    uint32_t *class_of = h->class_of + test * h->graphs;
    const double began = lm_now();
    PASS(lm_coloring_given(ctx, coloring, h->test + test));
    PASS_SCRATCH(ctx, hash, h->graphs);
    PASS_SCRATCH(ctx, pair, 2 * h->graphs);
    PASS(lm_hash_graphs(ctx, data, NULL, h->graphs, h->test + test, 1, hash));
    h->seconds[test] = lm_now() - began;
    number_classes(hash, h->graphs, pair, ctx->settings.threads, class_of);
    for (size_t i = 0; i < h->pairs && h->listed; i++) h->told[test] += class_of[2 * i] != class_of[2 * i + 1];
    if (h->listed) return LEMAN_OK;
    lm_sort_pairs(pair, pair + h->graphs, h->graphs, ctx->settings.threads);
    h->told[test] = h->pairs;
    for (size_t first = 0, end; first < h->graphs; first = end) {
        for (end = first; end < h->graphs && pair[end].key == pair[first].key;) end++;
        h->told[test] -= pairs_of(end - first);
    }
    return LEMAN_OK;
}

/* Allocates the arrays of a hierarchy whose numbers of graphs and tests are set. */
static leman_status allocate(leman_context *ctx, leman_hierarchy *h)
{
    const size_t t = h->tests;
    PASS_NEW_ZERO(ctx, h->test, t);
    PASS_NEW_ZERO(ctx, h->seconds, t);
    PASS_NEW_ZERO(ctx, h->told, t);
    PASS_NEW_ZERO(ctx, h->proved, t * t);
    PASS_NEW_ZERO(ctx, h->only, t * t);
    PASS_NEW_ZERO(ctx, h->witness, 2 * t * t);
    PASS_NEW(ctx, h->class_of, t * h->graphs);
    return LEMAN_OK;
}

leman_status leman_hierarchy_compute(leman_context *ctx, const leman_dataset *data, const leman_coloring *colorings,
                                     size_t count, bool listed, leman_hierarchy **hierarchy)
{
    enum { MOST = 256 };
    AUTO(leman_hierarchy_drop) leman_hierarchy *h = NULL;
    leman_summary summary;
    leman_coloring *test;
    REQUIRE(ctx, data, colorings, hierarchy);
    if (!count || count > MOST)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "count: found %zu, expected 1 to %d tests", count, MOST);
    if (listed && data->graphs % 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s has %zu graph%s, expected pairs", data->name, data->graphs,
                       lm_plural(data->graphs));
    if (data->graphs > UINT32_MAX / MOST)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "%s has %zu graphs, expected at most %u", data->name, data->graphs,
                       UINT32_MAX / MOST);
    SCRATCH_SCOPE(ctx);
    PASS_SCRATCH(ctx, test, count);
    for (size_t i = 0; i < count; i++) test[i] = leman_coloring_default();
    PASS(lm_options_copy_array(ctx, "leman_coloring", colorings, count, test, sizeof *test));
    PASS(leman_dataset_summary(ctx, data, &summary));
    PASS_NEW_ZERO(ctx, h, 1);
    h->graphs = data->graphs;
    h->tests = count;
    h->listed = listed;
    h->pairs = listed ? data->graphs / 2 : pairs_of(data->graphs);
    h->connected = !summary.disconnected_graphs;
    PASS(allocate(ctx, h));
    for (size_t i = 0; i < count; i++) PASS(hash_all(ctx, data, test + i, i, h));
    PASS(compare_tests(ctx, data, h));
    find_proved(data, h);
    return HAND_OVER(hierarchy, h);
}

void leman_hierarchy_free(leman_hierarchy *h)
{
    if (!h) return;
    RELEASE(h->test, h->seconds, h->told, h->proved, h->only, h->witness, h->class_of, h);
}
