/* leman download: prints the path of a data set of the TU collection in the cache, and downloads it if it is not
 * there. */
#include "cli/commands.h"

typedef struct download_options {
    lm_common common;
    leman_download_options wishes;
} download_options;

#define FIELD(member) offsetof(download_options, wishes.member)

static const lm_option ROWS[] = {
    LM_ROW("url", 0, LM_TEXT, FIELD(url), "URL", HELP_DOWNLOAD_URL, .without = "offline"),
    LM_ROW("cache", 0, LM_TEXT, FIELD(cache), "FOLDER", HELP_DOWNLOAD_CACHE),
    LM_FLAG_ROW("offline", FIELD(offline), HELP_DOWNLOAD_OFFLINE),
    LM_FLAG_ROW("refresh", FIELD(refresh), HELP_DOWNLOAD_REFRESH),
    LM_ROW("time-limit", 0, LM_REAL, FIELD(time_limit), "SECONDS", HELP_DOWNLOAD_TIME_LIMIT, .low = 0.001, .high = 1e9),
    LM_ROW("min-speed", 0, LM_SIZE, FIELD(min_speed), "SIZE", HELP_DOWNLOAD_MIN_SPEED),
    LM_RESULT_ROW,
    {0},
};

static void prepare_download(void *options)
{
    ((download_options *)options)->wishes = leman_download_options_default();
}

static leman_status download_run(lm_work *work, const void *options)
{
    const download_options *asked = options;
    const char *name = asked->common.operand[0];
    char path[4096];
    lm_output *out;
    if (asked->wishes.offline && asked->wishes.refresh)
        return MISUSE(work->ctx, "found both --offline and --refresh, expected one");
    PASS(leman_dataset_download(work->ctx, name, &asked->wishes, path, sizeof path));
    LM_PUT(&work->json, work->json.object, KEY("name", name), KEY("path", path));
    if (asked->common.json) return LEMAN_OK;
    PASS(lm_work_results(work, &out));
    return lm_output_printf(out, "%s\n", path);
}

static const char *const NAMES[] = {"ENZYMES", "IMDB-BINARY", "IMDB-MULTI",    "MUTAG",        "Mutagenicity",
                                    "NCI1",    "NCI109",      "OVCAR-8",       "OVCAR-8H",     "PROTEINS",
                                    "PTC_FM",  "QM9",         "REDDIT-BINARY", "UACC257",      "UACC257H",
                                    "Yeast",   "YeastH",      "ZINC_full",     "alchemy_full", NULL};

const lm_command lm_command_download = {
    .name = "download",
    .help = &LM_HELP_DOWNLOAD,
    .operand = {{"NAME", NAMES}},
    .required = 1,
    .common = "cache offline refresh url",
    .groups = {{"Downloading and result", ROWS}, {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(download_options),
    .prepare = prepare_download,
    .run = download_run,
};
