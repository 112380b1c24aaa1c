/* Parts from lists that lie beside the data, in its folder or zip archive, as benchmarks provide them. */
#include "base/arguments.h"
#include "base/ascii.h"
#include "base/text.h"
#include "io/archive/archive.h"
#include "nn/train/parts.h"
#include <string.h>
#include <sys/stat.h>

static const uint64_t MAX_BYTES = UINT64_C(1) << 34;
static const char *const NAMES[3] = {"train.index", "val.index", "test.index"};

/* A folder or a zip archive. */
typedef struct place {
    lm_archive archive;
    lm_bytes bytes; /* of the zip */
} place;

static void close_place(leman_context *ctx, place *p)
{
    if (p->archive.ctx) lm_archive_close(&p->archive);
    lm_bytes_close(ctx, &p->bytes);
}

static leman_status open_place(leman_context *ctx, const char *path, place *p)
{
    leman_status st = LEMAN_OK;
    struct stat about;
    if (stat(path, &about))
        FAIL(ctx, LEMAN_ERROR_FILE, "%s: not found, expected the folder or zip of a data set", path);
    if (S_ISDIR(about.st_mode)) {
        TRY(lm_archive_open_folder(ctx, path, MAX_BYTES, &p->archive));
    } else {
        TRY(lm_bytes_open(ctx, path, MAX_BYTES, &p->bytes));
        TRY(lm_archive_open_zip(ctx, path, &p->bytes, MAX_BYTES, &p->archive));
    }
done:
    return st;
}

/* Returns the member of the archive with this file name, in any folder. */
static const char *member_named(const lm_archive *archive, const char *name)
{
    const lm_member *member = archive->members.items;
    const size_t length = strlen(name);
    for (size_t i = 0; i < archive->members.count; i++) {
        const size_t own = strlen(member[i].name);
        if (own < length || strcmp(member[i].name + own - length, name) != 0) continue;
        if (own == length || member[i].name[own - length - 1] == '/') return member[i].name;
    }
    return NULL;
}

static leman_status read_list(leman_context *ctx, lm_archive *archive, const char *name, size_t graphs, lm_vector *list)
{
    leman_status st = LEMAN_OK;
    lm_bytes bytes = {0};
    bool found = false;
    char *shown = NULL;
    const char *member = member_named(archive, name);
    if (!member)
        FAIL(ctx, LEMAN_ERROR_FILE, "%s: found no %s, expected that list of graph numbers there", archive->shown, name);
    TRY(lm_archive_shown(archive, member, &shown));
    TRY(lm_archive_read(archive, member, &bytes, &found));
    TRY(lm_parts_parse(ctx, shown, bytes, graphs, list));
done:
    lm_bytes_close(ctx, &bytes);
    lm_free(ctx, shown);
    return st;
}

leman_status leman_parts_listed(leman_context *ctx, const char *path, size_t graphs, leman_parts **parts)
{
    leman_status st = LEMAN_OK;
    place p = {0};
    lm_vector list = {0};
    leman_parts *found = NULL;
    size_t count[3] = {0};
    REQUIRE(ctx, path);
    REQUIRE(ctx, parts);
    if (!graphs || graphs > UINT32_MAX)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%zu graph%s, expected at least one and at most %u", graphs, lm_plural(graphs),
             UINT32_MAX);
    TRY(open_place(ctx, path, &p));
    for (int part = 0; part < 3; part++) {
        const size_t before = list.count;
        TRY(read_list(ctx, &p.archive, NAMES[part], graphs, &list));
        count[part] = list.count - before;
    }
    const uint32_t *graph = list.items;
    TRY(leman_parts_new(ctx, graph, count[0], graph + count[0], count[1], graph + count[0] + count[1], count[2],
                        &found));
    TRY(lm_parts_log_repeats(ctx, found, graphs, NAMES));
    *parts = found;
done:
    if (st) leman_parts_free(found);
    close_place(ctx, &p);
    lm_vector_free(ctx, &list);
    return st;
}

leman_status leman_parts_are_listed(leman_context *ctx, const char *path, bool *listed)
{
    leman_status st = LEMAN_OK;
    place p = {0};
    struct stat about;
    REQUIRE(ctx, path);
    REQUIRE(ctx, listed);
    *listed = false;
    const size_t length = strlen(path);
    const bool zip = length > 4 && lm_is_word(path + length - 4, 4, ".zip");
    if (stat(path, &about) || !(S_ISDIR(about.st_mode) || (S_ISREG(about.st_mode) && zip))) goto done;
    TRY(open_place(ctx, path, &p));
    *listed = true;
    for (int part = 0; part < 3; part++) *listed = *listed && member_named(&p.archive, NAMES[part]);
done:
    close_place(ctx, &p);
    return st;
}
