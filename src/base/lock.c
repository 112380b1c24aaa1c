/* Locks on files (flock); lock.h has the contracts. */
#include "base/lock.h"
#include "base/context.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/ranks/ranks.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_BASE = 200 /* bytes of a name that are kept in the name of its lock */ };

leman_status lm_lock_descriptor(leman_context *ctx, int file, const char *path, const char *what)
{
    if (!flock(file, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_FILE, "%s: another run is writing this %s", path, what);
}

/* Allocates the name of the lock. A name that is cut off gets a hash, so that different files have different locks. */
static leman_status name_lock(leman_context *ctx, const char *path, char **out)
{
    const char *base = lm_path_base(path);
    const size_t length = strlen(base), kept = length > LONGEST_BASE ? LONGEST_BASE : length;
    const size_t all = (size_t)(base - path) + kept, size = all + sizeof "-0123456789abcdef.lock";
    char *name;
    PASS_NEW(ctx, name, size);
    memcpy(name, path, all);
    if (kept < length)
        snprintf(name + all, size - all, "-%016llx.lock", (unsigned long long)lm_checksum(base, length, 0));
    else
        snprintf(name + all, size - all, ".lock");
    *out = name;
    return LEMAN_OK;
}

/* Returns true if the locked file still has its name. The run that held the lock before may just have removed the
 * file. */
static bool is_current(const lm_lock *lock)
{
    struct stat own, there;
    return !fstat(lock->file, &own) && !stat(lock->path, &there) && own.st_ino == there.st_ino &&
           own.st_dev == there.st_dev;
}

leman_status lm_lock_begin(leman_context *ctx, const char *path, const char *what, lm_lock *lock)
{
    enum { TRIES = 100 };
    leman_status st = LEMAN_OK;
    struct stat about;
    char behind[PATH_MAX];
    *lock = (lm_lock){.ctx = ctx, .file = -1};
    if (!path || !strcmp(path, "-") || lm_rank(ctx)) return LEMAN_OK;
    const bool exists = !stat(path, &about);
    if (exists && !S_ISREG(about.st_mode)) return LEMAN_OK;
    TRY(name_lock(ctx, exists && realpath(path, behind) ? behind : path, &lock->path));
    for (int i = 0; i < TRIES && !lock->held; i++) {
        lock->file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (lock->file < 0) TRY(lm_fail_errno(ctx, errno, "%s: cannot be made", lock->path));
        TRY(lm_lock_descriptor(ctx, lock->file, path, what));
        lock->held = is_current(lock);
        if (!lock->held) close(lock->file);
        if (!lock->held) lock->file = -1;
    }
    if (!lock->held) FAIL(ctx, LEMAN_ERROR_FILE, "%s: another run is writing this %s", path, what);
done:
    if (st) lm_lock_end(lock);
    return st;
}

void lm_lock_end(lm_lock *lock)
{
    if (lock->held) (void)unlink(lock->path);
    if (lock->file >= 0 && lock->ctx) close(lock->file);
    if (lock->ctx) lm_release(lock->path);
    *lock = (lm_lock){.file = -1};
}
