/* Names of the choices for molecules. */
#include "base/arguments.h"
#include "leman.h"

static const char *const HYDROGENS[] = {[LEMAN_HYDROGENS_AS_WRITTEN] = "as-written",
                                        [LEMAN_HYDROGENS_IMPLICIT] = "implicit",
                                        [LEMAN_HYDROGENS_EXPLICIT] = "explicit",
                                        [LEMAN_HYDROGENS_LABELS] = "labels"};

static const char *const AROMATIC[] = {[LEMAN_AROMATIC_AS_WRITTEN] = "as-written",
                                       [LEMAN_AROMATIC_KEKULE] = "kekule",
                                       [LEMAN_AROMATIC_RDKIT] = "rdkit",
                                       [LEMAN_AROMATIC_MDL] = "mdl"};

static const char *const STEREO[] = {[LEMAN_STEREO_NONE] = "none", [LEMAN_STEREO_LABELS] = "labels"};

LM_ENUM(leman_hydrogens, hydrogens, "hydrogens", HYDROGENS, , LEMAN_HYDROGENS_COUNT)
LM_ENUM(leman_aromatic, aromatic, "aromatic bonds", AROMATIC, , LEMAN_AROMATIC_COUNT)
LM_ENUM(leman_stereo, stereo, "stereochemistry", STEREO, , LEMAN_STEREO_COUNT)
