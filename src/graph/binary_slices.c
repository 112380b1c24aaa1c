/*
 * Reads the library's binary file a slice of graphs at a time: the part of every array that belongs to the slice is
 * read, and offsets are made relative to the slice. Time O(file), which is read twice; memory: one slice.
 */
#include "base/drop.h"
#include "base/hash.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <string.h>

enum { PIECE = 1 << 18, STEP = 1024 };

/* The first arrays of lm_dataset_arrays; slices have all arrays before LM_TARGETS. */
enum { GRAPH_START, VERTEX_START };

static leman_status check_sum(const lm_binary_slices *s)
{
    leman_context *ctx = s->ctx;
    SCRATCH_SCOPE(ctx);
    const lm_binary_layout *l = &s->layout;
    lm_checksum_state sum;
    char *piece;
    uint64_t place = l->name_at, seed = l->seed;
    PASS_SCRATCH(ctx, piece, PIECE);
    lm_progress_begin(ctx, l->block_size, "reading %s", s->input->path);
    for (int part = 0; part < 2; part++) { /* the name, then the block with the name's sum as its seed */
        const uint64_t end = part ? l->block_at + l->block_size : l->block_at;
        lm_checksum_begin(&sum, seed);
        while (place < end) {
            const size_t size = end - place < PIECE ? (size_t)(end - place) : PIECE;
            PASS(lm_input_read_at(s->input, place, piece, size));
            lm_checksum_add(&sum, piece, size);
            place += size;
            PASS(lm_progress_step(ctx, place));
        }
        seed = lm_checksum_end(&sum);
    }
    if (seed != l->checksum)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: is damaged: its checksum does not match", s->input->path);
    return LEMAN_OK;
}

static leman_status read_name(lm_binary_slices *s)
{
    const size_t length = s->layout.name_bytes;
    PASS_NEW(s->ctx, s->name, length + 1);
    PASS(lm_input_read_at(s->input, s->layout.name_at, s->name, length));
    if (memchr(s->name, 0, length))
        return lm_fail(s->ctx, LEMAN_ERROR_INPUT, "%s: found a zero byte in the name", s->input->path);
    s->name[length] = 0;
    lm_text_clean(s->name, '_');
    return LEMAN_OK;
}

leman_status lm_binary_slices_open(leman_context *ctx, const lm_input *input, lm_binary_slices *out)
{
    char head[LM_BINARY_HEAD];
    const size_t size = input->size < sizeof head ? (size_t)input->size : sizeof head;
    AUTO(lm_binary_slices_close) lm_binary_slices s = {.ctx = ctx, .input = input};
    PASS(lm_input_read_at(input, 0, head, size));
    PASS(lm_binary_layout_read(ctx, input->path, (lm_bytes){.data = head, .size = size}, input->size, &s.layout));
    uint64_t place = s.layout.block_at;
    for (int i = 0; i < LM_ARRAYS; i++) {
        s.place[i] = place;
        place += lm_block_rounded(lm_array_bytes(&s.layout.shape, lm_dataset_arrays + i));
    }
    PASS(check_sum(&s));
    PASS(read_name(&s));
    return HAND_OVER(out, s);
}

void lm_binary_slices_close(lm_binary_slices *s)
{
    lm_release(s->name);
    *s = (lm_binary_slices){0};
}

/* ---- Slices ---------------------------------------------------------------------------------- */

static leman_status bounds_fault(const lm_binary_slices *s)
{
    return lm_fail(s->ctx, LEMAN_ERROR_INPUT,
                   "%s: the offsets of graphs, vertices or names do not rise to their counts", s->input->path);
}

static leman_status find_border(const lm_binary_slices *s, size_t graph, const lm_border *before, lm_border *out)
{
    const leman_dataset *shape = &s->layout.shape;
    lm_border b = {.graph = graph};
    PASS(lm_input_read_at(s->input, s->place[GRAPH_START] + graph * sizeof b.vertex, &b.vertex, sizeof b.vertex));
    if (b.vertex < before->vertex || b.vertex > shape->vertices) PASS(bounds_fault(s));
    PASS(lm_input_read_at(s->input, s->place[VERTEX_START] + b.vertex * sizeof b.arc, &b.arc, sizeof b.arc));
    if (b.arc < before->arc || b.arc > shape->arcs) PASS(bounds_fault(s));
    *out = b;
    return LEMAN_OK;
}

