/* Fills lists of words from the name functions of the library, so that help, completion and errors follow its
 * tables. */
#include "cli/options/choices.h"
#include "base/text.h"
#include <stdio.h>

#define DEFINE(list, count, ...) const char *lm_choices_##list[(count) + 2];
LM_CHOICES(DEFINE)
const char *lm_choices_writable[LEMAN_FORMAT_COUNT + 1];
const char *lm_choices_policies[LEMAN_RULE_COUNT * LEMAN_ACTION_COUNT + 1];
char lm_choices_network_help[768], lm_choices_format_help[512];

static void fill_networks(void)
{
    lm_joined list = lm_joined_begin(lm_choices_network_help, sizeof lm_choices_network_help);
    lm_joined_add(
        &list,
        "the network (default: delta-2-LGNN; for targets the best that memory and a day of work allow), one of ");
    for (size_t i = 0; leman_architecture_known_name(i); i++)
        lm_joined_add(&list, "%s%s", i ? ", " : "", leman_architecture_known_name(i));
    lm_joined_add(&list, "; a name without a number for k takes k from -k");
}

static void fill_writable(void)
{
    size_t count = 0;
    lm_joined list = lm_joined_begin(lm_choices_format_help, sizeof lm_choices_format_help);
    lm_joined_add(&list, "write this format (default: by the ending: ");
    for (int i = 0; i < LEMAN_FORMAT_COUNT; i++) {
        const leman_format format = (leman_format)i;
        const char *ending = leman_format_ending(format, 0);
        if (format == LEMAN_FORMAT_AUTO || !leman_format_is_writable(format)) continue;
        lm_choices_writable[count++] = leman_format_name(format);
        if (ending) lm_joined_add(&list, "%s %s, ", ending, leman_format_name(format));
    }
    lm_joined_add(&list, "and tu without an ending)");
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
