/*
 * Data sets by name: from the cache, or from the TU collection into the cache.
 *
 * A file gets its final name only after it was checked. It must be a TU zip, agree with the known properties of the
 * data set (catalogue.c), and have the SHA-256 that was recorded when a file of this name was first downloaded. The
 * recorded SHA-256 is compared before each use of the cache. A file that the user put there is checked and recorded at
 * its first use.
 *
 * Processes that fetch the same data set wait for each other. A process that finds a good file in the cache needs no
 * lock.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/file.h"
#include "io/download/cache.h"
#include "io/download/digest.h"
#include "io/download/http.h"
#include "io/download/transfer.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char COLLECTION[] = "https://www.chrsmrrs.com/graphkerneldatasets/";
static const uint64_t LARGEST = UINT64_C(4) << 30, SLOWEST = 1024;
static const double LONGEST = 3600;

/* The options of one call, and the paths in the cache. */
typedef struct download_job {
    leman_context *ctx;
    const char *name;
    leman_download_options options; /* with all defaults filled in */
    lm_cache_entry place;
    int lock; /* of lm_cache_lock(), or -1 */
} download_job;

LM_OPTIONS(leman_download_options, options, .max_bytes = LARGEST, .time_limit = LONGEST, .min_speed = SLOWEST)

/* ---- Checks ---------------------------------------------------------------------------------- */

/* The reader also accepts a zip inside a gzip file, but other programs would not find a zip under NAME.zip. */
static leman_status check_is_no_gzip(const download_job *work, const char *path, const char *source)
{
    AUTO(lm_input_close) lm_input in = {0};
    unsigned char head[2] = {0};
    size_t got;
    PASS(lm_input_open(work->ctx, path, &in));
    PASS(lm_input_read(&in, head, sizeof head, &got));
    if (head[0] == 0x1f && head[1] == 0x8b)
        return lm_fail(work->ctx, LEMAN_ERROR_INPUT,
                       "%s: is not a TU zip: found a file that gzip has compressed, expected a zip", source);
    return LEMAN_OK;
}

/* Checks that the file at path is the data set. Fails with LEMAN_ERROR_INPUT if it is not; `source` is used in the
 * message. */
static leman_status check_content(const download_job *work, const char *path, const char *source)
{
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    options.format = LEMAN_FORMAT_TU_ZIP;
    PASS(check_is_no_gzip(work, path, source));
    const leman_status st = leman_dataset_read(work->ctx, path, &options, NULL, &data);
    if (st == LEMAN_ERROR_INPUT)
        return lm_fail(work->ctx, st, "%s: is not a TU zip: %s", source, leman_context_message(work->ctx));
    return st ? st : lm_catalogue_check(work->ctx, source, work->name, data);
}

typedef enum found {
    NOTHING,
    GOOD,       /* has the recorded checksum */
    UNRECORDED, /* exists, but has no recorded checksum */
    CHANGED     /* has a checksum other than the recorded one */
} found;

/* Finds the state of the file in the cache. */
static leman_status inspect(const download_job *work, found *out, lm_digest *recorded, lm_digest *actual)
{
    struct stat about;
    bool known = false;
    *out = NOTHING;
    if (stat(work->place.zip, &about)) {
        if (errno != ENOENT && errno != ENOTDIR)
            return lm_fail_errno(work->ctx, errno, "%s: cannot be read", work->place.zip);
        return LEMAN_OK;
    }
    if (!S_ISREG(about.st_mode)) return lm_fail(work->ctx, LEMAN_ERROR_FILE, "%s: is not a file", work->place.zip);
    PASS(lm_digest_read(work->ctx, work->place.sum, work->place.file, &known, recorded));
    PASS(lm_digest_of_file(work->ctx, work->place.zip, actual));
    *out = !known ? UNRECORDED : !strcmp(recorded->text, actual->text) ? GOOD : CHANGED;
    return LEMAN_OK;
}

/* ---- From the cache -------------------------------------------------------------------------- */

