/*
 * Reads zips through libzip, from memory, since the bytes may come from a pipe. A zip is not trusted:
 *
 *   - before memory is allocated, the declared size of a member is checked against the rest of max_bytes, against
 *     the 1032 bytes that one byte of deflate can produce at most, and against the memory budget;
 *   - no more than the declared size is decompressed, plus one byte to detect a declared size that is too small;
 *   - a large total of more than 50 times the zip is taken for a zip bomb: TU text compresses 3 to 10 times;
 *   - the file must end where its end record says that the zip ends: no check covers bytes behind it.
 */
#include "base/text.h"
#include "io/archive/archive.h"
#include <string.h>
#include <zip.h>
#include <zlib.h>

static const uint64_t DEFLATE_FACTOR = 1032, DEFLATE_SLACK = 1024;
static const uint64_t BOMB_FACTOR = 50, BOMB_BYTES = UINT64_C(256) << 20;
enum { STEP = 1 << 20 };

/* Returns true if the path leaves the folder to which it is extracted. */
static bool leaves_folder(const char *name)
{
    bool drive = ((name[0] | 0x20) >= 'a' && (name[0] | 0x20) <= 'z') && name[1] == ':';
    if (*name == '/' || drive) return true;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (part[0] == '.' && part[1] == '.' && (!part[2] || part[2] == '/')) return true;
    }
    return false;
}

static leman_status list_members(lm_archive *archive)
{
    AUTO(lm_release_at) char *copy = NULL;
    zip_int64_t count = zip_get_num_entries(archive->zip, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        const char *name = zip_get_name(archive->zip, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
        if (!name)
            return lm_fail(archive->ctx, LEMAN_ERROR_INPUT, "%s: member %lld has no name", archive->shown, i + 1ll);
        PASS(lm_copy_text(archive->ctx, name, strlen(name), &copy));
        for (char *p = copy; (p = strchr(p, '\\'));) *p = '/'; /* written by some programs on Windows */
        if (leaves_folder(copy))
            return lm_fail(archive->ctx, LEMAN_ERROR_INPUT,
                           "%s: found the member '%.200s', which climbs out of the archive, expected a path inside it",
                           archive->shown, name);
        size_t length = strlen(copy);
        bool folder = length && copy[length - 1] == '/';
        if (folder) copy[length - 1] = 0;
        PASS(lm_archive_add(archive, copy, (uint64_t)i, folder));
        lm_release(copy);
        copy = NULL;
    }
    lm_archive_sort(archive);
    return LEMAN_OK;
}

/* ---- One member ------------------------------------------------------------------------------ */

typedef struct entry {
    leman_context *ctx;
    const char *shown;
    zip_stat_t about;
    zip_file_t *file;
} entry;

/* Checks that the directory's description of a member is possible, and the member small enough. */
static leman_status check_entry(const lm_archive *archive, const entry *e)
{
    leman_context *ctx = archive->ctx;
    const zip_stat_t *about = &e->about;
    char bytes[LM_NUMBER_TEXT], budget[LM_BUDGET_TEXT];
    const zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((about->valid & needed) != needed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: the zip does not say how large it is", e->shown);
    if (about->encryption_method != ZIP_EM_NONE)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found an encrypted member, expected one that can be read",
                       e->shown);
    bool stored = about->comp_method == ZIP_CM_STORE;
    if (!stored && about->comp_method != ZIP_CM_DEFLATE)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found compression method %u, expected stored or deflated", e->shown,
                       about->comp_method);
    unsigned long long size = about->size, compressed = about->comp_size;
    uint64_t possible =
        stored ? compressed : lm_saturating_add(lm_saturating_multiply(compressed, DEFLATE_FACTOR), DEFLATE_SLACK);
    if (compressed > archive->compressed || size > possible)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: the zip is damaged: it says %llu byte%s from %llu, which cannot be in a zip of %llu",
                       e->shown, size, lm_plural(size), compressed, (unsigned long long)archive->compressed);
    if (size > archive->max_bytes - archive->decompressed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: would decompress to %llu byte%s, more than the %llu left of the limit of %llu", e->shown,
                       size, lm_plural(size), (unsigned long long)(archive->max_bytes - archive->decompressed),
                       (unsigned long long)archive->max_bytes);
    uint64_t total = archive->decompressed + size;
    if (total > BOMB_BYTES && total / BOMB_FACTOR > archive->compressed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: would decompress to %llu byte%s from a zip of %llu, found more than %llu times its size, "
                       "expected text "
                       "of graphs",
                       e->shown, (unsigned long long)total, lm_plural(total), (unsigned long long)archive->compressed,
                       (unsigned long long)BOMB_FACTOR);
    if (size > lm_budget(ctx))
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "%s: to be unpacked it needs %s, the memory budget is %s", e->shown,
                       lm_bytes_text(size, bytes), lm_budget_text(ctx, lm_budget(ctx), budget));
    return LEMAN_OK;
}

