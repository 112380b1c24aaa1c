/*
 * Our own file: a header of 192 bytes, the name, then the block as it lies in memory, so that reading is a copy.
 *
 *    0  magic "LEMANDS\n"
 *    8  byte order mark, 4 bytes
 *   12  version, 4 bytes
 *   16  checksum of everything behind it
 *   24  eighteen counts of 8 bytes (enum below), then zeros
 *  192  the name, padded with zeros to a multiple of 64 bytes, then the block: each array padded likewise
 *
 * Numbers have the byte order of the machine that wrote the file; the mark tells which. The checksum catches damage;
 * leman_dataset_check() then catches a file that was made wrong. Both are one pass.
 */
#include "base/hash.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <string.h>

enum { HEADER = LM_BINARY_HEAD, CHECKED_FROM = 24, VERSION = 1 };
static const char MAGIC[8] = LM_DATASET_MAGIC;
static const uint32_t ORDER = 0x01020304;

enum {
    GRAPHS,
    VERTICES,
    ARCS,
    GRAPH_NAME_BYTES,
    VERTEX_NAME_BYTES,
    DIRECTED,
    VERTEX_LABELS,
    EDGE_LABELS,
    VERTEX_ATTRIBUTES,
    EDGE_ATTRIBUTES,
    TARGETS,
    CLASSES,
    GRAPH_NAMES,
    VERTEX_NAMES,
    NAME_BYTES,
    TARGET_NAME_BYTES,
    CLASS_NAMES,
    CLASS_NAME_BYTES,
    COUNTS
};

typedef struct header {
    char magic[8];
    uint32_t order, version;
    uint64_t checksum;
    uint64_t count[COUNTS];
    char zero[HEADER - CHECKED_FROM - 8 * COUNTS];
} header;

_Static_assert(sizeof(header) == HEADER, "the header has no padding");

static size_t rounded(size_t size)
{
    return (size + LM_BLOCK_ALIGNMENT - 1) / LM_BLOCK_ALIGNMENT * LM_BLOCK_ALIGNMENT;
}

bool lm_binary_is(lm_bytes bytes)
{
    return bytes.size >= sizeof MAGIC && !memcmp(bytes.data, MAGIC, sizeof MAGIC);
}

