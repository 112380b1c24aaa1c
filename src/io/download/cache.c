/* The folder of downloaded files, and how several processes share it. */
#include "io/download/cache.h"
#include "base/context.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME_LIMIT = 200 }; /* leaves 55 of the 255 bytes of a file name for our endings */

/* ---- Names and paths ------------------------------------------------------------------------- */

leman_status lm_cache_name_check(leman_context *ctx, const char *name)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+.";
    size_t length = strlen(name);
    if (!length || length > NAME_LIMIT || name[0] == '.' || strspn(name, allowed) != length)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "data set name: found '%.*s', expected 1 to %d letters, digits and - _ + . with no dot in front",
                       NAME_LIMIT, name, NAME_LIMIT);
    if (length > 4 && !strcmp(name + length - 4, ".zip"))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "data set name: found '%s', expected it without .zip", name);
    return LEMAN_OK;
}

/* Sets *out to both texts, one behind the other, in the scratch arena. */
static leman_status join_texts(leman_context *ctx, const char **out, const char *first, const char *second)
{
    char *made = NULL;
    PASS_SCRATCH(ctx, made, strlen(first) + strlen(second) + 1);
    *out = strcat(strcpy(made, first), second);
    return LEMAN_OK;
}

static const char *setting(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value ? value : NULL;
}

static leman_status choose_folder(leman_context *ctx, const char *given, const char **out)
{
    const char *own = setting("LEMAN_CACHE"), *shared = setting("XDG_CACHE_HOME"), *home = setting("HOME");
    if (given && *given) return join_texts(ctx, out, given, "");
    if (own) return join_texts(ctx, out, own, "");
    if (shared && *shared == '/') return join_texts(ctx, out, shared, "/leman"); /* XDG: ignore relative paths */
    if (home) return join_texts(ctx, out, home, "/.cache/leman");
    return lm_fail(ctx, LEMAN_ERROR_FILE, "no folder to keep downloads in: set LEMAN_CACHE or HOME, or name one");
}

leman_status lm_cache_place(leman_context *ctx, const char *name, const char *folder, lm_cache_entry *out)
{
    lm_cache_entry place = {0};
    PASS(choose_folder(ctx, folder, &place.folder));
    PASS(join_texts(ctx, &place.zip, place.folder, "/"));
    PASS(join_texts(ctx, &place.zip, place.zip, name));
    PASS(join_texts(ctx, &place.zip, place.zip, ".zip"));
    PASS(join_texts(ctx, &place.sum, place.zip, ".sha256"));
    PASS(join_texts(ctx, &place.part, place.zip, ".part"));
    PASS(join_texts(ctx, &place.origin, place.part, ".origin"));
    PASS(join_texts(ctx, &place.lock, place.zip, ".lock"));
    place.file = place.zip + strlen(place.folder) + 1;
    *out = place;
    return LEMAN_OK;
}

leman_status lm_cache_make(leman_context *ctx, const lm_cache_entry *place)
{
    SCRATCH_SCOPE(ctx);
    struct stat about;
    char *path = NULL;
    size_t length = strlen(place->folder);
    PASS_SCRATCH(ctx, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (i < length && place->folder[i] != '/') continue;
        memcpy(path, place->folder, i);
        path[i] = 0;
        if (mkdir(path, 0755) && errno != EEXIST && errno != EACCES && errno != EROFS)
            return lm_fail_errno(ctx, errno, "%s: cannot be made", path);
        int error = errno;
        if (stat(path, &about)) return lm_fail_errno(ctx, error, "%s: cannot be made", path);
        if (!S_ISDIR(about.st_mode)) return lm_fail(ctx, LEMAN_ERROR_FILE, "%s: is not a folder", path);
    }
    return LEMAN_OK;
}

/* ---- The lock -------------------------------------------------------------------------------- */

leman_status lm_cache_wait(leman_context *ctx)
{
    const struct timespec twentieth = {0, 50 * 1000 * 1000};
    nanosleep(&twentieth, NULL);
    return lm_progress_step(ctx, 0);
}

/* The owner removes the lock file before it releases the lock. A process that waited may therefore hold the lock of a
 * removed file. */
static bool still_named(int lock, const char *path)
{
    struct stat held, named;
    return !fstat(lock, &held) && !stat(path, &named) && held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

leman_status lm_cache_lock(leman_context *ctx, const lm_cache_entry *place, int *lock)
{
    leman_status st = LEMAN_OK;
    int file = -1;
    bool waited = false;
    for (;;) {
        file = open(place->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0) TRY(lm_fail_errno(ctx, errno, "%s: cannot be opened", place->lock));
        while (flock(file, LOCK_EX | LOCK_NB)) {
            if (errno != EWOULDBLOCK && errno != EINTR)
                TRY(lm_fail_errno(ctx, errno, "%s: cannot be locked", place->lock));
            if (!waited) {
                lm_log(ctx, "%s: waiting for another process that works on it", place->zip);
                lm_progress_begin(ctx, 0, "waiting for %s", place->file);
                waited = true;
            }
            TRY(lm_cache_wait(ctx));
        }
        if (still_named(file, place->lock)) break;
        close(file);
    }
    *lock = file;
done:
    if (st && file >= 0) close(file);
    return st;
}

void lm_cache_unlock(const lm_cache_entry *place, int lock)
{
    if (lock < 0) return;
    unlink(place->lock);
    close(lock);
}