/* Checks a file without a recorded checksum, which the user put there, and records its checksum. */
static leman_status check_and_record(const download_job *work, const lm_digest *digest)
{
    leman_status st = check_content(work, work->place.zip, work->place.zip);
    if (st) return st;
    st = lm_digest_write(work->ctx, work->place.sum, work->place.file, digest);
    if (st == LEMAN_ERROR_FILE) { /* the cache is read-only */
        lm_log(work->ctx, "its SHA-256 is not recorded: %s", work->ctx->message);
        return LEMAN_OK;
    }
    if (!st) lm_log(work->ctx, "%s: checked, and its SHA-256 recorded for later", work->place.zip);
    return st;
}

/* Sets *there to true if a good file is in the cache. With the lock, the answer is final. Without the lock, anything
 * but a good file is left for a second check with the lock, since another process may be writing. */
static leman_status from_cache(const download_job *work, bool locked, bool *there)
{
    found state;
    lm_digest recorded, actual;
    const leman_status st = inspect(work, &state, &recorded, &actual);
    if (st == LEMAN_ERROR_INPUT && locked) /* the recorded checksum cannot be read */
        return lm_fail(work->ctx, st, "%s; refresh it, or remove this record", leman_context_message(work->ctx));
    if (st && st != LEMAN_ERROR_INPUT) return st;
    *there = !st && state == GOOD;
    if (!locked || state == NOTHING || state == GOOD) return LEMAN_OK;
    *there = true;
    if (state == UNRECORDED) return check_and_record(work, &actual);
    return lm_fail(work->ctx, LEMAN_ERROR_INPUT,
                   "%s: found SHA-256 %s, expected %s as recorded beside it; refresh it, or remove both",
                   work->place.zip, actual.text, recorded.text);
}

/* ---- From the network ------------------------------------------------------------------------ */

/* Renames a checked part to its final name. The old record is removed before and the new one written after, so a crash
 * leaves a file without a record, never one that contradicts its record. */
static leman_status install(const download_job *work, bool known, const lm_digest *recorded, const lm_digest *digest)
{
    bool same = known && !strcmp(recorded->text, digest->text);
    if (!same) unlink(work->place.sum);
    if (rename(work->place.part, work->place.zip))
        return lm_fail_errno(work->ctx, errno, "%s: cannot be written", work->place.zip);
    unlink(work->place.origin);
    if (!same) PASS(lm_digest_write(work->ctx, work->place.sum, work->place.file, digest));
    if (known && work->options.refresh)
        lm_log(work->ctx, same ? "%s: fetched again, unchanged" : "%s: fetched again, its content has changed",
               work->place.zip);
    return LEMAN_OK;
}

/* Checks the received file and installs it. Fails with LEMAN_ERROR_INPUT if the file is refused. */
static leman_status receive(const download_job *work, bool known, const lm_digest *recorded)
{
    lm_digest digest;
    PASS(lm_digest_of_file(work->ctx, work->place.part, &digest));
    if (known && !work->options.refresh && strcmp(recorded->text, digest.text) != 0)
        return lm_fail(work->ctx, LEMAN_ERROR_INPUT,
                       "%s: found SHA-256 %s, expected %s as recorded in %s; a refresh accepts the new content",
                       work->options.url, digest.text, recorded->text, work->place.sum);
    PASS(check_content(work, work->place.part, work->options.url));
    return install(work, known, recorded, &digest);
}

static leman_status fetch(const download_job *work)
{
    lm_digest recorded = {""};
    bool known = false, resumed = false;
    lm_transfer request = {.url = work->options.url,
                           .part = work->place.part,
                           .origin = work->place.origin,
                           .max_bytes = work->options.max_bytes,
                           .attempts = 4,
                           .wait = 0.25,
                           .connect_seconds = 20,
                           .stall_seconds = 30,
                           .min_speed = work->options.min_speed,
                           .time_limit = work->options.time_limit};
    leman_status st = lm_digest_read(work->ctx, work->place.sum, work->place.file, &known, &recorded);
    if (st && !(st == LEMAN_ERROR_INPUT && work->options.refresh)) return st; /* a refresh replaces a bad record */
    for (bool first = true;; first = false) {
        PASS(lm_transfer_run(work->ctx, &request, &resumed));
        st = receive(work, known, &recorded);
        if (st != LEMAN_ERROR_INPUT) return st;
        lm_transfer_discard(&request);
        if (!resumed || !first) return st;
        lm_log(work->ctx, "%s; fetching the whole file", work->ctx->message); /* the pieces may not belong together */
    }
}

