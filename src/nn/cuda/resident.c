/*
 * The data set in the memory of the device. Graphs are copied there once: for every array of a batch the rows of all
 * graphs, one graph after the other, with row numbers that count from the first row of the graph. A batch is then a
 * list of graphs: the host computes the first rows, and the device gathers the rows (nn/cuda/gather.cu). The result
 * equals, to the bit, the batch that the host would have made.
 *
 * Rows in the order of their types: the device has every graph's rows in that order, and the host has the graph's
 * groups, the number of its rows of each type. The order of a batch is the groups of its graphs by type, and then by
 * graph. The host sorts groups, of which there are few, and the device copies their rows.
 *
 * The host's work for a batch is O(graphs + groups).
 */
#include "base/context.h"
#include "base/sort.h"
#include "nn/cuda/batch.h"
#include "nn/cuda/gather.h"
#include <string.h>

/* The number of rows of one type (for arcs: of one label) in a graph. Graph g has group[first[g]] up to first[g +
 * 1]. */
typedef struct group {
    uint32_t type, rows;
} group;
typedef struct groups {
    lm_vector group, first; /* size_t */
} groups;

/* Graphs are the last of the spaces whose first rows are stored. */
enum { GRAPHS = LM_SUMMED_SPACES, FIRSTS };
static int index_of(lm_row_space space)
{
    return space == LM_GRAPHS ? GRAPHS : (int)space;
}
static lm_row_space space_of(int i)
{
    return i == GRAPHS ? LM_GRAPHS : (lm_row_space)i;
}

struct lm_cuda_resident {
    lm_batch all; /* its extent is the capacity of its arrays on the device */
    char *block;
    uint32_t *order[LM_GRAPH_SPACES]; /* on the device: [rows] each graph's rows by type, counted in the graph */
    uint32_t *first[FIRSTS];          /* [graphs + 1] */
    size_t graphs;                    /* number of resident graphs */
    lm_vector slot;                   /* uint32_t: the index of the graph with number i, or LM_NO_GRAPH */
    groups groups[LM_GRAPH_SPACES];
    lm_vector key, spare, sorted; /* workspace */
};

static const uint32_t *grouped_by(const lm_batch *b, int space)
{
    return space == LM_ARCS ? b->arc_label : lm_cuda_types(b, space);
}

/* ---- Putting graphs there -------------------------------------------------------------------- */

void lm_cuda_drop_resident(lm_backend *backend)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    struct lm_cuda_resident *r = cuda->resident;
    leman_context *ctx = cuda->base.ctx;
    if (!r) return;
    lm_device_release(&cuda->device, r->block);
    for (int i = 0; i < FIRSTS; i++) lm_free(ctx, r->first[i]);
    for (int space = 0; space < LM_GRAPH_SPACES; space++) {
        lm_vector_free(ctx, &r->groups[space].group);
        lm_vector_free(ctx, &r->groups[space].first);
    }
    lm_vector_free(ctx, &r->slot);
    lm_vector_free(ctx, &r->key);
    lm_vector_free(ctx, &r->spare);
    lm_vector_free(ctx, &r->sorted);
    lm_free(ctx, r);
    cuda->resident = NULL;
}

/* Sets the addresses of arrays and orders from base on; base may be NULL. *bytes: their size. Returns false if they
 * cannot be numbered. */
static bool place(struct lm_cuda_resident *r, char *base, size_t *bytes)
{
    const bool typed[LM_GRAPH_SPACES] = {[LM_TUPLES] = r->all.tuple_types,
                                         [LM_VERTICES] = r->all.vertex_types,
                                         [LM_LISTED] = r->all.listed[0].types,
                                         [LM_LISTED + 1] = r->all.listed[1].types};
    for (int space = 0; space < LM_ROW_SPACES; space++)
        if (r->all.extent.rows[space] >= UINT32_MAX / 8) return false; /* numbers of entries must fit 32 bits as well */
    if (!lm_batch_place(&r->all, base, bytes)) return false;
    for (int space = 0; space < LM_GRAPH_SPACES; space++) {
        if (!typed[space]) continue;
        if (base) r->order[space] = (uint32_t *)(void *)(base + *bytes);
        *bytes += r->all.extent.rows[space] * sizeof(uint32_t);
    }
    return true;
}
_Static_assert(LM_LISTS == 2, "typed[] has each of them");

