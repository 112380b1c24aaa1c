/* Downloads against a scripted server: what arrives, what is refused, what is kept, and what the cache does with it. */
#include "base/context.h"
#include "io/digest.h"
#include "io/transfer.h"
#include "support/server.h"
#include "support/support.h"
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zip.h>

/* ---- A TU zip, and one test's surroundings --------------------------------------------------------------------- */

typedef struct blob {
    char *bytes;
    size_t size;
} blob;

static void add_member(zip_t *archive, const char *name, char *text)
{
    zip_source_t *source = zip_source_buffer(archive, text, strlen(text), 1); /* freed by libzip */
    assert_non_null(source);
    zip_int64_t index = zip_file_add(archive, name, source, 0);
    assert_true(index >= 0);
    assert_int_equal(zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_STORE, 0), 0);
}

static blob read_blob(const char *path)
{
    blob whole = {0};
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    whole.size = (size_t)ftell(f);
    whole.bytes = malloc(whole.size + 1);
    assert_non_null(whole.bytes);
    rewind(f);
    assert_int_equal(fread(whole.bytes, 1, whole.size, f), whole.size);
    fclose(f);
    return whole;
}

/* One cycle of n vertices, n >= 3; about 30 n bytes, not packed. */
static blob tu_zip(const char *name, size_t n)
{
    const char *folder = test_folder_new();
    char path[4096], member[256];
    char *edges = malloc(32 * n), *indicator = malloc(2 * n + 1), *labels = strdup("1\n");
    assert_true(edges && indicator && labels);
    size_t used = 0;
    for (size_t v = 0; v < n; v++) {
        used += (size_t)sprintf(edges + used, "%zu, %zu\n", v + 1, (v + 1) % n + 1);
        strcpy(indicator + 2 * v, "1\n");
    }
    snprintf(path, sizeof path, "%s/made.zip", folder);
    zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(archive);
    snprintf(member, sizeof member, "%s/%s_A.txt", name, name);
    add_member(archive, member, edges);
    snprintf(member, sizeof member, "%s/%s_graph_indicator.txt", name, name);
    add_member(archive, member, indicator);
    snprintf(member, sizeof member, "%s/%s_graph_labels.txt", name, name);
    add_member(archive, member, labels);
    assert_int_equal(zip_close(archive), 0);
    blob whole = read_blob(path);
    test_folder_remove(folder);
    return whole;
}

typedef struct scene {
    const char *folder;
    blob small, large; /* two sets of the name Toy; large needs several writes */
    leman_context *ctx;
    char path[4096];      /* what the last download gave */
    char log[4096];       /* all sentences of the log callback */
    unsigned stop_after;  /* progress calls; 0: never stops */
    unsigned descriptors; /* open before the test */
} scene;

static unsigned open_descriptors(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count;
}

static void keep_log(void *user, const char *message)
{
    scene *s = user;
    strncat(s->log, message, sizeof s->log - strlen(s->log) - 2);
    strcat(s->log, "\n");
}

static bool watch(void *user, const leman_progress *progress)
{
    scene *s = user;
    if (!s->stop_after || !progress->done) return true;
    return --s->stop_after > 0;
}

static int begin(void **state)
{
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->small = tu_zip("Toy", 5);
    s->large = tu_zip("Toy", 5000);
    s->folder = test_folder_new();
    s->ctx = test_context_new(1);
    s->ctx->settings.log = keep_log;
    s->ctx->settings.progress = watch;
    s->ctx->settings.callback_user = s;
    s->descriptors = open_descriptors();
    *state = s;
    return 0;
}

static int end(void **state)
{
    scene *s = *state;
    assert_int_equal(open_descriptors(), s->descriptors);
    test_context_free(s->ctx);
    test_folder_remove(s->folder);
    free(s->small.bytes);
    free(s->large.bytes);
    free(s);
    return 0;
}

static bool there(const scene *s, const char *name)
{
    return !access(test_path(s->folder, name), F_OK);
}

static void assert_says(const scene *s, const char *words)
{
    const char *message = leman_context_message(s->ctx);
    assert_null(strchr(message, '\n'));
    if (!strstr(message, words)) fail_msg("'%s' does not say '%s'", message, words);
}

