/*
 * The training, validation and test parts of a data set: from lists of the caller, drawn by shares, or read from files
 * of graph numbers. The files may lie beside the data, in its folder or zip archive, as benchmarks provide them. Drawing
 * is one shuffle, O(graphs); reading is one pass over the files.
 */
#include "base/arguments.h"
#include "base/ascii.h"
#include "base/context.h"
#include "base/drop.h"
#include "base/random.h"
#include "base/text.h"
#include "io/archive/archive.h"
#include "nn/train/run.h"
#include <string.h>
#include <sys/stat.h>

enum { PARTS_STREAM = 2000 };
static const uint64_t MAX_BYTES = UINT64_C(1) << 32;         /* of an index file: at least 2^28 numbers */
static const uint64_t MAX_ARCHIVE_BYTES = UINT64_C(1) << 34; /* of the folder or archive of a data set */
static const char *const PART[3] = {"train", "val", "test"};
static const char *const LISTS[3] = {"train.index", "val.index", "test.index"};

/* ---- By lists -------------------------------------------------------------------------------- */

leman_status leman_parts_new(leman_context *ctx, const uint32_t *train, size_t train_count, const uint32_t *val,
                             size_t val_count, const uint32_t *test, size_t test_count, leman_parts **parts)
{
    AUTO(leman_parts_drop) leman_parts *made = NULL;
    size_t count, at = 0;
    REQUIRE(ctx, train, val);
    if (test_count) REQUIRE(ctx, test);
    REQUIRE(ctx, parts);
    if (!lm_add(train_count, val_count, &count) || !lm_add(count, test_count, &count)) count = SIZE_MAX;
    PASS_NEW_ZERO(ctx, made, 1);
    PASS_NEW(ctx, made->graph, count);
    const uint32_t *const list[3] = {train, val, test};
    const size_t counts[3] = {train_count, val_count, test_count};
    for (int part = 0; part < 3; part++) {
        made->count[part] = counts[part];
        if (counts[part]) memcpy(made->graph + at, list[part], counts[part] * sizeof *made->graph);
        at += counts[part];
    }
    return HAND_OVER(parts, made);
}

void leman_parts_free(leman_parts *parts)
{
    if (!parts) return;
    RELEASE(parts->graph, parts);
}

/* ---- By shares ------------------------------------------------------------------------------- */

/* Returns floor(share * graphs), corrected for rounding (0.29 of 100 is 29); at least 1 for a share above 0. */
static size_t share_of(double share, size_t graphs)
{
    size_t count = (size_t)(share * (double)graphs + 1e-9);
    return share > 0 && !count ? 1 : count;
}

leman_status leman_parts_draw(leman_context *ctx, size_t graphs, double val_share, double test_share,
                              leman_parts **parts)
{
    AUTO(leman_parts_drop) leman_parts *drawn = NULL;
    REQUIRE(ctx, parts);
    if (!(val_share > 0 && test_share >= 0 && val_share + test_share < 1))
        return lm_fail(
            ctx, LEMAN_ERROR_ARGUMENT,
            "shares of %g for validation and %g for testing: expected more than 0 for validation, at least 0 for "
            "testing, and less than 1 together",
            val_share, test_share);
    size_t val = share_of(val_share, graphs), test = share_of(test_share, graphs);
    if (graphs > UINT32_MAX || val + test >= graphs)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "found %zu graph%s, too %s to be split into training, validation and test parts", graphs,
                       lm_plural(graphs), graphs > UINT32_MAX ? "many" : "few");
    PASS_NEW_ZERO(ctx, drawn, 1);
    PASS_NEW(ctx, drawn->graph, graphs);
    lm_random random = lm_random_stream(ctx->settings.seed, PARTS_STREAM, graphs);
    lm_random_permutation(&random, drawn->graph, graphs);
    drawn->count[0] = graphs - val - test;
    drawn->count[1] = val;
    drawn->count[2] = test;
    return HAND_OVER(parts, drawn);
}

/* ---- By files -------------------------------------------------------------------------------- */

