/*
 * leman demo: shows what the program can do, with graphs that it generates. Each step is a row of STEPS: a title and a
 * function that writes a few lines.
 */
#include "cli/demo/demo.h"

static const struct step {
    const char *title;
    leman_status (*show)(lm_demo *d);
} STEPS[] = {
    {"Molecules", lm_demo_molecules}, {"Two that look alike", lm_demo_pair},
    {"Why they differ", lm_demo_why}, {"Harder pairs for every k", lm_demo_cfi},
    {"Files", lm_demo_files},         {"What real files get wrong", lm_demo_cleaning},
};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

static const char LAST_SENTENCE[] =
    "That was the demonstration: graphs can look the same from every single vertex and still be different, Leman is "
    "made to see that, and 'leman info' on a folder or zip of your own graphs is the place to start.";

static int throw_away(void *user, const char *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return 0;
}

static leman_status write_json(lm_demo *d, const double *seconds)
{
    lm_json json = lm_json_new();
    json_t *steps = lm_json_array(&json, json.object, "stops");
    for (int i = 0; i < STEP_COUNT; i++) {
        json_t *step = lm_json_object(&json, steps, NULL);
        lm_json_text(&json, step, "title", STEPS[i].title);
        lm_json_real(&json, step, "seconds", seconds[i]);
    }
    lm_json_text(&json, json.object, "sentence", LAST_SENTENCE);
    leman_status st = lm_work_results(d->work, &d->out);
    if (!st) st = lm_json_write(d->ctx, &json, d->out);
    lm_json_free(&json);
    return st;
}

/* Shows a step as soon as it is ready. With --json the text is discarded. */
static leman_status show_step(lm_demo *d, int number)
{
    leman_status st = LEMAN_OK;
    bool json = d->work->options->json;
    if (json)
        TRY(lm_output_open_sink(d->ctx, "nowhere", throw_away, NULL, &d->nowhere));
    else
        TRY(lm_work_results(d->work, &d->out));
    if (json) d->out = &d->nowhere;
    TRY(lm_output_printf(d->out, "%s%d. %s\n\n", number ? "\n" : "", number + 1, STEPS[number].title));
    TRY(STEPS[number].show(d));
    TRY(json ? lm_output_commit(&d->nowhere) : lm_work_finish(d->work));
done:
    lm_output_abort(&d->nowhere);
    return st;
}

static leman_status demo_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    const lm_common *common = options;
    lm_demo d = {.work = work, .ctx = work->ctx};
    double seconds[STEP_COUNT];
    for (int i = 0; i < STEP_COUNT; i++) {
        double begin = lm_now();
        TRY(show_step(&d, i));
        seconds[i] = lm_now() - begin;
    }
    if (common->json) {
        TRY(write_json(&d, seconds));
    } else {
        TRY(lm_work_results(work, &d.out));
        TRY(lm_write_text(d.out, "\n"));
        TRY(lm_write_wrapped(d.out, LAST_SENTENCE, 0, 0));
    }
done:
    lm_demo_folder_remove(&d);
    leman_dataset_free(d.molecules);
    return st;
}

const lm_command lm_command_demo = {
    .name = "demo",
    .summary = "what the program can do, without data, in less than a minute",
    .description = "Shows what the program can do, on graphs that it generates itself. Nothing is left behind: files "
                   "are written to a temporary folder ($TMPDIR, else /tmp) and removed.",
    .groups = {{"General", LM_GENERAL_OPTIONS}},
    .examples = {{"leman demo", "all of it"}, {"leman demo --seed 7 --quiet", "the same with other molecules"}},
    .size = sizeof(lm_common),
    .run = demo_run,
};
