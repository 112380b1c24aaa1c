/* Lists of the words that options accept, taken from the tables of the library. */
#ifndef LM_CHOICES_H
#define LM_CHOICES_H

#include "leman.h"

/* Lists that end with NULL, for rows of options. */
extern const char *lm_choices_readable[LEMAN_FORMAT_COUNT + 1], *lm_choices_writable[LEMAN_FORMAT_COUNT + 1];
extern const char *lm_choices_families[LEMAN_FAMILY_COUNT + 1], *lm_choices_devices[LEMAN_DEVICE_COUNT + 2];
extern const char *lm_choices_precisions[LEMAN_PRECISION_COUNT + 1];
extern const char *lm_choices_presets[LEMAN_PRESET_COUNT + 1];
extern const char *lm_choices_hydrogens[LEMAN_HYDROGENS_COUNT + 1], *lm_choices_aromatic[LEMAN_AROMATIC_COUNT + 1];
extern const char *lm_choices_policies[LEMAN_RULE_COUNT * LEMAN_ACTION_COUNT + 1]; /* "self-loops=keep" */
extern const char *lm_choices_explanations[LEMAN_EXPLANATION_FORMAT_COUNT + 1], *lm_choices_svms[LEMAN_SVM_COUNT + 1];
extern const char *lm_choices_scores[LEMAN_SCORE_COUNT + 1];

/* The help of an option that takes the name of a network. */
extern char lm_choices_network_help[768], lm_choices_format_help[512];

/* Fills the lists. Called once, before the first option is parsed. */
void lm_choices_fill(void);

#endif
