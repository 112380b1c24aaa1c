/* Standardised molecules: known ones by hand, fragments of equal sizes, the code of how they were read, failing
 * allocations. tests/python/test_standardize.py compares with RDKit. */
#include "io/molecule/standardize.h"
#include "support/formats.h"

static leman_dataset *read_as(leman_context *ctx, const char *smiles, unsigned steps)
{
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    options.atom_labels = LEMAN_ATOM_ELEMENT | LEMAN_ATOM_CHARGE | LEMAN_ATOM_HYDROGENS;
    options.standardize = steps;
    if (leman_dataset_from_smiles(ctx, &smiles, NULL, 1, &options, NULL, &data))
        fail_msg("%s: %s", smiles, leman_context_message(ctx));
    return data;
}

/* The sum of all labels of atoms and bonds, which tells apart the molecules below. */
static int64_t sum_of(const leman_dataset *data)
{
    const leman_graph g = leman_dataset_graph(data, 0);
    int64_t sum = 0;
    for (size_t v = 0; v < g.vertices; v++) sum += g.vertex_label[v];
    for (size_t e = 0; e < g.arcs; e++) sum += g.edge_label[e] * INT64_C(1000000000000);
    return sum;
}

static void known_molecules(void **state)
{
    static const struct {
        const char *smiles, *expected;
        unsigned steps;
    } CASES[] = {
        {"CCO.Cl", "CCO", LEMAN_STANDARDIZE_ALL},
        {"CO.OP(O)(O)=O", "CO", LEMAN_STANDARDIZE_FRAGMENT}, /* carbon before size */
        {"CC.CCC", "CCC", LEMAN_STANDARDIZE_FRAGMENT},
        {"CCF.CCCl", "CCCl", LEMAN_STANDARDIZE_FRAGMENT}, /* equal numbers of atoms */
        {"CCCl.CCF", "CCCl", LEMAN_STANDARDIZE_FRAGMENT},
        {"O.[NH4+]", "[NH4+]", LEMAN_STANDARDIZE_FRAGMENT},
        {"CS(C)=O", "C[S+](C)[O-]", LEMAN_STANDARDIZE_GROUPS},
        {"CS(C)=O", "CS(C)=O", LEMAN_STANDARDIZE_CHARGES},
        {"OS(C)=O", "OS(C)=O", LEMAN_STANDARDIZE_ALL}, /* an acid, no sulfoxide */
        {"C[S+2](C)([O-])[O-]", "CS(C)(=O)=O", LEMAN_STANDARDIZE_GROUPS},
        {"[O-]C=C[N+](C)=C", "[O-]C=C[N+](C)=C", LEMAN_STANDARDIZE_GROUPS},
        {"[O-]C=[N+](C)C", "O=CN(C)C", LEMAN_STANDARDIZE_GROUPS},
        {"[O-]C=CC=[N+](C)C", "O=CC=CN(C)C", LEMAN_STANDARDIZE_GROUPS},
        {"[O-]c1cccc[n+]1C", "O=c1ccccn1C", LEMAN_STANDARDIZE_GROUPS},
        {"NC=[N+](C)C", "[NH2+]=CN(C)C", LEMAN_STANDARDIZE_GROUPS},
        {"CC(=O)[O-]", "CC(=O)O", LEMAN_STANDARDIZE_CHARGES},
        {"[NH3+]CC(=O)[O-]", "NCC(=O)O", LEMAN_STANDARDIZE_CHARGES},
        {"C[N+](C)(C)CC(=O)[O-]", "C[N+](C)(C)CC(=O)[O-]", LEMAN_STANDARDIZE_ALL},
        {"C[N+](C)(C)CC([O-])C(=O)[O-]", "C[N+](C)(C)CC(O)C(=O)[O-]", LEMAN_STANDARDIZE_ALL}, /* acids last */
        {"c1nnn[n-]1", "c1nnn[nH]1", LEMAN_STANDARDIZE_CHARGES},
        {"C[N+](=O)[O-]", "C[N+](=O)[O-]", LEMAN_STANDARDIZE_ALL},
        {"[O-][n+]1ccccc1", "[O-][n+]1ccccc1", LEMAN_STANDARDIZE_ALL},
        {"[CH3+]", "C", LEMAN_STANDARDIZE_CHARGES},
        {"[BH4-]", "B", LEMAN_STANDARDIZE_CHARGES},
        {"[SnH2+2]", "[SnH4]", LEMAN_STANDARDIZE_CHARGES},
        {"F[P-](F)(F)(F)(F)F", "F[P-](F)(F)(F)(F)F", LEMAN_STANDARDIZE_CHARGES}, /* no room for a hydrogen */
    };
    leman_context *ctx = test_context_new(1);
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_dataset *found = read_as(ctx, CASES[i].smiles, CASES[i].steps);
        leman_dataset *expected = read_as(ctx, CASES[i].expected, 0);
        if (sum_of(found) != sum_of(expected)) fail_msg("%s: expected %s", CASES[i].smiles, CASES[i].expected);
        leman_dataset_free(found);
        leman_dataset_free(expected);
    }
    test_context_free(ctx);
}

static void codes(void **state)
{
    leman_context *ctx = test_context_new(1);
    leman_read_options options = leman_read_options_default(), read = leman_read_options_default();
    char text[256];
    (void)state;
    options.standardize = LEMAN_STANDARDIZE_GROUPS | LEMAN_STANDARDIZE_CHARGES;
    const uint64_t code = leman_reading_of(&options, true);
    leman_reading_text(code, text, sizeof text);
    assert_string_equal(text, "--aromatic rdkit --hydrogens implicit --atom-labels element,charge,isotope,radical "
                              "--standardize groups,charges");
    assert_int_equal(leman_reading_apply(ctx, code, &read, NULL), LEMAN_OK);
    assert_int_equal(leman_reading_of(&read, true), code);
    options.hydrogens = LEMAN_HYDROGENS_AS_WRITTEN;
    leman_dataset *data = NULL;
    const char *smiles = "C";
    assert_int_equal(leman_dataset_from_smiles(ctx, &smiles, NULL, 1, &options, NULL, &data), LEMAN_ERROR_ARGUMENT);
    test_context_free(ctx);
}

static leman_status read_once(leman_context *ctx, void *argument)
{
    static const char *const SMILES[] = {"[O-]c1cccc[n+]1C.Cl", "CS(C)=O.CC[NH3+]", "CCCC.CC(C)C"};
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    (void)argument;
    options.standardize = LEMAN_STANDARDIZE_ALL;
    const leman_status st = leman_dataset_from_smiles(ctx, SMILES, NULL, 3, &options, NULL, &data);
    leman_dataset_free(data);
    return st;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(read_once, NULL) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_molecules), cmocka_unit_test(codes),
                                       cmocka_unit_test(allocations_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