leman_status lm_parts_parse(leman_context *ctx, const char *path, lm_bytes bytes, size_t graphs, lm_vector *list)
{
    const size_t before = list->count;
    lm_text text = lm_text_of(ctx, path, bytes);
    while (!lm_text_end(&text)) {
        int64_t number;
        if (lm_text_line_end(&text)) { /* an empty line */
            PASS(lm_text_newline(&text));
            continue;
        }
        PASS(lm_text_integer(&text, "a graph number", &number));
        if (number < 0 || (uint64_t)number >= graphs)
            return lm_text_fail(&text, "found %lld, expected a graph number from 0 to %zu", (long long)number,
                                graphs - 1);
        const uint32_t graph = (uint32_t)number;
        PASS(lm_vector_append(ctx, list, &graph, 1, sizeof graph));
        if (lm_text_line_end(&text))
            PASS(lm_text_newline(&text));
        else
            PASS(lm_text_comma(&text));
    }
    if (list->count == before) return lm_text_fail(&text, "found no graph number, expected at least one");
    return LEMAN_OK;
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

/* Reads a file of graph numbers: the member `path` of an archive or, if that is NULL, the file `path`. */
static leman_status read_numbers(leman_context *ctx, lm_archive *archive, const char *path, size_t graphs,
                                 lm_vector *list)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    bool found = false;
    AUTO(lm_release_at) char *shown = NULL;
    const char *member = archive ? member_named(archive, path) : NULL;
    if (archive && !member)
        return lm_fail(ctx, LEMAN_ERROR_FILE, "%s: found no %s, expected that list of graph numbers there",
                       archive->shown, path);
    if (archive) PASS(lm_archive_shown(archive, member, &shown));
    PASS(archive ? lm_archive_read(archive, member, &bytes, &found) : lm_bytes_open(ctx, path, MAX_BYTES, &bytes));
    return lm_parts_parse(ctx, archive ? shown : path, bytes, graphs, list);
}

/* Logs graphs that occur in a part more than once, and validation or test graphs that are also training graphs. path:
 * the files of the parts. */
static leman_status log_repeats(leman_context *ctx, const leman_parts *parts, size_t graphs, const char *const path[3])
{
    SCRATCH_SCOPE(ctx);
    const uint32_t *graph = parts->graph;
    unsigned char *seen;
    PASS_SCRATCH_ZERO(ctx, seen, graphs);
    for (int part = 0; part < 3; part++) {
        size_t repeated = 0, shared[3] = {0};
        for (size_t i = 0; i < parts->count[part]; i++, graph++) {
            if (seen[*graph] >> part & 1) {
                repeated++;
                continue;
            }
            for (int other = 0; other < part; other++) shared[other] += seen[*graph] >> other & 1;
            seen[*graph] = (unsigned char)(seen[*graph] | 1u << part);
        }
        if (repeated)
            lm_log(ctx, "%s: %zu of its graph numbers %s", path[part], repeated,
                   lm_plural_of(repeated, "is a repetition", "are repetitions"));
        for (int other = 0; other < part; other++)
            if (shared[other])
                lm_log(ctx, "%s: %zu of its graphs %s also in the %s part", path[part] ? path[part] : PART[part],
                       shared[other], lm_plural_of(shared[other], "is", "are"), PART[other]);
    }
    return LEMAN_OK;
}

/* Where the files of the parts are, and which graphs their numbers count. */
typedef struct sources {
    lm_archive *archive; /* that has the files; NULL: they are files of their own */
    const char *path[3]; /* NULL: the whole part if `whole`, otherwise no graph */
    size_t first[3], count[3];
    bool whole;
} sources;

static leman_status read_parts(leman_context *ctx, size_t graphs, const sources *from, leman_parts **parts)
{
    AUTO(lm_vector_release) lm_vector list = {0};
    AUTO(leman_parts_drop) leman_parts *found = NULL;
    PASS_NEW_ZERO(ctx, found, 1);
    for (int part = 0; part < 3; part++) {
        const char *path = from->path[part];
        const size_t before = list.count, count = from->count[part];
        if (path) PASS(read_numbers(ctx, from->archive, path, count, &list));
        for (uint32_t i = 0; !path && from->whole && i < count; i++)
            PASS(lm_vector_append(ctx, &list, &i, 1, sizeof i));
        for (size_t i = before; i < list.count; i++) ((uint32_t *)list.items)[i] += (uint32_t)from->first[part];
        found->count[part] = list.count - before;
    }
    found->graph = list.items;
    list = (lm_vector){0};
    PASS(log_repeats(ctx, found, graphs, from->path));
    return HAND_OVER(parts, found);
}

