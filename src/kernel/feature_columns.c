/*
 * The columns of features as a file: a head of 48 bytes, then in multiples of 8 bytes what it announces.
 *
 *    0  magic "LEMANFC\n"
 *    8  byte order mark, 4 bytes
 *   12  version, 4 bytes
 *   16  checksum of everything behind it
 *   24  bytes of the text, blocks, columns: 8 bytes each
 *   48  the text, a line a kernel, padded with zeros
 *       the blocks: kernel and round of 4 bytes, number of columns of 8; in order
 *       the keys of 8 bytes, block after block, increasing within each
 *
 * Numbers are those of the machine that wrote them, which the mark tells. The text says what the columns count: a file
 * that was made for other kernels is refused, as hardly anything would find its column.
 */
#include "kernel/feature_columns.h"
#include "base/hash.h"
#include <stdio.h>

enum { HEAD = 48, CHECKED_FROM = 24, VERSION = 1, LINE = 128 };
static const char MAGIC[8] = "LEMANFC\n";
static const uint32_t ORDER = 0x01020304;
static const uint64_t MOST_BYTES = UINT64_C(64) << 30; /* 2^32 columns and what is around them fit */

typedef struct head {
    char magic[8];
    uint32_t order, version;
    uint64_t checksum, text, blocks, columns;
} head;

typedef struct block {
    uint32_t kernel, round;
    uint64_t columns;
} block;

_Static_assert(sizeof(head) == HEAD && sizeof(block) == 16, "neither has padding");

static size_t rounded(size_t size)
{
    return (size + 7) / 8 * 8;
}

/* ---- What the columns count ----------------------------------------------------------------------------------- */

static void describe(const leman_kernel *kernel, char *line)
{
    const leman_coloring *c = &kernel->coloring;
    bool colors = kernel->kind == LEMAN_KERNEL_COLORS, path = kernel->kind == LEMAN_KERNEL_SHORTEST_PATH;
    int used;
    if (colors)
        used = snprintf(line, LINE, "%s:%u, %u rounds%s", leman_algorithm_name(c->algorithm), c->k, c->rounds,
                        c->algorithm == LEMAN_LOCAL_PLUS && c->count_every_round ? ", counting in all" : "");
    else if (path)
        used = snprintf(line, LINE, "sp%s", kernel->weighted ? ", weighted" : "");
    else
        used = snprintf(line, LINE, "graphlet:%u", kernel->size);
    used += snprintf(line + used, (size_t)(LINE - used), "%s%s%s", c->ignore_vertex_labels ? ", no vertex labels" : "",
                     c->ignore_edge_labels ? ", no edge labels" : "", colors && c->in_arcs ? ", in-arcs" : "");
    if (colors && c->seed) snprintf(line + used, (size_t)(LINE - used), ", seed %016llx", (unsigned long long)c->seed);
}

/* A line for every kernel, in the context's scratch. */
static leman_status describe_all(leman_context *ctx, const leman_kernel *normal, size_t count, char **out)
{
    leman_status st = LEMAN_OK;
    size_t used = 0;
    char *text;
    SCRATCH(ctx, text, count * (size_t)(LINE + 1) + 1);
    for (size_t i = 0; i < count; i++) {
        if (i) text[used++] = '\n';
        describe(normal + i, text + used);
        used += strlen(text + used);
    }
    *out = text;
done:
    return st;
}

/* ---- Writing -------------------------------------------------------------------------------------------------- */

static size_t count_blocks(const leman_features *f)
{
    size_t blocks = 0;
    for (size_t i = 0; i < f->columns; i++)
        blocks +=
            !i || f->feature[i].kernel != f->feature[i - 1].kernel || f->feature[i].round != f->feature[i - 1].round;
    return blocks;
}

/* Everything behind the head's checksum, as it stands in the file. */
static void fill_body(const leman_features *f, const head *h, const char *text, char *body)
{
    block *b = (block *)(void *)(body + HEAD - CHECKED_FROM + rounded(h->text));
    uint64_t *key = (uint64_t *)(void *)(b + h->blocks);
    memcpy(body, &h->text, HEAD - CHECKED_FROM);
    memset(body + HEAD - CHECKED_FROM, 0, rounded(h->text));
    memcpy(body + HEAD - CHECKED_FROM, text, h->text);
    b--;
    for (size_t i = 0; i < f->columns; i++) {
        const leman_feature *feature = f->feature + i;
        if (!i || feature->kernel != b->kernel || feature->round != b->round)
            *++b = (block){feature->kernel, feature->round, 0};
        b->columns++;
        key[i] = feature->key;
    }
}

