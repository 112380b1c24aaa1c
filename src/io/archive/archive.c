/* Lists and finds members, and reads folders. Zips are read in archive_zip.c. */
#include "io/archive/archive.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- The list of members --------------------------------------------------------------------- */

static bool is_hidden(const char *name)
{
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (*part == '.' || !strcmp(part, "__MACOSX") || !strncmp(part, "__MACOSX/", 9)) return true;
    }
    return false;
}

static void member_free(lm_member *member)
{
    lm_release(member->name);
}

leman_status lm_archive_add(lm_archive *archive, const char *name, uint64_t index, bool folder)
{
    AUTO(member_free) lm_member member = {.index = index, .folder = folder};
    while (name[0] == '.' && name[1] == '/') name += 2;
    if (!*name || is_hidden(name)) return LEMAN_OK;
    PASS(lm_copy_text(archive->ctx, name, strlen(name), &member.name));
    PASS(lm_vector_append(archive->ctx, &archive->members, &member, 1, sizeof member));
    member.name = NULL; /* owned by the list */
    return LEMAN_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const lm_member *)a)->name, ((const lm_member *)b)->name);
}

void lm_archive_sort(lm_archive *archive)
{
    if (archive->members.count) qsort(archive->members.items, archive->members.count, sizeof(lm_member), by_name);
}

leman_status lm_archive_shown(const lm_archive *archive, const char *name, char **out)
{
    size_t length = strlen(archive->shown), size = length + strlen(name) + 2;
    while (length && archive->shown[length - 1] == '/') length--;
    PASS_NEW(archive->ctx, *out, size);
    snprintf(*out, size, "%.*s/%s", (int)length, archive->shown, name);
    return LEMAN_OK;
}

leman_status lm_archive_read(lm_archive *archive, const char *name, lm_bytes *out, bool *found)
{
    const lm_member *member = archive->members.items, *end = member + archive->members.count;
    while (member < end && strcmp(member->name, name) != 0) member++;
    *found = member < end;
    if (!*found) return LEMAN_OK;
    if (member + 1 < end && !strcmp(member[1].name, name))
        return lm_fail(archive->ctx, LEMAN_ERROR_INPUT, "%s: found the member '%s' twice, expected it once",
                       archive->shown, name);
    return archive->read(archive, member, out);
}

/* ---- Folders --------------------------------------------------------------------------------- */

static leman_status read_file(lm_archive *archive, const lm_member *member, lm_bytes *out)
{
    leman_context *ctx = archive->ctx;
    AUTO(lm_release_at) char *path = NULL;
    struct stat about;
    PASS(lm_archive_shown(archive, member->name, &path));
    if (stat(path, &about)) {
        int error = errno;
        bool dangling = error == ENOENT && !lstat(path, &about);
        if (dangling)
            return lm_fail(ctx, LEMAN_ERROR_FILE, "%s: cannot be opened: a link to a file that does not exist", path);
        return lm_fail_errno(ctx, error, "%s: cannot be opened", path);
    }
    if (!S_ISREG(about.st_mode)) /* opening a pipe would block until it has a writer */
        return lm_fail(ctx, LEMAN_ERROR_FILE, "%s: found %s, expected a file", path,
                       S_ISDIR(about.st_mode) ? "a folder" : "a pipe or device");
    return lm_bytes_open(ctx, path, archive->max_bytes, out);
}

leman_status lm_archive_open_folder(leman_context *ctx, const char *path, uint64_t max_bytes, lm_archive *out)
{
    leman_status st = LEMAN_OK;
    lm_archive archive = {.ctx = ctx, .shown = path, .read = read_file, .max_bytes = max_bytes};
    DIR *folder = opendir(path);
    if (!folder) TRY(lm_fail_errno(ctx, errno, "%s: the folder cannot be opened", path));
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry && errno) TRY(lm_fail_errno(ctx, errno, "%s: cannot be read", path));
        if (!entry) break;
        TRY(lm_archive_add(&archive, entry->d_name, 0, false));
    }
    lm_archive_sort(&archive);
    *out = archive;
done:
    if (folder) closedir(folder);
    if (st) lm_archive_close(&archive);
    return st;
}