static leman_status check_graphs(leman_context *ctx, size_t graphs)
{
    if (graphs && graphs <= UINT32_MAX) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%zu graph%s, expected at least one and at most %u", graphs,
                   lm_plural(graphs), UINT32_MAX);
}

leman_status leman_parts_read(leman_context *ctx, size_t graphs, const char *train, const char *val, const char *test,
                              leman_parts **parts)
{
    const sources from = {.path = {train, val, test}, .count = {graphs, graphs, graphs}};
    REQUIRE(ctx, train, val, parts);
    PASS(check_graphs(ctx, graphs));
    return read_parts(ctx, graphs, &from, parts);
}

leman_status leman_parts_read_inside(leman_context *ctx, size_t graphs, const size_t first[3], const size_t count[3],
                                     const char *train, const char *val, const char *test, leman_parts **parts)
{
    sources from = {.path = {train, val, test}, .whole = true};
    REQUIRE(ctx, first, count, parts);
    for (int part = 0; part < 3; part++) {
        if (first[part] > graphs || count[part] > graphs - first[part])
            return lm_fail(ctx, LEMAN_ERROR_INPUT,
                           "the %s part: found %zu graph%s from %zu on, expected them below %zu", PART[part],
                           count[part], lm_plural(count[part]), first[part], graphs);
        if (!count[part] && (part < 2 || test))
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "the %s part: found no graphs, expected at least one", PART[part]);
        from.first[part] = first[part];
        from.count[part] = count[part];
    }
    PASS(check_graphs(ctx, graphs));
    return read_parts(ctx, graphs, &from, parts);
}

/* ---- By lists beside the data ---------------------------------------------------------------- */

/* Opens a folder, or a zip archive with its bytes. */
static leman_status open_archive(leman_context *ctx, const char *path, lm_bytes *bytes, lm_archive *archive)
{
    struct stat about;
    if (stat(path, &about))
        return lm_fail(ctx, LEMAN_ERROR_FILE, "%s: not found, expected the folder or zip of a data set", path);
    if (S_ISDIR(about.st_mode)) return lm_archive_open_folder(ctx, path, MAX_ARCHIVE_BYTES, archive);
    PASS(lm_bytes_open(ctx, path, MAX_ARCHIVE_BYTES, bytes));
    return lm_archive_open_zip(ctx, path, bytes, MAX_ARCHIVE_BYTES, archive);
}

leman_status leman_parts_listed(leman_context *ctx, const char *path, size_t graphs, leman_parts **parts)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    AUTO(lm_archive_close) lm_archive archive = {0};
    const sources from = {
        .archive = &archive, .path = {LISTS[0], LISTS[1], LISTS[2]}, .count = {graphs, graphs, graphs}};
    REQUIRE(ctx, path, parts);
    PASS(check_graphs(ctx, graphs));
    PASS(open_archive(ctx, path, &bytes, &archive));
    return read_parts(ctx, graphs, &from, parts);
}

leman_status leman_parts_are_listed(leman_context *ctx, const char *path, bool *listed)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    AUTO(lm_archive_close) lm_archive archive = {0};
    struct stat about;
    REQUIRE(ctx, path, listed);
    const size_t length = strlen(path);
    const bool zip = length > 4 && lm_is_word(path + length - 4, 4, ".zip");
    const bool holds = !stat(path, &about) && (S_ISDIR(about.st_mode) || (S_ISREG(about.st_mode) && zip));
    if (holds) PASS(open_archive(ctx, path, &bytes, &archive));
    *listed = holds;
    for (int part = 0; part < 3; part++) *listed = *listed && member_named(&archive, LISTS[part]);
    return LEMAN_OK;
}