static leman_status damaged(const entry *e, const char *why)
{
    return lm_fail(e->ctx, LEMAN_ERROR_INPUT, "%s: the zip is damaged: %s", e->shown, why);
}

static bool is_memory_short(const zip_error_t *error)
{
    const int code = zip_error_code_zip(error);
    return code == ZIP_ER_MEMORY || (code == ZIP_ER_ZLIB && zip_error_code_system(error) == Z_MEM_ERROR);
}

static leman_status failed(const entry *e, zip_error_t *error)
{
    if (!is_memory_short(error)) return damaged(e, zip_error_strerror(error));
    return lm_fail(e->ctx, LEMAN_ERROR_MEMORY, "%s: out of memory for decompression", e->shown);
}

/* Decompresses exactly the declared number of bytes, in steps. The end, where libzip compares the checksum, must follow
 * directly. */
static leman_status decompress(const entry *e, char *buffer)
{
    uint64_t got = 0;
    char beyond;
    lm_progress_begin(e->ctx, e->about.size, "unpacking %s", e->shown);
    while (got < e->about.size) {
        uint64_t step = e->about.size - got < STEP ? e->about.size - got : STEP;
        zip_int64_t part = zip_fread(e->file, buffer + got, step);
        if (part < 0) return failed(e, zip_file_get_error(e->file));
        if (part == 0) return damaged(e, "it ends before the size that it declares");
        got += (uint64_t)part;
        PASS(lm_progress_step(e->ctx, got));
    }
    zip_int64_t more = zip_fread(e->file, &beyond, 1);
    if (more < 0) return failed(e, zip_file_get_error(e->file));
    if (more > 0) return damaged(e, "it unpacks to more than the size that it declares");
    return LEMAN_OK;
}

static void entry_close(entry *e)
{
    if (e->file) zip_fclose(e->file);
}

static leman_status read_member(lm_archive *archive, const lm_member *member, lm_bytes *out)
{
    AUTO(lm_release_at) char *shown = NULL, *buffer = NULL;
    AUTO(entry_close) entry e = {.ctx = archive->ctx};
    PASS(lm_archive_shown(archive, member->name, &shown));
    e.shown = shown;
    if (member->folder) return lm_fail(archive->ctx, LEMAN_ERROR_INPUT, "%s: found a folder, expected a file", shown);
    zip_stat_init(&e.about);
    if (zip_stat_index(archive->zip, member->index, 0, &e.about)) return failed(&e, zip_get_error(archive->zip));
    PASS(check_entry(archive, &e));
    e.file = zip_fopen_index(archive->zip, member->index, 0);
    if (!e.file) return failed(&e, zip_get_error(archive->zip));
    PASS_NEW(archive->ctx, buffer, (size_t)e.about.size);
    PASS(decompress(&e, buffer));
    archive->decompressed += e.about.size;
    *out = (lm_bytes){buffer, (size_t)e.about.size, NULL};
    buffer = NULL;
    return LEMAN_OK;
}