/* The cache holds exactly this content under its name and nothing half-done. */
static void assert_cached(const scene *s, const blob *content)
{
    blob now = read_blob(test_path(s->folder, "Toy.zip"));
    assert_int_equal(now.size, content->size);
    assert_memory_equal(now.bytes, content->bytes, now.size);
    free(now.bytes);
    assert_true(there(s, "Toy.zip.sha256"));
    assert_false(there(s, "Toy.zip.part") || there(s, "Toy.zip.part.origin") || there(s, "Toy.zip.lock"));
}

static void assert_empty(const scene *s)
{
    DIR *folder = opendir(s->folder);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.') fail_msg("%s was left", entry->d_name);
    closedir(folder);
}

static leman_download_options options_for(const scene *s, const char *url)
{
    leman_download_options options = leman_download_options_default();
    options.cache = s->folder;
    options.url = url;
    return options;
}

/* Starts a server, downloads `name` once from it, and says how many requests that took. */
static leman_status download_named(scene *s, const char *name, const test_answer *answers, size_t count,
                                   leman_download_options options, size_t *requests)
{
    char url[128];
    test_server server = test_server_start(answers, count);
    snprintf(url, sizeof url, "%s%s.zip", server.url, name);
    options.cache = s->folder;
    options.url = url;
    strcpy(s->path, "untouched");
    leman_status st = leman_dataset_download(s->ctx, name, &options, s->path, sizeof s->path);
    if (st) assert_string_equal(s->path, "untouched");
    if (!st) assert_string_equal(s->path, test_path(s->folder, "Toy.zip"));
    size_t asked = test_server_stop(&server);
    if (requests) *requests = asked;
    return st;
}

static leman_status download(scene *s, const test_answer *answers, size_t count, size_t *requests)
{
    return download_named(s, "Toy", answers, count, leman_download_options_default(), requests);
}

/* ---- What arrives ----------------------------------------------------------------------------------------------- */

static void test_plain(void **state)
{
    scene *s = *state;
    size_t requests;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\""};
    assert_int_equal(download(s, &answer, 1, &requests), LEMAN_OK);
    assert_int_equal(requests, 1);
    assert_cached(s, &s->large);
    answer.code = 500; /* the second time nobody is asked */
    assert_int_equal(download(s, &answer, 1, &requests), LEMAN_OK);
    assert_int_equal(requests, 0);
    answer = (test_answer){.code = 200, .body = s->small.bytes, .size = s->small.size, .no_length = true};
    unlink(test_path(s->folder, "Toy.zip"));
    unlink(test_path(s->folder, "Toy.zip.sha256"));
    assert_int_equal(download(s, &answer, 1, NULL), LEMAN_OK);
    assert_cached(s, &s->small);
}

static void test_http_errors(void **state)
{
    scene *s = *state;
    size_t requests;
    test_answer answer = {.code = 404, .body = "no such page", .size = 12};
    assert_int_equal(download(s, &answer, 1, &requests), LEMAN_ERROR_NETWORK);
    assert_says(s, "Toy.zip: the server answered HTTP 404");
    assert_int_equal(requests, 1);
    assert_false(there(s, "Toy.zip"));
    answer.code = 403;
    assert_int_equal(download(s, &answer, 1, &requests), LEMAN_ERROR_NETWORK);
    assert_int_equal(requests, 1);
    answer.code = 204;
    answer.size = 0;
    assert_int_equal(download(s, &answer, 1, &requests), LEMAN_ERROR_NETWORK);
    assert_says(s, "HTTP 204");
}

static void test_passing_errors(void **state)
{
    scene *s = *state;
    size_t requests;
    test_answer answers[] = {{.code = 503}, {.code = 0}, {.code = 200, .body = s->small.bytes, .size = s->small.size}};
    assert_int_equal(download(s, answers, 3, &requests), LEMAN_OK);
    assert_int_equal(requests, 3);
    assert_cached(s, &s->small);
    unlink(test_path(s->folder, "Toy.zip"));
    assert_int_equal(download(s, answers, 1, &requests), LEMAN_ERROR_NETWORK);
    assert_int_equal(requests, 4);
    assert_says(s, "HTTP 503 (4 attempts)");
}