leman_status lm_cuda_reserve_resident(lm_backend *backend, const lm_batch *all, bool *fits)
{
    leman_status st = LEMAN_OK;
    lm_cuda *cuda = lm_cuda_of(backend);
    struct lm_cuda_resident *r = NULL;
    void *block = NULL;
    size_t bytes = 0;
    *fits = false;
    lm_cuda_drop_resident(backend);
    NEW(backend->ctx, r, 1);
    *r = (struct lm_cuda_resident){.all = *all};
    cuda->resident = r;
    if (!place(r, NULL, &bytes) || bytes > lm_device_left(&cuda->device) / 2) goto done; /* half is for batches */
    for (int i = 0; i < FIRSTS; i++) {
        NEW(backend->ctx, r->first[i], all->extent.rows[LM_GRAPHS] + 1);
        r->first[i][0] = 0;
    }
    if (lm_device_allocate(&cuda->device, bytes, &block)) { /* taken by another process: not an error */
        st = cuda->device.status;
        goto done;
    }
    r->block = block;
    (void)place(r, block, &bytes);
    *fits = true;
done:
    if (!*fits) lm_cuda_drop_resident(backend);
    return st;
}

/* Returns the first row of a graph of the batch. */
static uint32_t first_row(const lm_batch *b, lm_row_space space, size_t graph)
{
    if (space == LM_GRAPHS) return (uint32_t)graph;
    if (space < LM_GRAPH_SPACES) return b->start[space] ? b->start[space][graph] : 0;
    const lm_listing *l = b->listed + (space - LM_LINKS);
    return l->members ? l->start[b->start[LM_LISTED + (space - LM_LINKS)][graph] * l->lists] : 0;
}

/* Appends the groups of a graph, and writes its rows in the order of types. */
static leman_status group_rows(leman_context *ctx, struct lm_cuda_resident *r, const uint32_t *type, size_t rows,
                               groups *to, uint32_t *order)
{
    leman_status st = LEMAN_OK;
    size_t known = 0;
    r->key.count = r->spare.count = 0;
    TRY(lm_vector_reserve(ctx, &r->key, rows, sizeof(uint64_t)));
    TRY(lm_vector_reserve(ctx, &r->spare, rows, sizeof(uint64_t)));
    uint64_t *key = r->key.items;
    for (size_t i = 0; i < rows; i++)
        if (type[i] != LM_NO_TYPE) key[known++] = (uint64_t)type[i] << 32 | i;
    lm_sort_keys(key, r->spare.items, known, 1);
    for (size_t i = 0, next; i < known; i = next) {
        const uint32_t of = (uint32_t)(key[i] >> 32);
        for (next = i; next < known && key[next] >> 32 == of; next++)
            if (order) order[next] = (uint32_t)key[next];
        TRY(lm_vector_append(ctx, &to->group, &(group){of, (uint32_t)(next - i)}, 1, sizeof(group)));
    }
    TRY(lm_vector_append(ctx, &to->first, &to->group.count, 1, sizeof(size_t)));
done:
    return st;
}

/* Appends the groups of all graphs of the batch, in one space. */
static leman_status add_groups(lm_cuda *cuda, const lm_batch *b, int space)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = cuda->base.ctx;
    struct lm_cuda_resident *r = cuda->resident;
    const uint32_t *type = grouped_by(b, space);
    const size_t none = 0, rows = b->extent.rows[space];
    groups *to = r->groups + space;
    if (!type) return st;
    r->sorted.count = 0;
    TRY(lm_vector_reserve(ctx, &r->sorted, rows, sizeof(uint32_t)));
    if (!to->first.count) TRY(lm_vector_append(ctx, &to->first, &none, 1, sizeof none));
    uint32_t *order = r->order[space] ? r->sorted.items : NULL;
    for (size_t g = 0; g < b->extent.rows[LM_GRAPHS]; g++) {
        const size_t first = b->start[space][g], end = b->start[space][g + 1];
        TRY(group_rows(ctx, r, type + first, end - first, to, order ? order + first : NULL));
    }
    if (order)
        lm_device_write(&cuda->device, r->order[space] + r->first[space][r->graphs], order, rows * sizeof *order);
    lm_device_wait(&cuda->device); /* the buffer is filled again */
done:
    return st;
}

/* Sets the first rows that the graphs of the batch will have among the resident graphs. */
static void set_firsts(struct lm_cuda_resident *r, const lm_batch *b)
{
    for (int i = 0; i < FIRSTS; i++)
        for (size_t g = 1; g <= b->extent.rows[LM_GRAPHS]; g++)
            r->first[i][r->graphs + g] = r->first[i][r->graphs] + first_row(b, space_of(i), g);
}

