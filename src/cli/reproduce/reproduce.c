/*
 * leman reproduce: the published tables computed again (of networks: networks.c), one data set after the other. A data
 * set that cannot be found is reported on the page; where none is found, the command fails with that sentence.
 */
#include "cli/reproduce/reproduce.h"
#include "cli/commands.h"
#include "cli/options/choices.h"
#include "cli/page.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define FIELD(member) offsetof(lm_reproduce_options, member)

static const char *const REPORT_ENDINGS[] = {".md", ".html", NULL};

static const lm_option ROWS[] = {
    {.name = "table",
     .kind = LM_SET,
     .field = FIELD(tables),
     .value = "LIST",
     .choices = lm_choices_tables,
     .help = "of kernels: test accuracies (the default), seconds of Gram matrices, training against test accuracies; "
             "of networks: errors on ZINC, QM9 and Alchemy, accuracies on the small and on mid-scale sets, times"},
    {.name = "only",
     .kind = LM_SET,
     .field = FIELD(sets),
     .value = "LIST",
     .choices = lm_choices_sets,
     .help = "data sets, with commas (default: all)"},
    {.name = "methods",
     .old_name = "algorithm",
     .letter = 'a',
     .kind = LM_TEXTS,
     .field = FIELD(methods),
     .value = "LIST",
     .choices = lm_choices_methods,
     .help = "kernels or networks of the tables by any of their names, with commas (default: all)"},
    LM_REPETITIONS_ROW(FIELD(repetitions), "repeat the cross-validation N times (default: 10)"),
    LM_RUNS_ROW(FIELD(runs), NULL,
                "networks: N runs of each cell from independent random starts; of folds, N repetitions (default: 5)"),
    LM_EPOCHS_ROW(FIELD(epochs), 1, "networks: end after so many epochs at the latest (default: as published)"),
    LM_DEVICE_ROW,
    LM_PRECISION_ROWS,
    {.name = "data",
     .kind = LM_TEXT,
     .field = FIELD(data),
     .value = "FOLDER",
     .help = "take NAME.zip or the folder NAME from there instead of the download cache"},
    {.name = "offline",
     .kind = LM_FLAG,
     .field = FIELD(offline),
     .without = "data finished",
     .help = "take what the cache has, fetch nothing"},
    {.name = "time-limit",
     .kind = LM_REAL,
     .field = FIELD(limit),
     .value = "SECONDS",
     .low = 0,
     .high = 1e9,
     .without = "finished",
     .help = "kernels: give a cell up after so long; it shows OOT. Networks: stop after so long, also within a run; "
             "with --resume the next command goes on (default: none)"},
    {.name = "resume",
     .kind = LM_TEXT,
     .field = FIELD(resume),
     .value = "FILE",
     .written = true,
     .endings = LM_OWN_ENDINGS,
     .help = "keep finished cells in FILE, and take those that it has: a run that was interrupted goes on"},
    {.name = "merge",
     .kind = LM_TEXTS,
     .field = FIELD(merge),
     .value = "FILE",
     .help = "networks: take the finished runs of this file of --resume too, such as that of another machine; may be "
             "given several times"},
    {.name = "beside",
     .kind = LM_TEXTS,
     .field = FIELD(beside),
     .value = "FILE",
     .help = "networks: in the figure of errors against seconds, show the results of leman evaluate, compare or train "
             "in FILE, the JSON that they write, beside those of the tables; may be given several times"},
    {.name = "finished",
     .kind = LM_FLAG,
     .field = FIELD(finished),
     .needs = "resume merge",
     .help = "compute nothing, show what the files of --resume and --merge have"},
    LM_FILE_ROW("write the page to FILE.md, or with charts to FILE.html, instead of Markdown to standard output",
                REPORT_ENDINGS, false),
    {0},
};

static void reproduce_prepare(void *options)
{
    lm_reproduce_options *asked = options;
    asked->repetitions = 10;
}