/* ---- The call -------------------------------------------------------------------------------- */

/* Checks the arguments and fills in the defaults. */
static leman_status fill_job(leman_context *ctx, const char *name, const leman_download_options *options,
                             download_job *work)
{
    leman_download_options chosen = leman_download_options_default();
    PASS(lm_options_copy(ctx, "leman_download_options", options, &chosen, sizeof chosen));
    if (isnan(chosen.time_limit) || chosen.time_limit < 0)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "download: found a time limit of %g, expected seconds above 0",
                       chosen.time_limit);
    PASS(lm_cache_name_check(ctx, name));
    if (chosen.offline && chosen.refresh)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "download: found both offline and refresh, expected at most one");
    if (!chosen.max_bytes) chosen.max_bytes = LARGEST;
    if (!chosen.min_speed) chosen.min_speed = SLOWEST;
    if (!(chosen.time_limit > 0)) chosen.time_limit = LONGEST;
    if (!chosen.url) {
        char *url = NULL;
        const size_t size = sizeof COLLECTION + strlen(name) + sizeof ".zip";
        PASS_SCRATCH(ctx, url, size);
        snprintf(url, size, "%s%s.zip", COLLECTION, name);
        chosen.url = url;
    }
    PASS(lm_url_check(ctx, chosen.url, NULL));
    *work = (download_job){.ctx = ctx, .name = name, .options = chosen, .lock = -1};
    return lm_cache_place(ctx, name, chosen.cache, &work->place);
}

/* Fails with the reason if nothing can be fetched. */
static leman_status may_fetch(const download_job *work)
{
    if (work->options.offline)
        return lm_fail(work->ctx, LEMAN_ERROR_FILE, "%s: is not there, and nothing is fetched offline; put %s there",
                       work->place.zip, work->options.url);
    if (!lm_transfer_available())
        return lm_fail(work->ctx, LEMAN_ERROR_UNSUPPORTED,
                       "this build has no libcurl and cannot fetch %s; put it at %s by other means", work->options.url,
                       work->place.zip);
    return LEMAN_OK;
}

static void download_job_end(const download_job *work)
{
    lm_cache_unlock(&work->place, work->lock);
}

leman_status leman_dataset_download(leman_context *ctx, const char *name, const leman_download_options *options,
                                    char *path, size_t size)
{
    REQUIRE(ctx, name, path);
    SCRATCH_SCOPE(ctx);
    AUTO(download_job_end) download_job work = {.lock = -1};
    struct stat about;
    bool there = false;
    PASS(fill_job(ctx, name, options, &work));
    if (strlen(work.place.zip) >= size)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: is longer than the %zu byte%s given for a path", work.place.zip,
                       size, lm_plural(size));
    if (!work.options.refresh) PASS(from_cache(&work, false, &there));
    if (!there) {
        bool beside =
            !work.options.refresh && !stat(work.place.zip, &about); /* exists, but was not good without the lock */
        if (!beside) PASS(may_fetch(&work));
        if (!beside) PASS(lm_cache_make(ctx, &work.place));
        const leman_status st = lm_cache_lock(ctx, &work.place, &work.lock);
        if (st && !(beside && st == LEMAN_ERROR_FILE)) return st; /* a read-only cache needs no lock */
        if (!work.options.refresh) PASS(from_cache(&work, true, &there));
    }
    if (!there) PASS(may_fetch(&work)); /* the file may have been removed meanwhile */
    if (!there) PASS(fetch(&work));
    strcpy(path, work.place.zip);
    return LEMAN_OK;
}
