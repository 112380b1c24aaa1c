/* Fills lists of words from the name functions of the library, so that help, completion and errors follow its
 * tables. */
#include "cli/options/choices.h"
#include "base/text.h"
#include <stdio.h>

#define DEFINE(list, count, ...) const char *lm_choices_##list[(count) + 2];
LM_CHOICES(DEFINE)
const char *lm_choices_writable[LEMAN_FORMAT_COUNT + 1];
const char *lm_choices_policies[LEMAN_RULE_COUNT * LEMAN_ACTION_COUNT + 1];
char lm_choices_network_help[768];

static void fill_networks(void)
{
    lm_joined list = lm_joined_begin(lm_choices_network_help, sizeof lm_choices_network_help);
    lm_joined_add(&list, "the network (default: delta-2-LGNN), one of ");
    for (size_t i = 0; leman_architecture_known_name(i); i++)
        lm_joined_add(&list, "%s%s", i ? ", " : "", leman_architecture_known_name(i));
    lm_joined_add(&list, "; a name without a number for k takes k from -k");
}

static void fill_writable(void)
{
    size_t count = 0;
    for (int i = 0; i < LEMAN_FORMAT_COUNT; i++)
        if (i != LEMAN_FORMAT_AUTO && leman_format_is_writable((leman_format)i))
            lm_choices_writable[count++] = leman_format_name((leman_format)i);
}

static void fill_policies(void)
{
    static char text[LEMAN_RULE_COUNT * LEMAN_ACTION_COUNT][40];
    size_t count = 0;
    for (size_t rule = 0; rule < LEMAN_RULE_COUNT; rule++)
        for (int i = 0; i < LEMAN_ACTION_COUNT; i++) {
            const leman_action action = (leman_action)i;
            if (!leman_policy_allows(rule, action)) continue;
            snprintf(text[count], sizeof text[count], "%s=%s", leman_policy_rule(rule), leman_action_name(action));
            lm_choices_policies[count] = text[count];
            count++;
        }
}

#define FILL(list, count, automatic, type, name)                                                                       \
    for (int i = 0, used = 0; i < (count); i++)                                                                        \
        if (i != (automatic)) lm_choices_##list[used++] = name((type)i);

void lm_choices_fill(void)
{
    fill_writable();
    fill_policies();
    fill_networks();
    LM_CHOICES(FILL)
    lm_choices_devices[LEMAN_DEVICE_COUNT] = "auto";
}
