/* The state of a command: context, reading, results, and messages. */
#include "cli/work.h"
#include "base/ascii.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "cli/mpi/module.h"
#include "cli/mpi/ranks.h"
#include "cli/options/choices.h"
#include "cli/options/files.h"
#include "cli/process.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Rows that commands share ---------------------------------------------------------------- */

#define FIELD(member) offsetof(lm_common, member)

const lm_option LM_GENERAL_OPTIONS[] = {
    LM_ROW("threads", 't', LM_UNSIGNED, FIELD(threads), "N", HELP_GENERAL_THREADS, .min = 1, .max = 4096),
    LM_ROW("memory", 0, LM_SIZE, FIELD(memory), "SIZE", HELP_GENERAL_MEMORY, .min = LM_LEAST_MEMORY),
    LM_ROW("seed", 0, LM_UNSIGNED, FIELD(seed), "N", HELP_GENERAL_SEED),
    LM_FLAG_ROW("json", FIELD(json), HELP_GENERAL_JSON),
    LM_ROW("quiet", 'q', LM_FLAG, FIELD(quiet), NULL, HELP_GENERAL_QUIET),
    LM_FLAG_ROW("force", FIELD(force), HELP_GENERAL_FORCE),
    LM_ROW("help", 'h', LM_FLAG, FIELD(help), NULL, HELP_GENERAL_HELP),
    {0},
};

/* Names of the bits of leman_read_options.atom_labels. */
static const char *const ATOM_LABELS[] = {"element",   "charge",   "isotope", "radical", "columns",
                                          "hydrogens", "aromatic", "ecfp",    "fcfp",    NULL};

/* All steps of --standardize, or some of them, in their order. */
static const char *const STEPS[] = {
    "all", "fragment", "groups", "charges", "fragment,groups", "fragment,charges", "groups,charges", NULL};

/* Returns the sum of LEMAN_STANDARDIZE_... for the value of --standardize. */
static unsigned steps_of(const char *text)
{
    if (!text) return 0;
    if (!strcmp(text, *STEPS)) return LEMAN_STANDARDIZE_ALL;
    return (strstr(text, "fragment") ? LEMAN_STANDARDIZE_FRAGMENT : 0) |
           (strstr(text, "groups") ? LEMAN_STANDARDIZE_GROUPS : 0) |
           (strstr(text, "charges") ? LEMAN_STANDARDIZE_CHARGES : 0);
}

/* Options for reading DATA. Commands that use no classes have the rows after the first two. */
const lm_option LM_READING_CLASS_OPTIONS[] = {
    LM_ROW("class", 0, LM_TEXT, FIELD(class_column), "COLUMN", HELP_READING_CLASS),
    LM_ROW("positive", 0, LM_TEXT, FIELD(positive), "WORDS", HELP_READING_POSITIVE, .needs = "class"),
    LM_FLAG_ROW("directed", FIELD(directed), HELP_READING_DIRECTED),
    LM_ROW("policy", 0, LM_TEXT, FIELD(policy), "LIST", HELP_READING_POLICY, .choices = lm_choices_policies),
    LM_ROW("vertex-labels", 0, LM_TEXT, FIELD(vertex_labels), "FILE", HELP_READING_VERTEX_LABELS),
    LM_ROW("atom-labels", 0, LM_SET, FIELD(atom_labels), "LIST", HELP_READING_ATOM_LABELS, .choices = ATOM_LABELS),
    LM_ROW("smiles", 0, LM_TEXT, FIELD(smiles_column), "COLUMN", HELP_READING_SMILES),
    LM_ROW("hydrogens", 0, LM_CHOICE, FIELD(hydrogens), "WHICH", HELP_READING_HYDROGENS,
           .choices = lm_choices_hydrogens),
    LM_ROW("aromatic", 0, LM_CHOICE, FIELD(aromatic), "BONDS", HELP_READING_AROMATIC, .choices = lm_choices_aromatic),
    LM_ROW("standardize", 0, LM_OPTIONAL, FIELD(standardize), "STEPS", HELP_READING_STANDARDIZE, .choices = STEPS),
    LM_ROW("stereo", 0, LM_CHOICE, FIELD(stereo), "HOW", HELP_READING_STEREO, .choices = lm_choices_stereo),
    LM_FLAG_ROW("skip-unreadable", FIELD(skip_unreadable), HELP_READING_SKIP_UNREADABLE),
    LM_ROW("from", 0, LM_CHOICE, FIELD(from), "FORMAT", HELP_READING_FROM, .choices = lm_choices_readable),
    {0},
};

