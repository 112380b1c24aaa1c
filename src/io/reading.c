/*
 * How graphs were read, as a code of 64 bits that data sets, models, networks and feature files keep:
 *
 *   bit 0       the options are known
 *   bit 1       the graphs are molecules; then also
 *   bits 4-7    leman_hydrogens            bits 8-11    leman_aromatic           bits 16-24   LEMAN_ATOM_...
 *   bits 25-27  LEMAN_STANDARDIZE_...      bit 28       leman_stereo
 *   bits 32-34  self-loops were kept; isolated vertices were removed; one-way edges were removed
 *   bit 63      the options are assumed: the file is of a version that does not have them
 */
#include "io/reading.h"
#include "base/arguments.h"
#include "base/text.h"
#include "graph/dataset.h"
#include "io/molecule/molecule.h"
#include <stdio.h>

#define KNOWN UINT64_C(1)
#define LOOPS_KEPT (UINT64_C(1) << 32)
#define ISOLATED_REMOVED (UINT64_C(1) << 33)
#define ONE_WAY_REMOVED (UINT64_C(1) << 34)
enum { HYDROGENS = 4, AROMATIC = 8, LABELS = 16, PART = 15, ALL_LABELS = 2 * LEMAN_ATOM_FCFP - 1, STEPS = 25 };
#define STEREO ((uint64_t)LM_ATOM_STEREO << 16) /* as if it were a label */
#define MOLECULE_BITS UINT64_C(0x1fff0ff0)

uint64_t leman_reading_of(const leman_read_options *given, bool molecules)
{
    leman_read_options options = leman_read_options_default();
    uint64_t reading = KNOWN;
    if (given && lm_options_copy(NULL, "leman_read_options", given, &options, sizeof options)) return 0;
    leman_policy policy;
    if (lm_policy_copy(NULL, options.policy, &policy)) return 0;
    options.policy = &policy;
    if (policy.self_loops == LEMAN_ACTION_KEEP) reading |= LOOPS_KEPT;
    if (policy.isolated_vertices == LEMAN_ACTION_REMOVE) reading |= ISOLATED_REMOVED;
    if (policy.one_way_edges == LEMAN_ACTION_REMOVE) reading |= ONE_WAY_REMOVED;
    if (!molecules) return reading;
    const lm_mol_choices choices = lm_mol_choices_of(&options);
    return reading | LEMAN_READING_MOLECULES | (uint64_t)choices.hydrogens << HYDROGENS |
           (uint64_t)choices.aromatic << AROMATIC | (uint64_t)choices.labels << LABELS |
           (uint64_t)choices.standardize << STEPS;
}

bool lm_reading_is_valid(uint64_t reading)
{
    const uint64_t known = KNOWN | LEMAN_READING_MOLECULES | MOLECULE_BITS | LOOPS_KEPT | ISOLATED_REMOVED |
                           ONE_WAY_REMOVED | LEMAN_READING_ASSUMED;
    if (reading & ~known || (reading && !(reading & KNOWN))) return false;
    if (!(reading & LEMAN_READING_MOLECULES)) return !(reading & MOLECULE_BITS);
    return (reading >> HYDROGENS & PART) < LEMAN_HYDROGENS_COUNT &&
           (reading >> AROMATIC & PART) < LEMAN_AROMATIC_COUNT && (reading >> LABELS & ALL_LABELS) != 0;
}

uint64_t lm_reading_assumed(void)
{
    leman_read_options options = leman_read_options_default();
    options.hydrogens = LEMAN_HYDROGENS_AS_WRITTEN;
    options.aromatic = LEMAN_AROMATIC_AS_WRITTEN;
    return leman_reading_of(&options, true) | LEMAN_READING_ASSUMED;
}

static leman_status check_code(leman_context *ctx, uint64_t reading)
{
    if (lm_reading_is_valid(reading)) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %016llx, expected a code of leman_dataset_reading()",
                   (unsigned long long)reading);
}

leman_status leman_dataset_set_reading(leman_context *ctx, leman_dataset *data, uint64_t reading)
{
    REQUIRE(ctx, data);
    PASS(check_code(ctx, reading));
    data->reading = reading;
    return LEMAN_OK;
}

