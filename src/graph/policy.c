/* The words of a policy: one table serves reading it, its defaults and what is allowed. docs/data.md explains them. */
#include "base/options.h"
#include "graph/dataset.h"
#include <stddef.h>
#include <string.h>

typedef struct rule {
    const char *name;
    size_t field;
    leman_action standard;
    unsigned allowed; /* bits 1 << action */
} rule;

#define RULE(name, field, standard, allowed)                                                                           \
    {                                                                                                                  \
        name, offsetof(leman_policy, field), standard, allowed                                                         \
    }
static const rule RULES[] = {
    RULE("repeated-edges", repeated_edges, LEMAN_ACTION_REMOVE, 1 << LEMAN_ACTION_REMOVE | 1 << LEMAN_ACTION_REFUSE),
    RULE("one-way-edges", one_way_edges, LEMAN_ACTION_REPAIR,
         1 << LEMAN_ACTION_REPAIR | 1 << LEMAN_ACTION_REMOVE | 1 << LEMAN_ACTION_REFUSE),
    RULE("self-loops", self_loops, LEMAN_ACTION_REMOVE,
         1 << LEMAN_ACTION_REMOVE | 1 << LEMAN_ACTION_KEEP | 1 << LEMAN_ACTION_REFUSE),
    RULE("isolated-vertices", isolated_vertices, LEMAN_ACTION_KEEP,
         1 << LEMAN_ACTION_REMOVE | 1 << LEMAN_ACTION_KEEP | 1 << LEMAN_ACTION_REFUSE),
    RULE("empty-graphs", empty_graphs, LEMAN_ACTION_KEEP,
         1 << LEMAN_ACTION_REMOVE | 1 << LEMAN_ACTION_KEEP | 1 << LEMAN_ACTION_REFUSE),
    RULE("label-conflicts", label_conflicts, LEMAN_ACTION_REPAIR, 1 << LEMAN_ACTION_REPAIR | 1 << LEMAN_ACTION_REFUSE),
};
static const char *const ACTIONS[] = {"keep", "remove", "repair", "refuse"};

enum { RULE_COUNT = sizeof RULES / sizeof *RULES, ACTION_COUNT = sizeof ACTIONS / sizeof *ACTIONS };

void leman_policy_init(leman_policy *policy, size_t size)
{
    leman_policy defaults = {0};
    for (int i = 0; i < RULE_COUNT; i++)
        memcpy((char *)&defaults + RULES[i].field, &RULES[i].standard, sizeof(leman_action));
    lm_options_init(policy, size, &defaults, sizeof defaults);
}

static leman_action action_of(const leman_policy *policy, const rule *r)
{
    leman_action action;
    memcpy(&action, (const char *)policy + r->field, sizeof action);
    return action;
}

bool lm_policy_refuses(const leman_policy *policy)
{
    bool refuses = false;
    for (int i = 0; i < RULE_COUNT; i++) refuses |= action_of(policy, RULES + i) == LEMAN_ACTION_REFUSE;
    return refuses;
}

/* "expected NAME= one of ..." after what was found. */
static leman_status expected_action(leman_context *ctx, const rule *r, int length, const char *found)
{
    char allowed[64] = "";
    for (int i = 0; i < ACTION_COUNT; i++)
        if (r->allowed >> i & 1) strcat(strcat(allowed, *allowed ? ", " : ""), ACTIONS[i]);
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "policy: found '%.*s', expected %s= one of %s", length, found, r->name,
                   allowed);
}

leman_status lm_policy_check(leman_context *ctx, const leman_policy *policy)
{
    for (int i = 0; i < RULE_COUNT; i++) {
        unsigned action = (unsigned)action_of(policy, RULES + i);
        if (action < ACTION_COUNT && RULES[i].allowed >> action & 1) continue;
        const char *found = action < ACTION_COUNT ? ACTIONS[action] : "no action";
        return expected_action(ctx, RULES + i, (int)strlen(found), found);
    }
    return LEMAN_OK;
}

static bool equals(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && !memcmp(word, name, length);
}

leman_status leman_policy_parse(leman_context *ctx, const char *text, leman_policy *policy)
{
    leman_policy result = *policy;
    for (const char *p = text; *p;) {
        size_t length = strcspn(p, ","), name = strcspn(p, "=,");
        const rule *found = NULL;
        int action = -1;
        for (int i = 0; i < RULE_COUNT; i++)
            if (equals(p, name, RULES[i].name)) found = RULES + i;
        if (!found)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "policy: found '%.*s', expected repeated-edges, one-way-edges, self-loops, "
                           "isolated-vertices, empty-graphs or label-conflicts",
                           (int)name, p);
        for (int i = 0; i < ACTION_COUNT && name < length; i++)
            if (equals(p + name + 1, length - name - 1, ACTIONS[i]) && found->allowed >> i & 1) action = i;
        if (action < 0) return expected_action(ctx, found, (int)length, p);
        leman_action chosen = (leman_action)action;
        memcpy((char *)&result + found->field, &chosen, sizeof chosen);
        p += length;
        p += *p == ',';
    }
    *policy = result;
    return LEMAN_OK;
}
