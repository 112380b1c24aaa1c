/* Temporary files: created in the folder of an output or in that for temporary files, and unlinked at once. */
#include "base/temporary.h"
#include "base/file.h"
#include "base/system/system.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 24 }; /* bytes of a piece in memory; bytes between two checks for cancellation */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Allocates the name of the folder. */
static leman_status folder_of(leman_context *ctx, const char *beside, char **out)
{
    struct stat about;
    const char *folder = getenv(LM_TEMPORARY_VARIABLE);
    size_t length;
    if (!folder || !*folder) folder = LM_TEMPORARY_FOLDER;
    length = strlen(folder);
    /* files cannot be made in the folder of a device or pipe */
    if (beside && strcmp(beside, "-") && (stat(beside, &about) || S_ISREG(about.st_mode))) {
        const char *base = lm_path_base(beside);
        folder = base == beside ? "." : beside;
        length = base == beside ? 1 : (size_t)(base - beside);
    }
    return lm_copy_text(ctx, folder, length, out);
}

/* For systems that cannot create files without a name: creates a file and unlinks it at once. */
static int open_unlinked(leman_context *ctx, const char *folder)
{
    char path[PATH_MAX], *name;
    const int length = snprintf(path, sizeof path, "%s/leman", folder);
    const int file = lm_create_unused(ctx, path, length < PATH_MAX ? (size_t)length : PATH_MAX - 1, 0600, &name);
    const int error = errno;
    if (name) unlink(name);
    lm_release(name);
    errno = error;
    return file;
}

leman_status lm_temporary_open(leman_context *ctx, const char *beside, uint64_t memory, lm_temporary *out)
{
    AUTO(lm_temporary_close)
    lm_temporary t = {.ctx = ctx, .file = -1, .open = true, .once = PIECE, .memory = memory};
    PASS(folder_of(ctx, beside, &t.folder));
#ifdef O_TMPFILE
    t.file = open(t.folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
#endif
    if (t.file < 0) t.file = open_unlinked(ctx, t.folder);
    if (t.file < 0 && errno == ENOMEM) return lm_refusal(ctx);
    if (t.file < 0) return lm_fail_errno(ctx, errno, "%s: a temporary file cannot be made there", t.folder);
    return HAND_OVER(out, t);
}

void lm_temporary_close(lm_temporary *t)
{
    if (!t->open) return;
    if (t->file >= 0) close(t->file);
    for (size_t i = 0; i < t->piece.count; i++) lm_release(((char **)t->piece.items)[i]);
    lm_vector_release(&t->piece);
    lm_release(t->folder);
    *t = (lm_temporary){0};
}

/* Returns the address of a byte that is in memory, or NULL if it is in the file. *count is reduced to the bytes that
 * follow in the same piece. */
static char *in_memory(const lm_temporary *t, uint64_t place, size_t *count)
{
    const size_t at = place % PIECE;
    if (place / PIECE >= t->piece.count) return NULL;
    *count = smaller(*count, PIECE - at);
    return ((char **)t->piece.items)[place / PIECE] + at;
}

/* Allocates pieces for all bytes before `end`, as far as the limit allows. Bytes that are already in the file stay
 * there. */
static leman_status grow(lm_temporary *t, uint64_t end)
{
    while (t->piece.count * PIECE < end && (t->piece.count + 1) * PIECE <= t->memory) {
        char *piece;
        PASS(lm_vector_reserve(t->ctx, &t->piece, 1, sizeof piece));
        PASS_NEW(t->ctx, piece, PIECE);
        ((char **)t->piece.items)[t->piece.count++] = piece;
    }
    return LEMAN_OK;
}

leman_status lm_temporary_write(lm_temporary *t, uint64_t place, const void *bytes, size_t size)
{
    PASS(grow(t, place + size));
    for (size_t at = 0; at < size;) {
        size_t part = smaller(size - at, t->once - (size_t)((place + at) % t->once));
        char *to = in_memory(t, place + at, &part);
        if (to) memcpy(to, (const char *)bytes + at, part);
        const ssize_t put = to ? (ssize_t)part : pwrite(t->file, (const char *)bytes + at, part, (off_t)(place + at));
        if (put == 0) errno = ENOSPC;
        if (put <= 0 && errno != EINTR && errno != EAGAIN)
            return lm_fail_errno(t->ctx, errno, "%s: a temporary file there cannot be written", t->folder);
        if (put > 0) at += (size_t)put;
        if (at < size) PASS(lm_progress_poll(t->ctx));
    }
    if (place + size > t->size) t->size = place + size;
    return LEMAN_OK;
}

leman_status lm_temporary_append(lm_temporary *t, const void *bytes, size_t size, uint64_t *place)
{
    if (place) *place = t->size;
    return lm_temporary_write(t, t->size, bytes, size);
}

leman_status lm_temporary_read(const lm_temporary *t, uint64_t place, void *to, size_t size)
{
    if (place > t->size || size > t->size - place)
        return lm_fail_errno(t->ctx, EIO, "%s: a temporary file there cannot be read", t->folder);
    for (size_t at = 0; at < size;) {
        size_t part = smaller(size - at, PIECE);
        const char *from = in_memory(t, place + at, &part);
        if (from) memcpy((char *)to + at, from, part);
        const ssize_t got = from ? (ssize_t)part : pread(t->file, (char *)to + at, part, (off_t)(place + at));
        if (got == 0) errno = EIO;
        if (got <= 0 && errno != EINTR && errno != EAGAIN)
            return lm_fail_errno(t->ctx, errno, "%s: a temporary file there cannot be read", t->folder);
        if (got > 0) at += (size_t)got;
        if (at < size) PASS(lm_progress_poll(t->ctx));
    }
    return LEMAN_OK;
}

leman_status lm_temporary_look(const lm_temporary *t, uint64_t place, size_t size, void *buffer, const void **bytes)
{
    size_t together = size;
    const char *at = place + size <= t->size ? in_memory(t, place, &together) : NULL;
    const bool lies = at && together == size;
    *bytes = lies ? at : buffer;
    return lies ? LEMAN_OK : lm_temporary_read(t, place, buffer, size);
}

bool lm_temporary_is_in_memory(const lm_temporary *t)
{
    return t->size <= t->piece.count * PIECE;
}