/* Makes starts and row numbers count from the first row of their graph. */
static void count_in_graphs(const struct lm_cuda_resident *r, const lm_batch *b, const lm_batch_array *a)
{
    const uint32_t *row = r->first[index_of(a->rows)] + r->graphs;
    const size_t elements = lm_batch_row_elements(b, a), each = a->each ? a->each(b) : 1;
    uint32_t *word = lm_batch_array_of(b, a);
    if (!word || (a->kind != LM_ARRAY_STARTS && a->kind != LM_ARRAY_NUMBERS)) return;
    const uint32_t *counted = r->first[index_of(a->counted)] + r->graphs;
    for (size_t g = 0; g < b->extent.rows[LM_GRAPHS]; g++) {
        const uint32_t less = (uint32_t)each * (counted[g] - counted[0]);
        for (size_t i = (row[g] - row[0]) * elements; i < (row[g + 1] - row[0]) * elements; i++) word[i] -= less;
    }
}

/* Returns the bytes of one row of an array on the device. */
static size_t row_bytes(const lm_cuda *cuda, const lm_batch *b, const lm_batch_array *a)
{
    const bool half = a->kind == LM_ARRAY_REALS && cuda->precision == LEMAN_PRECISION_BF16;
    return lm_batch_row_elements(b, a) * (half ? 2 : a->element);
}

static void write_array(lm_cuda *cuda, const lm_batch *b, const lm_batch_array *a)
{
    const struct lm_cuda_resident *r = cuda->resident;
    char *to = lm_batch_array_of(&r->all, a), *from = lm_batch_array_of(b, a);
    const size_t bytes = row_bytes(cuda, b, a), rows = b->extent.rows[a->rows];
    const size_t first = r->first[index_of(a->rows)][r->graphs];
    if (!to || !from) return;
    if (a->kind == LM_ARRAY_REALS && cuda->precision == LEMAN_PRECISION_BF16)
        lm_cuda_round((lm_real *)(void *)from, rows * lm_batch_row_elements(b, a));
    for (size_t p = 0; p < lm_batch_planes(b, a); p++)
        lm_device_write(&cuda->device, to + (p * r->all.extent.rows[a->rows] + first) * bytes, from + p * rows * bytes,
                        rows * bytes);
}

leman_status lm_cuda_add_resident(lm_backend *backend, lm_batch *b, const uint32_t *graph)
{
    leman_status st = LEMAN_OK;
    lm_cuda *cuda = lm_cuda_of(backend);
    struct lm_cuda_resident *r = cuda->resident;
    const size_t graphs = b->extent.rows[LM_GRAPHS];
    for (int i = 0; i < FIRSTS; i++)
        if (r->first[i][r->graphs] + b->extent.rows[space_of(i)] > r->all.extent.rows[space_of(i)])
            FAIL(backend->ctx, LEMAN_ERROR_INTERNAL, "more resident graphs than there is room for");
    for (int space = 0; space < LM_GRAPH_SPACES; space++) TRY(add_groups(cuda, b, space));
    for (size_t g = 0; g < graphs; g++) {
        const uint32_t nowhere = LM_NO_GRAPH;
        while (r->slot.count <= graph[g]) TRY(lm_vector_append(backend->ctx, &r->slot, &nowhere, 1, sizeof nowhere));
        ((uint32_t *)r->slot.items)[graph[g]] = (uint32_t)(r->graphs + g);
    }
    set_firsts(r, b);
    for (const lm_batch_array *a = lm_batch_arrays; a < lm_batch_arrays + LM_BATCH_ARRAYS; a++) {
        if (a->kind == LM_ARRAY_OF_BATCH) continue;
        count_in_graphs(r, b, a);
        write_array(cuda, b, a);
    }
    lm_device_wait(&cuda->device);
    r->graphs += graphs;
    TRY(cuda->device.status);
done:
    backend->status = cuda->device.status;
    return st;
}

/* ---- A batch of them ------------------------------------------------------------------------- */

/* The words that the host sends for a batch, one array after the other, and the gathering that reads them. */
typedef struct message {
    lm_cuda *cuda;
    uint32_t *word;  /* on the host */
    uint32_t *there; /* the future address of these words on the device */
    size_t used;
    lm_gather gather;
    struct { /* for rows in the order of their types */
        uint32_t groups, rows;
        const uint32_t *to, *from, *first;
    } order[LM_GRAPH_SPACES];
} message;

