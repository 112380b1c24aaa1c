/* leman reproduce: the published tables of the kernels again, ours beside theirs. */
#include "cli/commands.h"
#include "cli/page.h"
#include "cli/reproduce/reproduction.h"
#include <math.h>
#include <string.h>

#define FIELD(member) offsetof(lm_reproduce_options, member)

static const char *const TABLES[] = {"kernels", "times", "overfitting", NULL};
static const char *const SETS[] = {"ENZYMES", "IMDB-BINARY", "IMDB-MULTI",    "NCI1", "NCI109",
                                   "PTC_FM",  "PROTEINS",    "REDDIT-BINARY", NULL};
/* The names of the tables in their order, then those of -a where they differ. */
static const char *const METHODS[] = {
    "GR",          "SP",           "1-WL",        "WLOA",         "2-WL",  "3-WL", "delta-2-WL", "delta-3-WL",
    "delta-2-LWL", "delta-2-LWL+", "delta-3-LWL", "delta-3-LWL+", "WL1",   "WL2",  "WL3",        "DWL2",
    "DWL3",        "LWL2",         "LWLP2",       "LWL3",         "LWLP3", NULL};

static const lm_option ROWS[] = {
    {.name = "table",
     .kind = LM_SET,
     .field = FIELD(tables),
     .value = "LIST",
     .choices = TABLES,
     .help = "test accuracies (the default), seconds of Gram matrices, training against test accuracies"},
    {.name = "only",
     .kind = LM_SET,
     .field = FIELD(sets),
     .value = "LIST",
     .choices = SETS,
     .help = "data sets, with commas (default: all)"},
    {.name = "methods",
     .kind = LM_SET,
     .field = FIELD(methods),
     .value = "LIST",
     .choices = METHODS,
     .help = "kernels, with commas (default: all)"},
    LM_REPETITIONS_ROW(FIELD(repetitions), "repeat the cross-validation N times (default: 10)"),
    {.name = "data",
     .kind = LM_TEXT,
     .field = FIELD(data),
     .value = "FOLDER",
     .help = "take NAME.zip or the folder NAME from there instead of the download cache"},
    {.name = "offline", .kind = LM_FLAG, .field = FIELD(offline), .help = "take what the cache has, fetch nothing"},
    {.name = "time-limit",
     .kind = LM_REAL,
     .field = FIELD(limit),
     .value = "SECONDS",
     .low = 0,
     .high = 1e9,
     .help = "give a cell up after so long; it shows OOT (default: none)"},
    {.name = "resume",
     .kind = LM_TEXT,
     .field = FIELD(resume),
     .value = "FILE",
     .written = true,
     .help = "keep finished cells in FILE, and take those that it has: a run that was interrupted goes on"},
    {.name = "finished",
     .kind = LM_FLAG,
     .field = FIELD(finished),
     .help = "compute nothing, show what FILE of --resume has"},
    LM_OUTPUT_ROW("write the page to FILE.md, or with pictures to FILE.html, instead of Markdown to standard output"),
    {0},
};

static void reproduce_prepare(void *options)
{
    lm_reproduce_options *asked = options;
    asked->repetitions = 10;
}

/* Names of both vocabularies as methods. */
static uint64_t methods_of(uint64_t bits)
{
    uint64_t methods = 0;
    for (unsigned i = 0; METHODS[i]; i++)
        for (unsigned m = 0; m < LM_PAPER_METHODS; m++)
            if (bits >> i & 1 && (i == m || !strcmp(METHODS[i], lm_paper_method_kernel((lm_paper_method)m))))
                methods |= UINT64_C(1) << m;
    return bits ? methods : (UINT64_C(1) << LM_PAPER_METHODS) - 1;
}

static leman_status write_page(lm_work *work, const lm_reproduction *r, const char *path)
{
    leman_status st = LEMAN_OK;
    lm_output page = {0};
    bool html = path && lm_path_ends(path, ".html");
    TRY(lm_output_open(work->ctx, path ? path : "-", &page));
    TRY(lm_reproduction_page(r, html, &page));
    TRY(lm_output_commit(&page));
    if (path && strcmp(path, "-")) lm_work_tell(work, "%s: wrote the page", path);
done:
    lm_output_abort(&page);
    return st;
}

static leman_status reproduce_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    const lm_reproduce_options *asked = options;
    const char *path = asked->common.output;
    lm_reproduction *r = NULL;
    char *line = NULL;
    if (path && strcmp(path, "-") && !lm_path_ends(path, ".md") && !lm_path_ends(path, ".html"))
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "option '-o': found '%s', expected a name that ends in .md or .html",
             path);
    if (path && !strcmp(path, "-") && work->options->json)
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "the page and --json cannot both go to standard output");
    if (asked->finished && !asked->resume)
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "--finished shows what a file has: add --resume FILE");
    NEW(work->ctx, r, 1);
    memset(r, 0, sizeof *r);
    r->tables = asked->tables ? asked->tables : LM_TABLE_KERNELS;
    r->sets = asked->sets ? asked->sets : (UINT64_C(1) << LM_PAPER_SETS) - 1;
    r->methods = methods_of(asked->methods);
    r->repetitions = asked->repetitions;
    r->seed = asked->common.seed;
    r->resume = asked->resume;
    r->finished = asked->finished;
    r->threads = work->ctx->settings.threads;
    TRY(lm_command_line(work, &line));
    r->command = line;
    TRY(lm_reproduction_fill(work, asked, r));
    if (path || !work->options->json) TRY(write_page(work, r, path));
    if (work->options->json) {
        TRY(lm_output_open(work->ctx, "-", &work->out)); /* --output is where the page went */
        TRY(lm_reproduction_json(work->ctx, r, &work->out));
    }
