/* Lists of the words that options accept, taken from the tables of the library. */
#ifndef LM_CHOICES_H
#define LM_CHOICES_H

#include "leman.h"

/* The lists that hold the names of all values of an enum but one: list, values, the value that stands for an option that
 * is not given (-1: none), enum, function. */
#define LM_CHOICES(ROW)                                                                                                \
    ROW(svms, LEMAN_SVM_COUNT, LEMAN_SVM_AUTO, leman_svm, leman_svm_name)                                              \
    ROW(scores, LEMAN_SCORE_COUNT, LEMAN_SCORE_AUTO, leman_score, leman_score_name)                                    \
    ROW(families, LEMAN_FAMILY_COUNT, -1, leman_family, leman_family_name)                                             \
    ROW(levels, LEMAN_LEVEL_COUNT, -1, leman_level, leman_level_name)                                                  \
    ROW(devices, LEMAN_DEVICE_COUNT, -1, leman_device, leman_device_name)                                              \
    ROW(precisions, LEMAN_PRECISION_COUNT, -1, leman_precision, leman_precision_name)                                  \
    ROW(hydrogens, LEMAN_HYDROGENS_COUNT, -1, leman_hydrogens, leman_hydrogens_name)                                   \
    ROW(aromatic, LEMAN_AROMATIC_COUNT, -1, leman_aromatic, leman_aromatic_name)                                       \
    ROW(stereo, LEMAN_STEREO_COUNT, -1, leman_stereo, leman_stereo_name)                                               \
    ROW(schedules, LEMAN_SCHEDULE_COUNT, -1, leman_schedule, leman_schedule_name)                                      \
    ROW(presets, LEMAN_PRESET_COUNT, -1, leman_preset, leman_preset_name)                                              \
    ROW(readable, LEMAN_FORMAT_COUNT, LEMAN_FORMAT_AUTO, leman_format, leman_format_name)                              \
    ROW(explanations, LEMAN_EXPLANATION_FORMAT_COUNT, -1, leman_explanation_format, leman_explanation_format_name)

/* Lists that end with NULL, for rows of options. */
#define LM_CHOICES_DECLARE(list, count, ...) extern const char *lm_choices_##list[(count) + 2];
LM_CHOICES(LM_CHOICES_DECLARE)
extern const char *lm_choices_writable[LEMAN_FORMAT_COUNT + 1];
extern const char *lm_choices_policies[LEMAN_RULE_COUNT * LEMAN_ACTION_COUNT + 1]; /* "self-loops=keep" */

/* The help of an option that takes the name of a network. */
extern char lm_choices_network_help[768], lm_choices_format_help[512];

/* Fills the lists. Called once, before the first option is parsed. */
void lm_choices_fill(void);

#endif
