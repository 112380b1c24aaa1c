/* Inputs are read into memory, within the budget. Outputs are buffered, written under a temporary name and renamed. */
#include "base/file.h"
#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "base/strings.h"
#include "base/system/system.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUFFER = 1 << 18,
    PIECE = 1 << 22,
    ALIGNMENT = 64,
    LONGEST_BASE = 200 /* bytes of a name that are kept in its temporary name */
};

/* Waits until the descriptor can be read or written. Calls the progress callback every tenth of a second: otherwise a
 * signal that arrives just before the wait would not end it. An error of the descriptor shows when it is used. */
static leman_status wait_for(leman_context *ctx, int file, bool writing)
{
    for (;;) {
        int ready = lm_system_wait(file, writing, 100);
        if (ready > 0 || (ready < 0 && errno != EINTR && errno != EAGAIN)) return LEMAN_OK;
        PASS(lm_progress_poll(ctx));
    }
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static leman_status too_large(leman_context *ctx, const char *path, uint64_t max_bytes)
{
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: larger than the limit of %llu byte%s", path,
                   (unsigned long long)max_bytes, lm_plural(max_bytes));
}

/* Reads up to `size` bytes; *got is 0 only at the end. Returns LEMAN_ERROR_CANCELLED if the caller cancels the wait. */
static leman_status read_some(const lm_input *in, char *to, size_t size, size_t *got)
{
    for (;;) {
        PASS(wait_for(in->ctx, in->file, false));
        ssize_t part = read(in->file, to, size);
        *got = part > 0 ? (size_t)part : 0;
        if (part >= 0) break;
        if (errno != EINTR && errno != EAGAIN) return lm_fail_errno(in->ctx, errno, "%s: cannot be read", in->path);
        PASS(lm_progress_poll(in->ctx));
    }
    return LEMAN_OK;
}

/* Reads an input without a known size (a pipe, a device), as far as the budget allows. */
static leman_status read_stream(const lm_input *in, uint64_t max_bytes, lm_bytes *out)
{
    leman_context *ctx = in->ctx;
    AUTO(lm_vector_release) lm_vector bytes = {0};
    char read[LM_NUMBER_TEXT], budget[LM_BUDGET_TEXT];
    lm_progress_begin(ctx, 0, "reading %s", in->path);
    for (;;) {
        size_t got;
        const leman_status st = lm_vector_reserve(ctx, &bytes, BUFFER, 1);
        if (st == LEMAN_ERROR_BUDGET)
            return lm_fail(ctx, st, "%s: goes on after %s and needs more memory to be read, the memory budget is %s",
                           in->path, lm_bytes_text(bytes.count, read), lm_budget_text(ctx, lm_budget(ctx), budget));
        PASS(st);
        PASS(read_some(in, (char *)bytes.items + bytes.count, bytes.capacity - bytes.count, &got));
        if (!got) break;
        bytes.count += got;
        if (bytes.count > max_bytes) PASS(too_large(ctx, in->path, max_bytes));
        PASS(lm_progress_step(ctx, bytes.count));
    }
    void *fitting = ctx->allocator.reallocate(ctx->allocator.user, bytes.items, bytes.count ? bytes.count : 1);
    if (fitting) bytes.items = fitting;
    *out = (lm_bytes){bytes.items, bytes.count, NULL};
    bytes = (lm_vector){0};
    return LEMAN_OK;
}

/* Reads a file of known size. The file is not mapped: truncating a mapped file kills the process that reads it, and
 * mapped pages count as memory of this process. */
static leman_status read_file(const lm_input *in, lm_bytes *out)
{
    leman_context *ctx = in->ctx;
    const size_t size = (size_t)in->size;
    char needed[LM_NUMBER_TEXT], budget[LM_BUDGET_TEXT];
    size_t all = size > SIZE_MAX - ALIGNMENT ? SIZE_MAX : size + ALIGNMENT, got = 0;
    AUTO(lm_release_at) char *block = lm_alloc(ctx, all, 1);
    char *data = block;
    if (!block && ctx->over_budget)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "%s: to be read it needs %s, the memory budget is %s", in->path,
                       lm_bytes_text(size, needed), lm_budget_text(ctx, lm_budget(ctx), budget));
    if (!block) return lm_refusal(ctx);
    data += (ALIGNMENT - (uintptr_t)data % ALIGNMENT) % ALIGNMENT;
    lm_progress_begin(ctx, size, "reading %s", in->path);
    for (size_t at = 0; at < size; at += got) {
        PASS(read_some(in, data + at, size - at < PIECE ? size - at : PIECE, &got));
        if (!got)
            return lm_fail(ctx, LEMAN_ERROR_FILE,
                           "%s: had %zu byte%s and has %zu now: it was cut off while it was read", in->path, size,
                           lm_plural(size), at);
        PASS(lm_progress_step(ctx, at + got));
    }
    *out = (lm_bytes){data, size, block};
    block = NULL;
    return LEMAN_OK;
}