/* Every --methods, names with commas between them, as bits. */
static leman_status methods_of(leman_context *ctx, const lm_texts *lists, uint64_t *methods)
{
    leman_status st = LEMAN_OK;
    const char *const *list = lists->text.items;
    for (size_t i = 0; i < lists->text.count; i++)
        for (const char *at = list[i];; at++) {
            char name[64];
            leman_paper_method method;
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
            TRY(leman_paper_method_parse(ctx, name, &method));
            *methods |= UINT64_C(1) << method;
            at += strcspn(at, ",");
            if (!*at) break;
        }
done:
    return st;
}

/* ---- Data ------------------------------------------------------------------------------------ */

leman_status lm_reproduce_locate(lm_work *work, const lm_reproduce_options *asked, const char *name, bool folder,
                                 char *path, size_t size, char *why)
{
    leman_status st = LEMAN_OK;
    leman_download_options options = leman_download_options_default();
    struct stat about;
    *path = 0;
    if (asked->data) {
        static const char *const ENDS[] = {".zip", "", ".leman", ".zip"}; /* of a folder the last three */
        for (int i = folder; i < 3 + folder && !*path; i++)
            if ((size_t)snprintf(path, size, "%s/%s%s", asked->data, name, ENDS[i]) >= size || stat(path, &about))
                *path = 0;
        if (!*path)
            snprintf(why, LM_REASON, "%s: found neither %s.zip nor %s.leman nor a folder %s", asked->data, name, name,
                     name);
        goto done;
    }
    options.offline = asked->offline;
    st = leman_dataset_download(work->ctx, name, &options, path, size);
    if (!st || st == LEMAN_ERROR_MEMORY || st == LEMAN_ERROR_CANCELLED) goto done;
    snprintf(why, LM_REASON, "%s", leman_context_message(work->ctx));
    *path = 0;
    st = LEMAN_OK;
done:
    return st;
}

/* ---- The cells ------------------------------------------------------------------------------- */

typedef struct run {
    lm_work *work;
    const lm_reproduce_options *asked;
    leman_reproduction *r;
    uint64_t sets;
    bool found;       /* a data set, so that the others are worth a remark */
    uint64_t printed; /* missing sets */
} run;

static void print_missing(run *all)
{
    for (unsigned set = 0; set < LEMAN_PAPER_SET_COUNT; set++) {
        const char *why = leman_reproduction_missing(all->r, (leman_paper_set)set);
        if (!*why || all->printed >> set & 1) continue;
        lm_work_log(all->work, "%s", why);
        all->printed |= UINT64_C(1) << set;
    }
}

static void print_cell(lm_work *work, const leman_cell *cell)
{
    const char *set = leman_paper_set_name(cell->set), *method = leman_paper_method_name(cell->method);
    char time[2][LM_NUMBER_TEXT];
    if (cell->state != LEMAN_CELL_STATE_NUMBER)
        lm_work_log(work, "%s, %s: %s", set, method, cell->note);
    else if (cell->quantity == LEMAN_PAPER_QUANTITY_SECONDS)
        lm_work_log(work, "%s, %s: %s", set, method, lm_seconds_text(cell->seconds_features, time[0]));
    else
        lm_work_log(work, "%s, %s: %.1f %% in %s and %s", set, method, cell->test_mean,
                    lm_seconds_text(cell->seconds_features, time[0]), lm_seconds_text(cell->seconds_svm, time[1]));
}