/* Returns the checksum of the three parts. The checksum of each part is the seed of the next. */
static uint64_t checksum(const header *head, const char *name, const void *block, size_t block_size)
{
    uint64_t sum = lm_checksum(head->count, HEADER - CHECKED_FROM, head->version);
    sum = lm_checksum(name, rounded(head->count[NAME_BYTES]), sum);
    return lm_checksum(block, block_size, sum);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static header header_of(const leman_dataset *d)
{
    const leman_columns *c = &d->columns;
    header head = {.order = ORDER,
                   .version = VERSION,
                   .count = {[GRAPHS] = d->graphs,
                             [VERTICES] = d->vertices,
                             [ARCS] = d->arcs,
                             [GRAPH_NAME_BYTES] = d->graph_name_bytes,
                             [VERTEX_NAME_BYTES] = d->vertex_name_bytes,
                             [DIRECTED] = d->directed,
                             [VERTEX_LABELS] = c->vertex_labels,
                             [EDGE_LABELS] = c->edge_labels,
                             [VERTEX_ATTRIBUTES] = c->vertex_attributes,
                             [EDGE_ATTRIBUTES] = c->edge_attributes,
                             [TARGETS] = c->targets,
                             [CLASSES] = c->classes,
                             [GRAPH_NAMES] = c->graph_names,
                             [VERTEX_NAMES] = c->vertex_names,
                             [NAME_BYTES] = strlen(d->name),
                             [TARGET_NAME_BYTES] = d->target_name_bytes,
                             [CLASS_NAMES] = d->class_names,
                             [CLASS_NAME_BYTES] = d->class_name_bytes}};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    return head;
}

leman_status lm_binary_write(leman_context *ctx, const leman_dataset *d, lm_output *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    header head = header_of(d);
    size_t name_size = rounded(head.count[NAME_BYTES]), block_size;
    const void *block = d->graph_start; /* the first array, which is never absent */
    char *name;
    if (!lm_dataset_block_size(d, &block_size))
        FAIL(ctx, LEMAN_ERROR_INTERNAL, "%s: its size does not fit into memory, where it lies", d->name);
    SCRATCH(ctx, name, name_size);
    memset(name, 0, name_size);
    memcpy(name, d->name, head.count[NAME_BYTES]);
    head.checksum = checksum(&head, name, block, block_size);
    TRY(lm_output_write(out, &head, sizeof head));
    TRY(lm_output_write(out, name, name_size));
    TRY(lm_output_write(out, block, block_size));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Sets the shape that the header announces, and the size of its block. Returns false if they do not match the file
 * size. */
static bool sizes_fit(const header *head, size_t file_size, leman_dataset *d, size_t *block_size)
{
    const uint64_t *n = head->count;
    for (int i = 0; i < COUNTS; i++)
        if (n[i] > file_size) return false; /* so that all counts fit into a size_t, and rounding cannot overflow */
    if (n[DIRECTED] > 1 || n[CLASSES] > 1 || n[GRAPH_NAMES] > 1 || n[VERTEX_NAMES] > 1) return false;
    if ((!n[GRAPH_NAMES] && n[GRAPH_NAME_BYTES]) || (!n[VERTEX_NAMES] && n[VERTEX_NAME_BYTES])) return false;
    if ((!n[TARGETS] && n[TARGET_NAME_BYTES]) || (!n[CLASSES] && n[CLASS_NAMES]) ||
        (!n[CLASS_NAMES] && n[CLASS_NAME_BYTES]))
        return false;
    *d = (leman_dataset){.graphs = n[GRAPHS],
                         .vertices = n[VERTICES],
                         .arcs = n[ARCS],
                         .graph_name_bytes = n[GRAPH_NAME_BYTES],
                         .vertex_name_bytes = n[VERTEX_NAME_BYTES],
                         .target_name_bytes = n[TARGET_NAME_BYTES],
                         .class_name_bytes = n[CLASS_NAME_BYTES],
                         .class_names = n[CLASS_NAMES],
                         .directed = n[DIRECTED],
                         .columns = {.vertex_labels = n[VERTEX_LABELS],
                                     .edge_labels = n[EDGE_LABELS],
                                     .vertex_attributes = n[VERTEX_ATTRIBUTES],
                                     .edge_attributes = n[EDGE_ATTRIBUTES],
                                     .targets = n[TARGETS],
                                     .classes = n[CLASSES],
                                     .graph_names = n[GRAPH_NAMES],
                                     .vertex_names = n[VERTEX_NAMES]}};
    size_t all;
    return lm_dataset_block_size(d, block_size) && lm_add(*block_size, HEADER + rounded(n[NAME_BYTES]), &all) &&
           all == file_size;
}

/* Checks everything that depends on the header alone. */
static leman_status read_header(leman_context *ctx, const char *path, const lm_bytes *bytes, header *head)
{
    if (bytes->size < HEADER || !lm_binary_is(*bytes))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu byte%s, expected a leman file of at least %d", path,
                       bytes->size, lm_plural(bytes->size), HEADER);
    memcpy(head, bytes->data, HEADER);
    if (head->order == __builtin_bswap32(ORDER))
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: was written on a machine of the other byte order; convert it there to TU text", path);
    if (head->order != ORDER)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: is damaged: its byte order mark is none", path);
    if (head->version != VERSION)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found version %u of the format, expected %d", path, head->version,
                       VERSION);
    return LEMAN_OK;
}

leman_status lm_binary_layout_read(leman_context *ctx, const char *path, lm_bytes bytes, size_t file_size,
                                   lm_binary_layout *layout)
{
    leman_status st = LEMAN_OK;
    header head;
    lm_binary_layout l = {.name_at = HEADER};
    TRY(read_header(ctx, path, &bytes, &head));
    if (!sizes_fit(&head, file_size, &l.shape, &l.block_size))
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found %zu byte%s, not what its header announces; it may be cut off", path,
             file_size, lm_plural(file_size));
    l.name_bytes = head.count[NAME_BYTES];
    l.block_at = HEADER + rounded(l.name_bytes);
    l.checksum = head.checksum;
    l.seed = lm_checksum(head.count, HEADER - CHECKED_FROM, head.version);
    *layout = l;
done:
    return st;
}

leman_status lm_binary_read(leman_context *ctx, const char *path, lm_bytes *bytes, leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_dataset *d = NULL;
    lm_binary_layout layout;
    TRY(lm_binary_layout_read(ctx, path, *bytes, bytes->size, &layout));
    const size_t name_length = layout.name_bytes;
    const char *name = bytes->data + layout.name_at, *block = bytes->data + layout.block_at;
    const uint64_t sum = lm_checksum(name, rounded(name_length), layout.seed);
    if (layout.checksum != lm_checksum(block, layout.block_size, sum))
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: is damaged: its checksum does not match", path);
    if (memchr(name, 0, name_length)) FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found a zero byte in the name", path);

    NEW(ctx, d, 1);
    *d = layout.shape;
    d->allocator = ctx->allocator;
    NEW(ctx, d->name, name_length + 1);
    memcpy(d->name, name, name_length);
    d->name[name_length] = 0;
    lm_text_clean(d->name, '_');
    lm_dataset_place(d, (void *)(uintptr_t)block);
    TRY(lm_fail_in(ctx, leman_dataset_check(ctx, d), path, d->name));
    lm_dataset_measure(d);
    d->file = *bytes;
    *bytes = (lm_bytes){0};
done:
    if (st)
        leman_dataset_free(d);
    else
        *out = d;
    return st;
}
