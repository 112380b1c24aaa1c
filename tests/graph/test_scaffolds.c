/* Scaffolds: what belongs to them, by hand; every allocation may fail. */
#include "support/support.h"

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(allocations_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