leman_status lm_class_or_target(leman_context *ctx, const lm_common *options, bool target)
{
    if (!options->class_column || !target) return LEMAN_OK;
    return MISUSE(ctx, "found --class and --target, expected one of them");
}

/* ---- Context and callbacks ------------------------------------------------------------------- */

static bool on_progress(void *user, const leman_progress *progress)
{
    lm_work *work = user;
    if (lm_process_interrupted() && !*work->stopped) return false;
    if (work->ranks && work->ranks->module) work->ranks->module->poll();
    lm_bar_draw(&work->bar, progress);
    return true;
}

static void on_log(void *user, const char *message)
{
    lm_work_log(user, "%s", message);
}

/* Copies device, precision and device memory from the options to the settings. */
static void set_device(const lm_common *options, leman_settings *settings)
{
    settings->device = options->device ? options->device : "auto";
    settings->device_memory = options->device_memory < SIZE_MAX ? (size_t)options->device_memory : SIZE_MAX;
    for (int i = 0; options->precision && i < LEMAN_PRECISION_COUNT; i++)
        if (!strcmp(options->precision, leman_precision_name((leman_precision)i)))
            settings->precision = (leman_precision)i;
}

leman_status lm_work_open(lm_work *work, const lm_common *options, const lm_process_ranks *ranks)
{
    leman_settings settings = leman_settings_default();
    const bool silent = ranks && ranks->communicator.rank;
    *work = (lm_work){.options = options, .ranks = ranks, .bar = lm_bar_new(silent || (options && options->quiet))};
    settings.progress = on_progress;
    settings.log = on_log;
    settings.callback_user = work;
    settings.threads = 1;
    if (options) {
        settings.threads = (int)options->threads;
        settings.memory = options->memory < SIZE_MAX ? (size_t)options->memory : SIZE_MAX;
        if (ranks) lm_process_ranks_share(ranks, &settings);
        if (settings.memory) settings.memory_held = lm_process_budget(settings.memory, settings.threads);
        lm_process_large_pages(&settings);
        settings.seed = options->seed;
        set_device(options, &settings);
    }
    leman_status st = leman_context_new(&settings, &work->ctx);
    if (!st && options) lm_json_count_in(work->ctx);
    if (!st && options) work->json = lm_json_new();
    if (!st && options) lm_threads_start(work->ctx);
    if (!st && options && options->device) st = leman_device_check(work->ctx, options->device);
    return st;
}

void lm_work_close(lm_work *work)
{
    lm_bar_clear(&work->bar);
    lm_output_abort(&work->out);
    lm_vector_release(&work->files);
    lm_json_free(&work->json);
    lm_json_count_in(NULL);
    leman_context_free(work->ctx);
    work->ctx = NULL;
}

void lm_work_log(lm_work *work, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    if (work->options && work->options->quiet) return;
    if (work->ranks && work->ranks->communicator.rank) return;
    va_start(arguments, format);
    lm_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lm_text_clean(text, '?');
    lm_bar_clear(&work->bar);
    fprintf(stderr, "leman: %s\n", text);
}

/* ---- Results --------------------------------------------------------------------------------- */

leman_status lm_work_results(lm_work *work, lm_output **out)
{
    const char *path = work->options && work->options->output ? work->options->output : "-";
    if (!work->out.open) PASS(lm_output_open(work->ctx, path, &work->out));
    *out = &work->out;
    return LEMAN_OK;
}

leman_status lm_work_beside(lm_work *work)
{
    return work->out.open ? LEMAN_OK : lm_output_open(work->ctx, "-", &work->out);
}