static leman_status run_set(run *all, leman_paper_set set)
{
    static const leman_paper_quantity QUANTITIES[] = {LEMAN_PAPER_QUANTITY_TEST, LEMAN_PAPER_QUANTITY_SECONDS};
    leman_status st = LEMAN_OK;
    lm_work *work = all->work;
    leman_dataset *data = NULL;
    char path[4096], why[LM_REASON] = "";
    TRY(lm_reproduce_locate(work, all->asked, leman_paper_set_name(set), false, path, sizeof path, why));
    TRY(leman_reproduction_set_missing(work->ctx, all->r, set, why));
    if (*path) {
        work->without_vertex_attributes = true;
        TRY(lm_work_read(work, path, NULL, &data));
        all->found = true;
    }
    if (all->found) print_missing(all);
    for (unsigned m = 0; data && m < LEMAN_PAPER_METHOD_COUNT; m++)
        for (unsigned q = 0; q < 2; q++) {
            bool computed;
            if (!leman_reproduction_has(all->r, QUANTITIES[q], (leman_paper_method)m, set)) continue;
            TRY(leman_reproduction_run(work->ctx, all->r, QUANTITIES[q], (leman_paper_method)m, set, data, &computed));
            if (computed) print_cell(work, leman_reproduction_cell(all->r, QUANTITIES[q], (leman_paper_method)m, set));
        }
done:
    leman_dataset_free(data);
    return st;
}

/* All sets that were asked for. A page without any data says less than one sentence does. */
static leman_status run_sets(run *all)
{
    leman_status st = LEMAN_OK;
    unsigned first = 0;
    while (!(all->sets >> first & 1)) first++;
    for (unsigned set = first; set < LEMAN_PAPER_SET_COUNT; set++)
        if (all->sets >> set & 1) TRY(run_set(all, (leman_paper_set)set));
    if (!all->found)
        FAIL(all->work->ctx, LEMAN_ERROR_FILE, "%s%s", leman_reproduction_missing(all->r, (leman_paper_set)first),
             all->sets & (all->sets - 1) ? "; nor is any other data set there that was asked for" : "");
done:
    return st;
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Options that mean nothing for these tables. */
static leman_status check_effects(lm_work *work, const lm_reproduce_options *asked, bool networks)
{
    static const char *const OF_NETWORKS[] = {"runs",          "epochs", "device", "precision",
                                              "device-memory", "merge",  "beside", NULL};
    static const char *const OF_KERNELS[] = {"repetitions", NULL};
    for (const char *const *option = networks ? OF_KERNELS : OF_NETWORKS; *option; option++)
        if (lm_option_given(&asked->common, *option))
            return lm_fail(work->ctx, LEMAN_ERROR_ARGUMENT, "option '--%s' has no effect: no table is one of %s",
                           *option, networks ? "kernels" : "networks");
    return LEMAN_OK;
}

static leman_status check(lm_work *work, const lm_reproduce_options *asked)
{
    leman_status st = LEMAN_OK;
    const char *path = asked->common.output;
    const uint64_t kernels = (UINT64_C(1) << LEMAN_PAPER_TABLE_COUNT) - 1;
    const uint64_t sets = (UINT64_C(1) << LEMAN_PAPER_SET_COUNT) - 1;
    const bool networks = asked->tables & ~kernels;
    if (path && !strcmp(path, "-") && work->options->json)
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "the page and --json cannot both go to standard output");
    if (networks && asked->tables & kernels)
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT,
             "option '--table': found tables of kernels and of networks, expected one kind in one command");
    if (!networks && asked->sets & ~sets)
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT,
             "option '--only': found a set that no table of kernels has, expected some of the first %d, or a table of "
             "networks",
             LEMAN_PAPER_SET_COUNT);
    TRY(check_effects(work, asked, networks));
done:
    return st;
}

static leman_status write_reproduction(leman_context *ctx, const void *reproduction, const char *command,
                                       const char *path)
{
    return leman_reproduction_write(ctx, reproduction, command, path);
}

leman_status lm_reproduce_page(lm_work *work, lm_page_writer *write, const void *tables, const char *path)
{
    leman_status st = LEMAN_OK;
    char *line = NULL;
    TRY(lm_command_line(work, &line));
    TRY(write(work->ctx, tables, line, path ? path : "-"));
    if (path && strcmp(path, "-")) lm_work_log(work, "%s: wrote the page", path);
done:
    lm_free(work->ctx, line);
    return st;
}