static void test_nobody_there(void **state)
{
    scene *s = *state;
    test_answer answer = {.code = 200};
    test_server server = test_server_start(&answer, 1);
    char url[128];
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    test_server_stop(&server);
    leman_download_options options = options_for(s, url);
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_NETWORK);
    assert_says(s, "cannot be fetched");
}

/* ---- Going on where it was cut --------------------------------------------------------------------------------- */

/* The connection breaks in the middle; the same call goes on, and asks for what is missing. */
static void test_resume(void **state)
{
    scene *s = *state;
    test_answer answers[2] = {
        {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true}};
    answers[1] = answers[0];
    answers[0].cut = 20000;
    char url[128];
    test_server server = test_server_start(answers, 2);
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    leman_download_options options = options_for(s, url);
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_OK);
    assert_int_equal(server.log->requests, 2);
    assert_null(strstr(server.log->request[0], "Range:"));
    assert_non_null(strstr(server.log->request[1], "\nRange: bytes=19999-\r"));
    assert_non_null(strstr(server.log->request[1], "\nIf-Range: \"a\"\r"));
    test_server_stop(&server);
    assert_cached(s, &s->large);
}

/* All attempts are cut: an error, the part stays, and the next call goes on from it. */
static void test_resume_later(void **state)
{
    scene *s = *state;
    test_answer answers[2] = {
        {.code = 200, .body = s->large.bytes, .size = s->large.size, .modified = "Mon, 01 Jan 2024 00:00:00 GMT"}};
    answers[0].ranges = true;
    answers[1] = answers[0];
    answers[0].cut = 5000;
    char url[128];
    test_server server = test_server_start(answers, 1);
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    leman_download_options options = options_for(s, url);
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_NETWORK);
    assert_says(s, "(4 attempts); 19997 bytes are kept"); /* each attempt repeats one byte */
    assert_int_equal(test_server_stop(&server), 4);
    assert_true(there(s, "Toy.zip.part") && there(s, "Toy.zip.part.origin") && !there(s, "Toy.zip"));
    struct stat about;
    assert_int_equal(stat(test_path(s->folder, "Toy.zip.part"), &about), 0);
    assert_int_equal(about.st_size, 19997);

    /* The note names the old server's address; another one gets to send everything. */
    size_t requests;
    assert_int_equal(download(s, answers + 1, 1, &requests), LEMAN_OK);
    assert_int_equal(requests, 1);
    assert_cached(s, &s->large);
}

/* A part and a note as an earlier call would have left them; the server's replies then differ. */
static leman_status go_on(scene *s, const test_answer *answers, size_t count, const blob *before, size_t part,
                          size_t *requests, char first_request[2048])
{
    char url[128], note[256];
    test_server server = test_server_start(answers, count);
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    snprintf(note, sizeof note, "%s\n\"a\"\n", url);
    test_file_write(s->folder, "Toy.zip.part", before->bytes, part);
    test_file_text(s->folder, "Toy.zip.part.origin", note);
    leman_download_options options = options_for(s, url);
    leman_status st = leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path);
    if (first_request) strcpy(first_request, server.log->request[0]);
    *requests = test_server_stop(&server);
    return st;
}

static void test_range_honoured(void **state)
{
    scene *s = *state;
    size_t requests;
    char request[2048];
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true};
    assert_int_equal(go_on(s, &answer, 1, &s->large, 30000, &requests, request), LEMAN_OK);
    assert_int_equal(requests, 1);
    assert_non_null(strstr(request, "\nRange: bytes=29999-\r"));
    assert_cached(s, &s->large);
}

static void test_part_was_complete(void **state)
{
    scene *s = *state;
    size_t requests;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true};
    assert_int_equal(go_on(s, &answer, 1, &s->large, s->large.size, &requests, NULL), LEMAN_OK);
    assert_int_equal(requests, 1);
    assert_cached(s, &s->large);
}

static void test_range_ignored(void **state)
{
    scene *s = *state;
    size_t requests;
    test_answer answer = {.code = 200, .body = s->small.bytes, .size = s->small.size, .etag = "\"a\""};
    assert_int_equal(go_on(s, &answer, 1, &s->large, 30000, &requests, NULL), LEMAN_OK); /* shorter than the part */
    assert_int_equal(requests, 1);
    assert_cached(s, &s->small);
}