leman_status lm_work_json(lm_work *work)
{
    const lm_option *row = lm_option_find(work->options->command, "output", strlen("output"));
    lm_output *out;
    if (row && !row->results) PASS(lm_work_beside(work));
    PASS(lm_work_results(work, &out));
    return lm_json_write(work->ctx, &work->json, out);
}

void lm_work_stopped(lm_work *work, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lm_vsnprintf(work->stopped, sizeof work->stopped, format, arguments);
    va_end(arguments);
}

leman_status lm_work_finish(lm_work *work)
{
    lm_bar_clear(&work->bar);
    work->bar.wanted = false; /* writing reports progress too, but the line is used by the results */
    return work->out.open ? lm_output_commit(&work->out) : LEMAN_OK;
}

/* ---- The command line ------------------------------------------------------------------------ */

/* Returns true if a shell needs no quotes for this word. */
static bool is_plain(const char *word)
{
    static const char SAFE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
    return *word && word[strspn(word, SAFE)] == 0;
}

/* Appends a word, in single quotes if necessary, and returns the end. A single quote itself is put outside:
 * it's -> 'it'\''s'. */
static char *append_word(char *at, const char *word)
{
    if (is_plain(word)) return stpcpy(at, word);
    *at++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            at = stpcpy(at, "'\\''");
        else
            *at++ = *word;
    return stpcpy(at, "'");
}

leman_status lm_command_line(const lm_work *work, char **out)
{
    size_t size = sizeof "leman";
    for (int i = 0; i < work->count; i++) size += 4 * strlen(work->arguments[i]) + 3;
    PASS_SCRATCH(work->ctx, *out, size);
    char *at = stpcpy(*out, "leman");
    for (int i = 0; i < work->count; i++) at = append_word(stpcpy(at, " "), work->arguments[i]);
    return LEMAN_OK;
}

/* ---- Reading --------------------------------------------------------------------------------- */

leman_status lm_work_read(lm_work *work, const char *path, leman_cleaning *cleaning, leman_dataset **out)
{
    return lm_work_read_as(work, path, LEMAN_FORMAT_AUTO, cleaning, out);
}

bool lm_has_tasks(const lm_work *work)
{
    return work->several_classes && work->options->class_column && strchr(work->options->class_column, ',');
}

/* Remembers the path of a data set, and the name that messages use for it, for lm_work_blame(). */
static leman_status remember(lm_work *work, const char *path, const char *name)
{
    struct lm_read_data *read = work->read + work->reads;
    if (work->reads >= 2) return LEMAN_OK;
    PASS_SCRATCH(work->ctx, read->path, strlen(path) + 1);
    work->reads++;
    strcpy(read->path, path);
    PASS_SCRATCH(work->ctx, read->name, strlen(name) + 1);
    strcpy(read->name, name);
    return LEMAN_OK;
}

void lm_work_blame(lm_work *work, leman_status st)
{
    const char *message = leman_context_message(work->ctx);
    if ((st != LEMAN_ERROR_INPUT && st != LEMAN_ERROR_BUDGET) || lm_files_mentioned(work, message)) return;
    if (!strncmp(message, "rank ", strlen("rank "))) return; /* the failure is between ranks, not in a file */
    for (size_t i = 0; i < work->reads; i++) {
        const struct lm_read_data *read = work->read + i;
        const size_t length = read->name ? strlen(read->name) : 0;
        const bool named = length && !strncmp(message, read->name, length) && message[length] == ':';
        if (named && lm_is_digit(message[length + 1])) return; /* stdin:LINE, from the reader */
        if (named || work->reads == 1) {
            lm_fail_in(work->ctx, st, strcmp(read->path, "-") ? read->path : "standard input", read->name);
            return;
        }
    }
}

/* Sets *reading and *policy to how the graphs of work->made_of were read, apart from options that are given. Refuses an
 * option that contradicts this, unless the reading is only assumed. */