leman_status leman_reading_apply(leman_context *ctx, uint64_t reading, leman_read_options *options,
                                 leman_policy *policy)
{
    REQUIRE(ctx, options);
    PASS(check_code(ctx, reading));
    if (policy && reading & KNOWN && !(reading & LEMAN_READING_ASSUMED)) {
        policy->self_loops = reading & LOOPS_KEPT ? LEMAN_ACTION_KEEP : LEMAN_ACTION_REMOVE;
        policy->isolated_vertices = reading & ISOLATED_REMOVED ? LEMAN_ACTION_REMOVE : LEMAN_ACTION_KEEP;
        policy->one_way_edges = reading & ONE_WAY_REMOVED ? LEMAN_ACTION_REMOVE : LEMAN_ACTION_REPAIR;
    }
    if (!(reading & LEMAN_READING_MOLECULES)) return LEMAN_OK;
    options->hydrogens = (leman_hydrogens)(reading >> HYDROGENS & PART);
    options->aromatic = (leman_aromatic)(reading >> AROMATIC & PART);
    options->atom_labels = (unsigned)(reading >> LABELS & ALL_LABELS);
    options->standardize = (unsigned)(reading >> STEPS & LEMAN_STANDARDIZE_ALL);
    options->stereo = reading & STEREO ? LEMAN_STEREO_LABELS : LEMAN_STEREO_NONE;
    return LEMAN_OK;
}

/* Adds " --standardize groups,charges"; all steps need no list. */
static void add_steps(lm_joined *all, unsigned steps)
{
    static const struct {
        unsigned step;
        const char *name;
    } NAMES[] = {{LEMAN_STANDARDIZE_FRAGMENT, "fragment"},
                 {LEMAN_STANDARDIZE_GROUPS, "groups"},
                 {LEMAN_STANDARDIZE_CHARGES, "charges"}};
    const char *before = " ";
    if (!steps) return;
    lm_joined_add(all, " --standardize");
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && steps != LEMAN_STANDARDIZE_ALL; i++) {
        if (!(steps & NAMES[i].step)) continue;
        lm_joined_add(all, "%s%s", before, NAMES[i].name);
        before = ",";
    }
}

size_t leman_reading_text(uint64_t reading, char *text, size_t size)
{
    static const char *const NAMES[] = {"element",   "charge",   "isotope", "radical", "columns",
                                        "hydrogens", "aromatic", "ecfp",    "fcfp"};
    char labels[96], own[256];
    lm_joined list = lm_joined_begin(labels, sizeof labels), all = lm_joined_begin(own, sizeof own);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (reading >> LABELS >> i & 1) lm_joined_add(&list, "%s%s", list.used ? "," : "", NAMES[i]);
    if (reading & LEMAN_READING_MOLECULES && lm_reading_is_valid(reading))
        lm_joined_add(&all, "--aromatic %s --hydrogens %s --atom-labels %s",
                      leman_aromatic_name((leman_aromatic)(reading >> AROMATIC & PART)),
                      leman_hydrogens_name((leman_hydrogens)(reading >> HYDROGENS & PART)), labels);
    if (reading & LEMAN_READING_MOLECULES && lm_reading_is_valid(reading))
        add_steps(&all, (unsigned)(reading >> STEPS & LEMAN_STANDARDIZE_ALL));
    if (reading & STEREO) lm_joined_add(&all, " --stereo %s", leman_stereo_name(LEMAN_STEREO_LABELS));
    if (reading & (LOOPS_KEPT | ISOLATED_REMOVED | ONE_WAY_REMOVED)) {
        const char *rules[] = {reading & LOOPS_KEPT ? "self-loops=keep" : NULL,
                               reading & ISOLATED_REMOVED ? "isolated-vertices=remove" : NULL,
                               reading & ONE_WAY_REMOVED ? "one-way-edges=remove" : NULL};
        const char *before = all.used ? " --policy " : "--policy ";
        for (size_t i = 0; i < 3; i++) {
            if (!rules[i]) continue;
            lm_joined_add(&all, "%s%s", before, rules[i]);
            before = ",";
        }
    }
    return (size_t)snprintf(text, text ? size : 0, "%s", own);
}

leman_status lm_reading_serialize(lm_serializer *serializer, uint64_t *reading)
{
    if (!serializer->writing && serializer->version < 2) {
        *reading = lm_reading_assumed();
        return LEMAN_OK;
    }
    PASS(lm_serialize_word(serializer, reading));
    if (lm_reading_is_valid(*reading)) return LEMAN_OK;
    return lm_serializer_fail(serializer, "found %016llx, expected a code of how graphs were read",
                              (unsigned long long)*reading);
}

leman_status lm_reading_check(leman_context *ctx, const char *name, uint64_t found, uint64_t expected, const char *as)
{
    char text[2][256];
    const bool molecules = found & expected & LEMAN_READING_MOLECULES;
    if (!molecules || (found | expected) & LEMAN_READING_ASSUMED || !((found ^ expected) & MOLECULE_BITS))
        return LEMAN_OK;
    leman_reading_text(found, text[0], sizeof text[0]);
    leman_reading_text(expected, text[1], sizeof text[1]);
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found molecules read with %s, expected %s, %s", name, text[0], text[1],
                   as);
}
