/* Batches: the table of arrays, the block that contains them, and the arrays that are computed from vertices and
 * arcs. */
#include "nn/batch.h"
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* ---- The table ------------------------------------------------------------------------------- */

#define COUNT(name, expression)                                                                                        \
    static size_t name(const lm_batch *b)                                                                              \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
#define ROWS(space) b->extent.rows[space]
COUNT(graph_ends, ROWS(LM_GRAPHS) + 1)
COUNT(vertex_ends, ROWS(LM_VERTICES) + 1)
COUNT(arcs, ROWS(LM_ARCS))
COUNT(labels, ROWS(LM_LABELS))
COUNT(tuple_types, b->tuple_types ? ROWS(LM_TUPLES) : 0)
COUNT(vertex_types, b->vertex_types ? ROWS(LM_VERTICES) : 0)
COUNT(arc_labels, b->arc_labels ? ROWS(LM_ARCS) : 0)
COUNT(class_ids, b->classes ? ROWS(LM_GRAPHS) : 0)
COUNT(weights, b->weights ? ROWS(LM_GRAPHS) : 0)
COUNT(counts, b->counts *ROWS(LM_TUPLES))
COUNT(vertex_attributes, b->vertex_attributes *ROWS(LM_VERTICES))
COUNT(arc_attributes, b->arc_attributes *ROWS(LM_ARCS))
COUNT(tuple_attributes, b->tuple_attributes *ROWS(LM_TUPLES))
COUNT(targets, b->targets *ROWS(LM_GRAPHS))
COUNT(target_weights, b->target_weights ? b->targets *ROWS(LM_GRAPHS) : 0)
#define LIST_COUNTS(i)                                                                                                 \
    COUNT(list_graph_ends##i, b->listed[i].members ? ROWS(LM_GRAPHS) + 1 : 0)                                          \
    COUNT(list_members##i, b->listed[i].members *ROWS(LM_LISTED + i))                                                  \
    COUNT(list_ends##i, b->listed[i].members ? b->listed[i].lists *ROWS(LM_LISTED + i) + 1 : 0)                        \
    COUNT(list_neighbors##i, b->listed[i].members ? ROWS(LM_LINKS + i) : 0)                                            \
    COUNT(list_types##i, b->listed[i].types ? ROWS(LM_LISTED + i) : 0)                                                 \
    COUNT(list_vertex_ends##i, b->listed[i].members ? ROWS(LM_VERTICES) + 1 : 0)
LIST_COUNTS(0)
LIST_COUNTS(1)

#define ARRAY(name, field, count, kind, rows)                                                                          \
    {                                                                                                                  \
        name, offsetof(lm_batch, field), sizeof *((lm_batch *)0)->field, count, LM_ARRAY_##kind, rows                  \
    }
#define LIST_ARRAYS(i)                                                                                                 \
    ARRAY("sets" #i ".start", start[LM_LISTED + i], list_graph_ends##i, OF_BATCH, LM_SINGLE),                          \
        ARRAY("sets" #i ".member", listed[i].member, list_members##i, NUMBERS, LM_LISTED + i),                         \
        ARRAY("sets" #i ".neighbor_start", listed[i].start, list_ends##i, STARTS, LM_LISTED + i),                      \
        ARRAY("sets" #i ".neighbor", listed[i].neighbor, list_neighbors##i, NUMBERS, LM_LINKS + i),                    \
        ARRAY("sets" #i ".type", listed[i].type, list_types##i, TYPES, LM_LISTED + i),                                 \
        ARRAY(NULL, listed[i].row_start, list_vertex_ends##i, STARTS, LM_VERTICES),                                    \
        ARRAY(NULL, listed[i].row, list_members##i, NUMBERS, LM_LISTED + i)
_Static_assert(LM_LISTS == 2, "LIST_COUNTS and LIST_ARRAYS for each of them");
const lm_batch_array lm_batch_arrays[LM_BATCH_ARRAYS] = {
    ARRAY(NULL, start[LM_TUPLES], graph_ends, OF_BATCH, LM_SINGLE),
    ARRAY("vertex_start", start[LM_VERTICES], graph_ends, OF_BATCH, LM_SINGLE),
    ARRAY("arc_start", start[LM_ARCS], graph_ends, OF_BATCH, LM_SINGLE),
    ARRAY(NULL, leaving_start, vertex_ends, STARTS, LM_VERTICES),
    ARRAY("head", head, arcs, NUMBERS, LM_ARCS),
    ARRAY("tuple_type", tuple_type, tuple_types, TYPES, LM_TUPLES),
    ARRAY("vertex_type", vertex_type, vertex_types, TYPES, LM_VERTICES),
    ARRAY("arc_label", arc_label, arc_labels, TYPES, LM_ARCS),
    ARRAY("count", count, counts, TYPES, LM_TUPLES),
    ARRAY("vertex_attribute", vertex_attribute, vertex_attributes, REALS, LM_VERTICES),
    ARRAY("arc_attribute", arc_attribute, arc_attributes, REALS, LM_ARCS),
    ARRAY("tuple_attribute", tuple_attribute, tuple_attributes, REALS, LM_TUPLES),
    ARRAY(NULL, target, targets, LEARNED, LM_GRAPHS),
    ARRAY(NULL, class_id, class_ids, LEARNED, LM_GRAPHS),
    ARRAY(NULL, graph_weight, weights, LEARNED, LM_GRAPHS),
    ARRAY(NULL, target_weight, target_weights, LEARNED, LM_GRAPHS),
    ARRAY("tail", tail, arcs, NUMBERS, LM_ARCS),
    ARRAY(NULL, entering_start, vertex_ends, STARTS, LM_VERTICES),
    ARRAY(NULL, entering_arc, arcs, NUMBERS, LM_ARCS),
    ARRAY(NULL, label_count, labels, OF_BATCH, LM_SINGLE),
    LIST_ARRAYS(0),
    LIST_ARRAYS(1),
};

void *lm_batch_array_of(const lm_batch *batch, const lm_batch_array *array)
{
    void *pointer;
    memcpy(&pointer, (const char *)batch + array->pointer, sizeof pointer);
    return pointer;
}

size_t lm_batch_planes(const lm_batch *batch, const lm_batch_array *array)
{
    return array->pointer == offsetof(lm_batch, count) ? batch->counts : 1;
}

size_t lm_batch_row_elements(const lm_batch *batch, const lm_batch_array *array)
{
    lm_batch one = *batch;
    for (int space = 0; space < LM_ROW_SPACES; space++) one.extent.rows[space] = 1;
    const size_t elements = array->count(&one), planes = lm_batch_planes(batch, array);
    return planes ? (elements - (elements && array->kind == LM_ARRAY_STARTS)) / planes : 0;
}

/* ---- The block ------------------------------------------------------------------------------- */

const char *lm_extent_text(const lm_extent *extent, char text[LM_EXTENT_TEXT])
{
    uint64_t sets = 0;
    for (int i = 0; i < LM_LISTS; i++) sets = lm_saturating_add(sets, extent->rows[LM_LISTED + i]);
    const uint64_t rows = sets ? sets : extent->rows[LM_TUPLES];
    snprintf(text, LM_EXTENT_TEXT, "%llu %s%s", (unsigned long long)rows, sets ? "set" : "tuple", lm_plural(rows));
    return text;
}

void lm_batch_init(leman_context *ctx, lm_batch *batch)
{
    *batch = (lm_batch){.ctx = ctx, .k = 1};
}

void lm_batch_free(lm_batch *batch)
{
    lm_release(batch->block);
    *batch = (lm_batch){.ctx = batch->ctx, .k = 1};
}

/* Returns true if every row number fits 32 bits and every array can be addressed. */
static bool fits(const lm_batch *batch)
{
    size_t columns = batch->counts, numbers;
    columns = columns > batch->vertex_attributes ? columns : batch->vertex_attributes;
    columns = columns > batch->arc_attributes ? columns : batch->arc_attributes;
    columns = columns > batch->tuple_attributes ? columns : batch->tuple_attributes;
    columns = columns > batch->targets ? columns : batch->targets;
    for (size_t i = 0; i < LM_LISTS; i++) { /* entries of members and starts of lists are numbered too */
        const size_t each = batch->listed[i].members + batch->listed[i].lists;
        if (!lm_multiply(batch->extent.rows[LM_LISTED + i], each, &numbers) || numbers >= UINT32_MAX) return false;
    }
    for (int space = 0; space < LM_ROW_SPACES; space++) {
        if (batch->extent.rows[space] >= UINT32_MAX) return false;
        if (!lm_multiply(batch->extent.rows[space], columns * sizeof(double), &numbers)) return false;
    }
    return columns < UINT32_MAX;
}

bool lm_batch_place(lm_batch *batch, char *base, size_t *bytes)
{
    size_t used = 0;
    for (size_t i = 0; i < LM_BATCH_ARRAYS; i++) {
        const lm_batch_array *array = lm_batch_arrays + i;
        size_t count = array->count(batch), more;
        void *pointer = base && count ? base + used : NULL;
        if (base) memcpy((char *)batch + array->pointer, &pointer, sizeof pointer);
        if (!lm_multiply(count, array->element, &more) || !lm_add(more, ALIGNMENT - 1, &more)) return false;
        if (!lm_add(used, more - more % ALIGNMENT, &used)) return false;
    }
    *bytes = used;
    return true;
}

leman_status lm_batch_resize(lm_batch *batch)
{
    size_t bytes = 0;
    char text[LM_EXTENT_TEXT];
    batch->extent.rows[LM_SINGLE] = 1;
    if (!fits(batch) || !lm_batch_place(batch, NULL, &bytes))
        return lm_fail(batch->ctx, LEMAN_ERROR_BUDGET,
                       "a batch of %s is more than 32 bits can number; use fewer graphs in a batch",
                       lm_extent_text(&batch->extent, text));
    if (bytes > batch->capacity) {
        size_t capacity = bytes > batch->capacity + batch->capacity / 4 ? bytes : batch->capacity + batch->capacity / 4;
        char *block;
        PASS_NEW(batch->ctx, block, capacity + ALIGNMENT);
        lm_release(batch->block);
        batch->block = block;
        batch->capacity = capacity;
    }
    char *base = batch->block;
    lm_batch_place(batch, base + (ALIGNMENT - (uintptr_t)base % ALIGNMENT) % ALIGNMENT, &bytes);
    return LEMAN_OK;
}

/* ---- What follows from the rest -------------------------------------------------------------- */

static void start_graphs(lm_batch *b)
{
    uint32_t tuples = 0;
    for (size_t g = 0; g <= b->extent.rows[LM_GRAPHS]; g++) {
        uint32_t first = b->start[LM_VERTICES][g];
        b->start[LM_ARCS][g] = b->leaving_start[first];
        b->start[LM_TUPLES][g] = tuples;
        if (g < b->extent.rows[LM_GRAPHS] && b->k > 1)
            tuples += (uint32_t)lm_power(b->start[LM_VERTICES][g + 1] - first, b->k);
    }
}

/* Counting sort of the arcs by their heads. Arcs are visited by increasing tail, so tails increase within a head. */
static void transpose_arcs(lm_batch *b)
{
    size_t vertices = b->extent.rows[LM_VERTICES], arc_count = b->extent.rows[LM_ARCS];
    memset(b->entering_start, 0, (vertices + 1) * sizeof *b->entering_start);
    for (size_t e = 0; e < arc_count; e++) b->entering_start[b->head[e] + 1]++;
    for (size_t v = 0; v < vertices; v++) b->entering_start[v + 1] += b->entering_start[v];
    for (uint32_t v = 0; v < vertices; v++)
        for (uint32_t e = b->leaving_start[v]; e < b->leaving_start[v + 1]; e++) {
            b->tail[e] = v;
            b->entering_arc[b->entering_start[b->head[e]]++] = e;
        }
    memmove(b->entering_start + 1, b->entering_start, vertices * sizeof *b->entering_start);
    b->entering_start[0] = 0;
}

/* The listed rows of each vertex, by a counting sort like that of transpose_arcs(). */
static void transpose_members(const lm_batch *b, const lm_listing *l, size_t rows)
{
    const size_t vertices = b->extent.rows[LM_VERTICES];
    memset(l->row_start, 0, (vertices + 1) * sizeof *l->row_start);
    for (size_t i = 0; i < rows * l->members; i++) l->row_start[l->member[i] + 1]++;
    for (size_t v = 0; v < vertices; v++) l->row_start[v + 1] += l->row_start[v];
    for (size_t i = 0; i < rows * l->members; i++) l->row[l->row_start[l->member[i]]++] = (uint32_t)(i / l->members);
    memmove(l->row_start + 1, l->row_start, vertices * sizeof *l->row_start);
    l->row_start[0] = 0;
}

void lm_batch_link(lm_batch *b)
{
    start_graphs(b);
    transpose_arcs(b);
    for (size_t i = 0; i < LM_LISTS; i++)
        if (b->listed[i].members) transpose_members(b, b->listed + i, b->extent.rows[LM_LISTED + i]);
    for (size_t l = 0; l < b->extent.rows[LM_LABELS]; l++) b->label_count[l] = 0;
    for (size_t e = 0; b->arc_labels && e < b->extent.rows[LM_ARCS]; e++)
        if (b->arc_label[e] != LM_NO_TYPE) b->label_count[b->arc_label[e]] += 1;
}
