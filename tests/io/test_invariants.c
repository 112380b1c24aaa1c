/* Labels of circular fingerprints by hand, at large degrees and with failing allocations. tests/python/test_circular.py
 * compares them with RDKit. */
#include "support/support.h"

static const int64_t ECFP = INT64_C(1000000000000000000), DEGREE = INT64_C(10000000000000),
                     UNIT = INT64_C(1000000000000), HYDROGEN = INT64_C(1000000000);
enum { DONOR = 1, ACCEPTOR = 2, AROMATIC = 4, HALOGEN = 8, BASIC = 16, ACIDIC = 32 };

static leman_dataset *read_one(leman_context *ctx, const char *smiles, unsigned labels)
{
    leman_read_options options = leman_read_options_default();
    leman_dataset *data = NULL;
    options.atom_labels = labels;
    options.hydrogens = LEMAN_HYDROGENS_IMPLICIT;
    if (leman_dataset_from_smiles(ctx, &smiles, NULL, 1, &options, NULL, &data))
        fail_msg("%s", leman_context_message(ctx));
    return data;
}

static void assert_labels(leman_context *ctx, const char *smiles, unsigned labels, const int64_t *want, size_t count)
{
    leman_dataset *data = read_one(ctx, smiles, labels);
    const leman_graph g = leman_dataset_graph(data, 0);
    assert_int_equal(g.vertices, count);
    for (size_t v = 0; v < count; v++)
        if (g.vertex_label[v] != want[v])
            fail_msg("%s, atom %zu: %lld, expected %lld", smiles, v, (long long)g.vertex_label[v], (long long)want[v]);
    leman_dataset_free(data);
}

static int64_t ecfp(int64_t atom, int64_t degree, int64_t hydrogens, bool ring)
{
    return ECFP + DEGREE * degree + UNIT * ring + HYDROGEN * hydrogens + atom;
}

static void test_ecfp(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const int64_t ammonium[] = {ecfp(6, 4, 3, false), ecfp(1007, 4, 3, false)};
    assert_labels(ctx, "C[NH3+]", LEMAN_ATOM_ECFP, ammonium, 2);
    const int64_t ring[] = {ecfp(6, 4, 3, false), ecfp(6, 4, 1, true), ecfp(6, 4, 2, true), ecfp(51008, 2, 0, true)};
    assert_labels(ctx, "CC1C[O-]1", LEMAN_ATOM_ECFP, ring, 4);
    const int64_t deuterium[] = {ecfp(6, 4, 4, false),
                                 ecfp(2000001, 1, 0, false)}; /* D is an atom, and a hydrogen of C */
    assert_labels(ctx, "C[2H]", LEMAN_ATOM_ECFP, deuterium, 2);
    test_context_free(ctx);
}

static void test_fcfp(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const int64_t zero = 2 * ECFP;
    const int64_t acid[] = {zero, zero + ACIDIC * UNIT, zero + ACCEPTOR * UNIT, zero + DONOR * UNIT};
    assert_labels(ctx, "CC(=O)O", LEMAN_ATOM_FCFP, acid, 4);
    const int64_t amine[] = {zero, zero + (DONOR + ACCEPTOR + BASIC) * UNIT, zero, zero + HALOGEN * UNIT};
    assert_labels(ctx, "CNCF", LEMAN_ATOM_FCFP, amine, 4);
    const int64_t amide[] = {zero, zero + ACCEPTOR * UNIT, zero + DONOR * UNIT};
    assert_labels(ctx, "C(=O)N", LEMAN_ATOM_FCFP, amide, 3);
    const int64_t pyrrole[] = {zero + AROMATIC * UNIT, zero + AROMATIC * UNIT, zero + (AROMATIC + DONOR) * UNIT,
                               zero + AROMATIC * UNIT, zero + AROMATIC * UNIT};
    assert_labels(ctx, "c1c[nH]cc1", LEMAN_ATOM_FCFP, pyrrole, 5);
    test_context_free(ctx);
}

/* Beyond 9,999 bonds degrees are not told apart, and no digit runs into the next. */
static void test_large_degree(void **unused)
{
    (void)unused;
    enum { NEIGHBORS = 20000 };
    static char text[3 * NEIGHBORS + 3];
    leman_context *ctx = test_context_new(1);
    char *at = text;
    *at++ = 'C';
    for (int i = 0; i < NEIGHBORS; i++, at += 3) memcpy(at, "(F)", 3);
    leman_dataset *data = read_one(ctx, text, LEMAN_ATOM_ECFP);
    assert_true(leman_dataset_graph(data, 0).vertex_label[0] == ecfp(6, 9999, 0, false));
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status read_both(leman_context *ctx, void *unused)
{
    (void)unused;
    static const char *const SMILES[] = {"CC(=O)Oc1ccccc1C(=O)O", "C1CC1N"};
    leman_status st = LEMAN_OK;
    for (unsigned labels = LEMAN_ATOM_ECFP; !st && labels <= LEMAN_ATOM_FCFP; labels *= 2) {
        leman_read_options options = leman_read_options_default();
        leman_dataset *data = NULL;
        options.atom_labels = labels;
        st = leman_dataset_from_smiles(ctx, SMILES, NULL, 2, &options, NULL, &data);
        leman_dataset_free(data);
    }
    return st;
}

static void allocations_may_fail(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(read_both, NULL) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ecfp), cmocka_unit_test(test_fcfp),
                                       cmocka_unit_test(test_large_degree), cmocka_unit_test(allocations_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