static uint32_t *take(message *m, size_t words, const uint32_t **there)
{
    uint32_t *taken = m->word + m->used;
    if (there) *there = m->there + m->used;
    m->used += words;
    return taken;
}

static void add(message *m, lm_gathered array)
{
    if (m->gather.arrays < LM_GATHERED) m->gather.array[m->gather.arrays] = array;
    m->gather.arrays++; /* the number is checked at the end */
}

/* An array that the host makes for this batch. The caller writes it to the returned address; the device copies it to
 * `to`. */
static uint32_t *make(message *m, void *to, size_t words)
{
    const uint32_t *there;
    uint32_t *taken = take(m, words, &there);
    add(m, (lm_gathered){.from = there, .to = to, .space = LM_SINGLE, .units = (uint32_t)words});
    return taken;
}

static const uint32_t *slots(const struct lm_cuda_resident *r)
{
    return r->slot.items;
}

/* Computes the first rows of the graphs in all spaces: among the resident graphs, and in the batch. */
static void find_firsts(message *m, const lm_batch *batch)
{
    const struct lm_cuda_resident *r = m->cuda->resident;
    const size_t graphs = batch->extent.rows[LM_GRAPHS];
    uint32_t *from = take(m, FIRSTS * graphs, &m->gather.from), *to = take(m, FIRSTS * (graphs + 1), &m->gather.to);
    m->gather.graphs = (uint32_t)graphs;
    for (int i = 0; i < FIRSTS; i++, from += graphs, to += graphs + 1) {
        const uint32_t *first = r->first[i];
        to[0] = 0;
        for (size_t g = 0; g < graphs; g++) {
            const uint32_t slot = slots(r)[batch->resident[g]];
            from[g] = first[slot];
            to[g + 1] = to[g] + first[slot + 1] - first[slot];
        }
    }
}

/* Adds the gathering of one array of the batch. */
static void add_array(message *m, const lm_batch *live, const lm_batch *there, const lm_batch_array *a)
{
    const struct lm_cuda_resident *r = m->cuda->resident;
    void *from = lm_batch_array_of(&r->all, a), *to = lm_batch_array_of(there, a);
    if (a->kind == LM_ARRAY_OF_BATCH || !from || !to) return;
    const size_t bytes = row_bytes(m->cuda, there, a), rows = there->extent.rows[a->rows];
    const bool half = a->kind == LM_ARRAY_REALS && m->cuda->precision == LEMAN_PRECISION_BF16;
    const bool starts = a->kind == LM_ARRAY_STARTS, numbers = starts || a->kind == LM_ARRAY_NUMBERS;
    const size_t units = bytes / (half ? 2 : sizeof(uint32_t)), each = numbers && a->each ? a->each(there) : 1;
    add(m, (lm_gathered){.from = from,
                         .to = to,
                         .space = (uint32_t)index_of(a->rows),
                         .counted = numbers ? (uint32_t)index_of(a->counted) : LM_SINGLE,
                         .units = (uint32_t)units,
                         .each = (uint32_t)each,
                         .planes = (uint32_t)lm_batch_planes(there, a),
                         .from_plane = r->all.extent.rows[a->rows] * units,
                         .to_plane = rows * units,
                         .end = rows * units + starts,
                         .pad = starts                      ? (uint32_t)(each * live->extent.rows[a->counted])
                                : a->kind == LM_ARRAY_TYPES ? LM_NO_TYPE
                                                            : 0,
                         .half = half});
}
_Static_assert((int)LM_SINGLE > (int)GRAPHS, "a space that nothing is counted in");

