/* Scaffolds: what belongs to them, by hand; numbering, size and cancellation; every allocation may fail. */
#include "support/random_graphs.h"
#include "support/support.h"
#include <stdio.h>

/* Of each line the molecules have one scaffold, and no two lines the same. */
static void by_hand(void **unused)
{
    (void)unused;
    static const char *const SMILES[] = {"CCO",
                                         "C",
                                         "[Na+].[Cl-]", /* no ring */
                                         "c1ccccc1",
                                         "Cc1ccccc1",
                                         "OC(=O)c1ccccc1CC", /* benzene */
                                         "C1CCCCC1",
                                         "CC1CCCCC1O",
                                         "NC1CCCCC1", /* cyclohexane */
                                         "c1ccccc1CCc1ccccc1",
                                         "Cc1ccccc1CCc1ccccc1",
                                         "c1ccccc1C(C)Cc1ccccc1Cl", /* a chain of two between rings */
                                         "O=C1CCCCC1",
                                         "O=C1CCCCC1C",
                                         "CC1CCCCC1=O"}; /* what has a double bond to a ring is part of it */
    enum { COUNT = sizeof SMILES / sizeof *SMILES, EACH = 3 };
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    uint32_t group[COUNT];
    size_t groups = 0;
    assert_int_equal(leman_dataset_from_smiles(ctx, SMILES, NULL, COUNT, NULL, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_scaffolds(ctx, data, group, &groups), LEMAN_OK);
    assert_int_equal(groups, COUNT / EACH);
    for (size_t i = 0; i < COUNT; i++) assert_int_equal(group[i], i / EACH);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The graph with these edges, its vertices numbered by place. */
static void add_graph(leman_builder *builder, const uint32_t (*edge)[2], size_t edges, const size_t *place, size_t n)
{
    const int64_t label = 6, bond = 1;
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(builder, NULL, &label, NULL), LEMAN_OK);
    for (size_t e = 0; e < edges; e++)
        assert_int_equal(
            leman_builder_edge(builder, (uint32_t)place[edge[e][0]], (uint32_t)place[edge[e][1]], &bond, NULL),
            LEMAN_OK);
}

enum { HALF = 20, EDGES = 3 * HALF };

/* A cycle of 2 HALF vertices and a random perfect matching; *triangles by counting. False where an edge repeats. */
static bool draw_cubic(uint64_t *state, uint32_t edge[EDGES][2], size_t *triangles)
{
    bool joined[2 * HALF][2 * HALF] = {{false}};
    size_t mate[2 * HALF];
    random_graph_shuffle(state, 2 * HALF, mate);
    for (size_t i = 0; i < EDGES; i++) {
        const size_t j = i - 2 * HALF;
        edge[i][0] = (uint32_t)(i < 2 * HALF ? i : mate[2 * j]);
        edge[i][1] = (uint32_t)(i < 2 * HALF ? (i + 1) % (2 * HALF) : mate[2 * j + 1]);
        if (joined[edge[i][0]][edge[i][1]]) return false;
        joined[edge[i][0]][edge[i][1]] = joined[edge[i][1]][edge[i][0]] = true;
    }
    *triangles = 0;
    for (size_t a = 0; a < 2 * HALF; a++)
        for (size_t b = 0; b < a; b++)
            for (size_t c = 0; c < b; c++) *triangles += joined[a][b] && joined[b][c] && joined[a][c];
    return true;
}

/* Shuffled copies of a random cubic graph share their scaffold; graphs with another number of triangles have another,
 * though colour refinement tells no two of them apart. */
static void numbering_does_not_matter(void **unused)
{
    (void)unused;
    enum { GRAPHS = 12 };
    leman_context *ctx = test_context_new(1);
    const leman_columns columns = {.vertex_labels = 1, .edge_labels = 1};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    uint64_t state = 5;
    uint32_t edge[EDGES][2], group[2 * GRAPHS];
    size_t place[2 * HALF], triangles[GRAPHS], groups, different = 0;
    assert_int_equal(leman_builder_new(ctx, "cubic", &columns, &builder), LEMAN_OK);
    for (size_t i = 0; i < GRAPHS; i++) {
        while (!draw_cubic(&state, edge, triangles + i)) continue;
        for (int copy = 0; copy < 2; copy++) {
            random_graph_shuffle(&state, 2 * HALF, place);
            add_graph(builder, edge, EDGES, place, 2 * HALF);
        }
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_scaffolds(ctx, data, group, &groups), LEMAN_OK);
    for (size_t i = 0; i < GRAPHS; i++) {
        assert_int_equal(group[2 * i], group[2 * i + 1]);
        for (size_t j = 0; j < i; j++)
            if (triangles[i] != triangles[j]) {
                assert_int_not_equal(group[2 * i], group[2 * j]);
                different++;
            }
    }
    assert_true(different > 0);
    leman_builder_free(builder);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static char *ring_of(size_t atoms, const char *first)
{
    char *text = malloc(atoms + 8);
    assert_non_null(text);
    sprintf(text, "%s1", first);
    memset(text + 2, 'C', atoms - 1);
    strcpy(text + atoms + 1, "1");
    return text;
}

/* Rings of many atoms, alone, as a pair, with another atom at any place, with a bridge and fused. */
static void large_rings(void **unused)
{
    (void)unused;
    enum { ATOMS = 40000, COUNT = 6 };
    leman_context *ctx = test_context_new(1);
    char *ring = ring_of(ATOMS, "C"), *half = ring_of(ATOMS / 2, "C"), *other = ring_of(ATOMS, "N"), *text[COUNT];
    static const uint32_t EXPECTED[COUNT] = {0, 1, 2, 2, 3, 4};
    leman_dataset *data = NULL;
    uint32_t group[COUNT];
    size_t groups;
    for (int i = 0; i < COUNT; i++) assert_non_null(text[i] = malloc(2 * ATOMS));
    strcpy(text[0], ring);
    sprintf(text[1], "%s.%s", half, half);
    strcpy(text[2], other);
    sprintf(text[3], "%s", ring);
    text[3][1 + ATOMS / 3] = 'N';
    sprintf(text[4], "%s%s", half, half);                                                 /* a bond between two rings */
    sprintf(text[5], "C12%.*sC1%.*s2", ATOMS / 2 - 1, ring + 2, ATOMS / 2 - 1, ring + 2); /* a bond of two rings */
    assert_int_equal(leman_dataset_from_smiles(ctx, (const char *const *)text, NULL, COUNT, NULL, NULL, &data),
                     LEMAN_OK);
    assert_int_equal(leman_dataset_scaffolds(ctx, data, group, &groups), LEMAN_OK);
    for (int i = 0; i < COUNT; i++) assert_int_equal(group[i], EXPECTED[i]);
    for (int i = 0; i < COUNT; i++) free(text[i]);
    free(ring), free(half), free(other);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static bool stop(void *user, const leman_progress *progress)
{
    (void)progress;
    ++*(size_t *)user;
    return false;
}

/* The caller is asked while one molecule is looked at. */
static void cancellation(void **unused)
{
    (void)unused;
    leman_settings settings = leman_settings_default();
    size_t asked = 0, groups = 0;
    uint32_t group;
    leman_context *ctx, *plain = test_context_new(1);
    leman_dataset *data = NULL;
    char *ring = ring_of(100000, "C");
    settings.progress = stop;
    settings.callback_user = &asked;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(leman_dataset_from_smiles(plain, (const char *const *)&ring, NULL, 1, NULL, NULL, &data),
                     LEMAN_OK);
    assert_int_equal(leman_dataset_scaffolds(ctx, data, &group, &groups), LEMAN_ERROR_CANCELLED);
    assert_int_equal(asked, 1);
    leman_dataset_free(data);
    leman_context_free(ctx);
    test_context_free(plain);
    free(ring);
}

static leman_status find_once(leman_context *ctx, void *state)
{
    (void)state;
    static const char *const SMILES[] = {"CC1CCCCC1=O", "CCO", "c1ccccc1CCc1ccccc1"};
    leman_dataset *data = NULL;
    uint32_t group[3];
    size_t groups;
    leman_status st = leman_dataset_from_smiles(ctx, SMILES, NULL, 3, NULL, NULL, &data);
    if (!st) st = leman_dataset_scaffolds(ctx, data, group, &groups);
    leman_dataset_free(data);
    return st;
}

static void allocations_may_fail(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(find_once, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(numbering_does_not_matter),
                                       cmocka_unit_test(large_rings), cmocka_unit_test(cancellation),
                                       cmocka_unit_test(allocations_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
