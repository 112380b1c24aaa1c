/* leman download: prints the path of a data set of the TU collection in the cache, and downloads it if it is not
 * there. */
#include "cli/commands.h"

typedef struct download_options {
    lm_common common;
    const char *url, *cache;
    bool offline, refresh;
    double time_limit;
    uint64_t min_speed;
} download_options;

static const lm_option ROWS[] = {
    LM_ROW("url", 0, LM_TEXT, offsetof(download_options, url), "URL",
           "fetch the zip from this address instead of the TU collection", .without = "offline"),
    LM_ROW("cache", 0, LM_TEXT, offsetof(download_options, cache), "FOLDER",
           "keep files there (default: $LEMAN_CACHE, else $XDG_CACHE_HOME/leman, else ~/.cache/leman)"),
    LM_FLAG_ROW("offline", offsetof(download_options, offline), "only look into the cache, never at the network"),
    LM_FLAG_ROW("refresh", offsetof(download_options, refresh), "fetch again what is already in the cache"),
    LM_ROW("time-limit", 0, LM_REAL, offsetof(download_options, time_limit), "SECONDS",
           "abort the download after this many seconds (default: 3600)", .low = 0.001, .high = 1e9),
    LM_ROW("min-speed", 0, LM_SIZE, offsetof(download_options, min_speed), "SIZE",
           "abort if fewer than SIZE bytes per second arrive for 30 seconds (default: 1024)"),
    LM_RESULT_ROW,
    {0},
};

static leman_status download_run(lm_work *work, const void *options)
{
    const download_options *asked = options;
    leman_download_options wishes = leman_download_options_default();
    const char *name = asked->common.operand[0];
    char path[4096];
    lm_output *out;
    if (asked->offline && asked->refresh)
        return lm_fail(work->ctx, LEMAN_ERROR_ARGUMENT, "found both --offline and --refresh, expected one");
    wishes.url = asked->url;
    wishes.cache = asked->cache;
    wishes.offline = asked->offline;
    wishes.refresh = asked->refresh;
    wishes.time_limit = asked->time_limit;
    wishes.min_speed = asked->min_speed;
    PASS(leman_dataset_download(work->ctx, name, &wishes, path, sizeof path));
    LM_PUT(&work->json, work->json.object, KEY("name", name), KEY("path", path));
    if (asked->common.json) return LEMAN_OK;
    PASS(lm_work_results(work, &out));
    PASS(lm_write_text(out, path));
    return lm_write_text(out, "\n");
}

static const char *const NAMES[] = {"ENZYMES", "IMDB-BINARY", "IMDB-MULTI",    "MUTAG",        "Mutagenicity",
                                    "NCI1",    "NCI109",      "OVCAR-8",       "OVCAR-8H",     "PROTEINS",
                                    "PTC_FM",  "QM9",         "REDDIT-BINARY", "UACC257",      "UACC257H",
                                    "Yeast",   "YeastH",      "ZINC_full",     "alchemy_full", NULL};

const lm_command lm_command_download = {
    .name = "download",
    .summary = "data sets of the TU collection by name, checked and cached",
    .description = LM_HELP_DOWNLOAD,
    .operand = {{"NAME", NAMES}},
    .required = 1,
    .common = "cache offline refresh url",
    .groups = {{"Downloading and result", ROWS}, {"General", LM_GENERAL_OPTIONS}},
    .examples = {{"leman download MUTAG", "fetch MUTAG if it is not there yet, and print where it is"},
                 {"leman info \"$(leman download MUTAG)\"", "look at it at once"}},
    .size = sizeof(download_options),
    .run = download_run,
};
