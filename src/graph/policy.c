/* Policies: one table defines the names of the rules, their defaults and the actions they allow; see docs/data.md. */
#include "base/arguments.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <stddef.h>
#include <string.h>

typedef struct policy_rule {
    const char *name;
    size_t field;
    leman_action standard;
    unsigned allowed; /* bits 1 << action */
} policy_rule;

#define RULE(name, field, standard, allowed)                                                                           \
    {                                                                                                                  \
        name, offsetof(leman_policy, field), standard, allowed                                                         \
    }
static const policy_rule RULES[] = {
    RULE("repeated-edges", repeated_edges, LEMAN_ACTION_REMOVE,
         1 << LEMAN_ACTION_REMOVE | 1 << LEMAN_ACTION_KEEP | 1 << LEMAN_ACTION_REFUSE),
    RULE("one-way-edges", one_way_edges, LEMAN_ACTION_REPAIR,
         1 << LEMAN_ACTION_REPAIR | 1 << LEMAN_ACTION_REMOVE | 1 << LEMAN_ACTION_REFUSE),
    RULE("self-loops", self_loops, LEMAN_ACTION_REMOVE,
         1 << LEMAN_ACTION_REMOVE | 1 << LEMAN_ACTION_KEEP | 1 << LEMAN_ACTION_REFUSE),
    RULE("isolated-vertices", isolated_vertices, LEMAN_ACTION_KEEP,
         1 << LEMAN_ACTION_REMOVE | 1 << LEMAN_ACTION_KEEP | 1 << LEMAN_ACTION_REFUSE),
    RULE("empty-graphs", empty_graphs, LEMAN_ACTION_KEEP,
         1 << LEMAN_ACTION_REMOVE | 1 << LEMAN_ACTION_KEEP | 1 << LEMAN_ACTION_REFUSE),
    RULE("label-conflicts", label_conflicts, LEMAN_ACTION_REPAIR, 1 << LEMAN_ACTION_REPAIR | 1 << LEMAN_ACTION_REFUSE),
    RULE("valence", valence, LEMAN_ACTION_REPORT,
         1 << LEMAN_ACTION_REPORT | 1 << LEMAN_ACTION_KEEP | 1 << LEMAN_ACTION_REFUSE),
};
static const char *const ACTIONS[] = {[LEMAN_ACTION_KEEP] = "keep",
                                      [LEMAN_ACTION_REMOVE] = "remove",
                                      [LEMAN_ACTION_REPAIR] = "repair",
                                      [LEMAN_ACTION_REFUSE] = "refuse",
                                      [LEMAN_ACTION_REPORT] = "report"};

_Static_assert(sizeof RULES / sizeof *RULES == LEMAN_RULE_COUNT, "a row for every rule");

LM_ENUM_NAME(leman_action, action, "action", ACTIONS, , LEMAN_ACTION_COUNT)

const char *leman_policy_rule(size_t rule)
{
    return rule < LEMAN_RULE_COUNT ? RULES[rule].name : NULL;
}

bool leman_policy_allows(size_t rule, leman_action action)
{
    return rule < LEMAN_RULE_COUNT && (unsigned)action < LEMAN_ACTION_COUNT && RULES[rule].allowed >> action & 1;
}

void leman_policy_init(leman_policy *policy, size_t size)
{
    leman_policy defaults = {0};
    for (int i = 0; i < LEMAN_RULE_COUNT; i++)
        memcpy((char *)&defaults + RULES[i].field, &RULES[i].standard, sizeof(leman_action));
    lm_options_init(policy, size, &defaults, sizeof defaults);
}

static leman_action action_of(const leman_policy *policy, const policy_rule *r)
{
    leman_action action;
    memcpy(&action, (const char *)policy + r->field, sizeof action);
    return action;
}

bool lm_policy_refuses(const leman_policy *policy)
{
    bool refuses = false;
    for (int i = 0; i < LEMAN_RULE_COUNT; i++) refuses |= action_of(policy, RULES + i) == LEMAN_ACTION_REFUSE;
    return refuses;
}

/* Fails with what was found and "expected NAME= one of ...". */
static leman_status expected_action(leman_context *ctx, const policy_rule *r, int length, const char *found)
{
    char allowed[128];
    lm_joined list = lm_joined_begin(allowed, sizeof allowed);
    for (int i = 0; i < LEMAN_ACTION_COUNT; i++)
        if (r->allowed >> i & 1) lm_joined_name(&list, ACTIONS[i]);
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "policy: found '%.*s', expected %s= one of %s", length, found, r->name,
                   allowed);
}

leman_status lm_policy_copy(leman_context *ctx, const leman_policy *given, leman_policy *out)
{
    leman_policy policy = leman_policy_default();
    PASS(lm_options_copy(ctx, "leman_policy", given, &policy, sizeof policy));
    for (size_t i = 0; i < LEMAN_RULE_COUNT; i++) {
        leman_action action = action_of(&policy, RULES + i);
        const char *name = leman_action_name(action);
        if (!leman_policy_allows(i, action)) PASS(expected_action(ctx, RULES + i, (int)strlen(name), name));
    }
    *out = policy;
    return LEMAN_OK;
}

leman_status leman_policy_parse(leman_context *ctx, const char *text, leman_policy *policy)
{
    leman_policy result = leman_policy_default();
    REQUIRE(ctx, text, policy);
    PASS(lm_options_copy(ctx, "leman_policy", policy, &result, sizeof result));
    for (const char *p = text; *p;) {
        size_t length = strcspn(p, ","), name = strcspn(p, "=,");
        int rule, action = 0;
        PASS(lm_names_parse(ctx, LM_NAMES("policy", RULES, .name), p, name, &rule));
        const bool known = name < length && !lm_names_parse(ctx, LM_NAMES("action", ACTIONS, ), p + name + 1,
                                                            length - name - 1, &action);
        const leman_action chosen = (leman_action)action;
        if (!known || !leman_policy_allows((size_t)rule, chosen))
            PASS(expected_action(ctx, RULES + rule, (int)length, p));
        memcpy((char *)&result + RULES[rule].field, &chosen, sizeof chosen);
        p += length;
        p += *p == ',';
    }
    lm_options_return(&result, sizeof result, policy);
    return LEMAN_OK;
}
