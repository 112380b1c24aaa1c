/* Temporary files: created in the folder of an output or in that for temporary files, and unlinked at once. */
#include "base/temporary.h"
#include "base/file.h"
#include "base/hash.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PIECE = 1 << 24, /* bytes of a piece in memory; bytes between two checks for cancellation */
    AROUND = 1 << 16 /* bytes that Linux maps around an address of a file, or a page if that is larger */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Allocates the name of the folder. */
static leman_status folder_of(leman_context *ctx, const char *beside, char **out)
{
    leman_status st = LEMAN_OK;
    struct stat about;
    const char *folder = getenv("TMPDIR");
    size_t length;
    if (!folder || !*folder) folder = "/tmp";
    length = strlen(folder);
    /* files cannot be made in the folder of a device or pipe */
    if (beside && strcmp(beside, "-") && (stat(beside, &about) || S_ISREG(about.st_mode))) {
        const char *base = lm_path_base(beside);
        folder = base == beside ? "." : beside;
        length = base == beside ? 1 : (size_t)(base - beside);
    }
    NEW(ctx, *out, length + 1);
    memcpy(*out, folder, length);
    (*out)[length] = 0;
done:
    return st;
}

/* For systems that cannot create files without a name: creates a file and unlinks it at once. */
static int open_unlinked(leman_context *ctx, const char *folder, const lm_temporary *t)
{
    const size_t size = strlen(folder) + sizeof "/leman.tmp-0123456789abcdef";
    char *path = lm_alloc(ctx, size, 1);
    int file = -1;
    if (!path) return -1;
    for (uint64_t try = 0; file < 0 && try < 100; try++) {
        const uint64_t name =
            lm_mix((uint64_t)getpid() ^ (uint64_t)(uintptr_t)t ^ (uint64_t)(lm_now() * 1e9) << 8 ^ try);
        snprintf(path, size, "%s/leman.tmp-%016llx", folder, (unsigned long long)name);
        file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file >= 0)
            unlink(path);
        else if (errno != EEXIST)
            break;
    }
    const int error = errno;
    lm_free(ctx, path);
    errno = error;
    return file;
}

