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

const char *leman_hydrogens_name(leman_hydrogens hydrogens)
{
    return lm_names_get(LM_NAMES("hydrogens", HYDROGENS, ), (int)hydrogens);
}

leman_status leman_hydrogens_parse(leman_context *ctx, const char *name, leman_hydrogens *hydrogens)
{
    return PARSE_ENUM(ctx, LM_NAMES("hydrogens", HYDROGENS, ), name, hydrogens);
}

const char *leman_aromatic_name(leman_aromatic aromatic)
{
    return lm_names_get(LM_NAMES("aromatic bonds", AROMATIC, ), (int)aromatic);
}

leman_status leman_aromatic_parse(leman_context *ctx, const char *name, leman_aromatic *aromatic)
{
    return PARSE_ENUM(ctx, LM_NAMES("aromatic bonds", AROMATIC, ), name, aromatic);
}
