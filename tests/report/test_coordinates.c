/* Coordinates for files of molecules: bonds of one length, atoms apart, coordinates that are given stay, double bonds are E or Z,
 * what is no molecule gets zeros; failing allocations. */
#include "support/support.h"
#include <math.h>

static leman_dataset *read_smiles(leman_context *ctx, const char *const *smiles, size_t count)
{
    leman_dataset *data = NULL;
    assert_int_equal(leman_dataset_from_smiles(ctx, smiles, NULL, count, NULL, NULL, &data), LEMAN_OK);
    return data;
}

static double distance(const leman_graph *g, size_t a, size_t b)
{
    const double *p = g->vertex_attribute + 3 * a, *q = g->vertex_attribute + 3 * b;
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

static void places(void **state)
{
    (void)state;
    static const char *const SMILES[] = {"CCO", "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "[Na+].[Cl-]", "C",
                                         "CC(=O)Oc1ccccc1C(=O)O"};
    enum { COUNT = sizeof SMILES / sizeof *SMILES };
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = read_smiles(ctx, SMILES, COUNT), *placed = NULL, *again = NULL;
    assert_int_equal(leman_dataset_lay_out(ctx, data, &placed), LEMAN_OK);
    for (size_t i = 0; i < COUNT; i++) {
        const leman_graph g = leman_dataset_graph(placed, i);
        assert_int_equal(g.vertex_attributes, 3);
        for (size_t a = 0; a < g.vertices; a++) {
            assert_true(g.vertex_attribute[3 * a + 2] == 0);
            for (size_t b = 0; b < a; b++) assert_true(distance(&g, a, b) > 0.75);
            for (uint64_t e = g.start[a]; e < g.start[a + 1]; e++)
                assert_true(fabs(distance(&g, a, g.head[e]) - 1.5) < 0.3);
        }
    }
    assert_int_equal(leman_dataset_lay_out(ctx, placed, &again), LEMAN_OK); /* coordinates that are given stay */
    assert_true(test_same_dataset(placed, again));
    leman_dataset_free(again);
    leman_dataset_free(placed);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Other graphs, large molecules and data sets without vertices. */
static void no_places(void **state)
{
    (void)state;
    enum { LARGE = 300 };
    char chain[LARGE + 1];
    const char *smiles = chain;
    leman_context *ctx = test_context_new(1);
    uint64_t seed = 3;
    memset(chain, 'C', LARGE);
    chain[LARGE] = 0;
    leman_dataset *data[] = {test_random_graph(ctx, &seed, 30, 50, 0, 0, false), read_smiles(ctx, &smiles, 1),
                             read_smiles(ctx, &smiles, 0)};
    for (size_t i = 0; i < 3; i++) {
        leman_dataset *placed = NULL;
        assert_int_equal(leman_dataset_lay_out(ctx, data[i], &placed), LEMAN_OK);
        assert_int_equal(leman_dataset_shape(placed)->columns->vertex_attributes, 3);
        for (size_t k = 0; k < leman_dataset_shape(placed)->graphs; k++) {
            const leman_graph g = leman_dataset_graph(placed, k);
            for (size_t j = 0; j < 3 * g.vertices; j++) assert_true(g.vertex_attribute[j] == 0);
        }
        leman_dataset_free(placed);
        leman_dataset_free(data[i]);
    }
    test_context_free(ctx);
}

/* Returns on which side of the line from a to b the atom c lies. */
static int side_of(const leman_graph *g, size_t a, size_t b, size_t c)
{
    const double *p = g->vertex_attribute + 3 * a, *q = g->vertex_attribute + 3 * b, *r = g->vertex_attribute + 3 * c;
    const double area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    assert_true(fabs(area) > 0.1);
    return area > 0 ? 1 : -1;
}

/* Molecules with the atoms u, a, b, v of u-a=b-v, and whether u and v are on the same side. */
static void double_bonds(void **state)
{
    (void)state;
    static const struct {
        const char *smiles;
        size_t u, a, b, v;
        bool same;
    } BOND[] = {
        {"F/C=C/F", 0, 1, 2, 3, false},           {"F/C=C\\F", 0, 1, 2, 3, true},
        {"C(/F)=C/F", 1, 0, 2, 3, true}, /* behind a branch: as F\C=C/F */
        {"C(\\F)=C/F", 1, 0, 2, 3, false},        {"F/C(Cl)=C(/Br)I", 0, 1, 3, 4, false},
        {"F/C(Cl)=C(/Br)I", 2, 1, 3, 4, true},    {"C/C=C/C=C\\C", 0, 1, 2, 3, false},
        {"C/C=C/C=C\\C", 2, 3, 4, 5, true},       {"CC(C)(C)/C=C\\C(C)(C)C", 1, 4, 5, 6, true}, /* crowded */
        {"F/C=C1/CC(C)CCC1", 0, 1, 2, 3, false},  {"C/1CC(C)CCC1=C/F", 0, 6, 7, 8, false},      /* as C/C=C/F */
        {"[H]/C(C)=C/F", 1, 0, 2, 3, true},       {"c1ccccc1/N=N\\c1ccccc1", 5, 6, 7, 8, true},
        {"C/C(=N/O)c1ccccc1", 0, 1, 2, 3, false},
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof BOND / sizeof *BOND; i++) {
        leman_dataset *data = read_smiles(ctx, &BOND[i].smiles, 1), *placed = NULL;
        assert_int_equal(leman_dataset_lay_out(ctx, data, &placed), LEMAN_OK);
        const leman_graph g = leman_dataset_graph(placed, 0);
        const bool same = side_of(&g, BOND[i].a, BOND[i].b, BOND[i].u) == side_of(&g, BOND[i].a, BOND[i].b, BOND[i].v);
        if (same != BOND[i].same) fail_msg("%s is drawn the other way", BOND[i].smiles);
        leman_dataset_free(placed);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static leman_status lay_out_once(leman_context *ctx, void *data)
{
    leman_dataset *placed = NULL;
    const leman_status st = leman_dataset_lay_out(ctx, data, &placed);
    leman_dataset_free(placed);
    return st;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    static const char *const SMILES[] = {"C/C=C\\CO", "Cn1cnc2c1c(=O)n(C)c(=O)n2C"};
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_smiles(ctx, SMILES, 2);
    assert_true(test_fail_each_allocation(lay_out_once, data) > 3);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(no_places),
                                       cmocka_unit_test(double_bonds), cmocka_unit_test(allocations_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
