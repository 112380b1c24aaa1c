/* leman unique: the first graph of every class of graphs with the same hash, or of isomorphic graphs. */
#include "cli/commands.h"
#include "cli/options/choices.h"
#include "cli/options/coloring.h"
#include <string.h>

typedef struct unique_options {
    lm_coloring_options coloring;
    uint64_t digits;
    bool exact;
    const char *to, *classes;
} unique_options;

#define FIELD(member) offsetof(unique_options, member)

static const char *const TABLES[] = {".csv", NULL};

static const lm_option ROWS[] = {
    LM_ROW("digits", 0, LM_UNSIGNED, FIELD(digits), "N", HELP_HASH_DIGITS, .max = 15),
    LM_FLAG_ROW("exact", FIELD(exact), HELP_UNIQUE_EXACT),
    LM_ROW("to", 0, LM_CHOICE, FIELD(to), "FORMAT", lm_choices_format_help, .choices = lm_choices_writable),
    LM_WRITTEN_ROW("classes", FIELD(classes), HELP_UNIQUE_CLASSES, TABLES),
    LM_OUTPUT_ROW(HELP_UNIQUE_OUTPUT),
    {0},
};

/* Checks the output as leman convert does; without --to, "-" is for the lines of the input. */
static leman_status check_output(lm_work *work, const unique_options *asked)
{
    const char *out = work->options->output;
    const bool standard = out && !strcmp(out, "-");
    if (!out) return MISUSE(work->ctx, "found no --output, expected a FILE for the graphs that are kept, or -");
    if (standard && work->options->json)
        return MISUSE(work->ctx, "the graphs and --json cannot both go to standard output");
    if (standard && !asked->to) return LEMAN_OK;
    return lm_written_check(work, out, asked->to);
}

static leman_status unique_run(lm_work *work, const void *options)
{
    const unique_options *asked = options;
    const lm_common *common = &asked->coloring.common;
    const bool digits = lm_option_given(common, "digits");
    leman_coloring c = leman_coloring_default();
    leman_unique_options how = leman_unique_options_default();
    leman_cleaning cleaning;
    leman_unique found;
    c.rounds = LEMAN_STABLE;
    if (!asked->coloring.algorithm && !asked->coloring.k) c.k = 1;
    PASS(lm_coloring_read(work->ctx, &asked->coloring, &c));
    c.in_arcs = true; /* directed graphs are seen from both ends of their arcs */
    if (asked->exact) PASS(lm_coloring_unused(work->ctx, &asked->coloring, "--exact"));
    if (asked->exact && asked->coloring.ignore)
        return MISUSE(work->ctx, "found --exact and --ignore, expected one of them");
    if (asked->coloring.apex)
        return MISUSE(work->ctx, "option '--apex' has no effect: the graphs are compared and written as they are");
    PASS(check_output(work, asked));
    if (asked->to) PASS(leman_format_parse(work->ctx, asked->to, &how.format));
    if (digits && asked->coloring.ignore) return MISUSE(work->ctx, "found --digits and --ignore, expected one of them");
    work->without_vertex_attributes = false; /* they are written */
    how.coloring = asked->exact ? NULL : &c;
    how.exact = asked->exact;
    how.classes = asked->classes;
    if (digits) how.digits = (int)asked->digits;
    PASS(lm_work_unique(work, common->operand[0], &how, &cleaning, &found));
    const uint64_t duplicates = found.graphs - found.classes;
    lm_work_log(work, "%s: kept %s of %s graph%s, the first of each class; the largest class has %s",
                common->operand[0], COUNT_TEXT(found.classes), COUNT_TEXT(found.graphs), lm_plural(found.graphs),
                COUNT_TEXT(found.largest));
    if (!common->json) return LEMAN_OK;
    if (!asked->exact) lm_coloring_name_json(&work->json, work->json.object, &c);
    LM_PUT(&work->json, work->json.object, KEY("exact", asked->exact),
           KEY_IF(!asked->exact && c.rounds != LEMAN_STABLE, "rounds", c.rounds),
           KEY_IF(digits, "digits", asked->digits), KEY("output", common->output), KEY("graphs", found.graphs),
           KEY("kept", found.classes), KEY("classes", found.classes), KEY("duplicates", duplicates),
           KEY("largest", found.largest));
    lm_cleaning_json(&work->json, work->json.object, &cleaning);
    return LEMAN_OK;
}

const lm_command lm_command_unique = {
    .name = "unique",
    .help = &LM_HELP_UNIQUE,
    LM_DATA_OPERAND,
    .common = "output exact classes memory json",
    .groups = {{"Colouring", LM_COLORING_BOTH_ENDS_OPTIONS},
               {"Result", ROWS},
               {"Reading", LM_READING_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(unique_options),
    .run = unique_run,
};