static leman_status read_whole(leman_context *ctx, const char *path, uint64_t max_bytes, lm_bytes *out)
{
    AUTO(lm_input_close) lm_input in = {0};
    PASS(lm_input_open(ctx, path, &in));
    if (in.regular && in.size > max_bytes) return too_large(ctx, path, max_bytes);
    return in.regular ? read_file(&in, out) : read_stream(&in, max_bytes, out);
}

leman_status lm_bytes_open(leman_context *ctx, const char *path, uint64_t max_bytes, lm_bytes *out)
{
    leman_status st = LEMAN_OK;
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    void *data;
    if (strcmp(path, "-") || !lm_has_ranks(ctx)) return read_whole(ctx, path, max_bytes, out);
    lm_ranks_begin(ctx); /* only rank 0 has standard input */
    if (!lm_rank(ctx)) TRY(read_whole(ctx, path, max_bytes, &bytes));
    data = (void *)(uintptr_t)bytes.data;
    TRY(lm_ranks_broadcast(ctx, &data, &bytes.size));
    bytes.data = data;
done:
    PASS(lm_ranks_end(ctx, st));
    return HAND_OVER(out, bytes);
}

void lm_bytes_close(lm_bytes *bytes)
{
    lm_release(bytes->block ? bytes->block : (void *)(uintptr_t)bytes->data);
    *bytes = (lm_bytes){0};
}

leman_status lm_input_open(leman_context *ctx, const char *path, lm_input *out)
{
    struct stat about;
    const bool standard = !strcmp(path, "-");
    AUTO(lm_input_close)
    lm_input in = {.ctx = ctx, .path = path, .file = standard ? STDIN_FILENO : -1, .open = true, .standard = standard};
    while (in.file < 0 && (in.file = open(path, O_RDONLY | O_CLOEXEC)) < 0 && errno == EINTR)
        PASS(lm_progress_poll(ctx));
    if (in.file < 0) return lm_fail_errno(ctx, errno, "%s: cannot be opened", path);
    if (fstat(in.file, &about)) return lm_fail_errno(ctx, errno, "%s: cannot be read", path);
    if (S_ISDIR(about.st_mode)) return lm_fail(ctx, LEMAN_ERROR_FILE, "%s: is a folder, expected a file", path);
    if (standard) in.path = "standard input";
    in.regular = S_ISREG(about.st_mode) && about.st_size > 0 && lseek(in.file, 0, SEEK_CUR) == 0;
    if (standard && lm_has_ranks(ctx)) in.regular = false; /* rank 0 reads it for all ranks */
    in.size = in.regular ? (uint64_t)about.st_size : 0;
    return HAND_OVER(out, in);
}

static leman_status read_input(lm_input *in, void *to, size_t size, size_t *got)
{
    *got = 0;
    for (size_t part = 1; part && *got < size; *got += part)
        PASS(read_some(in, (char *)to + *got, size - *got < PIECE ? size - *got : PIECE, &part));
    return LEMAN_OK;
}

leman_status lm_input_read(lm_input *in, void *to, size_t size, size_t *got)
{
    leman_status st = LEMAN_OK;
    void *bytes = to;
    if (!in->standard || !lm_has_ranks(in->ctx)) return read_input(in, to, size, got);
    lm_ranks_begin(in->ctx); /* only rank 0 has standard input */
    *got = 0;
    if (!lm_rank(in->ctx)) TRY(read_input(in, to, size, got));
    TRY(lm_ranks_broadcast(in->ctx, &bytes, got));
    if (bytes != to && *got) memcpy(to, bytes, *got);
done:
    if (bytes != to) lm_release(bytes);
    return lm_ranks_end(in->ctx, st);
}