static leman_status follow_reading(lm_work *work, leman_policy *policy, leman_read_options *reading)
{
    leman_context *ctx = work->ctx;
    const bool molecules = (work->reading & LEMAN_READING_MOLECULES) != 0;
    const leman_read_options given = *reading;
    const leman_policy rules = *policy;
    char text[256];
    if (!work->reading) return LEMAN_OK;
    PASS(leman_reading_apply(ctx, work->reading, reading, policy));
    static const char *const OPTIONS[] = {"aromatic", "hydrogens", "atom-labels", "standardize", "stereo", "policy"};
    for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++) {
        if (!lm_option_given(work->options, OPTIONS[i])) continue;
        if (i == 0) reading->aromatic = given.aromatic;
        if (i == 1) reading->hydrogens = given.hydrogens;
        if (i == 2) reading->atom_labels = given.atom_labels;
        if (i == 3) reading->standardize = given.standardize;
        if (i == 4) reading->stereo = given.stereo;
        if (i == 5) *policy = rules;
        const bool same = leman_reading_of(reading, molecules) == work->reading;
        if (same || work->reading & LEMAN_READING_ASSUMED || (!molecules && i < 5)) continue;
        leman_reading_text(work->reading, text, sizeof text);
        return MISUSE(ctx, "option '--%s' contradicts %s, whose graphs were read with %s", OPTIONS[i], work->made_of,
                      *text ? text : "the default policy");
    }
    return LEMAN_OK;
}

/* Makes the options for reading DATA. *policy is the storage of reading->policy. */
static leman_status reading_of(lm_work *work, leman_format format, leman_policy *policy, leman_read_options *reading)
{
    const lm_common *options = work->options;
    *reading = leman_read_options_default();
    *policy = leman_policy_default();
    if (options->policy) PASS(leman_policy_parse(work->ctx, options->policy, policy));
    policy->directed = options->directed;
    reading->policy = policy;
    reading->format = format;
    reading->without_vertex_attributes = work->without_vertex_attributes;
    reading->attributes_left_out = &work->attributes_left_out;
    if (!lm_has_tasks(work)) reading->class_column = options->class_column;
    reading->class_optional = !options->class_column;
    if (!options->class_column) reading->class_column = work->class_name;
    reading->positive = options->positive;
    reading->censored = work->censored;
    if (lm_has_tasks(work) && options->positive)
        return MISUSE(work->ctx, "option '--positive': found several columns in --class, expected one column");
    reading->vertex_labels = options->vertex_labels;
    reading->atom_labels = options->atom_labels ? (unsigned)options->atom_labels : work->atom_labels;
    reading->standardize = steps_of(options->standardize);
    reading->smiles_column = options->smiles_column;
    reading->skip_unreadable = options->skip_unreadable;
    reading->rows = policy->empty_graphs == LEMAN_ACTION_REMOVE ? NULL : work->rows;
    reading->row_columns = work->row_columns;
    if (options->hydrogens) PASS(leman_hydrogens_parse(work->ctx, options->hydrogens, &reading->hydrogens));
    if (options->aromatic) PASS(leman_aromatic_parse(work->ctx, options->aromatic, &reading->aromatic));
    if (options->stereo) PASS(leman_stereo_parse(work->ctx, options->stereo, &reading->stereo));
    if (options->from && !format) PASS(leman_format_parse(work->ctx, options->from, &reading->format));
    return follow_reading(work, policy, reading);
}

/* Logs that the options for molecules are assumed, since the model does not say them. */
static void log_assumed(lm_work *work, uint64_t reading)
{
    char text[256];
    if (!(work->reading & LEMAN_READING_ASSUMED) || !(reading & LEMAN_READING_MOLECULES)) return;
    leman_reading_text(reading, text, sizeof text);
    lm_work_log(work, "%s is of an older version, which does not say how molecules were read: assumed %s",
                work->made_of, text);
}