static void test_changed_meanwhile(void **state)
{
    scene *s = *state;
    size_t requests;
    blob other = tu_zip("Toy", 4000);
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"b\"", .ranges = true};
    assert_int_equal(go_on(s, &answer, 1, &other, 30000, &requests, NULL), LEMAN_OK); /* If-Range: all of the new one */
    assert_int_equal(requests, 1);
    assert_cached(s, &s->large);

    unlink(test_path(s->folder, "Toy.zip"));
    unlink(test_path(s->folder, "Toy.zip.sha256"));
    answer.careless = true; /* a rest of other content */
    assert_int_equal(go_on(s, &answer, 1, &other, 30000, &requests, NULL), LEMAN_OK);
    assert_int_equal(requests, 2);
    assert_cached(s, &s->large);
    free(other.bytes);
}

static void test_wrong_ranges(void **state)
{
    scene *s = *state;
    size_t requests;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true};
    answer.shift = 10; /* 206, but not from where we asked */
    assert_int_equal(go_on(s, &answer, 1, &s->large, 30000, &requests, NULL), LEMAN_OK);
    assert_int_equal(requests, 2);
    assert_cached(s, &s->large);
    answer.shift = 0;
    unlink(test_path(s->folder, "Toy.zip"));
    blob longer = {calloc(1, s->large.size + 100), s->large.size + 100};
    assert_non_null(longer.bytes);
    assert_int_equal(go_on(s, &answer, 1, &longer, longer.size, &requests, NULL), LEMAN_OK); /* 416, then all */
    assert_int_equal(requests, 2);
    assert_cached(s, &s->large);
    free(longer.bytes);
}

/* A part that does not belong to its note: found when the whole is checked, and fetched anew. */
static void test_damaged_part(void **state)
{
    scene *s = *state;
    size_t requests;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true};
    blob zeros = {calloc(1, 30000), 30000};
    assert_non_null(zeros.bytes);
    assert_int_equal(go_on(s, &answer, 1, &zeros, zeros.size, &requests, NULL), LEMAN_OK);
    assert_int_equal(requests, 2);
    assert_non_null(strstr(s->log, "fetching the whole file"));
    assert_cached(s, &s->large);
    free(zeros.bytes);
}

static void test_cancel_keeps_part(void **state)
{
    scene *s = *state;
    struct stat about;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true};
    answer.pause = 40;
    s->stop_after = 3;
    assert_int_equal(download(s, &answer, 1, NULL), LEMAN_ERROR_CANCELLED);
    assert_says(s, "downloading Toy.zip was stopped");
    assert_int_equal(stat(test_path(s->folder, "Toy.zip.part"), &about), 0);
    assert_true(about.st_size > 0 && (size_t)about.st_size < s->large.size);
    blob kept = read_blob(test_path(s->folder, "Toy.zip.part"));
    assert_memory_equal(kept.bytes, s->large.bytes, kept.size);
    free(kept.bytes);
    assert_true(there(s, "Toy.zip.part.origin"));
    assert_false(there(s, "Toy.zip") || there(s, "Toy.zip.lock"));
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static void test_too_large(void **state)
{
    scene *s = *state;
    leman_download_options options = leman_download_options_default();
    options.max_bytes = s->large.size - 1;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\""};
    assert_int_equal(download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_ERROR_INPUT);
    assert_says(s, "larger than the limit of");
    assert_empty(s);
    answer.no_length = true; /* nobody says how large it will be */
    assert_int_equal(download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_ERROR_INPUT);
    assert_says(s, "larger than the limit of");
    assert_empty(s);
    answer.no_length = false;
    answer.promised = 1000; /* what comes after the promised bytes is not the file's, and the zip is not whole */
    assert_int_equal(download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_ERROR_INPUT);
    assert_says(s, "is not a TU zip");
    assert_empty(s);
    answer.promised = 0;
    options.max_bytes++;
    assert_int_equal(download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_OK);
    assert_cached(s, &s->large);
}

