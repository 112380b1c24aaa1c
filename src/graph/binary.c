/*
 * Our own file: a header of 192 bytes, the name, then the block as it lies in memory, so that reading is mapping.
 *
 *   0   magic "LEMANDS\n"      8  byte order mark      12  version      16  checksum of everything behind it
 *   24  sixteen counts of 8 bytes (see counts_of)     152  zeros
 *   192 the name, padded to 64; then the arrays, each padded to 64 (docs/formats.md)
 *
 * The checksum catches damage; leman_dataset_check() then catches a file that was made wrong. Both are one pass.
 */
#include "base/hash.h"
#include "graph/dataset.h"
#include <string.h>

enum { HEADER = 192, CHECKED_FROM = 24, COUNTS = 16, VERSION = 1 };
static const char MAGIC[8] = "LEMANDS\n";
static const uint32_t ORDER = 0x01020304;

typedef struct header {
    char magic[8];
    uint32_t order, version;
    uint64_t checksum;
    uint64_t count[COUNTS];
    char unused[HEADER - CHECKED_FROM - 8 * COUNTS];
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

static void counts_of(const leman_dataset *d, uint64_t count[COUNTS])
{
    const leman_columns *c = &d->columns;
    const uint64_t counts[COUNTS] = {
        d->graphs,   d->vertices,      d->arcs,        d->graph_name_bytes,  d->vertex_name_bytes,
        d->directed, c->vertex_labels, c->edge_labels, c->vertex_attributes, c->edge_attributes,
        c->targets,  c->classes,       c->graph_names, c->vertex_names,      strlen(d->name)};
    memcpy(count, counts, sizeof counts);
}

leman_status lm_binary_write(leman_context *ctx, const leman_dataset *d, lm_output *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    header head = {.order = ORDER, .version = VERSION};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    counts_of(d, head.count);

    /* The checksum runs over parts as over one piece: each part's sum is the seed of the next. */
    size_t name_size = rounded(strlen(d->name));
    char *name;
    SCRATCH(ctx, name, name_size);
    memset(name, 0, name_size);
    memcpy(name, d->name, strlen(d->name));
    uint64_t sum = lm_checksum(head.count, HEADER - CHECKED_FROM, VERSION);
    sum = lm_checksum(name, name_size, sum);
    for (int i = 0; i < LM_ARRAYS; i++) {
        const lm_array *array = lm_dataset_arrays + i;
        sum = lm_checksum(lm_dataset_array(d, array), array->count(d) * array->element, sum);
    }
    head.checksum = sum;

    static const char zeros[LM_BLOCK_ALIGNMENT];
    TRY(lm_output_write(out, &head, sizeof head));
    TRY(lm_output_write(out, name, name_size));
    for (int i = 0; i < LM_ARRAYS; i++) {
        const lm_array *array = lm_dataset_arrays + i;
        size_t size = array->count(d) * array->element;
        if (size) TRY(lm_output_write(out, lm_dataset_array(d, array), size));
        TRY(lm_output_write(out, zeros, rounded(size) - size));
    }
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* Sizes from the header into *d; false where they cannot be those of a file of this size. */
static bool sizes_fit(const header *head, size_t file_size, leman_dataset *d, size_t *name_length)
{
    const uint64_t *n = head->count;
    for (int i = 0; i < COUNTS; i++)
        if (n[i] > (uint64_t)file_size && i != 5 && i < 11) return false;
    for (int i = 11; i < 14; i++)
        if (n[i] > 1) return false;
    if (n[5] > 1 || n[14] > file_size || n[15]) return false;
    *d = (leman_dataset){.graphs = n[0],
                         .vertices = n[1],
                         .arcs = n[2],
                         .graph_name_bytes = n[3],
                         .vertex_name_bytes = n[4],
                         .directed = n[5],
                         .columns = {.vertex_labels = n[6],
                                     .edge_labels = n[7],
                                     .vertex_attributes = n[8],
                                     .edge_attributes = n[9],
                                     .targets = n[10],
                                     .classes = n[11],
                                     .graph_names = n[12],
                                     .vertex_names = n[13]}};
    *name_length = n[14];
    size_t block;
    if ((!n[12] && n[3]) || (!n[13] && n[4])) return false;
    return lm_dataset_block_size(d, &block) && lm_add(block, HEADER + rounded(n[14]), &block) && block == file_size;
}

leman_status lm_binary_read(leman_context *ctx, const char *path, lm_bytes *bytes, leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_dataset *d = NULL, shape;
    header head;
    size_t name_length;
    if (bytes->size < HEADER || !lm_binary_is(*bytes))
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found %zu bytes, expected a leman file of at least %d", path, bytes->size,
             HEADER);
    memcpy(&head, bytes->data, HEADER);
    if (head.order != ORDER)
        FAIL(ctx, LEMAN_ERROR_INPUT,
             "%s: was written on a machine of the other byte order; convert it there to TU text", path);
    if (head.version != VERSION)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found version %u of the format, expected %d", path, head.version, VERSION);
    if (!sizes_fit(&head, bytes->size, &shape, &name_length))
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: its %zu bytes are not what its header announces; it may be cut off", path,
             bytes->size);

    NEW(ctx, d, 1);
    *d = shape;
    d->allocator = ctx->allocator;
    const char *name = bytes->data + HEADER, *base = name + rounded(name_length);
    NEW(ctx, d->name, name_length + 1);
    memcpy(d->name, name, name_length);
    d->name[name_length] = 0;
    lm_dataset_place(d, (void *)(uintptr_t)base);

    uint64_t sum = lm_checksum(bytes->data + CHECKED_FROM, HEADER - CHECKED_FROM, VERSION);
    sum = lm_checksum(name, rounded(name_length), sum);
    for (int i = 0; i < LM_ARRAYS; i++) {
        const lm_array *array = lm_dataset_arrays + i;
        sum = lm_checksum(lm_dataset_array(d, array), array->count(d) * array->element, sum);
    }
    if (sum != head.checksum) FAIL(ctx, LEMAN_ERROR_INPUT, "%s: is damaged: its checksum does not match", path);
    TRY(leman_dataset_check(ctx, d));
    d->file = *bytes;
    *bytes = (lm_bytes){0};
done:
    if (st)
        leman_dataset_free(d);
    else
        *out = d;
    return st;
}