/* Makes the starts of graphs and lines, live rows, the graph of each row, and counts of labels. */
static void make_starts(message *m, const lm_batch *live, lm_batch *there, const lm_cuda_extras *e, const uint32_t *to)
{
    const struct lm_cuda_resident *r = m->cuda->resident;
    const size_t graphs = live->extent.rows[LM_GRAPHS], padded = there->extent.rows[LM_GRAPHS];
    lm_batch host = *there;
    uint32_t *rows = make(m, e->live, LM_ROW_SPACES);
    for (int space = 0; space < LM_ROW_SPACES; space++) rows[space] = (uint32_t)live->extent.rows[space];
    for (int space = 0; space < LM_GRAPH_SPACES; space++, to += graphs + 1) {
        add(m, (lm_gathered){.to = e->graph_of[space],
                             .space = (uint32_t)space,
                             .counted = LM_SINGLE,
                             .units = 1,
                             .planes = 1,
                             .end = there->extent.rows[space],
                             .pad = LM_NO_GRAPH});
        if (!there->start[space]) continue;
        host.start[space] = make(m, there->start[space], padded + 1);
        for (size_t g = 0; g <= padded; g++) host.start[space][g] = to[g < graphs ? g : graphs];
    }
    lm_cuda_start_lines(&host, make(m, e->line_start, padded + 1));
    if (!there->label_count) return;
    lm_real *count = (lm_real *)(void *)make(m, there->label_count, there->extent.rows[LM_LABELS]);
    for (size_t l = 0; l < there->extent.rows[LM_LABELS]; l++) count[l] = 0;
    const groups *labels = r->groups + LM_ARCS;
    for (size_t g = 0; there->arc_labels && g < graphs; g++) {
        const size_t *first = (const size_t *)labels->first.items + slots(r)[live->resident[g]];
        for (size_t i = first[0]; i < first[1]; i++) {
            const group of = ((const group *)labels->group.items)[i];
            count[of.type] += (lm_real)of.rows;
        }
    }
}
_Static_assert(sizeof(lm_real) == sizeof(uint32_t), "reals on a device are words");

/* Returns the groups of a graph of the batch. */
static const group *groups_of(const struct lm_cuda_resident *r, int space, const lm_batch *batch, size_t graph,
                              size_t *count)
{
    const size_t *first = (const size_t *)r->groups[space].first.items + slots(r)[batch->resident[graph]];
    *count = first[1] - first[0];
    return (const group *)r->groups[space].group.items + first[0];
}

/* Returns the number of groups of the batch; *types: one more than the largest type among them. */
static size_t count_groups(const struct lm_cuda_resident *r, int space, const lm_batch *batch, uint32_t *types)
{
    size_t all = 0, count;
    *types = 0;
    for (size_t g = 0; g < batch->extent.rows[LM_GRAPHS]; g++, all += count) {
        const group *of = groups_of(r, space, batch, g, &count);
        if (count && of[count - 1].type >= *types) *types = of[count - 1].type + 1;
    }
    return all;
}

/* Sorts the groups by type, with a counting sort, and computes where their rows come from and go to. first: the first
 * rows of the graphs in the batch. */
static leman_status make_order(message *m, const lm_batch *batch, int space, const lm_cuda_sorted *sorted,
                               const uint32_t *first)
{
    leman_status st = LEMAN_OK;
    lm_cuda *cuda = m->cuda;
    const struct lm_cuda_resident *r = cuda->resident;
    uint32_t types;
    size_t count, all = count_groups(r, space, batch, &types);
    cuda->types.count = 0;
    TRY(lm_vector_reserve(cuda->base.ctx, &cuda->types, 2 * ((size_t)types + 2), sizeof(uint32_t)));
    uint32_t *at = cuda->types.items, *row = at + types + 2; /* number of groups and of rows before each type */
    memset(at, 0, 2 * ((size_t)types + 2) * sizeof *at);
    for (size_t g = 0; g < batch->extent.rows[LM_GRAPHS]; g++) {
        const group *of = groups_of(r, space, batch, g, &count);
        for (size_t i = 0; i < count; i++) at[of[i].type + 2]++, row[of[i].type + 2] += of[i].rows;
    }
    for (uint32_t t = 0; t < types; t++) at[t + 2] += at[t + 1], row[t + 2] += row[t + 1];
    uint32_t *to = take(m, all + 1, &m->order[space].to), *from = take(m, all, &m->order[space].from);
    uint32_t *of_graph = take(m, all, &m->order[space].first);
    for (size_t g = 0; g < batch->extent.rows[LM_GRAPHS]; g++) {
        const group *of = groups_of(r, space, batch, g, &count);
        uint32_t next = r->first[space][slots(r)[batch->resident[g]]];
        for (size_t i = 0; i < count; next += of[i].rows, i++) {
            const uint32_t j = at[of[i].type + 1]++;
            to[j] = row[of[i].type + 1];
            row[of[i].type + 1] += of[i].rows;
            from[j] = next;
            of_graph[j] = first[g];
        }
    }
    const uint32_t rows = to[all] = row[types];
    m->order[space].groups = (uint32_t)all;
    m->order[space].rows = rows;
    const lm_cuda_sorted host = {.count = make(m, sorted->count, 2),
                                 .run_type = make(m, sorted->run_type, all + lm_cuda_pieces(rows)),
                                 .piece_run = make(m, sorted->piece_run, lm_cuda_pieces(rows))};
    lm_cuda_cut_runs(row, types, &host);
done:
    return st;
}

