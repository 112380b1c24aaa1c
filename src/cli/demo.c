/*
 * leman demo: shows what the program can do, with graphs that it generates. A step is a row of STEPS: a paragraph, and
 * command lines, which are shown and run in a temporary folder.
 */
#include "base/system/system.h"
#include "cli/commands.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINES = 5, MAX_WORDS = 12 };

/* The texts are those of src/cli/demo.txt. */
static const struct step {
    const char *title, *text;
    const char *file, *content; /* a file that is written before the first line; or NULL */
    const char *line[MAX_LINES];
} STEPS[] = {
    {"Molecules", HELP_DEMO_MOLECULES,
     .line = {"generate molecules --graphs 200 -o molecules.leman", "info molecules.leman"}},
    {"Two that look alike",
     HELP_DEMO_ALIKE,
     "pair.smi",
     "C1CCC2CCCCC2C1 decalin\nC1CCC(C1)C1CCCC1 bicyclopentyl\n",
     {"distinguish pair.smi -a 1-WL", "distinguish pair.smi -a 2-WL", "distinguish pair.smi -a delta-2-LWL"}},
    {"Why they differ", HELP_DEMO_DIFFER,
     .line = {"generate cycles -o cycles.leman", "distinguish cycles.leman --explain"}},
    {"Harder pairs for every k", HELP_DEMO_HARDER,
     .line = {"generate cfi -k 2 -o cfi2.leman", "distinguish cfi2.leman --all", "generate cfi -k 3 -o cfi3.leman",
              "distinguish cfi3.leman -a 3-WL", "distinguish cfi3.leman -a delta-3-LWL"}},
    {"Files", HELP_DEMO_FILES,
     .line = {"convert molecules.leman molecules", "convert molecules.leman molecules.zip",
              "convert molecules.leman molecules.g6"}},
    {"What real files get wrong", HELP_DEMO_WRONG, "messy.csv", "1,2\n2,1\n1,2\n2,3\n3,4\n4,4\n", {"info messy.csv"}},
};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

/* ---- The temporary folder -------------------------------------------------------------------- */

/* Makes a folder and moves there. *before becomes a descriptor of the folder where the process was. */
static leman_status enter_folder(leman_context *ctx, char *folder, size_t size, int *before)
{
    const char *parent = getenv(LM_TEMPORARY_VARIABLE);
    int length = snprintf(folder, size, "%s/leman-demo-XXXXXX", parent && *parent ? parent : LM_TEMPORARY_FOLDER);
    const bool made = length > 0 && (size_t)length < size && mkdtemp(folder);
    if (made && (*before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0 && !chdir(folder)) return LEMAN_OK;
    leman_status st = lm_fail_errno(ctx, errno, "%s: a temporary folder cannot be made", folder);
    if (!made) *folder = 0;
    return st;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

/* Moves back and removes the folder with all its files. */
static void leave_folder(const char *folder, int before)
{
    if (before >= 0 && !fchdir(before) && *folder) nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (before >= 0) close(before);
}

/* ---- The steps ------------------------------------------------------------------------------- */

static int throw_away(void *user, const char *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return 0;
}

/* Writes text to standard output, unless --json is given. */
static leman_status say(const lm_work *demo, const char *text, bool wrapped)
{
    AUTO(lm_output_abort) lm_output out = {0};
    if (demo->options->json) return LEMAN_OK;
    PASS(lm_output_open(demo->ctx, "-", &out));
    PASS(wrapped ? lm_write_wrapped(&out, text, 0, 0) : lm_write_text(&out, text));
    return lm_output_commit(&out);
}

/* Shows a command line and runs it, with the seed of the demonstration. */
static leman_status run_line(const lm_work *demo, const char *line)
{
    leman_status st = LEMAN_OK;
    char text[128], *words[MAX_WORDS], *rest = NULL;
    int count = 0;
    const lm_command *command = NULL;
    lm_common *options = NULL;
    lm_work part = {.ctx = demo->ctx};
    TRY(say(demo, FORMAT("\n$ leman %s\n", line), false));
    if (demo->options->json) TRY(lm_output_open_sink(demo->ctx, "nowhere", throw_away, NULL, &part.out));
    snprintf(text, sizeof text, "%s", line);
    for (char *at = strtok_r(text, " ", &rest); at && count < MAX_WORDS; at = strtok_r(NULL, " ", &rest))
        words[count++] = at;
    TRY(lm_command_find(demo->ctx, words[0], &command));
    if (!(options = lm_alloc(demo->ctx, command->size, 1))) TRY(lm_refusal(demo->ctx));
    TRY(lm_options_parse(demo->ctx, command, count - 1, words + 1, options));
    options->seed = demo->options->seed;
    options->quiet = demo->options->quiet || demo->options->json;
    part.options = options;
    TRY(command->run(&part, options));
    TRY(lm_work_finish(&part));
done:
    lm_output_abort(&part.out);
    if (options) lm_options_free(command, options);
    lm_release(options);
    return st;
}

static leman_status write_file(leman_context *ctx, const char *path, const char *content)
{
    AUTO(lm_output_abort) lm_output file = {0};
    PASS(lm_output_open(ctx, path, &file));
    PASS(lm_write_text(&file, content));
    return lm_output_commit(&file);
}

static leman_status show_step(const lm_work *demo, size_t number)
{
    const struct step *step = STEPS + number;
    PASS(say(demo, FORMAT("%s%zu. %s\n\n", number ? "\n" : "", number + 1, step->title), false));
    PASS(say(demo, step->text, true));
    if (step->file) PASS(write_file(demo->ctx, step->file, step->content));
    for (size_t i = 0; i < MAX_LINES && step->line[i]; i++) PASS(run_line(demo, step->line[i]));
    return LEMAN_OK;
}

static leman_status demo_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    (void)options;
    lm_json *json = &work->json;
    json_t *steps = lm_json_array(json, json->object, "stops");
    char folder[512] = "";
    int before = -1;
    TRY(enter_folder(work->ctx, folder, sizeof folder, &before));
    for (size_t i = 0; i < STEP_COUNT; i++) {
        const double began = lm_now();
        TRY(show_step(work, i));
        LM_PUT(json, lm_json_object(json, steps, NULL), MEMBER(STEPS + i, title), KEY("seconds", lm_now() - began));
    }
    LM_PUT(json, json->object, KEY("sentence", HELP_DEMO_LAST));
    TRY(say(work, "\n", false));
    TRY(say(work, HELP_DEMO_LAST, true));
done:
    leave_folder(folder, before);
    return st;
}

const lm_command lm_command_demo = {
    .name = "demo",
    .help = &LM_HELP_DEMO,
    .groups = {{"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(lm_common),
    .run = demo_run,
};