static void test_redirections(void **state)
{
    scene *s = *state;
    size_t requests;
    static const char *const bad[] = {"file:///etc/passwd", "ftp://127.0.0.1/Toy.zip", "http://me@127.0.0.1/Toy.zip",
                                      "gopher://127.0.0.1/"};
    test_answer answers[2] = {{.code = 302, .body = "<html>", .size = 6}};
    answers[1] = (test_answer){.code = 200, .body = s->small.bytes, .size = s->small.size};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        answers[0].location = bad[i];
        assert_int_equal(download(s, answers, 2, &requests), LEMAN_ERROR_NETWORK);
        assert_int_equal(requests, 1);
        assert_says(s, bad[i]);
    }
    answers[0].location = NULL;
    assert_int_equal(download(s, answers, 2, &requests), LEMAN_ERROR_NETWORK);
    assert_says(s, "HTTP 302");
    answers[0].location = "/elsewhere/Toy.zip?x=1";
    assert_int_equal(download(s, answers, 1, &requests), LEMAN_ERROR_NETWORK); /* for ever */
    assert_says(s, "redirected more than 8 times");
    assert_int_equal(requests, 9);
    assert_int_equal(download(s, answers, 2, &requests), LEMAN_OK);
    assert_int_equal(requests, 2);
    assert_cached(s, &s->small);
}

static void test_garbage(void **state)
{
    scene *s = *state;
    static const char page[] = "<html>Welcome to this hotel's network</html>";
    test_answer answer = {.code = 200, .body = page, .size = strlen(page), .etag = "\"a\""};
    assert_int_equal(download(s, &answer, 1, NULL), LEMAN_ERROR_INPUT);
    assert_says(s, "is not a TU zip");
    assert_empty(s);
    answer.size = 0;
    assert_int_equal(download(s, &answer, 1, NULL), LEMAN_ERROR_INPUT);
    assert_empty(s);
    char *damaged = malloc(s->large.size);
    assert_non_null(damaged);
    memcpy(damaged, s->large.bytes, s->large.size);
    damaged[s->large.size / 2] ^= 1;
    answer = (test_answer){.code = 200, .body = damaged, .size = s->large.size};
    assert_int_equal(download(s, &answer, 1, NULL), LEMAN_ERROR_INPUT);
    assert_empty(s);
    free(damaged);
}

static void test_wrong_statistics(void **state)
{
    scene *s = *state;
    blob wrong = tu_zip("PTC_FM", 5);
    test_answer answer = {.code = 200, .body = wrong.bytes, .size = wrong.size};
    assert_int_equal(download_named(s, "PTC_FM", &answer, 1, leman_download_options_default(), NULL),
                     LEMAN_ERROR_INPUT);
    assert_says(s, "found 1 graphs with 5.00 vertices and 5.00 edges on average, expected 349 with 14.1 and 14.5");
    assert_empty(s);
    free(wrong.bytes);
}

static void test_arguments(void **state)
{
    scene *s = *state;
    leman_download_options options = options_for(s, "file:///etc/passwd");
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_ARGUMENT);
    options.url = NULL;
    assert_int_equal(leman_dataset_download(s->ctx, "../Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_ARGUMENT);
    options.offline = true;
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, 8), LEMAN_ERROR_ARGUMENT);
    assert_says(s, "longer than the 8 bytes");
    options.refresh = true;
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_ARGUMENT);
    assert_empty(s);
}

/* ---- The cache --------------------------------------------------------------------------------------------------- */

static void test_offline(void **state)
{
    scene *s = *state;
    leman_download_options options = options_for(s, NULL);
    options.offline = true;
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_FILE);
    assert_says(s, "Toy.zip: is not there");
    assert_says(s, "https://www.chrsmrrs.com/graphkerneldatasets/Toy.zip");
    assert_empty(s);
    test_file_write(s->folder, "Toy.zip", s->small.bytes, s->small.size); /* by hand */
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_OK);
    assert_cached(s, &s->small);
    assert_non_null(strstr(s->log, "recorded"));
    s->log[0] = 0;
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_OK);
    assert_string_equal(s->log, "");
    char missing[4200];
    snprintf(missing, sizeof missing, "%s/no/such/folder", s->folder);
    options.cache = missing;
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_FILE);
    assert_false(there(s, "no")); /* looking makes nothing */
}