/* ---- The zip --------------------------------------------------------------------------------- */

/* What the end record says: the size of the directory, and the number of bytes behind the zip. */
typedef struct zip_end {
    uint64_t directory, behind;
} zip_end;

/* Looks for the record, which has 22 bytes, the last two of which are the length of a comment that follows. If several
 * places may be the record, the largest directory is taken, at most the size of the file, also for zips too large for
 * the record (2^32 - 1). The bytes behind the zip are counted from the last record that fits the file. If there is no
 * record, libzip reports it. */
static zip_end find_end(const lm_bytes *bytes)
{
    enum { RECORD = 22, SIZE_AT = 12, COMMENT_AT = 20, LONGEST_COMMENT = 65535 };
    zip_end end = {0};
    bool fits = false;
    for (size_t back = RECORD; back <= bytes->size && back <= RECORD + LONGEST_COMMENT; back++) {
        const unsigned char *record = (const unsigned char *)bytes->data + bytes->size - back, *at = record + SIZE_AT;
        if (memcmp(record, "PK\5\6", 4)) continue;
        const uint64_t size = at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
        const size_t length = RECORD + (record[COMMENT_AT] | (size_t)record[COMMENT_AT + 1] << 8);
        if (size > end.directory) end.directory = size < bytes->size ? size : bytes->size;
        if (!fits && length <= back) end.behind = back - length;
        fits |= length <= back;
    }
    return end;
}

/* Counts the memory in which libzip keeps a directory of so many bytes. */
static leman_status take_directory(lm_archive *archive, uint64_t bytes)
{
    enum { SHORTEST_ENTRY = 46, ENTRY_BYTES = 320 };
    leman_context *ctx = archive->ctx;
    char needed[LM_NUMBER_TEXT], budget[LM_BUDGET_TEXT];
    size_t size = (size_t)bytes / SHORTEST_ENTRY * ENTRY_BYTES;
    if (!lm_meter_take(ctx->meter, size))
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "%s: its list of members needs %s, the memory budget is %s",
                       archive->shown, lm_bytes_text(size, needed), lm_budget_text(ctx, lm_budget(ctx), budget));
    archive->directory = size;
    return LEMAN_OK;
}

leman_status lm_archive_open_zip(leman_context *ctx, const char *path, const lm_bytes *bytes, uint64_t max_bytes,
                                 lm_archive *archive)
{
    const zip_end end = find_end(bytes);
    AUTO(zip_error_fini) zip_error_t error;
    *archive = (lm_archive){.ctx = ctx,
                            .shown = strcmp(path, "-") ? path : "standard input",
                            .read = read_member,
                            .max_bytes = max_bytes,
                            .compressed = bytes->size};
    zip_error_init(&error);
    if (!bytes->size) return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found an empty file, expected a zip", archive->shown);
    PASS(take_directory(archive, end.directory));
    zip_source_t *source = zip_source_buffer_create(bytes->data, bytes->size, 0, &error);
    if (source && !(archive->zip = zip_open_from_source(source, ZIP_RDONLY, &error))) zip_source_free(source);
    if (!archive->zip && is_memory_short(&error))
        return lm_fail(ctx, LEMAN_ERROR_MEMORY, "%s: out of memory for the list of its members", archive->shown);
    if (!archive->zip)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no whole zip archive: %s", archive->shown,
                       zip_error_strerror(&error));
    if (end.behind)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found %llu byte%s behind the end of the zip, expected the file to end there",
                       archive->shown, (unsigned long long)end.behind, lm_plural(end.behind));
    return list_members(archive);
}

void lm_archive_close(lm_archive *archive)
{
    lm_member *members = archive->members.items;
    for (size_t i = 0; i < archive->members.count; i++) lm_release(members[i].name);
    lm_vector_release(&archive->members);
    if (archive->zip) zip_discard(archive->zip);
    archive->zip = NULL;
    if (archive->directory) lm_meter_give(archive->ctx->meter, archive->directory);
    archive->directory = 0;
}