/* Returns the shape of a slice, which has no names and targets; its classes are the numbers of the graphs. */
static leman_dataset slice_shape(const lm_binary_slices *s, const lm_border *from, const lm_border *to)
{
    const leman_dataset *all = &s->layout.shape;
    return (leman_dataset){.graphs = to->graph - from->graph,
                           .vertices = to->vertex - from->vertex,
                           .arcs = to->arc - from->arc,
                           .directed = all->directed,
                           .reading = all->reading,
                           .columns = {.vertex_labels = all->columns.vertex_labels,
                                       .edge_labels = all->columns.edge_labels,
                                       .vertex_attributes = all->columns.vertex_attributes,
                                       .edge_attributes = all->columns.edge_attributes,
                                       .classes = 1}};
}

/* Finds the largest slice that fits, with decreasing steps. */
static leman_status find_end(const lm_binary_slices *s, const lm_border *from, size_t bytes, lm_border *to)
{
    const size_t graphs = s->layout.shape.graphs;
    *to = *from;
    for (size_t step = STEP; step && to->graph < graphs;) {
        lm_border next;
        size_t size;
        PASS(find_border(s, graphs - to->graph < step ? graphs : to->graph + step, to, &next));
        const leman_dataset shape = slice_shape(s, from, &next);
        const bool fits = lm_dataset_block_size(&shape, &size) && size <= bytes;
        const bool one = to->graph == from->graph && next.graph == from->graph + 1;
        if (fits || one)
            *to = next;
        else
            step /= 2;
    }
    return LEMAN_OK;
}

static void count_from(const uint64_t *start, size_t count, uint64_t first)
{
    for (size_t i = 0; i <= count; i++) LM_WRITABLE(uint64_t, start)[i] -= first;
}

/* Reads arrays first .. end - 1 of a slice that begins at the border. */
static leman_status read_arrays(const lm_binary_slices *s, int first, int end, const lm_border *from, leman_dataset *d)
{
    for (int i = first; i < end; i++) {
        const lm_array *array = lm_dataset_arrays + i;
        const size_t size = lm_array_bytes(d, array), before = from ? lm_array_offset(d, array, from) : 0;
        if (size) PASS(lm_input_read_at(s->input, s->place[i] + before, lm_dataset_array(d, array), size));
    }
    return LEMAN_OK;
}

static leman_status check_slice(const lm_binary_slices *s, leman_dataset *d)
{
    const leman_status st = lm_fail_in(s->ctx, leman_dataset_check(s->ctx, d), s->input->path, d->name);
    if (!st) lm_dataset_measure(d);
    return st;
}

leman_status lm_binary_slices_next(lm_binary_slices *s, size_t bytes, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *d = NULL;
    lm_border from, to;
    if (s->at == s->layout.shape.graphs) return HAND_OVER(out, d);
    PASS(find_border(s, s->at, &(lm_border){0}, &from));
    PASS(find_end(s, &from, bytes, &to));
    const leman_dataset shape = slice_shape(s, &from, &to);
    PASS(lm_dataset_new(s->ctx, &shape, s->name, &d));
    PASS(read_arrays(s, GRAPH_START, LM_TARGETS, &from, d));
    count_from(d->graph_start, d->graphs, from.vertex);
    count_from(d->vertex_start, d->vertices, from.arc);
    for (size_t g = 0; g < d->graphs; g++) LM_WRITABLE(int64_t, d->class_label)[g] = (int64_t)(from.graph + g);
    d->first_graph = from.graph;
    PASS(check_slice(s, d));
    s->at = to.graph;
    return HAND_OVER(out, d);
}

leman_status lm_binary_slices_labels(lm_binary_slices *s, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *d = NULL;
    leman_dataset shape = s->layout.shape;
    shape.vertices = shape.arcs = shape.vertex_name_bytes = 0;
    shape.columns.vertex_names = shape.sides = false;
    PASS(lm_dataset_new(s->ctx, &shape, s->name, &d));
    memset(LM_WRITABLE(uint64_t, d->graph_start), 0, (d->graphs + 1) * sizeof *d->graph_start);
    PASS(read_arrays(s, LM_TARGETS, LM_ARRAYS, NULL, d));
    PASS(check_slice(s, d));
    return HAND_OVER(out, d);
}