static void test_offline_bad_file(void **state)
{
    scene *s = *state;
    leman_download_options options = options_for(s, NULL);
    options.offline = true;
    test_file_text(s->folder, "Toy.zip", "junk");
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_INPUT);
    assert_says(s, "Toy.zip: is not a TU zip");
    assert_false(there(s, "Toy.zip.sha256"));
    unlink(test_path(s->folder, "Toy.zip"));
    mkdir(test_path(s->folder, "Toy.zip"), 0777);
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_FILE);
}

static void test_changed_in_cache(void **state)
{
    scene *s = *state;
    test_answer answer = {.code = 200, .body = s->small.bytes, .size = s->small.size};
    size_t requests;
    assert_int_equal(download(s, &answer, 1, NULL), LEMAN_OK);
    test_file_write(s->folder, "Toy.zip", s->large.bytes, s->large.size);
    assert_int_equal(download(s, &answer, 1, &requests), LEMAN_ERROR_INPUT);
    assert_int_equal(requests, 0);
    assert_says(s, "--refresh");
    leman_download_options options = leman_download_options_default();
    options.refresh = true;
    assert_int_equal(download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_OK);
    assert_cached(s, &s->small);
    test_file_text(s->folder, "Toy.zip.sha256", "nonsense\n");
    assert_int_equal(download(s, &answer, 1, &requests), LEMAN_ERROR_INPUT);
    assert_says(s, "Toy.zip.sha256:1:");
    assert_says(s, "--refresh");
    assert_int_equal(download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_OK);
    assert_cached(s, &s->small);
    assert_int_equal(download(s, &answer, 1, &requests), LEMAN_OK);
}

/* The sum outlives the file: another content under the old name is refused until asked for. */
static void test_changed_on_server(void **state)
{
    scene *s = *state;
    leman_download_options options = leman_download_options_default();
    test_answer first = {.code = 200, .body = s->small.bytes, .size = s->small.size};
    test_answer second = {.code = 200, .body = s->large.bytes, .size = s->large.size};
    assert_int_equal(download(s, &first, 1, NULL), LEMAN_OK);
    unlink(test_path(s->folder, "Toy.zip"));
    assert_int_equal(download(s, &second, 1, NULL), LEMAN_ERROR_INPUT);
    assert_says(s, "found SHA-256");
    assert_says(s, "--refresh");
    assert_false(there(s, "Toy.zip") || there(s, "Toy.zip.part"));
    assert_int_equal(download(s, &first, 1, NULL), LEMAN_OK);
    options.refresh = true;
    assert_int_equal(download_named(s, "Toy", &first, 1, options, NULL), LEMAN_OK);
    assert_non_null(strstr(s->log, "unchanged"));
    s->log[0] = 0;
    assert_int_equal(download_named(s, "Toy", &second, 1, options, NULL), LEMAN_OK);
    assert_non_null(strstr(s->log, "its content has changed"));
    assert_cached(s, &s->large);
    first.code = 404; /* a refresh that fails leaves what was there */
    assert_int_equal(download_named(s, "Toy", &first, 1, options, NULL), LEMAN_ERROR_NETWORK);
    unlink(test_path(s->folder, "Toy.zip.part"));
    assert_cached(s, &s->large);
}

/* A cache that one may only read: a recorded file, and one without record. */
static void test_read_only_cache(void **state)
{
    scene *s = *state;
    leman_download_options options = options_for(s, NULL);
    options.offline = true;
    test_file_write(s->folder, "Toy.zip", s->small.bytes, s->small.size);
    chmod(s->folder, 0555);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        if (!geteuid() && setuid(65534)) _exit(2);
        _exit(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path) != LEMAN_OK);
    }
    int status = -1;
    waitpid(child, &status, 0);
    chmod(s->folder, 0755);
    assert_int_equal(status, 0);
    assert_false(there(s, "Toy.zip.sha256"));
}