done:
    lm_free(work->ctx, line);
    lm_free(work->ctx, r);
    return st;
}

/* ---- Ours and theirs ------------------------------------------------------------------------- */

bool lm_reproduction_shows(const lm_reproduction *r, lm_measure measure, lm_paper_method method, lm_paper_set set)
{
    if (!(r->sets >> set & 1) || !(r->methods >> method & 1)) return false;
    if (measure == LM_MEASURE_SECONDS) return r->tables & LM_TABLE_TIMES;
    /* no training accuracy is published for the first set of the other methods */
    bool trained = lm_published(LM_PAPER_TRAIN, method, LM_PAPER_ENZYMES).kind != LM_FIGURE_NONE;
    return r->tables & LM_TABLE_KERNELS || (r->tables & LM_TABLE_OVERFITTING && trained);
}

const lm_cell *lm_reproduction_cell(const lm_reproduction *r, lm_paper_part part, lm_paper_method method,
                                    lm_paper_set set)
{
    bool accuracy = part == LM_PAPER_TEST || part == LM_PAPER_TRAIN;
    return &r->cell[accuracy ? LM_MEASURE_ACCURACY : LM_MEASURE_SECONDS][method][set];
}

double lm_reproduction_value(const lm_reproduction *r, lm_paper_part part, lm_paper_method method, lm_paper_set set)
{
    const lm_cell *cell = lm_reproduction_cell(r, part, method, set);
    const lm_cell *unit = lm_reproduction_cell(r, part, LM_PAPER_LWL2, set);
    if (cell->state != LM_CELL_DONE) return NAN;
    switch (part) {
    case LM_PAPER_TEST: return cell->test_mean;
    case LM_PAPER_TRAIN: return cell->train_mean;
    case LM_PAPER_SECONDS: return cell->seconds_features;
    default: return unit->state == LM_CELL_DONE ? cell->seconds_features / unit->seconds_features : NAN;
    }
}

double lm_reproduction_difference(const lm_reproduction *r, lm_paper_part part, lm_paper_method method,
                                  lm_paper_set set)
{
    lm_figure theirs = lm_published(part, method, set);
    double ours = lm_reproduction_value(r, part, method, set);
    bool accuracy = part == LM_PAPER_TEST || part == LM_PAPER_TRAIN;
    if (theirs.kind != LM_FIGURE_NUMBER || (theirs.misprint && !accuracy))
        return NAN; /* of a time the value is wrong */
    return accuracy ? ours - theirs.value : theirs.value / ours;
}

uint64_t lm_reproduction_data(const lm_reproduction *r, lm_paper_set set, bool *several)
{
    uint64_t sum = 0;
    *several = false;
    for (unsigned measure = 0; measure < LM_MEASURES; measure++)
        for (unsigned m = 0; m < LM_PAPER_METHODS; m++) {
            const lm_cell *cell = &r->cell[measure][m][set];
            if (cell->state == LM_CELL_OPEN) continue;
            *several |= sum && sum != cell->data;
            sum = cell->data;
        }
    return sum;
}

const char *lm_reproduction_remark(lm_paper_method method)
{
    switch (method) {
    case LM_PAPER_GR:
        return "the program behind the published figures gives a triangle and a path with the same labels one feature; "
               "by the definition they are two: docs/reproduction.md";
    case LM_PAPER_SP:
        return "the program behind the published figures counts every vertex to itself at distance 2; the definition "
               "does not: docs/reproduction.md";
    case LM_PAPER_LWLP2:
    case LM_PAPER_LWLP3:
        return "the published figures depend on the order of the graphs in the file and are not what the definition "
               "gives: docs/reproduction.md";
    default: return NULL;
    }
}

const lm_command lm_command_reproduce = {
    .name = "reproduce",
    .summary = "the published tables of the kernels again, ours beside theirs",
    .description =
        "Computes the tables of kernel results on the eight small sets of the paper, and writes a page on which each "
        "cell shows our figure, the published one and the difference. Accuracies are those of leman evaluate: ten "
        "folds, rounds 0 to 5 and C chosen by validation, a support vector machine on the normalised Gram matrix; "
        "vertex labels where a set has them, no edge labels. Times are processor seconds of features and Gram matrix "
        "with five rounds on one thread.\n\n"
        "A set that is not there is a sentence on the page, unless none is there. OOM stands where a kernel does not "
        "fit the memory budget, "
        "OOT where it does not end within --time-limit. It is long work: with --resume, finished cells are kept, and "
        "several runs fill one table; a cell with more repetitions than asked for counts as finished.\n\n"
        "FILE.html has pictures: for every set our accuracies beside the published ones, training against test, and "
        "times, each with the table behind it, and how to get the page again.\n\n"
        "With --json: repetitions, folds, seed, version, threads, sets with their data_checksum, and tables, each with "
        "its cells: method, set, state, "
        "ours, ours_std, published, published_std, difference, repetitions, seconds, misprint and note.",
    .groups = {{"Tables", ROWS}, {"Everywhere", LM_GENERAL_OPTIONS}},
    .examples = {{"leman reproduce --only PTC_FM --repetitions 1 --data sets",
                  "a column of the table of accuracies, of sets/PTC_FM.zip"},
                 {"leman reproduce --resume cells.txt -o tables.html --data sets",
                  "all of it: a run of hours that may be interrupted"},
                 {"leman reproduce --table times --methods 2-WL --json --data sets", "for scripts"}},
    .size = sizeof(lm_reproduce_options),
    .prepare = reproduce_prepare,
    .run = reproduce_run,
};