leman_status lm_temporary_open(leman_context *ctx, const char *beside, uint64_t memory, lm_temporary *t)
{
    leman_status st = LEMAN_OK;
    *t = (lm_temporary){.ctx = ctx, .file = -1, .open = true, .once = PIECE, .memory = memory};
    TRY(folder_of(ctx, beside, &t->folder));
#ifdef O_TMPFILE
    t->file = open(t->folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
#endif
    if (t->file < 0) t->file = open_unlinked(ctx, t->folder, t);
    if (t->file < 0) TRY(lm_fail_errno(ctx, errno, "%s: a temporary file cannot be made there", t->folder));
done:
    if (st) lm_temporary_close(t);
    return st;
}

void lm_temporary_close(lm_temporary *t)
{
    if (!t->open) return;
    if (t->file >= 0) close(t->file);
    for (size_t i = 0; i < t->piece.count; i++) lm_free(t->ctx, ((char **)t->piece.items)[i]);
    lm_vector_free(t->ctx, &t->piece);
    lm_free(t->ctx, t->folder);
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
    leman_status st = LEMAN_OK;
    while (t->piece.count * PIECE < end && (t->piece.count + 1) * PIECE <= t->memory) {
        char *piece;
        TRY(lm_vector_reserve(t->ctx, &t->piece, 1, sizeof piece));
        NEW(t->ctx, piece, PIECE);
        ((char **)t->piece.items)[t->piece.count++] = piece;
    }
done:
    return st;
}

leman_status lm_temporary_write(lm_temporary *t, uint64_t place, const void *bytes, size_t size)
{
    leman_status st = LEMAN_OK;
    TRY(grow(t, place + size));
    for (size_t at = 0; at < size;) {
        size_t part = smaller(size - at, t->once - (size_t)((place + at) % t->once));
        char *to = in_memory(t, place + at, &part);
        if (to) memcpy(to, (const char *)bytes + at, part);
        const ssize_t put = to ? (ssize_t)part : pwrite(t->file, (const char *)bytes + at, part, (off_t)(place + at));
        if (put == 0) errno = ENOSPC;
        if (put <= 0 && errno != EINTR && errno != EAGAIN)
            TRY(lm_fail_errno(t->ctx, errno, "%s: a temporary file there cannot be written", t->folder));
        if (put > 0) at += (size_t)put;
        if (at < size) TRY(lm_progress_poll(t->ctx));
    }
    if (place + size > t->size) t->size = place + size;
done:
    return st;
}

leman_status lm_temporary_append(lm_temporary *t, const void *bytes, size_t size, uint64_t *place)
{
    if (place) *place = t->size;
    return lm_temporary_write(t, t->size, bytes, size);
}

leman_status lm_temporary_read(const lm_temporary *t, uint64_t place, void *to, size_t size)
{
    leman_status st = LEMAN_OK;
    if (place > t->size || size > t->size - place)
        TRY(lm_fail_errno(t->ctx, EIO, "%s: a temporary file there cannot be read", t->folder));
    for (size_t at = 0; at < size;) {
        size_t part = smaller(size - at, PIECE);
        const char *from = in_memory(t, place + at, &part);
        if (from) memcpy((char *)to + at, from, part);
        const ssize_t got = from ? (ssize_t)part : pread(t->file, (char *)to + at, part, (off_t)(place + at));
        if (got == 0) errno = EIO;
        if (got <= 0 && errno != EINTR && errno != EAGAIN)
            TRY(lm_fail_errno(t->ctx, errno, "%s: a temporary file there cannot be read", t->folder));
        if (got > 0) at += (size_t)got;
        if (at < size) TRY(lm_progress_poll(t->ctx));
    }
done:
    return st;
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

/* ---- Arrays ---------------------------------------------------------------------------------- */

size_t lm_mapped_window(const leman_context *ctx)
{
    const size_t most = (size_t)1 << 23, least = (size_t)1 << 18, part = lm_budget(ctx) / 64;
    return part > most ? most : part < least ? least : part;
}

leman_status lm_mapped_open(leman_context *ctx, size_t window, lm_mapped **out)
{
    leman_status st = LEMAN_OK;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    lm_mapped *m = NULL;
    NEW(ctx, m, 1);
    *m = (lm_mapped){.block = page > AROUND ? page : AROUND};
    if (!lm_meter_take(ctx->meter, window)) TRY(lm_refuse_bytes(ctx, window));
    m->window = window;
    TRY(lm_temporary_open(ctx, NULL, 0, &m->file));
    m->file.once = m->block;
    *out = m;
    m = NULL;
done:
    lm_mapped_free(ctx, m);
    return st;
}

/* Maps the file at an address that is a multiple of `block`. */
static void *map_aligned(const lm_mapped *m)
{
    const size_t more = m->size + m->block;
    /* cppcheck-suppress invalidFunctionArg ; mmap() without a file */
    char *all = mmap(NULL, more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return NULL;
    const size_t before = (m->block - (uintptr_t)all % m->block) % m->block;
    void *address = mmap(all + before, m->size, PROT_READ, MAP_SHARED | MAP_FIXED, m->file.file, 0);
    const int error = errno;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), end = before + (m->size + page - 1) / page * page;
    if (address == MAP_FAILED || before) munmap(all, address == MAP_FAILED ? more : before);
    if (address != MAP_FAILED && end < more) munmap(all + end, more - end);
    errno = error;
    /* cppcheck-suppress memleak ; the caller has it */
    return address == MAP_FAILED ? NULL : address;
}

/* Linux maps a whole folio of its page cache at the first access. A folio has the size of a single write, or 2 MiB and
 * more unless large pages are declined. */
leman_status lm_mapped_finish(lm_mapped *m)
{
    leman_status st = LEMAN_OK;
    m->size = (size_t)m->file.size;
    if (!m->size) goto done;
    void *address = map_aligned(m);
    if (!address) TRY(lm_fail_errno(m->file.ctx, errno, "%s: a temporary file there cannot be mapped", m->file.folder));
    m->address = address;
#ifdef MADV_NOHUGEPAGE
    madvise(address, m->size, MADV_NOHUGEPAGE);
#endif
    const size_t blocks = (m->size + m->block - 1) / m->block;
    NEW(m->file.ctx, m->resident, blocks / 64 + 1);
    m->words = blocks / 64 + 1;
    for (size_t i = 0; i < m->words; i++) atomic_init(&m->resident[i], 0);
done:
    return st;
}

/* Clears the marks first: a block that another thread accesses meanwhile is marked again if it is not resident. */
void lm_mapped_give_back(lm_mapped *m)
{
    atomic_store(&m->bytes, 0);
    for (size_t i = 0; i < m->words; i++) atomic_store_explicit(&m->resident[i], 0, memory_order_relaxed);
    if (m->address) madvise((void *)(uintptr_t)m->address, m->size, MADV_DONTNEED);
}

void lm_mapped_mark(lm_mapped *m, size_t block)
{
    const uint64_t bit = UINT64_C(1) << block % 64;
    if (atomic_load(&m->bytes) + m->block > m->window) lm_mapped_give_back(m);
    if (!(atomic_fetch_or(&m->resident[block / 64], bit) & bit)) atomic_fetch_add(&m->bytes, m->block);
}

void lm_mapped_free(leman_context *ctx, lm_mapped *m)
{
    if (!m) return;
    if (m->address) munmap((void *)(uintptr_t)m->address, m->size);
    lm_meter_give(ctx->meter, m->window);
    lm_temporary_close(&m->file);
    lm_free(ctx, (void *)(uintptr_t)m->resident);
    lm_free(ctx, m);
}