/* Two processes ask at once: one fetches, the other waits and finds it. */
static void test_two_at_once(void **state)
{
    scene *s = *state;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .pause = 5};
    char url[128];
    test_server server = test_server_start(&answer, 1);
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    leman_download_options options = options_for(s, url);
    pid_t children[3];
    for (size_t i = 0; i < 3; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (!children[i]) _exit(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path) != LEMAN_OK);
    }
    for (size_t i = 0; i < 3; i++) {
        int status = -1;
        waitpid(children[i], &status, 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(test_server_stop(&server), 1);
    assert_cached(s, &s->large);
}

/* ---- Time and memory --------------------------------------------------------------------------------------------- */

/* A server that falls silent is given up. */
static void test_stall(void **state)
{
    scene *s = *state;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\""};
    answer.pause = 20000;
    answer.piece = 20;
    test_server server = test_server_start(&answer, 1);
    char part[4200], origin[4200];
    snprintf(part, sizeof part, "%s/part", s->folder);
    snprintf(origin, sizeof origin, "%s/origin", s->folder);
    lm_transfer request = {.url = server.url, .part = part, .origin = origin, .max_bytes = 1 << 20, .attempts = 1};
    request.connect_seconds = 2;
    request.stall_seconds = 1;
    bool resumed = false;
    double began = lm_now();
    assert_int_equal(lm_transfer_run(s->ctx, &request, &resumed), LEMAN_ERROR_NETWORK);
    assert_true(lm_now() - began < 10);
    assert_says(s, "kept");
    test_server_stop(&server);
    lm_transfer_discard(&request);
    assert_empty(s);
}

static leman_status body_of(leman_context *ctx, void *state)
{
    char path[4096];
    return leman_dataset_download(ctx, "Toy", state, path, sizeof path);
}

static void test_allocations_cached(void **state)
{
    scene *s = *state;
    leman_download_options options = options_for(s, NULL);
    options.offline = true;
    test_file_write(s->folder, "Toy.zip", s->small.bytes, s->small.size);
    assert_true(test_fail_each_allocation(body_of, &options) > 1); /* adopts it */
    assert_true(test_fail_each_allocation(body_of, &options) > 1); /* finds it */
    assert_cached(s, &s->small);
}

static void test_allocations_fetched(void **state)
{
    scene *s = *state;
    char url[128];
    test_answer answer = {.code = 200, .body = s->small.bytes, .size = s->small.size, .etag = "\"a\"", .ranges = true};
    test_server server = test_server_start(&answer, 1);
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    leman_download_options options = options_for(s, url);
    options.refresh = true;
    assert_true(test_fail_each_allocation(body_of, &options) > 5);
    test_server_stop(&server);
    assert_cached(s, &s->small);
}

/* ---- Without libcurl ----------------------------------------------------------------------------------------------
 */

static void test_without_library(void **state)
{
    scene *s = *state;
    leman_download_options options = options_for(s, "http://127.0.0.1:1/Toy.zip");
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_UNSUPPORTED);
    assert_says(s, "no libcurl");
    assert_says(s, test_path(s->folder, "Toy.zip"));
    assert_empty(s);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest cache[] = {
        CASE(test_arguments),          CASE(test_offline), CASE(test_offline_bad_file), CASE(test_read_only_cache),
        CASE(test_allocations_cached),
    };
    const struct CMUnitTest network[] = {
        CASE(test_plain),
        CASE(test_http_errors),
        CASE(test_passing_errors),
        CASE(test_nobody_there),
        CASE(test_resume),
        CASE(test_resume_later),
        CASE(test_range_honoured),
        CASE(test_part_was_complete),
        CASE(test_range_ignored),
        CASE(test_changed_meanwhile),
        CASE(test_wrong_ranges),
        CASE(test_damaged_part),
        CASE(test_cancel_keeps_part),
        CASE(test_too_large),
        CASE(test_redirections),
        CASE(test_garbage),
        CASE(test_wrong_statistics),
        CASE(test_changed_in_cache),
        CASE(test_changed_on_server),
        CASE(test_two_at_once),
        CASE(test_stall),
        CASE(test_allocations_fetched),
    };
    const struct CMUnitTest without[] = {CASE(test_without_library)};
    static const char *const proxies[] = {"http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"};
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++) unsetenv(proxies[i]);
    int failed = cmocka_run_group_tests(cache, NULL, NULL);
    if (lm_transfer_available()) return failed + cmocka_run_group_tests(network, NULL, NULL);
    print_message("this build has no libcurl: downloads are not tested\n");
    return failed + cmocka_run_group_tests(without, NULL, NULL);
}