/* Logs what the policy changed ("removed 96,531 repeated edges"). What was kept has no sentence. */
static void log_cleaning(lm_work *work, const char *path, const leman_policy *policy, const leman_cleaning *r)
{
    const struct {
        uint64_t count;
        bool changed;
        const char *before, *one, *many, *behind;
    } LINES[] = {
        {r->repeated_edges, policy->repeated_edges == LEMAN_ACTION_REMOVE, "removed", "repeated edge", "repeated edges",
         ""},
        {r->one_way_edges, policy->one_way_edges == LEMAN_ACTION_REPAIR, "made", "one-way edge", "one-way edges",
         " two-way"},
        {r->one_way_edges, policy->one_way_edges == LEMAN_ACTION_REMOVE, "removed", "one-way edge", "one-way edges",
         ""},
        {r->self_loops, policy->self_loops == LEMAN_ACTION_REMOVE, "removed", "self-loop", "self-loops", ""},
        {r->label_conflicts, true, "gave", "edge", "edges", " with two different labels the first of them"},
        {r->isolated_vertices, policy->isolated_vertices == LEMAN_ACTION_REMOVE, "removed", "isolated vertex",
         "isolated vertices", ""},
        {r->empty_graphs, policy->empty_graphs == LEMAN_ACTION_REMOVE, "removed", "empty graph", "empty graphs", ""},
        {r->moved_vertices, true, "moved", "vertex", "vertices", " to stand with the rest of their graph"},
    };
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        if (LINES[i].count && LINES[i].changed)
            lm_work_log(work, "%s: %s %s %s%s", strcmp(path, "-") ? path : "standard input", LINES[i].before,
                        COUNT_TEXT(LINES[i].count), LINES[i].count == 1 ? LINES[i].one : LINES[i].many,
                        LINES[i].behind);
    if (r->impossible_molecules)
        lm_work_log(work,
                    "%s: found %s molecule%s that cannot exist and stay%s as written (--policy valence); the first: %s",
                    strcmp(path, "-") ? path : "standard input", COUNT_TEXT(r->impossible_molecules),
                    lm_plural(r->impossible_molecules), r->impossible_molecules == 1 ? "s" : "", r->first_impossible);
}

/* Reads the data on all ranks. All ranks fail unless all of them succeed and read the same data. */
static leman_status read_together(lm_work *work, const char *path, const leman_read_options *reading,
                                  leman_cleaning *found, leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_dataset *data = NULL;
    lm_ranks_begin(work->ctx);
    TRY(lm_known_missing(work, leman_dataset_read(work->ctx, path, reading, found, &data), path));
    if (lm_has_ranks(work->ctx)) TRY(lm_ranks_same(work->ctx, "other data", leman_dataset_checksum(data)));
done:
    st = lm_ranks_end(work->ctx, st);
    if (st)
        leman_dataset_free(data);
    else
        *out = data;
    return st;
}

leman_status lm_work_read_as(lm_work *work, const char *path, leman_format format, leman_cleaning *cleaning,
                             leman_dataset **out)
{
    leman_read_options reading;
    leman_policy policy;
    leman_cleaning found = {0};
    PASS(reading_of(work, format, &policy, &reading));
    PASS(read_together(work, path, &reading, &found, out));
    log_cleaning(work, path, &policy, &found);
    log_assumed(work, leman_dataset_reading(*out));
    lm_known_log(work, path, *out);
    PASS(lm_duplicates_log(work, *out));
    if (cleaning) *cleaning = found;
    return remember(work, path, leman_dataset_shape(*out)->name);
}

leman_status lm_work_stream(lm_work *work, const char *path, leman_stream **out)
{
    leman_read_options reading;
    leman_policy policy;
    AUTO(lm_release_at) char *name = NULL;
    PASS(reading_of(work, LEMAN_FORMAT_AUTO, &policy, &reading));
    PASS(lm_known_missing(work, leman_stream_open(work->ctx, path, &reading, out), path));
    PASS(lm_path_stem(work->ctx, strcmp(path, "-") ? path : "stdin", &name)); /* the name of its data sets */
    return remember(work, path, name);
}