leman_status lm_input_read_at(const lm_input *in, uint64_t place, void *to, size_t size)
{
    for (size_t at = 0; at < size;) {
        const size_t part = size - at < PIECE ? size - at : PIECE;
        const ssize_t got = pread(in->file, (char *)to + at, part, (off_t)(place + at));
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return lm_fail_errno(in->ctx, errno, "%s: cannot be read", in->path);
        if (got == 0)
            return lm_fail(in->ctx, LEMAN_ERROR_FILE,
                           "%s: had %llu bytes and has fewer now: it was cut off while it was read", in->path,
                           (unsigned long long)in->size);
        if (got > 0) at += (size_t)got;
        if (at < size) PASS(lm_progress_poll(in->ctx));
    }
    return LEMAN_OK;
}

void lm_input_close(lm_input *in)
{
    if (in->open && in->file >= 0 && !in->standard) close(in->file);
    *in = (lm_input){0};
}

leman_status lm_bytes_visit(leman_context *ctx, const char *path, lm_visitor *visit, void *user)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_input_close) lm_input in = {0};
    size_t got;
    char *buffer;
    PASS(lm_input_open(ctx, path, &in));
    PASS_SCRATCH(ctx, buffer, BUFFER);
    lm_progress_begin(ctx, in.size, "reading %s", lm_path_base(path));
    for (uint64_t at = 0;; at += got) {
        PASS(lm_progress_step(ctx, at));
        PASS(lm_input_read(&in, buffer, BUFFER, &got));
        if (!got) return LEMAN_OK;
        PASS(visit(user, buffer, got));
    }
}

/* ---- Outputs --------------------------------------------------------------------------------- */

static leman_status cannot_write(lm_output *out)
{
    if (out->error == EINTR) return lm_fail(out->ctx, LEMAN_ERROR_CANCELLED, "%s: writing was stopped", out->path);
    leman_status status = lm_fail_errno(out->ctx, out->error, "%s: cannot be written", out->path);
    return out->error == ENOMEM ? LEMAN_ERROR_MEMORY : status;
}