static leman_status reproduce_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    const lm_reproduce_options *asked = options;
    const char *path = asked->common.output;
    leman_reproduction_options wanted = leman_reproduction_options_default();
    lm_reproduction_request request = {.repetitions = asked->repetitions, .seed = asked->common.seed};
    leman_reproduction *r = NULL;
    TRY(check(work, asked));
    if (asked->tables >> LEMAN_PAPER_TABLE_COUNT)
        return lm_reproduce_networks(work, asked, asked->tables >> LEMAN_PAPER_TABLE_COUNT);
    wanted.tables = request.tables = asked->tables ? asked->tables : 1 << LEMAN_PAPER_TABLE_KERNELS;
    wanted.sets = request.sets = asked->sets ? asked->sets : (UINT64_C(1) << LEMAN_PAPER_SET_COUNT) - 1;
    TRY(methods_of(work->ctx, &asked->methods, &wanted.methods));
    wanted.repetitions = asked->repetitions;
    wanted.time_limit = asked->limit;
    wanted.cells = asked->resume;
    wanted.finished_only = asked->finished;
    TRY(leman_reproduction_new(work->ctx, &wanted, &r));
    if (!asked->finished) TRY(run_sets(&(run){.work = work, .asked = asked, .r = r, .sets = request.sets}));
    if (path || !work->options->json) TRY(lm_reproduce_page(work, write_reproduction, r, path));
    if (work->options->json) {
        TRY(lm_output_open(work->ctx, "-", &work->out)); /* --output is where the page went */
        TRY(lm_reproduction_json(work->ctx, r, &request, &work->out));
    }
done:
    leman_reproduction_free(r);
    return st;
}

const lm_command lm_command_reproduce = {
    .name = "reproduce",
    .summary = "compute the published tables of kernels and networks again",
    .description =
        "Computes the tables of kernel results on the eight small sets of the paper, and writes a page on which each "
        "cell shows our result, the published one and the difference. Accuracies are those of leman evaluate: ten "
        "folds, rounds 0 to 5 and C chosen by validation, a support vector machine on the normalised Gram matrix; "
        "vertex labels where a set has them, no edge labels. Times are processor seconds of features and Gram matrix "
        "with five rounds on one thread.\n\n"
        "A set that is not there is a sentence on the page, unless none is there. OOM stands where a kernel does not "
        "fit the memory budget, "
        "OOT where it does not end within --time-limit. It is long work: with --resume, finished cells are kept, and "
        "several runs fill one table; a cell with more repetitions than asked for counts as finished.\n\n"
        "Tables of networks (zinc, qm9, alchemy, tu-networks, mid-scale, network-times) have --runs runs in every "
        "cell, "
        "by the paper's protocol; a cell that has none says \"not run\". With --resume FILE each finished run is a "
        "line "
        "of FILE, the state of the others lies beside it, and the same command goes on. Several commands at once, or "
        "several machines, have a FILE each; --merge joins them into one table. The page shows what errors cost in "
        "seconds and parameters; --beside adds kernels and other networks, which leman evaluate and leman train write "
        "with --json.\n\n"
        "FILE.html has charts: for every set our accuracies beside the published ones, training against test, and "
        "times, each with its table, and how to reproduce the page.\n\n"
        "With --json: repetitions, folds, seed, version, threads, sets with their data_checksum, and tables, each with "
        "its cells: method, set, state, "
        "ours, ours_std, published, published_std, difference, repetitions, seconds, misprint and note.",
    .common = "table only methods data output",
    .groups = {{"Tables", ROWS}, {"General", LM_GENERAL_OPTIONS}},
    .examples = {{"leman reproduce --only PTC_FM --repetitions 1 --data sets",
                  "a column of the table of accuracies, of sets/PTC_FM.zip"},
                 {"leman reproduce --resume cells.txt -o tables.html --data sets",
                  "all of it: a run of hours that may be interrupted"},
                 {"leman reproduce --table tu-networks -a GIN-0 --runs 1 --epochs 1 --data sets",
                  "a row of a table of networks, much too few epochs"}},
    .size = sizeof(lm_reproduce_options),
    .prepare = reproduce_prepare,
    .run = reproduce_run,
};