leman_status lm_work_stream_end(lm_work *work, const char *path, leman_stream *stream, const leman_dataset **labels)
{
    leman_read_options reading;
    leman_policy policy;
    PASS(reading_of(work, LEMAN_FORMAT_AUTO, &policy, &reading));
    log_cleaning(work, path, &policy, leman_stream_cleaning(stream));
    PASS(leman_stream_labels(stream, labels));
    log_assumed(work, leman_dataset_reading(*labels));
    lm_known_log(work, path, *labels);
    return LEMAN_OK;
}

leman_status lm_work_unique(lm_work *work, const char *path, const leman_unique_options *options,
                            leman_cleaning *cleaning, leman_unique *found)
{
    leman_read_options reading;
    leman_policy policy;
    PASS(reading_of(work, LEMAN_FORMAT_AUTO, &policy, &reading));
    PASS(lm_known_missing(
        work, leman_unique_write(work->ctx, path, &reading, options, work->options->output, cleaning, found), path));
    log_cleaning(work, path, &policy, cleaning);
    return LEMAN_OK;
}

leman_status lm_work_neighbors(lm_work *work, const leman_dataset *queries, const leman_kernel *kernels, size_t count,
                               size_t nearest, leman_neighbors **found)
{
    leman_read_options reading;
    leman_policy policy;
    leman_cleaning cleaning;
    const char *path = work->options->operand[1];
    work->reading = leman_dataset_reading(queries);
    work->made_of = work->options->operand[0];
    PASS(reading_of(work, LEMAN_FORMAT_AUTO, &policy, &reading));
    PASS(lm_known_missing(
        work, leman_neighbors_find(work->ctx, queries, path, &reading, kernels, count, nearest, &cleaning, found),
        path));
    log_cleaning(work, path, &policy, &cleaning);
    return LEMAN_OK;
}

void lm_cleaning_json(lm_json *json, json_t *parent, const leman_cleaning *cleaning)
{
    json_t *object = lm_json_object(json, parent, "report");
    LM_PUT(json, object, MEMBER(cleaning, repeated_edges), MEMBER(cleaning, one_way_edges),
           MEMBER(cleaning, self_loops), MEMBER(cleaning, isolated_vertices), MEMBER(cleaning, empty_graphs),
           MEMBER(cleaning, label_conflicts), MEMBER(cleaning, moved_vertices), MEMBER(cleaning, impossible_molecules));
}

/* ---- Feature files as DATA -------------------------------------------------------------------- */

bool lm_matrix_given(const lm_common *options)
{
    return options->operands && leman_feature_matrix_is(options->operand[0]);
}

/* Groups of options, and single options, that apply only to graphs. */
static const char *const GRAPH_GROUPS[] = {"Kernels", "Colourings", "Reading", NULL};
static const char *const GRAPH_OPTIONS[] = {"k", "rounds", "scaffold", "report", "explain", NULL};

static leman_status refuse_option(leman_context *ctx, const lm_common *options, const char *name)
{
    if (!name || !lm_option_given(options, name)) return LEMAN_OK;
    return MISUSE(ctx, "option '--%s' has no effect here: %s is a feature file, not graphs", name, options->operand[0]);
}

static leman_status check_matrix_options(leman_context *ctx, const lm_common *options)
{
    for (const char *const *name = GRAPH_OPTIONS; *name; name++) PASS(refuse_option(ctx, options, *name));
    for (size_t g = 0; g < LM_GROUPS && options->command->groups[g].rows; g++)
        for (const char *const *title = GRAPH_GROUPS; *title; title++)
            for (const lm_option *row = options->command->groups[g].rows;
                 !strcmp(*title, options->command->groups[g].title) && row->name; row++)
                PASS(refuse_option(ctx, options, row->name));
    return LEMAN_OK;
}

leman_status lm_matrix_read(lm_work *work, leman_feature_matrix **out)
{
    PASS(check_matrix_options(work->ctx, work->options));
    const char *path = work->options->operand[0];
    PASS(leman_feature_matrix_read(work->ctx, path, out));
    return remember(work, path, leman_dataset_shape(leman_feature_matrix_labels(*out))->name);
}