leman_status leman_feature_columns_write(leman_context *ctx, const leman_features *f, const leman_kernel *kernels,
                                         size_t count, const char *path)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    leman_feature_options options = {.columns = f};
    leman_kernel *normal;
    char *text, *body = NULL;
    lm_output out = {0};
    head h = {.order = ORDER, .version = VERSION};
    TRY(lm_features_prepare(ctx, kernels, count, &options, &normal));
    TRY(describe_all(ctx, normal, count, &text));
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    h.text = strlen(text);
    h.blocks = count_blocks(f);
    h.columns = f->columns;
    size_t size = HEAD - CHECKED_FROM + rounded(h.text) + h.blocks * sizeof(block) + h.columns * sizeof(uint64_t);
    NEW(ctx, body, size);
    fill_body(f, &h, text, body);
    h.checksum = lm_checksum(body, size, VERSION);
    TRY(lm_output_open(ctx, path, &out));
    TRY(lm_output_write(&out, &h, CHECKED_FROM));
    TRY(lm_output_write(&out, body, size));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    lm_free(ctx, body);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* ---- Reading -------------------------------------------------------------------------------------------------- */

static leman_status read_head(leman_context *ctx, const char *path, lm_bytes bytes, head *h)
{
    if (bytes.size < HEAD || memcmp(bytes.data, MAGIC, sizeof MAGIC))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu bytes of something else, expected a file of columns",
                       path, bytes.size);
    memcpy(h, bytes.data, HEAD);
    if (h->order == __builtin_bswap32(ORDER))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: was written on a machine of the other byte order", path);
    if (h->order != ORDER || h->version != VERSION)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found version %u of the format, expected %d", path, h->version,
                       VERSION);
    size_t left = bytes.size - HEAD; /* nothing below can wrap: every part is first held against what is left */
    bool fits = h->text <= left && rounded(h->text) <= left;
    if (fits) left -= rounded(h->text);
    fits = fits && h->blocks <= left / sizeof(block);
    if (fits) left -= h->blocks * sizeof(block);
    if (!fits || left % sizeof(uint64_t) || h->columns != left / sizeof(uint64_t) || h->columns > UINT32_MAX)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: its %zu bytes are not what its head announces; it may be cut off",
                       path, bytes.size);
    if (h->checksum != lm_checksum(bytes.data + CHECKED_FROM, bytes.size - CHECKED_FROM, VERSION))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: is damaged: its checksum does not match", path);
    return LEMAN_OK;
}

/* The kernels' lines must be those of the file; the sentence shows the first that differs. */
static leman_status check_text(leman_context *ctx, const char *path, const char *found, size_t length,
                               const char *expected)
{
    size_t at = 0;
    if (strlen(expected) == length && !memcmp(found, expected, length)) return LEMAN_OK;
    while (at < length && expected[at] && found[at] == expected[at]) at++;
    while (at > 0 && expected[at - 1] != '\n') at--;
    const char *end = memchr(found + at, '\n', length - at);
    int size = (int)(end ? (size_t)(end - found) - at : length - at);
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found columns of '%.*s', expected those of '%.*s'", path,
                   size < LINE ? size : LINE, found + at, (int)strcspn(expected + at, "\n"), expected + at);
}

/* Unpacks blocks and keys; false where they are not in order. */
static bool read_columns(const head *h, const char *data, const leman_kernel *normal, size_t count,
                         leman_feature *feature)
{
    const char *keys = data + h->blocks * sizeof(block);
    uint64_t at = 0;
    for (size_t i = 0; i < h->blocks; i++) {
        block b;
        memcpy(&b, data + i * sizeof b, sizeof b);
        if (b.kernel >= count || b.round >= lm_kernel_blocks(normal + b.kernel, false) || b.columns > h->columns - at)
            return false;
        for (uint64_t end = at + b.columns; at < end; at++) {
            feature[at] = (leman_feature){b.kernel, b.round, 0};
            memcpy(&feature[at].key, keys + at * sizeof(uint64_t), sizeof(uint64_t));
            if (at && !lm_feature_before(feature[at - 1], feature[at])) return false;
        }
    }
    return at == h->columns;
}

leman_status lm_feature_columns_parse(leman_context *ctx, const char *path, lm_bytes bytes, const leman_kernel *kernels,
                                      size_t count, leman_features *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    leman_feature_options options = {0};
    leman_features f = {0};
    leman_kernel *normal;
    char *text;
    head h;
    TRY(lm_features_prepare(ctx, kernels, count, &options, &normal));
    TRY(describe_all(ctx, normal, count, &text));
    TRY(read_head(ctx, path, bytes, &h));
    TRY(check_text(ctx, path, bytes.data + HEAD, h.text, text));
    f.columns = h.columns;
    NEW(ctx, f.feature, f.columns);
    NEW(ctx, f.start, 1);
    f.start[0] = 0;
    if (!read_columns(&h, bytes.data + HEAD + rounded(h.text), normal, count, f.feature))
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: its columns are not in order", path);
    *out = f;
done:
    if (st) leman_features_free(ctx, &f);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status leman_feature_columns_read(leman_context *ctx, const char *path, const leman_kernel *kernels, size_t count,
                                        leman_features *features)
{
    lm_bytes bytes = {0};
    leman_status st = lm_bytes_open(ctx, path, MOST_BYTES, &bytes);
    if (!st) st = lm_feature_columns_parse(ctx, path, bytes, kernels, count, features);
    lm_bytes_close(ctx, &bytes);
    return st;
}
