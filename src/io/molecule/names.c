/* Names of the choices for molecules. */
#include "base/arguments.h"
#include "leman.h"

static const char *const HYDROGENS[] = {[LEMAN_HYDROGENS_AS_WRITTEN] = "as-written",
                                        [LEMAN_HYDROGENS_IMPLICIT] = "implicit",
                                        [LEMAN_HYDROGENS_EXPLICIT] = "explicit",
                                        [LEMAN_HYDROGENS_LABELS] = "labels"};
_Static_assert(sizeof HYDROGENS / sizeof *HYDROGENS == LEMAN_HYDROGENS_COUNT, "a name for every choice");

static const char *const AROMATIC[] = {[LEMAN_AROMATIC_AS_WRITTEN] = "as-written", [LEMAN_AROMATIC_KEKULE] = "kekule"};
_Static_assert(sizeof AROMATIC / sizeof *AROMATIC == LEMAN_AROMATIC_COUNT, "a name for every choice");

LM_ENUM_NAMES(hydrogens, "hydrogens", HYDROGENS, )
LM_ENUM_NAMES(aromatic, "aromatic bonds", AROMATIC, )
