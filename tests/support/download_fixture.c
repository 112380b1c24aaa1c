#include "support/download_fixture.h"
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>
#include <zip.h>

static void add_member(zip_t *archive, const char *name, char *text)
{
    zip_source_t *source = zip_source_buffer(archive, text, strlen(text), 1); /* freed by libzip */
    assert_non_null(source);
    zip_int64_t index = zip_file_add(archive, name, source, 0);
    assert_true(index >= 0);
    assert_int_equal(zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_STORE, 0), 0);
}

test_blob fixture_read(const char *path)
{
    test_blob whole = {0};
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

test_blob fixture_zip(const char *name, size_t n)
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
    test_blob whole = fixture_read(path);
    test_folder_remove(folder);
    return whole;
}

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
    fixture *s = user;
    strncat(s->log, message, sizeof s->log - strlen(s->log) - 2);
    strcat(s->log, "\n");
}

static bool on_progress(void *user, const leman_progress *progress)
{
    fixture *s = user;
    if (!s->stop_after || !progress->done) return true;
    return --s->stop_after > 0;
}

int fixture_begin(void **state)
{
    static const char *const proxies[] = {"http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"};
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++) unsetenv(proxies[i]);
    fixture *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->small = fixture_zip("Toy", 5);
    s->large = fixture_zip("Toy", 5000);
    s->folder = test_folder_new();
    s->ctx = test_context_new(1);
    s->ctx->settings.log = keep_log;
    s->ctx->settings.progress = on_progress;
    s->ctx->settings.callback_user = s;
    s->descriptors = open_descriptors();
    *state = s;
    return 0;
}

int fixture_end(void **state)
{
    fixture *s = *state;
    assert_int_equal(open_descriptors(), s->descriptors);
    test_context_free(s->ctx);
    test_folder_remove(s->folder);
    free(s->small.bytes);
    free(s->large.bytes);
    free(s);
    return 0;
}

bool fixture_has(const fixture *s, const char *name)
{
    return !access(test_path(s->folder, name), F_OK);
}

void fixture_says(const fixture *s, const char *words)
{
    const char *message = leman_context_message(s->ctx);
    assert_null(strchr(message, '\n'));
    if (!strstr(message, words)) fail_msg("'%s' does not say '%s'", message, words);
}

void fixture_assert_cached(const fixture *s, const test_blob *content)
{
    test_blob now = fixture_read(test_path(s->folder, "Toy.zip"));
    assert_int_equal(now.size, content->size);
    assert_memory_equal(now.bytes, content->bytes, now.size);
    free(now.bytes);
    assert_true(fixture_has(s, "Toy.zip.sha256"));
    assert_false(fixture_has(s, "Toy.zip.part") || fixture_has(s, "Toy.zip.part.origin") ||
                 fixture_has(s, "Toy.zip.lock"));
}

void fixture_assert_empty(const fixture *s)
{
    DIR *folder = opendir(s->folder);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.') fail_msg("%s was left", entry->d_name);
    closedir(folder);
}

leman_download_options fixture_options(const fixture *s, const char *url)
{
    leman_download_options options = leman_download_options_default();
    options.cache = s->folder;
    options.url = url;
    return options;
}

leman_status fixture_download_named(fixture *s, const char *name, const test_answer *answers, size_t count,
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

leman_status fixture_download(fixture *s, const test_answer *answers, size_t count, size_t *requests)
{
    return fixture_download_named(s, "Toy", answers, count, leman_download_options_default(), requests);
}
