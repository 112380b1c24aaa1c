/* Batches: the table of arrays, the block that contains them, and the arrays that are computed from vertices and
 * arcs. */
#include "nn/batch.h"
#include "base/sort.h"
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* ---- The table ------------------------------------------------------------------------------- */

/* clang-format off */
#define AT(member) offsetof(lm_batch, member)
#define ARRAY(name, field, kind, rows, has, columns) \
    {name, AT(field), sizeof *((lm_batch *)0)->field, LM_ARRAY_##kind, rows, has, columns}
#define MEMBERS(i) AT(listed[i].members)
#define LIST_ARRAYS(i) \
    ARRAY("sets" #i ".start", start[LM_LISTED + i], STARTS, LM_GRAPHS, MEMBERS(i), 0), \
    ARRAY("sets" #i ".member", listed[i].member, NUMBERS, LM_LISTED + i, MEMBERS(i), MEMBERS(i)), \
    ARRAY("sets" #i ".neighbor_start", listed[i].start, STARTS, LM_LISTED + i, MEMBERS(i), AT(listed[i].lists)), \
    ARRAY("sets" #i ".neighbor", listed[i].neighbor, NUMBERS, LM_LINKS + i, MEMBERS(i), 0), \
    ARRAY("sets" #i ".type", listed[i].type, TYPES, LM_LISTED + i, AT(listed[i].types), 0), \
    ARRAY("sets" #i ".attribute", listed[i].attribute, REALS, LM_LISTED + i, 0, AT(listed[i].attributes)), \
    ARRAY(NULL, listed[i].row_start, STARTS, LM_VERTICES, MEMBERS(i), AT(listed[i].places)), \
    ARRAY(NULL, listed[i].row, NUMBERS, LM_LISTED + i, MEMBERS(i), MEMBERS(i)), \
    ARRAY(NULL, listed[i].link_arc, NUMBERS, LM_LINKS + i, AT(listed[i].follows), 0), \
    ARRAY(NULL, listed[i].diagonal, NUMBERS, LM_VERTICES, AT(listed[i].picks), 0), \
    ARRAY(NULL, listed[i].there, NUMBERS, LM_ARCS, AT(listed[i].picks), 0), \
    ARRAY(NULL, listed[i].back, NUMBERS, LM_ARCS, AT(listed[i].picks), 0), \
    ARRAY(NULL, listed[i].diagonals, STARTS, LM_LISTED + i, AT(listed[i].picks), 0), \
    ARRAY(NULL, listed[i].theres, STARTS, LM_LISTED + i, AT(listed[i].picks), 0), \
    ARRAY(NULL, listed[i].backs, STARTS, LM_LISTED + i, AT(listed[i].picks), 0)
_Static_assert(LM_LISTS == 2, "LIST_ARRAYS for each of them");
const lm_batch_array lm_batch_arrays[LM_BATCH_ARRAYS] = {
    ARRAY(NULL, start[LM_TUPLES], STARTS, LM_GRAPHS, 0, 0),
    ARRAY("vertex_start", start[LM_VERTICES], STARTS, LM_GRAPHS, 0, 0),
    ARRAY("arc_start", start[LM_ARCS], STARTS, LM_GRAPHS, 0, 0),
    ARRAY(NULL, leaving_start, STARTS, LM_VERTICES, 0, 0),
    ARRAY("head", head, NUMBERS, LM_ARCS, 0, 0),
    ARRAY("tuple_type", tuple_type, TYPES, LM_TUPLES, AT(tuple_types), 0),
    ARRAY("vertex_type", vertex_type, TYPES, LM_VERTICES, AT(vertex_types), 0),
    ARRAY("arc_label", arc_label, TYPES, LM_ARCS, AT(arc_labels), 0),
    ARRAY("count", count, TYPES, LM_TUPLES, 0, AT(counts)),
    ARRAY("vertex_attribute", vertex_attribute, REALS, LM_VERTICES, 0, AT(vertex_attributes)),
    ARRAY("arc_attribute", arc_attribute, REALS, LM_ARCS, 0, AT(arc_attributes)),
    ARRAY("tuple_attribute", tuple_attribute, REALS, LM_TUPLES, 0, AT(tuple_attributes)),
    ARRAY(NULL, target, LEARNED, LM_GRAPHS, 0, AT(targets)),
    ARRAY(NULL, class_id, LEARNED, LM_GRAPHS, AT(classes), 0),
    ARRAY(NULL, graph_weight, LEARNED, LM_GRAPHS, AT(weights), 0),
    ARRAY(NULL, target_weight, LEARNED, LM_GRAPHS, AT(target_weights), AT(targets)),
    ARRAY("tail", tail, NUMBERS, LM_ARCS, 0, 0),
    ARRAY(NULL, entering_start, STARTS, LM_VERTICES, 0, 0),
    ARRAY(NULL, entering_arc, NUMBERS, LM_ARCS, 0, 0),
    ARRAY(NULL, label_count, OF_BATCH, LM_LABELS, 0, 0),
    LIST_ARRAYS(0),
    LIST_ARRAYS(1),
};
/* clang-format on */

/* Returns the number at this offset of the batch; 1 for offset 0. */
static size_t number_at(const lm_batch *batch, size_t offset)
{
    return offset ? *(const size_t *)(const void *)((const char *)batch + offset) : 1;
}

size_t lm_batch_count(const lm_batch *batch, const lm_batch_array *array)
{
    const size_t columns = number_at(batch, array->has) ? number_at(batch, array->columns) : 0;
    const lm_row_space rows = array->kind == LM_ARRAY_LEARNED ? batch->level : array->rows;
    return columns ? columns * batch->extent.rows[rows] + (array->kind == LM_ARRAY_STARTS) : 0;
}

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
    const size_t elements = lm_batch_count(&one, array), planes = lm_batch_planes(batch, array);
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
    *batch = (lm_batch){.ctx = ctx, .k = 1, .level = LM_GRAPHS};
}

void lm_batch_free(lm_batch *batch)
{
    lm_release(batch->block);
    *batch = (lm_batch){.ctx = batch->ctx, .k = 1, .level = LM_GRAPHS};
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
        const lm_listing *l = batch->listed + i;
        if (!lm_multiply(batch->extent.rows[LM_LISTED + i], l->members + l->lists, &numbers)) return false;
        if (numbers >= UINT32_MAX) return false;
        if (!lm_multiply(batch->extent.rows[LM_VERTICES], l->places, &numbers) || numbers >= UINT32_MAX) return false;
        columns = columns > l->attributes ? columns : l->attributes;
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
        size_t count = lm_batch_count(batch, array), more;
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

/* Lists for every vertex v the numbers i / each, increasing, with key[i] = v: list[start[v]] up to the next start. If
 * there are several `places`, v is vertex * places + place, where i is at place i % places. A counting sort. */
static void list_by_vertex(const uint32_t *key, size_t count, size_t each, size_t places, size_t vertices,
                           uint32_t *start, uint32_t *list)
{
    const size_t starts = vertices * places;
    memset(start, 0, (starts + 1) * sizeof *start);
    for (size_t i = 0; i < count; i++) start[key[i] * places + i % places + 1]++;
    for (size_t v = 0; v < starts; v++) start[v + 1] += start[v];
    for (size_t i = 0; i < count; i++) list[start[key[i] * places + i % places]++] = (uint32_t)(i / each);
    memmove(start + 1, start, starts * sizeof *start);
    start[0] = 0;
}

/* Returns true if there is an arc from u to w, and sets *arc to its number. */
static bool arc_of(const lm_batch *b, uint32_t u, uint32_t w, uint32_t *arc)
{
    *arc = (uint32_t)lm_lower_bound(b->head, b->leaving_start[u], b->leaving_start[u + 1], w);
    return *arc < b->leaving_start[u + 1] && b->head[*arc] == w;
}

/* Finds the arc of every link of a listing of tuples. O(links log degree). */
static void find_link_arcs(const lm_batch *b, const lm_listing *l, size_t rows)
{
    for (size_t list = 0; list < rows * l->lists; list++) {
        const size_t row = list / l->lists, j = list % l->lists, place = j % l->members;
        const bool enters = l->paired && j >= l->lists / 2;
        const uint32_t own = l->member[row * l->members + place];
        for (uint32_t i = l->start[list]; i < l->start[list + 1]; i++) {
            const uint32_t other = l->member[l->neighbor[i] * l->members + place];
            arc_of(b, enters ? other : own, enters ? own : other, l->link_arc + i);
        }
    }
}

/* Finds the rows of pairs of one vertex and of arcs in either direction. O(rows log degree). */
static void find_picks(const lm_batch *b, const lm_listing *l, size_t rows)
{
    uint32_t diagonals = 0, theres = 0, backs = 0, arc;
    for (uint32_t r = 0; r < rows; r++) {
        const uint32_t u = l->member[2 * r], w = l->member[2 * r + 1];
        l->diagonals[r] = diagonals;
        l->theres[r] = theres;
        l->backs[r] = backs;
        if (u == w) l->diagonal[u] = r, diagonals++;
        if (u != w && arc_of(b, u, w, &arc)) l->there[arc] = r, theres++;
        if (u != w && arc_of(b, w, u, &arc)) l->back[arc] = r, backs++;
    }
    l->diagonals[rows] = diagonals;
    l->theres[rows] = theres;
    l->backs[rows] = backs;
}

void lm_batch_link(lm_batch *b)
{
    const size_t vertices = b->extent.rows[LM_VERTICES];
    start_graphs(b);
    for (uint32_t v = 0; v < vertices; v++)
        for (uint32_t e = b->leaving_start[v]; e < b->leaving_start[v + 1]; e++) b->tail[e] = v;
    list_by_vertex(b->head, b->extent.rows[LM_ARCS], 1, 1, vertices, b->entering_start, b->entering_arc);
    for (size_t i = 0; i < LM_LISTS; i++) {
        const lm_listing *l = b->listed + i;
        if (!l->members) continue;
        list_by_vertex(l->member, b->extent.rows[LM_LISTED + i] * l->members, l->members, l->places, vertices,
                       l->row_start, l->row);
        if (l->follows) find_link_arcs(b, l, b->extent.rows[LM_LISTED + i]);
        if (l->picks) find_picks(b, l, b->extent.rows[LM_LISTED + i]);
    }
    for (size_t l = 0; l < b->extent.rows[LM_LABELS]; l++) b->label_count[l] = 0;
    for (size_t e = 0; b->arc_labels && e < b->extent.rows[LM_ARCS]; e++)
        if (b->arc_label[e] != LM_NO_TYPE) b->label_count[b->arc_label[e]] += 1;
}
