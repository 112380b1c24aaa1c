/*
 * Our own file: a header of 192 bytes, the name, then the block as it lies in memory, so that reading is a copy.
 *
 *    0  magic "LEMANDS\n"
 *    8  byte order mark, 4 bytes
 *   12  version, 4 bytes
 *   16  checksum of everything behind it
 *   24  twenty numbers of 8 bytes (below), then zeros
 *  192  the name, padded with zeros to a multiple of 64 bytes, then the block: each array padded likewise
 *
 * Numbers have the byte order of the machine that wrote the file; the mark tells which. The checksum catches damage;
 * leman_dataset_check() then catches a file that was made wrong. Both are one pass.
 */
#include "base/drop.h"
#include "base/hash.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <stddef.h>
#include <string.h>

enum { HEADER = LM_BINARY_HEAD, CHECKED_FROM = 24, VERSION = 1 };
static const char MAGIC[8] = LM_DATASET_MAGIC;
static const uint32_t ORDER = 0x01020304;

/* The counts of the header: members of the data set, in the order of the file. */
typedef struct count {
    size_t member; /* offsetof */
    bool flag;     /* a bool, otherwise a size_t or the code of leman_dataset_reading() */
} count;
#define OF(member) offsetof(leman_dataset, member)
static const count MEMBERS[] = {
    {OF(graphs), false},
    {OF(vertices), false},
    {OF(arcs), false},
    {OF(graph_name_bytes), false},
    {OF(vertex_name_bytes), false},
    {OF(directed), true},
    {OF(columns.vertex_labels), false},
    {OF(columns.edge_labels), false},
    {OF(columns.vertex_attributes), false},
    {OF(columns.edge_attributes), false},
    {OF(columns.targets), false},
    {OF(columns.classes), true},
    {OF(columns.graph_names), true},
    {OF(columns.vertex_names), true},
    {0, false}, /* NAME_BYTES, the length of the name */
    {OF(target_name_bytes), false},
    {OF(class_names), false},
    {OF(class_name_bytes), false},
    {OF(reading), false},
    {OF(sides), true},
};
enum { NAME_BYTES = 14, READING = 18, COUNTS = sizeof MEMBERS / sizeof *MEMBERS };

typedef struct header {
    char magic[8];
    uint32_t order, version;
    uint64_t checksum;
    uint64_t count[COUNTS];
    char zero[HEADER - CHECKED_FROM - 8 * COUNTS];
} header;

_Static_assert(sizeof(header) == HEADER, "the header has no padding");

bool lm_binary_is(lm_bytes bytes)
{
    return bytes.size >= sizeof MAGIC && !memcmp(bytes.data, MAGIC, sizeof MAGIC);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static header header_of(const leman_dataset *d)
{
    header head = {.order = ORDER, .version = VERSION};
    for (int i = 0; i < COUNTS; i++) {
        const char *member = (const char *)d + MEMBERS[i].member;
        size_t size = *member != 0;
        if (!MEMBERS[i].flag) memcpy(&size, member, sizeof size);
        head.count[i] = size;
    }
    head.count[NAME_BYTES] = strlen(d->name);
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    return head;
}

leman_status lm_binary_write(leman_context *ctx, const leman_dataset *d, lm_output *out)
{
    SCRATCH_SCOPE(ctx);
    header head = header_of(d);
    size_t name_size = lm_block_rounded(head.count[NAME_BYTES]), block_size;
    const void *block = d->graph_start; /* the first array, which is never absent */
    char *name;
    if (!lm_dataset_block_size(d, &block_size))
        return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "%s: its size does not fit into memory, where it lies", d->name);
    PASS_SCRATCH_ZERO(ctx, name, name_size);
    memcpy(name, d->name, head.count[NAME_BYTES]);
    /* the checksum of each part is the seed of the next */
    head.checksum = lm_checksum(head.count, HEADER - CHECKED_FROM, head.version);
    head.checksum = lm_checksum(block, block_size, lm_checksum(name, name_size, head.checksum));
    PASS(lm_output_write(out, &head, sizeof head));
    PASS(lm_output_write(out, name, name_size));
    return lm_output_write(out, block, block_size);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Sets the shape that the header announces, and the size of its block. Returns false if they do not match the file
 * size. */
static bool sizes_fit(const header *head, size_t file_size, leman_dataset *d, size_t *block_size)
{
    const uint64_t *n = head->count;
    size_t all;
    *d = (leman_dataset){0};
    for (int i = 0; i < COUNTS; i++) {
        char *member = (char *)d + MEMBERS[i].member;
        const size_t size = n[i];
        /* so that all counts fit into a size_t, and rounding cannot overflow */
        if (n[i] > (MEMBERS[i].flag ? 1 : file_size) && i != READING) return false;
        if (MEMBERS[i].flag)
            *member = (char)size;
        else if (i != NAME_BYTES)
            memcpy(member, &size, sizeof size);
    }
    if ((!d->columns.graph_names && d->graph_name_bytes) || (!d->columns.vertex_names && d->vertex_name_bytes) ||
        (!d->columns.targets && d->target_name_bytes) || (!d->columns.classes && d->class_names) ||
        (!d->class_names && d->class_name_bytes))
        return false;
    return lm_dataset_block_size(d, block_size) &&
           lm_add(*block_size, HEADER + lm_block_rounded(n[NAME_BYTES]), &all) && all == file_size;
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
    header head;
    lm_binary_layout l = {.name_at = HEADER};
    PASS(read_header(ctx, path, &bytes, &head));
    if (!sizes_fit(&head, file_size, &l.shape, &l.block_size))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu byte%s, not what its header announces; it may be cut off",
                       path, file_size, lm_plural(file_size));
    l.name_bytes = head.count[NAME_BYTES];
    l.block_at = HEADER + lm_block_rounded(l.name_bytes);
    l.checksum = head.checksum;
    l.seed = lm_checksum(head.count, HEADER - CHECKED_FROM, head.version);
    *layout = l;
    return LEMAN_OK;
}

leman_status lm_binary_read(leman_context *ctx, const char *path, lm_bytes *bytes, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *d = NULL;
    lm_binary_layout layout;
    PASS(lm_binary_layout_read(ctx, path, *bytes, bytes->size, &layout));
    const size_t name_length = layout.name_bytes;
    const char *name = bytes->data + layout.name_at, *block = bytes->data + layout.block_at;
    const uint64_t sum = lm_checksum(name, lm_block_rounded(name_length), layout.seed);
    if (layout.checksum != lm_checksum(block, layout.block_size, sum))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: is damaged: its checksum does not match", path);
    if (memchr(name, 0, name_length)) return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found a zero byte in the name", path);

    PASS_NEW(ctx, d, 1);
    *d = layout.shape;
    PASS(lm_copy_text(ctx, name, name_length, &d->name));
    lm_text_clean(d->name, '_');
    lm_dataset_place(d, (void *)(uintptr_t)block);
    PASS(lm_fail_in(ctx, leman_dataset_check(ctx, d), path, d->name));
    lm_dataset_measure(d);
    d->file = *bytes;
    *bytes = (lm_bytes){0};
    return HAND_OVER(out, d);
}