/* Returns an upper bound on the number of words that are sent. */
static size_t most_words(const struct lm_cuda_resident *r, const lm_batch *live, const lm_batch *there)
{
    const size_t ends = there->extent.rows[LM_GRAPHS] + 1;
    size_t words = 2 * FIRSTS * ends + LM_ROW_SPACES + (LM_GRAPH_SPACES + 1) * ends + there->extent.rows[LM_LABELS];
    for (int space = 0; space < LM_GRAPH_SPACES; space++) {
        uint32_t types;
        if (r->order[space])
            words += 4 * count_groups(r, space, live, &types) + 2 * lm_cuda_pieces(live->extent.rows[space]) + 3;
    }
    return words;
}

size_t lm_cuda_resident_bytes(const lm_batch *largest)
{
    const size_t *rows = largest->extent.rows, ends = rows[LM_GRAPHS] + 1;
    size_t words = 2 * FIRSTS * ends + LM_ROW_SPACES + (LM_GRAPH_SPACES + 1) * ends + rows[LM_LABELS];
    for (int space = 0; space < LM_GRAPH_SPACES; space++) /* there are at most as many groups as rows */
        words += 4 * rows[space] + 2 * lm_cuda_pieces(rows[space]) + 3;
    return words * sizeof(uint32_t);
}

static leman_status check_graphs(const lm_cuda *cuda, const lm_batch *batch)
{
    const struct lm_cuda_resident *r = cuda->resident;
    for (size_t g = 0; g < batch->extent.rows[LM_GRAPHS]; g++)
        if (!r || batch->resident[g] >= r->slot.count || slots(r)[batch->resident[g]] == LM_NO_GRAPH)
            return lm_fail(cuda->base.ctx, LEMAN_ERROR_INTERNAL, "graph %lu is not on the device",
                           (unsigned long)batch->resident[g]);
    return LEMAN_OK;
}

leman_status lm_cuda_load_resident(lm_cuda *cuda, const lm_batch *batch, lm_batch *out)
{
    leman_status st = LEMAN_OK;
    const unsigned turn = cuda->turn++ % 2;
    lm_batch there = *batch;
    lm_cuda_extras extras;
    message m = {.cuda = cuda};
    TRY(check_graphs(cuda, batch));
    lm_cuda_pad(&cuda->base, &there.extent);
    const size_t bytes = lm_cuda_lay_out(&there, &extras, NULL);
    const size_t words = most_words(cuda->resident, batch, &there);
    TRY(lm_cuda_reserve(cuda, turn, words * sizeof *m.word, bytes + words * sizeof *m.word));
    lm_cuda_lay_out(&there, &extras, cuda->block);
    m.word = (uint32_t *)(void *)cuda->staging[turn];
    m.there = (uint32_t *)(void *)(cuda->block + bytes);
    find_firsts(&m, batch);
    const size_t ends = batch->extent.rows[LM_GRAPHS] + 1;
    const uint32_t *to = m.word + FIRSTS * (ends - 1); /* where find_firsts() wrote them */
    make_starts(&m, batch, &there, &extras, to);
    for (int space = 0; space < LM_GRAPH_SPACES; space++)
        if (cuda->resident->order[space])
            TRY(make_order(&m, batch, space, extras.sorted + space, to + (size_t)space * ends));
    for (const lm_batch_array *a = lm_batch_arrays; a < lm_batch_arrays + LM_BATCH_ARRAYS; a++)
        add_array(&m, batch, &there, a);
    if (m.gather.arrays > LM_GATHERED || m.used > words)
        FAIL(cuda->base.ctx, LEMAN_ERROR_INTERNAL, "a batch of %u arrays is more than one launch gathers",
             m.gather.arrays);
    TRY(lm_cuda_send(cuda, turn, m.used * sizeof *m.word, m.there, &extras));
    lm_cuda_gather_arrays(cuda, &m.gather);
    for (int space = 0; space < LM_GRAPH_SPACES; space++)
        lm_cuda_gather_groups(cuda, extras.sorted[space].order, cuda->resident->order[space], m.order[space].groups,
                              m.order[space].to, m.order[space].from, m.order[space].first, m.order[space].rows);
    *out = there;
    TRY(cuda->device.status);
done:
    return st;
}
