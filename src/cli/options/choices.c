/* Fills lists of words from the name functions of the library, so that help, completion and errors follow its
 * tables. */
#include "cli/options/choices.h"
#include <stdio.h>

const char *lm_choices_readable[LEMAN_FORMAT_COUNT + 1], *lm_choices_writable[LEMAN_FORMAT_COUNT + 1];
const char *lm_choices_families[LEMAN_FAMILY_COUNT + 1], *lm_choices_devices[LEMAN_DEVICE_COUNT + 2];
const char *lm_choices_precisions[LEMAN_PRECISION_COUNT + 1];
const char *lm_choices_presets[LEMAN_PRESET_COUNT + 1];
const char *lm_choices_hydrogens[LEMAN_HYDROGENS_COUNT + 1], *lm_choices_aromatic[LEMAN_AROMATIC_COUNT + 1];
const char *lm_choices_policies[LEMAN_RULE_COUNT * LEMAN_ACTION_COUNT + 1];
const char *lm_choices_explanations[LEMAN_EXPLANATION_FORMAT_COUNT + 1], *lm_choices_svms[LEMAN_SVM_COUNT + 1];
const char *lm_choices_scores[LEMAN_SCORE_COUNT + 1];

char lm_choices_network_help[768];

static void fill_networks(void)
{
    char *text = lm_choices_network_help;
    const size_t size = sizeof lm_choices_network_help;
    size_t used = (size_t)snprintf(text, size, "the network (default: delta-2-LGNN), one of ");
    for (size_t i = 0; leman_architecture_known_name(i) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", leman_architecture_known_name(i));
    if (used < size) snprintf(text + used, size - used, "; a name without a number for k takes k from -k");
}

static void fill_formats(void)
{
    size_t readable = 0, writable = 0;
    for (int i = 0; i < LEMAN_FORMAT_COUNT; i++) {
        const leman_format format = (leman_format)i;
        if (format == LEMAN_FORMAT_AUTO) continue; /* automatic means that the option is not given */
        lm_choices_readable[readable++] = leman_format_name(format);
        if (leman_format_is_writable(format)) lm_choices_writable[writable++] = leman_format_name(format);
    }
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

static void fill_svms(void)
{
    size_t count = 0;
    for (int i = 0; i < LEMAN_SVM_COUNT; i++)
        if (i != LEMAN_SVM_AUTO) lm_choices_svms[count++] = leman_svm_name((leman_svm)i);
    count = 0;
    for (int i = 0; i < LEMAN_SCORE_COUNT; i++)
        if (i != LEMAN_SCORE_AUTO) lm_choices_scores[count++] = leman_score_name((leman_score)i);
}

void lm_choices_fill(void)
{
    fill_formats();
    fill_policies();
    fill_svms();
    fill_networks();
    for (int i = 0; i < LEMAN_FAMILY_COUNT; i++) lm_choices_families[i] = leman_family_name((leman_family)i);
    for (int i = 0; i < LEMAN_DEVICE_COUNT; i++) lm_choices_devices[i] = leman_device_name((leman_device)i);
    lm_choices_devices[LEMAN_DEVICE_COUNT] = "auto";
    for (int i = 0; i < LEMAN_PRECISION_COUNT; i++) lm_choices_precisions[i] = leman_precision_name((leman_precision)i);
    for (int i = 0; i < LEMAN_HYDROGENS_COUNT; i++) lm_choices_hydrogens[i] = leman_hydrogens_name((leman_hydrogens)i);
    for (int i = 0; i < LEMAN_AROMATIC_COUNT; i++) lm_choices_aromatic[i] = leman_aromatic_name((leman_aromatic)i);
    for (int i = 0; i < LEMAN_PRESET_COUNT; i++) lm_choices_presets[i] = leman_preset_name((leman_preset)i);
    for (int i = 0; i < LEMAN_EXPLANATION_FORMAT_COUNT; i++)
        lm_choices_explanations[i] = leman_explanation_format_name((leman_explanation_format)i);
}