int lm_create_unused(leman_context *ctx, const char *path, size_t length, mode_t mode, char **name)
{
    const size_t size = length + sizeof ".tmp-0123456789abcdef";
    int file = -1;
    char *unused = lm_alloc(ctx, size, 1);
    errno = EEXIST;
    for (uint64_t try = 0; unused && file < 0 && errno == EEXIST && try < 100; try++) {
        uint64_t hash = lm_mix((uint64_t)getpid() ^ (uint64_t)(uintptr_t)name ^ (uint64_t)(lm_now() * 1e9) << 8 ^ try);
        memcpy(unused, path, length);
        snprintf(unused + length, size - length, ".tmp-%016llx", (unsigned long long)hash);
        file = S_ISDIR(mode) ? mkdir(unused, mode & 07777) : open(unused, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    const int error = unused ? errno : ENOMEM;
    *name = file < 0 ? NULL : unused;
    if (file < 0) lm_release(unused);
    errno = error;
    return file;
}

/* The sink of ranks above 0. */
static int throw_away(void *user, const char *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return 0;
}

leman_status lm_output_open(leman_context *ctx, const char *path, lm_output *opened)
{
    if (lm_rank(ctx)) return lm_output_open_sink(ctx, path, throw_away, NULL, opened);
    AUTO(lm_output_abort) lm_output made = {0};
    lm_output *out = &made;
    struct stat about = {0};
    char behind[PATH_MAX];
    bool standard = !strcmp(path, "-"), exists = !standard && !stat(path, &about);
    bool regular = exists && S_ISREG(about.st_mode);
    if (regular && realpath(path, behind)) path = behind; /* replaces the file that a link points to, not the link */
    const char *shown = standard ? "standard output" : path;
    PASS(lm_output_open_sink(ctx, shown, NULL, NULL, out));
    out->standard = standard;
    out->direct = standard || (exists && !regular);
    if (exists && S_ISDIR(about.st_mode)) {
        out->error = EISDIR;
    } else if (regular && access(path, W_OK)) {
        out->error = errno; /* a rename would replace a read-only file */
    } else if (standard) {
        out->file = STDOUT_FILENO;
    } else if (out->direct) {
        out->file = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        const char *base = lm_path_base(path);
        const size_t length = (size_t)(base - path) + strnlen(base, LONGEST_BASE);
        out->file = lm_create_unused(ctx, path, length, 0666, &out->temporary);
        if (out->file >= 0 && exists && fchmod(out->file, about.st_mode & 07777)) out->error = errno;
    }
    if (out->file < 0 && !out->error) out->error = errno;
    if (out->error) return cannot_write(out);
    return HAND_OVER(opened, made);
}

leman_status lm_output_check(leman_context *ctx, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    struct stat about;
    if (!path || !strcmp(path, "-")) return LEMAN_OK;
    if (!stat(path, &about) && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return LEMAN_OK; /* opening and closing a pipe would end it for its reader */
    return lm_output_open(ctx, path, &out);
}

leman_status lm_output_open_sink(leman_context *ctx, const char *path, lm_sink *sink, void *user, lm_output *out)
{
    AUTO(lm_output_abort)
    lm_output made = {.ctx = ctx, .file = -1, .sink = sink, .user = user, .open = true, .direct = true};
    PASS(lm_copy_text(ctx, path, strlen(path), &made.path));
    PASS_NEW(ctx, made.buffer, BUFFER);
    return HAND_OVER(out, made);
}

typedef struct memory {
    leman_context *ctx;
    lm_vector *bytes;
    leman_status st;
} memory;

static int append_bytes(void *user, const char *bytes, size_t size)
{
    memory *m = user;
    m->st = lm_vector_append(m->ctx, m->bytes, bytes, size, 1);
    return m->st ? ENOMEM : 0;
}

leman_status lm_output_in_memory(leman_context *ctx, const char *path, lm_writer *write, void *user, lm_vector *bytes)
{
    memory m = {.ctx = ctx, .bytes = bytes};
    AUTO(lm_output_abort) lm_output out = {0};
    PASS(lm_output_open_sink(ctx, path, append_bytes, &m, &out));
    leman_status st = write(ctx, user, &out);
    if (!st) st = lm_output_commit(&out);
    return m.st ? m.st : st;
}

void lm_output_flush(lm_output *out)
{
    size_t at = 0;
    if (out->sink && out->used && !out->error) {
        out->error = out->sink(out->user, out->buffer, out->used);
        at = out->used;
    }
    if (at < out->used && !out->error && /* before waiting for a pipe, and during long writes */
        (out->direct ? lm_progress_poll(out->ctx) : lm_progress_step(out->ctx, out->ctx->progress.done)))
        out->error = EINTR;
    while (at < out->used && !out->error) {
        size_t part = out->used - at;
        if (out->direct && part > PIPE_BUF) part = PIPE_BUF; /* a ready pipe takes this many bytes without blocking */
        if (out->direct && wait_for(out->ctx, out->file, true)) out->error = EINTR;
        if (out->error) break;
        ssize_t put = write(out->file, out->buffer + at, part);
        if (put < 0 && errno != EINTR && errno != EAGAIN) out->error = errno;
        if (put < 0 && !out->error && lm_progress_poll(out->ctx)) out->error = EINTR;
        if (put == 0) out->error = ENOSPC; /* no progress and no errno: do not try for ever */
        if (put > 0) at += (size_t)put;
    }
    out->used = 0;
}

/* Returns 0, or the errno of a failure. */
static int write_piece(int file, const char *from, size_t size, off_t place)
{
    for (size_t at = 0; at < size;) {
        ssize_t put = pwrite(file, from + at, size - at, place + (off_t)at);
        if (put < 0 && errno != EINTR && errno != EAGAIN) return errno;
        if (put == 0) return ENOSPC;
        if (put > 0) at += (size_t)put;
    }
    return 0;
}

/* Writes all bytes at the current offset of the file, from several threads, because copying into the page cache is
 * work. */
static void write_pieces(lm_output *out, const char *from, size_t size)
{
    int threads = out->ctx->settings.threads, worst = 0;
    off_t place = lseek(out->file, 0, SEEK_CUR);
    if (place < 0) worst = errno;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1) reduction(max : worst)
    for (size_t at = 0; at < size; at += PIECE) {
        int error =
            place < 0 ? 0 : write_piece(out->file, from + at, size - at < PIECE ? size - at : PIECE, place + (off_t)at);
        if (error > worst) worst = error;
    }
    if (!worst && lseek(out->file, place + (off_t)size, SEEK_SET) < 0) worst = errno;
    if (!worst && lm_progress_poll(out->ctx)) worst = EINTR;
    out->error = worst;
}

bool lm_output_begin_places(lm_output *out, uint64_t *place)
{
    lm_output_flush(out);
    const off_t at = out->temporary && !out->error ? lseek(out->file, 0, SEEK_CUR) : -1;
    *place = (uint64_t)at;
    return at >= 0;
}

leman_status lm_output_write_at(leman_context *ctx, const lm_output *out, uint64_t place, const void *bytes,
                                size_t size)
{
    const int error = write_piece(out->file, bytes, size, (off_t)place);
    return error ? lm_fail_errno(ctx, error, "%s: cannot be written", out->path) : LEMAN_OK;
}

leman_status lm_output_end_places(lm_output *out, uint64_t place)
{
    if (lseek(out->file, (off_t)place, SEEK_SET) < 0) out->error = errno;
    return out->error ? cannot_write(out) : LEMAN_OK;
}

leman_status lm_output_status(lm_output *out)
{
    if (!out->error) return LEMAN_OK;
    if (!out->refused) out->refused = cannot_write(out); /* set once: callers may continue to write */
    return out->refused;
}

leman_status lm_output_write(lm_output *out, const void *bytes, size_t size)
{
    const char *from = bytes;
    if (out->error) return lm_output_status(out);
    if (size >= PIECE && out->temporary) { /* a plain file under its temporary name */
        lm_output_flush(out);
        if (!out->error) write_pieces(out, from, size);
        size = 0;
    }
    while (size && !out->error) {
        size_t part = BUFFER - out->used < size ? BUFFER - out->used : size;
        memcpy(out->buffer + out->used, from, part);
        out->used += part;
        from += part;
        size -= part;
        if (out->used == BUFFER) lm_output_flush(out);
    }
    return lm_output_status(out);
}

char *lm_output_room(lm_output *out, size_t size)
{
    if (BUFFER - out->used < size) lm_output_flush(out);
    return out->error ? NULL : out->buffer + out->used;
}

static void release(lm_output *out)
{
    RELEASE(out->buffer, out->path, out->temporary);
    *out = (lm_output){0};
}

/* Renames the finished file. Returns 0, or the errno of a failure. If `fresh` is set, the name must be new: a file that
 * another process has created meanwhile is not changed, and of several processes that do this at once only one
 * succeeds. */
static int give_name(const lm_output *out, bool fresh)
{
    if (!fresh) return rename(out->temporary, out->path) ? errno : 0;
    if (!link(out->temporary, out->path)) {
        unlink(out->temporary);
        return 0;
    }
    const bool without_links = errno == EPERM || errno == ENOSYS || errno == EOPNOTSUPP || errno == EMLINK;
    if (!without_links) return errno;
    if (!access(out->path, F_OK)) return EEXIST;
    return rename(out->temporary, out->path) ? errno : 0;
}

static leman_status commit(lm_output *out, bool fresh)
{
    leman_status st = LEMAN_OK;
    lm_output_flush(out);
    if (out->file >= 0 && !out->standard) {
        if (close(out->file) && !out->error) out->error = errno;
        out->file = -1;
    }
    if (!out->error && out->temporary) out->error = give_name(out, fresh);
    if (fresh && out->error == EEXIST)
        st = lm_fail(
            out->ctx, LEMAN_ERROR_FILE,
            "%s: found a file that another run has made meanwhile, expected none; run it again to use that file",
            out->path);
    else if (out->error)
        st = cannot_write(out);
    if (st)
        lm_output_abort(out);
    else
        release(out);
    return st;
}

leman_status lm_output_commit(lm_output *out)
{
    return commit(out, false);
}

leman_status lm_output_commit_new(lm_output *out)
{
    return commit(out, true);
}

void lm_output_abort(lm_output *out)
{
    if (!out->open) return;
    if (out->file >= 0 && !out->standard) close(out->file);
    if (out->temporary) unlink(out->temporary);
    release(out);
}
