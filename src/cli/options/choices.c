/* Fills lists of words from the name functions of the library, so that help, completion and errors follow its
 * tables. */
#include "cli/options/choices.h"
#include "base/text.h"
#include <stdio.h>

const char *lm_choices_readable[LEMAN_FORMAT_COUNT + 1], *lm_choices_writable[LEMAN_FORMAT_COUNT + 1];
const char *lm_choices_families[LEMAN_FAMILY_COUNT + 1], *lm_choices_devices[LEMAN_DEVICE_COUNT + 2];
const char *lm_choices_precisions[LEMAN_PRECISION_COUNT + 1];
const char *lm_choices_presets[LEMAN_PRESET_COUNT + 1];
const char *lm_choices_hydrogens[LEMAN_HYDROGENS_COUNT + 1], *lm_choices_aromatic[LEMAN_AROMATIC_COUNT + 1];
const char *lm_choices_policies[LEMAN_RULE_COUNT * LEMAN_ACTION_COUNT + 1];
const char *lm_choices_explanations[LEMAN_EXPLANATION_FORMAT_COUNT + 1], *lm_choices_svms[LEMAN_SVM_COUNT + 1];
const char *lm_choices_scores[LEMAN_SCORE_COUNT + 1];

char lm_choices_network_help[768], lm_choices_format_help[512];

static void fill_networks(void)
{
    lm_joined list = lm_joined_begin(lm_choices_network_help, sizeof lm_choices_network_help);
    lm_joined_add(&list, "the network (default: delta-2-LGNN), one of ");
    for (size_t i = 0; leman_architecture_known_name(i); i++)
        lm_joined_add(&list, "%s%s", i ? ", " : "", leman_architecture_known_name(i));
    lm_joined_add(&list, "; a name without a number for k takes k from -k");
}

static void fill_formats(void)
{
    size_t readable = 0, writable = 0;
    lm_joined list = lm_joined_begin(lm_choices_format_help, sizeof lm_choices_format_help);
    lm_joined_add(&list, "write this format (default: by the ending: ");
    for (int i = 0; i < LEMAN_FORMAT_COUNT; i++) {
        const leman_format format = (leman_format)i;
        if (format == LEMAN_FORMAT_AUTO) continue; /* automatic means that the option is not given */
        lm_choices_readable[readable++] = leman_format_name(format);
        if (!leman_format_is_writable(format)) continue;
        lm_choices_writable[writable++] = leman_format_name(format);
        const char *ending = leman_format_ending(format, 0);
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

/* Fills a list with the names of all values of an enum but one: `automatic` means that the option is not given. */
#define FILL(list, count, automatic, type, name)                                                                       \
    for (int i = 0, used = 0; i < (count); i++)                                                                        \
        if (i != (automatic)) (list)[used++] = name((type)i)

void lm_choices_fill(void)
{
    fill_formats();
    fill_policies();
    fill_networks();
    FILL(lm_choices_svms, LEMAN_SVM_COUNT, LEMAN_SVM_AUTO, leman_svm, leman_svm_name);
    FILL(lm_choices_scores, LEMAN_SCORE_COUNT, LEMAN_SCORE_AUTO, leman_score, leman_score_name);
    FILL(lm_choices_families, LEMAN_FAMILY_COUNT, -1, leman_family, leman_family_name);
    FILL(lm_choices_devices, LEMAN_DEVICE_COUNT, -1, leman_device, leman_device_name);
    lm_choices_devices[LEMAN_DEVICE_COUNT] = "auto";
    FILL(lm_choices_precisions, LEMAN_PRECISION_COUNT, -1, leman_precision, leman_precision_name);
    FILL(lm_choices_hydrogens, LEMAN_HYDROGENS_COUNT, -1, leman_hydrogens, leman_hydrogens_name);
    FILL(lm_choices_aromatic, LEMAN_AROMATIC_COUNT, -1, leman_aromatic, leman_aromatic_name);
    FILL(lm_choices_presets, LEMAN_PRESET_COUNT, -1, leman_preset, leman_preset_name);
    FILL(lm_choices_explanations, LEMAN_EXPLANATION_FORMAT_COUNT, -1, leman_explanation_format,
         leman_explanation_format_name);
}
