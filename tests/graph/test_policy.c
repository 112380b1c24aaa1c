/* The words of a policy: every rule with every action, allowed or not, and what else people type. */
#include "graph/dataset.h"
#include "support/support.h"
#include <stdio.h>

static const char *const ACTIONS[] = {"keep", "remove", "repair", "refuse",
                                      "report"}; /* in the order of leman_action */

/* docs/data.md: which actions a rule has, the first being the default. */
static const struct {
    const char *name, *actions;
    leman_action standard;
    size_t field;
} RULES[] = {
    {"repeated-edges", "remove keep refuse", LEMAN_ACTION_REMOVE, offsetof(leman_policy, repeated_edges)},
    {"one-way-edges", "repair remove refuse", LEMAN_ACTION_REPAIR, offsetof(leman_policy, one_way_edges)},
    {"self-loops", "remove keep refuse", LEMAN_ACTION_REMOVE, offsetof(leman_policy, self_loops)},
    {"isolated-vertices", "keep remove refuse", LEMAN_ACTION_KEEP, offsetof(leman_policy, isolated_vertices)},
    {"empty-graphs", "keep remove refuse", LEMAN_ACTION_KEEP, offsetof(leman_policy, empty_graphs)},
    {"label-conflicts", "repair refuse", LEMAN_ACTION_REPAIR, offsetof(leman_policy, label_conflicts)},
    {"valence", "report keep refuse", LEMAN_ACTION_REPORT, offsetof(leman_policy, valence)},
};
enum { RULE_COUNT = sizeof RULES / sizeof *RULES };

static leman_action action_of(const leman_policy *policy, int rule)
{
    leman_action action;
    memcpy(&action, (const char *)policy + RULES[rule].field, sizeof action);
    return action;
}

static void test_defaults(void **unused)
{
    (void)unused;
    leman_policy policy = leman_policy_default();
    assert_false(policy.directed);
    assert_false(lm_policy_refuses(&policy));
    for (int r = 0; r < RULE_COUNT; r++) assert_int_equal(action_of(&policy, r), RULES[r].standard);
}

static void test_every_rule_and_action(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    for (int r = 0; r < RULE_COUNT; r++)
        for (int a = 0; a < LEMAN_ACTION_COUNT; a++) {
            leman_policy before = leman_policy_default(), policy = before, direct = before, checked;
            char text[64];
            snprintf(text, sizeof text, "%s=%s", RULES[r].name, ACTIONS[a]);
            memcpy((char *)&direct + RULES[r].field, &(leman_action){(leman_action)a}, sizeof(leman_action));
            bool allowed = strstr(RULES[r].actions, ACTIONS[a]) != NULL;
            leman_status expected = allowed ? LEMAN_OK : LEMAN_ERROR_ARGUMENT;
            assert_int_equal(leman_policy_parse(ctx, text, &policy), expected);
            if (!allowed) assert_non_null(strstr(leman_context_message(ctx), text));
            assert_int_equal(lm_policy_copy(ctx, &direct, &checked), expected);
            for (int other = 0; other < RULE_COUNT; other++)
                assert_int_equal(action_of(&policy, other),
                                 allowed && other == r ? (leman_action)a : action_of(&before, other));
            assert_int_equal(lm_policy_refuses(&policy), allowed && a == LEMAN_ACTION_REFUSE);
        }
    test_context_free(ctx);
}

static void test_actions_that_do_not_exist(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_policy policy = leman_policy_default(), checked;
    policy.one_way_edges = LEMAN_ACTION_KEEP;
    assert_int_equal(lm_policy_copy(ctx, &policy, &checked), LEMAN_ERROR_ARGUMENT);
    assert_string_equal(leman_context_message(ctx),
                        "policy: found 'keep', expected one-way-edges= one of remove, repair, refuse");
    policy.one_way_edges = (leman_action)17;
    assert_int_equal(lm_policy_copy(ctx, &policy, &checked), LEMAN_ERROR_ARGUMENT);
    test_context_free(ctx);
}

static void test_lists(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_policy policy = leman_policy_default();
    policy.directed = true;
    assert_int_equal(leman_policy_parse(ctx, "", &policy), LEMAN_OK);
    assert_int_equal(leman_policy_parse(ctx, "self-loops=keep,empty-graphs=remove,", &policy), LEMAN_OK);
    assert_int_equal(policy.self_loops, LEMAN_ACTION_KEEP);
    assert_int_equal(policy.empty_graphs, LEMAN_ACTION_REMOVE);
    assert_int_equal(policy.isolated_vertices, LEMAN_ACTION_KEEP);
    assert_true(policy.directed);
    assert_int_equal(leman_policy_parse(ctx, "self-loops=refuse,self-loops=remove", &policy), LEMAN_OK);
    assert_int_equal(policy.self_loops, LEMAN_ACTION_REMOVE); /* the last word holds */
    test_context_free(ctx);
}

/* One wrong word, and the policy is as it was. */
static void test_wrong_words(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *word;
    } CASES[] = {
        {"self-loops=keep,loops=keep", "'loops'"},
        {"self-loops", "'self-loops'"},
        {"self-loops=", "'self-loops='"},
        {"self-loops=Keep", "'self-loops=Keep'"},
        {"self-loops=keep ", "'self-loops=keep '"},
        {"self-loops=keeps", "keep, remove, refuse"},
        {"self-loops=kee", "keep, remove, refuse"},
        {"self-loops==keep", "keep, remove, refuse"},
        {"=keep", "''"},
        {",", "''"},
        {"self-loops=keep,,", "''"},
        {"\xff\n", "'\?\?'"},
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_policy before = leman_policy_default(), policy = before;
        assert_int_equal(leman_policy_parse(ctx, CASES[i].text, &policy), LEMAN_ERROR_ARGUMENT);
        if (!strstr(leman_context_message(ctx), CASES[i].word))
            fail_msg("'%s' does not say %s", leman_context_message(ctx), CASES[i].word);
        assert_memory_equal(&policy, &before, sizeof policy);
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),    cmocka_unit_test(test_every_rule_and_action),
        cmocka_unit_test(test_lists),       cmocka_unit_test(test_actions_that_do_not_exist),
        cmocka_unit_test(test_wrong_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
